//! Decides whether a mutant is killed blindly (\[004\] Definition 4): is there a sequence of inputs after which every
//! run of the mutant differs from every run of the specification?
//!
//! Searches breadth first over the sets of pairs of states that the inputs so far lead to with common outputs; an empty
//! set is a kill. A superset of a set met earlier leads to nothing shorter, and a set with an inseparable pair leads to
//! no kill.

use rustc_hash::FxHashMap;

use super::antichain::{Antichain, NumberSet, set_of};
use super::lasting::{Lasting, States, same_output};
use super::{Decision, InputId, Pair};
use tamper_text::{Budget, StopReason};

/// A numbering of pairs of states.
#[derive(Default)]
struct PairNumbering {
    numbers: FxHashMap<States, u32>,
    pairs: Vec<States>,
}

impl PairNumbering {
    fn of(&mut self, pair: States) -> u32 {
        let next = u32::try_from(self.pairs.len()).expect("fewer than 2^32 pairs fit in memory");
        let number = *self.numbers.entry(pair).or_insert(next);
        if number == next {
            self.pairs.push(pair);
        }
        number
    }
    fn after(&mut self, pair: &Pair, set: &NumberSet, input: InputId) -> NumberSet {
        let mut after = Vec::new();
        for number in set {
            let (own, other) = self.pairs[*number as usize];
            let theirs = pair.specification().steps(other, input);
            for step in pair.mutant().steps(own, input) {
                after.extend(same_output(theirs, *step).map(|other| self.of((step.target, other.target))));
            }
        }
        set_of(after)
    }
}

pub(super) fn blind(pair: &Pair, inseparable: &mut Lasting<'_>, budget: &Budget) -> Decision<Vec<InputId>> {
    match search(pair, inseparable, budget) {
        Ok(Some(word)) => Decision::Yes(word),
        Ok(None) => Decision::No,
        Err(reason) => Decision::Unknown(reason),
    }
}

fn search(pair: &Pair, inseparable: &mut Lasting<'_>, budget: &Budget) -> Result<Option<Vec<InputId>>, StopReason> {
    let mut numbers = PairNumbering::default();
    let mut start = Vec::new();
    for (seen, own) in pair.mutant().starts() {
        let others = pair.specification().starts().get(seen).into_iter().flatten();
        let pairs = others.flat_map(|other| own.iter().map(move |own| (*own, *other)));
        start.extend(pairs.map(|pair| numbers.of(pair)));
    }
    let start = set_of(start);
    if start.is_empty() {
        return Ok(Some(Vec::new()));
    }
    let mut is_lost = |set: &NumberSet, numbers: &PairNumbering| -> Result<bool, StopReason> {
        for number in set {
            if inseparable.holds(numbers.pairs[*number as usize])? {
                return Ok(true);
            }
        }
        Ok(false)
    };
    if is_lost(&start, &numbers)? {
        return Ok(None);
    }
    let mut met = Antichain::default();
    met.is_covered(&start);
    let mut nodes: Vec<(NumberSet, Option<(usize, InputId)>)> = vec![(start, None)];
    let (mut at, mut bytes) = (0, 0);
    while at < nodes.len() {
        for input in pair.inputs().ids() {
            let set = numbers.after(pair, &nodes[at].0, input);
            if set.is_empty() {
                return Ok(Some(word_to(&nodes, Some((at, input)))));
            }
            if met.is_covered(&set) || is_lost(&set, &numbers)? {
                continue;
            }
            bytes += 2 * (64 + 4 * set.len() as u64);
            nodes.push((set, Some((at, input))));
            if let Some(reason) = budget.exceeded(nodes.len() as u64, bytes) {
                return Err(reason);
            }
        }
        at += 1;
    }
    Ok(None)
}

fn word_to(nodes: &[(NumberSet, Option<(usize, InputId)>)], mut last: Option<(usize, InputId)>) -> Vec<InputId> {
    let mut word = Vec::new();
    while let Some((at, input)) = last {
        word.push(input);
        last = nodes[at].1;
    }
    word.reverse();
    word
}

//! Pairs of a state of the mutant and a state of the specification that are in a greatest fixpoint relation, decided on
//! demand.
//!
//! A pair has needs, each of which is met by any of some other pairs; it lasts if all its needs are met by pairs that
//! last (the greatest set of pairs with this property). Only pairs that are asked for, and pairs that meet their needs,
//! are visited: every need points at one pair at a time, and at the next one once that is found not to last.

use rustc_hash::FxHashMap;

use super::{Pair, StateId, Step};
use tamper_text::{Budget, StopReason};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum FixpointRelation {
    /// The two can continue with the same outputs for all inputs, each choice being made when the input is known. No
    /// test that reaches the pair surely tells them apart.
    Inseparable,
    /// The specification's state simulates the mutant's: from there the mutant shows nothing new.
    Simulated,
}

/// A state of the mutant, and one of the specification.
pub(super) type States = (StateId, StateId);

/// Pairs, one of which must last, and the position of the one that the need currently points at.
struct Need {
    alternatives: Vec<u32>,
    chosen: usize,
}

/// The pairs visited so far, with their needs.
pub(super) struct Lasting<'p> {
    pair: &'p Pair,
    relation: FixpointRelation,
    budget: &'p Budget,
    numbers: FxHashMap<States, u32>,
    states: Vec<States>,
    /// By pair: its needs, once computed.
    needs: Vec<Option<Vec<Need>>>,
    lasts: Vec<bool>,
    /// By pair: the needs, by owner and position, that ever pointed at it.
    users: Vec<Vec<(u32, u32)>>,
    bytes: u64,
    /// The limit that was hit: later results are not reliable.
    stopped: Option<StopReason>,
}

impl<'p> Lasting<'p> {
    pub fn new(pair: &'p Pair, relation: FixpointRelation, budget: &'p Budget) -> Self {
        Self {
            pair,
            relation,
            budget,
            numbers: FxHashMap::default(),
            states: Vec::new(),
            needs: Vec::new(),
            lasts: Vec::new(),
            users: Vec::new(),
            bytes: 0,
            stopped: None,
        }
    }

    /// Whether the pair lasts.
    pub fn holds(&mut self, states: States) -> Result<bool, StopReason> {
        if let Some(reason) = self.stopped {
            return Err(reason);
        }
        let asked = self.number(states);
        let mut agenda = vec![asked];
        while let Some(number) = agenda.pop() {
            let at = number as usize;
            let is_alive = |(owner, _): &(u32, u32)| self.lasts[*owner as usize];
            let is_wanted = number == asked || self.users[at].iter().any(is_alive);
            if self.needs[at].is_some() || !self.lasts[at] || !is_wanted {
                continue;
            }
            let (own, other) = self.states[at];
            let needs = self.needs_of(own, other);
            let is_met = |need: &Need| need.alternatives.iter().any(|pair| self.lasts[*pair as usize]);
            // A need that nothing meets ends the pair; its other needs no longer matter.
            let open = match needs.iter().all(is_met) {
                true => (0..needs.len() as u32).map(|need| (number, need)).collect(),
                false => {
                    self.lasts[at] = false;
                    std::mem::take(&mut self.users[at])
                }
            };
            self.needs[at] = Some(needs);
            self.settle(open, &mut agenda);
            if let Some(reason) = self.budget.exceeded(self.states.len() as u64, self.bytes) {
                self.stopped = Some(reason);
                return Err(reason);
            }
        }
        Ok(self.lasts[asked as usize])
    }

    /// Lets each need point at a pair that may still last. A pair with a need that no pair can meet ends.
    fn settle(&mut self, mut open: Vec<(u32, u32)>, agenda: &mut Vec<u32>) {
        while let Some((owner, place)) = open.pop() {
            if !self.lasts[owner as usize] {
                continue;
            }
            let Some(needs) = &mut self.needs[owner as usize] else {
                continue;
            };
            let need = &mut needs[place as usize];
            let lasts = &self.lasts;
            let met = need.alternatives[need.chosen..]
                .iter()
                .position(|pair| lasts[*pair as usize]);
            match met {
                Some(further) => {
                    need.chosen += further;
                    let pair = need.alternatives[need.chosen];
                    self.users[pair as usize].push((owner, place));
                    self.bytes += 8;
                    if self.needs[pair as usize].is_none() {
                        agenda.push(pair);
                    }
                }
                None => {
                    self.lasts[owner as usize] = false;
                    open.append(&mut self.users[owner as usize]);
                }
            }
        }
    }

    fn needs_of(&mut self, own: StateId, other: StateId) -> Vec<Need> {
        let pair = self.pair;
        let mut needs = Vec::new();
        for input in pair.inputs().ids() {
            let (mine, theirs) = (
                pair.mutant().steps(own, input),
                pair.specification().steps(other, input),
            );
            let mut alternatives = Vec::new();
            for step in mine {
                alternatives.extend(same_output(theirs, *step).map(|other| (step.target, other.target)));
                if self.relation == FixpointRelation::Simulated {
                    needs.push(self.need(std::mem::take(&mut alternatives)));
                }
            }
            if self.relation == FixpointRelation::Inseparable {
                needs.push(self.need(alternatives));
            }
        }
        needs
    }
    fn need(&mut self, mut alternatives: Vec<States>) -> Need {
        // In mutants made from one text, states with the same number are often equal.
        alternatives.sort_by_key(|(own, other)| own != other);
        self.bytes += 32 + 4 * alternatives.len() as u64;
        Need {
            alternatives: alternatives.into_iter().map(|states| self.number(states)).collect(),
            chosen: 0,
        }
    }
    fn number(&mut self, states: States) -> u32 {
        let next = u32::try_from(self.states.len()).expect("fewer than 2^32 pairs fit in memory");
        let number = *self.numbers.entry(states).or_insert(next);
        if number == next {
            self.states.push(states);
            self.needs.push(None);
            self.lasts.push(true);
            self.users.push(Vec::new());
            self.bytes += 96;
        }
        number
    }
}

/// The steps, which are sorted, with the same output as `step`.
pub(super) fn same_output(steps: &[Step], step: Step) -> impl Iterator<Item = &Step> {
    let first = steps.partition_point(|other| other.output < step.output);
    steps[first..]
        .iter()
        .take_while(move |other| other.output == step.output)
}

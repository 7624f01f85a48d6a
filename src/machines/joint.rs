//! The fewest tests for a list of mutants, by following all of them at once.

use fixedbitset::FixedBitSet;
use rustc_hash::{FxHashMap, FxHashSet};

use super::trail::{self, Step};
use super::{InputId, Mutant, MutationMachine, StateId, killing_sequence_from};
use crate::base::{Budget, Id as _, StopReason};

/// In the place of a mutant's state: some input on the way killed it.
const DEAD: u32 = u32::MAX;
/// In the place of a mutant's state: nothing can kill it any longer.
const LOST: u32 = u32::MAX - 1;

/// Most states of all mutants together that are looked at.
const MOST_STATES: usize = 1 << 17;

/// A test and the mutants that it kills, as no test kills more.
struct Best {
    killed: FixedBitSet,
    at: usize,
}

/// Where the specification and every mutant are after some inputs.
struct Joint {
    right: StateId,
    own: Box<[u32]>,
    from: Step<InputId>,
}

struct Search<'a> {
    machine: &'a MutationMachine,
    mutants: &'a [Mutant],
    /// Per mutant, by the specification's state and its own: whether some inputs kill it from there, as far as was asked.
    hopeful: Vec<FxHashMap<(StateId, StateId), bool>>,
    states: Vec<Joint>,
    known: FxHashSet<(StateId, Box<[u32]>)>,
    best: Vec<Best>,
}

/// As few tests as kill all of `mutants`, none of which conforms.
///
/// # Errors
/// The budget's time, and a limit to the states that the mutants are in together.
pub(super) fn fewest_tests(
    machine: &MutationMachine,
    mutants: &[Mutant],
    budget: &Budget,
) -> Result<Vec<Vec<InputId>>, StopReason> {
    let mut search = Search {
        machine,
        mutants,
        hopeful: vec![FxHashMap::default(); mutants.len()],
        states: Vec::new(),
        known: FxHashSet::default(),
        best: Vec::new(),
    };
    search.explore(budget)?;
    if let Some(reason) = machine.stopped() {
        return Err(reason);
    }
    let sets: Vec<&FixedBitSet> = search.best.iter().map(|best| &best.killed).collect();
    let mut alive = FixedBitSet::with_capacity(mutants.len());
    alive.insert_range(..);
    for most in 0..=mutants.len() {
        let mut chosen = Vec::new();
        if cover(&sets, &alive, most, &mut chosen, budget)? {
            let inputs = |best: &usize| trail::word(search.best[*best].at, |at| search.states[at].from);
            return Ok(chosen.iter().map(inputs).collect());
        }
    }
    Ok(Vec::new())
}

/// Whether at most `most` of the sets hold all that are alive; then `chosen` is which.
fn cover(
    sets: &[&FixedBitSet],
    alive: &FixedBitSet,
    most: usize,
    chosen: &mut Vec<usize>,
    budget: &Budget,
) -> Result<bool, StopReason> {
    let holding = |mutant: usize| (0..sets.len()).filter(move |at| sets[*at].contains(mutant));
    let Some(rarest) = alive.ones().min_by_key(|mutant| holding(*mutant).count()) else {
        return Ok(true);
    };
    if most == 0 {
        return Ok(false);
    }
    if let Some(reason) = budget.exceeded(0, 0) {
        return Err(reason);
    }
    for at in holding(rarest) {
        let mut left = alive.clone();
        left.difference_with(sets[at]);
        chosen.push(at);
        if cover(sets, &left, most - 1, chosen, budget)? {
            return Ok(true);
        }
        chosen.pop();
    }
    Ok(false)
}

fn n_dead(own: &[u32]) -> usize {
    own.iter().filter(|own| **own == DEAD).count()
}

impl Search<'_> {
    /// Finds all sets of mutants that a test kills and no test kills more than.
    fn explore(&mut self, budget: &Budget) -> Result<(), StopReason> {
        let initial = self.machine.initial();
        let own = vec![initial.index() as u32; self.mutants.len()].into_boxed_slice();
        let start = Joint {
            right: initial,
            own,
            from: None,
        };
        self.states.push(start);
        let mut stack = vec![0];
        while let Some(at) = stack.pop() {
            if let Some(reason) = budget.exceeded(0, 0) {
                return Err(reason);
            }
            if self.states.len() > MOST_STATES {
                return Err(StopReason::States);
            }
            if self.is_pointless(&self.states[at].own) {
                continue;
            }
            let mut fresh = Vec::new();
            for input in self.machine.inputs().ids() {
                let next = self.after(at, input);
                if self.known.insert((next.right, next.own.clone())) {
                    let kills = n_dead(&next.own) > n_dead(&self.states[at].own);
                    self.states.push(next);
                    if kills {
                        self.note(self.states.len() - 1);
                    }
                    fresh.push(self.states.len() - 1);
                }
            }
            // Where most are dead first: what kills much makes more of the rest pointless.
            fresh.sort_by_key(|at| n_dead(&self.states[*at].own));
            stack.extend(fresh);
        }
        Ok(())
    }

    fn after(&mut self, at: usize, input: InputId) -> Joint {
        let machine = self.machine;
        let expected = machine.unaltered(self.states[at].right, input);
        let mut own = self.states[at].own.clone();
        for (mutant, own) in own.iter_mut().enumerate() {
            if *own == DEAD || *own == LOST {
                continue;
            }
            let mine = self.mutants[mutant].step(machine, StateId::from_index(*own as usize), input);
            *own = if mine.output != expected.output {
                DEAD
            } else if self.is_hopeful(mutant, (expected.target, mine.target)) {
                mine.target.index() as u32
            } else {
                LOST
            };
        }
        Joint {
            right: expected.target,
            own,
            from: Some((at, input)),
        }
    }

    fn is_hopeful(&mut self, mutant: usize, pair: (StateId, StateId)) -> bool {
        let (machine, mutants) = (self.machine, self.mutants);
        let found = || killing_sequence_from(machine, &mutants[mutant], pair).is_some();
        *self.hopeful[mutant].entry(pair).or_insert_with(found)
    }

    fn among(&self, own: &[u32], wanted: impl Fn(u32) -> bool) -> FixedBitSet {
        let mut found = FixedBitSet::with_capacity(own.len());
        found.extend((0..own.len()).filter(|mutant| wanted(own[*mutant])));
        found
    }

    /// Whether no more can be killed from there than some test kills that is known.
    fn is_pointless(&self, own: &[u32]) -> bool {
        let possible = self.among(own, |own| own != LOST);
        self.best.iter().any(|best| possible.is_subset(&best.killed))
    }

    fn note(&mut self, at: usize) {
        let killed = self.among(&self.states[at].own, |own| own == DEAD);
        if self.best.iter().any(|best| killed.is_subset(&best.killed)) {
            return;
        }
        self.best.retain(|best| !best.killed.is_subset(&killed));
        self.best.push(Best { killed, at });
    }
}

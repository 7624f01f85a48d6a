//! The fewest tests for a list of mutants, by following all of them at once.

use fixedbitset::FixedBitSet;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::conformance::{StatePair, killing_sequence_from};
use crate::trail::{self, Predecessor};
use crate::{InputId, Mutant, MutationMachine, StateId};
use tamper_text::{Budget, Id as _, StopReason};

/// Stands for a mutant's state: some input on the way killed the mutant.
const DEAD: u32 = u32::MAX;
/// Stands for a mutant's state: nothing can kill the mutant any longer.
const LOST: u32 = u32::MAX - 1;

/// The largest number of joint states of all mutants that are visited.
const MOST_STATES: usize = 1 << 17;

/// A test and the mutants that it kills, a maximal set.
struct Best {
    killed: FixedBitSet,
    at: usize,
}

/// The states of the specification and of every mutant after some inputs.
struct Joint {
    right: StateId,
    own: Box<[u32]>,
    from: Predecessor<InputId>,
}

struct JointSearch<'a> {
    machine: &'a MutationMachine,
    mutants: &'a [Mutant],
    /// By mutant, then by the specification's state and the mutant's: whether some inputs kill it from there, as far as
    /// computed.
    hopeful: Vec<FxHashMap<StatePair, bool>>,
    states: Vec<Joint>,
    known: FxHashSet<(StateId, Box<[u32]>)>,
    best: Vec<Best>,
}

/// A smallest set of tests that kills all of `mutants`, none of which conforms.
///
/// # Errors
/// The budget's time, and a limit on the number of joint states of the mutants.
pub(crate) fn fewest_tests(
    machine: &MutationMachine,
    mutants: &[Mutant],
    budget: &Budget,
) -> Result<Vec<Vec<InputId>>, StopReason> {
    let mut search = JointSearch::new(machine, mutants);
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

/// A suite of the fewest inputs among the suites of at most `most` tests that kill all of `mutants`, none of which
/// conforms; at least one of these suites must exist.
///
/// # Errors
/// The budget's time, and limits on the number of joint states of the mutants and on the number of suites tried.
pub(crate) fn shortest_tests(
    machine: &MutationMachine,
    mutants: &[Mutant],
    most: usize,
    budget: &Budget,
) -> Result<Vec<Vec<InputId>>, StopReason> {
    let mut search = JointSearch::new(machine, mutants);
    search.explore_by_length(budget)?;
    if let Some(reason) = machine.stopped() {
        return Err(reason);
    }
    let word = |best: &Best| trail::word(best.at, |at| search.states[at].from);
    let words: Vec<Vec<InputId>> = search.best.iter().map(word).collect();
    let mut cheapest = Cheapest {
        sets: search
            .best
            .iter()
            .zip(&words)
            .map(|(best, word)| (&best.killed, word.len()))
            .collect(),
        budget,
        n_tried: 0,
        found: None,
    };
    let mut alive = FixedBitSet::with_capacity(mutants.len());
    alive.insert_range(..);
    cheapest.cover(&alive, most, &mut Vec::new(), 0)?;
    let (chosen, _) = cheapest.found.unwrap_or_default();
    Ok(chosen.into_iter().map(|best| words[best].clone()).collect())
}

/// The largest number of choices of a test that are tried for a suite.
const MOST_TRIED: usize = 1 << 20;

/// The search for a suite of the fewest inputs.
struct Cheapest<'s> {
    /// By test: the mutants that it kills, and its number of inputs.
    sets: Vec<(&'s FixedBitSet, usize)>,
    budget: &'s Budget,
    n_tried: usize,
    /// The best suite so far, with its number of inputs.
    found: Option<(Vec<usize>, usize)>,
}

impl Cheapest<'_> {
    /// Looks for at most `most` more tests that kill all mutants in `alive`.
    fn cover(
        &mut self,
        alive: &FixedBitSet,
        most: usize,
        chosen: &mut Vec<usize>,
        cost: usize,
    ) -> Result<(), StopReason> {
        self.n_tried += 1;
        if self.n_tried > MOST_TRIED {
            return Err(StopReason::States);
        }
        if let Some(reason) = self.budget.exceeded(0, 0) {
            return Err(reason);
        }
        let sets = &self.sets;
        let holding = |mutant: usize| (0..sets.len()).filter(move |at| sets[*at].0.contains(mutant));
        let Some(rarest) = alive.ones().min_by_key(|mutant| holding(*mutant).count()) else {
            self.found = Some((chosen.clone(), cost));
            return Ok(());
        };
        if most == 0 {
            return Ok(());
        }
        // The tests are in the order of their lengths.
        for at in holding(rarest).collect::<Vec<_>>() {
            let cost = cost + self.sets[at].1;
            if self.found.as_ref().is_some_and(|(_, least)| cost >= *least) {
                break;
            }
            let mut left = alive.clone();
            left.difference_with(self.sets[at].0);
            chosen.push(at);
            self.cover(&left, most - 1, chosen, cost)?;
            chosen.pop();
        }
        Ok(())
    }
}

/// Whether at most `most` of the sets cover `alive`; if so, their positions are in `chosen`.
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

impl<'a> JointSearch<'a> {
    /// A search with all mutants in the initial state of the specification.
    fn new(machine: &'a MutationMachine, mutants: &'a [Mutant]) -> Self {
        let initial = machine.initial();
        let start = Joint {
            right: initial,
            own: vec![initial.index() as u32; mutants.len()].into_boxed_slice(),
            from: None,
        };
        Self {
            machine,
            mutants,
            hopeful: vec![FxHashMap::default(); mutants.len()],
            known: FxHashSet::from_iter([(initial, start.own.clone())]),
            states: vec![start],
            best: Vec::new(),
        }
    }
    fn limit(&self, budget: &Budget) -> Option<StopReason> {
        let too_many = (self.states.len() > MOST_STATES).then_some(StopReason::States);
        budget.exceeded(0, 0).or(too_many)
    }
    /// Finds, short tests first, the sets of mutants that a test kills, except subsets of a set of a test that is no
    /// longer.
    fn explore_by_length(&mut self, budget: &Budget) -> Result<(), StopReason> {
        let mut at = 0;
        while at < self.states.len() {
            if let Some(reason) = self.limit(budget) {
                return Err(reason);
            }
            // Tests found later are no shorter than the known ones.
            if !self.is_pointless(&self.states[at].own) {
                for input in self.machine.inputs().ids() {
                    let next = self.after(at, input);
                    if self.known.insert((next.right, next.own.clone())) {
                        let killed = self.among(&next.own, |own| own == DEAD);
                        self.states.push(next);
                        if !self.best.iter().any(|best| killed.is_subset(&best.killed)) {
                            let at = self.states.len() - 1;
                            self.best.push(Best { killed, at });
                        }
                    }
                }
            }
            at += 1;
        }
        Ok(())
    }
    /// Finds the maximal sets of mutants that a test kills.
    fn explore(&mut self, budget: &Budget) -> Result<(), StopReason> {
        let mut stack = vec![0];
        while let Some(at) = stack.pop() {
            if let Some(reason) = self.limit(budget) {
                return Err(reason);
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
            // States with the most dead mutants first: a test that kills many mutants makes more of the remaining
            // search pointless.
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
            let pair = StatePair {
                right: expected.target,
                own: mine.target,
            };
            *own = if mine.output != expected.output {
                DEAD
            } else if self.is_hopeful(mutant, pair) {
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

    fn is_hopeful(&mut self, mutant: usize, pair: StatePair) -> bool {
        let (machine, mutants) = (self.machine, self.mutants);
        let found = || killing_sequence_from(machine, &mutants[mutant], pair).is_some();
        *self.hopeful[mutant].entry(pair).or_insert_with(found)
    }

    fn among(&self, own: &[u32], wanted: impl Fn(u32) -> bool) -> FixedBitSet {
        let mut found = FixedBitSet::with_capacity(own.len());
        found.extend((0..own.len()).filter(|mutant| wanted(own[*mutant])));
        found
    }

    /// Whether the mutants that can still be killed on this path are all killed by one known test.
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

//! Checking sequences (Hennie 1964) for a specification with a distinguishing sequence: one test without a reset,
//! passed only by machines that answer as the specification does, among all machines with at most as many states as it
//! has.
//!
//! The state of a machine that passes the test is known from its answers to the distinguishing sequence: it has no more
//! states than there are answers, so the same answers mean the same state, and the same inputs lead from there to the
//! same state.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

use crate::suites::reduced::{MOST_STATES, Reduced, test};
use crate::{InputId, MutationMachine, SuiteError};
use tamper_text::Budget;

/// A checking sequence for the specification of `machine` (restricted to its reachable, different states), by Hennie's
/// method; `None` if no word is answered differently by all of these states, or one of them cannot be reached from
/// another. Other checking sequences may exist.
///
/// # Errors
/// If the machine is too large, or a limit is hit; the budget's states are the sets of states visited in the search for
/// the word.
pub fn checking_sequence(machine: &MutationMachine, budget: &Budget) -> Result<Option<Vec<InputId>>, SuiteError> {
    let reduced = Reduced::of(machine);
    if reduced.n_states() > MOST_STATES {
        return Err(SuiteError::States(MOST_STATES));
    }
    let Some(word) = distinguishing(&reduced, budget)? else {
        return Ok(None);
    };
    let mut course = Course {
        reduced: &reduced,
        state: 0,
        is_known: false,
        known_ends: BTreeSet::new(),
        verified: BTreeSet::new(),
        inputs: Vec::new(),
    };
    // A machine of one state has an empty word: its transitions only have to be executed.
    let n_cells = reduced.n_states() * reduced.n_inputs;
    while course.verified.len() < n_cells || !course.is_known {
        if !course.is_known {
            course.look(&word);
            continue;
        }
        let Some(path) = course.to_unverified() else {
            return Ok(None);
        };
        course.inputs.extend(&path);
        let (state, input) = (
            reduced.after(course.state, &path[..path.len() - 1]),
            path[path.len() - 1],
        );
        course.state = reduced.next[reduced.cell(state, input)];
        course.look(&word);
        course.verified.insert(reduced.cell(state, input));
    }
    Ok(Some(test(&course.inputs)))
}

struct Course<'r> {
    reduced: &'r Reduced,
    /// The current state of the specification.
    state: u32,
    /// Whether every machine that passes so far is known to be in that state.
    is_known: bool,
    /// States for which the end of the distinguishing sequence is known.
    known_ends: BTreeSet<u32>,
    /// Transitions that every machine which passes has.
    verified: BTreeSet<usize>,
    inputs: Vec<u32>,
}

impl Course<'_> {
    /// Applies the distinguishing sequence, which identifies the current state; repeats it until the state after it is
    /// known.
    fn look(&mut self, word: &[u32]) {
        loop {
            let here = self.state;
            self.inputs.extend(word);
            self.state = self.reduced.after(here, word);
            if word.is_empty() || self.known_ends.contains(&here) {
                self.is_known = true;
                return;
            }
            // The answers that follow identify the state that the word leads to from `here`.
            self.known_ends.insert(here);
        }
    }
    /// A shortest word of verified transitions followed by an unverified one; `None` if no word leads to one.
    fn to_unverified(&self) -> Option<Vec<u32>> {
        let mut words = BTreeMap::from([(self.state, Vec::new())]);
        let mut agenda = VecDeque::from([self.state]);
        while let Some(state) = agenda.pop_front() {
            for input in self.reduced.inputs() {
                let (cell, word) = (self.reduced.cell(state, input), [&words[&state][..], &[input]].concat());
                if !self.verified.contains(&cell) {
                    return Some(word);
                }
                let next = self.reduced.next[cell];
                if let Entry::Vacant(new) = words.entry(next) {
                    new.insert(word);
                    agenda.push_back(next);
                }
            }
        }
        None
    }
}

/// A shortest word that all states answer differently.
fn distinguishing(reduced: &Reduced, budget: &Budget) -> Result<Option<Vec<u32>>, SuiteError> {
    // Sets of current states, one for each sequence of answers: the states that gave the same answers so far.
    let all: BTreeSet<u32> = (0..reduced.n_states() as u32).collect();
    let start = BTreeSet::from([all]);
    let mut known = BTreeSet::from([start.clone()]);
    let mut agenda = VecDeque::from([(start, Vec::new())]);
    while let Some((blocks, word)) = agenda.pop_front() {
        if blocks.iter().all(|block| block.len() == 1) {
            return Ok(Some(word));
        }
        for input in reduced.inputs() {
            let Some(next) = split(reduced, &blocks, input) else {
                continue;
            };
            if known.insert(next.clone()) {
                agenda.push_back((next, [&word[..], &[input]].concat()));
            }
        }
        let n_bytes = known.len() * reduced.n_states() * size_of::<u32>();
        if let Some(reason) = budget.exceeded(known.len() as u64, n_bytes as u64) {
            return Err(SuiteError::Stopped(reason));
        }
    }
    Ok(None)
}

/// The blocks after an input; `None` if it merges two states that were not told apart. Blocks of one state are dropped:
/// they are told apart for good.
fn split(reduced: &Reduced, blocks: &BTreeSet<BTreeSet<u32>>, input: u32) -> Option<BTreeSet<BTreeSet<u32>>> {
    let mut after = BTreeSet::new();
    for block in blocks.iter().filter(|block| block.len() > 1) {
        let mut parts: BTreeMap<u32, BTreeSet<u32>> = BTreeMap::new();
        for state in block {
            let cell = reduced.cell(*state, input);
            if !parts
                .entry(reduced.output[cell])
                .or_default()
                .insert(reduced.next[cell])
            {
                return None;
            }
        }
        after.extend(parts.into_values().filter(|part| part.len() > 1));
    }
    Some(after)
}

#[cfg(test)]
mod tests;

//! Suites that identify the specification among all machines with a certain number of states: every machine that passes
//! answers as the specification does, whatever combination of wrong outputs, wrong targets and additional states it
//! might have. After the method of harmonised state identifiers (HSI): a test goes to a state, continues with any word
//! of inputs up to a length, and ends with words that tell the reached state from all others; every two states are told
//! apart by a word that they have in common.

use crate::suites::reduced::{Apart, MOST_STATES, Reduced, test};
use crate::{InputId, MutationMachine};
use tamper_text::{Budget, StopReason};

/// The reason why a suite is not made.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SuiteError {
    /// The specification has more states (that are reachable and differ) than this.
    #[error("suites are made for machines of up to {0} states")]
    States(usize),
    /// The machine has more mutants than this.
    #[error("suites are made for up to {0} mutants of one fault")]
    Mutants(usize),
    /// The tests have more inputs in all than this.
    #[error("suites are made of up to {0} inputs in all")]
    Inputs(usize),
    /// A limit was hit: the states of the budget are the inputs of the tests.
    #[error("stopped: {0}")]
    Stopped(StopReason),
}

/// The largest number of inputs of a suite, in all.
pub const MOST_INPUTS: usize = 50_000_000;

/// The number of states of the specification of `machine` that are reachable and differ.
pub fn differing_states(machine: &MutationMachine) -> usize {
    Reduced::of(machine).n_states()
}

/// A suite for the specification of `machine`, with n states that are reachable and differ: a machine with at most
/// n + `extra` states passes it only if it answers every word as the specification does.
///
/// # Errors
/// If the machine is too large, or a limit is hit.
pub fn identifying_suite(
    machine: &MutationMachine,
    extra: usize,
    budget: &Budget,
) -> Result<Vec<Vec<InputId>>, SuiteError> {
    suite(machine, extra, budget, identifiers)
}

/// A suite with the same property by the W-method (Chow 1978): every state is told from all others by one set of words.
///
/// # Errors
/// If the machine is too large, or a limit is hit.
pub fn w_method(machine: &MutationMachine, extra: usize, budget: &Budget) -> Result<Vec<Vec<InputId>>, SuiteError> {
    suite(machine, extra, budget, |reduced| {
        let own = identifiers(reduced);
        let all: std::collections::BTreeSet<Vec<u32>> = own.iter().flatten().cloned().collect();
        vec![all.into_iter().collect(); own.len()]
    })
}

fn suite(
    machine: &MutationMachine,
    extra: usize,
    budget: &Budget,
    identifiers: impl Fn(&Reduced) -> Vec<Vec<Vec<u32>>>,
) -> Result<Vec<Vec<InputId>>, SuiteError> {
    let reduced = Reduced::of(machine);
    if reduced.n_states() > MOST_STATES {
        return Err(SuiteError::States(MOST_STATES));
    }
    let identifiers = identifiers(&reduced);
    let mut words: Vec<Vec<u32>> = Vec::new();
    let mut n_symbols = 0;
    for state in 0..reduced.n_states() as u32 {
        let access = reduced.access(state);
        let n_access = access.len();
        // Each waiting word becomes at least one test, which is no shorter.
        let mut n_waiting = n_access;
        let mut waiting = vec![access];
        while let Some(middle) = waiting.pop() {
            n_waiting -= middle.len();
            let reached = reduced.after(0, &middle);
            for identifier in &identifiers[reached as usize] {
                n_symbols += middle.len() + identifier.len();
                words.push([&middle[..], identifier].concat());
            }
            if middle.len() - n_access <= extra {
                n_waiting += reduced.n_inputs * (middle.len() + 1);
                waiting.extend(reduced.inputs().map(|input| [&middle[..], &[input]].concat()));
            }
            let n_inputs = n_symbols + n_waiting;
            let n_bytes = size_of::<u32>() * n_inputs + size_of::<Vec<u32>>() * (words.len() + waiting.len());
            if let Some(reason) = budget.exceeded(n_inputs as u64, n_bytes as u64) {
                return Err(SuiteError::Stopped(reason));
            }
            if n_inputs > MOST_INPUTS {
                return Err(SuiteError::Inputs(MOST_INPUTS));
            }
        }
    }
    Ok(without_beginnings(words).iter().map(|word| test(word)).collect())
}

/// The words that are not prefixes of others, short ones first.
fn without_beginnings(mut words: Vec<Vec<u32>>) -> Vec<Vec<u32>> {
    words.sort();
    words.dedup();
    let is_kept: Vec<bool> = (0..words.len())
        .map(|at| words.get(at + 1).is_none_or(|next| !next.starts_with(&words[at])))
        .collect();
    let mut kept: Vec<Vec<u32>> = words
        .into_iter()
        .zip(is_kept)
        .filter(|(word, is_kept)| *is_kept && !word.is_empty())
        .map(|(word, _)| word)
        .collect();
    kept.sort_by_key(Vec::len);
    kept
}

/// By state: words that tell it from all others. Every two states have a word in common that tells them apart. Not
/// empty, so that a transition's own output is also seen in a machine with one state.
fn identifiers(reduced: &Reduced) -> Vec<Vec<Vec<u32>>> {
    let apart = Apart::of(reduced);
    let mut identifiers: Vec<Vec<Vec<u32>>> = vec![Vec::new(); reduced.n_states()];
    let mut blocks: Vec<Vec<u32>> = vec![(0..reduced.n_states() as u32).collect()];
    while let Some(block) = blocks.pop() {
        if block.len() == 1 {
            continue;
        }
        let word = splitter(reduced, &apart, &block);
        let mut parts: std::collections::BTreeMap<Vec<u32>, Vec<u32>> = std::collections::BTreeMap::new();
        for state in block {
            identifiers[state as usize].push(word.clone());
            parts.entry(reduced.answers(state, &word)).or_default().push(state);
        }
        blocks.extend(parts.into_values());
    }
    for own in &mut identifiers {
        if own.is_empty() {
            own.push(Vec::new());
        }
    }
    identifiers
}

/// The number of words tried before one is chosen to split a block.
const TRIED: usize = 32;

/// The word with the smallest largest part, out of words that tell the first state of `block` from another one.
fn splitter(reduced: &Reduced, apart: &Apart, block: &[u32]) -> Vec<u32> {
    let stride = block.len().div_ceil(TRIED);
    let words = block[1..]
        .iter()
        .step_by(stride)
        .map(|other| apart.word(reduced, block[0], *other));
    let largest_part = |word: &Vec<u32>| {
        let mut answers: Vec<Vec<u32>> = block.iter().map(|state| reduced.answers(*state, word)).collect();
        answers.sort();
        answers.chunk_by(|a, b| a == b).map(<[_]>::len).max()
    };
    words
        .min_by_key(|word| (largest_part(word), word.len()))
        .unwrap_or_default()
}

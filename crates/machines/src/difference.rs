//! Compares two machines by their answers: only the specifications, which are complete and deterministic, so that
//! refinement is equality of the answers to every word.

use std::collections::BTreeMap;

use rustc_hash::FxHashSet;

use super::trail::{self, Predecessor};
use super::{InputId, MutationMachine, OutputId, StateId};
use tamper_text::{Budget, Id, StopReason};

/// A word that two machines answer differently, with the last answer as the first difference.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Difference {
    /// The names of the inputs of the word.
    pub inputs: Vec<String>,
    /// The answers of the left machine.
    pub left: Vec<String>,
    /// The answers of the right machine.
    pub right: Vec<String>,
}

/// The reason why machines are not compared.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Incomparable {
    /// The inputs that only the left machine has, and the inputs that only the right one has.
    #[error("machines with other inputs are not compared: {}", sides(.0, .1))]
    Inputs(Vec<String>, Vec<String>),
    /// A limit was hit: the states are pairs of states.
    #[error("stopped: {0}")]
    Stopped(StopReason),
}

/// The shortest word that tells the specifications apart, the least one in the order of the inputs' names; `None` if
/// they answer every word alike. Visits each pair of states at most once.
///
/// # Errors
/// If the machines have different inputs, or a limit is hit.
pub fn difference(
    left: &MutationMachine,
    right: &MutationMachine,
    budget: &Budget,
) -> Result<Option<Difference>, Incomparable> {
    let inputs = common_inputs(left, right)?;
    let mut agenda: Vec<(ComparedStates, Predecessor<usize>)> = vec![((left.initial(), right.initial()), None)];
    let mut known: FxHashSet<ComparedStates> = agenda.iter().map(|(pair, _)| *pair).collect();
    let outputs = same_outputs(left, right);
    let mut at = 0;
    while at < agenda.len() {
        if let Some(reason) = budget.exceeded(agenda.len() as u64, 0) {
            return Err(Incomparable::Stopped(reason));
        }
        let (from, _) = agenda[at];
        for (number, (mine, other)) in inputs.iter().enumerate() {
            let (own, theirs) = (left.unaltered(from.0, *mine), right.unaltered(from.1, *other));
            if outputs[own.output.index()] != Some(theirs.output) {
                let mut numbers = trail::word(at, |at| agenda[at].1);
                numbers.push(number);
                let word = |side: fn(&(InputId, InputId)) -> InputId| -> Vec<InputId> {
                    numbers.iter().map(|number| side(&inputs[*number])).collect()
                };
                let (word, same) = (word(|pair| pair.0), word(|pair| pair.1));
                return Ok(Some(Difference {
                    inputs: word.iter().map(|input| left.inputs()[*input].clone()).collect(),
                    left: left.answers(&word),
                    right: right.answers(&same),
                }));
            }
            let next = (own.target, theirs.target);
            if known.insert(next) {
                agenda.push((next, Some((at, number))));
            }
        }
        at += 1;
    }
    Ok(None)
}

type ComparedStates = (StateId, StateId);

/// Each input by its ids on both sides, in the order of names.
pub(super) fn common_inputs(
    left: &MutationMachine,
    right: &MutationMachine,
) -> Result<Vec<(InputId, InputId)>, Incomparable> {
    let named = |machine: &MutationMachine| -> BTreeMap<String, InputId> {
        let inputs = machine.inputs().iter_enumerated();
        inputs.map(|(id, name)| (name.clone(), id)).collect()
    };
    let (own, theirs) = (named(left), named(right));
    let only = |some: &BTreeMap<String, InputId>, others: &BTreeMap<String, InputId>| -> Vec<String> {
        some.keys()
            .filter(|name| !others.contains_key(*name))
            .cloned()
            .collect()
    };
    let (only_left, only_right) = (only(&own, &theirs), only(&theirs, &own));
    match only_left.is_empty() && only_right.is_empty() {
        true => Ok(own.into_values().zip(theirs.into_values()).collect()),
        false => Err(Incomparable::Inputs(only_left, only_right)),
    }
}

/// By output of the left machine: the output of the right machine with the same name.
fn same_outputs(left: &MutationMachine, right: &MutationMachine) -> Vec<Option<OutputId>> {
    let outputs = right.outputs();
    let theirs: BTreeMap<&str, OutputId> = outputs.ids().map(|id| (outputs[id].as_str(), id)).collect();
    let outputs = left.outputs().iter();
    outputs.map(|name| theirs.get(name.as_str()).copied()).collect()
}

/// The inputs that one side lacks, the first five of each.
fn sides(left: &[String], right: &[String]) -> String {
    let sides = [("left", left), ("right", right)]
        .into_iter()
        .filter(|(_, names)| !names.is_empty());
    let sides = sides.map(|(side, names)| {
        let shown: Vec<String> = names.iter().take(5).map(|name| format!("`{name}`")).collect();
        let more = if names.len() > shown.len() { ", …" } else { "" };
        format!("only the {side} one has {}{more}", shown.join(", "))
    });
    sides.collect::<Vec<_>>().join(", ")
}

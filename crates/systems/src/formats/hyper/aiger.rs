//! A deterministic mutant beside its deterministic specification as one circuit whose output is true when their outputs
//! differ (ASCII AIGER 1.9).
//!
//! Initial states have the number 0, with which latches start. An input number without an input takes both systems back
//! to their initial states, which shows nothing new.

use super::circuit::{AndInverterGraph, bits};
use crate::{InputId, Pair, StateId, TransitionSystem};
use tamper_text::Id;

/// One of the systems has choices, which a circuit cannot have.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("a circuit has no choices: the mutant or the specification has some")]
pub struct NotDeterministic;

/// The circuit; its output is 1 exactly in steps in which the outputs differ, or always if the outputs before the first
/// step differ.
///
/// # Errors
/// One of the systems is not deterministic.
pub fn write_miter(pair: &Pair) -> Result<String, NotDeterministic> {
    let systems = [pair.mutant(), pair.specification()];
    if systems.iter().any(|system| !system.is_deterministic()) {
        return Err(NotDeterministic);
    }
    let mut circuit = AndInverterGraph::default();
    let inputs = circuit.variables(bits(pair.inputs().len()));
    let latches = systems.map(|system| circuit.variables(bits(system.n_states())));
    let choices: Vec<u32> = (0..pair.inputs().len())
        .map(|number| circuit.is(&inputs, number))
        .collect();
    let n_outputs = bits(pair.outputs().len());
    let mut next = Vec::new();
    let mut seen = Vec::new();
    for (system, latches) in systems.iter().zip(&latches) {
        let (targets, outputs) = circuit.steps(system, latches, &choices, n_outputs);
        next.extend(targets);
        seen.push(outputs);
    }
    let differ: Vec<u32> = (0..n_outputs)
        .map(|bit| circuit.differ(seen[0][bit], seen[1][bit]))
        .collect();
    // Different first outputs are a difference before the first step.
    let starts = systems.map(|system| system.starts().keys().next());
    let bad = if starts[0] == starts[1] {
        circuit.any(&differ)
    } else {
        1
    };
    let inputs = inputs
        .iter()
        .enumerate()
        .map(|(bit, input)| (*input, format!("input{bit}")));
    let latches: Vec<(u32, u32)> = latches.iter().flatten().copied().zip(next).collect();
    Ok(circuit.text(&inputs.collect::<Vec<_>>(), &latches, &[(bad, "differ".to_owned())]))
}

impl AndInverterGraph {
    /// The bits of the state after a step, and the bits of its output.
    fn steps(
        &mut self,
        system: &TransitionSystem,
        latches: &[u32],
        choices: &[u32],
        n_outputs: usize,
    ) -> (Vec<u32>, Vec<u32>) {
        // The initial state and state 0 are swapped.
        let start = system.initial()[0].index();
        let number = |state: StateId| match state.index() {
            0 => start,
            state if state == start => 0,
            state => state,
        };
        let mut targets: Vec<Vec<u32>> = vec![Vec::new(); latches.len()];
        let mut outputs: Vec<Vec<u32>> = vec![Vec::new(); n_outputs];
        for state in (0..system.n_states()).map(StateId::from_index) {
            let here = self.is(latches, number(state));
            for (input, choice) in choices.iter().enumerate() {
                let cell = self.and(here, *choice);
                let step = system.steps(state, InputId::from_index(input))[0];
                let set = |bits: &mut Vec<Vec<u32>>, number: usize| {
                    let set = bits.iter_mut().enumerate().filter(|(bit, _)| number >> bit & 1 == 1);
                    set.for_each(|(_, cells)| cells.push(cell));
                };
                set(&mut targets, number(step.target));
                set(&mut outputs, step.output.index());
            }
        }
        let mut any = |cells: Vec<Vec<u32>>| cells.iter().map(|cells| self.any(cells)).collect();
        (any(targets), any(outputs))
    }
}

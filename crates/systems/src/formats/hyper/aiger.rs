//! A deterministic mutant beside its deterministic specification as one circuit whose output is true when their outputs differ
//! (ASCII AIGER 1.9).
//!
//! Initial states have the number 0, with which latches start. A number of an input that there is none of takes both systems
//! back to their initial states, which shows nothing new.

use std::fmt::Write as _;

use rustc_hash::FxHashMap;

use crate::{InputId, Pair, StateId, TransitionSystem};
use tamper_text::Id;

/// One of the systems has choices: a circuit has none.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("a circuit has no choices: the mutant or the specification has some")]
pub struct NotDeterministic;

/// The circuit; its output is 1 exactly in steps in which the outputs differ, or always where they differ before the first.
///
/// # Errors
/// One of the systems is not deterministic.
pub fn write_miter(pair: &Pair) -> Result<String, NotDeterministic> {
    let systems = [pair.mutant(), pair.specification()];
    if systems.iter().any(|system| !system.is_deterministic()) {
        return Err(NotDeterministic);
    }
    let mut circuit = Circuit::default();
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
    // Other first outputs are a difference before the first step.
    let starts = systems.map(|system| system.starts().keys().next());
    let bad = if starts[0] == starts[1] {
        circuit.any(&differ)
    } else {
        1
    };
    let (n_inputs, n_latches, n_ands) = (inputs.len(), next.len(), circuit.ands.len());
    let mut text = format!("aag {} {n_inputs} {n_latches} 1 {n_ands}\n", circuit.n_variables);
    for input in &inputs {
        let _ = writeln!(text, "{input}");
    }
    for (latch, next) in latches.iter().flatten().zip(next) {
        let _ = writeln!(text, "{latch} {next}");
    }
    let _ = writeln!(text, "{bad}");
    for (and, left, right) in &circuit.ands {
        let _ = writeln!(text, "{and} {left} {right}");
    }
    for (bit, _) in inputs.iter().enumerate() {
        let _ = writeln!(text, "i{bit} input{bit}");
    }
    text.push_str("o0 differ\n");
    Ok(text)
}

fn bits(n: usize) -> usize {
    (usize::BITS - n.saturating_sub(1).leading_zeros()) as usize
}

/// Literals are twice a variable, odd where it is negated; 0 is false, 1 is true.
#[derive(Default)]
struct Circuit {
    n_variables: u32,
    ands: Vec<(u32, u32, u32)>,
    known: FxHashMap<(u32, u32), u32>,
}

impl Circuit {
    fn variables(&mut self, n: usize) -> Vec<u32> {
        let fresh = |_| {
            self.n_variables += 1;
            2 * self.n_variables
        };
        (0..n).map(fresh).collect()
    }
    fn and(&mut self, left: u32, right: u32) -> u32 {
        match (left.min(right), left.max(right)) {
            (0, _) => 0,
            (1, other) => other,
            (left, right) if left == right => left,
            (left, right) if left ^ 1 == right => 0,
            (left, right) => {
                if let Some(known) = self.known.get(&(right, left)) {
                    return *known;
                }
                self.n_variables += 1;
                let and = 2 * self.n_variables;
                self.ands.push((and, right, left));
                self.known.insert((right, left), and);
                and
            }
        }
    }
    fn all(&mut self, literals: &[u32]) -> u32 {
        literals.iter().fold(1, |all, literal| self.and(all, *literal))
    }
    fn any(&mut self, literals: &[u32]) -> u32 {
        let negated: Vec<u32> = literals.iter().map(|literal| literal ^ 1).collect();
        self.all(&negated) ^ 1
    }
    fn differ(&mut self, left: u32, right: u32) -> u32 {
        let (one, other) = (self.and(left, right ^ 1), self.and(left ^ 1, right));
        self.any(&[one, other])
    }
    /// Whether the bits are those of `number`.
    fn is(&mut self, bits: &[u32], number: usize) -> u32 {
        let literals = bits
            .iter()
            .enumerate()
            .map(|(bit, literal)| literal ^ u32::from(number >> bit & 1 == 0));
        let literals: Vec<u32> = literals.collect();
        self.all(&literals)
    }
    /// The bits of the state after a step, and those of its output.
    fn steps(
        &mut self,
        system: &TransitionSystem,
        latches: &[u32],
        choices: &[u32],
        n_outputs: usize,
    ) -> (Vec<u32>, Vec<u32>) {
        // The initial state changes places with state 0.
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

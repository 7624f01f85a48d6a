//! The distinguishing automaton of specification and mutation machine (\[000\] Definition 2).

use std::collections::{BTreeMap, VecDeque};

use super::{InputId, MutationMachine, StateId};

/// A state of the specification and one of the mutation machine.
type DistinguishingState = (StateId, StateId);
/// By pair: the steps as an input and the next pair; `None` is the sink.
type DistinguishingSteps = BTreeMap<DistinguishingState, Vec<(InputId, Option<DistinguishingState>)>>;

/// The automaton: its states are the pairs (specification, mutation machine) that gave the same answers so far, and the
/// sink.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DistinguishingAutomaton {
    steps: DistinguishingSteps,
    to_sink: Option<Vec<InputId>>,
}

impl DistinguishingAutomaton {
    /// Builds the automaton that accepts the killing words of `machine`.
    pub fn of(machine: &MutationMachine) -> Self {
        let start = (machine.initial(), machine.initial());
        let mut steps = BTreeMap::new();
        let mut to_sink = None;
        let mut words = BTreeMap::from([(start, Vec::new())]);
        let mut agenda = VecDeque::from([start]);
        while let Some(pair) = agenda.pop_front() {
            let word: Vec<InputId> = words[&pair].clone();
            let with = |input| word.iter().copied().chain([input]).collect::<Vec<_>>();
            let mut out = Vec::new();
            for input in machine.inputs().ids() {
                let expected = machine.unaltered(pair.0, input);
                for branch in machine.branches(pair.1, input) {
                    let own = branch.transition;
                    let next = (own.output == expected.output).then_some((expected.target, own.target));
                    if out.contains(&(input, next)) {
                        continue;
                    }
                    out.push((input, next));
                    match next {
                        None if to_sink.is_none() => to_sink = Some(with(input)),
                        Some(next) if !words.contains_key(&next) => {
                            words.insert(next, with(input));
                            agenda.push_back(next);
                        }
                        _ => {}
                    }
                }
            }
            steps.insert(pair, out);
        }
        Self { steps, to_sink }
    }

    /// Its states except the sink, each with its steps: an input, and the next pair, or `None` for the sink.
    pub fn steps(&self) -> &BTreeMap<DistinguishingState, Vec<(InputId, Option<DistinguishingState>)>> {
        &self.steps
    }
    /// A shortest sequence to the sink; `None` if every mutant conforms (\[000\] Theorem 1).
    pub fn to_sink(&self) -> Option<&[InputId]> {
        self.to_sink.as_deref()
    }
    /// Whether some execution of the mutation machine gives a wrong answer to `inputs`.
    pub fn accepts(&self, machine: &MutationMachine, inputs: &[InputId]) -> bool {
        let mut pairs = vec![(machine.initial(), machine.initial())];
        for input in inputs {
            let mut next = Vec::new();
            for pair in &pairs {
                for (_, to) in self.steps[pair].iter().filter(|(on, _)| on == input) {
                    match to {
                        None => return true,
                        Some(pair) if !next.contains(pair) => next.push(*pair),
                        Some(_) => {}
                    }
                }
            }
            pairs = next;
        }
        false
    }
}

//! D(S) of \[004\] section 5.1: a system and its mutant with all choices as inputs.
//!
//! Every choice that one of the two has between steps becomes a number `nd` that the environment gives with the input.
//! It means the same step in both systems; a system that lacks the step answers with [`ABSENT`], an output that is not
//! used otherwise, and follows the step. The paper uses the empty output here: then Proposition 9(3), by which two
//! systems are equivalent if their D are, is wrong for mutants that add the empty output. Both results are
//! deterministic.

use std::collections::BTreeMap;

use super::explore::{ExploreError, ExploredStep, Explorer, Missing};
use super::program::Program;
use super::{Builder, InputId, OutputId, StateId, Step, TransitionSystem};
use tamper_text::{Budget, Id};

/// The answer that stands for a missing step; no value of a variable has this spelling.
const ABSENT: &str = "(absent)";
/// The prefix of the outputs of the step that chooses an initial state.
const STARTS: &str = "(start)";

/// Steps of the specification and of the mutant for one input.
type Ways = [Vec<ExploredStep>; 2];

/// The steps of both systems, from all valuations that some choice leads to.
struct ExploredPair {
    /// By valuation and input.
    ways: Vec<Vec<Ways>>,
    initial: [Vec<usize>; 2],
    /// By initial valuation: its output before any input.
    first: [BTreeMap<usize, String>; 2],
    inputs: Vec<String>,
    /// The largest number of steps to choose among.
    most: usize,
}

/// D of the two programs, which have the same variables; the specification's first.
///
/// # Errors
/// As [`explore`](super::explore).
pub fn controllable(
    specification: &Program,
    mutant: &Program,
    budget: &Budget,
) -> Result<[TransitionSystem; 2], ExploreError> {
    let both = ExploredPair::explore([specification, mutant], budget)?;
    Ok([both.side(0)?, both.side(1)?])
}

impl ExploredPair {
    fn explore(programs: [&Program; 2], budget: &Budget) -> Result<Self, ExploreError> {
        let [specification, mutant] = programs;
        let explorers = [
            Explorer::new(specification, Missing::Refuse)?,
            Explorer::new(mutant, Missing::Refuse)?,
        ];
        let mut valuations = Valuations::default();
        let mut initial = [Vec::new(), Vec::new()];
        let mut first = [BTreeMap::new(), BTreeMap::new()];
        for ((explorer, initial), first) in explorers.iter().zip(&mut initial).zip(&mut first) {
            for values in explorer.initial_valuations()? {
                let seen = explorer.seen_first(&values)?;
                let number = valuations.number(values);
                initial.push(number);
                first.insert(number, seen);
            }
        }
        let mut both = Self {
            ways: Vec::new(),
            initial,
            first,
            inputs: explorers[0].input_names(),
            most: 1,
        };
        while let Some(values) = valuations.listed.get(both.ways.len()).cloned() {
            let mut row = Vec::new();
            for input in 0..both.inputs.len() {
                let [own, changed] = [&explorers[0], &explorers[1]].map(|explorer| explorer.steps(&values, input));
                let (own, changed) = match (own, changed) {
                    // A gap in one system is allowed if the other one has a step.
                    (Err(error), Ok(steps)) if !steps.is_empty() && error.is_gap() => (Vec::new(), steps),
                    (Ok(steps), Err(error)) if !steps.is_empty() && error.is_gap() => (steps, Vec::new()),
                    (own, changed) => (own?, changed?),
                };
                let mut number = |steps: Vec<(String, Vec<i64>)>| -> Vec<ExploredStep> {
                    let ways = steps.into_iter().map(|(seen, next)| (seen, valuations.number(next)));
                    let mut ways: Vec<ExploredStep> = ways.collect();
                    ways.sort();
                    ways.dedup();
                    ways
                };
                let ways = [number(own), number(changed)];
                both.most = both.most.max(together(&ways).len());
                row.push(ways);
            }
            both.ways.push(row);
            let n_states = both.ways.len() as u64;
            if let Some(reason) = budget.exceeded(n_states, n_states * 64 * both.inputs.len() as u64) {
                return Err(ExploreError::Limit(reason));
            }
        }
        both.most = both.most.max(both.starts().len());
        Ok(both)
    }

    /// The initial valuations of both systems.
    fn starts(&self) -> Vec<usize> {
        let mut starts = self.initial.concat();
        starts.sort_unstable();
        starts.dedup();
        starts
    }

    /// D of one of the two systems.
    fn side(&self, side: usize) -> Result<TransitionSystem, ExploreError> {
        let (most, starts) = (self.most, self.starts());
        let names = self.inputs.iter().flat_map(|input| {
            (0..most).map(move |number| match most {
                1 => input.clone(),
                _ => format!("{input} nd={number}"),
            })
        });
        let mut builder = Builder::new(names.collect(), Vec::new());
        let states: Vec<StateId> = self.ways.iter().map(|_| builder.state()).collect();
        let mut outputs: BTreeMap<String, OutputId> = BTreeMap::new();
        let mut output = |builder: &mut Builder, name: &str| {
            *outputs
                .entry(name.to_owned())
                .or_insert_with(|| builder.output(name.to_owned()))
        };
        for (state, row) in states.iter().zip(&self.ways) {
            for (input, ways) in row.iter().enumerate() {
                let all = together(ways);
                for number in 0..most {
                    let chosen = &all[number % all.len()];
                    let is_there = ways[side].contains(chosen);
                    let (seen, target) = match ways {
                        // No choice: the only step, for every number.
                        [own, changed] if own.len() == 1 && changed.len() == 1 => {
                            let (seen, target) = &ways[side][0];
                            (seen.as_str(), *target)
                        }
                        _ => (if is_there { &chosen.0 } else { ABSENT }, chosen.1),
                    };
                    let output = output(&mut builder, seen);
                    let target = states[target];
                    builder.add(
                        *state,
                        InputId::from_index(input * most + number),
                        Step { output, target },
                    );
                }
            }
        }
        match starts.as_slice() {
            [only] => builder.start_with(states[*only], self.first[side][only].clone()),
            _ => {
                let first = builder.state();
                for input in 0..self.inputs.len() * most {
                    let chosen = starts[input % most % starts.len()];
                    let seen = match self.first[side].get(&chosen) {
                        Some(seen) => format!("{STARTS} {seen}"),
                        None => ABSENT.to_owned(),
                    };
                    let output = output(&mut builder, &seen);
                    let target = states[chosen];
                    builder.add(first, InputId::from_index(input), Step { output, target });
                }
                builder.start(first);
            }
        }
        Ok(builder.finish()?)
    }
}

fn together(ways: &Ways) -> Vec<ExploredStep> {
    let mut all = ways.concat();
    all.sort();
    all.dedup();
    all
}

#[derive(Default)]
struct Valuations {
    listed: Vec<Vec<i64>>,
    numbers: BTreeMap<Vec<i64>, usize>,
}

impl Valuations {
    fn number(&mut self, values: Vec<i64>) -> usize {
        let next = self.listed.len();
        let number = *self.numbers.entry(values.clone()).or_insert(next);
        if number == next {
            self.listed.push(values);
        }
        number
    }
}

//! \[004\] Definition 3: is some run of the mutant none of the specification?
//!
//! Breadth first over a state of the mutant and the set of states the specification can be in after the same inputs and
//! outputs; a kill where the set is empty. A set that holds one met earlier with the same state leads to nothing shorter,
//! and one that holds a state which simulates the mutant's leads to nothing.

use rustc_hash::FxHashMap;

use super::antichain::{Antichain, Set, set_of};
use super::lasting::{Lasting, Rule};
use super::{Decision, InputId, OutputId, Pair, Run, StateId, TransitionSystem};
use crate::base::{Budget, Id, StopReason};

/// How a node was reached: from which one, on what, with what output.
type Before = Option<(usize, InputId, OutputId)>;

/// The nodes that were met: a state of the mutant and the states of the specification beside it.
struct Search<'p> {
    simulated: Lasting<'p>,
    budget: &'p Budget,
    met: FxHashMap<StateId, Antichain>,
    nodes: Vec<(StateId, Set, Before)>,
    bytes: u64,
}

impl Search<'_> {
    fn add(&mut self, own: StateId, others: &Set, before: Before) -> Result<(), StopReason> {
        if self.met.entry(own).or_default().is_covered(others) {
            return Ok(());
        }
        for other in others {
            if self.simulated.holds((own, StateId::from_index(*other as usize)))? {
                return Ok(());
            }
        }
        self.bytes += 2 * (64 + 4 * others.len() as u64);
        self.nodes.push((own, others.clone(), before));
        match self.budget.exceeded(self.nodes.len() as u64, self.bytes) {
            Some(reason) => Err(reason),
            None => Ok(()),
        }
    }
    fn run_to(&self, mut last: Before) -> Run {
        let mut run = Run {
            inputs: Vec::new(),
            outputs: Vec::new(),
        };
        while let Some((at, input, output)) = last {
            run.inputs.push(input);
            run.outputs.push(output);
            last = self.nodes[at].2;
        }
        run.inputs.reverse();
        run.outputs.reverse();
        run
    }
}

pub(super) fn potential(pair: &Pair, budget: &Budget) -> Decision<Run> {
    match search(pair, budget) {
        Ok(Some(run)) => Decision::Yes(run),
        Ok(None) => Decision::No,
        Err(reason) => Decision::Unknown(reason),
    }
}

fn search(pair: &Pair, budget: &Budget) -> Result<Option<Run>, StopReason> {
    let mut search = Search {
        simulated: Lasting::new(pair, Rule::Simulated, budget),
        budget,
        met: FxHashMap::default(),
        nodes: Vec::new(),
        bytes: 0,
    };
    let start = initial(pair.specification());
    for own in pair.mutant().initial() {
        search.add(*own, &start, None)?;
    }
    let mut at = 0;
    while at < search.nodes.len() {
        for input in pair.inputs().ids() {
            let (own, others, _) = &search.nodes[at];
            let (own, answers) = (*own, answers(pair.specification(), others, input));
            for step in pair.mutant().steps(own, input) {
                let before = Some((at, input, step.output));
                match answers.get(&step.output) {
                    None => return Ok(Some(search.run_to(before))),
                    Some(others) => search.add(step.target, others, before)?,
                }
            }
        }
        at += 1;
    }
    Ok(None)
}

/// The states that a run can start in.
pub(super) fn initial(system: &TransitionSystem) -> Set {
    set_of(system.initial().iter().map(|state| state.index() as u32).collect())
}

/// By output: the states that `states` can be in after it.
pub(super) fn answers(system: &TransitionSystem, states: &[u32], input: InputId) -> FxHashMap<OutputId, Set> {
    let mut answers: FxHashMap<OutputId, Vec<u32>> = FxHashMap::default();
    for state in states {
        for step in system.steps(StateId::from_index(*state as usize), input) {
            answers.entry(step.output).or_default().push(step.target.index() as u32);
        }
    }
    answers
        .into_iter()
        .map(|(output, states)| (output, set_of(states)))
        .collect()
}

//! Decides whether a mutant is killed potentially (\[004\] Definition 3): does the specification lack some run of the
//! mutant?
//!
//! Searches breadth first over a state of the mutant and the set of states the specification can be in after the same
//! inputs and outputs; an empty set is a kill. A superset of a set met earlier with the same state leads to nothing
//! shorter, and a set with a state that simulates the mutant's leads to no kill.

use rustc_hash::FxHashMap;

use super::antichain::{Antichain, NumberSet, set_of};
use super::lasting::{FixpointRelation, Lasting};
use super::pair::tells;
use super::{Decision, InputId, OutputId, Pair, Run, StateId, TransitionSystem};
use tamper_text::{Budget, Id, StopReason};

/// The step that reached a node: its predecessor, the input and the output.
type RunPredecessor = Option<(usize, InputId, OutputId)>;

/// The nodes met so far: a state of the mutant with the states of the specification beside it.
struct KillSearch<'p> {
    simulated: Lasting<'p>,
    budget: &'p Budget,
    met: FxHashMap<StateId, Antichain>,
    nodes: Vec<(StateId, NumberSet, RunPredecessor)>,
    bytes: u64,
}

impl KillSearch<'_> {
    fn add(&mut self, own: StateId, others: &NumberSet, before: RunPredecessor) -> Result<(), StopReason> {
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
    /// The run to `last`, including its initial state.
    fn run_to(&self, mut last: RunPredecessor) -> (StateId, Run) {
        let mut run = Run {
            first: None,
            inputs: Vec::new(),
            outputs: Vec::new(),
        };
        let mut start = StateId::from_index(0);
        while let Some((at, input, output)) = last {
            run.inputs.push(input);
            run.outputs.push(output);
            (start, last) = (self.nodes[at].0, self.nodes[at].2);
        }
        run.inputs.reverse();
        run.outputs.reverse();
        (start, run)
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
    let mut search = KillSearch {
        simulated: Lasting::new(pair, FixpointRelation::Simulated, budget),
        budget,
        met: FxHashMap::default(),
        nodes: Vec::new(),
        bytes: 0,
    };
    let starts = pair.starts();
    for start in &starts {
        if start.others.is_empty() {
            return Ok(Some(Run {
                first: Some(start.seen.clone()),
                inputs: Vec::new(),
                outputs: Vec::new(),
            }));
        }
        for own in &start.own {
            search.add(StateId::from_index(*own as usize), &start.others, None)?;
        }
    }
    let first_of = |state: StateId| {
        let holds = |own: &u32| *own as usize == state.index();
        let start = starts.iter().find(|start| start.own.iter().any(holds));
        start.filter(|_| tells(&starts)).map(|start| start.seen.clone())
    };
    let mut at = 0;
    while at < search.nodes.len() {
        for input in pair.inputs().ids() {
            let (own, others, _) = &search.nodes[at];
            let (own, answers) = (*own, answers(pair.specification(), others, input));
            for step in pair.mutant().steps(own, input) {
                let before = Some((at, input, step.output));
                match answers.get(&step.output) {
                    None => {
                        let (start, run) = search.run_to(before);
                        let first = first_of(start);
                        return Ok(Some(Run { first, ..run }));
                    }
                    Some(others) => search.add(step.target, others, before)?,
                }
            }
        }
        at += 1;
    }
    Ok(None)
}

/// By output: the states after it, from any of `states`.
pub(super) fn answers(system: &TransitionSystem, states: &[u32], input: InputId) -> FxHashMap<OutputId, NumberSet> {
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

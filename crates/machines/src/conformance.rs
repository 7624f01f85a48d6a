//! Decides whether one mutant conforms: finds a killing sequence, or all mutants that conform for the same reason.

use std::collections::VecDeque;

use rustc_hash::FxHashSet;

use super::trail::{self, Predecessor};
use super::{Branch, InputId, Mutant, MutationMachine, SetId, StateId};
use crate::suites::partition::NumberedMachine;
use tamper_text::{Budget, Id, StopReason};

/// A shortest input sequence that kills `mutant`, the first one in the order of inputs; `None` if the mutant conforms.
/// Its length is at most the number of pairs of states (\[000\] after Theorem 1).
pub(super) fn killing_sequence(machine: &MutationMachine, mutant: &Mutant) -> Option<Vec<InputId>> {
    killing_sequence_from(machine, mutant, StatePair::initial(machine))
}

impl Mutant {
    /// A shortest input sequence that kills the mutant, the first one in the order of inputs; `None` if the mutant
    /// conforms. Visits each pair of states at most once.
    ///
    /// # Errors
    /// If a limit is hit first; the budget's states are pairs of states.
    pub fn killing_sequence(
        &self,
        machine: &MutationMachine,
        budget: &Budget,
    ) -> Result<Option<Vec<InputId>>, StopReason> {
        search(machine, self, StatePair::initial(machine), budget)
    }
}

/// A state of the specification and one of a mutant.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct StatePair {
    pub right: StateId,
    pub own: StateId,
}

impl StatePair {
    fn initial(machine: &MutationMachine) -> Self {
        Self {
            right: machine.initial(),
            own: machine.initial(),
        }
    }
}

/// A shortest input sequence after which the mutant answers differently, starting from a pair of states.
pub(super) fn killing_sequence_from(
    machine: &MutationMachine,
    mutant: &Mutant,
    from: StatePair,
) -> Option<Vec<InputId>> {
    // An unlimited budget is never exceeded.
    search(machine, mutant, from, &Budget::unlimited()).unwrap_or_default()
}

fn search(
    machine: &MutationMachine,
    mutant: &Mutant,
    from: StatePair,
    budget: &Budget,
) -> Result<Option<Vec<InputId>>, StopReason> {
    let mut reached = ReachedPairs::new(machine);
    let mut agenda: Vec<(_, Predecessor<InputId>)> = vec![(from, None)];
    reached.add(from);
    let mut at = 0;
    while at < agenda.len() {
        let n_bytes = size_of_val(&agenda[..]) as u64;
        if let Some(reason) = budget.exceeded(agenda.len() as u64, n_bytes) {
            return Err(reason);
        }
        let StatePair { right, own } = agenda[at].0;
        for input in machine.inputs().ids() {
            let (expected, mine) = (machine.unaltered(right, input), mutant.step(machine, own, input));
            if expected.output != mine.output {
                let mut inputs = trail::word(at, |at| agenda[at].1);
                inputs.push(input);
                return Ok(Some(inputs));
            }
            let next = StatePair {
                right: expected.target,
                own: mine.target,
            };
            if reached.add(next) {
                agenda.push((next, Some((at, input))));
            }
        }
        at += 1;
    }
    Ok(None)
}

enum ReachedPairs {
    /// For a plain machine: its number of states, and a bit for every pair.
    All(usize, Vec<bool>),
    /// For configurations, of which there may be many more than are met.
    Met(FxHashSet<StatePair>),
}

impl ReachedPairs {
    fn new(machine: &MutationMachine) -> Self {
        match machine.extended() {
            None => {
                let n_states = machine.states().len();
                Self::All(n_states, vec![false; n_states * n_states])
            }
            Some(_) => Self::Met(FxHashSet::default()),
        }
    }
    /// Adds a pair. Returns whether it is new.
    fn add(&mut self, pair: StatePair) -> bool {
        match self {
            Self::All(n_states, bits) => {
                !std::mem::replace(&mut bits[pair.right.index() * *n_states + pair.own.index()], true)
            }
            Self::Met(pairs) => pairs.insert(pair),
        }
    }
}

/// A set of conforming mutants: all mutants whose choices in the listed sets are among the allowed ones.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ConformingBox {
    /// By set, in order: the choices that keep the mutant conforming. A set whose choices are all allowed is left out.
    pub allowed: Vec<(SetId, Vec<u32>)>,
}

impl ConformingBox {
    /// The mutants that conform like `mutant`, which must conform.
    ///
    /// Two states are alike if the specification in one and `mutant` in the other give the same answers to all input
    /// sequences. A choice is allowed if it answers as `mutant` does and leads to a state that is alike to the target
    /// of `mutant`. From the initial state, allowed choices lead through some states; as long as all choices there are
    /// allowed, the pairs of alike states are a bisimulation with the specification. Choices in other states do not
    /// matter.
    ///
    /// If a step depends on several sets, each of them is allowed choices that keep the step alike in all combinations;
    /// a set that influences several steps is allowed the intersection over these.
    pub fn around(machine: &MutationMachine, mutant: &Mutant) -> Self {
        let classes = StatePartition::of(machine, mutant);
        let mut allowed = ChoiceIntersection::new(machine);
        let mut reached = vec![false; machine.states().len()];
        let mut agenda = VecDeque::from([machine.initial()]);
        reached[machine.initial().index()] = true;
        while let Some(state) = agenda.pop_front() {
            for input in machine.inputs().ids() {
                let own = mutant.step(machine, state, input);
                let is_alike = |branch: &Branch| {
                    let other = branch.transition;
                    other.output == own.output && classes.are_alike(other.target, own.target)
                };
                let branches = machine.branches(state, input);
                let here = allowed.at(machine, branches, mutant, &is_alike);
                for branch in branches.iter().filter(|branch| allows(&here, branch)) {
                    let target = branch.transition.target;
                    if !std::mem::replace(&mut reached[target.index()], true) {
                        agenda.push_back(target);
                    }
                }
                allowed.restrict(here);
            }
        }
        Self {
            allowed: allowed.listed(machine),
        }
    }

    /// The box that holds only the mutant.
    pub fn only(machine: &MutationMachine, mutant: &Mutant) -> Self {
        let own = |set: SetId| (set, vec![mutant.choice(set) as u32]);
        Self {
            allowed: machine.sets().map(own).collect(),
        }
    }

    /// All mutants of the box, in the order of their choices.
    pub fn mutants<'a>(&'a self, machine: &'a MutationMachine) -> impl Iterator<Item = Mutant> + 'a {
        let of = |set: SetId| -> Vec<u32> {
            let listed = self.allowed.iter().find(|(known, _)| *known == set);
            match listed {
                Some((_, choices)) => choices.clone(),
                None => (0..machine.n_choices(set) as u32).collect(),
            }
        };
        let choices: Vec<Vec<u32>> = machine.sets().map(of).collect();
        // By set: the choice that is next.
        let mut next = Some(vec![0; choices.len()]);
        std::iter::from_fn(move || {
            let now = next.take()?;
            let chosen = now.iter().zip(&choices).map(|(at, choices)| choices[*at]).collect();
            let step = (0..now.len()).rev().find(|set| now[*set] + 1 < choices[*set].len());
            next = step.map(|set| {
                let mut later = now;
                later[set] += 1;
                later[set + 1..].fill(0);
                later
            });
            Mutant::new(machine, chosen)
        })
    }

    /// Whether `mutant` is in the box.
    pub fn contains(&self, mutant: &Mutant) -> bool {
        let fits = |(set, choices): &(SetId, Vec<u32>)| choices.contains(&(mutant.choice(*set) as u32));
        self.allowed.iter().all(fits)
    }
}

/// Allowed choices by suspicious set.
type AllowedChoices = Vec<(SetId, Vec<u32>)>;

/// Whether some allowed choices give the branch.
fn allows(allowed: &AllowedChoices, branch: &Branch) -> bool {
    branch.choices().iter().all(|(set, choice)| {
        let own = allowed.iter().find(|(other, _)| other == set);
        own.is_none_or(|(_, choices)| choices.contains(choice))
    })
}

/// By set: the choices that were allowed in all steps that it influences; empty if it influenced no step yet.
struct ChoiceIntersection {
    choices: Vec<Vec<u32>>,
}

impl ChoiceIntersection {
    fn new(machine: &MutationMachine) -> Self {
        Self {
            choices: vec![Vec::new(); machine.sets().len()],
        }
    }

    /// The choices that the sets influencing `branches` are allowed there, so that all combinations are alike. Starts
    /// with the choices of `mutant` and adds one choice after the other as long as this holds; first in the sets that
    /// its own step does not depend on.
    fn at(
        &self,
        machine: &MutationMachine,
        branches: &[Branch],
        mutant: &Mutant,
        is_alike: &dyn Fn(&Branch) -> bool,
    ) -> AllowedChoices {
        if branches.iter().all(|branch| branch.choices().len() == 1) {
            let alike = branches.iter().filter(|branch| is_alike(branch));
            let choices = alike.flat_map(Branch::choices).map(|(_, choice)| *choice);
            let set = branches[0].choices()[0].0;
            return vec![(set, choices.collect())];
        }
        let mut sets: Vec<SetId> = Vec::new();
        for (set, _) in branches.iter().flat_map(Branch::choices) {
            if !sets.contains(set) {
                sets.push(*set);
            }
        }
        let own = branches
            .iter()
            .find(|branch| branch.holds(|set| mutant.choice(set) as u32));
        let decides = |set: &SetId| own.is_some_and(|own| own.choices().iter().any(|(other, _)| other == set));
        sets.sort_by_key(|set| (decides(set), *set));
        let mut here: AllowedChoices = sets
            .iter()
            .map(|set| (*set, vec![mutant.choice(*set) as u32]))
            .collect();
        for at in 0..here.len() {
            let (set, own) = (here[at].0, here[at].1[0]);
            for choice in (0..machine.n_choices(set) as u32).filter(|choice| *choice != own) {
                // The branches that become possible with the choice.
                let before = std::mem::replace(&mut here[at].1, vec![choice]);
                let fits = branches.iter().filter(|branch| allows(&here, branch)).all(is_alike);
                here[at].1 = before;
                if fits {
                    here[at].1.push(choice);
                }
            }
            here[at].1.sort();
        }
        here
    }

    fn restrict(&mut self, here: AllowedChoices) {
        for (set, choices) in here {
            let known = &mut self.choices[set.index()];
            match known.is_empty() {
                true => *known = choices,
                false => known.retain(|choice| choices.contains(choice)),
            }
        }
    }

    /// The sets for which some choice is not allowed, with the allowed ones.
    fn listed(self, machine: &MutationMachine) -> AllowedChoices {
        let all = machine.sets().zip(self.choices);
        all.filter(|(set, choices)| !choices.is_empty() && choices.len() < machine.n_choices(*set))
            .collect()
    }
}

/// The states of a mutant, partitioned by their answers to all input sequences.
struct StatePartition {
    /// By state; `None` for configurations that were not visited.
    own: Vec<Option<u32>>,
}

impl StatePartition {
    fn of(machine: &MutationMachine, mutant: &Mutant) -> Self {
        let states = closed(machine, mutant);
        let mut numbers: Vec<u32> = vec![0; machine.states().len()];
        for (number, state) in (0..).zip(&states) {
            numbers[state.index()] = number;
        }
        let cells = states
            .iter()
            .flat_map(|state| machine.inputs().ids().map(move |input| (*state, input)));
        let step = |(state, input)| {
            let transition = mutant.step(machine, state, input);
            (transition.output, numbers[transition.target.index()])
        };
        let steps = NumberedMachine {
            n_inputs: machine.inputs().len(),
            all: cells.map(step).collect(),
        };
        let mut own = vec![None; machine.states().len()];
        for (state, class) in states.iter().zip(steps.classes()) {
            own[state.index()] = Some(class);
        }
        Self { own }
    }

    /// Whether the mutant is known to give the same answers from both states.
    fn are_alike(&self, one: StateId, other: StateId) -> bool {
        let class = |state: StateId| self.own.get(state.index()).copied().flatten();
        one == other || class(one).is_some_and(|own| class(other) == Some(own))
    }
}

/// A set of states that the mutant does not leave: all states of a plain machine; of an extended machine, the
/// configurations that it reaches, also after one step of another mutant.
fn closed(machine: &MutationMachine, mutant: &Mutant) -> Vec<StateId> {
    if machine.extended().is_none() {
        return machine.states().ids().collect();
    }
    let mut known = FxHashSet::from_iter([machine.initial()]);
    let mut states = vec![machine.initial()];
    let mut n_own = None;
    let mut at = 0;
    loop {
        while at < states.len() {
            for input in machine.inputs().ids() {
                let target = mutant.step(machine, states[at], input).target;
                if known.insert(target) {
                    states.push(target);
                }
            }
            at += 1;
        }
        if n_own.is_some() {
            return states;
        }
        n_own = Some(states.len());
        for state in states.clone() {
            for input in machine.inputs().ids() {
                let branches = machine.branches(state, input).iter();
                states.extend(
                    branches
                        .map(|branch| branch.transition.target)
                        .filter(|target| known.insert(*target)),
                );
            }
        }
    }
}

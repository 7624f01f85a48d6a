//! The configurations of an extended machine as states, found on demand.
//!
//! The behaviour at a configuration on an input depends on a few choices only: the step asks for a choice when it needs
//! it, and all answers are tried in turn. Alternatives that make no difference there are merged, so that a branch has
//! only choices that matter. Choices belong to the machine, not to its configurations: one set influences many
//! branches.

use std::sync::{Mutex, OnceLock, PoisonError};

use rustc_hash::FxHashMap;

use super::check::Checked;
use super::expr::Expr;
use super::source::{Action, ExtendedMachine, Trigger};
use super::step::{Blocked, Configuration, ERROR};
use crate::growing::{Growing, NameList};
use crate::{Assignment, Branch, InputId, OutputId, SetId, StateId, Transition};
use tamper_text::{Budget, Id, IndexVec, StopReason};

/// The largest number of branches at one configuration and input; more count as too many configurations.
const MOST_BRANCHES: usize = 1 << 16;

#[derive(Debug)]
struct UnfoldedState {
    at: Configuration,
    /// By input: its branches, computed on demand.
    cells: Box<[OnceLock<Box<[Branch]>>]>,
}

#[derive(Debug, Default)]
struct ConfigurationIndex {
    states: FxHashMap<Configuration, StateId>,
    outputs: FxHashMap<String, OutputId>,
    n_bytes: u64,
}

/// An extended machine with the part that is unfolded so far.
#[derive(Debug)]
pub struct Unfolding {
    source: ExtendedMachine,
    checked: Checked,
    /// By variable: whether it is part of configurations.
    matters: Vec<bool>,
    events: Vec<(usize, Vec<i64>)>,
    pub(crate) inputs: IndexVec<InputId, String>,
    pub(crate) states: NameList<StateId>,
    pub(crate) outputs: NameList<OutputId>,
    nodes: Growing<UnfoldedState>,
    known: Mutex<ConfigurationIndex>,
    limits: OnceLock<Budget>,
    most_configurations: usize,
    stopped: OnceLock<StopReason>,
}

/// The extent to which an extended machine was unfolded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Unfolded {
    /// The number of configurations that were unfolded.
    pub n_configurations: usize,
    /// Whether these are all configurations that some mutant may reach, each with all inputs.
    pub is_all: bool,
}

type Outcomes = Vec<(Vec<Assignment>, Transition)>;

impl Unfolding {
    /// An unfolding of `source` with its initial configuration. At most `most` configurations are kept apart.
    pub(crate) fn new(source: ExtendedMachine, checked: Checked, most: usize) -> Self {
        let matters = source.influential();
        let source = source.without(&matters);
        let events = source.inputs();
        let names = events.iter().map(|(event, values)| source.show_input(*event, values));
        let unfolding = Self {
            inputs: names.collect(),
            checked,
            events,
            matters,
            states: NameList::default(),
            outputs: NameList::default(),
            nodes: Growing::default(),
            known: Mutex::default(),
            limits: OnceLock::new(),
            most_configurations: most,
            stopped: OnceLock::new(),
            source,
        };
        unfolding.state(unfolding.source.start());
        unfolding
    }

    /// The machine that is unfolded, without variables that never influence an answer.
    pub fn source(&self) -> &ExtendedMachine {
        &self.source
    }
    /// The method by which the specification was found to be sound.
    pub fn checked(&self) -> Checked {
        self.checked
    }
    /// The variables that never influence an answer and are left out of configurations.
    pub fn idle_variables(&self) -> impl Iterator<Item = &str> {
        let variables = self.source.variables.iter().zip(&self.matters);
        variables
            .filter(|(_, matters)| !**matters)
            .map(|(variable, _)| variable.name.as_str())
    }
    /// Limits unfolding to the memory and the time of `budget` from now on.
    pub(crate) fn keep_to(&self, budget: &Budget) {
        // The first call sets the limits of the run.
        let _ = self.limits.set(Budget {
            max_states: None,
            ..budget.clone()
        });
    }
    /// The limit that was hit: later results are unknown.
    pub(crate) fn stopped(&self) -> Option<StopReason> {
        self.stopped.get().copied()
    }
    /// The extent of the unfolding.
    pub fn unfolded(&self) -> Unfolded {
        let all = |node: &UnfoldedState| node.cells.iter().all(|cell| cell.get().is_some());
        Unfolded {
            n_configurations: self.nodes.len(),
            is_all: self.nodes.iter().all(all) && self.stopped().is_none(),
        }
    }

    /// The branches of a configuration on an input.
    pub(crate) fn branches(&self, state: StateId, input: InputId) -> &[Branch] {
        let node = self.nodes.get(state.index()).expect("a configuration that came up");
        node.cells[input.index()].get_or_init(|| self.expand(state, node, input))
    }

    fn expand(&self, state: StateId, node: &UnfoldedState, input: InputId) -> Box<[Branch]> {
        let n_bytes = self.known.lock().unwrap_or_else(PoisonError::into_inner).n_bytes;
        if let Some(reason) = self.limits.get().and_then(|limits| limits.exceeded(0, n_bytes)) {
            let _ = self.stopped.set(reason);
        }
        let mut chosen = Vec::new();
        let mut left = MOST_BRANCHES;
        let outcomes = match self.stopped() {
            None => self.outcomes(state, node, input, &mut chosen, &mut left),
            Some(_) => None,
        };
        match outcomes {
            Some(outcomes) => outcomes
                .iter()
                .map(|(choices, transition)| Branch::new(choices, *transition))
                .collect(),
            None => {
                let _ = self.stopped.set(StopReason::States);
                let output = self.output(ERROR);
                [Branch::new(&[], Transition { output, target: state })].into()
            }
        }
    }

    /// The outcomes under the choices made so far; `None` if there are too many.
    fn outcomes(
        &self,
        state: StateId,
        node: &UnfoldedState,
        input: InputId,
        chosen: &mut Vec<Assignment>,
        left: &mut usize,
    ) -> Option<Outcomes> {
        let (event, values) = &self.events[input.index()];
        let known = |set: SetId| {
            chosen
                .iter()
                .find(|(other, _)| *other == set)
                .map(|(_, choice)| *choice)
        };
        let set = match self.source.step(&node.at, *event, values, &known) {
            Ok(done) => {
                let target = self.state(done.to);
                let output = self.output(&done.answer);
                *left = left.checked_sub(1)?;
                return self
                    .stopped()
                    .is_none()
                    .then(|| vec![(Vec::new(), Transition { output, target })]);
            }
            Err(Blocked::Wrong(_)) => {
                let output = self.output(ERROR);
                *left = left.checked_sub(1)?;
                return Some(vec![(Vec::new(), Transition { output, target: state })]);
            }
            Err(Blocked::Needs(set)) => set,
        };
        let mut by_choice: Vec<Outcomes> = Vec::new();
        for choice in 0..self.source.sets[set].len() as u32 {
            chosen.push((set, choice));
            let below = self.outcomes(state, node, input, chosen, left);
            chosen.pop();
            by_choice.push(below?);
        }
        if by_choice.iter().all(|other| *other == by_choice[0]) {
            return by_choice.pop();
        }
        let with = |(choice, outcomes): (usize, Outcomes)| {
            outcomes.into_iter().map(move |(mut choices, transition)| {
                choices.insert(0, (set, choice as u32));
                (choices, transition)
            })
        };
        Some(by_choice.into_iter().enumerate().flat_map(with).collect())
    }

    fn state(&self, at: Configuration) -> StateId {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(state) = known.states.get(&at) {
            return *state;
        }
        if self.nodes.len() >= self.most_configurations {
            let _ = self.stopped.set(StopReason::States);
            return StateId::from_index(0);
        }
        let n_inputs = self.inputs.len();
        known.n_bytes += 120 + 32 * (n_inputs + at.values.len()) as u64;
        let state = self.states.push(self.show(&at));
        known.states.insert(at.clone(), state);
        self.nodes.push(UnfoldedState {
            at,
            cells: (0..n_inputs).map(|_| OnceLock::new()).collect(),
        });
        state
    }

    fn output(&self, name: &str) -> OutputId {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(output) = known.outputs.get(name) {
            return *output;
        }
        let output = self.outputs.push(name.to_owned());
        known.outputs.insert(name.to_owned(), output);
        output
    }

    /// `state{n=2,on=true}`
    fn show(&self, at: &Configuration) -> String {
        let variables = self.source.variables.iter().zip(&at.values).zip(&self.matters);
        let shown = variables.filter(|(_, matters)| **matters);
        let values: Vec<String> = shown
            .map(|((variable, value), _)| format!("{}={}", variable.name, variable.domain.show(*value)))
            .collect();
        let name = &self.source.states[at.state];
        match values.as_slice() {
            [] => name.clone(),
            _ => format!("{name}{{{}}}", values.join(",")),
        }
    }
}

impl ExtendedMachine {
    /// The machine in which variables that do not matter keep their initial values.
    fn without(mut self, matters: &[bool]) -> Self {
        for slot in self.slots.iter_mut().flatten() {
            for rule in slot.rule.all.iter_mut().flatten() {
                let stays = |action: &Action| !matches!(action, Action::Assign { variable, .. } if !matters[*variable]);
                rule.actions.retain(stays);
            }
        }
        self
    }

    /// By variable: whether it can influence an answer of some mutant.
    ///
    /// A variable does if a guard, an answer, or the value assigned to an influential variable depends on it, or if
    /// assigning it may leave its domain, since this shows as the answer `error`. All others can be forgotten: by
    /// induction over the rules taken, machines with and without them take the same rules and give the same answers.
    fn influential(&self) -> Vec<bool> {
        let mut matters = vec![false; self.variables.len()];
        fn mark(expr: &Expr, matters: &mut [bool]) {
            expr.visit(&mut |part| {
                if let Expr::Var(variable) = part {
                    matters[*variable] = true;
                }
            });
        }
        let mut values: Vec<(usize, &Expr)> = Vec::new();
        for (event, rule) in self.slots.iter().flatten().flat_map(|slot| {
            let rules = slot.rule.all.iter().flatten();
            rules.map(move |rule| (slot.trigger, rule))
        }) {
            mark(&rule.guard, &mut matters);
            for action in &rule.actions {
                match action {
                    Action::Assign { variable, value, .. } => {
                        matters[*variable] |= !self.stays_within(event, *variable, value);
                        values.push((*variable, value));
                    }
                    Action::Answer(options) => {
                        let arguments = options.all.iter().flat_map(|answer| &answer.arguments);
                        arguments.for_each(|(argument, _)| mark(argument, &mut matters));
                    }
                    Action::Raise(_) => {}
                }
            }
        }
        loop {
            let before = matters.clone();
            for (variable, value) in &values {
                if matters[*variable] {
                    mark(value, &mut matters);
                }
            }
            if before == matters {
                return matters;
            }
        }
    }

    fn stays_within(&self, trigger: Trigger, variable: usize, value: &Expr) -> bool {
        let domain = |expr: &Expr| match (expr, trigger) {
            (Expr::Var(at), _) => Some(&self.variables[*at].domain),
            (Expr::Param(at), Trigger::Event(event)) => Some(&self.events[event].parameters[*at].1),
            _ => None,
        };
        let bounds =
            value.bounds(&|expr| domain(expr).map_or((i64::MIN, i64::MAX), |domain| (domain.low, domain.high)));
        let own = &self.variables[variable].domain;
        bounds.is_some_and(|(low, high)| own.has(low) && own.has(high))
    }
}

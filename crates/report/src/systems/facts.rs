//! Facts about a transition system.

use serde::Serialize;

use tamper_systems::{Observed, Program, Role, TransitionSystem};
use tamper_text::StopReason;

/// The facts about one system.
#[derive(Clone, Debug, Serialize)]
pub struct SystemFacts {
    inputs: Vec<String>,
    outputs: Vec<String>,
    hidden: Vec<String>,
    /// Number of reachable states; `None` if a limit was hit.
    states: Option<usize>,
    steps: Option<usize>,
    initial_states: Option<usize>,
    deterministic: Option<bool>,
    unknown_because: Option<String>,
}

impl SystemFacts {
    /// The facts about `program`, whose states these are.
    pub fn of(program: &Program, states: &Result<TransitionSystem, StopReason>) -> Self {
        let name = |var: &_| program.variables[*var].name.clone();
        let is_seen = |var: &_| program.outputs.contains(&Observed::Variable(*var));
        let is_hidden = |var: &_| program.variables[*var].role != Role::Input && !is_seen(var);
        let hidden = program.variables.ids().filter(is_hidden);
        let known = states.as_ref().ok();
        Self {
            inputs: program.inputs().iter().map(name).collect(),
            outputs: program
                .outputs
                .iter()
                .map(|seen| program.name_of(*seen).to_owned())
                .collect(),
            hidden: hidden.map(|var| name(&var)).collect(),
            states: known.map(TransitionSystem::n_states),
            steps: known.map(TransitionSystem::n_steps),
            initial_states: known.map(|states| states.initial().len()),
            deterministic: known.map(TransitionSystem::is_deterministic),
            unknown_because: states.as_ref().err().map(ToString::to_string),
        }
    }
}

/// The facts for a terminal.
pub fn facts_text(facts: &SystemFacts) -> String {
    let mut text = format!(
        "inputs: {}\noutputs: {}\nhidden: {}\n",
        listed(&facts.inputs),
        listed(&facts.outputs),
        listed(&facts.hidden)
    );
    match (facts.states, facts.steps, facts.initial_states) {
        (Some(states), Some(steps), Some(initial)) => {
            let kind = match facts.deterministic {
                Some(true) => "deterministic",
                _ => "non-deterministic",
            };
            text.push_str(&format!(
                "states: {states}, {initial} of them initial\nsteps: {steps}\n{kind}; every state has a step for every input\n"
            ));
        }
        _ => {
            let because = facts.unknown_because.as_deref().unwrap_or_default();
            text.push_str(&format!("states: unknown, {because}\n"));
        }
    }
    text
}

/// Names for a reader, or `none`.
pub(super) fn listed(names: &[String]) -> String {
    match names.is_empty() {
        true => "none".to_owned(),
        false => names.join(", "),
    }
}

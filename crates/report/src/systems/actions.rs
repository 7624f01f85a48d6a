//! Facts about action systems and their mutants.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::{Value, json};

use super::facts::listed;
use tamper_systems::actions::{ActionSystem, ActionVerdicts, Event, Killed, Open, Values};

/// The facts about an action system.
#[derive(Clone, Debug, Serialize)]
pub struct ActionFacts {
    variables: Vec<String>,
    actions: Vec<String>,
    inputs: Vec<String>,
    /// Number of reachable states; `None` if it is open.
    states: Option<usize>,
    /// Number of reached states without a step.
    terminal_states: Option<usize>,
    unknown_because: Option<String>,
}

impl ActionFacts {
    /// The facts about `system`, whose reached states have these numbers of steps.
    pub fn of(system: &ActionSystem, reached: &Result<BTreeMap<Values, usize>, Open>) -> Self {
        let known = reached.as_ref().ok();
        Self {
            variables: system.variables.iter().map(|variable| variable.name.clone()).collect(),
            actions: system.actions.iter().map(|action| action.name.clone()).collect(),
            inputs: system.inputs.iter().cloned().collect(),
            states: known.map(BTreeMap::len),
            terminal_states: known.map(|states| states.values().filter(|n_steps| **n_steps == 0).count()),
            unknown_because: reached.as_ref().err().map(ToString::to_string),
        }
    }
}

/// The facts for a terminal.
pub fn action_facts_text(facts: &ActionFacts) -> String {
    let states = match (facts.states, facts.terminal_states) {
        (Some(states), Some(terminal)) => format!("{states}, {terminal} of them without a step"),
        _ => format!("unknown, {}", facts.unknown_because.as_deref().unwrap_or_default()),
    };
    format!(
        "variables: {}\nactions: {}\ninputs: {}\nstates: {states}\n",
        listed(&facts.variables),
        listed(&facts.actions),
        listed(&facts.inputs)
    )
}

fn names(trace: &[Event]) -> Vec<String> {
    trace.iter().map(ToString::to_string).collect()
}

/// `subsumed` if no state that the original reaches is unsafe; `unknown` if any of the three verdicts is open.
fn verdict(verdicts: &ActionVerdicts) -> &'static str {
    match (verdicts.open(), &verdicts.state) {
        (Some(_), _) => "unknown",
        (None, Killed::Yes(_)) => "non-subsumed",
        (None, _) => "subsumed",
    }
}

/// `{"verdict", "state", "event", "ioco", "trace"}`: whether each relation kills the mutant (null if that is open), and a shortest trace of
/// a kill that a test sees, or else of a kill by states.
pub fn action_verdicts_json(verdicts: &ActionVerdicts) -> Value {
    json!({
        "verdict": verdict(verdicts),
        "state": verdicts.state.known(),
        "event": verdicts.event.known(),
        "ioco": verdicts.ioco.known(),
        "trace": names(verdicts.trace()),
    })
}

/// The verdicts for a terminal.
pub fn action_verdicts_text(verdicts: &ActionVerdicts) -> String {
    let mut text = format!("{}\n", verdict(verdicts));
    let lines = [
        ("state", &verdicts.state),
        ("event", &verdicts.event),
        ("ioco", &verdicts.ioco),
    ];
    for (name, killed) in lines {
        let line = match killed {
            Killed::No => "not killed".to_owned(),
            Killed::Yes(trace) => format!("killed by {}", names(trace).join(", ")),
            Killed::Open(open) => format!("unknown: {open}"),
        };
        text.push_str(&format!("{name}: {line}\n"));
    }
    if is_untestable(verdicts) {
        text.push_str("Untestable: no event, output or silence of the mutant is new.\n");
    }
    text
}

/// Whether the mutant differs in its states, but no test sees it: only hidden variables differ, or no run gets to the difference.
fn is_untestable(verdicts: &ActionVerdicts) -> bool {
    verdicts.state.known() == Some(true) && [&verdicts.event, &verdicts.ioco].map(Killed::known) == [Some(false); 2]
}

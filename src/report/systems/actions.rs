//! What is shown of action systems and their mutants.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::{Value, json};

use super::tally::Tally;
use crate::systems::actions::{ActionOperator, ActionSystem, ActionVerdicts, Event, Killed, Open, Values};

/// The facts about an action system.
#[derive(Clone, Debug, Serialize)]
pub struct ActionFacts {
    variables: Vec<String>,
    actions: Vec<String>,
    inputs: Vec<String>,
    /// Of what can be reached; none if that is open.
    states: Option<usize>,
    /// Reached states without a step.
    terminal_states: Option<usize>,
    unknown_because: Option<String>,
}

impl ActionFacts {
    /// The facts about `system`, which reaches these states with so many steps each.
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
    let list = |names: &[String]| {
        if names.is_empty() {
            "none".to_owned()
        } else {
            names.join(", ")
        }
    };
    let states = match (facts.states, facts.terminal_states) {
        (Some(states), Some(terminal)) => format!("{states}, {terminal} of them without a step"),
        _ => format!("unknown, {}", facts.unknown_because.as_deref().unwrap_or_default()),
    };
    format!(
        "variables: {}\nactions: {}\ninputs: {}\nstates: {states}\n",
        list(&facts.variables),
        list(&facts.actions),
        list(&facts.inputs)
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

/// `{"verdict", "state", "event", "ioco", "trace"}`: whether the mutant is killed by each (null if that is open), and a
/// shortest trace of a kill that a test sees, else of one by states.
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

/// Whether the mutant has steps of its own that no test sees: they differ in hidden variables, or it never comes to them.
fn is_untestable(verdicts: &ActionVerdicts) -> bool {
    verdicts.state.known() == Some(true) && [&verdicts.event, &verdicts.ioco].map(Killed::known) == [Some(false); 2]
}

/// A mutant and its verdicts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct JudgedAction {
    /// The operator it is made by.
    pub operator: ActionOperator,
    /// The id of the mutation.
    pub id: String,
    /// The verdicts under the three relations.
    pub verdicts: ActionVerdicts,
}

/// `unsafe`, `event` and `ioco` count kills, one mutant in each that applies; `untestable` those by states only;
/// `equivalent` those that nothing kills; `unknown` those with an open verdict.
const COLUMNS: [&str; 6] = ["unsafe", "event", "ioco", "untestable", "equivalent", "unknown"];

fn counts(verdicts: &ActionVerdicts) -> [bool; 6] {
    let [state, event, ioco] = [&verdicts.state, &verdicts.event, &verdicts.ioco].map(Killed::known);
    let is_open = verdicts.open().is_some();
    let is_equivalent = [state, event, ioco] == [Some(false); 3];
    let killed = [state, event, ioco].map(|killed| killed == Some(true));
    [
        killed[0],
        killed[1],
        killed[2],
        is_untestable(verdicts),
        is_equivalent,
        is_open,
    ]
}

fn tally(judged: &[JudgedAction]) -> Tally<6> {
    let operators = ActionOperator::ALL.map(ActionOperator::name).into_iter();
    let counted = |mutant: &JudgedAction| counts(&mutant.verdicts);
    Tally::new(
        COLUMNS,
        operators,
        judged,
        |mutant: &JudgedAction| mutant.operator.name(),
        counted,
    )
}

/// The table for a terminal; with `witness` also a line per mutant.
pub fn action_classification_text(judged: &[JudgedAction], witness: bool) -> String {
    let mut text = tally(judged).text();
    if witness {
        text.push('\n');
        for mutant in judged {
            let counted = COLUMNS.iter().zip(counts(&mutant.verdicts));
            let which: Vec<&str> = counted.filter(|(_, counted)| *counted).map(|(name, _)| *name).collect();
            let trace = names(mutant.verdicts.trace()).join(", ");
            text.push_str(&format!("{}  {}  {trace}\n", mutant.id, which.join(" ")));
        }
    }
    text
}

/// `{"operators": {…}, "total": {…}}`; with `witness` also `"mutants": […]`.
pub fn action_classification_json(judged: &[JudgedAction], witness: bool) -> Value {
    let mut object = tally(judged).json();
    if witness {
        let mutants = judged.iter().map(|mutant| {
            let mut answer = action_verdicts_json(&mutant.verdicts);
            answer["id"] = json!(mutant.id);
            answer
        });
        object.insert("mutants".to_owned(), Value::Array(mutants.collect()));
    }
    Value::Object(object)
}

//! The mutants of an untimed system per operator, with their verdicts.

use serde_json::{Value, json};

use super::tally::OperatorTally;
use crate::classification::{AcceptedVerdict, accepted_text};
use tamper_runs::{KillFacts, Record, Verdict};
use tamper_untimed::UntimedWorld;

/// Mutants that were decided.
#[derive(Clone, Debug)]
pub struct UntimedTable<'r> {
    /// The kind of their system.
    pub world: UntimedWorld,
    /// The records of the mutants, in their order.
    pub records: &'r [Record],
    /// The accepted mutants among them that are not known to be useless.
    pub accepted: Vec<AcceptedVerdict>,
}

/// The column of mutants in which the second mutation takes back the first; it is shown if there are any.
const ORIGINAL: &str = "original";

/// Columns for transition systems and state machines: each mutant is counted in one column, by its strongest kill.
const SURENESS: [&str; 7] = [
    "equivalent",
    "potential",
    "definite",
    "blind",
    "refused",
    "unknown",
    ORIGINAL,
];

/// Columns for action systems: a mutant is counted in each of `unsafe`, `event` and `ioco` that kills it. `untestable` counts the mutants
/// killed by states only, `equivalent` the mutants that nothing kills, `unknown` the mutants with an open verdict.
const RELATIONS: [&str; 7] = [
    "unsafe",
    "event",
    "ioco",
    "untestable",
    "equivalent",
    "unknown",
    ORIGINAL,
];

impl UntimedTable<'_> {
    /// The table for a terminal; with `witness` also a line per mutant.
    pub fn text(&self, witness: bool) -> String {
        let mut text = self.tally().text();
        if witness {
            text.push('\n');
            for record in self.records {
                let what = match self.world {
                    UntimedWorld::TransitionSystem | UntimedWorld::StateMachine => how_surely(record),
                    UntimedWorld::ActionSystem => by_which(record),
                };
                text.push_str(&format!("{}  {what}\n", record.id));
            }
        }
        text + &accepted_text(&self.accepted)
    }

    /// `{"operators": {…}, "total": {…}}`; with `witness` also `"mutants": […]`, and `"accepted": […]` if there are any.
    pub fn json(&self, witness: bool) -> Value {
        let mut object = self.tally().json();
        if witness {
            let mutants = self.records.iter().map(|record| match self.world {
                UntimedWorld::TransitionSystem | UntimedWorld::StateMachine => sureness_json(record),
                UntimedWorld::ActionSystem => relations_json(record),
            });
            object.insert("mutants".to_owned(), Value::Array(mutants.collect()));
        }
        if !self.accepted.is_empty() {
            object.insert("accepted".to_owned(), json!(self.accepted));
        }
        Value::Object(object)
    }

    /// The table as CSV.
    ///
    /// # Errors
    /// If the table cannot be written.
    pub fn csv(&self) -> Result<String, csv::Error> {
        self.tally().csv()
    }

    fn tally(&self) -> OperatorTally {
        let is_there = |name: &&str| self.records.iter().any(|record| operator(record) == *name);
        let several = [SEVERAL].into_iter().filter(is_there);
        let operators = self.world.operators().into_iter();
        let tally = match self.world {
            UntimedWorld::TransitionSystem | UntimedWorld::StateMachine => {
                let operators = operators.filter(is_there).chain(several);
                let counted = |record: &Record| {
                    let own = sureness(record);
                    std::array::from_fn(|place| SURENESS[place] == own)
                };
                OperatorTally::new(SURENESS, operators, self.records, operator, counted)
            }
            UntimedWorld::ActionSystem => {
                OperatorTally::new(RELATIONS, operators.chain(several), self.records, operator, relations)
            }
        };
        tally.without_last_if_empty()
    }
}

/// The row of mutants with several mutations.
const SEVERAL: &str = "several";

fn operator(record: &Record) -> &str {
    match record.operators.as_slice() {
        [] => "",
        [name] => name,
        _ => SEVERAL,
    }
}

fn word(record: &Record) -> &[String] {
    let word = record.kill.as_ref().and_then(|kill| kill.word.as_deref());
    word.unwrap_or_default()
}

/// The column of a mutant of a transition system.
fn sureness(record: &Record) -> &str {
    match record.verdict {
        _ if record.duplicate_of.is_some() => ORIGINAL,
        Verdict::Invalid => "refused",
        Verdict::NonSubsumed => kill_name(record),
        Verdict::Subsumed => "equivalent",
        _ => "unknown",
    }
}

/// The strongest kill of a mutant, as verdicts name it.
fn kill_name(record: &Record) -> &str {
    let by = record.kill.as_ref().and_then(|kill| kill.by.first());
    by.map_or("none", |name| name)
}

fn how_surely(record: &Record) -> String {
    let reason = record.reason.as_deref().unwrap_or_default();
    match (record.verdict, word(record)) {
        _ if record.duplicate_of.is_some() => ORIGINAL.to_owned(),
        (Verdict::Invalid, _) => format!("refused: {reason}"),
        (Verdict::Unknown, _) => format!("unknown: {reason}"),
        (_, []) => kill_name(record).to_owned(),
        (_, word) => format!("{}: {}", kill_name(record), word.join(", ")),
    }
}

fn sureness_json(record: &Record) -> Value {
    match record.verdict {
        Verdict::Invalid => json!({ "id": record.id, "kill": "refused", "because": record.reason }),
        Verdict::Unknown => json!({ "id": record.id, "kill": "unknown", "because": record.reason }),
        _ if record.duplicate_of.is_some() => json!({ "id": record.id, "duplicate_of": record.duplicate_of }),
        _ => json!({ "id": record.id, "kill": kill_name(record), "word": word(record) }),
    }
}

/// Whether states, events and ioco kill a mutant of an action system; `None` if that is open.
fn known(record: &Record) -> [Option<bool>; 3] {
    let none = KillFacts::default();
    let kill = record.kill.as_ref().unwrap_or(&none);
    ["state", "event", "ioco"].map(|way| match kill.open.iter().any(|open| open == way) {
        true => None,
        false => Some(kill.by.iter().any(|by| by == way)),
    })
}

/// The columns of a mutant of an action system.
fn relations(record: &Record) -> [bool; 7] {
    if record.duplicate_of.is_some() {
        return RELATIONS.map(|column| column == ORIGINAL);
    }
    let [state, event, ioco] = known(record);
    let [by_state, by_event, by_ioco] = [state, event, ioco].map(|killed| killed == Some(true));
    [
        by_state,
        by_event,
        by_ioco,
        by_state && [event, ioco] == [Some(false); 2],
        [state, event, ioco] == [Some(false); 3],
        record.verdict == Verdict::Unknown,
        false,
    ]
}

fn by_which(record: &Record) -> String {
    let counted = RELATIONS.iter().zip(relations(record));
    let which: Vec<&str> = counted.filter(|(_, counted)| *counted).map(|(name, _)| *name).collect();
    format!("{}  {}", which.join(" "), word(record).join(", "))
}

fn relations_json(record: &Record) -> Value {
    if record.duplicate_of.is_some() {
        return json!({ "id": record.id, "duplicate_of": record.duplicate_of });
    }
    let [state, event, ioco] = known(record);
    json!({
        "verdict": record.verdict.name(),
        "state": state,
        "event": event,
        "ioco": ioco,
        "trace": word(record),
        "id": record.id,
    })
}

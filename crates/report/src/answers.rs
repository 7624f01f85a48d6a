//! Answers of commands as types; a test compares their schemas with those in `docs/schemas`.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value;

use tamper_machines::Number;

#[cfg(test)]
use schemars::JsonSchema;

/// `answer` as JSON.
pub(super) fn value(answer: &impl Serialize) -> Value {
    serde_json::to_value(answer).expect("names and texts are JSON")
}

/// A count that 64 bits may not hold, in digits.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema), schemars(extend("pattern" = "^[0-9]+$")))]
#[serde(transparent)]
pub(super) struct Digits(String);

impl Digits {
    pub fn of(number: impl ToString) -> Self {
        Self(number.to_string())
    }
}

#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub(super) enum MachineVerdict {
    NonSubsumed,
    Subsumed,
    Unknown,
}

/// A word that two machines answer in two ways.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema), schemars(deny_unknown_fields))]
pub(super) struct DifferenceAnswer {
    pub word: Vec<String>,
    pub left: Vec<String>,
    pub right: Vec<String>,
}

/// `refine`, of state machines.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema), schemars(deny_unknown_fields))]
pub(super) struct MachinesAnswer {
    pub verdict: MachineVerdict,
    pub machines: [String; 2],
    #[serde(skip_serializing_if = "Option::is_none")]
    pub because: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub difference: Option<DifferenceAnswer>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema), schemars(deny_unknown_fields))]
#[serde(untagged)]
pub(super) enum CountAnswer {
    Exactly(Digits),
    Between { least: Digits, most: Digits },
}

impl From<&Number> for CountAnswer {
    fn from(number: &Number) -> Self {
        match number {
            Number::Exactly(number) => Self::Exactly(Digits::of(number)),
            Number::Between(least, most) => Self::Between {
                least: Digits::of(least),
                most: Digits::of(most),
            },
        }
    }
}

/// A machine of a family, and how it differs from the specification.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema), schemars(deny_unknown_fields))]
pub(super) struct ExampleAnswer {
    pub mutated: Vec<String>,
    pub difference: DifferenceAnswer,
}

/// `families`, of the machines of a mutation machine.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema), schemars(deny_unknown_fields))]
pub(super) struct MachineFamilyAnswer {
    pub verdict: MachineVerdict,
    pub machine: String,
    pub specification: String,
    pub machines: Digits,
    pub subsumed: CountAnswer,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub because: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub example: Option<ExampleAnswer>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub(super) enum SmallestVerdict {
    Complete,
    Unknown,
}

/// `coverage --suite smallest`.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema), schemars(deny_unknown_fields))]
pub(super) struct SmallestAnswer {
    pub verdict: SmallestVerdict,
    pub machines: Digits,
    pub tests: Vec<Vec<String>>,
    pub lower_bound: usize,
    pub proved: bool,
    pub shortest: bool,
    pub needed_by: Vec<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub because: Option<String>,
}

/// Mutants of an operator.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema), schemars(deny_unknown_fields))]
pub(super) struct TallyAnswer {
    pub mutants: usize,
    pub killable: usize,
    pub killed: usize,
}

/// A mutant, and why it is listed.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema), schemars(deny_unknown_fields))]
pub(super) struct SurvivorAnswer {
    pub id: String,
    pub why: String,
}

/// How many mutants a run calls non-subsumed, how many of them tests can kill, and why these are not the same.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema), schemars(deny_unknown_fields))]
pub(super) struct AccountAnswer {
    /// The reading of the run.
    pub semantics: String,
    pub non_subsumed: u64,
    pub killable: u64,
    /// Mutants that are only one of the two, by why.
    pub disagreements: BTreeMap<String, u64>,
}

/// `score`, of timed games.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema), schemars(deny_unknown_fields))]
pub(super) struct ScoreAnswer {
    pub tests: usize,
    pub mutants: usize,
    pub killable: usize,
    pub killed: usize,
    #[cfg_attr(test, schemars(range(min = 0, max = 1)))]
    pub score: f64,
    pub operators: BTreeMap<String, TallyAnswer>,
    pub survivors: Vec<SurvivorAnswer>,
    pub unknown: Vec<SurvivorAnswer>,
    pub invalid: Vec<SurvivorAnswer>,
    pub killed_though_subsumed: Vec<SurvivorAnswer>,
    /// Of charts with guards: mutants that are killed only by tests that ask a guard, whose values the test sets in place of data.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub under_script: Vec<String>,
    /// Mutants that are not killed and that the user accepts, with the reasons; none of the numbers above counts them as killable.
    pub accepted: Vec<SurvivorAnswer>,
    /// With --changed-since: mutants at places that did not change.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub not_asked: Option<u64>,
    /// The number of non-subsumed mutants, and why it is not that of the killable ones.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub account: Option<AccountAnswer>,
    /// By test, how many mutants it kills.
    pub kills: BTreeMap<String, usize>,
    pub matrix: MatrixAnswer,
}

/// Which test kills which of the mutants that some test can kill.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema), schemars(deny_unknown_fields))]
pub(super) struct MatrixAnswer {
    pub mutants: Vec<String>,
    /// In the order of the suite.
    pub tests: Vec<KillingTest>,
}

/// A test, and the mutants that it kills by their positions.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema), schemars(deny_unknown_fields))]
pub(super) struct KillingTest {
    pub test: String,
    pub kills: Vec<usize>,
}

/// Constants from one to another; without an end, all larger ones.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema), schemars(deny_unknown_fields))]
pub(super) struct RangeAnswer {
    pub from: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub to: Option<i64>,
}

/// A constant that explains all logs if it is another one, with the mutant of the nearest.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema), schemars(deny_unknown_fields))]
pub(super) struct ConstantAnswer {
    pub site: String,
    pub constraint: String,
    pub constant: i64,
    pub instead: Vec<RangeAnswer>,
    pub mutant: String,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema), schemars(deny_unknown_fields))]
pub(super) struct SuspectAnswer {
    pub id: String,
    pub what: String,
}

/// What explains most logs, where nothing explains all.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema), schemars(deny_unknown_fields))]
pub(super) struct NearestAnswer {
    pub contradicts: Vec<String>,
    pub constants: Vec<ConstantAnswer>,
    pub mutants: Vec<Vec<SuspectAnswer>>,
}

/// `diagnose`.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema), schemars(deny_unknown_fields))]
pub(super) struct DiagnosisAnswer {
    pub tests: usize,
    pub fail: usize,
    pub left_out: usize,
    pub model_explains: bool,
    pub constants: Vec<ConstantAnswer>,
    pub mutants: Vec<Vec<SuspectAnswer>>,
    pub nearest: Vec<NearestAnswer>,
    pub tried: u64,
    pub unknown: u64,
    pub largest_constant: i64,
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use schemars::generate::SchemaSettings;
    use serde_json::Map;

    use super::*;

    /// The schema in `docs/schemas` of that command, and the part of it that requires a member `name`.
    fn committed(command: &str, name: &str) -> (Value, Value) {
        let path = format!("../../docs/schemas/{command}.schema.json");
        let text =
            std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).expect("the schema is there");
        let whole: Value = serde_json::from_str(&text).expect("JSON");
        let has = |part: &&Value| {
            let names = part["required"].as_array();
            names.is_some_and(|names| names.iter().any(|other| other == name))
        };
        let part = whole["anyOf"].as_array().expect("answers").iter().find(has);
        let part = part.expect("an answer with that name").clone();
        (whole, part)
    }

    /// The meaning of a schema: without descriptions, with references resolved, and with lists that are sets in order.
    fn meaning(schema: &Value, whole: &Value) -> Value {
        match schema {
            Value::Object(object) => match object.get("$ref").and_then(Value::as_str) {
                Some(reference) => {
                    let place = reference.strip_prefix('#').expect("a place in the schema");
                    meaning(whole.pointer(place).expect("what is referred to"), whole)
                }
                None => Value::Object(parts(object, whole)),
            },
            Value::Array(list) => {
                let parts = list.iter().map(|part| meaning(part, whole));
                let mut parts: Vec<Value> = parts.filter(|part| *part != null()).collect();
                parts.sort_by_key(ToString::to_string);
                match &parts[..] {
                    [one] if one.is_string() => one.clone(),
                    _ => Value::Array(parts),
                }
            }
            Value::Number(number) => number.as_f64().into(),
            other => other.clone(),
        }
    }

    /// The schema of null: an optional member is left out, not null.
    fn null() -> Value {
        "null".into()
    }

    fn parts(object: &Map<String, Value>, whole: &Value) -> Map<String, Value> {
        let is_for_readers = |name: &str| matches!(name, "$schema" | "title" | "description" | "format");
        let is_enum = object.contains_key("enum");
        let kept = object
            .iter()
            .filter(|(name, _)| !(is_for_readers(name) || is_enum && *name == "type"));
        let mut parts: Map<String, Value> = kept
            .map(|(name, part)| match (name.as_str(), part) {
                // A member may have the name of a keyword.
                ("properties", Value::Object(members)) => {
                    let members = members.iter().map(|(name, part)| (name.clone(), meaning(part, whole)));
                    (name.clone(), Value::Object(members.collect()))
                }
                ("required", Value::Array(names)) => {
                    let mut names = names.clone();
                    names.sort_by_key(ToString::to_string);
                    (name.clone(), Value::Array(names))
                }
                _ => (name.clone(), meaning(part, whole)),
            })
            .collect();
        // A schema that also allows null.
        let null = Map::from_iter([("type".to_owned(), null())]);
        let both = parts
            .get("anyOf")
            .and_then(Value::as_array)
            .cloned()
            .unwrap_or_default();
        if let [one, other] = &both[..]
            && let Some(one) = [(one, other), (other, one)]
                .iter()
                .find(|(_, other)| other.as_object() == Some(&null))
        {
            parts = one.0.as_object().expect("a schema").clone();
        }
        parts
    }

    fn check<T: JsonSchema>(command: &str, name: &str) {
        let generator = SchemaSettings::draft2020_12()
            .for_serialize()
            .with(|settings| settings.inline_subschemas = true);
        let made = generator.into_generator().into_root_schema_for::<T>().to_value();
        let (whole, part) = committed(command, name);
        let (made, part) = (meaning(&made, &made), meaning(&part, &whole));
        assert_eq!(made, part, "{command}:\n{made:#}\n{part:#}");
    }

    #[test]
    fn schemas_of_answers_say_what_their_types_say() {
        check::<MachinesAnswer>("refine", "machines");
        check::<MachineFamilyAnswer>("families", "machine");
        check::<SmallestAnswer>("coverage", "lower_bound");
        check::<ScoreAnswer>("score", "killed_though_subsumed");
        check::<DiagnosisAnswer>("diagnose", "model_explains");
    }
}

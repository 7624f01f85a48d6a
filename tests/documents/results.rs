//! Every page of `results/` begins with its question, and with the command that makes it; the schema of their records.

use std::collections::BTreeSet;
use std::path::PathBuf;

use tamper::experiment::{DecidedBy, Verdict};
use tamper::mutation::AppliedOperator;
use tamper::systems::SystemOperator;
use tamper::systems::actions::ActionOperator;

use super::{root, text};

/// The lines in which both have to be.
const FIRST: usize = 16;

/// Whether a command names a script, an example or a test that there is.
fn is_there(command: &str) -> bool {
    let words: Vec<&str> = command.split_whitespace().collect();
    let after = |option: &str| {
        words
            .iter()
            .position(|word| *word == option)
            .and_then(|at| words.get(at + 1))
    };
    let script = words
        .iter()
        .find(|word| word.starts_with("scripts/") || word.starts_with("results/") && !word.ends_with(".md"))
        .map(PathBuf::from);
    let example = after("--example").map(|name| PathBuf::from(format!("examples/{name}.rs")));
    let suite = after("all").and_then(|filter| filter.split("::").next());
    let test = suite.map(|name| PathBuf::from(format!("tests/{name}/mod.rs")));
    let named = [script, example, test].into_iter().flatten().next();
    named.is_some_and(|path| root(&path.display().to_string()).is_file())
}

#[test]
fn every_page_of_results_begins_with_its_question_and_its_command() {
    let entries = std::fs::read_dir(root("results")).expect("the folder of results");
    let names = entries.map(|entry| entry.expect("an entry").file_name().into_string().expect("UTF-8"));
    let pages: Vec<String> = names
        .flat_map(|name| [format!("{name}/page.md"), name])
        .filter(|name| name.ends_with(".md") && root(&format!("results/{name}")).is_file())
        .collect();
    assert!(pages.len() > 30, "{pages:?}");
    for page in pages {
        let text = text(&format!("results/{page}"));
        let first: Vec<&str> = text.lines().take(FIRST).collect();
        assert!(first[0].starts_with("# "), "{page}: no title");
        let asks = first.get(2).is_some_and(|line| line.ends_with('?'));
        let answers = first.get(4).is_some_and(|line| line.ends_with('.'));
        assert!(
            asks && answers,
            "{page}: no question in its third line, or no answer in its fifth"
        );
        let mut commands = first.iter().flat_map(|line| line.split('`').skip(1).step_by(2));
        assert!(commands.any(is_there), "{page}: no command that makes it");
    }
}

/// The schema of a line of `mutants.jsonl` lists what such lines can say, and nothing else.
#[test]
fn the_schema_of_records_has_the_names_that_records_have() {
    let schema: serde_json::Value = serde_json::from_str(&text("docs/schemas/record.schema.json")).expect("JSON");
    let fields = &schema["properties"];
    let listed = |names: &serde_json::Value| -> BTreeSet<String> {
        serde_json::from_value(names["enum"].clone()).expect("names")
    };
    let named = |names: &[&str]| -> BTreeSet<String> { names.iter().map(|name| (*name).to_owned()).collect() };
    assert_eq!(listed(&fields["verdict"]), named(&Verdict::ALL.map(Verdict::name)));
    assert_eq!(
        listed(&fields["decided_by"]),
        named(&DecidedBy::ALL.map(DecidedBy::name))
    );
    // Other tests of this process define operators of their own.
    let of_the_table = AppliedOperator::all().filter(|applied| !applied.operator.is_own());
    let operators = [
        &of_the_table.map(AppliedOperator::name).collect::<Vec<_>>()[..],
        &SystemOperator::ALL.map(SystemOperator::name),
        &ActionOperator::ALL.map(ActionOperator::name),
    ];
    assert_eq!(listed(&fields["operators"]["items"]), named(&operators.concat()));
}

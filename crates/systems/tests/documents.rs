//! The table of constructs in `docs/book/src/untimed.md` is what the reader does.

use std::path::Path;

use tamper_systems::formats::btor2::read_btor2;
use tamper_systems::formats::smv::{ReadSystem, read_smv};
use tamper_text::ReadError;

/// A model with `i`, `o`, `n` that has `line`, whose assignments take the place of its own.
fn with(line: &str) -> String {
    let own = [("next(o)", "next(o) := i;"), ("next(n)", "next(n) := n;")];
    let own: String = own
        .iter()
        .filter(|(name, _)| !line.contains(name))
        .map(|(_, own)| *own)
        .collect();
    format!("-- inputs: i\n-- outputs: o\nMODULE main\nVAR i : boolean; o : boolean; n : 0..3;\nASSIGN {own}\n{line}\n")
}

/// A model with the inputs `c` and `a`, two states, and a constant for each width, that has the example's lines.
fn with_lines(lines: &[&str]) -> String {
    let mut text = "1 sort bitvec 1\n2 sort bitvec 4\n3 input 1 c\n4 input 2 a\n5 state 2 s\n6 state 1 p\n\
                    7 zero 2\n8 zero 1\n9 output 5 o\n"
        .to_owned();
    for line in lines {
        text.push_str(line);
        text.push('\n');
    }
    text
}

/// The rows of the table below a heading: what is written, the examples, and what becomes of it.
fn rows(heading: &str) -> Vec<(String, Vec<String>, String)> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/book/src/untimed.md");
    let page = std::fs::read_to_string(path).expect("the page is there");
    let section = page.split("\n## ").find(|section| section.starts_with(heading));
    let mut found = Vec::new();
    for row in section
        .expect("the section is there")
        .lines()
        .filter(|line| line.starts_with("| "))
    {
        let row = row.replace("\\|", "\u{1}");
        let cells: Vec<String> = row.split('|').map(|cell| cell.trim().replace('\u{1}', "|")).collect();
        let [_, construct, examples, what, _] = cells.as_slice() else {
            continue;
        };
        if examples.starts_with('`') {
            let examples = examples.split('`').filter(|example| !example.trim().is_empty());
            let examples = examples.map(str::to_owned).collect();
            found.push((construct.clone(), examples, what.clone()));
        }
    }
    found
}

/// Checks each row; how many constructs are read, and how many are refused.
fn check(heading: &str, read: impl Fn(&[&str]) -> Result<ReadSystem, ReadError>) -> (usize, usize) {
    let (mut n_read, mut n_refused) = (0, 0);
    for (construct, examples, what) in rows(heading) {
        let examples: Vec<&str> = examples.iter().map(String::as_str).collect();
        match (what.as_str(), read(&examples)) {
            ("refused", Err(error)) => {
                let place = error
                    .diagnostics
                    .iter()
                    .all(|found| found.span.is_some() && found.help.is_some());
                assert!(place, "{construct}: {error}");
                n_refused += 1;
            }
            ("refused", Ok(_)) => panic!("{construct} is read: {examples:?}"),
            (what, Ok(system)) => {
                assert_eq!(what.contains("warning"), !system.warnings.is_empty(), "{construct}");
                n_read += 1;
            }
            (_, Err(error)) => panic!("{construct} is refused: {error}"),
        }
    }
    (n_read, n_refused)
}

#[test]
fn the_table_of_smv_constructs_says_what_is_read_and_what_is_refused() {
    let found = check("SMV", |lines| read_smv("model.smv", with(&lines.concat()).as_bytes()));
    assert_eq!(found, (29, 14));
}

#[test]
fn the_table_of_btor2_constructs_says_what_is_read_and_what_is_refused() {
    let found = check("BTOR2", |lines| read_btor2("model.btor2", with_lines(lines).as_bytes()));
    assert_eq!(found, (20, 7));
}

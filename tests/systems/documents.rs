//! The table of constructs in `docs/untimed.md` is what the reader does.

use std::path::Path;

use tamper::formats::smv::read_smv;

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

#[test]
fn the_table_of_smv_constructs_says_what_is_read_and_what_is_refused() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/untimed.md");
    let page = std::fs::read_to_string(path).expect("the page is there");
    let (mut n_read, mut n_refused) = (0, 0);
    for row in page.lines().filter(|line| line.starts_with("| ")) {
        let row = row.replace("\\|", "\u{1}");
        let cells: Vec<String> = row.split('|').map(|cell| cell.trim().replace('\u{1}', "|")).collect();
        let [_, construct, example, what, _] = cells.as_slice() else {
            continue;
        };
        let Some(example) = example.strip_prefix('`').and_then(|example| example.strip_suffix('`')) else {
            continue;
        };
        let read = read_smv("model.smv", with(example).as_bytes());
        match (what.as_str(), read) {
            ("refused", Err(error)) => {
                let place = error
                    .diagnostics
                    .iter()
                    .all(|found| found.span.is_some() && found.help.is_some());
                assert!(place, "{construct}: {error}");
                n_refused += 1;
            }
            ("refused", Ok(_)) => panic!("{construct} is read: {example}"),
            (what, Ok(system)) => {
                assert_eq!(what.contains("warning"), !system.warnings.is_empty(), "{construct}");
                n_read += 1;
            }
            (_, Err(error)) => panic!("{construct} is refused: {error}"),
        }
    }
    assert_eq!((n_read, n_refused), (16, 19));
}

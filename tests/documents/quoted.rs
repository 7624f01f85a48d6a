//! What the documents quote is what was printed: the transcripts of the README, the tables of the notes.

use std::path::Path;
use std::process::Command;

/// The commands of the console blocks that run tamper, each with what the README shows of its output.
fn transcripts(readme: &str) -> Vec<(Vec<String>, String)> {
    let blocks = readme
        .split("```console\n")
        .skip(1)
        .filter_map(|rest| rest.split("```").next());
    let shown = blocks.filter_map(|block| {
        let (command, output) = block.strip_prefix("$ ")?.split_once('\n')?;
        let args = command
            .strip_prefix("cargo run --release -- ")
            .or(command.strip_prefix("tamper "))?;
        Some((args.split(' ').map(str::to_owned).collect(), output.to_owned()))
    });
    shown.collect()
}

#[test]
fn every_transcript_of_the_readme_is_what_tamper_prints() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let readme = std::fs::read_to_string(root.join("README.md")).expect("there is a README");
    let transcripts = transcripts(&readme);
    assert_eq!(transcripts.len(), 6);
    let folder = tempfile::tempdir().expect("a folder for the results");
    for (args, shown) in transcripts {
        let args: Vec<_> = args
            .iter()
            .map(|arg| {
                if root.join(arg).is_file() {
                    root.join(arg).into()
                } else {
                    arg.into()
                }
            })
            .collect();
        let args: &[std::ffi::OsString] = &args;
        let output = Command::new(env!("CARGO_BIN_EXE_tamper"))
            .args(args)
            .current_dir(folder.path())
            .output();
        let output = output.expect("tamper runs");
        assert_eq!(
            String::from_utf8_lossy(&output.stdout),
            shown,
            "{args:?}\n{}",
            String::from_utf8_lossy(&output.stderr)
        );
    }
}

/// The commands of the block that tests the lamp, each with what is shown of its output.
#[cfg(unix)]
fn lamp_session(readme: &str) -> Vec<(String, String)> {
    let blocks = readme.split("```text\n").skip(1);
    let block = blocks
        .filter_map(|rest| rest.split("```").next())
        .find(|block| block.starts_with("$ tamper run lamp.json"))
        .expect("the README tests the lamp");
    let commands = block.split("$ ").skip(1);
    let parts = commands.map(|part| part.split_once('\n').expect("a command and its output"));
    parts
        .map(|(command, output)| (command.to_owned(), output.to_owned()))
        .collect()
}

#[cfg(unix)]
#[test]
fn the_lamp_of_the_readme_is_tested_and_diagnosed_as_it_says() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let readme = text("README.md");
    let test = std::env::current_exe().expect("the test has a path");
    let built = test.parent().and_then(Path::parent).expect("it is in target/*/deps");
    let folder = tempfile::tempdir().expect("a folder for the results");
    let sh = |command: &str| {
        // What stands in the text first: the programs' own path may hold `target/release/`.
        let command = command
            .replace("target/release/", &format!("{}/", built.display()))
            .replace("uppaal-models/", &format!("{}/uppaal-models/", root.display()))
            .replace("tamper ", &format!("{} ", env!("CARGO_BIN_EXE_tamper")));
        let mut shell = Command::new("sh");
        let output = shell.args(["-c", &command]).current_dir(folder.path()).output();
        String::from_utf8(output.expect("a shell").stdout).expect("UTF-8")
    };
    sh("tamper testgen uppaal-models/lamp.xml --out lamp.json");
    let session = lamp_session(&readme);
    assert_eq!(session.len(), 3);
    for (command, shown) in session {
        assert_eq!(sh(&command), shown, "{command}");
    }
}

/// The rows of the tables in the part of `page` from the heading `from` to the next heading.
fn rows<'a>(page: &'a str, from: &str) -> Vec<&'a str> {
    let (_, part) = page.split_once(from).expect("the page has this heading");
    let part = part.split("\n## ").next().expect("text follows it");
    part.lines().filter(|line| line.starts_with("| ")).collect()
}

fn text(path: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

#[test]
fn the_notes_quote_the_tables_that_their_programs_printed() {
    let quoted = [
        (
            "docs/notes/0003-statically-non-subsumed.md",
            "results/effective-lemmata.md",
            vec!["## The six studies, order 1"],
            20,
        ),
        (
            "docs/notes/0004-composition-of-violations.md",
            "results/composition.md",
            vec!["## All small games, strict\n\n|", "## The six studies, order 2"],
            21,
        ),
    ];
    for (note, results, parts, n_rows) in quoted {
        let (note_text, results_text) = (text(note), text(results));
        let printed = parts.iter().flat_map(|part| rows(&results_text, part));
        // The sizes of the games searched are in a table of their own, which the note sums up.
        let printed: Vec<_> = printed.filter(|row| row.split('|').count() != 5).collect();
        assert_eq!(printed.len(), n_rows, "{results}: {printed:#?}");
        for row in printed {
            assert!(note_text.lines().any(|line| line == row), "{note} lacks {row}");
        }
    }
}

#[test]
fn the_note_on_composition_quotes_the_sums_of_the_search() {
    let note = text("docs/notes/0004-composition-of-violations.md").replace(',', "");
    let printed = text("results/composition.md");
    for semantics in ["definition", "strict", "tiga"] {
        let (_, part) = printed
            .split_once(&format!("## All small games, {semantics}\n"))
            .expect("its part");
        // "label: N sequences, M non-subsumed."
        let sums = |label: &str| {
            let line = part.lines().find(|line| line.starts_with(label)).expect("a sum");
            let numbers: Vec<_> = line
                .split(|character: char| !character.is_ascii_digit())
                .filter(|number| !number.is_empty())
                .collect();
            numbers.join(" | ")
        };
        let row = format!(
            " | {} | {} |",
            sums("Both named by a rule"),
            sums("One or both found subsumed by the game only")
        );
        let start = format!("| {semantics} | ");
        assert!(
            note.lines()
                .any(|line| line.starts_with(&start) && line.ends_with(&row)),
            "no row {start}…{row}"
        );
    }
}

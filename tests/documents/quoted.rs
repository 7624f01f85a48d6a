//! The tables that the notes quote are those that their programs printed.

use super::text;

/// The rows of the tables in the part of `page` from the heading `from` to the next heading.
fn rows<'a>(page: &'a str, from: &str) -> Vec<&'a str> {
    let (_, part) = page.split_once(from).expect("the page has this heading");
    let part = part.split("\n## ").next().expect("text follows it");
    part.lines().filter(|line| line.starts_with("| ")).collect()
}

#[test]
fn the_notes_quote_the_tables_that_their_programs_printed() {
    let quoted = [
        (
            "docs/notes/0003-statically-non-subsumed.md",
            "results/effective-lemmata/page.md",
            vec!["## The six studies, order 1"],
            20,
        ),
        (
            "docs/notes/0004-composition-of-violations.md",
            "results/composition/page.md",
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
    let printed = text("results/composition/page.md");
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

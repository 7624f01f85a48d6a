//! `docs/papers.md`: what each row names is there, and no row stands for something that no test holds.

use super::{root, text};

/// What rows say that no test holds.
const WITHOUT: [&str; 3] = ["missing", "partial: ", "not a claim about tools"];

/// What stands between backticks.
fn quoted(cell: &str) -> impl Iterator<Item = &str> {
    cell.split('`').skip(1).step_by(2)
}

/// Whether the text has a test of that name.
fn has_test(text: &str, name: &str) -> bool {
    let declared = format!("fn {name}(");
    text.match_indices(&declared).any(|(at, _)| {
        let before = &text[..at];
        let attributes = before.rsplit("}\n").next().unwrap_or(before);
        attributes.contains("#[test]")
    })
}

/// What is wrong with the places that a cell names: paths, and behind each the items, or the tests, of that file.
fn wrong(cell: &str, are_tests: bool) -> Option<String> {
    let mut file = None;
    for name in quoted(cell) {
        match (name.contains('/') && !name.contains(' '), &file) {
            (true, _) if !root(name).exists() => return Some(format!("{name} is not there")),
            (true, _) if root(name).is_dir() => file = None,
            (true, _) => file = Some((name, text(name))),
            (false, Some((path, text))) if are_tests && !has_test(text, name) => {
                return Some(format!("{path} has no test {name}"));
            }
            (false, Some((path, text))) if !text.contains(name) => return Some(format!("{path} has no {name}")),
            (false, None) if are_tests => return Some(format!("{name} is in no file")),
            _ => {}
        }
    }
    None
}

/// What is wrong with a row: number, what it says, where it is, which test holds it.
fn fault(row: &str) -> Option<String> {
    let cells: Vec<&str> = row.trim_matches('|').split(" | ").map(str::trim).collect();
    let [number, says, place, test] = cells[..] else {
        return Some(format!("{} cells", cells.len()));
    };
    if number.is_empty() || says.split_whitespace().count() > 15 {
        return Some("a number and at most fifteen words".to_owned());
    }
    let without = WITHOUT.into_iter().find(|words| test.starts_with(words));
    let is_held = quoted(test).any(|name| name.ends_with(".rs")) && quoted(test).any(|name| !name.contains('/'));
    match without {
        None if !is_held => return Some("no test".to_owned()),
        None if quoted(place).next().is_none() => return Some("no place".to_owned()),
        _ => {}
    }
    wrong(place, false).or_else(|| wrong(test, true))
}

#[test]
fn every_row_about_the_papers_names_a_place_and_a_test_that_exist() {
    let page = text("docs/papers.md");
    let mut faults = Vec::new();
    for paper in ["[000]", "[001]", "[002]", "[003]", "[004]"] {
        let section = page.split("\n## ").find(|section| section.starts_with(paper));
        let rows = section.unwrap_or_else(|| panic!("no section {paper}")).lines();
        let rows: Vec<&str> = rows.filter(|line| line.starts_with("| ")).skip(1).collect();
        assert!(rows.len() >= 20, "{paper}: {} rows", rows.len());
        faults.extend(rows.iter().filter_map(|row| Some(format!("{row}\n  {}", fault(row)?))));
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

//! The text of a system on its page: its lines are what mutants change.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use serde_json::{Value, json};

use super::touched::Part;
use crate::formats::escape_xml;

/// The lines of a file, and those in which a mutant changes something.
pub(super) struct Listing {
    lines: Vec<String>,
    marked: BTreeSet<Part>,
}

impl Listing {
    /// The lines of `text`, none of them changed.
    pub fn new(text: &str) -> Self {
        Self {
            lines: text.lines().map(str::to_owned).collect(),
            marked: BTreeSet::new(),
        }
    }

    /// Some mutant changes something in this line, from 0.
    pub fn mark(&mut self, line: Part) {
        self.marked.insert(line);
    }

    /// What parts are called: lines, from 1.
    pub fn parts(&self) -> Vec<Value> {
        let names = 1..=self.lines.len();
        names
            .map(|line| json!({ "kind": "line", "name": line.to_string() }))
            .collect()
    }

    /// The text, with a button for each line that mutants change.
    pub fn html(&self) -> String {
        let mut html = "<figure data-first=\"0\"><pre class=\"listing\">".to_owned();
        for (at, line) in self.lines.iter().enumerate() {
            let (number, line) = (at + 1, escape_xml(line));
            // Writing to a text does not fail.
            let _ = match self.marked.contains(&at) {
                true => writeln!(
                    html,
                    "<span role=\"button\" tabindex=\"0\" data-parts=\"{at}\">{number:>4}  {line}</span>"
                ),
                false => writeln!(html, "{number:>4}  {line}"),
            };
        }
        html + "</pre></figure>"
    }
}

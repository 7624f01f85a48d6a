//! The text of a system on its page. Its lines are the parts that mutants change.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::touched::PartIndex;
use tamper_text::xml::Element;

/// The lines of a file, and the lines that mutants change.
pub(super) struct Listing {
    lines: Vec<String>,
    marked: BTreeSet<PartIndex>,
}

impl Listing {
    /// The lines of `text`, none of them changed.
    pub fn new(text: &str) -> Self {
        Self {
            lines: text.lines().map(str::to_owned).collect(),
            marked: BTreeSet::new(),
        }
    }

    /// Notes that some mutant changes this line, counted from 0.
    pub fn mark(&mut self, line: PartIndex) {
        self.marked.insert(line);
    }

    /// The names of the parts: line numbers, from 1.
    pub fn parts(&self) -> Vec<Value> {
        let names = 1..=self.lines.len();
        names
            .map(|line| json!({ "kind": "line", "name": line.to_string() }))
            .collect()
    }

    /// The text, with a button for each line that mutants change.
    pub fn html(&self) -> String {
        let lines = self.lines.iter().enumerate().map(|(at, line)| {
            let text = format!("{:>4}  {line}", at + 1);
            let line = match self.marked.contains(&at) {
                true => Element::new("span")
                    .with("role", "button")
                    .with("tabindex", 0)
                    .with("data-parts", at),
                false => Element::new("span"),
            };
            line.text(text).to_string() + "\n"
        });
        let listing = Element::new("pre")
            .with("class", "listing")
            .markup(lines.collect::<String>());
        let figure = Element::new("figure").with("data-first", 0);
        figure.children([listing]).to_string()
    }
}

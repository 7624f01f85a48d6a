//! The mutants that a suite is not made for.

use serde_json::{Value, json};

/// How many mutants no tests are made for, although the command is about them.
#[derive(Clone, Copy, Default)]
pub struct NotTargets {
    /// The accepted ones.
    pub accepted: usize,
    /// Those at places that did not change, if only changed ones were asked for.
    pub not_asked: Option<u64>,
}

impl NotTargets {
    /// Adds the numbers to an answer.
    pub fn add_to(self, answer: &mut Value) {
        if self.accepted > 0 {
            answer["accepted"] = json!(self.accepted);
        }
        if let Some(not_asked) = self.not_asked {
            answer["not_asked"] = json!(not_asked);
        }
    }

    /// Lines behind an answer, each behind a line break.
    pub fn text(self) -> String {
        let accepted = match self.accepted {
            0 => String::new(),
            accepted => format!("\naccepted, and so no targets: {accepted} more"),
        };
        let not_asked = self
            .not_asked
            .map(|n| format!("\nnot asked: {n} mutants at places that did not change"));
        accepted + &not_asked.unwrap_or_default()
    }
}

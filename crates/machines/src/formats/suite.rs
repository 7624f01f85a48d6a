//! Suites as text: one test per line.

use super::text::before_comment;
use crate::{InputId, MutationMachine};
use tamper_text::ReadError;
use tamper_text::decode;
use tamper_text::words;
use tamper_text::{Diagnostic, Span};

/// The tests for `machine` in `bytes`, the content of a file called `name`.
///
/// # Errors
/// All words that are not inputs.
pub fn read_suite(name: &str, bytes: &[u8], machine: &MutationMachine) -> Result<Vec<Vec<InputId>>, ReadError> {
    let file = decode(name, bytes)?;
    let mut reader = SuiteReader::new(machine);
    let mut tests = Vec::new();
    let mut start = 0;
    for line in file.text().split_inclusive('\n') {
        let words = before_comment(words(line, start));
        start += line.len();
        if words.is_empty() {
            continue;
        }
        let mut test = Vec::new();
        for (word, span) in words {
            reader.word(word, span, &mut test);
        }
        tests.push(test);
    }
    let diagnostics = reader.diagnostics;
    if diagnostics.is_empty() {
        Ok(tests)
    } else {
        Err(ReadError { file, diagnostics })
    }
}

struct SuiteReader<'m> {
    inputs: rustc_hash::FxHashMap<&'m str, InputId>,
    /// Whether words can be spelt input by input.
    spelt: bool,
    help: String,
    diagnostics: Vec<Diagnostic>,
}

impl<'m> SuiteReader<'m> {
    fn new(machine: &'m MutationMachine) -> Self {
        let named = machine.inputs().iter_enumerated();
        let shown: Vec<&str> = machine.inputs().iter().take(20).map(String::as_str).collect();
        let more = if machine.inputs().len() > shown.len() {
            ", …"
        } else {
            ""
        };
        Self {
            inputs: named.map(|(id, name)| (name.as_str(), id)).collect(),
            spelt: machine.inputs().iter().all(|name| name.chars().count() == 1),
            help: format!("the inputs are {}{more}", shown.join(", ")),
            diagnostics: Vec::new(),
        }
    }
    fn word(&mut self, word: &str, span: Span, test: &mut Vec<InputId>) {
        if let Some(input) = self.inputs.get(word) {
            test.push(*input);
            return;
        }
        if !self.spelt {
            self.unknown(word, span);
            return;
        }
        for (at, character) in word.char_indices() {
            let letter = &word[at..at + character.len_utf8()];
            match self.inputs.get(letter) {
                Some(input) => test.push(*input),
                None => {
                    let start = span.start as usize + at;
                    self.unknown(letter, Span::new(start, start + letter.len()));
                }
            }
        }
    }
    fn unknown(&mut self, word: &str, span: Span) {
        let message = format!("the machine has no input `{word}`");
        self.diagnostics
            .push(Diagnostic::error(message, span).with_help(self.help.clone()));
    }
}

/// `tests` as text, one per line.
pub fn write_suite(machine: &MutationMachine, tests: &[Vec<InputId>]) -> String {
    let mut text = String::new();
    for test in tests {
        text.push_str(&machine.show_inputs(test));
        text.push('\n');
    }
    text
}

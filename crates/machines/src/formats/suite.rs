//! Suites as text: one test per line, each step an input or `input/answer`.

use rustc_hash::FxHashMap;

use crate::{InputId, MutationMachine};
use tamper_text::{Diagnostic, ReadError, SourceFile, Span, StopReason, decode, visible};

/// The tests of a file, with the answers that it expects.
#[derive(Clone, Debug)]
pub struct MachineSuite {
    /// The inputs of each test.
    pub tests: Vec<Vec<InputId>>,
    /// The expected answers, in the order of the file.
    pub answers: Vec<ExpectedAnswer>,
    file: SourceFile,
}

/// An answer that a file expects.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ExpectedAnswer {
    /// The position of the test in the suite.
    pub test: usize,
    /// The position of the step in the test.
    pub step: usize,
    /// The name of the answer.
    pub output: String,
    span: Span,
}

impl MachineSuite {
    /// The expected answers that the specification of `machine` does not give, each with what it answers instead.
    ///
    /// # Errors
    /// The limit that hides an answer.
    pub fn wrong_answers(&self, machine: &MutationMachine) -> Result<Vec<(&ExpectedAnswer, String)>, StopReason> {
        let mut wrong = Vec::new();
        for of_test in self.answers.chunk_by(|one, other| one.test == other.test) {
            let given = machine.answers(&self.tests[of_test[0].test]);
            let differs = of_test
                .iter()
                .filter(|expected| expected.output != given[expected.step]);
            wrong.extend(differs.map(|expected| (expected, given[expected.step].clone())));
        }
        machine.stopped().map_or(Ok(wrong), Err)
    }

    /// The tests, if the specification of `machine` gives all answers that the file expects.
    ///
    /// # Errors
    /// Every other answer, with its test and step. What a limit hides is no error.
    pub fn agreeing_with(self, machine: &MutationMachine) -> Result<Vec<Vec<InputId>>, ReadError> {
        let wrong = self.wrong_answers(machine).unwrap_or_default();
        let diagnostics: Vec<Diagnostic> = wrong
            .into_iter()
            .map(|(expected, got)| expected.refuted(&got))
            .collect();
        match diagnostics.is_empty() {
            true => Ok(self.tests),
            false => Err(ReadError {
                file: self.file,
                diagnostics,
            }),
        }
    }
}

impl ExpectedAnswer {
    fn refuted(&self, got: &str) -> Diagnostic {
        let message = format!(
            "test {}, step {}: expected `{}`, the machine answers `{}`",
            self.test + 1,
            self.step + 1,
            visible(&self.output),
            visible(got)
        );
        Diagnostic::error(message, self.span).with_help(
            "the suite is not one of this machine, or one of the two is wrong; `tamper check --run WORD MACHINE` shows what it answers",
        )
    }
}

/// The tests for `machine` in `bytes`, the content of a file called `name`.
///
/// # Errors
/// All words that are no inputs, and those that are several.
pub fn read_suite(name: &str, bytes: &[u8], machine: &MutationMachine) -> Result<MachineSuite, ReadError> {
    let file = decode(name, bytes)?;
    let mut reader = SuiteReader::of(machine);
    let read = reader.tests(file.text());
    if !reader.diagnostics.is_empty() {
        let diagnostics = reader.diagnostics;
        return Err(ReadError { file, diagnostics });
    }
    let (mut tests, mut answers) = (Vec::new(), Vec::new());
    for (test, steps) in read.into_iter().enumerate() {
        tests.push(steps.iter().map(|step| reader.inputs[step.input.as_str()]).collect());
        for (step, read) in steps.into_iter().enumerate() {
            let span = read.span;
            answers.extend(read.answer.map(|output| ExpectedAnswer {
                test,
                step,
                output,
                span,
            }));
        }
    }
    Ok(MachineSuite { tests, answers, file })
}

/// The inputs of each test in `bytes` with their answers, for a system whose inputs are not known.
///
/// # Errors
/// All steps without an answer, and those with several readings.
pub fn read_answered_suite(name: &str, bytes: &[u8]) -> Result<Vec<Vec<(String, String)>>, ReadError> {
    let file = decode(name, bytes)?;
    let mut reader = SuiteReader::default();
    let read = reader.tests(file.text());
    let mut diagnostics = std::mem::take(&mut reader.diagnostics);
    let mut pair = |step: ReadStep| {
        if step.answer.is_none() {
            let error = Diagnostic::error("this step has no answer to compare with", step.span);
            diagnostics.push(error.with_help("write INPUT/ANSWER, as `tamper testgen` and `tamper coverage --out` do"));
        }
        (step.input, step.answer.unwrap_or_default())
    };
    let tests = read
        .into_iter()
        .map(|test| test.into_iter().map(&mut pair).collect())
        .collect();
    match diagnostics.is_empty() {
        true => Ok(tests),
        false => Err(ReadError { file, diagnostics }),
    }
}

/// A step as it is written.
#[derive(PartialEq, Eq, Debug)]
struct ReadStep {
    input: String,
    answer: Option<String>,
    span: Span,
}

#[derive(Default)]
struct SuiteReader<'m> {
    inputs: FxHashMap<&'m str, InputId>,
    /// Whether the inputs are known.
    is_of_machine: bool,
    /// Whether words can be spelt input by input.
    is_spelt: bool,
    help: String,
    diagnostics: Vec<Diagnostic>,
}

impl<'m> SuiteReader<'m> {
    fn of(machine: &'m MutationMachine) -> Self {
        let named = machine.inputs().iter_enumerated();
        let shown: Vec<&str> = machine.inputs().iter().take(20).map(String::as_str).collect();
        let more = if machine.inputs().len() > shown.len() {
            ", …"
        } else {
            ""
        };
        Self {
            inputs: named.map(|(id, name)| (name.as_str(), id)).collect(),
            is_of_machine: true,
            is_spelt: machine.inputs().iter().all(|name| name.chars().count() == 1),
            help: format!("the inputs are {}{more}", shown.join(", ")),
            diagnostics: Vec::new(),
        }
    }

    fn tests(&mut self, text: &str) -> Vec<Vec<ReadStep>> {
        let mut tests = Vec::new();
        let mut start = 0;
        for line in text.split_inclusive('\n') {
            let words = steps(line);
            let mut test = Vec::with_capacity(words.len());
            let is_empty = words.is_empty();
            for (at, word) in words {
                self.step(word, start + at, &mut test);
            }
            start += line.len();
            if !is_empty {
                tests.push(test);
            }
        }
        tests
    }

    fn is_input(&self, name: &str) -> bool {
        !name.is_empty() && (!self.is_of_machine || self.inputs.contains_key(name))
    }

    /// Reads a word: an input, an input and an answer, or inputs of one character each.
    fn step(&mut self, word: &str, start: usize, test: &mut Vec<ReadStep>) {
        let span = Span::new(start, start + word.len());
        let mut add = |input: &str, answer, span| {
            let input = input.to_owned();
            test.push(ReadStep { input, answer, span });
        };
        if self.inputs.contains_key(word) {
            return add(word, None, span);
        }
        if let Some((input, answer)) = quoted(word).filter(|(input, _)| self.is_input(input)) {
            return add(input, Some(answer), span);
        }
        let slashes = word.match_indices('/').map(|(at, _)| (&word[..at], &word[at + 1..]));
        let pairs: Vec<(&str, &str)> = slashes
            .filter(|(input, answer)| self.is_input(input) && !answer.is_empty())
            .collect();
        match pairs.as_slice() {
            [(input, answer)] => return add(input, Some((*answer).to_owned()), span),
            [] => {}
            [(input, answer), ..] => {
                let message = format!("which `/` of `{}` separates input and answer?", visible(word));
                let help = format!("put the answer in quotes, as in {input}/\"{answer}\"");
                return self.diagnostics.push(Diagnostic::error(message, span).with_help(help));
            }
        }
        if !self.is_of_machine {
            return add(word, None, span);
        }
        if !self.is_spelt {
            return self.diagnostics.push(self.unknown_input(word, span));
        }
        for (at, character) in word.char_indices() {
            let span = Span::new(start + at, start + at + character.len_utf8());
            let letter = &word[at..at + character.len_utf8()];
            match self.inputs.contains_key(letter) {
                true => add(letter, None, span),
                false => self.diagnostics.push(self.unknown_input(letter, span)),
            }
        }
    }

    fn unknown_input(&self, word: &str, span: Span) -> Diagnostic {
        Diagnostic::error(format!("the machine has no input `{word}`"), span).with_help(self.help.clone())
    }
}

/// The words of a line up to a comment, with their places. Spaces in a quoted answer (`input/"two words"`) separate nothing.
fn steps(line: &str) -> Vec<(usize, &str)> {
    let mut words = Vec::new();
    let mut at = 0;
    while let Some(space) = line[at..].find(|sign: char| !sign.is_whitespace()) {
        let start = at + space;
        if line[start..].starts_with('#') {
            break;
        }
        let blank = |from: usize| {
            line[from..]
                .find(char::is_whitespace)
                .map_or(line.len(), |len| from + len)
        };
        at = blank(start);
        let quotes = line[start..at].find("/\"").map(|quotes| start + quotes + 2);
        if let Some(closing) = quotes.and_then(|open| closing(line, open)) {
            at = blank(closing);
        }
        words.push((start, &line[start..at]));
    }
    words
}

/// The place behind the quotes that close those before `open`, if the word ends there.
fn closing(line: &str, open: usize) -> Option<usize> {
    let mut is_escaped = false;
    for (at, sign) in line[open..].char_indices() {
        match sign {
            '"' if !is_escaped => {
                let end = open + at + 1;
                return line[end..]
                    .chars()
                    .next()
                    .is_none_or(char::is_whitespace)
                    .then_some(end);
            }
            _ => is_escaped = sign == '\\' && !is_escaped,
        }
    }
    None
}

/// The input and the answer of `input/"answer"`.
fn quoted(word: &str) -> Option<(&str, String)> {
    let (input, rest) = word.split_once("/\"")?;
    if closing(word, input.len() + 2) != Some(word.len()) {
        return None;
    }
    let mut answer = String::new();
    let mut signs = rest[..rest.len() - 1].chars();
    while let Some(sign) = signs.next() {
        answer.extend(if sign == '\\' { signs.next() } else { Some(sign) });
    }
    Some((input, answer))
}

/// `tests` as text, one per line, with the answers of the specification of `machine`. A test has inputs only if a limit hides an answer.
pub fn write_suite(machine: &MutationMachine, tests: &[Vec<InputId>]) -> String {
    let mut reader = SuiteReader::of(machine);
    let mut text = String::new();
    for test in tests {
        let answers = machine.answers(test);
        let shown: Vec<String> = match machine.stopped() {
            None => test
                .iter()
                .zip(&answers)
                .map(|(input, answer)| reader.pair(&machine.inputs()[*input], answer))
                .collect(),
            Some(_) => test.iter().map(|input| machine.inputs()[*input].clone()).collect(),
        };
        text.push_str(&shown.join(" "));
        text.push('\n');
    }
    text
}

impl SuiteReader<'_> {
    /// The step as text: in quotes where it is read in another way without them, and the input alone where no text is read as it.
    fn pair(&mut self, input: &str, answer: &str) -> String {
        let escaped = answer.replace('\\', "\\\\").replace('"', "\\\"");
        for text in [format!("{input}/{answer}"), format!("{input}/\"{escaped}\"")] {
            let mut read = Vec::new();
            if !text.contains(['\n', '\r']) && steps(&text) == [(0, text.as_str())] {
                self.step(&text, 0, &mut read);
            }
            self.diagnostics.clear();
            if matches!(read.as_slice(), [step] if step.input == input && step.answer.as_deref() == Some(answer)) {
                return text;
            }
        }
        input.to_owned()
    }
}

//! A session with a learner: its state, and the answer to each line.

use std::collections::BTreeMap;
use std::path::Path;

use rustc_hash::FxHashMap;

use tamper::formats::machines::{MachineFormat, MachineOptions, read_machine};
use tamper::formats::{FileKind, ReadError, read_input};
use tamper::machines::{
    FirstOrderPlan, InputId, MOST_INPUTS, MutationMachine, OneFault, difference, first_order_suite, identifying_suite,
};
use tamper::text::{Budget, Id};

/// The default length of tests for mutants with one fault.
const TEST_LENGTH: usize = 30;
/// The largest hypothesis that is read line by line, in bytes.
const LONGEST_HYPOTHESIS: usize = 64 << 20;

/// A session with a learner.
pub struct LearnerSession {
    system: Option<MutationMachine>,
    options: MachineOptions,
    hypothesis: Option<MutationMachine>,
    /// The hypothesis that is being read.
    reading: Option<(MachineFormat, String)>,
    /// The system's answers to words: inputs and outputs by number. Words that are prefixes of longer words are left out.
    seen: BTreeMap<Vec<u32>, Vec<u32>>,
    names: Vec<String>,
    numbers: FxHashMap<String, u32>,
}

type OracleReply = Result<String, String>;

impl LearnerSession {
    /// A session in which nothing was asked yet.
    pub fn new(system: Option<MutationMachine>, options: MachineOptions) -> Self {
        Self {
            system,
            options,
            hypothesis: None,
            reading: None,
            seen: BTreeMap::new(),
            names: Vec::new(),
            numbers: FxHashMap::default(),
        }
    }
    /// Whether lines belong to a hypothesis.
    pub fn is_reading(&self) -> bool {
        self.reading.is_some()
    }
    /// The answer to a line; `None` for the lines of a hypothesis before its last.
    pub fn hear(&mut self, line: &str) -> Option<String> {
        let answer = match self.reading.take() {
            Some((format, text)) => self.read_on(line, format, text)?,
            None => self.question(line)?,
        };
        // One line, whatever is in a name.
        Some(answer.unwrap_or_else(|why| format!("error {}", why.replace(['\n', '\r'], " "))))
    }
    /// The answer to the end of the input: an error if it cuts off a hypothesis.
    pub fn end(&self) -> Option<String> {
        let reading = self.reading.as_ref();
        reading.map(|_| "error the hypothesis has no line `end`".to_owned())
    }

    fn question(&mut self, line: &str) -> Option<OracleReply> {
        let words: Vec<&str> = line.split_whitespace().collect();
        Some(match words.as_slice() {
            ["inputs"] => self.inputs(),
            ["word", inputs @ ..] => self.word(inputs),
            ["seen", words @ ..] => self.see(words),
            ["hypothesis", "dot"] => {
                self.reading = Some((MachineFormat::Dot, String::new()));
                return None;
            }
            ["hypothesis", "text"] => {
                self.reading = Some((MachineFormat::Text, String::new()));
                return None;
            }
            ["hypothesis", "file", ..] => {
                let path = line.trim_start()["hypothesis".len()..].trim_start()["file".len()..].trim();
                self.read_file(Path::new(path))
            }
            ["equivalent"] => self.equivalent(),
            ["suite", "one", numbers @ ..] => self.suite(OneFault::Transition, numbers),
            ["suite", "split", numbers @ ..] => self.suite(OneFault::Split, numbers),
            ["suite", "all", extra @ ..] => self.complete_suite(extra),
            ["inputs" | "equivalent", more, ..] => Err(format!("nothing goes behind `{}`, not `{more}`", words[0])),
            ["hypothesis", ..] => Err("a hypothesis comes as dot, text or file: `hypothesis dot`".to_owned()),
            ["suite", ..] => Err("a suite is one, split or all: `suite one`".to_owned()),
            [] => Err("this line asks nothing".to_owned()),
            [other, ..] => Err(format!(
                "`{other}` is none of inputs, word, seen, hypothesis, equivalent, suite, quit"
            )),
        })
    }

    fn system(&self) -> Result<&MutationMachine, String> {
        let system = self.system.as_ref();
        system.ok_or_else(|| "there is no machine: tamper oracle MACHINE has one".to_owned())
    }
    fn hypothesis(&self) -> Result<&MutationMachine, String> {
        let hypothesis = self.hypothesis.as_ref();
        hypothesis.ok_or_else(|| "there is no hypothesis yet".to_owned())
    }
    fn inputs(&self) -> OracleReply {
        Ok(joined("inputs", self.system()?.inputs().iter()))
    }
    fn word(&mut self, words: &[&str]) -> OracleReply {
        let system = self.system()?;
        let outputs = system.answers(&ids(system, words)?);
        self.keep(words, &outputs);
        Ok(joined("outputs", &outputs))
    }
    fn see(&mut self, words: &[&str]) -> OracleReply {
        let n_inputs = words.len() / 2;
        if words.len().is_multiple_of(2) || words[n_inputs] != "/" {
            return Err("write `seen INPUTS / OUTPUTS`, as many of the one as of the other".to_owned());
        }
        let (inputs, outputs) = (&words[..n_inputs], owned(&words[n_inputs + 1..]));
        let before = match self.system() {
            Ok(system) => Some(system.answers(&ids(system, inputs)?)),
            Err(_) => {
                let word = self.numbers(inputs.iter().copied());
                let before = self.seen.get(&word);
                before.map(|numbers| owned(&self.spelt(numbers)))
            }
        };
        match before {
            Some(before) if before != outputs => Err(format!("the answer is {}", before.join(" "))),
            _ => {
                self.keep(inputs, &outputs);
                Ok("ok".to_owned())
            }
        }
    }

    fn read_on(&mut self, line: &str, format: MachineFormat, mut text: String) -> Option<OracleReply> {
        if line.trim() == "end" {
            return Some(if text.len() > LONGEST_HYPOTHESIS {
                Err(format!("a hypothesis has at most {LONGEST_HYPOTHESIS} bytes"))
            } else {
                self.read(text.as_bytes(), format)
            });
        }
        // Of a hypothesis that is too long, only the end is awaited.
        if text.len() <= LONGEST_HYPOTHESIS {
            text.push_str(line);
            text.push('\n');
        }
        self.reading = Some((format, text));
        None
    }
    fn read_file(&mut self, path: &Path) -> OracleReply {
        let read = || -> Result<(Vec<u8>, MachineFormat), ReadError> {
            let bytes = read_input(path, "name the file of a machine")?;
            match FileKind::of(path)? {
                FileKind::Machine(format) => Ok((bytes, format)),
                _ => Ok((bytes, MachineFormat::Text)),
            }
        };
        match read() {
            Ok((bytes, format)) => self.read(&bytes, format),
            Err(error) => Err(first_error(&error)),
        }
    }
    fn read(&mut self, bytes: &[u8], format: MachineFormat) -> OracleReply {
        let read = read_machine("hypothesis", bytes, format, &self.options);
        let machine = read.map_err(|error| first_error(&error))?.machine;
        if machine.extended().is_some() {
            return Err("a hypothesis has no variables and no super-states".to_owned());
        }
        if machine.n_mutated() > 0 {
            return Err("a hypothesis has no mutated transitions".to_owned());
        }
        let answer = format!("read {} states", machine.states().len());
        self.hypothesis = Some(machine);
        Ok(answer)
    }

    fn equivalent(&self) -> OracleReply {
        let compared = difference(self.system()?, self.hypothesis()?, &Budget::unlimited());
        Ok(match compared.map_err(|error| error.to_string())? {
            None => "equivalent".to_owned(),
            Some(found) => counterexample(&found.inputs, &found.left, &found.right),
        })
    }

    fn suite(&self, faults: OneFault, numbers: &[&str]) -> OracleReply {
        let (length, most) = match numbers {
            [] => (TEST_LENGTH, usize::MAX),
            [length] => (number(length)?, usize::MAX),
            [length, most] => (number(length)?, number(most)?),
            _ => return Err("write `suite one`, or `split`, with a length of tests and a number of them".to_owned()),
        };
        let plan = FirstOrderPlan { faults, length, most };
        let hypothesis = self.hypothesis()?;
        if let Some(known) = self.known_counterexample(hypothesis)? {
            return Ok(known);
        }
        let mut seen: Vec<Vec<InputId>> = Vec::new();
        for inputs in self.seen.keys() {
            let word = ids(hypothesis, &self.spelt(inputs))?;
            // The answers to a word include the answers to its prefixes.
            match seen.last_mut() {
                Some(last) if word.starts_with(last) => *last = word,
                _ => seen.push(word),
            }
        }
        let found = first_order_suite(hypothesis, &seen, &plan, &budget()).map_err(|error| error.to_string())?;
        Ok(tests(hypothesis, &found.tests, found.n_left))
    }
    /// The shortest prefix of a known word that the hypothesis answers in another way.
    fn known_counterexample(&self, hypothesis: &MutationMachine) -> Result<Option<String>, String> {
        let mut shortest: Option<(usize, String)> = None;
        for (inputs, outputs) in &self.seen {
            let inputs = self.spelt(inputs);
            let (own, outputs) = (hypothesis.answers(&ids(hypothesis, &inputs)?), self.spelt(outputs));
            let Some(at) = (0..own.len()).find(|at| own[*at] != outputs[*at]) else {
                continue;
            };
            if shortest.as_ref().is_none_or(|(length, _)| at < *length) {
                shortest = Some((at, counterexample(&inputs[..=at], &outputs[..=at], &own[..=at])));
            }
        }
        Ok(shortest.map(|(_, found)| found))
    }
    fn complete_suite(&self, extra: &[&str]) -> OracleReply {
        let extra = match extra {
            [] | ["0"] => 0,
            [extra] => number(extra)?,
            _ => return Err("write `suite all`, with a number of states in excess".to_owned()),
        };
        let hypothesis = self.hypothesis()?;
        let found = identifying_suite(hypothesis, extra, &budget()).map_err(|error| error.to_string())?;
        Ok(tests(hypothesis, &found, 0))
    }

    fn keep(&mut self, inputs: &[&str], outputs: &[String]) {
        let (word, answer) = (
            self.numbers(inputs.iter().copied()),
            self.numbers(outputs.iter().map(String::as_str)),
        );
        if let Some((_, beginning)) = word.split_last() {
            self.seen.remove(beginning);
        }
        self.seen.insert(word, answer);
    }
    fn numbers<'a>(&mut self, words: impl Iterator<Item = &'a str>) -> Vec<u32> {
        let mut number = |word: &str| match self.numbers.get(word) {
            Some(known) => *known,
            None => {
                let fresh = self.names.len() as u32;
                self.names.push(word.to_owned());
                self.numbers.insert(word.to_owned(), fresh);
                fresh
            }
        };
        words.map(&mut number).collect()
    }
    fn spelt(&self, numbers: &[u32]) -> Vec<&str> {
        numbers
            .iter()
            .map(|number| self.names[*number as usize].as_str())
            .collect()
    }
}

fn number(word: &str) -> Result<usize, String> {
    match word.parse() {
        Ok(number) if number > 0 => Ok(number),
        _ => Err(format!("`{word}` is no number from 1 on")),
    }
}

fn budget() -> Budget {
    Budget {
        max_states: Some(MOST_INPUTS as u64),
        ..Budget::unlimited()
    }
}

fn tests(machine: &MutationMachine, tests: &[Vec<InputId>], n_left: usize) -> String {
    let mut answer = format!("suite {} left {n_left}", tests.len());
    for test in tests {
        answer.push_str("\ntest ");
        answer.push_str(&machine.show_inputs(test));
    }
    answer
}

fn counterexample<T: AsRef<str>, U: AsRef<str>>(inputs: &[T], system: &[T], hypothesis: &[U]) -> String {
    fn line<T: AsRef<str>>(words: &[T]) -> String {
        words.iter().map(AsRef::as_ref).collect::<Vec<&str>>().join(" ")
    }
    let words = [line(inputs), line(system), line(hypothesis)];
    format!("counterexample {}", words.join(" / "))
}

fn joined<'a>(first: &'a str, words: impl IntoIterator<Item = &'a String>) -> String {
    let words = std::iter::once(first).chain(words.into_iter().map(String::as_str));
    words.collect::<Vec<_>>().join(" ")
}

fn owned(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}

fn ids(machine: &MutationMachine, words: &[&str]) -> Result<Vec<InputId>, String> {
    let known: BTreeMap<&str, usize> = machine.inputs().iter().map(String::as_str).zip(0..).collect();
    let id = |word: &&str| match known.get(word) {
        Some(at) => Ok(InputId::from_index(*at)),
        None => Err(format!(
            "there is no input `{word}`; the inputs are {}",
            machine.show_inputs(&machine.inputs().ids().collect::<Vec<_>>())
        )),
    };
    words.iter().map(id).collect()
}

/// The first error of a file, in one line.
fn first_error(error: &ReadError) -> String {
    let Some(first) = error.diagnostics.first() else {
        return error.to_string();
    };
    let place = first.span.map(|span| error.file.line_col(span.start));
    let place = place.map_or(String::new(), |place| {
        format!("line {}, column {}: ", place.line, place.column)
    });
    let help = first.help.as_ref().map_or(String::new(), |help| format!(" ({help})"));
    format!("{place}{}{help}", first.message)
}

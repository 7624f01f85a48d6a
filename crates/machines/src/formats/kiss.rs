//! KISS2, the exchange format of the logic-synthesis benchmarks.
//!
//! `.i` and `.o` give the numbers of input and output bits, `.p` and `.s` the numbers of lines and states, `.r` the
//! initial state (else the first line's state is initial). A line is `INPUT STATE NEXT OUTPUT`; `-` in an input stands
//! for both values. Every input vector becomes an input. A line `.mutated`, an extension of ours, says that faults
//! follow.

use std::collections::{BTreeMap, BTreeSet};

use super::draft::{MachineDraft, Unspecified};
use super::text::before_comment;
use crate::{InputId, Transition};
use tamper_text::words;
use tamper_text::{Diagnostic, Span};

/// The largest number of input bits: with more, a test could not name the inputs.
const MAX_BITS: usize = 16;

type KissWord<'a> = (&'a str, Span);

/// Reads the lines of `text`.
pub(super) fn read(text: &str, unspecified: Unspecified) -> MachineDraft {
    let mut reader = KissReader {
        draft: MachineDraft::default(),
        fill: unspecified == Unspecified::Fill,
        numbers: BTreeMap::new(),
        inputs: Vec::new(),
        mutated: false,
        seen: BTreeSet::new(),
        n_lines: 0,
    };
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let words = before_comment(words(line, start));
        start += line.len();
        match words.as_slice() {
            [] => {}
            [(".e" | ".end", _)] => break,
            [first, ..] if first.0.starts_with('.') => reader.directive(&words),
            _ => reader.line(&words),
        }
    }
    reader.finish(text)
}

struct KissReader {
    draft: MachineDraft,
    fill: bool,
    /// The numbers given by `.i`, `.o`, `.p` and `.s`.
    numbers: BTreeMap<char, (usize, Span)>,
    /// By input vector.
    inputs: Vec<InputId>,
    mutated: bool,
    /// Cubes can overlap: the transitions added so far, each with whether it is mutated.
    seen: BTreeSet<(bool, crate::StateId, InputId, Transition)>,
    n_lines: usize,
}

impl KissReader {
    fn directive(&mut self, words: &[KissWord<'_>]) {
        match words {
            [(".mutated", _)] => self.mutated = true,
            [(".r", _), (name, span)] => {
                let state = self.draft.state(name, *span);
                self.draft.builder.set_initial(state);
            }
            [(name @ (".i" | ".o" | ".p" | ".s"), _), (number, span)] => {
                let largest = if *name == ".i" { MAX_BITS } else { 1 << 20 };
                match number.parse::<usize>() {
                    Ok(number) if (1..=largest).contains(&number) => self.number(name, number, *span),
                    _ => {
                        let help = format!("a number from 1 to {largest}");
                        self.draft.error(format!("`{name}` cannot be `{number}`"), *span, &help);
                    }
                }
            }
            [(word, span), ..] => {
                let help = "KISS2 has .i, .o, .p, .s, .r and .e, each on a line with one value; .mutated alone";
                self.draft
                    .error(format!("`{word}` is not understood here"), *span, help);
            }
            [] => {}
        }
    }
    fn number(&mut self, name: &str, number: usize, span: Span) {
        let letter = name.chars().nth(1).unwrap_or_default();
        if self.numbers.insert(letter, (number, span)).is_some() {
            self.draft
                .error(format!("`{name}` is given twice"), span, "keep one of the two lines");
        } else if letter == 'i' {
            let names = (0..1_usize << number).map(|vector| format!("{vector:0number$b}"));
            self.inputs = names.map(|name| self.draft.builder.input(&name)).collect();
        }
    }

    fn line(&mut self, words: &[KissWord<'_>]) {
        let [input, from, to, output] = words else {
            let span = Span::new(words[0].1.start as usize, words[words.len() - 1].1.end as usize);
            self.draft
                .error("this line is no transition", span, "write `INPUT STATE NEXT OUTPUT`");
            return;
        };
        let span = Span::new(input.1.start as usize, output.1.end as usize);
        let (Some(n_in), Some(n_out)) = (self.numbers.get(&'i'), self.numbers.get(&'o')) else {
            let help = "say first how many bits there are: `.i N` and `.o N`";
            self.draft.error("a transition stands before `.i` and `.o`", span, help);
            return;
        };
        let (n_in, n_out) = (n_in.0, n_out.0);
        if !(self.bits(input.0, input.1, n_in, true) & self.bits(output.0, output.1, n_out, self.fill)) {
            return;
        }
        if to.0 == "*" && !self.fill {
            let help = "name a state, or let it be the state itself: --unspecified fill";
            self.draft.error("the next state is left open", to.1, help);
            return;
        }
        self.n_lines += usize::from(!self.mutated);
        let state = self.draft.state(from.0, from.1);
        let target = if to.0 == "*" {
            state
        } else {
            self.draft.state(to.0, to.1)
        };
        let output = self.draft.builder.output(&output.0.replace('-', "0"));
        let transition = Transition { output, target };
        for vector in cube(input.0) {
            let input = self.inputs[vector];
            if self.seen.insert((self.mutated, state, input, transition)) {
                self.draft.add(state, input, transition, self.mutated, span);
            }
        }
    }
    /// Whether `word` is a vector of `n_bits` bits; `-` counts as a bit if `open`. If it is not, reports an error.
    fn bits(&mut self, word: &str, span: Span, n_bits: usize, open: bool) -> bool {
        let is_bit = |character| matches!(character, '0' | '1') || (open && character == '-');
        let fits = word.chars().count() == n_bits && word.chars().all(is_bit);
        if !fits {
            let help = if open || !word.contains('-') {
                format!("{n_bits} characters, each 0, 1 or -")
            } else {
                "an output bit that is left open cannot be checked: write 0 or 1, or read it as 0: --unspecified fill"
                    .to_owned()
            };
            self.draft
                .error(format!("`{word}` is no vector of {n_bits} bits"), span, &help);
        }
        fits
    }

    fn finish(mut self, text: &str) -> MachineDraft {
        if self.draft.spans.is_empty() && self.draft.diagnostics.is_empty() {
            let help = "write `.i N`, `.o N` and lines `INPUT STATE NEXT OUTPUT`";
            self.draft
                .error("the file has no transition", Span::new(0, text.len().min(1)), help);
        }
        let counted = [('p', "lines", self.n_lines), ('s', "states", self.draft.states.len())];
        for (letter, what, there) in counted {
            if let Some((said, span)) = self.numbers.get(&letter).filter(|(said, _)| *said != there) {
                let message = format!("the file says {said} {what}, there are {there}");
                self.draft
                    .diagnostics
                    .push(Diagnostic::warning(message, *span).with_help("correct the number"));
            }
        }
        self.draft
    }
}

/// The vectors of a cube, as numbers.
fn cube(pattern: &str) -> Vec<usize> {
    let mut vectors = vec![0];
    for character in pattern.chars() {
        let bits: &[usize] = match character {
            '0' => &[0],
            '1' => &[1],
            _ => &[0, 1],
        };
        vectors = vectors
            .iter()
            .flat_map(|vector| bits.iter().map(move |bit| 2 * vector + bit))
            .collect();
    }
    vectors
}

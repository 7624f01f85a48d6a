//! The expressions of words only: shifts, `::`, bits, functions; and the check that operands of words have the same
//! type.

use super::expression::{ExprResult, expr};
use super::meanings::word_name;
use super::reader::SmvReader;
use super::words::WordType;
use crate::formats::tokens::{ErrorReported, WIDEST};
use crate::{Expr, ExprKind, Unary};
use tamper_text::{Diagnostic, Height, Span};

impl SmvReader<'_> {
    pub(super) fn concatenation(&mut self) -> ExprResult {
        let mut left = self.negation()?;
        while self.tokens.take("::") {
            let (height, word) = (self.height, self.word);
            let right = self.negation()?;
            self.above(height)?;
            let span = left.span.to(right.span);
            let (Some(first), Some(second)) = (word, self.word) else {
                return Err(self.refuse(
                    "only words are put one before the other",
                    span,
                    "write `word1(…)` for a truth value",
                ));
            };
            if first.width + second.width > WIDEST {
                let message = format!("this word has more than {WIDEST} bits");
                return Err(self.refuse(message, span, "keep words small"));
            }
            self.need_one(&left)?;
            self.need_one(&right)?;
            let (joined, word) = first.joined(left, second, right);
            self.word = Some(word);
            left = self.lowered(joined, span)?;
        }
        Ok(left)
    }
    /// A computed word, with the place `span`.
    pub(super) fn lowered(&mut self, word: Expr, span: Span) -> ExprResult {
        // The greatest height of a computed word.
        for _ in 0..8 {
            self.above(Height::LEAF)?;
        }
        Ok(Expr { span, ..word })
    }
    /// Reads any number of selections `[7 : 4]` behind `word`.
    pub(super) fn selection(&mut self, mut word: Expr) -> ExprResult {
        while let (Some(whole), true) = (self.word, self.tokens.is("[")) {
            self.tokens.advance();
            let first = self.tokens.here();
            let high = self.width(0)?;
            self.tokens.expect(":")?;
            let low = self.width(0)?;
            let bits = self.tokens.since(first);
            self.tokens.expect("]")?;
            if high >= whole.width || low > high {
                let message = format!("a word of {} bits has no bits from {high} to {low}", whole.width);
                return Err(self.refuse(message, bits, "the last bit is 0, and the higher number is first"));
            }
            self.need_one(&word)?;
            let span = self.tokens.since(word.span);
            let (selected, chosen) = whole.selected(word, high, low);
            self.word = Some(chosen);
            word = self.lowered(selected, span)?;
        }
        Ok(word)
    }
    /// One of [`WORD_FUNCTIONS`].
    pub(super) fn word_function(&mut self, name: &str, start: Span) -> ExprResult {
        self.tokens.expect("(")?;
        let first = self.expression()?;
        let given = self.word;
        let number = match name {
            "extend" | "resize" | "uwconst" | "swconst" => {
                self.tokens.expect(",")?;
                self.width(u32::from(name != "extend"))?
            }
            _ => 0,
        };
        self.tokens.expect(")")?;
        let span = self.tokens.since(start);
        self.need_one(&first)?;
        let constant = match first.kind {
            ExprKind::Value(value) if given.is_none() && self.program.is_number(&first) => Some(value),
            _ => None,
        };
        let signed = |width| WordType { width, is_signed: true };
        let (word, value) = match (name, given, constant) {
            ("word1", None, _) => {
                self.need_truth(&first)?;
                self.word = Some(WordType::unsigned(1));
                return Ok(expr(ExprKind::Unary(Unary::ToInt, Box::new(first)), span));
            }
            ("sizeof", Some(word), _) => {
                self.word = None;
                return Ok(Expr::unwritten(ExprKind::Value(i64::from(word.width)), span));
            }
            ("unsigned", Some(word), _) if word.is_signed => (WordType::unsigned(word.width), first),
            ("signed", Some(word), _) if !word.is_signed => (signed(word.width), first),
            ("extend", Some(word), _) if word.width + number <= WIDEST => (
                WordType {
                    width: word.width + number,
                    ..word
                },
                first,
            ),
            ("resize", Some(word), _) if !word.is_signed || number >= word.width => {
                (WordType { width: number, ..word }, first)
            }
            ("uwconst", None, Some(_)) => (WordType::unsigned(number), first),
            ("swconst", None, Some(_)) => (signed(number), first),
            _ => {
                let message = format!("`{name}` is not read of such values");
                let help = "words have at most 31 bits; signed ones are not made shorter; `uwconst` and `swconst` take constants";
                return Err(self.refuse(message, span, help));
            }
        };
        self.word = Some(word);
        self.lowered(word.wrapped(value), span)
    }
    pub(super) fn shift(&mut self, to_left: bool, word: Option<WordType>, left: Expr, right: Expr) -> ExprResult {
        let span = left.span.to(right.span);
        let Some(word) = word else {
            return Err(self.refuse("only words are shifted", left.span, "multiply or divide numbers"));
        };
        let places = match right.kind {
            ExprKind::Value(places) if self.word.is_none() => u32::try_from(places).ok(),
            _ => None,
        };
        let Some(places) = places.filter(|places| *places <= word.width) else {
            let message = format!("a word of {0} bits is shifted by a number from 0 to {0}", word.width);
            return Err(self.refuse(message, right.span, "write a case for each number"));
        };
        self.need_one(&left)?;
        self.word = Some(word);
        self.lowered(word.shifted(left, to_left, places), span)
    }
    /// Checks that the expression read last is a word of the type of `left`, which is `word`.
    pub(super) fn same_word(&mut self, left: &Expr, word: Option<WordType>, right: &Expr) -> Result<(), ErrorReported> {
        if word == self.word {
            return Ok(());
        }
        let message = format!("what is {} meets what is {}", word_name(word), word_name(self.word));
        let error = Diagnostic::error(message, right.span).with_secondary(left.span, "the other one");
        let help = "write `unsigned(…)`, `signed(…)`, `extend(…, bits)`, `toint(…)`, or constants as `0ud8_5`";
        self.tokens.diagnostics.push(error.with_help(help));
        Err(ErrorReported)
    }
    /// Refuses a word, if it was read last, as a part of a set: NuSMV has no sets of words.
    pub(super) fn no_word(&mut self, member: &Expr) -> Result<(), ErrorReported> {
        match self.word {
            None => Ok(()),
            Some(_) => {
                let help = "choose by a case over a variable that is chosen, and compare with each word";
                Err(self.refuse("a word is in no set", member.span, help))
            }
        }
    }
}

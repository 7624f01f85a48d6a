//! TChecker's expressions and statements in UPPAAL's spelling, every character with its place.
//!
//! The languages are nearly the same. `!` binds weaker in TChecker (`! i == 1` is `!(i == 1)`), and its conditional is
//! `(if c then a else b)`. Operators that UPPAAL would accept and TChecker does not (`||`, `and`, `?:`) are refused.

use tamper_text::{Cursor, Diagnostic, Piece, Text};

/// Words that UPPAAL does not read as names.
const FOREIGN: [&str; 14] = [
    "and", "or", "not", "imply", "xor", "true", "false", "forall", "exists", "sum", "local", "while", "do", "end",
];
const SIGNS: [&str; 20] = [
    "&&", "==", "!=", "<=", ">=", "<", ">", "!", "+", "-", "*", "/", "%", "(", ")", "[", "]", "=", ";", ".",
];

/// The position in a bracket `(if c then a else b)`.
#[derive(Clone, Copy, PartialEq, Eq)]
enum BracketStage {
    /// An ordinary bracket.
    Plain,
    If,
    Then,
    Else,
}

/// The condition `word`.
pub(super) fn condition(word: Piece<'_>, diagnostics: &mut Vec<Diagnostic>) -> Text {
    match Translator::new(word).run() {
        Ok(text) => text,
        Err(error) => {
            diagnostics.push(error);
            Text::default()
        }
    }
}

/// The statements `word`, as assignments separated by commas.
pub(super) fn statements(word: Piece<'_>, diagnostics: &mut Vec<Diagnostic>) -> Text {
    let mut all = Text::default();
    for statement in word.split(';').map(Piece::trimmed) {
        let text = statement.text;
        let first = text.split(|c: char| !(c.is_alphanumeric() || c == '_')).next();
        match first {
            _ if text.is_empty() || text == "nop" => continue,
            Some(keyword @ ("if" | "while" | "local")) => {
                let error = Diagnostic::error(format!("the statement `{keyword}` is not supported"), statement.span);
                diagnostics.push(error.with_help("write assignments only, and a choice as an edge per case"));
                continue;
            }
            _ => {}
        }
        match Translator::new(statement).run() {
            Ok(translated) => {
                if !all.decoded.is_empty() {
                    all.whole(", ", statement.span);
                }
                all.append(&translated);
            }
            Err(error) => diagnostics.push(error),
        }
    }
    all
}

struct Translator<'a> {
    cursor: Cursor<'a>,
    out: Text,
    brackets: Vec<BracketStage>,
    /// For each open negation, the number of brackets that were open at its start.
    negations: Vec<usize>,
}

impl<'a> Translator<'a> {
    fn new(word: Piece<'a>) -> Self {
        Self {
            cursor: Cursor::of(word),
            out: Text::within(word.span),
            brackets: Vec::new(),
            negations: Vec::new(),
        }
    }

    fn copy(&mut self, length: usize) {
        let piece = self.cursor.take(length);
        self.out.exact(piece.text, piece.start());
    }

    /// Writes `text` for the next `length` characters.
    fn spell(&mut self, text: &str, length: usize) {
        let place = self.cursor.take(length).span;
        self.out.whole(text, place);
    }

    fn run(mut self) -> Result<Text, Diagnostic> {
        while let Some(first) = self.cursor.peek() {
            if first.is_whitespace() {
                // Line ends inside attributes are white space.
                self.spell(" ", first.len_utf8());
                continue;
            }
            if first.is_ascii_alphanumeric() || first == '_' {
                let length = self.cursor.count_while(|c| c.is_ascii_alphanumeric() || c == '_');
                self.name(&self.cursor.rest()[..length])?;
                continue;
            }
            match self.cursor.sign(&SIGNS) {
                Some(sign) => self.sign(sign)?,
                None => {
                    let span = self.cursor.span(first.len_utf8());
                    let error = Diagnostic::error(format!("{first:?} means nothing in TChecker"), span);
                    return Err(error.with_help("conditions are conjunctions (`&&`) of comparisons"));
                }
            }
        }
        self.end_negations(0);
        Ok(self.out)
    }

    fn name(&mut self, name: &'a str) -> Result<(), Diagnostic> {
        let span = self.cursor.span(name.len());
        let stage = self.brackets.last().copied();
        let conditional = || {
            Diagnostic::error(format!("`{name}` stands outside a conditional"), span)
                .with_help("write `(if c then a else b)` with its brackets")
        };
        match (name, stage) {
            ("if", Some(BracketStage::Plain)) if self.out.decoded.trim_end().ends_with('(') => {
                self.set_stage(BracketStage::If);
                self.spell("(", name.len());
            }
            ("then", Some(BracketStage::If)) => {
                self.end_negations(self.brackets.len());
                self.set_stage(BracketStage::Then);
                self.spell(") ? (", name.len());
            }
            ("else", Some(BracketStage::Then)) => {
                self.set_stage(BracketStage::Else);
                self.spell(") : (", name.len());
            }
            ("if" | "then" | "else", _) => return Err(conditional()),
            _ if FOREIGN.contains(&name) => {
                let error = Diagnostic::error(format!("`{name}` means nothing in a TChecker condition"), span);
                return Err(error.with_help("the operators are && ! == != < <= >= > + - * / % and if then else"));
            }
            _ => self.copy(name.len()),
        }
        Ok(())
    }

    fn set_stage(&mut self, stage: BracketStage) {
        if let Some(last) = self.brackets.last_mut() {
            *last = stage;
        }
    }

    fn sign(&mut self, sign: &str) -> Result<(), Diagnostic> {
        match sign {
            "!" => {
                self.negations.push(self.brackets.len());
                self.spell("!(", 1);
            }
            "&&" => {
                self.end_negations(self.brackets.len());
                self.copy(2);
            }
            "(" => {
                self.brackets.push(BracketStage::Plain);
                self.copy(1);
            }
            ")" => {
                self.end_negations(self.brackets.len());
                match self.brackets.pop() {
                    Some(BracketStage::Plain) | None => self.copy(1),
                    Some(BracketStage::Else) => self.spell("))", 1),
                    Some(BracketStage::If | BracketStage::Then) => {
                        let error = Diagnostic::error("this conditional is not complete", self.cursor.span(1));
                        return Err(error.with_help("write `(if c then a else b)`"));
                    }
                }
            }
            _ => self.copy(sign.len()),
        }
        Ok(())
    }

    /// Closes the negations that were opened inside at least `depth` brackets.
    fn end_negations(&mut self, depth: usize) {
        while self.negations.last().is_some_and(|waiting| *waiting >= depth) {
            self.negations.pop();
            self.out.whole(")", self.cursor.span(0));
        }
    }
}

//! Reads a file line by line into a program: every line may use only names declared above it.

use std::collections::BTreeMap;

use super::lines::{LineWords, lines, number};
use super::operators::{OPERATORS, Shape, apply, constant};
use super::words::{BitVector, Make, size};
use crate::formats::smv::{ReadSystem, chain_too_long};
use crate::formats::tokens::{ErrorReported, WIDEST};
use crate::{Define, Domain, Expr, ExprKind, Observed, Program, Role, VarId, Variable};
use tamper_text::ReadError;
use tamper_text::decode;
use tamper_text::{Diagnostic, Piece, Span};

/// Keywords that are refused, with the reason.
const REFUSED: [(&str, &str); 3] = [
    ("read", "arrays are not read: spell their elements out as states"),
    ("write", "arrays are not read: spell their elements out as states"),
    (
        "constraint",
        "the environment gives every input in every state: write the restriction into what follows from it",
    ),
];
/// Keywords of properties, which do not change the model.
const PROPERTIES: [&str; 3] = ["bad", "fair", "justice"];

/// The meaning of a line.
#[derive(Clone, Debug)]
enum Meaning {
    /// The sort of words with that number of bits.
    Sort(u32),
    /// A value, and the state variable that it is, if any.
    Value(BitVector, Option<VarId>),
    /// Neither (`next`, `output` and the like).
    Nothing,
    /// The line is wrong, which is reported already.
    Broken,
}

/// A line: its number, its keyword and its operands.
#[derive(Clone, Copy)]
struct Btor2Line<'a> {
    id: u64,
    keyword: Piece<'a>,
    operands: &'a [Piece<'a>],
}

impl Btor2Line<'_> {
    /// A maker of expressions with the place of the whole line after its number.
    fn make(&self) -> Make {
        let last = self.operands.last().unwrap_or(&self.keyword);
        Make {
            span: self.keyword.span.to(last.span),
        }
    }
}

struct Btor2Reader {
    program: Program,
    meanings: BTreeMap<u64, Meaning>,
    names: BTreeMap<String, Span>,
    outputs: Vec<(String, Observed)>,
    /// Initial values, with their places.
    inits: Vec<(Expr, Span)>,
    diagnostics: Vec<Diagnostic>,
}

/// The system in `bytes`, the content of a file called `name`.
///
/// # Errors
/// Everything that is wrong with it.
pub fn read_btor2(name: &str, bytes: &[u8]) -> Result<ReadSystem, ReadError> {
    let file = decode(name, bytes)?;
    let (program, found) = read(file.text());
    let (file, warnings) = ReadError::unless_sound(file, found)?;
    Ok(ReadSystem {
        program,
        file,
        warnings,
    })
}

fn read(text: &str) -> (Program, Vec<Diagnostic>) {
    let mut reader = Btor2Reader {
        program: Program::default(),
        meanings: BTreeMap::new(),
        names: BTreeMap::new(),
        outputs: Vec::new(),
        inits: Vec::new(),
        diagnostics: Vec::new(),
    };
    for line in lines(text) {
        reader.line(&line);
    }
    reader.finish();
    (reader.program, reader.diagnostics)
}

impl Btor2Reader {
    fn refuse(&mut self, message: impl Into<String>, span: Span, help: impl Into<String>) -> ErrorReported {
        self.diagnostics.push(Diagnostic::error(message, span).with_help(help));
        ErrorReported
    }

    fn line(&mut self, line: &LineWords<'_>) {
        let number = line[0];
        let Some(id) = self::number::<u64>(number).filter(|id| *id > 0) else {
            self.refuse(
                format!("`{}` is no number of a line", number.text),
                number.span,
                "every line begins with its own positive number",
            );
            return;
        };
        let meaning = self.meaning(id, line).unwrap_or(Meaning::Broken);
        if self.meanings.insert(id, meaning).is_some() {
            self.refuse(
                format!("{id} is there twice"),
                number.span,
                "every line has its own number",
            );
        }
    }

    fn meaning(&mut self, id: u64, line: &LineWords<'_>) -> Result<Meaning, ErrorReported> {
        let [_, keyword, operands @ ..] = line.as_slice() else {
            return Err(self.refuse("the line ends here", line[0].span, "write what it is"));
        };
        let keyword = *keyword;
        let line = Btor2Line { id, keyword, operands };
        if PROPERTIES.contains(&keyword.text) {
            let warning = Diagnostic::warning(
                format!("the property after `{}` is not read", keyword.text),
                keyword.span,
            );
            self.diagnostics
                .push(warning.with_help("it asks something of the model and changes nothing"));
            return Ok(Meaning::Nothing);
        }
        if let Some((_, help)) = REFUSED.iter().find(|(name, _)| *name == keyword.text) {
            return Err(self.refuse(format!("`{}` is not read", keyword.text), keyword.span, *help));
        }
        match keyword.text {
            "sort" => self.sort(line),
            "input" | "state" => self.variable(line),
            "const" | "constd" | "consth" => self.constant(line),
            "init" | "next" => self.assignment(line),
            "output" => self.output(line),
            _ => match OPERATORS.iter().find(|(name, ..)| *name == keyword.text) {
                Some((_, n_words, shape)) => self.operator(line, *n_words, *shape),
                None => Err(self.refuse(
                    format!("`{}` is no keyword of BTOR2 that is read", keyword.text),
                    keyword.span,
                    "docs/book/src/untimed.md lists what is",
                )),
            },
        }
    }

    // Operands.

    /// The operand at that position.
    fn operand<'a>(&mut self, line: Btor2Line<'a>, at: usize) -> Result<Piece<'a>, ErrorReported> {
        line.operands.get(at).copied().ok_or_else(|| {
            let message = format!("`{}` has too few operands", line.keyword.text);
            self.refuse(message, line.keyword.span, "complete the line")
        })
    }
    /// Refuses operands beyond the first `n`.
    fn end(&mut self, line: Btor2Line<'_>, n: usize) -> Result<(), ErrorReported> {
        match line.operands.get(n) {
            Some(more) => Err(self.refuse(format!("`{}` is too much", more.text), more.span, "remove it")),
            None => Ok(()),
        }
    }
    fn meaning_of(&mut self, text: Piece<'_>) -> Result<Meaning, ErrorReported> {
        let known = number::<u64>(text).and_then(|id| self.meanings.get(&id).cloned());
        match known {
            Some(Meaning::Broken) => Err(ErrorReported),
            Some(meaning) => Ok(meaning),
            None => Err(self.refuse(
                format!("`{}` is no line above", text.text),
                text.span,
                "lines use what is declared before them",
            )),
        }
    }
    fn sort_of(&mut self, text: Piece<'_>) -> Result<u32, ErrorReported> {
        match self.meaning_of(text)? {
            Meaning::Sort(width) => Ok(width),
            _ => Err(self.refuse(
                format!("line {} is no sort", text.text),
                text.span,
                "name a line `… sort bitvec …`",
            )),
        }
    }
    /// The word of a line; a reference with a minus is its complement.
    fn word(&mut self, text: Piece<'_>) -> Result<BitVector, ErrorReported> {
        let (turned, plain) = match text.text.strip_prefix('-') {
            Some(plain) => (true, text.part(text.text.len() - plain.len(), text.text.len())),
            None => (false, text),
        };
        let Meaning::Value(mut word, _) = self.meaning_of(plain)? else {
            let message = format!("line {} has no value", plain.text);
            return Err(self.refuse(
                message,
                text.span,
                "name an input, a state, a constant or an operator's line",
            ));
        };
        word.expr.span = text.span;
        if turned {
            let make = Make { span: text.span };
            word.expr = super::operators::inverted(make, word.expr, word.width);
        }
        Ok(word)
    }
    fn number(&mut self, text: Piece<'_>) -> Result<u32, ErrorReported> {
        number(text).ok_or_else(|| {
            let message = format!("`{}` is no number of bits", text.text);
            self.refuse(message, text.span, "write a number from 0")
        })
    }
    fn width(&mut self, word: &BitVector, wanted: u32, span: Span) -> Result<(), ErrorReported> {
        match word.width == wanted {
            true => Ok(()),
            false => Err(self.refuse(
                format!("this has {} bits where {wanted} are expected", word.width),
                span,
                "extend it, or keep a slice of it",
            )),
        }
    }
    /// The name of a line: its symbol, which follows `n` operands, else its number.
    fn name(&mut self, line: Btor2Line<'_>, n: usize) -> Result<String, ErrorReported> {
        let (name, span) = match line.operands.get(n) {
            Some(symbol) => (symbol.text.to_owned(), symbol.span),
            None => (format!("n{}", line.id), line.keyword.span),
        };
        match self.names.insert(name.clone(), span) {
            Some(first) => {
                let error = Diagnostic::error(format!("`{name}` is declared twice"), span);
                let error = error.with_secondary(first, "the first time");
                self.diagnostics.push(error.with_help("rename one of them"));
                Err(ErrorReported)
            }
            None => Ok(name),
        }
    }

    // Lines.

    fn sort(&mut self, line: Btor2Line<'_>) -> Result<Meaning, ErrorReported> {
        let kind = self.operand(line, 0)?;
        if kind.text != "bitvec" {
            let message = format!("the sort `{}` is not read", kind.text);
            return Err(self.refuse(
                message,
                kind.span,
                "bit vectors are: spell the elements of arrays out as states",
            ));
        }
        let text = self.operand(line, 1)?;
        self.end(line, 2)?;
        match self.number(text)? {
            0 => Err(self.refuse("a bit vector has at least one bit", text.span, "write how many it has")),
            width if width > WIDEST => Err(self.refuse(
                format!("bit vectors of more than {WIDEST} bits are not read"),
                text.span,
                "all values of states are listed: keep them small",
            )),
            width => Ok(Meaning::Sort(width)),
        }
    }

    fn variable(&mut self, line: Btor2Line<'_>) -> Result<Meaning, ErrorReported> {
        let sort = self.operand(line, 0)?;
        let width = self.sort_of(sort)?;
        self.end(line, 2)?;
        let name = self.name(line, 1)?;
        let domain = match width {
            1 => Domain::Boolean,
            _ => Domain::Range(0, size(width) - 1),
        };
        let role = match line.keyword.text {
            "input" => Role::Input,
            _ => Role::State { init: None, next: None },
        };
        let is_state = role != Role::Input;
        let var = self.program.variables.push(Variable {
            name,
            span: line.keyword.span,
            domain,
            role,
            wraps: true,
        });
        let expr = Expr {
            kind: ExprKind::Now(var),
            span: line.keyword.span,
        };
        Ok(Meaning::Value(BitVector { expr, width }, is_state.then_some(var)))
    }

    fn constant(&mut self, line: Btor2Line<'_>) -> Result<Meaning, ErrorReported> {
        let sort = self.operand(line, 0)?;
        let width = self.sort_of(sort)?;
        let text = self.operand(line, 1)?;
        self.end(line, 3)?;
        let radix = match line.keyword.text {
            "const" => 2,
            "constd" => 10,
            _ => 16,
        };
        let half = size(width - 1);
        let value = i64::from_str_radix(text.text, radix).ok();
        let value =
            value.filter(|value| (0..size(width)).contains(value) || (radix == 10 && (-half..0).contains(value)));
        let Some(value) = value.filter(|_| radix != 2 || text.text.len() == width as usize) else {
            let message = format!("`{}` is no constant of {width} bits", text.text);
            return Err(self.refuse(message, text.span, "binary constants have a digit for each bit"));
        };
        let value = value.rem_euclid(size(width));
        let expr = constant(line.make(), value, width);
        self.value(line, 2, BitVector { expr, width })
    }

    /// Adds a line of `n` operands with that value as a definition.
    fn value(&mut self, line: Btor2Line<'_>, n: usize, word: BitVector) -> Result<Meaning, ErrorReported> {
        let name = self.name(line, n)?;
        let span = word.expr.span;
        let define = self.program.defines.push(Define {
            name,
            body: word.expr.clone(),
            is_choice: false,
            is_boolean: false,
            is_number: false,
        });
        self.program.define(define, word.expr);
        let expr = Expr {
            kind: ExprKind::Define(define),
            span,
        };
        let width = word.width;
        Ok(Meaning::Value(BitVector { expr, width }, None))
    }

    fn operator(&mut self, line: Btor2Line<'_>, n_words: usize, shape: Shape) -> Result<Meaning, ErrorReported> {
        let sort = self.operand(line, 0)?;
        let width = self.sort_of(sort)?;
        let mut words = Vec::new();
        for at in 1..=n_words {
            let text = self.operand(line, at)?;
            words.push((self.word(text)?, text.span));
        }
        let n_numbers = match shape {
            Shape::Extension => 1,
            Shape::Slice => 2,
            _ => 0,
        };
        let mut numbers = Vec::new();
        for at in 0..n_numbers {
            let text = self.operand(line, 1 + n_words + at)?;
            numbers.push(self.number(text)?);
        }
        let n = 1 + n_words + n_numbers;
        self.end(line, n + 1)?;
        self.shape(shape, &words, &numbers, width, sort.span)?;
        let words: Vec<BitVector> = words.into_iter().map(|(word, _)| word).collect();
        let expr = apply(line.make(), line.keyword.text, &words, &numbers, width);
        self.value(line, n, BitVector { expr, width })
    }

    /// Checks the widths of an operator's operands and of its result.
    fn shape(
        &mut self,
        shape: Shape,
        words: &[(BitVector, Span)],
        numbers: &[u32],
        width: u32,
        sort: Span,
    ) -> Result<(), ErrorReported> {
        let first = words.first().map_or(width, |(word, _)| word.width);
        let (of_words, of_result) = match shape {
            Shape::Same => (width, width),
            Shape::Test => (first, 1),
            Shape::Bits => (1, 1),
            Shape::Choice => {
                self.width(&words[0].0, 1, words[0].1)?;
                (width, width)
            }
            Shape::Concat => (0, words.iter().map(|(word, _)| word.width).sum()),
            Shape::Extension => (0, first.saturating_add(numbers[0])),
            Shape::Slice => match (numbers[0], numbers[1]) {
                (last, low) if low <= last && last < first => (0, last - low + 1),
                (last, low) => {
                    let message = format!("a word of {first} bits has no bits {last} down to {low}");
                    return Err(self.refuse(message, words[0].1, "the last bit comes first, and bits count from 0"));
                }
            },
        };
        let skipped = usize::from(shape == Shape::Choice);
        if of_words > 0 {
            for (word, span) in &words[skipped..] {
                self.width(word, of_words, *span)?;
            }
        }
        match width == of_result {
            true => Ok(()),
            false => Err(self.refuse(
                format!("the result has {of_result} bits, the sort {width}"),
                sort,
                "name the sort of that width",
            )),
        }
    }

    fn assignment(&mut self, line: Btor2Line<'_>) -> Result<Meaning, ErrorReported> {
        let mut texts = Vec::new();
        for at in 0..3 {
            texts.push(self.operand(line, at)?);
        }
        self.end(line, 4)?;
        let width = self.sort_of(texts[0])?;
        let Meaning::Value(state, Some(var)) = self.meaning_of(texts[1])? else {
            let message = format!("line {} is no state", texts[1].text);
            return Err(self.refuse(message, texts[1].span, "only states have initial and next values"));
        };
        let word = self.word(texts[2])?;
        let is_init = line.keyword.text == "init";
        self.width(&state, width, texts[1].span)?;
        self.width(&word, width, texts[2].span)?;
        if is_init {
            self.inits.push((word.expr.clone(), texts[2].span));
        }
        let Role::State { init, next } = &mut self.program.variables[var].role else {
            return Ok(Meaning::Broken);
        };
        let slot = if is_init { init } else { next };
        if slot.is_some() {
            let message = format!("line {} has an `{}` already", texts[1].text, line.keyword.text);
            return Err(self.refuse(message, line.make().span, "remove one of the two"));
        }
        *slot = Some(word.expr);
        Ok(Meaning::Nothing)
    }

    fn output(&mut self, line: Btor2Line<'_>) -> Result<Meaning, ErrorReported> {
        let text = self.operand(line, 0)?;
        self.end(line, 2)?;
        let mut word = self.word(text)?;
        // The line only names an output, so there is nothing in it to mutate.
        if word.expr.span == text.span {
            word.expr.span = line.make().own(ExprKind::Bool(false)).span;
        }
        self.value(line, 1, word)?;
        let defines = &self.program.defines;
        let seen = |define| (defines[define].name.clone(), Observed::Define(define));
        self.outputs.extend(defines.ids().next_back().map(seen));
        Ok(Meaning::Nothing)
    }

    fn finish(&mut self) {
        self.outputs.sort();
        self.program.outputs = self.outputs.iter().map(|(_, seen)| *seen).collect();
        if self.outputs.is_empty() && self.diagnostics.is_empty() {
            self.refuse(
                "the file does not say what is seen",
                Span::new(0, 0),
                "add lines `… output …`",
            );
        }
        if let Some(error) = chain_too_long(&self.program) {
            self.diagnostics.push(error);
            return;
        }
        for (init, span) in std::mem::take(&mut self.inits) {
            let found = self.program.depends_on(&init);
            if found.iter().any(|var| self.program.variables[*var].role == Role::Input) {
                self.refuse("an initial value depends on an input", span, "inputs come with steps");
            }
        }
        if self.program.init_order().is_none() {
            self.refuse(
                "initial values depend on each other in a circle",
                Span::new(0, 0),
                "break the circle",
            );
        }
    }
}

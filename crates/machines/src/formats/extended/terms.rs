//! Expressions as C writes them, names not yet resolved; alternatives separated by `|`.

use tamper_text::{Cursor, Diagnostic, Height, MAX_HEIGHT, Piece, Span};

/// An expression with unresolved names.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::formats) struct Term {
    pub node: TermNode,
    pub span: Span,
    height: Height,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::formats) enum TermNode {
    Number(i64),
    Bool(bool),
    /// A name, possibly with dots.
    Name(String),
    /// With `-` or `!`.
    Unary(&'static str, Box<[Term; 1]>),
    /// An operator of [`SIGNS`], which need not have a meaning here.
    Binary(&'static str, Box<[Term; 2]>),
    Cond(Box<[Term; 3]>),
}

type TermResult<T> = Result<T, Diagnostic>;

/// The signs that can follow an operand; longer signs come first.
const SIGNS: [&str; 41] = [
    "<<=", ">>=", "&&", "||", "==", "!=", "<=", ">=", ":=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "++", "--",
    "<<", ">>", "<?", ">?", "+", "-", "*", "/", "%", "<", ">", "=", "?", "|", "^", "&", "[", "'", "or", "imply", "xor",
    "and",
];

/// The binding strength of an operator; `None` for other signs.
fn power(sign: &str) -> Option<u8> {
    Some(match sign {
        CONDITIONAL => 4,
        "||" | "or" | "imply" | "xor" => 6,
        "&&" | "and" => 8,
        ALTERNATIVE => 10,
        "^" => 12,
        "&" => 14,
        "==" | "!=" => 16,
        "<" | "<=" | ">=" | ">" => 18,
        "<?" | ">?" => 20,
        "<<" | ">>" => 22,
        "+" | "-" => 24,
        "*" | "/" | "%" => 26,
        _ => return None,
    })
}

/// The binding strength of prefix `-` and `!`.
const PREFIX: u8 = 28;
const CONDITIONAL: &str = "?";
const ALTERNATIVE: &str = "|";

/// The deepest nesting of brackets, prefixes and right-hand sides.
const MAX_NESTING: u32 = 120;

/// Whether `word` is reserved in expressions.
pub(in crate::formats) fn is_keyword(word: &str) -> bool {
    ["and", "or", "not", "imply", "xor", "true", "false"].contains(&word)
}

/// The alternatives in `text`; if `text` is not a verbatim part of its file, all of them have the span `place`.
pub(in crate::formats) fn terms(text: Piece<'_>, place: Option<Span>) -> TermResult<Vec<Term>> {
    let mut parser = TermParser {
        cursor: Cursor::of(text),
        place,
        nesting: 0,
        brackets: 0,
    };
    let mut all = vec![parser.term(0)?];
    while parser.eat(ALTERNATIVE) {
        all.push(parser.term(0)?);
    }
    match parser.cursor.is_at_end() {
        true => Ok(all),
        false => Err(parser.unexpected("an operator or the end of the text")),
    }
}

struct TermParser<'a> {
    /// The parser stands before a word or a sign, never before white space.
    cursor: Cursor<'a>,
    place: Option<Span>,
    nesting: u32,
    brackets: u32,
}

impl TermParser<'_> {
    /// The place of the next `length` bytes.
    fn here(&self, length: usize) -> Span {
        self.place.unwrap_or(self.cursor.span(length))
    }
    /// The next word; empty if a sign is next.
    fn word(&self) -> &str {
        let is_part = |c: char| c.is_ascii_alphanumeric() || "_$#".contains(c);
        &self.cursor.rest()[..self.cursor.count_while(is_part)]
    }
    /// Skips `length` bytes, and white space behind them. Returns the place of the bytes.
    fn take(&mut self, length: usize) -> Span {
        let span = self.here(length);
        self.cursor.take(length);
        self.skip_blank();
        span
    }
    fn skip_blank(&mut self) {
        loop {
            self.cursor.take_while(char::is_whitespace);
            if self.cursor.is_at("//") {
                self.cursor.take_until("\n");
            } else if !(self.cursor.is_at("/*") && self.cursor.take_through("*/").is_some()) {
                return;
            }
        }
    }
    fn eat(&mut self, sign: &str) -> bool {
        let is_next = self.cursor.is_at(sign);
        if is_next {
            self.take(sign.len());
        }
        is_next
    }
    fn unexpected(&self, wanted: &str) -> Diagnostic {
        let found = match (self.word(), self.cursor.peek()) {
            ("", None) => return self.expected(wanted, "the end of the text", 0),
            ("", Some(sign)) => sign.to_string(),
            (word, _) => word.to_owned(),
        };
        self.expected(wanted, &format!("`{found}`"), found.len())
    }
    fn expected(&self, wanted: &str, found: &str, length: usize) -> Diagnostic {
        Diagnostic::error(format!("expected {wanted}, found {found}"), self.here(length))
            .with_help(format!("{wanted} was expected at this place"))
    }

    /// Parses the longest expression whose operators bind at least as strongly as `least`.
    fn term(&mut self, least: u8) -> TermResult<Term> {
        self.nesting += 1;
        if self.nesting > MAX_NESTING {
            return Err(too_deep(self.here(0)));
        }
        self.skip_blank();
        let mut left = self.operand()?;
        while let Some((sign, power)) = self.infix()? {
            if power < least {
                break;
            }
            self.take(sign.len());
            left = match sign {
                CONDITIONAL => {
                    let then = self.term(0)?;
                    if !self.eat(":") {
                        return Err(self.unexpected("`:`"));
                    }
                    above(TermNode::Cond, [left, then, self.term(power)?])?
                }
                _ => above(|both| TermNode::Binary(sign, both), [left, self.term(power + 1)?])?,
            };
        }
        self.nesting -= 1;
        Ok(left)
    }

    /// The next operator with its binding strength, if there is one.
    fn infix(&self) -> TermResult<Option<(&'static str, u8)>> {
        let word = self.word();
        let is_next = |sign: &&str| match word {
            "" => self.cursor.is_at(sign),
            word => word == *sign,
        };
        let Some(sign) = SIGNS.into_iter().find(is_next) else {
            return Ok(None);
        };
        match (sign, power(sign)) {
            (ALTERNATIVE, _) if self.brackets == 0 => Ok(None),
            (_, Some(power)) => Ok(Some((sign, power))),
            ("[", None) => Err(foreign("an index", self.here(1))),
            ("'", None) => Err(foreign("a rate", self.here(1))),
            (_, None) => Err(foreign("an assignment", self.here(sign.len()))),
        }
    }

    fn operand(&mut self) -> TermResult<Term> {
        let leaf = |node, span| Term {
            node,
            span,
            height: Height::LEAF,
        };
        let word = self.word().to_owned();
        match word.as_str() {
            "" if self.cursor.is_at("(") => {
                let open = self.take(1);
                self.brackets += 1;
                let inner = self.term(0)?;
                self.brackets -= 1;
                let close = self.here(1);
                match self.eat(")") {
                    true => Ok(Term {
                        span: open.to(close),
                        ..inner
                    }),
                    false => Err(self.unexpected("`)`")),
                }
            }
            // A single sign: double ones change the variable in C and ecmascript.
            "" => match ["++", "--", "!", "-", "+"]
                .into_iter()
                .find(|sign| self.cursor.is_at(sign))
            {
                Some(sign @ ("++" | "--")) => Err(foreign("an assignment", self.here(sign.len()))),
                Some(sign) => self.prefixed(sign, sign),
                None if self.cursor.is_at("\"") => Err(foreign("a string", self.here(1))),
                None => Err(self.unexpected("an expression")),
            },
            "not" => self.prefixed("!", "not"),
            "true" | "false" => Ok(leaf(TermNode::Bool(word == "true"), self.take(word.len()))),
            _ if word.starts_with(|c: char| c.is_ascii_digit()) => {
                let number = self.number(i64::from(i32::MAX))?;
                Ok(leaf(TermNode::Number(number.0), number.1))
            }
            _ if is_keyword(&word) || !word.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') => {
                Err(self.unexpected("an expression"))
            }
            _ => {
                let (name, span) = self.name(word)?;
                Ok(leaf(TermNode::Name(name), span))
            }
        }
    }

    /// Reads the operand of a prefix `sign`, which is spelled `written`.
    fn prefixed(&mut self, sign: &'static str, written: &str) -> TermResult<Term> {
        let start = self.take(written.len());
        let is_least = sign == "-" && self.word().parse() == Ok(-i64::from(i32::MIN));
        if is_least {
            let (number, span) = self.number(-i64::from(i32::MIN))?;
            return Ok(Term {
                node: TermNode::Number(-number),
                span: start.to(span),
                height: Height::LEAF,
            });
        }
        let operand = self.term(PREFIX)?;
        let span = start.to(operand.span);
        match sign {
            "+" => Ok(Term { span, ..operand }),
            _ => {
                let term = above(|of| TermNode::Unary(sign, of), [operand])?;
                Ok(Term { span, ..term })
            }
        }
    }

    fn number(&mut self, largest: i64) -> TermResult<(i64, Span)> {
        let length = self.cursor.count_while(|c| c.is_ascii_digit());
        let digits = self.cursor.rest()[..length].to_owned();
        let more = &self.cursor.rest()[length..];
        let is_digit = |c: char| c.is_ascii_digit();
        if more.strip_prefix('.').is_some_and(|more| more.starts_with(is_digit)) {
            return Err(foreign("a number with a point", self.here(length)));
        }
        match digits.parse::<i64>() {
            Ok(number) if number <= largest => Ok((number, self.take(length))),
            _ => {
                let message = format!("the number {digits} does not fit in 32 bits");
                Err(Diagnostic::error(message, self.here(length)).with_help("constants go up to 2147483647"))
            }
        }
    }

    /// A name that begins with `first`.
    fn name(&mut self, first: String) -> TermResult<(String, Span)> {
        let mut span = self.take(first.len());
        let mut name = first;
        while self.eat(".") {
            let part = self.word().to_owned();
            if part.is_empty() || is_keyword(&part) {
                return Err(self.unexpected("a field"));
            }
            span = span.to(self.take(part.len()));
            name = format!("{name}.{part}");
        }
        match self.cursor.is_at("(") {
            true => Err(foreign("a call", span)),
            false => Ok((name, span)),
        }
    }
}

/// The node above `parts`.
fn above<const N: usize>(node: impl FnOnce(Box<[Term; N]>) -> TermNode, parts: [Term; N]) -> TermResult<Term> {
    let span = parts.iter().map(|part| part.span).reduce(Span::to).unwrap_or_default();
    let highest = parts.iter().map(|part| part.height).max().unwrap_or_default();
    Ok(Term {
        height: highest.above().ok_or_else(|| too_deep(span))?,
        node: node(Box::new(parts)),
        span,
    })
}

fn foreign(what: &str, span: Span) -> Diagnostic {
    let error = Diagnostic::error(format!("{what} is not part of these expressions"), span);
    error.with_help("they have numbers, names, + - *, comparisons, && || ! and c ? a : b")
}

fn too_deep(span: Span) -> Diagnostic {
    Diagnostic::error("this expression is nested too deeply", span).with_help(format!(
        "at most {MAX_NESTING} nested brackets and chains of {MAX_HEIGHT} operators are read"
    ))
}

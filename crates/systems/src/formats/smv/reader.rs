//! One module: its sections, their declarations, and the assignments to each variable.
//!
//! Two passes over the tokens: the first collects declarations and skips expressions, the second reads these, so that
//! names can be used before they are declared.

use std::collections::{BTreeMap, BTreeSet};

use super::elements::Array;
use super::lexer::{FOREIGN, Notes};
use super::words::{WORD_FUNCTIONS, WordType};
use crate::formats::tokens::{ErrorReported, SpannedToken, Token, Tokens, WIDEST};
use crate::program::flat_name;
use crate::{Define, DefineId, Domain, Expr, ExprKind, Moments, Program, Role, SYMBOL, VarId, Variable};
use tamper_text::{Diagnostic, Height, Span};

/// Sections that declare or assign something.
const SECTIONS: [&str; 5] = ["VAR", "IVAR", "FROZENVAR", "DEFINE", "ASSIGN"];
const NO_SECTION: &str = "VAR, IVAR, FROZENVAR, DEFINE, ASSIGN, INIT, INVAR or TRANS";
/// Sections of properties, which do not change the model.
const PROPERTIES: [&str; 8] = [
    "LTLSPEC",
    "CTLSPEC",
    "SPEC",
    "INVARSPEC",
    "COMPUTE",
    "PSLSPEC",
    "NAME",
    "PRED",
];
/// Sections of conditions on infinite runs, which no verdict needs.
const FAIRNESS: [&str; 3] = ["FAIRNESS", "JUSTICE", "COMPASSION"];
/// What a process would mean.
pub(super) const PROCESS: &str = "in each step one process, chosen anew, or `main` assigns its next values, and all other \
    variables keep theirs: declare the choice as a variable, and write `next(x) := turn = own ? … : x`";
/// Sections that are refused, with the advice on replacing them.
const REFUSED: [(&str, &str); 7] = [
    ("CONSTANTS", "declare the symbols in the type of a variable"),
    ("FUN", "functions are not read"),
    (
        "ISA",
        "copy the other module's sections into this one, or declare an instance of it",
    ),
    ("MIRROR", "this section is not read: remove it"),
    ("PARSYNTH", "this section is not read: remove it"),
    ("ITYPE", "write the type where it is used"),
    ("COMPASSIONS", "remove it"),
];
/// Sections that constrain states or steps.
pub(super) const CONSTRAINTS: [(&str, Moments); 3] = [
    ("INIT", Moments::Initial),
    ("INVAR", Moments::Always),
    ("TRANS", Moments::Steps),
];
/// The word that begins a module.
const MODULE: &str = "MODULE";

/// The target of an assignment.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum AssignmentTarget {
    Init,
    Next,
    Always,
}

pub(super) struct SmvReader<'a> {
    pub(super) tokens: Tokens<'a>,
    /// The height of the expression read last.
    pub(super) height: Height,
    /// The type of the expression read last, if it is a word.
    pub(super) word: Option<WordType>,
    /// The types of variables and definitions that are words.
    pub(super) variable_words: BTreeMap<VarId, WordType>,
    pub(super) define_words: BTreeMap<DefineId, WordType>,
    pub(super) program: Program,
    pub(super) variables: BTreeMap<&'a str, VarId>,
    pub(super) defines: BTreeMap<&'a str, DefineId>,
    pub(super) symbols: BTreeMap<&'a str, i64>,
    pub(super) arrays: BTreeMap<&'a str, Array>,
    /// By definition, also those that are not declared yet: the index of the first token of its body, and its value if
    /// that is known as a constant.
    pub(super) constants: BTreeMap<&'a str, (usize, Option<i64>)>,
    /// Names with a declaration that was refused, or without one; this is said once.
    pub(super) refused: BTreeSet<&'a str>,
    /// The place of each declaration, by the name in flat files.
    declared: BTreeMap<String, Span>,
    /// The index of the first token of each definition's body.
    pub(super) bodies: Vec<usize>,
    /// By assigned slot: the index of the first token of the value, and the place of the assignment.
    pub(super) assigned: BTreeMap<(VarId, AssignmentTarget), (usize, Span)>,
    /// The index of the first token of each constraint.
    pub(super) constraints: Vec<(Moments, usize)>,
    pub(super) frozen: Vec<VarId>,
    /// By definition: whether its body is read, or being read.
    pub(super) read: Vec<Reading>,
    /// The next values that the current expression reads.
    pub(super) asked: Vec<(VarId, Span)>,
    /// The next values that definitions read.
    pub(super) define_asked: BTreeMap<DefineId, BTreeSet<VarId>>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Reading {
    Not,
    Open,
    Done,
}

/// Whether a name begins a section, unless `next` makes it a declared name.
pub(super) fn is_section(name: &str, next: Option<&SpannedToken<'_>>) -> bool {
    let refused = REFUSED.iter().any(|(section, _)| *section == name) || FAIRNESS.contains(&name);
    let constrains = CONSTRAINTS.iter().any(|(section, _)| *section == name);
    let is_start = SECTIONS.contains(&name) || PROPERTIES.contains(&name) || constrains || refused || name == MODULE;
    is_start && !matches!(next, Some((Token::Sign(":" | ":="), _)))
}

/// The index of the first token of each definition's body; its value is not known yet.
fn bodies<'a>(tokens: &Tokens<'a>) -> BTreeMap<&'a str, (usize, Option<i64>)> {
    let (mut bodies, mut section) = (BTreeMap::new(), "");
    for (at, pair) in tokens.all.windows(2).enumerate() {
        match pair[0].0 {
            Token::Name(name) if is_section(name, Some(&pair[1])) => section = name,
            Token::Name(name) if section == "DEFINE" && pair[1].0 == Token::Sign(":=") => {
                bodies.entry(name).or_insert((at + 2, None));
            }
            _ => {}
        }
    }
    bodies
}

impl<'a> SmvReader<'a> {
    fn new(tokens: Tokens<'a>) -> Self {
        let constants = bodies(&tokens);
        Self {
            tokens,
            height: Height::LEAF,
            word: None,
            variable_words: BTreeMap::new(),
            define_words: BTreeMap::new(),
            program: Program::default(),
            variables: BTreeMap::new(),
            defines: BTreeMap::new(),
            symbols: BTreeMap::new(),
            arrays: BTreeMap::new(),
            constants,
            refused: BTreeSet::new(),
            declared: BTreeMap::new(),
            bodies: Vec::new(),
            assigned: BTreeMap::new(),
            constraints: Vec::new(),
            frozen: Vec::new(),
            read: Vec::new(),
            asked: Vec::new(),
            define_asked: BTreeMap::new(),
        }
    }

    pub(super) fn take_one<T: Copy>(&mut self, level: &[(&str, T)]) -> Option<T> {
        let found = level.iter().find(|(text, _)| self.tokens.is(text))?;
        self.tokens.advance();
        Some(found.1)
    }
    pub(super) fn refuse(
        &mut self,
        message: impl Into<String>,
        span: impl Into<Option<Span>>,
        help: &str,
    ) -> ErrorReported {
        self.tokens.refuse(message, span, help)
    }
    /// Moves behind the next `;` outside of cases.
    fn skip(&mut self) {
        let mut cases = 0_i32;
        loop {
            match self.tokens.peek().0 {
                Token::End => return,
                Token::Name("case") => cases += 1,
                Token::Name("esac") => cases -= 1,
                Token::Sign(";") if cases <= 0 => return self.tokens.advance(),
                Token::Name(name) if self.is_section(name) => return,
                _ => {}
            }
            self.tokens.advance();
        }
    }
    /// Whether the next name begins a section.
    pub(super) fn is_section(&self, name: &str) -> bool {
        is_section(name, self.tokens.all.get(self.tokens.at + 1))
    }

    // Declarations.

    /// Reads all declarations.
    pub(super) fn declarations(&mut self) {
        if !(self.tokens.take("MODULE") && self.tokens.take("main")) {
            let span = self.tokens.here();
            self.refuse(
                "a model begins with `MODULE main`",
                span,
                "one module of that name is read",
            );
        } else if self.tokens.is("(") {
            let span = self.tokens.here();
            self.refuse("`main` has no parameters", span, "remove them");
            self.skip_to_section();
        }
        loop {
            let (token, span) = self.tokens.peek();
            let Token::Name(section) = token else {
                if token == Token::End {
                    return;
                }
                self.refuse("a section is expected here", span, NO_SECTION);
                self.skip_to_section();
                continue;
            };
            self.tokens.advance();
            if SECTIONS.contains(&section) {
                self.section(section);
                continue;
            }
            if let Some((_, moments)) = CONSTRAINTS.iter().find(|(name, _)| *name == section) {
                self.constraints.push((*moments, self.tokens.at));
                self.skip_to_section();
                continue;
            }
            let refused = REFUSED.iter().find(|(name, _)| *name == section);
            if PROPERTIES.contains(&section) {
                let warning = Diagnostic::warning(format!("the property after `{section}` is not read"), span);
                self.tokens
                    .diagnostics
                    .push(warning.with_help("it asks something of the model and changes nothing"));
            } else if FAIRNESS.contains(&section) {
                let warning = Diagnostic::warning(format!("the condition after `{section}` is not read"), span);
                let help = "tests are finite, and here every finite run counts, also one that no fair run continues";
                self.tokens.diagnostics.push(warning.with_help(help));
            } else if let Some((_, help)) = refused {
                self.refuse(format!("`{section}` is not read"), span, help);
            } else {
                self.refuse(format!("`{section}` is no section"), span, NO_SECTION);
            }
            self.skip_to_section();
        }
    }
    fn skip_to_section(&mut self) {
        while !matches!(self.tokens.peek().0, Token::End) {
            if let Token::Name(name) = self.tokens.peek().0
                && self.is_section(name)
            {
                return;
            }
            self.tokens.advance();
        }
    }
    fn section(&mut self, section: &str) {
        while let (Token::Name(name), span) = self.tokens.peek() {
            if self.is_section(name) {
                return;
            }
            let before = self.tokens.at;
            let read = match section {
                "DEFINE" => self.define(name, span),
                "ASSIGN" => self.assignment(name, span),
                _ => self.variable(section, name, span),
            };
            if read.is_err() {
                self.refused.extend((section != "ASSIGN").then_some(name));
                self.skip();
            }
            self.tokens.at = self.tokens.at.max(before + 1);
        }
    }
    pub(super) fn declare(&mut self, name: &str, span: Span) -> Result<(), ErrorReported> {
        let own = name.rsplit('.').next().unwrap_or(name);
        if FOREIGN.contains(&own) || WORD_FUNCTIONS.contains(&own) {
            let warning = Diagnostic::warning(format!("NuSMV keeps the name `{own}` for itself"), span);
            self.tokens
                .diagnostics
                .push(warning.with_help("rename it, so that other tools read the model as well"));
        }
        let flat = flat_name(name);
        match self.declared.get(&flat) {
            Some(first) => {
                let first = *first;
                let message = format!("`{name}` is declared twice");
                Err(self.tokens.refuse_second(message, span, first, "rename one of them"))
            }
            None => {
                self.declared.insert(flat, span);
                Ok(())
            }
        }
    }
    fn variable(&mut self, section: &str, name: &'a str, span: Span) -> Result<(), ErrorReported> {
        self.tokens.advance();
        self.tokens.expect(":")?;
        let bounds = self.array_bounds()?;
        let word = self.word_type()?;
        let domain = match word {
            Some(word) => word.domain(),
            None => self.domain()?,
        };
        self.tokens.expect(";")?;
        self.declare(name, span)?;
        if bounds.is_empty() {
            let var = self.variable_of(section, name.to_owned(), span, (domain, word));
            self.variables.insert(name, var);
            return Ok(());
        }
        let array = Array::new(self.program.variables.next_id(), bounds);
        for element in array.names(name) {
            self.declare(&element, span)?;
            self.variable_of(section, element, span, (domain.clone(), word));
        }
        self.arrays.insert(name, array);
        Ok(())
    }
    fn variable_of(
        &mut self,
        section: &str,
        name: String,
        span: Span,
        (domain, word): (Domain, Option<WordType>),
    ) -> VarId {
        let role = match section {
            "IVAR" => Role::Input,
            "FROZENVAR" => Role::Frozen { init: None },
            _ => Role::State { init: None, next: None },
        };
        let var = self.program.variables.push(Variable {
            name,
            span,
            domain,
            role,
            wraps: word.is_some(),
        });
        self.variable_words.extend(word.map(|word| (var, word)));
        if section == "FROZENVAR" {
            self.frozen.push(var);
        }
        var
    }
    /// `unsigned word[8]`, if a type of words is next; `word[8]` is unsigned.
    fn word_type(&mut self) -> Result<Option<WordType>, ErrorReported> {
        let is_signed = self.tokens.is("signed");
        let has_sign = self.tokens.take("signed") || self.tokens.take("unsigned");
        if !self.tokens.is("word") && !has_sign {
            return Ok(None);
        }
        self.tokens.expect("word")?;
        self.tokens.expect("[")?;
        let width = self.width(1)?;
        self.tokens.expect("]")?;
        Ok(Some(WordType { width, is_signed }))
    }
    /// A number of bits, at least `least`.
    pub(super) fn width(&mut self, least: u32) -> Result<u32, ErrorReported> {
        let (token, span) = self.tokens.peek();
        let width = match token {
            Token::Number(number) => u32::try_from(number).ok(),
            _ => None,
        };
        let Some(width) = width.filter(|width| (least..=WIDEST).contains(width)) else {
            let message = format!("a number of bits from {least} to {WIDEST} is expected here");
            return Err(self.refuse(message, span, "all values of a variable are listed: keep words small"));
        };
        self.tokens.advance();
        Ok(width)
    }
    fn domain(&mut self) -> Result<Domain, ErrorReported> {
        let (token, span) = self.tokens.peek();
        match token {
            Token::Name("boolean") => {
                self.tokens.advance();
                Ok(Domain::Boolean)
            }
            Token::Sign("{") => {
                self.tokens.advance();
                self.enumeration()
            }
            _ if self.is_constant(token) => {
                let first = self.integer()?;
                self.tokens.expect("..")?;
                let last = self.integer()?;
                let span = self.tokens.since(span);
                match first <= last {
                    true => Ok(Domain::Range(first, last)),
                    false => Err(self.refuse(format!("the range {first}..{last} is empty"), span, "turn it round")),
                }
            }
            Token::Name("process") => Err(self.refuse("`process` is not read", span, PROCESS)),
            Token::Name(name) => Err(self.refuse(
                format!("the type `{name}` is not read"),
                span,
                "write boolean, a range `0..7`, an enumeration `{idle, busy}`, `unsigned word[4]` or an array of these",
            )),
            _ => Err(self.refuse("a type is expected here", span, "boolean, a range or an enumeration")),
        }
    }
    fn enumeration(&mut self) -> Result<Domain, ErrorReported> {
        let mut values = Vec::new();
        loop {
            let (token, span) = self.tokens.peek();
            let value = match token {
                Token::Name("TRUE" | "FALSE") => {
                    return Err(self.refuse("a truth value in an enumeration", span, "declare the variable boolean"));
                }
                Token::Name(name) => {
                    self.tokens.advance();
                    let next = SYMBOL + self.symbols.len() as i64;
                    let value = *self.symbols.entry(name).or_insert(next);
                    if value == next {
                        self.program.symbols.push(name.to_owned());
                    }
                    value
                }
                _ => self.integer()?,
            };
            if values.contains(&value) {
                return Err(self.refuse("this value is there twice", span, "remove one of them"));
            }
            values.push(value);
            if !self.tokens.take(",") {
                break;
            }
        }
        self.tokens.expect("}")?;
        Ok(Domain::Values(values))
    }
    fn define(&mut self, name: &'a str, span: Span) -> Result<(), ErrorReported> {
        self.tokens.advance();
        self.tokens.expect(":=")?;
        self.declare(name, span)?;
        let body = Expr {
            kind: ExprKind::Bool(false),
            span,
        };
        let define = self.program.defines.push(Define {
            name: name.to_owned(),
            body,
            is_choice: false,
            is_boolean: true,
            is_number: false,
        });
        self.defines.insert(name, define);
        self.bodies.push(self.tokens.at);
        self.read.push(Reading::Not);
        self.skip();
        Ok(())
    }
    fn assignment(&mut self, first: &'a str, span: Span) -> Result<(), ErrorReported> {
        self.tokens.advance();
        let applied = matches!(first, "init" | "next") && self.tokens.take("(");
        let slot = match (applied, first) {
            (true, "init") => AssignmentTarget::Init,
            (true, _) => AssignmentTarget::Next,
            _ => AssignmentTarget::Always,
        };
        let (name, span) = match (applied, self.tokens.peek()) {
            (true, (Token::Name(name), span)) => {
                self.tokens.advance();
                (name, span)
            }
            (true, (_, span)) => return Err(self.refuse("a variable is expected here", span, "write its name")),
            _ => (first, span),
        };
        let element = match self.arrays.get(name).cloned() {
            Some(array) => Some(self.assigned_element(&array)?),
            None => self.variables.get(name).copied(),
        };
        if applied {
            self.tokens.expect(")")?;
        }
        if element.is_none() && self.refused.contains(name) {
            return Err(ErrorReported);
        }
        self.tokens.expect(":=")?;
        let start = self.tokens.at;
        self.skip();
        let Some(var) = element else {
            self.refused.insert(name);
            let help = "assign to variables that are declared above";
            return self.note(format!("`{name}` is no variable that is declared above"), span, help);
        };
        let name = self.program.variables[var].name.clone();
        if let Some((_, other)) = self.assigned.get(&(var, slot)) {
            let first = *other;
            let message = format!("`{name}` is assigned twice");
            self.tokens.refuse_second(message, span, first, "remove one of the two");
            return Ok(());
        }
        self.assigned.insert((var, slot), (start, span));
        Ok(())
    }
    /// Refuses values of enumerations that are also names of variables or definitions.
    fn values_that_are_names(&mut self) {
        for symbol in self.program.symbols.clone() {
            if let Some(span) = self.declared.get(&symbol).copied() {
                self.refuse(
                    format!("`{symbol}` is a name and a value of a type"),
                    span,
                    "rename one of them",
                );
            }
        }
    }
    /// Reports an error after which reading continues.
    fn note(&mut self, message: impl Into<String>, span: Span, help: &str) -> Result<(), ErrorReported> {
        self.refuse(message, span, help);
        Ok(())
    }
}

/// Reads `tokens`; the program is valid only if there are no errors among the diagnostics.
pub(super) fn read<'a>(tokens: Tokens<'a>, notes: &Notes<'a>) -> (Program, Vec<Diagnostic>) {
    let mut reader = SmvReader::new(tokens);
    reader.declarations();
    reader.values_that_are_names();
    reader.meanings(notes);
    reader.circles();
    (reader.program, reader.tokens.diagnostics)
}

//! Declared names, and the network that grows while they are read.

use std::cell::Cell;
use std::collections::HashMap;
use std::ops::Range;
use std::rc::Rc;

use super::left_out::Unread;
use super::types::{NumericType, ResolvedType};
use crate::grammar::built_in::{BUILT_IN, BuiltIn};
use crate::grammar::depth::MAX_PARTS;
use crate::grammar::lexer::shorten;
use crate::grammar::syntax::{LoweringResult, Name};
use tamper_text::{Diagnostic, Span};
use tamper_timed::network::{Network, Root};

/// A declared name.
#[derive(Debug)]
pub(crate) struct DeclaredSymbol {
    pub span: Span,
    pub what: SymbolKind,
    /// Whether a label or declaration uses it.
    pub used: Cell<bool>,
}

/// The meaning of a name.
#[derive(Clone, Debug)]
pub(crate) enum SymbolKind {
    Type(ResolvedType),
    /// A constant number, whether it is a boolean, and its set of scalars, if any.
    Number(i64, bool, Option<u32>),
    /// Cells, and whether they may be written.
    Cells(Root, ResolvedType, bool),
    /// Clocks from that position on.
    Clocks(u32, ResolvedType),
    /// A structure with cells (variables) and clocks, or an array of such, from these positions on.
    Mixed(u32, u32, ResolvedType),
    /// A parameter that is or has clocks: the cells of the frame with the position of the first clock and, if it has cells, with
    /// their address.
    Passed(u32, Option<u32>, ResolvedType),
    /// Channels from that position on.
    Channels(u32, ResolvedType),
    Function(usize),
    /// A declared name that has no exact meaning here: its uses are errors, its declaration is not.
    Foreign(&'static str),
    /// A function that cannot be read, with the error that its calls report.
    Unread(Rc<Diagnostic>),
    /// Its declaration is wrong; that error is reported, its uses are not.
    Broken,
}

/// The way an argument is passed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Handover {
    Value,
    /// Whether the function may change it.
    Reference {
        writes: bool,
    },
    /// Not at all, since it is not read: one unused cell.
    Unread,
}

/// Clocks that have no exact meaning once something is compared with them.
#[derive(Clone, Debug)]
pub(crate) struct OddClock {
    /// Their positions.
    pub clocks: Range<usize>,
    /// Their name, with the place of the text that makes them odd.
    pub name: Name,
    /// The reason why they have no exact meaning.
    pub oddity: Oddity,
}

/// The reason why a clock has no exact meaning.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Oddity {
    /// It starts at this value, which is not 0; `None` if it is no constant natural number of 32 bits.
    Start(Option<i32>),
    /// Its rate is not an integer expression.
    Rate,
    /// Its rate is not 1.
    Stopped,
}

/// The facts about a function that its callers need.
#[derive(Clone, Debug)]
pub(crate) struct FunctionSignature {
    /// The types of the parameters, the way each is passed, and its name.
    pub parameters: Vec<(ResolvedType, Handover, Rc<str>)>,
    pub result: ResolvedType,
    /// The kind of a foreign result, which no game can have.
    pub foreign: Option<&'static str>,
    /// The depth of its expressions, counting the functions that it calls.
    pub height: u32,
    /// Whether it reads variables.
    pub reads: bool,
    /// Whether it changes variables, clocks or arguments passed by reference.
    pub writes: bool,
}

/// The names that UPPAAL declares outside the file.
fn built_in() -> HashMap<String, Rc<DeclaredSymbol>> {
    let named = BUILT_IN.into_iter().map(|(name, found)| {
        let what = match found {
            BuiltIn::Foreign(what) => SymbolKind::Foreign(what),
            BuiltIn::Constant(value) => SymbolKind::Number(i64::from(value), false, None),
            BuiltIn::Type(low, high) => SymbolKind::Type(ResolvedType::Number(NumericType {
                low,
                high,
                boolean: false,
                scalar: None,
                bounded: true,
            })),
        };
        let span = Span::default();
        (name.to_owned(), DeclaredSymbol::new(span, what))
    });
    named.collect()
}

impl DeclaredSymbol {
    fn new(span: Span, what: SymbolKind) -> Rc<Self> {
        let used = Cell::new(false);
        Rc::new(Self { span, what, used })
    }
}

/// Lowers declarations and labels into a network.
pub(crate) struct NetworkLowering<'a> {
    pub network: Network,
    /// One per function of the network.
    pub signatures: Vec<FunctionSignature>,
    /// The names seen, the innermost scope last.
    pub scopes: Vec<HashMap<String, Rc<DeclaredSymbol>>>,
    /// The names that the file, or the current process, declares, in order.
    pub declared: Vec<(Name, Rc<DeclaredSymbol>)>,
    /// The prefix of names of cells: the process.
    pub prefix: String,
    /// The number of cells of the current frame.
    pub frame: u32,
    /// The current constant expression cannot use cells of the frame below this one; 0 outside a constant expression.
    pub floor: u32,
    /// Whether variables were read since the flag was cleared.
    pub reads: bool,
    /// The name of the last variable read.
    pub last_read: String,
    /// Whether something was changed since the flag was cleared.
    pub writes: bool,
    /// The height of the highest expression read since it was set to 0.
    pub highest: u32,
    /// The greatest depth of the functions called since it was set to 0.
    pub called: u32,
    /// The number of choices of variables that the current expression is in.
    pub n_choices: u32,
    /// The number of parts that further types may have.
    pub parts_left: u64,
    /// The number of scalar sets declared so far.
    pub n_scalar_sets: u32,
    /// The result type, inside a function.
    pub result: Option<ResolvedType>,
    /// Whether that function returns a value that is not read.
    pub returns_unread: bool,
    /// The parts that are left out, since no condition may read them.
    pub unread: Unread,
    /// The clocks with which nothing may be compared.
    pub odd: Vec<OddClock>,
    /// The clocks that something is compared with.
    pub compared: std::collections::BTreeSet<usize>,
    pub diagnostics: &'a mut Vec<Diagnostic>,
}

impl<'a> NetworkLowering<'a> {
    /// An empty network with an empty scope.
    pub fn new(diagnostics: &'a mut Vec<Diagnostic>) -> Self {
        Self {
            network: Network::default(),
            signatures: Vec::new(),
            scopes: vec![built_in(), HashMap::new()],
            declared: Vec::new(),
            prefix: String::new(),
            frame: 0,
            floor: 0,
            reads: false,
            last_read: String::new(),
            writes: false,
            highest: 0,
            called: 0,
            n_choices: 0,
            parts_left: MAX_PARTS,
            n_scalar_sets: 0,
            result: None,
            returns_unread: false,
            unread: Unread::default(),
            odd: Vec::new(),
            compared: std::collections::BTreeSet::new(),
            diagnostics,
        }
    }

    /// Declares a name in the innermost scope; a duplicate is reported, and shadows the earlier name.
    pub fn insert(&mut self, name: &Name, what: SymbolKind) {
        self.insert_named(name, DeclaredSymbol::new(name.span, what));
    }

    /// Declares a name of the file or of a process.
    pub fn insert_declared(&mut self, name: &Name, what: SymbolKind) {
        let named = DeclaredSymbol::new(name.span, what);
        if self.result.is_none() {
            self.declared.push((name.clone(), Rc::clone(&named)));
        }
        self.insert_named(name, named);
    }

    fn insert_named(&mut self, name: &Name, named: Rc<DeclaredSymbol>) {
        let scope = self.scopes.last_mut().expect("a scope");
        if let Some(first) = scope.insert(name.text.clone(), named) {
            let error = Diagnostic::error(format!("`{}` is declared twice", name.text), name.span)
                .with_secondary(first.span, "first declared here")
                .with_help("rename one of the two");
            self.diagnostics.push(error);
        }
    }

    /// The declaration that `name` leads to.
    pub fn find(&self, name: &str) -> Option<&Rc<DeclaredSymbol>> {
        self.scopes.iter().rev().find_map(|scope| scope.get(name))
    }

    /// The declaration of `name`.
    ///
    /// # Errors
    /// The name is not declared, or has no meaning here; `None` if its declaration is wrong, which is reported already.
    pub fn get(&self, name: &str, span: Span) -> LoweringResult<Rc<DeclaredSymbol>> {
        let Some(named) = self.find(name) else {
            return Err(Some(
                Diagnostic::error(format!("`{}` is not declared", shorten(name)), span)
                    .with_help("declare it, globally or in the template, or correct the spelling"),
            ));
        };
        named.used.set(true);
        match &named.what {
            SymbolKind::Broken => Err(None),
            SymbolKind::Foreign(what) => Err(Some(foreign_use(name, what, named.span, span))),
            SymbolKind::Unread(error) => Err(Some(error.as_ref().clone())),
            _ => Ok(Rc::clone(named)),
        }
    }

    /// Runs `lower` in an inner scope.
    pub fn scoped<T>(&mut self, lower: impl FnOnce(&mut Self) -> T) -> T {
        self.scopes.push(HashMap::new());
        let result = lower(self);
        self.scopes.pop();
        result
    }

    /// New cells of the frame.
    pub fn allocate(&mut self, cells: u32) -> u32 {
        let first = self.frame;
        self.frame += cells;
        first
    }

    /// Whether the result of the function of that name is an integer.
    pub fn result_is_read(&self, name: &str) -> bool {
        match self.find(name).map(|named| &named.what) {
            Some(SymbolKind::Function(at)) => self.signatures.get(*at).is_none_or(|known| known.foreign.is_none()),
            _ => true,
        }
    }

    /// Reports an error; returns `None` for one.
    pub fn report<T>(&mut self, result: LoweringResult<T>) -> Option<T> {
        result.map_err(|error| self.diagnostics.extend(error)).ok()
    }
}

/// The error that a use of a name without a meaning here is refused.
fn foreign_use(name: &str, what: &str, declared: Span, span: Span) -> Diagnostic {
    let advice = match what {
        "floating-point variable" => "use an integer in a smaller unit",
        "hybrid clock" => "use an ordinary clock",
        _ => "use integers, booleans and clocks",
    };
    Diagnostic::error(format!("`{name}` is a {what}, which is not supported"), span)
        .with_secondary(declared, "declared here")
        .with_help(advice)
}

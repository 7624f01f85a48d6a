//! Declared names and what they stand for.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::built_in::{BUILT_IN, BuiltIn};
use super::syntax::Name;
use crate::text::{Diagnostic, Span};

/// A declared name.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub name: Name,
    pub symbol: Symbol,
}

/// What a name stands for.
#[derive(Clone, Debug)]
pub(super) enum Symbol {
    Const(Constant),
    Int(Range, i32),
    Clock,
    Channel {
        urgent: bool,
    },
    Type(Type),
    /// A reference parameter: the global variable, clock or channel of that position.
    Alias(usize),
    /// Something declared that no single timed game has; using it is an error, declaring it is not.
    Foreign(&'static str),
    /// Its declaration is wrong; that error is reported, its uses are not.
    Broken,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Constant {
    pub value: i64,
    pub boolean: bool,
}

/// The values of an integer variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Range {
    pub low: i32,
    pub high: i32,
    pub boolean: bool,
}

impl Range {
    /// What a constant of this type may be: of plain type `int` any 32-bit number.
    pub fn of_constants(self, bounded: bool) -> Self {
        if bounded {
            return self;
        }
        Self {
            low: i32::MIN,
            high: i32::MAX,
            boolean: false,
        }
    }
}

/// A resolved type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Type {
    /// Unbounded in the file (`bounded` false) means UPPAAL's -32768..32767.
    Int {
        range: Range,
        bounded: bool,
    },
    Clock,
    Channel {
        urgent: bool,
    },
    Foreign(&'static str),
}

/// The names declared in one place: the file, or one instance of a template.
#[derive(Clone, Default, Debug)]
pub(super) struct Table {
    pub entries: Vec<Entry>,
    by_name: HashMap<String, usize>,
}

impl Table {
    /// Adds a name; one that the same place already declares is reported and shadowed.
    pub(super) fn insert(&mut self, name: Name, symbol: Symbol, diagnostics: &mut Vec<Diagnostic>) {
        let position = self.entries.len();
        if let Some(first) = self.by_name.insert(name.text.clone(), position) {
            let error = Diagnostic::error(format!("`{}` is declared twice", name.text), name.span)
                .with_secondary(self.entries[first].name.span, "first declared here")
                .with_help("rename one of the two");
            diagnostics.push(error);
        }
        self.entries.push(Entry { name, symbol });
    }
    fn find(&self, name: &str) -> Option<usize> {
        self.by_name.get(name).copied()
    }
}

/// Which declaration a name led to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum Place {
    Global(usize),
    Local(usize),
    /// UPPAAL's own, around the file: types and constants.
    Around(usize),
}

/// What UPPAAL declares around the file.
static AROUND: LazyLock<Table> = LazyLock::new(|| {
    let mut table = Table::default();
    for (text, found) in BUILT_IN {
        let name = Name {
            text: text.to_owned(),
            span: Span::default(),
        };
        let symbol = match found {
            BuiltIn::Constant(value) => Symbol::Const(Constant {
                value: i64::from(value),
                boolean: false,
            }),
            BuiltIn::Type(low, high) => Symbol::Type(Type::Int {
                range: Range {
                    low,
                    high,
                    boolean: false,
                },
                bounded: true,
            }),
        };
        table.insert(name, symbol, &mut Vec::new());
    }
    table
});

/// What can be seen from a place in the file: the instance's own names, then the file's.
#[derive(Clone, Copy)]
pub(super) struct Scope<'a> {
    pub globals: &'a Table,
    pub locals: Option<&'a Table>,
}

impl<'a> Scope<'a> {
    /// The declaration `name` leads to, reference parameters followed.
    pub(super) fn find(self, name: &str) -> Option<(Place, &'a Entry)> {
        let local = self
            .locals
            .and_then(|table| table.find(name).map(|at| (at, &table.entries[at])));
        let (place, entry) = match local {
            Some((at, entry)) => (Place::Local(at), entry),
            None => match self.globals.find(name) {
                Some(at) => (Place::Global(at), &self.globals.entries[at]),
                None => {
                    let at = AROUND.find(name)?;
                    (Place::Around(at), &AROUND.entries[at])
                }
            },
        };
        match entry.symbol {
            Symbol::Alias(at) => Some((Place::Global(at), &self.globals.entries[at])),
            _ => Some((place, entry)),
        }
    }

    /// The declaration `name` leads to.
    ///
    /// # Errors
    /// There is none; `None` when there is a wrong one, which is reported already.
    pub(super) fn get(self, name: &str, span: Span) -> Result<(Place, &'a Entry), Option<Diagnostic>> {
        match self.find(name) {
            Some((
                _,
                Entry {
                    symbol: Symbol::Broken, ..
                },
            )) => Err(None),
            Some(found) => Ok(found),
            None => Err(Some(
                Diagnostic::error(format!("`{}` is not declared", super::lexer::shorten(name)), span)
                    .with_help("declare it, globally or in the template, or correct the spelling"),
            )),
        }
    }
}

/// Why a use of a foreign declaration is refused.
pub(super) fn foreign_use(entry: &Entry, what: &str, span: Span) -> Diagnostic {
    let advice = match what {
        "function" => "write the expression out where it is called",
        "array" => "use one variable per element",
        "array of clocks" => "use one clock per element",
        "array of channels" => "use one channel per element",
        "structure" => "use one variable per field",
        "floating-point variable" => "use an integer in a smaller unit",
        "hybrid clock" => "use an ordinary clock",
        _ => "use integers, booleans and clocks",
    };
    let article = if what.starts_with('a') { "an" } else { "a" };
    Diagnostic::error(
        format!("`{}` is {article} {what}, which is not supported", entry.name.text),
        span,
    )
    .with_secondary(entry.name.span, "declared here")
    .with_help(advice)
}

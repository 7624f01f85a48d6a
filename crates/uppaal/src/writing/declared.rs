//! The names that a file or a process declares, for writers of the file.

use std::rc::Rc;

use crate::grammar::syntax::Name;
use crate::language::{DeclaredSymbol, NetworkLowering, ResolvedType, SymbolKind};
use tamper_text::{Diagnostic, Span};
use tamper_timed::network::{Network, Root, Stored, Variable};

/// A declared name.
#[derive(Clone, Debug)]
pub(crate) struct Declared {
    pub name: Name,
    pub meaning: DeclaredKind,
}

/// The meaning of a declared name.
#[derive(Clone, Debug)]
pub(crate) enum DeclaredKind {
    Constant { value: i64, boolean: bool },
    Clock(usize),
    Number(usize, Variable),
    Channel,
    Other,
}

impl Declared {
    /// The declaration of `named`, a name of `network`.
    pub fn of(name: &Name, named: &DeclaredSymbol, network: &Network) -> Self {
        let meaning = match &named.what {
            SymbolKind::Number(value, boolean, _) => DeclaredKind::Constant {
                value: *value,
                boolean: *boolean,
            },
            SymbolKind::Clocks(at, ResolvedType::Clock) => DeclaredKind::Clock(*at as usize),
            SymbolKind::Cells(Root::Variable(at), ResolvedType::Number(_), _) => {
                DeclaredKind::Number(*at as usize, network.variables[*at as usize].clone())
            }
            SymbolKind::Channels(_, ResolvedType::Channel { .. }) => DeclaredKind::Channel,
            _ => DeclaredKind::Other,
        };
        Self {
            name: name.clone(),
            meaning,
        }
    }

    /// The clock or variable, if the name declares one.
    pub fn stored(&self) -> Option<Stored> {
        match self.meaning {
            DeclaredKind::Clock(at) => Some(Stored::Clock(at)),
            DeclaredKind::Number(at, _) => Some(Stored::Variable(at)),
            _ => None,
        }
    }
}

/// The declaration of that name in `list`, the last one if there are several.
pub(crate) fn find<'d>(list: &'d [Declared], name: &str) -> Option<&'d Declared> {
    list.iter().rev().find(|declared| declared.name.text == name)
}

/// The warning for a function that is not read, unless it is used.
pub(crate) fn unread_function(name: &Name, named: &DeclaredSymbol) -> Option<Diagnostic> {
    let SymbolKind::Unread(error) = &named.what else {
        return None;
    };
    let message = format!("nothing calls `{}`, which is not read: {}", name.text, error.message);
    (!named.used.get()).then(|| Diagnostic::warning(message, name.span))
}

/// The single warning about the unread parts of a file: its weights, and the declared names without a meaning in a
/// game. Clocks with an initial value that matters are errors.
pub(crate) fn unread_parts(
    lowering: &mut NetworkLowering<'_>,
    weights: &[(&'static str, Span)],
    names: &[(Name, Rc<DeclaredSymbol>)],
) -> Option<Diagnostic> {
    lowering.refuse_odd_clocks();
    for (what, place) in weights {
        lowering.unread.add(what, *place);
    }
    for (name, named) in names {
        // A foreign name that is used is an error; only unused ones are warned about.
        if let SymbolKind::Foreign(what) = named.what
            && !named.used.get()
        {
            lowering.unread.add(what, name.span);
        }
    }
    lowering.unread.warning()
}

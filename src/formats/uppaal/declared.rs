//! The names that a file or a process declares, for those who write the file again.

use super::language::{Named, Type, What};
use super::syntax::Name;
use crate::network::{Network, Root, Stored, Variable};
use crate::text::Diagnostic;

/// A declared name.
#[derive(Clone, Debug)]
pub(super) struct Declared {
    pub name: Name,
    pub meaning: Meaning,
}

/// What a declared name stands for.
#[derive(Clone, Debug)]
pub(super) enum Meaning {
    Constant { value: i64, boolean: bool },
    Clock(usize),
    Number(usize, Variable),
    Channel,
    Other,
}

impl Declared {
    /// What `named`, a name of `network`, declares.
    pub fn of(name: &Name, named: &Named, network: &Network) -> Self {
        let meaning = match &named.what {
            What::Number(value, boolean) => Meaning::Constant {
                value: *value,
                boolean: *boolean,
            },
            What::Clocks(at, Type::Clock) => Meaning::Clock(*at as usize),
            What::Cells(Root::Variable(at), Type::Number(_), _) => {
                Meaning::Number(*at as usize, network.variables[*at as usize].clone())
            }
            What::Channels(_, Type::Channel { .. }) => Meaning::Channel,
            _ => Meaning::Other,
        };
        Self {
            name: name.clone(),
            meaning,
        }
    }

    /// The clock or variable, if it is one.
    pub fn stored(&self) -> Option<Stored> {
        match self.meaning {
            Meaning::Clock(at) => Some(Stored::Clock(at)),
            Meaning::Number(at, _) => Some(Stored::Variable(at)),
            _ => None,
        }
    }
}

/// The declaration of that name in `list`, the last one if there are several.
pub(super) fn find<'d>(list: &'d [Declared], name: &str) -> Option<&'d Declared> {
    list.iter().rev().find(|declared| declared.name.text == name)
}

/// The warning for a declaration that is not read, unless something speaks of it.
pub(super) fn unread(name: &Name, named: &Named) -> Option<Diagnostic> {
    let message = match &named.what {
        What::Foreign(what) => {
            let name = &name.text;
            format!("`{name}` ({what}) is never used by an edge or invariant and is not read")
        }
        What::Unread(error) => format!("nothing calls `{}`, which is not read: {}", name.text, error.message),
        _ => return None,
    };
    (!named.used.get()).then(|| Diagnostic::warning(message, name.span))
}

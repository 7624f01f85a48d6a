//! Extended mutation machines as text (`.efsm`): declarations of variables and inputs, and a transition per line, with
//! alternatives separated by `|` wherever mutants may differ (`docs/book/src/machines.md`).

mod draft;
mod faults;
mod line;
mod read;
mod scope;
mod terms;
mod text;

pub(super) use draft::ExtendedDraft;
pub(super) use line::PieceExt;
pub(super) use read::read_extended;
pub(super) use scope::{Type, truth};
pub(super) use terms::{Term, terms};
pub(super) use text::{constant, declare_event, read_domain};

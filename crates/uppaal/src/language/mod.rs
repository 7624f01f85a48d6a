//! The whole language: a file as one network of processes over shared variables, for [`tamper_timed::network`].
//!
//! Types are resolved and flattened to cells, names to positions, constants folded; functions and templates are lowered
//! once per place where they are declared, local declarations and labels once per process. Constructs without an exact
//! meaning here are refused by name.

mod calls;
mod choices;
mod conditions;
mod declare;
mod expressions;
mod functions;
mod instances;
mod left_out;
mod places;
mod processes;
mod resolve;
mod scope;
mod types;
mod unread;

pub(super) use instances::ProcessInstance;
pub(super) use places::{InstancePlace, PartPlace, ProcessPlaces};
pub(super) use processes::{EdgePlaces, ProcessDraft};
pub(super) use scope::{DeclaredSymbol, NetworkLowering, SymbolKind};
pub(super) use types::ResolvedType;

//! What a `.tck` file declares.

use std::collections::BTreeMap;

use super::scan::Word;
use crate::model::Role;
use crate::text::Span;

/// All of it.
#[derive(Default, Debug)]
pub(super) struct System<'a> {
    pub name: Option<Word<'a>>,
    pub processes: Vec<Process<'a>>,
    pub clocks: Vec<Word<'a>>,
    pub ints: Vec<Int<'a>>,
    pub events: BTreeMap<&'a str, Span>,
    pub syncs: Vec<Sync<'a>>,
    /// What each event of an alphabet line is.
    pub alphabet: Vec<(String, Listed<'a>)>,
}

/// An entry of an alphabet line.
#[derive(Clone, Copy, Debug)]
pub(super) struct Listed<'a> {
    pub channel: &'a str,
    pub role: Role,
    pub span: Span,
}

#[derive(Debug)]
pub(super) struct Int<'a> {
    pub name: Word<'a>,
    pub low: i32,
    pub high: i32,
    pub initial: i32,
}

#[derive(Debug)]
pub(super) struct Process<'a> {
    pub name: Word<'a>,
    pub locations: Vec<Location<'a>>,
    pub edges: Vec<Edge<'a>>,
}

/// A synchronisation vector.
#[derive(Debug)]
pub(super) struct Sync<'a> {
    /// `P@a:Q@b?`
    pub name: String,
    pub parts: Vec<SyncPart<'a>>,
    pub span: Span,
}

/// A process's part in it.
#[derive(Debug)]
pub(super) struct SyncPart<'a> {
    /// The position of the process.
    pub process: usize,
    pub event: Word<'a>,
    /// Whether the process stays where it is if it has no such edge.
    pub is_weak: bool,
}

#[derive(Debug)]
pub(super) struct Location<'a> {
    pub name: Word<'a>,
    pub invariant: Option<Word<'a>>,
    pub initial: Option<Span>,
    pub urgent: bool,
    pub committed: bool,
}

#[derive(Debug)]
pub(super) struct Edge<'a> {
    /// Positions of locations.
    pub ends: (usize, usize),
    pub event: Word<'a>,
    pub guard: Option<Word<'a>>,
    pub update: Option<Word<'a>>,
    pub span: Span,
}

//! The declarations of a `.tck` file.

use std::collections::{BTreeMap, BTreeSet};

use tamper_text::{Piece, Span};
use tamper_timed::model::Role;

/// All declarations of a file.
#[derive(Default, Debug)]
pub(super) struct System<'a> {
    pub name: Option<Piece<'a>>,
    pub processes: Vec<Process<'a>>,
    pub clocks: Vec<Piece<'a>>,
    pub ints: Vec<Int<'a>>,
    pub events: BTreeMap<&'a str, Span>,
    pub syncs: Vec<Sync<'a>>,
    /// The entries of an alphabet line, by event.
    pub alphabet: Vec<(String, AlphabetEntry<'a>)>,
}

impl System<'_> {
    /// The events of processes that are in some vector.
    pub fn synchronised(&self) -> BTreeSet<(usize, &str)> {
        let parts = self.syncs.iter().flat_map(|sync| &sync.parts);
        parts.map(|part| (part.process, part.event.text)).collect()
    }
}

/// An entry of an alphabet line.
#[derive(Clone, Copy, Debug)]
pub(super) struct AlphabetEntry<'a> {
    pub channel: &'a str,
    pub role: Role,
    pub span: Span,
}

#[derive(Debug)]
pub(super) struct Int<'a> {
    pub name: Piece<'a>,
    pub low: i32,
    pub high: i32,
    pub initial: i32,
}

#[derive(Debug)]
pub(super) struct Process<'a> {
    pub name: Piece<'a>,
    pub locations: Vec<TcheckerLocation<'a>>,
    pub edges: Vec<TcheckerEdge<'a>>,
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
    pub event: Piece<'a>,
    /// Whether the process may stay in its location if no edge with the event leaves it.
    pub is_weak: bool,
}

#[derive(Debug)]
pub(super) struct TcheckerLocation<'a> {
    pub name: Piece<'a>,
    pub invariant: Option<Piece<'a>>,
    pub initial: Option<Span>,
    pub urgent: bool,
    pub committed: bool,
}

#[derive(Debug)]
pub(super) struct TcheckerEdge<'a> {
    /// Positions of locations.
    pub ends: (usize, usize),
    pub event: Piece<'a>,
    pub guard: Option<Piece<'a>>,
    pub update: Option<Piece<'a>>,
    pub span: Span,
}

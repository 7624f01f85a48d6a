//! What a file says, checked.

use super::interval::Interval;
use crate::text::Span;
use crate::text::json::Word;

/// The output that says that the word so far is accepted.
pub(super) const ACCEPT: &str = "accept";

/// A deterministic timed automaton with one clock. Locations and actions are named by their positions.
#[derive(Debug)]
pub(super) struct OneClock {
    pub name: Word,
    pub locations: Vec<Word>,
    pub actions: Vec<Word>,
    pub initial: usize,
    /// Each once.
    pub accepting: Vec<usize>,
    pub transitions: Vec<Transition>,
}

#[derive(Debug)]
pub(super) struct Transition {
    pub source: usize,
    pub action: usize,
    /// In order, none touching another.
    pub guard: Vec<Interval>,
    /// Whether the clock is 0 afterwards.
    pub reset: bool,
    pub target: usize,
    /// Where the guard stands.
    pub guard_place: Span,
    /// All of it.
    pub place: Span,
}

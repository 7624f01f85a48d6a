//! Deterministic one-clock timed automata (`.json`), as the tools write them that learn such automata.
//!
//! The automaton is read as a game: actions are inputs, and the output `accept!` is possible, for ever, where the words
//! so far are accepted. What no transition takes leads to a location in which nothing is accepted any more, so every
//! input is possible at any time. Nothing is ever forced, and each word leads to one state; so of two automata with the
//! same actions one refines the other exactly if the other accepts every timed word that it accepts.

mod interval;
mod read;
mod spell;

pub use read::read_one_clock;

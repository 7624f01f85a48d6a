//! Charts: hierarchical states with timers, as one timed game. A macrostep is one atomic step of the game.
//!
//! A reader makes a [`chart::Chart`] of a file; [`unfold`] follows it from configuration to configuration by [`macrostep`], in which
//! [`transitions`] says what is left and entered; [`spell`] writes the configurations as the locations of a game.

mod boxes;
mod chart;
mod data;
mod file;
mod macrostep;
mod mistakes;
mod scxml;
mod spell;
mod standard;
#[cfg(test)]
mod tests;
mod transitions;
mod unfold;
mod values;
mod warnings;
mod xstate;

pub use scxml::read_scxml;
pub use xstate::read_xstate;

//! XState (`.json`): the configuration of a machine, as `createMachine` of xstate 5 or 4 takes it, as one timed game.
//!
//! Delays are written out (`"delays": {"SHORT": 1000}` beside the configuration, for those with names), in milliseconds. Guards
//! are inputs: whoever tests the machine sets them. Actions by name are outputs, and so is each new value of the state; what is
//! invoked belongs to the environment, which says when it is done or has failed. Data is not read. A macrostep is one atomic
//! step of the game, timers that are due at one moment go in the order in which they were set, and an event that nothing
//! handles is ignored.

mod json;
mod read;
mod terms;

pub use read::read_xstate;

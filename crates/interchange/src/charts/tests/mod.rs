//! Games of charts, run as their own programs run them.

mod simulation;
mod xstate;
mod xstate4;

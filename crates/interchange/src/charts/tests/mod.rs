//! Games of charts, run as their own programs run them.

mod scxml;
mod simulation;
mod xstate;
mod xstate4;

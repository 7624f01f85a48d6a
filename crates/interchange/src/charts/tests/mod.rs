//! Games of charts, run as their own programs run them.

mod boxes;
mod scxml;
mod simulation;
mod xstate;
mod xstate4;

//! Tests that decide what to do while they run: a [`TestPolicy`] says what comes next, the [`Monitor`](super::Monitor) judges each event.
//!
//! `run` is such a test, whoever guides it; `random` draws inputs and times; `adaptive` goes for one mutant after the other and plans
//! anew after whatever the program does; `hunt` is what is left of the mutants for further tests.

mod adaptive;
mod hunt;
mod random;
mod run;

pub use adaptive::AdaptiveGuide;
pub use hunt::{AdaptiveCampaign, CampaignTarget, Open};
pub use random::RandomGuide;
pub use run::{OnlineOracle, TestPolicy, Unjudged, drive_online};

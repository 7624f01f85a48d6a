//! Tests that decide while they run: a [`TestPolicy`] chooses each act, the [`Monitor`](super::Monitor) judges each event.
//!
//! `run` executes a test, whoever guides it; `random` draws inputs and times; `adaptive` goes for one mutant after the other and
//! plans again after each event of the program; `campaign` has the mutants that are left for further tests.

mod adaptive;
mod campaign;
mod random;
mod run;

pub use adaptive::AdaptiveGuide;
pub use campaign::{AdaptiveCampaign, CampaignTarget, Open};
pub use random::RandomGuide;
pub use run::{OnlineOracle, TestPolicy, Unjudged, drive_online};

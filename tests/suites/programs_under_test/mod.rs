//! Programs under test: run by suites, at random and adaptively; judged, diagnosed, and tested without tamper.

mod adaptive;
mod beside_chance;
mod diagnosed;
mod ended;
mod harness;
#[cfg(unix)]
mod heard;
mod jitter;
mod judged;
mod lamp;
mod placed;
mod protocol_page;
mod random_programs;
mod runner;
mod worded;

//! Answers that are known, derived by hand or published: the oracle gives them, and the engine those that other engines are
//! known to get wrong.

mod known_wrong_answers;
mod oracle_selftest;
mod oracle_studies;
mod plants;

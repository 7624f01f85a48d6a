//! Checks certificates of verdicts on timed games.
//!
//! `tamper` decides whether a mutant of a timed game refines its specification, by some fifteen thousand lines. A certificate
//! says why, in a form that needs none of them: both games in normal form, and sets of states that satisfy the conditions of the
//! definitions. This package reads one and checks each condition; it shares no code with what found the verdict. Read the files in
//! this order: `zone` (sets of clock valuations), `game`, `certificate` (what is said), `read` (its text), `consistency` and
//! `refinement` (when it holds, and why that proves the claim).

mod certificate;
mod consistency;
mod fault;
mod game;
mod read;
mod refinement;
mod zone;

pub use certificate::Claim;
pub use fault::{Fault, Limit};

/// Checks a certificate; the claim that it proves.
///
/// # Errors
/// The first line that is wrong, or the limit.
///
/// # Examples
/// A machine that may answer within 5 refines one that may take 7:
/// ```
/// let game = |limit| format!("clocks x\noutputs tea\nnode Brewing\nholds x<={limit}\ntea! 1\nnode Done\n");
/// let text = format!(
///     "tamper certificate 1\nclaim subsumed\nunmatched reject\npruned no\ngame mutant\n{}game specification\n{}\
///      relation\n0 0 : x<=5 x-x'=0\n1 1 :\n",
///     game(5), game(7)
/// );
/// let claim = tamper_check::check(&text, 1_000).unwrap();
/// assert_eq!(claim, tamper_check::Claim::Subsumed);
/// let wrong = text.replace("x<=7", "x<=3");
/// let fault = tamper_check::check(&wrong, 1_000).unwrap_err();
/// assert_eq!(fault.to_string(), "does not hold: line 20, because the specification does not exist in all of these states");
/// ```
pub fn check(text: &str, steps: u64) -> Result<Claim, Fault> {
    let certificate = read::read(text)?;
    let n_clocks = certificate.games.iter().map(|game| game.clocks.len()).sum();
    let mut limit = Limit::of_steps(steps, n_clocks);
    refinement::check(&certificate, &mut limit)?;
    Ok(certificate.claim.0)
}

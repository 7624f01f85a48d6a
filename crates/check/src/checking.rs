//! A whole certificate, mutant by mutant.

use crate::certificate::Claim;
use crate::fault::{Fault, Limit};
use crate::read::Reader;
use crate::refinement::{KnownGame, check_mutant};

/// Checks a certificate; `tell` is given the name of each mutant with the claim that is proved, or the first line that is wrong. `steps`
/// is the limit for each mutant.
///
/// # Errors
/// A line that is of no certificate, or wrong about the specification; or the limit was hit there.
///
/// # Examples
/// A machine that answers within 5 refines one that may take 7:
/// ```
/// let text = "tamper certificate 1
/// unmatched reject
/// pruned no
/// specification
/// clocks x
/// outputs tea
/// node 0 Brewing
/// holds x<=7
/// tea! 1
/// node 1 Done
/// mutant quicker
/// claim subsumed
/// node 0 Brewing
/// holds x<=5
/// tea! 1
/// relation
/// 0 0 : x<=5 x-x'=0
/// 1 1 :
/// ";
/// let claim = tamper_check::check_one(text, 1_000).unwrap();
/// assert_eq!(claim, tamper_check::Claim::Subsumed);
/// let wrong = text.replace("x<=7", "x<=3");
/// let fault = tamper_check::check_one(&wrong, 1_000).unwrap_err();
/// assert_eq!(fault.to_string(), "does not hold: line 17, because the specification does not exist in all of these states");
/// ```
pub fn check(text: &str, steps: u64, tell: &mut dyn FnMut(&str, Result<Claim, Fault>)) -> Result<(), Fault> {
    let mut reader = Reader::start(text)?;
    let (rules, stated) = (reader.rules, reader.specification.clone());
    let n_clocks = stated.game.clocks.len();
    let specification = KnownGame::check(stated, None, rules, &mut Limit::of_steps(steps, n_clocks))?;
    while let Some(mutant) = reader.next_mutant()? {
        let name = mutant.name.clone();
        let mut limit = Limit::of_steps(steps, n_clocks + mutant.stated.game.clocks.len());
        tell(&name, check_mutant(mutant, &specification, rules, &mut limit));
    }
    Ok(())
}

/// Checks a certificate of one mutant; the claim that it proves.
///
/// # Errors
/// The first line that is wrong, or the limit.
pub fn check_one(text: &str, steps: u64) -> Result<Claim, Fault> {
    let mut results = Vec::new();
    check(text, steps, &mut |_, result| results.push(result))?;
    match (results.pop(), results.is_empty()) {
        (Some(result), true) => result,
        _ => Err(Fault::malformed(1, "this is not about exactly one mutant")),
    }
}

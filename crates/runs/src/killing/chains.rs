//! Tests along chains of definitions and uses (\[002\]), each executed against its mutant before a kill is claimed.

use super::candidate::{Candidate, ONE_RUN};
use super::generate::{KillOutcome, OPEN, SuiteRequest, of_subject, plain};
use super::suite_options::KillGoal;
use tamper_suite::{Kill, Potential, Subject, SuiteFailure, TestCase, ends};

/// Executes tests along the chains of a mutant. Returns the first test that always fails on it, or else, if the goal
/// allows it, the first one that can fail.
pub(super) fn along_chains(asked: SuiteRequest<'_>, candidate: &Candidate) -> KillOutcome {
    of_subject(asked, candidate, |subject| tried(asked, candidate, subject))
}

fn tried(asked: SuiteRequest<'_>, candidate: &Candidate, subject: &Subject) -> Result<KillOutcome, SuiteFailure> {
    let SuiteRequest {
        tester, options, timer, ..
    } = asked;
    if candidate.is_one_run {
        return Ok(plain("unknown", Some(ONE_RUN.to_owned())));
    }
    let outcome = |kill: Kill, test: TestCase, reason| KillOutcome {
        killable: kill.name(),
        test: Some(TestCase { kill, ..test }),
        reason,
    };
    let (mut can_fail, mut tried) = (None, Vec::new());
    let mutant = candidate.automaton.as_ref();
    let mut chains = mutant
        .map(|mutant| tester.chains(mutant, &timer.budget()))
        .transpose()?;
    while let Some(chains) = &mut chains
        && let Some(chain) = chains.next_chain(&timer.budget())?
    {
        let shown = Subject::new(&chain.shown, &timer.budget())?;
        tried.push(chain.edges.join(", "));
        let Potential::Killed(test) = tester.potential(&shown, options.style, options.pick, &timer.budget())? else {
            continue;
        };
        let ends = ends(&test, subject, &timer.budget())?;
        match options.wanted {
            KillGoal::Potential if ends.can_fail() => return Ok(outcome(Kill::Potential, test, None)),
            KillGoal::Potential => {}
            _ if ends.must_fail() => return Ok(outcome(Kill::Definite, test, None)),
            KillGoal::Both if ends.can_fail() => can_fail = can_fail.or(Some(test)),
            _ => {}
        }
    }
    if let Some(test) = can_fail {
        let only = format!("{OPEN}only its chains were looked at");
        return Ok(outcome(Kill::Potential, test, Some(only)));
    }
    let reason = match tried.is_empty() {
        true => "no chain of definitions and uses leads from what it changes to where it would be observed".to_owned(),
        false => format!("no test along its chains kills it: {}", tried.join("; ")),
    };
    Ok(plain("unknown", Some(reason)))
}

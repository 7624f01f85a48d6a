//! Records of mutants of untimed systems.

use rayon::prelude::*;

use super::mutants::Untimed;
use crate::experiment::{DecidedBy, KillFacts, Record, Verdict};
use crate::formats::actions::ReadActions;
use crate::systems::actions::{ActionMutation, ActionVerdicts, CompareError, Killed, compare, compare_all};
use crate::systems::testing::SystemFate;
use crate::systems::{Killability, decide};
use crate::text::Budget;

/// The records of mutants of a transition system, each decided by itself; none where the time of the run was up.
pub(super) fn by_states(untimed: &Untimed, numbers: &[usize]) -> Vec<Option<Record>> {
    let one = |number: &usize| {
        let record = of_pair(untimed, *number, &untimed.timer.budget());
        (!untimed.timer.is_over()).then_some(record)
    };
    numbers.par_iter().map(one).collect()
}

fn of_pair(untimed: &Untimed, number: usize, budget: &Budget) -> Record {
    let unknown = |reason: String| open(untimed, number, Verdict::Unknown, reason);
    let pair = match untimed.pair(number, budget) {
        Ok(pair) => pair,
        Err(SystemFate::Unknown(reason)) => return unknown(reason),
        Err(fate) => {
            let why = fate.reason().unwrap_or_default().to_owned();
            return open(untimed, number, Verdict::Invalid, why);
        }
    };
    let verdicts = decide(&pair, budget);
    let kill = match verdicts.kill() {
        Ok(kill) => kill,
        Err(reason) => return unknown(reason.to_string()),
    };
    let word = verdicts.word().iter().map(|input| pair.inputs()[*input].clone());
    let facts = KillFacts {
        by: match kill {
            Killability::None => Vec::new(),
            kill => vec![kill.name().into()],
        },
        open: Vec::new(),
        word: untimed.witness.then(|| word.collect()),
    };
    let verdict = match kill {
        Killability::None => Verdict::Subsumed,
        _ => Verdict::NonSubsumed,
    };
    Record {
        decided_by: DecidedBy::Game,
        kill: Some(facts),
        ..open(untimed, number, verdict, String::new())
    }
}

/// The records of mutants of an action system: in one exploration, or each by itself where single decisions have limits.
///
/// # Errors
/// When a mutant cannot be compared with the original.
pub(super) fn by_actions(
    untimed: &Untimed,
    read: &ReadActions,
    mutations: &[ActionMutation],
    numbers: &[usize],
) -> Result<Vec<Option<Record>>, CompareError> {
    let timer = &untimed.timer;
    let asked: Vec<ActionMutation> = numbers.iter().map(|number| mutations[*number].clone()).collect();
    let at_once = timer
        .is_unlimited()
        .then(|| compare_all(&read.system, &asked, &timer.budget()).ok())
        .flatten();
    let verdicts: Vec<ActionVerdicts> = match at_once {
        Some(verdicts) => verdicts,
        None => {
            let one = |mutation: &ActionMutation| compare(&mutation.apply(&read.system), &read.system, &timer.budget());
            asked.par_iter().map(one).collect::<Result<_, _>>()?
        }
    };
    if timer.is_over() {
        return Ok(numbers.iter().map(|_| None).collect());
    }
    let records = numbers.iter().zip(&verdicts);
    Ok(records
        .map(|(number, verdicts)| Some(of_verdicts(untimed, *number, verdicts)))
        .collect())
}

fn of_verdicts(untimed: &Untimed, number: usize, verdicts: &ActionVerdicts) -> Record {
    let ways = [
        ("state", &verdicts.state),
        ("event", &verdicts.event),
        ("ioco", &verdicts.ioco),
    ];
    let named = |known: Option<bool>| {
        let of = move |(_, killed): &(&str, &Killed)| killed.known() == known;
        ways.into_iter().filter(of).map(|(name, _)| name.into()).collect()
    };
    let (verdict, reason) = match (verdicts.open(), &verdicts.state) {
        (Some(open), _) => (Verdict::Unknown, open.to_string()),
        (None, Killed::Yes(_)) => (Verdict::NonSubsumed, String::new()),
        (None, _) => (Verdict::Subsumed, String::new()),
    };
    let word = || verdicts.trace().iter().map(ToString::to_string).collect();
    Record {
        decided_by: match verdict {
            Verdict::Unknown => DecidedBy::Nothing,
            _ => DecidedBy::Game,
        },
        kill: Some(KillFacts {
            by: named(Some(true)),
            open: named(None),
            word: untimed.witness.then(word),
        }),
        ..open(untimed, number, verdict, reason)
    }
}

/// The record of a mutant of which nothing more is known.
fn open(untimed: &Untimed, number: usize, verdict: Verdict, reason: String) -> Record {
    let mutant = &untimed.mutants()[number];
    Record {
        id: mutant.id.clone(),
        order: 1,
        operators: vec![mutant.operator.into()],
        violates: Vec::new(),
        verdict,
        why: None,
        decided_by: DecidedBy::Nothing,
        duplicate_of: None,
        reason: (!reason.is_empty()).then_some(reason),
        witness: None,
        alone: None,
        kill: None,
    }
}

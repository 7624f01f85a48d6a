//! Decisions on mutants of untimed systems, as records.

use rayon::prelude::*;

use super::mutants::{Untimed, UntimedMutant};
use tamper_machines::{Mutant, MutationMachine};
use tamper_runs::{DecidedBy, KillFacts, Record, Verdict};
use tamper_systems::actions::{
    ActionMutation, ActionSystem, ActionVerdicts, CompareError, Killed, compare, compare_made,
};
use tamper_systems::formats::actions::ReadActions;
use tamper_systems::testing::SystemFate;
use tamper_systems::{Chained, Chains, KillStrength, decide};
use tamper_text::Budget;

/// A mutant with its number.
pub struct NumberedMutant {
    pub number: u64,
    pub mutant: UntimedMutant,
}

/// The record of a mutant of a machine: one word kills it definitely, or it conforms.
pub(super) fn of_machine(
    untimed: &Untimed,
    machine: &MutationMachine,
    made: &NumberedMutant,
    budget: &Budget,
) -> Record {
    let mutant = Mutant::numbered(machine, made.number + 1);
    let word = match mutant.map(|mutant| mutant.killing_sequence(machine, budget)) {
        Some(Ok(word)) => word,
        Some(Err(reason)) => return open(made, Verdict::Unknown, reason.to_string()),
        None => return open(made, Verdict::Invalid, "there is no such mutant".to_owned()),
    };
    let names = word.iter().flatten().map(|input| machine.inputs()[*input].clone());
    killed(
        untimed,
        made,
        if word.is_some() {
            KillStrength::Blind
        } else {
            KillStrength::None
        },
        names.collect(),
    )
}

/// The record of a mutant of a transition system.
pub(super) fn of_pair(untimed: &Untimed, made: &NumberedMutant, budget: &Budget) -> Record {
    let unknown = |reason: String| open(made, Verdict::Unknown, reason);
    let pair = match untimed.pair(made.number, budget) {
        Ok(Some(pair)) => pair,
        Ok(None) => return of_original(made),
        Err(SystemFate::Unknown(reason)) => return unknown(reason),
        Err(fate) => {
            let why = fate.reason().unwrap_or_default().to_owned();
            return open(made, Verdict::Invalid, why);
        }
    };
    let verdicts = decide(&pair, budget);
    let kill = match verdicts.kill() {
        Ok(kill) => kill,
        Err(reason) => return unknown(reason.to_string()),
    };
    let word = verdicts.word().iter().map(|input| pair.inputs()[*input].clone());
    killed(untimed, made, kill, word.collect())
}

/// The record of a mutant with killability `kill`, killed by `word`.
fn killed(untimed: &Untimed, made: &NumberedMutant, kill: KillStrength, word: Vec<String>) -> Record {
    let (verdict, by) = match kill {
        KillStrength::None => (Verdict::Subsumed, Vec::new()),
        kill => (Verdict::NonSubsumed, vec![kill.name().into()]),
    };
    Record {
        decided_by: DecidedBy::Game,
        kill: Some(KillFacts {
            by,
            open: Vec::new(),
            word: untimed.witness.then_some(word),
        }),
        ..open(made, verdict, String::new())
    }
}

/// The records of mutants of an action system: from one exploration, or decided one by one if single decisions have
/// limits. Empty if the time of the run is up.
///
/// # Errors
/// If a mutant cannot be compared with the original.
pub(super) fn by_actions(
    untimed: &Untimed,
    read: &ReadActions,
    chains: &Chains<ActionMutation>,
    mutants: &[&NumberedMutant],
) -> Result<Vec<Record>, CompareError> {
    let (timer, system) = (&untimed.timer, &read.system);
    let make = |made: &&NumberedMutant| chains.make(system, made.number);
    let at_once = timer
        .is_unlimited()
        .then(|| at_once(system, mutants.iter().filter_map(make).collect(), &timer.budget()))
        .flatten();
    let verdicts: Vec<Option<ActionVerdicts>> = match at_once {
        Some(verdicts) => verdicts,
        None => {
            let one = |made: &&NumberedMutant| {
                let other = make(made).filter(|chained| !chained.is_original);
                let verdicts = other.map(|chained| compare(&chained.mutant, system, &timer.budget()));
                verdicts.transpose()
            };
            mutants.par_iter().map(one).collect::<Result<_, _>>()?
        }
    };
    if timer.is_over() {
        return Ok(Vec::new());
    }
    let records = mutants.iter().zip(&verdicts).map(|(made, verdicts)| match verdicts {
        Some(verdicts) => of_verdicts(untimed, made, verdicts),
        None => of_original(made),
    });
    Ok(records.collect())
}

/// The verdicts on the mutants from one exploration; `None` for a mutant that is the original, and `None` for all if
/// the original has an action with too many ways through it.
fn at_once(
    original: &ActionSystem,
    mutants: Vec<Chained<ActionSystem>>,
    budget: &Budget,
) -> Option<Vec<Option<ActionVerdicts>>> {
    let are_original: Vec<bool> = mutants.iter().map(|mutant| mutant.is_original).collect();
    let others = mutants.into_iter().filter(|mutant| !mutant.is_original);
    let others = others.map(|mutant| (mutant.mutant, mutant.chain)).collect();
    let mut verdicts = compare_made(original, others, budget).ok()?.into_iter();
    let verdicts = are_original.into_iter().map(|is_original| match is_original {
        true => None,
        false => verdicts.next(),
    });
    Some(verdicts.collect())
}

fn of_verdicts(untimed: &Untimed, made: &NumberedMutant, verdicts: &ActionVerdicts) -> Record {
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
        ..open(made, verdict, reason)
    }
}

/// The record of a mutant whose second mutation reverts the first.
fn of_original(made: &NumberedMutant) -> Record {
    Record {
        decided_by: DecidedBy::Duplicate,
        duplicate_of: Some("original".to_owned()),
        ..open(made, Verdict::Subsumed, String::new())
    }
}

/// The record of a mutant without further facts.
fn open(made: &NumberedMutant, verdict: Verdict, reason: String) -> Record {
    let mutant = &made.mutant;
    Record {
        id: mutant.id.clone(),
        order: mutant.operators.len() as u8,
        operators: mutant.operators.iter().map(|name| (*name).into()).collect(),
        violates: Vec::new(),
        verdict,
        why: None,
        decided_by: DecidedBy::Nothing,
        duplicate_of: None,
        reason: (!reason.is_empty()).then_some(reason),
        witness: None,
        alone: None,
        certificate: None,
        kill: None,
    }
}

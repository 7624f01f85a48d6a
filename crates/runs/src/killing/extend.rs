//! Tests for what an existing suite does not kill.

use std::collections::{BTreeMap, BTreeSet};

use super::candidate::Candidate;
use super::generate::{Asked, Generated, Outcome, outcome, surest};
use super::strategies::wished;
use super::target::{Target, kills};
use super::wish::{KillGoal, SuiteOptions};
use crate::error::Result;
use crate::suite_json::SuiteMutant;
use crate::{Progress, Timer};
use tamper_suite::{Kill, TestCase, Tester};

/// A suite that there is.
#[derive(Clone, Copy)]
pub struct Existing<'a> {
    /// Who tests its specification.
    pub tester: &'a Tester,
    /// Its tests.
    pub tests: &'a [TestCase],
}

/// What an existing suite leaves to be done about a mutant.
enum Left {
    /// Nothing: this is said of it.
    Nothing(SuiteMutant),
    /// A test, if there is one.
    Test,
}

/// The existing suite with tests behind its own for the `candidates` that none of its own kills as is wished. `progress` is told how many
/// of these are dealt with.
///
/// # Errors
/// Bounds of tests that are too fine to be compared exactly, and limits.
pub fn extended(
    Existing {
        tester,
        tests: existing,
    }: Existing<'_>,
    candidates: &[Candidate],
    wish: &SuiteOptions,
    timer: &Timer,
    progress: Progress<'_>,
) -> Result<Generated> {
    let left = left(
        Asked {
            tester,
            candidates,
            wish,
            timer,
        },
        existing,
    )?;
    let open = candidates
        .iter()
        .zip(&left)
        .filter(|(_, left)| matches!(left, Left::Test));
    let open: Vec<Candidate> = open.map(|(candidate, _)| candidate.clone()).collect();
    let asked = Asked {
        tester,
        candidates: &open,
        wish,
        timer,
    };
    let mut more = wished(asked, progress)?;
    rename(&mut more, existing);
    let mut made = more.mutants.into_iter();
    let mutants = left.into_iter().filter_map(|left| match left {
        Left::Nothing(said) => Some(said),
        Left::Test => made.next(),
    });
    let mut whole = Generated {
        mutants: mutants.collect(),
        tests: existing.iter().cloned().chain(more.tests).collect(),
        // What is known of the fewest is known of the new tests alone.
        bound: None,
        only_weakly: more.only_weakly,
        subsumed: 0,
    };
    whole.note_subsumed(tester, candidates, timer);
    Ok(whole)
}

/// What the tests `existing` leave to be done about each mutant.
fn left(asked: Asked<'_>, existing: &[TestCase]) -> Result<Vec<Left>> {
    let Asked {
        candidates,
        wish,
        timer,
        ..
    } = asked;
    let matrix = Target::new(asked.tester, candidates, wish).executed(existing, timer)?;
    let rows = kills(&matrix, existing, wish.wanted);
    let sure = matrix.killed(Kill::Definite);
    let one = |(at, candidate): (usize, &Candidate)| {
        let Some(first) = rows.iter().position(|row| row.contains(at)) else {
            return Left::Test;
        };
        let said = |killable: &str, reason| {
            Left::Nothing(SuiteMutant {
                id: candidate.id.clone(),
                killable: killable.to_owned(),
                test: Some(existing[first].id.clone()),
                reason,
            })
        };
        match wish.wanted {
            KillGoal::Potential => said(Kill::Potential.name(), None),
            wanted if sure.contains(at) => said(surest(wanted), None),
            // A test can fail on it: the question is whether another one always does.
            _ => match outcome(asked, candidate) {
                Outcome { killable, .. } if killable == Kill::Definite.name() => Left::Test,
                Outcome { reason, .. } => said(Kill::Potential.name(), reason),
            },
        }
    };
    Ok(candidates.iter().enumerate().map(one).collect())
}

/// Gives the new tests ids that no existing one has.
fn rename(more: &mut Generated, existing: &[TestCase]) {
    let taken: BTreeSet<&str> = existing.iter().map(|test| test.id.as_str()).collect();
    let width = (existing.len() + more.tests.len()).to_string().len();
    let ids = (existing.len() + 1..).map(|n| format!("t{n:0width$}"));
    let ids = ids.filter(|id| !taken.contains(id.as_str()));
    let names: BTreeMap<String, String> = more.tests.iter().map(|test| test.id.clone()).zip(ids).collect();
    let named = more.mutants.iter_mut().filter_map(|mutant| mutant.test.as_mut());
    for id in more.tests.iter_mut().map(|test| &mut test.id).chain(named) {
        names[id].clone_into(id);
    }
}

//! The killability of each mutant, and the tests that kill it.

use std::collections::{BTreeMap, BTreeSet};

use super::account::Killability;
use super::candidate::{Candidate, ONE_RUN};
use super::choices::{SUBSUMED_BY_CHOICE, subsumed};
use super::suite_options::{KillGoal, SuiteOptions};
use super::target::{Target, kills};
use crate::plans::turns::in_turns;
use crate::suite_json::SuiteMutant;
use crate::{Progress, Timer};
use tamper_suite::{Blind, Definite, Kill, KillMatrix, Node, Potential, Subject, SuiteFailure, TestCase, Tester};
use tamper_text::StopReason;

/// A generated suite.
#[derive(Clone, Debug)]
pub struct Generated {
    /// Its tests.
    pub tests: Vec<TestCase>,
    /// The entry of each mutant.
    pub mutants: Vec<SuiteMutant>,
    /// With [`Minimal`](super::Strategy::Minimal) and [`Fewest`](super::Strategy::Fewest): a lower bound on the number
    /// of tests, and whether the suite is proved to meet it. `None` for tests that linger, which may kill more than the
    /// tests that they were chosen by.
    pub bound: Option<(u64, bool)>,
    /// With [`OnTheFly`](super::Strategy::OnTheFly): the number of mutants that some test brings into a state different
    /// from the specification's while no test fails on them: weak kills that are not strong ones (\[002\]).
    pub only_weakly: Option<usize>,
    /// Number of mutants that some test kills although they are subsumed.
    pub subsumed: usize,
}

/// Beginning of the reason if a test can fail on a mutant and it is open whether one always does.
pub(super) const OPEN: &str = "whether every run can be made to fail is not known: ";
/// The reason why that may be open.
pub(super) const UNSEEN: &str = "it has a choice that is not seen";
/// Beginning of the reason if it is open whether a word of inputs and delays makes every run fail.
const OPEN_BLIND: &str = "whether one word of inputs and delays makes every run fail is not known: ";

/// The killability of a mutant, and a test that kills it.
pub(super) struct KillOutcome {
    pub killable: &'static str,
    pub test: Option<TestCase>,
    pub reason: Option<String>,
}

/// The request for a suite: tester, mutants, options and limits.
#[derive(Clone, Copy)]
pub(super) struct SuiteRequest<'a> {
    pub tester: &'a Tester,
    pub candidates: &'a [Candidate],
    pub options: &'a SuiteOptions,
    pub timer: &'a Timer,
}

impl SuiteRequest<'_> {
    /// The mutants as a target of tests.
    pub fn target(&self) -> Target {
        Target::new(self.tester, self.candidates, self.options)
    }

    /// Whether only one run of some mutant is known.
    pub fn has_one_runs(&self) -> bool {
        self.candidates.iter().any(|candidate| candidate.is_one_run)
    }
}

/// A method that determines the outcome for a mutant.
pub(super) type OutcomeFinder = dyn Fn(SuiteRequest<'_>, &Candidate) -> KillOutcome + Sync;

/// A method that makes a suite.
pub(super) type SuiteMaker = dyn Fn(SuiteRequest<'_>, Progress<'_>) -> crate::error::Result<Generated>;

pub(super) fn per_mutant(asked: SuiteRequest<'_>, find: &OutcomeFinder, progress: Progress<'_>) -> Generated {
    let candidates = asked.candidates;
    let done = std::sync::atomic::AtomicU64::new(0);
    let outcome = |at: usize, timer: &Timer| {
        let outcome = find(SuiteRequest { timer, ..asked }, &candidates[at]);
        progress(1 + done.fetch_add(1, std::sync::atomic::Ordering::Relaxed));
        outcome
    };
    let outcomes = in_turns(candidates.len(), asked.timer, outcome);
    let mut tests: Vec<TestCase> = Vec::new();
    let mut known: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    let mut mutants = Vec::new();
    for (candidate, outcome) in candidates.iter().zip(outcomes) {
        let at = outcome.test.map(|test| {
            let kill = test.kill;
            // Equal texts are a cheap key; equality decides.
            let same = known.entry(key(&test.nodes)).or_default();
            let found = same.iter().copied().find(|at| tests[*at].nodes == test.nodes);
            let at = found.unwrap_or_else(|| {
                same.push(tests.len());
                tests.push(test);
                tests.len() - 1
            });
            tests[at].targets.push(candidate.id.clone());
            // Equal tests may be made for kills of different strength: only the weakest holds for all targets.
            tests[at].kill = tests[at].kill.min(kill);
            at
        });
        mutants.push(SuiteMutant {
            id: candidate.id.clone(),
            killable: outcome.killable.to_owned(),
            test: at.map(|at| at.to_string()),
            reason: outcome.reason,
        });
    }
    number(&mut tests, &mut mutants);
    Generated::of(tests, mutants)
}

fn key(nodes: &[Node]) -> String {
    format!("{nodes:?}")
}

/// Numbers the tests, and replaces the position in each mutant's `test` by the id of that test.
fn number(tests: &mut [TestCase], mutants: &mut [SuiteMutant]) {
    let width = tests.len().to_string().len();
    for (at, test) in tests.iter_mut().enumerate() {
        test.id = format!("t{:0width$}", at + 1);
    }
    for mutant in mutants {
        let at = mutant.test.as_ref().and_then(|at| at.parse::<usize>().ok());
        mutant.test = at.and_then(|at| tests.get(at)).map(|test| test.id.clone());
    }
}

/// Gives the new tests ids that no existing test has.
pub(super) fn rename(more: &mut Generated, existing: &[TestCase]) {
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

/// The outcome that there is no test, with the reason.
pub(super) fn plain(killable: &'static str, reason: Option<String>) -> KillOutcome {
    KillOutcome {
        killable,
        test: None,
        reason,
    }
}

/// The outcome that `find` determines for the mutant, or the reason why it cannot be tested.
pub(super) fn of_subject(
    asked: SuiteRequest<'_>,
    candidate: &Candidate,
    find: impl FnOnce(&Subject) -> Result<KillOutcome, SuiteFailure>,
) -> KillOutcome {
    if asked.timer.is_over() {
        return plain("unknown", Some(StopReason::Time.to_string()));
    }
    let found = candidate.subject.as_ref().map_err(Clone::clone);
    match found.and_then(|subject| find(subject)) {
        Ok(outcome) => outcome,
        Err(failure) if failure.cannot_be_killed() => plain("none", Some(failure.to_string())),
        Err(failure) => plain(unanswered(&failure), Some(failure.to_string())),
    }
}

/// The outcome for a mutant by exact search.
pub(super) fn outcome(asked: SuiteRequest<'_>, candidate: &Candidate) -> KillOutcome {
    of_subject(asked, candidate, |subject| {
        exactly(asked, subject, candidate.is_one_run)
    })
}

fn exactly(asked: SuiteRequest<'_>, subject: &Subject, is_one_run: bool) -> Result<KillOutcome, SuiteFailure> {
    let SuiteRequest {
        tester, options, timer, ..
    } = asked;
    let budget = timer.budget();
    let Potential::Killed(potential) = tester.potential(subject, options.style, options.pick, &budget)? else {
        return match is_one_run {
            true => Err(SuiteFailure::Unsupported {
                reason: ONE_RUN.to_owned(),
            }),
            false => Err(SuiteFailure::Allowed),
        };
    };
    if options.wanted == KillGoal::Potential {
        return Ok(KillOutcome {
            test: Some(potential),
            ..plain("potential", None)
        });
    }
    let otherwise = Some(potential).filter(|_| options.wanted == KillGoal::Both);
    let unless = |reason: String| KillOutcome {
        test: otherwise.clone(),
        ..plain("potential", Some(reason))
    };
    if is_one_run {
        let open = format!("{OPEN}{ONE_RUN}");
        return Ok(match options.wanted {
            KillGoal::Blind => plain("potential", Some(format!("{open}; {OPEN_BLIND}{ONE_RUN}"))),
            _ => unless(open),
        });
    }
    let definite = tester.definite(subject, &timer.budget());
    if options.wanted == KillGoal::Blind && matches!(definite, Ok(Definite::Killed(_) | Definite::Unknown)) {
        let why = match tester.blind(subject, &timer.budget()) {
            Ok(Blind::Killed(test)) => {
                return Ok(KillOutcome {
                    test: Some(test),
                    ..plain("blind", None)
                });
            }
            Ok(answer) => why_not_blindly(&answer),
            Err(failure) => format!("{OPEN_BLIND}{failure}"),
        };
        return Ok(match definite {
            Ok(Definite::Killed(_)) => plain("definite", Some(why)),
            _ => plain("potential", Some(format!("{OPEN}{UNSEEN}; {why}"))),
        });
    }
    Ok(match definite {
        Ok(Definite::Killed(test)) => KillOutcome {
            test: Some(test),
            ..plain("definite", None)
        },
        Ok(Definite::Avoidable) => unless("it can avoid every fail".to_owned()),
        Ok(Definite::Unknown) => unless(format!("{OPEN}{UNSEEN}")),
        Err(failure) => unless(format!("{OPEN}{failure}")),
    })
}

/// The outcome of a mutant for which a question failed.
fn unanswered(failure: &SuiteFailure) -> &'static str {
    if failure.is_invalid() { "invalid" } else { "unknown" }
}

/// The reason why there is no blind test.
pub(super) fn why_not_blindly(answer: &Blind) -> String {
    match answer {
        Blind::Killed(_) => String::new(),
        Blind::Avoidable => "it can avoid every fail".to_owned(),
        Blind::Reacting => {
            "every run fails only if the next input is chosen after outputs that come before it were seen".to_owned()
        }
        Blind::Unknown { looked_at } => format!("{OPEN_BLIND}{looked_at} beginnings of words lead to none"),
    }
}

/// Adds a remark to the reason of a mutant.
pub(super) fn remark(mutant: &mut SuiteMutant, remark: &str) {
    match &mut mutant.reason {
        Some(reason) => reason.extend(["; ", remark]),
        none => *none = Some(remark.to_owned()),
    }
}

/// The strongest killability under `wanted`, for a mutant on which a test always fails.
pub(super) fn surest(wanted: KillGoal) -> &'static str {
    match wanted {
        KillGoal::Blind => "blind",
        _ => Kill::Definite.name(),
    }
}

impl Generated {
    /// A suite of these tests, without further facts.
    pub(super) fn of(tests: Vec<TestCase>, mutants: Vec<SuiteMutant>) -> Self {
        Self {
            tests,
            mutants,
            bound: None,
            only_weakly: None,
            subsumed: 0,
        }
    }

    /// Numbers the tests and assigns to each mutant the first test that kills it as `wanted`, according to `matrix`. A
    /// mutant on which one of them always fails is killed definitely, even if that was open before.
    pub(super) fn name_tests(&mut self, matrix: &KillMatrix, wanted: KillGoal) {
        let rows = kills(matrix, &self.tests, wanted);
        self.tests.iter_mut().for_each(|test| test.targets.clear());
        for (at, mutant) in self.mutants.iter_mut().enumerate() {
            let first = rows.iter().position(|row| row.contains(at));
            if let Some(first) = first {
                let kill = match wanted != KillGoal::Potential && matrix.must_fail[first].contains(at) {
                    true => Kill::Definite,
                    false => Kill::Potential,
                };
                let test = &mut self.tests[first];
                let is_surer = test.targets.is_empty() || test.kill > kill;
                test.kill = if is_surer { kill } else { test.kill };
                test.targets.push(mutant.id.clone());
                if kill == Kill::Definite && mutant.killable != surest(wanted) {
                    surest(wanted).clone_into(&mut mutant.killable);
                    mutant.reason = None;
                }
            }
            mutant.test = first.map(|first| first.to_string());
        }
        number(&mut self.tests, &mut self.mutants);
    }

    /// For each mutant, its id and whether some test kills it.
    pub fn killabilities(&self) -> impl Iterator<Item = (String, Killability)> {
        self.mutants.iter().map(|mutant| {
            let killability = match mutant.killable.as_str() {
                "none" => Killability::NotKillable,
                "unknown" => Killability::Unknown,
                "invalid" => Killability::Invalid,
                _ => Killability::Killable,
            };
            (mutant.id.clone(), killability)
        })
    }

    /// Number of mutants on which a test can fail while it is unknown whether one always does.
    pub fn open(&self) -> usize {
        self.saying(OPEN)
    }

    /// Number of mutants for which it is unknown whether a word of inputs and delays makes every run fail.
    pub fn open_blind(&self) -> usize {
        self.saying(OPEN_BLIND)
    }

    fn saying(&self, what: &str) -> usize {
        let does = |mutant: &&SuiteMutant| mutant.reason.as_ref().is_some_and(|reason| reason.contains(what));
        self.mutants.iter().filter(does).count()
    }

    /// Adds the reason to mutants that are killed although they are subsumed.
    pub(super) fn note_subsumed(&mut self, tester: &Tester, candidates: &[Candidate], timer: &Timer) {
        let is_killed: Vec<bool> = self
            .killabilities()
            .map(|(_, killability)| killability == Killability::Killable)
            .collect();
        let pairs = self.mutants.iter_mut().zip(candidates).zip(&is_killed);
        let killed = pairs.filter(|(_, is_killed)| **is_killed).map(|(pair, _)| pair);
        let (mut mutants, killed): (Vec<_>, Vec<_>) = killed.unzip();
        let found = subsumed(tester.automaton(), &killed, &timer.budget());
        for (mutant, _) in mutants.iter_mut().zip(&found).filter(|(_, found)| **found) {
            remark(mutant, SUBSUMED_BY_CHOICE);
        }
        self.subsumed = found.iter().filter(|found| **found).count();
    }
}

//! Mutants that are to be killed, and the tests that are kept for them.

use super::super::explicit::TransitionSystem;
use super::super::pair::Pair;
use super::super::verdict::{Kill, Verdicts};
use super::execute::{Ends, execute};
use super::generate::{blind_test, potential_test};
use super::plan::definite_test;
use super::test::{Course, SystemTest};
use tamper_text::{Budget, StopReason};

/// Which tests are wanted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wanted {
    /// Tests that can fail.
    Potential,
    /// Tests that always fail.
    Definite,
    /// Tests that always fail where there are such, else tests that can.
    Both,
    /// Tests that always fail and whose inputs do not depend on what is seen.
    Blind,
}

impl Wanted {
    /// What a test has to do to a mutant that can be killed as surely as `most`; none if that cannot be.
    pub fn of(self, most: Kill) -> Option<Kill> {
        let needed = match self {
            Self::Potential => Kill::Potential,
            Self::Definite => Kill::Definite,
            Self::Blind => Kill::Blind,
            Self::Both => most.min(Kill::Definite),
        };
        (needed <= most && most > Kill::None).then_some(needed)
    }
}

/// What is known about a mutant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fate {
    /// It can be killed.
    Killable {
        /// How surely; the strongest that is proved.
        most: Kill,
        /// Why it is not known whether more surely.
        open: Option<String>,
        /// What counts as a fail, of action systems.
        relation: Option<&'static str>,
        /// The test of its own, if one of that kind was wanted and can be.
        own: Option<(Kill, Course)>,
    },
    /// No test kills it.
    Equivalent,
    /// It has steps of its own, but no event, output or silence is new: no test sees it.
    Untestable,
    /// It is no system with which the specification can be compared.
    Refused(String),
    /// A limit was hit.
    Unknown(String),
}

impl Fate {
    /// Its name in suites.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Killable { most, .. } => most.name(),
            Self::Equivalent => Kill::None.name(),
            Self::Untestable => "untestable",
            Self::Refused(_) => "refused",
            Self::Unknown(_) => "unknown",
        }
    }
    /// How surely it can be killed.
    pub fn most(&self) -> Kill {
        match self {
            Self::Killable { most, .. } => *most,
            _ => Kill::None,
        }
    }
    /// Why there is no test, or why it is not known how surely it can be killed.
    pub fn reason(&self) -> Option<&str> {
        match self {
            Self::Killable { open, .. } => open.as_deref(),
            Self::Untestable => Some("no event, output or silence of it is new"),
            Self::Refused(because) | Self::Unknown(because) => Some(because),
            Self::Equivalent => None,
        }
    }
}

/// A mutant that is to be killed.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// Its id.
    pub id: String,
    /// The name of its operator.
    pub operator: &'static str,
    /// What it does; none if that is not known.
    pub states: Option<TransitionSystem>,
    /// What is known about it.
    pub fate: Fate,
}

/// The fate of a mutant with these verdicts, with the test of its own that is `wanted`.
pub fn fate_of(
    pair: &Pair,
    verdicts: &Verdicts,
    relation: Option<&'static str>,
    wanted: Option<Wanted>,
    budget: &Budget,
) -> Fate {
    let (most, open) = match verdicts.kill() {
        Ok(Kill::None) => return Fate::Equivalent,
        Ok(most) => (most, None),
        Err(reason) if verdicts.proved() == Kill::None => return Fate::Unknown(reason.to_string()),
        Err(reason) => (verdicts.proved(), Some(reason.to_string())),
    };
    let own = wanted
        .and_then(|wanted| wanted.of(most))
        .map(|kill| own_test(pair, verdicts, kill, budget));
    let (own, stopped) = match own {
        Some(Ok(own)) => (own, None),
        Some(Err(reason)) => (None, Some(format!("no test: {reason}"))),
        None => (None, None),
    };
    let open = stopped.or(open);
    Fate::Killable {
        most,
        open,
        relation,
        own,
    }
}

type Own = Option<(Kill, Course)>;

fn own_test(pair: &Pair, verdicts: &Verdicts, kill: Kill, budget: &Budget) -> Result<Own, StopReason> {
    let course = match (
        kill,
        verdicts.potential.found(),
        verdicts.definite.found(),
        verdicts.blind.found(),
    ) {
        (Kill::Blind, _, _, Some(word)) => blind_test(pair, word, budget)?,
        (Kill::Definite, _, Some(plan), _) => definite_test(pair, plan),
        // A plan that was not found in time: the word is one.
        (Kill::Definite, _, None, Some(word)) => blind_test(pair, word, budget)?,
        (_, Some(run), _, _) => potential_test(pair, run, budget)?,
        _ => return Ok(None),
    };
    Ok(Some((kill, course)))
}

/// Whether what `test` does to a mutant is as sure as `needed`.
pub fn is_enough(test: &SystemTest, ends: Ends, needed: Kill) -> bool {
    match needed {
        Kill::None | Kill::Potential => ends.fails,
        Kill::Definite => ends.must_fail(),
        Kill::Blind => ends.must_fail() && test.is_blind(),
    }
}

/// The tests of the candidates' own, in order: equal ones are one; with `pruned` a mutant that an earlier test kills as
/// surely gets none of its own. Systems and tests have the same names for inputs and outputs. The second part is the test
/// for each candidate, by place.
pub fn collect(candidates: &[Candidate], wanted: Wanted, pruned: bool) -> (Vec<SystemTest>, Vec<Option<usize>>) {
    let mut tests: Vec<SystemTest> = Vec::new();
    let mut places = Vec::with_capacity(candidates.len());
    for candidate in candidates {
        let place = match &candidate.fate {
            Fate::Killable {
                relation,
                own: Some((kill, course)),
                ..
            } => {
                let same = tests
                    .iter()
                    .position(|test| test.course == *course && test.kill == *kill);
                let earlier = || tests.iter().position(|test| is_killed(test, candidate, wanted));
                let found = same.or_else(|| if pruned { earlier() } else { None });
                Some(found.unwrap_or_else(|| {
                    tests.push(SystemTest {
                        id: format!("t{}", tests.len() + 1),
                        kill: *kill,
                        relation: relation.map(str::to_owned),
                        targets: Vec::new(),
                        course: course.clone(),
                    });
                    tests.len() - 1
                }))
            }
            _ => None,
        };
        if let Some(place) = place {
            tests[place].targets.push(candidate.id.clone());
        }
        places.push(place);
    }
    (tests, places)
}

/// Whether `test`, which speaks the names of the candidate's states, kills it as surely as can be `wanted`.
pub fn is_killed(test: &SystemTest, candidate: &Candidate, wanted: Wanted) -> bool {
    let needed = wanted.of(candidate.fate.most());
    let states = candidate.states.as_ref();
    needed.zip(states).is_some_and(|(needed, states)| {
        let ends = execute(test, states, |left, right| left == right);
        ends.is_ok_and(|ends| is_enough(test, ends, needed))
    })
}

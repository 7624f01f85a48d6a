//! Mutants to be killed, and the tests that are kept for them.

use super::super::explicit::TransitionSystem;
use super::super::pair::Pair;
use super::super::verdict::{KillStrength, Verdicts};
use super::execute::{Ends, execute};
use super::generate::{blind_test, potential_test};
use super::plan::definite_test;
use super::test::{SystemTest, TestGraph};
use tamper_text::{Budget, StopReason};

/// The strength of the kills that a suite is made for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WantedKill {
    /// Tests that can fail: on some run of the mutant.
    Potential,
    /// Tests that fail on every run of the mutant.
    Definite,
    /// Tests that always fail, or else tests that can fail.
    Both,
    /// Tests that always fail and whose inputs do not depend on the outputs.
    Blind,
}

impl WantedKill {
    /// The strength of the kill that a test must achieve on a mutant whose strongest kill is `most`; `None` if it
    /// cannot.
    pub fn of(self, most: KillStrength) -> Option<KillStrength> {
        let needed = match self {
            Self::Potential => KillStrength::Potential,
            Self::Definite => KillStrength::Definite,
            Self::Blind => KillStrength::Blind,
            Self::Both => most.min(KillStrength::Definite),
        };
        (needed <= most && most > KillStrength::None).then_some(needed)
    }
}

/// The verdict on a mutant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SystemFate {
    /// Some test can kill the mutant.
    Killable {
        /// The strongest kill that is proved.
        most: KillStrength,
        /// The reason why it is not known whether a stronger kill exists.
        open: Option<String>,
        /// The relation that decides a fail, for action systems.
        relation: Option<&'static str>,
        /// The test made for the mutant, if the wanted kind exists.
        own: Option<(KillStrength, TestGraph)>,
    },
    /// No test kills the mutant; this is proved.
    Equivalent,
    /// It has new steps, but no event, output or silence is new: no test sees it.
    Untestable,
    /// It cannot be compared with the specification.
    Refused(String),
    /// A limit was hit before the fate was known.
    Unknown(String),
}

impl SystemFate {
    /// The name of the fate in suites.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Killable { most, .. } => most.name(),
            Self::Equivalent => KillStrength::None.name(),
            Self::Untestable => "untestable",
            Self::Refused(_) => "refused",
            Self::Unknown(_) => "unknown",
        }
    }
    /// The strongest kill that is proved.
    pub fn most(&self) -> KillStrength {
        match self {
            Self::Killable { most, .. } => *most,
            _ => KillStrength::None,
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

/// A mutant to be killed.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// The id of the mutant in suites.
    pub id: String,
    /// The name of its operator.
    pub operator: &'static str,
    /// The states and steps of the mutant; `None` if they are not known.
    pub states: Option<TransitionSystem>,
    /// The verdict on the mutant.
    pub fate: SystemFate,
}

/// The fate of a mutant with these verdicts, including a test for it if one is `wanted`.
pub fn fate_of(
    pair: &Pair,
    verdicts: &Verdicts,
    relation: Option<&'static str>,
    wanted: Option<WantedKill>,
    budget: &Budget,
) -> SystemFate {
    let (most, open) = match verdicts.kill() {
        Ok(KillStrength::None) => return SystemFate::Equivalent,
        Ok(most) => (most, None),
        Err(reason) if verdicts.proved() == KillStrength::None => return SystemFate::Unknown(reason.to_string()),
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
    SystemFate::Killable {
        most,
        open,
        relation,
        own,
    }
}

type Own = Option<(KillStrength, TestGraph)>;

fn own_test(pair: &Pair, verdicts: &Verdicts, kill: KillStrength, budget: &Budget) -> Result<Own, StopReason> {
    let course = match (
        kill,
        verdicts.potential.found(),
        verdicts.definite.found(),
        verdicts.blind.found(),
    ) {
        (KillStrength::Blind, _, _, Some(word)) => blind_test(pair, word, budget)?,
        (KillStrength::Definite, _, Some(plan), _) => definite_test(pair, plan),
        // No plan was found in time, but the blind word is one.
        (KillStrength::Definite, _, None, Some(word)) => blind_test(pair, word, budget)?,
        (_, Some(run), _, _) => potential_test(pair, run, budget)?,
        _ => return Ok(None),
    };
    Ok(Some((kill, course)))
}

/// Whether a test with these `ends` kills a mutant as surely as `needed`.
pub fn is_enough(test: &SystemTest, ends: Ends, needed: KillStrength) -> bool {
    match needed {
        KillStrength::None | KillStrength::Potential => ends.fails,
        KillStrength::Definite => ends.must_fail(),
        KillStrength::Blind => ends.must_fail() && test.is_blind(),
    }
}

/// The tests made for the candidates, in order, without duplicates; with `pruned`, a mutant that an earlier test kills
/// as surely as needed gets no test. Systems and tests have the same names for inputs and outputs. The second part is
/// the test for each candidate, by place.
pub fn collect(candidates: &[Candidate], wanted: WantedKill, pruned: bool) -> (Vec<SystemTest>, Vec<Option<usize>>) {
    let mut tests: Vec<SystemTest> = Vec::new();
    let mut places = Vec::with_capacity(candidates.len());
    for candidate in candidates {
        let place = match &candidate.fate {
            SystemFate::Killable {
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

/// Whether `test`, written in the names of the candidate's states, kills it as surely as `wanted` demands.
pub fn is_killed(test: &SystemTest, candidate: &Candidate, wanted: WantedKill) -> bool {
    let needed = wanted.of(candidate.fate.most());
    let states = candidate.states.as_ref();
    needed.zip(states).is_some_and(|(needed, states)| {
        let ends = execute(test, states, |left, right| left == right);
        ends.is_ok_and(|ends| is_enough(test, ends, needed))
    })
}

//! Random programs whose outputs are heard late, within the tolerance: suites, random tests and the judge against the paths of the
//! specification.
//!
//! At exact times a test fails only if no run of the specification explains what was seen. Within a tolerance it follows one moment of
//! many, so it may fail where some other moments are allowed: the judge forgives that. The judge and random tests say that
//! nothing explains a log if and only if nothing does. Specifications of random tests need not be deterministic.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, VecDeque};
use std::convert::Infallible;

use num_rational::BigRational;
use num_traits::Zero as _;
use proptest::prelude::*;
use tamper::experiment::killing::{KillGoal, Strategy as Choice, SuiteOptions, generate};
use tamper::experiment::{Limits, Timer};
use tamper::features::Random;
use tamper::game::analyse;
use tamper::model::{Automaton, Role};
use tamper::mutation::{MutantSpace, MutationOptions, Operator, Order};
use tamper::suite::{
    AdaptiveCampaign, AdaptiveGuide, CampaignTarget, Driven, Monitor, Observed, OnlineOracle, Open, Pick, RandomGuide,
    Ruling, Style, Subject, SuiteFailure, Sut, TestVerdict, Tester, Trace, drive, drive_online,
};
use tamper::text::Budget;

use crate::suites::adversary::{Case, case};
use crate::suites::paths::{Said, said};
use crate::suites::programs_under_test::random_programs::Program;
use testing::oracle::apply;
use testing::oracle::generate::{Sketch, sketch};
use testing::oracle::run;

/// A program whose outputs arrive late.
struct Late<'a> {
    program: Program<'a>,
    /// What was made and has not arrived, with when it does.
    underway: VecDeque<(BigRational, String)>,
    now: BigRational,
    most: BigRational,
    random: Random,
}

impl<'a> Late<'a> {
    fn new(game: &'a Automaton, seed: u64, most: &BigRational) -> Self {
        Self {
            program: Program::new(game, seed),
            underway: VecDeque::new(),
            now: BigRational::zero(),
            most: most.clone(),
            random: Random::new(seed ^ 77),
        }
    }

    /// The program goes on until then; what it makes is underway.
    fn advance(&mut self, until: &BigRational) -> Result<(), Infallible> {
        while let Observed::Output { action, after } = self.program.wait(&(until - &self.now))? {
            self.now += after;
            let late = &self.most * BigRational::new(self.random.below(3).into(), 2.into());
            let before = self.underway.back().map_or(BigRational::zero(), |(at, _)| at.clone());
            self.underway.push_back(((&self.now + late).max(before), action));
            if self.underway.len() > 50 {
                break;
            }
        }
        self.now = until.clone();
        Ok(())
    }
}

impl Sut for Late<'_> {
    type Error = Infallible;

    fn reset(&mut self) -> Result<(), Infallible> {
        (self.now, self.underway) = (BigRational::zero(), VecDeque::new());
        self.program.reset()
    }

    fn input(&mut self, action: &str) -> Result<bool, Infallible> {
        self.program.input(action)
    }

    fn wait(&mut self, at_most: &BigRational) -> Result<Observed, Infallible> {
        let (start, end) = (self.now.clone(), &self.now + at_most);
        loop {
            let arrives = self.underway.front().map(|(at, _)| at.clone()).filter(|at| *at <= end);
            // Small steps: what is made meanwhile may arrive before the end.
            let step = (&self.now + BigRational::new(1.into(), 4.into())).min(end.clone());
            let next = arrives.clone().map_or(step.clone(), |at| at.min(step));
            self.advance(&next.max(self.now.clone()))?;
            if let Some((at, action)) = self.underway.front().cloned()
                && at <= self.now
            {
                self.underway.pop_front();
                let after = &self.now - &start;
                return Ok(Observed::Output { action, after });
            }
            if self.now == end {
                return Ok(Observed::Silence);
            }
        }
    }
}

type Tally = BTreeMap<String, u32>;

/// What is said of one run, held against the paths.
fn judged(
    spec: &Automaton,
    monitor: &Monitor,
    driven: &Driven,
    tolerance: &BigRational,
    is_random: bool,
) -> Result<String, String> {
    let trace = Trace {
        events: &driven.log,
        until: &driven.until,
        tolerance,
    };
    let ruling = monitor.ruling(trace, &Budget::unlimited());
    let ruling = match ruling.map_err(|error| error.to_string())? {
        Ruling::Legal => Said::Explained,
        Ruling::Beyond { .. } => Said::Beyond,
        Ruling::Illegal(_) => Said::Nothing,
    };
    let Some(plain) = said(spec, &driven.log, &driven.until, tolerance) else {
        return Ok("too many paths".to_owned());
    };
    let verdict = driven.verdict;
    let is_right = match (verdict, plain) {
        _ if ruling != plain => false,
        (TestVerdict::Fail, Said::Explained | Said::Beyond) if !is_random && !tolerance.is_zero() => {
            return Ok(format!("forgiven, {plain:?}"));
        }
        (TestVerdict::Fail, _) => plain == Said::Nothing,
        (TestVerdict::Pass, Said::Explained) => true,
        (TestVerdict::Inconclusive, Said::Beyond) => true,
        // A random test asks the judge, a test of a suite knows a part of what it knows.
        _ => !is_random,
    };
    match is_right {
        true => Ok(format!("{verdict}, {plain:?}")),
        false => Err(format!("{verdict}, {ruling:?}, but {plain:?}: {driven:?}")),
    }
}

fn tolerance(halves: u8) -> BigRational {
    BigRational::new(halves.into(), 2.into())
}

fn with_suites(case: &Case, other: &Case, wanted: KillGoal, halves: u8, tally: &RefCell<Tally>) -> Result<(), String> {
    let (Some(tester), Some(other)) = (case.tester(), other.tester()) else {
        return Ok(());
    };
    let spec = tester.automaton();
    if spec.actions().iter().any(|action| action.role == Role::Internal) {
        return Ok(());
    }
    let mut candidates = case.candidates(&tester);
    candidates.retain(|candidate| !matches!(candidate.subject, Err(SuiteFailure::Game(_))));
    let is_fewest = case.strategy == Choice::Fewest;
    let wish = SuiteOptions {
        wanted: if is_fewest { KillGoal::Potential } else { wanted },
        style: if is_fewest { Style::Adaptive } else { case.style },
        ..case.wish()
    };
    let timer = Timer::new(Limits::default());
    let made = generate(&tester, &candidates, &wish, &timer, &|_| ()).map_err(|error| error.to_string())?;
    let monitor = Monitor::new(spec, &Budget::unlimited()).map_err(|error| error.to_string())?;
    let alive = candidates.iter().filter(|candidate| candidate.subject.is_ok());
    let mutants = alive.filter_map(|candidate| candidate.automaton.as_ref());
    let games = [spec, other.automaton()].into_iter().chain(mutants);
    let tolerance = tolerance(halves);
    for (seed, game) in (0..).zip(games) {
        let mut program = Late::new(game, seed, &tolerance);
        for test in &made.tests {
            let driven = drive(test, &mut program, &tolerance).expect("nothing breaks");
            let kind =
                judged(spec, &monitor, &driven, &tolerance, false).map_err(|error| format!("{error}\n{test:?}"))?;
            let key = format!("{:?} {:?} {:?}: {kind}", wish.strategy, wish.wanted, test.style);
            let mut counts = tally.borrow_mut();
            *counts.entry(key).or_default() += 1;
            *counts.entry(format!("tolerance {halves}/2: {kind}")).or_default() += 1;
        }
        *tally.borrow_mut().entry("programs".to_owned()).or_default() += 1;
    }
    Ok(())
}

fn at_random(spec: &Automaton, other: &Automaton, seed: u64, halves: u8, tally: &RefCell<Tally>) -> Result<(), String> {
    let Ok(monitor) = Monitor::new(spec, &Budget::unlimited()) else {
        return Ok(());
    };
    let mut games = vec![spec.clone(), other.clone()];
    games.extend(mutants(spec, seed, 3)?);
    let tolerance = tolerance(halves);
    let budget = Budget::unlimited();
    let referee = OnlineOracle {
        monitor: &monitor,
        tolerance: &tolerance,
        longest: 3,
        budget: &budget,
        is_over: &|| false,
    };
    for (nth, game) in (0..).zip(&games) {
        if Monitor::new(game, &budget).is_err() {
            continue;
        }
        let mut random = Random::new(seed + nth);
        let mut program = Late::new(game, seed ^ nth, &tolerance);
        for _ in 0..3 {
            let mut guide = RandomGuide::new(&mut random, 6, 3);
            let driven = drive_online(referee, &mut guide, &mut program).map_err(|error| format!("{error:?}"))?;
            let kind = judged(spec, &monitor, &driven, &tolerance, true)?;
            let mut counts = tally.borrow_mut();
            *counts.entry(format!("random: {kind}")).or_default() += 1;
            *counts.entry(format!("tolerance {halves}/2: {kind}")).or_default() += 1;
        }
        *tally.borrow_mut().entry("programs at random".to_owned()).or_default() += 1;
    }
    Ok(())
}

/// What adaptive tests look for in programs: mutants that ignore what they do not take.
fn campaign(case: &Case, tester: Tester, rounds: u32) -> AdaptiveCampaign {
    let candidates = case.candidates(&tester);
    let targets = candidates.into_iter().filter_map(|candidate| {
        let ignoring = candidate.automaton?.with_input_enabling(true);
        let subject = Subject::new(&ignoring, &Budget::unlimited()).ok()?;
        Some(CampaignTarget {
            id: candidate.id,
            subject: subject.into(),
            comes_first: false,
        })
    });
    AdaptiveCampaign {
        targets: targets.collect(),
        tester,
        pick: [Pick::Earliest, Pick::Middle, Pick::Latest][rounds as usize % 3],
        rounds,
        longest: 4,
    }
}

fn adaptively(case: &Case, other: &Case, rounds: u32, halves: u8, tally: &RefCell<Tally>) -> Result<(), String> {
    let (Some(tester), Some(other)) = (case.tester(), other.tester()) else {
        return Ok(());
    };
    let spec = tester.automaton().clone();
    let mutants = case
        .candidates(&tester)
        .into_iter()
        .filter_map(|candidate| candidate.automaton);
    let games = [spec.clone(), other.automaton().clone()].into_iter().chain(mutants);
    let games: Vec<Automaton> = games
        .filter(|game| Monitor::new(game, &Budget::unlimited()).is_ok())
        .collect();
    all_adaptively(&campaign(case, tester, rounds), &games, halves, tally)
}

/// Adaptive tests of each program, held against the paths of the specification.
fn all_adaptively(
    campaign: &AdaptiveCampaign,
    games: &[Automaton],
    halves: u8,
    tally: &RefCell<Tally>,
) -> Result<(), String> {
    let spec = campaign.tester.automaton();
    let monitor = Monitor::new(spec, &Budget::unlimited()).map_err(|error| error.to_string())?;
    let tolerance = tolerance(halves);
    for (seed, game) in (0..).zip(games) {
        let mut program = Late::new(game, seed, &tolerance);
        let all = Open::all(campaign.targets.len());
        let mut open = all.clone();
        for _ in 0..2 {
            let steps = Cell::new(0);
            let referee = OnlineOracle {
                monitor: &monitor,
                tolerance: &tolerance,
                longest: 4,
                budget: &Budget::unlimited(),
                // The paths of longer runs are too many to be listed.
                is_over: &|| steps.replace(steps.get() + 1) >= 8,
            };
            let before = open.len();
            let mut guide = AdaptiveGuide::new(campaign, &all, &mut open, &tolerance);
            let driven = drive_online(referee, &mut guide, &mut program).map_err(|error| format!("{error:?}"))?;
            let n_shown = guide.came_to.len();
            guide.end();
            let kind = judged(spec, &monitor, &driven, &tolerance, true)?;
            let mut counts = tally.borrow_mut();
            *counts.entry(format!("adaptive: {kind}")).or_default() += 1;
            *counts.entry("come to".to_owned()).or_default() += u32::try_from(n_shown).unwrap_or(u32::MAX);
            *counts.entry("closed".to_owned()).or_default() += u32::try_from(before - open.len()).unwrap_or(u32::MAX);
        }
        *tally.borrow_mut().entry("programs".to_owned()).or_default() += 1;
    }
    Ok(())
}

/// The same, of a specification whose state the log does not determine.
fn with_choices(
    spec: &Automaton,
    other: &Automaton,
    seed: u64,
    halves: u8,
    tally: &RefCell<Tally>,
) -> Result<(), String> {
    let budget = Budget::unlimited();
    let is_chosen = |game: &Automaton| matches!(analyse(game, &budget), Ok(Ok(facts)) if !facts.overlaps.is_empty());
    let is_silent = |game: &Automaton| game.actions().iter().any(|action| action.role == Role::Internal);
    if Monitor::new(spec, &budget).is_err() || !is_chosen(spec) || is_silent(spec) {
        return Ok(());
    }
    let Ok(tester) = Tester::with_choices(spec, &budget) else {
        return Ok(());
    };
    let mutants = mutants(spec, seed, 8)?;
    let targets = mutants.iter().enumerate().filter_map(|(at, mutant)| {
        let subject = Subject::new(&mutant.with_input_enabling(true), &budget).ok()?;
        Some(CampaignTarget {
            id: at.to_string(),
            subject: subject.into(),
            comes_first: false,
        })
    });
    let campaign = AdaptiveCampaign {
        targets: targets.collect(),
        tester,
        pick: [Pick::Earliest, Pick::Middle, Pick::Latest][seed as usize % 3],
        rounds: 1 + (seed % 2) as u32,
        longest: 4,
    };
    let games = [spec.clone(), other.clone()]
        .into_iter()
        .chain(mutants.into_iter().take(3));
    let games: Vec<Automaton> = games.filter(|game| Monitor::new(game, &budget).is_ok()).collect();
    all_adaptively(&campaign, &games, halves, tally)
}

/// Some first-order mutants, from the seed.
fn mutants(spec: &Automaton, seed: u64, most: u64) -> Result<Vec<Automaton>, String> {
    let options = MutationOptions {
        operators: Operator::PAPER.to_vec(),
        conjuncts: true,
        ..MutationOptions::default()
    };
    let Ok(space) = MutantSpace::new(spec, &options, Order::FIRST) else {
        return Ok(Vec::new());
    };
    let numbers: Vec<u64> = (0..most).map(|n| (seed / 7 + n) % space.len().max(1)).collect();
    let mutants = (!space.is_empty()).then(|| tamper::experiment::MutantSet::mutants(&space, &numbers));
    let mutants = mutants
        .transpose()
        .map_err(|error| error.to_string())?
        .unwrap_or_default();
    Ok(mutants
        .iter()
        .map(|mutant| apply::mutant(spec, &mutant.mutations))
        .collect())
}

fn enough(tally: &Tally, wanted: &[&str]) {
    println!("{tally:#?}");
    if std::env::var_os("TAMPER_CASES").is_some() {
        return;
    }
    for what in wanted {
        let found = tally.iter().filter(|(key, _)| key.contains(what));
        assert!(found.map(|(_, n)| n).sum::<u32>() >= 5, "{what}: {tally:#?}");
    }
}

#[test]
fn no_test_fails_what_the_specification_explains() {
    let tally = RefCell::new(Tally::new());
    let wanted = prop_oneof![
        Just(KillGoal::Both),
        Just(KillGoal::Definite),
        Just(KillGoal::Potential),
        Just(KillGoal::Blind)
    ];
    run::check(
        40,
        &((case(), case()), wanted, 0u8..=2),
        |((case, other), wanted, halves)| with_suites(case, other, *wanted, *halves, &tally),
    );
    enough(
        &tally.into_inner(),
        &["programs", "fail, Nothing", "pass, Explained", "tolerance 2/2: fail"],
    );
}

#[test]
fn random_tests_fail_what_the_specification_does_not_explain() {
    let tally = RefCell::new(Tally::new());
    let cases = (sketch(), sketch(), any::<u64>(), 0u8..=2, any::<bool>());
    run::check(
        60,
        &cases,
        |(spec, other, seed, halves, atomic): &(Sketch, Sketch, u64, u8, bool)| {
            let spec = spec.build("S").with_atomic_steps(*atomic);
            at_random(&spec, &other.build("P"), *seed >> 2, *halves, &tally)
        },
    );
    enough(
        &tally.into_inner(),
        &["programs", "random: fail, Nothing", "random: pass, Explained"],
    );
}

#[test]
fn adaptive_tests_fail_what_the_specification_does_not_explain() {
    let tally = RefCell::new(Tally::new());
    run::check(
        30,
        &((case(), case()), 1u32..=2, 0u8..=2),
        |((case, other), rounds, halves)| adaptively(case, other, *rounds, *halves, &tally),
    );
    enough(
        &tally.into_inner(),
        &["adaptive: fail, Nothing", "adaptive: pass, Explained", "come to"],
    );
}

#[test]
fn adaptive_tests_follow_all_states_of_a_specification_with_choices() {
    let tally = RefCell::new(Tally::new());
    let cases = (sketch(), sketch(), any::<u64>(), 0u8..=2);
    run::check(
        120,
        &cases,
        |(spec, other, seed, halves): &(Sketch, Sketch, u64, u8)| {
            with_choices(&spec.build("S"), &other.build("P"), *seed >> 2, *halves, &tally)
        },
    );
    enough(
        &tally.into_inner(),
        &["adaptive: fail, Nothing", "adaptive: pass, Explained", "come to"],
    );
}

//! Random programs against suites of every kind, on the route that `run` takes.
//!
//! A program is an execution of a game: of the specification, of one of its mutants, or of a game that has nothing to do with
//! it. It chooses at random which output it makes and when. Judged is its log, by the specification at exact times and by plain
//! code: a log that the specification forbids must have ended in a fail, another one must not have, and no log ends
//! while an output is due.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::convert::Infallible;
use std::ops::Range;

use num_rational::BigRational;
use num_traits::Zero as _;
use proptest::prelude::*;
use tamper::experiment::killing::{KillGoal, Strategy as Choice, generate};
use tamper::experiment::{Limits as RunLimits, Timer};
use tamper::features::Random;
use tamper::model::{ActionId, Automaton, Cmp, Role};
use tamper::suite::{Event, Observed, Style, SuiteFailure, Sut, TestVerdict, What, drive};

use crate::suites::adversary::{Case, case};
use testing::oracle::clocks::{ClockSpace, Limits};
use testing::oracle::faults::has_fault;
use testing::oracle::play::{Place, Player};
use testing::oracle::run;

/// Exact times.
struct Exact(usize);

type Point = Vec<BigRational>;

fn number(value: i64) -> BigRational {
    BigRational::from_integer(value.into())
}

fn delayed(point: &Point, delay: &BigRational) -> Point {
    point.iter().map(|clock| clock + delay).collect()
}

impl ClockSpace for Exact {
    type Point = Point;
    type Class = Point;
    fn class(&self, point: &Point) -> Point {
        point.clone()
    }
    fn origin(&self) -> Point {
        vec![BigRational::zero(); self.0]
    }
    fn holds(&self, point: &Point, left: usize, right: Option<usize>, cmp: Cmp, bound: i64) -> bool {
        let value = match right {
            Some(right) => &point[left] - &point[right],
            None => point[left].clone(),
        };
        let bound = number(bound);
        match cmp {
            Cmp::Lt => value < bound,
            Cmp::Le => value <= bound,
            Cmp::Eq => value == bound,
            Cmp::Ge => value >= bound,
            Cmp::Gt => value > bound,
        }
    }
    fn reset(&self, point: &Point, clock: usize, value: i64) -> Point {
        let mut after = point.clone();
        after[clock] = number(value);
        after
    }
    fn later(&self, point: &Point) -> Point {
        delayed(point, &number(1))
    }
    fn lasts(&self, _: &Point) -> bool {
        false
    }
    fn project(&self, point: &Point, range: Range<usize>, _: &Self) -> Point {
        point[range].to_vec()
    }
    fn of(games: &[&Automaton], _: Limits) -> Self {
        Self(games.iter().map(|game| game.clocks().len()).sum())
    }
}

/// A game that is played at exact times.
struct Game<'a> {
    player: Player<'a>,
    space: Exact,
}

type State = (Place, Point);

impl<'a> Game<'a> {
    fn new(game: &'a Automaton) -> Self {
        Self {
            player: Player { game, offset: 0 },
            space: Exact(game.clocks().len()),
        }
    }
    fn start(&self) -> State {
        (self.player.start(), self.space.origin())
    }
    fn action(&self, label: &str) -> Option<ActionId> {
        let mut actions = self.player.game.actions().iter_enumerated();
        actions
            .find(|(_, action)| action.to_string() == label)
            .map(|(id, _)| id)
    }
    fn after(&self, (place, point): &State, delay: &BigRational) -> Option<State> {
        let later = delayed(point, delay);
        let lasts = delay.is_zero()
            || (!self.player.is_urgent(&self.space, place, point) && self.player.exists(&self.space, place, &later));
        lasts.then(|| (place.clone(), later))
    }
    fn steps(&self, (place, point): &State, label: &str) -> Vec<State> {
        let action = self.action(label);
        action.map_or(Vec::new(), |action| {
            self.player.moves(&self.space, place, point, action)
        })
    }
}

/// An execution of a game.
pub struct Program<'a> {
    game: Game<'a>,
    state: State,
    /// The next output, how long until then, and what it leads to.
    plan: Option<(BigRational, String, State)>,
    random: Random,
}

impl<'a> Program<'a> {
    pub fn new(game: &'a Automaton, seed: u64) -> Self {
        let game = Game::new(game);
        Self {
            state: game.start(),
            plan: None,
            random: Random::new(seed),
            game,
        }
    }

    /// Chooses what is done next, if no input comes: an output at some quarter of a unit, or, where time may pass for long,
    /// at times nothing.
    fn choose(&mut self) {
        let outputs: Vec<(ActionId, String)> = {
            let game = self.game.player.game;
            let actions = self.game.player.actions(false);
            actions
                .map(|action| (action, game.actions()[action].to_string()))
                .collect()
        };
        let mut found = Vec::new();
        let mut is_held = false;
        for quarters in 0..48 {
            let delay = BigRational::new(quarters.into(), 4.into());
            let Some(state) = self.game.after(&self.state, &delay) else {
                is_held = true;
                break;
            };
            for (_, label) in &outputs {
                let steps = self.game.steps(&state, label).into_iter();
                found.extend(steps.map(|to| (delay.clone(), label.clone(), to)));
            }
        }
        let silent = !is_held && self.random.below(4) == 0;
        self.plan = match found.len() {
            0 => None,
            _ if silent => None,
            n => Some(found.swap_remove(self.random.below(n))),
        };
    }

    fn comes_to(&mut self, state: State) {
        self.state = state;
        self.choose();
    }
}

impl Sut for Program<'_> {
    type Error = Infallible;

    fn reset(&mut self) -> Result<(), Infallible> {
        let start = self.game.start();
        self.comes_to(start);
        Ok(())
    }

    fn input(&mut self, action: &str) -> Result<bool, Infallible> {
        let mut answers = self.game.steps(&self.state, &format!("{action}?"));
        if answers.is_empty() {
            return Ok(false);
        }
        let chosen = self.random.below(answers.len());
        self.comes_to(answers.swap_remove(chosen));
        Ok(true)
    }

    fn wait(&mut self, at_most: &BigRational) -> Result<Observed, Infallible> {
        if let Some((delay, label, to)) = self.plan.take() {
            if delay <= *at_most {
                self.comes_to(to);
                return Ok(Observed::Output {
                    action: label.trim_end_matches('!').to_owned(),
                    after: delay,
                });
            }
            self.plan = Some((delay - at_most, label, to));
        }
        // A game that stops time is a program that says nothing any more and whose clocks stand still: so it stays in a
        // state of the game, where its next step means something.
        if let Some(later) = self.game.after(&self.state, at_most) {
            self.state = later;
        }
        Ok(Observed::Silence)
    }
}

/// What the specification says of a log.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Judged {
    Allowed,
    Forbidden,
    /// Allowed, but an output is still due, which the log does not wait for.
    Early,
    /// It has an input that the specification does not accept.
    OutOfScope,
}

fn judged(spec: &Automaton, log: &[Event]) -> Judged {
    let game = Game::new(spec);
    let (mut state, mut now) = (game.start(), BigRational::zero());
    for event in log {
        let Some(later) = game.after(&state, &(&event.at - &now)) else {
            return Judged::Forbidden;
        };
        (state, now) = (later, event.at.clone());
        let label = match &event.what {
            What::Input(label) | What::Output(label) => label,
            What::Refused(_) => return Judged::Forbidden,
            What::Silence => continue,
        };
        let mut next = game.steps(&state, label);
        assert!(next.len() <= 1, "the specification is deterministic");
        match (next.pop(), &event.what) {
            (Some(next), _) => state = next,
            (None, What::Output(_)) => return Judged::Forbidden,
            (None, _) => return Judged::OutOfScope,
        }
    }
    let ends_with_output = matches!(log.last().map(|event| &event.what), Some(What::Output(_)));
    let is_due = game.after(&state, &number(1_000_000)).is_none();
    match is_due && !ends_with_output {
        true => Judged::Early,
        false => Judged::Allowed,
    }
}

/// Runs by strategy, kill, verdict and what the specification says.
type Tally = BTreeMap<String, u32>;

fn check((case, other): &(Case, Case), wanted: KillGoal, tally: &RefCell<Tally>) -> Result<(), String> {
    let (Some(tester), Some(other)) = (case.tester(), other.tester()) else {
        return Ok(());
    };
    let spec = tester.automaton();
    if spec.actions().iter().any(|action| action.role == Role::Internal) {
        return Ok(());
    }
    let mut candidates = case.candidates(&tester);
    candidates.retain(|candidate| !matches!(candidate.subject, Err(SuiteFailure::Game(_))));
    let wish = tamper::experiment::killing::SuiteOptions {
        wanted: if case.strategy == Choice::Fewest {
            KillGoal::Potential
        } else {
            wanted
        },
        style: if case.strategy == Choice::Fewest {
            Style::Adaptive
        } else {
            case.style
        },
        ..case.wish()
    };
    let timer = Timer::new(RunLimits::default());
    let made = generate(&tester, &candidates, &wish, &timer, &|_| ()).map_err(|error| error.to_string())?;
    let alive = candidates.iter().filter(|candidate| candidate.subject.is_ok());
    // A mutant whose difference needs no fault is in a suite although other runs of it are faults: it is no program.
    let is_program = |game: &Automaton| game.ints().is_empty() || !has_fault(game);
    let mutants = alive.filter_map(|candidate| {
        let has_memory = candidate.operators.iter().any(|applied| applied.again);
        let game = candidate.automaton.as_ref().filter(|game| is_program(game))?;
        Some((game, has_memory))
    });
    let games = [(spec, false), (other.automaton(), false)].into_iter().chain(mutants);
    for (seed, (game, has_memory)) in (0..).zip(games) {
        let mut program = Program::new(game, seed);
        for test in &made.tests {
            let driven = drive(test, &mut program, &BigRational::zero()).expect("nothing breaks");
            let said = judged(spec, &driven.log);
            let is_right = match said {
                Judged::Allowed => driven.verdict != TestVerdict::Fail,
                Judged::Forbidden => driven.verdict == TestVerdict::Fail,
                Judged::Early | Judged::OutOfScope => false,
            };
            if !is_right {
                let (verdict, log) = (driven.verdict, &driven.log);
                return Err(format!("{verdict}, but {said:?}: {log:?}\n{test:?}"));
            }
            let lingers = if wish.linger.is_some() { ", lingering" } else { "" };
            let key = format!(
                "{:?} {:?} {:?}: {} {said:?}{lingers}",
                wish.strategy, wish.wanted, test.style, driven.verdict
            );
            *tally.borrow_mut().entry(key).or_default() += 1;
        }
        let kind = if has_memory { "programs with memory" } else { "programs" };
        *tally.borrow_mut().entry(kind.to_owned()).or_default() += 1;
    }
    Ok(())
}

#[test]
fn a_program_fails_if_and_only_if_the_specification_forbids_its_log() {
    let tally = RefCell::new(Tally::new());
    let wanted = prop_oneof![
        Just(KillGoal::Both),
        Just(KillGoal::Definite),
        Just(KillGoal::Potential),
        Just(KillGoal::Blind)
    ];
    run::check(140, &((case(), case()), wanted), |(cases, wanted)| {
        check(cases, *wanted, &tally)
    });
    let tally = tally.into_inner();
    println!("{tally:#?}");
    if std::env::var_os("TAMPER_CASES").is_some() {
        return;
    }
    let of = |what: &str| -> u32 {
        let found = tally.iter().filter(|(key, _)| key.contains(what));
        found.map(|(_, n)| n).sum()
    };
    assert!(of("programs with memory") >= 20, "{tally:#?}");
    assert!(of("programs") >= 200 && of("Forbidden") >= 100, "{tally:#?}");
    assert!(of("lingering") >= 60 && of("Forbidden, lingering") >= 20, "{tally:#?}");
    for kind in ["PerMutant", "OnTheFly", "Minimal", "Fewest", "Blind", "Definite"] {
        assert!(of(kind) > 0, "{kind}: {tally:#?}");
    }
}

//! Weak kills against states: specification, mutant and test side by side, class of clocks by class, without zones and without
//! code of `suite`.
//!
//! The three go on together as long as both games can do what is done. A mutant is killed weakly if some run of it fails, or if
//! they come to states that differ: in the location, in an integer, or in a clock.

use std::cell::RefCell;
use std::collections::HashSet;

use proptest::prelude::*;
use tamper::experiment::killing::{Candidate, KillGoal, Strategy as Choice, generate};
use tamper::experiment::{Limits, Timer};
use tamper::model::{ActionId, Automaton, Role};
use tamper::suite::{Act, CompiledTest, Jump, Next, Style, SuiteFailure, TestCase, kills_weakly};
use tamper::text::Budget;

use crate::suites::adversary::{Case, case};
use crate::suites::simulator::{Ruler, outcome};
use testing::oracle::clocks::ClockSpace as _;
use testing::oracle::play::{Place, Player};
use testing::oracle::run;
use testing::oracle::show::show;

/// Most positions that are looked at.
const MOST: usize = 8_000;

/// The states of both, and the clocks.
type Both = (Place, Place, Vec<i64>);

struct Search<'a> {
    test: &'a TestCase,
    spec: Player<'a>,
    mutant: Player<'a>,
    ruler: Ruler,
    /// Nodes, chosen rules, states and classes.
    known: HashSet<(usize, usize, Both)>,
    waiting: Vec<(usize, usize, Both)>,
    differs: bool,
}

/// Whether some run that both games have brings them to different states; none if that takes too many positions.
fn differs(test: &TestCase, spec: &Automaton, mutant: &Automaton) -> Option<bool> {
    let n_test = test.clocks.len();
    let spec = Player {
        game: spec,
        offset: n_test,
    };
    let mut search = Search {
        test,
        mutant: Player {
            game: mutant,
            offset: n_test + spec.game.clocks().len(),
        },
        ruler: Ruler::side_by_side(test, &[spec.game, mutant]),
        spec,
        known: HashSet::new(),
        waiting: Vec::new(),
        differs: false,
    };
    let start = (search.spec.start(), search.mutant.start(), search.ruler.origin());
    search.compare(&start);
    search.enter(0, start);
    while let Some((node, rule, both)) = search.waiting.pop() {
        if search.differs {
            break;
        }
        if search.known.len() > MOST {
            return None;
        }
        search.wait(node, rule, both);
    }
    Some(search.differs)
}

fn label(game: &Automaton, action: ActionId) -> String {
    let action = &game.actions()[action];
    match action.role {
        Role::Input => format!("{}?", action.name),
        Role::Output => format!("{}!", action.name),
        Role::Internal => "tau".to_owned(),
    }
}

impl Search<'_> {
    fn compare(&mut self, (spec, mutant, point): &Both) {
        let name = |player: &Player<'_>, place: &Place| player.game.locations()[place.location].name.to_string();
        let clock = |(at, clock): (usize, &tamper::model::Clock)| {
            let others = self.mutant.game.clocks().iter();
            let other = others.clone().position(|other| other.name == clock.name);
            other.is_some_and(|other| point[self.spec.offset + at] != point[self.mutant.offset + other])
        };
        self.differs |= name(&self.spec, spec) != name(&self.mutant, mutant)
            || spec.ints != mutant.ints
            || self.spec.game.clocks().iter().enumerate().any(clock);
    }

    fn enter(&mut self, node: usize, both: Both) {
        let rules = &self.test.nodes[node].rules;
        let chosen = rules.iter().position(|rule| self.ruler.satisfies(&both.2, &rule.from));
        if let Some(rule) = chosen.filter(|rule| self.ruler.lies_ahead(&both.2, &rules[*rule].when)) {
            self.reach(node, rule, both);
        }
    }

    fn reach(&mut self, node: usize, rule: usize, both: Both) {
        let class = self.ruler.class(&both.2);
        if self.known.insert((node, rule, (both.0.clone(), both.1.clone(), class))) {
            self.waiting.push((node, rule, both));
        }
    }

    fn wait(&mut self, at: usize, chosen: usize, both: Both) {
        let test = self.test;
        let (node, rule) = (&test.nodes[at], &test.nodes[at].rules[chosen]);
        for (label, next) in self.steps(&both, false) {
            let known = node.outputs.iter().filter(|expected| expected.action == label);
            self.jump(known.map(|expected| &expected.jump), &both.2, next);
        }
        if let Act::Input { action, then } = &rule.act
            && self.ruler.satisfies(&both.2, &rule.when)
        {
            for (_, next) in self.steps(&both, true).into_iter().filter(|(label, _)| label == action) {
                self.jump(then.iter(), &both.2, next);
            }
        }
        let later = self.ruler.later(&both.2);
        let waits = |player: &Player<'_>, place: &Place| {
            !player.is_urgent(&self.ruler, place, &both.2) && player.exists(&self.ruler, place, &later)
        };
        if waits(&self.spec, &both.0) && waits(&self.mutant, &both.1) && self.ruler.lies_ahead(&later, &rule.when) {
            self.reach(at, chosen, (both.0, both.1, later));
        }
    }

    /// All that both can do, inputs or outputs, and where it leads.
    fn steps(&self, (spec, mutant, point): &Both, inputs: bool) -> Vec<(String, Both)> {
        let mut found = Vec::new();
        for action in self.spec.actions(inputs) {
            let word = label(self.spec.game, action);
            let same = |other: &ActionId| label(self.mutant.game, *other) == word;
            for other in self.mutant.actions(inputs).filter(same) {
                for (spec, point) in self.spec.moves(&self.ruler, spec, point, action) {
                    for (mutant, point) in self.mutant.moves(&self.ruler, mutant, &point, other) {
                        found.push((word.clone(), (spec.clone(), mutant, point)));
                    }
                }
            }
        }
        found
    }

    /// The step is made, whatever comes of the test.
    fn jump<'j>(&mut self, mut jumps: impl Iterator<Item = &'j Jump>, before: &[i64], next: Both) {
        self.compare(&next);
        if let Some(Jump {
            next: Next::Node(node),
            resets,
            ..
        }) = jumps.find(|jump| self.ruler.satisfies(before, &jump.when))
        {
            let reset = |point, (clock, value): &(usize, i64)| self.ruler.reset(&point, *clock, *value);
            let point = resets.iter().fold(next.2, reset);
            self.enter(*node, (next.0, next.1, point));
        }
    }
}

/// How often what was looked at.
#[derive(Default, Debug)]
struct Tally {
    games: u32,
    executions: u32,
    /// Mutants that fail, whose state differs and nothing fails, whose state is always the same.
    strong: u32,
    weak_only: u32,
    not: u32,
    suites_counted: u32,
    too_long: u32,
}

/// Of one test and one mutant: whether it fails, and whether it is killed weakly.
type Found = (bool, bool);

fn judged(test: &TestCase, spec: &Automaton, mutant: &Automaton) -> Option<Found> {
    let fails = outcome(test, mutant)?.fail;
    Some((fails, fails || differs(test, spec, mutant)?))
}

fn check(case: &Case, tally: &RefCell<Tally>) -> Result<(), String> {
    let Some(tester) = case.tester() else { return Ok(()) };
    let spec = tester.automaton();
    let mut candidates = case.candidates(&tester);
    candidates.retain(|candidate| candidate.subject.is_ok());
    let timer = Timer::new(Limits::default());
    let wish = case.wish();
    let made = generate(&tester, &candidates, &wish, &timer, &|_| ()).map_err(|error| error.to_string())?;
    if made.tests.is_empty() {
        return Ok(());
    }
    let mut tally = tally.borrow_mut();
    tally.games += 1;
    let mut table: Vec<Vec<Option<Found>>> = Vec::new();
    for test in &made.tests {
        table.push(Vec::new());
        for candidate in &candidates {
            let game = candidate.automaton.as_ref().expect("it has a meaning");
            let found = judged(test, spec, game);
            table.last_mut().expect("a row").push(found);
            let Some((fails, weakly)) = found else {
                tally.too_long += 1;
                continue;
            };
            let said = said(test, (&tester, candidate)).map_err(|error| error.to_string())?;
            if said != weakly {
                return Err(format!(
                    "{}: weakly {said}, by states {weakly}, fails {fails}\n{}{test:?}",
                    candidate.id,
                    show(game)
                ));
            }
            tally.executions += 1;
            tally.strong += u32::from(fails);
            tally.weak_only += u32::from(weakly && !fails);
            tally.not += u32::from(!weakly);
        }
    }
    if wish.strategy == Choice::OnTheFly {
        let Some(table) = table
            .into_iter()
            .map(|row| row.into_iter().collect())
            .collect::<Option<Vec<Vec<Found>>>>()
        else {
            return Ok(());
        };
        let is_only_weak = |at: &usize| !table.iter().any(|row| row[*at].0) && table.iter().any(|row| row[*at].1);
        let expected = (0..candidates.len()).filter(is_only_weak).count();
        if made.only_weakly != Some(expected) {
            return Err(format!("only weakly: {:?}, by states {expected}", made.only_weakly));
        }
        tally.suites_counted += 1;
    }
    Ok(())
}

fn said(test: &TestCase, (tester, candidate): (&tamper::suite::Tester, &Candidate)) -> Result<bool, SuiteFailure> {
    let subject = candidate.subject.as_ref().expect("it has a state");
    let compiled = CompiledTest::in_own_unit(test)?;
    kills_weakly(&compiled, tester.spec(), subject, &Budget::unlimited())
}

/// Half of the suites on the fly.
fn wished() -> impl Strategy<Value = Case> {
    (case(), any::<bool>()).prop_map(|(mut case, on_the_fly)| {
        if on_the_fly {
            case.strategy = Choice::OnTheFly;
            if case.wanted == KillGoal::Blind {
                case.wanted = KillGoal::Both;
            }
            case.style = Style::Cooperative;
        }
        case
    })
}

#[test]
fn weak_kills_are_different_states() {
    let tally = RefCell::new(Tally::default());
    run::check(400, &wished(), |case| check(case, &tally));
    let tally = tally.into_inner();
    println!("{tally:#?}");
    if std::env::var_os("TAMPER_CASES").is_some() {
        return;
    }
    assert!(tally.games >= 200 && tally.suites_counted >= 80, "{tally:?}");
    assert!(
        tally.weak_only >= 100 && tally.not >= 100 && tally.strong >= 100,
        "{tally:?}"
    );
    assert!(tally.too_long * 10 < tally.executions, "{tally:?}");
}

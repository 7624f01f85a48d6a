//! Long tests by hand: a second round, going on after the last step, times on a grid.

use std::convert::Infallible;

use num_rational::BigRational;
use num_traits::Zero as _;
use tamper::experiment::killing::{KillGoal, Strategy, SuiteOptions, candidates, generate, ignoring};
use tamper::experiment::{Limits, Selection, Timer};
use tamper::mutation::{MutantSpace, MutationOptions, Operator, Order};
use tamper::suite::{
    Driven, Observed, Pick, Refusals, Style, Subject, Sut, TestCase, TestVerdict, Tester, What, drive, ends,
};
use tamper::text::Budget;

use testing::oracle::games::game;

/// Done three time units after each `go?`.
const TIMER: &str = "
clock x
loc idle
loc busy inv x<=3
edge idle -> busy : go? do x:=0
edge busy -> idle : done! when x==3
";

fn number(value: i64) -> BigRational {
    BigRational::from_integer(value.into())
}

/// The tests of one trace for mutants by CXL of `text`, on a grid of that many parts of a time unit.
fn tests(
    text: &str,
    operator: Operator,
    grid: Option<u32>,
    wish: impl Fn(SuiteOptions) -> SuiteOptions,
) -> Vec<TestCase> {
    tests_of(text, MutationOptions::only(operator), grid, wish)
}

/// The same for mutants by several operators.
fn tests_of(
    text: &str,
    mutation: MutationOptions,
    grid: Option<u32>,
    wish: impl Fn(SuiteOptions) -> SuiteOptions,
) -> Vec<TestCase> {
    let spec = game("G", text);
    let space = MutantSpace::new(&spec, &mutation, Order::FIRST).unwrap();
    let timer = Timer::new(Limits::default());
    let selection = Selection::of(&space, None, 0).unwrap();
    let tester = Tester::new(&spec, &Budget::unlimited()).unwrap();
    let found = candidates(&space, &selection, &|_| true, &tester, &timer).unwrap();
    let wish = wish(SuiteOptions {
        wanted: KillGoal::Potential,
        style: Style::Adaptive,
        pick: Pick::Earliest,
        strategy: Strategy::Fewest,
        rounds: 1,
        refusals: Refusals::Error,
        linger: None,
        mutation,
        max_nodes: 1_000,
    });
    let found = ignoring(found, wish.refusals, &timer);
    let tester = match grid {
        Some(grid) => tester.on_grid(grid),
        None => tester,
    };
    generate(&tester, &found, &wish, &timer, &|_| ()).unwrap().tests
}

/// It locks three time units after it was shut, unless it was opened before.
const DOOR: &str = "
clock x
loc locked
loc open
loc shut inv x<=3
edge locked -> open : open?
edge open -> shut : shut? do x:=0
edge shut -> open : open? when x<3
edge shut -> locked : locked! when x==3
";

/// The door as a program; one that does not stop its timer when it is opened locks when the old time is over, if it is shut then.
struct Door {
    stops_timer: bool,
    is_open: bool,
    is_shut: bool,
    /// The times that are left.
    timers: Vec<BigRational>,
}

impl Door {
    fn new(stops_timer: bool) -> Self {
        Self {
            stops_timer,
            is_open: false,
            is_shut: false,
            timers: Vec::new(),
        }
    }
}

impl Sut for Door {
    type Error = Infallible;

    fn reset(&mut self) -> Result<(), Infallible> {
        *self = Self::new(self.stops_timer);
        Ok(())
    }

    fn input(&mut self, label: &str) -> Result<bool, Infallible> {
        if label.starts_with("open") {
            (self.is_open, self.is_shut) = (true, false);
            if self.stops_timer {
                self.timers.clear();
            }
        } else if self.is_open {
            (self.is_open, self.is_shut) = (false, true);
            self.timers.push(number(3));
        }
        Ok(true)
    }

    fn wait(&mut self, at_most: &BigRational) -> Result<Observed, Infallible> {
        // The timers were set one after the other.
        let due = self
            .timers
            .first()
            .filter(|due| *due <= at_most && self.is_shut)
            .cloned();
        if let Some(after) = due {
            self.reset()?;
            let action = "locked".to_owned();
            return Ok(Observed::Output { action, after });
        }
        self.timers.iter_mut().for_each(|due| *due -= at_most);
        self.timers.retain(|due| *due > BigRational::zero());
        Ok(Observed::Silence)
    }
}

/// No mutant without memory has this fault, and so no test is for it; the long test for those with memory finds it.
#[test]
fn a_timer_that_is_not_stopped_is_found_by_the_long_tests_for_mutants_with_memory() {
    let all = |again: &[Operator]| MutationOptions {
        operators: Operator::of_games().to_vec(),
        again: again.to_vec(),
        ..MutationOptions::default()
    };
    let suite = |again: &[Operator], strategy: Strategy| {
        tests_of(DOOR, all(again), None, |wish| SuiteOptions {
            wanted: KillGoal::Both,
            style: Style::Cooperative,
            strategy,
            refusals: Refusals::Never,
            linger: Some(4),
            ..wish
        })
    };
    let failing = |tests: &[TestCase], stops_timer: bool| -> Vec<String> {
        let driven = run(tests, Door::new(stops_timer)).into_iter().zip(tests);
        let failing = driven.filter(|(driven, _)| driven.verdict == TestVerdict::Fail);
        failing.map(|(_, test)| test.id.clone()).collect()
    };
    let without = suite(&[], Strategy::Minimal);
    assert_eq!([failing(&without, true), failing(&without, false)], [[""; 0]; 2]);
    let with = suite(&Operator::SECOND_TIME, Strategy::ForPrograms);
    assert_eq!(failing(&with, true), [""; 0]);
    // The long tests come behind the tests that there are without them.
    let found = failing(&with, false);
    let is_long = |id: &String| !without.iter().any(|test| test.id == *id);
    assert!(!found.is_empty() && found.iter().all(is_long), "{found:?}");
}

/// A timer that makes `done!` so long after its first `go?`, and so long after each further one; then `extra` time units later again.
struct Program {
    first: i64,
    further: i64,
    extra: Option<i64>,
    n_given: u32,
    due: Vec<BigRational>,
}

impl Program {
    fn new(first: i64, further: i64, extra: Option<i64>) -> Self {
        Self {
            first,
            further,
            extra,
            n_given: 0,
            due: Vec::new(),
        }
    }
}

impl Sut for Program {
    type Error = Infallible;

    fn reset(&mut self) -> Result<(), Infallible> {
        (self.n_given, self.due) = (0, Vec::new());
        Ok(())
    }

    fn input(&mut self, _: &str) -> Result<bool, Infallible> {
        self.n_given += 1;
        let after = if self.n_given == 1 { self.first } else { self.further };
        self.due = [Some(after), self.extra.map(|extra| after + extra)]
            .into_iter()
            .flatten()
            .map(number)
            .collect();
        Ok(true)
    }

    fn wait(&mut self, at_most: &BigRational) -> Result<Observed, Infallible> {
        let next = self.due.first().filter(|due| *due <= at_most).cloned();
        let passed = next.clone().unwrap_or_else(|| at_most.clone());
        for due in &mut self.due {
            *due -= &passed;
        }
        Ok(match next {
            Some(after) => {
                self.due.remove(0);
                Observed::Output {
                    action: "done".to_owned(),
                    after,
                }
            }
            None => Observed::Silence,
        })
    }
}

fn run(tests: &[TestCase], mut program: impl Sut<Error = Infallible>) -> Vec<Driven> {
    let run = |test: &TestCase| drive(test, &mut program, &BigRational::zero()).expect("nothing breaks");
    tests.iter().map(run).collect()
}

fn verdicts(driven: &[Driven]) -> Vec<TestVerdict> {
    driven.iter().map(|driven| driven.verdict).collect()
}

/// When what happened, as `go? at 0`.
fn log(driven: &Driven) -> Vec<String> {
    let events = driven.log.iter().filter_map(|event| match &event.what {
        What::Input(label) | What::Output(label) => Some(format!("{label} at {}", event.at)),
        _ => None,
    });
    events.collect()
}

/// The mutants may be silent for longer than three units, which is what a test waits for: `done!` ends it, inconclusively. A second round begins after nothing came for
/// four units, one more than the largest constant.
#[test]
fn a_second_round_comes_to_a_fault_of_the_second_time() {
    let once = tests(TIMER, Operator::Cxl, None, |wish| wish);
    let right = run(&once, Program::new(3, 3, None));
    assert_eq!(right.len(), 1);
    assert_eq!(log(&right[0]), ["go? at 0", "done! at 3"]);
    let late = run(&once, Program::new(3, 5, None));
    assert_eq!(verdicts(&late), [TestVerdict::Inconclusive]);

    let twice = tests(TIMER, Operator::Cxl, None, |wish| SuiteOptions { rounds: 2, ..wish });
    let right = run(&twice, Program::new(3, 3, None));
    assert_eq!(right.len(), 1);
    assert_eq!(log(&right[0]), ["go? at 0", "done! at 3", "go? at 7", "done! at 10"]);
    assert_ne!(right[0].verdict, TestVerdict::Fail);
    assert_eq!(verdicts(&run(&twice, Program::new(3, 5, None))), [TestVerdict::Fail]);
}

/// Nothing may come after `done!`: a test that ends with it fails no program that says it twice.
#[test]
fn a_test_that_goes_on_sees_what_comes_after_its_last_step() {
    let brief = tests(TIMER, Operator::Cxl, None, |wish| wish);
    let driven = run(&brief, Program::new(3, 3, Some(2)));
    assert_eq!(verdicts(&driven), [TestVerdict::Inconclusive]);
    for (quiet, verdict) in [
        (1, TestVerdict::Inconclusive),
        (2, TestVerdict::Fail),
        (4, TestVerdict::Fail),
    ] {
        let lingering = tests(TIMER, Operator::Cxl, None, |wish| SuiteOptions {
            linger: Some(quiet),
            ..wish
        });
        let driven = run(&lingering, Program::new(3, 3, Some(2)));
        assert_eq!(verdicts(&driven), [verdict], "{quiet}");
        let right = run(&lingering, Program::new(3, 3, None));
        let until = number(3 + i64::from(quiet));
        assert_eq!((right[0].verdict, &right[0].until), (TestVerdict::Inconclusive, &until));
    }
}

/// The input is taken between 3 and 4, ends excluded: half way is 7/2. Of thirds 10/3 and 11/3 are as near, and the earlier one is taken;
/// no whole number does.
#[test]
fn fixed_times_are_on_the_grid_where_one_is_possible() {
    let text = "
clock x
loc l0
loc l1
edge l0 -> l1 : go? when x>3 && x<4
";
    let given = |grid: Option<u32>| {
        let tests = tests(text, Operator::Tmi, grid, |wish| wish);
        let driven = run(&tests, Program::new(90, 90, None));
        driven.iter().flat_map(log).collect::<Vec<_>>()
    };
    for (grid, at) in [(None, "7/2"), (Some(1), "7/2"), (Some(10), "7/2"), (Some(3), "10/3")] {
        assert_eq!(given(grid), [format!("go? at {at}")], "{grid:?}");
    }
}

/// The specification takes `b` before 1, and may make `p` at any time. A lingering test awaits `p` for longer than the test that it comes
/// from, and then must not give a `b` that is not taken any more: a test would fail the specification.
#[test]
fn a_lingering_test_gives_no_input_that_is_too_late() {
    let folder = tempfile::tempdir().expect("a folder");
    let model = "chan p, b;\nprocess S() {\n  clock x;\n  state l0, l1;\n  init l0;\n  trans l0 -> l0 { sync p!; }, \
                 l0 -> l0 { guard x < 1; sync b?; };\n}\nsystem S;\n";
    std::fs::write(folder.path().join("late.xta"), model).expect("it is written");
    for options in [
        "--operators CTG --linger 1",
        "--operators all --linger on",
        "--for programs",
    ] {
        let made = crate::suites::commands::json(
            folder.path(),
            &format!("testgen late.xta --style adaptive {options} --out suite.json"),
            0,
        );
        assert!(made["tests"].as_u64() > Some(0), "{options}: {made}");
    }
    // The model as a program passes its own tests.
    let ran = crate::suites::commands::json(folder.path(), "run suite.json --against late.xta", 0);
    assert_eq!(ran["fail"], 0, "{ran}");
}

/// Two clocks are compared with each other. Where a mutant ignores `b?`, a clock may have a bound that no guard has.
const COMPARED: &str = "
clock x y
loc idle
edge idle -> idle : b? when y-x>=0 do x:=0
edge idle -> idle : o! when x==1
";

#[test]
fn a_second_round_begins_behind_bounds_of_ignored_inputs() {
    let mutation = MutationOptions {
        operators: [Operator::Tmi, Operator::Xcd].into(),
        ..MutationOptions::default()
    };
    let tests = tests_of(COMPARED, mutation, Some(1), |wish| SuiteOptions {
        rounds: 2,
        refusals: Refusals::Never,
        linger: Some(1),
        ..wish
    });
    let spec = Refusals::Never.met(game("G", COMPARED));
    let spec = Subject::new(&spec, &Budget::unlimited()).unwrap();
    // That a test can fail on its mutant is asserted where it is made.
    assert!(!tests.is_empty());
    for test in &tests {
        assert!(!ends(test, &spec, &Budget::unlimited()).unwrap().can_fail(), "{test:?}");
    }
}

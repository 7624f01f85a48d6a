//! `tamper minimise`.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use clap::{Args, ValueEnum};
use fixedbitset::FixedBitSet;
use num_bigint::BigInt;
use num_integer::Integer as _;
use num_rational::BigRational;
use num_traits::{One as _, ToPrimitive as _};
use serde_json::{Value, json};

use crate::cli::arguments::args::GlobalArgs;
use crate::cli::exit::ExitCode;
use crate::cli::terminal::Terminal;
use crate::cli::testing::suites::{Bench, JudgedArgs};
use tamper::experiment::killing::{KillGoal, SuiteOptions, Target, kills};
use tamper::experiment::write_file;
use tamper::formats::suite_json::{Suite, SuiteMutant, write_suite};
use tamper::suite::{Cover, Kill, KillMatrix, TestCase, longest_time, minimum_cover, prioritised};

/// What a suite is to be small in.
#[derive(Clone, Copy, PartialEq, Eq, Default, ValueEnum, Debug)]
pub enum CriterionArg {
    /// The number of tests
    #[default]
    Tests,
    /// The number of their steps in all
    Steps,
    /// How long they take in all on a correct system, each at the longest; then the number of tests
    Time,
}

/// Most steps of the search for the fewest tests.
pub const MOST_NODES: u64 = 1_000_000;

/// `tamper minimise`.
///
/// Chooses tests of a suite that kill the same mutants as all of them, and as surely: the fewest, those of the fewest steps, or those that
/// take the least time. Essential and dominated tests are found first; then an exact search, whose bound is told when it is
/// not finished. The tests are written in an order in which each kills most of what those before it leave, so that a run
/// that is cut short has killed much.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  tamper minimise suite.json model.xml --out small.json
  tamper minimise suite.json model.xml --criterion steps --out short.json
  tamper minimise suite.json model.xml --mutants tamper.out --in-place

Exit codes:
  0  the suite is as small as can be
  2  wrong usage, or a file that is refused
  3  the search was not finished: the suite may not be as small as can be")]
pub struct MinimiseArgs {
    #[command(flatten)]
    pub judged: JudgedArgs,
    /// What is to be small
    #[arg(long, value_enum, default_value_t, value_name = "WHAT")]
    pub criterion: CriterionArg,
    /// The file for the smaller suite
    #[arg(long, value_name = "FILE", required_unless_present = "in_place")]
    pub out: Option<PathBuf>,
    /// Replace SUITE by the smaller suite
    #[arg(long, conflicts_with = "out")]
    pub in_place: bool,
}

impl MinimiseArgs {
    /// The file for the smaller suite; by default the file of the suite.
    pub fn out(&self) -> &Path {
        self.out.as_deref().unwrap_or(&self.judged.suite)
    }
}

/// Makes a suite smaller.
pub fn minimise(args: &MinimiseArgs, global: &GlobalArgs, terminal: &Terminal) -> Result<ExitCode> {
    let (suite, bench, options) = args.judged.read(KillGoal::Both, global, terminal)?;
    let sure = SuiteOptions {
        wanted: KillGoal::Both,
        ..options.clone()
    };
    let executed = Target::new(&bench.tester, &bench.candidates, &sure).executed(&suite.tests, &bench.timer)?;
    let matrix = kills(&executed, &suite.tests, options.wanted);
    let costs = Costs::of(args.criterion, &suite.tests, &bench)?;
    let (mut cover, order) = chosen(&matrix, &costs.weights);
    let positions = 0..bench.candidates.len();
    let one_runs: FixedBitSet = positions.filter(|at| bench.candidates[*at].is_one_run).collect();
    if !one_runs.is_clear() {
        // Other tests may kill these, too, so they say nothing of how many tests are needed.
        let mut rows = matrix;
        rows.iter_mut().for_each(|row| row.difference_with(&one_runs));
        let least = minimum_cover(&rows, &costs.weights, MOST_NODES).lower_bound;
        cover.proved &= least == cover.lower_bound;
        cover.lower_bound = least;
    }
    let before = suite.tests.len();
    let smaller = reordered(suite, &order, &executed, &bench);
    write_file(args.out(), write_suite(&smaller))?;
    let ids = smaller.tests.iter().map(|test| test.id.as_str());
    let answer = MinimisationResult {
        cost: costs.in_units(order.iter().map(|(at, _)| costs.weights[*at]).sum()),
        bound: (costs.in_units(cover.lower_bound), cover.proved),
        order: ids.zip(order.iter().map(|(_, kills)| *kills)).collect(),
        before,
    };
    answer.tell(args, &answer.speed(), terminal)
}

/// The minimum cover, and its tests by their positions, in order, each with the number of mutants that no test before it kills.
pub fn chosen(rows: &[FixedBitSet], weights: &[u64]) -> (Cover, Vec<(usize, usize)>) {
    let cover = minimum_cover(rows, weights, MOST_NODES);
    let order = prioritised(rows, weights, &cover.tests);
    (cover, order)
}

/// Updates the tests of `mutants` to tests of `kept`. The mutant of a candidate gets the test that `first` finds for the candidate's
/// position. Any other mutant keeps its test, or loses it if that is not kept.
pub fn retold<'i>(
    mutants: &mut [SuiteMutant],
    candidates: impl Iterator<Item = &'i str>,
    kept: &[String],
    first: impl Fn(usize, &SuiteMutant) -> Option<usize>,
) {
    for (at, id) in candidates.enumerate() {
        for mutant in mutants.iter_mut().filter(|mutant| mutant.id == id) {
            mutant.test = first(at, mutant).map(|first| kept[first].clone());
        }
    }
    for mutant in mutants {
        mutant.test = mutant.test.take().filter(|test| kept.contains(test));
    }
}

/// The tests of `order`. Each mutant names the first of them that kills it as surely as the suite says that it can be killed.
fn reordered(suite: Suite, order: &[(usize, usize)], matrix: &KillMatrix, bench: &Bench) -> Suite {
    let tests: Vec<TestCase> = order.iter().map(|(at, _)| suite.tests[*at].clone()).collect();
    let kept: Vec<String> = tests.iter().map(|test| test.id.clone()).collect();
    let mut smaller = Suite { tests, ..suite };
    let ids = bench.candidates.iter().map(|candidate| candidate.id.as_str());
    retold(&mut smaller.mutants, ids, &kept, |at, mutant| {
        let rows = match mutant.killable == Kill::Definite.name() || mutant.killable == "blind" {
            true => &matrix.must_fail,
            false => &matrix.can_fail,
        };
        order.iter().position(|(test, _)| rows[*test].contains(at))
    });
    smaller
}

/// The cost of each test.
struct Costs {
    criterion: CriterionArg,
    /// The weight of each test; the sum of the weights is minimised.
    weights: Vec<u64>,
    /// Weights per unit of the criterion.
    per_unit: BigInt,
}

impl Costs {
    fn of(criterion: CriterionArg, tests: &[TestCase], bench: &Bench) -> Result<Self> {
        let (weights, per_unit) = match criterion {
            CriterionArg::Tests => (vec![1; tests.len()], BigInt::one()),
            CriterionArg::Steps => (tests.iter().map(|test| test.n_steps() as u64).collect(), BigInt::one()),
            CriterionArg::Time => by_time(tests, bench)?,
        };
        Ok(Self {
            criterion,
            weights,
            per_unit,
        })
    }
    /// A sum of weights in units of the criterion. For time, the part that counts tests is left out: it only breaks ties.
    fn in_units(&self, weights: u64) -> BigRational {
        let weights = BigInt::from(weights);
        match self.criterion {
            CriterionArg::Time => {
                let beside = BigInt::from(self.weights.len() + 1);
                BigRational::new(weights.div_floor(&beside) * beside, self.per_unit.clone())
            }
            _ => BigRational::from_integer(weights),
        }
    }
}

/// Weights by time first, then by the number of tests: times are counted in parts that divide the time of every test, and one part weighs
/// more than all tests.
fn by_time(tests: &[TestCase], bench: &Bench) -> Result<(Vec<u64>, BigInt)> {
    let mut times = Vec::with_capacity(tests.len());
    for test in tests {
        let time = longest_time(test, bench.tester.spec(), &bench.timer.budget())?;
        times.push(time.with_context(|| {
            format!(
                "the test `{}` has a loop that was not followed to an end, so that no bound of its time is known: choose another --criterion",
                test.id
            )
        })?);
    }
    let parts = times.iter().fold(BigInt::one(), |parts, time| parts.lcm(time.denom()));
    let per_unit = parts * BigInt::from(tests.len() + 1);
    let weight = |time: &BigRational| (time * &per_unit).to_integer() + BigInt::one();
    let weights = times.iter().map(|time| weight(time).to_u64());
    let weights = weights.collect::<Option<Vec<_>>>();
    Ok((
        weights.context("the times of the tests have no small common unit")?,
        per_unit,
    ))
}

impl CriterionArg {
    fn unit(self) -> &'static str {
        match self {
            Self::Tests => "tests",
            Self::Steps => "steps",
            Self::Time => "time units",
        }
    }
}

/// The answer about a suite that was made smaller.
pub struct MinimisationResult<'a> {
    /// The total cost of its tests.
    pub cost: BigRational,
    /// A lower bound on the cost, and whether this suite attains it.
    pub bound: (BigRational, bool),
    /// Its tests, each with the number of mutants that no test before it kills.
    pub order: Vec<(&'a str, usize)>,
    /// The number of tests before.
    pub before: usize,
}

impl MinimisationResult<'_> {
    /// Prints the answer, as text with `more` at the end. Returns whether the suite is as small as possible.
    pub fn tell(&self, args: &MinimiseArgs, more: &str, terminal: &Terminal) -> Result<ExitCode> {
        terminal.answer(|| self.json(args), || self.text(args) + more)?;
        Ok(ExitCode::known_if(self.bound.1))
    }

    fn json(&self, args: &MinimiseArgs) -> Value {
        let number = |value: &BigRational| match value.to_integer().to_u64().filter(|_| value.is_integer()) {
            Some(whole) => json!(whole),
            None => json!(value.to_string()),
        };
        let order = self
            .order
            .iter()
            .map(|(test, kills)| json!({ "test": test, "kills": kills }));
        json!({
            "tests": self.order.len(), "before": self.before, "criterion": args.criterion.unit(),
            "cost": number(&self.cost),
            "lower_bound": number(&self.bound.0), "proved": self.bound.1,
            "order": order.collect::<Vec<_>>(), "out": args.out().display().to_string(),
        })
    }

    fn text(&self, args: &MinimiseArgs) -> String {
        let cost = match args.criterion {
            CriterionArg::Tests => String::new(),
            criterion => format!(" ({} {})", self.cost, criterion.unit()),
        };
        let least = match args.criterion {
            CriterionArg::Time => "least",
            _ => "fewest",
        };
        let bound = match &self.bound {
            (_, true) => format!("the {least} that kill as many mutants"),
            (bound, false) => format!("not proved to be the {least}: at least {bound} are needed"),
        };
        format!(
            "{} of {} tests{cost}, {bound}, in {}",
            self.order.len(),
            self.before,
            args.out().display()
        )
    }

    /// A line about the number of tests that kill half of the mutants that all tests kill.
    fn speed(&self) -> String {
        let all: usize = self.order.iter().map(|(_, kills)| kills).sum();
        let mut killed = 0;
        let half = self.order.iter().position(|(_, kills)| {
            killed += kills;
            2 * killed >= all
        });
        let first = match half {
            None => return String::new(),
            Some(0) => "the first of them kills".to_owned(),
            Some(half) => format!("the first {} of them kill", half + 1),
        };
        format!("\n{first} {killed} of {all} mutants")
    }
}

//! `tamper minimise`.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use clap::{Args, ValueEnum};
use num_bigint::BigInt;
use num_integer::Integer as _;
use num_rational::BigRational;
use num_traits::{One as _, ToPrimitive as _};
use serde_json::{Value, json};

use super::args::{Format, GlobalArgs};
use super::exit::ExitCode;
use super::suites::{Bench, JudgedArgs};
use super::terminal::Terminal;
use crate::experiment::killing::{Target, Wanted, Wish, kills};
use crate::experiment::write_file;
use crate::formats::suite_json::{Suite, write_suite};
use crate::suite::{Cover, Kill, KillMatrix, TestCase, longest_time, minimum_cover, prioritised};

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
  tamper minimise suite.json model.xml --keep-all --out ordered.json      all tests, those first that kill most

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
    /// Keep every test, only put them in order: those first that kill most for their cost (--criterion) of what is left
    #[arg(long)]
    pub keep_all: bool,
    /// Most steps of the search
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    pub max_nodes: u64,
    /// The file for the smaller suite
    #[arg(long, value_name = "FILE", required_unless_present = "in_place")]
    pub out: Option<PathBuf>,
    /// Replace SUITE by the smaller suite
    #[arg(long, conflicts_with = "out")]
    pub in_place: bool,
}

impl MinimiseArgs {
    /// Where the smaller suite goes.
    pub fn out(&self) -> &Path {
        self.out.as_deref().unwrap_or(&self.judged.suite)
    }
}

/// Makes a suite smaller.
pub fn minimise(args: &MinimiseArgs, global: &GlobalArgs, terminal: &Terminal) -> Result<ExitCode> {
    let (suite, bench, wish) = args.judged.read(Wanted::Both, global, terminal)?;
    let sure = Wish {
        wanted: Wanted::Both,
        ..wish.clone()
    };
    let executed = Target::new(&bench.tester, &bench.candidates, &sure).executed(&suite.tests, &bench.timer)?;
    let matrix = kills(&executed, &suite.tests, wish.wanted);
    let costs = Costs::of(args.criterion, &suite.tests, &bench)?;
    let cover = (!args.keep_all).then(|| minimum_cover(&matrix, &costs.weights, args.max_nodes));
    let chosen: Vec<usize> = match &cover {
        Some(cover) => cover.tests.clone(),
        None => (0..suite.tests.len()).collect(),
    };
    let order = prioritised(&matrix, &costs.weights, &chosen);
    let before = suite.tests.len();
    let smaller = reordered(suite, &order, &executed, &bench);
    write_file(args.out(), write_suite(&smaller))?;
    let answer = Answer {
        costs: &costs,
        cover: cover.as_ref(),
        order: &order,
        smaller: &smaller,
        before,
    };
    terminal.result(&match terminal.format {
        Format::Json => serde_json::to_string_pretty(&answer.json(args))?,
        Format::Text => answer.text(args),
    })?;
    let proved = cover.is_none_or(|cover| cover.proved);
    Ok(if proved { ExitCode::Yes } else { ExitCode::Unknown })
}

/// The tests of `order`, each mutant with the first of them that kills it as surely as is said of it.
fn reordered(suite: Suite, order: &[(usize, usize)], matrix: &KillMatrix, bench: &Bench) -> Suite {
    let tests: Vec<TestCase> = order.iter().map(|(at, _)| suite.tests[*at].clone()).collect();
    let kept: Vec<String> = tests.iter().map(|test| test.id.clone()).collect();
    let mut smaller = Suite { tests, ..suite };
    for (at, candidate) in bench.candidates.iter().enumerate() {
        for mutant in smaller.mutants.iter_mut().filter(|mutant| mutant.id == candidate.id) {
            let rows = match mutant.killable == Kill::Definite.name() || mutant.killable == "blind" {
                true => &matrix.must_fail,
                false => &matrix.can_fail,
            };
            let first = order.iter().position(|(test, _)| rows[*test].contains(at));
            mutant.test = first.map(|first| kept[first].clone());
        }
    }
    // A mutant outside this run may have lost its test.
    for mutant in &mut smaller.mutants {
        mutant.test = mutant.test.take().filter(|test| kept.contains(test));
    }
    smaller
}

/// What each test costs.
struct Costs {
    criterion: CriterionArg,
    /// What is made small.
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
    fn unit(&self) -> &'static str {
        match self.criterion {
            CriterionArg::Tests => "tests",
            CriterionArg::Steps => "steps",
            CriterionArg::Time => "time units",
        }
    }
    /// So many weights in units; what counts the tests beside the time is left out.
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

/// Time first, in parts that divide every test's, then the number of tests: a part of time weighs more than all tests.
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

/// What is told about it.
struct Answer<'a> {
    costs: &'a Costs,
    cover: Option<&'a Cover>,
    order: &'a [(usize, usize)],
    smaller: &'a Suite,
    before: usize,
}

impl Answer<'_> {
    fn cost(&self) -> BigRational {
        self.costs
            .in_units(self.order.iter().map(|(at, _)| self.costs.weights[*at]).sum())
    }

    fn json(&self, args: &MinimiseArgs) -> Value {
        let number = |value: BigRational| match value.to_integer().to_u64().filter(|_| value.is_integer()) {
            Some(whole) => json!(whole),
            None => json!(value.to_string()),
        };
        let order = self.order.iter().zip(&self.smaller.tests);
        let order = order.map(|((_, kills), test)| json!({ "test": test.id, "kills": kills }));
        json!({
            "tests": self.order.len(), "before": self.before, "criterion": self.costs.unit(),
            "cost": number(self.cost()),
            "lower_bound": self.cover.map(|cover| number(self.costs.in_units(cover.lower_bound))),
            "proved": self.cover.map(|cover| cover.proved),
            "order": order.collect::<Vec<_>>(), "out": args.out().display().to_string(),
        })
    }

    fn text(&self, args: &MinimiseArgs) -> String {
        let cost = match self.costs.criterion {
            CriterionArg::Tests => String::new(),
            _ => format!(" ({} {})", self.cost(), self.costs.unit()),
        };
        let least = match self.costs.criterion {
            CriterionArg::Time => "least",
            _ => "fewest",
        };
        let bound = match self.cover {
            None => "in the order of what they kill".to_owned(),
            Some(cover) if cover.proved => format!("the {least} that kill as many mutants"),
            Some(cover) => format!(
                "not proved to be the {least}: at least {} are needed",
                self.costs.in_units(cover.lower_bound)
            ),
        };
        let mut text = format!(
            "{} of {} tests{cost}, {bound}, in {}",
            self.order.len(),
            self.before,
            args.out().display()
        );
        let all: usize = self.order.iter().map(|(_, kills)| kills).sum();
        let mut killed = 0;
        let half = self.order.iter().position(|(_, kills)| {
            killed += kills;
            2 * killed >= all
        });
        let first = match half {
            None => return text,
            Some(0) => "the first of them kills".to_owned(),
            Some(half) => format!("the first {} of them kill", half + 1),
        };
        text.push_str(&format!("\n{first} {killed} of {all} mutants"));
        text
    }
}

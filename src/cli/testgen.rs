//! `tamper testgen`.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::PathBuf;

use anyhow::{Result, bail};
use clap::{Args, ValueEnum};
use serde_json::{Value, json};

use super::args::{Format, GlobalArgs};
use super::exit::ExitCode;
use super::observations::with_observations;
use super::suites::{Bench, MutantsArgs};
use super::terminal::Terminal;
use tamper::experiment::killing::{Generated, Strategy, Wanted, Wish, generate};
use tamper::experiment::write_file;
use tamper::formats::suite_json::{Suite, write_suite};
use tamper::mutation::MutationOptions;
use tamper::suite::{Pick, Style};

/// `tamper testgen`.
///
/// Makes timed tests that kill the mutants of a game, and says of each mutant how surely it can be killed: definitely
/// (every run of it fails the test), potentially (some run does), or not at all. With --kill blind also: blindly (every run fails,
/// and the inputs and their times do not depend on what is seen). The reading is Definition 7 without
/// pruning; an internal step counts as an output `tau`, and a refused input is a fail. The suite's format is in
/// docs/suite.schema.json.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  tamper testgen model.xml --out suite.json                       a test for each mutant of order 1
  tamper testgen model.xml --kill definite --out suite.json       only tests that always fail on their mutant
  tamper testgen model.xml --kill blind --out suite.json          only words of inputs and delays that always fail it
  tamper testgen model.xml --strategy minimal --out suite.json    the fewest of these tests that kill as many
  tamper testgen model.xml --kill potential --strategy fewest --out suite.json
                                                                  long tests, as few as can be
  tamper testgen model.xml --mutants tamper.out --out suite.json  for the non-subsumed mutants of a finished run
  tamper score suite.json model.xml                               what a suite is worth")]
pub struct TestgenArgs {
    /// The model
    pub file: PathBuf,
    #[command(flatten)]
    pub mutants: MutantsArgs,
    /// Which tests are wanted: that can fail, that always fail, that do so by inputs and times fixed before the test, or that
    /// always fail where there are such
    #[arg(long, value_enum, default_value_t, value_name = "HOW")]
    pub kill: WantedArg,
    #[command(flatten)]
    pub timed: TestgenTimedArgs,
    /// How tests are chosen
    #[arg(long, value_enum, default_value_t, value_name = "STRATEGY")]
    pub strategy: StrategyArg,
    /// With --strategy minimal or fewest: most steps of the search for the fewest tests
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    pub max_nodes: u64,
    /// The file for the suite
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
}

/// Options of `tamper testgen` for timed games.
#[derive(Args, Debug)]
pub struct TestgenTimedArgs {
    /// How a test reacts to allowed outputs
    #[arg(
        long,
        value_enum,
        value_name = "STYLE",
        default_value_if("strategy", "fewest", "adaptive"),
        default_value = "cooperative"
    )]
    pub style: StyleArg,
    /// Which of the suitable delays
    #[arg(long, value_enum, default_value_t, value_name = "WHICH")]
    pub delays: PickArg,
}

/// Which tests are wanted.
#[derive(Clone, Copy, PartialEq, Eq, Default, ValueEnum, Debug)]
pub enum WantedArg {
    /// Tests that can fail
    Potential,
    /// Tests that always fail
    Definite,
    /// Tests that always fail and whose inputs, and the times of these, do not depend on what is seen
    Blind,
    /// Tests that always fail where there are such, else tests that can
    #[default]
    Both,
}

/// What tests know.
#[derive(Clone, Copy, PartialEq, Eq, Default, ValueEnum, Debug)]
pub enum StyleArg {
    /// One trace, and every output that can come besides with its times
    Adaptive,
    /// A graph that goes on after every output, at every time, from which the mutant can still be shown in as many steps
    #[default]
    Cooperative,
}

/// Which delays.
#[derive(Clone, Copy, PartialEq, Eq, Default, ValueEnum, Debug)]
pub enum PickArg {
    /// The least
    #[default]
    Earliest,
    /// The middle
    Middle,
    /// The greatest
    Latest,
}

/// How tests are chosen.
#[derive(Clone, Copy, PartialEq, Eq, Default, ValueEnum, Debug)]
pub enum StrategyArg {
    /// One per mutant; equal ones are one
    #[default]
    PerMutant,
    /// Always the test that kills most of those still alive, led on for others while that takes no more steps than a new test
    OnTheFly,
    /// The fewest of the tests per mutant
    Minimal,
    /// As few tests as can be found, each one trace that goes on as long as it can show another mutant (--kill potential)
    Fewest,
}

/// Makes a suite.
pub fn testgen(args: &TestgenArgs, global: &GlobalArgs, terminal: &Terminal) -> Result<ExitCode> {
    if args.strategy == StrategyArg::Fewest
        && (args.kill, args.timed.style) != (WantedArg::Potential, StyleArg::Adaptive)
    {
        bail!(
            "--strategy fewest makes tests of one trace each, which can fail: give --kill potential, and no other --style than adaptive"
        );
    }
    let bench = Bench::new((&args.file, None), (&args.mutants, None), global, terminal)
        .map_err(|error| with_observations(error, &args.file, &args.mutants.network, &args.mutants.limits))?;
    let bar = terminal.progress(bench.candidates.len() as u64);
    let progress = |done| bar.set_position(done);
    let wish = args.wish(&bench.mutation);
    let generated = generate(&bench.tester, &bench.candidates, &wish, &bench.timer, &progress)?;
    bar.finish_and_clear();
    let told = Told::of(args, &generated);
    let text = match terminal.format {
        Format::Json => serde_json::to_string_pretty(&told.json())?,
        Format::Text => told.text(),
    };
    let unknown = told.count("unknown") as u64 + bench.undecided;
    let suite = Suite {
        specification: bench.specification,
        tests: generated.tests,
        mutants: generated.mutants,
    };
    write_file(&args.out, write_suite(&suite))?;
    terminal.result(&text)?;
    Ok(if unknown > 0 { ExitCode::Unknown } else { ExitCode::Yes })
}

/// What is said about a suite that was made.
struct Told<'g> {
    args: &'g TestgenArgs,
    generated: &'g Generated,
    /// How many mutants there are of each fate.
    counts: BTreeMap<&'g str, usize>,
    steps: usize,
    killed: usize,
}

impl<'g> Told<'g> {
    fn of(args: &'g TestgenArgs, generated: &'g Generated) -> Self {
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for mutant in &generated.mutants {
            *counts.entry(mutant.killable.as_str()).or_insert(0) += 1;
        }
        Self {
            counts,
            steps: generated.tests.iter().map(tamper::suite::TestCase::n_steps).sum(),
            killed: generated.mutants.iter().filter(|mutant| mutant.test.is_some()).count(),
            args,
            generated,
        }
    }

    fn count(&self, how: &str) -> usize {
        self.counts.get(how).copied().unwrap_or(0)
    }

    fn json(&self) -> Value {
        let generated = self.generated;
        let mut value = json!({
            "tests": generated.tests.len(), "steps": self.steps, "mutants": generated.mutants.len(),
            "definite": self.count("definite"), "potential": self.count("potential"), "definite_unknown": generated.open(),
            "none": self.count("none"), "unknown": self.count("unknown"), "invalid": self.count("invalid"),
            "killed_though_subsumed": generated.subsumed, "out": self.args.out.display().to_string(),
        });
        if self.args.kill == WantedArg::Blind {
            value["blind"] = json!(self.count("blind"));
            value["blind_unknown"] = json!(generated.open_blind());
        }
        if let Some((bound, proved)) = generated.bound {
            value["lower_bound"] = json!(bound);
            value["proved"] = json!(proved);
        }
        if let Some(only_weakly) = generated.only_weakly {
            value["killed"] = json!(self.killed);
            value["killed_only_weakly"] = json!(only_weakly);
        }
        value
    }

    fn text(&self) -> String {
        let no_meaning = match self.count("invalid") {
            0 => String::new(),
            invalid => format!(", {invalid} invalid"),
        };
        format!(
            "{} tests of {} steps in all{}, in {}\n{} mutants: {}, {} cannot be killed, {} unknown{no_meaning}{}",
            self.generated.tests.len(),
            self.steps,
            self.fewest(),
            self.args.out.display(),
            self.generated.mutants.len(),
            self.killable(),
            self.count("none"),
            self.count("unknown"),
            self.notes()
        )
    }

    /// Whether there are no fewer tests.
    fn fewest(&self) -> String {
        match self.generated.bound {
            Some((_, true)) if self.args.strategy == StrategyArg::Fewest => {
                ", as few as there can be of one trace each".to_owned()
            }
            Some((_, true)) => ", the fewest of the tests per mutant".to_owned(),
            Some((bound, false)) => format!(", and no fewer than {bound} would do"),
            None => String::new(),
        }
    }

    /// How surely how many mutants can be killed.
    fn killable(&self) -> String {
        let (n_open, n_open_blind) = (self.generated.open(), self.generated.open_blind());
        let (definite, potential) = (self.count("definite"), self.count("potential"));
        let open = match n_open {
            0 => String::new(),
            open => format!(", {open} potentially, and whether definitely is not known"),
        };
        match self.args.kill {
            WantedArg::Potential => format!("{potential} can be killed"),
            WantedArg::Blind => format!(
                "{} can be killed blindly, {definite} definitely only, {} potentially only{open}{}",
                self.count("blind"),
                potential - n_open,
                match n_open_blind {
                    0 => String::new(),
                    open => format!("; of {open} it is not known whether blindly"),
                }
            ),
            _ => format!(
                "{definite} can be killed definitely, {} potentially only{open}",
                potential - n_open
            ),
        }
    }

    fn notes(&self) -> String {
        let mut notes = String::new();
        if let Some(only_weakly) = self.generated.only_weakly {
            let killed = self.killed;
            let _ = write!(
                notes,
                "\n{killed} are killed (strongly: it is seen), {only_weakly} others only weakly: their state differs, which nothing shows"
            );
        }
        if self.generated.subsumed > 0 {
            let subsumed = self.generated.subsumed;
            let _ = write!(
                notes,
                "\n{subsumed} of those that can be killed are subsumed all the same: they may answer an input rightly or wrongly"
            );
        }
        notes
    }
}

impl TestgenArgs {
    fn wish(&self, mutation: &MutationOptions) -> Wish {
        Wish {
            wanted: match self.kill {
                WantedArg::Potential => Wanted::Potential,
                WantedArg::Definite => Wanted::Definite,
                WantedArg::Both => Wanted::Both,
                WantedArg::Blind => Wanted::Blind,
            },
            style: match self.timed.style {
                StyleArg::Adaptive => Style::Adaptive,
                StyleArg::Cooperative => Style::Cooperative,
            },
            pick: match self.timed.delays {
                PickArg::Earliest => Pick::Earliest,
                PickArg::Middle => Pick::Middle,
                PickArg::Latest => Pick::Latest,
            },
            strategy: match self.strategy {
                StrategyArg::PerMutant => Strategy::PerMutant,
                StrategyArg::OnTheFly => Strategy::OnTheFly,
                StrategyArg::Minimal => Strategy::Minimal,
                StrategyArg::Fewest => Strategy::Fewest,
            },
            mutation: mutation.clone(),
            max_nodes: self.max_nodes,
        }
    }
}

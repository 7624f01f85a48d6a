//! `tamper testgen`.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, anyhow, bail};
#[cfg(feature = "workbench")]
use clap::FromArgMatches as _;
use clap::builder::ArgPredicate;
use clap::{Args, Id};
use num_bigint::BigInt;
use num_integer::Integer as _;
use serde_json::{Value, json};

use crate::cli::accepting::args::{AcceptedArgs, ChangedArgs};
use crate::cli::accepting::not_targets::NotTargets;
use crate::cli::arguments::args::{GlobalArgs, SpaceArgs, ids_of};
use crate::cli::arguments::network_args::MutateArgs;
use crate::cli::arguments::strategy::{StrategyArg, TestgenMachineArgs};
use crate::cli::arguments::suite_args::{
    Linger, PickArg, Purpose, RefusalsArg, StyleArg, WantedArg, parse_criterion, parse_grid, parse_linger,
};
use crate::cli::arguments::unspecified::GraphArgs;
use crate::cli::exit::ExitCode;
use crate::cli::interrupt::last_words;
use crate::cli::models::observations::with_observations;
use crate::cli::terminal::{Terminal, counted};
use crate::cli::testing::covered;
use crate::cli::testing::minimise::MOST_NODES;
use crate::cli::testing::prune::{PruneArg, PrunedAt};
use crate::cli::testing::suites::{Bench, MutantsArgs, TypedMutants, load_suite};
use tamper::experiment::killing::{Account, Existing, Generated, KillGoal, Strategy, SuiteOptions, extended, generate};
use tamper::experiment::{largest_constant, write_file};
use tamper::formats::suite_json::{Pruning, Suite, write_suite};
use tamper::game::{GameError, Semantics, Specification};
use tamper::model::Automaton;
use tamper::mutation::MutationOptions;
use tamper::report::account_json;
use tamper::suite::{Criterion, Pick, Refusals, Style, TestCase, Tester};

/// Parts of a time unit in which long tests for programs act: finer times tell programs apart that no clock does.
const GRID_FOR_PROGRAMS: u32 = 4;

/// `tamper testgen`.
///
/// Makes timed tests that kill the mutants of a game, and says of each mutant how surely it can be killed: definitely
/// (every run of it fails the test), potentially (some run does), or not at all. With --kill blind also: blindly (every run fails,
/// and the inputs and their times do not depend on what is seen). The reading is Definition 7 without
/// pruning; an internal step counts as an output `tau`, and a refused input is a fail. The suite's format is in
/// docs/suite.schema.json. Of a state machine (.fsm, .kiss, .dot) tests are lines of inputs, as `tamper coverage` reads them: a
/// shortest one for each mutant of one fault, or by --strategy for all faults.
#[derive(Args, Clone, Debug)]
#[command(after_help = "\
Examples:
  tamper testgen model.xml --out suite.json                       a test for each mutant of order 1
  tamper testgen model.xml --kill definite --out suite.json       only tests that always fail on their mutant
  tamper testgen model.xml --kill blind --out suite.json          only words of inputs and delays that always fail it
  tamper testgen model.xml --for programs --out suite.json        for a program: few tests, which rest on no refusal
  tamper testgen model.xml --strategy minimal --out suite.json    the fewest of these tests that kill as many
  tamper testgen model.xml --kill potential --strategy fewest --out suite.json
                                                                  long tests, as few as can be
  tamper testgen model.xml --criterion edges --out suite.json     through every edge, without mutants
  tamper testgen model.xml --mutants tamper.out --out suite.json  for the non-subsumed mutants of a finished run
  tamper testgen machine.fsm --strategy w-method --out suite.txt  for a state machine, whatever is wrong with it
  tamper score suite.json model.xml                               what a suite is worth")]
pub struct TestgenArgs {
    /// The model
    pub file: PathBuf,
    #[command(flatten)]
    pub mutants: MutantsArgs,
    /// Which tests are wanted: that can fail, that always fail, that do so by inputs and times fixed before the test, or that
    /// always fail, if one does
    #[arg(
        long,
        value_enum,
        value_name = "HOW",
        default_value_if("cover", ArgPredicate::IsPresent, "potential"),
        default_value = "both"
    )]
    pub kill: WantedArg,
    #[command(flatten)]
    pub timed: TestgenTimedArgs,
    #[command(flatten)]
    pub machine: TestgenMachineArgs,
    #[command(flatten)]
    pub graph: GraphArgs,
    /// How tests are chosen
    #[arg(
        long,
        value_enum,
        value_name = "STRATEGY",
        default_value_if("purpose", "programs", "minimal"),
        default_value = "per-mutant"
    )]
    pub strategy: StrategyArg,
    #[command(flatten)]
    pub accepted: AcceptedArgs,
    #[command(flatten)]
    pub changed: ChangedArgs,
    /// The file for the suite
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
}

/// Options of `tamper testgen` for timed games.
#[derive(Args, Clone, Debug)]
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
    /// Which of the suitable delays [with --for programs: middle]
    #[arg(
        long,
        value_enum,
        default_value_if("purpose", "programs", "middle"),
        default_value = "earliest",
        value_name = "WHICH"
    )]
    pub delays: PickArg,
    /// What a refused input means to the tests: programs often ignore inputs that they do not take [default: error; with --for programs
    /// never; with --extend what the suite says]
    #[arg(long, value_enum, value_name = "MEANING")]
    pub refusals: Option<RefusalsArg>,
    /// Whether tests go on after their last step, and judge what comes: until the model forces nothing more, and nothing has come for N
    /// time units; `on`: one more than its largest constant [default: on with --refusals never, else off]
    #[arg(long, value_name = "off|on|N", value_parser = parse_linger)]
    pub linger: Option<Linger>,
    /// With --strategy fewest: how often a test goes for all mutants; after the first time it rests, and goes for each as if it had been
    /// right so far
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100), default_value = "1")]
    pub rounds: u32,
    /// With tests of fixed times (--style adaptive, or the long ones of --for programs): these are multiples of that part of a time unit,
    /// wherever one does; say what your program's clock can tell [default: any; with --for programs 1/4]
    #[arg(long, value_name = "1/N", value_parser = parse_grid)]
    pub grid: Option<u32>,
    /// Which mutants are left out before tests are looked for. The tests are the same at every level; what differs is the time
    #[arg(long, value_enum, default_value_t, value_name = "LEVEL", conflicts_with_all = ["run", "cover"])]
    pub prune: PruneArg,
    /// Keep the tests of this suite, and make tests for those mutants only that none of them kills as is wished
    #[arg(long, value_name = "SUITE")]
    pub extend: Option<PathBuf>,
    /// Not for mutants: tests that go through each item of this structural criterion that a run can go through; the others are
    /// named. A test covers what some play of it goes through and looks beyond; --strategy, --style and --extend are as for mutants
    #[arg(long = "criterion", alias = "cover", value_name = "locations|edges|edge-pairs|all-uses|mcdc", value_parser = parse_criterion, conflicts_with_all = of_mutants())]
    pub cover: Option<Criterion>,
    /// With --strategy chain: chains end at these places only; may be repeated. A place is an edge (as ids of mutants name it), a
    /// location (what leaves it) or an action (`tea!`) [default: all outputs, and inputs that the mutant refuses]
    #[arg(long, value_name = "PLACE")]
    pub observe_at: Vec<String>,
    /// What the tests are for: sets what the preset says and was not typed
    #[arg(long = "for", value_enum, default_value_t, value_name = "WHAT")]
    pub purpose: Purpose,
}

/// The options about mutants.
fn of_mutants() -> Vec<Id> {
    let mut ids = ids_of::<SpaceArgs>();
    ids.retain(|id| id != "template");
    ids.extend(ids_of::<MutateArgs>());
    ids.extend(["kill", "run", "refusals", "purpose", "accepted", "changed_since"].map(Id::from));
    ids
}

/// Makes a suite.
pub fn testgen(args: &TestgenArgs, global: &GlobalArgs, terminal: &Terminal) -> Result<ExitCode> {
    args.check()?;
    let MutantsArgs { network, limits, .. } = &args.mutants;
    with_observations(&args.file, network, limits, terminal, &|network| {
        let mut args = args.clone();
        args.mutants.network = network;
        made(&args, global, terminal)
    })
}

/// The same with these observations.
fn made(args: &TestgenArgs, global: &GlobalArgs, terminal: &Terminal) -> Result<ExitCode> {
    let existing = args.timed.extend.as_deref().map(load_suite).transpose()?;
    let refusals = args.timed.refusals(existing.as_ref())?;
    let mut bench = Bench::new(&args.file, existing.as_ref(), args.typed(), global, terminal)?.meeting(refusals);
    let accepted = match args.timed.cover {
        Some(_) => 0,
        None => bench.leave_accepted_out(&args.accepted, &args.file, terminal)?,
    };
    bench.tester = args.tester(bench.tester)?;
    let prepared = Specification::prepare(bench.tester.automaton(), Semantics::STRICT, &bench.timer.budget());
    if let Err(error @ GameError::SpecInconsistent { location: Some(_), .. }) = prepared {
        terminal.note(&format!("{error}: tests read it without pruning"));
    }
    let options = args.options(bench.tester.automaton(), refusals, &bench.plan.mutation)?;
    let extended = existing.as_ref().zip(args.timed.extend.as_deref());
    let mut generated = generated(&bench, extended, &options, terminal)?;
    generated.mutants = bench.pruned.left_out.with_kept(generated.mutants);
    if args.timed.cover.is_some() {
        covered::explain(&mut generated, &bench.candidates, &bench.timer);
    }
    let not_targets = NotTargets {
        accepted,
        not_asked: bench.not_asked,
    };
    let suite = Suite {
        specification: bench.specification.clone(),
        refusals,
        pruning: bench.pruned.level,
        tests: generated.tests.clone(),
        mutants: generated.mutants.clone(),
    };
    write_file(&args.out, write_suite(&suite))?;
    let mut told = Told::of(args, &generated, (&bench.pruned, not_targets));
    if args.timed.cover.is_none() {
        last_words(Some(terminal.worded(|| told.json(), || told.text())?));
        told.account = bench.account(generated.killabilities(), (refusals, options.wanted), terminal);
        last_words(None);
    }
    let (json, text) = match args.timed.cover {
        Some(criterion) => covered::told(criterion, &generated, &args.out),
        None => (told.json(), told.text()),
    };
    let unknown = told.count("unknown") as u64 + bench.undecided;
    terminal.answer(|| json, || text)?;
    if args.timed.cover.is_none() {
        bench.note_scripts(&suite.tests, &options, terminal)?;
    }
    if args.is_plain() {
        terminal.note("tests for a program, rather than a model: --for programs");
    }
    Ok(ExitCode::known_if(unknown == 0))
}

/// The tests of a suite, which go beyond those of an existing one.
fn generated(
    bench: &Bench,
    existing: Option<(&Suite, &Path)>,
    options: &SuiteOptions,
    terminal: &Terminal,
) -> Result<Generated> {
    let bar = terminal.progress(bench.candidates.len() as u64);
    let progress = |done| bar.set_position(done);
    // The rest is for what `classify` says of the mutants.
    let timer = &bench.timer.part(7);
    let generated = match existing {
        Some((suite, path)) => {
            bench.fits(path, suite, terminal)?;
            let existing = Existing {
                tester: &bench.tester,
                tests: &suite.tests,
            };
            extended(existing, &bench.candidates, options, timer, &progress)?
        }
        None => generate(&bench.tester, &bench.candidates, options, timer, &progress)?,
    };
    bar.finish_and_clear();
    Ok(generated)
}

/// The answer about a generated suite.
struct Told<'g> {
    args: &'g TestgenArgs,
    generated: &'g Generated,
    /// The number of mutants of each fate.
    counts: BTreeMap<&'g str, usize>,
    steps: usize,
    killed: usize,
    pruned: &'g PrunedAt,
    not_targets: NotTargets,
    account: Option<Account>,
}

impl<'g> Told<'g> {
    fn of(args: &'g TestgenArgs, generated: &'g Generated, (pruned, not_targets): (&'g PrunedAt, NotTargets)) -> Self {
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
            pruned,
            not_targets,
            account: None,
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
        if let PrunedAt { level, left_out, games } = self.pruned
            && *level != Pruning::None
        {
            let (n_left_out, stayed) = (left_out.len(), left_out.choosing);
            value["pruning"] =
                json!({ "level": level.name(), "left_out": n_left_out, "stayed": stayed, "games": games });
        }
        self.not_targets.add_to(&mut value);
        if let Some(account) = &self.account {
            value["account"] = account_json(account);
        }
        if self.args.kill == WantedArg::Blind {
            value["blind"] = json!(self.count("blind"));
            value["blind_unknown"] = json!(generated.open_blind());
        }
        if self.args.timed.grid.is_some() {
            value["off_grid"] = json!(self.off_grid());
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
            "{} of {} in all{}, in {}\n{}: {}, {} cannot be killed, {} unknown{no_meaning}{}",
            counted(self.generated.tests.len(), "test"),
            counted(self.steps, "step"),
            self.fewest(),
            self.args.out.display(),
            counted(self.generated.mutants.len(), "mutant"),
            self.killable(),
            self.count("none"),
            self.count("unknown"),
            self.notes()
        )
    }

    /// A remark on the proved bound on the number of tests.
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

    /// The number of mutants that can be killed, by how surely they can.
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

    /// The tests with times that are not on the grid.
    fn off_grid(&self) -> Vec<&str> {
        let Some(grid) = self.args.timed.grid else {
            return Vec::new();
        };
        let grid = BigInt::from(grid);
        let off = |test: &&TestCase| !grid.is_multiple_of(&test.scale());
        let tests = self.generated.tests.iter().filter(off);
        tests.map(|test| test.id.as_str()).collect()
    }

    fn notes(&self) -> String {
        let mut notes = String::new();
        if let Some(account) = self.account.as_ref().filter(|account| !account.agrees()) {
            let _ = write!(notes, "\n{account}");
        }
        notes.push_str(&self.not_targets.text());
        if self.pruned.level != Pruning::None {
            let (left_out, stayed) = (self.pruned.left_out.len(), self.pruned.left_out.choosing);
            let _ = write!(
                notes,
                "\n{left_out} of these were left out before tests were looked for"
            );
            if stayed > 0 {
                let _ = write!(
                    notes,
                    "; {stayed} that are useless to refinement stayed: they may answer an input in two ways"
                );
            }
        }
        let off_grid = self.off_grid();
        if let (Some(grid), false) = (self.args.timed.grid, off_grid.is_empty()) {
            let _ = write!(
                notes,
                "\nnot all times of {} are multiples of 1/{grid}: no such time does",
                off_grid.join(", ")
            );
        }
        if let Some(only_weakly) = self.generated.only_weakly {
            let killed = self.killed;
            let _ = write!(
                notes,
                "\n{killed} are killed (strongly: it is seen), {only_weakly} others only weakly: their state differs, which nothing shows"
            );
        }
        if self.account.is_none() && self.generated.subsumed > 0 {
            let subsumed = self.generated.subsumed;
            let _ = write!(
                notes,
                "\n{subsumed} of those that can be killed are subsumed all the same: they may answer an input rightly or wrongly"
            );
        }
        notes
    }
}

impl TestgenTimedArgs {
    /// The time that tests of `game` linger, in time units; `None` if they do not.
    fn linger(&self, game: &Automaton, refusals: Refusals) -> Result<Option<u32>> {
        let longest = || {
            let longest = largest_constant(game).saturating_add(1);
            u32::try_from(longest)
                .context("the model's constants are too large for tests that go on: give --linger off, or a number")
        };
        Ok(match (self.linger, refusals) {
            (Some(Linger::Off), _) | (None, Refusals::Error) => None,
            (Some(Linger::On), _) | (None, Refusals::Never) => Some(longest()?),
            (Some(Linger::Quiet(quiet)), _) => Some(quiet),
        })
    }

    /// The meaning of a refused input; an existing suite determines it.
    fn refusals(&self, existing: Option<&Suite>) -> Result<Refusals> {
        let typed = self.refusals.map(|typed| match typed {
            RefusalsArg::Error => Refusals::Error,
            RefusalsArg::Never => Refusals::Never,
        });
        let usual = match self.purpose {
            Purpose::Models => Refusals::Error,
            Purpose::Programs => Refusals::Never,
        };
        match existing.map(|suite| suite.refusals) {
            Some(said) if typed.is_some_and(|typed| typed != said) => bail!(
                "a refused input means one thing to all tests of a suite, and --extend names one with refusals `{}`: leave --refusals out",
                said.name()
            ),
            Some(said) => Ok(said),
            None => Ok(typed.unwrap_or(usual)),
        }
    }
}

impl TestgenArgs {
    fn typed(&self) -> TypedMutants<'_> {
        TypedMutants {
            args: &self.mutants,
            shard: None,
            all_operators: self.timed.purpose == Purpose::Programs,
            pruning: self.timed.prune.resolve(),
            cover: self.timed.cover,
            changed: Some(&self.changed),
        }
    }

    /// The suite options that the typed `options` stand for, for tests of `game` with mutants made under `mutation`.
    #[cfg(feature = "workbench")]
    pub fn options_of(options: &[&str], game: &Automaton, mutation: &MutationOptions) -> Result<SuiteOptions> {
        let command = Self::augment_args(clap::Command::new("testgen"));
        let words = ["testgen", "-", "--out", "-"].iter().chain(options);
        let args = Self::from_arg_matches(&command.try_get_matches_from(words)?)?;
        args.check()?;
        args.options(game, args.timed.refusals(None)?, mutation)
    }

    /// The tester under the typed options.
    fn tester(&self, tester: Tester) -> Result<Tester> {
        let preset = self.is_for_programs().then_some(GRID_FOR_PROGRAMS);
        let tester = match self.timed.grid.or(preset) {
            Some(grid) => tester.on_grid(grid),
            None => tester,
        };
        let tester = tester.depth_first(self.strategy == StrategyArg::ChainDepthFirst);
        let observed = tester.observing(&self.timed.observe_at);
        observed.map_err(|name| {
            anyhow!(
                "--observe-at {name}: the model has no such edge (`source->target#0`), location or action (`name!`)"
            )
        })
    }

    /// Whether mutants with memory get long tests: the strategy and the kills are those of the preset for programs.
    fn is_for_programs(&self) -> bool {
        let is_preset = self.strategy == StrategyArg::Minimal && self.kill == WantedArg::Both;
        is_preset && self.timed.purpose == Purpose::Programs && self.timed.extend.is_none()
    }

    /// Whether nothing says what the tests are for.
    fn is_plain(&self) -> bool {
        let timed = &self.timed;
        let is_default = timed.purpose == Purpose::Models && self.strategy == StrategyArg::PerMutant;
        is_default && self.kill == WantedArg::Both && timed.cover.is_none() && timed.refusals.is_none()
    }

    /// Refuses options that are only allowed together with others.
    fn check(&self) -> Result<()> {
        self.strategy.timed()?;
        let is_of_one_trace = (self.kill, self.timed.style) == (WantedArg::Potential, StyleArg::Adaptive);
        if self.strategy == StrategyArg::Fewest && !is_of_one_trace {
            bail!(
                "--strategy fewest makes tests of one trace each, which can fail: give --kill potential, and no other --style than adaptive"
            );
        }
        if self.timed.rounds > 1 && self.strategy != StrategyArg::Fewest {
            bail!("--rounds is for long tests: give --strategy fewest");
        }
        let is_chain = self.strategy.timed()? == Strategy::Chain;
        if is_chain && (self.timed.cover.is_some() || self.kill == WantedArg::Blind) {
            bail!(
                "--strategy chain makes tests for mutants, which can fail or always fail: leave out --criterion and --kill blind"
            );
        }
        if !is_chain && !self.timed.observe_at.is_empty() {
            bail!("--observe-at is about chains: give --strategy chain");
        }
        match self.timed.grid {
            Some(grid) if self.is_for_programs() && grid % 2 == 1 => {
                bail!(
                    "--grid 1/{grid}: with --for programs the parts are even in number, as its short tests act at halves: give 1/{}",
                    2 * grid
                )
            }
            Some(_) if !is_of_one_trace && !self.is_for_programs() => {
                bail!(
                    "--grid is for tests of fixed times: give --for programs, --kill potential --style adaptive, or --strategy fewest"
                )
            }
            _ => {}
        }
        Ok(())
    }

    fn options(&self, game: &Automaton, refusals: Refusals, mutation: &MutationOptions) -> Result<SuiteOptions> {
        Ok(SuiteOptions {
            wanted: match self.kill {
                WantedArg::Potential => KillGoal::Potential,
                WantedArg::Definite => KillGoal::Definite,
                WantedArg::Both => KillGoal::Both,
                WantedArg::Blind => KillGoal::Blind,
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
            strategy: match self.is_for_programs() {
                true => Strategy::ForPrograms,
                false => self.strategy.timed()?,
            },
            rounds: self.timed.rounds,
            refusals,
            linger: self.timed.linger(game, refusals)?,
            mutation: mutation.clone(),
            max_nodes: MOST_NODES,
        })
    }
}

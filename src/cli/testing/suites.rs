//! Common parts of `testgen`, `score` and `minimise`.

use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context as _, Result, anyhow, bail};
use clap::{Args, Id, ValueEnum};
use serde_json::{Value, json};

use crate::cli::accepting::args::{AcceptedArgs, ChangedArgs};
use crate::cli::accepting::timed_mutants::{OlderRequest, TimedMutants};
use crate::cli::arguments::args::{GlobalArgs, LimitArgs, SemanticsArgs, SpaceArgs, TotalArgs, ids_of};
use crate::cli::arguments::network_args::{MutateArgs, NetworkArgs, OfRun};
use crate::cli::arguments::unspecified::MachineArgs;
use crate::cli::door::open_timed_suite;
use crate::cli::exit::FEWER;
use crate::cli::interrupt;
use crate::cli::models::mutated::BoxedModel;
use crate::cli::models::read_mutated::{MutatedRequest, mutated_of_run, read_mutated};
use crate::cli::terminal::Terminal;
use crate::cli::testing::prune::{Prunable, PrunedAt};
use tamper::experiment::killing::{
    Candidate, KillGoal, RunCandidates, Scored, Stale, Strategy, SuiteOptions, candidates, candidates_of_run, ignoring,
    items_to_cover, kills_under_script, stale,
};
#[cfg(feature = "drawing")]
use tamper::experiment::killing::{Score, score};
use tamper::experiment::{Manifest, ModelRef, Plan, Shard, StaticUse, Timer};
use tamper::formats::read_text;
use tamper::formats::suite_json::{Pruning, Suite, SuiteSpecification, read_suite};
use tamper::mutation::MutationOptions;
use tamper::report::log_line;
#[cfg(feature = "drawing")]
use tamper::report::{RunPage, SuitePage};
use tamper::suite::{Criterion, Pick, Refusals, Style, TestCase, Tester};

/// Which kills count.
#[derive(Clone, Copy, PartialEq, Eq, Default, ValueEnum, Debug)]
pub enum KillArg {
    /// The test can fail on the mutant
    #[default]
    Potential,
    /// It always does
    Definite,
    /// It always does, and its inputs do not depend on what is seen
    Blind,
}

/// A game, its mutants, and who tests them.
#[derive(Args, Clone, Debug)]
pub struct MutantsArgs {
    #[command(flatten)]
    pub from: FromRunArgs,
    #[command(flatten)]
    pub space: SpaceArgs,
    #[command(flatten)]
    pub mutated: MutateArgs,
    #[command(flatten)]
    pub network: NetworkArgs,
    #[command(flatten)]
    pub limits: LimitArgs,
    #[command(flatten)]
    pub total: TotalArgs,
    #[command(flatten)]
    pub read: MachineArgs,
}

/// The mutants that the typed options ask for, or a share of them.
#[derive(Clone, Copy)]
pub struct TypedMutants<'a> {
    /// The typed options.
    pub args: &'a MutantsArgs,
    /// The share.
    pub shard: Option<Shard>,
    /// Whether all operators apply if none were typed.
    pub all_operators: bool,
    /// The level of pruning: the mutants that are left out before tests are looked for.
    pub pruning: Pruning,
    /// The criterion whose items take the place of mutants.
    pub cover: Option<Criterion>,
    /// The older model whose mutants are left out.
    pub changed: Option<&'a ChangedArgs>,
}

/// The run that mutants are from.
#[derive(Args, Clone, Debug)]
pub struct FromRunArgs {
    /// Take the mutants from this folder of a finished `tamper classify`: those it found non-subsumed, one of each class where
    /// it looked for duplicates; operators, order and sample are the run's
    #[arg(long = "mutants", value_name = "RUN_DIR", conflicts_with_all = chosen_by_runs())]
    pub run: Option<PathBuf>,
}

/// The options that a finished run has fixed.
fn chosen_by_runs() -> Vec<Id> {
    let mut ids = ids_of::<SpaceArgs>();
    ids.extend(ids_of::<MutateArgs>());
    ids
}

/// A suite that there is, and what it is judged by.
#[derive(Args, Debug)]
pub struct JudgedArgs {
    /// A suite of timed tests (JSON)
    pub suite: PathBuf,
    /// The model whose mutants are to be killed
    pub file: PathBuf,
    /// Of untimed systems: unite the suite with this one, made for this model or for one with the same inputs and outputs;
    /// may be repeated
    #[arg(long = "extend", alias = "also", value_name = "SUITE")]
    pub also: Vec<PathBuf>,
    #[command(flatten)]
    pub mutants: MutantsArgs,
    /// When a test kills a mutant [default: potential; of `minimise`: definite where a test of the suite always fails, else
    /// potential]
    #[arg(long, value_enum, value_name = "HOW")]
    pub kill: Option<KillArg>,
}

impl JudgedArgs {
    /// Reads the suite, its judge and the kind of kill that counts, which is the suite's `unless` the arguments give one.
    pub fn read(
        &self,
        unless: KillGoal,
        global: &GlobalArgs,
        terminal: &Terminal,
    ) -> Result<(Suite, Bench, SuiteOptions)> {
        self.read_share(unless, None, None, global, terminal)
    }

    /// The same for the mutants of `shard` only, at places that `changed`.
    pub fn read_share(
        &self,
        unless: KillGoal,
        shard: Option<Shard>,
        changed: Option<&ChangedArgs>,
        global: &GlobalArgs,
        terminal: &Terminal,
    ) -> Result<(Suite, Bench, SuiteOptions)> {
        if !self.also.is_empty() {
            bail!(
                "--extend unites suites of untimed systems; {} is none",
                self.file.display()
            );
        }
        let suite = load_suite(&self.suite)?;
        let typed = TypedMutants {
            args: &self.mutants,
            shard,
            all_operators: false,
            pruning: Pruning::None,
            cover: None,
            changed,
        };
        let bench = Bench::new(&self.file, Some(&suite), typed, global, terminal)?;
        let bench = bench.meeting(suite.refusals);
        bench.fits(&self.suite, &suite, terminal)?;
        let wanted = match self.kill {
            None => unless,
            Some(KillArg::Potential) => KillGoal::Potential,
            Some(KillArg::Definite) => KillGoal::Definite,
            Some(KillArg::Blind) => KillGoal::Blind,
        };
        let options = judging(wanted, suite.refusals, &bench.plan.mutation);
        Ok((suite, bench, options))
    }
}

/// A model, its mutants and its tester, ready for tests.
pub struct Bench {
    /// The model.
    pub mutated: BoxedModel,
    /// The reference to the game in a suite.
    pub specification: SuiteSpecification,
    /// The tester that makes tests.
    pub tester: Tester,
    /// The mutants.
    pub candidates: Vec<Candidate>,
    /// A description of how the mutants were made, or of the run that they are from.
    made: Value,
    /// The number of mutants, including other shares.
    total: u64,
    /// How the mutants were made, and how `classify` judges them.
    pub plan: Plan,
    /// Whether the mutants are the non-subsumed ones of a run.
    pub is_of_run: bool,
    /// The number of mutants that an older model has, too, if they are left out.
    pub not_asked: Option<u64>,
    /// The number of mutants of a run without a verdict: they are left out.
    pub undecided: u64,
    /// The mutants that are left out before tests are looked for.
    pub pruned: PrunedAt,
    /// Limits of each question.
    pub timer: Timer,
    /// The time at which the first mutant was begun.
    pub began: Instant,
}

impl Bench {
    /// The mutants of the game in `file`. If the file runs several games and none is named, `suite` names the game.
    pub fn new(
        file: &Path,
        suite: Option<&Suite>,
        typed: TypedMutants<'_>,
        global: &GlobalArgs,
        terminal: &Terminal,
    ) -> Result<Self> {
        let TypedMutants { args, shard, .. } = typed;
        let timer = args.total.timer(args.limits.resolve());
        if let Some(folder) = &args.from.run {
            let asked = OfRun {
                file: Some(file),
                network: &args.network,
                limits: &args.limits,
            };
            let (mutated, plan) = mutated_of_run(folder, asked, global, terminal)?;
            return Self::of_run(mutated, &plan, folder, shard, timer, terminal);
        }
        let asked = MutatedRequest {
            file,
            template: args.space.of.template.as_deref(),
            mutate: &args.mutated,
            network: &args.network,
            limits: &args.limits,
        };
        let of_suite = suite.map(|suite| &suite.specification);
        let mutated = read_mutated(asked, of_suite, global, terminal)?;
        let older = OlderRequest {
            asked,
            of_suite,
            global,
        };
        Self::typed(mutated, typed, older, timer, terminal)
    }

    /// Leaves accepted mutants out. Returns their number.
    pub fn leave_accepted_out(&mut self, args: &AcceptedArgs, file: &Path, terminal: &Terminal) -> Result<usize> {
        let found = self.by_content().accepted(args, file, terminal)?;
        let n_before = self.candidates.len();
        self.candidates
            .retain(|candidate| !found.reasons.contains_key(&candidate.id));
        Ok(n_before - self.candidates.len())
    }

    /// Its mutants by what they change.
    pub fn by_content(&self) -> TimedMutants<'_> {
        TimedMutants {
            model: &*self.mutated,
            options: &self.plan.mutation,
            order: self.plan.order,
        }
    }

    /// The same, with refused inputs of the mutants treated as `refusals` says.
    #[must_use]
    pub fn meeting(self, refusals: Refusals) -> Self {
        Self {
            candidates: ignoring(self.candidates, refusals, &self.timer),
            ..self
        }
    }

    /// The subject of a share of a score: the game, and `suite` in the file `path`.
    pub fn scored(&self, suite: &Suite, wanted: KillGoal, path: &Path) -> Result<Scored> {
        let text = read_text(path, "name the suite that is scored")?;
        let SuiteSpecification {
            file, template, hash, ..
        } = self.specification.clone();
        Ok(Scored {
            model: ModelRef { file, template, hash },
            suite: path.display().to_string(),
            suite_hash: blake3::hash(text.as_bytes()).to_hex().to_string(),
            tests: suite.tests.iter().map(|test| test.id.clone()).collect(),
            kill: wanted.name().to_owned(),
            mutants: self.made.clone(),
            candidates: self.total,
            undecided: self.undecided,
            limits: self.timer.limits(),
        })
    }

    /// Refuses the suite in the file `path` unless it is a suite for this game.
    pub fn fits(&self, path: &Path, suite: &Suite, terminal: &Terminal) -> Result<()> {
        note_other_model(suite, self, terminal);
        let specification = format!("`{}` of {}", self.specification.template, self.specification.file);
        refuse_stale(path, &suite.tests, &specification, &self.tester, &self.timer)
    }

    /// The suite in `path`, scored against these mutants, which are the mutants of `page`. A test kills a mutant that can fail it.
    #[cfg(feature = "drawing")]
    pub fn page(&self, path: &Path, page: &RunPage, terminal: &Terminal) -> Result<SuitePage> {
        let (suite, score) = self.score(path, terminal)?;
        let rows = self.candidates.iter().map(|candidate| page.row(&candidate.id));
        let rows: Vec<Option<u64>> = rows.collect();
        let name = path.display().to_string();
        Ok(SuitePage::new(&name, &suite.tests, &score, &rows))
    }

    /// The suite in `path`, and its kills among these mutants: a test kills a mutant that can fail it.
    #[cfg(feature = "drawing")]
    pub fn score(&self, path: &Path, terminal: &Terminal) -> Result<(Suite, Score)> {
        let suite = load_suite(path)?;
        self.fits(path, &suite, terminal)?;
        let options = judging(KillGoal::Potential, suite.refusals, &self.plan.mutation);
        let candidates = ignoring(self.candidates.clone(), suite.refusals, &self.timer);
        let mut score = score(&self.tester, &candidates, &suite.tests, &options, &self.timer)?;
        let fates = score.mutants.iter().zip(&score.fates);
        let killabilities = fates.map(|(id, fate)| (id.clone(), fate.killability()));
        score.account = self.account(killabilities, (suite.refusals, options.wanted), terminal);
        Ok((suite, score))
    }

    /// Says how many mutants the tests kill under a script of guards only, if the game has guards that tests set.
    pub fn note_scripts(&self, tests: &[TestCase], options: &SuiteOptions, terminal: &Terminal) -> Result<()> {
        if self.tester.automaton().scripted().is_empty() {
            return Ok(());
        }
        let [killed, under_script] = kills_under_script(&self.tester, &self.candidates, tests, options, &self.timer)?;
        terminal.note(&format!(
            "{under_script} of the {killed} mutants that these tests kill are killed under a script of guards only: whether data gives \
             these values is not known (`tamper score --format json` names them)"
        ));
        Ok(())
    }

    /// The mutants under the typed options.
    fn typed(
        mutated: BoxedModel,
        typed: TypedMutants<'_>,
        older: OlderRequest<'_>,
        timer: Timer,
        terminal: &Terminal,
    ) -> Result<Self> {
        interrupt::advise(FEWER);
        let TypedMutants {
            args,
            shard,
            all_operators,
            pruning,
            cover,
            changed,
        } = typed;
        let began = Instant::now();
        let tester = mutated.tester(&timer)?;
        let mut plan = mutated.plan(&args.space, &SemanticsArgs::default(), &LimitArgs::default());
        if all_operators {
            plan.mutation = mutated.options_or_all(&args.space.mutation);
        }
        let set = mutated.mutants(&plan)?;
        let drawn = set.selection(plan.sample, plan.seed.unwrap_or_default())?;
        let n_drawn = drawn.len();
        let mutants = TimedMutants {
            model: &*mutated,
            options: &plan.mutation,
            order: plan.order,
        };
        if let Some(changed) = changed {
            plan.only = mutants.changed(changed, older, terminal)?;
        }
        let selection = plan.asked(drawn);
        let prunable = Prunable {
            mutated: &*mutated,
            plan: &plan,
            set: &*set,
            selection: &selection,
            tester: &tester,
        };
        let pruned = prunable.prune(pruning, &timer, terminal)?;
        let keeps = |at| shard.is_none_or(|shard| shard.has(at)) && !pruned.left_out.has(at);
        let found = match cover {
            Some(criterion) => items_to_cover(tester.automaton(), criterion, &timer),
            None => candidates(&*set, &selection, &keeps, &tester, &timer)?,
        };
        let manifest = mutated.manifest(&plan, set.n_mutants(), selection.len());
        drop(set);
        Ok(Self {
            specification: mutated.specification(),
            candidates: found,
            made: serde_json::to_value(manifest)?,
            total: selection.len(),
            not_asked: plan.only.as_ref().map(|_| n_drawn - selection.len()),
            plan,
            is_of_run: false,
            undecided: 0,
            pruned,
            tester,
            timer,
            began,
            mutated,
        })
    }

    /// The non-subsumed mutants of the run in a folder, or of a share of them.
    pub fn of_run(
        mutated: BoxedModel,
        plan: &Plan,
        folder: &Path,
        shard: Option<Shard>,
        timer: Timer,
        terminal: &Terminal,
    ) -> Result<Self> {
        if plan.statics == StaticUse::Only {
            bail!(
                "the run in {} has no verdicts: it was made with --static only",
                folder.display()
            );
        }
        let began = Instant::now();
        let tester = mutated.tester(&timer)?;
        let set = mutated.mutants(plan)?;
        let selection = plan.asked(set.selection(plan.sample, plan.seed.unwrap_or_default())?);
        let found = candidates_of_run(&*set, &selection, folder, shard, &tester, &timer)?;
        drop(set);
        note_run(&found, selection.len(), terminal);
        Ok(Self {
            specification: mutated.specification(),
            made: json!({ "run": Manifest::read(folder)?, "ids": found.hash }),
            total: found.total,
            candidates: found.candidates,
            plan: plan.clone(),
            is_of_run: true,
            not_asked: None,
            undecided: found.undecided,
            pruned: PrunedAt::default(),
            tester,
            timer,
            began,
            mutated,
        })
    }
}

/// Prints a note on the mutants of a run that are tested.
fn note_run(found: &RunCandidates, selected: u64, terminal: &Terminal) {
    let RunCandidates {
        candidates,
        represented,
        undecided,
        ..
    } = found;
    let mut text = format!("of {selected} mutants of the run {} are tested", candidates.len());
    if *represented > 0 {
        text.push_str(&format!(
            "; {represented} more are non-subsumed and represented by these"
        ));
    }
    terminal.note(&text);
    if *undecided > 0 {
        terminal.note(&format!(
            "note: {undecided} mutants of the run have no verdict: they are left out"
        ));
    }
}

/// A options for tests that are only judged, not made.
pub fn judging(wanted: KillGoal, refusals: Refusals, mutation: &MutationOptions) -> SuiteOptions {
    SuiteOptions {
        wanted,
        style: Style::Adaptive,
        pick: Pick::Earliest,
        strategy: Strategy::PerMutant,
        rounds: 1,
        refusals,
        linger: None,
        mutation: mutation.clone(),
        max_nodes: 0,
    }
}

/// Reads the suite in `path`.
pub fn load_suite(path: &Path) -> Result<Suite> {
    let name = path.display();
    let text = read_text(
        &open_timed_suite(path)?,
        "name a suite of timed tests (JSON), such as `tamper testgen` writes",
    )?;
    read_suite(&text).with_context(|| name.to_string())
}

/// Refuses a suite with a test that the specification fails: it was made for another one, and its verdicts on mutants mean nothing.
fn refuse_stale(path: &Path, tests: &[TestCase], specification: &str, tester: &Tester, timer: &Timer) -> Result<()> {
    let name = path.display();
    let found = stale(tests, tester, timer);
    let found = found.with_context(|| format!("{name}: whether the specification fails its tests is not known"))?;
    found.map_or(Ok(()), |stale| Err(stale_suite(path, specification, &stale)))
}

/// The error that refuses a suite with a test that its specification fails.
pub fn stale_suite(path: &Path, specification: &str, Stale { test, always, log }: &Stale) -> anyhow::Error {
    let name = path.display();
    let how = match always {
        true => "every run of it fails the test",
        false => "some run of it fails the test",
    };
    let such_as = match log.is_empty() {
        true => String::new(),
        false => format!(", such as {}", log_line(log)),
    };
    anyhow!(
        "{name}: test {test} fails on the specification itself: {how}{such_as}. The suite is not one of {specification}: \
         if that was changed since, make the suite anew with `tamper testgen`"
    )
}

/// Prints a note if a suite was made for another model than its judge, or for another view of it.
fn note_other_model(suite: &Suite, bench: &Bench, terminal: &Terminal) {
    let scopes = (&suite.specification.network, &bench.specification.network);
    if let (Some(of_suite), Some(here)) = scopes
        && let Some(option) = of_suite.other_option(here)
    {
        terminal.note(&format!("note: the suite was made with another {option}"));
    } else if suite.specification.hash != bench.specification.hash {
        terminal.note(&format!(
            "note: the suite was made for {} as it was then (hash {:.12}); {} is not that file",
            suite.specification.file, suite.specification.hash, bench.specification.file
        ));
    }
}

//! What `testgen`, `score` and `minimise` have in common.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, anyhow, bail};
use clap::{Args, Id, ValueEnum};
use serde_json::{Value, json};

use super::args::{GlobalArgs, LimitArgs, SemanticsArgs, SpaceArgs, SystemArgs, TotalArgs, ids_of};
use super::door::open_timed_suite;
use super::exit::LimitHit;
use super::interrupt;
use super::load::Loaded;
use super::network_args::{MutateArgs, MutatedNetwork, NetworkArgs};
use super::prepare::{finished, plan};
use super::terminal::Terminal;
#[cfg(feature = "drawing")]
use tamper::experiment::killing::score;
use tamper::experiment::killing::{
    Candidate, RunCandidates, Scored, Stale, Strategy, Wanted, Wish, candidates, candidates_of_run, kill_name, stale,
};
use tamper::experiment::{Manifest, ModelRef, Plan, Selection, Shard, StaticUse, Timer};
use tamper::formats::read_text;
use tamper::formats::suite_json::{Suite, SuiteSpecification, read_suite};
use tamper::game::Semantics;
use tamper::model::Automaton;
use tamper::mutation::{MutantSpace, MutationOptions, Order};
use tamper::report::log_line;
#[cfg(feature = "drawing")]
use tamper::report::{RunPage, SuitePage};
use tamper::suite::{Pick, Style, SuiteFailure, TestCase, Tester};

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
#[derive(Args, Debug)]
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
    pub systems: SystemArgs,
}

/// The run that mutants are from.
#[derive(Args, Debug)]
pub struct FromRunArgs {
    /// Take the mutants from this folder of a finished `tamper classify`: those it found non-subsumed, one of each class where
    /// it looked for duplicates; operators, order and sample are the run's
    #[arg(long = "mutants", value_name = "RUN_DIR", conflicts_with_all = chosen_by_runs())]
    pub run: Option<PathBuf>,
}

/// What a finished run has fixed.
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
    #[command(flatten)]
    pub mutants: MutantsArgs,
    /// When a test kills a mutant [default: potential; of `minimise`: definite where a test of the suite always fails, else
    /// potential]
    #[arg(long, value_enum, value_name = "HOW")]
    pub kill: Option<KillArg>,
}

impl JudgedArgs {
    /// The suite, what it is judged by, and which kills count: `unless` the arguments say it.
    pub fn read(&self, unless: Wanted, global: &GlobalArgs, terminal: &Terminal) -> Result<(Suite, Bench, Wish)> {
        self.read_share(unless, None, global, terminal)
    }

    /// The same of only those mutants that `shard` has.
    pub fn read_share(
        &self,
        unless: Wanted,
        shard: Option<Shard>,
        global: &GlobalArgs,
        terminal: &Terminal,
    ) -> Result<(Suite, Bench, Wish)> {
        let suite = load_suite(&self.suite)?;
        let bench = Bench::new((&self.file, Some(&suite)), (&self.mutants, shard), global, terminal)?;
        bench.fits((&self.suite, &suite), terminal)?;
        let wanted = match self.kill {
            None => unless,
            Some(KillArg::Potential) => Wanted::Potential,
            Some(KillArg::Definite) => Wanted::Definite,
            Some(KillArg::Blind) => Wanted::Blind,
        };
        let wish = judging(wanted, &bench.mutation);
        Ok((suite, bench, wish))
    }
}

/// What is to be tested, ready.
pub struct Bench {
    /// The model's file.
    pub loaded: Loaded,
    /// How a suite names the game.
    pub specification: SuiteSpecification,
    /// Who makes tests.
    pub tester: Tester,
    /// The mutants.
    pub candidates: Vec<Candidate>,
    /// How the mutants were made, or which run they are from.
    made: Value,
    /// How many there are, with those of other shares.
    total: u64,
    /// What the mutants were made by.
    pub mutation: MutationOptions,
    /// Mutants of a run that have no verdict: they are left out.
    pub undecided: u64,
    /// Limits of each question.
    pub timer: Timer,
}

impl Bench {
    /// The mutants of the game in `file`: where it runs several and none is named, of that of `suite`.
    pub fn new(
        (file, suite): (&Path, Option<&Suite>),
        (args, shard): (&MutantsArgs, Option<Shard>),
        global: &GlobalArgs,
        terminal: &Terminal,
    ) -> Result<Self> {
        let timer = args.total.timer(args.limits.resolve());
        if args.mutated.mutate.is_some() {
            let network = MutatedNetwork::read(file, &args.network, &args.mutated, terminal)?;
            return Self::of_network(&network, (&args.space, shard), timer, global);
        }
        if let Some(folder) = &args.from.run
            && Manifest::read(folder)?.is_of_network()
        {
            let network = MutatedNetwork::of_run(Some(file), &args.network, folder, terminal)?;
            return Self::of_network_run(&network, (folder, shard), timer, (global, terminal));
        }
        let named = args.space.of.template.as_deref();
        let loaded = Loaded::read_either(
            (file, named.as_slice()),
            (&args.network, &args.limits),
            global,
            terminal,
        )?;
        loaded.comparable()?;
        match &args.from.run {
            Some(folder) => Self::of_run(loaded, (folder, shard), timer, terminal),
            None => Self::of_game((loaded, suite), &args.space, shard, timer),
        }
    }

    /// What a share of a score is about: `suite`, whose file is `path`.
    pub fn scored(&self, suite: &Suite, wanted: Wanted, path: &Path) -> Result<Scored> {
        let text = read_text(path, "name the suite that is scored")?;
        let SuiteSpecification { file, template, hash } = self.specification.clone();
        Ok(Scored {
            model: ModelRef { file, template, hash },
            suite: path.display().to_string(),
            suite_hash: blake3::hash(text.as_bytes()).to_hex().to_string(),
            tests: suite.tests.iter().map(|test| test.id.clone()).collect(),
            kill: kill_name(wanted).to_owned(),
            mutants: self.made.clone(),
            candidates: self.total,
            undecided: self.undecided,
            limits: self.timer.limits(),
        })
    }

    /// Refuses a suite, whose file is `path`, that is not one of this game.
    fn fits(&self, (path, suite): (&Path, &Suite), terminal: &Terminal) -> Result<()> {
        note_other_model(suite, self, terminal);
        let specification = format!("`{}` of {}", self.specification.template, self.specification.file);
        refuse_stale((path, &suite.tests), (&specification, &self.tester), &self.timer)
    }

    /// The suite in `path`, scored against these mutants, which are those of a page: what can fail on one kills it.
    #[cfg(feature = "drawing")]
    pub fn page(&self, path: &Path, page: &RunPage, terminal: &Terminal) -> Result<SuitePage> {
        let suite = load_suite(path)?;
        self.fits((path, &suite), terminal)?;
        let wish = judging(Wanted::Potential, &self.mutation);
        let score = score(&self.tester, &self.candidates, &suite.tests, &wish, &self.timer)?;
        let rows = self.candidates.iter().map(|candidate| page.row(&candidate.id));
        let rows: Vec<Option<u64>> = rows.collect();
        let name = path.display().to_string();
        Ok(SuitePage::new(&name, &suite.tests, &score, &rows))
    }

    fn of_game(
        (loaded, suite): (Loaded, Option<&Suite>),
        args: &SpaceArgs,
        shard: Option<Shard>,
        timer: Timer,
    ) -> Result<Self> {
        let named = args.of.template.as_deref();
        let game = match suite {
            Some(suite) => loaded.game_of_suite(named, &suite.specification)?,
            None => loaded.game(named)?,
        };
        interrupt::advise(FEWER);
        let tester = tester(game, &timer)?;
        let mutation = args.mutation.resolve();
        let space = MutantSpace::new(game, &mutation, args.of.order)?;
        let selection = Selection::of(&space, args.drawn.sample, args.drawn.seed)?;
        Ok(Self {
            specification: specification(&loaded, game),
            candidates: candidates(&space, &selection, shard, &timer).ok_or_else(too_many)?,
            made: made(&loaded, game, args, (space.len(), selection.len()))?,
            total: selection.len(),
            mutation,
            undecided: 0,
            tester,
            timer,
            loaded,
        })
    }

    /// Mutants of a network.
    fn of_network(
        network: &MutatedNetwork,
        (args, shard): (&SpaceArgs, Option<Shard>),
        timer: Timer,
        global: &GlobalArgs,
    ) -> Result<Self> {
        if args.of.template.is_some() || args.of.order != Order::FIRST {
            bail!(
                "--template and --order have no meaning for mutants of a network: each changes what --mutate names once"
            );
        }
        let (tester, loaded) = composed(network, &timer, global)?;
        let decide = (&SemanticsArgs::default(), &LimitArgs::default());
        let plan = plan((network.model.clone(), false), args, decide);
        let mutants = network.mutants(&plan.mutation)?;
        let selection = Selection::of_each(mutants.len(), plan.sample, plan.seed);
        let manifest = Manifest::new(&plan, mutants.len(), selection.len()).with_network(network.scope());
        let found = mutants.candidates(network.viewed(), &selection, shard, &timer);
        Ok(Self {
            specification: named(&network.model),
            candidates: found.ok_or_else(too_many)?,
            made: serde_json::to_value(manifest)?,
            total: selection.len(),
            mutation: plan.mutation,
            undecided: 0,
            tester,
            timer,
            loaded,
        })
    }

    /// The non-subsumed mutants of a network of the run in `folder`.
    pub fn of_network_run(
        network: &MutatedNetwork,
        (folder, shard): (&Path, Option<Shard>),
        timer: Timer,
        (global, terminal): (&GlobalArgs, &Terminal),
    ) -> Result<Self> {
        let manifest = Manifest::read(folder)?;
        let plan = manifest.plan();
        let plan = plan.with_context(|| format!("the manifest in {} is of another version", folder.display()))?;
        let (tester, loaded) = composed(network, &timer, global)?;
        let mutants = network.mutants(&plan.mutation)?;
        let selection = Selection::of_each(mutants.len(), plan.sample, plan.seed);
        let found = mutants.candidates_of_run(network.viewed(), &selection, (folder, shard), &timer)?;
        let found = found.ok_or_else(too_many)?;
        note_run(&found, &plan, selection.len(), terminal);
        Ok(Self {
            specification: named(&network.model),
            made: json!({ "run": manifest, "ids": found.hash }),
            total: found.total,
            candidates: found.candidates,
            mutation: plan.mutation,
            undecided: found.undecided,
            tester,
            timer,
            loaded,
        })
    }

    /// The non-subsumed mutants of the run in `folder`.
    pub fn of_run(
        loaded: Loaded,
        (folder, shard): (&Path, Option<Shard>),
        timer: Timer,
        terminal: &Terminal,
    ) -> Result<Self> {
        let (game, plan) = finished(&loaded, folder)?;
        if plan.statics == StaticUse::Only {
            bail!(
                "the run in {} has no verdicts: it was made with --static-only",
                folder.display()
            );
        }
        let tester = tester(game, &timer)?;
        let space = MutantSpace::new(game, &plan.mutation, plan.order)?;
        let selection = Selection::of(&space, plan.sample, plan.seed)?;
        let found = candidates_of_run(&space, &selection, folder, shard, &|| timer.budget())?;
        note_run(&found, &plan, selection.len(), terminal);
        Ok(Self {
            specification: specification(&loaded, game),
            made: json!({ "run": Manifest::read(folder)?, "ids": found.hash }),
            total: found.total,
            candidates: found.candidates,
            mutation: plan.mutation,
            undecided: found.undecided,
            tester,
            timer,
            loaded,
        })
    }
}

/// The parameters that the mutants of a game were made by, of whose so many are looked at.
fn made(loaded: &Loaded, game: &Automaton, args: &SpaceArgs, (mutants, selected): (u64, u64)) -> Result<Value> {
    let model = (loaded.model_ref(game), game.is_input_enabled());
    let decide = (&SemanticsArgs::default(), &LimitArgs::default());
    Ok(serde_json::to_value(Manifest::new(
        &plan(model, args, decide),
        mutants,
        selected,
    ))?)
}

fn specification(loaded: &Loaded, game: &Automaton) -> SuiteSpecification {
    named(&loaded.model_ref(game))
}

fn named(reference: &ModelRef) -> SuiteSpecification {
    let ModelRef { file, template, hash } = reference.clone();
    SuiteSpecification { file, template, hash }
}

/// Who tests a network, and its composition as a file.
fn composed(network: &MutatedNetwork, timer: &Timer, global: &GlobalArgs) -> Result<(Tester, Loaded)> {
    let composition = network.composition(timer)?;
    composition.origin().comparable()?;
    let tester = tester(&composition.composed.automaton, timer)?;
    Ok((
        tester,
        Loaded::of_composition(Path::new(&network.model.file), &composition, global.read_options())?,
    ))
}

/// Says which mutants of a run are tested.
fn note_run(found: &RunCandidates, plan: &Plan, selected: u64, terminal: &Terminal) {
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
    if plan.semantics != Semantics::DEFINITION {
        terminal.note(&format!(
            "note: the run's reading is {}; what a test kills is read as `definition`",
            plan.semantics
        ));
    }
}

fn tester(game: &Automaton, timer: &Timer) -> Result<Tester> {
    match Tester::new(game, &timer.budget()) {
        Ok(tester) => Ok(tester),
        Err(SuiteFailure::Stopped(reason)) => {
            let name = game.name();
            Err(LimitHit(format!("the limits are too small for `{name}` itself: {reason}")).into())
        }
        Err(error) => Err(anyhow::Error::new(error).context(format!("no tests can be made for `{}`", game.name()))),
    }
}

/// What helps where the mutants are too many.
const FEWER: &str = "look at a --sample";

/// The time of the run was up before its mutants were made.
fn too_many() -> LimitHit {
    LimitHit(format!(
        "the mutants are too many for this time (--total-timeout): {FEWER}"
    ))
}

/// A wish for tests that need not be made, only judged.
fn judging(wanted: Wanted, mutation: &MutationOptions) -> Wish {
    Wish {
        wanted,
        style: Style::Adaptive,
        pick: Pick::Earliest,
        strategy: Strategy::PerMutant,
        mutation: mutation.clone(),
        max_nodes: 0,
    }
}

/// The suite in `path`.
pub fn load_suite(path: &Path) -> Result<Suite> {
    let name = path.display();
    let text = read_text(
        &open_timed_suite(path)?,
        "name a suite of timed tests (JSON), such as `tamper testgen` writes",
    )?;
    read_suite(&text).with_context(|| name.to_string())
}

/// Refuses a suite with a test that the specification fails: it was made for another one, and what its tests say of mutants
/// means nothing.
fn refuse_stale(
    (path, tests): (&Path, &[TestCase]),
    (specification, tester): (&str, &Tester),
    timer: &Timer,
) -> Result<()> {
    let name = path.display();
    let found = stale(tests, tester, timer);
    let found = found.with_context(|| format!("{name}: whether the specification fails its tests is not known"))?;
    found.map_or(Ok(()), |stale| Err(stale_suite(path, specification, &stale)))
}

/// Why such a suite is refused.
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

/// Says so when a suite was made for another model than it is judged by.
fn note_other_model(suite: &Suite, bench: &Bench, terminal: &Terminal) {
    if suite.specification.hash != bench.specification.hash {
        terminal.note(&format!(
            "note: the suite was made for {} as it was then (hash {:.12}); {} is not that file",
            suite.specification.file, suite.specification.hash, bench.specification.file
        ));
    }
}

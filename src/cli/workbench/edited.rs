//! The last saved version of a model, with all of its mutants decided.

use std::cell::OnceCell;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use anyhow::Result;
use serde_json::{Value, json};

use super::OpenArgs;
use super::decided::DecidedRun;
use super::making::{AskedSuite, MadeSuite, Making};
use super::progress::DecisionProgress;
use crate::cli::arguments::args::GlobalArgs;
use crate::cli::exit::Stopped;
use crate::cli::models::read_mutated::{MutatedRequest, read_mutated};
use crate::cli::models::timed_world::TimedWorld;
use crate::cli::pages::plays::PlayedSpecification;
use crate::cli::pages::report::Pages;
use crate::cli::terminal::Terminal;
use tamper::experiment::{Counting as _, Engine, Filter, Log, OutputDir, Plan, Source, Timer, Walk, classify};
use tamper::report::{LivePage, PageFacts, RunPage, Scene, SuitePage};

/// The edited model, and the options for reading and deciding it.
#[derive(Clone, Copy)]
pub struct EditedModel<'e> {
    /// The typed options.
    pub args: &'e OpenArgs,
    pub global: &'e GlobalArgs,
}

/// A model whose mutants are decided.
pub struct DecidedModel {
    run: Arc<DecidedRun>,
    page: RunPage,
    facts: PageFacts,
    scenes: Vec<Scene>,
    /// The stage for counterexamples, made when the first one is asked for.
    stage: OnceCell<Option<PlayedSpecification>>,
    suite: Suites,
}

/// The suites of a model.
#[derive(Default)]
struct Suites {
    /// The suite that is being made.
    making: Option<Making>,
    /// The reason why the last suite was not made.
    failed: Option<String>,
    /// The suite that was made last, as the page shows it.
    made: Option<(Arc<MadeSuite>, SuitePage)>,
}

/// Refuses a file that gives its text only once, or never: it cannot be edited.
fn refuse_pipe(file: &Path) -> Result<()> {
    Ok(tamper::formats::refuse_pipe(file, "name a file, which can be edited")?)
}

impl OpenArgs {
    /// The file, which is not a pipe.
    pub fn editable(&self) -> Result<&Path> {
        refuse_pipe(&self.file)?;
        Ok(&self.file)
    }
}

impl EditedModel<'_> {
    /// Reads and decides the current version of the model, and shows its mutants to `progress` while it does.
    pub fn decided(self, progress: &DecisionProgress, terminal: &Terminal) -> Result<DecidedModel> {
        let (args, started) = (self.args, Instant::now());
        refuse_pipe(&args.file)?;
        let asked = MutatedRequest {
            file: &args.file,
            template: args.space.of.template.as_deref(),
            mutate: &args.mutated,
            network: &args.network,
            limits: &args.limits,
        };
        let mutated = read_mutated(asked, None, self.global, terminal)?;
        let plan = Plan {
            guidelines: args.guidelines.resolve(),
            witness: true,
            ..mutated.plan(&args.space, &args.semantics, &args.limits)
        };
        let (mut facts, scenes) = (PageFacts::of(&plan, &args.file, 0, 0), mutated.scenes());
        let mut pages = Pages {
            page: mutated.page(),
            player: None,
        };
        // The drawing is there before the first mutant.
        progress.show(&pages.page, &facts, &scenes);
        let timer = Timer::new(plan.limits).until(Arc::clone(&progress.stop));
        let world = mutated.world(&plan, Engine::Family, timer, terminal)?;
        let (all, selected) = (world.set().n_mutants(), world.selection().len());
        progress.begin(selected);
        facts = PageFacts::of(&plan, &args.file, selected, all);
        // Records are written as in every run; their folder exists as long as their model is shown.
        let folder = tempfile::tempdir()?;
        let output = OutputDir::create(&folder.path().join("run"), &mutated.manifest(&plan, all, selected))?;
        let part = PartOfRun {
            progress,
            facts: &facts,
            scenes: &scenes,
            started,
        };
        decide(&*world, &output, &mut pages, &part)?;
        let selection = world.selection().clone();
        drop(world);
        Ok(DecidedModel {
            facts,
            scenes,
            page: pages.page,
            stage: OnceCell::new(),
            suite: Suites::default(),
            run: Arc::new(DecidedRun {
                mutated,
                plan,
                selection,
                folder,
            }),
        })
    }
}

/// The means to show the mutants that are decided so far.
#[derive(Clone, Copy)]
struct PartOfRun<'d> {
    progress: &'d DecisionProgress,
    facts: &'d PageFacts,
    scenes: &'d [Scene],
    /// The time when the decision began.
    started: Instant,
}

/// Decides the mutants of `world`, and collects them meanwhile.
fn decide(world: &dyn TimedWorld, output: &OutputDir, pages: &mut Pages<'_>, part: &PartOfRun<'_>) -> Result<()> {
    let filter = Filter::all();
    let selected = world.selection().len();
    let mut log = Log::create(output)?;
    let mut walk = Walk::begin(Source {
        set: world.set(),
        selection: world.selection(),
        folder: output.path(),
        filter: &filter,
        shard: None,
    })?;
    let mut walked = Ok(());
    let counts = classify(world, &mut log, &mut |done| {
        if walked.is_ok() && part.progress.is_due(done, part.started) {
            walked = walk.go_on(done, pages, &mut |_| ());
            part.progress.show(&pages.page, part.facts, part.scenes);
        }
    })?;
    walked?;
    if counts.n_counted() < selected {
        return Err(Stopped("interrupted".to_owned()).into());
    }
    Ok(walk.go_on(selected, pages, &mut |_| ())?)
}

impl DecidedModel {
    /// The number of mutants of the model.
    pub fn n_mutants(&self) -> u64 {
        self.run.selection.len()
    }

    /// The page of this version.
    pub fn html(&self, version: u64) -> String {
        self.page.live_html(&self.facts, &self.scenes, &self.live(version))
    }

    /// The message for a page of an older version.
    pub fn news(&self, version: u64) -> Value {
        self.page.news(&self.facts, &self.scenes, &self.live(version))
    }

    fn live(&self, version: u64) -> LivePage<'_> {
        let suite = self.suite.made.as_ref().map(|(_, page)| page);
        LivePage {
            version,
            suite,
            deciding: None,
        }
    }

    /// The counterexample of a mutant, to be played; `None` without one, or if a limit hides it.
    pub fn play(&self, id: &str) -> Option<Value> {
        let stage = self
            .stage
            .get_or_init(|| self.run.mutated.stage(&self.run.plan, &self.page).ok().flatten());
        let set = self.run.mutated.mutants(&self.run.plan).ok()?;
        let mutants = set.mutants(&[self.number(id)?]).ok()?;
        stage.as_ref()?.play(&*set, mutants.first()?)
    }

    /// The number of the mutant with that id.
    fn number(&self, id: &str) -> Option<u64> {
        let row = self.page.row(id)?;
        self.run.selection.slice(row..row + 1).first().copied()
    }

    /// The decided run, shared with another thread.
    pub fn run(&self) -> Arc<DecidedRun> {
        Arc::clone(&self.run)
    }

    /// Begins a suite for the killable mutants, and ends the one that is being made.
    pub fn make(&mut self, asked: AskedSuite) {
        self.suite.failed = None;
        self.suite.making = Some(Making::start(&self.run, asked));
    }

    /// Ends the suite that is being made.
    pub fn stop(&mut self) {
        self.suite.making = None;
    }

    /// The progress of the suite that is being made; null without one.
    pub fn making(&self) -> Value {
        match (&self.suite.making, &self.suite.failed) {
            (Some(making), _) => making.json(),
            (None, Some(why)) => json!({ "problem": why }),
            (None, None) => Value::Null,
        }
    }

    /// Takes the suite if it is finished by now. Returns whether a suite was made.
    pub fn take_suite(&mut self) -> bool {
        let Some(making) = self.suite.making.take_if(|making| making.is_finished()) else {
            return false;
        };
        match making.result() {
            Ok(made) => {
                let rows: Vec<Option<u64>> = made.score.mutants.iter().map(|id| self.page.row(id)).collect();
                let page = SuitePage::new("this suite", &made.suite.tests, &made.score, &rows);
                self.suite.made = Some((Arc::new(made), page));
                true
            }
            Err(error) => {
                self.suite.failed = Some(format!("{error:#}"));
                false
            }
        }
    }

    /// The suite that was made last.
    pub fn suite(&self) -> Option<Arc<MadeSuite>> {
        self.suite.made.as_ref().map(|(made, _)| Arc::clone(made))
    }

    /// The mutant with that id, and the suite to run against it.
    pub fn tested(&self, id: &str) -> Option<(u64, Arc<MadeSuite>)> {
        Some((self.number(id)?, self.suite()?))
    }
}

//! A model as it was saved last: read, and all of its mutants decided.

use std::cell::OnceCell;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use anyhow::Result;
use serde_json::Value;

use super::OpenArgs;
use crate::cli::args::GlobalArgs;
use crate::cli::exit::Stopped;
use crate::cli::mutated::{Asked, Mutated};
use crate::cli::plays::Stage;
use crate::cli::report::Pages;
use crate::cli::run_folder::decide;
use crate::cli::terminal::Terminal;
use crate::cli::timed_world::TimedWorld;
use tamper::experiment::{Counting as _, Engine, Filter, Log, OutputDir, Plan, Selection, Source, Timer, walk};
use tamper::report::{PageFacts, RunPage, Scene};

/// What is edited, and how it is read and decided.
#[derive(Clone, Copy)]
pub struct Edit<'e> {
    /// What was typed.
    pub args: &'e OpenArgs,
    pub global: &'e GlobalArgs,
    /// Raised when it is to end.
    pub stop: &'e Arc<AtomicBool>,
}

/// A model whose mutants are decided.
pub struct Edited {
    mutated: Mutated,
    plan: Plan,
    selection: Selection,
    page: RunPage,
    facts: PageFacts,
    scenes: Vec<Scene>,
    /// What counterexamples are played on, from the first one that is asked for.
    stage: OnceCell<Option<Stage>>,
}

impl Edit<'_> {
    /// Reads and decides the model as its file is now.
    pub fn decided(self, terminal: &Terminal) -> Result<Edited> {
        let args = self.args;
        let asked = Asked {
            file: &args.file,
            template: args.space.of.template.as_deref(),
            mutate: &args.mutated,
            network: &args.network,
            limits: &args.limits,
        };
        let mutated = Mutated::read(asked, None, self.global, terminal)?;
        let plan = Plan {
            guidelines: args.guidelines.resolve(),
            witness: true,
            ..mutated.plan(&args.space, &args.semantics, &args.limits)?
        };
        let timer = Timer::new(plan.limits).until(Arc::clone(self.stop));
        let world = TimedWorld::new(&mutated, &plan, Engine::Family, timer, terminal)?;
        let (all, selected) = (world.set().n_mutants(), world.selection().len());
        // Records go the way of every run; nobody else sees their folder.
        let folder = tempfile::tempdir()?;
        let output = OutputDir::create(&folder.path().join("run"), &mutated.manifest(&plan, all, selected))?;
        let counts = decide(&world, &mut Log::create(&output)?, selected, terminal)?;
        if counts.n_counted() < selected {
            return Err(Stopped("interrupted".to_owned()).into());
        }
        let mut pages = Pages {
            page: mutated.page()?,
            player: None,
        };
        let source = Source {
            set: world.set(),
            selection: world.selection(),
            folder: output.path(),
            filter: &Filter::all(),
            shard: None,
        };
        walk(source, &mut pages, &mut |_| ())?;
        Ok(Edited {
            facts: PageFacts::of(&plan, &args.file, selected, all),
            scenes: mutated.scenes()?,
            page: pages.page,
            selection: world.selection().clone(),
            stage: OnceCell::new(),
            plan: plan.clone(),
            mutated: {
                drop(world);
                mutated
            },
        })
    }
}

impl Edited {
    /// How many mutants it has.
    pub fn n_mutants(&self) -> u64 {
        self.selection.len()
    }

    /// The page of this version.
    pub fn html(&self, version: u64) -> String {
        self.page.live_html(&self.facts, &self.scenes, version)
    }

    /// What a page of an older version is told.
    pub fn news(&self, version: u64) -> Value {
        self.page.news(&self.facts, &self.scenes, version)
    }

    /// The counterexample of a mutant, to be played; none where it has none, or a limit hides it.
    pub fn play(&self, id: &str) -> Option<Value> {
        let stage = self
            .stage
            .get_or_init(|| Stage::of(&self.mutated, &self.plan, &self.page).ok().flatten());
        let row = self.page.row(id)?;
        let number = self.selection.slice(row..row + 1);
        let set = self.mutated.mutants(&self.plan).ok()?;
        let mutants = set.mutants(&number).ok()?;
        stage.as_ref()?.play(&*set, &self.mutated, mutants.first()?)
    }
}

//! A lone timed game whose mutants are made.

use std::borrow::Cow;
use std::path::Path;

use anyhow::{Context as _, Result, bail};

use crate::cli::arguments::game_args::ExportFormat;
use crate::cli::models::load::Loaded;
use crate::cli::models::mutated::{MutatedModel, seen};
use crate::cli::models::timed_world::{GameWorld, TimedWorld};
#[cfg(feature = "drawing")]
use crate::cli::pages::plays::PlayedSpecification;
use crate::cli::terminal::Terminal;
use tamper::experiment::{
    AcceptedCondition, EcdarProject, Engine, FilesSink, Filter, FmmSink, Knowledge, ModelRef, MutantFiles, MutantSet,
    Numbered, Plan, Selection, Sink, TcheckerFiles, Timer, UppaalFiles,
};
use tamper::formats::suite_json::SuiteSpecification;
use tamper::formats::{NetworkScope, ReadError, Replacement, replacements};
use tamper::model::Automaton;
use tamper::mutation::{MutantSpace, Mutation, MutationOptions, Operator, Order};
#[cfg(feature = "drawing")]
use tamper::report::{RunPage, Scene};
use tamper::text::SourceFile;

/// A game whose mutants are made.
pub struct MutatedGame {
    /// The file of the model.
    pub loaded: Loaded,
    /// The game, as refinement looks at it.
    pub game: Automaton,
}

impl MutatedGame {
    /// Refuses operators of charts for a game that comes from none.
    fn check_operators(&self, options: &MutationOptions) -> Result<()> {
        match options.operators.iter().find(|operator| !self.takes(**operator)) {
            Some(operator) => bail!(
                "{operator} changes charts, and this model is none, or one that is too large: name operators of games, e.g. --operators paper"
            ),
            None => Ok(()),
        }
    }

    /// The files of a format; `None` for a table or one model of all mutants.
    fn files(&self, format: ExportFormat) -> Result<Option<Box<dyn MutantFiles>>> {
        let (loaded, game) = (&self.loaded, &self.game);
        Ok(match format {
            ExportFormat::Uppaal => {
                let (document, index) = loaded.in_file(game).context(
                    "--as uppaal writes mutants into their file: for processes of a network name what is mutated with --mutate",
                )?;
                Some(Box::new(UppaalFiles::new(document.clone(), index)))
            }
            ExportFormat::EcdarJson => Some(Box::new(EcdarProject::new(game.clone(), loaded.placement(game))?)),
            ExportFormat::Tchecker => Some(Box::new(TcheckerFiles::new(game)?)),
            ExportFormat::Jsonl | ExportFormat::Csv | ExportFormat::Fmm | ExportFormat::Normal => None,
            ExportFormat::Hyperltl
            | ExportFormat::Smtlib
            | ExportFormat::Aiger
            | ExportFormat::Determinised
            | ExportFormat::Trap => None,
        })
    }
}

impl MutatedModel for MutatedGame {
    fn model(&self) -> ModelRef {
        self.loaded.model_ref(&self.game)
    }

    fn scope(&self) -> Option<NetworkScope> {
        None
    }

    fn specification(&self) -> SuiteSpecification {
        self.loaded.specification(&self.game)
    }

    fn lone_game(&self) -> Option<&Automaton> {
        Some(&self.game)
    }

    fn see_propositions(&mut self) -> Result<()> {
        self.game = seen(&self.game, &self.game)?;
        Ok(())
    }

    fn takes(&self, operator: Operator) -> bool {
        self.game.variants().are_known() || !Operator::CHART.contains(&operator)
    }

    fn set(&self, options: &MutationOptions, order: Order) -> Result<Box<dyn MutantSet + '_>> {
        self.check_operators(options)?;
        Ok(Box::new(MutantSpace::new(&self.game, options, order)?))
    }

    fn replacements(&self, mutants: &[Numbered]) -> Result<(&SourceFile, Vec<Replacement>)> {
        let (document, index) = self.loaded.in_one_file(&self.game)?;
        let mutations = mutants.iter().flat_map(|mutant| mutant.mutations.iter().copied());
        let mutations: Vec<Mutation> = mutations.collect();
        Ok((document.source(), replacements(document, index, &mutations)?))
    }

    fn accept_comments(&self) -> Result<Vec<AcceptedCondition>> {
        let Ok((document, index)) = self.loaded.in_one_file(&self.game) else {
            return Ok(Vec::new());
        };
        let comments = document.accept_comments()?.into_iter();
        let own = comments.filter(|comment| comment.template == index);
        let conditions =
            own.map(|comment| AcceptedCondition::of_comment(&comment, document.source(), &self.game, None));
        Ok(conditions.collect::<Result<_, _>>()?)
    }

    fn automaton(&self, _: &Timer) -> Result<Cow<'_, Automaton>> {
        Ok(Cow::Borrowed(&self.game))
    }

    fn world<'m>(
        &'m self,
        plan: &'m Plan,
        engine: Engine,
        timer: Timer,
        _: &Terminal,
    ) -> Result<Box<dyn TimedWorld + 'm>> {
        self.check_operators(&plan.mutation)?;
        Ok(Box::new(GameWorld::new(&self.game, plan, engine, timer)?))
    }

    fn check_filter(&self, filter: &Filter, knowledge: Knowledge) -> Result<(), ReadError> {
        filter.check(knowledge, &self.game)
    }

    fn check_format(&self, target: ExportFormat, _: Order) -> Result<()> {
        self.files(target).map(drop)
    }

    fn sink<'m>(
        &'m self,
        target: ExportFormat,
        plan: &Plan,
        selection: &Selection,
        folder: &Path,
    ) -> Result<Box<dyn Sink + 'm>> {
        if target == ExportFormat::Fmm {
            let space = MutantSpace::new(&self.game, &plan.mutation, plan.order)?;
            let drawing = self.loaded.drawing(&self.game);
            return Ok(Box::new(FmmSink::create(folder, &space, selection, drawing)?));
        }
        match self.files(target)? {
            Some(files) => Ok(Box::new(FilesSink::create(folder, files)?)),
            None => bail!("this format has no files"),
        }
    }

    #[cfg(feature = "drawing")]
    fn page(&self) -> RunPage {
        RunPage::new(&self.game)
    }

    #[cfg(feature = "drawing")]
    fn scenes(&self) -> Vec<Scene> {
        vec![Scene::of(&self.game, &self.loaded.placement(&self.game), &[])]
    }

    #[cfg(feature = "drawing")]
    fn stage(&self, plan: &Plan, _: &RunPage) -> Result<Option<PlayedSpecification>> {
        Ok(Some(PlayedSpecification::of_game(&self.game, plan)?))
    }
}

//! A model whose mutants are made: a game, or processes of a network. Which one it is, is decided where the file is read
//! (`read_mutated`); above, a lone game is asked for only where a rule is proved for lone games.

use std::borrow::Cow;
use std::path::Path;

use anyhow::{Result, bail};

use crate::cli::arguments::args::{LimitArgs, MutationArgs, SemanticsArgs, SpaceArgs};
use crate::cli::arguments::game_args::ExportFormat;
use crate::cli::exit::LimitHit;
use crate::cli::models::timed_world::TimedWorld;
#[cfg(feature = "drawing")]
use crate::cli::pages::plays::PlayedSpecification;
use crate::cli::terminal::Terminal;
use tamper::experiment::{
    AcceptedCondition, Engine, Filter, GuidelineSet, Knowledge, Manifest, ModelRef, MutantSet, Numbered, Plan,
    Selection, Sink, StaticUse, Timer,
};
use tamper::formats::suite_json::SuiteSpecification;
use tamper::formats::{NetworkScope, ReadError, Replacement};
use tamper::model::Automaton;
use tamper::mutation::{MutationOptions, Operator, Order};
#[cfg(feature = "drawing")]
use tamper::report::{RunPage, Scene};
use tamper::suite::{SuiteFailure, Tester};
use tamper::text::{Budget, SourceFile};

/// A model whose mutants are made.
pub type BoxedModel = Box<dyn MutatedModel>;

/// Why atomic propositions of a composition cannot be seen.
pub const UNSEEN: &str = "--propositions seen: a composition has no atomic propositions; name one game with --template";

/// A game, or processes of a network, whose mutants are made.
pub trait MutatedModel: Send + Sync {
    /// Its name in manifests and suites.
    fn model(&self) -> ModelRef;

    /// What a manifest adds about a network.
    fn scope(&self) -> Option<NetworkScope>;

    /// Its name in a suite.
    fn specification(&self) -> SuiteSpecification;

    /// The game, if no network is mutated.
    fn lone_game(&self) -> Option<&Automaton>;

    /// Lets refinement look at atomic propositions.
    ///
    /// # Errors
    /// There are none.
    fn see_propositions(&mut self) -> Result<()>;

    /// Whether an operator has a meaning for every mutated component.
    fn takes(&self, operator: Operator) -> bool;

    /// Its mutants of this order.
    ///
    /// # Errors
    /// An operator has no meaning here, or the mutants are too many.
    fn set(&self, options: &MutationOptions, order: Order) -> Result<Box<dyn MutantSet + '_>>;

    /// The model's file, and the change that each of these mutants of order 1 makes there.
    ///
    /// # Errors
    /// No single file has the parts that change, or it has something that cannot be patched.
    fn replacements(&self, mutants: &[Numbered]) -> Result<(&SourceFile, Vec<Replacement>)>;

    /// The mutants that comments of its file accept, as conditions on them.
    ///
    /// # Errors
    /// A comment that is not understood.
    fn accept_comments(&self) -> Result<Vec<AcceptedCondition>>;

    /// The game that is mutated: of a network its composition.
    ///
    /// # Errors
    /// The network has no composition within the limits.
    fn automaton(&self, timer: &Timer) -> Result<Cow<'_, Automaton>>;

    /// The same, which can be compared step by step, as tests need it.
    ///
    /// # Errors
    /// It has hidden steps.
    fn tested(&self, timer: &Timer) -> Result<Cow<'_, Automaton>> {
        self.automaton(timer)
    }

    /// The mutants that `plan` is about, and their judge.
    ///
    /// # Errors
    /// The original has no meaning as a specification, or a limit is hit.
    fn world<'m>(
        &'m self,
        plan: &'m Plan,
        engine: Engine,
        timer: Timer,
        terminal: &Terminal,
    ) -> Result<Box<dyn TimedWorld + 'm>>;

    /// Refuses a condition that has no meaning for its mutants.
    ///
    /// # Errors
    /// The condition names what it does not have.
    fn check_filter(&self, filter: &Filter, knowledge: Knowledge) -> Result<(), ReadError>;

    /// Refuses a format that cannot express it.
    ///
    /// # Errors
    /// The construct that the format lacks.
    fn check_format(&self, target: ExportFormat, order: Order) -> Result<()>;

    /// The files of a format in `folder`, which is no table.
    ///
    /// # Errors
    /// The format cannot express the model, or `folder` cannot be written.
    fn sink<'m>(
        &'m self,
        target: ExportFormat,
        plan: &Plan,
        selection: &Selection,
        folder: &Path,
    ) -> Result<Box<dyn Sink + 'm>>;

    /// A page for the mutants of the model, without any yet.
    #[cfg(feature = "drawing")]
    fn page(&self) -> RunPage;

    /// The drawings of the page.
    #[cfg(feature = "drawing")]
    fn scenes(&self) -> Vec<Scene>;

    /// Plays counterexamples of the mutants of `page`; `None` where hidden steps leave it open which run a game made.
    ///
    /// # Errors
    /// The original has no meaning as a specification, or a limit is hit.
    #[cfg(feature = "drawing")]
    fn stage(&self, plan: &Plan, page: &RunPage) -> Result<Option<PlayedSpecification>>;
}

impl dyn MutatedModel + '_ {
    /// The plan under the typed options: guidelines in use, no witnesses.
    pub fn plan(&self, space: &SpaceArgs, semantics: &SemanticsArgs, limits: &LimitArgs) -> Plan {
        let game = self.lone_game();
        Plan {
            model: self.model(),
            input_enabled: game.is_some_and(Automaton::is_input_enabled),
            sees_propositions: game.is_some_and(Automaton::sees_propositions),
            order: space.of.order,
            mutation: self.options(&space.mutation),
            semantics: semantics.resolve(),
            statics: StaticUse::Use,
            guidelines: GuidelineSet::Published,
            sample: space.drawn.sample,
            seed: space.drawn.sample.map(|_| space.drawn.seed),
            only: None,
            shard: None,
            limits: limits.resolve(),
            witness: false,
        }
    }

    /// What the operators may do. A set of operators means those of its members that have a meaning here; an operator that is named
    /// alone stays, so that it is refused with its reason.
    pub fn options(&self, args: &MutationArgs) -> MutationOptions {
        let mut options = match self.lone_game() {
            Some(game) => args.resolve_for(game),
            None => args.resolve(),
        };
        let sets = || args.operators.iter().chain(args.again.iter().flatten());
        let is_named = |operator| sets().any(|set| set.0 == [operator]);
        options
            .operators
            .retain(|operator| self.takes(*operator) || is_named(*operator));
        options
            .again
            .retain(|operator| self.takes(*operator) || is_named(*operator));
        options
    }

    /// Whether its game was read from a chart whose mistakes are known.
    fn is_chart(&self) -> bool {
        self.lone_game().is_some_and(|game| game.variants().are_known())
    }

    /// The same; without named operators, those of charts for a chart, else all operators that have a meaning for the model, and with memory
    /// those that find what programs get wrong the second time.
    pub fn options_or_all(&self, args: &MutationArgs) -> MutationOptions {
        let mut options = self.options(args);
        if args.operators.is_empty() {
            let all = Operator::ALL.into_iter();
            let all: Vec<Operator> = all.filter(|operator| self.takes(*operator)).collect();
            let again = all.iter().copied();
            match args.again.as_deref() {
                None => options.again = again.filter(|one| Operator::SECOND_TIME.contains(one)).collect(),
                Some([]) => options.again = again.collect(),
                Some(_) => {}
            }
            // Of charts what changes parts of their games shows nothing that programmers get wrong.
            if !self.is_chart() {
                options.operators = all;
            }
        }
        options
    }

    /// The options by which most mutants are made: every operator, with memory, too.
    pub fn every_mutant(&self, args: &MutationArgs) -> MutationOptions {
        let operators: Vec<Operator> = Operator::ALL.into_iter().filter(|one| self.takes(*one)).collect();
        MutationOptions {
            again: operators.clone(),
            operators,
            cxs_to_zero: true,
            conjuncts: true,
            ..self.options(args)
        }
    }

    /// The mutants of a plan.
    pub fn mutants(&self, plan: &Plan) -> Result<Box<dyn MutantSet + '_>> {
        self.set(&plan.mutation, plan.order)
    }

    /// The manifest of a run on `n_selected` of the `n_mutants` mutants.
    pub fn manifest(&self, plan: &Plan, n_mutants: u64, n_selected: u64) -> Manifest {
        let manifest = Manifest::new(plan, n_mutants, n_selected);
        match self.scope() {
            Some(scope) => manifest.with_network(scope),
            None => manifest,
        }
    }

    /// The tester of suites.
    pub fn tester(&self, timer: &Timer) -> Result<Tester> {
        self.tester_by(Tester::new, timer)
    }

    /// The tester that follows a program while it runs, whatever choices the program has.
    pub fn follower(&self, timer: &Timer) -> Result<Tester> {
        self.tester_by(Tester::with_choices, timer)
    }

    fn tester_by(&self, make: MakeTester, timer: &Timer) -> Result<Tester> {
        let game = self.tested(timer)?;
        match make(&game, &timer.budget()) {
            Ok(tester) => Ok(tester),
            Err(SuiteFailure::Stopped(reason)) => {
                Err(LimitHit::too_small(format_args!("`{}`", game.name()), reason).into())
            }
            Err(error) => {
                let why = format!("{}: no tests can be made for `{}`", self.model().file, game.name());
                Err(anyhow::Error::new(error).context(why))
            }
        }
    }
}

type MakeTester = fn(&Automaton, &Budget) -> Result<Tester, SuiteFailure>;

/// `game` as it is compared with `other`, with visible propositions.
pub fn seen(game: &Automaton, other: &Automaton) -> Result<Automaton> {
    match game.is_atomic() {
        true => bail!(UNSEEN),
        false => Ok(game.with_seen_propositions(other)),
    }
}

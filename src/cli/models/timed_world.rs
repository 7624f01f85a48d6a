//! Mutants of a timed game, or of processes of a network: numbered, selected, ready to be decided.

use std::sync::Arc;

use anyhow::{Result, bail};

use crate::cli::terminal::Terminal;
use tamper::experiment::{
    Driver, Engine, ExperimentError, GuidelineSet, MutantSet, NetworkJudge, NetworkMutants, NetworkRun,
    NetworkSettings, Plan, Prepared, Run, Selection, StaticUse, Summary, Timer, VerificationSample, Verified, World,
    verify,
};
use tamper::guidelines;
use tamper::model::Automaton;

/// The mutants that a plan is about, and their judge.
pub trait TimedWorld {
    /// All mutants.
    fn set(&self) -> &dyn MutantSet;

    /// The selected mutants.
    fn selection(&self) -> &Selection;

    /// The engine in use; limits may have chosen another one than was asked for.
    fn engine(&self) -> Option<Engine>;

    /// The game that mutants are compared with: of a network its composition.
    fn specification(&self) -> &Automaton;

    /// The run on mutants of a lone game, which can be counted without records.
    fn countable(&self) -> Option<Run<'_>>;

    /// Decides the mutants of `sample` again, each alone.
    ///
    /// # Errors
    /// As [`verify`].
    fn verify(&self, sample: VerificationSample) -> Result<Verified>;

    /// Hands its batches to `driver`.
    ///
    /// # Errors
    /// As [`World::drive`].
    fn drive_batches(&self, driver: Driver<'_>) -> Result<Summary, ExperimentError>;
}

impl World for &dyn TimedWorld {
    type Counts = Summary;

    fn drive(&self, driver: Driver<'_>) -> Result<Summary, ExperimentError> {
        self.drive_batches(driver)
    }
}

/// Mutants of a lone game.
pub struct GameWorld<'m> {
    game: &'m Automaton,
    prepared: Prepared,
}

impl<'m> GameWorld<'m> {
    /// The mutants of `game` that `plan` is about.
    pub fn new(game: &'m Automaton, plan: &Plan, engine: Engine, timer: Timer) -> Result<Self> {
        let prepared = Prepared::new(game, plan, timer)?;
        let judge = prepared.judge.with_engine(engine);
        Ok(Self {
            game,
            prepared: Prepared { judge, ..prepared },
        })
    }

    fn run(&self) -> Run<'_> {
        Run {
            space: &self.prepared.space,
            selection: &self.prepared.selection,
            judge: &self.prepared.judge,
            rules: &guidelines::violated,
        }
    }
}

impl TimedWorld for GameWorld<'_> {
    fn set(&self) -> &dyn MutantSet {
        &self.prepared.space
    }

    fn selection(&self) -> &Selection {
        &self.prepared.selection
    }

    fn engine(&self) -> Option<Engine> {
        Some(self.prepared.judge.engine())
    }

    fn specification(&self) -> &Automaton {
        self.game
    }

    fn countable(&self) -> Option<Run<'_>> {
        Some(self.run())
    }

    fn verify(&self, sample: VerificationSample) -> Result<Verified> {
        Ok(verify(&self.run(), sample)?)
    }

    fn drive_batches(&self, driver: Driver<'_>) -> Result<Summary, ExperimentError> {
        self.run().drive(driver)
    }
}

/// Makes judges of the mutants of one network.
type MakeJudge<'m> = Box<dyn Fn(NetworkSettings, Timer) -> Result<NetworkJudge<'m>> + 'm>;

/// Mutants of processes of a network.
pub struct NetworkWorld<'m> {
    plan: &'m Plan,
    mutants: NetworkMutants<'m>,
    selection: Selection,
    judge: NetworkJudge<'m>,
    make_judge: MakeJudge<'m>,
}

impl<'m> NetworkWorld<'m> {
    /// Those of `mutants` that `plan` is about.
    pub fn new(
        mutants: NetworkMutants<'m>,
        make_judge: MakeJudge<'m>,
        plan: &'m Plan,
        engine: Engine,
        timer: Timer,
        terminal: &Terminal,
    ) -> Result<Self> {
        if plan.guidelines == GuidelineSet::Extended {
            bail!("--guidelines extended: these rules are proved for single games, not for processes of a network");
        }
        let settings = NetworkSettings {
            semantics: plan.semantics,
            statics: plan.statics,
            witness: plan.witness,
            engine,
        };
        let counting = terminal.counting("composing the original");
        Ok(Self {
            selection: mutants
                .selection(plan.sample, plan.seed.unwrap_or_default())?
                .share(plan.shard),
            judge: make_judge(settings, timer.watched(Arc::clone(&counting.states)))?,
            plan,
            mutants,
            make_judge,
        })
    }

    fn run<'r>(&'r self, judge: &'r NetworkJudge<'r>) -> NetworkRun<'r> {
        NetworkRun {
            judge,
            mutants: &self.mutants,
            operators: &self.plan.mutation.operators,
            selection: &self.selection,
        }
    }
}

impl TimedWorld for NetworkWorld<'_> {
    fn set(&self) -> &dyn MutantSet {
        &self.mutants
    }

    fn selection(&self) -> &Selection {
        &self.selection
    }

    fn engine(&self) -> Option<Engine> {
        None
    }

    fn specification(&self) -> &Automaton {
        self.judge.original()
    }

    fn countable(&self) -> Option<Run<'_>> {
        None
    }

    /// The judge knows no guideline then, and composes each mutant alone.
    fn verify(&self, sample: VerificationSample) -> Result<Verified> {
        let settings = NetworkSettings {
            semantics: self.plan.semantics,
            statics: StaticUse::Off,
            witness: false,
            engine: Engine::Enumerate,
        };
        let plain = (self.make_judge)(settings, Timer::new(self.plan.limits))?;
        Ok(verify(&self.run(&plain), sample)?)
    }

    fn drive_batches(&self, driver: Driver<'_>) -> Result<Summary, ExperimentError> {
        self.run(&self.judge).drive(driver)
    }
}

//! Mutants of a timed game, or of processes of a network: numbered, selected, ready to be decided.

use anyhow::Result;

use tamper::experiment::{
    Driver, Engine, ExperimentError, MutantCertifier, MutantSet, Plan, Prepared, Run, Selection, Summary, Timer,
    VerificationSample, Verified, World, verify,
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

    /// Decides the mutants of `sample` again, each alone, by certificates where there are some.
    ///
    /// # Errors
    /// As [`verify`].
    fn verify(&self, sample: VerificationSample, certifier: Option<&MutantCertifier<'_>>) -> Result<Verified>;

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

    fn verify(&self, sample: VerificationSample, certifier: Option<&MutantCertifier<'_>>) -> Result<Verified> {
        Ok(verify(&self.run(), certifier, sample)?)
    }

    fn drive_batches(&self, driver: Driver<'_>) -> Result<Summary, ExperimentError> {
        self.run().drive(driver)
    }
}

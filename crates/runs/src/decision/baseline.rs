//! A plan made ready to run; the game is decided first, against itself.

use crate::{GuidelineSet, Judge, NoSuchSample, Plan, Selection, StaticUse, Timer};
use tamper_game::{GameError, Scratch, Specification, Verdict};
use tamper_text::StopReason;
use tamper_timed::model::Automaton;
use tamper_timed::mutation::{MutantSpace, TooManyMutants};

/// A plan, ready to run.
#[derive(Debug)]
pub struct Prepared {
    /// The mutants.
    pub space: MutantSpace,
    /// The mutants of `space` to decide.
    pub selection: Selection,
    /// Decides the mutants.
    pub judge: Judge,
}

/// The reason why a plan cannot be run.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BaselineError {
    /// There are more mutants than can be numbered.
    #[error("{0}")]
    TooManyMutants(TooManyMutants),
    /// The mutants cannot be sampled as the plan demands.
    #[error("{0}")]
    NoSuchSample(NoSuchSample),
    /// The game is no valid specification, so that verdicts against it would mean nothing.
    #[error("{0}")]
    Specification(GameError),
    /// The game has no meaning as a mutant of itself.
    #[error("`{game}` has no meaning")]
    NoMeaning {
        /// Name of the game.
        game: String,
        /// The error.
        error: GameError,
    },
    /// The limits do not suffice for the game itself.
    #[error("the limits are too small for `{game}` itself: {reason}")]
    TooLittle {
        /// Name of the game.
        game: String,
        /// The limit that was hit.
        reason: StopReason,
    },
    /// The game was not found to refine itself: an error of tamper.
    #[error("`{game}` was not found to refine itself; this is an error of tamper: please report it")]
    NotReflexive {
        /// Name of the game.
        game: String,
    },
}

impl Prepared {
    /// Prepares the mutants of `game` that `plan` selects, within the limits of `timer`. If games are played, `game` is
    /// checked first: it must be consistent and refine itself.
    ///
    /// # Errors
    /// Any reason why the plan cannot be run.
    pub fn new(game: &Automaton, plan: &Plan, timer: Timer) -> Result<Self, BaselineError> {
        let space = MutantSpace::new(game, &plan.mutation, plan.order).map_err(BaselineError::TooManyMutants)?;
        let drawn = Selection::of(&space, plan.sample, plan.seed.unwrap_or_default());
        let drawn = drawn.map_err(BaselineError::NoSuchSample)?;
        let selection = plan.asked(drawn).share(plan.shard);
        let judge = judge(game, plan, timer)?;
        Ok(Self {
            space,
            selection,
            judge,
        })
    }
}

fn judge(game: &Automaton, plan: &Plan, timer: Timer) -> Result<Judge, BaselineError> {
    if plan.statics == StaticUse::Only && plan.guidelines == GuidelineSet::Published {
        return Ok(Judge::by_rules_only(plan.semantics.prune, timer).with_lemmas(game, plan.semantics));
    }
    let name = || game.name().to_owned();
    let prepared = Specification::prepare(game, plan.semantics, &timer.budget());
    let specification = prepared.map_err(|error| match error {
        GameError::SpecUnknown(reason) => BaselineError::TooLittle { game: name(), reason },
        error => BaselineError::Specification(error),
    })?;
    let decision = specification
        .decide(game, &timer.budget(), &mut Scratch::default())
        .map_err(|error| BaselineError::NoMeaning { game: name(), error })?;
    match decision.verdict {
        Verdict::Subsumed => {
            let judge = Judge::new(specification, plan.statics, plan.witness, timer);
            Ok(judge.with_guidelines(plan.guidelines))
        }
        // Not due to a limit: the relation decided here is identity.
        Verdict::Inconsistent | Verdict::NonSubsumed | Verdict::Unknown(_) => {
            Err(BaselineError::NotReflexive { game: name() })
        }
    }
}

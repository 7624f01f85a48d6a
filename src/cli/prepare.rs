//! What the commands about runs have in common: a plan, its mutants, and who decides them.

use std::path::Path;

use anyhow::{Context as _, Result, bail};

use super::args::{LimitArgs, SemanticsArgs, SpaceArgs};
use super::exit::LimitHit;
use super::load::Loaded;
use crate::experiment::{GuidelineSet, Judge, Manifest, Plan, Selection, StaticUse, Timer};
use crate::game::{Scratch, Specification, Verdict};
use crate::model::Automaton;
use crate::mutation::MutantSpace;

/// The plan that was typed; guidelines in use, no witnesses.
pub fn plan(loaded: &Loaded, game: &Automaton, space: &SpaceArgs, decide: (&SemanticsArgs, &LimitArgs)) -> Plan {
    Plan {
        model: loaded.model_ref(game),
        input_enabled: game.is_input_enabled(),
        order: space.order,
        mutation: space.mutation.resolve(),
        semantics: decide.0.resolve(),
        statics: StaticUse::Use,
        guidelines: GuidelineSet::Published,
        sample: space.sample,
        seed: space.seed,
        limits: decide.1.resolve(),
        witness: false,
    }
}

/// The game and the plan of the run in `folder`, if it is about the model that was read.
pub fn finished<'a>(loaded: &'a Loaded, folder: &Path) -> Result<(&'a Automaton, Plan)> {
    let manifest = Manifest::read(folder)?;
    let plan = manifest
        .plan()
        .with_context(|| format!("the manifest in {} is of another version", folder.display()))?;
    if plan.model.hash != loaded.hash {
        bail!(
            "the run in {} is about another model than {}: its manifest has the hash {}, the file {}",
            folder.display(),
            loaded.name(),
            plan.model.hash,
            loaded.hash
        );
    }
    let game = loaded.game(Some(&plan.model.template))?;
    if plan.input_enabled != game.is_input_enabled() {
        bail!(
            "the run in {} had another --input-enabling: repeat it here",
            folder.display()
        );
    }
    Ok((game, plan))
}

/// A plan, ready to run.
pub struct Prepared {
    /// The mutants.
    pub space: MutantSpace,
    /// Those of them that are looked at.
    pub selection: Selection,
    /// Who decides them.
    pub judge: Judge,
}

impl Prepared {
    /// The mutants of `game` as `plan` wants them. Where games are played, the game itself is the first scenario: it
    /// must be consistent and refine itself.
    pub fn new(game: &Automaton, plan: &Plan, timer: Timer) -> Result<Self> {
        let space = MutantSpace::new(game, &plan.mutation, plan.order)?;
        let selection = Selection::of(&space, plan.sample, plan.seed)?;
        let judge = judge(game, plan, timer)?;
        Ok(Self {
            space,
            selection,
            judge,
        })
    }
}

fn judge(game: &Automaton, plan: &Plan, timer: Timer) -> Result<Judge> {
    if plan.statics == StaticUse::Only {
        return Ok(Judge::by_rules_only(plan.semantics.prune, timer));
    }
    let specification = Specification::prepare(game, plan.semantics, &timer.budget())?;
    let name = game.name();
    let decision = specification
        .decide(game, &timer.budget(), &mut Scratch::default())
        .with_context(|| format!("`{name}` has no meaning"))?;
    match decision.verdict {
        Verdict::Subsumed => {
            let judge = Judge::new(specification, plan.statics, plan.witness, timer);
            Ok(judge.with_guidelines(plan.guidelines))
        }
        Verdict::Unknown(reason) => {
            let text = format!("the limits are too small for `{name}` itself: {reason}");
            Err(LimitHit(text).into())
        }
        Verdict::Inconsistent | Verdict::NonSubsumed => {
            bail!("`{name}` was not found to refine itself; this is an error of tamper: please report it")
        }
    }
}

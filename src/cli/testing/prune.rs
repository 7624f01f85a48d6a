//! `testgen --prune`: mutants that are left out before tests are looked for.

use anyhow::{Result, bail};
use clap::ValueEnum;

use crate::cli::exit::LimitHit;
use crate::cli::games::run_folder::decide;
use crate::cli::models::mutated::MutatedModel;
use crate::cli::terminal::Terminal;
use tamper::experiment::killing::{Pruned, why_useless};
use tamper::experiment::{
    DecidedBy, Engine, GuidelineSet, Log, MutantNote, MutantSet, Numbered, Plan, Selection, StaticUse, Timer,
};
use tamper::formats::suite_json::Pruning;
use tamper::game::Semantics;
use tamper::suite::Tester;

/// Which mutants are left out.
#[derive(Clone, Copy, PartialEq, Eq, Default, ValueEnum, Debug)]
pub enum PruneArg {
    /// None: a test of each is looked for
    #[default]
    None,
    /// Those that guidelines name (Lemmata 1 to 7 of [003]; of other operators G1 to G6)
    Published,
    /// Those that the identity check of the extended guidelines names besides; not of processes of a network
    Extended,
    /// All that refine the model: each is classified before
    Exact,
}

impl PruneArg {
    /// The level.
    pub fn resolve(self) -> Pruning {
        match self {
            Self::None => Pruning::None,
            Self::Published => Pruning::Published,
            Self::Extended => Pruning::Extended,
            Self::Exact => Pruning::Exact,
        }
    }
}

/// The mutants to prune.
#[derive(Clone, Copy)]
pub struct Prunable<'a> {
    pub mutated: &'a dyn MutatedModel,
    pub plan: &'a Plan,
    pub set: &'a dyn MutantSet,
    pub selection: &'a Selection,
    pub tester: &'a Tester,
}

/// The mutants that were pruned at a level.
#[derive(Default)]
pub struct PrunedAt {
    pub level: Pruning,
    pub left_out: Pruned,
    /// The number of refinement games that it took.
    pub games: u64,
}

impl Prunable<'_> {
    /// The mutants that `level` leaves out.
    pub fn prune(self, level: Pruning, timer: &Timer, terminal: &Terminal) -> Result<PrunedAt> {
        let (statics, guidelines) = match level {
            Pruning::None => return Ok(PrunedAt::default()),
            Pruning::Published => {
                let names = |_: u64, mutant: &Numbered| {
                    let rules = self.set.rules(mutant)?;
                    let names: Vec<&str> = rules.iter().map(|rule| rule.name()).collect();
                    Some(format!("named by {}", names.join(", ")))
                };
                return self.leaving_out(level, &names, timer);
            }
            Pruning::Extended if self.mutated.lone_game().is_none() => bail!(
                "--prune extended: the extended guidelines are proved for single games, not for processes of a network; \
                 take published or exact"
            ),
            Pruning::Extended => (StaticUse::Only, GuidelineSet::Extended),
            Pruning::Exact => (StaticUse::Use, GuidelineSet::Published),
        };
        let said = self.classified(statics, guidelines, timer, terminal)?;
        let reason = |position: u64, _: &Numbered| {
            let said = usize::try_from(position).ok().and_then(|at| said.get(at));
            said.and_then(why_useless).map(str::to_owned)
        };
        let games = said.iter().filter(|said| said.decided_by == DecidedBy::Game).count() as u64;
        Ok(PrunedAt {
            games,
            ..self.leaving_out(level, &reason, timer)?
        })
    }

    fn leaving_out(
        self,
        level: Pruning,
        useless: &(dyn Fn(u64, &Numbered) -> Option<String> + Sync),
        timer: &Timer,
    ) -> Result<PrunedAt> {
        let pruned = Pruned::of((self.set, self.selection), self.tester, useless, timer)?;
        Ok(PrunedAt {
            level,
            left_out: pruned.ok_or_else(LimitHit::too_many)?,
            games: 0,
        })
    }

    /// The verdict of a run on each mutant, under the reading of refinement that tests use (Definition 7).
    fn classified(
        self,
        statics: StaticUse,
        guidelines: GuidelineSet,
        timer: &Timer,
        terminal: &Terminal,
    ) -> Result<Vec<MutantNote>> {
        let plan = Plan {
            semantics: Semantics::DEFINITION,
            statics,
            guidelines,
            ..self.plan.clone()
        };
        let said = classified(self.mutated, &plan, timer, terminal)?;
        match (said.len() as u64) < self.selection.len() {
            true => Err(LimitHit::too_many().into()),
            false => Ok(said),
        }
    }
}

/// What `classify` says of the mutants of `plan`, in order; of fewer, if the time is over.
pub fn classified(
    model: &dyn MutatedModel,
    plan: &Plan,
    timer: &Timer,
    terminal: &Terminal,
) -> Result<Vec<MutantNote>> {
    let world = model.world(plan, Engine::Family, timer.another(), terminal)?;
    let n_selected = world.selection().len();
    let mut log = Log::remembering();
    decide(&*world, &mut log, n_selected, terminal)?;
    Ok(log.into_said())
}

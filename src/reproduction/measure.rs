//! Numbers about a study that the paper's sentences are about.

use serde::Deserialize;

use super::{Study, StudyRun, complete_run};
use crate::experiment::error::Result;
use crate::experiment::{Tally, Verdict};
use crate::game::analyse;
use crate::model::Role;
use crate::mutation::{Mutation, MutationOptions, Mutations, Order};
use crate::text::Budget;

/// A number about a study.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Measure {
    /// The number of mutants.
    Total,
    /// Violating / bad, in per cent.
    Ratio,
    /// The ratio of order 1 minus the ratio of order 2, in percentage points.
    Drop,
    /// The number of violating mutants that are non-subsumed.
    Unsound,
    /// The number of violating mutants minus the number of bad ones.
    Excess,
    /// \[003\] Fig. 23 without guidelines: the probability that a random mutant is bad, in per cent.
    Chance,
    /// Fig. 23 with guidelines: the same among the mutants that violate none.
    ChanceWithGuidelines,
    /// `Chance` at order 2 minus `Chance` at order 1, in percentage points.
    ChanceRise,
    /// `ChanceWithGuidelines` at order 2 minus the same at order 1, in percentage points.
    ChanceWithGuidelinesRise,
    /// The number of bad mutants of order 1 that add an output which no run ever takes.
    DeadAdditions,
}

impl Measure {
    /// The number for `study`; `None` if the study was not run.
    ///
    /// # Errors
    /// If records cannot be read.
    pub(super) fn of(self, study: Study, order: Order, runs: &[StudyRun]) -> Result<Option<f64>> {
        let run = |order| complete_run(runs, study, order);
        let tally = |order| run(order).map(|run| *run.summary.total());
        let both = |value: fn(&Tally) -> f64| Some(value(&tally(Order::SECOND)?) - value(&tally(Order::FIRST)?));
        Ok(match self {
            Self::Total => tally(order).map(|tally| number(tally.total)),
            Self::Ratio => tally(order).map(|tally| ratio(&tally)),
            Self::Drop => both(ratio).map(|rise| -rise),
            Self::Unsound => tally(order).map(|tally| number(tally.unsound)),
            Self::Excess => tally(order).map(|tally| number(tally.violating) - number(tally.bad())),
            Self::Chance => tally(order).map(|tally| chance(&tally)),
            Self::ChanceWithGuidelines => tally(order).map(|tally| chance_with_guidelines(&tally)),
            Self::ChanceRise => both(chance),
            Self::ChanceWithGuidelinesRise => both(chance_with_guidelines),
            Self::DeadAdditions => match run(Order::FIRST) {
                Some(run) => Some(number(dead_additions(run)?)),
                None => None,
            },
        })
    }

    /// The value as it is printed.
    pub(super) fn text(self, value: f64) -> String {
        match self {
            Self::Total | Self::Unsound | Self::Excess | Self::DeadAdditions => format!("{value:.0}"),
            Self::Ratio | Self::Chance | Self::ChanceWithGuidelines => format!("{value:.1} %"),
            Self::Drop => format!("{value:.1}"),
            Self::ChanceRise | Self::ChanceWithGuidelinesRise => format!("{value:+.1}"),
        }
    }
}

#[allow(clippy::cast_precision_loss, reason = "counts far below 2^52")]
fn number(count: u64) -> f64 {
    count as f64
}

fn ratio(tally: &Tally) -> f64 {
    100.0 * tally.ratio().unwrap_or(0.0)
}

/// \[003\] Fig. 23 without guidelines, in per cent.
pub fn chance(tally: &Tally) -> f64 {
    100.0 - 100.0 * number(tally.non_subsumed) / number(tally.total.max(1))
}

/// \[003\] Fig. 23 with guidelines, in per cent.
pub fn chance_with_guidelines(tally: &Tally) -> f64 {
    let left = (tally.total - tally.violating).max(1);
    100.0 - 100.0 * number(tally.non_subsumed) / number(left)
}

fn dead_additions(run: &StudyRun) -> Result<u64> {
    let game = run.study.game()?;
    let mutations = Mutations::of(&game, &MutationOptions::default());
    let mut dead = 0;
    for (mutation, record) in mutations.iter().zip(run.records()?) {
        let is_bad = matches!(record?.verdict, Verdict::Subsumed | Verdict::Inconsistent);
        if !is_bad || !matches!(mutation, Mutation::AddEdge { role: Role::Output, .. }) {
            continue;
        }
        let mutant = mutation.apply(&game);
        let added = mutant.edges().ids().last();
        if let Ok(analysis) = analyse(&mutant, &Budget::unlimited())? {
            dead += u64::from(added.is_some_and(|edge| analysis.dead_edges.contains(&edge)));
        }
    }
    Ok(dead)
}

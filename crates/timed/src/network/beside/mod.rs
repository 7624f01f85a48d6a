//! The runs that a mutant of a network has in common with the original, without a composition of the mutant
//! (`docs/notes/0024-beside-the-original.md`).
//!
//! Every discrete state on these runs is one of the original, so its steps are known there, and those of the mutant are computed
//! only where it differs. Where the mutant can do something that the original cannot, the run *leaves* the original. That counts if
//! the mutant can go on from there for ever; what else is left of it is pruned.

mod bounds;
mod future;
mod nodes;
mod run;
mod safe;
mod walk;

use super::classes::Channels;
use super::moves::MoveGenerator;
use super::original::SharedSteps;
use super::{Network, Original, Side};
use crate::model::{MAX_CLOCKS, Role};
use bounds::WalkBounds;
use nodes::Nodes;
use tamper_text::Budget;

pub use run::Departure;

/// A question about a mutant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Asked {
    /// Whether the mutant is pruned: runs that get stuck do not count.
    pub prune: bool,
    /// Whether it is known that the mutant refines the original if it is consistent.
    pub refines: bool,
}

/// The answer of the common runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Along {
    /// It is consistent, and refines the original.
    Stays,
    /// It is not consistent.
    Stuck,
    /// A run that leaves the original tells the two apart.
    Told,
    /// Nothing.
    Open,
}

/// The reason why a walk ends before it is done.
enum Stop {
    /// A larger constant turned up: the zones have to be computed again.
    Again,
    /// Nothing is known about what was met.
    Open,
    /// A search for a run that goes on for ever took too long.
    Unclear,
    /// A limit was hit.
    Limit,
}

impl Original {
    /// Asks the runs that `mutant` and the original have in common about the mutant. `tells` is asked about runs that leave
    /// the original: whether the original cannot follow. [`Along::Open`] wherever the proof does not hold, or a limit was hit.
    ///
    /// # Panics
    /// If the view does not have one side per process.
    pub fn beside(
        &self,
        mutant: &Network,
        asked: Asked,
        budget: &Budget,
        tells: &mut dyn FnMut(&Departure<'_>) -> bool,
    ) -> Along {
        let Some(kept) = SharedSteps::of(self, mutant) else {
            return Along::Open;
        };
        let channels = Channels::new(mutant).joined(Channels::new(&self.network));
        let Some(bounds) = WalkBounds::of(mutant, &self.network) else {
            return Along::Open;
        };
        let own = Channels::new(&self.network);
        let has_inputs = self.has_inputs(&own) || (!asked.refines && self.has_inputs(&channels));
        if has_inputs || !self.is_whole(mutant) || !safe::cannot_fail(mutant) {
            return Along::Open;
        }
        let nodes = Nodes::new(
            MoveGenerator::new(mutant, &self.view, &channels),
            MoveGenerator::new(&self.network, &self.view, &own),
            kept,
            bounds,
        );
        walk::walk(nodes, asked, budget, tells)
    }

    /// Whether steps may be inputs, with these users of the channels.
    fn has_inputs(&self, channels: &Channels) -> bool {
        let alphabet = channels.n_channels();
        let broadcast = |at: u32| {
            let known = self.network.channels.get(at as usize);
            known.is_some_and(|channel| channel.broadcast)
        };
        (0..alphabet).any(|at| channels.roles(at, broadcast(at), &self.view).contains(&Role::Input))
    }

    /// Whether every process is under test, and nothing is hidden.
    fn is_whole(&self, mutant: &Network) -> bool {
        let view = &self.view;
        mutant.clocks.len() <= MAX_CLOCKS
            && view.sides.iter().all(|side| *side == Side::System)
            && !view.hide_internal
            && view.observe.is_empty()
    }
}

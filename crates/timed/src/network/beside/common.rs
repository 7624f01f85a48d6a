//! The hypotheses under which the common runs tell something.

use super::super::classes::Channels;
use super::super::moves::MoveGenerator;
use super::super::original::SharedSteps;
use super::super::{Network, Original, Side};
use super::answer::{Along, Asked};
use super::bounds::WalkBounds;
use super::nodes::Nodes;
use super::run::Departure;
use super::{safe, walk};
use crate::model::{MAX_CLOCKS, Role};
use tamper_text::Budget;

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

//! The hypotheses under which the common runs tell something.

use super::super::classes::Channels;
use super::super::moves::{MoveGenerator, State};
use super::super::original::SharedSteps;
use super::super::{Network, Original, Side};
use super::answer::{Along, Asked, Known};
use super::bounds::WalkBounds;
use super::deadlines::Deadlines;
use super::nodes::Nodes;
use super::run::Departure;
use super::{safe, walk};
use crate::model::MAX_CLOCKS;
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
        if !self.is_whole(mutant) || !safe::is_plain(mutant) {
            return Along::Open;
        }
        let Some(kept) = SharedSteps::of(self, mutant) else {
            return Along::Open;
        };
        let channels = Channels::new(mutant).joined(Channels::new(&self.network));
        let Some(bounds) = WalkBounds::of(mutant, &self.network) else {
            return Along::Open;
        };
        let own = Channels::new(&self.network);
        // What is known to refine need not be followed wherever it goes, if no run of it can end in a fault.
        let has_inputs = asked.inputs && channels.has_inputs(mutant, &self.view);
        let is_safe = safe::cannot_fail(mutant);
        let known = match (asked.refines, has_inputs) {
            (true, _) if is_safe => Known::RefinesSafely,
            (true, true) => Known::Refines,
            (false, true) => Known::NothingWithInputs,
            (_, false) => Known::Nothing,
        };
        if own.has_inputs(&self.network, &self.view) {
            return Along::Open;
        }
        let nodes = Nodes::new(
            MoveGenerator::new(mutant, &self.view, &channels),
            MoveGenerator::new(&self.network, &self.view, &own),
            kept,
            bounds,
        );
        let deadlines = Deadlines::of(mutant, &self.view, &channels);
        walk::walk(nodes, deadlines, known, asked.prune, budget, tells)
    }

    /// Whether deadlines of some processes tell that all runs of `mutant` from the states get stuck: what tests ask.
    #[doc(hidden)]
    pub fn told_stuck(&self, mutant: &Network, states: &[State]) -> Vec<bool> {
        let channels = Channels::new(mutant).joined(Channels::new(&self.network));
        let mut deadlines = Deadlines::of(mutant, &self.view, &channels);
        states.iter().map(|state| deadlines.end_all(state)).collect()
    }

    /// Whether every process is under test, and nothing is hidden.
    fn is_whole(&self, mutant: &Network) -> bool {
        let view = &self.view;
        mutant.clocks.len() <= MAX_CLOCKS && view.sides.iter().all(|side| *side == Side::System) && !view.hide_internal
    }
}

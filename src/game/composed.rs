//! Mutants of compositions, from what is known about the composition (`docs/notes/0017-mutants-of-networks.md`).

use super::baseline::Baseline;
use super::forward::Scratch;
use super::likeness::Likeness;
use super::product::{ActionMap, Product};
use super::specification::{Consistency, Decision, Method, Specification, Verdict, consistent_arena, play};
use super::unanswered;
use crate::model::{Automaton, LocId};
use crate::symbolic::{Arena, GameError, Halt, Node, Within, lower, prune_within};
use crate::text::{Budget, Id as _};
use crate::zones::Dbm;

/// What a mutant was made from, where that is a composition.
#[derive(Clone, Copy, Debug)]
pub struct Origin<'a> {
    /// The facts about the original game.
    pub baseline: &'a Baseline,
    /// Per location, the mutant's location of the same discrete state.
    pub same: &'a [Option<LocId>],
    /// Per location of the mutant, a zone that has all values with which its runs reach it; empty where that is not known.
    pub reach: &'a [Dbm],
}

impl Specification {
    /// The verdict on the mutant of a composition, as of [`Self::decide`].
    ///
    /// # Errors
    /// Games without a meaning.
    pub fn decide_from(
        &self,
        mutant: &Automaton,
        origin: Origin<'_>,
        budget: &Budget,
        scratch: &mut Scratch,
    ) -> Result<Decision, GameError> {
        let lowered = self.reached_arena(mutant, origin.reach, budget);
        self.decide_lowered(mutant, lowered, |(left, within)| {
            self.decide_consistent(mutant, left, within, origin, budget, scratch)
        })
    }

    /// Whether the mutant of a composition has a consistent initial state, as of [`Self::check_consistency`]. `reach` is as in
    /// [`Origin`].
    ///
    /// # Errors
    /// Games without a meaning.
    pub fn check_consistency_within(
        &self,
        mutant: &Automaton,
        reach: &[Dbm],
        budget: &Budget,
    ) -> Result<Consistency, GameError> {
        Consistency::of(self.reached_arena(mutant, reach, budget))
    }

    /// The lowered game, pruned on demand in the states that its runs reach, and what is left of them.
    fn reached_arena(
        &self,
        mutant: &Automaton,
        reach: &[Dbm],
        budget: &Budget,
    ) -> Result<Option<(Arena, Within)>, Halt> {
        if !self.semantics().prune || reach.len() != mutant.locations().len() || !mutant.ints().is_empty() {
            let arena = consistent_arena(mutant, self.semantics().prune, budget)?;
            return Ok(arena.map(|arena| (arena, Within::All)));
        }
        let Some(mut arena) = lower(mutant, budget)? else {
            return Ok(None);
        };
        let zone_of = |node: &Node| reach[node.location.index()].clone();
        let zones = arena.nodes.iter().map(zone_of).collect();
        Ok(match prune_within(&mut arena, zones, budget)? {
            Within::Nothing => None,
            left => Some((arena, left)),
        })
    }

    /// The verdict on a mutant of a composition that is consistent.
    fn decide_consistent(
        &self,
        mutant: &Automaton,
        mut left: Arena,
        within: Within,
        origin: Origin<'_>,
        budget: &Budget,
        scratch: &mut Scratch,
    ) -> Result<Decision, Halt> {
        let right = &self.behind(left.n_clocks);
        let unmatched = self.semantics().unmatched;
        let actions = ActionMap::renumbering(&mut left, mutant, self.automaton());
        let product = Product {
            left: &left,
            right,
            actions,
            unmatched,
        };
        // Neither needs the game; a limit that is hit here is hit by the game, or it decides.
        if unanswered::ends_unanswered(&product, budget, scratch).unwrap_or(false) {
            return Ok(Decision {
                verdict: Verdict::NonSubsumed,
                method: Method::Unanswered,
            });
        }
        if origin.baseline.keeps(&left, origin.same) {
            return Ok(Decision {
                verdict: Verdict::Subsumed,
                method: Method::Diagonal,
            });
        }
        let mut actions = product.actions;
        if within == Within::Part {
            left = consistent_arena(mutant, self.semantics().prune, budget)?.expect("a consistent game");
            actions = ActionMap::renumbering(&mut left, mutant, self.automaton());
        }
        let product = Product {
            left: &left,
            right,
            actions,
            unmatched,
        };
        play(&product, Likeness::Known(origin.same), budget, scratch)
    }
}

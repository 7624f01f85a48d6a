//! Verdicts on mutants of compositions, from facts about the composition (`docs/notes/0017-mutants-of-networks.md`).

use super::analysis::Consistency;
use super::answer_heuristic::LocationCorrespondence;
use super::baseline::Baseline;
use super::baseline::diagonal::Diagonal;
use super::forward::Scratch;
use super::product::{ActionMap, ArenaProduct};
use super::specification::{Decision, Method, Specification, Verdict, consistent_arena, play};
use super::unanswered;
use crate::symbolic::{Arena, GameError, Halt, INITIAL, Node, Within, consistency, is_calm, lower, prune_within};
use tamper_text::{Budget, Id as _};
use tamper_timed::model::{Automaton, LocId, Role};
use tamper_zones::Dbm;

/// The composition that a mutant was made from.
#[derive(Clone, Copy, Debug)]
pub struct Origin<'a> {
    /// The facts about the original game.
    pub baseline: &'a Baseline,
    /// Per location, the mutant's location of the same discrete state.
    pub same: &'a [Option<LocId>],
    /// Per location of the mutant, a zone that contains all clock values with which its runs reach it; empty if unknown.
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
        let lowered = lower(mutant, budget);
        self.decide_lowered(mutant, lowered, |arena| {
            match self.reached_arena(mutant, Some(arena), origin.reach, budget)? {
                Some((left, within)) => self.decide_consistent(mutant, left, within, origin, budget, scratch),
                None => Ok(Decision {
                    verdict: Verdict::Inconsistent,
                    method: Method::Consistency,
                }),
            }
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
        let lowered = lower(mutant, budget);
        if let Ok(Some(arena)) = &lowered
            && self.is_plainly_consistent(mutant, arena, reach)
        {
            return Ok(Consistency::Consistent);
        }
        Consistency::of(lowered.and_then(|arena| self.reached_arena(mutant, arena, reach, budget)))
    }

    /// The lowered game, pruned on demand in the states that its runs reach, with the consistency of these states.
    fn reached_arena(
        &self,
        mutant: &Automaton,
        lowered: Option<Arena>,
        reach: &[Dbm],
        budget: &Budget,
    ) -> Result<Option<(Arena, Within)>, Halt> {
        let prune = self.semantics().prune;
        let Some(mut arena) = lowered else { return Ok(None) };
        if !prune || reach.len() != mutant.locations().len() || !mutant.ints().is_empty() {
            let is_left = !prune || consistency::prune(&mut arena, budget)?;
            return Ok(is_left.then_some((arena, Within::All)));
        }
        let zone_of = |node: &Node| reach[node.location.index()].clone();
        let zones = arena.nodes.iter().map(zone_of).collect();
        Ok(match prune_within(&mut arena, zones, budget)? {
            Within::Nothing => None,
            left => Some((arena, left)),
        })
    }

    /// Whether the initial state is consistent, and that is seen without pruning.
    fn is_plainly_consistent(&self, mutant: &Automaton, arena: &Arena, reach: &[Dbm]) -> bool {
        !self.semantics().prune || has_calm_run(mutant, arena, reach) || can_wait(arena)
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
        let product = ArenaProduct {
            left: &left,
            right,
            actions,
            unmatched,
        };
        // Neither check needs the game; if one of them hits a limit, the game hits it as well, or decides.
        if unanswered::ends_unanswered(&product, budget, scratch).unwrap_or(false) {
            return Ok(Decision {
                verdict: Verdict::NonSubsumed,
                method: Method::Unanswered,
            });
        }
        let diagonal = Diagonal::of(origin.baseline, &left, origin.same, within);
        let stays = |diagonal: Diagonal<'_>| diagonal.stays(budget).unwrap_or(false);
        if diagonal.is_some_and(stays) {
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
        let product = ArenaProduct {
            left: &left,
            right,
            actions,
            unmatched,
        };
        play(&product, LocationCorrespondence::Known(origin.same), budget, scratch)
    }
}

/// Whether runs reach every node of a mutant without inputs, and some node in which time can pass for ever.
fn has_calm_run(mutant: &Automaton, arena: &Arena, reach: &[Dbm]) -> bool {
    let are_reached = reach.len() == mutant.locations().len() && mutant.ints().is_empty();
    let has_inputs = arena.moves.iter().any(|step| step.role == Role::Input);
    are_reached && !has_inputs && arena.nodes.ids().any(|node| is_calm(arena, node))
}

/// Whether the game can wait for ever in its initial state, and accepts no input there.
fn can_wait(arena: &Arena) -> bool {
    let mut inputs = arena.moves_of(INITIAL).iter().filter(|step| step.role == Role::Input);
    is_calm(arena, INITIAL) && inputs.next().is_none()
}

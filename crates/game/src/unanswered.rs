//! Runs of a mutant that end in an output that the specification never makes.
//!
//! On a run of outputs, internal steps and delays only the mutant moves, whatever the specification answers. If it ends in
//! a move of the mutant that no move of the specification answers, anywhere, the mutant does not refine it: no pair of
//! states has to be examined (`docs/notes/0017-mutants-of-networks.md`). The specification is replaced by a game that lets
//! time pass, makes every output and internal step that the specification makes somewhere, and accepts no input.

use std::collections::BTreeMap;

use super::fixpoint::challenge_at;
use super::forward::{self, ForwardOutcome, Scratch};
use super::product::{ArenaProduct, Challenge, Mover};
use crate::symbolic::{Arena, Halt, INITIAL, Move, Node, Pair, PairProduct as _, zone_ops};
use tamper_text::{Budget, Id as _};
use tamper_timed::model::{ActionId, LocId, Role};
use tamper_zones::Dbm;

/// Whether a run of outputs, internal steps and delays of the left game ends in a move that the right game never answers.
pub(super) fn ends_unanswered(
    product: &ArenaProduct<'_>,
    budget: &Budget,
    scratch: &mut Scratch,
) -> Result<bool, Halt> {
    let lenient = lenient(product.right);
    let against_lenient = ArenaProduct {
        left: product.left,
        right: &lenient,
        actions: product.actions.clone(),
        unmatched: product.unmatched,
    };
    if !has_unanswered(&against_lenient) {
        return Ok(false);
    }
    let outcome = forward::explore(&against_lenient, budget, scratch)?;
    Ok(outcome == ForwardOutcome::Fails && is_run(&against_lenient, &scratch.path()))
}

/// Whether some run takes a path, given from its end, to a challenge without an answer: its zones are recomputed without
/// extrapolation, so that all their points are on runs.
fn is_run(product: &ArenaProduct<'_>, path: &[(Pair, Option<u32>)]) -> bool {
    let mut entered = vec![Dbm::zero(product.dim())];
    for (at, (pair, position)) in path.iter().enumerate().rev() {
        let Some(challenge) = position.and_then(|position| challenge_at(product, *pair, position)) else {
            return false;
        };
        let delayed = entered
            .into_iter()
            .flat_map(|zone| product.delayed(*pair, zone).into_zones());
        let delayed: Vec<Dbm> = delayed.collect();
        let cases = product.enabled(challenge);
        let posed = delayed
            .iter()
            .flat_map(|zone| cases.clone().filter_map(move |atoms| zone_ops::restricted(zone, atoms)));
        let posed: Vec<Dbm> = posed.collect();
        let Some(answer) = product.answers(challenge, *pair).next() else {
            return at == 0 && !posed.is_empty();
        };
        entered = posed;
        for zone in &mut entered {
            product.reset(zone, challenge, answer);
        }
    }
    false
}

/// Whether some node of the left game has a move that the right game, which has one node, does not answer.
fn has_unanswered(product: &ArenaProduct<'_>) -> bool {
    let mover = Mover::Left;
    let mut moves = product.left.moves.iter();
    moves.any(|step| step.role != Role::Input && is_possible(step) && is_unanswered(product, Challenge { mover, step }))
}

/// Whether the right game, which has one node, has no answer to a challenge.
pub(super) fn is_unanswered<'a>(product: &ArenaProduct<'a>, challenge: Challenge<'a>) -> bool {
    product.answers(challenge, (INITIAL, INITIAL)).next().is_none()
}

fn is_possible(step: &Move) -> bool {
    step.enabled.start < step.enabled.end
}

/// The game of one state that makes each output and internal step that `arena` makes anywhere, whenever it likes.
pub(super) fn lenient(arena: &Arena) -> Arena {
    let nodes = arena.nodes.ids();
    let made = nodes
        .flat_map(|node| arena.moves_of(node))
        .filter(|step| step.role != Role::Input && is_possible(step));
    let actions: BTreeMap<ActionId, Role> = made.map(|step| (step.action, step.role)).collect();
    let mut lenient = Arena::default();
    let always = lenient.push_conjunction([]);
    let enabled = lenient.push_cases([always]);
    let first = lenient.moves.next_id();
    lenient.moves.extend(actions.into_iter().map(|(action, role)| Move {
        edge: None,
        action,
        role,
        guard: always,
        resets: (0, 0),
        target: INITIAL,
        enabled,
    }));
    lenient.nodes.push(Node {
        location: LocId::from_index(0),
        values: 0,
        urgent: false,
        atomic: false,
        invariant: always,
        moves: first..lenient.moves.next_id(),
        alive: enabled,
    });
    lenient
}

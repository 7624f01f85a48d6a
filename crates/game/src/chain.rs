//! Single runs of a mutant: if the specification cannot follow one run, the mutant does not refine it, whatever else the
//! mutant does (`docs/notes/0021-runs-that-leave.md`).
//!
//! Only for mutants without inputs: then a game that makes fewer outputs refines one that makes more.

use super::answer_heuristic::LocationCorrespondence;
use super::baseline::check::Leaving;
use super::baseline::diagonal::{Departure, Diagonal};
use super::forward::Scratch;
use super::future::Future;
use super::product::{ArenaProduct, Challenge, Mover};
use super::specification::{Verdict, play};
use super::unanswered::{is_unanswered, lenient};
use crate::symbolic::{Arena, Halt, INITIAL, Move, MoveId, Node, NodeId, bounds, consistency, index};
use tamper_text::{Budget, Id as _};
use tamper_timed::model::Role;

/// Most symbolic states of the game along one run, and of the search for the end of a run.
const MOST_STATES: u64 = 20_000;
/// Most runs that are played for one mutant, and most of them that leave by the same action.
const MOST_RUNS: usize = 16;
const MOST_ALIKE: usize = 4;

/// The result of comparing a consistent mutant with the original along the runs that both have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Along {
    /// No run leaves the states of the original.
    Stays,
    /// A run ends in a move that the specification never answers.
    Unanswered,
    /// The specification cannot follow one of the runs that were played.
    Lost,
    /// Some runs leave, but the specification follows the ones that were played, or the outcome is unknown.
    Open,
}

/// Whether a game has inputs.
pub(super) fn has_inputs(arena: &Arena) -> bool {
    arena.moves.iter().any(|step| step.role == Role::Input)
}

/// Compares a consistent mutant without inputs, unpruned, with the original, and plays runs that leave it.
pub(super) fn along_runs(
    product: &ArenaProduct<'_>,
    diagonal: &Diagonal<'_>,
    heuristic: LocationCorrespondence<'_>,
    budget: &Budget,
    scratch: &mut Scratch,
) -> Result<Along, Halt> {
    let lenient = lenient(product.right);
    let against_lenient = ArenaProduct {
        left: product.left,
        right: &lenient,
        actions: product.actions.clone(),
        unmatched: product.unmatched,
    };
    let limited = Budget {
        max_states: Some(budget.max_states.unwrap_or(MOST_STATES).min(MOST_STATES)),
        ..budget.clone()
    };
    let mut played = Vec::new();
    let mut found = Along::Open;
    let stays = diagonal.explore(budget, |departure| {
        let step = match departure.by {
            Leaving::Move(step) => Some(&product.left.moves[step]),
            Leaving::Delay | Leaving::Input => None,
        };
        let action = step.map(|step| step.action);
        if played.iter().filter(|known| **known == action).count() >= MOST_ALIKE {
            return Ok(true);
        }
        played.push(action);
        let mover = Mover::Left;
        let is_never_answered = step.is_some_and(|step| is_unanswered(&against_lenient, Challenge { mover, step }));
        // If a limit is hit, nothing is known.
        if let Ok(Some(run)) = completed(product.left, diagonal, departure, &limited) {
            if is_never_answered {
                found = Along::Unanswered;
            } else if loses(product, &run, heuristic, &limited, scratch)? {
                found = Along::Lost;
            }
        }
        Ok(found == Along::Open && played.len() < MOST_RUNS)
    })?;
    Ok(if stays { Along::Stays } else { found })
}

/// The moves of the departing run, extended to a node in which time can pass for ever; `None` if no run from there leads to
/// one.
fn completed(
    mutant: &Arena,
    diagonal: &Diagonal<'_>,
    departure: Departure,
    budget: &Budget,
) -> Result<Option<Vec<MoveId>>, Halt> {
    let mut future = Future::new(mutant, diagonal.bounds(), budget);
    depart(&mut future, mutant, diagonal, &departure)?;
    let Some(rest) = future.calm()? else { return Ok(None) };
    let mut run = departure.run;
    run.extend(match departure.by {
        Leaving::Move(step) => Some(step),
        Leaving::Delay | Leaving::Input => None,
    });
    run.extend(rest);
    Ok(Some(run))
}

/// Adds to `future` the states in which the mutant has left the original.
fn depart(future: &mut Future<'_>, mutant: &Arena, diagonal: &Diagonal<'_>, departure: &Departure) -> Result<(), Halt> {
    match departure.by {
        Leaving::Input => Ok(()),
        Leaving::Move(step) => future.enter_by(&departure.zone, &mutant.moves[step]).map(|_| ()),
        Leaving::Delay => {
            let late = diagonal.late(departure);
            late.into_iter().try_for_each(|late| future.enter(departure.node, late))
        }
    }
}

/// Whether the specification cannot follow the run, which is pruned to the values that can complete it.
fn loses(
    product: &ArenaProduct<'_>,
    run: &[MoveId],
    heuristic: LocationCorrespondence<'_>,
    budget: &Budget,
    scratch: &mut Scratch,
) -> Result<bool, Halt> {
    let mut chain = chain(product.left, run);
    let alone = consistency::prune(&mut chain, budget).and_then(|is_consistent| {
        let product = ArenaProduct {
            left: &chain,
            right: product.right,
            actions: product.actions.clone(),
            unmatched: product.unmatched,
        };
        let decision = play(&product, heuristic, budget, scratch)?;
        Ok(is_consistent && decision.verdict == Verdict::NonSubsumed)
    });
    match alone {
        Err(Halt::Stopped(_)) => Ok(false),
        decided => decided,
    }
}

/// The game that makes the moves of a run of `mutant`, one after the other, and nothing else.
fn chain(mutant: &Arena, run: &[MoveId]) -> Arena {
    let mut chain = Arena {
        n_clocks: mutant.n_clocks,
        ..Arena::default()
    };
    let entered = run.iter().map(|step| mutant.moves[*step].target);
    let visited: Vec<NodeId> = std::iter::once(INITIAL).chain(entered).collect();
    for (at, node) in visited.iter().enumerate() {
        let parts = mutant.node(*node);
        let invariant = chain.push_conjunction(mutant.atoms_of(parts.invariant).iter().copied());
        let alive = chain.push_cases([invariant]);
        let (first, end) = (MoveId::from_index(at), MoveId::from_index(run.len().min(at + 1)));
        chain.nodes.push(Node {
            invariant,
            moves: first..end,
            alive,
            values: 0,
            ..parts.clone()
        });
    }
    for (at, step) in run.iter().enumerate() {
        let parts = &mutant.moves[*step];
        let guard = chain.push_conjunction(mutant.atoms_of(parts.guard).iter().copied());
        let start = index(chain.resets.len());
        chain.resets.extend_from_slice(mutant.resets_of(parts));
        let mut step = Move {
            guard,
            resets: (start, index(chain.resets.len())),
            target: NodeId::from_index(at + 1),
            ..parts.clone()
        };
        step.enabled = consistency::push_enabled(&mut chain, &step, step.target);
        chain.moves.push(step);
    }
    chain.max_bounds = bounds::per_node(&chain);
    chain
}

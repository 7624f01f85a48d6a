//! A game without its inconsistent states, as an automaton.

use super::ConstructionError;
use super::parts::{UniqueNames, Way, add_edges, guard};
use crate::symbolic::{Arena, INITIAL, Lowering, NodeId, consistency, explore, zone_ops};
use tamper_text::{Budget, IndexVec};
use tamper_timed::model::{Automaton, AutomatonBuilder, LocId, Location};
use tamper_zones::{Dbm, Federation};

/// The game restricted to its consistent states (David et al. 2010, *pruning*); the game itself if its runs reach no other
/// states.
///
/// The invariant of a location describes the consistent states among the states that runs reach there. Integers become
/// parts of locations.
///
/// # Errors
/// If the game is inconsistent or has no meaning, if its consistent states in some location are not a conjunction, or if a
/// limit was hit.
pub fn pruned(game: &Automaton, budget: &Budget) -> Result<Automaton, ConstructionError> {
    let inconsistent = || ConstructionError::Inconsistent(game.name().to_owned());
    let mut lowering = Lowering::start(game)?.ok_or_else(inconsistent)?;
    let reach = explore(&mut lowering, budget)?;
    let mut arena = lowering.finish();
    if !consistency::prune(&mut arena, budget)? {
        return Err(inconsistent());
    }
    let mut kept = IndexVec::new();
    for (node, zones) in reach.zones.iter_enumerated() {
        kept.push(
            left(&arena, node, zones).map_err(|NoConjunction| ConstructionError::NoInvariant {
                game: game.name().to_owned(),
                location: game.locations()[arena.node(node).location].name.to_string(),
            })?,
        );
    }
    if kept
        .iter()
        .all(|kept| !matches!(kept, ConsistentPart::Part(_) | ConsistentPart::Nothing))
    {
        return Ok(game.clone());
    }
    Ok(rebuilt(game, &arena, &kept))
}

/// The consistent part of a node.
enum ConsistentPart {
    /// No run reaches the node.
    Unreached,
    /// No state that runs reach is consistent.
    Nothing,
    /// All states that runs reach are consistent.
    All,
    /// The states in the zone are consistent.
    Part(Dbm),
}

/// The consistent states of a node are not a zone among the states that runs reach.
struct NoConjunction;

fn left(arena: &Arena, node: NodeId, reached: &[Dbm]) -> Result<ConsistentPart, NoConjunction> {
    if reached.is_empty() {
        return Ok(ConsistentPart::Unreached);
    }
    let reached = Federation::from_zones(arena.dim(), reached.iter().cloned());
    let alive = zone_ops::federation(arena.dim(), arena.alive(node));
    if alive.includes(&reached) {
        return Ok(ConsistentPart::All);
    }
    let mut kept = reached.clone();
    kept.intersect(&alive);
    let hull = kept.zones().iter().cloned().reduce(|hull, zone| hull.hull(&zone));
    let Some(hull) = hull else {
        return Ok(ConsistentPart::Nothing);
    };
    let mut within = reached;
    within.intersect_dbm(&hull);
    match alive.includes(&within) {
        true => Ok(ConsistentPart::Part(hull)),
        false => Err(NoConjunction),
    }
}

fn rebuilt(game: &Automaton, arena: &Arena, kept: &IndexVec<NodeId, ConsistentPart>) -> Automaton {
    let mut builder = AutomatonBuilder::new(game.name());
    builder.input_enabled(game.is_input_enabled());
    for clock in game.clocks().iter() {
        builder.clock_like(clock, clock.name.clone());
    }
    for action in game.actions().iter() {
        builder.action(&action.name, action.role, action.urgent);
    }
    let mut names = UniqueNames::default();
    let mut places: IndexVec<NodeId, Option<LocId>> = IndexVec::new();
    for (node, kept) in kept.iter_enumerated() {
        let known = &game.locations()[arena.node(node).location];
        let invariant =
            || zone_ops::restricted(&Dbm::universe(arena.dim()), arena.atoms_of(arena.node(node).invariant));
        let zone = match kept {
            ConsistentPart::Unreached | ConsistentPart::Nothing => None,
            ConsistentPart::All => invariant(),
            ConsistentPart::Part(zone) => Some(zone.clone()),
        };
        places.push(zone.map(|zone| {
            builder.location(Location {
                name: names.unique(&known.name).into(),
                invariant: guard(&zone),
                urgency: known.urgency,
            })
        }));
    }
    builder.initial(places[INITIAL].expect("the initial state is consistent"));
    for node in arena.nodes.ids() {
        for step in arena.moves_of(node) {
            let (Some(source), Some(target), Some(_)) = (places[node], places[step.target], step.edge) else {
                continue;
            };
            let way = Way {
                source,
                target,
                action: step.action,
                resets: arena.resets_of(step).to_vec(),
            };
            add_edges(
                &mut builder,
                &way,
                zone_ops::federation(arena.dim(), arena.cases(step.enabled)),
            );
        }
    }
    builder
        .build()
        .expect("the parts are those of a game")
        .with_atomic_steps(game.is_atomic())
}

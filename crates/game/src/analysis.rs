//! Facts about one game: the states that its runs reach, whether it is deterministic, and where time stops.

mod zeno;

use std::collections::{BTreeMap, BTreeSet};

use crate::symbolic::{Arena, GameError, Halt, Lowering, Move, NodeId, ReachedZones, consistency, explore, zone_ops};
use tamper_text::{Budget, StopReason};
use tamper_timed::model::{Automaton, EdgeId, LocId, Role};
use tamper_zones::{Dbm, Federation};

/// Two edges of one location and one action that can be enabled together (the same edge twice: two values of its
/// select variables).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Overlap {
    /// The edge that comes first in the file.
    pub first: EdgeId,
    /// The other edge.
    pub second: EdgeId,
}

/// The answer to a consistency question.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Consistency {
    /// The initial state is consistent.
    Consistent,
    /// It is not, or the initial invariant does not hold at the start.
    Inconsistent,
    /// A limit was hit before consistency was decided.
    Unknown(StopReason),
}

impl Consistency {
    /// The answer for a game with this consistent part.
    pub(super) fn of<T>(consistent: Result<Option<T>, Halt>) -> Result<Self, GameError> {
        Ok(match Halt::sorted(consistent)? {
            Ok(Some(_)) => Self::Consistent,
            Ok(None) => Self::Inconsistent,
            Err(reason) => Self::Unknown(reason),
        })
    }
}

/// Facts about one game, without pruning.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Analysis {
    /// Whether the initial state is consistent.
    pub consistency: Consistency,
    /// Locations that no run reaches.
    pub unreachable: Vec<LocId>,
    /// Edges that no run takes.
    pub dead_edges: Vec<EdgeId>,
    /// Pairs of edges that make the game non-deterministic: enabled together in a state that a run reaches.
    pub overlaps: Vec<Overlap>,
    /// Pairs whose guards intersect within the source's invariant, reached or not: a superset of `overlaps` that
    /// needs no exploration.
    pub syntactic_overlaps: Vec<Overlap>,
    /// Locations with a reached state from which time cannot pass for ever and no edge is ever enabled again.
    pub time_locks: Vec<LocId>,
    /// Locations with a reached state that is not consistent.
    pub inconsistent: Vec<LocId>,
    /// The edges of a circle of outputs and internal steps that some run takes for ever while no time passes; empty if none
    /// was found.
    pub zeno_circle: Vec<EdgeId>,
    /// Discrete states (location and integers) that runs reach.
    pub n_discrete: usize,
    /// The number of zones that were explored.
    pub n_zones: usize,
}

/// The facts about `game`; the inner `Err` is the stop reason if the budget was hit.
///
/// # Errors
/// Games without a meaning.
pub fn analyse(game: &Automaton, budget: &Budget) -> Result<Result<Analysis, StopReason>, GameError> {
    Halt::sorted(try_analyse(game, budget))
}

/// The name of a location in which an inconsistent game gets stuck: a location without outputs in which runs reach
/// inconsistent states, if the budget suffices to find one, else the initial location; `None` if the game has no state.
pub(super) fn lost_in(game: &Automaton, budget: &Budget) -> Option<String> {
    let found = match try_analyse(game, budget) {
        Ok(facts) if facts.n_discrete == 0 => return None,
        Ok(facts) => facts.inconsistent,
        Err(_) => Vec::new(),
    };
    let is_output = |id: &EdgeId| game.role(*id) != Role::Input;
    let answers = |at: LocId| {
        game.edges()
            .ids()
            .filter(is_output)
            .any(|id| game.edges()[id].source == at)
    };
    let stuck = found.into_iter().find(|at| !answers(*at));
    Some(game.locations()[stuck.unwrap_or(game.initial())].name.to_string())
}

/// Pairs of input edges of `game` that allow two different answers in a state that a run reaches; the inner `Err` is the
/// stop reason if the budget was hit. Runs are explored only if guards and invariants do not exclude all overlaps.
///
/// # Errors
/// Games without a meaning.
pub fn input_overlaps(game: &Automaton, budget: &Budget) -> Result<Result<Vec<Overlap>, StopReason>, GameError> {
    let is_input = |overlap: &Overlap| game.role(overlap.first) == Role::Input;
    let overlaps = || -> Result<Vec<Overlap>, Halt> {
        // An edge with select variables may overlap itself.
        let mut edges = game.edges().iter_enumerated();
        let selects = edges.any(|(id, edge)| game.role(id) == Role::Input && !edge.selects.is_empty());
        if !selects && !syntactic_overlaps(game, budget)?.iter().any(is_input) {
            return Ok(Vec::new());
        }
        let found = explored(game, budget, |facts| facts.overlaps(budget))?;
        Ok(found.into_iter().flatten().filter(is_input).collect())
    };
    Halt::sorted(overlaps())
}

/// Applies `ask` to the facts about the states that runs of `game` reach; `None` if it has no initial state.
fn explored<T>(
    game: &Automaton,
    budget: &Budget,
    ask: impl FnOnce(&ReachedArena<'_>) -> Result<T, StopReason>,
) -> Result<Option<T>, Halt> {
    let Some(mut lowering) = Lowering::start(game)? else {
        return Ok(None);
    };
    let reach = explore(&mut lowering, budget)?;
    let arena = lowering.finish();
    let facts = ReachedArena {
        arena: &arena,
        reach: &reach,
    };
    Ok(Some(ask(&facts)?))
}

/// Whether some run of `game` takes one of `edges`; the inner `Err` is the stop reason if the budget was hit.
///
/// # Errors
/// Games without a meaning.
pub fn takes_any(game: &Automaton, edges: &[EdgeId], budget: &Budget) -> Result<Result<bool, StopReason>, GameError> {
    if edges.is_empty() {
        return Ok(Ok(false));
    }
    let taken = explored(game, budget, |facts| facts.taken(budget));
    let is_taken = |taken: BTreeSet<EdgeId>| edges.iter().any(|edge| taken.contains(edge));
    Halt::sorted(taken.map(|taken| taken.is_some_and(is_taken)))
}

fn try_analyse(game: &Automaton, budget: &Budget) -> Result<Analysis, Halt> {
    let syntactic_overlaps = syntactic_overlaps(game, budget)?;
    let Some(mut lowering) = Lowering::start(game)? else {
        return Ok(Analysis {
            consistency: Consistency::Inconsistent,
            unreachable: game.locations().ids().collect(),
            dead_edges: game.edges().ids().collect(),
            overlaps: Vec::new(),
            syntactic_overlaps,
            time_locks: Vec::new(),
            inconsistent: Vec::new(),
            zeno_circle: Vec::new(),
            n_discrete: 0,
            n_zones: 0,
        });
    };
    let reach = explore(&mut lowering, budget)?;
    let arena = lowering.finish();
    let facts = ReachedArena {
        arena: &arena,
        reach: &reach,
    };
    let reached: BTreeSet<LocId> = facts.nodes().map(|(node, _)| arena.node(node).location).collect();
    let taken = facts.taken(budget)?;
    let mut pruned = arena.clone();
    let is_consistent = consistency::prune(&mut pruned, budget)?;
    Ok(Analysis {
        consistency: if is_consistent {
            Consistency::Consistent
        } else {
            Consistency::Inconsistent
        },
        unreachable: game
            .locations()
            .ids()
            .filter(|location| !reached.contains(location))
            .collect(),
        dead_edges: game.edges().ids().filter(|edge| !taken.contains(edge)).collect(),
        overlaps: facts.overlaps(budget)?,
        syntactic_overlaps,
        time_locks: facts.locations_where(|node, zone| Ok(!facts.stuck(node, zone, budget)?.is_empty()))?,
        inconsistent: facts.locations_where(|node, zone| {
            let mut lost = Federation::from(zone.clone());
            lost.subtract(&zone_ops::federation(pruned.dim(), pruned.alive(node)));
            Ok(!lost.is_empty())
        })?,
        zeno_circle: facts.zeno_circle(budget)?,
        n_discrete: facts.nodes().count(),
        n_zones: reach.zones.iter().map(Vec::len).sum(),
    })
}

struct ReachedArena<'a> {
    arena: &'a Arena,
    reach: &'a ReachedZones,
}

impl ReachedArena<'_> {
    fn nodes(&self) -> impl Iterator<Item = (NodeId, &[Dbm])> {
        let zones = self.reach.zones.iter_enumerated();
        zones
            .filter(|(_, zones)| !zones.is_empty())
            .map(|(node, zones)| (node, zones.as_slice()))
    }

    fn meets(&self, zone: &Dbm, step: &Move) -> bool {
        self.arena
            .cases(step.enabled)
            .any(|atoms| zone_ops::restricted(zone, atoms).is_some())
    }

    /// The edges that some run takes.
    fn taken(&self, budget: &Budget) -> Result<BTreeSet<EdgeId>, StopReason> {
        let mut taken = BTreeSet::new();
        for (node, zones) in self.nodes() {
            for step in self.arena.moves_of(node) {
                ask(budget)?;
                if let Some(edge) = step.edge
                    && !taken.contains(&edge)
                    && zones.iter().any(|zone| self.meets(zone, step))
                {
                    taken.insert(edge);
                }
            }
        }
        Ok(taken)
    }

    fn overlaps(&self, budget: &Budget) -> Result<Vec<Overlap>, StopReason> {
        let mut overlaps = BTreeSet::new();
        for (node, zones) in self.nodes() {
            let moves = self.arena.moves_of(node);
            for (position, first) in moves.iter().enumerate() {
                ask(budget)?;
                let others = moves[position + 1..].iter();
                for second in others.filter(|second| second.action == first.action) {
                    let (Some(a), Some(b)) = (first.edge, second.edge) else {
                        continue;
                    };
                    if zones.iter().any(|zone| self.meet_both(zone, first, second)) {
                        overlaps.insert(Overlap {
                            first: a.min(b),
                            second: a.max(b),
                        });
                    }
                }
            }
        }
        Ok(overlaps.into_iter().collect())
    }

    fn meet_both(&self, zone: &Dbm, first: &Move, second: &Move) -> bool {
        let parts = self
            .arena
            .cases(first.enabled)
            .filter_map(|atoms| zone_ops::restricted(zone, atoms));
        parts.into_iter().any(|part| self.meets(&part, second))
    }

    fn locations_where(
        &self,
        holds: impl Fn(NodeId, &Dbm) -> Result<bool, StopReason>,
    ) -> Result<Vec<LocId>, StopReason> {
        let mut found = BTreeSet::new();
        for (node, zones) in self.nodes() {
            for zone in zones {
                if holds(node, zone)? {
                    found.insert(self.arena.node(node).location);
                    break;
                }
            }
        }
        Ok(found.into_iter().collect())
    }

    /// The points of `zone` from which no move is ever enabled and time cannot pass for ever.
    fn stuck(&self, node: NodeId, zone: &Dbm, budget: &Budget) -> Result<Federation, StopReason> {
        let arena = self.arena;
        let dim = arena.dim();
        let parts = arena.node(node);
        let invariant = zone_ops::federation(dim, [arena.atoms_of(parts.invariant)]);
        let mut stuck = Federation::from(zone.clone());
        // An ignored input is not an edge, and does not change the state.
        for step in arena.moves_of(node).iter().filter(|step| step.edge.is_some()) {
            ask(budget)?;
            let mut enabled = zone_ops::federation(dim, arena.cases(step.enabled));
            enabled.intersect(&invariant);
            if !parts.urgent {
                enabled.down();
            }
            stuck.subtract(&enabled);
        }
        if !parts.urgent {
            stuck.subtract(&invariant.forever());
        }
        Ok(stuck)
    }
}

fn ask(budget: &Budget) -> Result<(), StopReason> {
    budget.exceeded(0, 0).map_or(Ok(()), Err)
}

/// Pairs of edges of one location and one action whose clock guards intersect within the invariant; integer conditions and
/// bounds that depend on integers count as satisfiable.
fn syntactic_overlaps(game: &Automaton, budget: &Budget) -> Result<Vec<Overlap>, StopReason> {
    let mut alike: BTreeMap<_, Vec<_>> = BTreeMap::new();
    for (id, edge) in game.edges().iter_enumerated() {
        let group = alike.entry((edge.source, edge.action)).or_default();
        group.push((id, constant_atoms(&edge.guard)));
    }
    let mut overlaps = Vec::new();
    for ((source, _), edges) in alike {
        let mut within = Dbm::universe(game.clocks().len() + 1);
        if !zone_ops::restrict(&mut within, &constant_atoms(&game.locations()[source].invariant)) {
            continue;
        }
        for (position, (first, atoms)) in edges.iter().enumerate() {
            ask(budget)?;
            let Some(within) = zone_ops::restricted(&within, atoms) else {
                continue;
            };
            let others = edges[position + 1..].iter();
            let meeting = others.filter(|(_, atoms)| zone_ops::restricted(&within, atoms).is_some());
            overlaps.extend(meeting.map(|(second, _)| Overlap {
                first: *first,
                second: *second,
            }));
        }
    }
    overlaps.sort();
    Ok(overlaps)
}

pub(super) fn constant_atoms(guard: &tamper_timed::model::Guard) -> Vec<crate::symbolic::Atom> {
    let mut atoms = Vec::new();
    for constraint in &guard.clocks {
        let constant = constraint.bound.as_const();
        let exact = constant.filter(|constant| constant.unsigned_abs() <= tamper_zones::Bound::LIMIT.unsigned_abs());
        if let Some(constant) = exact {
            crate::symbolic::push_atoms(constraint, constant, &mut atoms);
        }
    }
    atoms
}

#[cfg(test)]
mod tests {
    use super::*;
    use tamper_text::Id as _;
    use tamper_timed::model::{Cmp, Guard, Urgency};
    use testing::sketch::{Sketch, atom};

    /// At most 5 time units in `start`, where `a!` leads on by three edges: until 3, from 2 on and, never, from 7 on. Time
    /// stops in `stop`, at once in `now`; `end` lets it pass, `far` is not reached.
    #[test]
    fn the_facts_about_a_small_game_are_those_by_hand() {
        let mut sketch = Sketch::new("A", &["x"]);
        sketch.location("start", atom(0, Cmp::Le, 5));
        sketch.location("stop", atom(0, Cmp::Le, 9));
        sketch.location("end", Guard::always());
        sketch.location("far", Guard::always());
        sketch.location_with("now", Guard::always(), Urgency::Urgent);
        sketch.edge("start", "stop", "a!", atom(0, Cmp::Le, 3), &[]);
        sketch.edge("start", "end", "a!", atom(0, Cmp::Ge, 2), &[]);
        sketch.edge("start", "far", "a!", atom(0, Cmp::Ge, 7), &[]);
        sketch.edge("end", "end", "b!", Guard::always(), &[]);
        sketch.edge("end", "now", "a!", Guard::always(), &[]);
        let game = sketch.build();
        let found = analyse(&game, &Budget::unlimited())
            .expect("a meaning")
            .expect("no limit");
        let locations = |ids: &[usize]| ids.iter().map(|id| LocId::from_index(*id)).collect::<Vec<_>>();
        let edges = |ids: &[usize]| ids.iter().map(|id| EdgeId::from_index(*id)).collect::<Vec<_>>();
        let overlap = |first, second| Overlap {
            first: EdgeId::from_index(first),
            second: EdgeId::from_index(second),
        };
        assert_eq!(found.consistency, Consistency::Consistent);
        assert_eq!(found.unreachable, locations(&[3]));
        assert_eq!(found.dead_edges, edges(&[2]));
        assert_eq!(found.overlaps, [overlap(0, 1)]);
        assert_eq!(found.syntactic_overlaps, [overlap(0, 1)]);
        // In `stop` time ends at 9, in `now` at once.
        assert_eq!(found.time_locks, locations(&[1, 4]));
        assert_eq!(found.inconsistent, locations(&[1, 4]));
        assert_eq!(found.n_discrete, 4);
    }

    /// In `wait` the only edge is enabled later, at 5; in `now`, which is urgent, it would be, too, but no time passes.
    #[test]
    fn an_edge_that_is_enabled_later_is_no_lock_unless_time_stands_still() {
        let mut sketch = Sketch::new("A", &["x"]);
        sketch.location("wait", atom(0, Cmp::Le, 5));
        sketch.location_with("now", atom(0, Cmp::Le, 7), Urgency::Urgent);
        sketch.edge("wait", "now", "a!", atom(0, Cmp::Ge, 5), &[]);
        sketch.edge("now", "wait", "a!", atom(0, Cmp::Ge, 7), &[0]);
        let game = sketch.build();
        let found = analyse(&game, &Budget::unlimited())
            .expect("a meaning")
            .expect("no limit");
        assert_eq!(found.time_locks, [LocId::from_index(1)]);
    }
}

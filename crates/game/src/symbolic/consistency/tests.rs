//! How far the fixpoint is computed, what it costs, and games together against each of them alone.

use proptest::prelude::*;

use super::*;
use crate::symbolic::lower;
use tamper_text::{Id as _, StopReason};
use tamper_timed::model::{Automaton, Cmp, Guard};
use tamper_zones::Bound;
use testing::sketch::small_automaton;
use testing::sketch::{Sketch, atom, diagonal};

fn arena(automaton: &Automaton) -> Arena {
    lower(automaton, &Budget::unlimited()).unwrap().unwrap()
}

fn all_full(arena: &Arena) -> Shrunk {
    arena.nodes.iter().map(|_| full(())).collect()
}

/// Shrinks from all of the invariants, looking at node 0 first.
fn shrunk(automaton: &Automaton, until: Until) -> (Arena, Shrunk, Vec<NodeId>) {
    let arena = arena(automaton);
    let mut shrunk = all_full(&arena);
    let waiting = arena.nodes.ids().rev().collect();
    let changed = shrink(&arena, &mut shrunk, waiting, until, &Budget::unlimited()).unwrap();
    (arena, shrunk, changed)
}

/// The nodes of those numbers.
fn nodes<const N: usize>(numbers: [usize; N]) -> [NodeId; N] {
    numbers.map(NodeId::from_index)
}

/// Neither location has an output, and time ends in both.
fn two_ends() -> Automaton {
    let mut sketch = Sketch::new("A", &["x"]);
    sketch.location("l", atom(0, Cmp::Le, 1));
    sketch.location("m", atom(0, Cmp::Le, 2));
    sketch.edge("l", "m", "a?", Guard::always(), &[]);
    sketch.build()
}

#[test]
fn the_fixpoint_goes_on_after_the_start_is_lost_unless_that_is_enough() {
    let (arena, stable, changed) = shrunk(&two_ends(), Until::Stable);
    assert!(!has_start(&arena, &stable));
    assert_eq!(changed, nodes([0, 1]));
    assert!(kept_states(&stable[NodeId::from_index(1)]).is_some_and(Federation::is_empty));
    let (arena, enough, changed) = shrunk(&two_ends(), Until::StartIsLost);
    assert!(!has_start(&arena, &enough));
    assert_eq!(changed, [INITIAL]);
    assert!(is_full(&enough[NodeId::from_index(1)]));
}

/// l first loses what is beyond `x <= 1`, where its output is no longer possible; it is lost only once m is.
#[test]
fn a_start_that_shrinks_is_not_lost_yet() {
    let mut sketch = Sketch::new("A", &["x"]);
    sketch.location("l", atom(0, Cmp::Le, 2));
    sketch.location("m", atom(0, Cmp::Le, 5));
    sketch.edge("l", "m", "a!", atom(0, Cmp::Le, 1), &[]);
    let automaton = sketch.build();
    for until in [Until::Stable, Until::StartIsLost] {
        let (arena, shrunk, changed) = shrunk(&automaton, until);
        assert_eq!(changed, nodes([0, 1, 0]), "{until:?}");
        assert!(!has_start(&arena, &shrunk), "{until:?}");
    }
}

/// Both locations are looked at once: m first, then l, which nothing leads to.
#[test]
fn the_budget_counts_how_often_a_node_is_looked_at() {
    let prune_within = |automaton: &Automaton, most| {
        let budget = Budget {
            max_states: Some(most),
            ..Budget::unlimited()
        };
        prune(&mut arena(automaton), &budget)
    };
    assert_eq!(prune_within(&two_ends(), 2), Ok(false));
    assert_eq!(prune_within(&two_ends(), 1), Err(Halt::Stopped(StopReason::States)));
    // What the cheap condition decides costs nothing: time may pass for ever, or an output is always ahead.
    let beside = Guard {
        clocks: vec![diagonal(0, 1, Cmp::Le, 3)],
        data: Vec::new(),
    };
    for (invariant, has_output) in [(Guard::always(), false), (beside, false), (atom(0, Cmp::Le, 3), true)] {
        let mut sketch = Sketch::new("A", &["x", "y"]);
        sketch.location("l", invariant);
        if has_output {
            sketch.edge("l", "l", "a!", atom(0, Cmp::Ge, 1), &[0]);
        }
        assert_eq!(prune_within(&sketch.build(), 0), Ok(true));
    }
}

/// Groups of games as bits.
struct Bits;

impl ProductSetAlgebra for Bits {
    type Group = u8;
    fn both(&mut self, first: &u8, second: &u8) -> Result<Option<u8>, StopReason> {
        Ok(Some(first & second).filter(|games| *games != 0))
    }
    fn either(&mut self, first: &u8, second: &u8) -> Result<u8, StopReason> {
        Ok(first | second)
    }
    fn beyond(&mut self, first: &u8, second: &u8) -> Result<Option<u8>, StopReason> {
        Ok(Some(first & !second).filter(|games| *games != 0))
    }
}

/// Three games.
const EVERYONE: u8 = 7;

/// The cells of three games, each with the moves of its bit.
fn together(arena: &Arena, movers: &IndexVec<MoveId, u8>) -> IndexVec<NodeId, Cells<u8>> {
    let mut cells: IndexVec<_, _> = arena.nodes.iter().map(|_| full(EVERYONE)).collect();
    let mut pruning = Pruning {
        arena,
        movers,
        cells: &mut cells,
        groups: &mut Bits,
        within: None,
    };
    let all = arena.nodes.ids().collect();
    pruning
        .run(all, &EVERYONE, Until::Stable, &Budget::unlimited())
        .unwrap();
    cells
}

fn are_same(first: Option<&Federation>, second: Option<&Federation>) -> bool {
    match (first, second) {
        (None, None) => true,
        (Some(first), Some(second)) => first.equals(second),
        _ => false,
    }
}

/// The same as [`together`], by the arena of each game alone.
fn check_together(arena: &Arena, movers: &IndexVec<MoveId, u8>) {
    let cells = together(arena, movers);
    for cells in &cells {
        let games = cells.iter().fold(0, |games, cell| {
            assert_eq!(games & cell.group, 0, "a game has two cells");
            games | cell.group
        });
        assert_eq!(games, EVERYONE);
        for (at, cell) in cells.iter().enumerate() {
            let mut before = cells[..at].iter();
            assert!(!before.any(|other| are_same(other.shrunk.as_ref(), cell.shrunk.as_ref())));
        }
    }
    for game in [1, 2, 4] {
        let mut alone = arena.clone();
        alone.moves = IndexVec::new();
        for node in arena.nodes.ids() {
            let first = alone.moves.next_id();
            let own = arena.move_ids(node).filter(|at| movers[*at] & game != 0);
            alone.moves.extend(own.map(|at| arena.moves[at].clone()));
            alone.nodes[node].moves = first..alone.moves.next_id();
        }
        let mut expected = all_full(&alone);
        let all = alone.nodes.ids().collect();
        shrink(&alone, &mut expected, all, Until::Stable, &Budget::unlimited()).unwrap();
        for (cells, expected) in cells.iter().zip(&expected) {
            let cell = cells.iter().find(|cell| cell.group & game != 0).unwrap();
            assert!(are_same(cell.shrunk.as_ref(), kept_states(expected)), "game {game}");
        }
    }
}

/// The consistent states of the three games, by hand:
/// in `outputs`, `x <= 1` by a, `x <= 2` by b, none;
/// in `inputs`, i leads the first two out of them while x passes from 1 (2) to 3, so that only `x > 3` lasts, and the third
/// has no i;
/// in `covered`, all by c; all by d and e, each of which is possible for one part only at `x == 3`; none.
#[test]
fn games_together_are_told_apart_where_their_states_differ() {
    let mut sketch = Sketch::new("A", &["x", "y"]);
    sketch.location("start", Guard::always());
    sketch.location("outputs", atom(0, Cmp::Le, 3));
    sketch.location("inputs", Guard::always());
    sketch.location("covered", atom(0, Cmp::Le, 3));
    sketch.location("end", Guard::always());
    for (target, label) in [("outputs", "u!"), ("inputs", "v!"), ("covered", "w!")] {
        sketch.edge("start", target, label, Guard::always(), &[]);
    }
    let at_three = |cmp| Guard {
        clocks: [atom(0, Cmp::Eq, 3), atom(1, cmp, 1)]
            .into_iter()
            .flat_map(|g| g.clocks)
            .collect(),
        data: Vec::new(),
    };
    sketch.edge("outputs", "end", "a!", atom(0, Cmp::Le, 1), &[]);
    sketch.edge("outputs", "end", "b!", atom(0, Cmp::Le, 2), &[]);
    sketch.edge("inputs", "outputs", "i?", Guard::always(), &[]);
    sketch.edge("covered", "end", "c!", atom(0, Cmp::Ge, 1), &[]);
    sketch.edge("covered", "end", "d!", at_three(Cmp::Le), &[]);
    sketch.edge("covered", "end", "e!", at_three(Cmp::Ge), &[]);
    let automaton = sketch.build();
    let arena = arena(&automaton);
    let games = |step: &Move| {
        let action = &automaton.actions()[step.action];
        match &*action.name {
            "a" | "c" => 1,
            "b" | "d" | "e" => 2,
            "i" => 3,
            _ => EVERYONE,
        }
    };
    let movers: IndexVec<MoveId, u8> = arena.moves.iter().map(games).collect();
    let x = Clock::from_index(1);
    let zone = |(left, right, bound)| zone_ops::federation(3, [[Atom { left, right, bound }].as_slice()]);
    let at_most = |most| Some(zone((x, Clock::ZERO, Bound::le(most))));
    let beyond_three = Some(zone((Clock::ZERO, x, Bound::lt(-3))));
    let none = Some(Federation::empty(3));
    let expected = [
        ("start", vec![(EVERYONE, None)]),
        ("outputs", vec![(1, at_most(1)), (2, at_most(2)), (4, none.clone())]),
        ("inputs", vec![(3, beyond_three), (4, None)]),
        ("covered", vec![(3, None), (4, none)]),
        ("end", vec![(EVERYONE, None)]),
    ];
    let cells = together(&arena, &movers);
    for (name, groups) in expected {
        let name_of = |node: &NodeId| &*automaton.locations()[arena.node(*node).location].name;
        let node = arena.nodes.ids().find(|node| name_of(node) == name).unwrap();
        assert_eq!(cells[node].len(), groups.len(), "{name}");
        for (group, states) in groups {
            let cell = cells[node].iter().find(|cell| cell.group == group);
            let shrunk = cell.unwrap_or_else(|| panic!("{name} has no cell of {group}"));
            assert!(are_same(shrunk.shrunk.as_ref(), states.as_ref()), "{name}, {group}");
        }
    }
    check_together(&arena, &movers);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn games_together_are_each_of_them_alone(
        automaton in small_automaton(),
        groups in prop::collection::vec(1..=EVERYONE, 1..5),
    ) {
        if let Some(arena) = lower(&automaton, &Budget::unlimited()).unwrap() {
            let movers: IndexVec<MoveId, u8> = groups.iter().copied().cycle().take(arena.moves.len()).collect();
            check_together(&arena, &movers);
        }
    }
}

//! Refusals in words, limits, and the same game in another unit of time.

use super::atoms::state_name;
use super::*;
use tamper_text::{Budget, Id, IndexVec, StopReason};
use tamper_timed::model::{
    Automaton, BinaryOp, ClockConstraint, Cmp, Edge, Expr, Guard, IntVar, LocId, Location, Role, Select, Update,
    Urgency,
};
use tamper_zones::{Bound, Clock, Dbm, Federation};
use testing::sketch::{Sketch, atom, diagonal};

fn arena(automaton: &Automaton) -> Arena {
    lower(automaton, &Budget::unlimited()).unwrap().unwrap()
}

#[test]
fn a_value_out_of_range_is_refused_with_its_edge_and_state() {
    let mut sketch = Sketch::new("A", &["x"]);
    let v = sketch.builder.int(IntVar {
        name: "v".into(),
        low: 0,
        high: 9,
        initial: 9,
    });
    sketch.location("l", Guard::always());
    let ten = vec![Update::Assign(v, Expr::Const(10))];
    sketch.edge_with("l", "l", "a!", Guard::always(), &[], ten);
    let automaton = sketch.build();
    let Err(Halt::Error(error)) = lower(&automaton, &Budget::unlimited()) else {
        panic!("10 is refused");
    };
    assert_eq!(
        error.to_string(),
        "edge l->l a!, taken from state l (v=9), would give `v` the value 10, outside its range"
    );
    assert_eq!(state_name(&automaton, automaton.initial(), &[]), "l");
}

/// 65,536 combinations of select values are the most.
#[test]
fn select_values_are_all_combinations_up_to_a_limit() {
    let mut sketch = Sketch::new("A", &["x"]);
    sketch.location("l", Guard::always());
    let action = sketch.builder.action("a", Role::Output, false);
    let automaton = sketch.build();
    let values = |ranges: &[(i32, i32)]| {
        let select = |(low, high): &(i32, i32)| Select {
            name: "s".into(),
            low: *low,
            high: *high,
        };
        let edge = Edge {
            source: LocId::from_index(0),
            target: LocId::from_index(0),
            action,
            guard: Guard::always(),
            updates: Vec::new(),
            selects: ranges.iter().map(select).collect(),
        };
        select_values(&automaton, &edge)
    };
    let pairs = [[-1, 5], [-1, 6], [0, 5], [0, 6], [1, 5], [1, 6]];
    assert_eq!(values(&[(-1, 1), (5, 6)]).unwrap(), pairs.map(Vec::from));
    assert_eq!(values(&[(1, 65_536)]).unwrap().len(), 65_536);
    let too_many = GameError::SelectTooLarge { edge: "l->l a!".into() };
    assert_eq!(values(&[(0, 65_536)]), Err(too_many.clone()));
    assert_eq!(values(&[(1, 256), (1, 257)]), Err(too_many));
}

/// One zone in each of two locations; a zone over one clock is four bounds of eight bytes.
#[test]
fn exploration_counts_zones_and_their_bytes() {
    let mut sketch = Sketch::new("A", &["x"]);
    sketch.location("l", atom(0, Cmp::Le, 1));
    sketch.location("m", Guard::always());
    sketch.edge("l", "m", "a!", Guard::always(), &[]);
    let automaton = sketch.build();
    let within = |max_states, max_memory| {
        let budget = Budget {
            max_states,
            max_memory,
            ..Budget::default()
        };
        let reach = explore(&mut Lowering::start(&automaton)?.unwrap(), &budget)?;
        Ok(reach.zones.iter().map(Vec::len).collect::<Vec<_>>())
    };
    assert_eq!(within(Some(2), Some(64)), Ok(vec![1, 1]));
    assert_eq!(within(Some(1), None), Err(Halt::Stopped(StopReason::States)));
    assert_eq!(within(None, Some(63)), Err(Halt::Stopped(StopReason::Memory)));
}

/// m is entered with `x - y >= 3`, with `x == y >= 2` and last with `x == y >= 0`, which holds the second only.
#[test]
fn a_larger_zone_replaces_those_within_it() {
    let mut sketch = Sketch::new("A", &["x", "y"]);
    sketch.location("l", Guard::always());
    sketch.location("m", Guard::always());
    sketch.edge("l", "m", "a!", atom(0, Cmp::Ge, 3), &[1]);
    sketch.edge("l", "m", "b!", atom(0, Cmp::Ge, 2), &[]);
    sketch.edge("l", "m", "c!", Guard::always(), &[]);
    sketch.edge("m", "m", "d!", atom(1, Cmp::Le, 3), &[]);
    let automaton = sketch.build();
    let mut lowering = Lowering::start(&automaton).unwrap().unwrap();
    let reach = explore(&mut lowering, &Budget::unlimited()).unwrap();
    assert_eq!(reach.zones.iter().map(Vec::len).collect::<Vec<_>>(), [1, 2]);
}

/// The initial location comes first. A clock that is set to a negative number is a fault.
#[test]
fn all_locations_are_expanded_also_those_that_nothing_leads_to() {
    for value in [0, -1] {
        let mut sketch = Sketch::new("A", &["x"]);
        for name in ["before", "start", "after"] {
            sketch.location(name, Guard::always());
        }
        sketch.builder.initial(LocId::from_index(1));
        let reset = vec![Update::Reset(Id::from_index(0), Expr::Const(value))];
        sketch.edge_with("after", "before", "a!", Guard::always(), &[], reset);
        let automaton = sketch.build();
        let mut lowering = Lowering::start(&automaton).unwrap().unwrap();
        assert!(!lowering.is_complete());
        lowering.expand_all().unwrap();
        let locations = lowering.arena.nodes.iter().map(|node| node.location.index());
        assert_eq!(locations.collect::<Vec<_>>(), [1, 0, 2]);
        assert_eq!(lowering.is_complete(), value == 0);
    }
}

/// In `x <= 3`, an urgent edge that is always enabled stops time, one that never is does not, and one that sometimes is
/// has no meaning.
#[test]
fn an_urgent_edge_is_enabled_always_or_never() {
    let lowered = |least| {
        let mut sketch = Sketch::new("A", &["x"]);
        sketch.location("l", atom(0, Cmp::Le, 3));
        let edge = Edge {
            source: LocId::from_index(0),
            target: LocId::from_index(0),
            action: sketch.builder.action("a", Role::Output, true),
            guard: atom(0, Cmp::Ge, least),
            updates: Vec::new(),
            selects: Vec::new(),
        };
        sketch.builder.edge(edge);
        let arena = lower(&sketch.build(), &Budget::unlimited())?;
        Ok(arena.unwrap().node(INITIAL).urgent)
    };
    assert_eq!(lowered(0), Ok(true));
    assert_eq!(lowered(4), Ok(false));
    let edge = "l->l a!".into();
    assert_eq!(lowered(1), Err(Halt::Error(GameError::UrgentDependsOnClocks { edge })));
}

/// `l` is entered at `x >= least` only, and stays while `x <= 0`: what is wrong there matters if `least` is 0.
#[test]
fn what_no_run_comes_to_is_no_error() {
    let nothing = Expr::Binary(BinaryOp::Div, Box::new(Expr::Const(1)), Box::new(Expr::Const(0)));
    let no_value = Guard {
        clocks: vec![ClockConstraint {
            bound: nothing,
            ..atom(0, Cmp::Le, 0).clocks[0].clone()
        }],
        ..Guard::default()
    };
    let negative = vec![Update::Reset(Id::from_index(0), Expr::Const(-1))];
    for least in [0, 1] {
        for (guard, updates, is_urgent) in [
            (no_value.clone(), Vec::new(), false),
            (Guard::always(), negative.clone(), false),
            (atom(0, Cmp::Lt, 0), Vec::new(), true),
            (atom(1, Cmp::Ge, 1), Vec::new(), true),
        ] {
            let mut sketch = Sketch::new("A", &["x", "y"]);
            sketch.location("start", Guard::always());
            sketch.location("l", atom(0, Cmp::Le, 0));
            sketch.edge("start", "l", "a!", atom(0, Cmp::Ge, least), &[1]);
            let never = is_urgent && guard.clocks[0].left.index() == 0;
            let edge = Edge {
                source: LocId::from_index(1),
                target: LocId::from_index(0),
                action: sketch.builder.action("b", Role::Output, is_urgent),
                guard,
                updates,
                selects: Vec::new(),
            };
            sketch.builder.edge(edge);
            let lowered = lower(&sketch.build(), &Budget::unlimited());
            assert_eq!(lowered.is_ok(), least == 1 || never, "{least} {lowered:?}");
        }
    }
}

/// Of a composed game, committed locations are in the middle of a step; time stops in urgent ones too.
#[test]
fn committed_locations_of_composed_games_are_atomic() {
    let mut sketch = Sketch::new("A", &["x"]);
    sketch.location("start", Guard::always());
    for (name, urgency) in [("urgent", Urgency::Urgent), ("committed", Urgency::Committed)] {
        sketch.builder.location(Location {
            name: name.into(),
            invariant: Guard::always(),
            urgency,
        });
    }
    let automaton = sketch.build();
    for (is_composed, is_atomic) in [(false, [false; 3]), (true, [false, false, true])] {
        let automaton = automaton.with_atomic_steps(is_composed);
        let mut lowering = Lowering::start(&automaton).unwrap().unwrap();
        lowering.expand_all().unwrap();
        let nodes = &lowering.arena.nodes;
        assert_eq!(nodes.iter().map(|node| node.atomic).collect::<Vec<_>>(), is_atomic);
        assert_eq!(
            nodes.iter().map(|node| node.urgent).collect::<Vec<_>>(),
            [false, true, true]
        );
    }
}

/// In m only `x <= 1` is consistent, where a, which sets x to 2, does not lead.
#[test]
fn a_shared_arena_has_no_moves_into_states_that_are_lost() {
    let mut sketch = Sketch::new("A", &["x"]);
    sketch.location("l", Guard::always());
    sketch.location("m", atom(0, Cmp::Le, 3));
    let two = vec![Update::Reset(Id::from_index(0), Expr::Const(2))];
    sketch.edge_with("l", "m", "a!", Guard::always(), &[], two);
    sketch.edge("l", "m", "b!", Guard::always(), &[]);
    sketch.edge("m", "l", "c!", atom(0, Cmp::Le, 1), &[]);
    let arena = arena(&sketch.build());
    let shared = SharedArena {
        nodes: IndexVec::filled((), arena.nodes.len()),
        moves: IndexVec::filled((), arena.moves.len()),
        origins: arena.nodes.ids().collect(),
        starts: vec![(INITIAL, ())],
        arena,
    };
    let pruned = shared.pruned(&(), &mut SingleGame, &Budget::unlimited()).unwrap();
    let edges = |node: NodeId| {
        let moves = pruned.arena.moves_of(node).iter();
        moves.map(|step| step.edge.unwrap().index()).collect::<Vec<_>>()
    };
    assert_eq!((edges(INITIAL), edges(NodeId::from_index(1))), (vec![1], vec![2]));
    assert_eq!(pruned.starts, [(INITIAL, ())]);
}

/// Time passes in both; the first goes from l to m by itself.
struct Beside(Arena, Arena);

impl PairProduct for Beside {
    fn sides(&self) -> (&Arena, &Arena) {
        (&self.0, &self.1)
    }
    fn delayed(&self, _: Pair, mut entry: Dbm) -> Federation {
        entry.up();
        entry.into()
    }
    fn successors(&self, pair: Pair, zone: &Dbm) -> Vec<(Pair, Dbm)> {
        let steps = self.0.moves_of(pair.0).iter();
        steps.map(|step| ((step.target, pair.1), zone.clone())).collect()
    }
}

struct Points(Federation);

impl Known for Points {
    fn unreached(dim: usize) -> Self {
        Self(Federation::empty(dim))
    }
    fn reached(&mut self) -> &mut Federation {
        &mut self.0
    }
}

/// One zone of each of two pairs; over two clocks it is nine bounds of eight bytes.
#[test]
fn exploration_of_pairs_counts_zones_and_their_bytes() {
    let game = |names: &[&str]| {
        let mut sketch = Sketch::new("A", &["x"]);
        for name in names {
            sketch.location(name, Guard::always());
        }
        if let [first, second] = names {
            sketch.edge(first, second, "a!", Guard::always(), &[]);
        }
        arena(&sketch.build())
    };
    let games = Beside(game(&["l", "m"]), game(&["n"]).shifted(1));
    let within = |max_states, max_memory| {
        let budget = Budget {
            max_states,
            max_memory,
            ..Budget::default()
        };
        Pairs::<Points>::explore(&games, &budget).map(|pairs| pairs.len())
    };
    assert_eq!(within(Some(2), Some(144)), Ok(2));
    assert_eq!(within(Some(1), None), Err(StopReason::States));
    assert_eq!(within(None, Some(143)), Err(StopReason::Memory));
}

/// What is left of all points is below 1 and above 2, once each.
#[test]
fn zones_minus_conjunctions_lose_exactly_their_points() {
    let x = Clock::from_index(1);
    let least = Atom {
        left: Clock::ZERO,
        right: x,
        bound: Bound::le(-1),
    };
    let most = Atom {
        left: x,
        right: Clock::ZERO,
        bound: Bound::le(2),
    };
    for atoms in [[least, most], [most, least]] {
        let mut rest = Vec::new();
        zone_ops::subtract(Dbm::universe(2), &atoms, &mut rest);
        for halves in 0..8 {
            let has = |zone: &&Dbm| Federation::from((*zone).clone()).contains_scaled(&[halves], 2);
            let expected = usize::from(!(2..=4).contains(&halves));
            assert_eq!(rest.iter().filter(has).count(), expected, "{halves}/2");
        }
    }
}

#[test]
fn a_game_in_a_smaller_unit_has_larger_constants() {
    let in_unit = |unit: i64| {
        let mut sketch = Sketch::new("A", &["x", "y", "z"]);
        sketch.location("l", atom(0, Cmp::Le, 3 * unit));
        let mut guard = atom(0, Cmp::Gt, unit);
        guard.clocks.push(diagonal(0, 1, Cmp::Lt, 2 * unit));
        let four = Update::Reset(Id::from_index(1), Expr::Const(4 * unit));
        sketch.edge_with("l", "l", "a!", guard, &[0], vec![four]);
        arena(&sketch.build())
    };
    let (scaled, expected) = (in_unit(1).scaled(7).unwrap(), in_unit(7));
    assert_eq!(scaled.nodes.len(), expected.nodes.len());
    assert_eq!(scaled.moves.len(), expected.moves.len());
    assert_eq!(scaled.atoms, expected.atoms);
    assert_eq!(scaled.diagonals, expected.diagonals);
    assert_eq!(scaled.resets, expected.resets);
    assert_eq!(scaled.max_bounds, expected.max_bounds);
    assert!(in_unit(1).scaled(Bound::LIMIT).is_none());
}

#[test]
fn pairs_are_none_until_one_is_met() {
    let mut pairs = Pairs::new();
    assert!(pairs.is_empty());
    let pair = (NodeId::from_index(3), NodeId::from_index(4));
    pairs.meet(pair, || "known");
    assert!(!pairs.is_empty());
    assert_eq!((pairs.len(), pairs.get(pair)), (1, Some(&"known")));
}

//! Refusals in words, limits, and the same game in another unit of time.

use super::atoms::state_name;
use super::*;
use crate::base::{Budget, Id, StopReason};
use crate::model::{Automaton, Cmp, Edge, Expr, Guard, IntVar, LocId, Role, Select, Update};
use crate::mutation::studies::{Sketch, atom, diagonal};
use crate::zones::Bound;

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
    sketch.edge_with(("l", "l"), "a!", Guard::always(), &[], ten);
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
    sketch.edge(("l", "m"), "a!", Guard::always(), &[]);
    let automaton = sketch.build();
    let within = |max_states, max_memory| {
        let budget = Budget {
            max_states,
            max_memory,
            deadline: None,
        };
        let reach = explore(&mut Lowering::start(&automaton)?.unwrap(), &budget)?;
        Ok(reach.zones.iter().map(Vec::len).collect::<Vec<_>>())
    };
    assert_eq!(within(Some(2), Some(64)), Ok(vec![1, 1]));
    assert_eq!(within(Some(1), None), Err(Halt::Stopped(StopReason::States)));
    assert_eq!(within(None, Some(63)), Err(Halt::Stopped(StopReason::Memory)));
}

#[test]
fn a_game_in_a_smaller_unit_has_larger_constants() {
    let in_unit = |unit: i64| {
        let mut sketch = Sketch::new("A", &["x", "y", "z"]);
        sketch.location("l", atom(0, Cmp::Le, 3 * unit));
        let mut guard = atom(0, Cmp::Gt, unit);
        guard.clocks.push(diagonal(0, 1, Cmp::Lt, 2 * unit));
        let four = Update::Reset(Id::from_index(1), Expr::Const(4 * unit));
        sketch.edge_with(("l", "l"), "a!", guard, &[0], vec![four]);
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
    pairs.meet((3, 4), || "known");
    assert!(!pairs.is_empty());
    assert_eq!((pairs.len(), pairs.get((3, 4))), (1, Some(&"known")));
}

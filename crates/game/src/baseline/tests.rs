//! The relation of nodes against sweeps, and the hypotheses of the identity check one by one.

use super::*;
use crate::Containment;
use tamper_text::Id;
use tamper_timed::model::{
    Action, ActionId, AutomatonBuilder, ClockConstraint, ClockId, Cmp, Edge, Expr, Guard, IntVar, LocId, Location,
    Update, Urgency,
};
use testing::sketch::{Sketch, atom};

/// Numbers that look random, always the same.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }
    fn guard(&mut self) -> Guard {
        let mut guard = Guard::always();
        if self.below(3) > 0 {
            guard.clocks.push(ClockConstraint {
                left: ClockId::from_index(usize::from(self.below(2) == 1)),
                right: None,
                cmp: if self.below(2) == 0 { Cmp::Le } else { Cmp::Ge },
                bound: Expr::Const(i64::from(self.below(3) == 0) + 1),
            });
        }
        guard
    }
}

fn game(numbers: &mut Numbers) -> Automaton {
    let mut builder = AutomatonBuilder::new("A");
    builder.clock("x");
    builder.clock("y");
    for name in ["l", "m", "n", "o", "p"] {
        let mut invariant = numbers.guard();
        invariant.clocks.retain(|atom| atom.cmp == Cmp::Le);
        let id = builder.location(Location {
            name: name.into(),
            invariant,
            urgency: Urgency::Normal,
        });
        if name == "l" {
            builder.initial(id);
        }
    }
    for _ in 0..4 + numbers.below(6) {
        let (name, role) = [("i", Role::Input), ("a", Role::Output), ("b", Role::Output)]
            [usize::from(numbers.below(3) > 0) + usize::from(numbers.below(3) == 0)];
        let action = builder.action(name, role, false);
        let mut location = || LocId::from_index(usize::try_from(numbers.below(5)).expect("below 5"));
        let (source, target) = (location(), location());
        builder.edge(Edge {
            source,
            target,
            action,
            guard: numbers.guard(),
            updates: (0..numbers.below(2))
                .map(|_| Update::Reset(ClockId::from_index(0), Expr::Const(0)))
                .collect(),
            selects: Vec::new(),
        });
    }
    builder.build().expect("a game")
}

/// All pairs again and again until nothing changes.
fn by_sweeps(baseline: &Baseline) -> Vec<bool> {
    let n_nodes = baseline.pruned.nodes.len();
    let universe = Dbm::universe(baseline.pruned.dim());
    let mut table = vec![true; n_nodes * n_nodes];
    loop {
        let before = table.clone();
        for at in 0..table.len() {
            let (lesser, greater) = (NodeId::from_index(at / n_nodes), NodeId::from_index(at % n_nodes));
            let exists = baseline.existing(lesser, &universe);
            table[at] = table[at] && baseline.dominates_once(&table, lesser, greater, &exists);
        }
        if table == before {
            return table;
        }
    }
}

#[test]
fn what_falls_is_what_sweeps_find() {
    let mut numbers = Numbers(1);
    let (mut n_related, mut n_fallen) = (0, 0);
    for _ in 0..400 {
        let game = game(&mut numbers);
        let semantics = if numbers.below(2) == 0 {
            Semantics::TIGA
        } else {
            Semantics::DEFINITION
        };
        let Ok(Some(baseline)) = Baseline::of(&game, game.actions().len(), semantics, &Budget::unlimited()) else {
            continue;
        };
        let expected = by_sweeps(&baseline);
        assert_eq!(baseline.compute_dominated(), expected);
        n_related += expected.iter().filter(|related| **related).count();
        n_fallen += expected.iter().filter(|related| !**related).count();
    }
    assert!(n_related > 1000 && n_fallen > 1000, "{n_related} {n_fallen}");
}

fn baseline(game: &Automaton, semantics: Semantics) -> Option<Baseline> {
    Baseline::of(game, game.actions().len(), semantics, &Budget::unlimited()).expect("it has a meaning")
}

/// A location that an output leaves and an input does not, over this clock and from that location on.
fn lamp(clock: &str, names: [&str; 2], output: &str) -> Sketch {
    let mut sketch = Sketch::new("A", &[clock]);
    for name in names {
        sketch.location(name, atom(0, Cmp::Le, 3));
    }
    sketch.edge(names[0], names[1], output, atom(0, Cmp::Ge, 1), &[0]);
    sketch.edge(names[1], names[0], "i?", Guard::always(), &[0]);
    sketch
}

fn urgent_lamp() -> Automaton {
    let mut sketch = lamp("x", ["l", "m"], "a!");
    sketch.builder.action("hurry", Role::Output, true);
    sketch.build()
}

#[test]
fn games_in_which_less_may_be_more_have_no_baseline() {
    let plain = lamp("x", ["l", "m"], "a!").build();
    for semantics in Semantics::ALL {
        // Both locations are reached with the clock at 0, and later.
        assert_eq!(baseline(&plain, semantics).map(|facts| facts.n_states()), Some(2));
        for special in [
            plain.with_input_enabling(true),
            plain.with_atomic_steps(true),
            urgent_lamp(),
        ] {
            assert!(baseline(&special, semantics).is_none());
        }
    }
}

/// Being in the same state means nothing between games that differ in more than a mutation changes.
#[test]
fn only_mutants_of_the_automaton_itself_are_contained() {
    let plain = lamp("x", ["l", "m"], "a!").build();
    let mut counting = lamp("x", ["l", "m"], "a!");
    counting.builder.int(IntVar {
        name: "n".into(),
        low: 0,
        high: 1,
        initial: 0,
    });
    let others = [
        lamp("y", ["l", "m"], "a!").build(),
        counting.build(),
        lamp("x", ["k", "m"], "a!").build(),
        lamp("x", ["l", "m"], "b!").build(),
        plain.with_input_enabling(true),
    ];
    let facts = baseline(&plain, Semantics::DEFINITION).expect("a plain game");
    let contains = |mutant: &Automaton| facts.contains(mutant, &Budget::unlimited()).expect("it has a meaning");
    assert_eq!(contains(&plain), Some(Containment::Unreached));
    for (position, other) in others.iter().enumerate() {
        assert_eq!(contains(other), None, "{position}");
    }
}

/// An ignored output leads from p to q. Both can do `a!` alone, into r; only q's edge resets the clock that r compares. The
/// mutant can do `b!` in r at any time, the automaton only with a clock of at most 1, which it has not there. `c!` leads to q, too.
#[test]
fn a_location_that_resets_what_is_compared_later_does_more() {
    for (resets, contained) in [(&[][..], Some(Containment::IgnoredDominated)), (&[0][..], None)] {
        let mut sketch = Sketch::new("A", &["x"]);
        for name in ["p", "q", "r"] {
            sketch.location(name, Guard::always());
        }
        sketch.edge("p", "r", "a!", atom(0, Cmp::Ge, 5), &[]);
        sketch.edge("q", "r", "a!", atom(0, Cmp::Ge, 5), resets);
        sketch.edge("r", "p", "b!", atom(0, Cmp::Le, 1), &[]);
        sketch.edge("r", "q", "c!", Guard::always(), &[]);
        let game = sketch.build();
        let semantics = Semantics {
            unmatched: Unmatched::Ignore,
            prune: false,
        };
        let facts = baseline(&game, semantics).expect("a plain game");
        let dummy = Action {
            name: "dummy_1".into(),
            role: Role::Output,
            urgent: false,
        };
        let [p, q] = [0, 1].map(LocId::from_index);
        let edge = Edge {
            source: p,
            target: q,
            action: ActionId::from_index(0), // replaced by the new action
            guard: Guard::always(),
            updates: Vec::new(),
            selects: Vec::new(),
        };
        let mutant = game.with_new_action_edge(dummy, edge);
        assert_eq!(
            facts.contains(&mutant, &Budget::unlimited()),
            Ok(contained),
            "{resets:?}"
        );
    }
}

/// Time ends at 3 in l and at 5 in m; `b!` and `c!` change nothing there, `a!` leads from l to m, `i?` back.
fn switch(on: Guard, off: Guard) -> Automaton {
    let mut sketch = Sketch::new("A", &["x"]);
    sketch.location("l", atom(0, Cmp::Le, 3));
    sketch.location("m", atom(0, Cmp::Le, 5));
    sketch.edge("l", "m", "a!", on, &[]);
    sketch.edge("l", "l", "b!", Guard::always(), &[]);
    sketch.edge("m", "m", "c!", Guard::always(), &[]);
    sketch.edge("m", "l", "i?", off, &[]);
    sketch.build()
}

const IGNORE: Semantics = Semantics {
    unmatched: Unmatched::Ignore,
    prune: false,
};

/// The game with an edge of a new action between the locations of these numbers.
fn with_new_edge(game: &Automaton, role: Role, [source, target]: [usize; 2]) -> Automaton {
    let action = Action {
        name: "dummy_1".into(),
        role,
        urgent: false,
    };
    let edge = Edge {
        source: LocId::from_index(source),
        target: LocId::from_index(target),
        action: ActionId::from_index(0), // replaced by the new action
        guard: Guard::always(),
        updates: Vec::new(),
        selects: Vec::new(),
    };
    game.with_new_action_edge(action, edge)
}

#[test]
fn what_is_contained_is_so_for_its_own_reason() {
    let (from, until) = (|least| atom(0, Cmp::Ge, least), |most| atom(0, Cmp::Le, most));
    let game = switch(from(1), until(1));
    let later = switch(from(2), until(1));
    let never = switch(from(9), until(1));
    let open = switch(from(1), Guard::always());
    let closed = switch(from(1), atom(0, Cmp::Lt, 1));
    let late_loop = with_new_edge(&later, Role::Output, [0, 0]);
    let cases = [
        (&game, Semantics::TIGA, Some(Containment::Unreached)),
        (&later, Semantics::TIGA, Some(Containment::Narrower)),
        (&open, Semantics::TIGA, Some(Containment::Narrower)),
        // It does not get to m, and nothing is new there.
        (&never, Semantics::STRICT, Some(Containment::Narrower)),
        (&late_loop, Semantics::TIGA, Some(Containment::IgnoredLoop)),
        (&late_loop, Semantics::STRICT, None),
        // At 1 the specification offers `i?`.
        (&closed, Semantics::TIGA, None),
        // An internal step that the specification does not know is not ignored.
        (&with_new_edge(&game, Role::Internal, [0, 0]), IGNORE, None),
    ];
    for (position, (mutant, semantics, expected)) in cases.into_iter().enumerate() {
        let facts = baseline(&game, semantics).expect("a plain game");
        assert_eq!(facts.contains(mutant, &Budget::unlimited()), Ok(expected), "{position}");
    }
}

/// The mutant has no progress in m, so that pruning removes it. That n, behind it, accepts no `i?` then does not matter.
#[test]
fn what_lies_behind_pruned_states_is_not_reached() {
    let build = |least| {
        let mut sketch = Sketch::new("A", &["x"]);
        sketch.location("l", atom(0, Cmp::Le, 3));
        sketch.location("m", atom(0, Cmp::Le, 5));
        sketch.location("n", Guard::always());
        sketch.edge("l", "m", "a!", atom(0, Cmp::Ge, 1), &[]);
        sketch.edge("l", "l", "b!", Guard::always(), &[]);
        sketch.edge("m", "n", "c!", atom(0, Cmp::Ge, least), &[]);
        sketch.edge("n", "l", "i?", Guard::always(), &[0]);
        sketch.build()
    };
    // In m time ends at 5.
    let (game, mutant) = (
        build(2),
        build(9).without_edge(tamper_timed::model::EdgeId::from_index(3)),
    );
    let facts = baseline(&game, Semantics::STRICT).expect("a plain game");
    let contained = facts.contains(&mutant, &Budget::unlimited());
    assert_eq!(contained, Ok(Some(Containment::DeadEnd)));
}

/// The mutant refuses `i?` in m, where it never is: the edge there is gone, or no state there is consistent.
#[test]
fn what_changes_where_the_mutant_never_is_does_not_matter() {
    let (from, until) = (|least| atom(0, Cmp::Ge, least), |most| atom(0, Cmp::Le, most));
    let contains = |game: &Automaton, mutant: &Automaton, semantics| {
        let facts = baseline(game, semantics).expect("a plain game");
        facts.contains(mutant, &Budget::unlimited())
    };
    let game = switch(from(1), until(1));
    let never = switch(from(1), atom(0, Cmp::Lt, 1)).without_edge(tamper_timed::model::EdgeId::from_index(0));
    assert_eq!(
        contains(&game, &never, Semantics::DEFINITION),
        Ok(Some(Containment::Unreached))
    );
    let build = |least, off| {
        let mut sketch = Sketch::new("A", &["x"]);
        sketch.location("l", atom(0, Cmp::Le, 3));
        sketch.location("m", atom(0, Cmp::Le, 5));
        sketch.edge("l", "m", "a!", from(1), &[]);
        sketch.edge("l", "l", "b!", Guard::always(), &[]);
        sketch.edge("m", "l", "c!", from(least), &[0]);
        sketch.edge("m", "m", "i?", off, &[]);
        sketch.build()
    };
    // In m time ends at 5: nothing there is consistent, so nothing there is more, and pruning is not the reason.
    let contained = contains(&build(2, until(5)), &build(9, until(1)), Semantics::STRICT);
    assert_eq!(contained, Ok(Some(Containment::Unreached)));
}

/// An ignored output leads from p to q, which does nothing, while p does `a!`.
#[test]
fn a_location_may_do_less_than_the_one_it_stands_for() {
    let mut sketch = Sketch::new("A", &["x"]);
    for name in ["p", "q", "r"] {
        sketch.location(name, Guard::always());
    }
    sketch.edge("p", "r", "a!", Guard::always(), &[]);
    sketch.edge("r", "q", "c!", Guard::always(), &[]);
    let game = sketch.build();
    let facts = baseline(&game, IGNORE).expect("a plain game");
    let contains = |ends| facts.contains(&with_new_edge(&game, Role::Output, ends), &Budget::unlimited());
    assert_eq!(contains([0, 1]), Ok(Some(Containment::IgnoredDominated)));
    assert_eq!(contains([1, 0]), Ok(None));
}

/// A mutant that lets time pass where the automaton does not is no refinement of it; the other way round it is.
#[test]
fn time_passes_where_it_passes_in_the_automaton() {
    let build = |urgency| {
        let mut sketch = Sketch::new("A", &["x"]);
        sketch.location_with("l", Guard::always(), urgency);
        sketch.location("m", Guard::always());
        sketch.edge("l", "m", "a!", Guard::always(), &[]);
        sketch.build()
    };
    let (urgent, normal) = (build(Urgency::Urgent), build(Urgency::Normal));
    for semantics in Semantics::ALL {
        let contains = |automaton: &Automaton, mutant: &Automaton| {
            let facts = baseline(automaton, semantics).expect("a plain game");
            facts.contains(mutant, &Budget::unlimited())
        };
        assert_eq!(contains(&urgent, &normal), Ok(None), "{semantics}");
        assert_eq!(
            contains(&normal, &urgent),
            Ok(Some(Containment::Unreached)),
            "{semantics}"
        );
    }
}

/// From 2 on the environment may do `j?`, which the specification does not know, and then time ends. So the automaton does
/// `a!` until 1; a mutant without `j?` may wait for ever.
#[test]
fn an_unknown_input_decides_about_consistency() {
    let mut sketch = Sketch::new("A", &["x"]);
    sketch.location("p", Guard::always());
    sketch.location("r", Guard::always());
    sketch.location("dead", atom(0, Cmp::Le, 3));
    sketch.edge("p", "r", "a!", atom(0, Cmp::Le, 1), &[]);
    let mut lock = atom(0, Cmp::Ge, 2);
    lock.clocks.extend(atom(0, Cmp::Le, 3).clocks);
    sketch.edge("p", "dead", "j?", lock, &[]);
    let game = sketch.build();
    let mutant = game.without_edge(tamper_timed::model::EdgeId::from_index(1));
    let contained = |automaton: &Automaton| {
        let facts = Baseline::of(automaton, 1, Semantics::TIGA, &Budget::unlimited());
        let facts = facts.expect("a meaning").expect("a plain game");
        facts.contains(&mutant, &Budget::unlimited())
    };
    assert_eq!(contained(&game), Ok(None));
    assert_eq!(contained(&mutant), Ok(Some(Containment::Unreached)));
}

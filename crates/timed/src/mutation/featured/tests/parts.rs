//! The parts of a featured mutant model one by one: names, ids, orders, what added edges are clones of, what is tracked.

use std::collections::BTreeSet;

use crate::model::{Automaton, Cmp, EdgeId, Guard, LocId};
use crate::mutation::featured::contents::{Removals, Remover};
use crate::mutation::featured::names::Names;
use crate::mutation::featured::track::Tracker;
use crate::mutation::{
    EdgeRef, FeaturedMutants, Mutation, MutationKey, MutationOptions, Mutations, Operator, ProductBound,
};
use crate::studies::{Sketch, atom};
use tamper_features::Diagram;
use tamper_text::{Budget, Id};

#[test]
fn names_that_are_taken_are_numbered() {
    let mut names = Names::avoiding(["Coffee"]);
    let given = ["coffee", "coffee", "COFFEE", "tea", "2nd"].map(|id| names.name(id));
    assert_eq!(given, ["coffee_v2", "coffee_v3", "COFFEE_v4", "tea", "m_2nd"]);
}

/// One location with a loop of that guard.
fn one_loop(guard: Guard) -> Automaton {
    let mut sketch = Sketch::new("A", &["x", "y", "z"]);
    sketch.location("l", Guard::always());
    sketch.edge("l", "l", "a!", guard, &[]);
    sketch.build()
}

fn second_order(base: &Automaton) -> FeaturedMutants {
    let options = MutationOptions {
        operators: vec![Operator::Tmi, Operator::Tad, Operator::Cxl],
        conjuncts: true,
        ..MutationOptions::default()
    };
    FeaturedMutants::of(base, &options, ProductBound::Sequences(2)).unwrap()
}

fn all(constraints: &[(usize, Cmp, i64)]) -> Guard {
    let clocks = constraints
        .iter()
        .flat_map(|(clock, cmp, constant)| atom(*clock, *cmp, *constant).clocks);
    Guard {
        clocks: clocks.collect(),
        data: Vec::new(),
    }
}

/// The position is said where there are several atoms.
#[test]
fn ids_say_what_a_mutation_is_applied_to() {
    let base = one_loop(atom(0, Cmp::Ge, 2));
    let mutants = second_order(&base);
    let ids: BTreeSet<&str> = mutants.mutations().values().map(|m| m.id.as_str()).collect();
    assert_eq!(ids.len(), mutants.mutations().len());
    let tad = Mutations::of(&base, &MutationOptions::only(Operator::Tad))
        .get(0)
        .unwrap();
    let tad = tad.id(&base);
    for id in [
        "TMI:l->l#0".to_owned(),
        "CXL:guard:l->l#0:x>=2=>x>=3".to_owned(),
        "CXL:guard:l->l#0:x>=2=>x>=3;CXL:x>=3=>x>=4".to_owned(),
        tad.clone(),
        format!("{tad}:copy2"),
        format!("{tad};TMI"),
        format!("{tad};CXL:x>=2=>x>=3"),
        format!("{tad}:like:l->l#0@0:CXL"),
        format!("{tad}:like:nothing"),
    ] {
        assert!(ids.contains(id.as_str()), "{id} is not one of {ids:?}");
    }
    let two = second_order(&one_loop(all(&[(0, Cmp::Ge, 2), (1, Cmp::Le, 3)])));
    let id = "CXL:guard:l->l#0@1:y<=3=>y<=4;CXL@1:y<=4=>y<=5";
    assert!(two.mutations().values().any(|mutation| mutation.id == id));
}

#[test]
fn the_order_of_a_mutation_is_the_size_of_its_smallest_product() {
    let mutants = second_order(&one_loop(atom(0, Cmp::Ge, 2)));
    let diagram = Diagram::of(mutants.model(), &Budget::unlimited()).unwrap();
    let n_products = u64::try_from(diagram.count()).unwrap();
    let products: Vec<_> = (0..n_products)
        .map(|index| diagram.get(&index.into()).unwrap())
        .collect();
    for (feature, mutation) in mutants.mutations() {
        let having = products.iter().filter(|product| product.contains(*feature));
        // Besides the root.
        let smallest = having.map(|product| product.len() - 1).min();
        assert_eq!(smallest, Some(mutation.order), "{}", mutation.id);
    }
}

#[test]
fn added_actions_are_numbered_from_one() {
    let mutants = second_order(&one_loop(Guard::always()));
    let actions = mutants.automaton().automaton().actions().iter();
    let added: BTreeSet<_> = actions
        .filter_map(|action| action.name.strip_prefix("dummy_"))
        .collect();
    let expected: BTreeSet<_> = (1..=added.len()).map(|k| k.to_string()).collect();
    assert_eq!(added, expected.iter().map(String::as_str).collect());
    assert!(!added.is_empty());
}

/// Of three atoms, none or one is changed with one mutation, up to two with two.
#[test]
fn clones_cost_no_more_than_there_is() {
    let base = one_loop(all(&[(0, Cmp::Ge, 2), (1, Cmp::Le, 3), (2, Cmp::Le, 4)]));
    let options = MutationOptions {
        operators: vec![Operator::Tad, Operator::Cxl],
        conjuncts: true,
        ..MutationOptions::default()
    };
    let removals = Removals {
        base: &base,
        options: &options,
    };
    let l = LocId::from_index(0);
    for (budget, n_contents) in [(0, 1), (1, 1 + 3), (2, 1 + 3 + 3 + 3)] {
        let contents = removals.contents([l, l], budget);
        assert_eq!(contents.len(), n_contents);
        assert!(contents.iter().all(|reachable| reachable.cost <= budget));
    }
}

/// A second edge of three atoms is the first only when another is gone, so one atom less can change.
#[test]
fn clones_of_later_edges_cost_the_removal_of_earlier_ones() {
    let mut sketch = Sketch::new("A", &["x", "y", "z"]);
    sketch.location("l", Guard::always());
    sketch.edge("l", "l", "a!", Guard::always(), &[]);
    let guard = all(&[(0, Cmp::Ge, 2), (1, Cmp::Le, 3), (2, Cmp::Le, 4)]);
    sketch.edge("l", "l", "b!", guard, &[]);
    let base = sketch.build();
    let l = LocId::from_index(0);
    let contents = |operators: &[Operator]| {
        let options = MutationOptions {
            operators: operators.to_vec(),
            conjuncts: true,
            ..MutationOptions::default()
        };
        let removals = Removals {
            base: &base,
            options: &options,
        };
        let costs = removals.contents([l, l], 2).into_iter().map(|reachable| reachable.cost);
        costs.collect::<Vec<_>>()
    };
    // The first; the second, unchanged and with one change each; nothing, when both are gone.
    assert_eq!(
        contents(&[Operator::Tad, Operator::Tmi, Operator::Cxl]),
        [0, 1, 2, 2, 2, 2]
    );
    assert_eq!(contents(&[Operator::Tad, Operator::Cxl]), [0]);
}

#[test]
fn edges_are_removed_by_the_operators_there_are() {
    let mut sketch = Sketch::new("A", &["x"]);
    sketch.location("l", Guard::always());
    sketch.location("m", Guard::always());
    sketch.edge("l", "m", "a!", Guard::always(), &[]);
    let base = sketch.build();
    let (edge, m) = (EdgeId::from_index(0), LocId::from_index(1));
    for (operators, expected) in [
        (vec![Operator::Tad], vec![]),
        (vec![Operator::Tmi], vec![Remover::Edge(edge)]),
        (vec![Operator::Smi], vec![Remover::Location(m)]),
    ] {
        let options = MutationOptions {
            operators,
            ..MutationOptions::default()
        };
        let removals = Removals {
            base: &base,
            options: &options,
        };
        assert!(removals.removers(edge, &BTreeSet::new()) == expected);
    }
}

/// m goes, then n with its edge; the second edge that is left is the third of the base.
#[test]
fn edges_are_found_after_two_locations_are_gone() {
    let mut sketch = Sketch::new("A", &["x"]);
    for name in ["l", "m", "n", "o"] {
        sketch.location(name, Guard::always());
    }
    for (target, label) in [("l", "a!"), ("n", "b!"), ("o", "c!")] {
        sketch.edge("l", target, label, Guard::always(), &[]);
    }
    let base = sketch.build();
    let (first, second) = (LocId::from_index(1), LocId::from_index(2));
    let mut tracker = Tracker::new(&base);
    let smi = Mutation::RemoveLocation { location: first };
    assert!(tracker.apply(&smi) == Some(MutationKey::RemoveLocation(first)));
    assert!(tracker.apply(&smi) == Some(MutationKey::RemoveLocation(second)));
    let tmi = Mutation::RemoveEdge {
        edge: EdgeId::from_index(1),
    };
    let third = EdgeRef::Base(EdgeId::from_index(2));
    assert!(tracker.apply(&tmi) == Some(MutationKey::RemoveEdge(third)));
}

//! Names, numbers of added actions, and what is said of operators and refusals.

use std::collections::BTreeSet;

use crate::model::{Automaton, Cmp, Expr, Guard};
use crate::mutation::edge_name;
use crate::mutation::{MutantSpace, Mutation, MutationOptions, Mutations, Operator, Order, TooManyMutants};
use crate::studies::{Sketch, atom, coffee, wfas};

#[test]
fn places_have_names() {
    let wfas = wfas();
    let mutations: Vec<Mutation> = Mutations::of(&wfas, &MutationOptions::default()).iter().collect();
    let change = |index: usize| mutations[index].constraint().unwrap();
    let text = |pair: (&str, &str)| (pair.0.to_owned(), pair.1.to_owned());
    assert_eq!(change(91).names(&wfas), text(("invariant:cont_1", "x<=2")));
    let first = wfas.edges().ids().next().unwrap();
    assert_eq!(edge_name(&wfas, first), "cont_1->timeout#0");
}

#[test]
fn refusals_and_operators_say_what_they_are() {
    assert!(
        TooManyMutants::Number
            .to_string()
            .starts_with("there are more than 2^64 mutants")
    );
    assert!(TooManyMutants::Effort.to_string().starts_with("it would take too long"));
    let summaries: BTreeSet<_> = Operator::ALL.iter().map(|operator| operator.summary()).collect();
    assert_eq!(summaries.len(), Operator::ALL.len());
    let meanings: BTreeSet<_> = Operator::ALL.iter().map(|operator| operator.meaning()).collect();
    assert_eq!(meanings.len(), Operator::ALL.len());
    assert_eq!(Operator::Ccn.summary(), "negate a guard");
}

#[test]
fn without_operators_there_are_no_mutants() {
    let none = MutationOptions {
        operators: Vec::new(),
        ..MutationOptions::default()
    };
    for (options, is_empty) in [(none, true), (MutationOptions::default(), false)] {
        let coffee = coffee();
        let space = MutantSpace::new(&coffee, &options, Order::FIRST).unwrap();
        assert_eq!(space.is_empty(), is_empty);
        assert_eq!(space.options(), &options);
        assert_eq!(Mutations::of(&coffee, &options).is_empty(), is_empty);
    }
}

/// The position counts clock atoms; a condition on an integer makes two parts of one atom and itself.
#[test]
fn an_atom_beside_a_condition_on_an_integer_has_its_position() {
    let mut sketch = Sketch::new("A", &["x"]);
    sketch.location("l", Guard::always());
    let mut guard = atom(0, Cmp::Le, 3);
    guard.data.push(Expr::Const(1));
    sketch.edge("l", "l", "a!", guard, &[]);
    let automaton = sketch.build();
    let options = MutationOptions {
        conjuncts: true,
        ..MutationOptions::default()
    };
    let ids: Vec<_> = Mutations::of(&automaton, &options)
        .iter()
        .map(|m| m.id(&automaton))
        .collect();
    assert!(ids.contains(&"CXL:guard:l->l#0@0:x<=3=>x<=4".to_owned()), "{ids:?}");
}

/// `dummy_` alone and `dummy_x` are no numbered dummies.
#[test]
fn added_actions_are_numbered_after_those_there_are() {
    for (names, next) in [
        (["dummy_!", "dummy_x!"], "dummy_1"),
        (["dummy_1!", "dummy_x!"], "dummy_2"),
        (["dummy_2!", "b!"], "dummy_3"),
    ] {
        let mut sketch = Sketch::new("A", &["x"]);
        sketch.location("l", Guard::always());
        for name in names {
            sketch.edge("l", "l", name, Guard::always(), &[]);
        }
        let automaton = sketch.build();
        let mutations = Mutations::of(&automaton, &MutationOptions::default());
        let added = mutations
            .iter()
            .find(|mutation| mutation.operator() == Operator::Tad)
            .unwrap();
        let mutant = added.apply(&automaton);
        assert_eq!(&*mutant.actions().as_slice().last().unwrap().name, next);
    }
}

/// The removal of m renumbers n and its edge; names tell what is meant, as no two edges have the same ends.
#[test]
fn what_a_second_mutation_is_on_the_original_has_its_name() {
    let mut sketch = Sketch::new("A", &["x"]);
    sketch.location("l", Guard::always());
    sketch.location("m", Guard::always());
    sketch.location("n", atom(0, Cmp::Le, 5));
    sketch.edge("l", "m", "a!", atom(0, Cmp::Le, 3), &[]);
    sketch.edge("l", "n", "b!", atom(0, Cmp::Ge, 2), &[]);
    let original = sketch.build();
    let mutations = |automaton| Mutations::of(automaton, &MutationOptions::default());
    let ids: BTreeSet<String> = mutations(&original).iter().map(|m| m.id(&original)).collect();
    let is_of_m = |earlier: &Mutation| earlier.id(&original) == "SMI:m";
    let earlier = mutations(&original).iter().find(is_of_m).unwrap();
    let mutant = earlier.apply(&original);
    for later in mutations(&mutant).iter() {
        let on_original = later.on_original(&earlier, &original).unwrap();
        assert_eq!(on_original.id(&original), later.id(&mutant));
        assert!(ids.contains(&later.id(&mutant)));
    }
}

/// A family of sequences of some length is a sequence shorter by one.
#[test]
fn there_are_as_many_families_as_shorter_sequences() {
    let mut sketch = Sketch::new("A", &["x"]);
    sketch.location("l", Guard::always());
    sketch.edge("l", "l", "a!", atom(0, Cmp::Le, 30), &[]);
    let automaton = sketch.build();
    let options = MutationOptions {
        operators: vec![Operator::Cxl, Operator::Cxs],
        ..MutationOptions::default()
    };
    // Each time up or down.
    for order in 2..=6 {
        let space = MutantSpace::new(&automaton, &options, Order::new(order).unwrap()).unwrap();
        assert_eq!((space.n_families(), space.len()), (1 << (order - 1), 1 << order));
    }
}

/// An edge to m leaves when m does, one to n when n does, and m alone has an invariant, so what can follow differs: each
/// first mutation is counted on its own.
#[test]
fn sequences_of_four_are_those_of_three_after_each_first_mutation() {
    let mut sketch = Sketch::new("A", &["x"]);
    sketch.location("l", Guard::always());
    sketch.location("m", atom(0, Cmp::Le, 3));
    sketch.location("n", Guard::always());
    let automaton = sketch.build();
    let options = MutationOptions {
        operators: vec![Operator::Tmi, Operator::Tad, Operator::Smi, Operator::Cxl],
        ..MutationOptions::default()
    };
    let count = |automaton: &Automaton, order| {
        let order = Order::new(order).unwrap();
        MutantSpace::new(automaton, &options, order).unwrap().len()
    };
    let first = Mutations::of(&automaton, &options);
    let expected: u64 = first.iter().map(|first| count(&first.apply(&automaton), 3)).sum();
    assert_eq!(count(&automaton, 4), expected);
}

//! Counts against the published totals, ids, numbering, and fingerprints against a naive comparison.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;

use super::{
    Fingerprinter, MutantSpace, Mutation, MutationOptions, Mutations, Operator, Order, TadGuard, TooManyMutants,
};
use crate::model::{Automaton, ClockId, Cmp, Edge, EdgeId, Expr, Guard, IntVar, LocId, Role, Select, Update};
use crate::sketch::small_automaton;
use crate::studies::{Sketch, atom, coffee, diagonal, mutex, wfas};
use tamper_text::Id;

mod words;

fn counts(automaton: &Automaton, options: &MutationOptions) -> [usize; 6] {
    let mutations: Vec<_> = Mutations::of(automaton, options).iter().collect();
    Operator::PAPER.map(|operator| mutations.iter().filter(|m| m.operator() == operator).count())
}

/// The totals of \[003\] section 5.4.1: 72 + 5 + 14 + 12 + 12 + 6 for WFAS.
#[test]
fn first_order_counts_are_the_published_ones() {
    let options = MutationOptions::default();
    // TMI T, TAD 2 L^2, SMI L - 1, CXL guards + invariants, CXS those above 1, CCN the inequalities among the guards.
    assert_eq!(counts(&wfas(), &options), [14, 72, 5, 12, 12, 6]);
    assert_eq!(counts(&wfas(), &options).iter().sum::<usize>(), 121);
    assert_eq!(counts(&mutex(), &options), [4, 32, 3, 4, 3, 1]);
    assert_eq!(counts(&mutex(), &options).iter().sum::<usize>(), 47);
    assert_eq!(counts(&coffee(), &options), [6, 32, 3, 7, 6, 1]);
    assert_eq!(counts(&coffee(), &options).iter().sum::<usize>(), 55);
}

#[test]
fn second_order_sequences_are_as_many_as_published() {
    let n_sequences = |automaton| {
        MutantSpace::new(&automaton, &MutationOptions::default(), Order::SECOND)
            .unwrap()
            .len()
    };
    assert_eq!(n_sequences(wfas()), 14_711);
    assert_eq!(n_sequences(mutex()), 2_175);
}

#[test]
fn mutations_come_operator_by_operator_inputs_before_outputs() {
    let mutations: Vec<_> = Mutations::of(&wfas(), &MutationOptions::default()).iter().collect();
    assert!(mutations.is_sorted_by_key(Mutation::operator));
    let roles = mutations.iter().filter_map(|mutation| match mutation {
        Mutation::AddEdge { role, .. } => Some(*role),
        _ => None,
    });
    assert!(roles.is_sorted());
}

fn conjunctions() -> Automaton {
    let mut sketch = Sketch::new("A", &["x", "y"]);
    let mut both = atom(0, Cmp::Ge, 1);
    both.clocks.extend(atom(1, Cmp::Le, 3).clocks);
    both.clocks.push(diagonal(0, 1, Cmp::Lt, 5));
    sketch.location("l", Guard::always());
    sketch.location("m", atom(0, Cmp::Le, 1));
    sketch.edge("l", "m", "a!", both, &[0]);
    sketch.edge("m", "m", "b?", atom(0, Cmp::Eq, 0), &[]);
    sketch.build()
}

#[test]
fn only_single_atoms_are_mutated_unless_conjuncts_are_asked_for() {
    let mut options = MutationOptions::default();
    // Simple: the invariant x<=1 and the guard x==0. CXS would reach 0 and -1; the equality has no negation.
    assert_eq!(counts(&conjunctions(), &options)[3..], [2, 0, 0]);
    options.cxs_to_zero = true;
    assert_eq!(counts(&conjunctions(), &options)[3..], [2, 1, 0]);
    options.conjuncts = true;
    // Also x>=1 and y<=3 of the conjunction, never the diagonal.
    assert_eq!(counts(&conjunctions(), &options)[3..], [4, 3, 2]);
    let ids: Vec<_> = Mutations::of(&conjunctions(), &options)
        .iter()
        .map(|mutation| mutation.id(&conjunctions()))
        .collect();
    assert!(ids.contains(&"CXS:guard:l->m#0@1:y<=3=>y<=2".to_owned()), "{ids:?}");
}

#[test]
fn a_larger_step_keeps_fewer_smaller_constants() {
    let options = MutationOptions {
        step: 4,
        ..MutationOptions::default()
    };
    // WFAS has the constants 2 2 2 2 2 2 (four guards, two invariants), 5 5 5 and 9 9 9: six are above 4.
    assert_eq!(counts(&wfas(), &options)[4], 6);
}

#[test]
fn ids_say_what_the_mutation_is() {
    let wfas = wfas();
    let ids: BTreeSet<_> = Mutations::of(&wfas, &MutationOptions::default())
        .iter()
        .map(|mutation| mutation.id(&wfas))
        .collect();
    for id in [
        "TMI:cont_1->timeout#0",
        "TMI:cont_1->fail#1",
        "TAD:input:cont_1->fail",
        "TAD:output:fail->fail",
        "SMI:cont_3",
        "CXL:guard:cont_1->timeout#0:x>=2=>x>=3",
        "CXL:invariant:cont_1:x<=2=>x<=3",
        "CXS:guard:cont_2->cont_3#0:x==5=>x==4",
        "CCN:cont_1->timeout#0:x>=2=>x<2",
    ] {
        assert!(ids.contains(id), "{id} is missing from {ids:?}");
    }
}

#[test]
fn descriptions_name_the_place() {
    let wfas = wfas();
    let describe = |index| {
        Mutations::of(&wfas, &MutationOptions::default())
            .get(index)
            .unwrap()
            .describe(&wfas)
    };
    assert_eq!(describe(0), "removes the edge cont_1 -> timeout (timeout!)");
    assert_eq!(describe(14), "adds the edge cont_1 -> cont_1 with a new input");
    assert_eq!(describe(86), "removes the location cont_2 and its edges");
    assert_eq!(describe(91), "changes x<=2 to x<=3 in the invariant of cont_1");
    assert_eq!(
        describe(120),
        "changes x<9 to x>=9 in the guard of cont_4 -> cont_1 (result2?)"
    );
}

fn space(automaton: &Automaton, order: Order) -> MutantSpace {
    MutantSpace::new(automaton, &MutationOptions::default(), order).unwrap()
}

/// Every mutant with its number and id, in order, without using the numbering.
fn all_mutants(space: &MutantSpace) -> Vec<(String, Automaton)> {
    (0..space.n_families())
        .map_while(|family| space.siblings(family))
        .flat_map(|siblings| {
            let mutant = |last| (siblings.id(last), siblings.mutant(last));
            siblings.last().iter().map(mutant).collect::<Vec<_>>()
        })
        .collect()
}

#[test]
fn every_number_is_found_again_and_ids_are_unique() {
    for order in [1, 2, 3] {
        let space = space(&mutex(), Order::new(order).unwrap());
        let mut locator = space.locator();
        let mut ids = BTreeSet::new();
        let mut index = 0;
        for family in 0..space.n_families() {
            let siblings = locator.siblings(family).unwrap();
            assert_eq!(space.family_range(family), index..index + siblings.last().len());
            for (position, last) in (0..).zip(siblings.last().iter()) {
                assert_eq!(locator.locate(index), Some((family, position)));
                assert!(ids.insert(siblings.id(last)));
                if index % 97 == 0 {
                    assert_eq!(space.locate(index), Some((family, position)));
                }
                if index % 9973 == 0 {
                    assert_eq!(space.number_of(&siblings.id(last)), Some(index));
                }
                index += 1;
            }
        }
        assert_eq!(space.number_of("TMI:nowhere"), None);
        assert_eq!(space.len(), index);
        assert_eq!(space.locate(index), None);
        assert!(space.siblings(space.n_families()).is_none());
    }
}

/// The ids of all sequences of `length` mutations in order, made one mutation after the other.
fn sequences(automaton: &Automaton, options: &MutationOptions, length: u8, prefix: &str, ids: &mut Vec<String>) {
    for mutation in Mutations::of(automaton, options).iter() {
        let id = format!("{prefix}{}", mutation.id(automaton));
        match length {
            1 => ids.push(id),
            _ => sequences(&mutation.apply(automaton), options, length - 1, &format!("{id};"), ids),
        }
    }
}

fn assert_all_sequences(automaton: &Automaton, options: &MutationOptions, order: u8) {
    let space = MutantSpace::new(automaton, options, Order::new(order).unwrap()).unwrap();
    let mut expected = Vec::new();
    sequences(automaton, options, order, "", &mut expected);
    assert_eq!(space.len(), expected.len() as u64);
    let mut locator = space.locator();
    for (number, id) in (0..).zip(&expected) {
        let (family, position) = locator.locate(number).unwrap();
        let siblings = locator.siblings(family).unwrap();
        assert_eq!(siblings.id(siblings.last().get(position).unwrap()), *id, "{number}");
    }
    assert_eq!(locator.locate(space.len()), None);
}

/// MUTEX has 47 mutants of order 1 and 100,312 sequences of three. Of the smaller one, sequences of four.
#[test]
fn sequences_of_three_and_four_are_numbered_as_they_are_made() {
    assert_all_sequences(&mutex(), &MutationOptions::default(), 3);
    let mut sketch = Sketch::new("A", &["x"]);
    sketch.location("l", atom(0, Cmp::Le, 1));
    sketch.location("m", Guard::always());
    sketch.edge("l", "m", "a?", atom(0, Cmp::Ge, 1), &[]);
    let automaton = sketch.build();
    for tad_guard in [TadGuard::FirstEdge, TadGuard::None] {
        let options = MutationOptions {
            tad_guard,
            cxs_to_zero: true,
            ..MutationOptions::default()
        };
        assert_all_sequences(&automaton, &options, 4);
    }
}

#[test]
fn orders_end_where_numbers_do() {
    assert_eq!(Order::new(0), None);
    assert_eq!(Order::new(Order::MOST + 1), None);
    assert_eq!(Order::FIRST.before(), None);
    assert_eq!(Order::SECOND.before(), Some(Order::FIRST));
    // 2 * 1200 * 1200 edges can be added, about that many again each time: their third power has 64.3 bits.
    let mut sketch = Sketch::new("A", &["x"]);
    for location in 0..1200 {
        sketch.location(&format!("l{location}"), Guard::always());
    }
    let adding = MutationOptions::only(Operator::Tad);
    let too_many = MutantSpace::new(&sketch.build(), &adding, Order::new(3).unwrap()).err();
    assert_eq!(too_many, Some(TooManyMutants::Number));
    let too_long = MutantSpace::new(&wfas(), &MutationOptions::default(), Order::new(6).unwrap()).err();
    assert_eq!(too_long, Some(TooManyMutants::Effort));
}

#[test]
fn an_automaton_without_edges_gets_unguarded_added_edges() {
    let mut sketch = Sketch::new("A", &["x"]);
    sketch.location("l", atom(0, Cmp::Le, 3));
    let automaton = sketch.build();
    let mutations = Mutations::of(&automaton, &MutationOptions::only(Operator::Tad));
    assert_eq!(mutations.len(), 2);
    let mutant = mutations.get(0).unwrap().apply(&automaton);
    let edge = &mutant.edges()[EdgeId::from_index(0)];
    assert!(edge.guard.is_trivial() && edge.updates.is_empty());
    // Families of no mutants: without a rule for empty runs the numbering would lose its place.
    let removals = MutantSpace::new(&wfas(), &MutationOptions::only(Operator::Smi), Order::SECOND).unwrap();
    assert_eq!(removals.len(), 5 * 4);
}

#[test]
fn added_edges_clone_the_first_edge_with_a_fresh_action() {
    let wfas = wfas();
    let add = |automaton: &Automaton, tad_guard| {
        let options = MutationOptions {
            tad_guard,
            ..MutationOptions::only(Operator::Tad)
        };
        Mutations::of(automaton, &options).get(7).unwrap().apply(automaton)
    };
    let once = add(&wfas, TadGuard::FirstEdge);
    let added = &once.edges()[EdgeId::from_index(14)];
    assert_eq!(added.guard, atom(0, Cmp::Ge, 2));
    assert_eq!(once.actions()[added.action].to_string(), "dummy_1?");
    let twice = add(&once, TadGuard::None);
    let added = &twice.edges()[EdgeId::from_index(15)];
    assert!(added.guard.is_trivial());
    assert_eq!(twice.actions()[added.action].to_string(), "dummy_2?");
    assert_eq!(twice.role(EdgeId::from_index(15)), Role::Input);
}

#[test]
fn a_dummy_never_takes_a_name_of_the_model() {
    let mut sketch = Sketch::new("A", &["x", "dummy_2"]);
    sketch.location("l", Guard::always());
    sketch.edge("l", "l", "dummy_3!", Guard::always(), &[]);
    let automaton = sketch.build();
    let mutation = Mutations::of(&automaton, &MutationOptions::only(Operator::Tad))
        .get(0)
        .unwrap();
    let mutant = mutation.apply(&automaton);
    // One dummy is there, so k starts at 2, which a clock has, then 3, which an action has.
    assert_eq!(
        mutant.actions()[mutant.edges()[EdgeId::from_index(1)].action].to_string(),
        "dummy_4?"
    );
}

/// The content of a mutant, spelt out: the naive twin of the fingerprint.
pub(super) fn content(base: &Automaton, mutant: &Automaton) -> (Vec<String>, Vec<String>) {
    let name = |location| &mutant.locations()[location].name;
    let mut edges: Vec<_> = mutant
        .edges()
        .iter()
        .map(|edge| {
            let action = &mutant.actions()[edge.action];
            let is_added = edge.action.index() >= base.actions().len();
            let shown = if is_added {
                format!("dummy {:?}", action.role)
            } else {
                action.to_string()
            };
            let (source, target) = (name(edge.source), name(edge.target));
            format!(
                "{source} {target} {shown} {:?} {:?} {:?}",
                edge.guard, edge.updates, edge.selects
            )
        })
        .collect();
    edges.sort();
    (
        mutant
            .locations()
            .iter()
            .map(|location| format!("{location:?}"))
            .collect(),
        edges,
    )
}

fn check_fingerprints(base: &Automaton) {
    let fingerprinter = Fingerprinter::new(base);
    let mut by_content = BTreeMap::new();
    let mut fingerprints = BTreeSet::new();
    for (id, mutant) in all_mutants(&space(base, Order::SECOND)) {
        let fingerprint = fingerprinter.fingerprint(&mutant);
        fingerprints.insert(fingerprint);
        let first = by_content
            .entry(content(base, &mutant))
            .or_insert((fingerprint, id.clone()));
        assert_eq!(first.0, fingerprint, "{} and {id} are the same automaton", first.1);
    }
    assert_eq!(
        fingerprints.len(),
        by_content.len(),
        "different automata share a fingerprint"
    );
    let bits: BTreeSet<u128> = fingerprints.iter().map(|fingerprint| fingerprint.bits()).collect();
    assert_eq!(bits.len(), fingerprints.len());
}

#[test]
fn fingerprints_tell_mutants_of_mutex_and_coffee_apart() {
    check_fingerprints(&mutex());
    check_fingerprints(&coffee());
}

/// Edges that differ in one thing each: which of them is missing is always another automaton.
#[test]
fn a_fingerprint_depends_on_everything_an_edge_has() {
    let mut sketch = Sketch::new("A", &["x", "y"]);
    sketch.location("l", Guard::always());
    sketch.location("m", Guard::always());
    let low = IntVar {
        name: "v".into(),
        low: 0,
        high: 9,
        initial: 0,
    };
    let other = IntVar {
        name: "w".into(),
        ..low.clone()
    };
    let [v, w] = [low, other].map(|int| sketch.builder.int(int));
    let whole = |clock, cmp, constant| (atom(clock, cmp, constant), Vec::new());
    let assigns = |int, value| (Guard::always(), vec![Update::Assign(int, Expr::Const(value))]);
    for (source, target) in [("l", "m"), ("m", "l")] {
        sketch.edge(source, target, "a!", Guard::always(), &[]);
    }
    for (label, (guard, updates)) in [
        ("a!", whole(0, Cmp::Le, 3)),
        ("b!", whole(0, Cmp::Le, 3)),
        ("a?", whole(0, Cmp::Le, 3)),
        ("a!", whole(1, Cmp::Le, 3)),
        ("a!", whole(0, Cmp::Lt, 3)),
        ("a!", whole(0, Cmp::Le, 4)),
        ("a!", assigns(v, 1)),
        ("a!", assigns(v, 2)),
        ("a!", assigns(w, 1)),
        (
            "a!",
            (
                Guard::always(),
                vec![Update::Reset(ClockId::from_index(0), Expr::Const(1))],
            ),
        ),
        (
            "a!",
            (
                Guard::always(),
                vec![Update::Reset(ClockId::from_index(1), Expr::Const(1))],
            ),
        ),
    ] {
        sketch.edge_with("l", "l", label, guard, &[], updates);
    }
    let action = sketch.builder.action("a", Role::Output, false);
    let (here, guard) = (LocId::from_index(0), Guard::always());
    for (low, high, value) in [(0, 1, 0), (0, 2, 0), (1, 2, 0), (0, 1, 1)] {
        let select = |name: &str, low, high| Select {
            name: name.into(),
            low,
            high,
        };
        let selects = vec![select("i", low, high), select("j", 0, 1)];
        let updates = vec![Update::Assign(v, Expr::Select(value))];
        let edge = Edge {
            source: here,
            target: here,
            action,
            guard: guard.clone(),
            updates,
            selects,
        };
        sketch.builder.edge(edge);
    }
    check_fingerprints(&sketch.build());
}

/// Without how many conjuncts and updates there are, `x < 0 && x < 0` would be the same bytes, all zero, as the condition 0
/// with two resets of x to 0.
#[test]
fn a_fingerprint_depends_on_what_is_a_conjunct_and_what_an_update() {
    let mut sketch = Sketch::new("A", &["x"]);
    sketch.location("l", Guard::always());
    let mut twice = atom(0, Cmp::Lt, 0);
    twice.clocks.extend(atom(0, Cmp::Lt, 0).clocks);
    sketch.edge("l", "l", "a!", twice, &[]);
    let never = Guard {
        clocks: Vec::new(),
        data: vec![Expr::Const(0)],
    };
    sketch.edge("l", "l", "a!", never, &[0, 0]);
    check_fingerprints(&sketch.build());
}

#[test]
fn fingerprints_of_siblings_are_those_of_the_mutants_themselves() {
    for base in [mutex(), coffee(), wfas()] {
        for tad_guard in [TadGuard::FirstEdge, TadGuard::None] {
            let options = MutationOptions {
                tad_guard,
                conjuncts: true,
                ..MutationOptions::default()
            };
            let space = MutantSpace::new(&base, &options, Order::SECOND).unwrap();
            let fingerprinter = Fingerprinter::new(&base);
            // Every fifth family: each operator is among them, the first edge is removed in the first, and the last location of
            // the coffee machine in the 41st.
            for family in (0..space.n_families()).step_by(5) {
                let siblings = space.siblings(family).unwrap();
                let fingerprints = fingerprinter.siblings(siblings.parent());
                for last in siblings.last().iter() {
                    let expected = fingerprinter.fingerprint(&siblings.mutant(last));
                    assert_eq!(fingerprints.of(&last), expected, "{}", siblings.id(last));
                }
            }
        }
    }
}

#[test]
fn mutations_of_different_places_commute() {
    let wfas = wfas();
    let fingerprinter = Fingerprinter::new(&wfas);
    let mutations = Mutations::of(&wfas, &MutationOptions::default());
    let [add, other, larger] = [14, 15, 91].map(|index| mutations.get(index).unwrap());
    for (a, b) in [(add, other), (add, larger)] {
        let (one, two) = (b.apply(&a.apply(&wfas)), a.apply(&b.apply(&wfas)));
        assert_eq!(fingerprinter.fingerprint(&one), fingerprinter.fingerprint(&two));
        assert_ne!(fingerprinter.fingerprint(&one), fingerprinter.fingerprint(&wfas));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn fingerprints_are_equal_exactly_for_equal_automata(automaton in small_automaton()) {
        check_fingerprints(&automaton);
    }

    #[test]
    fn every_mutant_of_order_two_is_counted(
        automaton in small_automaton(),
        operators in prop::sample::subsequence(Operator::ALL.to_vec(), 0..=6),
        again in prop::sample::subsequence(Operator::ALL.to_vec(), 0..=3),
        (step, cxs_to_zero, no_guard) in (1..3_i64, any::<bool>(), any::<bool>()),
    ) {
        let tad_guard = if no_guard { TadGuard::None } else { TadGuard::FirstEdge };
        let options = MutationOptions { operators, again, step, tad_guard, cxs_to_zero, conjuncts: true };
        let space = MutantSpace::new(&automaton, &options, Order::SECOND).unwrap();
        for family in 0..space.n_families() {
            let (range, siblings) = (space.family_range(family), space.siblings(family).unwrap());
            prop_assert_eq!(range.end - range.start, siblings.last().len());
        }
        prop_assert_eq!(all_mutants(&space).len() as u64, space.len());
    }

    #[test]
    fn sequences_of_three_of_small_games_are_numbered_as_they_are_made(
        automaton in small_automaton(),
        operators in prop::sample::subsequence(Operator::ALL.to_vec(), 0..=6),
        again in prop::sample::subsequence(Operator::ALL.to_vec(), 0..=3),
        (step, cxs_to_zero, no_guard) in (1..3_i64, any::<bool>(), any::<bool>()),
    ) {
        let tad_guard = if no_guard { TadGuard::None } else { TadGuard::FirstEdge };
        let options = MutationOptions { operators, again, step, tad_guard, cxs_to_zero, conjuncts: true };
        assert_all_sequences(&automaton, &options, 3);
    }
}

/// By hand: an edge is passed when it is taken, a location when it is left; the copy behind the game is its mutant.
#[test]
fn a_mutation_with_memory_changes_the_copy_that_a_run_is_in_once_it_passed_the_place() {
    let mut sketch = Sketch::new("A", &["x"]);
    sketch.location("off", Guard::always());
    sketch.location("on", atom(0, Cmp::Le, 5));
    sketch.edge("off", "on", "press?", Guard::always(), &[0]);
    sketch.edge("on", "off", "done!", Guard::always(), &[]);
    let game = sketch.build();
    let options = MutationOptions {
        operators: Vec::new(),
        again: vec![
            Operator::Riv,
            Operator::Rrs,
            Operator::Otm,
            Operator::Tad,
            Operator::Smi,
        ],
        ..MutationOptions::default()
    };
    let mutants: Vec<(String, Automaton)> = Mutations::of(&game, &options)
        .iter()
        .map(|mutation| (mutation.id(&game), mutation.apply(&game)))
        .collect();
    let ids: Vec<&str> = mutants.iter().map(|(id, _)| &**id).collect();
    let [rrs, otm, riv] = ["again:RRS:off->on#0:0:x=0", "again:OTM:off->on#0:x=0", "again:RIV:on"];
    assert_eq!(ids, [rrs, otm, riv]);
    let edges = |mutant: &Automaton| -> Vec<(String, usize, Guard)> {
        let name = |id: LocId| mutant.locations()[id].name.to_string();
        let text = |edge: &Edge| format!("{} -> {}", name(edge.source), name(edge.target));
        let edges = mutant.edges().iter();
        edges
            .map(|edge| (text(edge), edge.updates.len(), edge.guard.clone()))
            .collect()
    };
    let plain = |text: &str, n_updates: usize| (text.to_owned(), n_updates, Guard::always());
    let passed = [plain("off -> on_again", 1), plain("on -> off", 0)];
    let copy = [plain("off_again -> on_again", 0), plain("on_again -> off_again", 0)];
    assert_eq!(edges(&mutants[0].1), [&passed[..], &copy].concat());
    let late = ("off_again -> on_again".to_owned(), 1, atom(0, Cmp::Gt, 5));
    assert_eq!(edges(&mutants[1].1), [&passed[..], &copy, &[late]].concat());
    let left = [plain("off -> on", 1), plain("on -> off_again", 0)];
    let copy = [plain("off_again -> on_again", 1), plain("on_again -> off_again", 0)];
    assert_eq!(edges(&mutants[2].1), [left, copy].concat());
    let invariants: Vec<bool> = mutants[2]
        .1
        .locations()
        .iter()
        .map(|one| one.invariant.is_trivial())
        .collect();
    assert_eq!(invariants, [true, false, true, true]);
    let described = Mutations::of(&game, &options)
        .get(2)
        .map(|mutation| mutation.describe(&game));
    assert_eq!(
        described.as_deref(),
        Some("removes the invariant of on, once it has been left")
    );
}

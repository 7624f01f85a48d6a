//! Products against sequences: every sequence has its product, every product its sequence, and both the same automaton.

use std::collections::BTreeSet;

use num_bigint::BigUint;
use proptest::prelude::*;

use crate::featured::{Conditions, FeaturedAutomaton};
use crate::model::{Automaton, Cmp, EdgeId, Guard, LocId};
use crate::mutation::tests::content;
use crate::mutation::{
    EdgeRef, FeaturedMutants, FeaturedMutantsError, Fingerprinter, Mutation, MutationKey, MutationOptions, Mutations,
    Operator, ProductBound, SiteRef, TadGuard,
};
use crate::sketch::small_automaton;
use crate::studies::{Sketch, atom, coffee, mutex, wfas};
use tamper_features::{Diagram, FeatureExpr, FeatureId, FeatureModel, GroupKind, Product};
use tamper_text::{Budget, Id};

mod parts;

fn featured(base: &Automaton, order: u8) -> FeaturedMutants {
    FeaturedMutants::of(base, &MutationOptions::default(), ProductBound::Sequences(order)).unwrap()
}

/// Calls `visit` with every sequence of at most `order` mutations and its mutant.
fn sequences(
    automaton: &Automaton,
    options: &MutationOptions,
    order: usize,
    visit: &mut impl FnMut(&[Mutation], &Automaton),
) {
    fn extend(
        sequence: &mut Vec<Mutation>,
        automaton: &Automaton,
        options: &MutationOptions,
        order: usize,
        visit: &mut impl FnMut(&[Mutation], &Automaton),
    ) {
        visit(sequence, automaton);
        if sequence.len() == order {
            return;
        }
        for mutation in Mutations::of(automaton, options).iter() {
            sequence.push(mutation);
            extend(sequence, &mutation.apply(automaton), options, order, visit);
            sequence.pop();
        }
    }
    extend(&mut Vec::new(), automaton, options, order, visit);
}

/// Equal up to the order of edges and the names of added actions.
fn assert_same(base: &Automaton, mutant: &Automaton, projected: &Automaton, what: &str) {
    assert_eq!(content(base, mutant), content(base, projected), "{what}");
    assert_eq!(mutant.name(), projected.name(), "{what}");
    assert_eq!(mutant.clocks(), projected.clocks(), "{what}");
    assert_eq!(mutant.ints(), projected.ints(), "{what}");
    assert_eq!(mutant.initial(), projected.initial(), "{what}");
    assert_eq!(mutant.is_input_enabled(), projected.is_input_enabled(), "{what}");
    let alphabet = |automaton: &Automaton| {
        let n_base = base.actions().len();
        let (known, added) = automaton.actions().as_slice().split_at(n_base);
        let mut added: Vec<_> = added.iter().map(|action| (action.role, action.urgent)).collect();
        added.sort();
        (known.to_vec(), added)
    };
    assert_eq!(alphabet(mutant), alphabet(projected), "{what}");
}

/// Every sequence of up to `order` mutations has a product of as many features, valid, with the same automaton; and there
/// is no other product. The automata are compared by fingerprint too.
fn check(base: &Automaton, options: &MutationOptions, order: u8) {
    let mutants = FeaturedMutants::of(base, options, ProductBound::Sequences(order)).unwrap();
    let diagram = Diagram::of(mutants.model(), &Budget::unlimited()).unwrap();
    let fingerprinter = Fingerprinter::new(base);
    let mut products: BTreeSet<Product> = BTreeSet::new();
    let mut automata = BTreeSet::new();
    sequences(base, options, usize::from(order), &mut |sequence, mutant| {
        let product = mutants.product_of(sequence);
        let product = product.unwrap_or_else(|| panic!("{sequence:?} has no product"));
        assert_eq!(product.len(), sequence.len() + 1, "{sequence:?}");
        automata.insert(fingerprinter.fingerprint(mutant));
        if products.contains(&product) {
            let projected = mutants.project(&product).unwrap();
            assert_eq!(
                fingerprinter.fingerprint(&projected),
                fingerprinter.fingerprint(mutant),
                "{sequence:?}"
            );
            return;
        }
        let shown = product.show(mutants.model()).to_string();
        assert!(diagram.contains(&product), "{shown} is excluded");
        let projected = mutants.project(&product).unwrap();
        assert_same(base, mutant, &projected, &shown);
        products.insert(product);
    });
    if diagram.count() != BigUint::from(products.len()) {
        for index in 0..u64::try_from(diagram.count()).unwrap() {
            let product = diagram.get(&index.into()).unwrap();
            assert!(
                products.contains(&product),
                "{} has no sequence",
                product.show(mutants.model())
            );
        }
    }
    let projected: BTreeSet<_> = products
        .iter()
        .map(|product| fingerprinter.fingerprint(&mutants.project(product).unwrap()))
        .collect();
    assert_eq!(projected, automata);
}

#[test]
fn first_order_products_are_the_mutants_and_the_original() {
    for base in [wfas(), mutex(), coffee()] {
        check(&base, &MutationOptions::default(), 1);
        let mutants = featured(&base, 1);
        let mutations = Mutations::of(&base, &MutationOptions::default());
        let ids: BTreeSet<_> = mutants
            .mutations()
            .values()
            .map(|mutation| mutation.id.clone())
            .collect();
        assert_eq!(ids, mutations.iter().map(|mutation| mutation.id(&base)).collect());
        assert_eq!(mutants.mutations().len() as u64, mutations.len());
    }
}

#[test]
fn second_order_products_are_the_sequences_up_to_exchange() {
    for base in [coffee(), mutex(), wfas()] {
        check(&base, &MutationOptions::default(), 2);
    }
}

#[test]
fn third_order_products_are_the_sequences_up_to_exchange() {
    let mut sketch = Sketch::new("A", &["x"]);
    sketch.location("l", atom(0, Cmp::Le, 3));
    sketch.location("m", Guard::always());
    sketch.edge("l", "m", "a!", atom(0, Cmp::Ge, 2), &[0]);
    check(&sketch.build(), &MutationOptions::default(), 3);
    let mut loops = Sketch::new("B", &["x"]);
    loops.location("l", atom(0, Cmp::Le, 2));
    loops.edge("l", "l", "a!", atom(0, Cmp::Lt, 2), &[]);
    loops.edge("l", "l", "b?", atom(0, Cmp::Eq, 3), &[]);
    check(&loops.build(), &MutationOptions::default(), 3);
}

#[test]
fn other_options_have_their_products_too() {
    let mut sketch = Sketch::new("A", &["x", "y"]);
    let mut both = atom(0, Cmp::Ge, 1);
    both.clocks.extend(atom(1, Cmp::Le, 3).clocks);
    sketch.location("l", both.clone());
    sketch.location("m", Guard::always());
    sketch.edge("l", "m", "a!", both, &[0]);
    sketch.edge("m", "l", "b?", atom(1, Cmp::Gt, 1), &[]);
    let base = sketch.build();
    for (conjuncts, tad_guard) in [(true, TadGuard::FirstEdge), (false, TadGuard::None)] {
        let options = MutationOptions {
            conjuncts,
            tad_guard,
            cxs_to_zero: true,
            ..MutationOptions::default()
        };
        check(&base, &options, 2);
    }
    let changes = MutationOptions {
        operators: vec![Operator::Cxl, Operator::Ccn],
        conjuncts: true,
        step: 2,
        ..MutationOptions::default()
    };
    check(&base, &changes, 3);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(10))]

    #[test]
    fn random_automata_have_a_product_for_every_sequence(automaton in small_automaton()) {
        check(&automaton, &MutationOptions::default(), 2);
    }

    #[test]
    fn random_removals_and_additions_have_products_at_order_three(automaton in small_automaton()) {
        if automaton.locations().len() <= 2 && automaton.edges().len() <= 2 {
            let options = MutationOptions {
                operators: vec![Operator::Tmi, Operator::Tad, Operator::Smi, Operator::Cxl],
                ..MutationOptions::default()
            };
            check(&automaton, &options, 3);
        }
    }
}

/// Of each constraint at most one change, anything else freely. By hand for the changes: coffee has seven constraints,
/// `x >= 1` with CXL and CCN (CXS would reach 0) and six equalities and invariants with CXL and CXS; WFAS has
/// six inequality guards with three changes, and two equality guards and four invariants with two.
#[test]
fn sets_of_first_order_mutations_are_counted_by_a_formula() {
    let count = |base: &Automaton| {
        let mutants = FeaturedMutants::of(base, &MutationOptions::default(), ProductBound::Sets(None)).unwrap();
        Diagram::of(mutants.model(), &Budget::unlimited()).unwrap().count()
    };
    let formula = |n_free: u32, n_two: u32, n_three: u32| {
        BigUint::from(2_u8).pow(n_free) * BigUint::from(3_u8).pow(n_two) * BigUint::from(4_u8).pow(n_three)
    };
    assert_eq!(count(&coffee()), formula(6 + 32 + 3, 7, 0));
    assert_eq!(count(&wfas()), formula(14 + 72 + 5, 6, 6));
}

#[test]
fn sets_of_two_are_applied_in_their_order() {
    let base = mutex();
    let options = MutationOptions::default();
    let mutants = FeaturedMutants::of(&base, &options, ProductBound::Sets(Some(2))).unwrap();
    let diagram = Diagram::of(mutants.model(), &Budget::unlimited()).unwrap();
    let order = |mutation: &Mutation| match mutation.operator() {
        Operator::Tad => 0,
        Operator::Cxl | Operator::Cxs | Operator::Ccn => 1,
        Operator::Tmi => 2,
        Operator::Smi => 3,
        other => panic!("{other} has no features"),
    };
    let mut products = BTreeSet::new();
    sequences(&base, &options, 2, &mut |sequence, mutant| {
        let in_order = sequence.is_sorted_by_key(order);
        let product = mutants
            .product_of(sequence)
            .filter(|product| in_order && diagram.contains(product));
        if let Some(product) = product {
            let shown = product.show(mutants.model()).to_string();
            assert_same(&base, mutant, &mutants.project(&product).unwrap(), &shown);
            products.insert(product);
        }
    });
    assert_eq!(diagram.count(), BigUint::from(products.len()));
}

/// By hand for WFAS at order 2, whose first edge cont_1 -> timeout has the guard x >= 2 with three changes. Each of the
/// 72 places has: a plain added edge, a second one, clones of the first edge after each change, and a clone of the
/// second edge once the first is gone. Only the plain one can be mutated again: by TMI and three changes.
#[test]
fn the_size_is_linear_in_the_first_order_mutations() {
    let mutants = featured(&wfas(), 2);
    let n = |found: &dyn Fn(&MutationKey) -> bool| mutants.mutations().values().filter(|m| found(&m.key)).count();
    let n_added = n(&|key| matches!(key, MutationKey::AddEdge(_)));
    assert_eq!(n_added, 72 * 6);
    let removed = n(&|key| matches!(key, MutationKey::RemoveEdge(EdgeRef::Added(_))));
    assert_eq!(removed, 72);
    let changed = n(&|key| {
        matches!(
            key,
            MutationKey::Change {
                site: SiteRef::Guard(EdgeRef::Added(_)),
                ..
            }
        )
    });
    assert_eq!(changed, 72 * 3);
}

#[test]
fn orders_without_a_model_are_refused() {
    for order in [0, 4] {
        let error = FeaturedMutants::of(&coffee(), &MutationOptions::default(), ProductBound::Sequences(order));
        assert_eq!(error, Err(FeaturedMutantsError::UnsupportedOrder(order)));
        let text = error.unwrap_err().to_string();
        let beginning = format!("a featured mutant model of order {order} is not supported: orders are 1 to 3");
        assert!(text.starts_with(&beginning), "{text}");
    }
}

#[test]
fn names_are_identifiers_and_unique_without_case() {
    let mutants = featured(&wfas(), 2);
    let mut names = BTreeSet::new();
    for feature in mutants.model().features() {
        let name = feature.name();
        assert!(name.starts_with(|c: char| c.is_ascii_alphabetic()), "{name}");
        assert!(name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_'), "{name}");
        assert!(names.insert(name.to_lowercase()), "{name}");
    }
    let name = "CXL_guard_cont_1_to_timeout_0_x_ge_2_becomes_x_ge_3";
    let feature = &mutants.model().features()[mutants.model().find(name).unwrap()];
    assert_eq!(
        feature.attribute("id"),
        Some("'CXL:guard:cont_1->timeout#0:x>=2=>x>=3'")
    );
}

/// \[003\] Figs 2 to 5: soda in the first 2 time units, tea from 2 on, both within 5.
fn vending_machines() -> FeaturedAutomaton {
    let mut sketch = Sketch::new("ftg", &["x"]);
    sketch.location("s0", Guard::always());
    sketch.location("s1", atom(0, Cmp::Le, 5));
    sketch.edge("s0", "s1", "coin?", Guard::always(), &[0]);
    sketch.edge("s1", "s0", "soda!", atom(0, Cmp::Le, 2), &[]);
    sketch.edge("s1", "s0", "tea!", atom(0, Cmp::Ge, 2), &[]);
    let automaton = sketch.build();
    let mut model = FeatureModel::new("machine").unwrap();
    let drinks = model.add_group(model.root(), GroupKind::Or);
    let [soda, tea] = ["s", "t"].map(|name| model.add_feature(drinks, name).unwrap());
    let mut conditions = Conditions::always(&automaton);
    conditions.edges[EdgeId::from_index(1)] = soda.into();
    conditions.edges[EdgeId::from_index(2)] = tea.into();
    FeaturedAutomaton::new(automaton, model, conditions).unwrap()
}

/// The conditions of edges that lead by `action` (and of conjuncts of the invariant of s1) where no feature
/// but those of the family and `names` is selected, as `[condition] guard`.
fn conditions(mutants: &FeaturedMutants, action: &str, names: &[FeatureId]) -> Vec<String> {
    let model = mutants.model();
    let known = |feature: FeatureId| {
        let is_free = feature.index() < mutants.n_base_features() || names.contains(&feature);
        (!is_free).then_some(false)
    };
    let automaton = mutants.automaton().automaton();
    let text = |when: &FeatureExpr, guard: &Guard| {
        let when = when.assume(&known);
        (when != FeatureExpr::False).then(|| {
            let atom = guard.as_simple().unwrap();
            format!("[{}] x {} {}", model.show(&when), atom.cmp.symbol(), atom.constant)
        })
    };
    if action.is_empty() {
        let s1 = LocId::from_index(1);
        let atoms = automaton.locations()[s1].invariant.clocks.iter();
        let conditions = &mutants.automaton().conditions().invariants[s1].clocks;
        let one = |atom: &crate::model::ClockConstraint| Guard {
            clocks: vec![atom.clone()],
            data: vec![],
        };
        return atoms
            .zip(conditions)
            .filter_map(|(atom, when)| text(when, &one(atom)))
            .collect();
    }
    let edges = automaton.edges().iter_enumerated();
    edges
        .filter(|(_, edge)| &*automaton.actions()[edge.action].name == action)
        .filter_map(|(id, edge)| text(&mutants.automaton().conditions().edges[id], &edge.guard))
        .collect()
}

#[test]
fn the_example_of_the_paper_has_its_transitions_and_expressions() {
    let family = vending_machines();
    let of = |step| {
        let options = MutationOptions {
            step,
            ..MutationOptions::default()
        };
        FeaturedMutants::of_family(&family, &options, ProductBound::Sequences(1)).unwrap()
    };
    let find = |mutants: &FeaturedMutants, id: &str| {
        let mut mutations = mutants.mutations().iter();
        let (feature, _) = mutations.find(|(_, mutation)| mutation.id == id).unwrap();
        (*feature, mutants.model().features()[*feature].name().to_owned())
    };
    let mutants = of(2);
    let (tmi, tmi_name) = find(&mutants, "TMI:s1->s0#0");
    let (cxl, cxl_name) = find(&mutants, "CXL:guard:s1->s0#1:x>=2=>x>=4");
    assert_eq!(
        conditions(&mutants, "soda", &[tmi]),
        [format!("[s && !{tmi_name}] x <= 2")]
    );
    assert_eq!(
        conditions(&mutants, "tea", &[cxl]),
        [
            format!("[t && !{cxl_name}] x >= 2"),
            format!("[t && {cxl_name}] x >= 4")
        ]
    );
    let mutants = of(1);
    let (cxs, cxs_name) = find(&mutants, "CXS:invariant:s1:x<=5=>x<=4");
    assert_eq!(
        conditions(&mutants, "", &[cxs]),
        [format!("[!{cxs_name}] x <= 5"), format!("[{cxs_name}] x <= 4")]
    );
}

/// Members with `late` begin in m, which the other members can lose.
#[test]
fn where_a_member_begins_is_not_removed() {
    let mut sketch = Sketch::new("A", &["x"]);
    sketch.location("l", Guard::always());
    sketch.location("m", Guard::always());
    sketch.edge("l", "m", "a!", Guard::always(), &[]);
    let automaton = sketch.build();
    let [l, m] = [0, 1].map(LocId::from_index);
    let mut model = FeatureModel::new("root").unwrap();
    let group = model.add_group(model.root(), GroupKind::Optional);
    let late = model.add_feature(group, "late").unwrap();
    let mut conditions = Conditions::always(&automaton);
    conditions.initial = vec![(!FeatureExpr::from(late), l), (late.into(), m)];
    let family = FeaturedAutomaton::new(automaton, model, conditions).unwrap();
    let options = MutationOptions {
        step: 2,
        ..MutationOptions::default()
    };
    let mutants = FeaturedMutants::of_family(&family, &options, ProductBound::Sequences(1)).unwrap();
    assert_eq!(mutants.options(), &options);
    let diagram = Diagram::of(mutants.model(), &Budget::unlimited()).unwrap();
    let mut product = mutants.product_of(&[Mutation::RemoveLocation { location: m }]).unwrap();
    assert!(diagram.contains(&product));
    product.insert(late);
    assert!(!diagram.contains(&product));
}

#[test]
fn mutating_a_family_and_projecting_commute() {
    let family = vending_machines();
    let mutants = FeaturedMutants::of_family(&family, &MutationOptions::default(), ProductBound::Sequences(1)).unwrap();
    let diagram = Diagram::of(mutants.model(), &Budget::unlimited()).unwrap();
    // Three members, each with as many mutants as the superposition has, and itself.
    assert_eq!(diagram.count(), BigUint::from(3 * (1 + mutants.mutations().len())));
    let [soda, tea] = ["s", "t"].map(|name| mutants.model().find(name).unwrap());
    for drinks in [vec![soda], vec![tea], vec![soda, tea]] {
        let member: Product = drinks.iter().copied().chain([mutants.model().root()]).collect();
        for mutation in Mutations::of(family.automaton(), &MutationOptions::default()).iter() {
            let mut product = mutants.product_of(&[mutation]).unwrap();
            drinks.iter().for_each(|drink| {
                product.insert(*drink);
            });
            assert!(diagram.contains(&product));
            let projected = mutants.project(&product).unwrap();
            // The mutant of the superposition, then without the edges of drinks that are not there.
            let mut expected = mutation.apply(family.automaton());
            for (drink, action) in [(soda, "soda"), (tea, "tea")] {
                let of_drink = |edge: &EdgeId| &*expected.actions()[expected.edges()[*edge].action].name == action;
                let edge = expected.edges().ids().find(of_drink);
                if let Some(edge) = edge.filter(|_| !member.contains(drink)) {
                    expected = expected.without_edge(edge);
                }
            }
            assert_same(
                family.automaton(),
                &expected,
                &projected,
                &mutation.id(family.automaton()),
            );
        }
    }
}

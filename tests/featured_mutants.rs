//! The featured mutant model of every case study: each product is the enumerated mutant, none missing, none extra.

use std::collections::BTreeSet;
use std::path::Path;

use num_bigint::BigUint;
use tamper::features::{Diagram, Product, ProductSpace, Random};
use tamper::formats::{ReadOptions, read_file};
use tamper::guidelines::{GuidedMutants, violated};
use tamper::model::Automaton;
use tamper::mutation::{FeaturedMutants, Fingerprinter, MutantSpace, MutationOptions, Mutations, Order, ProductBound};
use tamper::text::Budget;

const STUDIES: [&str; 6] = ["accel", "cas", "coffee", "hotel", "mutex", "wfas"];

fn study(name: &str) -> Automaton {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("case-studies");
    let (document, _) =
        read_file(&root.join(name).join("model.xml"), &ReadOptions::default()).expect("a readable study");
    document.automata()[0].clone()
}

fn featured(base: &Automaton, order: u8) -> FeaturedMutants {
    FeaturedMutants::of(base, &MutationOptions::default(), ProductBound::Sequences(order)).expect("a supported order")
}

/// What counts of a mutant: everything but the order of edges and the names of added actions.
fn content(base: &Automaton, mutant: &Automaton) -> (String, Vec<String>) {
    let name = |location| &*mutant.locations()[location].name;
    let mut edges: Vec<String> = mutant
        .edges()
        .iter()
        .map(|edge| {
            let action = &mutant.actions()[edge.action];
            let is_known = base.actions().iter().any(|known| known == action);
            let action = if is_known {
                action.to_string()
            } else {
                format!("new {:?}", action.role)
            };
            let rest = (&edge.guard, &edge.updates, &edge.selects);
            format!("{} {} {action} {rest:?}", name(edge.source), name(edge.target))
        })
        .collect();
    edges.sort();
    let n_actions = mutant.actions().len();
    let rest = (
        mutant.locations(),
        mutant.initial(),
        mutant.clocks(),
        mutant.ints(),
        mutant.is_input_enabled(),
    );
    (format!("{rest:?} {n_actions}"), edges)
}

#[test]
fn every_first_order_product_is_the_enumerated_mutant() {
    for name in STUDIES {
        let base = study(name);
        let mutants = featured(&base, 1);
        let space = MutantSpace::new(&base, &MutationOptions::default(), Order::FIRST).expect("few mutants");
        let siblings = space.siblings(0).expect("one family");
        let mut products = BTreeSet::new();
        for mutation in siblings.last().iter() {
            let product = mutants.product_of(&[mutation]).expect("a product");
            assert!(mutants.model().allows(&product), "{name}: {}", siblings.id(mutation));
            let projected = mutants.project(&product).expect("an automaton");
            assert_eq!(
                content(&base, &projected),
                content(&base, &siblings.mutant(mutation)),
                "{name}: {}",
                siblings.id(mutation)
            );
            let features: Vec<_> = product.iter().skip(1).collect();
            assert_eq!(mutants.mutations()[&features[0]].id, siblings.id(mutation));
            products.insert(product);
        }
        let original = mutants.product_of(&[]).expect("a product");
        assert_eq!(mutants.project(&original).as_ref(), Ok(&base), "{name}");
        // The mutants and the original, and nothing else.
        let diagram = Diagram::of(mutants.model(), &Budget::unlimited()).expect("no limit");
        assert_eq!(diagram.count(), BigUint::from(products.len() + 1), "{name}");
        assert_eq!(products.len() as u64, space.len(), "{name}");
    }
}

#[test]
fn sampled_second_order_sequences_have_their_product() {
    for name in ["hotel", "accel", "cas"] {
        let base = study(name);
        let mutants = featured(&base, 2);
        let space = MutantSpace::new(&base, &MutationOptions::default(), Order::SECOND).expect("64 bits");
        let fingerprinter = Fingerprinter::new(&base);
        let diagram = Diagram::of(mutants.model(), &Budget::unlimited()).expect("no limit");
        let mut random = Random::new(2);
        let n_sequences = usize::try_from(space.len()).expect("64 bits");
        for _ in 0..60 {
            let index = random.below(n_sequences) as u64;
            let (family, position) = space.locate(index).expect("in range");
            let siblings = space.siblings(family).expect("in range");
            let last = siblings.last().get(position).expect("in range");
            let sequence = siblings.mutations(last);
            let product = mutants.product_of(&sequence).expect("a product");
            assert!(diagram.contains(&product), "{name}: {}", siblings.id(last));
            let projected = mutants.project(&product).expect("an automaton");
            let expected = fingerprinter.fingerprint(&siblings.mutant(last));
            assert_eq!(
                fingerprinter.fingerprint(&projected),
                expected,
                "{name}: {}",
                siblings.id(last)
            );
        }
        for product in ProductSpace::Diagram(diagram).samples(3).take(20) {
            assert!(mutants.model().allows(&product));
            assert!(mutants.project(&product).is_ok());
        }
    }
}

/// A count with features and a numbering without: of each product of three mutations there is a sequence.
#[test]
fn sequences_of_three_are_the_products_of_three_mutations() {
    let base = study("hotel");
    let mutants = featured(&base, 3);
    let order = Order::new(3).expect("an order");
    let space = MutantSpace::new(&base, &MutationOptions::default(), order).expect("64 bits");
    let mut products = BTreeSet::new();
    let mut locator = space.locator();
    for family in 0..space.n_families() {
        let siblings = locator.siblings(family).expect("in range");
        for last in siblings.last().iter() {
            let mut features = mutants.features_of(&siblings.mutations(last)).expect("a product");
            assert_eq!(features.len(), 3, "{}", siblings.id(last));
            features.sort_unstable();
            products.insert(features);
        }
    }
    let count = |order| {
        let diagram = Diagram::of(featured(&base, order).model(), &Budget::unlimited()).expect("no limit");
        diagram.count()
    };
    assert_eq!(BigUint::from(products.len()), count(3) - count(2));
}

/// At most three further features per mutation of order 2 for each place of an added edge: never one per pair.
#[test]
fn the_second_order_model_stays_linear() {
    for name in STUDIES {
        let base = study(name);
        let n_first = Mutations::of(&base, &MutationOptions::default()).len();
        let mutants = featured(&base, 2);
        let n_features = mutants.mutations().len() as u64;
        assert!(n_features < 12 * n_first, "{name}: {n_features} of {n_first}");
        let n_edges = mutants.automaton().automaton().edges().len() as u64;
        assert!(n_edges < 12 * n_first, "{name}: {n_edges} of {n_first}");
    }
}

#[test]
fn the_guidelines_exclude_exactly_the_first_order_mutants_they_name() {
    for name in STUDIES {
        let base = study(name);
        let guided = GuidedMutants::of(&featured(&base, 1)).expect("order 1");
        let model = guided.mutants().model();
        let mut n_named = 0_u64;
        let mutations = Mutations::of(&base, &MutationOptions::default());
        for mutation in mutations.iter() {
            let product = guided.mutants().product_of(&[mutation]).expect("a product");
            let named = violated(&base, &mutation).is_some();
            assert_eq!(
                !model.allows(&guided.complete(&product)),
                named,
                "{name}: {}",
                mutation.id(&base)
            );
            n_named += u64::from(named);
        }
        let diagram = Diagram::of(model, &Budget::unlimited()).expect("no limit");
        assert_eq!(diagram.count(), BigUint::from(1 + mutations.len() - n_named), "{name}");
    }
}

/// Whether some sequence of two mutations that is `product` has both named, each relative to what it is applied to.
fn is_named(base: &Automaton, mutants: &FeaturedMutants, product: &Product) -> bool {
    let is_product = |sequence: &[_]| mutants.product_of(sequence).as_ref() == Some(product);
    let all = Mutations::of(base, &MutationOptions::default());
    let firsts = all.iter().filter(|first| {
        let features = mutants.features_of(&[*first]).expect("a first-order mutation");
        features.iter().all(|feature| product.contains(*feature))
    });
    firsts.into_iter().any(|first| {
        let parent = first.apply(base);
        let seconds = Mutations::of(&parent, &MutationOptions::default());
        let mut seconds = seconds.iter().filter(|second| is_product(&[first, *second]));
        violated(base, &first).is_some() && seconds.any(|second| violated(&parent, &second).is_some())
    })
}

/// Exhaustively for the other studies beside the constraints themselves.
#[test]
fn the_guidelines_exclude_exactly_the_sampled_second_order_mutants_they_name() {
    for name in ["hotel", "accel", "cas"] {
        let base = study(name);
        let mutants = featured(&base, 2);
        let guided = GuidedMutants::of(&mutants).expect("order 2");
        let space = MutantSpace::new(&base, &MutationOptions::default(), Order::SECOND).expect("64 bits");
        let mut random = Random::new(5);
        let n_sequences = usize::try_from(space.len()).expect("64 bits");
        let mut n_excluded = 0;
        let n = 40;
        for _ in 0..n {
            let (family, position) = space.locate(random.below(n_sequences) as u64).expect("in range");
            let siblings = space.siblings(family).expect("in range");
            let last = siblings.last().get(position).expect("in range");
            let sequence = siblings.mutations(last);
            let product = mutants.product_of(&sequence).expect("a product");
            let is_excluded = !guided.mutants().model().allows(&guided.complete(&product));
            assert_eq!(
                is_excluded,
                is_named(&base, &mutants, &product),
                "{name}: {}",
                siblings.id(last)
            );
            n_excluded += usize::from(is_excluded);
        }
        assert!(0 < n_excluded && n_excluded < n, "{name}: {n_excluded}");
    }
}

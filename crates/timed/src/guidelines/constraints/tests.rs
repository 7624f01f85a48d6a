//! Excluded products against the rules asked about every sequence.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;

use super::{GuidanceError, GuidedMutants};
use crate::featured::{Conditions, FeaturedAutomaton};
use crate::guidelines::violated;
use crate::model::{Automaton, Cmp, Guard};
use crate::mutation::{FeaturedMutants, MutationOptions, Mutations, ProductBound};
use crate::sketch::small_automaton;
use crate::studies::{Sketch, atom, coffee, mutex, wfas};
use tamper_features::{Diagram, Explainer, FeatureModel, GroupKind, Product, Varisat};
use tamper_text::Budget;

fn guided(base: &Automaton, options: &MutationOptions, order: u8) -> GuidedMutants {
    let mutants = FeaturedMutants::of(base, options, ProductBound::Sequences(order)).unwrap();
    GuidedMutants::of(&mutants).unwrap()
}

/// By product: whether the rules name every mutation of one of its sequences of up to two.
fn named_products(guided: &GuidedMutants) -> BTreeMap<Product, bool> {
    let mutants = guided.mutants();
    let (base, options) = (mutants.base(), mutants.options());
    let mut named: BTreeMap<Product, bool> = BTreeMap::new();
    named.insert(mutants.product_of(&[]).unwrap(), false);
    for first in Mutations::of(base, options).iter() {
        let first_named = violated(base, &first).is_some();
        *named.entry(mutants.product_of(&[first]).unwrap()).or_default() |= first_named;
        if mutants.bound() == ProductBound::Sequences(1) {
            continue;
        }
        let parent = first.apply(base);
        for second in Mutations::of(&parent, options).iter() {
            let product = mutants.product_of(&[first, second]).unwrap();
            *named.entry(product).or_default() |= first_named && violated(&parent, &second).is_some();
        }
    }
    named
}

/// Excluded products are exactly the named ones; there are no other products.
fn check(base: &Automaton, options: &MutationOptions, order: u8) {
    let guided = guided(base, options, order);
    let model = guided.mutants().model();
    let diagram = Diagram::of(model, &Budget::unlimited()).unwrap();
    let mut n_kept = 0_u32;
    for (product, is_named) in named_products(&guided) {
        let kept = diagram.contains(&guided.complete(&product));
        assert_eq!(kept, !is_named, "{}", product.show(model));
        n_kept += u32::from(kept);
    }
    assert_eq!(diagram.count(), n_kept.into());
}

#[test]
fn excluded_products_of_order_one_are_the_named_mutants() {
    for base in [wfas(), mutex(), coffee()] {
        check(&base, &MutationOptions::default(), 1);
    }
}

#[test]
fn excluded_products_of_order_two_have_both_mutations_named() {
    for base in [wfas(), mutex(), coffee()] {
        check(&base, &MutationOptions::default(), 2);
    }
}

/// A family is refused, and each refusal says why.
#[test]
fn what_cannot_be_guided_is_refused() {
    let base = coffee();
    let mut model = FeatureModel::new("machines").unwrap();
    let group = model.add_group(model.root(), GroupKind::Optional);
    model.add_feature(group, "large").unwrap();
    let family = FeaturedAutomaton::new(base.clone(), model, Conditions::always(&base)).unwrap();
    let bound = ProductBound::Sequences(1);
    let mutants = FeaturedMutants::of_family(&family, &MutationOptions::default(), bound).unwrap();
    let refused = GuidedMutants::of(&mutants).unwrap_err();
    assert_eq!(refused, GuidanceError::Family);
    assert!(refused.to_string().contains("not for families"));
    assert!(
        GuidanceError::UnsupportedBound
            .to_string()
            .contains("orders 1 and 2 only")
    );
}

/// Every way in which one mutation decides whether another is named: inputs and outputs that enter m from the only
/// location that a named SMI takes away (L3, L5, L7), and an invariant that a named CXS closes (L4.ii).
#[test]
fn mutations_that_decide_about_each_other_are_found() {
    for (target, entering) in [(Cmp::Le, "a?"), (Cmp::Ge, "a?"), (Cmp::Gt, "b!"), (Cmp::Lt, "b!")] {
        let mut sketch = Sketch::new("A", &["x"]);
        sketch.location("l", Guard::always());
        sketch.location("m", atom(0, target, 3));
        sketch.location("n", atom(0, Cmp::Le, 4));
        sketch.edge("l", "n", "c!", Guard::always(), &[]);
        sketch.edge("n", "m", entering, Guard::always(), &[]);
        sketch.edge("n", "l", "d!", atom(0, Cmp::Eq, 3), &[]);
        check(&sketch.build(), &MutationOptions::default(), 2);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn excluded_products_of_random_automata_are_the_named_ones(
        automaton in small_automaton(),
        conjuncts in any::<bool>(),
        ignored in any::<bool>(),
    ) {
        let options = MutationOptions { conjuncts, ..MutationOptions::default() };
        check(&automaton.with_input_enabling(ignored), &options, 2);
    }
}

#[test]
fn an_excluded_product_is_explained_by_its_lemmata() {
    let base = wfas();
    let explain = |order| {
        let guided = guided(&base, &MutationOptions::default(), order);
        let mutations: Vec<_> = Mutations::of(&base, &MutationOptions::default()).iter().collect();
        // The output timeout! is removed, and an input cont_1 -> cont_1 is added.
        let sequence = if order == 1 {
            vec![mutations[0]]
        } else {
            vec![mutations[14], mutations[0]]
        };
        let product = guided.complete(&guided.mutants().product_of(&sequence).unwrap());
        let mut explainer = Explainer::new(guided.mutants().model(), Varisat::default());
        let why = explainer.why_excluded(&product).unwrap().unwrap();
        let texts: BTreeSet<String> = why
            .rules
            .iter()
            .map(|rule| rule.describe(guided.mutants().model()))
            .collect();
        texts
    };
    let first = explain(1);
    assert_eq!(first.len(), 1);
    let only = first.first().unwrap();
    assert_eq!(
        only,
        "TMI:cont_1->timeout#0: L1, do not remove an output ([003] Lemma 1)"
    );
    let second = explain(2);
    assert!(second.iter().any(|text| text.contains("[003] Lemma")), "{second:?}");
}

#[test]
fn inexact_constraints_are_refused() {
    let base = coffee();
    for bound in [ProductBound::Sequences(3), ProductBound::Sets(None)] {
        let options = MutationOptions::only(crate::mutation::Operator::Tmi);
        let mutants = FeaturedMutants::of(&base, &options, bound).unwrap();
        assert_eq!(GuidedMutants::of(&mutants), Err(GuidanceError::UnsupportedBound));
    }
}

#[test]
fn every_added_input_is_excluded() {
    let guided = guided(&wfas(), &MutationOptions::default(), 1);
    let mut explainer = Explainer::new(guided.mutants().model(), Varisat::default());
    let dead = explainer.fixed().unwrap().unwrap().dead;
    let is_input = |id: &str| id.starts_with("TAD:input:");
    let dead_inputs = dead
        .iter()
        .filter(|feature| is_input(&guided.mutants().mutations()[feature].id));
    assert_eq!(dead_inputs.count(), 36);
    // [003] section 5.4.1: 4 + 36 + 1 + 8 of the 121 mutants violate the guidelines.
    assert_eq!(dead.len(), 49);
}

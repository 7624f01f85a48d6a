//! Circuits against plain enumeration: of random clauses, and of random feature models.

use std::collections::BTreeMap;

use num_bigint::BigUint;

use super::Circuit;
use crate::arbitrary::{model, products};
use crate::{Cnf, Diagram, FeatureModel, Fixed, GroupKind, Lit, Product, Random, Survey, Var};
use tamper_text::{Budget, Id, StopReason};

fn circuit(cnf: &Cnf, n_features: usize) -> Circuit {
    Circuit::of_clauses(cnf, n_features, &Budget::unlimited(), &mut |_| ()).unwrap()
}

fn of_model(model: &FeatureModel) -> Circuit {
    Circuit::of(model, &Budget::unlimited(), &mut |_| ()).unwrap()
}

/// Up to 12 variables, clauses of 1 to 5 literals, some of them repeated or with a literal twice.
fn random_cnf(random: &mut Random) -> Cnf {
    let n_vars = 1 + random.below(12);
    let mut cnf = Cnf::new(n_vars);
    for _ in 0..random.below(3 * n_vars) {
        let length = [2, 2, 2, 3, 3, 3, 4, 5, 1][random.below(9)];
        let lit = |random: &mut Random| Lit::new(Var::from_index(random.below(n_vars)), random.below(2) == 0);
        let clause: Vec<Lit> = (0..length).map(|_| lit(random)).collect();
        cnf.add(clause);
    }
    cnf
}

#[test]
fn circuits_count_the_solutions_of_random_clauses() {
    let [mut n_void, mut n_large] = [0, 0];
    for seed in 0..3_000 {
        let cnf = random_cnf(&mut Random::new(seed));
        let n_vars = cnf.n_vars();
        let holds = |bits: &u32| {
            let values: Vec<bool> = (0..n_vars).map(|index| bits >> index & 1 == 1).collect();
            cnf.holds(&values)
        };
        let expected = (0_u32..1 << n_vars).filter(holds).count();
        let circuit = circuit(&cnf, n_vars);
        assert_eq!(*circuit.count(), BigUint::from(expected), "seed {seed}: {cnf:?}");
        n_void += usize::from(expected == 0);
        n_large += usize::from(expected > 100);
    }
    assert!(n_void > 300 && n_large > 300, "{n_void} {n_large}");
}

#[test]
fn circuits_and_surveys_know_the_products_of_random_models() {
    for seed in 0..300 {
        let model = model(&mut Random::new(seed), 10);
        let all = products(&model);
        let circuit = of_model(&model);
        assert_eq!(*circuit.count(), BigUint::from(all.len()), "seed {seed}");
        let ids = || model.features().ids();
        let fixed = (!all.is_empty()).then(|| Fixed {
            dead: ids()
                .filter(|id| all.iter().all(|product| !product.contains(*id)))
                .collect(),
            core: ids()
                .filter(|id| all.iter().all(|product| product.contains(*id)))
                .collect(),
        });
        assert_eq!(circuit.fixed(), fixed, "seed {seed}");
        let survey = Survey::of(&model, &Budget::unlimited(), &mut |_| ());
        assert_eq!(
            (survey.count, survey.fixed),
            (Ok(BigUint::from(all.len())), fixed),
            "seed {seed}"
        );
        for product in circuit.sampler(seed).take(20) {
            assert!(all.contains(&product), "seed {seed}");
        }
        assert_eq!(circuit.sampler(seed).next().is_none(), all.is_empty());
    }
}

#[test]
fn samples_are_uniform_and_repeat_with_the_seed() {
    let mut n_models = 0;
    for seed in 0..200 {
        let model = model(&mut Random::new(seed), 8);
        let all = products(&model);
        if !(8..=16).contains(&all.len()) {
            continue;
        }
        n_models += 1;
        let circuit = of_model(&model);
        let drawn: Vec<Product> = circuit.sampler(seed).take(1_000 * all.len()).collect();
        let again: Vec<Product> = circuit.sampler(seed).take(100).collect();
        assert_eq!(drawn[..100], again);
        let mut times = BTreeMap::<Product, u32>::new();
        drawn
            .into_iter()
            .for_each(|product| *times.entry(product).or_default() += 1);
        assert_eq!(times.len(), all.len(), "seed {seed}");
        // 1000 each in the mean, standard deviation below 32.
        assert!(
            times.values().all(|n| n.abs_diff(1_000) < 190),
            "seed {seed}: {times:?}"
        );
    }
    assert!(n_models > 10, "{n_models}");
}

#[test]
fn circuits_and_diagrams_agree_on_models_too_large_to_enumerate() {
    let mut n_constrained = 0;
    for seed in 0..40 {
        let model = model(&mut Random::new(1_000 + seed), 40);
        n_constrained += usize::from(!model.constraints().is_empty());
        let diagram = Diagram::of(&model, &Budget::unlimited()).unwrap();
        let circuit = of_model(&model);
        assert_eq!(*circuit.count(), diagram.count(), "seed {seed}");
        assert_eq!(circuit.fixed(), diagram.fixed(), "seed {seed}");
    }
    assert!(n_constrained > 20, "{n_constrained}");
}

#[test]
fn cardinalities_are_counted_from_either_side() {
    for n in [17, 19] {
        for (min, max) in [
            (0, 2),
            (1, 1),
            (2, 3),
            (15, 16),
            (16, 17),
            (14, 30),
            (3, 2),
            (2, 17),
            (0, 0),
            (9, 9),
        ] {
            let mut model = FeatureModel::new("root").unwrap();
            let optional = model.add_group(model.root(), GroupKind::Optional);
            let parent = model.add_feature(optional, "parent").unwrap();
            let group = model.add_group(parent, GroupKind::Cardinality { min, max });
            for number in 0..n {
                model.add_feature(group, &format!("f{number}")).unwrap();
            }
            let subsets = (0_u32..1 << n)
                .filter(|bits| (min..=max).contains(&bits.count_ones()))
                .count();
            let expected = BigUint::from(1 + subsets);
            assert_eq!(*of_model(&model).count(), expected, "[{min}..{max}] of {n}");
            let survey = Survey::of(&model, &Budget::unlimited(), &mut |_| ());
            assert_eq!(survey.count, Ok(expected), "[{min}..{max}] of {n}");
            assert_eq!(survey.fixed, of_model(&model).fixed(), "[{min}..{max}] of {n}");
        }
    }
}

#[test]
fn a_circuit_stops_at_its_limits() {
    let mut random = Random::new(5);
    let mut cnf = Cnf::new(60);
    for _ in 0..150 {
        let lit = |random: &mut Random| Lit::new(Var::from_index(random.below(60)), random.below(2) == 0);
        cnf.add([lit(&mut random), lit(&mut random), lit(&mut random)]);
    }
    let late = Budget {
        deadline: Some(std::sync::Arc::new(true.into())),
        ..Budget::unlimited()
    };
    let small = Budget {
        max_states: Some(10),
        ..Budget::unlimited()
    };
    let narrow = Budget {
        max_memory: Some(1_000),
        ..Budget::unlimited()
    };
    for (budget, reason) in [
        (late, StopReason::Time),
        (small, StopReason::States),
        (narrow, StopReason::Memory),
    ] {
        let stopped = Circuit::of_clauses(&cnf, 60, &budget, &mut |_| ());
        assert_eq!(stopped.map(|circuit| circuit.size()).unwrap_err(), reason);
    }
}

//! Everything that answers questions, against the definition of a product on random models; solvers against each
//! other; expressions and their syntax; explanations on models whose answer is known.

use std::collections::{BTreeMap, BTreeSet};

use num_bigint::BigUint;

use super::arbitrary::{expr, model, products, subsets};
use super::{
    Batsat, Cnf, Diagram, EncodedModel, Explainer, ExprError, FeatureExpr, FeatureId, FeatureModel, FeatureModelError,
    Fixed, GroupKind, Lit, Product, ProductSpace, Random, Rule, Solver, Var, Varisat, parse_expr, t_wise, tree_count,
};
use tamper_text::{Budget, Id, Span, StopReason};

const N_MODELS: u64 = 60;

fn random_models() -> impl Iterator<Item = (u64, FeatureModel)> {
    (0..N_MODELS).map(|seed| (seed, model(&mut Random::new(seed), 10)))
}

fn features(n: usize) -> Vec<FeatureId> {
    (0..n).map(FeatureId::from_index).collect()
}

/// root, an `[0..2]` group a b c, and `c => a` because of "why".
fn small() -> FeatureModel {
    let mut model = FeatureModel::new("root").unwrap();
    let group = model.add_group(model.root(), GroupKind::Cardinality { min: 0, max: 2 });
    let [a, _, c] = ["a", "b", "c"].map(|name| model.add_feature(group, name).unwrap());
    model.add_constraint(FeatureExpr::from(c).implies(a.into()), "why");
    model
}

#[test]
fn the_first_numbers_of_splitmix_are_the_published_ones() {
    // The reference stream of seed 1234567 (Vigna's test vector).
    let mut random = Random::new(1_234_567);
    assert_eq!(random.bits(), 6_457_827_717_110_365_317);
    assert_eq!(random.bits(), 3_203_168_211_198_807_973);
}

#[test]
fn diagrams_have_exactly_the_products() {
    for (seed, model) in random_models() {
        let diagram = Diagram::of(&model, &Budget::unlimited()).unwrap();
        let expected = products(&model);
        assert_eq!(diagram.count(), BigUint::from(expected.len()), "seed {seed}");
        for product in subsets(&model) {
            assert_eq!(diagram.contains(&product), model.allows(&product), "seed {seed}");
        }
        let listed: BTreeSet<Product> = (0..expected.len())
            .map(|index| diagram.get(&index.into()).unwrap())
            .collect();
        assert_eq!(listed, expected.iter().cloned().collect(), "seed {seed}");
        assert_eq!(diagram.get(&expected.len().into()), None);
    }
}

#[test]
fn the_closed_form_counts_models_without_constraints() {
    let mut n_models = 0;
    for (seed, model) in random_models() {
        let expected = model
            .constraints()
            .is_empty()
            .then(|| BigUint::from(products(&model).len()));
        n_models += usize::from(expected.is_some());
        assert_eq!(tree_count(&model, &Budget::unlimited()), Ok(expected), "seed {seed}");
    }
    assert!(n_models > 5);
}

#[test]
fn counts_are_exact_beyond_64_bits() {
    let mut model = FeatureModel::new("root").unwrap();
    let group = model.add_group(model.root(), GroupKind::Cardinality { min: 0, max: 2 });
    for number in 0..5000 {
        model.add_feature(group, &format!("f{number}")).unwrap();
    }
    // 1 + n + n (n - 1) / 2.
    assert_eq!(
        tree_count(&model, &Budget::unlimited()),
        Ok(Some(BigUint::from(12_502_501_u32)))
    );
    let diagram = Diagram::of(&model, &Budget::unlimited()).unwrap();
    assert_eq!(diagram.count(), BigUint::from(12_502_501_u32));
    let any = model.add_group(model.root(), GroupKind::Optional);
    for number in 0..100 {
        model.add_feature(any, &format!("g{number}")).unwrap();
    }
    let expected: BigUint = BigUint::from(12_502_501_u32) << 100;
    assert_eq!(tree_count(&model, &Budget::unlimited()), Ok(Some(expected.clone())));
    assert_eq!(Diagram::of(&model, &Budget::unlimited()).unwrap().count(), expected);
}

#[test]
fn a_diagram_stops_at_its_budget() {
    let budget = Budget {
        max_states: Some(4),
        ..Budget::unlimited()
    };
    assert_eq!(Diagram::of(&small(), &budget).unwrap_err(), StopReason::States);
}

fn check_enumeration(mut solver: impl Solver) {
    let (seed, model) = random_models().next().unwrap();
    let mut n_products = 0;
    for (seed, model) in random_models().skip(1).chain([(seed, model)]) {
        let encoded = EncodedModel::of(&model);
        // One solver for all models: a selector switches each off when it is done.
        let offset = solver.fresh().index() + 1;
        for _ in 0..encoded.cnf().n_vars() {
            solver.fresh();
        }
        let active = Lit::positive(Var::from_index(offset - 1));
        let shifted = |lit: Lit| Lit::new(Var::from_index(lit.var().index() + offset), lit.is_positive());
        for clause in encoded.cnf().clauses() {
            let clause: Vec<Lit> = clause.iter().map(|lit| shifted(*lit)).chain([!active]).collect();
            solver.add_clause(&clause);
        }
        for product in subsets(&model) {
            let mut assumptions: Vec<Lit> = encoded.literals(&product).into_iter().map(shifted).collect();
            assumptions.push(active);
            let possible = solver.solve(&assumptions).unwrap();
            assert_eq!(
                possible,
                model.allows(&product),
                "seed {seed}, {}",
                product.show(&model)
            );
            n_products += usize::from(possible);
            if !possible {
                let failed = solver.failed().unwrap();
                assert!(failed.iter().all(|lit| assumptions.contains(lit)), "seed {seed}");
                let is_possible = solver.solve(&failed).unwrap();
                assert!(!is_possible, "seed {seed}: the core is no core");
            }
        }
        solver.add_clause(&[!active]);
    }
    assert!(n_products > 100);
}

#[test]
fn every_solver_finds_exactly_the_products_and_a_core() {
    check_enumeration(Varisat::default());
    check_enumeration(Batsat::default());
}

#[test]
fn every_solver_enumerates_each_product_once() {
    for (seed, model) in random_models() {
        let encoded = EncodedModel::of(&model);
        let solvers: [Box<dyn Solver>; 2] = [Box::new(Varisat::default()), Box::new(Batsat::default())];
        for mut solver in solvers {
            solver.load(encoded.cnf());
            let all = features(model.features().len());
            let found = super::products(&mut *solver, &all, usize::MAX).unwrap();
            let distinct: BTreeSet<_> = found.iter().cloned().collect();
            assert_eq!(distinct.len(), found.len(), "seed {seed}");
            assert_eq!(distinct, products(&model).into_iter().collect(), "seed {seed}");
        }
    }
}

#[test]
fn projections_are_enumerated_once_each() {
    let model = small();
    let mut solver = Varisat::default();
    solver.load(EncodedModel::of(&model).cnf());
    let a_and_b = [model.find("a").unwrap(), model.find("b").unwrap()];
    assert_eq!(super::products(&mut solver, &a_and_b, usize::MAX).unwrap().len(), 4);
}

#[test]
fn an_empty_clause_and_no_clause_are_understood() {
    let solvers: [Box<dyn Solver>; 2] = [Box::new(Varisat::default()), Box::new(Batsat::default())];
    for mut solver in solvers {
        assert_eq!(solver.solve(&[]), Ok(true));
        let var = solver.fresh();
        assert_eq!(solver.solve(&[Lit::positive(var)]), Ok(true));
        assert!(solver.value(var));
        assert_eq!(solver.solve(&[!Lit::positive(var)]), Ok(true));
        assert!(!solver.value(var));
        solver.add_clause(&[]);
        assert_eq!(solver.solve(&[]), Ok(false));
        assert_eq!(solver.failed(), Ok(vec![]));
    }
}

#[test]
fn auxiliary_variables_are_determined_by_the_features() {
    for (seed, model) in random_models().filter(|(_, model)| model.features().len() <= 6) {
        let cnf = EncodedModel::of(&model).cnf().clone();
        if cnf.n_vars() > 16 {
            continue;
        }
        let mut n_models = BTreeMap::<Vec<bool>, u32>::new();
        for bits in 0_u32..1 << cnf.n_vars() {
            let values: Vec<bool> = (0..cnf.n_vars()).map(|index| bits >> index & 1 == 1).collect();
            if cnf.holds(&values) {
                *n_models.entry(values[..model.features().len()].to_vec()).or_default() += 1;
            }
        }
        assert_eq!(n_models.len(), products(&model).len(), "seed {seed}");
        assert!(n_models.values().all(|n| *n == 1), "seed {seed}");
    }
}

#[test]
fn large_groups_are_encoded_in_linear_size() {
    let mut model = FeatureModel::new("root").unwrap();
    let group = model.add_group(model.root(), GroupKind::Cardinality { min: 0, max: 2 });
    for number in 0..1000 {
        model.add_feature(group, &format!("f{number}")).unwrap();
    }
    let cnf: Cnf = EncodedModel::of(&model).cnf().clone();
    // Per member: its parent, and up to five definitions of at most three clauses.
    assert!(cnf.clauses().len() < 16_100, "{}", cnf.clauses().len());
}

#[test]
fn dead_and_core_features_are_those_of_the_products() {
    for (seed, model) in random_models() {
        let all = products(&model);
        let mut explainer = Explainer::new(&model, Varisat::default());
        let found = explainer.fixed().unwrap();
        let diagram = Diagram::of(&model, &Budget::unlimited()).unwrap();
        assert_eq!(diagram.fixed(), found, "seed {seed}");
        if all.is_empty() {
            assert_eq!(found, None, "seed {seed}");
            continue;
        }
        let ids = features(model.features().len());
        let dead = ids
            .iter()
            .filter(|id| all.iter().all(|product| !product.contains(**id)));
        let core = ids.iter().filter(|id| all.iter().all(|product| product.contains(**id)));
        assert_eq!(
            found,
            Some(Fixed {
                dead: dead.copied().collect(),
                core: core.copied().collect()
            }),
            "seed {seed}"
        );
    }
}

#[test]
fn explanations_exclude_and_nothing_in_them_is_superfluous() {
    let mut n_explained = 0;
    for (seed, model) in random_models() {
        let mut explainer = Explainer::new(&model, Batsat::default());
        for product in subsets(&model).take(64) {
            let Some(why) = explainer.why_excluded(&product).unwrap() else {
                assert!(model.allows(&product), "seed {seed}");
                continue;
            };
            n_explained += 1;
            assert!(!model.allows(&product), "seed {seed}");
            let fits = |rules: &[Rule], choices: &[(FeatureId, bool)]| {
                subsets(&model).any(|other| {
                    let broken: BTreeSet<_> = model.violated(&other).collect();
                    choices.iter().all(|(feature, on)| other.contains(*feature) == *on)
                        && rules.iter().all(|rule| !broken.contains(rule))
                })
            };
            if n_explained % 50 == 0 {
                assert!(!fits(&why.rules, &why.choices), "seed {seed}");
                for left_out in 0..why.rules.len() {
                    let mut rules = why.rules.clone();
                    rules.remove(left_out);
                    assert!(fits(&rules, &why.choices), "seed {seed}");
                }
                for left_out in 0..why.choices.len() {
                    let mut choices = why.choices.clone();
                    choices.remove(left_out);
                    assert!(fits(&why.rules, &choices), "seed {seed}");
                }
            }
        }
    }
    assert!(n_explained > 500);
}

#[test]
fn an_explanation_names_the_reason_of_the_constraint() {
    let model = small();
    let product: Product = ["root", "c"].iter().filter_map(|name| model.find(name)).collect();
    let mut explainer = Explainer::new(&model, Varisat::default());
    let why = explainer.why_excluded(&product).unwrap().unwrap();
    let texts: Vec<_> = why.rules.iter().map(|rule| rule.describe(&model)).collect();
    assert_eq!(texts, ["why"]);
    assert_eq!(
        why.choices,
        [(model.find("a").unwrap(), false), (model.find("c").unwrap(), true)]
    );
    let all = [("a", true), ("b", true), ("c", true)].map(|(name, on)| (model.find(name).unwrap(), on));
    let why = explainer.why_not(&all).unwrap().unwrap();
    let texts: Vec<_> = why.rules.iter().map(|rule| rule.describe(&model)).collect();
    assert_eq!(texts, ["where root is selected, 0 to 2 of a, b, c; elsewhere none"]);
    assert_eq!(explainer.why_not(&all[..2]), Ok(None));
}

#[test]
fn a_model_without_products_says_why() {
    let mut model = small();
    let a = model.find("a").unwrap();
    model.add_constraint(a.into(), "a is needed");
    model.add_constraint(FeatureExpr::from(model.find("b").unwrap()), "b is needed");
    model.add_constraint(!FeatureExpr::from(a), "a is forbidden");
    let mut explainer = Explainer::new(&model, Varisat::default());
    assert_eq!(explainer.fixed(), Ok(None));
    let why = explainer.why_not(&[]).unwrap().unwrap();
    let texts: Vec<_> = why.rules.iter().map(|rule| rule.describe(&model)).collect();
    assert_eq!(texts, ["a is needed", "a is forbidden"]);
    assert_eq!(why.choices, []);
}

#[test]
fn uniform_samples_are_products_and_repeat_with_the_seed() {
    let model = small();
    let diagram = Diagram::of(&model, &Budget::unlimited()).unwrap();
    let space = ProductSpace::Diagram(diagram);
    let sample: Vec<Product> = space.samples(7).take(6000).collect();
    assert_eq!(sample, space.samples(7).take(6000).collect::<Vec<_>>());
    let mut drawn = BTreeMap::<Product, u32>::new();
    for product in sample {
        assert!(model.allows(&product));
        *drawn.entry(product).or_default() += 1;
    }
    // {}, a, b, ab, ac: 1200 each in the mean, standard deviation below 31.
    assert_eq!(drawn.len(), 5);
    assert!(drawn.values().all(|n| n.abs_diff(1200) < 160), "{drawn:?}");
}

#[test]
fn t_wise_samples_show_every_possible_combination() {
    for (seed, model) in random_models().take(30) {
        let all = products(&model);
        let chosen = features(model.features().len());
        for t in 1..=2 {
            let mut solver = Varisat::default();
            solver.load(EncodedModel::of(&model).cnf());
            let coverage = t_wise(&mut solver, &model, &chosen, t, seed).unwrap();
            let shown = |products: &[Product]| {
                let mut shown = BTreeSet::new();
                for product in products {
                    for (position, first) in chosen.iter().enumerate() {
                        for second in &chosen[if t == 1 {
                            position..position + 1
                        } else {
                            position + 1..chosen.len()
                        }] {
                            shown.insert([(*first, product.contains(*first)), (*second, product.contains(*second))]);
                        }
                    }
                }
                shown
            };
            assert!(
                coverage.products.iter().all(|product| model.allows(product)),
                "seed {seed}"
            );
            let (possible, found) = (shown(&all), shown(&coverage.products));
            assert_eq!(found, possible, "seed {seed}");
            assert_eq!(coverage.n_covered, possible.len(), "seed {seed}");
            let n = chosen.len();
            let n_combinations = if t == 1 { 2 * n } else { 2 * n * (n - 1) };
            assert_eq!(coverage.n_covered + coverage.n_impossible, n_combinations);
        }
    }
}

#[test]
fn expressions_read_back_as_written() {
    let names = ["a", "b c", "or", "d.e", "é"];
    for seed in 0..300 {
        let expr = expr(&mut Random::new(seed), names.len(), 4);
        let text = expr.show(|feature| names[feature.index()]).to_string();
        let find = |name: &str| names.iter().position(|known| *known == name).map(FeatureId::from_index);
        assert_eq!(parse_expr(&text, find), Ok(expr), "{text}");
    }
}

#[test]
fn connectives_bind_as_documented() {
    let names = ["a", "b", "c"];
    let find = |name: &str| names.iter().position(|known| *known == name).map(FeatureId::from_index);
    let check = |left: &str, right: &str| {
        let [left, right] = [left, right].map(|text| parse_expr(text, find).unwrap());
        for bits in 0..8 {
            let product = (0..3)
                .filter(|n| bits >> n & 1 == 1)
                .map(FeatureId::from_index)
                .collect();
            assert_eq!(left.holds(&product), right.holds(&product));
        }
    };
    check("a && !b || c", "(a and (not b)) or c");
    check("a || b && c", "a || (b && c)");
    check("a => b => c", "a => (b => c)");
    check("a => b || c", "a => (b || c)");
    check("a <=> b => c", "a <=> (b => c)");
    check("!!a | b & c", "a || b && c");
    check("a && true || false", "a");
    check("\"a\" && ¬b", "a && !b");
}

#[test]
fn errors_point_at_the_place() {
    let find = |name: &str| (name == "a").then(|| FeatureId::from_index(0));
    let error = |text| parse_expr(text, find).unwrap_err();
    assert_eq!(error(""), ExprError::ExpectedOperand(Span::new(0, 0)));
    assert_eq!(error("a &&"), ExprError::ExpectedOperand(Span::new(4, 4)));
    assert_eq!(error("a a"), ExprError::Unexpected(Span::new(2, 3)));
    assert_eq!(error("a && bee"), ExprError::UnknownFeature(Span::new(5, 8)));
    assert_eq!(error(" (a || (a)"), ExprError::Unclosed(Span::new(1, 2)));
    assert_eq!(error("(a $"), ExprError::Unexpected(Span::new(3, 4)));
    assert_eq!(error("a || \"a"), ExprError::UnclosedName(Span::new(5, 6)));
    assert_eq!(error("a & 1b"), ExprError::Unexpected(Span::new(4, 6)));
    let deep = "(".repeat(100_000);
    assert_eq!(error(&deep), ExprError::TooDeep(Span::new(200, 201)));
}

#[test]
fn all_conditions_on_three_features_mean_what_their_parts_mean() {
    let vars: Vec<FeatureExpr> = features(3).into_iter().map(FeatureExpr::from).collect();
    let mut pool = vec![FeatureExpr::True, FeatureExpr::False];
    pool.extend(vars);
    pool.extend(pool.clone().into_iter().map(|e| !e));
    let meaning = |e: &FeatureExpr| -> u8 {
        let holds = |bits: u8| {
            let product = (0..3)
                .filter(|n| bits >> n & 1 == 1)
                .map(FeatureId::from_index)
                .collect();
            e.holds(&product)
        };
        (0..8).map(|bits| u8::from(holds(bits)) << bits).sum()
    };
    let mut larger = Vec::new();
    for (x, y) in pool.iter().flat_map(|x| pool.iter().map(move |y| (x, y))) {
        let (a, b) = (meaning(x), meaning(y));
        let (and, or) = (x.clone().and(y.clone()), x.clone().or(y.clone()));
        assert_eq!(meaning(&and), a & b);
        assert_eq!(meaning(&or), a | b);
        assert_eq!(meaning(&x.clone().implies(y.clone())), !a | b);
        assert_eq!(meaning(&x.clone().iff(y.clone())), !(a ^ b));
        larger.extend([and, or]);
    }
    for (x, y) in larger.iter().zip(larger.iter().rev()) {
        assert_eq!(meaning(&x.clone().and(!y.clone())), meaning(x) & !meaning(y));
        assert_eq!(
            meaning(&FeatureExpr::any([x.clone(), y.clone()])),
            meaning(x) | meaning(y)
        );
    }
}

#[test]
fn names_are_unique_and_can_be_written() {
    let mut model = small();
    let group = model.add_group(model.root(), GroupKind::Optional);
    let first = model.find("a").unwrap();
    assert_eq!(
        model.add_feature(group, "a"),
        Err(FeatureModelError::DuplicateFeature(first))
    );
    for bad in ["", "a\"b", "a\nb"] {
        assert_eq!(
            model.add_feature(group, bad),
            Err(FeatureModelError::BadName(bad.to_owned()))
        );
    }
}

#[test]
fn a_condition_knows_fewer_features_after_an_assumption() {
    let model = small();
    let find = |name: &str| model.find(name);
    let expr = parse_expr("a && !b || c && b", find).unwrap();
    let assumed = expr.assume(&|feature| (Some(feature) == find("b")).then_some(false));
    assert_eq!(model.show(&assumed), "a");
}

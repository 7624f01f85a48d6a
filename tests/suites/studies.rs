//! The six studies at order 1: which mutants are killed by which tests.

use std::collections::{BTreeMap, BTreeSet};

use tamper::features::Product;
use tamper::game::{Scratch, Semantics, Specification, Verdict, analyse};
use tamper::model::{Automaton, Role};
use tamper::mutation::{FeaturedMutants, Mutation, MutationOptions, Mutations, ProductBound};
use tamper::reproduction::Study;
use tamper::suite::{
    Definite, Family, Kill, Pick, Potential, Style, Subject, TestCase, Tester, family_based, one_by_one,
};
use tamper::text::Budget;

pub fn spec(folder: &str) -> Automaton {
    let study = Study::find(folder).expect("a study");
    study.game().expect("the model is read")
}

/// A mutant of order 1.
struct Mutant {
    id: String,
    mutation: Mutation,
    automaton: Automaton,
    subject: Subject,
    verdict: Verdict,
}

/// The mutants of a study.
fn mutants(spec: &Automaton) -> Vec<Mutant> {
    let budget = Budget::unlimited();
    let judge = Specification::prepare(spec, Semantics::DEFINITION, &budget).expect("the study is consistent");
    let mut scratch = Scratch::default();
    let mutations = Mutations::of(spec, &MutationOptions::default());
    let mutant = |mutation: Mutation| {
        let automaton = mutation.apply(spec);
        let decision = judge
            .decide(&automaton, &budget, &mut scratch)
            .expect("it has a meaning");
        Mutant {
            id: mutation.id(spec),
            mutation,
            subject: Subject::new(&automaton, &budget).expect("it has a state"),
            automaton,
            verdict: decision.verdict,
        }
    };
    mutations.iter().map(mutant).collect()
}

/// Whether some state has two answers to an input.
fn chooses_an_answer(mutant: &Automaton) -> bool {
    let analysis = analyse(mutant, &Budget::unlimited())
        .expect("it has a meaning")
        .expect("no limit");
    analysis
        .overlaps
        .iter()
        .any(|overlap| mutant.role(overlap.first) == Role::Input)
}

/// Everything about one study.
fn check(folder: &str, n_chosen: usize) {
    let (spec, budget) = (spec(folder), Budget::unlimited());
    let mutants = mutants(&spec);
    let tester = Tester::new(&spec, &budget).expect("the studies are deterministic");
    let mut tests: Vec<TestCase> = Vec::new();
    let mut chosen = BTreeSet::new();
    for mutant in &mutants {
        let mut killed = BTreeMap::new();
        for (style, pick) in [(Style::Adaptive, Pick::Latest), (Style::Cooperative, Pick::Earliest)] {
            let found = tester
                .potential(&mutant.subject, style, pick, &budget)
                .expect("no limit");
            killed.insert(style, matches!(found, Potential::Killed(_)));
            if let Potential::Killed(test) = found {
                tests.push(test);
            }
        }
        if let Definite::Killed(test) = tester.definite(&mutant.subject, &budget).expect("no limit") {
            assert!(killed[&Style::Adaptive], "definite killing implies potential killing");
            tests.push(test);
        }
        let is_killable = mutant.verdict == Verdict::NonSubsumed;
        assert_eq!(killed[&Style::Cooperative], killed[&Style::Adaptive], "{}", mutant.id);
        if killed[&Style::Adaptive] != is_killable {
            // Definition 7 lets a mutant choose its answer to an input; a run of it may take a wrong one.
            assert!(!is_killable && chooses_an_answer(&mutant.automaton), "{}", mutant.id);
            chosen.insert(mutant.id.as_str());
        }
    }
    assert_eq!(chosen.len(), n_chosen, "{chosen:?}");
    check_matrices(&spec, &mutants, &tests, &chosen);
}

fn check_matrices(spec: &Automaton, mutants: &[Mutant], tests: &[TestCase], chosen: &BTreeSet<&str>) {
    let budget = Budget::unlimited();
    let featured = FeaturedMutants::of(spec, &MutationOptions::default(), ProductBound::Sequences(1)).expect("order 1");
    let product = |mutant: &Mutant| featured.product_of(&[mutant.mutation]).expect("a mutant is a product");
    let products: Vec<Product> = mutants.iter().map(product).collect();
    let family = Family::new(&featured, &products);
    let matrix = family_based(tests, &family, Kill::Definite, &budget).expect("no limit");
    let quick = family_based(tests, &family, Kill::Potential, &budget).expect("no limit");
    assert_eq!(quick.can_fail, matrix.can_fail);
    // One after the other is slow without optimisation: then some of the tests.
    let step = if cfg!(debug_assertions) && mutants.len() > 400 {
        8
    } else {
        1
    };
    let some: Vec<TestCase> = tests.iter().step_by(step).cloned().collect();
    let subjects: Vec<Option<Subject>> = mutants.iter().map(|mutant| Some(mutant.subject.clone())).collect();
    let single = one_by_one(&some, &subjects, &budget).expect("no limit");
    let same = |all: &[fixedbitset::FixedBitSet]| all.iter().step_by(step).cloned().collect::<Vec<_>>();
    assert!(
        single.can_fail == same(&matrix.can_fail),
        "family-based execution gives the same kills"
    );
    assert!(
        single.must_fail == same(&matrix.must_fail),
        "family-based execution gives the same definite kills"
    );
    let killed = matrix.killed(Kill::Potential);
    for (at, mutant) in mutants.iter().enumerate() {
        let expected = mutant.verdict == Verdict::NonSubsumed || chosen.contains(mutant.id.as_str());
        assert_eq!(killed.contains(at), expected, "{} is {:?}", mutant.id, mutant.verdict);
    }
}

macro_rules! studies {
    ($($name:ident: $n_chosen:literal)*) => {$(
        #[test]
        fn $name() {
            check(stringify!($name), $n_chosen);
        }
    )*};
}

// Only three mutants of the car alarm have two answers to an input of which one is the specification's: CXS on the
// guards of three edges into its sink.
studies! {
    wfas: 0
    mutex: 0
    coffee: 0
    hotel: 0
    accel: 0
    cas: 3
}

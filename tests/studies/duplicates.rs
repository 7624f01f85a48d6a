//! Classes of mutants against comparing all pairs.

use tamper::experiment::duplicate_classes;
use tamper::game::{Scratch, Semantics, Specification, Verdict};
use tamper::model::Automaton;
use tamper::mutation::{MutationOptions, Mutations};
use tamper::text::Budget;

use super::read;

/// Whether each of two mutants refines the other, by the two-player fixpoint.
fn is_same(left: &Automaton, right: &Automaton, semantics: Semantics) -> bool {
    let refines = |left, right| {
        let right = Specification::prepare(right, semantics, &Budget::unlimited()).expect("it is consistent");
        let verdict = right.decide_by_fixpoint(left, &Budget::unlimited());
        verdict.expect("it has a meaning") == Verdict::Subsumed
    };
    refines(left, right) && refines(right, left)
}

fn check(folder: &str, semantics: Semantics) {
    let path = [env!("CARGO_MANIFEST_DIR"), "case-studies", folder, "model.xml"];
    let game = read(path.iter().collect());
    let specification = Specification::prepare(&game, semantics, &Budget::unlimited()).expect("it is consistent");
    let mut scratch = Scratch::default();
    let mutants: Vec<(Automaton, Verdict)> = Mutations::of(&game, &MutationOptions::default())
        .iter()
        .map(|mutation| {
            let mutant = mutation.apply(&game);
            let decision = specification.decide(&mutant, &Budget::unlimited(), &mut scratch);
            (mutant, decision.expect("it has a meaning").verdict)
        })
        .collect();
    let classes = duplicate_classes(&game, &mutants, semantics).expect("all have a meaning");
    let mut first: Vec<usize> = Vec::new();
    for (at, (mutant, verdict)) in mutants.iter().enumerate() {
        let same = (0..at).find(|&other| match (*verdict, mutants[other].1) {
            (Verdict::Inconsistent, known) => known == Verdict::Inconsistent,
            (_, Verdict::Inconsistent) => false,
            _ => is_same(mutant, &mutants[other].0, semantics),
        });
        first.push(same.unwrap_or(at));
    }
    assert_eq!(classes.first, first, "{folder}");
    let n_pairs = mutants.len() * (mutants.len() - 1) / 2;
    assert!(
        classes.n_compared < n_pairs as u64 / 4,
        "{folder}: {} of {n_pairs}",
        classes.n_compared
    );
}

#[test]
fn classes_of_mutants_are_what_comparing_all_pairs_gives_on_coffee_hotel_wfas_and_mutex() {
    for study in ["coffee", "hotel", "wfas", "mutex"] {
        for semantics in [Semantics::STRICT, Semantics::DEFINITION] {
            check(study, semantics);
        }
    }
}

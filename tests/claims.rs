//! What [003] section 5 says about the method, several studies and the example figures, as far as `tests/studies` and
//! `tests/examples.rs` do not have it; and `case-studies/published.toml`, sentence by sentence.

use std::collections::BTreeSet;

use tamper::formats::{ReadOptions, read_bytes};
use tamper::game::{Scratch, Semantics, Specification, Verdict, analyse};
use tamper::guidelines::{self, Rule};
use tamper::model::Automaton;
use tamper::mutation::{MutantSpace, Mutation, MutationOptions, Mutations, Operator, Order, Site};
use tamper::reproduction::{ClaimMark, PaperComparison, Setting, Study, StudyRun, Workplace, run_study};
use tamper::text::Budget;

fn game(file: &str) -> Automaton {
    let path = format!("{}/{file}", env!("CARGO_MANIFEST_DIR"));
    let bytes = std::fs::read(&path).expect("the model is there");
    let (document, _) = read_bytes(file, &bytes, &ReadOptions::default()).expect("the model is read");
    document.automata()[0].clone()
}

fn study(folder: &str) -> Automaton {
    game(&format!("case-studies/{folder}/model.xml"))
}

fn mutations(game: &Automaton) -> Vec<Mutation> {
    Mutations::of(game, &MutationOptions::default()).iter().collect()
}

fn find(game: &Automaton, id: &str) -> Mutation {
    let mutations = mutations(game);
    let found = mutations.iter().find(|mutation| mutation.id(game) == id);
    *found.unwrap_or_else(|| panic!("no mutation {id}"))
}

fn verdict(spec: &Automaton, mutant: &Automaton) -> Verdict {
    let budget = Budget::unlimited();
    let specification = Specification::prepare(spec, Semantics::TIGA, &budget).expect("a consistent specification");
    let decision = specification.decide(mutant, &budget, &mut Scratch::default());
    decision.expect("the mutant has a meaning").verdict
}

/// Runs of all studies in the published semantics.
fn run(folder: &std::path::Path, orders: &[Order]) -> Vec<StudyRun> {
    let mut place = Workplace {
        folder,
        resume: false,
        rules: &guidelines::violated,
        progress: &mut |_, _, _| {},
    };
    let mut runs = Vec::new();
    for order in orders {
        for study in Study::ALL {
            let setting = Setting {
                order: *order,
                semantics: Semantics::TIGA,
                sample: None,
                seed: 0,
            };
            runs.push(run_study(study, setting, &mut place).expect("the study runs"));
        }
    }
    runs
}

/// Every sentence marked as holding holds, and no other; those about second-order mutants need optimised code.
#[test]
fn the_published_sentences_hold_exactly_where_they_are_marked() {
    let folder = tempfile::tempdir().expect("a folder");
    let orders: &[Order] = match cfg!(debug_assertions) {
        true => &[Order::FIRST],
        false => &[Order::FIRST, Order::SECOND],
    };
    let runs = run(folder.path(), orders);
    let comparison = PaperComparison::of(&runs).expect("records are read");
    for (claim, checked) in &comparison.claims {
        match checked.holds {
            None => assert_eq!(orders.len(), 1, "{}: {}", claim.id, checked.ours),
            Some(holds) if claim.check.is_empty() => assert!(holds),
            Some(holds) => assert_eq!(holds, claim.mark == ClaimMark::Ok, "{}: {}", claim.id, checked.ours),
        }
    }
    for facts in &comparison.studies {
        assert!(!facts.checked.is_empty());
        for fact in &facts.checked {
            assert!(fact.holds, "{}: {fact:?}", facts.study.title);
        }
    }
}

#[test]
fn constants_change_by_one_and_only_constraints_without_conjunctions_are_mutated() {
    for study_ in Study::ALL {
        let game = study(study_.folder);
        for mutation in mutations(&game) {
            let Some(change) = mutation.constraint() else { continue };
            let whole = match change.site {
                Site::Guard(edge) => &game.edges()[edge].guard,
                Site::Invariant(location) => &game.locations()[location].invariant,
            };
            assert_eq!(whole.as_simple(), Some(change.old));
            let step = change.new.constant - change.old.constant;
            match mutation.operator() {
                Operator::Cxl => assert_eq!(step, 1),
                Operator::Cxs => assert_eq!(step, -1),
                _ => assert!(step == 0 && matches!(change.site, Site::Guard(_)), "CCN is for guards"),
            }
        }
    }
}

#[test]
fn added_edges_are_clones_of_the_first_one_with_an_action_of_their_own() {
    let game = study("coffee");
    let first = game.edges().iter().next().expect("an edge");
    let additions = |game: &Automaton| -> Vec<Mutation> {
        let all = mutations(game);
        all.into_iter().filter(|one| one.operator() == Operator::Tad).collect()
    };
    for addition in additions(&game) {
        let mutant = addition.apply(&game);
        let added = mutant.edges().iter().last().expect("an edge");
        assert_eq!((&added.guard, &added.updates), (&first.guard, &first.updates));
        assert_eq!(mutant.actions().len(), game.actions().len() + 1);
        let again = additions(&mutant)[0].apply(&mutant);
        let names: BTreeSet<_> = again.actions().iter().map(|action| &action.name).collect();
        assert_eq!(
            names.len(),
            game.actions().len() + 2,
            "the second action is new as well"
        );
    }
}

#[test]
fn a_sequence_violates_exactly_when_both_mutations_do_the_second_relative_to_the_first_mutant() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut place = Workplace {
        folder: folder.path(),
        resume: false,
        rules: &guidelines::violated,
        progress: &mut |_, _, _| {},
    };
    let setting = Setting {
        order: Order::SECOND,
        semantics: Semantics::TIGA,
        sample: None,
        seed: 0,
    };
    let mutex = Study::find("mutex").expect("a study");
    let run = run_study(mutex, setting, &mut place).expect("the study runs");
    let mut records = run.records().expect("records");
    let base = study("mutex");
    let space = MutantSpace::new(&base, &MutationOptions::default(), Order::SECOND).expect("numbered");
    for family in 0..space.n_families() {
        let siblings = space.siblings(family).expect("a family");
        let first = guidelines::violated(&base, &siblings.prefix().next().expect("a first mutation"));
        for last in siblings.last().iter() {
            let record = records.next().expect("a record of each").expect("a record");
            let second = guidelines::violated(siblings.parent(), &last);
            let both: Vec<_> = first.zip(second).map_or(Vec::new(), |(a, b)| vec![a.name(), b.name()]);
            assert_eq!(record.violates, both, "{}", record.id);
        }
    }
    assert!(records.next().is_none());
}

/// [003] Fig. 20: a subsumed second-order mutant whose second mutation violates before the first one but not after it.
#[test]
fn tightening_an_invariant_violates_before_an_input_is_added_and_not_after() {
    let sut = game("uppaal-models/order-two-cxs-after-tad.xml");
    let tad = find(&sut, "TAD:input:l0->l1");
    let cxs = "CXS:invariant:l1:x<=5=>x<=4";
    assert_eq!(guidelines::violated(&sut, &tad), Some(Rule::L2));
    assert_eq!(guidelines::violated(&sut, &find(&sut, cxs)), Some(Rule::L7i));
    let with_input = tad.apply(&sut);
    let both = find(&with_input, cxs).apply(&with_input);
    assert_eq!(guidelines::violated(&with_input, &find(&with_input, cxs)), None);
    for mutant in [&with_input, &find(&sut, cxs).apply(&sut), &both] {
        assert_eq!(verdict(&sut, mutant), Verdict::Subsumed);
    }
    assert_eq!(verdict(&with_input, &both), Verdict::NonSubsumed);
}

/// [003] Fig. 21: two subsumed mutants that violate nothing, whose composition is not subsumed, in either order.
#[test]
fn two_redundant_elements_can_become_used_together() {
    let sut = game("uppaal-models/order-two-redundant-edges-meet.xml");
    let ids = ["CXS:guard:l0->l1#1:x>=5=>x>=4", "CXL:invariant:l0:x<=3=>x<=4"];
    for (first, second) in [(ids[0], ids[1]), (ids[1], ids[0])] {
        let mutation = find(&sut, first);
        assert_eq!(guidelines::violated(&sut, &mutation), None);
        let once = mutation.apply(&sut);
        assert_eq!(verdict(&sut, &once), Verdict::Subsumed, "{first}");
        let twice = find(&once, second).apply(&once);
        assert_eq!(verdict(&sut, &twice), Verdict::NonSubsumed, "{first}, then {second}");
    }
}

/// WFAS has 52 subsumed and 14 inconsistent mutants, and 49 of these 66 are 74 %.
#[test]
fn inconsistent_mutants_are_bad_like_subsumed_ones() {
    let folder = tempfile::tempdir().expect("a folder");
    let runs = run(folder.path(), &[Order::FIRST]);
    let wfas = runs.iter().find(|run| run.study.folder == "wfas").expect("a run");
    let total = wfas.summary.total();
    assert_eq!(total.bad(), total.subsumed + total.inconsistent);
    assert_eq!((total.bad(), total.violating), (66, 49));
}

/// [003] section 5.4.1: not a counterexample to Lemma 14, since the mutated edge can never be taken.
#[test]
fn the_subsumed_negation_of_accel_is_redundant() {
    let accel = study("accel");
    let negations = mutations(&accel);
    let subsumed: Vec<_> = negations
        .iter()
        .filter(|one| one.operator() == Operator::Ccn && verdict(&accel, &one.apply(&accel)) == Verdict::Subsumed)
        .collect();
    let [Mutation::NegateGuard { edge, .. }] = subsumed[..] else {
        panic!("one subsumed CCN mutant")
    };
    let mutant = subsumed[0].apply(&accel);
    let analysis = analyse(&mutant, &Budget::unlimited())
        .expect("a meaning")
        .expect("no limit");
    assert!(analysis.dead_edges.contains(edge));
}

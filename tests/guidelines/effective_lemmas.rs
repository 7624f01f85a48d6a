//! Lemmata 8 to 14 of [003] against the game: where they hold as needed they are always right by Definition 7, and the
//! models that show where they do not hold as printed do show it.

use tamper::experiment::Effective;
use tamper::game::{GameError, Scratch, Semantics, Specification, Verdict};
use tamper::guidelines::{Lemma, Reading, effective};
use tamper::model::{Automaton, Cmp};
use tamper::mutation::{Mutation, MutationOptions, Mutations};
use tamper::text::Budget;

use crate::small_games::atoms;
use crate::{find, in_all_small_games, in_random_games, read};

fn known(original: &Automaton) -> Effective {
    let known = Effective::of(original, &Budget::unlimited()).expect("it has a meaning");
    known.expect("no limit was set")
}

fn lemma(known: &Effective, mutation: &Mutation, reading: Reading) -> Option<Lemma> {
    let found = known.lemma(mutation, reading, &Budget::unlimited());
    found.expect("it has a meaning")
}

/// How many mutants of `original` are called non-subsumed, for the needed reason; `Err` with one that is not.
fn called_rightly(original: &Automaton) -> Result<usize, String> {
    let budget = Budget::unlimited();
    let (Ok(Ok(known)), Ok(judge)) = (
        Effective::of(original, &budget),
        Specification::prepare(original, Semantics::DEFINITION, &budget),
    ) else {
        return Ok(0);
    };
    let mut scratch = Scratch::default();
    let mut n_called = 0;
    for mutation in Mutations::of(original, &MutationOptions::default()).iter() {
        // A run that leads an integer out of its range is an error, of the mutant and so of the question about it.
        let Ok(Some(lemma)) = known.lemma(&mutation, Reading::Needed, &budget) else {
            continue;
        };
        n_called += 1;
        let decision: Result<_, GameError> = judge.decide(&mutation.apply(original), &budget, &mut scratch);
        if decision.is_ok_and(|decision| decision.verdict != Verdict::NonSubsumed) {
            return Err(format!("{lemma}: {}", mutation.id(original)));
        }
    }
    Ok(n_called)
}

#[test]
fn as_needed_the_lemmata_are_right_in_all_games_with_one_location_and_two_edges() {
    let bounds = [Cmp::Le, Cmp::Gt, Cmp::Ge];
    let constants = [1, 2];
    let n_called = in_all_small_games((atoms(&bounds, &constants), atoms(&bounds, &constants)), called_rightly);
    assert!(n_called > 1_000, "{n_called}");
}

#[test]
fn as_needed_the_lemmata_are_right_in_random_games() {
    let n_called = in_random_games(600, called_rightly);
    assert!(n_called > 500, "{n_called}");
}

#[test]
fn as_needed_the_lemmata_are_right_in_the_studies() {
    for study in ["coffee", "hotel", "wfas", "mutex"] {
        let games = read(&format!("case-studies/{study}"), "model.xml");
        let n_called = called_rightly(&games[0]).expect(study);
        assert!(n_called > 10, "{study}: {n_called}");
    }
}

/// The game and its mutant in a file, the mutation between them, and the lemma that calls it non-subsumed although all
/// that its text asks for holds.
const COUNTEREXAMPLES: [(&str, &str, &str, &str, Lemma); 7] = [
    (
        "lemma-10-12-14-another-edge-answers.xml",
        "Spec",
        "MutantCxl",
        "CXL:guard:l0->l0#0:x<=0=>x<=1",
        Lemma::L10i,
    ),
    (
        "lemma-10-12-14-another-edge-answers.xml",
        "Spec",
        "MutantCcn",
        "CCN:l0->l0#0:x<=0=>x>0",
        Lemma::L14,
    ),
    (
        "lemma-10-12-14-another-edge-answers.xml",
        "UpperSpec",
        "MutantCxs",
        "CXS:guard:l0->l0#1:x>=2=>x>=1",
        Lemma::L12ii,
    ),
    (
        "lemma-11-i-entered-at-the-boundary.xml",
        "Spec",
        "Mutant",
        "CXL:invariant:l1:x>=0=>x>=1",
        Lemma::L11i,
    ),
    (
        "lemma-11-i-entered-after-a-lost-output.xml",
        "Spec",
        "Mutant",
        "CXL:invariant:l1:x>=1=>x>=2",
        Lemma::L11i,
    ),
    (
        "lemma-13-i-entered-after-a-new-input.xml",
        "Spec",
        "Mutant",
        "CXS:invariant:l1:x>=2=>x>=1",
        Lemma::L13i,
    ),
    (
        "lemma-13-ii-entered-after-a-lost-delay.xml",
        "Spec",
        "Mutant",
        "CXS:invariant:l0:x<2=>x<1",
        Lemma::L13ii,
    ),
];

#[test]
fn as_printed_six_cases_of_five_lemmata_call_a_subsumed_mutant_non_subsumed() {
    for (file, original, mutant, id, expected) in COUNTEREXAMPLES {
        let games = read("uppaal-models", file);
        let named = |name: &str| {
            games
                .iter()
                .find(|game| game.name() == name)
                .expect("the game is there")
        };
        let (original, mutant) = (named(original), named(mutant));
        let mutation = find(original, id);
        let made = mutation.apply(original);
        assert_eq!(
            (made.locations(), made.edges()),
            (mutant.locations(), mutant.edges()),
            "{file}"
        );
        let known = known(original);
        assert!(known.is_deterministic() && known.is_non_redundant(), "{file}");
        assert_eq!(effective(original, &mutation), Some(expected));
        assert_eq!(lemma(&known, &mutation, Reading::Stated), Some(expected), "{file}");
        assert_eq!(lemma(&known, &mutation, Reading::Needed), None, "{file}");
        let judge = Specification::prepare(original, Semantics::DEFINITION, &Budget::unlimited()).expect("a meaning");
        let decision = judge.decide(mutant, &Budget::unlimited(), &mut Scratch::default());
        assert_eq!(decision.expect("it has a meaning").verdict, Verdict::Subsumed, "{file}");
    }
}

/// [003] Example 12: as printed Lemma 13 (ii) calls the mutant non-subsumed; the location is entered with x = 0. Its
/// hypothesis asks for a valuation that no entry has.
#[test]
fn example_12_does_not_meet_the_hypothesis_of_its_lemma() {
    let games = read("uppaal-models", "cxs-invariant.xml");
    for (name, expected) in [("Spec", None), ("LateSpec", Some(Lemma::L13ii))] {
        let original = games
            .iter()
            .find(|game| game.name() == name)
            .expect("the game is there");
        let mutation = Mutations::of(original, &MutationOptions::default())
            .iter()
            .find(|mutation| effective(original, mutation) == Some(Lemma::L13ii))
            .expect("the lemma names one");
        let known = known(original);
        assert_eq!(lemma(&known, &mutation, Reading::Corrected), expected, "{name}");
    }
}

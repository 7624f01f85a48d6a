//! Lemmata 8 to 14 of [003] against the game: where they hold as needed they are always right by Definition 7, and the
//! models that show where they do not hold as printed do show it.

use tamper::experiment::Effective;
use tamper::game::{GameError, Scratch, Semantics, Specification, Verdict, analyse};
use tamper::guidelines::{Lemma, Reading, effective};
use tamper::model::{Automaton, Cmp, EdgeId, LocId};
use tamper::mutation::{Mutation, MutationOptions, Mutations};
use tamper::text::Budget;

use crate::guidelines::{find, in_all_small_games, in_random_games, read};
use crate::small_games::atoms;

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

/// A game, a mutation of it whose proposition calls it non-redundancy preserving, and what of the mutant is redundant.
type Redundant = (&'static str, &'static str, &'static str, [&'static [&'static str]; 3]);

/// By hand, each with all that its proposition asks for; what is redundant: locations, edges (by action), time locks.
const REDUNDANT: [Redundant; 7] = [
    // l1 is entered with every clock at 0 by a?, and its edge resets x; but o! enters it with x = 5.
    (
        "Proposition 2",
        "clock x\nloc l0\nloc l1 inv x<=5\nedge l0 -> l1 : a? do x:=0\nedge l0 -> l1 : o! when x==5\n\
         edge l1 -> l0 : b! do x:=0",
        "CXS:invariant:l1:x<=5=>x<=4",
        [&[], &["o!"], &[]],
    ),
    // Some x <= 4 satisfies the guard, but l1 is entered with x = 5 only.
    (
        "Proposition 3",
        "clock x\nloc l0\nloc l1\nedge l0 -> l1 : a! when x==5\nedge l1 -> l0 : b! when x<=5 do x:=0",
        "CXS:guard:l1->l0#0:x<=5=>x<=4",
        [&[], &["b!"], &[]],
    ),
    // The other edge into l1 enters it too late for b!.
    (
        "Proposition 4",
        "clock x\nloc l0\nloc l1\nedge l0 -> l1 : a? do x:=0\nedge l0 -> l1 : o! when x>=2\n\
         edge l1 -> l0 : b! when x<=1 do x:=0",
        "TMI:l0->l1#0",
        [&[], &["b!"], &[]],
    ),
    // The added input enters l1 with a y that is too large for b!, and x ends the stay.
    (
        "Proposition 5",
        "clock x y\nloc l0\nloc l1 inv x<=2\nloc l2\nedge l0 -> l0 : i?\nedge l0 -> l1 : a! do x:=0, y:=0\n\
         edge l1 -> l0 : b! when y<=2\nedge l0 -> l2 : c! do x:=0\nedge l2 -> l0 : d!",
        "TAD:input:l2->l1",
        [&[], &[], &["l1"]],
    ),
    // l2 is entered from l3 as well, which only l2 leads to.
    (
        "Proposition 6",
        "loc l0\nloc l1\nloc l2\nloc l3\nedge l0 -> l1 : a!\nedge l1 -> l2 : b!\nedge l2 -> l3 : c!\nedge l3 -> l2 : d!",
        "SMI:l1",
        [&["l2", "l3"], &["c!", "d!"], &[]],
    ),
    // The longer stay ends behind the only output, as that of COFFEE's add_sugar.
    (
        "Proposition 7",
        "clock x\nloc l0 inv x<=5\nedge l0 -> l0 : o! when x<=5 do x:=0",
        "CXL:invariant:l0:x<=5=>x<=6",
        [&[], &[], &["l0"]],
    ),
    // Leaving at x = 1 leads to a stay that ends at x = 2, before b! is possible.
    (
        "Proposition 8",
        "clock x y\nloc l0\nloc l1 inv y<=1\nedge l0 -> l1 : a! when x>=2 do y:=0\nedge l1 -> l0 : b! when x>=3 do x:=0",
        "CXS:guard:l0->l1#0:x>=2=>x>=1",
        [&[], &[], &["l1"]],
    ),
];

/// [003] Propositions 2 to 8, as printed: a game that is non-redundant, and a mutant that is not.
#[test]
fn as_printed_propositions_two_to_eight_keep_a_redundant_mutant() {
    for (proposition, text, id, expected) in REDUNDANT {
        let original = testing::oracle::games::game("A", text);
        assert!(known(&original).is_non_redundant(), "{proposition}");
        let mutant = find(&original, id).apply(&original);
        assert!(!known(&mutant).is_non_redundant(), "{proposition}");
        let facts = analyse(&mutant, &Budget::unlimited()).expect("it has a meaning");
        let facts = facts.expect("no limit was set");
        let location = |id: &LocId| mutant.locations()[*id].name.to_string();
        let edge = |id: &EdgeId| mutant.actions()[mutant.edges()[*id].action].to_string();
        let found: [Vec<String>; 3] = [
            facts.unreachable.iter().map(location).collect(),
            facts.dead_edges.iter().map(edge).collect(),
            facts.time_locks.iter().map(location).collect(),
        ];
        for (found, expected) in found.iter().zip(expected) {
            assert_eq!(found, expected, "{proposition}");
        }
    }
}

//! The composition of mutations that each violate a guideline on the original is never non-subsumed: on all games of a
//! small shape and on random games. And where one of the two is only subsumed, it can be.

use tamper::game::{GameError, Scratch, Semantics, Specification, Verdict};
use tamper::guidelines::{Rule, violated, violated_on_original};
use tamper::model::{Automaton, Cmp};
use tamper::mutation::{MutationOptions, Mutations};
use tamper::text::Budget;

use crate::guidelines::{find, in_all_small_games, in_random_games, read};
use crate::small_games::atoms;

const PRESETS: [Semantics; 3] = [Semantics::DEFINITION, Semantics::STRICT, Semantics::TIGA];

/// The judges of a game that is consistent under their semantics; none for games without a meaning.
fn judges(game: &Automaton) -> Vec<Specification> {
    let prepare = |semantics| Specification::prepare(game, semantics, &Budget::unlimited());
    PRESETS
        .into_iter()
        .filter_map(|semantics| prepare(semantics).ok())
        .collect()
}

/// `Err` with the first sequence of two mutations, both named on `original`, whose mutant is non-subsumed; else how many
/// sequences there are. A mutant without a meaning (an added edge leads an integer out of its range) has no verdict.
fn compositions(original: &Automaton) -> Result<usize, String> {
    let options = MutationOptions::default();
    let judges = judges(original);
    let mut n_sequences = 0;
    let mut scratch = Scratch::default();
    for first in Mutations::of(original, &options).iter() {
        if violated(original, &first).is_none() {
            continue;
        }
        let parent = first.apply(original);
        for second in Mutations::of(&parent, &options).iter() {
            if violated_on_original(original, &first, &second).is_none() {
                continue;
            }
            n_sequences += 1;
            let mutant = second.apply(&parent);
            for judge in &judges {
                let decision: Result<_, GameError> = judge.decide(&mutant, &Budget::unlimited(), &mut scratch);
                if decision.is_ok_and(|decision| decision.verdict == Verdict::NonSubsumed) {
                    let (first, second) = (first.id(original), second.id(&parent));
                    return Err(format!("{first}; {second} under {}", judge.semantics()));
                }
            }
        }
    }
    Ok(n_sequences)
}

#[test]
fn compositions_of_violations_are_subsumed_in_all_games_with_one_location_and_two_edges() {
    let (guards, bounds) = ([Cmp::Le, Cmp::Ge, Cmp::Eq], [Cmp::Le, Cmp::Ge]);
    let n_sequences = in_all_small_games((atoms(&guards, &[2]), atoms(&bounds, &[2])), compositions);
    assert!(n_sequences > 1_000, "{n_sequences}");
}

#[test]
fn compositions_of_violations_are_subsumed_in_random_games() {
    let n_sequences = in_random_games(60, compositions);
    assert!(n_sequences > 1_000, "{n_sequences}");
}

/// Each alone keeps the output `o!` dead: CXL moves `x==0` past the invariant `x<=0` (L4.ii), or the invariant only
/// grows where pruning takes it back. Together they bring the output to life at x = 1.
#[test]
fn a_violation_and_a_merely_subsumed_mutation_can_compose_to_a_non_subsumed_mutant() {
    let games = read("uppaal-models", "composition-violation-and-longer-invariant.xml");
    let [original, guard, invariant, both] = games.as_slice() else {
        panic!("four games")
    };
    let first = find(original, "CXL:guard:l0->l0#0:x==0=>x==1");
    let second = find(original, "CXL:invariant:l0:x<=0=>x<=1");
    assert_eq!(violated(original, &first), Some(Rule::L4ii));
    assert_eq!(violated(original, &second), None);
    let strict = Specification::prepare(original, Semantics::STRICT, &Budget::unlimited()).expect("it is consistent");
    let verdict = |mutant: &Automaton| {
        let decision = strict.decide(mutant, &Budget::unlimited(), &mut Scratch::default());
        decision.expect("it has a meaning").verdict
    };
    assert_eq!(verdict(guard), verdict(&first.apply(original)));
    assert_eq!(verdict(invariant), verdict(&second.apply(original)));
    assert_eq!(verdict(both), verdict(&second.apply(&first.apply(original))));
    assert_eq!(verdict(invariant), Verdict::Subsumed);
    assert_eq!(verdict(both), Verdict::NonSubsumed);
}

/// [003] Fig. 20: CXS on the invariant is named on the original, and no longer once an input enters.
#[test]
fn figure_20_is_found_on_the_original() {
    let games = read("uppaal-models", "order-two-cxs-after-tad.xml");
    let original = games.iter().find(|game| game.name() == "Sut").expect("the original");
    let first = find(original, "TAD:input:l0->l1");
    let parent = first.apply(original);
    let second = find(&parent, "CXS:invariant:l1:x<=5=>x<=4");
    assert_eq!(violated(&parent, &second), None);
    assert_eq!(
        violated_on_original(original, &first, &second),
        Some((Rule::L2, Rule::L7i))
    );
}

/// Every id of a mutant made by a first mutation means the same part of the original.
#[test]
fn a_second_mutation_on_the_original_has_the_place_of_the_second_mutation() {
    let games = read("uppaal-models", "order-two-redundant-edges-meet.xml");
    let original = games.iter().find(|game| game.name() == "Sut").expect("the original");
    let lifted = |first: &str, second: &str| {
        let first = find(original, first);
        let second = find(&first.apply(original), second);
        second
            .on_original(&first, original)
            .map(|mutation| mutation.id(original))
    };
    let is = |id: &str| Some(id.to_owned());
    assert_eq!(lifted("TMI:l0->l1#0", "TMI:l0->l1#0"), is("TMI:l0->l1#1"));
    assert_eq!(lifted("TAD:input:l0->l1", "TMI:l0->l1#2"), None);
    assert_eq!(lifted("TAD:input:l0->l1", "TMI:l0->l1#1"), is("TMI:l0->l1#1"));
    assert_eq!(
        lifted("SMI:l1", "CXL:invariant:l0:x<=3=>x<=4"),
        is("CXL:invariant:l0:x<=3=>x<=4")
    );
    let twice = lifted("CXL:guard:l0->l1#0:x<=3=>x<=4", "CXL:guard:l0->l1#0:x<=4=>x<=5");
    assert_eq!(twice, is("CXL:guard:l0->l1#0:x<=3=>x<=4"));
    assert_eq!(
        lifted("CCN:l0->l1#1:x>=5=>x<5", "CXS:guard:l0->l1#1:x<5=>x<4"),
        is("CXS:guard:l0->l1#1:x>=5=>x>=4")
    );
}

//! Wrong verdicts that were found once, each with what is right about it, derived by hand.

use std::path::Path;

use super::classified::{MANNERS, Question, RULES_ONLY};
use super::random::PlainMutants;
use tamper::experiment::Verdict;
use tamper::formats::{ReadOptions, read_bytes};
use tamper::game::{Semantics, analyse};
use tamper::model::Automaton;
use tamper::mutation::{MutationOptions, Operator};
use tamper::text::Budget;
use testing::oracle::games;
use testing::oracle::refinement::Answer;

fn game(name: &str) -> Automaton {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/regressions");
    let bytes = std::fs::read(folder.join(name)).expect("a model");
    let (document, _) = read_bytes(name, &bytes, &ReadOptions::default()).expect("a model");
    document.automata()[0].clone()
}

/// The mutant is non-subsumed under `semantics`; with every semantics, engine and set of guidelines its verdict is that of the
/// region graphs.
fn check(name: &str, (order, operators): (u8, &[Operator]), id: &str, semantics: &[Semantics]) {
    let game = game(name);
    for rules in Semantics::ALL {
        let question = Question {
            order,
            options: MutationOptions {
                operators: operators.to_vec(),
                ..MutationOptions::default()
            },
            semantics: rules,
            most: u64::MAX,
            seed: 0,
        };
        let (space, selection) = question.mutants(&game).unwrap();
        let number = space.number_of(id).expect("a mutant");
        let judged = PlainMutants::of(&game, &question).judge(&space, &[number]).unwrap();
        let judged = &judged[0];
        if semantics.contains(&rules) {
            assert_eq!(judged.answer, Some(Answer::NonSubsumed), "{rules}");
        }
        for manner in MANNERS {
            let (records, _) = question
                .answer(&game, (&space, &selection), (manner, false))
                .unwrap()
                .expect("a consistent game");
            let record = &records[usize::try_from(number).unwrap()];
            assert_eq!(record.id, id);
            judged
                .check(record, manner)
                .unwrap_or_else(|error| panic!("{rules}: {error}"));
        }
    }
}

/// v!, wait 1, the added output (which sets x to 0 and leads back), v! again: the specification, which ignores the added
/// output, is where there is no v!. The clock is idle where the added edge starts, and compared where it leads.
#[test]
fn an_ignored_output_is_looked_at_after_its_resets() {
    let (id, tiga) = ("TAD:output:L1->L0", [Semantics::TIGA]);
    check("reset_then_compared.xml", (1, &Operator::PAPER), id, &tiga);
}

/// The input b? is gone. The first two mutations make an inconsistent mutant: the added input leads where there is no progress.
/// The third takes that away, so it is no mutant of something that refines the specification.
#[test]
fn a_mutant_of_an_inconsistent_mutant_need_not_refine() {
    let operators = [Operator::Tmi, Operator::Tad, Operator::Cxs];
    let id = "TMI:L0->L0#1;TAD:input:L0->L1;CXS:guard:L0->L1#0:x<=2=>x<=1";
    check("inconsistent_parent.xml", (3, &operators), id, &Semantics::ALL);
}

/// dummy, dummy, u!: the specification stays in L0. No run of it leads to L1, where the second added output starts, but the
/// first added one does.
#[test]
fn an_ignored_output_is_looked_at_where_another_one_leads() {
    let (id, tiga) = ("TAD:output:L0->L1;TAD:output:L1->L2", [Semantics::TIGA]);
    check("two_ignored_outputs.xml", (2, &Operator::PAPER), id, &tiga);
}

/// c! at 1 leads to N with x = 1 and y = 0, where b! is possible until y = 1: then time cannot pass consistently. The added loop
/// at y = 1 sets x to 0, so that it is possible at y = 3 again: the mutant may wait until then.
#[test]
fn an_ignored_loop_with_resets_is_looked_at_in_the_states_it_makes() {
    check(
        "reset_loop.xml",
        (1, &Operator::PAPER),
        "TAD:output:N->N",
        &[Semantics::TIGA],
    );
}

/// a? is possible at 2 only, where the mutant's N cannot be entered. No other node of the mutant differs.
#[test]
fn an_input_into_a_location_that_is_entered_no_more_is_gone() {
    check(
        "entered_no_more.xml",
        (1, &[Operator::Cxs]),
        "CXS:invariant:N:x<=2=>x<=1",
        &Semantics::ALL,
    );
}

/// Without pruning the guidelines alone called it subsumed: x < 0 holds nowhere, so there is no initial state.
#[test]
fn a_mutant_without_an_initial_state_is_inconsistent_also_by_guidelines_alone() {
    let game = games::game("G", "clock x\naction p!\nloc l0 inv x<1\nedge l0 -> l0 : p!");
    let question = Question {
        order: 1,
        options: MutationOptions {
            cxs_to_zero: true,
            ..MutationOptions::default()
        },
        semantics: Semantics::DEFINITION,
        most: u64::MAX,
        seed: 0,
    };
    let (space, selection) = question.mutants(&game).unwrap();
    let number = space.number_of("CXS:invariant:l0:x<1=>x<0").expect("a mutant");
    for manner in MANNERS.into_iter().chain([RULES_ONLY]) {
        let (records, _) = question
            .answer(&game, (&space, &selection), (manner, false))
            .unwrap()
            .expect("a consistent game");
        let verdict = records[usize::try_from(number).unwrap()].verdict;
        assert_eq!(verdict, Verdict::Inconsistent, "{manner:?}");
    }
}

/// At x = 1 time stops in l1 and no edge is left. That the input a? is ignored there does not help: it leads nowhere else. In l0
/// time passes, and l2 is left by o!.
#[test]
fn an_ignored_input_is_no_way_out_of_a_time_lock() {
    let text = "clock x\naction a?\nloc l0\nloc l1 inv x<=1\nloc l2 inv x<=1\n\
        edge l0 -> l1 : a? do x:=0\nedge l0 -> l2 : o! do x:=0\nedge l2 -> l0 : o!";
    for (input_enabled, name) in [("", "refused"), ("\ninput-enabled", "ignored")] {
        let game = games::game("G", &format!("{text}{input_enabled}"));
        let facts = analyse(&game, &Budget::unlimited()).unwrap().unwrap();
        let locks = facts
            .time_locks
            .iter()
            .map(|location| &*game.locations()[*location].name);
        assert_eq!(Vec::from_iter(locks), ["l1"], "inputs are {name}");
    }
}

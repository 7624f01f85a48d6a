//! The test oracle, checked against answers derived by hand and against itself.

use std::cell::RefCell;
use std::collections::BTreeMap;

use testing::oracle::clocks::{Regions, Spread};
use testing::oracle::consistency::{is_consistent, is_consistent_in};
use testing::oracle::games::game;
use testing::oracle::refinement::Answer::{self, Inconsistent, NonSubsumed, SpecInconsistent, Subsumed};
use testing::oracle::refinement::{ALL_RULES, DEFINITION, Rules, STRICT, TIGA, decide, decide_in};
use testing::oracle::show::show;
use testing::oracle::{generate, mutate, run};

/// The verdicts of `mutant` against `spec` under `strict`, `definition` and `tiga`.
fn check(mutant: &str, spec: &str, expected: [Answer; 3]) {
    let (mutant, spec) = (game("M", mutant), game("S", spec));
    for (rules, expected) in [STRICT, DEFINITION, TIGA].into_iter().zip(expected) {
        assert_eq!(
            decide(&mutant, &spec, rules),
            expected,
            "{rules:?}\n{}\n{}",
            show(&mutant),
            show(&spec)
        );
        assert_eq!(decide_in::<Spread>(&mutant, &spec, rules), expected, "grid, {rules:?}");
    }
}

fn consistent(text: &str) -> bool {
    let game = game("G", text);
    assert_eq!(is_consistent(&game), is_consistent_in::<Spread>(&game));
    is_consistent(&game)
}

/// The vending machine of [003] Figs 1-3 with these parts.
fn vending(invariant: u8, drinks: &[&str]) -> String {
    let drinks: String = drinks
        .iter()
        .map(|drink| format!("edge s1 -> s0 : {drink}\n"))
        .collect();
    format!(
        "clock x\naction euro?\naction soda!\naction tea!\nloc s0\nloc s1 inv x<={invariant}\nedge s0 -> s1 : euro? do x:=0\n{drinks}"
    )
}

const SODA: &str = "soda! when x<=2";
const TEA: &str = "tea! when x>=2";

#[test]
fn vending_machines_with_one_drink_refine_the_one_with_both() {
    let both = vending(5, &[SODA, TEA]);
    for drink in [SODA, TEA] {
        check(&vending(5, &[drink]), &both, [Subsumed; 3]);
        // The machine with both makes a drink that the other does not.
        check(&both, &vending(5, &[drink]), [NonSubsumed; 3]);
    }
}

#[test]
fn soda_machine_without_soda_refines_it_literally_but_can_make_no_progress() {
    check(
        &vending(5, &[]),
        &vending(5, &[SODA]),
        [Inconsistent, Subsumed, Inconsistent],
    );
    check(
        &vending(5, &[SODA]),
        &vending(5, &[]),
        [SpecInconsistent, NonSubsumed, SpecInconsistent],
    );
}

#[test]
fn later_tea_under_an_earlier_deadline_is_subsumed() {
    let both = vending(5, &[SODA, TEA]);
    // Tea at exactly 4.
    check(&vending(4, &["tea! when x>=4"]), &both, [Subsumed; 3]);
    // Example 12 calls the smaller deadline alone non-subsumed; but s1 is entered at x = 0, where both invariants hold.
    check(&vending(4, &[SODA, TEA]), &both, [Subsumed; 3]);
    check(&both, &vending(4, &[SODA, TEA]), [NonSubsumed; 3]);
}

#[test]
fn vending_machine_that_refuses_the_coin_is_not_subsumed() {
    let no_coin = vending(5, &[SODA, TEA]).replace("edge s0 -> s1 : euro? do x:=0\n", "");
    check(&no_coin, &vending(5, &[SODA, TEA]), [NonSubsumed; 3]);
}

#[test]
fn a_violating_second_mutation_may_stop_violating_after_the_first() {
    // [003] Fig 20.
    let with = |tad: &str, deadline: u8| {
        format!(
            "clock x\nloc l0\nloc l1 inv x<={deadline}\nedge l0 -> l1 : a! when x>=1\nedge l1 -> l0 : b! do x:=0\n{tad}"
        )
    };
    let tad = "edge l0 -> l1 : dummy? when x>=1\n";
    check(&with(tad, 5), &with("", 5), [Subsumed; 3]);
    check(&with("", 4), &with("", 5), [Subsumed; 3]);
    check(&with(tad, 4), &with("", 5), [Subsumed; 3]);
    // At x = 5 the first-order mutant still accepts the new input; the second-order one cannot enter l1.
    check(&with(tad, 4), &with(tad, 5), [NonSubsumed; 3]);
}

#[test]
fn two_subsumed_mutations_may_compose_to_a_non_subsumed_one() {
    // [003] Fig 21. Without pruning the longer stay is a delay the specification lacks; with it, nothing happens after 3.
    let with = |deadline: u8, guard: u8| {
        format!(
            "clock x\nloc l0 inv x<={deadline}\nloc l1\nedge l0 -> l1 : a! when x<=3\nedge l0 -> l1 : b! when x>={guard}"
        )
    };
    check(&with(3, 4), &with(3, 5), [Subsumed; 3]);
    check(&with(4, 5), &with(3, 5), [Subsumed, NonSubsumed, Subsumed]);
    check(&with(4, 4), &with(3, 5), [NonSubsumed; 3]);
}

#[test]
fn consistency_needs_an_output_or_unbounded_time() {
    assert!(consistent("clock x\nloc l"));
    assert!(consistent("loc l"), "no clocks, no edges: time passes for ever");
    assert!(!consistent("clock x\nloc l inv x<5"), "a strict bound is no progress");
    assert!(!consistent("clock x\nloc l inv x<=5"));
    assert!(consistent("clock x\nloc l inv x<=5\nloc m\nedge l -> m : o! when x==5"));
    assert!(
        !consistent("clock x\nloc l inv x<5\nloc m\nedge l -> m : o! when x==5"),
        "5 is never reached"
    );
    assert!(consistent("clock x\nloc l inv x<5\nloc m\nedge l -> m : o! when x>4"));
    assert!(
        !consistent("clock x\nloc l inv x<=5\nloc m\nedge l -> m : a?"),
        "inputs may never come"
    );
    assert!(consistent("clock x\nloc l inv x<=5\nloc m\nedge l -> m : tau"));
    assert!(
        !consistent("clock x\nloc l inv x>=1"),
        "the initial state does not exist"
    );
    assert!(!consistent("clock x\nloc l urgent"));
    assert!(
        !consistent("clock x\nloc l committed\nloc m\nedge l -> m : o! when x>0"),
        "no delay in a committed location"
    );
    assert!(consistent("clock x\nloc l urgent\nedge l -> l : o!"), "Zeno runs count");
}

#[test]
fn every_possible_input_must_stay_consistent() {
    let dead = |guard: &str| {
        format!(
            "clock x\nloc l inv x<=2\nloc dead urgent\nedge l -> l : o! when x==2 do x:=0\nedge l -> dead : a?{guard}"
        )
    };
    assert!(!consistent(&dead("")));
    assert!(!consistent(&dead(" when x>1")), "time must reach 2 through (1, 2]");
    assert!(consistent(&dead(" when x>2")), "never possible");
    assert!(
        !consistent(&dead(" when x==1")),
        "no delay may jump over the bad instant"
    );
    // Output before the input becomes possible.
    assert!(consistent(
        "clock x\nloc l\nloc dead urgent\nedge l -> l : o! when x<1 do x:=0\nedge l -> dead : a? when x>=1"
    ));
    // The same without that output: x >= 1 is reached, or time stops before.
    assert!(!consistent(
        "clock x\nloc l\nloc dead urgent\nedge l -> dead : a? when x>=1"
    ));
}

#[test]
fn an_enabled_urgent_edge_forbids_delay() {
    assert!(
        !consistent("clock x\naction urgent a?\nloc l\nedge l -> l : a?"),
        "an input alone is no progress"
    );
    assert!(consistent("clock x\naction urgent o!\nloc l\nedge l -> l : o!"));
    assert!(
        consistent("int i 0..1 = 0\naction urgent a?\nloc l\nedge l -> l : a? when i==1"),
        "not enabled"
    );
    let loop_ = |urgent: &str| format!("action {urgent}o!\nloc l\nedge l -> l : o!");
    check(&loop_("urgent "), &loop_(""), [Subsumed; 3]);
    check(&loop_(""), &loop_("urgent "), [NonSubsumed; 3]);
}

#[test]
fn delays_are_compared_to_the_instant() {
    let until = |bound: &str| format!("clock x\nloc l inv x{bound}\nloc m\nedge l -> m : o! when x>=2");
    check(&until("<3"), &until("<=3"), [Subsumed; 3]);
    check(&until("<=3"), &until("<3"), [NonSubsumed; 3]);
    // Urgent in the mutant only: no delay to match. Urgent in the specification only: a delay it lacks.
    let urgent = |urgency: &str| format!("loc l{urgency}\nedge l -> l : o!");
    check(&urgent(" urgent"), &urgent(""), [Subsumed; 3]);
    check(&urgent(""), &urgent(" committed"), [NonSubsumed; 3]);
    // However short the mutant's stay is, it is a delay.
    check(
        "clock x\nloc l inv x<1\nedge l -> l : o! do x:=0",
        "loc l urgent\nedge l -> l : o!",
        [NonSubsumed; 3],
    );
    // At x <= 0 there is no delay to match.
    check(
        "clock x\nloc l inv x<=0\nedge l -> l : o!",
        "loc l urgent\nedge l -> l : o!",
        [Subsumed; 3],
    );
}

#[test]
fn lower_bound_invariants_are_checked_on_entry() {
    let with = |bound: u8| format!("clock x\nloc l\nloc m inv x>={bound}\nedge l -> m : o!\nedge m -> m : p!");
    check(&with(3), &with(2), [Subsumed; 3]);
    check(&with(2), &with(3), [NonSubsumed; 3]);
}

#[test]
fn actions_outside_the_other_alphabet_follow_the_policy() {
    let plain = "loc l\nedge l -> l : a?";
    let extra_output = "loc l\nedge l -> l : a?\nedge l -> l : o!";
    let extra_input = "loc l\nedge l -> l : a?\nedge l -> l : b?";
    let with_tau = "loc l\nedge l -> l : a?\nedge l -> l : tau";
    check(extra_output, plain, [NonSubsumed, NonSubsumed, Subsumed]);
    check(plain, extra_input, [NonSubsumed, NonSubsumed, Subsumed]);
    // tau is in every alphabet.
    check(with_tau, plain, [NonSubsumed; 3]);
    check(plain, with_tau, [Subsumed; 3]);
    // Declared and unused is in the alphabet.
    check(extra_output, "action o!\nloc l\nedge l -> l : a?", [NonSubsumed; 3]);
    // o! meets an input of that name: no action that the other side lacks, so it is not ignored.
    check("loc l\nedge l -> l : o!", "action o?\nloc l", [NonSubsumed; 3]);
    // The mutant moves alone into a location that refuses the input.
    check(
        "loc l\nloc m\nedge l -> l : a?\nedge l -> m : o!",
        plain,
        [NonSubsumed; 3],
    );
}

#[test]
fn input_enabled_games_ignore_what_no_edge_accepts() {
    let refusing = "clock x\naction a?\nloc l";
    let ignoring = "clock x\naction a?\nloc l\ninput-enabled";
    check(refusing, ignoring, [NonSubsumed; 3]);
    check(ignoring, refusing, [Subsumed; 3]);
    check(ignoring, "clock x\nloc l\nedge l -> l : a?", [Subsumed; 3]);
    check(ignoring, "clock x\nloc l\nedge l -> l : a? do x:=0", [Subsumed; 3]);
    // The target's invariant fails after 1; until then the input leads to an output.
    let ignoring = "clock x\naction a?\naction o!\nloc l\ninput-enabled";
    let until_1 = "clock x\naction o!\nloc l\nloc m inv x<=1\nedge l -> m : a?\nedge m -> l : o!\ninput-enabled";
    check(until_1, ignoring, [NonSubsumed; 3]);
    check(
        &until_1.replace("x<=1", "x>=1").replace("a?", "a? when x<1"),
        ignoring,
        [Subsumed; 3],
    );
    // After the input the specification cannot wait beyond 1; the mutant can.
    check(ignoring, until_1, [NonSubsumed; 3]);
}

#[test]
fn initial_integers_and_the_order_of_updates_matter() {
    let starting = |i: u8| format!("int i 0..2 = {i}\naction o!\nloc l\nedge l -> l : o! when i==1");
    check(&starting(0), &starting(1), [Subsumed; 3]);
    check(&starting(1), &starting(0), [NonSubsumed; 3]);
    let order = |updates: &str| {
        format!("clock x\nint i 0..2 = 2\nloc l\nloc m\nedge l -> m : a? do {updates}\nedge m -> m : o! when x==0")
    };
    check(&order("i:=0, x:=i"), &order("x:=i, i:=0"), [NonSubsumed; 3]);
    check(&order("x:=i, i:=0"), &order("i:=0, x:=i"), [Subsumed; 3]);
}

#[test]
fn a_select_stands_for_one_edge_per_value() {
    let select = "clock x\naction o!\nloc l\nloc m\nedge l -> m : a? select s 1..2 do x:=s\nedge m -> l : o! when x<=1";
    let reset_to = |value: u8| select.replace("select s 1..2 do x:=s", &format!("do x:={value}"));
    check(select, &reset_to(2), [Subsumed; 3]); // the mutant may choose 2, then never answers
    check(select, &reset_to(1), [Subsumed; 3]); // or 1, as the specification does
    // Both inputs of the specification must be matched: after 2 it makes no output, the mutant (at 1) does.
    check(&reset_to(1), select, [NonSubsumed; 3]);
    check(&reset_to(2), select, [Subsumed; 3]);
}

#[test]
fn nondeterministic_specifications_choose_after_seeing_the_move() {
    // One output to two locations against two outputs from one location: the specification must guess.
    let late = "loc l\nloc m\nedge l -> m : o!\nedge m -> l : p!\nedge m -> l : q!";
    let early = "loc l\nloc m1\nloc m2\nedge l -> m1 : o!\nedge l -> m2 : o!\nedge m1 -> l : p!\nedge m2 -> l : q!";
    check(late, early, [NonSubsumed; 3]);
    check(early, late, [Subsumed; 3]);
    // A deterministic mutant takes one of the two ways: subsumed, although some way of the specification differs.
    check(
        "action q!\nloc l\nloc m\nedge l -> m : o!\nedge m -> l : p!",
        early,
        [Subsumed; 3],
    );
}

#[test]
fn pruning_removes_outputs_into_dead_ends() {
    // o! leads where nothing is possible; the specification may not make it, nor may the mutant.
    let dead = "clock x\naction p!\nloc l\nloc dead urgent\nedge l -> dead : o!";
    let quiet = "clock x\naction o!\naction p!\nloc l";
    check(dead, quiet, [Subsumed, NonSubsumed, Subsumed]);
    check(quiet, dead, [Subsumed; 3]);
    // The specification's way out is pruned: it cannot match a mutant that lives on.
    let alive = "clock x\naction p!\nloc l\nloc m\nedge l -> m : o!";
    check(alive, dead, [NonSubsumed; 3]);
}

#[test]
fn diagonals_compare_clocks_reset_at_different_times() {
    // x - y is the time between start and a?; o! only if that is more than 1.
    let after =
        |k: u8| format!("clock x y\naction o!\nloc l\nloc m\nedge l -> m : a? do y:=0\nedge m -> m : o! when x-y>{k}");
    check(&after(2), &after(1), [Subsumed; 3]);
    check(&after(1), &after(2), [NonSubsumed; 3]);
    // Differences beyond every constant stay beyond it, also after long delays.
    check(&after(3), &after(3), [Subsumed; 3]);
    // y - x == -2 is x - y == 2.
    let back = "clock x y\naction o!\nloc l\nloc m\nedge l -> m : a? do y:=0\nedge m -> m : o! when y-x<-1";
    check(back, &after(1), [Subsumed; 3]);
    check(&after(1), back, [Subsumed; 3]);
}

#[test]
fn generated_games_are_read_back_from_their_text() {
    run::check(300, &generate::game(), |generate::Shown(original)| {
        let again = game("G", &show(original));
        if again == *original {
            Ok(())
        } else {
            Err("changed".into())
        }
    });
}

#[test]
fn both_abstractions_agree_on_consistency() {
    run::check(5000, &generate::sketch_with(0), |sketch| {
        let game = sketch.build("G");
        let answers = (is_consistent_in::<Regions>(&game), is_consistent_in::<Spread>(&game));
        if answers.0 == answers.1 {
            Ok(())
        } else {
            Err(format!("{answers:?}"))
        }
    });
}

#[test]
fn both_abstractions_agree_on_refinement() {
    run::check(
        400,
        &mutate::pair_without_diagonals(),
        |mutate::Pair { mutant, spec }| {
            for rules in ALL_RULES {
                let answers = (
                    decide_in::<Regions>(mutant, spec, rules),
                    decide_in::<Spread>(mutant, spec, rules),
                );
                if answers.0 != answers.1 {
                    return Err(format!("{rules:?}: {answers:?}"));
                }
            }
            Ok(())
        },
    );
}

#[test]
fn refinement_is_reflexive_and_pruning_leaves_only_consistent_games() {
    run::check(300, &generate::game(), |generate::Shown(game)| {
        for rules in ALL_RULES {
            let exists = if rules.prune {
                is_consistent(game)
            } else {
                decide(game, game, rules) != SpecInconsistent
            };
            let expected = if exists { Subsumed } else { SpecInconsistent };
            if decide(game, game, rules) != expected {
                return Err(format!("{rules:?}"));
            }
        }
        Ok(())
    });
}

/// The differential tests mean something only if every verdict is frequent.
#[test]
fn verdicts_of_generated_pairs_are_balanced() {
    let counts = RefCell::new(BTreeMap::new());
    let n_pairs = 500;
    run::check(n_pairs, &mutate::pair(), |mutate::Pair { mutant, spec }| {
        for (index, rules) in ALL_RULES.into_iter().enumerate() {
            *counts
                .borrow_mut()
                .entry((index, decide(mutant, spec, rules)))
                .or_insert(0) += 1;
        }
        Ok(())
    });
    for (index, Rules { unmatched, prune }) in ALL_RULES.into_iter().enumerate() {
        let percent = |answer| 100 * counts.borrow().get(&(index, answer)).copied().unwrap_or(0) / n_pairs;
        let [subsumed, non_subsumed, inconsistent] = [Subsumed, NonSubsumed, Inconsistent].map(percent);
        let enough = subsumed >= 25 && non_subsumed >= 25 && inconsistent >= 1;
        assert!(enough, "{unmatched:?} {prune}: {:?}", counts.borrow());
    }
}

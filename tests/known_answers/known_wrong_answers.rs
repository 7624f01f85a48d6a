//! Wrong answers that other engines are known to give, one test each, with the right answer derived by hand.

use tamper::formats::{ReadOptions, read_bytes};
use tamper::game::{Consistency, GameError, Scratch, Semantics, Specification, Verdict, analyse, check_consistency};
use tamper::model::Automaton;
use tamper::text::{Budget, Id};
use testing::oracle::games::game;
use testing::oracle::{consistency, refinement};

use Verdict::{Inconsistent, NonSubsumed, Subsumed};

fn verdict(mutant: &Automaton, spec: &Automaton, semantics: Semantics) -> Verdict {
    let budget = Budget::unlimited();
    let specification = Specification::prepare(spec, semantics, &budget).expect("a consistent specification");
    let decision = specification
        .decide(mutant, &budget, &mut Scratch::default())
        .expect("a verdict");
    decision.verdict
}

fn strict(mutant: &str, spec: &str) -> Verdict {
    verdict(&game("M", mutant), &game("S", spec), Semantics::STRICT)
}

/// The one template of an UPPAAL file with these declarations, locations and transitions; `l0` is initial.
fn from_xml(declaration: &str, body: &str) -> Automaton {
    let text = format!(
        "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n\
         <nta><declaration>chan a; chan o;</declaration>\
         <template><name>T</name><declaration>{declaration}</declaration>{body}</template>\
         <system>system T;</system></nta>"
    );
    let (document, _) = read_bytes("t.xml", text.as_bytes(), &ReadOptions::default())
        .unwrap_or_else(|error| panic!("{error:?} in\n{text}"));
    document.automata()[0].clone()
}

/// A template with one location `l0` and a loop on it.
fn one_location(declaration: &str, location: &str, transition: &str) -> Automaton {
    from_xml(
        declaration,
        &format!(
            "<location id=\"l0\"><name>L</name>{location}</location><init ref=\"l0\"/>\
             <transition><source ref=\"l0\"/><target ref=\"l0\"/>{transition}</transition>"
        ),
    )
}

const OUTPUT: &str = "<label kind=\"synchronisation\">o!</label>";

#[test]
fn initial_values_of_integers_count() {
    // The output needs i == 1. With i = 1 it is always possible, with i = 0 never: an engine that starts both at 0 sees
    // two games that do nothing, and calls each a refinement of the other.
    let starting = |i: u8| {
        let guarded = format!("<label kind=\"guard\">i == 1</label>{OUTPUT}");
        one_location(&format!("int[0,2] i = {i};"), "", &guarded)
    };
    assert_eq!(verdict(&starting(1), &starting(0), Semantics::STRICT), NonSubsumed);
    assert_eq!(verdict(&starting(0), &starting(1), Semantics::STRICT), Subsumed);
}

#[test]
fn urgent_and_committed_locations_stop_time() {
    let with = |mark: &str| one_location("", mark, OUTPUT);
    for mark in ["<urgent/>", "<committed/>"] {
        // The mutant may wait before its output, the specification may not.
        assert_eq!(
            verdict(&with(""), &with(mark), Semantics::STRICT),
            NonSubsumed,
            "{mark}"
        );
        assert_eq!(verdict(&with(mark), &with(""), Semantics::STRICT), Subsumed, "{mark}");
        // Without an output time must pass, and cannot.
        let input = "<label kind=\"synchronisation\">a?</label>";
        let stuck = one_location("", mark, input);
        assert_eq!(
            check_consistency(&stuck, &Budget::unlimited()),
            Ok(Consistency::Inconsistent),
            "{mark}"
        );
    }
}

#[test]
fn an_invariant_after_another_label_counts() {
    // The mutant may wait until 2, the specification until 1: not a refinement, unless the invariants are lost.
    let until = |bound: u8, before: &str| {
        let invariant = format!("{before}<label kind=\"invariant\">x &lt;= {bound}</label>");
        one_location(
            "clock x;",
            &invariant,
            &format!("{OUTPUT}<label kind=\"assignment\">x = 0</label>"),
        )
    };
    for before in [
        "",
        "<label kind=\"comments\">waits</label>",
        "<label kind=\"testcodeEnter\">enter();</label>",
    ] {
        let (mutant, spec) = (until(2, before), until(1, before));
        assert_eq!(verdict(&mutant, &spec, Semantics::STRICT), NonSubsumed, "{before}");
        assert_eq!(verdict(&spec, &mutant, Semantics::STRICT), Subsumed, "{before}");
        assert_eq!(
            mutant.locations()[mutant.initial()]
                .invariant
                .as_simple()
                .map(|simple| simple.constant),
            Some(2)
        );
    }
}

/// The four-clock automaton of Bouyer ("Untameable timed automata!", STACS 2003), from which every forward analysis that
/// extrapolates zones by their largest constants loses the answer.
///
/// Let `t` be the time of the first step. It resets x1 and x3, and x4 is never reset, so `x4 - x3 = t` ever after. At time 3
/// x2 is reset; then x1 at t + 2 (so t >= 1), x2 at 5, x1 at t + 4, …: x1 at t + 2 k, x2 at 3 + 2 k. The last step resets x1
/// at t + 2 k + 3, where x2 = t. So `x2 - x1 = t = x4 - x3`, and `x2 - x1 > 2 && x4 - x3 < 2` is impossible. A zone knows it only by
/// `x4 - x2 = x3 - x1 = 2 k + 3`, which outgrows every constant of the automaton.
fn bouyer(last: &str) -> String {
    format!(
        "clock x1 x2 x3 x4
        action bad!
        loc l0
        loc l1
        loc l2
        loc l3
        loc l4
        loc l5
        loc l6
        edge l0 -> l1 : a! when x3<=3 do x1:=0, x3:=0
        edge l1 -> l2 : b! when x2==3 do x2:=0
        edge l2 -> l3 : c! when x1==2 do x1:=0
        edge l3 -> l4 : d! when x2==2 do x2:=0
        edge l4 -> l3 : c! when x1==2 do x1:=0
        edge l4 -> l5 : e! when x1==3 do x1:=0
        {last}"
    )
}

const IMPOSSIBLE: &str = "x2-x1>2 && x4-x3<2";

#[test]
fn bouyers_four_clocks_do_not_reach_the_bad_location() {
    let automaton = game("Bouyer", &bouyer(&format!("edge l5 -> l6 : bad! when {IMPOSSIBLE}")));
    let analysis = analyse(&automaton, &Budget::unlimited())
        .expect("a meaning")
        .expect("no budget");
    let names: Vec<_> = analysis
        .unreachable
        .iter()
        .map(|id| automaton.locations()[*id].name.to_string())
        .collect();
    assert_eq!(names, ["l6"]);
    assert_eq!(analysis.dead_edges.iter().map(|id| id.index()).collect::<Vec<_>>(), [6]);
    // With one bound moved, t in (2, 3] takes the edge.
    let possible = game("Bouyer", &bouyer("edge l5 -> l6 : bad! when x2-x1>2 && x4-x3<=3"));
    let analysis = analyse(&possible, &Budget::unlimited())
        .expect("a meaning")
        .expect("no budget");
    assert_eq!(analysis.unreachable, []);
}

#[test]
fn bouyers_four_clocks_are_consistent_if_only_the_bad_location_is_not() {
    // All steps are inputs, so none of them may lead to where time stops.
    let inputs = |last: &str| bouyer(last).replace('!', "?").replace("loc l6", "loc l6 urgent");
    let with = |guard: &str| inputs(&format!("edge l5 -> l6 : bad! when {guard}"));
    for (guard, expected) in [(IMPOSSIBLE, true), ("x2-x1>2 && x4-x3<=3", false)] {
        let automaton = game("Bouyer", &with(guard));
        assert_eq!(consistency::is_consistent(&automaton), expected, "oracle: {guard}");
        let found = check_consistency(&automaton, &Budget::unlimited()).expect("a meaning");
        assert_eq!(found == Consistency::Consistent, expected, "{guard}");
    }
}

#[test]
fn bouyers_four_clocks_refine_the_automaton_without_the_bad_edge() {
    let spec = bouyer("");
    assert_eq!(
        strict(&bouyer(&format!("edge l5 -> l6 : bad! when {IMPOSSIBLE}")), &spec),
        Subsumed
    );
    assert_eq!(
        strict(&bouyer("edge l5 -> l6 : bad! when x2-x1>2 && x4-x3<=3"), &spec),
        NonSubsumed
    );
}

/// A difference must be known beyond the largest constant it is compared with, by as much as the largest reset.
///
/// y and x start l1 at 2 and 0; x is reset one unit later (y - x = 3), and again, to 2, one unit after that (y - x = 4 - 2 = 2). An
/// engine that keeps differences up to 2 only knows y - x > 2 in l2, so y > 3 on leaving it, and y - x > 1 in l3.
#[test]
fn a_difference_after_a_reset_to_a_constant_is_exact() {
    let with = |last: &str| {
        format!(
            "clock x y
            action bad!
            loc l0
            loc l1
            loc l2
            loc l3
            edge l0 -> l1 : a! do y:=2, x:=0
            edge l1 -> l2 : b! when x==1 do x:=0
            edge l2 -> l3 : c! when x==1 do x:=2
            {last}"
        )
    };
    let bad = |guard: &str| strict(&with(&format!("edge l3 -> l0 : bad! when {guard}")), &with(""));
    assert_eq!(bad("y-x>2"), Subsumed);
    assert_eq!(bad("y-x<2"), Subsumed);
    assert_eq!(bad("y-x>=2"), NonSubsumed);
    assert_eq!(bad("y-x<=2"), NonSubsumed);
}

#[test]
fn constants_above_2_to_the_29_are_exact() {
    for constant in [
        (1_i64 << 29) - 1,
        1 << 29,
        (1 << 30) - 1,
        1 << 30,
        (1 << 31) - 1,
        1 << 31,
        1 << 39,
    ] {
        let until = |bound: i64| format!("clock x\nloc l inv x<={bound}\nedge l -> l : o! do x:=0");
        assert_eq!(
            strict(&until(constant + 1), &until(constant)),
            NonSubsumed,
            "{constant}"
        );
        assert_eq!(strict(&until(constant), &until(constant + 1)), Subsumed, "{constant}");
        // y is reset when x >= constant, so x >= 2 constant when y >= constant: the second output is impossible.
        let sum = |last: &str| {
            format!(
                "clock x y\naction q!\nloc l\nloc m\nloc n\nedge l -> m : o! when x>={constant} do y:=0\n\
                 edge m -> n : p! when y>={constant}\n{last}"
            )
        };
        let twice = 2 * constant;
        let impossible = sum(&format!("edge m -> n : q! when y>={constant} && x<{twice}"));
        let possible = sum(&format!("edge m -> n : q! when y>={constant} && x<={twice}"));
        assert_eq!(strict(&impossible, &sum("")), Subsumed, "{constant}");
        assert_eq!(strict(&possible, &sum("")), NonSubsumed, "{constant}");
    }
}

#[test]
fn constants_beyond_the_limit_are_refused_by_name() {
    let spec = game("S", &format!("clock x\nloc l inv x<={}", i64::MAX));
    let refused = Specification::prepare(&spec, Semantics::STRICT, &Budget::unlimited());
    assert!(
        matches!(refused, Err(GameError::ConstantTooLarge { value: i64::MAX, .. })),
        "{refused:?}"
    );
}

#[test]
fn an_output_outside_the_alphabet_is_not_accepted() {
    // Definition 7: an output of the mutant that the specification cannot make breaks the refinement, wherever it leads.
    let spec = "loc l\nedge l -> l : o!";
    let mutant = "loc l\nedge l -> l : o!\nedge l -> l : dummy!";
    assert_eq!(strict(mutant, spec), NonSubsumed);
    let (mutant, spec) = (game("M", mutant), game("S", spec));
    assert_eq!(verdict(&mutant, &spec, Semantics::DEFINITION), NonSubsumed);
    // The engines that ignore it are a preset that has to be asked for.
    assert_eq!(verdict(&mutant, &spec, Semantics::TIGA), Subsumed);
    // An internal move is never outside the alphabet: the specification has to make it, too.
    let internal = game("M", "loc l\nedge l -> l : o!\nedge l -> l : tau");
    assert_eq!(verdict(&internal, &spec, Semantics::TIGA), NonSubsumed);
}

#[test]
fn a_nondeterministic_mutant_is_not_killed_for_being_nondeterministic() {
    let spec = "clock x\naction p!\naction q!\nloc l\nloc m inv x<=3\nedge l -> m : a? do x:=0\nedge m -> l : o! when x<2\nedge m -> l : o! when x>=2";
    let overlapping = spec.replace("o! when x<2", "o! when x<=2"); // both at x == 2, to the same effect
    assert_eq!(strict(&overlapping, spec), Subsumed);
    assert_eq!(strict(spec, &overlapping), Subsumed);
    // The input leads to m or to n; n answers, too, only earlier.
    let two_ways = format!(
        "{}\nedge l -> n : a? do x:=0\nedge n -> l : o!",
        spec.replace("loc m", "loc n inv x<=1\nloc m")
    );
    assert_eq!(strict(&two_ways, spec), Subsumed);
    // An output into two locations: each must do only what the specification does.
    let either = |second: &str| {
        format!(
            "action p!\naction q!\nloc l\nloc m\nloc n\nedge l -> m : o!\nedge l -> n : o!\nedge m -> l : p!\nedge n -> l : {second}"
        )
    };
    let one = "action q!\nloc l\nloc m\nedge l -> m : o!\nedge m -> l : p!";
    assert_eq!(strict(&either("p!"), one), Subsumed);
    assert_eq!(strict(&either("q!"), one), NonSubsumed);
    // The specification chooses as well as the mutant: it may answer o! with m or with n.
    assert_eq!(strict(one, &either("q!")), Subsumed);
    for (mutant, spec, expected) in [
        (either("p!"), one.to_owned(), true),
        (one.to_owned(), either("q!"), true),
    ] {
        let answer = refinement::decide(&game("M", &mutant), &game("S", &spec), refinement::STRICT);
        assert_eq!(answer == refinement::Answer::Subsumed, expected, "oracle");
    }
    // A mutant without consistent behaviour is neither.
    assert_eq!(
        strict("clock x\naction a?\nloc l inv x<1", "clock x\naction a?\nloc l"),
        Inconsistent
    );
}

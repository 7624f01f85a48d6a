//! Certificates made by hand: for each rule one that holds, and what is said when it does not. What is expected follows from the
//! definitions in `docs/notes/0026-certificates.md`.

use tamper_check::{Claim, Fault, check, check_one};

/// A certificate of one mutant.
fn certificate(rules: &str, specification: &str, mutant: &str) -> String {
    let (unmatched, pruned) = rules.split_once(' ').expect("two words");
    format!(
        "tamper certificate 1\nunmatched {unmatched}\npruned {pruned}\nspecification\n{specification}\nmutant m\n{mutant}\n"
    )
}

fn holds(rules: &str, specification: &str, mutant: &str) -> Claim {
    let text = certificate(rules, specification, mutant);
    check_one(&text, 10_000).unwrap_or_else(|fault| panic!("{fault}\n{text}"))
}

/// The reason for which the certificate does not hold.
fn refused(rules: &str, specification: &str, mutant: &str) -> String {
    let text = certificate(rules, specification, mutant);
    match check_one(&text, 10_000) {
        Err(Fault::DoesNotHold { because, .. }) => because,
        other => panic!("{other:?}\n{text}"),
    }
}

const BREWING: &str = "clocks x\noutputs tea\nnode 0 Brewing\nholds x<=7\ntea! 1\nnode 1 Done";
const RELATED: &str = "relation\n0 0 : x<=5 x-x'=0\n1 1 :";

/// A mutant that answers within some time.
fn within(limit: u32, shown: &str) -> String {
    format!("claim subsumed\nnode 0 Brewing\nholds x<={limit}\ntea! 1\n{shown}")
}

#[test]
fn a_relation_is_closed_under_outputs_and_delays() {
    let no = |mutant: &str| refused("reject no", BREWING, mutant);
    assert_eq!(holds("reject no", BREWING, &within(5, RELATED)), Claim::Subsumed);
    assert_eq!(
        no(&within(8, RELATED)),
        "the mutant can wait into states that are not related"
    );
    assert_eq!(
        no(&within(4, RELATED)),
        "the mutant does not exist in all of these states"
    );
    let alone = within(5, "relation\n0 0 : x<=5 x-x'=0");
    assert_eq!(no(&alone), "the output tea is not answered in all of these states");
    let late = within(5, "relation\n0 0 : x<=5 x>=1 x-x'=0\n1 1 :");
    assert_eq!(no(&late), "the initial states are not in the set that is to show it");
    let beyond = within(9, "relation\n0 0 : x<=9 x-x'=0\n1 1 :");
    assert_eq!(no(&beyond), "the specification does not exist in all of these states");
    // A strict bound differs from a weak one: x<7 refines x<=7, not the other way round.
    let open = within(7, "relation\n0 0 : x<7 x-x'=0\n1 1 :");
    assert_eq!(no(&open), "the mutant can wait into states that are not related");
    // The clocks of the two games are different ones.
    let apart = within(5, "relation\n0 0 : x<=5 x-x'<=0 x'-x<=2\n1 1 :");
    assert_eq!(holds("reject no", BREWING, &apart), Claim::Subsumed);
    let far = within(5, "relation\n0 0 : x<=5 x-x'<=0 x'-x<=3\n1 1 :");
    assert_eq!(no(&far), "the specification does not exist in all of these states");
}

#[test]
fn guards_and_resets_of_both_sides_count() {
    let specification = "clocks x\noutputs a\nnode 0 A\nholds x<=9\na! 1 if x>=2 do x=0\nnode 1 B\nholds x<=9";
    let mutant = |guard: u32, reset: u32, after: &str| {
        format!(
            "claim subsumed\nnode 0 A\nholds x<=9\na! 1 if x>={guard} do x={reset}\nrelation\n0 0 : x-x'=0 x<=9\n1 1 : {after}"
        )
    };
    let same = mutant(3, 0, "x-x'=0 x<=9");
    assert_eq!(holds("reject no", specification, &same), Claim::Subsumed);
    let early = mutant(1, 0, "x-x'=0 x<=9");
    assert_eq!(
        refused("reject no", specification, &early),
        "the output a is not answered in all of these states"
    );
    // After x := 4 the mutant has five units left and the specification nine.
    let later = mutant(2, 4, "x-x'=4 x<=9");
    assert_eq!(holds("reject no", specification, &later), Claim::Subsumed);
    let wrong = mutant(2, 4, "x-x'=3 x<=9");
    assert_eq!(
        refused("reject no", specification, &wrong),
        "the output a is not answered in all of these states"
    );
}

#[test]
fn each_side_has_its_own_clocks() {
    // After `go` the clock of the specification is ahead by one.
    let specification = |guard: u32| {
        format!("clocks x\noutputs go tea\nnode 0 A\nurgent\ngo! 1 do x=1\nnode 1 B\ntea! 2 if x>={guard}\nnode 2 C")
    };
    let mutant = "claim subsumed\nnode 0 A\nurgent\ngo! 1 do x=0\nnode 1 B\ntea! 2 if x>=2\nrelation\n0 0 : x=0 x'=0\n1 1 : x'-x=1\n2 2 :";
    assert_eq!(holds("reject no", &specification(3), mutant), Claim::Subsumed);
    let no = |guard: u32| refused("reject no", &specification(guard), mutant);
    assert_eq!(no(4), "the output tea is not answered in all of these states");
    // The same for an input, with which the mutant sets another clock than the specification.
    let specification = "clocks x\ninputs i\nnode 0 A\ni? 0 if x>=2 do x=0";
    let mutant = |guard: u32, reset: u32| {
        format!(
            "claim subsumed\nanew\nclocks y z\ninputs i\nnode 0 A\ni? 0 if z>={guard} do z={reset}\nrelation\n0 0 : z-x'=0"
        )
    };
    assert_eq!(holds("reject no", specification, &mutant(1, 0)), Claim::Subsumed);
    let no = |guard: u32, reset: u32| refused("reject no", specification, &mutant(guard, reset));
    assert_eq!(no(3, 0), "the input i is not answered in all of these states");
    assert_eq!(no(1, 1), "the input i is not answered in all of these states");
}

#[test]
fn answers_are_those_of_the_other_node_and_under_its_clocks() {
    let specification = "inputs i\noutputs a b\nnode 0 A\na! 2\nnode 1 Aside\nnode 2 B\nb! 2\ni? 0";
    let mutant = |answers: &str| {
        format!(
            "claim subsumed\nanew\ninputs i\noutputs a b\nnode 0 A\na! 1\nnode 1 B\n{answers}\nrelation\n0 0 :\n1 2 :"
        )
    };
    assert_eq!(
        holds("reject no", specification, &mutant("b! 1\ni? 0")),
        Claim::Subsumed
    );
    let no = |answers: &str| refused("reject no", specification, &mutant(answers));
    assert_eq!(no("b! 1"), "the input i is not answered in all of these states");
    assert_eq!(no("a! 1\ni? 0"), "the output a is not answered in all of these states");
    // In node 1 the clock of the specification is up to one unit ahead, so that it is at most 3 while the mutant's is at most 2.
    let specification =
        |most: u32| format!("clocks x\noutputs go a\nnode 0 A\ngo! 1\nnode 1 B\na! 2 if x<={most}\nnode 2 C");
    let mutant = "claim subsumed\nanew\nclocks y\noutputs go a\nnode 0 A\nholds y<=1\ngo! 1 do y=0\nnode 1 B\nholds y<=2\na! 2\n\
                  node 2 C\nrelation\n0 0 : y-x'=0 y<=1\n1 1 : y<=2 x'-y>=0 x'-y<=1\n2 2 :";
    assert_eq!(holds("reject no", &specification(3), mutant), Claim::Subsumed);
    assert_eq!(
        refused("reject no", &specification(2), mutant),
        "the output a is not answered in all of these states"
    );
}

#[test]
fn what_lies_behind_an_inconsistent_state_is_not_reached() {
    // From x >= 2 to x <= 3 an input leads to a dead end, so that the output after it comes too late.
    let game =
        "clocks x\ninputs i\noutputs a\nnode 0 Idle\ni? 1 if x>=2 x<=3\na! 2 if x>=4\nnode 1 Dead\nurgent\nnode 2 Fine";
    let lost = "inconsistent\n1 stuck :\n0 input : x>=2 x<=3\n0 stuck : x<2";
    assert_eq!(
        holds("reject yes", NOTHING, &alone(&format!("{game}\n{lost}"))),
        Claim::Inconsistent
    );
    // Beside it, a mutant that would wait into states that are not related is stopped by its inconsistent ones: at 2 it has to answer.
    let specification = "clocks x\ninputs i\noutputs a\nnode 0 Idle\nholds x<=5\na! 1\nnode 1 Fine\nconsistent\n0 output : x<=5\n1 forever :";
    let mutant = "claim subsumed\nnode 0 Idle\nholds x<=9\na! 1\ni? 2 if x>=2 x<=3\nnode 2 Dead\nurgent\n\
                  consistent\n0 output : x<2\ninconsistent\n2 stuck :\n0 input : x>=2 x<=3\nrelation\n0 0 : x-x'=0 x<2\n1 1 :";
    assert_eq!(holds("reject yes", specification, mutant), Claim::Subsumed);
    let alive = mutant.replace("\n0 input : x>=2 x<=3", "");
    assert_eq!(
        refused("reject yes", specification, &alive),
        "the mutant can wait into states that are not related"
    );
}

#[test]
fn inputs_of_the_specification_are_answered_but_inside_atomic_steps() {
    let specification = "inputs coin\nnode 0 Idle\ncoin? 0";
    let mutant = |line: &str| format!("claim subsumed\nnode 0 Idle\n{line}\nrelation\n0 0 :");
    assert_eq!(holds("reject no", specification, &mutant("coin? 0")), Claim::Subsumed);
    assert_eq!(
        refused("reject no", specification, &mutant("")),
        "the input coin is not answered in all of these states"
    );
    assert_eq!(holds("reject no", specification, &mutant("atomic")), Claim::Subsumed);
    // Inputs of the mutant that the specification does not have matter to nobody.
    let more = "claim subsumed\ninputs more\nnode 0 Idle\ncoin? 0\nmore? 0\nrelation\n0 0 :";
    assert_eq!(holds("reject no", specification, more), Claim::Subsumed);
}

#[test]
fn urgent_nodes_do_not_wait() {
    let specification = "node 0 Now\nurgent";
    let mutant = |line: &str| format!("claim subsumed\nnode 0 Now\n{line}\nrelation\n0 0 :");
    assert_eq!(holds("reject no", specification, &mutant("urgent")), Claim::Subsumed);
    assert_eq!(
        refused("reject no", specification, &mutant("")),
        "the mutant can wait into states that are not related"
    );
    // A closed invariant at its end lets no time pass either.
    let specification = "clocks x\nnode 0 Now\nurgent";
    let mutant = |bound: &str| format!("claim subsumed\nnode 0 Now\nholds {bound}\nrelation\n0 0 : x=0 x'=0");
    assert_eq!(holds("reject no", specification, &mutant("x<=0")), Claim::Subsumed);
    assert_eq!(
        refused("reject no", specification, &mutant("x<1")),
        "the mutant can wait into states that are not related"
    );
}

#[test]
fn unknown_actions_are_ignored_only_if_no_direction_is_known() {
    let mutant = "claim subsumed\noutputs dummy\nnode 0 Idle\ndummy! 0\nrelation\n0 0 :";
    let (new, turned) = ("outputs a\nnode 0 Idle", "inputs dummy\nnode 0 Idle");
    assert_eq!(holds("ignore no", new, mutant), Claim::Subsumed);
    assert_eq!(
        refused("reject no", new, mutant),
        "the output dummy is not answered in all of these states"
    );
    assert_eq!(
        refused("ignore no", turned, mutant),
        "the output dummy is not answered in all of these states"
    );
    let internal = "claim subsumed\ninternal tau\nnode 0 Idle\ntau. 0\nrelation\n0 0 :";
    assert_eq!(
        refused("ignore no", new, internal),
        "the output tau is not answered in all of these states"
    );
    // An input that the mutant does not know: it stays.
    let specification = "inputs coin\nnode 0 Idle\ncoin? 1\nnode 1 Paid";
    let anew = "claim subsumed\nanew\nnode 0 Idle\nrelation\n0 0 :\n0 1 :";
    assert_eq!(holds("ignore no", specification, anew), Claim::Subsumed);
    assert_eq!(
        refused("reject no", specification, anew),
        "the input coin is not answered in all of these states"
    );
}

#[test]
fn a_refutation_leads_to_what_the_specification_cannot_do() {
    let later = |zone: &str| {
        format!("claim non-subsumed\nnode 0 Brewing\nholds x<=8\ntea! 1\nrefutation\n0 0 delay : x=0 x'=0 => {zone}")
    };
    assert_eq!(
        holds("reject no", BREWING, &later("x-x'=0 x>7 x<=8")),
        Claim::NonSubsumed
    );
    let no = |mutant: &str| refused("reject no", BREWING, mutant);
    assert_eq!(
        no(&later("x-x'=0 x>6 x<=8")),
        "the specification can follow, and no earlier line has these states"
    );
    // On the way to these states, all between are passed, and the mutant does not exist in some.
    assert_eq!(no(&later("x-x'=0 x>7")), "the mutant cannot wait until these states");
}

#[test]
fn answers_lead_to_earlier_lines() {
    // After the coin the specification makes tea, the mutant coffee, which the specification does not know.
    let specification = "inputs coin\noutputs tea\nnode 0 Idle\ncoin? 1\nnode 1 Paid\ntea! 0";
    let game = "claim non-subsumed\noutputs coffee\nnode 1 Paid\ncoffee! 0\nrefutation";
    let (coffee, coin) = ("1 1 output 0 :", "0 0 input 0 :");
    let no = |lines: &str| refused("reject no", specification, &format!("{game}\n{lines}"));
    let whole = format!("{game}\n{coffee}\n{coin}");
    assert_eq!(holds("reject no", specification, &whole), Claim::NonSubsumed);
    assert_eq!(
        no(&format!("{coin}\n{coffee}")),
        "an answer leads to states that no earlier line has"
    );
    assert_eq!(no(coffee), "the initial states are not in the set that is to show it");
    assert_eq!(no("0 0 output 0 :"), "this move is no challenge here");
    assert_eq!(no("1 1 input 0 :"), "this move is no challenge here");
    assert_eq!(no("1 1 output 1 :"), "there is no move 1");
    // With ignored actions the specification answers coffee by staying where it is.
    assert_eq!(
        refused("ignore no", specification, &whole),
        "an answer leads to states that no earlier line has"
    );
    // An atomic node compares no inputs.
    let atomic = whole.replace("node 1 Paid", "node 0 Idle\natomic\ncoin? 1\nnode 1 Paid");
    assert_eq!(
        refused("reject no", specification, &atomic),
        "this move is no challenge here"
    );
}

#[test]
fn challenges_have_to_be_possible() {
    let specification = "clocks x\noutputs a\nnode 0 A";
    let game = "claim non-subsumed\nnode 0 A\na! 0 if x>=2\nrefutation";
    let waits = format!("{game}\n0 0 output 0 : x>=2\n0 0 delay : x=0 x'=0 => x>=2");
    assert_eq!(holds("reject no", specification, &waits), Claim::NonSubsumed);
    let early = format!("{game}\n0 0 output 0 : x>=1\n0 0 delay : x=0 x'=0 => x>=2");
    let no = |mutant: &str| refused("reject no", specification, mutant);
    assert_eq!(no(&early), "the challenge is not possible in all of these states");
    let bounded = waits.replace("node 0 A", "node 0 A\nholds x<=1");
    assert_eq!(no(&bounded), "the challenge is not possible in all of these states");
    let urgent = waits.replace("node 0 A", "node 0 A\nurgent");
    assert_eq!(no(&urgent), "the mutant cannot wait until these states");
    // Where the specification cannot wait at all, waiting is enough; but some time has to pass.
    let now = "clocks x\nnode 0 A\nurgent";
    let outwaits = |zone: &str| format!("claim non-subsumed\nnode 0 A\nrefutation\n0 0 delay : x=0 x'=0 => {zone}");
    assert_eq!(holds("reject no", now, &outwaits("x-x'=0")), Claim::NonSubsumed);
    assert_eq!(
        refused("reject no", now, &outwaits("x=0 x'=0")),
        "no time has to pass until these states"
    );
}

/// The mutant only, beside a specification of one node.
fn alone(lines: &str) -> String {
    format!("claim inconsistent\nanew\n{lines}")
}

const NOTHING: &str = "node 0 Idle\nconsistent\n0 forever :";

#[test]
fn time_that_ends_without_an_output_is_inconsistent() {
    let dead = "clocks x\noutputs a\nnode 0 Dead\nholds x<=3";
    let lines = "\nnode 1 Fine\ninconsistent\n0 stuck : x<=3";
    let no = |mutant: &str| refused("reject yes", NOTHING, &alone(mutant));
    assert_eq!(
        holds("reject yes", NOTHING, &alone(&format!("{dead}{lines}"))),
        Claim::Inconsistent
    );
    let alive = format!("{dead}\na! 1 if x>=2{lines}");
    assert_eq!(
        no(&alive),
        "the output a may lead to a consistent state before time ends"
    );
    // Past the guard there is no output left.
    let late = format!("{dead}\na! 1 if x<=1\nnode 1 Fine\ninconsistent\n0 stuck : x>1 x<=3");
    assert_eq!(no(&late), "the initial state is not among the inconsistent ones");
    let forever = "node 0 Idle\ninconsistent\n0 stuck :";
    assert_eq!(no(forever), "time passes for ever from some of these states");
    assert_eq!(
        holds(
            "reject yes",
            NOTHING,
            &alone("node 0 Idle\nurgent\ninconsistent\n0 stuck :")
        ),
        Claim::Inconsistent
    );
    assert_eq!(
        holds("reject no", NOTHING, &alone("node 0 Idle\nnever")),
        Claim::Inconsistent
    );
    assert_eq!(
        holds("reject no", NOTHING, &alone("clocks x\nnode 0 Idle\nholds x>=1")),
        Claim::Inconsistent
    );
    // Without pruning a dead end is a state like others.
    assert_eq!(
        refused("reject no", NOTHING, &alone(&format!("{dead}{lines}"))),
        "the initial state is not among the inconsistent ones"
    );
}

#[test]
fn inputs_and_time_lead_to_earlier_inconsistent_states() {
    let game = "clocks x\ninputs i\noutputs a\nnode 0 Idle\ni? 1 if x>=2";
    let dead = "\nnode 1 Dead\nurgent\ninconsistent\n1 stuck :";
    let no = |mutant: &str| refused("reject yes", NOTHING, &alone(mutant));
    let whole = format!("{game}{dead}\n0 input : x>=2\n0 stuck : x<2");
    assert_eq!(holds("reject yes", NOTHING, &alone(&whole)), Claim::Inconsistent);
    let wide = format!("{game}{dead}\n0 input : x>=1");
    assert_eq!(
        no(&wide),
        "not every one of these states has an input that leads to an inconsistent one"
    );
    let swapped = format!("{game}\nnode 1 Dead\nurgent\ninconsistent\n0 input : x>=2\n1 stuck :");
    assert_eq!(
        no(&swapped),
        "not every one of these states has an input that leads to an inconsistent one"
    );
    let overlapping = format!("{game}{dead}\n0 input : x>=2\n0 stuck : x<=2");
    assert_eq!(no(&overlapping), "some of these states are known to be inconsistent");
    // An output before the input's time saves the states before it, one after it does not.
    let saved = |guard: &str| {
        whole
            .replace("i? 1", &format!("a! 2 if {guard}\ni? 1"))
            .replace("\ninconsistent", "\nnode 2 Fine\ninconsistent")
    };
    assert_eq!(
        no(&saved("x<=1")),
        "the output a may lead to a consistent state before time ends"
    );
    assert_eq!(
        holds("reject yes", NOTHING, &alone(&saved("x>=3"))),
        Claim::Inconsistent
    );
    assert_eq!(
        holds("reject yes", NOTHING, &alone(&saved("x>=2"))),
        Claim::Inconsistent
    );
    // A target that does not exist is none.
    let gone = whole.replace("1 Dead", "1 Dead\nholds x<=1");
    assert_eq!(
        no(&gone),
        "not every one of these states has an input that leads to an inconsistent one"
    );
}

#[test]
fn consistent_states_go_on_as_they_say() {
    let game = "clocks x\ninputs i\noutputs a\nnode 0 A\nholds x<=3\na! 1 if x>=2\nnode 1 B\n";
    let (end, subsumed) = ("1 forever :", "claim subsumed\nrelation\n0 0 : x-x'=0 x<=3\n1 1 :");
    let stated = |lines: &str| format!("{game}consistent\n{lines}\n{end}");
    let whole = stated("0 output : x>=2 x<=3\n0 delay : x<=3 => x>=2 x<=3");
    assert_eq!(holds("reject yes", &whole, subsumed), Claim::Subsumed);
    let no = |lines: &str| {
        let text = certificate("reject yes", &stated(lines), subsumed);
        check_one(&text, 10_000).unwrap_err().to_string()
    };
    let how = "it does not go on in the way that is stated";
    assert_eq!(no("0 forever : x<=3"), format!("does not hold: line 13, because {how}"));
    assert_eq!(no("0 output : x<=3"), format!("does not hold: line 13, because {how}"));
    assert_eq!(
        no("0 delay : x<=3 => x>=2 x<=3"),
        format!("does not hold: line 13, because {how}")
    );
    assert_eq!(
        no("0 output : x>=2 x<=3\n0 delay : x<=3 => x>=1 x<=3"),
        format!("does not hold: line 14, because {how}")
    );
    assert_eq!(
        no("0 output : x>=2"),
        "does not hold: line 13, because the invariant does not hold in all of these states"
    );
    // The way to the output must be stated as well.
    assert_eq!(
        no("0 output : x>=2 x<=3\n0 delay : x<1 => x>=2 x<=3"),
        format!("does not hold: line 14, because {how}")
    );
    let urgent = whole.replace("node 0 A", "node 0 A\nurgent");
    assert_eq!(refused("reject yes", &urgent, subsumed), how);
    // An input that leads to a state of which nothing is said.
    let input = whole
        .replace("a! 1", "i? 2\na! 1")
        .replace("consistent", "node 2 C\nconsistent");
    assert_eq!(
        refused("reject yes", &input, subsumed),
        "the input i leads out of the consistent states"
    );
    let nothing = "claim subsumed\nconsistent\n0 nothing\nrelation\n0 0 : x-x'=0 x<=3\n1 1 :";
    assert_eq!(
        refused("reject yes", &whole, nothing),
        "the initial state of the mutant is not among the consistent ones"
    );
}

#[test]
fn what_a_mutant_takes_over_is_shown_of_it_as_well() {
    let no = |specification: &str, mutant: &str| {
        let same = "claim subsumed\nrelation\n0 0 : x-x'=0\n1 1 : x-x'=0 x<=5";
        assert_eq!(holds("reject yes", specification, same), Claim::Subsumed);
        refused(
            "reject yes",
            specification,
            &format!("claim subsumed\n{mutant}\nrelation"),
        )
    };
    // Work has states from which no output leads on any more; the input of Start, which is not changed, leads there.
    let specification = "clocks x\ninputs i\noutputs a\nnode 0 Start\ni? 1\nnode 1 Work\nholds x<=5\na! 0\nnode 2 Aside\nurgent\n\
                         consistent\n0 forever :\n1 output : x<=5\n2 output :";
    let longer = "node 1 Work\nholds x<=9\na! 0 if x<=5\nconsistent\n1 output : x<=5";
    assert_eq!(
        no(specification, longer),
        "the input i leads out of the consistent states"
    );
    // Aside is reached by the mutant only, and its line is wrong.
    assert_eq!(
        no(specification, "node 0 Start\ni? 2"),
        "it does not go on in the way that is stated"
    );
    let specification = "clocks x\ninputs i\noutputs a\nnode 0 Start\ni? 2 if x>=2\na! 1\nnode 1 Fine\nnode 2 Dead\nurgent\n\
                         consistent\n0 output : x<2\n1 forever :\ninconsistent\n2 stuck :\n0 input : x>=2";
    let no = |mutant: &str| {
        let same = "claim subsumed\nrelation\n0 0 : x-x'=0 x<2\n1 1 :";
        assert_eq!(holds("reject yes", specification, same), Claim::Subsumed);
        refused(
            "reject yes",
            specification,
            &format!("claim subsumed\n{mutant}\nrelation"),
        )
    };
    assert_eq!(
        no("node 2 Dead\nconsistent\n2 forever :"),
        "time passes for ever from some of these states"
    );
    assert_eq!(
        no("inconsistent\n2 stuck :\n0 input : x>=1"),
        "not every one of these states has an input that leads to an inconsistent one"
    );
    // Nodes are replaced in any order.
    assert_eq!(
        no("node 2 Dead\nnode 1 Fine\nconsistent\n2 forever :"),
        "time passes for ever from some of these states"
    );
    // Dead is there by another way, so that no earlier line says of it what Start needs.
    assert_eq!(
        no("inconsistent\n0 input : x>=2\n2 stuck :"),
        "not every one of these states has an input that leads to an inconsistent one"
    );
}

#[test]
fn inconsistent_states_of_either_side_are_left_out() {
    // Both have a way into a dead end: the mutant's is not posed, the specification's is no answer.
    let specification =
        "outputs a b\nnode 0 A\na! 1\nnode 1 Dead\nurgent\nconsistent\n0 forever :\ninconsistent\n1 stuck :";
    let subsumed = "claim subsumed\nnode 0 A\nb! 1\nrelation\n0 0 :";
    assert_eq!(holds("reject yes", specification, subsumed), Claim::Subsumed);
    let related = "claim subsumed\nnode 0 A\nb! 1\nrelation\n0 0 :\n1 0 :";
    assert_eq!(
        refused("reject yes", specification, related),
        "some of these states of the mutant are inconsistent"
    );
    let different =
        "claim non-subsumed\nnode 0 A\na! 2\nnode 2 Fine\nconsistent\n2 forever :\nrefutation\n0 0 output 0 :";
    assert_eq!(holds("reject yes", specification, different), Claim::NonSubsumed);
    let unknown = different.replace("consistent\n2 forever :\n", "");
    assert_eq!(
        refused("reject yes", specification, &unknown),
        "the challenge is not possible in all of these states"
    );
}

#[test]
fn a_line_that_is_none_is_named() {
    let whole = certificate("reject no", BREWING, &within(5, RELATED));
    let said = |from: &str, to: &str| {
        assert!(whole.contains(from), "{from}");
        check_one(&whole.replacen(from, to, 1), 10_000).unwrap_err().to_string()
    };
    for (from, to, expected) in [
        (
            "certificate 1",
            "certificate 2",
            "line 1: a certificate begins with `tamper certificate 1`",
        ),
        ("reject", "maybe", "line 2: `maybe` is neither `reject` nor `ignore`"),
        ("specification", "spec", "line 4: expected `specification`"),
        ("claim subsumed", "claim good", "line 12: `good` is no claim"),
        (
            "tea! 1",
            "tea! 7",
            "line 4: a move leads to a node that this game does not have, or it has none",
        ),
        ("tea! 1", "coffee! 1", "line 9: `coffee!` is not in the alphabet"),
        ("tea! 1", "tea 1", "line 9: `tea` is neither a keyword nor an action"),
        ("tea! 1", "tea! one", "line 9: `one` is no number"),
        ("tea! 1", "tea! 1 x>=1", "line 9: `x>=1`: expected `if` or `do`"),
        (
            "tea! 1",
            "tea! 1 do x=-1",
            "line 9: `x=-1`: a clock is set once, and not below 0",
        ),
        (
            "tea! 1",
            "tea! 1 do x=1 x=1",
            "line 9: `x=1`: a clock is set once, and not below 0",
        ),
        ("tea! 1", "tea! 1 do x", "line 9: `x` sets no clock"),
        ("x<=7", "y<=7", "line 8: `y` is no clock"),
        ("x<=7", "x<<7", "line 8: `x<<7` is no bound"),
        ("x<=7", "x", "line 8: `x` is no bound"),
        ("x<=7", "x<=9999999999999", "line 8: `9999999999999` is too large"),
        ("node 1", "node 3", "line 10: a node before this one is missing"),
        ("0 0 :", "0 0", "line 17: a colon is missing"),
        ("0 0 :", "0 :", "line 17: `0` is not what this part has before a colon"),
        ("0 0 :", "0 2 :", "line 17: there is no node 2"),
        ("unmatched", "matched", "line 2: expected `unmatched` and one word"),
        (
            "claim subsumed\n",
            "claim subsumed\nclocks y\n",
            "line 13: these nodes have their clocks already",
        ),
        (
            "x<=5 x-x'=0",
            "x<=5 x>5",
            "line 17: no valuation satisfies these bounds",
        ),
        (
            "relation",
            "relatives",
            "line 16: `relatives` is neither a keyword nor an action",
        ),
        ("1 1 :", "1 1 :\nend", "line 19: a colon is missing"),
        (
            "mutant m\nclaim",
            "claim",
            "line 11: `claim` is neither a keyword nor an action",
        ),
    ] {
        assert_eq!(said(from, to), format!("no certificate: {expected}"), "{from} -> {to}");
    }
    let largest = whole.replace("x<=7", "x<=1099511627776");
    assert_eq!(check_one(&largest, 10_000), Ok(Claim::Subsumed));
    let clocks = |n: usize| whole.replace("clocks x", &format!("clocks x{}", " y".repeat(n - 1)));
    assert_eq!(check_one(&clocks(64), 10_000_000), Ok(Claim::Subsumed));
    assert_eq!(
        check_one(&clocks(65), 10_000_000).unwrap_err().to_string(),
        "no certificate: line 4: more than 64 clocks"
    );
    let pruned = certificate(
        "reject yes",
        "node 0 A\nconsistent\n0 forever",
        "claim subsumed\nrelation\n0 0 :",
    );
    assert_eq!(
        check_one(&pruned, 100).unwrap_err().to_string(),
        "no certificate: line 7: a colon is missing"
    );
    assert_eq!(
        check_one("", 1).unwrap_err().to_string(),
        "no certificate: line 1: the text ends where `tamper certificate 1` is expected"
    );
}

#[test]
fn several_mutants_are_told_one_by_one_and_limits_end() {
    let one = certificate("reject no", BREWING, &within(5, RELATED));
    let two = format!("{one}# a wrong one\nmutant n\n{}\n", within(8, RELATED));
    let mut told = Vec::new();
    check(&two, 10_000, &mut |name, result| told.push((name.to_owned(), result))).unwrap();
    let because = "the mutant can wait into states that are not related".to_owned();
    let wrong = Err(Fault::DoesNotHold { line: 26, because });
    assert_eq!(told, [("m".to_owned(), Ok(Claim::Subsumed)), ("n".to_owned(), wrong)]);
    assert!(matches!(check_one(&two, 10_000), Err(Fault::Malformed { .. })));
    assert_eq!(
        check_one(&one, 3).unwrap_err().to_string(),
        "unknown: the limit of steps was hit"
    );
}

/// Unions whose difference has very many zones: the limit ends it.
#[test]
fn a_hostile_certificate_ends_at_the_limit() {
    let clocks: Vec<String> = (0..8).map(|clock| format!("c{clock}")).collect();
    let mut specification = format!("clocks {}\nnode 0 A\nconsistent\n0 forever :", clocks.join(" "));
    for at in 0..400 {
        let (first, second) = (&clocks[at % 8], &clocks[(at / 8) % 8]);
        let line = format!("\n0 delay : {first}-{second}<={} => {first}>{at}", at % 7);
        if first != second {
            specification.push_str(&line);
        }
    }
    let text = certificate("reject yes", &specification, "claim subsumed\nrelation\n0 0 :");
    let result = check_one(&text, 200_000);
    assert!(result.is_err(), "{result:?}");
}

#[test]
fn the_command_counts_and_its_code_is_the_worst() {
    let folder = std::env::temp_dir().join(format!("tamper-check-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = |name: &str, text: &str| {
        let path = folder.join(name);
        std::fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let run = |arguments: &[&str]| {
        let output = std::process::Command::new(env!("CARGO_BIN_EXE_tamper-check"))
            .args(arguments)
            .output()
            .unwrap();
        let said = String::from_utf8(output.stdout)
            .unwrap()
            .replace(folder.to_str().unwrap(), "F");
        (output.status.code(), said)
    };
    let right = certificate("reject no", BREWING, &within(5, RELATED));
    let wrong = format!("{right}mutant n\n{}\n", within(8, RELATED));
    let (right, wrong, no) = (path("right", &right), path("wrong", &wrong), path("no", "nothing\n"));
    assert_eq!(run(&[&right]), (Some(0), "F/right: 1 certificate holds\n".to_owned()));
    let shown = "F/right: m: holds: subsumed\nF/right: 1 certificate holds\n";
    assert_eq!(run(&["--all", &right]), (Some(0), shown.to_owned()));
    let (code, said) = run(&[&wrong, &right]);
    let because = "does not hold: line 25, because the mutant can wait into states that are not related";
    let expected = format!("F/wrong: n: {because}\nF/wrong: 1 certificate holds\nF/right: 1 certificate holds\n");
    assert_eq!((code, said), (Some(1), expected));
    let two = path(
        "two",
        &format!(
            "{}mutant o\n{}\n",
            std::fs::read_to_string(&right).unwrap(),
            within(4, "relation\n0 0 : x<=4 x-x'=0\n1 1 :")
        ),
    );
    assert_eq!(run(&[&two]), (Some(0), "F/two: 2 certificates hold\n".to_owned()));
    assert_eq!(run(&[&right, &no]).0, Some(2));
    assert_eq!(run(&["--steps", "3", &right]).0, Some(3));
    for usage in [
        &["--steps"][..],
        &["--steps", "x"],
        &["--none", &right],
        &[],
        &["missing file"],
    ] {
        assert_eq!(run(usage), (Some(2), String::new()), "{usage:?}");
    }
    let (code, help) = run(&["--help"]);
    assert!(code == Some(0) && help.contains("Usage: tamper-check"), "{help}");
    std::fs::remove_dir_all(&folder).unwrap();
}

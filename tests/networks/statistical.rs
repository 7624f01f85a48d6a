//! What says how likely or how dear something is, branchpoints and meta variables, in networks written by hand.

use tamper::formats::{read_network, read_xta_network};
use tamper::model::Automaton;
use tamper::network::{Composed, Mending, Observed, View, compose, mending};
use tamper::text::{Budget, Severity};

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// A file with one template `P` from `A` to `B` on `label` and `update`, and `Q` that receives with `answer`.
fn file(globals: &str, update: &str, answer: &str) -> String {
    format!(
        "<nta><declaration>chan c; {}</declaration><template><name>P</name><location id='a'><name>A</name></location>\
         <location id='b'><name>B</name></location><init ref='a'/><transition><source ref='a'/><target ref='b'/>\
         <label kind='synchronisation'>c!</label><label kind='assignment'>{}</label></transition></template>\
         <template><name>Q</name><location id='q'><name>C</name></location><init ref='q'/><transition><source ref='q'/>\
         <target ref='q'/><label kind='synchronisation'>c?</label><label kind='assignment'>{}</label></transition></template>\
         <system>system P, Q;</system></nta>",
        escape(globals),
        escape(update),
        escape(answer)
    )
}

/// The composition, its states in words, and the warnings.
fn composed(text: &str) -> Result<(Composed, Vec<String>, Vec<String>), String> {
    let (file, warnings) = read_network("m.xml", text.as_bytes()).map_err(|error| {
        let errors = error
            .diagnostics
            .iter()
            .filter(|found| found.severity == Severity::Error);
        errors.map(|found| found.message.clone()).collect::<Vec<_>>().join("; ")
    })?;
    let composed = compose(
        &file.network,
        &View::closed("System", &file.network),
        &Budget::unlimited(),
    );
    let warnings = warnings.into_iter().map(|warning| warning.message).collect();
    composed
        .map(|composed| {
            let states = super::composition::states_in_words(&composed, &file.network);
            (composed, states, warnings)
        })
        .map_err(|error| error.to_string())
}

fn states(text: &str) -> Vec<String> {
    composed(text).unwrap_or_else(|error| panic!("{error}\n{text}")).1
}

/// The receiver's update runs after the sender's in the same step, so it may read what the sender left in a meta variable.
/// Behind the step nothing of it is there: both states differ in `i` alone.
#[test]
fn a_meta_variable_hands_a_value_over_within_a_step() {
    let text = file("int i; meta int m = 3;", "m = 7", "i = m + 1");
    assert_eq!(states(&text), ["P.A Q.C i=0", "P.B Q.C i=8"]);
    // A swap, as UPPAAL's manual has it.
    let text = file("int i = 1, j = 2; meta int s;", "s = i, i = j, j = s", "");
    assert_eq!(states(&text), ["P.A Q.C i=1 j=2", "P.B Q.C i=2 j=1"]);
    // In a function, by reference, and a whole array.
    let globals = "int i; int a[2] = { 4, 5 }; meta int t[2]; void f(int &v) { v = a[1]; } ";
    let text = file(globals, "f(t[0]), t[1] = t[0], a = t", "i = a[0]");
    assert_eq!(
        states(&text),
        ["P.A Q.C i=0 a[0]=4 a[1]=5", "P.B Q.C i=5 a[0]=5 a[1]=5"]
    );
}

/// What a later step reads before it writes it is no part of the state, so it has no value.
#[test]
fn a_meta_variable_that_is_read_before_it_is_written_is_refused_by_name() {
    let reads = [
        ("i = m", ""),
        ("m += 1", ""),
        ("m++", ""),
        ("", "i = m"),
        ("f()", ""),
        ("i = t == a", ""),
        ("a = t", ""),
        ("t[0] = 1, a = t", ""),
    ];
    let globals = "int i; meta int m = 3; int a[2]; meta int t[2]; void f() { i = m; }";
    for (update, answer) in reads {
        let error = composed(&file(globals, update, answer))
            .map(|(_, states, _)| states)
            .unwrap_err();
        assert!(
            error.contains("is read before this step writes it"),
            "{update}: {error}"
        );
    }
    let outside = file(globals, "m = 9999", "").replace("meta int m", "meta int[0,9] m");
    assert!(
        composed(&outside).unwrap_err().contains("not in the range"),
        "its range holds all the same"
    );
}

/// A branchpoint with three branches is three edges, each with the first update before its own; a weight of 0 excludes nothing.
#[test]
fn a_branchpoint_is_one_edge_per_branch() {
    let branches = "<branchpoint id='p'/><init ref='a'/><transition><source ref='a'/><target ref='p'/>\
        <label kind='guard'>i == 0</label><label kind='assignment'>i = 1</label></transition>\
        <transition><source ref='p'/><target ref='a'/><label kind='probability'>0</label></transition>\
        <transition><source ref='p'/><target ref='b'/><label kind='probability'>w[i]</label><label kind='assignment'>i += 2</label></transition>\
        <transition><source ref='p'/><target ref='b'/></transition>";
    let text = file("int i; int w[3];", "i = 9", "").replace("<init ref='a'/>", branches);
    let (composed, states, warnings) = composed(&text).unwrap();
    // c! goes from (A, 0) to (B, 9), and from where the first branch leads to (B, 9) as well.
    let expected = [
        "P.A Q.C i=0",
        "P.A Q.C i=1",
        "P.B Q.C i=3",
        "P.B Q.C i=1",
        "P.B Q.C i=9",
    ];
    let mut found: Vec<&str> = states.iter().map(|state| state.split(" w[").next().unwrap()).collect();
    found.sort_unstable();
    let mut sorted = expected;
    sorted.sort_unstable();
    assert_eq!(found, sorted);
    assert_eq!(composed.automaton.edges().len(), 5);
    assert_eq!(
        warnings,
        ["not read, because no guard or invariant asks for it: 2 branch weights"]
    );
}

/// In the text format branchpoints are named behind the states.
#[test]
fn a_branchpoint_of_the_text_format_is_one_edge_per_branch() {
    let text = "int i;\nprocess P() { state A, B; branchpoint X; init A;\n\
        trans A -> X { assign i = 1; }, X -> A { probability 1; }, X -> B { assign i = 2; probability 5; }; }\nsystem P;";
    let (file, warnings) = read_xta_network("m.xta", text.as_bytes()).unwrap();
    let composed = compose(
        &file.network,
        &View::closed("System", &file.network),
        &Budget::unlimited(),
    )
    .unwrap();
    assert_eq!(
        super::composition::states_in_words(&composed, &file.network),
        ["P.A i=0", "P.A i=1", "P.B i=2"]
    );
    assert_eq!(warnings.len(), 1);
}

/// What is left out of an update leaves what is done on the way: `f` counts its calls, an index outside its array is an error.
#[test]
fn an_update_that_is_not_read_does_what_it_does_to_integers() {
    let globals =
        "int i, a[2]; double d; hybrid clock h; int f() { i++; return i; } double g(double v) { i += 5; return v; }";
    let text = file(globals, "d = f() * 0.5, cost += f(), h = random(2)", "d = g(d)");
    assert_eq!(
        states(&text),
        ["P.A Q.C i=0 a[0]=0 a[1]=0", "P.B Q.C i=7 a[0]=0 a[1]=0"]
    );
    let error = composed(&file(globals, "i = 2, d = a[i] * 0.5", "")).unwrap_err();
    assert!(error.contains("the index 2 is not in [0,1]"), "{error}");
    let error = composed(&file(globals, "d = 1 / i", "")).unwrap_err();
    assert!(error.contains("division by zero"), "{error}");
    for (update, said) in [
        ("i = d", "`d` is a floating-point variable"),
        ("i = g(d)", "the value of `g` is not supported here"),
        ("d = (d > 0.5 ? a[i] : 0)", "under a condition that is not read"),
        ("d = (i = 3)", ""),
    ] {
        match said {
            "" => assert!(composed(&file(globals, update, "")).is_ok(), "{update}"),
            said => {
                let error = composed(&file(globals, update, "")).unwrap_err();
                assert!(error.contains(said), "{update}: {error}");
            }
        }
    }
}

/// A clock that starts elsewhere matters only where something is compared with it.
#[test]
fn a_clock_with_another_start_is_refused_where_it_is_compared() {
    let text = file("clock x = 5, y = 0;", "x = 0", "");
    let (_, _, warnings) = composed(&text).unwrap();
    assert_eq!(
        warnings,
        ["not read, because no guard or invariant asks for it: 1 value of clocks at the start"]
    );
    let guarded = text.replace(
        "<label kind='synchronisation'>c!",
        "<label kind='guard'>x &lt; 7</label><label kind='synchronisation'>c!",
    );
    // Where it is compared it is ahead of a clock that starts at 0: nothing is left out.
    assert!(composed(&guarded).is_ok_and(|(_, _, warnings)| warnings.is_empty()));
    let other = text.replace(
        "<label kind='synchronisation'>c!",
        "<label kind='guard'>y &lt; 7</label><label kind='synchronisation'>c!",
    );
    assert!(composed(&other).is_ok());
}

/// A rate that is no integer expression, of a plain clock: as for the value at the start. A template takes such a number.
#[test]
fn a_clock_with_another_rate_is_refused_where_it_is_compared() {
    let at = |guard: &str| {
        let rate = "<name>A</name><label kind='invariant'>x' == -0.5 * x &amp;&amp; y &lt;= 9</label>";
        let guard = format!(
            "<label kind='guard'>{}</label><label kind='synchronisation'>c!",
            escape(guard)
        );
        let text = file("clock x, y;", "", "").replace("<name>A</name>", rate);
        text.replace("<label kind='synchronisation'>c!", &guard)
    };
    let (_, _, warnings) = composed(&at("y < 7")).unwrap();
    assert_eq!(
        warnings,
        ["not read, because no guard or invariant asks for it: 1 rate of clocks"]
    );
    assert!(
        composed(&at("x < 7"))
            .unwrap_err()
            .contains("runs at a rate that is no integer")
    );
    let text = file("double r = 0.5;", "d = 2 * d", "").replace(
        "<name>P</name>",
        "<name>P</name><parameter>const int n, double &amp;d</parameter>",
    );
    let text = text.replace("system P, Q;", "R = P(3, r); system R, Q;");
    assert_eq!(states(&text), ["R.A Q.C", "R.B Q.C"]);
}

fn races(game: &Automaton) -> Vec<(tamper::model::EdgeId, tamper::model::EdgeId)> {
    let analysis = tamper::game::analyse(game, &Budget::unlimited()).unwrap().unwrap();
    analysis.overlaps.iter().map(|two| (two.first, two.second)).collect()
}

/// From `A` silent steps lead to `B` (i = 1) and to `C` (j = 1) and back: `i` tells the first two apart, and so do `j` and the
/// locations; all three are mended by one observation. With the same label on two edges that lead to one state nothing helps.
#[test]
fn the_smallest_set_of_observations_that_makes_a_game_deterministic_is_found() {
    let text = "int i, j, k;\nprocess P() { state A, B, C, D; init A;\n\
        trans A -> B { assign i = 1; }, A -> C { assign j = 1; }, A -> D { assign i = 1, k = 2; }; }\nsystem P;";
    let (file, _) = read_xta_network("m.xta", text.as_bytes()).unwrap();
    let network = &file.network;
    let view = View::closed("System", network);
    let composed = compose(network, &view, &Budget::unlimited()).unwrap();
    let found = races(&composed.automaton);
    assert_eq!(found.len(), 3);
    let Mending::Observe(more) = mending(network, &composed, &found) else {
        panic!("two observations will do");
    };
    // B against C, B against D, C against D: no variable and no location tells all three apart (B alone leaves C against D).
    assert_eq!(more.len(), 2);
    assert!(
        more.iter()
            .all(|what| matches!(what, Observed::Variable(_) | Observed::Location(..)))
    );
    let mended = View {
        observe: more,
        ..view.clone()
    };
    assert!(races(&compose(network, &mended, &Budget::unlimited()).unwrap().automaton).is_empty());

    let same = "clock x;\nprocess P() { state A, B; init A; trans A -> B { guard x > 1; }, A -> B { guard x > 2; }; }\nsystem P;";
    let (file, _) = read_xta_network("m.xta", same.as_bytes()).unwrap();
    let composed = compose(
        &file.network,
        &View::closed("System", &file.network),
        &Budget::unlimited(),
    )
    .unwrap();
    let found = races(&composed.automaton);
    assert_eq!(mending(&file.network, &composed, &found), Mending::Never(found[0]));
}

//! What comes and when is what xstate 5.33 shows (`charts.md` of the project's design).

use tamper_timed::model::Automaton;
use tamper_uppaal::ReadOptions;

use super::simulation::{Simulation, compare};
use crate::read_xstate;

pub(super) fn game(text: &str) -> Automaton {
    let read = read_xstate("chart.json", text.as_bytes(), &ReadOptions::default());
    let (document, _) = read.unwrap_or_else(|error| panic!("{error}"));
    document.automata()[0].clone()
}

/// The cases of `charts.md`, from there: the chart, the script, what xstate 5 shows (a value of the state as `at …`).
pub(super) const CASES: &[(&str, &str, &str, &str)] = &[
    (
        "01a",
        r##"{"id":"m","initial":"a","states":{"a":{"after":{"A":"x","B":"y"}},"x":{},"y":{}},"delays":{"A":1000,"B":1000}}"##,
        "1000",
        "0 at_a; 1000 at_x",
    ),
    (
        "01b",
        r##"{"id":"m","initial":"a","states":{"a":{"after":{"B":"y","A":"x"}},"x":{},"y":{}},"delays":{"A":1000,"B":1000}}"##,
        "1000",
        "0 at_a; 1000 at_y",
    ),
    (
        "01c",
        r##"{"id":"m","initial":"a","states":{"a":{"after":{"A":"x","1000":"y"}},"x":{},"y":{}},"delays":{"A":1000}}"##,
        "1000",
        "0 at_a; 1000 at_y",
    ),
    (
        "01d",
        r##"{"id":"m","initial":"a","states":{"a":{"after":{"1000":[{"guard":"g","target":"x"},{"target":"y"}]}},"x":{},"y":{}}}"##,
        "g_true 1000",
        "0 at_a; 1000 at_x",
    ),
    (
        "02a",
        r##"{"id":"m","initial":"p","states":{"p":{"initial":"c","after":{"1000":"P"},"states":{"c":{"after":{"1000":"d"}},"d":{"entry":"d"}}},"P":{}}}"##,
        "1000",
        "0 at_p_c; 1000 at_P",
    ),
    (
        "02b",
        r##"{"id":"m","initial":"p","states":{"p":{"initial":"c","after":{"1000":"P"},"states":{"c":{"after":{"400":"d"}},"d":{"after":{"600":"e"}},"e":{"entry":"e"}}},"P":{}}}"##,
        "1000",
        "0 at_p_c; 400 at_p_d; 1000 at_P",
    ),
    (
        "02c",
        r##"{"id":"m","initial":"p","states":{"p":{"initial":"c","after":{"1000":{"actions":"parent"}},"states":{"c":{"after":{"1000":{"target":"d","actions":"child"}}},"d":{}}}}}"##,
        "1000",
        "0 at_p_c; 1000 parent; 1000 child; 1000 at_p_d",
    ),
    (
        "03a",
        r##"{"id":"m","type":"parallel","states":{"r":{"initial":"a","states":{"a":{"after":{"1000":{"target":"b","actions":"r"}}},"b":{}}},"s":{"initial":"a","states":{"a":{"after":{"1000":{"target":"b","actions":"s"}}},"b":{}}}}}"##,
        "1000",
        "0 at_r_a_s_a; 1000 r; 1000 at_r_b_s_a; 1000 s; 1000 at_r_b_s_b",
    ),
    (
        "03b",
        r##"{"id":"m","initial":"p","states":{"p":{"type":"parallel","states":{"r":{"initial":"a","states":{"a":{"after":{"1000":"#m.out"}}}},"s":{"initial":"a","states":{"a":{"after":{"1000":{"target":"b","actions":"s"}}},"b":{}}}}},"out":{}}}"##,
        "1000",
        "0 at_p_r_a_s_a; 1000 at_out",
    ),
    (
        "03c",
        r##"{"id":"m","type":"parallel","states":{"r":{"initial":"a","states":{"a":{"on":{"X":{"target":"a","reenter":true}},"after":{"1000":"b"}},"b":{}}},"s":{"initial":"a","states":{"a":{"after":{"1000":"b"}},"b":{}}}}}"##,
        "500 X 2000",
        "0 at_r_a_s_a; 1000 at_r_a_s_b; 1500 at_r_b_s_b",
    ),
    (
        "04a",
        r##"{"id":"m","initial":"a","states":{"a":{"after":{"0":"x"},"always":"y"},"x":{},"y":{}}}"##,
        "0",
        "0 at_y",
    ),
    (
        "04c",
        r##"{"id":"m","initial":"a","states":{"a":{"after":{"0":"x"},"on":{"E":"y"}},"x":{},"y":{}}}"##,
        "E 0",
        "0 at_a; 0 at_y",
    ),
    (
        "04d",
        r##"{"id":"m","initial":"a","states":{"a":{"entry":{"type":"xstate.raise","event":"E"},"after":{"0":"x"},"on":{"E":"y"}},"x":{},"y":{}}}"##,
        "0",
        "0 at_y",
    ),
    (
        "05a",
        r##"{"id":"m","initial":"a","states":{"a":{"entry":"entry","after":{"1000":"x"},"on":{"E":{"target":"a"}}},"x":{}},"xstate":5}"##,
        "600 E 3000",
        "0 entry; 0 at_a; 1000 at_x",
    ),
    (
        "05b",
        r##"{"id":"m","initial":"a","states":{"a":{"entry":"entry","after":{"1000":"x"},"on":{"E":{"target":"a","reenter":true}}},"x":{}},"xstate":5}"##,
        "600 E 3000",
        "0 entry; 0 at_a; 600 entry; 1600 at_x",
    ),
    (
        "05c",
        r##"{"id":"m","initial":"a","states":{"a":{"entry":"entry","after":{"1000":"x"},"on":{"E":{"target":"a","reenter":false}}},"x":{}},"xstate":5}"##,
        "600 E 3000",
        "0 entry; 0 at_a; 1000 at_x",
    ),
    (
        "05d",
        r##"{"id":"m","initial":"a","states":{"a":{"entry":"entry","after":{"1000":"x"},"on":{"E":{"actions":"act"}}},"x":{}}}"##,
        "600 E 3000",
        "0 entry; 0 at_a; 600 act; 1000 at_x",
    ),
    (
        "05e",
        r##"{"id":"m","initial":"p","states":{"p":{"entry":"p","after":{"1000":"P"},"on":{"E":"p"},"initial":"c","states":{"c":{"entry":"c","after":{"800":"d"}},"d":{}}},"P":{}},"xstate":5}"##,
        "600 E 3000",
        "0 p; 0 c; 0 at_p_c; 600 c; 1000 at_P",
    ),
    (
        "05f",
        r##"{"id":"m","initial":"p","states":{"p":{"entry":"p","after":{"1000":"P"},"on":{"E":".c"},"initial":"c","states":{"c":{"entry":"c","after":{"800":"d"}},"d":{}}},"P":{}},"xstate":5}"##,
        "600 E 3000",
        "0 p; 0 c; 0 at_p_c; 600 c; 1000 at_P",
    ),
    (
        "05g",
        r##"{"id":"m","initial":"a","states":{"a":{"after":{"1000":{"target":"a","actions":"tick"}}}},"xstate":5}"##,
        "3500",
        "0 at_a; 1000 tick",
    ),
    (
        "05h",
        r##"{"id":"m","initial":"a","states":{"a":{"after":{"1000":{"target":"a","reenter":true,"actions":"tick"}}}}}"##,
        "3500",
        "0 at_a; 1000 tick; 2000 tick; 3000 tick",
    ),
    (
        "05i",
        r##"{"id":"m","initial":"a","states":{"a":{"after":{"1000":{"actions":"tick"}}}}}"##,
        "3500",
        "0 at_a; 1000 tick",
    ),
    (
        "06a",
        r##"{"id":"m","initial":"a","states":{"a":{"after":{"1000":{"guard":"g","target":"x"}},"on":{"E":{"actions":"e"}}},"x":{}}}"##,
        "1000 g_true 5000 E 5000",
        "0 at_a; 6000 e",
    ),
    (
        "06b",
        r##"{"id":"m","initial":"p","states":{"p":{"on":{"*":"caught"},"initial":"c","states":{"c":{"after":{"1000":{"guard":"never","target":"x"}}},"x":{}}},"caught":{}}}"##,
        "1000",
        "0 at_p_c; 1000 at_caught",
    ),
    (
        "06c",
        r##"{"id":"m","initial":"c","states":{"c":{"on":{"*":"caught"},"after":{"1000":"x"}},"x":{},"caught":{}},"xstate":5}"##,
        "1000",
        "0 at_c; 1000 at_x",
    ),
    (
        "06d",
        r##"{"id":"m","initial":"p","states":{"p":{"after":{"1000":"x"},"initial":"c","states":{"c":{"on":{"*":"caught"}},"caught":{}}},"x":{}}}"##,
        "1000",
        "0 at_p_c; 1000 at_p_caught",
    ),
    (
        "07a",
        r##"{"id":"m","initial":"a","states":{"a":{"after":{"1000":"x"},"on":{"E":"b"}},"b":{"on":{"E":"a"}},"x":{}}}"##,
        "900 E 50 E 3000",
        "0 at_a; 900 at_b; 950 at_a; 1950 at_x",
    ),
    (
        "08a",
        r##"{"id":"m","initial":"a","states":{"a":{"entry":{"type":"xstate.raise","event":"T","delay":1000},"on":{"E":"b"}},"b":{"on":{"T":"x"}},"x":{}}}"##,
        "500 E 1000",
        "0 at_a; 500 at_b; 1000 at_x",
    ),
    (
        "08b",
        r##"{"id":"m","initial":"a","states":{"a":{"entry":{"type":"xstate.raise","event":"T","delay":1000,"id":"i"},"exit":{"type":"xstate.cancel","id":"i"},"on":{"E":"b"}},"b":{"on":{"T":"x"}},"x":{}}}"##,
        "500 E 1000",
        "0 at_a; 500 at_b",
    ),
    // 08c to 08f with an end, so that no more than two are pending.
    (
        "08c",
        r##"{"id":"m","initial":"z","on":{"T":{"actions":"T"}},"states":{"z":{"on":{"E":{"target":"y","actions":{"type":"xstate.raise","event":"T","delay":"D","id":"i"}}}},"y":{"on":{"E":{"target":"x","actions":{"type":"xstate.raise","event":"T","delay":"D","id":"i"}}}},"x":{}},"delays":{"D":1000}}"##,
        "E 600 E 3000",
        "0 at_z; 0 at_y; 600 at_x; 1000 T; 1600 T",
    ),
    (
        "08d",
        r##"{"id":"m","initial":"z","on":{"T":{"actions":"T"},"C":{"actions":{"type":"xstate.cancel","id":"i"}}},"states":{"z":{"on":{"E":{"target":"y","actions":{"type":"xstate.raise","event":"T","delay":1000,"id":"i"}}}},"y":{"on":{"E":{"target":"x","actions":{"type":"xstate.raise","event":"T","delay":1000,"id":"i"}}}},"x":{}},"xstate":5}"##,
        "E 600 E 100 C 3000",
        "0 at_z; 0 at_y; 600 at_x; 1000 T",
    ),
    (
        "08e",
        r##"{"id":"m","initial":"z","on":{"T":{"actions":"T"},"C":{"actions":{"type":"xstate.cancel","id":"T"}}},"states":{"z":{"on":{"E":{"target":"y","actions":{"type":"xstate.raise","event":"T","delay":1000}}}},"y":{}}}"##,
        "E 600 C 3000",
        "0 at_z; 0 at_y; 1000 T",
    ),
    (
        "08f",
        r##"{"id":"m","initial":"z","on":{"T":{"actions":"T"}},"states":{"z":{"on":{"E":{"target":"y","actions":{"type":"xstate.raise","event":"T","delay":1000}}}},"y":{"on":{"E":{"target":"x","actions":{"type":"xstate.raise","event":"T","delay":1000}}}},"x":{}}}"##,
        "E 600 E 3000",
        "0 at_z; 0 at_y; 600 at_x; 1000 T; 1600 T",
    ),
    (
        "08g",
        r##"{"id":"m","initial":"a","states":{"a":{"entry":{"type":"xstate.raise","event":"T","delay":1000},"after":{"1000":"x"},"on":{"T":"y"}},"x":{"on":{"T":{"actions":"T in x"}}},"y":{}}}"##,
        "1000",
        "0 at_a; 1000 at_y",
    ),
    (
        "08h",
        r##"{"id":"m","initial":"a","states":{"a":{"entry":{"type":"xstate.raise","event":"T","delay":0},"on":{"T":"y"}},"y":{}}}"##,
        "0",
        "0 at_a; 0 at_y",
    ),
    (
        "08i",
        r##"{"id":"m","initial":"a","states":{"a":{"entry":{"type":"xstate.raise","event":"T","delay":1000},"on":{"E":"f"}},"f":{"type":"final"}}}"##,
        "E 2000",
        "0 at_a; 0 at_f",
    ),
    (
        "09a",
        r##"{"id":"m","initial":"a","states":{"a":{"on":{"E":"b"}},"b":{"after":{"1000":"x"},"always":"c"},"c":{},"x":{}}}"##,
        "E 2000",
        "0 at_a; 0 at_c",
    ),
    (
        "09c",
        r##"{"id":"m","initial":"b","states":{"b":{"entry":"b","after":{"1000":"x"},"on":{"E":"a"}},"a":{"always":"b"},"x":{}}}"##,
        "600 E 3000",
        "0 b; 0 at_b; 600 b; 1600 at_x",
    ),
    (
        "10a",
        r##"{"id":"m","initial":"p","states":{"p":{"initial":"c","states":{"c":{"on":{"N":"d"}},"d":{"after":{"1000":"e"}},"e":{},"h":{"type":"history"}},"on":{"OUT":"o"}},"o":{"on":{"BACK":"p.h"}}}}"##,
        "N 900 OUT 5000 BACK 3000",
        "0 at_p_c; 0 at_p_d; 900 at_o; 5900 at_p_d; 6900 at_p_e",
    ),
    (
        "10b",
        r##"{"id":"m","initial":"p","states":{"p":{"initial":"c","after":{"1500":"late"},"states":{"c":{"initial":"k","states":{"k":{"on":{"N":"l"}},"l":{"after":{"1000":"z"}},"z":{}}},"h":{"type":"history","history":"deep"}},"on":{"OUT":"o"}},"late":{},"o":{"on":{"BACK":"p.h"}}}}"##,
        "N 900 OUT 50 BACK 3000",
        "0 at_p_c_k; 0 at_p_c_l; 900 at_o; 950 at_p_c_l; 1950 at_p_c_z; 2450 at_late",
    ),
    (
        "10c",
        r##"{"id":"m","initial":"p","states":{"p":{"initial":"c","states":{"c":{"entry":"c","after":{"1000":"e"}},"e":{},"h":{"type":"history"}},"on":{"H":".h"}}},"xstate":5}"##,
        "600 H 3000",
        "0 c; 0 at_p_c; 600 c; 1600 at_p_e",
    ),
    (
        "11a",
        r##"{"id":"m","initial":"a","after":{"1000":{"actions":"root"}},"states":{"a":{"on":{"E":"f"}},"f":{"type":"final"}}}"##,
        "E 2000",
        "0 at_a; 0 at_f",
    ),
    (
        "11c",
        r##"{"id":"m","initial":"p","states":{"p":{"initial":"c","after":{"1000":"late"},"onDone":"ok","states":{"c":{"after":{"1000":"f"}},"f":{"type":"final"}}},"late":{},"ok":{}}}"##,
        "1000",
        "0 at_p_c; 1000 at_late",
    ),
    (
        "13a",
        r##"{"id":"m","type":"parallel","states":{"r":{"initial":"a","states":{"a":{"after":{"1000":{"target":"b","actions":{"type":"xstate.raise","event":"R"}}}},"b":{}}},"s":{"initial":"a","states":{"a":{"after":{"1000":"t"},"on":{"R":"e"}},"t":{},"e":{}}}}}"##,
        "1000",
        "0 at_r_a_s_a; 1000 at_r_b_s_e",
    ),
    (
        "13b",
        r##"{"id":"m","initial":"a","states":{"a":{"after":{"500":"b"}},"b":{"after":{"500":"c"}},"c":{}}}"##,
        "1000",
        "0 at_a; 500 at_b; 1000 at_c",
    ),
    (
        "16a",
        r##"{"id":"m","initial":"a","states":{"a":{"exit":"exit a","after":{"1000":{"target":"b","actions":"t"}}},"b":{"entry":"entry b"}}}"##,
        "1000",
        "0 at_a; 1000 exit_a; 1000 t; 1000 entry_b; 1000 at_b",
    ),
    (
        "22a",
        r##"{"id":"m","type":"parallel","states":{"r":{"initial":"w","states":{"w":{"after":{"1000":"f"},"on":{"T":"#m.s.d"}},"f":{}}},"s":{"initial":"n","states":{"n":{},"d":{}}}}}"##,
        "500 T 3000",
        "0 at_r_w_s_n; 500 at_r_w_s_d; 1500 at_r_f_s_d",
    ),
    (
        "22b",
        r##"{"id":"m","initial":"p","states":{"p":{"after":{"1000":"P"},"on":{"I":{"target":".d"},"X":{"target":".d","reenter":true}},"initial":"c","states":{"c":{},"d":{}}},"P":{}},"xstate":5}"##,
        "400 I 200 X 3000",
        "0 at_p_c; 400 at_p_d; 1600 at_P",
    ),
];

#[test]
fn charts_do_what_xstate_shows() {
    for (name, chart, script, expected) in CASES {
        assert_eq!(Simulation::new(game(chart)).script(script), *expected, "case {name}");
    }
}

/// Charts that `scripts/charts.js` draws and lets xstate itself run, in the file that `TAMPER_CHARTS` names.
#[test]
fn random_charts_do_what_xstate_does() {
    let Ok(path) = std::env::var("TAMPER_CHARTS") else {
        return;
    };
    compare(&path, |chart| read_xstate("chart.json", chart, &ReadOptions::default()));
}

/// What is wrong with a chart whose only state but `b` has these parts: the first message, and its place in the text.
fn refusal(parts: &str) -> (String, String) {
    let text = format!(r#"{{"id":"m","initial":"a","states":{{"a":{{{parts}}},"b":{{}}}}}}"#);
    let read = read_xstate("chart.json", text.as_bytes(), &ReadOptions::default());
    let Err(error) = read else { panic!("{parts} is read") };
    let first = &error.diagnostics[0];
    let place = first
        .span
        .map(|span| text[span.start as usize..span.end as usize].to_owned());
    (first.message.clone(), place.unwrap_or_default())
}

#[test]
fn what_has_no_exact_meaning_is_refused_at_its_place() {
    for (parts, message, place) in [
        (
            r#""on":{"E":{"cond":"g"}}"#,
            "the key `cond` of a transition is not read",
            "\"cond\"",
        ),
        (
            r#""on":{"E":{"target":"b","internal":true}}"#,
            "`internal`",
            "\"internal\"",
        ),
        (
            r#""entry":"x","on":{"E":"a"}"#,
            "xstate 4 and xstate 5 disagree",
            "\"a\"",
        ),
        (r#""on":{"E":"c"}"#, "there is no state `c` within `m`", "\"c\""),
        (r##""on":{"E":"#c"}"##, "no state with the id `c`", "\"#c\""),
        (r#""on":{"E.*.F":"b"}"#, "describes no event", "\"E.*.F\""),
        (r#""after":{"SOON":"b"}"#, "the delay `SOON` is not known", "\"SOON\""),
        (
            r#""after":{"1.5":"b"}"#,
            "1.5 is no number of whole milliseconds",
            "\"1.5\"",
        ),
        (
            r#""entry":{"type":"xstate.sendTo","event":"E","delay":5}"#,
            "a delay of its own is not read",
            "5",
        ),
        (
            r#""entry":{"type":"xstate.raise","event":"E","delay":"D"}"#,
            "the delay `D` is not known",
            "\"D\"",
        ),
        (
            r#""on":{"E":{"actions":{"type":"xstate.raise","event":"T","delay":5}}}"#,
            "more than 4 of the event `T` that is sent here may be pending at once",
            r#"{"type":"xstate.raise","event":"T","delay":5}"#,
        ),
        (
            r#""entry":{"type":"xstate.cancel","id":"xstate.after.5.m.a"}"#,
            "cancels no event that was raised",
            r#"{"type":"xstate.cancel","id":"xstate.after.5.m.a"}"#,
        ),
        (
            r#""on":{"E":{"target":"b","guard":{"type":"xstate.not"}}}"#,
            "`xstate.not` puts one guard together",
            "{\"type\":\"xstate.not\"}",
        ),
        (
            r#""on":{"E":{"guard":{"type":"xstate.not","guards":["g","h"]}}}"#,
            "`xstate.not` puts one guard together",
            "{\"type\":\"xstate.not\",\"guards\":[\"g\",\"h\"]}",
        ),
        (
            r#""on":{"E":{"guard":"xstate.or"}}"#,
            "`xstate.or` puts guards together",
            "\"xstate.or\"",
        ),
        (
            r#""entry":"xstate.sendTo""#,
            "this action has no event",
            "\"xstate.sendTo\"",
        ),
        (
            r#""entry":{"type":"xstate.spawnChild"}"#,
            "`xstate.spawnChild` is not read",
            "{\"type\":\"xstate.spawnChild\"}",
        ),
        (
            r##""on":{"E":{"target":["#m.a","#m.b"]}}"##,
            "cannot be active together",
            "[\"#m.a\",\"#m.b\"]",
        ),
        // xstate 5.33 then says that its value is {x: "y", z: {c: {}}}, within a.
        (
            r##""initial":"x","states":{"x":{"initial":"y","states":{"y":{}},"on":{"GO":"z"}},
                "z":{"type":"parallel","states":{"c":{"on":{"E":"#m.a.z.h"}},"h":{"type":"history"}}}}"##,
            "is then in two states of `m.a`",
            "\"#m.a.z.h\"",
        ),
        (r#""states":{"c":{}}"#, "`m.a` has no initial state", "\"a\""),
        (r#""type":"paralel""#, "there is no type `paralel`", "{"),
        (
            r#""initial":"c","states":{"c":{"entry":"x"},"d":{}},"on":{"E":".c"}"#,
            "disagree",
            "\".c\"",
        ),
    ] {
        let (said, at) = refusal(parts);
        assert!(said.contains(message), "{parts}: {said}");
        assert_eq!(at, place, "{parts}");
    }
}

#[test]
fn a_state_that_is_entered_twice_and_a_circle_without_end_are_named() {
    let text = r##"{"id":"m","initial":"a","after":{"9":".b"},"states":{"a":{"on":{"E":"#m"}},"b":{}},"xstate":5}"##;
    let error = read_xstate("chart.json", text.as_bytes(), &ReadOptions::default()).unwrap_err();
    assert!(error.to_string().contains("enters `m` while it is active"), "{error}");
    let text = r#"{"id":"m","initial":"a","states":{"a":{"on":{"E":"b"}},"b":{"always":"c"},"c":{"always":"b"}}}"#;
    let (document, found) = read_xstate("chart.json", text.as_bytes(), &ReadOptions::default()).unwrap();
    assert!(found[0].message.contains("may never end"), "{found:?}");
    let trace = Simulation::new(document.automata()[0].clone()).script("E 100 E 100");
    assert_eq!(trace, "0 at_a");
}

#[test]
fn a_state_without_anything_to_do_again_need_not_say_whether_it_is_entered_again() {
    for parts in [
        r#""on":{"E":"a"}"#,
        r##""initial":"c","states":{"c":{},"d":{}},"on":{"E":"#m.a.d"}"##,
    ] {
        let text = format!(r#"{{"id":"m","initial":"a","states":{{"a":{{{parts}}}}}}}"#);
        let read = read_xstate("chart.json", text.as_bytes(), &ReadOptions::default());
        assert!(read.is_ok(), "{parts}");
    }
}

#[test]
fn timers_that_are_never_due_and_stars_that_take_them_are_said() {
    let said = |states: &str| {
        let text = format!(r#"{{"id":"m","initial":"a","states":{{{states}}}}}"#);
        let (_, found) = read_xstate("chart.json", text.as_bytes(), &ReadOptions::default()).unwrap();
        found.into_iter().map(|found| found.message).collect::<Vec<_>>()
    };
    for (states, message) in [
        (
            r#""a":{"after":{"5":"b","9":"c"}},"b":{},"c":{}"#,
            "the timer of 9 ms in `m.a` is never due: that of 5 ms leaves the state",
        ),
        (
            r#""a":{"on":{"E":"b"}},"b":{"after":{"7":"c"},"always":"c"},"c":{}"#,
            "the timer of 7 ms in `m.b` is never due: its state is never entered, or always left at once",
        ),
        (
            r#""a":{"after":{"5":"b"},"initial":"k","states":{"k":{"on":{"*":{"actions":"x"}}}}},"b":{}"#,
            "`*` takes the event of the timer of 5 ms in `m.a`",
        ),
    ] {
        assert_eq!(said(states), [message]);
    }
    // A guard that may be false, a state that is not left, a `*` that comes too late.
    for states in [
        r#""a":{"after":{"5":{"guard":"g","target":"b"},"9":"c"}},"b":{},"c":{}"#,
        r#""a":{"after":{"5":{"actions":"x"},"9":"c"}},"c":{}"#,
        r#""a":{"on":{"*":"c"},"after":{"5":"c"}},"c":{}"#,
    ] {
        assert_eq!(said(states), [""; 0]);
    }
}

#[test]
fn what_a_star_takes_is_an_event_without_a_name() {
    let text = r#"{"id":"m","initial":"a","states":{"a":{"on":{"other":"b","*":"c"}},"b":{},"c":{}}}"#;
    assert_eq!(Simulation::new(game(text)).script("other"), "0 at_a; 0 at_b");
    assert_eq!(Simulation::new(game(text)).script("other_"), "0 at_a; 0 at_c");
}

#[test]
fn a_number_is_no_name_of_a_delay_and_an_event_keeps_its_name() {
    let text = r#"{"id":"go","initial":"a","states":{"a":{"after":{"50":"b"},"on":{"go":"b"}},"b":{"entry":"go"}},"delays":{"50":7}}"#;
    assert_eq!(Simulation::new(game(text)).script("100"), "0 at_a; 50 go_; 50 at_b");
    assert_eq!(Simulation::new(game(text)).script("9 go"), "0 at_a; 9 go_; 9 at_b");
}

/// At E another history stands for `h`, which is then active itself; at F it remembers itself, and the stack of xstate 5.33 overflows.
#[test]
fn a_history_that_stands_for_itself_is_refused() {
    let text = r#"{"id":"m","xstate":5,"initial":"s","states":{"s":{"on":{"G":"p"}},"p":{"initial":"h",
        "states":{"c":{},"h":{"type":"history","target":"c"},"b":{"type":"history"}},
        "on":{"E":".b","F":{"target":".h","reenter":true}}}}}"#;
    let error = read_xstate("chart.json", text.as_bytes(), &ReadOptions::default()).unwrap_err();
    let first = &error.diagnostics[0];
    assert_eq!(
        first.message,
        "what is entered here does not end: the history `m.p.h` stands for itself"
    );
    let place = first.span.map(|span| &text[span.start as usize..span.end as usize]);
    assert_eq!(place, Some(r#"{"target":".h","reenter":true}"#));
}

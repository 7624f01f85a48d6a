//! What comes and when is what xstate 4.38 shows (`charts.md` of the project's design).

use tamper_uppaal::ReadOptions;

use super::simulation::Simulation;
use super::xstate::{CASES, game};
use crate::read_xstate;

/// The cases in which xstate 4 does something else than xstate 5.
const OTHERWISE: &[(&str, &str)] = &[
    ("05a", "0 entry; 0 at_a; 600 entry; 1600 at_x"),
    ("05e", "0 p; 0 c; 0 at_p_c; 600 p; 600 c; 1400 at_p_d; 1600 at_P"),
    ("05f", "0 p; 0 c; 0 at_p_c; 800 at_p_d; 1000 at_P"),
    ("05g", "0 at_a; 1000 tick; 2000 tick; 3000 tick"),
    ("06c", "0 at_c; 1000 at_caught"),
    ("10c", "0 c; 0 at_p_c; 1000 at_p_e"),
];

/// Cases that need words of xstate 4, and regressions: the chart, the script, what is shown.
const ONLY_4: &[(&str, &str, &str, &str)] = &[
    (
        "08e",
        r##"{"id":"m","initial":"z","on":{"T":{"actions":"T"},"C":{"actions":{"type":"xstate.cancel","sendId":"T"}}},"states":{"z":{"on":{"E":{"target":"y","actions":{"type":"xstate.send","event":{"type":"T"},"id":"T","delay":1000}}}},"y":{}}}"##,
        "E 600 C 3000",
        "0 at_z; 0 at_y",
    ),
    (
        "08g",
        r##"{"id":"m","initial":"a","states":{"a":{"entry":{"type":"xstate.send","event":"T","id":"T","delay":1000},"after":{"1000":"x"},"on":{"T":"y"}},"x":{"on":{"T":{"actions":"T in x"}}},"y":{}}}"##,
        "1000",
        "0 at_a; 1000 at_y",
    ),
    (
        "21b",
        r##"{"id":"m","initial":"a","states":{"a":{"entry":{"type":"xstate.send","event":"P","to":"c","delay":1000},"on":{"E":"b"}},"b":{}}}"##,
        "500 E 1000",
        "0 at_a; 500 at_b; 1000 send_P_to_c",
    ),
    (
        "22c",
        r##"{"id":"m","initial":"p","states":{"p":{"type":"parallel","after":{"1000":"out"},"states":{"r":{"initial":"a","states":{"a":{"on":{"E":"b"}},"b":{"on":{"E":"a"}}}},"s":{}}},"out":{}}}"##,
        "500 E 300 E 1000",
        "0 at_p_r_a_s; 500 at_p_r_b_s; 800 at_p_r_a_s; 1000 at_out",
    ),
    (
        "22d",
        r##"{"id":"m","initial":"p","states":{"p":{"type":"parallel","after":{"1000":"late"},"onDone":"ok","states":{"r":{"initial":"a","states":{"a":{"after":{"1000":"f"}},"f":{"type":"final"}}},"s":{"initial":"a","states":{"a":{"after":{"500":"f"}},"f":{"type":"final"}}}}},"late":{},"ok":{}}}"##,
        "1000",
        "0 at_p_r_a_s_a; 500 at_p_r_a_s_f; 1000 at_late",
    ),
    (
        "22e",
        r##"{"id":"m","initial":"p","states":{"p":{"after":{"1000":"x"},"initial":"c","states":{"c":{"after":{"1000":{}}}}},"x":{}}}"##,
        "1000",
        "0 at_p_c; 1000 at_x",
    ),
    (
        "22h",
        r##"{"id":"m","initial":"a","states":{"a":{"after":{"2000":"y","1000":{"cond":"never","target":"x"}}},"x":{},"y":{}}}"##,
        "3000",
        "0 at_a; 2000 at_y",
    ),
    (
        "R1",
        r##"{"id":"m","initial":"a","states":{"a":{"after":{"1500":[{"cond":"g","target":"y"},{"target":"z"}]},"on":{"F":{"target":"a","internal":false}}},"y":{"entry":"y"},"z":{}}}"##,
        "g_true 1000 F 4000",
        "0 at_a; 2500 y; 2500 at_y",
    ),
    (
        "R3",
        r##"{"id":"m","initial":"p","states":{"p":{"type":"parallel","on":{"X":{"target":".r.b","internal":false}},"states":{"r":{"initial":"a","states":{"a":{},"b":{}}},"s":{"initial":"a","states":{"a":{"entry":"s.a","after":{"1000":"c"}},"c":{}}}}}}}"##,
        "600 X 3000",
        "0 s_a; 0 at_p_r_a_s_a; 600 s_a; 600 at_p_r_b_s_a; 1600 at_p_r_b_s_c",
    ),
    (
        "R5",
        r##"{"id":"m","initial":"p","states":{"p":{"id":"p","after":{"1000":"out"},"initial":"c","states":{"c":{"on":{"E":{"target":"#p","internal":false}}}}},"out":{}}}"##,
        "600 E 3000",
        "0 at_p_c; 1600 at_out",
    ),
    // At first regions come as they are written; then a region without states is named first.
    (
        "R6",
        r##"{"id":"m","type":"parallel","states":{"a":{"initial":"x","states":{"x":{"on":{"E":{"actions":"p"}}}}},"b":{"on":{"E":{"actions":"q"}}}}}"##,
        "E E",
        "0 at_a_x_b; 0 p; 0 q; 0 q; 0 p",
    ),
];

/// The chart in the words of xstate 4.
fn of_4(chart: &str) -> String {
    let chart = chart.replace(r#","xstate":5"#, "").replace(r#""guard""#, r#""cond""#);
    let chart = chart.replace(r#""reenter":true"#, r#""internal":false"#);
    let chart = chart.replace(r#""reenter":false"#, r#""internal":true"#);
    format!("{},\"xstate\":4}}", chart.strip_suffix('}').unwrap())
}

#[test]
fn charts_do_what_xstate_4_shows() {
    for (name, chart, script, shown) in CASES.iter().chain(ONLY_4) {
        let otherwise = OTHERWISE.iter().find(|(other, _)| other == name);
        let expected = otherwise.map_or(*shown, |(_, expected)| expected);
        assert_eq!(
            Simulation::new(game(&of_4(chart))).script(script),
            expected,
            "case {name}"
        );
    }
}

#[test]
fn what_the_versions_disagree_about_must_say_which_is_meant() {
    for (name, chart, _, _) in CASES {
        let chart = chart.replace(r#","xstate":5"#, "");
        let read = read_xstate("chart.json", chart.as_bytes(), &ReadOptions::default());
        // In 08d the second event can still be cancelled when the first has come, in xstate 4 only.
        let differs = *name == "08d" || OTHERWISE.iter().any(|(other, _)| other == name);
        match read {
            Ok(_) => assert!(!differs, "case {name}"),
            Err(error) => {
                assert!(differs, "case {name}: {error}");
                assert!(error.to_string().contains("xstate 4 and xstate 5 disagree"), "{error}");
            }
        }
    }
}

#[test]
fn the_words_of_xstate_4_are_read() {
    for (parts, script, expected) in [
        // An event that is sent without a delay starts a macrostep of its own; one that is raised does not.
        (
            r#""on":{"E":{"target":"b","actions":[{"type":"xstate.send","event":"S"},{"type":"xstate.raise","event":"R"}]}}},"b":{"on":{"S":"c","R":"d"}},"c":{},"d":{"on":{"S":"c"}"#,
            "E",
            "0 at_a; 0 at_d; 0 at_c",
        ),
        (
            r#""onEntry":"in","onExit":"out","on":{"E":"b"}},"b":{"#,
            "E",
            "0 in; 0 at_a; 0 out; 0 at_b",
        ),
        (
            r#""on":{"":{"target":"b","cond":"g"}}},"b":{"#,
            "g_true start",
            "0 at_b",
        ),
        (
            r#""parallel":true,"states":{"p":{"initial":"q","states":{"q":{"on":{"E":{"target":"r","in":"s.t"}}},"r":{}}},"s":{"initial":"u","states":{"u":{"on":{"F":"t"}},"t":{}}}}},"b":{"#,
            "E F E",
            "0 at_a_p_q_s_u; 0 at_a_p_q_s_t; 0 at_a_p_r_s_t",
        ),
        (
            r#""invoke":{"src":"x","onDone":"b"},"on":{"done.invoke.y":"b"}},"b":{"#,
            "done_m_a_invocation_0",
            "0 at_a; 0 at_b",
        ),
        (
            r#""invoke":{"src":"x","id":"x","onDone":"b"},"on":{"*":"b"}},"b":{"#,
            "error_x",
            "0 at_a",
        ),
        (
            r#""on":{"E":{"target":"b","cond":{"type":"more","than":3},"actions":{"type":"say","word":"hi"}}}},"b":{"#,
            "more_than_3_true E",
            "0 at_a; 0 say_word_hi; 0 at_b",
        ),
    ] {
        let text = format!(r#"{{"id":"m","initial":"a","states":{{"a":{{{parts}}}}},"xstate":4}}"#);
        assert_eq!(Simulation::new(game(&text)).script(script), expected, "{parts}");
    }
}

#[test]
fn words_of_the_other_version_and_what_xstate_4_does_by_chance_are_refused() {
    for (parts, message) in [
        (r#""on":{"E":{"target":"b","guard":"g"}}"#, "in xstate 4 it is `cond`"),
        (r#""on":{"E":{"target":"b","reenter":true}}"#, "\"internal\": true"),
        (r#""on":{"C.*":"b"}"#, "write a name or `*`"),
        (r#""activities":"blink""#, "activities are not read"),
        (r#""strict":true"#, "throws at an event that means nothing"),
        (
            r#""initial":"h","states":{"c":{},"h":{"type":"history","target":"c"}}"#,
            "leads to a history",
        ),
        (
            r#""entry":{"type":"xstate.emit","event":"E"}"#,
            "`xstate.emit` is not read",
        ),
        (
            r#""entry":[{"type":"xstate.send","event":"E","id":"E","delay":5},{"type":"xstate.cancel","sendId":"E"}]"#,
            "cancels here before it sends",
        ),
        (
            r##""type":"parallel","states":{"c":{"on":{"E":"#m.b"}},"d":{"initial":"e","states":{"e":{"on":{"E":"f"}},"f":{}}}}"##,
            "enter different states of `m`",
        ),
    ] {
        let text = format!(r#"{{"id":"m","initial":"a","states":{{"a":{{{parts}}},"b":{{}}}},"xstate":4}}"#);
        let Err(error) = read_xstate("chart.json", text.as_bytes(), &ReadOptions::default()) else {
            panic!("{parts} is read");
        };
        assert!(error.to_string().contains(message), "{parts}: {error}");
    }
}

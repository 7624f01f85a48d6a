//! What comes and when is what SCION shows (`charts.md` of the project's design), or what the standard says.

use super::simulation::{Simulation, compare};
use crate::read_scxml;
use tamper_timed::model::Automaton;
use tamper_uppaal::ReadOptions;

fn chart(inside: &str) -> String {
    format!(r#"<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0">{inside}</scxml>"#)
}

fn game(text: &str) -> Automaton {
    let read = read_scxml("chart.scxml", text.as_bytes(), &ReadOptions::default());
    let (document, _) = read.unwrap_or_else(|error| panic!("{error}"));
    document.automata()[0].clone()
}

const CASES: &[(&str, &str, &str, &str)] = &[
    (
        "S1",
        r#"<state id="a"><onentry><send event="A" delay="1s"/><send event="B" delay="1s"/></onentry>
            <transition event="A" target="x"/><transition event="B" target="y"/></state><state id="x"/><state id="y"/>"#,
        "2000",
        "0 at_a; 1000 at_x",
    ),
    (
        "S2",
        r#"<state id="a"><onentry><send event="T" delay="1s"/></onentry><transition event="E" target="b"/></state>
            <state id="b"><transition event="T" target="x"/></state><state id="x"/>"#,
        "500 E 1000",
        "0 at_a; 500 at_b; 1000 at_x",
    ),
    (
        "S3",
        r#"<state id="a"><onentry><send event="T" delay="1s" id="i"/></onentry><onexit><cancel sendid="i"/></onexit>
            <transition event="E" target="b"/></state><state id="b"><transition event="T" target="x"/></state><state id="x"/>"#,
        "500 E 1000",
        "0 at_a; 500 at_b",
    ),
    // SCION cancels the last one only, and goes to x at 1000.
    (
        "S4",
        r#"<state id="a"><transition event="E" target="b"><send event="T" delay="1s" id="i"/></transition></state>
            <state id="b"><transition event="E" target="c"><send event="T" delay="1s" id="i"/></transition>
            <transition event="T" target="x"/></state>
            <state id="c"><transition event="C"><cancel sendid="i"/></transition><transition event="T" target="x"/></state>
            <state id="x"/>"#,
        "E 600 E 100 C 3000",
        "0 at_a; 0 at_b; 600 at_c",
    ),
    (
        "S5",
        r#"<state id="a"><onentry><send event="T" delay="1s" id="i"/></onentry><onexit><cancel sendid="i"/></onexit>
            <transition event="E" target="a"/><transition event="T" target="x"/></state><state id="x"/>"#,
        "600 E 2000",
        "0 at_a; 1600 at_x",
    ),
    (
        "S6",
        r#"<state id="a"><onentry><send event="T"/><raise event="R"/></onentry><transition event="T" target="x"/>
            <transition event="R" target="y"/></state><state id="x"/><state id="y"/>"#,
        "0",
        "0 at_y",
    ),
    (
        "S7",
        r#"<state id="a"><onentry><send event="T" delay="500ms"/></onentry><transition event="T" target="b"/></state>
            <state id="b"><onentry><send event="U" delay="300ms"/></onentry><transition event="U" target="c"/></state>
            <state id="c"/>"#,
        "1000",
        "0 at_a; 500 at_b; 800 at_c",
    ),
    (
        "S8",
        r#"<state id="a"><onentry><send event="T" delay="1.5s"/></onentry><transition event="T" target="b"/></state>
            <state id="b"><onentry><send event="U" delay=".5s"/></onentry><transition event="U" target="c"/></state>
            <state id="c"><onentry><send event="V" delay="100"/></onentry><transition event="V" target="d"/></state>
            <state id="d"/>"#,
        "3000",
        "0 at_a; 1500 at_b; 2000 at_c; 2100 at_d",
    ),
];

#[test]
fn charts_do_what_scion_shows() {
    for (name, inside, script, expected) in CASES {
        let trace = Simulation::new(game(&chart(inside))).script(script);
        assert_eq!(trace, *expected, "case {name}");
    }
}

/// Charts that `scripts/scxml-charts.js` draws, with what plain code of the standard's algorithm does, in the file that
/// `TAMPER_SCXML` names.
#[test]
fn random_charts_do_what_the_standard_says() {
    if let Ok(path) = std::env::var("TAMPER_SCXML") {
        compare(&path, |chart| read_scxml("chart.scxml", chart, &ReadOptions::default()));
    }
}

#[test]
fn what_has_no_exact_meaning_is_refused_by_name() {
    let state = |inside: &str| chart(&format!(r#"<state id="a"><onentry>{inside}</onentry></state>"#));
    for (text, message) in [
        (String::new(), "the file is empty"),
        ("<scxml".to_owned(), "this is no XML"),
        ("<scxml/>".to_owned(), "the root element is not SCXML's <scxml>"),
        (chart(""), "the chart has no state"),
        (
            chart(r#"<state id="a"><transition event="E" target="b"/></state>"#),
            "no state with the id `b`",
        ),
        (
            chart(r#"<state id="a"><history id="h"/><state id="c"/></state>"#),
            "a history without states by default",
        ),
        (
            chart(r#"<parallel id="p"><final id="f"/></parallel>"#),
            "a region of a parallel state is no <final>",
        ),
        (
            state(r#"<send event="E" delay="soon"/>"#),
            "the delay `soon` is no number of whole milliseconds",
        ),
        (
            state(r#"<send event="E" delay="1.0005s"/>"#),
            "no number of whole milliseconds",
        ),
        (
            state(r#"<send event="E" delayexpr="x"/>"#),
            "the delay `x` is no constant",
        ),
        (
            state(r#"<send event="E" delayexpr="1 + 2"/>"#),
            "the delay `1 + 2` is a sum of numbers",
        ),
        (
            state(r#"<send eventexpr="e" delay="1s"/>"#),
            "has no name that is known",
        ),
        (
            state(r#"<cancel sendidexpr="e"/>"#),
            "which event this cancels is not known",
        ),
        (
            state(r##"<send event="E" delay="1s" target="#_internal"/>"##),
            "an internal event has no delay",
        ),
        (
            state(r#"<foreach item="i" array="l"><raise event="E"/></foreach>"#),
            "what a <foreach> sends is not known",
        ),
    ] {
        let error = read_scxml("chart.scxml", text.as_bytes(), &ReadOptions::default()).unwrap_err();
        assert!(error.to_string().contains(message), "{text}: {error}");
    }
}

#[test]
fn a_condition_is_exact_about_states_and_an_input_otherwise() {
    let text = chart(
        r##"<datamodel><data id="D" expr="2"/></datamodel>
        <state id="a"><onentry><send event="T" delayexpr="D + 's'"/><send event="late" target="#_parent" delay="3s"/></onentry>
        <transition event="T" cond="!(n > 1) &amp;&amp; In('a')" target="b"/></state><state id="b"/>"##,
    );
    let (_, warnings) = read_scxml("chart.scxml", text.as_bytes(), &ReadOptions::default()).unwrap();
    assert!(warnings[0].message.contains("`n > 1` is an input"), "{warnings:?}");
    let text = format!("\u{feff}{text}");
    assert_eq!(
        Simulation::new(game(&text)).script("5000"),
        "0 at_a; 2000 at_b; 3000 late"
    );
    assert_eq!(
        Simulation::new(game(&text)).script("n_1_true 5000"),
        "0 at_a; 3000 late"
    );
}

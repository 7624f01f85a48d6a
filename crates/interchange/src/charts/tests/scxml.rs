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

/// Charts that `scripts/scxml-charts.js` draws, with what plain code of the standard's algorithm does, in the file that `TAMPER_SCXML` names.
#[test]
fn random_charts_do_what_the_standard_says() {
    if let Ok(path) = std::env::var("TAMPER_SCXML") {
        compare(&path, |chart| read_scxml("chart.scxml", chart, &ReadOptions::default()));
    }
}

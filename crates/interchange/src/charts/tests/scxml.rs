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

/// A chart with a variable `n` that is 0 first, and what reading it says.
fn counting(inside: &str) -> (String, Vec<String>) {
    let text = chart(&format!(r#"<datamodel><data id="n" expr="0"/></datamodel>{inside}"#));
    let read = read_scxml("chart.scxml", text.as_bytes(), &ReadOptions::default());
    let (_, warnings) = read.unwrap_or_else(|error| panic!("{error}"));
    let said = warnings.iter().map(|said| {
        let label = said.secondary.as_ref().map_or("", |(_, label)| label.as_str());
        format!("{} ({label})", said.message)
    });
    (text, said.collect())
}

const COUNTED: &[(&str, &str, &str, &str)] = &[
    (
        "three tries",
        r#"<state id="idle"><transition event="GO" target="busy"><assign location="n" expr="0"/></transition></state>
            <state id="busy"><onentry><send event="T" delay="1s" id="t"/></onentry><onexit><cancel sendid="t"/></onexit>
            <transition event="T" cond="n &lt; 2" target="busy"><assign location="n" expr="n + 1"/></transition>
            <transition event="T" target="idle"/></state>"#,
        "GO 5000 GO 2500",
        "0 at_idle; 0 at_busy; 3000 at_idle; 5000 at_busy",
    ),
    (
        "remainders have the sign of the left side",
        r#"<datamodel><data id="b" expr="false"/></datamodel>
            <state id="a"><onentry><assign location="n" expr="-3"/><assign location="b" expr="n % 2 === -1 &amp;&amp; -n * 2 &gt;= 6"/></onentry>
            <transition event="E" cond="b != (n % 3 == 0)" target="wrong"/>
            <transition event="E" cond="b &amp;&amp; !(n + 3)" target="right"/></state><state id="wrong"/><state id="right"/>"#,
        "E",
        "0 at_a; 0 at_right",
    ),
    (
        "a counter between two numbers",
        r#"<state id="a"><transition event="E" cond="n == 3 || 3 &lt; n" target="b"/>
            <transition event="E"><assign location="n" expr="2 + n % 5"/></transition></state>
            <state id="b"><transition event="E"><assign location="n" expr="-n"/></transition>
            <transition event="F" cond="n &lt;= -4" target="a"/></state>"#,
        "E E E F E F",
        "0 at_a; 0 at_b; 0 at_a",
    ),
    (
        "what is not asked needs no values",
        r#"<state id="a"><transition event="E" target="b"><assign location="n" expr="n * 3 + 1"/></transition></state>
            <state id="b"><transition event="E" target="a"/></state>"#,
        "E E",
        "0 at_a; 0 at_b; 0 at_a",
    ),
    (
        "the event that is handled",
        r#"<state id="a"><transition event="E F" cond="_event.name !== 'E'" target="b"/>
            <transition event="C E" cond="'F' == n || _event.name == 'E'" target="c"/></state><state id="b"/><state id="c"/>"#,
        "_F_n_false E",
        "0 at_a; 0 at_c",
    ),
];

#[test]
fn integers_that_only_assignments_change_are_exact() {
    for (name, inside, script, expected) in COUNTED {
        // Conditions over numbers need no delay here.
        let (text, said) = counting(inside);
        assert_eq!(
            Simulation::new(game(&text)).script(script),
            *expected,
            "{name}: {said:?}"
        );
        assert_eq!(said.len(), usize::from(inside.contains("'F'")), "{name}: {said:?}");
    }
}

#[test]
fn a_variable_that_something_else_may_change_is_an_input() {
    let asked = r#"<state id="a"><transition event="E" cond="n % 2 == 0 &amp;&amp; In('a')" target="b"/></state><state id="b"/>"#;
    let with = |content: &str| format!(r#"<state id="c"><onentry>{content}</onentry></state>"#);
    for (content, why) in [
        (with("<script>n = 1</script>"), "named in code that may change it"),
        (with("<script>this[x] = 1</script>"), "named in code that may change it"),
        (with(r#"<script src="a.js"/>"#), "in reach of a script in another file"),
        (with(r#"<log expr="n++"/>"#), "named in code that may change it"),
        (with(r#"<foreach item="n" array="l"/>"#), "changed or handed over"),
        (
            with(r#"<foreach item="i" array="l"><assign location="n" expr="1"/></foreach>"#),
            "assigned where that is not followed",
        ),
        (
            with(r#"<send event="E" target="x" idlocation="n"/>"#),
            "changed or handed over",
        ),
        (
            with(r#"<assign location="n" expr="n / 2"/>"#),
            "assigned what is not exact",
        ),
        (
            with(r#"<assign location="n" expr="true"/>"#),
            "assigned what is not exact",
        ),
        (with(r#"<assign location="n" expr="m"/>"#), "assigned what is not exact"),
        (
            r#"<datamodel><data id="n" expr="1"/></datamodel>"#.to_owned(),
            "declared twice",
        ),
        (
            r#"<state id="c"><transition event="E"><assign location="n" expr="n + 1"/></transition></state>"#
                .to_owned(),
            "of more than 64 values",
        ),
        (
            r#"<state id="c"><transition event="E"><assign location="n" expr="n * 8192 + 1"/></transition></state>"#
                .to_owned(),
            "larger than 67108864, or in a long circle",
        ),
    ] {
        // Data may be declared within a state.
        let (_, said) = counting(&format!(r#"<parallel id="p">{content}{asked}</parallel>"#));
        assert!(
            said[0].contains("`n % 2 == 0` is an input") && said[0].contains(&format!("`n` is {why}")),
            "{content}: {said:?}"
        );
    }
    let unharmed =
        with(r#"<script>m = n1 + m.n2</script><foreach item="i" array="[n == 1]"/><log expr="f(n) &lt;= n"/>"#);
    assert_eq!(
        counting(&format!(r#"<parallel id="p">{unharmed}{asked}</parallel>"#)).1,
        [""; 0]
    );
}

#[test]
fn a_value_outside_of_a_promised_range_is_refused() {
    let text = |range: &str, bound: u8| {
        chart(&format!(
            r#"<datamodel><data id="n" expr="0" xmlns:tamper="urn:tamper:mutation" tamper:range="{range}"/></datamodel>
            <state id="a"><transition event="E" cond="n &lt; {bound}"><assign location="n" expr="n + 1"/></transition>
            <transition event="F" cond="n % 2 == 1" target="b"/></state><state id="b"/>"#
        ))
    };
    let read = |text: &str| read_scxml("chart.scxml", text.as_bytes(), &ReadOptions::default());
    for (range, bound, message) in [
        ("0..2", 3, "`n` becomes 3 here, outside of its range 0..2"),
        ("0..2", 3, "that is after the start, E, E, E:"),
        ("1..2", 2, "it is outside of its range from the beginning"),
        ("2..0", 2, "`2..0` is no range"),
    ] {
        let error = read(&text(range, bound)).unwrap_err();
        assert!(error.to_string().contains(message), "{error}");
    }
    // A range allows more values than are followed without one.
    let (document, warnings) = read(&text("0..99", 99)).unwrap();
    assert!(warnings.is_empty(), "{warnings:?}");
    // A mistake may leave the range: without the question, `n` has at most as many values as the range.
    let mistakes = read(&text("0..9", 2)).unwrap().0.automata()[0]
        .variants()
        .all()
        .to_vec();
    let negated = mistakes.iter().find(|mistake| mistake.operator == "GNE").unwrap();
    assert_eq!(Simulation::new(negated.game.clone()).script("E E E F"), "0 at_a");
    let script = "E ".repeat(101) + "F";
    let simulation = Simulation::new(document.automata()[0].clone());
    assert_eq!(simulation.script(&script), "0 at_a; 0 at_b");
}

/// Two elements that wait for one event are two transitions, and each mistake has a name of its own.
#[test]
fn mistakes_in_transitions_at_one_event_have_names_of_their_own() {
    let text = chart(
        r#"<state id="a"><onentry><send event="T" delay="5s"/></onentry><transition event="E" cond="g" target="b"/>
            <transition event="E" target="c"/><transition event="T" target="c"/></state><state id="b"/><state id="c"/>"#,
    );
    let game = game(&text);
    let variants = game.variants().all();
    let names = |operator: &str| -> Vec<String> {
        let of = variants.iter().filter(|variant| variant.operator == operator);
        of.map(|variant| variant.name.to_string()).collect()
    };
    assert_eq!(names("TRM"), ["a:E#0", "a:E#1", "a:T#0"]);
    // Entered again at E, `a` would send T without limit, so that this is no mutant; T itself comes once.
    assert_eq!(names("TGE"), ["a:E#0:=>c", "a:E#1:=>b", "a:T#0:=>a", "a:T#0:=>b"]);
}

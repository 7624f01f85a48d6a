//! What files of every vintage mean: instances, parameters, directions, old dialects. Expected values are derived by
//! hand from the files.

use tamper::formats::{Document, InputEnabling, ReadOptions, read_bytes};
use tamper::model::{Automaton, Expr, Urgency};

fn read_with(text: &str, options: &ReadOptions) -> (Document, Vec<String>) {
    match read_bytes("test.xml", text.as_bytes(), options) {
        Ok((document, warnings)) => (document, warnings.into_iter().map(|found| found.message).collect()),
        Err(error) => panic!("{error}"),
    }
}

fn read(text: &str) -> Document {
    read_with(text, &ReadOptions::default()).0
}

fn errors(text: &str) -> Vec<String> {
    let error = read_bytes("test.xml", text.as_bytes(), &ReadOptions::default()).unwrap_err();
    error.diagnostics.into_iter().map(|found| found.message).collect()
}

fn names(document: &Document) -> Vec<&str> {
    document.automata().iter().map(Automaton::name).collect()
}

fn alphabet(automaton: &Automaton) -> String {
    automaton
        .actions()
        .iter()
        .map(ToString::to_string)
        .collect::<Vec<_>>()
        .join(" ")
}

/// The constants that bound the first invariant of each automaton.
fn bounds(document: &Document) -> Vec<i64> {
    let bound = |automaton: &Automaton| {
        let invariant = &automaton.locations()[automaton.initial()].invariant;
        invariant.clocks[0].bound.as_const().unwrap()
    };
    document.automata().iter().map(bound).collect()
}

/// A template `T` with that parameter list, whose one location has the invariant `x <= bound`.
fn bounded(parameters: &str, bound: &str, globals: &str, system: &str) -> String {
    format!(
        "<nta><declaration>{globals}</declaration><template><name>T</name><parameter>{parameters}</parameter>\
         <declaration>clock x;</declaration><location id='l'><label kind='invariant'>x &lt;= {bound}</label></location>\
         <init ref='l'/></template><system>{system}</system></nta>"
    )
}

#[test]
fn instances_bind_their_arguments() {
    let document = read(&bounded(
        "const int n, bool twice",
        "n * (twice ? 2 : 1)",
        "const int K = 3;",
        "const int M = 10;\nP = T(K + 1, true);\nQ := T(M, false);\nsystem P, Q;",
    ));
    assert_eq!(names(&document), ["P", "Q"]);
    assert_eq!(bounds(&document), [8, 10]);
}

#[test]
fn ranged_parameters_give_one_instance_per_value() {
    let document = read(&bounded(
        "id_t id, const bool b",
        "id + b",
        "typedef int[1,2] id_t;",
        "system T;",
    ));
    assert_eq!(names(&document), ["T(1,0)", "T(1,1)", "T(2,0)", "T(2,1)"]);
    assert_eq!(bounds(&document), [1, 2, 2, 3]);
    assert_eq!(document.find("T(2,0)"), Some(2));
    assert_eq!(document.layout(2).locations.len(), 1);
}

#[test]
fn templates_are_instances_when_the_system_line_names_them_or_is_absent() {
    let text = bounded("", "4", "", "");
    assert_eq!(names(&read(&text)), ["T"]);
    assert_eq!(names(&read(&text.replace("<system></system>", ""))), ["T"]);
    assert_eq!(names(&read(&text.replace("<system>", "<system>system T;"))), ["T"]);
}

#[test]
fn a_parameter_by_reference_is_the_global_it_is_bound_to() {
    let text = "<nta><declaration>chan press; urgent chan now; clock g; int[0,4] n = 2;</declaration>\
        <template><name>T</name><parameter>chan &amp;c, urgent chan &amp;u, clock &amp;x, int[0,4] &amp;i</parameter>\
        <location id='l'><label kind='invariant'>x &lt;= i</label></location><init ref='l'/>\
        <transition><source ref='l'/><target ref='l'/><label kind='synchronisation'>c?</label>\
        <label kind='assignment'>x = 0, i = 3</label></transition>\
        <transition><source ref='l'/><target ref='l'/><label kind='synchronisation'>u!</label></transition>\
        </template><system>P = T(press, now, g, n); system P;</system></nta>";
    let document = read(text);
    let automaton = &document.automata()[0];
    assert_eq!(alphabet(automaton), "press? now!");
    let urgent: Vec<_> = automaton.actions().iter().map(|action| action.urgent).collect();
    assert_eq!(urgent, [false, true]);
    let ints: Vec<_> = automaton
        .ints()
        .iter()
        .map(|var| (var.low, var.high, var.initial))
        .collect();
    assert_eq!(ints, [(0, 4, 2)]);
    assert_eq!(automaton.clocks().len(), 1);
}

/// By value means the value at the start, which only a constant has for certain.
#[test]
fn a_variable_is_not_handed_over_by_value() {
    let text = bounded("int[0,4] n", "n", "int[0,4] i;", "P = T(i); system P;");
    assert_eq!(errors(&text), ["`i` is not a constant"]);
    assert_eq!(bounds(&read(&text.replace("T(i)", "T(3)"))), [3]);
}

#[test]
fn only_the_globals_an_automaton_mentions_are_copied_into_it() {
    let text = "<nta><declaration>clock g, h; int i, j; chan a;</declaration><template><name>T</name>\
        <declaration>clock own;</declaration><location id='l'><label kind='invariant'>h &lt;= 3 &amp;&amp; j &lt; 2</label>\
        </location><init ref='l'/></template></nta>";
    let document = read(text);
    let automaton = &document.automata()[0];
    let clocks: Vec<_> = automaton.clocks().iter().map(|clock| &*clock.name).collect();
    let ints: Vec<_> = automaton.ints().iter().map(|var| &*var.name).collect();
    assert_eq!((clocks, ints), (vec!["own", "h"], vec!["j"]));
}

/// One location, one edge `a?`, and that system section.
fn machine(system: &str, local: &str) -> String {
    format!(
        "<nta><declaration>broadcast chan a, b, c;</declaration><template><name>M</name><declaration>{local}</declaration>\
         <location id='l'/><init ref='l'/><transition><source ref='l'/><target ref='l'/>\
         <label kind='synchronisation'>a?</label></transition></template><system>{system}</system></nta>"
    )
}

#[test]
fn an_io_line_fixes_the_alphabet_and_ignores_missing_inputs() {
    let enabled = |text: &str, input_enabling| {
        let document = read_with(
            text,
            &ReadOptions {
                input_enabling,
                ..ReadOptions::default()
            },
        )
        .0;
        (
            alphabet(&document.automata()[0]),
            document.automata()[0].is_input_enabled(),
        )
    };
    let with = machine("system M;\nIO M { a?, b?, c! }", "");
    let without = machine("system M;", "");
    assert_eq!(enabled(&with, InputEnabling::Auto), ("a? b? c!".to_owned(), true));
    assert_eq!(enabled(&with, InputEnabling::Off), ("a? b? c!".to_owned(), false));
    assert_eq!(enabled(&without, InputEnabling::Auto), ("a?".to_owned(), false));
    assert_eq!(enabled(&without, InputEnabling::On), ("a?".to_owned(), true));
}

#[test]
fn an_alphabet_directive_adds_actions_without_ignoring_inputs() {
    let document = read(&machine(
        "system M;",
        "clock x; // tamper:alphabet b? c! tau\n// tamper:alphabet b!",
    ));
    let automaton = &document.automata()[0];
    assert_eq!(alphabet(automaton), "b? c! tau b! a?");
    assert!(!automaton.is_input_enabled());
    assert_eq!(
        errors(&machine("system M;", "// tamper:alphabet z?")),
        ["`z` is not declared"]
    );
}

#[test]
fn an_io_line_may_name_the_template_of_an_instance() {
    let document = read(&machine(
        "P = M(); Q = M();\nsystem P, Q;\nIO M { a?, b! } IO Q { a? }",
        "",
    ));
    assert_eq!(
        document.automata().iter().map(alphabet).collect::<Vec<_>>(),
        ["a? b!", "a?"]
    );
}

#[test]
fn processes_that_would_synchronise_are_read_apart_with_a_warning() {
    let text = machine("system M, N;", "").replace(
        "<system>",
        "<template><name>N</name><location id='k'/><init ref='k'/><transition><source ref='k'/><target ref='k'/>\
         <label kind='synchronisation'>a!</label></transition></template><system>",
    );
    let (document, warnings) = read_with(&text, &ReadOptions::default());
    assert_eq!(names(&document), ["M", "N"]);
    assert_eq!(
        warnings,
        ["`N` and `M` would synchronise on `a`, but are read as two separate games"]
    );
}

#[test]
fn the_oldest_dialect_is_read() {
    let text = "<?xml version='1.0'?><!DOCTYPE nta PUBLIC \"-//Uppaal Team//DTD Flat System 1.0//EN\" \
        \"http://www.docs.uu.se/docs/rtmv/uppaal/xml/flat-1_0.dtd\"><nta><declaration>chan go; const N 5;</declaration>\
        <template><name>T</name><parameter>chan c; const n, m</parameter><declaration>clock x;</declaration>\
        <location id='l'><label kind='invariant'>x &lt;= n + m</label></location><init ref='l'/>\
        <transition><source ref='l'/><target ref='l'/><label kind='guard'>x &gt;= 1, x &lt; N</label>\
        <label kind='synchronisation'>c!</label><label kind='assignment'>x := 0</label></transition></template>\
        <instantiation>P := T(go, 1, 2);</instantiation><system>system P;</system></nta>";
    let document = read(text);
    assert_eq!(bounds(&document), [3]);
    let automaton = &document.automata()[0];
    assert_eq!(alphabet(automaton), "go!");
    let guard = &automaton.edges().as_slice()[0].guard;
    let shown: Vec<_> = guard
        .clocks
        .iter()
        .map(|atom| (atom.cmp.symbol(), atom.bound.clone()))
        .collect();
    assert_eq!(shown, [(">=", Expr::Const(1)), ("<", Expr::Const(5))]);
}

/// Engines of this field lose an invariant that another label precedes.
#[test]
fn an_invariant_behind_another_label_is_kept() {
    let text = bounded("", "4", "", "").replace(
        "<label kind='inv",
        "<label kind='comments'>x &lt;= 1</label><label kind='inv",
    );
    assert_eq!(bounds(&read(&text)), [4]);
}

/// Engines of this field ignore initial values of integers, urgency, and constants above 2^29.
#[test]
fn initial_values_urgency_and_large_constants_are_kept() {
    let text = "<nta><template><name>T</name><declaration>int i = 7; clock x;</declaration>\
        <location id='u'><label kind='invariant'>i == 7 &amp;&amp; x &lt;= 1073741825</label><urgent/></location>\
        <location id='c'><committed/></location><location id='n'/><init ref='c'/></template></nta>";
    let document = read(text);
    let automaton = &document.automata()[0];
    assert_eq!(automaton.ints().as_slice()[0].initial, 7);
    let urgency: Vec<_> = automaton.locations().iter().map(|location| location.urgency).collect();
    assert_eq!(urgency, [Urgency::Urgent, Urgency::Committed, Urgency::Normal]);
    let invariant = &automaton.locations().as_slice()[0].invariant;
    assert_eq!(invariant.clocks[0].bound, Expr::Const(1_073_741_825));
    assert_eq!(&*automaton.locations()[automaton.initial()].name, "c");
}

#[test]
fn entities_the_file_declares_are_what_they_stand_for() {
    let text = bounded("", "&limit;", "", "").replace("<nta>", "<!DOCTYPE nta [ <!ENTITY limit \"2 + 3\"> ]><nta>");
    assert_eq!(bounds(&read(&text)), [5]);
}

#[test]
fn the_layout_leads_to_the_text_of_every_part() {
    let text = machine("system M;", "").replace("?</label>", "?</label><label kind='guard'>1 &lt; 2</label>");
    let document = read(&text);
    let layout = document.layout(0);
    let shown = |span: tamper::text::Span| &document.source().text()[span.range()];
    assert_eq!(shown(layout.name.content), "M");
    assert!(shown(layout.template).starts_with("<template>") && shown(layout.template).ends_with("</template>"));
    assert_eq!(
        layout
            .locations
            .iter()
            .map(|place| shown(place.element))
            .collect::<Vec<_>>(),
        ["<location id='l'/>"]
    );
    let edge = &layout.edges.as_slice()[0];
    assert_eq!(shown(edge.guard.unwrap().content), "1 &lt; 2");
    assert_eq!(shown(edge.synchronisation.unwrap().content), "a?");
    assert!(edge.assignment.is_none());
}

#[test]
fn all_errors_of_a_file_come_in_one_go_in_its_order() {
    let text = "<nta><declaration>int[3,1] i; chan a</declaration><template><name>T</name><location id='l'>\
        <label kind='invariant'>x &lt;= 3</label></location><transition><source ref='l'/><target ref='m'/>\
        <label kind='guard'>y &gt; 1 &amp;&amp; (</label><label kind='synchronisation'>b!</label></transition></template>\
        <system>system U;</system></nta>";
    let expected = [
        "the range [3,1] is empty",
        "expected `;`, found the end of the text",
        "this template has no initial location",
        "no location of this template has the id `m`",
        "expected an expression, found the end of the text",
        "there is no template or process `U`",
    ];
    assert_eq!(errors(text), expected);
}

#[test]
fn ten_thousand_edges_are_read() {
    let mut text = String::from(
        "<nta><declaration>chan a;</declaration><template><name>T</name><declaration>clock x;</declaration>",
    );
    for location in 0..1000 {
        text.push_str(&format!("<location id='id{location}'/>"));
    }
    text.push_str("<init ref='id0'/>");
    for edge in 0..10_000 {
        let (source, target) = (edge % 1000, edge * 7 % 1000);
        text.push_str(&format!(
            "<transition><source ref='id{source}'/><target ref='id{target}'/><label kind='guard'>x &gt;= {edge}</label>\
             <label kind='synchronisation'>a!</label></transition>"
        ));
    }
    text.push_str("</template></nta>");
    let document = read(&text);
    assert_eq!(document.automata()[0].edges().len(), 10_000);
}

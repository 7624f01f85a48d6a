//! UPPAAL's rules on networks written by hand: what is expected follows from the rule in the test's name.

use tamper::formats::read_network;
use tamper::model::{Automaton, Urgency};
use tamper::network::{View, compose};
use tamper::text::{Budget, Id};

use super::composition::composed;

fn file(globals: &str, templates: &[(&str, &str, &str)], system: &str) -> String {
    let escape = |text: &str| text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    let templates = templates.iter().map(|(name, locals, body)| {
        format!(
            "<template><name>{name}</name><declaration>{}</declaration>{body}</template>",
            escape(locals)
        )
    });
    let templates: String = templates.collect();
    format!(
        "<nta><declaration>{}</declaration>{templates}<system>system {};</system></nta>",
        escape(globals),
        escape(system)
    )
}

/// Locations `A committed` and edges `A -> B : c! | guard | update`, the first location initial.
fn body(locations: &str, edges: &[&str]) -> String {
    let escape = |text: &str| text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    let mut text = String::new();
    for location in locations.split(';') {
        let (name, rest) = location.trim().split_once(' ').unwrap_or((location.trim(), ""));
        let inner = match rest {
            "committed" | "urgent" => format!("<{rest}/>"),
            "" => String::new(),
            invariant => format!("<label kind=\"invariant\">{}</label>", escape(invariant)),
        };
        text += &format!("<location id=\"{name}\"><name>{name}</name>{inner}</location>");
    }
    let first = locations.split([';', ' ']).next().unwrap();
    text += &format!("<init ref=\"{first}\"/>");
    for edge in edges {
        let (ends, labels) = edge.split_once(" : ").unwrap_or((edge, ""));
        let (source, target) = ends.split_once(" -> ").unwrap();
        text += &format!(
            "<transition><source ref=\"{}\"/><target ref=\"{}\"/>",
            source.trim(),
            target.trim()
        );
        for (kind, label) in ["synchronisation", "guard", "assignment", "select"]
            .iter()
            .zip(labels.split('|'))
        {
            if !label.trim().is_empty() {
                text += &format!("<label kind=\"{kind}\">{}</label>", escape(label.trim()));
            }
        }
        text += "</transition>";
    }
    text
}

/// The edges as `source action target`.
fn edges(automaton: &Automaton) -> Vec<String> {
    let name = |at| automaton.locations()[at].name.to_string();
    let edges = automaton.edges().iter();
    edges
        .map(|edge| {
            format!(
                "{} {} {}",
                name(edge.source),
                automaton.actions()[edge.action],
                name(edge.target)
            )
        })
        .collect()
}

#[test]
fn the_senders_update_runs_before_the_receivers() {
    let xml = file(
        "chan c; int v;",
        &[
            ("R", "", &body("A;B", &["A -> B : c? | | v = v * 2"])),
            ("S", "", &body("A;B", &["A -> B : c! | | v = 3"])),
        ],
        "R, S",
    );
    let (file, _) = read_network("f.xml", xml.as_bytes()).unwrap();
    let composed = compose(&file.network, &View::closed("S", &file.network), &Budget::unlimited()).unwrap();
    assert_eq!(
        super::composition::states_in_words(&composed, &file.network),
        ["R.A S.A v=0", "R.B S.B v=6"]
    );
}

#[test]
fn a_committed_location_moves_first_and_stops_time() {
    let xml = file(
        "chan c;",
        &[
            ("P", "", &body("A committed;B", &["A -> B : c!"])),
            ("Q", "", &body("A;B", &["A -> B : c?", "A -> A"])),
        ],
        "P, Q",
    );
    let automaton = composed(&xml);
    assert_eq!(edges(&automaton), ["A_A c! B_B"]);
    assert_eq!(automaton.locations()[automaton.initial()].urgency, Urgency::Committed);
}

#[test]
fn an_urgent_synchronisation_stops_time_only_where_both_ends_are_ready() {
    let xml = file(
        "urgent chan c; bool ready;",
        &[
            ("P", "", &body("A;B", &["A -> B : c!"])),
            (
                "Q",
                "",
                &body("A;B", &["A -> B : c? | ready", "A -> A : | !ready | ready = true"]),
            ),
        ],
        "P, Q",
    );
    let urgency: Vec<Urgency> = composed(&xml)
        .locations()
        .iter()
        .map(|location| location.urgency)
        .collect();
    assert_eq!(urgency, [Urgency::Normal, Urgency::Urgent, Urgency::Normal]);
}

#[test]
fn clock_guards_of_receivers_split_a_broadcast() {
    let xml = file(
        "broadcast chan c; clock x;",
        &[
            ("S", "", &body("A;B", &["A -> B : c!"])),
            ("R", "", &body("A;B", &["A -> B : c? | x >= 2"])),
        ],
        "S, R",
    );
    let automaton = composed(&xml);
    let guards: Vec<String> = automaton
        .edges()
        .iter()
        .map(|edge| tamper::formats::guard_text(&automaton, &edge.guard, &[]))
        .collect();
    assert_eq!(edges(&automaton), ["A_A c! B_A", "A_A c! B_B"]);
    assert_eq!(guards, ["x < 2", "x >= 2"]);
}

#[test]
fn a_step_of_higher_priority_blocks_where_it_can_be_taken() {
    // `high` leads to an invariant x <= 3: above 3 it cannot be taken, and blocks nothing.
    let xml = file(
        "chan low, high; chan priority low < high; clock x;",
        &[
            (
                "P",
                "",
                &body("A;B x <= 3;C", &["A -> C : low!", "A -> B : high! | x >= 1"]),
            ),
            ("Q", "", &body("A", &["A -> A : low?", "A -> A : high?"])),
        ],
        "P, Q",
    );
    let automaton = composed(&xml);
    let shown: Vec<String> = automaton
        .edges()
        .iter()
        .map(|edge| {
            format!(
                "{} {}",
                automaton.actions()[edge.action],
                tamper::formats::guard_text(&automaton, &edge.guard, &[])
            )
        })
        .collect();
    assert_eq!(shown, ["low! x < 1", "low! x > 3", "high! x >= 1"]);
}

/// The actions that are left of those of `P`, with these labels, and of `Q`, with that one; `R` hears what they send.
fn left_of(priorities: &str, (p, q): (&[&str], &str), system: &str) -> Vec<String> {
    let edges: Vec<String> = p.iter().map(|sync| format!("A -> A : {sync}")).collect();
    let edges: Vec<&str> = edges.iter().map(String::as_str).collect();
    let heard = p.iter().chain([&q]).filter_map(|sync| sync.strip_suffix('!'));
    let heard: Vec<String> = heard.map(|chan| format!("A -> A : {chan}?")).collect();
    let heard: Vec<&str> = heard.iter().map(String::as_str).collect();
    let xml = file(
        &format!("chan a, b, c, d; {priorities}"),
        &[
            ("P", "", &body("A", &edges)),
            ("Q", "", &body("A", &[&format!("A -> A : {q}")])),
            ("R", "", &body("A", &heard)),
        ],
        system,
    );
    edges_of(&xml)
}

fn edges_of(xml: &str) -> Vec<String> {
    let automaton = composed(xml);
    let mut found: Vec<String> = automaton
        .edges()
        .iter()
        .map(|edge| automaton.actions()[edge.action].to_string())
        .collect();
    found.sort();
    found
}

#[test]
fn channels_are_compared_before_processes_and_the_highest_process_of_a_step_counts() {
    let both: (&[&str], &str) = (&["a!", "b!"], "c!");
    // Channels that are not listed, and steps without one, have the default.
    let listed = "chan priority a < default < b;";
    assert_eq!(left_of(listed, both, "P, Q, R"), ["b!"]);
    assert_eq!(left_of("chan priority a < default;", both, "P, Q, R"), ["b!", "c!"]);
    assert_eq!(left_of("chan priority a < default;", (&["a!"], ""), "P, Q, R"), ["tau"]);
    assert_eq!(left_of("chan priority default < a;", (&["a!"], ""), "P, Q, R"), ["a!"]);
    // The channel decides, though Q stands above P.
    assert_eq!(left_of("chan priority default < a;", both, "R < P < Q"), ["a!"]);
    // R takes part in all synchronisations: above the others it makes them equal.
    assert_eq!(left_of("", both, "P < Q < R"), ["a!", "b!", "c!"]);
    assert_eq!(left_of("", both, "R < P < Q"), ["c!"]);
    assert_eq!(left_of("", (&["a!"], ""), "P < Q < R"), ["a!"]);
    assert_eq!(left_of("", (&["a!"], ""), "P, R < Q"), ["tau"]);
    // An input from outside waits for higher channels only, and nothing waits for it.
    assert_eq!(left_of("", (&["a!", "d?"], ""), "P, R < Q"), ["d?", "tau"]);
    assert_eq!(
        left_of("chan priority d < default;", (&["d?"], ""), "Q < P, R"),
        ["tau"]
    );
    assert_eq!(
        left_of("chan priority default < d;", (&["d?"], ""), "Q < P, R"),
        ["d?", "tau"]
    );
}

#[test]
fn a_variable_that_leaves_its_range_is_an_error_with_a_run() {
    let xml = file(
        "int[0,1] v; clock x;",
        &[("P", "", &body("A x <= 4;B", &["A -> A : | x >= 2 | v += 1, x = 0"]))],
        "P",
    );
    let (file, _) = read_network("f.xml", xml.as_bytes()).unwrap();
    let error = compose(&file.network, &View::closed("S", &file.network), &Budget::unlimited()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "P: A -> A (line 1): 2 is not in the range [0,1] of `v`; a run that gets there:\n  P: A -> A (line 1) when x >= 2"
    );
}

#[test]
fn a_variable_stays_in_its_range_where_the_clocks_say_so() {
    // Only zones know that the second step comes too late for the invariant.
    let xml = file(
        "int[0,1] v; clock x, y;",
        &[("P", "", &body("A y <= 3", &["A -> A : | x >= 2 | v += 1, x = 0"]))],
        "P",
    );
    assert_eq!(edges(&composed(&xml)), ["A tau A_2"]);
}

#[test]
fn functions_arrays_structures_and_partial_instances_are_read() {
    let xml = file(
        "const int N = 2; typedef int[0,N-1] id_t; typedef struct { int[0,9] n; bool used[N]; } slot;
         slot s[id_t]; const int step[N] = {1, 4}; chan go[N];
         void mark(slot &one, const id_t who) { one.n += step[who]; one.used[who] = true; }
         int total() { int all = 0; for (i : id_t) { all += s[i].n; } return all; }",
        &[
            (
                "T",
                "slot own;",
                &body(
                    "A;B",
                    &["A -> B : go[id]! | total() == id | mark(s[id], id), own = s[id]"],
                ),
            ),
            (
                "R",
                "",
                &body(
                    "A",
                    &["A -> A : go[e]? | forall (i : id_t) i <= e imply s[i].n < 9 | | e : id_t"],
                ),
            ),
        ],
        "P, R",
    );
    let xml = xml.replace(
        "<name>T</name>",
        "<name>T</name><parameter>const id_t id, const int unused</parameter>",
    );
    let xml = xml.replace("<system>", "<system>P(const id_t i) = T(i, 5); ");
    let (file, _) = read_network("f.xml", xml.as_bytes()).unwrap_or_else(|error| panic!("{error}"));
    let composed = compose(&file.network, &View::closed("S", &file.network), &Budget::unlimited()).unwrap();
    let states = super::composition::states_in_words(&composed, &file.network);
    let last = states.last().unwrap();
    assert!(last.starts_with("P(0).B P(1).B R.A "), "{last}");
    assert!(
        last.contains("s[0].n=1 s[0].used[0]=1 s[0].used[1]=0 s[1].n=4 s[1].used[0]=0 s[1].used[1]=1"),
        "{last}"
    );
    assert!(last.contains("P(1).own.n=4"), "{last}");
    let names: Vec<String> = composed.automaton.actions().iter().map(ToString::to_string).collect();
    assert_eq!(names, ["go_0!", "go_1!"]);
}

#[test]
fn what_has_no_exact_meaning_is_refused_by_name() {
    let check = |globals: &str, locals: &str, edge: &str, message: &str| {
        let xml = file(globals, &[("P", locals, &body("A", &[edge]))], "P");
        let error = read_network("f.xml", xml.as_bytes()).map(|_| ()).unwrap_err();
        let found: Vec<&str> = error.diagnostics.iter().map(|found| found.message.as_str()).collect();
        assert_eq!(found, [message], "{globals} {edge}");
    };
    let recursive = "int f(int n) { return n == 0 ? 1 : n * f(n - 1); }";
    check(
        recursive,
        "",
        "A -> A : | f(1) > 0",
        "`f` calls itself: recursion is not supported",
    );
    let double = "`d` is a floating-point variable, which is not supported";
    check("double d;", "", "A -> A : | d > 0", double);
    check(
        "int v; int f() { v = 1; return 1; }",
        "",
        "A -> A : | f() == 1",
        "a condition that changes a variable or clock",
    );
    let hybrid = "`h` is a hybrid clock, which is not supported";
    check("hybrid clock h;", "", "A -> A : | h > 0", hybrid);
    check(
        "clock x; int v;",
        "",
        "A -> A : | x * 2 < 3",
        "the clock `x` is used as a number",
    );
    check(
        "const int n = 1;",
        "",
        "A -> A : | | n = 2",
        "`n` is a constant and cannot be changed",
    );
}

#[test]
fn names_of_locations_stay_apart() {
    let xml = file(
        "int[0,2] v;",
        &[(
            "P",
            "",
            &body("A;A_2", &["A -> A : | v < 2 | v += 1", "A -> A_2 : | v == 0"]),
        )],
        "P",
    );
    let automaton = composed(&xml);
    let names: Vec<&str> = automaton.locations().iter().map(|location| &*location.name).collect();
    assert_eq!(names, ["A", "A_3", "A_2", "A_4"]);
    assert_eq!(automaton.initial().index(), 0);
}

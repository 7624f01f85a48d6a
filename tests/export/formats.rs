//! The writers and readers of TChecker's and Ecdar's formats.

use std::collections::BTreeMap;

use tamper::formats::{
    Inexpressible, Part, Placement, ReadError, ReadOptions, read_ecdar, read_file, read_tchecker, render,
    write_component, write_tchecker,
};
use tamper::model::Automaton;
use tamper::mutation::{MutationOptions, Mutations};

use crate::export::grammar::{component_faults, tchecker_faults};
use crate::export::{STUDIES, models, study};
use crate::show::show;

/// The automaton that a `.tck` file holds.
fn from_tchecker(text: &str) -> Automaton {
    match read_tchecker("written.tck", text.as_bytes(), &ReadOptions::default()) {
        Ok((document, warnings)) => {
            assert!(warnings.is_empty(), "{warnings:?}");
            document.automata()[0].clone()
        }
        Err(error) => panic!("{error}\n{text}"),
    }
}

/// Writes `automaton` as TChecker's, checks the grammar, reads it back.
fn round_tchecker(automaton: &Automaton) -> Result<(), Inexpressible> {
    let text = write_tchecker(automaton)?;
    assert_eq!(tchecker_faults(&text), [""; 0], "{text}");
    assert_eq!(show(&from_tchecker(&text)), show(automaton), "{text}");
    Ok(())
}

/// The same for Ecdar.
fn round_ecdar(automaton: &Automaton) -> Result<(), Inexpressible> {
    let component = write_component(automaton, "C", &Placement::default())?;
    let text = serde_json::to_string(&component).unwrap();
    assert_eq!(
        component_faults(&serde_json::from_str(&text).unwrap()),
        [""; 0],
        "{text}"
    );
    let mut files = vec![("Components/C.json".to_owned(), text.clone().into_bytes())];
    if automaton.is_input_enabled() {
        let actions: Vec<_> = automaton.actions().iter().map(ToString::to_string).collect();
        let system = serde_json::json!({ "name": "", "declarations": format!("system C;\n\nIO C {{ {} }}", actions.join(", ")) });
        files.push(("SystemDeclarations.json".to_owned(), system.to_string().into_bytes()));
    }
    match read_ecdar(&files, &ReadOptions::default()) {
        Ok((document, _)) => assert_eq!(show(&document.automata()[0]), show(automaton), "{text}"),
        Err(error) => panic!("{error}\n{text}"),
    }
    Ok(())
}

/// Every first-order mutant, and of every seventh one a few of its own.
fn mutants(automaton: &Automaton) -> Vec<Automaton> {
    let options = MutationOptions {
        conjuncts: true,
        ..MutationOptions::default()
    };
    let mut list = vec![automaton.clone()];
    let first = Mutations::of(automaton, &options);
    for (number, mutation) in first.iter().enumerate().step_by((first.len() as usize).div_ceil(150)) {
        let mutant = mutation.apply(automaton);
        if number % 7 == 0 {
            let second = Mutations::of(&mutant, &options);
            let some = second.iter().skip(number % 5).step_by(1 + second.len() as usize / 4);
            list.extend(some.map(|mutation| mutation.apply(&mutant)));
        }
        list.push(mutant);
    }
    list
}

#[test]
fn all_studies_are_valid_for_both_tools_and_their_mutants_read_back() {
    for name in STUDIES {
        let (document, _) = read_file(&study(name), &ReadOptions::default()).unwrap();
        for mutant in mutants(&document.automata()[0]) {
            round_tchecker(&mutant).unwrap_or_else(|error| panic!("{name}: {error}"));
            round_ecdar(&mutant).unwrap_or_else(|error| panic!("{name}: {error}"));
        }
    }
}

#[test]
fn what_a_format_cannot_say_is_refused_by_name() {
    let mut reasons = BTreeMap::<String, usize>::new();
    let mut written = [0, 0];
    for path in models("uppaal-models")
        .into_iter()
        .chain(models("tests/data/roundtrip"))
    {
        let (document, _) = read_file(&path, &ReadOptions::default()).unwrap();
        for automaton in document.automata() {
            for (at, round) in [round_tchecker, round_ecdar].into_iter().enumerate() {
                match round(automaton) {
                    Ok(()) => written[at] += 1,
                    Err(error) => {
                        assert!(error.to_string().contains(error.format), "{error}");
                        let kind = format!("{} {:?}", error.format, error.part);
                        let kind = kind.split('(').next().unwrap_or_default().to_owned();
                        *reasons.entry(kind).or_default() += 1;
                    }
                }
            }
        }
    }
    assert!(written.iter().all(|count| *count > 30), "{written:?}");
    // The awkward files have all of these; nothing else is refused.
    let names: Vec<&str> = reasons.keys().map(String::as_str).collect();
    assert_eq!(names, EXPECTED_REASONS, "{reasons:?}");
}

const EXPECTED_REASONS: [&str; 8] = [
    "Ecdar Condition",
    "Ecdar InternalEdge",
    "Ecdar Select",
    "Ecdar UrgentChannel",
    "TChecker Condition",
    "TChecker IgnoredInputs",
    "TChecker Name",
    "TChecker Select",
];

#[test]
fn expressions_mean_what_tchecker_means_by_them() {
    let file = |condition: &str, statement: &str| {
        format!(
            "# tamper:alphabet a! b=tau\nsystem:S\nprocess:P\nevent:a\nevent:b\nclock:1:x\nclock:1:y\nint:1:-3:7:-1:i\n\
             location:P:l{{initial: : invariant: x<=2}}\nlocation:P:m{{urgent:}}\n\
             edge:P:l:m:a{{provided: {condition} : do: {statement}}}\nedge:P:m:l:b\n"
        )
    };
    let edge = |condition: &str, statement: &str| {
        let shown = show(&from_tchecker(&file(condition, statement)));
        shown
            .lines()
            .find(|line| line.starts_with("l -> m"))
            .unwrap()
            .to_owned()
    };
    let i = "i[-3,7]=-1";
    let check = |condition: &str, expected: &str| {
        let shown = edge(condition, "nop");
        assert_eq!(shown, format!("l -> m a! [] {expected} []"), "{condition}");
    };
    // `!` takes the whole comparison, unlike UPPAAL's.
    check("! i == 1", &format!("(Not (Eq {i} 1))"));
    check("!(i==1) && x<5", &format!("x - None Lt 5 & (Not (Eq {i} 1))"));
    check("! x <= 5", "x - None Gt 5");
    // Conditions without clocks stay as they are written.
    check("! !i && x-y>2", &format!("x - Some(\"y\") Gt 2 & (Not (Not {i}))"));
    check(
        "x <= (if i==0 then 1 else 2+i)",
        &format!("x - None Le (if (Eq {i} 0) 1 (Add 2 {i}))"),
    );
    check(
        "x<=(if !i then (if i<2 then 1 else 2) else 3)",
        &format!("x - None Le (if (Not {i}) (if (Lt {i} 2) 1 2) 3)"),
    );
    assert_eq!(
        edge("i", "i = i+1; nop; x=0 ;"),
        format!("l -> m a! [] {i} [\"{i} := (Add {i} 1)\", \"x := 0\"]").replace(&format!("\"{i} :="), "\"i :="),
    );
}

/// The line of the first mark of a drawn finding, and the text that is marked.
fn marked(drawn: &str) -> (String, String) {
    let lines: Vec<&str> = drawn.lines().collect();
    let at = lines.iter().position(|line| line.contains('^')).expect(drawn);
    let place = lines
        .iter()
        .find_map(|line| line.trim_start().strip_prefix("--> "))
        .expect(drawn);
    let line = place.split(':').nth(1).expect(drawn).to_owned();
    let under = lines[at].chars().zip(lines[at - 1].chars());
    (line, under.filter(|(mark, _)| *mark == '^').map(|(_, c)| c).collect())
}

fn drawn<T>(result: Result<T, ReadError>) -> String {
    match result {
        Ok(_) => String::new(),
        Err(error) => render(&error.file, &error.diagnostics, false),
    }
}

/// A check that `good`, in which nothing is wrong, with one text replaced is drawn with that finding and mark.
fn pointed_at(good: &str, read: impl Fn(&str) -> String) -> impl Fn(&str, &str, (u32, &str), &str) {
    assert_eq!(read(good), "");
    move |from, to, (line, mark), message| {
        assert!(good.contains(from), "{from}");
        let drawn = read(&good.replacen(from, to, 1));
        assert!(drawn.contains(message), "{drawn}");
        assert_eq!(marked(&drawn), (line.to_string(), mark.to_owned()), "{drawn}");
    }
}

#[test]
fn what_is_wrong_with_a_tchecker_file_is_pointed_at() {
    let good = "# tamper:alphabet a!\nsystem:S\nprocess:P\nevent:a\nclock:1:x\nlocation:P:l{initial:}\nedge:P:l:l:a{provided:x<=2}\n";
    let check = pointed_at(good, |text| {
        drawn(read_tchecker("file.tck", text.as_bytes(), &ReadOptions::default()))
    });
    check(
        "clock:1:x",
        "clock:2:x",
        (5, "2"),
        "arrays of variables are not supported",
    );
    check("clock:1:x", "clock:x", (5, "clock:x"), "`clock` has 1 fields, not 2");
    check(
        "clock:1:x",
        "clock:1:x\nint:1:0:1:0:x",
        (6, "x"),
        "the variable `x` is declared twice",
    );
    check("clock:1:x", "clock:1:P.x", (5, "P.x"), "has a `.` in its name");
    check("x<=2", "x<=2 || x>3", (7, "|"), "'|' means nothing in TChecker");
    check(
        "x<=2",
        "x<=2 and x>1",
        (7, "and"),
        "`and` means nothing in a TChecker condition",
    );
    check("x<=2", "z<=2", (7, "z"), "`z` is not declared");
    check("x<=2", "x<=2:do:x=y", (7, "y"), "`y` is not declared");
    check(
        "x<=2",
        "x<=2:do:if x<=2 then x=0 end",
        (7, "if x<=2 then x=0 end"),
        "the statement `if` is not supported",
    );
    check(
        "x<=2",
        "x<=if 1 then 2 else 3",
        (7, "if"),
        "`if` stands outside a conditional",
    );
    check("event:a", "events:a", (4, "events"), "`events` declares nothing");
    check("l:l:a", "l:m:a", (7, "m"), "`P` has no location `m`");
    check("l:l:a", "l:l:b", (7, "b"), "the event `b` is not declared");
    check(
        "# tamper:alphabet a!",
        "#",
        (7, "a"),
        "whether the event `a` is an input or an output",
    );
    check(
        "alphabet a!",
        "alphabet a",
        (1, "alphabet a"),
        "`a` is neither an input",
    );
    check("{initial:}", "", (3, "P"), "has no initial location");
    check(
        "edge:P",
        "sync:P@a:Q@a\nedge:P",
        (7, "Q"),
        "the process `Q` is not declared",
    );
    check("edge:P", "sync:P@b\nedge:P", (7, "b"), "the event `b` is not declared");
    check("edge:P", "sync:P\nedge:P", (7, "P"), "`P` names no process and event");
    check(
        "edge:P",
        "sync:P@a:P@a?\nedge:P",
        (7, "P@a?"),
        "`P` is twice in this vector",
    );
    check("process:P\n", "", (5, "P"), "the process `P` is not declared");
    check("{provided:x<=2}", "{provided:x<=2", (7, "{"), "never end");
    check("system:S\n", "", (2, "process"), "does not start with a system");
}

#[test]
fn what_is_wrong_with_a_component_is_pointed_at() {
    let good = r#"{ "name": "C", "declarations": "clock x;",
  "locations": [ { "id": "L0", "type": "INITIAL", "urgency": "NORMAL", "invariant": "x\u003c=2", "x": 1.5 } ],
  "edges": [ { "sourceLocation": "L0", "targetLocation": "L0", "status": "OUTPUT", "sync": "a", "guard": "x\u003e1" } ] }"#;
    let read = |text: &str| {
        drawn(read_ecdar(
            &[("C.json".to_owned(), text.into())],
            &ReadOptions::default(),
        ))
    };
    let check = pointed_at(good, read);
    // A place inside a text is that of the character, escapes before it or not.
    check("x\\u003e1", "x\\u003ey", (3, "y"), "`y` is not declared");
    check(
        "x\\u003c=2",
        "x\\u003c=2 || x>3",
        (2, "x\\u003c=2 || x>3"),
        "disjunction",
    );
    check(
        "\"INITIAL\"",
        "\"PROHIBITED\"",
        (2, "\"PROHIBITED\""),
        "locations of type PROHIBITED are not supported",
    );
    check("\"INITIAL\"", "\"NORMAL\"", (1, "\"C\""), "no initial location");
    check(
        "\"urgency\": \"NORMAL\"",
        "\"urgency\": \"PROHIBITED\"",
        (2, "\"PROHIBITED\""),
        "PROHIBITED is not supported",
    );
    check(
        "\"OUTPUT\"",
        "\"BOTH\"",
        (3, "\"BOTH\""),
        "neither an INPUT nor an OUTPUT",
    );
    check("\"sync\": \"a\"", "\"sync\": \"a?\"", (3, "\"a?\""), "disagree");
    check("\"sync\": \"a\"", "\"sync\": \"*\"", (3, "\"*\""), "no channel");
    check(
        "\"targetLocation\": \"L0\"",
        "\"targetLocation\": \"L1\"",
        (3, "\"L1\""),
        "no location `L1`",
    );
    check(
        "\"x\": 1.5",
        "\"x\": 1.5, \"jorks\": [1]",
        (2, "\"jorks\": [1]"),
        "`jorks` is not understood",
    );
    check(
        "\"name\": \"C\",",
        "\"name\": \"C\", \"name\": \"D\",",
        (1, "\"name\": \"D\""),
        "occurs twice",
    );
    check("] }", "], }", (3, ","), "not JSON");
    let deep = "[".repeat(100_000);
    assert!(read(&deep).contains("not JSON"));
}

#[test]
fn refused_parts_say_what_to_do() {
    let shown = |part| {
        Inexpressible {
            format: "TChecker",
            part,
        }
        .to_string()
    };
    assert_eq!(
        shown(Part::UrgentChannel("go".to_owned())),
        "TChecker has no urgent channels, and `go` is one: make the locations urgent from which it is sent"
    );
    assert!(shown(Part::IgnoredInputs).contains("--input-enabling off"));
}

//! What is read, and how the rest is refused.

use super::*;
use crate::Faults;
use tamper_text::Id as _;
use tamper_text::ReadError;

fn read(text: &str, format: MachineFormat, options: &MachineOptions) -> Result<ReadMachine, ReadError> {
    read_machine("m", text.as_bytes(), format, options)
}

/// Each error as `line:column message`.
fn errors(result: Result<ReadMachine, ReadError>) -> Vec<String> {
    let error = result.map(|read| read.machine).unwrap_err();
    let show = |found: &tamper_text::Diagnostic| {
        assert!(found.help.is_some(), "{found:?}");
        let at = error.file.line_col(found.span.unwrap().start);
        format!("{}:{} {}", at.line, at.column, found.message)
    };
    error.diagnostics.iter().map(show).collect()
}

const SMALL: &str = "# two states\ninitial q\np a / 0 -> q # comment\nq a / 1 -> p\n\nmutated q a / 0 -> q\n";

#[test]
fn a_machine_is_read_and_written_to_the_letter() {
    let read = read(SMALL, MachineFormat::Text, &MachineOptions::default()).unwrap();
    let machine = read.machine;
    assert_eq!(machine.states().iter().collect::<Vec<_>>(), ["q", "p"]);
    assert_eq!(machine.initial().index(), 0);
    assert_eq!((machine.n_transitions(), machine.n_mutated()), (3, 1));
    let written = write_machine(&machine);
    assert_eq!(written, "initial q\nq a / 1 -> p\nmutated q a / 0 -> q\np a / 0 -> q\n");
    let again = read_machine("w", written.as_bytes(), MachineFormat::Text, &MachineOptions::default()).unwrap();
    assert_eq!(write_machine(&again.machine), written);
    assert!(read.warnings.is_empty());
}

#[test]
fn wrong_lines_are_refused_together_with_their_places() {
    let text = "p a / 0 -> q\np a / 1 -> q\nq a 0 p\nmutated p a / 0 -> q\ninitial p\n  initial q\n";
    let found = errors(read(text, MachineFormat::Text, &MachineOptions::default()));
    assert_eq!(
        found,
        ["3:1 this line is no transition", "6:3 the initial state is given twice"]
    );
    let text = "p a / 0 -> q\np a / 1 -> q\nmutated p a / 0 -> q\np b / 0 -> p\n";
    let found = errors(read(text, MachineFormat::Text, &MachineOptions::default()));
    assert_eq!(
        found,
        [
            "2:1 the specification has two transitions for this state and input",
            "3:1 this transition is there already",
            "1:12 the specification has no transition from state `q` on `a`, `b`",
        ]
    );
    let found = errors(read("", MachineFormat::Text, &MachineOptions::default()));
    assert_eq!(found, ["1:1 the file has no transition"]);
}

#[test]
fn what_is_unspecified_is_filled_on_request_and_unreachable_states_are_named() {
    let options = MachineOptions {
        unspecified: Unspecified::Fill,
        faults: None,
        ..MachineOptions::default()
    };
    let read = read("p a / 0 -> p\nq b / 0 -> p\n", MachineFormat::Text, &options).unwrap();
    assert_eq!(
        write_machine(&read.machine),
        "initial p\np a / 0 -> p\np b / - -> p\nq a / - -> q\nq b / 0 -> p\n"
    );
    let warnings: Vec<_> = read.warnings.iter().map(|found| found.message.as_str()).collect();
    assert_eq!(warnings, ["state `q` is unreachable even with faults"]);
}

#[test]
fn kiss2_cubes_stand_for_all_their_vectors_and_faults_follow_the_mark() {
    let text = ".i 2\n.o 1\n.p 3\n.s 2\n.r b\n0- a b 1\n1- a a 0\n-- b a 1\n.mutated\n11 b b 1\n.e\nrest\n";
    let read = read(text, MachineFormat::Kiss2, &MachineOptions::default()).unwrap();
    assert!(read.warnings.is_empty(), "{:?}", read.warnings);
    let machine = read.machine;
    assert_eq!(machine.inputs().as_slice(), ["00", "01", "10", "11"]);
    assert_eq!(machine.states()[machine.initial()], "b");
    assert_eq!((machine.n_transitions(), machine.n_mutated()), (9, 1));
    let (state, input) = machine.place(crate::SetId::from_index(0)).unwrap();
    assert_eq!(
        (&machine.states()[state][..], &machine.inputs()[input][..]),
        ("b", "11")
    );
}

#[test]
fn kiss2_that_is_malformed_or_open_is_refused() {
    let cases = [
        (".i 2\n.o 1\n0 a b 1\n", "3:1 `0` is no vector of 2 bits"),
        (".i 1\n.o 2\n- a a 1-\n", "3:7 `1-` is no vector of 2 bits"),
        (".i 1\n.o 1\n- a * 1\n", "3:5 the next state is left open"),
        (".i 17\n", "1:4 `.i` cannot be `17`"),
        (".x 1\n", "1:1 `.x` is not understood here"),
        ("0 a a 1\n", "1:1 a transition stands before `.i` and `.o`"),
        (".i 1\n.o 1\n0 a\n", "3:1 this line is no transition"),
        (".i 1\n.i 1\n", "2:4 `.i` is given twice"),
        (
            ".i 1\n.o 1\n- a a 1\n0 a a 0\n",
            "4:1 the specification has two transitions for this state and input",
        ),
    ];
    for (text, expected) in cases {
        let found = errors(read(text, MachineFormat::Kiss2, &MachineOptions::default()));
        assert_eq!(found, [expected], "{text}");
    }
    let options = MachineOptions {
        unspecified: Unspecified::Fill,
        faults: None,
        ..MachineOptions::default()
    };
    let filled = read(".i 1\n.o 2\n.s 3\n1 a * 1-\n", MachineFormat::Kiss2, &options).unwrap();
    assert_eq!(
        write_machine(&filled.machine),
        "initial a\na 0 / - -> a\na 1 / 10 -> a\n"
    );
    assert_eq!(filled.warnings[0].message, "the file says 3 states, there are 1");
}

#[test]
fn tests_are_spelt_or_spaced_and_unknown_inputs_are_named() {
    let machine = read(SMALL, MachineFormat::Text, &MachineOptions::default())
        .unwrap()
        .machine;
    let suite = read_suite("s", b"aaa\n# none\n\na a # two\n", &machine).unwrap().tests;
    assert_eq!(suite.iter().map(Vec::len).collect::<Vec<_>>(), [3, 2]);
    let error = read_suite("s", "a\naéa x\n".as_bytes(), &machine).unwrap_err();
    let places: Vec<_> = error
        .diagnostics
        .iter()
        .map(|found| {
            let at = error.file.line_col(found.span.unwrap().start);
            (at.line, at.column, found.message.as_str())
        })
        .collect();
    assert_eq!(
        places,
        [
            (2, 2, "the machine has no input `é`"),
            (2, 5, "the machine has no input `x`")
        ]
    );
}

/// By the length of the shortest test that kills: how many mutants; the last are those that conform.
fn kills(read: &ReadMachine) -> Vec<usize> {
    let mut counts = vec![0; 9];
    let n = u64::try_from(read.machine.n_machines()).unwrap();
    for number in 1..n {
        let mutant = crate::Mutant::numbered(&read.machine, number).unwrap();
        let word = mutant
            .killing_sequence(&read.machine, &tamper_text::Budget::unlimited())
            .unwrap();
        counts[word.map_or(8, |word| word.len())] += 1;
    }
    counts
}

/// The judge: the same alternatives, written by hand where faults are added.
#[test]
fn faults_of_machines_with_variables_are_the_alternatives_that_could_be_written() {
    let text = |[x, y, p, q]: [&str; 4]| {
        format!(
            "var n : 0..1 = 0\ninitial p\np a [n == 0] / {x} {{n := 1}} -> {q}\np a [n == 1] / {y} {{n := 0}} -> {p}\nq a / {y} -> {p}\n"
        )
    };
    let plain = text(["x", "y", "p", "q"]);
    let written = [
        (Faults::Outputs, text(["x | y", "y | x", "p", "q"]), 1),
        // The machine says x, y, y, x; the mutant that stays in p says x, y, x.
        (Faults::Transfers, text(["x", "y", "p | q", "q | p"]), 3),
        (Faults::All, text(["x | y", "y | x", "p | q", "q | p"]), 1),
    ];
    for (faults, written, shortest) in written {
        let options = MachineOptions {
            faults: Some(faults),
            ..MachineOptions::default()
        };
        let added = read(&plain, MachineFormat::Extended, &options).unwrap();
        let written = read(&written, MachineFormat::Extended, &MachineOptions::default()).unwrap();
        let shown = |read: &ReadMachine| {
            let n = u64::try_from(read.machine.n_machines()).unwrap();
            let mutants = (1..n).map(|number| crate::Mutant::numbered(&read.machine, number).unwrap());
            mutants.map(|mutant| mutant.show(&read.machine)).collect::<Vec<_>>()
        };
        assert_eq!(shown(&added), shown(&written), "{faults:?}");
        assert_eq!(kills(&added), kills(&written), "{faults:?}");
        assert_eq!(kills(&added).iter().position(|n| *n > 0), Some(shortest), "{faults:?}");
    }
}

#[test]
fn faults_of_charts_are_the_alternatives_that_could_be_written() {
    let text = |[up, down, to_p, to_q, to_r]: [&str; 5]| {
        format!(
            "<scxml xmlns=\"{}\" xmlns:tamper=\"{}\" version=\"1.0\" initial=\"p\">\n\
             <state id=\"p\"><transition event=\"a\" target=\"q\"{to_q}/></state>\n\
             <state id=\"q\"><onentry><send event=\"up\" target=\"#_parent\"{up}/></onentry>\n\
             <state id=\"r\"><transition event=\"b\" target=\"p\"{to_p}><send event=\"down\" target=\"#_parent\"{down}/></transition>\n\
             <transition event=\"a\"{to_r}/></state></state>\n</scxml>\n",
            "http://www.w3.org/2005/07/scxml", "urn:tamper:mutation"
        )
    };
    let other = |name: &str, value: &str| format!(" tamper:{name}=\"{value}\"");
    let [up, down] = [other("event", "down"), other("event", "up")];
    let [to_p, to_q, to_r] = [other("target", "q|r"), other("target", "p|r"), other("target", "p|q|r")];
    let plain = text([""; 5]);
    let written = [
        (Faults::Outputs, text([&up, &down, "", "", ""])),
        (Faults::Transfers, text(["", "", &to_p, &to_q, &to_r])),
        (Faults::All, text([&up, &down, &to_p, &to_q, &to_r])),
    ];
    for (faults, written) in written {
        let options = MachineOptions {
            faults: Some(faults),
            ..MachineOptions::default()
        };
        let added = read(&plain, MachineFormat::Scxml, &options).unwrap();
        let written = read(&written, MachineFormat::Scxml, &MachineOptions::default()).unwrap();
        assert_eq!(added.machine.n_machines(), written.machine.n_machines(), "{faults:?}");
        assert_eq!(kills(&added), kills(&written), "{faults:?}");
        assert!(kills(&added)[1] > 0 && kills(&added)[2] > 0, "{faults:?}");
    }
}

/// By hand from the standard's algorithm: regions that react together and end together, transitions that exclude each other, and what
/// histories remember.
#[test]
fn regions_and_histories_are_flattened_as_the_standard_says() {
    let send = |event: &str, name: &str, target: &str| {
        let send = format!("<send event=\"{name}\" target=\"#_parent\"/>");
        format!("<transition event=\"{event}\" target=\"{target}\">{send}</transition>")
    };
    let text = format!(
        "<scxml xmlns=\"http://www.w3.org/2005/07/scxml\" version=\"1.0\" initial=\"idle\">\n\
         <parallel id=\"p\">{}<transition event=\"z\" target=\"idle\"/><transition event=\"off\" target=\"idle\"/>\n\
         <history id=\"deep\" type=\"deep\">{}</history>\n\
         <state id=\"a\"><onexit><log label=\"left\" expr=\"f(1)\"/><send event=\"left\" target=\"#_parent\"/></onexit>\n\
         <history id=\"flat\"><transition target=\"a1\"/></history>\n\
         <state id=\"a1\">{}</state><state id=\"a2\"><transition event=\"x\" target=\"a3\"/><transition event=\"y\" target=\"idle\"/></state>\n\
         <final id=\"a3\"/></state>\n\
         <state id=\"b\"><state id=\"b1\">{}</state><final id=\"b2\"/></state></parallel>\n\
         <state id=\"idle\"><transition event=\"on\" target=\"deep\"/><transition event=\"x\" target=\"flat\"/></state>\n\
         <final id=\"end\"/></scxml>",
        send("done.state.p", "over", "end"),
        "<transition target=\"a1 b1\"><send event=\"fresh\" target=\"#_parent\"/></transition>",
        send("x", "a", "a2"),
        send("x y z", "b", "b2"),
    );
    let machine = read(&text, MachineFormat::Scxml, &MachineOptions::default())
        .unwrap()
        .machine;
    for (word, answers, state) in [
        ("on", "fresh", "p.a.a1+p.b.b1"),
        (
            "on x x x",
            "fresh,a b,left over,-",
            "end@deep=p.a.a3+p.b.b2@flat=p.a.a3",
        ),
        (
            "on y off on x",
            "fresh,b,left,-,a",
            "p.a.a2+p.b.b2@deep=p.a.a1+p.b.b2@flat=p.a.a1",
        ),
        (
            "on y x off x x",
            "fresh,b,a,left,-,b left over",
            "end@deep=p.a.a3+p.b.b2@flat=p.a.a3",
        ),
        // The inner state's transition, and of two regions the first one's.
        ("on z z", "fresh,b,left", "idle@deep=p.a.a1+p.b.b2@flat=p.a.a1"),
        (
            "on x off x y",
            "fresh,a b,left,-,left",
            "idle@deep=p.a.a2+p.b.b1@flat=p.a.a2",
        ),
    ] {
        let names: Vec<&String> = machine.inputs().iter().collect();
        let id = |input: &str| {
            machine
                .inputs()
                .ids()
                .nth(names.iter().position(|name| *name == input).unwrap())
        };
        let ids: Vec<_> = word.split(' ').map(|input| id(input).unwrap()).collect();
        assert_eq!(machine.answers(&ids).join(","), answers, "{word}");
        assert_eq!(machine.states()[machine.specification_after(&ids)], state, "{word}");
    }
}

/// Twelve regions, each with two transitions on the input: 3^12 ways.
#[test]
fn charts_with_too_many_ways_to_react_are_refused() {
    let region = |at: usize| {
        let transition = |value: usize| format!("<transition event=\"x\" cond=\"n == {value}\" target=\"s{at}\"/>");
        format!("<state id=\"s{at}\">{}{}</state>", transition(0), transition(1))
    };
    let text = format!(
        "<scxml xmlns=\"http://www.w3.org/2005/07/scxml\" version=\"1.0\"><datamodel><data id=\"n\" expr=\"0\" \
         xmlns:t=\"urn:tamper:mutation\" t:range=\"0..2\"/></datamodel><parallel id=\"p\">{}</parallel></scxml>",
        (0..12).map(region).collect::<String>()
    );
    let options = MachineOptions {
        most_configurations: 5_000,
        ..MachineOptions::default()
    };
    let refused = errors(read(&text, MachineFormat::Scxml, &options));
    assert!(refused[0].contains("more than 5000 ways to react"), "{refused:?}");
}

/// Appendix D as printed would enter `a` again at the end, which nothing left.
#[test]
fn a_state_that_stays_is_not_entered_for_what_a_history_remembers() {
    let text = "<scxml xmlns=\"http://www.w3.org/2005/07/scxml\" version=\"1.0\" initial=\"idle\">\n\
        <state id=\"p\"><history id=\"h\" type=\"deep\"><transition target=\"a\"/></history>\n\
        <transition event=\"off\" target=\"idle\"/>\n\
        <state id=\"a\"><onentry><send event=\"in\" target=\"#_parent\"/></onentry>\n\
        <state id=\"b\"><transition event=\"x\" target=\"c\"/></state>\n\
        <state id=\"c\"><transition event=\"x\" target=\"h\"/></state></state></state>\n\
        <state id=\"idle\"><transition event=\"on\" target=\"h\"/></state></scxml>";
    let machine = read(text, MachineFormat::Scxml, &MachineOptions::default())
        .unwrap()
        .machine;
    let word = ["on", "off", "on", "x", "x"];
    let ids = word.map(|name| machine.inputs().iter().position(|input| input == name).unwrap());
    let ids = ids.map(crate::InputId::from_index);
    assert_eq!(machine.answers(&ids), ["in", "-", "in", "-", "-"]);
    assert_eq!(machine.states()[machine.specification_after(&ids)], "p.a.b@h=p.a.b");
}

//! State machines as graphs: what is read, and how the rest is refused.

use tamper::formats::ReadError;
use tamper::formats::machines::{
    MachineFormat, MachineOptions, ReadMachine, read_machine, write_distinguishing, write_distinguishing_of,
};

fn read(text: &str) -> Result<ReadMachine, ReadError> {
    read_machine("m.dot", text.as_bytes(), MachineFormat::Dot, &MachineOptions::default())
}

/// Each error as `line:column message`; all say what to do.
fn errors(result: Result<ReadMachine, ReadError>) -> Vec<String> {
    let error = result.map(|read| read.machine).unwrap_err();
    let show = |found: &tamper::text::Diagnostic| {
        assert!(found.help.is_some(), "{found:?}");
        let at = error.file.line_col(found.span.unwrap().start);
        format!("{}:{} {}", at.line, at.column, found.message)
    };
    error.diagnostics.iter().map(show).collect()
}

#[test]
fn graphs_of_learners_are_read_with_their_states_in_order() {
    let text = "// learned\ndigraph \"g\" {\n  rankdir=LR; node [shape=circle]\n  __start0 [label=\"\" shape=none];\n  q1 [label=\"s1\"];\n\
        # no comment of the language, but of its preprocessor\n  \"the other\" [style=\"filled\"];\n  __start0 -> \"the other\" [label=\"\"];\n\
        /* two\nlines */ q1 -> \"the other\" [label=\"put/x / get/HTTP\", color=red][weight=2];\n  \"the other\" -> q1 -> q1 [label=\"put/x / a\\\"b\\\\\"];\n\
        q1 -> q1 [label=\"put/x / get/HTTP\" mutated=true];}\n";
    let refused = errors(read(text));
    assert_eq!(
        refused,
        ["11:18 the specification has two transitions for this state and input"]
    );
    let text = text.replace("-> q1 -> q1 [label=\"put/x / a", "-> q1 [label=\"put/x / a");
    let read = read(&text).unwrap();
    assert!(read.warnings.is_empty());
    let machine = read.machine;
    assert_eq!(machine.states().iter().collect::<Vec<_>>(), ["q1", "the other"]);
    assert_eq!(machine.states()[machine.initial()], "the other");
    assert_eq!(machine.inputs().as_slice(), ["put/x"]);
    assert_eq!(machine.outputs().iter().collect::<Vec<_>>(), ["get/HTTP", "a\"b\\"]);
    assert_eq!(machine.n_mutated(), 1);
}

#[test]
fn graphs_that_are_no_mealy_machines_are_refused_with_their_places() {
    let cases = [
        ("graph g {}", "1:1 `graph` is not expected here"),
        (
            "strict digraph { }",
            "1:1 in a strict graph edges between the same nodes are one",
        ),
        ("digraph {\n a -- b }", "2:4 `--` is an edge without direction"),
        ("digraph { subgraph x { a } }", "1:11 subgraphs are not read"),
        ("digraph { a -> b [label=<b] }", "1:25 this label in HTML is not closed"),
        ("digraph { a -> b [label=<b&x;>] }", "1:27 `&x` is not understood"),
        ("digraph { a:n -> b }", "1:12 ports are not read"),
        ("digraph { a -> }", "1:16 `}` is not expected here"),
        ("digraph { a [x=1 x=2] }", "1:18 `x` is given twice"),
        ("digraph { a", "1:11 the file ends here"),
        ("digraph { } x", "1:13 `x` is not expected here"),
        ("digraph { a -> b [label=\"x/1", "1:25 these quotes are not closed"),
        (
            "digraph { a -> a [label=\"x/1\\ny/2\"] }",
            "1:29 `\\n` has no meaning in a name",
        ),
        ("digraph { /* }", "1:11 this comment has no end"),
        ("digraph { a -> (b) }", "1:16 `(` is not understood here"),
        (
            "digraph { s0 [timers=x1] }",
            "1:15 `timers` is of machines with time, which are not read as graphs",
        ),
        ("digraph { }", "1:1 the graph has no transition"),
        ("digraph { a -> b }", "1:11 this edge has no label"),
        ("digraph { __start0 -> a; a -> a [label=\"x\"] }", "1:40 `x` has no `/`"),
        (
            "digraph { __start0 -> a; a -> a [label=\"x/\"] }",
            "1:40 `x/` has no output",
        ),
        (
            "digraph { __start0 -> a; a -> b [label=\"x y/1\"]; b -> a [label=\"x_y/1\"] }",
            "1:64 `x y` and `x_y` would be one name, `x_y`",
        ),
        (
            "digraph { __start0 -> a; a -> a [label=\"x/1/2\"] }",
            "1:40 which `/` of `x/1/2` separates input and output? Put spaces around that one",
        ),
        (
            "digraph { a -> a [label=\"x/1\"] }",
            "1:11 no arrow says where the machine starts",
        ),
        (
            "digraph { __start0 -> a; __start1 -> a; a -> a [label=\"x/1\"] }",
            "1:26 the initial state is given twice",
        ),
        (
            "digraph { edge [label=\"x/1\"]; a -> a }",
            "1:17 `label` is given to all edges",
        ),
        (
            "digraph { __start0 -> a; a -> a [label=\"x/1\" mutated=yes] }",
            "1:54 `mutated` is true or false",
        ),
    ];
    for (text, expected) in cases {
        let found = errors(read(text));
        assert_eq!(found[0], expected, "{text}");
    }
}

#[test]
fn labels_in_html_and_of_several_words_are_names_of_one_word() {
    let text = "digraph { __start0 -> a; a -> a [label=<<table><tr><td>press &lt;<b>OK</b>&gt;</td><td>/</td><td>two  lights</td></tr></table>>] }";
    let machine = read(text).expect("a machine").machine;
    assert_eq!(machine.inputs().as_slice(), ["press_<_OK_>"]);
    assert_eq!(machine.outputs().iter().collect::<Vec<_>>(), ["two_lights"]);
    let options = |moore: bool, start: &str| MachineOptions {
        moore,
        start: Some(start.to_owned()),
        ..MachineOptions::default()
    };
    let refused = |text: &str, format, options: &MachineOptions| {
        let error = read_machine("m", text.as_bytes(), format, options)
            .map(|read| read.machine)
            .unwrap_err();
        assert!(error.diagnostics[0].help.is_some());
        error.diagnostics[0].message.clone()
    };
    let graph = "digraph { a -> b [label=x]; b -> a [label=x]; a [label=\"a/1\"]; b [label=\"b/\"] }";
    let dot = MachineFormat::Dot;
    assert_eq!(refused(graph, dot, &options(true, "a")), "state `b` has no output");
    assert_eq!(
        refused("digraph { a -> a [label=x] }", dot, &options(true, "a")),
        "no state has an output, and none accepts"
    );
    assert_eq!(
        refused("digraph { a -> a [label=\"x/1\"] }", dot, &options(false, "c")),
        "the machine has no state `c` to start in"
    );
    assert_eq!(
        refused("a x / 1 -> a\n", MachineFormat::Text, &options(true, "a")),
        "--moore: only for graphs (DOT)"
    );
    let unseen = "digraph { a -> b [label=x]; b -> b [label=x]; a [shape=doublecircle] }";
    let read = read_machine("m", unseen.as_bytes(), dot, &options(true, "a")).expect("an acceptor");
    assert!(read.warnings.iter().any(|warning| {
        warning
            .message
            .contains("the output of the initial state `a` is never seen")
    }));
}

/// The running example of \[000\], its Figures 2 and 3 by hand: the two executions that end in the sink are those of its text.
#[test]
fn distinguishing_automata_are_those_of_the_paper() {
    let path = "examples/machines/running-example.fsm";
    let text = std::fs::read(path).unwrap();
    let read = read_machine(path, &text, MachineFormat::Text, &MachineOptions::default()).unwrap();
    let machine = read.machine;
    let whole = write_distinguishing(&machine);
    for line in [
        r#"__start0 -> "1 1";"#,
        r#""1 1" -> "2 2" [label="b"];"#,
        r#""3 3" -> "∇" [label="a"];"#,
        r#""3 3" -> "4 3" [label="b"];"#,
        r#""4 4" -> "1 2" [label="a"];"#,
        r#""4 3" -> "∇" [label="a"];"#,
        r#""4 3" -> "1 3" [label="a"];"#,
    ] {
        assert!(whole.lines().any(|found| found == line), "{line} in {whole}");
    }
    let input = |name: char| {
        machine
            .inputs()
            .ids()
            .find(|id| machine.inputs()[*id] == name.to_string())
            .unwrap()
    };
    let word: Vec<_> = "baaba".chars().map(input).collect();
    let along = write_distinguishing_of(&machine, &word);
    let mut wrong: Vec<&str> = along.lines().filter(|line| line.contains("-> \"\u{2207}\"")).collect();
    wrong.sort_unstable();
    assert_eq!(
        wrong,
        [
            "\"b a a b, 4, 3\" -> \"\u{2207}\" [label=\"a\"];",
            "\"b a, 3, 3\" -> \"\u{2207}\" [label=\"a\"];"
        ]
    );
}

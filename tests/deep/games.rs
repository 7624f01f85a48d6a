//! Timed games and networks, in all formats that hold them.

use std::fmt::Write as _;

use tamper::features::Random;
use tamper::formats::{
    ReadError, ReadOptions, read_bytes, read_ecdar, read_network, read_tchecker, read_xta, read_xta_network,
    write_automaton,
};
use tamper::model::Automaton;
use tamper::mutation::{MutationOptions, Mutations};

use super::expressions::{C_LIKE, Language, depth, list, one};

const UPPAAL: Language = Language {
    connectives: &["&&", "||", "and", "or", "imply"],
    truths: &["true", "n < 3", "n == m", "false"],
    numbers: &["n", "m", "1", "0", "7"],
    ..C_LIKE
};
const TCHECKER: Language = Language {
    connectives: &["&&"],
    not: None,
    conditional: None,
    truths: &["n<3", "n==m", "1==1"],
    nesting: 100,
    ..UPPAAL
};
const ECDAR: Language = Language {
    truths: &["n < 3", "n == m"],
    ..UPPAAL
};

/// A process, its parts as text.
struct Process {
    declarations: String,
    invariants: Vec<String>,
    edges: Vec<Edge>,
}

struct Edge {
    ends: (usize, usize),
    select: String,
    guard: String,
    sync: &'static str,
    update: String,
}

/// Clock conditions, and one on integers now and then.
fn guard(random: &mut Random, language: &Language, and: &str) -> String {
    let clock = |random: &mut Random, _| {
        let difference = random.below(5) == 0;
        let (left, sign) = (
            if difference { "c - d" } else { "c" },
            one(random, &["<", "<=", ">=", ">"]),
        );
        format!("{left} {sign} {}", random.below(9))
    };
    let n = if random.below(4) == 0 {
        depth(random, 200)
    } else {
        random.below(3)
    };
    let mut parts = list(random, n, and, clock);
    if parts.is_empty() || random.below(3) == 0 {
        parts += if parts.is_empty() { "" } else { and };
        parts += &format!("({})", language.truth(random));
    }
    parts
}

fn process(random: &mut Random, language: &Language) -> Process {
    let n_locations = if random.below(10) == 0 {
        depth(random, 300)
    } else {
        1 + random.below(4)
    };
    let n_edges = if random.below(10) == 0 {
        depth(random, 300)
    } else {
        1 + random.below(3)
    };
    let invariants = (0..n_locations).map(|_| {
        if random.below(2) == 0 {
            "c <= 9".to_owned()
        } else {
            String::new()
        }
    });
    let invariants = invariants.collect();
    let deep_edge = random.below(n_edges);
    let edge = |at| Edge {
        ends: (random.below(n_locations), random.below(n_locations)),
        select: match random.below(8) {
            0 => list(random, 3, ", ", |_, at| format!("s{at} : int[0,2]")),
            _ => String::new(),
        },
        guard: if at == deep_edge {
            guard(random, language, " && ")
        } else {
            "c > 1".to_owned()
        },
        sync: one(random, &["a?", "b!", ""]),
        update: match random.below(3) {
            0 => format!("n = {}, c = 0", language.number(random)),
            1 => vec!["m = 1"; 1 + random.below(40)].join(", "),
            _ => "c = 0".to_owned(),
        },
    };
    Process {
        declarations: "clock c, d; int[-9,9] n; int m;".to_owned(),
        invariants,
        edges: (0..n_edges).map(edge).collect(),
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

impl Process {
    fn xml(&self, globals: &str) -> String {
        let mut text = format!(
            "<nta><declaration>chan a, b; {}</declaration><template><name>P</name>",
            escaped(globals)
        );
        let _ = write!(text, "<declaration>{}</declaration>", escaped(&self.declarations));
        for (at, invariant) in self.invariants.iter().enumerate() {
            let label = format!("<label kind=\"invariant\">{}</label>", escaped(invariant));
            let label = if invariant.is_empty() { "" } else { &label };
            let _ = write!(text, "<location id=\"l{at}\"><name>L{at}</name>{label}</location>");
        }
        text += "<init ref=\"l0\"/>";
        for edge in &self.edges {
            let (from, to) = edge.ends;
            let _ = write!(text, "<transition><source ref=\"l{from}\"/><target ref=\"l{to}\"/>");
            let labels = [
                ("select", edge.select.as_str()),
                ("guard", &edge.guard),
                ("synchronisation", edge.sync),
                ("assignment", &edge.update),
            ];
            for (kind, label) in labels.iter().filter(|(_, label)| !label.is_empty()) {
                let _ = write!(text, "<label kind=\"{kind}\">{}</label>", escaped(label));
            }
            text += "</transition>\n";
        }
        text + "</template><system>system P;</system></nta>"
    }

    fn xta(&self, globals: &str) -> String {
        let mut text = format!("chan a, b; {globals}\nprocess P() {{\n{}\nstate ", self.declarations);
        let states = self
            .invariants
            .iter()
            .enumerate()
            .map(|(at, invariant)| match invariant.as_str() {
                "" => format!("L{at}"),
                invariant => format!("L{at} {{ {invariant} }}"),
            });
        text += &states.collect::<Vec<_>>().join(", ");
        text += ";\ninit L0;\ntrans\n";
        let edges = self.edges.iter().map(|edge| {
            let (from, to) = edge.ends;
            let mut text = format!("L{from} -> L{to} {{ ");
            let labels = [
                ("select", edge.select.as_str()),
                ("guard", &edge.guard),
                ("sync", edge.sync),
                ("assign", &edge.update),
            ];
            for (kind, label) in labels.iter().filter(|(_, label)| !label.is_empty()) {
                let _ = write!(text, "{kind} {label}; ");
            }
            text + "}"
        });
        text += &edges.collect::<Vec<_>>().join(",\n");
        text + ";\n}\nsystem P;\n"
    }
}

pub fn xml(random: &mut Random) -> String {
    process(random, &UPPAAL).xml("")
}

pub fn xta(random: &mut Random) -> String {
    process(random, &UPPAAL).xta("")
}

/// Declarations of a network: types in types, functions that call each other, blocks and loops in each other.
fn globals(random: &mut Random) -> String {
    let mut text = String::new();
    if random.below(4) == 0 {
        text += "typedef struct { int[0,1] a; } t0;\n";
        let n = depth(random, 100);
        text += &list(random, n, "", |_, at| {
            format!("typedef struct {{ t{at} a; int[0,1] b; }} t{};\n", at + 1)
        });
        let _ = writeln!(text, "t{n} v;");
    }
    if random.below(4) == 0 {
        let n = depth(random, 100);
        let _ = writeln!(
            text,
            "{}int[0,1] a;{} w;",
            "struct { ".repeat(n),
            " } x;".repeat(n - 1) + " }"
        );
    }
    if random.below(4) == 0 {
        let _ = writeln!(text, "int[0,1] q{};", "[2]".repeat(1 + random.below(12)));
    }
    let (n, m) = ("int[-9,9] n", "int m");
    if random.below(3) == 0 {
        let calls = depth(random, 300);
        let _ = writeln!(text, "int f0({n}, {m}) {{ return {}; }}", UPPAAL.number(random));
        text += &list(random, calls, "", |_, at| {
            format!("int f{}({n}, {m}) {{ return f{at}(m, n); }}\n", at + 1)
        });
    }
    if random.below(3) == 0 {
        let levels = depth(random, 90);
        let open: &[&str] = &[
            "{ ",
            "if (n < 3) { ",
            "while (n < 0) { ",
            "for (m = 0; m < 2; m++) { ",
            "for (i : int[0,1]) { ",
        ];
        let opened = list(random, levels, "", |random, _| one(random, open).to_owned());
        let _ = writeln!(
            text,
            "void g({n}, {m}) {{ {opened} m = {};{} }}",
            UPPAAL.number(random),
            " }".repeat(levels)
        );
    }
    text
}

pub fn network_xml(random: &mut Random) -> String {
    let globals = globals(random);
    process(random, &UPPAAL).xml(&globals)
}

pub fn network_xta(random: &mut Random) -> String {
    let globals = globals(random);
    let process = process(random, &UPPAAL).xta(&globals);
    if random.below(3) > 0 {
        return process;
    }
    // Instances of instances.
    let n = depth(random, 100);
    let instances = list(random, n, "", |_, at| format!("A{}=A{at}();\n", at + 1));
    process.replace("system P;", &format!("A0=P();\n{instances}system A{n};"))
}

pub fn tchecker(random: &mut Random) -> String {
    let process = process(random, &TCHECKER);
    let mut text = "# tamper:alphabet a? b! e=tau\nsystem:s\nevent:a\nevent:b\nevent:e\nprocess:P\n".to_owned();
    text += "int:1:-9:9:0:n\nint:1:-99:99:0:m\nclock:1:c\nclock:1:d\n";
    for (at, invariant) in process.invariants.iter().enumerate() {
        let initial = if at == 0 { "initial:" } else { "" };
        let between = if at == 0 && !invariant.is_empty() { ":" } else { "" };
        let invariant = if invariant.is_empty() {
            String::new()
        } else {
            format!("invariant:{}", invariant.replace(' ', ""))
        };
        let _ = writeln!(text, "location:P:L{at}{{{initial}{between}{invariant}}}");
    }
    for edge in &process.edges {
        let (from, to) = edge.ends;
        let event = match edge.sync {
            "a?" => "a",
            "b!" => "b",
            _ => "e",
        };
        let update = edge.update.replace(", ", ";");
        let _ = writeln!(
            text,
            "edge:P:L{from}:L{to}:{event}{{provided:{}:do:{update}}}",
            edge.guard
        );
    }
    text
}

pub fn ecdar(random: &mut Random) -> String {
    let process = process(random, &ECDAR);
    let location = |(at, invariant): (usize, &String)| {
        let kind = if at == 0 { "INITIAL" } else { "NORMAL" };
        serde_json::json!({"id": format!("L{at}"), "nickname": "", "invariant": invariant, "type": kind, "urgency": "NORMAL",
            "x": 0.0, "y": 0.0, "color": "1", "nicknameX": 0.0, "nicknameY": 0.0, "invariantX": 0.0, "invariantY": 0.0})
    };
    let edge = |edge: &Edge| {
        let status = if edge.sync == "a?" { "INPUT" } else { "OUTPUT" };
        serde_json::json!({"sourceLocation": format!("L{}", edge.ends.0), "targetLocation": format!("L{}", edge.ends.1),
            "status": status, "select": edge.select, "guard": edge.guard, "update": edge.update,
            "sync": if edge.sync == "a?" { "a" } else { "b" }, "isLocked": false, "nails": []})
    };
    serde_json::json!({
        "name": "P", "declarations": process.declarations,
        "locations": process.invariants.iter().enumerate().map(location).collect::<Vec<_>>(),
        "edges": process.edges.iter().map(edge).collect::<Vec<_>>(),
        "description": "", "x": 0.0, "y": 0.0, "width": 9.0, "height": 9.0, "color": "1", "includeInPeriodicCheck": false
    })
    .to_string()
}

/// Writes and mutates what was read.
fn used(automata: &[Automaton]) {
    for automaton in automata {
        let written = write_automaton(automaton);
        assert!(written.contains(automaton.name()));
        let mutations = Mutations::of(automaton, &MutationOptions::default());
        if let Some(mutation) = mutations.iter().next() {
            assert!(!write_automaton(&mutation.apply(automaton)).is_empty());
        }
    }
}

fn said(error: ReadError) -> String {
    error.to_string()
}

pub fn read_xml(text: &str) -> Result<(), String> {
    let read = read_bytes("x.xml", text.as_bytes(), &ReadOptions::default());
    read.map(|(document, _)| used(document.automata())).map_err(said)
}

pub fn read_xta_file(text: &str) -> Result<(), String> {
    let read = read_xta("x.xta", text.as_bytes(), &ReadOptions::default(), None);
    read.map(|(document, ..)| used(document.automata())).map_err(said)
}

pub fn read_network_xml(text: &str) -> Result<(), String> {
    read_network("x.xml", text.as_bytes()).map(drop).map_err(said)
}

pub fn read_network_xta(text: &str) -> Result<(), String> {
    read_xta_network("x.xta", text.as_bytes()).map(drop).map_err(said)
}

pub fn read_tck(text: &str) -> Result<(), String> {
    let read = read_tchecker("x.tck", text.as_bytes(), &ReadOptions::default());
    read.map(|(document, ..)| used(document.automata())).map_err(said)
}

pub fn read_component(text: &str) -> Result<(), String> {
    let files = [("Components/P.json".to_owned(), text.as_bytes().to_vec())];
    let read = read_ecdar(&files, &ReadOptions::default());
    read.map(|(document, _)| used(document.automata())).map_err(said)
}

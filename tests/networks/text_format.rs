//! Networks in UPPAAL's text format against their twins in XML, and what is said about texts that are none.

use std::fs;

use tamper::formats::{ReadOptions, read_network, read_network_file, read_xta, read_xta_network, write_remarked};
use tamper::network::{ComposeError, Composed, Network, compose};
use tamper::text::Budget;

use super::composition::from_environment;
use super::mutants::view;
use super::nets::{Random, random};

/// The composition as a file, with its states in words.
fn written(network: &Network, composed: &Composed) -> String {
    let state = |location| composed.state_in_words(network, location);
    let mut bytes = Vec::new();
    write_remarked(&mut bytes, &composed.automaton, &state, &|_| None).expect("a vector takes all bytes");
    String::from_utf8(bytes).expect("text")
}

#[test]
fn a_network_in_text_is_its_twin_in_xml() {
    let cases = from_environment("TAMPER_CASES", 200);
    let mut source = Random(from_environment("TAMPER_SEED", 51));
    let mut n_composed = 0;
    for _ in 0..cases {
        let net = random(&mut source);
        let (xml, text) = (net.xml(), net.xta());
        let (twin, _) = read_network("net", xml.as_bytes()).unwrap();
        let (file, _) = read_xta_network("net", text.as_bytes()).unwrap_or_else(|error| panic!("{error}\n{text}"));
        assert_eq!(file.source.text(), text);
        let composed = |network| {
            let composed = compose(network, &view(&net, &twin), &Budget::unlimited())?;
            Ok::<_, ComposeError>(written(network, &composed))
        };
        match (composed(&twin.network), composed(&file.network)) {
            (Ok(twin), Ok(found)) => {
                assert_eq!(twin, found, "{text}");
                n_composed += 1;
            }
            (Err(_), Err(_)) => {}
            (twin, found) => panic!("{:?}, {:?}\n{text}", twin.err(), found.err()),
        }
    }
    assert!(n_composed > cases / 2, "{n_composed}");
}

const OLD: &str = "// an old file
const N 3;
clock x, y;
int[0,5] i := 1;
chan a; urgent chan b;
process P(const k) {
  int[0,9] n;
  state S0 { x<=k, y<=9 }, S1;
  urgent S1;
  init S0;
  trans S0 -> S1 { guard x>=2, n==0 and i!=4; sync a!; assign x:=0, n:=k, i:=i+1; },
        S1 -> S0 { sync b?; },
        -> S1 { assign n:=0; };
}
process Q() { state T { y<=9 }; init T; trans T -> T { sync a?; assign y:=0; }, T -> T { sync b!; }; }
A := P(N);
system A, Q;
";

#[test]
fn old_files_mean_what_new_ones_do() {
    let new = OLD
        .replace("const N 3;", "const int N = 3;")
        .replace("const k", "const int k")
        .replace(":=", "=")
        .replace("x>=2, n==0 and", "x>=2 && n==0 &&")
        .replace("x<=k, y<=9", "x<=k && y<=9");
    let words = [OLD, &new].map(|text| {
        let (file, warnings) = read_xta_network("f.ta", text.as_bytes()).unwrap_or_else(|error| panic!("{error}"));
        assert!(warnings.is_empty());
        let view = tamper::network::View::closed("System", &file.network);
        let composed = compose(&file.network, &view, &Budget::unlimited()).unwrap();
        assert_eq!(composed.automaton.clocks().len(), 2);
        written(&file.network, &composed)
    });
    assert_eq!(words[0], words[1]);
}

#[test]
fn arrows_say_who_controls_where_some_arrow_says_so() {
    let text =
        "chan a, b; process P() { state S; init S; trans S -> S { sync a?; }, S -u-> S { sync b!; }; } system P;";
    let (document, warnings) = read_xta("g.xta", text.as_bytes(), &ReadOptions::default(), None).unwrap();
    assert!(warnings.is_empty(), "{warnings:?}");
    let roles: Vec<String> = document.automata()[0]
        .actions()
        .iter()
        .map(ToString::to_string)
        .collect();
    assert_eq!(roles, ["a?", "b!"]);
    // The label says output, the arrow says controllable.
    let wrong = text.replace("-u-> S { sync b!; }", "-u-> S { }, -> S { sync b!; }");
    let error = read_xta("g.xta", wrong.as_bytes(), &ReadOptions::default(), None).unwrap_err();
    assert!(error.to_string().contains("controllable"), "{error}");
    let plain = text.replace("-u->", "->");
    assert!(read_xta("g.xta", plain.as_bytes(), &ReadOptions::default(), None).is_ok());
}

/// A text, the place `line:column` of the first thing that is wrong with it, and what is said.
const WRONG: [(&str, &str, &str); 16] = [
    (
        "process P() { state S; init S;",
        "1:31",
        "expected `branchpoint`, `commit`, `urgent`, `init`, `trans` or `}`, found the end of the file",
    ),
    (
        "process P() {\n  clock x;\n  init S;\n}\nsystem P;",
        "4:1",
        "expected `state`, found `}`",
    ),
    (
        "process P() { state S; init T; }\nsystem P;",
        "1:29",
        "`P` has no state `T`",
    ),
    (
        "process P() { state S; commit U; init S; }\nsystem P;",
        "1:31",
        "`P` has no state `U`",
    ),
    (
        "process P() { state S; }\nsystem P;",
        "1:9",
        "the process `P` has no initial state",
    ),
    (
        "process P() { state S, S; init S; }\nsystem P;",
        "1:24",
        "two locations of the template are called `S`",
    ),
    (
        "process P() { state S; init S; trans S -> S { guard x > 1; }; }\nsystem P;",
        "1:53",
        "`x` is not declared",
    ),
    (
        "process P() { state S; init S; trans S -> S { guard 1 < 2 && x > 1; }; }\nsystem P;",
        "1:62",
        "`x` is not declared",
    ),
    (
        "process P() { state S; init S; trans S -> S { guard 1; guard 2; }; }\nsystem P;",
        "1:56",
        "a second `guard`",
    ),
    (
        "process P() { state S; init S; trans S => S { }; }\nsystem P;",
        "1:40",
        "expected `->`, found `=`",
    ),
    (
        "process P() { state S; init S; trans S -> S { when 1; }; }\nsystem P;",
        "1:47",
        "expected `select`, `guard`",
    ),
    (
        "process P() { state S; init S; trans S -> S { guard (1; }; }\nsystem P;",
        "1:57",
        "expected `)`, found `}`",
    ),
    (
        "process P() { state S { x <= 1; init S; }\nsystem P;",
        "2:1",
        "expected `;`, found `system`",
    ),
    (
        "process P() { state S; branchpoint B; init S; trans S -> B { }; }\nsystem P;",
        "1:36",
        "this branchpoint has no branch",
    ),
    ("int x;\nsystem P;", "1:1", "the file has no process"),
    (
        "process P() { state S; init S; }\nsystem Q;",
        "2:8",
        "there is no template or process `Q`",
    ),
];

#[test]
fn what_is_wrong_is_named_with_its_place_in_the_text() {
    for (text, place, said) in WRONG {
        let error = read_xta_network("f.xta", text.as_bytes()).unwrap_err();
        let first = &error.diagnostics[0];
        let at = error.file.line_col(first.span.expect("a place").start);
        assert_eq!(error.file.text(), text);
        let found = format!("{}:{} {}", at.line, at.column, first.message);
        assert!(found.starts_with(&format!("{place} {said}")), "{text}\n{found}");
        assert!(first.help.is_some(), "{text}");
    }
}

/// Every prefix of a file, and every file with one character left out, is read or refused.
#[test]
fn no_text_makes_the_reader_panic() {
    for at in 0..OLD.len() {
        let _ = read_xta_network("f.ta", &OLD.as_bytes()[..at]);
        let without = format!("{}{}", &OLD[..at], &OLD[at + 1..]);
        let _ = read_xta_network("f.ta", without.as_bytes());
    }
}

#[test]
fn a_files_ending_says_that_it_is_text() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["f.ta", "f.XTA"] {
        let path = folder.path().join(name);
        fs::write(&path, OLD).unwrap();
        let (file, bytes, _) = read_network_file(&path).unwrap();
        assert_eq!((file.network.processes.len(), bytes.len()), (2, OLD.len()));
        // Messages name the lines of the text.
        assert_eq!(&*file.network.processes[0].edges[0].place, "line 11");
    }
}

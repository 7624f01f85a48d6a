//! Files of machines with variables as users meet them: what is refused and where, and what is unfolded.

use tamper::features::Varisat;
use tamper::formats::machines::{MachineFormat, MachineOptions, read_machine, read_suite};
use tamper::machines::{Analysis, Answer, Checked, MutationMachine, Unfolded};
use tamper::text::Budget;

fn refused(text: &str, format: MachineFormat) -> Vec<String> {
    let name = if format == MachineFormat::Scxml {
        "m.scxml"
    } else {
        "m.efsm"
    };
    let error = read_machine(name, text.as_bytes(), format, &MachineOptions::default()).expect_err(text);
    let place = |diagnostic: &tamper::text::Diagnostic| match diagnostic.span {
        Some(span) => {
            let at = error.file.line_col(span.start);
            format!("{}:{} {}", at.line, at.column, diagnostic.message)
        }
        None => diagnostic.message.clone(),
    };
    error.diagnostics.iter().map(place).collect()
}

fn machine(text: &str, most_configurations: usize) -> MutationMachine {
    let options = MachineOptions {
        most_configurations,
        ..MachineOptions::default()
    };
    read_machine("m.efsm", text.as_bytes(), MachineFormat::Extended, &options)
        .expect(text)
        .machine
}

#[test]
fn wrong_lines_of_extended_machines_are_refused_at_their_places() {
    for (text, expected) in [
        (
            "var n : 0..3 = 4\na i / x -> a\n",
            "1:16 this is no value of the domain",
        ),
        ("var n : 3..0 = 0\na i / x -> a\n", "1:9 this domain is empty"),
        (
            "var n : 0..3\na i / x -> a\n",
            "1:9 expected a domain, `=` and the initial value, found `0`",
        ),
        (
            "var n : 0..3 = 0\nvar n : bool = true\na i / x -> a\n",
            "2:5 `n` is declared already",
        ),
        (
            "var and : bool = true\na i / x -> a\n",
            "1:5 `and` cannot be the name of a variable",
        ),
        (
            "var d : {on, off} = on\nvar e : {off, on} = on\na i / x -> a\n",
            "2:9 `off` means something else already",
        ),
        ("a i [m > 0] / x -> a\n", "1:6 nothing is called `m`"),
        (
            "var n : 0..3 = 0\na i [n] / x -> a\n",
            "2:6 this is a number, not a boolean",
        ),
        (
            "var n : 0..3 = 0\na i [n > 0 | n + 1] / x -> a\n",
            "2:14 this is a number, not a boolean",
        ),
        (
            "var n : 0..3 = 0\na i [(n | 1) > 0] / x -> a\n",
            "2:6 alternatives inside of an expression",
        ),
        (
            "var n : 0..3 = 0\na i / x {n := n / 2} -> a\n",
            "2:15 the operator `/` is not part of these expressions",
        ),
        (
            "var n : 0..3 = 0\na i / x {m := 1} -> a\n",
            "2:10 there is no variable `m`",
        ),
        (
            "var n : 0..3 = 0\na i / x {n := 1 -> a\n",
            "2:9 this bracket is never closed",
        ),
        ("input c(v : 0..1)\na c(v, w) / x -> a\n", "2:3 `c` has 1 parameters"),
        ("a c(v) / x -> a\n", "1:3 `c` has 0 parameters"),
        (
            "a i / error -> a\n",
            "1:7 `error` is what mutants answer that cannot do what they say",
        ),
        (
            "mutated a i / x -> a\n",
            "1:1 there is no transition above that this one may replace",
        ),
        (
            "input c(v : 0..20000)\na c / x -> a\n",
            "the inputs with all values of their parameters are more than 10000",
        ),
        (
            "initial a\ninitial b\na i / x -> b\n",
            "2:1 the initial state is given twice",
        ),
        ("initial a\n", "1:1 the file has no transition"),
        ("a i x\n", "1:1 this line is no transition"),
        ("a i / -> b\n", "1:7 expected an output, found the end of the line"),
    ] {
        let found = refused(text, MachineFormat::Extended);
        assert_eq!(found.first().map(String::as_str), Some(expected), "{text}{found:?}");
    }
}

/// Each specification is wrong where it can get to, and only there is it said to be.
#[test]
fn specifications_that_are_not_sound_are_refused_with_an_example() {
    let counter = "var n : 0..2 = 0\nvar m : 0..2 = 0\na up [n < 2] / x {n := n + 1} -> a\n";
    for (more, expected) in [
        (
            "a up [n == 2] / x {m := m + 1} -> a\n",
            "4:20 m := 3 leaves the variable's range, for a with n=2, m=2 on up",
        ),
        (
            "a up [n == 2 && m == 1] / x -> a\n",
            "3:1 the specification has no transition for a with n=2, m=0 on up",
        ),
        (
            "a up [n >= 1] / x {n := 0} -> a\n",
            "4:1 the specification has two transitions for a with n=1, m=0 on up",
        ),
    ] {
        let found = refused(&format!("{counter}{more}"), MachineFormat::Extended);
        assert_eq!(found.first().map(String::as_str), Some(expected), "{more}{found:?}");
    }
    // With m = 1 it would leave its range; it never is.
    let unreachable =
        format!("{counter}a up [n == 2 && m == 0] / x -> a\na up [n == 2 && m > 0] / x {{m := m + 2}} -> a\n");
    let read = machine(&unreachable, 1000);
    assert_eq!(
        read.extended().map(|unfolding| unfolding.checked()),
        Some(Checked::Unfolded(3))
    );
}

/// A hundred thousand values, of which a test of two inputs reaches three: n = 0, 1, and 2 by the mutant.
const COUNTER: &str = "var n : 0..100000 = 0\n\
    a up [n < 100000] / ok {n := n + 1 | n + 2} -> a\n\
    a up [n >= 100000] / full -> a\n\
    a ask / count(n) -> a\n";

#[test]
fn a_complete_suite_of_a_large_machine_is_found_complete_without_unfolding_it() {
    let machine = machine(COUNTER, 1000);
    let suite = read_suite("s", b"up ask\n", &machine).unwrap().tests;
    let mut analysis = Analysis::new(&machine, Varisat::default());
    suite.iter().for_each(|test| analysis.add_test(test));
    assert_eq!(analysis.escape(&Budget::unlimited(), &mut |_| ()), Ok(Answer::Complete));
    let unfolding = machine.extended().expect("it has a variable");
    assert_eq!(unfolding.checked(), Checked::Locally);
    let few = Unfolded {
        n_configurations: 3,
        is_all: false,
    };
    assert_eq!(unfolding.unfolded(), few, "n = 0, 1, 2");
}

/// The mutant conforms: to know that takes all its configurations, which are more than are allowed.
#[test]
fn what_more_configurations_would_tell_is_unknown() {
    let text = COUNTER
        .replace("ok {n := n + 1 | n + 2}", "ok {n := n + 1}")
        .replace("[n >= 100000]", "[n >= 100000 | n >= 99999 + 1]");
    let machine = machine(&text, 1000);
    let mut analysis = Analysis::new(&machine, Varisat::default());
    let answer = analysis.escape(&Budget::unlimited(), &mut |_| ());
    assert!(matches!(answer, Ok(Answer::Unknown(_))), "{answer:?}");
}

fn chart(inside: &str) -> String {
    format!(
        "<scxml xmlns=\"http://www.w3.org/2005/07/scxml\" xmlns:tamper=\"urn:tamper:mutation\" version=\"1.0\">\n{inside}\n</scxml>\n"
    )
}

#[test]
fn what_charts_have_and_cannot_be_flattened_is_refused_by_name() {
    for (inside, expected) in [
        ("<parallel/>", "2:1 a <parallel> without regions"),
        (
            "<parallel><final id=\"a\"/></parallel>",
            "2:11 <final> is not supported here",
        ),
        (
            "<state id=\"a\"><history id=\"h\"/></state>",
            "2:15 <history> without one <transition>",
        ),
        (
            "<state id=\"a\"><history id=\"h\"><transition target=\"a\"/></history></state>",
            "2:51 a simple state has no history",
        ),
        (
            "<state id=\"a\"><history id=\"h\"><transition target=\"c\"/></history><state id=\"b\"/></state><state id=\"c\"/>",
            "2:51 `c` is no state below the one with this history",
        ),
        (
            "<state id=\"a\"><transition event=\"e\" target=\"b c\"/><state id=\"b\"/><state id=\"c\"/></state>",
            "2:15 several targets that are not active at once",
        ),
        (
            "<state id=\"a\"><state id=\"b\"/></state><state id=\"a.b\"/>",
            "2:38 two states are called `a.b` when they are flattened",
        ),
        (
            "<state id=\"a\"><onentry><if cond=\"true\"/></onentry></state>",
            "2:24 <if> is not supported here",
        ),
        (
            "<state id=\"a\"><transition event=\"e\"><send event=\"x\"/></transition></state>",
            "2:37 <send> without a target",
        ),
        (
            "<state id=\"a\"><transition event=\"e\" target=\"b\"/></state>",
            "2:15 there is no state `b`",
        ),
        (
            "<state id=\"a\"><transition event=\"e\" cond=\"n > 1\"/></state>",
            "2:43 nothing is called `n`",
        ),
        (
            "<datamodel><data id=\"n\" expr=\"0\"/></datamodel><state id=\"a\"/>",
            "2:12 the variable `n` has no range",
        ),
        ("<state id=\"a\"/><state id=\"a\"/>", "2:16 two states have the id `a`"),
        (
            "<state id=\"a\"><transition event=\"e\" guard=\"x\"/></state>",
            "2:37 the attribute `guard` of <transition> is not read",
        ),
        (
            "<state id=\"a\"><onentry><send event=\"x\" target=\"#_parent\"/></onentry></state>",
            "2:24 this happens before the first input, where no test can see it",
        ),
        (
            "<state id=\"a\"><tamper:transition event=\"e\"/></state>",
            "2:15 there is no <transition> above that this one may replace",
        ),
        ("<state id=\"a\">", "3:1 this is no XML"),
    ] {
        let found = refused(&chart(inside), MachineFormat::Scxml);
        assert!(
            found.first().is_some_and(|first| first.starts_with(expected)),
            "{inside}\n{found:?}"
        );
    }
}

fn tamper(words: &[&str]) -> (Option<i32>, String) {
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_tamper"));
    let output = command
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .args(words)
        .output()
        .unwrap();
    let text = [output.stdout, output.stderr].concat();
    (output.status.code(), String::from_utf8(text).unwrap())
}

/// By hand: the guard, the update of `coin`, the rule, update and target of `pay`, and the answer of the other `pay` have two
/// alternatives each, so 2^6 machines. The purse holds 0 to 5; a mutant opens it with any of 0 to 3 left: ten configurations.
#[test]
fn the_purse_is_completed_and_its_json_says_what_was_unfolded() {
    let purse = "examples/machines/purse.efsm";
    let (code, text) = tamper(&["coverage", purse, "--suite=complete", "--format", "json"]);
    let json: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!((code, &json["machines"]), (Some(0), &serde_json::json!("64")));
    let unfolded = serde_json::json!({ "configurations": 10, "all": true, "left_out": ["served"] });
    assert_eq!(json["unfolded"], unfolded);
    let (code, text) = tamper(&["coverage", purse, "--suite=complete", "--max-states", "4"]);
    assert_eq!(code, Some(3), "{text}");
    assert!(text.starts_with("unknown") && text.contains("--max-states"), "{text}");
    // Each of the specification's 8 rules has 8 names for its answer, and 5 other places have two alternatives.
    let (code, text) = tamper(&[
        "coverage",
        purse,
        "--faults",
        "outputs",
        "--suite=complete",
        "--format",
        "json",
    ]);
    let json: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!((code, &json["machines"]), (Some(0), &serde_json::json!("536870912")));
}

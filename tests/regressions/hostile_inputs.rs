//! Hostile inputs: far beyond every bound of the readers, or doubling.

use std::fmt::Write as _;

/// The name of a file, its text, and the words after the name of tamper, with `F` for the file.
pub type Input = (String, String, &'static str);

/// `n` parts one after the other.
fn many(n: usize, part: impl Fn(usize) -> String) -> String {
    (0..n).map(part).collect()
}

fn process(label: &str) -> String {
    format!("process P() {{ state s; init s; trans s -> s {{ {label} }}; }}\nsystem P;\n")
}

/// Chains and nests of games and networks.
fn games(n: usize, add: &mut impl FnMut(&str, String, &'static str)) {
    let (deep, plain) = (n / 8, process(""));
    let structs = |fields: &str| {
        format!(
            "{}int a; {}{fields}",
            "struct { ".repeat(deep),
            "} x; ".repeat(deep - 1)
        )
    };
    add(
        "struct.xml",
        format!(
            "<nta><declaration>{}</declaration><template><name>P</name><location id=\"l\"/><init ref=\"l\"/></template>\
             <system>system P;</system></nta>",
            structs("} v;")
        ),
        "check F",
    );
    add("struct.xta", structs("} v;\n") + &plain, "check F");
    let instances = many(n, |at| format!("A{}=A{at}();\n", at + 1));
    add(
        "instances.xta",
        plain.replace("system P;", &format!("A0=P();\n{instances}system A{n};")),
        "check F",
    );
    let calls = |body: fn(usize) -> String, n| {
        let functions = many(n, |at| format!("int f{}(int a) {{ return {}; }}\n", at + 1, body(at)));
        format!(
            "int[0,1] v; int f0(int a) {{ return a; }}\n{functions}{}",
            process(&format!("assign v = f{n}(1);"))
        )
    };
    add("calls.xta", calls(|at| format!("f{at}(a)"), deep), "check F --network");
    add(
        "calls_twice.xta",
        calls(|at| format!("f{at}(f{at}(a))"), 60),
        "check F --network",
    );
    let types = |fields: fn(usize) -> String, n| {
        let types = many(n, |at| format!("typedef struct {{ {} }} t{};", fields(at), at + 1));
        format!("typedef struct {{ int a; }} t0;{types} t{n} v;\n{plain}")
    };
    add("types.xta", types(|at| format!("t{at} a;"), n), "check F --network");
    add(
        "types_twice.xta",
        types(|at| format!("t{at} a; t{at} b;"), 60),
        "check F --network",
    );
    add(
        "arrays.xta",
        format!("typedef int[0,1] t[1000]; typedef t u[1000]; u a, b, c, e, f;\n{plain}"),
        "check F",
    );
    let parameters = "process P(const int[0,31] a, const int[0,31] b) { state s; init s; }\nsystem P;\n";
    add("parameters.xta", parameters.to_owned(), "check F --network");
    add("clocks.xta", format!("clock c[20000];\n{plain}"), "check F --network");
    add(
        "clocks_many.xta",
        format!("clock c[1000000];\n{plain}"),
        "check F --network",
    );
    let clocks = many(70_000, |at| format!("clock c{at};"));
    add(
        "clocks_single.xta",
        plain.replace("state", &format!("{clocks} state")),
        "check F",
    );
    let guard = |parts: Vec<String>| format!("clock c;\n{}", process(&format!("guard {};", parts.join(" && "))));
    add("disjunctions.xta", guard(vec!["(c<1||c>3)".to_owned(); 14]), "check F");
    add(
        "unequal.xta",
        guard((0..18).map(|at| format!("c != {at}")).collect()),
        "check F",
    );
    let all = format!("clock c[16];\n{}", process("guard forall (i:int[0,15]) c[i]!=1;"));
    add("forall.xta", all, "check F --network");
    let vectors = many(12, |at| {
        let edges = many(6, |to| format!("location:P{at}:m{to}{{}}\nedge:P{at}:l:m{to}:a\n"));
        format!("process:P{at}\nlocation:P{at}:l{{initial:}}\n{edges}")
    });
    let together: Vec<String> = (0..12).map(|at| format!("P{at}@a")).collect();
    let product = format!(
        "# tamper:alphabet a?\nsystem:s\nevent:a\n{vectors}sync:{}\n",
        together.join(":")
    );
    add("product.tck", product, "check F");
    let intervals: Vec<String> = (0..n).map(|at| format!("[{},{})", 2 * at, 2 * at + 1)).collect();
    let automaton = |l: &str, sigma: &str, tran: &str, init: &str| {
        format!(
            "{{\"name\":\"D\",\"l\":[{l}],\"sigma\":[{sigma}],\"tran\":{{{tran}}},\"init\":\"{init}\",\"accept\":[]}}"
        )
    };
    let transition = format!("\"0\":[\"a\",\"p\",\"{}\",\"r\",\"a\"]", intervals.join("U"));
    add(
        "intervals.json",
        automaton("\"a\"", "\"p\"", &transition, "a"),
        "check F",
    );
    let names = |letter: char, n| {
        (0..n)
            .map(|at| format!("\"{letter}{at}\""))
            .collect::<Vec<_>>()
            .join(",")
    };
    add(
        "million.json",
        automaton(&names('l', 999), &names('a', 1000), "", "l0"),
        "check F",
    );
}

/// Chains and nests of untimed systems.
fn systems(n: usize, add: &mut impl FnMut(&str, String, &'static str)) {
    let smv = |rest: String| {
        format!("-- inputs: i\n-- outputs: o\nMODULE main\nVAR i : boolean; o : boolean; n : 0..3;\n{rest}")
    };
    for (name, operator) in [("and", "&"), ("imp", "->"), ("cmp", "="), ("xor", "xor")] {
        let chain = vec!["i"; n].join(&format!(" {operator} "));
        add(
            &format!("{name}.smv"),
            smv(format!("ASSIGN next(o) := {chain};\n")),
            "check F",
        );
    }
    add(
        "plus.smv",
        smv(format!("ASSIGN next(n) := (n{}) mod 4;\n", " + 1".repeat(n))),
        "check F",
    );
    add(
        "tern.smv",
        smv(format!("ASSIGN next(n) := {}0;\n", "i ? 1 : ".repeat(n))),
        "check F",
    );
    add(
        "union.smv",
        smv(format!("ASSIGN next(n) := {};\n", vec!["1"; n].join(" union "))),
        "check F",
    );
    let defines = |body: fn(usize) -> String, n| {
        let defines = many(n, |at| format!("d{} := {};\n", at + 1, body(at)));
        smv(format!("DEFINE d0 := i;\n{defines}ASSIGN next(o) := d{n};\n"))
    };
    add("define.smv", defines(|at| format!("!d{at}"), n), "check F");
    add(
        "define_twice.smv",
        defines(|at| format!("d{at} xor d{at}"), 60),
        "check F",
    );
    let btor2 = |line: fn(usize) -> String, n| {
        let lines: String = (8..n).map(line).collect();
        let last = n - 1;
        format!(
            "1 sort bitvec 1\n2 sort bitvec 4\n3 input 2 a\n4 state 2 s\n5 zero 2\n6 init 2 4 5\n7 add 2 4 3\n{lines}\
             {n} next 2 4 {last}\n{} output 4 o\n",
            n + 1
        )
    };
    add(
        "deep.btor2",
        btor2(|at| format!("{at} add 2 {} 3\n", at - 1), n),
        "check F",
    );
    add(
        "twice.btor2",
        btor2(|at| format!("{at} add 2 {0} {0}\n", at - 1), 60),
        "check F",
    );
    let actions = |deep: String| {
        format!(
            "% inputs: put\ntype(value, X) :- X in 0..3.\nvar([v], value).\nstate_def([v]).\ninit([0]).\nas :-\n actions (\n \
             put(X)::(v #= 0) => (v := X),\n o::(v #= 1) => ({deep})\n ),\n dood ( [X:value]:put(X) [] o ).\n"
        )
    };
    add("choice.pl", actions(vec!["(v := 0)"; n].join(" [] ")), "check F");
    add(
        "guards.pl",
        actions(format!("{}(v := 1)", "(v #= 0) => ".repeat(n))),
        "check F",
    );
    add("quotes.pl", "'".repeat(100_000), "check F");
}

/// Chains and nests of feature models and machines.
fn others(n: usize, add: &mut impl FnMut(&str, String, &'static str)) {
    add("nbsp.dimacs", "p cnf 1 1\nc 1 \u{a0}\n1 0\n".to_owned(), "features F");
    let uvl =
        |constraint: String| format!("features\n\tr\n\t\toptional\n\t\t\ta\n\t\t\tb\nconstraints\n\t{constraint}\n");
    add("equal.uvl", uvl(vec!["a"; 80].join(" <=> b <=> ")), "features F");
    add("implied.uvl", uvl(vec!["a"; n].join(" => b => ")), "features F");
    add("not.uvl", uvl("!".repeat(n) + "a"), "features F");
    for tag in ["eq", "atmost1"] {
        let (open, close) = (format!("<{tag}>"), format!("<var>b</var><var>a</var></{tag}>"));
        let close = if tag == "eq" {
            close.replacen("<var>b</var>", "", 1)
        } else {
            close
        };
        let text = format!(
            "<featureModel><struct><and name=\"r\"><feature name=\"a\"/><feature name=\"b\"/></and></struct><constraints><rule>\
             {}<var>a</var>{}</rule></constraints></featureModel>",
            open.repeat(60),
            close.repeat(60)
        );
        add(&format!("{tag}.xml"), text, "features F");
    }
    let chart = |content: String| {
        format!("<scxml xmlns=\"http://www.w3.org/2005/07/scxml\" version=\"1.0\" initial=\"s0\">{content}</scxml>")
    };
    add(
        "wide.scxml",
        chart(many(20_000, |at| format!("<state id=\"s{at}\"/>"))),
        "coverage F --complete",
    );
    let mut raises = "<state id=\"s0\"><transition event=\"go\"><raise event=\"e0\"/></transition>".to_owned();
    for at in 0..40 {
        let raise = format!("<raise event=\"e{}\"/>", at + 1);
        let _ = write!(raises, "<transition event=\"e{at}\">{raise}{raise}</transition>");
    }
    add("raises.scxml", chart(raises + "</state>"), "coverage F --complete");
    let machine = "var n : 0..2147483647 = 0\ninitial A\nA a [n < 2147483647 | n < 5] / ok {n := n + 1 | n + 2} -> A\n\
                   A a [n == 2147483647] / no -> A\nA b / x(n) -> A\n";
    add(
        "wide.efsm",
        machine.to_owned(),
        "coverage F --complete --max-states 1000000000",
    );
}

/// All of them; chains have `n` links.
pub fn inputs(n: usize) -> Vec<Input> {
    let mut list = Vec::new();
    let mut add = |name: &str, text: String, words: &'static str| list.push((name.to_owned(), text, words));
    games(n, &mut add);
    systems(n, &mut add);
    others(n, &mut add);
    list
}

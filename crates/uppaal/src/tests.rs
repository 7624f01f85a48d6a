//! What labels and declarations mean, one line per case; expected values are written by hand.

use super::{Document, IoConvention, ReadOptions, read_bytes};
use tamper_text::Id;
use tamper_timed::model::{Automaton, Expr, Guard, Update};

/// A file with one template `T`, locations `l` (initial, with an invariant) and `m`, one edge `a?` from l to m.
struct Parts<'a> {
    globals: &'a str,
    locals: &'a str,
    select: &'a str,
    guard: &'a str,
    update: &'a str,
    invariant: &'a str,
}

const PARTS: Parts<'_> = Parts {
    globals: "chan a; clock x, y; const int N = 3; int i; int[0,5] j; bool b;",
    locals: "",
    select: "",
    guard: "",
    update: "",
    invariant: "",
};

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}

fn file(parts: &Parts<'_>) -> String {
    let label = |kind: &str, text: &str| match text {
        "" => String::new(),
        text => format!("<label kind=\"{kind}\">{}</label>", escape(text)),
    };
    format!(
        "<nta><declaration>{}</declaration><template><name>T</name><declaration>{}</declaration>\
         <location id=\"l\">{}</location><location id=\"m\"/><init ref=\"l\"/>\
         <transition><source ref=\"l\"/><target ref=\"m\"/>{}{}<label kind=\"synchronisation\">a?</label>{}</transition>\
         </template><system>system T;</system></nta>",
        escape(parts.globals),
        escape(parts.locals),
        label("invariant", parts.invariant),
        label("select", parts.select),
        label("guard", parts.guard),
        label("assignment", parts.update),
    )
}

fn read(text: &str) -> Result<Document, String> {
    match read_bytes("test.xml", text.as_bytes(), &ReadOptions::default()) {
        Ok((document, _)) => Ok(document),
        Err(error) => Err(error
            .diagnostics
            .iter()
            .map(|d| d.message.clone())
            .collect::<Vec<_>>()
            .join("; ")),
    }
}

fn show_expr(automaton: &Automaton, expr: &Expr) -> String {
    let show = |part: &Expr| show_expr(automaton, part);
    match expr {
        Expr::Const(value) => value.to_string(),
        Expr::Var(int) => automaton.ints()[*int].name.to_string(),
        Expr::Select(position) => format!("s{position}"),
        Expr::Unary(op, a) => format!("({op:?} {})", show(a)),
        Expr::Binary(op, a, b) => format!("({op:?} {} {})", show(a), show(b)),
        Expr::Cond(a, b, c) => format!("(if {} {} {})", show(a), show(b), show(c)),
    }
}

fn show_guard(automaton: &Automaton, guard: &Guard) -> String {
    let name = |clock| automaton.clocks()[clock].name.to_string();
    let atoms = guard.clocks.iter().map(|atom| {
        let right = atom.right.map(|right| format!("-{}", name(right))).unwrap_or_default();
        format!(
            "{}{right}{}{}",
            name(atom.left),
            atom.cmp.symbol(),
            show_expr(automaton, &atom.bound)
        )
    });
    let data = guard.data.iter().map(|expr| show_expr(automaton, expr));
    atoms.chain(data).collect::<Vec<_>>().join(" & ")
}

fn show_updates(automaton: &Automaton, updates: &[Update]) -> String {
    let show = |update: &Update| match update {
        Update::Reset(clock, value) => {
            format!("{}:={}", automaton.clocks()[*clock].name, show_expr(automaton, value))
        }
        Update::Assign(int, value) => format!("{}:={}", automaton.ints()[*int].name, show_expr(automaton, value)),
    };
    updates.iter().map(show).collect::<Vec<_>>().join(", ")
}

fn edge_of(document: &Document) -> (&Automaton, &tamper_timed::model::Edge) {
    let automaton = &document.automata()[0];
    (automaton, &automaton.edges().as_slice()[0])
}

fn check_guard(guard: &str, expected: &str) {
    let shown = read(&file(&Parts { guard, ..PARTS })).map(|document| {
        let (automaton, edge) = edge_of(&document);
        show_guard(automaton, &edge.guard)
    });
    assert_eq!(
        shown.unwrap_or_else(|error| format!("error: {error}")),
        expected,
        "{guard}"
    );
}

fn check_update(update: &str, expected: &str) {
    let shown = read(&file(&Parts { update, ..PARTS })).map(|document| {
        let (automaton, edge) = edge_of(&document);
        show_updates(automaton, &edge.updates)
    });
    assert_eq!(
        shown.unwrap_or_else(|error| format!("error: {error}")),
        expected,
        "{update}"
    );
}

/// The value of `c` after `declarations`.
fn check_constant(declarations: &str, expected: &str) {
    let globals = format!("chan a; clock x; {declarations}");
    let shown = read(&file(&Parts {
        globals: &globals,
        guard: "x <= c",
        ..PARTS
    }))
    .map(|document| {
        let (automaton, edge) = edge_of(&document);
        show_guard(automaton, &edge.guard)
    });
    let expected = if expected.starts_with("error") {
        expected.to_owned()
    } else {
        format!("x<={expected}")
    };
    assert_eq!(
        shown.unwrap_or_else(|error| format!("error: {error}")),
        expected,
        "{declarations}"
    );
}

/// The range and initial value of the variable `v`.
fn check_int(declarations: &str, expected: &str) {
    let globals = format!("chan a; {declarations}");
    let shown = read(&file(&Parts {
        globals: &globals,
        guard: "v == 1",
        ..PARTS
    }))
    .map(|document| {
        let var = document.automata()[0].ints().as_slice()[0].clone();
        format!("{}..{} = {}", var.low, var.high, var.initial)
    });
    assert_eq!(
        shown.unwrap_or_else(|error| format!("error: {error}")),
        expected,
        "{declarations}"
    );
}

#[test]
fn guards_are_conjunctions_in_every_spelling() {
    check_guard("", "");
    check_guard("true", "");
    check_guard("x <= 5", "x<=5");
    check_guard("5 <= x", "x>=5");
    check_guard("x>=1 && y<2", "x>=1 & y<2");
    check_guard("x>=1 and y<2 && (x<4)", "x>=1 & y<2 & x<4");
    check_guard("x>=1, y<2", "x>=1 & y<2");
    check_guard("x == 5", "x==5");
    check_guard("x <= N+1", "x<=4");
    check_guard("x <= N*2-1 && true", "x<=5");
    check_guard("x - y < 3", "x-y<3");
    check_guard("3 > x - y", "x-y<3");
    check_guard("x < y", "x-y<0");
    check_guard("x < y + 2", "x-y<2");
    check_guard("y + 2 >= x", "y-x>=-2");
    check_guard("x == y", "x-y==0");
    check_guard("x - 1 <= 3", "x<=4");
    check_guard("-x <= -3", "x>=3");
    check_guard("x + x - x > 2", "x>2");
    check_guard("x <= i", "x<=i");
    check_guard("x - i <= 2", "x<=(Add 2 i)");
    check_guard("x <= i + 1", "x<=(Add i 1)");
    check_guard("x - x < 1", "");
    check_guard("x > x", "0");
    check_guard("!(x <= 5)", "x>5");
    check_guard("not (x < 3 || y >= 2)", "x>=3 & y<2");
    check_guard("!(i == 0 imply x < 3)", "x>=3 & (Eq i 0)");
    check_guard("i == 0 || j == 1", "(Or (Eq i 0) (Eq j 1))");
    check_guard("i == 0 && j != 1", "(Eq i 0) & (Ne j 1)");
    check_guard("b", "b");
    check_guard("!b", "(Not b)");
    check_guard("not b == true", "(Eq (Not b) 1)");
    check_guard("N == 3", "");
    check_guard("N > 3", "0");
    check_guard("N > 3 || x < 2", "x<2");
    check_guard("N == 3 || x < 2", "");
    check_guard("N == 3 imply x < 2", "x<2");
    check_guard("x < 2 imply false", "x>=2");
    check_guard("!(N == 3 && x < 2)", "x>=2");
    check_guard("N == 3 ? x < 2 : x > 7", "x<2");
    check_guard("i < j <? N", "(Lt i (Min j 3))");
    check_guard("abs(i) < 3", "(Lt (Max i (Neg i)) 3)");
    check_guard("max(i, j) < 3", "(Lt (Max i j) 3)");
    check_guard("x <= (b ? 1 : 2)", "x<=(if b 1 2)");
    check_guard("/* c */ x <= 5 // d", "x<=5");
    check_guard("x\n<=\n5", "x<=5");
    check_guard("x' == 1 && x > 2", "x>2");
}

#[test]
fn what_is_no_conjunction_is_refused_by_name() {
    check_guard(
        "x < 2 || y > 3",
        "error: a disjunction of clock conditions is not supported",
    );
    check_guard(
        "i == 1 || y > 3",
        "error: a disjunction of clock conditions is not supported",
    );
    check_guard(
        "!(x < 2 && y > 3)",
        "error: the negation of a conjunction of clock conditions is not supported",
    );
    check_guard(
        "i == 0 imply x < 3",
        "error: a disjunction of clock conditions is not supported",
    );
    check_guard(
        "b ? x < 3 : x < 4",
        "error: `?:` between clock conditions is not supported",
    );
    check_guard("x != 3", "error: `!=` between clocks is not supported");
    check_guard("!(x == 3)", "error: `!=` between clocks is not supported");
    check_guard(
        "x + y < 3",
        "error: this is neither a clock nor the difference of two clocks",
    );
    check_guard("2 * x < 3", "error: the clock `x` is used as a number");
    check_guard("0 < x < 3", "error: the clock `x` is used as a number");
    check_guard("x", "error: the clock `x` is used as a number");
    check_guard("!x < 3", "error: the clock `x` is used as a number");
    check_guard("x = 3", "error: a condition that changes a variable or clock");
    check_guard("x' == 0", "error: clock rates (stopwatches) are not supported");
    check_guard("z < 3", "error: `z` is not declared");
    check_guard("a < 3", "error: `a` is a channel, not a value");
    check_guard("x < 1.5", "error: floating-point numbers are not supported");
    check_guard("f(x)", "error: there is no function `f`");
    check_guard(
        "forall (k : int[0,2]) k < i",
        "error: the quantifier `forall` is not supported",
    );
    check_guard("x < 1/0", "error: division by zero in a constant expression");
    check_guard("x < 2147483648", "error: the number 2147483648 does not fit in 32 bits");
    check_guard(
        "x < 2147483647 + 1",
        "error: the bound 2147483648 does not fit in 32 bits",
    );
    check_guard("z < 3 && w > 1", "error: `z` is not declared");
}

#[test]
fn updates_happen_in_order() {
    check_update("x = 0", "x:=0");
    check_update("x := N, i := i + 1", "x:=3, i:=(Add i 1)");
    check_update(
        "i += 2, j -= N, i++, --j",
        "i:=(Add i 2), j:=(Sub j 3), i:=(Plus(1) i), j:=(Plus(-1) j)",
    );
    check_update("x = i", "x:=i");
    check_update("b = i", "b:=(Truth i)");
    check_update("b = i > 2", "b:=(Gt i 2)");
    check_update("b = !b", "b:=(Not b)");
    check_update("b = 7", "b:=1");
    check_update("i = b", "i:=b");
    check_update("i = j = 4", "j:=4, i:=j");
    check_update("x = y = 0", "y:=0, x:=0");
    check_update("i = b ? 1 : 2", "i:=(if b 1 2)");
    check_update("i <<= 2", "i:=(Shl i 2)");
    check_update("1", "");
    check_update("x = y", "error: the value of the clock `y` is copied");
    check_update("x = y + 1", "error: the clock `y` is used as a number");
    check_update("x += 1", "error: a clock is changed relative to its value");
    check_update("x++", "error: a clock is changed relative to its value");
    check_update("x = -1", "error: a clock is reset to a negative number");
    check_update("N = 4", "error: `N` is a constant and cannot be changed");
    check_update("f()", "error: there is no function `f`");
    check_update("x == 0", "error: the clock `x` is used as a number");
    check_update(
        "x = 0; i = 1",
        "error: expected an operator or the end of the text, found `;`",
    );
    check_update("i = (j = 2) + 1", "error: an assignment inside an expression");
}

#[test]
fn declarations_have_uppaals_types_and_values() {
    check_constant("const int c = 2 * (3 + 4) - 1;", "13");
    check_constant("const int d = 4; const int c = d << 2;", "16");
    check_constant("const int d = 4, c = d - 1;", "3");
    check_constant("typedef int[0,9] digit; const digit c = 7;", "7");
    check_constant("const int[0,3] c = 4;", "error: 4 is not in the range [0,3] of `c`");
    check_constant("const bool c = 2;", "1");
    check_constant("const c 5;", "5");
    check_constant("const int c := 5;", "5");
    check_constant("const int c = 7 / 2 + 7 % 4 + (1 <? 2) + (true ? 10 : 20);", "17");
    check_constant("const int c;", "error: the constant `c` has no value");
    check_constant("int v; const int c = v;", "error: `v` is not a constant");
    check_constant("const int c = 1; const int c = 2;", "error: `c` is declared twice");
    check_constant(
        "const int c = later; const int later = 1;",
        "error: `later` is not declared",
    );
    check_constant("const int c = 100000;", "100000");
    check_int("int v;", "-32768..32767 = 0");
    check_int("int v = 7;", "-32768..32767 = 7");
    check_int("int[2,5] v = 3;", "2..5 = 3");
    check_int("const int N = 4; int[-N,N*2] v := -N;", "-4..8 = -4");
    check_int("bool v = true;", "0..1 = 1");
    check_int("typedef int[1,3] t; typedef t u; u v = 2;", "1..3 = 2");
    check_int("int[2,5] v;", "2..5 = 2");
    check_int("int[0,5] v = 6;", "error: 6 is not in the range [0,5] of `v`");
    check_int("int[5,2] v;", "error: the range [5,2] is empty");
    check_int(
        "meta int v;",
        "error: the meta variable `v`, which no automaton by itself has",
    );
    check_int("int v[3];", "error: `v` is an array, not a value");
    check_int(
        "double v = 1.0;",
        "error: `v` is a floating-point variable, which is not supported",
    );
    check_int("struct { int f; } v;", "error: `v` is a structure, not a value");
    check_int(
        "scalar[3] v;",
        "error: a scalar is compared with, or used as, something that is none of its set",
    );
    check_int("int v; int f(int n) { return n; }", "-32768..32767 = 0");
    check_int("int v; clock c[3]; progress { v; }", "-32768..32767 = 0");
}

#[test]
fn local_names_hide_global_ones_and_selects_hide_both() {
    let parts = Parts {
        locals: "const int N = 8; clock x;",
        select: "i : int[1,2], k : bool",
        ..PARTS
    };
    let document = read(&file(&Parts {
        guard: "x < N && y < i && k",
        ..parts
    }))
    .unwrap();
    let (automaton, edge) = edge_of(&document);
    assert_eq!(show_guard(automaton, &edge.guard), "x<8 & y<s0 & s1");
    assert_eq!(automaton.clocks().len(), 2);
    assert_eq!(edge.guard.clocks[0].left.index(), 0);
    let ranges: Vec<_> = edge
        .selects
        .iter()
        .map(|select| (&*select.name, select.low, select.high))
        .collect();
    assert_eq!(ranges, [("i", 1, 2), ("k", 0, 1)]);
}

#[test]
fn invariants_may_have_lower_bounds_diagonals_and_integers() {
    let document = read(&file(&Parts {
        invariant: "x <= 5 && y >= 2 && x - y < N && i < 3",
        ..PARTS
    }))
    .unwrap();
    let automaton = &document.automata()[0];
    let invariant = &automaton.locations()[automaton.initial()].invariant;
    assert_eq!(show_guard(automaton, invariant), "x<=5 & y>=2 & x-y<3 & (Lt i 3)");
}

/// The actions of an edge with this label and attribute, or the error.
fn check_role(label: &str, attribute: &str, io: IoConvention, expected: &str) {
    let text = file(&PARTS)
        .replace("a?", label)
        .replace("<transition>", &format!("<transition {attribute}>"));
    let options = ReadOptions {
        io,
        ..ReadOptions::default()
    };
    let shown = match read_bytes("test.xml", text.as_bytes(), &options) {
        Ok((document, _)) => {
            let automaton = &document.automata()[0];
            automaton
                .actions()
                .iter()
                .map(ToString::to_string)
                .collect::<Vec<_>>()
                .join(" ")
        }
        Err(error) => format!("error: {}", error.diagnostics[0].message),
    };
    assert_eq!(shown, expected, "{label} {attribute} {io:?}");
}

#[test]
fn label_and_attribute_agree_or_an_option_decides() {
    use IoConvention::{Attribute, Auto, Label};
    let (on, off) = ("controllable=\"true\"", "controllable=\"false\"");
    check_role("a?", "", Auto, "a?");
    check_role("a!", "", Auto, "a!");
    check_role("", "", Auto, "tau");
    check_role("a?", on, Auto, "a?");
    check_role("a!", off, Auto, "a!");
    check_role("", off, Auto, "tau");
    let conflict = "error: the edge `a!` is an output by its label, but controllable, hence an input by its attribute";
    check_role("a!", on, Auto, conflict);
    let conflict =
        "error: the edge `a?` is an input by its label, but uncontrollable, hence an output by its attribute";
    check_role("a?", off, Auto, conflict);
    check_role("a?", "controllable=\"yes\"", Auto, conflict);
    check_role("", on, Auto, "error: a controllable edge without a synchronisation");
    check_role("a!", on, Label, "a!");
    check_role("", on, Label, "tau");
    check_role("a!", on, Attribute, "a?");
    check_role("a?", off, Attribute, "a!");
    check_role("a?", "", Attribute, "a!");
    check_role(
        "",
        on,
        Attribute,
        "error: a controllable edge without a synchronisation",
    );
    check_role("b?", "", Auto, "error: `b` is not a channel");
    check_role("c?", "", Auto, "error: `c` is not declared");
    check_role(
        "a",
        "",
        Auto,
        "error: the channel `a` is neither sent (`!`) nor received (`?`)",
    );
    check_role("a[0]!", "", Auto, "error: `a` is no array here");
}

#[test]
fn a_wrong_channel_priority_in_a_function_is_refused_and_forgets_no_depth() {
    for wrong in ["5 <", "a <", "< default", ""] {
        let globals = &format!("chan a; clock x; void f() {{ if (true) {{ chan priority {wrong}; }} }}");
        let of = |update| {
            read(&file(&Parts {
                globals,
                update,
                ..PARTS
            }))
        };
        assert!(of("").is_ok(), "what nothing calls is not read: {wrong}");
        assert!(of("f()").is_err(), "{wrong}");
    }
}

//! All that makes two automata the same, as text: up to their names, the order of their alphabets and variables that
//! nothing mentions.

use tamper::model::{Automaton, Expr, Guard, Select, UnaryOp, Update};

fn show_expr(automaton: &Automaton, expr: &Expr) -> String {
    // Readers fold constants.
    if let Some(value) = expr.as_const() {
        return value.to_string();
    }
    let show = |part: &Expr| show_expr(automaton, part);
    match expr {
        Expr::Const(value) => value.to_string(),
        Expr::Var(int) => {
            let var = &automaton.ints()[*int];
            format!("{}[{},{}]={}", var.name, var.low, var.high, var.initial)
        }
        Expr::Select(position) => format!("select {position}"),
        // What a file does not write is written out by writers.
        Expr::Unary(op @ (UnaryOp::Truth | UnaryOp::Plus(_) | UnaryOp::Times(_)), a) => show(&op.written_out(a)),
        Expr::Unary(op, a) => format!("({op:?} {})", show(a)),
        Expr::Binary(op, a, b) => format!("({op:?} {} {})", show(a), show(b)),
        Expr::Cond(a, b, c) => format!("(if {} {} {})", show(a), show(b), show(c)),
    }
}

fn show_guard(automaton: &Automaton, guard: &Guard) -> String {
    let name = |clock| automaton.clocks()[clock].name.to_string();
    let atoms = guard.clocks.iter().map(|atom| {
        let bound = show_expr(automaton, &atom.bound);
        format!(
            "{} - {:?} {:?} {bound}",
            name(atom.left),
            atom.right.map(name),
            atom.cmp
        )
    });
    let is_said = |expr: &&Expr| expr.as_const().is_none_or(|value| value == 0);
    let data = guard.data.iter().filter(is_said).map(|expr| show_expr(automaton, expr));
    atoms.chain(data).collect::<Vec<_>>().join(" & ")
}

fn show_update(automaton: &Automaton, update: &Update) -> String {
    match update {
        Update::Reset(clock, value) => {
            format!("{} := {}", automaton.clocks()[*clock].name, show_expr(automaton, value))
        }
        Update::Assign(int, value) => format!("{} := {}", automaton.ints()[*int].name, show_expr(automaton, value)),
    }
}

/// All that makes two automata the same, by names.
pub fn show(automaton: &Automaton) -> String {
    let mut alphabet: Vec<_> = automaton
        .actions()
        .iter()
        .map(|a| format!("{a} {}", a.urgent))
        .collect();
    alphabet.sort();
    let mut lines = vec![format!("{alphabet:?} ignoring {}", automaton.is_input_enabled())];
    for location in automaton.locations() {
        let initial = automaton.locations()[automaton.initial()].name == location.name;
        let invariant = show_guard(automaton, &location.invariant);
        lines.push(format!(
            "{} {initial} {:?} {invariant}",
            location.name, location.urgency
        ));
    }
    for edge in automaton.edges() {
        let name = |location| &automaton.locations()[location].name;
        let updates: Vec<_> = edge
            .updates
            .iter()
            .map(|update| show_update(automaton, update))
            .collect();
        let selects: Vec<_> = edge
            .selects
            .iter()
            .map(|Select { name, low, high }| (name, low, high))
            .collect();
        lines.push(format!(
            "{} -> {} {} {selects:?} {} {updates:?}",
            name(edge.source),
            name(edge.target),
            automaton.actions()[edge.action],
            show_guard(automaton, &edge.guard),
        ));
    }
    lines.join("\n")
}

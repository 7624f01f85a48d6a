//! Expressions, guards and assignments as UPPAAL text (not yet escaped for XML), which reads back the same; and the
//! directive that keeps actions in the alphabet that no edge has.

use std::collections::BTreeSet;

use tamper_timed::model::{Action, Automaton, Expr, Guard, IntVar, Role, Select, UnaryOp, Update};

/// A guard or invariant; empty if it always holds.
pub fn guard_text(automaton: &Automaton, guard: &Guard, selects: &[Select]) -> String {
    let expr = |expr: &Expr| expr_text(automaton, expr, selects);
    let atoms = guard.clocks.iter().map(|atom| {
        let name = |clock| &*automaton.clocks()[clock].name;
        let bound = expr(&atom.bound);
        match atom.right {
            Some(right) => format!("{} - {} {} {bound}", name(atom.left), name(right), atom.cmp.symbol()),
            None => format!("{} {} {bound}", name(atom.left), atom.cmp.symbol()),
        }
    });
    let data = guard.data.iter().map(|condition| match condition {
        Expr::Const(value) => (*value != 0).to_string(),
        condition => expr(condition),
    });
    atoms.chain(data).collect::<Vec<_>>().join(" && ")
}

/// The assignments of an edge.
pub fn updates_text(automaton: &Automaton, updates: &[Update], selects: &[Select]) -> String {
    let text = |update: &Update| {
        let (name, value) = match update {
            Update::Reset(clock, value) => (&automaton.clocks()[*clock].name, value),
            Update::Assign(int, value) => (&automaton.ints()[*int].name, value),
        };
        format!("{name} = {}", expr_text(automaton, value, selects))
    };
    updates.iter().map(text).collect::<Vec<_>>().join(", ")
}

/// The select variables of an edge.
pub fn selects_text(selects: &[Select]) -> String {
    let text = |select: &Select| format!("{} : int[{},{}]", select.name, number(select.low), number(select.high));
    selects.iter().map(text).collect::<Vec<_>>().join(", ")
}

/// The declaration of an integer variable.
pub fn int_declaration(var: &IntVar) -> String {
    format!(
        "int[{},{}] {} = {};",
        number(var.low),
        number(var.high),
        var.name,
        number(var.initial)
    )
}

/// `value` in a spelling of which no part exceeds 32 bits.
fn number(value: impl Into<i64>) -> String {
    match value.into() {
        value if value == i64::from(i32::MIN) => format!("(-{} - 1)", i32::MAX),
        value => value.to_string(),
    }
}

/// An expression; everything but names and natural numbers is in brackets, so no precedence matters.
fn expr_text(automaton: &Automaton, expr: &Expr, selects: &[Select]) -> String {
    let text = |part: &Expr| expr_text(automaton, part, selects);
    match expr {
        Expr::Const(value) => number(*value),
        Expr::Var(int) => automaton.ints()[*int].name.to_string(),
        Expr::Select(position) => match selects.get(*position as usize) {
            Some(select) => select.name.to_string(),
            None => String::new(),
        },
        Expr::Unary(UnaryOp::Neg, part) => format!("(-{})", text(part)),
        Expr::Unary(UnaryOp::Not, part) => format!("(!{})", text(part)),
        Expr::Unary(op @ (UnaryOp::Truth | UnaryOp::Plus(_)), part) => text(&op.written_out(part)),
        Expr::Binary(op, left, right) => format!("({} {} {})", text(left), op.symbol(), text(right)),
        Expr::Cond(test, then, other) => format!("({} ? {} : {})", text(test), text(then), text(other)),
    }
}

/// The actions of `alphabet` that are not in `used`, for an alphabet directive.
pub fn lost_actions<'a>(alphabet: &'a [Action], used: &BTreeSet<(&str, Role)>) -> Vec<&'a Action> {
    let lost = |action: &&Action| !used.contains(&(&*action.name, action.role));
    alphabet.iter().filter(lost).collect()
}

/// The directive that keeps `actions` in the alphabet of a template that has no edge for them.
pub fn alphabet_directive<'a>(actions: impl Iterator<Item = &'a Action>) -> String {
    let list: Vec<_> = actions.map(ToString::to_string).collect();
    format!("// tamper:alphabet {}", list.join(" "))
}

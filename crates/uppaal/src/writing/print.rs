//! Expressions, guards and assignments as UPPAAL text (not yet escaped for XML), which reads back the same; and the
//! directive that keeps actions in the alphabet that no edge has.

use std::collections::BTreeSet;

use tamper_timed::model::{Action, Automaton, BinaryOp, Expr, Guard, IntVar, Role, Select, UnaryOp, Update};

/// A guard or invariant; empty if it always holds.
pub fn guard_text(automaton: &Automaton, guard: &Guard, selects: &[Select]) -> String {
    let expr = |expr: &Expr, least| expr_text(automaton, expr, selects, least);
    let atoms = guard.clocks.iter().map(|atom| {
        let name = |clock| &*automaton.clocks()[clock].name;
        let bound = expr(&atom.bound, Binding::Sum);
        match atom.right {
            Some(right) => format!("{} - {} {} {bound}", name(atom.left), name(right), atom.cmp.symbol()),
            None => format!("{} {} {bound}", name(atom.left), atom.cmp.symbol()),
        }
    });
    let least = match guard.clocks.len() + guard.data.len() {
        1 => Binding::Or,
        _ => Binding::Comparison,
    };
    let data = guard.data.iter().map(|condition| match condition {
        Expr::Const(value) => (*value != 0).to_string(),
        condition => expr(condition, least),
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
        format!("{name} = {}", expr_text(automaton, value, selects, Binding::Loose))
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

/// How strongly the outermost operator of an expression binds its operands.
///
/// Operators that readers do not rank alike (bits, shifts, least and greatest, `imply`, `? :`) are [`Loose`](Self::Loose): as parts of
/// other expressions they are in brackets, and so are their own parts.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Binding {
    Loose,
    Or,
    And,
    Comparison,
    Sum,
    Product,
    Sign,
    Name,
}

impl Binding {
    fn of(expr: &Expr) -> Self {
        match expr {
            Expr::Const(value) if *value == i64::from(i32::MIN) => Self::Name,
            Expr::Const(value) if *value < 0 => Self::Sign,
            Expr::Const(_) | Expr::Var(_) | Expr::Select(_) => Self::Name,
            Expr::Unary(..) => Self::Sign,
            Expr::Cond(..) => Self::Loose,
            Expr::Binary(op, ..) => Self::of_operator(*op),
        }
    }

    fn of_operator(op: BinaryOp) -> Self {
        use BinaryOp::{Add, And, Div, Eq, Ge, Gt, Le, Lt, Mul, Ne, Or, Rem, Sub};
        match op {
            Or => Self::Or,
            And => Self::And,
            Lt | Le | Eq | Ne | Ge | Gt => Self::Comparison,
            Add | Sub => Self::Sum,
            Mul | Div | Rem => Self::Product,
            _ => Self::Loose,
        }
    }

    /// The least binding of the left and the right operand without brackets: operators of one rank are read from the left.
    fn of_operands(self) -> (Self, Self) {
        match self {
            Self::Or => (Self::Or, Self::And),
            Self::And => (Self::And, Self::Comparison),
            Self::Comparison => (Self::Sum, Self::Sum),
            Self::Sum => (Self::Sum, Self::Product),
            Self::Product => (Self::Product, Self::Sign),
            Self::Loose | Self::Sign | Self::Name => (Self::Sign, Self::Sign),
        }
    }
}

/// An expression, in brackets if it binds its operands less than `least`.
fn expr_text(automaton: &Automaton, expr: &Expr, selects: &[Select], least: Binding) -> String {
    let part = |part: &Expr, least| expr_text(automaton, part, selects, least);
    let binding = Binding::of(expr);
    let text = match expr {
        Expr::Const(value) => number(*value),
        Expr::Var(int) => automaton.ints()[*int].name.to_string(),
        Expr::Select(position) => match selects.get(*position as usize) {
            Some(select) => select.name.to_string(),
            None => String::new(),
        },
        Expr::Unary(UnaryOp::Neg, of) => format!("-{}", part(of, Binding::Name)),
        Expr::Unary(UnaryOp::Not, of) => format!("!{}", part(of, Binding::Name)),
        Expr::Unary(op @ (UnaryOp::Truth | UnaryOp::Plus(_) | UnaryOp::Times(_)), of) => {
            return part(&op.written_out(of), least);
        }
        Expr::Binary(op, left, right) => {
            let (of_left, of_right) = binding.of_operands();
            format!("{} {} {}", part(left, of_left), op.symbol(), part(right, of_right))
        }
        Expr::Cond(test, then, other) => {
            let [test, then, other] = [test, then, other].map(|of| part(of, Binding::Or));
            format!("{test} ? {then} : {other}")
        }
    };
    match binding < least {
        true => format!("({text})"),
        false => text,
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

#[cfg(test)]
mod tests {
    use crate::{ReadOptions, read_bytes};

    use super::guard_text;

    /// By hand: brackets change the meaning, or part operators whose rank readers do not know.
    #[test]
    fn brackets_are_only_where_the_meaning_needs_them() {
        for (written, printed) in [
            ("i == 1 && j > 2", "i == 1 && j > 2"),
            ("((i) + (j * 2)) == 3", "i + j * 2 == 3"),
            ("(i + j) * 2 == i - (j - 1)", "(i + j) * 2 == i - (j - 1)"),
            ("(i - j) - 1 == 0", "i - j - 1 == 0"),
            ("i == 1 || (j == 2 && i == 0)", "i == 1 || j == 2 && i == 0"),
            ("(i == 1 || j == 2) && i < 3", "(i == 1 || j == 2) && i < 3"),
            ("!(i == 1)", "!(i == 1)"),
            ("-(i + 1) < -j", "-(i + 1) < -j"),
            ("(i << 1) + 1 == 3", "(i << 1) + 1 == 3"),
            ("(i == 1) == (j == 1)", "(i == 1) == (j == 1)"),
            ("(i > 0 ? i : j) > 1", "(i > 0 ? i : j) > 1"),
        ] {
            let text = written.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
            let file = format!(
                "<nta><declaration>chan a; int i; int j;</declaration><template><name>P</name><location id=\"s\"/><init ref=\"s\"/>
                <transition><source ref=\"s\"/><target ref=\"s\"/><label kind=\"guard\">{text}</label>
                <label kind=\"synchronisation\">a!</label></transition></template><system>system P;</system></nta>"
            );
            let (document, _) = read_bytes("file", file.as_bytes(), &ReadOptions::default()).unwrap();
            let game = &document.automata()[0];
            let edge = game.edges().iter().next().unwrap();
            assert_eq!(guard_text(game, &edge.guard, &edge.selects), printed, "{written}");
        }
    }
}

//! Programs and expressions as text that reads back as the same.

use std::fmt::Write as _;

use super::reader::CONSTRAINTS;
use crate::{Binary, Domain, Expr, ExprKind, Moments, Program, Role, Unary, Variable};

/// An expression, with parentheses around every operand other than names and values.
pub fn expression_text(program: &Program, expr: &Expr) -> String {
    let text = |expr: &Expr| expression_text(program, expr);
    let operand = |expr: &Expr| match expr.kind {
        ExprKind::Binary(Binary::Max | Binary::Min, ..) => text(expr),
        ExprKind::Value(number) if number < 0 => format!("({})", text(expr)),
        ExprKind::Unary(Unary::Minus, _)
        | ExprKind::Binary(..)
        | ExprKind::In(..)
        | ExprKind::If(..)
        | ExprKind::Union(..)
        | ExprKind::Range(..) => format!("({})", text(expr)),
        _ => text(expr),
    };
    match &expr.kind {
        ExprKind::Bool(value) => program.show(i64::from(*value), true),
        ExprKind::Value(value) => program.show(*value, false),
        ExprKind::Now(var) => program.variables[*var].name.clone(),
        ExprKind::Next(var) => format!("next({})", program.variables[*var].name),
        ExprKind::Define(define) => program.defines[*define].name.clone(),
        ExprKind::NextDefine(define) => format!("next({})", program.defines[*define].name),
        ExprKind::Unary(Unary::Not, inner) => format!("!{}", operand(inner)),
        ExprKind::Unary(Unary::Minus, inner) => format!("-{}", operand(inner)),
        ExprKind::Unary(Unary::Abs, inner) => format!("abs({})", text(inner)),
        ExprKind::Unary(Unary::ToInt, inner) => format!("toint({})", text(inner)),
        ExprKind::Unary(Unary::ToBool, inner) => format!("bool({})", text(inner)),
        ExprKind::Binary(Binary::Max, left, right) => format!("max({}, {})", text(left), text(right)),
        ExprKind::Binary(Binary::Min, left, right) => format!("min({}, {})", text(left), text(right)),
        ExprKind::Binary(operator, left, right) => {
            format!("{} {} {}", operand(left), sign(*operator), operand(right))
        }
        ExprKind::In(member, set) => format!("{} in {}", operand(member), operand(set)),
        ExprKind::If(condition, yes, no) => format!("{} ? {} : {}", operand(condition), operand(yes), operand(no)),
        ExprKind::Case(branches) => {
            let branches = branches
                .iter()
                .map(|(when, then)| format!("{} : {}; ", text(when), text(then)));
            format!("case {}esac", branches.collect::<String>())
        }
        ExprKind::Set(members) => format!("{{{}}}", members.iter().map(text).collect::<Vec<_>>().join(", ")),
        ExprKind::Range(first, last) => format!("{first}..{last}"),
        ExprKind::Union(left, right) => format!("{} union {}", operand(left), operand(right)),
    }
}

fn sign(operator: Binary) -> &'static str {
    match operator {
        Binary::And => "&",
        Binary::Or => "|",
        Binary::Xor => "xor",
        Binary::Xnor => "xnor",
        Binary::Implies => "->",
        Binary::Iff => "<->",
        Binary::Equal => "=",
        Binary::Unequal => "!=",
        Binary::Less => "<",
        Binary::Greater => ">",
        Binary::LessEqual => "<=",
        Binary::GreaterEqual => ">=",
        Binary::Plus => "+",
        Binary::Minus => "-",
        Binary::Times => "*",
        Binary::Divide => "/",
        Binary::Modulo => "mod",
        Binary::Max => "max",
        Binary::Min => "min",
        // Not SMV: only words of bits have these operators, and words are not written as SMV.
        Binary::BitAnd => "bitand",
        Binary::BitOr => "bitor",
        Binary::BitXor => "bitxor",
    }
}

/// The whole program; paths of instances are written with `$` for each dot, except in the comments that name inputs and
/// outputs.
pub fn write_smv(program: &Program) -> String {
    let mut text = String::new();
    let names: Vec<&str> = program.outputs.iter().map(|seen| program.name_of(*seen)).collect();
    let inputs: Vec<&str> = program
        .inputs()
        .iter()
        .map(|var| program.variables[*var].name.as_str())
        .collect();
    if !inputs.is_empty() {
        let _ = writeln!(text, "-- inputs: {}", inputs.join(", "));
    }
    let _ = writeln!(text, "-- outputs: {}\nMODULE main", names.join(", "));
    let program = &program.with_flat_names();
    let is_frozen = |variable: &&Variable| matches!(variable.role, Role::Frozen { .. });
    section(
        &mut text,
        "VAR",
        program.variables.iter().filter(|variable| !is_frozen(variable)),
        |variable| format!("{} : {};", variable.name, type_text(program, &variable.domain)),
    );
    section(
        &mut text,
        "FROZENVAR",
        program.variables.iter().filter(is_frozen),
        |variable| format!("{} : {};", variable.name, type_text(program, &variable.domain)),
    );
    section(&mut text, "DEFINE", program.defines.iter(), |define| {
        format!("{} := {};", define.name, expression_text(program, &define.body))
    });
    let assignments = program
        .variables
        .iter()
        .flat_map(|variable| assignments(program, variable));
    section(&mut text, "ASSIGN", assignments, |line| line);
    for constraint in &program.constraints {
        let _ = writeln!(
            text,
            "{} {};",
            section_of(constraint.moments),
            expression_text(program, &constraint.expr)
        );
    }
    text
}

fn section_of(moments: Moments) -> &'static str {
    let found = CONSTRAINTS.iter().find(|(_, own)| *own == moments);
    found.map_or("INVAR", |(name, _)| name)
}

fn section<T>(text: &mut String, name: &str, items: impl Iterator<Item = T>, line: impl Fn(T) -> String) {
    let lines: Vec<String> = items.map(line).collect();
    if !lines.is_empty() {
        let _ = writeln!(text, "{name}");
        lines.iter().for_each(|line| {
            let _ = writeln!(text, "  {line}");
        });
    }
}

fn type_text(program: &Program, domain: &Domain) -> String {
    match domain {
        Domain::Boolean => "boolean".to_owned(),
        Domain::Range(first, last) => format!("{first}..{last}"),
        Domain::Values(values) => {
            let names: Vec<String> = values.iter().map(|value| program.show(*value, false)).collect();
            format!("{{{}}}", names.join(", "))
        }
    }
}

fn assignments(program: &Program, variable: &Variable) -> Vec<String> {
    let name = &variable.name;
    let line = |left: String, right: &Expr| format!("{left} := {};", expression_text(program, right));
    match &variable.role {
        Role::Input => Vec::new(),
        Role::Derived(body) => vec![line(name.clone(), body)],
        Role::Frozen { init } => init.iter().map(|init| line(format!("init({name})"), init)).collect(),
        Role::State { init, next } => {
            let init = init.iter().map(|init| line(format!("init({name})"), init));
            init.chain(next.iter().map(|next| line(format!("next({name})"), next)))
                .collect()
        }
    }
}

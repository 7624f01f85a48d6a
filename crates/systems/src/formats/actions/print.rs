//! Prints an action system in the syntax it is read from.

use std::fmt::Write as _;

use crate::actions::{
    ActionBody, ActionCondition, ActionInstance, ActionSystem, ComparisonOperator, GuardedAction, IntegerTerm, Loop,
};

/// The system as a file, which reads back as the same system, except for the places in the text.
pub fn write_actions(system: &ActionSystem) -> String {
    let mut text = String::new();
    if !system.inputs.is_empty() {
        let inputs: Vec<String> = system.inputs.iter().map(|name| atom(name)).collect();
        let _ = writeln!(text, "% inputs: {}\n", inputs.join(", "));
    }
    for int_type in &system.types {
        let _ = writeln!(
            text,
            "type({}, X) :- X in {}..{}.",
            name(&int_type.name),
            int_type.first,
            int_type.last
        );
    }
    text.push('\n');
    for variable in &system.variables {
        let int_type = &system.types[variable.int_type].name;
        let _ = writeln!(text, "var([{}], {}).", name(&variable.name), name(int_type));
    }
    let variables: Vec<String> = system.variables.iter().map(|variable| name(&variable.name)).collect();
    let init: Vec<String> = system.init.iter().map(ToString::to_string).collect();
    let _ = writeln!(
        text,
        "\nstate_def([{}]).\n\ninit([{}]).\n\nas :-\n  actions (",
        variables.join(", "),
        init.join(", ")
    );
    let actions: Vec<String> = system.actions.iter().map(|one| action(system, one)).collect();
    let _ = writeln!(text, "{}\n  ),\n  dood (", actions.join(",\n"));
    let all = || Loop::Choice((0..system.instances.len()).map(Loop::One).collect());
    let composed = system.composed.clone().unwrap_or_else(all);
    let _ = writeln!(text, "    {}\n  ).", loop_text(system, &composed, "\n    "));
    text
}

/// A part of the loop; `between` is put around signs.
fn loop_text(system: &ActionSystem, part: &Loop, between: &str) -> String {
    let (parts, sign) = match part {
        Loop::One(instance) => return instance_text(system, &system.instances[*instance]),
        Loop::Choice(parts) => (parts, "[]"),
        Loop::Priority(parts) => (parts, "//"),
        Loop::Sequence(parts) => (parts, ";"),
    };
    let inner = parts.iter().map(|part| match part {
        Loop::One(_) => loop_text(system, part, " "),
        _ => format!("({})", loop_text(system, part, " ")),
    });
    inner.collect::<Vec<_>>().join(&format!("{between}{sign}{between}"))
}

fn instance_text(system: &ActionSystem, instance: &ActionInstance) -> String {
    let action = &system.actions[instance.action];
    if action.parameters.is_empty() {
        return atom(&action.name);
    }
    let typed = action.parameters.iter().zip(&instance.types);
    let typed = typed.map(|(parameter, int_type)| format!("{parameter}:{}", name(&system.types[*int_type].name)));
    let typed: Vec<String> = typed.collect();
    format!(
        "[{}]:{}({})",
        typed.join(", "),
        atom(&action.name),
        action.parameters.join(", ")
    )
}

/// A name in quotes, as actions are written.
fn atom(name: &str) -> String {
    match name.contains('\'') {
        true => format!("\u{2018}{name}\u{2019}"),
        false => format!("'{name}'"),
    }
}

/// A name, in quotes if it needs them.
fn name(text: &str) -> String {
    let is_plain = text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    if is_plain { text.to_owned() } else { atom(text) }
}

fn action(system: &ActionSystem, action: &GuardedAction) -> String {
    let parameters = match action.parameters.is_empty() {
        true => String::new(),
        false => format!("({})", action.parameters.join(", ")),
    };
    let printer = Printer { system, action };
    let guard = printer.condition(&action.guard.0);
    let body = printer.body(&action.body, 2);
    format!("    {}{parameters}::({guard}) =>\n{body}", atom(&action.name))
}

struct Printer<'s> {
    system: &'s ActionSystem,
    action: &'s GuardedAction,
}

impl Printer<'_> {
    fn body(&self, body: &ActionBody, depth: usize) -> String {
        let indent = "  ".repeat(depth);
        let both = |left: &ActionBody, sign: &str, right: &ActionBody| {
            let (left, right) = (self.body(left, depth + 1), self.body(right, depth + 1));
            format!("{indent}(\n{left}\n{indent}{sign}\n{right}\n{indent})")
        };
        match body {
            ActionBody::Assign(variable, value) => {
                let variable = name(&self.system.variables[*variable].name);
                format!("{indent}({variable} := {})", self.term(value))
            }
            ActionBody::Guard(condition, _, body) => {
                format!(
                    "{indent}(({}) =>\n{})",
                    self.condition(condition),
                    self.body(body, depth + 1)
                )
            }
            ActionBody::Sequence(first, second) => both(first, ";", second),
            ActionBody::Choice(one, other) => both(one, "[]", other),
        }
    }
    fn condition(&self, condition: &ActionCondition) -> String {
        let both = |left: &ActionCondition, sign: &str, right: &ActionCondition| {
            format!("({}) {sign} ({})", self.condition(left), self.condition(right))
        };
        match condition {
            ActionCondition::True => "true".to_owned(),
            ActionCondition::Compare(relation, left, right, _) => {
                format!("{} {} {}", self.term(left), sign(*relation), self.term(right))
            }
            ActionCondition::And(left, right) => both(left, "#/\\", right),
            ActionCondition::Or(left, right) => both(left, "#\\/", right),
            ActionCondition::Not(operand) => format!("#\\ ({})", self.condition(operand)),
        }
    }
    fn term(&self, term: &IntegerTerm) -> String {
        let both = |left: &IntegerTerm, sign: &str, right: &IntegerTerm| {
            format!("({} {sign} {})", self.term(left), self.term(right))
        };
        match term {
            IntegerTerm::Value(value, _) => value.to_string(),
            IntegerTerm::Variable(variable) => name(&self.system.variables[*variable].name),
            IntegerTerm::Parameter(parameter) => self.action.parameters[*parameter].clone(),
            IntegerTerm::Add(left, right) => both(left, "+", right),
            IntegerTerm::Subtract(left, right) => both(left, "-", right),
            IntegerTerm::Multiply(left, right) => both(left, "*", right),
        }
    }
}

fn sign(relation: ComparisonOperator) -> &'static str {
    match relation {
        ComparisonOperator::Equal => "#=",
        ComparisonOperator::Unequal => "#\\=",
        ComparisonOperator::Less => "#<",
        ComparisonOperator::Greater => "#>",
        ComparisonOperator::LessEqual => "#=<",
        ComparisonOperator::GreaterEqual => "#>=",
    }
}

//! Declarations to symbols: types resolved, constants computed.

use super::lower::{Lowered, constant};
use super::scope::{Constant, Range, Scope, Symbol, Table, Type};
use super::syntax::{Declaration, Initial, Name, Tree, TypeBase, TypeTree, Variable};
use crate::text::{Diagnostic, Span};

/// UPPAAL's range of an `int` without bounds.
const DEFAULT: Range = Range {
    low: -32768,
    high: 32767,
    boolean: false,
};

/// Adds `declarations` to the file's names.
pub(super) fn declare_global(declarations: &[Declaration], table: &mut Table, diagnostics: &mut Vec<Diagnostic>) {
    for declaration in declarations {
        let scope = Scope {
            globals: table,
            locals: None,
        };
        if let Some((name, symbol)) = symbol(declaration, scope, diagnostics) {
            table.insert(name.clone(), symbol, diagnostics);
        }
    }
}

/// Adds `declarations` to an instance's names.
pub(super) fn declare_local(
    declarations: &[Declaration],
    globals: &Table,
    table: &mut Table,
    diagnostics: &mut Vec<Diagnostic>,
) {
    for declaration in declarations {
        let scope = Scope {
            globals,
            locals: Some(table),
        };
        if let Some((name, symbol)) = symbol(declaration, scope, diagnostics) {
            table.insert(name.clone(), symbol, diagnostics);
        }
    }
}

/// The name that `declaration` declares, and what it stands for.
fn symbol<'a>(
    declaration: &'a Declaration,
    scope: Scope<'_>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<(&'a Name, Symbol)> {
    let (name, made) = match declaration {
        Declaration::Function(function) => (&function.name, Ok(Symbol::Foreign("function"))),
        Declaration::ChannelPriority { span, .. } => {
            let error = Diagnostic::error("channel priorities are not supported", *span);
            diagnostics.push(error.with_help("encode the priority in the guards of the edges"));
            return None;
        }
        Declaration::Typedef { ty, name, dimensions } => {
            let is_array = !dimensions.is_empty();
            let made = resolve(ty, scope).map(|ty| Symbol::Type(if is_array { Type::Foreign("array") } else { ty }));
            (name, made)
        }
        Declaration::Variable(declared) => {
            let made = resolve(&declared.ty, scope).and_then(|found| variable(found, declared, scope));
            (&declared.name, made)
        }
    };
    let symbol = made.unwrap_or_else(|error| {
        diagnostics.extend(error);
        Symbol::Broken
    });
    Some((name, symbol))
}

fn variable(found: Type, declared: &Variable, scope: Scope<'_>) -> Lowered<Symbol> {
    let Variable {
        ty,
        name,
        dimensions,
        initial,
    } = declared;
    if !dimensions.is_empty() {
        return Ok(Symbol::Foreign(match found {
            Type::Clock => "array of clocks",
            Type::Channel { .. } => "array of channels",
            _ => "array",
        }));
    }
    let no_value = |what: &str| match initial {
        Some(_) => Err(Some(
            Diagnostic::error(format!("the {what} `{}` has an initial value", name.text), name.span)
                .with_help("remove it; clocks start at 0"),
        )),
        None => Ok(()),
    };
    match found {
        Type::Foreign(what) => Ok(Symbol::Foreign(what)),
        Type::Clock if ty.prefixes.hybrid => Ok(Symbol::Foreign("hybrid clock")),
        Type::Clock => no_value("clock").map(|()| Symbol::Clock),
        Type::Channel { urgent } => no_value("channel").map(|()| Symbol::Channel { urgent }),
        Type::Int { range, bounded } => {
            let value = match initial {
                Some(Initial::Value(tree)) => Some((constant(scope, tree)?, tree.span)),
                Some(Initial::Braces(_)) => {
                    let error = Diagnostic::error(format!("`{}` is no array", name.text), name.span);
                    return Err(Some(error.with_help("give one initial value, without braces")));
                }
                None => None,
            };
            if ty.prefixes.constant {
                constant_symbol(name, range, bounded, value)
            } else {
                int_symbol(name, range, value)
            }
        }
    }
}

fn constant_symbol(name: &Name, range: Range, bounded: bool, value: Option<(Constant, Span)>) -> Lowered<Symbol> {
    let Some((value, span)) = value else {
        let error = Diagnostic::error(format!("the constant `{}` has no value", name.text), name.span);
        return Err(Some(error.with_help("give it one: `const int n = 5;`")));
    };
    let range = range.of_constants(bounded);
    stored(name, range, value, span).map(|value| {
        Symbol::Const(Constant {
            value,
            boolean: range.boolean,
        })
    })
}

fn int_symbol(name: &Name, range: Range, value: Option<(Constant, Span)>) -> Lowered<Symbol> {
    let initial = match value {
        Some((value, span)) => stored(name, range, value, span)?,
        None if range.low <= 0 && range.high >= 0 => 0,
        None => {
            let message = format!("`{}` has no initial value, and 0 is not in {}", name.text, shown(range));
            return Err(Some(
                Diagnostic::error(message, name.span).with_help("give it an initial value"),
            ));
        }
    };
    Ok(Symbol::Int(range, i32::try_from(initial).unwrap_or(range.low)))
}

/// `value` as a name of that range holds it.
pub(super) fn stored(name: &Name, range: Range, value: Constant, span: Span) -> Lowered<i64> {
    let value = if range.boolean && !value.boolean {
        i64::from(value.value != 0)
    } else {
        value.value
    };
    if value < i64::from(range.low) || value > i64::from(range.high) {
        let message = format!("{value} is not in the range {} of `{}`", shown(range), name.text);
        return Err(Some(
            Diagnostic::error(message, span).with_help("change the value or the range"),
        ));
    }
    Ok(value)
}

fn shown(range: Range) -> String {
    format!("[{},{}]", range.low, range.high)
}

/// The type that `tree` names.
pub(super) fn resolve(tree: &TypeTree, scope: Scope<'_>) -> Lowered<Type> {
    let urgent = tree.prefixes.urgent;
    match &tree.base {
        TypeBase::Int(None) => Ok(Type::Int {
            range: DEFAULT,
            bounded: false,
        }),
        TypeBase::Int(Some((low, high))) => {
            let range = Range {
                low: bound(low, scope)?,
                high: bound(high, scope)?,
                boolean: false,
            };
            if range.low > range.high {
                let error = Diagnostic::error(format!("the range {} is empty", shown(range)), tree.span);
                return Err(Some(error.with_help("the lower bound comes first")));
            }
            Ok(Type::Int { range, bounded: true })
        }
        TypeBase::Bool => Ok(Type::Int {
            range: Range {
                low: 0,
                high: 1,
                boolean: true,
            },
            bounded: true,
        }),
        TypeBase::Clock => Ok(Type::Clock),
        TypeBase::Chan => Ok(Type::Channel { urgent }),
        TypeBase::Foreign(what) => Ok(Type::Foreign(what)),
        TypeBase::Void => Ok(Type::Foreign("`void` variable")),
        TypeBase::Scalar(_) => Ok(Type::Foreign("scalar")),
        TypeBase::Struct(_) => Ok(Type::Foreign("structure")),
        TypeBase::Named(name) => {
            let (_, entry) = scope.get(name, tree.span)?;
            match &entry.symbol {
                Symbol::Type(Type::Channel { urgent: always }) => Ok(Type::Channel {
                    urgent: urgent || *always,
                }),
                Symbol::Type(found) => Ok(*found),
                _ => Err(Some(
                    Diagnostic::error(format!("`{name}` is not a type"), tree.span)
                        .with_secondary(entry.name.span, "declared here")
                        .with_help("use `int`, `bool`, `clock`, `chan` or the name of a typedef"),
                )),
            }
        }
    }
}

fn bound(tree: &Tree, scope: Scope<'_>) -> Lowered<i32> {
    let value = constant(scope, tree)?.value;
    i32::try_from(value).map_err(|_| {
        Some(Diagnostic::error(format!("the bound {value} does not fit in 32 bits"), tree.span).with_help("lower it"))
    })
}

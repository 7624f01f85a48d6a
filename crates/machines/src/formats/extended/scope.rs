//! The meaning of names in an extended machine, and typed expressions.

use std::sync::Arc;

use super::terms::{Term, TermNode};
use crate::{Domain, Event, Expr, Op, Variable};
use tamper_text::{Diagnostic, Span};

/// The type of an expression.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::formats) enum Type {
    Int,
    Bool,
    /// The names of the values.
    Enum(Arc<[String]>),
}

impl Type {
    /// The type of a domain's values.
    pub fn of(domain: &Domain) -> Self {
        match &domain.names {
            None => Self::Int,
            Some(names) if **names == ["false".to_owned(), "true".to_owned()] => Self::Bool,
            Some(names) => Self::Enum(names.clone()),
        }
    }
    fn shown(&self) -> String {
        match self {
            Self::Int => "a number".to_owned(),
            Self::Bool => "a boolean".to_owned(),
            Self::Enum(names) => format!("one of {}", names.join(", ")),
        }
    }
    /// The names of the values, if they have any.
    pub fn names(&self) -> Option<Arc<[String]>> {
        match self {
            Self::Int => None,
            Self::Bool => Some(truth().names.unwrap_or_default()),
            Self::Enum(names) => Some(names.clone()),
        }
    }
}

/// `false`, `true`.
pub(in crate::formats) fn truth() -> Domain {
    Domain {
        low: 0,
        high: 1,
        names: Some(["false".to_owned(), "true".to_owned()].into()),
    }
}

/// The variables and events that were declared.
#[derive(Default, Debug)]
pub(in crate::formats) struct Declarations {
    pub variables: Vec<Variable>,
    pub events: Vec<Event>,
}

pub(in crate::formats) type Typed = (Expr, Type);

impl Declarations {
    /// The number of the variable of that name.
    pub fn variable(&self, name: &str) -> Option<usize> {
        self.variables.iter().position(|variable| variable.name == name)
    }
    /// The number of the event of that name.
    pub fn event(&self, name: &str) -> Option<usize> {
        self.events.iter().position(|event| event.name == name)
    }
    /// The value of that name in some enumeration.
    pub fn constant(&self, name: &str) -> Option<(i64, Arc<[String]>)> {
        let parameters = self.events.iter().flat_map(|event| &event.parameters);
        let domains = self.variables.iter().map(|variable| &variable.domain);
        let mut names = domains
            .chain(parameters.map(|(_, domain)| domain))
            .filter_map(|domain| domain.names.as_ref());
        names.find_map(|names| {
            let at = names.iter().position(|known| known == name)?;
            Some((at as i64, names.clone()))
        })
    }

    /// The meaning of `term`; `parameters` are the parameters of the input, by their names in this rule.
    pub fn lower(&self, term: &Term, parameters: &[(String, Domain)]) -> Result<Typed, Diagnostic> {
        match &term.node {
            TermNode::Number(number) => Ok((Expr::Const(*number), Type::Int)),
            TermNode::Bool(value) => Ok((Expr::Const(i64::from(*value)), Type::Bool)),
            TermNode::Name(name) => self.name(name, term.span, parameters),
            TermNode::Unary("-", of) => Ok((
                Expr::Neg(Box::new(self.typed(&of[0], parameters, &Type::Int)?)),
                Type::Int,
            )),
            TermNode::Unary(_, of) => Ok((
                Expr::Not(Box::new(self.typed(&of[0], parameters, &Type::Bool)?)),
                Type::Bool,
            )),
            TermNode::Binary(op, parts) => self.binary(op, parts, term.span, parameters),
            TermNode::Cond(parts) => {
                let [condition, yes, no] = parts.as_ref();
                let condition = self.typed(condition, parameters, &Type::Bool)?;
                let (yes, own) = self.lower(yes, parameters)?;
                let no = self.typed(no, parameters, &own)?;
                Ok((Expr::Cond(Box::new([condition, yes, no])), own))
            }
        }
    }

    /// The meaning of `term`, which must be of that type.
    pub fn typed(&self, term: &Term, parameters: &[(String, Domain)], wanted: &Type) -> Result<Expr, Diagnostic> {
        let (expr, own) = self.lower(term, parameters)?;
        if own == *wanted {
            return Ok(expr);
        }
        let message = format!("this is {}, not {}", own.shown(), wanted.shown());
        Err(Diagnostic::error(message, term.span).with_help("expressions are not converted"))
    }

    fn name(&self, name: &str, span: Span, parameters: &[(String, Domain)]) -> Result<Typed, Diagnostic> {
        if let Some(at) = parameters.iter().position(|(parameter, _)| parameter == name) {
            return Ok((Expr::Param(at), Type::of(&parameters[at].1)));
        }
        if let Some(at) = self.variable(name) {
            return Ok((Expr::Var(at), Type::of(&self.variables[at].domain)));
        }
        if let Some((value, names)) = self.constant(name) {
            return Ok((Expr::Const(value), Type::Enum(names)));
        }
        let error = Diagnostic::error(format!("nothing is called `{name}`"), span);
        Err(error.with_help("declare a variable, a parameter of the input, or a value of an enumeration of that name"))
    }

    fn binary(
        &self,
        op: &str,
        parts: &[Term; 2],
        span: Span,
        parameters: &[(String, Domain)],
    ) -> Result<Typed, Diagnostic> {
        let side = |at: usize, own: &Type| self.typed(&parts[at], parameters, own).map(Box::new);
        let make = |op: Op, swapped: bool, own: &Type, result: Type| {
            let (a, b) = (side(0, own)?, side(1, own)?);
            let (a, b) = if swapped { (b, a) } else { (a, b) };
            Ok((Expr::Binary(op, a, b), result))
        };
        match op {
            "+" => make(Op::Add, false, &Type::Int, Type::Int),
            "-" => make(Op::Sub, false, &Type::Int, Type::Int),
            "*" => make(Op::Mul, false, &Type::Int, Type::Int),
            "<" => make(Op::Lt, false, &Type::Int, Type::Bool),
            "<=" => make(Op::Le, false, &Type::Int, Type::Bool),
            ">" => make(Op::Lt, true, &Type::Int, Type::Bool),
            ">=" => make(Op::Le, true, &Type::Int, Type::Bool),
            "&&" | "and" => make(Op::And, false, &Type::Bool, Type::Bool),
            "||" | "or" => make(Op::Or, false, &Type::Bool, Type::Bool),
            "==" | "!=" => {
                let (_, own) = self.lower(&parts[0], parameters)?;
                let op = if op == "==" { Op::Eq } else { Op::Ne };
                make(op, false, &own, Type::Bool)
            }
            "imply" => {
                let not = Expr::Not(side(0, &Type::Bool)?);
                Ok((Expr::Binary(Op::Or, Box::new(not), side(1, &Type::Bool)?), Type::Bool))
            }
            "|" => {
                let error = Diagnostic::error("alternatives inside of an expression", span);
                Err(error.with_help("write the whole expression on both sides of `|`"))
            }
            _ => {
                let error = Diagnostic::error(format!("the operator `{op}` is not part of these expressions"), span);
                Err(error.with_help("they have + - *, comparisons, && || imply ! and c ? a : b"))
            }
        }
    }
}

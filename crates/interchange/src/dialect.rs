//! Guards and assignments in the dialects of other tools.
//!
//! Everything but names and natural numbers is in brackets, so that no precedence matters. A construct that a dialect
//! lacks is an error, never left out.

use tamper_timed::model::{Automaton, BinaryOp, Expr, Guard, UnaryOp, Update};
use tamper_uppaal::{Inexpressible, Part};

/// The spelling of expressions in a tool.
#[derive(Clone, Copy, Debug)]
pub(super) struct Dialect {
    /// The tool.
    pub name: &'static str,
    /// Whether the dialect has `||`.
    pub disjunctions: bool,
    /// Whether the dialect has `!=`, `!c`, `-5` and `(if c then a else b)`.
    pub rich: bool,
    /// The separator of assignments.
    pub separator: &'static str,
}

impl Dialect {
    pub(super) fn error(&self, part: Part) -> Inexpressible {
        Inexpressible {
            format: self.name,
            part,
        }
    }

    /// A guard or invariant; empty if it always holds.
    pub(super) fn guard(&self, automaton: &Automaton, guard: &Guard) -> Result<String, Inexpressible> {
        let mut parts = Vec::new();
        for atom in &guard.clocks {
            let name = |clock| &*automaton.clocks()[clock].name;
            let left = match atom.right {
                Some(right) => format!("{}-{}", name(atom.left), name(right)),
                None => name(atom.left).to_owned(),
            };
            let bound = self.term(automaton, &atom.bound)?;
            parts.push(format!("{left}{}{bound}", atom.cmp.symbol()));
        }
        for condition in &guard.data {
            self.conjuncts(automaton, condition, &mut parts)?;
        }
        Ok(parts.join("&&"))
    }

    /// The assignments of an edge.
    pub(super) fn updates(&self, automaton: &Automaton, updates: &[Update]) -> Result<String, Inexpressible> {
        let text = |update: &Update| {
            let (name, value) = match update {
                Update::Reset(clock, value) => (&automaton.clocks()[*clock].name, value),
                Update::Assign(int, value) => (&automaton.ints()[*int].name, value),
            };
            Ok(format!("{name}={}", self.term(automaton, value)?))
        };
        let parts: Vec<String> = updates.iter().map(text).collect::<Result<_, _>>()?;
        Ok(parts.join(self.separator))
    }

    fn conjuncts(&self, automaton: &Automaton, expr: &Expr, parts: &mut Vec<String>) -> Result<(), Inexpressible> {
        match expr {
            Expr::Binary(BinaryOp::And, left, right) => {
                self.conjuncts(automaton, left, parts)?;
                self.conjuncts(automaton, right, parts)
            }
            _ => {
                parts.push(self.condition(automaton, expr)?);
                Ok(())
            }
        }
    }

    fn condition(&self, automaton: &Automaton, expr: &Expr) -> Result<String, Inexpressible> {
        match expr {
            Expr::Binary(BinaryOp::Ne, ..) if !self.rich => Err(self.error(Part::Operator("!="))),
            Expr::Binary(op, left, right) if is_comparison(*op) => {
                let (left, right) = (self.term(automaton, left)?, self.term(automaton, right)?);
                Ok(format!("({left}{}{right})", op.symbol()))
            }
            Expr::Binary(BinaryOp::Or, left, right) if self.disjunctions => {
                let (left, right) = (self.condition(automaton, left)?, self.condition(automaton, right)?);
                Ok(format!("({left}||{right})"))
            }
            Expr::Unary(UnaryOp::Not, inner) if self.rich => match **inner {
                Expr::Binary(BinaryOp::And, ..) => Err(self.error(Part::Condition)),
                _ => Ok(format!("!{}", self.bracketed(automaton, inner)?)),
            },
            _ => self.term(automaton, expr),
        }
    }

    /// A condition in exactly one pair of brackets, or a negation.
    fn bracketed(&self, automaton: &Automaton, expr: &Expr) -> Result<String, Inexpressible> {
        let text = self.condition(automaton, expr)?;
        Ok(match text.starts_with(['(', '!']) {
            true => text,
            false => format!("({text})"),
        })
    }

    fn term(&self, automaton: &Automaton, expr: &Expr) -> Result<String, Inexpressible> {
        let term = |part: &Expr| self.term(automaton, part);
        match expr {
            Expr::Const(value) => Ok(self.number(*value)),
            Expr::Var(int) => Ok(automaton.ints()[*int].name.to_string()),
            // Edges with select variables are refused earlier.
            Expr::Select(_) => Err(self.error(Part::Condition)),
            Expr::Unary(UnaryOp::Neg, part) if self.rich => Ok(format!("(-{})", term(part)?)),
            Expr::Unary(UnaryOp::Neg, part) => Ok(format!("(0-{})", term(part)?)),
            Expr::Unary(UnaryOp::Not, _) => Err(self.error(match self.rich {
                true => Part::Condition,
                false => Part::Operator("!"),
            })),
            Expr::Unary(op @ (UnaryOp::Truth | UnaryOp::Plus(_) | UnaryOp::Times(_)), part) => {
                term(&op.written_out(part))
            }
            Expr::Binary(op, left, right) => match op {
                BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Div | BinaryOp::Rem => {
                    Ok(format!("({}{}{})", term(left)?, op.symbol(), term(right)?))
                }
                _ if is_comparison(*op) => Err(self.error(Part::Condition)),
                _ => Err(self.error(Part::Operator(op.symbol()))),
            },
            Expr::Cond(..) if !self.rich => Err(self.error(Part::Operator("?:"))),
            Expr::Cond(test, then, other) => {
                let test = self.condition(automaton, test)?;
                Ok(format!("(if {test} then {} else {})", term(then)?, term(other)?))
            }
        }
    }

    fn number(&self, value: i64) -> String {
        match value {
            _ if value == i64::from(i32::MIN) && self.rich => format!("(-{}-1)", i32::MAX),
            _ if value == i64::from(i32::MIN) => format!("(0-{}-1)", i32::MAX),
            _ if value < 0 && self.rich => format!("(-{})", -value),
            _ if value < 0 => format!("(0-{})", -value),
            _ => value.to_string(),
        }
    }
}

fn is_comparison(op: BinaryOp) -> bool {
    use BinaryOp as B;
    matches!(op, B::Lt | B::Le | B::Eq | B::Ne | B::Ge | B::Gt)
}

//! Expressions over variables and the parameters of an input, with alternatives.
//!
//! Values are integers; a boolean is 0 or 1, a value of an enumeration its number.

use crate::SetId;

/// An expression. Its creator checks the types.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Expr {
    /// A constant number or truth value.
    Const(i64),
    /// A variable, by its number.
    Var(usize),
    /// A parameter of the input, by its number.
    Param(usize),
    /// Logical negation, written as `!e`.
    Not(Box<Expr>),
    /// Arithmetic negation, written as `-e`.
    Neg(Box<Expr>),
    /// A binary operation, written as `a op b`.
    Binary(Op, Box<Expr>, Box<Expr>),
    /// `c ? a : b`
    Cond(Box<[Expr; 3]>),
    /// One of several expressions, by the choice of a mutant; the first is the specification's.
    Choice(SetId, Vec<Expr>),
}

/// Operators; connectives evaluate their right side only if necessary.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "the names of the operators")]
pub enum Op {
    Add,
    Sub,
    Mul,
    Eq,
    Ne,
    Lt,
    Le,
    And,
    Or,
}

/// The reason why an expression has no value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Stuck {
    /// The value depends on the choice in this set.
    Needs(SetId),
    /// The value does not fit in 64 bits.
    Overflow,
}

/// The choices made so far.
pub(super) type Chosen<'a> = &'a dyn Fn(SetId) -> Option<u32>;

/// The values that an expression is evaluated with.
#[derive(Clone, Copy)]
pub(super) struct Values<'a> {
    pub variables: &'a [i64],
    pub parameters: &'a [i64],
    pub chosen: Chosen<'a>,
}

impl Expr {
    /// The expression that is always true.
    pub fn yes() -> Self {
        Self::Const(1)
    }

    /// The value of the expression. If all alternatives have the same value, the choice is not needed.
    pub(super) fn value(&self, with: Values<'_>) -> Result<i64, Stuck> {
        Ok(match self {
            Self::Const(value) => *value,
            Self::Var(at) => with.variables[*at],
            Self::Param(at) => with.parameters[*at],
            Self::Not(of) => i64::from(of.value(with)? == 0),
            Self::Neg(of) => of.value(with)?.checked_neg().ok_or(Stuck::Overflow)?,
            Self::Binary(Op::And, a, b) => i64::from(a.value(with)? != 0 && b.value(with)? != 0),
            Self::Binary(Op::Or, a, b) => i64::from(a.value(with)? != 0 || b.value(with)? != 0),
            Self::Binary(op, a, b) => op.of(a.value(with)?, b.value(with)?)?,
            Self::Cond(parts) => {
                let [condition, yes, no] = parts.as_ref();
                match condition.value(with)? {
                    0 => no.value(with)?,
                    _ => yes.value(with)?,
                }
            }
            Self::Choice(set, alternatives) => match (with.chosen)(*set) {
                Some(choice) => alternatives[choice as usize].value(with)?,
                None => {
                    let first = alternatives[0].value(with);
                    let others = alternatives[1..].iter().map(|other| other.value(with));
                    match first {
                        Ok(value) if others.into_iter().all(|other| other == first) => value,
                        _ => return Err(Stuck::Needs(*set)),
                    }
                }
            },
        })
    }

    /// Calls `on` for this expression and all below it.
    pub(super) fn visit(&self, on: &mut dyn FnMut(&Expr)) {
        on(self);
        match self {
            Self::Const(_) | Self::Var(_) | Self::Param(_) => {}
            Self::Not(of) | Self::Neg(of) => of.visit(on),
            Self::Binary(_, a, b) => {
                a.visit(on);
                b.visit(on);
            }
            Self::Cond(parts) => parts.iter().for_each(|part| part.visit(on)),
            Self::Choice(_, alternatives) => alternatives.iter().for_each(|part| part.visit(on)),
        }
    }

    /// Bounds of its values for all choices, where variables and parameters are within their bounds; `None` if a value
    /// may not fit in 64 bits.
    pub(super) fn bounds(&self, of: &dyn Fn(&Expr) -> (i64, i64)) -> Option<(i64, i64)> {
        const TRUTH: (i64, i64) = (0, 1);
        let hull = |parts: &[Expr]| {
            let mut all = parts.iter().map(|part| part.bounds(of));
            let first = all.next()??;
            all.try_fold(first, |(low, high), other| {
                other.map(|(least, most)| (low.min(least), high.max(most)))
            })
        };
        match self {
            Self::Const(value) => Some((*value, *value)),
            Self::Var(_) | Self::Param(_) => Some(of(self)),
            Self::Not(inner) => inner.bounds(of).map(|_| TRUTH),
            Self::Neg(inner) => {
                let (low, high) = inner.bounds(of)?;
                Some((high.checked_neg()?, low.checked_neg()?))
            }
            Self::Binary(op, a, b) => {
                let (a, b) = (a.bounds(of)?, b.bounds(of)?);
                match op {
                    Op::Add => Some((a.0.checked_add(b.0)?, a.1.checked_add(b.1)?)),
                    Op::Sub => Some((a.0.checked_sub(b.1)?, a.1.checked_sub(b.0)?)),
                    Op::Mul => {
                        let corners = [(a.0, b.0), (a.0, b.1), (a.1, b.0), (a.1, b.1)];
                        let products: Option<Vec<i64>> = corners.iter().map(|(x, y)| x.checked_mul(*y)).collect();
                        let products = products?;
                        Some((*products.iter().min()?, *products.iter().max()?))
                    }
                    _ => Some(TRUTH),
                }
            }
            Self::Cond(parts) => {
                parts[0].bounds(of)?;
                hull(&parts[1..])
            }
            Self::Choice(_, alternatives) => hull(alternatives),
        }
    }
}

impl Op {
    fn of(self, a: i64, b: i64) -> Result<i64, Stuck> {
        let number = match self {
            Self::Add => a.checked_add(b),
            Self::Sub => a.checked_sub(b),
            Self::Mul => a.checked_mul(b),
            Self::Eq => Some(i64::from(a == b)),
            Self::Ne => Some(i64::from(a != b)),
            Self::Lt => Some(i64::from(a < b)),
            Self::Le => Some(i64::from(a <= b)),
            Self::And => Some(i64::from(a != 0 && b != 0)),
            Self::Or => Some(i64::from(a != 0 || b != 0)),
        };
        number.ok_or(Stuck::Overflow)
    }
}

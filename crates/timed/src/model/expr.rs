//! Integer expressions over bounded integers and select variables.
//!
//! Booleans are the integers 0 and 1. Values are computed in 64 bits; anything that leaves them is an error,
//! never a wrap-around.

use super::{Cmp, EvalError, IntId};

/// An expression over the integer variables.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Expr {
    /// A constant (named constants are folded in by the reader).
    Const(i64),
    /// The current value of an integer variable.
    Var(IntId),
    /// The value of the edge's select variable of that position.
    Select(u32),
    /// A unary operation and its operand.
    Unary(UnaryOp, Box<Expr>),
    /// A binary operation and its operands.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `if .0 then .1 else .2`.
    Cond(Box<Expr>, Box<Expr>, Box<Expr>),
}

/// The operators with one operand.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum UnaryOp {
    /// Arithmetic negation, written as `-e`.
    Neg,
    /// `!e`: 1 when e is 0, else 0.
    Not,
    /// `e != 0` where only `e` is written, since a boolean stores it.
    Truth,
    /// The sum of `e` and this number where no sum is written: `e++` and `e--`.
    Plus(i64),
}

impl UnaryOp {
    /// The operation on `part`, with an operator that can be written in files.
    pub fn written_out(self, part: &Expr) -> Expr {
        let part = Box::new(part.clone());
        match self {
            Self::Neg | Self::Not => Expr::Unary(self, part),
            Self::Truth => Expr::Binary(BinaryOp::Ne, part, Box::new(Expr::Const(0))),
            Self::Plus(number) => Expr::Binary(BinaryOp::Add, part, Box::new(Expr::Const(number))),
        }
    }

    /// The value of the operation on a number.
    ///
    /// # Errors
    /// A value outside 64 bits.
    pub fn apply(self, value: i64) -> Result<i64, EvalError> {
        match self {
            Self::Neg => value.checked_neg().ok_or(EvalError::Overflow),
            Self::Not => Ok(i64::from(value == 0)),
            Self::Truth => Ok(i64::from(value != 0)),
            Self::Plus(number) => value.checked_add(number).ok_or(EvalError::Overflow),
        }
    }
}

/// Binary operators. Comparisons and connectives give 0 or 1; connectives evaluate lazily.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs, reason = "each is the operator its name says")]
pub enum BinaryOp {
    Add,
    Sub,
    Mul,
    /// Truncated towards zero, as in C and UPPAAL.
    Div,
    Rem,
    Lt,
    Le,
    Eq,
    Ne,
    Ge,
    Gt,
    And,
    Or,
    Imply,
    Min,
    Max,
    BitAnd,
    BitOr,
    BitXor,
    Shl,
    Shr,
}

impl From<Cmp> for BinaryOp {
    fn from(cmp: Cmp) -> Self {
        match cmp {
            Cmp::Lt => Self::Lt,
            Cmp::Le => Self::Le,
            Cmp::Eq => Self::Eq,
            Cmp::Ge => Self::Ge,
            Cmp::Gt => Self::Gt,
        }
    }
}

impl BinaryOp {
    /// The comparison that it is, if clocks can be compared so.
    pub fn comparison(self) -> Option<Cmp> {
        Some(match self {
            Self::Lt => Cmp::Lt,
            Self::Le => Cmp::Le,
            Self::Eq => Cmp::Eq,
            Self::Ge => Cmp::Ge,
            Self::Gt => Cmp::Gt,
            _ => return None,
        })
    }
    /// The spelling of the operator in UPPAAL.
    pub fn symbol(self) -> &'static str {
        match self {
            Self::Add => "+",
            Self::Sub => "-",
            Self::Mul => "*",
            Self::Div => "/",
            Self::Rem => "%",
            Self::Lt => "<",
            Self::Le => "<=",
            Self::Eq => "==",
            Self::Ne => "!=",
            Self::Ge => ">=",
            Self::Gt => ">",
            Self::And => "&&",
            Self::Or => "||",
            Self::Imply => "imply",
            Self::Min => "<?",
            Self::Max => ">?",
            Self::BitAnd => "&",
            Self::BitOr => "|",
            Self::BitXor => "^",
            Self::Shl => "<<",
            Self::Shr => ">>",
        }
    }
}

/// The values of an automaton's integers (by [`IntId`]) and of an edge's select variables (by position).
#[derive(Clone, Copy, Debug, Default)]
pub struct Valuation<'a> {
    /// One value per integer variable.
    pub ints: &'a [i32],
    /// One value per select variable of the edge.
    pub selects: &'a [i32],
}

impl Expr {
    /// The value under `valuation`.
    ///
    /// # Errors
    /// Division by zero, or a value outside 64 bits.
    pub fn eval(&self, valuation: Valuation<'_>) -> Result<i64, EvalError> {
        use tamper_text::Id;
        match self {
            Self::Const(value) => Ok(*value),
            Self::Var(var) => Ok(i64::from(valuation.ints[var.index()])),
            Self::Select(position) => Ok(i64::from(valuation.selects[*position as usize])),
            Self::Unary(op, e) => op.apply(e.eval(valuation)?),
            Self::Binary(op, left, right) => eval_binary(*op, left, right, valuation),
            Self::Cond(test, then, other) => {
                if test.eval(valuation)? != 0 {
                    then.eval(valuation)
                } else {
                    other.eval(valuation)
                }
            }
        }
    }

    /// The value, when it depends on no variable.
    pub fn as_const(&self) -> Option<i64> {
        match self {
            Self::Const(value) => Some(*value),
            _ if self.depends_on_state() => None,
            _ => self.eval(Valuation::default()).ok(),
        }
    }

    /// Whether a variable or a select occurs in it.
    pub fn depends_on_state(&self) -> bool {
        match self {
            Self::Const(_) => false,
            Self::Var(_) | Self::Select(_) => true,
            Self::Unary(_, e) => e.depends_on_state(),
            Self::Binary(_, left, right) => left.depends_on_state() || right.depends_on_state(),
            Self::Cond(test, then, other) => {
                test.depends_on_state() || then.depends_on_state() || other.depends_on_state()
            }
        }
    }

    /// Calls `visit` on this expression and every part of it.
    pub fn walk(&self, visit: &mut impl FnMut(&Expr)) {
        visit(self);
        match self {
            Self::Const(_) | Self::Var(_) | Self::Select(_) => {}
            Self::Unary(_, e) => e.walk(visit),
            Self::Binary(_, left, right) => {
                left.walk(visit);
                right.walk(visit);
            }
            Self::Cond(test, then, other) => {
                test.walk(visit);
                then.walk(visit);
                other.walk(visit);
            }
        }
    }
}

fn eval_binary(op: BinaryOp, left: &Expr, right: &Expr, valuation: Valuation<'_>) -> Result<i64, EvalError> {
    let a = left.eval(valuation)?;
    match op.decided_by(a) {
        Some(value) => Ok(value),
        None => op.apply(a, right.eval(valuation)?),
    }
}

impl BinaryOp {
    /// The value of a connective whose left side alone decides it.
    pub fn decided_by(self, left: i64) -> Option<i64> {
        match self {
            Self::And if left == 0 => Some(0),
            Self::Or if left != 0 => Some(1),
            Self::Imply if left == 0 => Some(1),
            _ => None,
        }
    }

    /// The value of the operation on two numbers, neither of which decides it alone.
    ///
    /// # Errors
    /// Division by zero, or a value outside 64 bits.
    pub fn apply(self, a: i64, b: i64) -> Result<i64, EvalError> {
        let overflow = |value: Option<i64>| value.ok_or(EvalError::Overflow);
        let shift = |shifted: fn(i64, u32) -> Option<i64>| {
            let by = u32::try_from(b).ok().filter(|by| *by < 32);
            by.and_then(|by| shifted(a, by)).ok_or(EvalError::Overflow)
        };
        match self {
            Self::Add => overflow(a.checked_add(b)),
            Self::Sub => overflow(a.checked_sub(b)),
            Self::Mul => overflow(a.checked_mul(b)),
            Self::Div | Self::Rem if b == 0 => Err(EvalError::DivisionByZero),
            Self::Div => overflow(a.checked_div(b)),
            Self::Rem => overflow(a.checked_rem(b)),
            Self::Lt => Ok(i64::from(a < b)),
            Self::Le => Ok(i64::from(a <= b)),
            Self::Eq => Ok(i64::from(a == b)),
            Self::Ne => Ok(i64::from(a != b)),
            Self::Ge => Ok(i64::from(a >= b)),
            Self::Gt => Ok(i64::from(a > b)),
            Self::And | Self::Or | Self::Imply => Ok(i64::from(b != 0)),
            Self::Min => Ok(a.min(b)),
            Self::Max => Ok(a.max(b)),
            Self::BitAnd => Ok(a & b),
            Self::BitOr => Ok(a | b),
            Self::BitXor => Ok(a ^ b),
            Self::Shl => shift(|a, by| a.checked_mul(1i64 << by)),
            Self::Shr => shift(|a, by| Some(a >> by)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn division_truncates_towards_zero_and_refuses_zero() {
        let div = |a, b| Expr::Binary(BinaryOp::Div, Box::new(Expr::Const(a)), Box::new(Expr::Const(b)));
        assert_eq!(div(-7, 2).eval(Valuation::default()), Ok(-3));
        assert_eq!(div(1, 0).eval(Valuation::default()), Err(EvalError::DivisionByZero));
    }

    #[test]
    fn connectives_are_lazy() {
        let bad = Expr::Binary(BinaryOp::Div, Box::new(Expr::Const(1)), Box::new(Expr::Const(0)));
        let and = Expr::Binary(BinaryOp::And, Box::new(Expr::Const(0)), Box::new(bad));
        assert_eq!(and.eval(Valuation::default()), Ok(0));
    }
}

//! Integer expressions over bounded integers and select variables.
//!
//! Booleans are the integers 0 and 1. As in UPPAAL, values have 32 bits and wrap around: `1 << 31` is the least one. Only the
//! sum that a clock is compared with does not ([`Expr::bound`]): it is part of no value that an integer could have.

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
    /// The exact product of `e` and this number where no product is written: a finer unit of time.
    Times(i64),
}

impl UnaryOp {
    /// The operation on `part`, with an operator that can be written in files.
    pub fn written_out(self, part: &Expr) -> Expr {
        let part = Box::new(part.clone());
        match self {
            Self::Neg | Self::Not => Expr::Unary(self, part),
            Self::Truth => Expr::Binary(BinaryOp::Ne, part, Box::new(Expr::Const(0))),
            Self::Plus(number) => Expr::Binary(BinaryOp::Add, part, Box::new(Expr::Const(number))),
            Self::Times(number) => Expr::Binary(BinaryOp::Mul, part, Box::new(Expr::Const(number))),
        }
    }

    /// The value of the operation on a number.
    ///
    /// # Errors
    /// An exact product outside 64 bits.
    pub fn apply(self, value: i64) -> Result<i64, EvalError> {
        match self {
            Self::Neg => Ok(wrapped(value.wrapping_neg())),
            Self::Not => Ok(i64::from(value == 0)),
            Self::Truth => Ok(i64::from(value != 0)),
            Self::Plus(number) => Ok(wrapped(value.wrapping_add(number))),
            Self::Times(number) => value.checked_mul(number).ok_or(EvalError::Overflow),
        }
    }
}

/// The number of 32 bits that the last 32 bits of `value` are.
fn wrapped(value: i64) -> i64 {
    (value << 32) >> 32
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
    /// The power.
    Pow,
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
            Self::Pow => "**",
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
    /// See [`BinaryOp::apply`].
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

    /// The value as the bound of a clock: its sums and differences do not wrap around, since `x + n < 3` is one, too.
    ///
    /// # Errors
    /// See [`BinaryOp::apply`].
    pub fn bound(&self, valuation: Valuation<'_>) -> Result<i64, EvalError> {
        match self {
            Self::Unary(UnaryOp::Neg, part) => part.bound(valuation)?.checked_neg(),
            Self::Binary(op @ (BinaryOp::Add | BinaryOp::Sub), left, right) => {
                op.exact(left.bound(valuation)?, right.bound(valuation)?)
            }
            _ => return self.eval(valuation),
        }
        .ok_or(EvalError::Overflow)
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

    /// The sum or difference without a wrap-around, if 64 bits hold it.
    pub fn exact(self, a: i64, b: i64) -> Option<i64> {
        match self {
            Self::Sub => a.checked_sub(b),
            _ => a.checked_add(b),
        }
    }

    /// The value of the operation on two numbers of 32 bits, neither of which decides it alone.
    ///
    /// # Errors
    /// What machines refuse, instead of wrapping around: a division by zero, -2147483648 divided by -1, a shift by a distance
    /// that is not in \[0,31\]; and a power that has no exact value in 32 bits, which UPPAAL takes from floating-point numbers.
    pub fn apply(self, a: i64, b: i64) -> Result<i64, EvalError> {
        let distance = || u32::try_from(b).ok().filter(|by| *by < 32).ok_or(EvalError::Shift);
        let is_overflow = (a, b) == (i64::from(i32::MIN), -1);
        match self {
            Self::Add => Ok(wrapped(a.wrapping_add(b))),
            Self::Sub => Ok(wrapped(a.wrapping_sub(b))),
            Self::Mul => Ok(wrapped(a.wrapping_mul(b))),
            Self::Div | Self::Rem if b == 0 => Err(EvalError::DivisionByZero),
            Self::Div | Self::Rem if is_overflow => Err(EvalError::Overflow),
            Self::Div => Ok(wrapped(a.wrapping_div(b))),
            Self::Rem => Ok(wrapped(a.wrapping_rem(b))),
            Self::Pow => power(a, b).ok_or(EvalError::Power),
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
            Self::Shl => Ok(wrapped(a << distance()?)),
            Self::Shr => Ok(a >> distance()?),
        }
    }
}

fn power(base: i64, exponent: i64) -> Option<i64> {
    let base = i32::try_from(base).ok()?;
    let value = match (base, exponent) {
        (0 | 1, 0..) => i32::from(base == 1 || exponent == 0),
        (-1, 0..) => 1 - 2 * i32::from(exponent % 2 == 1),
        _ => base.checked_pow(u32::try_from(exponent).ok()?)?,
    };
    Some(value.into())
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

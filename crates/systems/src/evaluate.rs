//! The evaluation of expressions.

use std::cell::{OnceCell, RefCell};

use super::program::{Binary, DefineId, Domain, Expr, ExprKind, Program, Role, Unary, VarId};
use tamper_text::{Id, Span};

/// The largest number of values that are listed for a choice.
const MAX_CHOICES: usize = 1 << 20;

/// The reason why an expression has no value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NoValue {
    /// No branch of a case applies.
    NoBranch(Span),
    /// A division by 0.
    DivisionByZero(Span),
    /// A number is larger than 64 bits, or a choice has more values than can be listed.
    TooLarge(Span),
    /// A possible value of a variable is outside its domain: that value.
    OutOfDomain(Span, i64),
    /// A constraint removes all values that were left.
    Constrained(Span),
}

impl NoValue {
    /// The place of the expression in the text.
    pub fn span(self) -> Span {
        match self {
            Self::NoBranch(span)
            | Self::DivisionByZero(span)
            | Self::TooLarge(span)
            | Self::OutOfDomain(span, _)
            | Self::Constrained(span) => span,
        }
    }
}

/// The operator applied to a value; `None` if the result does not fit in 64 bits.
pub(super) fn apply_unary(operator: Unary, value: i64) -> Option<i64> {
    match operator {
        Unary::Not => Some(1 - value),
        Unary::ToInt => Some(value),
        Unary::ToBool => Some(i64::from(value != 0)),
        Unary::Minus => value.checked_neg(),
        Unary::Abs => value.checked_abs(),
    }
}

/// The operator applied to values; `None` if the result does not fit in 64 bits, or on a division by 0.
pub(super) fn apply(operator: Binary, left: i64, right: i64) -> Option<i64> {
    let truth = |truth: bool| Some(i64::from(truth));
    match operator {
        Binary::And => truth(left & right != 0),
        Binary::Or => truth(left | right != 0),
        Binary::Implies => truth(left <= right),
        Binary::Xor | Binary::Unequal => truth(left != right),
        Binary::Xnor | Binary::Iff | Binary::Equal => truth(left == right),
        Binary::Less => truth(left < right),
        Binary::Greater => truth(left > right),
        Binary::LessEqual => truth(left <= right),
        Binary::GreaterEqual => truth(left >= right),
        Binary::Plus => left.checked_add(right),
        Binary::Minus => left.checked_sub(right),
        Binary::Times => left.checked_mul(right),
        Binary::Divide => left.checked_div(right),
        Binary::Modulo => left.checked_rem(right),
        Binary::Max => Some(left.max(right)),
        Binary::Min => Some(left.min(right)),
        Binary::BitAnd => Some(left & right),
        Binary::BitOr => Some(left | right),
        Binary::BitXor => Some(left ^ right),
    }
}

/// The values of the variables, now and next.
pub(super) struct StepValuation<'a> {
    pub program: &'a Program,
    /// By variable; unused for derived variables.
    pub now: &'a [i64],
    /// By variable, as far as it is known.
    pub next: &'a [i64],
    /// By definition: its value, computed on demand.
    known: RefCell<Vec<Option<Result<i64, NoValue>>>>,
    /// The values after the step, for the next values of definitions.
    after: OnceCell<Box<StepValuation<'a>>>,
}

impl<'a> StepValuation<'a> {
    pub fn new(program: &'a Program, now: &'a [i64], next: &'a [i64]) -> Self {
        let known = RefCell::new(vec![None; program.defines.len()]);
        Self {
            program,
            now,
            next,
            known,
            after: OnceCell::new(),
        }
    }
    fn define(&self, define: DefineId) -> Result<i64, NoValue> {
        let known = self.known.borrow()[define.index()];
        known.unwrap_or_else(|| {
            let value = self.value(&self.program.defines[define].body);
            self.known.borrow_mut()[define.index()] = Some(value);
            value
        })
    }
    /// The value of an expression that is not a choice.
    pub fn value(&self, expr: &Expr) -> Result<i64, NoValue> {
        match &expr.kind {
            ExprKind::Bool(value) => Ok(i64::from(*value)),
            ExprKind::Value(value) => Ok(*value),
            ExprKind::Now(var) => self.now(*var),
            ExprKind::Next(var) => Ok(self.next[var.index()]),
            ExprKind::Define(define) => self.define(*define),
            ExprKind::NextDefine(define) => {
                let after = || Box::new(Self::new(self.program, self.next, &[]));
                self.after.get_or_init(after).define(*define)
            }
            ExprKind::Unary(operator, operand) => self.unary(*operator, operand, expr.span),
            ExprKind::Binary(operator, left, right) => self.binary(*operator, left, right, expr.span),
            ExprKind::In(member, set) => {
                let mut values = Vec::new();
                self.choices(set, &mut values)?;
                // An unwritten `in` is an assignment to a variable, whose values must be in its domain; a written `in`
                // may list other values.
                if let (ExprKind::Now(var), true) = (&member.kind, member.is_unwritten()) {
                    self.all_within(&self.program.variables[*var].domain, set, &values)?;
                }
                Ok(i64::from(values.contains(&self.value(member)?)))
            }
            ExprKind::If(condition, yes, no) => self.value(if self.holds(condition)? { yes } else { no }),
            ExprKind::Case(branches) => self.value(self.branch(branches, expr.span)?),
            // Choices are never evaluated to one value.
            ExprKind::Set(_) | ExprKind::Range(..) | ExprKind::Union(..) => Err(NoValue::NoBranch(expr.span)),
        }
    }
    /// The current value of a variable.
    pub fn now(&self, var: VarId) -> Result<i64, NoValue> {
        let variable = &self.program.variables[var];
        let Role::Derived(body) = &variable.role else {
            return Ok(self.now[var.index()]);
        };
        let value = self.value(body)?;
        match variable.domain.place(value) {
            Some(_) => Ok(value),
            None => Err(NoValue::OutOfDomain(body.span, value)),
        }
    }
    fn holds(&self, condition: &Expr) -> Result<bool, NoValue> {
        Ok(self.value(condition)? != 0)
    }
    fn branch<'e>(&self, branches: &'e [(Expr, Expr)], span: Span) -> Result<&'e Expr, NoValue> {
        for (when, then) in branches {
            if self.holds(when)? {
                return Ok(then);
            }
        }
        Err(NoValue::NoBranch(span))
    }
    fn unary(&self, operator: Unary, operand: &Expr, span: Span) -> Result<i64, NoValue> {
        let value = self.value(operand)?;
        apply_unary(operator, value).ok_or(NoValue::TooLarge(span))
    }
    fn binary(&self, operator: Binary, left: &Expr, right: &Expr, span: Span) -> Result<i64, NoValue> {
        let left = self.value(left)?;
        // The second operand is not evaluated if the first decides.
        match (operator, left) {
            (Binary::And, 0) => return Ok(0),
            (Binary::Or, 1) | (Binary::Implies, 0) => return Ok(1),
            _ => {}
        }
        let right = self.value(right)?;
        apply(operator, left, right).ok_or(match operator {
            Binary::Divide | Binary::Modulo if right == 0 => NoValue::DivisionByZero(span),
            _ => NoValue::TooLarge(span),
        })
    }

    /// Adds the possible values of an expression.
    pub fn choices(&self, expr: &Expr, found: &mut Vec<i64>) -> Result<(), NoValue> {
        if found.len() > MAX_CHOICES {
            return Err(NoValue::TooLarge(expr.span));
        }
        match &expr.kind {
            ExprKind::Set(members) => members.iter().try_for_each(|member| self.choices(member, found)),
            ExprKind::Range(first, last) => {
                found.extend(*first..=*last);
                Ok(())
            }
            ExprKind::Union(left, right) => {
                self.choices(left, found)?;
                self.choices(right, found)
            }
            ExprKind::Define(define) if self.program.defines[*define].is_choice => {
                self.choices(&self.program.defines[*define].body, found)
            }
            ExprKind::If(condition, yes, no) => self.choices(if self.holds(condition)? { yes } else { no }, found),
            ExprKind::Case(branches) => self.choices(self.branch(branches, expr.span)?, found),
            _ => {
                found.push(self.value(expr)?);
                Ok(())
            }
        }
    }
    /// The values that `expr` allows for a variable of that domain, sorted; the whole domain if `expr` is `None`.
    pub fn within(&self, domain: &Domain, expr: Option<&Expr>) -> Result<Vec<i64>, NoValue> {
        let Some(expr) = expr else {
            return Ok(domain.values().collect());
        };
        let mut values = Vec::new();
        self.choices(expr, &mut values)?;
        self.all_within(domain, expr, &values)?;
        values.sort_unstable();
        values.dedup();
        Ok(values)
    }
    /// Checks that all values of a choice are in a domain, as NuSMV does. The error has the first value that is not, at
    /// its member of the choice.
    fn all_within(&self, domain: &Domain, choice: &Expr, values: &[i64]) -> Result<(), NoValue> {
        let Some(outside) = values.iter().find(|value| domain.place(**value).is_none()) else {
            return Ok(());
        };
        let mut place = choice;
        while let ExprKind::Set(members) = &place.kind {
            let has_it = |member: &&Expr| {
                let mut own = Vec::new();
                self.choices(member, &mut own).is_ok() && own.contains(outside)
            };
            let Some(member) = members.iter().find(has_it) else {
                break;
            };
            place = member;
        }
        Err(NoValue::OutOfDomain(place.span, *outside))
    }
}

//! The normal form (\[001\] section 4.1): choice outermost, sequences substituted away.
//!
//! A path is one way through an action: conditions on the state before it and on the parameters, and the value of each
//! variable after it, as terms over the same. Variables stay in their types after every assignment, which is a
//! condition too.

use super::system::{ActionBody, ActionCondition, ActionSystem, ComparisonOperator, GuardedAction, IntegerTerm};
use tamper_text::Span;

/// The largest number of ways through an action.
const MAX_PATHS: usize = 1 << 16;

/// One way through an action.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Path {
    /// The conditions on the state before and the parameters.
    pub conditions: Vec<ActionCondition>,
    /// By variable: its value afterwards.
    pub values: Vec<IntegerTerm>,
}

/// All paths through an action; `None` if there are too many.
pub fn paths(system: &ActionSystem, action: &GuardedAction) -> Option<Vec<Path>> {
    let start = Path {
        conditions: vec![action.guard.0.clone()],
        values: (0..system.variables.len()).map(IntegerTerm::Variable).collect(),
    };
    follow(system, &action.body, vec![start])
}

fn follow(system: &ActionSystem, body: &ActionBody, mut before: Vec<Path>) -> Option<Vec<Path>> {
    match body {
        ActionBody::Assign(variable, value) => {
            let (first, last) = system.bounds(*variable);
            for path in &mut before {
                let value = after(value, &path.values);
                path.conditions
                    .push(compare(ComparisonOperator::GreaterEqual, value.clone(), first));
                path.conditions
                    .push(compare(ComparisonOperator::LessEqual, value.clone(), last));
                path.values[*variable] = value;
            }
            Some(before)
        }
        ActionBody::Guard(condition, _, body) => {
            for path in &mut before {
                path.conditions.push(holds_after(condition, &path.values));
            }
            follow(system, body, before)
        }
        ActionBody::Sequence(first, second) => follow(system, second, follow(system, first, before)?),
        ActionBody::Choice(one, other) => {
            let mut both = follow(system, one, before.clone())?;
            both.extend(follow(system, other, before)?);
            (both.len() <= MAX_PATHS).then_some(both)
        }
    }
}

fn compare(relation: ComparisonOperator, left: IntegerTerm, right: i64) -> ActionCondition {
    ActionCondition::Compare(
        relation,
        left,
        IntegerTerm::Value(right, Span::default()),
        Span::default(),
    )
}

/// Rewrites a term about an intermediate state into a term about the state before.
fn after(term: &IntegerTerm, values: &[IntegerTerm]) -> IntegerTerm {
    let both =
        |left: &IntegerTerm, right: &IntegerTerm| (Box::new(after(left, values)), Box::new(after(right, values)));
    match term {
        IntegerTerm::Value(..) | IntegerTerm::Parameter(_) => term.clone(),
        IntegerTerm::Variable(variable) => values[*variable].clone(),
        IntegerTerm::Add(left, right) => {
            let (left, right) = both(left, right);
            IntegerTerm::Add(left, right)
        }
        IntegerTerm::Subtract(left, right) => {
            let (left, right) = both(left, right);
            IntegerTerm::Subtract(left, right)
        }
        IntegerTerm::Multiply(left, right) => {
            let (left, right) = both(left, right);
            IntegerTerm::Multiply(left, right)
        }
    }
}

fn holds_after(condition: &ActionCondition, values: &[IntegerTerm]) -> ActionCondition {
    let inner = |condition: &ActionCondition| Box::new(holds_after(condition, values));
    match condition {
        ActionCondition::True => ActionCondition::True,
        ActionCondition::Compare(relation, left, right, span) => {
            ActionCondition::Compare(*relation, after(left, values), after(right, values), *span)
        }
        ActionCondition::And(left, right) => ActionCondition::And(inner(left), inner(right)),
        ActionCondition::Or(left, right) => ActionCondition::Or(inner(left), inner(right)),
        ActionCondition::Not(operand) => ActionCondition::Not(inner(operand)),
    }
}

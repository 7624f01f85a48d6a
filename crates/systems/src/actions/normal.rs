//! The normal form (\[001\] section 4.1): choice outermost, sequences substituted away.
//!
//! A path is one way through an action: conditions on the state before it and on the parameters, and the value of each
//! variable after it, as terms over the same. Variables stay in their types after every assignment, which is a
//! condition too.

use super::system::{Action, ActionSystem, Body, Condition, Relation, Term};
use tamper_text::Span;

/// The largest number of ways through an action.
const MAX_PATHS: usize = 1 << 16;

/// One way through an action.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Path {
    /// The conditions on the state before and the parameters.
    pub conditions: Vec<Condition>,
    /// By variable: its value afterwards.
    pub values: Vec<Term>,
}

/// All paths through an action; `None` if there are too many.
pub fn paths(system: &ActionSystem, action: &Action) -> Option<Vec<Path>> {
    let start = Path {
        conditions: vec![action.guard.0.clone()],
        values: (0..system.variables.len()).map(Term::Variable).collect(),
    };
    follow(system, &action.body, vec![start])
}

fn follow(system: &ActionSystem, body: &Body, mut before: Vec<Path>) -> Option<Vec<Path>> {
    match body {
        Body::Assign(variable, value) => {
            let (first, last) = system.bounds(*variable);
            for path in &mut before {
                let value = after(value, &path.values);
                path.conditions
                    .push(compare(Relation::GreaterEqual, value.clone(), first));
                path.conditions.push(compare(Relation::LessEqual, value.clone(), last));
                path.values[*variable] = value;
            }
            Some(before)
        }
        Body::Guard(condition, _, body) => {
            for path in &mut before {
                path.conditions.push(holds_after(condition, &path.values));
            }
            follow(system, body, before)
        }
        Body::Sequence(first, second) => follow(system, second, follow(system, first, before)?),
        Body::Choice(one, other) => {
            let mut both = follow(system, one, before.clone())?;
            both.extend(follow(system, other, before)?);
            (both.len() <= MAX_PATHS).then_some(both)
        }
    }
}

fn compare(relation: Relation, left: Term, right: i64) -> Condition {
    Condition::Compare(relation, left, Term::Value(right, Span::default()), Span::default())
}

/// Rewrites a term about an intermediate state into a term about the state before.
fn after(term: &Term, values: &[Term]) -> Term {
    let both = |left: &Term, right: &Term| (Box::new(after(left, values)), Box::new(after(right, values)));
    match term {
        Term::Value(..) | Term::Parameter(_) => term.clone(),
        Term::Variable(variable) => values[*variable].clone(),
        Term::Add(left, right) => {
            let (left, right) = both(left, right);
            Term::Add(left, right)
        }
        Term::Subtract(left, right) => {
            let (left, right) = both(left, right);
            Term::Subtract(left, right)
        }
        Term::Multiply(left, right) => {
            let (left, right) = both(left, right);
            Term::Multiply(left, right)
        }
    }
}

fn holds_after(condition: &Condition, values: &[Term]) -> Condition {
    let inner = |condition: &Condition| Box::new(holds_after(condition, values));
    match condition {
        Condition::True => Condition::True,
        Condition::Compare(relation, left, right, span) => {
            Condition::Compare(*relation, after(left, values), after(right, values), *span)
        }
        Condition::And(left, right) => Condition::And(inner(left), inner(right)),
        Condition::Or(left, right) => Condition::Or(inner(left), inner(right)),
        Condition::Not(operand) => Condition::Not(inner(operand)),
    }
}

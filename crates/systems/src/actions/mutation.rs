//! The mutation operators of \[001\] section 5.

use super::system::{ActionBody, ActionCondition, ActionSystem, ComparisonOperator, IntegerTerm};
use tamper_text::Span;

tamper_text::named! {
    /// A mutation operator for action systems.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
    pub enum ActionOperator {
        /// Replaces a guard by the condition that always holds.
        GuardTrue = "guard-true",
        /// An equality becomes an inequality.
        EqualToUnequal = "equal-to-unequal",
        /// An inequality becomes an equality.
        UnequalToEqual = "unequal-to-equal",
        /// A constant is incremented; at the upper bound of its domain, it becomes the smallest value.
        Increment = "increment",
    }
}

/// A mutant: the operator applied at one place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ActionMutation {
    /// The operator that makes the mutation.
    pub operator: ActionOperator,
    /// The position of the mutated action.
    pub action: usize,
    /// The place of the text that the mutation replaces.
    pub span: Span,
    /// The guard of the mutated action.
    guard: ActionCondition,
    body: ActionBody,
    /// The value that replaces a constant; `None` for other mutations.
    pub constant: Option<i64>,
}

impl ActionMutation {
    /// The system with the mutation in it.
    pub fn apply(&self, system: &ActionSystem) -> ActionSystem {
        let mut mutant = system.clone();
        let action = &mut mutant.actions[self.action];
        action.guard.0 = self.guard.clone();
        action.body = self.body.clone();
        mutant
    }
}

/// All mutants of order 1, in the order of the text.
pub fn action_mutations(system: &ActionSystem) -> Vec<ActionMutation> {
    let mut found = Vec::new();
    for (place, action) in system.actions.iter().enumerate() {
        let mut wanted = 0;
        loop {
            // Repeats the walk, changing the next place.
            let mut walk = ActionMutator {
                system,
                action: place,
                wanted,
                at: 0,
                done: None,
            };
            let mut guard = action.guard.clone();
            walk.guard(&mut guard.0, guard.1);
            let mut body = action.body.clone();
            walk.body(&mut body);
            let Some((operator, span, constant)) = walk.done else {
                break;
            };
            let guard = guard.0;
            found.push(ActionMutation {
                operator,
                action: place,
                span,
                guard,
                body,
                constant,
            });
            wanted += 1;
        }
    }
    found.sort_by_key(|mutation| (mutation.span, mutation.operator));
    found
}

/// Walks through an action and changes the place of number `wanted`.
struct ActionMutator<'a> {
    system: &'a ActionSystem,
    action: usize,
    wanted: usize,
    at: usize,
    done: Option<(ActionOperator, Span, Option<i64>)>,
}

impl ActionMutator<'_> {
    /// Counts a place. Returns whether it is the one to change.
    fn is_here(&mut self, operator: ActionOperator, span: Span) -> bool {
        let is_here = self.at == self.wanted;
        if is_here {
            self.done = Some((operator, span, None));
        }
        self.at += 1;
        is_here
    }
    fn guard(&mut self, guard: &mut ActionCondition, span: Span) {
        if *guard != ActionCondition::True && self.is_here(ActionOperator::GuardTrue, span) {
            *guard = ActionCondition::True;
        }
        self.condition(guard);
    }
    fn condition(&mut self, condition: &mut ActionCondition) {
        match condition {
            ActionCondition::True => {}
            ActionCondition::And(left, right) | ActionCondition::Or(left, right) => {
                self.condition(left);
                self.condition(right);
            }
            ActionCondition::Not(operand) => self.condition(operand),
            ActionCondition::Compare(relation, left, right, span) => {
                let span = *span;
                match relation {
                    ComparisonOperator::Equal if self.is_here(ActionOperator::EqualToUnequal, span) => {
                        *relation = ComparisonOperator::Unequal;
                    }
                    ComparisonOperator::Unequal if self.is_here(ActionOperator::UnequalToEqual, span) => {
                        *relation = ComparisonOperator::Equal;
                    }
                    _ => {}
                }
                let (left_bounds, right_bounds) = (self.bounds_of(left), self.bounds_of(right));
                self.term(left, right_bounds);
                self.term(right, left_bounds);
            }
        }
    }
    fn body(&mut self, body: &mut ActionBody) {
        match body {
            ActionBody::Assign(variable, value) => {
                let bounds = Some(self.system.bounds(*variable));
                self.term(value, bounds);
            }
            ActionBody::Guard(condition, span, body) => {
                self.guard(condition, *span);
                self.body(body);
            }
            ActionBody::Sequence(first, second) | ActionBody::Choice(first, second) => {
                self.body(first);
                self.body(second);
            }
        }
    }
    /// Visits the constants of a term; a term that is a single constant is a value of `bounds`.
    fn term(&mut self, term: &mut IntegerTerm, bounds: Option<(i64, i64)>) {
        match term {
            IntegerTerm::Value(value, span) => {
                if self.is_here(ActionOperator::Increment, *span) {
                    *value = match bounds {
                        Some((first, last)) if *value == last => first,
                        _ => *value + 1,
                    };
                    if let Some(done) = &mut self.done {
                        done.2 = Some(*value);
                    }
                }
            }
            IntegerTerm::Variable(_) | IntegerTerm::Parameter(_) => {}
            IntegerTerm::Add(left, right) | IntegerTerm::Subtract(left, right) | IntegerTerm::Multiply(left, right) => {
                self.term(left, None);
                self.term(right, None);
            }
        }
    }
    /// The domain of the term that a constant is compared with.
    fn bounds_of(&self, term: &IntegerTerm) -> Option<(i64, i64)> {
        match term {
            IntegerTerm::Variable(variable) => Some(self.system.bounds(*variable)),
            IntegerTerm::Parameter(parameter) => {
                let mut instances = self.system.instances.iter();
                let instance = instances.find(|instance| instance.action == self.action)?;
                let int_type = &self.system.types[instance.types[*parameter]];
                Some((int_type.first, int_type.last))
            }
            _ => None,
        }
    }
}

//! Integers and booleans of a chart that are part of its configurations.

use std::collections::BTreeSet;

use super::chart::{Chart, ChartAction, GuardTerm};
use tamper_text::Span;

/// The largest number that a variable has. Products of two have no other value in JavaScript.
pub(super) const LARGEST: i64 = 1 << 26;

/// A variable that is followed exactly. A boolean is 0 or 1.
#[derive(Clone, Debug)]
pub(super) struct Variable {
    pub name: String,
    pub place: Span,
    pub initial: i64,
    /// The values that the file promises.
    pub range: Option<(i64, i64)>,
    /// Most values that are followed.
    pub most: usize,
    /// No condition tells a value outside from the nearest one within, now or later.
    pub told: (i64, i64),
}

/// An expression. Truth values are 0 and 1.
#[derive(Clone, Debug)]
pub(super) enum DataTerm {
    Number(i64),
    Variable(usize),
    /// Whether the state is active.
    In(usize),
    /// Whether the event that is handled has this name.
    Event(String),
    Binary(&'static Operator, Box<[Self; 2]>),
}

/// A variable gets a value.
#[derive(Clone, Debug)]
pub(super) struct DataSet {
    pub variable: usize,
    pub term: DataTerm,
    pub place: Span,
}

/// What an operator does with numbers.
#[derive(Debug)]
pub(super) struct Operator {
    pub sign: &'static str,
    /// Operators with more power bind more.
    pub power: u8,
    pub kind: OperatorKind,
    pub of: fn(i64, i64) -> i64,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum OperatorKind {
    Sum,
    Product,
    Remainder,
    Order,
    Equality,
    Connective,
}

/// Where a configuration stands while an expression is evaluated.
#[derive(Clone, Copy)]
pub(super) struct Standing<'s> {
    pub data: &'s [i64],
    pub active: &'s [usize],
    pub event: &'s str,
}

impl DataTerm {
    pub fn value(&self, at: Standing<'_>) -> i64 {
        match self {
            Self::Number(number) => *number,
            Self::Variable(variable) => at.data[*variable],
            Self::In(state) => i64::from(at.active.contains(state)),
            Self::Event(name) => i64::from(name == at.event),
            Self::Binary(operator, sides) => (operator.of)(sides[0].value(at), sides[1].value(at)),
        }
    }

    /// Calls `on` for each use of a variable, with the number that it is compared with, if it is.
    fn uses(&self, on: &mut dyn FnMut(usize, Option<i64>)) {
        match self {
            Self::Number(_) | Self::In(_) | Self::Event(_) => {}
            Self::Variable(variable) => on(*variable, None),
            Self::Binary(operator, sides) => match (operator.kind, &sides[0], &sides[1]) {
                (OperatorKind::Order | OperatorKind::Equality, Self::Variable(variable), Self::Number(number))
                | (OperatorKind::Order | OperatorKind::Equality, Self::Number(number), Self::Variable(variable)) => {
                    on(*variable, Some(*number));
                }
                (_, left, right) => {
                    left.uses(on);
                    right.uses(on);
                }
            },
        }
    }

    /// What this adds to the variable, if it does nothing else with it.
    fn step(&self, variable: usize) -> Option<i64> {
        let Self::Binary(operator, sides) = self else {
            return None;
        };
        match (operator.sign, &sides[0], &sides[1]) {
            ("+" | "-", Self::Variable(of), Self::Number(number)) if *of == variable => Some((operator.of)(0, *number)),
            ("+", Self::Number(number), Self::Variable(of)) if *of == variable => Some(*number),
            _ => None,
        }
    }
}

/// Finds the values that no condition tells apart. A counter that only grows is not followed beyond the largest number that it is
/// compared with: all values there are the same to each comparison, and stay there. A variable on which no condition depends has
/// one value.
pub(super) fn merge_values(chart: &mut Chart) {
    let actions = chart.actions();
    let mut terms: Vec<&GuardTerm> = chart
        .transitions()
        .filter_map(|transition| transition.guard.as_ref())
        .collect();
    let mut sets = Vec::new();
    for action in actions {
        match action {
            ChartAction::If(branches) => terms.extend(branches.iter().map(|(guard, _)| guard)),
            ChartAction::Set(set) => sets.push((set.variable, &set.term)),
            _ => {}
        }
    }
    let mut asked = Vec::new();
    while let Some(term) = terms.pop() {
        match term {
            GuardTerm::Data(term, _) => asked.push(term),
            GuardTerm::Not(part) => terms.push(part),
            GuardTerm::All(parts) | GuardTerm::Any(parts) => terms.extend(parts),
            GuardTerm::Named(_) | GuardTerm::In(_) | GuardTerm::Shown(_) => {}
        }
    }
    let promised = chart.data.iter().enumerate();
    let promised = promised.filter(|(_, variable)| variable.range.is_some());
    let mut matters: BTreeSet<usize> = promised.map(|(at, _)| at).collect();
    let note = |matters: &mut BTreeSet<usize>, term: &DataTerm| {
        term.uses(&mut |variable, _| {
            matters.insert(variable);
        });
    };
    asked.iter().for_each(|term| note(&mut matters, term));
    for _ in 0..chart.data.len() {
        let of_these: Vec<_> = sets.iter().filter(|(variable, _)| matters.contains(variable)).collect();
        of_these.into_iter().for_each(|(_, term)| note(&mut matters, term));
    }
    let told = |variable: usize| {
        let (mut numbers, mut steps, mut is_compared_only) = (Vec::new(), Vec::new(), true);
        let mut note = |of: usize, number: Option<i64>| {
            numbers.extend(number.filter(|_| of == variable));
            is_compared_only &= of != variable || number.is_some();
        };
        asked.iter().for_each(|term| term.uses(&mut note));
        for (target, term) in sets.iter().filter(|(target, _)| matters.contains(target)) {
            match term.step(variable).filter(|_| *target == variable) {
                Some(step) => steps.push(step),
                None => term.uses(&mut note),
            }
        }
        let is_seen = !is_compared_only || chart.data[variable].range.is_some();
        match (numbers.iter().min(), numbers.iter().max()) {
            _ if !matters.contains(&variable) => (0, 0),
            (Some(least), Some(most)) if !is_seen => {
                let low = steps.iter().all(|step| *step <= 0).then_some(least - 1);
                let high = steps.iter().all(|step| *step >= 0).then_some(most + 1);
                (low.unwrap_or(i64::MIN), high.unwrap_or(i64::MAX))
            }
            _ => (i64::MIN, i64::MAX),
        }
    };
    let told: Vec<_> = (0..chart.data.len()).map(told).collect();
    for (variable, (low, high)) in chart.data.iter_mut().zip(told) {
        variable.told = (low, high);
        variable.initial = variable.initial.clamp(low, high);
    }
}

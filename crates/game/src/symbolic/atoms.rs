//! From guards, invariants and updates to atoms, integers and resets: the only place where expressions become bounds.

use super::arena::Atom;
use super::error::{GameError, MOST_SELECTS};
use tamper_text::Id;
use tamper_timed::model::{Automaton, ClockConstraint, Cmp, Edge, EvalError, Expr, Guard, LocId, Update, Valuation};
use tamper_zones::{Bound, Clock, Variable};

/// `source->target` with the location names.
pub fn edge_name(automaton: &Automaton, edge: &Edge) -> String {
    let name = |location| &automaton.locations()[location].name;
    format!(
        "{}->{} {}",
        name(edge.source),
        name(edge.target),
        automaton.actions()[edge.action]
    )
}

/// The values of an edge's select variables, in order.
///
/// # Errors
/// If there are too many.
pub fn select_values(automaton: &Automaton, edge: &Edge) -> Result<Vec<Vec<i32>>, GameError> {
    let width = |select: &tamper_timed::model::Select| {
        u64::try_from(i64::from(select.high) - i64::from(select.low) + 1).unwrap_or(0)
    };
    let count = edge
        .selects
        .iter()
        .try_fold(1u64, |count, select| count.checked_mul(width(select)));
    if count.is_none_or(|count| count > MOST_SELECTS) {
        return Err(GameError::SelectTooLarge {
            edge: edge_name(automaton, edge),
        });
    }
    let mut all = vec![Vec::new()];
    for select in &edge.selects {
        let longer = |prefix: &Vec<i32>, value: i32| prefix.iter().copied().chain([value]).collect();
        all = all
            .iter()
            .flat_map(|prefix| (select.low..=select.high).map(move |value| longer(prefix, value)))
            .collect();
    }
    Ok(all)
}

/// The effect of an edge: the integers after it, and the clocks it sets.
pub struct Effect {
    /// The value of each integer afterwards.
    pub ints: Vec<i32>,
    /// The clocks that it sets.
    pub resets: Vec<(Variable, i64)>,
}

/// The effect of `edge` under the given values: its updates one after the other.
///
/// # Errors
/// A value that does not exist, an integer that leaves its range, a clock set to a negative number or beyond what zones
/// represent.
pub fn run_updates(automaton: &Automaton, edge: &Edge, ints: &[i32], selects: &[i32]) -> Result<Effect, GameError> {
    let mut effect = Effect {
        ints: ints.to_vec(),
        resets: Vec::new(),
    };
    for update in &edge.updates {
        let valuation = Valuation {
            ints: &effect.ints,
            selects,
        };
        let value = |expr: &Expr| {
            let place = || format!("edge {}", edge_name(automaton, edge));
            expr.eval(valuation).map_err(|error| evaluation(error, &place))
        };
        match update {
            Update::Reset(clock, expr) => {
                let value = value(expr)?;
                if value < 0 {
                    let edge = edge_name(automaton, edge);
                    return Err(GameError::NegativeReset { edge, value });
                }
                checked(value, &|| edge_name(automaton, edge))?;
                let variable = Variable::new(clock.index());
                effect.resets.retain(|(reset, _)| *reset != variable);
                effect.resets.push((variable, value));
            }
            Update::Assign(int, expr) => {
                let value = value(expr)?;
                let var = &automaton.ints()[*int];
                let in_range = i32::try_from(value)
                    .ok()
                    .filter(|value| (var.low..=var.high).contains(value));
                let Some(fits) = in_range else {
                    return Err(GameError::OutOfRange {
                        edge: edge_name(automaton, edge),
                        state: state_name(automaton, edge.source, ints),
                        variable: var.name.to_string(),
                        value,
                    });
                };
                effect.ints[int.index()] = fits;
            }
        }
    }
    Ok(effect)
}

/// `location (i=1, j=2)`.
pub fn state_name(automaton: &Automaton, location: LocId, values: &[i32]) -> String {
    let name = &automaton.locations()[location].name;
    if values.is_empty() {
        return name.to_string();
    }
    let pairs = automaton
        .ints()
        .iter()
        .zip(values)
        .map(|(var, value)| format!("{}={value}", var.name));
    format!("{name} ({})", pairs.collect::<Vec<_>>().join(", "))
}

fn evaluation(error: EvalError, place: &dyn Fn() -> String) -> GameError {
    GameError::Evaluation { place: place(), error }
}

/// The clock atoms of `guard` under `valuation`; `None` when an integer condition fails.
pub fn atoms_of_guard(
    guard: &Guard,
    valuation: Valuation<'_>,
    place: &dyn Fn() -> String,
) -> Result<Option<Vec<Atom>>, GameError> {
    for condition in &guard.data {
        if condition.eval(valuation).map_err(|error| evaluation(error, place))? == 0 {
            return Ok(None);
        }
    }
    let mut atoms = Vec::with_capacity(guard.clocks.len());
    for constraint in &guard.clocks {
        let constant = constraint
            .bound
            .bound(valuation)
            .map_err(|error| evaluation(error, place))?;
        push_atoms(constraint, checked(constant, place)?, &mut atoms);
    }
    Ok(Some(atoms))
}

/// `constant`, if zones represent it exactly.
pub fn checked(constant: i64, place: &dyn Fn() -> String) -> Result<i64, GameError> {
    if constant.unsigned_abs() <= Bound::LIMIT.unsigned_abs() {
        Ok(constant)
    } else {
        let place = place();
        Err(GameError::ConstantTooLarge { place, value: constant })
    }
}

/// The atoms of `left - right ~ constant`.
pub fn push_atoms(constraint: &ClockConstraint, constant: i64, atoms: &mut Vec<Atom>) {
    let clock = |id: tamper_timed::model::ClockId| Clock::from(Variable::new(id.index()));
    let left = clock(constraint.left);
    let right = constraint.right.map_or(Clock::ZERO, clock);
    let upper = |bound| Atom { left, right, bound };
    let lower = |bound| Atom {
        left: right,
        right: left,
        bound,
    };
    match constraint.cmp {
        Cmp::Lt => atoms.push(upper(Bound::lt(constant))),
        Cmp::Le => atoms.push(upper(Bound::le(constant))),
        Cmp::Eq => atoms.extend([upper(Bound::le(constant)), lower(Bound::le(-constant))]),
        Cmp::Ge => atoms.push(lower(Bound::le(-constant))),
        Cmp::Gt => atoms.push(lower(Bound::lt(-constant))),
    }
}

//! The largest constant that each clock is compared with, which makes zone graphs finite.

use super::arena::{Arena, Atom};
use super::atoms::{checked, push_atoms};
use super::error::{GameError, MOST_DIAGONAL_VALUES};
use super::ids::NodeId;
use tamper_text::Id;
use tamper_timed::model::{Automaton, BinaryOp, ClockConstraint, Expr, Select, UnaryOp, Update};
use tamper_zones::{Bound, Clock, Dbm};

/// The largest constants per node and clock (`node * n_clocks + clock`), by propagation against the moves: a clock
/// that is reset on a move is not compared through it. Clocks that occur in differences also cover every
/// sum of a difference's constant and a reset value, since a reset turns the difference into a comparison.
pub fn per_node(arena: &Arena) -> Vec<i64> {
    let n_clocks = arena.n_clocks;
    // An input is ignored in zones of which each is a move of its own. Where clocks are compared with each other their sides have constants
    // that no guard has: beside `x == 1 && y >= x`, `y < 1`.
    let is_diagonal = |atom: &Atom| atom.left != Clock::ZERO && atom.right != Clock::ZERO;
    let edges = arena.moves.iter().filter(|step| step.edge.is_some());
    let guards = edges.flat_map(|step| arena.atoms_of(step.guard));
    let has_diagonals = guards.into_iter().any(is_diagonal);
    let largest_reset = arena.resets.iter().map(|(_, value)| *value).max().unwrap_or(0);
    let mut max = vec![Dbm::NEVER_COMPARED; arena.nodes.len() * n_clocks];
    for (node, parts) in arena.nodes.iter().enumerate() {
        let row = &mut max[node * n_clocks..(node + 1) * n_clocks];
        let mut cover = |atoms: &[Atom]| {
            for atom in atoms {
                cover_atom(atom, largest_reset, row);
            }
        };
        cover(arena.atoms_of(parts.invariant));
        for step in arena.moves.slice(parts.moves.clone()) {
            if step.edge.is_some() || has_diagonals {
                cover(arena.atoms_of(step.guard));
            }
        }
    }
    let mut changed = true;
    while changed {
        changed = false;
        for (node, parts) in arena.nodes.iter().enumerate().rev() {
            for step in arena.moves.slice(parts.moves.clone()) {
                let resets = arena.resets_of(step);
                for clock in 0..n_clocks {
                    let later = max[step.target.index() * n_clocks + clock];
                    let kept = !resets.iter().any(|(reset, _)| reset.index() == clock + 1);
                    if kept && later > max[node * n_clocks + clock] {
                        max[node * n_clocks + clock] = later;
                        changed = true;
                    }
                }
            }
        }
    }
    max
}

/// Per node and clock (`node * n_clocks + clock`), whether an existing state or an enabled move compares the clock from
/// there on before it is reset. Moves that pruning has disabled do not count.
pub fn compared(arena: &Arena) -> Vec<bool> {
    let n_clocks = arena.n_clocks;
    let mut compared = vec![false; arena.nodes.len() * n_clocks];
    let moves = |node: NodeId| {
        let moves = arena.moves_of(node).iter();
        moves.filter(|step| step.enabled.start < step.enabled.end)
    };
    for (node, parts) in arena.nodes.iter_enumerated() {
        let cases = arena
            .cases(parts.alive)
            .chain(moves(node).flat_map(|step| arena.cases(step.enabled)));
        for atom in cases.flatten() {
            for clock in [atom.left, atom.right]
                .into_iter()
                .filter(|clock| *clock != Clock::ZERO)
            {
                compared[node.index() * n_clocks + clock.index() - 1] = true;
            }
        }
    }
    let mut changed = true;
    while changed {
        changed = false;
        for node in arena.nodes.ids().rev() {
            for step in moves(node) {
                for clock in 0..n_clocks {
                    let kept = !arena
                        .resets_of(step)
                        .iter()
                        .any(|(reset, _)| reset.index() == clock + 1);
                    if kept
                        && compared[step.target.index() * n_clocks + clock]
                        && !compared[node.index() * n_clocks + clock]
                    {
                        compared[node.index() * n_clocks + clock] = true;
                        changed = true;
                    }
                }
            }
        }
    }
    compared
}

fn cover_atom(atom: &Atom, largest_reset: i64, row: &mut [i64]) {
    if atom.bound.is_infinite() {
        return;
    }
    let constant = atom.bound.constant().abs();
    let clocks = [atom.left, atom.right]
        .into_iter()
        .filter(|clock| *clock != Clock::ZERO);
    let is_diagonal = clocks.clone().count() == 2;
    for clock in clocks {
        let needed = if is_diagonal {
            constant + largest_reset
        } else {
            constant
        };
        let entry = &mut row[clock.index() - 1];
        *entry = (*entry).max(needed);
    }
}

/// One bound per clock (by matrix index, the reference clock's is 0) that holds in every discrete state.
pub fn global(automaton: &Automaton) -> Vec<i64> {
    let mut max = vec![Dbm::NEVER_COMPARED; automaton.clocks().len() + 1];
    max[0] = 0;
    let largest_reset = automaton.edges().iter().flat_map(|edge| {
        edge.updates.iter().filter_map(|update| match update {
            Update::Reset(_, value) => Some(interval(automaton, &edge.selects, value).1),
            Update::Assign(..) => None,
        })
    });
    let largest_reset = largest_reset.max().unwrap_or(0).max(0);
    for_each_constraint(automaton, &mut |constraint, selects| {
        let (low, high) = bound_interval(automaton, selects, &constraint.bound);
        let extra = if constraint.right.is_some() { largest_reset } else { 0 };
        let needed = low.abs().max(high.abs()).saturating_add(extra);
        for clock in [Some(constraint.left), constraint.right].into_iter().flatten() {
            let entry = &mut max[clock.index() + 1];
            *entry = (*entry).max(needed);
        }
    });
    max
}

/// The clock differences of the game: each atom's two sides partition the clock space.
pub fn diagonals(automaton: &Automaton) -> Result<Vec<Atom>, GameError> {
    let mut atoms = Vec::new();
    let mut failure = None;
    for_each_constraint(automaton, &mut |constraint, selects| {
        if constraint.right.is_none() {
            return;
        }
        let (low, high) = bound_interval(automaton, selects, &constraint.bound);
        let place = || automaton.name().to_owned();
        if high.saturating_sub(low) >= MOST_DIAGONAL_VALUES {
            failure.get_or_insert(GameError::DiagonalRange { place: place() });
            return;
        }
        for constant in low..=high {
            match checked(constant, &place) {
                Ok(constant) => push_atoms(constraint, constant, &mut atoms),
                Err(error) => {
                    failure.get_or_insert(error);
                }
            }
        }
    });
    if let Some(error) = failure {
        return Err(error);
    }
    for atom in &mut atoms {
        if atom.left > atom.right {
            *atom = Atom {
                left: atom.right,
                right: atom.left,
                bound: atom.bound.complement(),
            };
        }
    }
    atoms.sort_by_key(|atom| (atom.left, atom.right, atom.bound));
    atoms.dedup();
    Ok(atoms)
}

fn for_each_constraint(automaton: &Automaton, visit: &mut dyn FnMut(&ClockConstraint, &[Select])) {
    for location in automaton.locations() {
        location
            .invariant
            .clocks
            .iter()
            .for_each(|constraint| visit(constraint, &[]));
    }
    for edge in automaton.edges() {
        edge.guard
            .clocks
            .iter()
            .for_each(|constraint| visit(constraint, &edge.selects));
    }
}

/// An interval that contains every value of `expr` as a bound, whose sums do not wrap around.
fn bound_interval(automaton: &Automaton, selects: &[Select], expr: &Expr) -> (i64, i64) {
    let of = |part: &Expr| bound_interval(automaton, selects, part);
    let (low, high) = match expr {
        Expr::Unary(UnaryOp::Neg, part) => negated(of(part)),
        Expr::Unary(UnaryOp::Times(number), part) => corners(of(part), (*number, *number), |a, b| a * b),
        Expr::Binary(BinaryOp::Add, left, right) => corners(of(left), of(right), |a, b| a + b),
        Expr::Binary(BinaryOp::Sub, left, right) => corners(of(left), of(right), |a, b| a - b),
        Expr::Const(value) => (i128::from(*value), i128::from(*value)),
        _ => return interval(automaton, selects, expr),
    };
    let clip = |value: i128| {
        let clipped = value.clamp((-Bound::LIMIT).into(), Bound::LIMIT.into());
        i64::try_from(clipped).expect("clipped to 64 bits")
    };
    (clip(low), clip(high))
}

/// An interval that contains every value of `expr`: all 32 bits where it may wrap around.
fn interval(automaton: &Automaton, selects: &[Select], expr: &Expr) -> (i64, i64) {
    const ANY: (i64, i64) = (i32::MIN as i64, i32::MAX as i64);
    let of = |part: &Expr| interval(automaton, selects, part);
    let (low, high) = match expr {
        Expr::Const(_) | Expr::Unary(UnaryOp::Times(_), _) => return bound_interval(automaton, selects, expr),
        Expr::Var(var) => {
            let var = &automaton.ints()[*var];
            (var.low.into(), var.high.into())
        }
        Expr::Select(position) => {
            let select = &selects[*position as usize];
            (select.low.into(), select.high.into())
        }
        Expr::Unary(UnaryOp::Neg, part) => negated(of(part)),
        Expr::Unary(UnaryOp::Not | UnaryOp::Truth, _) => (0, 1),
        Expr::Unary(op @ UnaryOp::Plus(_), part) => return of(&op.written_out(part)),
        Expr::Cond(_, then, other) => {
            let (a, b) = (of(then), of(other));
            return (a.0.min(b.0), a.1.max(b.1));
        }
        Expr::Binary(op, left, right) => match op {
            BinaryOp::Add => corners(of(left), of(right), |a, b| a + b),
            BinaryOp::Sub => corners(of(left), of(right), |a, b| a - b),
            BinaryOp::Mul => corners(of(left), of(right), |a, b| a * b),
            BinaryOp::Min => corners(of(left), of(right), i128::min),
            BinaryOp::Max => corners(of(left), of(right), i128::max),
            BinaryOp::Div | BinaryOp::Rem => {
                let (low, high) = of(left);
                let most = low.abs().max(high.abs());
                return (-most, most);
            }
            BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor | BinaryOp::Shl | BinaryOp::Shr | BinaryOp::Pow => {
                return ANY;
            }
            _ => (0, 1),
        },
    };
    match (i32::try_from(low), i32::try_from(high)) {
        (Ok(low), Ok(high)) => (low.into(), high.into()),
        _ => ANY,
    }
}

fn negated((low, high): (i64, i64)) -> (i128, i128) {
    (-i128::from(high), -i128::from(low))
}

/// The least and the greatest value of `op` on two intervals, which it takes at their ends.
fn corners(a: (i64, i64), b: (i64, i64), op: fn(i128, i128) -> i128) -> (i128, i128) {
    let values = [(a.0, b.0), (a.0, b.1), (a.1, b.0), (a.1, b.1)].map(|(x, y)| op(x.into(), y.into()));
    let low = values.iter().copied().min().unwrap_or(0);
    let high = values.iter().copied().max().unwrap_or(0);
    (low, high)
}

#[cfg(test)]
mod tests;

//! Guidelines for the operators beyond the six: mutants that are useless by syntax.
//!
//! Stronger and weaker are decided over all values that integers and select variables may have, not only over the values
//! that occur in a run. The proofs are in `docs/notes/0013-other-operators.md`.

use super::removable::{is_removable_output, only_removable_outputs_enter};
use super::rule::Rule;
use crate::model::{
    Automaton, ClockId, Cmp, Edge, EdgeId, Expr, Guard, IntId, Role, Select, Update, Urgency, Valuation,
};
use crate::mutation::{Alteration, AlteredPart, Site};

/// Most valuations on which two conditions are compared.
const MOST_VALUATIONS: u64 = 4096;

/// The rule that names the alteration, if one does. Linear in the automaton and the valuations that are compared.
pub(super) fn violated(automaton: &Automaton, alteration: &Alteration) -> Option<Rule> {
    match (*alteration, alteration.part()) {
        (_, AlteredPart::Constraint(site)) => constraint(automaton, alteration, site),
        (Alteration::Urgency { urgency, .. }, _) => {
            (urgency != Urgency::Normal && !automaton.is_atomic()).then_some(Rule::G4)
        }
        (Alteration::Channel { action }, _) => (!automaton.actions()[action].urgent).then_some(Rule::G4),
        (Alteration::Direction { edge }, _) => {
            (is_removable_output(automaton, edge) && !automaton.is_input_enabled()).then_some(Rule::G5)
        }
        (Alteration::DropUpdate { edge, update }, _) => {
            let variable = match &automaton.edges()[edge].updates[update as usize] {
                Update::Reset(clock, _) => AssignedVariable::Clock(*clock),
                Update::Assign(int, _) => AssignedVariable::Int(*int),
            };
            is_idle_after(automaton, edge, variable).then_some(Rule::G6)
        }
        (Alteration::Reset { edge, clock }, _) => {
            is_idle_after(automaton, edge, AssignedVariable::Clock(clock)).then_some(Rule::G6)
        }
        _ => None,
    }
}

/// Whether the new constraint implies the old one (`stronger`), and the old one the new one (`weaker`).
#[derive(Clone, Copy)]
struct ConstraintRelation {
    stronger: bool,
    weaker: bool,
}

fn constraint(automaton: &Automaton, alteration: &Alteration, site: Site) -> Option<Rule> {
    let change = change(automaton, alteration, site)?;
    match site {
        Site::Guard(edge) if automaton.role(edge) == Role::Input => {
            (change.weaker && !automaton.is_input_enabled()).then_some(Rule::G1)
        }
        Site::Guard(edge) => (change.stronger && is_removable_output(automaton, edge)).then_some(Rule::G2),
        Site::Invariant(location) => {
            (change.stronger && only_removable_outputs_enter(automaton, location)).then_some(Rule::G3)
        }
    }
}

fn change(automaton: &Automaton, alteration: &Alteration, site: Site) -> Option<ConstraintRelation> {
    let weaker = ConstraintRelation {
        stronger: false,
        weaker: true,
    };
    Some(match *alteration {
        Alteration::DropGuard { .. } | Alteration::DropInvariant { .. } | Alteration::DropAtom { .. } => weaker,
        Alteration::NeverGuard { .. } => ConstraintRelation {
            stronger: true,
            weaker: false,
        },
        Alteration::Comparison { atom, cmp, .. } => {
            let old = guard_at(automaton, site).0.clocks[atom as usize].cmp;
            ConstraintRelation {
                stronger: implies(cmp, old),
                weaker: implies(old, cmp),
            }
        }
        Alteration::Extra { .. } | Alteration::Expression { .. } => expression(automaton, alteration, site)?,
        _ => return None,
    })
}

/// Whether every value that satisfies the first comparison satisfies the second one, too.
fn implies(first: Cmp, second: Cmp) -> bool {
    use Cmp::{Eq, Ge, Gt, Le, Lt};
    first == second || matches!((first, second), (Lt | Eq, Le) | (Gt | Eq, Ge))
}

fn guard_at(automaton: &Automaton, site: Site) -> (&Guard, &[Select]) {
    match site {
        Site::Guard(edge) => {
            let edge = &automaton.edges()[edge];
            (&edge.guard, &edge.selects)
        }
        Site::Invariant(location) => (&automaton.locations()[location].invariant, &[]),
    }
}

/// The change of an integer condition or of a bound, over all values of the variables; `None` if these are too many or an
/// expression has no value.
fn expression(automaton: &Automaton, alteration: &Alteration, site: Site) -> Option<ConstraintRelation> {
    let mutant = alteration.apply(automaton);
    let ((old, selects), (new, _)) = (guard_at(automaton, site), guard_at(&mutant, site));
    let mut change = ConstraintRelation {
        stronger: true,
        weaker: new.clocks.len() == old.clocks.len(),
    };
    for (ints, selects) in valuations(automaton, selects)? {
        let at = Valuation {
            ints: &ints,
            selects: &selects,
        };
        let (before, after) = (holds(old, at)?, holds(new, at)?);
        change.stronger &= before || !after;
        change.weaker &= after || !before;
        for (old, new) in old.clocks.iter().zip(&new.clocks) {
            let (before, after) = (old.bound.bound(at).ok()?, new.bound.bound(at).ok()?);
            let (stronger, weaker) = match old.cmp {
                Cmp::Lt | Cmp::Le => (after <= before, after >= before),
                Cmp::Ge | Cmp::Gt => (after >= before, after <= before),
                Cmp::Eq => (after == before, after == before),
            };
            change.stronger &= stronger;
            change.weaker &= weaker;
        }
        // If the bound of an additional constraint has no value, nothing is known about the change.
        for extra in new.clocks.iter().skip(old.clocks.len()) {
            extra.bound.bound(at).ok()?;
        }
    }
    Some(change)
}

fn holds(guard: &Guard, at: Valuation<'_>) -> Option<bool> {
    let mut all = true;
    for condition in &guard.data {
        all &= condition.eval(at).ok()? != 0;
    }
    Some(all)
}

/// All valuations of the integers and of the select variables; `None` if they are too many.
fn valuations(automaton: &Automaton, selects: &[Select]) -> Option<Vec<(Vec<i32>, Vec<i32>)>> {
    let ints = automaton.ints().iter().map(|var| (var.low, var.high));
    let ranges: Vec<(i32, i32)> = ints
        .chain(selects.iter().map(|select| (select.low, select.high)))
        .collect();
    let mut n_all = 1_u64;
    for (low, high) in &ranges {
        let n = u64::try_from(i64::from(*high) - i64::from(*low) + 1).ok()?;
        n_all = n_all.checked_mul(n).filter(|n| *n <= MOST_VALUATIONS)?;
    }
    let mut all = vec![Vec::new()];
    for (low, high) in ranges {
        let longer = |row: Vec<i32>| (low..=high).map(move |value| [&row[..], &[value]].concat());
        all = all.into_iter().flat_map(longer).collect();
    }
    let n_ints = automaton.ints().len();
    Some(
        all.into_iter()
            .map(|row| (row[..n_ints].to_vec(), row[n_ints..].to_vec()))
            .collect(),
    )
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum AssignedVariable {
    Clock(ClockId),
    Int(IntId),
}

impl AssignedVariable {
    fn is_in(self, expr: &Expr) -> bool {
        let mut found = false;
        expr.walk(&mut |part| found |= matches!((self, part), (Self::Int(own), Expr::Var(int)) if own == *int));
        found
    }

    fn is_read_by(self, guard: &Guard) -> bool {
        let is_compared = |clock: ClockId| self == Self::Clock(clock);
        guard.data.iter().any(|condition| self.is_in(condition))
            || guard
                .clocks
                .iter()
                .any(|atom| is_compared(atom.left) || atom.right.is_some_and(is_compared) || self.is_in(&atom.bound))
    }

    fn is_read_by_updates(self, edge: &Edge) -> bool {
        edge.updates.iter().any(|update| match update {
            Update::Reset(_, value) | Update::Assign(_, value) => self.is_in(value),
        })
    }

    fn is_set_by(self, edge: &Edge) -> bool {
        edge.updates.iter().any(|update| match update {
            Update::Reset(clock, _) => self == Self::Clock(*clock),
            Update::Assign(int, _) => self == Self::Int(*int),
        })
    }
}

/// Whether nothing reads the variable from the edge's target on before it is set again, and no update of the edge does, along
/// the edges as they stand, whether or not a run takes them.
fn is_idle_after(automaton: &Automaton, edge: EdgeId, variable: AssignedVariable) -> bool {
    let edge = &automaton.edges()[edge];
    if variable.is_read_by_updates(edge) {
        return false;
    }
    let mut seen = vec![edge.target];
    let mut at = 0;
    while let Some(location) = seen.get(at).copied() {
        at += 1;
        if variable.is_read_by(&automaton.locations()[location].invariant) {
            return false;
        }
        for next in automaton.edges().iter().filter(|edge| edge.source == location) {
            if variable.is_read_by(&next.guard) || variable.is_read_by_updates(next) {
                return false;
            }
            // After an edge that sets the variable, the target's invariant reads the new value: the search ends there.
            if !variable.is_set_by(next) && !seen.contains(&next.target) {
                seen.push(next.target);
            }
        }
    }
    true
}

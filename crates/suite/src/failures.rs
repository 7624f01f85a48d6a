//! Ways in which a run shows the mutant in one pair: an output that the specification does not allow, an input that it accepts and
//! the mutant refuses, and silence after the specification can no longer be silent.

use super::pairing::{Pair, Pairing};
use tamper_game::symbolic::{Move, PairProduct as _};
use tamper_zones::{Dbm, Federation};

/// A way in which a run shows the mutant.
#[derive(Clone, Copy, Debug)]
pub(super) enum MutantFailure<'p> {
    /// The mutant makes this output.
    Output(&'p Move),
    /// The mutant refuses this input of the specification.
    Refused(&'p Move),
    /// The mutant lets more time pass than the specification can.
    Overdue,
}

/// The failures of a pair, each with its points among the `reached` ones (both states exist there); for silence also with the later
/// points at which it is overdue.
pub(super) fn failures<'p>(
    pairing: &'p Pairing<'_>,
    pair: Pair,
    reached: &Dbm,
) -> Vec<(MutantFailure<'p>, Federation)> {
    let mut found = Vec::new();
    let mut note = |failure, points: Federation| {
        if !points.is_empty() {
            found.push((failure, points));
        }
    };
    for step in pairing.outputs(pair) {
        let mut points = Federation::from(reached.clone());
        points.intersect(&pairing.mutant_enabled(step));
        for allowed in pairing.spec_moves(pair, step) {
            points.subtract(&pairing.spec_enabled(allowed));
        }
        note(MutantFailure::Output(step), points);
    }
    for step in pairing.inputs(pair) {
        let mut points = Federation::from(reached.clone());
        points.intersect(&pairing.spec_enabled(step));
        for accepted in pairing.mutant_moves(pair, step) {
            points.subtract(&pairing.mutant_enabled(accepted));
        }
        note(MutantFailure::Refused(step), points);
    }
    if let Some(points) = overdue(pairing, pair, reached) {
        note(MutantFailure::Overdue, points);
    }
    found
}

/// The points at which silence from `reached` is overdue. If the specification lets no time pass at all, these are the points of
/// `reached` from which the mutant can wait.
fn overdue(pairing: &Pairing<'_>, pair: Pair, reached: &Dbm) -> Option<Federation> {
    let (spec_waits, mutant_waits) = pairing.may_delay(pair);
    if !mutant_waits {
        return None;
    }
    let mutant = pairing.mutant_alive(pair)?;
    if !spec_waits {
        let mut points = Federation::from(mutant).delayable();
        points.intersect_dbm(reached);
        return Some(points);
    }
    let mut later = reached.clone();
    later.up();
    if !later.intersect(&mutant) {
        return None;
    }
    let mut points = Federation::from(later);
    points.subtract_dbm(&pairing.spec_alive(pair)?);
    Some(points)
}

//! What was allowed where a log left the specification.

use num_rational::BigRational;

use super::record::Record;
use super::search::{State, now};
use crate::suite::drive::Allowed;
use crate::suite::opponent::Opponent;
use crate::suite::single::Stage as _;
use crate::symbolic::zone_ops;
use crate::zones::{Bound, Clock};

/// The outputs of `states`, which are those behind `record`, and when.
pub(super) fn allowed(opponent: &Opponent, states: &[State], record: &Record) -> Vec<Allowed> {
    let time = |units: i64| BigRational::new(units.into(), record.scale.into());
    let mut all = Vec::new();
    for State { place, zone } in states {
        let view = opponent.view(place);
        for step in view
            .moves
            .iter()
            .filter(|step| step.is_output && step.label.ends_with('!'))
        {
            for taken in step
                .enabled
                .iter()
                .filter_map(|enabled| zone_ops::restricted(zone, enabled))
            {
                let (low, high) = (taken.bound(Clock::ZERO, now()), taken.bound(now(), Clock::ZERO));
                let from = -low.constant();
                all.push(Allowed {
                    action: step.label.clone(),
                    from: (from > record.until || low.is_strict()).then(|| (time(from), low.is_strict())),
                    by: (high != Bound::INFINITY).then(|| (time(high.constant()), high.is_strict())),
                });
            }
        }
    }
    Allowed::joined(all)
}

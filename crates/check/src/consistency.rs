//! Consistent and inconsistent states of one game.
//!
//! The *consistent* states are the greatest set X of states such that from each of them every possible input leads into X, and some
//! output leads into X, or time passes inside X for ever or until an output leads into X. Hence
//! - each set that satisfies these conditions contains consistent states only ([`check_consistent`]), and
//! - states that violate them whatever X is, but for states that are inconsistent already, are inconsistent ([`check_inconsistent`];
//!   by induction on the order of the lines).

use std::rc::Rc;

use crate::certificate::{Consistent, Inconsistent, Loss, Progress};
use crate::fault::{Fault, Limit};
use crate::game::{Game, Move};
use crate::zone::Zone;

/// Sets of states of a game, per node.
pub struct States {
    /// The zones of each node.
    pub zones: Vec<Vec<Zone>>,
}

impl States {
    /// No states.
    pub fn none(game: &Game) -> Self {
        let zones = game.nodes.iter().map(|_| Vec::new()).collect();
        Self { zones }
    }
    /// All states that exist.
    pub fn existing(game: &Game) -> Self {
        let zones = game.nodes.iter().map(|node| node.existing.iter().cloned().collect());
        Self { zones: zones.collect() }
    }
    /// The states of a certificate.
    pub fn consistent(stated: &[Rc<Vec<Consistent>>]) -> Self {
        let zones = stated
            .iter()
            .map(|stated| stated.iter().map(|stated| stated.zone.clone()).collect());
        Self { zones: zones.collect() }
    }
    /// Whether the game starts in one of them.
    pub fn have_start(&self, game: &Game, limit: &mut Limit) -> Result<bool, Fault> {
        Zone::zero(game.clocks.len()).is_within(&self.zones[0], limit)
    }
    /// The valuations from which `step` leads to one of them; its guard is not asked.
    ///
    /// # Errors
    /// The limit.
    pub fn before(&self, step: &Move, limit: &mut Limit) -> Result<Vec<Zone>, Fault> {
        let zones = self.zones[step.target].iter();
        limit.steps(zones.len())?;
        Ok(zones.filter_map(|zone| zone.before(&step.resets)).collect())
    }
    /// The valuations from which `step` is possible and leads to one of them.
    fn possibly_before(&self, step: &Move, limit: &mut Limit) -> Result<Vec<Zone>, Fault> {
        let before = self.before(step, limit)?.into_iter();
        Ok(before.filter_map(|zone| zone.restricted(&step.guard)).collect())
    }
}

/// The part of `zone` from which `step` is possible: its guard holds, and the state to which it leads exists.
pub fn possible(game: &Game, zone: &Zone, step: &Move) -> Option<Zone> {
    let before = game.nodes[step.target].existing.as_ref()?.before(&step.resets)?;
    zone.meet(&before)?.restricted(&step.guard)
}

/// Checks that all states of `stated` in the `asked` nodes are consistent, provided that those in the other nodes are. Returns all of
/// them.
///
/// # Errors
/// The first line that is wrong, or the limit.
pub fn check_consistent(
    game: &Game,
    stated: &[Rc<Vec<Consistent>>],
    asked: &[bool],
    limit: &mut Limit,
) -> Result<States, Fault> {
    let all = States::consistent(stated);
    for (node, stated) in stated.iter().enumerate().filter(|(node, _)| asked[*node]) {
        let existing = game.nodes[node].existing.as_slice();
        for (at, Consistent { line, zone, progress }) in stated.iter().enumerate() {
            let fault = |because: &str| Err(Fault::at(*line, because));
            if !zone.is_within(existing, limit)? {
                return fault("the invariant does not hold in all of these states");
            }
            for step in game.moves(node, true) {
                if let Some(posed) = possible(game, zone, step)
                    && !posed.is_within(&all.before(step, limit)?, limit)?
                {
                    return fault(&format!(
                        "the input {} leads out of the consistent states",
                        game.action(step).name
                    ));
                }
            }
            let may_wait = !game.nodes[node].is_urgent;
            let goes_on = match progress {
                Progress::Output => {
                    let mut outputs = Vec::new();
                    for step in game.moves(node, false) {
                        outputs.extend(all.possibly_before(step, limit)?);
                    }
                    zone.is_within(&outputs, limit)?
                }
                Progress::Forever => may_wait && zone.later().is_within(&all.zones[node], limit)?,
                // Earlier lines do not need this line, so delays come to an end.
                Progress::Delay(until) => {
                    may_wait
                        && until.is_within(&all.zones[node][..at], limit)?
                        && waits_within(zone, until, &all.zones[node], limit)?
                }
            };
            if !goes_on {
                return fault("it does not go on in the way that is stated");
            }
        }
    }
    Ok(all)
}

/// Whether time leads from each valuation of `zone` into `until`, and before that through `path` only. (On its way a valuation passes
/// only what lies between two of these zones, and a zone contains all that lies between two of its valuations.)
pub fn waits_within(zone: &Zone, until: &Zone, path: &[Zone], limit: &mut Limit) -> Result<bool, Fault> {
    let Some(before) = until.earlier() else {
        return Ok(false);
    };
    let Some(between) = zone.later().meet(&before) else {
        return Ok(false);
    };
    let arrives = zone.is_within(&[before], limit)?;
    Ok(arrives && between.is_within(path, limit)?)
}

/// The valuations that come after `zone` has met one of `ends`; no valuation of `zone` is in one of `ends`.
///
/// A valuation after a common one of `ends` and of what follows `zone` was itself preceded by it: the zone is convex and disjoint
/// from the end, so that the end lies behind each of its valuations on that line.
pub fn after_an_end(zone: &Zone, ends: &[Zone]) -> Vec<Zone> {
    let met = ends.iter().filter_map(|end| end.meet(&zone.later()));
    met.map(|met| met.later()).collect()
}

/// Checks that all states of `stated` in the `asked` nodes are inconsistent, provided that those in the other nodes are. Returns those in
/// `reachable` nodes.
///
/// # Errors
/// The first line that is wrong, or the limit.
pub fn check_inconsistent(
    game: &Game,
    stated: &[Inconsistent],
    (reachable, asked): (&[bool], &[bool]),
    limit: &mut Limit,
) -> Result<States, Fault> {
    let mut known = States::none(game);
    for Inconsistent { line, node, zone, loss } in stated.iter().filter(|stated| reachable[stated.node]) {
        let fault = |because: &str| Err(Fault::at(*line, because));
        match loss {
            _ if !asked[*node] => {}
            Loss::Input => {
                let mut losing = Vec::new();
                for step in game.moves(*node, true) {
                    let before = known.before(step, limit)?;
                    losing.extend(before.iter().filter_map(|before| possible(game, before, step)));
                }
                if !zone.is_within(&losing, limit)? {
                    return fault("not every one of these states has an input that leads to an inconsistent one");
                }
            }
            Loss::Stuck => check_stuck(game, &known, (*node, zone), *line, limit)?,
        }
        known.zones[*node].push(zone.clone());
    }
    Ok(known)
}

fn check_stuck(
    game: &Game,
    known: &States,
    (node, zone): (usize, &Zone),
    line: usize,
    limit: &mut Limit,
) -> Result<(), Fault> {
    let fault = |because: &str| Err(Fault::at(line, because));
    let Some(existing) = &game.nodes[node].existing else {
        return Ok(());
    };
    let may_wait = !game.nodes[node].is_urgent;
    let lost = &known.zones[node];
    limit.steps(lost.len())?;
    if lost.iter().any(|lost| lost.meet(zone).is_some()) {
        return fault("some of these states are known to be inconsistent");
    }
    let later = if may_wait { zone.later() } else { zone.clone() };
    if may_wait && !existing.is_bounded() {
        let ends: Vec<Zone> = lost.iter().filter_map(Zone::earlier).collect();
        if !zone.is_within(&ends, limit)? {
            return fault("time passes for ever from some of these states");
        }
    }
    let after = if may_wait { after_an_end(zone, lost) } else { Vec::new() };
    let Some(later) = later.meet(existing) else {
        return Ok(());
    };
    for step in game.moves(node, false) {
        if let Some(possible) = possible(game, &later, step) {
            let mut useless = known.before(step, limit)?;
            useless.extend(after.iter().cloned());
            useless.extend(lost.iter().cloned());
            if !possible.is_within(&useless, limit)? {
                let name = &game.action(step).name;
                return fault(&format!(
                    "the output {name} may lead to a consistent state before time ends"
                ));
            }
        }
    }
    Ok(())
}

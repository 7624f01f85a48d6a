//! Steps to the parts of states ([`super::urgent`]): a part is entered with the clock values that it has.

use std::sync::Arc;

use super::atoms::Atoms;
use super::moves::{CombinedMove, MoveEffect, MoveGenerator, State};
use super::urgent::{StatePart, parts};
use tamper_zones::Dbm;

impl MoveGenerator<'_> {
    /// The part of the initial state `state` in which runs start, with its invariant.
    pub fn start(&mut self, state: Arc<State>, invariant: Option<Arc<Atoms>>) -> (Arc<State>, Option<Arc<Atoms>>) {
        let dim = self.network.clocks.len() + 1;
        let parts = self.parts_of(&state);
        let is_entered = |part: &StatePart| part.entry.restrict(&mut Dbm::zero(dim));
        let at = parts.iter().position(is_entered).expect("the parts have all values");
        let invariant = invariant.and_then(|invariant| invariant.and_all(&parts[at].until));
        (in_part(&state, at), invariant.map(Arc::new))
    }

    /// `moves`, each once per part of its target.
    pub fn by_parts(&mut self, moves: Vec<CombinedMove>) -> Vec<CombinedMove> {
        let mut list = Vec::with_capacity(moves.len());
        for step in moves {
            // A broadcast that no process hears changes nothing.
            let Some(effect) = step.effect.as_ref().ok().filter(|_| !step.parts.is_empty()) else {
                list.push(step);
                continue;
            };
            let parts = self.parts_of(&effect.target);
            list.extend(parts.iter().enumerate().filter_map(|(at, part)| {
                let entry = part.entry.before(&effect.resets)?;
                Some(CombinedMove {
                    guard: Arc::new(step.guard.and_all(&entry)?),
                    effect: Ok(MoveEffect {
                        target: in_part(&effect.target, at),
                        resets: Arc::clone(&effect.resets),
                        invariant: Arc::new(effect.invariant.and_all(&part.until)?),
                    }),
                    ..step.clone()
                })
            }));
        }
        list
    }

    /// The parts of `state`; the whole where they have no meaning, which a run that gets there tells.
    fn parts_of(&mut self, state: &Arc<State>) -> Arc<[StatePart]> {
        if let Some(known) = self.state_parts.get(state) {
            return Arc::clone(known);
        }
        let conditions = match self.has_parts {
            true => self.ready(state).map(|ready| {
                let all = self.urgent_synchronisations(&ready).into_iter();
                all.flat_map(|(_, cases)| cases).collect()
            }),
            false => Ok(Vec::new()),
        };
        let found = conditions.ok().and_then(parts);
        let found: Arc<[StatePart]> = found.unwrap_or_else(|| vec![StatePart::default()]).into();
        self.state_parts.insert(Arc::clone(state), Arc::clone(&found));
        found
    }
}

/// `state` in its part of that number.
fn in_part(state: &Arc<State>, at: usize) -> Arc<State> {
    match at {
        0 => Arc::clone(state),
        _ => Arc::new(State {
            part: u32::try_from(at).expect("few parts"),
            ..State::clone(state)
        }),
    }
}

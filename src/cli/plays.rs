//! Counterexamples to be played on a page.

use anyhow::Result;
use serde_json::Value;

use super::mutated::Mutated;
use tamper::experiment::{Component, MutantSet, Numbered, Plan, Timer};
use tamper::game::Specification;
use tamper::model::Automaton;
use tamper::network::State;
use tamper::report::{PlayedGames, RunPage};

/// The game that mutants are played against.
pub struct Stage {
    specification: Specification,
    /// The composition of a network; each of its locations is drawn as these parts.
    composed: Option<(Automaton, Vec<Vec<usize>>)>,
    timer: Timer,
}

impl Stage {
    /// The stage for the mutants of `page`; `None` if hidden steps leave it open which run a play is.
    pub fn of(mutated: &Mutated, plan: &Plan, page: &RunPage) -> Result<Option<Self>> {
        let timer = Timer::new(plan.limits);
        let prepare = |game: &Automaton| Specification::prepare(game, plan.semantics, &timer.budget());
        let (specification, composed) = match mutated {
            Mutated::Game(of) => (prepare(of.game()?)?, None),
            Mutated::Network(of) => {
                let composed = of.composition(&timer)?.composed;
                if composed.has_hidden {
                    return Ok(None);
                }
                let places = places(&composed.discrete, &of.components, page);
                (prepare(&composed.automaton)?, Some((composed.automaton, places)))
            }
        };
        Ok(Some(Self {
            specification,
            composed,
            timer,
        }))
    }

    /// The counterexample of `mutant` of `set`; `None` without one, or if a limit hides it.
    pub fn play(&self, set: &dyn MutantSet, mutated: &Mutated, mutant: &Numbered) -> Option<Value> {
        let game = set.game(mutant, &self.timer).ok()?;
        let found = self.specification.counterexample(&game, &self.timer.budget());
        let counterexample = found.ok()?.counterexample()?;
        let games = match (mutated, &self.composed) {
            (Mutated::Game(of), _) => PlayedGames::of_game(of.game().ok()?, &mutant.mutations),
            (Mutated::Network(_), composed) => {
                let (composed, places) = composed.as_ref()?;
                PlayedGames::of_composition(composed, places.clone(), &game)
            }
        };
        Some(games.play(&counterexample))
    }
}

/// The parts of the page that each of these states of a network is in.
fn places(states: &[State], components: &[Component], page: &RunPage) -> Vec<Vec<usize>> {
    let of_component = |state: &State, at: usize| {
        let processes = components[at].processes.iter();
        let part = |process: &usize| page.location_part(at, state.locations[*process] as usize);
        processes.map(part).collect::<Vec<_>>()
    };
    let of_state = |state: &State| (0..components.len()).flat_map(|at| of_component(state, at)).collect();
    states.iter().map(of_state).collect()
}

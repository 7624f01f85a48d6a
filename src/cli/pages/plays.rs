//! Counterexamples to be played on a page.

use std::sync::Arc;

use anyhow::Result;
use serde_json::Value;

use tamper::experiment::{Component, MutantSet, Numbered, Plan, Timer};
use tamper::game::Specification;
use tamper::model::Automaton;
use tamper::network::{Composed, State};
use tamper::report::{PlayedGames, RunPage};

/// The game that mutants are played against.
pub struct PlayedSpecification {
    specification: Specification,
    /// The parts that each location of a composition is drawn as.
    places: Option<Vec<Vec<usize>>>,
    timer: Timer,
}

impl PlayedSpecification {
    /// For mutants of a lone game.
    pub fn of_game(game: &Automaton, plan: &Plan) -> Result<Self> {
        Self::new(game, None, plan)
    }

    /// For mutants of a network that is composed so; `None` where hidden steps leave it open which run a game made.
    pub fn of_composition(
        composed: Composed,
        components: &[Component],
        plan: &Plan,
        page: &RunPage,
    ) -> Result<Option<Self>> {
        if composed.has_hidden {
            return Ok(None);
        }
        let places = places(&composed.discrete, components, page);
        Self::new(&composed.automaton, Some(places), plan).map(Some)
    }

    fn new(game: &Automaton, places: Option<Vec<Vec<usize>>>, plan: &Plan) -> Result<Self> {
        let timer = Timer::new(plan.limits);
        Ok(Self {
            specification: Specification::prepare(game, plan.semantics, &timer.budget())?,
            places,
            timer,
        })
    }

    /// The counterexample of `mutant` of `set`; `None` where it has none, or a limit hides it.
    pub fn play(&self, set: &dyn MutantSet, mutant: &Numbered) -> Option<Value> {
        let game = set.game(mutant, &self.timer).ok()?;
        let found = self.specification.counterexample(&game, &self.timer.budget());
        let counterexample = found.ok()?.counterexample()?;
        let original = self.specification.automaton();
        let games = match &self.places {
            None => PlayedGames::of_game(original, &mutant.mutations),
            Some(places) => PlayedGames::of_composition(original, places.clone(), &game),
        };
        Some(games.play(&counterexample))
    }
}

/// The parts of the page that each of these states of a network is in.
fn places(states: &[Arc<State>], components: &[Component], page: &RunPage) -> Vec<Vec<usize>> {
    let of_component = |state: &State, at: usize| {
        let processes = components[at].processes.iter();
        let part = |process: &usize| page.location_part(at, state.locations[*process] as usize);
        processes.map(part).collect::<Vec<_>>()
    };
    let of_state = |state: &Arc<State>| (0..components.len()).flat_map(|at| of_component(state, at)).collect();
    states.iter().map(of_state).collect()
}

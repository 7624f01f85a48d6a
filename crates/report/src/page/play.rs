//! A counterexample as the page plays it: the locations and clock values of both games at each step.

use serde_json::{Value, json};

use super::touched::Origins;
use tamper_game::{Counterexample, Demand, Doing, End, GamePoint, PairPoint, Play, Side};
use tamper_text::Id as _;
use tamper_timed::model::{Automaton, EdgeId, LocId};
use tamper_timed::mutation::Mutation;

/// The game that a page draws, and the way back to it from the locations and edges of a counterexample's two games.
pub struct PlayedGames {
    spec: Played,
    mutant: Played,
}

/// One of the two games.
struct Played {
    /// The names of its clocks and integers.
    names: Vec<String>,
    /// The drawn parts that its parts correspond to; `None` if its locations are not drawn.
    origins: Option<Origins>,
    /// The parts that are drawn for each location, if locations are not parts themselves.
    places: Vec<Vec<usize>>,
}

impl PlayedGames {
    /// A game and the mutant that `mutations` make of it.
    pub fn of_game(game: &Automaton, mutations: &[Mutation]) -> Self {
        let mut origins = Origins::of(game);
        let mut mutant = game.clone();
        for mutation in mutations {
            origins.apply(&mutant, mutation);
            mutant = mutation.apply(&mutant);
        }
        Self {
            spec: Played::drawn(game, Origins::of(game)),
            mutant: Played::drawn(&mutant, origins),
        }
    }

    /// A composed game, whose locations are each drawn as these parts, and a mutant of it, which is not drawn.
    pub fn of_composition(composed: &Automaton, places: Vec<Vec<usize>>, mutant: &Automaton) -> Self {
        let named = |automaton, places| Played {
            names: names(automaton),
            origins: None,
            places,
        };
        Self {
            spec: named(composed, places),
            mutant: named(mutant, Vec::new()),
        }
    }

    /// The forced part of `counterexample`, moment by moment: first the start, then each step.
    ///
    /// For both games, a moment has the parts where the game is, the edges that led there, and the values of clocks and integers just
    /// before and after the step.
    pub fn play(&self, counterexample: &Counterexample) -> Value {
        let Play { steps, end } = &counterexample.play;
        let start = counterexample.play.start();
        let mut moments = vec![json!({
            "step": "",
            "spec": self.spec.moment(&start.spec, &start.spec, None),
            "mutant": self.mutant.moment(&start.mutant, &start.mutant, None),
        })];
        for (at, step) in steps.iter().enumerate() {
            let next = steps.get(at + 1).map_or_else(|| end.from(), |step| &step.demand.from);
            moments.push(self.step(&step.demand, Some(step.answer), next));
        }
        moments.push(match end {
            End::NoAnswer(demand) | End::Branch(demand, _) => self.step(demand, None, &demand.from.later(demand)),
            End::NoDelay { from, delay, .. } => {
                let mutant = from.mutant.later(delay);
                json!({
                    "step": format!("+{delay}:"),
                    "spec": self.spec.moment(&from.spec, &from.spec, None),
                    "mutant": self.mutant.moment(&mutant, &mutant, None),
                })
            }
        });
        json!({ "names": { "spec": self.spec.names, "mutant": self.mutant.names }, "moments": moments })
    }

    fn step(&self, demand: &Demand, answer: Option<Doing>, next: &PairPoint) -> Value {
        let before = demand.from.later(demand);
        let (spec, mutant) = match demand.mover {
            Side::Specification => (Some(demand.doing), answer),
            Side::Mutant => (answer, Some(demand.doing)),
        };
        // The word of records, with which a page compares it.
        let ignored = if demand.doing == Doing::Ignores {
            " (ignored)"
        } else {
            ""
        };
        json!({
            "step": format!("+{} {}{ignored}", demand.delay, demand.action),
            "spec": self.spec.moment(&before.spec, &next.spec, spec),
            "mutant": self.mutant.moment(&before.mutant, &next.mutant, mutant),
        })
    }
}

impl Played {
    fn drawn(automaton: &Automaton, origins: Origins) -> Self {
        Self {
            names: names(automaton),
            origins: Some(origins),
            places: Vec::new(),
        }
    }

    /// The game at `next`, after a step from `before`.
    fn moment(&self, before: &GamePoint, next: &GamePoint, doing: Option<Doing>) -> Value {
        let edge = match doing {
            Some(Doing::Edge(edge)) => self.edge(edge),
            Some(Doing::Ignores | Doing::Stays) | None => None,
        };
        json!({
            "at": self.location(next.location),
            "edge": edge,
            "before": values(before),
            "values": values(next),
        })
    }

    fn location(&self, location: LocId) -> Vec<usize> {
        match &self.origins {
            Some(origins) => vec![origins.location(location)],
            None => self.places.get(location.index()).cloned().unwrap_or_default(),
        }
    }

    fn edge(&self, edge: EdgeId) -> Option<usize> {
        self.origins.as_ref().map(|origins| origins.edge(edge))
    }
}

fn names(automaton: &Automaton) -> Vec<String> {
    let clocks = automaton.clocks().iter().map(|clock| clock.name.to_string());
    let ints = automaton.ints().iter().map(|int| int.name.to_string());
    clocks.chain(ints).collect()
}

fn values(point: &GamePoint) -> Vec<String> {
    let clocks = point.clocks.iter().map(ToString::to_string);
    clocks.chain(point.ints.iter().map(ToString::to_string)).collect()
}

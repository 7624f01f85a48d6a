//! Games in pieces: what is changed there is put together again without the model's own ways to change a game.

use tamper_text::Id;
use tamper_timed::model::{
    Action, Automaton, AutomatonBuilder, Clock, Edge, Guard, IntVar, LocId, Location, Propositions,
};

/// Where a constraint stands.
#[derive(Clone, Copy, Debug)]
pub enum Place {
    Invariant(usize),
    Guard(usize),
}

/// A game in pieces.
#[derive(Clone)]
pub struct Parts {
    name: String,
    pub clocks: Vec<Clock>,
    ints: Vec<IntVar>,
    pub actions: Vec<Action>,
    pub locations: Vec<Location>,
    /// The position of the initial location.
    pub initial: usize,
    pub edges: Vec<Edge>,
    input_enabled: bool,
    propositions: Propositions,
    sees_propositions: bool,
}

impl Parts {
    /// Those of a game.
    pub fn of(game: &Automaton) -> Self {
        Self {
            name: game.name().to_owned(),
            clocks: game.clocks().iter().cloned().collect(),
            ints: game.ints().iter().cloned().collect(),
            actions: game.actions().iter().cloned().collect(),
            locations: game.locations().iter().map(|location| (**location).clone()).collect(),
            initial: game.initial().index(),
            edges: game.edges().iter().map(|edge| (**edge).clone()).collect(),
            input_enabled: game.is_input_enabled(),
            propositions: (**game.propositions()).clone(),
            sees_propositions: game.sees_propositions(),
        }
    }

    /// These pieces beside those of a mutant: a run that takes an edge for which `passes` holds is in the mutant from then on.
    pub fn beside(mut self, mutant: Self, passes: impl Fn(usize, &Edge) -> bool) -> Self {
        let n = self.locations.len();
        let behind = |id: LocId| LocId::from_index(n + id.index());
        for (at, edge) in self.edges.iter_mut().enumerate() {
            if passes(at, edge) {
                edge.target = behind(edge.target);
            }
        }
        for location in mutant.locations {
            let mut name = format!("{}_again", location.name);
            while self.locations.iter().any(|known| *known.name == *name) {
                name.push('_');
            }
            let name: std::sync::Arc<str> = name.into();
            if let Some(held) = mutant.propositions.get(&location.name) {
                self.propositions.insert(name.clone(), held.clone());
            }
            self.locations.push(Location { name, ..location });
        }
        self.edges.extend(mutant.edges.into_iter().map(|edge| Edge {
            source: behind(edge.source),
            target: behind(edge.target),
            ..edge
        }));
        self.actions = mutant.actions;
        self
    }

    /// The game.
    pub fn build(self) -> Automaton {
        let mut builder = AutomatonBuilder::new(self.name);
        for clock in self.clocks {
            builder.clock(clock.name);
        }
        for int in self.ints {
            builder.int(int);
        }
        for action in self.actions {
            builder.action(&action.name, action.role, action.urgent);
        }
        for location in self.locations {
            builder.location(location);
        }
        for edge in self.edges {
            builder.edge(edge);
        }
        builder.initial(LocId::from_index(self.initial));
        builder.input_enabled(self.input_enabled);
        let game = builder.build().expect("a mutant is well-formed");
        let is_there = |name: &str| game.locations().iter().any(|location| *location.name == *name);
        let held = self.propositions.into_iter().filter(|(name, _)| is_there(name));
        let game = game.with_propositions(held.collect::<Propositions>());
        match self.sees_propositions {
            true => game.with_seen_propositions(&game),
            false => game,
        }
    }

    /// The constraint there.
    pub fn guard(&mut self, place: Place) -> &mut Guard {
        match place {
            Place::Invariant(location) => &mut self.locations[location].invariant,
            Place::Guard(edge) => &mut self.edges[edge].guard,
        }
    }
}

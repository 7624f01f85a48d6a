//! `cons`: the greatest set of states from which every possible input stays in the set, and an output or `tau` stays in it,
//! now or after some delay within the set, or time can pass for ever within the set.

use std::collections::{HashMap, HashSet};

use tamper_timed::model::Automaton;

use super::clocks::{ClockSpace, Limits, Regions, Spread, has_diagonals};
use super::play::{Place, Player};

type State<C> = (Place, <C as ClockSpace>::Point);
type Nodes<C> = HashMap<(Place, <C as ClockSpace>::Class), usize>;

/// What is known about the reachable states of one game.
pub struct Cons<C: ClockSpace> {
    /// The space of the game's own clocks.
    pub space: C,
    nodes: Nodes<C>,
    alive: Vec<bool>,
}

/// The moves of one state, as indices.
struct Node {
    inputs: Vec<usize>,
    outputs: Vec<usize>,
    /// The next state of time, if time may pass and it exists.
    later: Option<usize>,
}

impl<C: ClockSpace> Cons<C> {
    /// Explores `game` and computes `cons`.
    pub fn of(game: &Automaton, limits: Limits) -> Self {
        let space = C::of(&[game], limits);
        let (nodes, graph) = explore(game, &space);
        let mut alive = vec![true; graph.len()];
        loop {
            let stays = |index: usize| {
                alive[index] && graph[index].inputs.iter().all(|to| alive[*to]) && progresses(&graph, &alive, index)
            };
            let next: Vec<_> = (0..graph.len()).map(stays).collect();
            if next == alive {
                return Self { space, nodes, alive };
            }
            alive = next;
        }
    }

    /// Whether the state is in `cons`; it must be a reachable one.
    pub fn contains(&self, place: &Place, point: &C::Point) -> bool {
        let index = self.nodes.get(&(place.clone(), self.space.class(point)));
        self.alive[*index.expect("a state of the product is reachable in each game alone")]
    }

    /// Whether the initial state exists and is in `cons`.
    pub fn holds_initially(&self, game: &Automaton) -> bool {
        let player = Player { game, offset: 0 };
        let (place, point) = (player.start(), self.space.origin());
        player.exists(&self.space, &place, &point) && self.contains(&place, &point)
    }

    /// Number of reachable states.
    pub fn len(&self) -> usize {
        self.alive.len()
    }
}

fn explore<C: ClockSpace>(game: &Automaton, space: &C) -> (Nodes<C>, Vec<Node>) {
    let player = Player { game, offset: 0 };
    let mut nodes: Nodes<C> = HashMap::new();
    let mut queue: Vec<State<C>> = Vec::new();
    let mut graph = Vec::new();
    let initial = (player.start(), space.origin());
    if player.exists(space, &initial.0, &initial.1) {
        nodes.insert((initial.0.clone(), space.class(&initial.1)), 0);
        queue.push(initial);
    }
    while graph.len() < queue.len() {
        let (place, point) = queue[graph.len()].clone();
        let mut index = |state: State<C>| {
            *nodes
                .entry((state.0.clone(), space.class(&state.1)))
                .or_insert_with(|| {
                    queue.push(state);
                    queue.len() - 1
                })
        };
        let mut all = |inputs| -> Vec<usize> {
            let actions = player.actions(inputs);
            actions
                .flat_map(|action| player.moves(space, &place, &point, action))
                .map(&mut index)
                .collect()
        };
        let (inputs, outputs) = (all(true), all(false));
        let next = space.later(&point);
        let may_pass = !player.is_urgent(space, &place, &point) && player.exists(space, &place, &next);
        let later = may_pass.then(|| index((place.clone(), next)));
        graph.push(Node { inputs, outputs, later });
    }
    (nodes, graph)
}

/// Follows time from `start` within the set until an output, or round a cycle.
fn progresses(graph: &[Node], alive: &[bool], start: usize) -> bool {
    let mut seen = HashSet::new();
    let mut at = start;
    loop {
        if graph[at].outputs.iter().any(|to| alive[*to]) {
            return true;
        }
        if !seen.insert(at) {
            return true;
        }
        match graph[at].later {
            Some(next) if alive[next] => at = next,
            _ => return false,
        }
    }
}

/// Whether `game` is consistent.
pub fn is_consistent(game: &Automaton) -> bool {
    if has_diagonals(game) {
        is_consistent_in::<Spread>(game)
    } else {
        is_consistent_in::<Regions>(game)
    }
}

/// Whether `game` is consistent, decided in one particular abstraction.
pub fn is_consistent_in<C: ClockSpace>(game: &Automaton) -> bool {
    Cons::<C>::of(game, Limits::of(&[game])).holds_initially(game)
}

//! Killing decided on regions: an explicit finite graph, no zones, no code of the engine.
//!
//! A position is a place of the specification, one of the mutant, and a class of the clocks of both. Delays go from one
//! class to the next (see `oracle::clocks`): all valuations of a class are alike, so the tester and the mutant lose
//! nothing by acting anywhere in it. Potential killing is reachability of a failure. Definite killing is the least set of
//! positions that the tester wins: every output of the mutant there must fail or win, since the mutant may make it
//! before the tester does anything, and the tester has an input, or lets time pass, or the mutant must speak.

use std::collections::{HashMap, VecDeque};

use tamper_timed::model::Automaton;

use crate::oracle::clocks::{ClockSpace, Limits};
use crate::oracle::play::{Place, Player};

type Position<C> = (Place, Place, <C as ClockSpace>::Point);

/// Where a step leads.
#[derive(Clone, Copy)]
enum Next {
    Fails,
    To(usize),
}

struct Moves {
    /// Every output of the mutant.
    outputs: Vec<Next>,
    /// Per input of the specification: every answer of the mutant.
    inputs: Vec<Vec<Next>>,
    /// Letting time pass, if the mutant can.
    delay: Option<Next>,
    /// Whether the mutant cannot let time pass out of the class.
    held: bool,
}

/// Whether some run of the mutant fails, and whether the tester can make every run fail when it sees both states.
pub fn killable<C: ClockSpace>(mutant: &Automaton, spec: &Automaton) -> (bool, bool) {
    let graph = explore::<C>(mutant, spec);
    let potential = graph.iter().any(|moves| {
        let all = moves
            .outputs
            .iter()
            .chain(moves.inputs.iter().flatten())
            .chain(&moves.delay);
        let refused = moves.inputs.iter().any(Vec::is_empty);
        refused || all.into_iter().any(|next| matches!(next, Next::Fails))
    });
    let mut won = vec![false; graph.len()];
    loop {
        let good = |next: &Next| match next {
            Next::Fails => true,
            Next::To(position) => won[*position],
        };
        let wins = |moves: &Moves| {
            moves.outputs.iter().all(good)
                && (moves.inputs.iter().any(|answers| answers.iter().all(good))
                    || moves.delay.iter().any(good)
                    || (moves.held && !moves.outputs.is_empty()))
        };
        let after: Vec<bool> = graph.iter().map(wins).collect();
        if after == won {
            return (potential, won[0]);
        }
        won = after;
    }
}

/// The least number of actions after which something fails at once, or after waiting; none if nothing ever fails.
pub fn distance<C: ClockSpace>(mutant: &Automaton, spec: &Automaton) -> Option<usize> {
    let graph = explore::<C>(mutant, spec);
    let mut known = vec![None; graph.len()];
    let mut waiting = VecDeque::from([(0, 0)]);
    while let Some((at, steps)) = waiting.pop_front() {
        if known[at].is_some() {
            continue;
        }
        known[at] = Some(steps);
        let moves = &graph[at];
        let acts = moves.outputs.iter().chain(moves.inputs.iter().flatten());
        let mut nexts = acts.clone().chain(&moves.delay);
        if moves.inputs.iter().any(Vec::is_empty) || nexts.any(|next| matches!(next, Next::Fails)) {
            return Some(steps);
        }
        // Waiting is no step.
        if let Some(Next::To(next)) = moves.delay
            && known[next].is_none()
        {
            waiting.push_front((next, steps));
        }
        for next in acts {
            if let Next::To(next) = next
                && known[*next].is_none()
            {
                waiting.push_back((*next, steps + 1));
            }
        }
    }
    None
}

fn explore<C: ClockSpace>(mutant: &Automaton, spec: &Automaton) -> Vec<Moves> {
    let space = C::of(&[spec, mutant], Limits::of(&[spec, mutant]));
    let spec = Player { game: spec, offset: 0 };
    let mutant = Player {
        game: mutant,
        offset: spec.game.clocks().len(),
    };
    let start = (spec.start(), mutant.start(), space.origin());
    assert!(spec.exists(&space, &start.0, &start.2) && mutant.exists(&space, &start.1, &start.2));
    let mut queue: Vec<Position<C>> = vec![start];
    let key = |(s, m, point): &Position<C>| (s.clone(), m.clone(), space.class(point));
    let mut known = HashMap::from([(key(&queue[0]), 0)]);
    let mut graph = Vec::new();
    while graph.len() < queue.len() {
        let position = queue[graph.len()].clone();
        let mut index = |position: Position<C>| {
            let index = *known.entry(key(&position)).or_insert_with(|| {
                queue.push(position);
                queue.len() - 1
            });
            Next::To(index)
        };
        graph.push(moves(&space, (&spec, &mutant), &position, &mut index));
    }
    graph
}

fn moves<C: ClockSpace>(
    space: &C,
    (spec, mutant): (&Player<'_>, &Player<'_>),
    (s, m, point): &Position<C>,
    index: &mut impl FnMut(Position<C>) -> Next,
) -> Moves {
    let mut outputs = Vec::new();
    for action in mutant.actions(false) {
        for (m_next, middle) in mutant.moves(space, m, point, action) {
            let same = spec.same_action(mutant.game, action);
            let answers = same.map_or(Vec::new(), |same| spec.moves(space, s, &middle, same));
            match answers.as_slice() {
                [] => outputs.push(Next::Fails),
                [(s_next, end)] => outputs.push(index((s_next.clone(), m_next, end.clone()))),
                _ => panic!("the specification is deterministic"),
            }
        }
    }
    let mut inputs = Vec::new();
    for action in spec.actions(true) {
        for (s_next, middle) in spec.moves(space, s, point, action) {
            let same = mutant.same_action(spec.game, action);
            let answers = same.map_or(Vec::new(), |same| mutant.moves(space, m, &middle, same));
            let answers = answers.into_iter();
            inputs.push(
                answers
                    .map(|(m_next, end)| index((s_next.clone(), m_next, end)))
                    .collect(),
            );
        }
    }
    let later = space.later(point);
    let m_waits = !mutant.is_urgent(space, m, point);
    let m_leaves = m_waits && mutant.exists(space, m, &later);
    let s_waits = !spec.is_urgent(space, s, point);
    let delay = if m_waits && !s_waits && (m_leaves || space.lasts(point)) {
        Some(Next::Fails)
    } else if m_leaves && s_waits {
        let allowed = spec.exists(space, s, &later);
        Some(if allowed {
            index((s.clone(), m.clone(), later))
        } else {
            Next::Fails
        })
    } else {
        None
    };
    Moves {
        outputs,
        inputs,
        delay,
        held: !m_leaves,
    }
}

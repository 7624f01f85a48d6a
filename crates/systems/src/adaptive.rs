//! Decides whether a tester who sees the outputs can choose the inputs so that every run of the mutant fails.
//!
//! The game is played over beliefs: the sets of states that the mutant and the specification can be in after the
//! outputs seen so far. The tester gives an input, the mutant answers; the tester has won when the specification's set
//! is empty. The least fixpoint gives the plan whose longest play is shortest. Beliefs that hold an inseparable pair
//! are lost and not explored.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;

use super::antichain::NumberSet;
use super::lasting::Lasting;
use super::potential::answers;
use super::{Decision, InputId, Move, OutputId, Pair, StateId, Strategy};
use tamper_text::{Budget, Id, StopReason};

/// The states that the mutant, and the states that the specification may be in.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Belief {
    own: NumberSet,
    others: NumberSet,
}

/// An input given in a belief: every answer of the mutant with the belief after it, or `None` if the specification
/// cannot give that answer.
struct BeliefMove {
    owner: u32,
    input: InputId,
    answers: Vec<(OutputId, Option<u32>)>,
    /// The number of answers that do not lead to a win yet.
    open: usize,
}

struct BeliefGame {
    /// Every first output of the mutant, with the belief after it, or `None` if the specification cannot show that
    /// output.
    starts: Vec<(String, Option<u32>)>,
    n_beliefs: usize,
    choices: Vec<BeliefMove>,
    /// By belief: the choices that lead to it.
    before: Vec<Vec<u32>>,
}

/// Decides the game. `most` is the number of inputs of a known plan, if there is one: longer plays are not explored.
pub(super) fn adaptive(
    pair: &Pair,
    inseparable: &mut Lasting<'_>,
    most: Option<usize>,
    budget: &Budget,
) -> Decision<Strategy> {
    match explore(pair, inseparable, most, budget) {
        Ok(None) => Decision::No,
        Ok(Some(game)) => {
            let chosen = solve(game.n_beliefs, &game.before, &game.choices);
            let mut starts = game.starts.iter().filter_map(|(_, belief)| *belief);
            match starts.all(|belief| chosen[belief as usize].is_some()) {
                true => Decision::Yes(plan(&game, &chosen)),
                false => Decision::No,
            }
        }
        Err(reason) => Decision::Unknown(reason),
    }
}

/// The reachable beliefs, the initial ones first; `None` if one of the initial ones is lost. A choice that can lead to
/// a lost belief is left out.
fn explore(
    pair: &Pair,
    inseparable: &mut Lasting<'_>,
    most: Option<usize>,
    budget: &Budget,
) -> Result<Option<BeliefGame>, StopReason> {
    let mut beliefs = Beliefs::default();
    let mut game = BeliefGame {
        starts: Vec::new(),
        n_beliefs: 0,
        choices: Vec::new(),
        before: Vec::new(),
    };
    for start in pair.starts().into_iter().filter(|start| !start.own.is_empty()) {
        let mut number = None;
        if !start.others.is_empty() {
            // The starts have different outputs, so no belief occurs twice.
            let belief = Belief {
                own: start.own,
                others: start.others,
            };
            if is_lost(&belief, inseparable)? {
                return Ok(None);
            }
            number = Some(beliefs.number(belief, 0));
        }
        game.starts.push((start.seen, number));
    }
    let mut at = 0;
    while at < beliefs.met.len() {
        let depth = beliefs.met[at].1;
        for input in pair.inputs().ids().filter(|_| most.is_none_or(|most| depth < most)) {
            let after = after_input(pair, &beliefs.met[at].0, input);
            let mut known = after.iter().filter_map(|(_, belief)| belief.as_ref());
            if known.try_fold(false, |lost, belief| Ok(lost || is_lost(belief, inseparable)?))? {
                continue;
            }
            let number = |(output, belief): (OutputId, Option<Belief>)| {
                (output, belief.map(|belief| beliefs.number(belief, depth + 1)))
            };
            let answers: Vec<(OutputId, Option<u32>)> = after.into_iter().map(number).collect();
            beliefs.bytes += 64 + 16 * answers.len() as u64;
            game.choices.push(BeliefMove {
                owner: at as u32,
                input,
                open: answers.iter().filter(|(_, next)| next.is_some()).count(),
                answers,
            });
            if let Some(reason) = budget.exceeded(beliefs.met.len() as u64, beliefs.bytes) {
                return Err(reason);
            }
        }
        at += 1;
    }
    game.n_beliefs = beliefs.met.len();
    game.before = vec![Vec::new(); game.n_beliefs];
    for (number, choice) in (0..).zip(&game.choices) {
        for next in choice.answers.iter().filter_map(|(_, next)| *next) {
            game.before[next as usize].push(number);
        }
    }
    Ok(Some(game))
}

/// Whether the belief holds a pair that no tester can separate.
fn is_lost(belief: &Belief, inseparable: &mut Lasting<'_>) -> Result<bool, StopReason> {
    let state = |number: &u32| StateId::from_index(*number as usize);
    for own in &belief.own {
        for other in &belief.others {
            if inseparable.holds((state(own), state(other)))? {
                return Ok(true);
            }
        }
    }
    Ok(false)
}

/// The answers of the mutant to an input, each with the belief after it, or `None` if the specification cannot give
/// that answer.
fn after_input(pair: &Pair, belief: &Belief, input: InputId) -> Vec<(OutputId, Option<Belief>)> {
    let mut theirs = answers(pair.specification(), &belief.others, input);
    let mut mine: Vec<(OutputId, NumberSet)> = answers(pair.mutant(), &belief.own, input).into_iter().collect();
    mine.sort_unstable();
    let after =
        |(output, own): (OutputId, NumberSet)| (output, theirs.remove(&output).map(|others| Belief { own, others }));
    mine.into_iter().map(after).collect()
}

/// The beliefs met so far.
#[derive(Default)]
struct Beliefs {
    numbers: FxHashMap<Belief, u32>,
    /// The beliefs, each with the number of inputs after which it is met first.
    met: Vec<(Belief, usize)>,
    bytes: u64,
}

impl Beliefs {
    fn number(&mut self, belief: Belief, depth: usize) -> u32 {
        if let Some(known) = self.numbers.get(&belief) {
            return *known;
        }
        let number = self.met.len() as u32;
        self.bytes += 2 * (96 + 4 * (belief.own.len() + belief.others.len()) as u64);
        self.numbers.insert(belief.clone(), number);
        self.met.push((belief, depth));
        number
    }
}

/// By belief: the choice that wins in the fewest inputs, with that number; `None` if no choice wins.
fn solve(n_beliefs: usize, before: &[Vec<u32>], choices: &[BeliefMove]) -> Vec<Option<(u32, usize)>> {
    let mut chosen: Vec<Option<(u32, usize)>> = vec![None; n_beliefs];
    let mut open: Vec<usize> = choices.iter().map(|choice| choice.open).collect();
    // Won beliefs with the number of inputs that a win takes; beliefs are won in that order.
    let mut won: VecDeque<(u32, usize)> = VecDeque::new();
    let mut win = |choice: u32, depth: usize, won: &mut VecDeque<(u32, usize)>| {
        let owner = choices[choice as usize].owner;
        if chosen[owner as usize].is_none() {
            chosen[owner as usize] = Some((choice, depth));
            won.push_back((owner, depth));
        }
    };
    for choice in 0..choices.len() as u32 {
        if open[choice as usize] == 0 {
            win(choice, 1, &mut won);
        }
    }
    while let Some((belief, depth)) = won.pop_front() {
        for choice in &before[belief as usize] {
            open[*choice as usize] -= 1;
            if open[*choice as usize] == 0 {
                win(*choice, depth + 1, &mut won);
            }
        }
    }
    chosen
}

/// The moves that `chosen` makes, from the initial beliefs on.
fn plan(game: &BeliefGame, chosen: &[Option<(u32, usize)>]) -> Strategy {
    let mut beliefs: Vec<u32> = game.starts.iter().filter_map(|(_, belief)| *belief).collect();
    let mut place: FxHashMap<u32, usize> = beliefs.iter().copied().zip(0..).collect();
    let first = |(seen, belief): &(String, Option<u32>)| (seen.clone(), belief.map(|belief| place[&belief]));
    let starts: Vec<(String, Option<usize>)> = game.starts.iter().map(first).collect();
    let depths = beliefs.iter().filter_map(|belief| chosen[*belief as usize]);
    let depth = depths.map(|(_, depth)| depth).max().unwrap_or(0);
    let mut moves = Vec::new();
    let mut at = 0;
    while at < beliefs.len() {
        // Only won beliefs follow a winning choice.
        let Some((choice, _)) = chosen[beliefs[at] as usize] else {
            break;
        };
        let choice = &game.choices[choice as usize];
        let next = |(output, belief): &(OutputId, Option<u32>)| {
            let next = belief.map(|belief| {
                let fresh = beliefs.len();
                let at = *place.entry(belief).or_insert(fresh);
                if at == fresh {
                    beliefs.push(belief);
                }
                at
            });
            (*output, next)
        };
        let input = choice.input;
        moves.push(Move {
            input,
            answers: choice.answers.iter().map(next).collect(),
        });
        at += 1;
    }
    Strategy { starts, moves, depth }
}

//! Walks through a specification beside all mutants that are not killed yet.
//!
//! A *place* is a transition, or a transition right after another one: the latter is wrong in a machine with one
//! additional state, where the first leads to a copy of its target. At a place the output can be wrong, which shows
//! when the place is passed, or the target: each place has a set of wrong targets that are alive. Once a walk passes
//! the place, the mutant's own state is kept until an answer differs or the mutant is again in the state of the
//! specification. While some mutants are stray, the walk follows words that tell their states from the
//! specification's; otherwise it goes to the nearest place whose mutants are alive.

use std::collections::VecDeque;

use crate::suites::reduced::{Apart, Reduced};
use crate::trail::{self, Predecessor};

/// No transition was taken yet.
const NONE: u32 = u32::MAX;

/// A mutant in another state than the specification: its fault, its current state, and the transition it took last.
#[derive(Clone, Copy)]
pub(crate) struct StrayMutant {
    pub place: u32,
    pub target: u32,
    now: u32,
    last: u32,
}

/// A run of the specification, and the mutants in other states.
struct ParallelRun {
    state: u32,
    /// The cell it took last.
    last: u32,
    stray: Vec<StrayMutant>,
}

impl ParallelRun {
    fn new() -> Self {
        Self {
            state: 0,
            last: NONE,
            stray: Vec::new(),
        }
    }
}

/// The mutants, and which of them are alive.
pub(crate) struct ParallelWalk<'r> {
    reduced: &'r Reduced,
    apart: &'r Apart,
    /// By place: the wrong targets that were not told from the right one, in order. First the cells; then, if there are
    /// any, the pairs of a cell and an input after it.
    alive: Vec<Vec<u32>>,
    /// By place: whether it was passed, which kills the mutants with a wrong output there.
    passed: Vec<bool>,
    /// The number of mutants that are alive; the wrong outputs of a place count once.
    n_left: usize,
}

impl<'r> ParallelWalk<'r> {
    /// A walk with all mutants alive; `is_split` says whether they include the mutants with an additional state.
    pub fn new(reduced: &'r Reduced, apart: &'r Apart, is_split: bool) -> Self {
        let mut walk = Self {
            reduced,
            apart,
            alive: Vec::new(),
            passed: Vec::new(),
            n_left: 0,
        };
        for place in 0..n_places(reduced, is_split) {
            let own = reduced.next[walk.wrong(place as u32).0 as usize];
            let others: Vec<u32> = (0..reduced.n_states() as u32).filter(|state| *state != own).collect();
            walk.n_left += others.len() + 1;
            walk.alive.push(others);
            walk.passed.push(false);
        }
        walk
    }
    /// The wrong cell of a place, and the cell that must precede it, if any.
    fn wrong(&self, place: u32) -> (u32, Option<u32>) {
        let n_cells = self.reduced.next.len() as u32;
        let Some(pair) = place.checked_sub(n_cells) else {
            return (place, None);
        };
        let (before, input) = (pair / self.reduced.n_inputs as u32, pair % self.reduced.n_inputs as u32);
        let state = self.reduced.next[before as usize];
        (self.reduced.cell(state, input) as u32, Some(before))
    }
    /// The places that are passed by taking `cell` after `last`.
    fn places(&self, last: u32, cell: u32) -> impl Iterator<Item = u32> + use<> {
        let n_inputs = self.reduced.n_inputs as u32;
        let pair = (last != NONE).then(|| self.reduced.next.len() as u32 + last * n_inputs + cell % n_inputs);
        let pair = pair.filter(|place| (*place as usize) < self.alive.len());
        std::iter::once(cell).chain(pair)
    }
    /// The number of mutants that are alive.
    pub fn n_left(&self) -> usize {
        self.n_left
    }
    /// The wrong targets that are alive at the first place with some.
    pub fn first_left(&self) -> Vec<(u32, u32)> {
        let places = self.alive.iter().zip(0..);
        let mut left = places.filter(|(targets, _)| !targets.is_empty());
        let first = left.next().into_iter();
        first
            .flat_map(|(targets, place)| targets.iter().map(move |target| (place, *target)))
            .collect()
    }
    /// Walks along `word`; the mutants that it kills are no longer alive.
    pub fn walk_along(&mut self, word: impl Iterator<Item = u32>) {
        let mut walk = ParallelRun::new();
        word.for_each(|input| self.step(&mut walk, input));
    }

    /// Gives one input to the specification and all mutants.
    fn step(&mut self, walk: &mut ParallelRun, input: u32) {
        let cell = self.reduced.cell(walk.state, input) as u32;
        let (expected, next) = (self.reduced.output[cell as usize], self.reduced.next[cell as usize]);
        let passed: Vec<u32> = self.places(walk.last, cell).collect();
        let is_here = |stray: &&StrayMutant| passed.contains(&stray.place);
        let mut here: Vec<(u32, u32)> = walk
            .stray
            .iter()
            .filter(is_here)
            .map(|one| (one.place, one.target))
            .collect();
        here.sort_unstable();
        let mut stray = std::mem::take(&mut walk.stray);
        stray.retain_mut(|one| {
            let own = self.reduced.cell(one.now, input) as u32;
            if self.reduced.output[own as usize] != expected {
                self.kill(one.place, one.target);
                return false;
            }
            let (wrong, before) = self.wrong(one.place);
            let is_fault = own == wrong && before.is_none_or(|before| before == one.last);
            one.now = if is_fault {
                one.target
            } else {
                self.reduced.next[own as usize]
            };
            one.last = own;
            // If the next fault depends on the last transition, both must also agree on that one.
            let is_alike = before.is_none_or(|before| own == cell || (own != before && cell != before));
            one.now != next || !is_alike
        });
        for place in passed {
            if !std::mem::replace(&mut self.passed[place as usize], true) {
                self.n_left -= 1;
            }
            let is_fresh = |target: &&u32| here.binary_search(&(place, **target)).is_err();
            let fresh = self.alive[place as usize].iter().filter(is_fresh);
            stray.extend(fresh.map(|target| StrayMutant {
                place,
                target: *target,
                now: *target,
                last: cell,
            }));
        }
        *walk = ParallelRun {
            state: next,
            last: cell,
            stray,
        };
    }
    fn kill(&mut self, place: u32, target: u32) -> bool {
        let targets = &mut self.alive[place as usize];
        let Ok(at) = targets.binary_search(&target) else {
            return false;
        };
        targets.remove(at);
        self.n_left -= 1;
        true
    }

    /// A test of about `length` inputs that kills mutants as it passes them; and the mutants still stray at its end.
    pub fn walk(&mut self, length: usize) -> (Vec<u32>, Vec<StrayMutant>) {
        let mut walk = ParallelRun::new();
        let mut word = Vec::new();
        let n_left = self.n_left;
        let longest = length + 2 * self.reduced.n_states();
        while word.len() < longest {
            let input = match self.telling(&walk) {
                Some(input) => input,
                None if word.len() >= length && self.n_left < n_left => break,
                None => match self.towards(&walk) {
                    Some(input) => input,
                    None => break,
                },
            };
            self.step(&mut walk, input);
            word.push(input);
        }
        (word, walk.stray)
    }
    /// The input that tells the most mutants apart at once; if none does, the input that leads towards the nearest
    /// difference of the most mutants.
    fn telling(&self, walk: &ParallelRun) -> Option<u32> {
        let distance = |one: &StrayMutant| self.apart.length(walk.state, one.now);
        let least = walk.stray.iter().map(distance).filter(|length| *length > 0).min()?;
        let mut votes = vec![0_usize; self.reduced.n_inputs];
        for one in &walk.stray {
            if least == 1 {
                let answer = |state, input| self.reduced.output[self.reduced.cell(state, input)];
                let differs = |input: &u32| answer(walk.state, *input) != answer(one.now, *input);
                let telling = self.reduced.inputs().filter(differs);
                telling.for_each(|input| votes[input as usize] += 1);
            } else if distance(one) == least {
                votes[self.apart.first(walk.state, one.now) as usize] += 1;
            }
        }
        let votes = |input: &u32| (votes[*input as usize], std::cmp::Reverse(*input));
        self.reduced.inputs().max_by_key(votes)
    }
    /// The first input on a shortest way to a place with mutants that are alive, from transition to transition.
    fn towards(&self, walk: &ParallelRun) -> Option<u32> {
        let mut is_known = vec![false; self.reduced.next.len()];
        let mut agenda = VecDeque::from([(walk.last, walk.state, NONE)]);
        while let Some((last, state, first)) = agenda.pop_front() {
            for input in self.reduced.inputs() {
                let cell = self.reduced.cell(state, input) as u32;
                let first = if first == NONE { input } else { first };
                let is_wanted = |place: u32| !self.passed[place as usize] || !self.alive[place as usize].is_empty();
                if self.places(last, cell).any(is_wanted) {
                    return Some(first);
                }
                if !std::mem::replace(&mut is_known[cell as usize], true) {
                    agenda.push_back((cell, self.reduced.next[cell as usize], first));
                }
            }
        }
        None
    }

    /// Shortest words that kill the given mutants, one by one, at most `most` words. Conforming mutants are removed and
    /// counted in `n_conforming`.
    pub fn decide(&mut self, mutants: &[(u32, u32)], most: usize, n_conforming: &mut usize) -> Vec<Vec<u32>> {
        let mut words = Vec::new();
        for (place, target) in mutants {
            if words.len() == most {
                break;
            }
            if self.alive[*place as usize].binary_search(target).is_err() {
                continue;
            }
            match self.killing(*place, *target) {
                Some(word) => {
                    self.walk_along(word.iter().copied());
                    words.push(word);
                }
                None => *n_conforming += usize::from(self.kill(*place, *target)),
            }
        }
        words
    }
    /// A shortest word that kills the mutant that goes to `target` at `place`; `None` if the mutant conforms.
    fn killing(&self, place: u32, target: u32) -> Option<Vec<u32>> {
        let n_states = self.reduced.n_states();
        let (wrong, before) = self.wrong(place);
        let mut known = vec![false; 2 * n_states * n_states];
        let mut agenda: Vec<((u32, u32, bool), Predecessor<u32>)> = vec![((0, 0, false), None)];
        known[0] = true;
        let mut at = 0;
        while at < agenda.len() {
            let (right, own, is_after) = agenda[at].0;
            for input in self.reduced.inputs() {
                let (expected, mine) = (self.reduced.cell(right, input), self.reduced.cell(own, input));
                if self.reduced.output[expected] != self.reduced.output[mine] {
                    let mut word = trail::word(at, |at| agenda[at].1);
                    word.push(input);
                    return Some(word);
                }
                let is_fault = mine as u32 == wrong && (before.is_none() || is_after);
                let next = (
                    self.reduced.next[expected],
                    if is_fault { target } else { self.reduced.next[mine] },
                    before == Some(mine as u32),
                );
                let number = (next.0 as usize * n_states + next.1 as usize) * 2 + usize::from(next.2);
                if !std::mem::replace(&mut known[number], true) {
                    agenda.push((next, Some((at, input))));
                }
            }
            at += 1;
        }
        None
    }
}

/// The number of places.
pub(crate) fn n_places(reduced: &Reduced, is_split: bool) -> usize {
    let n_cells = reduced.next.len();
    if is_split {
        n_cells * (1 + reduced.n_inputs)
    } else {
        n_cells
    }
}

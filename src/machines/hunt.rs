//! Walks through a specification beside all mutants that are not killed yet.
//!
//! A *place* is a transition, or a transition of the copy of a state: the latter is wrong in a machine with one state more,
//! the copy, to which one transition leads. If that transition is a loop, the copy's loop leads to the original, so that a
//! mutant is in the copy after every second turn, or to the copy: both are mutants. At a place the output can be wrong, which
//! shows where the place is passed, or the target, which can be the copy: of these a set is alive per place. Once a walk passes
//! the place, the mutant's own state is kept until an answer differs or it is where the specification is. While some are astray
//! the walk follows words that tell their states from the specification's; otherwise it goes to the nearest place whose mutants
//! are alive.

use std::collections::VecDeque;

use super::reduced::{Apart, Reduced};
use super::trail::{self, Step};

/// In the place of a transition: none whose copied target a mutant could be in.
const NONE: u32 = u32::MAX;

/// A mutant that does something else than the specification: which one, where it is, and in the copy after which transition.
#[derive(Clone, Copy)]
pub(super) struct Astray {
    pub place: u32,
    pub target: u32,
    now: u32,
    copy: u32,
}

/// A run of the specification, and the mutants that are elsewhere.
struct Walk {
    state: u32,
    /// The cell it took last, if a mutant in which that leads to a copy is in the copy then: where the copies of loops lead to
    /// the original, and where they lead to the copy.
    copies: [u32; 2],
    astray: Vec<Astray>,
}

impl Walk {
    fn new() -> Self {
        Self {
            state: 0,
            copies: [NONE; 2],
            astray: Vec::new(),
        }
    }
}

/// What is wrong in the mutants of a place.
#[derive(Clone, Copy)]
struct Fault {
    /// The cell that is wrong.
    cell: u32,
    /// The cell that leads to a copy, in which the other one is wrong.
    before: Option<u32>,
    /// Whether the copy of a loop leads to the copy.
    stays: bool,
}

/// In the copy after which cell a mutant is, that took `cell` when it was in the one after `copy`. `stays` is as in [`Fault`].
fn copy_after(copy: u32, cell: u32, stays: bool) -> u32 {
    if copy == cell && !stays { NONE } else { cell }
}

/// Which mutants there are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Mutants {
    /// Those with a wrong transition.
    Transition,
    /// These, and those with a wrong transition in a copy that leads to no copy; of a loop the copy stays in the copy.
    Split,
    /// The others with a copy.
    Rest,
}

/// The mutants, and which of them are alive.
pub(super) struct Hunt<'r> {
    reduced: &'r Reduced,
    apart: &'r Apart,
    /// The cells that lead to where they begin, and by cell their place there.
    loops: Vec<u32>,
    loop_of: Vec<Option<u32>>,
    /// By place: the wrong targets that nothing told from the right one, in order; the number of states is the copy. First the
    /// cells; then, if there are any, the pairs of a cell and an input in the copy after it; then those of a loop whose copy
    /// stays in the copy.
    alive: Vec<Vec<u32>>,
    /// By place: whether it was passed, so that wrong outputs showed.
    passed: Vec<bool>,
    /// Mutants that are alive, wrong outputs of a place counting once.
    n_left: usize,
}

impl<'r> Hunt<'r> {
    /// All of these mutants are alive.
    pub fn new(reduced: &'r Reduced, apart: &'r Apart, mutants: Mutants) -> Self {
        let is_split = mutants != Mutants::Transition;
        let n_cells = reduced.next.len() as u32;
        let is_loop = |cell: &u32| reduced.next[*cell as usize] as usize == *cell as usize / reduced.n_inputs;
        let loops: Vec<u32> = (0..n_cells).filter(is_loop).collect();
        let mut loop_of = vec![None; n_cells as usize];
        for (cell, number) in loops.iter().zip(0..) {
            loop_of[*cell as usize] = Some(number);
        }
        let mut hunt = Self {
            reduced,
            apart,
            loops,
            loop_of,
            alive: Vec::new(),
            passed: Vec::new(),
            n_left: 0,
        };
        for place in 0..n_places(reduced, is_split) {
            let fault = hunt.fault(place as u32);
            let n_states = reduced.n_states() as u32;
            let is_own_loop = fault.stays && fault.before == Some(fault.cell);
            let own = if is_own_loop {
                n_states
            } else {
                reduced.next[fault.cell as usize]
            };
            let n_targets = n_states + u32::from(fault.before.is_some());
            let mut others: Vec<u32> = (0..n_targets).filter(|state| *state != own).collect();
            // One that no copy of a loop leaves, and whose fault leads to no copy.
            let is_plain = fault.stays
                || fault
                    .before
                    .is_none_or(|before| hunt.loop_of[before as usize].is_none());
            let is_rest = mutants == Mutants::Rest;
            others.retain(|target| (is_plain && *target < n_states) != is_rest);
            hunt.n_left += others.len() + usize::from(is_plain != is_rest);
            hunt.alive.push(others);
            hunt.passed.push(is_plain == is_rest);
        }
        hunt
    }
    fn fault(&self, place: u32) -> Fault {
        let (n_cells, n_inputs) = (self.reduced.next.len() as u32, self.reduced.n_inputs as u32);
        let Some(pair) = place.checked_sub(n_cells) else {
            return Fault {
                cell: place,
                before: None,
                stays: false,
            };
        };
        let (before, input, stays) = match pair.checked_sub(n_cells * n_inputs) {
            None => (pair / n_inputs, pair % n_inputs, false),
            Some(pair) => (self.loops[(pair / n_inputs) as usize], pair % n_inputs, true),
        };
        let state = self.reduced.next[before as usize];
        Fault {
            cell: self.reduced.cell(state, input) as u32,
            before: Some(before),
            stays,
        }
    }
    /// The state that `target` stands for where a fault leads, and in the copy after which cell that is.
    fn target(&self, fault: Fault, target: u32) -> (u32, u32) {
        match fault.before {
            Some(before) if target as usize == self.reduced.n_states() => (self.reduced.next[before as usize], before),
            _ => (target, NONE),
        }
    }
    /// The places that are passed by taking `cell` in these copies.
    fn places(&self, copies: [u32; 2], cell: u32) -> impl Iterator<Item = u32> + use<> {
        let (n_cells, n_inputs) = (self.reduced.next.len() as u32, self.reduced.n_inputs as u32);
        let input = cell % n_inputs;
        let pair = (copies[0] != NONE).then(|| n_cells + copies[0] * n_inputs + input);
        let looped = self.loop_of.get(copies[1] as usize).copied().flatten();
        let stays = looped.map(|number| n_cells + (n_cells + number) * n_inputs + input);
        let n_places = self.alive.len() as u32;
        let pairs = pair.into_iter().chain(stays).filter(move |place| *place < n_places);
        std::iter::once(cell).chain(pairs)
    }
    /// How many mutants are alive.
    pub fn n_left(&self) -> usize {
        self.n_left
    }
    /// The wrong targets that are alive at the first place that has any.
    pub fn first_left(&self) -> Vec<(u32, u32)> {
        let places = self.alive.iter().zip(0..);
        let mut left = places.filter(|(targets, _)| !targets.is_empty());
        let first = left.next().into_iter();
        first
            .flat_map(|(targets, place)| targets.iter().map(move |target| (place, *target)))
            .collect()
    }
    /// What `word` kills is not alive any more.
    pub fn walk_along(&mut self, word: impl Iterator<Item = u32>) {
        let mut walk = Walk::new();
        word.for_each(|input| self.step(&mut walk, input));
    }

    /// One input for the specification and all mutants.
    fn step(&mut self, walk: &mut Walk, input: u32) {
        let cell = self.reduced.cell(walk.state, input) as u32;
        let (expected, next) = (self.reduced.output[cell as usize], self.reduced.next[cell as usize]);
        let passed: Vec<u32> = self.places(walk.copies, cell).collect();
        let copies = [false, true].map(|stays| copy_after(walk.copies[usize::from(stays)], cell, stays));
        let is_here = |astray: &&Astray| passed.contains(&astray.place);
        let mut here: Vec<(u32, u32)> = walk
            .astray
            .iter()
            .filter(is_here)
            .map(|one| (one.place, one.target))
            .collect();
        here.sort_unstable();
        let mut astray = std::mem::take(&mut walk.astray);
        astray.retain_mut(|one| {
            let own = self.reduced.cell(one.now, input) as u32;
            if self.reduced.output[own as usize] != expected {
                self.kill(one.place, one.target);
                return false;
            }
            let fault = self.fault(one.place);
            let is_fault = own == fault.cell && fault.before.is_none_or(|before| before == one.copy);
            (one.now, one.copy) = match is_fault {
                true => self.target(fault, one.target),
                false => (self.reduced.next[own as usize], copy_after(one.copy, own, fault.stays)),
            };
            // Who is in the copy is not where the original is.
            let copy = copies[usize::from(fault.stays)];
            let is_alike = fault
                .before
                .is_none_or(|before| (one.copy == before) == (copy == before));
            one.now != next || !is_alike
        });
        for place in passed {
            if !std::mem::replace(&mut self.passed[place as usize], true) {
                self.n_left -= 1;
            }
            let is_fresh = |target: &&u32| here.binary_search(&(place, **target)).is_err();
            let fresh = self.alive[place as usize].iter().filter(is_fresh);
            let fault = self.fault(place);
            astray.extend(fresh.map(|target| {
                let (now, copy) = self.target(fault, *target);
                Astray {
                    place,
                    target: *target,
                    now,
                    copy,
                }
            }));
        }
        *walk = Walk {
            state: next,
            copies,
            astray,
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

    /// A test of about `length` inputs that kills as many mutants as come in its way; with those that are astray at its end.
    pub fn walk(&mut self, length: usize) -> (Vec<u32>, Vec<Astray>) {
        let mut walk = Walk::new();
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
        (word, walk.astray)
    }
    /// The input that tells most mutants apart at once, or leads there: that of those that are the least inputs away.
    fn telling(&self, walk: &Walk) -> Option<u32> {
        let distance = |one: &Astray| self.apart.length(walk.state, one.now);
        let least = walk.astray.iter().map(distance).filter(|length| *length > 0).min()?;
        let mut votes = vec![0_usize; self.reduced.n_inputs];
        for one in &walk.astray {
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
    /// The first input on a shortest way to a place whose mutants are alive, from transition to transition.
    fn towards(&self, walk: &Walk) -> Option<u32> {
        let n_cells = self.reduced.next.len();
        // By cell that was taken last: in the copy after it, and outside.
        let mut is_known = vec![false; 2 * n_cells];
        let mut agenda = VecDeque::from([(walk.copies, walk.state, NONE)]);
        while let Some((copies, state, first)) = agenda.pop_front() {
            for input in self.reduced.inputs() {
                let cell = self.reduced.cell(state, input) as u32;
                let first = if first == NONE { input } else { first };
                let is_wanted = |place: u32| !self.passed[place as usize] || !self.alive[place as usize].is_empty();
                if self.places(copies, cell).any(is_wanted) {
                    return Some(first);
                }
                let copies = [copy_after(copies[0], cell, false), cell];
                let number = cell as usize + if copies[0] == NONE { n_cells } else { 0 };
                if !std::mem::replace(&mut is_known[number], true) {
                    agenda.push_back((copies, self.reduced.next[cell as usize], first));
                }
            }
        }
        None
    }

    /// Shortest words for mutants, one by one, at most `most`; those that conform are given up, and counted.
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
    /// A shortest word that kills the mutant that goes to `target` at `place`; none if it conforms.
    fn killing(&self, place: u32, target: u32) -> Option<Vec<u32>> {
        let n_states = self.reduced.n_states();
        let fault = self.fault(place);
        let mut known = vec![false; 2 * n_states * n_states];
        let mut agenda: Vec<((u32, u32, bool), Step<u32>)> = vec![((0, 0, false), None)];
        known[0] = true;
        let mut at = 0;
        while at < agenda.len() {
            let (right, own, in_copy) = agenda[at].0;
            for input in self.reduced.inputs() {
                let (expected, mine) = (self.reduced.cell(right, input), self.reduced.cell(own, input));
                if self.reduced.output[expected] != self.reduced.output[mine] {
                    let mut word = trail::word(at, |at| agenda[at].1);
                    word.push(input);
                    return Some(word);
                }
                let is_fault = mine as u32 == fault.cell && (fault.before.is_none() || in_copy);
                let (mine, in_copy) = match is_fault {
                    true => {
                        let (target, copy) = self.target(fault, target);
                        (target, copy != NONE)
                    }
                    false => {
                        let enters = fault.before == Some(mine as u32) && (fault.stays || !in_copy);
                        (self.reduced.next[mine], enters)
                    }
                };
                let next = (self.reduced.next[expected], mine, in_copy);
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

/// How many places there are.
pub(super) fn n_places(reduced: &Reduced, is_split: bool) -> usize {
    let n_cells = reduced.next.len();
    if is_split {
        let is_loop = |cell: &usize| reduced.next[*cell] as usize == cell / reduced.n_inputs;
        let n_loops = (0..n_cells).filter(is_loop).count();
        n_cells + (n_cells + n_loops) * reduced.n_inputs
    } else {
        n_cells
    }
}

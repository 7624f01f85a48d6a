//! A specification as a table: its reachable states, equivalent ones merged, and words that tell its states apart.
//!
//! States are numbered in the order of a breadth-first search from the initial state, which is 0; inputs and outputs
//! keep their numbers. A cell is `state * n_inputs + input`.

use rustc_hash::FxHashMap;

use crate::{InputId, MutationMachine, StateId};
use tamper_text::Id;

/// The smallest machine with the same answers as a specification.
#[derive(Clone, Debug)]
pub(crate) struct Reduced {
    pub n_inputs: usize,
    /// By cell: the next state.
    pub next: Vec<u32>,
    /// By cell: the output.
    pub output: Vec<u32>,
    /// By state but the first: the cell by which it is found.
    found_by: Vec<u32>,
}

impl Reduced {
    pub fn of(machine: &MutationMachine) -> Self {
        let class = classes(machine);
        let n_inputs = machine.inputs().len();
        let mut reduced = Self {
            n_inputs,
            next: Vec::new(),
            output: Vec::new(),
            found_by: vec![0],
        };
        let mut numbers: FxHashMap<u32, u32> = FxHashMap::default();
        let mut members = vec![machine.initial()];
        numbers.insert(class[machine.initial().index()], 0);
        let mut at = 0;
        while at < members.len() {
            for input in machine.inputs().ids() {
                let transition = machine.unaltered(members[at], input);
                let fresh = members.len() as u32;
                let number = *numbers.entry(class[transition.target.index()]).or_insert(fresh);
                if number == fresh {
                    members.push(transition.target);
                    reduced.found_by.push(reduced.next.len() as u32);
                }
                reduced.next.push(number);
                reduced.output.push(transition.output.index() as u32);
            }
            at += 1;
        }
        reduced
    }
    pub fn n_states(&self) -> usize {
        self.found_by.len()
    }
    pub fn cell(&self, state: u32, input: u32) -> usize {
        state as usize * self.n_inputs + input as usize
    }
    pub fn inputs(&self) -> std::ops::Range<u32> {
        0..self.n_inputs as u32
    }
    /// A shortest word that leads to `state`.
    pub fn access(&self, mut state: u32) -> Vec<u32> {
        let mut word = Vec::new();
        while state != 0 {
            let cell = self.found_by[state as usize] as usize;
            word.push((cell % self.n_inputs) as u32);
            state = (cell / self.n_inputs) as u32;
        }
        word.reverse();
        word
    }
    pub fn after(&self, state: u32, word: &[u32]) -> u32 {
        word.iter()
            .fold(state, |state, input| self.next[self.cell(state, *input)])
    }
    /// The outputs for `word` from `state`.
    pub fn answers(&self, mut state: u32, word: &[u32]) -> Vec<u32> {
        let mut answers = Vec::with_capacity(word.len());
        for input in word {
            let cell = self.cell(state, *input);
            answers.push(self.output[cell]);
            state = self.next[cell];
        }
        answers
    }
}

/// `word` as a test of the machine it was made for.
pub(crate) fn test(word: &[u32]) -> Vec<InputId> {
    word.iter().map(|input| InputId::from_index(*input as usize)).collect()
}

/// By state: the number of its equivalence class among all reachable states (Moore).
fn classes(machine: &MutationMachine) -> Vec<u32> {
    let reached = reached(machine);
    let mut class = vec![0; machine.states().len()];
    let mut n_classes = 1;
    loop {
        let mut known: FxHashMap<(u32, Vec<(u32, u32)>), u32> = FxHashMap::default();
        let mut next = vec![0; class.len()];
        for state in &reached {
            let step = |input| {
                let transition = machine.unaltered(*state, input);
                (transition.output.index() as u32, class[transition.target.index()])
            };
            let signature = (class[state.index()], machine.inputs().ids().map(step).collect());
            let fresh = known.len() as u32;
            next[state.index()] = *known.entry(signature).or_insert(fresh);
        }
        class = next;
        if known.len() == n_classes {
            return class;
        }
        n_classes = known.len();
    }
}

/// The states that the specification reaches.
fn reached(machine: &MutationMachine) -> Vec<StateId> {
    let mut is_reached = vec![false; machine.states().len()];
    is_reached[machine.initial().index()] = true;
    let mut reached = vec![machine.initial()];
    let mut at = 0;
    while at < reached.len() {
        for input in machine.inputs().ids() {
            let target = machine.unaltered(reached[at], input).target;
            if !std::mem::replace(&mut is_reached[target.index()], true) {
                reached.push(target);
            }
        }
        at += 1;
    }
    reached
}

/// The largest number of states that `Apart` handles: its tables have an entry per pair.
pub(crate) const MOST_STATES: usize = 4096;

/// For every two states a shortest word that they answer differently.
#[derive(Debug)]
pub(crate) struct Apart {
    n_states: usize,
    /// By pair: the length of the word; 0 on the diagonal.
    length: Vec<u16>,
    /// By pair: the first input of the word.
    first: Vec<u32>,
}

impl Apart {
    pub fn of(reduced: &Reduced) -> Self {
        let n_states = reduced.n_states();
        let mut apart = Self {
            n_states,
            length: vec![0; n_states * n_states],
            first: vec![0; n_states * n_states],
        };
        let states = || 0..n_states as u32;
        let mut agenda: Vec<(u32, u32)> = Vec::new();
        for (p, q) in states().flat_map(|p| (p + 1..n_states as u32).map(move |q| (p, q))) {
            let differs =
                |input: &u32| reduced.output[reduced.cell(p, *input)] != reduced.output[reduced.cell(q, *input)];
            if let Some(input) = reduced.inputs().find(differs) {
                apart.set(p, q, 1, input);
                agenda.push((p, q));
            }
        }
        // By cell of target and input: the source states.
        let mut sources: Vec<Vec<u32>> = vec![Vec::new(); n_states * reduced.n_inputs];
        for state in states() {
            for input in reduced.inputs() {
                let target = reduced.next[reduced.cell(state, input)];
                sources[reduced.cell(target, input)].push(state);
            }
        }
        let mut at = 0;
        while at < agenda.len() {
            let (p, q) = agenda[at];
            let length = apart.length(p, q) + 1;
            for input in reduced.inputs() {
                for left in &sources[reduced.cell(p, input)] {
                    for right in &sources[reduced.cell(q, input)] {
                        if left != right && apart.length(*left, *right) == 0 {
                            apart.set(*left, *right, length, input);
                            agenda.push((*left, *right));
                        }
                    }
                }
            }
            at += 1;
        }
        apart
    }
    fn set(&mut self, p: u32, q: u32, length: u16, input: u32) {
        for at in [self.pair(p, q), self.pair(q, p)] {
            self.length[at] = length;
            self.first[at] = input;
        }
    }
    fn pair(&self, p: u32, q: u32) -> usize {
        p as usize * self.n_states + q as usize
    }
    /// The length of a shortest word; 0 for a state and itself.
    pub fn length(&self, p: u32, q: u32) -> u16 {
        self.length[self.pair(p, q)]
    }
    /// The first input of that word.
    pub fn first(&self, p: u32, q: u32) -> u32 {
        self.first[self.pair(p, q)]
    }
    pub fn word(&self, reduced: &Reduced, mut p: u32, mut q: u32) -> Vec<u32> {
        let mut word = Vec::new();
        while p != q && word.len() < self.n_states {
            let (input, is_last) = (self.first(p, q), self.length(p, q) == 1);
            word.push(input);
            if is_last {
                break;
            }
            (p, q) = (
                reduced.next[reduced.cell(p, input)],
                reduced.next[reduced.cell(q, input)],
            );
        }
        word
    }
}

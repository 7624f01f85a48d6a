//! The states of a deterministic machine, partitioned by their answers to all input sequences: the coarsest stable
//! partition.
//!
//! Classes are split by the answers of their states and the classes that these lead to. A state is visited again only
//! after one of its successors has changed its class, and the largest part of a split class keeps its number
//! (Hopcroft's idea): so a state changes its class at most log2(n) times.

use rustc_hash::FxHashMap;

use crate::OutputId;

/// A machine by numbers: for each state and input, the output and the next state.
pub(crate) struct NumberedMachine {
    pub n_inputs: usize,
    pub all: Vec<(OutputId, u32)>,
}

impl NumberedMachine {
    fn of(&self, state: u32) -> &[(OutputId, u32)] {
        let start = state as usize * self.n_inputs;
        &self.all[start..start + self.n_inputs]
    }

    /// The class of each state.
    pub fn classes(&self) -> Vec<u32> {
        let n_states = (self.all.len() / self.n_inputs.max(1)) as u32;
        let before = self.before(n_states);
        let mut class = vec![0_u32; n_states as usize];
        let mut members: Vec<Vec<u32>> = vec![(0..n_states).collect()];
        // States that may no longer belong to their class.
        let mut doubtful = vec![true; n_states as usize];
        let mut agenda = vec![0_u32];
        let mut is_waiting = vec![true];
        while let Some(own) = agenda.pop() {
            is_waiting[own as usize] = false;
            let mut parts = self.parts(&members[own as usize], &class, &mut doubtful);
            let largest = (0..parts.len()).max_by_key(|part| (parts[*part].len(), std::cmp::Reverse(*part)));
            let Some(largest) = largest.filter(|_| parts.len() > 1) else {
                continue;
            };
            members[own as usize] = parts.swap_remove(largest);
            let first = members.len();
            for part in parts {
                part.iter()
                    .for_each(|state| class[*state as usize] = members.len() as u32);
                members.push(part);
                is_waiting.push(false);
            }
            for moved in members[first..].iter().flatten() {
                for state in &before[*moved as usize] {
                    doubtful[*state as usize] = true;
                    let class = class[*state as usize];
                    if !std::mem::replace(&mut is_waiting[class as usize], true) {
                        agenda.push(class);
                    }
                }
            }
        }
        class
    }

    /// The members of a class, grouped by their answers and the classes of their successors; members that are not
    /// doubtful form one group.
    fn parts(&self, members: &[u32], class: &[u32], doubtful: &mut [bool]) -> Vec<Vec<u32>> {
        let mut parts: Vec<Vec<u32>> = Vec::new();
        let mut known: FxHashMap<Vec<(OutputId, u32)>, usize> = FxHashMap::default();
        let mut sure: Option<usize> = None;
        for state in members {
            let is_sure = !std::mem::replace(&mut doubtful[*state as usize], false);
            let part = match sure.filter(|_| is_sure) {
                Some(part) => part,
                None => {
                    let signature = self
                        .of(*state)
                        .iter()
                        .map(|(output, to)| (*output, class[*to as usize]));
                    *known.entry(signature.collect()).or_insert(parts.len())
                }
            };
            if is_sure {
                sure = Some(part);
            }
            if part == parts.len() {
                parts.push(Vec::new());
            }
            parts[part].push(*state);
        }
        parts
    }

    /// By state: its predecessors.
    fn before(&self, n_states: u32) -> Vec<Vec<u32>> {
        let mut before = vec![Vec::new(); n_states as usize];
        for state in 0..n_states {
            for (_, to) in self.of(state) {
                before[*to as usize].push(state);
            }
        }
        before
    }
}

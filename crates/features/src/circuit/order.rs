//! The order in which variables are decided: it follows the structure of the clauses, found by elimination.
//!
//! Variables are eliminated one by one, always one with few neighbours, and its neighbours become neighbours of each other.
//! The variables eliminated last separate the rest: decided first, they leave small components, and few different ones.
//! Sets of neighbours are kept as they came together (clauses, then unions), never pair by pair.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::clauses::PartialAssignment;
use tamper_text::{Budget, StopReason};

/// Clauses with more open variables say nothing about structure.
const LONGEST: usize = 2_000;
/// The most steps of the search; the rest is then ordered by its neighbours.
const MOST_STEPS: u64 = 300_000_000;

/// By variable, its priority: the largest is decided first.
pub(super) fn priorities(at: &PartialAssignment, n_vars: usize, budget: &Budget) -> Result<Vec<u32>, StopReason> {
    let mut elimination = Elimination::of(at, n_vars);
    let mut heap: BinaryHeap<Reverse<(u64, u32)>> = BinaryHeap::new();
    for var in 0..elimination.scores.len() {
        heap.push(Reverse((elimination.scores[var], var as u32)));
    }
    let mut priorities = vec![0; n_vars];
    let mut next = 0;
    let mut n_steps = 0;
    while let Some(Reverse((score, var))) = heap.pop() {
        if elimination.is_gone[var as usize] || score != elimination.scores[var as usize] {
            continue;
        }
        priorities[var as usize] = next;
        next += 1;
        if n_steps > MOST_STEPS {
            elimination.is_gone[var as usize] = true;
            continue;
        }
        if next % 64 == 0
            && let Some(reason) = budget.exceeded(0, 0)
        {
            return Err(reason);
        }
        n_steps += elimination.eliminate(var, &mut heap);
    }
    Ok(priorities)
}

struct Elimination {
    /// Sets of variables that are neighbours of each other; empty after they became part of another set.
    sets: Vec<Vec<u32>>,
    /// By variable: the sets it is in.
    of_var: Vec<Vec<u32>>,
    /// By variable: an upper bound of the number of its neighbours.
    scores: Vec<u64>,
    is_gone: Vec<bool>,
    seen: Vec<u32>,
}

impl Elimination {
    fn of(at: &PartialAssignment, n_vars: usize) -> Self {
        let mut sets = Vec::new();
        let mut known = vec![false; at.n_clauses()];
        for var in (0..n_vars as u32).filter(|var| at.is_open(*var)) {
            for lit in [2 * var, 2 * var + 1] {
                let later = at.open_neighbours(lit).filter(|other| *other > var);
                sets.extend(later.map(|other| vec![var, other]));
                for clause in at.open_clauses(lit) {
                    if !std::mem::replace(&mut known[clause as usize], true) {
                        let vars: Vec<u32> = at.open_vars(clause).take(LONGEST + 1).collect();
                        if vars.len() <= LONGEST {
                            sets.push(vars);
                        }
                    }
                }
            }
        }
        sets.sort_unstable();
        sets.dedup();
        let mut of_var = vec![Vec::new(); n_vars];
        for (id, set) in (0_u32..).zip(&sets) {
            set.iter().for_each(|var| of_var[*var as usize].push(id));
        }
        let mut elimination = Self {
            sets,
            of_var,
            scores: vec![0; n_vars],
            is_gone: vec![false; n_vars],
            seen: vec![u32::MAX; n_vars],
        };
        for var in 0..n_vars {
            elimination.scores[var] = elimination.score(var);
        }
        elimination
    }

    fn score(&self, var: usize) -> u64 {
        let sets = self.of_var[var].iter();
        sets.map(|set| self.sets[*set as usize].len().saturating_sub(1) as u64)
            .sum()
    }

    /// Makes the neighbours of `var` neighbours of each other. Returns the number of steps.
    fn eliminate(&mut self, var: u32, heap: &mut BinaryHeap<Reverse<(u64, u32)>>) -> u64 {
        self.is_gone[var as usize] = true;
        let mut joined = Vec::new();
        let mut n_steps = 1;
        for set in std::mem::take(&mut self.of_var[var as usize]) {
            let members = std::mem::take(&mut self.sets[set as usize]);
            n_steps += members.len() as u64;
            for member in members {
                let is_new = self.seen[member as usize] != var;
                if member != var && is_new && !self.is_gone[member as usize] {
                    self.seen[member as usize] = var;
                    joined.push(member);
                }
            }
        }
        let id = self.sets.len() as u32;
        self.sets.push(joined.clone());
        for member in joined {
            let Self { sets, of_var, .. } = self;
            let own = &mut of_var[member as usize];
            own.retain(|set| !sets[*set as usize].is_empty());
            own.push(id);
            n_steps += own.len() as u64;
            let score = self.score(member as usize);
            if score != self.scores[member as usize] {
                self.scores[member as usize] = score;
                heap.push(Reverse((score, member)));
            }
        }
        n_steps
    }
}

//! Mutants of order 1 and 2, numbered.
//!
//! As for timed games (\[003\] section 5.2) a mutant of order 2 is a sequence: a mutation, then a mutation of the
//! mutant that the first one makes. Sequences are ordered by their first mutation, then by their second. The second
//! mutations are found on demand; only their number is kept.

use std::sync::{Arc, Mutex, PoisonError};

use super::actions::{ActionMutation, ActionSystem, action_mutations};
use super::mutation::{SystemMutation, mutations};
use super::program::Program;

/// A system that can be mutated.
pub trait Mutated: Clone {
    /// A mutation of the system.
    type Mutation: Clone;
    /// All its mutations, in order.
    fn mutations(&self) -> Vec<Self::Mutation>;
    /// The mutant that `mutation`, a mutation of this system, makes.
    fn with(&self, mutation: &Self::Mutation) -> Self;
    /// The mutant that a sequence of mutations makes.
    fn after(&self, chain: &[Self::Mutation]) -> Self {
        let with = |mutant: Self, mutation| mutant.with(mutation);
        chain.iter().fold(self.clone(), with)
    }
}

impl Mutated for ActionSystem {
    type Mutation = ActionMutation;
    fn mutations(&self) -> Vec<ActionMutation> {
        action_mutations(self)
    }
    fn with(&self, mutation: &ActionMutation) -> Self {
        mutation.apply(self)
    }
}

impl Mutated for Program {
    type Mutation = SystemMutation;
    fn mutations(&self) -> Vec<SystemMutation> {
        mutations(self)
    }
    fn with(&self, mutation: &SystemMutation) -> Self {
        mutation.apply(self)
    }
}

/// A mutant with its mutations.
pub struct Chained<S: Mutated> {
    /// The mutant that the mutations make.
    pub mutant: S,
    /// Its mutations, in the order in which they are made.
    pub chain: Vec<S::Mutation>,
    /// Whether it equals the original: the second mutation undoes the first. A single mutation always changes
    /// something.
    pub is_original: bool,
}

/// The mutants of one order, by number.
pub struct Chains<M> {
    firsts: Vec<M>,
    /// At order 2, by first mutation: the number of sequences that begin with it or an earlier one.
    ends: Option<Vec<u64>>,
    /// The most recently computed second mutations, with the position of the first mutation.
    seconds: Mutex<Option<(usize, Arc<Vec<M>>)>>,
}

impl<M: Clone> Chains<M> {
    /// The highest order.
    pub const MOST: u8 = 2;

    /// The mutants of `original` of that order; `None` if `order` is not 1 or 2.
    pub fn new<S: Mutated<Mutation = M>>(original: &S, order: u8) -> Option<Self> {
        if !(1..=Self::MOST).contains(&order) {
            return None;
        }
        let firsts = original.mutations();
        let ends = (order == 2).then(|| {
            let mut end = 0;
            let ends = firsts.iter().map(|first| {
                end += original.with(first).mutations().len() as u64;
                end
            });
            ends.collect()
        });
        let seconds = Mutex::new(None);
        Some(Self { firsts, ends, seconds })
    }
    /// The number of mutants.
    pub fn len(&self) -> u64 {
        match &self.ends {
            Some(ends) => ends.last().copied().unwrap_or(0),
            None => self.firsts.len() as u64,
        }
    }
    /// Whether there are no mutants.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// The mutations of the mutant of that number, in the order in which they are made; `None` if `original` has fewer
    /// mutants.
    pub fn get<S: Mutated<Mutation = M>>(&self, original: &S, number: u64) -> Option<Vec<M>> {
        let Some(ends) = &self.ends else {
            return Some(vec![self.firsts.get(usize::try_from(number).ok()?)?.clone()]);
        };
        let place = ends.partition_point(|end| *end <= number);
        let first = self.firsts.get(place)?;
        let begin = if place == 0 { 0 } else { ends[place - 1] };
        let mut last = self.seconds.lock().unwrap_or_else(PoisonError::into_inner);
        let seconds = match &*last {
            Some((known, seconds)) if *known == place => Arc::clone(seconds),
            _ => {
                let seconds = Arc::new(original.with(first).mutations());
                *last = Some((place, Arc::clone(&seconds)));
                seconds
            }
        };
        let second = seconds.get(usize::try_from(number - begin).ok()?)?;
        Some(vec![first.clone(), second.clone()])
    }
    /// The mutant of that number; `None` if `original` has fewer mutants.
    pub fn make<S: Mutated<Mutation = M> + PartialEq>(&self, original: &S, number: u64) -> Option<Chained<S>> {
        let chain = self.get(original, number)?;
        let mutant = original.after(&chain);
        Some(Chained {
            is_original: chain.len() > 1 && mutant == *original,
            mutant,
            chain,
        })
    }
}

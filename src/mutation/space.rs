//! All mutants of order 1 or 2 of one automaton, numbered but never held.
//!
//! An order-2 mutant is a sequence: a mutation of the automaton, then a mutation of that mutant (\[003\] section 5.2).
//! The number of a sequence is found from how many mutations each first-order mutant has. These counts are kept as
//! runs: all edges added by TAD give the same count, so memory is linear in the automaton, not in its mutants.

use std::fmt;
use std::ops::Range;

use super::count::Counter;
use super::{Mutation, MutationOptions, Mutations, Operator};
use crate::model::Automaton;

/// How many mutations a mutant differs by.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Order {
    /// One.
    #[default]
    First,
    /// Two, the second applied to the mutant that the first gives.
    Second,
}

impl Order {
    /// 1 or 2.
    pub fn number(self) -> u8 {
        match self {
            Self::First => 1,
            Self::Second => 2,
        }
    }
}

/// The mutants cannot be numbered in 64 bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TooManyMutants;

impl fmt::Display for TooManyMutants {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("there are more than 2^64 mutants: use fewer operators or order 1")
    }
}

impl std::error::Error for TooManyMutants {}

/// The numbered mutants of one automaton.
#[derive(Clone, Debug)]
pub struct MutantSpace {
    base: Automaton,
    options: MutationOptions,
    order: Order,
    first: Mutations,
    runs: Vec<Run>,
    len: u64,
}

/// Consecutive families of siblings of one size.
#[derive(Clone, Copy, Debug)]
struct Run {
    /// Number of the first family.
    family: u64,
    /// Number of families.
    n_families: u64,
    /// Number of the first mutant.
    mutant: u64,
    /// Mutants per family.
    size: u64,
}

impl MutantSpace {
    /// The mutants of `base`. At order 2 this costs one pass over the edges per location, and a step for each edge
    /// and constraint.
    ///
    /// # Errors
    /// When 64 bits do not hold their number.
    pub fn new(base: &Automaton, options: &MutationOptions, order: Order) -> Result<Self, TooManyMutants> {
        let mut space = Self {
            base: base.clone(),
            options: options.clone(),
            order,
            first: Mutations::of(base, options),
            runs: Vec::new(),
            len: 0,
        };
        match order {
            Order::First => space.push_run(1, space.first.len())?,
            Order::Second => space.push_families(&Counter::new(base, options))?,
        }
        Ok(space)
    }

    fn push_families(&mut self, counter: &Counter<'_>) -> Result<(), TooManyMutants> {
        let added = self.first.added_range();
        let mut family = 0;
        while let Some(mutation) = self.first.get(family) {
            let n_families = if family == added.start {
                (added.end - added.start).max(1)
            } else {
                1
            };
            self.push_run(n_families, counter.after(&mutation))?;
            family += n_families;
        }
        Ok(())
    }

    fn push_run(&mut self, n_families: u64, size: u64) -> Result<(), TooManyMutants> {
        let family = self.runs.last().map_or(0, |run| run.family + run.n_families);
        let mutant = self.len;
        let mutants = n_families.checked_mul(size).ok_or(TooManyMutants)?;
        self.len = self.len.checked_add(mutants).ok_or(TooManyMutants)?;
        self.runs.push(Run {
            family,
            n_families,
            mutant,
            size,
        });
        Ok(())
    }

    /// The automaton the mutants are made from.
    pub fn base(&self) -> &Automaton {
        &self.base
    }
    /// The options in use.
    pub fn options(&self) -> &MutationOptions {
        &self.options
    }
    /// The order of the mutants.
    pub fn order(&self) -> Order {
        self.order
    }
    /// How many mutants (at order 2: sequences) there are.
    pub fn len(&self) -> u64 {
        self.len
    }
    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }
    /// How many families of siblings there are.
    pub fn n_families(&self) -> u64 {
        self.runs.last().map_or(0, |run| run.family + run.n_families)
    }

    /// The family of the mutant numbered `index`, and its position there; none past the end.
    /// Logarithmic in the number of edges, locations and constraints.
    pub fn locate(&self, index: u64) -> Option<(u64, u64)> {
        if index >= self.len {
            return None;
        }
        let after = self.runs.partition_point(|run| run.mutant <= index);
        // Empty runs share their start with the next one: the last run that starts at or before has the mutant.
        let run = self.runs[..after].last()?;
        let offset = index - run.mutant;
        Some((run.family + offset / run.size, offset % run.size))
    }

    /// The numbers of the mutants of a family.
    pub fn family_range(&self, family: u64) -> Range<u64> {
        let after = self.runs.partition_point(|run| run.family <= family);
        match self.runs[..after].last() {
            Some(run) if family - run.family < run.n_families => {
                let start = run.mutant + (family - run.family) * run.size;
                start..start + run.size
            }
            _ => self.len..self.len,
        }
    }

    /// The mutants that share all mutations but the last; none past the end.
    pub fn siblings(&self, family: u64) -> Option<Siblings> {
        let start = self.family_range(family).start;
        match self.order {
            Order::First => (family == 0).then(|| Siblings {
                prefix: None,
                parent: self.base.clone(),
                last: self.first.clone(),
                start,
            }),
            Order::Second => self.first.get(family).map(|mutation| {
                let parent = mutation.apply(&self.base);
                Siblings {
                    prefix: Some((mutation, mutation.id(&self.base))),
                    last: Mutations::of(&parent, &self.options),
                    parent,
                    start,
                }
            }),
        }
    }
}

/// Mutants that share all mutations but the last: what is common to them is computed once.
#[derive(Clone, Debug)]
pub struct Siblings {
    prefix: Option<(Mutation, String)>,
    parent: Automaton,
    last: Mutations,
    start: u64,
}

impl Siblings {
    /// The shared mutation, of the base automaton (order 2 only).
    pub fn prefix(&self) -> Option<Mutation> {
        self.prefix.as_ref().map(|(mutation, _)| *mutation)
    }
    /// The automaton that the last mutations are applied to.
    pub fn parent(&self) -> &Automaton {
        &self.parent
    }
    /// The last mutations.
    pub fn last(&self) -> &Mutations {
        &self.last
    }
    /// The number of the first of them in the whole space.
    pub fn start(&self) -> u64 {
        self.start
    }
    /// The mutant made by the last mutation `last`.
    pub fn mutant(&self, last: Mutation) -> Automaton {
        last.apply(&self.parent)
    }
    /// Its id: the ids of its mutations, joined by `;`. Unique in the space.
    pub fn id(&self, last: Mutation) -> String {
        let id = last.id(&self.parent);
        match &self.prefix {
            Some((_, prefix)) => [prefix, ";", &id].concat(),
            None => id,
        }
    }
    /// Its operators, in order of application.
    pub fn operators(&self, last: Mutation) -> Vec<Operator> {
        let prefix = self.prefix.iter().map(|(mutation, _)| mutation.operator());
        prefix.chain([last.operator()]).collect()
    }
}

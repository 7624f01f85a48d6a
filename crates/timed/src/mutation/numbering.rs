//! The numbers of sequences of mutations, without a list of them.
//!
//! Sequences are ordered by their first mutation, then their second, and so on. The number of sequences that begin with a
//! given mutation is the number of shorter sequences of the mutant that it makes. These counts are stored as runs of
//! consecutive mutations with equal counts. At order 2 all edges that TAD adds are one run. At order 3 the count after an
//! added edge depends on how many of its ends SMI can remove: removing an end takes the edge's own mutations with it, and
//! nothing else tells one added edge from another. At higher orders it depends on which locations the ends are. Neither the
//! edge's direction nor its role ever matters. So memory is linear in the automaton at orders 1 to 3. With operators beyond
//! the six every first mutant is made and counted.

use std::collections::BTreeMap;
use std::ops::Range;

use super::count::MutationCounter;
use super::{Mutation, MutationOptions, Mutations, Operator, Order};
use crate::model::{Automaton, LocId};

/// The reason why mutants cannot be numbered.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum TooManyMutants {
    /// 64 bits do not hold their number.
    #[error("there are more than 2^64 mutants: use fewer operators or a lower order")]
    Number,
    /// Their number cannot be found in reasonable time.
    #[error("it would take too long to number the mutants: use fewer operators or a lower order")]
    Effort,
}

/// Number of mutants that may still be made in order to count sequences.
pub(super) struct CountingBudget(u64);

impl CountingBudget {
    pub const SECONDS: Self = Self(1 << 18);
    pub const UNLIMITED: Self = Self(u64::MAX);

    fn spend(&mut self) -> Result<(), TooManyMutants> {
        self.0 = self.0.checked_sub(1).ok_or(TooManyMutants::Effort)?;
        Ok(())
    }
}

/// Most sequences of operators of one order: results are counted for each. The six have 6^6 at the highest order.
const MOST_ROWS: u64 = 1 << 20;

fn n_rows(options: &MutationOptions, order: Order) -> Option<u64> {
    (options.applied().len() as u64).checked_pow(u32::from(order.number()))
}

/// Consecutive first mutations, each the beginning of equally many sequences.
#[derive(Clone, Copy, Debug)]
struct SequenceBlock {
    /// Number of the first mutation of the run.
    mutation: u64,
    n: u64,
    /// The number of the first family (the sequences without their last mutations) that begins with one of them.
    family: u64,
    n_families: u64,
    /// The number of the first sequence.
    sequence: u64,
    n_sequences: u64,
}

/// The numbers of the sequences of some length, from one automaton.
#[derive(Clone, Debug)]
pub(super) struct Numbering {
    automaton: Automaton,
    order: Order,
    first: Mutations,
    /// Empty at order 1, where all sequences are one family.
    runs: Vec<SequenceBlock>,
    n_families: u64,
    len: u64,
}

/// The property of an added edge that determines how many sequences follow it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum AddedEdgeEnds {
    /// The number of its ends that can be removed.
    Removable(usize),
    Are(LocId, LocId),
}

fn ends(source: LocId, target: LocId, automaton: &Automaton, options: &MutationOptions, length: u8) -> AddedEdgeEnds {
    if !options.operators.contains(&Operator::Smi) || length <= 2 {
        return AddedEdgeEnds::Removable(0);
    }
    if length > 3 {
        return AddedEdgeEnds::Are(source.min(target), source.max(target));
    }
    let mut removable: Vec<LocId> = vec![source, target];
    removable.dedup();
    AddedEdgeEnds::Removable(removable.iter().filter(|end| **end != automaton.initial()).count())
}

/// Calls `visit` for the first mutations of `automaton`, in runs that are followed by equally many sequences: with the
/// length of the run, and the numbers of families and of sequences of `length` that begin with each mutation of it.
fn visit_first(
    automaton: &Automaton,
    options: &MutationOptions,
    first: &Mutations,
    length: u8,
    effort: &mut CountingBudget,
    visit: &mut dyn FnMut(u64, [u64; 2]) -> Result<(), TooManyMutants>,
) -> Result<(), TooManyMutants> {
    let counter = MutationCounter::new(automaton, options);
    let added = first.added_range();
    // With operators beyond the six, the further mutations of an added edge depend on all of it.
    let is_paper = options.is_paper();
    let mut known: BTreeMap<AddedEdgeEnds, [u64; 2]> = BTreeMap::new();
    let mut number = 0;
    while let Some(mutation) = first.get(number) {
        let mut count = || -> Result<[u64; 2], TooManyMutants> {
            if length <= 2 && is_paper {
                return Ok([1, counter.after(&mutation)]);
            }
            effort.spend()?;
            if length <= 2 {
                return Ok([1, counter.after(&mutation)]);
            }
            let mutant = mutation.apply(automaton);
            let families = n_sequences(&mutant, options, length - 2, effort)?;
            Ok([families, n_sequences(&mutant, options, length - 1, effort)?])
        };
        let (n, counts) = match mutation {
            Mutation::AddEdge { source, target, .. } if is_paper => {
                let ends = ends(source, target, automaton, options, length);
                let counts = match known.get(&ends) {
                    Some(counts) => *counts,
                    None => *known.entry(ends).or_insert(count()?),
                };
                let n = if length <= 2 { added.end - added.start } else { 1 };
                (n, counts)
            }
            _ => (1, count()?),
        };
        visit(n, counts)?;
        number += n;
    }
    Ok(())
}

/// Number of sequences of `length` mutations of `automaton`.
fn n_sequences(
    automaton: &Automaton,
    options: &MutationOptions,
    length: u8,
    effort: &mut CountingBudget,
) -> Result<u64, TooManyMutants> {
    let first = Mutations::of(automaton, options);
    if length <= 1 {
        return Ok(first.len());
    }
    let mut total = 0_u64;
    visit_first(automaton, options, &first, length, effort, &mut |n, [_, each]| {
        let all = n.checked_mul(each).and_then(|all| total.checked_add(all));
        total = all.ok_or(TooManyMutants::Number)?;
        Ok(())
    })?;
    Ok(total)
}

impl Numbering {
    pub fn new(
        automaton: &Automaton,
        options: &MutationOptions,
        order: Order,
        effort: &mut CountingBudget,
    ) -> Result<Self, TooManyMutants> {
        if n_rows(options, order).is_none_or(|n| n > MOST_ROWS) {
            return Err(TooManyMutants::Effort);
        }
        let first = Mutations::of(automaton, options);
        let mut numbering = Self {
            automaton: automaton.clone(),
            order,
            runs: Vec::new(),
            n_families: 0,
            len: 0,
            first: first.clone(),
        };
        if order == Order::FIRST {
            numbering.n_families = 1;
            numbering.len = first.len();
            return Ok(numbering);
        }
        visit_first(automaton, options, &first, order.number(), effort, &mut |n, counts| {
            numbering.push(n, counts)
        })?;
        Ok(numbering)
    }

    fn push(&mut self, n: u64, [n_families, n_sequences]: [u64; 2]) -> Result<(), TooManyMutants> {
        let (family, sequence) = (self.n_families, self.len);
        let raise = |total: u64, each: u64| {
            let all = n.checked_mul(each).and_then(|all| total.checked_add(all));
            all.ok_or(TooManyMutants::Number)
        };
        self.n_families = raise(family, n_families)?;
        self.len = raise(sequence, n_sequences)?;
        match self.runs.last_mut() {
            Some(run) if (run.n_families, run.n_sequences) == (n_families, n_sequences) => run.n += n,
            last => {
                let mutation = last.map_or(0, |run| run.mutation + run.n);
                self.runs.push(SequenceBlock {
                    mutation,
                    n,
                    family,
                    n_families,
                    sequence,
                    n_sequences,
                });
            }
        }
        Ok(())
    }

    pub fn len(&self) -> u64 {
        self.len
    }
    pub fn n_families(&self) -> u64 {
        self.n_families
    }
    pub fn first(&self) -> &Mutations {
        &self.first
    }

    /// The family of the sequence numbered `index`, and its position there. `below` caches the last look-up for the next
    /// one.
    pub fn locate(&self, options: &MutationOptions, index: u64, below: &mut Option<Box<Below>>) -> Option<(u64, u64)> {
        if index >= self.len {
            return None;
        }
        if self.order == Order::FIRST {
            return Some((0, index));
        }
        let after = self.runs.partition_point(|run| run.sequence <= index);
        // Empty runs share their start with the next one: the last run that starts at or before the index contains the
        // sequence.
        let run = self.runs[..after].last()?;
        let nth = (index - run.sequence) / run.n_sequences;
        let offset = (index - run.sequence) % run.n_sequences;
        let family = run.family + nth * run.n_families;
        if self.order == Order::SECOND {
            return Some((family, offset));
        }
        let below = self.below(options, run.mutation + nth, below)?;
        let (inner, position) = below.numbering.locate(options, offset, &mut below.below)?;
        Some((family + inner, position))
    }

    /// The numbers of the sequences of a family; `None` if there is no family of that number.
    pub fn range_of(
        &self,
        options: &MutationOptions,
        family: u64,
        below: &mut Option<Box<Below>>,
    ) -> Option<Range<u64>> {
        if family >= self.n_families {
            return None;
        }
        if self.order == Order::FIRST {
            return Some(0..self.len);
        }
        let after = self.runs.partition_point(|run| run.family <= family);
        let run = self.runs[..after].last()?;
        let nth = (family - run.family) / run.n_families;
        let start = run.sequence + nth * run.n_sequences;
        if self.order == Order::SECOND {
            return Some(start..start + run.n_sequences);
        }
        let below = self.below(options, run.mutation + nth, below)?;
        let offset = (family - run.family) % run.n_families;
        let inner = below.numbering.range_of(options, offset, &mut below.below)?;
        Some(start + inner.start..start + inner.end)
    }

    /// The sequences that begin with the first mutation of that number.
    fn below<'b>(
        &self,
        options: &MutationOptions,
        mutation: u64,
        below: &'b mut Option<Box<Below>>,
    ) -> Option<&'b mut Below> {
        if below.as_ref().is_none_or(|below| below.mutation != mutation) {
            let mutant = self.first.get(mutation)?.apply(&self.automaton);
            let order = self.order.before()?;
            *below = Some(Box::new(Below {
                mutation,
                // Counting all sequences has already cost more than this.
                numbering: Self::new(&mutant, options, order, &mut { CountingBudget::UNLIMITED }).ok()?,
                below: None,
            }));
        }
        below.as_deref_mut()
    }
}

/// The sequences that begin with one first mutation, with a cache of the last one among them.
#[derive(Clone, Debug)]
pub(super) struct Below {
    mutation: u64,
    numbering: Numbering,
    below: Option<Box<Below>>,
}

//! All mutants of one automaton of some order, numbered but never held.
//!
//! A mutant of order k is a sequence: a mutation of the automaton, then a mutation of that mutant, and so on (\[003\] section
//! 5.2). Sequences that differ in the last mutation only are a family; the families of order k are the sequences
//! of order k - 1, in the same order.

use std::ops::Range;
use std::sync::Arc;

use smallvec::SmallVec;

use super::numbering::{Below, CountingBudget, Numbering, TooManyMutants};
use super::{AppliedOperator, Mutation, MutationOptions, Mutations, Order};
use crate::model::Automaton;

/// The numbered mutants of one automaton.
#[derive(Clone, Debug)]
pub struct MutantSpace {
    base: Automaton,
    options: MutationOptions,
    order: Order,
    numbering: Numbering,
    /// The space of the mutants that the last mutations are applied to; `None` at order 1.
    families: Option<Box<Self>>,
}

impl MutantSpace {
    /// The mutants of `base`. At order 2 this costs one pass over the edges, and a step for each edge, location and
    /// constraint; each further order costs as much for each mutation (of added edges, for some or each pair of locations).
    ///
    /// # Errors
    /// If their number does not fit in 64 bits, or finding it takes too long.
    pub fn new(base: &Automaton, options: &MutationOptions, order: Order) -> Result<Self, TooManyMutants> {
        let families = match order.before() {
            Some(before) => Some(Box::new(Self::new(base, options, before)?)),
            None => None,
        };
        Ok(Self {
            base: base.clone(),
            options: options.clone(),
            order,
            numbering: Numbering::new(base, options, order, &mut { CountingBudget::SECONDS })?,
            families,
        })
    }

    /// The automaton the mutants are made from.
    pub fn base(&self) -> &Automaton {
        &self.base
    }
    /// The options that determine the mutations.
    pub fn options(&self) -> &MutationOptions {
        &self.options
    }
    /// The order of the mutants.
    pub fn order(&self) -> Order {
        self.order
    }
    /// Number of mutants (from order 2 on: sequences).
    pub fn len(&self) -> u64 {
        self.numbering.len()
    }
    /// Whether the space has no mutant.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// Number of families of siblings.
    pub fn n_families(&self) -> u64 {
        self.numbering.n_families()
    }

    /// The family of the mutant numbered `index`, and its position there; `None` past the end. Up to order 2 logarithmic in
    /// the number of edges, locations and constraints; for many mutants of higher order use a [`Locator`].
    pub fn locate(&self, index: u64) -> Option<(u64, u64)> {
        self.locator().locate(index)
    }
    /// A locator of mutants, fast if they are looked up in order.
    pub fn locator(&self) -> Locator<'_> {
        Locator {
            space: self,
            below: None,
            shared: None,
        }
    }
    /// The numbers of the mutants of a family.
    pub fn family_range(&self, family: u64) -> Range<u64> {
        let range = self.locator().family_range(family);
        range.unwrap_or(self.len()..self.len())
    }

    /// The mutants that share all mutations but the last; `None` past the end.
    pub fn siblings(&self, family: u64) -> Option<Siblings> {
        self.locator().siblings(family)
    }

    /// The number of the mutant with that id. Linear in the number of mutations of the automaton.
    pub fn number_of(&self, id: &str) -> Option<u64> {
        let Some(families) = &self.families else {
            let mut mutations = (0..).zip(self.numbering.first().iter());
            return mutations
                .find(|(_, mutation)| mutation.id(&self.base) == id)
                .map(|(number, _)| number);
        };
        // The id begins with the id of all mutations but the last; each `;` may be the end of that id.
        id.match_indices(';').rev().find_map(|(end, _)| {
            let family = families.number_of(&id[..end])?;
            let siblings = self.siblings(family)?;
            let mut lasts = (self.family_range(family).start..).zip(siblings.last().iter());
            lasts
                .find(|(_, last)| siblings.id(*last) == id)
                .map(|(number, _)| number)
        })
    }
}

/// Finds mutants of one space; caches the parts of the last one for the next.
#[derive(Clone, Debug)]
pub struct Locator<'s> {
    space: &'s MutantSpace,
    below: Option<Box<Below>>,
    /// A locator in the space of families, with the number and the siblings of the family it found last.
    shared: Option<Box<(Self, u64, Siblings)>>,
}

impl<'s> Locator<'s> {
    /// The family of the mutant numbered `index`, and its position there; `None` past the end.
    pub fn locate(&mut self, index: u64) -> Option<(u64, u64)> {
        let MutantSpace { numbering, options, .. } = self.space;
        numbering.locate(options, index, &mut self.below)
    }
    /// The numbers of the mutants of a family; `None` past the end.
    pub fn family_range(&mut self, family: u64) -> Option<Range<u64>> {
        let MutantSpace { numbering, options, .. } = self.space;
        numbering.range_of(options, family, &mut self.below)
    }

    /// The mutants that share all mutations but the last; `None` past the end.
    pub fn siblings(&mut self, family: u64) -> Option<Siblings> {
        let space = self.space;
        let Some(families) = &space.families else {
            return (family == 0).then(|| Siblings {
                steps: SmallVec::new(),
                prefix: String::new(),
                parent: Arc::new(space.base.clone()),
                last: space.numbering.first().clone(),
            });
        };
        let (shared, position) = self.shared_of(families, family)?;
        let mutation = shared.last.get(position)?;
        Some(shared.and_then(mutation, &space.options))
    }

    /// The family of the mutant of that number in `families`, and its position there.
    fn shared_of(&mut self, families: &'s MutantSpace, number: u64) -> Option<(&Siblings, u64)> {
        let (mut locator, known) = match self.shared.take() {
            Some(known) => (known.0, Some((known.1, known.2))),
            None => (families.locator(), None),
        };
        let (family, position) = locator.locate(number)?;
        let siblings = match known {
            Some((same, siblings)) if same == family => siblings,
            _ => locator.siblings(family)?,
        };
        let (_, _, siblings) = &**self.shared.insert(Box::new((locator, family, siblings)));
        Some((siblings, position))
    }
}

/// Mutants that share all mutations but the last: what is common to them is computed once.
#[derive(Clone, Debug)]
pub struct Siblings {
    /// The shared mutations, each with the automaton it is applied to.
    steps: SmallVec<[(Arc<Automaton>, Mutation); 2]>,
    /// The id that they begin with.
    prefix: String,
    parent: Arc<Automaton>,
    last: Mutations,
}

impl Siblings {
    /// The siblings that share `mutation` as well.
    fn and_then(&self, mutation: Mutation, options: &MutationOptions) -> Self {
        let parent = mutation.apply(&self.parent);
        let step = (Arc::clone(&self.parent), mutation);
        Self {
            steps: self.steps.iter().cloned().chain([step]).collect(),
            prefix: [&self.prefix, &*mutation.id(&self.parent), ";"].concat(),
            last: Mutations::of(&parent, options),
            parent: Arc::new(parent),
        }
    }
    /// The shared mutations, each of the automaton that the ones before it make of the base automaton; empty at order 1.
    pub fn prefix(&self) -> impl DoubleEndedIterator<Item = Mutation> + ExactSizeIterator + '_ {
        self.steps.iter().map(|(_, mutation)| *mutation)
    }
    /// The shared mutations, each with the automaton it is applied to.
    pub fn steps(&self) -> &[(Arc<Automaton>, Mutation)] {
        &self.steps
    }
    /// The automaton that the last mutations are applied to.
    pub fn parent(&self) -> &Arc<Automaton> {
        &self.parent
    }
    /// The mutations that tell the siblings apart.
    pub fn last(&self) -> &Mutations {
        &self.last
    }
    /// The mutant made by the last mutation `last`.
    pub fn mutant(&self, last: Mutation) -> Automaton {
        last.apply(&self.parent)
    }
    /// All mutations of the mutant made by the last mutation `last`, in order.
    pub fn mutations(&self, last: Mutation) -> Vec<Mutation> {
        self.prefix().chain([last]).collect()
    }
    /// Its id: the ids of its mutations, joined by `;`. Unique in the space.
    pub fn id(&self, last: Mutation) -> String {
        let mut id = String::with_capacity(self.prefix.len() + 48);
        self.push_id(last, &mut id);
        id
    }
    /// Appends the id of the mutant made by the last mutation `last` to `out`.
    pub fn push_id(&self, last: Mutation, out: &mut String) {
        out.push_str(&self.prefix);
        last.push_id(&self.parent, out);
    }
    /// Its operators, in order of application.
    pub fn operators(&self, last: Mutation) -> Vec<AppliedOperator> {
        let mutations = self.prefix().chain([last]);
        mutations.map(|mutation| mutation.applied()).collect()
    }
}

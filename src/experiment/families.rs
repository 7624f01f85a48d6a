//! The family engine in a run: families of siblings, decided by what their last mutation touches.

use std::sync::{Arc, OnceLock};

use rustc_hash::FxHashMap;

use crate::game::{Change, Evidence, Families, Family, How, Scratch, Specification, Verdict};
use crate::model::Automaton;
use crate::mutation::{MutantSpace, Mutation, Mutations, Order, Siblings, Site};

/// Which engine decides mutants. Both give the same verdicts.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Engine {
    /// All members of a family from what is known about the family; what that leaves open is played.
    Family,
    /// Each mutant is lowered and played on its own.
    #[default]
    Enumerate,
}

/// Most first-order mutants about which evidence is kept for other mutants.
const MOST_KEPT: u64 = 1 << 20;

/// The families of one specification's mutants.
pub(super) struct FamilyEngine<'a> {
    base: &'a Automaton,
    families: &'a Families<'a>,
    /// At order 2, the number of each first-order mutation.
    numbers: FxHashMap<Mutation, u32>,
    /// What the game told about each first-order mutant, found when first asked for.
    evidence: Vec<OnceLock<Option<Arc<Evidence>>>>,
}

impl<'a> FamilyEngine<'a> {
    pub fn new(space: &'a MutantSpace, families: &'a Families<'a>) -> Self {
        let mut engine = Self {
            base: space.base(),
            families,
            numbers: FxHashMap::default(),
            evidence: Vec::new(),
        };
        let first = Mutations::of(space.base(), space.options());
        if space.order() == Order::Second && first.len() <= MOST_KEPT {
            engine.numbers = (0..)
                .zip(first.iter())
                .map(|(number, mutation)| (mutation, number))
                .collect();
            engine.evidence.resize_with(engine.numbers.len(), OnceLock::new);
        }
        engine
    }

    /// The specification's mutants as families, if the game allows it.
    pub fn families_of(specification: &Specification) -> Option<Families<'_>> {
        Families::of(specification).ok().flatten()
    }

    /// The family of `siblings`; none where they must be lowered one by one.
    pub fn family(&self, siblings: &Siblings, scratch: &mut Scratch) -> Option<Family<'_>> {
        let original = self.families.original();
        match siblings.prefix() {
            None => Some(original),
            Some(first) => original.child(&change(&first, self.base)?, self.evidence_of(&first, scratch)),
        }
    }

    /// What the game tells about the mutant that `mutation` makes of the specification.
    fn evidence_of(&self, mutation: &Mutation, scratch: &mut Scratch) -> Option<Arc<Evidence>> {
        let number = *self.numbers.get(mutation)? as usize;
        let found = self.evidence[number].get_or_init(|| {
            let mut original = self.families.original();
            let (_, _, evidence) = original.investigate(&change(mutation, self.base)?, scratch)?;
            evidence.map(Arc::new)
        });
        found.clone()
    }

    /// The verdict on the member of `family` that `last` makes, and how it came about; none where it must be lowered
    /// on its own.
    pub fn decide(
        &self,
        (family, siblings): (&mut Family<'_>, &Siblings),
        last: &Mutation,
        scratch: &mut Scratch,
    ) -> Option<(Verdict, How)> {
        let change = change(last, siblings.parent())?;
        let hint = siblings
            .prefix()
            .and_then(|first| last.on_original(&first, self.base))
            .and_then(|alone| self.evidence_of(&alone, scratch));
        family.decide(&change, hint.as_deref().as_slice(), scratch)
    }
}

/// A mutation of `automaton` as the game room sees it; none if it is no mutation of that automaton.
pub fn change(mutation: &Mutation, automaton: &Automaton) -> Option<Change> {
    Some(match *mutation {
        Mutation::RemoveEdge { edge } => Change::RemoveEdge(edge),
        Mutation::AddEdge {
            source,
            target,
            role,
            cloned,
        } => Change::AddEdge {
            source,
            target,
            role,
            like: cloned,
        },
        Mutation::RemoveLocation { location } => Change::RemoveLocation(location),
        Mutation::LargerConstant { .. } | Mutation::SmallerConstant { .. } | Mutation::NegateGuard { .. } => {
            let guard = mutation.new_guard(automaton)?;
            match mutation.constraint()?.site {
                Site::Guard(edge) => Change::Guard(edge, guard),
                Site::Invariant(location) => Change::Invariant(location, guard),
            }
        }
    })
}

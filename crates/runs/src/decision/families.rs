//! The family engine in a run: siblings are decided from the part of the game that their last mutation affects.

use std::sync::{Arc, OnceLock};

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use tamper_game::{Change, Evidence, Families, Family, How, Scratch, Specification, Verdict};
use tamper_text::Id as _;
use tamper_timed::model::{Automaton, Role};
use tamper_timed::mutation::{MutantSpace, Mutation, Mutations, Order, Siblings, Site};

/// The engine that decides mutants. Both engines give the same verdicts.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Engine {
    /// Decides all members of a family from facts about the family, and plays a game only for the members left open.
    Family,
    /// Lowers and plays each mutant separately.
    #[default]
    Enumerate,
}

/// Largest number of first-order mutants for which evidence is kept for other mutants.
const MOST_KEPT: u64 = 1 << 20;

/// The families of a specification's mutants.
pub(crate) struct FamilyEngine<'a> {
    base: &'a Automaton,
    families: &'a Families<'a>,
    /// Number of each first-order mutation; filled from order 2 on.
    numbers: FxHashMap<Mutation, u32>,
    /// Evidence from the game of each first-order mutant, computed when first needed.
    evidence: Vec<OnceLock<Option<Arc<Evidence>>>>,
    /// At order 1, for each location, evidence from the game with an output added there that leads back to it, computed
    /// when first needed. If the specification cannot answer the output, its target does not matter.
    added: Vec<OnceLock<Option<Arc<Evidence>>>>,
}

/// State that one thread keeps between decisions.
#[derive(Default)]
pub(crate) struct Workspace<'f> {
    pub scratch: Scratch,
    /// The family of all shared mutations but the last, cached from the previous lookup.
    shared: Option<(Vec<Mutation>, Family<'f>)>,
}

impl<'a> FamilyEngine<'a> {
    pub fn new(space: &'a MutantSpace, families: &'a Families<'a>) -> Self {
        let mut engine = Self {
            base: space.base(),
            families,
            numbers: FxHashMap::default(),
            evidence: Vec::new(),
            added: Vec::new(),
        };
        if space.order() == Order::FIRST {
            engine.added.resize_with(space.base().locations().len(), OnceLock::new);
        }
        let first = Mutations::of(space.base(), space.options());
        if space.order() > Order::FIRST && first.len() <= MOST_KEPT {
            engine.numbers = (0..)
                .zip(first.iter())
                .map(|(number, mutation)| (mutation, number))
                .collect();
            engine.evidence.resize_with(engine.numbers.len(), OnceLock::new);
        }
        engine
    }

    /// The specification's mutants as families; `None` if the game does not allow it.
    pub fn families_of(specification: &Specification) -> Option<Families<'_>> {
        Families::of(specification).ok().flatten()
    }

    /// The family of `siblings`; `None` if they must be lowered one by one.
    pub fn family<'f>(&'f self, siblings: &Siblings, space: &mut Workspace<'f>) -> Option<Family<'f>> {
        let Some(earlier) = siblings.steps().len().checked_sub(1) else {
            return Some(self.families.original());
        };
        let is_it = |(known, _): &(Vec<Mutation>, _)| siblings.prefix().take(earlier).eq(known.iter().copied());
        if !space.shared.as_ref().is_some_and(is_it) {
            let mut family = self.families.original();
            for at in 0..earlier {
                family = self.child(&family, siblings, at, &mut space.scratch)?;
            }
            space.shared = Some((siblings.prefix().take(earlier).collect(), family));
        }
        let (_, shared) = space.shared.as_ref()?;
        self.child(shared, siblings, earlier, &mut space.scratch)
    }

    /// The child of `family` by the shared mutation at position `at`.
    fn child<'f>(
        &self,
        family: &Family<'f>,
        siblings: &Siblings,
        at: usize,
        scratch: &mut Scratch,
    ) -> Option<Family<'f>> {
        let (game, mutation) = &siblings.steps()[at];
        let alone = self.on_base(mutation, &siblings.steps()[..at]);
        let evidence = alone.and_then(|alone| self.evidence_of(&alone, scratch));
        family.child(&change(mutation, game)?, evidence.cloned())
    }

    /// The mutation of the specification that corresponds to `mutation` without the `earlier` ones; `None` if they
    /// created its place, or if no evidence is kept.
    fn on_base(&self, mutation: &Mutation, earlier: &[(Arc<Automaton>, Mutation)]) -> Option<Mutation> {
        if self.evidence.is_empty() {
            return None;
        }
        let mut earlier = earlier.iter().rev();
        earlier.try_fold(*mutation, |later, (game, mutation)| later.on_original(mutation, game))
    }

    /// Evidence from the game of the first-order mutant that `mutation` makes.
    fn evidence_of(&self, mutation: &Mutation, scratch: &mut Scratch) -> Option<&Arc<Evidence>> {
        let number = *self.numbers.get(mutation)? as usize;
        let found = self.evidence[number].get_or_init(|| {
            let mut original = self.families.original();
            let (_, _, evidence) = original.investigate(&change(mutation, self.base)?, scratch)?;
            evidence.map(Arc::new)
        });
        found.as_ref()
    }

    /// Evidence from a similar output, added at the same location and leading back to it; `None` if `mutation` adds no
    /// output.
    fn evidence_alike(&self, mutation: &Mutation, scratch: &mut Scratch) -> Option<&Arc<Evidence>> {
        let Mutation::AddEdge {
            source,
            role: Role::Output,
            cloned,
            ..
        } = *mutation
        else {
            return None;
        };
        let found = self.added.get(source.index())?.get_or_init(|| {
            let change = Change::AddEdge {
                source,
                target: source,
                role: Role::Output,
                like: cloned,
            };
            let (_, _, evidence) = self.families.original().investigate(&change, scratch)?;
            evidence.map(Arc::new)
        });
        found.as_ref()
    }

    /// The verdict on the member of `family` that `last` makes, and the way it was decided; `None` if the member must
    /// be lowered separately.
    pub fn decide(
        &self,
        family: &mut Family<'_>,
        siblings: &Siblings,
        last: &Mutation,
        scratch: &mut Scratch,
    ) -> Option<(Verdict, How)> {
        let change = change(last, siblings.parent())?;
        let alone = self.on_base(last, siblings.steps());
        let hint = match alone {
            Some(alone) => self.evidence_of(&alone, scratch),
            None => self.evidence_alike(last, scratch),
        };
        family.decide(&change, hint.map(|hint| &**hint).as_slice(), scratch)
    }
}

/// A mutation of `automaton` in the terms of the game crate; `None` if it is no mutation of that automaton, or its
/// operator is not one of the basic six, whose mutants are lowered one by one.
pub fn change(mutation: &Mutation, automaton: &Automaton) -> Option<Change> {
    Some(match *mutation {
        Mutation::RemoveEdge { edge } => Change::RemoveEdge(edge),
        Mutation::Alter { .. } | Mutation::Again(_) => return None,
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

//! The products of a family as games that share an automaton.

use smallvec::SmallVec;

use crate::symbolic::{
    Atom, FamilyMembers, GameError, Halt, Lowering, ProductSetAlgebra, SharedArena, Variant, Variants, checked,
    expand_reached, push_atoms,
};
use tamper_features::{FeatureExpr, ProductSets};
use tamper_text::{Budget, IndexVec, StopReason};
use tamper_timed::featured::FeaturedAutomaton;
use tamper_timed::model::{ActionId, Automaton, EdgeId, LocId, Urgency, Valuation};

/// Sets of products as groups of games.
pub(super) struct Sets<'s, S>(pub &'s mut S);

impl<S: ProductSets> Sets<'_, S> {
    fn if_any(&self, set: S::Set) -> Option<S::Set> {
        (!self.0.is_empty(&set)).then_some(set)
    }
}

impl<S: ProductSets> ProductSetAlgebra for Sets<'_, S> {
    type Group = S::Set;
    fn both(&mut self, first: &S::Set, second: &S::Set) -> Result<Option<S::Set>, StopReason> {
        let both = self.0.and(first, second)?;
        Ok(self.if_any(both))
    }
    fn either(&mut self, first: &S::Set, second: &S::Set) -> Result<S::Set, StopReason> {
        self.0.or(first, second)
    }
    fn beyond(&mut self, first: &S::Set, second: &S::Set) -> Result<Option<S::Set>, StopReason> {
        let beyond = self.0.minus(first, second)?;
        Ok(self.if_any(beyond))
    }
}

/// The result of lowering all products at once.
pub(super) struct Lowered<Set> {
    pub shared: SharedArena<Set>,
    /// Products that must be decided alone, because of faults that runs may reach or urgent channels.
    pub alone: Set,
    /// Per action, the products with the action in their alphabet.
    pub alphabet: IndexVec<ActionId, Set>,
}

/// Lowers all products. Nodes are made for all states that runs of some product reach, or more.
///
/// # Errors
/// The budget, and differences of clocks that cannot be told apart from others.
pub(super) fn lower<S: ProductSets>(
    featured: &FeaturedAutomaton,
    sets: &mut S,
    budget: &Budget,
) -> Result<Lowered<S::Set>, Halt> {
    let mut alone = sets.none();
    for (_, when) in featured.faults() {
        let faulty = sets.holding(&when)?;
        let faulty = sets.and(&sets.all(), &faulty)?;
        alone = sets.or(&alone, &faulty)?;
    }
    let sets = Sets(sets);
    let products = Products { featured, sets, alone };
    let mut lowering = Lowering::of(featured.automaton(), products)?;
    expand_reached(&mut lowering, budget)?;
    let (shared, products) = lowering.finish_shared();
    let mut alphabet = IndexVec::new();
    for when in &featured.conditions().actions {
        alphabet.push(products.sets.0.holding(when)?);
    }
    Ok(Lowered {
        shared,
        alone: products.alone,
        alphabet,
    })
}

/// All products of a family, some of which are set aside.
struct Products<'s, S: ProductSets> {
    featured: &'s FeaturedAutomaton,
    sets: Sets<'s, S>,
    alone: S::Set,
}

impl<S: ProductSets> ProductSetAlgebra for Products<'_, S> {
    type Group = S::Set;
    fn both(&mut self, first: &S::Set, second: &S::Set) -> Result<Option<S::Set>, StopReason> {
        self.sets.both(first, second)
    }
    fn either(&mut self, first: &S::Set, second: &S::Set) -> Result<S::Set, StopReason> {
        self.sets.either(first, second)
    }
    fn beyond(&mut self, first: &S::Set, second: &S::Set) -> Result<Option<S::Set>, StopReason> {
        self.sets.beyond(first, second)
    }
}

impl<S: ProductSets> FamilyMembers for Products<'_, S> {
    const IS_ONE: bool = false;

    fn initial(&mut self, _: &Automaton) -> Result<Vec<(LocId, S::Set)>, Halt> {
        let mut initial = Vec::new();
        for (when, location) in &self.featured.conditions().initial {
            initial.push((*location, self.sets.0.holding(when)?));
        }
        Ok(initial)
    }

    fn variants(&mut self, automaton: &Automaton, location: LocId, values: &[i32]) -> Result<Variants<S::Set>, Halt> {
        let conditions = self.featured.conditions();
        let mut variants = self.by_urgency(location)?;
        let invariant = &automaton.locations()[location].invariant;
        let own = &conditions.invariants[location];
        let valuation = Valuation {
            ints: values,
            selects: &[],
        };
        for (condition, when) in invariant.data.iter().zip(&own.data) {
            match condition.eval(valuation) {
                Ok(0) => variants = self.without(variants, when)?,
                Ok(_) => {}
                Err(_) => self.set_aside(when)?,
            }
        }
        for (constraint, when) in invariant.clocks.iter().zip(&own.clocks) {
            let place = || String::new();
            let constant = constraint.bound.bound(valuation).ok();
            match constant.and_then(|constant| checked(constant, &place).ok()) {
                Some(constant) => {
                    let mut atoms = Vec::new();
                    push_atoms(constraint, constant, &mut atoms);
                    variants = self.with(variants, when, &atoms)?;
                }
                None => self.set_aside(when)?,
            }
        }
        Ok(variants)
    }

    fn having(&mut self, edge: EdgeId, group: &S::Set) -> Result<Option<(S::Set, S::Set)>, Halt> {
        let when = self.sets.0.holding(&self.featured.edge_condition(edge))?;
        let having = self.both(group, &when)?;
        Ok(having.map(|products| (products, when)))
    }

    /// These products are decided alone.
    fn refuse(&mut self, _: GameError, products: &S::Set) -> Result<(), Halt> {
        self.alone = self.either(&self.alone.clone(), products)?;
        Ok(())
    }

    fn remaining(&mut self, products: &S::Set) -> Result<Option<S::Set>, Halt> {
        Ok(self.sets.beyond(products, &self.alone)?)
    }
}

impl<S: ProductSets> Products<'_, S> {
    fn by_urgency(&mut self, location: LocId) -> Result<Variants<S::Set>, Halt> {
        let conditions = self.featured.conditions();
        let sets = &mut *self.sets.0;
        let there = sets.holding(&conditions.locations[location])?;
        let there = sets.and(&sets.all(), &there)?;
        let mut urgent = sets.none();
        for (when, urgency) in &conditions.urgency[location] {
            if *urgency != Urgency::Normal {
                let when = sets.holding(when)?;
                urgent = sets.or(&urgent, &when)?;
            }
        }
        let mut variants = SmallVec::new();
        let halves = [
            (self.beyond(&there, &urgent)?, false),
            (self.both(&there, &urgent)?, true),
        ];
        for (products, urgent) in halves {
            variants.extend(products.map(|group| Variant {
                group,
                urgent,
                invariant: Vec::new(),
            }));
        }
        Ok(variants)
    }

    /// The variants of the products for which `when` does not hold.
    fn without(&mut self, variants: Variants<S::Set>, when: &FeatureExpr) -> Result<Variants<S::Set>, Halt> {
        let when = self.sets.0.holding(when)?;
        let mut kept = SmallVec::new();
        for variant in variants {
            let group = self.beyond(&variant.group, &when)?;
            kept.extend(group.map(|group| Variant { group, ..variant }));
        }
        Ok(kept)
    }

    /// The variants, with `more` atoms for the products for which `when` holds.
    fn with(
        &mut self,
        variants: Variants<S::Set>,
        when: &FeatureExpr,
        more: &[Atom],
    ) -> Result<Variants<S::Set>, Halt> {
        let when = self.sets.0.holding(when)?;
        let mut split = SmallVec::new();
        for variant in variants {
            if let Some(group) = self.both(&variant.group, &when)? {
                split.push(Variant {
                    group,
                    urgent: variant.urgent,
                    invariant: [variant.invariant.as_slice(), more].concat(),
                });
            }
            let group = self.beyond(&variant.group, &when)?;
            split.extend(group.map(|group| Variant { group, ..variant }));
        }
        Ok(split)
    }

    /// Sets the products for which `when` holds aside, to be decided alone.
    fn set_aside(&mut self, when: &FeatureExpr) -> Result<(), Halt> {
        let all = self.sets.0.all();
        let when = self.sets.0.holding(when)?;
        let when = self.sets.0.and(&all, &when)?;
        self.alone = self.sets.0.or(&self.alone, &when)?;
        Ok(())
    }
}

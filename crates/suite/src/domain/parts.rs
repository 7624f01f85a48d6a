//! The parts of a family, each with the set of products that have it.

use tamper_features::{DiagramSet, Diagrams, FeatureExpr, Product, ProductSets as _};
use tamper_text::{Budget, IndexVec, StopReason};
use tamper_timed::featured::FeaturedAutomaton;
use tamper_timed::model::{ActionId, EdgeId, LocId, Urgency};

pub(super) type Set = DiagramSet;

/// The sets of products that have the conjuncts of an invariant.
#[derive(Clone, Debug)]
pub(super) struct ConjunctSets {
    pub clocks: Vec<Set>,
    pub data: Vec<Set>,
}

/// The conditions of a family as sets. The sets may contain feature sets that are not products: all computations start from sets of products.
#[derive(Clone, Debug)]
pub(super) struct FamilySets {
    pub sets: Diagrams,
    /// For each edge, the products that have it with both its ends.
    pub edges: IndexVec<EdgeId, Set>,
    pub invariants: IndexVec<LocId, ConjunctSets>,
    pub urgency: IndexVec<LocId, Vec<(Set, Urgency)>>,
    pub actions: IndexVec<ActionId, Set>,
    pub initial: Vec<(Set, LocId)>,
}

impl FamilySets {
    /// The budget's states are the nodes of all diagrams.
    pub fn of(family: &FeaturedAutomaton, budget: &Budget) -> Result<Self, StopReason> {
        let mut sets = Diagrams::of(family.model(), budget)?;
        let conditions = family.conditions();
        let mut holding = |when: &FeatureExpr| sets.holding(when);
        let edges = family.automaton().edges().ids();
        let edges = edges
            .map(|edge| holding(&family.edge_condition(edge)))
            .collect::<Result<_, _>>()?;
        let mut invariants = IndexVec::default();
        for invariant in &conditions.invariants {
            invariants.push(ConjunctSets {
                clocks: invariant.clocks.iter().map(&mut holding).collect::<Result<_, _>>()?,
                data: invariant.data.iter().map(&mut holding).collect::<Result<_, _>>()?,
            });
        }
        let mut urgency = IndexVec::default();
        for list in &conditions.urgency {
            let sets = list.iter().map(|(when, urgency)| Ok((holding(when)?, *urgency)));
            urgency.push(sets.collect::<Result<_, StopReason>>()?);
        }
        let initial = conditions.initial.iter();
        let initial: Vec<(Set, LocId)> = initial
            .map(|(when, location)| Ok((holding(when)?, *location)))
            .collect::<Result<_, StopReason>>()?;
        Ok(Self {
            edges,
            invariants,
            urgency,
            actions: conditions.actions.iter().map(&mut holding).collect::<Result<_, _>>()?,
            initial,
            sets,
        })
    }

    /// The classes, each split into the products with `condition` and the products without it.
    pub fn decided(&mut self, classes: Vec<Set>, condition: Set) -> Result<Vec<Set>, StopReason> {
        let mut split = Vec::with_capacity(classes.len());
        for class in classes {
            let halves = [self.sets.and(&class, &condition)?, self.sets.minus(&class, &condition)?];
            split.extend(halves.into_iter().filter(|half| !self.sets.is_empty(half)));
        }
        Ok(split)
    }
    /// The classes, split by the invariant of the location.
    pub fn decided_invariant(&mut self, classes: Vec<Set>, location: LocId) -> Result<Vec<Set>, StopReason> {
        let conjuncts = &self.invariants[location];
        let conditions: Vec<Set> = conjuncts.clocks.iter().chain(&conjuncts.data).copied().collect();
        conditions
            .into_iter()
            .try_fold(classes, |classes, condition| self.decided(classes, condition))
    }
    /// The group, split by the invariant and the urgency of the location.
    pub fn decided_here(&mut self, group: Set, location: LocId) -> Result<Vec<Set>, StopReason> {
        let urgency: Vec<Set> = self.urgency[location].iter().map(|(when, _)| *when).collect();
        let classes = self.decided_invariant(vec![group], location)?;
        urgency
            .into_iter()
            .try_fold(classes, |classes, condition| self.decided(classes, condition))
    }
    /// Whether the class, whose products agree on `condition`, satisfies it.
    pub fn has(&mut self, class: Set, condition: Set) -> Result<bool, StopReason> {
        let both = self.sets.and(&class, &condition)?;
        Ok(!self.sets.is_empty(&both))
    }
    /// The products of the group that agree with `product` on `condition`.
    pub fn like(&mut self, group: Set, condition: Set, product: &Product) -> Result<Set, StopReason> {
        match self.sets.contains(&condition, product) {
            true => self.sets.and(&group, &condition),
            false => self.sets.minus(&group, &condition),
        }
    }

    /// Forgets all sets except the parts' sets and `others`, which get new names.
    pub fn keep(&mut self, others: &mut [&mut Set]) {
        let invariants = self.invariants.iter_mut();
        let conjuncts = invariants.flat_map(|conjuncts| conjuncts.clocks.iter_mut().chain(&mut conjuncts.data));
        let urgency = self.urgency.iter_mut().flatten().map(|(when, _)| when);
        let initial = self.initial.iter_mut().map(|(when, _)| when);
        let own = self.edges.iter_mut().chain(self.actions.iter_mut()).chain(conjuncts);
        let own = own.chain(urgency).chain(initial);
        let mut kept: Vec<&mut Set> = own.chain(others.iter_mut().map(|set| &mut **set)).collect();
        self.sets.keep(&mut kept);
    }
}

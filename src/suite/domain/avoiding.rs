//! Products that can always avoid to fail, many at a time.

use std::collections::BTreeSet;

use super::around::{Around, EdgePresence};
use super::parts::{Parts, Set};
use crate::featured::{Conditions, FeaturedAutomaton};
use crate::features::FeatureExpr;
use crate::model::{Automaton, AutomatonBuilder, Edge, EdgeId, Guard, LocId, Location, Role, Urgency};
use crate::suite::Subject;
use crate::suite::definite::Solution;
use crate::suite::error::SuiteFailure;
use crate::suite::pairing::Pairing;
use crate::text::{IndexVec, StopReason};

impl Around<'_> {
    /// Products that can avoid to fail, this one (which can) among them.
    ///
    /// As many edges as possible are set free: a free output is taken for one that fails, wherever it leads, so that
    /// the product gains nothing by it, and is not excused by silence where it has it; a free input is taken for
    /// refused. If it still avoids to fail, then so does every product with the other edges, whichever of the free ones
    /// it has, by doing the same.
    pub fn avoiding(&self, parts: &mut Parts) -> Result<Set, SuiteFailure> {
        let own = self.own();
        let explored = self.explored(&own);
        let candidates: Vec<EdgeId> = self.leaving(&explored).filter(|id| self.can_be_free(*id)).collect();
        let mut free = BTreeSet::new();
        self.release(&own, &mut free, &candidates)?;
        let kept: BTreeSet<EdgeId> = own.difference(&free).copied().collect();
        let fate = |id| match (free.contains(&id), kept.contains(&id)) {
            (true, _) => EdgePresence::Free,
            (false, true) => EdgePresence::Kept,
            // A further answer to an input need not be given.
            (false, false) if self.role(id) == Role::Input && !self.ignores_inputs() => EdgePresence::Free,
            (false, false) => EdgePresence::Absent,
        };
        Ok(self.alike(&self.explored(&kept), &kept, fate, parts)?)
    }

    /// Products that are the same to a tester.
    pub fn same(&self, parts: &mut Parts) -> Result<Set, StopReason> {
        let own = self.own();
        let fate = |id| match own.contains(&id) {
            true => EdgePresence::Kept,
            false => EdgePresence::Absent,
        };
        self.alike(&self.explored(&own), &own, fate, parts)
    }

    fn ignores_inputs(&self) -> bool {
        self.featured.automaton().is_input_enabled()
    }
    fn can_be_free(&self, edge: EdgeId) -> bool {
        let is_input = self.role(edge) == Role::Input;
        let matters = self.has(edge) && self.is_expected(edge) && !self.ignores_inputs();
        !self.is_urgent(edge) && (!is_input || matters)
    }

    /// Sets as many of `more` free as it can do without: all, or by halves.
    fn release(
        &self,
        own: &BTreeSet<EdgeId>,
        free: &mut BTreeSet<EdgeId>,
        more: &[EdgeId],
    ) -> Result<(), SuiteFailure> {
        if more.is_empty() {
            return Ok(());
        }
        let wider: BTreeSet<EdgeId> = free.iter().chain(more).copied().collect();
        if self.avoids(own, &wider)? {
            *free = wider;
        } else if more.len() > 1 {
            let (first, second) = more.split_at(more.len() / 2);
            self.release(own, free, first)?;
            self.release(own, free, second)?;
        }
        Ok(())
    }

    /// Whether it avoids to fail without these edges, which fail where they are outputs.
    fn avoids(&self, own: &BTreeSet<EdgeId>, free: &BTreeSet<EdgeId>) -> Result<bool, SuiteFailure> {
        let Some(mutant) = self.with_free(own, free) else {
            return Ok(false);
        };
        let subject = match Subject::new(&mutant, self.budget) {
            Err(SuiteFailure::Game(_)) => return Ok(false),
            subject => subject?,
        };
        let pairing = Pairing::new(self.tester.spec(), &subject);
        Ok(!Solution::compute(&pairing, self.budget)?.is_won())
    }

    /// The product without the free edges, the outputs among them replaced by ones that the specification never makes.
    fn with_free(&self, own: &BTreeSet<EdgeId>, free: &BTreeSet<EdgeId>) -> Option<Automaton> {
        let whole = self.featured.automaton();
        let constant = |holds| if holds { FeatureExpr::True } else { FeatureExpr::False };
        let kept = |id: EdgeId| constant(own.contains(&id) && !free.contains(&id));
        let conditions = Conditions {
            edges: whole.edges().ids().map(kept).collect(),
            ..self.featured.conditions().clone()
        };
        let without = FeaturedAutomaton::new(whole.clone(), self.featured.model().clone(), conditions);
        let without = without.expect("the conditions have the superposition's shape");
        let without = without.project(self.product).ok()?;
        let mut builder = copy(&without);
        let anywhere = builder.location(Location {
            name: "anywhere".into(),
            invariant: Guard::always(),
            urgency: Urgency::Normal,
        });
        let mut name = "anything".to_owned();
        let known = |name: &str| {
            self.tester
                .automaton()
                .actions()
                .iter()
                .any(|action| *action.name == *name)
        };
        while known(&name) {
            name.push('_');
        }
        let anything = builder.action(&name, Role::Output, false);
        // The locations that are there keep their order.
        let mut ids = without.locations().ids();
        let conditions = self.featured.conditions().locations.iter();
        let places = conditions.map(|when| when.holds(self.product).then(|| ids.next()).flatten());
        let places: IndexVec<LocId, Option<LocId>> = places.collect();
        for id in free.iter().filter(|id| self.role(**id) != Role::Input) {
            let edge = &whole.edges()[*id];
            builder.edge(Edge {
                source: places[edge.source]?,
                target: anywhere,
                action: anything,
                updates: Vec::new(),
                ..(**edge).clone()
            });
        }
        builder.build().ok()
    }
}

fn copy(automaton: &Automaton) -> AutomatonBuilder {
    let mut builder = AutomatonBuilder::new(automaton.name());
    for clock in automaton.clocks() {
        builder.clock(std::sync::Arc::clone(&clock.name));
    }
    for int in automaton.ints() {
        builder.int(int.clone());
    }
    for action in automaton.actions() {
        builder.action(&action.name, action.role, action.urgent);
    }
    for location in automaton.locations() {
        builder.location((**location).clone());
    }
    for edge in automaton.edges() {
        builder.edge((**edge).clone());
    }
    builder.input_enabled(automaton.is_input_enabled());
    builder.initial(automaton.initial());
    builder
}

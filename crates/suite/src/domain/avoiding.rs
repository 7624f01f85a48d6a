//! Classes of products that can always avoid failing.

use std::collections::BTreeSet;

use super::around::{Around, EdgePresence, constant, widen};
use super::parts::{FamilySets, Set};
use crate::definite::DefiniteSolution;
use crate::error::SuiteFailure;
use crate::pairing::Pairing;
use tamper_text::{IndexVec, StopReason};
use tamper_timed::featured::Conditions;
use tamper_timed::model::{Action, Automaton, Edge, EdgeId, Guard, LocId, Location, Role, Urgency};

impl Around<'_> {
    /// Products that can avoid failing; this one, which can, is among them.
    ///
    /// As many edges as possible are set free. A free output is taken for one that fails, wherever it leads, so the product gains
    /// nothing by it, and cannot be excused by silence where the output is possible; a free input is taken for refused. If the
    /// product still avoids failing, then so does every product with the other edges, whichever of the free ones it has, by doing
    /// the same.
    pub fn avoiding(&self, parts: &mut FamilySets) -> Result<Set, SuiteFailure> {
        let own = self.own();
        let explored = self.explored(&own);
        let candidates: Vec<EdgeId> = self.leaving(&explored).filter(|id| self.can_be_free(*id)).collect();
        let mut free = BTreeSet::new();
        widen(&mut free, &candidates, &|free| self.avoids(&own, free))?;
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

    /// The products that a tester cannot tell from this one.
    pub fn same(&self, parts: &mut FamilySets) -> Result<Set, StopReason> {
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

    /// Whether the product avoids failing without the free edges; free outputs fail.
    fn avoids(&self, own: &BTreeSet<EdgeId>, free: &BTreeSet<EdgeId>) -> Result<bool, SuiteFailure> {
        let Some(subject) = self.subject(self.with_free(own, free))? else {
            return Ok(false);
        };
        let pairing = Pairing::new(self.tester.spec(), &subject);
        Ok(!DefiniteSolution::compute(&pairing, self.budget)?.is_won())
    }

    /// The product without the free edges, the outputs among them replaced by outputs that the specification never makes.
    fn with_free(&self, own: &BTreeSet<EdgeId>, free: &BTreeSet<EdgeId>) -> Option<Automaton> {
        let whole = self.featured.automaton();
        let kept = |id: EdgeId| constant(own.contains(&id) && !free.contains(&id));
        let without = self.under(Conditions {
            edges: whole.edges().ids().map(kept).collect(),
            ..self.featured.conditions().clone()
        })?;
        let fresh = |name: &str, is_taken: &dyn Fn(&str) -> bool| {
            let mut name = name.to_owned();
            while is_taken(&name) {
                name.push('_');
            }
            name.into()
        };
        let (with_place, anywhere) = without.with_new_location(Location {
            name: fresh("anywhere", &|name| {
                without.locations().iter().any(|known| *known.name == *name)
            }),
            invariant: Guard::always(),
            urgency: Urgency::Normal,
        });
        let actions = self.tester.automaton().actions();
        let (mut mutant, anything) = with_place.with_action(Action {
            name: fresh("anything", &|name| actions.iter().any(|known| *known.name == *name)),
            role: Role::Output,
            urgent: false,
        });
        // The remaining locations keep their order.
        let mut ids = without.locations().ids();
        let conditions = self.featured.conditions().locations.iter();
        let places = conditions.map(|when| when.holds(self.product).then(|| ids.next()).flatten());
        let places: IndexVec<LocId, Option<LocId>> = places.collect();
        for id in free.iter().filter(|id| self.role(**id) != Role::Input) {
            let edge = &whole.edges()[*id];
            mutant = mutant.with_new_edge(Edge {
                source: places[edge.source]?,
                target: anywhere,
                action: anything,
                updates: Vec::new(),
                ..(**edge).clone()
            });
        }
        Some(mutant)
    }
}

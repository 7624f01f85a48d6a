//! Classes of products that conform.

use std::collections::BTreeSet;

use super::around::{Around, EdgePresence, constant, widen};
use super::parts::{FamilySets, Set};
use crate::error::SuiteFailure;
use crate::{Pick, Potential, Style};
use tamper_features::FeatureExpr;
use tamper_timed::featured::Conditions;
use tamper_timed::model::{EdgeId, Role};

impl Around<'_> {
    /// Products that conform, this one among them.
    ///
    /// The product's outputs are first joined by as many other edges with outputs of the superposition as possible without a
    /// visible difference; the result is no product, but conforms. All products with the same invariants and inputs in the part
    /// that it explores, and with no other outputs there, can do nothing that it cannot. (Edges on urgent channels, which stop
    /// time, are kept as they are in the product.)
    pub fn conforming(&self, parts: &mut FamilySets) -> Result<Set, SuiteFailure> {
        let mut edges = self.own();
        // The explored part grows with the edges, so this is repeated until no further edge can join.
        loop {
            let explored = self.explored(&edges);
            let leaving = self.leaving(&explored);
            let candidates: Vec<EdgeId> = leaving.filter(|id| self.can_join(*id, &edges)).collect();
            let before = edges.len();
            widen(&mut edges, &candidates, &|edges| self.conforms(edges))?;
            if edges.len() == before {
                let fate = |id| match (edges.contains(&id), self.role(id)) {
                    (false, _) => EdgePresence::Absent,
                    (true, Role::Input) => EdgePresence::Kept,
                    (true, _) => EdgePresence::Free,
                };
                return Ok(self.alike(&explored, &edges, fate, parts)?);
            }
        }
    }

    fn can_join(&self, edge: EdgeId, edges: &BTreeSet<EdgeId>) -> bool {
        self.role(edge) != Role::Input && !self.is_urgent(edge) && self.has_ends(edge) && !edges.contains(&edge)
    }

    fn conforms(&self, edges: &BTreeSet<EdgeId>) -> Result<bool, SuiteFailure> {
        let automaton = self.featured.automaton();
        let own = self.featured.conditions();
        let conditions = Conditions {
            edges: automaton
                .edges()
                .ids()
                .map(|id| constant(edges.contains(&id)))
                .collect(),
            // An output that joins brings its action.
            actions: automaton
                .actions()
                .iter_enumerated()
                .map(|(id, action)| match action.role {
                    Role::Input => own.actions[id].clone(),
                    Role::Output | Role::Internal => FeatureExpr::True,
                })
                .collect(),
            ..own.clone()
        };
        let Some(subject) = self.subject(self.under(conditions))? else {
            return Ok(false);
        };
        let found = self
            .tester
            .potential(&subject, Style::Adaptive, Pick::Earliest, self.budget)?;
        Ok(found == Potential::NotKillable)
    }
}

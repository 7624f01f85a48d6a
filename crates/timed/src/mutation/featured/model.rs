//! The mutation features and the feature model over them.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::contents::{Reachable, Removals, Remover};
use super::key::{AddedEdgeKey, EdgeRef, MutationFeature, MutationKey, SiteRef};
use super::names::{change_suffix, content_suffix};
use super::states::{AtomState, ConjunctionKind, atom_states};
use crate::model::{Automaton, Guard, Role};
use crate::mutation::{Mutation, MutationOptions, Operator, Site};
use tamper_features::{FeatureExpr, FeatureId, FeatureModel};

/// An edge that can be added, with its guard.
#[derive(Clone, Debug)]
pub struct PlannedEdge {
    pub edge: Arc<AddedEdgeKey>,
    pub guard: Guard,
    /// Number of further changes that its atoms can have.
    pub depth: usize,
}

/// All mutation features, in the order of their numbers: a feature after the features it requires.
#[derive(Debug, Default)]
pub struct FeaturePlan {
    pub features: Vec<MutationFeature>,
    /// The edges that can be added.
    pub added: Vec<PlannedEdge>,
}

/// The features whose mutation takes part in some sequence of at most `reach` mutations of `base`.
pub fn plan(base: &Automaton, options: &MutationOptions, reach: usize) -> FeaturePlan {
    let mut plan = FeaturePlan::default();
    let uses = |operator| options.operators.contains(&operator);
    if uses(Operator::Tmi) {
        for edge in base.edges().ids() {
            let id = Mutation::RemoveEdge { edge }.id(base);
            plan.push(MutationKey::RemoveEdge(EdgeRef::Base(edge)), id, 1);
        }
    }
    if uses(Operator::Smi) {
        for location in base.locations().ids().filter(|id| *id != base.initial()) {
            let id = Mutation::RemoveLocation { location }.id(base);
            plan.push(MutationKey::RemoveLocation(location), id, 1);
        }
    }
    for (id, location) in base.locations().iter_enumerated() {
        let states = atom_states(&location.invariant, ConjunctionKind::Invariant, options, reach);
        plan.changes(base, &states, Some(Site::Invariant(id)), &SiteRef::Invariant(id), "");
    }
    for (id, edge) in base.edges().iter_enumerated() {
        let states = atom_states(&edge.guard, ConjunctionKind::Guard, options, reach);
        let site = SiteRef::Guard(EdgeRef::Base(id));
        plan.changes(base, &states, Some(Site::Guard(id)), &site, "");
    }
    if uses(Operator::Tad) {
        plan.added(base, options, reach);
    }
    plan
}

impl FeaturePlan {
    fn push(&mut self, key: MutationKey, id: String, order: usize) {
        self.features.push(MutationFeature { key, id, order });
    }

    fn added(&mut self, base: &Automaton, options: &MutationOptions, reach: usize) {
        let removals = Removals { base, options };
        for role in [Role::Input, Role::Output] {
            for source in base.locations().ids() {
                for target in base.locations().ids() {
                    for reachable in removals.contents([source, target], reach - 1) {
                        for copy in 1..=reach - reachable.cost {
                            let edge = AddedEdgeKey {
                                source,
                                target,
                                role,
                                content: reachable.content.clone(),
                                copy: u32::try_from(copy).unwrap_or(u32::MAX),
                            };
                            self.added_edge(base, options, edge, &reachable, reach);
                        }
                    }
                }
            }
        }
    }

    /// One added edge and the mutations of it.
    fn added_edge(
        &mut self,
        base: &Automaton,
        options: &MutationOptions,
        edge: AddedEdgeKey,
        reachable: &Reachable,
        reach: usize,
    ) {
        let mutation = Mutation::AddEdge {
            source: edge.source,
            target: edge.target,
            role: edge.role,
            cloned: edge.content.edge,
        };
        let id = mutation.id(base) + &content_suffix(base, reachable, edge.copy);
        let order = reachable.cost + edge.copy as usize;
        let depth = reach - order;
        let edge = Arc::new(edge);
        self.push(MutationKey::AddEdge(Arc::clone(&edge)), id.clone(), order);
        if depth > 0 && options.operators.contains(&Operator::Tmi) {
            let key = MutationKey::RemoveEdge(EdgeRef::Added(Arc::clone(&edge)));
            self.push(key, format!("{id};TMI"), order + 1);
        }
        let states = atom_states(&reachable.guard, ConjunctionKind::Guard, options, depth);
        let n_before = self.features.len();
        let site = SiteRef::Guard(EdgeRef::Added(Arc::clone(&edge)));
        self.changes(base, &states, None, &site, &id);
        for feature in &mut self.features[n_before..] {
            feature.order += order;
        }
        self.added.push(PlannedEdge {
            edge,
            guard: reachable.guard.clone(),
            depth,
        });
    }

    /// The changes of one guard or invariant; `first` is its site in the base automaton; if that is `None`, `prefix` is the
    /// id of the edge.
    fn changes(&mut self, base: &Automaton, states: &[AtomState], first: Option<Site>, site: &SiteRef, prefix: &str) {
        let n_atoms = states.last().map_or(0, |state| state.atom as usize + 1);
        let mut ids: BTreeMap<(u32, Vec<Operator>), String> = BTreeMap::new();
        for state in states {
            let before = (state.atom, state.path[..state.path.len() - 1].to_vec());
            let id = match (ids.get(&before), first) {
                (None, Some(first)) => first_change(first, state).id(base),
                (None, None) => prefix.to_owned() + &change_suffix(base, state, n_atoms),
                (Some(id), _) => id.clone() + &change_suffix(base, state, n_atoms),
            };
            ids.insert((state.atom, state.path.clone()), id.clone());
            let key = MutationKey::Change {
                site: site.clone(),
                atom: state.atom,
                path: state.path.clone(),
            };
            self.push(key, id, state.path.len());
        }
    }
}

fn first_change(site: Site, state: &AtomState) -> Mutation {
    let AtomState { atom, old, new, .. } = *state;
    match (state.path.last(), site) {
        (Some(Operator::Cxs), _) => Mutation::SmallerConstant { site, atom, old, new },
        (Some(Operator::Ccn), Site::Guard(edge)) => Mutation::NegateGuard { edge, atom, old, new },
        _ => Mutation::LargerConstant { site, atom, old, new },
    }
}

/// The number of each mutation feature.
pub type FeatureIds = BTreeMap<MutationKey, FeatureId>;

/// Adds the dependencies between mutation features.
pub fn constrain(model: &mut FeatureModel, plan: &FeaturePlan, ids: &FeatureIds, removals: Removals<'_>) {
    require_parents(model, plan, ids);
    exclude_siblings(model, plan, ids);
    require_contents(model, plan, ids, removals);
    exclude_nothing_beside_something(model, plan, ids, removals);
}

fn var(ids: &FeatureIds, key: &MutationKey) -> FeatureExpr {
    ids.get(key).map_or(FeatureExpr::False, |id| FeatureExpr::Var(*id))
}

/// A mutation of the result of another mutation requires that mutation.
fn require_parents(model: &mut FeatureModel, plan: &FeaturePlan, ids: &FeatureIds) {
    for feature in &plan.features {
        let parent = match &feature.key {
            MutationKey::RemoveEdge(EdgeRef::Added(edge)) => MutationKey::AddEdge(Arc::clone(edge)),
            MutationKey::AddEdge(edge) if edge.copy > 1 => MutationKey::AddEdge(Arc::new(AddedEdgeKey {
                copy: edge.copy - 1,
                ..(**edge).clone()
            })),
            MutationKey::Change { site, atom, path } if path.len() > 1 => MutationKey::Change {
                site: site.clone(),
                atom: *atom,
                path: path[..path.len() - 1].to_vec(),
            },
            MutationKey::Change {
                site: SiteRef::Guard(EdgeRef::Added(edge)),
                ..
            } => MutationKey::AddEdge(Arc::clone(edge)),
            _ => continue,
        };
        let expr = var(ids, &feature.key).implies(var(ids, &parent));
        model.add_constraint(expr, "it mutates what the other mutation made");
    }
}

/// Of two changes of one atom, one is applied to the result of the other: at most one change starts from each state.
fn exclude_siblings(model: &mut FeatureModel, plan: &FeaturePlan, ids: &FeatureIds) {
    let mut siblings: BTreeMap<(&SiteRef, u32, &[Operator]), Vec<FeatureExpr>> = BTreeMap::new();
    let mut order = Vec::new();
    for feature in &plan.features {
        if let MutationKey::Change { site, atom, path } = &feature.key {
            let state = (site, *atom, &path[..path.len() - 1]);
            let known = siblings.entry(state).or_default();
            if known.is_empty() {
                order.push(state);
            }
            known.push(var(ids, &feature.key));
        }
    }
    for children in order.iter().filter_map(|state| siblings.get(state)) {
        let pairs = children.iter().enumerate().flat_map(|(position, first)| {
            let later = children[position + 1..].iter();
            later.map(move |second| (!first.clone()).or(!second.clone()))
        });
        let expr = FeatureExpr::all(pairs);
        if expr != FeatureExpr::True {
            model.add_constraint(expr, "one constraint is changed in one way at a time");
        }
    }
}

/// A clone of an edge requires that the edge was the first one, with the changes that the clone has.
fn require_contents(model: &mut FeatureModel, plan: &FeaturePlan, ids: &FeatureIds, removals: Removals<'_>) {
    let mut clones: BTreeMap<FeatureExpr, Vec<FeatureExpr>> = BTreeMap::new();
    for PlannedEdge { edge, .. } in plan.added.iter().filter(|planned| planned.edge.copy == 1) {
        let kept = removals.kept(edge.content.edge, [edge.source, edge.target]);
        let gone = removals.before(edge.content.edge).map(|earlier| {
            FeatureExpr::any(removals.removers(earlier, &kept).into_iter().map(|remover| {
                var(
                    ids,
                    &match remover {
                        Remover::Edge(edge) => MutationKey::RemoveEdge(EdgeRef::Base(edge)),
                        Remover::Location(location) => MutationKey::RemoveLocation(location),
                    },
                )
            }))
        });
        let changed = edge.content.changes.iter().filter_map(|(atom, path)| {
            let site = SiteRef::Guard(EdgeRef::Base(edge.content.edge?));
            let (atom, path) = (*atom, path.clone());
            Some(var(ids, &MutationKey::Change { site, atom, path }))
        });
        let needed = FeatureExpr::all(gone.chain(changed));
        let key = MutationKey::AddEdge(Arc::clone(edge));
        clones.entry(needed).or_default().push(var(ids, &key));
    }
    for (needed, clones) in clones {
        let expr = FeatureExpr::any(clones).implies(needed);
        if expr != FeatureExpr::True {
            model.add_constraint(expr, "an added edge is a clone of the first edge there is");
        }
    }
}

/// An edge that clones nothing because no edge is left requires that no added edge is left either.
fn exclude_nothing_beside_something(
    model: &mut FeatureModel,
    plan: &FeaturePlan,
    ids: &FeatureIds,
    removals: Removals<'_>,
) {
    if removals.before(None).next().is_none() {
        return;
    }
    let is_nothing = |planned: &&PlannedEdge| planned.edge.content.edge.is_none();
    let add = |planned: &PlannedEdge| var(ids, &MutationKey::AddEdge(Arc::clone(&planned.edge)));
    let nothing = FeatureExpr::any(plan.added.iter().filter(is_nothing).map(add));
    let something = plan.added.iter().filter(|planned| !is_nothing(planned));
    let gone = something.map(|planned| {
        let ends = [planned.edge.source, planned.edge.target];
        let removed = ends.map(|end| var(ids, &MutationKey::RemoveLocation(end)));
        let alone = var(ids, &MutationKey::RemoveEdge(EdgeRef::Added(Arc::clone(&planned.edge))));
        add(planned).implies(FeatureExpr::any(removed).or(alone))
    });
    if nothing != FeatureExpr::False {
        let expr = nothing.implies(FeatureExpr::all(gone));
        model.add_constraint(expr, "an added edge is a clone of the first edge there is");
    }
}

//! Changes of a template, applied in sequence: each refers to the automaton that its predecessors made.

use std::collections::BTreeSet;

use crate::writing::print::{guard_text, int_declaration, selects_text, updates_text};
use crate::writing::writer::WriteError;
use tamper_text::Id;
use tamper_timed::model::{
    Automaton, BinaryOp, Edge, EdgeId, Expr, IntId, IntVar, LocId, Role, UnaryOp, Update, Urgency,
};
use tamper_timed::mutation::{Alteration, AlteredPart, FormulaSite, MemoryMutation, Mutation, Site};

/// One change of a template, by positions in its file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Edit {
    /// Removes the edge; later edges move down by one.
    RemoveEdge(EdgeId),
    /// Removes the location and its edges; later locations and edges move down.
    RemoveLocation(LocId),
    /// Replaces the guard.
    SetGuard(EdgeId, String),
    /// Replaces the invariant.
    SetInvariant(LocId, String),
    /// Adds an edge after the others.
    AddEdge(AddedEdge),
    /// Replaces the edge.
    SetEdge(EdgeId, AddedEdge),
    /// Makes the location urgent, committed, or neither.
    SetUrgency(LocId, Urgency),
    /// Adds a location of that name, without invariant, after the others.
    AddLocation(String),
    /// Declares a clock or a variable that the template does not have.
    Declare(String),
}

/// An edge to add; empty texts give no label.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AddedEdge {
    /// The source location.
    pub source: LocId,
    /// The target location.
    pub target: LocId,
    /// The channel.
    pub action: String,
    /// Its direction.
    pub role: Role,
    /// The select label.
    pub select: String,
    /// The guard.
    pub guard: String,
    /// The assignments.
    pub assignment: String,
}

impl Edit {
    /// The edits of the template that correspond to `mutation` of `automaton`; one, except for a new location.
    ///
    /// # Errors
    /// Changes of parts that the mutant shares with the original in one file.
    ///
    /// # Panics
    /// If the mutation was not made for an automaton with these parts.
    pub fn of(mutation: &Mutation, automaton: &Automaton) -> Result<Vec<Self>, WriteError> {
        let mutant = mutation.apply(automaton);
        let edit = match *mutation {
            Mutation::RemoveEdge { edge } => Self::RemoveEdge(edge),
            Mutation::RemoveLocation { location } => Self::RemoveLocation(location),
            Mutation::AddEdge { .. } => {
                let last = EdgeId::from_index(mutant.edges().len() - 1);
                Self::AddEdge(edge_text(&mutant, &mutant.edges()[last]))
            }
            Mutation::LargerConstant { site, .. } | Mutation::SmallerConstant { site, .. } => {
                Self::of_constraint(&mutant, site)
            }
            Mutation::NegateGuard { edge, .. } => Self::of_constraint(&mutant, Site::Guard(edge)),
            Mutation::Alter { alteration, .. } => return Self::of_alteration(&alteration, automaton, &mutant),
            Mutation::Again(memory) => return Self::of_memory(&memory, automaton, &mutant),
        };
        Ok(vec![edit])
    }

    /// The second copy of the template, and the edges that lead there.
    fn of_memory(memory: &MemoryMutation, automaton: &Automaton, mutant: &Automaton) -> Result<Vec<Self>, WriteError> {
        // What cannot be written of the change itself cannot be written here.
        Self::of(&memory.once(), automaton)?;
        let (n_locations, n_edges) = (automaton.locations().len(), automaton.edges().len());
        let text = |id: EdgeId| edge_text(mutant, &mutant.edges()[id]);
        let new = || mutant.locations().iter_enumerated().skip(n_locations);
        let mut edits: Vec<Self> = new()
            .map(|(_, location)| Self::AddLocation(location.name.to_string()))
            .collect();
        for (id, location) in new() {
            if !location.invariant.is_trivial() {
                edits.push(Self::of_constraint(mutant, Site::Invariant(id)));
            }
            if location.urgency != Urgency::Normal {
                edits.push(Self::SetUrgency(id, location.urgency));
            }
        }
        let passing = memory.passing(automaton).into_iter();
        edits.extend(passing.map(|id| Self::SetEdge(id, text(id))));
        let added = mutant.edges().ids().skip(n_edges);
        edits.extend(added.map(|id| Self::AddEdge(text(id))));
        Ok(edits)
    }

    fn of_alteration(
        alteration: &Alteration,
        automaton: &Automaton,
        mutant: &Automaton,
    ) -> Result<Vec<Self>, WriteError> {
        if let Alteration::Expression {
            place: FormulaSite::Value(edge, update),
            ..
        } = *alteration
            && let Update::Assign(int, value) = &mutant.edges()[edge].updates[update as usize]
            && is_bit(mutant, *int)
            && !is_truth_value(mutant, value)
        {
            return Err(WriteError::NoTruthValue(mutant.ints()[*int].name.to_string()));
        }
        let edge = |id: EdgeId| Self::SetEdge(id, edge_text(mutant, &mutant.edges()[id]));
        let mut edits = match alteration.part() {
            AlteredPart::Whole => return Self::of_whole(automaton, mutant),
            AlteredPart::Constraint(site) => vec![Self::of_constraint(mutant, site)],
            AlteredPart::Edge(id) => vec![edge(id)],
            AlteredPart::Location(id) => vec![Self::SetUrgency(id, mutant.locations()[id].urgency)],
            AlteredPart::Action(action) => {
                return Err(WriteError::SharedChannel(automaton.actions()[action].name.to_string()));
            }
        };
        let new = mutant.locations().iter().skip(automaton.locations().len());
        edits.splice(0..0, new.map(|location| Self::AddLocation(location.name.to_string())));
        let new = mutant.edges().iter().skip(automaton.edges().len());
        edits.extend(new.map(|edge| Self::AddEdge(edge_text(mutant, edge))));
        Ok(edits)
    }

    /// Another game, whose initial location takes the place of the initial one.
    fn of_whole(automaton: &Automaton, mutant: &Automaton) -> Result<Vec<Self>, WriteError> {
        let initial = LocId::from_index(0);
        let is_first = automaton.initial() == initial && mutant.initial() == initial;
        let int = |name: &str| automaton.ints().iter().find(|known| &*known.name == name);
        let is_other = |own: &IntVar| int(&own.name).is_some_and(|known| known != own);
        if mutant.ints().iter().any(is_other) || !is_first {
            return Err(WriteError::OtherVariables);
        }
        let has_clock = |name: &str| automaton.clocks().iter().any(|known| &*known.name == name);
        let new_clocks = mutant.clocks().iter().filter(|own| !has_clock(&own.name));
        let new_ints = mutant.ints().iter().filter(|own| int(&own.name).is_none());
        let mut edits: Vec<Self> = new_clocks
            .map(|own| Self::Declare(format!("clock {};", own.name)))
            .collect();
        edits.extend(new_ints.map(|own| Self::Declare(int_declaration(own))));
        let gone = automaton.locations().ids().rev().filter(|id| *id != initial);
        edits.extend(gone.map(Self::RemoveLocation));
        let loops = automaton
            .edges()
            .iter()
            .filter(|edge| edge.source == initial && edge.target == initial);
        edits.extend(loops.map(|_| Self::RemoveEdge(EdgeId::from_index(0))));
        for (id, location) in mutant.locations().iter_enumerated() {
            if id != initial {
                edits.push(Self::AddLocation(location.name.to_string()));
            }
            edits.push(Self::of_constraint(mutant, Site::Invariant(id)));
            edits.push(Self::SetUrgency(id, location.urgency));
        }
        edits.extend(mutant.edges().iter().map(|edge| Self::AddEdge(edge_text(mutant, edge))));
        Ok(edits)
    }

    fn of_constraint(mutant: &Automaton, site: Site) -> Self {
        match site {
            Site::Guard(id) => {
                let edge = &mutant.edges()[id];
                Self::SetGuard(id, guard_text(mutant, &edge.guard, &edge.selects))
            }
            Site::Invariant(id) => Self::SetInvariant(id, guard_text(mutant, &mutant.locations()[id].invariant, &[])),
        }
    }
}

/// Whether the variable is a boolean, or has the range of one.
fn is_bit(automaton: &Automaton, int: IntId) -> bool {
    let var = &automaton.ints()[int];
    (var.low, var.high) == (0, 1)
}

/// Whether the form of the expression shows that its values are 0 and 1 only.
fn is_truth_value(automaton: &Automaton, expr: &Expr) -> bool {
    use BinaryOp::{And, Eq, Ge, Gt, Imply, Le, Lt, Ne, Or};
    match expr {
        Expr::Const(value) => (0..=1).contains(value),
        Expr::Var(int) => is_bit(automaton, *int),
        Expr::Unary(UnaryOp::Not | UnaryOp::Truth, _)
        | Expr::Binary(And | Or | Imply | Lt | Le | Eq | Ne | Ge | Gt, _, _) => true,
        Expr::Cond(_, then, other) => is_truth_value(automaton, then) && is_truth_value(automaton, other),
        Expr::Select(_) | Expr::Unary(UnaryOp::Neg | UnaryOp::Plus(_) | UnaryOp::Times(_), _) | Expr::Binary(..) => {
            false
        }
    }
}

/// An edge of `mutant` as text.
fn edge_text(mutant: &Automaton, edge: &Edge) -> AddedEdge {
    let action = &mutant.actions()[edge.action];
    AddedEdge {
        source: edge.source,
        target: edge.target,
        action: action.name.to_string(),
        role: action.role,
        select: selects_text(&edge.selects),
        guard: guard_text(mutant, &edge.guard, &edge.selects),
        assignment: updates_text(mutant, &edge.updates, &edge.selects),
    }
}

/// A template after some edits, as differences from its text in the file.
#[derive(Clone, Debug)]
pub(crate) struct Edited {
    pub locations: Vec<EditedLocation>,
    pub edges: Vec<EditedEdge>,
    /// The number of locations in the file; new ones have the origins from there on.
    n_in_file: usize,
    /// The names of all new locations.
    pub new: Vec<String>,
    /// Declarations that the template does not have.
    pub declared: Vec<String>,
}

#[derive(Clone, Debug)]
pub(crate) struct EditedLocation {
    /// Its position in the file.
    pub origin: LocId,
    pub invariant: Option<String>,
    pub urgency: Option<Urgency>,
}

#[derive(Clone, Debug)]
pub(crate) enum EditedEdge {
    Kept {
        origin: EdgeId,
        source: LocId,
        target: LocId,
        guard: Option<String>,
    },
    /// An added edge; its ends are positions in the file.
    Added(AddedEdge),
    /// An added edge in the place of an edge of the file.
    Replaced(EdgeId, AddedEdge),
}

impl EditedEdge {
    fn set_guard(&mut self, text: &str) {
        match self {
            Self::Kept { guard, .. } => *guard = Some(text.to_owned()),
            Self::Added(edge) | Self::Replaced(_, edge) => text.clone_into(&mut edge.guard),
        }
    }
    fn replace(&mut self, edge: AddedEdge) {
        *self = match self {
            Self::Kept { origin, .. } | Self::Replaced(origin, _) => Self::Replaced(*origin, edge),
            Self::Added(_) => Self::Added(edge),
        };
    }
    fn touches(&self, location: LocId) -> bool {
        let (source, target) = match self {
            Self::Kept { source, target, .. } => (*source, *target),
            Self::Added(edge) | Self::Replaced(_, edge) => (edge.source, edge.target),
        };
        source == location || target == location
    }
}

impl Edited {
    /// The unchanged template of `automaton`.
    pub(crate) fn new(automaton: &Automaton) -> Self {
        let location = |origin| EditedLocation {
            origin,
            invariant: None,
            urgency: None,
        };
        let edge = |(origin, edge): (EdgeId, &std::sync::Arc<tamper_timed::model::Edge>)| EditedEdge::Kept {
            origin,
            source: edge.source,
            target: edge.target,
            guard: None,
        };
        Self {
            locations: automaton.locations().ids().map(location).collect(),
            edges: automaton.edges().iter_enumerated().map(edge).collect(),
            n_in_file: automaton.locations().len(),
            new: Vec::new(),
            declared: Vec::new(),
        }
    }

    /// Applies `edit`. Returns `false` if it refers to a part that does not exist.
    pub(crate) fn apply(&mut self, edit: &Edit) -> bool {
        match edit {
            Edit::RemoveEdge(edge) => {
                let known = edge.index() < self.edges.len();
                if known {
                    self.edges.remove(edge.index());
                }
                known
            }
            Edit::RemoveLocation(location) => {
                let Some(origin) = self.origin(*location) else {
                    return false;
                };
                self.locations.remove(location.index());
                self.edges.retain(|edge| !edge.touches(origin));
                true
            }
            Edit::SetGuard(edge, text) => {
                let found = self.edges.get_mut(edge.index());
                found.map(|edge| edge.set_guard(text)).is_some()
            }
            Edit::SetInvariant(location, text) => {
                let found = self.locations.get_mut(location.index());
                found.map(|location| location.invariant = Some(text.clone())).is_some()
            }
            Edit::AddEdge(edge) => {
                let placed = self.placed(edge);
                placed.map(|edge| self.edges.push(EditedEdge::Added(edge))).is_some()
            }
            Edit::SetEdge(id, edge) => {
                let placed = self.placed(edge);
                let found = self.edges.get_mut(id.index()).zip(placed);
                found.map(|(old, edge)| old.replace(edge)).is_some()
            }
            Edit::SetUrgency(location, urgency) => {
                let found = self.locations.get_mut(location.index());
                found.map(|location| location.urgency = Some(*urgency)).is_some()
            }
            Edit::Declare(text) => {
                self.declared.push(text.clone());
                true
            }
            Edit::AddLocation(name) => {
                self.locations.push(EditedLocation {
                    origin: LocId::from_index(self.n_in_file + self.new.len()),
                    invariant: None,
                    urgency: None,
                });
                self.new.push(name.clone());
                true
            }
        }
    }

    /// The edge with the positions of its ends in the file.
    fn placed(&self, edge: &AddedEdge) -> Option<AddedEdge> {
        Some(AddedEdge {
            source: self.origin(edge.source)?,
            target: self.origin(edge.target)?,
            ..edge.clone()
        })
    }

    /// The names of the variables and clocks that new and replaced edges set.
    pub(crate) fn set_names(&self) -> BTreeSet<&str> {
        let texts = self.edges.iter().filter_map(|edge| match edge {
            EditedEdge::Kept { .. } => None,
            EditedEdge::Added(edge) | EditedEdge::Replaced(_, edge) => Some(edge.assignment.as_str()),
        });
        let assignments = texts.flat_map(|text| text.split(','));
        assignments
            .filter_map(|one| Some(one.split_once('=')?.0.trim()))
            .collect()
    }

    /// The new locations that are left, with their origins and names.
    pub(crate) fn new_locations(&self) -> impl Iterator<Item = (&EditedLocation, &str)> {
        let new = self
            .locations
            .iter()
            .filter(|location| location.origin.index() >= self.n_in_file);
        new.map(|location| (location, &*self.new[location.origin.index() - self.n_in_file]))
    }

    fn origin(&self, location: LocId) -> Option<LocId> {
        self.locations.get(location.index()).map(|location| location.origin)
    }
}

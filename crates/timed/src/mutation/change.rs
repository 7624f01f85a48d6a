//! One mutation: its change, its name, and the resulting automaton.

use std::fmt::{self, Write as _};

use super::operator::AGAIN;
use super::place::{EdgeName, Site};
use super::{Alteration, AppliedOperator, Operator};
use crate::model::{
    Action, ActionId, Automaton, ClockConstraint, Edge, EdgeId, Expr, Guard, LocId, Role, SimpleConstraint, Variants,
};
use tamper_text::Id;

/// A clock constraint before and after a mutation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ConstraintChange {
    /// The guard or invariant that holds the constraint.
    pub site: Site,
    /// Its position among the clock atoms there.
    pub atom: u32,
    /// The constraint before the mutation.
    pub old: SimpleConstraint,
    /// The constraint after the mutation.
    pub new: SimpleConstraint,
}

impl ConstraintChange {
    /// The place of the changed constraint as mutant ids spell it (`guard:source->target#k`, `invariant:location`), and its
    /// old text (`x<=5`).
    pub fn names(&self, automaton: &Automaton) -> (String, String) {
        let place = SiteName(automaton, self.site, self.atom).to_string();
        (place, AtomText(automaton, self.old).to_string())
    }
}

/// One change of one automaton; ids and positions refer to the automaton that it is applied to.
///
/// `atom` is the position of the changed clock atom in its guard or invariant; 0 if that is a single atom.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Mutation {
    /// TMI, transition missing: removes an edge.
    RemoveEdge {
        /// The edge that is removed.
        edge: EdgeId,
    },
    /// TAD: adds an edge with a fresh action.
    AddEdge {
        /// The location that the new edge leaves.
        source: LocId,
        /// The location that the new edge enters.
        target: LocId,
        /// Whether its action is an input or an output.
        role: Role,
        /// The edge whose guard, updates and select variables it copies; if `None`, it has neither guard nor updates nor
        /// select variables.
        cloned: Option<EdgeId>,
    },
    /// SMI: removes a location, never the initial one, with its edges.
    RemoveLocation {
        /// The location that is removed with its edges.
        location: LocId,
    },
    /// CXL, constant exchange: increases a constant.
    LargerConstant {
        /// The guard or invariant that holds the constraint.
        site: Site,
        /// The position of the constraint there.
        atom: u32,
        /// The constraint before the mutation.
        old: SimpleConstraint,
        /// The constraint after the mutation.
        new: SimpleConstraint,
    },
    /// CXS, constant exchange: decreases a constant.
    SmallerConstant {
        /// The guard or invariant that holds the constraint.
        site: Site,
        /// The position of the constraint there.
        atom: u32,
        /// The constraint before the mutation.
        old: SimpleConstraint,
        /// The constraint after the mutation.
        new: SimpleConstraint,
    },
    /// CCN: negates a clock atom of a guard.
    NegateGuard {
        /// The edge whose guard is negated.
        edge: EdgeId,
        /// The atom's position in its guard.
        atom: u32,
        /// The constraint before the mutation.
        old: SimpleConstraint,
        /// The constraint after the mutation.
        new: SimpleConstraint,
    },
    /// An instance of an operator beyond the six.
    Alter {
        /// The operator that makes the alteration.
        operator: Operator,
        /// The change of one part of the game.
        alteration: Alteration,
    },
    /// A mutation that holds after its place was passed once.
    Again(MemoryMutation),
}

/// A first-order mutation that holds after its place was passed once: an edge is passed when it is taken, a location when it is
/// left.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum MemoryMutation {
    /// TMI: the edge is missing.
    RemoveEdge(EdgeId),
    /// CXL, CXS or CCN.
    Constraint(Operator, ConstraintChange),
    /// An instance of an operator beyond the six.
    Alter(Operator, Alteration),
}

impl Mutation {
    /// The operator it is an instance of.
    pub fn operator(&self) -> Operator {
        match self {
            Self::RemoveEdge { .. } => Operator::Tmi,
            Self::AddEdge { .. } => Operator::Tad,
            Self::RemoveLocation { .. } => Operator::Smi,
            Self::LargerConstant { .. } => Operator::Cxl,
            Self::SmallerConstant { .. } => Operator::Cxs,
            Self::NegateGuard { .. } => Operator::Ccn,
            Self::Alter { operator, .. } => *operator,
            Self::Again(memory) => memory.operator(),
        }
    }

    /// The operator, and whether it is applied with memory.
    pub fn applied(&self) -> AppliedOperator {
        AppliedOperator {
            again: matches!(self, Self::Again(_)),
            operator: self.operator(),
        }
    }

    /// The mutant of `automaton`.
    ///
    /// # Panics
    /// If the mutation was not made for an automaton with these parts.
    #[must_use]
    pub fn apply(&self, automaton: &Automaton) -> Automaton {
        // A mistake in the words of the file would take the mutation back.
        let changed = self.changed(automaton).with_variants(Variants::UNKNOWN);
        match self {
            Self::Alter {
                alteration: Alteration::Variant { .. },
                ..
            } => changed,
            // The boxes of the file know nothing of it.
            _ => changed.with_hierarchy(None),
        }
    }

    fn changed(&self, automaton: &Automaton) -> Automaton {
        match *self {
            Self::RemoveEdge { edge } => automaton.without_edge(edge),
            Self::AddEdge {
                source,
                target,
                role,
                cloned,
            } => add_edge(automaton, source, target, role, cloned),
            Self::RemoveLocation { location } => automaton.without_location(location),
            Self::LargerConstant { site, atom, new, .. } | Self::SmallerConstant { site, atom, new, .. } => {
                replace_atom(automaton, site, atom, new)
            }
            Self::NegateGuard { edge, atom, new, .. } => replace_atom(automaton, Site::Guard(edge), atom, new),
            Self::Alter { alteration, .. } => alteration.apply(automaton),
            Self::Again(memory) => memory.apply(automaton),
        }
    }

    /// The changed clock constraint, for CXL, CXS and CCN without memory.
    pub fn constraint(&self) -> Option<ConstraintChange> {
        match *self {
            Self::RemoveEdge { .. }
            | Self::AddEdge { .. }
            | Self::RemoveLocation { .. }
            | Self::Alter { .. }
            | Self::Again(_) => None,
            Self::LargerConstant { site, atom, old, new } | Self::SmallerConstant { site, atom, old, new } => {
                Some(ConstraintChange { site, atom, old, new })
            }
            Self::NegateGuard { edge, atom, old, new } => Some(ConstraintChange {
                site: Site::Guard(edge),
                atom,
                old,
                new,
            }),
        }
    }

    /// The same change of the clock constraint `old`, as it may occur in another instance of a template: by the same step,
    /// or its negation. `None` if `old` has no negation.
    pub fn where_it_is(&self, old: SimpleConstraint) -> Option<Self> {
        let mut moved = *self;
        match &mut moved {
            Self::LargerConstant { old: was, new, .. } | Self::SmallerConstant { old: was, new, .. } => {
                let constant = old.constant.checked_add(new.constant - was.constant)?;
                (*was, *new) = (old, SimpleConstraint { constant, ..old });
            }
            Self::NegateGuard { old: was, new, .. } => {
                let cmp = old.cmp.negated()?;
                (*was, *new) = (old, SimpleConstraint { cmp, ..old });
            }
            Self::RemoveEdge { .. }
            | Self::AddEdge { .. }
            | Self::RemoveLocation { .. }
            | Self::Alter { .. }
            | Self::Again(_) => {}
        }
        Some(moved)
    }

    /// The guard or invariant that CXL, CXS or CCN leaves at its place.
    pub fn new_guard(&self, automaton: &Automaton) -> Option<Guard> {
        let change = self.constraint()?;
        let old = match change.site {
            Site::Guard(edge) => &automaton.edges()[edge].guard,
            Site::Invariant(location) => &automaton.locations()[location].invariant,
        };
        Some(with_atom(old, change.atom, change.new))
    }

    /// A stable, descriptive name, unique among the mutations of `automaton` under the same options, e.g.
    /// `CXL:guard:cont_1->timeout#0:x>=2=>x>=3`; `#0` numbers the edges of that source and target.
    pub fn id(&self, automaton: &Automaton) -> String {
        let mut id = String::new();
        self.push_id(automaton, &mut id);
        id
    }

    /// Appends the id to `out`.
    pub(super) fn push_id(&self, automaton: &Automaton, out: &mut String) {
        let name = |location: LocId| &*automaton.locations()[location].name;
        let written = match *self {
            Self::RemoveEdge { edge } => write!(out, "TMI:{}", EdgeName(automaton, edge)),
            // Most mutations are of this kind.
            Self::AddEdge {
                source, target, role, ..
            } => {
                for part in ["TAD:", direction(role), ":", name(source), "->", name(target)] {
                    out.push_str(part);
                }
                Ok(())
            }
            Self::RemoveLocation { location } => write!(out, "SMI:{}", name(location)),
            Self::LargerConstant { site, atom, old, new } => {
                let place = SiteName(automaton, site, atom);
                write!(
                    out,
                    "CXL:{place}:{}=>{}",
                    AtomText(automaton, old),
                    AtomText(automaton, new)
                )
            }
            Self::SmallerConstant { site, atom, old, new } => {
                let place = SiteName(automaton, site, atom);
                write!(
                    out,
                    "CXS:{place}:{}=>{}",
                    AtomText(automaton, old),
                    AtomText(automaton, new)
                )
            }
            Self::NegateGuard { edge, atom, old, new } => {
                let place = EdgeName(automaton, edge);
                let position = PositionText(&automaton.edges()[edge].guard, atom);
                let (old, new) = (AtomText(automaton, old), AtomText(automaton, new));
                write!(out, "CCN:{place}{position}:{old}=>{new}")
            }
            Self::Alter { operator, alteration } => {
                let word = if operator.is_own() { alteration.word() } else { "" };
                write!(out, "{operator}:{word}{}", alteration.place(automaton))
            }
            Self::Again(memory) => {
                out.push_str(AGAIN);
                memory.once().push_id(automaton, out);
                Ok(())
            }
        };
        written.expect("writing to a string does not fail");
    }

    /// One clause for a reader, e.g. `removes the edge cont_1 -> timeout (timeout!)`.
    pub fn describe(&self, automaton: &Automaton) -> String {
        let name = |location: LocId| &*automaton.locations()[location].name;
        let edge_text = |id: EdgeId| {
            let edge = &automaton.edges()[id];
            let action = &automaton.actions()[edge.action];
            format!("{} -> {} ({action})", name(edge.source), name(edge.target))
        };
        let change_text = |site: Site, old: SimpleConstraint, new: SimpleConstraint| {
            let place = match site {
                Site::Guard(edge) => format!("the guard of {}", edge_text(edge)),
                Site::Invariant(location) => format!("the invariant of {}", name(location)),
            };
            format!(
                "changes {} to {} in {place}",
                AtomText(automaton, old),
                AtomText(automaton, new)
            )
        };
        match *self {
            Self::RemoveEdge { edge } => format!("removes the edge {}", edge_text(edge)),
            Self::AddEdge {
                source, target, role, ..
            } => format!(
                "adds the edge {} -> {} with a new {}",
                name(source),
                name(target),
                direction(role)
            ),
            Self::RemoveLocation { location } => format!("removes the location {} and its edges", name(location)),
            Self::LargerConstant { site, old, new, .. } | Self::SmallerConstant { site, old, new, .. } => {
                change_text(site, old, new)
            }
            Self::NegateGuard { edge, old, new, .. } => change_text(Site::Guard(edge), old, new),
            Self::Alter { alteration, .. } => alteration.describe(automaton),
            Self::Again(memory) => format!("{}, {}", memory.once().describe(automaton), memory.since()),
        }
    }
}

fn direction(role: Role) -> &'static str {
    match role {
        Role::Input => "input",
        Role::Output | Role::Internal => "output",
    }
}

/// `guard:source->target#k` or `invariant:location`, with the atom's position if there are several atoms.
struct SiteName<'a>(&'a Automaton, Site, u32);

impl fmt::Display for SiteName<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(automaton, site, atom) = *self;
        match site {
            Site::Guard(edge) => {
                let position = PositionText(&automaton.edges()[edge].guard, atom);
                write!(f, "guard:{}{position}", EdgeName(automaton, edge))
            }
            Site::Invariant(location) => {
                let location = &automaton.locations()[location];
                write!(
                    f,
                    "invariant:{}{}",
                    location.name,
                    PositionText(&location.invariant, atom)
                )
            }
        }
    }
}

/// `@position`, or nothing where the guard is a single atom.
struct PositionText<'a>(&'a Guard, u32);

impl fmt::Display for PositionText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.clocks.len() + self.0.data.len() {
            0 | 1 => Ok(()),
            _ => write!(f, "@{}", self.1),
        }
    }
}

/// `clock~constant`.
pub(super) struct AtomText<'a>(pub &'a Automaton, pub SimpleConstraint);

impl fmt::Display for AtomText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(automaton, atom) = *self;
        let clock = &automaton.clocks()[atom.clock];
        write!(f, "{}{}{}", clock.name, atom.cmp.symbol(), atom.constant)
    }
}

fn add_edge(automaton: &Automaton, source: LocId, target: LocId, role: Role, cloned: Option<EdgeId>) -> Automaton {
    let action = Action {
        name: fresh_dummy(automaton).into(),
        role,
        urgent: false,
    };
    let (guard, updates, selects) = match cloned {
        Some(first) => {
            let first = &automaton.edges()[first];
            (first.guard.clone(), first.updates.clone(), first.selects.clone())
        }
        None => (Guard::always(), Vec::new(), Vec::new()),
    };
    let edge = Edge {
        source,
        target,
        action: ActionId::from_index(automaton.actions().len()),
        guard,
        updates,
        selects,
    };
    automaton.with_new_action_edge(action, edge)
}

/// `dummy_k` with k one more than the number of dummy actions there are, or the next k that no name has.
fn fresh_dummy(automaton: &Automaton) -> String {
    let is_dummy = |action: &&Action| {
        let number = action.name.strip_prefix("dummy_");
        number.is_some_and(|number| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()))
    };
    let mut k = 1 + automaton.actions().iter().filter(is_dummy).count();
    loop {
        let name = format!("dummy_{k}");
        let taken = automaton.actions().iter().any(|action| *action.name == *name)
            || automaton.clocks().iter().any(|clock| *clock.name == *name)
            || automaton.ints().iter().any(|int| *int.name == *name);
        if !taken {
            return name;
        }
        k += 1;
    }
}

fn replace_atom(automaton: &Automaton, site: Site, atom: u32, new: SimpleConstraint) -> Automaton {
    match site {
        Site::Guard(edge) => automaton.with_guard(edge, with_atom(&automaton.edges()[edge].guard, atom, new)),
        Site::Invariant(location) => {
            let invariant = &automaton.locations()[location].invariant;
            automaton.with_invariant(location, with_atom(invariant, atom, new))
        }
    }
}

/// `guard` with another clock atom at position `atom`.
pub(super) fn with_atom(guard: &Guard, atom: u32, new: SimpleConstraint) -> Guard {
    let mut guard = guard.clone();
    guard.clocks[atom as usize] = ClockConstraint {
        left: new.clock,
        right: None,
        cmp: new.cmp,
        bound: Expr::Const(new.constant),
    };
    guard
}

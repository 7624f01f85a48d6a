//! Changes by the operators beyond the six: each changes one part of a game, identified by its id and position.

use std::sync::Arc;

use super::formula::{self, FormulaSite, Rewrite, conjuncts, formula_at, rewritten};
use super::place::{Conjunct, Site, edge_name, guard_at, guard_conjuncts};
use crate::model::{
    Action, ActionId, Automaton, ClockConstraint, ClockId, Cmp, Edge, EdgeId, Expr, Guard, LocId, Location, Role,
    Update, Urgency, Variant,
};

/// A change of one part of an automaton; ids and positions refer to the automaton that it is applied to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs, reason = "the parts that are changed, and what they become")]
pub enum Alteration {
    Target {
        edge: EdgeId,
        target: LocId,
    },
    Source {
        edge: EdgeId,
        source: LocId,
    },
    /// The edge has another action.
    Action {
        edge: EdgeId,
        action: ActionId,
    },
    /// The edge has the action of the same name in the other direction.
    Direction {
        edge: EdgeId,
    },
    /// The update of that position is left out.
    DropUpdate {
        edge: EdgeId,
        update: u32,
    },
    /// The update of that position, which sets a clock, is left out while the clock meets that bound of the target's invariant; a new edge
    /// sets it later.
    OldTimer {
        edge: EdgeId,
        update: u32,
        bound: u32,
    },
    /// The edge sets the clock to 0, after its updates.
    Reset {
        edge: EdgeId,
        clock: ClockId,
    },
    /// The edge leads to a new location that accepts every input and stays.
    Sink {
        edge: EdgeId,
    },
    /// Whether time may pass in the location.
    Urgency {
        location: LocId,
        urgency: Urgency,
    },
    /// The action's channel is urgent if it was not, and the other way round.
    Channel {
        action: ActionId,
    },
    /// The location has no invariant.
    DropInvariant {
        location: LocId,
    },
    /// The edge has no guard.
    DropGuard {
        edge: EdgeId,
    },
    /// The edge has the guard that never holds.
    NeverGuard {
        edge: EdgeId,
    },
    /// The clock constraint of that position has another comparison.
    Comparison {
        site: Site,
        atom: u32,
        cmp: Cmp,
    },
    /// The clock constraint of that position compares another clock, one that is not left out.
    Clock {
        site: Site,
        atom: u32,
        clock: ClockId,
    },
    DropAtom {
        site: Site,
        atom: u32,
    },
    /// The guard of the edge is extended by the conjunct at that position of another edge's guard, which names no select
    /// variable.
    Extra {
        edge: EdgeId,
        from: EdgeId,
        conjunct: u32,
    },
    /// A part of an integer expression is rewritten.
    Expression {
        place: FormulaSite,
        part: u32,
        rewrite: Rewrite,
    },
    /// The game is the variant of that position.
    Variant {
        variant: u32,
    },
}

/// The part of an automaton that an alteration changes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AlteredPart {
    /// The guard of an edge, or the invariant of a location.
    Constraint(Site),
    /// An edge changes.
    Edge(EdgeId),
    /// A location changes.
    Location(LocId),
    /// An action, on all its edges.
    Action(ActionId),
    /// The game is another one.
    Whole,
}

/// The guard that never holds.
pub fn never() -> Guard {
    Guard {
        clocks: Vec::new(),
        data: vec![Expr::Const(0)],
    }
}

impl Alteration {
    /// The part that the alteration changes.
    pub fn part(&self) -> AlteredPart {
        match *self {
            Self::Target { edge, .. }
            | Self::Source { edge, .. }
            | Self::Action { edge, .. }
            | Self::Direction { edge }
            | Self::DropUpdate { edge, .. }
            | Self::OldTimer { edge, .. }
            | Self::Reset { edge, .. }
            | Self::Sink { edge }
            | Self::Expression {
                place: FormulaSite::Value(edge, _),
                ..
            } => AlteredPart::Edge(edge),
            Self::DropGuard { edge } | Self::NeverGuard { edge } | Self::Extra { edge, .. } => {
                AlteredPart::Constraint(Site::Guard(edge))
            }
            Self::DropInvariant { location } => AlteredPart::Constraint(Site::Invariant(location)),
            Self::Urgency { location, .. } => AlteredPart::Location(location),
            Self::Channel { action } => AlteredPart::Action(action),
            Self::Variant { .. } => AlteredPart::Whole,
            Self::Comparison { site, .. }
            | Self::Clock { site, .. }
            | Self::DropAtom { site, .. }
            | Self::Expression {
                place: FormulaSite::Conditions(site) | FormulaSite::Bound(site, _),
                ..
            } => AlteredPart::Constraint(site),
        }
    }

    /// Whether it changes who takes part in steps: an action, or what inputs a location accepts.
    pub fn is_about_alphabet(&self) -> bool {
        matches!(
            self,
            Self::Action { .. }
                | Self::Direction { .. }
                | Self::Channel { .. }
                | Self::Sink { .. }
                | Self::Variant { .. }
        )
    }

    /// The mutant of `automaton`.
    ///
    /// # Panics
    /// If the alteration was not made for an automaton with these parts.
    #[must_use]
    pub fn apply(&self, automaton: &Automaton) -> Automaton {
        match *self {
            Self::Target { edge, target } => with_edge(automaton, edge, |edge| edge.target = target),
            Self::Source { edge, source } => with_edge(automaton, edge, |edge| edge.source = source),
            Self::Action { edge, action } => with_edge(automaton, edge, |edge| edge.action = action),
            Self::Direction { edge } => {
                let (automaton, action) = automaton.with_action(inverse(automaton, edge));
                with_edge(&automaton, edge, |edge| edge.action = action)
            }
            Self::DropUpdate { edge, update } => with_edge(automaton, edge, |edge| {
                edge.updates.remove(update as usize);
            }),
            Self::OldTimer { edge, update, bound } => {
                let mut late = (*automaton.edges()[edge]).clone();
                late.guard.clocks.push(past(old_bound(automaton, edge, bound)));
                let running = with_edge(automaton, edge, |edge| {
                    edge.updates.remove(update as usize);
                });
                running.with_new_edge(late)
            }
            Self::Reset { edge, clock } => with_edge(automaton, edge, |edge| {
                edge.updates.push(Update::Reset(clock, Expr::Const(0)));
            }),
            Self::Sink { edge } => sunk(automaton, edge),
            Self::Urgency { location, urgency } => {
                let old = (*automaton.locations()[location]).clone();
                automaton.with_location(location, Location { urgency, ..old })
            }
            Self::Channel { action } => {
                let Action { name, urgent, .. } = &automaton.actions()[action];
                let both = automaton
                    .actions()
                    .iter_enumerated()
                    .filter(|(_, other)| other.name == *name);
                both.fold(automaton.clone(), |mutant, (id, _)| mutant.with_urgency(id, !urgent))
            }
            Self::DropInvariant { location } => automaton.with_invariant(location, Guard::always()),
            Self::DropGuard { edge } => automaton.with_guard(edge, Guard::always()),
            Self::NeverGuard { edge } => automaton.with_guard(edge, never()),
            Self::Comparison { site, atom, cmp } => with_guard(automaton, site, |guard| {
                guard.clocks[atom as usize].cmp = cmp;
            }),
            Self::Clock { site, atom, clock } => with_guard(automaton, site, |guard| {
                guard.clocks[atom as usize].left = clock;
            }),
            Self::DropAtom { site, atom } => with_guard(automaton, site, |guard| {
                guard.clocks.remove(atom as usize);
            }),
            Self::Extra { edge, .. } => with_guard(automaton, Site::Guard(edge), |guard| match self.extra(automaton) {
                Some(Conjunct::Clock(extra)) => guard.clocks.push(extra.clone()),
                Some(Conjunct::Data(extra)) => guard.data.push(extra.clone()),
                None => {}
            }),
            Self::Expression { place, part, rewrite } => {
                let (_, new) = formulas(automaton, place, part, rewrite);
                with_formula(automaton, place, new)
            }
            Self::Variant { variant } => variant_of(automaton, variant).game.clone(),
        }
    }

    /// The condition that it adds to a guard.
    pub fn extra<'a>(&self, automaton: &'a Automaton) -> Option<Conjunct<'a>> {
        let Self::Extra { from, conjunct, .. } = *self else {
            return None;
        };
        let all = guard_conjuncts(&automaton.edges()[from].guard);
        all.get(conjunct as usize).copied()
    }

    fn extra_text(&self, automaton: &Automaton) -> String {
        match self.extra(automaton) {
            Some(Conjunct::Clock(atom)) => constraint_text(automaton, None, atom),
            Some(Conjunct::Data(condition)) => formula::text(automaton, None, condition),
            None => String::new(),
        }
    }

    /// The word before the place in the ids of an operator that makes changes of several kinds, which tells apart those
    /// with the same place.
    pub(super) fn word(&self) -> &'static str {
        match self {
            Self::Source { .. } => "from:",
            Self::Direction { .. } => "direction:",
            Self::OldTimer { .. } => "late:",
            Self::Sink { .. } => "sink:",
            Self::NeverGuard { .. } => "never:",
            Self::Channel { .. } => "channel:",
            Self::DropInvariant { .. } => "invariant:",
            Self::Urgency { urgency, .. } => match urgency {
                Urgency::Normal => "ordinary:",
                Urgency::Urgent => "urgent:",
                Urgency::Committed => "committed:",
            },
            _ => "",
        }
    }

    /// The place and the result of the change, for mutant ids; unique among the alterations of one operator of the table.
    pub(super) fn place(&self, automaton: &Automaton) -> String {
        let location = |id: LocId| automaton.locations()[id].name.to_string();
        let name = |edge: EdgeId| edge_name(automaton, edge);
        match *self {
            Self::Target { edge, target } => format!("{}:=>{}", name(edge), location(target)),
            Self::Source { edge, source } => format!("{}:=>{}", name(edge), location(source)),
            Self::Action { edge, action } => format!("{}:=>{}", name(edge), automaton.actions()[action]),
            Self::Direction { edge } => format!("{}:=>{}", name(edge), inverse(automaton, edge)),
            Self::DropUpdate { edge, update } => {
                format!("{}:{update}:{}", name(edge), update_text(automaton, edge, update))
            }
            Self::OldTimer { edge, update, .. } => {
                format!("{}:{}", name(edge), update_text(automaton, edge, update))
            }
            Self::Reset { edge, clock } => format!("{}:{}", name(edge), automaton.clocks()[clock].name),
            Self::Sink { edge } | Self::DropGuard { edge } | Self::NeverGuard { edge } => name(edge),
            Self::Urgency { location: id, .. } | Self::DropInvariant { location: id } => location(id),
            Self::Channel { action } => automaton.actions()[action].name.to_string(),
            Self::Comparison { site, atom, cmp } => {
                let old = atom_text(automaton, site, atom);
                format!("{}:{atom}:{old}=>{}", site_name(automaton, site), cmp.symbol())
            }
            Self::Clock { site, atom, clock } => {
                let (old, clock) = (atom_text(automaton, site, atom), &automaton.clocks()[clock].name);
                format!("{}:{atom}:{old}=>{clock}", site_name(automaton, site))
            }
            Self::DropAtom { site, atom } => {
                format!(
                    "{}:{atom}:{}",
                    site_name(automaton, site),
                    atom_text(automaton, site, atom)
                )
            }
            Self::Extra { edge, .. } => format!("guard:{}:{}", name(edge), self.extra_text(automaton)),
            Self::Variant { variant } => variant_of(automaton, variant).name.to_string(),
            Self::Expression { place, part, rewrite } => {
                let (old, new) = formulas(automaton, place, part, rewrite);
                let text = |formula: &Expr| formula::text(automaton, edge_of(place), formula);
                format!("{}:{}=>{}", place_name(automaton, place), text(&old), text(&new))
            }
        }
    }

    /// One clause for a reader.
    pub(super) fn describe(&self, automaton: &Automaton) -> String {
        let location = |id: LocId| automaton.locations()[id].name.to_string();
        let edge_text = |id: EdgeId| edge_text(automaton, id);
        let place = |site: Site| site_text(automaton, site);
        match *self {
            Self::Target { edge, target } => format!("leads {} to {}", edge_text(edge), location(target)),
            Self::Source { edge, source } => format!("starts {} at {}", edge_text(edge), location(source)),
            Self::Action { edge, action } => {
                format!("gives {} the action {}", edge_text(edge), automaton.actions()[action])
            }
            Self::Direction { edge } => format!("gives {} the action {}", edge_text(edge), inverse(automaton, edge)),
            Self::DropUpdate { edge, update } => {
                format!(
                    "leaves out {} of {}",
                    update_text(automaton, edge, update),
                    edge_text(edge)
                )
            }
            Self::OldTimer { edge, update, bound } => {
                let bound = constraint_text(automaton, None, old_bound(automaton, edge, bound));
                let update = update_text(automaton, edge, update);
                format!("leaves out {update} of {} while {bound}", edge_text(edge))
            }
            Self::Reset { edge, clock } => {
                format!("sets {} to 0 with {}", automaton.clocks()[clock].name, edge_text(edge))
            }
            Self::Sink { edge } => format!("leads {} to a new location that does nothing any more", edge_text(edge)),
            Self::Urgency { location: id, urgency } => {
                let word = match urgency {
                    Urgency::Normal => "an ordinary location",
                    Urgency::Urgent => "urgent",
                    Urgency::Committed => "committed",
                };
                format!("makes {} {word}", location(id))
            }
            Self::Channel { action } => {
                let action = &automaton.actions()[action];
                let word = if action.urgent { "an ordinary" } else { "an urgent" };
                format!("makes the channel {} {word} one", action.name)
            }
            Self::DropInvariant { location: id } => format!("removes the invariant of {}", location(id)),
            Self::DropGuard { edge } => format!("removes the guard of {}", edge_text(edge)),
            Self::NeverGuard { edge } => format!("makes {} impossible", edge_text(edge)),
            Self::Comparison { site, atom, cmp } => {
                let old = atom_text(automaton, site, atom);
                format!("changes the comparison of {old} to {} in {}", cmp.symbol(), place(site))
            }
            Self::Clock { site, atom, clock } => {
                let (old, clock) = (atom_text(automaton, site, atom), &automaton.clocks()[clock].name);
                format!("compares {clock} instead in {old} in {}", place(site))
            }
            Self::DropAtom { site, atom } => {
                format!("leaves out {} in {}", atom_text(automaton, site, atom), place(site))
            }
            Self::Extra { edge, .. } => {
                format!("adds {} to {}", self.extra_text(automaton), place(Site::Guard(edge)))
            }
            Self::Expression { place, part, rewrite } => rewrite_text(automaton, place, part, rewrite),
            Self::Variant { variant } => variant_of(automaton, variant).summary.to_string(),
        }
    }
}

fn variant_of(automaton: &Automaton, variant: u32) -> &Variant<Automaton> {
    &automaton.variants().all()[variant as usize]
}

/// An edge as readers know it: by its ends and its action.
fn edge_text(automaton: &Automaton, id: EdgeId) -> String {
    let edge = &automaton.edges()[id];
    let [source, target] = [edge.source, edge.target].map(|id| &automaton.locations()[id].name);
    format!("the edge {source} -> {target} ({})", automaton.actions()[edge.action])
}

fn site_text(automaton: &Automaton, site: Site) -> String {
    match site {
        Site::Guard(edge) => format!("the guard of {}", edge_text(automaton, edge)),
        Site::Invariant(id) => format!("the invariant of {}", automaton.locations()[id].name),
    }
}

fn rewrite_text(automaton: &Automaton, at: FormulaSite, part: u32, rewrite: Rewrite) -> String {
    let (old, new) = formulas(automaton, at, part, rewrite);
    let text = |formula: &Expr| formula::text(automaton, edge_of(at), formula);
    let place = match at {
        FormulaSite::Conditions(site) => site_text(automaton, site),
        FormulaSite::Bound(site, _) => format!("a bound in {}", site_text(automaton, site)),
        FormulaSite::Value(edge, _) => format!("an assignment of {}", edge_text(automaton, edge)),
    };
    format!("changes {} to {} in {place}", text(&old), text(&new))
}

/// The action of `edge` in the other direction.
fn inverse(automaton: &Automaton, edge: EdgeId) -> Action {
    let action = &automaton.actions()[automaton.edges()[edge].action];
    let role = match action.role {
        Role::Input => Role::Output,
        Role::Output | Role::Internal => Role::Input,
    };
    Action { role, ..action.clone() }
}

/// `automaton` with an edge that leads to a new location, which has a loop for every input.
fn sunk(automaton: &Automaton, edge: EdgeId) -> Automaton {
    let is_taken = |name: &str| automaton.locations().iter().any(|known| *known.name == *name);
    let mut name = "sink".to_owned();
    while is_taken(&name) {
        name.push('_');
    }
    let (mut mutant, sink) = automaton.with_new_location(Location {
        name: name.into(),
        invariant: Guard::always(),
        urgency: Urgency::Normal,
    });
    mutant = with_edge(&mutant, edge, |edge| edge.target = sink);
    let inputs = automaton
        .actions()
        .iter_enumerated()
        .filter(|(_, action)| action.role == Role::Input && !action.shows_propositions());
    for (action, _) in inputs {
        mutant = mutant.with_new_edge(Edge {
            source: sink,
            target: sink,
            action,
            guard: Guard::always(),
            updates: Vec::new(),
            selects: Vec::new(),
        });
    }
    mutant
}

/// The bound of the invariant of the edge's target at that position.
fn old_bound(automaton: &Automaton, edge: EdgeId, bound: u32) -> &ClockConstraint {
    let target = automaton.edges()[edge].target;
    &automaton.locations()[target].invariant.clocks[bound as usize]
}

/// The constraint that holds where `bound`, which is no equality, does not.
fn past(bound: &ClockConstraint) -> ClockConstraint {
    ClockConstraint {
        cmp: bound.cmp.negated().expect("an upper bound has a negation"),
        ..bound.clone()
    }
}

fn with_edge(automaton: &Automaton, id: EdgeId, change: impl FnOnce(&mut Edge)) -> Automaton {
    let mut edge = (*automaton.edges()[id]).clone();
    change(&mut edge);
    automaton.with_edge(id, edge)
}

fn with_guard(automaton: &Automaton, site: Site, change: impl FnOnce(&mut Guard)) -> Automaton {
    let mut guard = guard_at(automaton, site).clone();
    change(&mut guard);
    match site {
        Site::Guard(edge) => automaton.with_guard(edge, guard),
        Site::Invariant(location) => automaton.with_invariant(location, guard),
    }
}

fn with_formula(automaton: &Automaton, place: FormulaSite, new: Expr) -> Automaton {
    match place {
        FormulaSite::Conditions(site) => with_guard(automaton, site, |guard| guard.data = conjuncts(new)),
        FormulaSite::Bound(site, atom) => with_guard(automaton, site, |guard| guard.clocks[atom as usize].bound = new),
        FormulaSite::Value(edge, update) => with_edge(automaton, edge, |edge| {
            if let Update::Assign(_, value) = &mut edge.updates[update as usize] {
                *value = new;
            }
        }),
    }
}

/// The expression at `place`, before and after the rewrite.
fn formulas(automaton: &Automaton, place: FormulaSite, part: u32, rewrite: Rewrite) -> (Expr, Expr) {
    let (old, _) = formula_at(automaton, place).expect("made for an automaton with this expression");
    let new = rewritten(&old, part, rewrite).expect("made for this expression");
    (old, new)
}

fn edge_of(place: FormulaSite) -> Option<EdgeId> {
    match place {
        FormulaSite::Conditions(Site::Guard(edge))
        | FormulaSite::Bound(Site::Guard(edge), _)
        | FormulaSite::Value(edge, _) => Some(edge),
        FormulaSite::Conditions(Site::Invariant(_)) | FormulaSite::Bound(Site::Invariant(_), _) => None,
    }
}

fn site_name(automaton: &Automaton, site: Site) -> String {
    match site {
        Site::Guard(edge) => format!("guard:{}", edge_name(automaton, edge)),
        Site::Invariant(location) => format!("invariant:{}", automaton.locations()[location].name),
    }
}

fn place_name(automaton: &Automaton, place: FormulaSite) -> String {
    match place {
        FormulaSite::Conditions(site) => site_name(automaton, site),
        FormulaSite::Bound(site, atom) => format!("{}:bound{atom}", site_name(automaton, site)),
        FormulaSite::Value(edge, update) => format!("update:{}:{update}", edge_name(automaton, edge)),
    }
}

fn atom_text(automaton: &Automaton, site: Site, atom: u32) -> String {
    clock_atom_text(automaton, site, atom as usize)
}

/// The clock constraint at that position, as users read it.
pub fn clock_atom_text(automaton: &Automaton, site: Site, atom: usize) -> String {
    let edge = match site {
        Site::Guard(edge) => Some(edge),
        Site::Invariant(_) => None,
    };
    constraint_text(automaton, edge, &guard_at(automaton, site).clocks[atom])
}

fn constraint_text(automaton: &Automaton, edge: Option<EdgeId>, constraint: &ClockConstraint) -> String {
    let name = |clock: ClockId| Arc::clone(&automaton.clocks()[clock].name);
    let bound = formula::text(automaton, edge, &constraint.bound);
    match constraint.right {
        Some(right) => format!(
            "{}-{}{}{bound}",
            name(constraint.left),
            name(right),
            constraint.cmp.symbol()
        ),
        None => format!("{}{}{bound}", name(constraint.left), constraint.cmp.symbol()),
    }
}

fn update_text(automaton: &Automaton, edge: EdgeId, update: u32) -> String {
    let (name, value) = match &automaton.edges()[edge].updates[update as usize] {
        Update::Reset(clock, value) => (&automaton.clocks()[*clock].name, value),
        Update::Assign(int, value) => (&automaton.ints()[*int].name, value),
    };
    format!("{name}={}", formula::text(automaton, Some(edge), value))
}

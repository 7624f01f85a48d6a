//! Random pairs of games: unrelated ones, and more often a game and a small change of it.

use proptest::collection::vec;
use proptest::prelude::*;
use tamper_timed::model::{Automaton, Cmp, Urgency};

use super::generate::{
    ACTIONS, Atom, EdgeSketch, LocationSketch, N_COMMON, Sketch, Value, cmp, edge, guard_atom, invariant_atom, sketch,
    sketch_with, urgency,
};
use super::show::show;

/// A mutant and a specification.
#[derive(Clone)]
pub struct Pair {
    /// The mutant.
    pub mutant: Automaton,
    /// The specification.
    pub spec: Automaton,
}

impl std::fmt::Debug for Pair {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "--- mutant\n{}--- specification\n{}",
            show(&self.mutant),
            show(&self.spec)
        )
    }
}

/// A small change. Indices are taken modulo what there is; a change of something that is not there does nothing.
#[derive(Clone, Debug)]
#[allow(missing_docs, reason = "each is the change its name says")]
pub enum Tweak {
    Nothing,
    DropEdge(u8),
    AddEdge(EdgeSketch),
    AddDummyEdge(EdgeSketch, bool),
    GuardBound { edge: u8, atom: u8, up: bool },
    GuardComparison { edge: u8, atom: u8, cmp: Cmp },
    DropGuard(u8),
    AddGuard(u8, Atom),
    InvariantBound { location: u8, atom: u8, up: bool },
    InvariantComparison { location: u8, atom: u8, cmp: Cmp },
    DropInvariant(u8),
    AddInvariant(u8, Atom),
    DropReset(u8),
    AddReset { edge: u8, clock: u8, value: u8 },
    Retarget { edge: u8, target: u8 },
    Relabel { edge: u8, action: u8 },
    DuplicateEdge(u8),
    Urgency(u8, Urgency),
    InitialInt(u8),
    InputEnabled(bool),
}

fn tweak() -> impl Strategy<Value = Tweak> {
    let index = || 0u8..6;
    prop_oneof![
        1 => Just(Tweak::Nothing),
        3 => index().prop_map(Tweak::DropEdge),
        2 => edge(0).prop_map(Tweak::AddEdge),
        2 => (edge(0), any::<bool>()).prop_map(|(edge, output)| Tweak::AddDummyEdge(edge, output)),
        6 => (index(), index(), any::<bool>()).prop_map(|(edge, atom, up)| Tweak::GuardBound { edge, atom, up }),
        3 => (index(), index(), cmp()).prop_map(|(edge, atom, cmp)| Tweak::GuardComparison { edge, atom, cmp }),
        1 => index().prop_map(Tweak::DropGuard),
        2 => (index(), guard_atom(0)).prop_map(|(edge, atom)| Tweak::AddGuard(edge, atom)),
        4 => (index(), index(), any::<bool>()).prop_map(|(location, atom, up)| Tweak::InvariantBound { location, atom, up }),
        1 => (index(), index(), cmp()).prop_map(|(location, atom, cmp)| Tweak::InvariantComparison { location, atom, cmp }),
        1 => index().prop_map(Tweak::DropInvariant),
        1 => (index(), invariant_atom(0)).prop_map(|(location, atom)| Tweak::AddInvariant(location, atom)),
        2 => index().prop_map(Tweak::DropReset),
        2 => (index(), index(), 0u8..3).prop_map(|(edge, clock, value)| Tweak::AddReset { edge, clock, value }),
        1 => (index(), index()).prop_map(|(edge, target)| Tweak::Retarget { edge, target }),
        1 => (index(), 0..N_COMMON).prop_map(|(edge, action)| Tweak::Relabel { edge, action }),
        1 => index().prop_map(Tweak::DuplicateEdge),
        1 => (index(), urgency()).prop_map(|(location, urgency)| Tweak::Urgency(location, urgency)),
        1 => (0u8..3).prop_map(Tweak::InitialInt),
        1 => any::<bool>().prop_map(Tweak::InputEnabled),
    ]
}

fn pick<T>(items: &mut [T], index: u8) -> Option<&mut T> {
    let n_items = items.len().max(1);
    items.get_mut(usize::from(index) % n_items)
}

/// An atom of an edge that has a guard.
fn guard_atom_of(edges: &mut [EdgeSketch], edge: u8, atom: u8) -> Option<&mut Atom> {
    let mut guarded: Vec<_> = edges
        .iter_mut()
        .map(|edge| &mut edge.guard)
        .filter(|guard| !guard.is_empty())
        .collect();
    let index = usize::from(edge) % guarded.len().max(1);
    (index < guarded.len())
        .then(|| guarded.swap_remove(index))
        .and_then(|guard| pick(guard, atom))
}

/// An atom of a location that has an invariant.
fn invariant_atom_of(locations: &mut [LocationSketch], location: u8, atom: u8) -> Option<&mut Atom> {
    let invariants = locations.iter_mut().map(|location| &mut location.invariant);
    let mut bounded: Vec<_> = invariants.filter(|invariant| !invariant.is_empty()).collect();
    let index = usize::from(location) % bounded.len().max(1);
    (index < bounded.len())
        .then(|| bounded.swap_remove(index))
        .and_then(|invariant| pick(invariant, atom))
}

fn moved(value: Value, up: bool) -> Value {
    let step = |constant: u8| if up { constant + 1 } else { constant.saturating_sub(1) };
    match value {
        Value::Const(constant) => Value::Const(step(constant)),
        Value::PlusInt(constant) => Value::PlusInt(step(constant)),
        Value::PlusSelect(constant) => Value::PlusSelect(step(constant)),
    }
}

fn apply(tweak: Tweak, sketch: &mut Sketch) {
    let dummy = |output: bool| u8::try_from(ACTIONS.len()).unwrap() - if output { 2 } else { 1 };
    let Sketch { edges, locations, .. } = sketch;
    match tweak {
        Tweak::Nothing => {}
        Tweak::DropEdge(edge) if !edges.is_empty() => {
            edges.remove(usize::from(edge) % edges.len());
        }
        Tweak::AddEdge(edge) => edges.push(edge),
        Tweak::AddDummyEdge(edge, output) => edges.push(EdgeSketch {
            action: dummy(output),
            ..edge
        }),
        Tweak::DuplicateEdge(edge) => {
            let copy = pick(edges, edge).cloned();
            edges.extend(copy);
        }
        Tweak::DropInvariant(location) => pick(locations, location)
            .into_iter()
            .for_each(|location| location.invariant.clear()),
        Tweak::AddInvariant(location, atom) => {
            pick(locations, location)
                .into_iter()
                .for_each(|location| location.invariant.push(atom));
        }
        Tweak::Urgency(location, urgency) => {
            pick(locations, location)
                .into_iter()
                .for_each(|location| location.urgency = urgency);
        }
        Tweak::InvariantBound { location, atom, up } => {
            let atom = invariant_atom_of(locations, location, atom);
            atom.into_iter().for_each(|atom| atom.bound = moved(atom.bound, up));
        }
        Tweak::InvariantComparison { location, atom, cmp } => {
            let atom = invariant_atom_of(locations, location, atom);
            atom.into_iter().for_each(|atom| atom.cmp = cmp);
        }
        Tweak::InitialInt(value) => sketch.int = sketch.int.map(|_| value),
        Tweak::InputEnabled(on) => sketch.input_enabled = on,
        of_edge => change_edge(of_edge, edges),
    }
}

fn change_edge(tweak: Tweak, edges: &mut [EdgeSketch]) {
    match tweak {
        Tweak::GuardBound { edge, atom, up } => {
            let atom = guard_atom_of(edges, edge, atom);
            atom.into_iter().for_each(|atom| atom.bound = moved(atom.bound, up));
        }
        Tweak::GuardComparison { edge, atom, cmp } => {
            let atom = guard_atom_of(edges, edge, atom);
            atom.into_iter().for_each(|atom| atom.cmp = cmp);
        }
        Tweak::DropGuard(edge) => pick(edges, edge).into_iter().for_each(|edge| edge.guard.clear()),
        Tweak::AddGuard(edge, atom) => pick(edges, edge).into_iter().for_each(|edge| edge.guard.push(atom)),
        Tweak::DropReset(edge) => pick(edges, edge)
            .into_iter()
            .for_each(|edge| edge.resets.truncate(edge.resets.len().saturating_sub(1))),
        Tweak::AddReset { edge, clock, value } => {
            pick(edges, edge)
                .into_iter()
                .for_each(|edge| edge.resets.push((clock, Value::Const(value))));
        }
        Tweak::Retarget { edge, target } => pick(edges, edge).into_iter().for_each(|edge| edge.target = target),
        Tweak::Relabel { edge, action } => pick(edges, edge).into_iter().for_each(|edge| edge.action = action),
        _ => {}
    }
}

/// A game and a change of it, either way round.
fn related(sketches: impl Strategy<Value = Sketch>) -> impl Strategy<Value = Pair> {
    (sketches, vec(tweak(), 1..=3), prop::bool::weighted(0.25)).prop_map(|(mut original, tweaks, swapped)| {
        for edge in &original.edges {
            original.declared[usize::from(edge.action)] = true;
        }
        let mut changed = original.clone();
        for tweak in tweaks {
            apply(tweak, &mut changed);
        }
        let (mutant, spec) = if swapped {
            (original, changed)
        } else {
            (changed, original)
        };
        Pair {
            mutant: mutant.build("M"),
            spec: spec.build("S"),
        }
    })
}

fn unrelated() -> impl Strategy<Value = Pair> {
    (sketch(), sketch()).prop_map(|(mutant, spec)| Pair {
        mutant: mutant.build("M"),
        spec: spec.build("S"),
    })
}

/// A pair of games: two in nine unrelated; the others a game and one to three small changes of it.
pub fn pair() -> impl Strategy<Value = Pair> {
    prop_oneof![7 => related(sketch()), 2 => unrelated()]
}

/// A pair without diagonals.
pub fn pair_without_diagonals() -> impl Strategy<Value = Pair> {
    related(sketch_with(0))
}

/// A pair in which most atoms are diagonal.
pub fn pair_full_of_diagonals() -> impl Strategy<Value = Pair> {
    related(sketch_with(60))
}

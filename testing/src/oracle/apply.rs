//! Mutants made anew, part by part, from the record of what is changed; of the operators beyond the six, from the position of the
//! record among those of its operator.

use std::collections::BTreeMap;

use super::others;
use super::parts::Parts;
use tamper_text::Id as _;
use tamper_timed::model::{
    ActionId, Automaton, AutomatonBuilder, ClockConstraint, Edge, EdgeId, Expr, Guard, LocId, SimpleConstraint,
};
use tamper_timed::mutation::{AlteredPart, MemoryMutation, Mutation, MutationOptions, Mutations, Site};

/// The mutant of `game` by `mutations`, each made for the mutant before it.
pub fn mutant(game: &Automaton, mutations: &[Mutation]) -> Automaton {
    mutations
        .iter()
        .fold(game.clone(), |game, mutation| apply(&game, mutation))
}

fn apply(game: &Automaton, mutation: &Mutation) -> Automaton {
    if let Mutation::Again(memory) = mutation {
        return again(game, memory);
    }
    if let Mutation::Alter { operator, .. } = mutation {
        let listed = Mutations::of(game, &MutationOptions::only(*operator));
        let at = listed
            .iter()
            .position(|known| known == *mutation)
            .expect("a mutation of the game");
        let mut parts = Parts::of(game);
        others::changes(game, *operator)[at](&mut parts);
        return parts.build();
    }
    let mut builder = AutomatonBuilder::new(game.name());
    for clock in game.clocks() {
        builder.clock(clock.name.clone());
    }
    for int in game.ints() {
        builder.int(int.clone());
    }
    for action in game.actions() {
        builder.action(&action.name, action.role, action.urgent);
    }
    builder.input_enabled(game.is_input_enabled());
    let mut moved: BTreeMap<LocId, LocId> = BTreeMap::new();
    for (id, location) in game.locations().iter_enumerated() {
        if *mutation == (Mutation::RemoveLocation { location: id }) {
            continue;
        }
        let mut location = (**location).clone();
        if let Some((atom, new)) = changed(mutation, Site::Invariant(id)) {
            exchange(&mut location.invariant, atom, new);
        }
        moved.insert(id, builder.location(location));
    }
    builder.initial(moved[&game.initial()]);
    for (id, edge) in game.edges().iter_enumerated() {
        let ends = (moved.get(&edge.source), moved.get(&edge.target));
        let (Some(source), Some(target)) = ends else { continue };
        if *mutation == (Mutation::RemoveEdge { edge: id }) {
            continue;
        }
        let mut edge = Edge {
            source: *source,
            target: *target,
            ..(**edge).clone()
        };
        if let Some((atom, new)) = changed(mutation, Site::Guard(id)) {
            exchange(&mut edge.guard, atom, new);
        }
        builder.edge(edge);
    }
    if let Mutation::AddEdge {
        source,
        target,
        role,
        cloned,
    } = *mutation
    {
        let like = cloned.map(|edge: EdgeId| &game.edges()[edge]);
        let n_dummies = game
            .actions()
            .iter()
            .filter(|action| action.name.starts_with("dummy_"))
            .count();
        let action: ActionId = builder.action(&format!("dummy_{}", n_dummies + 1), role, false);
        builder.edge(Edge {
            source: moved[&source],
            target: moved[&target],
            action,
            guard: like.map_or(Guard::always(), |edge| edge.guard.clone()),
            updates: like.map_or(Vec::new(), |edge| edge.updates.clone()),
            selects: like.map_or(Vec::new(), |edge| edge.selects.clone()),
        });
    }
    builder.build().expect("mutants are well-formed")
}

/// The game beside its mutant: a run begins in the game, and is in the mutant once it has passed the place.
fn again(game: &Automaton, memory: &MemoryMutation) -> Automaton {
    let mutant = apply(game, &memory.once());
    let passes = |at: usize, edge: &Edge| match memory.part() {
        AlteredPart::Edge(passed) | AlteredPart::Constraint(Site::Guard(passed)) => at == passed.index(),
        AlteredPart::Location(left) | AlteredPart::Constraint(Site::Invariant(left)) => edge.source == left,
        AlteredPart::Action(_) | AlteredPart::Whole => panic!("a channel or a chart is no place"),
    };
    Parts::of(game).beside(Parts::of(&mutant), passes).build()
}

/// The atom that the mutation exchanges at a site, and what for.
fn changed(mutation: &Mutation, at: Site) -> Option<(usize, SimpleConstraint)> {
    let (site, atom, new) = match *mutation {
        Mutation::LargerConstant { site, atom, new, .. } | Mutation::SmallerConstant { site, atom, new, .. } => {
            (site, atom, new)
        }
        Mutation::NegateGuard { edge, atom, new, .. } => (Site::Guard(edge), atom, new),
        _ => return None,
    };
    (site == at).then_some((atom as usize, new))
}

fn exchange(guard: &mut Guard, atom: usize, new: SimpleConstraint) {
    guard.clocks[atom] = ClockConstraint {
        left: new.clock,
        right: None,
        cmp: new.cmp,
        bound: Expr::Const(new.constant),
    };
}

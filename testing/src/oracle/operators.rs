//! The six mutation operators once more, from their definitions, to check totals and verdicts of published studies.

use tamper_timed::model::{Action, Automaton, Edge, Guard, Role, SimpleConstraint};

/// An operator.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[allow(missing_docs, reason = "the names of the literature")]
pub enum Op {
    Tmi,
    TadInput,
    TadOutput,
    Smi,
    CxlGuard,
    CxlInvariant,
    CxsGuard,
    CxsInvariant,
    Ccn,
}

/// All first-order mutants, each with its operator and what it changes.
pub fn mutants(game: &Automaton) -> Vec<(Op, String, Automaton)> {
    let mut all = Vec::new();
    let name = |id: tamper_timed::model::LocId| game.locations()[id].name.to_string();
    let label = |edge: &Edge| {
        format!(
            "{}->{} {}",
            name(edge.source),
            name(edge.target),
            game.actions()[edge.action]
        )
    };
    for (id, edge) in game.edges().iter_enumerated() {
        all.push((Op::Tmi, label(edge), game.without_edge(id)));
    }
    for (op, role) in [(Op::TadInput, Role::Input), (Op::TadOutput, Role::Output)] {
        for source in game.locations().ids() {
            for target in game.locations().ids() {
                let first = game.edges().iter().next().expect("an edge to clone");
                let added = Edge {
                    source,
                    target,
                    ..(**first).clone()
                };
                let action = Action {
                    name: "dummy".into(),
                    role,
                    urgent: false,
                };
                all.push((
                    op,
                    format!("{}->{}", name(source), name(target)),
                    game.with_new_action_edge(action, added),
                ));
            }
        }
    }
    for id in game.locations().ids().filter(|id| *id != game.initial()) {
        all.push((Op::Smi, name(id), game.without_location(id)));
    }
    for (ops, step) in [
        ((Op::CxlGuard, Op::CxlInvariant), 1),
        ((Op::CxsGuard, Op::CxsInvariant), -1),
    ] {
        let moved = |simple: SimpleConstraint| SimpleConstraint {
            constant: simple.constant + step,
            ..simple
        };
        let is_made = |simple: &SimpleConstraint| step > 0 || simple.constant + step > 0;
        for (id, edge) in game.edges().iter_enumerated() {
            if let Some(simple) = edge.guard.as_simple().filter(is_made) {
                all.push((ops.0, label(edge), game.with_guard(id, Guard::from(moved(simple)))));
            }
        }
        for (id, location) in game.locations().iter_enumerated() {
            if let Some(simple) = location.invariant.as_simple().filter(is_made) {
                all.push((
                    ops.1,
                    location.name.to_string(),
                    game.with_invariant(id, Guard::from(moved(simple))),
                ));
            }
        }
    }
    for (id, edge) in game.edges().iter_enumerated() {
        let negated = edge.guard.as_simple().and_then(|simple| {
            Some(SimpleConstraint {
                cmp: simple.cmp.negated()?,
                ..simple
            })
        });
        if let Some(simple) = negated {
            all.push((Op::Ccn, label(edge), game.with_guard(id, Guard::from(simple))));
        }
    }
    all
}

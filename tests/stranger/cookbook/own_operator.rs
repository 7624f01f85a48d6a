//! A program of a stranger's: a model from a file, its mutants and those of an operator of its own, decided and explained.

use tamper::game::Semantics;
use tamper::model::{Automaton, EdgeId, LocId, Role};
use tamper::mutation::{Mutation, Order};
use tamper::report::counterexample_text;
use tamper::{Error, Mutant};

/// The operator: a location takes no input any more.
fn deaf(game: &Automaton, location: LocId) -> Mutant {
    let is_heard = |edge: &EdgeId| game.edges()[*edge].source == location && game.role(*edge) == Role::Input;
    let heard: Vec<EdgeId> = game.edges().ids().filter(is_heard).collect();
    // From the last one on, as the edges behind a removed one move up.
    let without = |game: Automaton, edge: &EdgeId| Mutation::RemoveEdge { edge: *edge }.apply(&game);
    Mutant {
        id: format!("DEAF:{}", game.locations()[location].name),
        automaton: heard.iter().rev().fold(game.clone(), without),
    }
}

#[test]
fn mutants_of_an_operator_of_ones_own_are_decided_and_explained() -> Result<(), Error> {
    let game = tamper::read("../../case-studies/wfas/model.xml")?;
    let own = game.locations().ids().map(|location| deaf(&game, location));
    let mutants: Vec<Mutant> = tamper::mutate(&game, Order::FIRST)?.chain(own).collect();
    let mut explained = Vec::new();
    for mutant in &mutants {
        if let Some(found) = tamper::counterexample(&game, mutant, Semantics::STRICT)? {
            let shown = counterexample_text(&found, &mutant.automaton, &game);
            println!("{}\n{shown}", mutant.id);
            explained.push(mutant.id.as_str());
        }
    }
    // As many of the paper's operators as `classify` counts, and the four locations that have an input to refuse.
    let deaf = explained.split_off(65);
    assert_eq!(deaf, ["DEAF:cont_1", "DEAF:cont_2", "DEAF:cont_3", "DEAF:cont_4"]);
    Ok(())
}

//! A network as one game: who is under test, what the others see, and what can go wrong.

use std::error::Error;
use std::path::Path;

use tamper::formats::read_network_file;
use tamper::game::{Semantics, Specification, Verdict};
use tamper::model::Role;
use tamper::network::{Side, View, compose};
use tamper::text::Budget;

#[test]
fn a_network_is_composed_with_its_user_outside() -> Result<(), Box<dyn Error>> {
    let (file, ..) = read_network_file(Path::new("../../uppaal-models/networks/lamp-and-user.xta"))?;
    let network = &file.network;
    let everything = View::closed("everything", network);
    // The lamp alone is under test; the user is its environment.
    let is_user = |name: &str| name == "User";
    let sides = network.processes.iter().map(|process| match is_user(&process.name) {
        true => Side::Environment,
        false => Side::System,
    });
    let lamp = View {
        name: "lamp".to_owned(),
        sides: sides.collect(),
        ..everything.clone()
    };
    let budget = Budget::unlimited();
    let (whole, lamp) = (
        compose(network, &everything, &budget)?,
        compose(network, &lamp, &budget)?,
    );
    println!("{} states", lamp.discrete.len());
    let inputs = |game: &tamper::model::Automaton| {
        game.edges()
            .ids()
            .filter(|edge| game.role(*edge) == Role::Input)
            .count()
    };
    assert_eq!(inputs(&whole.automaton), 0, "nothing comes from outside");
    assert!(inputs(&lamp.automaton) > 0, "somebody presses");
    // A game refines itself.
    let game = Specification::prepare(&lamp.automaton, Semantics::STRICT, &budget)?;
    let decided = game.decide(&lamp.automaton, &budget, &mut tamper::game::Scratch::default())?;
    assert_eq!(decided.verdict, Verdict::Subsumed);
    Ok(())
}

//! What the guidelines and lemmata of [003] say about mutants, against the game.

mod composition;
mod effective_lemmas;
mod guidelines_are_sound;

use std::cell::Cell;

use crate::small_games::{Family, text};
use tamper::formats::uppaal::{ReadOptions, read_file};
use tamper::model::{Automaton, Guard};
use tamper::mutation::{Mutation, MutationOptions, Mutations};
use testing::oracle::generate::{Shown, game};
use testing::oracle::run::check;

/// What counts mutants of a game that are as they should be; `Err` with one that is not.
type Count = fn(&Automaton) -> Result<usize, String>;

/// Counts in all games with one location and two edges that have these guards and invariants.
fn in_all_small_games((guards, invariants): (Vec<Guard>, Vec<Guard>), count: Count) -> usize {
    let family = Family {
        n_locations: 1,
        n_edges: 2,
        guards,
        invariants,
    };
    let games = (0..family.len()).filter_map(|number| family.get(number));
    games
        .map(|game| count(&game).unwrap_or_else(|what| panic!("{what}: {}", text(&game))))
        .sum()
}

/// Counts in that many random games.
fn in_random_games(cases: u32, count: Count) -> usize {
    let n = Cell::new(0);
    check(cases, &game(), |Shown(original)| {
        n.set(n.get() + count(original)?);
        Ok(())
    });
    n.get()
}

/// The games of a file.
fn read(folder: &str, file: &str) -> Vec<Automaton> {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(folder).join(file);
    let (document, _) = read_file(&path, &ReadOptions::default()).expect("the model is read");
    document.automata().to_vec()
}

/// The mutation of `automaton` of that id.
fn find(automaton: &Automaton, id: &str) -> Mutation {
    Mutations::of(automaton, &MutationOptions::default())
        .iter()
        .find(|mutation| mutation.id(automaton) == id)
        .expect("there is a mutation of that name")
}

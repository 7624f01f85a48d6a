//! Constants that change together against plain enumeration: every game of the grid, made by plain code and decided by
//! the region graph.

use std::cell::Cell;
use std::collections::BTreeMap;

use tamper::experiment::{JointConstants, Limits, Timer, joint_constants, n_joint_games};
use tamper::game::{GameError, Semantics, Specification};
use tamper::model::{Automaton, Expr, Guard};
use tamper::mutation::{MutationOptions, edge_name};
use tamper::text::Budget;

use testing::oracle::generate::{Shown, game};
use testing::oracle::refinement::{ALL_RULES, Answer, decide};
use testing::oracle::run;

/// The game with `constant` in the clock constraint of that place.
fn with_constant(game: &Automaton, site: &str, constant: i64) -> Automaton {
    let changed = |guard: &Guard| {
        let mut guard = guard.clone();
        guard.clocks[0].bound = Expr::Const(constant);
        guard
    };
    if let Some(name) = site.strip_prefix("invariant:") {
        let mut locations = game.locations().iter_enumerated();
        let found = locations.find(|(_, location)| *location.name == *name);
        let (id, location) = found.expect("a location");
        return game.with_invariant(id, changed(&location.invariant));
    }
    let name = site.strip_prefix("guard:").expect("a guard");
    let mut edges = game.edges().ids();
    let id = edges.find(|id| edge_name(game, *id) == name).expect("an edge");
    game.with_guard(id, changed(&game.edges()[id].guard))
}

/// The points of the boxes, each in one of them, with their verdicts.
fn points(joint: &JointConstants) -> Result<BTreeMap<Vec<i64>, &'static str>, String> {
    let mut verdicts = BTreeMap::new();
    for corners in &joint.boxes {
        let mut within = vec![Vec::new()];
        for (from, to) in corners.from.iter().zip(&corners.to) {
            let longer = |point: &Vec<i64>| (*from..=*to).map(|at| [&point[..], &[at]].concat()).collect::<Vec<_>>();
            within = within.iter().flat_map(longer).collect();
        }
        for point in within {
            if verdicts.insert(point.clone(), corners.verdict.name()).is_some() {
                return Err(format!("{:?}: {point:?} is in two boxes", joint.sites));
            }
        }
    }
    Ok(verdicts)
}

fn check(game: &Automaton, (n, last): (usize, i64), turn: usize, n_decided: &Cell<[usize; 3]>) -> Result<(), String> {
    // The oracle's readings, in its order.
    let readings = [
        Semantics::STRICT,
        Semantics::DEFINITION,
        Semantics::TIGA,
        Semantics::ALL[3],
    ];
    let (rules, semantics) = (ALL_RULES[turn % ALL_RULES.len()], readings[turn % readings.len()]);
    let specification = match Specification::prepare(game, semantics, &Budget::unlimited()) {
        Err(GameError::SpecInconsistent { .. }) => return Ok(()),
        prepared => prepared.map_err(|error| error.to_string())?,
    };
    let (options, timer) = (MutationOptions::default(), Timer::new(Limits::default()));
    let joint = joint_constants(&specification, &options, n, last, &timer, || ());
    let mut n_games = 0;
    for joint in joint.map_err(|error| error.to_string())? {
        for (point, found) in points(&joint)? {
            n_games += 1;
            let changes = joint.sites.iter().zip(&point);
            let mutant = changes.fold(game.clone(), |game, (site, at)| with_constant(&game, site, *at));
            let (name, kind) = match decide(&mutant, game, rules) {
                Answer::Subsumed => ("subsumed", 0),
                Answer::NonSubsumed => ("non-subsumed", 1),
                Answer::Inconsistent => ("inconsistent", 2),
                Answer::SpecInconsistent => return Err("the game is inconsistent".to_owned()),
            };
            if name != found {
                return Err(format!("{rules:?} {:?} {point:?}: {found}, not {name}", joint.sites));
            }
            let mut counts = n_decided.get();
            counts[kind] += 1;
            n_decided.set(counts);
        }
    }
    // No point of any choice is left out.
    match n_joint_games(game, &options, n, last) == n_games {
        true => Ok(()),
        false => Err(format!("{n_games} games")),
    }
}

#[test]
fn boxes_of_constants_that_change_together_are_what_every_game_gives() {
    let (n_decided, turn) = (Cell::default(), Cell::new(0));
    run::check(60, &game(), |Shown(game)| {
        turn.set(turn.get() + 1);
        let size = [(2, 2), (3, 1)][turn.get() % 2];
        check(game, size, turn.get() / 2, &n_decided)
    });
    println!("{:?}", n_decided.get());
    assert!(n_decided.get().iter().all(|n| *n > 20), "{:?}", n_decided.get());
}

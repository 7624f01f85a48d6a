//! Random small games and what is asked about their mutants.
//!
//! One clock mostly, constants up to 2: then a region graph of two games side by side has some hundred states, and a
//! mutant takes it a fraction of a millisecond. All else that a game can have is there: resets to constants, clocks that
//! one location compares and another does not, urgent locations and channels, integers, select variables, choices
//! between edges, ignored inputs.

use std::collections::BTreeSet;
use std::fmt;

use proptest::prelude::*;
use tamper::formats::write_automaton;
use tamper::game::Semantics;
use tamper::model::{Automaton, Propositions};
use tamper::mutation::{MutationOptions, Operator, TadGuard};
use testing::oracle::generate::{Atom, Sketch, Value, sketch_with};
use testing::oracle::show::show;

use super::classified::Question;

/// A game and a question about its mutants.
#[derive(Clone)]
pub struct Case {
    pub sketch: Sketch,
    pub question: Question,
    /// Whether the run is interrupted after half of its records.
    pub resumed: bool,
    /// Whether something holds in every second location, and is seen.
    pub sees_propositions: bool,
}

impl Case {
    /// The game.
    pub fn game(&self) -> Automaton {
        let game = self.sketch.build("G");
        if !self.sees_propositions {
            return game;
        }
        let odd = game.locations().iter().skip(1).step_by(2);
        let held = odd.map(|location| (location.name.clone(), BTreeSet::from(["p".into()])));
        let game = game.with_propositions(held.collect::<Propositions>());
        game.with_seen_propositions(&game)
    }
}

impl fmt::Debug for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let game = self.game();
        writeln!(f, "{:?}\n{}\n{}", self.question, show(&game), write_automaton(&game))
    }
}

fn smaller(value: Value) -> Value {
    match value {
        Value::Const(constant) => Value::Const(constant % 3),
        Value::PlusInt(constant) => Value::PlusInt(constant % 2),
        Value::PlusSelect(constant) => Value::PlusSelect(constant % 2),
    }
}

/// The same game with fewer clocks, integers and select variables, and smaller constants.
fn lean(mut sketch: Sketch, (two_clocks, with_int, with_selects): (bool, bool, bool)) -> Sketch {
    if !two_clocks {
        sketch.clocks = 1;
    }
    if !with_int {
        sketch.int = None;
    }
    let guards = sketch.edges.iter_mut().map(|edge| &mut edge.guard);
    let invariants = sketch.locations.iter_mut().map(|location| &mut location.invariant);
    for Atom { bound, .. } in guards.chain(invariants).flatten() {
        *bound = smaller(*bound);
    }
    for edge in &mut sketch.edges {
        edge.select &= with_selects;
        edge.resets.iter_mut().for_each(|(_, value)| *value = smaller(*value));
    }
    sketch
}

/// The operators that are also applied with memory: in every third case some, of all there are.
pub fn again() -> impl Strategy<Value = Vec<Operator>> {
    let some = proptest::sample::subsequence(Operator::of_games().to_vec(), 1..=12);
    prop_oneof![2 => Just(Vec::new()), 1 => some]
}

fn options() -> impl Strategy<Value = MutationOptions> {
    let operators = prop_oneof![
        2 => Just(Operator::PAPER.to_vec()),
        1 => proptest::sample::subsequence(Operator::PAPER.to_vec(), 2..=4),
        1 => Just(vec![Operator::Tad]),
    ];
    let flag = |percent: f64| prop::bool::weighted(percent / 100.0);
    (operators, again(), flag(20.0), flag(25.0), (flag(30.0), flag(30.0))).prop_map(
        |(operators, again, twice, without_guard, (cxs_to_zero, conjuncts))| MutationOptions {
            operators,
            again,
            step: 1 + i64::from(twice),
            tad_guard: if without_guard {
                TadGuard::None
            } else {
                TadGuard::FirstEdge
            },
            cxs_to_zero,
            conjuncts,
        },
    )
}

/// A case; at most `most` of its mutants are looked at.
pub fn case(most: u64) -> impl Strategy<Value = Case> {
    let flag = |percent: f64| prop::bool::weighted(percent / 100.0);
    let sketch = (sketch_with(0), (flag(15.0), flag(40.0), flag(50.0))).prop_map(|(sketch, keep)| lean(sketch, keep));
    let semantics = prop_oneof![
        3 => Just(Semantics::TIGA),
        2 => Just(Semantics::STRICT),
        2 => Just(Semantics::DEFINITION),
        1 => proptest::sample::select(Semantics::ALL.to_vec()),
    ];
    let order = prop_oneof![1 => Just(1u8), 3 => Just(2u8), 2 => Just(3u8)];
    (
        sketch,
        order,
        options(),
        semantics,
        any::<u64>(),
        (flag(5.0), flag(25.0)),
    )
        .prop_map(
            move |(sketch, order, options, semantics, seed, (resumed, sees_propositions))| Case {
                sketch,
                question: Question {
                    // With memory every mutation doubles the game.
                    order: if options.again.is_empty() { order } else { order.min(2) },
                    options,
                    semantics,
                    most,
                    seed,
                },
                resumed,
                sees_propositions,
            },
        )
}

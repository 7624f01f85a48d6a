//! The guidelines against the game: a mutant that a rule names never is non-subsumed, whatever the game has
//! (urgent channels, ignored inputs, lower bounds in invariants) and under every reading of refinement.

use std::collections::BTreeMap;

use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use tamper::game::{Scratch, Semantics, Specification, Verdict};
use tamper::guidelines::{Rule, violated};
use tamper::model::{
    Automaton, AutomatonBuilder, ClockId, Cmp, Edge, Expr, Guard, Location, Role, SimpleConstraint, Update, Urgency,
};
use tamper::mutation::{MutationOptions, Mutations, Operator};
use tamper::text::Budget;

/// What an edge is drawn from: source, target, action, guard, reset.
type DrawnEdge = (usize, usize, usize, Option<(usize, i64)>, bool);

#[derive(Clone, Debug)]
struct Drawn {
    invariants: Vec<Option<(usize, i64)>>,
    edges: Vec<DrawnEdge>,
    urgent: Option<usize>,
    input_enabled: bool,
}

const CMPS: [Cmp; 5] = [Cmp::Lt, Cmp::Le, Cmp::Eq, Cmp::Ge, Cmp::Gt];
const ACTIONS: [(&str, Role); 4] = [
    ("a", Role::Input),
    ("b", Role::Input),
    ("c", Role::Output),
    ("d", Role::Output),
];

impl Drawn {
    fn automaton(&self) -> Automaton {
        let mut builder = AutomatonBuilder::new("A");
        let clock = builder.clock("x");
        let actions: Vec<_> = (0..ACTIONS.len())
            .map(|at| builder.action(ACTIONS[at].0, ACTIONS[at].1, self.urgent == Some(at)))
            .collect();
        let locations: Vec<_> = (0..self.invariants.len())
            .map(|at| {
                builder.location(Location {
                    name: format!("l{at}").into(),
                    invariant: guard(clock, self.invariants[at]),
                    urgency: Urgency::Normal,
                })
            })
            .collect();
        builder.initial(locations[0]);
        builder.input_enabled(self.input_enabled);
        for (source, target, action, atom, reset) in &self.edges {
            let is_urgent = self.urgent == Some(*action);
            builder.edge(Edge {
                source: locations[source % locations.len()],
                target: locations[target % locations.len()],
                action: actions[*action],
                guard: guard(clock, atom.filter(|_| !is_urgent)),
                updates: reset
                    .then_some(Update::Reset(clock, Expr::Const(0)))
                    .into_iter()
                    .collect(),
                selects: Vec::new(),
            });
        }
        builder.build().expect("every reference is to a part")
    }
}

fn guard(clock: ClockId, atom: Option<(usize, i64)>) -> Guard {
    atom.map_or_else(Guard::always, |(cmp, constant)| {
        let cmp = CMPS[cmp];
        SimpleConstraint { clock, cmp, constant }.into()
    })
}

fn drawn() -> impl Strategy<Value = Drawn> {
    // Upper bounds are the usual invariants; a lower bound must hold at the start.
    let first = prop::option::of((0..2_usize, 1..4_i64));
    let other = prop::option::of((prop::sample::select(vec![0_usize, 1, 1, 3, 4]), 1..4_i64));
    let edge = (
        0..3_usize,
        0..3_usize,
        0..ACTIONS.len(),
        prop::option::of((0..5_usize, 0..4_i64)),
        any::<bool>(),
    );
    (
        (first, prop::collection::vec(other, 0..3)),
        prop::collection::vec(edge, 1..7),
        prop::option::of(0..ACTIONS.len()),
        any::<bool>(),
    )
        .prop_map(|((first, mut others), edges, urgent, input_enabled)| {
            others.insert(0, first);
            Drawn {
                invariants: others,
                edges,
                urgent,
                input_enabled,
            }
        })
}

/// How many mutants each rule named, of those that were decided.
fn check(
    (automaton, operators): (&Automaton, &[Operator]),
    named: &mut BTreeMap<Rule, usize>,
) -> Result<(), TestCaseError> {
    let options = MutationOptions {
        operators: operators.to_vec(),
        ..MutationOptions::default()
    };
    let budget = Budget::unlimited();
    let mut scratch = Scratch::default();
    for semantics in Semantics::ALL {
        // Without a consistent start, or with an urgent edge into a location with an invariant, there is no question.
        let Ok(specification) = Specification::prepare(automaton, semantics, &budget) else {
            continue;
        };
        for mutation in Mutations::of(automaton, &options).iter() {
            let Some(rule) = violated(automaton, &mutation) else {
                continue;
            };
            let Ok(decision) = specification.decide(&mutation.apply(automaton), &budget, &mut scratch) else {
                continue;
            };
            let id = mutation.id(automaton);
            prop_assert!(
                decision.verdict != Verdict::NonSubsumed,
                "{rule} names {id} under {semantics}"
            );
            *named.entry(rule).or_default() += 1;
        }
    }
    Ok(())
}

fn assert_sound((cases, operators): (u32, &[Operator]), rules: &[Rule]) {
    let config = Config {
        cases,
        failure_persistence: None,
        ..Config::default()
    };
    let mut runner = TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha));
    let named = std::cell::RefCell::new(BTreeMap::new());
    let result = runner.run(&drawn(), |drawn| {
        check((&drawn.automaton(), operators), &mut named.borrow_mut())
    });
    result.unwrap_or_else(|failure| panic!("{failure}"));
    let named = named.into_inner();
    for rule in rules {
        assert!(named.contains_key(rule), "{rule} was never put to the test: {named:?}");
    }
}

#[test]
fn no_mutant_that_a_rule_names_is_non_subsumed() {
    assert_sound((1500, &Operator::PAPER), &Rule::PUBLISHED);
}

#[test]
fn no_mutant_of_other_operators_that_a_rule_names_is_non_subsumed() {
    let others: Vec<Operator> = Operator::of_games()
        .iter()
        .copied()
        .filter(|operator| !operator.is_paper())
        .collect();
    let rules: Vec<Rule> = Rule::ALL
        .into_iter()
        .filter(|rule| !Rule::PUBLISHED.contains(rule))
        .collect();
    assert_sound((300, &others), &rules);
}

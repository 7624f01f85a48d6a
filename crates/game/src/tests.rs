//! Small games whose verdicts, ways, strategies and counterexamples follow from the definitions by hand.

mod replays;

use num_rational::BigRational;

use super::answer_heuristic::LocationCorrespondence;
use super::forward::{self, ForwardOutcome, Relation, Scratch};
use super::product::{ActionMap, ArenaProduct};
use super::responder;
use super::semantics::{Semantics, Unmatched};
use super::specification::{Decision, Method, Specification, Verdict, consistent_arena};
use super::{ConcreteGame, Counterexample, Doing, End, replay};
use crate::symbolic::{Arena, INITIAL, NodeId, Pair, PairProduct as _, zone_ops};
use tamper_text::{Budget, Id, StopReason};
use tamper_timed::model::{Automaton, ClockId, Cmp, Edge, EdgeId, Expr, Guard, LocId, Role, Select, Update, Urgency};
use tamper_zones::Dbm;
use testing::sketch::{Sketch, atom};

/// Where both games start.
const START: Pair = (INITIAL, INITIAL);

/// Its ends, its label, its guard and the clocks it resets.
type EdgeOf<'a> = (&'a str, &'a str, &'a str, Guard, &'a [usize]);

/// A game over `x` whose locations let time pass for ever.
fn game(locations: &[&str], edges: &[EdgeOf<'_>]) -> Automaton {
    let mut sketch = Sketch::new("A", &["x"]);
    for name in locations {
        sketch.location(name, Guard::always());
    }
    for (source, target, label, guard, resets) in edges {
        sketch.edge(source, target, label, guard.clone(), resets);
    }
    sketch.build()
}

fn from(constant: i64) -> Guard {
    atom(0, Cmp::Ge, constant)
}

fn until(constant: i64) -> Guard {
    atom(0, Cmp::Le, constant)
}

fn after(constant: i64) -> Guard {
    atom(0, Cmp::Gt, constant)
}

fn prepared(spec: &Automaton, semantics: Semantics) -> Specification {
    Specification::prepare(spec, semantics, &Budget::unlimited()).expect("it is consistent")
}

/// The verdict, how it was found, and how many symbolic states that took.
fn decided(mutant: &Automaton, spec: &Automaton, semantics: Semantics) -> (Verdict, Method, u64) {
    let mut scratch = Scratch::default();
    let Decision { verdict, method } = prepared(spec, semantics)
        .decide(mutant, &Budget::unlimited(), &mut scratch)
        .expect("a meaning");
    (verdict, method, scratch.n_states)
}

fn by_fixpoint(mutant: &Automaton, spec: &Automaton, semantics: Semantics) -> Verdict {
    prepared(spec, semantics)
        .decide_by_fixpoint(mutant, &Budget::unlimited())
        .expect("a meaning")
}

/// The counterexample, which can be played; it is found far below the limit.
fn counterexample(mutant: &Automaton, spec: &Automaton, semantics: Semantics) -> Counterexample {
    let budget = Budget {
        max_states: Some(1000),
        ..Budget::unlimited()
    };
    let found = prepared(spec, semantics)
        .counterexample(mutant, &budget)
        .expect("a meaning")
        .counterexample()
        .expect("the mutant does not refine it");
    assert_eq!(replay(mutant, spec, semantics, &found), Ok(()));
    found
}

fn number(value: i64) -> BigRational {
    BigRational::from_integer(value.into())
}

#[test]
fn a_semantics_is_written_by_the_name_that_chooses_it() {
    let texts = Semantics::ALL.map(|semantics| semantics.to_string());
    assert_eq!(texts, ["tiga", "strict", "definition", "lenient"]);
}

/// Where no point has two answers of different effect, whatever the edges look like, no game is played.
#[test]
fn games_without_a_choice_are_decided_by_their_product() {
    let start = ["l", "m"];
    let once = game(&start, &[("l", "m", "a!", from(1), &[0])]);
    let twice = game(
        &start,
        &[("l", "m", "a!", from(1), &[0]), ("l", "m", "a!", from(2), &[0])],
    );
    let more = game(
        &start,
        &[("l", "m", "a!", from(1), &[0]), ("m", "m", "d!", Guard::always(), &[])],
    );
    let split = game(
        &["l", "m", "n"],
        &[("l", "m", "a!", until(1), &[]), ("l", "n", "a!", after(1), &[])],
    );
    let whole = game(&start, &[("l", "m", "a!", Guard::always(), &[])]);
    let subsumed = |n_states| (Verdict::Subsumed, Method::Product, n_states);
    // One symbolic state per pair of locations.
    assert_eq!(decided(&once, &once, Semantics::STRICT), subsumed(2));
    assert_eq!(decided(&once, &twice, Semantics::STRICT), subsumed(2));
    assert_eq!(decided(&more, &once, Semantics::TIGA), subsumed(2));
    assert_eq!(decided(&whole, &split, Semantics::STRICT), subsumed(3));
}

/// The answer that comes first cannot go on by `b!`, the one that looks like the challenge can.
#[test]
fn the_counterpart_answers_first() {
    let edges: [EdgeOf<'_>; 3] = [
        ("l", "n", "a!", Guard::always(), &[]),
        ("l", "m", "a!", Guard::always(), &[]),
        ("m", "l", "b!", Guard::always(), &[0]),
    ];
    let spec = game(&["l", "m", "n"], &edges);
    // One state until the choice is met; then (l, l), (n, n) and (m, m), each with one zone.
    let expected = (Verdict::Subsumed, Method::Counterpart, 4);
    assert_eq!(decided(&spec, &spec, Semantics::STRICT), expected);
}

/// Whether the fixpoint, and the game that is played, say that a game in which `y` may be longer refines one in which it may be 3.
///
/// At a time later than 0, give `c?`, so that `y` is 0 in both, and let the mutant set it to 3 by `a!`. If the specification sets it
/// as well, it cannot wait and the mutant can; if it does not, it cannot make the internal step, and the mutant can. So it loses,
/// although in the first moment, and as long as `y` is positive, one of its answers is good.
#[test]
fn all_who_rely_on_an_answer_are_told_that_it_is_bad() {
    let long = |bound: i64| {
        let mut sketch = Sketch::new("A", &["x", "y"]);
        let soon = atom(0, Cmp::Lt, 2);
        let mut first = soon.clone();
        first.clocks.extend(atom(1, Cmp::Le, bound).clocks);
        sketch.location("l", first);
        sketch.location("m", soon);
        let set = vec![Update::Reset(ClockId::from_index(1), Expr::Const(3))];
        sketch.edge("l", "l", "a!", Guard::always(), &[]);
        sketch.edge_with("l", "l", "a!", Guard::always(), &[], set);
        sketch.edge("l", "m", "", atom(0, Cmp::Le, 0), &[1]);
        sketch.edge("l", "m", "", atom(1, Cmp::Gt, 0), &[]);
        sketch.edge("l", "l", "c?", Guard::always(), &[1]);
        sketch.edge("m", "m", "a!", Guard::always(), &[]);
        sketch.build()
    };
    let (mutant, spec) = (long(4), long(3));
    assert_eq!(by_fixpoint(&mutant, &spec, Semantics::STRICT), Verdict::NonSubsumed);
    let (verdict, method, _) = decided(&mutant, &spec, Semantics::STRICT);
    assert_eq!((verdict, method), (Verdict::NonSubsumed, Method::Strategy));
}

/// A limit on states counts those of the game with choices: (l, s0) to (l, s4), while the mutant has one location.
#[test]
fn a_game_with_choices_ends_at_the_limit() {
    let names = ["s0", "s1", "s2", "s3", "s4"];
    let mut edges: Vec<EdgeOf<'_>> = Vec::new();
    for (position, name) in names.iter().enumerate() {
        let next = names[(position + 1) % names.len()];
        edges.push((name, next, "a!", Guard::always(), &[]));
        edges.push((name, next, "a!", Guard::always(), &[0]));
    }
    let spec = game(&names, &edges);
    let mutant = game(&["l"], &[("l", "l", "a!", Guard::always(), &[])]);
    let specification = prepared(&spec, Semantics::DEFINITION);
    for (max_states, verdict) in [
        (None, Verdict::Subsumed),
        (Some(3), Verdict::Unknown(StopReason::States)),
    ] {
        let budget = Budget {
            max_states,
            ..Budget::unlimited()
        };
        let decision = specification.decide(&mutant, &budget, &mut Scratch::default());
        assert_eq!(decision.map(|decision| decision.verdict), Ok(verdict));
    }
}

/// In `u` time stands still. The mutant does `b!` there from 4 on, where the specification has chosen `v` and can follow;
/// that a later point of `u` loses says nothing about the earlier ones.
#[test]
fn no_time_leads_to_what_loses_where_time_stands_still() {
    let build = |edges: &[EdgeOf<'_>]| {
        let mut sketch = Sketch::new("A", &["x"]);
        sketch.location("l", until(5));
        sketch.location_with("u", Guard::always(), Urgency::Urgent);
        sketch.location_with("v", Guard::always(), Urgency::Urgent);
        for (source, target, label, guard, resets) in edges {
            sketch.edge(source, target, label, guard.clone(), resets);
        }
        sketch.build()
    };
    let mutant = build(&[("l", "u", "a!", Guard::always(), &[]), ("u", "l", "b!", from(4), &[])]);
    let spec = build(&[
        ("l", "u", "a!", Guard::always(), &[]),
        ("l", "v", "a!", from(4), &[]),
        ("v", "l", "b!", Guard::always(), &[]),
    ]);
    let (verdict, method, _) = decided(&mutant, &spec, Semantics::DEFINITION);
    assert_eq!((verdict, method), (Verdict::Subsumed, Method::Strategy));
    assert_eq!(by_fixpoint(&mutant, &spec, Semantics::DEFINITION), Verdict::Subsumed);
}

/// In `l` the input leads to a time lock from 2 to 3, so that only states until 1 (which do `a!`) and after 3 are consistent.
#[test]
fn consistent_states_with_a_gap_are_all_played() {
    let build = |has_more: bool| {
        let mut sketch = Sketch::new("A", &["x"]);
        sketch.location("l", Guard::always());
        sketch.location("m", Guard::always());
        sketch.location("dead", until(3));
        sketch.edge("l", "m", "a!", until(1), &[]);
        sketch.edge("m", "l", "b!", from(4), &[]);
        let mut lock = from(2);
        lock.clocks.extend(until(3).clocks);
        sketch.edge("l", "dead", "i?", lock, &[]);
        if has_more {
            sketch.edge("l", "m", "c!", from(5), &[]);
        }
        sketch.build()
    };
    let (mutant, spec) = (build(true), build(false));
    let (verdict, _, _) = decided(&mutant, &spec, Semantics::STRICT);
    assert_eq!(verdict, Verdict::NonSubsumed);
    let play = counterexample(&mutant, &spec, Semantics::STRICT).play;
    let End::NoAnswer(last) = &play.end else {
        panic!("{play:?}");
    };
    let names = play.steps.iter().map(|step| &step.demand).chain([last]);
    assert_eq!(
        names.map(|demand| &*demand.action.name).collect::<Vec<_>>(),
        ["a", "b", "c"]
    );
}

/// While one of two composed games is in the middle of an atomic step, inputs are not compared.
#[test]
fn inputs_are_compared_between_atomic_steps_only() {
    let build = |urgency, is_open: bool| {
        let mut sketch = Sketch::new("A", &["x"]);
        sketch.location("l", Guard::always());
        sketch.location_with("c", Guard::always(), urgency);
        sketch.edge("l", "c", "a!", Guard::always(), &[]);
        sketch.edge("c", "l", "b!", Guard::always(), &[]);
        if is_open {
            sketch.edge("c", "l", "i?", Guard::always(), &[]);
        }
        sketch.build().with_atomic_steps(true)
    };
    let all = [Urgency::Normal, Urgency::Urgent, Urgency::Committed];
    for (mutants, specs) in all.iter().flat_map(|mutants| all.map(|specs| (*mutants, specs))) {
        let waits_longer = mutants == Urgency::Normal && specs != Urgency::Normal;
        let is_atomic = [mutants, specs].contains(&Urgency::Committed);
        let expected = match is_atomic && !waits_longer {
            true => Verdict::Subsumed,
            false => Verdict::NonSubsumed,
        };
        let (mutant, spec) = (build(mutants, false), build(specs, true));
        let (verdict, _, _) = decided(&mutant, &spec, Semantics::DEFINITION);
        assert_eq!(verdict, expected, "{mutants:?} {specs:?}");
    }
}

/// `a!` at once and both ways; then the mutant does `b!` a time unit too early.
#[test]
fn a_counterexample_says_what_happens_when() {
    let build = |first| {
        game(
            &["l", "m"],
            &[
                ("l", "m", "a!", Guard::always(), &[0]),
                ("m", "l", "b!", from(first), &[]),
            ],
        )
    };
    let (mutant, spec) = (build(1), build(2));
    assert_eq!(by_fixpoint(&mutant, &spec, Semantics::DEFINITION), Verdict::NonSubsumed);
    let play = counterexample(&mutant, &spec, Semantics::DEFINITION).play;
    let [step] = &play.steps[..] else {
        panic!("{play:?}");
    };
    assert_eq!(
        (&step.demand.delay, step.answer),
        (&number(0), Doing::Edge(EdgeId::from_index(0)))
    );
    let End::NoAnswer(demand) = &play.end else {
        panic!("{play:?}");
    };
    assert_eq!((&demand.delay, &*demand.action.name), (&number(1), "b"));
    // The mutant's clock is told from the specification's.
    assert!(demand.zone.iter().any(|constraint| constraint.contains("x'")));
}

/// After `a!` the mutant does `b!`, the specification nothing.
#[test]
fn answers_of_different_effect_are_branches() {
    let names = ["l", "m", "n"];
    let mutant = game(
        &names,
        &[("l", "m", "a!", from(1), &[]), ("m", "l", "b!", Guard::always(), &[])],
    );
    let answers: [(EdgeOf<'_>, usize); 3] = [
        (("l", "m", "a!", from(1), &[]), 1),
        (("l", "n", "a!", from(1), &[]), 2),
        (("l", "m", "a!", from(1), &[0]), 2),
    ];
    for (second, n_branches) in answers {
        let spec = game(&names, &[("l", "m", "a!", from(1), &[]), second]);
        let play = counterexample(&mutant, &spec, Semantics::DEFINITION).play;
        let found = match &play.end {
            End::Branch(_, branches) => branches.len(),
            _ => play.steps.len(),
        };
        assert_eq!(found, n_branches, "{play:?}");
    }
}

fn arena(game: &Automaton) -> Arena {
    let lowered = consistent_arena(game, false, &Budget::unlimited());
    lowered.ok().flatten().expect("it has an initial state")
}

/// What `judge` says about the two games side by side.
fn together<T>(mutant: &Automaton, spec: &Automaton, judge: impl FnOnce(&ArenaProduct<'_>) -> T) -> T {
    let left = arena(mutant);
    judge(&ArenaProduct {
        left: &left,
        right: &arena(spec).shifted(left.n_clocks),
        actions: ActionMap::new(mutant, spec),
        unmatched: Unmatched::Reject,
    })
}

/// One location, left by nothing but `a!`, back to itself.
fn single(most: i64, urgency: Urgency) -> Automaton {
    let mut sketch = Sketch::new("A", &["x"]);
    sketch.location_with("l", until(most), urgency);
    sketch.edge("l", "l", "a!", Guard::always(), &[]);
    sketch.build()
}

#[test]
fn only_what_time_does_not_leave_is_a_relation() {
    let zones = |product: &ArenaProduct<'_>| {
        let start = Dbm::zero(product.dim());
        let mut later = start.clone();
        later.up();
        let alive = product.left.alive(INITIAL).next().expect("one invariant");
        assert!(zone_ops::restrict(&mut later, alive));
        [start, later]
    };
    let is_relation = |product: &ArenaProduct<'_>| {
        zones(product).map(|zone| Relation::of_states(product, vec![(START, zone)]).is_some())
    };
    let (three, two) = (single(3, Urgency::Normal), single(2, Urgency::Normal));
    let urgent = single(3, Urgency::Urgent);
    assert_eq!(together(&three, &three, is_relation), [false, true]);
    assert_eq!(together(&two, &three, is_relation), [false, true]);
    // Time goes on in the mutant alone.
    assert_eq!(together(&three, &two, is_relation), [false, false]);
    assert_eq!(together(&three, &urgent, is_relation), [false, false]);
    assert_eq!(together(&urgent, &three, is_relation), [true, true]);
    together(&three, &three, |product| {
        let budget = Budget::unlimited();
        let answered = responder::answer(product, LocationCorrespondence::Numbers, &budget).expect("no limit");
        let states = answered.into_relation().expect("nothing loses");
        assert_eq!(states.iter().map(|(pair, _)| *pair).collect::<Vec<_>>(), [START]);
        let mut scratch = Scratch::default();
        let outcome = forward::explore(product, &budget, &mut scratch).ok();
        assert_eq!(outcome, Some(ForwardOutcome::Holds));
        assert!(scratch.relation(product).is_some());
    });
}

#[test]
fn the_path_to_a_failure_leads_back_to_the_start() {
    let build = |first| {
        game(
            &["l", "m"],
            &[
                ("l", "m", "a!", Guard::always(), &[0]),
                ("m", "l", "b!", from(first), &[]),
            ],
        )
    };
    together(&build(1), &build(2), |product| {
        let mut scratch = Scratch::default();
        let outcome = forward::explore(product, &Budget::unlimited(), &mut scratch).ok();
        assert_eq!(outcome, Some(ForwardOutcome::Fails));
        let second = NodeId::from_index(1);
        assert_eq!(scratch.path(), [((second, second), Some(0)), (START, Some(0))]);
    });
}

/// The same place counts more than the same resets, and these more than the same guard.
#[test]
fn what_is_like_a_challenge_differs_by_place_then_resets_then_guard() {
    let mutant = game(&["m", "n"], &[("m", "m", "a!", from(1), &[0])]);
    let mut edges: Vec<EdgeOf<'_>> = Vec::new();
    for target in ["m", "n"] {
        for resets in [&[0][..], &[]] {
            for first in [1, 2] {
                edges.push(("m", target, "a!", from(first), resets));
            }
        }
    }
    let spec = game(&["m", "n"], &edges);
    together(&mutant, &spec, |product| {
        for heuristic in [
            LocationCorrespondence::Numbers,
            LocationCorrespondence::Names(&mutant, &spec),
        ] {
            let challenge = product.challenges(START).next().expect("`a!`");
            let differences: Vec<u8> = product
                .answers(challenge, START)
                .map(|answer| heuristic.difference(product, challenge, answer))
                .collect();
            assert_eq!(differences.first(), Some(&0));
            assert_eq!(differences.len(), 8);
            assert!(differences.is_sorted_by(|a, b| a < b), "{differences:?}");
        }
    });
}

/// One edge with two selects and resets to them: a move for each of the four combinations.
#[test]
fn an_edge_with_selects_leads_to_all_their_values() {
    let mut sketch = Sketch::new("A", &["x", "y"]);
    sketch.location("l", Guard::always());
    let select = |name: &str, low| Select {
        name: name.into(),
        low,
        high: low + 1,
    };
    let reset = |position: u32| Update::Reset(ClockId::from_index(position as usize), Expr::Select(position));
    let action = sketch.builder.action("a", Role::Output, false);
    let here = LocId::from_index(0);
    sketch.builder.edge(Edge {
        source: here,
        target: here,
        action,
        guard: Guard::always(),
        updates: vec![reset(0), reset(1)],
        selects: vec![select("i", 1), select("j", 3)],
    });
    let automaton = sketch.build();
    let game = ConcreteGame::new(&automaton, false, &Budget::unlimited())
        .expect("a meaning")
        .expect("no limit");
    let start = game.initial().expect("values").expect("it exists");
    let moves = game.moves(&start).expect("values");
    let clocks: Vec<_> = moves.into_iter().map(|found| found.target.clocks).collect();
    let expected = [(1, 3), (1, 4), (2, 3), (2, 4)].map(|(x, y)| vec![number(x), number(y)]);
    assert_eq!(clocks, expected);
}

#[test]
fn a_state_beyond_its_invariant_does_not_exist() {
    let mut sketch = Sketch::new("A", &["x"]);
    sketch.location("l", until(2));
    sketch.edge("l", "l", "a!", until(1), &[0]);
    let automaton = sketch.build();
    // Pruned, time ends where `a!` does.
    for (prune, last) in [(false, 2), (true, 1)] {
        let game = ConcreteGame::new(&automaton, prune, &Budget::unlimited())
            .expect("a meaning")
            .expect("it is consistent");
        let mut state = game.initial().expect("values").expect("it exists");
        for x in 0..4 {
            state.clocks = vec![number(x)];
            assert_eq!(game.exists(&state), Ok(x <= last), "{prune} {x}");
        }
    }
}

//! Chains of definitions and uses ([002] section 4), against a walk through the region graph that remembers everything that is
//! affected, and tests along them against plain search.

use std::cell::Cell;
use std::collections::{BTreeSet, HashSet};

use tamper::experiment::killing::{KillGoal, Strategy, SuiteOptions, candidates, generate};
use tamper::experiment::{Limits, Sample, Selection, Timer};
use tamper::features::Random;
use tamper::model::{
    Automaton, AutomatonBuilder, BinaryOp, Edge, EdgeId, Expr, Guard, IntId, IntVar, LocId, Location, Role, Update,
    Urgency,
};
use tamper::mutation::{MutantSpace, MutationOptions, Operator, Order};
use tamper::suite::{Chain, Pick, Refusals, Style, SuiteFailure, Tester};
use tamper::text::{Budget, Id as _};

use crate::suites::commands::{json, number, study, tamper};
use crate::suites::criteria::Walker;
use crate::suites::simulator::outcome;
use testing::oracle::clocks::{ClockSpace, Limits as Constants, Regions, Spread, has_diagonals};
use testing::oracle::generate::sketch;
use testing::oracle::play::{Place, Player};
use testing::oracle::run;
use testing::oracle::show::show;

fn target(walker: &Walker<'_>, update: &Update) -> usize {
    match update {
        Update::Reset(clock, _) => clock.index(),
        Update::Assign(int, _) => walker.n_clocks() + int.index(),
    }
}

/// What a mutant of a game changes.
#[derive(Clone, Debug)]
enum Fault {
    /// The value of an update.
    Value(EdgeId, usize),
    /// The guard of an output.
    Guard(EdgeId, Guard),
}

/// Whether the edge can be taken in the game, and whether the guard holds: not both or none of them.
fn differs<C: ClockSpace>(
    walker: &Walker<'_>,
    (id, guard): (EdgeId, &Guard),
    (space, at): (&C, (&Place, &C::Point)),
) -> bool {
    let (edge, alone) = (&walker.game.edges()[id], &walker.single[id.index()]);
    let can = |game: &Automaton| {
        !Player { game, offset: 0 }
            .edge_moves(space, at.0, at.1, edge.action)
            .is_empty()
    };
    let holds = |guard: &Guard| {
        let looping = Edge {
            target: edge.source,
            updates: Vec::new(),
            guard: guard.clone(),
            ..(**edge).clone()
        };
        can(&alone.with_edge(id, looping))
    };
    match holds(guard) {
        true => !holds(&edge.guard),
        false => can(alone),
    }
}

/// Whether a run shows something that the fault affects.
fn is_observed<C: ClockSpace>(walker: &Walker<'_>, fault: &Fault) -> bool {
    let game = walker.game;
    let space = C::of(&[game], Constants::of(&[game]));
    let player = Player { game, offset: 0 };
    let mut open = vec![(player.start(), space.origin(), BTreeSet::new())];
    let mut known = HashSet::new();
    while let Some((place, point, affected)) = open.pop() {
        if !known.insert((place.clone(), space.class(&point), affected.clone())) {
            continue;
        }
        if matches!(fault, Fault::Guard(id, guard) if differs(walker, (*id, guard), (&space, (&place, &point)))) {
            return true;
        }
        for (id, edge) in game.edges().iter_enumerated() {
            let alone = Player {
                game: &walker.single[id.index()],
                offset: 0,
            };
            let moves = alone.edge_moves(&space, &place, &point, edge.action);
            let read = [&edge.guard, &game.locations()[place.location].invariant].map(|guard| walker.read_by(guard));
            let is_seen = game.role(id) != Role::Input && edge.source == place.location && !moves.is_empty();
            if is_seen && read.concat().iter().any(|variable| affected.contains(variable)) {
                return true;
            }
            let mut after = affected.clone();
            for (at, update) in edge.updates.iter().enumerate() {
                let (Update::Reset(_, value) | Update::Assign(_, value)) = update;
                let is_affected = walker.ints(value).iter().any(|variable| after.contains(variable));
                let is_faulty = matches!(fault, Fault::Value(of, there) if (*of, *there) == (id, at));
                match is_affected || is_faulty {
                    true => after.insert(target(walker, update)),
                    false => after.remove(&target(walker, update)),
                };
            }
            open.extend(moves.into_iter().map(|(place, point)| (place, point, after.clone())));
        }
        let later = space.later(&point);
        if !player.is_urgent(&space, &place, &point) && player.exists(&space, &place, &later) {
            open.push((place, later, affected));
        }
    }
    false
}

/// The mutant: a value has another text there, and stays the same.
fn with(game: &Automaton, fault: &Fault) -> Automaton {
    match fault {
        Fault::Value(id, at) => rewritten(game, (*id, *at)),
        Fault::Guard(id, guard) => game.with_guard(*id, guard.clone()),
    }
}

fn rewritten(game: &Automaton, (id, at): (EdgeId, usize)) -> Automaton {
    let mut edge = (*game.edges()[id]).clone();
    let (Update::Reset(_, value) | Update::Assign(_, value)) = &mut edge.updates[at];
    *value = Expr::Binary(BinaryOp::Add, Box::new(value.clone()), Box::new(Expr::Const(0)));
    game.with_edge(id, edge)
}

fn tester(game: &Automaton) -> Option<Tester> {
    match Tester::new(game, &Budget::unlimited()) {
        Ok(tester) => Some(tester),
        Err(SuiteFailure::NonDeterministic { .. } | SuiteFailure::NoInitialState { .. }) => None,
        Err(error) => panic!("{error}"),
    }
}

fn chain(tester: &Tester, mutant: &Automaton) -> Option<Chain> {
    let budget = Budget::unlimited();
    let mut chains = tester.chains(mutant, &budget).expect("a game");
    chains.next_chain(&budget).expect("no limit")
}

/// All values that are set; and the guards of outputs that no other edge makes there with one condition less, or another edge's.
fn faults(game: &Automaton) -> Vec<Fault> {
    let edges = || game.edges().iter_enumerated();
    let values = edges().flat_map(|(id, edge)| (0..edge.updates.len()).map(move |at| Fault::Value(id, at)));
    let plain = |edge: &Edge| edge.selects.is_empty();
    let is_alone = |edge: &Edge| {
        let alike = edges().filter(|(_, other)| (other.source, other.action) == (edge.source, edge.action));
        alike.count() == 1
    };
    let is_output = |edge: &Edge| {
        let action = &game.actions()[edge.action];
        action.role != Role::Input && !action.urgent
    };
    let outputs = edges().filter(|(_, edge)| is_output(edge) && plain(edge) && is_alone(edge));
    let guards = outputs.flat_map(|(id, edge)| {
        let mut less = edge.guard.clone();
        let _ = less.clocks.pop().is_none() && less.data.pop().is_none();
        let others = edges()
            .filter(|(_, other)| plain(other))
            .map(|(_, other)| other.guard.clone());
        let others = others.filter(|other| *other != edge.guard).take(2);
        let all = std::iter::once(less).filter(|less| *less != edge.guard).chain(others);
        all.map(|guard| Fault::Guard(id, guard)).collect::<Vec<_>>()
    });
    values.chain(guards).collect()
}

/// Compares all faults of a game; counts those that are observed and those that are not.
fn check(game: &Automaton, counts: &[Cell<u32>; 2]) -> Result<(), String> {
    let (Some(broad), Some(deep)) = (tester(game), tester(game)) else {
        return Ok(());
    };
    let testers = [broad, deep.depth_first(true)];
    // Of two equal edges the mutant keeps one.
    let different: HashSet<&Edge> = game.edges().iter().map(|edge| &**edge).collect();
    if different.len() < game.edges().len() {
        return Ok(());
    }
    let walker = Walker::new(game);
    for fault in faults(game) {
        let expected = match has_diagonals(game) {
            true => is_observed::<Spread>(&walker, &fault),
            false => is_observed::<Regions>(&walker, &fault),
        };
        for tester in &testers {
            let found = chain(tester, &with(game, &fault));
            if found.is_some() != expected {
                return Err(format!("{fault:?}: {expected}, and found {found:?}\n{}", show(game)));
            }
        }
        let count = &counts[usize::from(expected)];
        count.set(count.get() + 1);
    }
    Ok(())
}

fn bit(name: &str, initial: i32) -> IntVar {
    IntVar {
        name: name.into(),
        low: 0,
        high: 1,
        initial,
    }
}

fn is(variable: IntId, value: i64) -> Guard {
    let equal = Expr::Binary(
        BinaryOp::Eq,
        Box::new(Expr::Var(variable)),
        Box::new(Expr::Const(value)),
    );
    Guard {
        clocks: Vec::new(),
        data: vec![equal],
    }
}

/// A game without clocks whose locations are these; edges are (source, target, action, guard, updates).
type Row<'a> = (usize, usize, &'a str, Guard, Vec<Update>);

fn game(ints: &[IntVar], n_locations: usize, rows: Vec<Row<'_>>) -> Automaton {
    let mut builder = AutomatonBuilder::new("G");
    for int in ints {
        builder.int(int.clone());
    }
    for at in 0..n_locations {
        builder.location(Location {
            name: format!("l{at}").into(),
            invariant: Guard::always(),
            urgency: Urgency::Normal,
        });
    }
    builder.initial(LocId::from_index(0));
    for (source, target, action, guard, updates) in rows {
        let (name, role) = match action.strip_suffix('?') {
            Some(name) => (name, Role::Input),
            None => (action.trim_end_matches('!'), Role::Output),
        };
        let action = builder.action(name, role, false);
        builder.edge(Edge {
            source: LocId::from_index(source),
            target: LocId::from_index(target),
            action,
            guard,
            updates,
            selects: Vec::new(),
        });
    }
    builder.build().expect("its parts are known")
}

/// A random deterministic game of four variables that are copied to each other.
fn copying(seed: u64) -> Automaton {
    let mut random = Random::new(seed);
    let int = IntId::from_index;
    let mut rows: Vec<Row<'_>> = Vec::new();
    for at in 0..10 {
        let (source, action) = (random.below(3), ["o!", "p?", "q?"][at % 3]);
        let guard = match action {
            "o!" => is(int(random.below(4)), 1),
            _ => Guard::always(),
        };
        let updates = (0..random.below(3)).map(|_| {
            let value = match random.below(4) {
                0 => Expr::Const(i64::from(random.below(4) > 0)),
                _ => Expr::Var(int(random.below(4))),
            };
            Update::Assign(int(random.below(4)), value)
        });
        let updates: Vec<Update> = updates.collect();
        if rows.iter().all(|row| (row.0, row.2) != (source, action)) {
            rows.push((source, random.below(3), action, guard, updates));
        }
    }
    game(&["a", "b", "c", "d"].map(|name| bit(name, 1)), 3, rows)
}

#[test]
fn a_chain_is_found_where_a_run_shows_what_a_definition_affects() {
    let counts = [Cell::new(0), Cell::new(0)];
    let cases = if cfg!(debug_assertions) { 150 } else { 400 };
    run::check(cases, &sketch(), |sketch| check(&sketch.build("G"), &counts));
    let timed = counts.each_ref().map(Cell::get);
    for seed in 0..u64::from(cases) {
        check(&copying(seed), &counts).unwrap_or_else(|error| panic!("{seed}: {error}"));
    }
    let all = counts.each_ref().map(Cell::get);
    println!("timed {timed:?}, with copies {all:?}");
    assert!(timed.iter().all(|n| *n >= 30) && all.iter().zip(timed).all(|(all, timed)| *all >= timed + 100));
}

/// Example 4 (Fig. 5): the path through B := A comes to a known state before it is known that B is printed; it is resumed.
#[test]
fn a_stopped_path_is_resumed_as_in_figure_5() {
    let copy = |to: usize, from: usize| {
        vec![Update::Assign(
            IntId::from_index(to),
            Expr::Var(IntId::from_index(from)),
        )]
    };
    // A, B and X; each definition keeps the value, so that states differ in what is affected only.
    let rows = vec![
        (
            0,
            1,
            "cond1?",
            Guard::always(),
            vec![Update::Assign(IntId::from_index(0), Expr::Const(1))],
        ),
        (1, 1, "cond2?", Guard::always(), copy(1, 0)),
        (1, 2, "else2?", Guard::always(), copy(2, 1)),
        (2, 1, "print1!", is(IntId::from_index(2), 1), Vec::new()),
    ];
    let figure = game(&["A", "B", "X"].map(|name| bit(name, 1)), 3, rows);
    let tester = tester(&figure).expect("deterministic");
    let found = chain(&tester, &rewritten(&figure, (EdgeId::from_index(0), 0))).expect("(3,A), (8,B), (10,X), (11,X)");
    assert_eq!(found.edges, ["l0->l1#0", "l1->l1#0", "l1->l2#0", "l2->l1#0"]);
    assert_eq!(found.resumed, 1);
    // What is defined last before the output needs no other path.
    let found = chain(&tester, &rewritten(&figure, (EdgeId::from_index(2), 0))).expect("(10,X), (11,X)");
    assert_eq!((found.edges.len(), found.resumed), (3, 0));
    let nowhere = tester.observing(&["l0".to_owned()]).expect("a location");
    assert!(chain(&nowhere, &rewritten(&figure, (EdgeId::from_index(2), 0))).is_none());
}

/// Affected locations: a decision affects outputs and definitions that one of its branches dominates, and no output behind them;
/// a wrong target affects all that follows.
#[test]
fn a_decision_affects_what_its_branches_dominate() {
    let (c, shown) = (IntId::from_index(0), IntId::from_index(1));
    let set = |int: IntId| vec![Update::Assign(int, Expr::Const(1))];
    let with_branch = |other: &'static str| {
        let rows = vec![
            (0, 0, "set?", is(c, 0), set(c)),
            (0, 1, "if?", is(c, 1), Vec::new()),
            (0, 2, "if?", is(c, 0), Vec::new()),
            (1, 3, "go?", Guard::always(), set(shown)),
            (2, 3, other, Guard::always(), Vec::new()),
            (3, 4, "plain!", Guard::always(), Vec::new()),
            (4, 0, "print!", is(shown, 1), Vec::new()),
        ];
        game(&[bit("c", 0), bit("C", 1)], 5, rows)
    };
    let then = EdgeId::from_index(1);
    let edges = |game: &Automaton, mutant: &Automaton| {
        let tester = tester(game).expect("deterministic");
        chain(&tester, mutant).expect("a chain").edges
    };
    // The mutant may take the first branch where the game takes the second; #1 is the edge at which they part.
    let silent = with_branch("go?");
    let by_chain = ["l0->l2#1", "l2->l3#0", "l3->l4#0", "l4->l0#0"];
    assert_eq!(edges(&silent, &silent.with_guard(then, Guard::always())), by_chain);
    let early = with_branch("early!");
    assert_eq!(edges(&early, &early.with_guard(then, Guard::always())), by_chain[..2]);
    let elsewhere = Edge {
        target: LocId::from_index(2),
        ..(*silent.edges()[then]).clone()
    };
    let behind = ["l0->l0#0", "l0->l1#1", "l1->l3#0", "l3->l4#0"];
    assert_eq!(edges(&silent, &silent.with_edge(then, elsewhere)), behind);
}

/// The Theorem's bound: the only chain of a game with 2^n runs through n decisions is found in O(n) states.
#[test]
fn the_only_chain_is_found_in_as_many_states_as_the_game_is_long() {
    let states = |length: usize| {
        let (first, other) = (IntId::from_index(0), IntId::from_index(1));
        let mut rows = vec![(
            0,
            1,
            "cond?",
            Guard::always(),
            vec![Update::Assign(first, Expr::Const(1))],
        )];
        for at in 0..length {
            rows.push((2 * at + 1, 2 * at + 2, "yes?", Guard::always(), Vec::new()));
            rows.push((2 * at + 1, 2 * at + 3, "no?", Guard::always(), Vec::new()));
            rows.push((2 * at + 2, 2 * at + 3, "print!", is(other, 1), Vec::new()));
        }
        rows.push((2 * length + 1, 2 * length + 1, "last!", is(first, 1), Vec::new()));
        let game = game(&[bit("A", 1), bit("X", 1)], 2 * length + 2, rows);
        let tester = tester(&game).expect("deterministic");
        let found = chain(&tester, &rewritten(&game, (EdgeId::from_index(0), 0))).expect("the chain");
        assert_eq!(found.edges.len(), length + 2);
        found.states
    };
    let (short, medium, long) = (states(5), states(10), states(40));
    assert_eq!((medium - short) * 6, long - medium);
}

fn wish(style: Style, mutation: MutationOptions) -> SuiteOptions {
    SuiteOptions {
        wanted: KillGoal::Both,
        style,
        pick: Pick::Earliest,
        strategy: Strategy::Chain,
        rounds: 1,
        refusals: Refusals::Error,
        linger: None,
        mutation,
        max_nodes: 0,
    }
}

/// Makes tests along chains for some mutants of a game, and executes them by plain search; counts tests and mutants without.
fn check_kills(game: &Automaton, seed: u64, counts: &[Cell<u32>; 2]) -> Result<(), String> {
    let Some(tester) = tester(game) else {
        return Ok(());
    };
    let timer = Timer::new(Limits::default());
    let options = MutationOptions {
        operators: Operator::of_games().to_vec(),
        ..MutationOptions::default()
    };
    let space = MutantSpace::new(game, &options, Order::FIRST).map_err(|error| error.to_string())?;
    let selection = Selection::of(&space, Some(Sample::Count(16)), seed).map_err(|error| error.to_string())?;
    let all = candidates(&space, &selection, &|_| true, &tester, &timer).map_err(|error| error.to_string())?;
    let style = [Style::Adaptive, Style::Cooperative][usize::from(seed.is_multiple_of(2))];
    let made = generate(&tester, &all, &wish(style, options), &timer, &|_| ()).map_err(|error| error.to_string())?;
    for (candidate, said) in all.iter().zip(&made.mutants) {
        let count = &counts[usize::from(said.test.is_some())];
        count.set(count.get() + 1);
        let Some(test) = made.tests.iter().find(|test| Some(&test.id) == said.test.as_ref()) else {
            continue;
        };
        let mutant = candidate.automaton.as_ref().expect("a game");
        let (Some(of_mutant), Some(of_game)) = (outcome(test, mutant), outcome(test, game)) else {
            continue;
        };
        let is_sure = said.killable == "definite";
        if !of_mutant.fail || of_game.fail || is_sure && !of_mutant.always_fails() {
            return Err(format!(
                "{}: {of_mutant:?}, {of_game:?}\n{test:?}\n{}",
                said.id,
                show(game)
            ));
        }
    }
    Ok(())
}

#[test]
fn every_test_along_a_chain_kills_its_mutant() {
    let counts = [Cell::new(0), Cell::new(0)];
    let cases = if cfg!(debug_assertions) { 12 } else { 30 };
    run::check(cases, &sketch(), |sketch| check_kills(&sketch.build("G"), 1, &counts));
    for seed in 0..u64::from(cases) {
        check_kills(&copying(seed), seed, &counts).unwrap_or_else(|error| panic!("{seed}: {error}"));
    }
    println!("{counts:?}");
    assert!(counts.iter().all(|n| n.get() >= 50), "{counts:?}");
}

#[test]
fn chains_end_where_they_are_told_to() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let model = study("decisions").with_file_name("figure-1b.xml");
    let make = format!(
        "testgen {} --operators ROR --strategy chain --out suite.json",
        model.display()
    );
    let everywhere = json(at, &make, 3);
    assert!(
        number(&everywhere, "definite") > 0 && number(&everywhere, "unknown") > 0,
        "{everywhere}"
    );
    let at_end = json(at, &format!("{make} --observe-at end!"), 3);
    assert!(
        number(&at_end, "definite") < number(&everywhere, "definite"),
        "{at_end}"
    );
    let words = |words: &str| {
        let output = tamper(at, &format!("{make} {words}"));
        (
            output.status.code(),
            String::from_utf8_lossy(&output.stderr).into_owned(),
        )
    };
    let (code, text) = words("--observe-at nothing");
    assert!(
        code == Some(2) && text.contains("--observe-at nothing: the model has no such edge"),
        "{text}"
    );
    assert_eq!(words("--kill blind").0, Some(2));
    let deep = json(at, &make.replace("chain", "chain-depth-first"), 3);
    assert_eq!(number(&deep, "definite"), number(&everywhere, "definite"), "{deep}");
}

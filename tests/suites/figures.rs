//! Figures of \[002\]: whether a mutated condition is seen.

use std::path::Path;

use tamper::experiment::killing::{KillGoal, Strategy, SuiteOptions, candidates, generate};
use tamper::experiment::{Limits, Selection, Timer};
use tamper::formats::{ReadOptions, read_file};
use tamper::game::{Scratch, Semantics, Specification, Verdict};
use tamper::model::{
    Automaton, AutomatonBuilder, BinaryOp, Edge, Expr, Guard, IntVar, LocId, Location, Role, Update, Urgency,
};
use tamper::mutation::{MutantSpace, MutationOptions, Mutations, Operator, Order};
use tamper::suite::{Act, Next, Pick, Refusals, Style, TestCase, Tester};
use tamper::text::Budget;

use crate::suites::simulator::outcome;

fn figure(name: &str) -> Automaton {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("case-studies/decisions");
    let (document, _) = read_file(&root.join(name), &ReadOptions::default()).expect("a model");
    document.automata()[0].clone()
}

/// The inputs on the way of a test of one trace.
fn inputs(test: &TestCase) -> Vec<String> {
    let mut inputs = Vec::new();
    let mut at = 0;
    while let Some(Act::Input { action, then }) = test.nodes[at].rules.first().map(|rule| &rule.act) {
        inputs.push(action.clone());
        match then.first().map(|jump| jump.next) {
            Some(Next::Node(next)) => at = next,
            _ => break,
        }
    }
    inputs
}

/// The test that is made for the mutant with that id kills it, whatever the mutant does, and gives these inputs.
fn check(file: &str, id: &str, expected: &[&str]) {
    let game = figure(file);
    let timer = Timer::new(Limits::default());
    let options = MutationOptions::only(Operator::Ror);
    let space = MutantSpace::new(&game, &options, Order::FIRST).unwrap();
    let number = space.number_of(id).expect("a mutant of that id");
    let selection = Selection::of(&space, None, 0).unwrap();
    let tester = Tester::new(&game, &Budget::unlimited()).unwrap();
    let all = candidates(&space, &selection, &|_| true, &tester, &timer).unwrap();
    let wish = SuiteOptions {
        wanted: KillGoal::Definite,
        style: Style::Adaptive,
        pick: Pick::Earliest,
        strategy: Strategy::PerMutant,
        rounds: 1,
        refusals: Refusals::Error,
        linger: None,
        mutation: options,
        max_nodes: 1_000_000,
    };
    let made = generate(&tester, &all, &wish, &timer, &|_| ()).unwrap();
    let at = usize::try_from(number).unwrap();
    assert_eq!(made.mutants[at].id, id);
    assert_eq!(made.mutants[at].killable, "definite");
    let test = made
        .tests
        .iter()
        .find(|test| Some(&test.id) == made.mutants[at].test.as_ref());
    let test = test.expect("a test was made");
    assert_eq!(inputs(test), expected);
    let of_mutant = outcome(test, all[at].automaton.as_ref().expect("a game")).expect("a short test");
    assert!(of_mutant.always_fails(), "{of_mutant:?}");
    assert!(!outcome(test, &game).expect("a short test").fail);
}

/// `A == 0` holds, and the fragment prints ok.
#[test]
fn figure_1a_shows_a_condition_that_never_holds() {
    check(
        "figure-1a.xml",
        "ROR:update:choose->output#0:1:((A==0)?1:0)=>((A!=0)?1:0)",
        &["run?"],
    );
}

/// The first condition always holds in the mutant. It is seen only if it fails in the original, the second fails as well (C is 1),
/// the third does not overwrite C, and the fourth prints it: 1 in the original, 0 in the mutant.
#[test]
fn figure_1b_shows_it_along_its_chain_only() {
    let always = "ROR:update:choose->output#0:0:((c1==1)?1:0)=>((c1<=1)?1:0)";
    check("figure-1b.xml", always, &["set4?", "run?"]);
}

/// The first condition never holds in the mutant: it has to hold in the original. Then B and C stay 0 there and become 1 in the mutant.
#[test]
fn figure_1c_is_killed_without_a_chain_of_definitions_and_uses() {
    let never = "ROR:update:choose->output#0:0:((c1==1)?1:0)=>((c1>1)?1:0)";
    check("figure-1c.xml", never, &["set1?", "set2?", "run?"]);
}

/// Fig. 6: what the first condition decides goes into A, which nothing prints; then come `length` decisions, each of which may print.
fn figure_6(length: usize) -> Automaton {
    let mut builder = AutomatonBuilder::new("Figure6");
    let bit = |name: &str| IntVar {
        name: name.into(),
        low: 0,
        high: 1,
        initial: 0,
    };
    let condition = builder.int(bit("c"));
    let decided = builder.int(bit("A"));
    let mut location = |name: String, urgency| {
        builder.location(Location {
            name: name.into(),
            invariant: Guard::always(),
            urgency,
        })
    };
    let start = location("start".to_owned(), Urgency::Normal);
    let decisions: Vec<LocId> = (0..=length)
        .map(|at| location(format!("decide{at}"), Urgency::Normal))
        .collect();
    let prints: Vec<LocId> = (0..length)
        .map(|at| location(format!("print{at}"), Urgency::Urgent))
        .collect();
    builder.initial(start);
    let mut edge =
        |(source, target): (LocId, LocId), (name, role): (String, Role), guard: Guard, updates: Vec<Update>| {
            let action = builder.action(&name, role, false);
            builder.edge(Edge {
                source,
                target,
                action,
                guard,
                updates,
                selects: Vec::new(),
            });
        };
    let is = |value: i64| {
        Expr::Binary(
            BinaryOp::Eq,
            Box::new(Expr::Var(condition)),
            Box::new(Expr::Const(value)),
        )
    };
    let unset = Guard {
        clocks: Vec::new(),
        data: vec![is(0)],
    };
    let set = vec![Update::Assign(condition, Expr::Const(1))];
    edge((start, start), ("set".to_owned(), Role::Input), unset, set);
    let decide = Expr::Cond(Box::new(is(1)), Box::new(Expr::Const(1)), Box::new(Expr::Const(0)));
    let go = vec![Update::Assign(decided, decide)];
    edge(
        (start, decisions[0]),
        ("go".to_owned(), Role::Input),
        Guard::always(),
        go,
    );
    for at in 0..length {
        let input = |name: &str| (name.to_owned(), Role::Input);
        let next = decisions[at + 1];
        edge((decisions[at], prints[at]), input("yes"), Guard::always(), Vec::new());
        edge((decisions[at], next), input("no"), Guard::always(), Vec::new());
        edge(
            (prints[at], next),
            (format!("print{at}"), Role::Output),
            Guard::always(),
            Vec::new(),
        );
    }
    builder.build().expect("its parts are known")
}

/// How many states of the two games together are looked at until it is known that nothing shows.
fn states(length: usize) -> u64 {
    let game = figure_6(length);
    let budget = Budget::unlimited();
    let judge = Specification::prepare(&game, Semantics::STRICT, &budget).unwrap();
    let mutations = Mutations::of(&game, &MutationOptions::only(Operator::Ror));
    let never = mutations
        .iter()
        .find(|one| one.id(&game).ends_with("((c==1)?1:0)=>((c>1)?1:0)"));
    let mut scratch = Scratch::default();
    let decision = judge
        .decide(&never.expect("a mutant").apply(&game), &budget, &mut scratch)
        .unwrap();
    assert_eq!(decision.verdict, Verdict::Subsumed);
    scratch.n_states
}

/// There are 2^n runs through n decisions. \[002\] looks at O(n) states.
#[test]
fn figure_6_takes_as_many_states_as_it_is_long() {
    let (short, medium, long) = (states(10), states(100), states(1000));
    let per_decision = (medium - short) / 90;
    assert_eq!(medium, short + 90 * per_decision);
    assert_eq!(long, short + 990 * per_decision);
    println!("{short}, {medium} and {long} states: {per_decision} per decision");
}

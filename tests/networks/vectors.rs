//! TChecker's synchronisation vectors against a naive execution of their rules.

use std::collections::{BTreeSet, HashSet, VecDeque};
use std::fmt::Write as _;

use num_rational::BigRational;

use tamper::experiment::{DecidedBy, Engine, NetworkMutants, Scope, StaticUse, Verdict, components};
use tamper::formats::{NetworkFile, ReadOptions, read_tchecker, read_tchecker_network};
use tamper::game::{ConcreteGame, ConcreteState, Scratch, Semantics};
use tamper::model::{Automaton, Role};
use tamper::mutation::{Mutation, MutationOptions, Operator, Order};
use tamper::network::{Composed, Original, View, compose};
use tamper::text::{Budget, Id as _};

use super::composition::from_environment;
use super::judges::judge;
use super::nets::Random;

/// A system as plain data; two clocks, one integer from 0 to 3.
#[derive(Clone)]
struct Plan {
    processes: Vec<Vec<Place>>,
    /// Per process.
    edges: Vec<Vec<Arc>>,
    /// Per vector, processes with events and whether they are weak.
    vectors: Vec<Vec<(usize, usize, bool)>>,
}

#[derive(Clone)]
struct Place {
    /// `x0 <= n`
    most: Option<i64>,
    urgent: bool,
    committed: bool,
}

#[derive(Clone)]
struct Arc {
    ends: (usize, usize),
    event: usize,
    /// Clock, sign, number.
    guard: Option<(usize, &'static str, i64)>,
    /// `i == n`
    data: Option<i64>,
    reset: Option<usize>,
    /// `i = n`, or `i = i * 2 % 4`.
    assign: Option<Option<i64>>,
}

const EVENTS: [&str; 4] = ["a", "b", "c", "d"];
/// `d` is internal.
const ACTIONS: [&str; 4] = ["a?", "b!", "c!", "tau"];

fn plan(random: &mut Random) -> Plan {
    let n_processes = 2 + random.below(2);
    let mut plan = Plan {
        processes: Vec::new(),
        edges: Vec::new(),
        vectors: Vec::new(),
    };
    for _ in 0..n_processes {
        let n_places = 1 + random.below(3);
        let places = (0..n_places).map(|_| Place {
            most: random.chance(30).then(|| random.number(1, 3)),
            urgent: random.chance(10),
            committed: random.chance(12),
        });
        plan.processes.push(places.collect());
        let edges = (0..2 + random.below(4)).map(|_| Arc {
            ends: (random.below(n_places), random.below(n_places)),
            event: random.below(4),
            guard: random.chance(50).then(|| {
                (
                    random.below(2),
                    ["<=", ">=", "<", ">", "=="][random.below(5)],
                    random.number(0, 2),
                )
            }),
            data: random.chance(20).then(|| random.number(0, 3)),
            reset: random.chance(50).then(|| random.below(2)),
            assign: random
                .chance(40)
                .then(|| random.chance(50).then(|| random.number(0, 3))),
        });
        plan.edges.push(edges.collect());
    }
    for _ in 0..1 + random.below(3) {
        // All components are of one event, so that the vector is one action.
        let event = random.below(4);
        let mut parts: Vec<usize> = (0..n_processes).filter(|_| random.chance(75)).collect();
        if random.chance(50) {
            parts.reverse();
        }
        if !parts.is_empty() {
            plan.vectors.push(
                parts
                    .into_iter()
                    .map(|process| (process, event, random.chance(40)))
                    .collect(),
            );
        }
    }
    if plan.vectors.is_empty() {
        plan.vectors.push(vec![(0, 0, false), (1, 0, false)]);
    }
    plan
}

impl Plan {
    fn text(&self) -> String {
        let mut text = String::from("# tamper:alphabet a? b! c! d=tau\nsystem:S\n");
        text.push_str("clock:1:x0\nclock:1:x1\nint:1:0:3:0:i\n");
        for event in EVENTS {
            let _ = writeln!(text, "event:{event}");
        }
        for (at, places) in self.processes.iter().enumerate() {
            let _ = writeln!(text, "process:P{at}");
            for (index, place) in places.iter().enumerate() {
                let mut attributes = Vec::new();
                if index == 0 {
                    attributes.push("initial:".to_owned());
                }
                attributes.extend(place.most.map(|most| format!("invariant:x0<={most}")));
                attributes.extend(place.urgent.then(|| "urgent:".to_owned()));
                attributes.extend(place.committed.then(|| "committed:".to_owned()));
                let _ = writeln!(text, "location:P{at}:L{index}{{{}}}", attributes.join(":"));
            }
            for arc in &self.edges[at] {
                let mut guard: Vec<String> = Vec::new();
                guard.extend(arc.guard.map(|(clock, sign, number)| format!("x{clock}{sign}{number}")));
                guard.extend(arc.data.map(|number| format!("i=={number}")));
                let mut statements: Vec<String> = Vec::new();
                statements.extend(arc.reset.map(|clock| format!("x{clock}=0")));
                statements.extend(arc.assign.map(|value| match value {
                    Some(value) => format!("i={value}"),
                    None => "i=i*2%4".to_owned(),
                }));
                let mut attributes = Vec::new();
                if !guard.is_empty() {
                    attributes.push(format!("provided:{}", guard.join("&&")));
                }
                if !statements.is_empty() {
                    attributes.push(format!("do:{}", statements.join(";")));
                }
                let (from, to) = arc.ends;
                let _ = writeln!(
                    text,
                    "edge:P{at}:L{from}:L{to}:{}{{{}}}",
                    EVENTS[arc.event],
                    attributes.join(":")
                );
            }
        }
        for vector in &self.vectors {
            let parts = vector.iter().map(|(process, event, weak)| {
                let mark = if *weak { "?" } else { "" };
                format!("P{process}@{}{mark}", EVENTS[*event])
            });
            let _ = writeln!(text, "sync:{}", parts.collect::<Vec<_>>().join(":"));
        }
        text
    }
}

/// Where the processes are, the integer, and the clocks in halves.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
struct At {
    places: Vec<usize>,
    int: i64,
    clocks: [i64; 2],
}

impl Plan {
    fn exists(&self, at: &At) -> bool {
        let places = self.processes.iter().zip(&at.places);
        let mut places = places.map(|(places, place)| &places[*place]);
        places.all(|place| place.most.is_none_or(|most| at.clocks[0] <= 2 * most))
    }

    fn enabled(&self, at: &At, process: usize, arc: &Arc) -> bool {
        let guard = arc.guard.is_none_or(|(clock, sign, number)| {
            let value = at.clocks[clock];
            match sign {
                "<=" => value <= 2 * number,
                ">=" => value >= 2 * number,
                "<" => value < 2 * number,
                ">" => value > 2 * number,
                _ => value == 2 * number,
            }
        });
        arc.ends.0 == at.places[process] && guard && arc.data.is_none_or(|number| at.int == number)
    }

    /// Each step: its action and where it leads; and how many of the steps several processes take together.
    fn steps(&self, at: &At) -> (BTreeSet<(String, At)>, u64) {
        let mut tuples: Vec<(usize, Vec<(usize, &Arc)>)> = Vec::new();
        for (process, arcs) in self.edges.iter().enumerate() {
            for arc in arcs.iter().filter(|arc| arc.ends.0 == at.places[process]) {
                let in_vector = |vector: &Vec<(usize, usize, bool)>| {
                    vector
                        .iter()
                        .any(|(own, event, _)| (*own, *event) == (process, arc.event))
                };
                if !self.vectors.iter().any(in_vector) {
                    tuples.push((arc.event, vec![(process, arc)]));
                }
            }
        }
        for vector in &self.vectors {
            let mut list: Vec<Vec<(usize, &Arc)>> = vec![Vec::new()];
            for (process, event, weak) in vector {
                let arcs: Vec<&Arc> = self.edges[*process]
                    .iter()
                    .filter(|arc| arc.event == *event && arc.ends.0 == at.places[*process])
                    .collect();
                if arcs.is_empty() && *weak {
                    continue;
                }
                let mut longer = Vec::new();
                for tuple in &list {
                    for arc in &arcs {
                        longer.push([tuple.clone(), vec![(*process, *arc)]].concat());
                    }
                }
                list = longer;
            }
            let event = vector[0].1;
            tuples.extend(
                list.into_iter()
                    .filter(|tuple| !tuple.is_empty())
                    .map(|tuple| (event, tuple)),
            );
        }
        let committed = |process: usize| self.processes[process][at.places[process]].committed;
        let some = (0..at.places.len()).any(committed);
        let (mut steps, mut n_together) = (BTreeSet::new(), 0);
        for (event, tuple) in tuples {
            let may = !some || tuple.iter().any(|(process, _)| committed(*process));
            if !may || !tuple.iter().all(|(process, arc)| self.enabled(at, *process, arc)) {
                continue;
            }
            let mut to = at.clone();
            let is_together = tuple.len() > 1;
            for (process, arc) in tuple {
                to.places[process] = arc.ends.1;
                if let Some(clock) = arc.reset {
                    to.clocks[clock] = 0;
                }
                match arc.assign {
                    Some(Some(value)) => to.int = value,
                    Some(None) => to.int = to.int * 2 % 4,
                    None => {}
                }
            }
            if self.exists(&to) {
                n_together += u64::from(is_together);
                steps.insert((ACTIONS[event].to_owned(), to));
            }
        }
        (steps, n_together)
    }

    fn later(&self, at: &At) -> Option<At> {
        let stands = |(places, place): (&Vec<Place>, &usize)| places[*place].urgent || places[*place].committed;
        let later = At {
            clocks: at.clocks.map(|clock| clock + 1),
            ..at.clone()
        };
        let waits = !self.processes.iter().zip(&at.places).any(stands) && self.exists(&later);
        waits.then_some(later)
    }
}

fn half(value: i64) -> BigRational {
    BigRational::new(value.into(), 2.into())
}

#[test]
fn vectors_mean_what_their_rules_say() {
    let (seed, cases) = (
        from_environment("TAMPER_SEED", 61),
        from_environment("TAMPER_CASES", 250),
    );
    let mut random = Random(seed);
    let (mut n_states, mut n_steps, mut n_together) = (0u64, 0u64, 0u64);
    for case in 0..cases {
        let plan = plan(&mut random);
        let text = plan.text();
        let read = read_tchecker("v.tck", text.as_bytes(), &ReadOptions::default());
        let (document, ..) = read.unwrap_or_else(|error| panic!("seed {seed}, system {case}: {error}\n{text}"));
        let [product] = document.automata() else {
            panic!("one game\n{text}")
        };
        let (file, _) = read_tchecker_network("v.tck", text.as_bytes()).unwrap();
        let view = View::closed("S", &file.network);
        let composed = compose(&file.network, &view, &Budget::unlimited()).unwrap();
        let actions = |game: &Automaton| -> BTreeSet<String> {
            let seen = game.actions().iter().filter(|action| action.role != Role::Internal);
            seen.map(ToString::to_string).collect()
        };
        assert_eq!(actions(&composed.automaton), actions(product), "{text}");
        let of_product = |state: &ConcreteState| {
            let name = &product.locations()[state.location].name;
            let places = name.split('_').map(|part| part[1..].parse().unwrap());
            (places.collect(), i64::from(state.ints[0]))
        };
        let of_network = |state: &ConcreteState| discrete_of(&composed, state);
        let games: [(&Automaton, &Discrete<'_>); 2] = [(product, &of_product), (&composed.automaton, &of_network)];
        for (automaton, discrete) in games {
            let counted = executed(
                &plan,
                (automaton, discrete),
                &format!("seed {seed}, system {case}\n{text}"),
            );
            n_states += counted.states;
            n_steps += counted.steps;
            n_together += counted.together;
        }
    }
    println!("seed {seed}, {cases} systems: {n_states} states, {n_steps} steps, {n_together} of several processes");
    assert!(n_steps > 4_000 && n_together > 1_000, "{n_steps}, {n_together}");
}

/// Where the processes are in a state of a game, and the integer.
type Discrete<'d> = dyn Fn(&ConcreteState) -> (Vec<usize>, i64) + 'd;

fn discrete_of(composed: &Composed, state: &ConcreteState) -> (Vec<usize>, i64) {
    let discrete = &composed.discrete[state.location.index()];
    let places = discrete.locations.iter().map(|place| *place as usize);
    (places.collect(), i64::from(discrete.store[0]))
}

/// What an execution went through.
#[derive(Default)]
struct Counted {
    states: u64,
    steps: u64,
    together: u64,
}

/// Executes `automaton` beside the plan.
fn executed(plan: &Plan, (automaton, discrete): (&Automaton, &Discrete<'_>), text: &str) -> Counted {
    assert!(automaton.is_atomic());
    let game = ConcreteGame::new(automaton, false, &Budget::unlimited())
        .unwrap()
        .unwrap();
    let shown = |state: &ConcreteState| {
        let (places, int) = discrete(state);
        let halves = |clock: &BigRational| (clock * half(4)).to_integer().to_string().parse().unwrap();
        let clocks = [halves(&state.clocks[0]), halves(&state.clocks[1])];
        At { places, int, clocks }
    };
    let mut counted = Counted::default();
    let start = At {
        places: vec![0; plan.processes.len()],
        int: 0,
        clocks: [0; 2],
    };
    let Some(first) = game.initial().unwrap() else {
        panic!("x0 is 0 at the start\n{text}")
    };
    let mut known = HashSet::from([start.clone()]);
    let mut waiting = VecDeque::from([(start, first)]);
    while let Some((at, state)) = waiting.pop_front() {
        if known.len() > 150 || at.clocks.iter().any(|clock| *clock > 12) {
            continue;
        }
        counted.states += 1;
        assert_eq!(shown(&state), at, "{text}");
        let moves = game.moves(&state).unwrap();
        let found: BTreeSet<(String, At)> = moves
            .iter()
            .map(|step| (automaton.actions()[step.action].to_string(), shown(&step.target)))
            .collect();
        let (expected, together) = plan.steps(&at);
        assert_eq!(found, expected, "at {at:?}\n{text}");
        counted.steps += expected.len() as u64;
        counted.together += together;
        for step in moves {
            let to = shown(&step.target);
            if known.insert(to.clone()) {
                waiting.push_back((to, step.target));
            }
        }
        let later = plan.later(&at);
        assert_eq!(
            game.can_delay(&state, &half(1)).unwrap(),
            later.is_some(),
            "{at:?}\n{text}"
        );
        if let Some(to) = later
            && known.insert(to.clone())
        {
            let clocks = state.clocks.iter().map(|clock| clock + half(1)).collect();
            waiting.push_back((
                to,
                ConcreteState {
                    clocks,
                    ..state.clone()
                },
            ));
        }
    }
    counted
}

fn network(text: &str) -> NetworkFile {
    read_tchecker_network("v.tck", text.as_bytes()).unwrap().0
}

/// An edge that a mutation removes is none: a process does not take part in a weak vector for it.
#[test]
fn mutants_without_an_edge_are_what_the_file_without_it_is() {
    let (seed, cases) = (
        from_environment("TAMPER_SEED", 62),
        from_environment("TAMPER_CASES", 25),
    );
    let mut random = Random(seed);
    let (mut n_mutants, mut n_steps, mut n_weak) = (0u64, 0u64, 0u64);
    for _ in 0..cases {
        let plan = plan(&mut random);
        let text = plan.text();
        let file = network(&text);
        let view = View::closed("S", &file.network);
        let (_, original) = Original::compose(&file.network, &view, &Budget::unlimited()).unwrap();
        let parts = components(&file.network, &view, &file.templates, &[], Scope::Instance).unwrap();
        let options = MutationOptions {
            operators: vec![Operator::Tmi],
            ..MutationOptions::default()
        };
        let mutants = NetworkMutants::of(&file.network, &view, &parts, &options, Order::FIRST).unwrap();
        for number in 0..mutants.len() {
            let mutant = mutants.get(number).unwrap();
            let [step] = &mutant.steps()[..] else { panic!("order 1") };
            let Mutation::RemoveEdge { edge } = step.mutation else {
                panic!("TMI removes an edge")
            };
            let process = parts[step.component].processes[0];
            let mut expected = plan.clone();
            let removed = expected.edges[process].remove(edge.index());
            let is_weak =
                |(own, event, weak): &(usize, usize, bool)| *weak && (*own, *event) == (process, removed.event);
            n_weak += u64::from(plan.vectors.iter().flatten().any(is_weak));
            let composed = original
                .compose_mutant(&mutant.network(), &Budget::unlimited())
                .unwrap();
            let of_network = |state: &ConcreteState| discrete_of(&composed, state);
            let counted = executed(
                &expected,
                (&composed.automaton, &of_network),
                &format!("seed {seed}, {} of\n{text}", mutant.id()),
            );
            (n_mutants, n_steps) = (n_mutants + 1, n_steps + counted.steps);
        }
    }
    println!("seed {seed}: {n_mutants} mutants, {n_weak} of weak parts, {n_steps} steps");
    assert!(
        n_mutants > 150 && n_weak > 20 && n_steps > 5_000,
        "{n_mutants}, {n_weak}, {n_steps}"
    );
}

/// What guidelines and shared steps say about mutants is what the game on the two compositions says.
#[test]
fn verdicts_with_vectors_are_those_of_the_game() {
    let (seed, cases) = (
        from_environment("TAMPER_SEED", 63),
        from_environment("TAMPER_CASES", 40),
    );
    let mut random = Random(seed);
    let (mut n_guideline, mut n_killed, mut n_subsumed) = (0u64, 0u64, 0u64);
    for _ in 0..cases {
        let text = plan(&mut random).text();
        let file = network(&text);
        let view = View::closed("S", &file.network);
        let parts = components(&file.network, &view, &file.templates, &[], Scope::Instance).unwrap();
        let judge = |statics, engine| judge((&file, &view), &parts, (Semantics::STRICT, statics, engine));
        let judges = (
            judge(StaticUse::Use, Engine::Family),
            judge(StaticUse::Off, Engine::Enumerate),
        );
        let (Ok(quick), Ok(plain)) = judges else { continue };
        let options = MutationOptions::default();
        let mutants = NetworkMutants::of(&file.network, &view, &parts, &options, Order::FIRST).unwrap();
        for _ in 0..12.min(mutants.len()) {
            let number = random.below(usize::try_from(mutants.len()).unwrap()) as u64;
            let mutant = mutants.get(number).unwrap();
            let mut scratch = Scratch::default();
            let (found, _) = quick.decide(&mutant, &mut scratch);
            let (by_game, _) = plain.decide(&mutant, &mut scratch);
            assert_eq!(
                found.verdict,
                by_game.verdict,
                "seed {seed}, {}: {found:?}\n{text}",
                mutant.id()
            );
            n_guideline += u64::from(found.decided_by == DecidedBy::Rule);
            n_killed += u64::from(found.verdict == Verdict::NonSubsumed);
            n_subsumed += u64::from(found.verdict == Verdict::Subsumed);
        }
    }
    println!("seed {seed}: {n_killed} non-subsumed, {n_subsumed} subsumed, {n_guideline} by a guideline");
    assert!(
        n_guideline > 20 && n_killed > 20 && n_subsumed > 50,
        "{n_guideline}, {n_killed}, {n_subsumed}"
    );
}

/// What a vector is, and what is said where that is not said.
#[test]
fn vectors_are_named_by_their_events_or_by_themselves() {
    let text = |alphabet: &str| {
        format!(
            "# tamper:alphabet {alphabet}\nsystem:S\nevent:a\nevent:b\nprocess:P\nprocess:Q\n\
             location:P:l{{initial:}}\nlocation:Q:l{{initial:}}\nedge:P:l:l:a{{}}\nedge:Q:l:l:b\nsync:P@a:Q@b\n"
        )
    };
    let read = |alphabet: &str| read_tchecker("v.tck", text(alphabet).as_bytes(), &ReadOptions::default());
    for (alphabet, action) in [
        ("a!", "a!"),
        ("b?", "b?"),
        ("a=go! b=go!", "go!"),
        ("P@a:Q@b=both?", "both?"),
        ("P@a:Q@b=both? a! b?", "both?"),
        ("Q@b=q!", "q!"),
        ("a=tau b=tau", "tau"),
    ] {
        let (document, ..) = read(alphabet).unwrap_or_else(|error| panic!("{alphabet}: {error}"));
        let game = &document.automata()[0];
        assert_eq!((game.name(), game.edges().len()), ("S", 1));
        let edge = &game.edges()[tamper::model::EdgeId::from_index(0)];
        assert_eq!(game.actions()[edge.action].to_string(), action);
    }
    for (alphabet, said) in [
        ("a! b?", "the events of this vector are different actions"),
        ("c!", "it is not said whether this vector is an input or an output"),
    ] {
        let error = read(alphabet).unwrap_err();
        let first = &error.diagnostics[0];
        assert!(first.message.contains(said), "{error}");
        assert_eq!(&error.file.text()[first.span.unwrap().range()], "sync:P@a:Q@b");
    }
}

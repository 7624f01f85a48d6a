//! Mutants of networks with hidden steps: what is said about them against sets of regions (`watched`).

use std::collections::BTreeMap;

use num_bigint::BigInt;
use num_integer::Integer as _;
use num_rational::BigRational;
use num_traits::{One as _, ToPrimitive as _};

use tamper::experiment::{Component, Scope, components};
use tamper::game::{Difference, HiddenEffort, Observation, Scratch, Seen as Answer, Semantics, Specification, Verdict};
use tamper::model::Action;
use tamper::mutation::{Mutation, MutationOptions};
use tamper::network::{compose, compose_mutant, with_seen_steps};
use tamper::text::Budget;

use super::composition::from_environment;
use super::mutants::{file, mutated, view};
use super::nets::{Atom, Chan, Edge, Loc, MOST, Net, Proc, Random, Update, Urgency};
use super::shown::{HIDDEN, SILENT};
use super::watched::{Seen, Stop, Watch, confirms, differ, scaled, space};

const CASES: u64 = 120;
/// The bounds of the oracle: steps, and halves of a unit of time.
const DEPTH: usize = 9;
const TICKS: i64 = 6;

/// A small network in which much is hidden.
pub(super) fn net(random: &mut Random) -> Net {
    let n_clocks = 1 + random.below(2);
    let n_chans = 2 + random.below(2);
    let n_procs = 2 + random.below(2);
    let hide = random.chance(60);
    let mut procs = Vec::new();
    for at in 0..n_procs {
        let n_locs = 1 + random.below(3);
        let locs = (0..n_locs).map(|_| Loc {
            urgency: match random.below(12) {
                0 => Urgency::Urgent,
                1 => Urgency::Committed,
                _ => Urgency::Normal,
            },
            invariant: match random.chance(35) {
                true => vec![atom(n_clocks, random, &["<=", "<"])],
                false => Vec::new(),
            },
            data: None,
        });
        let locs = locs.collect();
        let edges = (0..2 + random.below(3)).map(|_| Edge {
            source: random.below(n_locs),
            target: random.below(n_locs),
            clocks: match random.chance(60) {
                true => vec![atom(n_clocks, random, &["<=", ">=", "<", ">", "=="])],
                false => Vec::new(),
            },
            data: None,
            sync: random.chance(80).then(|| (random.below(n_chans), random.chance(50))),
            updates: match random.chance(50) {
                true => vec![Update::Reset(random.below(n_clocks), 0)],
                false => Vec::new(),
            },
        });
        procs.push(Proc {
            locs,
            edges: edges.collect(),
            priority: 0,
            environment: !hide && at > 0 && (at + 1 == n_procs || random.chance(50)),
        });
    }
    let chan = |random: &mut Random| Chan {
        broadcast: random.chance(30),
        urgent: false,
        priority: 0,
    };
    Net {
        vars: Vec::new(),
        n_clocks,
        starts: Vec::new(),
        chans: (0..n_chans).map(|_| chan(random)).collect(),
        procs,
        hide,
    }
}

fn atom(n_clocks: usize, random: &mut Random, signs: &[&'static str]) -> Atom {
    Atom {
        clock: random.below(n_clocks),
        sign: signs[random.below(signs.len())],
        number: random.number(0, 2),
    }
}

fn delays(observation: &Observation) -> Vec<&BigRational> {
    let last = match &observation.difference {
        Difference::Output { delay, .. } | Difference::Refused { delay, .. } | Difference::Delay { delay } => delay,
    };
    observation.steps.iter().map(|step| &step.delay).chain([last]).collect()
}

/// The run in whole units of time, of which one is `factor` of them.
fn run(observation: &Observation, factor: &BigInt, n_chans: usize) -> Vec<Seen> {
    let ticks = |delay: &BigRational| {
        let units = (delay * BigRational::from_integer(factor.clone())).to_integer();
        vec![Seen::Tick; units.to_usize().unwrap()]
    };
    // The channel of an added edge is the last one.
    let name = |action: &Action| match action.name.strip_prefix('c') {
        Some(_) => action.to_string(),
        None if &*action.name == SILENT => SILENT.to_owned(),
        None => format!("c{n_chans}{}", &action.to_string()[action.name.len()..]),
    };
    let mut list = Vec::new();
    for step in &observation.steps {
        list.extend(ticks(&step.delay));
        list.push(Seen::Step(step.action.as_ref().map_or(HIDDEN.to_owned(), name)));
    }
    match &observation.difference {
        Difference::Output { delay, action, .. } => {
            list.extend(ticks(delay));
            list.push(Seen::Step(name(action)));
        }
        Difference::Refused { delay, action } => {
            list.extend(ticks(delay));
            list.push(Seen::Refused(name(action)));
        }
        Difference::Delay { delay } => list.extend(ticks(delay)),
    }
    list
}

/// Whether the run is one of `left`, and tells it from `right`; who may use which channel of `left` `original` says, too.
/// Unknown actions are ignored where `ignore` says so.
pub(super) fn is_difference(
    (left, right): (&Net, &Net),
    (original, ignore): (&Net, bool),
    observation: &Observation,
) -> Result<bool, Stop> {
    let factor = delays(observation)
        .iter()
        .fold(BigInt::one(), |all, delay| all.lcm(delay.denom()));
    let run = run(observation, &factor, original.chans.len());
    let factor = factor.to_i64().unwrap();
    let ticks = run.iter().filter(|seen| matches!(seen, Seen::Tick)).count();
    let (left, right, original) = (scaled(left, factor), scaled(right, factor), scaled(original, factor));
    let space = space(&right, ticks as i64 + (MOST + 1) * factor + 1);
    let (mut left, mut right) = (Watch::new(&left, &original, &space), Watch::new(&right, &right, &space));
    if ignore {
        (left, right) = (left.ignoring(), right.ignoring());
    }
    confirms(&left, &right, &run)
}

/// Whether some run of `left`, within the bounds of the oracle, is none that `right` looks like.
pub(super) fn looks_different((left, right): (&Net, &Net), (original, ignore): (&Net, bool)) -> Result<bool, Stop> {
    let (left, right, original) = (scaled(left, 2), scaled(right, 2), scaled(original, 2));
    let space = space(&right, TICKS + (MOST + 1) * 2 + 1);
    let (mut left, mut right) = (Watch::new(&left, &original, &space), Watch::new(&right, &right, &space));
    if ignore {
        (left, right) = (left.ignoring(), right.ignoring());
    }
    differ(&left, &right, (DEPTH, TICKS))
}

type Counts = BTreeMap<&'static str, u64>;

fn compare(net: &Net, (random, most): (&mut Random, usize), counts: &mut Counts) -> Result<(), String> {
    let mut count = |what| *counts.entry(what).or_default() += 1;
    let file = file(net);
    let view = view(net, &file);
    let Ok(composed) = compose(&file.network, &view, &Budget::unlimited()) else {
        return Ok(());
    };
    let original = with_seen_steps(&composed.automaton, &composed.seen, SILENT);
    let Ok(spec) = Specification::prepare(&original, Semantics::DEFINITION, &Budget::unlimited()) else {
        return Ok(());
    };
    let components = components(&file.network, &view, &file.templates, &[], Scope::Template).unwrap();
    let of = |component: &Component| {
        component
            .mutations(&MutationOptions::default())
            .iter()
            .collect::<Vec<_>>()
    };
    let all: Vec<(&Component, Mutation)> = components
        .iter()
        .flat_map(|component| of(component).into_iter().map(move |mutation| (component, mutation)))
        .collect();
    for _ in 0..most.min(all.len()) {
        let (component, mutation) = all[random.below(all.len())];
        let id = component.id(&mutation);
        let mutant = component.mutant(&file.network, &mutation);
        let Ok(made) = compose_mutant(&mutant, &file.network, &view, &Budget::unlimited()) else {
            continue;
        };
        if !(composed.has_hidden || made.has_hidden) {
            // Counted, since it says how much of the work is about hidden steps.
            count("nothing hidden");
            continue;
        }
        let effort = HiddenEffort {
            max_states: 300,
            max_zones: 20_000,
            n_grids: 2,
        };
        let silent_beside_hidden = !(composed.seen.is_empty() && made.seen.is_empty());
        if silent_beside_hidden {
            count("seen steps without a label beside hidden ones");
        }
        let made = with_seen_steps(&made.automaton, &made.seen, SILENT);
        let decided = spec.decide_hidden(&made, &Budget::unlimited(), effort, &mut Scratch::default());
        let Ok((answer, decision)) = decided else { continue };
        let plain = mutated(net, component.processes[0], &mutation);
        match answer {
            Answer::Inconsistent => count("inconsistent"),
            Answer::Stopped(reason) => return Err(format!("{id}: {reason}")),
            Answer::NonSubsumed(observation) => match is_difference((&plain, net), (net, false), &observation) {
                Ok(true) => count("non-subsumed, confirmed"),
                Ok(false) => return Err(format!("{id}: {observation} is no difference")),
                Err(Stop) => count("non-subsumed, too large"),
            },
            answer @ (Answer::Subsumed | Answer::NotFound { .. }) => {
                let is_unmatched = decision.verdict != Verdict::Subsumed;
                if answer == Answer::Subsumed && is_unmatched {
                    count("subsumed, nothing seen but time");
                }
                let is_subsumed = answer == Answer::Subsumed;
                match looks_different((&plain, net), (net, false)) {
                    Ok(true) if is_subsumed => return Err(format!("{id} is subsumed, but a run tells it apart")),
                    Ok(true) => count("not found, but there is one"),
                    Ok(false) if is_subsumed => count("subsumed, no difference"),
                    Ok(false) => count("not found, none within bounds"),
                    Err(Stop) if is_subsumed => count("subsumed, too large"),
                    Err(Stop) => count("not found, too large"),
                }
            }
        }
    }
    Ok(())
}

#[test]
fn what_is_said_about_hidden_steps_is_so_by_sets_of_regions() {
    let (seed, cases) = (
        from_environment("TAMPER_SEED", 41),
        from_environment("TAMPER_CASES", CASES),
    );
    let mut counts = Counts::new();
    let mut source = Random(seed);
    for case in 0..cases {
        let net = net(&mut source);
        if let Err(message) = compare(&net, (&mut source, 6), &mut counts) {
            panic!("seed {seed}, network {case}: {message}\n{}", net.xml());
        }
    }
    println!("seed {seed}, {cases} networks: {counts:?}");
    let silent = "seen steps without a label beside hidden ones";
    for what in ["non-subsumed, confirmed", "subsumed, no difference", silent] {
        assert!(counts.get(what).is_some_and(|n| *n > 20), "{what}: {counts:?}");
    }
}

#[test]
fn what_is_said_where_nothing_is_seen_but_time_is_so_by_sets_of_regions() {
    let (seed, cases) = (
        from_environment("TAMPER_SEED", 7),
        from_environment("TAMPER_CASES", 100),
    );
    let mut counts = Counts::new();
    let mut source = Random(seed);
    for case in 0..cases {
        let mut net = net(&mut source);
        net.hide = true;
        net.procs.truncate(1);
        for process in &mut net.procs {
            process.environment = false;
            process.edges.iter_mut().for_each(|edge| edge.sync = None);
        }
        if let Err(message) = compare(&net, (&mut source, 20), &mut counts) {
            panic!("seed {seed}, network {case}: {message}\n{}", net.xml());
        }
    }
    println!("seed {seed}, {cases} closed networks: {counts:?}");
    for what in ["non-subsumed, confirmed", "subsumed, nothing seen but time"] {
        assert!(counts.get(what).is_some_and(|n| *n > 20), "{what}: {counts:?}");
    }
}

/// A process with one clock that stays in one location, up to `most` if there is a most, and loops there by the edge given,
/// which nobody sees.
fn waiting(most: Option<i64>, edge: Option<Edge>) -> Net {
    let at = |sign, number| Atom { clock: 0, sign, number };
    let invariant = most.map(|most| at("<=", most)).into_iter().collect();
    Net {
        vars: Vec::new(),
        n_clocks: 1,
        starts: Vec::new(),
        chans: Vec::new(),
        procs: vec![Proc {
            locs: vec![Loc {
                urgency: Urgency::Normal,
                invariant,
                data: None,
            }],
            edges: edge.into_iter().collect(),
            priority: 0,
            environment: false,
        }],
        hide: true,
    }
}

fn hidden_loop(from: i64, resets: bool) -> Option<Edge> {
    Some(Edge {
        source: 0,
        target: 0,
        clocks: vec![Atom {
            clock: 0,
            sign: ">=",
            number: from,
        }],
        data: None,
        sync: None,
        updates: resets.then_some(Update::Reset(0, 0)).into_iter().collect(),
    })
}

#[test]
fn hidden_steps_let_all_time_pass_only_in_circles_that_take_time() {
    let composed = |net: &Net| {
        let file = file(net);
        compose(&file.network, &view(net, &file), &Budget::unlimited()).expect("a small network composes")
    };
    // It waits for ever, and makes no step that one could match.
    let mutant = composed(&waiting(None, None)).automaton;
    for (edge, lasts) in [
        (hidden_loop(1, true), true),
        // The step can be made when the clock shows 0, too, but need not.
        (hidden_loop(0, true), true),
        // Very many steps, at the end of time.
        (hidden_loop(0, false), false),
        (hidden_loop(1, false), false),
    ] {
        let original = composed(&waiting(Some(1), edge));
        assert!(original.has_hidden && original.seen.is_empty());
        let spec = Specification::prepare(&original.automaton, Semantics::DEFINITION, &Budget::unlimited()).unwrap();
        let decided = spec.decide_hidden(
            &mutant,
            &Budget::unlimited(),
            HiddenEffort::default(),
            &mut Scratch::default(),
        );
        let (answer, decision) = decided.unwrap();
        assert_eq!(decision.verdict, Verdict::NonSubsumed);
        match answer {
            Answer::Subsumed => assert!(lasts),
            Answer::NonSubsumed(run) => assert!(!lasts && matches!(run.difference, Difference::Delay { .. })),
            other => panic!("{other:?}"),
        }
    }
}

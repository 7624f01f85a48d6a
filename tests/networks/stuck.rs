//! States of which deadlines of some processes tell that all runs from there get stuck, against the region graph of the network: from
//! every discrete state, reached or not, with any clock values.

use std::collections::{HashMap, HashSet};

use tamper::experiment::{NetworkMutants, Scope, components};
use tamper::formats::read_xta_network;
use tamper::mutation::{MutationOptions, Order};
use tamper::network::{Network, Original, State, View};
use tamper::text::Budget;

use super::clocks::{ClockSpace, Regions};
use super::composition::from_environment;
use super::flat::{Discrete, Flat, Region};
use super::mutants::{all_of_networks, closed, file, in_turn, view};
use super::nets::{MOST, Net, Random, with_deadlines, with_signals};
use super::verdicts::regions;

const CASES: u64 = 150;
/// Most states of the region graph that are followed; what is larger is left to others.
const MOST_STATES: usize = 300_000;

/// What was asked and told.
#[derive(Default, Debug)]
struct Counts {
    networks: u64,
    asked: u64,
    told: u64,
    /// Of these, states with a step that is possible at some clock values.
    moving: u64,
    too_large: u64,
}

/// Every choice of locations and values.
fn all_states(net: &Net) -> Vec<Discrete> {
    let locs = net.procs.iter().map(|process| (0, process.locs.len() as i64 - 1));
    let ranges = locs.chain(net.vars.iter().map(|(low, high, _)| (*low, *high)));
    let choices = ranges.fold(vec![Vec::new()], |choices: Vec<Vec<i64>>, (low, high)| {
        let longer = |value| choices.iter().map(move |choice| [choice.as_slice(), &[value]].concat());
        (low..=high).flat_map(longer).collect()
    });
    let state = |choice: Vec<i64>| Discrete {
        locs: choice[..net.procs.len()].iter().map(|at| *at as usize).collect(),
        vars: choice[net.procs.len()..].to_vec(),
    };
    choices.into_iter().map(state).collect()
}

/// Every region: each is reached by waiting, and by setting clocks to numbers.
fn all_regions(space: &Regions, n_clocks: usize, most: i64) -> Vec<Region> {
    let mut found = vec![space.origin()];
    let mut known: HashSet<Region> = found.iter().cloned().collect();
    let mut next = 0;
    while next < found.len() {
        let region = found[next].clone();
        let set = (0..n_clocks).flat_map(|clock| (0..=most).map(move |value| (clock, value)));
        let after = set.map(|(clock, value)| space.reset(&region, clock, value));
        for region in after.chain([space.later(&region)]) {
            if known.insert(region.clone()) {
                found.push(region);
            }
        }
        next += 1;
    }
    found
}

/// The region graph of a network without its inputs, as far as it was followed.
struct Graph<'n> {
    flat: Flat<'n>,
    /// Whether a state is on the path that is followed; all runs from the others get stuck.
    on_path: HashMap<(Discrete, Region), bool>,
}

impl Graph<'_> {
    fn next(&self, (state, region): &(Discrete, Region)) -> Vec<(Discrete, Region)> {
        let (steps, fails) = self.flat.possible(state, region);
        assert!(!fails, "deadlines tell nothing about networks that may fail");
        let steps = steps.into_iter().filter(|step| !step.action.ends_with('?'));
        let mut next: Vec<_> = steps.map(|step| (step.target, step.region)).collect();
        let later = self.flat.space.later(region);
        if self.flat.passes(state, region, &later) {
            next.push((state.clone(), later));
        }
        next
    }

    /// Whether some run from there is endless: a path of the graph has a circle, which may be one of waiting. `None` if too many
    /// states are found.
    fn is_endless(&mut self, start: (Discrete, Region)) -> Option<bool> {
        if self.on_path.contains_key(&start) {
            return Some(false);
        }
        let mut path = vec![(self.next(&start), start.clone())];
        self.on_path.insert(start, true);
        while let Some((open, _)) = path.last_mut() {
            let Some(state) = open.pop() else {
                let (_, state) = path.pop().expect("it was the last");
                self.on_path.insert(state, false);
                continue;
            };
            match self.on_path.get(&state) {
                Some(true) => return Some(true),
                Some(false) => {}
                None if self.on_path.len() > MOST_STATES => return None,
                None => {
                    path.push((self.next(&state), state.clone()));
                    self.on_path.insert(state, true);
                }
            }
        }
        Some(false)
    }
}

/// Asks about all states of `net`, which was made from `spec`.
fn ask((net, spec): (&Net, &Net), (original, network): (&Original, &Network), counts: &mut Counts) {
    let states = all_states(net);
    let asked = states.iter().map(|state| State {
        locations: state.locs.iter().map(|at| *at as u32).collect(),
        store: state.vars.iter().map(|value| *value as i32).collect(),
        part: 0,
    });
    assert_eq!(network.variables.len(), net.vars.len());
    let told = original.told_stuck(network, &asked.collect::<Vec<_>>());
    (counts.networks, counts.asked) = (counts.networks + 1, counts.asked + told.len() as u64);
    if !told.contains(&true) {
        return;
    }
    let most = MOST + 1;
    let space = regions(net.n_clocks, most);
    let all = all_regions(&space, net.n_clocks, most);
    let mut graph = Graph {
        flat: Flat {
            net,
            original: spec,
            space: &space,
            offset: 0,
        },
        on_path: HashMap::new(),
    };
    for (state, _) in states.iter().zip(told).filter(|(_, told)| *told) {
        let mut moves = false;
        for region in &all {
            if !graph.flat.exists(state, region) {
                continue;
            }
            moves |= !graph.flat.possible(state, region).0.is_empty();
            let Some(is_endless) = graph.is_endless((state.clone(), region.clone())) else {
                counts.too_large += 1;
                return;
            };
            assert!(!is_endless, "{state:?} {region:?} is not stuck in\n{}", net.xml());
        }
        (counts.told, counts.moving) = (counts.told + 1, counts.moving + u64::from(moves));
    }
}

fn run(nets: impl Fn(&mut Random) -> Net, seed: u64) -> Counts {
    let mut counts = Counts::default();
    let mut source = Random(from_environment("TAMPER_SEED", seed));
    for _ in 0..from_environment("TAMPER_CASES", CASES) {
        let net = nets(&mut source);
        let file = file(&net);
        let view = view(&net, &file);
        let Ok((_, original)) = Original::compose(&file.network, &view, &Budget::unlimited()) else {
            continue;
        };
        ask((&net, &net), (&original, &file.network), &mut counts);
        let components = components(&file.network, &view, &file.templates, &[], Scope::Template).unwrap();
        let operators = all_of_networks();
        let options = MutationOptions {
            operators,
            ..MutationOptions::default()
        };
        let mutants = NetworkMutants::of(&file.network, &view, &components, &options, Order::FIRST).unwrap();
        for _ in 0..mutants.len().min(3) {
            let mutant = mutants.get(source.below(mutants.len() as usize) as u64).unwrap();
            let (network, plain) = (mutant.network(), in_turn(&net, &components, &mutant.steps()));
            // A process without a location numbers the others anew.
            let is_alike = |plain: &Net| {
                let mut processes = network.processes.iter().zip(&plain.procs);
                processes.all(|(process, plain)| process.locations.len() == plain.locs.len())
            };
            if let Some(plain) = plain.filter(is_alike) {
                ask((&plain, &net), (&original, &network), &mut counts);
            }
        }
    }
    println!("{counts:?}");
    counts
}

#[test]
fn states_that_deadlines_tell_are_stuck_in_the_region_graph() {
    let counts = run(with_deadlines, 24);
    assert!(counts.told >= 500 && counts.moving >= 400, "{counts:?}");
    let counts = run(with_signals, 26);
    assert!(counts.told >= 100 && counts.moving >= 100, "{counts:?}");
    let counts = run(closed, 25);
    assert!(counts.told >= 100 && counts.moving >= 40, "{counts:?}");
}

/// A lamp that has to be pressed again and again: presses of a channel that another process chooses keep it on for ever.
const PRESSED: &str = "
chan press[2]; int[0,1] which;
process Lamp() {
  clock on;
  state On { on <= 1 }; init On;
  trans On -> On { sync press[1]?; assign on = 0; };
}
process Hand() {
  clock rest;
  state Away, Near { rest <= 1 }; init Away;
  trans Away -> Near { assign which = 1, rest = 0; }, Near -> Near { guard rest == 1; sync press[which]!; assign rest = 0; };
}
system Lamp, Hand;
";

#[test]
fn a_channel_that_others_choose_is_no_deadline() {
    let (file, _) = read_xta_network("net.xta", PRESSED.as_bytes()).unwrap_or_else(|error| panic!("{error}"));
    let view = View::closed("System", &file.network);
    let (_, original) = Original::compose(&file.network, &view, &Budget::unlimited()).unwrap();
    let near = State {
        locations: [0, 1].into(),
        store: [1].into(),
        part: 0,
    };
    assert_eq!(original.told_stuck(&file.network, &[near]), [false]);
}

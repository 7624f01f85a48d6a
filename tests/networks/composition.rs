//! The composed game is the network: the same states, the same steps, the same delays, on the region graph.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use tamper::formats::read_network;
use tamper::model::{Automaton, EdgeId, Guard, LocId, Role, Update, Urgency};
use tamper::network::{ComposeError, Composed, Fault, Network, View, compose};
use tamper::text::{Budget, Diagnostic, Id};

use super::clocks::ClockSpace;
use super::flat::{Discrete, Flat, OutOfRange, Region};
use super::mutants::view;
use super::nets::{MOST, Net, Random, random, with_starts, with_urgent_guards};
use super::shown::{HIDDEN, SILENT};
use super::verdicts::regions;

const CASES: u64 = 3_000;
/// Networks with more states than this are left to others.
const MAX_STATES: usize = 6_000;

/// The location of each process and the values of the variables, in words, of every location.
pub(super) fn states_in_words(composed: &Composed, network: &Network) -> Vec<String> {
    let locations = composed.automaton.locations().ids();
    locations
        .map(|location| composed.state_in_words(network, location))
        .collect()
}

pub fn from_environment(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).map_or(otherwise, |value| value.parse().expect("a number"))
}

/// How a comparison ended.
#[derive(PartialEq, Eq, Hash, Debug)]
pub enum End {
    Same,
    /// A condition on several clocks at once decides when time stands.
    Refused,
    BothOutOfRange,
    TooLarge,
}

#[test]
fn composed_networks_are_what_the_rules_say_state_by_state() {
    let seed = from_environment("TAMPER_SEED", 15);
    let cases = from_environment("TAMPER_CASES", CASES);
    let mut ends: HashMap<End, u64> = HashMap::new();
    let mut counts = Counts::new();
    let mut source = Random(seed);
    for case in 0..cases {
        let net = random(&mut source);
        match compare(&net, &net.xml(), &mut counts) {
            Ok(end) => *ends.entry(end).or_default() += 1,
            Err(message) => panic!("seed {seed}, network {case}: {message}\n{}", net.xml()),
        }
    }
    println!("seed {seed}: {cases} networks: {ends:?}, {counts:?}");
    let same = ends.get(&End::Same).copied().unwrap_or_default();
    assert!(same * 2 > cases, "most networks are small and stay in range: {ends:?}");
    let met = [
        HIDDEN,
        SILENT,
        "waits for Channel",
        "waits for Process",
        "waits for Input",
    ];
    for what in met {
        assert!(counts.get(what).is_some_and(|n| *n >= cases / 25), "{what}: {counts:?}");
    }
}

/// Clocks that start at other values than 0, and synchronisations on urgent channels that depend on clocks.
#[test]
fn composed_networks_with_clocks_ahead_and_timed_urgency_are_what_the_rules_say() {
    let seed = from_environment("TAMPER_SEED", 50);
    let cases = from_environment("TAMPER_CASES", CASES);
    let mut ends: HashMap<End, u64> = HashMap::new();
    let mut counts = Counts::new();
    let mut source = Random(seed);
    for case in 0..cases {
        let mut net = random(&mut source);
        if case % 3 != 0 {
            net = with_urgent_guards(net, &mut source);
        }
        if case % 3 != 1 {
            net = with_starts(net, &mut source);
        }
        match compare(&net, &net.xml(), &mut counts) {
            Ok(end) => *ends.entry(end).or_default() += 1,
            Err(message) => panic!("seed {seed}, network {case}: {message}\n{}", net.xml()),
        }
    }
    println!("seed {seed}: {cases} networks: {ends:?}, {counts:?}");
    for (end, least) in [(End::Same, cases / 2), (End::Refused, cases / 300)] {
        assert!(ends.get(&end).is_some_and(|n| *n >= least), "{end:?}: {ends:?}");
    }
    for what in ["ahead", "time stands by a clock", "time passes by a clock"] {
        assert!(counts.get(what).is_some_and(|n| *n >= cases / 20), "{what}: {counts:?}");
    }
}

/// The composition of `net`, which is written as `text`.
/// The composition, and its states in words.
fn composition(net: &Net, text: &str) -> Result<(Composed, Vec<String>), ComposeError> {
    let (file, warnings) = read_network("net.xml", text.as_bytes()).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let has_unread = text.contains("hybrid clock") || !net.starts.is_empty();
    let is_known = |warning: &Diagnostic| has_unread && warning.message.starts_with("not read, ");
    assert!(warnings.iter().all(is_known), "{warnings:?}");
    let composed = compose(&file.network, &view(net, &file), &Budget::unlimited())?;
    let states = states_in_words(&composed, &file.network).into_iter();
    // Variables of the disguise, which are 0 between steps.
    let own = |state: String| {
        state
            .strip_suffix(" t[0].k=0 t[1].k=0")
            .map_or(state.clone(), str::to_owned)
    };
    let states = states.map(own).collect();
    Ok((composed, states))
}

/// How often what was met in compared states.
pub type Counts = BTreeMap<String, u64>;

pub fn compare(net: &Net, text: &str, counts: &mut Counts) -> Result<End, String> {
    let space = regions(net.n_clocks, MOST);
    let flat = Flat {
        net,
        original: net,
        space: &space,
        offset: 0,
    };
    let is_refused = |error: &ComposeError| matches!(error, ComposeError::UrgentClockGuard { .. });
    let reached = match reach(&flat) {
        None => return Ok(End::TooLarge),
        Some(Err(OutOfRange)) => {
            return match composition(net, text) {
                Err(ComposeError::Fault {
                    fault: Fault::Range { .. },
                    run: Some(_),
                    ..
                }) => Ok(End::BothOutOfRange),
                Err(error) if is_refused(&error) => Ok(End::Refused),
                other => Err(format!("a variable leaves its range, but: {other:?}")),
            };
        }
        Some(Ok(reached)) => reached,
    };
    let (composed, states) = match composition(net, text) {
        Ok(found) => found,
        Err(error) if is_refused(&error) => return Ok(End::Refused),
        Err(error) => return Err(format!("{error:?}")),
    };
    let automaton = &composed.automaton;
    let mut view = Seen {
        flat: &flat,
        composed: &composed,
        states: &states,
        edges: HashSet::new(),
    };
    let mut ahead = net.starts.clone();
    ahead.resize(net.n_clocks, 0);
    let mut list: Vec<Both> = reached
        .first()
        .map(|(state, region)| (state.clone(), region.clone(), automaton.initial(), ahead))
        .into_iter()
        .collect();
    let mut known: HashSet<Both> = list.iter().cloned().collect();
    while let Some(both) = list.pop() {
        for next in view.same_here(&both)? {
            if known.insert(next.clone()) {
                list.push(next);
            }
        }
        let (state, region, ..) = &both;
        for why in flat.waits(state, region) {
            *counts.entry(format!("waits for {why:?}")).or_default() += 1;
        }
        for step in flat.steps(state, region).expect("in range") {
            if [HIDDEN, SILENT].contains(&step.action.as_str()) {
                *counts.entry(step.action).or_default() += 1;
            }
        }
        for what in ["stands", "passes"] {
            let later = flat.space.later(region);
            let timed = flat.urgent(state, region) != flat.urgent(state, &later);
            if timed && (what == "stands") == flat.urgent(state, region) {
                *counts.entry(format!("time {what} by a clock")).or_default() += 1;
            }
        }
        *counts.entry("ahead".to_owned()).or_default() += u64::from(both.3.iter().any(|by| *by > 0));
    }
    let met: HashSet<(&Discrete, &Region)> = known.iter().map(|(state, region, ..)| (state, region)).collect();
    let places: HashSet<LocId> = known.iter().map(|both| both.2).collect();
    // An initial state that does not exist is one location without a run.
    let is_whole = met.len() == reached.len()
        && places.len() == automaton.locations().len()
        && view.edges.len() == automaton.edges().len();
    if !reached.is_empty() && !is_whole {
        return Err(format!(
            "{} of {} states, {} of {} locations and {} of {} edges are on runs",
            met.len(),
            reached.len(),
            places.len(),
            automaton.locations().len(),
            view.edges.len(),
            automaton.edges().len()
        ));
    }
    Ok(End::Same)
}

/// All reached states; none when there are too many.
fn reach(flat: &Flat<'_>) -> Option<Result<Vec<(Discrete, Region)>, OutOfRange>> {
    let start = (flat.initial(), flat.started(flat.space.origin()));
    let mut list = Vec::new();
    let mut known = HashSet::new();
    if flat.exists(&start.0, &start.1) {
        known.insert(start.clone());
        list.push(start);
    }
    let mut at = 0;
    let mut fault = None;
    while at < list.len() {
        if list.len() > MAX_STATES {
            return None;
        }
        let (state, region) = list[at].clone();
        at += 1;
        let mut next = Vec::new();
        match flat.steps(&state, &region) {
            Ok(steps) => next.extend(steps.into_iter().map(|step| (step.target, step.region))),
            Err(error) => fault = Some(error),
        }
        let later = flat.space.later(&region);
        if flat.passes(&state, &region, &later) {
            next.push((state, later));
        }
        for entry in next {
            if known.insert(entry.clone()) {
                list.push(entry);
            }
        }
    }
    Some(fault.map_or(Ok(list), Err))
}

/// A state of the network, the location of the composition, and what each clock is ahead of the composition's.
type Both = (Discrete, Region, LocId, Vec<i64>);

struct Seen<'a> {
    flat: &'a Flat<'a>,
    composed: &'a Composed,
    states: &'a [String],
    edges: HashSet<EdgeId>,
}

impl Seen<'_> {
    /// Compares the steps and delays of one state; returns the states that they lead to.
    fn same_here(&mut self, (state, region, location, ahead): &Both) -> Result<Vec<Both>, String> {
        let words = self.flat.words(state);
        if self.states[location.index()] != words {
            return Err(format!(
                "{words} is {} in the composition",
                self.states[location.index()]
            ));
        }
        let automaton = &self.composed.automaton;
        let steps = self.flat.steps(state, region).expect("in range").into_iter();
        let wanted: BTreeMap<String, Discrete> = steps
            .map(|step| {
                let target = self.flat.words(&step.target);
                (format!("{} to {target} {:?}", step.action, step.region), step.target)
            })
            .collect();
        let (mut found, mut next) = (BTreeSet::new(), Vec::new());
        for (id, edge) in automaton
            .edges()
            .iter_enumerated()
            .filter(|(_, edge)| edge.source == *location)
        {
            if !self.holds(&edge.guard, region, ahead) {
                continue;
            }
            let (mut after, mut still) = (region.clone(), ahead.clone());
            for update in &edge.updates {
                let Update::Reset(clock, value) = update else {
                    return Err("an assignment in the composition".to_owned());
                };
                // Those of the disguise; the clocks beside the network's own that it names are never set.
                if clock.index() >= 2 * self.flat.net.n_clocks {
                    continue;
                }
                let value = value.as_const().expect("a number");
                after = self.flat.space.reset(&after, clock.index(), value);
                still[clock.index()] = 0;
            }
            if self.holds(&automaton.locations()[edge.target].invariant, &after, &still) {
                self.edges.insert(id);
                let target = &self.states[edge.target.index()];
                let action = &automaton.actions()[edge.action];
                let shown = match action.role == Role::Internal && !self.composed.seen.contains(&id) {
                    true => HIDDEN.to_owned(),
                    false => action.to_string(),
                };
                let shown = format!("{shown} to {target} {after:?}");
                if let Some(target) = wanted.get(&shown) {
                    next.push((target.clone(), after, edge.target, still));
                }
                found.insert(shown);
            }
        }
        if !wanted.keys().eq(&found) {
            return Err(format!(
                "in {words} {region:?}: the rules give {wanted:#?}, the composition {found:#?}"
            ));
        }
        let later = self.flat.space.later(region);
        let wanted = self.flat.passes(state, region, &later);
        let is_normal = automaton.locations()[*location].urgency == Urgency::Normal;
        let found = is_normal && self.holds(&automaton.locations()[*location].invariant, &later, ahead);
        if wanted != found {
            return Err(format!(
                "in {words} {region:?}: time passes by the rules: {wanted}, in the composition: {found}"
            ));
        }
        next.extend(wanted.then(|| (state.clone(), later, *location, ahead.clone())));
        Ok(next)
    }

    fn holds(&self, guard: &Guard, region: &Region, ahead: &[i64]) -> bool {
        assert!(guard.data.is_empty() || guard.data.iter().all(|data| data.as_const() == Some(0)));
        guard.data.is_empty()
            && guard.clocks.iter().all(|atom| {
                let clock = atom.left.index();
                let bound = atom.bound.as_const().expect("a number") + ahead[clock];
                self.flat.space.holds(region, clock, None, atom.cmp, bound)
            })
    }
}

/// The composed automaton of a file in which every process is under test.
pub fn composed(xml: &str) -> Automaton {
    let (file, _) = read_network("net.xml", xml.as_bytes()).unwrap_or_else(|error| panic!("{error}"));
    let view = View::closed("System", &file.network);
    compose(&file.network, &view, &Budget::unlimited())
        .unwrap_or_else(|error| panic!("{error}"))
        .automaton
}

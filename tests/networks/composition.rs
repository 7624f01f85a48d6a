//! The composed game is the network: the same states, the same steps, the same delays, on the region graph.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use tamper::formats::read_network;
use tamper::model::{Automaton, EdgeId, Guard, LocId, Role, Update, Urgency};
use tamper::network::{ComposeError, Composed, Fault, View, compose};
use tamper::text::{Budget, Diagnostic, Id};

use super::clocks::ClockSpace;
use super::flat::{Discrete, Flat, OutOfRange, Region};
use super::mutants::view;
use super::nets::{MOST, Net, Random, random};
use super::shown::{HIDDEN, SILENT};
use super::verdicts::regions;

const CASES: u64 = 3_000;
/// Networks with more states than this are left to others.
const MAX_STATES: usize = 6_000;

pub fn from_environment(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).map_or(otherwise, |value| value.parse().expect("a number"))
}

/// How a comparison ended.
#[derive(PartialEq, Eq, Hash, Debug)]
pub enum End {
    Same,
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

/// The composition of `net`, which is written as `text`.
/// The composition, and its states in words.
fn composition(net: &Net, text: &str) -> Result<(Composed, Vec<String>), ComposeError> {
    let (file, warnings) = read_network("net.xml", text.as_bytes()).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let is_known = |warning: &Diagnostic| text.contains("hybrid clock") && warning.message.starts_with("not read, ");
    assert!(warnings.iter().all(is_known), "{warnings:?}");
    let composed = compose(&file.network, &view(net, &file), &Budget::unlimited())?;
    let states = composed.states_in_words(&file.network);
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
    let reached = match reach(&flat) {
        None => return Ok(End::TooLarge),
        Some(Err(OutOfRange)) => {
            return match composition(net, text) {
                Err(ComposeError::Fault {
                    fault: Fault::Range { .. },
                    run: Some(_),
                    ..
                }) => Ok(End::BothOutOfRange),
                other => Err(format!("a variable leaves its range, but: {other:?}")),
            };
        }
        Some(Ok(reached)) => reached,
    };
    let (composed, states) = composition(net, text).map_err(|error| format!("{error:?}"))?;
    let locations: HashMap<&str, LocId> = composed
        .automaton
        .locations()
        .ids()
        .map(|id| (states[id.index()].as_str(), id))
        .collect();
    let mut seen = (HashSet::new(), HashSet::new());
    let view = Seen {
        flat: &flat,
        composed: &composed,
        states: &states,
        locations,
    };
    for (state, region) in &reached {
        view.same_here(state, region, &mut seen)?;
        for why in flat.waits(state, region) {
            *counts.entry(format!("waits for {why:?}")).or_default() += 1;
        }
        for step in flat.steps(state, region).expect("in range") {
            if [HIDDEN, SILENT].contains(&step.action.as_str()) {
                *counts.entry(step.action).or_default() += 1;
            }
        }
    }
    let automaton = &composed.automaton;
    // An initial state that does not exist is one location without a run.
    if !reached.is_empty() && (seen.0.len() != automaton.locations().len() || seen.1.len() != automaton.edges().len()) {
        return Err(format!(
            "{} of {} locations and {} of {} edges are on runs",
            seen.0.len(),
            automaton.locations().len(),
            seen.1.len(),
            automaton.edges().len()
        ));
    }
    Ok(End::Same)
}

/// All reached states; none when there are too many.
fn reach(flat: &Flat<'_>) -> Option<Result<Vec<(Discrete, Region)>, OutOfRange>> {
    let start = (flat.initial(), flat.space.origin());
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
        if !flat.urgent(&state, &region) && flat.exists(&state, &later) {
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

struct Seen<'a> {
    flat: &'a Flat<'a>,
    composed: &'a Composed,
    states: &'a [String],
    locations: HashMap<&'a str, LocId>,
}

impl Seen<'_> {
    /// Compares the steps and delays of one state.
    fn same_here(
        &self,
        state: &Discrete,
        region: &Region,
        (locations, edges): &mut (HashSet<LocId>, HashSet<EdgeId>),
    ) -> Result<(), String> {
        let words = self.flat.words(state);
        let location = *self
            .locations
            .get(words.as_str())
            .ok_or_else(|| format!("{words} is reached, but not in the composition"))?;
        locations.insert(location);
        let automaton = &self.composed.automaton;
        let wanted: BTreeSet<String> = self
            .flat
            .steps(state, region)
            .expect("in range")
            .into_iter()
            .map(|step| format!("{} to {} {:?}", step.action, self.flat.words(&step.target), step.region))
            .collect();
        let mut found = BTreeSet::new();
        for (id, edge) in automaton
            .edges()
            .iter_enumerated()
            .filter(|(_, edge)| edge.source == location)
        {
            if !self.holds(&edge.guard, region) {
                continue;
            }
            let mut after = region.clone();
            for update in &edge.updates {
                let Update::Reset(clock, value) = update else {
                    return Err("an assignment in the composition".to_owned());
                };
                after = self
                    .flat
                    .space
                    .reset(&after, clock.index(), value.as_const().expect("a number"));
            }
            if self.holds(&automaton.locations()[edge.target].invariant, &after) {
                edges.insert(id);
                let target = &self.states[edge.target.index()];
                let action = &automaton.actions()[edge.action];
                let shown = match action.role == Role::Internal && !self.composed.seen.contains(&id) {
                    true => HIDDEN.to_owned(),
                    false => action.to_string(),
                };
                found.insert(format!("{shown} to {target} {after:?}"));
            }
        }
        if wanted != found {
            return Err(format!(
                "in {words} {region:?}: the rules give {wanted:#?}, the composition {found:#?}"
            ));
        }
        let later = self.flat.space.later(region);
        let wanted = !self.flat.urgent(state, region) && self.flat.exists(state, &later);
        let is_normal = automaton.locations()[location].urgency == Urgency::Normal;
        let found = is_normal && self.holds(&automaton.locations()[location].invariant, &later);
        if wanted != found {
            return Err(format!(
                "in {words} {region:?}: time passes by the rules: {wanted}, in the composition: {found}"
            ));
        }
        Ok(())
    }

    fn holds(&self, guard: &Guard, region: &Region) -> bool {
        assert!(guard.data.is_empty() || guard.data.iter().all(|data| data.as_const() == Some(0)));
        guard.data.is_empty()
            && guard.clocks.iter().all(|atom| {
                let bound = atom.bound.as_const().expect("a number");
                self.flat.space.holds(region, atom.left.index(), None, atom.cmp, bound)
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

//! Mutants of networks: each verdict against the region graph of the mutated network, and what is replaced by guidelines and
//! congruence.

use std::collections::HashMap;

use tamper::experiment::{
    Component, DecidedBy, Engine, NetworkMutants, NetworkStep, Scope, StaticUse, Verdict, components,
};
use tamper::formats::{NetworkFile, read_network};
use tamper::game::{How, Scratch, Semantics};
use tamper::model::{Cmp, LocId, Role};
use tamper::mutation::{Alteration, AlteredPart, Mutation, MutationOptions, Operator, Order, Site};
use tamper::network::{ComposeError, Composed, Original, Side, View, compose, compose_mutant};
use tamper::text::{Budget, Id};

use super::composition::from_environment;
use super::judges::{by_regions, judge, judge_beside};
use super::nets::{
    Atom, Chan, Edge, MOST, Net, Proc, Random, Update, Urgency, broadcasting, random, with_deadlines, with_starts,
    with_urgent_guards,
};
use super::verdicts::Rules;

const CASES: u64 = 150;
/// Pairs of states; larger ones are left to others.
const MAX_PAIRS: usize = 3_000;

pub(super) fn file(net: &Net) -> NetworkFile {
    let xml = net.xml();
    let (file, _) = read_network("net.xml", xml.as_bytes()).unwrap_or_else(|error| panic!("{error}\n{xml}"));
    file
}

pub(super) fn view(net: &Net, file: &NetworkFile) -> View {
    let mut view = View::closed("System", &file.network);
    view.hide_internal = net.hide;
    for (side, process) in view.sides.iter_mut().zip(&net.procs) {
        if process.environment {
            *side = Side::Environment;
        }
    }
    view
}

/// The mutant as plain data.
pub(super) fn mutated(net: &Net, process: usize, mutation: &Mutation) -> Net {
    let all: Vec<usize> = (0..net.procs[process].locs.len()).collect();
    mutated_where(net, process, mutation, &all)
}

/// The mutant as plain data, where earlier mutations have left these locations of the process: they are numbered anew, and those that
/// are removed stay without an edge.
fn mutated_where(net: &Net, process: usize, mutation: &Mutation, left: &[usize]) -> Net {
    let mut mutant = net.clone();
    let edges = &mut mutant.procs[process].edges;
    let at = |location: LocId| left[location.index()];
    match *mutation {
        Mutation::Alter { operator, .. } => panic!("{operator} is no operator of networks"),
        Mutation::Again(_) => panic!("made of the mutant without memory"),
        Mutation::RemoveEdge { edge } => {
            edges.remove(edge.index());
        }
        Mutation::AddEdge {
            source,
            target,
            role,
            cloned,
        } => {
            let first = cloned.map(|first| edges[first.index()].clone());
            edges.push(Edge {
                source: at(source),
                target: at(target),
                clocks: first.as_ref().map_or_else(Vec::new, |first| first.clocks.clone()),
                data: first.as_ref().and_then(|first| first.data),
                sync: Some((net.chans.len(), role == Role::Output)),
                updates: first.map_or_else(Vec::new, |first| first.updates),
            });
            mutant.chans.push(Chan {
                broadcast: false,
                urgent: false,
                priority: 0,
            });
        }
        Mutation::RemoveLocation { location } => {
            edges.retain(|edge| edge.source != at(location) && edge.target != at(location));
        }
        Mutation::LargerConstant { site, new, .. } | Mutation::SmallerConstant { site, new, .. } => {
            atom(&mut mutant, process, site, left).number = new.constant;
        }
        Mutation::NegateGuard { edge, new, .. } => {
            let atom = atom(&mut mutant, process, Site::Guard(edge), left);
            atom.sign = match new.cmp {
                Cmp::Lt => "<",
                Cmp::Le => "<=",
                Cmp::Eq => "==",
                Cmp::Ge => ">=",
                Cmp::Gt => ">",
            };
        }
    }
    mutant
}

/// The mutant of an operator beyond the six as plain data; none of those that are not written down here.
fn altered(net: &Net, component: &Component, alteration: Alteration, left: &[usize]) -> Option<Net> {
    let mut mutant = net.clone();
    let at = |location: LocId| left[location.index()];
    let process = &mut mutant.procs[component.processes[0]];
    match alteration {
        Alteration::Target { edge, target } => process.edges[edge.index()].target = at(target),
        Alteration::Source { edge, source } => process.edges[edge.index()].source = at(source),
        Alteration::DropUpdate { edge, update } => {
            process.edges[edge.index()].updates.remove(update as usize);
        }
        Alteration::OldTimer { edge, update, bound } => {
            let edge = &mut process.edges[edge.index()];
            let mut late = edge.clone();
            let bound = process.locs[edge.target].invariant[bound as usize];
            let sign = if bound.sign == "<" { ">=" } else { ">" };
            late.clocks.push(Atom { sign, ..bound });
            edge.updates.remove(update as usize);
            process.edges.push(late);
        }
        Alteration::Reset { edge, clock } => {
            let reset = Update::Reset(component.clock(clock), 0);
            process.edges[edge.index()].updates.push(reset);
        }
        Alteration::Urgency { location, urgency } => {
            process.locs[at(location)].urgency = match urgency {
                tamper::model::Urgency::Normal => Urgency::Normal,
                tamper::model::Urgency::Urgent => Urgency::Urgent,
                tamper::model::Urgency::Committed => Urgency::Committed,
            };
        }
        Alteration::DropInvariant { location } => {
            let location = &mut process.locs[at(location)];
            (location.invariant, location.data) = (Vec::new(), None);
        }
        Alteration::DropGuard { edge } => {
            let edge = &mut process.edges[edge.index()];
            (edge.clocks, edge.data) = (Vec::new(), None);
        }
        Alteration::NeverGuard { edge } => {
            let never = Atom {
                clock: 0,
                sign: "<",
                number: 0,
            };
            let edge = &mut process.edges[edge.index()];
            (edge.clocks, edge.data) = (vec![never], None);
        }
        Alteration::Extra { edge, from, conjunct } => {
            let from = &process.edges[from.index()];
            let (atom, data) = (from.clocks.get(conjunct as usize).copied(), from.data);
            let edge = &mut process.edges[edge.index()];
            match atom {
                Some(atom) => edge.clocks.push(atom),
                None if edge.data.is_none() => edge.data = data,
                // It has room for one condition.
                None => return None,
            }
        }
        Alteration::Clock { site, atom: 0, clock } => {
            let position = component.clock(clock);
            first_atom(process, site, left)?.clock = position;
        }
        Alteration::DropAtom { site, atom: 0 } => {
            match site {
                Site::Guard(edge) => process.edges[edge.index()].clocks.remove(0),
                Site::Invariant(location) => process.locs[at(location)].invariant.remove(0),
            };
        }
        _ => return None,
    }
    Some(mutant)
}

/// Whether an edge on an urgent channel compares a clock: extra conditions may.
fn has_urgent_clock(net: &Net) -> bool {
    let mut edges = net.procs.iter().flat_map(|process| &process.edges);
    edges.any(|edge| !edge.clocks.is_empty() && edge.sync.is_some_and(|(channel, _)| net.chans[channel].urgent))
}

fn first_atom<'p>(process: &'p mut Proc, site: Site, left: &[usize]) -> Option<&'p mut Atom> {
    match site {
        Site::Guard(edge) => process.edges[edge.index()].clocks.first_mut(),
        Site::Invariant(location) => process.locs[left[location.index()]].invariant.first_mut(),
    }
}

fn atom<'n>(net: &'n mut Net, process: usize, site: Site, left: &[usize]) -> &'n mut Atom {
    let process = &mut net.procs[process];
    let atoms = match site {
        Site::Guard(edge) => &mut process.edges[edge.index()].clocks,
        Site::Invariant(location) => &mut process.locs[left[location.index()]].invariant,
    };
    assert_eq!(atoms.len(), 1, "single atoms are mutated");
    &mut atoms[0]
}

pub(super) const ALL: [(Semantics, Rules); 3] = [
    (
        Semantics::STRICT,
        Rules {
            ignore: false,
            ignore_clashes: false,
            prune: true,
        },
    ),
    (
        Semantics::DEFINITION,
        Rules {
            ignore: false,
            ignore_clashes: false,
            prune: false,
        },
    ),
    (
        Semantics::TIGA,
        Rules {
            ignore: true,
            ignore_clashes: false,
            prune: true,
        },
    ),
];

/// The operators that change a process of a network.
pub(super) fn all_of_networks() -> Vec<Operator> {
    let is_about_alphabet = |operator: &Operator| ["CAC", "INV", "CHU", "SNK"].contains(&operator.name());
    Operator::of_games()
        .iter()
        .copied()
        .filter(|operator| !is_about_alphabet(operator))
        .collect()
}

/// The mutant of one step as plain data; none where it is not written down here.
fn made(net: &Net, component: &Component, mutation: Mutation, left: &[usize]) -> Option<Net> {
    let process = component.processes[0];
    match mutation {
        Mutation::Alter { alteration, .. } => altered(net, component, alteration, left),
        Mutation::Again(memory) => {
            let mut second = made(net, component, memory.once(), left)?.procs.remove(process);
            let mut mutant = net.clone();
            let first = &mut mutant.procs[process];
            let n = first.locs.len();
            for (at, edge) in first.edges.iter_mut().enumerate() {
                let passes = match memory.part() {
                    AlteredPart::Edge(passed) | AlteredPart::Constraint(Site::Guard(passed)) => at == passed.index(),
                    AlteredPart::Location(passed) | AlteredPart::Constraint(Site::Invariant(passed)) => {
                        edge.source == left[passed.index()]
                    }
                    AlteredPart::Action(_) | AlteredPart::Whole => panic!("a channel is no place"),
                };
                edge.target += if passes { n } else { 0 };
            }
            for edge in &mut second.edges {
                (edge.source, edge.target) = (edge.source + n, edge.target + n);
            }
            first.locs.append(&mut second.locs);
            first.edges.append(&mut second.edges);
            Some(mutant)
        }
        mutation => Some(mutated_where(net, process, &mutation, left)),
    }
}

/// The mutant of these steps as plain data; none where one of them is not written down here.
pub(super) fn in_turn(net: &Net, components: &[Component], steps: &[NetworkStep]) -> Option<Net> {
    let mut mutant = net.clone();
    let mut left: Vec<Vec<usize>> = net.procs.iter().map(|proc| (0..proc.locs.len()).collect()).collect();
    for step in steps {
        let component = &components[step.component];
        let process = component.processes[0];
        let n_locations = mutant.procs[process].locs.len();
        mutant = made(&mutant, component, step.mutation, &left[process])?;
        match step.mutation {
            Mutation::RemoveLocation { location } => {
                left[process].remove(location.index());
            }
            Mutation::Again(_) => {
                let behind: Vec<usize> = left[process].iter().map(|at| at + n_locations).collect();
                left[process].extend(behind);
            }
            _ => {}
        }
    }
    Some(mutant)
}

/// Whether the mutant was decided without its composition.
fn is_beside(how: How) -> bool {
    matches!(
        how,
        How::Beside | How::BesideDeadlines | How::BesideInputs | How::BesideUnanswered | How::BesideRun
    )
}

/// What was compared, by what decided and the verdict.
type Counts = HashMap<String, u64>;

/// Compares the verdicts on up to `most` mutants of `net`.
fn compare(net: &Net, (random, most): (&mut Random, usize), counts: &mut Counts) -> Result<(), String> {
    let file = file(net);
    let view = view(net, &file);
    if compose(&file.network, &view, &Budget::unlimited()).is_err() {
        return Ok(());
    }
    let (semantics, rules) = ALL[random.below(3)];
    let components = components(&file.network, &view, &file.templates, &[], Scope::Template).unwrap();
    let judge = |statics, engine| judge((&file, &view), &components, (semantics, statics, engine));
    let judges = (
        judge(StaticUse::Use, Engine::Family),
        judge(StaticUse::Off, Engine::Family),
        judge(StaticUse::Off, Engine::Enumerate),
        judge_beside((&file, &view), &components, (semantics, StaticUse::Off)),
        judge_beside((&file, &view), &components, (semantics, StaticUse::Use)),
    );
    let (Ok(quick), Ok(sharing), Ok(plain), Ok(beside), Ok(quick_beside)) = judges else {
        return Ok(());
    };
    let options = MutationOptions {
        operators: match random.chance(50) {
            true => all_of_networks(),
            false => MutationOptions::default().operators,
        },
        again: match random.chance(25) {
            true => all_of_networks(),
            false => Vec::new(),
        },
        ..MutationOptions::default()
    };
    let order = [Order::FIRST, Order::SECOND][random.below(2)];
    let mutants = NetworkMutants::of(&file.network, &view, &components, &options, order).unwrap();
    let has_priorities = net.chans.iter().any(|chan| chan.priority != 0) || net.procs.iter().any(|p| p.priority != 0);
    let n_mutants = usize::try_from(mutants.len()).unwrap();
    for _ in 0..most.min(n_mutants) {
        let mutant = mutants.get(random.below(n_mutants) as u64).unwrap();
        let mut scratch = Scratch::default();
        let (found, _) = quick.decide(&mutant, &mut scratch);
        let (shared, _) = sharing.decide(&mutant, &mut scratch);
        let (by_game, _) = plain.decide(&mutant, &mut scratch);
        let id = mutant.id();
        if shared.verdict != by_game.verdict {
            return Err(format!("{id}: {shared:?} by what is shared, but {by_game:?}"));
        }
        if found.verdict != by_game.verdict {
            return Err(format!("{id}: {found:?}, but {by_game:?}"));
        }
        let (walked, _) = beside.decide(&mutant, &mut scratch);
        let (named, _) = quick_beside.decide(&mutant, &mut scratch);
        for walked in [&walked, &named] {
            if walked.verdict != by_game.verdict {
                return Err(format!(
                    "{id} under {semantics}: {walked:?} beside the original, but {by_game:?}"
                ));
            }
        }
        let needs_run = walked.verdict == Verdict::NonSubsumed && walked.how.is_some_and(is_beside);
        if needs_run && walked.witness.is_none() {
            return Err(format!("{id}: no counterexample, {walked:?}"));
        }
        let Some(plain_mutant) = in_turn(net, &components, &mutant.steps()) else {
            continue;
        };
        let most = MOST + i64::from(order.number());
        let Some(expected) = by_regions((&plain_mutant, net), rules, most, MAX_PAIRS)? else {
            *counts.entry("too large".to_owned()).or_default() += 1;
            continue;
        };
        let mut count = |what: &str| *counts.entry(what.to_owned()).or_default() += 1;
        if found.verdict == Verdict::Unknown {
            let reason = found.reason.unwrap_or_default();
            if reason.contains("depends on several clocks at once") && has_urgent_clock(&plain_mutant) {
                count("refused");
                continue;
            }
            assert!(reason.contains("hidden steps"), "{id}: {reason}");
            // Nothing but what is said about hidden steps may be open.
            if expected != Verdict::NonSubsumed {
                return Err(format!(
                    "{id} under {semantics}: {reason}, but {expected:?} step by step"
                ));
            }
            count("hidden");
            continue;
        }
        if found.verdict == Verdict::Subsumed && found.how.is_none() && found.decided_by == DecidedBy::Game {
            // Steps tell the two apart, but nothing that is seen does: `tests/networks/hidden.rs` judges these.
            count("hidden: subsumed as far as is seen");
            continue;
        }
        if found.verdict != expected {
            return Err(format!(
                "{id} under {semantics}: {found:?}, but {expected:?} on the region graph"
            ));
        }
        count(&format!("{} by {}", expected.name(), found.decided_by.name()));
        if let [first, second] = mutant.steps().as_slice() {
            count(match first.component == second.component {
                true => "order 2: of one component",
                false => "order 2: of two components",
            });
            count(&format!("order 2: {} by {}", expected.name(), found.decided_by.name()));
        }
        let has = |is: &dyn Fn(&Mutation) -> bool| mutant.steps().iter().any(|step| is(&step.mutation));
        if has(&|mutation| matches!(mutation, Mutation::Alter { .. })) {
            count("beyond the six");
        }
        if has(&|mutation| matches!(mutation, Mutation::Again(_))) {
            count("with memory");
            count(&format!("with memory: {}", expected.name()));
        }
        if has_priorities {
            count("with priorities");
            if has(&|mutation| matches!(mutation, Mutation::AddEdge { role: Role::Input, .. })) {
                count("with priorities: added inputs");
            }
        }
        let has_silent = |environment: bool| {
            let own = net.procs.iter().filter(|process| process.environment == environment);
            own.flat_map(|process| &process.edges).any(|edge| edge.sync.is_none())
        };
        if has_silent(false) && net.hide {
            count("unlabelled, hidden");
        }
        if has_silent(false) && has_silent(true) && !net.hide {
            count("unlabelled, seen beside hidden ones");
        }
        let is_faulty = || {
            let composed = compose_mutant(&mutant.network(), &file.network, &view, &Budget::unlimited());
            composed.is_err_and(|error| error.is_fault())
        };
        if expected == Verdict::NonSubsumed && is_faulty() {
            count("in spite of a fault");
            if walked.how.is_some_and(is_beside) {
                count("walked: in spite of a fault");
            }
        }
        if let Some(how) = walked.how.filter(|how| is_beside(*how)) {
            count(&format!("walked: {} {how:?}", expected.name()));
            if has(&|mutation| matches!(mutation, Mutation::AddEdge { role: Role::Input, .. })) {
                count(&format!("walked, inputs unnamed: {} {how:?}", expected.name()));
            }
        }
        if named.how.is_some_and(is_beside) && named.decided_by != DecidedBy::Game {
            count(&format!("walked and named: {}", expected.name()));
            if has(&|mutation| matches!(mutation, Mutation::AddEdge { role: Role::Input, .. })) {
                count(&format!("walked, with inputs: {} {:?}", expected.name(), named.how));
            }
        }
        if let Some(how) = shared.how {
            *counts
                .entry(format!("shared: {} {how:?}", expected.name()))
                .or_default() += 1;
        }
    }
    Ok(())
}

fn run(nets: impl Fn(&mut Random) -> Net, seed: u64, cases: u64) -> Counts {
    let mut counts = Counts::new();
    let mut source = Random(seed);
    for case in 0..cases {
        let net = nets(&mut source);
        if let Err(message) = compare(&net, (&mut source, 10), &mut counts) {
            panic!("seed {seed}, network {case}: {message}\n{}", net.xml());
        }
    }
    let mut sorted: Vec<_> = counts.iter().collect();
    sorted.sort();
    println!("seed {seed}, {cases} networks: {sorted:?}");
    counts
}

/// Each of these was counted so often at least.
fn assert_least(counts: &Counts, all: &[(&str, u64)]) {
    for (what, least) in all {
        assert!(counts.get(*what).is_some_and(|n| n >= least), "{what}: {counts:?}");
    }
}

#[test]
fn verdicts_on_mutants_of_networks_are_those_of_the_region_graph() {
    let cases = from_environment("TAMPER_CASES", CASES);
    let counts = run(random, from_environment("TAMPER_SEED", 16), cases);
    for verdict in ["subsumed", "non-subsumed"] {
        let n: u64 = counts
            .iter()
            .filter(|(name, _)| name.starts_with(verdict))
            .map(|(_, n)| n)
            .sum();
        assert!(n > 20, "{counts:?}");
    }
    assert_least(
        &counts,
        &[
            ("order 2: of one component", 100),
            ("order 2: of two components", 50),
            ("order 2: subsumed by rule", 20),
            ("beyond the six", 100),
            ("with memory", 60),
            ("with memory: subsumed", 20),
            ("with memory: non-subsumed", 5),
            ("with priorities", 50),
            ("with priorities: added inputs", 10),
            ("unlabelled, hidden", 20),
            ("unlabelled, seen beside hidden ones", 20),
        ],
    );
    for (how, least) in [("subsumed Diagonal", 50), ("non-subsumed Unanswered", 5)] {
        assert!(counts[&format!("shared: {how}")] > least, "{counts:?}");
    }
}

/// A network that nobody steers: no process is the environment's, and most have a place to wait for ever.
pub(super) fn closed(source: &mut Random) -> Net {
    let mut net = random(source);
    net.hide = false;
    for process in &mut net.procs {
        process.environment = false;
        let last = process.locs.last_mut().expect("a process has a location");
        if source.chance(80) {
            last.invariant.clear();
            last.urgency = Urgency::Normal;
        }
    }
    net
}

/// A network with clocks that start at other values than 0, or with synchronisations on urgent channels that depend on clocks.
fn timed(source: &mut Random) -> Net {
    let net = random(source);
    match source.below(3) {
        0 => with_starts(net, source),
        1 => with_urgent_guards(net, source),
        _ => with_starts(with_urgent_guards(net, source), source),
    }
}

#[test]
fn verdicts_on_mutants_with_clocks_ahead_and_timed_urgency_are_those_of_the_region_graph() {
    let cases = from_environment("TAMPER_CASES", CASES);
    let counts = run(timed, from_environment("TAMPER_SEED", 50), cases);
    assert_least(
        &counts,
        &[
            ("subsumed by game", 20),
            ("non-subsumed by game", 20),
            ("inconsistent by game", 5),
        ],
    );
}

/// A closed network in which some edges count, as far as their guards let them.
fn counting(source: &mut Random) -> Net {
    let mut net = closed(source);
    if net.vars.is_empty() {
        net.vars.push((0, 1, 0));
    }
    for edge in net.procs.iter_mut().flat_map(|process| &mut process.edges) {
        if source.chance(50) {
            let var = source.below(net.vars.len());
            let (_, high, _) = net.vars[var];
            edge.data = Some((var, "<", high));
            edge.updates.retain(|update| matches!(update, Update::Reset(..)));
            edge.updates.insert(0, Update::Add(var, 1));
        }
    }
    net
}

#[test]
fn verdicts_on_mutants_that_leave_ranges_are_those_of_the_region_graph() {
    // Few of them leave a range.
    let cases = 6 * from_environment("TAMPER_CASES", CASES);
    let counts = run(counting, from_environment("TAMPER_SEED", 22), cases);
    assert_least(
        &counts,
        &[
            ("in spite of a fault", 5),
            ("walked: in spite of a fault", 3),
            ("walked: invalid Beside", 3),
            ("walked, with inputs: subsumed Some(BesideInputs)", 5),
        ],
    );
}

#[test]
fn verdicts_on_mutants_of_closed_networks_are_those_of_the_region_graph() {
    let cases = from_environment("TAMPER_CASES", CASES);
    let counts = run(closed, from_environment("TAMPER_SEED", 21), cases);
    assert_least(
        &counts,
        &[
            ("walked: subsumed Beside", 50),
            ("walked: inconsistent Beside", 1),
            ("walked: non-subsumed BesideUnanswered", 10),
            ("walked: non-subsumed BesideRun", 8),
            ("walked and named: subsumed", 15),
            ("walked, with inputs: subsumed Some(Beside)", 5),
            ("walked, with inputs: subsumed Some(BesideInputs)", 5),
            ("walked, inputs unnamed: subsumed Beside", 5),
            ("walked, inputs unnamed: non-subsumed BesideUnanswered", 5),
            ("walked, inputs unnamed: non-subsumed BesideRun", 1),
        ],
    );
}

#[test]
fn verdicts_on_mutants_of_networks_with_deadlines_are_those_of_the_region_graph() {
    let cases = from_environment("TAMPER_CASES", CASES);
    let counts = run(with_deadlines, from_environment("TAMPER_SEED", 23), cases);
    assert_least(
        &counts,
        &[
            ("walked: subsumed BesideDeadlines", 1),
            ("walked: inconsistent BesideDeadlines", 1),
        ],
    );
}

/// What there is to compare about a composition.
fn parts(composed: Result<Composed, ComposeError>) -> Result<impl PartialEq + std::fmt::Debug, String> {
    let composed = composed.map_err(|error| error.to_string())?;
    let Composed {
        automaton,
        discrete,
        has_committed,
        has_hidden,
        n_explored,
        ..
    } = composed;
    Ok((automaton, discrete, has_committed, has_hidden, n_explored))
}

/// With priorities, urgent channels, broadcasts and errors: all parts, and their order.
#[test]
fn composing_from_the_original_is_composing() {
    let (mut n_mutants, mut n_errors) = (0u64, 0u64);
    let mut source = Random(from_environment("TAMPER_SEED", 18));
    for case in 0..from_environment("TAMPER_CASES", CASES) {
        let net = if case % 2 == 0 {
            random(&mut source)
        } else {
            broadcasting(&mut source)
        };
        let file = file(&net);
        let view = view(&net, &file);
        let budget = Budget::unlimited();
        let Ok((_, original)) = Original::compose(&file.network, &view, &budget) else {
            continue;
        };
        let scope = [Scope::Template, Scope::Instance][source.below(2)];
        let components = components(&file.network, &view, &file.templates, &[], scope).unwrap();
        let has_labels = components.iter().all(|component| component.processes.len() == 1);
        let options = MutationOptions {
            operators: match has_labels {
                true => all_of_networks(),
                false => MutationOptions::default().operators,
            },
            ..MutationOptions::default()
        };
        for order in [Order::FIRST, Order::SECOND] {
            let mutants = NetworkMutants::of(&file.network, &view, &components, &options, order).unwrap();
            // Of the second order a number that takes no longer than the first.
            let step = usize::try_from(mutants.len() / 300 + 1).unwrap();
            for mutant in (0..mutants.len())
                .step_by(step)
                .filter_map(|number| mutants.get(number))
            {
                let made = mutant.network();
                let anew = parts(compose_mutant(&made, &file.network, &view, &budget));
                let shared = parts(original.compose_mutant(&made, &budget));
                assert_eq!(shared, anew, "{} of\n{}", mutant.id(), net.xml());
                n_mutants += 1;
                n_errors += u64::from(anew.is_err());
            }
        }
    }
    println!("{n_mutants} mutants, {n_errors} without a composition");
    assert!(n_mutants > 1_000 && n_errors > 10, "{n_mutants}, {n_errors}");
}

#[test]
fn what_refines_alone_refines_in_broadcast_networks() {
    let cases = from_environment("TAMPER_CASES", CASES);
    let counts = run(broadcasting, from_environment("TAMPER_SEED", 17), cases);
    let n: u64 = counts
        .iter()
        .filter(|(name, _)| name.ends_with("congruence"))
        .map(|(_, n)| n)
        .sum();
    assert!(n > 10, "{counts:?}");
}

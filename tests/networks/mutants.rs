//! Mutants of networks: each verdict against the region graph of the mutated network, and what is replaced by guidelines and
//! congruence.

use std::collections::HashMap;

use tamper::base::{Budget, Id};
use tamper::experiment::{
    Component, Limits, NetworkJudge, NetworkSettings, Scope, StaticUse, Timer, Verdict, components,
};
use tamper::formats::{NetworkFile, read_network};
use tamper::game::{Scratch, Semantics};
use tamper::model::{Cmp, Role};
use tamper::mutation::{Mutation, MutationOptions, Site};
use tamper::network::{Side, View, compose};

use super::composition::from_environment;
use super::nets::{Atom, Chan, Edge, MOST, Net, Random, broadcasting, random};
use super::verdicts::{Answer, Nothing, Rules, decide};

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
    let mut mutant = net.clone();
    let edges = &mut mutant.procs[process].edges;
    match *mutation {
        Mutation::Alter { operator, .. } => panic!("{operator} is no operator of networks"),
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
                source: source.index(),
                target: target.index(),
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
            edges.retain(|edge| edge.source != location.index() && edge.target != location.index());
        }
        Mutation::LargerConstant { site, new, .. } | Mutation::SmallerConstant { site, new, .. } => {
            atom(&mut mutant, process, site).number = new.constant;
        }
        Mutation::NegateGuard { edge, new, .. } => {
            let atom = atom(&mut mutant, process, Site::Guard(edge));
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

fn atom(net: &mut Net, process: usize, site: Site) -> &mut Atom {
    let process = &mut net.procs[process];
    let atoms = match site {
        Site::Guard(edge) => &mut process.edges[edge.index()].clocks,
        Site::Invariant(location) => &mut process.locs[location.index()].invariant,
    };
    assert_eq!(atoms.len(), 1, "single atoms are mutated");
    &mut atoms[0]
}

const ALL: [(Semantics, Rules); 3] = [
    (
        Semantics::STRICT,
        Rules {
            ignore: false,
            prune: true,
        },
    ),
    (
        Semantics::DEFINITION,
        Rules {
            ignore: false,
            prune: false,
        },
    ),
    (
        Semantics::TIGA,
        Rules {
            ignore: true,
            prune: true,
        },
    ),
];

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
    let components = components((&file.network, &view), &file.templates, &[], Scope::Template).unwrap();
    let settings = |statics| NetworkSettings {
        semantics,
        statics,
        witness: false,
    };
    let judge = |statics| {
        NetworkJudge::new(
            (&file.network, &view),
            &components,
            settings(statics),
            Timer::new(Limits::default()),
        )
    };
    let (Ok(quick), Ok(plain)) = (judge(StaticUse::Use), judge(StaticUse::Off)) else {
        return Ok(());
    };
    let mutants: Vec<(usize, &Component, Mutation)> = components
        .iter()
        .enumerate()
        .flat_map(|(at, component)| {
            let all: Vec<Mutation> = component.mutations(&MutationOptions::default()).iter().collect();
            all.into_iter().map(move |mutation| (at, component, mutation))
        })
        .collect();
    let has_priorities = net.chans.iter().any(|chan| chan.priority != 0) || net.procs.iter().any(|p| p.priority != 0);
    for _ in 0..most.min(mutants.len()) {
        let (at, component, mutation) = mutants[random.below(mutants.len())];
        if has_priorities && matches!(mutation, Mutation::AddEdge { role: Role::Input, .. }) {
            continue;
        }
        let mut scratch = Scratch::default();
        let (found, _) = quick.decide((at, component), mutation, &mut scratch);
        let (by_game, _) = plain.decide((at, component), mutation, &mut scratch);
        let id = component.id(&mutation);
        if found.verdict != by_game.verdict {
            return Err(format!("{id}: {found:?}, but {by_game:?}"));
        }
        if found.verdict == Verdict::Unknown {
            let reason = found.reason.unwrap_or_default();
            assert!(reason.contains("hidden steps"), "{id}: {reason}");
            *counts.entry("hidden".to_owned()).or_default() += 1;
            continue;
        }
        let plain_mutant = mutated(net, component.processes[0], &mutation);
        let expected = match decide(&plain_mutant, net, rules, MOST + 1, MAX_PAIRS) {
            Ok(Answer::SpecInconsistent) => return Err("the specification is inconsistent".to_owned()),
            Ok(Answer::Inconsistent) => Verdict::Inconsistent,
            Ok(Answer::Subsumed) => Verdict::Subsumed,
            Ok(Answer::NonSubsumed) => Verdict::NonSubsumed,
            Err(Nothing::OutOfRange) => Verdict::Error,
            Err(Nothing::TooLarge) => {
                *counts.entry("too large".to_owned()).or_default() += 1;
                continue;
            }
            Err(Nothing::SpecOutOfRange) => return Err("the specification leaves a range".to_owned()),
        };
        if found.verdict != expected {
            return Err(format!(
                "{id} under {semantics}: {found:?}, but {expected:?} on the region graph"
            ));
        }
        *counts
            .entry(format!("{} by {}", expected.name(), found.decided_by.name()))
            .or_default() += 1;
    }
    Ok(())
}

fn run(nets: impl Fn(&mut Random) -> Net, seed: u64, cases: u64) -> Counts {
    let mut counts = Counts::new();
    let mut source = Random(seed);
    for case in 0..cases {
        let net = nets(&mut source);
        if let Err(message) = compare(&net, (&mut source, 6), &mut counts) {
            panic!("seed {seed}, network {case}: {message}\n{}", net.xml());
        }
    }
    let mut sorted: Vec<_> = counts.iter().collect();
    sorted.sort();
    println!("seed {seed}, {cases} networks: {sorted:?}");
    counts
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

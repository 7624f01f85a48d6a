//! When refinement of a process alone is refinement in its network: an example outside each hypothesis that breaks it, and a
//! search where two processes share an output, which breaks nothing. All by the region graph of the naive rules.
//!
//! The examples are the files of `uppaal-models/networks/congruence`.

use std::collections::HashSet;
use std::path::Path;

use tamper::experiment::{Component, Engine, NetworkMutants, Scope, StaticUse, Verdict, components};
use tamper::formats::read_network;
use tamper::game::{Scratch, Semantics};
use tamper::mutation::{Mutation, MutationOptions, Order};
use tamper::network::View;

use super::clocks::ClockSpace as _;
use super::composition::from_environment;
use super::flat::Flat;
use super::judges::judge;
use super::mutants::{file, mutated};
use super::nets::{Atom, Chan, Edge, Loc, MOST, Net, Proc, Random, Update, Urgency, broadcasting};
use super::verdicts::{Answer, Rules, decide, regions};

const MAX_STATES: usize = 20_000;
const RULES: Rules = Rules {
    ignore: false,
    ignore_clashes: false,
    prune: false,
};

/// A network and a mutant of its first process that breaks the congruence because one hypothesis does not hold.
struct Outside {
    /// What does not hold: the name of the file.
    what: &'static str,
    net: Net,
    /// How its id begins.
    mutant: &'static str,
    /// Whether the process shares a variable, so that there is nothing alone to speak of.
    shares: bool,
}

fn atom(sign: &'static str, number: i64) -> Vec<Atom> {
    vec![Atom { clock: 0, sign, number }]
}

fn edge((source, target): (usize, usize), clocks: Vec<Atom>, sync: Option<(usize, bool)>) -> Edge {
    Edge {
        source,
        target,
        clocks,
        data: None,
        sync,
        updates: Vec::new(),
    }
}

fn process(urgencies: &[Urgency], edges: Vec<Edge>) -> Proc {
    let loc = |urgency: &Urgency| Loc {
        urgency: *urgency,
        invariant: Vec::new(),
        data: None,
    };
    Proc {
        locs: urgencies.iter().map(loc).collect(),
        edges,
        priority: 0,
        environment: false,
    }
}

/// A process with one location and one edge.
fn looping(clocks: Vec<Atom>, sync: Option<(usize, bool)>) -> Proc {
    process(&[Urgency::Normal], vec![edge((0, 0), clocks, sync)])
}

/// Two processes, a clock and broadcast channels.
fn net(n_chans: usize, procs: [Proc; 2]) -> Net {
    let chan = Chan {
        broadcast: true,
        urgent: false,
        priority: 0,
    };
    Net {
        vars: Vec::new(),
        n_clocks: 1,
        starts: Vec::new(),
        chans: vec![chan; n_chans],
        procs: procs.into(),
        hide: false,
    }
}

fn outside() -> Vec<Outside> {
    let example = |what, net, mutant| Outside {
        what,
        net,
        mutant,
        shares: false,
    };
    let normal = [Urgency::Normal; 4];
    let receives = Some((0, false));
    let sends = |chan| Some((chan, true));
    // Who sends a handshake is blocked where nobody receives.
    let mut handshake = net(1, [looping(atom("<=", 2), receives), looping(Vec::new(), sends(0))]);
    handshake.chans[0].broadcast = false;
    // The other process sets the variable that the first waits for.
    let mut waits = edge((0, 1), Vec::new(), None);
    waits.data = Some((0, "==", 1));
    let waits = process(&normal[..2], vec![waits, edge((1, 1), atom("<=", 2), sends(0))]);
    let mut sets = looping(Vec::new(), None);
    sets.edges[0].updates.push(Update::Set(0, 1));
    let mut variable = net(1, [waits, sets]);
    variable.vars.push((0, 1, 0));
    // An output that is missing lets one of lower priority through.
    let mut priority = net(2, [looping(Vec::new(), sends(0)), looping(Vec::new(), sends(1))]);
    priority.chans[0].priority = 1;
    // An input that the invariant of its target refuses blocks who sends it.
    let mut refuses = process(&normal[..2], vec![edge((0, 1), Vec::new(), receives)]);
    refuses.locs[1].invariant = atom(">=", 2);
    let refused = net(1, [refuses, looping(Vec::new(), sends(0))]);
    // An urgent input from outside that the process hears stops time; one that it ignores does not.
    let mut urgent = net(2, [looping(Vec::new(), receives), looping(atom(">=", 1), sends(1))]);
    urgent.chans[0].urgent = true;
    // A committed location keeps the other process from acting; an urgent one, alone the same, does not.
    let edges = vec![
        edge((0, 1), atom(">=", 1), sends(0)),
        edge((0, 2), atom("<=", 1), sends(0)),
        edge((1, 3), Vec::new(), sends(1)),
        edge((2, 3), Vec::new(), sends(1)),
    ];
    let urgencies = [Urgency::Normal, Urgency::Committed, Urgency::Urgent, Urgency::Normal];
    let committed = net(3, [process(&urgencies, edges), looping(Vec::new(), sends(2))]);
    // Of two answers to an input a mutant alone may choose the right one; in the network any is a step of it.
    let edges = vec![
        edge((0, 1), atom("<=", 2), receives),
        edge((0, 2), atom(">", 2), receives),
        edge((1, 1), Vec::new(), sends(1)),
    ];
    let answers = net(2, [process(&normal[..3], edges), looping(Vec::new(), sends(0))]);
    vec![
        example("handshake", handshake, "P0/CXL"),
        Outside {
            shares: true,
            ..example("shared-variable", variable, "P0/CXL")
        },
        example("priority", priority, "P0/TMI"),
        example("refused-input", refused, "P0/CXS:invariant"),
        example("urgent-input", urgent, "P0/TMI"),
        example("committed-location", committed, "P0/CXL:guard:L0->L2"),
        example("two-answers", answers, "P0/CXL:guard:L0->L1"),
    ]
}

/// The first process by itself: broadcasts that it does not send are not urgent for it.
fn alone(net: &Net) -> Net {
    let mut alone = net.clone();
    alone.procs.truncate(1);
    for (at, chan) in alone.chans.iter_mut().enumerate() {
        let is_sent = alone.procs[0].edges.iter().any(|edge| edge.sync == Some((at, true)));
        chan.urgent &= is_sent && chan.broadcast;
    }
    alone
}

#[test]
fn outside_each_hypothesis_refinement_alone_is_not_refinement_in_the_network() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("uppaal-models/networks/congruence");
    for Outside {
        what,
        net,
        mutant: id,
        shares,
    } in outside()
    {
        let path = folder.join(format!("{what}.xml"));
        let xml = net.xml().replace("><", ">\n<") + "\n";
        if std::env::var_os("TAMPER_WRITE").is_some() {
            std::fs::write(&path, &xml).unwrap();
        }
        let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{what}: {error}"));
        assert_eq!(text, xml, "{what}: TAMPER_WRITE=1 writes the file");
        let (file, _) = read_network(what, text.as_bytes()).unwrap_or_else(|error| panic!("{what}: {error}"));
        let view = View::closed("System", &file.network);
        let names = ["P0".to_owned()];
        let components: Vec<Component> =
            components(&file.network, &view, &file.templates, &names, Scope::Template).unwrap();
        let mutants = NetworkMutants::of(
            &file.network,
            &view,
            &components,
            &MutationOptions::default(),
            Order::FIRST,
        )
        .unwrap();
        let mut all = (0..mutants.len()).filter_map(|number| mutants.get(number));
        let found = all.find(|mutant| mutant.id().starts_with(id));
        let mutant = found.unwrap_or_else(|| panic!("{what}: no mutant {id}"));
        let mutation = mutant.last.mutation;
        // By the region graph.
        let composed = decide(&mutated(&net, 0, &mutation), &net, RULES, MOST + 1, MAX_STATES);
        assert_eq!(composed, Ok(Answer::NonSubsumed), "{what}");
        let own = alone(&net);
        let by_itself = decide(&mutated(&own, 0, &mutation), &own, RULES, MOST + 1, MAX_STATES);
        assert!(shares || by_itself == Ok(Answer::Subsumed), "{what}: {by_itself:?}");
        // By tamper, congruence in use.
        let how = (Semantics::DEFINITION, StaticUse::Use, Engine::Family);
        let judge = judge((&file, &view), &components, how).unwrap();
        let (found, alone) = judge.decide(&mutant, &mut Scratch::default());
        assert_eq!(found.verdict, Verdict::NonSubsumed, "{what}: {found:?}");
        assert_eq!(alone, (!shares).then_some(Verdict::Subsumed), "{what}");
    }
}

/// Whether no reached state of a network has two answers to an input.
fn has_one_answer(net: &Net) -> bool {
    let space = regions(net.n_clocks, MOST + 1);
    let flat = Flat {
        net,
        original: net,
        space: &space,
        offset: 0,
    };
    let start = (flat.initial(), space.origin());
    let (mut known, mut list) = (HashSet::from([start.clone()]), vec![start]);
    while let Some((state, region)) = list.pop() {
        let steps = flat.steps(&state, &region).expect("there are no variables");
        let inputs: Vec<&str> = steps.iter().map(|step| step.action.as_str()).collect();
        let answers = |action: &str| inputs.iter().filter(|other| **other == action).count();
        if inputs.iter().any(|action| action.ends_with('?') && answers(action) > 1) {
            return false;
        }
        let later = space.later(&region);
        let waits = flat.passes(&state, &region, &later);
        let next = steps.into_iter().map(|step| (step.target, step.region));
        for next in next.chain(waits.then_some((state, later))) {
            if known.insert(next.clone()) {
                list.push(next);
            }
        }
    }
    true
}

/// Broadcast networks in which both processes may send on every channel.
fn sharing(random: &mut Random) -> Net {
    let mut net = broadcasting(random);
    for process in &mut net.procs {
        for edge in &mut process.edges {
            if random.chance(40) {
                let channel = random.below(net.chans.len());
                edge.sync = Some((channel, random.chance(50)));
            }
        }
    }
    // Inputs always lead where they may: the clock of the process restarts.
    for (at, process) in net.procs.iter_mut().enumerate() {
        for edge in process
            .edges
            .iter_mut()
            .filter(|edge| edge.sync.is_some_and(|(_, sends)| !sends))
        {
            edge.updates = vec![Update::Reset(at, 0)];
        }
    }
    net
}

#[test]
fn outputs_that_processes_share_break_no_congruence() {
    let (seed, cases) = (
        from_environment("TAMPER_SEED", 61),
        from_environment("TAMPER_CASES", 150),
    );
    let mut source = Random(seed);
    let (mut n_kept, mut n_shared) = (0, 0);
    for case in 0..cases {
        let net = sharing(&mut source);
        let sends = |at: usize, chan| net.procs[at].edges.iter().any(|edge| edge.sync == Some((chan, true)));
        let is_shared = (0..net.chans.len()).any(|chan| sends(0, chan) && sends(1, chan));
        let file = file(&net);
        let view = View::closed("System", &file.network);
        let names = ["P0".to_owned()];
        let components = components(&file.network, &view, &file.templates, &names, Scope::Template).unwrap();
        let mutants: Vec<Mutation> = components[0].mutations(&MutationOptions::default()).iter().collect();
        let own = alone(&net);
        for _ in 0..4.min(mutants.len()) {
            let mutation = mutants[source.below(mutants.len())];
            let by_itself = mutated(&own, 0, &mutation);
            if decide(&by_itself, &own, RULES, MOST + 1, MAX_STATES) != Ok(Answer::Subsumed)
                || !has_one_answer(&by_itself)
            {
                continue;
            }
            match decide(&mutated(&net, 0, &mutation), &net, RULES, MOST + 1, MAX_STATES) {
                Ok(Answer::Subsumed) => {
                    n_kept += 1;
                    n_shared += u64::from(is_shared);
                }
                Ok(answer) => panic!(
                    "seed {seed}, network {case}: {} refines alone, but {answer:?}\n{}",
                    components[0].id(&mutation),
                    net.xml()
                ),
                Err(_) => {}
            }
        }
    }
    println!("seed {seed}, {cases} networks: {n_kept} mutants, {n_shared} where an output is shared");
    assert!(n_shared > 20, "{n_shared}");
}

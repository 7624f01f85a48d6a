//! Networks that have an action in opposite directions: refinement of one by the other on the region graph.

use std::collections::BTreeMap;

use tamper::game::{HiddenEffort, Scratch, Seen, Semantics, Specification, Unmatched, Verdict};
use tamper::network::{ComposeError, Composed, compose, with_seen_steps};
use tamper::text::Budget;

use super::composition::from_environment;
use super::flat::Flat;
use super::hidden::{is_difference, looks_different, net as hiding};
use super::mutants::{ALL, file, view};
use super::nets::{MOST, Net, Random, random};
use super::shown::SILENT;
use super::verdicts::{Answer, Nothing, Rules, decide_made, regions};

const CASES: u64 = 1_500;
/// Pairs of states; larger ones are left to others.
const MAX_PAIRS: usize = 3_000;

type Counts = BTreeMap<String, u64>;

/// A random network of which nothing is hidden, with few channels that meet inside.
fn bare(source: &mut Random) -> Net {
    let mut net = random(source);
    net.hide = false;
    let open = source.chance(70).then(|| source.below(net.chans.len()));
    for process in &mut net.procs {
        process.environment = false;
        for edge in &mut process.edges {
            if let Some((chan, sends)) = &mut edge.sync
                && Some(*chan) == open
            {
                // Only in one direction: the other end is outside.
                *sends = *chan % 2 == 0;
            }
        }
    }
    net
}

/// `net` with the direction of a channel, or of an edge, turned round, or an edge less.
fn turned(net: &Net, random: &mut Random) -> Net {
    let mut turned = net.clone();
    for _ in 0..1 + random.below(2) {
        let chan = random.below(net.chans.len());
        let whole = random.chance(75);
        let at = random.below(turned.procs.len());
        let edges = &mut turned.procs[at].edges;
        if random.chance(15) && edges.len() > 1 {
            edges.remove(random.below(edges.len()));
        }
        let chosen = random.below(edges.len());
        if !whole {
            edges[chosen].sync = edges[chosen].sync.map(|(chan, sends)| (chan, !sends));
            continue;
        }
        let all = turned.procs.iter_mut().flat_map(|process| &mut process.edges);
        for edge in all {
            if let Some((own, sends)) = &mut edge.sync
                && *own == chan
            {
                *sends = !*sends;
            }
        }
    }
    turned
}

fn composed(net: &Net) -> Result<Composed, ComposeError> {
    let file = file(net);
    compose(&file.network, &view(net, &file), &Budget::unlimited())
}

fn compare(left: &Net, right: &Net, random: &mut Random, counts: &mut Counts) -> Result<(), String> {
    let mut count = |what: &str| *counts.entry(what.to_owned()).or_default() += 1;
    let (Ok(one), Ok(other)) = (composed(left), composed(right)) else {
        return Ok(());
    };
    // Games with hidden steps are not compared step by step.
    if one.has_hidden || other.has_hidden {
        return Ok(());
    }
    for (net, composed) in [(left, &one), (right, &other)] {
        let space = regions(net.n_clocks, MOST);
        let flat = Flat {
            net,
            original: net,
            space: &space,
            offset: 0,
        };
        let named = composed.automaton.actions().iter().map(ToString::to_string);
        let named: std::collections::BTreeSet<String> = named.filter(|name| name != "tau").collect();
        if named != flat.alphabet() {
            return Err(format!("the alphabet is {named:?}, by the rules {:?}", flat.alphabet()));
        }
    }
    let (mut semantics, mut rules) = ALL[[2, 2, 2, 0, 1][random.below(5)]];
    if random.chance(40) {
        (semantics.prune, rules.prune) = (false, false);
    }
    let Ok(spec) = Specification::prepare(&other.automaton, semantics, &Budget::unlimited()) else {
        return Ok(());
    };
    let decision = spec.decide(&one.automaton, &Budget::unlimited(), &mut Scratch::default());
    let found = decision.map_err(|error| error.to_string())?.verdict;
    let (expected, n_clashes) = match decide_made(left, right, (rules, left), MOST, MAX_PAIRS) {
        Ok(decided) => decided,
        Err(Nothing::TooLarge) => {
            count("too large");
            return Ok(());
        }
        Err(nothing) => return Err(format!("{nothing:?}, but {found:?}")),
    };
    let is_same = match expected {
        Answer::SpecInconsistent => false,
        Answer::Inconsistent => found == Verdict::Inconsistent,
        Answer::Subsumed => found == Verdict::Subsumed,
        Answer::NonSubsumed => found == Verdict::NonSubsumed,
    };
    if !is_same {
        return Err(format!("{semantics}: {found:?}, but {expected:?} on the region graph"));
    }
    count(&format!("{expected:?}"));
    if n_clashes > 0 && rules.ignore {
        count("clashes that must not be ignored");
        let blind = decide_blindly(left, right, (rules, left));
        if blind == Ok(Answer::Subsumed) && expected == Answer::NonSubsumed {
            count("clashes that decide");
        }
    }
    Ok(())
}

/// The verdict if an action in the other direction were ignored like an unknown one.
fn decide_blindly(left: &Net, right: &Net, (rules, original): (Rules, &Net)) -> Result<Answer, Nothing> {
    let rules = Rules {
        ignore_clashes: true,
        ..rules
    };
    decide_made(left, right, (rules, original), MOST, MAX_PAIRS).map(|(answer, _)| answer)
}

#[test]
fn an_action_in_the_other_direction_is_not_ignored() {
    let (seed, cases) = (
        from_environment("TAMPER_SEED", 51),
        from_environment("TAMPER_CASES", CASES),
    );
    let mut counts = Counts::new();
    let mut source = Random(seed);
    for case in 0..cases {
        let one = bare(&mut source);
        let other = turned(&one, &mut source);
        if let Err(message) = compare(&one, &other, &mut source, &mut counts) {
            panic!(
                "seed {seed}, pair {case}: {message}\n{}\nagainst\n{}",
                one.xml(),
                other.xml()
            );
        }
    }
    println!("seed {seed}, {cases} pairs: {counts:?}");
    let floors = [
        ("Subsumed", cases / 20),
        ("clashes that must not be ignored", cases / 50),
        ("clashes that decide", cases / 100),
    ];
    for (what, least) in floors {
        assert!(counts.get(what).is_some_and(|n| *n >= least), "{what}: {counts:?}");
    }
}

/// The same where steps are hidden: what is matched step by step is subsumed, as is what shows nothing but time; a run is looked at by
/// itself.
fn compare_hidden(left: &Net, right: &Net, counts: &mut Counts) -> Result<(), String> {
    let mut count = |what: &str| *counts.entry(what.to_owned()).or_default() += 1;
    let (Ok(one), Ok(other)) = (composed(left), composed(right)) else {
        return Ok(());
    };
    if !(one.has_hidden || other.has_hidden) {
        return Ok(());
    }
    let shown = |composed: &Composed| with_seen_steps(&composed.automaton, &composed.seen, SILENT);
    let semantics = Semantics {
        unmatched: Unmatched::Ignore,
        prune: false,
    };
    let rules = Rules {
        ignore: true,
        ignore_clashes: false,
        prune: false,
    };
    let Ok(spec) = Specification::prepare(&shown(&other), semantics, &Budget::unlimited()) else {
        return Ok(());
    };
    let effort = HiddenEffort {
        max_states: 300,
        max_zones: 20_000,
        n_grids: 2,
    };
    let decided = spec.decide_hidden(&shown(&one), &Budget::unlimited(), effort, &mut Scratch::default());
    let (found, _) = decided.map_err(|error| error.to_string())?;
    let Ok((expected, n_clashes)) = decide_made(left, right, (rules, left), MOST, MAX_PAIRS) else {
        count("no verdict");
        return Ok(());
    };
    if n_clashes > 0 {
        count("clashes that must not be ignored");
    }
    match (&found, expected) {
        (Seen::Inconsistent, Answer::Inconsistent) => count("inconsistent"),
        (Seen::Subsumed, Answer::Subsumed) => count("subsumed"),
        // Not matched step by step, but nothing is seen but time.
        (Seen::Subsumed, Answer::NonSubsumed) => match looks_different((left, right), (left, true)) {
            Ok(true) => return Err("subsumed, but a run tells it apart".to_owned()),
            Ok(false) => count("subsumed, nothing seen but time"),
            Err(_) => count("subsumed, too large"),
        },
        (Seen::NotFound { .. }, Answer::NonSubsumed) => count("not found"),
        (Seen::NonSubsumed(observation), Answer::NonSubsumed) => {
            match is_difference((left, right), (left, true), observation) {
                Ok(true) if n_clashes > 0 => count("non-subsumed, confirmed, with clashes"),
                Ok(true) => count("non-subsumed, confirmed"),
                Ok(false) => return Err(format!("{observation} is no difference")),
                Err(_) => count("non-subsumed, too large"),
            }
        }
        _ => return Err(format!("{found:?}, but {expected:?} step by step")),
    }
    Ok(())
}

#[test]
fn an_action_in_the_other_direction_is_not_ignored_beside_hidden_steps() {
    let (seed, cases) = (
        from_environment("TAMPER_SEED", 61),
        from_environment("TAMPER_CASES", CASES / 3),
    );
    let mut counts = Counts::new();
    let mut source = Random(seed);
    for case in 0..cases {
        let one = hiding(&mut source);
        let other = turned(&one, &mut source);
        if let Err(message) = compare_hidden(&one, &other, &mut counts) {
            panic!(
                "seed {seed}, pair {case}: {message}\n{}\nagainst\n{}",
                one.xml(),
                other.xml()
            );
        }
    }
    println!("seed {seed}, {cases} pairs with hidden steps: {counts:?}");
    let floors = [
        ("subsumed", cases / 20),
        ("clashes that must not be ignored", cases / 50),
        ("non-subsumed, confirmed, with clashes", cases / 100),
    ];
    for (what, least) in floors {
        assert!(counts.get(what).is_some_and(|n| *n >= least), "{what}: {counts:?}");
    }
}

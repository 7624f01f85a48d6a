//! Certificates of mutants of networks, whose normal form is the composition: each is accepted, and claims what the game says; where the
//! region graph of the processes is small enough, what that says.

use std::collections::BTreeMap;

use tamper::experiment::{NetworkMutants, Scope, Verdict, components};
use tamper::game::{Certification, Certifier, Scratch, Specification};
use tamper::mutation::{MutationOptions, Order};
use tamper::network::{Composed, CompositionWords, Edge, Network, compose, compose_mutant};
use tamper::text::Budget;
use tamper_check::check_one;

use super::composition::from_environment;
use super::judges::by_regions;
use super::mutants::{ALL, file, in_turn, view};
use super::nets::{MOST, Net, Random, broadcasting, random, with_deadlines};

const CASES: u64 = 60;
const MAX_PAIRS: usize = 2_000;

/// Checks that each node of a certificate's specification says which state it is, and each move of which edges it consists: between the locations of the processes in the
/// two states, once for each process that takes part, while all others stay.
fn check_steps(network: &Network, composed: &Composed, text: &str) -> Result<usize, String> {
    let (mut keys, mut states) = (Vec::new(), Vec::new());
    let mut moves = Vec::new();
    for line in text.lines().take_while(|line| *line != "consistent") {
        let words: Vec<&str> = line.split(' ').collect();
        if words[0] == "node" {
            keys.push(words[2]);
            states.push(line.split_once(" # ").map(|(_, state)| state));
        } else if words[0].ends_with(['?', '!', '.']) {
            moves.push((keys.len() - 1, words[1].parse::<usize>().unwrap(), line));
        }
    }
    let state = |node: usize| {
        let mut locations = composed.automaton.locations().iter();
        let at = locations.position(|location| *location.name == *keys[node]).unwrap();
        &composed.discrete[at]
    };
    for (node, said) in states.iter().enumerate() {
        let locations = network.processes.iter().zip(&state(node).locations);
        let locations =
            locations.map(|(process, at)| format!("{}.{}", process.name, process.locations[*at as usize].name));
        let variables = network.variables.iter().zip(&state(node).store);
        let values = variables.map(|(variable, value)| format!("{}={value}", variable.name));
        let expected: Vec<String> = locations.chain(values).collect();
        let said: Vec<&str> = said.unwrap_or_default().split(' ').collect();
        if let Some(other) = said
            .iter()
            .find(|word| !expected.iter().any(|expected| expected == *word))
        {
            return Err(format!("node {node}: {other} is not so"));
        }
        if said.len() < network.processes.len() {
            return Err(format!("node {node}: not every process is named"));
        }
    }
    for (from, to, line) in &moves {
        let wrong = |why: &str| Err(format!("{line}: {why}"));
        let (from, to) = (state(*from), state(*to));
        let Some((_, comment)) = line.split_once(" # ") else {
            return wrong("it does not say of which steps it consists");
        };
        let mut stays: Vec<bool> = vec![true; network.processes.len()];
        for part in comment.split(" with ").filter(|part| *part != "no process") {
            let Some((owner, step)) = part.split_once(": ") else {
                return wrong("a part is no step of a process");
            };
            let process = network.processes.iter().position(|process| *process.name == *owner);
            let Some(process) = process.filter(|process| std::mem::take(&mut stays[*process])) else {
                return wrong("a process is named twice, or there is none of that name");
            };
            let own = &network.processes[process];
            let is_this = |edge: &&Edge| {
                let [source, target] = [edge.source, edge.target].map(|at| &own.locations[at].name);
                step.split(" [").next().unwrap() == format!("{source} -> {target} ({})", edge.place)
            };
            let ends = |edge: &Edge| (edge.source as u32, edge.target as u32);
            let Some(edge) = own.edges.iter().find(is_this) else {
                return wrong("a process has no such edge");
            };
            if ends(edge) != (from.locations[process], to.locations[process]) {
                return wrong("an edge does not lead between the locations of its process");
            }
        }
        if (0..stays.len()).any(|at| stays[at] && from.locations[at] != to.locations[at]) {
            return wrong("a process moves that is not named");
        }
    }
    Ok(moves.len())
}

fn certify_some(net: &Net, random: &mut Random, counts: &mut BTreeMap<String, u64>) -> Result<(), String> {
    let (file, unlimited) = (file(net), Budget::unlimited());
    let view = view(net, &file);
    let Ok(composed) = compose(&file.network, &view, &unlimited) else {
        return Ok(());
    };
    let (semantics, rules) = ALL[random.below(3)];
    let components = components(&file.network, &view, &file.templates, &[], Scope::Template).unwrap();
    let Ok(specification) = Specification::prepare(&composed.automaton, semantics, &unlimited) else {
        return Ok(());
    };
    let words = CompositionWords::of(&file.network, &composed.discrete, &composed.parts);
    let certifier = Certifier::new(specification, &words, &unlimited).map_err(|error| error.to_string())?;
    let n_moves = check_steps(&file.network, &composed, certifier.head())?;
    *counts.entry("moves with their steps".to_owned()).or_default() += n_moves as u64;
    let options = MutationOptions::default();
    let mutants = NetworkMutants::of(&file.network, &view, &components, &options, Order::FIRST).unwrap();
    let n_mutants = usize::try_from(mutants.len()).unwrap();
    for _ in 0..10.min(n_mutants) {
        let mutant = mutants.get(random.below(n_mutants) as u64).unwrap();
        let mut count = |what: &str| *counts.entry(what.to_owned()).or_default() += 1;
        let Ok(made) = compose_mutant(&mutant.network(), &file.network, &view, &unlimited) else {
            count("no composition");
            continue;
        };
        let words = CompositionWords::of(&mutant.network(), &made.discrete, &made.parts);
        let certified = match certifier.certify(&mutant.id(), (&made.automaton, &words), &unlimited) {
            Ok(certified) => certified,
            Err(error) => {
                count(&format!("no meaning: {error}").chars().take(30).collect::<String>());
                continue;
            }
        };
        let Certification::Certificate(verdict, text) = certified else {
            return Err(format!("{}: {certified:?}", mutant.id()));
        };
        let text = format!("{}{text}", certifier.head());
        let claim = check_one(&text, 100_000_000).map_err(|fault| format!("{}: {fault}\n{text}", mutant.id()))?;
        let decided = certifier
            .specification()
            .decide(&made.automaton, &unlimited, &mut Scratch::default());
        let decided = decided.map_err(|error| error.to_string())?.verdict;
        if verdict != decided || claim.to_string() != decided.to_string() {
            return Err(format!(
                "{}: {claim} is certified, but the game says {decided}",
                mutant.id()
            ));
        }
        count(&claim.to_string());
        let has_hidden = made.has_hidden || composed.has_hidden;
        let Some(plain) = in_turn(net, &components, &mutant.steps()).filter(|_| !has_hidden) else {
            continue;
        };
        if let Some(expected) = by_regions((&plain, net), rules, MOST + 1, MAX_PAIRS)?
            && expected != Verdict::Invalid
        {
            if expected != Verdict::from(decided) {
                return Err(format!(
                    "{}: {claim} is certified, but {expected:?} on the region graph",
                    mutant.id()
                ));
            }
            count("as the region graph says");
        }
    }
    Ok(())
}

#[test]
fn certificates_of_mutants_of_networks_hold() {
    let (cases, seed) = (
        from_environment("TAMPER_CASES", CASES),
        from_environment("TAMPER_SEED", 5201),
    );
    let mut source = Random(seed);
    let mut counts = BTreeMap::new();
    for case in 0..cases {
        for nets in [random, broadcasting, with_deadlines] {
            let net = nets(&mut source);
            if let Err(message) = certify_some(&net, &mut source, &mut counts) {
                panic!("seed {seed}, network {case}: {message}\n{}", net.xml());
            }
        }
    }
    println!("certificates of networks: {counts:?}");
    for claim in [
        "subsumed",
        "non-subsumed",
        "as the region graph says",
        "moves with their steps",
    ] {
        assert!(counts.get(claim).is_some_and(|count| *count > 30), "{counts:?}");
    }
}

//! Certificates of mutants of networks, whose normal form is the composition: each is accepted, and claims what the game says; where the
//! region graph of the processes is small enough, what that says.

use std::collections::BTreeMap;

use tamper::experiment::{NetworkMutants, Scope, Verdict, components};
use tamper::game::{Certification, Certifier, Scratch, Specification};
use tamper::mutation::{MutationOptions, Order};
use tamper::network::{compose, compose_mutant};
use tamper::text::Budget;
use tamper_check::check_one;

use super::composition::from_environment;
use super::judges::by_regions;
use super::mutants::{ALL, file, in_turn, view};
use super::nets::{MOST, Net, Random, broadcasting, random, with_deadlines};

const CASES: u64 = 60;
const MAX_PAIRS: usize = 2_000;

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
    let certifier = Certifier::new(&specification, &unlimited).map_err(|error| error.to_string())?;
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
        let certified = match certifier.certify(&mutant.id(), &made.automaton, &unlimited) {
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
        let decided = specification.decide(&made.automaton, &unlimited, &mut Scratch::default());
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
    for claim in ["subsumed", "non-subsumed", "as the region graph says"] {
        assert!(counts.get(claim).is_some_and(|count| *count > 30), "{counts:?}");
    }
}

//! The account of `testgen` and `score` of networks, held against the naive rules.

use std::collections::BTreeMap;
use std::fs;

use tamper::experiment::{NetworkMutants, Scope, components};
use tamper::formats::suite_json::read_suite;
use tamper::mutation::{MutationOptions, Order};
use testing::suites::account::{Known, account};

use super::composition::from_environment;
use super::executed::executed;
use super::mutants::{file, mutated, view};
use super::nets::{MOST, Net, Random, broadcasting, random};
use super::verdicts::{Answer, Rules, decide};
use crate::suites::account::{answer, compare};

/// Random networks; few of them are deterministic.
const CASES: u64 = 120;
/// States of the region graph.
const MAX_STATES: usize = 20_000;
/// Mutants of one network; larger ones are left to others.
const MOST_MUTANTS: u64 = 24;

/// What was compared.
type Counts = BTreeMap<String, u64>;

/// Compares the account for mutants of `net` with the naive rules; `None` if they have none or are too slow.
fn compared(net: &Net) -> Result<Option<Vec<Known>>, String> {
    let file = file(net);
    let view = view(net, &file);
    if net.hide || net.procs.iter().any(|process| process.environment) {
        return Ok(None);
    }
    let parts = components(&file.network, &view, &file.templates, &[], Scope::Template).expect("components");
    let mutants = NetworkMutants::of(&file.network, &view, &parts, &MutationOptions::default(), Order::FIRST);
    let mutants = mutants.expect("mutants");
    if mutants.len() > MOST_MUTANTS {
        return Ok(None);
    }
    let folder = tempfile::tempdir().expect("a folder");
    let at = folder.path();
    fs::write(at.join("model.xml"), net.xml()).expect("written");
    let made = ["testgen", "model.xml", "--mutate", "all", "--out", "suite.json"];
    if answer(at, &made).is_err() {
        return Ok(None);
    }
    let suite = read_suite(&fs::read_to_string(at.join("suite.json")).expect("a suite")).expect("a suite");
    let mut known = Vec::new();
    for number in 0..mutants.len() {
        let mutant = mutants.get(number).expect("a mutant");
        let process = parts[mutant.last.component].processes[0];
        let plain = mutated(net, process, &mutant.last.mutation);
        let rules = |prune| Rules {
            ignore: false,
            ignore_clashes: false,
            prune,
        };
        let answers = [true, false].map(|prune| decide(&plain, net, rules(prune), MOST + 1, MAX_STATES));
        let [Ok(strict), Ok(unpruned)] = answers else {
            return Ok(None);
        };
        if strict == Answer::SpecInconsistent {
            return Ok(None);
        }
        let mut is_killable = unpruned == Answer::NonSubsumed;
        for test in &suite.tests {
            match executed(test, &plain, net, MAX_STATES) {
                Ok(ends) => is_killable |= ends.can_fail,
                Err(_) => return Ok(None),
            }
        }
        known.push(Known {
            is_non_subsumed: strict == Answer::NonSubsumed,
            is_inconsistent: strict == Answer::Inconsistent,
            is_non_subsumed_unpruned: unpruned == Answer::NonSubsumed,
            is_killable,
        });
    }
    compare(at, &["--mutate", "all"], Some(&account(&known)))?;
    Ok(Some(known))
}

fn run(nets: impl Fn(&mut Random) -> Net, seed: u64) -> Counts {
    let mut counts = Counts::new();
    let (seed, cases) = (
        from_environment("TAMPER_SEED", seed),
        from_environment("TAMPER_CASES", CASES),
    );
    let mut source = Random(seed);
    for case in 0..cases {
        let net = nets(&mut source);
        let found =
            compared(&net).unwrap_or_else(|message| panic!("seed {seed}, network {case}: {message}\n{}", net.xml()));
        let Some(known) = found else { continue };
        let open = |mutant: &&Known| mutant.is_killable != mutant.is_non_subsumed;
        *counts.entry("networks".to_owned()).or_default() += 1;
        *counts.entry("mutants".to_owned()).or_default() += known.len() as u64;
        *counts.entry("disagreements".to_owned()).or_default() += known.iter().filter(open).count() as u64;
    }
    println!("seed {seed}, {cases} networks: {counts:?}");
    counts
}

#[test]
fn the_account_of_a_networks_suite_is_that_of_the_naive_rules() {
    let counts = [run(random, 41), run(broadcasting, 42)];
    let n_networks: u64 = counts.iter().filter_map(|counts| counts.get("networks")).sum();
    assert!(n_networks > 5, "{counts:?}");
}

//! Tests for mutants of the example networks: made for the composed mutant, executed on it and on the composed network.

use std::path::Path;

use tamper::base::Budget;
use tamper::experiment::{Limits, NetworkJudge, NetworkSettings, Scope, StaticUse, Timer, Verdict, components};
use tamper::formats::read_network;
use tamper::game::{Scratch, Semantics};
use tamper::mutation::{Mutation, MutationOptions};
use tamper::network::{Side, View, compose, compose_mutant};
use tamper::suite::{Pick, Potential, Style, Subject, Tester};

use super::composition::from_environment;

/// Looks at every `step`-th mutant of the network with the processes `system` under test (none: all): how many it looked at,
/// how many are killable, and for how many of these there is a test.
fn kills(name: &str, system: &[&str], step: usize) -> (usize, usize, usize) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("uppaal-models/networks")
        .join(name);
    let (file, _) = read_network(name, &std::fs::read(path).unwrap()).unwrap_or_else(|error| panic!("{error}"));
    let network = &file.network;
    let mut view = View::closed("System", network);
    for (side, process) in view.sides.iter_mut().zip(&network.processes) {
        if !system.is_empty() && !system.contains(&&*process.name) {
            *side = Side::Environment;
        }
    }
    let budget = Budget::unlimited();
    let components = components((network, &view), &file.templates, &[], Scope::Template).unwrap();
    let settings = NetworkSettings {
        semantics: Semantics::STRICT,
        statics: StaticUse::Use,
        witness: false,
    };
    let judge = NetworkJudge::new((network, &view), &components, settings, Timer::new(Limits::default())).unwrap();
    let tester = Tester::new(&compose(network, &view, &budget).unwrap().automaton, &budget).unwrap();
    let options = MutationOptions::default();
    let mutants = components.iter().enumerate().flat_map(|(at, component)| {
        let all: Vec<Mutation> = component.mutations(&options).iter().collect();
        all.into_iter().map(move |mutation| (at, component, mutation))
    });
    let (mut n_mutants, mut n_killable, mut n_killed) = (0, 0, 0);
    for (at, component, mutation) in mutants.step_by(step) {
        n_mutants += 1;
        let (found, _) = judge.decide((at, component), mutation, &mut Scratch::default());
        if found.verdict != Verdict::NonSubsumed {
            continue;
        }
        n_killable += 1;
        let mutant = component.mutant(network, &mutation);
        let composed = compose_mutant(&mutant, network, &view, &budget).unwrap().automaton;
        let subject = Subject::new(&composed, &budget).unwrap();
        let found = tester
            .potential(&subject, Style::Adaptive, Pick::default(), &budget)
            .unwrap();
        n_killed += usize::from(matches!(found, Potential::Killed(_)));
    }
    println!("| `{name}` | {n_mutants} | {n_killable} | {n_killed} |");
    (n_mutants, n_killable, n_killed)
}

#[test]
fn every_killable_mutant_of_a_deterministic_example_has_a_test_that_kills_it() {
    // All of them by TAMPER_STEP=1; the results are in results/networks.md.
    let step = usize::try_from(from_environment("TAMPER_STEP", 9)).unwrap();
    let examples: [(&str, &[&str]); 4] = [
        ("lamp-and-user.xml", &[]),
        ("collision-avoidance.xml", &[]),
        ("gear-controller.xml", &[]),
        ("car-alarm.xml", &["Alarm"]),
    ];
    for (name, system) in examples {
        let (_, n_killable, n_killed) = kills(name, system, step);
        assert!(n_killable > 0, "{name}");
        assert_eq!(n_killed, n_killable, "{name}");
    }
}

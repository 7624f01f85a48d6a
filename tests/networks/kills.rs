//! Suites for mutants of networks: made for the compositions, executed on the mutated networks by the naive rules.

use std::collections::BTreeMap;
use std::path::Path;

use tamper::experiment::killing::{
    Candidate, Generated, KillGoal, Strategy, SuiteOptions, candidates, generate, judge,
};
use tamper::experiment::{Limits, NetworkMutants, NetworkSettings, Scope, Selection, Timer, components};
use tamper::formats::read_network;
use tamper::mutation::{MutationOptions, Order};
use tamper::network::{Side, View, compose};
use tamper::suite::{Pick, Refusals, Style, SuiteFailure, TestCase, Tester};
use tamper::text::Budget;

use super::composition::from_environment;
use super::executed::{Nothing, executed};
use super::mutants::{closed, file, mutated, view};
use super::nets::{Chan, MOST, Net, Random, broadcasting, random};
use super::verdicts::{Answer, Nothing as Unjudged, Rules, decide};

/// Random networks; few of them are deterministic.
const CASES: u64 = 500;
/// States of the region graph, of a verdict and of a test.
const MAX_STATES: usize = 20_000;
/// Mutants of one network.
const MOST_MUTANTS: usize = 8;

/// What was compared.
type Counts = BTreeMap<String, u64>;

fn wish(random: &mut Random) -> SuiteOptions {
    let one_of = |random: &mut Random, n: usize| random.below(n);
    let wanted = [KillGoal::Potential, KillGoal::Definite, KillGoal::Both, KillGoal::Blind][one_of(random, 4)];
    let strategies = [
        Strategy::PerMutant,
        Strategy::OnTheFly,
        Strategy::Minimal,
        Strategy::Fewest,
    ];
    let strategy = strategies[one_of(random, 4)];
    SuiteOptions {
        // What the fewest can do.
        wanted: if strategy == Strategy::Fewest {
            KillGoal::Potential
        } else {
            wanted
        },
        style: [Style::Adaptive, Style::Cooperative][one_of(random, 2)],
        pick: [Pick::Earliest, Pick::Middle, Pick::Latest][one_of(random, 3)],
        strategy,
        rounds: 1,
        refusals: Refusals::Error,
        linger: None,
        mutation: MutationOptions::default(),
        max_nodes: 10_000,
    }
}

/// Compares a suite for mutants of `net` with the naive rules; compositions with more than `composed_first` states are made only where
/// the runs that a mutant and the network have in common tell nothing.
fn compare(net: &Net, composed_first: u64, random: &mut Random, counts: &mut Counts) -> Result<(), String> {
    let mut count = |what: &str| *counts.entry(what.to_owned()).or_default() += 1;
    let file = file(net);
    let view = view(net, &file);
    let Ok(composed) = compose(&file.network, &view, &Budget::unlimited()) else {
        return Ok(());
    };
    if composed.has_hidden {
        return Ok(());
    }
    let tester = match Tester::new(&composed.automaton, &Budget::unlimited()) {
        Ok(tester) => tester,
        Err(SuiteFailure::NonDeterministic { .. } | SuiteFailure::NoInitialState { .. }) => return Ok(()),
        Err(failure) => return Err(failure.to_string()),
    };
    count("networks");
    let components = components(&file.network, &view, &file.templates, &[], Scope::Template).unwrap();
    let options = MutationOptions::default();
    let mut mutants = NetworkMutants::of(&file.network, &view, &components, &options, Order::FIRST).unwrap();
    mutants.composed_first = composed_first;
    let mut numbers: Vec<u64> = (0..mutants.len()).collect();
    while numbers.len() > MOST_MUTANTS {
        numbers.remove(random.below(numbers.len()));
    }
    let selection = Selection::Some(numbers.clone());
    let timer = Timer::new(Limits::default());
    let candidates = candidates(&mutants, &selection, &|_| true, &tester, &timer).unwrap();
    let wish = wish(random);
    let scoring = SuiteOptions {
        wanted: match wish.wanted {
            KillGoal::Both => KillGoal::Potential,
            wanted => wanted,
        },
        ..wish.clone()
    };
    let suite = generate(&tester, &candidates, &wish, &timer, &|_| ()).map_err(|error| error.to_string())?;
    let judged = judge(&tester, &candidates, &suite.tests, &scoring, &timer).map_err(|error| error.to_string())?;
    for (at, number) in numbers.iter().enumerate() {
        let mutant = mutants.get(*number).expect("it was drawn");
        let plain = mutated(
            net,
            components[mutant.last.component].processes[0],
            &mutant.last.mutation,
        );
        let about = |what: &str| format!("{} {what} ({wish:?})", mutant.id());
        let found = Found {
            suite: &suite,
            killed_by: &judged[at].killed_by,
            candidate: &candidates[at],
            at,
        };
        found.compare((&plain, net), (&wish, &about), &mut count)?;
    }
    Ok(())
}

/// What a suite says about a mutant.
struct Found<'a> {
    suite: &'a Generated,
    /// The tests that the score says kill it.
    killed_by: &'a [usize],
    candidate: &'a Candidate,
    at: usize,
}

impl Found<'_> {
    fn compare(
        &self,
        (mutant, net): (&Net, &Net),
        (wish, about): (&SuiteOptions, &dyn Fn(&str) -> String),
        count: &mut impl FnMut(&str),
    ) -> Result<(), String> {
        let said = &self.suite.mutants[self.at];
        let rules = Rules {
            ignore: false,
            ignore_clashes: false,
            prune: false,
        };
        let verdict = decide(mutant, net, rules, MOST + 1, MAX_STATES);
        let how = match &self.candidate.subject {
            _ if self.candidate.is_one_run => "by a run: ",
            Err(SuiteFailure::Allowed) => "walked: ",
            _ => "",
        };
        let mut count = |what: &str| count(&format!("{how}{what}"));
        if said.killable == "invalid" {
            if !matches!(verdict, Err(Unjudged::OutOfRange { .. } | Unjudged::TooLarge)) {
                return Err(about("is said to be invalid"));
            }
            count("invalid");
            return Ok(());
        }
        if said.killable == "unknown" {
            let reason = said.reason.as_deref().unwrap_or_default();
            if verdict.is_ok() && !reason.contains("hidden steps") {
                return Err(about(reason));
            }
            count("without a meaning");
            return Ok(());
        }
        match (verdict, said.killable.as_str()) {
            (Ok(Answer::NonSubsumed), "none") => return Err(about("is said to be no test's, but is not subsumed")),
            (Ok(Answer::NonSubsumed), _) => count("non-subsumed"),
            (Ok(Answer::Subsumed), "none") => count("subsumed"),
            (Ok(Answer::Subsumed), _) => count("subsumed, and killed by a choice"),
            (Ok(_), _) => return Ok(()),
            (Err(_), _) => count("no verdict"),
        }
        for (position, test) in self.suite.tests.iter().enumerate() {
            let is_score = self.killed_by.contains(&position);
            let must = matches!(wish.wanted, KillGoal::Definite | KillGoal::Blind);
            match executed(test, mutant, net, MAX_STATES) {
                Ok(ends) => {
                    let is_kill = ends.can_fail && !(must && ends.can_else);
                    // Of a mutant that is known by one run a test may fail on others.
                    if is_score && !is_kill || !how.starts_with("by") && is_kill && !is_score {
                        return Err(about(&format!("{ends:?}, scored {is_score}, by {test:#?}")));
                    }
                    count(if is_kill { "killed" } else { "not killed by a test" });
                }
                Err(Nothing::OutOfRange) => return Ok(()),
                Err(nothing) => count(&format!("{nothing:?}")),
            }
            spares(test, net).map_err(|message| about(&message))?;
        }
        let is_wanted = match wish.wanted {
            KillGoal::Potential | KillGoal::Both => ["potential", "definite"].contains(&said.killable.as_str()),
            KillGoal::Definite if how.starts_with("by") && said.killable == "definite" => {
                return Err(about("is said to be killed definitely"));
            }
            KillGoal::Definite => said.killable == "definite",
            KillGoal::Blind => said.killable == "blind",
        };
        if is_wanted && (said.test.is_none() || self.killed_by.is_empty()) {
            return Err(about("can be killed, but no test of the suite does"));
        }
        Ok(())
    }
}

/// No run of the network itself fails the test.
fn spares(test: &TestCase, net: &Net) -> Result<(), String> {
    match executed(test, net, net, MAX_STATES) {
        Ok(ends) if ends.can_fail => Err(format!("fails on the original: {test:#?}")),
        _ => Ok(()),
    }
}

fn run(nets: impl Fn(&mut Random) -> Net, composed_first: u64, seed: u64) -> Counts {
    let mut counts = Counts::new();
    let (seed, cases) = (
        from_environment("TAMPER_SEED", seed),
        from_environment("TAMPER_CASES", CASES),
    );
    let mut source = Random(seed);
    for case in 0..cases {
        let net = nets(&mut source);
        if let Err(message) = compare(&net, composed_first, &mut source, &mut counts) {
            panic!("seed {seed}, network {case}: {message}\n{}", net.xml());
        }
    }
    println!("seed {seed}, {cases} networks: {counts:?}");
    counts
}

#[test]
fn suites_for_mutants_of_networks_kill_what_they_say_by_the_naive_rules() {
    let counts = run(random, NetworkSettings::COMPOSED_FIRST, 31);
    assert!(counts["killed"] > 20, "{counts:?}");
}

#[test]
fn suites_for_mutants_of_broadcast_networks_kill_what_they_say_by_the_naive_rules() {
    let counts = run(broadcasting, NetworkSettings::COMPOSED_FIRST, 32);
    assert!(counts["killed"] > 20, "{counts:?}");
}

/// A closed network most of whose steps are seen as different actions.
fn seen_apart(source: &mut Random) -> Net {
    let mut net = closed(source);
    for edge in net.procs.iter_mut().flat_map(|process| &mut process.edges) {
        if edge.sync.is_none() && source.chance(90) {
            edge.sync = Some((net.chans.len(), true));
            net.chans.push(Chan {
                broadcast: true,
                urgent: false,
                priority: 0,
            });
        }
    }
    net
}

#[test]
fn suites_from_runs_beside_the_network_kill_what_they_say_by_the_naive_rules() {
    let counts = run(seen_apart, 0, 33);
    for (what, least) in [
        ("by a run: killed", 50),
        ("by a run: non-subsumed", 20),
        ("walked: subsumed", 20),
    ] {
        assert!(counts.get(what).is_some_and(|n| *n >= least), "{what}: {counts:?}");
    }
}

/// Looks at every `step`-th mutant of an example with the processes `system` under test (none: all), where `observe` is seen:
/// how many are killable, and how many of these the suite kills, each on the spot by the tests' own simulator.
fn kills(name: &str, (system, observe): (&[&str], bool), step: usize) -> (usize, usize) {
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
    if observe {
        view.observe = super::examples::everywhere(network);
    }
    let components = components(network, &view, &file.templates, &[], Scope::Template).unwrap();
    let mutants = NetworkMutants::of(network, &view, &components, &MutationOptions::default(), Order::FIRST).unwrap();
    let tester = compose(network, &view, &Budget::unlimited()).unwrap().automaton;
    let tester = Tester::new(&tester, &Budget::unlimited()).unwrap();
    let selection = Selection::Some((0..mutants.len()).step_by(step).collect());
    let timer = Timer::new(Limits::default());
    let candidates = candidates(&mutants, &selection, &|_| true, &tester, &timer).unwrap();
    let wish = SuiteOptions {
        wanted: KillGoal::Potential,
        style: Style::Cooperative,
        pick: Pick::Earliest,
        strategy: Strategy::OnTheFly,
        rounds: 1,
        refusals: Refusals::Error,
        linger: None,
        mutation: MutationOptions::default(),
        max_nodes: 10_000,
    };
    let suite = generate(&tester, &candidates, &wish, &timer, &|_| ()).unwrap();
    let judged = judge(&tester, &candidates, &suite.tests, &wish, &timer).unwrap();
    let killable = suite
        .mutants
        .iter()
        .filter(|mutant| mutant.killable == "potential")
        .count();
    let killed = judged.iter().filter(|mutant| !mutant.killed_by.is_empty()).count();
    println!(
        "| `{name}` | {} | {killable} | {killed} | {} |",
        candidates.len(),
        suite.tests.len()
    );
    (killable, killed)
}

#[test]
fn every_killable_mutant_of_a_deterministic_example_has_a_test_that_kills_it() {
    // All of them by TAMPER_STEP=1, and by results/networks/make.sh; the results are in results/networks/page.md.
    let step = usize::try_from(from_environment("TAMPER_STEP", 9)).unwrap();
    let examples: [(&str, &[&str], bool); 6] = [
        ("lamp-and-user.xml", &[], false),
        ("collision-avoidance.xml", &[], false),
        ("gear-controller.xml", &[], false),
        ("car-alarm.xml", &["Alarm"], false),
        ("crossing.xml", &[], false),
        ("fischer.xml", &[], true),
    ];
    for (name, system, observe) in examples {
        let (n_killable, n_killed) = kills(name, (system, observe), step);
        assert!(n_killable > 0, "{name}");
        assert_eq!(n_killed, n_killable, "{name}");
    }
}

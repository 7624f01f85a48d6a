//! Blind kills of timed games: the studies, random pairs against enumeration, and where blind and definite part.

use std::cell::RefCell;

use tamper::formats::uppaal::{ReadOptions, read_bytes};
use tamper::model::Automaton;
use tamper::mutation::{MutationOptions, Mutations};
use tamper::suite::{Act, Blind, Definite, Next, Subject, SuiteFailure, TestCase, Tester, ends};
use tamper::text::Budget;

use crate::suites::killed_definitely::beverage;
use crate::suites::region_game;
use crate::suites::simulator::outcome;
use crate::suites::studies::spec;
use crate::suites::word_search::Words;
use testing::oracle::clocks::{Regions, Spread, has_diagonals};
use testing::oracle::mutate::{self, Pair};
use testing::oracle::run;

fn asked(spec: &Automaton, mutant: &Automaton) -> (Definite, Blind) {
    let budget = Budget::unlimited();
    let tester = Tester::new(spec, &budget).expect("it is deterministic");
    let subject = Subject::new(mutant, &budget).expect("it has a state");
    let definite = tester.definite(&subject, &budget).expect("no limit");
    (definite, tester.blind(&subject, &budget).expect("no limit"))
}

/// All that the 68 mutants of the studies which are killed definitely do before they fail, they do at times that the
/// specification fixes: so one word is enough for each.
#[test]
fn every_definitely_killable_mutant_of_the_studies_is_killed_by_a_word() {
    for (folder, expected) in [("cas", 46), ("wfas", 22), ("coffee", 0), ("hotel", 0), ("mutex", 0)] {
        let game = spec(folder);
        let budget = Budget::unlimited();
        let tester = Tester::new(&game, &budget).expect("it is deterministic");
        let mut n_blind = 0;
        for mutation in Mutations::of(&game, &MutationOptions::default()).iter() {
            let mutant = mutation.apply(&game);
            let Ok(subject) = Subject::new(&mutant, &budget) else {
                continue;
            };
            match tester.blind(&subject, &budget).expect("no limit") {
                Blind::Killed(test) => {
                    n_blind += 1;
                    assert!(test.is_blind(), "{test:?}");
                    // By classes of clocks, without zones, where these are few.
                    for (game, fails) in [(&mutant, true), (&game, false)] {
                        if let Some(outcome) = outcome(&test, game) {
                            assert!(outcome.always_fails() == fails && outcome.fail == fails, "{outcome:?}");
                        }
                    }
                }
                answer => assert_eq!(answer, Blind::Avoidable, "{mutation:?}"),
            }
        }
        assert_eq!(n_blind, expected, "{folder}");
    }
}

/// A game with the clock x: locations l0, l1, … with invariants, and edges as source, target, guard, action, resets.
fn game(invariants: &[&str], edges: &[(usize, usize, &str, &str, &str)]) -> Automaton {
    use std::fmt::Write as _;
    let escape = |text: &str| text.replace('<', "&lt;").replace('>', "&gt;");
    let mut parts = String::new();
    for (at, invariant) in invariants.iter().enumerate() {
        let invariant = escape(invariant);
        let _ = write!(
            parts,
            r#"<location id="l{at}"><name>l{at}</name><label kind="invariant">{invariant}</label></location>"#
        );
    }
    parts.push_str(r#"<init ref="l0"/>"#);
    for (source, target, guard, action, resets) in edges {
        let guard = escape(guard);
        let _ = write!(
            parts,
            r#"<transition><source ref="l{source}"/><target ref="l{target}"/><label kind="guard">{guard}</label>
            <label kind="synchronisation">{action}</label><label kind="assignment">{resets}</label></transition>"#
        );
    }
    let text = format!(
        r#"<nta><declaration>broadcast chan go, u, v, a, b;</declaration>
        <template><name>G</name><declaration>clock x;</declaration>{parts}</template><system>system G;</system></nta>"#
    );
    let (document, _) = read_bytes("game.xml", text.as_bytes(), &ReadOptions::default()).expect("the game is read");
    document.automata()[document.find("G").expect("it is there")].clone()
}

/// After `go`, `a` or `b` comes within a time unit; then `u` is accepted after `a`, `v` after `b`. The mutant refuses both. Who sees
/// the output gives the input that is due; who has to say before which it will be meets the other output, after which the
/// specification does not accept it.
#[test]
fn a_tester_that_has_to_react_is_not_blind() {
    let invariants = ["", "x<=1", "", "", ""];
    let edges = [
        (0, 1, "", "go?", "x=0"),
        (1, 2, "", "a!", ""),
        (1, 3, "", "b!", ""),
        (2, 4, "", "u?", ""),
        (3, 4, "", "v?", ""),
    ];
    let (definite, blind) = asked(&game(&invariants, &edges), &game(&invariants, &edges[..3]));
    assert!(matches!(definite, Definite::Killed(_)), "{definite:?}");
    assert_eq!(blind, Blind::Reacting);
    // Where the specification accepts both after both, one input is enough.
    let both = [&edges[..], &[(2, 4, "", "v?", ""), (3, 4, "", "u?", "")]].concat();
    let (_, blind) = asked(&game(&invariants, &both), &game(&invariants, &edges[..3]));
    assert!(matches!(blind, Blind::Killed(_)), "{blind:?}");
}

/// The output comes within four time units, and then `u` is accepted for two: a tester that sees it is in time whenever it
/// comes, no fixed time is after it and within the window. The input is always the same, so nothing is promised in vain:
/// not known.
#[test]
fn where_only_the_time_of_an_input_depends_on_an_output_the_answer_is_open() {
    let invariants = ["", "x<=4", "", ""];
    let edges = [
        (0, 1, "", "go?", "x=0"),
        (1, 2, "", "a!", "x=0"),
        (2, 3, "x<2", "u?", ""),
    ];
    let (spec, mutant) = (game(&invariants, &edges), game(&invariants, &edges[..2]));
    let (definite, blind) = asked(&spec, &mutant);
    assert!(matches!(definite, Definite::Killed(_)), "{definite:?}");
    assert!(matches!(blind, Blind::Unknown { looked_at: 2.. }), "{blind:?}");
    assert!(!Words::new(&spec, &mutant).kill(2), "no word of two inputs does it");
    // With a window longer than the output may take, a moment after the last at which that can come is in time.
    let longer = [edges[0], edges[1], (2, 3, "x<=5", "u?", "")];
    let spec = game(&invariants, &longer);
    let (_, blind) = asked(&spec, &mutant);
    let Blind::Killed(test) = blind else {
        panic!("{blind:?}")
    };
    assert!(test.is_blind());
    assert!(Words::new(&spec, &mutant).kill(2), "{test:?}");
}

/// [004] Fig. 1c: the paper's own word is blind, since the machine makes its drinks at once.
#[test]
fn the_papers_word_for_the_beverage_machine_is_blind() {
    let (spec, mutant) = (beverage("Machine"), beverage("RefillOne"));
    let (definite, blind) = asked(&spec, &mutant);
    let (Definite::Killed(strategy), Blind::Killed(test)) = (definite, blind) else {
        panic!("both kill it")
    };
    assert!(test.is_blind(), "{test:?}");
    assert!(
        !strategy.is_blind(),
        "it says nothing of times that are the same in all runs"
    );
    let mut given = inputs_in_order(&test);
    given.dedup();
    assert_eq!(given, ["req?", "fill?", "req?"]);
    let (_, blind) = asked(&spec, &beverage("RefillOneOrTwo"));
    assert_eq!(blind, Blind::Avoidable);
}

/// The word of a blind test, along any outputs.
fn inputs_in_order(test: &TestCase) -> Vec<String> {
    let (mut given, mut at) = (Vec::new(), 0);
    let mut seen = vec![false; test.nodes.len()];
    loop {
        seen[at] = true;
        let node = &test.nodes[at];
        let acts = node.rules.iter().filter_map(|rule| match &rule.act {
            Act::Input { action, then } => Some((action.clone(), then.first()?.next)),
            Act::Stop(_) => None,
        });
        let inputs: Vec<(String, Next)> = acts.collect();
        let outputs = node.outputs.iter().map(|expected| expected.jump.next);
        let by_output = outputs.into_iter().find(|next| matches!(next, Next::Node(_)));
        let next = match (by_output, inputs.first()) {
            (Some(next), _) => next,
            (None, Some((action, next))) => {
                given.push(action.clone());
                *next
            }
            (None, None) => return given,
        };
        match next {
            Next::Node(next) if !seen[next] => at = next,
            _ => return given,
        }
    }
}

#[derive(Default, Debug)]
struct Counts {
    compared: u32,
    definite: u32,
    blind: u32,
    reacting: u32,
    unknown: u32,
    /// Words of the engine that the simulator followed on all runs.
    simulated: u32,
    /// Blind ones that an enumerated word of two inputs kills.
    enumerated: u32,
    /// Killed by an enumerated word while the engine does not know.
    missed: u32,
    words: u64,
    gave_up: u32,
}

fn compare(pair: &Pair, counts: &RefCell<Counts>) -> Result<(), String> {
    let budget = Budget::unlimited();
    let (spec, mutant) = (&pair.spec, &pair.mutant);
    let (Ok(tester), Ok(subject)) = (Tester::new(spec, &budget), Subject::new(mutant, &budget)) else {
        return Ok(());
    };
    let error = |error: SuiteFailure| error.to_string();
    let answer = tester.blind(&subject, &budget).map_err(error)?;
    let (potential, definite) = if has_diagonals(mutant) || has_diagonals(spec) {
        region_game::killable::<Spread>(mutant, spec)
    } else {
        region_game::killable::<Regions>(mutant, spec)
    };
    let mut counts = counts.borrow_mut();
    counts.compared += 1;
    counts.definite += u32::from(definite);
    if (answer == Blind::Avoidable) == definite || (definite && !potential) {
        return Err(format!(
            "engine {answer:?}, regions: potential {potential}, definite {definite}"
        ));
    }
    if !definite {
        return Ok(());
    }
    match &answer {
        Blind::Killed(test) => {
            counts.blind += 1;
            is_a_killing_word(test, (&tester, &subject), pair, &mut counts)?;
        }
        Blind::Reacting => counts.reacting += 1,
        Blind::Unknown { .. } => counts.unknown += 1,
        Blind::Avoidable => unreachable!("it is killable definitely"),
    }
    let mut words = Words::new(spec, mutant);
    let killed = words.kill(2);
    counts.words += words.n_words;
    counts.gave_up += u32::from(words.gave_up);
    match answer {
        Blind::Reacting if killed => Err("an enumerated word kills what none is said to".to_owned()),
        Blind::Killed(_) => {
            counts.enumerated += u32::from(killed);
            Ok(())
        }
        _ => {
            counts.missed += u32::from(killed);
            Ok(())
        }
    }
}

fn is_a_killing_word(
    test: &TestCase,
    (tester, subject): (&Tester, &Subject),
    pair: &Pair,
    counts: &mut Counts,
) -> Result<(), String> {
    let budget = Budget::unlimited();
    let on_mutant = ends(test, subject, &budget).map_err(|error| error.to_string())?;
    let on_spec = ends(test, tester.spec(), &budget).map_err(|error| error.to_string())?;
    if !on_mutant.must_fail() || on_spec.can_fail() || !test.is_blind() {
        return Err(format!(
            "{on_mutant:?} on the mutant, {on_spec:?} on the specification: {test:?}"
        ));
    }
    let by_classes = (outcome(test, &pair.mutant), outcome(test, &pair.spec));
    if let (Some(on_mutant), Some(on_spec)) = by_classes {
        counts.simulated += 1;
        if !on_mutant.always_fails() || on_spec.fail {
            return Err(format!(
                "{on_mutant:?} on the mutant, {on_spec:?} on the specification, by classes: {test:?}"
            ));
        }
    }
    Ok(())
}

#[test]
fn blind_killing_agrees_with_enumerated_words_on_random_pairs() {
    let counts = RefCell::new(Counts::default());
    run::check(12_000, &mutate::pair(), |pair| compare(pair, &counts));
    let counts = counts.into_inner();
    println!("{counts:?}");
    assert!(counts.blind >= 50 && counts.simulated * 2 > counts.blind, "{counts:?}");
}

//! Plants with an ambiguous output (`results/choices/plant.py` makes larger ones): every mutant's verdict is that of the region graphs.

use std::collections::BTreeMap;
use std::fmt::Write;

use tamper::game::{Method, Scratch, Semantics, Specification, Verdict, replay};
use tamper::model::Automaton;
use tamper::text::{Budget, StopReason};
use testing::oracle::games::game;
use testing::oracle::operators::mutants;
use testing::oracle::refinement::{Answer, STRICT, decide};

/// Stations in a row; `finish!` leads on or to rework. The constants are as small as the shape allows.
fn plant(n_stations: usize, has_service: bool) -> Automaton {
    let mut text = String::from("clock x w\n");
    if has_service {
        text = String::from("clock x w s\n");
    }
    text += "loc idle\nloc done inv x<=1\nloc alarm\n";
    text += "edge idle -> work0 : start? do x:=0, w:=0\nedge done -> idle : deliver!\nedge alarm -> idle : reset?\n";
    for i in 0..n_stations {
        let next = if i + 1 < n_stations {
            format!("work{}", i + 1)
        } else {
            "done".to_owned()
        };
        let lines = format!(
            "edge work{i} -> {next} : finish! when x>=2 do x:=0, w:=0
            edge work{i} -> rework{i} : finish! when x>=1 do x:=0
            edge rework{i} -> work{i} : finish! when x>=1 do x:=0
            edge work{i} -> alarm : alarm! when w>=3\n"
        );
        text += &lines;
        if has_service {
            writeln!(text, "edge work{i} -> work{i} : service? when s>=1 do s:=0, w:=0").expect("a string");
        }
        text = text.replacen(
            "edge idle",
            &format!("loc work{i} inv x<=2\nloc rework{i} inv x<=1\nedge idle"),
            1,
        );
    }
    game("Plant", &text)
}

fn expected(answer: Answer) -> Verdict {
    match answer {
        Answer::Subsumed => Verdict::Subsumed,
        Answer::NonSubsumed => Verdict::NonSubsumed,
        Answer::Inconsistent => Verdict::Inconsistent,
        Answer::SpecInconsistent => panic!("a plant is consistent"),
    }
}

fn agree(spec: &Automaton) {
    let budget = Budget::unlimited();
    let specification = Specification::prepare(spec, Semantics::STRICT, &budget).expect("consistent");
    let mut scratch = Scratch::default();
    let mut ways = BTreeMap::new();
    let itself = ("itself".to_owned(), spec.clone());
    let all = mutants(spec).into_iter().map(|(_, what, mutant)| (what, mutant));
    for (what, mutant) in std::iter::once(itself).chain(all) {
        let decision = specification.decide(&mutant, &budget, &mut scratch).expect("a meaning");
        assert_eq!(decision.verdict, expected(decide(&mutant, spec, STRICT)), "{what}");
        *ways
            .entry(format!("{:?} {:?}", decision.method, decision.verdict))
            .or_insert(0) += 1;
        if decision.verdict == Verdict::NonSubsumed {
            let found = specification.counterexample(&mutant, &budget).expect("a meaning");
            let counterexample = found.counterexample();
            let counterexample = counterexample.unwrap_or_else(|| panic!("a counterexample to {what}"));
            replay(&mutant, spec, Semantics::STRICT, &counterexample).unwrap_or_else(|error| panic!("{what}: {error}"));
        }
    }
    for way in ["Counterpart Subsumed", "Strategy NonSubsumed"] {
        assert!(
            ways.get(way).is_some_and(|n| *n > 5),
            "{way} is too rare to test: {ways:?}"
        );
    }
}

#[test]
fn mutants_of_plants_have_the_verdicts_of_region_graphs() {
    agree(&plant(1, false));
    agree(&plant(2, false));
}

#[test]
fn mutants_of_a_serviced_plant_have_the_verdicts_of_region_graphs() {
    agree(&plant(1, true));
}

/// Whatever the limit, a game that is consistent refines itself.
#[test]
fn no_limit_keeps_a_game_from_refining_itself() {
    let spec = plant(3, true);
    let specification = Specification::prepare(&spec, Semantics::STRICT, &Budget::unlimited()).expect("consistent");
    let budget = Budget {
        max_states: Some(2),
        ..Budget::unlimited()
    };
    let mut scratch = Scratch::default();
    let decision = specification.decide(&spec, &budget, &mut scratch).expect("a meaning");
    assert_eq!((decision.verdict, decision.method), (Verdict::Subsumed, Method::Same));
    let other = plant(2, true);
    let decision = specification.decide(&other, &budget, &mut scratch).expect("a meaning");
    assert_eq!(decision.verdict, Verdict::Unknown(StopReason::States));
}

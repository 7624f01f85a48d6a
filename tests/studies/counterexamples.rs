//! Every non-subsumed mutant of order 1 has a counterexample, and it happens when both games are executed.

use std::collections::BTreeSet;

use tamper::game::{Disproof, Semantics, Specification, Verdict, replay};
use tamper::text::Budget;

use super::Study;
use super::tally::judge_all;

/// Executes the counterexamples of all non-subsumed mutants.
fn check(folder: &str, semantics: Semantics) {
    let study = Study::load(folder);
    let (spec, budget) = (study.specification.automaton(), Budget::unlimited());
    let specification = Specification::prepare(spec, semantics, &budget).expect("the study is consistent");
    let judged = judge_all(&specification);
    let killable: Vec<_> = judged
        .iter()
        .filter(|one| one.verdict == Verdict::NonSubsumed)
        .collect();
    assert!(!killable.is_empty());
    let mut wrong = BTreeSet::new();
    for one in killable {
        let mutant = one.mutation.apply(spec);
        let found = specification
            .counterexample(&mutant, &budget)
            .expect("the mutant has a meaning");
        let executed = match found {
            Disproof::Counterexample(counterexample) => {
                replay(&mutant, spec, semantics, &counterexample).map_err(|error| error.to_string())
            }
            other => Err(format!("there is none: {other:?}")),
        };
        if let Err(error) = executed {
            wrong.insert(format!("{}: {error}", one.mutation.id(spec)));
        }
    }
    assert_eq!(wrong, BTreeSet::new());
}

macro_rules! counterexamples {
    ($($name:ident)*) => {$(
        mod $name {
            use super::{Semantics, check};

            #[test]
            fn as_published() {
                check(stringify!($name), Semantics::TIGA);
            }
            #[test]
            fn with_unmatched_outputs_refused() {
                check(stringify!($name), Semantics::STRICT);
            }
            #[test]
            fn by_definition_7() {
                check(stringify!($name), Semantics::DEFINITION);
            }
        }
    )*};
}

counterexamples! {
    wfas
    mutex
    coffee
    hotel
    accel
    cas
}

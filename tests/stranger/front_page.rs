//! The library as another package sees it: a file to verdicts and a counterexample, without the command.

use std::path::{Path, PathBuf};

use tamper::game::{Semantics, Verdict, replay};
use tamper::mutation::Order;

fn study(name: &str) -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    root.join("case-studies").join(name).join("model.xml")
}

/// MUTEX has 47 mutants (\[003\] section 5.4.1); whatever a counterexample shows is played on both games again.
#[test]
fn mutants_are_made_decided_and_explained_from_outside() {
    let game = tamper::read(study("mutex")).expect("the study is readable");
    let mutants: Vec<_> = tamper::mutate(&game, Order::FIRST).expect("few").collect();
    assert_eq!(mutants.len(), 47);
    let verdicts = tamper::classify(&game, &mutants, Semantics::TIGA).expect("a consistent specification");
    assert_eq!(verdicts.len(), mutants.len());
    let mut n_played = 0;
    for (mutant, verdict) in mutants.iter().zip(&verdicts) {
        let found = tamper::counterexample(&game, mutant, Semantics::TIGA).expect("a meaning");
        assert_eq!(found.is_some(), *verdict == Verdict::NonSubsumed, "{}", mutant.id);
        if let Some(found) = found {
            replay(&mutant.automaton, &game, Semantics::TIGA, &found).expect("the counterexample can be played");
            n_played += 1;
        }
    }
    assert!(n_played > 0, "some mutant can be killed");
}

#[test]
fn what_cannot_be_answered_is_a_typed_error() {
    let missing = tamper::read("no-such-file.xml");
    assert!(matches!(missing, Err(tamper::Error::Read(_))), "{missing:?}");
}

//! `testgen --prune`: what is left out is killed by no test, and the tests that are made are the same.

use std::cell::RefCell;
use std::path::Path;

use tamper::experiment::killing::{Pruned, why_useless};
use tamper::experiment::{
    Engine, GuidelineSet, Judge, Limits, Log, MutantNote, MutantSet, Numbered, Run, Selection, StaticUse, Timer,
    classify,
};
use tamper::formats::suite_json::{Pruning, Suite, read_suite};
use tamper::game::{Semantics, Specification};
use tamper::guidelines;
use tamper::mutation::MutantSpace;
use tamper::suite::{SuiteFailure, Tester};

use crate::suites::adversary::{Case, case, truth};
use crate::suites::commands::{json, study, tamper};
use testing::oracle::run;

const LEVELS: [Pruning; 3] = [Pruning::Published, Pruning::Extended, Pruning::Exact];

/// The studies, and how many of their mutants of order 1 the levels name: those that `results/extended/page.md` has, in the reading `definition`.
const NAMED: [(&str, [u64; 3]); 6] = [
    ("cas", [326, 386, 386]),
    ("coffee", [32, 32, 32]),
    ("accel", [247, 248, 248]),
    ("hotel", [18, 18, 18]),
    ("wfas", [49, 53, 53]),
    ("mutex", [27, 35, 35]),
];

fn read(folder: &Path, level: &str) -> Suite {
    read_suite(&std::fs::read_to_string(folder.join(format!("{level}.json"))).unwrap()).unwrap()
}

#[test]
fn suites_of_the_studies_are_the_same_at_every_level() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let suite = |model: &str, level: &str| -> (u64, Suite) {
        let words = format!("testgen {model} --kill potential --style adaptive --prune {level} --out {level}.json");
        let said = json(at, &words, 0)["pruning"].clone();
        let count = |name| said[name].as_u64().unwrap_or_default();
        (count("left_out") + count("stayed"), read(at, level))
    };
    for (name, named) in NAMED {
        let model = study(name).display().to_string();
        let (_, whole) = suite(&model, "none");
        let fates = |suite: &Suite| -> Vec<_> {
            let mutants = suite.mutants.iter();
            mutants
                .map(|mutant| (mutant.id.clone(), mutant.killable.clone(), mutant.test.clone()))
                .collect()
        };
        for (level, expected) in LEVELS.into_iter().zip(named) {
            let (found, pruned) = suite(&model, level.name());
            assert_eq!((found, pruned.pruning), (expected, level), "{name}");
            assert!(
                pruned.tests == whole.tests && fates(&pruned) == fates(&whole),
                "{name}, {level}"
            );
        }
        let score = json(at, &format!("score exact.json {model}"), 0);
        assert_eq!(score["killable"], score["killed"], "{name}");
    }
}

#[test]
fn what_cannot_be_left_out_is_refused_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let network = [env!("CARGO_MANIFEST_DIR"), "uppaal-models/networks/lamp-and-user.xml"].join("/");
    let words = |level: &str| format!("testgen {network} --prune {level} --out {level}.json");
    let run = |level: &str| tamper(folder.path(), &words(level));
    let refused = run("extended");
    let said = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(
        refused.status.code() == Some(2) && said.contains("not for processes of a network"),
        "{said}"
    );
    let tests = |level: &str| {
        assert_eq!(run(level).status.code(), Some(0), "{level}");
        read(folder.path(), level).tests
    };
    let whole = tests("none");
    assert!(!whole.is_empty() && tests("published") == whole && tests("exact") == whole);
}

#[derive(Default, Debug)]
struct Tally {
    left_out: [u32; 3],
    /// Mutants that a level names and that a test can fail on.
    chosen: u32,
}

fn pruned(tester: &Tester, level: Pruning, (space, selection): (&MutantSpace, &Selection)) -> Option<Pruned> {
    let timer = Timer::new(Limits::default());
    let said: Vec<MutantNote> = match level {
        Pruning::None | Pruning::Published => Vec::new(),
        _ => {
            let specification =
                Specification::prepare(tester.automaton(), Semantics::DEFINITION, &timer.budget()).ok()?;
            let (statics, guidelines) = match level {
                Pruning::Extended => (StaticUse::Only, GuidelineSet::Extended),
                _ => (StaticUse::Use, GuidelineSet::Published),
            };
            let judge = Judge::new(specification, statics, false, Timer::new(Limits::default()));
            let judge = judge.with_guidelines(guidelines).with_engine(Engine::Family);
            let run = Run {
                space,
                selection,
                judge: &judge,
                rules: &guidelines::violated,
            };
            let mut log = Log::remembering();
            classify(run, &mut log, &mut |_| ()).expect("it is decided");
            log.into_said()
        }
    };
    let useless = |position: u64, mutant: &Numbered| match level {
        Pruning::Published => space.rules(mutant).map(|rules| format!("{rules:?}")),
        _ => why_useless(&said[usize::try_from(position).unwrap()]).map(str::to_owned),
    };
    Pruned::of((space, selection), tester, &useless, &timer).expect("the mutants are there")
}

fn check(case: &Case, tally: &RefCell<Tally>) -> Result<(), String> {
    let Some(tester) = case.tester() else { return Ok(()) };
    let spec = tester.automaton();
    let Some((space, selection)) = case.mutants(spec) else {
        return Ok(());
    };
    let candidates = case.candidates(&tester);
    let mut tally = tally.borrow_mut();
    for (nth, level) in LEVELS.into_iter().enumerate() {
        let Some(pruned) = pruned(&tester, level, (&space, &selection)) else {
            continue;
        };
        tally.chosen += u32::try_from(pruned.choosing).unwrap();
        for (at, candidate) in candidates.iter().enumerate().filter(|(at, _)| pruned.has(*at as u64)) {
            tally.left_out[nth] += 1;
            let is_invalid = matches!(candidate.subject, Err(SuiteFailure::Game(_)));
            if !is_invalid && truth(spec, candidate, case.refusals)?.potential {
                return Err(format!(
                    "{level} leaves out {} (mutant {at}), on which a test can fail",
                    candidate.id
                ));
            }
        }
    }
    Ok(())
}

/// Judged by the game on regions.
#[test]
fn no_test_kills_a_mutant_that_is_left_out() {
    let tally = RefCell::new(Tally::default());
    run::check(150, &case(), |case| check(case, &tally));
    let tally = tally.into_inner();
    println!("{tally:?}");
    let [published, extended, exact] = tally.left_out;
    assert!(
        published >= 50 && extended > published && exact >= extended,
        "{tally:?}"
    );
    assert!(tally.chosen >= 5, "{tally:?}");
}

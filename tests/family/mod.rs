//! The family engine against the enumerative one: the same verdict on every mutant.

mod products;
mod relocated;

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::PathBuf;

use proptest::prelude::*;
use tamper::experiment::{
    Engine, GuidelineSet, Judge, Limits, Log, Manifest, ModelRef, OutputDir, Plan, Run, Sample, Selection, StaticUse,
    Timer, change, classify, tally,
};
use tamper::formats::uppaal::{self, ReadOptions};
use tamper::game::{Evidence, Families, GameError, How, Scratch, Semantics, Specification, Verdict};
use tamper::model::Automaton;
use tamper::mutation::{MutantSpace, MutationOptions, Mutations, Order};
use tamper::text::Budget;
use testing::oracle::generate::{self, Shown, Sketch};
use testing::oracle::run;

fn study(name: &str) -> Automaton {
    let path: PathBuf = [env!("CARGO_MANIFEST_DIR"), "case-studies", name, "model.xml"]
        .iter()
        .collect();
    let (document, _) = uppaal::read_file(&path, &ReadOptions::default()).expect("the model is readable");
    document.automata()[0].clone()
}

/// What one run is about.
#[derive(Clone, Copy)]
struct Setting<'a> {
    spec: &'a Automaton,
    order: Order,
    semantics: Semantics,
    statics: StaticUse,
    guidelines: GuidelineSet,
    witness: bool,
    sample: Option<Sample>,
}

/// The bytes of `mutants.jsonl`, and how many mutants each method decided.
fn records(setting: &Setting<'_>, engine: Engine) -> (String, BTreeMap<&'static str, u64>) {
    let plan = Plan {
        model: ModelRef {
            file: String::new(),
            template: String::new(),
            hash: String::new(),
        },
        input_enabled: setting.spec.is_input_enabled(),
        sees_propositions: false,
        order: setting.order,
        mutation: MutationOptions::default(),
        semantics: setting.semantics,
        statics: setting.statics,
        guidelines: setting.guidelines,
        sample: setting.sample,
        seed: Some(11),
        only: None,
        shard: None,
        limits: Limits::default(),
        witness: setting.witness,
    };
    let space = MutantSpace::new(setting.spec, &plan.mutation, plan.order).expect("they can be numbered");
    let selection = Selection::of(&space, plan.sample, 11).expect("a sample");
    let specification = Specification::prepare(setting.spec, plan.semantics, &Budget::unlimited()).expect("consistent");
    let judge = Judge::new(specification, plan.statics, plan.witness, Timer::new(plan.limits))
        .with_guidelines(plan.guidelines)
        .with_engine(engine);
    let folder = tempfile::tempdir().expect("a folder");
    let manifest = Manifest::new(&plan, space.len(), selection.len());
    let output = OutputDir::create(&folder.path().join("run"), &manifest).expect("the folder can be made");
    let run = Run {
        space: &space,
        selection: &selection,
        judge: &judge,
        rules: &tamper::guidelines::violated,
    };
    let summary = classify(run, &mut Log::create(&output).expect("a log"), &mut |_| ()).expect("a run");
    assert_eq!(summary.unsound(), [""; 0], "a guideline is wrong");
    if engine == Engine::Family && plan.guidelines == GuidelineSet::Published && plan.sample.is_none() {
        // So few bytes that the mutants are gone through several times.
        let counted = tally(run, &output, 4 * space.len(), &mut |_| ()).expect("counts");
        assert_eq!(counted.as_ref(), Some(&summary));
        // What is done is not done again.
        let again = tally(run, &output, 4 * space.len(), &mut |_| panic!("all passes are done")).expect("counts");
        assert_eq!(again, Some(summary.clone()));
    }
    let text = std::fs::read_to_string(output.path().join("mutants.jsonl")).expect("records");
    (text, summary.methods().clone())
}

fn assert_same(setting: &Setting<'_>, what: &str) -> BTreeMap<&'static str, u64> {
    let (expected, _) = records(setting, Engine::Enumerate);
    let (found, methods) = records(setting, Engine::Family);
    let mut lines = expected.lines().zip(found.lines());
    assert_eq!(lines.find(|(a, b)| a != b), None, "{what}");
    assert_eq!(expected.len(), found.len(), "{what}");
    methods
}

#[test]
fn both_engines_write_the_same_records_on_all_studies() {
    let mut total = BTreeMap::new();
    for name in ["mutex", "hotel", "coffee", "wfas", "accel", "cas"] {
        let spec = study(name);
        for order in [Order::FIRST, Order::SECOND] {
            let is_large = order == Order::SECOND && matches!(name, "accel" | "cas");
            if is_large && cfg!(debug_assertions) {
                continue;
            }
            for semantics in Semantics::ALL {
                let is_long = order == Order::SECOND && (name == "cas" || cfg!(debug_assertions));
                for statics in [StaticUse::Use, StaticUse::Off] {
                    // One combination is enough where a run takes long.
                    if is_long
                        && (semantics != Semantics::TIGA || (statics == StaticUse::Off) != cfg!(debug_assertions))
                    {
                        continue;
                    }
                    let setting = Setting {
                        spec: &spec,
                        order,
                        semantics,
                        statics,
                        guidelines: GuidelineSet::Published,
                        witness: false,
                        sample: None,
                    };
                    let methods = assert_same(&setting, &format!("{name} {order:?} {semantics} {statics:?}"));
                    for (method, n) in methods {
                        *total.entry(method).or_insert(0) += n;
                    }
                }
            }
        }
    }
    for method in ["rule", "consistency", "replay", "diagonal", "product"] {
        assert!(total.get(method).is_some_and(|n| *n > 100), "{method}: {total:?}");
    }
}

/// Every sequence of three of the three smallest, some of the others. Each verdict is the game's: guidelines are checked, too.
#[test]
fn both_engines_write_the_same_records_at_order_three() {
    let mut total = BTreeMap::new();
    for name in ["hotel", "mutex", "coffee", "wfas", "accel", "cas"] {
        let spec = study(name);
        let is_small = matches!(name, "hotel" | "mutex" | "coffee");
        let whole = is_small && !cfg!(debug_assertions);
        for (semantics, statics) in [(Semantics::TIGA, StaticUse::Off), (Semantics::STRICT, StaticUse::Use)] {
            let setting = Setting {
                spec: &spec,
                order: Order::new(3).expect("an order"),
                semantics,
                statics,
                guidelines: GuidelineSet::Published,
                witness: false,
                sample: (!whole).then_some(Sample::Count(2000)),
            };
            for (method, n) in assert_same(&setting, &format!("{name} {semantics}")) {
                *total.entry(method).or_insert(0) += n;
            }
        }
    }
    for method in ["rule", "consistency", "replay", "diagonal", "product", "duplicate"] {
        assert!(total.get(method).is_some_and(|n| *n > 100), "{method}: {total:?}");
    }
}

#[test]
fn both_engines_write_the_same_reasons_and_witnesses() {
    for (name, order, sample) in [
        ("coffee", 1, None),
        ("wfas", 1, None),
        ("coffee", 3, Some(Sample::Count(300))),
    ] {
        let spec = study(name);
        let setting = Setting {
            spec: &spec,
            order: Order::new(order).expect("an order"),
            semantics: Semantics::TIGA,
            statics: StaticUse::Use,
            guidelines: GuidelineSet::Extended,
            witness: true,
            sample,
        };
        assert_same(&setting, name);
    }
}

/// The game of a sketch without what makes families decide mutants on their own.
fn plain(mut sketch: Sketch) -> Shown {
    sketch.int = None;
    sketch.input_enabled = false;
    sketch.urgent.fill(false);
    for edge in &mut sketch.edges {
        edge.select = false;
        edge.assign = None;
        edge.data = None;
    }
    Shown(sketch.build("Spec"))
}

/// How often each method decided.
type Tally = RefCell<BTreeMap<(How, Verdict), u32>>;

/// Walks down random families of `spec` to order 3 and holds every verdict against the game of the mutant itself.
fn families_are_exact(spec: &Automaton, choices: &[u64], semantics: Semantics, tally: &Tally) -> Result<(), String> {
    let text = |error: GameError| error.to_string();
    let unlimited = Budget::unlimited();
    let specification = match Specification::prepare(spec, semantics, &unlimited) {
        Ok(specification) => specification,
        Err(GameError::SpecInconsistent { .. }) => return Ok(()),
        Err(error) => return Err(text(error)),
    };
    let Some(families) = Families::of(&specification).map_err(text)? else {
        return Ok(());
    };
    let options = MutationOptions {
        conjuncts: true,
        cxs_to_zero: true,
        ..MutationOptions::default()
    };
    let mut scratch = Scratch::default();
    let mut evidence: Vec<std::sync::Arc<Evidence>> = Vec::new();
    for walk in choices.chunks(3) {
        let mut family = families.original();
        let mut parent = spec.clone();
        for choice in walk {
            let mutations = Mutations::of(&parent, &options);
            let decide_on = |number: u64| mutations.get(number % mutations.len().max(1));
            let mut own = None;
            // Some members, then the one to go on with.
            for number in [choice / 7, choice / 11, choice / 13, choice / 17, *choice] {
                let Some(mutation) = decide_on(number) else {
                    return Ok(());
                };
                let mutant = mutation.apply(&parent);
                let expected = specification
                    .decide(&mutant, &unlimited, &mut scratch)
                    .map_err(text)?
                    .verdict;
                let change = change(&mutation, &parent).ok_or("no change")?;
                let hints: Vec<&Evidence> = evidence.iter().map(|evidence| &**evidence).collect();
                let found = family.decide(&change, &hints, &mut scratch);
                let describe = || {
                    format!(
                        "{semantics}: {} instead of {expected:?}:\n{}",
                        mutation.id(&parent),
                        testing::oracle::show::show(&mutant)
                    )
                };
                let Some((verdict, how)) = found else {
                    return Err(format!("not decided: {}", describe()));
                };
                *tally.borrow_mut().entry((how, verdict)).or_insert(0) += 1;
                if verdict != expected {
                    return Err(format!("{verdict:?} by {how:?}, {}", describe()));
                }
                let (again, _, found) = family.investigate(&change, &mut scratch).ok_or("not investigated")?;
                let fits = match &found {
                    None => true,
                    Some(Evidence::No(_)) => expected == Verdict::NonSubsumed,
                    Some(Evidence::Yes(_)) => expected == Verdict::Subsumed,
                };
                if again != expected || !fits {
                    return Err(format!("{again:?} when investigated, {}", describe()));
                }
                let is_consistent = family.is_consistent(&change);
                if is_consistent != Some(expected != Verdict::Inconsistent) {
                    return Err(format!("consistent: {is_consistent:?}, {}", describe()));
                }
                own = found.map(std::sync::Arc::new);
                evidence.extend(own.clone());
            }
            let Some(mutation) = decide_on(*choice) else {
                return Ok(());
            };
            let change = change(&mutation, &parent).ok_or("no change")?;
            family = family.child(&change, own).ok_or("no child")?;
            parent = mutation.apply(&parent);
        }
    }
    Ok(())
}

fn check_families(cases: u32, games: impl Strategy<Value = Shown>) {
    let tally = Tally::default();
    let games = (games, prop::collection::vec(any::<u64>(), 6));
    run::check(cases, &games, |(Shown(spec), choices)| {
        Semantics::ALL
            .iter()
            .try_for_each(|semantics| families_are_exact(spec, choices, *semantics, &tally))
    });
    let tally = tally.into_inner();
    for kind in [
        (How::Consistency, Verdict::Inconsistent),
        (How::Replay, Verdict::NonSubsumed),
        (How::Diagonal, Verdict::Subsumed),
        (How::Relation, Verdict::Subsumed),
        (How::Product, Verdict::Subsumed),
        (How::Product, Verdict::NonSubsumed),
        (How::Counterpart, Verdict::Subsumed),
        (How::Counterpart, Verdict::NonSubsumed),
        (How::Strategy, Verdict::Subsumed),
        (How::Strategy, Verdict::NonSubsumed),
    ] {
        assert!(
            tally.get(&kind).is_some_and(|n| *n > 5),
            "{kind:?} is too rare to test: {tally:?}"
        );
    }
}

const CASES: u32 = if cfg!(debug_assertions) { 150 } else { 1000 };

#[test]
fn families_of_random_games_are_exact() {
    check_families(CASES, generate::sketch_with(0).prop_map(plain));
}

#[test]
fn families_of_random_games_with_clock_differences_are_exact() {
    check_families(CASES / 3, generate::sketch_with(40).prop_map(plain));
}

#[test]
fn both_engines_agree_on_random_games_with_integers_urgent_channels_and_ignored_inputs() {
    run::check(CASES / 5, &generate::game(), |Shown(spec)| {
        for semantics in Semantics::ALL {
            match Specification::prepare(spec, semantics, &Budget::unlimited()) {
                Ok(_) => {}
                Err(GameError::SpecInconsistent { .. }) => continue,
                Err(error) => return Err(error.to_string()),
            }
            let setting = Setting {
                spec,
                order: Order::FIRST,
                semantics,
                statics: StaticUse::Off,
                guidelines: GuidelineSet::Published,
                witness: false,
                sample: None,
            };
            let (expected, found) = (
                records(&setting, Engine::Enumerate).0,
                records(&setting, Engine::Family).0,
            );
            if expected != found {
                return Err(format!("{semantics}:\n{expected}\n{found}"));
            }
        }
        Ok(())
    });
}

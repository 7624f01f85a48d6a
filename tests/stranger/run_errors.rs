//! What cannot be done about a run, as another package sees it: kinds that can be told apart, and one sentence of them all.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use tamper::experiment::{
    Engine, ExperimentError, FileAction, Filter, GuidelineSet, Kept, Limits, Log, Manifest, ModelRef, NetworkJudge,
    NetworkSettings, OutputDir, Plan, Prepared, Run, Selection, ShareKind, SharesError, Sink, Source, StaticUse, Timer,
    classify, walk, write_file,
};
use tamper::formats::read_network_file;
use tamper::game::Semantics;
use tamper::mutation::{MutationOptions, Order};
use tamper::network::View;
use tamper::text::StopReason;
use tempfile::TempDir;

fn root(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path)
}

fn plan(seed: u64) -> Plan {
    Plan {
        model: ModelRef {
            file: "model.xml".to_owned(),
            template: "MUTEX".to_owned(),
            hash: String::new(),
        },
        input_enabled: false,
        sees_propositions: false,
        order: Order::FIRST,
        mutation: MutationOptions::default(),
        semantics: Semantics::STRICT,
        statics: StaticUse::Only,
        guidelines: GuidelineSet::Published,
        sample: None,
        only: None,
        seed: Some(seed),
        shard: None,
        limits: Limits::default(),
        witness: false,
    }
}

/// `seed` is only written down where there is a sample.
fn manifest(seed: u64) -> Manifest {
    let mut plan = plan(seed);
    plan.sample = "5".parse().ok();
    Manifest::new(&plan, 47, 5)
}

fn folder() -> TempDir {
    tempfile::tempdir().expect("a folder")
}

#[test]
fn what_is_not_there_or_in_use_or_of_someone_else_is_told_apart() {
    let folder = folder();
    let run = folder.path().join("run");
    let missing = OutputDir::resume(&run, &manifest(1)).expect_err("no run");
    assert!(
        matches!(&missing, ExperimentError::NothingToResume { path, .. } if *path == run),
        "{missing:?}"
    );
    let held = OutputDir::create(&run, &manifest(1)).expect("a new folder");
    let in_use = OutputDir::resume(&run, &manifest(1)).expect_err("it is locked");
    assert!(
        matches!(&in_use, ExperimentError::InUse { path, .. } if *path == run),
        "{in_use:?}"
    );
    drop(held);
    match OutputDir::resume(&run, &manifest(2)) {
        Err(ExperimentError::OtherRun { differences, .. }) => assert_eq!(differences, ["seed"]),
        other => panic!("{other:?}"),
    }
    fs::write(run.join("manifest.json"), "{").expect("a file");
    let torn = Manifest::read(&run).expect_err("no JSON");
    assert!(
        matches!(&torn, ExperimentError::Malformed { source: Some(_), .. }),
        "{torn:?}"
    );
    fs::remove_file(run.join("manifest.json")).expect("it is there");
    fs::write(run.join("thesis.tex"), "").expect("a file");
    let kept = OutputDir::create(&run, &manifest(1)).expect_err("a thesis");
    assert!(
        matches!(&kept, ExperimentError::Place { path, .. } if *path == run),
        "{kept:?}"
    );
    assert!(run.join("thesis.tex").exists());
}

#[test]
fn a_refusal_of_the_file_system_says_what_was_done_with_which_file() {
    let folder = folder();
    let file = folder.path().join("missing").join("file");
    let error = write_file(&file, "text").expect_err("there is no folder");
    let (action, path, source) = match &error {
        ExperimentError::File { action, path, source } => (action, path, source),
        other => panic!("{other:?}"),
    };
    assert_eq!((action, path), (&FileAction::Write, &file));
    assert_eq!(source.kind(), io::ErrorKind::NotFound);
    // By itself it says its own part, and `#` its causes, too.
    assert_eq!(error.to_string(), format!("cannot write {}", file.display()));
    assert_eq!(format!("{error:#}"), format!("{error}: {source}"));
}

#[test]
fn shares_that_are_not_there_are_named() {
    assert!(matches!(
        ShareKind::of(&[]),
        Err(ExperimentError::Shares(SharesError::Nothing))
    ));
}

#[test]
fn a_limit_is_a_limit() {
    let (file, ..) = read_network_file(&root("uppaal-models/networks/fischer.xml")).expect("a network");
    let view = View::closed("fischer", &file.network);
    let limits = Limits {
        max_states: Some(3),
        ..Limits::default()
    };
    for engine in [Engine::Family, Engine::Enumerate] {
        let settings = NetworkSettings {
            semantics: Semantics::DEFINITION,
            statics: StaticUse::Use,
            witness: false,
            engine,
            composed_first: NetworkSettings::COMPOSED_FIRST,
        };
        let judge = NetworkJudge::new(&file.network, &view, &[], settings, Timer::new(limits));
        let error = judge.expect_err("three states are too few");
        assert_eq!(error.limit(), Some(StopReason::States), "{error:?}");
    }
}

/// Takes nothing, for a reason of its own.
struct Full;

impl Sink for Full {
    fn take(&mut self, _: Vec<Kept>) -> Result<(), ExperimentError> {
        Err(ExperimentError::Sink("the tape is full".into()))
    }
    fn finish(self: Box<Self>) -> Result<(), ExperimentError> {
        Ok(())
    }
}

#[test]
fn a_run_is_walked_when_it_is_finished_and_a_sink_may_fail_as_it_likes() {
    let game = tamper::read(root("case-studies/mutex/model.xml")).expect("the study is readable");
    let plan = plan(0);
    let Prepared {
        space,
        selection,
        judge,
    } = Prepared::new(&game, &plan, Timer::new(plan.limits)).expect("a plan");
    let folder = folder();
    let manifest = Manifest::new(&plan, space.len(), selection.len());
    let output = OutputDir::create(&folder.path().join("run"), &manifest).expect("a new folder");
    let run = Run {
        space: &space,
        selection: &selection,
        judge: &judge,
        rules: &tamper::guidelines::violated,
    };
    classify(run, &mut Log::create(&output).expect("a log"), &mut |_| ()).expect("a run");
    let walked = |selection: &Selection| {
        let source = Source {
            set: &space,
            selection,
            folder: output.path(),
            filter: &Filter::all(),
            shard: None,
        };
        walk(source, &mut Full, &mut |_| ()).expect_err("it takes nothing")
    };
    let full = walked(&selection);
    assert!(matches!(&full, ExperimentError::Sink(_)), "{full:?}");
    assert_eq!(full.to_string(), "the tape is full");
    // One record less than there are mutants.
    let records = output.path().join("mutants.jsonl");
    let text = fs::read_to_string(&records).expect("records");
    let end = text.trim_end().rfind('\n').expect("many lines");
    fs::write(&records, &text[..=end]).expect("a file");
    let unfinished = walked(&selection);
    assert!(matches!(&unfinished, ExperimentError::Unfinished(_)), "{unfinished:?}");
}

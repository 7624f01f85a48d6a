//! An operator of one's own: its mutants are decided in a run, killed by a suite, scored and exported as those of any other.

use std::error::Error;
use std::fs;
use std::path::Path;

use tamper::experiment::killing::{KillGoal, Strategy, SuiteOptions, candidates, generate, score};
use tamper::experiment::{
    FilesSink, Filter, Log, Manifest, OutputDir, Plan, Prepared, Run, Sink, Source, Timer, UppaalFiles, classify, walk,
};
use tamper::formats::{ReadOptions, read_file};
use tamper::model::{Automaton, Role};
use tamper::mutation::{Alteration, MutationOptions, Operator};
use tamper::report::{classification_text, score_text};
use tamper::suite::{Pick, Refusals, Style, Tester};

/// The operator: an input is taken and ignored.
fn back(game: &Automaton) -> Vec<Alteration> {
    let edges = game.edges().iter_enumerated();
    let inputs = edges.filter(|(edge, _)| game.role(*edge) == Role::Input);
    let back = inputs.map(|(edge, parts)| Alteration::Target {
        edge,
        target: parts.source,
    });
    back.collect()
}

#[test]
fn an_operator_of_ones_own_enters_runs_suites_scores_and_exports() -> Result<(), Box<dyn Error>> {
    let deaf = Operator::own(
        "DEAF",
        "ignore an input",
        "each input edge leads back to its source",
        back,
    )?;
    let (document, _) = read_file(Path::new("../../uppaal-models/lamp.xml"), &ReadOptions::default())?;
    let lamp = &document.automata()[0];
    let folder = tempfile::tempdir()?;

    // A run in a folder.
    let plan = Plan::of("lamp.xml", lamp, MutationOptions::only(deaf));
    let timer = || Timer::new(plan.limits);
    let Prepared {
        space,
        selection,
        judge,
    } = Prepared::new(lamp, &plan, timer())?;
    let manifest = Manifest::new(&plan, space.len(), selection.len());
    let output = OutputDir::create(&folder.path().join("run"), &manifest)?;
    let rules = &tamper::guidelines::violated;
    let run = Run {
        space: &space,
        selection: &selection,
        judge: &judge,
        rules,
    };
    let summary = classify(run, &mut Log::create(&output)?, &mut |_| ())?;
    println!("{}", classification_text(&summary));
    // Whoever presses one of the four times waits longer for a light than the lamp may take.
    assert_eq!((summary.total().total, summary.total().non_subsumed), (4, 4));

    // A suite, and its score.
    let tester = Tester::new(lamp, &timer().budget())?;
    let mutants = candidates(&space, &selection, &|_| true, &tester, &timer())?;
    let options = SuiteOptions {
        wanted: KillGoal::Both,
        style: Style::Adaptive,
        pick: Pick::Earliest,
        strategy: Strategy::Minimal,
        rounds: 1,
        refusals: Refusals::Error,
        linger: None,
        mutation: plan.mutation.clone(),
        max_nodes: 1_000_000,
    };
    let suite = generate(&tester, &mutants, &options, &timer(), &|_| ())?;
    let scored = score(&tester, &mutants, &suite.tests, &options, &timer())?;
    println!("{}", score_text(&scored));
    assert_eq!((scored.total.killable, scored.total.killed), (4, 4));

    // Its mutants as files of UPPAAL: those that begin where the light is dim.
    let filter = Filter::parse("the filter", "operator == DEAF and source == Dim")?;
    let source = Source {
        set: &space,
        selection: &selection,
        folder: output.path(),
        filter: &filter,
        shard: None,
    };
    let files = folder.path().join("files");
    fs::create_dir(&files)?;
    let mut sink = FilesSink::create(&files, Box::new(UppaalFiles::new(document.clone(), 0)))?;
    walk(source, &mut sink, &mut |_| ())?;
    Box::new(sink).finish()?;
    let index = fs::read_to_string(files.join("index.jsonl"))?;
    assert_eq!(index.lines().count(), 2, "{index}");
    assert!(
        index.contains("DEAF:Dim->Brightening#0:=>Dim") && index.contains("DEAF:Dim->Stopping#0:=>Dim"),
        "{index}"
    );
    Ok(())
}

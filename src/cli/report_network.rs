//! `tamper report` of mutants of a network.

use std::path::Path;

use anyhow::{Context as _, Result};

use super::args::GlobalArgs;
use super::exit::ExitCode;
use super::network_args::MutatedNetwork;
use super::run_args::ReportArgs;
use super::suites::Bench;
use super::terminal::Terminal;
use tamper::experiment::{Component, Kept, Manifest, NetworkRecords, Places, Selection, Timer, write_file};
use tamper::formats::template_placement;
use tamper::report::{PageFacts, RunPage, Scene, SuitePage};

/// Writes the page of a run of `classify --mutate`.
pub fn report(args: &ReportArgs, global: &GlobalArgs, terminal: &Terminal) -> Result<ExitCode> {
    let manifest = Manifest::read(&args.run)?;
    let mutated = MutatedNetwork::of_run(args.of_run.model.as_deref(), &args.network, &args.run, terminal)?;
    let plan = manifest.plan();
    let plan = plan.with_context(|| format!("the manifest in {} is of another version", args.run.display()))?;
    let mutants = mutated.mutants(&plan.mutation)?;
    let components = &mutated.components;
    let total = mutants.len();
    let selection = Selection::of_each(total, plan.sample, plan.seed);
    let named = components.iter().map(|one| (one.name.clone(), one.skeleton().clone()));
    let mut page = RunPage::of_processes(named.collect());
    let mut records = NetworkRecords::open(&args.run)?;
    for number in selection.slice(0..selection.len()) {
        let mutant = mutants.get(number);
        let mutant = mutant.with_context(|| format!("there is no mutant {number}"))?;
        let record = records.next_of(&mutant.id())?;
        let kept = Kept {
            number,
            record,
            mutations: vec![mutant.mutation],
            places: Places::default(),
            parent: mutant.component.skeleton().clone(),
        };
        page.add_of(mutant.at, &kept);
    }
    let scene = |component: &Component| {
        let template = component
            .processes
            .first()
            .map_or("", |process| &mutated.file.templates[*process]);
        let placement = template_placement(&mutated.file, template, component.skeleton());
        Scene::of(component.skeleton(), &placement, &[])
    };
    let scenes: Vec<Scene> = components.iter().map(scene).collect();
    let facts = PageFacts::of(&plan, &args.run, selection.len(), total);
    let suite = args.tests.suite.as_deref();
    let suite = suite.map(|path| scored((path, &mutated), (args, global, terminal), &page));
    write_file(&args.out, page.html(&facts, &scenes, suite.transpose()?.as_ref()))?;
    terminal.note(&format!("{} mutants in {}", selection.len(), args.out.display()));
    Ok(ExitCode::Yes)
}

/// The suite in `path`, scored against the non-subsumed mutants of the run.
fn scored(
    (path, mutated): (&Path, &MutatedNetwork),
    (args, global, terminal): (&ReportArgs, &GlobalArgs, &Terminal),
    page: &RunPage,
) -> Result<SuitePage> {
    let timer = Timer::new(args.limits.resolve());
    let bench = Bench::of_network_run(mutated, (&args.run, None), timer, (global, terminal))?;
    bench.page(path, page, terminal)
}

//! `tamper report` of mutants of a network.

use std::fs::File;
use std::io::{BufRead as _, BufReader};
use std::path::Path;

use anyhow::{Context as _, Result, bail};

use super::exit::ExitCode;
use super::network_args::network_file;
use super::run_args::ReportArgs;
use super::terminal::Terminal;
use crate::experiment::{
    Component, Kept, Manifest, NetworkRun, Places, Record, Scope, Selection, components, write_file,
};
use crate::formats::{NetworkFile, template_placement};
use crate::mutation::Mutation;
use crate::report::{PageFacts, RunPage, Scene};

/// Writes the page of a run of `classify --mutate`.
pub fn report(args: &ReportArgs, terminal: &Terminal) -> Result<ExitCode> {
    if args.suite.is_some() {
        bail!(
            "--suite: suites are scored against the composed file, which `tamper compose` writes, not against processes"
        );
    }
    let manifest = Manifest::read(&args.run)?;
    let path = args.model.as_deref().unwrap_or(Path::new(&manifest.model().file));
    let (file, bytes) = network_file(path, terminal)?;
    if args.network.hash(&bytes) != manifest.model().hash {
        bail!(
            "the run in {} is about another model than {}, or was made with other options of networks: repeat them here",
            args.run.display(),
            path.display()
        );
    }
    let components = mutated(args, &manifest, &file)?;
    let plan = manifest.plan();
    let plan = plan.with_context(|| format!("the manifest in {} is of another version", args.run.display()))?;
    let total = NetworkRun::n_mutants(&components, &plan.mutation);
    let selection = Selection::of_network(total, plan.sample, plan.seed);
    let all = components.iter().enumerate().flat_map(|(at, component)| {
        let all: Vec<Mutation> = component.mutations(&plan.mutation).iter().collect();
        all.into_iter().map(move |mutation| (at, mutation))
    });
    let all: Vec<(usize, Mutation)> = all.collect();
    let named = components.iter().map(|one| (one.name.clone(), one.skeleton().clone()));
    let mut page = RunPage::of_processes(named.collect());
    let mut records = Records::open(&args.run)?;
    for number in selection.slice(0..selection.len()) {
        let found = usize::try_from(number).ok().and_then(|at| all.get(at));
        let (at, mutation) = found.with_context(|| format!("there is no mutant {number}"))?;
        let component = &components[*at];
        let record = records.next(&component.id(mutation))?;
        let kept = Kept {
            number,
            record,
            mutations: vec![*mutation],
            places: Places::default(),
            parent: component.skeleton().clone(),
        };
        page.add_of(*at, &kept);
    }
    let scene = |component: &Component| {
        let template = component
            .processes
            .first()
            .map_or("", |process| &file.templates[*process]);
        let placement = template_placement(file.source.text(), template, component.skeleton());
        Scene::of(component.skeleton(), &placement, &[])
    };
    let scenes: Vec<Scene> = components.iter().map(scene).collect();
    let facts = PageFacts::of(&plan, &args.run, (selection.len(), total));
    write_file(&args.out, page.html(&facts, &scenes, None))?;
    terminal.note(&format!("{} mutants in {}", selection.len(), args.out.display()));
    Ok(ExitCode::Yes)
}

fn mutated(args: &ReportArgs, manifest: &Manifest, file: &NetworkFile) -> Result<Vec<Component>> {
    let view = args.network.view(&file.network)?;
    let scope = manifest.network().context("the run is on mutants of a network")?;
    let kind = [Scope::Template, Scope::Instance]
        .into_iter()
        .find(|kind| kind.name() == scope.scope);
    let kind = kind.with_context(|| format!("the manifest in {} is of another version", args.run.display()))?;
    Ok(components(
        (&file.network, &view),
        &file.templates,
        &scope.mutated,
        kind,
    )?)
}

/// The records of a run.
struct Records {
    lines: std::io::Lines<BufReader<File>>,
    read: u64,
}

impl Records {
    fn open(folder: &Path) -> Result<Self> {
        let path = folder.join("mutants.jsonl");
        let file = File::open(&path).with_context(|| format!("cannot read {}", path.display()))?;
        Ok(Self {
            lines: BufReader::new(file).lines(),
            read: 0,
        })
    }

    /// The next one, which is of the mutant with that id.
    fn next(&mut self, id: &str) -> Result<Record> {
        let line = self.lines.next().transpose().context("cannot read mutants.jsonl")?;
        let line = line.context("the run is not finished: finish it with `tamper classify --resume`")?;
        self.read += 1;
        Record::of_mutant(&line, self.read, id)
    }
}

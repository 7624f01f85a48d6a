//! `tamper export` of mutants of a network.

use std::path::Path;

use anyhow::{Context as _, Result, bail};

use super::exit::ExitCode;
use super::export::{all_decided, report};
use super::game_args::{ExportArgs, ExportFormat};
use super::network_args::MutatedNetwork;
use super::prepare::plan;
use super::terminal::Terminal;
use tamper::experiment::{
    Engine, ExportRef, FilesSink, Filter, GuidelineSet, Knowledge, Log, Manifest, Needs, NetworkFiles, NetworkJudge,
    NetworkMutants, NetworkRun, NetworkSettings, OutputDir, Plan, Selection, Sink, StaticUse, TableKind, TableSink,
    classify,
};

/// Writes the mutants that a condition keeps: each as the whole network with the mutation written into it.
pub fn export(args: &ExportArgs, terminal: &Terminal) -> Result<ExitCode> {
    refuse(args)?;
    let filter = Filter::parse("--keep", &args.keep)?;
    let mutated = match &args.source.run {
        Some(folder) => MutatedNetwork::of_run(Some(&args.file), &args.network, folder, terminal)?,
        None => MutatedNetwork::read(&args.file, &args.network, &args.mutated, terminal)?,
    };
    let plan = match &args.source.run {
        Some(folder) => {
            let plan = Manifest::read(folder)?.plan();
            plan.with_context(|| format!("the manifest in {} is of another version", folder.display()))?
        }
        None => planned(args, &filter, &mutated),
    };
    check(&filter, &plan, &mutated)?;
    let mutants = mutated.mutants(&plan.mutation)?;
    let selection = Selection::of_each(mutants.len(), plan.sample, plan.seed);
    let exported = ExportRef {
        format: args.target.name(),
        keep: args.keep.clone(),
    };
    let manifest = Manifest::new(&plan, mutants.len(), selection.len());
    let manifest = manifest.with_network(mutated.scope()).with_export(exported);
    let judge = match args.source.run {
        Some(_) => None,
        None => Some(judge(&mutated, &plan, args)?),
    };
    let output = OutputDir::create(&args.out, &manifest)?;
    if let Some(judge) = &judge {
        let run = NetworkRun {
            judge,
            mutants: &mutants,
            options: &plan.mutation,
            selection: &selection,
        };
        decide(run, &output, terminal)?;
    }
    let mut sink = sink(args.target, output.path(), (&mutated, &mutants))?;
    let folder = args.source.run.as_deref().unwrap_or(output.path());
    let bar = terminal.progress(selection.len());
    let counts = mutants.walk((folder, &selection), &filter, &mut *sink, &mut |done| {
        bar.set_position(done)
    })?;
    sink.finish()?;
    bar.finish_and_clear();
    report(counts, output.path(), terminal)?;
    let undecided = asks(&filter) && counts.unknown > 0;
    Ok(if undecided { ExitCode::Unknown } else { ExitCode::Yes })
}

/// Refuses what mutants of networks do not have.
fn refuse(args: &ExportArgs) -> Result<()> {
    let format = args.target.name();
    if !matches!(
        args.target,
        ExportFormat::Uppaal | ExportFormat::Jsonl | ExportFormat::Csv
    ) {
        bail!("--as {format} has no networks: write mutants of a network --as uppaal, jsonl or csv");
    }
    if args.share.shard.is_some() {
        bail!("--shard has no meaning for mutants of a network");
    }
    if args.space.of.template.is_some() || args.timed.guidelines.resolve() == GuidelineSet::Extended {
        bail!("--template and --guidelines extended have no meaning for mutants of a network");
    }
    Ok(())
}

/// Where the kept mutants go.
fn sink<'m>(
    target: ExportFormat,
    folder: &Path,
    of: (&'m MutatedNetwork, &'m NetworkMutants<'m>),
) -> Result<Box<dyn Sink + 'm>> {
    let (mutated, mutants) = of;
    Ok(match target {
        ExportFormat::Jsonl => Box::new(TableSink::create(folder, TableKind::JsonLines)?),
        ExportFormat::Csv => Box::new(TableSink::create(folder, TableKind::Csv)?),
        _ => {
            let files = Box::new(NetworkFiles::new(&mutated.file, mutants));
            Box::new(FilesSink::create(folder, files)?)
        }
    })
}

fn asks(filter: &Filter) -> bool {
    filter.needs().iter().any(|needs| *needs != Needs::Nothing)
}

/// A run that is still to be done; games are played only if `filter` asks for verdicts.
fn planned(args: &ExportArgs, filter: &Filter, mutated: &MutatedNetwork) -> Plan {
    let plays = asks(filter) || args.timed.witness;
    Plan {
        statics: if plays { StaticUse::Use } else { StaticUse::Only },
        witness: args.timed.witness,
        ..plan(
            (mutated.model.clone(), false),
            &args.space,
            (&args.semantics, &args.limits),
        )
    }
}

/// Whether the condition can be evaluated, and names what some of the mutated processes has.
fn check(filter: &Filter, plan: &Plan, mutated: &MutatedNetwork) -> Result<()> {
    let verdicts = plan.statics != StaticUse::Only;
    let knowledge = Knowledge {
        verdicts,
        extended: false,
        witnesses: verdicts && plan.witness,
    };
    let checks = mutated
        .components
        .iter()
        .map(|component| filter.check(knowledge, component.skeleton()));
    let checks: Vec<_> = checks.collect();
    match checks.iter().any(Result::is_ok) {
        true => Ok(()),
        false => Ok(checks.into_iter().next().unwrap_or(Ok(()))?),
    }
}

fn judge<'n>(mutated: &'n MutatedNetwork, plan: &Plan, args: &ExportArgs) -> Result<NetworkJudge<'n>> {
    let settings = NetworkSettings {
        semantics: plan.semantics,
        statics: plan.statics,
        witness: plan.witness,
        engine: Engine::Family,
    };
    let timer = args.total.timer(plan.limits);
    let judge = NetworkJudge::new(mutated.viewed(), &mutated.components, settings, timer);
    judge.with_context(|| format!("{} cannot be judged", args.file.display()))
}

fn decide(run: NetworkRun<'_>, output: &OutputDir, terminal: &Terminal) -> Result<()> {
    let selection = run.selection;
    let bar = terminal.progress(selection.len());
    let summary = classify(run, &mut Log::resume(output)?, &mut |done| bar.set_position(done))?;
    bar.finish_and_clear();
    let n_done = summary.counts.total().total;
    all_decided(n_done, selection.len())
}

/// Whether `args` are about mutants of a network.
pub fn is_asked(args: &ExportArgs) -> Result<bool> {
    let run = args.source.run.as_deref().map(|folder: &Path| Manifest::read(folder));
    let of_network = run.transpose()?.is_some_and(|manifest| manifest.is_of_network());
    Ok(of_network || args.mutated.mutate.is_some())
}

//! `tamper export`.

use std::path::Path;

use anyhow::{Context as _, Result, bail};
use serde_json::json;

use super::args::{Format, GlobalArgs};
use super::exit::{ExitCode, LimitHit};
use super::game_args::{ExportArgs, ExportFormat};
use super::load::Loaded;
use super::prepare::{finished, plan};
use super::terminal::Terminal;
use tamper::experiment::{
    Counts, EcdarProject, ExportRef, FilesSink, Filter, FmmSink, GuidelineSet, Knowledge, Log, Manifest, MutantFiles,
    Needs, OutputDir, Plan, Prepared, Run, SHARED_FORMATS, Selection, Sink, Source, StaticUse, TableKind, TableSink,
    TcheckerFiles, UppaalFiles, classify, walk,
};
use tamper::formats::Drawing;
use tamper::guidelines;
use tamper::model::Automaton;
use tamper::mutation::MutantSpace;

/// Writes the mutants that a condition keeps.
pub fn export(args: &ExportArgs, global: &GlobalArgs, terminal: &Terminal) -> Result<ExitCode> {
    refuse(args)?;
    let filter = Filter::parse("--keep", &args.keep)?;
    let loaded = Loaded::read_named(
        &args.file,
        &global.read_options(),
        args.space.of.template.as_deref().as_slice(),
        terminal,
    )?;
    let job = match &args.source.run {
        Some(folder) => {
            let (game, plan) = finished(&loaded, folder)?;
            Job { game, plan }
        }
        None => fresh(&loaded, args, &filter)?,
    };
    filter.check(job.knowledge(), job.game)?;
    // What a format cannot express of the original it cannot express of its mutants.
    format(args.target, &loaded, job.game)?;
    let counts = job.write(args, (&loaded, &filter), terminal)?;
    let undecided = filter.needs().iter().any(|needs| *needs != Needs::Nothing) && counts.unknown > 0;
    Ok(if undecided { ExitCode::Unknown } else { ExitCode::Yes })
}

/// Refuses options that do not go together.
fn refuse(args: &ExportArgs) -> Result<()> {
    use ExportFormat::{Aiger, Determinised, Hyperltl, Smtlib};
    if matches!(args.target, Hyperltl | Smtlib | Aiger | Determinised) {
        bail!(
            "--as hyperltl, smtlib, aiger and determinised are for transition systems (.smv, .btor2); {} is none",
            args.file.display()
        );
    }
    if args.network.is_asked() {
        bail!("--network and what goes with it are for mutants of a network: name what is mutated with --mutate");
    }
    let format_name = args.target.name();
    if args.share.shard.is_some() && !SHARED_FORMATS.contains(&format_name.as_str()) {
        bail!(
            "--as {format_name} is one model of all kept mutants: --shard is for {}",
            SHARED_FORMATS.join(", ")
        );
    }
    Ok(())
}

/// What is exported: the game, and the run that decides its mutants.
struct Job<'a> {
    game: &'a Automaton,
    plan: Plan,
}

impl Job<'_> {
    /// Writes the mutants that `filter` keeps; decides them first if no run has.
    fn write(&self, args: &ExportArgs, of: (&Loaded, &Filter), terminal: &Terminal) -> Result<Counts> {
        let (loaded, filter) = of;
        let space = MutantSpace::new(self.game, &self.plan.mutation, self.plan.order)?;
        let selection = Selection::of(&space, self.plan.sample, self.plan.seed)?;
        let prepared = match args.source.run {
            Some(_) => None,
            None => Some(Prepared::new(
                self.game,
                &self.plan,
                args.total.timer(self.plan.limits),
            )?),
        };
        let shard = args.share.shard;
        let plan = Plan {
            shard,
            ..self.plan.clone()
        };
        let exported = ExportRef {
            format: args.target.name(),
            keep: args.keep.clone(),
        };
        let n_selected = selection.clone().share(shard).len();
        let manifest = Manifest::new(&plan, space.len(), n_selected).with_export(exported);
        let output = OutputDir::create(&args.out, &manifest)?;
        if let Some(prepared) = prepared {
            decide(&prepared, &output, terminal)?;
        }
        let source = Source {
            space: &space,
            selection: &selection,
            folder: args.source.run.as_deref().unwrap_or(output.path()),
            filter,
            shard,
        };
        let mut sink = sink(args.target, loaded, source, output.path())?;
        let bar = terminal.progress(selection.len());
        let counts = walk(source, &mut *sink, &mut |done| bar.set_position(done))?;
        sink.finish()?;
        bar.finish_and_clear();
        report(counts, output.path(), terminal)?;
        Ok(counts)
    }

    fn knowledge(&self) -> Knowledge {
        let verdicts = self.plan.statics != StaticUse::Only;
        Knowledge {
            verdicts,
            extended: verdicts && self.plan.guidelines == GuidelineSet::Extended,
            witnesses: verdicts && self.plan.witness,
        }
    }
}

/// A run that is still to be done; games are played only if `filter` asks for verdicts.
fn fresh<'a>(loaded: &'a Loaded, args: &ExportArgs, filter: &Filter) -> Result<Job<'a>> {
    let game = loaded.game(args.space.of.template.as_deref())?;
    let asks = filter.needs().iter().any(|needs| *needs != Needs::Nothing);
    let plays = asks || args.timed.witness || args.timed.guidelines.resolve() == GuidelineSet::Extended;
    let plan = Plan {
        statics: if plays { StaticUse::Use } else { StaticUse::Only },
        guidelines: args.timed.guidelines.resolve(),
        witness: args.timed.witness,
        ..plan(
            (loaded.model_ref(game), game.is_input_enabled()),
            &args.space,
            (&args.semantics, &args.limits),
        )
    };
    Ok(Job { game, plan })
}

fn decide(prepared: &Prepared, output: &OutputDir, terminal: &Terminal) -> Result<()> {
    let selection = &prepared.selection;
    let run = Run {
        space: &prepared.space,
        selection,
        judge: &prepared.judge,
        rules: &guidelines::violated,
    };
    let bar = terminal.progress(selection.len());
    let summary = classify(run, &mut Log::resume(output)?, &mut |done| bar.set_position(done))?;
    bar.finish_and_clear();
    let n_done = summary.total().total;
    all_decided(n_done, selection.len())
}

/// Refuses to export when the time was up before all mutants were decided.
pub fn all_decided(n_done: u64, n_selected: u64) -> Result<()> {
    if n_done < n_selected {
        let text = format!(
            "the time is up (--total-timeout) with {n_done} of {n_selected} mutants decided: nothing was exported"
        );
        return Err(LimitHit(text).into());
    }
    Ok(())
}

fn sink(format_arg: ExportFormat, loaded: &Loaded, source: Source<'_>, folder: &Path) -> Result<Box<dyn Sink>> {
    let game = source.space.base();
    Ok(match format_arg {
        ExportFormat::Fmm => {
            let index = loaded.document.find(game.name());
            let index = index.context("the game is in its own file")?;
            let drawing = Drawing::of(&loaded.document, index);
            Box::new(FmmSink::create(folder, source.space, source.selection, drawing)?)
        }
        ExportFormat::Jsonl => Box::new(TableSink::create(folder, TableKind::JsonLines)?),
        ExportFormat::Csv => Box::new(TableSink::create(folder, TableKind::Csv)?),
        _ => match format(format_arg, loaded, game)? {
            Some(files) => Box::new(FilesSink::create(folder, files)?),
            None => bail!("this format has no files"),
        },
    })
}

/// The files of the format; none for a table.
fn format(format: ExportFormat, loaded: &Loaded, game: &Automaton) -> Result<Option<Box<dyn MutantFiles>>> {
    let index = loaded.document.find(game.name());
    let index = index.context("the game is in its own file")?;
    Ok(match format {
        ExportFormat::Uppaal => Some(Box::new(UppaalFiles::new(loaded.document.clone(), index))),
        ExportFormat::EcdarJson => Some(Box::new(EcdarProject::new(&loaded.document, index)?)),
        ExportFormat::Tchecker => Some(Box::new(TcheckerFiles::new(game)?)),
        ExportFormat::Jsonl | ExportFormat::Csv | ExportFormat::Fmm => None,
        ExportFormat::Hyperltl | ExportFormat::Smtlib | ExportFormat::Aiger | ExportFormat::Determinised => None,
    })
}

pub(super) fn report(counts: Counts, folder: &Path, terminal: &Terminal) -> Result<()> {
    let folder = folder.display().to_string();
    let text = match terminal.format {
        Format::Json => {
            let value = json!({ "mutants": counts.looked_at, "written": counts.kept, "out": folder });
            serde_json::to_string_pretty(&value)?
        }
        Format::Text => format!("{} of {} mutants written to {folder}", counts.kept, counts.looked_at),
    };
    Ok(terminal.result(&text)?)
}

//! `tamper export`.

use std::path::Path;

use anyhow::{Result, bail};
use serde_json::json;

use crate::cli::arguments::args::{Format, GlobalArgs};
use crate::cli::arguments::game_args::{ExportArgs, ExportFormat};
use crate::cli::arguments::network_args::OfRun;
use crate::cli::exit::{ExitCode, LimitHit};
use crate::cli::games::run_folder::decide;
use crate::cli::models::mutated::{BoxedModel, MutatedModel};
use crate::cli::models::read_mutated::{MutatedRequest, mutated_of_run, read_mutated};
use crate::cli::terminal::Terminal;
use tamper::experiment::{
    Counting as _, Counts, Engine, ExportRef, FilesSink, Filter, GuidelineSet, Knowledge, Log, Needs, NormalForms,
    OutputDir, Plan, SHARED_FORMATS, Selection, Sink, Source, StaticUse, TableKind, TableSink, Timer, walk,
};
use tamper::game::Semantics;
use tamper::mutation::Order;

/// Writes the mutants that a condition keeps.
pub fn export(args: &ExportArgs, global: &GlobalArgs, terminal: &Terminal) -> Result<ExitCode> {
    refuse(args)?;
    let filter = Filter::parse("--keep", &args.keep)?;
    let job = match &args.source.run {
        Some(folder) => {
            let asked = OfRun {
                file: Some(&args.file),
                network: &args.network,
                limits: &args.limits,
            };
            let (mutated, plan) = mutated_of_run(folder, asked, global, terminal)?;
            Job { mutated, plan }
        }
        None => {
            let asked = MutatedRequest {
                file: &args.file,
                template: args.space.of.template.as_deref(),
                mutate: &args.mutated,
                network: &args.network,
                limits: &args.limits,
            };
            let mutated = read_mutated(asked, None, global, terminal)?;
            let plan = planned(args, &filter, &*mutated);
            Job { mutated, plan }
        }
    };
    job.check(args, &filter)?;
    let counts = job.write(args, &filter, terminal)?;
    let undecided = plays_for(&filter) && counts.unknown > 0;
    Ok(ExitCode::known_if(!undecided))
}

/// Refuses options that do not go together.
fn refuse(args: &ExportArgs) -> Result<()> {
    use ExportFormat::{Aiger, Determinised, Hyperltl, Smtlib, Trap};
    if matches!(args.target, Hyperltl | Smtlib | Aiger | Determinised | Trap) {
        bail!(
            "--as hyperltl, smtlib, aiger, determinised and trap are for transition systems (.smv, .btor2); {} is none",
            args.file.display()
        );
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

/// Whether the filter needs verdicts of games.
fn plays_for(filter: &Filter) -> bool {
    let needs = filter.needs();
    needs
        .iter()
        .any(|needs| !matches!(needs, Needs::Nothing | Needs::Lemmas))
}

/// The plan of a run that has yet to be done; games are played only if `filter` asks for verdicts.
fn planned(args: &ExportArgs, filter: &Filter, mutated: &dyn MutatedModel) -> Plan {
    let guidelines = args.timed.guidelines.resolve();
    let plays = plays_for(filter) || args.timed.witness || guidelines == GuidelineSet::Extended;
    Plan {
        statics: if plays { StaticUse::Use } else { StaticUse::Only },
        guidelines,
        witness: args.timed.witness,
        ..mutated.plan(&args.space, &args.semantics, &args.limits)
    }
}

/// The model whose mutants are exported, and the run that decides them.
struct Job {
    mutated: BoxedModel,
    plan: Plan,
}

impl Job {
    /// Refuses formats that cannot express the original, since they cannot express its mutants either, and conditions that cannot be
    /// evaluated.
    fn check(&self, args: &ExportArgs, filter: &Filter) -> Result<()> {
        if args.target != ExportFormat::Normal {
            self.mutated.check_format(args.target, self.plan.order)?;
        }
        check_filter(&*self.mutated, &self.plan, filter)
    }

    /// Writes the mutants that `filter` keeps, and decides them first if no run has.
    fn write(&self, args: &ExportArgs, filter: &Filter, terminal: &Terminal) -> Result<Counts> {
        let set = self.mutated.mutants(&self.plan)?;
        let selection = self
            .plan
            .asked(set.selection(self.plan.sample, self.plan.seed.unwrap_or_default())?);
        let timer = || args.total.timer(self.plan.limits);
        let world = || self.mutated.world(&self.plan, Engine::Family, timer(), terminal);
        let world = args.source.run.is_none().then(world).transpose()?;
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
        let manifest = self.mutated.manifest(&plan, set.n_mutants(), n_selected);
        let output = OutputDir::create(&args.out, &manifest.with_export(exported))?;
        if let Some(world) = &world {
            let decided = decide(&**world, &mut Log::resume(&output)?, selection.len(), terminal)?;
            all_decided(decided.n_counted(), selection.len())?;
        }
        let source = Source {
            set: &*set,
            selection: &selection,
            folder: args.source.run.as_deref().unwrap_or(output.path()),
            filter,
            shard,
        };
        let mut sink: Box<dyn Sink + '_> = match args.target {
            ExportFormat::Normal => {
                let forms = NormalForms::new(&*set, Timer::new(self.plan.limits));
                Box::new(FilesSink::create(output.path(), Box::new(forms))?)
            }
            target => self.sink(target, &selection, output.path())?,
        };
        let bar = terminal.progress(selection.len());
        let counts = walk(source, &mut *sink, &mut |done| bar.set_position(done))?;
        sink.finish()?;
        bar.finish_and_clear();
        report(counts, output.path(), terminal)?;
        Ok(counts)
    }

    /// The sink that takes the kept mutants.
    fn sink(&self, target: ExportFormat, selection: &Selection, folder: &Path) -> Result<Box<dyn Sink + '_>> {
        Ok(match target {
            ExportFormat::Jsonl => Box::new(TableSink::create(folder, TableKind::JsonLines)?),
            ExportFormat::Csv => Box::new(TableSink::create(folder, TableKind::Csv)?),
            _ => self.mutated.sink(target, &self.plan, selection, folder)?,
        })
    }
}

/// Refuses conditions that a run of `plan` cannot evaluate on mutants of `mutated`.
pub fn check_filter(mutated: &dyn MutatedModel, plan: &Plan, filter: &Filter) -> Result<()> {
    let verdicts = plan.statics != StaticUse::Only;
    let knowledge = Knowledge {
        verdicts,
        extended: verdicts && plan.guidelines == GuidelineSet::Extended,
        witnesses: verdicts && plan.witness,
        // The lemmata are about single games.
        lemmas: mutated.lone_game().is_some()
            && !verdicts
            && (plan.semantics, plan.order) == (Semantics::DEFINITION, Order::FIRST),
        processes: verdicts && mutated.lone_game().is_none(),
    };
    Ok(mutated.check_filter(filter, knowledge)?)
}

/// Refuses to export if the time was up before all mutants were decided.
pub fn all_decided(n_done: u64, n_selected: u64) -> Result<()> {
    if n_done < n_selected {
        let text = format!(
            "the time is up (--total-timeout) with {n_done} of {n_selected} mutants decided: nothing was exported"
        );
        return Err(LimitHit(text).into());
    }
    Ok(())
}

pub fn report(counts: Counts, folder: &Path, terminal: &Terminal) -> Result<()> {
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

//! `tamper export`.

use std::path::Path;

use anyhow::{Context as _, Result, bail};
use serde_json::json;

use super::args::{Format, GlobalArgs};
use super::exit::{ExitCode, LimitHit};
use super::game_args::{ExportArgs, ExportFormat};
use super::mutated::{Asked, Mutated, MutatedGame};
use super::network_args::OfRun;
use super::run_folder::decide;
use super::terminal::Terminal;
use super::timed_world::TimedWorld;
use tamper::experiment::{
    Counting as _, Counts, EcdarProject, Engine, ExportRef, FeaturedNetwork, FilesSink, Filter, FmmSink, GuidelineSet,
    Knowledge, Log, MutantFiles, Needs, NetworkFiles, OutputDir, Plan, SHARED_FORMATS, Selection, Sink, Source,
    StaticUse, TableKind, TableSink, TcheckerFiles, UppaalFiles, walk,
};
use tamper::game::Semantics;
use tamper::mutation::{MutantSpace, Order};

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
            let (mutated, plan) = Mutated::of_run(folder, asked, global, terminal)?;
            Job { mutated, plan }
        }
        None => {
            let asked = Asked {
                file: &args.file,
                template: args.space.of.template.as_deref(),
                mutate: &args.mutated,
                network: &args.network,
                limits: &args.limits,
            };
            let mutated = Mutated::read(asked, None, global, terminal)?;
            let plan = planned(args, &filter, &mutated)?;
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
fn planned(args: &ExportArgs, filter: &Filter, mutated: &Mutated) -> Result<Plan> {
    let guidelines = args.timed.guidelines.resolve();
    let plays = plays_for(filter) || args.timed.witness || guidelines == GuidelineSet::Extended;
    Ok(Plan {
        statics: if plays { StaticUse::Use } else { StaticUse::Only },
        guidelines,
        witness: args.timed.witness,
        ..mutated.plan(&args.space, &args.semantics, &args.limits)?
    })
}

/// The model whose mutants are exported, and the run that decides them.
struct Job {
    mutated: Mutated,
    plan: Plan,
}

impl Job {
    /// Refuses conditions that cannot be evaluated, and formats that cannot express the original.
    fn check(&self, args: &ExportArgs, filter: &Filter) -> Result<()> {
        let is_table = matches!(args.target, ExportFormat::Jsonl | ExportFormat::Csv);
        match &self.mutated {
            // A construct of the original that a format cannot express, it cannot express in the mutants either.
            Mutated::Game(of) => {
                check_filter(&self.mutated, &self.plan, filter)?;
                format(args.target, of).map(drop)
            }
            Mutated::Network(_) if !is_table && !matches!(args.target, ExportFormat::Uppaal | ExportFormat::Fmm) => {
                let format = args.target.name();
                bail!("--as {format} has no networks: write mutants of a network --as uppaal, fmm, jsonl or csv");
            }
            Mutated::Network(of) => {
                if args.target == ExportFormat::Fmm {
                    FeaturedNetwork::check(&of.components, self.plan.order)?;
                }
                check_filter(&self.mutated, &self.plan, filter)
            }
        }
    }

    /// Writes the mutants that `filter` keeps, and decides them first if no run has.
    fn write(&self, args: &ExportArgs, filter: &Filter, terminal: &Terminal) -> Result<Counts> {
        let set = self.mutated.mutants(&self.plan)?;
        let selection = set.selection(self.plan.sample, self.plan.seed.unwrap_or_default())?;
        let timer = || args.total.timer(self.plan.limits);
        let world = || TimedWorld::new(&self.mutated, &self.plan, Engine::Family, timer(), terminal);
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
            let decided = decide(world, &mut Log::resume(&output)?, selection.len(), terminal)?;
            all_decided(decided.n_counted(), selection.len())?;
        }
        let source = Source {
            set: &*set,
            selection: &selection,
            folder: args.source.run.as_deref().unwrap_or(output.path()),
            filter,
            shard,
        };
        let mut sink = self.sink(args.target, &selection, output.path())?;
        let bar = terminal.progress(selection.len());
        let counts = walk(source, &mut *sink, &mut |done| bar.set_position(done))?;
        sink.finish()?;
        bar.finish_and_clear();
        report(counts, output.path(), terminal)?;
        Ok(counts)
    }

    /// The sink that takes the kept mutants.
    fn sink(&self, target: ExportFormat, selection: &Selection, folder: &Path) -> Result<Box<dyn Sink + '_>> {
        Ok(match (target, &self.mutated) {
            (ExportFormat::Jsonl, _) => Box::new(TableSink::create(folder, TableKind::JsonLines)?),
            (ExportFormat::Csv, _) => Box::new(TableSink::create(folder, TableKind::Csv)?),
            (ExportFormat::Fmm, Mutated::Game(of)) => {
                let space = MutantSpace::new(of.game()?, &self.plan.mutation, self.plan.order)?;
                let drawing = of.loaded.drawing(of.game()?);
                Box::new(FmmSink::create(folder, &space, selection, drawing)?)
            }
            (target, Mutated::Game(of)) => match format(target, of)? {
                Some(files) => Box::new(FilesSink::create(folder, files)?),
                None => bail!("this format has no files"),
            },
            (ExportFormat::Fmm, Mutated::Network(of)) => {
                Box::new(FeaturedNetwork::create(folder, &of.file, &of.components)?)
            }
            (_, Mutated::Network(of)) => {
                let files = NetworkFiles::new(&of.file, &of.components);
                Box::new(FilesSink::create(folder, Box::new(files))?)
            }
        })
    }
}

/// Refuses conditions that a run of `plan` cannot evaluate on mutants of `mutated`.
pub fn check_filter(mutated: &Mutated, plan: &Plan, filter: &Filter) -> Result<()> {
    let verdicts = plan.statics != StaticUse::Only;
    let knowledge = Knowledge {
        verdicts,
        extended: verdicts && plan.guidelines == GuidelineSet::Extended,
        witnesses: verdicts && plan.witness,
        // The lemmata are about single games.
        lemmas: matches!(mutated, Mutated::Game(_))
            && !verdicts
            && (plan.semantics, plan.order) == (Semantics::DEFINITION, Order::FIRST),
    };
    match mutated {
        Mutated::Game(of) => Ok(filter.check(knowledge, of.game()?)?),
        Mutated::Network(network) => {
            // It is enough that one of the processes has the part that the condition names.
            let components = network.components.iter();
            let checks = components.map(|component| filter.check(knowledge, component.skeleton()));
            let checks: Vec<_> = checks.collect();
            match checks.iter().any(Result::is_ok) {
                true => Ok(()),
                false => Ok(checks.into_iter().next().unwrap_or(Ok(()))?),
            }
        }
    }
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

/// The writer of mutant files in the format; `None` for a table.
fn format(format: ExportFormat, of: &MutatedGame) -> Result<Option<Box<dyn MutantFiles>>> {
    let game = of.game()?;
    Ok(match format {
        ExportFormat::Uppaal => {
            let of_file = of.loaded.in_file(game);
            let (document, index) = of_file.context(
                "--as uppaal writes mutants into their file: for processes of a network name what is mutated with --mutate",
            )?;
            Some(Box::new(UppaalFiles::new(document.clone(), index)))
        }
        ExportFormat::EcdarJson => Some(Box::new(EcdarProject::new(game.clone(), of.loaded.placement(game))?)),
        ExportFormat::Tchecker => Some(Box::new(TcheckerFiles::new(game)?)),
        ExportFormat::Jsonl | ExportFormat::Csv | ExportFormat::Fmm => None,
        ExportFormat::Hyperltl
        | ExportFormat::Smtlib
        | ExportFormat::Aiger
        | ExportFormat::Determinised
        | ExportFormat::Trap => None,
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

//! `tamper mutate`.

use anyhow::{Context as _, Result};
use serde_json::json;

use super::args::{Format, GlobalArgs, KeepArg, MutateArgs};
use super::exit::ExitCode;
use super::load::Loaded;
use super::prepare::{Prepared, plan};
use super::terminal::Terminal;
use crate::experiment::{Keep, Log, Manifest, OutputDir, Plan, Run, StaticUse, Verdict, classify, export};
use crate::formats::write_mutations;
use crate::guidelines;
use crate::mutation::Mutation;

/// Writes mutants as UPPAAL files.
pub fn mutate(args: &MutateArgs, global: &GlobalArgs, terminal: &Terminal) -> Result<ExitCode> {
    let loaded = Loaded::read(&args.file, &global.read_options(), terminal)?;
    let game = loaded.game(args.space.template.as_deref())?;
    let keep = args.keep.resolve();
    let plan = Plan {
        statics: if keep.needs_verdicts() {
            StaticUse::Use
        } else {
            StaticUse::Only
        },
        ..plan(&loaded, game, &args.space, (&args.semantics, &args.limits))
    };
    let Prepared {
        space,
        selection,
        judge,
    } = Prepared::new(game, &plan)?;
    let output = OutputDir::create(&args.out, &Manifest::new(&plan, space.len(), selection.len()))?;
    let run = Run {
        space: &space,
        selection: &selection,
        judge: &judge,
        rules: &guidelines::violated,
    };
    let bar = terminal.progress(selection.len());
    let summary = classify(run, &mut Log::resume(&output)?, &mut |done| bar.set_position(done))?;
    bar.finish_and_clear();
    let index = loaded
        .document
        .find(game.name())
        .context("the game is in its own file")?;
    let write = |mutations: &[Mutation]| Ok(write_mutations(&loaded.document, index, mutations)?);
    let n_written = export(run, &output, keep, &write)?;
    let folder = output.path().display().to_string();
    match terminal.format {
        Format::Json => {
            let value = json!({ "mutants": selection.len(), "written": n_written, "out": folder });
            terminal.result(&serde_json::to_string_pretty(&value)?)?;
        }
        Format::Text => terminal.result(&format!(
            "{n_written} of {} mutants written to {folder}",
            selection.len()
        ))?,
    }
    let undecided = keep.needs_verdicts() && summary.total().unknown > 0;
    Ok(if undecided { ExitCode::Unknown } else { ExitCode::Yes })
}

impl KeepArg {
    fn resolve(self) -> Keep {
        match self {
            Self::All => Keep::All,
            Self::NotViolating => Keep::NotViolating,
            Self::Violating => Keep::Violating,
            Self::NonSubsumed => Keep::Only(Verdict::NonSubsumed),
            Self::Subsumed => Keep::Only(Verdict::Subsumed),
            Self::Inconsistent => Keep::Only(Verdict::Inconsistent),
        }
    }
}

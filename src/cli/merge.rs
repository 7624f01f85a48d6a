//! `tamper merge`.

use std::time::Instant;

use anyhow::Result;

use super::args::{GlobalArgs, LimitArgs, MergeArgs};
use super::classify::{closing_notes, conclude, exit_code};
use super::exit::ExitCode;
use super::prepare::{game_of, model_of};
use super::terminal::Terminal;
use crate::experiment::{OutputDir, Prepared, Run, Shares, Timer, classify};
use crate::guidelines;

/// Makes one run of its shares.
pub fn merge(args: &MergeArgs, global: &GlobalArgs, terminal: &Terminal) -> Result<ExitCode> {
    let started = Instant::now();
    let shares = Shares::open(&args.dirs)?;
    let plan = shares.plan();
    let network = (&args.network, &LimitArgs::default());
    let loaded = model_of((plan, args.model.as_deref()), network, global, terminal)?;
    let game = game_of(&loaded, &args.dirs[0], plan)?;
    let Prepared {
        space,
        selection,
        judge,
    } = Prepared::new(game, plan, Timer::new(plan.limits))?;
    let records = shares.records(&selection)?;
    let output = OutputDir::create(&args.out, &shares.manifest(&selection))?;
    let run = Run {
        space: &space,
        selection: &selection,
        judge: &judge,
        rules: &guidelines::violated,
    };
    let bar = terminal.progress(selection.len());
    let summary = classify(run, &mut records.into_log(&output)?, &mut |done| bar.set_position(done))?;
    bar.finish_and_clear();
    conclude(&summary, None, &output, terminal)?;
    closing_notes(&summary, &output, started, terminal);
    Ok(exit_code(&summary, plan.statics))
}

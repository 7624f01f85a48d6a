//! `tamper merge`.

use std::time::Instant;

use anyhow::{Result, bail};

use super::args::{GlobalArgs, LimitArgs};
use super::classify::{closing_notes, conclude, exit_code};
use super::exit::ExitCode;
use super::given::Given;
use super::prepare::{game_of, model_of};
use super::run_args::MergeArgs;
use super::terminal::Terminal;
use super::{export, score};
use tamper::experiment::killing::ScoreShares;
use tamper::experiment::{ExportShares, OutputDir, Prepared, Run, ShareKind, Shares, Timer, classify};
use tamper::guidelines;

/// Makes one run, export or score of its shares.
pub fn merge(args: &MergeArgs, given: &Given, global: &GlobalArgs, terminal: &Terminal) -> Result<ExitCode> {
    match ShareKind::of(&args.dirs)? {
        ShareKind::Run if args.fail_under.is_some() => bail!("--fail-under has no meaning for shares of a run"),
        ShareKind::Run => merge_run(args, global, terminal),
        ShareKind::Export => {
            given.only(&["dirs", "out", "config"], "shares of an export")?;
            merge_export(args, terminal)
        }
        ShareKind::Score => {
            given.only(&["dirs", "fail_under", "config"], "shares of a score, which is printed")?;
            let shares = ScoreShares::open(&args.dirs)?;
            score::conclude(
                &shares.score()?,
                (shares.tests(), shares.undecided()),
                args.fail_under.as_ref(),
                terminal,
            )
        }
    }
}

fn merge_run(args: &MergeArgs, global: &GlobalArgs, terminal: &Terminal) -> Result<ExitCode> {
    let started = Instant::now();
    args.records.check()?;
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
    args.records.write(output.path())?;
    conclude(&summary, None, &output, terminal)?;
    closing_notes(&summary, &output, started, terminal);
    Ok(exit_code(&summary, plan.statics))
}

fn merge_export(args: &MergeArgs, terminal: &Terminal) -> Result<ExitCode> {
    let shares = ExportShares::open(&args.dirs)?;
    let output = OutputDir::create(&args.out, &shares.manifest())?;
    let counts = shares.write(&output)?;
    export::report(counts, output.path(), terminal)?;
    Ok(ExitCode::Yes)
}

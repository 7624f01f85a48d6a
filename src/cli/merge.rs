//! `tamper merge`.

use std::time::Instant;

use anyhow::{Context as _, Result};

use super::args::{GlobalArgs, LimitArgs, ReadingArgs, ids_of, own_ids_of};
use super::classify::{closing_notes, conclude, exit_code};
use super::exit::ExitCode;
use super::given::Given;
use super::manifests::other_version;
use super::network_args::NetworkArgs;
use super::prepare::{game_of, model_of};
use super::run_args::{MergeArgs, MergeFolderArgs, MergeRunArgs, MergeScoreArgs};
use super::terminal::Terminal;
use super::{classify_network, export, score, systems};
use tamper::experiment::killing::ScoreShares;
use tamper::experiment::{
    ExportShares, Manifest, OutputDir, Prepared, Run, RunWorld, ShareKind, Shares, Timer, classify,
};
use tamper::guidelines;

/// Makes one run, export or score of its shares.
pub fn merge(args: &MergeArgs, given: &Given, global: &GlobalArgs, terminal: &Terminal) -> Result<ExitCode> {
    let own = own_ids_of::<MergeArgs>();
    match ShareKind::of(&args.dirs)? {
        ShareKind::Run => {
            let run = [
                own,
                ids_of::<MergeFolderArgs>(),
                ids_of::<MergeRunArgs>(),
                ids_of::<NetworkArgs>(),
                ids_of::<ReadingArgs>(),
            ];
            given.only(&run, "shares of a run")?;
            match RunWorld::of(&args.dirs[0])? {
                RunWorld::Untimed => systems::merge(args, terminal),
                RunWorld::Network => classify_network::merge(args, terminal),
                RunWorld::Game => merge_run(args, global, terminal),
            }
        }
        ShareKind::Export => {
            given.only(&[own, ids_of::<MergeFolderArgs>()], "shares of an export")?;
            merge_export(args, terminal)
        }
        ShareKind::Score => {
            given.only(
                &[own, ids_of::<MergeScoreArgs>()],
                "shares of a score, which is printed",
            )?;
            let shares = ScoreShares::open(&args.dirs)?;
            score::conclude(
                &shares.score()?,
                shares.tests(),
                shares.undecided(),
                args.score.fail_under.as_ref(),
                terminal,
            )
        }
    }
}

fn merge_run(args: &MergeArgs, global: &GlobalArgs, terminal: &Terminal) -> Result<ExitCode> {
    let started = Instant::now();
    args.run.records.check()?;
    let shares = Shares::<Manifest>::open(&args.dirs)?;
    let plan = shares.common().plan();
    let plan = &plan.with_context(|| other_version(&args.dirs[0]))?;
    let network = (&args.network, &LimitArgs::default());
    let loaded = model_of((plan, args.run.model.as_deref()), network, global, terminal)?;
    let game = game_of(&loaded, &args.dirs[0], plan)?;
    let Prepared {
        space,
        selection,
        judge,
    } = Prepared::new(game, plan, Timer::new(plan.limits))?;
    let records = shares.records(&selection)?;
    let output = OutputDir::create(&args.folder.out, &shares.manifest(&selection))?;
    let run = Run {
        space: &space,
        selection: &selection,
        judge: &judge,
        rules: &guidelines::violated,
    };
    let bar = terminal.progress(selection.len());
    let summary = classify(run, &mut records.into_log(&output)?, &mut |done| bar.set_position(done))?;
    bar.finish_and_clear();
    args.run.records.write(output.path())?;
    conclude(&summary, None, &output, terminal)?;
    closing_notes(&summary, &output, started, terminal);
    Ok(exit_code(&summary, plan.statics))
}

fn merge_export(args: &MergeArgs, terminal: &Terminal) -> Result<ExitCode> {
    let shares = ExportShares::open(&args.dirs)?;
    let output = OutputDir::create(&args.folder.out, &shares.manifest())?;
    let counts = shares.write(&output)?;
    export::report(counts, output.path(), terminal)?;
    Ok(ExitCode::Yes)
}

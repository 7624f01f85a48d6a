//! `tamper merge`.

use std::path::Path;
use std::time::Instant;

use anyhow::{Result, bail};

use crate::cli::accepting::args::AcceptedArgs;
use crate::cli::arguments::args::{GlobalArgs, LimitArgs, ReadingArgs, ids_of, own_ids_of};
use crate::cli::arguments::network_args::{NetworkArgs, OfRun};
use crate::cli::arguments::run_args::{MergeArgs, MergeFolderArgs, MergeRunArgs, MergeScoreArgs};
use crate::cli::exit::ExitCode;
use crate::cli::games::classify::{RunTable, accepted_in, by_content};
use crate::cli::games::export;
use crate::cli::games::run_folder::decide;
use crate::cli::given::TypedOptions;
use crate::cli::models::read_mutated::mutated_of_manifest;
use crate::cli::systems;
use crate::cli::terminal::Terminal;
use crate::cli::testing::score;
use tamper::experiment::killing::ScoreShares;
use tamper::experiment::{Engine, ExportShares, OutputDir, Plan, RunWorld, ShareKind, Shares, Timer};

/// Merges the shares of a run, an export or a score into one.
pub fn merge(args: &MergeArgs, given: &TypedOptions, global: &GlobalArgs, terminal: &Terminal) -> Result<ExitCode> {
    let own = own_ids_of::<MergeArgs>();
    match ShareKind::of(&args.dirs)? {
        ShareKind::Run => {
            let run = [
                own,
                ids_of::<MergeFolderArgs>(),
                ids_of::<MergeRunArgs>(),
                ids_of::<AcceptedArgs>(),
                ids_of::<NetworkArgs>(),
                ids_of::<ReadingArgs>(),
            ];
            given.only(&run.concat(), "shares of a run")?;
            match RunWorld::of(&args.dirs[0])? {
                RunWorld::Untimed => systems::merge(args, terminal),
                RunWorld::Network | RunWorld::Game => merge_run(args, global, terminal),
            }
        }
        ShareKind::Export => {
            given.only(&[own, ids_of::<MergeFolderArgs>()].concat(), "shares of an export")?;
            merge_export(args, terminal)
        }
        ShareKind::Score => {
            if args.accepted.accepted.is_some() {
                bail!("--accepted: the shares of a score say what is accepted: give it to each `tamper score --shard`");
            }
            given.only(
                &[own, ids_of::<MergeScoreArgs>()].concat(),
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
    let shares = Shares::<Plan>::open(&args.dirs)?;
    let asked = OfRun {
        file: args.run.model.as_deref(),
        network: &args.network,
        limits: &LimitArgs::default(),
    };
    let (mutated, plan) = mutated_of_manifest(shares.common(), &args.dirs[0], asked, global, terminal)?;
    let world = mutated.world(&plan, Engine::Family, Timer::new(plan.limits), terminal)?;
    let selection = world.selection();
    let records = shares.records(selection)?;
    let output = OutputDir::create(&args.folder.out, &shares.manifest(selection))?;
    let summary = decide(&*world, &mut records.into_log(&output)?, selection.len(), terminal)?;
    let file = Path::new(&mutated.model().file).to_owned();
    let found = by_content(&*mutated, &plan).accepted(&args.accepted, &file, terminal)?;
    let accepted = accepted_in(&output, &found)?;
    let table = RunTable {
        summary: &summary,
        accepted: &accepted,
        verified: None,
        statics: plan.statics,
        started,
    };
    table.conclude(&output, terminal)
}

fn merge_export(args: &MergeArgs, terminal: &Terminal) -> Result<ExitCode> {
    let shares = ExportShares::open(&args.dirs)?;
    let output = OutputDir::create(&args.folder.out, &shares.manifest())?;
    let counts = shares.write(&output)?;
    export::report(counts, output.path(), terminal)?;
    Ok(ExitCode::Yes)
}

//! `tamper merge` and the folders of runs on mutants of untimed systems.

use std::path::Path;

use anyhow::{Result, bail};

use super::classify::{PlannedMutants, system_ref, untimed, world_of};
use super::load::MutatedFile;
use crate::cli::arguments::run_args::MergeArgs;
use crate::cli::door::open;
use crate::cli::exit::ExitCode;
use crate::cli::models::prepare::refuse_share;
use crate::cli::terminal::Terminal;
use tamper::experiment::{OutputDir, Shares, Timer};
use tamper::untimed::{UntimedManifest, UntimedPlan};

/// Merges the shares of a run into one run.
pub fn merge(args: &MergeArgs, terminal: &Terminal) -> Result<ExitCode> {
    let shares = Shares::<UntimedPlan>::open(&args.dirs)?;
    let plan = shares.common().plan().clone();
    let decided = of_plan(plan, &args.dirs[0], args.run.model.as_deref(), terminal)?;
    let selection = decided.selection();
    let records = shares.records(&selection)?;
    let output = OutputDir::create(&args.folder.out, &shares.manifest(&selection))?;
    let records = decided.decide(&mut records.into_log(&output)?, terminal)?;
    let model = args
        .run
        .model
        .clone()
        .unwrap_or_else(|| decided.plan.model.file.clone().into());
    let decided = decided.accepting(&args.accepted, &model, terminal)?;
    decided.finish(&records, &output, terminal)
}

/// The mutants of the whole run in `folder`, whose system is in `file` if that is given.
pub fn of_run(folder: &Path, file: Option<&Path>, terminal: &Terminal) -> Result<PlannedMutants> {
    let manifest = UntimedManifest::read(folder)?;
    refuse_share(&manifest, folder)?;
    of_plan(manifest.plan().clone(), folder, file, terminal)
}

fn of_plan(plan: UntimedPlan, folder: &Path, file: Option<&Path>, terminal: &Terminal) -> Result<PlannedMutants> {
    let file = MutatedFile::of(open(file.unwrap_or(Path::new(&plan.model.file)))?, &plan.names)?;
    check_model(&plan, folder, &file)?;
    let untimed = untimed(&file, &plan, Timer::new(plan.limits), terminal)?;
    Ok(PlannedMutants::new(untimed, plan))
}

/// Refuses `file` if the run in `folder` is about another system.
pub fn check_model(plan: &UntimedPlan, folder: &Path, file: &MutatedFile) -> Result<()> {
    let found = system_ref(file)?;
    if plan.world != world_of(file) || plan.model.hash != found.hash {
        bail!(
            "the run in {} is about another model than {}: its manifest has the hash {}, the file {}",
            folder.display(),
            found.file,
            plan.model.hash,
            found.hash
        );
    }
    if plan.names != file.names() {
        bail!(
            "the run in {} has other --inputs or --outputs: its manifest has them",
            folder.display()
        );
    }
    Ok(())
}

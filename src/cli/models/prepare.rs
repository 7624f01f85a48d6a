//! Common steps of the commands about runs: the game of a plan, and the refusal of manifests.

use std::path::Path;

use anyhow::{Result, bail};

use crate::cli::arguments::args::GlobalArgs;
use crate::cli::arguments::network_args::OfRun;
use crate::cli::models::load::Loaded;
use crate::cli::terminal::Terminal;
use tamper::experiment::{Plan, RunManifest, RunPlan};
use tamper::model::Automaton;

/// Reads the game of a run with this plan.
pub fn model_of(plan: &Plan, asked: OfRun<'_>, global: &GlobalArgs, terminal: &Terminal) -> Result<Loaded> {
    let file = asked.file.unwrap_or(Path::new(&plan.model.file));
    Loaded::read_either(
        file,
        &[&plan.model.template],
        asked.network,
        asked.limits,
        global,
        terminal,
    )
}

/// The game of the run in `folder`, if the file that was read has it.
pub fn game_of<'a>(loaded: &'a Loaded, folder: &Path, plan: &Plan) -> Result<&'a Automaton> {
    if plan.model.hash != loaded.hash {
        bail!(
            "the run in {} is about another model than {}: its manifest has the hash {}, the file {}",
            folder.display(),
            loaded.name(),
            plan.model.hash,
            loaded.hash
        );
    }
    let game = loaded.game(Some(&plan.model.template))?;
    if plan.input_enabled != game.is_input_enabled() {
        bail!(
            "the run in {} had another --input-enabling: repeat it here",
            folder.display()
        );
    }
    Ok(game)
}

/// Refuses the run in `folder` if it is a share.
pub fn refuse_share(manifest: &RunManifest<impl RunPlan>, folder: &Path) -> Result<()> {
    match manifest.plan().shard() {
        None => Ok(()),
        Some(shard) => bail!(
            "the run in {} is share {shard} of a run: put the shares together with `tamper merge`",
            folder.display()
        ),
    }
}

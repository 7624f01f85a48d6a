//! What is wrong with the manifest of a folder.

use std::path::Path;

use anyhow::{Result, bail};

use tamper::experiment::RunManifest;

/// Refuses the run in `folder` if it is a share of one.
pub fn refuse_share(manifest: &impl RunManifest, folder: &Path) -> Result<()> {
    match manifest.shard() {
        None => Ok(()),
        Some(shard) => bail!(
            "the run in {} is share {shard} of a run: put the shares together with `tamper merge`",
            folder.display()
        ),
    }
}

/// Why a manifest in `folder` has no plan.
pub fn other_version(folder: &Path) -> String {
    format!("the manifest in {} is of another version", folder.display())
}

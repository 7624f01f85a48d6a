//! Messages to a workflow of GitHub, besides the output of a command.

use std::fs::OpenOptions;
use std::io::Write as _;
use std::path::PathBuf;

use anyhow::{Context as _, Result};

/// Adds a part to the page of a workflow, if this runs in one.
pub fn add_to_summary(title: &str, text: &str) -> Result<()> {
    let Some(path) = std::env::var_os("GITHUB_STEP_SUMMARY").filter(|path| !path.is_empty()) else {
        return Ok(());
    };
    let mut options = OpenOptions::new();
    let file = options.append(true).create(true).open(&path);
    let written = file.and_then(|mut file| writeln!(file, "### {title}\n\n{text}"));
    written.with_context(|| format!("{} (GITHUB_STEP_SUMMARY)", PathBuf::from(path).display()))
}

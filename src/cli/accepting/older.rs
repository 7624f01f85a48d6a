//! The older model that a model is compared with: a file, or what git has.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result, bail};
use tempfile::TempDir;

/// A model as it was.
pub struct OlderModel {
    /// What was typed.
    pub named: String,
    /// Its file.
    pub path: PathBuf,
    /// The folder of a file that git had.
    _held: Option<TempDir>,
}

impl OlderModel {
    /// The file at `named`; else what git has of `model` in that revision.
    pub fn named(named: &str, model: &Path) -> Result<Self> {
        let path = PathBuf::from(named);
        if path.exists() {
            return Ok(Self {
                named: named.to_owned(),
                path,
                _held: None,
            });
        }
        let Some(name) = model.file_name().filter(|_| model.is_file()) else {
            bail!(
                "--changed-since {named}: there is no such file, and git is asked for single files only, which {} is not",
                model.display()
            );
        };
        let text = of_git(named, model, &name.to_string_lossy())?;
        let folder = tempfile::tempdir().context("the model of a revision needs a temporary folder")?;
        let path = folder.path().join(name);
        fs::write(&path, text).with_context(|| path.display().to_string())?;
        Ok(Self {
            named: named.to_owned(),
            path,
            _held: Some(folder),
        })
    }

    /// What is said about an error in it.
    pub fn context(&self) -> String {
        format!("--changed-since {}: the older model", self.named)
    }
}

fn of_git(revision: &str, model: &Path, name: &str) -> Result<Vec<u8>> {
    let folder = model.parent().filter(|folder| !folder.as_os_str().is_empty());
    if revision.starts_with('-') || revision.contains(':') {
        bail!("--changed-since {revision}: there is no such file, and no revision is written like this");
    }
    let mut git = Command::new("git");
    git.arg("-C").arg(folder.unwrap_or(Path::new(".")));
    let asked = git.args(["show", &format!("{revision}:./{name}")]).output();
    let asked =
        asked.with_context(|| format!("--changed-since {revision}: there is no such file, and git cannot be asked"))?;
    if !asked.status.success() {
        let said = String::from_utf8_lossy(&asked.stderr);
        bail!(
            "--changed-since {revision}: there is no such file, and git has no {name} there: {}",
            said.lines().next().unwrap_or("it says nothing")
        );
    }
    Ok(asked.stdout)
}

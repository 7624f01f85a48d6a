//! The folder of one run: locked while it is used, never mixed with another run's files.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};

use super::{Manifest, write_file};

const MANIFEST: &str = "manifest.json";
const LOCK: &str = "lock";

/// A run's folder. The lock is the operating system's: it ends with the process, so nothing is left to clean up.
#[derive(Debug)]
pub struct OutputDir {
    path: PathBuf,
    _lock: File,
}

impl OutputDir {
    /// A new folder at `path` with `manifest` in it; a previous run's folder becomes `<path>.old`.
    ///
    /// # Errors
    /// When the folder is in use, holds something else than a run, or cannot be written.
    pub fn create(path: &Path, manifest: &Manifest) -> Result<Self> {
        if path.exists() {
            let previous = lock(path)?;
            move_away(path)?;
            drop(previous);
        }
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent).with_context(|| format!("cannot create {}", parent.display()))?;
        }
        fs::create_dir(path).with_context(|| format!("cannot create {}", path.display()))?;
        let output = Self {
            path: path.to_owned(),
            _lock: lock(path)?,
        };
        let text = serde_json::to_string_pretty(manifest)? + "\n";
        output.write(MANIFEST, text.as_bytes())?;
        Ok(output)
    }

    /// The folder of an interrupted run of the same plan.
    ///
    /// # Errors
    /// When there is none, it is in use, or it was run with other parameters.
    pub fn resume(path: &Path, manifest: &Manifest) -> Result<Self> {
        if !path.join(MANIFEST).is_file() {
            bail!(
                "there is no run to resume in {}: start one without --resume",
                path.display()
            );
        }
        let output = Self {
            path: path.to_owned(),
            _lock: lock(path)?,
        };
        let text = fs::read_to_string(path.join(MANIFEST)).with_context(|| format!("cannot read {MANIFEST}"))?;
        let started: Manifest = serde_json::from_str(&text)
            .with_context(|| format!("{} is not a manifest of this version", path.join(MANIFEST).display()))?;
        let differences = started.differences(manifest);
        if !differences.is_empty() {
            bail!(
                "the run in {} was started with other parameters ({}): repeat them, or start anew without --resume",
                path.display(),
                differences.join(", ")
            );
        }
        Ok(output)
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }
    /// Writes a whole file; a reader sees the old one or the new one, never a part.
    ///
    /// # Errors
    /// When the file system refuses.
    pub fn write(&self, name: &str, bytes: &[u8]) -> Result<()> {
        write_file(&self.path.join(name), bytes)
    }
}

fn lock(path: &Path) -> Result<File> {
    if !path.is_dir() {
        bail!("{} is not a folder", path.display());
    }
    if !is_run(path) && fs::read_dir(path).is_ok_and(|mut entries| entries.next().is_some()) {
        bail!(
            "{} holds something else than a tamper run: choose another --out",
            path.display()
        );
    }
    let name = path.join(LOCK);
    let open = OpenOptions::new().create(true).truncate(false).write(true).open(&name);
    let file = open.with_context(|| format!("cannot open {}", name.display()))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => bail!("{} is in use by another run: choose another --out", path.display()),
        Err(TryLockError::Error(error)) => Err(error).with_context(|| format!("cannot lock {}", name.display())),
    }
}

fn is_run(path: &Path) -> bool {
    path.join(MANIFEST).is_file() || path.join(LOCK).is_file()
}

fn move_away(path: &Path) -> Result<()> {
    let mut old = path.as_os_str().to_owned();
    old.push(".old");
    let old = PathBuf::from(old);
    if old.exists() {
        if !is_run(&old) {
            bail!("{} is not a tamper run: move it away", old.display());
        }
        fs::remove_dir_all(&old).with_context(|| format!("cannot remove {}", old.display()))?;
    }
    fs::rename(path, &old).with_context(|| format!("cannot move {} to {}", path.display(), old.display()))
}

#[cfg(test)]
mod tests {
    use super::super::plan::tests::plan;
    use super::*;

    fn manifest(seed: u64) -> Manifest {
        let mut plan = plan();
        plan.sample = Some(super::super::Sample::Count(5));
        plan.seed = seed;
        Manifest::new(&plan, 121, 5)
    }

    #[test]
    fn a_run_in_use_is_not_touched_and_a_finished_one_is_moved() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a/tamper.out");
        let first = OutputDir::create(&path, &manifest(1)).unwrap();
        first.write("x.txt", b"1").unwrap();
        let refusal = OutputDir::create(&path, &manifest(2)).unwrap_err();
        assert!(refusal.to_string().contains("in use"), "{refusal}");
        drop(first);
        drop(OutputDir::create(&path, &manifest(2)).unwrap());
        assert_eq!(fs::read(folder.path().join("a/tamper.out.old/x.txt")).unwrap(), b"1");
        drop(OutputDir::create(&path, &manifest(3)).unwrap());
        assert!(!folder.path().join("a/tamper.out.old/x.txt").exists());
    }

    #[test]
    fn a_folder_of_the_user_is_never_moved() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("thesis.tex"), "").unwrap();
        let refusal = OutputDir::create(folder.path(), &manifest(1)).unwrap_err();
        assert!(refusal.to_string().contains("something else"), "{refusal}");
        assert!(folder.path().join("thesis.tex").exists());
    }

    #[test]
    fn only_the_same_run_is_resumed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("run");
        assert!(OutputDir::resume(&path, &manifest(1)).is_err());
        drop(OutputDir::create(&path, &manifest(1)).unwrap());
        let refusal = OutputDir::resume(&path, &manifest(2)).unwrap_err();
        assert!(refusal.to_string().contains("(seed)"), "{refusal}");
        assert!(OutputDir::resume(&path, &manifest(1)).is_ok());
    }
}

//! The folder of one run: locked while in use, and never mixed with another run's files.

use std::fs;
use std::path::{Path, PathBuf};

use serde::Serialize;

use crate::error::{ExperimentError, FileAction, OfFile as _, Result};
use crate::files::{FolderLock, LOCK, MANIFEST, destination, foreign_entry, is_empty, is_run, old, write_file};
use crate::plans::manifest::{RunManifest, RunPlan};

/// The locked folder of a run.
#[derive(Debug)]
pub struct OutputDir {
    path: PathBuf,
    _lock: FolderLock,
}

impl OutputDir {
    /// Creates a folder at `path`, or at the target of a symbolic link there, with `manifest` in it. A previous run's
    /// folder becomes `<path>.old`; an empty folder is used unchanged.
    ///
    /// # Errors
    /// If the folder is in use, holds something other than a run, or cannot be written; or if `<path>.old` holds a file
    /// that no run wrote.
    pub fn create(path: &Path, manifest: &impl Serialize) -> Result<Self> {
        let path = destination(path).cannot(FileAction::Create, path)?;
        if path.exists() && !is_empty(&path)? {
            if !is_run(&path) {
                let why = format!(
                    "{} holds something else than a tamper run: choose another --out",
                    path.display()
                );
                return Err(ExperimentError::place(path, why));
            }
            let _previous = FolderLock::take(&path)?;
            move_away(&path)?;
        }
        let output = Self {
            _lock: FolderLock::make(&path)?,
            path,
        };
        if !is_empty(&output.path)? {
            let why = format!("{} was made by another command meanwhile", output.path.display());
            return Err(ExperimentError::place(&output.path, why));
        }
        let text = serde_json::to_string_pretty(manifest)? + "\n";
        output.write(MANIFEST, text.as_bytes())?;
        Ok(output)
    }

    /// Opens the folder of an interrupted run of the same plan.
    ///
    /// # Errors
    /// If there is no run, the folder is in use, or the run had other parameters.
    pub fn resume<P: RunPlan>(path: &Path, manifest: &RunManifest<P>) -> Result<Self> {
        if !path.join(MANIFEST).is_file() {
            let why = format!(
                "there is no run to resume in {}: start one without --resume",
                path.display()
            );
            return Err(ExperimentError::nothing_to_resume(path, why));
        }
        let output = Self {
            path: path.to_owned(),
            _lock: FolderLock::take(path)?,
        };
        let started = RunManifest::<P>::read(path)?;
        let differences = started.differences(manifest);
        if !differences.is_empty() {
            let why = format!(
                "the run in {} was started with other parameters ({}): repeat them, or start anew without --resume",
                path.display(),
                differences.join(", ")
            );
            return Err(ExperimentError::OtherRun { why, differences });
        }
        Ok(output)
    }

    /// Path of the folder.
    pub fn path(&self) -> &Path {
        &self.path
    }
    /// Writes a file atomically: a reader sees the old content or the new one, never a part.
    ///
    /// # Errors
    /// If the file system refuses.
    pub fn write(&self, name: &str, bytes: &[u8]) -> Result<()> {
        write_file(&self.path.join(name), bytes)
    }
}

/// Moves the run at `path`, which is locked, to `<path>.old`. Only files that a run wrote are removed there.
fn move_away(path: &Path) -> Result<()> {
    let old = old(path);
    if old.symlink_metadata().is_ok() {
        let shown = old.display();
        let is_link = old.is_symlink();
        if is_link || !is_run(&old) {
            let why = format!(
                "the run in {} cannot become {shown}, which is not a tamper run: move {shown} away, or choose another --out",
                path.display()
            );
            return Err(ExperimentError::place(&old, why));
        }
        if let Some(foreign) = foreign_entry(&old)? {
            let why = format!(
                "{shown} would be replaced, but holds {}, which tamper did not write: move it away, or choose another --out",
                foreign.display()
            );
            return Err(ExperimentError::place(&old, why));
        }
        let _unused = FolderLock::take(&old)?;
        fs::remove_dir_all(&old).cannot(FileAction::Remove, &old)?;
    }
    fs::rename(path, &old).cannot(FileAction::MoveTo(old.clone()), path)?;
    // The caller's lock has moved along. If its file cannot be removed it stays, and blocks nobody.
    let _ = fs::remove_file(old.join(LOCK));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Manifest;
    use crate::plans::plan::tests::plan;

    fn manifest(seed: u64) -> Manifest {
        let mut plan = plan();
        plan.sample = Some(crate::Sample::Count(5));
        plan.seed = Some(seed);
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
        // Files that no run wrote are not removed.
        let old = folder.path().join("a/tamper.out.old");
        let refusal = OutputDir::create(&path, &manifest(3)).unwrap_err();
        assert!(refusal.to_string().contains("x.txt"), "{refusal}");
        assert!(old.join("x.txt").exists());
        fs::remove_file(old.join("x.txt")).unwrap();
        drop(OutputDir::create(&path, &manifest(3)).unwrap());
        let seed = |path: &Path| Manifest::read(path).unwrap().plan().seed;
        assert_eq!((seed(&path), seed(&old)), (Some(3), Some(2)));
    }

    #[test]
    fn a_folder_of_the_user_is_never_moved() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("thesis.tex"), "").unwrap();
        let refusal = OutputDir::create(folder.path(), &manifest(1)).unwrap_err();
        assert!(refusal.to_string().contains("something else"), "{refusal}");
        assert!(folder.path().join("thesis.tex").exists());
        // Nor is a folder of the user in the place of the previous run, even if its files have names that runs use.
        let path = folder.path().join("run");
        drop(OutputDir::create(&path, &manifest(1)).unwrap());
        fs::create_dir(folder.path().join("run.old")).unwrap();
        for name in ["lock", "notes.txt", "manifest.json"] {
            fs::write(folder.path().join("run.old").join(name), "").unwrap();
            let refusal = OutputDir::create(&path, &manifest(1)).unwrap_err();
            assert!(refusal.to_string().contains("not a tamper run"), "{refusal}");
            assert!(folder.path().join("run.old").join(name).exists());
        }
    }

    #[test]
    fn an_empty_folder_and_one_of_a_killed_run_are_used() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join(".tamper.lock"), "").unwrap();
        fs::write(folder.path().join(".tamper-0123456789abcdef.part"), "{").unwrap();
        drop(OutputDir::create(folder.path(), &manifest(1)).unwrap());
        let names = fs::read_dir(folder.path())
            .unwrap()
            .map(|entry| entry.unwrap().file_name());
        assert_eq!(names.collect::<Vec<_>>(), ["manifest.json"]);
    }

    #[cfg(unix)]
    #[test]
    fn a_link_stays_and_the_run_is_where_it_leads() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        std::os::unix::fs::symlink("far", at("near")).unwrap();
        for seed in [1, 2] {
            drop(OutputDir::create(&at("near"), &manifest(seed)).unwrap());
        }
        assert!(at("near").is_symlink() && at("far/manifest.json").is_file() && at("far.old/manifest.json").is_file());
    }

    #[test]
    fn a_folder_of_another_version_or_world_is_refused_by_name() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("run");
        drop(OutputDir::create(&path, &manifest(1)).unwrap());
        let place = path.join("manifest.json");
        let text = fs::read_to_string(&place).unwrap();
        let own = format!("\"version\": \"{}\"", env!("CARGO_PKG_VERSION"));
        assert!(text.contains(&own), "{text}");
        for (from, to, said) in [
            (
                own.as_str(),
                "\"version\": \"0.0.1\", \"hashes\": []",
                "was made by tamper 0.0.1",
            ),
            (
                own.as_str(),
                "\"version\": \"0.0.1\"",
                "started with other parameters (version)",
            ),
            (
                "\"tool\"",
                "\"world\": \"action-system\", \"tool\"",
                "is on mutants of a system without time",
            ),
            (
                "\"tool\"",
                "\"other\": 1, \"tool\"",
                "is not a manifest of this version",
            ),
        ] {
            fs::write(&place, text.replacen(from, to, 1)).unwrap();
            let refusal = OutputDir::resume(&path, &manifest(1)).unwrap_err().to_string();
            assert!(refusal.contains(said), "{refusal}");
        }
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

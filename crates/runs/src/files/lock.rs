//! A lock that admits one command at a time to a folder.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::path::{Path, PathBuf};

use super::draft::is_part;
use super::identity::is_still;
use crate::error::{ExperimentError, FileAction, OfFile as _, Result};

/// Name of the lock file.
pub const LOCK: &str = ".tamper.lock";

/// A folder that only this process writes to. The lock is the operating system's: it ends with the process, so that the
/// lock file of a killed run blocks nobody. A run that ends removes the file.
#[derive(Debug)]
pub struct FolderLock {
    path: PathBuf,
    file: File,
}

impl FolderLock {
    /// Locks the folder at `folder`, and removes the drafts that a killed run left in it.
    ///
    /// # Errors
    /// If another command uses the folder, or it cannot be written to.
    pub fn take(folder: &Path) -> Result<Self> {
        let path = folder.join(LOCK);
        loop {
            let open = OpenOptions::new().create(true).truncate(false).write(true).open(&path);
            let file = open.cannot(FileAction::WriteInto, folder)?;
            match file.try_lock() {
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => {
                    return Err(ExperimentError::InUse {
                        path: folder.to_owned(),
                        by: "another command",
                        advice: "choose another folder, or wait for its end",
                    });
                }
                Err(TryLockError::Error(error)) => return Err(error).cannot(FileAction::Lock, &path),
            }
            // Its last user may have removed it since it was opened.
            if is_still(&file, &path)? {
                remove_drafts(folder)?;
                return Ok(Self { path, file });
            }
        }
    }

    /// Locks the folder at `folder`, creating it if absent.
    ///
    /// # Errors
    /// As [`FolderLock::take`].
    pub fn make(folder: &Path) -> Result<Self> {
        fs::create_dir_all(folder).cannot(FileAction::CreateFolder, folder)?;
        Self::take(folder)
    }
}

impl Drop for FolderLock {
    fn drop(&mut self) {
        // The folder may have been moved, and another command may hold a lock at its old path.
        if is_still(&self.file, &self.path).unwrap_or(false) {
            // If it cannot be removed it stays, and blocks nobody.
            let _ = fs::remove_file(&self.path);
        }
    }
}

fn remove_drafts(folder: &Path) -> Result<()> {
    let entries = fs::read_dir(folder).cannot(FileAction::Read, folder)?;
    for entry in entries {
        let entry = entry?;
        if is_part(&entry.file_name()) {
            let path = entry.path();
            fs::remove_file(&path).cannot(FileAction::Remove, &path)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_has_one_user_and_a_stale_lock_has_none() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join(LOCK), "").unwrap();
        fs::write(folder.path().join(".tamper-0123456789abcdef.part"), "torn").unwrap();
        let lock = FolderLock::take(folder.path()).unwrap();
        let refusal = FolderLock::take(folder.path()).unwrap_err();
        assert!(refusal.to_string().contains("in use"), "{refusal}");
        drop(lock);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
        drop(FolderLock::make(&folder.path().join("a/b")).unwrap());
    }

    #[test]
    fn a_lock_that_moved_with_its_folder_removes_no_other() {
        let folder = tempfile::tempdir().unwrap();
        let (run, old) = (folder.path().join("run"), folder.path().join("run.old"));
        let first = FolderLock::make(&run).unwrap();
        fs::rename(&run, &old).unwrap();
        let second = FolderLock::make(&run).unwrap();
        drop(first);
        assert!(run.join(LOCK).exists());
        drop(second);
        assert!(!run.join(LOCK).exists());
    }
}

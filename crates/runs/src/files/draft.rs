//! Files that are either complete or absent.
//!
//! A draft lies next to its file, under a name derived from the file's name: the next run that writes the same file
//! finds the draft that a killed run left.

use std::ffi::OsStr;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::identity::{destination, is_still};
use crate::error::{FileAction, OfFile as _, Result};

/// The drafts that this process is writing.
static PARTS: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

const PREFIX: &str = ".tamper-";
const SUFFIX: &str = ".part";

/// A file that gets its name only when it is finished; if dropped before, it leaves nothing.
#[derive(Debug)]
pub struct Draft {
    /// The file's name, as the user gave it.
    name: PathBuf,
    target: PathBuf,
    /// Path of the draft until it is finished; `None` if the target is a device or a pipe.
    part: Option<PathBuf>,
    file: BufWriter<File>,
}

impl Draft {
    /// Starts the draft of the file at `path`; a symbolic link is followed to its target.
    ///
    /// # Errors
    /// If it cannot be created, is write-protected, or another command is writing it.
    pub fn create(path: &Path) -> Result<Self> {
        Self::start(path).cannot(FileAction::Write, path)
    }

    fn start(path: &Path) -> io::Result<Self> {
        let target = destination(path)?;
        let (part, file) = match fs::metadata(&target) {
            Ok(there) if there.is_dir() => return Err(io::ErrorKind::IsADirectory.into()),
            Ok(there) if there.is_file() && there.permissions().readonly() => {
                return Err(io::Error::other("it is write-protected"));
            }
            Ok(there) if !there.is_file() => (None, OpenOptions::new().write(true).open(&target)?),
            _ => {
                let part = part_of(&target)?;
                let file = exclusive(&part)?;
                parts().push(part.clone());
                file.set_len(0)?;
                (Some(part), file)
            }
        };
        Ok(Self {
            name: path.to_owned(),
            target,
            part,
            file: BufWriter::new(file),
        })
    }

    /// Gives the file its name. An existing file is replaced, and its permissions are kept.
    ///
    /// # Errors
    /// If the file system refuses.
    pub fn finish(mut self) -> Result<()> {
        self.persist().cannot(FileAction::Write, &self.name)
    }

    fn persist(&mut self) -> io::Result<()> {
        self.file.flush()?;
        let Some(part) = &self.part else { return Ok(()) };
        if let Ok(previous) = fs::metadata(&self.target) {
            let file = self.file.get_ref();
            file.set_permissions(previous.permissions())?;
            // The rename destroys the old file, so the new one has to be on disk by then.
            file.sync_all()?;
        }
        let mut parts = parts();
        fs::rename(part, &self.target)?;
        forget(&mut parts, part);
        self.part = None;
        Ok(())
    }
}

impl Write for Draft {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }
    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        if let Some(part) = &self.part {
            let mut parts = parts();
            // If it cannot be removed, the next run removes it.
            let _ = fs::remove_file(part);
            forget(&mut parts, part);
        }
    }
}

fn parts() -> MutexGuard<'static, Vec<PathBuf>> {
    PARTS.lock().unwrap_or_else(PoisonError::into_inner)
}

fn forget(parts: &mut Vec<PathBuf>, part: &Path) {
    parts.retain(|other| other != part);
}

/// Removes all drafts of this process. Until the returned guard is dropped, no other draft is started or finished:
/// meant for a process that is about to end.
#[must_use]
pub fn abandon_drafts() -> impl Drop {
    let mut parts = parts();
    for part in parts.drain(..) {
        // If it cannot be removed, the next run removes it.
        let _ = fs::remove_file(part);
    }
    parts
}

/// Writes a file atomically: a reader sees the old content or the new one, never a part.
///
/// # Errors
/// If the file system refuses.
pub fn write_file(path: &Path, bytes: impl AsRef<[u8]>) -> Result<()> {
    write_parts(path, |draft| draft.write_all(bytes.as_ref()))
}

/// The same for a file whose parts `write` writes one after the other.
///
/// # Errors
/// If the file system refuses.
pub fn write_parts(path: &Path, write: impl FnOnce(&mut Draft) -> io::Result<()>) -> Result<()> {
    let mut draft = Draft::create(path)?;
    write(&mut draft).cannot(FileAction::Write, path)?;
    draft.finish()
}

/// Path of the draft of `target`. Its name is short, however long the target's is.
fn part_of(target: &Path) -> io::Result<PathBuf> {
    let Some(name) = target.file_name() else {
        return Err(io::ErrorKind::IsADirectory.into());
    };
    let hash = blake3::hash(name.as_encoded_bytes()).to_hex();
    Ok(target.with_file_name(format!("{PREFIX}{:.16}{SUFFIX}", hash.as_str())))
}

/// Whether a file of this name is a draft.
pub fn is_part(name: &OsStr) -> bool {
    let name = name.to_string_lossy();
    name.starts_with(PREFIX) && name.ends_with(SUFFIX)
}

/// Opens the file at `path`, creating it if absent, and locks it for this process: the lock ends with the process.
fn exclusive(path: &Path) -> io::Result<File> {
    loop {
        let file = OpenOptions::new().create(true).truncate(false).write(true).open(path)?;
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => return Err(io::Error::other("another command is writing it")),
            // Not every file system has locks.
            Ok(()) | Err(TryLockError::Error(_)) => {}
        }
        if is_still(&file, path)? {
            return Ok(file);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn n_entries(folder: &Path) -> usize {
        fs::read_dir(folder).unwrap().count()
    }

    #[test]
    fn a_file_is_replaced_as_a_whole_and_others_may_read_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("suite.json");
        write_file(&path, "a longer text").unwrap();
        write_file(&path, "short").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"short");
        assert_eq!(n_entries(folder.path()), 1);
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            let plain = folder.path().join("plain");
            fs::write(&plain, "").unwrap();
            let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode();
            assert_eq!(mode(&path), mode(&plain));
            fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
            write_file(&path, "secret").unwrap();
            assert_eq!(mode(&path) & 0o777, 0o600);
            fs::set_permissions(&path, fs::Permissions::from_mode(0o400)).unwrap();
            let error = write_file(&path, "lost").unwrap_err();
            assert!(format!("{error:#}").contains("write-protected"), "{error:#}");
            assert_eq!(fs::read(&path).unwrap(), b"secret");
        }
    }

    #[test]
    fn what_cannot_be_written_leaves_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let error = write_file(folder.path(), "text").unwrap_err();
        assert!(error.to_string().starts_with("cannot write"), "{error}");
        let missing = folder.path().join("missing").join("suite.json");
        assert!(write_file(&missing, "text").is_err());
        assert_eq!(n_entries(folder.path()), 0);
    }

    #[cfg(unix)]
    #[test]
    fn a_link_leads_to_the_file_and_stays_a_link() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::create_dir(at("far")).unwrap();
        std::os::unix::fs::symlink("far/file", at("near")).unwrap();
        std::os::unix::fs::symlink("near", at("nearer")).unwrap();
        for text in ["new", "replaced"] {
            write_file(&at("nearer"), text).unwrap();
            assert_eq!(fs::read_to_string(at("far/file")).unwrap(), text);
        }
        assert!(at("near").is_symlink() && at("nearer").is_symlink());
        assert_eq!(n_entries(&at("far")), 1);
        std::os::unix::fs::symlink("circle", at("circle")).unwrap();
        assert!(write_file(&at("circle"), "").is_err());
        // A device is written to, not replaced.
        write_file(Path::new("/dev/null"), "text").unwrap();
        use std::os::unix::fs::FileTypeExt as _;
        assert!(fs::metadata("/dev/null").unwrap().file_type().is_char_device());
    }

    #[test]
    fn the_draft_of_a_killed_run_is_used_again_and_one_in_use_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("suite.json");
        fs::write(part_of(&path).unwrap(), "a torn text of a killed run").unwrap();
        write_file(&path, "whole").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"whole");
        assert_eq!(n_entries(folder.path()), 1);
        let draft = Draft::create(&path).unwrap();
        let error = write_file(&path, "other").unwrap_err();
        assert!(format!("{error:#}").contains("another command"), "{error:#}");
        drop(draft);
        assert_eq!(fs::read(&path).unwrap(), b"whole");
        assert_eq!(n_entries(folder.path()), 1);
    }
}

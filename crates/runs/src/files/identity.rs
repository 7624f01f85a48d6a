//! Identity of files, however their paths are spelled.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

/// Largest number of symbolic links that one path may lead through.
const MOST_LINKS: usize = 40;

/// Identity of a file: equal for all its names, through symbolic and hard links.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FileId {
    #[cfg(unix)]
    id: (u64, u64),
    #[cfg(not(unix))]
    id: PathBuf,
}

impl FileId {
    /// The regular file or folder at `path`; `None` if nothing is there, or a device or a pipe, which writing does not
    /// replace.
    pub fn of(path: &Path) -> Option<Self> {
        let metadata = fs::metadata(path).ok()?;
        if !metadata.is_file() && !metadata.is_dir() {
            return None;
        }
        #[cfg(unix)]
        {
            Some(Self { id: of(&metadata) })
        }
        #[cfg(not(unix))]
        {
            Some(Self {
                id: path.canonicalize().ok()?,
            })
        }
    }
}

#[cfg(unix)]
fn of(metadata: &fs::Metadata) -> (u64, u64) {
    use std::os::unix::fs::MetadataExt as _;
    (metadata.dev(), metadata.ino())
}

/// Whether `path` still names the open `file`: another process may have removed or replaced it.
pub fn is_still(file: &File, path: &Path) -> io::Result<bool> {
    #[cfg(unix)]
    {
        let named = match fs::symlink_metadata(path) {
            Ok(metadata) => metadata,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
            Err(error) => return Err(error),
        };
        Ok(of(&file.metadata()?) == of(&named))
    }
    #[cfg(not(unix))]
    {
        file.metadata().map(|_| path.exists())
    }
}

/// The path to which writing to `path` leads: symbolic links are followed, even to a target that does not exist yet.
///
/// # Errors
/// If the links form a circle.
pub fn destination(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_owned();
    for _ in 0..MOST_LINKS {
        match fs::read_link(&path) {
            Ok(target) => path = path.parent().unwrap_or(Path::new("")).join(target),
            Err(_) => return Ok(path),
        }
    }
    Err(io::Error::other("too many symbolic links lead on from it"))
}

/// `path` without symbolic links and `..`, as far as it exists.
pub fn resolved(path: &Path) -> io::Result<PathBuf> {
    let path = std::path::absolute(destination(path)?)?;
    let mut missing = Vec::new();
    let mut there = path.as_path();
    loop {
        if let Ok(mut found) = there.canonicalize() {
            found.extend(missing.iter().rev());
            return Ok(found);
        }
        match (there.parent(), there.file_name()) {
            (Some(parent), Some(name)) => {
                missing.push(name);
                there = parent;
            }
            _ => return Ok(path),
        }
    }
}

/// `path` with `.old` appended to its name.
pub fn old(path: &Path) -> PathBuf {
    let mut old = path.as_os_str().to_owned();
    old.push(".old");
    PathBuf::from(old)
}

//! Files that are whole or not there.

use std::io::Write as _;
use std::path::Path;

use anyhow::{Context as _, Result};

/// Writes a whole file; a reader sees the old one or the new one, never a part.
///
/// # Errors
/// When the file system refuses.
pub fn write_file(path: &Path, bytes: impl AsRef<[u8]>) -> Result<()> {
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let write = || -> Result<()> {
        let mut builder = tempfile::Builder::new();
        #[cfg(unix)]
        {
            // As any new file: what the user's mask leaves.
            use std::os::unix::fs::PermissionsExt as _;
            builder.permissions(std::fs::Permissions::from_mode(0o666));
        }
        let mut file = builder.tempfile_in(folder)?;
        file.write_all(bytes.as_ref())?;
        file.persist(path)?;
        Ok(())
    };
    write().with_context(|| format!("cannot write {}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_replaced_as_a_whole_and_others_may_read_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("suite.json");
        std::fs::write(&path, "a longer text").unwrap();
        write_file(&path, "short").unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"short");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            let plain = folder.path().join("plain");
            std::fs::write(&plain, "").unwrap();
            let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode();
            assert_eq!(mode(&path), mode(&plain));
        }
    }

    #[test]
    fn what_cannot_be_written_leaves_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let error = write_file(folder.path(), "text").unwrap_err();
        assert!(error.to_string().starts_with("cannot write"), "{error}");
        let missing = folder.path().join("missing").join("suite.json");
        assert!(write_file(&missing, "text").is_err());
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}

//! Reads the files that a user names; no other module opens them.

use std::collections::BTreeMap;
use std::fs::{File, Metadata};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use tamper_text::{Diagnostic, ReadError, SourceFile};

/// The longest file that is read as a whole, in bytes. Files that are streamed (`mutants.jsonl`) may be longer.
pub const LONGEST: u64 = 256 << 20;

/// The extension of a file name, in lower case.
pub fn ending(path: &Path) -> String {
    let ending = path.extension().and_then(|ending| ending.to_str());
    ending.unwrap_or_default().to_ascii_lowercase()
}

/// The bytes of the file at `path`, which may be a pipe, or `-`, standard input; if it cannot be read, `help` tells the
/// user what to name instead.
///
/// # Errors
/// If the file does not exist, it may not be read, or it is longer than 256 MB.
pub fn read_input(path: &Path, help: &str) -> Result<Vec<u8>, ReadError> {
    let is_stdin = path.as_os_str() == STDIN;
    if !is_stdin && !path.metadata().is_ok_and(|metadata| is_pipe(&metadata)) {
        return read_up_to(path, LONGEST, help);
    }
    let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    let read = kept.entry(path.to_owned()).or_insert_with(|| {
        match is_stdin {
            true => read_all(io::stdin().lock()),
            false => File::open(path).and_then(read_all),
        }
        .map_err(|error| (error.kind(), error.to_string()))
    });
    match read {
        Ok(bytes) if bytes.len() as u64 > LONGEST => Err(too_long(path, LONGEST, help)),
        Ok(bytes) => Ok(bytes.clone()),
        Err((kind, text)) => Err(unreadable(path, &io::Error::new(*kind, text.clone()), help)),
    }
}

/// Refuses a pipe or a device, which might never deliver anything.
///
/// # Errors
/// If there is one at `path`; `help` tells the user what to name instead.
pub fn refuse_pipe(path: &Path, help: &str) -> Result<(), ReadError> {
    match path.metadata().is_ok_and(|metadata| is_pipe(&metadata)) {
        true => Err(refused(path, "is a pipe or a device, not a file".to_owned(), help)),
        false => Ok(()),
    }
}

/// The name that stands for standard input; `./-` is a file.
pub const STDIN: &str = "-";

/// The content of a pipe, or the error of reading it.
type Piped = Result<Vec<u8>, (io::ErrorKind, String)>;

/// The content of standard input and pipes, kept for later calls: they can be read only once.
static KEPT: Mutex<BTreeMap<PathBuf, Piped>> = Mutex::new(BTreeMap::new());

fn is_pipe(metadata: &Metadata) -> bool {
    !metadata.is_file() && !metadata.is_dir()
}

fn read_all(pipe: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    pipe.take(LONGEST + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The text of the file at `path`: like [`read_input`], in UTF-8.
///
/// # Errors
/// Like [`read_input`], and if the file is not UTF-8.
pub fn read_text(path: &Path, help: &str) -> Result<String, ReadError> {
    let bytes = read_input(path, help)?;
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        refused(path, format!("is no text in UTF-8: byte {} is not", at + 1), help)
    })
}

/// The bytes of a file that tamper wrote, or should have written.
///
/// # Errors
/// If the file does not exist, it may not be read, or it is longer than 256 MB.
pub fn read_own(path: &Path) -> io::Result<Vec<u8>> {
    if is_pipe(&path.metadata()?) {
        return Err(io::Error::other("it is a pipe or a device, not a file"));
    }
    let mut bytes = Vec::new();
    File::open(path)?.take(LONGEST + 1).read_to_end(&mut bytes)?;
    match bytes.len() as u64 > LONGEST {
        true => Err(io::Error::new(
            io::ErrorKind::FileTooLarge,
            format!("it is longer than {} MB, the most that tamper reads", LONGEST >> 20),
        )),
        false => Ok(bytes),
    }
}

/// The text of a file that tamper wrote: like [`read_own`].
///
/// # Errors
/// Like [`read_own`], and if the file is not UTF-8.
pub fn read_own_text(path: &Path) -> io::Result<String> {
    String::from_utf8(read_own(path)?).map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))
}

fn read_up_to(path: &Path, longest: u64, help: &str) -> Result<Vec<u8>, ReadError> {
    let cannot = |error: io::Error| unreadable(path, &error, help);
    let file = File::open(path).map_err(cannot)?;
    let metadata = file.metadata().map_err(cannot)?;
    // The length of a pipe or a device is not known.
    let known = if metadata.is_file() { metadata.len() } else { 0 };
    let mut bytes = Vec::new();
    if known <= longest {
        bytes.reserve_exact(usize::try_from(known).unwrap_or(0));
        file.take(longest + 1).read_to_end(&mut bytes).map_err(cannot)?;
    }
    if known > longest || bytes.len() as u64 > longest {
        return Err(too_long(path, longest, help));
    }
    Ok(bytes)
}

fn too_long(path: &Path, longest: u64, help: &str) -> ReadError {
    let most = longest >> 20;
    refused(
        path,
        format!("is longer than {most} MB, the most that tamper reads"),
        help,
    )
}

/// The error that `path` cannot be read, with advice on what to name instead.
pub fn unreadable(path: &Path, error: &io::Error, help: &str) -> ReadError {
    refused(path, format!("cannot be read: {error}"), help)
}

/// The error that `path` is refused as a whole, with advice.
pub fn refused(path: &Path, why: String, help: &str) -> ReadError {
    let file = SourceFile::new(path.display().to_string(), "");
    ReadError::of(file, Diagnostic::error(why, None).with_help(help))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_read_up_to_the_longest_and_not_beyond() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("input");
        std::fs::write(&path, vec![b'x'; 1 << 20]).unwrap();
        assert_eq!(read_up_to(&path, 1 << 20, "").unwrap().len(), 1 << 20);
        std::fs::write(&path, vec![b'x'; (1 << 20) + 1]).unwrap();
        let error = read_up_to(&path, 1 << 20, "").unwrap_err();
        assert!(error.to_string().contains("longer than 1 MB"), "{error}");
        assert!(error.file.name().ends_with("input"));
        #[cfg(unix)]
        assert!(read_up_to(Path::new("/dev/zero"), 1 << 20, "").is_err());
        assert!(read_up_to(&folder.path().join("none"), 1, "").is_err());
        assert!(read_up_to(folder.path(), 1, "").is_err());
        std::fs::write(&path, [b'a', 0xff]).unwrap();
        assert!(read_text(&path, "").unwrap_err().to_string().contains("byte 2"));
    }
}

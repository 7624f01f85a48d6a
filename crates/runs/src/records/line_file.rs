//! Line-oriented files that tamper itself wrote: the files may be long, their lines may not.

use std::fs::File;
use std::io::{self, BufRead as _, BufReader, Read};
use std::path::Path;

/// Length of the longest line, in bytes.
const LONGEST_LINE: usize = 64 << 20;

/// A file that is read line by line.
pub type LineFile = BufReader<Bounded<File>>;

/// Opens the file at `path`; reading a line longer than 64 MiB is an error.
///
/// # Errors
/// If the file does not exist, or may not be read.
pub fn open_lines(path: &Path) -> io::Result<LineFile> {
    let bounded = Bounded {
        inner: File::open(path)?,
        length: 0,
        longest: LONGEST_LINE,
    };
    Ok(BufReader::with_capacity(1 << 16, bounded))
}

/// Number of the complete lines that follow, and whether the last line is complete.
///
/// # Errors
/// If they cannot be read.
pub fn count_lines(mut reader: LineFile) -> io::Result<(u64, bool)> {
    let (mut n, mut is_whole) = (0, true);
    loop {
        let block = reader.fill_buf()?;
        let Some(last) = block.last() else {
            return Ok((n, is_whole));
        };
        is_whole = *last == b'\n';
        n += block.iter().filter(|byte| **byte == b'\n').count() as u64;
        let length = block.len();
        reader.consume(length);
    }
}

/// A reader that fails on lines that are too long, so that collecting a line cannot exhaust the memory.
#[derive(Debug)]
pub struct Bounded<R> {
    inner: R,
    /// Length of the present line so far.
    length: usize,
    longest: usize,
}

impl<R: Read> Read for Bounded<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let n = self.inner.read(out)?;
        for part in out[..n].split_inclusive(|byte| *byte == b'\n') {
            self.length += part.len();
            if self.length > self.longest {
                let message = format!(
                    "a line is longer than {} bytes, the most that tamper reads",
                    self.longest
                );
                return Err(io::Error::new(io::ErrorKind::FileTooLarge, message));
            }
            if part.ends_with(b"\n") {
                self.length = 0;
            }
        }
        Ok(n)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_may_be_many_but_not_long() {
        let read = |text: &str| {
            let mut out = String::new();
            let mut bounded = Bounded {
                inner: text.as_bytes(),
                length: 0,
                longest: 4,
            };
            bounded.read_to_string(&mut out).map(|_| out)
        };
        let long = "abc\n".repeat(1000);
        assert_eq!(read(&long).unwrap(), long);
        let error = read("abc\nabcd\n").unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::FileTooLarge);
    }
}

//! `mutants.jsonl` and the lists of ids beside it.

use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, BufWriter, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::Path;

use anyhow::{Context as _, Result};

use super::{Facts, OutputDir, Record, Verdict};

const RECORDS: &str = "mutants.jsonl";

/// The records of a run, one JSON object per line, in order, and one list of ids per verdict.
#[derive(Debug)]
pub struct Log {
    /// Without a buffer: lines come many at once.
    records: File,
    lists: Vec<BufWriter<File>>,
    violating: BufWriter<File>,
    /// The lines an earlier run of the same plan wrote.
    kept: Option<BufReader<std::io::Take<File>>>,
    n_kept: u64,
}

impl Log {
    /// An empty log in `output`.
    ///
    /// # Errors
    /// When the file system refuses.
    pub fn create(output: &OutputDir) -> Result<Self> {
        let path = output.path().join(RECORDS);
        let records = File::create(&path).with_context(|| format!("cannot create {}", path.display()))?;
        Self::with_records(output, records, None)
    }

    /// The log of an interrupted run: its whole lines are kept, a torn last line is dropped.
    ///
    /// # Errors
    /// When the file system refuses.
    pub fn resume(output: &OutputDir) -> Result<Self> {
        let path = output.path().join(RECORDS);
        let cannot = || format!("cannot continue {}", path.display());
        if !path.exists() {
            return Self::create(output);
        }
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .open(&path)
            .with_context(cannot)?;
        let whole = whole_lines(&mut file).with_context(cannot)?;
        file.set_len(whole).with_context(cannot)?;
        file.seek(SeekFrom::End(0)).with_context(cannot)?;
        let kept = File::open(&path).with_context(cannot)?.take(whole);
        Self::with_records(output, file, Some(BufReader::new(kept)))
    }

    fn with_records(output: &OutputDir, records: File, kept: Option<BufReader<std::io::Take<File>>>) -> Result<Self> {
        let list = |name: &str| new_file(&output.path().join(format!("{name}.txt")));
        let lists = Verdict::ALL.map(|verdict| list(verdict.name()));
        Ok(Self {
            records,
            lists: lists.into_iter().collect::<Result<_>>()?,
            violating: list("violating")?,
            kept,
            n_kept: 0,
        })
    }

    /// The next record that an earlier run wrote; none when they are used up.
    ///
    /// # Errors
    /// When a line is no record.
    pub fn next_kept(&mut self) -> Result<Option<Record>> {
        let Some(kept) = &mut self.kept else { return Ok(None) };
        let mut line = Vec::new();
        if kept
            .read_until(b'\n', &mut line)
            .with_context(|| format!("cannot read {RECORDS}"))?
            == 0
        {
            self.kept = None;
            return Ok(None);
        }
        self.n_kept += 1;
        let at = self.n_kept;
        let record = serde_json::from_slice(&line)
            .with_context(|| format!("line {at} of {RECORDS} is no record of this run: start anew without --resume"))?;
        Ok(Some(record))
    }

    /// Lists a record.
    ///
    /// # Errors
    /// When the file system refuses.
    pub fn list(&mut self, facts: &Facts<'_>) -> Result<()> {
        let list = Verdict::ALL.iter().position(|verdict| *verdict == facts.verdict);
        let list = list.and_then(|at| self.lists.get_mut(at));
        let violating = facts.violates.then_some(&mut self.violating);
        for list in list.into_iter().chain(violating) {
            list.write_all(facts.id.as_bytes())?;
            list.write_all(b"\n")?;
        }
        Ok(())
    }

    /// Appends the text of some records, each with its end of line.
    ///
    /// # Errors
    /// When the file system refuses.
    pub fn append(&mut self, lines: &[u8]) -> Result<()> {
        self.records
            .write_all(lines)
            .with_context(|| format!("cannot write {RECORDS}"))
    }

    /// Hands the lists to the operating system.
    ///
    /// # Errors
    /// When the file system refuses.
    pub fn flush(&mut self) -> Result<()> {
        for list in self.lists.iter_mut().chain([&mut self.violating]) {
            list.flush().context("cannot write a list of mutants")?;
        }
        Ok(())
    }
}

fn new_file(path: &Path) -> Result<BufWriter<File>> {
    let file = File::create(path).with_context(|| format!("cannot create {}", path.display()))?;
    Ok(BufWriter::with_capacity(1 << 16, file))
}

/// The length of `file` up to and including its last end of line.
fn whole_lines(file: &mut File) -> Result<u64> {
    let mut end = file.metadata()?.len();
    let mut block = [0; 4096];
    while end > 0 {
        let start = end.saturating_sub(block.len() as u64);
        let part = usize::try_from(end - start).map(|length| &mut block[..length])?;
        file.seek(SeekFrom::Start(start))?;
        file.read_exact(part)?;
        if let Some(at) = part.iter().rposition(|byte| *byte == b'\n') {
            return Ok(start + at as u64 + 1);
        }
        end = start;
    }
    Ok(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_end_of_line_is_found_across_blocks() {
        let mut file = tempfile::tempfile().unwrap();
        assert_eq!(whole_lines(&mut file).unwrap(), 0);
        file.write_all(b"ab\ncd\n").unwrap();
        assert_eq!(whole_lines(&mut file).unwrap(), 6);
        file.write_all(&[b'x'; 9000]).unwrap();
        assert_eq!(whole_lines(&mut file).unwrap(), 6);
    }
}

//! `mutants.jsonl` and the lists of ids besides it.

use std::collections::{BTreeMap, HashMap};
use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, BufWriter, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::error::{ErrorContext as _, FileAction, OfFile as _, OrMalformed as _, Result};
use crate::files::write_file;
use crate::{DecidedBy, Facts, OutputDir, Record, Verdict};
use tamper_uppaal::input::read_own_text;

/// Name of the file of records.
pub(crate) const RECORDS: &str = "mutants.jsonl";

/// Name of the file of records behind a mutant that is still open.
const AHEAD: &str = "ahead.jsonl";

/// The findings about a mutant whose line cannot be written yet.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PendingRecord {
    /// Record of the mutant; its verdict is not copied from an equal mutant.
    pub record: Record,
    /// Digest of the mutant, in hexadecimal.
    pub digest: Option<String>,
}

/// The records of a run, one JSON object per line, in order, and one list of ids per verdict.
#[derive(Debug)]
pub struct Log {
    /// Unbuffered, since many lines come at once. `None` if nothing is written.
    records: Option<File>,
    lists: Vec<BufWriter<File>>,
    violating: Option<BufWriter<File>>,
    kept: Option<ExistingRecords>,
    /// File to which records behind an open mutant are set aside.
    aside: Option<PathBuf>,
    /// Records that an interrupted run set aside, by the mutants' ids.
    ahead: HashMap<String, PendingRecord>,
    /// The note on each mutant, if notes are requested.
    notes: Option<Vec<MutantNote>>,
}

/// The verdict on a mutant, without text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MutantNote {
    /// The verdict.
    pub verdict: Verdict,
    /// The method that gave the verdict.
    pub decided_by: DecidedBy,
    /// Whether guidelines name all its mutations.
    pub violates: bool,
    /// Whether only the extended guidelines name it.
    pub identified: bool,
}

/// Records that exist already.
enum ExistingRecords {
    /// The lines that an earlier run of the same plan wrote, which stay in the file, and the number of lines read so
    /// far.
    Own(BufReader<std::io::Take<File>>, u64),
    /// Records of the shares that make up this run.
    Others(Box<dyn Records>),
}

/// A source of records of other runs, in the order of this run.
pub(crate) trait Records: Send {
    /// Returns the next record.
    fn next(&mut self) -> Result<Option<Record>>;
}

impl std::fmt::Debug for ExistingRecords {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Own(..) => "Own",
            Self::Others(_) => "Others",
        })
    }
}

impl Log {
    /// Creates an empty log in `output`.
    ///
    /// # Errors
    /// If the file system refuses.
    pub fn create(output: &OutputDir) -> Result<Self> {
        let path = output.path().join(RECORDS);
        let records = File::create(&path).cannot(FileAction::Create, &path)?;
        Self::with_records(output, records, None)
    }

    /// Creates an empty log in `output`, for a run that takes its verdicts from `records`.
    ///
    /// # Errors
    /// If the file system refuses.
    pub(crate) fn of_others(output: &OutputDir, records: Box<dyn Records>) -> Result<Self> {
        let mut log = Self::create(output)?;
        log.kept = Some(ExistingRecords::Others(records));
        Ok(log)
    }

    /// Opens the log of an interrupted run: its complete lines are kept, an incomplete last line is dropped.
    ///
    /// # Errors
    /// If the file system refuses.
    pub fn resume(output: &OutputDir) -> Result<Self> {
        let path = output.path().join(RECORDS);
        if !path.exists() {
            return Self::create(output);
        }
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .open(&path)
            .cannot(FileAction::Continue, &path)?;
        let whole = whole_lines(&mut file).cannot(FileAction::Continue, &path)?;
        file.set_len(whole).cannot(FileAction::Continue, &path)?;
        let end = file.seek(SeekFrom::End(0));
        end.cannot(FileAction::Continue, &path)?;
        let kept = File::open(&path).cannot(FileAction::Continue, &path)?.take(whole);
        let mut log = Self::with_records(output, file, Some(ExistingRecords::Own(BufReader::new(kept), 0)))?;
        log.ahead = read_ahead(&output.path().join(AHEAD))?;
        Ok(log)
    }

    /// A log that writes nothing, for a run without a folder.
    pub fn nowhere() -> Self {
        Self {
            records: None,
            lists: Vec::new(),
            violating: None,
            kept: None,
            aside: None,
            ahead: HashMap::new(),
            notes: None,
        }
    }

    /// A log that writes nothing, and keeps a note on each mutant.
    pub fn remembering() -> Self {
        Self {
            notes: Some(Vec::new()),
            ..Self::nowhere()
        }
    }

    /// The notes on all mutants, in order; empty if they were not requested.
    pub fn into_said(self) -> Vec<MutantNote> {
        self.notes.unwrap_or_default()
    }

    fn with_records(output: &OutputDir, records: File, kept: Option<ExistingRecords>) -> Result<Self> {
        let list = |name: &str| new_file(&output.path().join(format!("{name}.txt")));
        let lists = Verdict::ALL.map(|verdict| list(verdict.name()));
        Ok(Self {
            records: Some(records),
            lists: lists.into_iter().collect::<Result<_>>()?,
            violating: Some(list("violating")?),
            kept,
            aside: Some(output.path().join(AHEAD)),
            ahead: HashMap::new(),
            notes: None,
        })
    }

    /// The next record that an earlier run wrote; `None` after the last one.
    ///
    /// # Errors
    /// If a line is no record.
    pub fn next_kept(&mut self) -> Result<Option<Record>> {
        let next = match &mut self.kept {
            None => None,
            Some(ExistingRecords::Others(records)) => records.next()?,
            Some(ExistingRecords::Own(lines, n)) => read_record(lines, n)?,
        };
        Ok(next)
    }

    /// Whether the existing records are already in this log's file.
    pub fn has_kept(&self) -> bool {
        matches!(self.kept, Some(ExistingRecords::Own(..)))
    }

    /// Whether all existing records have been read.
    pub fn is_read(&self) -> bool {
        match &self.kept {
            Some(ExistingRecords::Own(lines, _)) => lines.buffer().is_empty() && lines.get_ref().limit() == 0,
            Some(ExistingRecords::Others(_)) | None => true,
        }
    }

    /// Takes the findings that an interrupted run set aside about the mutant with this id.
    pub(crate) fn take_ahead(&mut self, id: &str) -> Option<PendingRecord> {
        self.ahead.remove(id)
    }

    /// Sets `found` aside, together with the remaining findings of an interrupted run.
    ///
    /// # Errors
    /// If the file system refuses.
    pub(crate) fn set_aside(&mut self, found: Vec<PendingRecord>) -> Result<()> {
        self.ahead
            .extend(found.into_iter().map(|ahead| (ahead.record.id.clone(), ahead)));
        let Some(path) = &self.aside else { return Ok(()) };
        let ordered: BTreeMap<&String, &PendingRecord> = self.ahead.iter().collect();
        let mut text = String::new();
        for ahead in ordered.into_values() {
            text += &serde_json::to_string(ahead)?;
            text.push('\n');
        }
        match text.is_empty() && !path.exists() {
            true => Ok(()),
            false => write_file(path, text.as_bytes()),
        }
    }

    /// Removes the findings set aside, once every mutant has its line.
    ///
    /// # Errors
    /// If the file system refuses.
    pub(crate) fn nothing_ahead(&mut self) -> Result<()> {
        match self.aside.as_ref().filter(|path| path.exists()) {
            Some(path) => std::fs::remove_file(path).cannot(FileAction::Remove, path),
            None => Ok(()),
        }
    }

    /// Adds a record to the lists.
    ///
    /// # Errors
    /// If the file system refuses.
    pub fn list(&mut self, facts: &Facts<'_>) -> Result<()> {
        if let Some(notes) = &mut self.notes {
            notes.push(MutantNote {
                verdict: facts.verdict,
                decided_by: facts.decided_by,
                violates: facts.violates,
                identified: facts.identified,
            });
        }
        let list = Verdict::ALL.iter().position(|verdict| *verdict == facts.verdict);
        let list = list.and_then(|at| self.lists.get_mut(at));
        let violating = self.violating.as_mut().filter(|_| facts.violates);
        for list in list.into_iter().chain(violating) {
            list.write_all(facts.id.as_bytes())?;
            list.write_all(b"\n")?;
        }
        Ok(())
    }

    /// Appends the text of records, each with its end of line.
    ///
    /// # Errors
    /// If the file system refuses.
    pub fn append(&mut self, lines: &[u8]) -> Result<()> {
        match &mut self.records {
            Some(records) => records.write_all(lines).cannot(FileAction::Write, Path::new(RECORDS)),
            None => Ok(()),
        }
    }

    /// Flushes the lists to the operating system.
    ///
    /// # Errors
    /// If the file system refuses.
    pub fn flush(&mut self) -> Result<()> {
        for list in self.lists.iter_mut().chain(&mut self.violating) {
            list.flush().doing(|| "cannot write a list of mutants".to_owned())?;
        }
        Ok(())
    }
}

/// Reads the findings that an interrupted run set aside.
fn read_ahead(path: &Path) -> Result<HashMap<String, PendingRecord>> {
    if !path.exists() {
        return Ok(HashMap::new());
    }
    let text = read_own_text(path).cannot(FileAction::Read, path)?;
    let one = |line: &str| {
        let ahead: PendingRecord = serde_json::from_str(line).or_malformed(|| {
            format!("{AHEAD} has a line that is no record of this run: start anew without --resume")
        })?;
        Ok((ahead.record.id.clone(), ahead))
    };
    text.lines().map(one).collect()
}

fn read_record(lines: &mut impl BufRead, n: &mut u64) -> Result<Option<Record>> {
    let mut line = Vec::new();
    let length = lines.read_until(b'\n', &mut line);
    if length.cannot(FileAction::Read, Path::new(RECORDS))? == 0 {
        return Ok(None);
    }
    *n += 1;
    let record = serde_json::from_slice(&line)
        .or_malformed(|| format!("line {n} of {RECORDS} is no record of this run: start anew without --resume"))?;
    Ok(Some(record))
}

fn new_file(path: &Path) -> Result<BufWriter<File>> {
    let file = File::create(path).cannot(FileAction::Create, path)?;
    Ok(BufWriter::with_capacity(1 << 16, file))
}

/// The length of `file` up to and including its last end of line.
fn whole_lines(file: &mut File) -> io::Result<u64> {
    let mut end = file.metadata()?.len();
    let mut block = [0; 4096];
    while end > 0 {
        let start = end.saturating_sub(block.len() as u64);
        let length = usize::try_from(end - start).unwrap_or(block.len());
        let part = &mut block[..length];
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

//! Merges the shares of an export: files are copied; lines of tables and of the index are put in the order of the
//! mutants.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::io::{BufRead as _, Lines, Write as _};
use std::path::{Component, Path, PathBuf};

use serde::Deserialize;

use super::Counts;
use crate::error::{ExperimentError, FileAction, OfFile as _, OrMalformed as _, Result, SharesError};
use crate::files::{Draft, write_file};
use crate::plans::shares::{ShareFolder, all_shares};
use crate::{CsvTable, LineFile, open_lines};
use crate::{Manifest, OutputDir};
use tamper_uppaal::input::read_own;

/// The formats that consist of one part per mutant and can therefore be divided into shares.
pub const SHARED_FORMATS: [&str; 5] = ["uppaal", "tchecker", "normal", "jsonl", "csv"];

/// The folders of all shares of one export, in order.
#[derive(Debug)]
pub struct ExportShares {
    found: Vec<ShareFolder<Manifest>>,
    format: String,
}

impl ExportShares {
    /// Opens the shares in `folders`, given in any order.
    ///
    /// # Errors
    /// If a folder holds no share or an unfinished one, the shares belong to different exports, or one is missing or
    /// given twice.
    pub fn open(folders: &[PathBuf]) -> Result<Self> {
        let found = all_shares(folders, Manifest::read)?;
        let format = found.first().and_then(|found| found.manifest.export());
        let format = format.ok_or(SharesError::Nothing)?.format.clone();
        if !SHARED_FORMATS.contains(&format.as_str()) {
            return Err(SharesError::Format(format).into());
        }
        let shares = Self { found, format };
        for found in &shares.found {
            if !found.folder.join(shares.table()).is_file() {
                return Err(ExperimentError::Unfinished(format!(
                    "share {} in {} is not finished: make it again",
                    found.shard,
                    found.folder.display()
                )));
            }
        }
        Ok(shares)
    }

    /// Manifest of the whole export.
    pub fn manifest(&self) -> Option<Manifest> {
        let selected = self.found.iter().map(|found| found.manifest.selected()).sum();
        Some(self.found.first()?.manifest.of_all(selected))
    }

    /// Name of the file with one line per mutant.
    fn table(&self) -> &'static str {
        match self.format.as_str() {
            "jsonl" => "kept.jsonl",
            "csv" => "kept.csv",
            _ => "index.jsonl",
        }
    }

    /// Writes the export into `output`.
    ///
    /// # Errors
    /// If a file cannot be read or written, or a mutant is in two shares.
    pub fn write(&self, output: &OutputDir) -> Result<Counts> {
        match self.format.as_str() {
            "tchecker" => self.copy_original("original.tck", output.path())?,
            "normal" => self.copy_original("original.txt", output.path())?,
            _ => {}
        }
        let kept = match self.format.as_str() {
            "csv" => self.write_csv(output.path())?,
            _ => self.write_lines(output.path())?,
        };
        Ok(Counts {
            looked_at: self.found.iter().map(|found| found.manifest.selected()).sum(),
            kept,
            unknown: 0,
        })
    }

    fn copy_original(&self, name: &'static str, out: &Path) -> Result<()> {
        let read = |found: &ShareFolder<Manifest>| read(&found.folder.join(name));
        let texts: Vec<Vec<u8>> = self.found.iter().map(read).collect::<Result<_>>()?;
        if texts.windows(2).any(|pair| pair[0] != pair[1]) {
            return Err(SharesError::Files(name).into());
        }
        let text = texts.first().ok_or(SharesError::Nothing)?;
        write_file(&out.join(name), text)
    }

    fn write_lines(&self, out: &Path) -> Result<u64> {
        let mut draft = Draft::create(&out.join(self.table()))?;
        let open = |found: &ShareFolder<Manifest>| {
            let path = found.folder.join(self.table());
            Ok(JsonLines {
                lines: open_lines(&path).cannot(FileAction::Read, &path)?.lines(),
                path,
            })
        };
        let mut sources: Vec<JsonLines> = self.found.iter().map(open).collect::<Result<_>>()?;
        in_order(&mut sources, |share, (line, numbered)| {
            if let Some(file) = &numbered.file {
                let folder = &self.found[share].folder;
                check_name(folder, file)?;
                write_file(&out.join(file), read(&folder.join(file))?)?;
            }
            writeln!(draft, "{line}")?;
            Ok(())
        })
        .and_then(|kept| draft.finish().map(|()| kept))
    }

    fn write_csv(&self, out: &Path) -> Result<u64> {
        let mut table = CsvTable::new(Draft::create(&out.join(self.table()))?);
        let open = |found: &ShareFolder<Manifest>| {
            let path = found.folder.join(self.table());
            let mut reader = csv::Reader::from_reader(open_lines(&path).cannot(FileAction::Read, &path)?);
            let header = reader.headers().or_malformed(|| cannot_read(&path))?.clone();
            Ok((
                header,
                CsvLines {
                    records: reader.into_records(),
                    path,
                },
            ))
        };
        let opened: Vec<(csv::StringRecord, CsvLines)> = self.found.iter().map(open).collect::<Result<_>>()?;
        if opened.windows(2).any(|pair| pair[0].0 != pair[1].0) {
            return Err(SharesError::Columns.into());
        }
        table.row(opened.first().ok_or(SharesError::Nothing)?.0.iter())?;
        let mut sources: Vec<CsvLines> = opened.into_iter().map(|(_, lines)| lines).collect();
        let kept = in_order(&mut sources, |_, record| Ok(table.row(record.iter())?))?;
        table.finish()?.finish()?;
        Ok(kept)
    }
}

fn cannot_read(path: &Path) -> String {
    format!("cannot read {}", path.display())
}

fn read(path: &Path) -> Result<Vec<u8>> {
    read_own(path).cannot(FileAction::Read, path)
}

/// Refuses a path that is not the name of a file directly in the folder.
fn check_name(folder: &Path, file: &str) -> Result<()> {
    let mut parts = Path::new(file).components();
    match (parts.next(), parts.next()) {
        (Some(Component::Normal(_)), None) => Ok(()),
        _ => Err(ExperimentError::malformed(format!(
            "{}: `{file}` in its index is no file of the folder",
            folder.display()
        ))),
    }
}

/// A source of lines in ascending order of their mutants' numbers.
trait NumberedLines {
    type Line;
    /// The next line.
    fn next(&mut self) -> Result<Option<(u64, Self::Line)>>;
    /// The file that the lines come from.
    fn path(&self) -> &Path;
}

struct JsonLines {
    lines: Lines<LineFile>,
    path: PathBuf,
}

/// The fields of a line that merging needs.
#[derive(Deserialize)]
struct NumberedLine {
    number: u64,
    file: Option<String>,
}

impl NumberedLines for JsonLines {
    type Line = (String, NumberedLine);
    fn next(&mut self) -> Result<Option<(u64, Self::Line)>> {
        let line = self.lines.next().transpose();
        let Some(line) = line.cannot(FileAction::Read, &self.path)? else {
            return Ok(None);
        };
        let numbered: NumberedLine = serde_json::from_str(&line)
            .or_malformed(|| format!("{}: a line is no exported mutant", self.path.display()))?;
        Ok(Some((numbered.number, (line, numbered))))
    }
    fn path(&self) -> &Path {
        &self.path
    }
}

struct CsvLines {
    records: csv::StringRecordsIntoIter<LineFile>,
    path: PathBuf,
}

impl NumberedLines for CsvLines {
    type Line = csv::StringRecord;
    fn next(&mut self) -> Result<Option<(u64, Self::Line)>> {
        let Some(record) = self
            .records
            .next()
            .transpose()
            .or_malformed(|| cannot_read(&self.path))?
        else {
            return Ok(None);
        };
        let number = record.get(0).and_then(|number| number.parse().ok());
        let Some(number) = number else {
            let path = self.path.display();
            return Err(ExperimentError::malformed(format!(
                "{path}: a row is no exported mutant"
            )));
        };
        Ok(Some((number, record)))
    }
    fn path(&self) -> &Path {
        &self.path
    }
}

/// Passes the lines of all sources to `take`, in the order of their numbers and with the position of their source.
/// Returns the number of lines.
fn in_order<S: NumberedLines>(sources: &mut [S], mut take: impl FnMut(usize, S::Line) -> Result<()>) -> Result<u64> {
    let mut waiting: Vec<Option<S::Line>> = Vec::new();
    let mut first = BinaryHeap::new();
    for (share, source) in sources.iter_mut().enumerate() {
        let next = source.next()?;
        first.extend(next.as_ref().map(|(number, _)| Reverse((*number, share))));
        waiting.push(next.map(|(_, line)| line));
    }
    let (mut n, mut before) = (0, None);
    while let Some(Reverse((number, share))) = first.pop() {
        if before.is_some_and(|before| number <= before) {
            let path = sources[share].path().to_owned();
            return Err(SharesError::Order { path, number }.into());
        }
        before = Some(number);
        let line = waiting[share].take();
        take(
            share,
            line.ok_or_else(|| ExperimentError::fault("a line waits for each number"))?,
        )?;
        n += 1;
        if let Some((number, line)) = sources[share].next()? {
            first.push(Reverse((number, share)));
            waiting[share] = Some(line);
        }
    }
    Ok(n)
}

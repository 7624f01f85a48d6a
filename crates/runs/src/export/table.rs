//! Exported mutants as lines of one file.

use std::io::Write as _;
use std::path::Path;

use super::{Exported, Kept, Sink};
use crate::CsvTable;
use crate::error::Result;
use crate::files::Draft;

/// The kind of an exported table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TableKind {
    /// `kept.jsonl`: a JSON object per line.
    JsonLines,
    /// `kept.csv`, with a header.
    Csv,
}

/// A sink that writes a table.
#[derive(Debug)]
pub struct TableSink(TableWriter);

#[derive(Debug)]
enum TableWriter {
    JsonLines(Draft),
    Csv(Box<CsvTable<Draft>>),
}

impl TableSink {
    /// Creates the table in the folder `folder`.
    ///
    /// # Errors
    /// If it cannot be created.
    pub fn create(folder: &Path, kind: TableKind) -> Result<Self> {
        Ok(Self(match kind {
            TableKind::JsonLines => TableWriter::JsonLines(Draft::create(&folder.join("kept.jsonl"))?),
            TableKind::Csv => {
                let mut table = CsvTable::new(Draft::create(&folder.join("kept.csv"))?);
                table.row(Exported::COLUMNS)?;
                TableWriter::Csv(Box::new(table))
            }
        }))
    }
}

impl Sink for TableSink {
    fn take(&mut self, kept: Vec<Kept>) -> Result<()> {
        for kept in &kept {
            let line = Exported::of(kept, None);
            match &mut self.0 {
                TableWriter::JsonLines(stream) => {
                    serde_json::to_writer(&mut *stream, &line)?;
                    stream.write_all(b"\n")?;
                }
                TableWriter::Csv(table) => table.row(line.cells())?,
            }
        }
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<()> {
        match self.0 {
            TableWriter::JsonLines(stream) => stream.finish(),
            TableWriter::Csv(table) => table.finish()?.finish(),
        }
    }
}

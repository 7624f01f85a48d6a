//! The records of a run as a Parquet file, for tools that read tables by columns.
//!
//! The file is made from `mutants.jsonl`, which stays what a run is continued from. Its columns are the fields of a record; lists are
//! lists, what a record may lack is null.

use std::io::BufRead as _;
use std::path::Path;
use std::sync::Arc;

use parquet::basic::Compression;
use parquet::data_type::{ByteArray, ByteArrayType, DataType, Int32Type};
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::parser::parse_message_type;

use super::Record;
use super::error::{ExperimentError, FileAction, OfFile as _, OrMalformed as _, Result};
use super::files::Draft;
use super::log::RECORDS;
use crate::open_lines;

/// The name of the file.
const FILE: &str = "mutants.parquet";

/// As many records are held at a time, and are a group of the file.
const GROUP: usize = 1 << 16;

const SCHEMA: &str = "message record {
    REQUIRED BYTE_ARRAY id (STRING);
    REQUIRED INT32 order (INTEGER(8, false));
    REQUIRED GROUP operators (LIST) { REPEATED GROUP list { REQUIRED BYTE_ARRAY element (STRING); } }
    REQUIRED GROUP violates (LIST) { REPEATED GROUP list { REQUIRED BYTE_ARRAY element (STRING); } }
    REQUIRED BYTE_ARRAY verdict (STRING);
    OPTIONAL BYTE_ARRAY why (STRING);
    REQUIRED BYTE_ARRAY decided_by (STRING);
    OPTIONAL BYTE_ARRAY duplicate_of (STRING);
    OPTIONAL BYTE_ARRAY reason (STRING);
    OPTIONAL BYTE_ARRAY witness (STRING);
    OPTIONAL BYTE_ARRAY alone (STRING);
}";

/// Writes the records of the run in `folder` as `mutants.parquet` beside them.
///
/// # Errors
/// When they cannot be read, or the file cannot be written.
pub fn write_parquet(folder: &Path) -> Result<()> {
    let path = folder.join(RECORDS);
    let file = open_lines(&path).cannot(FileAction::Read, &path)?;
    let schema = parse_message_type(SCHEMA)?;
    let properties = WriterProperties::builder().set_compression(Compression::SNAPPY).build();
    let draft = Draft::create(&folder.join(FILE))?;
    let mut writer = SerializedFileWriter::new(draft, Arc::new(schema), Arc::new(properties))?;
    let mut group = Vec::new();
    for (number, line) in file.lines().enumerate() {
        let line = line.cannot(FileAction::Read, &path)?;
        let record: Record = serde_json::from_str(&line)
            .or_malformed(|| format!("line {} of {} is no record", number + 1, path.display()))?;
        group.push(record);
        if group.len() == GROUP {
            write_group(&mut writer, &group)?;
            group.clear();
        }
    }
    if !group.is_empty() {
        write_group(&mut writer, &group)?;
    }
    writer.into_inner()?.finish()
}

fn write_group(writer: &mut SerializedFileWriter<Draft>, records: &[Record]) -> Result<()> {
    let mut group = writer.next_row_group()?;
    let texts = |of: &dyn Fn(&Record) -> &str| {
        let values = records.iter().map(|record| ByteArray::from(of(record)));
        Column::<ByteArrayType>::required(values.collect())
    };
    let optional = |of: &dyn Fn(&Record) -> Option<&str>| Column::optional(records.iter().map(of));
    let order = records.iter().map(|record| i32::from(record.order)).collect();
    texts(&|record| &record.id).write(&mut group)?;
    Column::<Int32Type>::required(order).write(&mut group)?;
    Column::lists(records.iter().map(|record| record.operators.iter().map(AsRef::as_ref))).write(&mut group)?;
    Column::lists(records.iter().map(|record| record.violates.iter().map(AsRef::as_ref))).write(&mut group)?;
    texts(&|record| record.verdict.name()).write(&mut group)?;
    optional(&|record| record.why.as_deref()).write(&mut group)?;
    texts(&|record| record.decided_by.name()).write(&mut group)?;
    optional(&|record| record.duplicate_of.as_deref()).write(&mut group)?;
    optional(&|record| record.reason.as_deref()).write(&mut group)?;
    optional(&|record| record.witness.as_deref()).write(&mut group)?;
    optional(&|record| record.alone.map(|verdict| verdict.name())).write(&mut group)?;
    group.close()?;
    Ok(())
}

/// The values of a column, and, where there may be none or several of a record, how much of each is there and which begin one.
struct Column<T: DataType> {
    values: Vec<T::T>,
    definitions: Option<Vec<i16>>,
    repetitions: Option<Vec<i16>>,
}

impl<T: DataType> Column<T> {
    fn required(values: Vec<T::T>) -> Self {
        Self {
            values,
            definitions: None,
            repetitions: None,
        }
    }

    fn write(self, group: &mut SerializedRowGroupWriter<'_, Draft>) -> Result<()> {
        let column = group.next_column()?;
        let mut column = column.ok_or_else(|| ExperimentError::fault("every column is of the schema"))?;
        let (definitions, repetitions) = (self.definitions.as_deref(), self.repetitions.as_deref());
        column
            .typed::<T>()
            .write_batch(&self.values, definitions, repetitions)?;
        column.close()?;
        Ok(())
    }
}

impl Column<ByteArrayType> {
    fn optional<'r>(texts: impl Iterator<Item = Option<&'r str>>) -> Self {
        let (mut values, mut definitions) = (Vec::new(), Vec::new());
        for text in texts {
            definitions.push(i16::from(text.is_some()));
            values.extend(text.map(ByteArray::from));
        }
        Self {
            values,
            definitions: Some(definitions),
            repetitions: None,
        }
    }

    fn lists<'r>(lists: impl Iterator<Item = impl Iterator<Item = &'r str>>) -> Self {
        let (mut values, mut definitions, mut repetitions) = (Vec::new(), Vec::new(), Vec::new());
        for list in lists {
            let before = values.len();
            for text in list {
                repetitions.push(i16::from(values.len() > before));
                definitions.push(1);
                values.push(ByteArray::from(text));
            }
            if values.len() == before {
                repetitions.push(0);
                definitions.push(0);
            }
        }
        Self {
            values,
            definitions: Some(definitions),
            repetitions: Some(repetitions),
        }
    }
}

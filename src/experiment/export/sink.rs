//! Where kept mutants go.

use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};

use super::Kept;
use crate::mutation::Mutation;

/// Writes mutants.
pub trait Sink {
    /// Writes some, after those before.
    ///
    /// # Errors
    /// When one cannot be written.
    fn take(&mut self, kept: Vec<Kept>) -> Result<()>;

    /// Whether it is also to be told of the mutants that are not kept.
    fn asks_for_dropped(&self) -> bool {
        false
    }

    /// Takes note of mutants that are not kept.
    ///
    /// # Errors
    /// When that is not possible.
    fn dropped(&mut self, _mutations: Vec<Vec<Mutation>>) -> Result<()> {
        Ok(())
    }

    /// Writes what comes after the last one.
    ///
    /// # Errors
    /// When it cannot be written.
    fn finish(self: Box<Self>) -> Result<()>;
}

/// A file that has its name only when it is whole.
#[derive(Debug)]
pub struct Stream {
    path: PathBuf,
    part: PathBuf,
    file: BufWriter<File>,
}

impl Stream {
    /// Starts the file of that name.
    ///
    /// # Errors
    /// When it cannot be created.
    pub fn create(path: &Path) -> Result<Self> {
        let mut part = path.as_os_str().to_owned();
        part.push(".part");
        let part = PathBuf::from(part);
        let file = File::create(&part).with_context(|| format!("cannot create {}", path.display()))?;
        Ok(Self {
            path: path.to_owned(),
            part,
            file: BufWriter::new(file),
        })
    }
    /// Gives the file its name.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn finish(mut self) -> Result<()> {
        let cannot = || format!("cannot write {}", self.path.display());
        self.file.flush().with_context(cannot)?;
        drop(self.file);
        fs::rename(&self.part, &self.path).with_context(cannot)
    }
}

impl Write for Stream {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.file.write(bytes)
    }
    fn flush(&mut self) -> std::io::Result<()> {
        self.file.flush()
    }
}

//! Exported mutants in files, one per mutant, with an index.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use rayon::prelude::*;

use super::{Exported, Kept, Sink};
use crate::error::Result;
use crate::files::Draft;
use crate::write_file;

/// A format with one file per mutant.
pub trait MutantFiles: Sync {
    /// Writes the files that precede the mutants.
    ///
    /// # Errors
    /// If a file cannot be written.
    fn start(&mut self, _folder: &Path) -> Result<()> {
        Ok(())
    }

    /// The file of `kept`, relative to the folder.
    fn name(&self, kept: &Kept) -> PathBuf;

    /// The content of this file.
    ///
    /// # Errors
    /// If the format cannot express the mutant.
    fn text(&self, kept: &Kept) -> Result<String>;

    /// Called once for each mutant, in order, after its file is written.
    ///
    /// # Errors
    /// If data about the mutant cannot be written.
    fn written(&mut self, _kept: &Kept) -> Result<()> {
        Ok(())
    }

    /// Writes the files that follow the mutants.
    ///
    /// # Errors
    /// If a file cannot be written.
    fn finish(self: Box<Self>, _folder: &Path) -> Result<()> {
        Ok(())
    }
}

/// A sink that writes one file per mutant, and `index.jsonl`.
pub struct FilesSink<'f> {
    folder: PathBuf,
    index: Draft,
    format: Box<dyn MutantFiles + 'f>,
}

impl<'f> FilesSink<'f> {
    /// Creates the sink for the folder `folder`, and writes the first files of the format.
    ///
    /// # Errors
    /// If one of these files or the index cannot be created.
    pub fn create(folder: &Path, mut format: Box<dyn MutantFiles + 'f>) -> Result<Self> {
        format.start(folder)?;
        Ok(Self {
            index: Draft::create(&folder.join("index.jsonl"))?,
            folder: folder.to_owned(),
            format,
        })
    }
}

impl Sink for FilesSink<'_> {
    fn take(&mut self, kept: Vec<Kept>) -> Result<()> {
        let (format, folder) = (&*self.format, &self.folder);
        kept.par_iter()
            .try_for_each(|kept| write_file(&folder.join(format.name(kept)), &format.text(kept)?))?;
        for kept in &kept {
            let name = self.format.name(kept);
            let file = name.to_string_lossy().replace('\\', "/");
            serde_json::to_writer(&mut self.index, &Exported::of(kept, Some(file)))?;
            self.index.write_all(b"\n")?;
            self.format.written(kept)?;
        }
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<()> {
        self.format.finish(&self.folder)?;
        self.index.finish()
    }
}

//! Kept mutants of a network as files.

use std::path::PathBuf;

use super::Component;
use crate::experiment::error::{Doing as _, ExperimentError, Result};
use crate::experiment::{Kept, MutantFiles};
use crate::formats::NetworkFile;

/// UPPAAL: the whole network with the mutation written into it.
#[derive(Debug)]
pub struct NetworkFiles<'n> {
    file: &'n NetworkFile,
    components: &'n [Component],
}

impl<'n> NetworkFiles<'n> {
    /// Mutants of `components` of the network of `file`.
    pub fn new(file: &'n NetworkFile, components: &'n [Component]) -> Self {
        Self { file, components }
    }
}

impl MutantFiles for NetworkFiles<'_> {
    fn name(&self, kept: &Kept) -> PathBuf {
        format!("{}.xml", kept.stem()).into()
    }

    fn text(&self, kept: &Kept) -> Result<String> {
        let id = &kept.record.id;
        let [mutation] = kept.mutant.mutations.as_slice() else {
            return Err(ExperimentError::fault("a mutant of a network has one mutation"));
        };
        let text = self.components[kept.mutant.component].text(self.file, mutation);
        text.doing(|| format!("{id} cannot be written into {}", self.file.source.name()))
    }
}

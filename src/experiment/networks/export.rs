//! Kept mutants of a network as files.

use std::path::PathBuf;

use super::Component;
use crate::experiment::error::{Doing as _, ExperimentError, Result};
use crate::experiment::{Kept, MutantFiles};
use crate::formats::{NetworkFile, read_network};
use crate::mutation::Mutation;

/// UPPAAL: the whole network with the mutations written into it.
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

    /// The file after these mutations, each of the component at that position.
    ///
    /// # Errors
    /// What of the file cannot be patched.
    pub fn written(&self, steps: &[(usize, Mutation)]) -> Result<String> {
        let Some(((component, first), later)) = steps.split_first() else {
            return Err(ExperimentError::fault("a mutant has a mutation"));
        };
        let mut text = self.components[*component].text(self.file, first)?;
        let mut components = self.components.to_vec();
        let mut done = (*component, first);
        for (component, mutation) in later {
            let (file, _) = read_network(self.file.source.name(), text.as_bytes())?;
            let (before, last) = done;
            components[before] = components[before].after(last);
            text = components[*component].text(&file, mutation)?;
            done = (*component, mutation);
        }
        Ok(text)
    }
}

impl MutantFiles for NetworkFiles<'_> {
    fn name(&self, kept: &Kept) -> PathBuf {
        format!("{}.xml", kept.stem()).into()
    }

    fn text(&self, kept: &Kept) -> Result<String> {
        let id = &kept.record.id;
        let doing = || format!("{id} cannot be written into {}", self.file.source.name());
        let steps = kept.mutant.mutations.iter().zip(&kept.mutant.components);
        let steps: Vec<(usize, Mutation)> = steps.map(|(mutation, at)| (*at, *mutation)).collect();
        self.written(&steps).doing(doing)
    }
}

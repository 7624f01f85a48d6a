//! Kept mutants of a network as files.

use std::path::{Path, PathBuf};

use super::mutants::{NetworkMutants, NetworkRecords};
use crate::experiment::error::{Doing as _, ExperimentError, Result};
use crate::experiment::{Counts, Filter, Kept, MutantFiles, Places, Selection, Sink, Subject, Verdict};
use crate::formats::NetworkFile;

/// UPPAAL: the whole network with the mutation written into it.
#[derive(Debug)]
pub struct NetworkFiles<'n> {
    file: &'n NetworkFile,
    mutants: &'n NetworkMutants<'n>,
}

impl<'n> NetworkFiles<'n> {
    /// `mutants` of the network of `file`.
    pub fn new(file: &'n NetworkFile, mutants: &'n NetworkMutants<'n>) -> Self {
        Self { file, mutants }
    }
}

impl MutantFiles for NetworkFiles<'_> {
    fn name(&self, kept: &Kept) -> PathBuf {
        format!("{}.xml", kept.stem()).into()
    }

    fn text(&self, kept: &Kept) -> Result<String> {
        let id = &kept.record.id;
        let mutant = self
            .mutants
            .get(kept.number)
            .ok_or_else(|| ExperimentError::no_mutant(id))?;
        let text = mutant.component.text(self.file, &mutant.mutation);
        text.doing(|| format!("{id} cannot be written into {}", self.file.source.name()))
    }
}

impl NetworkMutants<'_> {
    /// Hands those of the run in `folder` that `filter` keeps to `sink`, in order; the run looked at `selection`.
    ///
    /// # Errors
    /// When the run is not finished, its records are not those of these mutants, or `sink` fails.
    pub fn walk(
        &self,
        (folder, selection): (&Path, &Selection),
        filter: &Filter,
        sink: &mut dyn Sink,
        progress: &mut dyn FnMut(u64),
    ) -> Result<Counts> {
        let mut records = NetworkRecords::open(folder)?;
        let mut counts = Counts::default();
        for numbers in selection.slice(0..selection.len()).chunks(256) {
            let mut chunk = Vec::new();
            for number in numbers {
                let mutant = self.get(*number);
                let mutant = mutant.ok_or_else(|| ExperimentError::no_mutant(number))?;
                let record = records.next_of(&mutant.id())?;
                counts.looked_at += 1;
                counts.unknown += u64::from(record.verdict == Verdict::Unknown);
                let skeleton = mutant.component.skeleton();
                let mut places = Places::default();
                places.add(skeleton, &mutant.mutation);
                let subject = Subject {
                    number: *number,
                    record: &record,
                    places: &places,
                };
                if filter.keeps(subject) {
                    chunk.push(Kept {
                        number: *number,
                        record,
                        mutations: vec![mutant.mutation],
                        places,
                        parent: skeleton.clone(),
                    });
                }
            }
            counts.kept += chunk.len() as u64;
            sink.take(chunk)?;
            progress(counts.looked_at);
        }
        Ok(counts)
    }
}

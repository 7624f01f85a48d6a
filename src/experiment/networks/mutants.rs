//! The mutants of some components of a network, numbered through the components.

use std::io::{BufRead as _, Lines};
use std::path::Path;

use super::Component;
use crate::experiment::Record;
use crate::experiment::error::{ExperimentError, FileAction, OfFile as _, Result};
use crate::formats::{LineFile, open_lines};
use crate::mutation::{Mutation, MutationOptions, Mutations};

/// All mutants of order 1 of some components.
#[derive(Clone, Debug)]
pub struct NetworkMutants<'c> {
    /// What is mutated.
    pub components: &'c [Component],
    /// The mutations of each, which are numbered, not listed.
    own: Vec<Mutations>,
}

/// One of them.
#[derive(Clone, Copy, Debug)]
pub struct NetworkMutant<'c> {
    /// The position of its component.
    pub at: usize,
    /// Its component.
    pub component: &'c Component,
    /// What is changed there.
    pub mutation: Mutation,
}

impl<'c> NetworkMutants<'c> {
    /// The mutants that the operators make.
    pub fn of(components: &'c [Component], options: &MutationOptions) -> Self {
        let own = |component: &Component| component.mutations(options);
        Self {
            components,
            own: components.iter().map(own).collect(),
        }
    }

    /// How many there are.
    pub fn len(&self) -> u64 {
        self.own.iter().map(Mutations::len).sum()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The one of that number, if there is one.
    pub fn get(&self, number: u64) -> Option<NetworkMutant<'c>> {
        let mut rest = number;
        for (at, own) in self.own.iter().enumerate() {
            if let Some(mutation) = own.get(rest) {
                let component = &self.components[at];
                return Some(NetworkMutant {
                    at,
                    component,
                    mutation,
                });
            }
            rest -= own.len();
        }
        None
    }
}

impl NetworkMutant<'_> {
    /// Its id.
    pub fn id(&self) -> String {
        self.component.id(&self.mutation)
    }
}

/// The records of a run on mutants of a network, one after the other.
#[derive(Debug)]
pub struct NetworkRecords {
    lines: Lines<LineFile>,
    read: u64,
}

impl NetworkRecords {
    /// Those in `folder`.
    ///
    /// # Errors
    /// When they cannot be read.
    pub fn open(folder: &Path) -> Result<Self> {
        let path = folder.join("mutants.jsonl");
        Ok(Self {
            lines: open_lines(&path).cannot(FileAction::Read, &path)?.lines(),
            read: 0,
        })
    }

    /// The next one, which is of the mutant with that id.
    ///
    /// # Errors
    /// When there is none, or it is of another mutant.
    pub fn next_of(&mut self, id: &str) -> Result<Record> {
        let line = self.lines.next().transpose();
        let Some(line) = line.cannot(FileAction::Read, Path::new("mutants.jsonl"))? else {
            let what = "the run is not finished: finish it with `tamper classify --resume`";
            return Err(ExperimentError::Unfinished(what.to_owned()));
        };
        self.read += 1;
        Record::of_mutant(&line, self.read, id)
    }
}

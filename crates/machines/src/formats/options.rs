//! How machines are read, and what comes of it.

use super::draft::{Places, Unspecified};
use crate::{Faults, MutationMachine};
use tamper_text::{Diagnostic, SourceFile};

/// How a machine is written.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum MachineFormat {
    /// One transition per line.
    Text,
    /// KISS2.
    Kiss2,
    /// With variables, guards and updates.
    Extended,
    /// A hierarchy of states, from SCXML.
    Scxml,
    /// A graph for Graphviz, as learners write it.
    Dot,
}

/// How a machine is read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MachineOptions {
    /// What becomes of states and inputs without a transition.
    pub unspecified: Unspecified,
    /// Faults to add to every transition.
    pub faults: Option<Faults>,
    /// Of an extended machine, how many configurations are kept apart.
    pub most_configurations: usize,
}

impl Default for MachineOptions {
    fn default() -> Self {
        Self {
            unspecified: Unspecified::default(),
            faults: None,
            most_configurations: 1_000_000,
        }
    }
}

/// A machine that was read.
#[derive(Clone, Debug)]
pub struct ReadMachine {
    /// The machine.
    pub machine: MutationMachine,
    /// Its file.
    pub file: SourceFile,
    /// Where its transitions are written, of a machine without variables.
    pub places: Places,
    /// What deserves a look.
    pub warnings: Vec<Diagnostic>,
}

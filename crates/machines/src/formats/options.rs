//! Options for reading machines, and the result of reading one.

use super::draft::{TransitionSpans, Unspecified};
use crate::{Faults, MutationMachine};
use tamper_text::{Diagnostic, SourceFile};

/// The file format of a machine.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum MachineFormat {
    /// One transition per line.
    Text,
    /// KISS2.
    Kiss2,
    /// A machine with variables, guards and updates.
    Extended,
    /// A hierarchy of states, from SCXML.
    Scxml,
    /// A graph for Graphviz, as automata learning tools write it.
    Dot,
}

/// Options for reading a machine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MachineOptions {
    /// The treatment of states and inputs without a transition.
    pub unspecified: Unspecified,
    /// Faults to add to every transition.
    pub faults: Option<Faults>,
    /// The largest number of configurations of an extended machine that are kept apart.
    pub most_configurations: usize,
    /// Whether a graph has its outputs at its states: a Moore machine or an acceptor.
    pub moore: bool,
    /// The state in which a plain machine starts, instead of the one that its file names.
    pub start: Option<String>,
}

impl Default for MachineOptions {
    fn default() -> Self {
        Self {
            unspecified: Unspecified::default(),
            faults: None,
            most_configurations: 1_000_000,
            moore: false,
            start: None,
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
    /// The places of its transitions in the file; empty for a machine with variables.
    pub places: TransitionSpans,
    /// Warnings about the machine.
    pub warnings: Vec<Diagnostic>,
}

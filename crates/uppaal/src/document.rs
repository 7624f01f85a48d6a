//! The result of reading a file: its automata, and their places in the text.

use std::collections::BTreeSet;

use super::raw::ForeignParts;
use crate::grammar::annotations::Annotations;
use crate::writing::declared::Declared;
use tamper_text::{IndexVec, SourceFile, Span};
use tamper_timed::model::{Automaton, EdgeId, LocId};
use tamper_timed::network::Stored;

/// Options for files that can be read in more than one way.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct ReadOptions {
    /// The convention for inputs and outputs.
    pub io: IoConvention,
    /// Whether inputs that no edge accepts are ignored.
    pub input_enabling: InputEnabling,
}

/// The convention that makes an edge an input or an output.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum IoConvention {
    /// The label, `?` or `!`; the attribute `controllable` must agree if it is present.
    #[default]
    Auto,
    /// The label alone.
    Label,
    /// The attribute alone: `controllable="true"` is an input, anything else an output.
    Attribute,
}

/// Whether inputs that no edge accepts are ignored (a self loop without reset) instead of refused.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum InputEnabling {
    /// Ignored exactly in the automata that have an `IO` line.
    #[default]
    Auto,
    /// Ignored.
    On,
    /// Refused.
    Off,
}

/// A UPPAAL file that was read: one automaton per process that its system line runs.
#[derive(Clone, Debug)]
pub struct Document {
    pub(super) source: SourceFile,
    pub(super) automata: Vec<Automaton>,
    /// One per automaton.
    pub(super) layouts: Vec<Layout>,
    /// One per automaton.
    pub(super) origins: Vec<AutomatonOrigin>,
    /// One per automaton.
    pub(super) annotations: Vec<Annotations>,
    /// The names declared in the file.
    pub(super) globals: Vec<Declared>,
    /// The places of the instantiations, the `system` lines and the IO lines.
    pub(super) statements: Vec<Span>,
    pub(super) options: ReadOptions,
    /// The parts it was made from, if it was not read from XML.
    pub(super) foreign: Option<ForeignParts>,
    /// Whether its only game is the product of several processes.
    pub(super) is_product: bool,
}

/// The facts about an automaton, besides its place, that the writer needs.
#[derive(Clone, Debug)]
pub(super) struct AutomatonOrigin {
    /// The names of the template, its parameters first.
    pub locals: Vec<Declared>,
    /// The clocks and variables that it writes.
    pub written: BTreeSet<Stored>,
    /// The arguments of the template's parameters.
    pub arguments: Vec<TemplateArgument>,
    /// Whether an IO line fixes its alphabet.
    pub has_io: bool,
}

/// The argument of a parameter.
#[derive(Clone, Debug)]
pub(super) enum TemplateArgument {
    /// An expression of the system section.
    Written(Span),
    /// A value, or the name of the argument.
    Spelt(String),
}

impl Document {
    /// This document as the product of several processes: committed locations are intermediate steps.
    #[must_use]
    pub fn of_product(mut self) -> Self {
        self.is_product = true;
        for automaton in &mut self.automata {
            *automaton = automaton.with_atomic_steps(true);
        }
        self
    }
    /// Whether its only game is the product of several processes, which are also a network.
    pub fn is_product(&self) -> bool {
        self.is_product
    }
    /// This document with what is known of its first game besides.
    #[must_use]
    pub fn with_first(mut self, known: impl FnOnce(Automaton) -> Automaton) -> Self {
        if let Some(first) = self.automata.first_mut() {
            *first = known(first.clone());
        }
        self
    }
    /// The file, decoded.
    pub fn source(&self) -> &SourceFile {
        &self.source
    }
    /// The automata, in the order of the system line, named as the file names them.
    pub fn automata(&self) -> &[Automaton] {
        &self.automata
    }
    /// The position of the automaton of that name.
    pub fn find(&self, name: &str) -> Option<usize> {
        self.automata.iter().position(|automaton| automaton.name() == name)
    }
    /// The places of the template of automaton `index` in the file; parallel to its locations and edges.
    ///
    /// # Panics
    /// If there is no automaton of that index.
    pub fn layout(&self, index: usize) -> &Layout {
        &self.layouts[index]
    }
}

/// An element that holds text: the whole element, and the content between its tags.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TextPlace {
    /// The element with its tags.
    pub element: Span,
    /// The content between the tags, entities not resolved.
    pub content: Span,
}

/// The places of a template in the decoded text of its file.
#[derive(Clone, Debug)]
pub struct Layout {
    /// The `<template>` element.
    pub template: Span,
    /// Its name.
    pub name: TextPlace,
    /// Its parameters.
    pub parameter: Option<TextPlace>,
    /// Its declarations.
    pub declaration: Option<TextPlace>,
    /// Its locations.
    pub locations: IndexVec<LocId, LocationPlace>,
    /// Its transitions.
    pub edges: IndexVec<EdgeId, EdgePlace>,
}

/// The places of a location.
#[derive(Clone, Debug)]
pub struct LocationPlace {
    /// The `<location>` element.
    pub element: Span,
    /// Its opening tag.
    pub tag: Span,
    /// The id by which transitions name it.
    pub id: String,
    /// Its name, if it has one.
    pub name: Option<TextPlace>,
    /// Its invariant.
    pub invariant: Option<TextPlace>,
}

/// The places of a transition.
#[derive(Clone, Debug)]
pub struct EdgePlace {
    /// The `<transition>` element.
    pub element: Span,
    /// Its opening tag.
    pub tag: Span,
    /// Its select label.
    pub select: Option<TextPlace>,
    /// Its guard.
    pub guard: Option<TextPlace>,
    /// Its synchronisation.
    pub synchronisation: Option<TextPlace>,
    /// Its assignments.
    pub assignment: Option<TextPlace>,
}

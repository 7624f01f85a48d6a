//! Where the parts of a game stand in its file.

use crate::model::{EdgeId, LocId};
use crate::text::{IndexVec, Span};

/// An element that holds text: the whole element, and what stands between its tags.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TextPlace {
    /// The element with its tags.
    pub element: Span,
    /// Between the tags, entities not resolved.
    pub content: Span,
}

/// Where a template stands in the decoded text of its file.
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

/// Where a location stands.
#[derive(Clone, Debug)]
pub struct LocationPlace {
    /// The `<location>` element.
    pub element: Span,
    /// Its opening tag.
    pub tag: Span,
    /// The id by which transitions name it.
    pub id: String,
    /// Its name, when it has one.
    pub name: Option<TextPlace>,
    /// Its invariant.
    pub invariant: Option<TextPlace>,
}

/// Where a transition stands.
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

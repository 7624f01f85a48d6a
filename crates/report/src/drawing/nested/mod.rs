//! States within states as nested boxes, with arrows between them.
//!
//! Boxes are arranged from the inside out: what stands directly within one, and the texts of arrows there, in layers from top to bottom.
//! Arrows go around boxes and texts that are not theirs. All places are on a grid.

mod arrange;
mod dot;
mod picture;
mod route;
mod sizes;
mod svg;
#[cfg(test)]
mod tests;

pub(super) use arrange::nested_boxes;
pub(super) use dot::push_nested;
pub(super) use picture::Nested;
pub(super) use svg::{NestedShapes, nested_parts, nested_shapes, nested_signs};

//! Pictures: a game with what its mutations change, a feature model as a tree, and numbers as bars.
//!
//! A [`Scene`] is a game with places: those of its file, or an arrangement in layers. What mutations remove stays in the
//! picture, marked; nothing is told by colour alone (line styles, signs and struck text say the same), and the
//! colours are told apart by colour-blind readers. Scenes are printed as SVG, or as DOT for Graphviz.
//! What is deliberately absent: files, and any judgement about a mutant.

mod arrange;
mod bars;
mod curve;
mod dot;
mod geometry;
mod labels;
mod matrix;
mod placed;
mod route;
mod scene;
mod svg;
mod tree;

pub use bars::{BACK, BarChart, FORWARD, Group, HORIZONTAL, SOLID, Series, bars_svg};
pub use curve::{CurveChart, curve_svg};
pub use dot::scenes_dot;
pub use matrix::{MatrixChart, matrix_svg};
pub use scene::{Mark, Scene};
pub use svg::{scene_parts, scenes_svg};
pub use tree::{tree_dot, tree_svg};

#[cfg(test)]
mod tests;

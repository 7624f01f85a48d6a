//! Pictures: a game with the changes of its mutations, a feature model as a tree, and charts of numbers.
//!
//! A [`Scene`] is a game with places, either the places of its file or an arrangement in layers, or the nested boxes of its file. Parts that mutations remove stay in the
//! picture, marked. Nothing is shown by colour alone (line styles, signs and struck text say the same), and colour-blind readers can tell
//! the colours apart. Scenes are printed as SVG, or as DOT for Graphviz. Deliberately absent: files, and any judgement about a mutant.

mod arrange;
mod bars;
mod curve;
mod dot;
mod dot_words;
mod geometry;
mod labels;
mod marks;
mod matrix;
mod nested;
mod placed;
mod route;
mod scene;
mod shapes;
mod svg;
mod tree;

pub use bars::{BACK, BarChart, FORWARD, Group, HORIZONTAL, SOLID, Series, bars_svg};
pub use curve::{CurveChart, curve_svg};
pub use dot::scenes_dot;
pub use marks::Mark;
pub use matrix::{MatrixChart, matrix_svg};
pub use scene::Scene;
pub use svg::{scene_parts, scenes_svg};
pub use tree::{tree_dot, tree_svg};

#[cfg(test)]
mod tests;

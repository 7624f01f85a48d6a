//! The boxes and arrows of a file that says a game in states within states.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use super::{EdgeId, LocId};
use tamper_text::IndexVec;

/// States within states, as a file draws them: boxes, and arrows between them.
#[derive(Clone, Default, Debug)]
pub struct Hierarchy {
    /// Each before those within it.
    pub boxes: Vec<NestedBox>,
    /// In the order of the file.
    pub arrows: Vec<NestedArrow>,
    /// The boxes that each location of the game stands for.
    pub located: IndexVec<LocId, Vec<usize>>,
    /// The arrow that each edge of the game takes, if it takes one.
    pub taken: IndexVec<EdgeId, Option<usize>>,
}

/// A state with what it does, and perhaps states within it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NestedBox {
    /// Its name among those beside it.
    pub name: Arc<str>,
    /// The box around it.
    pub parent: Option<usize>,
    /// The way in which the states within it are active.
    pub kind: BoxKind,
    /// Its actions, a line each, e.g. `entry / show`.
    pub notes: Vec<Arc<str>>,
}

/// The way in which the states within a box are active.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BoxKind {
    /// One of them is, if there are any.
    Plain,
    /// All of them are.
    Parallel,
    /// It holds no states, and the box around it is done.
    Final,
    /// It stands for the states that were active when the box around it was left.
    History {
        /// Also for those within them.
        deep: bool,
    },
}

/// A transition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NestedArrow {
    /// The box that it begins at; of an initial arrow, the box around its beginning.
    pub source: usize,
    /// The boxes that it enters; empty if it enters none.
    pub targets: Vec<usize>,
    /// Whether it says what the source begins with.
    pub is_initial: bool,
    /// E.g. `press [isOpen] / ring`.
    pub label: Arc<str>,
}

/// A value beside a game. Games that differ in these values alone are equal.
#[derive(Clone, Default, Debug)]
pub(super) struct Beside<T>(pub T);

impl<T> PartialEq for Beside<T> {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl<T> Eq for Beside<T> {}

impl<T> Hash for Beside<T> {
    fn hash<H: Hasher>(&self, _: &mut H) {}
}

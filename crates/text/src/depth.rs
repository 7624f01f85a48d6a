//! Limits on the depth of input, so that no recursion over it can exhaust the stack.

/// Greatest height of a tree that is built, and the longest chain of definitions, types or calls that use each other.
pub const MAX_HEIGHT: u32 = 1000;

/// Stack of a thread that reads or walks trees of that height: enough for some recursion of 16 KB a part, as in builds that are not
/// optimised.
pub const STACK: usize = 16 << 20;

/// Longest exact number that is read, in characters: the time to parse one grows with the square of its length.
pub const LONGEST_NUMBER: usize = 1 << 16;

/// The height of a tree, counted where the tree is built.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Height(u32);

impl Height {
    /// Height of a tree with one node.
    pub const LEAF: Self = Self(0);
    /// Height of a node whose highest child has height `self`; `None` if it exceeds [`MAX_HEIGHT`].
    pub fn above(self) -> Option<Self> {
        (self.0 < MAX_HEIGHT).then_some(Self(self.0 + 1))
    }
    /// Height of a node above two children.
    pub fn above_both(self, other: Self) -> Option<Self> {
        self.max(other).above()
    }
}

/// Error message for a tree that is too high; `what` names it.
pub fn too_high(what: &str) -> String {
    format!("{what} too deep: at most {MAX_HEIGHT} parts stand within each other, or follow each other in a chain")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chain_ends_at_the_limit() {
        let mut height = Height::LEAF;
        for _ in 0..MAX_HEIGHT {
            height = height.above_both(Height::LEAF).unwrap();
        }
        assert_eq!(height.above(), None);
        assert_eq!(Height::LEAF.above_both(height), None);
    }
}

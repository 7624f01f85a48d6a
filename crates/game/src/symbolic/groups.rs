//! Games that are treated together: one game alone, or several that share most of their parts.
//!
//! Algorithms on games are written once, for groups of them. For one game a group takes no memory and every question about
//! it is answered at compile time.

use tamper_text::StopReason;

/// The set operations that algorithms need on groups of games. A group has at least one game; the empty set is `None`.
pub trait ProductSetAlgebra {
    /// A set of games.
    type Group: Clone + PartialEq;
    /// The games in both.
    ///
    /// # Errors
    /// The limit that was hit; so for the other functions.
    fn both(&mut self, first: &Self::Group, second: &Self::Group) -> Result<Option<Self::Group>, StopReason>;
    /// The games in either.
    ///
    /// # Errors
    /// The limit that was hit.
    fn either(&mut self, first: &Self::Group, second: &Self::Group) -> Result<Self::Group, StopReason>;
    /// The games in the first that are not in the second.
    ///
    /// # Errors
    /// The limit that was hit.
    fn beyond(&mut self, first: &Self::Group, second: &Self::Group) -> Result<Option<Self::Group>, StopReason>;
}

/// One game: the only group is the game itself.
#[derive(Clone, Copy, Debug, Default)]
pub struct SingleGame;

impl ProductSetAlgebra for SingleGame {
    type Group = ();
    fn both(&mut self, (): &(), (): &()) -> Result<Option<()>, StopReason> {
        Ok(Some(()))
    }
    fn either(&mut self, (): &(), (): &()) -> Result<(), StopReason> {
        Ok(())
    }
    fn beyond(&mut self, (): &(), (): &()) -> Result<Option<()>, StopReason> {
        Ok(None)
    }
}

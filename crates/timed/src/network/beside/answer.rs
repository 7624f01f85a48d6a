//! The question about a mutant, and the answers to it.

/// A question about a mutant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Asked {
    /// Whether the mutant is pruned: runs that get stuck do not count.
    pub prune: bool,
    /// Whether it is known that the mutant refines the original if it is consistent.
    pub refines: bool,
    /// Whether inputs count that the original does not have. A test gives none.
    pub inputs: bool,
}

/// What is known about a mutant that is walked.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Known {
    /// It refines the original if it is consistent, and no run of it ends in a fault.
    RefinesSafely,
    /// It refines the original if it is consistent. It has inputs.
    Refines,
    /// Nothing. It has inputs.
    NothingWithInputs,
    /// Nothing. It has no inputs.
    Nothing,
}

/// The answer of the common runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Along {
    /// It is consistent, and refines the original.
    Stays {
        /// Whether deadlines of some processes told that runs get stuck.
        by_deadlines: bool,
    },
    /// The same: no state that its runs reach, by inputs too, gets stuck.
    Closed,
    /// It is not consistent.
    Stuck {
        /// Whether deadlines of some processes told that runs get stuck.
        by_deadlines: bool,
    },
    /// A run that leaves the original tells the two apart.
    Told,
    /// Some run ends in a fault, and what is left of it without these is inconsistent or refines the original.
    Fails,
    /// Nothing.
    Open,
}

/// The reason why a walk ends before it is done.
pub(super) enum Stop {
    /// A larger constant turned up: the zones have to be computed again.
    Again,
    /// Nothing is known about what was met.
    Open,
    /// A search for a run that goes on for ever took too long.
    Unclear,
    /// A limit was hit.
    Limit,
}

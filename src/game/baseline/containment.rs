//! Why a mutant is no more than the automaton it was made from.

/// Why a mutant refines the automaton it was made from, or has no state to refine it with.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Containment {
    /// Nothing that a run reaches has changed: the mutated element is unreachable.
    Unreached,
    /// Where it changed it does less or accepts more, whatever the clocks.
    Narrower,
    /// What is new has a guard that no run meets, or what is lost had one.
    NeverEnabled,
    /// What is new leads only to states without independent progress, which pruning removes.
    DeadEnd,
    /// What is new is an ignored output that changes nothing.
    IgnoredLoop,
    /// What is new is an ignored output into a location that can do no more than the one it leaves.
    IgnoredDominated,
    /// The mutant has no consistent initial state.
    Inconsistent,
}

impl Containment {
    /// All combinations that can be asked for, in order.
    pub const ALL: [Self; 7] = [
        Self::Unreached,
        Self::Narrower,
        Self::NeverEnabled,
        Self::DeadEnd,
        Self::IgnoredLoop,
        Self::IgnoredDominated,
        Self::Inconsistent,
    ];
    /// What it says, in a few words.
    pub fn describe(self) -> &'static str {
        match self {
            Self::Unreached => "unreachable element",
            Self::Narrower => "does less or accepts more",
            Self::NeverEnabled => "dead guard",
            Self::DeadEnd => "pruned for independent progress",
            Self::IgnoredLoop => "ignored output that changes nothing",
            Self::IgnoredDominated => "ignored output into a location that does no more",
            Self::Inconsistent => "inconsistent",
        }
    }
}

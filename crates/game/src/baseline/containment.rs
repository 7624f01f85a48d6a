//! The reasons why a mutant does no more than the automaton that it was made from.

tamper_text::named! {
    /// The reason why a mutant refines the automaton that it was made from, or has no state to refine it with.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
    pub enum Containment {
        /// Nothing that a run reaches has changed: the mutated element is unreachable.
        Unreached = "unreachable element",
        /// The mutant does less or accepts more at the changed element, whatever the clocks.
        Narrower = "does less or accepts more",
        /// The new behaviour has a guard that no run satisfies, or the lost behaviour had one.
        NeverEnabled = "dead guard",
        /// The new behaviour leads only to states without independent progress, which pruning removes.
        DeadEnd = "pruned for independent progress",
        /// The new behaviour is an ignored output that changes nothing.
        IgnoredLoop = "ignored output that changes nothing",
        /// The new behaviour is an ignored output into a location that can do no more than the one it leaves.
        IgnoredDominated = "ignored output into a location that does no more",
        /// The mutant has no consistent initial state.
        Inconsistent = "inconsistent",
    }
}

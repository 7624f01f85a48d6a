//! Why a mutant is no more than the automaton it was made from.

tamper_text::named! {
    /// Why a mutant refines the automaton it was made from, or has no state to refine it with.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
    pub enum Containment {
        /// Nothing that a run reaches has changed: the mutated element is unreachable.
        Unreached = "unreachable element",
        /// Where it changed it does less or accepts more, whatever the clocks.
        Narrower = "does less or accepts more",
        /// What is new has a guard that no run meets, or what is lost had one.
        NeverEnabled = "dead guard",
        /// What is new leads only to states without independent progress, which pruning removes.
        DeadEnd = "pruned for independent progress",
        /// What is new is an ignored output that changes nothing.
        IgnoredLoop = "ignored output that changes nothing",
        /// What is new is an ignored output into a location that can do no more than the one it leaves.
        IgnoredDominated = "ignored output into a location that does no more",
        /// The mutant has no consistent initial state.
        Inconsistent = "inconsistent",
    }
}

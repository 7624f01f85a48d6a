//! The numbers of the parts of a transition system.

use tamper_text::define_ids;

define_ids! {
    /// The number of a state of a transition system.
    StateId,
    /// An input: the environment's choice in one step.
    InputId,
    /// An output: the observation of one step.
    OutputId,
}

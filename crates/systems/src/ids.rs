//! The numbers of the parts of a transition system.

use tamper_text::define_ids;

define_ids! {
    /// The number of a state of a transition system.
    StateId,
    /// An input: what the environment chooses in one step.
    InputId,
    /// An output: what is seen of one step.
    OutputId,
}

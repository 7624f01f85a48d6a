//! Priorities of the steps of a network.

/// The priority of a step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Priority {
    /// The priority within the network: of the channel, then of the processes.
    Own(i32, i32),
    /// The priority of the channel of a step that waits for a sender outside. Only the outside knows whether it is enabled,
    /// so it blocks nothing.
    Outside(i32),
}

impl Priority {
    /// Whether a step of this priority blocks a step of priority `other`.
    pub fn blocks(self, other: Self) -> bool {
        match (self, other) {
            (Self::Own(channel, process), Self::Own(others, process_there)) => {
                (channel, process) > (others, process_there)
            }
            (Self::Own(channel, _), Self::Outside(others)) => channel > others,
            (Self::Outside(_), _) => false,
        }
    }
}

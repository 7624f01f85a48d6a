//! Where a step stands among the others of its network.

/// How a step of a network is placed among the others.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Priority {
    /// The network's own: of the channel, then of the processes.
    Own(i32, i32),
    /// It waits for a sender outside: of the channel. Whether it is enabled only the outside knows, so it blocks nothing.
    Outside(i32),
}

impl Priority {
    /// Whether a step that has it blocks one that has `other`.
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

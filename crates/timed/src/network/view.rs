//! The processes of a network that are under test, and the observations of them.

use super::{Network, Side};

/// A view of a network as a game.
#[derive(Clone, Debug)]
pub struct View {
    /// The name of the composed game.
    pub name: String,
    /// Per process, whether it is under test.
    pub sides: Vec<Side>,
    /// Whether handshakes inside the system are hidden.
    pub hide_internal: bool,
    /// The observations that name steps that no channel shows.
    pub observe: Vec<Observed>,
}

/// Something whose changes are seen as outputs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Observed {
    /// The value of that variable.
    Variable(usize),
    /// Whether that process is in that location.
    Location(usize, usize),
}

impl View {
    /// Every process is under test, and everything it does with others is seen.
    pub fn closed(name: impl Into<String>, network: &Network) -> Self {
        Self {
            name: name.into(),
            sides: vec![Side::System; network.processes.len()],
            hide_internal: false,
            observe: Vec::new(),
        }
    }
}

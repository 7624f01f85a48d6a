//! Whether a composed game can be compared with others.

use anyhow::{Result, bail};

/// What is known about the composition a game comes from.
#[derive(Clone, Copy, Debug)]
pub struct Origin {
    /// Whether some step is hidden.
    pub hidden: bool,
}

impl Origin {
    /// Refuses games whose comparison is not decided exactly.
    pub fn comparable(self) -> Result<()> {
        if self.hidden {
            bail!(
                "the composition has hidden steps, and games are compared step by step: use --internal visible and put \
                 the processes that synchronise or move silently under test (or make their steps seen with --observe)"
            );
        }
        Ok(())
    }
}

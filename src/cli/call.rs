//! What every command is handed.

use super::args::GlobalArgs;
use super::given::Given;
use super::terminal::Terminal;

/// What every command is handed besides its own options.
#[derive(Clone, Copy)]
pub struct Call<'c> {
    /// The options of every command.
    pub global: &'c GlobalArgs,
    /// Those that were typed.
    pub given: &'c Given,
    /// Where results and messages go.
    pub terminal: &'c Terminal,
}

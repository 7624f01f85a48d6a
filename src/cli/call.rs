//! The context in which a command runs.

use super::given::TypedOptions;
use super::terminal::Terminal;
use crate::cli::arguments::args::GlobalArgs;

/// The context in which a command runs, besides its specific options.
#[derive(Clone, Copy)]
pub struct Call<'c> {
    /// The options of every command.
    pub global: &'c GlobalArgs,
    /// The options that were typed.
    pub given: &'c TypedOptions,
    /// The terminal for results and messages.
    pub terminal: &'c Terminal,
}

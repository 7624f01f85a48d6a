//! Which options were typed, as opposed to those that have their defaults.

use anyhow::{Result, bail};
use clap::parser::ValueSource;
use clap::{ArgMatches, Command};

/// The options of the subcommand that were typed.
#[derive(Clone, Debug, Default)]
pub struct Given {
    /// The id of each, and what it is called.
    options: Vec<(String, String)>,
}

/// What every command takes.
const ALWAYS: [&str; 6] = ["format", "threads", "quiet", "verbose", "color", "total_timeout"];

impl Given {
    /// What `matches` of `command` has from the command line.
    pub fn of(matches: &ArgMatches, command: &Command) -> Self {
        let Some((name, matches)) = matches.subcommand() else {
            return Self::default();
        };
        let Some(command) = command.find_subcommand(name) else {
            return Self::default();
        };
        let is_known = |id: &str| matches.try_contains_id(id).is_ok();
        let is_typed = |id: &str| is_known(id) && matches.value_source(id) == Some(ValueSource::CommandLine);
        // Of arguments only: groups of them have ids too.
        let arguments = command
            .get_arguments()
            .filter(|argument| is_typed(argument.get_id().as_str()));
        let options = arguments.map(|argument| {
            let id = argument.get_id().to_string();
            let name = argument
                .get_long()
                .map_or_else(|| id.to_uppercase(), |long| format!("--{long}"));
            (id, name)
        });
        Self {
            options: options.collect(),
        }
    }
    /// Refuses every typed option but those whose ids are in `known`.
    ///
    /// # Errors
    /// Names the first one, and `what` it does not go with.
    pub fn only(&self, known: &[&str], what: &str) -> Result<()> {
        let is_known = |id: &str| known.contains(&id) || ALWAYS.contains(&id);
        match self.options.iter().find(|(id, _)| !is_known(id)) {
            Some((_, name)) => bail!("{name} has no meaning for {what}"),
            None => Ok(()),
        }
    }
    /// Whether that option was typed.
    pub fn has(&self, id: &str) -> bool {
        self.options.iter().any(|(other, _)| other == id)
    }
}

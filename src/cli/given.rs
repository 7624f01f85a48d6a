//! The options that were typed, as opposed to options that have their defaults.

use anyhow::{Result, bail};
use clap::parser::ValueSource;
use clap::{ArgMatches, Command, Id};

use crate::cli::arguments::args::{GlobalArgs, own_ids_of};

/// The options of the subcommand that were typed.
#[derive(Clone, Debug, Default)]
pub struct TypedOptions {
    options: Vec<TypedOption>,
}

/// An option that was typed.
#[derive(Clone, Debug)]
struct TypedOption {
    id: Id,
    name: String,
}

impl TypedOptions {
    /// The options of `matches`, parsed by `command`, that come from the command line.
    pub fn of(matches: &ArgMatches, command: &Command) -> Self {
        let Some((name, matches)) = matches.subcommand() else {
            return Self::default();
        };
        let Some(command) = command.find_subcommand(name) else {
            return Self::default();
        };
        let is_known = |id: &str| matches.try_contains_id(id).is_ok();
        let is_typed = |id: &str| is_known(id) && matches.value_source(id) == Some(ValueSource::CommandLine);
        // Arguments only: groups of arguments have ids, too.
        let arguments = command
            .get_arguments()
            .filter(|argument| is_typed(argument.get_id().as_str()));
        let options = arguments.map(|argument| {
            let id = argument.get_id().clone();
            let name = match argument.get_long() {
                Some(long) => format!("--{long}"),
                None => id.as_str().to_uppercase(),
            };
            TypedOption { id, name }
        });
        Self {
            options: options.collect(),
        }
    }

    /// Refuses every typed option but `options` and those of every command.
    ///
    /// # Errors
    /// Names the first one, and `what` it does not go with.
    pub fn only(&self, options: &[Id], what: &str) -> Result<()> {
        let always = own_ids_of::<GlobalArgs>();
        let is_known = |id: &Id| always.contains(id) || options.contains(id);
        match self.options.iter().find(|option| !is_known(&option.id)) {
            Some(option) => bail!("{} has no meaning for {what}", option.name),
            None => Ok(()),
        }
    }

    /// Whether that option was typed.
    pub fn has(&self, id: &str) -> bool {
        self.options.iter().any(|option| option.id.as_str() == id)
    }
}

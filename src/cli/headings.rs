//! The headings of each command's options in `--help`.

use clap::{Args, Command, CommandFactory as _, Id};

use super::command::Cli;
use crate::cli::arguments::adaptive_args::AdaptiveArgs;
use crate::cli::arguments::args::{LimitArgs, MutationArgs, SampleArgs, SemanticsArgs, TotalArgs, ids_of, own_ids_of};
use crate::cli::arguments::network_args::{MutateArgs, NetworkArgs};
use crate::cli::arguments::suite_run_args::ProgramArgs;

/// The command line, each option under the heading of its group.
pub fn command() -> Command {
    Cli::command().mut_subcommands(headed)
}

/// A heading, and the ids of the options under it.
type OptionGroup = (&'static str, Vec<Id>);

fn headed(command: Command) -> Command {
    let headings = headings(command.get_name());
    command.mut_args(|option| {
        if option.is_positional() || option.is_global_set() {
            return option;
        }
        let heading = headings.iter().find(|(_, ids)| ids.contains(option.get_id()));
        option.help_heading(heading.map(|(name, _)| *name))
    })
}

/// The headings of a command; the first that has an option counts.
fn headings(command: &str) -> Vec<OptionGroup> {
    let of_run: Vec<OptionGroup> = vec![
        ("Programs (--sut)", own_ids_of::<ProgramArgs>()),
        ("Adaptive tests (--strategy adaptive)", ids_of::<AdaptiveArgs>()),
    ];
    let of_all: Vec<OptionGroup> = vec![
        ("Mutants", both::<MutationArgs, SampleArgs>()),
        ("Networks", both::<NetworkArgs, MutateArgs>()),
        ("Refinement", ids_of::<SemanticsArgs>()),
        ("Limits", both::<LimitArgs, TotalArgs>()),
    ];
    of_run.into_iter().filter(|_| command == "run").chain(of_all).collect()
}

fn both<One: Args, Other: Args>() -> Vec<Id> {
    [ids_of::<One>(), ids_of::<Other>()].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// clap passes a heading on from one group to the next, so that limits once stood under networks.
    #[test]
    fn options_stand_under_the_heading_of_their_group() {
        let cli = command();
        let heading = |command: &str, option: &str| {
            let command = cli.find_subcommand(command).unwrap();
            let option = command.get_arguments().find(|known| known.get_long() == Some(option));
            option.unwrap().get_help_heading().map(str::to_owned)
        };
        let of = |command: &str, option: &str| heading(command, option).unwrap_or_default();
        assert_eq!(of("testgen", "observe"), "Networks");
        assert_eq!(of("testgen", "timeout"), "Limits");
        assert_eq!(of("testgen", "total-timeout"), "Limits");
        assert_eq!(of("testgen", "out"), "");
        assert_eq!(of("testgen", "operators"), "Mutants");
        assert_eq!(of("run", "operators"), "Adaptive tests (--strategy adaptive)");
        assert_eq!(of("run", "jobs"), "Programs (--sut)");
    }
}

//! From words to an exit code.

use std::ffi::OsString;
use std::io::{self, IsTerminal as _, Write as _};

use anyhow::{Context as _, Result};
use clap::error::ErrorKind;
use clap::{CommandFactory as _, FromArgMatches as _};

use super::call::Call;
use super::cause::{cause, limit};
use super::command::{Cli, Command};
use super::config;
use super::dispatch::dispatch;
use super::exit::{ExitCode, LimitHit, Stopped};
use super::given::TypedOptions;
use super::headings;
use super::interrupt::{CommandLimits, CommandWatch, say_last_words};
use super::next::{FinishedCommand, next};
use super::old_names::renamed;
use super::places::CommandPaths;
use super::short_help;
use super::terminal::Terminal;
use crate::cli::arguments::settings::conflict;
use tamper::experiment::BaselineError;
use tamper::formats::{ReadError, render};
#[cfg(unix)]
use tamper::programs::supervise;
use tamper::text::STACK;

/// Runs the command that `words` spell, the first being the program's name.
pub fn run(words: impl IntoIterator<Item = OsString>) -> ExitCode {
    let words = renamed(words.into_iter().collect());
    let parsed = match parse(words.clone()) {
        Ok(parsed) => parsed,
        Err(refusal) => return refusal.printed(&words),
    };
    let ParsedArguments {
        cli,
        given,
        ends,
        notes,
    } = parsed;
    // No threads, no messages: nothing but the program's end.
    #[cfg(unix)]
    if let Command::Supervise { command } = &cli.command {
        return match supervise(command) {
            Ok(()) => ExitCode::Yes,
            Err(_) => ExitCode::Error,
        };
    }
    let terminal = Terminal::new(&cli.global);
    notes.iter().for_each(|note| terminal.note(note));
    match start(&cli, ends, &given, &terminal) {
        Ok(code) => {
            let done = FinishedCommand {
                command: &cli.command,
                words: &words,
                code,
            };
            terminal.next(next(done));
            code
        }
        Err(error) => failed(&error, &terminal),
    }
}

/// Prints the error that a command ends with.
fn failed(error: &anyhow::Error, terminal: &Terminal) -> ExitCode {
    if is_broken_pipe(error) {
        return ExitCode::Yes;
    }
    if error.is::<Stopped>() {
        terminal.message(&error.to_string());
        return ExitCode::Interrupted;
    }
    let hit = limit_hit(error);
    let is_limit = hit.is_some() || limit(error).is_some();
    if is_limit {
        say_last_words();
    }
    match hit {
        Some(hit) => terminal.message(&format!("stopped: {hit}")),
        None => say(error, terminal),
    }
    if is_limit { ExitCode::Unknown } else { ExitCode::Error }
}

/// The limit that was hit before there was anything to show.
fn limit_hit(error: &anyhow::Error) -> Option<String> {
    match error.downcast_ref::<BaselineError>() {
        Some(error @ BaselineError::TooLittle { .. }) => Some(error.to_string()),
        _ => error.downcast_ref::<LimitHit>().map(ToString::to_string),
    }
}

/// Parses the typed words and the options of a file: the command, the places that it reads and writes, and the options that were typed.
fn parse(words: Vec<OsString>) -> Result<ParsedArguments, NotParsed> {
    // Headings are only made for help: they take a millisecond of a short command's nine.
    let reads_help = words
        .iter()
        .any(|word| matches!(word.to_str(), Some("--help" | "help")));
    let mut command = if reads_help {
        headings::command()
    } else {
        Cli::command()
    };
    let typed = command.try_get_matches_from_mut(words.clone())?;
    let config::ExpandedWords { words, notes } = config::with_defaults(&command, &typed, words)?;
    let matches = command.try_get_matches_from_mut(words)?;
    if let Some(conflict) = conflict(&matches) {
        return Err(command.error(ErrorKind::ArgumentConflict, conflict).into());
    }
    let mut cli = Cli::from_arg_matches(&matches).map_err(|error| error.format(&mut command))?;
    cli.global.places = CommandPaths::of(&command, &matches);
    Ok(ParsedArguments {
        cli,
        given: TypedOptions::of(&matches, &command),
        ends: CommandLimits::of(&matches),
        notes,
    })
}

/// The parsed command line and the options that a file adds.
struct ParsedArguments {
    cli: Cli,
    given: TypedOptions,
    ends: CommandLimits,
    notes: Vec<String>,
}

/// The reason why no command is run.
enum NotParsed {
    Usage(clap::Error),
    Config(ReadError),
}

impl NotParsed {
    /// Prints the help that was asked for, or the error.
    fn printed(self, words: &[OsString]) -> ExitCode {
        match self {
            Self::Usage(error) => {
                // A closed output ends the help text, and nothing else.
                let _ = match short_help::instead(&error, words) {
                    Some(page) if error.use_stderr() => io::stderr().write_all(page.as_bytes()),
                    Some(page) => io::stdout().write_all(page.as_bytes()),
                    None => error.print(),
                };
                if error.use_stderr() {
                    ExitCode::Error
                } else {
                    ExitCode::Yes
                }
            }
            Self::Config(error) => {
                let is_colored = io::stderr().is_terminal();
                eprintln!("{}", render(&error.file, &error.diagnostics, is_colored).trim_end());
                ExitCode::Error
            }
        }
    }
}

impl From<clap::Error> for NotParsed {
    fn from(error: clap::Error) -> Self {
        Self::Usage(error)
    }
}

impl From<ReadError> for NotParsed {
    fn from(error: ReadError) -> Self {
        Self::Config(error)
    }
}

fn start(cli: &Cli, ends: CommandLimits, given: &TypedOptions, terminal: &Terminal) -> Result<ExitCode> {
    let _guard = CommandWatch::start(ends)?;
    cli.global.places.check()?;
    let threads = cli.global.threads.map_or(0, usize::from);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).stack_size(STACK);
    let pool = pool.build().context("cannot start the threads")?;
    let global = &cli.global;
    let call = Call {
        global,
        given,
        terminal,
    };
    pool.install(|| dispatch(cli, call))
}

/// Whether the reader of the output went away, which is no error: `tamper … | head`.
fn is_broken_pipe(error: &anyhow::Error) -> bool {
    cause::<io::Error>(error).is_some_and(|cause| cause.kind() == io::ErrorKind::BrokenPipe)
}

fn say(error: &anyhow::Error, terminal: &Terminal) {
    match cause::<ReadError>(error) {
        Some(refused) => terminal.refusal(&refused.file, &refused.diagnostics),
        None => terminal.message(&format!("error: {error:#}")),
    }
}

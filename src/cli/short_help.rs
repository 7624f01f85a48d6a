//! The page that `-h` prints: it fits a screen. `--help` prints everything.

use std::ffi::OsString;
use std::fmt::Write as _;

use clap::error::ErrorKind;
use clap::{Arg, Command, CommandFactory as _};

use super::command::Cli;

/// The commands by their subjects.
const GROUPS: [(&str, &[&str]); 6] = [
    ("Models", &["open", "check", "refine", "compose", "draw"]),
    (
        "Mutants",
        &["classify", "verify", "merge", "export", "report", "reproduce"],
    ),
    (
        "Tests",
        &[
            "testgen",
            "score",
            "accept",
            "minimise",
            "run",
            "diagnose",
            "view",
            "harness",
            "new-adapter",
        ],
    ),
    ("Families", &["fmm", "features", "project", "families"]),
    ("Machines", &["coverage", "oracle"]),
    ("Set-up", &["completions", "man", "help"]),
];

/// The options that most people need of the commands with many options, in this order; the others are only named.
const FIRST: [(&str, &[&str]); 8] = [
    (
        "accept",
        &[
            "reason",
            "until",
            "keep",
            "remove",
            "accepted",
            "order",
            "operators",
            "mutate",
        ],
    ),
    (
        "classify",
        &[
            "out",
            "order",
            "operators",
            "semantics",
            "guidelines",
            "sample",
            "mutate",
            "verify",
            "resume",
            "total-timeout",
        ],
    ),
    (
        "export",
        &[
            "out",
            "as",
            "keep",
            "mutants",
            "order",
            "operators",
            "sample",
            "semantics",
            "mutate",
            "total-timeout",
        ],
    ),
    (
        "testgen",
        &[
            "out",
            "for",
            "strategy",
            "kill",
            "operators",
            "order",
            "mutants",
            "extend",
            "criterion",
            "mutate",
            "total-timeout",
        ],
    ),
    (
        "score",
        &[
            "order",
            "operators",
            "mutants",
            "extend",
            "as",
            "fail-under",
            "fail-on",
            "changed-since",
            "mutate",
            "total-timeout",
        ],
    ),
    (
        "minimise",
        &[
            "out",
            "order",
            "operators",
            "mutants",
            "extend",
            "mutate",
            "total-timeout",
        ],
    ),
    (
        "run",
        &[
            "sut",
            "against",
            "unit",
            "accelerated",
            "tolerance",
            "strategy",
            "results",
            "junit",
            "as",
            "fail-fast",
            "jobs",
        ],
    ),
    (
        "coverage",
        &[
            "suite", "out", "show", "faults", "order", "features", "against", "timeout",
        ],
    ),
];

/// The width of a page, in columns.
const WIDTH: usize = 100;

/// The largest number of options with a line each.
const MOST: usize = 22;

/// The text that is printed instead of clap's page, if the user asked for it: `-h` of a command, or the help of all.
pub fn instead(error: &clap::Error, words: &[OsString]) -> Option<String> {
    let kinds = [
        ErrorKind::DisplayHelp,
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand,
    ];
    if !kinds.contains(&error.kind()) {
        return None;
    }
    let mut cli = Cli::command();
    cli.build();
    let typed: Vec<&str> = words.iter().skip(1).filter_map(|word| word.to_str()).collect();
    let is_short = typed.contains(&"-h") && !typed.contains(&"--help");
    let is_command = |word: &&&str| **word != "help" && cli.find_subcommand(word).is_some();
    match typed.iter().find(is_command).copied() {
        Some(name) if is_short => cli.find_subcommand_mut(name).map(short),
        Some(_) => None,
        None => Some(all(&cli, is_short)),
    }
}

/// The page of the program.
fn all(cli: &Command, is_short: bool) -> String {
    let template = format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{}\n{{all-args}}{{after-help}}",
        grouped(cli)
    );
    let mut page = Cli::command()
        .mut_subcommands(|command| command.hide(true))
        .override_usage("tamper [OPTIONS] <COMMAND>")
        .help_template(template);
    match is_short {
        true => page.render_help().to_string(),
        false => page.render_long_help().to_string(),
    }
}

/// All commands by their subjects, each with one line.
fn grouped(command: &Command) -> String {
    let mut text = String::new();
    for (group, names) in GROUPS {
        let _ = writeln!(text, "{group}:");
        for name in names {
            let about = match command.find_subcommand(name).and_then(Command::get_about) {
                Some(about) => about.to_string(),
                None if *name == "help" => "Print this message, or the help of a command".to_owned(),
                None => continue,
            };
            let _ = writeln!(text, "{}", cut(&format!("  {name:12} {about}")));
        }
    }
    text
}

/// The page of a command: a line for each of its arguments and first options, and the names of the others.
fn short(command: &mut Command) -> String {
    let usage = command.render_usage().to_string();
    let about = command.get_about().map(ToString::to_string).unwrap_or_default();
    let mut text = format!("{}\n\n{}\n\n", cut(&about), cut(&usage));
    for argument in command.get_positionals() {
        let name = format!("<{}>", value_of(argument));
        let _ = writeln!(text, "{}", entry(&name, argument));
    }
    let is_own = |option: &&Arg| {
        !option.is_hide_set() && !option.is_global_set() && !matches!(option.get_id().as_str(), "help" | "version")
    };
    let options: Vec<&Arg> = command.get_opts().chain(flags(command)).filter(is_own).collect();
    let options: Vec<&Arg> = command
        .get_arguments()
        .filter(|argument| options.iter().any(|option| option.get_id() == argument.get_id()))
        .collect();
    let first = FIRST.iter().find(|(name, _)| *name == command.get_name());
    let (options, most) = match first {
        Some((_, first)) => (in_order(options, first), first.len()),
        None => (options, MOST),
    };
    if !options.is_empty() {
        text.push_str("\nOptions:\n");
    }
    for option in options.iter().take(most) {
        let _ = writeln!(text, "{}", entry(&spelled(option), option));
    }
    list(&mut text, "More:", options.iter().skip(most).copied());
    list(
        &mut text,
        "Of every command:",
        command.get_arguments().filter(|option| option.is_global_set()),
    );
    let _ = writeln!(
        text,
        "\nAll about them, and examples: tamper {} --help",
        command.get_name()
    );
    text
}

/// The options, with the options named `first` before all others.
fn in_order<'a>(mut options: Vec<&'a Arg>, first: &[&str]) -> Vec<&'a Arg> {
    let place = |option: &&Arg| {
        first
            .iter()
            .position(|name| option.get_long() == Some(name))
            .unwrap_or(first.len())
    };
    options.sort_by_key(place);
    options
}

fn flags(command: &Command) -> impl Iterator<Item = &Arg> {
    command
        .get_arguments()
        .filter(|argument| !argument.is_positional() && !argument.get_action().takes_values())
}

/// The long names of options, in lines.
fn list<'a>(text: &mut String, title: &str, options: impl Iterator<Item = &'a Arg>) {
    let names = options.filter_map(|option| option.get_long().map(|name| format!(" --{name}")));
    let mut line = title.to_owned();
    let mut is_empty = true;
    for name in names {
        if is_empty {
            text.push('\n');
        }
        is_empty = false;
        if line.len() + name.len() > WIDTH {
            let _ = writeln!(text, "{line}");
            line = "     ".to_owned();
        }
        line.push_str(&name);
    }
    if !is_empty {
        let _ = writeln!(text, "{line}");
    }
}

fn spelled(option: &Arg) -> String {
    let name = format!("--{}", option.get_long().unwrap_or_default());
    match option.get_action().takes_values() {
        true => format!("{name} <{}>", value_of(option)),
        false => name,
    }
}

fn value_of(argument: &Arg) -> String {
    let names = argument.get_value_names().unwrap_or_default();
    let name = names.first().map(ToString::to_string);
    name.unwrap_or_else(|| argument.get_id().as_str().to_uppercase())
}

/// The line of an argument: its name, and as much of its summary as makes sense.
fn entry(name: &str, argument: &Arg) -> String {
    let help = argument.get_help().map(ToString::to_string).unwrap_or_default();
    let line = format!("  {name:24} ");
    let room = WIDTH.saturating_sub(line.chars().count());
    line + &phrase(help.lines().next().unwrap_or_default(), room)
}

/// A phrase too short to stand for a summary: what it begins with is a condition.
const CONDITION: usize = 18;

/// The longest beginning of a summary that fits into `room` characters and ends where a sentence does, else a clause; cut behind
/// a word if none fits.
fn phrase(summary: &str, room: usize) -> String {
    if summary.chars().count() <= room {
        return summary.to_owned();
    }
    let ending = |ends: &[&str]| {
        let ends = ends.iter().flat_map(|end| summary.match_indices(end));
        let fitting = ends.map(|(at, _)| &summary[..at]).filter(|phrase| {
            let length = phrase.chars().count();
            (CONDITION..=room).contains(&length)
        });
        fitting.max_by_key(|phrase| phrase.len())
    };
    let found = ending(&[". ", "; "])
        .or_else(|| ending(&[": ", " ("]))
        .or_else(|| ending(&[", "]));
    found.map_or_else(
        || {
            let words = summary
                .char_indices()
                .filter(|(_, c)| c.is_whitespace())
                .map(|(at, _)| at);
            let fitting = words.take_while(|at| summary[..*at].chars().count() < room);
            format!("{}…", &summary[..fitting.last().unwrap_or_default()])
        },
        str::to_owned,
    )
}

/// A line, cut to the width of a page.
fn cut(line: &str) -> String {
    match line.chars().count() > WIDTH {
        true => line.chars().take(WIDTH - 1).collect::<String>().trim_end().to_owned() + "…",
        false => line.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_summary_that_is_too_long_ends_where_a_sentence_or_a_clause_does() {
        let summary = "The names of what is wanted: some, or all. More of it; the rest";
        for (room, phrase_of) in [
            (80, summary),
            (60, "The names of what is wanted: some, or all. More of it"),
            (50, "The names of what is wanted: some, or all"),
            (40, "The names of what is wanted"),
            (20, "The names of what…"),
        ] {
            assert_eq!(phrase(summary, room), phrase_of);
        }
        let conditional = "With --sut: how long a unit of the model lasts";
        assert_eq!(phrase(conditional, 30), "With --sut: how long a unit…");
    }

    #[test]
    fn every_command_is_in_one_group_and_its_page_fits_a_screen() {
        let mut cli = Cli::command();
        cli.build();
        let named = |name: &str| {
            GROUPS
                .iter()
                .flat_map(|(_, names)| *names)
                .filter(|other| **other == name)
                .count()
        };
        for command in cli.get_subcommands_mut().filter(|command| !command.is_hide_set()) {
            let name = command.get_name().to_owned();
            assert_eq!(named(&name), 1, "{name}");
            let summary = command.get_about().map(ToString::to_string).unwrap_or_default();
            assert!(
                2 + 13 + summary.chars().count() <= WIDTH,
                "cut in the list of commands: {summary}"
            );
            let page = short(command);
            assert!(page.lines().count() <= 40, "{name}: {}\n{page}", page.lines().count());
            assert!(page.lines().all(|line| line.chars().count() <= WIDTH), "{page}");
        }
        assert!(grouped(&cli).lines().count() <= 40);
        for (command, first) in FIRST {
            let command = cli.find_subcommand(command).unwrap();
            let is_there = |name: &&str| command.get_arguments().any(|option| option.get_long() == Some(name));
            let unknown: Vec<&&str> = first.iter().filter(|name| !is_there(name)).collect();
            assert!(unknown.is_empty(), "{}: {unknown:?}", command.get_name());
        }
    }
}

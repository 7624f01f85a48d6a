//! `tamper.toml`: options that a folder's commands have unless they are typed.

use std::ffi::OsString;
use std::path::Path;

use anyhow::Result;
use clap::error::ErrorKind;
use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Command};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::places::{CONFIG, OUTPUTS};
use tamper::formats::{ReadError, read_text};
use tamper::text::{Diagnostic, SourceFile, Span};

/// The typed words, with the options that a file adds.
pub struct ExpandedWords {
    /// All words, the program's name first.
    pub words: Vec<OsString>,
    /// Notes on options of the file that conflict with typed options and are left out.
    pub notes: Vec<String>,
}

/// Adds the options of the file to the typed words, which clap has accepted: the options for all commands, and the options for this one.
/// Typed options are preferred: an option of the file that is typed, or conflicts with a typed one, is left out.
///
/// # Errors
/// If the file is no TOML, or names something that no command knows: all errors at once, with their places.
pub fn with_defaults(
    command: &Command,
    matches: &ArgMatches,
    words: Vec<OsString>,
) -> Result<ExpandedWords, ReadError> {
    let named = matches.get_one::<std::path::PathBuf>("config");
    let path = named.map_or(Path::new(CONFIG), |path| path);
    if named.is_none() && !path.is_file() {
        return Ok(ExpandedWords {
            words,
            notes: Vec::new(),
        });
    }
    let text = read_text(path, "name a file of options in TOML that exists and may be read")?;
    let file = SourceFile::new(path.display().to_string(), text.clone());
    let mut reader = ConfigReader {
        command,
        is_named: named.is_some(),
        errors: Vec::new(),
    };
    let options = reader.read(&text, matches.subcommand_name());
    reader.errors.sort_by_key(|error| error.span.map(|span| span.start));
    if !reader.errors.is_empty() {
        return Err(ReadError {
            file,
            diagnostics: reader.errors,
        });
    }
    Ok(add(command, matches, words, options, path))
}

/// Adds the options that fit to the typed words behind the name of the command, so that typed words after them win.
fn add(
    command: &Command,
    matches: &ArgMatches,
    words: Vec<OsString>,
    options: Vec<Preset>,
    path: &Path,
) -> ExpandedWords {
    let mut result = ExpandedWords {
        words,
        notes: Vec::new(),
    };
    let Some((name, typed)) = matches.subcommand() else {
        return result;
    };
    let aliases = command
        .find_subcommand(name)
        .into_iter()
        .flat_map(Command::get_all_aliases);
    let names: Vec<&str> = aliases.chain([name]).collect();
    let is_name = |word: &OsString| word.to_str().is_some_and(|word| names.contains(&word));
    let Some(at) = result.words.iter().position(is_name) else {
        return result;
    };
    for option in options {
        let is_typed = typed.try_contains_id(&option.id).is_ok()
            && typed.value_source(&option.id) == Some(ValueSource::CommandLine);
        if is_typed {
            continue;
        }
        let mut more = result.words.clone();
        more.splice(at + 1..=at, option.words);
        match command.clone().try_get_matches_from(&more) {
            Err(error) if error.kind() == ErrorKind::ArgumentConflict => result.notes.push(format!(
                "note: {} of {} does not go with what was typed, and is left out",
                option.name,
                path.display()
            )),
            // Other errors are reported when all words are parsed.
            _ => result.words = more,
        }
    }
    result
}

/// An option of the file, for the command that was typed.
struct Preset {
    id: String,
    name: String,
    words: Vec<OsString>,
}

struct ConfigReader<'a> {
    command: &'a Command,
    /// Whether the caller of tamper named the file, so that it was not merely found in the folder.
    is_named: bool,
    errors: Vec<Diagnostic>,
}

impl ConfigReader<'_> {
    /// The options of the command `wanted`; all other options are checked, too.
    fn read(&mut self, text: &str, wanted: Option<&str>) -> Vec<Preset> {
        let table = match DeTable::parse(text) {
            Ok(table) => table,
            Err(error) => {
                let span = error.span().map(|range| Span::new(range.start, range.end));
                self.errors.push(Diagnostic::error(error.message(), span));
                return Vec::new();
            }
        };
        let mut options = Vec::new();
        for (key, value) in table.get_ref() {
            let name = key.get_ref().as_ref();
            match value.get_ref() {
                DeValue::Table(table) => {
                    let Some(command) = self.command.get_subcommands().find(|one| one.get_name() == name) else {
                        self.refuse(key, format!("tamper has no command `{name}`"));
                        continue;
                    };
                    for (key, value) in table {
                        let option = self.option(command, key, value);
                        options.extend(option.filter(|_| wanted == Some(name)));
                    }
                }
                _ => options.extend(self.option(self.command, key, value)),
            }
        }
        options
    }

    fn refuse<T>(&mut self, at: &Spanned<T>, message: String) {
        let span = Span::new(at.span().start, at.span().end);
        self.errors.push(Diagnostic::error(message, Some(span)));
    }

    /// An option of `command`, which may be the program itself.
    fn option(
        &mut self,
        command: &Command,
        key: &Spanned<impl AsRef<str>>,
        value: &Spanned<DeValue<'_>>,
    ) -> Option<Preset> {
        let name = key.get_ref().as_ref();
        let arg = command
            .get_arguments()
            .find(|arg| arg.get_long() == Some(name) && name != "config");
        let Some(arg) = arg else {
            let of = match command.get_name() == self.command.get_name() {
                true => "all commands have no option".to_owned(),
                false => format!("`tamper {}` has no option", command.get_name()),
            };
            self.refuse(key, format!("{of} `{name}`"));
            return None;
        };
        if !self.is_named && OUTPUTS.contains(&arg.get_id().as_str()) {
            self.refuse(
                key,
                format!(
                    "`{name}` says where something is written: that is typed, or stands in a file that --config names"
                ),
            );
            return None;
        }
        match words(arg, value.get_ref()).and_then(|words| check(arg, &words).map(|()| words)) {
            Ok(words) => Some(Preset {
                id: arg.get_id().to_string(),
                name: name.to_owned(),
                words,
            }),
            Err(why) => {
                self.refuse(value, why);
                None
            }
        }
    }
}

/// The words that a value stands for; empty for a switch that is off.
fn words(arg: &Arg, value: &DeValue<'_>) -> Result<Vec<OsString>, String> {
    let long = arg.get_long().unwrap_or_default();
    let takes_value = arg.get_action().takes_values();
    let one = |value: &DeValue<'_>| match value {
        DeValue::String(text) => Ok(text.to_string()),
        DeValue::Integer(number) => Ok(number.to_string()),
        DeValue::Float(number) => Ok(number.to_string()),
        _ => Err(format!(
            "the value of `{long}` is a text or a number, or a list of them"
        )),
    };
    match (value, takes_value) {
        (DeValue::Boolean(is_on), false) => Ok(is_on.then(|| format!("--{long}").into()).into_iter().collect()),
        (DeValue::Integer(times), false) if matches!(arg.get_action(), ArgAction::Count) => {
            let times: usize = times.to_string().parse().map_err(|_| "a number of times".to_owned())?;
            Ok(vec![format!("--{long}").into(); times.min(9)])
        }
        (_, false) => Err(format!("`{long}` is true or false")),
        (DeValue::Array(values), true) => {
            let values: Vec<String> = values
                .iter()
                .map(|value| one(value.get_ref()))
                .collect::<Result<_, _>>()?;
            match arg.get_value_delimiter() {
                Some(comma) => Ok(vec![format!("--{long}={}", values.join(&comma.to_string())).into()]),
                None => Ok(values
                    .into_iter()
                    .map(|value| format!("--{long}={value}").into())
                    .collect()),
            }
        }
        (value, true) => Ok(vec![format!("--{long}={}", one(value)?).into()]),
    }
}

/// Checks that the option takes these words when it is parsed alone.
fn check(arg: &Arg, words: &[OsString]) -> Result<(), String> {
    // Names of arguments last as long as the program.
    let long: &'static str = Box::leak(arg.get_long().unwrap_or_default().to_owned().into_boxed_str());
    let alone = Arg::new(arg.get_id().clone()).long(long);
    let mut alone = alone
        .action(arg.get_action().clone())
        .value_parser(arg.get_value_parser().clone());
    if let Some(comma) = arg.get_value_delimiter() {
        alone = alone.value_delimiter(comma);
    }
    let command = Command::new("tamper").no_binary_name(true).arg(alone);
    match command.try_get_matches_from(words) {
        Ok(_) => Ok(()),
        Err(error) => {
            let text = error.to_string();
            let first = text.lines().next().unwrap_or_default();
            Err(first.trim_start_matches("error: ").to_owned())
        }
    }
}

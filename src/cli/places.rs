//! The files that a command reads and writes, by its options, so that no output replaces an input.
//!
//! Every option and argument of every command that takes a path is either the place of an output, listed in [`OUTPUTS`], or an input. The
//! value of a folder is named DIR, and the value of a file FILE; DIR|FILE is a file if its name has an extension.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use clap::builder::ValueParser;
use clap::{Arg, ArgMatches, Command};
use serde_json::value::RawValue;

use tamper::experiment::{Output, OutputKind, refuse_clashes};
use tamper::formats::{STDIN, read_input};

/// The options that name an output.
pub const OUTPUTS: [&str; 10] = [
    "out",
    "junit",
    "stryker",
    "journal",
    "results",
    "formula",
    "proof",
    "certificate",
    "certify",
    "queries",
];

/// The commands whose folder holds a run: an earlier one is moved away.
const RUNS: [&str; 4] = ["classify", "export", "merge", "score"];

/// The file of options that is read if it is in the folder where tamper is called.
pub const CONFIG: &str = "tamper.toml";

/// The inputs and outputs of a command.
#[derive(Clone, Default, Debug)]
pub struct CommandPaths {
    inputs: Vec<PathBuf>,
    outputs: Vec<Output>,
}

impl CommandPaths {
    /// The places that the typed and the default options name.
    pub fn of(tamper: &Command, matches: &ArgMatches) -> Self {
        let mut places = Self::default();
        let Some((name, matches)) = matches.subcommand() else {
            return places;
        };
        let Some(command) = tamper.find_subcommand(name) else {
            return places;
        };
        for arg in command.get_arguments().filter(|arg| takes_path(arg)) {
            let id = arg.get_id().as_str();
            let paths = matches.try_get_many::<PathBuf>(id).ok().flatten();
            for path in paths.into_iter().flatten() {
                match OUTPUTS.contains(&id) {
                    true => places.outputs.push(output(name, arg, path)),
                    false => places.inputs.push(path.clone()),
                }
            }
        }
        let programs = matches.try_get_one::<String>("sut").ok().flatten();
        places
            .inputs
            .extend(programs.into_iter().flat_map(|command| files_of(command)));
        places
    }

    /// Refuses outputs that would replace an input or each other, or that cannot be written, before any work.
    pub fn check(&self) -> Result<()> {
        if self.inputs.iter().filter(|path| path.as_os_str() == STDIN).count() > 1 {
            bail!("`-` is standard input, and stands for one file only");
        }
        self.refuse(&self.outputs)
    }

    /// Refuses files of `folder`, which `--out` names, that would replace an input.
    pub fn check_files<'n>(&self, folder: &Path, names: impl IntoIterator<Item = &'n str>) -> Result<()> {
        if !folder.exists() {
            return Ok(());
        }
        let file = |name| Output {
            option: "the file".to_owned(),
            path: folder.join(name),
            kind: OutputKind::File,
        };
        self.refuse(&names.into_iter().map(file).collect::<Vec<_>>())
    }

    fn refuse(&self, outputs: &[Output]) -> Result<()> {
        if outputs.is_empty() {
            return Ok(());
        }
        let named = self.inputs.iter().flat_map(|input| named_in(input));
        let named: Vec<PathBuf> = named.chain([CONFIG.into()]).collect();
        let inputs: Vec<&Path> = self.inputs.iter().chain(&named).map(PathBuf::as_path).collect();
        Ok(refuse_clashes(&inputs, outputs)?)
    }
}

/// The files that a suite, a run, or the answer of a command names, as its command reads them, too. Like the readers, this looks for them
/// in the current folder and beside the file. One too many does no harm, as in [`files_of`].
fn named_in(input: &Path) -> Vec<PathBuf> {
    let file = if input.is_dir() {
        input.join("manifest.json")
    } else {
        input.to_owned()
    };
    let is_named = |path: &PathBuf| path.is_file() || path.join("Components").is_dir();
    let mut texts = Vec::new();
    if file == input || file.is_file() {
        // A file that cannot be read is refused when it is read for its use.
        let bytes = read_input(&file, "").unwrap_or_default();
        let mut values = serde_json::Deserializer::from_slice(&bytes).into_iter::<&RawValue>();
        // The first line of results names the files.
        if bytes.trim_ascii_start().starts_with(b"{")
            && let Some(Ok(value)) = values.next()
        {
            gather(value.get(), &mut texts);
        }
    }
    let beside = |text: &String| file.parent().map(|folder| folder.join(text));
    let places = texts.iter().flat_map(|text| [Some(text.into()), beside(text)]);
    let mut named: Vec<PathBuf> = places.flatten().filter(is_named).collect();
    named.extend(texts.iter().flat_map(|text| files_of(text)));
    named
}

/// Gathers the texts of a JSON object and of the objects in it; lists hold tests, mutants and runs, not inputs.
fn gather(json: &str, texts: &mut Vec<String>) {
    if let Ok(entries) = serde_json::from_str::<BTreeMap<String, &RawValue>>(json) {
        entries.values().for_each(|value| gather(value.get(), texts));
    } else if let Ok(text) = serde_json::from_str::<String>(json) {
        texts.push(text);
    }
}

/// The files that a shell command names, as far as its text shows: every word, and the parts in quotes and after `=`. One too many does no
/// harm: it is an existing file, which is not replaced.
fn files_of(command: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let is_between = |character: char| character.is_whitespace() || "'\"`;|&<>()=".contains(character);
    let quoted = command.split(['\'', '"']).skip(1).step_by(2);
    let unescaped = command.replace("\\ ", "\u{0}");
    let words = unescaped.split(is_between).map(|word| word.replace('\u{0}', " "));
    for word in words.chain(quoted.map(str::to_owned)) {
        let path = PathBuf::from(word.replace('\\', ""));
        let is_plain = path.as_os_str() != STDIN && !path.as_os_str().is_empty();
        if is_plain && path.is_file() && !found.contains(&path) {
            found.push(path);
        }
    }
    found
}

fn takes_path(arg: &Arg) -> bool {
    arg.get_value_parser().type_id() == ValueParser::path_buf().type_id()
}

fn output(command: &str, arg: &Arg, path: &Path) -> Output {
    let is_folder = arg.get_value_names().is_some_and(|names| match names[0].as_str() {
        "DIR|FILE" => path.extension().is_none(),
        name => name == "DIR",
    });
    let id = arg.get_id().as_str();
    Output {
        option: format!("--{id}"),
        path: path.to_owned(),
        kind: match (is_folder, id) {
            (true, "out") if RUNS.contains(&command) => OutputKind::Run,
            (true, _) => OutputKind::Folder,
            (false, "journal" | "results") => OutputKind::Journal,
            (false, _) => OutputKind::File,
        },
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::super::command::Cli;
    use super::*;

    /// The arguments that are read. One that is neither here nor among the outputs was forgotten.
    const INPUTS: [&str; 18] = [
        "accepted",
        "config",
        "file",
        "files",
        "features",
        "right_file",
        "run",
        "machine",
        "suite",
        "against",
        "model",
        "spec",
        "dirs",
        "check_proof",
        "oracle",
        "seen",
        "extend",
        "also",
    ];

    #[test]
    fn every_path_of_every_command_is_an_input_or_an_output() {
        let cli = Cli::command();
        for command in cli.get_subcommands() {
            for arg in command.get_arguments().filter(|arg| takes_path(arg)) {
                let (name, id) = (command.get_name(), arg.get_id().as_str());
                assert!(
                    INPUTS.contains(&id) != OUTPUTS.contains(&id),
                    "{name}: is `{id}` an input or an output?"
                );
                let value = arg.get_value_names().and_then(|names| names.first());
                let is_place = value.is_some_and(|value| ["DIR", "FILE", "DIR|FILE"].contains(&value.as_str()));
                assert!(
                    !OUTPUTS.contains(&id) || is_place,
                    "{name}: the value of --{id} is DIR or FILE"
                );
            }
        }
    }

    #[test]
    fn defaults_are_places_too() {
        let places = |words: &str| {
            let matches = Cli::command().try_get_matches_from(words.split(' ')).unwrap();
            CommandPaths::of(&Cli::command(), &matches)
        };
        let classify = places("tamper classify model.xml");
        assert_eq!(classify.inputs, [Path::new("model.xml")]);
        assert_eq!(classify.outputs[0].path, Path::new("tamper.out"));
        assert_eq!(classify.outputs[0].kind, OutputKind::Run);
        let run = places("tamper run suite.json --against a.xml b --junit j.xml");
        assert_eq!(run.inputs.len(), 3);
        assert_eq!(run.outputs[0].kind, OutputKind::File);
        let adapter = |out: &str| places(&format!("tamper new-adapter c --out {out}")).outputs[0].kind;
        assert_eq!(adapter("adapter"), OutputKind::Folder);
        assert_eq!(adapter("adapter.c"), OutputKind::File);
    }
}

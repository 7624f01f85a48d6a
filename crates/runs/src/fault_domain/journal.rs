//! The progress of completing a suite, on disk: one line per step, so that an interrupted run can be continued.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::path::{Path, PathBuf};
use tamper_uppaal::input::read_own_text;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::error::{ExperimentError, FileAction, OfFile as _, OrMalformed as _, Result};
use crate::files::{destination, old};
use crate::plans::manifest::entries_that_differ;

/// First line of a journal: the run that it belongs to.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JournalKey {
    /// Version of the key's format, raised when an identical run gets another key. Journals without this field have
    /// version 0.
    #[serde(default)]
    version: u32,
    /// Version of tamper.
    tamper: String,
    /// BLAKE3 hash of the file of the machine or the game, in hexadecimal.
    model: String,
    /// BLAKE3 hash of the suite's file, if there is one.
    suite: Option<String>,
    /// All other parameters that steps depend on.
    options: Value,
}

/// Version of the keys that are written.
const KEY_VERSION: u32 = 1;

/// A journal's file, and its option.
#[derive(Clone, Copy, Debug)]
pub struct JournalFile<'a> {
    /// Path of the file.
    pub path: &'a Path,
    /// The option that names the file: `--journal`.
    pub option: &'static str,
}

impl<'a> JournalFile<'a> {
    /// The journal that `--journal` names.
    pub fn new(path: &'a Path) -> Self {
        let option = "--journal";
        Self { path, option }
    }
}

/// A step of a mutation machine's analysis.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum JournalStep {
    /// A new test: the numbers of its inputs.
    Test(Vec<usize>),
    /// The last test, replaced by this longer one.
    Extension(Vec<usize>),
    /// A conforming mutant: its choices.
    Conforming(Vec<u32>),
}

/// Bound on the length of a key in bytes: a file with a longer first line is no journal.
const LONGEST_KEY: u64 = 1 << 20;

/// An open journal.
#[derive(Debug)]
pub struct Journal {
    file: File,
    path: PathBuf,
}

impl Journal {
    /// Creates a journal at `path`, or at the target of a symbolic link there; an existing journal becomes
    /// `<path>.old`.
    ///
    /// # Errors
    /// If the file, or `<path>.old`, is no journal, is in use, or cannot be written.
    pub fn create(JournalFile { path, option }: JournalFile<'_>, key: &JournalKey) -> Result<Self> {
        let path = &destination(path).cannot(FileAction::Create, path)?;
        let there = JournalFile { path, option };
        if path.exists() {
            let earlier = there.lock()?;
            let old = old(path);
            there.refuse_other()?;
            JournalFile { path: &old, option }.refuse_other()?;
            fs::rename(path, &old).cannot(FileAction::Move, path)?;
            drop(earlier);
        }
        let file = File::create_new(path).cannot(FileAction::Create, path)?;
        drop(file);
        let mut journal = Self {
            file: there.lock()?,
            path: path.to_owned(),
        };
        journal.line(&serde_json::to_string(key)?)?;
        Ok(journal)
    }

    /// Opens the journal of an interrupted run, and reads its steps; an incomplete last line is dropped.
    ///
    /// # Errors
    /// If there is no journal, it is in use or belongs to another run, or a line is no step.
    pub fn resume<S: DeserializeOwned>(there: JournalFile<'_>, key: &JournalKey) -> Result<(Self, Vec<S>)> {
        let path = there.path;
        if !path.is_file() {
            let why = format!(
                "there is no journal {} to resume: start without --resume",
                path.display()
            );
            return Err(ExperimentError::nothing_to_resume(path, why));
        }
        let file = there.lock()?;
        let Some(started) = first_line(path)? else {
            let what = format!("{} is no journal of tamper: start without --resume", path.display());
            return Err(ExperimentError::malformed(what));
        };
        if started.version != KEY_VERSION {
            let why = format!(
                "{} was written by another tamper: its key is of version {}, this one's are of version {KEY_VERSION}: start anew without \
                 --resume",
                path.display(),
                started.version
            );
            return Err(ExperimentError::other_run(why));
        }
        let differences = started.differences(key);
        if !differences.is_empty() {
            let why = format!(
                "{} belongs to another run ({}): repeat its parameters, or start anew without --resume",
                path.display(),
                differences.join(", ")
            );
            return Err(ExperimentError::OtherRun { why, differences });
        }
        let (whole, steps) = steps(path)?;
        file.set_len(whole)?;
        let journal = Self {
            file,
            path: path.to_owned(),
        };
        Ok((journal, steps))
    }

    /// Reads the key and the steps of the journal at `path`; an incomplete last line is left out. `None` if it is no
    /// journal.
    ///
    /// # Errors
    /// If it cannot be read, or a line is no step.
    pub fn read<S: DeserializeOwned>(path: &Path) -> Result<Option<(JournalKey, Vec<S>)>> {
        let key = match path.is_file() {
            true => first_line(path)?,
            false => None,
        };
        key.map(|key| Ok((key, steps(path)?.1))).transpose()
    }

    /// Appends a step.
    ///
    /// # Errors
    /// If the file system refuses.
    pub fn append(&mut self, step: &impl Serialize) -> Result<()> {
        self.line(&serde_json::to_string(step)?)
    }
    fn line(&mut self, text: &str) -> Result<()> {
        let line = format!("{text}\n");
        let written = self.file.write_all(line.as_bytes());
        written.cannot(FileAction::Write, &self.path)
    }
}

/// The length in bytes of the complete lines of the journal at `path`, and the steps in them.
fn steps<S: DeserializeOwned>(path: &Path) -> Result<(u64, Vec<S>)> {
    let text = read_own_text(path).cannot(FileAction::Read, path)?;
    let whole = text.rfind('\n').map_or(0, |end| end + 1);
    let mut steps = Vec::new();
    for (number, line) in (2..).zip(text[..whole].lines().skip(1)) {
        let step = serde_json::from_str(line);
        steps.push(step.or_malformed(|| format!("line {number} of {} is no step", path.display()))?);
    }
    Ok((whole as u64, steps))
}

impl JournalKey {
    /// The key of a run with these options on a model and a suite, given by the hashes of their files.
    ///
    /// # Errors
    /// If the options cannot be written as JSON.
    pub fn new(model: String, suite: Option<String>, options: &impl Serialize) -> Result<Self> {
        Ok(Self {
            version: KEY_VERSION,
            tamper: env!("CARGO_PKG_VERSION").to_owned(),
            model,
            suite,
            options: serde_json::to_value(options)?,
        })
    }

    /// BLAKE3 hash of the model's file, in hexadecimal.
    pub fn model(&self) -> &str {
        &self.model
    }

    /// The options of the run.
    ///
    /// # Errors
    /// If they are not of type `O`.
    pub fn options<O: DeserializeOwned>(&self) -> Result<O> {
        Ok(serde_json::from_value(self.options.clone())?)
    }

    fn differences(&self, other: &Self) -> Vec<String> {
        let parts = [
            ("version", self.tamper == other.tamper),
            ("model", self.model == other.model),
            ("suite", self.suite == other.suite),
        ];
        let parts = parts.iter().filter(|(_, same)| !same);
        let mut differences: Vec<String> = parts.map(|(name, _)| (*name).to_owned()).collect();
        match (&self.options, &other.options) {
            (one, other) if one == other => {}
            // Options that have names are listed by name.
            (one @ Value::Object(_), other @ Value::Object(_)) => {
                let differ = entries_that_differ(one, other);
                differences.push(format!("options: {}", differ.join(", ")));
            }
            _ => differences.push("options".to_owned()),
        }
        differences
    }
}

impl JournalFile<'_> {
    /// Refuses to replace an existing file unless it is a journal, or empty.
    fn refuse_other(&self) -> Result<()> {
        let Self { path, option } = self;
        let is_journal = match fs::symlink_metadata(path) {
            Ok(there) => there.is_file() && (there.len() == 0 || first_line(path)?.is_some()),
            Err(_) => true,
        };
        if !is_journal {
            let why = format!("{} is no journal of tamper: choose another {option}", path.display());
            return Err(ExperimentError::place(path, why));
        }
        Ok(())
    }

    fn lock(&self) -> Result<File> {
        let path = self.path;
        let open = OpenOptions::new().read(true).append(true).open(path);
        let file = open.cannot(FileAction::Open, path)?;
        match file.try_lock() {
            Ok(()) => Ok(file),
            Err(TryLockError::WouldBlock) => Err(ExperimentError::InUse {
                path: path.to_owned(),
                by: "another run",
                advice: match self.option {
                    "--results" => "choose other --results",
                    _ => "choose another --journal",
                },
            }),
            Err(TryLockError::Error(error)) => Err(error).cannot(FileAction::Lock, path),
        }
    }
}

/// The key of the journal at `path`; `None` if it is no journal.
fn first_line(path: &Path) -> Result<Option<JournalKey>> {
    let mut line = Vec::new();
    let start = File::open(path).cannot(FileAction::Read, path)?.take(LONGEST_KEY);
    BufReader::new(start)
        .read_until(b'\n', &mut line)
        .cannot(FileAction::Read, path)?;
    let whole = line.strip_suffix(b"\n").unwrap_or_default();
    Ok(serde_json::from_slice(whole).ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(options: &str) -> JournalKey {
        JournalKey::new("a".to_owned(), None, &options).unwrap()
    }

    #[test]
    fn whole_lines_survive_an_interruption_and_another_run_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal");
        let steps = [JournalStep::Test(vec![1, 0]), JournalStep::Conforming(vec![0, 2])];
        let mut journal = Journal::create(JournalFile::new(&path), &key("new")).unwrap();
        assert!(
            Journal::resume::<JournalStep>(JournalFile::new(&path), &key("new"))
                .unwrap_err()
                .to_string()
                .contains("in use")
        );
        steps.iter().for_each(|step| journal.append(step).unwrap());
        drop(journal);
        let mut torn = fs::read(&path).unwrap();
        torn.extend_from_slice(b"{\"test\":[1");
        fs::write(&path, torn).unwrap();
        let (mut journal, found) = Journal::resume::<JournalStep>(JournalFile::new(&path), &key("new")).unwrap();
        assert_eq!(found, steps);
        journal.append(&JournalStep::Extension(vec![1, 0, 1])).unwrap();
        drop(journal);
        assert_eq!(
            Journal::resume::<JournalStep>(JournalFile::new(&path), &key("new"))
                .unwrap()
                .1
                .len(),
            3
        );
        let refusal = Journal::resume::<JournalStep>(JournalFile::new(&path), &key("extend"))
            .unwrap_err()
            .to_string();
        assert!(refusal.contains("(options)"), "{refusal}");
        drop(Journal::create(JournalFile::new(&path), &key("extend")).unwrap());
        assert!(folder.path().join("journal.old").is_file());
        // A key written before keys had a version.
        let old = r#"{"tamper":"0.1.0","model":"a","suite":null,"options":"Some(New) Text Refuse None"}"#;
        fs::write(&path, format!("{old}\n")).unwrap();
        let refusal = Journal::resume::<JournalStep>(JournalFile::new(&path), &key("new"))
            .unwrap_err()
            .to_string();
        assert!(refusal.contains("its key is of version 0"), "{refusal}");
        drop(Journal::create(JournalFile::new(&path), &key("new")).unwrap());
        fs::write(&path, "dear diary\n").unwrap();
        assert!(
            Journal::create(JournalFile::new(&path), &key("new"))
                .unwrap_err()
                .to_string()
                .contains("no journal")
        );
    }
}

//! The files that a command is given: every file is opened here, and a file of a kind that the command does not take is refused here.

use std::path::{Path, PathBuf};

use anyhow::Result;

use super::exit::ExitCode;
use super::shell::name;
use tamper::formats::feature_model::FeatureModelFormat;
use tamper::formats::machines::MachineFormat;
use tamper::formats::{FileKind, ReadError, SystemFormat, TimedFormat};
use tamper::text::{Diagnostic, SourceFile};

/// A file or folder, and the kind of its content.
pub struct Subject {
    pub path: PathBuf,
    pub kind: FileKind,
}

/// A file of one kind, with its format.
#[derive(Clone)]
pub struct FileIn<Format> {
    pub path: PathBuf,
    pub format: Format,
}

/// A file of a finite state machine, with or without variables and super-states.
pub type MachineFile = FileIn<MachineFormat>;
/// A file of a system without time.
pub type UntimedFile = FileIn<SystemFormat>;
/// A file of a feature model.
pub type FeaturesFile = FileIn<FeatureModelFormat>;

/// Opens the file at `path`, and determines its kind.
pub fn open(path: &Path) -> Result<Subject> {
    let kind = FileKind::of(path)?;
    let path = path.to_owned();
    Ok(Subject { path, kind })
}

/// Opens the feature model that an option of a command names.
pub fn open_features(path: &Path) -> Result<FeaturesFile> {
    let subject = open(path)?;
    match subject.kind {
        FileKind::Features(format) => Ok(subject.written_in(format)),
        _ => Err(subject.not("a feature model").into()),
    }
}

/// Opens the state machine that a command needs besides its first file.
pub fn open_machine(path: &Path) -> Result<MachineFile> {
    let subject = open(path)?;
    match subject.kind {
        FileKind::Machine(format) if is_plain(format) => Ok(subject.written_in(format)),
        _ => Err(subject.not("a state machine").into()),
    }
}

/// Checks the suite of timed tests that a command needs besides a model.
pub fn open_timed_suite(path: &Path) -> Result<PathBuf> {
    open_as(path, |kind| kind == FileKind::TimedSuite, "a suite of timed tests")
}

/// Checks the timed games that a command needs besides its first file.
pub fn open_timed(path: &Path) -> Result<PathBuf> {
    open_as(path, is_timed, "a timed game")
}

/// Opens the file at `path`, and refuses it unless it is `what`.
pub fn open_as(path: &Path, is: fn(FileKind) -> bool, what: &str) -> Result<PathBuf> {
    let subject = open(path)?;
    match is(subject.kind) {
        true => Ok(subject.path),
        false => Err(subject.not(what).into()),
    }
}

/// Refuses the file at `path` unless `command` takes it.
pub fn taken(command: &str, path: &Path) -> Result<()> {
    let subject = open(path)?;
    match takers(subject.kind).any(|taker| taker == command) {
        true => Ok(()),
        false => Err(subject.refusal(command).into()),
    }
}

impl Subject {
    /// The file as a file in that format.
    pub fn written_in<Format>(&self, format: Format) -> FileIn<Format> {
        let path = self.path.clone();
        FileIn { path, format }
    }

    /// The kind and the path, such as `an action system (lift.pl)`.
    pub fn name(&self) -> String {
        format!("{} ({})", self.kind.what(), self.path.display())
    }

    /// The error that `command` does not take the file.
    pub fn refusal(&self, command: &str) -> ReadError {
        let what = self.kind.what();
        match takers(self.kind).any(|taker| taker == command) {
            true => self.error(
                format!("is {what}, which `tamper {command}` takes in another place"),
                self.in_its_place(command),
            ),
            false => self.refused_as(format!("is {what}, which `tamper {command}` does not take")),
        }
    }

    /// The error that the file is refused where only `what` has a meaning.
    pub fn not(&self, what: &str) -> ReadError {
        self.refused_as(format!("is {}, not {what}", self.kind.what()))
    }

    /// Ends a command that does not take the file.
    pub fn refused(&self, command: &str) -> Result<ExitCode> {
        Err(self.refusal(command).into())
    }

    fn refused_as(&self, why: String) -> ReadError {
        let takers: Vec<String> = takers(self.kind).map(|name| format!("`{name}`")).collect();
        let mut help = match takers.split_last() {
            None if self.kind == FileKind::XState => {
                "no command takes it: write the chart as SCXML, of which `coverage` reads states, guards and sends, or draw it in UPPAAL, with clocks for its delays".to_owned()
            }
            None => "no command takes it".to_owned(),
            Some((only, [])) => format!("the command that takes it: {only}"),
            Some((last, others)) => format!("the commands that take it: {} and {last}", others.join(", ")),
        };
        if let Some(example) = self.example() {
            help += &format!("; for example `tamper {example}`");
        }
        self.error(why, help)
    }

    /// A command that takes the file, as it is typed after `tamper`.
    fn example(&self) -> Option<String> {
        let path = name(&self.path);
        Some(match self.kind {
            FileKind::Timed(_) | FileKind::System(_) => format!("check {path}"),
            FileKind::Machine(_) => format!("coverage {path}"),
            FileKind::Features(_) => format!("features {path}"),
            FileKind::TimedSuite | FileKind::SystemSuite => format!("run {path} --sut COMMAND"),
            #[cfg(feature = "drawing")]
            FileKind::Run | FileKind::Printed => format!("report {path} --out report.html"),
            #[cfg(not(feature = "drawing"))]
            FileKind::Run | FileKind::Printed => return None,
            FileKind::XState | FileKind::Folder => return None,
        })
    }

    /// The right way to type a command that takes the file, but in another place.
    fn in_its_place(&self, command: &str) -> String {
        let words = match command {
            "score" => "SUITE MODEL",
            "minimise" => "SUITE MODEL --out SMALLER",
            "view" => "SUITE MODEL --out DIR",
            _ => return format!("the order of the files: `tamper {command} -h`"),
        };
        let place = match is_suite(self.kind) {
            true => "SUITE",
            false => "MODEL",
        };
        format!("`tamper {command} {}`", words.replace(place, &name(&self.path)))
    }

    fn error(&self, why: String, help: String) -> ReadError {
        ReadError {
            file: SourceFile::new(self.path.display().to_string(), ""),
            diagnostics: vec![Diagnostic::error(why, None).with_help(help)],
        }
    }
}

/// The commands that take a file of this kind.
fn takers(kind: FileKind) -> impl Iterator<Item = &'static str> {
    TAKES
        .iter()
        .filter(move |entry| (entry.takes)(kind))
        .map(|entry| entry.command)
}

/// A command, and the kinds of files that it takes.
struct Taker {
    command: &'static str,
    takes: fn(FileKind) -> bool,
}

const fn may_be_network(format: TimedFormat) -> bool {
    matches!(format, TimedFormat::Xml | TimedFormat::Text | TimedFormat::TChecker)
}

const fn taker(command: &'static str, takes: fn(FileKind) -> bool) -> Taker {
    Taker { command, takes }
}

/// The kinds of files that each command takes: `tests/cli/matrix.rs` runs each command with each kind, and compares.
const TAKES: &[Taker] = &[
    taker("check", |kind| is_timed(kind) || is_system(kind)),
    taker("refine", |kind| {
        is_timed(kind) || is_system(kind) || is_plain_machine(kind)
    }),
    taker(
        "compose",
        |kind| matches!(kind, FileKind::Timed(format) if may_be_network(format)),
    ),
    taker("classify", |kind| {
        is_timed(kind) || is_system(kind) || is_plain_machine(kind)
    }),
    taker("export", |kind| {
        is_timed(kind) || is_system(kind) || is_plain_machine(kind)
    }),
    taker("fmm", is_timed),
    taker("features", is_features),
    taker("project", is_timed),
    taker("families", |kind| is_timed(kind) || is_plain_machine(kind)),
    taker("coverage", |kind| {
        is_timed(kind) || matches!(kind, FileKind::Machine(_))
    }),
    taker("oracle", is_plain_machine),
    #[cfg(feature = "drawing")]
    taker("draw", |kind| {
        is_timed(kind) || is_features(kind) || is_plain_machine(kind)
    }),
    #[cfg(feature = "workbench")]
    taker("open", is_timed),
    #[cfg(feature = "drawing")]
    taker("report", |kind| matches!(kind, FileKind::Run | FileKind::Printed)),
    taker("testgen", |kind| {
        is_timed(kind) || is_system(kind) || is_plain_machine(kind)
    }),
    taker("score", |kind| is_timed(kind) || is_system(kind) || is_suite(kind)),
    taker("minimise", |kind| is_timed(kind) || is_system(kind) || is_suite(kind)),
    taker("run", is_suite),
    taker("diagnose", is_timed),
    taker("view", |kind| is_timed(kind) || kind == FileKind::TimedSuite),
    taker("harness", |kind| kind == FileKind::TimedSuite),
];

fn is_timed(kind: FileKind) -> bool {
    matches!(kind, FileKind::Timed(_))
}

pub fn is_system(kind: FileKind) -> bool {
    matches!(kind, FileKind::System(_))
}

fn is_features(kind: FileKind) -> bool {
    matches!(kind, FileKind::Features(_))
}

/// Machines without variables and super-states.
pub fn is_plain_machine(kind: FileKind) -> bool {
    matches!(kind, FileKind::Machine(format) if is_plain(format))
}

/// Whether machines in that format have no variables and no super-states.
pub fn is_plain(format: MachineFormat) -> bool {
    !matches!(format, MachineFormat::Extended | MachineFormat::Scxml)
}

fn is_suite(kind: FileKind) -> bool {
    matches!(kind, FileKind::TimedSuite | FileKind::SystemSuite)
}

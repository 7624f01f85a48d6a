//! What a command is given: every file is opened here, and a file of a kind that a command does not take is refused here.

use std::path::{Path, PathBuf};

use anyhow::Result;

use super::exit::ExitCode;
use super::shell::name;
use tamper::formats::feature_model::FeatureModelFormat;
use tamper::formats::machines::MachineFormat;
use tamper::formats::{Kind, ReadError, SystemFormat, TimedFormat};
use tamper::text::{Diagnostic, SourceFile};

/// A file, by what it holds.
pub enum Subject {
    /// Timed games.
    Timed(TimedFile),
    /// A finite state machine.
    Machine(MachineFile),
    /// A state machine with variables or super-states.
    Extended(MachineFile),
    /// A system without time.
    Untimed(UntimedFile),
    /// A feature model.
    Features(FeaturesFile),
    /// A suite of timed tests.
    TimedSuite(PathBuf),
    /// A suite for untimed systems.
    SystemSuite(PathBuf),
    /// The folder of a run.
    Run(PathBuf),
    /// What a command printed as JSON.
    Printed(PathBuf),
    /// Any other folder.
    Folder(PathBuf),
}

/// A file of timed games.
pub struct TimedFile {
    pub path: PathBuf,
    format: TimedFormat,
}

impl TimedFile {
    /// Whether its processes may be a network.
    pub fn is_network(&self) -> bool {
        may_be_network(self.format)
    }
}

/// A file of a state machine.
#[derive(Clone)]
pub struct MachineFile {
    pub path: PathBuf,
    pub format: MachineFormat,
}

/// A file of an untimed system.
#[derive(Clone)]
pub enum UntimedFile {
    /// Of a transition system.
    System(SystemFile),
    /// Of an action system.
    Actions(ActionsFile),
}

/// A file of a transition system.
#[derive(Clone)]
pub struct SystemFile {
    pub path: PathBuf,
    pub is_btor2: bool,
}

/// A file of an action system.
#[derive(Clone)]
pub struct ActionsFile {
    pub path: PathBuf,
}

/// A file of a feature model.
pub struct FeaturesFile {
    pub path: PathBuf,
    pub format: FeatureModelFormat,
}

/// Opens the file at `path`.
pub fn open(path: &Path) -> Result<Subject> {
    let kind = Kind::of(path)?;
    let path = path.to_owned();
    Ok(match kind {
        Kind::Timed(format) => Subject::Timed(TimedFile { path, format }),
        Kind::Machine(format @ (MachineFormat::Extended | MachineFormat::Scxml)) => {
            Subject::Extended(MachineFile { path, format })
        }
        Kind::Machine(format) => Subject::Machine(MachineFile { path, format }),
        Kind::System(format) => Subject::Untimed(UntimedFile::of(path, format)),
        Kind::Features(format) => Subject::Features(FeaturesFile { path, format }),
        Kind::TimedSuite => Subject::TimedSuite(path),
        Kind::SystemSuite => Subject::SystemSuite(path),
        Kind::Run => Subject::Run(path),
        Kind::Printed => Subject::Printed(path),
        Kind::Folder => Subject::Folder(path),
    })
}

/// The feature model that an option of a command names.
pub fn open_features(path: &Path) -> Result<FeaturesFile> {
    match open(path)? {
        Subject::Features(file) => Ok(file),
        other => Err(other.not("a feature model").into()),
    }
}

/// The suite of timed tests that a command needs besides a model.
pub fn open_timed_suite(path: &Path) -> Result<PathBuf> {
    match open(path)? {
        Subject::TimedSuite(path) => Ok(path),
        other => Err(other.not("a suite of timed tests").into()),
    }
}

/// The timed games that a command needs besides its first file.
pub fn open_timed(path: &Path) -> Result<PathBuf> {
    match open(path)? {
        Subject::Timed(file) => Ok(file.path),
        other => Err(other.not("a timed game").into()),
    }
}

impl UntimedFile {
    fn of(path: PathBuf, format: SystemFormat) -> Self {
        let is_btor2 = format == SystemFormat::Btor2;
        match format {
            SystemFormat::Actions => Self::Actions(ActionsFile { path }),
            SystemFormat::Smv | SystemFormat::Btor2 => Self::System(SystemFile { path, is_btor2 }),
        }
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        match self {
            Self::System(SystemFile { path, .. }) | Self::Actions(ActionsFile { path }) => path,
        }
    }

    fn format(&self) -> SystemFormat {
        match self {
            Self::System(SystemFile { is_btor2: true, .. }) => SystemFormat::Btor2,
            Self::System(_) => SystemFormat::Smv,
            Self::Actions(_) => SystemFormat::Actions,
        }
    }
}

impl Subject {
    fn path(&self) -> &Path {
        match self {
            Self::Timed(TimedFile { path, .. })
            | Self::Machine(MachineFile { path, .. })
            | Self::Extended(MachineFile { path, .. })
            | Self::Features(FeaturesFile { path, .. })
            | Self::TimedSuite(path)
            | Self::SystemSuite(path)
            | Self::Run(path)
            | Self::Printed(path)
            | Self::Folder(path) => path,
            Self::Untimed(file) => file.path(),
        }
    }

    fn kind(&self) -> Kind {
        match self {
            Self::Timed(file) => Kind::Timed(file.format),
            Self::Machine(file) | Self::Extended(file) => Kind::Machine(file.format),
            Self::Untimed(file) => Kind::System(file.format()),
            Self::Features(file) => Kind::Features(file.format),
            Self::TimedSuite(_) => Kind::TimedSuite,
            Self::SystemSuite(_) => Kind::SystemSuite,
            Self::Run(_) => Kind::Run,
            Self::Printed(_) => Kind::Printed,
            Self::Folder(_) => Kind::Folder,
        }
    }

    /// What it is and where it is, such as `an action system (lift.pl)`.
    pub fn name(&self) -> String {
        format!("{} ({})", self.kind().what(), self.path().display())
    }

    /// Why `command` does not take it.
    pub fn refusal(&self, command: &str) -> ReadError {
        let what = self.kind().what();
        match takers(self.kind()).any(|taker| taker == command) {
            true => self.error(
                format!("is {what}, which `tamper {command}` takes in another place"),
                self.in_its_place(command),
            ),
            false => self.refused_as(format!("is {what}, which `tamper {command}` does not take")),
        }
    }

    /// Why it is refused where only `what` has a meaning.
    pub fn not(&self, what: &str) -> ReadError {
        self.refused_as(format!("is {}, not {what}", self.kind().what()))
    }

    /// What a command that does not take it ends with.
    pub fn refused(&self, command: &str) -> Result<ExitCode> {
        Err(self.refusal(command).into())
    }

    fn refused_as(&self, why: String) -> ReadError {
        let takers: Vec<String> = takers(self.kind()).map(|name| format!("`{name}`")).collect();
        let mut help = match takers.split_last() {
            None => "no command takes it".to_owned(),
            Some((only, [])) => format!("the command that takes it: {only}"),
            Some((last, others)) => format!("the commands that take it: {} and {last}", others.join(", ")),
        };
        if let Some(example) = self.example() {
            help += &format!("; for example `tamper {example}`");
        }
        self.error(why, help)
    }

    /// A command that takes the file, as it is typed behind `tamper`.
    fn example(&self) -> Option<String> {
        let path = name(self.path());
        Some(match self.kind() {
            Kind::Timed(_) | Kind::System(_) => format!("check {path}"),
            Kind::Machine(_) => format!("coverage {path}"),
            Kind::Features(_) => format!("features {path}"),
            Kind::TimedSuite | Kind::SystemSuite => format!("run {path} --sut COMMAND"),
            #[cfg(feature = "drawing")]
            Kind::Run | Kind::Printed => format!("report {path} --out report.html"),
            #[cfg(not(feature = "drawing"))]
            Kind::Run | Kind::Printed => return None,
            Kind::Folder => return None,
        })
    }

    /// How a command is typed that takes the file, but in another place.
    fn in_its_place(&self, command: &str) -> String {
        let words = match command {
            "score" => "SUITE MODEL",
            "minimise" => "SUITE MODEL --out SMALLER",
            "view" => "SUITE MODEL --out DIR",
            _ => return format!("the order of the files: `tamper {command} -h`"),
        };
        let place = match is_suite(self.kind()) {
            true => "SUITE",
            false => "MODEL",
        };
        format!("`tamper {command} {}`", words.replace(place, &name(self.path())))
    }

    fn error(&self, why: String, help: String) -> ReadError {
        ReadError {
            file: SourceFile::new(self.path().display().to_string(), ""),
            diagnostics: vec![Diagnostic::error(why, None).with_help(help)],
        }
    }
}

/// The commands that take a file of this kind.
fn takers(kind: Kind) -> impl Iterator<Item = &'static str> {
    TAKES
        .iter()
        .filter(move |entry| (entry.takes)(kind))
        .map(|entry| entry.command)
}

/// A command, and which kinds of files it takes.
struct Taker {
    command: &'static str,
    takes: fn(Kind) -> bool,
}

const fn may_be_network(format: TimedFormat) -> bool {
    matches!(format, TimedFormat::Xml | TimedFormat::Text | TimedFormat::TChecker)
}

const fn taker(command: &'static str, takes: fn(Kind) -> bool) -> Taker {
    Taker { command, takes }
}

/// Which kinds each command takes: `tests/cli/matrix.rs` runs each with each, and compares.
const TAKES: &[Taker] = &[
    taker("check", |kind| is_timed(kind) || is_system(kind)),
    taker("refine", |kind| {
        is_timed(kind) || is_system(kind) || is_plain_machine(kind)
    }),
    taker(
        "compose",
        |kind| matches!(kind, Kind::Timed(format) if may_be_network(format)),
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
    taker("coverage", |kind| is_timed(kind) || matches!(kind, Kind::Machine(_))),
    taker("oracle", is_plain_machine),
    #[cfg(feature = "drawing")]
    taker("draw", |kind| {
        is_timed(kind) || is_features(kind) || is_plain_machine(kind)
    }),
    #[cfg(feature = "workbench")]
    taker("open", is_timed),
    #[cfg(feature = "drawing")]
    taker("report", |kind| matches!(kind, Kind::Run | Kind::Printed)),
    taker("testgen", |kind| is_timed(kind) || is_system(kind)),
    taker("score", |kind| is_timed(kind) || is_system(kind) || is_suite(kind)),
    taker("minimise", |kind| is_timed(kind) || is_system(kind) || is_suite(kind)),
    taker("run", is_suite),
    taker("diagnose", is_timed),
    taker("view", |kind| is_timed(kind) || kind == Kind::TimedSuite),
    taker("harness", |kind| kind == Kind::TimedSuite),
];

fn is_timed(kind: Kind) -> bool {
    matches!(kind, Kind::Timed(_))
}

fn is_system(kind: Kind) -> bool {
    matches!(kind, Kind::System(_))
}

fn is_features(kind: Kind) -> bool {
    matches!(kind, Kind::Features(_))
}

/// Machines without variables and super-states.
fn is_plain_machine(kind: Kind) -> bool {
    use MachineFormat::{Dot, Kiss2, Text};
    matches!(kind, Kind::Machine(Text | Kiss2 | Dot))
}

fn is_suite(kind: Kind) -> bool {
    matches!(kind, Kind::TimedSuite | Kind::SystemSuite)
}

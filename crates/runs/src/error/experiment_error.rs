//! The kinds of errors of a run.

use std::error::Error;
use std::fmt;
use std::io;
use std::path::PathBuf;

use super::{FileAction, SharesError};
use crate::NoSuchSample;
use crate::suite_json::SuiteFileError;
use tamper_features::SolverFailure;
use tamper_features::formats::UnwritableFeature;
use tamper_game::GameError;
use tamper_suite::SuiteFailure;
use tamper_text::ReadError;
use tamper_text::StopReason;
use tamper_timed::mutation::{FeaturedMutantsError, TooManyMutants};
use tamper_timed::network::ComposeError;
use tamper_uppaal::{Inexpressible, WriteError};

/// An error of another library or of a caller's code.
type Foreign = Box<dyn Error + Send + Sync>;

/// The reason why an operation on a run fails.
///
/// Its `Display` states only its own part; the causes are its [`source`](Error::source)s. `{:#}` prints all of them,
/// joined by `: `.
#[derive(Debug)]
#[non_exhaustive]
pub enum ExperimentError {
    /// The file system refused an operation on a file or folder.
    File {
        /// The operation.
        action: FileAction,
        /// The file or folder.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
    /// The file system refused an operation on an open file.
    Io(io::Error),
    /// Another command writes to the same place.
    InUse {
        /// The folder or file.
        path: PathBuf,
        /// The command or run that uses it.
        by: &'static str,
        /// Advice to the user.
        advice: &'static str,
    },
    /// A place that is not written to, so that nothing is lost there.
    Place {
        /// The place.
        path: PathBuf,
        /// The reason, and advice.
        why: String,
    },
    /// There is no run in a folder.
    NoRun {
        /// The folder.
        folder: PathBuf,
        /// The reason why its manifest cannot be read.
        source: io::Error,
    },
    /// There is neither a run nor a journal to continue.
    NothingToResume {
        /// The place.
        path: PathBuf,
        /// The missing thing, and advice.
        why: String,
    },
    /// Data on disk belong to another run, model or suite.
    OtherRun {
        /// The data found and the data expected.
        why: String,
        /// The parameters in which the two runs differ, if these are compared.
        differences: Vec<String>,
    },
    /// A run is not finished; the sentence names it.
    Unfinished(String),
    /// Folders are not all shares of one whole.
    Shares(SharesError),
    /// A file of a run is malformed.
    Malformed {
        /// The file, the place in it, and the error.
        what: String,
        /// The error of the parser.
        source: Option<Foreign>,
    },
    /// Values cannot be read or written as JSON, TOML or a table.
    Format(Foreign),
    /// A model or another file of the user cannot be read, or is wrong: all findings, with their places.
    Read(ReadError),
    /// A suite cannot be read, or is wrong.
    SuiteFile(SuiteFileError),
    /// A request is refused: the sentence gives the reason and the alternative.
    Refused(String),
    /// A game has no meaning, or a specification is inconsistent.
    Game(GameError),
    /// A question about tests cannot be answered.
    Suite(SuiteFailure),
    /// A solver has no answer.
    Solver(SolverFailure),
    /// The components of a network cannot be composed to a game.
    Compose(ComposeError),
    /// There are more mutants than can be numbered.
    TooManyMutants(TooManyMutants),
    /// The mutants cannot be sampled as requested.
    NoSuchSample(NoSuchSample),
    /// The mutants cannot be put into one featured model.
    FeaturedMutants(FeaturedMutantsError),
    /// A format cannot express a game.
    Inexpressible(Inexpressible),
    /// A mutation cannot be written into a file.
    Unwritten(WriteError),
    /// A format cannot express a feature.
    UnwritableFeature(UnwritableFeature),
    /// A [`Sink`](crate::Sink) written by the caller failed.
    Sink(Foreign),
    /// An error of tamper: a violated invariant.
    Fault(String),
    /// An error within a larger task.
    Doing {
        /// The task, or its subject.
        what: String,
        /// The error itself.
        source: Box<Self>,
    },
}

impl ExperimentError {
    pub(crate) fn place(path: impl Into<PathBuf>, why: String) -> Self {
        Self::Place { path: path.into(), why }
    }
    pub(crate) fn nothing_to_resume(path: impl Into<PathBuf>, why: String) -> Self {
        Self::NothingToResume { path: path.into(), why }
    }
    /// An error that data on disk belong to another run; `why` is the sentence.
    pub fn other_run(why: impl Into<String>) -> Self {
        Self::OtherRun {
            why: why.into(),
            differences: Vec::new(),
        }
    }
    /// An error that an interrupted run recorded the mutant `found` in the place of this run's mutant `expected`.
    pub(crate) fn other_record(found: &str, expected: &str) -> Self {
        Self::other_run(format!(
            "the records hold {found} where this run has {expected}: start anew without --resume"
        ))
    }
    /// An error that a file of a run is malformed; `what` is the sentence.
    pub fn malformed(what: String) -> Self {
        Self::Malformed { what, source: None }
    }
    /// An error of tamper; `what` is the sentence.
    pub fn fault(what: impl fmt::Display) -> Self {
        Self::Fault(what.to_string())
    }

    /// No mutant has this number or name.
    pub fn no_mutant(which: impl fmt::Display) -> Self {
        Self::Fault(format!("there is no mutant {which}"))
    }

    /// Fewer mutants were made than were counted.
    pub(crate) fn fewer_mutants() -> Self {
        Self::fault("there are fewer mutants than were numbered")
    }

    /// The error without the tasks around it: never [`ExperimentError::Doing`].
    pub fn root(&self) -> &Self {
        match self {
            Self::Doing { source, .. } => source.root(),
            root => root,
        }
    }

    /// The underlying error of another crate, a library or the operating system; otherwise the root error itself.
    pub fn cause(&self) -> &(dyn Error + 'static) {
        let root = self.root();
        root.same().or_else(|| root.source()).unwrap_or(root)
    }

    /// The limit that was hit, if that is the only reason: with more time or memory there may be an answer.
    pub fn limit(&self) -> Option<StopReason> {
        match self.root() {
            Self::Read(error) => error.limit(),
            Self::Game(error) => error.limit(),
            Self::Suite(failure) => failure.limit(),
            Self::Compose(error) => error.limit(),
            Self::Solver(failure) => failure.reason(),
            _ => None,
        }
    }

    fn say(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File { action, path, .. } => action.say(path, f),
            Self::InUse { path, by, advice } => write!(f, "{} is in use by {by}: {advice}", path.display()),
            Self::NoRun { folder, .. } => {
                let folder = folder.display();
                write!(
                    f,
                    "there is no run in {folder} (`tamper classify MODEL --out {folder}` makes one): cannot read manifest.json"
                )
            }
            Self::Place { why, .. } | Self::NothingToResume { why, .. } | Self::OtherRun { why, .. } => {
                f.write_str(why)
            }
            Self::Unfinished(what)
            | Self::Malformed { what, .. }
            | Self::Refused(what)
            | Self::Fault(what)
            | Self::Doing { what, .. } => f.write_str(what),
            other => other.same().map_or(Ok(()), |error| write!(f, "{error}")),
        }
    }
}

impl fmt::Display for ExperimentError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.say(f)?;
        let mut causes = f.alternate().then(|| self.source()).flatten();
        while let Some(cause) = causes {
            write!(f, ": {cause}")?;
            causes = cause.source();
        }
        Ok(())
    }
}

impl Error for ExperimentError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::File { source, .. } | Self::NoRun { source, .. } => Some(source),
            Self::Malformed { source, .. } => source.as_deref().map(|source| source as &(dyn Error + 'static)),
            Self::Doing { source, .. } => Some(&**source),
            other => other.same().and_then(Error::source),
        }
    }
}

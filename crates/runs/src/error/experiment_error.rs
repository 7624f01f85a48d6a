//! The kinds of what can go wrong about a run.

use std::error::Error;
use std::fmt;
use std::io;
use std::path::PathBuf;

use super::{FileAction, SharesError};
use crate::NoSuchSample;
use crate::suite_json::SuiteError;
use tamper_features::SolverFailure;
use tamper_features::formats::UnwritableFeature;
use tamper_game::GameError;
use tamper_suite::SuiteFailure;
use tamper_text::ReadError;
use tamper_text::StopReason;
use tamper_timed::mutation::{FeaturedMutantsError, TooManyMutants};
use tamper_timed::network::ComposeError;
use tamper_uppaal::{Inexpressible, WriteError};

/// What another library or a caller's own code says.
type Foreign = Box<dyn Error + Send + Sync>;

/// Why something about a run cannot be done.
///
/// As every error it says its own part, and its causes are its [`source`](Error::source)s; `{:#}` says all, joined by `: `.
#[derive(Debug)]
#[non_exhaustive]
pub enum ExperimentError {
    /// The file system refuses something about a file or folder.
    File {
        /// What was done with it.
        action: FileAction,
        /// Which.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// The file system refuses something about a file that is open.
    Io(io::Error),
    /// Another command writes there.
    InUse {
        /// The folder or file.
        path: PathBuf,
        /// What uses it.
        by: &'static str,
        /// What to do.
        advice: &'static str,
    },
    /// A place is not written to, so that nothing is lost there.
    Place {
        /// Which.
        path: PathBuf,
        /// Why not, and what to do.
        why: String,
    },
    /// There is no run in a folder.
    NoRun {
        /// The folder.
        folder: PathBuf,
        /// Why its manifest cannot be read.
        source: io::Error,
    },
    /// There is no run and no journal of one to go on with.
    NothingToResume {
        /// Where.
        path: PathBuf,
        /// What is not there, and what to do.
        why: String,
    },
    /// What is on the disk belongs to another run, model or suite.
    OtherRun {
        /// What it is and what it should be.
        why: String,
        /// The parameters in which the two runs differ, where these are compared.
        differences: Vec<String>,
    },
    /// A run is not finished, as the sentence says.
    Unfinished(String),
    /// Folders are not all shares of one thing.
    Shares(SharesError),
    /// A file of a run is not what it should be.
    Malformed {
        /// Which file, where in it, and what is wrong.
        what: String,
        /// What its reader says.
        source: Option<Foreign>,
    },
    /// Values cannot be written as JSON or as a table, or read.
    Format(Foreign),
    /// A model or another file of the user cannot be read, or is wrong: every finding, with its place.
    Read(ReadError),
    /// A suite cannot be read, or is wrong.
    SuiteFile(SuiteError),
    /// What is asked for is not done: the sentence says why, and what is done instead.
    Refused(String),
    /// A game has no meaning, or a specification is inconsistent.
    Game(GameError),
    /// A question about tests has no answer.
    Suite(SuiteFailure),
    /// A solver has no answer.
    Solver(SolverFailure),
    /// A network is no game.
    Compose(ComposeError),
    /// The mutants are more than can be numbered.
    TooManyMutants(TooManyMutants),
    /// There is no such sample of them.
    NoSuchSample(NoSuchSample),
    /// Mutants make no featured model.
    FeaturedMutants(FeaturedMutantsError),
    /// A format has no words for a game.
    Inexpressible(Inexpressible),
    /// A mutation cannot be written into a file.
    Unwritten(WriteError),
    /// A format has no words for a feature.
    UnwritableFeature(UnwritableFeature),
    /// A [`Sink`](crate::Sink) of the caller's own failed.
    Sink(Foreign),
    /// An error of tamper: what cannot be happens all the same.
    Fault(String),
    /// Something failed while something larger was done.
    Doing {
        /// What was done, or with what.
        what: String,
        /// What failed.
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
    /// What is on the disk belongs to another run, as the sentence says.
    pub fn other_run(why: impl Into<String>) -> Self {
        Self::OtherRun {
            why: why.into(),
            differences: Vec::new(),
        }
    }
    /// The records of an interrupted run hold `found` where this run has the mutant `expected`.
    pub(crate) fn other_record(found: &str, expected: &str) -> Self {
        Self::other_run(format!(
            "the records hold {found} where this run has {expected}: start anew without --resume"
        ))
    }
    /// A file of a run is not what it should be, as the sentence says.
    pub fn malformed(what: String) -> Self {
        Self::Malformed { what, source: None }
    }
    /// An error of tamper, as the sentence says.
    pub fn fault(what: impl fmt::Display) -> Self {
        Self::Fault(what.to_string())
    }

    /// No mutant has that number, or that name.
    pub(crate) fn no_mutant(which: impl fmt::Display) -> Self {
        Self::Fault(format!("there is no mutant {which}"))
    }

    /// Fewer are made than were counted.
    pub(crate) fn fewer_mutants() -> Self {
        Self::fault("there are fewer mutants than were numbered")
    }

    /// What failed, without what was being done: never [`ExperimentError::Doing`].
    pub fn root(&self) -> &Self {
        match self {
            Self::Doing { source, .. } => source.root(),
            root => root,
        }
    }

    /// What the room below, the library or the operating system said of it; itself where that is all there is.
    pub fn cause(&self) -> &(dyn Error + 'static) {
        let root = self.root();
        root.same().or_else(|| root.source()).unwrap_or(root)
    }

    /// The limit that was hit, if nothing else is wrong: with more time or space there may be an answer.
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

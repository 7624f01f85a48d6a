//! Why folders are not all shares of one thing.

use std::fmt;
use std::path::PathBuf;

use crate::experiment::Shard;

/// As many missing shares are named.
const SHOWN: usize = 20;

/// Why folders cannot be merged.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum SharesError {
    /// No folder was named.
    Nothing,
    /// The run in a folder is whole: it was made without `--shard`.
    NoShare(PathBuf),
    /// Two folders hold shares of different kinds.
    Kinds {
        /// One, and what it is a share of.
        first: (PathBuf, &'static str),
        /// The other.
        other: (PathBuf, &'static str),
    },
    /// Two folders hold shares of which there are not the same number.
    Deals {
        /// One, and which share it is.
        first: (PathBuf, Shard),
        /// The other.
        other: (PathBuf, Shard),
    },
    /// Two folders hold shares of different runs.
    Runs {
        /// One.
        first: PathBuf,
        /// The other.
        other: PathBuf,
        /// The entries of their manifests that differ.
        differences: Vec<String>,
    },
    /// Two folders hold the same share.
    Twice {
        /// Which.
        shard: Shard,
        /// One folder.
        first: PathBuf,
        /// The other.
        other: PathBuf,
    },
    /// Not all are there.
    Missing {
        /// Of so many.
        of: u32,
        /// Those that are not there, at least one.
        shards: Vec<Shard>,
    },
    /// There are no shares of exports in that format.
    Format(String),
    /// The shares have different files of that name, which should be the same.
    Files(&'static str),
    /// The shares have tables with different columns.
    Columns,
    /// A mutant is in two shares, or not in the order of numbers.
    Order {
        /// Where.
        path: PathBuf,
        /// Its number.
        number: u64,
    },
}

impl fmt::Display for SharesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nothing => f.write_str("there is no share to merge"),
            Self::NoShare(folder) => write!(
                f,
                "the run in {} is no share: it was made without --shard",
                folder.display()
            ),
            Self::Kinds {
                first: (first, kind),
                other: (other, found),
            } => write!(
                f,
                "{} holds a share of {kind} and {} one of {found}: they were not made together",
                first.display(),
                other.display()
            ),
            Self::Deals {
                first: (first, one),
                other: (other, two),
            } => write!(
                f,
                "{} is share {one} and {} is share {two}: they were not dealt together",
                first.display(),
                other.display()
            ),
            Self::Runs {
                first,
                other,
                differences,
            } => write!(
                f,
                "{} and {} are not shares of one run: they differ in {}",
                first.display(),
                other.display(),
                differences.join(", ")
            ),
            Self::Twice { shard, first, other } => write!(
                f,
                "share {shard} is there twice: {} and {}",
                first.display(),
                other.display()
            ),
            Self::Missing { of, shards } => say_missing(*of, shards, f),
            Self::Format(format) => write!(f, "exports as {format} are not made in shares"),
            Self::Files(name) => write!(f, "the shares have different files {name}"),
            Self::Columns => f.write_str("the tables of the shares have different columns"),
            Self::Order { path, number } => {
                write!(f, "{}: mutant {number} is there twice, or out of order", path.display())
            }
        }
    }
}

fn say_missing(of: u32, shards: &[Shard], f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let names: Vec<String> = shards.iter().take(SHOWN).map(ToString::to_string).collect();
    match names.as_slice() {
        [one] if shards.len() == 1 => write!(f, "share {one} is missing"),
        [some @ .., last] if shards.len() <= SHOWN => write!(f, "shares {} and {last} are missing", some.join(", ")),
        names => write!(
            f,
            "{} of {of} shares are missing: {}, …",
            shards.len(),
            names.join(", ")
        ),
    }
}

impl std::error::Error for SharesError {}

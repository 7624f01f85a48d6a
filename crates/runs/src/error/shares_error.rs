//! Reasons why folders are not all shares of one whole.

use std::path::PathBuf;

use crate::Shard;

/// Largest number of missing shares that are named.
const SHOWN: usize = 20;

/// The reason why folders cannot be merged.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SharesError {
    /// No folder was named.
    #[error("there is no share to merge")]
    Nothing,
    /// The run in a folder is whole: it was made without `--shard`.
    #[error("the run in {} is no share: it was made without --shard", .0.display())]
    NoShare(PathBuf),
    /// Two folders hold shares of different kinds.
    #[error(
        "{} holds a share of {} and {} one of {}: they were not made together",
        .first.0.display(), .first.1, .other.0.display(), .other.1
    )]
    Kinds {
        /// One folder, and the kind of whole that it holds a share of.
        first: (PathBuf, &'static str),
        /// The other folder.
        other: (PathBuf, &'static str),
    },
    /// Two folders hold shares of wholes that were divided into different numbers of shares.
    #[error(
        "{} is share {} and {} is share {}: they were not dealt together",
        .first.0.display(), .first.1, .other.0.display(), .other.1
    )]
    Deals {
        /// One folder, and its share.
        first: (PathBuf, Shard),
        /// The other folder.
        other: (PathBuf, Shard),
    },
    /// Two folders hold shares of different runs.
    #[error(
        "{} and {} are not shares of one run: they differ in {}",
        .first.display(), .other.display(), .differences.join(", ")
    )]
    Runs {
        /// One folder.
        first: PathBuf,
        /// The other folder.
        other: PathBuf,
        /// The entries of their manifests that differ.
        differences: Vec<String>,
    },
    /// Two folders hold the same share.
    #[error("share {shard} is there twice: {} and {}", .first.display(), .other.display())]
    Twice {
        /// The share.
        shard: Shard,
        /// One folder.
        first: PathBuf,
        /// The other folder.
        other: PathBuf,
    },
    /// Some shares are missing.
    #[error("{}", missing(*.of, .shards))]
    Missing {
        /// The number of shares.
        of: u32,
        /// The missing shares, at least one.
        shards: Vec<Shard>,
    },
    /// Exports in this format are not divided into shares.
    #[error("exports as {0} are not made in shares")]
    Format(String),
    /// The shares have different files of this name, which should be equal.
    #[error("the shares have different files {0}")]
    Files(&'static str),
    /// The shares have tables with different columns.
    #[error("the tables of the shares have different columns")]
    Columns,
    /// A mutant is in two shares, or the order of numbers is violated.
    #[error("{}: mutant {number} is there twice, or out of order", .path.display())]
    Order {
        /// The file.
        path: PathBuf,
        /// The number of the mutant.
        number: u64,
    },
}

fn missing(of: u32, shards: &[Shard]) -> String {
    let names: Vec<String> = shards.iter().take(SHOWN).map(ToString::to_string).collect();
    match names.as_slice() {
        [one] if shards.len() == 1 => format!("share {one} is missing"),
        [some @ .., last] if shards.len() <= SHOWN => format!("shares {} and {last} are missing", some.join(", ")),
        names => format!("{} of {of} shares are missing: {}, …", shards.len(), names.join(", ")),
    }
}

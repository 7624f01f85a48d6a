//! Folders that hold shares: their kind, and checks that they belong together and are all present.

use std::path::{Path, PathBuf};
use tamper_uppaal::input::read_own;

use serde_json::Value;

use crate::Shard;
use crate::error::{Result, SharesError};
use crate::files::MANIFEST;

/// The kind of whole that shares make up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ShareKind {
    /// A run of `classify`.
    Run,
    /// An export.
    Export,
    /// A score.
    Score,
}

impl ShareKind {
    /// The kind of the shares in `folders`; a folder that holds no share counts as one of a run.
    ///
    /// # Errors
    /// If they hold shares of different kinds.
    pub fn of(folders: &[PathBuf]) -> Result<Self> {
        let kinds = folders.iter().map(|folder| (folder, Self::of_folder(folder)));
        let kinds: Vec<(&PathBuf, Self)> = kinds.collect();
        let (first, kind) = kinds.first().ok_or(SharesError::Nothing)?;
        if let Some((other, found)) = kinds.iter().find(|(_, found)| found != kind) {
            let kinds = SharesError::Kinds {
                first: ((*first).clone(), kind.name()),
                other: ((*other).clone(), found.name()),
            };
            return Err(kinds.into());
        }
        Ok(*kind)
    }

    fn of_folder(folder: &Path) -> Self {
        let text = read_own(&folder.join(MANIFEST)).unwrap_or_default();
        let manifest: Value = serde_json::from_slice(&text).unwrap_or_default();
        match (manifest["command"] == "score", manifest["export"].is_object()) {
            (true, _) => Self::Score,
            (false, true) => Self::Export,
            (false, false) => Self::Run,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Run => "a run",
            Self::Export => "an export",
            Self::Score => "a score",
        }
    }
}

/// The manifest of a share.
pub(crate) trait Sharded {
    /// The share, if it is one.
    fn shard(&self) -> Option<Shard>;
    /// The entries that differ because `other` belongs to another whole.
    fn differs_in(&self, other: &Self) -> Vec<String>;
}

/// A share in its folder.
#[derive(Debug)]
pub(crate) struct ShareFolder<M> {
    pub shard: Shard,
    pub folder: PathBuf,
    pub manifest: M,
}

/// The shares in `folders`, sorted by their indices; `read` reads the manifest of one.
///
/// # Errors
/// If a folder holds no share, the shares belong to different wholes, or one is missing or given twice.
pub(crate) fn all_shares<M: Sharded>(
    folders: &[PathBuf],
    read: impl Fn(&Path) -> Result<M>,
) -> Result<Vec<ShareFolder<M>>> {
    let found = |folder: &PathBuf| {
        let manifest = read(folder)?;
        let folder = folder.clone();
        let Some(shard) = manifest.shard() else {
            return Err(SharesError::NoShare(folder).into());
        };
        Ok(ShareFolder {
            shard,
            folder,
            manifest,
        })
    };
    let mut found: Vec<ShareFolder<M>> = folders.iter().map(found).collect::<Result<_>>()?;
    let first = found.first().ok_or(SharesError::Nothing)?;
    found.iter().try_for_each(|other| check_together(first, other))?;
    found.sort_by_key(|found| found.shard);
    check_all_there(&found)?;
    Ok(found)
}

/// Refuses `other` if it belongs to another whole than `first`.
fn check_together<M: Sharded>(first: &ShareFolder<M>, other: &ShareFolder<M>) -> Result<(), SharesError> {
    if first.shard.of() != other.shard.of() {
        return Err(SharesError::Deals {
            first: (first.folder.clone(), first.shard),
            other: (other.folder.clone(), other.shard),
        });
    }
    let differences = first.manifest.differs_in(&other.manifest);
    if !differences.is_empty() {
        return Err(SharesError::Runs {
            first: first.folder.clone(),
            other: other.folder.clone(),
            differences,
        });
    }
    Ok(())
}

/// Refuses sorted shares if one is missing or given twice.
fn check_all_there<M>(found: &[ShareFolder<M>]) -> Result<(), SharesError> {
    for pair in found.windows(2) {
        if pair[0].shard == pair[1].shard {
            return Err(SharesError::Twice {
                shard: pair[0].shard,
                first: pair[0].folder.clone(),
                other: pair[1].folder.clone(),
            });
        }
    }
    let of = found.first().map_or(0, |found| found.shard.of());
    let is_there = |shard: &Shard| found.binary_search_by_key(shard, |found| found.shard).is_ok();
    let shards: Vec<Shard> = Shard::all(of).filter(|shard| !is_there(shard)).collect();
    match shards.is_empty() {
        true => Ok(()),
        false => Err(SharesError::Missing { of, shards }),
    }
}

//! Merges the shares of one run into the run.
//!
//! Nothing is decided: the pipeline of [`classify`](crate::classify) processes all mutants again, names and compares
//! them, and takes each verdict from the share in which the mutant was decided. So the records equal those of a single
//! run byte by byte, even if a mutant equals one in another share: the first of equal mutants is also the first in its
//! own share, and was decided there.

use std::io::BufRead as _;
use std::path::PathBuf;

use crate::error::{ExperimentError, FileAction, OfFile as _, OrMalformed as _, Result, SharesError};
use crate::plans::manifest::{RunManifest, RunPlan};
use crate::plans::shard::Deal;
use crate::plans::shares::all_shares;
use crate::records::log::{RECORDS, Records};
use crate::{LineFile, count_lines, open_lines};
use crate::{Log, OutputDir, Record, Selection, Shard};

/// The folders of all shares of one run, in order.
#[derive(Debug)]
pub struct Shares<P> {
    of: u32,
    folders: Vec<PathBuf>,
    /// The parameters that the shares have in common.
    manifest: RunManifest<P>,
}

impl<P: RunPlan> Shares<P> {
    /// Opens the shares in `folders`, given in any order.
    ///
    /// # Errors
    /// If a folder holds no share, the shares belong to different runs, or one is missing or given twice.
    pub fn open(folders: &[PathBuf]) -> Result<Self> {
        let found = all_shares(folders, RunManifest::<P>::read)?;
        let first = found.first().ok_or(SharesError::Nothing)?;
        Ok(Self {
            of: first.shard.of(),
            manifest: first.manifest.of_all(0),
            folders: found.into_iter().map(|found| found.folder).collect(),
        })
    }

    /// The manifest of the whole run on the mutants of `selection`.
    pub fn manifest(&self, selection: &Selection) -> RunManifest<P> {
        self.manifest.of_all(selection.len())
    }

    /// The parameters that all shares have in common.
    pub fn common(&self) -> &RunManifest<P> {
        &self.manifest
    }

    /// The records of all shares, in the order of the run.
    ///
    /// # Errors
    /// If a share is not finished, or cannot be read.
    pub fn records(&self, selection: &Selection) -> Result<Merged> {
        let shards = Shard::all(self.of);
        let deals = shards.map(|shard| (shard, Deal::new(selection.len(), shard)));
        let files = self.folders.iter().zip(deals).map(|(folder, (shard, deal))| {
            let path = folder.join(RECORDS);
            let (n_lines, is_whole) = open_lines(&path)
                .and_then(count_lines)
                .cannot(FileAction::Read, &path)?;
            if n_lines != deal.len() || !is_whole {
                return Err(ExperimentError::Unfinished(format!(
                    "share {shard} in {} is not finished: it has {n_lines} of {} mutants; go on with --shard {shard} --resume",
                    folder.display(),
                    deal.len()
                )));
            }
            let reader = open_lines(&path).cannot(FileAction::Read, &path)?;
            Ok(ShareFile { reader, path, n_read: 0, deal })
        });
        Ok(Merged {
            files: files.collect::<Result<_>>()?,
            position: 0,
        })
    }
}

/// The records of all shares of a run.
#[derive(Debug)]
pub struct Merged {
    files: Vec<ShareFile>,
    position: u64,
}

/// The records of one share.
#[derive(Debug)]
struct ShareFile {
    reader: LineFile,
    path: PathBuf,
    n_read: u64,
    deal: Deal,
}

impl Merged {
    /// Creates a log in `output` that takes its records from these.
    ///
    /// # Errors
    /// If the file system refuses.
    pub fn into_log(self, output: &OutputDir) -> Result<Log> {
        Log::of_others(output, Box::new(self))
    }
}

impl Records for Merged {
    fn next(&mut self) -> Result<Option<Record>> {
        let share = self.files.first().map_or(0, |file| file.deal.share_of(self.position));
        let Some(file) = usize::try_from(share).ok().and_then(|at| self.files.get_mut(at)) else {
            return Ok(None);
        };
        self.position += 1;
        file.n_read += 1;
        let mut line = Vec::new();
        let read = file.reader.read_until(b'\n', &mut line);
        read.cannot(FileAction::Read, &file.path)?;
        let record = serde_json::from_slice(&line);
        let record = record.or_malformed(|| format!("line {} of {} is no record", file.n_read, file.path.display()))?;
        Ok(Some(record))
    }
}

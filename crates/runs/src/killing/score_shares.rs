//! Shares of a score: the findings about each mutant are written down, and merged without judging again.
//!
//! Mutants are dealt out one by one, so that the division into shares does not depend on how the mutants are made.

use std::io::{BufRead as _, Write as _};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::account::Account;
use super::score::{Judged, Score};
use crate::error::{ExperimentError, FileAction, OfFile as _, OrMalformed as _, Result, SharesError};
use crate::files::{Draft, MANIFEST};
use crate::open_lines;
use crate::plans::shares::{Sharded, ShareFolder, all_shares};
use crate::{Limits, ModelRef, OutputDir, Shard};
use tamper_uppaal::input::read_own_text;

/// Name of the file with one line per mutant of a share.
const LINES: &str = "score.jsonl";
/// Name of the file with the account of a share.
const ACCOUNT: &str = "account.json";

/// All parameters that a score depends on.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scored {
    /// The model.
    pub model: ModelRef,
    /// The suite's file, as the user named it.
    pub suite: String,
    /// BLAKE3 hash of its bytes, in hexadecimal.
    pub suite_hash: String,
    /// The ids of its tests.
    pub tests: Vec<String>,
    /// The kind of kills that count.
    pub kill: String,
    /// The options that made the mutants, or the run that they come from.
    pub mutants: Value,
    /// Number of mutants.
    pub candidates: u64,
    /// Number of mutants of the run without a verdict.
    pub undecided: u64,
    /// Limits of each decision.
    pub limits: Limits,
}

/// `manifest.json` of a share of a score.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ScoreManifest {
    tool: String,
    version: String,
    command: String,
    #[serde(flatten)]
    scored: Scored,
    shard: Shard,
}

impl ScoreManifest {
    /// The manifest of share `shard` of a score of `scored`.
    pub fn new(shard: Shard, scored: &Scored) -> Self {
        Self {
            tool: crate::TOOL.to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            command: "score".to_owned(),
            scored: scored.clone(),
            shard,
        }
    }

    fn read(folder: &Path) -> Result<Self> {
        let path = folder.join(MANIFEST);
        let text = read_own_text(&path).cannot(FileAction::Read, &path)?;
        serde_json::from_str(&text).or_malformed(|| format!("{} is not a manifest of this version", path.display()))
    }
}

impl Sharded for ScoreManifest {
    fn shard(&self) -> Option<Shard> {
        Some(self.shard)
    }

    fn differs_in(&self, other: &Self) -> Vec<String> {
        // The places of files do not matter, only their contents.
        const PLACES: [&str; 4] = [
            "/suite",
            "/model/file",
            "/mutants/model/file",
            "/mutants/run/model/file",
        ];
        let entries = |manifest: &Self| {
            let mut scored = serde_json::to_value(&manifest.scored).unwrap_or_default();
            for place in PLACES {
                scored.pointer_mut(place).map(Value::take);
            }
            scored["version"] = Value::from(manifest.version.clone());
            match scored {
                Value::Object(entries) => entries,
                _ => Map::new(),
            }
        };
        let (mine, theirs) = (entries(self), entries(other));
        mine.keys()
            .filter(|name| mine.get(*name) != theirs.get(*name))
            .cloned()
            .collect()
    }
}

/// Writes the findings about the mutants of a share, and their account if there is one.
///
/// # Errors
/// If the file system refuses.
pub fn write_share(output: &OutputDir, judged: &[Judged], account: Option<&Account>) -> Result<()> {
    let mut draft = Draft::create(&output.path().join(ACCOUNT))?;
    serde_json::to_writer(&mut draft, &account)?;
    draft.finish()?;
    let mut draft = Draft::create(&output.path().join(LINES))?;
    for judged in judged {
        serde_json::to_writer(&mut draft, judged)?;
        draft.write_all(b"\n")?;
    }
    draft.finish()
}

/// The account of the share in `folder`, if it has one.
fn account(folder: &Path) -> Result<Option<Account>> {
    let path = folder.join(ACCOUNT);
    let text = read_own_text(&path).cannot(FileAction::Read, &path)?;
    serde_json::from_str(&text).or_malformed(|| format!("{} is no account of a share", path.display()))
}

/// The folders of all shares of one score, in order.
#[derive(Debug)]
pub struct ScoreShares {
    found: Vec<ShareFolder<ScoreManifest>>,
    scored: Scored,
}

impl ScoreShares {
    /// Opens the shares in `folders`, given in any order.
    ///
    /// # Errors
    /// If a folder holds no share, the shares belong to different scores, or one is missing or given twice.
    pub fn open(folders: &[PathBuf]) -> Result<Self> {
        let found = all_shares(folders, ScoreManifest::read)?;
        let first = found.first().ok_or(SharesError::Nothing)?;
        Ok(Self {
            scored: first.manifest.scored.clone(),
            found,
        })
    }

    /// The ids of the tests.
    pub fn tests(&self) -> &[String] {
        &self.scored.tests
    }

    /// Number of mutants of the run without a verdict.
    pub fn undecided(&self) -> u64 {
        self.scored.undecided
    }

    /// The score of all shares together.
    ///
    /// # Errors
    /// If a share is not finished, or cannot be read.
    pub fn score(&self) -> Result<Score> {
        let shares: Vec<Vec<Judged>> = self
            .found
            .iter()
            .map(|found| self.lines(found))
            .collect::<Result<_>>()?;
        let mut shares: Vec<_> = shares.into_iter().map(Vec::into_iter).collect();
        let n = shares.len() as u64;
        let judged = (0..self.scored.candidates).map(|position| {
            let share = usize::try_from(position % n)
                .ok()
                .and_then(|share| shares.get_mut(share));
            let judged = share.and_then(Iterator::next);
            judged.ok_or_else(|| ExperimentError::fault("every share has its mutants"))
        });
        let mut score = Score::of(self.scored.tests.len(), judged.collect::<Result<_>>()?);
        let accounts = self.found.iter().map(|found| account(&found.folder));
        let accounts: Option<Vec<Account>> = accounts.collect::<Result<_>>()?;
        score.account = accounts.and_then(|accounts| accounts.into_iter().reduce(|one, other| one.with(&other)));
        Ok(score)
    }

    fn lines(&self, found: &ShareFolder<ScoreManifest>) -> Result<Vec<Judged>> {
        let (shard, folder) = (found.shard, found.folder.display());
        let path = found.folder.join(LINES);
        if !path.exists() {
            let what = format!("share {shard} in {folder} is not finished: score it again");
            return Err(ExperimentError::Unfinished(what));
        }
        let file = open_lines(&path).cannot(FileAction::Read, &path)?;
        let n_tests = self.scored.tests.len();
        let line = |(number, line): (usize, std::io::Result<String>)| {
            let judged: Judged = serde_json::from_str(&line?)
                .or_malformed(|| format!("line {} of {} is of no score", number + 1, path.display()))?;
            if judged.killed_by.iter().any(|test| *test >= n_tests) {
                return Err(ExperimentError::malformed(format!(
                    "line {} of {} names a test that there is not",
                    number + 1,
                    path.display()
                )));
            }
            Ok(judged)
        };
        let lines: Vec<Judged> = file.lines().enumerate().map(line).collect::<Result<_>>()?;
        let expected = shard.count_of(self.scored.candidates);
        if lines.len() as u64 != expected {
            return Err(ExperimentError::Unfinished(format!(
                "share {shard} in {folder} has {} of {expected} mutants: score it again",
                lines.len()
            )));
        }
        Ok(lines)
    }
}

//! What a run has found so far, on disk: a line for each test that is done.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::outcome::TestRun;
use tamper_runs::ExperimentError;
use tamper_runs::{Journal, JournalFile, JournalKey};
use tamper_runs::{NetworkScope, RUN_RESULTS};

/// What the results of a run depend on, and what whoever reads them wants to know.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct RunSetting {
    /// The name of the format.
    pub format: String,
    /// Its version: raised when a reader of the old one would misunderstand the new one.
    pub version: u32,
    /// The suite's file; of random tests none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// What random tests are drawn by.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// The file of the model that the tests were made for.
    pub model: String,
    /// Its template.
    pub template: String,
    /// How the model is looked at, where it is a network.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub network: Option<NetworkScope>,
    /// The program's command or address.
    pub sut: String,
    /// How long a time unit lasts in microseconds; none: the program is told how much time passes.
    pub unit_us: Option<u64>,
    /// By how many time units an output may be off.
    pub tolerance: String,
    /// How often each test is run.
    pub repeat: u32,
    /// How often a test that fails is run again.
    pub retry: u32,
}

impl RunSetting {
    /// The name of the format.
    pub const FORMAT: &str = RUN_RESULTS;
    /// Its version.
    pub const VERSION: u32 = 1;
}

/// The open file of results.
#[derive(Debug)]
pub struct Results(Journal);

impl Results {
    /// New results at `path` of a run of a suite, by the hashes of its file and its model's; those that are there become
    /// `<path>.old`.
    ///
    /// # Errors
    /// What is there, or at `<path>.old`, is something else, is in use, or cannot be written.
    pub fn create(path: &Path, key: &JournalKey) -> Result<Self, ExperimentError> {
        Ok(Self(Journal::create(file(path), key)?))
    }

    /// The results of a run that ended before all its tests were done, and what is in them.
    ///
    /// # Errors
    /// There are none, they are in use, they belong to another run, or a line is no test.
    pub fn resume(path: &Path, key: &JournalKey) -> Result<(Self, Vec<TestRun>), ExperimentError> {
        let (journal, runs) = Journal::resume(file(path), key)?;
        Ok((Self(journal), runs))
    }

    /// One more test.
    ///
    /// # Errors
    /// When the file system refuses.
    pub fn add(&mut self, run: &TestRun) -> Result<(), ExperimentError> {
        self.0.append(run)
    }
}

/// Results as they stand in a file.
#[derive(Debug)]
pub struct ReadResults {
    /// How the tests were run.
    pub setting: RunSetting,
    /// BLAKE3 of the model's file, in hexadecimal.
    pub model: String,
    /// The tests that were done, in the order in which they ended.
    pub runs: Vec<TestRun>,
}

/// The results at `path`; a torn last line is left out.
///
/// # Errors
/// There are none, or they are of another format.
pub fn read_results(path: &Path) -> Result<ReadResults, ExperimentError> {
    let other = || {
        let path = path.display();
        let writes = format!("`tamper run SUITE --sut COMMAND --results {path}` writes them");
        ExperimentError::Malformed {
            what: format!("{path} holds no results of `tamper run`: {writes}"),
            source: None,
        }
    };
    let (key, runs) = Journal::read(path)?.ok_or_else(other)?;
    let setting: RunSetting = key.options().map_err(|_| other())?;
    if setting.format != RunSetting::FORMAT || setting.version != RunSetting::VERSION {
        return Err(other());
    }
    Ok(ReadResults {
        setting,
        model: key.model().to_owned(),
        runs,
    })
}

fn file(path: &Path) -> JournalFile<'_> {
    JournalFile {
        path,
        option: "--results",
    }
}

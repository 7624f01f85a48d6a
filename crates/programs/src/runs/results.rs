//! The results of a run so far, on disk: a line for each test that is done.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::outcome::TestRun;
use tamper_runs::ExperimentError;
use tamper_runs::{Journal, JournalFile, JournalKey};
use tamper_runs::{NetworkScope, RUN_RESULTS};

/// The settings that the results of a run depend on, and further information for readers.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct RunSetting {
    /// The name of the format.
    pub format: String,
    /// The version of the format, raised when a reader of the old one would misunderstand the new one.
    pub version: u32,
    /// The suite's file; `None` for random tests.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// The seed that random tests are drawn by.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// The file of the model that the tests were made for.
    pub model: String,
    /// The template of the model.
    pub template: String,
    /// The scope in which the model is read, if it is a network.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub network: Option<NetworkScope>,
    /// The program's command or address.
    pub sut: String,
    /// Duration of a time unit in microseconds; `None` if the program is told how much time passes.
    pub unit_us: Option<u64>,
    /// The tolerance for the time of an output, in time units.
    pub tolerance: String,
    /// Number of runs of each test.
    pub repeat: u32,
    /// Number of further runs of a test that fails.
    pub retry: u32,
}

impl RunSetting {
    /// The name of the format.
    pub const FORMAT: &str = RUN_RESULTS;
    /// The version of the format.
    pub const VERSION: u32 = 1;
}

/// An open file of results.
#[derive(Debug)]
pub struct Results(Journal);

impl Results {
    /// Creates the results at `path` of a run of a suite; `key` has the hashes of its file and its model's file. Existing results
    /// become `<path>.old`.
    ///
    /// # Errors
    /// The file there, or at `<path>.old`, is something else, is in use, or cannot be written.
    pub fn create(path: &Path, key: &JournalKey) -> Result<Self, ExperimentError> {
        Ok(Self(Journal::create(file(path), key)?))
    }

    /// Opens the results of a run that ended before all its tests were done, and reads them.
    ///
    /// # Errors
    /// The results are missing, are in use, or belong to another run, or a line is not a test.
    pub fn resume(path: &Path, key: &JournalKey) -> Result<(Self, Vec<TestRun>), ExperimentError> {
        let (journal, runs) = Journal::resume(file(path), key)?;
        Ok((Self(journal), runs))
    }

    /// Appends the results of one more test.
    ///
    /// # Errors
    /// When the file system refuses.
    pub fn add(&mut self, run: &TestRun) -> Result<(), ExperimentError> {
        self.0.append(run)
    }
}

/// The results read from a file.
#[derive(Debug)]
pub struct ReadResults {
    /// The settings of the run.
    pub setting: RunSetting,
    /// BLAKE3 of the model's file, in hexadecimal.
    pub model: String,
    /// The finished tests, in the order in which they ended.
    pub runs: Vec<TestRun>,
}

/// The results at `path`; a torn last line is left out.
///
/// # Errors
/// The results are missing, or have another format.
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

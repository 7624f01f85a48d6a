//! The options about accepted mutants and about changes.

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use clap::{Args, ValueEnum};

use super::older::OlderModel;
use super::rows::read_rows;
use tamper::experiment::AcceptedFile;

/// Where accepted mutants stand.
#[derive(Args, Clone, Debug)]
pub struct AcceptedArgs {
    /// The file of mutants that may survive, each with its reason, as `tamper accept` writes it [default: model.accepted.toml
    /// beside model.xml, if it is there]
    #[arg(long, value_name = "FILE")]
    pub accepted: Option<PathBuf>,
}

/// Which survivors fail.
#[derive(Args, Debug)]
pub struct FailOnArgs {
    /// Which survivors count
    #[arg(long, value_enum, default_value_t, value_name = "WHICH")]
    pub fail_on: FailOn,
}

impl FailOnArgs {
    /// Whether accepted mutants are counted apart.
    ///
    /// # Errors
    /// A file of accepted mutants is named that would not be read.
    pub fn looks_at(&self, accepted: &AcceptedArgs) -> Result<bool> {
        match (self.fail_on, &accepted.accepted) {
            (FailOn::Any, Some(file)) => bail!(
                "--fail-on any counts accepted mutants like all others, and does not read {}: leave out --accepted, or --fail-on any",
                file.display()
            ),
            (which, _) => Ok(which == FailOn::New),
        }
    }
}

/// The survivors that count.
#[derive(Clone, Copy, PartialEq, Eq, Default, ValueEnum, Debug)]
pub enum FailOn {
    /// Those that are not accepted
    #[default]
    New,
    /// All of them, as if none were accepted
    Any,
}

/// Which mutants are asked about.
#[derive(Args, Clone, Debug)]
pub struct ChangedArgs {
    /// Only mutants that this older model does not have: those at places that differ, by content. A file, or a revision of git
    /// (`HEAD~1`, `main`), in which the model is the one of the same name
    #[arg(long, value_name = "FILE|REV")]
    pub changed_since: Option<String>,
}

impl ChangedArgs {
    /// The older model that `file` is compared with, if one is named.
    pub fn older(&self, file: &Path) -> Result<Option<OlderModel>> {
        let named = self.changed_since.as_deref();
        named.map(|named| OlderModel::named(named, file)).transpose()
    }
}

impl AcceptedArgs {
    /// The rows about mutants of the model `file`; none if there is no file of them.
    pub fn rows(&self, file: &Path) -> Result<AcceptedFile> {
        read_rows(self.accepted.as_deref(), file)
    }
}

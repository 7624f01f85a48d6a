//! The conditions of certificates, as a file of SMT-LIB.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::Result;

use crate::cli::terminal::Terminal;
use tamper::experiment::{Draft, QueriesError, certificate_queries};

/// A file of queries that is begun.
pub struct QueryFile {
    path: PathBuf,
    draft: Draft,
}

impl QueryFile {
    pub fn create(path: &Path) -> Result<Self> {
        let mut draft = Draft::create(path)?;
        writeln!(draft, "(set-logic ALL)")?;
        let path = path.to_owned();
        Ok(Self { path, draft })
    }

    /// Adds the queries of a text of certificates. After an error the file is worth nothing.
    pub fn add(&mut self, text: &str) -> Result<(), QueriesError> {
        certificate_queries(text, &mut self.draft)
    }

    pub fn finish(self, terminal: &Terminal) -> Result<()> {
        self.draft.finish()?;
        let path = self.path.display();
        terminal.note(&format!(
            "`z3 {path} | sort | uniq -c` says `unsat` and nothing else if all that is claimed holds"
        ));
        Ok(())
    }
}

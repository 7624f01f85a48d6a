//! Certificates of a finished run's mutants, for `tamper-check`.
//!
//! The plain game decides every mutant again, whatever found its verdict in the run, so that the certificate is about the mutant itself. Files have a few thousand mutants each, and each begins with the specification, so that they can be checked one by one.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use rayon::prelude::*;

use crate::error::Result;
use crate::{CsvTable, Kept, MutantSet, Sink, Source, Timer, Verdict, walk, write_file};
use tamper_game::{Certification, Certifier};
use tamper_text::StopReason;

/// Most mutants of one file.
const PER_FILE: usize = 4096;

/// The certificates of a run, counted.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct CertifiedRun {
    /// Number of certificates.
    pub n_certified: u64,
    /// Their size in bytes, without the specifications.
    pub n_bytes: u64,
    /// Number of files.
    pub n_files: usize,
    /// Number of mutants without a certificate, by reason.
    pub uncertified: BTreeMap<String, u64>,
    /// Mutants whose certificate claims another verdict than the run's: id, the run's, the claimed one.
    pub differences: Vec<(String, Verdict, Verdict)>,
}

/// Writes certificates of all mutants of the run in `source` into `folder`: `certificates-0001.txt` and so on, and `index.csv` with the
/// file, the size and the hash of each.
///
/// # Errors
/// If the run is not finished, or a file cannot be written.
pub fn certify_run(
    certifier: &Certifier<'_>,
    source: Source<'_>,
    folder: &Path,
    timer: &Timer,
    progress: &mut dyn FnMut(u64),
) -> Result<CertifiedRun> {
    let mut writer = CertificateWriter {
        set: source.set,
        certifier,
        timer,
        folder: folder.to_owned(),
        text: String::new(),
        n_in_text: 0,
        index: CsvTable::new(Vec::new()),
        run: CertifiedRun::default(),
    };
    writer.index.row(["id", "verdict", "file", "bytes", "blake3"])?;
    walk(source, &mut writer, progress)?;
    writer.close_file()?;
    write_file(&folder.join("index.csv"), writer.index.finish()?)?;
    Ok(writer.run)
}

struct CertificateWriter<'c> {
    set: &'c dyn MutantSet,
    certifier: &'c Certifier<'c>,
    timer: &'c Timer,
    folder: PathBuf,
    /// The mutants of the file that is begun.
    text: String,
    n_in_text: usize,
    index: CsvTable<Vec<u8>>,
    run: CertifiedRun,
}

impl CertificateWriter<'_> {
    /// The certificate of a mutant, or the reason for its absence.
    fn certified(&self, kept: &Kept) -> std::result::Result<(Verdict, String), String> {
        if kept.record.verdict == Verdict::Invalid {
            return Err("the mutant is invalid".to_owned());
        }
        if self.timer.is_over() {
            return Err(StopReason::Time.to_string());
        }
        let mutant = self.set.game(&kept.mutant, self.timer);
        let mutant = mutant.map_err(|failure| failure.to_string())?;
        match self.certifier.certify(&kept.record.id, &mutant, &self.timer.budget()) {
            Ok(Certification::Certificate(verdict, text)) => Ok((verdict.into(), text)),
            Ok(Certification::Unknown(reason)) => Err(reason.to_string()),
            Ok(Certification::Uncertified(_, part)) => Err(part.to_string()),
            Err(error) => Err(error.to_string()),
        }
    }

    fn add(&mut self, kept: &Kept, verdict: Verdict, text: &str) -> Result<()> {
        let file = file_name(self.run.n_files + 1);
        let hash = blake3::hash(text.as_bytes()).to_hex();
        let bytes = text.len().to_string();
        let row = [
            kept.record.id.as_str(),
            verdict.name(),
            file.as_str(),
            bytes.as_str(),
            hash.as_str(),
        ];
        self.index.row(row)?;
        self.text.push_str(text);
        self.n_in_text += 1;
        self.run.n_certified += 1;
        self.run.n_bytes += text.len() as u64;
        if self.n_in_text == PER_FILE {
            self.close_file()?;
        }
        Ok(())
    }

    fn close_file(&mut self) -> Result<()> {
        if self.n_in_text > 0 {
            self.run.n_files += 1;
            let path = self.folder.join(file_name(self.run.n_files));
            write_file(&path, format!("{}{}", self.certifier.head(), self.text))?;
            self.text.clear();
            self.n_in_text = 0;
        }
        Ok(())
    }
}

fn file_name(number: usize) -> String {
    format!("certificates-{number:04}.txt")
}

/// Whether a certificate with this claim contradicts what the run says.
fn contradicts(run: Verdict, claimed: Verdict) -> bool {
    match run {
        Verdict::Unknown | Verdict::Invalid => false,
        Verdict::SubsumedOrInconsistent => claimed == Verdict::NonSubsumed,
        known => known != claimed,
    }
}

impl Sink for CertificateWriter<'_> {
    fn take(&mut self, kept: Vec<Kept>) -> Result<()> {
        let certified: Vec<_> = kept.par_iter().map(|kept| self.certified(kept)).collect();
        for (kept, certified) in kept.iter().zip(certified) {
            match certified {
                Ok((verdict, text)) => {
                    if contradicts(kept.record.verdict, verdict) {
                        let difference = (kept.record.id.clone(), kept.record.verdict, verdict);
                        self.run.differences.push(difference);
                    }
                    self.add(kept, verdict, &text)?;
                }
                Err(why) => *self.run.uncertified.entry(why).or_default() += 1,
            }
        }
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<()> {
        Ok(())
    }
}

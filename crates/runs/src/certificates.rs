//! Certificates of a finished run's mutants, for `tamper-check`.
//!
//! The plain game decides every mutant again, whatever found its verdict in the run, so that the certificate is about the mutant itself. Files have a few thousand mutants each, and each begins with the specification, so that they can be checked one by one.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use rayon::prelude::*;

use crate::error::{ExperimentError, FileAction, OfFile as _, Result};
use crate::files::Draft;
use crate::records::log::RECORDS;
use crate::{ComparedGame, CsvTable, Kept, MutantSet, Numbered, Sink, Source, Timer, Verdict, walk, write_file};
use tamper_check::{Claim, Fault, check_one};
use tamper_game::{Certification, Certifier, Semantics, Specification, Verdict as GameVerdict};
use tamper_text::StopReason;

/// Most mutants of one file.
const PER_FILE: usize = 4096;

/// Most operations of the checker on the zones of one certificate: about a second.
const MOST_CHECKED: u64 = 20_000_000;

/// The name of the list of certificates in their folder.
pub const INDEX: &str = "index.csv";

/// The reason for the absence of a certificate where steps are hidden.
const HIDDEN: &str =
    "hidden steps: matched one by one they tell the games apart, which proves nothing about what is seen of them";

/// Certifies mutants of a set.
pub struct MutantCertifier<'c> {
    certifier: Certifier,
    set: &'c dyn MutantSet,
    timer: &'c Timer,
    hides_steps: bool,
}

/// The result of a check of a certificate.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum CheckedCertificate {
    /// It proves this verdict.
    Proved(Verdict),
    /// The checker refuses it for this reason.
    Refused(String),
}

impl<'c> MutantCertifier<'c> {
    /// Certifies mutants of `set` against its original.
    ///
    /// # Errors
    /// If the original is no specification under `semantics`, or cannot be certified within the limits of `timer`.
    pub fn new(set: &'c dyn MutantSet, semantics: Semantics, timer: &'c Timer) -> Result<Self> {
        let original = set.compared_original(timer);
        let original = original.map_err(|failure| ExperimentError::Refused(failure.to_string()))?;
        let budget = timer.budget();
        let specification = Specification::prepare(&original.game, semantics, &budget)?;
        Ok(Self {
            certifier: Certifier::new(specification, &original.words, &budget)?,
            set,
            timer,
            hides_steps: original.has_hidden,
        })
    }

    /// The verdict of the plain game on the mutant with the id, and its part of a certificate; or the reason for its absence.
    fn certified(&self, id: &str, mutant: &Numbered) -> std::result::Result<(Verdict, String), String> {
        if self.timer.is_over() {
            return Err(StopReason::Time.to_string());
        }
        let compared = self.set.compared(mutant, self.timer);
        let ComparedGame {
            game,
            words,
            has_hidden,
        } = compared.map_err(|failure| failure.to_string())?;
        match self.certifier.certify(id, (&game, &words), &self.timer.budget()) {
            Ok(Certification::Certificate(GameVerdict::NonSubsumed, _)) if self.hides_steps || has_hidden => {
                Err(HIDDEN.to_owned())
            }
            Ok(Certification::Certificate(verdict, text)) => Ok((verdict.into(), text)),
            Ok(Certification::Unknown(reason)) => Err(reason.to_string()),
            Ok(Certification::Uncertified(_, part)) => Err(part.to_string()),
            Err(error) => Err(error.to_string()),
        }
    }

    /// What `tamper-check` says of the certificate of the mutant with this number, and its id; `None` if there is none within the limits.
    pub(crate) fn checked(&self, number: u64) -> Result<Option<(String, CheckedCertificate)>> {
        let mutants = self.set.mutants(&[number])?;
        let mutant = mutants.into_iter().next();
        let mutant = mutant.ok_or_else(|| ExperimentError::no_mutant(number))?;
        let Ok((_, text)) = self.certified(&mutant.id, &mutant) else {
            return Ok(None);
        };
        let text = format!("{}{text}", self.certifier.head());
        let checked = match check_one(&text, MOST_CHECKED) {
            Ok(claim) => CheckedCertificate::Proved(verdict_of(claim)),
            Err(Fault::Limit) => return Ok(None),
            Err(fault) => CheckedCertificate::Refused(fault.to_string()),
        };
        Ok(Some((mutant.id, checked)))
    }
}

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
    /// Number of them that are valid.
    pub n_open: u64,
    /// Mutants whose certificate claims another verdict than the run's: id, the run's, the claimed one.
    pub differences: Vec<(String, Verdict, Verdict)>,
}

/// Writes certificates of all mutants of the run in `source` into `folder`: `certificates-0001.txt` and so on, and `index.csv` with the
/// file, the size and the hash of each. The records of the run are written anew, with the hashes.
///
/// # Errors
/// If the run is not finished, or a file cannot be written.
pub fn certify_run(
    certifier: &MutantCertifier<'_>,
    source: Source<'_>,
    folder: &Path,
    progress: &mut dyn FnMut(u64),
) -> Result<CertifiedRun> {
    let mut writer = CertificateWriter {
        shared: hash_begun(certifier.certifier.head()),
        certifier,
        records: Draft::create(&source.folder.join(RECORDS))?,
        folder: folder.to_owned(),
        text: String::new(),
        n_in_text: 0,
        index: CsvTable::new(Vec::new()),
        run: CertifiedRun::default(),
    };
    writer.index.row(["id", "verdict", "file", "bytes", "blake3"])?;
    walk(source, &mut writer, progress)?;
    writer.close_file()?;
    remove_behind(folder, writer.run.n_files)?;
    write_file(&folder.join(INDEX), writer.index.finish()?)?;
    writer.records.finish()?;
    Ok(writer.run)
}

struct CertificateWriter<'c> {
    certifier: &'c MutantCertifier<'c>,
    /// The hash of what all certificates share.
    shared: blake3::Hasher,
    records: Draft,
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
        match kept.record.verdict {
            Verdict::Invalid => Err("the mutant is invalid".to_owned()),
            _ => self.certifier.certified(&kept.record.id, &kept.mutant),
        }
    }

    /// Adds the certificate of a mutant; its hash.
    fn add(&mut self, kept: &Kept, verdict: Verdict, text: &str) -> Result<String> {
        let file = file_name(self.run.n_files + 1);
        let hash = hash_ended(&self.shared, text).to_hex().to_string();
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
        Ok(hash)
    }

    fn close_file(&mut self) -> Result<()> {
        if self.n_in_text > 0 {
            self.run.n_files += 1;
            let path = self.folder.join(file_name(self.run.n_files));
            write_file(&path, format!("{}{}", self.certifier.certifier.head(), self.text))?;
            self.text.clear();
            self.n_in_text = 0;
        }
        Ok(())
    }
}

/// Removes the files of a larger run behind the first `n_files`.
fn remove_behind(folder: &Path, n_files: usize) -> Result<()> {
    let files = (n_files + 1..).map(|number| folder.join(file_name(number)));
    for file in files.take_while(|file| file.is_file()) {
        std::fs::remove_file(&file).cannot(FileAction::Remove, &file)?;
    }
    Ok(())
}

fn file_name(number: usize) -> String {
    format!("certificates-{number:04}.txt")
}

/// The hash of what the certificates in a file share, to be ended by each of them: the specification belongs to a certificate.
pub(crate) fn hash_begun(head: &str) -> blake3::Hasher {
    let mut hasher = blake3::Hasher::new();
    hasher.update(head.as_bytes());
    hasher
}

/// The hash of the certificate with this part of its own.
pub(crate) fn hash_ended(shared: &blake3::Hasher, own: &str) -> blake3::Hash {
    shared.clone().update(own.as_bytes()).finalize()
}

/// The verdict that a certificate claims.
pub(crate) fn verdict_of(claim: Claim) -> Verdict {
    match claim {
        Claim::Subsumed => Verdict::Subsumed,
        Claim::NonSubsumed => Verdict::NonSubsumed,
        Claim::Inconsistent => Verdict::Inconsistent,
    }
}

/// Whether a certificate with this claim contradicts what the run says.
pub(crate) fn contradicts(run: Verdict, claimed: Verdict) -> bool {
    match run {
        Verdict::Unknown | Verdict::Invalid => false,
        Verdict::SubsumedOrInconsistent => claimed == Verdict::NonSubsumed,
        known => known != claimed,
    }
}

impl Sink for CertificateWriter<'_> {
    fn take(&mut self, kept: Vec<Kept>) -> Result<()> {
        let certified: Vec<_> = kept.par_iter().map(|kept| self.certified(kept)).collect();
        for (mut kept, certified) in kept.into_iter().zip(certified) {
            kept.record.certificate = match certified {
                Ok((verdict, text)) => {
                    if contradicts(kept.record.verdict, verdict) {
                        let difference = (kept.record.id.clone(), kept.record.verdict, verdict);
                        self.run.differences.push(difference);
                    }
                    Some(self.add(&kept, verdict, &text)?)
                }
                Err(why) => {
                    let first = why.lines().next().unwrap_or_default();
                    // What follows differs from mutant to mutant.
                    let first = first.split_once("; a run that").map_or(first, |(first, _)| first);
                    *self.run.uncertified.entry(first.to_owned()).or_default() += 1;
                    self.run.n_open += u64::from(kept.record.verdict != Verdict::Invalid);
                    None
                }
            };
            serde_json::to_writer(&mut self.records, &kept.record)?;
            writeln!(self.records)?;
        }
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<()> {
        Ok(())
    }
}

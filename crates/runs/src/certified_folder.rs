//! Certificates in files, checked, and compared with the index beside them and with the records of a run.

use std::collections::HashMap;
use std::io::BufRead as _;
use std::path::{Path, PathBuf};

use rayon::prelude::*;
use serde::Deserialize;

use crate::certificates::{contradicts, hash_begun, hash_ended, verdict_of};
use crate::error::{FileAction, OfFile as _, OrMalformed as _, Result};
use crate::records::log::RECORDS;
use crate::{INDEX, Record, Verdict, open_lines};
use tamper_check::{Claim, Fault, check};

/// A certificate of one mutant, checked.
#[derive(Clone, Debug)]
pub struct CheckedMutant {
    /// The id of the mutant.
    pub id: String,
    /// The verdict that is proved, or the first line that is wrong.
    pub result: std::result::Result<Claim, Fault>,
    /// The hash of its certificate: of the file up to the first mutant, and of its own part.
    hash: blake3::Hash,
}

/// A file of certificates, checked.
#[derive(Clone, Debug)]
pub struct CheckedFile {
    /// The file.
    pub path: PathBuf,
    /// Its certificates, in order.
    pub mutants: Vec<CheckedMutant>,
    /// The first line that is wrong about the specification, or is of no certificate.
    pub fault: Option<Fault>,
}

/// The records of a run beside their certificates.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct CertifiedRecords {
    /// Number of records with a verdict; those of invalid mutants and of unknown ones have none.
    pub n_verdicts: u64,
    /// Number of them that name a certificate which was found and proves their verdict.
    pub n_certified: u64,
    /// Number of them that name no certificate.
    pub n_open: u64,
    /// The records that name one which was not found, or proves something else.
    pub wrong: Vec<String>,
}

impl CheckedFile {
    /// Checks the certificates in `text`, the content of the file at `path`, each with at most `steps` operations on zones.
    pub fn of(path: &Path, text: &str, steps: u64) -> Self {
        let (head, parts) = head_and_mutants(text);
        let (shared, mut parts) = (hash_begun(head), parts.into_iter());
        let mut mutants = Vec::new();
        let mut tell = |id: &str, result| {
            mutants.push(CheckedMutant {
                id: id.to_owned(),
                result,
                hash: hash_ended(&shared, parts.next().unwrap_or_default()),
            });
        };
        let fault = check(text, steps, &mut tell).err();
        Self {
            path: path.to_owned(),
            mutants,
            fault,
        }
    }

    fn name(&self) -> String {
        let name = self.path.file_name().unwrap_or_default();
        name.to_string_lossy().into_owned()
    }
}

/// The specification in a file of certificates, and the parts that begin with a mutant's name.
fn head_and_mutants(text: &str) -> (&str, Vec<&str>) {
    let mut starts = Vec::new();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        if line.split_whitespace().next() == Some("mutant") {
            starts.push(at);
        }
        at += line.len();
    }
    let head = &text[..starts.first().copied().unwrap_or(text.len())];
    let ends = starts.iter().skip(1).copied().chain([text.len()]);
    let parts = starts.iter().zip(ends).map(|(start, end)| &text[*start..end]);
    (head, parts.collect())
}

#[derive(Deserialize)]
struct IndexRow {
    id: String,
    verdict: Verdict,
    file: String,
    blake3: String,
}

/// What `index.csv` in `folder` says otherwise than the certificates in `files` do; `None` if there is no index.
///
/// # Errors
/// If it cannot be read, or is none.
pub fn index_against(folder: &Path, files: &[&CheckedFile]) -> Result<Option<Vec<String>>> {
    let path = folder.join(INDEX);
    if !path.exists() {
        return Ok(None);
    }
    let mut rows = csv::Reader::from_path(&path).or_malformed(|| format!("{} is no index", path.display()))?;
    let mut found: HashMap<(String, String), &CheckedMutant> = HashMap::new();
    for file in files {
        let of_file = file
            .mutants
            .iter()
            .map(|mutant| ((file.name(), mutant.id.clone()), mutant));
        found.extend(of_file);
    }
    let mut wrong = Vec::new();
    for row in rows.deserialize() {
        let row: IndexRow = row.or_malformed(|| format!("{} is no index", path.display()))?;
        let place = (row.file, row.id);
        let mutant = found.remove(&place);
        if let Some(what) = difference(mutant, &row.blake3, |claim| verdict_of(claim) != row.verdict) {
            wrong.push(format!("{INDEX}: {} in {}: {what}", place.1, place.0));
        }
    }
    let mut missing: Vec<String> = found
        .into_keys()
        .map(|(file, id)| format!("{INDEX}: {id} in {file} is not listed"))
        .collect();
    missing.sort_unstable();
    wrong.append(&mut missing);
    Ok(Some(wrong))
}

/// What a certificate says otherwise than a list of certificates; `None` if they agree.
fn difference(
    mutant: Option<&CheckedMutant>,
    hash: &str,
    is_other: impl FnOnce(Claim) -> bool,
) -> Option<&'static str> {
    match mutant {
        None => Some("there is no such certificate"),
        Some(mutant) if mutant.hash.to_hex().as_str() != hash => Some("the certificate has another hash"),
        Some(mutant) => match mutant.result {
            Ok(claim) if is_other(claim) => Some("the certificate proves another verdict"),
            Ok(_) => None,
            Err(_) => Some("the certificate does not hold"),
        },
    }
}

/// The records of the run in `folder` beside the certificates in `files`.
///
/// # Errors
/// If they cannot be read.
pub fn records_against(folder: &Path, files: &[CheckedFile]) -> Result<CertifiedRecords> {
    let path = folder.join(RECORDS);
    let mutants = files.par_iter().flat_map_iter(|file| &file.mutants);
    let found: HashMap<&str, &CheckedMutant> = mutants.map(|mutant| (mutant.id.as_str(), mutant)).collect();
    let mut of_run = CertifiedRecords::default();
    let lines = open_lines(&path).cannot(FileAction::Read, &path)?.lines();
    for (number, line) in lines.enumerate() {
        let record: Record = serde_json::from_str(&line.cannot(FileAction::Read, &path)?)
            .or_malformed(|| format!("line {} of {} is no record", number + 1, path.display()))?;
        let has_verdict = !matches!(record.verdict, Verdict::Invalid | Verdict::Unknown);
        of_run.n_verdicts += u64::from(has_verdict);
        let Some(hash) = &record.certificate else {
            of_run.n_open += u64::from(has_verdict);
            continue;
        };
        let is_other = |claim| contradicts(record.verdict, verdict_of(claim));
        match difference(found.get(record.id.as_str()).copied(), hash, is_other) {
            None => of_run.n_certified += u64::from(has_verdict),
            Some(what) => of_run.wrong.push(format!("{RECORDS}: {}: {what}", record.id)),
        }
    }
    Ok(of_run)
}

//! `tamper verify`.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use anyhow::{Context as _, Result, bail};
use clap::Args;
use rayon::prelude::*;
use serde_json::{Value, json};

use crate::cli::arguments::coverage_args::FaultsArg;
use crate::cli::arguments::unspecified::{GraphArgs, MachineArgs};
use crate::cli::door::open;
use crate::cli::exit::ExitCode;
use crate::cli::machines::coverage_proof::proved;
use crate::cli::machines::read;
use crate::cli::query_file::QueryFile;
use crate::cli::terminal::{Terminal, counted};
use tamper::experiment::{CertifiedRecords, CheckedFile, QueriesError, index_against, records_against};
use tamper::formats::machines::{MachineOptions, read_suite};
use tamper::formats::{FileKind, read_input};
use tamper::machines::{CertificateError, InputId, MutationMachine};
use tamper_check::Fault;

/// `tamper verify`.
///
/// Checks what tamper has proved, without searching for anything. Certificates of verdicts (`classify --certify`, `refine
/// --certificate`) are checked as the program `tamper-check` does it, which shares no code with what found the verdicts; proofs that a
/// suite is complete (`coverage --proof`) step by step.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  tamper classify model.xml --certify why --out run
  tamper verify why                          each certificate, and that why/index.csv lists them
  tamper verify why --run run                and that they prove the verdicts of the run
  tamper verify why --queries why.smt2       their conditions, for a solver such as z3
  tamper coverage machine.fsm suite.txt --proof complete.proof
  tamper verify complete.proof --machine machine.fsm --suite suite.txt")]
pub struct VerifyArgs {
    /// Certificates, proofs, and folders with them
    #[arg(required = true, value_name = "PATH")]
    pub files: Vec<PathBuf>,
    /// The run that the certificates are about: its records name them by their hashes, and have the verdicts that they prove
    #[arg(long, value_name = "DIR")]
    pub run: Option<PathBuf>,
    /// Write the conditions of all certificates, also of those that do not hold, as queries of SMT-LIB, to which a solver such as z3 answers
    /// `unsat`. They share no code with the checker
    #[arg(long, value_name = "FILE")]
    pub queries: Option<PathBuf>,
    /// The machine of the proofs that a suite is complete, read with the same options as by `coverage`
    #[arg(long, value_name = "FILE", requires = "suite")]
    pub machine: Option<PathBuf>,
    /// The suite that they are about
    #[arg(long, value_name = "FILE", requires = "machine")]
    pub suite: Option<PathBuf>,
    /// Faults of this kind are added to the machine
    #[arg(long, value_enum, value_name = "KIND", requires = "machine")]
    pub faults: Option<FaultsArg>,
    /// Most operations on zones for one certificate
    #[arg(long, value_name = "N", default_value_t = 100_000_000)]
    pub steps: u64,
    #[command(flatten)]
    pub read: MachineArgs,
    #[command(flatten)]
    pub graph: GraphArgs,
}

/// The first line of certificates and of proofs.
const HEAD: &str = "tamper certificate ";

/// Most differences from one list that are shown.
const MOST_SHOWN: usize = 10;

/// The result for one file.
enum Verified {
    /// Certificates, and whether their queries were written, if these are asked for.
    Certificates(CheckedFile, Result<(), QueriesError>),
    /// A proof that a suite is complete, and what is wrong with it.
    Proof(PathBuf, Result<(), CertificateError>),
}

/// Checks all certificates and proofs that are named.
pub fn verify(args: &VerifyArgs, terminal: &Terminal) -> Result<ExitCode> {
    let mut files = Vec::new();
    for path in &args.files {
        files.append(&mut if path.is_dir() {
            inside(path)?
        } else {
            vec![path.clone()]
        });
    }
    let machine = machine(args, terminal)?;
    let bar = terminal.progress(files.len() as u64);
    let n_done = AtomicU64::new(0);
    let mut queries = args.queries.as_deref().map(QueryFile::create).transpose()?;
    let one = |path: &PathBuf, queries: Option<&mut QueryFile>| {
        let verified = verified(path, args.steps, machine.as_ref(), queries);
        bar.set_position(n_done.fetch_add(1, Ordering::Relaxed) + 1);
        verified
    };
    let verified: Vec<Verified> = match &mut queries {
        None => files.par_iter().map(|path| one(path, None)).collect::<Result<_>>()?,
        Some(queries) => {
            let each = files.iter().map(|path| one(path, Some(&mut *queries)));
            each.collect::<Result<_>>()?
        }
    };
    bar.finish_and_clear();
    let mut found = Findings::default();
    let mut certificates = Vec::new();
    for one in verified {
        match one {
            Verified::Certificates(file, queried) => {
                found.add(&file);
                if let Err(error) = queried {
                    found.add_unwritten(&file.path, &error);
                    queries = None;
                }
                certificates.push(file);
            }
            Verified::Proof(path, result) => found.add_proof(&path, &result),
        }
    }
    for folder in args.files.iter().filter(|path| path.is_dir()) {
        let of_folder = certificates.iter().filter(|file| file.path.parent() == Some(folder));
        let of_folder: Vec<&CheckedFile> = of_folder.collect();
        if let Some(wrong) = index_against(folder, &of_folder)? {
            found.is_indexed = true;
            found.add_all(wrong);
        }
    }
    if let Some(folder) = &args.run {
        found.add_run(records_against(folder, &certificates)?);
    }
    if let Some(queries) = queries {
        queries.finish(terminal)?;
    }
    terminal.answer(|| found.json(), || found.text())?;
    Ok(found.code)
}

/// The certificates and proofs in a folder.
fn inside(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).with_context(|| folder.display().to_string())? {
        let path = entry.with_context(|| folder.display().to_string())?.path();
        if path.is_file() && starts_like_one(&path)? {
            found.push(path);
        }
    }
    if found.is_empty() {
        bail!(
            "{} has no certificates: name a folder that `tamper classify --certify` wrote",
            folder.display()
        );
    }
    found.sort_unstable();
    Ok(found)
}

fn starts_like_one(path: &Path) -> Result<bool> {
    use std::io::Read as _;
    let mut start = Vec::new();
    let file = std::fs::File::open(path).with_context(|| path.display().to_string())?;
    file.take(HEAD.len() as u64)
        .read_to_end(&mut start)
        .with_context(|| path.display().to_string())?;
    Ok(start == HEAD.as_bytes())
}

/// The machine and the suite that proofs are about.
fn machine(args: &VerifyArgs, terminal: &Terminal) -> Result<Option<(MutationMachine, Vec<Vec<InputId>>)>> {
    let (Some(machine), Some(suite)) = (&args.machine, &args.suite) else {
        return Ok(None);
    };
    let subject = open(machine)?;
    let FileKind::Machine(format) = subject.kind else {
        bail!(
            "--machine {}: this is {}, and a state machine is wanted",
            machine.display(),
            subject.kind.what()
        );
    };
    let options = MachineOptions {
        faults: args.faults.map(FaultsArg::resolve),
        ..args.graph.with(args.read.options())
    };
    let machine = read(&subject.written_in(format), &options, terminal)?;
    let bytes = read_input(suite, "name a suite of the machine's inputs")?;
    let suite = read_suite(&suite.display().to_string(), &bytes, &machine)?.agreeing_with(&machine)?;
    Ok(Some((machine, suite)))
}

fn verified(
    path: &Path,
    steps: u64,
    machine: Option<&(MutationMachine, Vec<Vec<InputId>>)>,
    queries: Option<&mut QueryFile>,
) -> Result<Verified> {
    let bytes = read_input(path, "name a certificate, a proof, or a folder with them")?;
    let is_proof = bytes
        .split(|byte| *byte == b'\n')
        .nth(1)
        .is_some_and(|line| line.starts_with(b"machine "));
    if is_proof && queries.is_some() {
        bail!(
            "{} is a proof that a suite is complete; --queries is about certificates",
            path.display()
        );
    }
    if is_proof {
        let Some((machine, suite)) = machine else {
            bail!(
                "{} is a proof that a suite is complete: name the machine and the suite with --machine and --suite",
                path.display()
            );
        };
        return Ok(Verified::Proof(path.to_owned(), proved(path, machine, suite)?));
    }
    let text = String::from_utf8(bytes).ok();
    let text = text.with_context(|| format!("{}: this is no text in UTF-8, so no certificate", path.display()))?;
    let queried = queries.map_or(Ok(()), |queries| queries.add(&text));
    if let Err(QueriesError::Io(error)) = queried {
        return Err(error.into());
    }
    Ok(Verified::Certificates(CheckedFile::of(path, &text, steps), queried))
}

/// All that is said in the end.
struct Findings {
    /// Per file, the number of certificates that hold.
    holding: Vec<(PathBuf, usize)>,
    proofs: Vec<PathBuf>,
    wrong: Vec<String>,
    is_indexed: bool,
    run: Option<CertifiedRecords>,
    code: ExitCode,
}

impl Default for Findings {
    fn default() -> Self {
        Self {
            holding: Vec::new(),
            proofs: Vec::new(),
            wrong: Vec::new(),
            is_indexed: false,
            run: None,
            code: ExitCode::Yes,
        }
    }
}

impl Findings {
    fn add(&mut self, file: &CheckedFile) {
        let path = file.path.display();
        for mutant in &file.mutants {
            if let Err(fault) = &mutant.result {
                self.add_fault(format!("{path}: {}: {fault}", mutant.id), fault);
            }
        }
        if let Some(fault) = &file.fault {
            self.add_fault(format!("{path}: {fault}"), fault);
        }
        let n_holding = file.mutants.iter().filter(|mutant| mutant.result.is_ok()).count();
        self.holding.push((file.path.clone(), n_holding));
    }

    fn add_fault(&mut self, words: String, fault: &Fault) {
        self.wrong.push(words);
        self.code = self.code.max(match fault {
            Fault::DoesNotHold { .. } => ExitCode::No,
            Fault::Malformed { .. } => ExitCode::Error,
            Fault::Limit => ExitCode::Unknown,
        });
    }

    /// Adds the reason for which the queries were not written, of this file and of the others.
    fn add_unwritten(&mut self, path: &Path, error: &QueriesError) {
        self.wrong
            .push(format!("{}: {error}; no queries were written", path.display()));
        self.code = self.code.max(match error {
            QueriesError::DoesNotHold { .. } => ExitCode::No,
            _ => ExitCode::Error,
        });
    }

    fn add_proof(&mut self, path: &Path, result: &Result<(), CertificateError>) {
        match result {
            Ok(()) => self.proofs.push(path.to_owned()),
            Err(error) => {
                self.wrong.push(format!("{}: {error}", path.display()));
                self.code = self.code.max(match error {
                    CertificateError::Stopped(_) => ExitCode::Unknown,
                    _ => ExitCode::No,
                });
            }
        }
    }

    /// Adds the records of a run; one without a certificate leaves the question open.
    fn add_run(&mut self, mut run: CertifiedRecords) {
        if run.n_open > 0 {
            self.code = self.code.max(ExitCode::Unknown);
        }
        self.add_all(std::mem::take(&mut run.wrong));
        self.run = Some(run);
    }

    /// Adds what a list says otherwise; where a file is lost, that is all of it.
    fn add_all(&mut self, mut wrong: Vec<String>) {
        if !wrong.is_empty() {
            self.code = self.code.max(ExitCode::No);
        }
        let n_more = wrong.len().saturating_sub(MOST_SHOWN);
        if n_more > 0 {
            wrong.truncate(MOST_SHOWN);
            wrong.push(format!("and so on: {n_more} more"));
        }
        self.wrong.extend(wrong);
    }

    fn n_holding(&self) -> usize {
        self.holding.iter().map(|(_, n)| n).sum()
    }

    fn text(&self) -> String {
        let mut text = String::new();
        for wrong in &self.wrong {
            let _ = writeln!(text, "{wrong}");
        }
        if !self.holding.is_empty() {
            let n = self.n_holding() as u64;
            let hold = if n == 1 { "holds" } else { "hold" };
            let indexed = if self.is_indexed {
                "; index.csv was compared"
            } else {
                ""
            };
            let _ = writeln!(text, "{} {hold}{indexed}", counted(n, "certificate"));
        }
        for proof in &self.proofs {
            let _ = writeln!(text, "{}: proves that the suite is complete", proof.display());
        }
        if let Some(run) = &self.run {
            let open = match run.n_open {
                0 => String::new(),
                1 => "; 1 has no certificate".to_owned(),
                n => format!("; {n} have no certificate"),
            };
            let all = counted(run.n_verdicts, "verdict");
            let _ = writeln!(text, "{} of {all} of the run are proved{open}", run.n_certified);
        }
        text.trim_end().to_owned()
    }

    fn json(&self) -> Value {
        let run = self
            .run
            .as_ref()
            .map(|run| json!({ "verdicts": run.n_verdicts, "proved": run.n_certified, "open": run.n_open }));
        json!({
            "certificates": self.n_holding(),
            "proofs": self.proofs.len(),
            "wrong": self.wrong,
            "run": run,
        })
    }
}

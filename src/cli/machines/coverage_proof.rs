//! `tamper coverage --formula`, `--proof` and `--check-proof`.

use std::path::Path;

use anyhow::{Context as _, Result};
use serde_json::json;

use crate::cli::arguments::coverage_args::CoverageArgs;
use crate::cli::exit::ExitCode;
use crate::cli::terminal::Terminal;
use tamper::experiment::{CoverageListed, write_file};
use tamper::formats::machines::{FormulaFormat, read_certificate, write_certificate, write_formula};
use tamper::formats::read_input;
use tamper::machines::{Certificate, CertificateError, InputId, MutationMachine};

/// The format of the formula, if one is to be written.
pub fn formula_format(args: &CoverageArgs) -> Result<Option<FormulaFormat>> {
    let format = |path: &Path| {
        FormulaFormat::of(path)
            .with_context(|| format!("{}: the ending must be .cnf, .dimacs or .smt2", path.display()))
    };
    args.of_machine.formula.as_deref().map(format).transpose()
}

/// Writes the files that were asked for.
pub fn write_files(
    args: &CoverageArgs,
    machine: &MutationMachine,
    listed: &CoverageListed,
    terminal: &Terminal,
) -> Result<()> {
    if let (Some(path), Some(format), Some(formula)) =
        (&args.of_machine.formula, formula_format(args)?, &listed.formula)
    {
        let (cnf, choices) = (&formula.cnf, &formula.choices);
        let text = write_formula(machine, cnf, choices, formula.is_satisfiable, format);
        write_file(path, text)?;
    }
    if let (Some(path), None) = (&args.of_machine.formula, &listed.formula) {
        terminal.note(&format!("{} was not written: a limit was hit", path.display()));
    }
    match (&args.of_machine.proof, &listed.proof) {
        (None, _) => Ok(()),
        (Some(path), Some(proof)) if path.extension().is_some_and(|ending| ending == "drat") => {
            Ok(write_file(path, &proof.refutation)?)
        }
        (Some(path), Some(proof)) => Ok(write_file(path, write_certificate(machine, proof))?),
        (Some(path), None) => {
            terminal.note(&format!(
                "{} was not written: the suite is not known to be complete",
                path.display()
            ));
            Ok(())
        }
    }
}

/// Whether the certificate in `path` proves that `suite` is complete.
pub fn proved(
    path: &Path,
    machine: &MutationMachine,
    suite: &[Vec<InputId>],
) -> Result<std::result::Result<(), CertificateError>> {
    Ok(certificate(path, machine)?.check(machine, suite))
}

fn certificate(path: &Path, machine: &MutationMachine) -> Result<Certificate> {
    let bytes = read_input(path, "name a certificate that --proof wrote")?;
    Ok(read_certificate(&path.display().to_string(), &bytes, machine)?)
}

/// Checks whether the certificate in `path` proves that `suite` is complete.
pub fn check_proof(
    path: &Path,
    machine: &MutationMachine,
    suite: &[Vec<InputId>],
    terminal: &Terminal,
) -> Result<ExitCode> {
    let certificate = certificate(path, machine)?;
    let checked = certificate.check(machine, suite);
    let n_conforming = certificate.conforming.len();
    let because = checked.as_ref().err().map(ToString::to_string);
    let text = || match &checked {
        Ok(()) => format!(
            "proved: the suite kills every mutant but those that conform ({n_conforming} beside the specification, each with all alike)"
        ),
        Err(error) => format!("not proved: {error}"),
    };
    terminal.answer(
        || json!({ "proved": checked.is_ok(), "because": because, "conforming": n_conforming }),
        text,
    )?;
    Ok(match checked {
        Ok(()) => ExitCode::Yes,
        Err(CertificateError::Stopped(_)) => ExitCode::Unknown,
        Err(_) => ExitCode::No,
    })
}

//! Certificates of complete suites as text: the hash of the machine, the conforming mutants, the refutation in DRAT.

use std::fmt::Write as _;

use super::write_machine;
use crate::{Certificate, Mutant, MutationMachine};
use tamper_text::ReadError;
use tamper_text::decode;
use tamper_text::{Diagnostic, SourceFile, Span};

const HEAD: &str = "tamper certificate 1";

/// The BLAKE3 hash, in hexadecimal, that ties a certificate to its machine: the hash of the machine in text form,
/// whatever file it was read from; of an extended machine, the hash of its file.
fn fingerprint(machine: &MutationMachine) -> String {
    if let Some(unfolding) = machine.extended() {
        return unfolding.source().fingerprint.clone();
    }
    blake3::hash(write_machine(machine).as_bytes()).to_hex().to_string()
}

/// The certificate of a suite for `machine` as text.
pub fn write_certificate(machine: &MutationMachine, certificate: &Certificate) -> String {
    let mut text = format!("{HEAD}\nmachine {}\n", fingerprint(machine));
    for mutant in &certificate.conforming {
        text.push_str("conforming");
        for choice in mutant.choices() {
            let _ = write!(text, " {choice}");
        }
        text.push('\n');
    }
    for step in certificate.refutation.lines() {
        let _ = writeln!(text, "refutation {step}");
    }
    text
}

/// Reads the certificate in `bytes`, the content of a file called `name`, and checks that it belongs to `machine`.
///
/// # Errors
/// The first line that does not belong in a certificate, or a certificate of another machine.
pub fn read_certificate(name: &str, bytes: &[u8], machine: &MutationMachine) -> Result<Certificate, ReadError> {
    let file = decode(name, bytes)?;
    match parse(&file, machine) {
        Ok(certificate) => Ok(certificate),
        Err(error) => Err(ReadError::of(file, error)),
    }
}

fn parse(file: &SourceFile, machine: &MutationMachine) -> Result<Certificate, Diagnostic> {
    let mut certificate = Certificate {
        conforming: Vec::new(),
        refutation: String::new(),
    };
    let mut start = 0;
    let mut is_about = false;
    for (number, line) in file.text().split_inclusive('\n').enumerate() {
        let content = line.trim_end();
        let here = Span::new(start, start + content.len());
        start += line.len();
        let error = |message: &str, help: &str| Err(Diagnostic::error(message, here).with_help(help));
        match content.split_once(' ').unwrap_or((content, "")) {
            _ if number == 0 && content == HEAD => {}
            _ if number == 0 => return error("this is no certificate", &format!("its first line is `{HEAD}`")),
            ("machine", hash) if hash == fingerprint(machine) => is_about = true,
            ("machine", _) => {
                return error(
                    "the certificate is about another machine",
                    "name the one it was made for",
                );
            }
            ("conforming", choices) => match mutant(machine, choices) {
                Some(mutant) => certificate.conforming.push(mutant),
                None => {
                    return error(
                        "this is no mutant of the machine",
                        "one number per suspicious transition",
                    );
                }
            },
            ("refutation", step) => {
                certificate.refutation.push_str(step);
                certificate.refutation.push('\n');
            }
            _ => {
                return error(
                    "this line says nothing",
                    "lines begin with machine, conforming or refutation",
                );
            }
        }
    }
    if !is_about {
        let error = Diagnostic::error("the certificate does not say which machine it is about", None);
        return Err(error.with_help(format!("it begins with the lines `{HEAD}` and `machine HASH`")));
    }
    Ok(certificate)
}

fn mutant(machine: &MutationMachine, choices: &str) -> Option<Mutant> {
    let choices: Result<Vec<u32>, _> = choices
        .split(' ')
        .filter(|word| !word.is_empty())
        .map(str::parse)
        .collect();
    Mutant::new(machine, choices.ok()?)
}

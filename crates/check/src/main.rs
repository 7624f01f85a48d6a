//! `tamper-check FILE...`: whether certificates hold.

use std::process::ExitCode;

use tamper_check::{Claim, Fault, check};

const HELP: &str = "\
Checks certificates of verdicts on timed games.

Usage: tamper-check [--steps N] FILE...

`tamper refine --certificate FILE` writes one. For each file one line is printed: `FILE: holds: subsumed`, or the first line that is
wrong and why. --steps is the most operations on zones for one file (default 100000000).

Exit codes: 0 all hold, 1 one does not, 2 a file is no certificate or cannot be read, 3 the limit was hit.
";

fn main() -> ExitCode {
    let mut steps = 100_000_000;
    let mut files = Vec::new();
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "-h" | "--help" => {
                print!("{HELP}");
                return ExitCode::SUCCESS;
            }
            "--steps" => match arguments.next().map(|steps| steps.parse()) {
                Some(Ok(number)) => steps = number,
                _ => return usage("--steps wants a number"),
            },
            option if option.starts_with('-') => return usage(&format!("there is no option {option}")),
            file => files.push(file.to_owned()),
        }
    }
    if files.is_empty() {
        return usage("name a certificate");
    }
    let worst = files.iter().map(|file| check_file(file, steps)).max();
    ExitCode::from(worst.unwrap_or_default())
}

fn usage(error: &str) -> ExitCode {
    eprintln!("error: {error}\n\n{HELP}");
    ExitCode::from(2)
}

/// Checks a file and prints what came out; the exit code.
fn check_file(file: &str, steps: u64) -> u8 {
    let text = match std::fs::read_to_string(file) {
        Ok(text) => text,
        Err(error) => {
            eprintln!("{file}: {error}");
            return 2;
        }
    };
    match check(&text, steps) {
        Ok(claim) => {
            let claim = match claim {
                Claim::Subsumed => "subsumed",
                Claim::NonSubsumed => "non-subsumed",
                Claim::Inconsistent => "inconsistent",
            };
            println!("{file}: holds: {claim}");
            0
        }
        Err(fault) => {
            println!("{file}: {fault}");
            match fault {
                Fault::DoesNotHold { .. } => 1,
                Fault::Malformed { .. } => 2,
                Fault::Limit => 3,
            }
        }
    }
}

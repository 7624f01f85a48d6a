//! The command line: files in, a line for each certificate that does not hold, an exit code.

use std::process::ExitCode;

use tamper_check::{Claim, Fault, check};

const HELP: &str = "\
Checks certificates of verdicts on timed games.

Usage: tamper-check [--all] [--steps N] FILE...

`tamper refine --certificate FILE` and `tamper classify --certify DIR` write them. For each certificate that does not hold a line says
which line of it is wrong and why; then, for each file, how many hold. --all names these too. --steps is the most operations on zones
for one certificate (default 100000000).

Exit codes: 0 all hold, 1 one does not, 2 a file is no certificate or cannot be read, 3 the limit was hit.
";

/// Runs the command.
pub fn run() -> ExitCode {
    let mut steps = 100_000_000;
    let (mut files, mut is_shown) = (Vec::new(), false);
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "-h" | "--help" => {
                print!("{HELP}");
                return ExitCode::SUCCESS;
            }
            "--all" => is_shown = true,
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
    let worst = files.iter().map(|file| check_file(file, steps, is_shown)).max();
    ExitCode::from(worst.unwrap_or_default())
}

fn usage(error: &str) -> ExitCode {
    eprintln!("error: {error}\n\n{HELP}");
    ExitCode::from(2)
}

/// Checks a file and prints what came out; the exit code.
fn check_file(file: &str, steps: u64, is_shown: bool) -> u8 {
    let text = match std::fs::read_to_string(file) {
        Ok(text) => text,
        Err(error) => {
            eprintln!("{file}: {error}");
            return 2;
        }
    };
    let (mut worst, mut n_holding) = (0, 0);
    let mut tell = |name: &str, result: Result<Claim, Fault>| match result {
        Ok(claim) => {
            n_holding += 1;
            if is_shown {
                println!("{file}: {name}: holds: {claim}");
            }
        }
        Err(fault) => {
            println!("{file}: {name}: {fault}");
            worst = worst.max(code(&fault));
        }
    };
    if let Err(fault) = check(&text, steps, &mut tell) {
        println!("{file}: {fault}");
        worst = worst.max(code(&fault));
    }
    match n_holding {
        1 => println!("{file}: 1 certificate holds"),
        n => println!("{file}: {n} certificates hold"),
    }
    worst
}

fn code(fault: &Fault) -> u8 {
    match fault {
        Fault::DoesNotHold { .. } => 1,
        Fault::Malformed { .. } => 2,
        Fault::Limit => 3,
    }
}

//! `tamper oracle`: a teacher for learners of state machines (`docs/book/src/oracle-protocol.md`).

use std::io::{self, BufRead, Read as _, Write};

use anyhow::{Result, bail};

use super::door::{Subject, open};
use super::exit::ExitCode;
use super::machines::read_one;
use super::oracle_args::OracleArgs;
use super::oracle_session::Session;
use super::terminal::Terminal;
use tamper::formats::STDIN;
use tamper::formats::machines::MachineOptions;

/// The longest line that is read, in bytes.
const LONGEST_LINE: u64 = 1 << 20;

/// Answers until the input ends.
pub fn oracle(args: &OracleArgs, terminal: &Terminal) -> Result<ExitCode> {
    if args.machine.as_ref().is_some_and(|path| path.as_os_str() == STDIN) {
        bail!("standard input is where the questions come from: name the file of the machine");
    }
    let system = match &args.machine {
        Some(path) => match open(path)? {
            Subject::Machine(file) => Some(read_one(&file, args.read.unspecified, terminal)?),
            other => return other.refused("oracle"),
        },
        None => None,
    };
    let options = MachineOptions {
        unspecified: args.read.unspecified.resolve(),
        ..MachineOptions::default()
    };
    serve(
        &mut io::stdin().lock(),
        &mut io::stdout().lock(),
        Session::new(system, options),
    )?;
    Ok(ExitCode::Yes)
}

fn serve(questions: &mut impl BufRead, answers: &mut impl Write, mut session: Session) -> io::Result<()> {
    loop {
        let mut line = Vec::new();
        if questions.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line)? == 0 {
            break;
        }
        let is_whole = line.ends_with(b"\n") || (line.len() as u64) < LONGEST_LINE;
        if !is_whole {
            questions.skip_until(b'\n')?;
        }
        let answer = match String::from_utf8(line) {
            _ if !is_whole => Some(format!("error a line has at most {LONGEST_LINE} bytes")),
            Err(_) => Some("error this line is no text in UTF-8".to_owned()),
            Ok(line) if line.trim() == "quit" && !session.is_reading() => return Ok(()),
            Ok(line) => session.hear(line.trim_end_matches(['\n', '\r'])),
        };
        if let Some(answer) = answer {
            writeln!(answers, "{answer}")?;
            answers.flush()?;
        }
    }
    if let Some(answer) = session.end() {
        writeln!(answers, "{answer}")?;
    }
    Ok(())
}

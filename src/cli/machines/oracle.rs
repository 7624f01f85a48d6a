//! `tamper oracle`: a teacher for learners of state machines (`docs/book/src/oracle-protocol.md`).

use std::io::{self, BufRead, Read as _, Write};
use std::path::PathBuf;

use anyhow::{Result, bail};
use clap::Args;

use crate::cli::arguments::unspecified::{GraphArgs, MachineArgs};
use crate::cli::door::{is_plain, open};
use crate::cli::exit::ExitCode;
use crate::cli::machines::oracle_session::LearnerSession;
use crate::cli::machines::read_one;
use crate::cli::terminal::Terminal;
use tamper::formats::{FileKind, STDIN};

/// `tamper oracle`.
///
/// A learner of automata asks for what it needs, a line at a time, on standard input, and is answered on standard output:
/// what the machine answers to a word, whether a hypothesis is right (if not, the shortest word that shows it), or tests
/// that kill the mutants of a hypothesis, for a system that only the learner can ask.
#[derive(Args, Debug)]
#[command(after_help = "\
  asked                          answered
  inputs                         inputs a b
  word a b a                     outputs 0 0 1
  hypothesis dot, then a graph and a line `end` (or text; or hypothesis file PATH)
                                 read 4 states
  equivalent                     equivalent, or counterexample a b / 0 1 / 0 0 (the machine's outputs, the hypothesis's)
  seen a b / 0 1                 ok: what the learner's own system answered
  suite one                      suite 7 left 0, then test a b … on 7 lines: with all that was seen they kill every mutant
                                 of the hypothesis with one wrong transition
  suite split                    the same, and if one transition leads to a copy of its target with a wrong transition;
                                 suite split 50 20: at most 20 tests of about 50 inputs, and how many mutants are left
  suite all 1                    tests that no machine with up to 1 state more than the hypothesis passes, but equivalent ones
  quit
A line that is none of these is answered by error and the reason; the end of the input is the end. All of it:
docs/book/src/oracle-protocol.md; a learner: scripts/learn-with-oracle.sh.

Examples:
  tamper oracle machine.dot
  printf 'word a b\\n' | tamper oracle machine.fsm
  tamper oracle                                     without a machine: suites for hypotheses about a system of your own")]
pub struct OracleArgs {
    /// The machine: text (.fsm), KISS2 (.kiss, .kiss2) or DOT (.dot, .gv) [default: none]
    pub machine: Option<PathBuf>,
    #[command(flatten)]
    pub read: MachineArgs,
    #[command(flatten)]
    pub graph: GraphArgs,
}

/// The longest line that is read, in bytes.
const LONGEST_LINE: u64 = 1 << 20;

/// Answers lines until the input ends.
pub fn oracle(args: &OracleArgs, terminal: &Terminal) -> Result<ExitCode> {
    if args.machine.as_ref().is_some_and(|path| path.as_os_str() == STDIN) {
        bail!("standard input is where the questions come from: name the file of the machine");
    }
    let options = args.graph.with(args.read.options());
    let system = match &args.machine {
        Some(path) => {
            let subject = open(path)?;
            match subject.kind {
                FileKind::Machine(format) if is_plain(format) => {
                    Some(read_one(&subject.written_in(format), &options, terminal)?)
                }
                _ => return subject.refused("oracle"),
            }
        }
        None => None,
    };
    serve(
        &mut io::stdin().lock(),
        &mut io::stdout().lock(),
        LearnerSession::new(system, args.read.options()),
    )?;
    Ok(ExitCode::Yes)
}

fn serve(questions: &mut impl BufRead, answers: &mut impl Write, mut session: LearnerSession) -> io::Result<()> {
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

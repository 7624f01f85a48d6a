//! `tamper oracle` as it is typed.

use std::path::PathBuf;

use clap::Args;

use super::unspecified::MachineArgs;

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
}

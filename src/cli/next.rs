//! The command that most people type next, said at the end of a command on a terminal.

use std::ffi::OsString;
use std::path::Path;

use super::command::Command;
use super::exit::ExitCode;
use super::shell::{name, word};
use super::suite_run_args::RunArgs;

/// Options that mean the same to the next command: what is looked at, and its mutants.
const SHARED: &str = "--template --network --system --environment --internal --observe --mutate --scope --operators \
    --order --sample";

/// A command that was done, and how it went.
#[derive(Clone, Copy, Debug)]
pub struct Done<'d> {
    /// The command.
    pub command: &'d Command,
    /// What was typed.
    pub words: &'d [OsString],
    /// How it went.
    pub code: ExitCode,
}

/// What to type next; none where nothing follows, or that is not known.
pub fn next(done: Done<'_>) -> Option<String> {
    let Done { command, words, code } = done;
    if !matches!(code, ExitCode::Yes | ExitCode::No) {
        return None;
    }
    let shared = shared(words);
    let rest = match command {
        Command::Check(args) => format!("classify {}{shared}", name(&args.file)),
        Command::Refine(args) if code == ExitCode::No && !args.shown.witness => format!("{} --witness", typed(words)?),
        Command::Compose(args) => format!("classify {}", name(&args.out)),
        Command::Classify(args) => format!("testgen {} --out suite.json{shared}", name(&args.file)),
        Command::Testgen(args) => against(&args.out),
        Command::Minimise(args) => against(args.out()),
        Command::NewAdapter(_) => against(Path::new("suite.json")),
        Command::Score(args) => format!(
            "minimise {} {} --out small.json{shared}",
            name(&args.judged.suite),
            name(&args.judged.file)
        ),
        Command::Export(args) => format!("run suite.json --against {}", name(&args.out)),
        Command::Fmm(args) => format!("features {}", name(&args.out.join("features.uvl"))),
        Command::Project(args) => format!("check {}", name(&args.out)),
        Command::Features(args) if args.why.is_none() => format!("draw {} --out features.svg", name(&args.file)),
        Command::Coverage(args) if code == ExitCode::No && args.complete.is_none() => {
            format!("{} --complete", typed(words)?)
        }
        Command::Run(args) => return after_run(args, words, code),
        _ => return None,
    };
    Some(format!("tamper {rest}"))
}

/// What follows a run of tests: what is wrong with the program, where that can be found out.
fn after_run(args: &RunArgs, words: &[OsString], code: ExitCode) -> Option<String> {
    if code == ExitCode::Yes || args.sut.is_none() {
        return None;
    }
    Some(match &args.program.results {
        Some(results) => format!("tamper diagnose {}", name(results)),
        None => format!("tamper {} --results run.jsonl", typed(words)?),
    })
}

/// The run of a suite against a program that has yet to be named.
fn against(suite: &Path) -> String {
    format!("run {} --sut COMMAND --accelerated", name(suite))
}

/// What was typed behind the name of the program.
fn typed(words: &[OsString]) -> Option<String> {
    let words: Option<Vec<String>> = words.iter().skip(1).map(|typed| Some(word(typed.to_str()?))).collect();
    Some(words?.join(" "))
}

/// The options among what was typed that mean the same to the next command, each behind a space.
fn shared(words: &[OsString]) -> String {
    let mut kept = String::new();
    let mut words = words.iter().filter_map(|typed| typed.to_str()).peekable();
    while let Some(typed) = words.next() {
        let (option, value) = typed
            .split_once('=')
            .map_or((typed, None), |(option, value)| (option, Some(value)));
        if SHARED.split(' ').all(|shared| shared != option) {
            continue;
        }
        kept += &format!(" {option}");
        let value = match option {
            "--network" => None,
            _ => value.or_else(|| words.next()),
        };
        if let Some(value) = value {
            kept += &format!(" {}", word(value));
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use clap::Parser as _;

    use super::super::command::Cli;
    use super::*;

    fn after(typed: &str, code: ExitCode) -> Option<String> {
        let words: Vec<OsString> = typed.split(' ').map(OsString::from).collect();
        let cli = Cli::try_parse_from(&words).unwrap_or_else(|error| panic!("{typed}: {error}"));
        next(Done {
            command: &cli.command,
            words: &words,
            code,
        })
    }

    #[test]
    fn each_command_leads_to_one_that_can_be_typed() {
        let yes = [
            (
                "tamper check a.xml --environment User",
                "tamper classify a.xml --environment User",
            ),
            ("tamper compose net.xml --out one.xml", "tamper classify one.xml"),
            (
                "tamper classify a.xml --mutate=P,Q --witness --order 2",
                "tamper testgen a.xml --out suite.json --mutate P,Q --order 2",
            ),
            (
                "tamper testgen a.xml --out s.json",
                "tamper run s.json --sut COMMAND --accelerated",
            ),
            (
                "tamper minimise s.json a.xml --in-place",
                "tamper run s.json --sut COMMAND --accelerated",
            ),
            (
                "tamper new-adapter python",
                "tamper run suite.json --sut COMMAND --accelerated",
            ),
            (
                "tamper score s.json a.xml",
                "tamper minimise s.json a.xml --out small.json",
            ),
            (
                "tamper export a.xml --keep all --out mutants",
                "tamper run suite.json --against mutants",
            ),
            ("tamper fmm a.xml --out all", "tamper features all/features.uvl"),
            (
                "tamper project a.xml --features a.uvl --out b.xml",
                "tamper check b.xml",
            ),
        ];
        for (typed, expected) in yes {
            let said = after(typed, ExitCode::Yes).expect(typed);
            assert_eq!(said, expected, "{typed}");
            let words = said.split(' ');
            assert!(Cli::try_parse_from(words).is_ok(), "{said}");
        }
    }

    #[test]
    fn an_answer_that_is_no_leads_to_why() {
        let no = [
            ("tamper refine a.xml A B", "tamper refine a.xml A B --witness"),
            (
                "tamper coverage m.fsm s.suite",
                "tamper coverage m.fsm s.suite --complete",
            ),
            (
                "tamper run s.json --sut ./p",
                "tamper run s.json --sut ./p --results run.jsonl",
            ),
            (
                "tamper run s.json --sut ./p --results r.jsonl",
                "tamper diagnose r.jsonl",
            ),
        ];
        for (typed, expected) in no {
            assert_eq!(after(typed, ExitCode::No).as_deref(), Some(expected), "{typed}");
            assert!(Cli::try_parse_from(expected.split(' ')).is_ok(), "{expected}");
            assert_eq!(after(typed, ExitCode::Yes), None, "{typed}");
        }
        assert_eq!(after("tamper check a.xml", ExitCode::Error), None);
        assert_eq!(after("tamper completions bash", ExitCode::Yes), None);
    }
}

//! Which commands go to transition systems.

use std::path::Path;

use anyhow::{Result, bail};

use super::load::SystemFormat;
use super::{actions, check, classify, export, minimise, refine, suites};
use crate::cli::args::GlobalArgs;
use crate::cli::command::Command;
use crate::cli::exit::ExitCode;
use crate::cli::given::Given;
use crate::cli::terminal::Terminal;

/// What a command that understands transition systems takes besides their files.
const LIMITS: [&str; 3] = ["timeout", "max_states", "max_memory"];

/// What `testgen` takes besides.
const TESTGEN: [&str; 5] = ["file", "out", "kill", "strategy", "max_nodes"];

/// Does `command` if its file is a transition system; none if it is not.
pub fn dispatch(
    command: &Command,
    global: &GlobalArgs,
    given: &Given,
    terminal: &Terminal,
) -> Option<Result<ExitCode>> {
    if let Command::Run(args) = command {
        let known: &[&str] = match args.sut {
            Some(_) => &["suite", "sut", "patience", "only"],
            None => &["suite", "against", "only", "timeout", "max_states", "max_memory"],
        };
        let what = format!("a suite for untimed systems ({})", args.suite.display());
        let run = || given.only(known, &what).and_then(|()| suites::run(args, terminal));
        let is_model = args
            .against
            .first()
            .is_some_and(|model| SystemFormat::of(model).is_some());
        return (is_model || suites::is_suite(&args.suite)).then(run);
    }
    let (file, verb) = file_of(command)?;
    let Some(format) = SystemFormat::of(file) else {
        let refused = given.has("complete").then(|| refuse_complete(file));
        return refused;
    };
    let what = match format {
        SystemFormat::Actions => format!("an action system ({})", file.display()),
        SystemFormat::Smv | SystemFormat::Btor2 => format!("a transition system ({})", file.display()),
    };
    let complete: &[&str] = match format {
        SystemFormat::Actions => &[],
        SystemFormat::Smv | SystemFormat::Btor2 => &["complete"],
    };
    let only = |own: &[&'static str]| given.only(&[own, complete, &LIMITS].concat(), &what);
    Some(match (command, format) {
        (Command::Check(args), SystemFormat::Smv | SystemFormat::Btor2) => {
            only(&["file"]).and_then(|()| check::check(args, terminal))
        }
        (Command::Check(args), SystemFormat::Actions) => only(&["file"]).and_then(|()| actions::check(args, terminal)),
        (Command::Refine(args), SystemFormat::Smv | SystemFormat::Btor2) => {
            only(&["file", "left", "witness"]).and_then(|()| refine::refine(args, terminal))
        }
        (Command::Refine(args), SystemFormat::Actions) => {
            only(&["file", "left"]).and_then(|()| actions::refine(args, terminal))
        }
        (Command::Classify(args), SystemFormat::Smv | SystemFormat::Btor2) => {
            only(&["file", "witness"]).and_then(|()| classify::classify(args, terminal))
        }
        (Command::Classify(args), SystemFormat::Actions) => {
            only(&["file", "witness"]).and_then(|()| actions::classify(args, terminal))
        }
        (Command::Testgen(args), _) => only(&TESTGEN).and_then(|()| suites::testgen(args, format, terminal)),
        (Command::Score(args), _) => {
            only(&["suite", "file", "kill", "fail_under"]).and_then(|()| suites::score(args, format, terminal))
        }
        (Command::Minimise(args), _) => {
            let own = [
                "suite",
                "file",
                "kill",
                "criterion",
                "keep_all",
                "max_nodes",
                "out",
                "in_place",
            ];
            only(&own).and_then(|()| minimise::minimise(args, format, terminal))
        }
        (Command::Export(args), _) => {
            let target = given.has("target").then_some(args.target);
            only(&["file", "out", "target"]).and_then(|()| export::export(args, (format, target), global, terminal))
        }
        _ => unknown_verb(verb, format),
    })
}

fn refuse_complete(file: &Path) -> Result<ExitCode> {
    bail!("--complete is for transition systems; {} is none", file.display())
}

fn unknown_verb(verb: &str, format: SystemFormat) -> Result<ExitCode> {
    bail!(
        "tamper {verb} is for timed games; {} files know check, refine, classify, testgen, score, minimise, run and export",
        format.name()
    )
}

/// The model that a command is about, and the command's name.
fn file_of(command: &Command) -> Option<(&Path, &'static str)> {
    let found: (&Path, _) = match command {
        Command::Check(args) => (&args.file, "check"),
        Command::Refine(args) => (&args.file, "refine"),
        Command::Classify(args) => (&args.file, "classify"),
        Command::Export(args) => (&args.file, "export"),
        Command::Fmm(args) => (&args.file, "fmm"),
        Command::Project(args) => (&args.file, "project"),
        #[cfg(feature = "drawing")]
        Command::Draw(args) => (&args.file, "draw"),
        Command::Testgen(args) => (&args.file, "testgen"),
        Command::Score(args) => (&args.judged.file, "score"),
        Command::Minimise(args) => (&args.judged.file, "minimise"),
        _ => return None,
    };
    Some(found)
}

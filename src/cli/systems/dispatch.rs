//! Which commands go to transition systems.

use std::path::Path;

use anyhow::{Result, bail};

use super::load::SystemFormat;
use super::{actions, check, classify, refine};
use crate::cli::args::Command;
use crate::cli::exit::ExitCode;
use crate::cli::given::Given;
use crate::cli::terminal::Terminal;

/// What a command that understands transition systems takes besides their files.
const LIMITS: [&str; 3] = ["timeout", "max_states", "max_memory"];

/// Does `command` if its file is a transition system; none if it is not.
pub fn dispatch(command: &Command, given: &Given, terminal: &Terminal) -> Option<Result<ExitCode>> {
    let (file, verb) = file_of(command)?;
    let Some(format) = SystemFormat::of(file) else {
        let refused = given.has("complete").then(|| refuse_complete(file));
        return refused;
    };
    let known = |own: &[&'static str]| [own, &LIMITS].concat();
    let what = format!("a transition system ({})", file.display());
    if format == SystemFormat::Actions {
        let what = format!("an action system ({})", file.display());
        return Some(match command {
            Command::Check(args) => given
                .only(&known(&["file"]), &what)
                .and_then(|()| actions::check(args, terminal)),
            Command::Refine(args) => given
                .only(&known(&["file", "left"]), &what)
                .and_then(|()| actions::refine(args, terminal)),
            Command::Classify(args) => given
                .only(&known(&["file", "witness"]), &what)
                .and_then(|()| actions::classify(args, terminal)),
            _ => unknown_verb(verb, format),
        });
    }
    Some(match command {
        Command::Check(args) => given
            .only(&known(&["file", "complete"]), &what)
            .and_then(|()| check::check(args, terminal)),
        Command::Refine(args) => given
            .only(&known(&["file", "left", "complete", "witness"]), &what)
            .and_then(|()| refine::refine(args, terminal)),
        Command::Classify(args) => given
            .only(&known(&["file", "complete", "witness"]), &what)
            .and_then(|()| classify::classify(args, terminal)),
        _ => unknown_verb(verb, format),
    })
}

fn refuse_complete(file: &Path) -> Result<ExitCode> {
    bail!("--complete is for transition systems; {} is none", file.display())
}

fn unknown_verb(verb: &str, format: SystemFormat) -> Result<ExitCode> {
    bail!(
        "tamper {verb} is for timed games; {} files know check, refine and classify",
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
        _ => return None,
    };
    Some(found)
}

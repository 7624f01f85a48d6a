//! Which commands go to state machines.

use anyhow::Result;
#[cfg(feature = "drawing")]
use anyhow::bail;

use super::load::is_machine;
#[cfg(feature = "drawing")]
use super::load::read;
use super::{families, refine};
use crate::cli::command::Command;
#[cfg(feature = "drawing")]
use crate::cli::draw::{DrawArgs, DrawFormat};
use crate::cli::exit::ExitCode;
use crate::cli::given::Given;
use crate::cli::terminal::Terminal;
#[cfg(feature = "drawing")]
use crate::cli::unspecified::UnspecifiedArg;
#[cfg(feature = "drawing")]
use tamper::experiment::write_file;
#[cfg(feature = "drawing")]
use tamper::formats::machines::{read_suite, write_distinguishing, write_distinguishing_of, write_dot};

const LIMITS: [&str; 3] = ["timeout", "max_states", "max_memory"];

/// Does `command` if its file is a state machine; none if it is not. (`coverage` and `oracle` are about machines anyway.)
pub fn dispatch(command: &Command, given: &Given, terminal: &Terminal) -> Option<Result<ExitCode>> {
    let only = |own: &[&'static str], file: &std::path::Path| {
        given.only(
            &[own, &LIMITS].concat(),
            &format!("a state machine ({})", file.display()),
        )
    };
    match command {
        Command::Refine(args) if is_machine(&args.file) => {
            let own = ["file", "left", "unspecified"];
            Some(only(&own, &args.file).and_then(|()| refine::refine(args, terminal)))
        }
        Command::Families(args) if is_machine(&args.file) => {
            let own = ["file", "against", "unspecified"];
            Some(only(&own, &args.file).and_then(|()| families::families(args, terminal)))
        }
        #[cfg(feature = "drawing")]
        Command::Draw(args) if is_machine(&args.file) => {
            let own = ["file", "target", "out", "distinguishing"];
            Some(only(&own, &args.file).and_then(|()| draw(args, terminal)))
        }
        _ => None,
    }
}

/// Writes the machine as a graph, which is how learners write it, too.
#[cfg(feature = "drawing")]
fn draw(args: &DrawArgs, terminal: &Terminal) -> Result<ExitCode> {
    if args.target != DrawFormat::Dot {
        bail!(
            "state machines are drawn for Graphviz: tamper draw {} --as dot | dot -Tsvg",
            args.file.display()
        );
    }
    let machine = read(&args.file, UnspecifiedArg::Refuse, terminal)?;
    let text = match args.distinguishing.as_deref() {
        None => write_dot(&machine),
        Some("") => write_distinguishing(&machine),
        Some(word) => {
            let tests = read_suite("--distinguishing", word.as_bytes(), &machine)?;
            write_distinguishing_of(&machine, &tests.concat())
        }
    };
    match &args.out {
        Some(path) => write_file(path, &text)?,
        None => terminal.result(&text)?,
    }
    Ok(ExitCode::Yes)
}

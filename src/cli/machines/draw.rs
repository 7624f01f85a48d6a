//! `tamper draw` of state machines.

use anyhow::{Result, bail};

use super::load::read;
use crate::cli::door::MachineFile;
use crate::cli::exit::ExitCode;
use crate::cli::pages::draw::{DrawArgs, DrawFormat};
use crate::cli::terminal::Terminal;
use tamper::experiment::write_file;
use tamper::formats::machines::{MachineOptions, read_suite, write_distinguishing, write_distinguishing_of, write_dot};

/// Writes the machine as a graph, in the form that learners write, too.
pub fn draw(file: &MachineFile, args: &DrawArgs, terminal: &Terminal) -> Result<ExitCode> {
    if args.target != DrawFormat::Dot {
        bail!(
            "state machines are drawn for Graphviz: tamper draw {} --as dot | dot -Tsvg",
            args.file.display()
        );
    }
    let machine = read(file, &args.graph.with(MachineOptions::default()), terminal)?;
    let text = match args.machine.distinguishing.as_deref() {
        None => write_dot(&machine),
        Some("") => write_distinguishing(&machine),
        Some(word) => {
            let suite = read_suite("--distinguishing", word.as_bytes(), &machine)?;
            write_distinguishing_of(&machine, &suite.agreeing_with(&machine)?.concat())
        }
    };
    match &args.out {
        Some(path) => write_file(path, &text)?,
        None => terminal.result(&text)?,
    }
    Ok(ExitCode::Yes)
}

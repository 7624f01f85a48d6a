//! `tamper compose`.

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use serde_json::json;

use crate::cli::arguments::args::LimitArgs;
use crate::cli::arguments::network_args::{Composition, NetworkArgs};
use crate::cli::exit::ExitCode;
use crate::cli::terminal::{Terminal, counted};
use tamper::experiment::write_parts;

/// `tamper compose`.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  tamper compose trains.xml --out one.xml
  tamper compose trains.xml --system Gate --environment Train --out gate.xml")]
pub struct ComposeArgs {
    /// A network: UPPAAL's .xml or .xta, or TChecker's .tck
    pub file: PathBuf,
    /// Where the composed game goes, as a UPPAAL file
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
    #[command(flatten)]
    pub network: NetworkArgs,
    #[command(flatten)]
    pub limits: LimitArgs,
}

/// Writes the composition of a network.
pub fn compose(args: &ComposeArgs, terminal: &Terminal) -> Result<ExitCode> {
    let composition = Composition::read(&args.file, &args.network, &args.limits, terminal)?;
    write_parts(&args.out, |draft| composition.write(draft))?;
    let automaton = &composition.composed.automaton;
    let (locations, edges) = (automaton.locations().len(), automaton.edges().len());
    let actions: Vec<String> = composition.composed.seen_actions().map(ToString::to_string).collect();
    let explored = composition.composed.n_explored;
    if let Err(limit) = composition.origin().comparable() {
        terminal.note(&format!("note: {limit:#}"));
    }
    let (out, n_processes) = (args.out.display(), composition.network.processes.len());
    let json = || {
        json!({
            "out": out.to_string(),
            "processes": n_processes,
            "locations": locations,
            "edges": edges,
            "actions": actions,
            "symbolic_states": explored,
            "symbolic_states_kept": composition.composed.n_kept,
        })
    };
    let text = || {
        let (locations, edges) = (counted(locations, "location"), counted(edges, "edge"));
        format!(
            "{} as one game: {locations}, {edges}, {} ({}); written to {out}",
            counted(n_processes, "process"),
            counted(actions.len(), "action"),
            counted(explored, "symbolic state")
        )
    };
    terminal.answer(json, text)?;
    Ok(ExitCode::Yes)
}

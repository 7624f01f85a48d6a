//! `tamper report` of a run on mutants of an untimed system.

use anyhow::{Context as _, Result};

use super::merge::of_run;
use crate::cli::arguments::run_args::ReportArgs;
use crate::cli::exit::ExitCode;
use crate::cli::terminal::{Terminal, counted};
use tamper::experiment::{Filter, write_file};
use tamper::report::{PageFacts, RunPage};
use tamper::untimed::keep_untimed;

/// Writes the page of a run.
pub fn report(args: &ReportArgs, terminal: &Terminal) -> Result<ExitCode> {
    let decided = of_run(&args.run, args.of_run.model.as_deref(), terminal)?;
    let (untimed, selection) = (&decided.untimed.mutants, decided.selection());
    let mut page = RunPage::of_text(untimed.source().text());
    for (number, record) in keep_untimed(untimed, &args.run, &selection, &Filter::all())? {
        let mutant = untimed.mutant(number).context("the run has this mutant")?;
        page.add_untimed(number, &mutant, &record);
    }
    let facts = PageFacts::of_untimed(&decided.plan, &args.run, selection.len(), untimed.len());
    write_file(&args.out, page.html(&facts, &[], None))?;
    terminal.note(&format!(
        "{} in {}",
        counted(selection.len(), "mutant"),
        args.out.display()
    ));
    Ok(ExitCode::Yes)
}

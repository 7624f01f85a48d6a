//! `tamper report` of the answer of `run`, `score` or `coverage`, and of the results of a run.

use std::path::Path;

use anyhow::{Context as _, Result};
use serde_json::Value;

use crate::cli::exit::ExitCode;
use crate::cli::terminal::Terminal;
use tamper::experiment::write_file;
use tamper::formats::{is_run_results, read_text};
use tamper::programs::read_results;
use tamper::report::ResultsPage;

/// Writes the page of the JSON in `printed`, or of the lines that `run --results` wrote there.
pub fn report(printed: &Path, out: &Path, terminal: &Terminal) -> Result<ExitCode> {
    let name = printed.display();
    let text = read_text(
        printed,
        "name the folder of a finished `tamper classify`, a file of what run, score or coverage printed with --format json, or of what run --results wrote",
    )?;
    let page = match is_run_results(text.as_bytes()) {
        true => ResultsPage::of_results(&read_results(printed)?),
        false => {
            let value: Value = serde_json::from_str(&text).with_context(|| name.to_string())?;
            ResultsPage::of(&value).with_context(|| {
                format!(
                    "{name}: this is not what `run`, `score` or `coverage` of timed games or machines print with --format json"
                )
            })?
        }
    };
    write_file(out, page.html(&name.to_string()))?;
    terminal.note(&format!("written to {}", out.display()));
    Ok(ExitCode::Yes)
}

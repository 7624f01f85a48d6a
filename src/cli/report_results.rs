//! `tamper report` of what `run`, `score` or `coverage` printed.

use std::path::Path;

use anyhow::{Context as _, Result};
use serde_json::Value;

use super::exit::ExitCode;
use super::terminal::Terminal;
use tamper::experiment::write_file;
use tamper::formats::read_text;
use tamper::report::ResultsPage;

/// Writes the page of the JSON in `printed`.
pub fn report(printed: &Path, out: &Path, terminal: &Terminal) -> Result<ExitCode> {
    let name = printed.display();
    let text = read_text(
        printed,
        "name the folder of a finished `tamper classify`, or a file of what run, score or coverage printed with --format json",
    )?;
    let value: Value = serde_json::from_str(&text).with_context(|| name.to_string())?;
    let page = ResultsPage::of(&value);
    let page = page.with_context(|| {
        format!(
            "{name}: this is not what `run`, `score` or `coverage` of timed games or machines print with --format json"
        )
    })?;
    write_file(out, page.html(&name.to_string()))?;
    terminal.note(&format!("written to {}", out.display()));
    Ok(ExitCode::Yes)
}

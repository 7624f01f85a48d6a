//! `tamper harness`.

use anyhow::{Context as _, Result};
use serde_json::json;

use super::exit::ExitCode;
use super::harness_args::{HarnessArgs, HarnessTarget};
use super::suite_run_args::chosen;
use super::suites::load_suite;
use super::terminal::Terminal;
use tamper::experiment::write_file;
use tamper::formats::{Runner, write_c, write_javascript, write_pytest};

/// Writes tests as a program.
pub fn harness(args: &HarnessArgs, terminal: &Terminal) -> Result<ExitCode> {
    let suite = load_suite(&args.suite)?;
    let name = || args.suite.display().to_string();
    let tests = chosen(&suite.tests, &args.only).with_context(name)?;
    let text = match args.target {
        HarnessTarget::Pytest => write_pytest(&suite, &tests),
        HarnessTarget::NodeTest => write_javascript(&suite, &tests, Runner::Node),
        HarnessTarget::Jest => write_javascript(&suite, &tests, Runner::Jest),
        HarnessTarget::Vitest => write_javascript(&suite, &tests, Runner::Vitest),
        HarnessTarget::C => write_c(&suite, &tests).with_context(name)?,
    };
    write_file(&args.out, text)?;
    let file = args.out.display().to_string();
    terminal.answer(
        || json!({ "tests": tests.len(), "out": file }),
        || format!("{} tests written to {file}", tests.len()),
    )?;
    Ok(ExitCode::Yes)
}

//! `tamper harness`.

use std::path::PathBuf;

use anyhow::{Context as _, Result};
use clap::{Args, ValueEnum};
use serde_json::json;

use crate::cli::arguments::suite_run_args::chosen;
use crate::cli::exit::ExitCode;
use crate::cli::terminal::{Terminal, counted};
use crate::cli::testing::suites::load_suite;
use tamper::experiment::write_file;
use tamper::formats::{Runner, write_c, write_javascript, write_pytest, write_tokio};

/// `tamper harness`.
///
/// Writes the tests of a suite as one file that runs them without tamper, exactly and in time that the system is told of, and says in
/// the same words as `tamper run --accelerated` why a test fails.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  tamper harness suite.json --as pytest --out test_washer.py
  TAMPER_SUT='python3 adapter.py' pytest test_washer.py        a program behind tamper's protocol
  TAMPER_SYSTEM=adapter:System pytest test_washer.py           a class of Python
  TAMPER_SYSTEM=adapter:start pytest test_washer.py            a program of asyncio, in virtual time without a process of its own
  tamper harness suite.json --as node-test --out washer.test.mjs
  TAMPER_SUT='node adapter.js' node --test washer.test.mjs     a program behind tamper's protocol
  TAMPER_SYSTEM=./adapter.js node --test washer.test.mjs       the same adapter, in virtual time without a process of its own
  tamper new-adapter tokio --out tests/adapter/mod.rs
  tamper harness suite.json --as tokio --out tests/suite.rs
  cargo test --test suite                                      a program of tokio: see the head of tests/suite.rs
  tamper harness suite.json --as c --out suite.c
  cc -o suite suite.c system.c && ./suite                      five functions of the system: see the head of suite.c")]
pub struct HarnessArgs {
    /// A suite of timed tests (JSON)
    pub suite: PathBuf,
    /// What to write
    #[arg(long = "as", value_enum, value_name = "RUNNER")]
    pub target: HarnessTarget,
    /// Only these tests, by id
    #[arg(long, value_name = "TEST", value_delimiter = ',')]
    pub only: Vec<String>,
    /// The file to write
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
}

/// What tests are written as.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub enum HarnessTarget {
    /// A module for pytest (Python 3.9), also of programs of asyncio
    #[value(alias = "pytest-asyncio")]
    Pytest,
    /// An ES module for the runner of Node (Node 18)
    NodeTest,
    /// A CommonJS module for Jest
    Jest,
    /// An ES module for Vitest
    Vitest,
    /// A file of cargo's tests, for programs of tokio
    Tokio,
    /// A file of C99; its results are lines of the Test Anything Protocol
    C,
}

/// Writes tests as a program of another test framework.
pub fn harness(args: &HarnessArgs, terminal: &Terminal) -> Result<ExitCode> {
    let suite = load_suite(&args.suite)?;
    let name = || args.suite.display().to_string();
    let tests = chosen(&suite.tests, &args.only).with_context(name)?;
    let text = match args.target {
        HarnessTarget::Pytest => write_pytest(&suite, &tests),
        HarnessTarget::NodeTest => write_javascript(&suite, &tests, Runner::Node),
        HarnessTarget::Jest => write_javascript(&suite, &tests, Runner::Jest),
        HarnessTarget::Vitest => write_javascript(&suite, &tests, Runner::Vitest),
        HarnessTarget::Tokio => write_tokio(&suite, &tests).with_context(name)?,
        HarnessTarget::C => write_c(&suite, &tests).with_context(name)?,
    };
    write_file(&args.out, text)?;
    let file = args.out.display().to_string();
    terminal.answer(
        || json!({ "tests": tests.len(), "out": file }),
        || format!("{} written to {file}", counted(tests.len(), "test")),
    )?;
    Ok(ExitCode::Yes)
}

//! Files that come with a program: completions for shells, manual pages, and adapters to begin with.

use std::path::Path;

use anyhow::{Context as _, Result};

use super::exit::ExitCode;
use super::headings;
use super::terminal::Terminal;
use crate::cli::arguments::packaging_args::{AdapterLanguage, CompletionsArgs, ManArgs, NewAdapterArgs};
use tamper::experiment::{FolderLock, write_file};

/// Prints the completions for a shell.
pub fn completions(args: &CompletionsArgs, terminal: &Terminal) -> Result<ExitCode> {
    let mut text = Vec::new();
    clap_complete::generate(args.shell, &mut headings::command(), "tamper", &mut text);
    terminal.part(&String::from_utf8_lossy(&text))?;
    Ok(ExitCode::Yes)
}

/// Writes the manual pages.
pub fn man(args: &ManArgs, terminal: &Terminal) -> Result<ExitCode> {
    let _lock = FolderLock::make(&args.out)?;
    let mut command = headings::command();
    command.build();
    let mut n = 1;
    page(&args.out, &command, "tamper")?;
    for one in command
        .get_subcommands()
        .filter(|one| !one.is_hide_set() && one.get_name() != "help")
    {
        page(&args.out, one, &format!("tamper-{}", one.get_name()))?;
        n += 1;
    }
    terminal.note(&format!("{n} pages in {}", args.out.display()));
    Ok(ExitCode::Yes)
}

fn page(folder: &Path, command: &clap::Command, name: &str) -> Result<()> {
    let man = clap_mangen::Man::new(command.clone()).title(name);
    let mut text = Vec::new();
    man.render(&mut text).context("a page cannot be made")?;
    Ok(write_file(&folder.join(format!("{name}.1")), text)?)
}

/// Writes an adapter to begin with, and beside it the kit, if that is a single file.
pub fn new_adapter(args: &NewAdapterArgs, terminal: &Terminal) -> Result<ExitCode> {
    let text = match (args.language, args.real) {
        (AdapterLanguage::Python, false) => include_str!("../../examples/adapters/adapter.py"),
        (AdapterLanguage::Python, true) => include_str!("../../examples/adapters/real_time.py"),
        // With a kit, one text serves both clocks.
        (AdapterLanguage::C, _) => include_str!("../../examples/adapters/adapter.c"),
        (AdapterLanguage::Java, _) => include_str!("../../examples/adapters/Adapter.java"),
        (AdapterLanguage::Rust, _) => include_str!("../../examples/adapters/adapter.rs"),
        (AdapterLanguage::Tokio, _) => include_str!("../../examples/adapters/tokio.rs"),
        (AdapterLanguage::Node, _) => include_str!("../../examples/adapters/node.js"),
        (AdapterLanguage::Asyncio, _) => include_str!("../../examples/adapters/asyncio_loop.py"),
    };
    let kit = match args.language {
        AdapterLanguage::C => Some(("tamper_sut.h", include_str!("../../examples/adapters/tamper_sut.h"))),
        AdapterLanguage::Java => Some(("TamperSut.java", include_str!("../../examples/adapters/TamperSut.java"))),
        AdapterLanguage::Python
        | AdapterLanguage::Rust
        | AdapterLanguage::Tokio
        | AdapterLanguage::Node
        | AdapterLanguage::Asyncio => None,
    };
    match (&args.out, kit) {
        (Some(path), Some((name, kit))) => {
            write_file(path, text)?;
            write_file(&path.with_file_name(name), kit)?;
        }
        (Some(path), None) => write_file(path, text)?,
        (None, Some((name, _))) => {
            terminal.part(text)?;
            terminal.note(&format!("it needs {name}, which --out FILE writes beside it"));
        }
        (None, None) => terminal.part(text)?,
    }
    Ok(ExitCode::Yes)
}

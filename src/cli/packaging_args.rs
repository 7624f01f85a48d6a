//! What the commands around a program take.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use clap_complete::Shell;

/// `tamper completions`.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  tamper completions bash > ~/.local/share/bash-completion/completions/tamper
  tamper completions zsh > ~/.zfunc/_tamper
  tamper completions fish > ~/.config/fish/completions/tamper.fish")]
pub struct CompletionsArgs {
    /// The shell
    #[arg(value_enum)]
    pub shell: Shell,
}

/// `tamper man`.
#[derive(Args, Debug)]
pub struct ManArgs {
    /// The folder for the pages: tamper.1, and one per command; `man -l DIR/tamper.1` shows one
    #[arg(long, value_name = "DIR")]
    pub out: PathBuf,
}

/// `tamper new-adapter`.
#[derive(Args, Debug)]
#[command(after_help = "\
The adapter speaks for a washing machine, whose model is examples/adapters/washer.xml: put your program in its place.

Examples:
  tamper new-adapter python > adapter.py
  tamper run suite.json --sut 'python3 adapter.py' --accelerated
  tamper new-adapter python --real > adapter.py
  tamper run suite.json --sut 'python3 adapter.py' --unit 50ms --tolerance 1")]
pub struct NewAdapterArgs {
    /// The language
    #[arg(value_enum)]
    pub language: Language,
    /// For real time, in which the program's own clock counts, instead of accelerated time (Python; what uses a kit is for both)
    #[arg(long)]
    pub real: bool,
    /// The file to write [default: standard output]
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
}

/// What adapters are written in.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub enum Language {
    /// Python 3
    Python,
    /// C99
    C,
    /// Java 17
    Java,
    /// Node, with the kit of packages/node
    Node,
    /// asyncio, with `tamper.sut` of packages/python
    Asyncio,
}

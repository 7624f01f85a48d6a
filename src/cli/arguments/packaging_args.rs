//! Arguments of the commands for use around a program.

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
The adapter speaks for a washing machine, whose model is examples/adapters/washer.xml, or in C, Java, Rust and tokio for a lamp, that of uppaal-models/lamp.xml: put your program in its place.

Examples:
  tamper new-adapter python > adapter.py
  tamper run suite.json --sut 'python3 adapter.py' --accelerated
  tamper new-adapter python --real > adapter.py
  tamper run suite.json --sut 'python3 adapter.py' --unit 50ms --tolerance 1
  tamper new-adapter node --out adapter && (cd adapter && npm install)
  tamper run suite.json --sut 'node adapter/adapter.js' --accelerated
  tamper new-adapter c --out adapter.c && cc -o adapter adapter.c
  tamper run suite.json --sut ./adapter --accelerated")]
pub struct NewAdapterArgs {
    /// The language
    #[arg(value_enum)]
    pub language: AdapterLanguage,
    /// For real time, in which the program's own clock counts, instead of accelerated time (Python; adapters with a kit are for both)
    #[arg(long)]
    pub real: bool,
    /// The folder to write, with the adapter and all that it needs; or a file, such as adapter.c: the kit of C or Java is written beside it,
    /// as tamper_sut.h or TamperSut.java [default: standard output, without the kit]
    #[arg(long, value_name = "DIR|FILE")]
    pub out: Option<PathBuf>,
}

/// What adapters are written in.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub enum AdapterLanguage {
    /// Python 3
    Python,
    /// C99 and POSIX, with a kit of one header
    C,
    /// Java 17, with a kit of one file
    Java,
    /// Rust, with the kit of packages/rust
    Rust,
    /// tokio, with the kit of packages/rust and its feature `tokio`
    Tokio,
    /// Node, with the kit of packages/node
    Node,
    /// asyncio, with `tamper.sut` of packages/python
    Asyncio,
}

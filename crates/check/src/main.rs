//! `tamper-check FILE...`: whether certificates hold.

use std::process::ExitCode;

mod command;

fn main() -> ExitCode {
    command::run()
}

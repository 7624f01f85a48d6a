//! The book's page on the command line is what the commands print about themselves.

use std::fmt::Write as _;
use std::fs;
use std::process::Command;

use super::{root, text, writes_docs};

const PAGE: &str = "docs/book/src/help.md";

fn help(words: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tamper"));
    let output = command.args(words).env_remove("COLUMNS").output().expect("tamper runs");
    assert!(output.status.success(), "{words:?}");
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// The names of all commands: each has a manual page.
fn commands() -> Vec<String> {
    let folder = tempfile::tempdir().expect("a folder");
    help(&["man", "--out", &folder.path().display().to_string()]);
    let entries = fs::read_dir(folder.path()).expect("the pages");
    let names = entries.filter_map(|entry| entry.expect("an entry").file_name().into_string().ok());
    let mut commands: Vec<String> = names
        .filter_map(|name| Some(name.strip_prefix("tamper-")?.strip_suffix(".1")?.to_owned()))
        .collect();
    commands.sort();
    commands
}

#[test]
fn the_page_on_the_command_line_is_what_the_commands_print() {
    let commands = commands();
    assert!(commands.len() > 20, "{commands:?}");
    let mut page = format!(
        "# Every command\n\nWhat `tamper --help` and `tamper COMMAND --help` print. `tamper COMMAND -h` is one screen of it.\n\n\
         ```text\n{}```\n",
        help(&["--help"])
    );
    for command in &commands {
        let _ = write!(page, "\n## {command}\n\n```text\n{}```\n", help(&[command, "--help"]));
    }
    if writes_docs() {
        fs::write(root(PAGE), &page).expect("written");
    }
    assert!(
        text(PAGE) == page,
        "{PAGE} is not what the commands print: TAMPER_WRITE_DOCS=1 writes it anew"
    );
}

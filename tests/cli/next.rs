//! The command that follows is said to people at a terminal, and to nobody else.

#[cfg(target_os = "linux")]
use std::process::Command;

use super::{example, tamper};

/// What a command shows on a terminal, which `script` (util-linux) lends it; none where that is not there.
#[cfg(target_os = "linux")]
fn on_a_terminal(options: &str) -> Option<String> {
    let command = format!(
        "{} check {} {options}",
        env!("CARGO_BIN_EXE_tamper"),
        example("lamp.xml").display()
    );
    let mut script = Command::new("script");
    script.args(["--quiet", "--return", "--command", &command, "/dev/null"]);
    let output = script.output().ok()?;
    assert!(output.status.success(), "{output:?}");
    Some(String::from_utf8(output.stdout).expect("UTF-8"))
}

#[cfg(target_os = "linux")]
#[test]
fn on_a_terminal_the_next_command_is_said() {
    let said = format!("next: tamper classify {}", example("lamp.xml").display());
    let Some(shown) = on_a_terminal("") else { return };
    assert_eq!(shown.lines().last().map(str::trim_end), Some(said.as_str()), "{shown}");
    for options in ["--quiet", "--format json", "| cat", "2> /dev/null"] {
        let shown = on_a_terminal(options).expect("script is there");
        assert!(!shown.contains("next:") && !shown.is_empty(), "{options}: {shown}");
    }
}

#[test]
fn elsewhere_it_is_not() {
    tamper()
        .arg("check")
        .arg(example("lamp.xml"))
        .assert()
        .code(0)
        .stderr_eq("");
}

//! The lamp as a tester meets it: one conversation by hand. `tests/suites/programs_under_test/lamp.rs` tests it with suites of tamper.

use std::io::Write as _;
use std::process::{Command, Stdio};

/// What the lamp answers to these lines.
fn answers(options: &[&str], lines: &str) -> String {
    let mut lamp = Command::new(env!("CARGO_BIN_EXE_lamp"))
        .args(options)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the lamp starts");
    let mut stdin = lamp.stdin.take().expect("a pipe");
    stdin.write_all(lines.as_bytes()).expect("the lamp reads");
    drop(stdin);
    let output = lamp.wait_with_output().expect("the lamp ends");
    String::from_utf8(output.stdout).expect("text")
}

const TOUCHED: &str = "tamper 1 accelerated\ninput press\ndelay 4/3\ndelay 1\nquit\n";

/// It turns on 3/2 after a touch; what is left of that after 4/3 is 1/6.
#[test]
fn a_touched_lamp_turns_on_when_it_should() {
    assert_eq!(answers(&[], TOUCHED), "ready\nok\ndone\noutput dim after 1/6\n");
}

/// With the fault it turns on 5/2 after the touch, which is 7/6 after 4/3.
#[test]
fn a_late_lamp_is_not_on_yet() {
    assert_eq!(answers(&["--fault", "late-dim"], TOUCHED), "ready\nok\ndone\ndone\n");
}

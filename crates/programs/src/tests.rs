//! Small shell programs under test: what they say and how they fail.

use std::time::Duration;

use num_bigint::BigInt;
use num_rational::BigRational;

use super::protocol::{Response, parse_time};
use super::{RemoteSut, SutError, Target, TimeMode, Timing};
use tamper_suite::{Observed, Sut};

fn ratio(numerator: i32, denominator: i32) -> BigRational {
    BigRational::new(BigInt::from(numerator), BigInt::from(denominator))
}

/// A program of the shell in accelerated time.
fn sut(program: &str) -> RemoteSut {
    let timing = Timing {
        mode: TimeMode::Accelerated,
        patience: Duration::from_millis(400),
        start_patience: Duration::from_millis(400),
    };
    RemoteSut::new(Target::Command(program.to_owned()), timing)
}

#[test]
fn times_are_fractions_or_decimals_and_never_negative() {
    for (text, time) in [
        ("3", ratio(3, 1)),
        ("7/2", ratio(7, 2)),
        ("3.5", ratio(7, 2)),
        ("0.125", ratio(1, 8)),
    ] {
        assert_eq!(parse_time(text), Some(time), "{text}");
    }
    for text in ["", "-1", "1/0", "1/-2", ".5", "1.", "x", "1e3", "+1", "1/2/3"] {
        assert_eq!(parse_time(text), None, "{text}");
    }
}

#[test]
fn lines_that_are_none_of_the_protocol_are_told_apart() {
    let output = |after| {
        Some(Response::Output {
            action: "a".to_owned(),
            after,
        })
    };
    assert_eq!(Response::parse("output a"), output(None));
    assert_eq!(Response::parse("output a after 7/2"), output(Some(ratio(7, 2))));
    assert_eq!(
        Response::parse("log anything at all"),
        Some(Response::Remark(Some("anything at all".to_owned())))
    );
    for line in [
        "output",
        "output a b",
        "output a after",
        "output a after x",
        "READY",
        "ready now",
    ] {
        assert_eq!(Response::parse(line), None, "{line}");
    }
}

#[test]
fn a_program_that_keeps_to_the_protocol_is_heard() {
    // Answers the nth line with the nth word: hello, reset, input, delay, delay.
    let program =
        "for answer in ready ready ok 'output lit after 3/2' done; do read -r line; echo log $line; echo $answer; done";
    let mut sut = sut(program);
    sut.reset().expect("it is ready");
    sut.input("press").expect("it has arrived");
    let lit = Observed::Output {
        action: "lit".to_owned(),
        after: ratio(3, 2),
    };
    assert_eq!(sut.wait(&ratio(2, 1)).expect("it answers"), lit);
    assert_eq!(sut.wait(&ratio(2, 1)).expect("it answers"), Observed::Silence);
    // The program has ended.
    assert!(matches!(
        sut.wait(&ratio(1, 1)),
        Err(SutError::Ended { status: Some(_) })
    ));
}

#[test]
fn programs_that_cannot_be_tested_are_reported_by_what_is_wrong_with_them() {
    let said = |program: &str| {
        let mut sut = sut(program);
        let error = sut
            .reset()
            .and_then(|()| sut.wait(&ratio(1, 1)).map(|_| ()))
            .expect_err("it fails");
        error.to_string()
    };
    assert_eq!(said("sleep 5"), "hangs: no `ready` within 0.4 s");
    assert_eq!(
        said("read -r line; exit 3"),
        "crashed: it ended by itself (exit status: 3)"
    );
    assert_eq!(said("yes nonsense"), "said `nonsense` where `ready` was awaited");
    assert_eq!(said("yes output a"), "babbles: 10000 lines and no `ready` among them");
    assert_eq!(said("yes | tr -d '\\n'"), "babbles: a line of more than 4096 bytes");
    let late = "echo ready; echo ready; echo output a after 2; sleep 5";
    assert_eq!(
        said(late),
        "said `output a after 2` where `output ACTION after TIME` was awaited"
    );
    assert_eq!(
        said("/no/such/program"),
        "`/no/such/program` cannot be started: the shell finds no such program, or it is none (exit status: 127)"
    );
    assert_eq!(
        said("printf '\\033[2J\\n'; sleep 5"),
        "said `\\u{1b}[2J` where `ready` was awaited"
    );
    let nobody = RemoteSut::new(
        Target::parse("tcp://127.0.0.1:1"),
        Timing {
            mode: TimeMode::Accelerated,
            patience: Duration::from_millis(400),
            start_patience: Duration::from_millis(400),
        },
    )
    .reset();
    assert!(matches!(nobody, Err(SutError::Unreachable { .. })));
}

#[test]
fn a_failed_program_is_ended_with_all_it_started_and_begins_anew() {
    let folder = tempfile::tempdir().expect("a folder");
    let mark = folder.path().join("alive");
    // A child of the child, that leaves a mark if it lives on.
    let program = format!("(sleep 1; touch {}) & echo ready; echo ready; wait", mark.display());
    let mut sut = sut(&program);
    sut.reset().expect("it is ready");
    assert!(matches!(sut.input("press"), Err(SutError::Hangs { awaited: "ok", .. })));
    sut.reset().expect("a new one is ready");
    drop(sut);
    std::thread::sleep(Duration::from_millis(1300));
    assert!(!mark.exists());
}

#[test]
fn a_refused_input_is_heard_in_both_times() {
    let mut sut =
        sut("read -r hello; echo ready; read -r reset; echo ready; read -r input; echo refused; read -r quit");
    sut.reset().expect("it is ready");
    assert!(matches!(sut.input("press"), Ok(false)));
    let timing = Timing {
        mode: TimeMode::Real(Duration::from_millis(20)),
        patience: Duration::from_secs(2),
        start_patience: Duration::from_secs(2),
    };
    let program =
        "read -r hello; echo ready; read -r reset; echo ready; read -r input; echo refused press; read -r quit";
    let mut sut = RemoteSut::new(Target::Command(program.to_owned()), timing);
    sut.reset().expect("it is ready");
    assert!(matches!(sut.input("press"), Ok(true)));
    let refused = Observed::Refused {
        action: "press".to_owned(),
    };
    assert_eq!(sut.wait(&ratio(100, 1)).expect("it answers"), refused);
}

#[test]
fn real_time_is_the_wall_clock_s() {
    let unit = Duration::from_millis(20);
    let timing = Timing {
        mode: TimeMode::Real(unit),
        patience: Duration::from_secs(2),
        start_patience: Duration::from_secs(2),
    };
    let program = "read -r hello; echo ready; read -r reset; echo ready; sleep 0.4; echo output lit; read -r quit";
    let mut sut = RemoteSut::new(Target::Command(program.to_owned()), timing);
    sut.reset().expect("it is ready");
    assert_eq!(sut.wait(&ratio(1, 2)).expect("nothing yet"), Observed::Silence);
    let Observed::Output { action, after } = sut.wait(&ratio(100, 1)).expect("it answers") else {
        panic!("it was silent for two seconds");
    };
    assert_eq!(action, "lit");
    // 0.4 s are 20 units, of which half a unit had passed; a busy machine hears of the beginning late.
    assert!(after >= ratio(1, 1), "{after}");
}

//! What programs under test say beside the protocol, through the supervisor, and when it was.

use std::time::{Duration, Instant};

use num_rational::BigRational;
use tamper::model::Cmp;
use tamper::programs::{Remark, RemoteSut, Source, SutError, Target, TimeMode, Timing};
use tamper::suite::{
    Act, Constraint, Driven, Expected, Jump, Kill, Next, Node, Observed, Rule, Style, Sut, TestCase, TestVerdict,
    TimeUnit, What, Words, drive,
};

fn sut(program: &str, mode: TimeMode) -> RemoteSut {
    let timing = Timing {
        mode,
        patience: Duration::from_secs(10),
        start_patience: Duration::from_secs(10),
    };
    RemoteSut::new(Target::Command(program.to_owned()), timing).supervised_by(env!("CARGO_BIN_EXE_tamper").into())
}

fn time(units: i64) -> BigRational {
    BigRational::from_integer(units.into())
}

/// The remarks, once `n` of them have arrived: those of standard error take another way than the lines of the protocol.
fn remarks(sut: &mut RemoteSut, n: usize) -> Vec<Remark> {
    let deadline = Instant::now() + Duration::from_secs(10);
    let mut found = sut.take_remarks();
    while found.len() < n && Instant::now() < deadline {
        std::thread::sleep(Duration::from_millis(5));
        found.extend(sut.take_remarks());
    }
    found
}

fn texts(remarks: &[Remark]) -> Vec<(Source, &str)> {
    remarks
        .iter()
        .map(|remark| (remark.source, remark.text.as_str()))
        .collect()
}

#[test]
fn log_lines_and_standard_error_are_kept_with_their_times() {
    let program = "echo starting >&2; sleep 0.5; read -r hello; echo ready; read -r reset; echo ready;
        read -r delay; echo log half way; echo output lit after 1/2; read -r delay; echo odd >&2; sleep 0.5; echo done; read -r quit";
    let mut sut = sut(program, TimeMode::Accelerated);
    sut.reset().expect("it is ready");
    assert!(matches!(sut.wait(&time(3)), Ok(Observed::Output { .. })));
    assert!(matches!(sut.wait(&time(3)), Ok(Observed::Silence)));
    let mut found = remarks(&mut sut, 3);
    found.sort_by_key(|remark| remark.text.clone());
    let half = BigRational::new(1.into(), 2.into());
    assert_eq!(
        texts(&found),
        [
            (Source::Log, "half way"),
            (Source::Stderr, "odd"),
            (Source::Stderr, "starting")
        ]
    );
    assert_eq!(
        found.iter().map(|remark| remark.at.clone()).collect::<Vec<_>>(),
        [time(0), half, time(0)]
    );
    assert_eq!(sut.take_remarks(), []);
}

#[test]
fn the_traceback_of_a_program_that_crashes_is_there_when_the_crash_is() {
    let program = "python3 -c 'print(\"ready\", flush=True); raise SystemError(\"no disk\")'";
    let mut sut = sut(program, TimeMode::Accelerated);
    let error = sut.reset().expect_err("it crashes");
    assert!(
        matches!(&error, SutError::Ended { status: Some(status) } if status.code() == Some(1)),
        "{error}"
    );
    let found = sut.take_remarks();
    assert_eq!(texts(&found).last(), Some(&(Source::Stderr, "SystemError: no disk")));
}

#[test]
fn a_child_that_keeps_standard_error_holds_nothing_up() {
    for mode in [TimeMode::Accelerated, TimeMode::Real(Duration::from_millis(10))] {
        let started = Instant::now();
        let mut sut = sut("sleep 60 >&- & echo last words >&2; exit 7", mode);
        let error = sut.reset().expect_err("it has ended");
        assert_eq!(texts(&sut.take_remarks()), [(Source::Stderr, "last words")], "{error}");
        drop(sut);
        assert!(started.elapsed() < Duration::from_secs(8), "{:?}", started.elapsed());
    }
}

#[test]
fn a_program_that_ended_does_not_hang_where_a_child_keeps_its_output() {
    let timing = Timing {
        mode: TimeMode::Accelerated,
        patience: Duration::from_millis(300),
        start_patience: Duration::from_millis(300),
    };
    let program = Target::Command("sleep 60 & exit 7".to_owned());
    let mut sut = RemoteSut::new(program, timing).supervised_by(env!("CARGO_BIN_EXE_tamper").into());
    let error = sut.reset().expect_err("it has ended");
    assert!(
        matches!(&error, SutError::Ended { status: Some(status) } if status.code() == Some(7)),
        "{error}"
    );
}

#[test]
fn a_flood_on_standard_error_is_bounded_and_holds_nobody_up() {
    // 4 MB in lines of 20 bytes, before the answer.
    let program = "read -r hello; echo ready; read -r reset; yes 'a line of 19 bytes.' | head -c 4000000 >&2; echo ready; read -r quit";
    let mut sut = sut(program, TimeMode::Accelerated);
    sut.reset().expect("it is ready");
    std::thread::sleep(Duration::from_millis(300));
    let found = sut.take_remarks();
    let (first, rest) = found.split_first().expect("there are lines");
    let said = first
        .text
        .strip_prefix('(')
        .and_then(|text| text.strip_suffix(" bytes before this are not kept)"));
    let n_dropped: usize = said
        .and_then(|number| number.parse().ok())
        .expect("it says how much is missing");
    assert!(
        rest.iter().all(|remark| remark.text == "a line of 19 bytes."),
        "{rest:?}"
    );
    // At most 64 KiB are kept, and what is not kept is counted.
    assert!(rest.len() * 20 <= 64 * 1024);
    assert!(n_dropped + rest.len() * 20 <= 4_000_000 && n_dropped > 0);
}

#[test]
fn in_real_time_inputs_and_outputs_have_the_times_at_which_they_happened() {
    let program = "read -r hello; echo ready; read -r reset; echo ready; read -r input; sleep 0.3; echo output lit; echo far >&2; read -r quit";
    let mut sut = sut(program, TimeMode::Real(Duration::from_millis(100)));
    sut.reset().expect("it is ready");
    let at = |sut: &mut RemoteSut| sut.measured().expect("time is measured").at;
    assert!(matches!(sut.wait(&time(1)), Ok(Observed::Silence)));
    // The tester is late by half a second, which its schedule does not show.
    std::thread::sleep(Duration::from_millis(500));
    assert!(matches!(sut.input("press"), Ok(true)));
    let given = at(&mut sut);
    assert!(given >= time(6), "{given}");
    let Ok(Observed::Output { after, .. }) = sut.wait(&time(100)) else {
        panic!("it was silent for ten seconds");
    };
    let heard = at(&mut sut);
    assert!(heard >= &given + time(3), "{heard}");
    // The wait began at 1 by the schedule.
    let difference = &heard - (&after + time(1));
    assert!(difference.clone() * time(1000) <= time(1) && difference * time(1000) >= time(-1));
    let far = remarks(&mut sut, 1);
    assert_eq!(texts(&far), [(Source::Stderr, "far")]);
    assert!(far[0].at >= &given + time(3), "{far:?}");
}

#[test]
fn a_program_starts_at_its_leisure_and_may_clean_up() {
    let folder = tempfile::tempdir().expect("a folder");
    let mark = folder.path().join("clean");
    let slow = |first: &str| {
        let program = format!(
            "sleep {first}; read -r hello; echo ready; read -r reset; echo ready; read -r quit; sleep 0.1; touch {}",
            mark.display()
        );
        let timing = Timing {
            mode: TimeMode::Accelerated,
            patience: Duration::from_millis(200),
            start_patience: Duration::from_secs(5),
        };
        RemoteSut::new(Target::Command(program), timing).supervised_by(env!("CARGO_BIN_EXE_tamper").into())
    };
    let mut sut = slow("0.6");
    sut.reset().expect("it is ready in time");
    drop(sut);
    assert!(mark.exists());
    // One that does not end is killed all the same, soon.
    let program = "trap '' TERM; read -r hello; echo ready; read -r reset; echo ready; sleep 60; sleep 60".to_owned();
    let timing = Timing {
        mode: TimeMode::Accelerated,
        patience: Duration::from_secs(10),
        start_patience: Duration::from_secs(10),
    };
    let mut sut = RemoteSut::new(Target::Command(program), timing).supervised_by(env!("CARGO_BIN_EXE_tamper").into());
    sut.reset().expect("it is ready");
    let started = Instant::now();
    drop(sut);
    assert!(started.elapsed() < Duration::from_secs(8), "{:?}", started.elapsed());
}

/// `press?` at once, then `on!` from 1 to 2 after it.
fn press_then_on() -> TestCase {
    let atom = |cmp, bound| Constraint {
        left: 0,
        right: None,
        cmp,
        bound: time(bound),
    };
    let jump = |when, next| Jump {
        when,
        resets: vec![(0, 0)],
        next,
    };
    let press = Act::Input {
        action: "press?".to_owned(),
        then: vec![jump(Vec::new(), Next::Node(1))],
    };
    let stop = Act::Stop(TestVerdict::Fail);
    let node = |when, act, outputs| Node {
        rules: vec![Rule {
            from: Vec::new(),
            when,
            act,
        }],
        outputs,
        otherwise: TestVerdict::Fail,
    };
    let on = Expected {
        action: "on!".to_owned(),
        jump: jump(
            vec![atom(Cmp::Ge, 1), atom(Cmp::Le, 2)],
            Next::Verdict(TestVerdict::Pass),
        ),
    };
    TestCase {
        id: "t1".to_owned(),
        style: Style::Adaptive,
        kill: Kill::Definite,
        targets: Vec::new(),
        clocks: vec!["t".to_owned()],
        nodes: vec![
            node(vec![atom(Cmp::Eq, 0)], press, Vec::new()),
            node(vec![atom(Cmp::Gt, 2)], stop, vec![on]),
        ],
    }
}

#[test]
fn an_output_that_is_late_is_told_from_one_that_never_comes() {
    let unit = Duration::from_millis(100);
    let run = |answer: &str| -> Driven {
        let program =
            format!("read -r hello; echo ready; read -r reset; echo ready; read -r input; {answer}; read -r quit");
        drive(&press_then_on(), &mut sut(&program, TimeMode::Real(unit)), &time(0)).expect("it can be tested")
    };
    let words = Words {
        unit: TimeUnit::Wall(100_000_000),
        name: None,
        tolerance: time(0),
    };
    let said = |driven: &Driven| words.failure(driven.failure.as_ref().expect("it fails"));
    // Nothing is awaited after 2.5; then it is listened for 10.
    let never = run("true");
    assert_eq!(
        said(&never),
        "expected on 0.1 to 0.2 s after press; nothing came by 1.25 s"
    );
    assert_eq!(never.until, BigRational::new(25.into(), 2.into()));
    let late = run("sleep 0.6; echo output on");
    let text = said(&late);
    let at = text.strip_prefix("expected on 100 to 200 ms after press; it came at ");
    let at: f64 = at
        .and_then(|at| at.strip_suffix(" ms"))
        .and_then(|at| at.parse().ok())
        .expect(&text);
    assert!((600.0..1000.0).contains(&at), "{text}");
    // The output stands behind the silence in the log, with its time.
    let log: Vec<&What> = late.log.iter().map(|event| &event.what).collect();
    let on = What::Output("on!".to_owned());
    assert_eq!(log, [&What::Input("press?".to_owned()), &What::Silence, &on]);
    assert!(late.log[2].at >= time(6) && late.lateness.is_some());
}

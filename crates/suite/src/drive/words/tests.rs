//! Sentences as users read them.

use super::*;
use crate::drive::decimal::exact;

fn ratio(numerator: i64, denominator: i64) -> BigRational {
    BigRational::new(BigInt::from(numerator), BigInt::from(denominator))
}

fn units(n: i64) -> BigRational {
    ratio(n, 1)
}

/// A unit of that many milliseconds.
fn wall(millis: u64) -> Words {
    Words {
        unit: TimeUnit::Wall(millis * 1_000_000),
        name: None,
        tolerance: units(0),
    }
}

fn model() -> Words {
    Words::of_model()
}

type End = Option<(BigRational, bool)>;

fn closed(from: End, by: End) -> Allowed {
    Allowed {
        action: "closed!".to_owned(),
        from,
        by,
    }
}

fn at(time: i64) -> End {
    Some((units(time), false))
}

/// `closed!` is expected in these windows, after `gateway?` at `entered`.
fn silence(expected: Vec<Allowed>, entered: i64, unexpected: UnexpectedOutput) -> Failure {
    let event = |at: i64, what| Event { at: units(at), what };
    Failure {
        expected,
        since: Some(event(entered, What::Input("gateway?".to_owned()))),
        entered: units(entered),
        came: event(40, What::Silence),
        unexpected: Some(unexpected),
    }
}

fn late(time: BigRational) -> UnexpectedOutput {
    UnexpectedOutput::Late {
        action: "closed!".to_owned(),
        at: time,
    }
}

#[test]
fn late_is_told_from_never() {
    let window = || vec![closed(at(20), at(21))];
    let never = silence(window(), 0, UnexpectedOutput::Never { until: units(120) });
    let came = silence(window(), 0, late(units(30)));
    assert_eq!(
        wall(100).failure(&came),
        "expected closed 2.0 to 2.1 s after gateway; it came at 3.0 s"
    );
    assert_eq!(
        wall(100).failure(&never),
        "expected closed 2.0 to 2.1 s after gateway; nothing came by 12.0 s"
    );
    assert_eq!(
        model().failure(&came),
        "expected closed 20 to 21 time units after gateway; it came at 30"
    );
    // 3 to 3.1 s after a gateway at 1.5 s; short times are milliseconds.
    let window = || vec![closed(at(45), at(46))];
    let came = silence(window(), 15, late(units(50)));
    assert_eq!(
        wall(100).failure(&came),
        "expected closed 3.0 to 3.1 s after gateway (at 1.5 s); it came at 5.0 s"
    );
    assert_eq!(
        wall(10).failure(&came),
        "expected closed 300 to 310 ms after gateway (at 150 ms); it came at 500 ms"
    );
    let tolerant = Words {
        tolerance: ratio(1, 2),
        ..wall(100)
    };
    let said = tolerant.failure(&came);
    assert!(said.ends_with("; it came at 5.0 s (tolerance 50 ms)"), "{said}");
    let tolerant = Words {
        tolerance: units(1),
        ..model()
    };
    let said = tolerant.failure(&came);
    assert!(said.ends_with("; it came at 50 (tolerance 1 time unit)"), "{said}");
}

#[test]
fn windows_say_which_ends_belong_to_them() {
    let open = |time: i64| Some((units(time), true));
    let said = |from, by| {
        let said = model().failure(&silence(vec![closed(from, by)], 3, late(units(50))));
        let said = said.strip_prefix("expected closed").expect("it is expected");
        said.strip_suffix(" after gateway (at 3); it came at 50")
            .expect("it came")
            .to_owned()
    };
    assert_eq!(said(None, None), "");
    assert_eq!(said(None, at(5)), " within 2 time units");
    assert_eq!(said(None, open(5)), " in less than 2 time units");
    assert_eq!(said(at(5), None), " 2 time units or more");
    assert_eq!(said(open(4), None), " more than 1 time unit");
    assert_eq!(said(at(5), at(5)), " 2 time units");
    assert_eq!(said(at(5), open(6)), " 2 to less than 3 time units");
    assert_eq!(said(open(5), at(6)), " more than 2 and up to 3 time units");
    assert_eq!(said(open(5), open(6)), " more than 2 and less than 3 time units");
}

#[test]
fn rounding_contradicts_no_sentence() {
    let said = |words: &Words, by: BigRational, came: BigRational| {
        let allowed = closed(None, Some((by, false)));
        words.failure(&silence(vec![allowed], 0, late(came)))
    };
    // A ten-thousandth and a hundred-thousandth behind 2.
    let behind = |denominator| units(2) + ratio(1, denominator);
    assert_eq!(
        said(&model(), units(2), behind(100_000)),
        "expected closed within 2 time units after gateway; it came at 2.00001"
    );
    assert_eq!(
        said(&wall(1000), units(2), behind(10_000)),
        "expected closed within 2.0 s after gateway; it came at 2.0001 s"
    );
    assert_eq!(
        said(&wall(1000), units(2), units(2) + ratio(4321, 10_000)),
        "expected closed within 2.0 s after gateway; it came at 2.432 s"
    );
    // A third is 0.3333, which 0.33332 is before and 0.33334 behind.
    assert_eq!(
        said(&model(), ratio(1, 3), ratio(33334, 100_000)),
        "expected closed within 0.3333 time units after gateway; it came at 0.33334"
    );
    assert_eq!(
        said(&model(), ratio(1, 3), ratio(1, 2)),
        "expected closed within 0.3333 time units after gateway; it came at 0.5"
    );
    assert_eq!(
        said(&model(), ratio(1, 3000), ratio(1, 2)),
        "expected closed within 0.0003333 time units after gateway; it came at 0.5"
    );
}

#[test]
fn everything_that_can_go_wrong_has_its_sentence() {
    let output = |name: &str| What::Output(format!("{name}!"));
    let said = |expected, came| {
        let came = Event {
            at: ratio(21, 2),
            what: came,
        };
        let failure = Failure {
            expected,
            since: None,
            entered: units(0),
            came,
            unexpected: None,
        };
        model().failure(&failure)
    };
    let open = Allowed {
        action: "open!".to_owned(),
        from: None,
        by: None,
    };
    let both = vec![open, closed(at(20), None)];
    assert_eq!(
        said(both, output("bang")),
        "expected open or closed 20 time units or more after the start; bang came at 10.5"
    );
    let early = vec![closed(at(20), None)];
    assert_eq!(
        said(early, output("closed")),
        "expected closed 20 time units or more after the start; it came at 10.5"
    );
    assert_eq!(
        said(Vec::new(), output("bang")),
        "expected no output after the start; bang came at 10.5"
    );
    assert_eq!(
        said(Vec::new(), What::Silence),
        "expected an output after the start; nothing came by 10.5"
    );
    assert_eq!(
        said(Vec::new(), What::Refused("go?".to_owned())),
        "expected go to be accepted; it was refused at 10.5"
    );
    assert_eq!(
        said(Vec::new(), What::Input("go?".to_owned())),
        "expected go to be refused; it was accepted at 10.5"
    );
}

#[test]
fn lateness_and_times_have_the_unit_that_fits() {
    let late = |words: &Words, by| words.lateness(&Lateness { step: 3, by });
    assert_eq!(late(&wall(10), units(41)), "the tester was 410 ms late at step 3");
    assert_eq!(late(&wall(1000), ratio(5, 2)), "the tester was 2.5 s late at step 3");
    assert_eq!(late(&wall(1), ratio(52, 1000)), "the tester was 52 µs late at step 3");
    assert_eq!(late(&model(), units(41)), "the tester was 41 time units late at step 3");
    assert_eq!(wall(1000).time(&ratio(30004, 10_000)), "3.0 s");
    let log = [ratio(1, 2), units(3)].map(|at| Event {
        at,
        what: What::Silence,
    });
    assert_eq!(wall(1000).times(&log), ["0.5 s", "3.0 s"]);
    assert_eq!(model().times(&log), ["0.5", "3"]);
    assert_eq!(
        [ratio(21, 2), ratio(1, 3), units(7)].map(|time| exact(&time)),
        ["10.5", "1/3", "7"]
    );
}

//! Places as they stand in files.

use num_bigint::BigInt;
use serde_json::json;

use super::*;
use tamper_suite::{Event, TestVerdict, Wait};

fn time(numerator: i64, denominator: i64) -> BigRational {
    BigRational::new(BigInt::from(numerator), BigInt::from(denominator))
}

/// `dim!` is allowed from 1 to 2 after `press?` at 3, `off!` at any time less than 4 after it.
fn failure(came: Event, unexpected: Option<UnexpectedOutput>) -> Failure {
    let allowed = |action: &str, from, by| Allowed {
        action: action.to_owned(),
        from,
        by,
    };
    Failure {
        expected: vec![
            allowed("off!", None, Some((time(7, 1), true))),
            allowed("dim!", Some((time(4, 1), false)), Some((time(5, 1), false))),
        ],
        since: Some(Event {
            at: time(3, 1),
            what: What::Input("press?".to_owned()),
        }),
        entered: time(3, 1),
        came,
        unexpected,
    }
}

fn silence(unexpected: Option<UnexpectedOutput>) -> Failure {
    let came = Event {
        at: time(15, 2),
        what: What::Silence,
    };
    failure(came, unexpected)
}

fn moments(failure: &Failure) -> (BigRational, Option<BigRational>) {
    let place = Place::of_failure(failure);
    (place.at, place.silent_until)
}

#[test]
fn a_place_has_its_windows_since_the_test_began_and_since_the_wait_began() {
    let came = Event {
        at: time(11, 2),
        what: What::Output("dim!".to_owned()),
    };
    let place = Place::of_failure(&failure(came, None));
    let written = json!({ "at": "11/2", "since": "3", "expected": [
        { "output": "off!", "by": { "at": "7", "after": "4", "excluded": true } },
        { "output": "dim!", "from": { "at": "4", "after": "1" }, "by": { "at": "5", "after": "2" } },
    ] });
    assert_eq!(serde_json::to_value(&place).unwrap(), written);
    assert_eq!(serde_json::from_value::<Place>(written).unwrap(), place);
}

#[test]
fn an_output_that_came_late_is_wrong_when_it_came_and_one_that_never_came_when_it_was_due() {
    let late = UnexpectedOutput::Late {
        action: "dim!".to_owned(),
        at: time(9, 1),
    };
    assert_eq!(moments(&silence(Some(late))), (time(9, 1), None));
    // The last moment at which anything was allowed is 7.
    let never = UnexpectedOutput::Never { until: time(17, 1) };
    assert_eq!(moments(&silence(Some(never))), (time(7, 1), Some(time(17, 1))));
    assert_eq!(moments(&silence(None)), (time(7, 1), Some(time(15, 2))));
    // Nothing was due if something was allowed for ever: then the test itself gave up.
    let mut open = silence(None);
    open.expected[0].by = None;
    assert_eq!(moments(&open), (time(15, 2), Some(time(15, 2))));
}

#[test]
fn a_run_off_its_way_has_the_windows_of_its_last_wait() {
    let expected = failure(silence(None).came, None).expected;
    let wait = |since: i64, expected: &[Allowed]| Wait {
        since: time(since, 1),
        expected: expected.to_vec(),
    };
    let mut driven = Driven {
        verdict: TestVerdict::Inconclusive,
        failure: None,
        ending: None,
        log: Vec::new(),
        until: time(6, 1),
        lateness: None,
        waits: vec![wait(0, &[]), wait(3, &expected), wait(5, &[])],
    };
    // Waits in which nothing was allowed say nothing, but they end others.
    let waits = |driven: &Driven| -> Vec<(BigRational, BigRational)> {
        awaited(driven)
            .into_iter()
            .map(|wait| (wait.since, wait.until))
            .collect()
    };
    assert_eq!(waits(&driven), [(time(3, 1), time(5, 1))]);
    let place = Place::of_last_wait(&driven, &time(6, 1));
    assert_eq!(
        (place.at, place.since, place.expected.len()),
        (time(6, 1), time(5, 1), 0)
    );
    driven.waits.pop();
    assert_eq!(waits(&driven), [(time(3, 1), time(6, 1))]);
    let place = Place::of_last_wait(&driven, &time(6, 1));
    assert_eq!((place.since, place.expected.len()), (time(3, 1), 2));
}

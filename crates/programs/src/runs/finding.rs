//! Findings of a test run, in words, with the places that they refer to.

use serde::{Deserialize, Serialize};

use super::failure_location::Place;
use tamper_suite::{Allowed, Driven, Ending, Event, Failure, UnexpectedOutput, What, Words};
use tamper_text::visible;

/// A finding on a run that did not pass.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Finding {
    /// The finding in one sentence, with times.
    pub what: String,
    /// The sentence without the parts that differ between runs that show the same.
    pub group: String,
    /// For a failure, the sentence with exact times, as a program of `tamper harness` says it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exactly: Option<String>,
    /// The place of the finding in the run, and the outputs allowed there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<Place>,
}

impl Finding {
    /// The finding for a failure at the end of the log.
    pub(super) fn of_failure(failure: &Failure, words: &Words) -> Self {
        Self {
            what: words.failure(failure),
            group: format!("{}{}", behind(failure.since.as_ref()), deviation(failure)),
            exactly: Some(failure.to_string()),
            place: Some(Place::of_failure(failure)),
        }
    }

    /// The finding for the failure of a run.
    pub(super) fn of_driven(driven: &Driven, words: &Words) -> Self {
        match &driven.failure {
            Some(failure) => Self::of_failure(failure, words),
            None => Self::plain("the program does what the specification does not allow".to_owned()),
        }
    }

    /// The finding for a run that tells nothing, as the tester was late.
    pub(super) fn of_lateness(driven: &Driven, words: &Words) -> Self {
        let group = "the tester was late".to_owned();
        let lateness = driven.lateness.as_ref();
        let late = lateness.and_then(|lateness| driven.log.get(lateness.step.checked_sub(1)?));
        Self {
            what: lateness.map_or_else(|| group.clone(), |lateness| words.lateness(lateness)),
            group,
            exactly: None,
            place: late.map(|event| Place::at(event.at.clone())),
        }
    }

    /// The same finding, with `what` before it.
    pub(super) fn behind(self, what: &str) -> Self {
        Self {
            what: format!("{what}: {}", self.what),
            group: format!("{what}: {}", self.group),
            exactly: self.exactly,
            place: self.place,
        }
    }

    /// A finding with the same words in every run.
    pub(super) fn plain(what: String) -> Self {
        Self {
            group: what.clone(),
            what,
            exactly: None,
            place: None,
        }
    }

    /// The same finding, with its place.
    pub(super) fn placed(self, place: Place) -> Self {
        Self {
            place: Some(place),
            ..self
        }
    }

    /// The finding for a run that the specification allows, and that ended before the test's purpose was reached.
    pub(super) fn unreached(driven: &Driven, words: &Words) -> Self {
        let log = &driven.log;
        // After a silence, the log may have events that came too late for the test.
        let silence = log.iter().position(|event| event.what == What::Silence);
        let Some(last) = silence.or(log.len().checked_sub(1)) else {
            return Self::plain("the test has no step at its start".to_owned());
        };
        let event = &log[last];
        let (came, at) = (came(&event.what), words.time(&event.at));
        let (at, waits) = match event.what {
            What::Silence => (format!("until {at}"), waits(driven.ending.as_ref(), None)),
            What::Output(ref action) => (format!("at {at}"), waits(driven.ending.as_ref(), Some(action))),
            What::Input(_) | What::Refused(_) => (format!("at {at}"), waits(driven.ending.as_ref(), None)),
        };
        let since = last.checked_sub(1).map(|before| &log[before]);
        Self {
            what: format!("{came} {at}, which the specification allows; {waits}"),
            group: format!("{}{came}, which the specification allows; {waits}", behind(since)),
            exactly: None,
            place: Some(Place::of_last_wait(driven, &event.at)),
        }
    }
}

/// The events with which the test would continue, instead of the output that came.
fn waits(ending: Option<&Ending>, came: Option<&String>) -> String {
    let Some(Ending::Awaiting { outputs, input }) = ending else {
        return "what comes then, the test does not say".to_owned();
    };
    let named = |action: &String| match came {
        // The output came, but not at a time at which it leads on.
        Some(came) if came == action => format!("{} at another time", name(action)),
        _ => name(action),
    };
    let outputs: Vec<String> = outputs.iter().map(named).collect();
    match (outputs.is_empty(), input) {
        (true, Some(input)) => format!("the test gives {} later", name(input)),
        (true, None) => "the test waits for another output".to_owned(),
        (false, _) => format!("the test waits for {}", outputs.join(" or ")),
    }
}

fn came(what: &What) -> String {
    match what {
        What::Input(action) => format!("the system took {}", name(action)),
        What::Output(action) => format!("the system made {}", name(action)),
        What::Refused(action) => format!("the system refused {}", name(action)),
        What::Silence => "the system made no output".to_owned(),
    }
}

/// The event after which something happened, in words.
fn behind(since: Option<&Event>) -> String {
    match since.map(|since| &since.what) {
        Some(What::Input(action) | What::Output(action)) => format!("after {}, ", name(action)),
        _ => String::new(),
    }
}

/// The name of an action, without the mark of inputs or outputs.
fn name(action: &str) -> String {
    visible(action.strip_suffix(['!', '?']).unwrap_or(action)).into_owned()
}

/// The kind of the failure, without times.
fn deviation(failure: &Failure) -> String {
    let mut names: Vec<String> = failure.expected.iter().map(|allowed| name(&allowed.action)).collect();
    names.dedup();
    let expected = names.join(" or ");
    match &failure.came.what {
        What::Refused(action) => format!("{} was refused", name(action)),
        What::Input(action) => format!("{} was accepted", name(action)),
        What::Output(action) if expected.is_empty() => format!("expected no output, {} came", name(action)),
        What::Output(action) => {
            let named = name(action);
            match untimely(failure, action) {
                Some(how) => format!("expected {expected}, {named} came {how}"),
                None => format!("expected {expected}, {named} came"),
            }
        }
        What::Silence => {
            let expected = if expected.is_empty() { "an output" } else { &expected };
            match &failure.unexpected {
                Some(UnexpectedOutput::Late { action, .. }) => {
                    format!("expected {expected}, {} came too late", name(action))
                }
                Some(UnexpectedOutput::Never { .. }) | None => format!("expected {expected}, nothing came"),
            }
        }
    }
}

/// The way in which an output missed the times at which it is expected; `None` if it is not expected.
fn untimely(failure: &Failure, action: &str) -> Option<&'static str> {
    let at = &failure.came.at;
    let expected = failure.expected.iter().filter(|allowed| allowed.action == action);
    let expected: Vec<_> = expected.collect();
    let is_before = |allowed: &&Allowed| allowed.from.as_ref().is_some_and(|(from, _)| at <= from);
    let is_behind = |allowed: &&Allowed| allowed.by.as_ref().is_some_and(|(by, _)| at >= by);
    match expected.as_slice() {
        [] => None,
        all if all.iter().all(is_before) => Some("too early"),
        all if all.iter().all(is_behind) => Some("too late"),
        _ => Some("at a wrong time"),
    }
}

//! The JSON form of parts of a test run: exact times as texts, wall time in milliseconds.

/// The events of a log.
pub(super) mod log {
    use serde::de::Error as _;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use crate::protocol::exact;
    use tamper_suite::{Event, What};

    #[derive(Serialize, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct EventJson {
        at: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        input: Option<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        output: Option<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        refused: Option<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        silence: Option<bool>,
    }

    pub fn serialize<S: Serializer>(log: &[Event], serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(log.iter().map(|event| {
            let mut line = EventJson {
                at: event.at.to_string(),
                input: None,
                output: None,
                refused: None,
                silence: None,
            };
            match &event.what {
                What::Input(action) => line.input = Some(action.clone()),
                What::Output(action) => line.output = Some(action.clone()),
                What::Refused(action) => line.refused = Some(action.clone()),
                What::Silence => line.silence = Some(true),
            }
            line
        }))
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Event>, D::Error> {
        let lines = Vec::<EventJson>::deserialize(deserializer)?;
        let event = |line: EventJson| {
            let at = exact(&line.at).ok_or_else(|| D::Error::custom(format!("`{}` is no time", line.at)))?;
            let what = match (line.input, line.output, line.refused, line.silence) {
                (Some(action), None, None, None) => What::Input(action),
                (None, Some(action), None, None) => What::Output(action),
                (None, None, Some(action), None) => What::Refused(action),
                (None, None, None, Some(true)) => What::Silence,
                _ => {
                    return Err(D::Error::custom(
                        "an event is an input, an output, a refusal or silence",
                    ));
                }
            };
            Ok(Event { at, what })
        };
        lines.into_iter().map(event).collect()
    }
}

/// A time in time units.
pub(crate) mod time {
    use std::ops::Neg;

    use num_rational::BigRational;
    use serde::de::Error as _;
    use serde::{Deserialize, Deserializer, Serializer};

    use crate::protocol::exact;

    pub fn serialize<S: Serializer>(time: &BigRational, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(time)
    }

    /// A computed moment may lie before the wait, or before the test: the moment of an overdue output.
    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<BigRational, D::Error> {
        let text = String::deserialize(deserializer)?;
        let time = match text.strip_prefix('-') {
            Some(before) => exact(before).map(Neg::neg),
            None => exact(&text),
        };
        time.ok_or_else(|| D::Error::custom(format!("`{text}` is no time")))
    }
}

/// An optional time in time units.
pub(super) mod maybe_time {
    use num_rational::BigRational;
    use serde::{Deserialize as _, Deserializer, Serializer};

    pub fn serialize<S: Serializer>(time: &Option<BigRational>, serializer: S) -> Result<S::Ok, S::Error> {
        match time {
            Some(time) => super::time::serialize(time, serializer),
            None => serializer.serialize_none(),
        }
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<BigRational>, D::Error> {
        #[derive(serde::Deserialize)]
        struct ExactTime(#[serde(with = "super::time")] BigRational);
        Ok(Option::<ExactTime>::deserialize(deserializer)?.map(|time| time.0))
    }
}

/// The lateness of the tester, if it was measured.
pub(super) mod lateness {
    use num_rational::BigRational;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use tamper_suite::Lateness;

    #[derive(Serialize, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct LatenessJson {
        step: usize,
        #[serde(with = "super::time")]
        by: BigRational,
    }

    pub fn serialize<S: Serializer>(lateness: &Option<Lateness>, serializer: S) -> Result<S::Ok, S::Error> {
        let line = lateness.as_ref().map(|lateness| LatenessJson {
            step: lateness.step,
            by: lateness.by.clone(),
        });
        line.serialize(serializer)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Lateness>, D::Error> {
        let line = Option::<LatenessJson>::deserialize(deserializer)?;
        Ok(line.map(|LatenessJson { step, by }| Lateness { step, by }))
    }
}

/// Wall time.
pub(super) mod millis {
    use std::time::Duration;

    use serde::{Deserialize, Deserializer, Serializer};

    pub fn serialize<S: Serializer>(wall: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u64(u64::try_from(wall.as_millis()).unwrap_or(u64::MAX))
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Duration, D::Error> {
        Ok(Duration::from_millis(u64::deserialize(deserializer)?))
    }
}

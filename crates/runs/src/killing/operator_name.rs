//! Serialization of operators by their names.

use serde::de::Error as _;
use serde::{Deserialize as _, Deserializer, Serialize as _, Serializer};

use tamper_timed::mutation::AppliedOperator;

pub(super) fn serialize<S: Serializer>(operator: &Option<AppliedOperator>, serializer: S) -> Result<S::Ok, S::Error> {
    operator.map(|operator| operator.to_string()).serialize(serializer)
}

pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<AppliedOperator>, D::Error> {
    let name = Option::<String>::deserialize(deserializer)?;
    let operator = name.map(|name| {
        name.parse()
            .map_err(|_| D::Error::custom(format!("no operator `{name}`")))
    });
    operator.transpose()
}

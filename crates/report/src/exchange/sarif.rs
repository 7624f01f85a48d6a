//! The survivors of a scored suite as SARIF 2.1.0, the form that code scanning reads.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde_json::{Value, json};

use crate::exchange::scored_report::{ScoredReport, Survivor};

/// Writes a result per surviving mutant (a test could kill it, and none does), ended by a new line. Its rule is the operator. An accepted
/// mutant is a suppressed result, with the reason.
pub fn write_sarif(report: &ScoredReport<'_>) -> String {
    let survivors = report.survivors();
    let operators = survivors.iter().map(|survivor| survivor.mutant.mutation.applied());
    let mut rules: BTreeMap<&str, Value> = BTreeMap::new();
    for operator in operators {
        let rule = json!({ "id": operator.name(), "shortDescription": { "text": operator.summary() } });
        rules.insert(operator.name(), rule);
    }
    let uri = uri(report.source.name());
    let results: Vec<Value> = survivors.iter().map(|survivor| result(survivor, &uri)).collect();
    let value = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": env!("CARGO_PKG_NAME"),
                "version": env!("CARGO_PKG_VERSION"),
                "informationUri": env!("CARGO_PKG_REPOSITORY"),
                "rules": rules.into_values().collect::<Vec<_>>(),
            } },
            "columnKind": "utf16CodeUnits",
            "results": results,
        }],
    });
    format!("{value:#}\n")
}

fn result(survivor: &Survivor<'_>, uri: &str) -> Value {
    let mutant = survivor.mutant;
    let (start, end) = (survivor.location.start, survivor.location.end);
    let why = mutant.reason.as_deref().unwrap_or_default();
    let mut value = json!({
        "ruleId": mutant.mutation.applied().name(),
        "level": "warning",
        "message": { "text": format!("{}; {why}", mutant.description()) },
        "locations": [{ "physicalLocation": {
            "artifactLocation": { "uri": uri },
            "region": {
                "startLine": start.line,
                "startColumn": start.column,
                "endLine": end.line,
                "endColumn": end.column,
            },
        } }],
        // Identifies a survivor when lines move.
        "partialFingerprints": { "tamperMutant/v1": mutant.id },
    });
    if let Some(reason) = &mutant.accepted {
        // Without a status, which schemas spell in two ways, a suppression is an accepted one.
        let suppression = json!({ "kind": "external", "justification": reason });
        value["suppressions"] = json!([suppression]);
    }
    value
}

/// The path of a file as a reference of RFC 3986.
fn uri(path: &str) -> String {
    let mut uri = String::from(if path.starts_with('/') { "file://" } else { "" });
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => uri.push(byte.into()),
            b'\\' => uri.push('/'),
            _ => {
                let _ = write!(uri, "%{byte:02X}");
            }
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_references() {
        assert_eq!(uri("models/my lamp.xml"), "models/my%20lamp.xml");
        assert_eq!(uri("/a/é.xml"), "file:///a/%C3%A9.xml");
    }
}

//! Tests as a file of plain C.

use std::fmt::Write as _;

use super::data::{title, unit};
use super::literals::{Notation, RecordField};
use tamper_runs::suite_json::Suite;
use tamper_suite::{Refusals, SuiteFailure, TestCase};

const NOTATION: Notation = Notation {
    record,
    list,
    text,
    option: |part| part.unwrap_or_else(|| "0".to_owned()),
    clock: |clock| clock.map_or_else(|| "-1".to_owned(), |clock| clock.to_string()),
    sign: |sign| sign.to_uppercase(),
};

/// A file with `tests` of `suite`: needs C99 with its standard library, and five functions of the system.
///
/// # Errors
/// A bound that is too fine or too large for the numbers of the file.
pub fn write_c(suite: &Suite, tests: &[&TestCase]) -> Result<String, SuiteFailure> {
    let mut nodes = String::new();
    let mut list = String::new();
    for (at, test) in tests.iter().enumerate() {
        let _ = writeln!(nodes, "static const struct node nodes_{at}[] = {{");
        nodes.push_str(&NOTATION.nodes(test)?);
        nodes.push_str("};\n");
        let (id, purpose, clocks) = (text(&test.id), text(&test.purpose()), test.clocks.len());
        let _ = writeln!(list, "    {{ {id}, {purpose}, {clocks}, nodes_{at} }},");
    }
    let is_fail = suite.refusals == Refusals::Error;
    let most = |of: &dyn Fn(&TestCase) -> usize| tests.iter().map(|test| of(test)).fold(1, usize::max);
    let clocks = most(&|test| test.clocks.len()).to_string();
    let outputs = most(&|test| test.nodes.iter().map(|node| node.outputs.len()).fold(0, usize::max)).to_string();
    let template = include_str!("suite.c");
    let template = template.replace("{{tool}}", concat!("tamper ", env!("CARGO_PKG_VERSION")));
    let (title, unit) = (text(&title(suite)), text(&unit(suite)));
    let template = template.replace("{{refusals}}", if is_fail { "1" } else { "0" });
    let template = template.replace("{{unit}}", &unit);
    let template = template.replace("{{most_clocks}}", &clocks);
    let template = template.replace("{{most_outputs}}", &outputs);
    // Data is inserted last, as it may contain the marks of the template.
    let (before, after) = template.split_once("{{tests}}").unwrap_or((&template, ""));
    let data =
        format!("{nodes}\nstatic const char title[] = {title};\nstatic const struct test tests[] = {{\n{list}}};\n");
    Ok([before, &data, after].concat())
}

fn list(kind: &str, parts: &[String]) -> String {
    match parts {
        [] => "0, 0".to_owned(),
        parts => format!("(const struct {kind}[]){{ {} }}, {}", parts.join(", "), parts.len()),
    }
}

fn record(_: &str, fields: &[RecordField]) -> String {
    let values: Vec<&str> = fields.iter().map(|field| field.value.as_str()).collect();
    format!("{{ {} }}", values.join(", "))
}

/// A string literal of C.
fn text(text: &str) -> String {
    let byte = |byte: u8| match byte {
        // Escaped, so that the text contains no trigraphs and makes no escapes.
        b'"' | b'\\' | b'?' => format!("\\{}", char::from(byte)),
        b' '..=b'~' => char::from(byte).to_string(),
        byte => format!("\\{byte:03o}"),
    };
    format!("\"{}\"", text.bytes().map(byte).collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_what_c_reads_as_them() {
        assert_eq!(text("a\"b\\c??/"), r#""a\"b\\c\?\?/""#);
        assert_eq!(text("é\n1"), r#""\303\251\0121""#);
    }
}

//! Tests as a file of plain C.

use std::fmt::Write as _;

use num_rational::BigRational;
use num_traits::ToPrimitive as _;

use super::data::{acts, expects, number_of};
use crate::formats::suite_json::Suite;
use crate::model::Cmp;
use crate::suite::{Condition, Jump, Next, Node, Refusals, Resets, SuiteFailure, TestCase};

/// The largest numerator and denominator: products of two fit in 64 bits.
const MOST: i64 = 1 << 30;

/// A file of `tests`, which are of `suite`: C99 with its standard library, and five functions of the system.
///
/// # Errors
/// A bound that is too fine or too large for the numbers of the file.
pub fn write_c(suite: &Suite, tests: &[&TestCase]) -> Result<String, SuiteFailure> {
    let mut nodes = String::new();
    let mut list = String::new();
    for (at, test) in tests.iter().enumerate() {
        let _ = writeln!(nodes, "static const struct node nodes_{at}[] = {{");
        for one in &test.nodes {
            nodes.push_str(&node(one).ok_or_else(|| SuiteFailure::TooFine { test: test.id.clone() })?);
        }
        nodes.push_str("};\n");
        let (id, purpose, clocks) = (text(&test.id), text(&test.purpose()), test.clocks.len());
        let _ = writeln!(list, "    {{ {id}, {purpose}, {clocks}, nodes_{at} }},");
    }
    let specification = &suite.specification;
    let is_fail = suite.refusals == Refusals::Error;
    let most = |of: &dyn Fn(&TestCase) -> usize| tests.iter().map(|test| of(test)).fold(1, usize::max);
    let clocks = most(&|test| test.clocks.len()).to_string();
    let outputs = most(&|test| test.nodes.iter().map(|node| node.outputs.len()).fold(0, usize::max)).to_string();
    let template = include_str!("suite.c");
    let template = template.replace("{{tool}}", concat!("tamper ", env!("CARGO_PKG_VERSION")));
    let title = text(&format!("{} of {}", specification.template, specification.file));
    let template = template.replace("{{refusals}}", if is_fail { "1" } else { "0" });
    let template = template.replace("{{most_clocks}}", &clocks);
    let template = template.replace("{{most_outputs}}", &outputs);
    // Last what may hold such marks itself.
    let (before, after) = template.split_once("{{tests}}").unwrap_or((&template, ""));
    let data =
        format!("{nodes}\nstatic const char title[] = {title};\nstatic const struct test tests[] = {{\n{list}}};\n");
    Ok([before, &data, after].concat())
}

fn node(node: &Node) -> Option<String> {
    let mut rules = Vec::new();
    for rule in &node.rules {
        let (input, then, stop) = acts(&rule.act);
        let input = input.map_or_else(|| "0".to_owned(), text);
        let (then, from, when) = (
            list("struct jump", then, jump)?,
            condition(&rule.from)?,
            condition(&rule.when)?,
        );
        rules.push(format!("{{ {from}, {when}, {input}, {then}, {stop} }}"));
    }
    let mut outputs = Vec::new();
    for expected in &node.outputs {
        let (action, to) = expects(expected);
        outputs.push(format!("{{ {}, {} }}", text(action), jump(to)?));
    }
    let otherwise = number_of(Next::Verdict(node.otherwise));
    let (rules, outputs) = (literal("struct rule", &rules), literal("struct output", &outputs));
    Some(format!("    {{ {rules},\n      {outputs}, {otherwise} }},\n"))
}

fn jump(jump: &Jump) -> Option<String> {
    let resets = resets(&jump.resets)?;
    Some(format!(
        "{{ {}, {resets}, {} }}",
        condition(&jump.when)?,
        number_of(jump.next)
    ))
}

fn resets(resets: &Resets) -> Option<String> {
    let reset = |(clock, value): &(usize, i64)| (*value <= MOST).then(|| format!("{{ {clock}, {value} }}"));
    list("struct reset", resets, reset)
}

fn condition(condition: &Condition) -> Option<String> {
    list("struct atom", condition, |atom| {
        let right = atom.right.map_or(-1, |right| i64::try_from(right).unwrap_or(-1));
        let sign = match atom.cmp {
            Cmp::Lt => "LT",
            Cmp::Le => "LE",
            Cmp::Eq => "EQ",
            Cmp::Ge => "GE",
            Cmp::Gt => "GT",
        };
        let (top, bottom) = fraction(&atom.bound)?;
        Some(format!("{{ {}, {right}, {sign}, {{ {top}, {bottom} }} }}", atom.left))
    })
}

fn fraction(number: &BigRational) -> Option<(i64, i64)> {
    let fits = |number: i64| (-MOST..=MOST).contains(&number).then_some(number);
    Some((fits(number.numer().to_i64()?)?, fits(number.denom().to_i64()?)?))
}

/// An array of the parts and how many they are.
fn list<T>(kind: &str, parts: &[T], one: impl Fn(&T) -> Option<String>) -> Option<String> {
    let parts: Vec<String> = parts.iter().map(one).collect::<Option<_>>()?;
    Some(literal(kind, &parts))
}

fn literal(kind: &str, parts: &[String]) -> String {
    match parts {
        [] => "0, 0".to_owned(),
        parts => format!("(const {kind}[]){{ {} }}, {}", parts.join(", "), parts.len()),
    }
}

/// A text of C.
fn text(text: &str) -> String {
    let byte = |byte: u8| match byte {
        // No trigraphs, no escapes of others' making.
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

    #[test]
    fn what_does_not_fit_in_the_numbers_of_the_file_is_refused() {
        let ratio = |top: i64, bottom: i64| BigRational::new(top.into(), bottom.into());
        assert_eq!(fraction(&ratio(-6, 4)), Some((-3, 2)));
        assert_eq!(fraction(&ratio(MOST, 1)), Some((MOST, 1)));
        assert_eq!(fraction(&ratio(MOST + 1, 1)), None);
        assert_eq!(fraction(&ratio(1, MOST + 1)), None);
    }
}

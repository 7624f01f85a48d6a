//! Which variables are followed exactly.
//!
//! Those are integers and booleans that keep their type and that nothing but `<assign>` changes. Whoever else may change one is
//! looked for in the words of the file: in code that names it, and in code that need not name what it changes. Functions
//! from outside are taken to leave the variables of a chart alone, which they cannot see.

use std::collections::BTreeMap;

use roxmltree::Node;

use super::read::Reader;
use super::term::Scope;
use crate::charts::data::{LARGEST, Variable};
use tamper_text::Span;
use tamper_text::scxml::{TAMPER, attribute, is, place};

/// Most values of a variable without a range.
const MOST_VALUES: usize = 64;
/// Code with one of these words may change what it does not name.
const REACHES_ALL: [&str; 7] = ["eval", "Function", "with", "this", "globalThis", "window", "global"];
/// What is followed.
pub(super) const HELP: &str = "exact are integers and booleans of <data> with a first value that only <assign> changes, with \
    + - * % and comparisons, In('STATE'), !, && and ||";

impl Reader<'_> {
    /// Finds the variables that are followed, without those that are known not to be.
    pub fn data(&mut self, root: Node<'_, '_>) {
        let of = |tag: &'static str| root.descendants().filter(move |node| is(*node, tag));
        let mut ranges = Vec::new();
        for data in of("data") {
            let Some(name) = data.attribute("id").map(str::trim) else {
                continue;
            };
            let range = self.range(data);
            ranges.extend(range.map(|_| (name, place(data))));
            let is_again = self.chart.data.iter().any(|known| known.name == name);
            let read = match is_again {
                true => Err((place(data), "declared twice")),
                false => variable(root, data, name, range),
            };
            match read {
                Ok(known) if !self.inexact.contains_key(name) => self.chart.data.push(known),
                Ok(_) => {}
                Err((place, why)) => self.leave(name, place, why),
            }
        }
        // What is assigned may depend on variables that are not followed.
        while let Some((name, place)) = of("assign").find_map(|node| {
            let known = self.variable(node)?;
            let read = node.attribute("expr").and_then(|expr| self.scope().read(expr));
            let is_exact = read.is_some_and(|read| read.is_number != self.chart.data[known].is_truth);
            (!is_exact).then(|| (self.chart.data[known].name.clone(), place(node)))
        }) {
            self.leave(&name, place, "assigned what is not exact");
        }
        for (name, range) in ranges {
            if let Some((place, why)) = self.inexact.get(name) {
                let message = format!("`{name}` has a range, but is not followed");
                let error = tamper_text::Diagnostic::error(message, range);
                self.found
                    .push(error.with_secondary(*place, format!("it is {why}")).with_help(HELP));
            }
        }
    }

    fn leave(&mut self, name: &str, place: Span, why: &str) {
        self.chart.data.retain(|known| known.name != name);
        self.inexact.insert(name.to_owned(), (place, why.to_owned()));
    }

    /// The position of the variable that an `<assign>` changes.
    pub fn variable(&self, assign: Node<'_, '_>) -> Option<usize> {
        let location = assign.attribute("location")?.trim();
        self.chart.data.iter().position(|known| known.name == location)
    }

    /// What names stand for.
    pub fn scope(&self) -> Scope<'_> {
        Scope {
            data: &self.chart.data,
            ids: &self.ids,
            has_event: self.has_event,
        }
    }

    /// The promised values: `tamper:range="0..7"`.
    fn range(&mut self, data: Node<'_, '_>) -> Option<(i64, i64)> {
        let value = attribute(data, Some(TAMPER), "range")?;
        let ends = value.text.split_once("..");
        let ends = ends.and_then(|(low, high)| Some((low.trim().parse().ok()?, high.trim().parse().ok()?)));
        let range = ends.filter(|(low, high)| -LARGEST <= *low && low <= high && *high <= LARGEST);
        if range.is_none() {
            let help = format!("write tamper:range=\"0..7\", with integers up to {LARGEST}");
            self.error(format!("`{}` is no range", value.text), value.span, help);
        }
        range
    }
}

/// The variable, or why it is not followed.
fn variable(
    root: Node<'_, '_>,
    data: Node<'_, '_>,
    name: &str,
    range: Option<(i64, i64)>,
) -> Result<Variable, (Span, &'static str)> {
    if !matches!(root.attribute("datamodel"), None | Some("ecmascript")) || root.attribute("binding") == Some("late") {
        return Err((place(root), "of another data model, or bound late"));
    }
    let nothing = Scope {
        data: &[],
        ids: &BTreeMap::new(),
        has_event: false,
    };
    let Some(first) = data.attribute("expr").and_then(|expr| nothing.read(expr)) else {
        return Err((place(data), "without an integer or a boolean as its first value"));
    };
    let initial = first.term.value((&[], &[], ""));
    let (low, high) = range.unwrap_or((-LARGEST, LARGEST));
    if !(low as f64..=high as f64).contains(&initial) {
        return Err((place(data), "outside of its range from the beginning"));
    }
    let is_asked = |node: Node<'_, '_>| {
        let asks = |kind: &str| node.attribute(kind).is_some_and(|text| mentions(text, name));
        asks("cond") || is(node, "assign") && asks("expr") && !asks("location")
    };
    if range.is_none() && !root.descendants().any(is_asked) {
        return Err((place(data), "asked by no condition"));
    }
    if let Some(found) = root.descendants().find_map(|node| changed(node, name)) {
        return Err(found);
    }
    let size = range.and_then(|(low, high)| usize::try_from(high - low).ok());
    Ok(Variable {
        name: name.to_owned(),
        place: place(data),
        is_truth: !first.is_number,
        initial: initial as i64,
        range,
        most: size.map_or(0, |size| size + 1).max(MOST_VALUES),
    })
}

/// Where something may change the variable that is no assignment that is read.
fn changed(node: Node<'_, '_>, name: &str) -> Option<(Span, &'static str)> {
    let code = "named in code that may change it";
    let reaches_all = |text: &str| REACHES_ALL.iter().any(|word| mentions(text, word));
    let tag = node.tag_name().name();
    if let Some(text) = node.text().filter(|_| node.is_text()) {
        let is_code = node.parent().is_some_and(|parent| is(parent, "script"));
        let may_change = mentions(text, name) || is_code && reaches_all(text);
        return may_change.then(|| (Span::new(node.range().start, node.range().end), code));
    }
    let is_elsewhere = |node: Node<'_, '_>| ["foreach", "invoke", "finalize"].contains(&node.tag_name().name());
    node.attributes().find_map(|attribute| {
        let (kind, text) = (attribute.name(), attribute.value());
        let (may_change, why) = match kind {
            "src" if tag == "script" => (true, "in reach of a script in another file"),
            "location" if tag == "assign" && text.trim() == name => (
                node.ancestors().any(is_elsewhere),
                "assigned where that is not followed",
            ),
            "location" | "item" | "index" | "idlocation" | "namelist" => {
                (mentions(text, name), "changed or handed over")
            }
            _ if ["cond", "array"].contains(&kind) || kind.ends_with("expr") => {
                (reaches_all(text) || mentions(text, name) && assigns(text), code)
            }
            _ => (false, ""),
        };
        let place = attribute.range_value();
        may_change.then(|| (Span::new(place.start, place.end), why))
    })
}

/// Whether a word of the text is `name`.
pub(super) fn mentions(text: &str, name: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$');
    let mut found = text.match_indices(name).filter(|_| !name.is_empty());
    found.any(|(at, _)| !text[..at].ends_with(is_part) && !text[at + name.len()..].starts_with(is_part))
}

/// Whether code may change something: it has `++`, `--` or an assignment.
fn assigns(text: &str) -> bool {
    let compared = ["===", "!==", "==", "!=", "<=", ">="];
    let rest = compared
        .iter()
        .fold(text.to_owned(), |text, sign| text.replace(sign, " "));
    rest.contains('=') || ["++", "--", "<<", ">>"].iter().any(|sign| text.contains(sign))
}

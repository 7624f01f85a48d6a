//! Which variables are followed exactly.
//!
//! Those are integers and booleans that keep their type and that nothing but `<assign>` changes. Whoever else may change one is
//! looked for in the words of the file: in code that names it, and in code that need not name what it changes. Functions
//! from outside are taken to leave the variables of a chart alone, which they cannot see.

use std::collections::BTreeMap;

use roxmltree::Node;

use super::read::{Reader, described};
use super::term::{Handled, Scope, Type};
use crate::charts::data::{DataTerm, LARGEST, Variable};
use tamper_text::Span;
use tamper_text::scxml::{TAMPER, attribute, is, place};

/// Most values of a variable without a range.
const MOST_VALUES: usize = 64;
/// Code with one of these words may change what it does not name.
const REACHES_ALL: [&str; 6] = ["eval", "Function", "with", "globalThis", "window", "global"];

/// A variable whose values are known.
#[derive(Clone, Debug)]
pub(super) struct Known {
    pub name: String,
    pub is_truth: bool,
    pub initial: i64,
    /// Its position among those that change.
    pub position: Option<usize>,
    place: Span,
    range: Option<(i64, i64)>,
}

/// Why a variable is not followed, and where that is seen.
#[derive(Clone, Debug)]
pub(super) struct Inexact {
    pub place: Span,
    pub why: String,
}

impl Reader<'_> {
    /// Finds the variables that are followed; `excluded` are not.
    pub fn data(&mut self, root: Node<'_, '_>, excluded: &BTreeMap<String, Inexact>) {
        let mut ranges = Vec::new();
        for data in root.descendants().filter(|node| is(*node, "data")) {
            let Some(name) = attribute(data, None, "id").map(|id| id.text.trim().to_owned()) else {
                continue;
            };
            let range = self.range(data);
            ranges.extend(range.map(|_| (name.clone(), place(data))));
            let is_again = self.data.iter().any(|known| known.name == name) || self.inexact.contains_key(&name);
            let own = match () {
                () if is_again => Err(Inexact::new(place(data), "declared twice")),
                () if !self.is_ecmascript() => Err(Inexact::new(place(root), "of another language than ECMAScript")),
                () => known(root, data, &name, range),
            };
            match excluded.get(&name).cloned().map_or(own, Err) {
                Ok(known) => {
                    if let Some((low, high)) = range.filter(|(low, high)| !(low..=high).contains(&&known.initial)) {
                        let message = format!(
                            "`{name}` is {} first, outside of its range {low}..{high}",
                            known.initial
                        );
                        self.error(message, known.place, "widen the range");
                    }
                    self.data.push(known);
                }
                Err(why) => {
                    self.data.retain(|known| known.name != name);
                    self.inexact.insert(name, why);
                }
            }
        }
        let assigns: Vec<_> = root.descendants().filter(|node| is(*node, "assign")).collect();
        let location = |node: &Node<'_, '_>| node.attribute("location").map_or("", str::trim).to_owned();
        for known in &mut self.data {
            let is_changed = assigns.iter().any(|node| location(node) == known.name);
            known.position = is_changed.then_some(0);
        }
        // What is assigned may depend on variables that are not followed.
        while let Some((name, why)) = assigns.iter().find_map(|node| {
            let known = self.data.iter().find(|known| known.name == location(node))?;
            let read = node.attribute("expr").and_then(|expr| self.scope().read(expr));
            let wanted = if known.is_truth { Type::Truth } else { Type::Number };
            let is_exact = read.is_some_and(|read| read.kind == wanted);
            (!is_exact).then(|| {
                (
                    known.name.clone(),
                    Inexact::new(place(*node), "assigned what is not exact"),
                )
            })
        }) {
            self.data.retain(|known| known.name != name);
            self.inexact.insert(name, why);
        }
        for known in self.data.iter_mut().filter(|known| known.position.is_some()) {
            known.position = Some(self.chart.data.len());
            let (low, high) = known.range.unwrap_or((0, 0));
            let size = usize::try_from(high - low).map_or(0, |size| size + 1);
            self.chart.data.push(Variable {
                name: known.name.clone(),
                place: known.place,
                initial: known.initial,
                range: known.range,
                most: size.max(MOST_VALUES),
                told: (i64::MIN, i64::MAX),
            });
        }
        for (name, range) in ranges {
            if let Some(Inexact { place, why }) = self.inexact.get(&name).cloned() {
                let message = format!("the range of `{name}` has no meaning: it is not followed, since it is {why}");
                let warning = tamper_text::Diagnostic::warning(message, range).with_secondary(place, "here");
                self.found.push(warning.with_help(HELP));
            }
        }
    }

    /// What names stand for.
    pub fn scope(&self) -> Scope<'_> {
        Scope {
            data: &self.data,
            ids: &self.ids,
            event: match self.descriptors.as_deref() {
                None => Handled::Unknown,
                Some(words) if described(words).any(|word| word == "*") => Handled::Any(&self.handled),
                Some(_) => Handled::Named,
            },
        }
    }

    pub fn is_ecmascript(&self) -> bool {
        matches!(self.model.as_str(), "" | "ecmascript")
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

/// What makes a variable exact.
pub(super) const HELP: &str = "exact are integers and booleans of <data> with a first value that only <assign> changes, with \
    + - * % and comparisons, In('STATE'), !, && and ||";

impl Inexact {
    pub fn new(place: Span, why: impl Into<String>) -> Self {
        let why = why.into();
        Self { place, why }
    }
}

/// The variable, or why it is not followed.
fn known(root: Node<'_, '_>, data: Node<'_, '_>, name: &str, range: Option<(i64, i64)>) -> Result<Known, Inexact> {
    let own = place(data);
    if root.attribute("binding") == Some("late") {
        return Err(Inexact::new(place(root), "bound late"));
    }
    let nothing = Scope {
        data: &[],
        ids: &BTreeMap::new(),
        event: Handled::Unknown,
    };
    let read = data.attribute("expr").and_then(|expr| nothing.read(expr));
    let Some((DataTerm::Number(initial), kind)) = read.map(|read| (read.term, read.kind)) else {
        return Err(Inexact::new(own, "without an integer or a boolean as its first value"));
    };
    if let Some((place, why)) = root.descendants().find_map(|node| changed(node, name)) {
        return Err(Inexact::new(place, why));
    }
    Ok(Known {
        name: name.to_owned(),
        is_truth: kind == Type::Truth,
        initial,
        position: None,
        place: own,
        range,
    })
}

/// Whether something at this place of the file, and not an assignment that is read, may change the variable.
fn changed(node: Node<'_, '_>, name: &str) -> Option<(Span, &'static str)> {
    let span = |range: std::ops::Range<usize>| Span::new(range.start, range.end);
    let reaches_all = |text: &str| {
        let is_handed_over = behind(text, "this").any(|rest| !rest.trim_start().starts_with('.'));
        is_handed_over || REACHES_ALL.iter().any(|word| mentions(text, word))
    };
    let tag = node.tag_name().name();
    if let Some(text) = node.text().filter(|_| node.is_text()) {
        let is_code = node.parent().is_some_and(|parent| is(parent, "script"));
        let may_change = mentions(text, name) || is_code && reaches_all(text);
        return may_change.then(|| (span(node.range()), "named in code that may change it"));
    }
    if tag == "script" && node.has_attribute("src") {
        return Some((place(node), "in reach of a script in another file"));
    }
    let is_elsewhere = |node: Node<'_, '_>| ["foreach", "invoke", "finalize"].contains(&node.tag_name().name());
    node.attributes().find_map(|attribute| {
        let (kind, text) = (attribute.name(), attribute.value());
        let is_code = ["cond", "location", "array", "item", "index", "namelist", "idlocation"].contains(&kind);
        if !is_code && !kind.ends_with("expr") {
            return None;
        }
        let why = match kind {
            "location" if tag == "assign" && text.trim() == name => {
                let is_read = !node.ancestors().any(is_elsewhere);
                (!is_read).then_some("assigned where that is not followed")
            }
            "location" | "item" | "index" | "idlocation" => mentions(text, name).then_some("changed"),
            "namelist" if tag == "invoke" => mentions(text, name).then_some("handed over"),
            _ if assigns(text) && mentions(text, name) || reaches_all(text) => Some("named in code that may change it"),
            _ => None,
        }?;
        Some((span(attribute.range_value()), why))
    })
}

/// Whether a word of the text is `name`.
pub(super) fn mentions(text: &str, name: &str) -> bool {
    behind(text, name).next().is_some()
}

/// What follows each word of the text that is `name`.
fn behind<'t>(text: &'t str, name: &'t str) -> impl Iterator<Item = &'t str> {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$');
    let found = text.match_indices(name).filter(move |_| !name.is_empty());
    let found = found.map(move |(at, _)| (&text[..at], &text[at + name.len()..]));
    found.filter_map(move |(before, rest)| (!before.ends_with(is_part) && !rest.starts_with(is_part)).then_some(rest))
}

/// Whether code may change something: it has `++`, `--` or an assignment.
fn assigns(text: &str) -> bool {
    let is_assigned = |(at, _): (usize, &str)| {
        let is_compared = text[..at].ends_with(['=', '!', '<', '>']) || text[at + 1..].starts_with('=');
        !is_compared || text[..at].ends_with("<<") || text[..at].ends_with(">>")
    };
    text.contains("++") || text.contains("--") || text.match_indices('=').any(is_assigned)
}

//! Words of DOT: looks and texts of marked parts.

use super::marks::{Label, Mark, colour};
use tamper_text::xml::{self, Element};

pub(super) fn look(mark: Mark) -> String {
    let style = match mark {
        Mark::Plain => "solid",
        Mark::Added | Mark::Changed => "bold",
        Mark::Removed => "dotted",
    };
    format!("style={style}, color=\"{}\"", colour(mark))
}

pub(super) fn shown(label: &Label, mark: Mark) -> String {
    let within = |name: &'static str, text: &str| Element::new(name).text(text).to_string();
    match (&label.old, mark) {
        (Some(old), _) => format!("{} \u{2192} {}", within("s", old), within("b", &label.text)),
        (None, Mark::Removed) => within("s", &label.text),
        (None, Mark::Added) => within("b", &label.text),
        (None, _) => xml::content(&label.text).into_owned(),
    }
}

pub(super) fn quoted(text: &str) -> String {
    format!(
        "\"{}\"",
        text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
    )
}

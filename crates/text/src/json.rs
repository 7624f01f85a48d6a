//! JSON with the places of all values, and of every character of a string.

use jsonc_parser::ast::{Object, ObjectProp, StringLit, Value};
use jsonc_parser::common::{Range, Ranged as _};
use jsonc_parser::{CollectOptions, ParseOptions, parse_to_ast};

use crate::{Diagnostic, Piece, Span, Text};

/// The value in the text of a file; plain JSON, no extensions. Its places are within `file`.
///
/// # Errors
/// The first place that is no JSON.
pub fn parse(file: Piece<'_>) -> Result<Value<'_>, Diagnostic> {
    let strict = ParseOptions {
        allow_comments: false,
        allow_loose_object_property_names: false,
        allow_trailing_commas: false,
        allow_missing_commas: false,
        allow_single_quoted_strings: false,
        allow_hexadecimal_numbers: false,
        allow_unary_plus_numbers: false,
        allow_bare_decimal_point_numbers: false,
        allow_non_finite_numbers: false,
        allow_extended_string_escapes: false,
    };
    match parse_to_ast(file.text, &CollectOptions::default(), &strict) {
        Ok(parsed) => parsed.value.ok_or_else(|| {
            Diagnostic::error("the file is empty", file.part(0, 0).span)
                .with_help("name a JSON file that holds a model")
        }),
        Err(error) => Err(Diagnostic::error(
            format!("this is not JSON: {}", error.kind()),
            place_in(file, error.range()),
        )
        .with_help("save it again with the tool that wrote it, or correct it")),
    }
}

/// The place of a range of `file`.
fn place_in(file: Piece<'_>, range: Range) -> Span {
    Span::new(file.start() + range.start, file.start() + range.end)
}

/// The property of that name.
pub fn property<'v, 'a>(object: &'v Object<'a>, key: &str) -> Option<&'v ObjectProp<'a>> {
    let mut properties = object.properties.iter();
    properties.find(|property| property.name.as_str() == key)
}

/// An object that is read key by key.
#[derive(Debug)]
pub struct Fields<'v, 'a> {
    object: &'v Object<'a>,
    file: Piece<'v>,
    seen: Vec<&'static str>,
}

impl<'v, 'a> Fields<'v, 'a> {
    /// The object `value` of a file; `what` describes what was expected, for the error.
    pub fn of(value: &'v Value<'a>, file: Piece<'v>, what: &str, found: &mut Vec<Diagnostic>) -> Option<Self> {
        match value {
            Value::Object(object) => Some(Self {
                object,
                file,
                seen: Vec::new(),
            }),
            other => {
                let error = Diagnostic::error(format!("{what} is a JSON object"), place_in(file, other.range()));
                found.push(error.with_help("write `{ … }`"));
                None
            }
        }
    }

    /// Place of the object.
    pub fn place(&self) -> Span {
        self.span(self.object.range)
    }

    fn span(&self, range: Range) -> Span {
        place_in(self.file, range)
    }

    /// The value of `key`.
    pub fn get(&mut self, key: &'static str) -> Option<&'v Value<'a>> {
        self.seen.push(key);
        property(self.object, key).map(|property| &property.value)
    }

    /// The text of `key` with its place; empty if the object has no `key`.
    pub fn text(&mut self, key: &'static str, found: &mut Vec<Diagnostic>) -> Text {
        let file = self.file;
        match self.get(key) {
            Some(Value::StringLit(literal)) => text(literal, file, found),
            Some(Value::NullKeyword(_)) | None => Text::default(),
            Some(other) => {
                let error = Diagnostic::error(format!("`{key}` is a text"), self.span(other.range()));
                found.push(error.with_help("put it in double quotes"));
                Text::default()
            }
        }
    }

    /// Place of the value of `key`; the object's place if it has no `key`.
    pub fn value_place(&self, key: &str) -> Span {
        let known = property(self.object, key);
        known.map_or(self.place(), |property| self.span(property.value.range()))
    }

    /// The whole number nearest to the value of `key`, for drawings.
    pub fn coordinate(&mut self, key: &'static str) -> Option<i64> {
        let Some(Value::NumberLit(number)) = self.get(key) else {
            return None;
        };
        let number: f64 = number.value.parse().ok()?;
        #[allow(
            clippy::cast_possible_truncation,
            reason = "a position on a drawing; the cast saturates"
        )]
        number.is_finite().then_some(number.round() as i64)
    }

    /// The elements of the list `key`.
    pub fn list(&mut self, key: &'static str, found: &mut Vec<Diagnostic>) -> &'v [Value<'a>] {
        match self.get(key) {
            Some(Value::Array(array)) => &array.elements,
            Some(Value::NullKeyword(_)) | None => &[],
            Some(other) => {
                let error = Diagnostic::error(format!("`{key}` is a list"), self.span(other.range()));
                found.push(error.with_help("write `[ … ]`"));
                &[]
            }
        }
    }

    /// Reports keys that were not read: as a warning if their value is insignificant (empty, `false`, `null` or a number),
    /// else as an error. `display` lists keys that only matter on the screen.
    pub fn finish(self, display: &[&str], found: &mut Vec<Diagnostic>) {
        let properties = &self.object.properties;
        for (at, property) in properties.iter().enumerate() {
            let key = property.name.as_str();
            let place = self.span(property.range);
            if properties[..at].iter().any(|earlier| earlier.name.as_str() == key) {
                found.push(Diagnostic::error(format!("the key `{key}` occurs twice"), place).with_help("keep one"));
            } else if !self.seen.contains(&key) && !display.contains(&key) {
                let message = format!("the key `{key}` is not understood");
                found.push(match says_something(&property.value) {
                    true => Diagnostic::error(message, place).with_help("remove it if it means nothing"),
                    false => Diagnostic::warning(message, place).with_help("it says nothing, and is ignored"),
                });
            }
        }
    }
}

fn says_something(value: &Value<'_>) -> bool {
    match value {
        Value::StringLit(text) => !text.value.trim().is_empty(),
        Value::NumberLit(_) | Value::NullKeyword(_) => false,
        Value::BooleanLit(literal) => literal.value,
        Value::Object(object) => !object.properties.is_empty(),
        Value::Array(array) => !array.elements.is_empty(),
    }
}

/// The text of `literal`, each character with its place; an escape is one character.
fn text(literal: &StringLit<'_>, file: Piece<'_>, found: &mut Vec<Diagnostic>) -> Text {
    let place = place_in(file, literal.range);
    let inside = place.start as usize + 1;
    let mut mapped = Text::within(place);
    let raw_length = literal.range.end - literal.range.start - 2;
    let bad = literal
        .value
        .chars()
        .any(|c| c.is_control() && !matches!(c, '\n' | '\r' | '\t'));
    if bad {
        let error = Diagnostic::error("a control character in a text", place);
        found.push(error.with_help("remove it"));
        return mapped;
    }
    if literal.value.len() == raw_length {
        mapped.exact(&literal.value, inside);
        return mapped;
    }
    let raw = &file.text[literal.range.start + 1..literal.range.end - 1];
    let mut at = 0;
    for character in literal.value.chars() {
        let length = written_length(&raw[at..], character);
        let text = character.to_string();
        match raw[at..].starts_with('\\') {
            true => mapped.whole(&text, Span::new(inside + at, inside + at + length)),
            false => mapped.exact(&text, inside + at),
        }
        at += length;
    }
    mapped
}

/// Number of bytes at the start of `raw` that encode `character`.
fn written_length(raw: &str, character: char) -> usize {
    match raw.strip_prefix('\\') {
        None => character.len_utf8(),
        // A character outside the basic plane is written as two surrogates.
        Some(escape) if escape.starts_with('u') => 6 * character.len_utf16(),
        Some(_) => 2,
    }
}

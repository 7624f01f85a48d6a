//! Parts of JSON, with their places.

use jsonc_parser::ast::{Object, ObjectProp, Value};
use jsonc_parser::common::Ranged as _;

use crate::charts::chart::index_of;
use tamper_text::json::property;
use tamper_text::{Diagnostic, Span};

pub(in crate::charts) fn get<'v, 'a>(object: &'v Object<'a>, key: &str) -> Option<&'v Value<'a>> {
    property(object, key).map(|property| &property.value)
}

pub(in crate::charts) fn object<'v, 'a>(
    value: &'v Value<'a>,
    what: &str,
    found: &mut Vec<Diagnostic>,
) -> Option<&'v Object<'a>> {
    match value {
        Value::Object(object) => Some(object),
        other => {
            found.push(Diagnostic::error(format!("{what} is an object"), place(other)).with_help("write { … }"));
            None
        }
    }
}

/// The elements of a list, or the only one.
pub(in crate::charts) fn elements<'v, 'a>(value: &'v Value<'a>) -> Vec<&'v Value<'a>> {
    match value {
        Value::Array(array) => array.elements.iter().collect(),
        other => vec![other],
    }
}

/// The properties in the order in which JavaScript lists them: natural numbers first.
pub(in crate::charts) fn sorted<'v, 'a>(object: &'v Object<'a>) -> Vec<&'v ObjectProp<'a>> {
    let mut properties: Vec<_> = object.properties.iter().collect();
    properties.sort_by_key(|property| index_of(property.name.as_str()).map_or(u64::MAX, u64::from));
    properties
}

/// The words of a value.
pub(in crate::charts) fn written(value: &Value<'_>) -> String {
    match value {
        Value::StringLit(text) => text.value.to_string(),
        Value::NumberLit(number) => number.value.to_owned(),
        Value::BooleanLit(literal) => literal.value.to_string(),
        Value::NullKeyword(_) => "null".to_owned(),
        Value::Array(array) => array.elements.iter().map(written).collect::<Vec<_>>().join(" "),
        Value::Object(object) => {
            let properties = object.properties.iter();
            let texts = properties.map(|property| format!("{} {}", property.name.as_str(), written(&property.value)));
            texts.collect::<Vec<_>>().join(" ")
        }
    }
}

pub(in crate::charts) fn place(value: &Value<'_>) -> Span {
    let range = value.range();
    Span::new(range.start, range.end)
}

/// The place of the key of a property.
pub(in crate::charts) fn name_place(property: &ObjectProp<'_>) -> Span {
    let range = property.name.range();
    Span::new(range.start, range.end)
}

/// The place of the bracket that an object begins with.
pub(in crate::charts) fn head(object: &Object<'_>) -> Span {
    Span::new(object.range.start, object.range.start + 1)
}

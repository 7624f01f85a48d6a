//! The actions that a template keeps though none of its edges has them.

use std::collections::BTreeSet;

use crate::model::{Action, Role};

/// The actions of `alphabet` that none of `used` is, as an alphabet directive lists them.
pub(in crate::formats) fn lost_actions<'a>(alphabet: &'a [Action], used: &BTreeSet<(&str, Role)>) -> Vec<&'a Action> {
    let lost = |action: &&Action| !used.contains(&(&*action.name, action.role));
    alphabet.iter().filter(lost).collect()
}

/// The line that keeps `actions` in the alphabet of a template none of whose edges has them.
pub(in crate::formats) fn alphabet_directive<'a>(actions: impl Iterator<Item = &'a Action>) -> String {
    let list: Vec<_> = actions.map(ToString::to_string).collect();
    format!("// tamper:alphabet {}", list.join(" "))
}

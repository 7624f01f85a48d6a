//! Ids of mutation features, and names of features that every feature-model format can hold.

use std::collections::BTreeSet;

use super::contents::Reachable;
use super::key::AtomChanges;
use super::states::AtomState;
use crate::model::Automaton;
use crate::mutation::change::AtomText;
use crate::mutation::edge_name;

/// The suffix that tells the id of an added edge from the id of a plain one: the content that it clones, and the number of
/// the copy.
pub fn content_suffix(base: &Automaton, reachable: &Reachable, copy: u32) -> String {
    let mut suffix = String::new();
    if reachable.cost > 0 {
        match reachable.content.edge {
            Some(edge) => {
                let changes = changes_text(&reachable.content.changes);
                suffix.push_str(&format!(":like:{}{changes}", edge_name(base, edge)));
            }
            None => suffix.push_str(":like:nothing"),
        }
    }
    if copy > 1 {
        suffix.push_str(&format!(":copy{copy}"));
    }
    suffix
}

fn changes_text(changes: &AtomChanges) -> String {
    let mut text = String::new();
    for (atom, path) in changes {
        let path: Vec<_> = path.iter().map(ToString::to_string).collect();
        text.push_str(&format!("@{atom}:{}", path.join(".")));
    }
    text
}

/// The suffix for one more change of an atom, appended to the id of the thing that is changed.
pub fn change_suffix(base: &Automaton, state: &AtomState, n_atoms: usize) -> String {
    let operator = state.path.last().map_or_else(String::new, ToString::to_string);
    let position = if n_atoms > 1 {
        format!("@{}", state.atom)
    } else {
        String::new()
    };
    format!(
        ";{operator}{position}:{}=>{}",
        AtomText(base, state.old),
        AtomText(base, state.new)
    )
}

/// Makes names: letters, digits and `_`, starting with a letter, each only once.
#[derive(Debug, Default)]
pub struct Names {
    taken: BTreeSet<String>,
}

impl Names {
    /// A maker of names that avoids the `taken` ones.
    pub fn avoiding<'a>(taken: impl IntoIterator<Item = &'a str>) -> Self {
        Self {
            taken: taken.into_iter().map(str::to_lowercase).collect(),
        }
    }
    /// A name that resembles `id`, unique even if case is ignored.
    pub fn name(&mut self, id: &str) -> String {
        let plain = plain(id);
        let mut name = plain.clone();
        let mut number = 2;
        while !self.taken.insert(name.to_lowercase()) {
            name = format!("{plain}_v{number}");
            number += 1;
        }
        name
    }
}

fn plain(id: &str) -> String {
    let mut text = id.to_owned();
    let spelled = [
        ("->", "_to_"),
        ("=>", "_becomes_"),
        ("<=", "_le_"),
        (">=", "_ge_"),
        ("==", "_eq_"),
        ("<", "_lt_"),
        (">", "_gt_"),
        (";", "_then_"),
    ];
    for (symbol, word) in spelled {
        text = text.replace(symbol, word);
    }
    let mut name = String::new();
    for c in text.chars() {
        let c = if c.is_ascii_alphanumeric() { c } else { '_' };
        if c != '_' || !name.ends_with('_') {
            name.push(c);
        }
    }
    let name = name.trim_matches('_');
    match name.chars().next() {
        Some(first) if first.is_ascii_alphabetic() => name.to_owned(),
        _ => format!("m_{name}"),
    }
}

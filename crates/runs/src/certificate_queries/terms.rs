//! Terms of SMT-LIB, as text.

use super::reading::{Atom, Move};

pub const TRUE: &str = "true";
pub const FALSE: &str = "false";

/// The values that moves have given to clocks.
pub type Resets = Vec<(String, i64)>;

/// The place at which a condition is asked: after a delay, or after moves, or both, in this order.
#[derive(Clone, Copy, Default)]
pub struct At<'a> {
    pub delay: Option<&'a str>,
    /// The values of clocks that moves have set.
    pub resets: &'a [(String, i64)],
}

impl<'a> At<'a> {
    pub fn delay(delay: &'a str) -> Self {
        let delay = Some(delay);
        Self {
            delay,
            ..Self::default()
        }
    }
    pub fn after(resets: &'a [(String, i64)]) -> Self {
        Self { delay: None, resets }
    }
    fn value(&self, clock: &str) -> String {
        match (self.resets.iter().find(|(name, _)| name == clock), self.delay) {
            (Some((_, value)), _) => value.to_string(),
            (None, Some(delay)) => format!("(+ |{clock}| {delay})"),
            (None, None) => format!("|{clock}|"),
        }
    }
}

pub fn all(parts: impl IntoIterator<Item = String>) -> String {
    joined("and", parts, [TRUE, FALSE])
}

pub fn any(parts: impl IntoIterator<Item = String>) -> String {
    joined("or", parts, [FALSE, TRUE])
}

fn joined(word: &str, parts: impl IntoIterator<Item = String>, [neutral, decisive]: [&str; 2]) -> String {
    let mut text = String::new();
    for part in parts {
        if part == decisive {
            return part;
        }
        if part != neutral {
            text.push(' ');
            text.push_str(&part);
        }
    }
    match text.is_empty() {
        true => neutral.to_owned(),
        false => format!("({word}{text})"),
    }
}

pub fn not(part: String) -> String {
    match part.as_str() {
        TRUE => FALSE.to_owned(),
        FALSE => TRUE.to_owned(),
        _ => format!("(not {part})"),
    }
}

/// The valuations that satisfy `atoms`, of a game whose clocks have this mark.
pub fn zone(atoms: &[Atom<'_>], mark: &str, at: At<'_>) -> String {
    let value = |clock: &str| at.value(&format!("{clock}{mark}"));
    all(atoms.iter().map(|atom| {
        let left = value(atom.left);
        let term = match atom.right {
            Some(right) => format!("(- {left} {})", value(right)),
            None => left,
        };
        let size = atom.constant.unsigned_abs();
        match atom.constant < 0 {
            true => format!("({} {term} (- {size}))", atom.sign),
            false => format!("({} {term} {size})", atom.sign),
        }
    }))
}

pub fn resets_of(step: &Move<'_>, mark: &str) -> Resets {
    let resets = step.resets.iter();
    resets
        .map(|(clock, value)| (format!("{clock}{mark}"), *value))
        .collect()
}

/// Whether for some delay `d!` all of `parts` hold.
pub fn some_delay(parts: impl IntoIterator<Item = String>) -> String {
    format!("(exists ((d! Real)) {})", all(parts))
}

/// Whether `condition` holds at each delay `e!` up to `d!`.
pub fn until_then(condition: &str) -> String {
    format!("(forall ((e! Real)) (=> (and (<= 0 e!) (<= e! d!)) {condition}))")
}

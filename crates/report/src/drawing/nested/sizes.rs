//! Sizes of boxes and texts, on a grid.

use super::picture::DrawnBox;
use crate::drawing::geometry::{LINE, number};
use crate::drawing::marks::{Label, Mark};
use tamper_timed::model::BoxKind;

/// The step of the grid. Boxes and texts are an even number of steps wide and high.
pub(super) const STEP: f64 = 10.0;
/// The height of a box's name.
pub(super) const TITLE: f64 = 20.0;
/// Most characters of a line before it is broken.
const LONG: usize = 26;

pub(super) fn even(length: f64) -> f64 {
    (length / (2.0 * STEP)).ceil() * 2.0 * STEP
}

/// The size of a box without what is within it.
pub(super) fn size(own: &DrawnBox) -> (f64, f64) {
    let lines = own.lines.iter().flat_map(|line| broken(&line.label, line.mark));
    let lines: Vec<usize> = lines.map(|(text, _)| text.chars().count()).collect();
    // Names are bold.
    let widest = lines
        .iter()
        .copied()
        .chain([own.name.chars().count() * 9 / 8 + 1])
        .max();
    let width = number(widest.unwrap_or(0)) * 6.6 + 2.0 * STEP;
    let sign = if matches!(own.kind, BoxKind::History { .. }) {
        30.0
    } else {
        0.0
    };
    let lines = if lines.is_empty() {
        0.0
    } else {
        number(lines.len()) * LINE + 5.0
    };
    let height = sign + TITLE + lines + 10.0;
    let height = if own.children.is_empty() {
        even(height)
    } else {
        (height / STEP).floor() * STEP
    };
    (even(width.max(60.0)), height)
}

/// The lines of a text, and how each is marked: what was there before comes first.
pub(super) fn broken(label: &Label, mark: Mark) -> Vec<(String, Mark)> {
    let mut lines = Vec::new();
    if let Some(old) = &label.old {
        lines.extend(lines_of(old).into_iter().map(|line| (line, Mark::Removed)));
    }
    let mark = if label.old.is_some() { Mark::Added } else { mark };
    let text = match label.old {
        Some(_) => lines_of(&format!("\u{2192}\u{a0}{}", label.text)),
        None => lines_of(&label.text),
    };
    lines.extend(text.into_iter().map(|line| (line, mark)));
    lines
}

fn lines_of(text: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_inclusive(' ').filter(|_| !text.is_empty()) {
        match lines.last_mut() {
            Some(line) if line.chars().count() + word.trim_end().chars().count() <= LONG => line.push_str(word),
            _ => lines.push(word.to_owned()),
        }
    }
    lines.into_iter().map(|line| line.trim_end().to_owned()).collect()
}

pub(super) fn text_size(label: &Label, mark: Mark) -> (f64, f64) {
    let lines = broken(label, mark);
    let Some(widest) = lines.iter().map(|(line, _)| line.chars().count()).max() else {
        return (0.0, 0.0);
    };
    (even(number(widest) * 6.6 + 6.0), even(number(lines.len()) * LINE + 2.0))
}

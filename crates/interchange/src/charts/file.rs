//! From the bytes of a file to the game of its chart.

use super::chart::Chart;
use super::spell::spell;
use super::unfold::Unfolded;
use tamper_text::{Diagnostic, ReadError, SourceFile, decode, has_error};
use tamper_uppaal::{Document, ReadOptions, read_behind};

/// The game of the chart that `read` finds in `bytes`, the content of a file called `name`.
pub(super) fn read_chart(
    name: &str,
    bytes: &[u8],
    options: &ReadOptions,
    read: impl FnOnce(&SourceFile, &mut Vec<Diagnostic>) -> Option<Chart>,
) -> Result<(Document, Vec<Diagnostic>), ReadError> {
    let file = decode(name, bytes)?;
    let mut found = Vec::new();
    let chart = read(&file, &mut found).filter(|_| !has_error(&found));
    let raw = chart.and_then(|chart| Some(spell(&chart, &Unfolded::of(&chart, &mut found)?)));
    match raw.filter(|_| !has_error(&found)) {
        Some(raw) => read_behind(file, raw, found, options),
        None => Err(ReadError {
            file,
            diagnostics: found,
        }),
    }
}

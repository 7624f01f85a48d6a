//! The game of a chart, and those of charts with one mistake.

use super::chart::Chart;
use super::mistakes::{Original, too_many};
use super::spell::{Names, spell};
use super::unfold::Unfolded;
use super::warnings::warnings;
use tamper_text::{Diagnostic, ReadError, SourceFile};
use tamper_timed::model::Variants;
use tamper_uppaal::{Document, ReadOptions, read_behind};

/// The game of the chart of a file, if it has one; `found` is what was found while it was read.
pub(super) fn game_of(
    file: SourceFile,
    chart: Option<Chart>,
    mut found: Vec<Diagnostic>,
    options: &ReadOptions,
) -> Result<(Document, Vec<Diagnostic>), ReadError> {
    let unfolded = chart.and_then(|chart| Unfolded::of(&chart, &mut found).map(|unfolded| (chart, unfolded)));
    let Some((chart, unfolded)) = unfolded else {
        return Err(ReadError {
            file,
            diagnostics: found,
        });
    };
    let mut names = Names::default();
    let raw = spell(&chart, &unfolded, &mut names);
    found.extend(warnings(&chart, &unfolded));
    let is_too_large = too_many(&chart, &unfolded);
    found.extend(is_too_large.clone());
    let (document, found) = read_behind(file.clone(), raw, found, options)?;
    if is_too_large.is_some() {
        return Ok((document, found));
    }
    let original = Original {
        file,
        options: *options,
        chart,
        unfolded,
        names,
        game: document.automata()[0].clone(),
    };
    Ok((document.with_variants(Variants::new(|| original.variants())), found))
}

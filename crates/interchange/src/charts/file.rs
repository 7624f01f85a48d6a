//! From the bytes of a file to the game of its chart, and those of charts with one mistake.

use super::boxes::hierarchy;
use super::chart::Chart;
use super::mistakes::{Original, too_many};
use super::spell::{Names, spell};
use super::unfold::Unfolded;
use super::warnings::warnings;
use tamper_text::{Diagnostic, ReadError, SourceFile, Span, decode, has_error};
use tamper_timed::model::Variants;
use tamper_uppaal::{Document, ReadOptions, read_behind};

/// The game of the chart that `read` finds in `bytes`, the content of a file called `name`.
pub(super) fn read_chart(
    name: &str,
    bytes: &[u8],
    options: &ReadOptions,
    read: impl FnOnce(&SourceFile, &mut Vec<Diagnostic>) -> Option<(Chart, Unfolded)>,
) -> Result<(Document, Vec<Diagnostic>), ReadError> {
    let file = decode(name, bytes)?;
    let mut found = Vec::new();
    if file.text().trim().is_empty() {
        let error = Diagnostic::error("the file is empty", Span::new(0, 0));
        let help = "write a machine configuration of XState (JSON), or a state chart that begins with <scxml>";
        found.push(error.with_help(help));
        return Err(ReadError {
            file,
            diagnostics: found,
        });
    }
    let Some((chart, unfolded)) = read(&file, &mut found).filter(|_| !has_error(&found)) else {
        return Err(ReadError {
            file,
            diagnostics: found,
        });
    };
    let mut names = Names::default();
    let raw = spell(&chart, &unfolded, &mut names);
    let boxes = hierarchy(&chart, &unfolded, &raw);
    found.extend(warnings(&chart, &unfolded));
    let is_too_large = too_many(&chart, &unfolded);
    found.extend(is_too_large.clone());
    let (document, found) = read_behind(file.clone(), raw, found, options)?;
    let document = document.with_first(|game| names.scripted(game).with_hierarchy(Some(boxes)).with_unit("ms"));
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
    let variants = Variants::new(|| original.variants());
    Ok((document.with_first(|game| game.with_variants(variants)), found))
}

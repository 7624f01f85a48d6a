//! Tables for a terminal: ASCII that is Markdown as well.

use comfy_table::{CellAlignment, Table, presets};

/// A table without rows, under these heads.
pub(super) fn text_table(heads: impl IntoIterator<Item = impl ToString>) -> Table {
    let mut table = Table::new();
    table.force_no_tty().load_style(presets::ASCII_MARKDOWN);
    table.set_header(heads.into_iter().map(|head| head.to_string()));
    table
}

/// The text of a table whose columns but the first hold numbers.
pub(super) fn numbers_text(mut table: Table) -> String {
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    format!("{table}\n")
}

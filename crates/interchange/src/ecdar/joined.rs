//! The files of a project as one text, so that every place in a file is a place in this text.

use tamper_text::{Diagnostic, Piece, ReadError, Severity, SourceFile, Span};

/// The files, in the order of the text.
pub(super) struct Joined {
    files: Vec<SourceFile>,
    /// The start of each file in the text.
    starts: Vec<usize>,
    /// The joined text, under the name of the first file.
    pub text: SourceFile,
}

impl Joined {
    pub fn of(files: Vec<SourceFile>) -> Self {
        let (mut starts, mut text) = (Vec::new(), String::new());
        for file in &files {
            starts.push(text.len());
            text.push_str(file.text());
            text.push('\n');
        }
        let name = files.first().map_or("", |file| file.name()).to_owned();
        Self {
            files,
            starts,
            text: SourceFile::new(name, text),
        }
    }

    /// The names and contents of the files.
    pub fn pieces(&self) -> impl Iterator<Item = (&str, Piece<'_>)> {
        let files = self.files.iter().zip(&self.starts);
        files.map(|(file, start)| (file.name(), Piece::new(file.text(), *start)))
    }

    /// The findings about each file, with their places in it; findings without a place belong to the first file.
    pub fn by_file(&self, found: Vec<Diagnostic>) -> Vec<(SourceFile, Vec<Diagnostic>)> {
        let mut all: Vec<_> = self.files.iter().map(|file| (file.clone(), Vec::new())).collect();
        for mut diagnostic in found {
            let file = diagnostic.span.map_or(0, |span| self.file_at(span));
            let start = self.starts.get(file).copied().unwrap_or_default();
            let moved = |span: Span| Span::new(span.start as usize - start, span.end as usize - start);
            diagnostic.span = diagnostic.span.map(moved);
            let secondary = diagnostic
                .secondary
                .take()
                .filter(|(span, _)| self.file_at(*span) == file);
            diagnostic.secondary = secondary.map(|(span, what)| (moved(span), what));
            if let Some((_, list)) = all.get_mut(file) {
                list.push(diagnostic);
            }
        }
        all
    }

    /// The findings about the first file with an error.
    pub fn refused(&self, found: Vec<Diagnostic>) -> ReadError {
        let mut all = self.by_file(found).into_iter();
        let first = all.find(|(_, found)| is_refused(found));
        let (file, mut diagnostics) = first.unwrap_or_else(|| (self.text.clone(), Vec::new()));
        diagnostics.sort_by(|a, b| (a.span, &a.message).cmp(&(b.span, &b.message)));
        diagnostics.dedup_by(|a, b| a.span == b.span && a.message == b.message);
        ReadError { file, diagnostics }
    }

    fn file_at(&self, span: Span) -> usize {
        let after = self.starts.partition_point(|start| *start <= span.start as usize);
        after.saturating_sub(1)
    }
}

/// Whether the findings include an error.
pub(super) fn is_refused(found: &[Diagnostic]) -> bool {
    found.iter().any(|found| found.severity == Severity::Error)
}

//! A model of another format, spelled out as a UPPAAL file, with the way back.
//!
//! So that every format is understood by one reader, exactly and with the same errors, the readers of other formats
//! check the structure of their files and then write down what they found as UPPAAL XML. Each piece of that text knows
//! the place in the user's file that it stands for; what the UPPAAL reader finds wrong is reported there.

use super::uppaal::{Document, NetworkFile, ReadError, ReadOptions, read_bytes, read_network, read_only};
use crate::text::xml::content;
use crate::text::{Diagnostic, Severity, SourceFile, Span};

/// A place in one of the files that are read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Origin {
    /// The position of the file.
    pub file: usize,
    /// Where in it.
    pub span: Span,
}

impl Origin {
    /// A place in the first file, which is the only one of most formats.
    pub fn of(span: Span) -> Self {
        Self { file: 0, span }
    }
}

/// Text and where each part of it stands, in order: character by character, or as a whole.
#[derive(Clone, Default, Debug)]
pub(super) struct Mapped {
    pub text: String,
    runs: Vec<(usize, Origin, bool)>,
}

impl Mapped {
    /// Adds `text`, which stands there as it is.
    pub fn exact(&mut self, text: &str, origin: Origin) {
        self.runs.push((self.text.len(), origin, true));
        self.text.push_str(text);
    }
    /// Adds `text`, which stands there as it is, as XML writes it.
    pub fn escaped(&mut self, text: &str, origin: Origin) {
        let mut at = 0;
        for (position, sign) in text.match_indices(['&', '<', '>']) {
            self.exact(&text[at..position], Self::within(origin, at, position));
            at = position + sign.len();
            self.whole(&content(sign), Self::within(origin, position, at));
        }
        self.exact(&text[at..], Self::within(origin, at, text.len()));
    }
    fn within(origin: Origin, start: usize, end: usize) -> Origin {
        let first = origin.span.start as usize;
        Origin {
            span: Span::new(first + start, first + end),
            ..origin
        }
    }
    /// Adds another text after this one.
    pub fn append(&mut self, other: &Self) {
        let start = self.text.len();
        self.text.push_str(&other.text);
        self.runs.extend(
            other
                .runs
                .iter()
                .map(|(at, origin, exact)| (start + at, *origin, *exact)),
        );
    }
    /// Adds `text`, which stands for all of `origin`.
    pub fn whole(&mut self, text: &str, origin: Origin) {
        self.runs.push((self.text.len(), origin, false));
        self.text.push_str(text);
    }
}

/// The automata of a file, the file, and the warnings about it.
pub type ReadOne = (Document, SourceFile, Vec<Diagnostic>);

/// A UPPAAL file in the making.
#[derive(Default, Debug)]
pub(super) struct Transcript {
    text: Mapped,
}

impl Transcript {
    /// Adds markup; what is wrong with it is blamed on `origin`.
    pub fn markup(&mut self, text: &str, origin: Origin) {
        self.text.whole(text, origin);
    }

    /// Adds `content` between the tags of `element`, unless it is blank.
    pub fn element(&mut self, open: &str, content: &Mapped, close: &str, origin: Origin) {
        if content.text.trim().is_empty() {
            return;
        }
        self.markup(open, origin);
        if content.text.contains("]]>") {
            let escaped = content
                .text
                .replace('&', "&amp;")
                .replace('<', "&lt;")
                .replace('>', "&gt;");
            self.markup(&escaped, origin);
        } else {
            self.markup("<![CDATA[", origin);
            self.text.append(content);
            self.markup("]]>", origin);
        }
        self.markup(close, origin);
    }

    /// Adds `content`, escaped already, between the tags of `element`, unless it is blank.
    pub fn escaped(&mut self, open: &str, content: &Mapped, close: &str, origin: Origin) {
        if content.text.trim().is_empty() {
            return;
        }
        self.markup(open, origin);
        self.text.append(content);
        self.markup(close, origin);
    }

    /// The automata, only those of the names in `only` where there are some, of the one file that this stands for, and the
    /// warnings about it.
    ///
    /// # Errors
    /// What is wrong.
    pub fn read_some(
        self,
        file: SourceFile,
        options: &ReadOptions,
        only: Option<&[&str]>,
    ) -> Result<ReadOne, ReadError> {
        let bytes = self.text.text.as_bytes();
        let read = match only {
            Some(only) => read_only(file.name(), bytes, options, only),
            None => read_bytes(file.name(), bytes, options),
        };
        let (document, warnings) = read.map_err(|error| self.told(&file, error))?;
        let warnings = self.all_back(warnings);
        Ok((document, file, warnings))
    }

    /// The network that the one file means which this stands for, the file, and the warnings about it. Messages about edges
    /// name the lines of the file.
    ///
    /// # Errors
    /// What is wrong.
    pub fn read_network(self, file: SourceFile) -> Result<(NetworkFile, SourceFile, Vec<Diagnostic>), ReadError> {
        let read = read_network(file.name(), self.text.text.as_bytes());
        let (mut network, warnings) = read.map_err(|error| self.told(&file, error))?;
        network.relocate(|span| {
            let place = self.origin(span).map_or(0, |origin| origin.span.start);
            file.line_col(place).line
        });
        let warnings = self.all_back(warnings);
        Ok((network, file, warnings))
    }

    fn told(&self, file: &SourceFile, error: ReadError) -> ReadError {
        ReadError {
            file: file.clone(),
            diagnostics: self.all_back(error.diagnostics),
        }
    }

    fn all_back(&self, found: Vec<Diagnostic>) -> Vec<Diagnostic> {
        let mut list: Vec<Diagnostic> = found.into_iter().map(|found| self.back(found).diagnostic).collect();
        list.sort_by(|a, b| (a.span, &a.message).cmp(&(b.span, &b.message)));
        list.dedup_by(|a, b| a.span == b.span && a.message == b.message);
        list
    }

    /// The automata, and the warnings by file; `files` are the files that origins are about.
    ///
    /// # Errors
    /// What is wrong, in the first file in which something is.
    pub fn read(self, files: &[SourceFile], options: &ReadOptions) -> Result<(Document, Vec<Finding>), ReadError> {
        let name = files.first().map_or("", |file| file.name());
        match read_bytes(name, self.text.text.as_bytes(), options) {
            Ok((document, warnings)) => Ok((document, warnings.into_iter().map(|found| self.back(found)).collect())),
            Err(error) => {
                let findings = error.diagnostics.into_iter().map(|found| self.back(found)).collect();
                Err(first_file(files, findings))
            }
        }
    }

    /// The automata of the one file that this stands for, and the warnings about it: those in `found` and the reader's.
    ///
    /// # Errors
    /// What is wrong: the errors in `found`, or else the reader's.
    pub fn read_one(
        self,
        file: SourceFile,
        mut found: Vec<Diagnostic>,
        options: &ReadOptions,
    ) -> Result<ReadOne, ReadError> {
        let files = [file];
        if found.iter().any(|found| found.severity == Severity::Error) {
            let findings = found.into_iter().map(|diagnostic| Finding { file: 0, diagnostic });
            return Err(first_file(&files, findings.collect()));
        }
        let (document, more) = self.read(&files, options)?;
        found.extend(more.into_iter().map(|finding| finding.diagnostic));
        found.sort_by_key(|found| found.span);
        let [file] = files;
        Ok((document, file, found))
    }

    fn back(&self, mut found: Diagnostic) -> Finding {
        let place = found.span.and_then(|span| self.origin(span));
        found.span = place.map(|place| place.span);
        if let Some((span, what)) = found.secondary.take() {
            let other = self.origin(span);
            let same_file = other.filter(|other| place.is_some_and(|place| place.file == other.file));
            found.secondary = same_file.map(|other| (other.span, what));
        }
        Finding {
            file: place.map_or(0, |place| place.file),
            diagnostic: found,
        }
    }

    fn origin(&self, span: Span) -> Option<Origin> {
        let at = |offset: usize| {
            let after = self.text.runs.partition_point(|(start, ..)| *start <= offset);
            self.text.runs[..after].last().copied()
        };
        let (start, origin, exact) = at(span.start as usize)?;
        if !exact {
            return Some(origin);
        }
        let first = origin.span.start as usize + span.start as usize - start;
        let (last_start, last, last_exact) = at((span.end as usize).max(span.start as usize + 1) - 1)?;
        let end = match (last.file == origin.file, last_exact) {
            (false, _) => first,
            (true, true) => last.span.start as usize + span.end as usize - last_start,
            (true, false) => last.span.end as usize,
        };
        Some(Origin {
            file: origin.file,
            span: Span::new(first, end.max(first)),
        })
    }
}

/// Something to say about one of several files.
#[derive(Clone, Debug)]
pub(super) struct Finding {
    /// The position of the file.
    pub file: usize,
    /// What.
    pub diagnostic: Diagnostic,
}

/// The findings about the first file in which there is an error.
pub(super) fn first_file(files: &[SourceFile], findings: Vec<Finding>) -> ReadError {
    let is_error = |found: &&Finding| found.diagnostic.severity == Severity::Error;
    let file = findings
        .iter()
        .filter(is_error)
        .map(|found| found.file)
        .min()
        .unwrap_or_default();
    let mut diagnostics: Vec<Diagnostic> = findings
        .into_iter()
        .filter(|found| found.file == file)
        .map(|found| found.diagnostic)
        .collect();
    diagnostics.sort_by(|a, b| (a.span, &a.message).cmp(&(b.span, &b.message)));
    diagnostics.dedup_by(|a, b| a.span == b.span && a.message == b.message);
    ReadError {
        file: files.get(file).cloned().unwrap_or_else(|| SourceFile::new("", "")),
        diagnostics,
    }
}

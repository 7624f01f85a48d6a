//! Models of other formats: their readers build the parts of a UPPAAL file, which the common reader takes from there.

use std::borrow::Cow;
use std::sync::Arc;

use super::document::{Document, ReadOptions};
use super::network_file::{NetworkFile, network_file};
use super::open_games::{ReadRequest, open_games};
use super::raw::{ForeignParts, RawFile};
use super::read::{checked, read_bytes, read_network, read_only};
use crate::writing::spelled::spelled;
use tamper_text::{Diagnostic, ReadError, Severity, SourceFile};

/// A file of another format, as its reader understood it.
#[derive(Debug)]
pub struct ForeignFile {
    /// The file that its places are in.
    pub file: SourceFile,
    /// Its parts; their places are in the file.
    pub raw: RawFile,
    /// The diagnostics of that reader.
    pub found: Vec<Diagnostic>,
}

impl ForeignFile {
    /// The games of the file, and warnings about it; only the games named in `only`, if it is given.
    ///
    /// # Errors
    /// Everything that is wrong.
    pub fn games(
        mut self,
        options: &ReadOptions,
        only: Option<&[&str]>,
    ) -> Result<(Document, Vec<Diagnostic>), ReadError> {
        let foreign = ForeignParts {
            raw: Arc::new(self.raw.clone()),
            only: only.map(|only| only.iter().map(|name| (*name).to_owned()).collect()),
        };
        let mut document = open_games(&self.file, self.raw, ReadRequest { options, only }, &mut self.found);
        document.foreign = Some(foreign);
        checked(self.file, Some(document), self.found)
    }

    /// The file as a network, and warnings about it.
    ///
    /// # Errors
    /// Everything that is wrong.
    pub fn network(mut self) -> Result<(NetworkFile, Vec<Diagnostic>), ReadError> {
        let foreign = ForeignParts {
            raw: Arc::new(self.raw.clone()),
            only: None,
        };
        let network = network_file(&self.file, self.raw, &mut self.found);
        let network = network.map(|network| NetworkFile {
            foreign: Some(foreign),
            ..network
        });
        checked(self.file, network, self.found)
    }
}

/// The games of a file whose reader reported `found`, and warnings about it; if that reader found an error, only its
/// findings are returned.
///
/// # Errors
/// Everything that is wrong.
pub fn read_behind(
    file: SourceFile,
    raw: RawFile,
    mut found: Vec<Diagnostic>,
    options: &ReadOptions,
) -> Result<(Document, Vec<Diagnostic>), ReadError> {
    if found.iter().any(|found| found.severity == Severity::Error) {
        return checked(file, None, found);
    }
    let foreign = ForeignFile {
        file,
        raw,
        found: Vec::new(),
    };
    let (document, more) = foreign.games(options, None)?;
    found.extend(more);
    found.sort_by_key(|found| found.span);
    Ok((document, found))
}

impl Document {
    /// An equivalent document with its places in a generated UPPAAL file, if this one was not read from XML.
    pub(super) fn in_xml(&self) -> Cow<'_, Self> {
        let Some(ForeignParts { raw, only }) = &self.foreign else {
            return Cow::Borrowed(self);
        };
        let (name, text) = (self.source.name(), spelled(raw));
        let read = match only {
            Some(only) => {
                let only: Vec<&str> = only.iter().map(String::as_str).collect();
                read_only(name, text.as_bytes(), &self.options, &only)
            }
            None => read_bytes(name, text.as_bytes(), &self.options),
        };
        let (document, _) = read.unwrap_or_else(|error| unreadable(&error));
        Cow::Owned(Self {
            automata: self.automata.clone(),
            ..document
        })
    }
}

impl NetworkFile {
    /// An equivalent network with its places in a generated UPPAAL file, if this one was not read from XML.
    pub(super) fn in_xml(&self) -> Cow<'_, Self> {
        let Some(ForeignParts { raw, .. }) = &self.foreign else {
            return Cow::Borrowed(self);
        };
        let read = read_network(self.source.name(), spelled(raw).as_bytes());
        let (file, _) = read.unwrap_or_else(|error| unreadable(&error));
        Cow::Owned(Self {
            network: self.network.clone(),
            ..file
        })
    }
}

fn unreadable(error: &ReadError) -> ! {
    panic!("what was read once is read again: {error}")
}

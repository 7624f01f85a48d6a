//! Diagnostics: the problem with an input, its place and a hint, as data only. `formats` collects diagnostics, `cli`
//! renders them.

use super::{Span, StopReason};

/// Severity of a [`Diagnostic`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Severity {
    /// The input cannot be used.
    Error,
    /// The input is used, but something in it deserves a look.
    Warning,
}

/// One finding about an input file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    /// Severity of the problem.
    pub severity: Severity,
    /// One sentence: the construct and what is wrong with it.
    pub message: String,
    /// The place in the file's decoded text.
    pub span: Option<Span>,
    /// A second relevant place (for instance the first declaration of a duplicate), with its description.
    pub secondary: Option<(Span, String)>,
    /// A hint to the user on how to proceed.
    pub help: Option<String>,
    /// The limit that was hit while the file was read; `None` if the file itself is wrong.
    pub limit: Option<StopReason>,
}

impl Diagnostic {
    /// An error at `span`.
    pub fn error(message: impl Into<String>, span: impl Into<Option<Span>>) -> Self {
        Self {
            severity: Severity::Error,
            message: message.into(),
            span: span.into(),
            secondary: None,
            help: None,
            limit: None,
        }
    }
    /// A warning at `span`.
    pub fn warning(message: impl Into<String>, span: impl Into<Option<Span>>) -> Self {
        Self {
            severity: Severity::Warning,
            ..Self::error(message, span)
        }
    }
    /// The same finding with a hint.
    #[must_use]
    pub fn with_help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }
    /// The same finding, marked as caused by `limit`: it may not occur under another limit.
    #[must_use]
    pub fn with_limit(mut self, limit: StopReason) -> Self {
        self.limit = Some(limit);
        self
    }
    /// The same finding with a second place.
    #[must_use]
    pub fn with_secondary(mut self, span: Span, what: impl Into<String>) -> Self {
        self.secondary = Some((span, what.into()));
        self
    }
}

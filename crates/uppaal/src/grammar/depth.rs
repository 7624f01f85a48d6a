//! Limits on the nesting of expressions and statements, so that no recursion over them can exhaust the stack.

use tamper_text::{Diagnostic, MAX_HEIGHT, Span};

/// Most brackets, prefixes and right-hand sides inside each other.
pub(crate) const MAX_NESTING: u32 = 120;

/// Greatest depth of a function, counting its expressions and the functions that it calls.
pub(crate) const MAX_CALLS: u32 = 1500;

/// Most parts that all types and variables of a file have together.
pub(crate) const MAX_PARTS: u64 = 1 << 23;

pub(crate) fn too_deep(span: Span) -> Diagnostic {
    Diagnostic::error("this expression is nested too deeply", span).with_help(format!(
        "at most {MAX_NESTING} nested brackets and chains of {MAX_HEIGHT} operators are read"
    ))
}

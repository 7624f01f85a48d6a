//! Marks of the parts that mutations change.

/// The effect of mutations on a part of a game.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Mark {
    /// No mutation changes the part.
    Plain,
    /// The part exists only in the mutant.
    Added,
    /// The guard or invariant of the part differs.
    Changed,
    /// The part does not exist in the mutant.
    Removed,
}

/// A text that a mutation may have changed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Label {
    /// `name`, or the kind of a UPPAAL label.
    pub kind: &'static str,
    pub text: String,
    /// The old text, if a mutation changed it.
    pub old: Option<String>,
}

impl Label {
    /// The old text, if there is one, and the new text.
    pub fn shown(&self) -> String {
        match &self.old {
            Some(old) => format!("{old} \u{2192} {}", self.text),
            None => self.text.clone(),
        }
    }
}

/// The colours of Okabe and Ito, which colour-blind readers can tell apart; they differ in darkness, too.
pub(super) fn colour(mark: Mark) -> &'static str {
    match mark {
        Mark::Plain => "#222222",
        Mark::Added => "#0072B2",
        Mark::Changed => "#007A5A",
        Mark::Removed => "#D55E00",
    }
}

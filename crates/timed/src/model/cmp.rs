//! The comparisons in guards.

/// A comparison of clocks with a bound.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[allow(missing_docs, reason = "each is the comparison its name says")]
pub enum Cmp {
    Lt,
    Le,
    Eq,
    Ge,
    Gt,
}

impl Cmp {
    /// The spelling of the comparison in UPPAAL.
    pub fn symbol(self) -> &'static str {
        match self {
            Self::Lt => "<",
            Self::Le => "<=",
            Self::Eq => "==",
            Self::Ge => ">=",
            Self::Gt => ">",
        }
    }
    /// Whether the comparison holds between the two.
    pub fn holds<T: PartialOrd>(self, left: &T, right: &T) -> bool {
        match self {
            Self::Lt => left < right,
            Self::Le => left <= right,
            Self::Eq => left == right,
            Self::Ge => left >= right,
            Self::Gt => left > right,
        }
    }
    /// The comparison with its sides exchanged.
    pub fn mirrored(self) -> Self {
        match self {
            Self::Lt => Self::Gt,
            Self::Le => Self::Ge,
            Self::Eq => Self::Eq,
            Self::Ge => Self::Le,
            Self::Gt => Self::Lt,
        }
    }
    /// The comparison that holds exactly if this one does not; `None` for `==`.
    pub fn negated(self) -> Option<Self> {
        match self {
            Self::Lt => Some(Self::Ge),
            Self::Le => Some(Self::Gt),
            Self::Eq => None,
            Self::Ge => Some(Self::Lt),
            Self::Gt => Some(Self::Le),
        }
    }
}

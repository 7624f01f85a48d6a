//! The rules by name, and what each advises.

use std::fmt;

/// A guideline: a mutation that it names cannot be killed. Internal edges count as outputs.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Rule {
    /// TMI of an output (Lemma 1), unless it is on an urgent channel.
    L1,
    /// TAD of an input (Lemma 2).
    L2,
    /// SMI of a location that no input enters (Lemma 3), unless an urgent output does.
    L3,
    /// CXL on an input's guard `x <= k` or `x < k` (Lemma 4 i), unless unspecified inputs are ignored.
    L4i,
    /// CXL on an output's guard `x == k` where the source's invariant is `x <= k` (Lemma 4 ii), unless it is urgent.
    L4ii,
    /// CXL on an output's guard `x >= k` or `x > k` (Lemma 4 iii), unless it is urgent.
    L4iii,
    /// CXL on an invariant `x >= k` or `x > k` of a location that no input enters (Lemma 5, its syntactic form),
    /// unless an urgent output does.
    L5,
    /// CXS on an output's guard `x <= k` or `x < k` (Lemma 6 i), unless it is urgent.
    L6i,
    /// CXS on an input's guard `x >= k` or `x > k` (Lemma 6 ii), unless unspecified inputs are ignored.
    L6ii,
    /// CXS on an invariant `x <= k` or `x < k` of a location that no input enters (Lemma 7 i, its syntactic form),
    /// unless an urgent output does.
    L7i,
    /// CXS on an invariant `x >= k` or `x > k` of a location that only inputs enter (Lemma 7 ii, its syntactic form),
    /// unless it is the initial one or unspecified inputs are ignored.
    L7ii,
    /// A weaker guard of an input, unless unspecified inputs are ignored.
    G1,
    /// A stronger guard of an output, unless it is on an urgent channel.
    G2,
    /// A stronger invariant of a location that no input enters, unless an urgent output does.
    G3,
    /// Less time: an urgent or committed location, unless committed locations are steps on the way; an urgent channel.
    G4,
    /// An output that becomes an input, unless it is on an urgent channel or unspecified inputs are ignored.
    G5,
    /// Another value of a clock or an integer that nothing reads before it is set again.
    G6,
}

impl Rule {
    /// Lemmata 1 to 7 of \[003\], in order.
    pub const PUBLISHED: [Self; 11] = [
        Self::L1,
        Self::L2,
        Self::L3,
        Self::L4i,
        Self::L4ii,
        Self::L4iii,
        Self::L5,
        Self::L6i,
        Self::L6ii,
        Self::L7i,
        Self::L7ii,
    ];
    /// All rules, in order: the published ones, and those about operators beyond the six.
    pub const ALL: [Self; 17] = [
        Self::L1,
        Self::L2,
        Self::L3,
        Self::L4i,
        Self::L4ii,
        Self::L4iii,
        Self::L5,
        Self::L6i,
        Self::L6ii,
        Self::L7i,
        Self::L7ii,
        Self::G1,
        Self::G2,
        Self::G3,
        Self::G4,
        Self::G5,
        Self::G6,
    ];

    /// Its name: the lemma of \[003\] and the case of it.
    pub fn name(self) -> &'static str {
        match self {
            Self::L1 => "L1",
            Self::L2 => "L2",
            Self::L3 => "L3",
            Self::L4i => "L4.i",
            Self::L4ii => "L4.ii",
            Self::L4iii => "L4.iii",
            Self::L5 => "L5",
            Self::L6i => "L6.i",
            Self::L6ii => "L6.ii",
            Self::L7i => "L7.i",
            Self::L7ii => "L7.ii",
            Self::G1 => "G1",
            Self::G2 => "G2",
            Self::G3 => "G3",
            Self::G4 => "G4",
            Self::G5 => "G5",
            Self::G6 => "G6",
        }
    }
    /// What it advises, as a sentence.
    pub fn advice(self) -> &'static str {
        match self {
            Self::L1 => "do not remove an output",
            Self::L2 => "do not add an input",
            Self::L3 => "do not remove a location that no input enters",
            Self::L4i => "do not relax the upper bound of an input",
            Self::L4ii => "do not move an output `x == k` past the invariant `x <= k`",
            Self::L4iii => "do not raise the lower bound of an output",
            Self::L5 => "do not raise a lower bound in the invariant of a location that no input enters",
            Self::L6i => "do not tighten the upper bound of an output",
            Self::L6ii => "do not relax the lower bound of an input",
            Self::L7i => "do not tighten an upper bound in the invariant of a location that no input enters",
            Self::L7ii => "do not relax a lower bound in the invariant of a location that only inputs enter",
            Self::G1 => "do not weaken the guard of an input",
            Self::G2 => "do not strengthen the guard of an output",
            Self::G3 => "do not strengthen the invariant of a location that no input enters",
            Self::G4 => "do not make a location or a channel urgent",
            Self::G5 => "do not make an output an input",
            Self::G6 => "do not touch a clock or an integer that nothing reads before it is set again",
        }
    }
    /// The paper or note that proves the rule.
    pub fn source(self) -> &'static str {
        match self {
            Self::L1 => "[003] Lemma 1",
            Self::L2 => "[003] Lemma 2",
            Self::L3 => "[003] Lemma 3",
            Self::L4i => "[003] Lemma 4 (i)",
            Self::L4ii => "[003] Lemma 4 (ii)",
            Self::L4iii => "[003] Lemma 4 (iii)",
            Self::L5 => "[003] Lemma 5",
            Self::L6i => "[003] Lemma 6 (i)",
            Self::L6ii => "[003] Lemma 6 (ii)",
            Self::L7i => "[003] Lemma 7 (i)",
            Self::L7ii => "[003] Lemma 7 (ii)",
            Self::G1 | Self::G2 | Self::G3 | Self::G4 | Self::G5 | Self::G6 => "docs/notes/0013-other-operators.md",
        }
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

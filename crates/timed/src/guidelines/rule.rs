//! The rules, with their names and advice.

use std::fmt;

/// An entry per rule: its variant, its name, its source and its advice.
macro_rules! rules {
    ($($(#[$about:meta])* $rule:ident $name:literal $source:literal $advice:literal;)+) => {
        /// A guideline: a mutation that it names cannot be killed. Internal edges count as outputs.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum Rule {
            $($(#[$about])* $rule),+
        }

        impl Rule {
            /// All rules, in order: the published ones, and those about operators beyond the six.
            pub const ALL: [Self; [$($name),+].len()] = [$(Self::$rule),+];

            /// Its name: the lemma of \[003\] and its case.
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$rule => $name),+
                }
            }
            /// Its advice, as a sentence.
            pub fn advice(self) -> &'static str {
                match self {
                    $(Self::$rule => $advice),+
                }
            }
            /// The paper or note that proves the rule.
            pub fn source(self) -> &'static str {
                match self {
                    $(Self::$rule => $source),+
                }
            }
        }
    };
}

rules! {
    /// TMI of an output (Lemma 1), unless it is on an urgent channel.
    L1 "L1" "[003] Lemma 1" "do not remove an output";
    /// TAD of an input (Lemma 2).
    L2 "L2" "[003] Lemma 2" "do not add an input";
    /// SMI of a location that no input enters (Lemma 3), unless an urgent output does.
    L3 "L3" "[003] Lemma 3" "do not remove a location that no input enters";
    /// CXL on an input's guard `x <= k` or `x < k` (Lemma 4 i), unless unspecified inputs are ignored.
    L4i "L4.i" "[003] Lemma 4 (i)" "do not relax the upper bound of an input";
    /// CXL on an output's guard `x == k` where the source's invariant is `x <= k` (Lemma 4 ii), unless it is urgent.
    L4ii "L4.ii" "[003] Lemma 4 (ii)" "do not move an output `x == k` past the invariant `x <= k`";
    /// CXL on an output's guard `x >= k` or `x > k` (Lemma 4 iii), unless it is urgent.
    L4iii "L4.iii" "[003] Lemma 4 (iii)" "do not raise the lower bound of an output";
    /// CXL on an invariant `x >= k` or `x > k` of a location that no input enters (Lemma 5, its syntactic form),
    /// unless an urgent output does.
    L5 "L5" "[003] Lemma 5" "do not raise a lower bound in the invariant of a location that no input enters";
    /// CXS on an output's guard `x <= k` or `x < k` (Lemma 6 i), unless it is urgent.
    L6i "L6.i" "[003] Lemma 6 (i)" "do not tighten the upper bound of an output";
    /// CXS on an input's guard `x >= k` or `x > k` (Lemma 6 ii), unless unspecified inputs are ignored.
    L6ii "L6.ii" "[003] Lemma 6 (ii)" "do not relax the lower bound of an input";
    /// CXS on an invariant `x <= k` or `x < k` of a location that no input enters (Lemma 7 i, its syntactic form),
    /// unless an urgent output does.
    L7i "L7.i" "[003] Lemma 7 (i)" "do not tighten an upper bound in the invariant of a location that no input enters";
    /// CXS on an invariant `x >= k` or `x > k` of a location that only inputs enter (Lemma 7 ii, its syntactic form),
    /// unless it is the initial one or unspecified inputs are ignored.
    L7ii "L7.ii" "[003] Lemma 7 (ii)" "do not relax a lower bound in the invariant of a location that only inputs enter";
    /// A weaker guard of an input, unless unspecified inputs are ignored.
    G1 "G1" "docs/notes/0013-other-operators.md" "do not weaken the guard of an input";
    /// A stronger guard of an output, unless it is on an urgent channel.
    G2 "G2" "docs/notes/0013-other-operators.md" "do not strengthen the guard of an output";
    /// A stronger invariant of a location that no input enters, unless an urgent output does.
    G3 "G3" "docs/notes/0013-other-operators.md" "do not strengthen the invariant of a location that no input enters";
    /// Less time: an urgent or committed location, unless committed locations are steps on the way; an urgent channel.
    G4 "G4" "docs/notes/0013-other-operators.md" "do not make a location or a channel urgent";
    /// An output that becomes an input, unless it is on an urgent channel or unspecified inputs are ignored.
    G5 "G5" "docs/notes/0013-other-operators.md" "do not make an output an input";
    /// Another value of a clock or an integer that nothing reads before it is set again.
    G6 "G6" "docs/notes/0013-other-operators.md" "do not touch a clock or an integer that nothing reads before it is set again";
}

impl Rule {
    /// Lemmata 1 to 7 of \[003\], in order.
    pub const PUBLISHED: [Self; 11] = {
        use Rule::{L1, L2, L3, L4i, L4ii, L4iii, L5, L6i, L6ii, L7i, L7ii};
        [L1, L2, L3, L4i, L4ii, L4iii, L5, L6i, L6ii, L7i, L7ii]
    };

    /// Whether a mutant that the rule names only loses behaviour: all its runs are runs of the mutated automaton, and it
    /// offers no input that is impossible there.
    pub fn only_takes_away(self) -> bool {
        use Rule::{G2, G3, G4, L1, L3, L4ii, L4iii, L5, L6i, L7i};
        matches!(self, L1 | L3 | L4ii | L4iii | L5 | L6i | L7i | G2 | G3 | G4)
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

//! Digests of compositions.

use std::hash::{Hash as _, Hasher};

use tamper_timed::model::{Automaton, EdgeId};

/// A digest of the automaton and the steps that are `seen`. Different pairs have different digests, as far as BLAKE3 is
/// trusted.
pub(super) fn digest(automaton: &Automaton, seen: &[EdgeId]) -> blake3::Hash {
    struct Strong(blake3::Hasher);
    impl Hasher for Strong {
        fn write(&mut self, bytes: &[u8]) {
            self.0.update(bytes);
        }
        fn finish(&self) -> u64 {
            0
        }
    }
    let mut hasher = Strong(blake3::Hasher::new());
    (automaton, seen).hash(&mut hasher);
    hasher.0.finalize()
}

//! Values that many have in common, each once.

use std::hash::Hash;
use std::sync::Arc;

use rustc_hash::FxHashSet;

/// The values of a type that were met.
pub(super) struct Interned<T: ?Sized>(FxHashSet<Arc<T>>);

impl<T: ?Sized> Default for Interned<T> {
    fn default() -> Self {
        Self(FxHashSet::default())
    }
}

impl<T: ?Sized + Eq + Hash> Interned<T> {
    /// The value that is equal to `value`, made of it if it is the first.
    pub fn get(&mut self, value: &T, make: impl FnOnce(&T) -> Arc<T>) -> Arc<T> {
        if let Some(known) = self.0.get(value) {
            return Arc::clone(known);
        }
        let new = make(value);
        self.0.insert(Arc::clone(&new));
        new
    }
}

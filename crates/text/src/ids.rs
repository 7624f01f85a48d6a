//! Typed indices and the vectors they index.
//!
//! Every kind of thing has its own id type over a private `u32`; an [`IndexVec`] issues
//! them, so an id of one kind never indexes a vector of another.

use std::marker::PhantomData;
use std::ops::Range;

/// A typed index: implemented by the types that [`define_ids!`](crate::define_ids) makes.
pub trait Id: Copy + Eq + Ord + std::hash::Hash + std::fmt::Debug {
    /// The id of position `index`.
    ///
    /// # Panics
    /// If `index` does not fit in 32 bits: no model that a machine can hold has that many parts.
    fn from_index(index: usize) -> Self;
    /// The position this id stands for.
    fn index(self) -> usize;
}

/// Declares newtype indices, one for each kind of thing.
///
/// ```
/// use tamper_text::{Id, IndexVec};
///
/// tamper_text::define_ids! {
///     /// A station of a line.
///     StationId,
///     /// A train that runs on it.
///     TrainId,
/// }
/// let mut stations: IndexVec<StationId, &str> = IndexVec::new();
/// let first = stations.push("Harbour");
/// assert_eq!(stations[first], "Harbour"); // a `TrainId` would not compile here
/// assert_eq!(first.index(), 0);
///
/// let second = stations.next_id();
/// stations.extend(["Mill", "Castle"]);
/// stations.extend_from_within(first..second);
/// assert_eq!(stations.slice(second..stations.next_id()), ["Mill", "Castle", "Harbour"]);
/// assert!(tamper_text::ids_of(first..second).eq([first]));
/// ```
#[macro_export]
macro_rules! define_ids {
    ($($(#[$meta:meta])* $name:ident),+ $(,)?) => {$(
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        #[repr(transparent)]
        pub struct $name(u32);

        impl $crate::Id for $name {
            #[inline]
            fn from_index(index: usize) -> Self {
                Self(u32::try_from(index).expect("fewer than 2^32 parts"))
            }
            #[inline]
            fn index(self) -> usize {
                self.0 as usize
            }
        }
    )+};
}

/// The ids of a range, in order.
pub fn ids_of<I: Id>(range: Range<I>) -> impl DoubleEndedIterator<Item = I> + ExactSizeIterator + Clone {
    (range.start.index()..range.end.index()).map(I::from_index)
}

/// A vector indexed by one kind of id.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct IndexVec<I, T> {
    items: Vec<T>,
    kind: PhantomData<I>,
}

impl<I, T> Default for IndexVec<I, T> {
    fn default() -> Self {
        Self {
            items: Vec::new(),
            kind: PhantomData,
        }
    }
}

impl<I: Id, T> IndexVec<I, T> {
    /// A vector without items.
    pub fn new() -> Self {
        Self::default()
    }
    /// `n` copies of an item.
    pub fn filled(item: T, n: usize) -> Self
    where
        T: Clone,
    {
        vec![item; n].into()
    }
    /// The id that the next item gets.
    pub fn next_id(&self) -> I {
        I::from_index(self.items.len())
    }
    /// Appends `item` and returns its id.
    pub fn push(&mut self, item: T) -> I {
        let id = I::from_index(self.items.len());
        self.items.push(item);
        id
    }
    /// Number of items.
    pub fn len(&self) -> usize {
        self.items.len()
    }
    /// Whether there is no item.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }
    /// The ids in order.
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = I> + ExactSizeIterator + Clone + use<I, T> {
        (0..self.items.len()).map(I::from_index)
    }
    /// The items in order.
    pub fn iter(&self) -> std::slice::Iter<'_, T> {
        self.items.iter()
    }
    /// The items in order, to change them.
    pub fn iter_mut(&mut self) -> std::slice::IterMut<'_, T> {
        self.items.iter_mut()
    }
    /// The items with their ids, in order.
    pub fn iter_enumerated(&self) -> impl DoubleEndedIterator<Item = (I, &T)> + ExactSizeIterator {
        self.items
            .iter()
            .enumerate()
            .map(|(index, item)| (I::from_index(index), item))
    }
    /// The item of `id`, if there is one.
    pub fn get(&self, id: I) -> Option<&T> {
        self.items.get(id.index())
    }
    /// The items of a range of ids.
    pub fn slice(&self, ids: Range<I>) -> &[T] {
        &self.items[ids.start.index()..ids.end.index()]
    }
    /// The items as a slice.
    pub fn as_slice(&self) -> &[T] {
        &self.items
    }
    /// The items as a slice, to change them.
    pub fn as_mut_slice(&mut self) -> &mut [T] {
        &mut self.items
    }
    /// Takes all items out, in order.
    pub fn drain(&mut self) -> std::vec::Drain<'_, T> {
        self.items.drain(..)
    }
    /// Truncates to the first `n` items.
    pub fn truncate(&mut self, n: usize) {
        self.items.truncate(n);
    }
    /// Truncates to `n` items, or appends items made by `item` up to length `n`.
    pub fn resize_with(&mut self, n: usize, item: impl FnMut() -> T) {
        self.items.resize_with(n, item);
    }
    /// Appends copies of the items of a range of ids.
    pub fn extend_from_within(&mut self, ids: Range<I>)
    where
        T: Clone,
    {
        self.items.extend_from_within(ids.start.index()..ids.end.index());
    }
    /// Removes the item of `id`; every later id decreases by one.
    pub fn remove(&mut self, id: I) -> T {
        self.items.remove(id.index())
    }
    /// Keeps the items for which `keep` holds; later ids decrease accordingly.
    pub fn retain(&mut self, keep: impl FnMut(&T) -> bool) {
        self.items.retain(keep);
    }
}

impl<I: Id, T> std::ops::Index<I> for IndexVec<I, T> {
    type Output = T;
    fn index(&self, id: I) -> &T {
        &self.items[id.index()]
    }
}

impl<I: Id, T> std::ops::IndexMut<I> for IndexVec<I, T> {
    fn index_mut(&mut self, id: I) -> &mut T {
        &mut self.items[id.index()]
    }
}

impl<I: Id, T> From<Vec<T>> for IndexVec<I, T> {
    fn from(items: Vec<T>) -> Self {
        Self {
            items,
            kind: PhantomData,
        }
    }
}

impl<I: Id, T> Extend<T> for IndexVec<I, T> {
    fn extend<It: IntoIterator<Item = T>>(&mut self, items: It) {
        self.items.extend(items);
    }
}

impl<I: Id, T> FromIterator<T> for IndexVec<I, T> {
    fn from_iter<It: IntoIterator<Item = T>>(items: It) -> Self {
        Self {
            items: items.into_iter().collect(),
            kind: PhantomData,
        }
    }
}

impl<'a, I, T> IntoIterator for &'a IndexVec<I, T> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;
    fn into_iter(self) -> Self::IntoIter {
        self.items.iter()
    }
}

impl<I, T> IntoIterator for IndexVec<I, T> {
    type Item = T;
    type IntoIter = std::vec::IntoIter<T>;
    fn into_iter(self) -> Self::IntoIter {
        self.items.into_iter()
    }
}

impl<'a, I, T> IntoIterator for &'a mut IndexVec<I, T> {
    type Item = &'a mut T;
    type IntoIter = std::slice::IterMut<'a, T>;
    fn into_iter(self) -> Self::IntoIter {
        self.items.iter_mut()
    }
}

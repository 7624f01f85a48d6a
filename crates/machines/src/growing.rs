//! Lists that grow while they are read, without moving their items.
//!
//! Item `n` is in chunk number log2(n + 1), and a chunk is one longer than all chunks before it together; so nothing
//! moves, and references to items live as long as the list.

use std::marker::PhantomData;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use tamper_text::Id;

/// The number of chunks: ids have 32 bits.
const N_CHUNKS: usize = 33;

/// A list to which items can be added through shared references, by one thread at a time.
#[derive(Debug)]
pub(super) struct Growing<T> {
    chunks: Vec<OnceLock<Box<[OnceLock<T>]>>>,
    len: AtomicUsize,
}

impl<T> Default for Growing<T> {
    fn default() -> Self {
        Self {
            chunks: (0..N_CHUNKS).map(|_| OnceLock::new()).collect(),
            len: AtomicUsize::new(0),
        }
    }
}

/// The chunk of an item, and its place in it.
fn place(index: usize) -> (usize, usize) {
    let chunk = (index + 1).ilog2() as usize;
    (chunk, index + 1 - (1 << chunk))
}

impl<T> Growing<T> {
    pub fn len(&self) -> usize {
        self.len.load(Ordering::Acquire)
    }
    pub fn get(&self, index: usize) -> Option<&T> {
        let (chunk, at) = place(index);
        self.chunks.get(chunk)?.get()?.get(at)?.get()
    }
    pub fn push(&self, item: T) {
        let index = self.len();
        let (chunk, at) = place(index);
        let chunk = self.chunks[chunk].get_or_init(|| (0..1_usize << chunk).map(|_| OnceLock::new()).collect());
        if chunk[at].set(item).is_ok() {
            self.len.store(index + 1, Ordering::Release);
        }
    }
    pub fn iter(&self) -> impl Iterator<Item = &T> {
        (0..self.len()).filter_map(|index| self.get(index))
    }
}

/// The names of states or outputs.
#[derive(Debug)]
pub struct NameList<I> {
    names: Growing<String>,
    kind: PhantomData<I>,
}

impl<I> Default for NameList<I> {
    fn default() -> Self {
        Self {
            names: Growing::default(),
            kind: PhantomData,
        }
    }
}

impl<I: Id> NameList<I> {
    pub(super) fn push(&self, name: String) -> I {
        let id = I::from_index(self.names.len());
        self.names.push(name);
        id
    }
    /// The number of names; of an extended machine, of the names found so far.
    pub fn len(&self) -> usize {
        self.names.len()
    }
    /// Whether the list has no name.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// The ids of all names, in order.
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = I> + ExactSizeIterator + Clone + use<I> {
        (0..self.len()).map(I::from_index)
    }
    /// All names in the order of their ids.
    pub fn iter(&self) -> impl Iterator<Item = &String> {
        self.names.iter()
    }
}

impl<I: Id> std::ops::Index<I> for NameList<I> {
    type Output = String;
    fn index(&self, id: I) -> &String {
        self.names.get(id.index()).expect("an id of this list")
    }
}

impl<I: Id> FromIterator<String> for NameList<I> {
    fn from_iter<It: IntoIterator<Item = String>>(names: It) -> Self {
        let list = Self::default();
        for name in names {
            list.push(name);
        }
        list
    }
}

impl<I: Id> Clone for NameList<I> {
    fn clone(&self) -> Self {
        self.iter().cloned().collect()
    }
}

impl<I: Id> PartialEq for NameList<I> {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter())
    }
}

impl<I: Id> Eq for NameList<I> {}

//! The elements of arrays, which are variables with consecutive numbers.

use crate::VarId;
use tamper_text::Id;

/// An array: its elements are variables with consecutive numbers, the last index first.
#[derive(Clone)]
pub(super) struct Array {
    pub first: VarId,
    /// The first and the last value of each index.
    pub bounds: Vec<(i64, i64)>,
}

impl Array {
    pub fn new(first: VarId, bounds: Vec<(i64, i64)>) -> Self {
        Self { first, bounds }
    }
    /// The indices of all elements, in order.
    pub fn indices(&self) -> Vec<Vec<i64>> {
        let mut all = vec![Vec::new()];
        for (first, last) in &self.bounds {
            let longer = |begin: &Vec<i64>| {
                let begin = begin.clone();
                (*first..=*last).map(move |index| [begin.as_slice(), &[index]].concat())
            };
            all = all.iter().flat_map(longer).collect();
        }
        all
    }
    /// The names of all elements, in order.
    pub fn names(&self, name: &str) -> Vec<String> {
        let spelled = |indices: Vec<i64>| indices.iter().fold(name.to_owned(), |name, at| format!("{name}[{at}]"));
        self.indices().into_iter().map(spelled).collect()
    }
    /// The elements, in order.
    pub fn elements(&self) -> impl Iterator<Item = VarId> + use<> {
        let n_elements: i64 = self.bounds.iter().map(|(first, last)| last - first + 1).product();
        let first = self.first.index();
        (first..first + n_elements as usize).map(VarId::from_index)
    }
}

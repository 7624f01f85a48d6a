//! Operators that a program defines: values like those of the table, known by their names in the whole process.
//!
//! A definition lasts as long as the process: so an operator stays a small value that is copied, and its name can be read
//! again, in files and in filters. They are ordered by name, as the order in which a program defines them may differ from
//! one run of the program to the next.

use std::any::TypeId;
use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::{PoisonError, RwLock};

use super::Alteration;
use super::operators::{Alterations, Definition};
use crate::model::Automaton;

/// An operator that this program defines. Two with the same name are the same one.
#[derive(Clone, Copy)]
pub struct OwnOperator(&'static OwnDefinition);

struct OwnDefinition {
    definition: Definition,
    /// The type of its function; `None` if values of this type differ.
    function: Option<TypeId>,
}

/// All operators that this process has defined, by name.
static DEFINED: RwLock<BTreeMap<&'static str, OwnOperator>> = RwLock::new(BTreeMap::new());

/// The operators that this process has defined so far, by name.
pub fn all() -> impl Iterator<Item = OwnOperator> + Clone {
    let defined = DEFINED.read().unwrap_or_else(PoisonError::into_inner);
    let all: Vec<OwnOperator> = defined.values().copied().collect();
    all.into_iter()
}

/// The operator with this name, name with memory, summary and meaning; `None` if the process has another one of the name,
/// or may have: values of one type of function are the same only if they hold nothing.
pub fn define<F>([name, again, summary, meaning]: [&str; 4], alterations: F) -> Option<OwnOperator>
where
    F: Fn(&Automaton) -> Vec<Alteration> + Send + Sync + 'static,
{
    let function = (size_of::<F>() == 0).then(TypeId::of::<F>);
    let mut defined = DEFINED.write().unwrap_or_else(PoisonError::into_inner);
    if let Some(own) = defined.get(name) {
        let known = own.definition();
        let is_same = function.is_some() && own.0.function == function;
        return (is_same && [known.summary, known.meaning] == [summary, meaning]).then_some(*own);
    }
    let [name, again, summary, meaning] = [name, again, summary, meaning].map(|text| &*text.to_owned().leak());
    let definition = Definition {
        name,
        again,
        summary,
        meaning,
        alterations: Alterations::Listed(Box::leak(Box::new(alterations))),
    };
    let own = OwnOperator(Box::leak(Box::new(OwnDefinition { definition, function })));
    defined.insert(name, own);
    Some(own)
}

impl OwnOperator {
    pub(super) fn definition(self) -> &'static Definition {
        &self.0.definition
    }
    fn name(self) -> &'static str {
        self.definition().name
    }
}

impl fmt::Debug for OwnOperator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl PartialEq for OwnOperator {
    fn eq(&self, other: &Self) -> bool {
        self.name() == other.name()
    }
}

impl Eq for OwnOperator {}

impl PartialOrd for OwnOperator {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for OwnOperator {
    fn cmp(&self, other: &Self) -> Ordering {
        self.name().cmp(other.name())
    }
}

impl Hash for OwnOperator {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.name().hash(state);
    }
}

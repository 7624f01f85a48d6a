//! Operators that a program defines: values like those of the table, known by their names in the whole process.
//!
//! A definition lasts as long as the process: so an [`Operator`] stays a small value that is copied, and its name can be
//! read again, in files and in filters. They are ordered by name, as the order in which a program defines them may differ
//! from one run of the program to the next.

use std::any::TypeId;
use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::{PoisonError, RwLock};

use super::operator::AGAIN;
use super::operators::{Alterations, Definition};
use super::{Alteration, Operator};
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

/// The reason why a program cannot define an operator.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum OwnOperatorError {
    /// The name cannot stand in ids and filters.
    #[error("`{0}` cannot be the name of an operator: use capital letters and digits, a letter first, as in `DEAF`")]
    Name(String),
    /// An operator of the table, or a set of them, has the name.
    #[error("`{0}` is an operator of tamper's, or a set of them: use another name")]
    BuiltIn(String),
    /// The program has defined another operator of this name.
    #[error(
        "this program has defined an operator `{0}` already, with other texts, another function, or one that holds \
         values: use another name, or keep the first one"
    )]
    Defined(String),
}

impl Operator {
    /// The operator `name` of this program's own: with its effect in a few words (`summary`), its exact `meaning`, and its
    /// changes of an automaton, in order. From now on the name reads back as this operator, until the process ends; a
    /// definition takes a few hundred bytes that are not freed. The same definition again, by a function that holds no
    /// values, is the same operator.
    ///
    /// The function must give the same changes for the same automaton whenever it is asked, and only changes that
    /// [`Alteration::apply`] can make of it. Of changes with the same id only the first counts. With memory
    /// ([`MutationOptions::again`](super::MutationOptions)) a change of a channel is left out: no run passes it. In a process
    /// of a network there are no changes of actions, channels and sinks, and the function sees the process as
    /// the operators of the table do.
    ///
    /// No guideline speaks of such an operator: the game decides on each of its mutants.
    ///
    /// ```
    /// use tamper_timed::model::{Automaton, Role};
    /// use tamper_timed::mutation::{Alteration, Operator};
    ///
    /// fn back(game: &Automaton) -> Vec<Alteration> {
    ///     let inputs = game.edges().iter_enumerated().filter(|(edge, _)| game.role(*edge) == Role::Input);
    ///     inputs.map(|(edge, parts)| Alteration::Target { edge, target: parts.source }).collect()
    /// }
    /// let deaf = Operator::own("DEAF", "ignore an input", "each input edge leads back to its source", back)?;
    /// assert_eq!("deaf".parse(), Ok(deaf));
    /// # Ok::<(), tamper_timed::mutation::OwnOperatorError>(())
    /// ```
    ///
    /// # Errors
    /// If the name is not capital letters and digits, or means another operator already.
    pub fn own<F>(name: &str, summary: &str, meaning: &str, alterations: F) -> Result<Self, OwnOperatorError>
    where
        F: Fn(&Automaton) -> Vec<Alteration> + Send + Sync + 'static,
    {
        let is_capital = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit();
        if !name.starts_with(|c: char| c.is_ascii_uppercase()) || !name.chars().all(is_capital) {
            return Err(OwnOperatorError::Name(name.to_owned()));
        }
        let mut known = Self::ALL.into_iter().map(Self::name);
        let mut sets = Self::PRESETS.iter().map(|(set, _)| *set);
        if known.any(|known| known == name) || sets.any(|set| set.eq_ignore_ascii_case(name)) {
            return Err(OwnOperatorError::BuiltIn(name.to_owned()));
        }
        let function = (size_of::<F>() == 0).then(TypeId::of::<F>);
        let mut defined = DEFINED.write().unwrap_or_else(PoisonError::into_inner);
        if let Some(own) = defined.get(name) {
            let Definition {
                summary: as_summary,
                meaning: as_meaning,
                ..
            } = own.definition();
            let is_same = function.is_some() && own.0.function == function;
            return match is_same && *as_summary == summary && *as_meaning == meaning {
                true => Ok(Self::Own(*own)),
                false => Err(OwnOperatorError::Defined(name.to_owned())),
            };
        }
        let lasting = |text: String| -> &'static str { text.leak() };
        let definition = Definition {
            name: lasting(name.to_owned()),
            again: lasting(format!("{AGAIN}{name}")),
            summary: lasting(summary.to_owned()),
            meaning: lasting(meaning.to_owned()),
            alterations: Alterations::Listed(Box::leak(Box::new(alterations))),
        };
        let own = OwnOperator(Box::leak(Box::new(OwnDefinition { definition, function })));
        defined.insert(own.name(), own);
        Ok(Self::Own(own))
    }

    /// Whether this program defines it.
    pub fn is_own(self) -> bool {
        matches!(self, Self::Own(_))
    }
}

/// The operators that this process has defined so far, by name.
pub fn all() -> impl Iterator<Item = Operator> + Clone {
    let defined = DEFINED.read().unwrap_or_else(PoisonError::into_inner);
    let all: Vec<Operator> = defined.values().copied().map(Operator::Own).collect();
    all.into_iter()
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

#[cfg(test)]
mod tests;

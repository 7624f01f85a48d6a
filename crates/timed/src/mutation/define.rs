//! The definition of an operator by a program.

use super::operator::AGAIN;
use super::own_operator::define;
use super::{Alteration, Operator};
use crate::model::Automaton;

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
        let again = format!("{AGAIN}{name}");
        define([name, &again, summary, meaning], alterations)
            .map(Self::Own)
            .ok_or_else(|| OwnOperatorError::Defined(name.to_owned()))
    }

    /// Whether this program defines it.
    pub fn is_own(self) -> bool {
        matches!(self, Self::Own(_))
    }
}

#[cfg(test)]
mod tests;

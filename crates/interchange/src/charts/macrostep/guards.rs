//! Guards: values that the environment sets, data, and what is active.

use super::{Asked, Run};
use crate::charts::chart::GuardTerm;
use crate::charts::data::is_true;

impl Run<'_> {
    pub(super) fn holds(&self, guard: &GuardTerm) -> Result<bool, Asked> {
        match guard {
            GuardTerm::Named(guard) => self.values.get(guard).copied().ok_or(Asked(*guard)),
            GuardTerm::In(state) => Ok(self.at.active.contains(state)),
            GuardTerm::Shown(state) => Ok(self.chart.is_shown(*state, &self.at.active)),
            GuardTerm::Data(term, _) => Ok(is_true(term.value((&self.at.data, &self.at.active, &self.event)))),
            GuardTerm::Not(term) => Ok(!self.holds(term)?),
            GuardTerm::All(terms) => self.any(terms, false).map(|found| !found),
            GuardTerm::Any(terms) => self.any(terms, true),
        }
    }

    /// Whether one of the terms has the value; those behind it are not looked at.
    fn any(&self, terms: &[GuardTerm], value: bool) -> Result<bool, Asked> {
        for term in terms {
            if self.holds(term)? == value {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

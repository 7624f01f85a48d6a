//! Final states.

use std::collections::BTreeSet;

use super::{ChartStatus, Run};
use crate::charts::chart::{Chart, Dialect, StateKind};

impl Run<'_> {
    /// A final state was entered.
    pub(super) fn complete(&mut self, state: usize, completed: &mut BTreeSet<usize>) {
        let chart = self.chart;
        let Some(parent) = chart.states[state].parent else {
            self.at.status = ChartStatus::Done;
            return;
        };
        let done = |state: usize| format!("{}done.state.{}", chart.dialect.own(), chart.states[state].id);
        let is_parallel = |state: usize| chart.states[state].kind == StateKind::Parallel;
        if self.is_standard() {
            match chart.states[parent].parent {
                None => self.at.status = ChartStatus::Done,
                Some(around) => {
                    self.events.push_back(done(parent));
                    if is_parallel(around) && is_complete(chart, &self.at.active, around) {
                        self.events.push_back(done(around));
                    }
                }
            }
            return;
        }
        let mut around = if is_parallel(parent) {
            Some(parent)
        } else {
            chart.states[parent].parent
        };
        if chart.states[parent].kind == StateKind::Compound {
            self.events.push_back(done(parent));
        }
        while let Some(parallel) =
            around.filter(|around| is_parallel(*around) && is_complete(chart, &self.at.active, *around))
            && completed.insert(parallel)
        {
            self.events.push_back(done(parallel));
            around = chart.states[parallel].parent;
        }
        if around.is_none() {
            self.at.status = ChartStatus::Done;
        }
    }
}

/// Whether a state is done: a final one is active within it.
pub(super) fn is_complete(chart: &Chart, active: &[usize], state: usize) -> bool {
    match chart.states[state].kind {
        StateKind::Compound => chart
            .regions(state)
            .any(|child| chart.states[child].kind == StateKind::Final && active.contains(&child)),
        StateKind::Parallel => chart.regions(state).all(|region| is_complete(chart, active, region)),
        // A region of xstate 5 may be a final state itself.
        kind => kind == StateKind::Final && chart.dialect == Dialect::XState5,
    }
}

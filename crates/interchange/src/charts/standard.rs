//! The states that transitions enter, by the algorithm of the standard (W3C, State Chart XML, appendix D).

use super::chart::{ChartTransition, StateKind};
use super::transitions::{Entered, domain, meant};

impl Entered<'_> {
    pub fn by_standard(&mut self, transition: &ChartTransition) {
        let limit = domain(self.chart, self.remembered, transition);
        for target in transition.targets.iter().flatten() {
            self.descend(*target);
        }
        for target in meant(self.chart, self.remembered, transition) {
            self.ascend(target, limit);
        }
    }

    /// Adds the state and what is entered with it, or what a history stands for.
    fn descend(&mut self, state: usize) {
        let (chart, remembered) = (self.chart, self.remembered);
        let own = &chart.states[state];
        let by_default = own.default.as_deref().unwrap_or_default();
        let is_history = chart.is_history(state);
        if is_history && self.open.contains(&state) {
            self.endless = Some(state);
            return;
        }
        self.open.extend(Some(state).filter(|_| is_history));
        let (below, limit) = match (own.kind, remembered.get(&state)) {
            (StateKind::History { .. }, Some(states)) => (states.as_slice(), own.parent),
            (StateKind::History { .. }, None) => {
                self.histories.push(state);
                (by_default, own.parent)
            }
            (_, _) => (by_default, Some(state)),
        };
        if !is_history {
            self.add(state);
        }
        below.iter().for_each(|state| self.descend(*state));
        below.iter().for_each(|state| self.ascend(*state, limit));
        self.regions_of(state);
        if is_history {
            self.open.pop();
        }
    }

    fn ascend(&mut self, state: usize, limit: Option<usize>) {
        for ancestor in self.chart.around(state, limit) {
            self.states.insert(ancestor);
            self.regions_of(ancestor);
        }
    }

    fn regions_of(&mut self, state: usize) {
        let chart = self.chart;
        if chart.states[state].kind == StateKind::Parallel {
            for region in chart.regions(state) {
                if !self.is_entered_within(region) {
                    self.descend(region);
                }
            }
        }
    }
}

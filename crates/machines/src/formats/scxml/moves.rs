//! One step of the standard's algorithm (appendix D, `microstep`): the states that transitions taken at once leave and
//! enter, and the conflicts between transitions. States are numbered in document order, so sets of them are in the
//! order in which they are entered.

use std::collections::{BTreeMap, BTreeSet};

use super::chart::{Chart, ChartTransition, StateKind};
use super::content::Content;

/// The active states without the root, and the states that each history remembers.
#[derive(Clone, Default, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct ChartConfiguration {
    pub active: BTreeSet<usize>,
    pub history: BTreeMap<usize, Vec<usize>>,
}

/// A transition that is taken, and its source state.
#[derive(Clone, Copy, Debug)]
pub(super) struct TakenTransition<'c> {
    pub source: usize,
    pub transition: &'c ChartTransition,
}

/// An action on the way from one configuration to another.
pub(super) enum MicrostepAction<'c> {
    Do(&'c Content),
    /// A state reaches its end.
    Done(usize),
}

impl Chart {
    /// The configuration before the first input, and the steps to it.
    pub fn start(&self) -> (ChartConfiguration, Vec<MicrostepAction<'_>>) {
        let (mut to, mut steps) = (ChartConfiguration::default(), Vec::new());
        let mut entering = EntrySet::new(self, &to.history);
        entering.all(&self.initial(0), 0);
        entering.enter(&mut to.active, &mut steps);
        (to, steps)
    }

    /// The configuration after `taken` from `from`, and the steps on the way; histories among `remembered` store the
    /// states that are left.
    pub fn microstep<'c>(
        &'c self,
        from: &ChartConfiguration,
        taken: &[TakenTransition<'c>],
        remembered: &BTreeSet<usize>,
    ) -> (ChartConfiguration, Vec<MicrostepAction<'c>>) {
        let (mut to, mut steps) = (from.clone(), Vec::new());
        let left: BTreeSet<usize> = taken.iter().flat_map(|one| self.left_by(from, *one)).collect();
        for history in remembered {
            let own = &self.states[*history];
            let is_meant = |state: &usize| match own.kind {
                StateKind::History(true) => {
                    self.states[*state].children.is_empty() && self.is_below(*state, own.parent)
                }
                _ => self.states[*state].parent == own.parent,
            };
            if left.contains(&own.parent) {
                to.history
                    .insert(*history, from.active.iter().copied().filter(is_meant).collect());
            }
        }
        for state in left.iter().rev() {
            steps.extend(self.states[*state].exit.iter().map(MicrostepAction::Do));
            to.active.remove(state);
        }
        let contents = taken.iter().flat_map(|one| &one.transition.content);
        steps.extend(contents.map(MicrostepAction::Do));
        let mut entering = EntrySet::new(self, &to.history);
        for one in taken {
            let targets = self.named(&one.transition.targets);
            let Some(domain) = self.domain(&to.history, *one) else {
                continue;
            };
            entering.domain = domain;
            targets.iter().for_each(|target| entering.below(*target));
            for target in self.meant(&to.history, &targets) {
                entering.around(target, domain);
            }
        }
        entering.enter(&mut to.active, &mut steps);
        (to, steps)
    }

    /// The members of `enabled`, in the order of the states that selected them, without conflicts: if two transitions
    /// leave a common state, the one of the inner state is kept, else the first.
    pub fn without_conflicts<'c>(
        &self,
        from: &ChartConfiguration,
        enabled: &[TakenTransition<'c>],
    ) -> Vec<TakenTransition<'c>> {
        let mut kept: Vec<TakenTransition<'c>> = Vec::new();
        for one in enabled {
            let left = self.left_by(from, *one);
            let conflicts = |other: &TakenTransition<'c>| !left.is_disjoint(&self.left_by(from, *other));
            let loses = |other: &TakenTransition<'c>| self.is_below(one.source, other.source);
            if kept.iter().all(|other| !conflicts(other) || loses(other)) {
                kept.retain(|other| !conflicts(other));
                kept.push(*one);
            }
        }
        kept
    }

    /// The states that a transition leaves.
    fn left_by(&self, from: &ChartConfiguration, taken: TakenTransition<'_>) -> BTreeSet<usize> {
        let domain = self.domain(&from.history, taken);
        let is_left = |state: &usize| domain.is_some_and(|domain| self.is_below(*state, domain));
        from.active.iter().copied().filter(is_left).collect()
    }

    /// The state within which a transition leads; `None` if it stays.
    fn domain(&self, history: &BTreeMap<usize, Vec<usize>>, taken: TakenTransition<'_>) -> Option<usize> {
        let (source, transition) = (taken.source, taken.transition);
        let targets = self.meant(history, &self.named(&transition.targets));
        let contains = |state: &usize| targets.iter().all(|target| self.is_below(*target, *state));
        if targets.is_empty() {
            return None;
        }
        if transition.is_internal && self.states[source].kind == StateKind::State && contains(&source) {
            return Some(source);
        }
        let mut compound = self
            .around(source)
            .filter(|state| self.states[*state].kind == StateKind::State);
        Some(compound.find(contains).unwrap_or(0))
    }

    /// The states that targets stand for: a history stands for the states it remembers, or for its default.
    fn meant(&self, history: &BTreeMap<usize, Vec<usize>>, targets: &[usize]) -> Vec<usize> {
        let meant = |target: &usize| match history.get(target) {
            Some(kept) => kept.clone(),
            None if self.is_history(*target) => self.initial(*target),
            None => vec![*target],
        };
        targets.iter().flat_map(meant).collect()
    }

    /// The default target of a compound state or a history.
    pub fn initial(&self, state: usize) -> Vec<usize> {
        let own = &self.states[state];
        let first = || own.children.first().copied().into_iter().collect();
        own.initial.as_ref().map_or_else(first, |(ids, ..)| self.named(ids))
    }
    fn initial_content(&self, state: usize) -> &[Content] {
        self.states[state]
            .initial
            .as_ref()
            .map_or(&[], |(_, content, _)| content)
    }

    /// Whether a state and its regions have reached their end.
    fn has_ended(&self, active: &BTreeSet<usize>, state: usize) -> bool {
        let mut below = self.states[state].children.iter();
        match self.states[state].kind {
            StateKind::Parallel => below.all(|child| self.has_ended(active, *child)),
            _ => below.any(|child| self.states[*child].kind == StateKind::Final && active.contains(child)),
        }
    }
}

/// The states that a transition enters, while they are collected.
struct EntrySet<'c, 'h> {
    chart: &'c Chart,
    history: &'h BTreeMap<usize, Vec<usize>>,
    /// The state within which the transition leads: the states around it stay active, whatever a history remembers.
    domain: usize,
    enter: BTreeSet<usize>,
    by_default: BTreeSet<usize>,
    /// By state: the actions executed in it because a history there remembers nothing.
    content: BTreeMap<usize, &'c [Content]>,
}

impl<'c, 'h> EntrySet<'c, 'h> {
    fn new(chart: &'c Chart, history: &'h BTreeMap<usize, Vec<usize>>) -> Self {
        Self {
            chart,
            history,
            domain: 0,
            enter: BTreeSet::new(),
            by_default: BTreeSet::new(),
            content: BTreeMap::new(),
        }
    }

    /// Enters `state` and its default descendants, or the states that a history stands for.
    fn below(&mut self, state: usize) {
        let (chart, own) = (self.chart, &self.chart.states[state]);
        if chart.is_history(state) {
            if !self.history.contains_key(&state) {
                self.content.insert(own.parent, chart.initial_content(state));
            }
            self.all(&chart.meant(self.history, &[state]), own.parent);
            return;
        }
        self.enter.insert(state);
        if own.kind == StateKind::Parallel {
            self.regions(state);
        } else if !own.children.is_empty() {
            self.by_default.insert(state);
            self.all(&chart.initial(state), state);
        }
    }
    /// Enters the `targets`, and their ancestors below `within`.
    fn all(&mut self, targets: &[usize], within: usize) {
        targets.iter().for_each(|target| self.below(*target));
        targets.iter().for_each(|target| self.around(*target, within));
    }
    fn around(&mut self, state: usize, within: usize) {
        let (chart, domain) = (self.chart, self.domain);
        let is_entered = |around: &usize| *around != within && chart.is_below(*around, domain);
        for around in chart.around(state).take_while(is_entered) {
            self.enter.insert(around);
            if chart.states[around].kind == StateKind::Parallel {
                self.regions(around);
            }
        }
    }
    /// Enters the regions of a parallel state that nothing has entered yet.
    fn regions(&mut self, state: usize) {
        let chart = self.chart;
        for child in &chart.states[state].children {
            if !self.enter.iter().any(|entered| chart.is_below(*entered, *child)) {
                self.below(*child);
            }
        }
    }

    /// Enters all states that were collected.
    fn enter(self, active: &mut BTreeSet<usize>, steps: &mut Vec<MicrostepAction<'c>>) {
        let chart = self.chart;
        for state in self.enter {
            let own = &chart.states[state];
            active.insert(state);
            steps.extend(own.entry.iter().map(MicrostepAction::Do));
            if self.by_default.contains(&state) {
                steps.extend(chart.initial_content(state).iter().map(MicrostepAction::Do));
            }
            steps.extend(
                self.content
                    .get(&state)
                    .copied()
                    .unwrap_or_default()
                    .iter()
                    .map(MicrostepAction::Do),
            );
            if own.kind == StateKind::Final && own.parent == 0 {
                // The chart reaches its end, and leaves its last state.
                steps.extend(own.exit.iter().map(MicrostepAction::Do));
            } else if own.kind == StateKind::Final {
                let around = chart.states[own.parent].parent;
                steps.push(MicrostepAction::Done(own.parent));
                if chart.states[around].kind == StateKind::Parallel && chart.has_ended(active, around) {
                    steps.push(MicrostepAction::Done(around));
                }
            }
        }
    }
}

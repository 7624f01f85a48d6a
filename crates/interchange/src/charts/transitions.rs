//! The states that transitions leave and enter; where the standard differs from xstate 5, `standard` says so.

use std::collections::{BTreeMap, BTreeSet};

use super::chart::{Chart, ChartTransition, Dialect, StateKind};

/// By history: the states that were active when its parent was last left.
pub(super) type Remembered = BTreeMap<usize, Vec<usize>>;

/// The states that a transition stands within while it is taken: it leaves states within the domain only.
pub(super) fn domain(chart: &Chart, remembered: &Remembered, transition: &ChartTransition) -> Option<usize> {
    let targets = meant(chart, remembered, transition);
    if chart.dialect == Dialect::Scxml {
        return innermost_around(chart, &targets, transition);
    }
    let source = transition.source;
    let stays_within = |target: &usize| *target == source || chart.is_within(*target, Some(source));
    if !transition.reenter && targets.iter().all(stays_within) {
        return Some(source);
    }
    let (first, others) = targets.split_first()?;
    let mut around = chart.around(*first, None).into_iter();
    let common = around.find(|ancestor| {
        let mut all = others.iter().chain([&source]);
        all.all(|state| chart.is_within(*state, Some(*ancestor)))
    });
    common.or((!transition.reenter).then_some(0))
}

/// The innermost state that is no region, around the source and all targets, as the standard has it.
fn innermost_around(chart: &Chart, targets: &[usize], transition: &ChartTransition) -> Option<usize> {
    let source = transition.source;
    let is_around = |state: &usize| {
        let is_compound = chart.states[*state].kind == StateKind::Compound;
        is_compound && targets.iter().all(|target| chart.is_within(*target, Some(*state)))
    };
    let own = Some(source).filter(|source| !transition.reenter && is_around(source));
    let around = || chart.around(source, None).into_iter().find(is_around);
    (!targets.is_empty()).then(|| own.or_else(around).unwrap_or(0))
}

/// The targets of a transition, with the states that histories stand for in their place.
pub(super) fn meant(chart: &Chart, remembered: &Remembered, transition: &ChartTransition) -> Vec<usize> {
    let (mut meant, mut open) = (Vec::new(), Vec::new());
    for target in transition.targets.iter().flatten() {
        add_meant((chart, remembered), *target, &mut meant, &mut open);
    }
    meant
}

/// `open` are the histories that lead to this target: none stands for itself.
fn add_meant(from: (&Chart, &Remembered), target: usize, meant: &mut Vec<usize>, open: &mut Vec<usize>) {
    let (chart, remembered) = from;
    match remembered.get(&target) {
        Some(states) => meant.extend(states),
        None if open.contains(&target) => {}
        None if chart.is_history(target) => {
            open.push(target);
            let default = default(chart, target).0;
            default.iter().for_each(|state| add_meant(from, *state, meant, open));
            open.pop();
        }
        None => meant.push(target),
    }
}

/// The states that a history without memory stands for, and whether they are those by default of its parent.
fn default(chart: &Chart, history: usize) -> (Vec<usize>, bool) {
    let state = &chart.states[history];
    let parent = state.parent.expect("a history is within a state");
    match (&state.default, &chart.states[parent]) {
        (Some(written), _) => (written.clone(), false),
        (None, around) if around.kind == StateKind::Parallel => (vec![parent], false),
        (None, around) => (around.initial.iter().map(|(child, _)| *child).collect(), true),
    }
}

/// The active states that the transitions leave.
pub(super) fn left<'t>(
    chart: &Chart,
    remembered: &Remembered,
    active: &[usize],
    transitions: impl IntoIterator<Item = &'t ChartTransition>,
) -> BTreeSet<usize> {
    let mut left = BTreeSet::new();
    for transition in transitions {
        if transition.targets.as_ref().is_some_and(|targets| !targets.is_empty()) {
            let domain = domain(chart, remembered, transition);
            left.extend(domain.filter(|domain| transition.reenter && *domain == transition.source));
            left.extend(active.iter().filter(|state| chart.is_within(**state, domain)));
        }
    }
    left
}

/// Of transitions that would leave the same state the first is kept, unless a later one begins within its source.
pub(super) fn without_conflicts<'t>(
    chart: &Chart,
    remembered: &Remembered,
    active: &[usize],
    enabled: Vec<&'t ChartTransition>,
) -> Vec<&'t ChartTransition> {
    let mut kept: Vec<&ChartTransition> = Vec::new();
    for later in enabled {
        let leaves = left(chart, remembered, active, [later]);
        let mut replaced = BTreeSet::new();
        let mut is_kept = true;
        for (at, earlier) in kept.iter().enumerate() {
            if leaves.is_disjoint(&left(chart, remembered, active, [*earlier])) {
                continue;
            }
            if !chart.is_within(later.source, Some(earlier.source)) {
                is_kept = false;
                break;
            }
            replaced.insert(at);
        }
        if is_kept {
            let mut at = 0;
            kept.retain(|_| {
                at += 1;
                !replaced.contains(&(at - 1))
            });
            kept.push(later);
        }
    }
    kept
}

/// The states that transitions enter, while they are collected.
pub(super) struct Entered<'c> {
    pub(super) chart: &'c Chart,
    pub(super) remembered: &'c Remembered,
    pub states: BTreeSet<usize>,
    /// Those whose actions by default are executed if they have some.
    pub by_default: BTreeSet<usize>,
    /// Histories that remember nothing, whose actions are executed.
    pub histories: Vec<usize>,
    /// A history that stands for itself, so that entering it does not end.
    pub endless: Option<usize>,
    /// The histories that are entered now, each for the one before.
    pub(super) open: Vec<usize>,
}

impl<'c> Entered<'c> {
    pub fn of(chart: &'c Chart, remembered: &'c Remembered, transitions: &[&ChartTransition]) -> Self {
        let mut entered = Self {
            chart,
            remembered,
            states: BTreeSet::new(),
            by_default: BTreeSet::new(),
            histories: Vec::new(),
            endless: None,
            open: Vec::new(),
        };
        for transition in transitions {
            match chart.dialect {
                Dialect::XState4 | Dialect::XState5 => entered.transition(transition),
                Dialect::Scxml => entered.by_standard(transition),
            }
        }
        entered
    }

    fn transition(&mut self, transition: &ChartTransition) {
        let domain = domain(self.chart, self.remembered, transition);
        for target in transition.targets.iter().flatten() {
            let stays = transition.source == *target && domain == Some(*target) && !transition.reenter;
            if !self.chart.is_history(*target) && !stays {
                self.add(*target);
            }
            self.within(*target);
        }
        let is_of_root = transition.source == 0 && transition.reenter;
        for target in meant(self.chart, self.remembered, transition) {
            let mut around = self.chart.around(target, domain);
            around.extend(domain.filter(|domain| self.chart.states[*domain].kind == StateKind::Parallel));
            self.around(&around, if is_of_root { None } else { domain });
        }
    }

    pub(super) fn add(&mut self, state: usize) {
        self.states.insert(state);
        self.by_default.insert(state);
    }

    /// The states below `state` that are entered with it, or those that a history stands for.
    fn within(&mut self, state: usize) {
        let (chart, remembered) = (self.chart, self.remembered);
        let own = &chart.states[state];
        match own.kind {
            StateKind::History { .. } if self.open.contains(&state) => self.endless = Some(state),
            StateKind::History { .. } => {
                self.open.push(state);
                let (states, is_initial) = match remembered.get(&state) {
                    Some(states) => (states.clone(), false),
                    None => default(chart, state),
                };
                for entered in &states {
                    self.states.insert(*entered);
                    self.by_default.extend(own.parent.filter(|_| is_initial));
                    self.within(*entered);
                }
                for entered in &states {
                    self.around(&chart.around(*entered, own.parent), None);
                }
                self.open.pop();
            }
            StateKind::Compound => {
                let Some((initial, _)) = own.initial else { return };
                if !chart.is_history(initial) {
                    self.add(initial);
                }
                self.within(initial);
                self.around(&chart.around(initial, Some(state)), None);
            }
            StateKind::Parallel => {
                for region in chart.regions(state) {
                    if !self.is_entered_within(region) {
                        self.add(region);
                        self.within(region);
                    }
                }
            }
            StateKind::Atomic | StateKind::Final => {}
        }
    }

    /// The ancestors of a state, those of them in `within`, and regions beside them.
    fn around(&mut self, ancestors: &[usize], within: Option<usize>) {
        let chart = self.chart;
        for ancestor in ancestors {
            if chart.is_within(*ancestor, within) {
                self.states.insert(*ancestor);
            }
            if chart.states[*ancestor].kind == StateKind::Parallel {
                for region in chart.regions(*ancestor) {
                    if !self.is_entered_within(region) {
                        self.states.insert(region);
                        self.within(region);
                    }
                }
            }
        }
    }

    pub(super) fn is_entered_within(&self, state: usize) -> bool {
        self.states
            .range(state + 1..self.chart.states[state].end)
            .next()
            .is_some()
    }
}

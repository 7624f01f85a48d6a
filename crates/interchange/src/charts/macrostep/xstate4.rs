//! The macrostep of xstate 4, with `predictableActionArguments`.
//!
//! What is active after a microstep is completed from the targets of its transitions and what was active before. In a parallel state
//! the transitions of all regions are taken, and regions come in the order in which the last microstep named them. What a microstep
//! raises is handled before what was raised earlier, and `always` before both.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::finals::is_complete;
use super::{Asked, ChartStatus, MOST_MICROSTEPS, Refused, Run, Trigger};
use crate::charts::chart::{Chart, ChartAction, ChartTransition, Pending, StateKind, index_of};
use crate::charts::values::value;

/// The transitions for an event, the states that they name, and those that they leave and enter again.
#[derive(Default)]
struct Selected<'c> {
    transitions: Vec<&'c ChartTransition>,
    named: Vec<usize>,
    leaves: BTreeSet<usize>,
}

impl<'c> Run<'c> {
    pub(super) fn all_of_4(&mut self, trigger: &Trigger) -> Result<(), Asked> {
        let chart = self.chart;
        match trigger {
            Trigger::Start => {
                // What is active first stands in the order of the text; later the innermost states come first.
                let mut first = completed(chart, &[], &initial(chart, 0));
                first.sort_unstable();
                self.microstep_of_4(first, Selected::default(), None)?;
            }
            Trigger::Event(event) => self.handle(event)?,
            Trigger::Timer(due) => {
                if let Some(event) = self.due(*due) {
                    self.handle(event)?;
                }
            }
            Trigger::Done(state, number) => {
                self.at.invoked.remove(&(*state, *number));
                self.handle(&format!("done.invoke.{}", chart.states[*state].invokes[*number]))?;
            }
            Trigger::Error(state, number) => {
                self.at.invoked.remove(&(*state, *number));
                // Where nothing waits for errors, xstate reports the error and does not tell the machine.
                let mut active = self.at.active.iter().flat_map(|state| &chart.states[*state].on);
                if active.any(|(descriptor, _)| descriptor.starts_with("error.platform")) {
                    self.handle(&format!("error.platform.{}", chart.states[*state].invokes[*number]))?;
                }
            }
        }
        while self.at.status == ChartStatus::Active {
            if is_complete(chart, &self.at.active, 0) {
                self.at.status = ChartStatus::Done;
                break;
            }
            let Some(event) = self.later.pop_front() else { break };
            self.show(value(chart, &self.at.active));
            self.handle(&event)?;
        }
        Ok(())
    }

    /// The microstep that an event starts, and all that follows from it; `""` is for `always`.
    fn handle(&mut self, event: &str) -> Result<(), Asked> {
        self.steps += 1;
        *self.work += 1;
        if self.steps > MOST_MICROSTEPS {
            self.at.status = ChartStatus::Hanging;
            return Ok(());
        }
        let chart = self.chart;
        let selected = self.selected(0, event)?;
        let before = self.at.active.clone();
        if selected.transitions.is_empty() {
            // What the first macrostep executes is executed behind it, and a step without transitions is not part of that.
            if !self.shown.is_empty() {
                self.stop_if_done()?;
            }
            return match event {
                "" => Ok(()),
                _ if is_complete(chart, &before, 0) => Ok(()),
                _ => self.handle(""),
            };
        }
        self.place = self.place.or(Some(selected.transitions[0].place));
        let named = completed(chart, &before, &selected.named);
        self.microstep_of_4(named, selected, Some(before))
    }

    /// Makes these states the active ones.
    fn microstep_of_4(
        &mut self,
        states: Vec<usize>,
        selected: Selected<'c>,
        before: Option<Vec<usize>>,
    ) -> Result<(), Asked> {
        let chart = self.chart;
        let mut leaves = selected.leaves;
        let mut enters = BTreeSet::new();
        let sorted: BTreeSet<usize> = states.iter().copied().collect();
        let prior = before.as_deref().unwrap_or_default();
        for state in &sorted {
            let parent = chart.states[*state].parent;
            let is_new = !prior.contains(state) || leaves.contains(state);
            if is_new || parent.is_some_and(|parent| enters.contains(&parent)) {
                enters.insert(*state);
            }
        }
        for state in prior {
            let parent = chart.states[*state].parent;
            if !sorted.contains(state) || parent.is_some_and(|parent| leaves.contains(&parent)) {
                leaves.insert(*state);
            }
        }
        let raised_before = std::mem::take(&mut self.events);
        for state in leaves.iter().rev() {
            self.execute(&chart.states[*state].exit)?;
            self.at.invoked.retain(|(of, _)| of != state);
            self.at
                .timers
                .retain(|pending| !matches!(pending, Pending::After { state: of, .. } if of == state));
        }
        for transition in &selected.transitions {
            self.execute(&transition.actions)?;
        }
        for state in &enters {
            let own = &chart.states[*state];
            self.execute(&own.entry)?;
            (0..own.timers.len()).for_each(|number| self.set(Pending::After { state: *state, number }));
            let invoked = (0..own.invokes.len()).map(|number| (*state, number));
            self.at.invoked.extend(invoked);
        }
        self.complete_of_4(&enters, &states);
        self.at.active = self.ordered(&states);
        if let Some(before) = &before {
            self.remember(before);
        }
        let raised: VecDeque<String> = std::mem::replace(&mut self.events, raised_before);
        if self.stop_if_done()? {
            return Ok(());
        }
        self.handle("")?;
        for event in raised {
            if self.at.status == ChartStatus::Active {
                self.handle(&event)?;
            }
        }
        Ok(())
    }

    /// Executes what is executed when the machine is done, as often as xstate finds that it is.
    fn stop_if_done(&mut self) -> Result<bool, Asked> {
        let chart = self.chart;
        let is_done = is_complete(chart, &self.at.active, 0);
        if is_done {
            let active: BTreeSet<usize> = self.at.active.iter().copied().collect();
            let exits = active.iter().rev().flat_map(|state| &chart.states[*state].exit);
            let exits: Vec<ChartAction> = exits
                .filter(|action| !matches!(action, ChartAction::Raise(_)))
                .cloned()
                .collect();
            self.execute(&exits)?;
        }
        Ok(is_done)
    }

    /// The innermost transitions for the event, of all regions.
    fn selected(&self, state: usize, event: &str) -> Result<Selected<'c>, Asked> {
        let mut selected = Selected::default();
        for child in &self.at.active {
            if self.chart.states[*child].parent == Some(state) {
                let within = self.selected(*child, event)?;
                selected.transitions.extend(within.transitions);
                selected.named.extend(within.named);
                selected.leaves.extend(within.leaves);
            }
        }
        if selected.transitions.is_empty() {
            let own = &self.chart.states[state];
            let on = own
                .on
                .iter()
                .filter(|(descriptor, _)| !event.is_empty() && (descriptor == event || descriptor == "*"));
            let always = own.always.iter().filter(|_| event.is_empty());
            let meant = on.flat_map(|(_, transitions)| transitions).chain(always);
            if let Some(transition) = self.first_of(meant)? {
                self.select(state, transition, &mut selected);
            }
        }
        Ok(selected)
    }

    fn select(&self, state: usize, transition: &'c ChartTransition, selected: &mut Selected<'c>) {
        let chart = self.chart;
        selected.transitions.push(transition);
        let targets = transition.targets.as_deref().unwrap_or_default();
        if targets.is_empty() {
            selected.named.push(state);
        }
        for target in targets {
            selected.named.extend(match chart.states[*target].kind {
                StateKind::History { .. } => self.meant_by(*target),
                _ => initial(chart, *target),
            });
            if !transition.reenter {
                continue;
            }
            if state < *target {
                selected.leaves.insert(state);
            } else if state == *target || chart.is_within(state, Some(*target)) {
                selected.leaves.extend([state, *target]);
                selected.leaves.extend(chart.around(state, Some(*target)));
            }
        }
    }

    /// The states that a history stands for.
    fn meant_by(&self, history: usize) -> Vec<usize> {
        let state = &self.chart.states[history];
        let parent = state.parent.expect("a history is within a state");
        match (self.at.remembered.get(&history), &state.default) {
            (Some(remembered), _) => remembered.clone(),
            (None, Some(default)) => default.clone(),
            (None, None) => initial(self.chart, parent),
        }
    }

    /// Keeps what histories stand for. After the first transition that is what is entered by default, whatever a history says.
    fn remember(&mut self, before: &[usize]) {
        let chart = self.chart;
        let is_first = self.at.remembered.is_empty();
        for (history, own) in chart.states.iter().enumerate() {
            let (StateKind::History { deep }, Some(parent)) = (own.kind, own.parent) else {
                continue;
            };
            let kept = |active: &[usize]| {
                let is_kept = |state: &&usize| match deep {
                    true => chart.regions(**state).next().is_none() && chart.is_within(**state, Some(parent)),
                    false => chart.states[**state].parent == Some(parent),
                };
                active.iter().filter(is_kept).copied().collect::<Vec<_>>()
            };
            let now = [&self.at.active, before]
                .into_iter()
                .find(|active| active.contains(&parent));
            let now = now.map(kept);
            let by_default = || kept(&completed(chart, &[], &initial(chart, parent)));
            match now.filter(|_| is_first || self.at.active.contains(&parent)) {
                Some(now) => self.at.remembered.insert(history, now),
                None if is_first => self.at.remembered.insert(history, by_default()),
                None => None,
            };
        }
    }

    /// The states in the order of the value, outer ones first.
    fn ordered(&mut self, states: &[usize]) -> Vec<usize> {
        let chart = self.chart;
        let mut ordered = Vec::new();
        let mut open = vec![0];
        while let Some(state) = open.pop() {
            ordered.push(state);
            let within = states
                .iter()
                .filter(|child| chart.states[**child].parent == Some(state));
            let mut within: Vec<usize> = within.copied().collect();
            if chart.states[state].kind != StateKind::Parallel && within.len() > 1 {
                self.refused = self.refused.or(Some(Refused::Torn(state)));
                within.truncate(1);
            }
            within.sort_by_key(|child| index_of(&chart.states[*child].key).map_or(usize::MAX, |_| *child));
            open.extend(within.into_iter().rev());
        }
        ordered
    }

    /// Raises that what is around final states is complete.
    fn complete_of_4(&mut self, enters: &BTreeSet<usize>, states: &[usize]) {
        let chart = self.chart;
        let done = |state: usize| format!("done.state.{}", chart.states[state].id);
        for state in enters {
            let Some(parent) = chart.states[*state].parent.filter(|parent| *parent != 0) else {
                continue;
            };
            if chart.states[*state].kind == StateKind::Final {
                self.events.extend([done(*state), done(parent)]);
                let around = chart.states[parent].parent.unwrap_or(0);
                if chart.states[around].kind == StateKind::Parallel
                    && chart.regions(around).all(|region| is_complete(chart, states, region))
                {
                    self.events.push_back(done(around));
                }
            }
        }
    }
}

/// The innermost states that are entered with `state` by default.
fn initial(chart: &Chart, state: usize) -> Vec<usize> {
    let own = &chart.states[state];
    match (own.kind, &own.initial) {
        (StateKind::Compound, Some((child, _))) => initial(chart, *child),
        (StateKind::Parallel, _) if chart.regions(state).next().is_some() => {
            chart.regions(state).flat_map(|region| initial(chart, region)).collect()
        }
        _ => vec![state],
    }
}

/// The states that are active with those that are named, in the order in which xstate comes to them: states around them, and within
/// those what was active before, or what is entered by default.
fn completed(chart: &Chart, before: &[usize], named: &[usize]) -> Vec<usize> {
    let mut states = Vec::new();
    let add = |states: &mut Vec<usize>, state: usize| {
        if !states.contains(&state) {
            states.push(state);
        }
    };
    let with_ancestors = |states: &mut Vec<usize>| {
        let mut at = 0;
        while at < states.len() {
            for around in chart.around(states[at], None) {
                if states.contains(&around) {
                    break;
                }
                states.push(around);
            }
            at += 1;
        }
    };
    named.iter().for_each(|state| add(&mut states, *state));
    with_ancestors(&mut states);
    let mut has_child: BTreeMap<usize, bool> = BTreeMap::new();
    for state in &states {
        has_child.extend(chart.states[*state].parent.map(|parent| (parent, true)));
    }
    let within = |state: usize| match before.contains(&state) {
        true => {
            let children = before
                .iter()
                .filter(|child| chart.states[**child].parent == Some(state));
            children.copied().collect()
        }
        false => initial(chart, state),
    };
    let mut at = 0;
    while at < states.len() {
        let state = states[at];
        match chart.states[state].kind {
            StateKind::Compound if !has_child.contains_key(&state) => {
                within(state).into_iter().for_each(|child| add(&mut states, child));
            }
            StateKind::Parallel => {
                for region in chart.regions(state) {
                    if !states.contains(&region) {
                        states.push(region);
                        within(region).into_iter().for_each(|child| add(&mut states, child));
                    }
                }
            }
            _ => {}
        }
        at += 1;
    }
    with_ancestors(&mut states);
    states
}

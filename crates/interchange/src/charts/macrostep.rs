//! One macrostep: an event, and all that follows at once.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::chart::{Chart, ChartAction, ChartTransition, Dialect, Pending, StateKind, is_meant};
use super::data::{DataSet, LARGEST};
use super::transitions::{Entered, Remembered, left, without_conflicts};
use super::values::value;
use tamper_text::Span;

mod finals;
mod guards;
mod xstate4;

/// Most microsteps of a macrostep: a chart that makes more raises more and more events.
const MOST_MICROSTEPS: usize = 300;
/// After so many microsteps it is looked whether the chart goes in a circle.
const USUAL_MICROSTEPS: usize = 8;
/// Most events of one sender that are pending together.
pub(super) const MOST_SLOTS: usize = 4;

/// What is known of a chart between two macrosteps, but for time and guards.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub(super) struct Configuration {
    /// The active states, in the order in which they were entered.
    pub active: Vec<usize>,
    pub remembered: Remembered,
    /// Events that are not due yet: those that were set first come first.
    pub timers: Vec<Pending>,
    /// Events that were sent and that an action which cancels their id finds.
    pub found: BTreeSet<Pending>,
    /// What is invoked and goes on, by state and number.
    pub invoked: BTreeSet<(usize, usize)>,
    /// The values of what is followed.
    pub data: Vec<i64>,
    pub status: ChartStatus,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub(super) enum ChartStatus {
    #[default]
    Active,
    /// In a final state of the root.
    Done,
    /// What it invoked has failed, and nothing handles it.
    Failed,
    /// The macrostep does not end.
    Hanging,
}

/// What starts a macrostep.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Trigger {
    Start,
    Event(String),
    /// An event that is due.
    Timer(Pending),
    /// What is invoked, by state and number, is done.
    Done(usize, usize),
    Error(usize, usize),
}

/// What a macrostep does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Macrostep {
    pub target: Configuration,
    pub outputs: Vec<String>,
    /// The events that were set, by their clocks.
    pub started: BTreeSet<Pending>,
    /// Whether data may have changed.
    pub assigns: bool,
    /// The place of the first transition that was taken.
    pub place: Option<Span>,
    pub refused: Option<Refused>,
}

/// Why a macrostep has no counterpart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Refused {
    /// A state with timers or actors was entered although it was active: xstate then has them twice.
    Again(usize),
    /// A sender has more events pending than slots.
    TooMany(usize),
    /// xstate is in two states within this one, but it is not parallel.
    Torn(usize),
    /// A history stands for itself.
    Endless(usize),
    /// A variable leaves its range here.
    Outside(usize, i64, Span),
    /// A variable has values that are not followed.
    Inexact(usize),
}

/// Values of guards.
pub(super) type Values = BTreeMap<usize, bool>;

/// A guard whose value decides how the macrostep goes on.
pub(super) struct Asked(pub usize);

/// The macrostep that the trigger starts, under these values of guards.
pub(super) fn macrostep(
    chart: &Chart,
    from: &Configuration,
    trigger: &Trigger,
    values: &Values,
    work: &mut usize,
) -> Result<Macrostep, Asked> {
    let mut run = Run {
        work,
        chart,
        values,
        at: from.clone(),
        events: VecDeque::new(),
        queue: VecDeque::new(),
        later: VecDeque::new(),
        shown: value(chart, &from.active),
        steps: 0,
        outputs: Vec::new(),
        started: BTreeSet::new(),
        assigns: false,
        event: String::new(),
        last_set: None,
        changed: false,
        place: None,
        refused: None,
    };
    match chart.dialect {
        Dialect::XState4 => run.all_of_4(trigger)?,
        _ => run.all(trigger)?,
    }
    if run.at.status != ChartStatus::Active {
        run.at.timers.clear();
        run.at.found.clear();
        run.at.invoked.clear();
        run.at.data.clear();
    }
    match run.at.status {
        ChartStatus::Failed => run.outputs.push("error".to_owned()),
        ChartStatus::Hanging => {}
        ChartStatus::Active | ChartStatus::Done => run.show(value(chart, &run.at.active)),
    }
    let is_active = |state: &usize| run.at.active.contains(state);
    run.at
        .timers
        .retain(|pending| !matches!(pending, Pending::After { state, .. } if !is_active(state)));
    run.started
        .retain(|clock| run.at.timers.iter().any(|pending| pending.clock() == *clock));
    Ok(Macrostep {
        target: run.at,
        outputs: run.outputs,
        started: run.started,
        assigns: run.assigns,
        place: run.place,
        refused: run.refused,
    })
}

struct Run<'c> {
    /// Microsteps of all macrosteps.
    work: &'c mut usize,
    chart: &'c Chart,
    values: &'c Values,
    at: Configuration,
    /// Events that were raised.
    events: VecDeque<String>,
    /// Events that were sent without a delay: they come when none that was raised is left.
    queue: VecDeque<String>,
    /// Events that are handled when the macrostep has ended, each by one of its own.
    later: VecDeque<String>,
    /// The value of the state that was seen last.
    shown: String,
    steps: usize,
    outputs: Vec<String>,
    started: BTreeSet<Pending>,
    assigns: bool,
    /// The event that is handled.
    event: String,
    /// The variable that was set last.
    last_set: Option<usize>,
    /// Whether the last microstep made another snapshot of the machine.
    changed: bool,
    place: Option<Span>,
    refused: Option<Refused>,
}

impl<'c> Run<'c> {
    fn all(&mut self, trigger: &Trigger) -> Result<(), Asked> {
        let chart = self.chart;
        match trigger {
            Trigger::Start => self.start()?,
            Trigger::Event(event) => self.event(event)?,
            Trigger::Timer(due) => {
                let Some(event) = self.due(*due) else { return Ok(()) };
                self.event(event)?;
            }
            Trigger::Done(state, number) => {
                self.at.invoked.remove(&(*state, *number));
                self.event(&chart.dialect.done(&chart.states[*state].invokes[*number]))?;
            }
            Trigger::Error(state, number) => {
                self.at.invoked.remove(&(*state, *number));
                let event = format!("xstate.error.actor.{}", chart.states[*state].invokes[*number]);
                let enabled = self.for_event(&event)?;
                if enabled.is_empty() {
                    self.at.status = ChartStatus::Failed;
                }
                self.microstep(enabled)?;
            }
        }
        let (mut is_eventless_due, mut steps) = (true, 0_usize);
        // What was so after as many steps as a power of two: a chart that is there again goes in a circle.
        let mut earlier = None;
        while self.at.status == ChartStatus::Active {
            steps += 1;
            *self.work += 1;
            let here = (&self.at, &self.events, &self.queue, is_eventless_due);
            let is_circle = earlier
                .as_ref()
                .is_some_and(|(at, events, queue, due)| here == (at, events, queue, *due));
            if steps > MOST_MICROSTEPS || is_circle {
                // A long run through values of a variable may end.
                let endless = self.last_set.filter(|_| !is_circle).map(Refused::Inexact);
                self.refused = self.refused.or(endless);
                self.at.status = ChartStatus::Hanging;
                break;
            }
            if steps >= USUAL_MICROSTEPS && steps.is_power_of_two() {
                earlier = Some((
                    self.at.clone(),
                    self.events.clone(),
                    self.queue.clone(),
                    is_eventless_due,
                ));
            }
            let mut enabled = match is_eventless_due {
                true => self.eventless()?,
                false => Vec::new(),
            };
            let is_eventless = !enabled.is_empty();
            if !is_eventless {
                let event = self.events.pop_front().or_else(|| self.queue.pop_front());
                let Some(event) = event else { break };
                enabled = self.for_event(&event)?;
            }
            self.microstep(enabled)?;
            is_eventless_due = self.changed || !is_eventless || self.is_standard();
        }
        Ok(())
    }

    /// The event of what is due, or `None` if it is seen from outside.
    fn due(&mut self, due: Pending) -> Option<&'c str> {
        let chart = self.chart;
        self.remove(due);
        let event = &chart.timer(due).event;
        if let Pending::Sent { sender, .. } = due {
            let sender = &chart.sends[sender];
            if chart.dialect == Dialect::XState5 {
                self.forget(sender.id.as_ref());
            }
            if sender.is_output {
                self.outputs.push(event.clone());
                return None;
            }
        }
        Some(event)
    }

    /// Enters the states by default.
    fn start(&mut self) -> Result<(), Asked> {
        let chart = self.chart;
        if self.is_standard() {
            self.execute(&chart.states[0].entry)?;
        }
        let mut targets = Vec::new();
        let mut open = vec![0];
        while let Some(state) = open.pop() {
            targets.push(state);
            match (&chart.states[state].initial, chart.states[state].kind) {
                (Some((child, _)), StateKind::Compound) => open.push(*child),
                (_, StateKind::Parallel) => open.extend(chart.regions(state)),
                _ => {}
            }
        }
        let start = ChartTransition {
            source: 0,
            targets: match self.is_standard() {
                true => chart.states[0].default.clone(),
                false => Some(targets),
            },
            guard: None,
            reenter: !self.is_standard(),
            actions: Vec::new(),
            place: chart.states[0].place,
        };
        let remembered = self.at.remembered.clone();
        let mut entered = Entered::of(chart, &remembered, &[&start]);
        entered.by_default.insert(0);
        self.enter(&entered)
    }

    fn is_standard(&self) -> bool {
        self.chart.dialect == Dialect::Scxml
    }

    fn event(&mut self, event: &str) -> Result<(), Asked> {
        let enabled = self.for_event(event)?;
        self.microstep(enabled)
    }

    fn for_event(&mut self, event: &str) -> Result<Vec<&'c ChartTransition>, Asked> {
        match self.chart.dialect {
            Dialect::XState4 | Dialect::XState5 => self.enabled(0, event),
            Dialect::Scxml => {
                event.clone_into(&mut self.event);
                self.by_leaves(|state| self.own_enabled(state, event))
            }
        }
    }

    /// The transitions for the event: those of a state only if none within it is enabled.
    fn enabled(&self, state: usize, event: &str) -> Result<Vec<&'c ChartTransition>, Asked> {
        let mut enabled = Vec::new();
        for child in self.chart.regions(state) {
            if self.chart.is_shown(child, &self.at.active) {
                enabled.extend(self.enabled(child, event)?);
            }
        }
        if enabled.is_empty() {
            enabled.extend(self.own_enabled(state, event)?);
        }
        Ok(enabled)
    }

    /// The first transition of the state itself whose guard holds: those for the event by its name first, then those with longer
    /// descriptors.
    fn own_enabled(&self, state: usize, event: &str) -> Result<Option<&'c ChartTransition>, Asked> {
        let on = &self.chart.states[state].on;
        let mut meant: Vec<_> = on
            .iter()
            .filter(|(descriptor, _)| is_meant(descriptor, event))
            .collect();
        if !self.is_standard() {
            meant.sort_by_key(|(descriptor, _)| (descriptor != event, std::cmp::Reverse(descriptor.len())));
        }
        self.first_of(meant.into_iter().flat_map(|(_, transitions)| transitions))
    }

    fn first_of(
        &self,
        transitions: impl IntoIterator<Item = &'c ChartTransition>,
    ) -> Result<Option<&'c ChartTransition>, Asked> {
        for transition in transitions {
            if transition.guard.as_ref().map_or(Ok(true), |guard| self.holds(guard))? {
                return Ok(Some(transition));
            }
        }
        Ok(None)
    }

    /// The enabled transitions that wait for no event, of each atomic state the innermost one.
    fn eventless(&self) -> Result<Vec<&'c ChartTransition>, Asked> {
        self.by_leaves(|state| self.first_of(&self.chart.states[state].always))
    }

    /// For each innermost active state, what its first ancestor that has some offers.
    fn by_leaves(
        &self,
        of: impl Fn(usize) -> Result<Option<&'c ChartTransition>, Asked>,
    ) -> Result<Vec<&'c ChartTransition>, Asked> {
        let chart = self.chart;
        let mut enabled: Vec<&ChartTransition> = Vec::new();
        for state in self.at.active.iter().filter(|state| chart.is_atomic(**state)) {
            for source in [*state].into_iter().chain(chart.around(*state, None)) {
                if let Some(transition) = of(source)? {
                    if !enabled.iter().any(|known| std::ptr::eq(*known, transition)) {
                        enabled.push(transition);
                    }
                    break;
                }
            }
        }
        Ok(without_conflicts(chart, &self.at.remembered, &self.at.active, enabled))
    }

    fn microstep(&mut self, enabled: Vec<&ChartTransition>) -> Result<(), Asked> {
        self.changed = false;
        if enabled.is_empty() {
            return Ok(());
        }
        let chart = self.chart;
        let before = self.at.active.clone();
        let taken = without_conflicts(chart, &self.at.remembered, &before, enabled);
        let remembered = self.at.remembered.clone();
        // What histories remember changes while states are left.
        let leaves = left(chart, &remembered, &before, taken.iter().copied());
        self.leave(&leaves)?;
        self.place = self.place.or(taken.first().map(|transition| transition.place));
        for transition in &taken {
            self.execute(&transition.actions)?;
        }
        let remembered = self.at.remembered.clone();
        let entered = Entered::of(chart, &remembered, &taken);
        self.enter(&entered)?;
        let sorted = |states: &[usize]| states.iter().copied().collect::<BTreeSet<_>>();
        if sorted(&before) == sorted(&self.at.active) {
            if !leaves.iter().any(|state| self.has_history(*state)) {
                self.at.active = before;
            }
        } else {
            self.changed = true;
        }
        if self.is_standard() {
            self.at.active.sort_unstable();
        }
        Ok(())
    }

    fn has_history(&self, state: usize) -> bool {
        let mut children = self.chart.states[state].children.iter();
        children.any(|child| self.chart.is_history(*child))
    }

    fn leave(&mut self, leaves: &BTreeSet<usize>) -> Result<(), Asked> {
        let chart = self.chart;
        let before = self.at.active.clone();
        for state in leaves.iter().rev() {
            for history in &chart.states[*state].children {
                let StateKind::History { deep } = chart.states[*history].kind else {
                    continue;
                };
                let is_kept = |kept: &&usize| match deep {
                    true => chart.is_atomic(**kept) && chart.is_within(**kept, Some(*state)),
                    false => chart.states[**kept].parent == Some(*state),
                };
                let mut kept: Vec<usize> = before.iter().filter(is_kept).copied().collect();
                kept.sort_unstable();
                self.at.remembered.insert(*history, kept);
                self.changed = true;
            }
        }
        for state in leaves.iter().rev() {
            let own = &chart.states[*state];
            self.execute(&own.exit)?;
            self.changed |= !own.invokes.is_empty();
            self.at.invoked.retain(|(of, _)| of != state);
            let is_of = |pending: &Pending| matches!(pending, Pending::After { state: of, .. } if of == state);
            self.at.timers.retain(|pending| !is_of(pending));
            self.at.active.retain(|active| active != state);
        }
        Ok(())
    }

    fn enter(&mut self, entered: &Entered<'_>) -> Result<(), Asked> {
        let chart = self.chart;
        let mut completed = BTreeSet::new();
        self.refused = self.refused.or(entered.endless.map(Refused::Endless));
        for state in &entered.states {
            let own = &chart.states[*state];
            match self.at.active.contains(state) {
                true if !own.timers.is_empty() || !own.invokes.is_empty() => {
                    self.refused = self.refused.or(Some(Refused::Again(*state)));
                }
                true => {}
                false => self.at.active.push(*state),
            }
            self.execute(&own.entry)?;
            for number in 0..own.timers.len() {
                self.set(Pending::After { state: *state, number });
            }
            self.at
                .invoked
                .extend((0..own.invokes.len()).map(|number| (*state, number)));
            self.changed |= !own.invokes.is_empty();
            if let Some((_, actions)) = own.initial.as_ref().filter(|_| entered.by_default.contains(state)) {
                self.execute(actions)?;
            }
            for history in &entered.histories {
                if chart.states[*history].parent == Some(*state) {
                    self.execute(&chart.states[*history].entry)?;
                }
            }
            if own.kind == StateKind::Final {
                self.complete(*state, &mut completed);
            }
        }
        if chart.dialect == Dialect::XState5 {
            let torn = chart.torn(&self.at.active).map(Refused::Torn);
            self.refused = self.refused.or(torn);
        }
        if self.at.status == ChartStatus::Done {
            let active: BTreeSet<usize> = self.at.active.iter().copied().collect();
            for state in active.iter().rev() {
                self.execute(&chart.states[*state].exit)?;
            }
        }
        Ok(())
    }

    /// A value of the state is seen where it is a new one.
    fn show(&mut self, value: String) {
        if value != self.shown {
            self.outputs.push(format!("at {value}"));
            self.shown = value;
        }
    }

    fn set(&mut self, pending: Pending) {
        self.at.timers.push(pending);
        self.started.insert(pending.clock());
    }

    fn remove(&mut self, pending: Pending) {
        self.at.timers.retain(|timer| *timer != pending);
        self.at.found.remove(&pending);
    }

    /// Sets the event of a sender in a slot of its own.
    fn send(&mut self, sender: usize) {
        let mut slots = (0..MOST_SLOTS).map(|slot| Pending::Sent { sender, slot });
        let Some(free) = slots.find(|slot| !self.at.timers.contains(slot)) else {
            self.refused = self.refused.or(Some(Refused::TooMany(sender)));
            return;
        };
        let id = self.chart.sends[sender].id.as_ref();
        self.forget(id);
        self.set(free);
        self.at.found.extend(id.map(|_| free));
    }

    /// The pending events of an id that an action which cancels it finds.
    fn found(&self, id: &String) -> Vec<Pending> {
        let is_of = |pending: &&Pending| match pending {
            Pending::Sent { sender, .. } => self.chart.sends[*sender].id.as_ref() == Some(id),
            Pending::After { .. } => false,
        };
        self.at.found.iter().filter(is_of).copied().collect()
    }

    /// xstate keeps one event per id, the last that was set, and none when one has come.
    fn forget(&mut self, id: Option<&String>) {
        match self.chart.dialect {
            Dialect::Scxml => {}
            Dialect::XState4 | Dialect::XState5 => {
                for pending in id.map(|id| self.found(id)).unwrap_or_default() {
                    self.at.found.remove(&pending);
                }
            }
        }
    }

    fn execute(&mut self, actions: &[ChartAction]) -> Result<(), Asked> {
        for action in actions {
            match action {
                ChartAction::Output(name) => self.outputs.push(name.clone()),
                ChartAction::Raise(event) => self.events.push_back(event.clone()),
                ChartAction::Queue(event) => self.queue.push_back(event.clone()),
                ChartAction::If(branches) => {
                    for (guard, actions) in branches {
                        if self.holds(guard)? {
                            self.execute(actions)?;
                            break;
                        }
                    }
                }
                ChartAction::Later(event) => self.later.push_back(event.clone()),
                ChartAction::Send(sender) => self.send(*sender),
                ChartAction::Cancel(id) => self.found(id).into_iter().for_each(|pending| self.remove(pending)),
                ChartAction::Set(set) => self.assign(set),
                ChartAction::Assign => {
                    self.assigns = true;
                    self.changed = true;
                }
            }
        }
        Ok(())
    }

    fn assign(&mut self, set: &DataSet) {
        let at = set.variable;
        let value = set.term.value((&self.at.data, &self.at.active, &self.event));
        let is_outside = |(low, high)| !(low as f64..=high as f64).contains(&value);
        if is_outside((-LARGEST, LARGEST)) {
            self.refused = self.refused.or(Some(Refused::Inexact(at)));
        } else if self.chart.data[at].range.is_some_and(is_outside) {
            self.refused = self.refused.or(Some(Refused::Outside(at, value as i64, set.place)));
        } else {
            self.at.data[at] = value as i64;
        }
        self.last_set = Some(at);
        // What is asked of a guard that stands for other data may depend on it.
        self.assigns |= !self.chart.guards.is_empty();
    }
}

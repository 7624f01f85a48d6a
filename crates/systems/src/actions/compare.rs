//! Three verdicts on a mutant of an action system.
//!
//! `state` is \[001\] Definition 4.1: a state that the original reaches is unsafe if the mutant has a step from it
//! (event and next state) that the original lacks. `event` is decided on a black box: the mutant has some sequence of
//! events that the original lacks. `ioco` is Tretmans' relation: after some sequence of events and silences of the
//! original, the mutant shows an output or a silence that the original cannot. A kill by `event` is also a kill by
//! `state`; `ioco` is independent of both.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::{FxHashMap, FxHashSet};

use super::steps::{ActionKey, Cuts, Event, Normal, Open, Values};
use super::system::ActionSystem;
use tamper_text::Budget;

/// The observation of quiescence: no output is enabled.
pub const SILENCE: &str = "delta";

/// Whether a mutant is killed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Killed {
    /// The mutant is not killed under the relation.
    No,
    /// It is killed, after a shortest sequence of events whose last one is at fault.
    Yes(Vec<Event>),
    /// The relation was not decided, for this reason.
    Open(Open),
}

impl Killed {
    /// The events up to the kill, if there is one.
    pub fn trace(&self) -> Option<&[Event]> {
        match self {
            Self::Yes(trace) => Some(trace),
            Self::No | Self::Open(_) => None,
        }
    }
    /// Whether the mutant is killed, if that is known.
    pub fn known(&self) -> Option<bool> {
        match self {
            Self::No => Some(false),
            Self::Yes(_) => Some(true),
            Self::Open(_) => None,
        }
    }
}

/// The verdicts on a mutant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ActionVerdicts {
    /// The verdict by states and events (\[001\] Definition 4.1).
    pub state: Killed,
    /// The verdict by traces of events.
    pub event: Killed,
    /// The verdict by outputs and silences after common traces.
    pub ioco: Killed,
}

impl ActionVerdicts {
    /// The trace of a kill that a test can see, else of a kill by states only; empty if there is no kill.
    pub fn trace(&self) -> &[Event] {
        let traces = [&self.event, &self.ioco, &self.state]
            .into_iter()
            .filter_map(Killed::trace);
        traces.into_iter().next().unwrap_or(&[])
    }
    /// The first open question of the verdicts, if any.
    pub fn open(&self) -> Option<Open> {
        [&self.state, &self.event, &self.ioco]
            .into_iter()
            .find_map(|killed| match killed {
                Killed::Open(open) => Some(*open),
                Killed::No | Killed::Yes(_) => None,
            })
    }
}

/// The reason why two systems cannot be compared.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CompareError {
    /// Their variables are not the same, or not of the same types.
    #[error("the two systems do not have the same variables with the same types")]
    Variables,
    /// They do not start in the same state.
    #[error("the two systems do not start in the same state")]
    Init,
    /// Their inputs are not the same.
    #[error("the two systems do not have the same inputs")]
    Inputs,
}

/// Decides all three; `budget` is for each.
///
/// # Errors
/// The systems cannot be compared.
pub fn compare(
    mutant: &ActionSystem,
    original: &ActionSystem,
    budget: &Budget,
) -> Result<ActionVerdicts, CompareError> {
    let declared = |system: &ActionSystem| -> Vec<(String, (i64, i64))> {
        let variables = system.variables.iter().enumerate();
        variables
            .map(|(place, variable)| (variable.name.clone(), system.bounds(place)))
            .collect()
    };
    if declared(mutant) != declared(original) {
        return Err(CompareError::Variables);
    }
    if mutant.init != original.init {
        return Err(CompareError::Init);
    }
    if mutant.inputs != original.inputs {
        return Err(CompareError::Inputs);
    }
    let both = Normal::beside(mutant, original).and_then(|own| Ok((own, Normal::beside(original, mutant)?)));
    let (mutant, original) = match both {
        Ok(both) => both,
        Err(open) => {
            let open = || Killed::Open(open);
            return Ok(ActionVerdicts {
                state: open(),
                event: open(),
                ioco: open(),
            });
        }
    };
    let search = MutantComparison {
        mutant,
        original,
        budget,
    };
    let sound = |found: Result<Killed, Open>| {
        let found = found.and_then(|killed| search.original.sound(search.mutant.sound(killed)?));
        found.unwrap_or_else(Killed::Open)
    };
    Ok(ActionVerdicts {
        state: sound(search.by_states()),
        event: sound(search.by_traces(SeenEvents::Events)),
        ioco: sound(search.by_traces(SeenEvents::Outputs)),
    })
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum SeenEvents {
    Events,
    /// Outputs and silences, after inputs that the original takes.
    Outputs,
}

/// The states that the original can be in.
pub(super) type StateSet = BTreeSet<Values>;

/// The step that reached a node: its predecessor and the event; `None` for the node where the search began.
pub(super) type EventPredecessor = Option<(usize, Event)>;

struct MutantComparison<'a> {
    mutant: Normal<'a>,
    original: Normal<'a>,
    budget: &'a Budget,
}

impl MutantComparison<'_> {
    /// The events of both systems to consider in a state of the mutant beside some of the original.
    fn events(&self, own: &Values, others: &StateSet) -> Result<Vec<Event>, Open> {
        let actions: BTreeSet<ActionKey<'_>> = self.mutant.actions().chain(self.original.actions()).collect();
        let events = actions
            .into_iter()
            .map(|action| self.original.events_beside(&self.mutant, action, own, others));
        Ok(events.collect::<Result<Vec<_>, _>>()?.concat())
    }
    fn check(&self, n: usize) -> Result<(), Open> {
        match self.budget.exceeded(n as u64, 200 * n as u64) {
            Some(reason) => Err(Open::Limit(reason)),
            None => Ok(()),
        }
    }

    /// Searches the original breadth first for an unsafe state. Every action is tried in every state.
    ///
    /// A step is a run of the loop. From every state in which a run begins, the runs of the mutant are followed beside
    /// the runs of the original with the same events; states between two actions of a run are hidden.
    fn by_states(&self) -> Result<Killed, Open> {
        let start = self.original.start();
        let mut met: FxHashSet<Values> = FxHashSet::from_iter([start.clone()]);
        let mut followed: FxHashSet<(Values, StateSet)> = FxHashSet::default();
        // A node is a state of the original, or a state of the mutant within a run, with the states of the original
        // beside it.
        let mut nodes: Vec<(Values, Option<StateSet>, EventPredecessor)> = vec![(start, None, None)];
        let mut at = 0;
        while at < nodes.len() {
            let (own, run, _) = nodes[at].clone();
            let is_reached = run.is_none();
            let others = run.unwrap_or_else(|| StateSet::from([own.clone()]));
            for event in self.events(&own, &others)? {
                let allowed = self.original.after_event(&event, &others);
                if !is_reached || !self.original.is_between(&own) {
                    for next in self.mutant.after_event(&event, &StateSet::from([own.clone()])) {
                        let is_between = self.mutant.is_between(&next);
                        let mut same = allowed.clone();
                        same.retain(|other| match is_between {
                            true => self.original.is_between(other),
                            false => *other == next,
                        });
                        if same.is_empty() {
                            return Ok(Killed::Yes(trace_to(|at| nodes[at].2.clone(), Some((at, event)))));
                        }
                        if is_between && followed.insert((next.clone(), same.clone())) {
                            nodes.push((next, Some(same), Some((at, event.clone()))));
                        }
                    }
                }
                for next in allowed.into_iter().filter(|_| is_reached) {
                    if met.insert(next.clone()) {
                        nodes.push((next, None, Some((at, event.clone()))));
                    }
                }
                self.check(nodes.len())?;
            }
            at += 1;
        }
        Ok(Killed::No)
    }

    /// Searches breadth first over a state of the mutant and all states that the original can be in after the same
    /// events.
    fn by_traces(&self, seen: SeenEvents) -> Result<Killed, Open> {
        let start = self.original.start();
        let start = (start.clone(), StateSet::from([start]));
        let mut met: FxHashMap<Values, Vec<StateSet>> = FxHashMap::default();
        let mut nodes: Vec<((Values, StateSet), EventPredecessor)> = vec![(start.clone(), None)];
        met.entry(start.0).or_default().push(start.1);
        let mut at = 0;
        while at < nodes.len() {
            let (own, others) = nodes[at].0.clone();
            let mut steps: Vec<(Event, BTreeSet<Values>, StateSet)> = Vec::new();
            let events = self.events(&own, &others)?;
            for event in &events {
                let mine = self.mutant.after_event(event, &StateSet::from([own.clone()]));
                if !mine.is_empty() {
                    steps.push((event.clone(), mine, self.original.after_event(event, &others)));
                }
            }
            if seen == SeenEvents::Outputs && !steps.iter().any(|(event, ..)| self.is_output(event)) {
                let silent = Event {
                    action: SILENCE.to_owned(),
                    values: Vec::new(),
                };
                steps.push((silent, BTreeSet::from([own.clone()]), self.silent(&others)?));
            }
            for (event, mine, theirs) in steps {
                if theirs.is_empty() {
                    // `ioco` leaves the reaction to an unspecified input to the implementation.
                    if seen == SeenEvents::Outputs && !self.is_output(&event) && event.action != SILENCE {
                        continue;
                    }
                    return Ok(Killed::Yes(trace_to(|at| nodes[at].1.clone(), Some((at, event)))));
                }
                for next in mine {
                    let known = met.entry(next.clone()).or_default();
                    // Fewer states of the original allow fewer events; but they also take fewer inputs, after which `ioco` stops.
                    let covers = |known: &StateSet| match seen {
                        SeenEvents::Events => known.is_subset(&theirs),
                        SeenEvents::Outputs => *known == theirs,
                    };
                    if !known.iter().any(covers) {
                        known.push(theirs.clone());
                        nodes.push(((next, theirs.clone()), Some((at, event.clone()))));
                    }
                }
                self.check(nodes.len())?;
            }
            at += 1;
        }
        Ok(Killed::No)
    }
    fn is_output(&self, event: &Event) -> bool {
        !self.original.system.inputs.contains(&event.action) && event.action != SILENCE
    }
    /// The states of the original without an output.
    fn silent(&self, states: &StateSet) -> Result<StateSet, Open> {
        let mut silent = StateSet::new();
        for state in states {
            let here = StateSet::from([state.clone()]);
            // For the original alone, its own events suffice.
            let events = self.events(state, &here)?;
            let speaks = |event: &Event| self.is_output(event) && !self.original.after_event(event, &here).is_empty();
            if !events.iter().any(speaks) {
                silent.insert(state.clone());
            }
        }
        Ok(silent)
    }
}

/// The events on the way to `last`, including it; `before` gives the predecessor of a node.
pub(super) fn trace_to(before: impl Fn(usize) -> EventPredecessor, mut last: EventPredecessor) -> Vec<Event> {
    let mut trace = Vec::new();
    while let Some((at, event)) = last {
        trace.push(event);
        last = before(at);
    }
    trace.reverse();
    trace
}

/// The states that an action system reaches, each with the number of its steps. If the loop is not a choice, states
/// between two actions of a run are included; states then end in their position.
///
/// # Errors
/// The question that is open.
pub fn reach(system: &ActionSystem, budget: &Budget) -> Result<BTreeMap<Values, usize>, Open> {
    reach_with(system, budget, &mut |_, _| {})
}

/// The states that an action system reaches; `visit` receives every class of events to consider in some state, with the
/// number of values that each parameter has in it.
pub(super) fn reach_with(
    system: &ActionSystem,
    budget: &Budget,
    visit: &mut dyn FnMut(&Event, &[i128]),
) -> Result<BTreeMap<Values, usize>, Open> {
    let normal = Normal::of(system)?;
    let mut found: BTreeMap<Values, usize> = BTreeMap::from([(normal.start(), 0)]);
    let mut agenda = vec![normal.start()];
    let mut at = 0;
    while at < agenda.len() {
        let state = agenda[at].clone();
        let mut n_steps = 0;
        for action in normal.actions() {
            let mut cuts = Cuts::new(action.arity);
            normal.cut(action, &state, &mut cuts);
            let is_enabled = |values: &[i64]| !normal.after(action, values, &state).is_empty();
            for (values, sizes) in cuts.values(is_enabled)? {
                let after = normal.after(action, &values, &state);
                let action = action.name.to_owned();
                visit(&Event { action, values }, &sizes);
                n_steps += after.len();
                for next in after {
                    if !found.contains_key(&next) {
                        found.insert(next.clone(), 0);
                        agenda.push(next);
                    }
                }
            }
        }
        found.insert(state, n_steps);
        if let Some(reason) = budget.exceeded(agenda.len() as u64, 200 * agenda.len() as u64) {
            return Err(Open::Limit(reason));
        }
        at += 1;
    }
    normal.sound(found)
}

//! All configurations of a chart, and its macrosteps between them.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::chart::{Chart, ChartAction, Dialect, Pending, Timer};
use super::data::{LARGEST, Variable};
use super::macrostep::{Asked, ChartStatus, Configuration, MOST_SLOTS, Macrostep, Refused, Trigger, Values, macrostep};
use tamper_text::{Diagnostic, Span};

/// Most configurations of a chart, most steps between them, and most ways in which guards may decide one macrostep.
const MOST_CONFIGURATIONS: usize = 2_000;
const MOST_STEPS: usize = 20_000;
const MOST_BRANCHES: usize = 256;

/// The machine before it starts, which is the first one, and its configurations between macrosteps.
#[derive(PartialEq, Eq)]
pub(super) struct Unfolded {
    pub events: Vec<String>,
    pub configurations: Vec<Configuration>,
    pub steps: Vec<ChartStep>,
    /// Per configuration: the guards that decide what happens next.
    pub read: Vec<BTreeSet<usize>>,
}

/// A macrostep of a chart under values of the guards that it reads.
#[derive(PartialEq, Eq)]
pub(super) struct ChartStep {
    pub source: usize,
    pub target: usize,
    pub trigger: Trigger,
    pub values: Values,
    pub outputs: Vec<String>,
    /// The clocks that start.
    pub started: BTreeSet<Pending>,
    pub assigns: bool,
    pub place: Span,
}

/// Why a chart is not unfolded.
pub(super) enum Stop {
    Refused(Diagnostic),
    /// A variable has too many values, for this reason.
    Data(usize, String),
}

/// The events that the environment sends: those that transitions wait for and the chart does not raise; for each descriptor with a
/// `*` also one that no other descriptor names.
pub(super) fn events(chart: &Chart) -> Vec<String> {
    let mut names = BTreeSet::new();
    let raised: BTreeSet<&str> = chart
        .actions()
        .into_iter()
        .filter_map(|action| match action {
            ChartAction::Raise(event) | ChartAction::Queue(event) | ChartAction::Later(event) => Some(event.as_str()),
            ChartAction::Send(sender) if !chart.sends[*sender].is_output => {
                Some(chart.sends[*sender].timer.event.as_str())
            }
            _ => None,
        })
        .collect();
    let on = || chart.states.iter().flat_map(|state| &state.on);
    let is_named = |event: &str| on().any(|(descriptor, _)| descriptor == event);
    let mut events = Vec::new();
    for (descriptor, _) in on() {
        if chart.dialect.is_own(descriptor) || raised.contains(descriptor.as_str()) || !names.insert(descriptor) {
            continue;
        }
        let event = match descriptor.strip_suffix('*') {
            Some(start) => {
                let mut other = format!("{start}other");
                while is_named(&other) {
                    other.push('_');
                }
                other
            }
            None => descriptor.clone(),
        };
        events.push(event);
    }
    events
}

/// The chart with its configurations, if nothing is wrong with it.
pub(super) fn unfolded(chart: Chart, found: &mut Vec<Diagnostic>) -> Option<(Chart, Unfolded)> {
    match Unfolded::of(&chart, events(&chart), found) {
        Ok(unfolded) => Some((chart, unfolded)),
        Err(Stop::Refused(error)) => {
            found.push(error);
            None
        }
        Err(Stop::Data(..)) => None,
    }
}

impl Unfolded {
    /// `events` are those that the environment sends.
    pub fn of(chart: &Chart, events: Vec<String>, found: &mut Vec<Diagnostic>) -> Result<Self, Stop> {
        let is_order_seen = match chart.dialect {
            Dialect::XState4 => true,
            Dialect::XState5 => chart.states.iter().any(|state| !state.always.is_empty()),
            Dialect::Scxml => false,
        };
        let mut unfolded = Self {
            events,
            configurations: vec![Configuration {
                data: chart.data.iter().map(|variable| variable.initial).collect(),
                ..Configuration::default()
            }],
            steps: Vec::new(),
            read: Vec::new(),
        };
        let mut known = BTreeMap::new();
        let mut seen = vec![BTreeSet::new(); chart.data.len()];
        let mut hangs = None;
        let mut work = 0;
        let mut at = 0;
        while at < unfolded.configurations.len() {
            let from = unfolded.configurations[at].clone();
            let mut read = BTreeSet::new();
            for trigger in triggers(chart, &unfolded.events, &from, at == 0) {
                let follow = |values: &Values| macrostep(chart, &from, &trigger, values, &mut work);
                let Some(branches) = branches(follow) else {
                    let error = too_large(chart, "ways in which guards decide one step", MOST_BRANCHES);
                    return Err(Stop::Refused(error));
                };
                read.extend(branches.iter().flat_map(|(values, _)| values.keys().copied()));
                for (values, mut step) in branches {
                    in_order(chart, &mut step);
                    if !is_order_seen {
                        step.target.active.sort_unstable();
                    }
                    let place = step.place.unwrap_or(match &trigger {
                        Trigger::Timer(due) => chart.timer(*due).place,
                        _ => chart.states[0].place,
                    });
                    if let Some(why) = step.refused {
                        return Err(refusal(chart, why, place, &unfolded.way(chart, at, &trigger)));
                    }
                    if step.target.status == ChartStatus::Hanging {
                        hangs = hangs.or(Some(place));
                        step = hanging(step);
                    }
                    let is_nothing =
                        step.target == from && step.outputs.is_empty() && step.started.is_empty() && !step.assigns;
                    if is_nothing && matches!(trigger, Trigger::Event(_)) {
                        continue;
                    }
                    let next = unfolded.configurations.len();
                    let target = *known.entry(step.target.clone()).or_insert(next);
                    if target == next {
                        for (at, value) in step.target.data.iter().enumerate() {
                            seen[at].insert(*value);
                            let most = chart.data[at].most;
                            if seen[at].len() > most {
                                let why = format!("of more than {most} values: tamper:range may allow more");
                                return Err(Stop::Data(at, why));
                            }
                        }
                        unfolded.configurations.push(step.target);
                    }
                    unfolded.steps.push(ChartStep {
                        source: at,
                        target,
                        trigger: trigger.clone(),
                        values,
                        outputs: step.outputs,
                        started: step.started,
                        assigns: step.assigns,
                        place,
                    });
                }
            }
            unfolded.read.push(read);
            let is_long = unfolded.steps.len() > MOST_STEPS || work > 10 * MOST_STEPS;
            let (what, most) = match is_long {
                true => ("steps between its configurations", MOST_STEPS),
                false => ("configurations", MOST_CONFIGURATIONS),
            };
            if is_long || unfolded.configurations.len() > most {
                let widest = (0..seen.len()).max_by_key(|at| seen[*at].len());
                return Err(match widest.filter(|at| seen[*at].len() > 1) {
                    Some(at) => Stop::Data(at, format!("what makes more than {most} {what}")),
                    None => Stop::Refused(too_large(chart, what, most)),
                });
            }
            at += 1;
        }
        if let Some(place) = hangs {
            let warning = Diagnostic::warning("a macrostep that begins here may never end: the machine hangs", place);
            found.push(warning.with_help("let each circle of `always` and raised events end, whatever its guards say"));
        }
        Ok(unfolded)
    }

    /// The events that first lead to a configuration, and the trigger behind it, for a reader.
    fn way(&self, chart: &Chart, to: usize, trigger: &Trigger) -> String {
        let said = |trigger: &Trigger| match trigger {
            Trigger::Start => "the start".to_owned(),
            Trigger::Event(event) => event.clone(),
            Trigger::Timer(due) => chart.timer(*due).event.clone(),
            Trigger::Done(state, number) | Trigger::Error(state, number) => {
                chart.dialect.done(&chart.states[*state].invokes[*number])
            }
        };
        let (mut words, mut at) = (vec![said(trigger)], to);
        while let Some(step) = self.steps.iter().find(|step| step.target == at && at != 0) {
            words.push(said(&step.trigger));
            at = step.source;
        }
        words.reverse();
        words.join(", ")
    }
}

/// What is seen of a macrostep that does not end: nothing.
fn hanging(step: Macrostep) -> Macrostep {
    Macrostep {
        target: Configuration {
            status: ChartStatus::Hanging,
            ..Configuration::default()
        },
        outputs: Vec::new(),
        started: BTreeSet::new(),
        assigns: false,
        place: step.place,
        refused: None,
    }
}

fn refusal(chart: &Chart, why: Refused, place: Span, way: &str) -> Stop {
    Stop::Refused(match why {
        Refused::Again(state) => {
            let id = &chart.states[state].id;
            let message = format!(
                "what begins here enters `{id}` while it is active: xstate then has its timers and actors twice"
            );
            Diagnostic::error(message, place)
                .with_help("write \"reenter\": true in the transition, or enter a state within it")
        }
        Refused::Torn(state) => {
            let id = &chart.states[state].id;
            let (message, help) = match chart.dialect {
                Dialect::XState4 => (
                    format!(
                        "xstate 4 takes two transitions here that enter different states of `{id}`, and is in both"
                    ),
                    "give the regions different events, or guards that do not hold together",
                ),
                _ => (
                    format!(
                        "xstate 5 goes from a region to a history beside it here, and is then in two states of `{id}`"
                    ),
                    "begin the transition outside the parallel state, or name the states that it enters",
                ),
            };
            Diagnostic::error(message, place).with_help(help)
        }
        Refused::Endless(history) => {
            let id = &chart.states[history].id;
            let message = format!("what is entered here does not end: the history `{id}` stands for itself");
            Diagnostic::error(message, place).with_help("enter a state by default, and give the history a target")
        }
        Refused::Outside(variable, value, set) => {
            let Variable { name, place, range, .. } = &chart.data[variable];
            let (low, high) = range.unwrap_or_default();
            let message = format!("`{name}` becomes {value} here, outside of its range {low}..{high}");
            let error = Diagnostic::error(message, set).with_secondary(*place, "its range");
            error.with_help(format!("that is after {way}: widen the range, or ask before"))
        }
        Refused::Inexact(variable) => {
            return Stop::Data(variable, format!("larger than {LARGEST}, or in a long circle"));
        }
        Refused::TooMany(sender) => {
            let Timer { event, place, .. } = &chart.sends[sender].timer;
            let message =
                format!("more than {MOST_SLOTS} of the event `{event}` that is sent here may be pending at once");
            Diagnostic::error(message, *place)
                .with_help("give it an id and cancel that when its state is left, or before it is sent again")
        }
    })
}

fn too_large(chart: &Chart, what: &str, most: usize) -> Diagnostic {
    let message = format!("the chart has more than {most} {what}");
    Diagnostic::error(message, chart.states[0].place)
        .with_help("split it, or leave out regions and guards that do not matter")
}

/// What may happen next.
fn triggers(chart: &Chart, events: &[String], from: &Configuration, is_first: bool) -> Vec<Trigger> {
    if is_first {
        return vec![Trigger::Start];
    }
    if from.status != ChartStatus::Active {
        return Vec::new();
    }
    let events = events.iter().map(|event| Trigger::Event(event.clone()));
    let timers = from.timers.iter().map(|pending| Trigger::Timer(*pending));
    let invoked = from.invoked.iter();
    let invoked = invoked.flat_map(|(state, number)| [Trigger::Done(*state, *number), Trigger::Error(*state, *number)]);
    // In SCXML it is events of any name that say that an invoked service has failed.
    let is_known = |trigger: &Trigger| chart.dialect != Dialect::Scxml || !matches!(trigger, Trigger::Error(..));
    events.chain(timers).chain(invoked.filter(is_known)).collect()
}

/// What follows from each way in which the guards that are read decide it; `None` if these are too many.
fn branches<T>(mut follow: impl FnMut(&Values) -> Result<T, Asked>) -> Option<Vec<(Values, T)>> {
    let mut all = Vec::new();
    let mut open = vec![Values::new()];
    while let Some(values) = open.pop() {
        match follow(&values) {
            Ok(step) => all.push((values, step)),
            Err(Asked(guard)) => {
                for value in [false, true] {
                    let mut more = values.clone();
                    more.insert(guard, value);
                    open.push(more);
                }
            }
        }
        if all.len() + open.len() > MOST_BRANCHES {
            return None;
        }
    }
    Some(all)
}

/// The place where one file first means something else as `chart` than as `other`, the same file in another dialect.
pub(super) fn first_difference(chart: &Chart, other: &Chart) -> Option<Span> {
    let events = events(chart);
    let mut known = BTreeSet::from([(Configuration::default(), Configuration::default())]);
    let mut open: VecDeque<_> = known.iter().cloned().collect();
    let mut work = 0;
    while let Some((from, from_other)) = open.pop_front() {
        for trigger in triggers(chart, &events, &from, known.len() == 1) {
            let pairs = branches(|values| {
                let step = macrostep(chart, &from, &trigger, values, &mut work)?;
                Ok((step, macrostep(other, &from_other, &trigger, values, &mut work)?))
            });
            let Some(pairs) = pairs.filter(|_| work < 20 * MOST_STEPS) else {
                return Some(chart.states[0].place);
            };
            for (_, (mut step, mut step_of_other)) in pairs {
                for step in [&mut step, &mut step_of_other] {
                    in_order(chart, step);
                }
                let seen = |step: &Macrostep| {
                    let Macrostep {
                        target,
                        outputs,
                        started,
                        assigns,
                        refused,
                        ..
                    } = step.clone();
                    let remains = (target.timers, target.invoked, target.status);
                    (remains, outputs, started, assigns, refused)
                };
                let both_hang = [&step, &step_of_other]
                    .iter()
                    .all(|step| step.target.status == ChartStatus::Hanging);
                if !both_hang && seen(&step) != seen(&step_of_other) {
                    let place = step.place.or(step_of_other.place);
                    return place.or(Some(chart.states[0].place));
                }
                let pair = (step.target, step_of_other.target);
                if known.insert(pair.clone()) {
                    open.push_back(pair);
                }
            }
        }
    }
    None
}

/// Timers of one delay stay in the order in which they were set.
fn in_order(chart: &Chart, step: &mut Macrostep) {
    step.target.timers.sort_by_key(|pending| chart.timer(*pending).delay);
}

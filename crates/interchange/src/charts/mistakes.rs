//! Mistakes in a chart, in its own words: each makes another chart.

use super::boxes::hierarchy;
use super::chart::{Chart, ChartAction, ChartTransition, GuardTerm, Sender, StateKind, Timer};
use super::spell::{Names, spell};
use super::unfold::{Unfolded, events};
use tamper_text::{Diagnostic, SourceFile, Span};
use tamper_timed::model::{Automaton, Variant};
use tamper_uppaal::{ReadOptions, read_behind};

/// Most steps of all charts with a mistake together, if each had as many as the chart.
const MOST_STEPS: usize = 300_000;

/// What makes a chart with a mistake of one without.
type Change<'c> = Box<dyn FnOnce(&mut Chart) + 'c>;

/// One mistake in a chart.
struct Mistake<'c> {
    operator: &'static str,
    name: String,
    summary: String,
    place: Span,
    change: Change<'c>,
}

/// What the mistakes in a chart are made from.
pub(super) struct Original {
    pub file: SourceFile,
    pub options: ReadOptions,
    pub chart: Chart,
    pub unfolded: Unfolded,
    pub names: Names,
    pub game: Automaton,
}

impl Original {
    /// The games of charts with one mistake, but those that have no exact meaning, and those that are the same game.
    pub fn variants(self) -> Vec<Variant<Automaton>> {
        let mistakes = all(&self.chart, usize::MAX).into_iter();
        mistakes.filter_map(|mistake| self.variant(mistake)).collect()
    }

    fn variant(&self, mistake: Mistake<'_>) -> Option<Variant<Automaton>> {
        let mut chart = self.chart.clone();
        (mistake.change)(&mut chart);
        // It is the chart without the mistake that promises ranges.
        chart.data.iter_mut().for_each(|variable| variable.range = None);
        let unfolded = Unfolded::of(&chart, self.unfolded.events.clone(), &mut Vec::new()).ok()?;
        // The names of timers are numbers, which mean another delay where a timer is missing.
        let is_timed = ["DLO", "DSH", "DMI", "TNC"].contains(&mistake.operator);
        if !is_timed && unfolded == self.unfolded {
            return None;
        }
        let mut names = self.names.clone();
        let raw = spell(&chart, &unfolded, &mut names);
        let boxes = hierarchy(&chart, &unfolded, &raw);
        let (document, _) = read_behind(self.file.clone(), raw, Vec::new(), &self.options).ok()?;
        let game = names
            .scripted(document.automata().first()?.clone())
            .with_hierarchy(Some(boxes));
        (game != self.game).then(|| Variant {
            operator: mistake.operator,
            name: mistake.name.into(),
            summary: mistake.summary.into(),
            place: mistake.place,
            game,
        })
    }
}

/// A warning that games of mistakes are not made, since there are too many steps in all of them.
pub(super) fn too_many(chart: &Chart, unfolded: &Unfolded) -> Option<Diagnostic> {
    let n_steps = unfolded.steps.len().max(1);
    let most = MOST_STEPS / n_steps;
    let is_too_large = all(chart, most).len() > most;
    let message = format!(
        "the chart is too large for mistakes in its own words: more than {most} charts with {n_steps} steps each"
    );
    let warning = Diagnostic::warning(message, chart.states[0].place);
    is_too_large.then(|| warning.with_help("operators like DLO and TGE make no mutants of it; those of games do"))
}

/// The transitions of a state, by what they wait for.
fn lists(chart: &mut Chart, state: usize) -> Vec<&mut Vec<ChartTransition>> {
    let own = &mut chart.states[state];
    let on = own.on.iter_mut().map(|(_, transitions)| transitions);
    on.chain([&mut own.always]).collect()
}

/// All mistakes, operator by operator within a state; no more states are looked at once there are more than `most`.
fn all(chart: &Chart, most: usize) -> Vec<Mistake<'_>> {
    let is_named = |event: &String| {
        let mut on = chart.states.iter().flat_map(|state| &state.on);
        on.any(|(descriptor, _)| descriptor == event)
    };
    let mut mistakes = Mistakes {
        chart,
        events: events(chart).into_iter().filter(is_named).collect(),
        found: Vec::new(),
    };
    for sender in 0..chart.sends.len() {
        mistakes.of_sender(sender);
    }
    for state in 0..chart.states.len() {
        if mistakes.found.len() > most {
            break;
        }
        mistakes.of_state(state);
    }
    mistakes.found
}

struct Mistakes<'c> {
    chart: &'c Chart,
    /// The events of the environment that have names.
    events: Vec<String>,
    found: Vec<Mistake<'c>>,
}

impl<'c> Mistakes<'c> {
    fn add(
        &mut self,
        operator: &'static str,
        name: String,
        summary: String,
        place: Span,
        change: impl FnOnce(&mut Chart) + 'c,
    ) {
        self.found.push(Mistake {
            operator,
            name,
            summary,
            place,
            change: Box::new(change),
        });
    }

    /// An event that is sent comes later, and earlier.
    fn of_sender(&mut self, sender: usize) {
        let Timer { event, delay, place } = &self.chart.sends[sender].timer;
        let changes = [("DLO", delay + 1, "longer"), ("DSH", delay - 1, "shorter")];
        for (operator, new, word) in changes.into_iter().filter(|(_, new, _)| *new >= 0) {
            let summary = format!("makes the delay of {delay} of the event {event} {word} by 1");
            self.add(
                operator,
                format!("send:{sender}:{event}:{delay}=>{new}"),
                summary,
                *place,
                move |chart| {
                    chart.sends[sender].timer.delay = new;
                },
            );
        }
    }

    fn of_state(&mut self, state: usize) {
        let own = &self.chart.states[state];
        for (number, timer) in own.timers.iter().enumerate() {
            let (id, delay, place) = (&own.id, timer.delay, timer.place);
            let name = |new: &str| format!("{id}:{number}:{delay}=>{new}");
            let change = |new: i64| move |chart: &mut Chart| chart.states[state].timers[number].delay = new;
            let longer = format!("makes the delay of {delay} in {id} longer by 1");
            self.add("DLO", name(&(delay + 1).to_string()), longer, place, change(delay + 1));
            if delay > 0 {
                let shorter = format!("makes the delay of {delay} in {id} shorter by 1");
                self.add("DSH", name(&(delay - 1).to_string()), shorter, place, change(delay - 1));
            }
            if own.parent.is_some() {
                let lasting = format!("does not cancel the timer of {delay} when {id} is left");
                self.add("TNC", name("lasting"), lasting, place, move |chart| {
                    let own = &mut chart.states[state];
                    let timer = own.timers.remove(number);
                    own.entry.push(ChartAction::Send(chart.sends.len()));
                    chart.sends.push(Sender {
                        timer,
                        id: None,
                        is_output: false,
                    });
                });
            }
            let missing = format!("never sets the timer of {delay} in {id}");
            self.add("DMI", name("never"), missing, place, move |chart| {
                chart.states[state].timers.remove(number);
            });
        }
        for (which, actions) in [("entry", &own.entry), ("exit", &own.exit)] {
            for (at, action) in actions.iter().enumerate() {
                let (what, id) = (self.chart.name(action), &own.id);
                let summary = format!("leaves out {what} at the {which} of {id}");
                self.add(
                    "ACM",
                    format!("{id}:{which}:{at}:{what}"),
                    summary,
                    own.place,
                    move |chart| {
                        let own = &mut chart.states[state];
                        let actions = if which == "entry" {
                            &mut own.entry
                        } else {
                            &mut own.exit
                        };
                        actions.remove(at);
                    },
                );
            }
        }
        let on = own
            .on
            .iter()
            .map(|(event, transitions)| (shown(event, &own.id), transitions));
        let lists: Vec<_> = on.chain([("always".to_owned(), &own.always)]).collect();
        for (list, (event, transitions)) in lists.iter().enumerate() {
            // Several elements of SCXML may wait for one event.
            let same = lists[..list].iter().filter(|(other, _)| other == event);
            let n_before: usize = same.map(|(_, transitions)| transitions.len()).sum();
            for (at, transition) in transitions.iter().enumerate() {
                let name = format!("{}:{event}#{}", own.id, n_before + at);
                self.of_transition([state, list, at], name, event, transition);
            }
        }
        if own.parent.is_some() && matches!(own.kind, StateKind::Atomic | StateKind::Compound | StateKind::Parallel) {
            self.begun_anew(state);
        }
    }

    /// The state is entered again at each event that it does not wait for.
    fn begun_anew(&mut self, state: usize) {
        let own = &self.chart.states[state];
        for event in self.events.clone() {
            if own.on.iter().any(|(descriptor, _)| *descriptor == event) {
                continue;
            }
            let (id, place) = (&own.id, own.place);
            let summary = format!("enters {id} again at {event}");
            let anew = ChartTransition {
                source: state,
                targets: Some(vec![state]),
                guard: None,
                reenter: true,
                actions: Vec::new(),
                place,
            };
            let mut around = self.chart.around(state, None).into_iter();
            let handled = around.find_map(|at| {
                let mut on = self.chart.states[at].on.iter();
                on.find(|(descriptor, _)| *descriptor == event)
            });
            // What a state around it does without leaving anything, it does as well.
            let anew = match handled {
                Some((_, transitions)) if transitions.iter().all(|other| other.targets.is_none()) => {
                    let copied = transitions.iter().map(|other| ChartTransition {
                        guard: other.guard.clone(),
                        actions: other.actions.clone(),
                        ..anew.clone()
                    });
                    copied.collect()
                }
                _ => vec![anew],
            };
            self.add("REA", format!("{id}:{event}"), summary, place, move |chart| {
                chart.states[state].on.push((event.clone(), anew));
            });
        }
    }

    fn of_transition(
        &mut self,
        [state, list, at]: [usize; 3],
        name: String,
        event: &str,
        transition: &ChartTransition,
    ) {
        let chart = self.chart;
        let (id, place) = (&chart.states[state].id, transition.place);
        let said = format!("the transition of {id} at {event}");
        let change = |change: &dyn Fn(&mut ChartTransition)| {
            let mut changed = transition.clone();
            change(&mut changed);
            move |chart: &mut Chart| lists(chart, state)[list][at] = changed
        };
        self.add("TRM", name.clone(), format!("leaves out {said}"), place, move |chart| {
            lists(chart, state)[list].remove(at);
        });
        if let Some(guard) = &transition.guard {
            let negated = change(&|transition| transition.guard = Some(GuardTerm::Not(Box::new(guard.clone()))));
            self.add(
                "GNE",
                name.clone(),
                format!("negates the guard of {said}"),
                place,
                negated,
            );
        }
        for (number, action) in transition.actions.iter().enumerate() {
            let what = chart.name(action);
            let without = change(&|transition| {
                transition.actions.remove(number);
            });
            let summary = format!("leaves out {what} of {said}");
            self.add("ACM", format!("{name}:{number}:{what}"), summary, place, without);
        }
        if let Some([target]) = transition.targets.as_deref() {
            let (target, parent) = (*target, chart.states[*target].parent);
            for other in parent.into_iter().flat_map(|parent| &chart.states[parent].children) {
                if *other != target {
                    let to = &chart.states[*other].id;
                    let elsewhere = change(&|transition| transition.targets = Some(vec![*other]));
                    self.add(
                        "TGE",
                        format!("{name}:=>{to}"),
                        format!("leads {said} to {to}"),
                        place,
                        elsewhere,
                    );
                }
            }
            if let Some(parent) = parent.filter(|_| chart.is_history(target)) {
                let anew = change(&|transition| transition.targets = Some(vec![parent]));
                let summary = format!("lets {said} forget what was active in {}", chart.states[parent].id);
                self.add("HDR", name.clone(), summary, place, anew);
            }
        }
        let enters = transition.reenter && transition.targets.is_some();
        let flipped = change(&|transition| {
            transition.reenter = !enters;
            transition.targets.get_or_insert_with(|| vec![state]);
        });
        let word = if enters { "does not let" } else { "lets" };
        let summary = format!("{word} {said} enter its own state again");
        self.add("REE", name.clone(), summary, place, flipped);
        let is_own = list == chart.states[state].on.len() || chart.dialect.is_own(&chart.states[state].on[list].0);
        if let Some(around) = chart.states[state].parent.filter(|_| !is_own) {
            let mut moved = transition.clone();
            moved.source = around;
            let summary = format!("lets {} have {said}", chart.states[around].id);
            let descriptor = chart.states[state].on[list].0.clone();
            self.add("LVL", name, summary, place, move |chart| {
                lists(chart, state)[list].remove(at);
                let on = &mut chart.states[around].on;
                match on.iter_mut().find(|(known, _)| *known == descriptor) {
                    Some((_, transitions)) => transitions.push(moved),
                    None => on.push((descriptor, vec![moved])),
                }
            });
        }
    }
}

/// An event as the file says it.
fn shown(event: &str, id: &str) -> String {
    let own = event.strip_prefix("xstate.").unwrap_or(event);
    let own = own
        .strip_suffix(id)
        .and_then(|own| own.strip_suffix('.'))
        .unwrap_or(own);
    own.to_owned()
}

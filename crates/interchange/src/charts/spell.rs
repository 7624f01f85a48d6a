//! The configurations of a chart as the locations of a timed game.

use std::collections::{BTreeMap, BTreeSet};

use super::chart::{Chart, Pending};
use super::macrostep::{ChartStatus, Trigger};
use super::unfold::{ChartStep, Unfolded, events};
use super::values::value;
use crate::tchecker::fresh;
use tamper_text::{Span, Text};
use tamper_timed::model::{Automaton, IntId};
use tamper_uppaal::{RawEdge, RawFile, RawLocation, RawTemplate, RawText, location_id};

/// What a name stands for.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Named {
    Input(String),
    Output(String),
    Clock(Pending),
    Guard(usize),
    /// Whether a timer has read the guard since it may have changed.
    IsRead(usize),
}

/// The names that the game has for parts of the chart.
#[derive(Clone, Default)]
pub(super) struct Names {
    taken: BTreeSet<String>,
    names: BTreeMap<Named, String>,
    /// In the order in which they are declared.
    order: Vec<Named>,
}

impl Names {
    /// The game with its variables for guards, which stand for data.
    pub fn scripted(&self, game: Automaton) -> Automaton {
        let guards = self.names.iter().filter(|(what, _)| matches!(what, Named::Guard(_)));
        let ints = guards.filter_map(|(_, name)| {
            let mut ints = game.ints().iter_enumerated();
            ints.find(|(_, int)| *int.name == **name).map(|(id, _)| id)
        });
        let ints: Vec<IntId> = ints.collect();
        game.with_scripted(ints)
    }

    /// The name of `what`, as similar to `text` as possible.
    fn of(&mut self, what: Named, text: &str) -> String {
        if let Some(known) = self.names.get(&what) {
            return known.clone();
        }
        let name = identifier(text, &mut self.taken);
        self.order.push(what.clone());
        self.names.insert(what, name.clone());
        name
    }
}

/// A name without what is around words of `text`.
fn identifier(text: &str, taken: &mut BTreeSet<String>) -> String {
    let words = text
        .split(|c: char| !c.is_ascii_alphanumeric() && c != '_')
        .filter(|word| !word.is_empty());
    let text = words.collect::<Vec<_>>().join("_");
    let text = if text.starts_with(|c: char| c.is_ascii_digit()) || text.is_empty() {
        format!("_{text}")
    } else {
        text
    };
    fresh(&text, taken)
}

/// The game of a chart, while its parts are added.
struct Game<'c> {
    chart: &'c Chart,
    unfolded: &'c Unfolded,
    names: Names,
    /// The guards that timers read.
    by_timers: BTreeSet<usize>,
    template: RawTemplate,
    location_names: BTreeSet<String>,
    /// The locations of outputs that are still to come, by the configuration behind them.
    before: BTreeMap<(usize, Vec<String>), usize>,
}

/// The parts of a UPPAAL file that is equivalent to the chart. It has the names `known`, and more, which are added to them.
pub(super) fn spell(chart: &Chart, unfolded: &Unfolded, known: &mut Names) -> RawFile {
    let place = chart.states[0].place;
    let timed = unfolded
        .steps
        .iter()
        .filter(|step| matches!(step.trigger, Trigger::Timer(..)));
    let mut game = Game {
        chart,
        unfolded,
        by_timers: timed.flat_map(|step| step.values.keys().copied()).collect(),
        template: RawTemplate::new(None, place),
        names: std::mem::take(known),
        location_names: BTreeSet::new(),
        before: BTreeMap::new(),
    };
    game.declare();
    for at in 0..unfolded.configurations.len() {
        game.configuration(at);
    }
    for at in 0..unfolded.configurations.len() {
        game.guards_at(at);
    }
    for step in &unfolded.steps {
        game.step(step);
    }
    *known = game.names.clone();
    game.finish(place)
}

impl Game<'_> {
    /// Names inputs first, so that they look like the events.
    fn declare(&mut self) {
        for event in events(self.chart) {
            self.names.of(Named::Input(event.clone()), &event);
        }
        for (at, (guard, _)) in self.chart.guards.iter().enumerate() {
            self.names.of(Named::Guard(at), guard);
        }
        for (at, state) in self.chart.states.iter().enumerate() {
            if !state.timers.is_empty() {
                let clock = Pending::After { state: at, number: 0 };
                self.names
                    .of(Named::Clock(clock), &format!("since_{}", path(self.chart, at)));
            }
        }
        for pending in self.unfolded.configurations.iter().flat_map(|at| &at.timers) {
            if let Pending::Sent { .. } = pending {
                let event = &self.chart.timer(*pending).event;
                self.names.of(Named::Clock(*pending), &format!("since_sent_{event}"));
            }
        }
    }

    fn input(&mut self, name: &str) -> String {
        self.names.of(Named::Input(name.to_owned()), name)
    }

    fn clock(&self, pending: Pending) -> &str {
        &self.names.names[&Named::Clock(pending.clock())]
    }

    fn guard(&self, guard: usize) -> &str {
        &self.names.names[&Named::Guard(guard)]
    }

    fn is_read(&mut self, guard: usize) -> String {
        let name = format!("{}_is_read", self.guard(guard));
        self.names.of(Named::IsRead(guard), &name)
    }

    /// Adds a location and returns its position.
    fn location(&mut self, name: &str, place: Span) -> usize {
        let at = self.template.locations.len();
        let text = identifier(name, &mut BTreeSet::new());
        let mut unique = text.clone();
        let mut count = 1;
        while !self.location_names.insert(unique.clone()) {
            count += 1;
            unique = format!("{text}_{count}");
        }
        self.template
            .locations
            .push(RawLocation::new(at, RawText::made(&unique, place), place));
        at
    }

    /// The location of a configuration has its position.
    fn configuration(&mut self, at: usize) {
        let configuration = &self.unfolded.configurations[at];
        let name = match configuration.status {
            _ if at == 0 => "not_started".to_owned(),
            ChartStatus::Hanging => "hangs".to_owned(),
            ChartStatus::Failed => format!("{}_failed", value(self.chart, &configuration.active)),
            ChartStatus::Active | ChartStatus::Done => value(self.chart, &configuration.active),
        };
        let values = configuration.data.iter().zip(&self.chart.data);
        let said = values
            .filter(|_| at != 0)
            .map(|(value, variable)| format!(" {}_{value}", variable.name).replace('-', "minus_"));
        let name = said.fold(name, |name, value| name + &value);
        let innermost = configuration.active.iter().max().copied().unwrap_or(0);
        let location = self.location(&name, self.chart.states[innermost].place);
        let mut bounds: BTreeMap<Pending, i64> = BTreeMap::new();
        for pending in &configuration.timers {
            let delay = self.chart.timer(*pending).delay;
            bounds
                .entry(pending.clock())
                .and_modify(|bound| *bound = delay.min(*bound))
                .or_insert(delay);
        }
        let bounds = bounds
            .iter()
            .map(|(pending, bound)| format!("{} <= {bound}", self.clock(*pending)));
        let invariant = bounds.collect::<Vec<_>>().join(" && ");
        let place = self.template.locations[location].element;
        self.template.locations[location].invariant = RawText::made(&invariant, place);
        // Without a guard to set, the machine starts at once.
        self.template.locations[location].committed = at == 0 && self.unfolded.read[0].is_empty();
    }

    /// Inputs set the guards that are read next.
    fn guards_at(&mut self, at: usize) {
        for guard in self.unfolded.read[at].clone() {
            let (name, place) = self.chart.guards[guard].clone();
            let variable = self.guard(guard).to_owned();
            let is_free = match self.by_timers.contains(&guard) {
                true => format!(" && {} == 0", self.is_read(guard)),
                false => String::new(),
            };
            for (value, said) in [(1, "true"), (0, "false")] {
                let input = self.input(&format!("{name} {said}"));
                self.template.edges.push(RawEdge {
                    guard: RawText::made(&format!("{variable} == {}{is_free}", 1 - value), place),
                    sync: RawText::made(&format!("{input}?"), place),
                    update: RawText::made(&format!("{variable} = {value}"), place),
                    ..RawEdge::new(at, at, place)
                });
            }
        }
    }

    fn step(&mut self, step: &ChartStep) {
        let chart = self.chart;
        let mut outputs = Vec::new();
        for output in &step.outputs {
            outputs.push(self.names.of(Named::Output(output.clone()), output));
        }
        let input = match &step.trigger {
            Trigger::Start => (!self.unfolded.read[0].is_empty()).then(|| self.input("start")),
            Trigger::Event(event) => Some(self.input(event)),
            Trigger::Timer(..) => None,
            Trigger::Done(state, number) => {
                Some(self.input(&format!("done {}", chart.states[*state].invokes[*number])))
            }
            Trigger::Error(state, number) => {
                Some(self.input(&format!("error {}", chart.states[*state].invokes[*number])))
            }
        };
        let (sync, later) = match (input, outputs.split_first()) {
            (Some(input), _) => (Some(format!("{input}?")), outputs.as_slice()),
            (None, Some((first, later))) => (Some(format!("{first}!")), later),
            (None, None) => (None, &[][..]),
        };
        let guard = self.guard_of(step);
        let update = self.update_of(step);
        let target = self.before(step.target, later, step.place);
        self.template.edges.push(RawEdge {
            guard: RawText::made(&guard, step.place),
            sync: sync.and_then(|sync| RawText::made(&sync, step.place)),
            update: RawText::made(&update, step.place),
            ..RawEdge::new(step.source, target, step.place)
        });
    }

    /// The location from which these outputs lead to the configuration.
    fn before(&mut self, target: usize, outputs: &[String], place: Span) -> usize {
        let Some((first, later)) = outputs.split_first() else {
            return target;
        };
        if let Some(known) = self.before.get(&(target, outputs.to_vec())) {
            return *known;
        }
        let next = self.before(target, later, place);
        let name = self.template.locations[target].name.as_ref();
        let name = name.map_or("", |name| name.text.decoded.as_str());
        let at = self.location(&format!("{name} before {first}"), place);
        self.template.locations[at].committed = true;
        self.template.edges.push(RawEdge {
            sync: RawText::made(&format!("{first}!"), place),
            ..RawEdge::new(at, next, place)
        });
        self.before.insert((target, outputs.to_vec()), at);
        at
    }

    /// A timer goes when it is due, if none that was set before it is due as well.
    fn guard_of(&self, step: &ChartStep) -> String {
        let mut atoms = Vec::new();
        if let Trigger::Timer(due) = step.trigger {
            let delay = self.chart.timer(due).delay;
            atoms.push(format!("{} == {delay}", self.clock(due)));
            let timers = &self.unfolded.configurations[step.source].timers;
            let own = timers.iter().position(|timer| *timer == due);
            for (at, other) in timers.iter().enumerate() {
                let bound = self.chart.timer(*other).delay;
                let is_earlier = bound > delay || bound == delay && Some(at) < own;
                if is_earlier && (other.clock() != due.clock() || bound == delay) {
                    atoms.push(format!("{} < {bound}", self.clock(*other)));
                }
            }
        }
        atoms.extend(
            step.values
                .iter()
                .map(|(guard, value)| format!("{} == {}", self.guard(*guard), i32::from(*value))),
        );
        atoms.join(" && ")
    }

    fn update_of(&mut self, step: &ChartStep) -> String {
        let mut updates: Vec<String> = step
            .started
            .iter()
            .map(|pending| format!("{} = 0", self.clock(*pending)))
            .collect();
        let may_change = step.assigns || !matches!(step.trigger, Trigger::Timer(..));
        for guard in self.by_timers.clone() {
            if may_change || step.values.contains_key(&guard) {
                updates.push(format!("{} = {}", self.is_read(guard), i32::from(!may_change)));
            }
        }
        updates.join(", ")
    }

    fn finish(mut self, place: Span) -> RawFile {
        // An event or an action may have the name of the machine, and keeps it.
        let name = identifier(&self.chart.states[0].id, &mut self.names.taken);
        let mut channels = Text::default();
        let mut actions = Vec::new();
        let mut variables = String::new();
        for what in &self.names.order {
            let name = &self.names.names[what];
            match what {
                Named::Input(_) => actions.push(format!("{name}?")),
                Named::Output(_) => actions.push(format!("{name}!")),
                Named::Clock(_) => variables += &format!("clock {name};\n"),
                Named::Guard(_) | Named::IsRead(_) => variables += &format!("int[0,1] {name};\n"),
            }
        }
        for action in &actions {
            channels.whole(
                &format!("broadcast chan {};\n", action.trim_end_matches(['?', '!'])),
                place,
            );
        }
        let declaration = format!("{variables}// tamper:atomic");
        // With this line, what no edge accepts is ignored.
        let io = format!("IO {name} {{ {} }}", actions.join(", "));
        RawFile {
            root: place,
            declaration: RawText::of(channels, place),
            templates: vec![RawTemplate {
                name: RawText::made(&name, place),
                declaration: RawText::made(&declaration, place),
                init: Some((location_id(0), place)),
                ..self.template
            }],
            system: RawText::made(&format!("system {name};\n{io}"), place),
            are_games: true,
            ..RawFile::default()
        }
    }
}

/// The keys on the way from the root to the state.
fn path(chart: &Chart, state: usize) -> String {
    let mut keys: Vec<&str> = chart
        .around(state, Some(0))
        .iter()
        .rev()
        .map(|at| chart.states[*at].key.as_str())
        .collect();
    keys.push(&chart.states[state].key);
    keys.join("_")
}

//! Logs of random programs, judged: by the monitor, and by plain enumeration of all runs on a grid of times.
//!
//! Logs are made by walks through games at multiples of half a unit, their outputs moved within the tolerance, and then changed at
//! random. A run that explains one at all explains it on the grid: a chain of constraints between two multiples of a half
//! has fewer links than the grid has points there.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashSet};

use num_rational::BigRational;
use proptest::collection::vec;
use proptest::prelude::*;
use tamper::features::Random;
use tamper::model::{ActionId, Automaton, Cmp, Role, Urgency};
use tamper::suite::{Allowed, Event, Monitor, Ruling, Trace, What};
use tamper::text::Budget;

use testing::oracle::clocks::{ClockSpace, Limits};
use testing::oracle::generate::{Sketch, sketch};
use testing::oracle::play::{Place, Player};
use testing::oracle::run;

/// Grid points of a unit of time.
pub const TICKS: i64 = 16;
pub const HALF: i64 = TICKS / 2;
/// States after which a case is given up.
const MOST: usize = 60_000;

/// Times on the grid.
pub struct Grid(usize);

type Point = Vec<i64>;

impl ClockSpace for Grid {
    type Point = Point;
    type Class = Point;
    fn class(&self, point: &Point) -> Point {
        point.clone()
    }
    fn origin(&self) -> Point {
        vec![0; self.0]
    }
    fn holds(&self, point: &Point, left: usize, right: Option<usize>, cmp: Cmp, bound: i64) -> bool {
        let value = point[left] - right.map_or(0, |right| point[right]);
        let bound = bound * TICKS;
        match cmp {
            Cmp::Lt => value < bound,
            Cmp::Le => value <= bound,
            Cmp::Eq => value == bound,
            Cmp::Ge => value >= bound,
            Cmp::Gt => value > bound,
        }
    }
    fn reset(&self, point: &Point, clock: usize, value: i64) -> Point {
        let mut after = point.clone();
        after[clock] = value * TICKS;
        after
    }
    fn later(&self, point: &Point) -> Point {
        point.iter().map(|clock| clock + 1).collect()
    }
    fn lasts(&self, _: &Point) -> bool {
        false
    }
    fn project(&self, point: &Point, range: std::ops::Range<usize>, _: &Self) -> Point {
        point[range].to_vec()
    }
    fn of(games: &[&Automaton], _: Limits) -> Self {
        Self(games.iter().map(|game| game.clocks().len()).sum())
    }
}

/// A state of a game, and how many inputs and outputs of a log are behind it.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct State {
    n_inputs: usize,
    n_outputs: usize,
    place: Place,
    point: Point,
}

/// A log on the grid: labels, times, whether they are inputs, where they are in the log, whether refused.
#[derive(Clone, Debug)]
pub struct Line {
    pub label: String,
    pub at: i64,
    pub is_input: bool,
    event: usize,
    is_refused: bool,
}

impl Line {
    pub fn new(label: &str, at: i64, is_input: bool) -> Self {
        Self {
            label: label.to_owned(),
            at,
            is_input,
            event: 0,
            is_refused: false,
        }
    }
}

#[derive(Clone, Debug)]
pub struct Log {
    pub lines: Vec<Line>,
    /// Until when was listened, in ticks.
    pub until: i64,
    /// In ticks.
    pub tolerance: i64,
}

impl Log {
    /// As the monitor takes it.
    pub fn events(&self) -> Vec<Event> {
        let event = |line: &Line, what| Event {
            at: time(line.at),
            what,
        };
        let mut events = Vec::new();
        for line in &self.lines {
            let label = || line.label.clone();
            match line.is_input {
                true => events.push(event(line, What::Input(label()))),
                false => events.push(event(line, What::Output(label()))),
            }
            if line.is_refused {
                events.push(event(line, What::Refused(label())));
            }
        }
        events
    }

    /// Until when was listened, in units.
    pub fn end(&self) -> BigRational {
        time(self.until)
    }

    /// The tolerance in units.
    pub fn allowance(&self) -> BigRational {
        time(self.tolerance)
    }

    /// The first `n` events.
    fn beginning(&self, n: usize) -> Self {
        let mut lines: Vec<Line> = self.lines.iter().filter(|line| line.event < n).cloned().collect();
        for line in &mut lines {
            line.is_refused &= line.event + 1 < n;
        }
        Self {
            until: lines.iter().map(|line| line.at).max().unwrap_or(0),
            lines,
            tolerance: self.tolerance,
        }
    }

    /// With the positions of its events.
    pub fn number(mut self) -> Self {
        let mut event = 0;
        for line in &mut self.lines {
            line.event = event;
            event += 1 + usize::from(line.is_refused);
        }
        let last = self.lines.iter().map(|line| line.at).max().unwrap_or(0);
        self.until = self.until.max(last);
        self
    }
}

pub fn time(ticks: i64) -> BigRational {
    BigRational::new(ticks.into(), TICKS.into())
}

/// All runs of a game that can look like a log.
pub struct Runs<'a> {
    player: Player<'a>,
    space: Grid,
    log: &'a Log,
    inputs: Vec<&'a Line>,
    outputs: Vec<&'a Line>,
    is_closed: bool,
    sees_all: bool,
    /// Whether some run looks like the whole log.
    pub is_explained: bool,
    is_reached: bool,
    pub beyond: Option<usize>,
    /// States behind all events, by the time.
    behind: Vec<(i64, State)>,
}

impl<'a> Runs<'a> {
    /// Of `game` and `log`; `is_closed` if the program is the game.
    pub fn new(game: &'a Automaton, log: &'a Log, is_closed: bool) -> Self {
        let (inputs, outputs) = log.lines.iter().partition(|line| line.is_input);
        Self {
            player: Player { game, offset: 0 },
            space: Grid(game.clocks().len()),
            log,
            inputs,
            outputs,
            is_closed,
            sees_all: log.tolerance == 0,
            is_explained: false,
            is_reached: false,
            beyond: None,
            behind: Vec::new(),
        }
    }

    /// Looks at all of them, up to `end`; none if there are too many.
    pub fn all(mut self, end: i64) -> Option<Self> {
        let mut now: HashSet<State> = HashSet::new();
        now.insert(State {
            n_inputs: 0,
            n_outputs: 0,
            place: self.player.start(),
            point: self.space.origin(),
        });
        let mut n = 0;
        for at in 0..=end {
            let mut waiting: Vec<State> = now.iter().cloned().collect();
            while let Some(state) = waiting.pop() {
                for next in self.steps(&state, at) {
                    if now.insert(next.clone()) {
                        waiting.push(next);
                    }
                }
                n += 1;
                if n > MOST {
                    return None;
                }
            }
            let is_behind =
                |state: &&State| state.n_inputs == self.inputs.len() && state.n_outputs == self.outputs.len();
            for state in now.iter().filter(is_behind) {
                self.is_reached = true;
                self.is_explained |= at >= self.log.until;
                self.behind.push((at, state.clone()));
            }
            let later = |state: State| {
                let point = self.space.later(&state.point);
                let lasts = !self.player.is_urgent(&self.space, &state.place, &state.point)
                    && self.player.exists(&self.space, &state.place, &point);
                lasts.then_some(State { point, ..state })
            };
            now = now.into_iter().filter_map(later).collect();
        }
        Some(self)
    }

    fn is_committed(&self, place: &Place) -> bool {
        self.player.game.is_atomic() && self.player.game.locations()[place.location].urgency == Urgency::Committed
    }

    fn moves(&self, state: &State, action: ActionId) -> Vec<(Place, Point)> {
        self.player.moves(&self.space, &state.place, &state.point, action)
    }

    fn steps(&mut self, state: &State, at: i64) -> Vec<State> {
        let mut next = Vec::new();
        let actions = self.player.game.actions();
        for (action, parts) in actions.iter_enumerated() {
            if parts.role == Role::Input {
                continue;
            }
            let Some(n_outputs) = self.count(state, at, &parts.to_string(), parts.role) else {
                continue;
            };
            let n_inputs = state.n_inputs;
            next.extend(self.moves(state, action).into_iter().map(|(place, point)| State {
                n_inputs,
                n_outputs,
                place,
                point,
            }));
        }
        next.extend(self.given(state, at));
        next
    }

    /// How many outputs of the log are made after one of that label.
    fn count(&self, state: &State, at: i64, label: &str, role: Role) -> Option<usize> {
        if role == Role::Internal {
            return Some(state.n_outputs);
        }
        let Some(line) = self.outputs.get(state.n_outputs) else {
            let end = self.log.until;
            let may_be_unseen = !self.sees_all && (end - self.log.tolerance..=end).contains(&at);
            return may_be_unseen.then_some(state.n_outputs);
        };
        let inputs_before = self.inputs.iter().filter(|input| input.event < line.event).count();
        let is_ordered = self.log.tolerance > 0 || state.n_inputs >= inputs_before;
        let fits = line.label == label && (at - line.at).abs() <= self.log.tolerance && is_ordered;
        fits.then_some(state.n_outputs + 1)
    }

    /// What giving the next input leads to.
    fn given(&mut self, state: &State, at: i64) -> Vec<State> {
        let Some(line) = self.inputs.get(state.n_inputs).copied() else {
            return Vec::new();
        };
        let outputs_before = self.outputs.iter().filter(|output| output.event < line.event).count();
        if at != line.at || state.n_outputs < outputs_before {
            return Vec::new();
        }
        let is_committed = self.is_committed(&state.place);
        let taken = match is_committed {
            true => Vec::new(),
            false => self
                .input(&line.label)
                .map_or(Vec::new(), |action| self.moves(state, action)),
        };
        let n_inputs = state.n_inputs + 1;
        match (taken.is_empty(), self.is_closed) {
            (true, false) => {
                self.beyond = Some(self.beyond.map_or(line.event, |known| known.min(line.event)));
                Vec::new()
            }
            (true, true) => {
                (self.is_explained, self.is_reached) = match is_committed {
                    true => (true, true),
                    false => (self.is_explained, self.is_reached),
                };
                vec![State {
                    n_inputs,
                    ..state.clone()
                }]
            }
            (false, _) if line.is_refused => Vec::new(),
            (false, _) => taken
                .into_iter()
                .map(|(place, point)| State {
                    n_inputs,
                    place,
                    point,
                    ..*state
                })
                .collect(),
        }
    }

    fn input(&self, label: &str) -> Option<ActionId> {
        let mut actions = self.player.game.actions().iter_enumerated();
        actions
            .find(|(_, action)| action.to_string() == label)
            .map(|(id, _)| id)
    }
}

/// The first beginning that nothing explains.
fn breach(game: &Automaton, log: &Log, n_events: usize) -> Option<usize> {
    for n in 1..=n_events {
        let beginning = log.beginning(n);
        let runs = Runs::new(game, &beginning, false).all(beginning.until + beginning.tolerance)?;
        if !runs.is_reached && runs.beyond.is_none() {
            return Some(n - 1);
        }
    }
    Some(n_events)
}

/// The outputs allowed behind the first `n` events, at times of the grid.
pub fn allowed(game: &Automaton, log: &Log, n: usize, end: i64) -> Option<BTreeSet<(i64, String)>> {
    let beginning = log.beginning(n);
    let mut all = BTreeSet::new();
    for sees_all in [true, log.tolerance == 0] {
        let mut runs = Runs::new(game, &beginning, false);
        runs.sees_all = sees_all;
        let runs = runs.all(end)?;
        for (at, state) in runs.behind.iter().filter(|(at, _)| *at >= beginning.until) {
            for (action, parts) in game.actions().iter_enumerated() {
                if parts.role == Role::Output && !runs.moves(state, action).is_empty() {
                    all.insert((*at, parts.to_string()));
                }
            }
        }
        if !runs.behind.is_empty() {
            break;
        }
    }
    Some(all)
}

pub fn is_in(window: &Allowed, at: &BigRational) -> bool {
    let is_late = window
        .from
        .as_ref()
        .is_none_or(|(from, after)| at > from || (at == from && !after));
    let is_early = window
        .by
        .as_ref()
        .is_none_or(|(by, before)| at < by || (at == by && !before));
    is_late && is_early
}

/// How a log is made.
#[derive(Clone, Debug)]
pub struct Recipe {
    seed: u64,
    /// In ticks.
    pub tolerance: i64,
    /// What is changed then: which event, and how.
    changes: Vec<(u8, u8)>,
}

pub fn recipe() -> impl Strategy<Value = Recipe> {
    let changes = prop_oneof![3 => Just(Vec::new()), 2 => vec(any::<(u8, u8)>(), 1..=2)];
    (any::<u64>(), 0i64..=2, changes).prop_map(|(seed, tolerance, changes)| Recipe {
        seed,
        tolerance: tolerance * HALF,
        changes,
    })
}

impl Recipe {
    /// The same with another tolerance, in ticks.
    pub fn within(&self, tolerance: i64) -> Self {
        Self {
            tolerance,
            ..self.clone()
        }
    }
}

/// A walk through `game`, as it is seen.
pub fn walked(game: &Automaton, recipe: &Recipe) -> Log {
    let (player, space) = (Player { game, offset: 0 }, Grid(game.clocks().len()));
    let mut random = Random::new(recipe.seed);
    let (mut place, mut point) = (player.start(), space.origin());
    let (mut now, mut last_output, mut last_input) = (0, 0, 0);
    let mut lines: Vec<Line> = Vec::new();
    for _ in 0..12 {
        if random.below(2) == 0 {
            let steps = (0..HALF).try_fold(point.clone(), |point, _| {
                let later = space.later(&point);
                let lasts = !player.is_urgent(&space, &place, &point) && player.exists(&space, &place, &later);
                lasts.then_some(later)
            });
            if let Some(later) = steps {
                (point, now) = (later, now + HALF);
            }
            continue;
        }
        let id = game.actions().ids().nth(random.below(game.actions().len()));
        let id = id.expect("below their number");
        let action = &game.actions()[id];
        let mut moves = player.moves(&space, &place, &point, id);
        if moves.is_empty() {
            continue;
        }
        let chosen = random.below(moves.len());
        (place, point) = moves.swap_remove(chosen);
        let is_input = action.role == Role::Input;
        let at = match is_input {
            true => now,
            false => {
                let halves = usize::try_from(2 * recipe.tolerance / HALF + 1).expect("few");
                let off = i64::try_from(random.below(halves)).expect("few") * HALF - recipe.tolerance;
                (now + off).max(last_output).max(last_input)
            }
        };
        if action.role == Role::Internal {
            continue;
        }
        match is_input {
            true => last_input = at,
            false => last_output = at,
        }
        lines.push(Line::new(&action.to_string(), at, is_input));
    }
    lines.sort_by_key(|line| line.at);
    // What had not arrived by the end was not seen.
    lines.retain(|line| line.at <= now);
    Log {
        lines,
        until: now,
        tolerance: recipe.tolerance,
    }
}

pub fn log(game: &Automaton, recipe: &Recipe) -> Log {
    let mut log = walked(game, recipe);
    for (which, how) in &recipe.changes {
        if log.lines.is_empty() {
            break;
        }
        let at = usize::from(*which) % log.lines.len();
        match how % 6 {
            0 => drop(log.lines.remove(at)),
            1 => log.lines[at].at += HALF,
            2 => log.lines[at].label = if log.lines[at].is_input { "b?" } else { "p!" }.to_owned(),
            3 => log.lines[at].is_refused = log.lines[at].is_input,
            4 => log.until += i64::from(*which % 4) * HALF,
            _ => {
                let again = log.lines[at].clone();
                log.lines.insert(at, again);
            }
        }
    }
    log.lines.sort_by_key(|line| line.at);
    log.number()
}

type Tally = BTreeMap<String, u32>;

fn check(spec: &Automaton, recipe: &Recipe, game: &Automaton, tally: &RefCell<Tally>) -> Result<(), String> {
    let Ok(monitor) = Monitor::new(spec, &Budget::unlimited()) else {
        return Ok(());
    };
    let log = log(game, recipe);
    let (events, until, tolerance) = (log.events(), time(log.until), time(log.tolerance));
    let trace = Trace {
        events: &events,
        until: &until,
        tolerance: &tolerance,
    };
    let end = log.until + log.tolerance;
    let (Some(open), Some(closed)) = (
        Runs::new(spec, &log, false).all(end),
        Runs::new(spec, &log, true).all(end),
    ) else {
        *tally.borrow_mut().entry("given up".to_owned()).or_default() += 1;
        return Ok(());
    };
    let said = monitor
        .ruling(trace, &Budget::unlimited())
        .map_err(|error| error.to_string())?;
    let kind = match (&said, open.is_explained, open.beyond) {
        (Ruling::Legal, true, _) => "legal",
        (Ruling::Beyond { event }, false, Some(beyond)) if *event == beyond => "beyond",
        (Ruling::Illegal(_), false, None) => "illegal",
        _ => {
            return Err(format!(
                "{said:?}, but {} {:?}: {log:?}",
                open.is_explained, open.beyond
            ));
        }
    };
    if recipe.changes.is_empty() && game == spec && kind == "illegal" {
        return Err(format!("the specification's own run is illegal: {log:?}"));
    }
    let mut counts = tally.borrow_mut();
    let mut count = |what: String| *counts.entry(what).or_default() += 1;
    count(format!(
        "{kind}, tolerance {}, {}",
        log.tolerance / HALF,
        if recipe.changes.is_empty() { "walked" } else { "changed" }
    ));
    let explains = monitor
        .explains(trace, &Budget::unlimited())
        .map_err(|error| error.to_string())?;
    if explains != closed.is_explained {
        return Err(format!("explains: {explains}, but {}: {log:?}", closed.is_explained));
    }
    count(format!("explains {explains}"));
    fair(&monitor, trace, &open, &log).map(|n| count(format!("fair inputs {n}")))?;
    let Ruling::Illegal(said) = said else { return Ok(()) };
    let Some(event) = breach(spec, &log, events.len()) else {
        return Ok(());
    };
    if said.event != event {
        return Err(format!("the breach is {}, but {event}: {log:?}", said.event));
    }
    let came = events
        .get(event)
        .map(|event| (&event.at * BigRational::from_integer(TICKS.into())).to_integer());
    let came = came.map_or(log.until, |at| i64::try_from(at).expect("on the grid") + log.tolerance);
    let horizon = came.max(log.beginning(event).until);
    let Some(plain) = allowed(spec, &log, event, horizon) else {
        return Ok(());
    };
    let from = log.beginning(event).until;
    // Between two halves one point is far enough from their strict ends, which runs approach in steps of the grid.
    for at in (from..=horizon).filter(|at| at % (HALF / 2) == 0) {
        for label in ["o!", "p!"] {
            let windows = said.expected.iter().filter(|window| window.action == label);
            let is_expected = windows.into_iter().any(|window| is_in(window, &time(at)));
            if is_expected != plain.contains(&(at, label.to_owned())) {
                return Err(format!("{label} at {at}: {is_expected}, {said:?}: {log:?}"));
            }
        }
    }
    count(format!("breaches with {} windows", said.expected.len().min(2)));
    Ok(())
}

fn fair(monitor: &Monitor, trace: Trace<'_>, open: &Runs<'_>, log: &Log) -> Result<usize, String> {
    let said = monitor
        .fair_inputs(trace, &Budget::unlimited())
        .map_err(|error| error.to_string())?;
    let end: Vec<&State> = open
        .behind
        .iter()
        .filter(|(at, _)| *at == log.until)
        .map(|(_, state)| state)
        .collect();
    let game = open.player.game;
    let inputs = game
        .actions()
        .iter_enumerated()
        .filter(|(_, action)| action.role == Role::Input);
    let is_fair = |action: ActionId| {
        let takes = |state: &&State| !open.is_committed(&state.place) && !open.moves(state, action).is_empty();
        open.beyond.is_none() && !end.is_empty() && end.iter().all(takes)
    };
    let plain: Vec<String> = inputs
        .filter(|(action, _)| is_fair(*action))
        .map(|(_, action)| action.to_string())
        .collect();
    match said == plain {
        true => Ok(plain.len()),
        false => Err(format!("fair are {said:?}, but {plain:?}: {log:?}")),
    }
}

/// A log of the game itself, or of another one; whether committed locations are in the middle of steps.
fn games() -> impl Strategy<Value = (Sketch, Option<Sketch>, Recipe, bool)> {
    (
        sketch(),
        proptest::option::weighted(0.3, sketch()),
        recipe(),
        any::<bool>(),
    )
}

#[test]
fn logs_are_judged_as_plain_enumeration_judges_them() {
    let tally = RefCell::new(Tally::new());
    run::check(400, &games(), |(spec, other, recipe, atomic)| {
        let spec = spec.build("S").with_atomic_steps(*atomic);
        let other = other.as_ref().map(|other| other.build("P"));
        check(&spec, recipe, other.as_ref().unwrap_or(&spec), &tally)
    });
    let tally = tally.into_inner();
    println!("{tally:#?}");
    if std::env::var_os("TAMPER_CASES").is_some() {
        return;
    }
    for kind in [
        "legal",
        "beyond",
        "illegal",
        "explains true",
        "explains false",
        "fair inputs 1",
        "breaches with 1",
    ] {
        let found = tally.iter().filter(|(key, _)| key.starts_with(kind));
        assert!(found.map(|(_, n)| n).sum::<u32>() >= 5, "{kind}: {tally:#?}");
    }
}

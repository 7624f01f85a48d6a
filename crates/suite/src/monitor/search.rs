//! All runs of a game that a log leaves possible.
//!
//! The first clock is the log's clock: it runs from the start and is never reset. A state is a place of the game, the numbers of
//! inputs and outputs of the log that have happened, and a zone. Time never passes the next event of the log, so there are finitely
//! many zones, and none is widened: the search is exact.

use rustc_hash::FxHashMap;

use super::record::TimedLog;
use crate::error::SuiteFailure;
use crate::execution::compiled::leave_out;
use crate::execution::opponent::Opponent;
use crate::execution::single::SingleSystem as _;
use crate::execution::subject::Subject;
use crate::view::{View, ViewMove};
use tamper_game::symbolic::{NodeId, zone_ops};
use tamper_text::Budget;
use tamper_zones::{Bound, Clock, Dbm, Variable};

/// The role of the game for the program.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum GameRole {
    /// Its specification: after an input that it need not take, anything is allowed.
    Any,
    /// Its model: an input that the game does not take is ignored or refused.
    This,
}

/// The goal of a search.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum SearchGoal {
    /// A run with all events.
    Events,
    /// A run with all events and the silence behind them.
    Silence,
    /// All states behind all events.
    All,
}

/// The result of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum LogExplanation {
    /// A run.
    Explained,
    /// No run, except one up to an input that the game does not take: the position of the first input of that kind in the log.
    Beyond(usize),
    /// No run.
    Nothing,
}

/// The numbers of inputs and outputs of the log that have happened, and the state of the game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct LogPosition {
    n_inputs: usize,
    n_outputs: usize,
    place: NodeId,
}

/// A place of the game with the clock values that it can have, after all possible delays.
#[derive(Clone, Debug)]
pub(super) struct MonitorState {
    pub place: NodeId,
    pub zone: Dbm,
}

/// The clock of the log.
pub(super) fn now() -> Clock {
    Clock::from(Variable::new(0))
}

pub(super) struct LogSearch<'a> {
    opponent: &'a Opponent,
    subject: &'a Subject,
    record: &'a TimedLog,
    program: GameRole,
    goal: SearchGoal,
    waiting: Vec<(LogPosition, Dbm)>,
    seen: FxHashMap<LogPosition, Vec<Dbm>>,
    /// The states after all events, in the order of discovery.
    behind: Vec<MonitorState>,
    is_explained: bool,
    beyond: Option<usize>,
}

impl<'a> LogSearch<'a> {
    pub fn new(
        opponent: &'a Opponent,
        subject: &'a Subject,
        record: &'a TimedLog,
        program: GameRole,
        goal: SearchGoal,
    ) -> Self {
        Self {
            opponent,
            subject,
            record,
            program,
            goal,
            waiting: Vec::new(),
            seen: FxHashMap::default(),
            behind: Vec::new(),
            is_explained: false,
            beyond: None,
        }
    }

    pub fn run(&mut self, budget: &Budget) -> Result<LogExplanation, SuiteFailure> {
        let dim = self.opponent.n_clocks() + 2;
        let start = LogPosition {
            n_inputs: 0,
            n_outputs: 0,
            place: self.opponent.start(),
        };
        self.waiting.push((start, Dbm::zero(dim)));
        let (mut n_states, bytes) = (0u64, zone_ops::zone_bytes(dim));
        while let Some((position, entry)) = self.waiting.pop() {
            let seen = self.seen.entry(position).or_default();
            if seen.iter().any(|known| known.includes(&entry)) {
                continue;
            }
            seen.push(entry.clone());
            n_states += 1;
            if let Some(reason) = budget.exceeded(n_states, n_states * bytes) {
                return Err(reason.into());
            }
            self.visit(position, entry);
            if self.is_explained && self.goal != SearchGoal::All {
                return Ok(LogExplanation::Explained);
            }
        }
        Ok(match (self.is_explained, self.beyond) {
            (_, Some(event)) if self.goal == SearchGoal::All => LogExplanation::Beyond(event),
            (true, _) => LogExplanation::Explained,
            (false, Some(event)) => LogExplanation::Beyond(event),
            (false, None) => LogExplanation::Nothing,
        })
    }

    /// The states after all events.
    pub fn behind_all(self) -> Vec<MonitorState> {
        self.behind
    }

    /// The states at the end of the log.
    pub fn at_the_end(&self) -> Vec<MonitorState> {
        let until = self.record.until;
        let states = self.behind.iter().filter_map(|state| {
            let mut zone = state.zone.clone();
            let place = state.place;
            is_at(&mut zone, until, until).then_some(MonitorState { place, zone })
        });
        states.collect()
    }

    /// Whether the game takes `input` in every state at the end of the log.
    pub fn takes_everywhere(&self, input: &str) -> bool {
        self.at_the_end().into_iter().all(|MonitorState { place, zone }| {
            let view = self.opponent.view(&place);
            !self.subject.arena.nodes[place].atomic && refused(&view, input, zone).is_empty()
        })
    }

    fn visit(&mut self, position: LogPosition, entry: Dbm) {
        let view = self.opponent.view(&position.place);
        let mut zone = entry;
        if !view.urgent {
            zone.up();
            let is_kept = zone_ops::restrict(&mut zone, &view.invariant);
            assert!(is_kept, "an entered state satisfies its invariant");
        }
        if self.is_behind_all(position) {
            self.is_explained |=
                self.goal == SearchGoal::Events || is_at(&mut zone.clone(), self.record.until, Bound::LIMIT);
            if self.goal == SearchGoal::All {
                let (place, zone) = (position.place, zone.clone());
                self.behind.push(MonitorState { place, zone });
            }
        }
        if !is_at(&mut zone, 0, self.latest(position)) {
            return;
        }
        self.outputs(position, &view, &zone);
        self.input(position, &view, &zone);
    }

    fn is_behind_all(&self, position: LogPosition) -> bool {
        position.n_inputs == self.record.inputs.len() && position.n_outputs == self.record.outputs.len()
    }

    /// The latest time of the next event; behind all events the horizon.
    fn latest(&self, position: LogPosition) -> i64 {
        let input = self.record.inputs.get(position.n_inputs).map(|given| given.at);
        let output = self.record.outputs.get(position.n_outputs).map(|made| made.latest);
        input.into_iter().chain(output).min().unwrap_or(self.record.horizon)
    }

    fn outputs(&mut self, position: LogPosition, view: &View<NodeId>, zone: &Dbm) {
        let record = self.record;
        let next = record.outputs.get(position.n_outputs);
        for step in view.moves.iter().filter(|step| step.is_output) {
            if !step.label.ends_with('!') {
                self.go(position, step, zone);
                continue;
            }
            let mut then = zone.clone();
            match next {
                Some(made) => {
                    let is_next = made.label == step.label && (record.is_loose() || position.n_inputs >= made.n_inputs);
                    if is_next && is_at(&mut then, made.earliest, made.latest) {
                        let n_outputs = position.n_outputs + 1;
                        self.go(LogPosition { n_outputs, ..position }, step, &then);
                    }
                }
                None => {
                    let from = record.unseen_from;
                    if from.is_some_and(|from| is_at(&mut then, from, record.until)) {
                        self.go(position, step, &then);
                    }
                }
            }
        }
    }

    fn input(&mut self, position: LogPosition, view: &View<NodeId>, zone: &Dbm) {
        let record = self.record;
        let Some(given) = record.inputs.get(position.n_inputs) else {
            return;
        };
        let mut then = zone.clone();
        if position.n_outputs < given.n_outputs || !is_at(&mut then, given.at, given.at) {
            return;
        }
        let n_inputs = position.n_inputs + 1;
        let after = LogPosition { n_inputs, ..position };
        if !given.is_refused {
            for step in accepting(view, &given.label) {
                self.go(after, step, &then);
            }
        }
        let refused = refused(view, &given.label, then);
        if refused.is_empty() {
            return;
        }
        match self.program {
            GameRole::Any => self.beyond = Some(self.beyond.map_or(given.event, |known| known.min(given.event))),
            // An input in the middle of an atomic step is not judged.
            GameRole::This if self.subject.arena.nodes[position.place].atomic => self.is_explained = true,
            GameRole::This => self.waiting.extend(refused.into_iter().map(|zone| (after, zone))),
        }
    }

    /// Makes `step` from the points of `zone` where it is enabled, and goes to the position `after`.
    fn go(&mut self, after: LogPosition, step: &ViewMove<NodeId>, zone: &Dbm) {
        for enabled in &step.enabled {
            if let Some(mut taken) = zone_ops::restricted(zone, enabled) {
                zone_ops::reset_all(&mut taken, &step.resets);
                let place = step.target;
                self.waiting.push((LogPosition { place, ..after }, taken));
            }
        }
    }
}

fn accepting<'v>(view: &'v View<NodeId>, input: &str) -> impl Iterator<Item = &'v ViewMove<NodeId>> {
    let input = input.to_owned();
    let moves = view.moves.iter();
    moves.filter(move |step| !step.is_output && step.label == input)
}

/// The points of `zone` where no move accepts `input`.
fn refused(view: &View<NodeId>, input: &str, zone: Dbm) -> Vec<Dbm> {
    let mut rest = vec![zone];
    for enabled in accepting(view, input).flat_map(|step| &step.enabled) {
        leave_out(&mut rest, enabled);
    }
    rest
}

/// Restricts `zone` to the times from `low` to `high`; `false` when nothing is left.
fn is_at(zone: &mut Dbm, low: i64, high: i64) -> bool {
    let is_late_enough = low == 0 || zone.constrain(Clock::ZERO, now(), Bound::le(-low));
    is_late_enough && (high == Bound::LIMIT || zone.constrain(now(), Clock::ZERO, Bound::le(high)))
}

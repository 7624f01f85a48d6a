//! A game that judges logs.

use num_rational::BigRational;
use num_traits::Zero as _;

use super::record::{TimedLog, Trace};
use super::search::{GameRole, LogExplanation, LogSearch, MonitorState, SearchGoal, now};
use crate::drive::{Allowed, Event, Failure, Wait, What};
use crate::error::SuiteFailure;
use crate::execution::opponent::Opponent;
use crate::execution::single::SingleSystem as _;
use crate::execution::subject::Subject;
use tamper_game::symbolic::zone_ops;
use tamper_text::Budget;
use tamper_timed::model::{Automaton, Role};
use tamper_zones::{Bound, Clock};

/// The ruling of the specification on a log.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ruling {
    /// Some run of the specification explains the log.
    Legal,
    /// The log has an input that the specification need not take: after that the specification forbids nothing.
    Beyond {
        /// The position of the input in the log.
        event: usize,
    },
    /// No run of the specification explains the log.
    Illegal(Breach),
}

/// The point at which a log leaves the specification.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Breach {
    /// The position of the first event that no run explains; the number of events if it is the silence at the end.
    pub event: usize,
    /// The outputs that were allowed instead, if their windows could begin before the event.
    pub expected: Vec<Allowed>,
}

impl Breach {
    /// The breach as a failure of a run with these `events`, in which the tester listened until `until`.
    pub fn failure(self, events: &[Event], until: &BigRational) -> Failure {
        let silence = |at: &BigRational| Event {
            at: at.clone(),
            what: What::Silence,
        };
        let came = match events.get(self.event) {
            None => silence(until),
            // The input is not wrong: an output is missing before it.
            Some(event) if matches!(event.what, What::Input(_)) => silence(&event.at),
            Some(event) => event.clone(),
        };
        let since = self.event.checked_sub(1).map(|before| events[before].clone());
        Failure {
            expected: self.expected,
            entered: since.as_ref().map_or_else(BigRational::zero, |since| since.at.clone()),
            since,
            came,
            unexpected: None,
        }
    }
}

/// A game that judges logs. It need not be deterministic.
pub struct Monitor {
    subject: Subject,
    inputs: Vec<String>,
}

impl Monitor {
    /// Lowers `automaton`, without pruning.
    ///
    /// # Errors
    /// A game without a meaning or an initial state, and the budget.
    pub fn new(automaton: &Automaton, budget: &Budget) -> Result<Self, SuiteFailure> {
        let inputs = automaton.actions().iter().filter(|action| action.role == Role::Input);
        Ok(Self {
            subject: Subject::specification(automaton, budget)?,
            inputs: inputs.map(ToString::to_string).collect(),
        })
    }

    /// The exact ruling of the specification on `trace`.
    ///
    /// # Errors
    /// The trace's times are too fine or too large, and the budget, which counts symbolic states.
    pub fn ruling(&self, trace: Trace<'_>, budget: &Budget) -> Result<Ruling, SuiteFailure> {
        let record = TimedLog::new(trace)?;
        let opponent = self.opponent(&record)?;
        let search = |record: &TimedLog, goal| self.search(&opponent, record, GameRole::Any, goal, budget);
        match search(&record, SearchGoal::Silence)? {
            LogExplanation::Explained => return Ok(Ruling::Legal),
            LogExplanation::Beyond(event) => return Ok(Ruling::Beyond { event }),
            LogExplanation::Nothing => {}
        }
        // Every run that explains a log explains its prefixes, so the first event that no run explains is found by bisection.
        let (mut explained, mut unexplained) = (0, trace.events.len() + 1);
        while unexplained - explained > 1 {
            let middle = explained.midpoint(unexplained);
            match search(&record.beginning(middle), SearchGoal::Events)? {
                LogExplanation::Nothing => unexplained = middle,
                _ => explained = middle,
            }
        }
        let before = record.before(explained);
        let expected = allowed(&opponent, &self.searched(&opponent, &before, budget)?, &before);
        Ok(Ruling::Illegal(Breach {
            event: explained,
            expected,
        }))
    }

    /// The outputs that the specification allowed after the start and after each event of `trace`, up to the point at which the
    /// trace leaves the specification, if it does.
    ///
    /// # Errors
    /// As [`Monitor::ruling`].
    pub fn waits(&self, trace: Trace<'_>, budget: &Budget) -> Result<Vec<Wait>, SuiteFailure> {
        let last = match self.ruling(trace, budget)? {
            Ruling::Legal => trace.events.len(),
            Ruling::Beyond { event } => event,
            Ruling::Illegal(breach) => breach.event,
        };
        let record = TimedLog::new(trace)?;
        let opponent = self.opponent(&record)?;
        let wait = |n_events: usize| {
            let before = record.before(n_events);
            let since = n_events.checked_sub(1).map(|last| trace.events[last].at.clone());
            Ok(Wait {
                since: since.unwrap_or_else(BigRational::zero),
                expected: allowed(&opponent, &self.searched(&opponent, &before, budget)?, &before),
            })
        };
        (0..=last).map(wait).collect()
    }

    /// Whether a program that behaves as this game can show `trace`. A program ignores or refuses the inputs that the game does not take.
    ///
    /// # Errors
    /// As [`Monitor::ruling`].
    pub fn explains(&self, trace: Trace<'_>, budget: &Budget) -> Result<bool, SuiteFailure> {
        let record = TimedLog::new(trace)?;
        let opponent = self.opponent(&record)?;
        let found = self.search(&opponent, &record, GameRole::This, SearchGoal::Silence, budget)?;
        Ok(found == LogExplanation::Explained)
    }

    /// The inputs that the specification takes at the end of `trace`, in all runs that explain it; empty if the trace is not legal.
    ///
    /// # Errors
    /// As [`Monitor::ruling`].
    pub fn fair_inputs(&self, trace: Trace<'_>, budget: &Budget) -> Result<Vec<&str>, SuiteFailure> {
        let record = TimedLog::new(trace)?;
        let opponent = self.opponent(&record)?;
        let mut search = LogSearch::new(&opponent, &self.subject, &record, GameRole::Any, SearchGoal::All);
        if matches!(search.run(budget)?, LogExplanation::Beyond(_)) || search.at_the_end().is_empty() {
            return Ok(Vec::new());
        }
        let fair = self.inputs.iter().filter(|input| search.takes_everywhere(input));
        Ok(fair.map(String::as_str).collect())
    }

    /// The game, with its clocks behind the clock of the log.
    pub(super) fn opponent(&self, record: &TimedLog) -> Result<Opponent, SuiteFailure> {
        Opponent::behind(&self.subject, 1, record.scale)
    }

    pub(super) fn search(
        &self,
        opponent: &Opponent,
        record: &TimedLog,
        program: GameRole,
        goal: SearchGoal,
        budget: &Budget,
    ) -> Result<LogExplanation, SuiteFailure> {
        LogSearch::new(opponent, &self.subject, record, program, goal).run(budget)
    }

    /// All states after `record`; states after unseen outputs only if there are no others.
    pub(super) fn searched(
        &self,
        opponent: &Opponent,
        record: &TimedLog,
        budget: &Budget,
    ) -> Result<Vec<MonitorState>, SuiteFailure> {
        for record in [&record.without_unseen(), record] {
            let mut search = LogSearch::new(opponent, &self.subject, record, GameRole::Any, SearchGoal::All);
            search.run(budget)?;
            let states = search.behind_all();
            if !states.is_empty() {
                return Ok(states);
            }
        }
        Ok(Vec::new())
    }
}

/// The outputs that `states`, the states after `record`, allow, with their windows.
pub(super) fn allowed(opponent: &Opponent, states: &[MonitorState], record: &TimedLog) -> Vec<Allowed> {
    let time = |units: i64| BigRational::new(units.into(), record.scale.into());
    let mut all = Vec::new();
    for MonitorState { place, zone } in states {
        let view = opponent.view(place);
        for step in view
            .moves
            .iter()
            .filter(|step| step.is_output && step.label.ends_with('!'))
        {
            for taken in step
                .enabled
                .iter()
                .filter_map(|enabled| zone_ops::restricted(zone, enabled))
            {
                let (low, high) = (taken.bound(Clock::ZERO, now()), taken.bound(now(), Clock::ZERO));
                let from = -low.constant();
                all.push(Allowed {
                    action: step.label.clone(),
                    from: (from > record.until || low.is_strict()).then(|| (time(from), low.is_strict())),
                    by: (high != Bound::INFINITY).then(|| (time(high.constant()), high.is_strict())),
                });
            }
        }
    }
    Allowed::joined(all)
}

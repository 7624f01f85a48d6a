//! The answers of a game to a word of inputs and waits.

use num_rational::BigRational;
use num_traits::Zero as _;

use super::judge::{Monitor, allowed};
use super::record::{TimedLog, Trace};
use super::search::{GameRole, LogExplanation, SearchGoal};
use crate::drive::{Allowed, Event, What};
use crate::error::SuiteFailure;
use tamper_text::Budget;

/// Number of outputs at one moment after which they are taken for endless.
const MOST_AT_ONCE: usize = 100;
/// Number of outputs between two acts of a word that are followed.
const MOST_OUTPUTS: usize = 1_000;

/// An act of a word.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum WordAct {
    /// Time passes, in time units.
    Wait(BigRational),
    /// An input (`name?`) is given.
    Input(String),
    /// An output (`name!`) comes now; the word chooses it where several are possible.
    Output(String),
    /// Nothing has come yet, a choice of the word if outputs are possible.
    Silence,
}

/// The end of a word.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum WordEnd {
    /// The game has one answer to the whole word, or several to its last wait only.
    Whole,
    /// The game has several answers before the act of this position.
    Open(usize),
    /// The game does not take the input of this position; it takes these.
    NotTaken(usize, Vec<String>),
    /// The output or the silence of this position is impossible.
    Impossible(usize),
    /// Time stops before the act of this position, and no output comes.
    TimeStops(usize),
}

/// The answers of a game to a word.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AnsweredWord {
    /// The inputs and outputs that happened for certain.
    pub log: Vec<Event>,
    /// The time at the end, in time units since the start.
    pub until: BigRational,
    /// The reason for which the answers end.
    pub end: WordEnd,
    /// The outputs of which one may have come since the log's last event; empty if none can have.
    pub possible: Vec<Allowed>,
    /// Whether none of them may have come.
    pub may_be_silent: bool,
}

impl Monitor {
    /// Gives `word` to the game. An output that must come at the moment at which a wait ends comes before the next input.
    ///
    /// # Errors
    /// Times that are too fine or too large, endless outputs at one moment, and the budget for each question.
    pub fn answer(&self, word: &[WordAct], budget: &Budget) -> Result<AnsweredWord, SuiteFailure> {
        let mut run = WordRun {
            monitor: self,
            budget,
            log: Vec::new(),
            now: BigRational::zero(),
            silent_until: None,
            n_named: 0,
        };
        for (position, act) in word.iter().enumerate() {
            if let Some(end) = run.act(position, act)? {
                return run.ended(end);
            }
        }
        match run.settle()? {
            Settled::TimeStops => run.ended(WordEnd::TimeStops(word.len())),
            Settled::Silent | Settled::Open => run.ended(WordEnd::Whole),
        }
    }
}

/// The events until now.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Settled {
    /// Everything is in the log.
    Silent,
    /// Several things are possible.
    Open,
    TimeStops,
}

struct WordRun<'a> {
    monitor: &'a Monitor,
    budget: &'a Budget,
    log: Vec<Event>,
    now: BigRational,
    /// The moment up to which the word says that nothing came after the log's last event.
    silent_until: Option<BigRational>,
    /// Number of events that the word itself has named, or that came before now.
    n_named: usize,
}

impl WordRun<'_> {
    fn act(&mut self, position: usize, act: &WordAct) -> Result<Option<WordEnd>, SuiteFailure> {
        if let WordAct::Wait(time) = act {
            self.now += time;
            return Ok(None);
        }
        let settled = self.settle()?;
        if settled == Settled::TimeStops {
            return Ok(Some(WordEnd::TimeStops(position)));
        }
        let earlier = self.log.iter().take_while(|event| event.at < self.now).count();
        self.n_named = self.n_named.max(earlier);
        let unnamed = self.log.get(self.n_named).map(|event| event.what.clone());
        Ok(match (act, unnamed) {
            (WordAct::Input(_), _) if settled == Settled::Open => Some(WordEnd::Open(position)),
            (WordAct::Input(input), _) => match self.adds(What::Input(input.clone()))? {
                true => None,
                false => Some(WordEnd::NotTaken(position, self.taken()?)),
            },
            (WordAct::Output(output), Some(What::Output(next))) if *output == next => {
                self.n_named += 1;
                None
            }
            (WordAct::Output(output), None) if self.adds(What::Output(output.clone()))? => None,
            (WordAct::Silence, None) if self.is_silent(&self.now)? => {
                self.silent_until = Some(self.now.clone());
                None
            }
            _ => Some(WordEnd::Impossible(position)),
        })
    }

    /// Adds an event at this moment, if some run has it.
    fn adds(&mut self, what: What) -> Result<bool, SuiteFailure> {
        let at = self.now.clone();
        self.log.push(Event { at, what });
        let is_possible = self.is_silent(&self.now)?;
        match is_possible {
            true => (self.n_named, self.silent_until) = (self.log.len(), None),
            false => drop(self.log.pop()),
        }
        Ok(is_possible)
    }

    /// Adds the outputs that must have come by now.
    fn settle(&mut self) -> Result<Settled, SuiteFailure> {
        for _ in 0..MOST_OUTPUTS {
            let earlier = self.log.len().checked_sub(MOST_AT_ONCE).map(|at| &self.log[at].at);
            if earlier.is_some_and(|earlier| self.log.last().is_some_and(|last| last.at == *earlier)) {
                break;
            }
            let possible = self.possible()?;
            if self.is_silent(&self.later()?)? {
                return Ok(match possible.is_empty() {
                    true => Settled::Silent,
                    false => Settled::Open,
                });
            }
            let is_silent = self.is_silent(&self.now)?;
            let at = match possible.as_slice() {
                [] if is_silent => return Ok(Settled::Silent),
                [] => return Ok(Settled::TimeStops),
                [only] => only.from.as_ref().filter(|_| only.from == only.by),
                _ => None,
            };
            match at {
                // If time can pass up to now without the output, the output is certain only if it comes now.
                Some((at, _)) if !is_silent || *at == self.now => {
                    let (at, what) = (at.clone(), What::Output(possible[0].action.clone()));
                    self.log.push(Event { at, what });
                    self.silent_until = None;
                }
                _ => return Ok(Settled::Open),
            }
        }
        let reason = format!(
            "more than {MOST_AT_ONCE} events at one moment, or {MOST_OUTPUTS} outputs one after another: no end is seen"
        );
        Err(SuiteFailure::Unsupported { reason })
    }

    /// A moment that is later than now, and that no run reaches unless time can pass. Bounds of zones are multiples of the unit of the
    /// log, so half a unit suffices.
    fn later(&self) -> Result<BigRational, SuiteFailure> {
        let unit = TimedLog::new(self.trace(&self.now, &BigRational::zero()))?.scale;
        Ok(&self.now + BigRational::new(1.into(), (2 * unit).into()))
    }

    fn trace<'t>(&'t self, until: &'t BigRational, tolerance: &'t BigRational) -> Trace<'t> {
        Trace {
            events: &self.log,
            until,
            tolerance,
        }
    }

    /// Whether some run has the log, and then nothing until then.
    fn is_silent(&self, until: &BigRational) -> Result<bool, SuiteFailure> {
        let tolerance = BigRational::zero();
        let record = TimedLog::new(self.trace(until, &tolerance))?;
        let opponent = self.monitor.opponent(&record)?;
        let goal = SearchGoal::Silence;
        let found = self
            .monitor
            .search(&opponent, &record, GameRole::Any, goal, self.budget)?;
        Ok(found == LogExplanation::Explained)
    }

    /// The outputs that may come next, with their times up to now.
    fn possible(&self) -> Result<Vec<Allowed>, SuiteFailure> {
        let tolerance = BigRational::zero();
        let record = TimedLog::new(self.trace(&self.now, &tolerance))?.before(self.log.len());
        let opponent = self.monitor.opponent(&record)?;
        let states = self.monitor.searched(&opponent, &record, self.budget)?;
        let since = self.log.last().map_or_else(BigRational::zero, |last| last.at.clone());
        let since = match &self.silent_until {
            Some(until) => (until.clone(), true),
            None => (since, false),
        };
        let now = (self.now.clone(), false);
        let mut possible = allowed(&opponent, &states, &record);
        possible.retain_mut(|output| {
            let from = output.from.take().unwrap_or_else(|| since.clone()).max(since.clone());
            // At one moment an end that excludes it comes first.
            let by = output.by.take().filter(|by| *by < now || by.0 == now.0 && by.1);
            let by = by.unwrap_or_else(|| now.clone());
            let is_some = from.0 < by.0 || (from.0 == by.0 && !from.1 && !by.1);
            (output.from, output.by) = (Some(from), Some(by));
            is_some
        });
        Ok(possible)
    }

    /// The inputs that the game takes now.
    fn taken(&self) -> Result<Vec<String>, SuiteFailure> {
        let tolerance = BigRational::zero();
        let inputs = self
            .monitor
            .fair_inputs(self.trace(&self.now, &tolerance), self.budget)?;
        Ok(inputs.into_iter().map(str::to_owned).collect())
    }

    fn ended(self, end: WordEnd) -> Result<AnsweredWord, SuiteFailure> {
        let is_open = matches!(end, WordEnd::Whole | WordEnd::Open(_) | WordEnd::Impossible(_));
        let possible = if is_open { self.possible()? } else { Vec::new() };
        Ok(AnsweredWord {
            may_be_silent: self.is_silent(&self.now)?,
            possible,
            log: self.log,
            until: self.now,
            end,
        })
    }
}

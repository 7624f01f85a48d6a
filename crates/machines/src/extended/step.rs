//! The reaction of an extended machine to an input.
//!
//! The first rule for the input whose guard holds is taken: its actions are executed one after the other, then the
//! machine is in the target. If none holds, it stays. Then, while possible, the first rule that waits for nothing is
//! taken, else the first one for the event that was raised first (an event without an enabled rule is dropped). The
//! answer is everything that was answered on the way, `-` if nothing was. If an action fails (a variable would leave
//! its domain, a number does not fit in 64 bits, or the rules do not terminate), the machine does nothing of this: it
//! answers `error`, and its configuration is unchanged.

use std::collections::VecDeque;

use super::expr::{Chosen, Expr, Stuck, Values};
use super::source::{Action, ExtendedMachine, Options, Rule, Trigger, with_values};
use crate::SetId;
use tamper_text::Span;

/// The largest number of rules taken for one input.
const MOST_RULES: usize = 1000;

/// The answer of a machine that does nothing.
pub const QUIET: &str = "-";
/// The answer of a machine whose rules fail.
pub const ERROR: &str = "error";

/// A state with values of all variables.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Configuration {
    pub state: usize,
    pub values: Box<[i64]>,
}

/// The reason why a machine's rules fail.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Wrong {
    /// A variable would get this value.
    Range(usize, i64, Span),
    /// A number does not fit in 64 bits.
    Overflow(Span),
    /// More rules are taken than the limit.
    Endless(Span),
}

/// The reason why the next step is not known.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Blocked {
    Needs(SetId),
    Wrong(Wrong),
}

/// The result of a step: the next configuration and the answer.
pub(super) struct StepResult {
    pub to: Configuration,
    pub answer: String,
}

struct StepExecution<'a> {
    machine: &'a ExtendedMachine,
    parameters: &'a [i64],
    chosen: Chosen<'a>,
    at: Configuration,
    answers: Vec<String>,
    raised: VecDeque<usize>,
    n_rules: usize,
}

impl ExtendedMachine {
    /// The initial configuration. Initial actions that fail are skipped here; `check` reports them.
    pub(super) fn start(&self) -> Configuration {
        let mut values: Box<[i64]> = self.variables.iter().map(|variable| variable.initial).collect();
        for action in &self.start {
            if let Ok((variable, value)) = self.at_start(action, &values) {
                values[variable] = value;
            }
        }
        Configuration {
            state: self.initial,
            values,
        }
    }
    /// The variable that is set before the first input, and its value.
    pub(super) fn at_start(&self, action: &Action, variables: &[i64]) -> Result<(usize, i64), Span> {
        let Action::Assign { variable, value, span } = action else {
            return Err(Span::default());
        };
        let with = Values {
            variables,
            parameters: &[],
            chosen: &|_| None,
        };
        let value = value
            .value(with)
            .ok()
            .filter(|value| self.variables[*variable].domain.has(*value));
        value.map(|value| (*variable, value)).ok_or(*span)
    }

    /// The reaction at `from` to an event with these values.
    pub(super) fn step(
        &self,
        from: &Configuration,
        event: usize,
        values: &[i64],
        chosen: Chosen<'_>,
    ) -> Result<StepResult, Blocked> {
        let mut run = StepExecution {
            machine: self,
            parameters: values,
            chosen,
            at: from.clone(),
            answers: Vec::new(),
            raised: VecDeque::new(),
            n_rules: 0,
        };
        run.take(Trigger::Event(event))?;
        run.parameters = &[];
        loop {
            if run.take(Trigger::Always)? {
                continue;
            }
            let Some(event) = run.raised.pop_front() else {
                break;
            };
            run.take(Trigger::Event(event))?;
        }
        let answer = match run.answers.is_empty() {
            true => QUIET.to_owned(),
            false => run.answers.join(" "),
        };
        Ok(StepResult { to: run.at, answer })
    }

    /// The rules of the specification that are enabled at `from` on an event.
    pub(super) fn enabled(&self, from: &Configuration, event: usize, parameters: &[i64]) -> Result<Vec<&Rule>, Wrong> {
        let with = Values {
            variables: &from.values,
            parameters,
            chosen: &|_| Some(0),
        };
        let mut enabled = Vec::new();
        for slot in self.on(from.state, Trigger::Event(event)) {
            if let Some(rule) = &slot.rule.all[0] {
                match rule.guard.value(with) {
                    Ok(0) => {}
                    Ok(_) => enabled.push(rule),
                    Err(_) => return Err(Wrong::Overflow(rule.span)),
                }
            }
        }
        Ok(enabled)
    }
}

impl<'a> StepExecution<'a> {
    fn value(&self, of: &Expr, span: Span) -> Result<i64, Blocked> {
        let with = Values {
            variables: &self.at.values,
            parameters: self.parameters,
            chosen: self.chosen,
        };
        of.value(with).map_err(|stuck| match stuck {
            Stuck::Needs(set) => Blocked::Needs(set),
            Stuck::Overflow => Blocked::Wrong(Wrong::Overflow(span)),
        })
    }

    /// Takes the first enabled rule. Returns whether there was one.
    fn take(&mut self, trigger: Trigger) -> Result<bool, Blocked> {
        let machine = self.machine;
        for slot in machine.on(self.at.state, trigger) {
            if let Some(rule) = self.rule(&slot.rule)? {
                self.n_rules += 1;
                if self.n_rules > MOST_RULES {
                    return Err(Blocked::Wrong(Wrong::Endless(rule.span)));
                }
                self.apply(rule)?;
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The rule that a mutant has in a slot, if its guard holds. If no alternative is enabled, the choice does not
    /// matter.
    fn rule(&self, options: &'a Options<Option<Rule>>) -> Result<Option<&'a Rule>, Blocked> {
        let holding = |rule: &'a Option<Rule>| match rule {
            Some(rule) => Ok((self.value(&rule.guard, rule.span)? != 0).then_some(rule)),
            None => Ok(None),
        };
        match options.set.map(|set| (set, (self.chosen)(set))) {
            None => holding(&options.all[0]),
            Some((_, Some(choice))) => holding(&options.all[choice as usize]),
            Some((set, None)) => {
                let mut all = options.all.iter().map(holding);
                match all.all(|rule| rule == Ok(None)) {
                    true => Ok(None),
                    false => Err(Blocked::Needs(set)),
                }
            }
        }
    }

    fn pick<T>(&self, options: &'a Options<T>) -> Result<&'a T, Blocked> {
        let choice = match options.set {
            None => 0,
            Some(set) => (self.chosen)(set).ok_or(Blocked::Needs(set))?,
        };
        Ok(&options.all[choice as usize])
    }

    fn apply(&mut self, rule: &'a Rule) -> Result<(), Blocked> {
        for action in &rule.actions {
            match action {
                Action::Assign { variable, value, span } => {
                    let value = self.value(value, *span)?;
                    if !self.machine.variables[*variable].domain.has(value) {
                        return Err(Blocked::Wrong(Wrong::Range(*variable, value, *span)));
                    }
                    self.at.values[*variable] = value;
                }
                Action::Answer(options) => {
                    let answer = self.pick(options)?;
                    let mut values = Vec::new();
                    for (argument, names) in &answer.arguments {
                        let value = self.value(argument, rule.span)?;
                        let name = names.as_ref().and_then(|names| names.get(value as usize));
                        values.push(name.cloned().unwrap_or_else(|| value.to_string()));
                    }
                    self.answers.push(with_values(&answer.name, values.into_iter()));
                }
                Action::Raise(event) => self.raised.push_back(*event),
            }
        }
        self.at.state = *self.pick(&rule.target)?;
        Ok(())
    }
}

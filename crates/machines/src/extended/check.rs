//! Checks that a specification is deterministic and complete, and stays within its domains.
//!
//! First each state and input is checked alone, for all values of the variables that matter there: if that succeeds,
//! nothing has to be unfolded. Otherwise the configurations that the specification reaches are checked.

use std::collections::VecDeque;

use rustc_hash::FxHashSet;

use super::expr::Expr;
use super::source::{Action, ExtendedMachine, Rule, Trigger};
use super::step::{Blocked, Configuration, Wrong};
use tamper_text::Span;

/// The largest number of combinations of values, summed over all states and inputs, for which these are checked alone.
const MOST_VALUES: u128 = 1 << 21;

/// The rules for specifications that are nondeterministic or incomplete.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Leniency {
    /// If several rules are enabled, the first one is taken.
    pub first_of_several: bool,
    /// If no rule is enabled, the machine stays and answers `-`.
    pub stays: bool,
}

/// An error in a specification, with an example of a configuration and an input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Flaw {
    /// Two rules are enabled in one configuration.
    Several {
        /// The place of the first rule.
        first: Span,
        /// The place of the second rule.
        second: Span,
        /// A configuration and an input.
        at: String,
    },
    /// No rule is enabled in a configuration.
    Unspecified {
        /// The state of the configuration.
        state: usize,
        /// A configuration and an input.
        at: String,
    },
    /// A variable would leave its domain.
    Range {
        /// The place of the assignment.
        span: Span,
        /// The variable and the value.
        what: String,
        /// A configuration and an input.
        at: String,
    },
    /// A number does not fit in 64 bits.
    Overflow {
        /// The place of the expression.
        span: Span,
        /// A configuration and an input.
        at: String,
    },
    /// The rules do not terminate.
    Endless {
        /// The place of one of the rules.
        span: Span,
        /// A configuration and an input.
        at: String,
    },
    /// The actions before the first input depend on choices, fail, or do more than set variables.
    Start {
        /// The place of the action.
        span: Span,
    },
    /// There are more configurations than the limit.
    TooMany(usize),
}

/// The method by which a specification was found to be sound.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Checked {
    /// State by state, reachable or not.
    Locally,
    /// By unfolding the specification to this number of configurations.
    Unfolded(usize),
}

impl ExtendedMachine {
    /// Checks that the specification has exactly one enabled rule for every reachable configuration and every input,
    /// and that its actions are possible.
    ///
    /// # Errors
    /// The flaws, each once.
    pub fn check(&self, leniency: Leniency, most: usize) -> Result<Checked, Vec<Flaw>> {
        let mut values: Vec<i64> = self.variables.iter().map(|variable| variable.initial).collect();
        for action in &self.start {
            match self.at_start(action, &values) {
                Ok((variable, value)) => values[variable] = value,
                Err(span) => return Err(vec![Flaw::Start { span }]),
            }
        }
        let waits = |rule: &Rule| self.start_depends(rule);
        if let Some(rule) = self.rules_at_once(self.initial).find(|rule| waits(rule)) {
            return Err(vec![Flaw::Start { span: rule.span }]);
        }
        if self.is_sound_locally(leniency) {
            return Ok(Checked::Locally);
        }
        self.check_reachable(leniency, most)
    }

    fn rules_at_once(&self, state: usize) -> impl Iterator<Item = &Rule> {
        let slots = self.on(state, Trigger::Always);
        slots.flat_map(|slot| slot.rule.all.iter().flatten())
    }
    /// Whether the rule may be enabled before the first input, for some choices.
    fn start_depends(&self, rule: &Rule) -> bool {
        let start = self.start();
        let with = super::expr::Values {
            variables: &start.values,
            parameters: &[],
            chosen: &|_| None,
        };
        rule.guard.value(with) != Ok(0)
    }

    fn is_sound_locally(&self, leniency: Leniency) -> bool {
        let has_chains = self.slots.iter().flatten().any(|slot| slot.trigger == Trigger::Always)
            || self
                .rules()
                .any(|rule| rule.actions.iter().any(|action| matches!(action, Action::Raise(_))));
        let inputs = self.inputs();
        let cells = || (0..self.states.len()).flat_map(|state| inputs.iter().map(move |input| (state, input)));
        let n_values = |(state, (event, _)): (usize, &(usize, Vec<i64>))| {
            let used = self.used(state, *event);
            let sizes = used.iter().map(|variable| self.variables[*variable].domain.size());
            sizes.fold(1_u128, u128::saturating_mul)
        };
        !has_chains
            && cells().map(n_values).fold(0, u128::saturating_add) <= MOST_VALUES
            && cells().all(|(state, (event, values))| self.is_sound_at(state, *event, values, leniency))
    }
    fn is_sound_at(&self, state: usize, event: usize, values: &[i64], leniency: Leniency) -> bool {
        let used = self.used(state, event);
        let mut at = self.start();
        at.state = state;
        for variable in &used {
            at.values[*variable] = self.variables[*variable].domain.low;
        }
        loop {
            if !self.flaws_at(&at, event, values, leniency).0.is_empty() {
                return false;
            }
            // Moves to the next combination of values.
            let Some(variable) = used
                .iter()
                .find(|variable| at.values[**variable] < self.variables[**variable].domain.high)
            else {
                return true;
            };
            at.values[*variable] += 1;
            for before in used.iter().take_while(|before| *before != variable) {
                at.values[*before] = self.variables[*before].domain.low;
            }
        }
    }
    /// The variables that the specification's rules for an event read.
    fn used(&self, state: usize, event: usize) -> Vec<usize> {
        let mut used = Vec::new();
        let mut look = |expr: &Expr| {
            expr.visit(&mut |part| {
                if let Expr::Var(variable) = part
                    && !used.contains(variable)
                {
                    used.push(*variable);
                }
            });
        };
        for slot in self.on(state, Trigger::Event(event)) {
            let Some(rule) = &slot.rule.all[0] else { continue };
            look(&rule.guard);
            for action in &rule.actions {
                match action {
                    Action::Assign { value, .. } => look(value),
                    Action::Answer(options) => options.all[0].arguments.iter().for_each(|(argument, _)| look(argument)),
                    Action::Raise(_) => {}
                }
            }
        }
        used
    }

    fn check_reachable(&self, leniency: Leniency, most: usize) -> Result<Checked, Vec<Flaw>> {
        let inputs = self.inputs();
        let start = self.start();
        let mut known = FxHashSet::from_iter([start.clone()]);
        let mut agenda = VecDeque::from([start]);
        let mut flaws: Vec<Flaw> = Vec::new();
        while let Some(at) = agenda.pop_front() {
            for (event, values) in &inputs {
                let (found, to) = self.flaws_at(&at, *event, values, leniency);
                for flaw in found {
                    if !flaws.iter().any(|other| other.is_like(&flaw)) {
                        flaws.push(flaw);
                    }
                }
                if let Some(to) = to.filter(|to| !known.contains(to)) {
                    if known.len() >= most {
                        flaws.push(Flaw::TooMany(most));
                        return Err(flaws);
                    }
                    known.insert(to.clone());
                    agenda.push_back(to);
                }
            }
        }
        match flaws.is_empty() {
            true => Ok(Checked::Unfolded(known.len())),
            false => Err(flaws),
        }
    }

    /// The flaws at a configuration on an input, and the next configuration of the specification.
    fn flaws_at(
        &self,
        from: &Configuration,
        event: usize,
        values: &[i64],
        leniency: Leniency,
    ) -> (Vec<Flaw>, Option<Configuration>) {
        let at = || {
            format!(
                "{} on {}",
                self.show_configuration(from),
                self.show_input(event, values)
            )
        };
        let mut flaws = Vec::new();
        match self.enabled(from, event, values).as_deref() {
            Ok([]) if !leniency.stays => flaws.push(Flaw::Unspecified {
                state: from.state,
                at: at(),
            }),
            Ok([first, second, ..]) if !leniency.first_of_several => flaws.push(Flaw::Several {
                first: first.span,
                second: second.span,
                at: at(),
            }),
            Err(Wrong::Overflow(span)) if !leniency.first_of_several => {
                flaws.push(Flaw::Overflow { span: *span, at: at() })
            }
            _ => {}
        }
        match self.step(from, event, values, &|_| Some(0)) {
            Ok(done) => return (flaws, Some(done.to)),
            Err(Blocked::Wrong(Wrong::Range(variable, value, span))) => {
                let what = format!("{} := {value}", self.variables[variable].name);
                flaws.push(Flaw::Range { span, what, at: at() });
            }
            Err(Blocked::Wrong(Wrong::Overflow(span))) => flaws.push(Flaw::Overflow { span, at: at() }),
            Err(Blocked::Wrong(Wrong::Endless(span))) => flaws.push(Flaw::Endless { span, at: at() }),
            // All choices of the specification are fixed, so none is needed.
            Err(Blocked::Needs(_)) => {}
        }
        (flaws, None)
    }

    fn show_configuration(&self, at: &Configuration) -> String {
        let values = self.variables.iter().zip(&at.values);
        let values: Vec<String> = values
            .map(|(variable, value)| format!("{}={}", variable.name, variable.domain.show(*value)))
            .collect();
        match values.as_slice() {
            [] => self.states[at.state].clone(),
            _ => format!("{} with {}", self.states[at.state], values.join(", ")),
        }
    }
}

impl Flaw {
    /// Whether it is the same flaw, found at another configuration.
    fn is_like(&self, other: &Self) -> bool {
        match (self, other) {
            (
                Self::Several { first, second, .. },
                Self::Several {
                    first: other_first,
                    second: other_second,
                    ..
                },
            ) => (first, second) == (other_first, other_second),
            (Self::Unspecified { state, .. }, Self::Unspecified { state: other, .. }) => state == other,
            (Self::Range { span, .. }, Self::Range { span: other, .. })
            | (Self::Overflow { span, .. }, Self::Overflow { span: other, .. })
            | (Self::Endless { span, .. }, Self::Endless { span: other, .. }) => span == other,
            _ => self == other,
        }
    }
}

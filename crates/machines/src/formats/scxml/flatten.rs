//! Simple states with all that super-states give them.

use super::super::extended::{Draft, Type};
use super::chart::{Chart, Choice, Transition};
use super::content::{Content, Terms};
use super::names::{declare, done, is_meant};
use crate::{Domain, Expr, Options, Rule, RuleAction, RuleAnswer, Slot, Trigger};
use tamper_text::{Diagnostic, Span};

/// Makes the rules of an extended machine of `chart`.
pub(super) fn flatten(chart: &Chart, draft: &mut Draft) {
    declare(chart, draft);
    let simple = (1..chart.states.len()).filter(|state| chart.states[*state].children.is_empty());
    let mut flattening = Flattening {
        chart,
        draft,
        numbers: vec![None; chart.states.len()],
    };
    for state in simple.clone() {
        flattening.number(state);
    }
    if let Err(error) = flattening.start() {
        flattening.draft.diagnostics.push(error);
    }
    for state in simple {
        flattening.slots(state);
    }
}

struct Flattening<'c, 'd> {
    chart: &'c Chart,
    draft: &'d mut Draft,
    /// By simple state: its number in the machine.
    numbers: Vec<Option<usize>>,
}

/// Something that is done on the way from one simple state to another.
enum Step<'c> {
    Do(&'c Content),
    /// A state comes to its end.
    Done(usize),
}

impl<'c> Flattening<'c, '_> {
    fn number(&mut self, state: usize) {
        let mut path: Vec<String> = Vec::new();
        let mut at = state;
        while at != 0 {
            let own = &self.chart.states[at];
            path.push(own.id.clone().unwrap_or_else(|| format!("state-{at}")));
            at = own.parent;
        }
        path.reverse();
        self.numbers[state] = Some(self.draft.state(&path.join("."), self.chart.states[state].span));
    }

    /// Where the chart starts: only assignments are possible on the way.
    fn start(&mut self) -> Result<(), Diagnostic> {
        let mut steps = Vec::new();
        let leaf = self.descend(0, &mut steps)?;
        let refuse = |message: &str, span: Span, help: &str| Err(Diagnostic::error(message, span).with_help(help));
        let mut actions = Vec::new();
        for step in &steps {
            match step {
                Step::Do(content @ Content::Assign { .. }) => actions.push(self.action(content, &[])?),
                Step::Do(Content::Send { span, .. } | Content::Raise { span, .. }) => {
                    return refuse(
                        "this happens before the first input, where no test can see it",
                        *span,
                        "before the first input a chart can only assign",
                    );
                }
                Step::Done(_) => {}
            }
        }
        if self.chart.states[leaf].is_final {
            let span = self.chart.states[leaf].span;
            return refuse("a final state before the first input", span, "start in another state");
        }
        self.draft.initial = self.numbers[leaf];
        self.draft.start = actions;
        Ok(())
    }

    /// Enters what `state` contains by default: its initial transition, down to a simple state.
    fn descend(&self, state: usize, steps: &mut Vec<Step<'c>>) -> Result<usize, Diagnostic> {
        let chart = self.chart;
        let own = &chart.states[state];
        let target = match (&own.initial, own.children.first()) {
            (None, None) => return Ok(state),
            (Some((_, _, span)), None) => {
                let error = Diagnostic::error("a simple state has no initial state", *span);
                return Err(error.with_help("leave it out"));
            }
            (None, Some(first)) => *first,
            (Some((id, content, span)), Some(_)) => {
                steps.extend(content.iter().map(Step::Do));
                match chart.ids.get(id).filter(|target| chart.is_below(**target, state)) {
                    Some(target) => *target,
                    None => {
                        let error = Diagnostic::error(format!("`{id}` is no state below this one"), *span);
                        return Err(error.with_help("name one that is"));
                    }
                }
            }
        };
        self.enter(target, state, steps)
    }

    /// Enters all states from below `from` down to `target`, and what that contains by default.
    fn enter(&self, target: usize, from: usize, steps: &mut Vec<Step<'c>>) -> Result<usize, Diagnostic> {
        let chart = self.chart;
        for state in chart.path(from, target) {
            let own = &chart.states[state];
            steps.extend(own.entry.iter().map(Step::Do));
            if own.is_final && own.parent != 0 {
                steps.push(Step::Done(own.parent));
            }
        }
        self.descend(target, steps)
    }

    /// The rules of a simple state: its own transitions first, then those of the states around it.
    fn slots(&mut self, leaf: usize) {
        let chart = self.chart;
        let Some(number) = self.numbers[leaf] else { return };
        let mut at = leaf;
        while at != 0 {
            for choice in &chart.states[at].transitions {
                for trigger in self.triggers(choice) {
                    let rule = |transition: &'c Option<Transition>| match transition {
                        Some(transition) if self.waits_for(transition, trigger) => {
                            self.rule(leaf, at, transition, trigger).map(Some)
                        }
                        _ => Ok(None),
                    };
                    let all: Result<Vec<_>, Diagnostic> = choice.all.iter().map(rule).collect();
                    match all {
                        Ok(all) => self.draft.slots[number].push(Slot {
                            trigger,
                            rule: Options { set: choice.set, all },
                        }),
                        // A transition is wrong in every state that inherits it.
                        Err(error) if !self.draft.diagnostics.contains(&error) => self.draft.diagnostics.push(error),
                        Err(_) => {}
                    }
                }
            }
            at = chart.states[at].parent;
        }
    }

    /// What the transition, or one that mutants may have instead, waits for, in order.
    fn triggers(&self, choice: &Choice) -> Vec<Trigger> {
        let events = (0..self.draft.scope.events.len()).map(Trigger::Event);
        let all = [Trigger::Always].into_iter().chain(events);
        let waits = |trigger: &Trigger| {
            let mut transitions = choice.all.iter().flatten();
            transitions.any(|transition| self.waits_for(transition, *trigger))
        };
        all.filter(waits).collect()
    }
    fn waits_for(&self, transition: &Transition, trigger: Trigger) -> bool {
        match trigger {
            Trigger::Always => transition.events.is_empty(),
            Trigger::Event(event) => {
                let name = &self.draft.scope.events[event].name;
                transition.events.iter().any(|descriptor| is_meant(descriptor, name))
            }
        }
    }

    /// What a transition of `source` does in the simple state `leaf`.
    fn rule(
        &self,
        leaf: usize,
        source: usize,
        transition: &'c Transition,
        trigger: Trigger,
    ) -> Result<Rule, Diagnostic> {
        let chart = self.chart;
        let parameters: &[(String, Domain)] = match trigger {
            Trigger::Event(event) => &self.draft.scope.events[event].parameters,
            Trigger::Always => &[],
        };
        let guard = match &transition.guard {
            None => Expr::yes(),
            Some(terms) => self.typed(terms, parameters, &Type::Bool)?,
        };
        let mut steps: Vec<Step<'c>> = Vec::new();
        let to = match &transition.target {
            None => {
                steps.extend(transition.content.iter().map(Step::Do));
                leaf
            }
            Some(id) => {
                let Some(target) = chart.ids.get(id).copied() else {
                    let error = Diagnostic::error(format!("there is no state `{id}`"), transition.span);
                    return Err(error.with_help("name the id of a state"));
                };
                let stays = transition.is_internal && chart.is_below(target, source);
                let domain = if stays { source } else { chart.around(source, target) };
                let mut at = leaf;
                while at != domain {
                    steps.extend(chart.states[at].exit.iter().map(Step::Do));
                    at = chart.states[at].parent;
                }
                steps.extend(transition.content.iter().map(Step::Do));
                let to = self.enter(target, domain, &mut steps)?;
                if chart.states[to].is_final && chart.states[to].parent == 0 {
                    // The chart ends, and leaves its last state.
                    steps.extend(chart.states[to].exit.iter().map(Step::Do));
                }
                to
            }
        };
        let action = |step: &Step<'c>| match step {
            Step::Do(content) => self.action(content, parameters),
            Step::Done(state) => Ok(RuleAction::Raise(self.event(&done(chart, *state), transition.span)?)),
        };
        let actions: Result<Vec<RuleAction>, Diagnostic> = steps.iter().map(action).collect();
        Ok(Rule {
            guard,
            actions: actions?,
            target: Options::one(self.numbers[to].unwrap_or_default()),
            span: transition.span,
        })
    }

    fn action(&self, content: &Content, parameters: &[(String, Domain)]) -> Result<RuleAction, Diagnostic> {
        match content {
            Content::Assign { variable, value, span } => {
                let Some(at) = self.draft.scope.variable(variable) else {
                    let error = Diagnostic::error(format!("there is no variable `{variable}`"), *span);
                    return Err(error.with_help("declare it by <data> in the <datamodel>"));
                };
                let own = Type::of(&self.draft.scope.variables[at].domain);
                Ok(RuleAction::Assign {
                    variable: at,
                    value: self.typed(value, parameters, &own)?,
                    span: *span,
                })
            }
            Content::Send {
                set, names, arguments, ..
            } => {
                let mut values = Vec::with_capacity(arguments.len());
                for argument in arguments {
                    let (_, own) = self.draft.scope.lower(&argument.all[0], parameters)?;
                    values.push((self.typed(argument, parameters, &own)?, own.names()));
                }
                let answer = |name: &String| RuleAnswer {
                    name: name.clone(),
                    arguments: values.clone(),
                };
                Ok(RuleAction::Answer(Options {
                    set: *set,
                    all: names.iter().map(answer).collect(),
                }))
            }
            Content::Raise { event, span } => Ok(RuleAction::Raise(self.event(event, *span)?)),
        }
    }

    /// An event without values.
    fn event(&self, name: &str, span: Span) -> Result<usize, Diagnostic> {
        let known = self.draft.scope.event(name);
        known
            .filter(|event| self.draft.scope.events[*event].parameters.is_empty())
            .ok_or_else(|| {
                let error = Diagnostic::error(format!("`{name}` cannot be raised: it has values"), span);
                error.with_help("give it another name")
            })
    }

    fn typed(&self, terms: &Terms, parameters: &[(String, Domain)], wanted: &Type) -> Result<Expr, Diagnostic> {
        let exprs = terms
            .all
            .iter()
            .map(|term| self.draft.scope.typed(term, parameters, wanted));
        let mut exprs: Vec<Expr> = exprs.collect::<Result<_, _>>()?;
        Ok(match terms.set {
            Some(set) => Expr::Choice(set, exprs),
            None => exprs.swap_remove(0),
        })
    }
}

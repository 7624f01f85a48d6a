//! Flattens a chart: its configurations become states of an extended machine.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::super::extended::{ExtendedDraft, Type};
use super::chart::{Chart, ChartTransition, StateKind, TransitionAlternatives};
use super::content::{Content, Terms};
use super::moves::{ChartConfiguration, MicrostepAction, TakenTransition};
use super::names::{declare, done, is_meant};
use crate::{Domain, Expr, Op, Options, Rule, RuleAction, RuleAnswer, Slot, Trigger};
use tamper_text::{Diagnostic, Span, StopReason};

/// The largest number of rules of a chart with regions or histories, for all of its configurations together.
const MOST_WAYS: usize = 100_000;

/// Makes the rules of an extended machine from `chart`; at most `most` if it has regions or histories.
pub(super) fn flatten(chart: &Chart, draft: &mut ExtendedDraft, most: usize) {
    declare(chart, draft);
    if !chart.check(draft) {
        return;
    }
    let states = || 1..chart.states.len();
    let transitions = chart.states.iter().flat_map(|state| &state.transitions);
    let transitions = transitions.flat_map(|choice| choice.all.iter().flatten());
    let named = transitions.map(|transition| chart.named(&transition.targets));
    let named: BTreeSet<usize> = named
        .chain((0..chart.states.len()).map(|state| chart.initial(state)))
        .flatten()
        .collect();
    let is_plain = states().all(|state| matches!(chart.states[state].kind, StateKind::State | StateKind::Final));
    let most_ways = if is_plain { usize::MAX } else { most.min(MOST_WAYS) };
    let mut flattening = Flattening {
        chart,
        draft,
        numbers: BTreeMap::new(),
        agenda: VecDeque::new(),
        remembered: states()
            .filter(|state| chart.is_history(*state) && named.contains(state))
            .collect(),
        n_ways: 0,
        most_ways,
    };
    for state in states().filter(|state| is_plain && chart.states[*state].children.is_empty()) {
        let active = chart.around(state).chain([state]).collect();
        flattening.number(ChartConfiguration {
            active,
            ..ChartConfiguration::default()
        });
    }
    if let Err(error) = flattening.start() {
        flattening.draft.diagnostics.push(error);
    }
    while let Some(from) = flattening.agenda.pop_front() {
        flattening.slots(&from);
        if flattening.n_ways > most_ways {
            let message = format!("the chart has more than {most_ways} ways to react, all its configurations together");
            let error = Diagnostic::error(message, chart.states[0].span);
            let error = error.with_help("fewer regions that run at once, fewer histories, or fewer faults");
            draft.diagnostics.push(match most < MOST_WAYS {
                true => error.with_limit(StopReason::States),
                false => error,
            });
            return;
        }
    }
}

struct Flattening<'c, 'd> {
    chart: &'c Chart,
    draft: &'d mut ExtendedDraft,
    /// By configuration: its number in the machine.
    numbers: BTreeMap<ChartConfiguration, usize>,
    /// The configurations whose rules are not made yet.
    agenda: VecDeque<ChartConfiguration>,
    /// The histories that are targets.
    remembered: BTreeSet<usize>,
    /// The number of rules, one for each alternative.
    n_ways: usize,
    most_ways: usize,
}

/// The joint reaction of several active simple states to an event, while it is built.
struct Together<'c, 'f> {
    from: &'f ChartConfiguration,
    trigger: Trigger,
    /// By active simple state: the candidates that may react, each a state and the number of a choice of transitions
    /// there, inner ones first.
    lists: Vec<Vec<(usize, usize)>>,
    /// By decided candidate: whether it reacts.
    decided: BTreeMap<(usize, usize), bool>,
    /// The conditions of the decisions so far.
    guards: Vec<Expr>,
    taken: Vec<TakenTransition<'c>>,
}

impl<'c> Flattening<'c, '_> {
    /// The number of the configuration, which is added if it is new.
    fn number(&mut self, configuration: ChartConfiguration) -> usize {
        if let Some(known) = self.numbers.get(&configuration) {
            return *known;
        }
        let chart = self.chart;
        let path = |state: usize| {
            let mut path: Vec<String> = [state]
                .into_iter()
                .chain(chart.around(state))
                .map(|at| name(chart, at))
                .collect();
            path.reverse();
            path.join(".")
        };
        let paths = |states: &[usize]| {
            states
                .iter()
                .map(|state| path(*state))
                .collect::<Vec<String>>()
                .join("+")
        };
        let atoms = self.atoms(&configuration);
        let mut whole = paths(&atoms);
        for (history, kept) in &configuration.history {
            whole += &format!("@{}={}", name(chart, *history), paths(kept));
        }
        let (next, span) = (
            self.draft.states.len(),
            atoms.first().map(|atom| chart.states[*atom].span),
        );
        let number = self.draft.state(&whole, span.unwrap_or_default());
        if number < next {
            let message = format!("two states are called `{whole}` when they are flattened");
            self.draft
                .error(message, span.unwrap_or_default(), "give one another id");
        }
        self.numbers.insert(configuration.clone(), number);
        self.agenda.push_back(configuration);
        number
    }
    /// The active simple states.
    fn atoms(&self, at: &ChartConfiguration) -> Vec<usize> {
        let active = at.active.iter().copied();
        active
            .filter(|state| self.chart.states[*state].children.is_empty())
            .collect()
    }

    /// Builds the initial state: only assignments are possible on the way.
    fn start(&mut self) -> Result<(), Diagnostic> {
        let chart = self.chart;
        let (start, steps) = chart.start();
        let refuse = |message: &str, span: Span, help: &str| Err(Diagnostic::error(message, span).with_help(help));
        let mut actions = Vec::new();
        for step in &steps {
            match step {
                MicrostepAction::Do(content @ Content::Assign { .. }) => actions.push(self.action(content, &[])?),
                MicrostepAction::Do(Content::Send { span, .. } | Content::Raise { span, .. }) => {
                    return refuse(
                        "this happens before the first input, where no test can see it",
                        *span,
                        "before the first input a chart can only assign",
                    );
                }
                MicrostepAction::Done(_) => {}
            }
        }
        if let Some(state) = start
            .active
            .iter()
            .find(|state| chart.states[**state].kind == StateKind::Final)
        {
            let span = chart.states[*state].span;
            return refuse("a final state before the first input", span, "start in another state");
        }
        self.draft.initial = Some(self.number(start));
        self.draft.start = actions;
        Ok(())
    }

    /// Adds the rules of a configuration: for each active simple state its own rules first, then the rules of its
    /// ancestors.
    fn slots(&mut self, from: &ChartConfiguration) {
        let chart = self.chart;
        let choices = |atom: &usize| {
            let states = [*atom].into_iter().chain(chart.around(*atom));
            let own = |state: usize| (0..chart.states[state].transitions.len()).map(move |at| (state, at));
            states.flat_map(own).collect::<Vec<_>>()
        };
        let lists: Vec<Vec<(usize, usize)>> = self.atoms(from).iter().map(choices).collect();
        if let [list] = lists.as_slice() {
            return list.iter().for_each(|place| self.alone(from, *place));
        }
        let events = (0..self.draft.scope.events.len()).map(Trigger::Event);
        for trigger in [Trigger::Always].into_iter().chain(events) {
            let waits = |(source, at): &(usize, usize)| {
                let mut all = chart.states[*source].transitions[*at].all.iter().flatten();
                all.any(|transition| self.waits_for(transition, trigger))
            };
            let waiting = |list: &Vec<(usize, usize)>| list.iter().copied().filter(waits).collect();
            let mut together = Together {
                from,
                trigger,
                lists: lists.iter().map(waiting).collect(),
                decided: BTreeMap::new(),
                guards: Vec::new(),
                taken: Vec::new(),
            };
            if let Err(error) = self.decide(&mut together, (0, 0)) {
                self.report(error);
            }
        }
    }
    /// Reports an error once: a wrong transition is found again in every configuration that can take it.
    fn report(&mut self, error: Diagnostic) {
        if !self.draft.diagnostics.contains(&error) {
            self.draft.diagnostics.push(error);
        }
    }
    fn add(&mut self, from: &ChartConfiguration, trigger: Trigger, rule: Options<Option<Rule>>) {
        if let Some(number) = self.numbers.get(from) {
            self.draft.slots[*number].push(Slot { trigger, rule });
        }
    }

    /// Adds the rules of one choice of transitions in a configuration with one active simple state.
    fn alone(&mut self, from: &ChartConfiguration, (source, at): (usize, usize)) {
        let choice = &self.chart.states[source].transitions[at];
        for trigger in self.triggers(choice) {
            let mut rule = |transition: &'c Option<ChartTransition>| match transition {
                Some(transition) if self.waits_for(transition, trigger) => {
                    let guard = self.guard(transition, trigger)?;
                    self.rule(from, &[TakenTransition { source, transition }], guard, trigger)
                        .map(Some)
                }
                _ => Ok(None),
            };
            let all: Result<Vec<_>, Diagnostic> = choice.all.iter().map(&mut rule).collect();
            match all {
                Ok(all) => self.add(from, trigger, Options { set: choice.set, all }),
                Err(error) => self.report(error),
            }
        }
    }

    /// Decides which candidates react, from position `next` in `list` on. Adds a rule for each possible outcome; their
    /// guards are mutually exclusive, and in the order in which the standard evaluates guards.
    fn decide(&mut self, way: &mut Together<'c, '_>, (list, next): (usize, usize)) -> Result<(), Diagnostic> {
        if self.n_ways > self.most_ways {
            return Ok(());
        }
        let Some(places) = way.lists.get(list) else {
            return self.ended(way);
        };
        let Some(&(source, at)) = places.get(next) else {
            return self.decide(way, (list + 1, 0));
        };
        match way.decided.get(&(source, at)) {
            Some(true) => return self.decide(way, (list + 1, 0)),
            Some(false) => return self.decide(way, (list, next + 1)),
            None => {}
        }
        let choice = &self.chart.states[source].transitions[at];
        let mut guards = Vec::with_capacity(choice.all.len());
        for transition in &choice.all {
            guards.push(match transition {
                Some(transition) if self.waits_for(transition, way.trigger) => self.guard(transition, way.trigger)?,
                _ => Expr::Const(0),
            });
        }
        way.decided.insert((source, at), true);
        for (number, transition) in choice.all.iter().enumerate() {
            let (Some(transition), false) = (transition, guards[number] == Expr::Const(0)) else {
                continue;
            };
            let only = |other: usize| {
                if other == number {
                    guards[other].clone()
                } else {
                    Expr::Const(0)
                }
            };
            way.guards.push(one_of(choice, (0..guards.len()).map(only).collect()));
            way.taken.push(TakenTransition { source, transition });
            self.decide(way, (list + 1, 0))?;
            way.taken.pop();
            way.guards.pop();
        }
        way.decided.insert((source, at), false);
        if guards.iter().any(|guard| *guard != Expr::yes()) {
            way.guards.push(Expr::Not(Box::new(one_of(choice, guards))));
            self.decide(way, (list, next + 1))?;
            way.guards.pop();
        }
        way.decided.remove(&(source, at));
        Ok(())
    }
    /// Adds the rule for the decisions made.
    fn ended(&mut self, way: &Together<'c, '_>) -> Result<(), Diagnostic> {
        if way.taken.is_empty() {
            return Ok(());
        }
        let taken = self.chart.without_conflicts(way.from, &way.taken);
        let both = |a: Expr, b: &Expr| Expr::Binary(Op::And, Box::new(a), Box::new(b.clone()));
        let guard = way.guards[1..].iter().fold(way.guards[0].clone(), both);
        let rule = self.rule(way.from, &taken, guard, way.trigger)?;
        self.add(way.from, way.trigger, Options::one(Some(rule)));
        Ok(())
    }

    /// The triggers of the transition and of its alternatives in mutants, in order.
    fn triggers(&self, choice: &TransitionAlternatives) -> Vec<Trigger> {
        let events = (0..self.draft.scope.events.len()).map(Trigger::Event);
        let all = [Trigger::Always].into_iter().chain(events);
        let waits = |trigger: &Trigger| {
            let mut transitions = choice.all.iter().flatten();
            transitions.any(|transition| self.waits_for(transition, *trigger))
        };
        all.filter(waits).collect()
    }
    fn waits_for(&self, transition: &ChartTransition, trigger: Trigger) -> bool {
        match trigger {
            Trigger::Always => transition.events.is_empty(),
            Trigger::Event(event) => {
                let name = &self.draft.scope.events[event].name;
                transition.events.iter().any(|descriptor| is_meant(descriptor, name))
            }
        }
    }

    fn parameters(&self, trigger: Trigger) -> &[(String, Domain)] {
        match trigger {
            Trigger::Event(event) => &self.draft.scope.events[event].parameters,
            Trigger::Always => &[],
        }
    }
    fn guard(&self, transition: &ChartTransition, trigger: Trigger) -> Result<Expr, Diagnostic> {
        match &transition.guard {
            None => Ok(Expr::yes()),
            Some(terms) => self.typed(terms, self.parameters(trigger), &Type::Bool),
        }
    }

    /// The rule for transitions that are taken at once.
    fn rule(
        &mut self,
        from: &ChartConfiguration,
        taken: &[TakenTransition<'c>],
        guard: Expr,
        trigger: Trigger,
    ) -> Result<Rule, Diagnostic> {
        let chart = self.chart;
        self.n_ways += 1;
        let (to, steps) = chart.microstep(from, taken, &self.remembered);
        let span = taken[0].transition.span;
        let action = |step: &MicrostepAction<'c>| match step {
            MicrostepAction::Do(content) => self.action(content, self.parameters(trigger)),
            MicrostepAction::Done(state) => Ok(RuleAction::Raise(self.event(&done(chart, *state), span)?)),
        };
        let actions = steps
            .iter()
            .map(action)
            .collect::<Result<Vec<RuleAction>, Diagnostic>>()?;
        let target = Options::one(self.number(to));
        Ok(Rule {
            guard,
            actions,
            target,
            span,
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

/// The name of a state in paths.
fn name(chart: &Chart, state: usize) -> String {
    chart.states[state]
        .id
        .clone()
        .unwrap_or_else(|| format!("state-{state}"))
}

/// The guard of the alternative that a mutant has, out of the guards of all alternatives.
fn one_of(choice: &TransitionAlternatives, mut guards: Vec<Expr>) -> Expr {
    match choice.set {
        Some(set) => Expr::Choice(set, guards),
        None => guards.swap_remove(0),
    }
}

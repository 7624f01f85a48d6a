//! Hierarchical machines, executed step by step as the standard says, by recursion over their trees.

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::direct::{Alt, Direct, E};

#[derive(Clone, Debug)]
pub enum Do {
    Assign(usize, Alt<E>),
    /// Names of the answer, and a value.
    Send(Alt<String>, Option<Alt<E>>),
    Raise(String),
}

#[derive(Clone, Debug)]
pub struct Tr {
    /// Descriptors; none waits for nothing.
    pub events: Vec<String>,
    pub cond: Option<Alt<E>>,
    pub targets: Vec<usize>,
    pub internal: bool,
    pub content: Vec<Do>,
}

/// A transition of the specification and what mutants may have instead.
#[derive(Clone, Debug)]
pub struct Choice {
    pub all: Alt<Option<Tr>>,
    /// Behind the first, how many differ in the target only, and whether it may be missing; the rest are elements of their own.
    pub n_targets: usize,
    pub missing: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Kind {
    #[default]
    State,
    Final,
    Parallel,
    /// Deep ones remember all that is below.
    History(bool),
}

#[derive(Clone, Debug, Default)]
pub struct Node {
    pub parent: usize,
    /// Histories included.
    pub children: Vec<usize>,
    pub kind: Kind,
    pub entry: Vec<Do>,
    pub exit: Vec<Do>,
    /// The targets and what is done; of a history, while it has nothing to remember.
    pub initial: Option<(Vec<usize>, Vec<Do>)>,
    pub transitions: Vec<Choice>,
}

#[derive(Clone, Debug)]
pub struct Chart {
    pub vars: Vec<(i128, i128, i128)>,
    /// By input: the values of its parameter `p`, if it has one.
    pub inputs: Vec<(String, Option<(i128, i128)>)>,
    /// The root first, parents before children, in document order.
    pub nodes: Vec<Node>,
    pub sizes: Vec<usize>,
    pub seen: Cell<Seen>,
}

/// What came up while a chart was executed.
#[derive(Clone, Copy, Default, Debug)]
pub struct Seen {
    /// Transitions of different regions of which one excludes the other.
    pub conflict: bool,
    /// Several transitions at once.
    pub together: bool,
    /// What a history remembered was entered.
    pub remembered: bool,
    /// All regions came to their end.
    pub ended: bool,
}

type History = BTreeMap<usize, Vec<usize>>;

/// The active states, the values, whether the chart has not ended, and what histories remember.
pub type At = (BTreeSet<usize>, Vec<i128>, bool, History);

/// What is executed, and what cannot be.
struct Run<'a> {
    chart: &'a Chart,
    choices: &'a [u32],
    active: BTreeSet<usize>,
    values: Vec<i128>,
    history: History,
    running: bool,
    queue: VecDeque<String>,
    answers: Vec<String>,
    param: Option<i128>,
    failed: bool,
}

impl Chart {
    fn is_descendant(&self, state: usize, of: usize) -> bool {
        state != 0 && (self.nodes[state].parent == of || self.is_descendant(self.nodes[state].parent, of))
    }
    fn is_within(&self, state: usize, other: usize) -> bool {
        state == other || self.is_descendant(state, other)
    }
    /// Without histories.
    fn children(&self, state: usize) -> impl DoubleEndedIterator<Item = usize> {
        let children = self.nodes[state].children.iter().copied();
        children.filter(|child| !matches!(self.nodes[*child].kind, Kind::History(_)))
    }
    fn is_simple(&self, state: usize) -> bool {
        self.children(state).next().is_none()
    }
    fn is_compound(&self, state: usize) -> bool {
        !self.is_simple(state) && self.nodes[state].kind != Kind::Parallel
    }
    fn initial(&self, state: usize) -> (Vec<usize>, &[Do]) {
        match &self.nodes[state].initial {
            Some((targets, content)) => (targets.clone(), content),
            None => (self.children(state).take(1).collect(), &[]),
        }
    }
    /// The paths of the active simple states.
    pub fn name(&self, at: &At) -> String {
        fn path(chart: &Chart, state: usize) -> String {
            match chart.nodes[state].parent {
                0 => format!("n{state}"),
                parent => format!("{}.n{state}", path(chart, parent)),
            }
        }
        let simple = at.0.iter().filter(|state| self.is_simple(**state));
        simple.map(|state| path(self, *state)).collect::<Vec<_>>().join("+")
    }
    fn see(&self, change: impl Fn(&mut Seen)) {
        let mut seen = self.seen.get();
        change(&mut seen);
        self.seen.set(seen);
    }

    /// Numbers the choices as they come in the file.
    pub fn numbered(mut self) -> Self {
        let mut sizes = Vec::new();
        fn content(all: &mut [Do], sizes: &mut Vec<usize>) {
            for one in all {
                match one {
                    Do::Assign(_, value) => value.number(sizes),
                    Do::Send(names, value) => {
                        value.iter_mut().for_each(|value| value.number(sizes));
                        names.number(sizes);
                    }
                    Do::Raise(_) => {}
                }
            }
        }
        for node in &mut self.nodes {
            content(&mut node.entry, &mut sizes);
            content(&mut node.exit, &mut sizes);
            if let Some((_, all)) = &mut node.initial {
                content(all, &mut sizes);
            }
            for choice in &mut node.transitions {
                let n_first = 1 + choice.n_targets + usize::from(choice.missing);
                let n_all = choice.all.all.len();
                let own = |tr: &mut Tr, sizes: &mut Vec<usize>| {
                    tr.cond.iter_mut().for_each(|cond| cond.number(sizes));
                    content(&mut tr.content, sizes);
                };
                if let Some(first) = &mut choice.all.all[0] {
                    own(first, &mut sizes);
                }
                let first = choice.all.all[0].clone();
                // What differs in the target only shares what is done.
                for other in &mut choice.all.all[1..=choice.n_targets] {
                    let targets = other.as_ref().map(|other| other.targets.clone()).unwrap_or_default();
                    *other = first.clone().map(|first| Tr { targets, ..first });
                }
                let mut is_numbered = n_first > 1;
                if is_numbered {
                    choice.all.choice = sizes.len();
                    sizes.push(n_all);
                }
                for other in &mut choice.all.all[n_first..] {
                    own(other.as_mut().expect("an element of its own"), &mut sizes);
                    if !is_numbered {
                        is_numbered = true;
                        choice.all.choice = sizes.len();
                        sizes.push(n_all);
                    }
                }
            }
        }
        self.sizes = sizes;
        self
    }

    fn run<'a>(&'a self, choices: &'a [u32]) -> Run<'a> {
        Run {
            chart: self,
            choices,
            active: BTreeSet::new(),
            history: History::new(),
            values: self.vars.iter().map(|(_, _, initial)| *initial).collect(),
            running: true,
            queue: VecDeque::new(),
            answers: Vec::new(),
            param: None,
            failed: false,
        }
    }

    /// Whether the chart may be read: before the first input it only assigns, in one way, and the specification never fails.
    pub fn is_sound(&self) -> bool {
        let specification = vec![0; self.sizes.len()];
        let run = self.run(&specification);
        let mut entered = Vec::new();
        run.enter_below(0, &run.meant(&self.initial(0).0), &mut entered);
        let all: Vec<&Do> = entered.iter().flat_map(|(_, content)| content).collect();
        // All mutants assign the same values.
        let mut values: Vec<i128> = self.vars.iter().map(|(_, _, initial)| *initial).collect();
        for one in all {
            let Do::Assign(var, value) = one else { return false };
            let mut alternatives = value.all.iter().map(|value| value.value(&values, 0));
            let first = alternatives.next().expect("one at least");
            if !alternatives.all(|other| other == first) {
                return false;
            }
            values[*var] = first;
        }
        let start = match self.try_start() {
            Some(start) if start.2 && !start.0.iter().any(|state| self.nodes[*state].kind == Kind::Final) => start,
            _ => return false,
        };
        // Nothing may be possible at once, whatever mutants have.
        for state in &start.0 {
            for choice in &self.nodes[*state].transitions {
                for tr in choice.all.all.iter().flatten().filter(|tr| tr.events.is_empty()) {
                    let holds = |e: &E| e.value(&start.1, 0) == 1;
                    if tr.cond.as_ref().is_none_or(|cond| cond.all.iter().any(holds)) {
                        return false;
                    }
                }
            }
        }
        let mut known = BTreeSet::from([start.clone()]);
        let mut agenda = VecDeque::from([start]);
        while let Some(at) = agenda.pop_front() {
            for word in self.words() {
                let (answer, to) = self.step(&specification, &at, word);
                if answer == "error" {
                    return false;
                }
                if known.insert(to.clone()) {
                    agenda.push_back(to);
                }
            }
        }
        true
    }
    fn try_start(&self) -> Option<At> {
        let specification = vec![0; self.sizes.len()];
        let mut run = self.run(&specification);
        let mut entered = Vec::new();
        run.enter_below(0, &run.meant(&self.initial(0).0), &mut entered);
        run.enter(entered);
        (!run.failed).then_some((run.active, run.values, run.running, run.history))
    }
}

impl Direct for Chart {
    type At = At;
    fn sizes(&self) -> &[usize] {
        &self.sizes
    }
    fn words(&self) -> Vec<(usize, i128)> {
        let mut words = Vec::new();
        for (input, (_, values)) in self.inputs.iter().enumerate() {
            let (low, high) = values.unwrap_or((0, 0));
            words.extend((low..=high).map(|value| (input, value)));
        }
        words
    }
    fn start(&self) -> At {
        self.try_start().expect("a chart that can be read")
    }

    /// One round of mainEventLoop: a macrostep on an external event, with all that follows from it.
    fn step(&self, choices: &[u32], at: &At, (input, param): (usize, i128)) -> (String, At) {
        if !at.2 {
            return ("-".to_owned(), at.clone());
        }
        let mut run = self.run(choices);
        (run.active, run.values, run.running, run.history) = at.clone();
        run.param = Some(param);
        let mut n_steps = 0;
        let mut enabled = run.select(Some(&self.inputs[input].0));
        loop {
            n_steps += usize::from(!enabled.is_empty());
            if n_steps > 1000 {
                return ("error".to_owned(), at.clone());
            }
            run.microstep(&enabled);
            if run.failed {
                return ("error".to_owned(), at.clone());
            }
            run.param = None;
            if !run.running {
                break;
            }
            enabled = run.select(None);
            if enabled.is_empty() {
                match run.queue.pop_front() {
                    Some(event) => enabled = run.select(Some(&event)),
                    None => break,
                }
            }
        }
        let answer = if run.answers.is_empty() {
            "-".to_owned()
        } else {
            run.answers.join(" ")
        };
        (answer, (run.active, run.values, run.running, run.history))
    }
}

impl<'a> Run<'a> {
    fn value(&self, of: &Alt<E>) -> i128 {
        of.of(self.choices).value(&self.values, self.param.unwrap_or(0))
    }
    fn execute(&mut self, content: &[Do]) {
        for one in content {
            if self.failed {
                return;
            }
            match one {
                Do::Assign(var, value) => {
                    let value = self.value(value);
                    let (low, high, _) = self.chart.vars[*var];
                    self.failed |= value < low || value > high;
                    self.values[*var] = value;
                }
                Do::Send(names, value) => {
                    let name = names.of(self.choices);
                    self.answers.push(match value {
                        None => name.clone(),
                        Some(value) => format!("{name}({})", self.value(value)),
                    });
                }
                Do::Raise(event) => self.queue.push_back(event.clone()),
            }
        }
    }

    /// The transitions that are taken: of each active simple state the first that is enabled there or around it, without those that
    /// others exclude.
    fn select(&self, event: Option<&str>) -> Vec<(usize, &'a Tr)> {
        let chart = self.chart;
        let mut selected: Vec<(usize, &'a Tr)> = Vec::new();
        for atomic in self.active.iter().filter(|state| chart.is_simple(**state)) {
            let found = self.first_enabled(*atomic, event);
            selected.extend(found.filter(|(_, tr)| !selected.iter().any(|(_, other)| std::ptr::eq(*other, *tr))));
        }
        let mut kept: Vec<(usize, &'a Tr)> = Vec::new();
        for (source, tr) in selected {
            let conflicting = |(other_source, other): &(usize, &'a Tr)| {
                let both = [self.domain(source, tr), self.domain(*other_source, other)];
                let leaves = |state: &usize| {
                    both.iter()
                        .all(|domain| domain.is_some_and(|at| chart.is_descendant(*state, at)))
                };
                self.active.iter().any(leaves)
            };
            let (against, others): (Vec<_>, Vec<_>) = kept.iter().copied().partition(conflicting);
            chart.see(|seen| seen.conflict |= !against.is_empty());
            if against.iter().all(|(other, _)| chart.is_descendant(source, *other)) {
                kept = others;
                kept.push((source, tr));
            }
        }
        chart.see(|seen| seen.together |= kept.len() > 1);
        kept
    }
    fn first_enabled(&self, state: usize, event: Option<&str>) -> Option<(usize, &'a Tr)> {
        if state == 0 {
            return None;
        }
        for choice in &self.chart.nodes[state].transitions {
            let Some(tr) = choice.all.of(self.choices) else {
                continue;
            };
            let is_meant = match event {
                None => tr.events.is_empty(),
                Some(event) => tr.events.iter().any(|descriptor| matches(descriptor, event)),
            };
            if is_meant && tr.cond.as_ref().is_none_or(|cond| self.value(cond) == 1) {
                return Some((state, tr));
            }
        }
        self.first_enabled(self.chart.nodes[state].parent, event)
    }

    /// The states that targets stand for, and what histories without memory do in their parents.
    fn meant(&self, targets: &[usize]) -> (Vec<usize>, Vec<(usize, Vec<Do>)>) {
        let (mut states, mut contents) = (Vec::new(), Vec::new());
        for target in targets {
            match (self.chart.nodes[*target].kind, self.history.get(target)) {
                (Kind::History(_), Some(kept)) => states.extend(kept),
                (Kind::History(_), None) => {
                    let (by_default, content) = self.chart.initial(*target);
                    contents.push((self.chart.nodes[*target].parent, content.to_vec()));
                    states.extend(by_default);
                }
                _ => states.push(*target),
            }
        }
        (states, contents)
    }
    fn domain(&self, source: usize, tr: &Tr) -> Option<usize> {
        let (chart, targets) = (self.chart, self.meant(&tr.targets).0);
        let has_all = |state: usize| targets.iter().all(|target| chart.is_descendant(*target, state));
        if targets.is_empty() {
            return None;
        }
        if tr.internal && chart.is_compound(source) && has_all(source) {
            return Some(source);
        }
        let mut at = chart.nodes[source].parent;
        while !(chart.is_compound(at) && has_all(at)) {
            at = chart.nodes[at].parent;
        }
        Some(at)
    }

    fn microstep(&mut self, taken: &[(usize, &'a Tr)]) {
        let chart = self.chart;
        let domains = |run: &Self| {
            let domain = |(source, tr): &(usize, &'a Tr)| run.domain(*source, tr).map(|domain| (domain, *tr));
            let mut domains: Vec<(usize, &'a Tr)> = taken.iter().filter_map(domain).collect();
            domains.sort_by_key(|(domain, _)| *domain);
            domains
        };
        let (left, before) = (domains(self), self.active.clone());
        for (domain, _) in &left {
            self.remember(*domain, &before);
        }
        for (domain, _) in left.iter().rev() {
            self.leave_below(*domain);
        }
        taken.iter().for_each(|(_, tr)| self.execute(&tr.content));
        for (domain, tr) in domains(self) {
            let mut entered = Vec::new();
            let targets = self.meant(&tr.targets);
            chart.see(|seen| seen.remembered |= tr.targets.iter().any(|target| self.history.contains_key(target)));
            self.enter_below(domain, &targets, &mut entered);
            self.enter(entered);
        }
    }
    fn remember(&mut self, domain: usize, before: &BTreeSet<usize>) {
        let chart = self.chart;
        for child in chart.children(domain).filter(|child| before.contains(child)) {
            for history in &chart.nodes[child].children {
                let Kind::History(deep) = chart.nodes[*history].kind else {
                    continue;
                };
                let is_kept = |state: &usize| match deep {
                    true => chart.is_simple(*state) && chart.is_descendant(*state, child),
                    false => chart.nodes[*state].parent == child,
                };
                self.history
                    .insert(*history, before.iter().copied().filter(is_kept).collect());
            }
            self.remember(child, before);
        }
    }
    fn leave_below(&mut self, state: usize) {
        let chart = self.chart;
        for child in chart.children(state).rev() {
            if self.active.contains(&child) {
                self.leave_below(child);
                self.execute(&chart.nodes[child].exit);
                self.active.remove(&child);
            }
        }
    }

    /// What is entered below `state` for targets there, and what is done in each.
    fn enter_below(
        &self,
        state: usize,
        targets: &(Vec<usize>, Vec<(usize, Vec<Do>)>),
        entered: &mut Vec<(usize, Vec<Do>)>,
    ) {
        let chart = self.chart;
        for child in chart.children(state) {
            let has_target = targets.0.iter().any(|target| chart.is_within(*target, child));
            if !has_target && chart.nodes[state].kind != Kind::Parallel {
                continue;
            }
            let mut content = chart.nodes[child].entry.clone();
            let goes_on = targets.0.iter().any(|target| chart.is_descendant(*target, child));
            let by_default = !goes_on && chart.is_compound(child);
            let (initial, more) = chart.initial(child);
            if by_default {
                content.extend_from_slice(more);
                chart.see(|seen| seen.remembered |= initial.iter().any(|target| self.history.contains_key(target)));
            }
            let own = if by_default {
                self.meant(&initial)
            } else {
                targets.clone()
            };
            let here = targets.1.iter().chain(if by_default { own.1.as_slice() } else { &[] });
            let here = here.filter(|(parent, _)| *parent == child);
            content.extend(here.flat_map(|(_, content)| content.clone()));
            entered.push((child, content));
            self.enter_below(child, &own, entered);
        }
    }
    fn enter(&mut self, entered: Vec<(usize, Vec<Do>)>) {
        let chart = self.chart;
        for (state, content) in entered {
            let node = &chart.nodes[state];
            self.active.insert(state);
            self.execute(&content);
            if node.kind == Kind::Final && node.parent == 0 {
                self.running = false;
                self.execute(&node.exit);
            } else if node.kind == Kind::Final {
                let around = chart.nodes[node.parent].parent;
                self.queue.push_back(format!("done.state.n{}", node.parent));
                if chart.nodes[around].kind == Kind::Parallel && self.is_at_end(around) {
                    chart.see(|seen| seen.ended = true);
                    self.queue.push_back(format!("done.state.n{around}"));
                }
            }
        }
    }
    fn is_at_end(&self, state: usize) -> bool {
        let chart = self.chart;
        match chart.nodes[state].kind {
            Kind::Parallel => chart.children(state).all(|child| self.is_at_end(child)),
            _ => chart
                .children(state)
                .any(|child| self.active.contains(&child) && chart.nodes[child].kind == Kind::Final),
        }
    }
}

fn matches(descriptor: &str, event: &str) -> bool {
    let mut words = descriptor.trim_end_matches(".*").split('.');
    let mut own = event.split('.');
    descriptor == "*" || words.all(|word| own.next() == Some(word))
}

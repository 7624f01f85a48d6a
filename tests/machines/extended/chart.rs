//! Hierarchical machines by the algorithm of the standard's appendix D, step by step on sets of states, and as SCXML.

use std::collections::{BTreeSet, VecDeque};
use std::fmt::Write as _;

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
    pub target: Option<usize>,
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

#[derive(Clone, Debug, Default)]
pub struct Node {
    pub parent: usize,
    pub children: Vec<usize>,
    pub is_final: bool,
    pub entry: Vec<Do>,
    pub exit: Vec<Do>,
    /// The target, what is done, and whether it is an attribute.
    pub initial: Option<(usize, Vec<Do>)>,
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
}

/// The active states, the values, and whether the chart has not ended.
pub type At = (BTreeSet<usize>, Vec<i128>, bool);

/// What is executed, and what cannot be.
struct Run<'a> {
    chart: &'a Chart,
    choices: &'a [u32],
    active: BTreeSet<usize>,
    values: Vec<i128>,
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
    fn proper_ancestors(&self, state: usize, up_to: Option<usize>) -> Vec<usize> {
        let mut all = Vec::new();
        let mut at = state;
        while at != 0 {
            at = self.nodes[at].parent;
            if Some(at) == up_to {
                break;
            }
            all.push(at);
        }
        all
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
                    let target = other.as_ref().and_then(|other| other.target);
                    *other = first.clone().map(|first| Tr { target, ..first });
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
        let entered = run.enter_all(0, &[]);
        let mut all: Vec<&Do> = Vec::new();
        for state in &entered.0 {
            all.extend(&self.nodes[*state].entry);
            if entered.1.contains(state) {
                all.extend(self.nodes[*state].initial.iter().flat_map(|(_, content)| content));
            }
        }
        if entered.1.contains(&0) {
            all.extend(self.nodes[0].initial.iter().flat_map(|(_, content)| content));
        }
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
            Some(start) if start.2 && !start.0.iter().any(|state| self.nodes[*state].is_final) => start,
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
        run.enter(0, None);
        (!run.failed).then_some((run.active, run.values, run.running))
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
        (run.active, run.values, run.running) = at.clone();
        run.param = Some(param);
        let mut n_steps = 0;
        let mut enabled = run.select(Some(&self.inputs[input].0));
        loop {
            if let Some((source, tr)) = enabled {
                n_steps += 1;
                if n_steps > 1000 {
                    return ("error".to_owned(), at.clone());
                }
                run.microstep(source, tr);
                if run.failed {
                    return ("error".to_owned(), at.clone());
                }
            }
            run.param = None;
            if !run.running {
                break;
            }
            enabled = run.select(None);
            if enabled.is_none() {
                match run.queue.pop_front() {
                    Some(event) => enabled = run.select(Some(&event)),
                    None => break,
                }
                if enabled.is_none() && run.queue.is_empty() {
                    break;
                }
            }
        }
        let answer = if run.answers.is_empty() {
            "-".to_owned()
        } else {
            run.answers.join(" ")
        };
        (answer, (run.active, run.values, run.running))
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

    /// The first enabled transition of the active simple state and the states around it.
    fn select(&self, event: Option<&str>) -> Option<(usize, &'a Tr)> {
        let chart = self.chart;
        let atomic = *self
            .active
            .iter()
            .find(|state| chart.nodes[**state].children.is_empty())?;
        let around = chart.proper_ancestors(atomic, None);
        for state in [atomic].into_iter().chain(around) {
            for choice in &chart.nodes[state].transitions {
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
        }
        None
    }

    fn microstep(&mut self, source: usize, tr: &'a Tr) {
        let chart = self.chart;
        let Some(target) = tr.target else {
            self.execute(&tr.content);
            return;
        };
        let is_compound = !chart.nodes[source].children.is_empty();
        let domain = if tr.internal && is_compound && chart.is_descendant(target, source) {
            source
        } else {
            let mut around = chart.proper_ancestors(source, None).into_iter();
            around
                .find(|other| chart.is_descendant(target, *other))
                .expect("the root")
        };
        let exits: Vec<usize> = self
            .active
            .iter()
            .copied()
            .filter(|state| chart.is_descendant(*state, domain))
            .collect();
        for state in exits.into_iter().rev() {
            self.execute(&chart.nodes[state].exit);
            self.active.remove(&state);
        }
        self.execute(&tr.content);
        self.enter(domain, Some(target));
    }

    /// The states to enter, and those of them that are entered by default.
    fn enter_all(&self, domain: usize, targets: &[usize]) -> (BTreeSet<usize>, BTreeSet<usize>) {
        let (mut to_enter, mut by_default) = (BTreeSet::new(), BTreeSet::new());
        if targets.is_empty() {
            self.add_default(domain, (&mut to_enter, &mut by_default));
        }
        for target in targets {
            self.add_descendants(*target, (&mut to_enter, &mut by_default));
            to_enter.extend(self.chart.proper_ancestors(*target, Some(domain)));
        }
        (to_enter, by_default)
    }
    fn add_descendants(&self, state: usize, (to_enter, by_default): (&mut BTreeSet<usize>, &mut BTreeSet<usize>)) {
        to_enter.insert(state);
        if !self.chart.nodes[state].children.is_empty() {
            self.add_default(state, (to_enter, by_default));
        }
    }
    fn add_default(&self, state: usize, (to_enter, by_default): (&mut BTreeSet<usize>, &mut BTreeSet<usize>)) {
        by_default.insert(state);
        let node = &self.chart.nodes[state];
        let initial = node.initial.as_ref().map_or(node.children[0], |(target, _)| *target);
        self.add_descendants(initial, (to_enter, by_default));
        to_enter.extend(self.chart.proper_ancestors(initial, Some(state)));
    }

    /// enterStates: below `domain`, to the target, or by default.
    fn enter(&mut self, domain: usize, target: Option<usize>) {
        let chart = self.chart;
        let (to_enter, by_default) = self.enter_all(domain, target.as_slice());
        if target.is_none() {
            let content = chart.nodes[domain].initial.iter().flat_map(|(_, content)| content);
            self.execute(&content.cloned().collect::<Vec<Do>>());
        }
        // Document order is the order of numbers.
        for state in to_enter {
            let node = &chart.nodes[state];
            self.active.insert(state);
            self.execute(&node.entry);
            if by_default.contains(&state)
                && let Some((_, content)) = &node.initial
            {
                self.execute(content);
            }
            if node.is_final && node.parent == 0 {
                self.running = false;
                // exitInterpreter
                self.execute(&node.exit);
            } else if node.is_final {
                self.queue.push_back(format!("done.state.n{}", node.parent));
            }
        }
    }
}

fn matches(descriptor: &str, event: &str) -> bool {
    let mut words = descriptor.trim_end_matches(".*").split('.');
    let mut own = event.split('.');
    descriptor == "*" || words.all(|word| own.next() == Some(word))
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

fn expr(e: &E) -> String {
    escaped(&e.show().replace('p', "_event.data.p"))
}

/// ` name="first" tamper:name="others"`
fn attributes<T>(name: &str, of: &Alt<T>, show: &dyn Fn(&T) -> String) -> String {
    let all: Vec<String> = of.all.iter().map(show).collect();
    match all.split_first() {
        Some((first, [])) => format!(" {name}=\"{first}\""),
        Some((first, others)) => format!(" {name}=\"{first}\" tamper:{name}=\"{}\"", others.join(" | ")),
        None => String::new(),
    }
}

impl Chart {
    /// The chart as SCXML.
    pub fn show(&self) -> String {
        let mut text = String::from(
            "<scxml xmlns=\"http://www.w3.org/2005/07/scxml\" xmlns:tamper=\"urn:tamper:mutation\" version=\"1.0\"",
        );
        let inputs = self.inputs.iter().map(|(name, values)| match values {
            None => name.clone(),
            Some((low, high)) => format!("{name}(p : {low}..{high})"),
        });
        let _ = write!(text, " tamper:inputs=\"{}\"", inputs.collect::<Vec<_>>().join(" "));
        if let Some((target, _)) = &self.nodes[0].initial {
            let _ = write!(text, " initial=\"n{target}\"");
        }
        text.push_str(">\n<datamodel>\n");
        for (at, (low, high, initial)) in self.vars.iter().enumerate() {
            let _ = writeln!(
                text,
                "<data id=\"v{at}\" expr=\"{initial}\" tamper:range=\"{low}..{high}\"/>"
            );
        }
        text.push_str("</datamodel>\n");
        for child in &self.nodes[0].children {
            self.show_state(*child, &mut text);
        }
        text.push_str("</scxml>\n");
        text
    }

    fn show_state(&self, at: usize, text: &mut String) {
        let node = &self.nodes[at];
        let tag = if node.is_final { "final" } else { "state" };
        let _ = writeln!(text, "<{tag} id=\"n{at}\">");
        for (name, content) in [("onentry", &node.entry), ("onexit", &node.exit)] {
            if !content.is_empty() {
                let _ = writeln!(text, "<{name}>{}</{name}>", self.show_content(content));
            }
        }
        if let Some((target, content)) = &node.initial {
            let inside = self.show_content(content);
            let _ = writeln!(
                text,
                "<initial><transition target=\"n{target}\">{inside}</transition></initial>"
            );
        }
        for choice in &node.transitions {
            self.show_choice(choice, text);
        }
        for child in &node.children {
            self.show_state(*child, text);
        }
        let _ = writeln!(text, "</{tag}>");
    }
    fn show_choice(&self, choice: &Choice, text: &mut String) {
        let mut more = String::new();
        let targets = choice.all.all[1..=choice.n_targets].iter().flatten();
        let targets: Vec<String> = targets
            .filter_map(|tr| tr.target.map(|target| format!("n{target}")))
            .collect();
        if !targets.is_empty() {
            let _ = write!(more, " tamper:target=\"{}\"", targets.join(" | "));
        }
        if choice.missing {
            more.push_str(" tamper:missing=\"true\"");
        }
        for (number, tr) in choice.all.all.iter().enumerate() {
            let Some(tr) = tr else { continue };
            let tag = match number {
                0 => "transition",
                _ if number > choice.n_targets => "tamper:transition",
                _ => continue,
            };
            let own = if number == 0 { more.as_str() } else { "" };
            let events = if tr.events.is_empty() {
                String::new()
            } else {
                format!(" event=\"{}\"", tr.events.join(" "))
            };
            let cond = tr
                .cond
                .as_ref()
                .map_or(String::new(), |cond| attributes("cond", cond, &expr));
            let target = tr
                .target
                .map_or(String::new(), |target| format!(" target=\"n{target}\""));
            let kind = if tr.internal { " type=\"internal\"" } else { "" };
            let content = self.show_content(&tr.content);
            // What a mutant may have instead waits for the same events where it names none; here it always names them.
            let _ = writeln!(text, "<{tag}{events}{cond}{target}{kind}{own}>{content}</{tag}>");
        }
    }
    fn show_content(&self, content: &[Do]) -> String {
        let show = |one: &Do| match one {
            Do::Assign(var, value) => format!("<assign location=\"v{var}\"{}/>", attributes("expr", value, &expr)),
            Do::Send(names, None) => {
                format!(
                    "<send{} target=\"#_parent\"/>",
                    attributes("event", names, &String::clone)
                )
            }
            Do::Send(names, Some(value)) => format!(
                "<send{} target=\"#_parent\"><param name=\"x\"{}/></send>",
                attributes("event", names, &String::clone),
                attributes("expr", value, &expr)
            ),
            Do::Raise(event) => format!("<raise event=\"{event}\"/>"),
        };
        content.iter().map(show).collect()
    }
}

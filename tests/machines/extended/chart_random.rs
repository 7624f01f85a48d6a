//! Random hierarchical machines.

use std::cell::Cell;

use super::chart::{Chart, Choice, Do, Kind, Node, Tr};
use super::direct::{Alt, E};
use super::random::{Drawing, Tape, variables};

/// A chart, with regions that run at once and histories if `wide`.
pub fn chart(tape: &mut Tape<'_>, wide: bool) -> Chart {
    let vars = variables(tape);
    let mut inputs: Vec<(String, Option<(i128, i128)>)> = vec![("a".to_owned(), None)];
    if tape.below(2) == 0 {
        inputs.push(("a.b".to_owned(), None));
    }
    if tape.below(2) == 0 {
        inputs.push(("c".to_owned(), Some((0, tape.below(3) as i128))));
    }
    let mut nodes = vec![Node::default()];
    let n_top = 1 + tape.below(if wide { 2 } else { 3 });
    for _ in 0..n_top {
        state(tape, (0, 0), wide, &mut nodes);
    }
    let n_states = nodes.len();
    let mut drawing = Charting {
        wide,
        has_c: inputs.iter().any(|(name, _)| name == "c"),
        has_param: false,
        inner: Drawing {
            tape,
            vars,
            n_states,
            n_machines: 1,
        },
    };
    for at in 0..n_states {
        drawing.node(at, &mut nodes);
    }
    let vars = drawing.inner.vars;
    Chart {
        vars,
        inputs,
        nodes,
        sizes: Vec::new(),
        seen: Cell::default(),
    }
    .numbered()
}

/// A state with what is below it, in document order.
fn state(tape: &mut Tape<'_>, (parent, depth): (usize, usize), wide: bool, nodes: &mut Vec<Node>) {
    let at = nodes.len();
    nodes.push(Node {
        parent,
        ..Node::default()
    });
    nodes[parent].children.push(at);
    let is_region = nodes[parent].kind == Kind::Parallel;
    let in_region = nodes[nodes[parent].parent].kind == Kind::Parallel && nodes[parent].children.len() > 1;
    let (deepest, compound) = match (wide, is_region) {
        (true, true) => (3, 4),
        (true, false) => (2, 3),
        _ => (2, 2),
    };
    if in_region || tape.below(8) == 7 && !is_region {
        nodes[at].kind = Kind::Final;
    } else if depth < deepest && tape.below(5) < compound && !(wide && nodes.len() > 10) {
        if wide && !is_region && tape.below(2) == 1 {
            nodes[at].kind = Kind::Parallel;
        }
        let n_least = if nodes[at].kind == Kind::Parallel || wide && is_region {
            2
        } else {
            1
        };
        for _ in 0..n_least + tape.below(2) {
            state(tape, (at, depth + 1), wide, nodes);
        }
        if wide && tape.below(3) > 0 {
            let next = nodes.len();
            nodes[at].children.push(next);
            nodes.push(Node {
                parent: at,
                kind: Kind::History(tape.below(2) == 0),
                ..Node::default()
            });
        }
    }
}

struct Charting<'t, 'n> {
    inner: Drawing<'t, 'n>,
    wide: bool,
    /// Whether there is an input with a value.
    has_c: bool,
    /// Whether what is drawn can name it.
    has_param: bool,
}

impl Charting<'_, '_> {
    fn below(&mut self, most: usize) -> usize {
        self.inner.tape.below(most)
    }

    fn node(&mut self, at: usize, nodes: &mut [Node]) {
        self.has_param = false;
        let is_history = matches!(nodes[at].kind, Kind::History(_));
        let is_compound = !nodes[at].children.is_empty() && nodes[at].kind != Kind::Parallel;
        if is_history || is_compound && self.below(3) == 0 {
            let within = if is_history { nodes[at].parent } else { at };
            let fits = |other: &usize| match nodes[at].kind {
                Kind::History(_) => is_below(nodes, *other, within) && !matches!(nodes[*other].kind, Kind::History(_)),
                _ => is_below(nodes, *other, at),
            };
            let below: Vec<usize> = (1..nodes.len()).filter(fits).collect();
            let target = below[self.below(below.len())];
            let content = if at > 0 && self.below(3) == 0 {
                self.content(1)
            } else {
                Vec::new()
            };
            nodes[at].initial = Some((vec![target], content));
        }
        if at == 0 || is_history {
            return;
        }
        // A chart with regions enters many states before the first input.
        let seldom = if self.wide { 10 } else { 4 };
        if self.below(seldom) == 3 {
            nodes[at].entry = self.content(2);
        }
        if self.below(4) == 3 {
            nodes[at].exit = self.content(2);
        }
        if nodes[at].kind == Kind::Final {
            return;
        }
        for _ in 0..1 + self.below(3) {
            let choice = self.choice(nodes, at);
            nodes[at].transitions.push(choice);
        }
    }

    fn choice(&mut self, nodes: &[Node], at: usize) -> Choice {
        let first = self.transition(nodes, at, true);
        let n_all = if first.targets.is_empty() {
            1
        } else {
            self.inner.several()
        };
        let mut all = vec![Some(first.clone())];
        for _ in 1..n_all {
            let targets = vec![1 + self.below(nodes.len() - 1)];
            all.push(Some(Tr {
                targets,
                ..first.clone()
            }));
        }
        let n_targets = all.len() - 1;
        let missing = n_targets == 0 && self.below(6) == 5 && self.inner.several() == 2;
        if missing {
            all.push(None);
        } else if n_targets == 0 {
            for _ in 1..self.inner.several() {
                let other = self.transition(nodes, at, false);
                // Without events it would wait for those of the first.
                let events = if other.events.is_empty() {
                    first.events.clone()
                } else {
                    other.events
                };
                all.push(Some(Tr { events, ..other }));
            }
        }
        Choice {
            all: Alt { all, choice: 0 },
            n_targets,
            missing,
        }
    }

    fn transition(&mut self, nodes: &[Node], at: usize, may_wait_for_nothing: bool) -> Tr {
        let done = (1..nodes.len()).filter(|state| nodes[*state].kind == Kind::Final && nodes[*state].parent != 0);
        let around = |state: usize| nodes[nodes[state].parent].parent;
        let ends = |state: usize| match nodes[around(state)].kind {
            Kind::Parallel => vec![nodes[state].parent, around(state)],
            _ => vec![nodes[state].parent],
        };
        let done: Vec<String> = done
            .flat_map(ends)
            .map(|state| format!("done.state.n{state}"))
            .collect();
        self.has_param = false;
        let events = match self.below(12) {
            0 if may_wait_for_nothing => Vec::new(),
            1 | 2 if self.raised() => vec!["r".to_owned()],
            3 | 4 if !done.is_empty() => vec![done[self.below(done.len())].clone()],
            5 => vec!["*".to_owned()],
            6 | 7 if self.has_c => {
                self.has_param = true;
                vec!["c".to_owned()]
            }
            _ => vec!["a".to_owned()],
        };
        let waits = events.is_empty();
        let cond = match self.below(3) {
            0 | 1 if !waits => None,
            _ => {
                let mut all = vec![self.inner.truth(self.has_param, 1)];
                for _ in 1..self.inner.several() {
                    all.push(self.inner.truth(self.has_param, 1));
                }
                Some(Alt { all, choice: 0 })
            }
        };
        let targets = if self.below(5) > 0 {
            self.targets(nodes, at)
        } else {
            Vec::new()
        };
        let internal = self.below(4) == 3 && !nodes[at].children.is_empty();
        let content = self.content(2);
        Tr {
            events,
            cond,
            targets,
            internal,
            content,
        }
    }
    /// A state, one beside `at` (the end if there is one), or states in two regions of one.
    fn targets(&mut self, nodes: &[Node], at: usize) -> Vec<usize> {
        let one = 1 + self.below(nodes.len() - 1);
        if self.wide && self.below(3) == 0 {
            let beside = &nodes[nodes[at].parent].children;
            let end = beside.iter().find(|other| nodes[**other].kind == Kind::Final);
            return vec![*end.unwrap_or(&beside[self.below(beside.len())])];
        }
        if nodes[one].kind != Kind::Parallel || self.below(2) == 1 {
            return vec![one];
        }
        let mut within = |region: &usize| {
            let fits = |at: &usize| at == region || is_below(nodes, *at, *region);
            let all: Vec<usize> = (1..nodes.len()).filter(fits).collect();
            all[self.below(all.len())]
        };
        nodes[one].children[..2].iter().map(&mut within).collect()
    }
    /// Raised events are raised somewhere, or a descriptor means none: the reader refuses that.
    fn raised(&mut self) -> bool {
        self.below(2) == 0
    }

    fn content(&mut self, most: usize) -> Vec<Do> {
        (0..self.below(most + 1)).map(|_| self.one()).collect()
    }
    fn one(&mut self) -> Do {
        let n_vars = self.inner.vars.len();
        match self.below(9) {
            0..=2 if n_vars > 0 => {
                let var = self.below(n_vars);
                let mut all = vec![self.inner.within(var)];
                for _ in 1..self.inner.several() {
                    all.push(self.inner.number(self.has_param, 1));
                }
                Do::Assign(var, Alt { all, choice: 0 })
            }
            3 => Do::Raise("r".to_owned()),
            _ => {
                let n = self.inner.several();
                let all = (0..n).map(|_| ["x", "y", "z"][self.below(3)].to_owned()).collect();
                let value = (self.below(4) == 3).then(|| self.value());
                Do::Send(Alt { all, choice: 0 }, value)
            }
        }
    }
    fn value(&mut self) -> Alt<E> {
        let all = (0..self.inner.several())
            .map(|_| self.inner.number(self.has_param, 1))
            .collect();
        Alt { all, choice: 0 }
    }
}

fn is_below(nodes: &[Node], state: usize, other: usize) -> bool {
    state != 0 && (nodes[state].parent == other || is_below(nodes, nodes[state].parent, other))
}

//! Random hierarchical machines.

use super::chart::{Chart, Choice, Do, Node, Tr};
use super::direct::{Alt, E};
use super::random::{Drawing, Tape, variables};

pub fn chart(tape: &mut Tape<'_>) -> Chart {
    let vars = variables(tape);
    let mut inputs: Vec<(String, Option<(i128, i128)>)> = vec![("a".to_owned(), None)];
    if tape.below(2) == 0 {
        inputs.push(("a.b".to_owned(), None));
    }
    if tape.below(2) == 0 {
        inputs.push(("c".to_owned(), Some((0, tape.below(3) as i128))));
    }
    let mut nodes = vec![Node::default()];
    let n_top = 1 + tape.below(3);
    for _ in 0..n_top {
        state(tape, 0, 0, &mut nodes);
    }
    let n_states = nodes.len();
    let mut drawing = Charting {
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
    }
    .numbered()
}

/// A state with what is below it, in document order.
fn state(tape: &mut Tape<'_>, parent: usize, depth: usize, nodes: &mut Vec<Node>) {
    let at = nodes.len();
    nodes.push(Node {
        parent,
        ..Node::default()
    });
    nodes[parent].children.push(at);
    if tape.below(8) == 7 {
        nodes[at].is_final = true;
    } else if depth < 2 && tape.below(5) < 2 {
        for _ in 0..1 + tape.below(2) {
            state(tape, at, depth + 1, nodes);
        }
    }
}

struct Charting<'t, 'n> {
    inner: Drawing<'t, 'n>,
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
        let is_compound = !nodes[at].children.is_empty();
        if is_compound && self.below(3) == 0 {
            let below: Vec<usize> = (1..nodes.len()).filter(|other| is_below(nodes, *other, at)).collect();
            let target = below[self.below(below.len())];
            let content = if at > 0 && self.below(3) == 0 {
                self.content(1)
            } else {
                Vec::new()
            };
            nodes[at].initial = Some((target, content));
        }
        if at == 0 {
            return;
        }
        if self.below(4) == 3 {
            nodes[at].entry = self.content(2);
        }
        if self.below(4) == 3 {
            nodes[at].exit = self.content(2);
        }
        if nodes[at].is_final {
            return;
        }
        for _ in 0..1 + self.below(3) {
            let choice = self.choice(nodes, at);
            nodes[at].transitions.push(choice);
        }
    }

    fn choice(&mut self, nodes: &[Node], at: usize) -> Choice {
        let first = self.transition(nodes, at, true);
        let n_all = if first.target.is_some() {
            self.inner.several()
        } else {
            1
        };
        let mut all = vec![Some(first.clone())];
        for _ in 1..n_all {
            let target = Some(1 + self.below(nodes.len() - 1));
            all.push(Some(Tr {
                target,
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
        let done = (1..nodes.len()).filter(|state| nodes[*state].is_final && nodes[*state].parent != 0);
        let done: Vec<String> = done
            .map(|state| format!("done.state.n{}", nodes[state].parent))
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
        let target = (self.below(5) > 0).then(|| 1 + self.below(nodes.len() - 1));
        let internal = self.below(4) == 3 && !nodes[at].children.is_empty();
        let content = self.content(2);
        Tr {
            events,
            cond,
            target,
            internal,
            content,
        }
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

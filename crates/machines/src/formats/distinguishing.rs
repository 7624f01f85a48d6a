//! Distinguishing automata in the language of Graphviz (\[000\] Figures 2 to 4).

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::dot::quote;
use crate::{AlphaAutomaton, DistinguishingAutomaton, InputId, MutationMachine};

/// The name of the accepting sink.
const SINK: &str = "\u{2207}";

/// Edges: from, to, and the names of the inputs between them.
type Edges = BTreeMap<(String, String), Vec<String>>;

/// The distinguishing automaton of `machine` (\[000\] Definition 2): a node is a pair of states, of the specification
/// and of a mutant.
pub fn write_distinguishing(machine: &MutationMachine) -> String {
    let automaton = DistinguishingAutomaton::of(machine);
    let name = |(right, own)| format!("{} {}", machine.states()[right], machine.states()[own]);
    let mut edges = Edges::new();
    for (pair, steps) in automaton.steps() {
        for (input, to) in steps {
            let to = to.map_or_else(|| SINK.to_owned(), name);
            let inputs = edges.entry((name(*pair), to)).or_default();
            inputs.push(machine.inputs()[*input].clone());
        }
    }
    graph(&name((machine.initial(), machine.initial())), &edges)
}

/// The distinguishing automaton of one sequence (\[000\] Definition 3), without nodes that cannot lead to the sink. A
/// node shows the inputs given so far, the state of the specification, and the state of a mutant.
pub fn write_distinguishing_of(machine: &MutationMachine, inputs: &[InputId]) -> String {
    let automaton = AlphaAutomaton::new(machine, inputs);
    let name = |position: usize, own| {
        let (given, right) = (&inputs[..position], machine.specification_after(&inputs[..position]));
        let given = match given {
            [] => "\u{3b5}".to_owned(),
            given => machine.show_inputs(given),
        };
        format!("{given}, {}, {}", machine.states()[right], machine.states()[own])
    };
    let mut edges = Edges::new();
    for (position, input) in inputs.iter().enumerate() {
        for own in automaton.live(position) {
            for branch in machine.branches(own, *input) {
                let target = branch.transition.target;
                let to = if automaton.is_wrong(position, branch.transition) {
                    SINK.to_owned()
                } else if automaton.is_live(position + 1, target) {
                    name(position + 1, target)
                } else {
                    continue;
                };
                let names = edges.entry((name(position, own), to)).or_default();
                let label = machine.inputs()[*input].clone();
                if !names.contains(&label) {
                    names.push(label);
                }
            }
        }
    }
    graph(&name(0, machine.initial()), &edges)
}

fn graph(start: &str, edges: &Edges) -> String {
    let mut text = "digraph distinguishing {\nrankdir=LR;\n__start0 [label=\"\" shape=\"none\"];\n".to_owned();
    let _ = writeln!(text, "__start0 -> {};", quote(start));
    let _ = writeln!(text, "{} [shape=\"doublecircle\"];", quote(SINK));
    for ((from, to), inputs) in edges {
        let _ = writeln!(
            text,
            "{} -> {} [label={}];",
            quote(from),
            quote(to),
            quote(&inputs.join(", "))
        );
    }
    text.push_str("}\n");
    text
}

//! Machines as text: one transition per line.

use super::draft::MachineDraft;
use crate::{MutationMachine, Transition};
use tamper_text::Span;
use tamper_text::words;

const SHAPE: &str = "write `STATE INPUT / OUTPUT -> STATE`, with `mutated` before it for a fault, or `initial STATE`";

/// Reads the lines of `text`.
pub(super) fn read(text: &str) -> MachineDraft {
    let mut draft = MachineDraft::default();
    let mut initial: Option<Span> = None;
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let words = before_comment(words(line, start));
        start += line.len();
        let (Some((_, first)), Some((_, last))) = (words.first(), words.last()) else {
            continue;
        };
        let span = Span::new(first.start as usize, last.end as usize);
        match words.as_slice() {
            [("initial", _), (name, at)] => {
                if let Some(earlier) = initial {
                    draft.error("the initial state is given twice", span, "keep one of the two lines");
                    if let Some(found) = draft.diagnostics.pop() {
                        draft.diagnostics.push(found.with_secondary(earlier, "the first one"));
                    }
                }
                initial = Some(span);
                let state = draft.state(name, *at);
                draft.builder.set_initial(state);
            }
            [from, input, ("/", _), output, ("->", _), to] => {
                transition(&mut draft, [*from, *input, *output, *to], false, span);
            }
            [("mutated", _), from, input, ("/", _), output, ("->", _), to] => {
                transition(&mut draft, [*from, *input, *output, *to], true, span);
            }
            _ => draft.error("this line is no transition", span, SHAPE),
        }
    }
    if draft.spans.is_empty() && draft.diagnostics.is_empty() {
        draft.error("the file has no transition", Span::new(0, text.len().min(1)), SHAPE);
    }
    draft
}

fn transition(draft: &mut MachineDraft, [from, input, output, to]: [(&str, Span); 4], mutated: bool, span: Span) {
    let (state, input) = (draft.state(from.0, from.1), draft.builder.input(input.0));
    let transition = Transition {
        output: draft.builder.output(output.0),
        target: draft.state(to.0, to.1),
    };
    draft.add(state, input, transition, mutated, span);
}

/// The words before the first one that starts with `#`.
pub(super) fn before_comment(mut words: Vec<(&str, Span)>) -> Vec<(&str, Span)> {
    let end = words.iter().position(|(word, _)| word.starts_with('#'));
    words.truncate(end.unwrap_or(words.len()));
    words
}

/// `machine` as text; reading it gives the same machine.
pub fn write_machine(machine: &MutationMachine) -> String {
    let mut text = format!("initial {}\n", machine.states()[machine.initial()]);
    for state in machine.states().ids() {
        for input in machine.inputs().ids() {
            for (choice, branch) in machine.branches(state, input).iter().enumerate() {
                let transition = branch.transition;
                let mark = if choice == 0 { "" } else { "mutated " };
                text.push_str(&format!(
                    "{mark}{} {} / {} -> {}\n",
                    machine.states()[state],
                    machine.inputs()[input],
                    machine.outputs()[transition.output],
                    machine.states()[transition.target]
                ));
            }
        }
    }
    text
}

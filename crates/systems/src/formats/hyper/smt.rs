//! Decides in SMT-LIB, over the states of both systems, whether a mutant is killed by a test up to a given length.
//!
//! States, inputs and outputs are bit vectors with the numbers that the systems give them; the steps are a relation
//! each. A kill by fewer inputs is also a kill by more, as every state has a step for every input.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use super::circuit::bits;
use crate::{InputId, Pair, StateId, TransitionSystem};
use tamper_text::Id;

tamper_text::named! {
    /// The question about the pair.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum Question {
        /// Some run of the mutant differs from every run of the specification in some step (\[004\] Definition 3).
        Potential = "potential",
        /// After some inputs every run of the mutant differs from every run of the specification in some step (Definition 4).
        Blind = "blind",
        /// `Potential` as printed in \[004\] section 5.3: some run of the specification differs from every run of the
        /// mutant in the last step.
        PotentialAsPrinted = "potential-as-printed",
        /// `Blind` as printed: every run differs from every other in the last step.
        BlindAsPrinted = "blind-as-printed",
    }
}

/// The width of a bit vector that tells `n` numbers apart: at least 1.
fn width(n: usize) -> usize {
    bits(n).max(1)
}

struct Sorts {
    state: usize,
    input: usize,
    output: usize,
    /// The outputs before the first input, numbered in this order; not encoded if there is only one.
    first: Vec<String>,
}

fn number(number: usize, width: usize) -> String {
    format!("(_ bv{number} {width})")
}

/// The question for tests of `bound` inputs: `sat` if a test kills.
pub fn write_smt(pair: &Pair, question: Question, bound: usize) -> String {
    let systems = [pair.mutant(), pair.specification()];
    let first: BTreeSet<String> = systems
        .iter()
        .flat_map(|system| system.starts().keys().cloned())
        .collect();
    let first: Vec<String> = first.into_iter().collect();
    let sorts = Sorts {
        state: width(pair.mutant().n_states().max(pair.specification().n_states())),
        input: width(pair.inputs().len()),
        output: width(pair.outputs().len().max(first.len())),
        first,
    };
    let mut text = format!(
        "; {}: is there such a test of {bound} inputs?\n(set-logic ALL)\n(define-sort State () (_ BitVec {}))\n\
         (define-sort Input () (_ BitVec {}))\n(define-sort Output () (_ BitVec {}))\n",
        question.name(),
        sorts.state,
        sorts.input,
        sorts.output
    );
    relation(&mut text, "mutant", pair.mutant(), &sorts);
    relation(&mut text, "specification", pair.specification(), &sorts);
    for step in 1..=bound {
        text.push_str(&format!("(declare-const i{step} Input)\n"));
    }
    let last = number(pair.inputs().len() - 1, sorts.input);
    for step in 1..=bound {
        text.push_str(&format!("(assert (bvule i{step} {last}))\n"));
    }
    let looks = sorts.first.len() > 1;
    text.push_str(&Runs { bound, looks }.asked(question));
    text.push_str("(check-sat)\n");
    text
}

/// Runs with a number of inputs.
struct Runs {
    bound: usize,
    /// Whether there are different outputs before the first input.
    looks: bool,
}

/// Constants with their sorts.
type SmtConstants = Vec<(String, &'static str)>;

impl Runs {
    /// The formula that the constants named by these letters are a run of the system.
    fn run(&self, system: &str, state: char, output: char) -> String {
        let steps = (1..=self.bound).map(|step| {
            let before = step - 1;
            format!("({system}-step {state}{before} i{step} {output}{step} {state}{step})")
        });
        let steps: Vec<String> = steps.collect();
        let first = if self.looks {
            format!(" {output}0")
        } else {
            String::new()
        };
        format!("(and ({system}-start {state}0{first}) {})", steps.join(" "))
    }
    fn states(&self, state: char) -> SmtConstants {
        (0..=self.bound)
            .map(|step| (format!("{state}{step}"), "State"))
            .collect()
    }
    fn outputs(&self, output: char) -> SmtConstants {
        let steps = usize::from(!self.looks)..=self.bound;
        steps.map(|step| (format!("{output}{step}"), "Output")).collect()
    }

    fn asked(&self, question: Question) -> String {
        let (mutant, original) = (self.run("mutant", 'x', 'o'), self.run("specification", 'y', 'o'));
        let other = self.run("specification", 'y', 'p');
        let last = format!("(not (= o{0} p{0}))", self.bound);
        let (xs, ys) = (self.states('x'), self.states('y'));
        let (os, ps) = (self.outputs('o'), self.outputs('p'));
        match question {
            Question::Potential => format!(
                "{}(assert {mutant})\n(assert (forall ({}) (not {original})))\n",
                declare(&[xs, os].concat()),
                bind(&ys)
            ),
            // No two runs may have the same outputs.
            Question::Blind => format!(
                "(assert (forall ({}) (not (and {mutant} {original}))))\n",
                bind(&[xs, ys, os].concat())
            ),
            Question::PotentialAsPrinted => format!(
                "{}(assert {other})\n(assert (forall ({}) (=> {mutant} {last})))\n",
                declare(&[ys, ps].concat()),
                bind(&[xs, os].concat())
            ),
            Question::BlindAsPrinted => format!(
                "(assert (forall ({}) (=> (and {mutant} {other}) {last})))\n",
                bind(&[xs, os, ys, ps].concat())
            ),
        }
    }
}

fn declare(names: &[(String, &str)]) -> String {
    let lines = names
        .iter()
        .map(|(name, sort)| format!("(declare-const {name} {sort})\n"));
    lines.collect()
}

fn bind(names: &[(String, &str)]) -> String {
    let names: Vec<String> = names.iter().map(|(name, sort)| format!("({name} {sort})")).collect();
    names.join(" ")
}

/// Writes the initial states of a system, and its steps.
fn relation(text: &mut String, name: &str, system: &TransitionSystem, sorts: &Sorts) {
    let looks = sorts.first.len() > 1;
    let mut starts = String::new();
    for (place, seen) in sorts.first.iter().enumerate() {
        for state in system.starts().get(seen).into_iter().flatten() {
            let state = format!("(= x {})", number(state.index(), sorts.state));
            let _ = match looks {
                true => write!(starts, " (and (= o {}) {state})", number(place, sorts.output)),
                false => write!(starts, " {state}"),
            };
        }
    }
    let first = if looks { " (o Output)" } else { "" };
    let _ = writeln!(
        text,
        "(define-fun {name}-start ((x State){first}) Bool (or false{starts}))"
    );
    let _ = writeln!(
        text,
        "(define-fun {name}-step ((x State) (i Input) (o Output) (y State)) Bool (or false"
    );
    for state in (0..system.n_states()).map(StateId::from_index) {
        for input in (0..system.inputs().len()).map(InputId::from_index) {
            let steps = system.steps(state, input).iter().map(|step| {
                let output = number(step.output.index(), sorts.output);
                format!(
                    "(and (= o {output}) (= y {}))",
                    number(step.target.index(), sorts.state)
                )
            });
            let steps: Vec<String> = steps.collect();
            let _ = writeln!(
                text,
                "  (and (= x {}) (= i {}) (or false {}))",
                number(state.index(), sorts.state),
                number(input.index(), sorts.input),
                steps.join(" ")
            );
        }
    }
    text.push_str("))\n");
}

//! The formulas phi1 to phi4 of \[004\] section 4 about a conditional mutant, and phi^A.

use super::ProgramCircuit;
use crate::{Domain, Observed, Program};

tamper_text::named! {
    /// One of the formulas.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum Formula {
        /// Deterministic systems: some run of each with the same inputs and different outputs.
        Phi1 = "phi1",
        /// Potential kills: some run of the mutant differs from all runs of the specification.
        Phi2 = "phi2",
        /// Blind kills: after some inputs all runs differ.
        Phi3 = "phi3",
        /// Blind kills of mutants of a deterministic specification.
        Phi4 = "phi4",
    }
}

/// A tool's spelling of formulas.
struct FormulaSyntax {
    and: &'static str,
    or: &'static str,
    not: &'static str,
    /// Spells a variable, the first operand, in a run, the second.
    holds: fn(&str, char) -> String,
    /// Spells that a variable is equal in two runs.
    same: fn(&str, bool, char, char) -> String,
}

const HYPER_QB: FormulaSyntax = FormulaSyntax {
    and: "/\\",
    or: "\\/",
    not: "~",
    holds: |name, run| format!("{name}[{run}]"),
    same: |name, is_boolean, one, other| match is_boolean {
        true => format!("({name}[{one}] <-> {name}[{other}])"),
        false => format!("(*{name}[{one}] = {name}[{other}]*)"),
    },
};

const AUTO_HYPER: FormulaSyntax = FormulaSyntax {
    and: "&",
    or: "|",
    not: "!",
    holds: |name, run| format!("(*{name}*_{run})"),
    same: |name, _, one, other| format!("(*{name}*_{one} = *{name}*_{other})"),
};

/// The names in tests, with whether each is a truth value.
struct TestAlphabet {
    inputs: Vec<(String, bool)>,
    outputs: Vec<(String, bool)>,
    /// The variable that is true in runs of the mutant.
    mutant: String,
}

impl TestAlphabet {
    fn of(program: &Program, mutant: &str) -> Self {
        let is_boolean = |domain: &Domain| *domain == Domain::Boolean;
        let inputs = program.inputs().into_iter().map(|var| {
            let variable = &program.variables[var];
            (variable.name.clone(), is_boolean(&variable.domain))
        });
        let outputs = program.outputs.iter().map(|seen| {
            let kind = match *seen {
                Observed::Variable(var) => is_boolean(&program.variables[var].domain),
                Observed::Define(define) => program.defines[define].is_boolean,
            };
            (program.name_of(*seen).to_owned(), kind)
        });
        Self {
            inputs: inputs.collect(),
            outputs: outputs.collect(),
            mutant: mutant.to_owned(),
        }
    }
}

struct FormulaWriter {
    spelling: FormulaSyntax,
    alphabet: TestAlphabet,
}

impl FormulaWriter {
    fn all(&self, parts: &[String]) -> String {
        format!("({})", parts.join(&format!(" {} ", self.spelling.and)))
    }
    fn any(&self, parts: &[String]) -> String {
        format!("({})", parts.join(&format!(" {} ", self.spelling.or)))
    }
    fn not(&self, part: &str) -> String {
        format!("({}{part})", self.spelling.not)
    }
    fn mutant(&self, run: char) -> String {
        (self.spelling.holds)(&self.alphabet.mutant, run)
    }
    fn original(&self, run: char) -> String {
        self.not(&self.mutant(run))
    }
    fn same(&self, names: &[(String, bool)], one: char, other: char) -> String {
        let parts = names
            .iter()
            .map(|(name, is_boolean)| (self.spelling.same)(name, *is_boolean, one, other));
        self.all(&parts.collect::<Vec<_>>())
    }
    fn inputs(&self, one: char, other: char) -> String {
        self.same(&self.alphabet.inputs, one, other)
    }
    /// Outputs differ.
    fn outputs(&self, one: char, other: char) -> String {
        self.not(&self.same(&self.alphabet.outputs, one, other))
    }
    fn formula(&self, formula: Formula, printed: bool) -> String {
        let always = |part: String| format!("(G {part})");
        let at_last = |part: String| format!("(F {part})");
        let (mutant, original) = (|run| self.mutant(run), |run| self.original(run));
        match (formula, printed) {
            (Formula::Phi1, _) => {
                let kept = always(self.all(&[original('A'), mutant('B'), self.inputs('A', 'B')]));
                let body = self.all(&[kept, at_last(self.outputs('A', 'B'))]);
                format!("exists A. exists B. {body}\n")
            }
            (Formula::Phi2, false) => {
                let parts = [mutant('B'), self.not(&self.inputs('A', 'B')), self.outputs('A', 'B')];
                let body = self.all(&[mutant('A'), at_last(self.any(&parts))]);
                format!("exists A. forall B. {body}\n")
            }
            (Formula::Phi3, false) => {
                let parts = [
                    original('B'),
                    mutant('C'),
                    self.not(&self.inputs('A', 'B')),
                    self.not(&self.inputs('A', 'C')),
                    self.outputs('B', 'C'),
                ];
                let body = self.all(&[original('A'), at_last(self.any(&parts))]);
                format!("exists A. forall B. forall C. {body}\n")
            }
            (Formula::Phi4, false) => {
                let parts = [original('B'), self.not(&self.inputs('A', 'B')), self.outputs('A', 'B')];
                let body = self.all(&[original('A'), at_last(self.any(&parts))]);
                format!("exists A. forall B. {body}\n")
            }
            (Formula::Phi2, true) => {
                let kept = always(self.all(&[original('B'), self.inputs('A', 'B')]));
                let then = format!("({kept} -> {})", at_last(self.outputs('A', 'B')));
                format!("exists A. forall B. {}\n", self.all(&[always(mutant('A')), then]))
            }
            (Formula::Phi3, true) => {
                let kept = [mutant('B'), original('C'), self.inputs('A', 'B'), self.inputs('A', 'C')];
                let then = format!("({} -> {})", always(self.all(&kept)), at_last(self.outputs('B', 'C')));
                let body = self.all(&[always(original('A')), then]);
                format!("exists A. forall B. forall C. {body}\n")
            }
            (Formula::Phi4, true) => {
                let kept = always(self.all(&[mutant('B'), self.inputs('A', 'B')]));
                let then = format!("({kept} -> {})", at_last(self.outputs('A', 'B')));
                format!("exists A. forall B. {}\n", self.all(&[always(original('A')), then]))
            }
        }
    }
}

/// The formula about the conditional mutant whose variable `mutant` is true in runs of the mutant, in the syntax of
/// HyperQB and of AutoHyper. If `printed`, it follows the letter of the paper, with *always*; else it leaves *always*
/// out, which is equivalent, as that variable never changes, and is handled best by tools.
pub fn hyper_ltl(program: &Program, mutant: &str, formula: Formula, printed: bool) -> [String; 2] {
    [HYPER_QB, AUTO_HYPER].map(|spelling| {
        let alphabet = TestAlphabet::of(program, mutant);
        FormulaWriter { spelling, alphabet }.formula(formula, printed)
    })
}

/// phi^A of the formula (\[004\] section 4.4), HyperCTL*, in the spelling of AutoHyper, which does not read it: a run
/// with the outputs that are allowed in each step. `outputs` lists all outputs, each as the values of the output
/// variables in their order.
pub fn hyper_ctl(program: &Program, mutant: &str, formula: Formula, outputs: &[Vec<String>]) -> String {
    let alphabet = TestAlphabet::of(program, mutant);
    let spelling = AUTO_HYPER;
    let writer = FormulaWriter { spelling, alphabet };
    let whole = writer.formula(formula, true);
    let (first, rest) = whole.trim_end().split_once(". ").unwrap_or(("exists A", &whole));
    let allowed = outputs.iter().enumerate().map(|(number, values)| {
        let seen = writer.alphabet.outputs.iter().zip(values);
        let seen = seen.map(|((name, _), value)| format!("(*{name} = {value}*_P)"));
        let parts: Vec<String> = [writer.original('P'), writer.inputs('A', 'P')]
            .into_iter()
            .chain(seen)
            .collect();
        format!("(G (X ((*allowed{number}*_A) <-> (exists P. {}))))", writer.all(&parts))
    });
    let parts: Vec<String> = std::iter::once(format!("({rest})")).chain(allowed).collect();
    format!("{first}. {}\n", writer.all(&parts))
}

/// The negation of phi1 in the syntax of MCHyper, about the circuit of a conditional mutant with `mutant` among its
/// outputs: two runs, of the original and of the mutant, have the same outputs until their inputs or choices differ. A
/// counterexample is a test; it controls the choices of the systems as well (\[004\] section 5.1).
pub fn mc_hyper(circuit: &ProgramCircuit, mutant: &str) -> String {
    let same = |names: &[String]| {
        let names = names
            .iter()
            .filter(|name| *name != mutant && **name != format!("choice-of-{mutant}"));
        names.fold("Const True".to_owned(), |all, name| {
            format!("And ({all}) (Eq (AP \"{name}\" 0) (AP \"{name}\" 1))")
        })
    };
    let (inputs, outputs) = (same(&circuit.inputs), same(&circuit.outputs));
    let which = format!("And (Neg (AP \"{mutant}\" 0)) (AP \"{mutant}\" 1)");
    format!("Forall (Forall (Implies ({which}) (WUntil ({outputs}) (Neg ({inputs})))))\n")
}

//! The formula that decided coverage, for other solvers: DIMACS and SMT-LIB 2.
//!
//! Its solutions are the mutants that the tests do not kill, except those known to conform: it is unsatisfiable if the
//! suite is complete. Comments map variables to choices; the other variables are auxiliary.

use std::fmt::Write as _;
use std::path::Path;

use crate::{Choice, MutationMachine};
use tamper_features::Cnf;
use tamper_text::Id;

/// The file format of a formula.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FormulaFormat {
    /// DIMACS, `.cnf` or `.dimacs`.
    Dimacs,
    /// SMT-LIB 2, `.smt2`.
    SmtLib,
}

impl FormulaFormat {
    /// The format of a file, by its extension.
    pub fn of(path: &Path) -> Option<Self> {
        match path.extension()?.to_str()? {
            "cnf" | "dimacs" => Some(Self::Dimacs),
            "smt2" => Some(Self::SmtLib),
            _ => None,
        }
    }
}

/// Writes `cnf`; `choices` has the literals of the machines' choices, and `is_satisfiable` the answer, if it is known.
pub fn write_formula(
    machine: &MutationMachine,
    cnf: &Cnf,
    choices: &[Choice],
    is_satisfiable: Option<bool>,
    format: FormulaFormat,
) -> String {
    match format {
        FormulaFormat::Dimacs => dimacs(machine, cnf, choices),
        FormulaFormat::SmtLib => smt_lib(machine, cnf, choices, is_satisfiable),
    }
}

const HEAD: &str = "Solutions: the mutants that no test kills, but for those known to conform.";

fn dimacs(machine: &MutationMachine, cnf: &Cnf, choices: &[Choice]) -> String {
    let mut text = format!("c {HEAD}\n");
    for choice in choices {
        let _ = writeln!(text, "c {} is {}", choice.lit.dimacs(), choice.show(machine));
    }
    let _ = writeln!(text, "p cnf {} {}", cnf.n_vars(), cnf.clauses().len());
    for clause in cnf.clauses() {
        for lit in clause {
            let _ = write!(text, "{} ", lit.dimacs());
        }
        text.push_str("0\n");
    }
    text
}

fn smt_lib(machine: &MutationMachine, cnf: &Cnf, choices: &[Choice], is_satisfiable: Option<bool>) -> String {
    let mut text = format!("; {HEAD}\n(set-logic QF_UF)\n");
    if let Some(is_satisfiable) = is_satisfiable {
        let status = if is_satisfiable { "sat" } else { "unsat" };
        let _ = writeln!(text, "(set-info :status {status})");
    }
    let literal = |lit: tamper_features::Lit| {
        let number = lit.var().index() + 1;
        if lit.is_positive() {
            format!("x{number}")
        } else {
            format!("(not x{number})")
        }
    };
    for choice in choices {
        let _ = writeln!(text, "; {} is {}", literal(choice.lit), choice.show(machine));
    }
    for number in 1..=cnf.n_vars() {
        let _ = writeln!(text, "(declare-const x{number} Bool)");
    }
    for clause in cnf.clauses() {
        let literals: Vec<String> = clause.iter().map(|lit| literal(*lit)).collect();
        let _ = match literals.as_slice() {
            [] => writeln!(text, "(assert false)"),
            [only] => writeln!(text, "(assert {only})"),
            several => writeln!(text, "(assert (or {}))", several.join(" ")),
        };
    }
    text.push_str("(check-sat)\n");
    text
}

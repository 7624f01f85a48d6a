//! Diagnosis of a program: the constants and mutants that explain all its logs, or most.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use serde_json::Value;

use super::answers::{ConstantAnswer, DiagnosisAnswer, NearestAnswer, RangeAnswer, SuspectAnswer, value};
use super::test_runs::tests_text;
use tamper_runs::{Alike, ConstantRange, Explanation, Numbered, SuspectConstant};

/// Maximal number of groups of suspects that are listed one by one.
const MOST: usize = 20;

/// Maximal number of sets of contradicting logs that are listed.
const MOST_NEAREST: usize = 5;

/// The result of a diagnosis.
#[derive(Clone, Default, Debug)]
pub struct Diagnosis {
    /// Number of logs that were examined.
    pub runs: usize,
    /// Number of these logs whose test fails.
    pub fails: usize,
    /// Number of logs without a verdict, which were not examined.
    pub left_out: usize,
    /// Whether the model itself explains all logs.
    pub explained: bool,
    /// What explains all logs, or if nothing does, what explains most.
    pub explanations: Vec<Explanation>,
    /// The largest constant that was tried.
    pub last: i64,
    /// Whether larger constants explain the same logs as the largest one.
    pub is_open: bool,
    /// Number of mutants that were tried.
    pub n_tried: u64,
    /// Number of mutants for which a limit hides whether they explain the logs.
    pub n_unknown: u64,
}

impl Diagnosis {
    /// What explains all logs.
    pub fn full(&self) -> Option<&Explanation> {
        self.explanations.first().filter(|found| found.contradicting.is_empty())
    }

    /// Whether constants above this one explain the same logs.
    fn is_open_at(&self, constant: i64) -> bool {
        self.is_open && constant == self.last
    }

    fn range(&self, ConstantRange { from, to }: ConstantRange) -> String {
        match (from == to, self.is_open_at(to)) {
            (_, true) => format!("{from} or more"),
            (true, _) => format!("{from}"),
            (false, _) => format!("{from} to {to}"),
        }
    }

    fn seen(&self) -> String {
        let fail = match self.fails {
            1 => "1 fails".to_owned(),
            n => format!("{n} fail"),
        };
        let left_out = match self.left_out {
            0 => String::new(),
            1 => "; 1 without a verdict is left out".to_owned(),
            n => format!("; {n} without a verdict are left out"),
        };
        format!("{}, {fail}{left_out}", tests_text(self.runs))
    }
}

/// The answer in sentences.
pub fn diagnosis_text(diagnosis: &Diagnosis) -> String {
    let seen = diagnosis.seen();
    if diagnosis.explained {
        return format!("seen: {seen}\nThe model itself explains every log: there is no fault to be named.");
    }
    let mut text = format!("seen: {seen}\n");
    if diagnosis.full().is_none() && !diagnosis.explanations.is_empty() {
        text.push_str("\nNothing explains every log.");
    }
    for found in diagnosis.explanations.iter().take(MOST_NEAREST) {
        if !found.contradicting.is_empty() {
            let (runs, tests) = (diagnosis.runs, found.contradicting.join(", "));
            let explained = runs - found.contradicting.len();
            let _ = writeln!(text, "\nThis explains {explained} of {runs}, and contradicts {tests}:");
        }
        constants_text(diagnosis, &found.constants, &mut text);
        mutants_text(&found.groups, &mut text);
    }
    if diagnosis.explanations.len() > MOST_NEAREST {
        let more = diagnosis.explanations.len() - MOST_NEAREST;
        let _ = writeln!(
            text,
            "\nAs many logs are explained, others contradicted, in {more} more ways (--format json names all)."
        );
    }
    text.push_str(&counted_text(diagnosis));
    text
}

fn constants_text(diagnosis: &Diagnosis, constants: &[SuspectConstant], text: &mut String) {
    if !constants.is_empty() {
        let _ = writeln!(text, "\nThe program behaves as if one constant were another:");
    }
    for constant in constants {
        let ranges: Vec<String> = constant.ranges.iter().map(|range| diagnosis.range(*range)).collect();
        let ranges = ranges.join(", ");
        let SuspectConstant {
            constraint,
            constant,
            site,
            ..
        } = constant;
        let _ = writeln!(text, "  {constraint}: {ranges} in place of {constant} ({site})");
    }
}

fn mutants_text(groups: &[Alike], text: &mut String) {
    if !groups.is_empty() {
        let order = match groups.iter().all(|group| group.is_compared) {
            true => ", those that allow least first",
            false => "",
        };
        let _ = writeln!(text, "\nIt behaves as one of these mutants{order}:");
    }
    for (number, group) in (1..=MOST).zip(groups) {
        for (at, mutant) in without_reorderings(&group.mutants).enumerate() {
            let head = match at {
                0 => format!("{number:3}. "),
                _ => "     or, which no test tells from it: ".to_owned(),
            };
            let _ = writeln!(text, "{head}{}: {}", mutant.id, mutant.says());
        }
    }
    if groups.len() > MOST {
        let more = groups.len() - MOST;
        let _ = writeln!(text, "  and {more} more (--format json names all)");
    }
}

/// The number of mutants that were tried, and the number of mutants and constants that explain every log.
fn counted_text(diagnosis: &Diagnosis) -> String {
    let (tried, last) = (diagnosis.n_tried, diagnosis.last);
    let limit = match diagnosis.n_unknown {
        0 => String::new(),
        n => format!("; of {n} a limit hides it"),
    };
    let Some(full) = diagnosis.full() else {
        let (blank, nearest) = match diagnosis.explanations.is_empty() {
            true => ("", ", nor more logs than the model itself"),
            false => ("\n", ""),
        };
        return format!(
            "{blank}None of {tried} mutants explains every log{nearest}{limit}. Two faults together may: --order 2."
        );
    };
    let mutants: usize = full.groups.iter().map(|group| group.mutants.len()).sum();
    let constants = full.constants.len();
    let count = |n: usize, what: &str| match n {
        1 => format!("1 {what}"),
        n => format!("{n} {what}s"),
    };
    let (constants, mutants) = (count(constants, "constant"), count(mutants, "mutant"));
    format!(
        "\n{tried} mutants were tried, with constants up to {last}; {constants} and {mutants} explain every log{limit}."
    )
}

/// The mutants of a group. Of several mutants with the same mutations in another order, only the first.
fn without_reorderings(mutants: &[Numbered]) -> impl Iterator<Item = &Numbered> {
    let mut told = BTreeSet::new();
    mutants.iter().filter(move |mutant| {
        let mut mutations: Vec<&str> = mutant.id.split(';').collect();
        mutations.sort_unstable();
        told.insert(mutations)
    })
}

/// The answer as JSON.
pub fn diagnosis_json(diagnosis: &Diagnosis) -> Value {
    let range = |range: &ConstantRange| RangeAnswer {
        from: range.from,
        to: (!diagnosis.is_open_at(range.to)).then_some(range.to),
    };
    let constant = |constant: &SuspectConstant| ConstantAnswer {
        site: constant.site.clone(),
        constraint: constant.constraint.clone(),
        constant: constant.constant,
        instead: constant.ranges.iter().map(range).collect(),
        mutant: constant.example.id.clone(),
    };
    let mutant = |mutant: &Numbered| SuspectAnswer {
        id: mutant.id.clone(),
        what: mutant.says(),
    };
    let constants = |found: &Explanation| found.constants.iter().map(constant).collect();
    let groups = |found: &Explanation| {
        let groups = found.groups.iter();
        groups.map(|group| group.mutants.iter().map(mutant).collect()).collect()
    };
    let nearest = |found: &Explanation| NearestAnswer {
        contradicts: found.contradicting.clone(),
        constants: constants(found),
        mutants: groups(found),
    };
    value(&DiagnosisAnswer {
        tests: diagnosis.runs,
        fail: diagnosis.fails,
        left_out: diagnosis.left_out,
        model_explains: diagnosis.explained,
        constants: diagnosis.full().map(constants).unwrap_or_default(),
        mutants: diagnosis.full().map(groups).unwrap_or_default(),
        nearest: match diagnosis.full() {
            Some(_) => Vec::new(),
            None => diagnosis.explanations.iter().map(nearest).collect(),
        },
        tried: diagnosis.n_tried,
        unknown: diagnosis.n_unknown,
        largest_constant: diagnosis.last,
    })
}

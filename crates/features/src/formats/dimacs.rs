//! DIMACS: `c 1 NAME` names variable 1, `c p show 1 2 0` lists the variables that are features, one clause per 0.
//!
//! Written files start with the root's clause; every other variable is auxiliary and fixed by the features. A file that is
//! read becomes a flat model, whose root is the first named variable that a unit clause makes true.

use std::collections::{BTreeMap, HashSet};

use crate::{Cnf, EncodedModel, FeatureExpr, FeatureId, FeatureModel, GroupKind, Lit, Var};
use tamper_text::words;
use tamper_text::{Diagnostic, Id, Span};

/// Files with more variables than this are refused immediately.
const MAX_VARS: u64 = 1_000_000;

/// The clauses of `model` with the names of its features.
pub fn write_dimacs(model: &FeatureModel) -> String {
    let encoded = EncodedModel::of(model);
    let names = model.features().iter().map(|feature| feature.name());
    write_cnf(encoded.cnf(), names)
}

/// `cnf` with names for its first variables, which are listed as the projection.
pub fn write_cnf<'a>(cnf: &Cnf, names: impl Iterator<Item = &'a str>) -> String {
    let mut text = String::new();
    let mut show = "c p show".to_owned();
    for (number, name) in (1..).zip(names) {
        text.push_str(&format!("c {number} {name}\n"));
        show.push_str(&format!(" {number}"));
    }
    text.push_str(&format!("{show} 0\np cnf {} {}\n", cnf.n_vars(), cnf.clauses().len()));
    for clause in cnf.clauses() {
        for lit in clause {
            text.push_str(&format!("{} ", lit.dimacs()));
        }
        text.push_str("0\n");
    }
    text
}

/// The feature model of a DIMACS file, with warnings.
///
/// # Errors
/// The first thing that is no DIMACS.
pub fn read_dimacs(text: &str) -> Result<(FeatureModel, Vec<Diagnostic>), Vec<Diagnostic>> {
    let parsed = parse(text).map_err(|error| vec![error])?;
    let mut warnings = Vec::new();
    if parsed.header.1 != parsed.clauses.len() as u64 {
        let message = format!(
            "the header says {} clauses, there are {}",
            parsed.header.1,
            parsed.clauses.len()
        );
        warnings.push(Diagnostic::warning(message, parsed.header_span));
    }
    build(&parsed)
        .map(|model| (model, warnings))
        .map_err(|error| vec![error])
}

#[derive(Default)]
struct Parsed {
    /// Number of variables, number of clauses.
    header: (u64, u64),
    header_span: Span,
    names: BTreeMap<u64, (String, Span)>,
    clauses: Vec<Vec<Lit>>,
}

fn parse(text: &str) -> Result<Parsed, Diagnostic> {
    let mut parsed = Parsed::default();
    let mut has_header = false;
    let mut clause = Vec::new();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let here = Span::new(start, start + line.trim_ascii_end().len());
        let words = words(line, start);
        start += line.len();
        match words.first().map(|(word, _)| *word) {
            None => {}
            Some("%") => break,
            Some("c") => {
                let number = words.get(1).and_then(|(word, _)| word.parse::<u64>().ok());
                if let (Some(number), Some((_, span))) = (number, words.get(2)) {
                    let name = text[span.range().start..here.range().end].trim().to_owned();
                    parsed.names.entry(number).or_insert((name, *span));
                }
            }
            Some("p") => {
                parsed.header = header(&words).filter(|_| !has_header).ok_or_else(|| no_header(here))?;
                parsed.header_span = here;
                has_header = true;
            }
            Some(_) if !has_header => {
                let error = Diagnostic::error("a clause stands before the header", here);
                return Err(error.with_help("start with a line `p cnf VARIABLES CLAUSES`"));
            }
            Some(_) => {
                for (word, span) in words {
                    match literal(word, parsed.header.0) {
                        Some(None) => parsed.clauses.push(std::mem::take(&mut clause)),
                        Some(Some(lit)) => clause.push(lit),
                        None => return Err(no_literal(word, span, parsed.header.0)),
                    }
                }
            }
        }
    }
    if !has_header {
        let message = "the file has no line `p cnf VARIABLES CLAUSES`";
        return Err(Diagnostic::error(message, None));
    }
    if !clause.is_empty() {
        let end = text.trim_end().len();
        let place = Span::new(end.saturating_sub(1), end);
        return Err(Diagnostic::error("the last clause has no 0 at its end", place));
    }
    Ok(parsed)
}

/// The numbers of variables and clauses in a header.
fn header(words: &[(&str, Span)]) -> Option<(u64, u64)> {
    let numbers: Vec<u64> = words.iter().skip(2).filter_map(|(word, _)| word.parse().ok()).collect();
    match (words.get(1), numbers.as_slice()) {
        (Some(("cnf", _)), [vars, clauses]) if *vars <= MAX_VARS => Some((*vars, *clauses)),
        _ => None,
    }
}

fn no_header(here: Span) -> Diagnostic {
    let help = format!("one line `p cnf VARIABLES CLAUSES`, at most {MAX_VARS} variables");
    Diagnostic::error("this is not the header of a CNF file", here).with_help(help)
}

fn no_literal(word: &str, place: Span, n_vars: u64) -> Diagnostic {
    let help = format!("literals are the numbers 1 to {n_vars}, or negative");
    Diagnostic::error(format!("`{word}` is no literal"), place).with_help(help)
}

/// `Some(None)` is the end of a clause.
fn literal(word: &str, n_vars: u64) -> Option<Option<Lit>> {
    let number: i64 = word.parse().ok()?;
    if number == 0 {
        return Some(None);
    }
    let var = number.unsigned_abs();
    (var <= n_vars).then(|| {
        let index = usize::try_from(var - 1).unwrap_or(usize::MAX);
        Some(Lit::new(Var::from_index(index), number > 0))
    })
}

fn build(parsed: &Parsed) -> Result<FeatureModel, Diagnostic> {
    let n_vars = parsed.header.0;
    let is_root = |clause: &Vec<Lit>| match clause.as_slice() {
        [lit] if lit.is_positive() => Some(lit.var().index()),
        _ => None,
    };
    let named = |index: &usize| parsed.names.contains_key(&(*index as u64 + 1));
    let root = parsed.clauses.iter().filter_map(is_root).filter(named).min();
    // If the file names no variable, every variable is a feature, named by its number.
    let is_nameless = parsed.names.is_empty();
    let name = |index: usize| match parsed.names.get(&(index as u64 + 1)) {
        Some((name, span)) => (name.clone(), Some(*span)),
        None if is_nameless => ((index + 1).to_string(), None),
        None => (format!("aux_{}", index + 1), None),
    };
    let names: HashSet<&str> = parsed.names.values().map(|(name, _)| name.as_str()).collect();
    let taken = |name: &str| names.contains(name);
    let mut fresh = "root".to_owned();
    while taken(&fresh) {
        fresh.push('_');
    }
    let (root_name, span) = root.map_or((fresh, None), name);
    let at = |span: Option<Span>| move |error: crate::FeatureModelError| Diagnostic::error(error.to_string(), span);
    let mut model = FeatureModel::new(&root_name).map_err(at(span))?;
    let group = model.add_group(model.root(), GroupKind::Optional);
    let mut features: Vec<FeatureId> = Vec::new();
    for index in 0..usize::try_from(n_vars).unwrap_or(0) {
        if Some(index) == root {
            features.push(model.root());
            continue;
        }
        let (mut name, span) = name(index);
        while span.is_none() && (taken(&name) || model.find(&name).is_some()) {
            name.push('_');
        }
        let feature = model.add_feature(group, &name).map_err(at(span))?;
        if span.is_none() && !is_nameless {
            let details = model.feature_mut(feature);
            details.is_abstract = true;
            details.attributes.push(("hidden".to_owned(), "true".to_owned()));
        }
        features.push(feature);
    }
    for clause in &parsed.clauses {
        let is_roots = clause.len() == 1 && Some(clause[0].var().index()) == root && clause[0].is_positive();
        if !is_roots {
            let literals = clause.iter().map(|lit| {
                let var = FeatureExpr::Var(features[lit.var().index()]);
                if lit.is_positive() { var } else { !var }
            });
            model.add_constraint(FeatureExpr::any(literals), "");
        }
    }
    Ok(model.with_hidden_nearby())
}

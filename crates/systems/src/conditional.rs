//! Mutants and their original in one program (\[004\] section 3.1).

use std::collections::BTreeMap;

use super::mutation::{Place, SystemMutation};
use super::program::{Binary, Domain, Expr, ExprKind, Program, Role, VarId, Variable};
use tamper_text::Span;

/// The conditional mutant, and the name of its new variable: the program is the mutant if the variable is true, and the
/// original if it is false. The variable is chosen at the start and never changes.
pub fn conditional_mutant(program: &Program, mutation: &SystemMutation) -> (Program, String) {
    let values = vec![boolean(false), boolean(true)];
    let (mut conditional, var, name) = with_choice(program, Domain::Boolean, values);
    replace(&mut conditional, &[mutation], &|_| here(ExprKind::Now(var)));
    (conditional, name)
}

/// The program of all mutants, and the name of a new variable that selects one: the program is mutant k if the variable
/// is k, counted from 1, and the original if it is 0. Its size is the size of the program and the mutations together.
pub fn featured_mutants(program: &Program, mutations: &[SystemMutation]) -> (Program, String) {
    let last = i64::try_from(mutations.len()).unwrap_or(i64::MAX);
    let (mut featured, var, name) = with_choice(program, Domain::Range(0, last), vec![here(ExprKind::Range(0, last))]);
    let all: Vec<&SystemMutation> = mutations.iter().collect();
    replace(&mut featured, &all, &|number| {
        let (chosen, own) = (here(ExprKind::Now(var)), here(ExprKind::Value(number as i64 + 1)));
        here(ExprKind::Binary(Binary::Equal, Box::new(chosen), Box::new(own)))
    });
    (featured, name)
}

fn here(kind: ExprKind) -> Expr {
    Expr {
        kind,
        span: Span::default(),
    }
}

fn boolean(value: bool) -> Expr {
    here(ExprKind::Bool(value))
}

/// The program with an additional variable that keeps one of `values`, and the name of the variable.
fn with_choice(program: &Program, domain: Domain, values: Vec<Expr>) -> (Program, VarId, String) {
    let name = program.free_name("mut");
    let mut chosen = program.clone();
    let init = match <[Expr; 1]>::try_from(values) {
        Ok([only]) => only,
        Err(values) => here(ExprKind::Set(values)),
    };
    let var = chosen.variables.push(Variable {
        name: name.clone(),
        span: Span::default(),
        domain,
        role: Role::Frozen { init: None },
        wraps: false,
    });
    let next = Some(here(ExprKind::Now(var)));
    chosen.variables[var].role = Role::State { init: Some(init), next };
    (chosen, var, name)
}

/// By place in an expression: the numbers of the mutations there.
type Paths = BTreeMap<Vec<usize>, Vec<usize>>;

/// Adds every mutation as an alternative to the expression that it replaces; `chosen` is the condition for the mutation
/// of a number.
fn replace(program: &mut Program, mutations: &[&SystemMutation], chosen: &impl Fn(usize) -> Expr) {
    let mut places: BTreeMap<Place, Paths> = BTreeMap::new();
    for (number, mutation) in mutations.iter().enumerate() {
        let paths = places.entry(mutation.place).or_default();
        paths.entry(mutation.path().to_vec()).or_default().push(number);
    }
    for (place, paths) in places {
        if let Some(expr) = super::mutation::expression_mut(program, place) {
            put(expr, &mut Vec::new(), &paths, mutations, chosen);
        }
    }
}

fn put(
    expr: &mut Expr,
    path: &mut Vec<usize>,
    paths: &Paths,
    mutations: &[&SystemMutation],
    chosen: &impl Fn(usize) -> Expr,
) {
    for (number, part) in expr.parts_mut().into_iter().enumerate() {
        path.push(number);
        put(part, path, paths, mutations, chosen);
        path.pop();
    }
    for number in paths.get(path.as_slice()).into_iter().flatten() {
        let old = std::mem::replace(expr, boolean(false));
        let new = mutations[*number].new.clone();
        let parts = (Box::new(chosen(*number)), Box::new(new), Box::new(old));
        *expr = here(ExprKind::If(parts.0, parts.1, parts.2));
    }
}

//! A system and a mutant of it in one program, for checkers of one run (\[004\] section 7).

use std::collections::BTreeSet;

use super::program::{Constraint, Define, DefineId, Expr, ExprKind, Observed, Program, Role, VarId, Variable};
use tamper_text::Id;

/// The program that makes the steps of both systems on the same inputs, and their outputs in pairs, `program`'s first.
/// Names of `mutant`, which has the inputs of `program`, get the suffix `_mutant`.
pub fn side_by_side(program: &Program, mutant: &Program) -> (Program, Vec<(Observed, Observed)>) {
    let mut both = program.clone();
    let names = mutant.variables.iter().map(|variable| &variable.name);
    let names: Vec<&String> = names.chain(mutant.defines.iter().map(|define| &define.name)).collect();
    let mut suffix = "_mutant".to_owned();
    while names.iter().any(|name| program.has_name(&format!("{name}{suffix}"))) {
        suffix.push('_');
    }
    let renamed = Renamed {
        variables: variables(program, mutant),
        n_defines: program.defines.len(),
    };
    for variable in mutant.variables.iter().filter(|variable| variable.role != Role::Input) {
        let changed = |expr: &Option<Expr>| expr.as_ref().map(|expr| renamed.expr(expr));
        both.variables.push(Variable {
            name: format!("{}{suffix}", variable.name),
            role: match &variable.role {
                Role::Input => Role::Input,
                Role::State { init, next } => Role::State {
                    init: changed(init),
                    next: changed(next),
                },
                Role::Frozen { init } => Role::Frozen { init: changed(init) },
                Role::Derived(body) => Role::Derived(renamed.expr(body)),
            },
            ..variable.clone()
        });
    }
    for define in &mutant.defines {
        both.defines.push(Define {
            name: format!("{}{suffix}", define.name),
            body: renamed.expr(&define.body),
            ..define.clone()
        });
    }
    both.constraints
        .extend(mutant.constraints.iter().map(|constraint| Constraint {
            moments: constraint.moments,
            expr: renamed.expr(&constraint.expr),
        }));
    let own = mutant.outputs.iter().map(|seen| match *seen {
        Observed::Variable(var) => Observed::Variable(renamed.variables[var.index()]),
        Observed::Define(define) => Observed::Define(renamed.define(define)),
    });
    let seen: Vec<(Observed, Observed)> = program.outputs.iter().copied().zip(own).collect();
    both.outputs
        .extend(seen.iter().map(|(_, own)| *own).collect::<BTreeSet<_>>());
    (both, seen)
}

/// By variable of the mutant: its number in the joint program; the inputs are shared.
fn variables(program: &Program, mutant: &Program) -> Vec<VarId> {
    let mut n_own = program.variables.len();
    let of_both = mutant.variables.iter().map(|variable| {
        let shared = || {
            let same = |(_, other): &(VarId, &Variable)| other.name == variable.name;
            program.variables.iter_enumerated().find(same).map(|(var, _)| var)
        };
        let input = (variable.role == Role::Input).then(shared).flatten();
        input.unwrap_or_else(|| {
            n_own += 1;
            VarId::from_index(n_own - 1)
        })
    });
    of_both.collect()
}

struct Renamed {
    variables: Vec<VarId>,
    n_defines: usize,
}

impl Renamed {
    fn define(&self, define: DefineId) -> DefineId {
        DefineId::from_index(self.n_defines + define.index())
    }

    fn expr(&self, expr: &Expr) -> Expr {
        let mut copy = expr.clone();
        self.rename(&mut copy);
        copy
    }

    fn rename(&self, expr: &mut Expr) {
        match &mut expr.kind {
            ExprKind::Now(var) | ExprKind::Next(var) => *var = self.variables[var.index()],
            ExprKind::Define(define) | ExprKind::NextDefine(define) => *define = self.define(*define),
            _ => expr.parts_mut().into_iter().for_each(|part| self.rename(part)),
        }
    }
}

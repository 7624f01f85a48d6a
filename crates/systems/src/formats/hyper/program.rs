//! A program as a circuit, without listing its states (\[004\] section 6.1: conditional mutants become circuits for
//! MCHyper).
//!
//! The values of a variable are numbered in the order of its domain; latches and inputs hold the number. The program's
//! choices are additional inputs, so the circuit has exactly the runs of the program, if this is total.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;
use tamper_text::Id;

use super::circuit::{AndInverterGraph, bits};
use crate::evaluate::{apply, apply_unary};
use crate::{Binary, DefineId, Domain, Expr, ExprKind, Observed, Program, Role, Unary, VarId};

/// The largest number of pairs of values that are compared.
const MOST_PAIRS: usize = 1 << 22;

/// The reason why a program has no circuit.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NoCircuit {
    /// Two numbers with too many values are combined.
    #[error("the numbers of this system have too many values for a circuit")]
    TooManyValues,
    /// Its choices are constrained by more than assignments.
    #[error("a system with INIT, INVAR or TRANS is no circuit: write them as assignments")]
    Constrained,
}

/// The possible values of an expression, each with the literal that is true when the expression has that value.
type GuardedValues = Vec<(i64, u32)>;

/// Literals with their names.
type NamedLiterals = Vec<(u32, String)>;

/// A program as ASCII AIGER, and the names of its bits: `x`, or `x<0>`, `x<1>` and so on if x has several.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProgramCircuit {
    /// The file.
    pub text: String,
    /// The names of the inputs and of the choices, `choice-of-x`.
    pub inputs: Vec<String>,
    /// The names of the outputs.
    pub outputs: Vec<String>,
}

/// The circuit of a total program.
///
/// # Errors
/// Two numbers with too many values are combined, or the program has constraints.
pub fn write_program(program: &Program) -> Result<ProgramCircuit, NoCircuit> {
    if !program.constraints.is_empty() {
        return Err(NoCircuit::Constrained);
    }
    let n = program.n_variables();
    let mut writer = CircuitWriter {
        program,
        circuit: AndInverterGraph::default(),
        inputs: Vec::new(),
        now: vec![Vec::new(); n],
        next: vec![Vec::new(); n],
        defines: FxHashMap::default(),
    };
    // Whether the first moment is over.
    let started = writer.circuit.variables(1)[0];
    let initial = writer.initial()?;
    let mut latches = vec![(started, 1)];
    let mut held: Vec<(VarId, Vec<u32>, Vec<bool>)> = Vec::new();
    for (var, first) in initial {
        let own = writer.circuit.variables(first.len());
        // A latch begins with 0: a latch that must begin with 1 holds the complement.
        let turned: Vec<bool> = first.iter().map(|bit| *bit == 1).collect();
        let mut bit = |(own, first): (&u32, &u32)| match *first {
            0 => *own,
            1 => *own ^ 1,
            first => writer.circuit.choose(started, *own, first),
        };
        let seen: Vec<u32> = own.iter().zip(&first).map(&mut bit).collect();
        writer.now[var.index()] = writer.values_of(&program.variables[var].domain, &seen);
        held.push((var, own, turned));
    }
    for var in program.inputs() {
        let variable = &program.variables[var];
        writer.now[var.index()] = writer.read(&variable.name, &variable.domain);
    }
    writer.defines.clear();
    let outputs = writer.outputs()?;
    let order = program.next_order().unwrap_or_default();
    let mut after: BTreeMap<VarId, Vec<u32>> = BTreeMap::new();
    for var in order {
        let next = match &program.variables[var].role {
            Role::State { next, .. } => writer.assigned(var, next.as_ref())?,
            _ => writer.now[var.index()].clone(),
        };
        let code = writer.code(&program.variables[var].domain, &next);
        writer.next[var.index()] = next;
        after.insert(var, code);
    }
    for (var, own, turned) in held {
        let bits = own.iter().zip(&after[&var]).zip(turned);
        latches.extend(bits.map(|((own, next), turned)| (*own, next ^ u32::from(turned))));
    }
    let names = |named: &NamedLiterals| named.iter().map(|(_, name)| name.clone()).collect();
    Ok(ProgramCircuit {
        text: writer.circuit.text(&writer.inputs, &latches, &outputs),
        inputs: names(&writer.inputs),
        outputs: names(&outputs),
    })
}

struct CircuitWriter<'p> {
    program: &'p Program,
    circuit: AndInverterGraph,
    inputs: NamedLiterals,
    /// By variable; unused for derived variables.
    now: Vec<GuardedValues>,
    next: Vec<GuardedValues>,
    /// By definition: its current values, computed on demand.
    defines: FxHashMap<DefineId, GuardedValues>,
}

impl CircuitWriter<'_> {
    /// The bits of each state variable at the first moment.
    fn initial(&mut self) -> Result<Vec<(VarId, Vec<u32>)>, NoCircuit> {
        let mut found = Vec::new();
        for var in self.program.init_order().unwrap_or_default() {
            let (Role::State { init, .. } | Role::Frozen { init }) = &self.program.variables[var].role else {
                continue;
            };
            let values = self.assigned(var, init.as_ref())?;
            found.push((var, self.code(&self.program.variables[var].domain, &values)));
            self.now[var.index()] = values;
        }
        Ok(found)
    }
    /// New inputs that encode a value of the domain. Unused codes mean the last value.
    fn read(&mut self, name: &str, domain: &Domain) -> GuardedValues {
        let bits = self.circuit.variables(bits(domain.len() as usize));
        let names = spelled(name, bits.len());
        self.inputs.extend(bits.iter().copied().zip(names));
        self.values_of(domain, &bits)
    }
    fn values_of(&mut self, domain: &Domain, bits: &[u32]) -> GuardedValues {
        let last = domain.len() as usize - 1;
        let mut values: GuardedValues = Vec::with_capacity(last + 1);
        for (at, value) in domain.values().enumerate() {
            let is = match at == last {
                true => {
                    let others: Vec<u32> = values.iter().map(|(_, is)| *is).collect();
                    self.circuit.any(&others) ^ 1
                }
                false => self.circuit.is(bits, at),
            };
            values.push((value, is));
        }
        values
    }
    /// The bits of a value's number.
    fn code(&mut self, domain: &Domain, values: &GuardedValues) -> Vec<u32> {
        let width = bits(domain.len() as usize);
        let bit = |bit: usize| {
            let places = values
                .iter()
                .filter_map(|(value, is)| Some((domain.place(*value)?, is)));
            let set: Vec<u32> = places
                .filter(|(place, _)| place >> bit & 1 == 1)
                .map(|(_, is)| *is)
                .collect();
            self.circuit.any(&set)
        };
        (0..width).map(bit).collect()
    }
    fn outputs(&mut self) -> Result<NamedLiterals, NoCircuit> {
        let mut named = NamedLiterals::new();
        for observed in &self.program.outputs {
            let (values, domain) = match *observed {
                Observed::Variable(var) => (self.variable(var)?, self.program.variables[var].domain.clone()),
                Observed::Define(define) => {
                    let values = self.define(define)?;
                    let domain = match self.program.defines[define].is_boolean {
                        true => Domain::Boolean,
                        false => Domain::Values(values.iter().map(|(value, _)| *value).collect()),
                    };
                    (values, domain)
                }
            };
            let code = self.code(&domain, &values);
            let names = spelled(self.program.name_of(*observed), code.len());
            named.extend(code.into_iter().zip(names));
        }
        Ok(named)
    }
    /// The values of a variable after an assignment, chosen by new inputs if there is a choice.
    fn assigned(&mut self, var: VarId, value: Option<&Expr>) -> Result<GuardedValues, NoCircuit> {
        let variable = &self.program.variables[var];
        let possible = match value {
            Some(expr) if self.program.is_choice(expr) => {
                let mut possible = Vec::new();
                self.choices(expr, 1, &mut possible)?;
                possible.retain(|(value, _)| variable.domain.place(*value).is_some());
                self.merged(possible)
            }
            Some(expr) => return self.values(expr),
            None => variable.domain.values().map(|value| (value, 1)).collect(),
        };
        let wanted = self.read(&format!("choice-of-{}", variable.name), &variable.domain);
        let wanted: FxHashMap<i64, u32> = wanted.into_iter().collect();
        let taken: GuardedValues = possible
            .iter()
            .map(|(value, may)| (*value, self.circuit.and(*may, wanted[value])))
            .collect();
        let all: Vec<u32> = taken.iter().map(|(_, is)| *is).collect();
        // A choice of an impossible value means the first possible value.
        let mut none = self.circuit.any(&all) ^ 1;
        let mut chosen = GuardedValues::with_capacity(possible.len());
        for ((value, may), (_, is)) in possible.into_iter().zip(taken) {
            let first = self.circuit.and(none, may);
            none = self.circuit.and(none, may ^ 1);
            chosen.push((value, self.circuit.any(&[is, first])));
        }
        Ok(chosen)
    }
    /// Adds the possible values of an expression under the condition `when`.
    fn choices(&mut self, expr: &Expr, when: u32, found: &mut GuardedValues) -> Result<(), NoCircuit> {
        match &expr.kind {
            ExprKind::Set(members) => members.iter().try_for_each(|member| self.choices(member, when, found)),
            ExprKind::Range(first, last) => {
                found.extend((*first..=*last).map(|value| (value, when)));
                Ok(())
            }
            ExprKind::Union(left, right) => {
                self.choices(left, when, found)?;
                self.choices(right, when, found)
            }
            ExprKind::Define(define) if self.program.defines[*define].is_choice => {
                let program = self.program;
                self.choices(&program.defines[*define].body, when, found)
            }
            ExprKind::If(condition, yes, no) => {
                let holds = self.truth(condition)?;
                let (then, otherwise) = (self.circuit.and(when, holds), self.circuit.and(when, holds ^ 1));
                self.choices(yes, then, found)?;
                self.choices(no, otherwise, found)
            }
            ExprKind::Case(branches) => {
                let mut when = when;
                for (condition, value) in branches {
                    let holds = self.truth(condition)?;
                    let here = self.circuit.and(when, holds);
                    self.choices(value, here, found)?;
                    when = self.circuit.and(when, holds ^ 1);
                }
                Ok(())
            }
            _ => {
                let values = self.values(expr)?;
                found.extend(
                    values
                        .into_iter()
                        .map(|(value, is)| (value, self.circuit.and(when, is))),
                );
                Ok(())
            }
        }
    }
    /// The values in order, without duplicates.
    fn merged(&mut self, values: GuardedValues) -> GuardedValues {
        let mut by_value: BTreeMap<i64, Vec<u32>> = BTreeMap::new();
        for (value, is) in values.into_iter().filter(|(_, is)| *is != 0) {
            by_value.entry(value).or_default().push(is);
        }
        by_value
            .into_iter()
            .map(|(value, is)| (value, self.circuit.any(&is)))
            .collect()
    }
    fn truth(&mut self, expr: &Expr) -> Result<u32, NoCircuit> {
        let values = self.values(expr)?;
        Ok(values.iter().find(|(value, _)| *value == 1).map_or(0, |(_, is)| *is))
    }
    fn variable(&mut self, var: VarId) -> Result<GuardedValues, NoCircuit> {
        let program = self.program;
        match &program.variables[var].role {
            Role::Derived(body) => self.values(body),
            _ => Ok(self.now[var.index()].clone()),
        }
    }
    fn define(&mut self, define: DefineId) -> Result<GuardedValues, NoCircuit> {
        if let Some(known) = self.defines.get(&define) {
            return Ok(known.clone());
        }
        let program = self.program;
        let values = self.values(&program.defines[define].body)?;
        self.defines.insert(define, values.clone());
        Ok(values)
    }
    /// The values of a definition after the step.
    fn next_define(&mut self, define: DefineId) -> Result<GuardedValues, NoCircuit> {
        let now = std::mem::replace(&mut self.now, self.next.clone());
        let known = std::mem::take(&mut self.defines);
        let values = self.define(define);
        (self.now, self.defines) = (now, known);
        values
    }
    /// The values of an expression that is not a choice.
    fn values(&mut self, expr: &Expr) -> Result<GuardedValues, NoCircuit> {
        let truth = |is: u32| vec![(0, is ^ 1), (1, is)];
        match &expr.kind {
            ExprKind::Bool(value) => Ok(truth(u32::from(*value))),
            ExprKind::Value(value) => Ok(vec![(*value, 1)]),
            ExprKind::Now(var) => self.variable(*var),
            ExprKind::Next(var) => Ok(self.next[var.index()].clone()),
            ExprKind::Define(define) => self.define(*define),
            ExprKind::NextDefine(define) => self.next_define(*define),
            ExprKind::Unary(Unary::Not, operand) => Ok(truth(self.truth(operand)? ^ 1)),
            ExprKind::Unary(operator, operand) => {
                let values = self.values(operand)?.into_iter();
                let values = values.filter_map(|(value, is)| Some((apply_unary(*operator, value)?, is)));
                let values = values.collect();
                Ok(self.merged(values))
            }
            ExprKind::Binary(operator, left, right) if *operator < Binary::Equal => {
                let (left, right) = (self.truth(left)?, self.truth(right)?);
                Ok(truth(match operator {
                    Binary::And => self.circuit.and(left, right),
                    Binary::Or => self.circuit.any(&[left, right]),
                    Binary::Implies => self.circuit.any(&[left ^ 1, right]),
                    Binary::Xor => self.circuit.differ(left, right),
                    _ => self.circuit.differ(left, right) ^ 1,
                }))
            }
            ExprKind::Binary(operator, left, right) => {
                let (left, right) = (self.values(left)?, self.values(right)?);
                self.pairs(&left, &right, |left, right| apply(*operator, left, right))
            }
            ExprKind::In(member, set) => {
                let member = self.values(member)?;
                let mut possible = Vec::new();
                self.choices(set, 1, &mut possible)?;
                let possible = self.merged(possible);
                let same = self.pairs(&member, &possible, |one, other| (one == other).then_some(1))?;
                Ok(truth(same.first().map_or(0, |(_, is)| *is)))
            }
            ExprKind::If(..) | ExprKind::Case(_) => {
                let mut found = Vec::new();
                self.choices(expr, 1, &mut found)?;
                Ok(self.merged(found))
            }
            // Choices are never evaluated to one value.
            ExprKind::Set(_) | ExprKind::Range(..) | ExprKind::Union(..) => Ok(Vec::new()),
        }
    }
    fn pairs(
        &mut self,
        left: &GuardedValues,
        right: &GuardedValues,
        make: impl Fn(i64, i64) -> Option<i64>,
    ) -> Result<GuardedValues, NoCircuit> {
        if left.len().saturating_mul(right.len()) > MOST_PAIRS {
            return Err(NoCircuit::TooManyValues);
        }
        let mut found = GuardedValues::new();
        for (one, is_one) in left {
            for (other, is_other) in right {
                if let Some(value) = make(*one, *other) {
                    found.push((value, self.circuit.and(*is_one, *is_other)));
                }
            }
        }
        Ok(self.merged(found))
    }
}

/// The names of `n` bits.
fn spelled(name: &str, n_bits: usize) -> Vec<String> {
    match n_bits {
        1 => vec![name.to_owned()],
        _ => (0..n_bits).map(|bit| format!("{name}<{bit}>")).collect(),
    }
}

//! The mutation operators of \[004\] section 6.1, on expressions.
//!
//! A mutant is a record: the place of an expression in the program, and its replacement. Mutants are numbered in the
//! order of the program's text, then of the operators.

use super::program::{Binary, Define, DefineId, Domain, Expr, ExprKind, Observed, Program, Role, VarId};
use tamper_text::Span;

tamper_text::named! {
    /// A mutation operator for programs.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
    pub enum SystemOperator {
        /// Replaces a relational operator by another one.
        Ror = "ROR",
        /// Replaces a logical operator by another one.
        Lor = "LOR",
        /// A condition is always true, or always false.
        Con = "CON",
        /// A constant is one more, or one less.
        Cst = "CST",
        /// An assignment is dropped: the variable keeps its value.
        Drp = "DRP",
        /// Stuck-at: a variable is always assigned one value; for a range, the first or the last.
        Stk = "STK",
        /// Off by one: the assigned value is one more, or one less.
        Obo = "OBO",
    }
}

/// An expression of a program.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Place {
    /// The initial value of a variable.
    Init(VarId),
    /// The value of the variable in the next state.
    Next(VarId),
    /// The constraint on the variable in every state.
    Always(VarId),
    /// The body of a definition.
    Define(DefineId),
    /// The constraint of that number.
    Constraint(usize),
}

/// A mutant: one expression in place of another.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SystemMutation {
    /// The operator that makes the mutation.
    pub operator: SystemOperator,
    /// The expression in which something is replaced.
    pub place: Place,
    /// The path to the replaced part: child numbers from the root of the expression.
    path: Vec<usize>,
    /// The place of the text that the mutation replaces.
    pub old: Span,
    /// The expression that replaces the old one.
    pub new: Expr,
}

impl SystemMutation {
    /// The path to the replaced part: child numbers from the root of the expression.
    pub(super) fn path(&self) -> &[usize] {
        &self.path
    }
    /// The expression that it changes, in the terms of the file, if the place in the text does not identify it.
    pub fn expression(&self, program: &Program) -> Option<String> {
        let name = |var: VarId| &program.variables[var].name;
        program.has_instances.then(|| match self.place {
            Place::Init(var) => format!("init({})", name(var)),
            Place::Next(var) => format!("next({})", name(var)),
            Place::Always(var) => name(var).clone(),
            Place::Define(define) => program.defines[define].name.clone(),
            Place::Constraint(number) => format!("constraint {}", number + 1),
        })
    }
    /// The program with a single output: whether the mutated expression has its original value, at every moment. A run
    /// on which this output is false kills weakly (\[004\] section 7, \[002\] section 2). `None` for choices, and for
    /// expressions that read next values: they have no single value at a moment.
    pub fn same_value(&self, program: &Program) -> Option<Program> {
        let at = |program: &Program| {
            let mut all = expressions(program).into_iter();
            all.find(|(place, _)| *place == self.place)
                .map(|(_, expr)| expr.clone())
        };
        let (old, new) = (at(program)?, at(&self.apply(program))?);
        let is_one = |expr: &Expr| !program.is_choice(expr) && program.next_values(expr).is_empty();
        if !(is_one(&old) && is_one(&new)) {
            return None;
        }
        let span = self.old;
        let operator = if program.is_boolean(&old) {
            Binary::Iff
        } else {
            Binary::Equal
        };
        let body = ExprKind::Binary(operator, Box::new(old), Box::new(new));
        let mut shown = program.clone();
        let define = shown.defines.push(Define {
            name: program.free_name("same_value"),
            body: Expr { kind: body, span },
            is_choice: false,
            is_boolean: true,
            is_number: false,
        });
        shown.outputs = vec![Observed::Define(define)];
        Some(shown)
    }
    /// The program with the mutation in it.
    pub fn apply(&self, program: &Program) -> Program {
        let mut mutant = program.clone();
        if let Some(mut at) = expression_mut(&mut mutant, self.place) {
            for part in &self.path {
                at = at.parts_mut().swap_remove(*part);
            }
            *at = self.new.clone();
        }
        mutant
    }
}

pub(super) fn expression_mut(program: &mut Program, place: Place) -> Option<&mut Expr> {
    match place {
        Place::Define(define) => Some(&mut program.defines[define].body),
        Place::Constraint(number) => Some(&mut program.constraints[number].expr),
        Place::Init(var) | Place::Next(var) | Place::Always(var) => match (&mut program.variables[var].role, place) {
            (Role::State { init, .. } | Role::Frozen { init }, Place::Init(_)) => init.as_mut(),
            (Role::State { next, .. }, Place::Next(_)) => next.as_mut(),
            (Role::Derived(body), Place::Always(_)) => Some(body),
            _ => None,
        },
    }
}

/// Every expression of a program, in the order of its text.
fn expressions(program: &Program) -> Vec<(Place, &Expr)> {
    let mut found: Vec<(Place, &Expr)> = Vec::new();
    for (var, variable) in program.variables.iter_enumerated() {
        match &variable.role {
            Role::Input => {}
            Role::State { init, next } => {
                found.extend(init.as_ref().map(|init| (Place::Init(var), init)));
                found.extend(next.as_ref().map(|next| (Place::Next(var), next)));
            }
            Role::Frozen { init } => found.extend(init.as_ref().map(|init| (Place::Init(var), init))),
            Role::Derived(body) => found.push((Place::Always(var), body)),
        }
    }
    for (define, body) in program.defines.iter_enumerated() {
        found.push((Place::Define(define), &body.body));
    }
    let constraints = program.constraints.iter().enumerate();
    found.extend(constraints.map(|(number, constraint)| (Place::Constraint(number), &constraint.expr)));
    found.sort_by_key(|(place, expr)| (expr.span, *place));
    found
}

/// All mutants of order 1.
pub fn mutations(program: &Program) -> Vec<SystemMutation> {
    let mut found = Vec::new();
    for (place, expr) in expressions(program) {
        let mut finder = Finder {
            program,
            place,
            found: &mut found,
        };
        let position = match place {
            Place::Constraint(_) => ExprRole::Condition,
            _ => ExprRole::Value,
        };
        finder.visit(expr, &mut Vec::new(), position);
        if let Place::Next(var) = place {
            finder.assignment(var, expr);
        }
    }
    found.sort_by_key(|mutation| (mutation.old, mutation.operator));
    found
}

/// The role of an expression.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ExprRole {
    Condition,
    /// It is assigned, or a branch of an assigned expression.
    Value,
    Operand,
}

struct Finder<'a> {
    program: &'a Program,
    place: Place,
    found: &'a mut Vec<SystemMutation>,
}

impl Finder<'_> {
    /// Adds a mutant, unless the expression that it changes is not in the text.
    fn add(&mut self, operator: SystemOperator, path: &[usize], old: &Expr, kind: ExprKind) {
        if old.span.start == old.span.end {
            return;
        }
        self.found.push(SystemMutation {
            operator,
            place: self.place,
            path: path.to_vec(),
            old: old.span,
            new: Expr { kind, span: old.span },
        });
    }

    fn visit(&mut self, expr: &Expr, path: &mut Vec<usize>, position: ExprRole) {
        if position == ExprRole::Condition {
            for value in [true, false] {
                if expr.kind != ExprKind::Bool(value) {
                    self.add(SystemOperator::Con, path, expr, ExprKind::Bool(value));
                }
            }
        }
        self.here(expr, path);
        if position == ExprRole::Value && matches!(self.place, Place::Next(_)) {
            self.off_by_one(expr, path);
        }
        for (number, part) in expr.parts().into_iter().enumerate() {
            path.push(number);
            self.visit(part, path, position_of(&expr.kind, number, position));
            path.pop();
        }
    }
    fn here(&mut self, expr: &Expr, path: &[usize]) {
        match &expr.kind {
            ExprKind::Binary(operator, left, right) => {
                let kin = self.kin(*operator, left);
                let operators = kin.iter().filter(|other| *other != operator);
                let name = match *operator < Binary::Equal || *operator >= Binary::BitAnd {
                    true => SystemOperator::Lor,
                    false => SystemOperator::Ror,
                };
                for other in operators {
                    self.add(name, path, expr, ExprKind::Binary(*other, left.clone(), right.clone()));
                }
            }
            ExprKind::Value(value) if self.program.is_number(expr) => {
                for new in [value + 1, value - 1] {
                    self.add(SystemOperator::Cst, path, expr, ExprKind::Value(new));
                }
            }
            ExprKind::Range(first, last) => {
                let ranges = [
                    (first + 1, *last),
                    (first - 1, *last),
                    (*first, last + 1),
                    (*first, last - 1),
                ];
                for (first, last) in ranges.into_iter().filter(|(first, last)| first <= last) {
                    self.add(SystemOperator::Cst, path, expr, ExprKind::Range(first, last));
                }
            }
            _ => {}
        }
    }
    /// The operators that can replace an operator, itself among them; empty for arithmetic operators.
    fn kin(&self, operator: Binary, left: &Expr) -> &'static [Binary] {
        const WITH_XNOR: [Binary; 5] = [Binary::And, Binary::Or, Binary::Xor, Binary::Xnor, Binary::Implies];
        const WITH_IFF: [Binary; 5] = [Binary::And, Binary::Or, Binary::Xor, Binary::Iff, Binary::Implies];
        const BITWISE: [Binary; 3] = [Binary::BitAnd, Binary::BitOr, Binary::BitXor];
        const RELATIONAL: [Binary; 6] = [
            Binary::Equal,
            Binary::Unequal,
            Binary::Less,
            Binary::Greater,
            Binary::LessEqual,
            Binary::GreaterEqual,
        ];
        if operator < Binary::Equal {
            // `xnor` and `<->` mean the same.
            match operator {
                Binary::Iff => &WITH_IFF,
                _ => &WITH_XNOR,
            }
        } else if operator <= Binary::GreaterEqual {
            if self.program.is_number(left) {
                &RELATIONAL
            } else {
                &RELATIONAL[..2]
            }
        } else if operator >= Binary::BitAnd {
            &BITWISE
        } else {
            &[]
        }
    }
    fn off_by_one(&mut self, expr: &Expr, path: &[usize]) {
        let is_leaf = !matches!(
            expr.kind,
            ExprKind::If(..) | ExprKind::Case(_) | ExprKind::Set(_) | ExprKind::Range(..) | ExprKind::Union(..)
        );
        let is_constant = matches!(expr.kind, ExprKind::Value(_));
        if is_leaf && !is_constant && self.program.is_number(expr) && !self.program.is_choice(expr) {
            let one = Expr {
                kind: ExprKind::Value(1),
                span: expr.span,
            };
            for operator in [Binary::Plus, Binary::Minus] {
                let kind = ExprKind::Binary(operator, Box::new(expr.clone()), Box::new(one.clone()));
                let kind = self.begun_again(kind, expr.span);
                self.add(SystemOperator::Obo, path, expr, kind);
            }
        }
    }
    /// Wraps a number that is one above or below the range of a variable, if the variable is a word of bits.
    fn begun_again(&self, kind: ExprKind, span: Span) -> ExprKind {
        let Place::Next(var) = self.place else { return kind };
        let variable = &self.program.variables[var];
        let (true, Domain::Range(first, last)) = (variable.wraps, &variable.domain) else {
            return kind;
        };
        let at = |kind: ExprKind| Expr { kind, span };
        let binary = |operator: Binary, left: Expr, right: i64| {
            ExprKind::Binary(operator, Box::new(left), Box::new(at(ExprKind::Value(right))))
        };
        let size = last - first + 1;
        // From 0 on, and not below it.
        let positive = match kind {
            ExprKind::Binary(Binary::Minus, number, _) => binary(Binary::Plus, *number, size - 1 - first),
            kind if *first < 0 => binary(Binary::Minus, at(kind), *first),
            kind => kind,
        };
        let rest = binary(Binary::Modulo, at(positive), size);
        if *first < 0 {
            binary(Binary::Plus, at(rest), *first)
        } else {
            rest
        }
    }
    /// Adds the mutations of a whole assignment.
    fn assignment(&mut self, var: VarId, expr: &Expr) {
        if expr.kind != ExprKind::Now(var) {
            self.add(SystemOperator::Drp, &[], expr, ExprKind::Now(var));
        }
        let stuck: Vec<ExprKind> = match &self.program.variables[var].domain {
            Domain::Boolean => vec![ExprKind::Bool(false), ExprKind::Bool(true)],
            Domain::Range(first, last) if first == last => vec![ExprKind::Value(*first)],
            Domain::Range(first, last) => vec![ExprKind::Value(*first), ExprKind::Value(*last)],
            Domain::Values(values) => values.iter().map(|value| ExprKind::Value(*value)).collect(),
        };
        for kind in stuck.into_iter().filter(|kind| *kind != expr.kind) {
            self.add(SystemOperator::Stk, &[], expr, kind);
        }
    }
}

/// The role of part `number` of an expression in `position`.
fn position_of(kind: &ExprKind, number: usize, position: ExprRole) -> ExprRole {
    match kind {
        ExprKind::If(..) if number == 0 => ExprRole::Condition,
        ExprKind::Case(_) if number.is_multiple_of(2) => ExprRole::Condition,
        ExprKind::If(..) | ExprKind::Case(_) | ExprKind::Set(_) | ExprKind::Union(..) => match position {
            ExprRole::Condition => ExprRole::Operand,
            other => other,
        },
        _ => ExprRole::Operand,
    }
}

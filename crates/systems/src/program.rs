//! The source form of a transition system: variables with finite domains, their initial and next values, definitions.
//!
//! A value is an `i64`: a truth value is 0 or 1, a number itself, and a symbol [`SYMBOL`] plus its number. Builders
//! must ensure that expressions are well typed, and that neither definitions nor next values depend on each other in a
//! circle.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

use tamper_text::define_ids;
use tamper_text::{Height, Id, IndexVec, Span};

define_ids! {
    /// The number of a variable of a program.
    VarId,
    /// A definition: a name for an expression.
    DefineId,
}

/// The value of the first symbol; numbers are smaller.
pub const SYMBOL: i64 = 1 << 40;

/// The values that a variable can have.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Domain {
    /// The truth values false and true.
    Boolean,
    /// A number from the first to the last.
    Range(i64, i64),
    /// One of the listed numbers and symbols.
    Values(Vec<i64>),
}

impl Domain {
    /// The number of values.
    pub fn len(&self) -> u64 {
        match self {
            Self::Boolean => 2,
            Self::Range(first, last) => last.abs_diff(*first) + 1,
            Self::Values(values) => values.len() as u64,
        }
    }
    /// Whether the domain is empty: never.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// The value at that position of the domain.
    pub fn value(&self, place: u64) -> i64 {
        match self {
            Self::Boolean => place as i64,
            Self::Range(first, _) => first + place as i64,
            Self::Values(values) => values[place as usize],
        }
    }
    /// The position of a value in the domain, if it is a member.
    pub fn place(&self, value: i64) -> Option<u64> {
        match self {
            Self::Boolean => (0..=1).contains(&value).then_some(value as u64),
            Self::Range(first, last) => (first..=last).contains(&&value).then(|| value.abs_diff(*first)),
            Self::Values(values) => values.iter().position(|other| *other == value).map(|at| at as u64),
        }
    }
    /// All values of the domain, in order.
    pub fn values(&self) -> impl Iterator<Item = i64> + '_ {
        (0..self.len()).map(|place| self.value(place))
    }
}

/// The source of a variable's values.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Role {
    /// The environment chooses the value in every step.
    Input,
    /// The system chooses the value in every step.
    State {
        /// The initial values; `None` allows all values of the domain.
        init: Option<Expr>,
        /// The values after a step; `None` allows all values of the domain.
        next: Option<Expr>,
    },
    /// The system chooses the value once, before the first step.
    Frozen {
        /// The initial values; `None` allows all values of the domain.
        init: Option<Expr>,
    },
    /// It always has the value of the expression.
    Derived(Expr),
}

/// A variable of a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Variable {
    /// The name of the variable.
    pub name: String,
    /// The place of the declaration in the text.
    pub span: Span,
    /// The values that the variable can have.
    pub domain: Domain,
    /// The source of its values.
    pub role: Role,
    /// Whether it is a word of bits, whose numbers wrap around at the ends of its domain.
    pub wraps: bool,
}

/// A name for an expression.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Define {
    /// The name of the definition.
    pub name: String,
    /// The expression that the name stands for. If it is a choice, every use chooses again.
    pub body: Expr,
    /// Whether the body is a choice, as [`Program::is_choice`] says.
    pub is_choice: bool,
    /// Whether it is a truth value, as [`Program::is_boolean`] says.
    pub is_boolean: bool,
    /// Whether it is a number, as [`Program::is_number`] says.
    pub is_number: bool,
}

/// A part of the state that the tester sees.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Observed {
    /// The value of a variable.
    Variable(VarId),
    /// A definition that is not a choice.
    Define(DefineId),
}

/// The moments at which a constraint holds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Moments {
    /// In initial states (INIT).
    Initial,
    /// In every state (INVAR).
    Always,
    /// Between a state, with its input, and the next (TRANS).
    Steps,
}

/// A constraint that removes states or steps which the assignments allow.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Constraint {
    /// The moments at which it holds.
    pub moments: Moments,
    /// A truth value. Only constraints on steps may read inputs and next values.
    pub expr: Expr,
}

/// An operator with one operand.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Unary {
    /// The negation of a truth value.
    Not,
    /// The negative of a number.
    Minus,
    /// The absolute value of a number.
    Abs,
    /// 1 for true, 0 for false.
    ToInt,
    /// Whether a number is not 0.
    ToBool,
}

/// An operator with two operands.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Binary {
    And,
    Or,
    Xor,
    Xnor,
    Implies,
    Iff,
    Equal,
    Unequal,
    Less,
    Greater,
    LessEqual,
    GreaterEqual,
    Plus,
    Minus,
    Times,
    Divide,
    /// The result has the sign of the first operand.
    Modulo,
    Max,
    Min,
    /// Bitwise, for nonnegative numbers.
    BitAnd,
    BitOr,
    BitXor,
}

/// An expression and its place in the text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Expr {
    /// The operation with its operands.
    pub kind: ExprKind,
    /// The place of the expression in the text.
    pub span: Span,
}

/// The form of an expression. A choice is an expression with several possible values: a set, a range, a union, or a
/// case with one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ExprKind {
    /// A constant truth value, true or false.
    Bool(bool),
    /// A number or a symbol.
    Value(i64),
    /// The current value of a variable.
    Now(VarId),
    /// The value of a variable after the step.
    Next(VarId),
    /// The current value of a definition.
    Define(DefineId),
    /// The value of a definition after the step; the definition is no choice and reads no next values.
    NextDefine(DefineId),
    /// An operator applied to an expression that is not a choice.
    Unary(Unary, Box<Expr>),
    /// An operator applied to expressions that are not choices.
    Binary(Binary, Box<Expr>, Box<Expr>),
    /// Whether the value of the first, which is not a choice, is possible for the second.
    In(Box<Expr>, Box<Expr>),
    /// The second if the first holds, else the third.
    If(Box<Expr>, Box<Expr>, Box<Expr>),
    /// The first value whose condition holds; no value if none does.
    Case(Vec<(Expr, Expr)>),
    /// A choice among all members.
    Set(Vec<Expr>),
    /// A choice among the numbers from the first to the last.
    Range(i64, i64),
    /// A choice among the values of both.
    Union(Box<Expr>, Box<Expr>),
}

/// Defines a function that lists the direct parts of an expression, by reference or mutably.
macro_rules! parts {
    ($(#[$meta:meta])* $name:ident, $iter:ident, $($mutable:ident)?) => {
        $(#[$meta])*
        pub fn $name(&$($mutable)? self) -> Vec<&$($mutable)? Expr> {
            match &$($mutable)? self.kind {
                ExprKind::Bool(_)
                | ExprKind::Value(_)
                | ExprKind::Now(_)
                | ExprKind::Next(_)
                | ExprKind::Define(_)
                | ExprKind::NextDefine(_)
                | ExprKind::Range(..) => Vec::new(),
                ExprKind::Unary(_, operand) => vec![operand],
                ExprKind::Binary(_, left, right) | ExprKind::In(left, right) | ExprKind::Union(left, right) => {
                    vec![left, right]
                }
                ExprKind::If(condition, yes, no) => vec![condition, yes, no],
                ExprKind::Case(branches) => branches.$iter().flat_map(|(when, then)| [when, then]).collect(),
                ExprKind::Set(members) => members.$iter().collect(),
            }
        }
    };
}

impl Expr {
    /// An expression that is not in the text, but belongs to `beside`: mutations leave it alone.
    pub(crate) fn unwritten(kind: ExprKind, beside: Span) -> Self {
        let span = Span {
            end: beside.start,
            ..beside
        };
        Self { kind, span }
    }
    /// Whether the expression is not in the text.
    pub(crate) fn is_unwritten(&self) -> bool {
        self.span.start == self.span.end
    }
    parts! {
        /// The expressions directly in this one.
        parts, iter,
    }
    parts! {
        /// The expressions directly in this one, mutably.
        parts_mut, iter_mut, mut
    }
}

/// The names that an expression was found to depend on.
#[derive(Default)]
struct Dependencies {
    variables: BTreeSet<VarId>,
    defines: BTreeSet<DefineId>,
}

/// A transition system in source form.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Program {
    /// The variables, in the order they are declared.
    pub variables: IndexVec<VarId, Variable>,
    /// The abbreviations that expressions refer to.
    pub defines: IndexVec<DefineId, Define>,
    /// The names of the symbols.
    pub symbols: Vec<String>,
    /// The outputs, sorted by name.
    pub outputs: Vec<Observed>,
    /// The constraints besides the assignments.
    pub constraints: Vec<Constraint>,
    /// Whether instances of modules share text, so that a place in the text does not identify a mutation.
    pub has_instances: bool,
}

/// The spelling of a path as a name of SMV.
pub(crate) fn flat_name(path: &str) -> String {
    path.replace(['.', '['], "$").replace(']', "")
}

impl Program {
    /// The inputs, sorted by their names.
    pub fn inputs(&self) -> Vec<VarId> {
        let is_input = |var: &VarId| self.variables[*var].role == Role::Input;
        let mut inputs: Vec<VarId> = self.variables.ids().filter(is_input).collect();
        inputs.sort_by_key(|var| &self.variables[*var].name);
        inputs
    }
    /// The variables that make up a state.
    pub fn states(&self) -> Vec<VarId> {
        let is_state = |var: &VarId| matches!(self.variables[*var].role, Role::State { .. } | Role::Frozen { .. });
        self.variables.ids().filter(is_state).collect()
    }
    /// The name of an output.
    pub fn name_of(&self, observed: Observed) -> &str {
        match observed {
            Observed::Variable(var) => &self.variables[var].name,
            Observed::Define(define) => &self.defines[define].name,
        }
    }
    /// Whether a variable, a definition or a symbol has that name.
    pub fn has_name(&self, name: &str) -> bool {
        let names = self.variables.iter().map(|variable| &variable.name);
        let defines = self.defines.iter().map(|define| &define.name);
        names.chain(defines).chain(&self.symbols).any(|other| other == name)
    }
    /// Whether it has operators on the bits of words, which SMV does not have for numbers.
    pub fn has_bits(&self) -> bool {
        let is_of_bits = |expr: &Expr| {
            let mut open = vec![expr];
            while let Some(expr) = open.pop() {
                if matches!(expr.kind, ExprKind::Binary(operator, ..) if operator >= Binary::BitAnd) {
                    return true;
                }
                open.extend(expr.parts());
            }
            false
        };
        self.roots().any(is_of_bits)
    }
    /// The same program with a `$` for each dot of a path in names: names of SMV have no dots.
    #[must_use]
    pub fn with_flat_names(&self) -> Self {
        let mut flat = self.clone();
        let names = flat.variables.iter_mut().map(|variable| &mut variable.name);
        for name in names.chain(flat.defines.iter_mut().map(|define| &mut define.name)) {
            *name = flat_name(name);
        }
        flat
    }
    /// A name that is not taken: `wanted`, followed by the necessary number of `_`.
    pub(crate) fn free_name(&self, wanted: &str) -> String {
        let mut name = wanted.to_owned();
        while self.has_name(&name) {
            name.push('_');
        }
        name
    }
    /// The spelling of a value of that domain in a file.
    pub fn show(&self, value: i64, is_boolean: bool) -> String {
        match value {
            0 if is_boolean => "FALSE".to_owned(),
            1 if is_boolean => "TRUE".to_owned(),
            symbol if symbol >= SYMBOL => self.symbols[(symbol - SYMBOL) as usize].clone(),
            number => number.to_string(),
        }
    }
    /// Whether an expression is a choice.
    pub fn is_choice(&self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Set(_) | ExprKind::Range(..) | ExprKind::Union(..) => true,
            ExprKind::Define(define) => self.defines[*define].is_choice,
            ExprKind::If(_, yes, no) => self.is_choice(yes) || self.is_choice(no),
            ExprKind::Case(branches) => branches.iter().any(|(_, then)| self.is_choice(then)),
            _ => false,
        }
    }
    /// Whether an expression is a truth value (for a choice: all of its values are).
    pub fn is_boolean(&self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Bool(_) | ExprKind::In(..) | ExprKind::Unary(Unary::Not | Unary::ToBool, _) => true,
            ExprKind::Now(var) | ExprKind::Next(var) => self.variables[*var].domain == Domain::Boolean,
            ExprKind::Define(define) | ExprKind::NextDefine(define) => self.defines[*define].is_boolean,
            ExprKind::Binary(operator, ..) => *operator <= Binary::GreaterEqual,
            ExprKind::If(_, yes, _) => self.is_boolean(yes),
            ExprKind::Case(branches) => branches.first().is_some_and(|(_, then)| self.is_boolean(then)),
            ExprKind::Set(members) => members.first().is_some_and(|member| self.is_boolean(member)),
            ExprKind::Union(left, _) => self.is_boolean(left),
            ExprKind::Value(_) | ExprKind::Range(..) | ExprKind::Unary(..) => false,
        }
    }
    /// Whether an expression, which may be a choice, is a number for all values of its variables.
    pub fn is_number(&self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Value(value) => *value < SYMBOL,
            ExprKind::Now(var) | ExprKind::Next(var) => match &self.variables[*var].domain {
                Domain::Boolean => false,
                Domain::Range(..) => true,
                Domain::Values(values) => values.iter().all(|value| *value < SYMBOL),
            },
            ExprKind::Define(define) | ExprKind::NextDefine(define) => self.defines[*define].is_number,
            ExprKind::Unary(operator, _) => !matches!(operator, Unary::Not | Unary::ToBool),
            ExprKind::Binary(operator, ..) => *operator > Binary::GreaterEqual,
            ExprKind::If(_, yes, no) | ExprKind::Union(yes, no) => self.is_number(yes) && self.is_number(no),
            ExprKind::Case(branches) => branches.iter().all(|(_, then)| self.is_number(then)),
            ExprKind::Set(members) => members.iter().all(|member| self.is_number(member)),
            ExprKind::Range(..) => true,
            ExprKind::Bool(_) | ExprKind::In(..) => false,
        }
    }
    /// Sets the body of a definition.
    pub fn define(&mut self, define: DefineId, body: Expr) {
        let (is_choice, is_boolean, is_number) = (self.is_choice(&body), self.is_boolean(&body), self.is_number(&body));
        let define = &mut self.defines[define];
        (define.is_choice, define.is_boolean, define.is_number) = (is_choice, is_boolean, is_number);
        define.body = body;
    }
    /// The variables whose current values an expression reads, through definitions and derived variables.
    pub fn depends_on(&self, expr: &Expr) -> BTreeSet<VarId> {
        let mut found = Dependencies::default();
        self.collect(expr, &mut found);
        found.variables
    }
    fn collect(&self, expr: &Expr, found: &mut Dependencies) {
        let mut open = vec![expr];
        while let Some(expr) = open.pop() {
            match &expr.kind {
                ExprKind::Now(var) if found.variables.insert(*var) => open.extend(self.meaning(expr)),
                ExprKind::Define(define) if found.defines.insert(*define) => open.extend(self.meaning(expr)),
                ExprKind::Now(_) | ExprKind::Define(_) => {}
                _ => open.extend(expr.parts()),
            }
        }
    }
    /// The variables whose next values an expression reads, through definitions.
    pub fn next_values(&self, expr: &Expr) -> BTreeSet<VarId> {
        let (mut found, mut defines) = (BTreeSet::new(), BTreeSet::new());
        let mut open = vec![expr];
        while let Some(expr) = open.pop() {
            match &expr.kind {
                ExprKind::Next(var) => drop(found.insert(*var)),
                ExprKind::NextDefine(define) => found.extend(self.depends_on(&self.defines[*define].body)),
                ExprKind::Define(define) if defines.insert(*define) => open.extend(self.meaning(expr)),
                ExprKind::Define(_) => {}
                _ => open.extend(expr.parts()),
            }
        }
        found
    }
    /// The body of a definition or derived variable.
    fn meaning(&self, expr: &Expr) -> Option<&Expr> {
        match &expr.kind {
            ExprKind::Define(define) | ExprKind::NextDefine(define) => Some(&self.defines[*define].body),
            ExprKind::Now(var) => match &self.variables[*var].role {
                Role::Derived(body) => Some(body),
                _ => None,
            },
            _ => None,
        }
    }
    /// The expressions that are not parts of others.
    fn roots(&self) -> impl Iterator<Item = &Expr> {
        let bodies = self.defines.iter().map(|define| &define.body);
        let roles = self.variables.iter().flat_map(|variable| match &variable.role {
            Role::Input => [None, None],
            Role::State { init, next } => [init.as_ref(), next.as_ref()],
            Role::Frozen { init } => [init.as_ref(), None],
            Role::Derived(body) => [Some(body), None],
        });
        let constraints = self.constraints.iter().map(|constraint| &constraint.expr);
        bodies.chain(roles.flatten()).chain(constraints)
    }
    /// The place of an expression that is higher than [`MAX_HEIGHT`](tamper_text::MAX_HEIGHT) when names are replaced
    /// by their bodies; `None` if no expression is that high.
    pub fn too_deep(&self) -> Option<Span> {
        let mut known: BTreeMap<*const Expr, Height> = BTreeMap::new();
        for root in self.roots() {
            let mut open = vec![(root, false)];
            while let Some((expr, parts_known)) = open.pop() {
                let parts = expr.parts().into_iter().chain(self.meaning(expr));
                if parts_known {
                    let height = |part: &Expr| known.get(&std::ptr::from_ref(part)).copied().unwrap_or_default();
                    let Some(height) = parts.map(height).max().map_or(Some(Height::LEAF), Height::above) else {
                        return Some(expr.span);
                    };
                    known.insert(std::ptr::from_ref(expr), height);
                } else if let Entry::Vacant(new) = known.entry(std::ptr::from_ref(expr)) {
                    // This ends a circle of names, which is refused elsewhere.
                    new.insert(Height::LEAF);
                    open.push((expr, true));
                    open.extend(parts.map(|part| (part, false)));
                }
            }
        }
        None
    }
    /// Whether an output depends on the input of the same moment.
    pub fn sees_input(&self, observed: Observed) -> bool {
        let kind = match observed {
            Observed::Variable(var) => ExprKind::Now(var),
            Observed::Define(define) => ExprKind::Define(define),
        };
        let span = Span::default();
        let found = self.depends_on(&Expr { kind, span });
        found.iter().any(|var| self.variables[*var].role == Role::Input)
    }
    /// The state variables in an order in which each initial value needs only earlier variables; `None` if they need
    /// each other.
    pub fn init_order(&self) -> Option<Vec<VarId>> {
        self.order_by(|variable| match &variable.role {
            Role::State { init: Some(init), .. } | Role::Frozen { init: Some(init) } => self.depends_on(init),
            _ => BTreeSet::new(),
        })
    }
    /// The state variables in an order in which each next value needs only earlier next values; `None` if they need
    /// each other.
    pub fn next_order(&self) -> Option<Vec<VarId>> {
        self.order_by(|variable| match &variable.role {
            Role::State { next: Some(next), .. } => self.next_values(next),
            _ => BTreeSet::new(),
        })
    }
    fn order_by(&self, needs: impl Fn(&Variable) -> BTreeSet<VarId>) -> Option<Vec<VarId>> {
        let mut left = self.states();
        let mut order: Vec<VarId> = Vec::with_capacity(left.len());
        while !left.is_empty() {
            let is_ready = |var: &VarId| {
                let needed = needs(&self.variables[*var]);
                needed.iter().all(|var| order.contains(var) || !left.contains(var))
            };
            let at = left.iter().position(is_ready)?;
            order.push(left.remove(at));
        }
        Some(order)
    }
    /// The product of the domain sizes of all state variables, if it fits.
    pub fn n_valuations(&self) -> Option<u128> {
        let sizes = self
            .states()
            .into_iter()
            .map(|var| u128::from(self.variables[var].domain.len()));
        sizes.into_iter().try_fold(1_u128, u128::checked_mul)
    }
    /// The number of variables.
    pub fn n_variables(&self) -> usize {
        self.variables.ids().map(|var| var.index() + 1).max().unwrap_or(0)
    }
}

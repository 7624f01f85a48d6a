//! The second pass, when all names are known: assignments, definitions, and the names listed in comments.

use super::lexer::Notes;
use super::reader::{AssignmentTarget, Reading, SmvReader};
use super::words::WordType;
use crate::formats::tokens::{ErrorReported, Token};
use crate::program::flat_name;
use crate::{Constraint, DefineId, Domain, Expr, ExprKind, Moments, Observed, Program, Role, VarId, Variable};
use tamper_text::{Diagnostic, Id, Span, too_high};

/// Refuses programs with too long a chain of definitions and derived variables.
pub(crate) fn chain_too_long(program: &Program) -> Option<Diagnostic> {
    let span = program.too_deep()?;
    let error = Diagnostic::error(too_high("the chain of definitions that ends here is"), span);
    Some(error.with_help("keep a value of the chain in a variable with a next value"))
}

impl<'a> SmvReader<'a> {
    /// The variable, definition or symbol of that name.
    pub(super) fn look_up(&mut self, name: &str) -> Option<ExprKind> {
        if let Some(var) = self.variables.get(name) {
            return Some(ExprKind::Now(*var));
        }
        if let Some(define) = self.defines.get(name).copied() {
            // A circular definition was reported as an error; any value will do.
            return Some(match self.read_define(define) {
                true => ExprKind::Define(define),
                false => ExprKind::Bool(false),
            });
        }
        self.symbols.get(name).map(|value| ExprKind::Value(*value))
    }
    pub(super) fn note_next(&mut self, var: VarId, span: Span) {
        self.asked.push((var, span));
    }
    /// Reads the body of a definition. Returns `false` if the definition is circular.
    fn read_define(&mut self, define: DefineId) -> bool {
        match self.read[define.index()] {
            Reading::Done => return true,
            Reading::Open => {
                let span = self.tokens.here();
                let name = self.program.defines[define].name.clone();
                self.refuse(format!("`{name}` is defined by itself"), span, "break the circle");
                return false;
            }
            Reading::Not => {}
        }
        self.read[define.index()] = Reading::Open;
        let (at, depth, height) = (self.tokens.at, self.tokens.depth, self.height);
        let asked = std::mem::take(&mut self.asked);
        self.tokens.at = self.bodies[define.index()];
        if let Ok(body) = self.whole_expression() {
            self.program.define(define, body);
            self.define_words.extend(self.word.map(|word| (define, word)));
        }
        if !self.asked.is_empty() {
            let asked = self.asked.iter().map(|(var, _)| *var).collect();
            self.define_asked.insert(define, asked);
        }
        (self.tokens.at, self.tokens.depth, self.height, self.asked) = (at, depth, height, asked);
        self.read[define.index()] = Reading::Done;
        true
    }
    /// The expression here, up to its `;`.
    fn whole_expression(&mut self) -> Result<Expr, ErrorReported> {
        let expr = self.expression()?;
        let span = self.tokens.here();
        match self.tokens.take(";") {
            true => Ok(expr),
            false => Err(self.refuse("the expression should end here", span, "put `;` here, or an operator")),
        }
    }

    /// Reads the assignments, definitions and constraints, and applies the notes in comments.
    pub(super) fn meanings(&mut self, notes: &Notes<'a>) {
        self.mark_inputs(&notes.inputs);
        for define in self.program.defines.ids() {
            self.tokens.depth = 0;
            self.read_define(define);
        }
        // The next values of derived variables are refused, so that these are known first.
        let mut assigned: Vec<_> = self.assigned.clone().into_iter().collect();
        assigned.sort_by_key(|((_, slot), _)| *slot != AssignmentTarget::Always);
        for ((var, slot), (start, span)) in assigned {
            self.tokens.at = start;
            self.asked.clear();
            self.tokens.depth = 0;
            if let Ok(value) = self.whole_expression() {
                self.assign(var, slot, value, span);
            }
        }
        for (moments, start) in self.constraints.clone() {
            self.tokens.at = start;
            self.asked.clear();
            self.tokens.depth = 0;
            // Errors are already noted.
            let _ = self.constraint(moments);
        }
        self.observe(notes);
    }
    /// Reads a constraint, up to a `;` that may be missing.
    fn constraint(&mut self, moments: Moments) -> Result<(), ErrorReported> {
        let expr = self.expression()?;
        self.need_truth(&expr)?;
        let (token, span) = self.tokens.peek();
        let is_end = match token {
            Token::End => true,
            Token::Name(name) => self.is_section(name),
            _ => self.tokens.take(";"),
        };
        if !is_end {
            return Err(self.refuse("the constraint should end here", span, "put `;` here, or an operator"));
        }
        let is_input = |var: &VarId| self.program.variables[*var].role == Role::Input;
        if moments != Moments::Steps && self.program.depends_on(&expr).iter().any(is_input) {
            let help = "inputs are free; what they lead to is said in TRANS or in assignments";
            return Err(self.refuse("this constraint restricts an input", expr.span, help));
        }
        match (self.asked.first().copied(), self.unknown_next()) {
            (Some((_, span)), _) if moments != Moments::Steps => Err(self.refuse(
                "next values are read in TRANS and `next(x) := …` only",
                span,
                "write the value of this moment",
            )),
            (_, Some(error)) => {
                self.tokens.diagnostics.push(error);
                Err(ErrorReported)
            }
            _ => {
                self.program.constraints.push(Constraint { moments, expr });
                Ok(())
            }
        }
    }
    /// An error in the next values that were asked for.
    fn unknown_next(&self) -> Option<Diagnostic> {
        let is_state = |asked: VarId| {
            let role = &self.program.variables[asked].role;
            matches!(role, Role::State { .. } | Role::Frozen { .. })
        };
        let (_, span) = self.asked.iter().find(|(asked, _)| !is_state(*asked))?;
        let error = Diagnostic::error("this variable's next value is not known in this step", *span);
        Some(error.with_help(
            "an answer cannot depend on an input that is not given yet; of inputs and derived variables the value now is read",
        ))
    }
    /// The variable, array or definition that a comment names: declared under that path, or under its spelling in flat
    /// files. It is called by the path from now on.
    fn named(&mut self, path: &str) -> Vec<Observed> {
        if let Some(array) = self.arrays.get(path) {
            return array.elements().map(Observed::Variable).collect();
        }
        let flat = flat_name(path);
        for name in [path, &flat] {
            let var = self
                .program
                .variables
                .iter_enumerated()
                .find(|(_, own)| own.name == name);
            if let Some((var, _)) = var {
                path.clone_into(&mut self.program.variables[var].name);
                return vec![Observed::Variable(var)];
            }
            if let Some(define) = self.defines.get(name).copied() {
                path.clone_into(&mut self.program.defines[define].name);
                return vec![Observed::Define(define)];
            }
        }
        Vec::new()
    }
    fn mark_inputs(&mut self, inputs: &[(&'a str, Option<Span>)]) {
        for (name, span) in inputs {
            let found = self.named(name);
            if !found.iter().any(|found| matches!(found, Observed::Variable(_))) && !self.refused.contains(name) {
                let message = format!("the input `{name}` is no variable");
                self.refuse(message, *span, "declare it in VAR or IVAR");
            }
            for found in found {
                match found {
                    Observed::Variable(var) if self.frozen.contains(&var) => {
                        let message = format!("`{name}` never changes and is no input");
                        self.refuse(message, *span, "declare it in VAR or IVAR");
                    }
                    Observed::Variable(var) => self.program.variables[var].role = Role::Input,
                    Observed::Define(_) => {}
                }
            }
        }
    }
    fn assign(&mut self, var: VarId, slot: AssignmentTarget, value: Expr, span: Span) {
        let name = self.program.variables[var].name.clone();
        if let Err(error) = self.check_value(var, slot, &value) {
            self.tokens.diagnostics.push(error);
            return;
        }
        let needed = self.program.depends_on(&value);
        let sees_input = needed
            .iter()
            .any(|var| self.program.variables[*var].role == Role::Input);
        let is_choice = self.program.is_choice(&value);
        match (&mut self.program.variables[var].role, slot) {
            (Role::Input, _) => self.free_input(var, &value, span),
            (Role::State { .. } | Role::Frozen { .. }, AssignmentTarget::Init) if sees_input => {
                self.refuse(
                    format!("what `{name}` is initially depends on an input"),
                    value.span,
                    "inputs come later",
                );
            }
            (Role::State { init, .. } | Role::Frozen { init }, AssignmentTarget::Init) => *init = Some(value),
            (Role::State { next, .. }, AssignmentTarget::Next) => *next = Some(value),
            (Role::State { init: None, next: None }, AssignmentTarget::Always) if !is_choice => {
                self.program.variables[var].role = Role::Derived(value);
            }
            (Role::State { init: None, next: None }, AssignmentTarget::Always) if sees_input => {
                let help = "write the choice in `init(x) := …` and in `next(x) := …`";
                let message = format!("`{name}` is a choice at every moment, and depends on an input");
                self.refuse(message, value.span, help);
            }
            // The variable has any value of the choice at every moment.
            (Role::State { init: None, next: None }, AssignmentTarget::Always) => {
                let own = Expr::unwritten(ExprKind::Now(var), value.span);
                let span = value.span;
                let kind = ExprKind::In(Box::new(own), Box::new(value));
                let moments = Moments::Always;
                self.program.constraints.push(Constraint {
                    moments,
                    expr: Expr { kind, span },
                });
            }
            (Role::Frozen { .. }, _) => {
                self.refuse(
                    format!("`{name}` never changes"),
                    span,
                    "assign `init(x)` only, or declare it in VAR",
                );
            }
            (Role::State { .. } | Role::Derived(_), _) => {
                let help = "either `x := …`, or `init(x) := …` and `next(x) := …`";
                self.refuse(format!("`{name}` is assigned in two ways"), span, help);
            }
        }
    }
    /// Checks a value that is assigned to `var`.
    fn check_value(&self, var: VarId, slot: AssignmentTarget, value: &Expr) -> Result<(), Diagnostic> {
        let (wanted, given) = (self.variable_words.get(&var).copied(), self.word);
        if wanted != given {
            let name = &self.program.variables[var].name;
            let message = format!("`{name}` is {}, and this is {}", word_name(wanted), word_name(given));
            return Err(Diagnostic::error(message, value.span).with_help("give it a value of its own type"));
        }
        let variable = &self.program.variables[var];
        let is_truth = variable.domain == Domain::Boolean;
        let error = |message: &str, span, help: &str| Err(Diagnostic::error(message, span).with_help(help));
        if self.program.is_boolean(value) != is_truth {
            let what = if is_truth { "a truth value" } else { "no truth value" };
            let message = format!("`{}` is {what}, and this is not so", variable.name);
            return error(&message, value.span, "correct the type or the value");
        }
        if let Some((_, span)) = self.asked.first().filter(|_| slot != AssignmentTarget::Next) {
            let message = "next values are read in `next(x) := …` only";
            return error(message, *span, "write the value of this moment");
        }
        self.unknown_next().map_or(Ok(()), Err)
    }

    /// An input may be assigned the choice of all its values, which has no effect.
    fn free_input(&mut self, var: VarId, value: &Expr, span: Span) {
        let Variable { name, domain, .. } = &self.program.variables[var];
        let values = values_of(value);
        let is_there = |wanted: &i64| {
            values
                .as_ref()
                .is_some_and(|ranges| ranges.iter().any(|own| own.contains(wanted)))
        };
        if !domain.values().all(|value| is_there(&value)) {
            let help = "remove the assignment, or let it be the set of all its values";
            let message = format!("`{name}` is an input, and this restricts it");
            self.refuse(message, span, help);
        }
    }
    fn observe(&mut self, notes: &Notes<'a>) {
        if !notes.says_outputs {
            let span = Span::new(0, 0);
            self.refuse(
                "the file does not say what is seen",
                span,
                "write a comment line `-- outputs: x, y`, or give --outputs x,y",
            );
        }
        let mut seen: Vec<Observed> = Vec::new();
        for (name, span) in &notes.outputs {
            let found = self.named(name);
            if found.is_empty() && !self.refused.contains(name) {
                let help = "declare it in VAR or DEFINE";
                self.refuse(format!("the output `{name}` is not declared"), *span, help);
            }
            for observed in found {
                if let Some((message, help)) = self.unseen(name, observed) {
                    self.refuse(message, *span, help);
                } else if !seen.contains(&observed) {
                    seen.push(observed);
                }
            }
        }
        seen.sort_unstable_by_key(|seen| (self.program.name_of(*seen).to_owned(), *seen));
        self.program.outputs = seen;
    }
    /// The reason why something called `name` cannot be seen, and the advice.
    fn unseen(&self, name: &str, observed: Observed) -> Option<(String, &'static str)> {
        match observed {
            Observed::Variable(var) if self.program.variables[var].role == Role::Input => Some((
                format!("`{name}` is an input and an output"),
                "name it in one of the two lines",
            )),
            Observed::Define(define) if self.define_asked.contains_key(&define) => Some((
                format!("the output `{name}` reads next values"),
                "observe a variable that has the value after the step",
            )),
            Observed::Define(define) if self.program.defines[define].is_choice => Some((
                format!("the output `{name}` is a choice"),
                "each use of the definition chooses anew: make it a variable",
            )),
            _ => None,
        }
    }
    /// Reports circles among values, and cyclic derived variables.
    pub(super) fn circles(&mut self) {
        if let Some(error) = chain_too_long(&self.program) {
            self.tokens.diagnostics.push(error);
            return;
        }
        let derived = self.program.variables.ids().collect::<Vec<_>>();
        for var in derived {
            if let Role::Derived(body) = &self.program.variables[var].role
                && self.program.depends_on(body).contains(&var)
            {
                let (name, span) = (
                    self.program.variables[var].name.clone(),
                    self.program.variables[var].span,
                );
                self.refuse(format!("`{name}` depends on itself"), span, "break the circle");
            }
        }
        for (order, what) in [
            (self.program.init_order(), "initial"),
            (self.program.next_order(), "next"),
        ] {
            if order.is_none() {
                let span = self
                    .program
                    .variables
                    .iter()
                    .next()
                    .map_or(Span::default(), |variable| variable.span);
                self.refuse(
                    format!("{what} values depend on each other in a circle"),
                    span,
                    "break the circle",
                );
            }
        }
    }
}

/// The description of a type in messages.
pub(super) fn word_name(word: Option<WordType>) -> String {
    word.map_or_else(|| "no word".to_owned(), |word| format!("of the type {}", word.name()))
}

/// The values that are listed; `None` if the expression is not a list of values.
fn values_of(value: &Expr) -> Option<Vec<std::ops::RangeInclusive<i64>>> {
    match &value.kind {
        ExprKind::Set(members) => {
            let lists: Option<Vec<_>> = members.iter().map(values_of).collect();
            Some(lists?.concat())
        }
        ExprKind::Value(value) => Some(vec![*value..=*value]),
        ExprKind::Bool(value) => Some(vec![i64::from(*value)..=i64::from(*value)]),
        ExprKind::Range(first, last) => Some(vec![*first..=*last]),
        _ => None,
    }
}

//! The clauses of an action system (\[001\] Figure 2), resolved.

use std::collections::BTreeMap;

use super::lexer::{Token, Tokens};
use super::terms::{Cursor, Kind, Node, Stopped};
use crate::actions::{
    Action, ActionSystem, Body, Condition, Instance, IntType, OBSERVE, REFUSED, Relation, SILENCE, StateVariable, Term,
};
use tamper_text::ReadError;
use tamper_text::decode;
use tamper_text::{Diagnostic, Severity, SourceFile, Span};

/// More products in one term could be larger than 128 bits.
const MAX_PRODUCTS: usize = 3;

/// An action system that was read.
#[derive(Clone, Debug)]
pub struct ReadActions {
    /// What it says.
    pub system: ActionSystem,
    /// Its file.
    pub file: SourceFile,
}

/// The system in `bytes`, the content of a file called `name`.
///
/// # Errors
/// Everything that is wrong with it.
pub fn read_actions(name: &str, bytes: &[u8]) -> Result<ReadActions, ReadError> {
    let file = decode(name, bytes)?;
    let Tokens {
        tokens,
        inputs,
        diagnostics,
    } = super::lexer::tokens(file.text());
    let mut reader = Reader {
        cursor: Cursor {
            tokens,
            at: 0,
            depth: 0,
            diagnostics,
        },
        system: ActionSystem::default(),
        variables: BTreeMap::new(),
        types: BTreeMap::new(),
        state: None,
        init: None,
        has_loop: false,
    };
    reader.clauses();
    reader.finish(&inputs);
    let is_error = |found: &Diagnostic| found.severity == Severity::Error;
    let (system, diagnostics) = (reader.system, reader.cursor.diagnostics);
    if diagnostics.iter().any(is_error) {
        return Err(ReadError { file, diagnostics });
    }
    Ok(ReadActions { system, file })
}

struct Reader {
    cursor: Cursor,
    system: ActionSystem,
    /// By name: the type, by place, and where it is declared.
    variables: BTreeMap<String, (usize, Span)>,
    types: BTreeMap<String, usize>,
    state: Option<Vec<(String, Span)>>,
    init: Option<(Vec<i64>, Span)>,
    has_loop: bool,
}

impl Reader {
    fn clauses(&mut self) {
        loop {
            let (token, span) = self.cursor.peek();
            let read = match token.clone() {
                Token::End => return,
                Token::Name(name) => {
                    self.cursor.at += 1;
                    self.clause(&name, span)
                }
                _ => Err(self.cursor.refuse("a clause is expected here", span, CLAUSES)),
            };
            if read.is_err() {
                while !matches!(self.cursor.peek().0, Token::End) && !self.cursor.take(".") {
                    self.cursor.at += 1;
                }
            }
        }
    }
    fn clause(&mut self, name: &str, span: Span) -> Result<(), Stopped> {
        match name {
            "type" => self.type_clause(),
            "var" => self.var_clause(),
            "state_def" => {
                self.cursor.expect("(")?;
                let names = self.list(|cursor| cursor.name("a variable"))?;
                self.cursor.expect(")")?;
                self.cursor.expect(".")?;
                self.once(self.state.is_some(), name, span)?;
                self.state = Some(names);
                Ok(())
            }
            "init" => {
                self.cursor.expect("(")?;
                let values = self.list(Cursor::number)?;
                self.cursor.expect(")")?;
                self.cursor.expect(".")?;
                self.once(self.init.is_some(), name, span)?;
                self.init = Some((values, span));
                Ok(())
            }
            "as" => {
                self.once(self.has_loop, name, span)?;
                self.has_loop = true;
                self.system_clause()
            }
            _ => Err(self
                .cursor
                .refuse(format!("the clause `{name}` is not read"), span, CLAUSES)),
        }
    }
    fn once(&mut self, there: bool, name: &str, span: Span) -> Result<(), Stopped> {
        match there {
            true => Err(self
                .cursor
                .refuse(format!("`{name}` is there twice"), span, "keep one of them")),
            false => Ok(()),
        }
    }
    fn list<T>(&mut self, item: impl Fn(&mut Cursor) -> Result<T, Stopped>) -> Result<Vec<T>, Stopped> {
        if self.cursor.take("[]") {
            return Ok(Vec::new());
        }
        self.cursor.expect("[")?;
        let mut items = vec![item(&mut self.cursor)?];
        while self.cursor.take(",") {
            items.push(item(&mut self.cursor)?);
        }
        self.cursor.expect("]")?;
        Ok(items)
    }
    /// `type(t, X) :- X in 0..7.`
    fn type_clause(&mut self) -> Result<(), Stopped> {
        self.cursor.expect("(")?;
        let (name, span) = self.cursor.name("a type")?;
        self.cursor.expect(",")?;
        let (bound, _) = self.cursor.name("a parameter")?;
        self.cursor.expect(")")?;
        self.cursor.expect(":-")?;
        let (again, at) = self.cursor.name("the parameter")?;
        let (word, _) = self.cursor.name("`in`")?;
        if again != bound || word != "in" {
            return Err(self
                .cursor
                .refuse("a type is a range", at, "write `type(t, X) :- X in 0..7.`"));
        }
        let first = self.cursor.number()?;
        self.cursor.expect("..")?;
        let last = self.cursor.number()?;
        self.cursor.expect(".")?;
        self.once(self.types.contains_key(&name), &name, span)?;
        if first > last {
            return Err(self
                .cursor
                .refuse(format!("the range {first}..{last} is empty"), span, "turn it round"));
        }
        self.types.insert(name.clone(), self.system.types.len());
        self.system.types.push(IntType { name, first, last });
        Ok(())
    }
    /// `var([v, w], t).`
    fn var_clause(&mut self) -> Result<(), Stopped> {
        self.cursor.expect("(")?;
        let names = self.list(|cursor| cursor.name("a variable"))?;
        self.cursor.expect(",")?;
        let int_type = self.type_name()?;
        self.cursor.expect(")")?;
        self.cursor.expect(".")?;
        for (name, span) in names {
            if let Some((_, first)) = self.variables.get(&name) {
                let error = Diagnostic::error(format!("`{name}` is declared twice"), span);
                let error = error
                    .with_secondary(*first, "the first time")
                    .with_help("keep one of them");
                self.cursor.diagnostics.push(error);
            } else {
                self.variables.insert(name, (int_type, span));
            }
        }
        Ok(())
    }
    fn type_name(&mut self) -> Result<usize, Stopped> {
        let (name, span) = self.cursor.name("a type")?;
        match self.types.get(&name) {
            Some(place) => Ok(*place),
            None => Err(self.cursor.refuse(
                format!("the type `{name}` is not declared above"),
                span,
                "write `type(t, X) :- X in 0..7.` first",
            )),
        }
    }
    /// The variables of the state, once all clauses before `as` are read.
    fn state_variables(&mut self) {
        let state = self.state.clone().unwrap_or_default();
        for (name, span) in state {
            let is_there = self.system.variables.iter().any(|variable| variable.name == name);
            match self.variables.get(&name) {
                Some(_) if is_there => drop(
                    self.cursor
                        .refuse(format!("`{name}` is there twice"), span, "remove one"),
                ),
                Some((int_type, _)) => {
                    let int_type = *int_type;
                    self.system.variables.push(StateVariable { name, int_type });
                }
                None => {
                    let help = "declare it before: `var([v], t).`";
                    self.cursor
                        .refuse(format!("the variable `{name}` is not declared above"), span, help);
                }
            }
        }
        let listed = |name: &String| self.system.variables.iter().any(|variable| variable.name == *name);
        let missing = self.variables.iter().find(|(name, _)| !listed(name));
        if let Some((name, (_, span))) = missing.map(|(name, found)| (name.clone(), *found)) {
            let message = format!("the variable `{name}` is no part of the state");
            self.cursor.refuse(message, span, "name it in `state_def([…]).`");
        }
    }

    /// `as :- actions(…), dood(…).`
    fn system_clause(&mut self) -> Result<(), Stopped> {
        self.state_variables();
        self.cursor.expect(":-")?;
        self.word("actions")?;
        self.cursor.expect("(")?;
        loop {
            self.action()?;
            if !self.cursor.take(",") {
                break;
            }
        }
        self.cursor.expect(")")?;
        self.cursor.expect(",")?;
        self.word("dood")?;
        self.cursor.expect("(")?;
        loop {
            self.instance()?;
            if !self.cursor.take("[]") {
                break;
            }
        }
        self.cursor.expect(")")?;
        self.cursor.expect(".")
    }
    fn word(&mut self, word: &str) -> Result<(), Stopped> {
        let (name, span) = self.cursor.name(&format!("`{word}`"))?;
        match name == word {
            true => Ok(()),
            false => Err(self.cursor.refuse(
                format!("`{word}` is expected here"),
                span,
                "a system is `as :- actions(…), dood(…).`",
            )),
        }
    }
    /// `l :: g => B`, `l(X) :: g => B`.
    fn action(&mut self) -> Result<(), Stopped> {
        let (name, span) = self.cursor.name("an action")?;
        let mut parameters: Vec<String> = Vec::new();
        if self.cursor.take("(") {
            loop {
                let (parameter, at) = self.cursor.name("a parameter")?;
                let is_capital = parameter.starts_with(|c: char| c.is_ascii_uppercase() || c == '_');
                if !is_capital || parameters.contains(&parameter) {
                    let help = "parameters begin with a capital letter, and each has a name of its own";
                    return Err(self
                        .cursor
                        .refuse(format!("`{parameter}` is no name for a parameter here"), at, help));
                }
                parameters.push(parameter);
                if !self.cursor.take(",") {
                    break;
                }
            }
            self.cursor.expect(")")?;
        }
        if RESERVED.contains(&name.as_str()) || name.contains(['(', ')']) {
            let help =
                "choose another one: tests speak of `observe`, `delta` and `refused`, and write values in parentheses";
            return Err(self
                .cursor
                .refuse(format!("`{name}` is no name for an action"), span, help));
        }
        self.cursor.expect("::")?;
        let term = self.cursor.term()?;
        if self.system.actions.iter().any(|action| action.name == name) {
            return Err(self.cursor.refuse(
                format!("the action `{name}` is there twice"),
                span,
                "join them with `[]`",
            ));
        }
        let Kind::Infix("=>", guard, body) = &term.kind else {
            return Err(self.cursor.refuse(
                "an action is a guard and a body",
                term.span,
                "write `name::(guard) => (body)`",
            ));
        };
        let guard = (self.condition(guard, &parameters)?, guard.span);
        let body = self.body(body, &parameters)?;
        self.system.actions.push(Action {
            name,
            parameters,
            guard,
            body,
        });
        Ok(())
    }
    /// `l`, `[X:t]:l(X)`, `[X:t]l(X)`.
    fn instance(&mut self) -> Result<(), Stopped> {
        let mut bound: Vec<(String, usize)> = Vec::new();
        if self.cursor.take("[") {
            loop {
                let (parameter, _) = self.cursor.name("a parameter")?;
                self.cursor.expect(":")?;
                bound.push((parameter, self.type_name()?));
                if !self.cursor.take(",") {
                    break;
                }
            }
            self.cursor.expect("]")?;
            self.cursor.take(":");
        }
        let (name, span) = self.cursor.name("an action")?;
        let mut given = Vec::new();
        if self.cursor.take("(") {
            loop {
                given.push(self.cursor.name("a parameter")?);
                if !self.cursor.take(",") {
                    break;
                }
            }
            self.cursor.expect(")")?;
        }
        let Some(action) = self.system.actions.iter().position(|action| action.name == name) else {
            return Err(self.cursor.refuse(
                format!("the action `{name}` is not there"),
                span,
                "define it in `actions(…)`",
            ));
        };
        let n_parameters = self.system.actions[action].parameters.len();
        if given.len() != n_parameters || bound.len() != n_parameters {
            let message = format!("the action `{name}` has {n_parameters} parameters");
            return Err(self.cursor.refuse(message, span, "give each one a type: `[X:t]:l(X)`"));
        }
        let mut types = Vec::new();
        for (parameter, at) in given {
            match bound.iter().position(|(name, _)| *name == parameter) {
                Some(place) => types.push(bound.remove(place).1),
                None => {
                    let help = "name every parameter once in `[X:t]`, and once in `l(X)`";
                    return Err(self.cursor.refuse(format!("`{parameter}` has no type here"), at, help));
                }
            }
        }
        self.system.instances.push(Instance { action, types });
        Ok(())
    }

    fn body(&mut self, node: &Node, parameters: &[String]) -> Result<Body, Stopped> {
        let Kind::Infix(sign, left, right) = &node.kind else {
            return Err(self.cursor.refuse(
                "this is no body of an action",
                node.span,
                "write an assignment `v := e`",
            ));
        };
        match *sign {
            "=>" => {
                let guard = self.condition(left, parameters)?;
                Ok(Body::Guard(guard, left.span, Box::new(self.body(right, parameters)?)))
            }
            ";" | "[]" => {
                let both = (self.body(left, parameters)?, self.body(right, parameters)?);
                let both = (Box::new(both.0), Box::new(both.1));
                Ok(match *sign {
                    ";" => Body::Sequence(both.0, both.1),
                    _ => Body::Choice(both.0, both.1),
                })
            }
            ":=" => {
                let found = match &left.kind {
                    Kind::Name(name) | Kind::Parameter(name) => self.variable(name),
                    _ => None,
                };
                let Some(variable) = found else {
                    let help = "assign to a variable of the state";
                    return Err(self.cursor.refuse("this is no variable of the state", left.span, help));
                };
                Ok(Body::Assign(variable, self.whole_number(right, parameters)?))
            }
            _ => Err(self.cursor.refuse(
                "this is no body of an action",
                node.span,
                "write an assignment `v := e`",
            )),
        }
    }
    fn variable(&self, name: &str) -> Option<usize> {
        self.system.variables.iter().position(|variable| variable.name == name)
    }
    fn condition(&mut self, node: &Node, parameters: &[String]) -> Result<Condition, Stopped> {
        let no_condition =
            "write a comparison (`#=`, `#\\=`, `#<`, `#>`, `#=<`, `#>=`), `true`, or join some with `#/\\` and `#\\/`";
        match &node.kind {
            Kind::Name(name) if name == "true" => Ok(Condition::True),
            Kind::Not(operand) => Ok(Condition::Not(Box::new(self.condition(operand, parameters)?))),
            Kind::Infix(sign @ ("#/\\" | "#\\/"), left, right) => {
                let both = (self.condition(left, parameters)?, self.condition(right, parameters)?);
                let both = (Box::new(both.0), Box::new(both.1));
                Ok(match *sign {
                    "#/\\" => Condition::And(both.0, both.1),
                    _ => Condition::Or(both.0, both.1),
                })
            }
            Kind::Infix(sign, left, right) => {
                let relation = match *sign {
                    "#=" => Relation::Equal,
                    "#\\=" => Relation::Unequal,
                    "#<" => Relation::Less,
                    "#>" => Relation::Greater,
                    "#=<" => Relation::LessEqual,
                    "#>=" => Relation::GreaterEqual,
                    _ => return Err(self.cursor.refuse("this is no condition", node.span, no_condition)),
                };
                let left = self.whole_number(left, parameters)?;
                Ok(Condition::Compare(
                    relation,
                    left,
                    self.whole_number(right, parameters)?,
                    node.span,
                ))
            }
            _ => Err(self.cursor.refuse("this is no condition", node.span, no_condition)),
        }
    }
    /// A number, none of whose values is larger than what is computed with.
    fn whole_number(&mut self, node: &Node, parameters: &[String]) -> Result<Term, Stopped> {
        fn products(node: &Node) -> usize {
            match &node.kind {
                Kind::Infix(sign, left, right) => usize::from(*sign == "*") + products(left) + products(right),
                _ => 0,
            }
        }
        if products(node) > MAX_PRODUCTS {
            let help = "assign a part of it first";
            return Err(self
                .cursor
                .refuse("more than three products in one term", node.span, help));
        }
        self.number(node, parameters)
    }
    fn number(&mut self, node: &Node, parameters: &[String]) -> Result<Term, Stopped> {
        match &node.kind {
            Kind::Number(number) => Ok(Term::Value(*number, node.span)),
            Kind::Name(name) | Kind::Parameter(name) => {
                let parameter = parameters.iter().position(|parameter| parameter == name);
                let found = parameter
                    .map(Term::Parameter)
                    .or_else(|| self.variable(name).map(Term::Variable));
                found.ok_or_else(|| {
                    let help = "variables are declared in `state_def`, parameters behind the action's name";
                    self.cursor.refuse(
                        format!("`{name}` is neither a variable nor a parameter"),
                        node.span,
                        help,
                    )
                })
            }
            Kind::Infix(sign @ ("+" | "-" | "*"), left, right) => {
                let both = (self.number(left, parameters)?, self.number(right, parameters)?);
                let both = (Box::new(both.0), Box::new(both.1));
                Ok(match *sign {
                    "+" => Term::Add(both.0, both.1),
                    "-" => Term::Subtract(both.0, both.1),
                    _ => Term::Multiply(both.0, both.1),
                })
            }
            _ => Err(self
                .cursor
                .refuse("this is no number", node.span, "write a number, a name, or a sum")),
        }
    }

    fn finish(&mut self, inputs: &[(String, Span)]) {
        let start = Span::new(0, 1);
        if !self.has_loop {
            self.cursor
                .refuse("the file has no system", start, "write `as :- actions(…), dood(…).`");
            return;
        }
        match self.init.take() {
            None => drop(
                self.cursor
                    .refuse("the file has no initial state", start, "write `init([…]).`"),
            ),
            Some((values, span)) if values.len() != self.system.variables.len() => {
                let message = format!(
                    "the initial state has {} values, the state {} variables",
                    values.len(),
                    self.system.variables.len()
                );
                self.cursor
                    .refuse(message, span, "give each variable of `state_def` one");
            }
            Some((values, span)) => {
                for (place, value) in values.iter().enumerate() {
                    let (first, last) = self.system.bounds(place);
                    if !(first..=last).contains(value) {
                        let name = self.system.variables[place].name.clone();
                        let message = format!("`{name}` is initially {value}, which is not in {first}..{last}");
                        self.cursor.refuse(message, span, "correct the value or the type");
                    }
                }
                self.system.init = values;
            }
        }
        for (name, span) in inputs {
            match self.system.actions.iter().any(|action| action.name == *name) {
                true => drop(self.system.inputs.insert(name.clone())),
                false => drop(self.cursor.refuse(
                    format!("the input `{name}` is no action"),
                    *span,
                    "correct the name",
                )),
            }
        }
    }
}

/// What tests call other things than actions.
const RESERVED: [&str; 3] = [OBSERVE, REFUSED, SILENCE];

/// The clauses that are read.
const CLAUSES: &str = "type, var, state_def, init and as are read";

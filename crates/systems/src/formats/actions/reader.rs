//! The clauses of an action system (\[001\] Figure 2), resolved.

use std::collections::BTreeMap;

use super::terms::{PrologTerm, PrologTermKind, term};
use crate::actions::{
    ActionBody, ActionCondition, ActionInstance, ActionSystem, ComparisonOperator, GuardedAction, IntType, IntegerTerm,
    Loop, OBSERVE, REFUSED, SILENCE, StateVariable,
};
use crate::formats::tokens::{ErrorReported, Token, Tokens};
use tamper_text::ReadError;
use tamper_text::decode;
use tamper_text::{Piece, SourceFile, Span};

/// The largest number of products in one term: more could exceed 128 bits.
const MAX_PRODUCTS: usize = 3;

/// An action system with its file.
#[derive(Clone, Debug)]
pub struct ReadActions {
    /// The system in the file.
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
    let (tokens, inputs) = super::lexer::tokens(file.text());
    let mut reader = ActionReader {
        tokens,
        system: ActionSystem::default(),
        variables: BTreeMap::new(),
        types: BTreeMap::new(),
        state: None,
        init: None,
        has_loop: false,
    };
    reader.clauses();
    reader.finish(&inputs);
    let (system, found) = (reader.system, reader.tokens.diagnostics);
    let (file, _) = ReadError::unless_sound(file, found)?;
    Ok(ReadActions { system, file })
}

struct ActionReader<'a> {
    tokens: Tokens<'a>,
    system: ActionSystem,
    /// By name: the type, by place, and the place of the declaration.
    variables: BTreeMap<String, (usize, Span)>,
    types: BTreeMap<String, usize>,
    state: Option<Vec<(String, Span)>>,
    init: Option<(Vec<i64>, Span)>,
    has_loop: bool,
}

impl<'a> ActionReader<'a> {
    fn clauses(&mut self) {
        loop {
            let (token, span) = self.tokens.peek();
            let read = match token {
                Token::End => return,
                Token::Name(name) => {
                    self.tokens.advance();
                    self.clause(name, span)
                }
                _ => Err(self.refuse("a clause is expected here", span, CLAUSES)),
            };
            if read.is_err() {
                while !matches!(self.tokens.peek().0, Token::End) && !self.tokens.take(".") {
                    self.tokens.advance();
                }
            }
        }
    }
    fn refuse(&mut self, message: impl Into<String>, span: Span, help: &str) -> ErrorReported {
        self.tokens.refuse(message, span, help)
    }
    fn name(&mut self, what: &str) -> Result<(String, Span), ErrorReported> {
        let (token, span) = self.tokens.peek();
        let Token::Name(name) = token else {
            return Err(self.refuse(format!("{what} is expected here"), span, "write its name"));
        };
        self.tokens.advance();
        Ok((name.to_owned(), span))
    }
    fn number_here(&mut self) -> Result<i64, ErrorReported> {
        self.tokens.number("write one")
    }
    /// Items separated by commas, before `close`.
    fn items<T>(
        &mut self,
        close: &str,
        item: impl Fn(&mut Self) -> Result<T, ErrorReported>,
    ) -> Result<Vec<T>, ErrorReported> {
        let mut items = vec![item(self)?];
        while self.tokens.take(",") {
            items.push(item(self)?);
        }
        self.tokens.expect(close)?;
        Ok(items)
    }
    fn clause(&mut self, name: &str, span: Span) -> Result<(), ErrorReported> {
        match name {
            "type" => self.type_clause(),
            "var" => self.var_clause(),
            "state_def" => {
                self.tokens.expect("(")?;
                let names = self.list(|reader| reader.name("a variable"))?;
                self.tokens.expect(")")?;
                self.tokens.expect(".")?;
                self.once(self.state.is_some(), name, span)?;
                self.state = Some(names);
                Ok(())
            }
            "init" => {
                self.tokens.expect("(")?;
                let values = self.list(Self::number_here)?;
                self.tokens.expect(")")?;
                self.tokens.expect(".")?;
                self.once(self.init.is_some(), name, span)?;
                self.init = Some((values, span));
                Ok(())
            }
            "as" => {
                self.once(self.has_loop, name, span)?;
                self.has_loop = true;
                self.system_clause()
            }
            _ => Err(self.refuse(format!("the clause `{name}` is not read"), span, CLAUSES)),
        }
    }
    fn once(&mut self, there: bool, name: &str, span: Span) -> Result<(), ErrorReported> {
        match there {
            true => Err(self.refuse(format!("`{name}` is there twice"), span, "keep one of them")),
            false => Ok(()),
        }
    }
    fn list<T>(&mut self, item: impl Fn(&mut Self) -> Result<T, ErrorReported>) -> Result<Vec<T>, ErrorReported> {
        if self.tokens.take("[]") {
            return Ok(Vec::new());
        }
        self.tokens.expect("[")?;
        self.items("]", item)
    }
    /// `type(t, X) :- X in 0..7.`
    fn type_clause(&mut self) -> Result<(), ErrorReported> {
        self.tokens.expect("(")?;
        let (name, span) = self.name("a type")?;
        self.tokens.expect(",")?;
        let (bound, _) = self.name("a parameter")?;
        self.tokens.expect(")")?;
        self.tokens.expect(":-")?;
        let (again, at) = self.name("the parameter")?;
        let (word, _) = self.name("`in`")?;
        if again != bound || word != "in" {
            return Err(self.refuse("a type is a range", at, "write `type(t, X) :- X in 0..7.`"));
        }
        let first = self.number_here()?;
        self.tokens.expect("..")?;
        let last = self.number_here()?;
        self.tokens.expect(".")?;
        self.once(self.types.contains_key(&name), &name, span)?;
        if first > last {
            return Err(self.refuse(format!("the range {first}..{last} is empty"), span, "turn it round"));
        }
        self.types.insert(name.clone(), self.system.types.len());
        self.system.types.push(IntType { name, first, last });
        Ok(())
    }
    /// `var([v, w], t).`
    fn var_clause(&mut self) -> Result<(), ErrorReported> {
        self.tokens.expect("(")?;
        let names = self.list(|reader| reader.name("a variable"))?;
        self.tokens.expect(",")?;
        let int_type = self.type_name()?;
        self.tokens.expect(")")?;
        self.tokens.expect(".")?;
        for (name, span) in names {
            if let Some((_, first)) = self.variables.get(&name) {
                let (message, first) = (format!("`{name}` is declared twice"), *first);
                self.tokens.refuse_second(message, span, first, "keep one of them");
            } else {
                self.variables.insert(name, (int_type, span));
            }
        }
        Ok(())
    }
    fn type_name(&mut self) -> Result<usize, ErrorReported> {
        let (name, span) = self.name("a type")?;
        match self.types.get(&name) {
            Some(place) => Ok(*place),
            None => Err(self.refuse(
                format!("the type `{name}` is not declared above"),
                span,
                "write `type(t, X) :- X in 0..7.` first",
            )),
        }
    }
    /// The variables of the state, after all clauses before `as` are read.
    fn state_variables(&mut self) {
        let state = self.state.clone().unwrap_or_default();
        for (name, span) in state {
            let is_there = self.system.variables.iter().any(|variable| variable.name == name);
            match self.variables.get(&name) {
                Some(_) if is_there => drop(self.refuse(format!("`{name}` is there twice"), span, "remove one")),
                Some((int_type, _)) => {
                    let int_type = *int_type;
                    self.system.variables.push(StateVariable { name, int_type });
                }
                None => {
                    let help = "declare it before: `var([v], t).`";
                    self.refuse(format!("the variable `{name}` is not declared above"), span, help);
                }
            }
        }
        let listed = |name: &String| self.system.variables.iter().any(|variable| variable.name == *name);
        let missing = self.variables.iter().find(|(name, _)| !listed(name));
        if let Some((name, (_, span))) = missing.map(|(name, found)| (name.clone(), *found)) {
            let message = format!("the variable `{name}` is no part of the state");
            self.refuse(message, span, "name it in `state_def([…]).`");
        }
    }

    /// `as :- actions(…), dood(…).`
    fn system_clause(&mut self) -> Result<(), ErrorReported> {
        self.state_variables();
        self.tokens.expect(":-")?;
        self.word("actions")?;
        self.tokens.expect("(")?;
        self.items(")", Self::action)?;
        self.tokens.expect(",")?;
        self.word("dood")?;
        self.tokens.expect("(")?;
        let composed = self.composed(0)?;
        let is_choice = |part: &Loop| matches!(part, Loop::One(_));
        let is_plain = match &composed {
            Loop::Choice(parts) => parts.iter().all(is_choice),
            part => is_choice(part),
        };
        self.system.composed = (!is_plain).then_some(composed);
        self.tokens.expect(")")?;
        self.tokens.expect(".")
    }
    fn word(&mut self, word: &str) -> Result<(), ErrorReported> {
        let (name, span) = self.name(&format!("`{word}`"))?;
        match name == word {
            true => Ok(()),
            false => Err(self.refuse(
                format!("`{word}` is expected here"),
                span,
                "a system is `as :- actions(…), dood(…).`",
            )),
        }
    }
    /// `l :: g => B`, `l(X) :: g => B`.
    fn action(&mut self) -> Result<(), ErrorReported> {
        let (name, span) = self.name("an action")?;
        let mut parameters: Vec<String> = Vec::new();
        if self.tokens.take("(") {
            for (parameter, at) in self.items(")", |reader| reader.name("a parameter"))? {
                let is_capital = parameter.starts_with(|c: char| c.is_ascii_uppercase() || c == '_');
                if !is_capital || parameters.contains(&parameter) {
                    let help = "parameters begin with a capital letter, and each has a name of its own";
                    return Err(self.refuse(format!("`{parameter}` is no name for a parameter here"), at, help));
                }
                parameters.push(parameter);
            }
        }
        if RESERVED.contains(&name.as_str()) || name.contains(['(', ')']) {
            let help =
                "choose another one: tests speak of `observe`, `delta` and `refused`, and write values in parentheses";
            return Err(self.refuse(format!("`{name}` is no name for an action"), span, help));
        }
        self.tokens.expect("::")?;
        let term = term(&mut self.tokens)?;
        if self.system.actions.iter().any(|action| action.name == name) {
            return Err(self.refuse(
                format!("the action `{name}` is there twice"),
                span,
                "join them with `[]`",
            ));
        }
        let PrologTermKind::Infix("=>", both) = &term.kind else {
            return Err(self.refuse(
                "an action is a guard and a body",
                term.span,
                "write `name::(guard) => (body)`",
            ));
        };
        let [guard, body] = both.as_ref();
        let guard = (self.condition(guard, &parameters)?, guard.span);
        let body = self.body(body, &parameters)?;
        self.system.actions.push(GuardedAction {
            name,
            parameters,
            guard,
            body,
        });
        Ok(())
    }
    /// `P [] Q`, `P // Q` or `P; Q`, from the weakest sign to the strongest, and parentheses.
    fn composed(&mut self, level: usize) -> Result<Loop, ErrorReported> {
        let Some(sign) = ["[]", "//", ";"].get(level) else {
            if !self.tokens.take("(") {
                self.instance()?;
                return Ok(Loop::One(self.system.instances.len() - 1));
            }
            self.tokens.deeper()?;
            let inner = self.composed(0)?;
            self.tokens.depth -= 1;
            self.tokens.expect(")")?;
            return Ok(inner);
        };
        let first = self.composed(level + 1)?;
        let mut parts = vec![first];
        while self.tokens.take(sign) {
            parts.push(self.composed(level + 1)?);
        }
        Ok(match (parts.len(), level) {
            (1, _) => parts.remove(0),
            (_, 0) => Loop::Choice(parts),
            (_, 1) => Loop::Priority(parts),
            _ => Loop::Sequence(parts),
        })
    }
    /// `l`, `[X:t]:l(X)`, `[X:t]l(X)`.
    fn instance(&mut self) -> Result<(), ErrorReported> {
        let mut bound: Vec<(String, usize)> = Vec::new();
        if self.tokens.take("[") {
            bound = self.items("]", |reader| {
                let (parameter, _) = reader.name("a parameter")?;
                reader.tokens.expect(":")?;
                Ok((parameter, reader.type_name()?))
            })?;
            self.tokens.take(":");
        }
        let (name, span) = self.name("an action")?;
        let given = match self.tokens.take("(") {
            true => self.items(")", |reader| reader.name("a parameter"))?,
            false => Vec::new(),
        };
        let Some(action) = self.system.actions.iter().position(|action| action.name == name) else {
            return Err(self.refuse(
                format!("the action `{name}` is not there"),
                span,
                "define it in `actions(…)`",
            ));
        };
        let n_parameters = self.system.actions[action].parameters.len();
        if given.len() != n_parameters || bound.len() != n_parameters {
            let message = format!("the action `{name}` has {n_parameters} parameters");
            return Err(self.refuse(message, span, "give each one a type: `[X:t]:l(X)`"));
        }
        let mut types = Vec::new();
        for (parameter, at) in given {
            match bound.iter().position(|(name, _)| *name == parameter) {
                Some(place) => types.push(bound.remove(place).1),
                None => {
                    let help = "name every parameter once in `[X:t]`, and once in `l(X)`";
                    return Err(self.refuse(format!("`{parameter}` has no type here"), at, help));
                }
            }
        }
        self.system.instances.push(ActionInstance { action, types });
        Ok(())
    }

    fn body(&mut self, node: &PrologTerm, parameters: &[String]) -> Result<ActionBody, ErrorReported> {
        if let PrologTermKind::Infix(sign @ ("=>" | ";" | "[]" | ":="), both) = &node.kind {
            let [left, right] = both.as_ref();
            let body = |reader: &mut Self, node| Ok(Box::new(reader.body(node, parameters)?));
            return Ok(match *sign {
                "=>" => ActionBody::Guard(self.condition(left, parameters)?, left.span, body(self, right)?),
                ";" => ActionBody::Sequence(body(self, left)?, body(self, right)?),
                "[]" => ActionBody::Choice(body(self, left)?, body(self, right)?),
                _ => ActionBody::Assign(self.assigned(left)?, self.whole_number(right, parameters)?),
            });
        }
        let help = "write an assignment `v := e`";
        Err(self.refuse("this is no body of an action", node.span, help))
    }
    fn assigned(&mut self, node: &PrologTerm) -> Result<usize, ErrorReported> {
        let found = match &node.kind {
            PrologTermKind::Name(name) => self.variable(name),
            _ => None,
        };
        let help = "assign to a variable of the state";
        found.ok_or_else(|| self.refuse("this is no variable of the state", node.span, help))
    }
    fn variable(&self, name: &str) -> Option<usize> {
        self.system.variables.iter().position(|variable| variable.name == name)
    }
    fn condition(&mut self, node: &PrologTerm, parameters: &[String]) -> Result<ActionCondition, ErrorReported> {
        let part = |reader: &mut Self, node| Ok(Box::new(reader.condition(node, parameters)?));
        let (sign, [left, right]) = match &node.kind {
            PrologTermKind::Name("true") => return Ok(ActionCondition::True),
            PrologTermKind::Not(operand) => return Ok(ActionCondition::Not(part(self, operand)?)),
            PrologTermKind::Infix("#/\\", both) => {
                return Ok(ActionCondition::And(part(self, &both[0])?, part(self, &both[1])?));
            }
            PrologTermKind::Infix("#\\/", both) => {
                return Ok(ActionCondition::Or(part(self, &both[0])?, part(self, &both[1])?));
            }
            PrologTermKind::Infix(sign, both) => (*sign, both.as_ref()),
            _ => return Err(self.refuse("this is no condition", node.span, CONDITIONS)),
        };
        let relation = match sign {
            "#=" => ComparisonOperator::Equal,
            "#\\=" => ComparisonOperator::Unequal,
            "#<" => ComparisonOperator::Less,
            "#>" => ComparisonOperator::Greater,
            "#=<" => ComparisonOperator::LessEqual,
            "#>=" => ComparisonOperator::GreaterEqual,
            _ => return Err(self.refuse("this is no condition", node.span, CONDITIONS)),
        };
        let left = self.whole_number(left, parameters)?;
        let right = self.whole_number(right, parameters)?;
        Ok(ActionCondition::Compare(relation, left, right, node.span))
    }
    /// A number whose values all stay within the range of the arithmetic.
    fn whole_number(&mut self, node: &PrologTerm, parameters: &[String]) -> Result<IntegerTerm, ErrorReported> {
        fn products(node: &PrologTerm) -> usize {
            match &node.kind {
                PrologTermKind::Infix(sign, both) => {
                    usize::from(*sign == "*") + both.iter().map(products).sum::<usize>()
                }
                _ => 0,
            }
        }
        if products(node) > MAX_PRODUCTS {
            let help = "assign a part of it first";
            return Err(self.refuse("more than three products in one term", node.span, help));
        }
        self.number(node, parameters)
    }
    fn number(&mut self, node: &PrologTerm, parameters: &[String]) -> Result<IntegerTerm, ErrorReported> {
        let part = |reader: &mut Self, node| Ok(Box::new(reader.number(node, parameters)?));
        match &node.kind {
            PrologTermKind::Number(number) => Ok(IntegerTerm::Value(*number, node.span)),
            PrologTermKind::Name(name) => {
                let parameter = parameters.iter().position(|parameter| parameter == name);
                let found = parameter
                    .map(IntegerTerm::Parameter)
                    .or_else(|| self.variable(name).map(IntegerTerm::Variable));
                found.ok_or_else(|| {
                    let message = format!("`{name}` is neither a variable nor a parameter");
                    let help = "variables are declared in `state_def`, parameters behind the action's name";
                    self.refuse(message, node.span, help)
                })
            }
            PrologTermKind::Infix(sign @ ("+" | "-" | "*"), both) => {
                let (left, right) = (part(self, &both[0])?, part(self, &both[1])?);
                Ok(match *sign {
                    "+" => IntegerTerm::Add(left, right),
                    "-" => IntegerTerm::Subtract(left, right),
                    _ => IntegerTerm::Multiply(left, right),
                })
            }
            _ => Err(self.refuse("this is no number", node.span, "write a number, a name, or a sum")),
        }
    }

    fn finish(&mut self, inputs: &[Piece<'a>]) {
        let start = Span::new(0, 1);
        if !self.has_loop {
            self.refuse("the file has no system", start, "write `as :- actions(…), dood(…).`");
            return;
        }
        match self.init.take() {
            None => drop(self.refuse("the file has no initial state", start, "write `init([…]).`")),
            Some((values, span)) if values.len() != self.system.variables.len() => {
                let message = format!(
                    "the initial state has {} values, the state {} variables",
                    values.len(),
                    self.system.variables.len()
                );
                self.refuse(message, span, "give each variable of `state_def` one");
            }
            Some((values, span)) => {
                for (place, value) in values.iter().enumerate() {
                    let (first, last) = self.system.bounds(place);
                    if !(first..=last).contains(value) {
                        let name = self.system.variables[place].name.clone();
                        let message = format!("`{name}` is initially {value}, which is not in {first}..{last}");
                        self.refuse(message, span, "correct the value or the type");
                    }
                }
                self.system.init = values;
            }
        }
        for Piece { text: name, span } in inputs {
            if self.system.actions.iter().any(|action| action.name == *name) {
                self.system.inputs.insert((*name).to_owned());
            } else {
                self.refuse(format!("the input `{name}` is no action"), *span, "correct the name");
            }
        }
    }
}

const CONDITIONS: &str =
    "write a comparison (`#=`, `#\\=`, `#<`, `#>`, `#=<`, `#>=`), `true`, or join some with `#/\\` and `#\\/`";

/// The names that tests give to observations, so actions cannot have them.
const RESERVED: [&str; 3] = [OBSERVE, REFUSED, SILENCE];

/// The advice on clauses.
const CLAUSES: &str = "type, var, state_def, init and as are read";

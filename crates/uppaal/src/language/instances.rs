//! Instantiates processes: templates with their parameters bound.

use std::collections::HashMap;
use std::rc::Rc;

use super::choices::chosen;
use super::expressions::LocatedKind;
use super::scope::{NetworkLowering, SymbolKind};
use super::types::{NumericType, ResolvedType};
use crate::grammar::depth::MAX_NESTING;
use crate::grammar::syntax::{ExprNode, InstanceTree, LoweringResult, Name, Parameter, SystemTree, Tree};
use crate::grammar::template::Template;
use tamper_text::{Diagnostic, Span};
use tamper_timed::network::Root;

/// The largest number of instances made from ranged parameters.
const MAX_IMPLICIT: usize = 1024;

/// A process to build.
#[derive(Clone, Debug)]
pub(crate) struct ProcessInstance {
    /// Its name in the file; `T(0,1)` for an instance made from ranged parameters.
    pub name: String,
    /// The place of its name in the system line, or else in its template.
    pub span: Span,
    pub template: usize,
    /// The arguments of the template's parameters.
    pub bound: Vec<(Name, SymbolKind)>,
    pub priority: i32,
}

/// A name that takes arguments: a template, or an instantiation with parameters.
#[derive(Clone, Copy)]
enum Callable<'t> {
    Template(usize),
    Instance(&'t InstanceTree),
}

struct Callables<'t> {
    templates: &'t [Template],
    by_name: HashMap<&'t str, Callable<'t>>,
}

impl<'t> Callables<'t> {
    fn get(&self, name: &Name) -> LoweringResult<Callable<'t>> {
        self.by_name.get(name.text.as_str()).copied().ok_or_else(|| {
            let error = Diagnostic::error(format!("there is no template or process `{}`", name.text), name.span);
            Some(error.with_help("name a template of the file, or an instantiation `P = T(…);` above"))
        })
    }
    fn parameters(&self, callable: Callable<'t>) -> &'t [Parameter] {
        match callable {
            Callable::Template(at) => &self.templates[at].parameters,
            Callable::Instance(tree) => &tree.parameters,
        }
    }
}

impl NetworkLowering<'_> {
    /// The processes that the system section runs, in its order.
    pub fn instances(&mut self, templates: &[Template], system: &SystemTree) -> Vec<ProcessInstance> {
        let mut by_name: HashMap<&str, Callable<'_>> = HashMap::new();
        by_name.extend(
            templates
                .iter()
                .enumerate()
                .map(|(at, template)| (&*template.name.text, Callable::Template(at))),
        );
        let mut instantiated: HashMap<&str, Span> = HashMap::new();
        for tree in &system.instances {
            let first = instantiated.insert(&tree.name.text, tree.name.span);
            if let Some(first) = first.filter(|_| !tree.in_line) {
                let error = Diagnostic::error(format!("`{}` is instantiated twice", tree.name.text), tree.name.span);
                let error = error.with_secondary(first, "first here");
                self.diagnostics.push(error.with_help("rename one of the two"));
            }
            by_name.insert(&tree.name.text, Callable::Instance(tree));
        }
        let callables = Callables { templates, by_name };
        let all: Vec<Name> = templates.iter().map(|template| template.name.clone()).collect();
        let names = system.processes.as_ref().unwrap_or(&all);
        let mut seen: HashMap<&str, Span> = HashMap::new();
        let mut list = Vec::new();
        for (at, name) in names.iter().enumerate() {
            if let Some(first) = seen.insert(&name.text, name.span) {
                let error = Diagnostic::error(format!("`{}` runs twice", name.text), name.span);
                let help = "name each process once; for two copies of a template write two instantiations";
                self.diagnostics
                    .push(error.with_secondary(first, "the first time").with_help(help));
                continue;
            }
            let priority = system.priorities.get(at).copied().unwrap_or_default();
            let found = self.process(&callables, name, priority);
            list.extend(self.report(found).into_iter().flatten());
        }
        list
    }

    /// One instance per combination of the ranged parameters of `name`.
    fn process(
        &mut self,
        callables: &Callables<'_>,
        name: &Name,
        priority: i32,
    ) -> LoweringResult<Vec<ProcessInstance>> {
        let callable = callables.get(name)?;
        let formal = callables.parameters(callable);
        let mut combinations: Vec<Vec<i64>> = vec![Vec::new()];
        let mut flavours = vec![(false, None); formal.len()];
        for (at, parameter) in formal.iter().enumerate() {
            let mut next = Vec::new();
            for values in combinations {
                let numbers = self.scoped(|this| {
                    for (parameter, value) in formal[..at].iter().zip(&values) {
                        this.insert(&parameter.name, SymbolKind::Number(*value, false, None));
                    }
                    this.sized_type(&parameter.ty, &parameter.dimensions)
                });
                let ResolvedType::Number(numbers @ NumericType { bounded: true, .. }) = numbers? else {
                    return Err(Some(needs_argument(name, parameter)));
                };
                if parameter.reference {
                    return Err(Some(needs_argument(name, parameter)));
                }
                flavours[at] = (numbers.boolean, numbers.scalar);
                for value in numbers.low..=numbers.high {
                    if next.len() >= MAX_IMPLICIT {
                        return Err(Some(too_many_instances(name, parameter)));
                    }
                    next.push(values.iter().copied().chain([i64::from(value)]).collect());
                }
            }
            combinations = next;
        }
        let mut list = Vec::new();
        for values in combinations {
            let mut bound = Vec::new();
            for ((parameter, value), (boolean, scalar)) in formal.iter().zip(&values).zip(&flavours) {
                bound.push((parameter.name.clone(), SymbolKind::Number(*value, *boolean, *scalar)));
            }
            let (template, bound) = self.instantiate(callables, callable, bound, 0)?;
            let shown: Vec<String> = values.iter().map(i64::to_string).collect();
            list.push(ProcessInstance {
                name: match shown.is_empty() {
                    true => name.text.clone(),
                    false => format!("{}({})", name.text, shown.join(",")),
                },
                span: name.span,
                template,
                bound,
                priority,
            });
        }
        Ok(list)
    }

    /// The template behind `callable`, and the arguments of its parameters.
    fn instantiate(
        &mut self,
        callables: &Callables<'_>,
        callable: Callable<'_>,
        bound: Vec<(Name, SymbolKind)>,
        depth: usize,
    ) -> LoweringResult<(usize, Vec<(Name, SymbolKind)>)> {
        let tree = match callable {
            Callable::Template(at) => return Ok((at, bound)),
            Callable::Instance(tree) => tree,
        };
        if depth > MAX_NESTING as usize && depth <= callables.by_name.len() {
            let message = format!(
                "`{}` is an instance of an instance, more than {MAX_NESTING} times",
                tree.name.text
            );
            return Err(Some(
                Diagnostic::error(message, tree.name.span).with_help("name the template itself"),
            ));
        }
        if depth > callables.by_name.len() {
            let error = Diagnostic::error(format!("`{}` is an instance of itself", tree.name.text), tree.name.span);
            return Err(Some(error.with_help("name a template")));
        }
        let next = match callables
            .templates
            .iter()
            .position(|template| template.name.text == tree.template.text)
        {
            // An instantiation may have the name of the template that it instantiates.
            Some(at) if tree.template.text == tree.name.text => Callable::Template(at),
            _ => callables.get(&tree.template)?,
        };
        let formal = callables.parameters(next);
        one_argument_each(tree, formal)?;
        let given = self.scoped(|this| {
            for (name, what) in &bound {
                this.insert(name, what.clone());
            }
            this.arguments(formal, &tree.arguments)
        });
        self.instantiate(callables, next, given?, depth + 1)
    }

    /// The arguments bound to `formal` parameters, in the current scope.
    fn arguments(&mut self, formal: &[Parameter], arguments: &[Tree]) -> LoweringResult<Vec<(Name, SymbolKind)>> {
        let mut bound: Vec<(Name, SymbolKind)> = Vec::new();
        for (parameter, argument) in formal.iter().zip(arguments) {
            if let Some(what) = self.foreign(&parameter.ty) {
                bound.push((parameter.name.clone(), SymbolKind::Foreign(what)));
                continue;
            }
            // A parameter's type may use earlier parameters.
            let ty = self.scoped(|this| {
                for (name, what) in &bound {
                    this.insert(name, what.clone());
                }
                this.sized_type(&parameter.ty, &parameter.dimensions)
            })?;
            bound.push((parameter.name.clone(), self.argument_of(parameter, &ty, argument)?));
        }
        Ok(bound)
    }

    fn argument_of(&mut self, parameter: &Parameter, ty: &ResolvedType, argument: &Tree) -> LoweringResult<SymbolKind> {
        if let (ResolvedType::Number(numbers), false) = (ty, parameter.reference) {
            let value = self.stored(&parameter.name.text, numbers.of_constants(), argument)?;
            return Ok(SymbolKind::Number(i64::from(value), numbers.boolean, numbers.scalar));
        }
        if let ExprNode::Name(name) = &argument.node
            && let SymbolKind::Number(value, boolean, scalar) = self.get(name, argument.span)?.what
            && parameter.ty.prefixes.constant
        {
            return Ok(SymbolKind::Number(value, boolean, scalar));
        }
        if let Some(choice) = chosen(argument) {
            let ExprNode::Cond(test, then, other) = choice.node else {
                unreachable!("a choice is a conditional")
            };
            let chosen = if self.constant(&test)? != 0 { then } else { other };
            return self.argument_of(parameter, ty, &chosen);
        }
        let located = self.located(argument)?;
        if !located.steps.is_empty() {
            let error = Diagnostic::error("an argument whose index is not a constant", argument.span);
            return Err(Some(error.with_help("hand over an element with a constant index")));
        }
        let fits = match (located.ty.leaf(), ty.leaf()) {
            (ResolvedType::Channel { .. }, ResolvedType::Channel { .. }) => located.ty.size() == ty.size(),
            _ => located.ty == *ty || unbounded_parameter(ty, &located.ty),
        };
        let by_value = !parameter.reference && matches!(ty.leaf(), ResolvedType::Number(_) | ResolvedType::Struct(_));
        let is_constant = matches!(located.kind, LocatedKind::Cells(Root::Constant(_), ..));
        if !fits || (by_value && !is_constant) {
            let message = format!("the argument does not fit the parameter `{}`", parameter.name.text);
            let error = Diagnostic::error(message, argument.span).with_secondary(parameter.name.span, "the parameter");
            return Err(Some(error.with_help("give the variable and the parameter the same type; arrays and structures are constants or handed over by reference (`&`)")));
        }
        Ok(match located.kind {
            LocatedKind::Clocks(base) => SymbolKind::Clocks(base, located.ty),
            LocatedKind::Channels(base) => SymbolKind::Channels(base, located.ty),
            LocatedKind::Mixed(Root::Variable(base), offset, clocks) => {
                SymbolKind::Mixed(base + offset, clocks, located.ty)
            }
            LocatedKind::Mixed(..) => unreachable!("only functions have parameters in a frame"),
            LocatedKind::Cells(root, offset, writable) => {
                let root = match root {
                    Root::Variable(base) => Root::Variable(base + offset),
                    Root::Constant(base) => Root::Constant(base + offset),
                    other => other,
                };
                SymbolKind::Cells(root, located.ty, writable && !parameter.ty.prefixes.constant)
            }
        })
    }

    /// Opens the scope of a process.
    pub fn enter(&mut self, instance: &ProcessInstance) {
        self.scopes.push(HashMap::new());
        self.prefix = format!("{}.", instance.name);
        self.declared.clear();
        for (name, what) in &instance.bound {
            self.insert_declared(name, what.clone());
        }
    }
    /// Closes the scope of a process.
    pub fn leave(&mut self) {
        self.scopes.pop();
        self.prefix.clear();
    }
}

/// Refuses an instantiation whose number of arguments differs from the number of parameters.
fn one_argument_each(tree: &InstanceTree, formal: &[Parameter]) -> LoweringResult<()> {
    if formal.len() == tree.arguments.len() {
        return Ok(());
    }
    let message = format!(
        "`{}` takes {} arguments, not {}",
        tree.template.text,
        formal.len(),
        tree.arguments.len()
    );
    let error = Diagnostic::error(message, tree.template.span);
    Err(Some(error.with_help("give one argument per parameter of the template")))
}

fn too_many_instances(name: &Name, parameter: &Parameter) -> Diagnostic {
    let message = format!("`{}` has more than {MAX_IMPLICIT} instances", name.text);
    Diagnostic::error(message, name.span)
        .with_secondary(parameter.name.span, "a parameter with many values")
        .with_help("instantiate the ones you need: `P = T(3); system P;`")
}

fn needs_argument(name: &Name, parameter: &Parameter) -> Diagnostic {
    let message = format!(
        "`{}` needs an argument for its parameter `{}`",
        name.text, parameter.name.text
    );
    Diagnostic::error(message, name.span)
        .with_secondary(parameter.name.span, "the parameter")
        .with_help("instantiate it: `P = T(…); system P;`, or give the parameter a bounded type `int[a,b]`")
}

/// `int &x` accepts any integer variable, whose range is kept.
fn unbounded_parameter(parameter: &ResolvedType, argument: &ResolvedType) -> bool {
    match (parameter, argument) {
        (ResolvedType::Number(parameter), ResolvedType::Number(argument)) => !parameter.bounded && !argument.boolean,
        (
            ResolvedType::Array { element: a, low, len },
            ResolvedType::Array {
                element: b,
                low: other,
                len: length,
            },
        ) => (low, len) == (other, length) && unbounded_parameter(Rc::as_ref(a), Rc::as_ref(b)),
        _ => false,
    }
}

//! Which automata a file holds: templates and their parameters to instances.

use std::collections::{BTreeSet, HashMap};

use super::declare::{resolve, stored};
use super::lower::{Lowered, constant};
use super::scope::{Constant, Place, Scope, Symbol, Table, Type};
use super::syntax::{InstanceTree, Name, Node, Parameter, SystemTree, Tree};
use super::template::Template;
use crate::text::{Diagnostic, Span};

/// Most instances that one template's ranged parameters may give.
const MAX_IMPLICIT: usize = 1024;

/// One automaton to build: a template, and its names bound to values.
#[derive(Debug)]
pub(super) struct Instance {
    /// As the file names it; `T(0,1)` for one made from ranged parameters.
    pub name: Name,
    pub template: usize,
    /// The parameters; local declarations are added to them.
    pub parameters: Table,
    /// What the template's parameters are bound to.
    pub arguments: Vec<Argument>,
}

/// What a parameter is bound to.
#[derive(Clone, Copy, Debug)]
pub(super) enum Argument {
    /// An expression of the system section.
    Written(Span),
    /// One of the values of a ranged parameter.
    Value(i64),
}

/// What names a process: a template, or an instantiation of one.
struct Processes<'a> {
    templates: &'a [Template],
    by_name: HashMap<&'a str, usize>,
    instances: HashMap<&'a str, &'a InstanceTree>,
    globals: &'a Table,
}

/// The automata that the system section runs, in its order.
pub(super) fn instances(
    templates: &[Template],
    system: &SystemTree,
    globals: &Table,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<Instance> {
    let processes = Processes {
        templates,
        by_name: templates
            .iter()
            .enumerate()
            .map(|(index, template)| (&*template.name.text, index))
            .collect(),
        instances: instance_names(&system.instances, diagnostics),
        globals,
    };
    let all: Vec<Name>;
    let names = match &system.processes {
        Some(names) => names,
        None => {
            all = templates.iter().map(|template| template.name.clone()).collect();
            &all
        }
    };
    let mut seen: HashMap<&str, &Name> = HashMap::new();
    let mut list = Vec::new();
    let mut complete = true;
    for name in names {
        if let Some(first) = seen.insert(&name.text, name) {
            let error = Diagnostic::error(format!("`{}` runs twice", name.text), name.span)
                .with_secondary(first.span, "the first time")
                .with_help("name each process once; for two copies of a template write two instantiations");
            diagnostics.push(error);
            continue;
        }
        match processes.process(name) {
            Ok(found) => list.extend(found),
            Err(error) => {
                complete = false;
                diagnostics.extend(error);
            }
        }
    }
    if complete {
        warn_unread(templates, system, &list, diagnostics);
    }
    list
}

fn instance_names<'a>(
    trees: &'a [InstanceTree],
    diagnostics: &mut Vec<Diagnostic>,
) -> HashMap<&'a str, &'a InstanceTree> {
    let mut names = HashMap::<&str, &InstanceTree>::new();
    // Those with parameters of their own are refused already.
    for tree in trees.iter().filter(|tree| tree.parameters.is_empty()) {
        let first = names.insert(&tree.name.text, tree);
        if let Some(first) = first.filter(|_| !tree.in_line) {
            let error = Diagnostic::error(format!("`{}` is instantiated twice", tree.name.text), tree.name.span);
            diagnostics.push(
                error
                    .with_secondary(first.name.span, "first here")
                    .with_help("rename one of the two"),
            );
        }
    }
    names
}

/// Templates no process comes from are not read further: said once each.
fn warn_unread(templates: &[Template], system: &SystemTree, list: &[Instance], diagnostics: &mut Vec<Diagnostic>) {
    let read: BTreeSet<usize> = list.iter().map(|instance| instance.template).collect();
    for (index, template) in templates.iter().enumerate() {
        if system.processes.is_some() && !read.contains(&index) {
            let message = format!(
                "the template `{}` is not run by the system line and is not read",
                template.name.text
            );
            let warning = Diagnostic::warning(message, template.name.span);
            diagnostics.push(warning.with_help("add it to the `system` line to use it"));
        }
    }
}

impl Processes<'_> {
    fn process(&self, name: &Name) -> Lowered<Vec<Instance>> {
        if let Some(tree) = self.instances.get(&*name.text) {
            let Some(&template) = self.by_name.get(&*tree.template.text) else {
                return Err(Some(unknown_template(&tree.template)));
            };
            return self.explicit(tree, template).map(|instance| vec![instance]);
        }
        match self.by_name.get(&*name.text) {
            Some(&template) => self.implicit(name, template),
            None => Err(Some(unknown_template(name))),
        }
    }

    /// `P = T(arguments);`
    fn explicit(&self, tree: &InstanceTree, template: usize) -> Lowered<Instance> {
        let formal = &self.templates[template].parameters;
        one_argument_each(tree, formal)?;
        let mut parameters = Table::default();
        for (parameter, argument) in formal.iter().zip(&tree.arguments) {
            let symbol = self.bind(parameter, argument, &parameters)?;
            insert(&mut parameters, parameter, symbol)?;
        }
        Ok(Instance {
            name: tree.name.clone(),
            template,
            parameters,
            arguments: tree
                .arguments
                .iter()
                .map(|argument| Argument::Written(argument.span))
                .collect(),
        })
    }

    fn bind(&self, parameter: &Parameter, argument: &Tree, earlier: &Table) -> Lowered<Symbol> {
        let file = Scope {
            globals: self.globals,
            locals: None,
        };
        let ty = self.parameter_type(parameter, earlier)?;
        let Type::Int { range, bounded } = ty else {
            return self.bind_name(parameter, argument, ty);
        };
        if parameter.reference
            && let Node::Name(name) = &argument.node
            && let Some((Place::Global(at), entry)) = file.find(name)
            && let Symbol::Int(actual, _) = entry.symbol
        {
            if actual != range && bounded {
                let error = Diagnostic::error(format!("`{name}` has another range than the parameter"), argument.span);
                let error = error.with_secondary(parameter.name.span, "the parameter");
                return Err(Some(
                    error.with_help("give the variable and the parameter the same type"),
                ));
            }
            return Ok(Symbol::Alias(at));
        }
        let value = constant(file, argument)?;
        let range = range.of_constants(bounded);
        let value = stored(&parameter.name, range, value, argument.span)?;
        Ok(Symbol::Const(Constant {
            value,
            boolean: range.boolean,
        }))
    }

    /// A clock or channel handed over by name.
    fn bind_name(&self, parameter: &Parameter, argument: &Tree, ty: Type) -> Lowered<Symbol> {
        let file = Scope {
            globals: self.globals,
            locals: None,
        };
        if let Type::Foreign(what) = ty {
            return Ok(Symbol::Foreign(what));
        }
        let wanted = if ty == Type::Clock { "clock" } else { "channel" };
        let help = format!("hand over the name of a global {wanted}");
        let wrong = |message: String| Err(Some(Diagnostic::error(message, argument.span).with_help(help.clone())));
        let Node::Name(name) = &argument.node else {
            return wrong(format!(
                "the parameter `{}` is a {wanted}, not a value",
                parameter.name.text
            ));
        };
        let (place, entry) = file.get(name, argument.span)?;
        match (&entry.symbol, ty, place) {
            (Symbol::Clock, Type::Clock, Place::Global(at))
            | (Symbol::Channel { .. }, Type::Channel { .. }, Place::Global(at)) => Ok(Symbol::Alias(at)),
            _ => wrong(format!("`{name}` is not a {wanted}")),
        }
    }

    fn parameter_type(&self, parameter: &Parameter, earlier: &Table) -> Lowered<Type> {
        let ty = resolve(
            &parameter.ty,
            Scope {
                globals: self.globals,
                locals: Some(earlier),
            },
        )?;
        let is_array = !parameter.dimensions.is_empty();
        Ok(match ty {
            Type::Clock if is_array => Type::Foreign("array of clocks"),
            Type::Channel { .. } if is_array => Type::Foreign("array of channels"),
            _ if is_array => Type::Foreign("array"),
            _ => ty,
        })
    }

    /// A template named in the system line: one instance per combination of its ranged parameters.
    fn implicit(&self, name: &Name, template: usize) -> Lowered<Vec<Instance>> {
        let formal = &self.templates[template].parameters;
        let mut partial: Vec<(Vec<i64>, Table)> = vec![(Vec::new(), Table::default())];
        for parameter in formal {
            let mut next = Vec::new();
            for (values, table) in partial {
                let Type::Int { range, bounded: true } = self.parameter_type(parameter, &table)? else {
                    return Err(Some(needs_argument(name, parameter)));
                };
                for value in range.low..=range.high {
                    if next.len() >= MAX_IMPLICIT {
                        return Err(Some(too_many(name, parameter)));
                    }
                    let (mut values, mut table) = (values.clone(), table.clone());
                    values.push(i64::from(value));
                    let constant = Constant {
                        value: i64::from(value),
                        boolean: range.boolean,
                    };
                    insert(&mut table, parameter, Symbol::Const(constant))?;
                    next.push((values, table));
                }
            }
            partial = next;
        }
        let named = |values: &[i64]| {
            let list: Vec<_> = values.iter().map(i64::to_string).collect();
            if list.is_empty() {
                name.text.clone()
            } else {
                format!("{}({})", name.text, list.join(","))
            }
        };
        let instance = |(values, parameters): (Vec<i64>, Table)| Instance {
            name: Name {
                text: named(&values),
                span: name.span,
            },
            template,
            parameters,
            arguments: values.into_iter().map(Argument::Value).collect(),
        };
        Ok(partial.into_iter().map(instance).collect())
    }
}

/// Refuses an instantiation with more or fewer arguments than what it instantiates has parameters.
pub(super) fn one_argument_each(tree: &InstanceTree, formal: &[Parameter]) -> Lowered<()> {
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

fn insert(table: &mut Table, parameter: &Parameter, symbol: Symbol) -> Lowered<()> {
    let mut errors = Vec::new();
    table.insert(parameter.name.clone(), symbol, &mut errors);
    errors.pop().map_or(Ok(()), |error| Err(Some(error)))
}

fn unknown_template(name: &Name) -> Diagnostic {
    Diagnostic::error(format!("there is no template or process `{}`", name.text), name.span)
        .with_help("name a template of the file, or an instantiation `P = T(…);` above")
}

pub(super) fn needs_argument(name: &Name, parameter: &Parameter) -> Diagnostic {
    let message = format!(
        "`{}` needs an argument for its parameter `{}`",
        name.text, parameter.name.text
    );
    Diagnostic::error(message, name.span)
        .with_secondary(parameter.name.span, "the parameter")
        .with_help("instantiate it: `P = T(…); system P;`, or give the parameter a bounded type `int[a,b]`")
}

fn too_many(name: &Name, parameter: &Parameter) -> Diagnostic {
    let message = format!("`{}` has more than {MAX_IMPLICIT} instances", name.text);
    Diagnostic::error(message, name.span)
        .with_secondary(parameter.name.span, "a parameter with many values")
        .with_help("instantiate the ones you need: `P = T(3); system P;`")
}

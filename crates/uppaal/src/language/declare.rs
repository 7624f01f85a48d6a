//! Lowers declarations: variables to cells of the network, constants to numbers or cells that never change.

use std::rc::Rc;

use super::expressions::{LocatedKind, cell};
use super::resolve::no_values;
use super::scope::{NetworkLowering, OddClock, Oddity, SymbolKind};
use super::types::{NumericType, ResolvedType};
use crate::grammar::syntax::{
    ChannelTree, DeclarationTree, FunctionTree, Initial, LoweringResult, Name, Tree, TypeBase, TypeTree, VariableTree,
};
use tamper_text::Diagnostic;
use tamper_timed::network::{self, Channel, Root};

/// The initial values of a variable.
struct InitialValues {
    /// Those of its cells.
    cells: Vec<i32>,
    /// The position of its next clock.
    next_clock: usize,
    are_constant: bool,
}

impl NetworkLowering<'_> {
    /// Adds `declarations` to the innermost scope.
    pub fn declare(&mut self, declarations: &[DeclarationTree]) {
        for declaration in declarations {
            match declaration {
                DeclarationTree::Variable(variable) => {
                    let what = match self.foreign(&variable.ty) {
                        Some(what) => Ok(SymbolKind::Foreign(what)),
                        None => self.variable(variable),
                    };
                    self.insert_or_break(&variable.name, what);
                }
                DeclarationTree::Typedef { ty, name, dimensions } => {
                    let what = match self.foreign(ty) {
                        Some(what) => Ok(SymbolKind::Foreign(what)),
                        None => self.sized_type(ty, dimensions).map(SymbolKind::Type),
                    };
                    self.insert_or_break(name, what);
                }
                DeclarationTree::Function(function) => {
                    let what = self.function_or_unread(function);
                    self.insert_declared(&function.name, what);
                }
                DeclarationTree::ChannelPriority { levels, .. } => {
                    let found = match levels {
                        Ok(levels) => self.priorities(levels),
                        Err(error) => Err(Some(error.clone())),
                    };
                    self.report(found);
                }
            }
        }
    }

    /// The function, or the reason why it cannot be read.
    fn function_or_unread(&mut self, function: &FunctionTree) -> SymbolKind {
        let before = self.diagnostics.len();
        let what = self.function(function);
        let mut found = self.diagnostics.split_off(before);
        match what {
            Ok(what) if found.is_empty() => what,
            Err(None) if found.is_empty() => SymbolKind::Broken,
            what => {
                found.extend(what.err().flatten());
                SymbolKind::Unread(Rc::new(found.swap_remove(0)))
            }
        }
    }

    /// The kind of `ty`, if no game and no network can have it.
    pub(super) fn foreign(&self, ty: &TypeTree) -> Option<&'static str> {
        match &ty.base {
            _ if ty.prefixes.hybrid => Some("hybrid clock"),
            TypeBase::Foreign(what) => Some(what),
            TypeBase::Named(name) => match self.find(name)?.what {
                SymbolKind::Foreign(what) => Some(what),
                _ => None,
            },
            // A structure with a part that no game has is foreign as a whole.
            TypeBase::Struct(fields) => {
                let fields = fields.as_ref().as_ref().ok()?;
                fields.iter().find_map(|field| self.foreign(&field.ty))
            }
            _ => None,
        }
    }

    fn insert_or_break(&mut self, name: &Name, what: LoweringResult<SymbolKind>) {
        let what = self.report(what).unwrap_or(SymbolKind::Broken);
        self.insert_declared(name, what);
    }

    fn variable(&mut self, declared: &VariableTree) -> LoweringResult<SymbolKind> {
        let ty = self.inhabited_type(&declared.ty, &declared.dimensions)?;
        let name = format!("{}{}", self.prefix, declared.name.text);
        let clocks = position(self.network.clocks.len());
        match ty.leaf() {
            ResolvedType::Void => Err(Some(no_values(declared.name.span))),
            _ if ty.n_clocks() > 0 && declared.ty.prefixes.constant => {
                let error = Diagnostic::error("a constant with clocks", declared.name.span);
                Err(Some(error.with_help("remove `const`: clocks change")))
            }
            _ if ty.n_clocks() > 0 && !ty.is_mixed() => {
                if declared.ty.prefixes.meta {
                    let message = format!("the clock `{}` is meta", declared.name.text);
                    let error = Diagnostic::error(message, declared.name.span);
                    let help = "remove `meta`: it is about integers and booleans";
                    return Err(Some(error.with_help(help)));
                }
                self.initial_values(declared, &ty, false)?;
                self.add_clocks(&name, &ty);
                Ok(SymbolKind::Clocks(clocks, ty))
            }
            ResolvedType::Channel { urgent, broadcast } => {
                no_value(declared, "channel")?;
                let (urgent, broadcast) = (*urgent, *broadcast);
                let base = position(self.network.channels.len());
                let mut names = Vec::new();
                ty.names(false, &name, &mut names);
                self.network.channels.extend(names.into_iter().map(|name| Channel {
                    by_vectors: false,
                    name: name.into(),
                    broadcast,
                    urgent,
                    priority: 0,
                }));
                Ok(SymbolKind::Channels(base, ty))
            }
            _ if declared.ty.prefixes.constant => self.constant_value(declared, ty),
            _ => {
                let values = self.initial_values(declared, &ty, false)?;
                let base = position(self.network.variables.len());
                let mut names = Vec::new();
                ty.names(false, &name, &mut names);
                let mut numbers = Vec::new();
                ty.cells(&mut numbers);
                let cells = names.into_iter().zip(values).zip(numbers);
                let variables = cells.map(|((name, initial), numbers)| network::Variable {
                    name: name.into(),
                    initial,
                    low: numbers.low,
                    high: numbers.high,
                    boolean: numbers.boolean,
                    meta: declared.ty.prefixes.meta,
                });
                self.network.variables.extend(variables);
                if ty.is_mixed() {
                    self.add_clocks(&name, &ty);
                    return Ok(SymbolKind::Mixed(base, clocks, ty));
                }
                Ok(SymbolKind::Cells(Root::Variable(base), ty, true))
            }
        }
    }

    fn add_clocks(&mut self, name: &str, ty: &ResolvedType) {
        let mut names = Vec::new();
        ty.names(true, name, &mut names);
        self.network.clocks.extend(names.into_iter().map(Into::into));
    }

    fn constant_value(&mut self, declared: &VariableTree, ty: ResolvedType) -> LoweringResult<SymbolKind> {
        if declared.initial.is_none() {
            let error = Diagnostic::error(
                format!("the constant `{}` has no value", declared.name.text),
                declared.name.span,
            );
            return Err(Some(error.with_help("give it one: `const int n = 5;`")));
        }
        let values = self.initial_values(declared, &ty, true)?;
        Ok(match (&ty, values.as_slice()) {
            (ResolvedType::Number(numbers), [value]) => {
                SymbolKind::Number(i64::from(*value), numbers.boolean, numbers.scalar)
            }
            _ => self.constant_cells(ty, &values),
        })
    }

    /// Allocates cells that never change.
    pub fn constant_cells(&mut self, ty: ResolvedType, values: &[i32]) -> SymbolKind {
        let base = position(self.network.constants.len());
        self.network.constants.extend_from_slice(values);
        SymbolKind::Cells(Root::Constant(base), ty, false)
    }

    /// The initial values of the cells of a variable.
    pub fn initial_values(
        &mut self,
        declared: &VariableTree,
        ty: &ResolvedType,
        constant: bool,
    ) -> LoweringResult<Vec<i32>> {
        let mut values = Vec::new();
        match &declared.initial {
            Some(initial) => {
                let mut list = InitialValues {
                    cells: Vec::new(),
                    next_clock: self.network.clocks.len(),
                    are_constant: constant,
                };
                self.values(&declared.name, ty, initial, &mut list)?;
                values = list.cells;
            }
            None => {
                let mut cells = Vec::new();
                ty.cells(&mut cells);
                values.extend(cells.iter().map(|numbers| numbers.default_value()));
            }
        }
        Ok(values)
    }

    fn values(
        &mut self,
        name: &Name,
        ty: &ResolvedType,
        initial: &Initial,
        list: &mut InitialValues,
    ) -> LoweringResult<()> {
        match (ty, initial) {
            (ResolvedType::Number(numbers), Initial::Value(tree)) => {
                let numbers = if list.are_constant {
                    numbers.of_constants()
                } else {
                    *numbers
                };
                list.cells.push(self.stored(&name.text, numbers, tree)?);
                Ok(())
            }
            (ResolvedType::Clock, Initial::Value(tree)) => {
                let clock = list.next_clock;
                list.next_clock += 1;
                let value = self.constant(tree).ok().and_then(|value| i32::try_from(value).ok());
                let value = value.filter(|value| *value >= 0);
                if value != Some(0) {
                    self.network.left_out.insert(clock);
                    self.odd.push(OddClock {
                        clocks: clock..clock + 1,
                        name: name.clone(),
                        oddity: Oddity::Start(value),
                    });
                }
                Ok(())
            }
            (ResolvedType::Array { .. } | ResolvedType::Struct(_), Initial::Value(tree)) => {
                self.copied(ty, tree, &mut list.cells)
            }
            (ResolvedType::Array { element, len, .. }, Initial::Braces(braces)) => {
                let braces = braces.as_ref().map_err(|error| Some(error.clone()))?;
                if braces.len() != *len as usize {
                    let message = format!("`{}` has {len} elements, not {}", name.text, braces.len());
                    return Err(Some(
                        Diagnostic::error(message, name.span).with_help("give one value per element"),
                    ));
                }
                braces
                    .iter()
                    .try_for_each(|(_, initial)| self.values(name, element, initial, list))
            }
            (ResolvedType::Struct(fields), Initial::Braces(braces)) => {
                let braces = braces.as_ref().map_err(|error| Some(error.clone()))?;
                let fits = braces.len() == fields.len()
                    && braces
                        .iter()
                        .zip(fields.iter())
                        .all(|((given, _), (field, _))| given.as_ref().is_none_or(|given| given.text == *field));
                if !fits {
                    let names: Vec<&str> = fields.iter().map(|(field, _)| field.as_str()).collect();
                    let error = Diagnostic::error(format!("`{}` needs one value per field", name.text), name.span);
                    return Err(Some(error.with_help(format!("in this order: {}", names.join(", ")))));
                }
                let pairs = braces.iter().zip(fields.iter());
                pairs
                    .into_iter()
                    .try_for_each(|((_, initial), (_, ty))| self.values(name, ty, initial, list))
            }
            _ => Err(Some(
                Diagnostic::error(format!("`{}` is no array or structure", name.text), name.span)
                    .with_help("give one initial value, without braces"),
            )),
        }
    }

    /// Copies the cells of another constant.
    fn copied(&mut self, ty: &ResolvedType, tree: &Tree, list: &mut Vec<i32>) -> LoweringResult<()> {
        let located = self.located(tree)?;
        let LocatedKind::Cells(Root::Constant(base), offset, _) = located.kind else {
            return Err(Some(
                Diagnostic::error("this is not a constant", tree.span).with_help("use constants only"),
            ));
        };
        if located.ty != *ty || !located.steps.is_empty() {
            return Err(Some(
                Diagnostic::error("a value of another type", tree.span).with_help("use the same type for both"),
            ));
        }
        let start = (base + offset) as usize;
        list.extend_from_slice(&self.network.constants[start..][..ty.size() as usize]);
        Ok(())
    }

    /// The value of a constant expression, checked against the range of a cell of that name.
    pub fn stored(&mut self, name: &str, numbers: NumericType, tree: &Tree) -> LoweringResult<i32> {
        let value = self.constant(tree)?;
        cell(name, numbers).stored(value).map_err(|fault| {
            Some(Diagnostic::error(fault.to_string(), tree.span).with_help("change the value or the range"))
        })
    }

    /// The error that `name` is not a channel.
    pub(super) fn not_a_channel(&self, name: &Name) -> Diagnostic {
        let error = Diagnostic::error(format!("`{}` is not a channel", name.text), name.span);
        let error = match self.find(&name.text) {
            Some(named) => error.with_secondary(named.span, "declared here"),
            None => error,
        };
        error.with_help("name a channel, or an element of an array of channels")
    }

    /// Sets the priorities of channels: channels left of `default` have lower ones, channels right of it higher ones.
    fn priorities(&mut self, levels: &[Vec<Option<ChannelTree>>]) -> LoweringResult<()> {
        let default = levels
            .iter()
            .position(|level| level.iter().any(Option::is_none))
            .unwrap_or(0);
        for (at, level) in levels.iter().enumerate() {
            let priority = i32::try_from(at).unwrap_or(i32::MAX) - i32::try_from(default).unwrap_or(0);
            for channel in level.iter().flatten() {
                let tree = channel_expression(&channel.channel, &channel.indices);
                let located = self.located(&tree)?;
                let (LocatedKind::Channels(base), true) = (located.kind, located.steps.is_empty()) else {
                    return Err(Some(self.not_a_channel(&channel.channel)));
                };
                for channel in &mut self.network.channels[base as usize..][..located.ty.size() as usize] {
                    channel.priority = priority;
                }
            }
        }
        Ok(())
    }
}

/// `name[i][j]` as an expression.
pub(super) fn channel_expression(name: &Name, indices: &[Tree]) -> Tree {
    use crate::grammar::syntax::ExprNode;
    let leaf = Tree {
        node: ExprNode::Name(name.text.clone()),
        span: name.span,
        height: 1,
    };
    indices.iter().fold(leaf, |of, index| Tree {
        span: crate::grammar::cursor::join(of.span, index.span),
        height: 1 + of.height.max(index.height),
        node: ExprNode::Index(Box::new(of), Box::new(index.clone())),
    })
}

/// A position in the network's number type.
pub(super) fn position(index: usize) -> u32 {
    u32::try_from(index).expect("fewer than 2^32 parts")
}

fn no_value(declared: &VariableTree, what: &str) -> LoweringResult<()> {
    match &declared.initial {
        None => Ok(()),
        Some(_) => {
            let message = format!("the {what} `{}` has an initial value", declared.name.text);
            let error = Diagnostic::error(message, declared.name.span);
            Err(Some(error.with_help("remove it")))
        }
    }
}

//! Resolves written types.

use std::rc::Rc;

use super::scope::{NetworkLowering, SymbolKind};
use super::types::{NumericType, ResolvedType};
use crate::grammar::depth::{MAX_NESTING, MAX_PARTS};
use crate::grammar::syntax::{Dimension, ExprNode, LoweringResult, Tree, TypeBase, TypeTree, VariableTree};
use tamper_text::{Diagnostic, Span};

/// The largest number of cells of one variable.
const MAX_CELLS: u64 = 1 << 20;

impl NetworkLowering<'_> {
    /// The type that `tree` names, with array dimensions.
    pub fn sized_type(&mut self, tree: &TypeTree, dimensions: &[Dimension]) -> LoweringResult<ResolvedType> {
        let mut ty = self.base_type(tree)?;
        let mut cells = u64::from(ty.size());
        for dimension in dimensions.iter().rev() {
            if ty == ResolvedType::Void {
                return Err(Some(no_values(tree.span)));
            }
            let (low, len) = self.dimension(dimension)?;
            if len == 0 && (ty.n_clocks() > 0 || matches!(ty.leaf(), ResolvedType::Channel { .. })) {
                let error = Diagnostic::error("an array of 0 clocks or channels", tree.span);
                return Err(Some(error.with_help("give it a size, or remove it")));
            }
            cells = cells.saturating_mul(u64::from(len));
            if cells > MAX_CELLS {
                let error = Diagnostic::error(format!("an array of {cells} elements"), tree.span);
                return Err(Some(error.with_help(format!("at most {MAX_CELLS} are read"))));
            }
            ty = ResolvedType::Array {
                element: Rc::new(ty),
                low,
                len,
            };
        }
        match ty.spend(&mut self.parts_left, MAX_NESTING) {
            true => Ok(ty),
            false => Err(Some(too_large(tree.span))),
        }
    }

    /// Like `sized_type`, but the type must have values. An empty type of a parameter, a select, a quantifier or an index
    /// is allowed: it means no instance, no edge, an empty quantification, an array without elements.
    pub fn inhabited_type(&mut self, tree: &TypeTree, dimensions: &[Dimension]) -> LoweringResult<ResolvedType> {
        let ty = self.sized_type(tree, dimensions)?;
        match ty.empty_range() {
            None => Ok(ty),
            Some(NumericType { low, high, .. }) => {
                let error = Diagnostic::error(format!("the range [{low},{high}] is empty"), tree.span);
                Err(Some(error.with_help("the lower bound comes first")))
            }
        }
    }

    fn dimension(&mut self, dimension: &Dimension) -> LoweringResult<(i32, u32)> {
        let (span, numbers) = match dimension {
            Dimension::Wrong(error) => return Err(Some(error.clone())),
            Dimension::Type(tree) => (tree.span, self.numbers(tree)?),
            Dimension::Size(tree) => match self.named_type(tree) {
                Some(ResolvedType::Number(numbers)) => (tree.span, numbers),
                Some(_) => return Err(Some(not_an_index(tree.span))),
                None => {
                    let size = self.constant(tree)?;
                    return match u32::try_from(size) {
                        Ok(len) => Ok((0, len)),
                        Err(_) => Err(Some(
                            Diagnostic::error(format!("an array of {size} elements"), tree.span)
                                .with_help("give a size that is not negative"),
                        )),
                    };
                }
            },
        };
        match numbers.bounded {
            true => {
                let len = (i64::from(numbers.high) - i64::from(numbers.low) + 1).max(0);
                u32::try_from(len)
                    .map(|len| (numbers.low, len))
                    .map_err(|_| Some(not_an_index(span)))
            }
            false => Err(Some(not_an_index(span))),
        }
    }

    /// The type of the variable or clock that `tree` names.
    pub(super) fn type_of(&self, tree: &Tree) -> Option<ResolvedType> {
        match &tree.node {
            ExprNode::Name(name) => match &self.find(name)?.what {
                SymbolKind::Cells(_, ty, _)
                | SymbolKind::Clocks(_, ty)
                | SymbolKind::Mixed(_, _, ty)
                | SymbolKind::Passed(_, _, ty) => Some(ty.clone()),
                _ => None,
            },
            ExprNode::Index(of, _) => match self.type_of(of)? {
                ResolvedType::Array { element, .. } => Some((*element).clone()),
                _ => None,
            },
            ExprNode::Member(of, field) => match self.type_of(of)? {
                ResolvedType::Struct(fields) => {
                    let named = fields.iter().find(|(name, _)| *name == field.text);
                    named.map(|(_, ty)| ty.clone())
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// The type of that name, if `tree` names one.
    fn named_type(&self, tree: &Tree) -> Option<ResolvedType> {
        match &tree.node {
            ExprNode::Name(name) => match &self.find(name)?.what {
                SymbolKind::Type(ty) => Some(ty.clone()),
                _ => None,
            },
            _ => None,
        }
    }

    /// The range of an integer type.
    pub fn numbers(&mut self, tree: &TypeTree) -> LoweringResult<NumericType> {
        match self.base_type(tree)? {
            ResolvedType::Number(numbers) => Ok(numbers),
            _ => Err(Some(not_an_index(tree.span))),
        }
    }

    /// The range of the variable of a select, quantifier or loop.
    pub fn bounded_numbers(&mut self, tree: &TypeTree) -> LoweringResult<NumericType> {
        match self.numbers(tree)? {
            numbers if numbers.bounded => Ok(numbers),
            _ => Err(Some(
                Diagnostic::error("a variable that ranges over all integers", tree.span)
                    .with_help("give its type bounds: `int[0,3]`"),
            )),
        }
    }

    fn base_type(&mut self, tree: &TypeTree) -> LoweringResult<ResolvedType> {
        let prefixes = tree.prefixes;
        if prefixes.hybrid {
            let error = Diagnostic::error("a hybrid clock is not supported", tree.span);
            return Err(Some(error.with_help("use an ordinary clock")));
        }
        match &tree.base {
            TypeBase::Int(None) => Ok(ResolvedType::Number(NumericType::DEFAULT)),
            TypeBase::Int(Some((low, high))) => {
                let range = (self.bound(low)?, self.bound(high)?);
                Ok(ResolvedType::Number(NumericType {
                    low: range.0,
                    high: range.1,
                    boolean: false,
                    scalar: None,
                    bounded: true,
                }))
            }
            TypeBase::Bool => Ok(ResolvedType::Number(NumericType::BOOL)),
            TypeBase::Clock => Ok(ResolvedType::Clock),
            TypeBase::Chan => Ok(ResolvedType::Channel {
                urgent: prefixes.urgent,
                broadcast: prefixes.broadcast,
            }),
            TypeBase::Void => Ok(ResolvedType::Void),
            TypeBase::Scalar(size) => {
                let size = size.as_ref().as_ref().map_err(|error| Some(error.clone()))?;
                let high = self.bound(size)?;
                if high < 1 {
                    let error = Diagnostic::error(format!("{high} scalars"), tree.span);
                    return Err(Some(error.with_help("give a positive number")));
                }
                self.n_scalar_sets += 1;
                Ok(ResolvedType::Number(NumericType {
                    low: 0,
                    high: high - 1,
                    boolean: false,
                    scalar: Some(self.n_scalar_sets),
                    bounded: true,
                }))
            }
            TypeBase::Struct(fields) => {
                let fields = fields.as_ref().as_ref().map_err(|error| Some(error.clone()))?;
                self.structure(fields)
            }
            TypeBase::Foreign(what) => {
                let article = if what.starts_with('a') { "an" } else { "a" };
                let error = Diagnostic::error(format!("{article} {what} is not supported"), tree.span);
                Err(Some(error.with_help("use integers, booleans and clocks")))
            }
            TypeBase::Named(name) => {
                let named = self.get(name, tree.span)?;
                match named.what.clone() {
                    SymbolKind::Type(ResolvedType::Channel { urgent, broadcast }) => Ok(ResolvedType::Channel {
                        urgent: urgent || prefixes.urgent,
                        broadcast: broadcast || prefixes.broadcast,
                    }),
                    SymbolKind::Type(ty) => Ok(ty),
                    _ => Err(Some(
                        Diagnostic::error(format!("`{name}` is not a type"), tree.span)
                            .with_secondary(named.span, "declared here")
                            .with_help("use `int`, `bool`, `clock`, `chan` or the name of a typedef"),
                    )),
                }
            }
        }
    }

    fn structure(&mut self, fields: &[VariableTree]) -> LoweringResult<ResolvedType> {
        let mut list: Vec<(String, ResolvedType)> = Vec::new();
        for field in fields {
            let ty = self.sized_type(&field.ty, &field.dimensions)?;
            if matches!(ty.leaf(), ResolvedType::Channel { .. } | ResolvedType::Void) {
                let error = Diagnostic::error("a structure with channels is not supported", field.name.span);
                return Err(Some(error.with_help("declare them beside the structure")));
            }
            if list.iter().any(|(name, _)| *name == field.name.text) {
                let error = Diagnostic::error(format!("`{}` is declared twice", field.name.text), field.name.span);
                return Err(Some(error.with_help("rename one of the two")));
            }
            list.push((field.name.text.clone(), ty));
        }
        Ok(ResolvedType::Struct(Rc::new(list)))
    }

    fn bound(&mut self, tree: &Tree) -> LoweringResult<i32> {
        let value = self.constant(tree)?;
        i32::try_from(value).map_err(|_| {
            let error = Diagnostic::error(format!("the bound {value} does not fit in 32 bits"), tree.span);
            Some(error.with_help("lower it"))
        })
    }
}

fn too_large(span: Span) -> Diagnostic {
    Diagnostic::error("the types of this file are too large, or nested too deep", span).with_help(format!(
        "all variables and types together have at most {MAX_PARTS} parts, and types stand in each other at most {MAX_NESTING} times"
    ))
}

fn not_an_index(span: Span) -> Diagnostic {
    Diagnostic::error("this is no bounded integer type", span)
        .with_help("use `int[a,b]`, `bool`, a scalar, or a typedef of one")
}

pub(super) fn no_values(span: Span) -> Diagnostic {
    Diagnostic::error("a variable of type `void`", span).with_help("only functions have no value")
}

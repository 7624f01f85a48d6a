//! The places of the parts of processes in the file, so that single parts can be changed there.

use super::super::document::Layout;
use super::instances::ProcessInstance;
use super::scope::SymbolKind;
use crate::grammar::syntax::{ExprNode, SystemTree, Tree};
use tamper_text::Span;
use tamper_timed::model::{BinaryOp, Cmp, UnaryOp};

/// The places of a process.
#[derive(Clone, Debug)]
pub(crate) struct ProcessPlaces {
    /// Its template.
    pub layout: Layout,
    /// Per location, the parts of its invariant.
    pub invariants: Vec<Vec<PartPlace>>,
    /// Per edge, the parts of its guard.
    pub guards: Vec<Vec<PartPlace>>,
    /// The way to tell it from other processes of its template.
    pub instance: InstancePlace,
}

/// A way to tell a process from the others of its template.
#[derive(Clone, Debug)]
pub(crate) enum InstancePlace {
    /// It is the only process of its template.
    Only,
    /// The instantiation names the template here.
    Instantiated(Span),
    /// Its parameters, all of which have ranges, have these values, and the other processes of the template have other
    /// values.
    Values(Vec<(String, i64)>),
    /// In no way that a file could use.
    Otherwise,
}

/// The place of a part of a conjunction.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PartPlace {
    /// The place of the whole part.
    pub span: Span,
    /// Its sides, if it compares a term with a clock and a term without.
    pub sides: Option<Sides>,
    /// Whether it sets the rate of a clock: the network may leave it out.
    pub is_rate: bool,
}

/// The sides of a comparison.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sides {
    pub left: Span,
    pub right: Span,
    /// Whether the clock is on the left.
    pub clock_is_left: bool,
    /// Whether the clock is subtracted.
    pub is_negative: bool,
}

impl PartPlace {
    /// The place of `tree`, a part that is not a conjunction; `mentions_clock` tells whether a clock occurs in a part
    /// of it.
    pub fn of(tree: &Tree, mentions_clock: impl Fn(&Tree) -> bool) -> Self {
        let sides = match &tree.node {
            ExprNode::Binary(op, left, right) if op.comparison().is_some() => {
                let clocks = [mentions_clock(left), mentions_clock(right)];
                let with_clock = if clocks[0] { left } else { right };
                (clocks[0] != clocks[1]).then(|| Sides {
                    left: left.span,
                    right: right.span,
                    clock_is_left: clocks[0],
                    is_negative: is_negative(with_clock, &mentions_clock),
                })
            }
            _ => None,
        };
        let is_rate = |side: &Tree| matches!(side.node, ExprNode::Rate(_));
        Self {
            span: tree.span,
            is_rate: matches!(&tree.node, ExprNode::Binary(_, left, right) if is_rate(left) || is_rate(right)),
            sides,
        }
    }
}

/// Whether the clock in `tree` counts negatively.
fn is_negative(tree: &Tree, mentions_clock: &impl Fn(&Tree) -> bool) -> bool {
    match &tree.node {
        ExprNode::Unary(UnaryOp::Neg, operand) => !is_negative(operand, mentions_clock),
        ExprNode::Binary(BinaryOp::Sub, _, right) if mentions_clock(right) => !is_negative(right, mentions_clock),
        ExprNode::Binary(_, left, right) => match mentions_clock(left) {
            true => is_negative(left, mentions_clock),
            false => is_negative(right, mentions_clock),
        },
        _ => false,
    }
}

impl Sides {
    /// The written operator of a comparison that means `clock cmp bound`.
    pub fn comparison(self, cmp: Cmp) -> Cmp {
        match self.clock_is_left != self.is_negative {
            true => cmp,
            false => cmp.mirrored(),
        }
    }
    /// The number to add to the side without the clock when `by` is added to the bound.
    pub fn added(self, by: i64) -> i64 {
        if self.is_negative { -by } else { by }
    }
    /// The side without the clock.
    pub fn bound(self) -> Span {
        if self.clock_is_left { self.right } else { self.left }
    }
}

impl InstancePlace {
    /// The way to tell `instances[at]` from the others.
    pub fn of(instances: &[ProcessInstance], at: usize, system: &SystemTree) -> Self {
        let own = &instances[at];
        let mut others = instances.iter().enumerate();
        if others.all(|(other, instance)| other == at || instance.template != own.template) {
            return Self::Only;
        }
        let mut named = system.instances.iter().filter(|tree| !tree.in_line);
        if let Some(tree) = named.find(|tree| tree.name.text == own.name) {
            // An instance of an instance does not name the template.
            let is_direct = system
                .instances
                .iter()
                .all(|other| other.name.text != tree.template.text);
            return match is_direct {
                true => Self::Instantiated(tree.template.span),
                false => Self::Otherwise,
            };
        }
        // `T(1)` and `T(2)` share a name; the values of their parameters tell them apart.
        let family = |name: &str| name.split_once('(').map(|(name, _)| name.to_owned());
        let same = instances.iter().filter(|instance| instance.template == own.template);
        let numbers_of = |instance: &ProcessInstance| {
            let numbers = instance.bound.iter().map(|(name, what)| match what {
                SymbolKind::Number(value, ..) => Some((name.text.clone(), *value)),
                _ => None,
            });
            numbers.collect::<Option<Vec<_>>>()
        };
        let numbers = numbers_of(own);
        let is_only = same.clone().filter(|other| numbers_of(other) == numbers).count() == 1;
        let is_template =
            family(&own.name).is_some_and(|name| system.instances.iter().all(|tree| tree.name.text != name));
        match (numbers, is_template && is_only) {
            (Some(values), true)
                if !values.is_empty() && same.clone().all(|other| family(&other.name) == family(&own.name)) =>
            {
                Self::Values(values)
            }
            _ => Self::Otherwise,
        }
    }
}

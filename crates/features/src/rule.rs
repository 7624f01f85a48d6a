//! The rules of a feature model: their meaning, and the rules that a product breaks.

use super::{ConstraintId, FeatureId, FeatureModel, GroupId, GroupKind, Product};

/// One rule of a feature model.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Rule {
    /// The root of the tree is selected.
    Root,
    /// The group's bounds hold, and its members are selected only if its parent is.
    Group(GroupId),
    /// A cross-tree constraint has to hold.
    Constraint(ConstraintId),
}

impl Rule {
    /// The rules of `model`, in order.
    pub fn all(model: &FeatureModel) -> impl Iterator<Item = Self> + use<> {
        let groups = model.groups().ids().map(Self::Group);
        let constraints = model.constraints().ids().map(Self::Constraint);
        std::iter::once(Self::Root).chain(groups).chain(constraints)
    }
    /// The rule in words, with its reason if it has one.
    pub fn describe(self, model: &FeatureModel) -> String {
        let name = |feature: FeatureId| model.features()[feature].name();
        match self {
            Self::Root => format!("every product has the root {}", name(model.root())),
            Self::Group(id) => {
                let group = &model.groups()[id];
                let members = list_some(group.members().iter().map(|member| name(*member)));
                let how_many = match group.kind() {
                    GroupKind::Mandatory => "all".to_owned(),
                    GroupKind::Optional => "any".to_owned(),
                    GroupKind::Or => "at least one".to_owned(),
                    GroupKind::Alternative => "exactly one".to_owned(),
                    GroupKind::Cardinality { min, max: u32::MAX } => format!("{min} or more"),
                    GroupKind::Cardinality { min, max } => format!("{min} to {max}"),
                };
                let parent = name(group.parent());
                format!("where {parent} is selected, {how_many} of {members}; elsewhere none")
            }
            Self::Constraint(id) => {
                let constraint = &model.constraints()[id];
                if constraint.reason.is_empty() {
                    model.show(&constraint.expr)
                } else {
                    constraint.reason.clone()
                }
            }
        }
    }
}

/// Checks single products against the rules directly: the naive reference for all solvers.
impl FeatureModel {
    /// Whether `product` is a product of the model.
    pub fn allows(&self, product: &Product) -> bool {
        self.violated(product).next().is_none()
    }
    /// The rules of the model that `product` breaks. Linear in the model.
    pub fn violated<'a>(&'a self, product: &'a Product) -> impl Iterator<Item = Rule> + 'a {
        let root = (!product.contains(self.root())).then_some(Rule::Root);
        let groups = self.groups().iter_enumerated().filter(|(_, group)| {
            let members = group.members();
            let n = members.iter().filter(|member| product.contains(**member)).count();
            let (min, max) = group.kind().bounds(members.len());
            if product.contains(group.parent()) {
                n < min || n > max
            } else {
                n > 0
            }
        });
        let constraints = self
            .constraints()
            .iter_enumerated()
            .filter(|(_, constraint)| !constraint.expr.holds(product));
        root.into_iter()
            .chain(groups.map(|(id, _)| Rule::Group(id)))
            .chain(constraints.map(|(id, _)| Rule::Constraint(id)))
    }
}

/// The first names, and how many more there are.
fn list_some<'a>(names: impl ExactSizeIterator<Item = &'a str>) -> String {
    let most = 5;
    let more = names.len().saturating_sub(most);
    let mut shown = names.take(most).collect::<Vec<_>>().join(", ");
    if more > 0 {
        shown.push_str(&format!(" and {more} more"));
    }
    shown
}

//! Feature models: a tree of features with groups, and constraints across it.
//!
//! Every group has the same meaning: if its parent is selected, between `min` and `max` of its members are; if the parent
//! is not, none is. The root is always selected. Features are numbered in the order they are added, a parent before its
//! children; this is also the variable order of [`Diagram`](super::Diagram), so features that constrain each other should
//! be added near each other.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::{ConstraintId, FeatureExpr, FeatureId, GroupId};
use tamper_text::{Id, IndexVec};

/// The number of members of a group that are selected when its parent is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum GroupKind {
    /// Every member is selected with the parent.
    Mandatory,
    /// Any number of members is selected.
    Optional,
    /// At least one member is selected.
    Or,
    /// Exactly one member is selected.
    Alternative,
    /// Between `min` and `max`, both included.
    Cardinality {
        /// The least number of selected members.
        min: u32,
        /// The greatest number of selected members.
        max: u32,
    },
}

impl GroupKind {
    /// The least and the greatest number of selected members of a group of `n`; the greatest is at most `n`.
    pub fn bounds(self, n: usize) -> (usize, usize) {
        match self {
            Self::Mandatory => (n, n),
            Self::Optional => (0, n),
            Self::Or => (1, n),
            Self::Alternative => (1, n.min(1)),
            Self::Cardinality { min, max } => (min as usize, n.min(max as usize)),
        }
    }
}

/// A feature: a name with its place in the tree.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Feature {
    name: Arc<str>,
    group: Option<GroupId>,
    groups: Vec<GroupId>,
    /// Whether it only structures the model.
    pub is_abstract: bool,
    /// Attributes in order: names, and values as they are written in a file (a text with its quotes).
    pub attributes: Vec<(String, String)>,
}

impl Feature {
    /// Its name, unique in the model.
    pub fn name(&self) -> &str {
        &self.name
    }
    /// The group that it is a member of; `None` for the root.
    pub fn group(&self) -> Option<GroupId> {
        self.group
    }
    /// The groups whose parent is this feature.
    pub fn groups(&self) -> &[GroupId] {
        &self.groups
    }
    /// The value of the attribute of that name.
    pub fn attribute(&self, name: &str) -> Option<&str> {
        let known = self.attributes.iter().find(|(known, _)| known == name);
        known.map(|(_, value)| value.as_str())
    }
}

/// A group of features with a common parent.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Group {
    parent: FeatureId,
    kind: GroupKind,
    members: Vec<FeatureId>,
}

impl Group {
    /// The feature that the members refine.
    pub fn parent(&self) -> FeatureId {
        self.parent
    }
    /// The number of members that can be selected.
    pub fn kind(&self) -> GroupKind {
        self.kind
    }
    /// The features in the group, in order.
    pub fn members(&self) -> &[FeatureId] {
        &self.members
    }
}

/// A condition that every product satisfies.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Constraint {
    /// The condition that every product satisfies.
    pub expr: FeatureExpr,
    /// The reason for it, one line; may be empty.
    pub reason: String,
}

/// The reason why a feature cannot be added.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FeatureModelError {
    /// Another feature has the name.
    #[error("feature {} has the same name", .0.index())]
    DuplicateFeature(FeatureId),
    /// The name is empty or has a double quote or a control character in it.
    #[error("`{}` cannot be the name of a feature", .0.escape_debug())]
    BadName(String),
}

/// A tree of features with constraints across it; its products are the sets of features that satisfy both.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FeatureModel {
    features: IndexVec<FeatureId, Feature>,
    groups: IndexVec<GroupId, Group>,
    constraints: IndexVec<ConstraintId, Constraint>,
    names: BTreeMap<Arc<str>, FeatureId>,
}

impl FeatureModel {
    /// The model with this root and nothing else.
    ///
    /// # Errors
    /// If the name is not valid.
    pub fn new(root: &str) -> Result<Self, FeatureModelError> {
        let mut model = Self {
            features: IndexVec::new(),
            groups: IndexVec::new(),
            constraints: IndexVec::new(),
            names: BTreeMap::new(),
        };
        model.push_feature(root, None)?;
        Ok(model)
    }
    /// The root, selected in every product.
    pub fn root(&self) -> FeatureId {
        FeatureId::from_index(0)
    }
    /// All features, parents before children.
    pub fn features(&self) -> &IndexVec<FeatureId, Feature> {
        &self.features
    }
    /// All groups, in the order in which they were added.
    pub fn groups(&self) -> &IndexVec<GroupId, Group> {
        &self.groups
    }
    /// All cross-tree constraints, in the order in which they were added.
    pub fn constraints(&self) -> &IndexVec<ConstraintId, Constraint> {
        &self.constraints
    }
    /// The feature of that name.
    pub fn find(&self, name: &str) -> Option<FeatureId> {
        self.names.get(name).copied()
    }
    /// The feature above `feature`; `None` for the root.
    pub fn parent(&self, feature: FeatureId) -> Option<FeatureId> {
        self.features[feature].group.map(|group| self.groups[group].parent)
    }

    /// Adds a group without members below `parent`.
    pub fn add_group(&mut self, parent: FeatureId, kind: GroupKind) -> GroupId {
        let group = self.groups.push(Group {
            parent,
            kind,
            members: Vec::new(),
        });
        self.features[parent].groups.push(group);
        group
    }
    /// Adds a feature to `group`.
    ///
    /// # Errors
    /// If the name is taken or not valid.
    pub fn add_feature(&mut self, group: GroupId, name: &str) -> Result<FeatureId, FeatureModelError> {
        let feature = self.push_feature(name, Some(group))?;
        self.groups[group].members.push(feature);
        Ok(feature)
    }
    /// Adds a constraint, with the reason for it.
    pub fn add_constraint(&mut self, expr: FeatureExpr, reason: impl Into<String>) -> ConstraintId {
        self.constraints.push(Constraint {
            expr,
            reason: reason.into(),
        })
    }
    /// The same model with the negation of a constraint in its place.
    #[must_use]
    pub fn with_negated(&self, constraint: ConstraintId) -> Self {
        let mut other = self.clone();
        let negated = !other.constraints[constraint].expr.clone();
        other.constraints[constraint].expr = negated;
        other
    }
    /// Changes the number of members of `group` that are selected.
    pub fn set_kind(&mut self, group: GroupId, kind: GroupKind) {
        self.groups[group].kind = kind;
    }
    /// The feature's details that may be changed.
    pub fn feature_mut(&mut self, feature: FeatureId) -> &mut Feature {
        &mut self.features[feature]
    }

    /// The same model with its features in another order, in which parents come before their children.
    pub(super) fn reordered(self, order: &[FeatureId]) -> Self {
        let mut position = vec![FeatureId::from_index(0); order.len()];
        for (index, old) in order.iter().enumerate() {
            position[old.index()] = FeatureId::from_index(index);
        }
        let moved = |old: FeatureId| position[old.index()];
        let mut model = self;
        let mut features = IndexVec::new();
        for old in order {
            features.push(model.features[*old].clone());
        }
        model.features = features;
        for group in model.groups.ids().collect::<Vec<_>>() {
            let group = &mut model.groups[group];
            group.parent = moved(group.parent);
            group.members = group.members.iter().map(|member| moved(*member)).collect();
            group.members.sort_unstable();
        }
        for constraint in model.constraints.ids().collect::<Vec<_>>() {
            let expr = &mut model.constraints[constraint].expr;
            *expr = expr.map(&moved);
        }
        model.names.values_mut().for_each(|id| *id = moved(*id));
        model
    }

    fn push_feature(&mut self, name: &str, group: Option<GroupId>) -> Result<FeatureId, FeatureModelError> {
        if name.is_empty() || name.contains(|c: char| c == '"' || c.is_control()) {
            return Err(FeatureModelError::BadName(name.to_owned()));
        }
        if let Some(first) = self.find(name) {
            return Err(FeatureModelError::DuplicateFeature(first));
        }
        let name: Arc<str> = name.into();
        let feature = self.features.push(Feature {
            name: Arc::clone(&name),
            group,
            groups: Vec::new(),
            is_abstract: false,
            attributes: Vec::new(),
        });
        self.names.insert(name, feature);
        Ok(feature)
    }

    /// The condition in the syntax of [`parse_expr`](super::parse_expr), with this model's names.
    pub fn show(&self, expr: &FeatureExpr) -> String {
        expr.show(|feature| self.features[feature].name()).to_string()
    }
}

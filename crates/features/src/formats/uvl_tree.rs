//! The features of a UVL model: a tree of lines, in which an import stands for the tree of its file, and a feature that
//! occurs several times for as many features.
//!
//! Of `A cardinality [1..3]`, `A` is the first occurrence, in the group of `A`; `A#2` and `A#3` are in groups of their own
//! below `A`, mandatory as far as the least number goes. An occurrence needs the one before it, so that the number of products
//! is that of the choices for each number of occurrences, which are told apart.

use std::collections::{BTreeSet, VecDeque};
use std::ops::Range;

use super::uvl_lines::Line;
use super::uvl_names::name_of;
use super::uvl_parts::Part;
use crate::{FeatureExpr, FeatureId, FeatureModel, FeatureModelError, GroupId, GroupKind};
use tamper_text::{Diagnostic, Span};

/// The largest number of features after all occurrences and imports are written out.
const MOST: usize = 1 << 18;
/// The deepest nesting of imports, and of features that occur several times.
const DEEPEST: usize = 20;

pub(super) fn refused(what: &str, span: Span) -> Diagnostic {
    Diagnostic::error(format!("{what} are not supported"), span).with_help(
        "tamper reads Boolean features, groups with cardinalities, propositional constraints, and comparisons of constant attributes",
    )
}

/// A constraint that is not read yet.
pub(super) struct Condition<'a> {
    pub text: &'a str,
    pub span: Span,
    pub reason: &'a str,
    /// The file, and the path before the names of its features.
    pub part: usize,
    prefix: String,
}

/// Lines below a feature that are not read yet.
struct Branch {
    parent: FeatureId,
    /// The column of the parent's line.
    indent: usize,
    part: usize,
    lines: Range<usize>,
    /// What stands before and behind the names of the features.
    prefix: String,
    suffix: String,
    /// The files around this one, and the number of features around it that occur several times.
    chain: Vec<usize>,
    n_repeated: usize,
}

/// The kind of children that the lines below a line are, and the number of features around them that occur several times.
enum Level {
    /// Members of this group.
    Group(GroupId, usize),
    /// Groups of this feature.
    Feature(FeatureId, usize),
}

/// The tree of features of all files.
pub(super) struct Tree<'a> {
    pub model: FeatureModel,
    pub conditions: Vec<Condition<'a>>,
    /// The features in a feature that occurs several times, and its occurrences but the first.
    repeated: BTreeSet<FeatureId>,
    /// The features that are the first of several occurrences.
    several: BTreeSet<FeatureId>,
    parts: &'a [Part<'a>],
    open: VecDeque<Branch>,
    /// Conditions between occurrences.
    order: Vec<FeatureExpr>,
}

impl<'a> Tree<'a> {
    /// The features of the files, and all constraints.
    pub fn of(parts: &'a [Part<'a>]) -> Result<Self, Diagnostic> {
        let part = &parts[0];
        let (head, below) = &part.features;
        let first = part.lines[below.clone()].first();
        let first =
            first.ok_or_else(|| Diagnostic::error("the section `features` is empty", part.lines[*head].span))?;
        let declared = declaration(first)?;
        let fail = |error: FeatureModelError| Diagnostic::error(error.to_string(), first.span);
        let model = FeatureModel::new(declared.name).map_err(fail)?;
        let root = model.root();
        let mut tree = Self {
            model,
            conditions: Vec::new(),
            repeated: BTreeSet::new(),
            several: BTreeSet::new(),
            parts,
            open: VecDeque::new(),
            order: Vec::new(),
        };
        let mut branch = Branch {
            parent: root,
            indent: first.indent,
            part: 0,
            lines: below.start + 1..below.end,
            prefix: String::new(),
            suffix: String::new(),
            chain: vec![0],
            n_repeated: 0,
        };
        tree.conditions_of(0, "");
        tree.occurrences(&branch, (root, 0), &declared, (first.span, branch.lines.clone()))?;
        branch.n_repeated = usize::from(declared.max > 1);
        tree.describe(&branch, root, declared);
        tree.open.push_front(branch);
        while let Some(branch) = tree.open.pop_front() {
            let part = &parts[branch.part];
            tree.branch(&branch).map_err(|error| part.placed(error))?;
        }
        for condition in std::mem::take(&mut tree.order) {
            tree.model
                .add_constraint(condition, "occurrences are numbered from the first");
        }
        Ok(tree)
    }

    /// Notes the constraints of a file.
    fn conditions_of(&mut self, part: usize, prefix: &str) {
        let lines = &self.parts[part].lines[self.parts[part].constraints.clone()];
        self.conditions.extend(lines.iter().map(|line| Condition {
            text: line.text,
            span: line.span,
            reason: line.comment,
            part,
            prefix: prefix.to_owned(),
        }));
    }

    /// The feature that a condition names.
    pub fn find(&self, condition: &Condition<'_>, name: &str) -> Option<FeatureId> {
        match condition.prefix.as_str() {
            "" => self.model.find(name),
            prefix => self.model.find(&format!("{prefix}{name}")),
        }
    }
    /// Whether a feature is one of several occurrences, or in one.
    pub fn occurs_several(&self, feature: FeatureId) -> bool {
        self.repeated.contains(&feature) || self.several.contains(&feature)
    }
    /// Whether it is in doubt which occurrence of a feature is meant.
    pub fn is_repeated(&self, feature: FeatureId) -> bool {
        self.repeated.contains(&feature)
    }

    fn branch(&mut self, branch: &Branch) -> Result<(), Diagnostic> {
        let part = &self.parts[branch.part];
        let mut levels = vec![(branch.indent, Level::Feature(branch.parent, branch.n_repeated))];
        let mut at = branch.lines.start;
        while at < branch.lines.end {
            let line = &part.lines[at];
            at += 1;
            while levels.last().is_some_and(|(indent, _)| *indent >= line.indent) {
                levels.pop();
            }
            let level = match levels.last() {
                Some((_, Level::Feature(parent, n_repeated))) => {
                    Level::Group(self.model.add_group(*parent, group_kind(line)?), *n_repeated)
                }
                Some((_, Level::Group(group, n_repeated))) => {
                    let (declared, n_repeated) = (declaration(line)?, *n_repeated);
                    let n_inside = n_repeated + usize::from(declared.max > 1);
                    let n_below = part.lines[at..branch.lines.end].iter();
                    let n_below = n_below
                        .take_while(|below| declared.max > 1 && below.indent > line.indent)
                        .count();
                    let place = (*group, n_repeated);
                    Level::Feature(
                        self.feature(branch, place, declared, (line, at..at + n_below))?,
                        n_inside,
                    )
                }
                None => {
                    let error = Diagnostic::error("there is one root feature, and this is beside it", line.span);
                    let first = self.parts[branch.part].features.1.start;
                    return Err(error.with_secondary(part.lines[first].span, "the root feature"));
                }
            };
            levels.push((line.indent, level));
        }
        Ok(())
    }

    /// Adds the feature of a line with these lines below it.
    fn feature(
        &mut self,
        branch: &Branch,
        (group, n_repeated): (GroupId, usize),
        declared: Declaration<'a>,
        (line, below): (&Line<'a>, Range<usize>),
    ) -> Result<FeatureId, Diagnostic> {
        let fail = |error: FeatureModelError| Diagnostic::error(error.to_string(), line.span);
        let name = format!("{}{}{}", branch.prefix, declared.name, branch.suffix);
        let feature = self.model.add_feature(group, &name).map_err(fail)?;
        if self.model.features().len() > MOST {
            return Err(
                Diagnostic::error("these are too many features when all are written out", line.span)
                    .with_help("use smaller cardinalities"),
            );
        }
        if n_repeated > 0 {
            self.repeated.insert(feature);
        }
        let import = declared.name.rsplit_once('.').filter(|_| !line.text.starts_with('"'));
        let import = import.and_then(|(alias, root)| Some((alias, root, self.parts[branch.part].imports.get(alias)?)));
        match import {
            Some(_) if n_repeated > 0 || declared.max > 1 => {
                return Err(refused("imports in features that occur several times", line.span));
            }
            Some((alias, root, part)) => self.import(branch, feature, (alias, root), (*part, line.span))?,
            None if declared.name.contains('.') && !self.parts[branch.part].imports.is_empty() => {
                let error = Diagnostic::error(format!("`{}` is no import", declared.name), line.span);
                return Err(error.with_help("a path begins with the name of an import; other names have no `.`"));
            }
            None => {}
        }
        self.occurrences(branch, (feature, n_repeated), &declared, (line.span, below))?;
        self.describe(branch, feature, declared);
        Ok(feature)
    }

    /// Puts the tree of an imported file, whose root has to be `root`, below `feature`.
    fn import(
        &mut self,
        branch: &Branch,
        feature: FeatureId,
        (alias, root): (&str, &str),
        (part, span): (usize, Span),
    ) -> Result<(), Diagnostic> {
        if branch.chain.contains(&part) || branch.chain.len() > DEEPEST {
            let error = Diagnostic::error("this import contains itself, or imports are nested too deep", span);
            return Err(error.with_help("break the circle"));
        }
        let imported = &self.parts[part];
        let (head, below) = &imported.features;
        let empty = || {
            imported.placed(Diagnostic::error(
                "the section `features` is empty",
                imported.lines[*head].span,
            ))
        };
        let first = imported.lines[below.clone()].first().ok_or_else(empty)?;
        let declared = declaration(first).map_err(|error| imported.placed(error))?;
        if declared.name != root || declared.max > 1 {
            let error = Diagnostic::error(format!("`{root}` is not the root of that file"), span);
            return Err(error.with_help("an import is used by its root feature, which occurs once"));
        }
        let branch = Branch {
            parent: feature,
            indent: first.indent,
            part,
            lines: below.start + 1..below.end,
            prefix: format!("{}{alias}.", branch.prefix),
            suffix: String::new(),
            chain: branch.chain.iter().copied().chain([part]).collect(),
            n_repeated: 0,
        };
        self.conditions_of(part, &branch.prefix);
        self.describe(&branch, feature, declared);
        self.open.push_back(branch);
        Ok(())
    }

    /// Adds all occurrences of a feature but the first, and what is below them.
    fn occurrences(
        &mut self,
        branch: &Branch,
        (first, n_repeated): (FeatureId, usize),
        declared: &Declaration<'_>,
        (span, below): (Span, Range<usize>),
    ) -> Result<(), Diagnostic> {
        let Declaration { min, max, .. } = *declared;
        if max < 2 {
            return Ok(());
        }
        if max == u32::MAX {
            return Err(refused("features that occur any number of times", span));
        }
        if n_repeated >= DEEPEST {
            return Err(refused("so many features in each other that occur several times", span));
        }
        let min = min.max(1);
        let required = (min > 1).then(|| self.model.add_group(first, GroupKind::Mandatory));
        let free = (max > min).then(|| self.model.add_group(first, GroupKind::Optional));
        self.several.insert(first);
        let n_repeated = n_repeated + 1;
        let mut before = first;
        for number in 2..=max {
            let Some(group) = (if number <= min { required } else { free }) else {
                continue;
            };
            let suffix = format!("{}{}{number}", branch.suffix, "#".repeat(n_repeated));
            let name = format!("{}{}{suffix}", branch.prefix, declared.name);
            let fail = |error: FeatureModelError| Diagnostic::error(error.to_string(), span);
            let feature = self.model.add_feature(group, &name).map_err(fail)?;
            if self.model.features().len() > MOST {
                return Err(
                    Diagnostic::error("these are too many features when all are written out", span)
                        .with_help("use smaller cardinalities"),
                );
            }
            self.repeated.insert(feature);
            self.model.feature_mut(feature).is_abstract = declared.is_abstract;
            if number > min + 1 {
                self.order.push(FeatureExpr::from(feature).implies(before.into()));
            }
            self.open.push_back(Branch {
                parent: feature,
                indent: self.parts[branch.part].lines[below.start - 1].indent,
                part: branch.part,
                lines: below.clone(),
                prefix: branch.prefix.clone(),
                suffix,
                chain: branch.chain.clone(),
                n_repeated,
            });
            before = feature;
        }
        Ok(())
    }

    /// Notes the attributes of a feature, and the constraints among them.
    fn describe(&mut self, branch: &Branch, feature: FeatureId, declared: Declaration<'a>) {
        let details = self.model.feature_mut(feature);
        details.is_abstract |= declared.is_abstract;
        details.attributes.extend(declared.attributes);
        self.conditions
            .extend(declared.conditions.into_iter().map(|(text, span)| Condition {
                text,
                span,
                reason: "",
                part: branch.part,
                prefix: branch.prefix.clone(),
            }));
    }
}

fn group_kind(line: &Line<'_>) -> Result<GroupKind, Diagnostic> {
    let text = line.text;
    match text {
        "mandatory" => return Ok(GroupKind::Mandatory),
        "optional" => return Ok(GroupKind::Optional),
        "or" => return Ok(GroupKind::Or),
        "alternative" => return Ok(GroupKind::Alternative),
        _ => {}
    }
    let parsed = bounds(text);
    parsed
        .map(|(min, max)| GroupKind::Cardinality { min, max })
        .ok_or_else(|| {
            Diagnostic::error("the kind of a group is expected here", line.span)
                .with_help("groups are `mandatory`, `optional`, `or`, `alternative` and `[i..j]`")
        })
}

/// `[2]`, `[1..3]` or `[1..*]`.
fn bounds(text: &str) -> Option<(u32, u32)> {
    let bounds = text.strip_prefix('[')?.strip_suffix(']')?;
    let (min, max) = bounds.split_once("..").unwrap_or((bounds, bounds));
    let min = min.trim().parse().ok()?;
    let max = match max.trim() {
        "*" => u32::MAX,
        max => max.parse().ok()?,
    };
    Some((min, max))
}

struct Declaration<'a> {
    name: &'a str,
    is_abstract: bool,
    /// The least and the greatest number of occurrences.
    min: u32,
    max: u32,
    attributes: Vec<(String, String)>,
    conditions: Vec<(&'a str, Span)>,
}

/// `name`, `"name"`, with `cardinality [1..3]`, with `{attributes}`.
fn declaration<'a>(line: &Line<'a>) -> Result<Declaration<'a>, Diagnostic> {
    let (name, rest) = name_of(line.text, line.span)?;
    let mut rest = rest.trim();
    let typed = ["String", "Integer", "Real", "Boolean"].contains(&name) && !rest.is_empty() && !rest.starts_with('{');
    if typed && name == "Boolean" {
        let start = line.span.range().end - rest.len();
        let inner = Line {
            text: rest,
            span: Span::new(start, line.span.range().end),
            ..*line
        };
        return declaration(&inner);
    }
    if typed {
        return Err(refused(&format!("features with values ({name})"), line.span));
    }
    let mut declared = Declaration {
        name,
        is_abstract: false,
        min: 1,
        max: 1,
        attributes: Vec::new(),
        conditions: Vec::new(),
    };
    if let Some(cardinality) = rest.strip_prefix("cardinality") {
        let end = cardinality.find(']').map_or(cardinality.len(), |end| end + 1);
        let parsed = bounds(cardinality[..end].trim());
        let parsed = parsed.filter(|(min, max)| min <= max && *max > 0).ok_or_else(|| {
            Diagnostic::error("how often the feature occurs is expected here", line.span)
                .with_help("write it as `cardinality [1..3]`")
        })?;
        if parsed.0 == 0 {
            let error = Diagnostic::error("a selected feature that occurs 0 times", line.span);
            return Err(error.with_help("put it in a group `optional`, and let it occur at least once"));
        }
        (declared.min, declared.max) = parsed;
        rest = cardinality[end..].trim();
    }
    if rest.is_empty() {
        return Ok(declared);
    }
    let inner = rest.strip_prefix('{').and_then(|rest| rest.strip_suffix('}'));
    let inner = inner.ok_or_else(|| {
        Diagnostic::error("a feature is a name, with attributes in braces", line.span)
            .with_help("write names that are not plain in double quotes")
    })?;
    // The parts are parts of the line's text.
    let place = |part: &str| {
        let start = line.span.range().start + (part.as_ptr() as usize - line.text.as_ptr() as usize);
        Span::new(start, start + part.len())
    };
    for attribute in split_top(inner) {
        let attribute = attribute.trim();
        let (name, value) = attribute.split_once(char::is_whitespace).unwrap_or((attribute, ""));
        let value = value.trim();
        match name {
            "" => {}
            "abstract" => declared.is_abstract = value != "false",
            "constraint" => declared.conditions.push((value, place(value))),
            "constraints" => {
                let list = value.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
                let list = list.ok_or_else(|| {
                    Diagnostic::error("a list of constraints is expected here", place(attribute))
                        .with_help("write it as `constraints [A => B, C]`")
                })?;
                let all = split_top(list).into_iter().map(str::trim);
                let all = all.filter(|text| !text.is_empty()).map(|text| (text, place(text)));
                declared.conditions.extend(all);
            }
            _ => declared.attributes.push((name.to_owned(), value.to_owned())),
        }
    }
    Ok(declared)
}

/// The parts between commas that are in no braces, brackets or quotes.
fn split_top(text: &str) -> Vec<&str> {
    let (mut parts, mut start, mut depth, mut quote) = (Vec::new(), 0, 0_usize, None);
    for (at, c) in text.char_indices() {
        match (quote, c) {
            (Some(open), _) if c == open => quote = None,
            (Some(_), _) => {}
            (None, '\'' | '"') => quote = Some(c),
            (None, '{' | '[') => depth += 1,
            (None, '}' | ']') => depth = depth.saturating_sub(1),
            (None, ',') if depth == 0 => {
                parts.push(&text[start..at]);
                start = at + 1;
            }
            (None, _) => {}
        }
    }
    parts.push(&text[start..]);
    parts
}

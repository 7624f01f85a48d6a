//! UVL, the Universal Variability Language: its Boolean level with group cardinalities.
//!
//! Indentation structures the file: a feature, below it the kind of a group, below that the group's members. Reasons of
//! constraints are comments before them. Typed features, arithmetic, feature cardinalities and imports are refused.

use super::UnwritableFeature;
use super::uvl_lines::{Line, lines};
use super::uvl_names::{CONSTRAINTS, is_plain, name_of, quoted};
use crate::{ExprError, FeatureExpr, FeatureId, FeatureModel, GroupId, GroupKind, Growth, parse_spelled};
use tamper_text::{Diagnostic, Span};

/// `model` as UVL, indented with tabs.
///
/// # Errors
/// If a feature's name has a `.`, which UVL keeps for paths.
pub fn write_uvl(model: &FeatureModel) -> Result<String, UnwritableFeature> {
    let dotted = model.features().iter().find(|feature| feature.name().contains('.'));
    if let Some(feature) = dotted {
        return Err(UnwritableFeature(feature.name().to_owned()));
    }
    // Groups without members become constraints.
    let model = model.without_groups(|_| true)?;
    let mut text = "features\n".to_owned();
    // Features to write, the next one last, with their depth; or lines.
    enum PendingItem {
        Feature(FeatureId, usize),
        Line(String),
    }
    let mut items = vec![PendingItem::Feature(model.root(), 1)];
    while let Some(item) = items.pop() {
        let (id, depth) = match item {
            PendingItem::Line(line) => {
                text.push_str(&line);
                continue;
            }
            PendingItem::Feature(id, depth) => (id, depth),
        };
        let feature = &model.features()[id];
        let attributes = attributes_text(feature.is_abstract, &feature.attributes);
        text.push_str(&format!(
            "{}{}{attributes}\n",
            "\t".repeat(depth),
            quoted(feature.name())
        ));
        for group in feature.groups().iter().rev().map(|group| &model.groups()[*group]) {
            let members = group.members().iter().rev();
            items.extend(members.map(|member| PendingItem::Feature(*member, depth + 2)));
            let kind = match group.kind() {
                GroupKind::Mandatory => "mandatory".to_owned(),
                GroupKind::Optional => "optional".to_owned(),
                GroupKind::Or => "or".to_owned(),
                GroupKind::Alternative => "alternative".to_owned(),
                GroupKind::Cardinality { min, max } => format!("[{min}..{max}]"),
            };
            items.push(PendingItem::Line(format!("{}{kind}\n", "\t".repeat(depth + 1))));
        }
    }
    if !model.constraints().is_empty() {
        text.push_str("\nconstraints\n");
    }
    for constraint in model.constraints() {
        if !constraint.reason.is_empty() {
            let reason: String = constraint.reason.split_whitespace().collect::<Vec<_>>().join(" ");
            text.push_str(&format!("\t// {reason}\n"));
        }
        text.push('\t');
        write_expr(&model, &constraint.expr, 0, &mut text);
        text.push('\n');
    }
    Ok(text)
}

fn attributes_text(is_abstract: bool, attributes: &[(String, String)]) -> String {
    let is_plain = |(name, _): &&(String, String)| is_plain(name) && name != "abstract";
    let own = attributes.iter().filter(is_plain).map(|(name, value)| {
        let bare = value.is_empty();
        if bare { name.clone() } else { format!("{name} {value}") }
    });
    let all: Vec<String> = is_abstract
        .then(|| "abstract".to_owned())
        .into_iter()
        .chain(own)
        .collect();
    if all.is_empty() {
        String::new()
    } else {
        format!(" {{{}}}", all.join(", "))
    }
}

/// Binding strengths: `|` 0, `&` 1, `!` 2.
fn write_expr(model: &FeatureModel, expr: &FeatureExpr, outer: u8, text: &mut String) {
    let root = FeatureExpr::Var(model.root());
    let (operands, separator, strength) = match expr {
        FeatureExpr::True => return write_expr(model, &root, outer, text),
        FeatureExpr::False => return write_expr(model, &!root, outer, text),
        FeatureExpr::Var(feature) => return text.push_str(&quoted(model.features()[*feature].name())),
        FeatureExpr::Not(operand) => {
            text.push('!');
            return write_expr(model, operand, 2, text);
        }
        FeatureExpr::And(operands) => (operands, " & ", 1),
        FeatureExpr::Or(operands) => (operands, " | ", 0),
    };
    let parentheses = strength < outer;
    if parentheses {
        text.push('(');
    }
    for (position, operand) in operands.iter().enumerate() {
        if position > 0 {
            text.push_str(separator);
        }
        write_expr(model, operand, strength + 1, text);
    }
    if parentheses {
        text.push(')');
    }
}

/// The feature model of a UVL file, with warnings.
///
/// # Errors
/// The first thing that cannot be read.
pub fn read_uvl(text: &str) -> Result<(FeatureModel, Vec<Diagnostic>), Vec<Diagnostic>> {
    read(text).map(|model| (model, Vec::new())).map_err(|error| vec![error])
}

fn refused(what: &str, span: Span) -> Diagnostic {
    Diagnostic::error(format!("{what} are not supported"), span)
        .with_help("tamper reads Boolean features, groups with cardinalities, and propositional constraints")
}

/// The kind of children that the lines below a line are.
enum Level {
    /// Members of this group.
    Group(GroupId),
    /// Groups of this feature.
    Feature(FeatureId),
}

fn read(text: &str) -> Result<FeatureModel, Diagnostic> {
    let lines = lines(text)?;
    let mut sections: Vec<(&Line<'_>, &[Line<'_>])> = Vec::new();
    let mut rest = lines.as_slice();
    while let Some((head, after)) = rest.split_first() {
        let n_below = after.iter().take_while(|line| line.indent > head.indent).count();
        let (below, next) = after.split_at(n_below);
        sections.push((head, below));
        rest = next;
    }
    let mut model = None;
    let mut constraints: &[Line<'_>] = &[];
    for (head, below) in sections {
        let keyword = head.text.split_whitespace().next().unwrap_or_default();
        match keyword {
            "features" if model.is_none() => model = Some(read_features(head, below)?),
            "constraints" => constraints = below,
            "namespace" | "include" => {}
            "imports" => return Err(refused("imports", head.span)),
            _ => {
                let error = Diagnostic::error("this is no section of a UVL file", head.span);
                return Err(error.with_help("sections are `features` and `constraints`; what is in one is indented"));
            }
        }
    }
    let mut model = model.ok_or_else(|| Diagnostic::error("the file has no section `features`", None))?;
    let mut growth = Growth::default();
    for line in constraints {
        let at = |inner: Span| {
            let start = line.span.range().start;
            Span::new(start + inner.range().start, start + inner.range().end)
        };
        let has = |symbols: &[&str]| symbols.iter().any(|symbol| unquoted(line.text).contains(symbol));
        let expr = parse_spelled(&CONSTRAINTS, line.text, |name| model.find(name), &mut growth).map_err(|error| {
            let arithmetic = has(&["==", "!=", "+", "*", "/"]) || has(&["sum(", "avg(", "len(", "floor(", "ceil("]);
            if arithmetic
                || unquoted(line.text)
                    .replace("<=>", "")
                    .replace("=>", "")
                    .contains(['<', '>'])
            {
                refused("comparisons and arithmetic", line.span)
            } else {
                let found = Diagnostic::error(error.to_string(), at(error.span()));
                match error {
                    ExprError::UnknownFeature(_) => found,
                    _ => found.with_help(
                        "UVL writes `!`, `&`, `|`, `=>`, `<=>`, and names that are not plain in double quotes",
                    ),
                }
            }
        })?;
        model.add_constraint(expr, line.comment);
    }
    Ok(model)
}

/// The text without its quoted parts.
fn unquoted(text: &str) -> String {
    text.split('"').step_by(2).collect()
}

fn read_features(head: &Line<'_>, below: &[Line<'_>]) -> Result<FeatureModel, Diagnostic> {
    let (first, rest) = below
        .split_first()
        .ok_or_else(|| Diagnostic::error("the section `features` is empty", head.span))?;
    let declared = declaration(first)?;
    let fail = |line: &Line<'_>| {
        let span = line.span;
        move |error: crate::FeatureModelError| Diagnostic::error(error.to_string(), span)
    };
    let mut model = FeatureModel::new(declared.name).map_err(fail(first))?;
    let root = model.root();
    declared.describe(&mut model, root);
    let mut levels = vec![(first.indent, Level::Feature(root))];
    for line in rest {
        while levels.last().is_some_and(|(indent, _)| *indent >= line.indent) {
            levels.pop();
        }
        let level = match levels.last() {
            Some((_, Level::Feature(parent))) => {
                let kind = group_kind(line)?;
                Level::Group(model.add_group(*parent, kind))
            }
            Some((_, Level::Group(group))) => {
                let declared = declaration(line)?;
                let feature = model.add_feature(*group, declared.name).map_err(fail(line))?;
                declared.describe(&mut model, feature);
                Level::Feature(feature)
            }
            None => {
                let error = Diagnostic::error("there is one root feature, and this is beside it", line.span);
                return Err(error.with_secondary(first.span, "the root feature"));
            }
        };
        levels.push((line.indent, level));
    }
    Ok(model)
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
    let bounds = text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
    let parsed = bounds.and_then(|bounds| {
        let (min, max) = bounds.split_once("..").unwrap_or((bounds, bounds));
        let min = min.trim().parse().ok()?;
        let max = if max.trim() == "*" {
            u32::MAX
        } else {
            max.trim().parse().ok()?
        };
        Some(GroupKind::Cardinality { min, max })
    });
    parsed.ok_or_else(|| {
        Diagnostic::error("the kind of a group is expected here", line.span)
            .with_help("groups are `mandatory`, `optional`, `or`, `alternative` and `[i..j]`")
    })
}

struct Declaration<'a> {
    name: &'a str,
    is_abstract: bool,
    attributes: Vec<(String, String)>,
}

impl Declaration<'_> {
    fn describe(self, model: &mut FeatureModel, feature: FeatureId) {
        let details = model.feature_mut(feature);
        details.is_abstract = self.is_abstract;
        details.attributes = self.attributes;
    }
}

/// `name`, `"name"`, with `{attributes}`.
fn declaration<'a>(line: &Line<'a>) -> Result<Declaration<'a>, Diagnostic> {
    let (name, rest) = name_of(line.text, line.span)?;
    let rest = rest.trim();
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
        return Err(refused("features with values", line.span));
    }
    if rest.starts_with("cardinality") {
        return Err(refused("features that occur several times", line.span));
    }
    let mut declared = Declaration {
        name,
        is_abstract: false,
        attributes: Vec::new(),
    };
    if rest.is_empty() {
        return Ok(declared);
    }
    let inner = rest.strip_prefix('{').and_then(|rest| rest.strip_suffix('}'));
    let inner = inner.ok_or_else(|| {
        Diagnostic::error("a feature is a name, with attributes in braces", line.span)
            .with_help("write names that are not plain in double quotes")
    })?;
    for attribute in split_top(inner) {
        let attribute = attribute.trim();
        let (name, value) = attribute.split_once(char::is_whitespace).unwrap_or((attribute, ""));
        match name {
            "" => {}
            "abstract" => declared.is_abstract = value.trim() != "false",
            "constraint" | "constraints" => return Err(refused("constraints in attributes", line.span)),
            _ => declared.attributes.push((name.to_owned(), value.trim().to_owned())),
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

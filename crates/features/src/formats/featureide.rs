//! FeatureIDE XML.
//!
//! A feature has one kind of children: `and` (each mandatory or optional), `or`, `alt`. For any other group, the bounds
//! become constraints (see [`FeatureModel::without_groups`]). Connectives are written with two operands, an absent
//! `mandatory` means optional, a rule's reason comes after its formula, and attributes are left out: so the readers of
//! other tools, not all of which are as tolerant as FeatureIDE's, understand the file correctly.

use roxmltree::{Document, Node, ParsingOptions};

use super::UnwritableFeature;
use crate::{FeatureExpr, FeatureId, FeatureModel, Group, GroupKind, Growth};
use tamper_text::xml::too_many_attributes;
use tamper_text::xml::{Declaration, Element, Layout};
use tamper_text::{Diagnostic, Span};

/// Deepest nesting of features and formulas that is read.
const MAX_DEPTH: usize = 500;

/// `model` as FeatureIDE XML.
///
/// # Errors
/// Only if the names of counting features run out.
pub fn write_featureide(model: &FeatureModel) -> Result<String, UnwritableFeature> {
    let alone = |group: &Group| model.features()[group.parent()].groups().len() == 1;
    let model = model.without_groups(|group| match group.kind() {
        GroupKind::Mandatory | GroupKind::Optional => true,
        GroupKind::Or | GroupKind::Alternative => alone(group) && !group.members().is_empty(),
        GroupKind::Cardinality { .. } => false,
    })?;
    let rules = model.constraints().iter().map(|constraint| {
        let rule = Element::new("rule")
            .block()
            .child(formula_element(&model, &constraint.expr));
        let reason = (!constraint.reason.is_empty()).then_some(&constraint.reason);
        rule.children(reason.map(|reason| Element::new("description").text(reason)))
    });
    let structure = Element::new("struct").block();
    let root = Element::new("featureModel")
        .block()
        .child(structure.child(feature_element(&model, model.root(), true)))
        .child(Element::new("constraints").block().children(rules));
    let declaration = Declaration {
        encoding: "UTF-8",
        standalone: Some("no"),
        doctype: None,
    };
    let layout = Layout {
        indent: "\t",
        ..Layout::default()
    };
    Ok(root.document(&declaration, &layout))
}

fn feature_element(model: &FeatureModel, id: FeatureId, mandatory: bool) -> Element {
    let feature = &model.features()[id];
    let groups: Vec<&Group> = feature.groups().iter().map(|group| &model.groups()[*group]).collect();
    let tag = match groups.as_slice() {
        [] => "feature",
        [group] if group.kind() == GroupKind::Or => "or",
        [group] if group.kind() == GroupKind::Alternative => "alt",
        _ => "and",
    };
    let element = Element::new(tag)
        .with_some("abstract", feature.is_abstract.then_some(true))
        .with_some("hidden", feature.attribute("hidden").filter(|hidden| *hidden == "true"))
        .with_some("mandatory", mandatory.then_some(true))
        .with("name", feature.name());
    if groups.is_empty() {
        return element;
    }
    let members = groups.into_iter().flat_map(|group| {
        let mandatory = group.kind() == GroupKind::Mandatory;
        group.members().iter().map(move |member| (*member, mandatory))
    });
    let members = members.map(|(member, mandatory)| feature_element(model, member, mandatory));
    element.block().children(members)
}

fn formula_element(model: &FeatureModel, expr: &FeatureExpr) -> Element {
    let root = || FeatureExpr::Var(model.root());
    match expr {
        FeatureExpr::True => formula_element(model, &root()),
        FeatureExpr::False => formula_element(model, &!root()),
        FeatureExpr::Var(feature) => Element::new("var").text(model.features()[*feature].name()),
        FeatureExpr::Not(operand) => Element::new("not").block().child(formula_element(model, operand)),
        FeatureExpr::And(operands) => operands_element(model, "conj", operands),
        FeatureExpr::Or(operands) => operands_element(model, "disj", operands),
    }
}

/// Two operands at a time, halving, so that nesting stays logarithmic.
fn operands_element(model: &FeatureModel, tag: &'static str, operands: &[FeatureExpr]) -> Element {
    if let [single] = operands {
        return formula_element(model, single);
    }
    let (left, right) = operands.split_at(operands.len() / 2);
    Element::new(tag)
        .block()
        .child(operands_element(model, tag, left))
        .child(operands_element(model, tag, right))
}

/// The feature model of a FeatureIDE file, with warnings.
///
/// # Errors
/// The first thing that cannot be read.
pub fn read_featureide(text: &str) -> Result<(FeatureModel, Vec<Diagnostic>), Vec<Diagnostic>> {
    read(text).map(|model| (model, Vec::new())).map_err(|error| vec![error])
}

fn span(node: Node<'_, '_>) -> Span {
    let range = node.range();
    // The start tag is enough to find an element by.
    Span::new(
        range.start,
        range.end.min(range.start + 1 + node.tag_name().name().len()),
    )
}

fn elements<'a, 'i>(node: Node<'a, 'i>) -> impl Iterator<Item = Node<'a, 'i>> {
    let ignored = ["graphics", "description", "attribute"];
    node.children()
        .filter(move |child| child.is_element() && !ignored.contains(&child.tag_name().name()))
}

fn read(text: &str) -> Result<FeatureModel, Diagnostic> {
    if let Some(error) = too_many_attributes(text) {
        return Err(error);
    }
    let options = ParsingOptions {
        allow_dtd: true,
        ..ParsingOptions::default()
    };
    let document = Document::parse_with_options(text, options).map_err(|error| {
        let at = error.pos();
        let line_start: usize = text.split_inclusive('\n').take(at.row as usize - 1).map(str::len).sum();
        Diagnostic::error(
            format!("this is not well-formed XML: {error}"),
            Span::new(line_start, line_start + 1),
        )
    })?;
    let top = document.root_element();
    let find = |name: &str| top.children().find(|child| child.has_tag_name(name));
    let structure = find("struct").ok_or_else(|| {
        Diagnostic::error("the file has no <struct>", span(top)).with_help("a FeatureIDE file is a <featureModel>")
    })?;
    let root = elements(structure)
        .next()
        .ok_or_else(|| Diagnostic::error("<struct> has no feature", span(structure)))?;
    let mut model =
        FeatureModel::new(name_of(root)?).map_err(|error| Diagnostic::error(error.to_string(), span(root)))?;
    let id = model.root();
    read_details(root, &mut model, id);
    read_children(root, &mut model, id, 0)?;
    let mut growth = Growth::default();
    for rule in find("constraints").into_iter().flat_map(elements) {
        let formula = elements(rule)
            .next()
            .ok_or_else(|| Diagnostic::error("this rule has no formula", span(rule)))?;
        let expr = read_formula(formula, &model, &mut growth, 0)?;
        let description = rule.children().find(|child| child.has_tag_name("description"));
        let reason = description.and_then(|child| child.text()).unwrap_or_default();
        model.add_constraint(expr, reason.split_whitespace().collect::<Vec<_>>().join(" "));
    }
    Ok(model.with_hidden_nearby())
}

fn name_of<'a>(node: Node<'a, '_>) -> Result<&'a str, Diagnostic> {
    node.attribute("name")
        .ok_or_else(|| Diagnostic::error("this feature has no name", span(node)))
}

fn read_details(node: Node<'_, '_>, model: &mut FeatureModel, id: FeatureId) {
    let details = model.feature_mut(id);
    details.is_abstract = node.attribute("abstract") == Some("true");
    if node.attribute("hidden") == Some("true") {
        details.attributes.push(("hidden".to_owned(), "true".to_owned()));
    }
    for attribute in node.children().filter(|child| child.has_tag_name("attribute")) {
        if let (Some(name), Some(value)) = (attribute.attribute("name"), attribute.attribute("value")) {
            details.attributes.push((name.to_owned(), value.to_owned()));
        }
    }
}

fn read_children(node: Node<'_, '_>, model: &mut FeatureModel, id: FeatureId, depth: usize) -> Result<(), Diagnostic> {
    if depth > MAX_DEPTH {
        return Err(Diagnostic::error("features are nested too deep here", span(node)));
    }
    let tag = node.tag_name().name();
    let common = match tag {
        "or" => Some(model.add_group(id, GroupKind::Or)),
        "alt" => Some(model.add_group(id, GroupKind::Alternative)),
        "and" | "feature" => None,
        _ => {
            let error = Diagnostic::error(format!("<{tag}> is no feature"), span(node));
            return Err(error.with_help("features are <feature>, <and>, <or> and <alt>"));
        }
    };
    let mut own: [Option<_>; 2] = [None, None];
    for child in elements(node) {
        let mandatory = child.attribute("mandatory") == Some("true");
        let group = match common {
            Some(group) => group,
            None => {
                let kind = if mandatory {
                    GroupKind::Mandatory
                } else {
                    GroupKind::Optional
                };
                *own[usize::from(mandatory)].get_or_insert_with(|| model.add_group(id, kind))
            }
        };
        let feature = model
            .add_feature(group, name_of(child)?)
            .map_err(|error| Diagnostic::error(error.to_string(), span(child)))?;
        read_details(child, model, feature);
        read_children(child, model, feature, depth + 1)?;
    }
    Ok(())
}

fn read_formula(
    node: Node<'_, '_>,
    model: &FeatureModel,
    growth: &mut Growth,
    depth: usize,
) -> Result<FeatureExpr, Diagnostic> {
    if depth > MAX_DEPTH {
        return Err(Diagnostic::error("this formula is nested too deep", span(node)));
    }
    let tag = node.tag_name().name();
    if tag == "var" {
        let name = node.text().unwrap_or_default();
        let known = model.find(name).or_else(|| model.find(name.trim()));
        return known
            .map(FeatureExpr::Var)
            .ok_or_else(|| Diagnostic::error(format!("there is no feature `{}`", name.trim()), span(node)));
    }
    let operands: Result<Vec<_>, _> = elements(node)
        .map(|operand| read_formula(operand, model, growth, depth + 1))
        .collect();
    let operands = operands?;
    let too_large = || {
        let error = Diagnostic::error("this formula is too large", span(node));
        error.with_help("each <eq> doubles what it compares, <atmost1> has a part for each pair")
    };
    match (tag, operands.as_slice()) {
        ("conj", _) => Ok(FeatureExpr::all(operands)),
        ("disj", _) => Ok(FeatureExpr::any(operands)),
        ("not", [operand]) => Ok(!operand.clone()),
        ("imp", [premise, conclusion]) => (growth.implies(premise.clone(), conclusion.clone())).ok_or_else(too_large),
        ("eq", [left, right]) => growth.iff(left.clone(), right.clone()).ok_or_else(too_large),
        ("atmost1", _) => growth.at_most_one(&operands).ok_or_else(too_large),
        ("not" | "imp" | "eq", _) => {
            let needed = if tag == "not" { 1 } else { 2 };
            let message = format!("<{tag}> has {} operands, not {needed}", operands.len());
            Err(Diagnostic::error(message, span(node)))
        }
        _ => Err(Diagnostic::error(format!("<{tag}> is no formula"), span(node))
            .with_help("formulas are <var>, <not>, <conj>, <disj>, <imp>, <eq> and <atmost1>")),
    }
}

//! UVL, the Universal Variability Language: its Boolean level, imports, features that occur several times, and comparisons
//! of constants.
//!
//! Indentation structures the file: a feature, below it the kind of a group, below that the group's members. Reasons of
//! constraints are comments before them. Typed features are refused, and arithmetic that needs them.

use super::UnwritableFeature;
use super::uvl_names::{CONSTRAINTS, is_plain, quoted};
use super::uvl_parts::{Part, parts};
use super::uvl_sums::Comparisons;
use super::uvl_tree::{Condition, Tree, refused};
use crate::{ExprError, FeatureExpr, FeatureId, FeatureModel, GroupKind, Growth, parse_spelled};
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

/// The feature model of a UVL file that imports no other, with warnings.
///
/// # Errors
/// The first thing that cannot be read.
pub fn read_uvl(text: &str) -> Result<(FeatureModel, Vec<Diagnostic>), Vec<Diagnostic>> {
    read_uvl_with(text, &mut |path| Err(format!("{path} is not there")))
}

/// The feature model of a UVL file, with warnings; `import` gives the content of the file at a path relative to it, such as
/// `parts/motor.uvl`, or says why there is none.
///
/// # Errors
/// The first thing that cannot be read.
pub fn read_uvl_with(
    text: &str,
    import: &mut dyn FnMut(&str) -> Result<String, String>,
) -> Result<(FeatureModel, Vec<Diagnostic>), Vec<Diagnostic>> {
    let texts = super::uvl_parts::texts(text, import).map_err(|error| vec![error])?;
    let model = parts(&texts).and_then(|parts| read(&parts));
    model.map(|model| (model, Vec::new())).map_err(|error| vec![error])
}

fn read(parts: &[Part<'_>]) -> Result<FeatureModel, Diagnostic> {
    let mut tree = Tree::of(parts)?;
    let mut growth = Growth::default();
    for condition in std::mem::take(&mut tree.conditions) {
        let part = &parts[condition.part];
        let expr = constraint(&tree, &condition, &mut growth).map_err(|error| part.placed(error))?;
        tree.model.add_constraint(expr, condition.reason);
    }
    Ok(tree.model)
}

fn constraint(tree: &Tree<'_>, condition: &Condition<'_>, growth: &mut Growth) -> Result<FeatureExpr, Diagnostic> {
    let Condition { text, span, .. } = *condition;
    let start = span.range().start;
    let at = |inner: Span| Span::new(start + inner.range().start, start + inner.range().end);
    let find = |name: &str| tree.find(condition, name);
    let several = |feature: &FeatureId| tree.occurs_several(*feature);
    let mut comparisons = Comparisons::new(&tree.model, &find, &several);
    let parsed = parse_spelled(&CONSTRAINTS, text, find, growth, &mut |rest, growth| {
        comparisons.next(rest, growth)
    });
    let expr = parsed.map_err(|error| {
        if let (ExprError::Refused(place), Some(what)) = (&error, comparisons.refused) {
            return refused(what, at(*place));
        }
        let found = Diagnostic::error(error.to_string(), at(error.span()));
        match error {
            ExprError::UnknownFeature(_) => found,
            _ if has_arithmetic(text) => refused("these comparisons", span),
            _ => {
                found.with_help("UVL writes `!`, `&`, `|`, `=>`, `<=>`, and names that are not plain in double quotes")
            }
        }
    })?;
    match expr.features().iter().any(|feature| tree.is_repeated(*feature)) {
        true => Err(refused("constraints on one of several occurrences of a feature", span)),
        false => Ok(expr),
    }
}

/// Whether there is something that is no connective outside of the quotes.
fn has_arithmetic(text: &str) -> bool {
    let unquoted: String = text.split('"').step_by(2).collect();
    let words = ["sum(", "avg(", "len(", "floor(", "ceil("];
    let rest = unquoted.replace("<=>", "").replace("=>", "");
    rest.contains(['<', '>', '+', '*', '/', '=']) || words.iter().any(|word| unquoted.contains(word))
}

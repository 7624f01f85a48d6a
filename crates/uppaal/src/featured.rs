//! A file with feature expressions and a feature model as one featured automaton.

use super::document::Document;
use crate::grammar::annotations::{Annotation, ConditionPart};
use tamper_features::{ExprError, FeatureExpr, FeatureModel, parse_expr};
use tamper_text::{Diagnostic, ReadError};
use tamper_timed::featured::{Conditions, FeaturedAutomaton};

impl Document {
    /// Whether automaton `index` has feature expressions; then it is the superposition of a family, and seldom a
    /// system.
    ///
    /// # Panics
    /// If there is no automaton of that index.
    pub fn has_features(&self, index: usize) -> bool {
        let annotations = &self.annotations[index];
        !annotations.list.is_empty() || !annotations.errors.is_empty()
    }

    /// The warning for a reader who takes the superposition of a family for a system; `None` if no automaton has
    /// feature expressions.
    pub fn features_ignored(&self) -> Option<Diagnostic> {
        let spans = self.annotations.iter().flat_map(|annotations| {
            let wrong = annotations.errors.iter().filter_map(|error| error.span);
            annotations.list.iter().map(|annotation| annotation.span).chain(wrong)
        });
        let message = "feature expressions are ignored here: all parts of the family are read as one system";
        let help = "project it onto a product first (tamper project), or give its feature model with --features";
        spans
            .min()
            .map(|first| Diagnostic::warning(message, first).with_help(help))
    }

    /// Automaton `index` as the family over `model` given by its feature expressions (\[003\] Definition 4). A part
    /// without an expression is in every product. `docs/notes/0005-featured-files.md` has the syntax.
    ///
    /// # Errors
    /// All errors in the feature expressions, in one go.
    ///
    /// # Panics
    /// If there is no automaton of that index.
    pub fn featured(&self, index: usize, model: &FeatureModel) -> Result<FeaturedAutomaton, ReadError> {
        let automaton = &self.automata[index];
        let annotations = &self.annotations[index];
        let mut diagnostics = annotations.errors.clone();
        let mut conditions = Conditions::always(automaton);
        let has =
            |wanted: fn(&ConditionPart) -> bool| annotations.list.iter().any(|annotation| wanted(&annotation.part));
        if has(|part| matches!(part, ConditionPart::Initial(_))) {
            conditions.initial.clear();
        }
        for annotation in &annotations.list {
            if let ConditionPart::Urgency(location, _) = annotation.part {
                conditions.urgency[location].clear();
            }
        }
        for annotation in &annotations.list {
            match expression(annotation, model) {
                Ok(expr) => set(&mut conditions, annotation.part, expr),
                Err(error) => diagnostics.push(error),
            }
        }
        let failed = |diagnostics| ReadError {
            file: self.source.clone(),
            diagnostics,
        };
        if !diagnostics.is_empty() {
            diagnostics.sort_by_key(|diagnostic| diagnostic.span);
            return Err(failed(diagnostics));
        }
        let built = FeaturedAutomaton::new(automaton.clone(), model.clone(), conditions);
        built.map_err(|error| failed(vec![Diagnostic::error(error.to_string(), None)]))
    }
}

fn set(conditions: &mut Conditions, part: ConditionPart, expr: FeatureExpr) {
    match part {
        ConditionPart::Location(id) => conditions.locations[id] = expr,
        ConditionPart::Initial(id) => conditions.initial.push((expr, id)),
        ConditionPart::Urgency(id, urgency) => conditions.urgency[id].push((expr, urgency)),
        ConditionPart::Clock(id, at) => conditions.invariants[id].clocks[at] = expr,
        ConditionPart::Data(id, at) => conditions.invariants[id].data[at] = expr,
        ConditionPart::Edge(id) => conditions.edges[id] = expr,
        ConditionPart::Action(id) => conditions.actions[id] = expr,
    }
}

fn expression(annotation: &Annotation, model: &FeatureModel) -> Result<FeatureExpr, Diagnostic> {
    let text = &annotation.expr;
    parse_expr(&text.decoded, |name| model.find(name)).map_err(|error| {
        let range = error.span().range();
        let name = text.decoded[range.clone()].trim_matches('"');
        let message = match error {
            ExprError::UnknownFeature(_) => format!("the feature model has no feature `{name}`"),
            _ => error.to_string(),
        };
        // An error at the end of an expression can only point at the text before it.
        let span = if range.is_empty() && text.decoded.trim().is_empty() {
            annotation.span
        } else {
            text.span(range.start, range.end)
        };
        let help = match error {
            ExprError::UnknownFeature(_) => known_features(model, name),
            _ => {
                "a feature expression is `true`, or made of features with `!`, `&&`, `||`, `=>`, `<=>` and parentheses"
                    .to_owned()
            }
        };
        Diagnostic::error(message, span).with_help(help)
    })
}

/// The feature that is probably meant, or the first features of the model.
fn known_features(model: &FeatureModel, name: &str) -> String {
    let names = || model.features().iter().map(|feature| feature.name());
    if let Some(meant) = names().find(|known| known.eq_ignore_ascii_case(name)) {
        return format!("did you mean `{meant}`?");
    }
    let most = 8;
    let shown: Vec<_> = names().take(most).collect();
    let more = model.features().len().saturating_sub(most);
    let more = if more > 0 {
        format!(" and {more} more")
    } else {
        String::new()
    };
    format!("its features are {}{more}", shown.join(", "))
}

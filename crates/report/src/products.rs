//! The verdicts on all products of a family, as text and JSON.

use std::fmt::Write as _;

use serde_json::{Map, Value, json};

use super::{counterexample_json, counterexample_text, product_names};
use tamper_features::{DiagramSet, Diagrams, FeatureExpr, FeatureModel, ProductSets};
use tamper_game::{ProductVerdicts, SharedWitness};
use tamper_text::StopReason;
use tamper_timed::featured::FeaturedAutomaton;
use tamper_timed::model::Automaton;

/// Most terms of a condition that is shown.
const MOST_TERMS: usize = 64;

struct Class {
    verdict: &'static str,
    because: Option<String>,
    products: String,
    /// `None` if the condition is too long for a reader.
    condition: Option<FeatureExpr>,
}

/// The verdicts on all products, ready to be shown.
pub struct ProductsReport<'a> {
    featured: &'a FeaturedAutomaton,
    specification: &'a Automaton,
    semantics: String,
    total: String,
    classes: Vec<Class>,
    states: u64,
    alone: u64,
    witnesses: Vec<(SharedWitness<DiagramSet>, String, Option<FeatureExpr>)>,
    /// The number of non-subsumed products without a witness here.
    unwitnessed: String,
}

impl<'a> ProductsReport<'a> {
    /// The verdicts, with conditions that are short enough for a reader.
    ///
    /// # Errors
    /// The limit that was hit when the conditions were made.
    pub fn of(
        featured: &'a FeaturedAutomaton,
        specification: &'a Automaton,
        semantics: &dyn std::fmt::Display,
        sets: &mut Diagrams,
        verdicts: &ProductVerdicts<DiagramSet>,
    ) -> Result<Self, StopReason> {
        let decided = [
            ("subsumed", verdicts.subsumed),
            ("non-subsumed", verdicts.non_subsumed),
            ("inconsistent", verdicts.inconsistent),
        ];
        let decided = decided.into_iter().map(|(verdict, set)| (verdict, None, set));
        let others = verdicts.undecided.iter();
        let others = others.map(|(why, set)| ("unknown", Some(why.to_string()), *set));
        let mut classes = Vec::new();
        for (verdict, because, set) in decided.chain(others) {
            classes.push(Class {
                verdict,
                because,
                products: sets.count(&set).to_string(),
                condition: sets.condition(set, MOST_TERMS)?,
            });
        }
        Ok(Self {
            featured,
            specification,
            semantics: semantics.to_string(),
            total: sets.count(&sets.all()).to_string(),
            classes,
            states: verdicts.effort.states,
            alone: verdicts.effort.alone,
            witnesses: Vec::new(),
            unwitnessed: String::new(),
        })
    }

    /// Adds counterexamples, which refute some or all of `refuted`.
    ///
    /// # Errors
    /// The limit that was hit when the conditions were made.
    pub fn add_witnesses(
        &mut self,
        witnesses: Vec<SharedWitness<DiagramSet>>,
        sets: &mut Diagrams,
        refuted: DiagramSet,
    ) -> Result<(), StopReason> {
        let mut rest = refuted;
        for witness in witnesses {
            rest = sets.minus(&rest, &witness.products)?;
            let count = sets.count(&witness.products).to_string();
            let condition = sets.condition(witness.products, MOST_TERMS)?;
            self.witnesses.push((witness, count, condition));
        }
        self.unwitnessed = sets.count(&rest).to_string();
        Ok(())
    }

    fn model(&self) -> &FeatureModel {
        self.featured.model()
    }

    fn shown(&self, condition: Option<&FeatureExpr>) -> Option<String> {
        condition.map(|condition| self.model().show(condition))
    }

    /// The verdicts as a table for people.
    pub fn text(&self) -> String {
        let mut text = format!(
            "{} products of {} against {} ({})\n",
            self.total,
            self.featured.automaton().name(),
            self.specification.name(),
            self.semantics
        );
        let width = self.classes.iter().map(|class| class.products.len()).max().unwrap_or(0);
        for class in self
            .classes
            .iter()
            .filter(|class| class.because.is_none() || class.products != "0")
        {
            let _ = write!(text, "\n{:<13} {:>width$}", class.verdict, class.products);
            if class.products != "0" {
                let condition = self.shown(class.condition.as_ref());
                let condition = condition.unwrap_or_else(|| "(a long condition)".to_owned());
                let _ = write!(text, "  {condition}");
            }
            if let Some(because) = &class.because {
                let _ = write!(text, "\n              because {because}");
            }
        }
        for (number, (witness, count, condition)) in (1..).zip(&self.witnesses) {
            let condition = self
                .shown(condition.as_ref())
                .unwrap_or_else(|| "a long condition".to_owned());
            let product = witness.product.show(self.model());
            let _ = write!(
                text,
                "\n\nwitness {number} refutes {count} products: {condition}\nhere of {product}\n"
            );
            if let Ok(game) = self.featured.project(&witness.product) {
                text.push_str(counterexample_text(&witness.counterexample, &game, self.specification).trim_end());
            }
        }
        if !self.witnesses.is_empty() && self.unwitnessed != "0" {
            let _ = write!(
                text,
                "\n\n{} more products do not refine {} (--witness N shows more)",
                self.unwitnessed,
                self.specification.name()
            );
        }
        text
    }

    /// The verdicts as JSON for programs.
    pub fn json(&self) -> Value {
        let class = |class: &Class| {
            let mut object = Map::new();
            object.insert("verdict".to_owned(), json!(class.verdict));
            object.insert("products".to_owned(), json!(class.products));
            object.insert("condition".to_owned(), json!(self.shown(class.condition.as_ref())));
            if let Some(because) = &class.because {
                object.insert("because".to_owned(), json!(because));
            }
            Value::Object(object)
        };
        let witness = |(witness, count, condition): &(SharedWitness<DiagramSet>, String, Option<FeatureExpr>)| {
            let game = self.featured.project(&witness.product).ok();
            let shown = game.map(|game| counterexample_json(&witness.counterexample, &game, self.specification));
            json!({
                "product": product_names(self.model(), &witness.product),
                "products": count,
                "condition": self.shown(condition.as_ref()),
                "counterexample": shown,
            })
        };
        json!({
            "family": self.featured.automaton().name(),
            "specification": self.specification.name(),
            "semantics": self.semantics,
            "products": self.total,
            "verdicts": self.classes.iter().map(class).collect::<Vec<_>>(),
            "states": self.states,
            "decided_alone": self.alone,
            "witnesses": self.witnesses.iter().map(witness).collect::<Vec<_>>(),
        })
    }
}

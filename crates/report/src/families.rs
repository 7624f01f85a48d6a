//! Facts about feature models and families, as text and JSON.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use num_bigint::BigUint;
use serde::Serialize;

use tamper_features::{
    Anomalies, ConstraintId, Exclusion, FeatureExpr, FeatureId, FeatureModel, Product, Rule, Survey,
};
use tamper_text::StopReason;
use tamper_timed::featured::{Audit, FeaturedAutomaton};
use tamper_timed::mutation::{FeaturedMutants, Operator, edge_name};

/// The largest number of names that are listed in a text.
const LISTED: usize = 6;

/// The size of a feature model, and its number of products.
#[derive(Clone, PartialEq, Eq, Serialize, Debug)]
pub struct ModelFacts {
    root: String,
    features: usize,
    abstract_features: usize,
    groups: usize,
    constraints: usize,
    /// A number of any size, as text.
    products: Option<String>,
    in_every_product: Option<Vec<String>>,
    in_no_product: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    false_optional: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    redundant: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    unknown: Option<String>,
}

impl ModelFacts {
    /// The same facts with what the model says in vain.
    #[must_use]
    pub fn with_anomalies(self, model: &FeatureModel, anomalies: &Anomalies) -> Self {
        let rule = |id: &ConstraintId| Rule::Constraint(*id).describe(model);
        Self {
            false_optional: Some(anomalies.false_optional.iter().map(|id| name(model, *id)).collect()),
            redundant: Some(anomalies.redundant.iter().map(rule).collect()),
            ..self
        }
    }
    /// The facts about a feature model and its survey.
    pub fn of(model: &FeatureModel, survey: &Survey) -> Self {
        let fixed = survey.fixed.as_ref();
        let is_hidden = |id: &&FeatureId| model.features()[**id].attribute("hidden") == Some("true");
        let names = |ids: &Vec<FeatureId>| {
            let shown = ids.iter().filter(|id| !is_hidden(id));
            shown.map(|id| name(model, *id)).collect()
        };
        Self {
            root: name(model, model.root()),
            features: model.features().len(),
            abstract_features: model.features().iter().filter(|feature| feature.is_abstract).count(),
            groups: model.groups().len(),
            constraints: model.constraints().len(),
            products: survey.count.as_ref().ok().map(ToString::to_string),
            in_every_product: fixed.map(|fixed| names(&fixed.core)),
            in_no_product: fixed.map(|fixed| names(&fixed.dead)),
            false_optional: None,
            redundant: None,
            unknown: survey.count.as_ref().err().map(ToString::to_string),
        }
    }
    /// Whether all products were counted.
    pub fn is_complete(&self) -> bool {
        self.unknown.is_none()
    }
    /// Whether it is known that there is no product.
    pub fn is_void(&self) -> bool {
        self.products.as_deref() == Some("0")
    }
}

fn name(model: &FeatureModel, id: FeatureId) -> String {
    model.features()[id].name().to_owned()
}

/// The features of `product` that a user chooses: without the root and hidden ones.
pub fn product_names(model: &FeatureModel, product: &Product) -> Vec<String> {
    let shown = product.iter().filter(|id| {
        let feature = &model.features()[*id];
        *id != model.root() && feature.attribute("hidden") != Some("true")
    });
    shown.map(|id| name(model, id)).collect()
}

fn line(text: &mut String, name: &str, value: &str) {
    let _ = writeln!(text, "{name:<24}{value}");
}

fn listed(names: &[String]) -> String {
    let more = names.len().saturating_sub(LISTED);
    let shown = names.iter().take(LISTED).cloned().collect::<Vec<_>>().join(", ");
    match (names.len(), more) {
        (0, _) => "none".to_owned(),
        (n, 0) => format!("{n}: {shown}"),
        (n, more) => format!("{n}: {shown} and {more} more"),
    }
}

/// The facts about a feature model.
pub fn model_text(facts: &ModelFacts) -> String {
    let mut text = String::new();
    line(&mut text, "feature model", &facts.root);
    let of_them = match facts.abstract_features {
        0 => String::new(),
        n => format!(" ({n} abstract)"),
    };
    line(&mut text, "features", &format!("{}{of_them}", facts.features));
    line(&mut text, "groups", &facts.groups.to_string());
    line(&mut text, "constraints", &facts.constraints.to_string());
    counts(&mut text, facts);
    text
}

fn counts(text: &mut String, facts: &ModelFacts) {
    let unknown = || format!("unknown: {}", facts.unknown.as_deref().unwrap_or_default());
    line(text, "products", &facts.products.clone().unwrap_or_else(unknown));
    for (what, names) in [
        ("in every product", &facts.in_every_product),
        ("in no product", &facts.in_no_product),
        ("false-optional", &facts.false_optional),
        ("redundant constraints", &facts.redundant),
    ] {
        if let Some(names) = names {
            line(text, what, &listed(names));
        }
    }
}

/// The reason why some features are no product.
#[derive(Clone, PartialEq, Eq, Serialize, Debug)]
pub struct WhyFacts {
    product: bool,
    features: Vec<String>,
    because: Vec<String>,
    with_more: Option<Vec<String>>,
}

impl WhyFacts {
    /// The answer about a product, or about the `listed` features if they are no product.
    pub fn of(model: &FeatureModel, listed: &[FeatureId], answer: &Result<Product, Exclusion>) -> Self {
        match answer {
            Ok(product) => Self {
                product: true,
                features: product_names(model, product),
                because: Vec::new(),
                with_more: None,
            },
            Err(exclusion) => {
                let rules = exclusion.rules.iter().map(|rule| rule.describe(model));
                let chosen = exclusion
                    .choices
                    .iter()
                    .map(|id| format!("{} is selected", name(model, *id)));
                let else_ = exclusion.nothing_else.then(|| "nothing else is selected".to_owned());
                Self {
                    product: false,
                    features: listed.iter().map(|id| name(model, *id)).collect(),
                    because: chosen.chain(else_).chain(rules).collect(),
                    with_more: exclusion.larger.as_ref().map(|product| product_names(model, product)),
                }
            }
        }
    }
}

/// The answer about some features that are no product.
pub fn why_text(facts: &WhyFacts) -> String {
    let names = |names: &[String]| match names {
        [] => "nothing but the root".to_owned(),
        names => names.join(", "),
    };
    if facts.product {
        return format!("a product: {}\n", names(&facts.features));
    }
    let mut text = "no product, because these cannot all be:\n".to_owned();
    for reason in &facts.because {
        let _ = writeln!(text, "  - {reason}");
    }
    if let Some(more) = &facts.with_more {
        let _ = writeln!(text, "a product with more features: {}", names(more));
    }
    text
}

/// The size of a featured mutant model, and the files that were written.
#[derive(Clone, PartialEq, Eq, Serialize, Debug)]
pub struct MutantModelFacts {
    template: String,
    order: String,
    guidelines: bool,
    mutations: BTreeMap<String, usize>,
    locations: usize,
    edges: usize,
    #[serde(flatten)]
    model: ModelFacts,
    files: Vec<FileFacts>,
}

/// A file that was written.
#[derive(Clone, PartialEq, Eq, Serialize, Debug)]
pub struct FileFacts {
    /// The name of the file.
    pub file: String,
    /// The size of the file in bytes.
    pub bytes: usize,
}

impl MutantModelFacts {
    /// The facts about `mutants`, of an order called `order`.
    pub fn of(
        mutants: &FeaturedMutants,
        order: &str,
        guidelines: bool,
        model: ModelFacts,
        files: Vec<FileFacts>,
    ) -> Self {
        let mut mutations = BTreeMap::new();
        for mutation in mutants.mutations().values() {
            *mutations.entry(mutation.operator().to_string()).or_default() += 1;
        }
        let automaton = mutants.automaton().automaton();
        Self {
            template: automaton.name().to_owned(),
            order: order.to_owned(),
            guidelines,
            mutations,
            locations: automaton.locations().len(),
            edges: automaton.edges().len(),
            model,
            files,
        }
    }
}

/// The facts about a featured mutant model.
pub fn mutant_model_text(facts: &MutantModelFacts) -> String {
    let mut text = String::new();
    line(&mut text, "game", &facts.template);
    let order = match facts.order.as_str() {
        "any" => "any set of mutations".to_owned(),
        order => format!("up to {order}"),
    };
    let guidelines = if facts.guidelines {
        ", guidelines as constraints"
    } else {
        ""
    };
    line(&mut text, "mutations per product", &format!("{order}{guidelines}"));
    let all: usize = facts.mutations.values().sum();
    let operators = Operator::ALL.iter().filter_map(|operator| {
        let name = operator.to_string();
        facts.mutations.get(&name).map(|n| format!("{name} {n}"))
    });
    let operators = operators.collect::<Vec<_>>().join(", ");
    line(&mut text, "mutations", &format!("{all} ({operators})"));
    line(
        &mut text,
        "superposition",
        &format!("{} locations, {} edges", facts.locations, facts.edges),
    );
    line(&mut text, "features", &facts.model.features.to_string());
    counts(&mut text, &facts.model);
    for file in &facts.files {
        line(&mut text, &file.file, &format!("{} bytes", file.bytes));
    }
    text
}

/// Facts about a family of games that need no look at its single members.
#[derive(Clone, PartialEq, Eq, Serialize, Debug)]
pub struct FamilyFacts {
    template: String,
    locations: usize,
    edges: usize,
    conditional_locations: usize,
    conditional_edges: usize,
    conditional_conjuncts: usize,
    products: Option<String>,
    locations_of_no_product: Vec<String>,
    edges_of_no_product: Vec<String>,
    faults: Vec<ProjectionFault>,
    #[serde(skip_serializing_if = "Option::is_none")]
    unknown: Option<String>,
}

#[derive(Clone, PartialEq, Eq, Serialize, Debug)]
struct ProjectionFault {
    what: String,
    product: Vec<String>,
}

impl FamilyFacts {
    /// Collects the facts about `family` from its audit.
    pub fn of(family: &FeaturedAutomaton, audit: &Audit, count: &Result<BigUint, StopReason>) -> Self {
        let (automaton, conditions) = (family.automaton(), family.conditions());
        let is_conditional = |when: &&FeatureExpr| **when != FeatureExpr::True;
        let conjuncts = conditions
            .invariants
            .iter()
            .flat_map(|of| of.clocks.iter().chain(&of.data));
        let fault = |(error, product): &(tamper_timed::featured::ProjectionError, Product)| ProjectionFault {
            what: error.to_string(),
            product: product_names(family.model(), product),
        };
        let location = |id: &tamper_timed::model::LocId| automaton.locations()[*id].name.to_string();
        Self {
            template: automaton.name().to_owned(),
            locations: automaton.locations().len(),
            edges: automaton.edges().len(),
            conditional_locations: conditions.locations.iter().filter(is_conditional).count(),
            conditional_edges: conditions.edges.iter().filter(is_conditional).count(),
            conditional_conjuncts: conjuncts.filter(is_conditional).count(),
            products: count.as_ref().ok().map(ToString::to_string),
            locations_of_no_product: audit.dead_locations.iter().map(location).collect(),
            edges_of_no_product: audit.dead_edges.iter().map(|id| edge_name(automaton, *id)).collect(),
            faults: audit.faults.iter().map(fault).collect(),
            unknown: count.as_ref().err().map(ToString::to_string),
        }
    }
    /// Whether every product is a game.
    pub fn is_sound(&self) -> bool {
        self.faults.is_empty()
    }
    /// Whether all products were counted.
    pub fn is_complete(&self) -> bool {
        self.unknown.is_none()
    }
}

/// The facts about a family.
pub fn family_text(facts: &FamilyFacts) -> String {
    let mut text = format!("{}: a family of games\n", facts.template);
    let mut line = |name: &str, value: &str| {
        let _ = writeln!(text, "  {name:<24}{value}");
    };
    let part = |all: usize, some: usize| format!("{all} ({some} with a feature expression)");
    line("locations", &part(facts.locations, facts.conditional_locations));
    line("edges", &part(facts.edges, facts.conditional_edges));
    line("conditional conjuncts", &facts.conditional_conjuncts.to_string());
    let unknown = || format!("unknown: {}", facts.unknown.as_deref().unwrap_or_default());
    line("products", &facts.products.clone().unwrap_or_else(unknown));
    line("locations of no product", &listed(&facts.locations_of_no_product));
    line("edges of no product", &listed(&facts.edges_of_no_product));
    if facts.is_sound() {
        line("every product is a game", "yes");
    }
    for ProjectionFault { what, product } in &facts.faults {
        line(
            "every product is a game",
            &format!("no: {what} (product: {})", product.join(", ")),
        );
    }
    text
}

//! The products that a suite of timed tests kills, as text and JSON.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use num_bigint::BigUint;
use serde::Serialize;
use serde_json::Value;

use super::coverage::percent;
use tamper_features::{Batsat, Explainer, FeatureId, Product, SolverFailure};
use tamper_runs::{Means, ProductCounts, ProductRun};
use tamper_suite::{Act, DomainAnswer, Kill, Next, Style, TestCase};
use tamper_timed::featured::FeaturedAutomaton;
use tamper_timed::mutation::FeaturedMutants;

/// The names that tell products apart.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ProductNames {
    /// The ids of a product's mutations.
    Mutations(BTreeMap<FeatureId, String>),
    /// The features that some products lack.
    Features(BTreeMap<FeatureId, String>),
}

impl ProductNames {
    /// The names of the mutants of one game.
    pub fn of_mutants(mutants: &FeaturedMutants) -> Self {
        let all = mutants.mutations().iter();
        Self::Mutations(all.map(|(feature, mutation)| (*feature, mutation.id.clone())).collect())
    }
    /// The names of the members of a family.
    ///
    /// # Errors
    /// If the solver does not answer.
    pub fn of_family(family: &FeaturedAutomaton) -> Result<Self, SolverFailure> {
        let model = family.model();
        let core = Explainer::new(model, Batsat::default())
            .fixed()?
            .unwrap_or_default()
            .core;
        let features = model.features().iter_enumerated();
        let features = features.filter(|(id, _)| !core.contains(id));
        Ok(Self::Features(
            features.map(|(id, feature)| (id, feature.name().to_owned())).collect(),
        ))
    }

    fn of(&self, product: &Product) -> Vec<String> {
        let (Self::Mutations(names) | Self::Features(names)) = self;
        let selected = names.iter().filter(|(feature, _)| product.contains(**feature));
        selected.map(|(_, name)| name.clone()).collect()
    }
    fn spell(&self, names: &[String]) -> String {
        match (self, names) {
            (Self::Mutations(_), []) => "the original".to_owned(),
            (Self::Features(_), []) => "the product without optional features".to_owned(),
            _ => names.join(" and "),
        }
    }
}

/// The answer about a suite for all products.
#[derive(Clone, Debug)]
pub struct DomainReport<'n> {
    names: &'n ProductNames,
    kill: Kill,
    verdict: &'static str,
    because: Option<String>,
    /// The features or mutations of a product that escapes, and the test that kills it, in words.
    escape: Option<(Vec<String>, String)>,
    /// The test that kills it, as JSON.
    pub killed_by: Option<Value>,
    n_given: usize,
    n_added: usize,
    means: Means,
    counts: Option<ProductCounts>,
    no_counts: Option<String>,
}

impl<'n> DomainReport<'n> {
    /// The report on a suite for all products.
    pub fn new(kill: Kill, run: &ProductRun, names: &'n ProductNames) -> Self {
        let (verdict, because, escape) = match &run.answer {
            DomainAnswer::Complete => ("complete", None, None),
            DomainAnswer::Escape(product, test) => ("incomplete", None, Some((names.of(product), path(test)))),
            DomainAnswer::Unknown(reason) => ("unknown", Some(reason.to_string()), None),
            DomainAnswer::Undecided(product) => {
                let which = names.spell(&names.of(product));
                let because =
                    format!("it is not known whether a test kills {which} definitely: some of its edges overlap");
                ("unknown", Some(because), None)
            }
        };
        let (counts, no_counts) = match &run.counts {
            None => (None, None),
            Some(Ok(counts)) => (Some(counts.clone()), None),
            Some(Err(reason)) => (None, Some(reason.to_string())),
        };
        Self {
            names,
            kill,
            verdict,
            because,
            escape,
            killed_by: None,
            n_given: run.n_given,
            n_added: run.tests.len() - run.n_given,
            means: run.means.clone(),
            counts,
            no_counts,
        }
    }
}

/// The inputs that the test gives, and the outputs that it waits for, in order.
fn path(test: &TestCase) -> String {
    if test.style == Style::Strategy {
        return format!("a strategy of {} nodes", test.nodes.len());
    }
    let mut labels = Vec::new();
    for (at, node) in test.nodes.iter().enumerate() {
        let leads_on = |next: &Next| *next == Next::Node(at + 1);
        let given = node.rules.iter().find_map(|rule| match &rule.act {
            Act::Input { action, .. } => Some(action.clone()),
            Act::Stop(_) => None,
        });
        let awaited = node.outputs.iter().find(|expected| leads_on(&expected.jump.next));
        labels.extend(given.or(awaited.map(|expected| expected.action.clone())));
    }
    labels.join(" ")
}

/// The report as the command shows it.
pub fn domain_text(report: &DomainReport<'_>) -> String {
    let mut text = format!("{}\n", report.verdict);
    let mut line = |name: &str, value: &str| {
        let _ = writeln!(text, "{name:12}{value}");
    };
    if let Some(because) = &report.because {
        line("because", because);
    }
    if let Some((names, path)) = &report.escape {
        line("escapes", &report.names.spell(names));
        line("killed by", path);
    }
    line(
        "tests",
        &format!("{}, {} added", report.n_given + report.n_added, report.n_added),
    );
    let others_are = match report.kill {
        Kill::Potential => "conforming ones",
        Kill::Definite => "those that no test kills definitely",
    };
    line(
        "products",
        &match report.means {
            Means::Diagrams {
                killed_nodes,
                n_classes,
            } => format!("killed ones in a diagram of {killed_nodes} nodes, {others_are} in {n_classes} classes"),
            Means::Clauses {
                n_clauses,
                n_states,
                n_excluded,
            } => format!(
                "by {n_clauses} clauses about their runs, which pass {n_states} states; {others_are} excluded {n_excluded} times"
            ),
        },
    );
    if let Some(counts) = &report.counts {
        text.push_str(&counts_text(counts));
    }
    if let Some(reason) = &report.no_counts {
        let _ = writeln!(text, "not counted, because of the {reason}");
    }
    text
}

fn counts_text(counts: &ProductCounts) -> String {
    let mut text = String::from("\nof the suite as it was given\n");
    let killable = counts.killable();
    let score = match killable == BigUint::ZERO {
        true => "unknown".to_owned(),
        false => percent(counts.killed_as_asked(), &killable),
    };
    let mut lines = vec![
        ("products", counts.products.to_string()),
        ("stateless", counts.stateless.to_string()),
        ("killed", counts.killed.to_string()),
        ("definitely", counts.killed_definitely.to_string()),
        ("conforming", counts.conforming.to_string()),
    ];
    if let Some(definite) = &counts.definite {
        lines.push(("avoidable", definite.avoidable.to_string()));
        if definite.undecided > BigUint::ZERO {
            lines.push(("undecided", definite.undecided.to_string()));
        }
    }
    lines.push(("undetected", counts.undetected().to_string()));
    lines.push(("score", score));
    for (name, value) in lines {
        let _ = writeln!(text, "{name:12}{value}");
    }
    text
}

#[derive(Serialize)]
struct ReportJson<'a> {
    verdict: &'static str,
    kill: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    because: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    escape: Option<DomainEscapeJson<'a>>,
    given_tests: usize,
    added_tests: usize,
    /// The size of the decision diagram of the killed products.
    #[serde(skip_serializing_if = "Option::is_none")]
    killed_nodes: Option<usize>,
    /// The number of classes of conforming products; with definite kills, of all products that no test kills definitely.
    conforming_classes: usize,
    /// The number of clauses about runs of products, if diagrams are too large.
    #[serde(skip_serializing_if = "Option::is_none")]
    clauses: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    counts: Option<DomainCountsJson>,
    #[serde(skip_serializing_if = "Option::is_none")]
    not_counted_because: Option<&'a str>,
}

#[derive(Serialize)]
struct DomainEscapeJson<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    mutations: Option<&'a [String]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    features: Option<&'a [String]>,
    killed_by: Option<&'a Value>,
}

/// Counts for the suite as it was given. Numbers are texts, as they can be larger than JSON readers take.
#[derive(Serialize)]
struct DomainCountsJson {
    products: String,
    stateless: String,
    killed: String,
    killed_definitely: String,
    conforming: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    avoidable: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    undecided: Option<String>,
    undetected: String,
}

/// The report as JSON.
pub fn domain_json(report: &DomainReport<'_>) -> impl Serialize {
    let (killed_nodes, conforming_classes, clauses) = match report.means {
        Means::Diagrams {
            killed_nodes,
            n_classes,
        } => (Some(killed_nodes), n_classes, None),
        Means::Clauses {
            n_clauses, n_excluded, ..
        } => (None, n_excluded, Some(n_clauses)),
    };
    ReportJson {
        verdict: report.verdict,
        kill: report.kill.name(),
        because: report.because.as_deref(),
        escape: report.escape.as_ref().map(|(names, _)| DomainEscapeJson {
            mutations: matches!(report.names, ProductNames::Mutations(_)).then_some(names),
            features: matches!(report.names, ProductNames::Features(_)).then_some(names),
            killed_by: report.killed_by.as_ref(),
        }),
        given_tests: report.n_given,
        added_tests: report.n_added,
        killed_nodes,
        conforming_classes,
        clauses,
        counts: report.counts.as_ref().map(|counts| DomainCountsJson {
            products: counts.products.to_string(),
            stateless: counts.stateless.to_string(),
            killed: counts.killed.to_string(),
            killed_definitely: counts.killed_definitely.to_string(),
            conforming: counts.conforming.to_string(),
            avoidable: counts.definite.as_ref().map(|definite| definite.avoidable.to_string()),
            undecided: counts.definite.as_ref().map(|definite| definite.undecided.to_string()),
            undetected: counts.undetected().to_string(),
        }),
        not_counted_because: report.no_counts.as_deref(),
    }
}

//! What was found about all products of a featured mutant model, on disk: a line for each step.
//!
//! Conditions are kept as they were found: making them is most of the work. So that no line is taken for another one, each
//! ends in the hash of itself and all lines before it.

use std::path::Path;

use anyhow::{Context as _, Result, bail};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Journal, JournalKey};
use crate::base::Id as _;
use crate::features::{FeatureExpr, FeatureId, FeatureModel, Product, parse_expr};
use crate::formats::suite_json::{Suite, SuiteSpecification, read_suite, write_suite};
use crate::suite::{DomainStep, TestCase};

/// A step as it is written: products by the numbers of their features, conditions as text.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Written {
    Executed {
        killed: Vec<String>,
    },
    Added {
        test: Value,
        product: Vec<usize>,
        killed: Vec<String>,
    },
    Immune {
        product: Vec<usize>,
        condition: String,
    },
    Undecided {
        product: Vec<usize>,
        condition: String,
    },
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    step: Written,
    /// Questions to the solver since the line before.
    questions: u64,
    sum: String,
}

/// Steps on disk: those of an interrupted run, and where the next ones go.
#[derive(Debug, Default)]
pub struct ProductSteps {
    journal: Option<Journal>,
    kept: std::collections::VecDeque<(DomainStep, u64)>,
    sum: String,
    specification: Option<SuiteSpecification>,
}

impl ProductSteps {
    /// Steps in a new journal at `path`.
    ///
    /// # Errors
    /// When the file is no journal, is in use, or cannot be written.
    pub fn create(path: &Path, key: &JournalKey, specification: &SuiteSpecification) -> Result<Self> {
        Ok(Self {
            journal: Some(Journal::create(path, key)?),
            specification: Some(specification.clone()),
            ..Self::default()
        })
    }

    /// The steps of an interrupted run about the products of `model`, and where the next ones go.
    ///
    /// # Errors
    /// When there is no journal, it is in use, belongs to another run, or was changed.
    pub fn resume(
        path: &Path,
        key: &JournalKey,
        specification: &SuiteSpecification,
        model: &FeatureModel,
    ) -> Result<Self> {
        let (journal, lines) = Journal::resume::<Line>(path, key)?;
        let mut steps = Self {
            journal: Some(journal),
            specification: Some(specification.clone()),
            ..Self::default()
        };
        for (number, line) in (2..).zip(lines) {
            let changed = || {
                format!(
                    "line {number} of {} is not as it was written: start anew without --resume",
                    path.display()
                )
            };
            let sum = steps.sum_with(&line.step, line.questions)?;
            if sum != line.sum {
                bail!(changed());
            }
            steps.sum = sum;
            let step = steps.read(&line.step, model).with_context(changed)?;
            steps.kept.push_back((step, line.questions));
        }
        Ok(steps)
    }

    /// The next step of the interrupted run, and how many questions to the solver it took.
    pub fn next_kept(&mut self) -> Option<(DomainStep, u64)> {
        self.kept.pop_front()
    }

    /// One more step.
    ///
    /// # Errors
    /// When the file system refuses.
    pub fn append(&mut self, step: &DomainStep, questions: u64, model: &FeatureModel) -> Result<()> {
        if self.journal.is_none() {
            return Ok(());
        }
        let step = self.written(step, model)?;
        self.sum = self.sum_with(&step, questions)?;
        let line = Line {
            step,
            questions,
            sum: self.sum.clone(),
        };
        match &mut self.journal {
            Some(journal) => journal.append(&line),
            None => Ok(()),
        }
    }

    fn sum_with(&self, step: &Written, questions: u64) -> Result<String> {
        let text = serde_json::to_string(&(&self.sum, step, questions))?;
        Ok(blake3::hash(text.as_bytes()).to_hex()[..16].to_owned())
    }

    fn written(&self, step: &DomainStep, model: &FeatureModel) -> Result<Written> {
        let text = |condition: &FeatureExpr| condition.show(|feature| model.features()[feature].name()).to_string();
        let texts = |conditions: &[FeatureExpr]| conditions.iter().map(text).collect();
        let product = |product: &Product| {
            let features = model.features().ids().filter(|feature| product.contains(*feature));
            features.map(FeatureId::index).collect::<Vec<usize>>()
        };
        Ok(match step {
            DomainStep::Executed(killed) => Written::Executed { killed: texts(killed) },
            DomainStep::Added(test, of, killed) => Written::Added {
                test: serde_json::from_str(&write_suite(&self.suite((**test).clone())))?,
                product: product(of),
                killed: texts(killed),
            },
            DomainStep::Immune(of, condition) => Written::Immune {
                product: product(of),
                condition: text(condition),
            },
            DomainStep::Undecided(of, condition) => Written::Undecided {
                product: product(of),
                condition: text(condition),
            },
        })
    }
    fn suite(&self, test: TestCase) -> Suite {
        let nothing = SuiteSpecification {
            file: String::new(),
            template: String::new(),
            hash: String::new(),
        };
        Suite {
            specification: self.specification.clone().unwrap_or(nothing),
            tests: vec![test],
            mutants: Vec::new(),
        }
    }

    fn read(&self, step: &Written, model: &FeatureModel) -> Result<DomainStep> {
        let condition = |text: &String| {
            let feature = |name: &str| model.find(name);
            parse_expr(text, feature).map_err(|error| anyhow::anyhow!("{error:?}"))
        };
        let conditions = |texts: &[String]| texts.iter().map(condition).collect::<Result<Vec<_>>>();
        let product = |features: &[usize]| features.iter().copied().map(FeatureId::from_index).collect::<Product>();
        Ok(match step {
            Written::Executed { killed } => DomainStep::Executed(conditions(killed)?),
            Written::Added {
                test,
                product: of,
                killed,
            } => {
                let mut tests = read_suite(&test.to_string())?.tests;
                let test = tests.pop().context("no test")?;
                DomainStep::Added(Box::new(test), product(of), conditions(killed)?)
            }
            Written::Immune {
                product: of,
                condition: text,
            } => DomainStep::Immune(product(of), condition(text)?),
            Written::Undecided {
                product: of,
                condition: text,
            } => DomainStep::Undecided(product(of), condition(text)?),
        })
    }
}

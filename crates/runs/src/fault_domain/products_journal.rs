//! The findings about all products of a featured mutant model, on disk: one line per step.
//!
//! Sets of products are stored as they were found, since finding them is most of the work. Each line ends in the hash
//! of itself and all lines before it, so that no line can be taken for another.

use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::error::{ExperimentError, OrMalformed as _, Result};
use crate::suite_json::{Pruning, Suite, SuiteSpecification, read_suite, write_suite};
use crate::{Journal, JournalFile, JournalKey};
use tamper_features::{Diagram, FeatureId, FeatureModel, Product};
use tamper_suite::{DomainStep, Refusals, TestCase};
use tamper_text::Id as _;

/// The nodes of a decision diagram ([`Diagram::numbers`]).
type WrittenSet = (Vec<[u32; 3]>, bool);

/// A step as it is written, with products as the numbers of their features.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Written {
    Executed {
        killed: WrittenSet,
    },
    Added {
        test: Value,
        product: Vec<usize>,
        killed: WrittenSet,
    },
    Immune {
        product: Vec<usize>,
        products: WrittenSet,
    },
    Undecided {
        product: Vec<usize>,
        products: WrittenSet,
    },
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    step: Written,
    sum: String,
}

/// Steps of the analysis on disk: the recorded ones of an interrupted run, and the journal for the next ones.
#[derive(Debug, Default)]
pub struct ProductSteps {
    journal: Option<Journal>,
    kept: std::collections::VecDeque<DomainStep>,
    sum: String,
    specification: Option<SuiteSpecification>,
}

impl ProductSteps {
    /// Creates a journal at `path` for the steps.
    ///
    /// # Errors
    /// If the file is no journal, is in use, or cannot be written.
    pub fn create(path: &Path, key: &JournalKey, specification: &SuiteSpecification) -> Result<Self> {
        Ok(Self {
            journal: Some(Journal::create(JournalFile::new(path), key)?),
            specification: Some(specification.clone()),
            ..Self::default()
        })
    }

    /// Opens the journal of an interrupted run about the products of `model`.
    ///
    /// # Errors
    /// If there is no journal, it is in use, belongs to another run, or was changed.
    pub fn resume(
        path: &Path,
        key: &JournalKey,
        specification: &SuiteSpecification,
        model: &FeatureModel,
    ) -> Result<Self> {
        let (journal, lines) = Journal::resume::<Line>(JournalFile::new(path), key)?;
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
            let sum = steps.sum_with(&line.step)?;
            if sum != line.sum {
                return Err(ExperimentError::malformed(changed()));
            }
            steps.sum = sum;
            let step = steps.read(&line.step, model).or_malformed(changed)?;
            steps.kept.push_back(step);
        }
        Ok(steps)
    }

    /// The next recorded step of the interrupted run.
    pub fn next_kept(&mut self) -> Option<DomainStep> {
        self.kept.pop_front()
    }

    /// Appends a step.
    ///
    /// # Errors
    /// If the file system refuses.
    pub fn append(&mut self, step: &DomainStep) -> Result<()> {
        if self.journal.is_none() {
            return Ok(());
        }
        let step = self.written(step)?;
        self.sum = self.sum_with(&step)?;
        let line = Line {
            step,
            sum: self.sum.clone(),
        };
        match &mut self.journal {
            Some(journal) => journal.append(&line),
            None => Ok(()),
        }
    }

    fn sum_with(&self, step: &Written) -> Result<String> {
        let text = serde_json::to_string(&(&self.sum, step))?;
        Ok(blake3::hash(text.as_bytes()).to_hex()[..16].to_owned())
    }

    fn written(&self, step: &DomainStep) -> Result<Written> {
        let product = |product: &Product| product.iter().map(FeatureId::index).collect();
        Ok(match step {
            DomainStep::Executed(killed) => Written::Executed {
                killed: killed.numbers(),
            },
            DomainStep::Added(test, of, killed) => Written::Added {
                test: serde_json::from_str(&write_suite(&self.suite((**test).clone())))?,
                product: product(of),
                killed: killed.numbers(),
            },
            DomainStep::Immune(of, products) => Written::Immune {
                product: product(of),
                products: products.numbers(),
            },
            DomainStep::Undecided(of, products) => Written::Undecided {
                product: product(of),
                products: products.numbers(),
            },
        })
    }
    fn suite(&self, test: TestCase) -> Suite {
        let nothing = SuiteSpecification {
            file: String::new(),
            template: String::new(),
            hash: String::new(),
            network: None,
            unit: None,
        };
        Suite {
            specification: self.specification.clone().unwrap_or(nothing),
            refusals: Refusals::default(),
            pruning: Pruning::default(),
            tests: vec![test],
            mutants: Vec::new(),
        }
    }

    fn read(&self, step: &Written, model: &FeatureModel) -> Result<DomainStep> {
        let set = |(numbers, is_all): &WrittenSet| {
            let diagram = Diagram::from_numbers(model.features().len(), numbers, *is_all);
            diagram.ok_or_else(|| ExperimentError::malformed("no diagram".to_owned()))
        };
        let product = |features: &[usize]| features.iter().copied().map(FeatureId::from_index).collect::<Product>();
        Ok(match step {
            Written::Executed { killed } => DomainStep::Executed(set(killed)?),
            Written::Added {
                test,
                product: of,
                killed,
            } => {
                let mut tests = read_suite(&test.to_string())?.tests;
                let test = tests.pop();
                let test = test.ok_or_else(|| ExperimentError::malformed("no test".to_owned()))?;
                DomainStep::Added(Box::new(test), product(of), set(killed)?)
            }
            Written::Immune { product: of, products } => DomainStep::Immune(product(of), set(products)?),
            Written::Undecided { product: of, products } => DomainStep::Undecided(product(of), set(products)?),
        })
    }
}

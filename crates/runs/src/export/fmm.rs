//! Exported mutants as one featured mutant model.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use rayon::prelude::*;

use super::super::Selection;
use super::restrict::{FeatureSets, Restriction};
use super::{Exported, Kept, Sink};
use crate::error::{ExperimentError, Result};
use crate::files::Draft;
use crate::write_file;
use tamper_features::FeatureId;
use tamper_features::formats::{FeatureModelFormat, write_feature_model};
use tamper_timed::mutation::{FeaturedMutants, MutantSpace, Mutation, Order, ProductBound};
use tamper_uppaal::{Drawing, write_featured};

/// A sink that writes `fmm.xml`, the feature model in each format, and `index.jsonl`, which names the features of each
/// mutant.
#[derive(Debug)]
pub struct FmmSink {
    folder: PathBuf,
    drawing: Drawing,
    mutants: FeaturedMutants,
    order: u8,
    index: Draft,
    kept: FeatureSets,
    /// Mutants that are not kept; `None` unless the run decided all mutants.
    dropped: Option<FeatureSets>,
}

impl FmmSink {
    /// Creates the sink for the folder `folder`. The run decided the mutants `selection` of `space`.
    ///
    /// # Errors
    /// If the order is above 2, or the index cannot be created.
    pub fn create(folder: &Path, space: &MutantSpace, selection: &Selection, drawing: Drawing) -> Result<Self> {
        let order = space.order().number();
        if space.order() > Order::SECOND {
            let why = "one featured mutant model of chosen mutants is made at orders 1 and 2: its constraints are about \
                       pairs; `tamper fmm --order 3` writes all mutants as one, and --as uppaal the chosen ones as files";
            return Err(ExperimentError::Refused(why.to_owned()));
        }
        let base = space.base().renamed(identifier(space.base().name()));
        let mutants = FeaturedMutants::of(&base, space.options(), ProductBound::Sequences(order))?;
        let n_features = mutants.model().features().len();
        Ok(Self {
            folder: folder.to_owned(),
            drawing,
            order,
            index: Draft::create(&folder.join("index.jsonl"))?,
            kept: FeatureSets::new(n_features),
            dropped: (selection.len() == space.len()).then(|| FeatureSets::new(n_features)),
            mutants,
        })
    }

    fn features(&self, mutations: &[Mutation]) -> Result<Vec<FeatureId>> {
        let features = self.mutants.features_of(mutations);
        features.ok_or_else(|| ExperimentError::fault("a mutant has no product in the featured mutant model"))
    }
}

/// Turns `name` into an identifier that UPPAAL accepts for a template.
fn identifier(name: &str) -> String {
    let letter = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
    name.chars().map(letter).collect()
}

impl Sink for FmmSink {
    fn take(&mut self, kept: Vec<Kept>) -> Result<()> {
        let this = &*self;
        let features: Vec<Vec<FeatureId>> = kept
            .par_iter()
            .map(|kept| this.features(&kept.mutant.mutations))
            .collect::<Result<_>>()?;
        for (kept, features) in kept.iter().zip(features) {
            if !self.kept.insert(&features) {
                let (id, n_features) = (&kept.record.id, features.len());
                return Err(ExperimentError::fault(format!(
                    "the mutant {id} has {n_features} features"
                )));
            }
            let names = features
                .iter()
                .map(|id| self.mutants.model().features()[*id].name().to_owned());
            let line = Exported {
                features: names.collect(),
                ..Exported::of(kept, None)
            };
            serde_json::to_writer(&mut self.index, &line)?;
            self.index.write_all(b"\n")?;
        }
        Ok(())
    }

    fn asks_for_dropped(&self) -> bool {
        self.dropped.is_some()
    }

    fn dropped(&mut self, mutations: Vec<Vec<Mutation>>) -> Result<()> {
        let this = &*self;
        let features: Vec<Vec<FeatureId>> = mutations
            .par_iter()
            .map(|mutations| this.features(mutations))
            .collect::<Result<_>>()?;
        if let Some(dropped) = &mut self.dropped {
            for features in &features {
                dropped.insert(features);
            }
        }
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<()> {
        let mutations: Vec<FeatureId> = self.mutants.mutations().keys().copied().collect();
        let restriction = Restriction {
            kept: &self.kept,
            dropped: self.dropped.as_ref(),
            mutations: &mutations,
            order: u32::from(self.order),
        };
        let mut model = self.mutants.model().clone();
        restriction.apply(&mut model);
        let restricted = self.mutants.with_model(model)?;
        write_file(
            &self.folder.join("fmm.xml"),
            write_featured(restricted.automaton(), &self.drawing),
        )?;
        for format in FeatureModelFormat::ALL {
            let name = format!("features.{}", format.extension());
            write_file(
                &self.folder.join(name),
                &write_feature_model(restricted.model(), format)?,
            )?;
        }
        self.index.finish()
    }
}

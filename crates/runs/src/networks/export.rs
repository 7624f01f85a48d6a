//! Exported mutants of a network in files.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use super::Component;
use crate::error::{ErrorContext as _, ExperimentError, Result};
use crate::files::Draft;
use crate::{Exported, Kept, MutantFiles, Sink, write_file};
use tamper_features::formats::{FeatureModelFormat, write_feature_model};
use tamper_features::{FeatureModel, GroupId, GroupKind};
use tamper_timed::mutation::{Mutation, Names, Order};
use tamper_uppaal::{NetworkFile, read_network, write_featured_network};

/// Files for UPPAAL: the whole network with the mutations written into it.
#[derive(Debug)]
pub struct NetworkFiles<'n> {
    file: &'n NetworkFile,
    components: &'n [Component],
}

impl<'n> NetworkFiles<'n> {
    /// The format for mutants of `components` of the network of `file`.
    pub fn new(file: &'n NetworkFile, components: &'n [Component]) -> Self {
        Self { file, components }
    }

    /// The file after these mutations, each with the position of its component.
    ///
    /// # Errors
    /// If a part of the file cannot be patched.
    pub fn written(&self, steps: &[(usize, Mutation)]) -> Result<String> {
        let Some(((component, first), later)) = steps.split_first() else {
            return Err(ExperimentError::fault("a mutant has a mutation"));
        };
        let mut text = self.components[*component].text(self.file, first)?;
        let mut components = self.components.to_vec();
        let mut done = (*component, first);
        for (component, mutation) in later {
            let (file, _) = read_network(self.file.source.name(), text.as_bytes())?;
            let (before, last) = done;
            components[before] = components[before].after(last);
            text = components[*component].text(&file, mutation)?;
            done = (*component, mutation);
        }
        Ok(text)
    }
}

impl MutantFiles for NetworkFiles<'_> {
    fn name(&self, kept: &Kept) -> PathBuf {
        format!("{}.xml", kept.stem()).into()
    }

    fn text(&self, kept: &Kept) -> Result<String> {
        let id = &kept.record.id;
        let doing = || format!("{id} cannot be written into {}", self.file.source.name());
        let steps = kept.mutant.mutations.iter().zip(&kept.mutant.components);
        let steps: Vec<(usize, Mutation)> = steps.map(|(mutation, at)| (*at, *mutation)).collect();
        self.written(&steps).doing(doing)
    }
}

/// One file `fmm.xml` of the network with all kept mutants, the feature model in each format, and `index.jsonl`. A
/// mutant is selected by its number.
#[derive(Debug)]
pub struct FeaturedNetwork<'n> {
    file: &'n NetworkFile,
    components: &'n [Component],
    folder: PathBuf,
    index: Draft,
    names: Names,
    model: FeatureModel,
    group: GroupId,
    /// For each component, the kept mutations with their numbers.
    kept: Vec<Vec<(u64, Mutation)>>,
}

impl<'n> FeaturedNetwork<'n> {
    /// Checks that mutants of this order can be products of one model.
    ///
    /// # Errors
    /// If the order is above 1, or single instances are mutated.
    pub fn check(components: &[Component], order: Order) -> Result<()> {
        let refused = |why: &str| Err(ExperimentError::Refused(why.to_owned()));
        if order > Order::FIRST {
            return refused("one featured mutant model of a network is made at order 1; write --as uppaal");
        }
        match components.iter().all(Component::is_template) {
            true => Ok(()),
            false => refused(
                "a featured mutant model of a network is of templates: leave --scope instance out, or write --as uppaal",
            ),
        }
    }

    /// Creates the model in the folder `folder`, for mutants of `components` of the network of `file`, which have
    /// passed [`Self::check`].
    ///
    /// # Errors
    /// If the index cannot be created.
    pub fn create(folder: &Path, file: &'n NetworkFile, components: &'n [Component]) -> Result<Self> {
        let mut model = FeatureModel::new("System").map_err(ExperimentError::fault)?;
        let group = model.add_group(model.root(), GroupKind::Alternative);
        Ok(Self {
            file,
            components,
            folder: folder.to_owned(),
            index: Draft::create(&folder.join("index.jsonl"))?,
            names: Names::avoiding(["System"]),
            model,
            group,
            kept: vec![Vec::new(); components.len()],
        })
    }
}

impl Sink for FeaturedNetwork<'_> {
    fn take(&mut self, kept: Vec<Kept>) -> Result<()> {
        for kept in &kept {
            let ([mutation], [component]) = (&*kept.mutant.mutations, &*kept.mutant.components) else {
                return Err(ExperimentError::fault("a mutant of order 1 has one mutation"));
            };
            let (number, id) = (kept.mutant.number, &kept.record.id);
            self.kept[*component].push((number, *mutation));
            let name = self.names.name(id);
            let feature = self
                .model
                .add_feature(self.group, &name)
                .map_err(ExperimentError::fault)?;
            let quoted = |text: &str| format!("'{}'", text.replace('\'', "_"));
            self.model.feature_mut(feature).attributes = vec![
                ("id".to_owned(), quoted(id)),
                ("operator".to_owned(), quoted(&kept.record.operators.join("-"))),
                ("number".to_owned(), number.to_string()),
            ];
            let line = Exported {
                features: vec![name],
                ..Exported::of(kept, None)
            };
            serde_json::to_writer(&mut self.index, &line)?;
            self.index.write_all(b"\n")?;
        }
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<()> {
        let parts = self.components.iter().zip(&self.kept);
        let templates: Vec<_> = parts
            .filter(|(_, kept)| !kept.is_empty())
            .map(|(component, kept)| component.featured(self.file, kept))
            .collect();
        let name = self.file.source.name();
        let text = write_featured_network(self.file, &templates).doing(|| format!("mutants of {name}"))?;
        write_file(&self.folder.join("fmm.xml"), &text)?;
        for format in FeatureModelFormat::ALL {
            let name = format!("features.{}", format.extension());
            write_file(&self.folder.join(name), &write_feature_model(&self.model, format)?)?;
        }
        self.index.finish()
    }
}

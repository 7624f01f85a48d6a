//! The models that `tamper run --against` names.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};
use rayon::prelude::*;

use crate::cli::arguments::args::{GlobalArgs, LimitArgs};
use crate::cli::arguments::network_args::{Composition, NetworkArgs, may_be_network};
use crate::cli::door::open_features;
use crate::cli::models::families::{family, find_features, product, read_model};
use crate::cli::models::load::Loaded;
use crate::cli::terminal::Terminal;
use tamper::experiment::{Exported, Implementation, Manifest, Timer};
use tamper::featured::FeaturedAutomaton;
use tamper::features::FeatureModel;
use tamper::formats::suite_json::SuiteSpecification;
use tamper::formats::{choose_mutant, read_network, read_network_file};
use tamper::model::Automaton;
use tamper::network::Network;

/// The list of files that an export wrote.
const INDEX: &str = "index.jsonl";

/// A featured mutant model.
const FEATURED: &str = "fmm.xml";

/// The largest number of models that are held at once.
const CHUNK: usize = 256;

/// The options for reading the models.
#[derive(Clone, Copy)]
pub struct ReadingOptions<'a> {
    /// The name of the game, for a file that runs several.
    pub template: Option<&'a str>,
    /// The view of a network.
    pub network: &'a NetworkArgs,
    /// The specification of the suite. Its view of a network counts if no view is typed.
    pub suite: &'a SuiteSpecification,
    /// The limits of the network's composition.
    pub limits: &'a LimitArgs,
    /// The options of every command.
    pub global: &'a GlobalArgs,
    /// The terminal that notes go to.
    pub terminal: &'a Terminal,
}

/// The models at one path.
pub struct Models<'a> {
    path: &'a Path,
    kind: ModelSource,
    how: ReadingOptions<'a>,
}

enum ModelSource {
    /// A game of a file.
    Game(Box<Implementation>),
    /// Exported mutants, a file each.
    Files(Vec<Exported>),
    /// Exported mutants of a network, a file each, and the view of the network.
    Networks(Vec<Exported>, NetworkArgs),
    /// An Ecdar project of mutants.
    Components(Vec<Exported>, Box<Loaded>),
    /// A featured mutant model of a network, and the view of the network.
    Featured(Vec<Exported>, NetworkArgs),
    /// A featured mutant model.
    Family(Vec<Exported>, Box<FeatureModel>, Box<FeaturedAutomaton>),
}

impl ReadingOptions<'_> {
    fn read(&self, path: &Path) -> Result<Loaded> {
        Loaded::read(path, &self.global.read_options(), self.terminal)
    }
}

impl<'a> Models<'a> {
    /// The mutants of a folder that `tamper export` wrote, else the game of a model file.
    pub fn at(path: &'a Path, how: ReadingOptions<'a>) -> Result<Self> {
        let kind = match path.join(INDEX).is_file() {
            true if how.template.is_some() => bail!(
                "--template chooses among the games of a file; {} holds mutants",
                path.display()
            ),
            true => exported(path, how)?,
            false => game(path, how)?,
        };
        Ok(Self { path, kind, how })
    }

    /// The number of models.
    pub fn len(&self) -> usize {
        match &self.kind {
            ModelSource::Game(_) => 1,
            ModelSource::Files(index)
            | ModelSource::Networks(index, _)
            | ModelSource::Featured(index, _)
            | ModelSource::Components(index, _)
            | ModelSource::Family(index, ..) => index.len(),
        }
    }

    /// The game that the mutants were made from, and its file, if their files hold it.
    pub fn original(&self) -> Result<Option<(PathBuf, Automaton)>> {
        let ModelSource::Files(index) = &self.kind else {
            return Ok(None);
        };
        let Some(file) = index.first().and_then(|line| line.file.as_ref()) else {
            return Ok(None);
        };
        let path = self.path.join(file);
        // A UPPAAL file contains the original before the mutant; formats with one game per file have a separate file `original`.
        let own = path
            .with_file_name("original")
            .with_extension(path.extension().unwrap_or_default());
        let path = if own.is_file() { own } else { path };
        let loaded = self.how.read(&path)?;
        let original = match loaded.automata() {
            [_] if path.file_stem().is_none_or(|stem| stem != "original") => None,
            games => games.first().cloned(),
        };
        Ok(original.map(|original| (path, original)))
    }

    /// Hands all models to `take`, in chunks.
    pub fn each(&self, mut take: impl FnMut(&[Implementation]) -> Result<()>) -> Result<()> {
        let path = self.path;
        let mut chunks = |index: &[Exported], read: &(dyn Fn(&Exported) -> Result<Implementation> + Sync)| {
            for chunk in index.chunks(CHUNK) {
                let models: Vec<Implementation> = chunk.par_iter().map(read).collect::<Result<_>>()?;
                take(&models)?;
            }
            Ok(())
        };
        match &self.kind {
            ModelSource::Game(game) => take(std::slice::from_ref(game)),
            ModelSource::Files(index) => chunks(index, &|line| self.file(line)),
            ModelSource::Networks(index, network) => chunks(index, &|line| self.network(line, network)),
            ModelSource::Featured(index, network) => {
                let file = path.join(FEATURED);
                let text = fs::read_to_string(&file)?;
                chunks(index, &|line| self.chosen(line, &file, &text, network))
            }
            ModelSource::Components(index, loaded) => chunks(index, &|line| component(path, loaded, line)),
            ModelSource::Family(index, model, family) => chunks(index, &|line| member(path, model, family, line)),
        }
    }

    fn network(&self, line: &Exported, network: &NetworkArgs) -> Result<Implementation> {
        let file = self.path.join(file_of(line, self.path)?);
        let terminal = self.how.terminal.quietly();
        let composition = Composition::read(&file, network, self.how.limits, &terminal)?;
        let comparable = composition.origin().comparable();
        comparable.with_context(|| file.display().to_string())?;
        implementation(line, Some(&composition.composed.automaton))
    }

    /// The mutant of `line`, from the text of a featured mutant model.
    fn chosen(&self, line: &Exported, path: &Path, text: &str, network: &NetworkArgs) -> Result<Implementation> {
        let chosen = choose_mutant(text, line.number);
        let chosen = chosen.with_context(|| format!("{}: no constant chooses the mutant", path.display()))?;
        let (file, _) = read_network(&path.to_string_lossy(), chosen.as_bytes())?;
        let timer = Timer::new(self.how.limits.resolve());
        let composition = Composition::of(&file, chosen.as_bytes(), network, &timer);
        let composition = composition.with_context(|| format!("{}: {}", path.display(), line.record.id))?;
        composition.origin().comparable()?;
        implementation(line, Some(&composition.composed.automaton))
    }

    /// An exported file has the mutants step by step after the original; the last one is the exported mutant.
    fn file(&self, line: &Exported) -> Result<Implementation> {
        let path = self.path;
        let terminal = &self.how.terminal.quietly();
        let how = ReadingOptions { terminal, ..self.how };
        let loaded = how.read(&path.join(file_of(line, path)?))?;
        implementation(line, loaded.automata().last()).with_context(|| path.display().to_string())
    }
}

fn game(path: &Path, how: ReadingOptions<'_>) -> Result<ModelSource> {
    if path.is_dir() && !path.join("Components").is_dir() {
        bail!(
            "{} is neither a folder that `tamper export` wrote (it has no {INDEX}) nor an Ecdar project",
            path.display()
        );
    }
    let names = how.template.as_slice();
    let of_suite = how.network.or_of(how.suite);
    let network = match how.template.is_none() && how.suite.network.is_some() && is_seen_so(path, &of_suite) {
        true => of_suite,
        false => how.network.clone(),
    };
    let loaded = Loaded::read_either(path, names, &network, how.limits, how.global, how.terminal)?;
    loaded.comparable()?;
    Ok(ModelSource::Game(Box::new(Implementation {
        name: loaded.name().to_owned(),
        automaton: loaded.game(how.template)?.clone(),
    })))
}

/// Whether a file runs several processes, or has the parts that `network` observes: a composition that was written as a game has neither.
fn is_seen_so(path: &Path, network: &NetworkArgs) -> bool {
    let read = || read_network_file(path).ok();
    let has = |of: &Network| of.processes.len() > 1 || (network.observe.is_some() && network.view(of).is_ok());
    may_be_network(path) && read().is_some_and(|(file, ..)| has(&file.network))
}

fn exported(path: &Path, how: ReadingOptions<'_>) -> Result<ModelSource> {
    let index = Exported::read_index(path)?;
    if index.is_empty() {
        bail!("{} holds no mutant", path.display());
    }
    let manifest = Manifest::read(path).ok();
    let network = manifest.as_ref().and_then(Manifest::network).map(NetworkArgs::of);
    if path.join(FEATURED).is_file() {
        if let Some(network) = network {
            return Ok(ModelSource::Featured(index, network));
        }
        let loaded = Loaded::read_family(&path.join(FEATURED), &how.global.read_options(), how.terminal)?;
        let model = read_model(&open_features(&path.join("features.uvl"))?, how.terminal)?;
        let (_, family) = family(&loaded, None, &model)?;
        return Ok(ModelSource::Family(index, Box::new(model), Box::new(family)));
    }
    if path.join("Components").is_dir() {
        return Ok(ModelSource::Components(index, Box::new(how.read(path)?)));
    }
    Ok(match network {
        Some(network) => ModelSource::Networks(index, network),
        None => ModelSource::Files(index),
    })
}

fn file_of<'l>(line: &'l Exported, folder: &Path) -> Result<&'l str> {
    let file = line.file.as_deref();
    file.with_context(|| format!("{}: {} has no file", folder.display(), line.record.id))
}

fn implementation(line: &Exported, automaton: Option<&Automaton>) -> Result<Implementation> {
    let automaton = automaton.with_context(|| format!("{INDEX} names {}, which is not there", line.record.id))?;
    Ok(Implementation {
        name: line.record.id.clone(),
        automaton: automaton.clone(),
    })
}

fn component(path: &Path, loaded: &Loaded, line: &Exported) -> Result<Implementation> {
    let file = line.file.as_deref().map(Path::new);
    let stem = file.and_then(Path::file_stem).and_then(|stem| stem.to_str());
    let automaton = stem.and_then(|name| loaded.game(Some(name)).ok());
    implementation(line, automaton).with_context(|| path.display().to_string())
}

/// A mutant by its features.
fn member(path: &Path, model: &FeatureModel, family: &FeaturedAutomaton, line: &Exported) -> Result<Implementation> {
    let features = find_features(model, &line.features).with_context(|| path.display().to_string())?;
    let Ok(product) = product(model, &features)? else {
        bail!("{}: the features of {} are no product", path.display(), line.record.id);
    };
    implementation(line, Some(&family.project(&product)?))
}

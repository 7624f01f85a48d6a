//! The models that `tamper run --against` names.

use std::path::Path;

use anyhow::{Context as _, Result, bail};

use super::args::GlobalArgs;
use super::families::{family, find_features, product, read_model};
use super::load::Loaded;
use super::terminal::Terminal;
use crate::experiment::{Exported, Implementation};
use crate::formats::Document;
use crate::model::Automaton;

/// The list of what an export wrote.
const INDEX: &str = "index.jsonl";

/// The models at `path`: the mutants of a folder that `tamper export` wrote, else the game of a model file.
pub fn implementations(
    path: &Path,
    template: Option<&str>,
    global: &GlobalArgs,
    terminal: &Terminal,
) -> Result<Vec<Implementation>> {
    if !path.join(INDEX).is_file() {
        if path.is_dir() && !path.join("Components").is_dir() {
            bail!(
                "{} is neither a folder that `tamper export` wrote (it has no {INDEX}) nor an Ecdar project",
                path.display()
            );
        }
        let loaded = Loaded::read(path, &global.read_options(), terminal)?;
        let automaton = loaded.game(template)?.clone();
        return Ok(vec![Implementation {
            name: loaded.name().to_owned(),
            automaton,
        }]);
    }
    if let Some(template) = template {
        bail!(
            "--template {template} chooses among the games of a file; {} holds mutants",
            path.display()
        );
    }
    let index = Exported::read_index(path)?;
    if index.is_empty() {
        bail!("{} holds no mutant", path.display());
    }
    if path.join("fmm.xml").is_file() {
        return members(path, &index, global, terminal);
    }
    if path.join("Components").is_dir() {
        let loaded = Loaded::read(path, &global.read_options(), terminal)?;
        return index.iter().map(|line| component(path, &loaded, line)).collect();
    }
    let mutant = |line: &Exported| {
        let file = line
            .file
            .as_ref()
            .with_context(|| format!("{}: {} has no file", path.display(), line.id))?;
        let loaded = Loaded::read(&path.join(file), &global.read_options(), terminal)?;
        implementation(line, last(&loaded.document))
    };
    index.iter().map(mutant).collect()
}

fn implementation(line: &Exported, automaton: Option<&Automaton>) -> Result<Implementation> {
    Ok(Implementation {
        name: line.id.clone(),
        automaton: automaton
            .with_context(|| format!("{INDEX} names {}, which is not there", line.id))?
            .clone(),
    })
}

/// Behind the original an exported file has the mutants step by step; the last one is the one that is meant.
fn last(document: &Document) -> Option<&Automaton> {
    document.automata().last()
}

fn component(path: &Path, loaded: &Loaded, line: &Exported) -> Result<Implementation> {
    let file = line.file.as_deref().map(Path::new);
    let stem = file.and_then(Path::file_stem).and_then(|stem| stem.to_str());
    let at = stem.and_then(|name| loaded.document.find(name));
    let automaton = at.and_then(|at| loaded.document.automata().get(at));
    implementation(line, automaton).with_context(|| path.display().to_string())
}

/// The mutants of a featured mutant model, each by its features.
fn members(path: &Path, index: &[Exported], global: &GlobalArgs, terminal: &Terminal) -> Result<Vec<Implementation>> {
    let loaded = Loaded::read_family(&path.join("fmm.xml"), &global.read_options(), terminal)?;
    let model = read_model(&path.join("features.uvl"), terminal)?;
    let (_, family) = family(&loaded, None, &model)?;
    let member = |line: &Exported| {
        let features = find_features(&model, &line.features)?;
        let Ok(product) = product(&model, &features)? else {
            bail!("{}: the features of {} are no product", path.display(), line.id);
        };
        implementation(line, Some(&family.project(&product)?))
    };
    index.iter().map(member).collect()
}

//! Any file that holds games, by what its name and place say it is.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::de::IgnoredAny;

use super::ecdar::read_ecdar;
use super::input::{read_input, refused, unreadable};
use super::one_clock::read_one_clock;
use super::tchecker::read_tchecker;
use super::uppaal::{Document, NetworkFile, ReadOptions, read_bytes, read_network, read_only};
use super::xta::{is_xta, read_xta, read_xta_network};
use crate::text::{Diagnostic, ReadError, SourceFile, decode};

/// What there is to read.
const KINDS: &str = "name a model: UPPAAL's XML or text (.xta), a TChecker .tck file, an Ecdar project's folder, or the \
    .json file of a component or of a one-clock timed automaton";

/// Warnings, by the file they are about.
pub type Warnings = Vec<(SourceFile, Vec<Diagnostic>)>;

/// A network, the bytes it was read from, and its file as messages show it with the warnings about it.
pub type ReadNetwork = (NetworkFile, Vec<u8>, (SourceFile, Vec<Diagnostic>));

/// A model that was read.
#[derive(Clone, Debug)]
pub struct ModelFile {
    /// Its games.
    pub document: Document,
    /// Whether the document's text is the file's own: UPPAAL XML.
    pub is_xml: bool,
    /// The warnings about each of its files.
    pub warnings: Warnings,
    /// What was read: for one file its bytes, for a folder the names and bytes of its files.
    pub content: Vec<u8>,
}

/// Reads the games at `path`: a folder or a `.json` file is an Ecdar project or one component of it, or, by its keys, a
/// one-clock timed automaton; a `.tck` file is TChecker's, a `.xta` or `.ta` file UPPAAL's text, anything else its XML.
///
/// # Errors
/// What cannot be read, or is wrong.
pub fn read_model(path: &Path, options: &ReadOptions) -> Result<ModelFile, ReadError> {
    let extension = path.extension().and_then(|end| end.to_str()).unwrap_or_default();
    if path.is_dir() {
        return project(path, options);
    }
    let name = path.display().to_string();
    let bytes = read(path)?;
    check_kind(path, &bytes)?;
    match extension.to_ascii_lowercase().as_str() {
        "json" if is_one_clock(&bytes) => {
            let read = read_one_clock(&name, &bytes, options)?;
            Ok(single(read, false, bytes))
        }
        "json" => {
            let files = [(name, bytes)];
            let (document, warnings) = read_ecdar(&files, options)?;
            let [(_, content)] = files;
            Ok(ModelFile {
                document,
                is_xml: false,
                warnings,
                content,
            })
        }
        "tck" => {
            let read = read_tchecker(&name, &bytes, options)?;
            Ok(single(read, false, bytes))
        }
        extension if is_xta(extension) => {
            let read = read_xta(&name, &bytes, options, None)?;
            Ok(single(read, false, bytes))
        }
        _ => {
            let read = read_bytes(&name, &bytes, options)?;
            Ok(single(read, true, bytes))
        }
    }
}

/// What was read from one file.
fn single((document, warnings): (Document, Vec<Diagnostic>), is_xml: bool, content: Vec<u8>) -> ModelFile {
    ModelFile {
        warnings: vec![(document.source().clone(), warnings)],
        document,
        is_xml,
        content,
    }
}

/// Reads at `path` only the games of these names: what is wrong elsewhere in a UPPAAL file is a warning.
///
/// # Errors
/// What cannot be read, or is wrong with these games.
pub fn read_model_only(path: &Path, options: &ReadOptions, only: &[&str]) -> Result<ModelFile, ReadError> {
    let extension = path.extension().and_then(|end| end.to_str()).unwrap_or_default();
    let bytes = match extension.to_ascii_lowercase().as_str() {
        "xml" if path.is_file() => read(path)?,
        extension if is_xta(extension) && path.is_file() => {
            let bytes = read(path)?;
            let read = read_xta(&path.display().to_string(), &bytes, options, Some(only))?;
            return Ok(single(read, false, bytes));
        }
        _ => return read_model(path, options),
    };
    check_kind(path, &bytes)?;
    let read = read_only(&path.display().to_string(), &bytes, options, only)?;
    Ok(single(read, true, bytes))
}

/// Reads the file at `path` as one network: also gives its bytes, and the file as messages show it with the warnings.
///
/// # Errors
/// What cannot be read, is no network, or is wrong.
pub fn read_network_file(path: &Path) -> Result<ReadNetwork, ReadError> {
    let name = path.display().to_string();
    let bytes = read_input(path, "name a UPPAAL file (.xml, .xta) that exists and may be read")?;
    check_kind(path, &bytes)?;
    let extension = path.extension().and_then(|end| end.to_str()).unwrap_or_default();
    let (file, warnings) = match extension.to_ascii_lowercase().as_str() {
        extension if is_xta(extension) => read_xta_network(&name, &bytes)?,
        "tck" => {
            let why =
                "is a TChecker file: its processes are games by themselves, or one game where vectors synchronise them";
            let help = "leave out the options of networks; to mutate one process of several, use a network of UPPAAL";
            return Err(refused(path, why.to_owned(), help));
        }
        _ => read_network(&name, &bytes)?,
    };
    let source = file.source.clone();
    Ok((file, bytes, (source, warnings)))
}

/// Refuses a file that holds something else than a model, by what it is.
///
/// # Errors
/// When its ending, or its root element, says that it is a feature model, a or a state machine.
pub fn check_kind(path: &Path, bytes: &[u8]) -> Result<(), ReadError> {
    let extension = path.extension().and_then(|end| end.to_str()).unwrap_or_default();
    match other_kind(&extension.to_ascii_lowercase(), bytes) {
        Some((what, help)) => Err(refused(path, what.to_owned(), help)),
        None => Ok(()),
    }
}

/// What a file is that holds no model which is read here, and what to do about it.
fn other_kind(extension: &str, bytes: &[u8]) -> Option<(&'static str, &'static str)> {
    let of_features = "`tamper features` and `tamper draw` read it; commands about families take it as --features";
    match extension {
        "uvl" => Some(("is a feature model (UVL), not a game", of_features)),
        "dimacs" | "cnf" => Some(("is a feature model (DIMACS), not a game", of_features)),
        "fsm" | "kiss" | "kiss2" | "dot" | "gv" => Some((
            "is a state machine, not a timed game",
            "`tamper coverage`, `refine`, `families`, `draw` and `oracle` read it",
        )),
        "xml" if is_featureide(bytes) => Some(("is a feature model (FeatureIDE), not a game", of_features)),
        _ => None,
    }
}

/// Whether a JSON file has what those who learn one-clock timed automata write, and no Ecdar component has.
fn is_one_clock(bytes: &[u8]) -> bool {
    let Ok(file) = decode("", bytes) else {
        return false;
    };
    let Ok(fields) = serde_json::from_str::<BTreeMap<String, IgnoredAny>>(file.text()) else {
        return false;
    };
    let has_one = |names: [&str; 2]| names.iter().any(|name| fields.contains_key(*name));
    has_one(["tran", "trans"]) && has_one(["sigma", "inputs"])
}

/// Whether the root element of an XML file is FeatureIDE's.
pub fn is_featureide(bytes: &[u8]) -> bool {
    let text = String::from_utf8_lossy(&bytes[..bytes.len().min(4096)]).to_ascii_lowercase();
    text.contains("<featuremodel") || text.contains("<extendedfeaturemodel")
}

fn project(path: &Path, options: &ReadOptions) -> Result<ModelFile, ReadError> {
    let mut paths: Vec<PathBuf> = ["SystemDeclarations.json", "GlobalDeclarations.json"]
        .into_iter()
        .map(|name| path.join(name))
        .filter(|file| file.is_file())
        .collect();
    let folder = path.join("Components");
    let entries = std::fs::read_dir(&folder).map_err(|error| unreadable(&folder, &error, KINDS))?;
    let mut components: Vec<PathBuf> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|file| file.extension().is_some_and(|end| end == "json"))
        .collect();
    components.sort();
    paths.extend(components);
    let mut files = Vec::new();
    for path in paths {
        let bytes = read(&path)?;
        files.push((path.display().to_string(), bytes));
    }
    let (document, warnings) = read_ecdar(&files, options)?;
    let mut content = Vec::new();
    for (name, bytes) in &files {
        let name = name.rsplit(['/', '\\']).next().unwrap_or_default();
        content.extend_from_slice(name.as_bytes());
        content.push(0);
        content.extend_from_slice(&(bytes.len() as u64).to_le_bytes());
        content.extend_from_slice(bytes);
    }
    Ok(ModelFile {
        document,
        is_xml: false,
        warnings,
        content,
    })
}

fn read(path: &Path) -> Result<Vec<u8>, ReadError> {
    read_input(path, KINDS)
}

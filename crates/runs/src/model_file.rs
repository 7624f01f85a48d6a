//! Reader of games in any supported format, which is recognised by name and content.

use std::path::{Path, PathBuf};

use super::kind::{FileKind, TimedFormat};
use tamper_interchange::{read_ecdar_only, read_scxml, read_tchecker, read_tchecker_network, read_xstate};
use tamper_text::{Diagnostic, ReadError, SourceFile};
use tamper_uppaal::input::{ending, read_input, refuse_pipe, refused, unreadable};
use tamper_uppaal::{
    Document, NetworkFile, ReadOptions, read_bytes, read_network, read_only, read_xta, read_xta_network,
};

/// The kinds of files that can be read, as advice to the user.
const KINDS: &str = "name a model: UPPAAL's XML or text (.xta), a TChecker .tck file, an Ecdar project's folder, the \
    .json file of a component, a machine configuration of XState (.json), or a state chart with delays (.scxml)";

/// Warnings, grouped by file.
pub type Warnings = Vec<(SourceFile, Vec<Diagnostic>)>;

/// A network, the bytes that it was read from, and its file as shown in messages, with the warnings about it.
pub type ReadNetwork = (NetworkFile, Vec<u8>, (SourceFile, Vec<Diagnostic>));

/// A model that was read.
#[derive(Clone, Debug)]
pub struct ModelFile {
    /// The games.
    pub document: Document,
    /// Warnings about each of its files.
    pub warnings: Warnings,
    /// The bytes that were read: the content of a file, or the names and contents of a folder's files.
    pub content: Vec<u8>,
}

/// Reads the games at `path` in any [`TimedFormat`].
///
/// # Errors
/// All errors in reading or in the content.
pub fn read_model(path: &Path, options: &ReadOptions) -> Result<ModelFile, ReadError> {
    read_games(path, options, None)
}

/// Reads only the games with these names at `path`: errors elsewhere in a UPPAAL file become warnings.
///
/// # Errors
/// All errors in reading or in the content of these games.
pub fn read_model_only(path: &Path, options: &ReadOptions, only: &[&str]) -> Result<ModelFile, ReadError> {
    read_games(path, options, Some(only))
}

fn read_games(path: &Path, options: &ReadOptions, only: Option<&[&str]>) -> Result<ModelFile, ReadError> {
    if path.is_dir() {
        return project(path, options, only);
    }
    let bytes = read(path)?;
    let name = path.display().to_string();
    let format = timed(path, &bytes)?;
    let (document, warnings) = match format {
        TimedFormat::TChecker => read_tchecker(&name, &bytes, options)?,
        TimedFormat::Text => read_xta(&name, &bytes, options, only)?,
        TimedFormat::XState => read_xstate(&name, &bytes, options)?,
        TimedFormat::Scxml => read_scxml(&name, &bytes, options)?,
        TimedFormat::EcdarComponent | TimedFormat::EcdarProject => {
            let files = [(name, bytes)];
            let (document, warnings) = read_ecdar_only(&files, options, only)?;
            let [(_, content)] = files;
            return Ok(ModelFile {
                document,
                warnings,
                content,
            });
        }
        TimedFormat::Xml => match only {
            Some(only) => read_only(&name, &bytes, options, only)?,
            None => read_bytes(&name, &bytes, options)?,
        },
    };
    Ok(ModelFile {
        warnings: vec![(document.source().clone(), warnings)],
        document,
        content: bytes,
    })
}

/// Reads the file at `path` as one network, together with its bytes and the warnings about it.
///
/// # Errors
/// All errors in reading or in the content; also a file that holds no network.
pub fn read_network_file(path: &Path) -> Result<ReadNetwork, ReadError> {
    let name = path.display().to_string();
    let bytes = read_input(
        path,
        "name a UPPAAL (.xml, .xta) or TChecker file (.tck) that exists and may be read",
    )?;
    let (file, warnings) = match timed(path, &bytes)? {
        TimedFormat::Text => read_xta_network(&name, &bytes)?,
        TimedFormat::Xml => read_network(&name, &bytes)?,
        TimedFormat::TChecker => read_tchecker_network(&name, &bytes)?,
        format => {
            let why = format!(
                "is {}: its processes are games by themselves",
                FileKind::Timed(format).what()
            );
            let help = "leave out the options of networks; to mutate one process of several, use a network of UPPAAL or TChecker";
            return Err(refused(path, why, help));
        }
    };
    let source = file.source.clone();
    Ok((file, bytes, (source, warnings)))
}

/// The format of the games in a file. A file of another kind is refused, with the name of its kind.
fn timed(path: &Path, bytes: &[u8]) -> Result<TimedFormat, ReadError> {
    match FileKind::of_bytes(path, bytes) {
        FileKind::Timed(format) => Ok(format),
        other => Err(refused(path, format!("is {}, not a timed game", other.what()), KINDS)),
    }
}

fn project(path: &Path, options: &ReadOptions, only: Option<&[&str]>) -> Result<ModelFile, ReadError> {
    let mut paths: Vec<PathBuf> = ["SystemDeclarations.json", "GlobalDeclarations.json"]
        .into_iter()
        .map(|name| path.join(name))
        .filter(|file| file.is_file())
        .collect();
    let folder = path.join("Components");
    let entries = std::fs::read_dir(&folder).map_err(|error| unreadable(&folder, &error, KINDS))?;
    let mut components: Vec<PathBuf> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|file| ending(file) == "json")
        .collect();
    components.sort();
    paths.extend(components);
    let mut files = Vec::new();
    for path in paths {
        refuse_pipe(&path, "the parts of a project are files")?;
        let bytes = read(&path)?;
        files.push((path.display().to_string(), bytes));
    }
    let (document, warnings) = read_ecdar_only(&files, options, only)?;
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
        warnings,
        content,
    })
}

fn read(path: &Path) -> Result<Vec<u8>, ReadError> {
    read_input(path, KINDS)
}

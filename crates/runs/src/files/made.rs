//! Recognition of folders and files that tamper made: no others are moved or removed.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::draft::is_part;
use super::lock::LOCK;
use crate::Verdict;
use crate::error::{FileAction, OfFile as _, Result};
use tamper_uppaal::input::read_own;

/// Name of the manifest of a run.
pub const MANIFEST: &str = "manifest.json";

/// Names of files in runs and exports, except the lists per verdict and the files named after mutants.
const FILES: &str = "lock mutants.jsonl ahead.jsonl score.jsonl account.json violating.txt passes.json summary.json \
    summary.csv classes.csv index.jsonl kept.jsonl kept.csv fmm.xml features.uvl features.xml features.dimacs original.tck original.txt \
    SystemDeclarations.json GlobalDeclarations.json Queries.json";
const COMPONENTS: &str = "Components";

/// Whether the folder at `path` holds a run or an export of tamper, according to its manifest.
pub fn is_run(path: &Path) -> bool {
    let text = read_own(&path.join(MANIFEST)).unwrap_or_default();
    let manifest: Option<Value> = serde_json::from_slice(&text).ok();
    manifest.is_some_and(|manifest| manifest["tool"] == crate::TOOL && manifest["model"].is_object())
}

/// Whether the folder at `path` is empty, apart from files of a run that was killed before it wrote a manifest.
pub fn is_empty(path: &Path) -> Result<bool> {
    let entries = fs::read_dir(path).cannot(FileAction::Read, path)?;
    for entry in entries {
        let name = entry?.file_name();
        if name != LOCK && !is_part(&name) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// An entry of the folder at `path` that no run or export of tamper writes, if there is one.
///
/// # Errors
/// If the folder cannot be read.
pub fn foreign_entry(path: &Path) -> Result<Option<PathBuf>> {
    for entry in fs::read_dir(path).cannot(FileAction::Read, path)? {
        let entry = entry.cannot(FileAction::Read, path)?;
        let kind = entry.file_type().cannot(FileAction::Read, path)?;
        let name = entry.file_name();
        if kind.is_dir() && name == COMPONENTS {
            if let Some(found) = foreign_component(&entry.path())? {
                return Ok(Some(found));
            }
        } else if !kind.is_file() || !is_ours(&name) {
            return Ok(Some(entry.path()));
        }
    }
    Ok(None)
}

fn foreign_component(path: &Path) -> Result<Option<PathBuf>> {
    let entries = fs::read_dir(path).cannot(FileAction::Read, path)?;
    for entry in entries {
        let path = entry?.path();
        let is_component = path.is_file() && path.extension() == Some(OsStr::new("json"));
        if !is_component && !path.file_name().is_some_and(is_part) {
            return Ok(Some(path));
        }
    }
    Ok(None)
}

fn is_ours(name: &OsStr) -> bool {
    let Some(name) = name.to_str() else { return false };
    let is_list = |verdict: &Verdict| name.strip_suffix(".txt") == Some(verdict.name());
    [MANIFEST, LOCK].contains(&name)
        || FILES.split(' ').any(|known| known == name)
        || Verdict::ALL.iter().any(is_list)
        || is_mutant(name)
        || is_part(OsStr::new(name))
}

/// Whether `name` is a mutant's file, as `000012-CXL.xml`: number, operators, format.
fn is_mutant(name: &str) -> bool {
    let stem = [".xml", ".tck", ".txt"].iter().find_map(|end| name.strip_suffix(end));
    let Some((number, operators)) = stem.and_then(|stem| stem.split_once('-')) else {
        return false;
    };
    number.len() >= 6
        && number.bytes().all(|byte| byte.is_ascii_digit())
        && operators.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'-')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_manifest_of_something_else_makes_no_run() {
        let folder = tempfile::tempdir().unwrap();
        assert!(!is_run(folder.path()) && is_empty(folder.path()).unwrap());
        for other in ["", "{}", "[1]", r#"{"name": "a web extension", "manifest_version": 3}"#] {
            fs::write(folder.path().join(MANIFEST), other).unwrap();
            assert!(!is_run(folder.path()), "{other}");
        }
        fs::write(folder.path().join(MANIFEST), r#"{"tool": "tamper", "model": {}}"#).unwrap();
        assert!(is_run(folder.path()) && !is_empty(folder.path()).unwrap());
    }

    #[test]
    fn what_a_user_puts_into_a_run_is_found() {
        let folder = tempfile::tempdir().unwrap();
        for ours in [
            "manifest.json",
            "non-subsumed.txt",
            "000012-CXL.xml",
            "1234567-TMI-CCN.tck",
            "000012-CXL.txt",
            ".tamper-0123456789abcdef.part",
        ] {
            fs::write(folder.path().join(ours), "").unwrap();
        }
        assert_eq!(foreign_entry(folder.path()).unwrap(), None);
        for foreign in ["notes.txt", "model.xml", "12-CXL.xml", "000012-notes.xml"] {
            let path = folder.path().join(foreign);
            fs::write(&path, "").unwrap();
            assert_eq!(foreign_entry(folder.path()).unwrap(), Some(path.clone()));
            fs::remove_file(path).unwrap();
        }
        fs::create_dir(folder.path().join(COMPONENTS)).unwrap();
        fs::write(folder.path().join(COMPONENTS).join("M1.json"), "").unwrap();
        assert_eq!(foreign_entry(folder.path()).unwrap(), None);
        let notes = folder.path().join(COMPONENTS).join("notes.md");
        fs::write(&notes, "").unwrap();
        assert_eq!(foreign_entry(folder.path()).unwrap(), Some(notes));
    }
}

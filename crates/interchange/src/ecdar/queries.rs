//! The queries of a project: `Queries.json`, or the files of the folder `Queries/`.

use std::path::{Path, PathBuf};

use jsonc_parser::ast::Value;

use tamper_text::json::{Fields, parse};
use tamper_text::{Diagnostic, Piece, ReadError, Severity, decode};
use tamper_uppaal::input::ending;
use tamper_uppaal::input::{read_input, refuse_pipe, refused};

const KINDS: &str = "name the folder of an Ecdar project, in which Queries.json or the folder Queries/ is";

/// A query in its written form.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EcdarQuery {
    /// The query, as `refinement: A <= B`.
    pub text: String,
    /// Whether it names actions that its answer ignores.
    pub ignores: bool,
}

/// The queries of the project in a folder, in the order of its files.
///
/// # Errors
/// The project has no file of queries, or one cannot be read.
pub fn read_ecdar_queries(folder: &Path) -> Result<Vec<EcdarQuery>, ReadError> {
    let mut list = Vec::new();
    for path in files(folder)? {
        refuse_pipe(&path, KINDS)?;
        let file = decode(&path.display().to_string(), &read_input(&path, KINDS)?)?;
        let mut found = Vec::new();
        queries(Piece::new(file.text(), 0), &mut list, &mut found);
        if found.iter().any(|found| found.severity == Severity::Error) {
            return Err(ReadError {
                file: file.clone(),
                diagnostics: found,
            });
        }
    }
    Ok(list)
}

fn files(folder: &Path) -> Result<Vec<PathBuf>, ReadError> {
    let single = folder.join("Queries.json");
    if single.is_file() {
        return Ok(vec![single]);
    }
    let entries = std::fs::read_dir(folder.join("Queries"));
    let entries =
        entries.map_err(|_| refused(folder, "has no Queries.json and no folder Queries/".to_owned(), KINDS))?;
    let mut files: Vec<PathBuf> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|file| ending(file) == "json")
        .collect();
    files.sort();
    Ok(files)
}

/// Adds the queries of a file: one, or a list.
fn queries(file: Piece<'_>, list: &mut Vec<EcdarQuery>, found: &mut Vec<Diagnostic>) {
    let value = match parse(file) {
        Ok(value) => value,
        Err(error) => return found.push(error),
    };
    let all = match &value {
        Value::Array(array) => array.elements.as_slice(),
        single => std::slice::from_ref(single),
    };
    for value in all {
        let Some(mut fields) = Fields::of(value, file, "a query", found) else {
            continue;
        };
        let ignores = ["ignoredInputs", "ignoredOutputs"].map(|key| fields.get(key).is_some_and(is_set));
        list.push(EcdarQuery {
            text: fields.text("query", found).decoded.trim().to_owned(),
            ignores: ignores.contains(&true),
        });
        fields.finish(&["comment", "isPeriodic", "backend"], found);
    }
}

/// Whether an option in `value` is switched on.
fn is_set(value: &Value<'_>) -> bool {
    match value {
        Value::BooleanLit(literal) => literal.value,
        Value::Object(object) => object.properties.iter().any(|property| is_set(&property.value)),
        Value::Array(array) => !array.elements.is_empty(),
        Value::StringLit(_) | Value::NumberLit(_) | Value::NullKeyword(_) => false,
    }
}

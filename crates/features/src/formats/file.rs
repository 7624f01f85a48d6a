//! Feature model formats, and the detection of a file's format.

use std::path::Path;
use std::str::FromStr;

use super::{
    UnwritableFeature, read_dimacs, read_featureide, read_uvl_with, write_dimacs, write_featureide, write_uvl,
};
use crate::FeatureModel;
use tamper_text::ReadError;
use tamper_text::decode;
use tamper_text::{Diagnostic, SourceFile};

tamper_text::named! {
    /// A feature-model format.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
    pub enum FeatureModelFormat {
        /// Universal Variability Language, `.uvl`.
        Uvl = "uvl",
        /// FeatureIDE, `.xml`.
        FeatureIde = "featureide",
        /// Clauses, `.dimacs` or `.cnf`.
        Dimacs = "dimacs",
    }
}

impl FeatureModelFormat {
    /// The extension of its files, without the dot.
    pub fn extension(self) -> &'static str {
        match self {
            Self::Uvl => "uvl",
            Self::FeatureIde => "xml",
            Self::Dimacs => "dimacs",
        }
    }
    /// The format of a file with that name, by its extension.
    pub fn of(path: &Path) -> Option<Self> {
        let extension = path.extension()?.to_str()?.to_ascii_lowercase();
        match extension.as_str() {
            "uvl" => Some(Self::Uvl),
            "xml" => Some(Self::FeatureIde),
            "dimacs" | "cnf" => Some(Self::Dimacs),
            _ => None,
        }
    }
}

/// A name that no format has.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("there is no feature-model format `{0}`; the formats are {names}", names = FeatureModelFormat::ALL.map(FeatureModelFormat::name).join(" "))]
pub struct UnknownFeatureModelFormat(String);

impl FromStr for FeatureModelFormat {
    type Err = UnknownFeatureModelFormat;
    fn from_str(text: &str) -> Result<Self, UnknownFeatureModelFormat> {
        let found = Self::ALL.into_iter().find(|format| format.name() == text);
        found.ok_or_else(|| UnknownFeatureModelFormat(text.to_owned()))
    }
}

/// The feature model in `bytes`, the content of a file called `name` that imports no other, and warnings about it.
///
/// # Errors
/// Everything that is wrong with it.
pub fn read_feature_model(
    name: &str,
    bytes: &[u8],
    format: FeatureModelFormat,
) -> Result<(FeatureModel, Vec<Diagnostic>), ReadError> {
    read_feature_model_with(name, bytes, format, &mut |path| Err(format!("{path} is not there")))
}

/// The feature model in `bytes`, the content of a file called `name`, and warnings about it; `import` gives the content of
/// the file at a path relative to that file, or says why there is none.
///
/// # Errors
/// Everything that is wrong with it.
pub fn read_feature_model_with(
    name: &str,
    bytes: &[u8],
    format: FeatureModelFormat,
    import: &mut dyn FnMut(&str) -> Result<String, String>,
) -> Result<(FeatureModel, Vec<Diagnostic>), ReadError> {
    let failed = |file: &SourceFile, diagnostics| ReadError {
        file: file.clone(),
        diagnostics,
    };
    let file = decode(name, bytes)?;
    let read = match format {
        FeatureModelFormat::Uvl => read_uvl_with(file.text(), import),
        FeatureModelFormat::FeatureIde => read_featureide(file.text()),
        FeatureModelFormat::Dimacs => read_dimacs(file.text()),
    };
    read.map_err(|diagnostics| failed(&file, diagnostics))
}

/// `model` as text.
///
/// # Errors
/// If the format cannot hold a feature's name.
pub fn write_feature_model(model: &FeatureModel, format: FeatureModelFormat) -> Result<String, UnwritableFeature> {
    match format {
        FeatureModelFormat::Uvl => write_uvl(model),
        FeatureModelFormat::FeatureIde => write_featureide(model),
        FeatureModelFormat::Dimacs => Ok(write_dimacs(model)),
    }
}

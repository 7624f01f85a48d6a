//! Errors of other crates and libraries, wrapped unchanged.

use std::error::Error;
use std::io;

use super::{ExperimentError, SharesError};
use crate::NoSuchSample;
use crate::suite_json::SuiteFileError;
use tamper_features::SolverFailure;
use tamper_features::formats::UnwritableFeature;
use tamper_game::GameError;
use tamper_suite::SuiteFailure;
use tamper_text::ReadError;
use tamper_timed::featured::FeaturedError;
use tamper_timed::mutation::{FeaturedMutantsError, TooManyMutants};
use tamper_timed::network::ComposeError;
use tamper_uppaal::{Inexpressible, WriteError};

/// Conversions of errors that are wrapped without additional text.
macro_rules! from {
    ($($error:ty => $kind:ident,)*) => {
        $(impl From<$error> for ExperimentError {
            #[cold]
            fn from(error: $error) -> Self {
                Self::$kind(error)
            }
        })*

        impl ExperimentError {
            /// The wrapped error if this one adds nothing to it.
            pub(super) fn same(&self) -> Option<&(dyn Error + 'static)> {
                match self {
                    $(Self::$kind(error) => Some(error),)*
                    Self::Format(error) | Self::Sink(error) => Some(&**error),
                    _ => None,
                }
            }
        }
    };
}

from! {
    io::Error => Io,
    SharesError => Shares,
    ReadError => Read,
    SuiteFileError => SuiteFile,
    GameError => Game,
    SuiteFailure => Suite,
    SolverFailure => Solver,
    ComposeError => Compose,
    TooManyMutants => TooManyMutants,
    NoSuchSample => NoSuchSample,
    FeaturedMutantsError => FeaturedMutants,
    Inexpressible => Inexpressible,
    WriteError => Unwritten,
    UnwritableFeature => UnwritableFeature,
}

impl From<FeaturedError> for ExperimentError {
    #[cold]
    fn from(error: FeaturedError) -> Self {
        Self::FeaturedMutants(error.into())
    }
}

macro_rules! from_format {
    ($($error:ty),*) => {
        $(impl From<$error> for ExperimentError {
            #[cold]
            fn from(error: $error) -> Self {
                Self::Format(Box::new(error))
            }
        })*
    };
}

from_format!(serde_json::Error, csv::Error, toml::de::Error);

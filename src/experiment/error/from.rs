//! What rooms below and libraries say, taken as it is.

use std::error::Error;
use std::io;

use super::{ExperimentError, SharesError};
use crate::experiment::NoSuchSample;
use crate::featured::FeaturedError;
use crate::features::SolverFailure;
use crate::formats::feature_model::UnwritableFeature;
use crate::formats::suite_json::SuiteError;
use crate::formats::{Inexpressible, ReadError, WriteError};
use crate::game::GameError;
use crate::mutation::{FeaturedMutantsError, TooManyMutants};
use crate::network::ComposeError;
use crate::suite::SuiteFailure;

/// The errors that one of a run is without another word.
macro_rules! from {
    ($($error:ty => $kind:ident,)*) => {
        $(impl From<$error> for ExperimentError {
            #[cold]
            fn from(error: $error) -> Self {
                Self::$kind(error)
            }
        })*

        impl ExperimentError {
            /// The error that it is and to which it adds nothing.
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
    SuiteError => SuiteFile,
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

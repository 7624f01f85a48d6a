//! The cause of the error that a command ends with.

use std::error::Error;

use tamper::experiment::{BaselineError, ExperimentError};
use tamper::features::SolverFailure;
use tamper::formats::ReadError;
use tamper::game::{ConstructionError, GameError};
use tamper::network::ComposeError;
use tamper::suite::SuiteFailure;
use tamper::text::StopReason;

/// Returns the error as an `E`, or the `E` that made a run fail. Context that was added on the way is ignored.
pub fn cause<E: Error + Send + Sync + 'static>(error: &anyhow::Error) -> Option<&E> {
    let of_run = || error.downcast_ref::<ExperimentError>()?.cause().downcast_ref();
    error.downcast_ref().or_else(of_run)
}

/// The limit that a command hit, from the error that it ends with. Each type of error that can stand for a limit tells which.
pub fn limit(error: &anyhow::Error) -> Option<StopReason> {
    let of_run = error.downcast_ref().and_then(ExperimentError::limit);
    let of_baseline = || match error.downcast_ref()? {
        BaselineError::TooLittle { reason, .. } => Some(*reason),
        BaselineError::Specification(error) => error.limit(),
        _ => None,
    };
    of_run
        .or_else(of_baseline)
        .or_else(|| cause(error).and_then(ReadError::limit))
        .or_else(|| cause(error).and_then(GameError::limit))
        .or_else(|| cause(error).and_then(SuiteFailure::limit))
        .or_else(|| cause(error).and_then(ComposeError::limit))
        .or_else(|| cause(error).and_then(ConstructionError::limit))
        .or_else(|| cause(error).and_then(SolverFailure::reason))
}

#[cfg(test)]
mod tests {
    use std::io;

    use anyhow::Context as _;

    use super::*;
    use tamper::experiment::FileAction;

    #[test]
    fn an_error_of_a_run_says_the_same_as_ever() {
        let missing = || io::Error::from(io::ErrorKind::NotFound);
        let typed = [
            missing().into(),
            ExperimentError::Fault("no".to_owned()),
            ExperimentError::File {
                action: FileAction::MoveTo("b".into()),
                path: "a".into(),
                source: missing(),
            },
        ];
        for typed in typed {
            let around = |source| ExperimentError::Doing {
                what: "claim".to_owned(),
                source,
            };
            let said = format!("{typed:#}");
            let typed = around(Box::new(typed));
            assert_eq!(typed.to_string(), "claim");
            assert_eq!(format!("{typed:#}"), format!("claim: {said}"));
            assert_eq!(format!("{:#}", anyhow::Error::from(typed)), format!("claim: {said}"));
        }
        let untyped = Err::<(), _>(missing()).context("cannot move a to b").unwrap_err();
        let typed = ExperimentError::File {
            action: FileAction::MoveTo("b".into()),
            path: "a".into(),
            source: missing(),
        };
        assert_eq!(format!("{typed:#}"), format!("{untyped:#}"));
    }

    #[test]
    fn a_cause_is_found_through_what_was_being_done() {
        let pipe = || io::Error::from(io::ErrorKind::BrokenPipe);
        let of_run = ExperimentError::Doing {
            what: "share 1/2".to_owned(),
            source: Box::new(pipe().into()),
        };
        for error in [anyhow::Error::from(pipe()), of_run.into()] {
            let found = Err::<(), _>(error).context("outside").unwrap_err();
            let kind = cause::<io::Error>(&found).map(io::Error::kind);
            assert_eq!(kind, Some(io::ErrorKind::BrokenPipe), "{found:#}");
            assert!(cause::<ComposeError>(&found).is_none());
        }
        let stopped = ExperimentError::from(ComposeError::Stopped {
            reason: StopReason::States,
            locations: 1,
            zones: 2,
        });
        assert!(matches!(
            cause(&stopped.into()),
            Some(ComposeError::Stopped { zones: 2, .. })
        ));
    }
}

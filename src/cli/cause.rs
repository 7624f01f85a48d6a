//! What is at the bottom of the error that a command ends with.

use std::error::Error;

use tamper::experiment::ExperimentError;
use tamper::formats::ReadError;
use tamper::text::StopReason;

/// The `E` that an error is, by itself or as what failed in a run; what was being done does not matter.
pub fn cause<E: Error + Send + Sync + 'static>(error: &anyhow::Error) -> Option<&E> {
    let of_run = || error.downcast_ref::<ExperimentError>()?.cause().downcast_ref();
    error.downcast_ref().or_else(of_run)
}

/// The limit that an error names, whatever kind of error it is: all messages call it the same. What is wrong with a file quotes the
/// file, and is no limit.
pub fn limit(error: &anyhow::Error) -> Option<StopReason> {
    let said = format!("{error:#}");
    let is_of_file = cause::<ReadError>(error).is_some();
    let mut all = StopReason::ALL.into_iter().filter(|_| !is_of_file);
    all.find(|reason| said.contains(reason.name()))
}

#[cfg(test)]
mod tests {
    use std::io;

    use anyhow::Context as _;

    use super::*;
    use tamper::experiment::FileAction;
    use tamper::network::ComposeError;

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

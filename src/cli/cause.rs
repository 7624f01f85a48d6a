//! What is at the bottom of the error that a command ends with.

use std::error::Error;

use crate::experiment::ExperimentError;

/// The `E` that an error is, by itself or as what failed in a run; what was being done does not matter.
pub fn cause<E: Error + Send + Sync + 'static>(error: &anyhow::Error) -> Option<&E> {
    let of_run = || error.downcast_ref::<ExperimentError>()?.cause().downcast_ref();
    error.downcast_ref().or_else(of_run)
}

#[cfg(test)]
mod tests {
    use std::io;

    use anyhow::Context as _;

    use super::*;
    use crate::base::StopReason;
    use crate::network::ComposeError;

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
        let stopped = ExperimentError::from(ComposeError::Stopped(StopReason::States));
        assert!(matches!(
            cause(&stopped.into()),
            Some(ComposeError::Stopped(StopReason::States))
        ));
    }
}

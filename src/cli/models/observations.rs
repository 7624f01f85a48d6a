//! What makes the composition of a network deterministic, offered where it is not.

use std::path::Path;

use anyhow::{Result, anyhow};

use crate::cli::arguments::args::LimitArgs;
use crate::cli::arguments::network_args::{Advice, NetworkArgs, advice, observing, without_auto};
use crate::cli::terminal::Terminal;
use tamper::experiment::Timer;
use tamper::formats::read_network_file;
use tamper::suite::SuiteFailure;

/// What `make` makes of the network in `file` with the typed observations, or, if it is not deterministic, with those that the user
/// agrees to.
pub fn with_observations<T>(
    file: &Path,
    args: &NetworkArgs,
    limits: &LimitArgs,
    terminal: &Terminal,
    make: &dyn Fn(NetworkArgs) -> Result<T>,
) -> Result<T> {
    let args = &without_auto(file, args, limits, terminal)?;
    let error = match make(args.clone()) {
        Err(error) if error.chain().any(is_not_deterministic) => error,
        done => return done,
    };
    let found = read_network_file(file).ok();
    let found = found.and_then(|(network, ..)| advice(&network.network, args, &Timer::new(limits.resolve())).ok()?);
    match found {
        None => Err(error),
        Some(Advice::Observe(list)) if terminal.agrees(&format!("{error:#}\nmake it with --observe {list}?")) => {
            make(observing(args, Some(list)))
        }
        Some(advice) => Err(anyhow!("{error:#}\n{advice}")),
    }
}

fn is_not_deterministic(cause: &(dyn std::error::Error + 'static)) -> bool {
    let cause = cause.downcast_ref::<SuiteFailure>();
    matches!(cause, Some(SuiteFailure::NonDeterministic { .. }))
}

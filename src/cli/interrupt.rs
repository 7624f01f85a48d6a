//! Ctrl-C during a run that can go on later.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use anyhow::{Context as _, Result};
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag::{register, register_conditional_shutdown};

use super::exit::ExitCode;

/// A flag that Ctrl-C, or a request to end, raises; the second one ends the program at once.
pub fn watch() -> Result<Arc<AtomicBool>> {
    let flag = Arc::new(AtomicBool::new(false));
    for signal in [SIGINT, SIGTERM] {
        // In this order: the first one finds the flag down.
        register_conditional_shutdown(signal, ExitCode::Interrupted as i32, Arc::clone(&flag))
            .and_then(|_| register(signal, Arc::clone(&flag)))
            .context("cannot listen to Ctrl-C")?;
    }
    Ok(flag)
}

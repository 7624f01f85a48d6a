//! `tamper classify --all-constants`.

use std::sync::atomic::{AtomicU64, Ordering};

use anyhow::Result;
use serde_json::json;

use super::exit::ExitCode;
use super::game_args::ClassifyArgs;
use super::terminal::Terminal;
use tamper::experiment::{ConstantInterval, Timer, Verdict, constant_intervals, largest_constant};
use tamper::game::Specification;
use tamper::model::Automaton;
use tamper::report::constants_text;

/// Shows the intervals of constants, up to `last`, that share one verdict.
pub fn constants(game: &Automaton, last: Option<i64>, args: &ClassifyArgs, terminal: &Terminal) -> Result<ExitCode> {
    let last = last.unwrap_or_else(|| largest_constant(game).saturating_add(2));
    let timer = Timer::new(args.limits.resolve());
    let semantics = args.semantics.resolve();
    let specification = Specification::prepare(game, semantics, &timer.budget())?;
    let bar = terminal.progress(0);
    let done = AtomicU64::new(0);
    let progress = || bar.set_position(done.fetch_add(1, Ordering::Relaxed) + 1);
    let options = args.space.mutation.resolve();
    let sites = constant_intervals(&specification, &options, last, &timer, progress)?;
    bar.finish_and_clear();
    let (name, read_as) = (game.name(), semantics.to_string());
    terminal.answer(
        || json!({ "game": name, "semantics": read_as, "last": last, "sites": sites }),
        || constants_text(&sites, last),
    )?;
    let is_unknown = |interval: &ConstantInterval| interval.verdict == Verdict::Unknown;
    let some_unknown = sites.iter().any(|site| site.intervals.iter().any(is_unknown));
    Ok(ExitCode::known_if(!some_unknown))
}

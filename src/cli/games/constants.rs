//! `tamper classify --all-constants`.

use std::sync::atomic::{AtomicU64, Ordering};

use anyhow::{Result, bail};
use serde_json::json;

use crate::cli::arguments::game_args::ClassifyArgs;
use crate::cli::exit::ExitCode;
use crate::cli::terminal::Terminal;
use tamper::experiment::{
    ConstantInterval, Timer, Verdict, constant_intervals, joint_constants, largest_constant, n_joint_games,
};
use tamper::game::Specification;
use tamper::model::Automaton;
use tamper::mutation::MutationOptions;
use tamper::report::{constants_text, joint_constants_text};

/// Shows the intervals of constants, up to `last`, that share one verdict.
pub fn constants(game: &Automaton, last: Option<i64>, args: &ClassifyArgs, terminal: &Terminal) -> Result<ExitCode> {
    let last = last.unwrap_or_else(|| largest_constant(game).saturating_add(2));
    let timer = Timer::new(args.limits.resolve());
    let semantics = args.semantics.resolve();
    let specification = Specification::prepare(game, semantics, &timer.budget())?;
    let options = args.space.mutation.resolve();
    let n = usize::from(args.space.of.order.number());
    if n > 1 {
        return jointly(&specification, n, last, &options, &timer, terminal);
    }
    let bar = terminal.progress(0);
    let done = AtomicU64::new(0);
    let progress = || bar.set_position(done.fetch_add(1, Ordering::Relaxed) + 1);
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

/// The largest number of games that are decided for constants that change together.
const MOST: u128 = 1_000_000;

/// Shows the boxes of constants, up to `last`, of every `n` constraints.
fn jointly(
    specification: &Specification,
    n: usize,
    last: i64,
    options: &MutationOptions,
    timer: &Timer,
    terminal: &Terminal,
) -> Result<ExitCode> {
    let games = n_joint_games(specification.automaton(), options, n, last);
    if n > 4 {
        bail!("--all-constants: the constants of at most 4 constraints change together");
    }
    if games == 0 {
        bail!("--order {n}: the game has fewer constraints with a constant");
    }
    if games > MOST {
        bail!("--order {n} would decide {games} games, more than {MOST}: give --all-constants a smaller LAST");
    }
    let bar = terminal.progress(u64::try_from(games)?);
    let done = AtomicU64::new(0);
    let progress = || bar.set_position(done.fetch_add(1, Ordering::Relaxed) + 1);
    let joint = joint_constants(specification, options, n, last, timer, progress)?;
    bar.finish_and_clear();
    let read_as = specification.semantics().to_string();
    terminal.answer(
        || json!({ "game": specification.automaton().name(), "semantics": read_as, "last": last, "joint": joint }),
        || joint_constants_text(&joint, last),
    )?;
    let mut boxes = joint.iter().flat_map(|joint| &joint.boxes);
    Ok(ExitCode::known_if(
        boxes.all(|points| points.verdict != Verdict::Unknown),
    ))
}

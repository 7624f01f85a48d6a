//! `tamper run --strategy adaptive`: tests that plan while they run.

use std::sync::Arc;

use anyhow::{Context as _, Result};
use rayon::prelude::*;

use crate::cli::arguments::adaptive_args::AdaptiveArgs;
use crate::cli::arguments::args::GlobalArgs;
use crate::cli::arguments::suite_run_args::{RunArgs, RunTimedArgs};
use crate::cli::exit::LimitHit;
use crate::cli::interrupt;
use crate::cli::models::read_mutated::{MutatedRequest, read_mutated};
use crate::cli::terminal::Terminal;
use tamper::experiment::{Numbered, largest_constant};
use tamper::mutation::Order;
use tamper::suite::{AdaptiveCampaign, CampaignTarget, Pick, Refusals, Subject};

/// The targets of adaptive tests under the typed options. A mutant ignores an input that it does not take, as programs do.
pub fn adaptive_campaign(args: &RunArgs, global: &GlobalArgs, terminal: &Terminal) -> Result<AdaptiveCampaign> {
    let AdaptiveArgs {
        rounds,
        mutation,
        mutated,
    } = &args.adaptive;
    let asked = MutatedRequest {
        file: args.program.oracle.as_ref().context("name a --model")?,
        template: args.timed.template.as_deref(),
        mutate: mutated,
        network: &args.network,
        limits: &args.limits,
    };
    interrupt::advise("choose fewer --operators");
    let timer = args.total.timer(args.limits.resolve());
    let model = read_mutated(asked, None, global, terminal)?;
    let options = model.options_or_all(mutation);
    let game = model.automaton(&timer)?;
    let set = model.set(&options, Order::FIRST)?;
    let selection = set.selection(None, 0)?;
    let numbers = selection.slice(0..selection.len());
    let longest = largest_constant(&game).saturating_add(1);
    let campaign = AdaptiveCampaign {
        targets: Vec::new(),
        tester: model.follower(&timer)?.on_grid(parts(&args.timed)),
        // A program may take inputs that come at once together.
        pick: Pick::Middle,
        rounds: *rounds,
        longest: u32::try_from(longest).context("the model's constants are too large for tests that rest")?,
    };
    // A refused input means nothing to tests that plan while they run.
    let shown = |mutant: Numbered| {
        if timer.is_over() {
            return None;
        }
        let game = Refusals::Never.met(set.game(&mutant, &timer).ok()?);
        let subject = Arc::new(Subject::new(&game, &timer.budget()).ok()?);
        let comes_first = mutant.mutations.iter().any(|mutation| mutation.applied().again);
        let id = mutant.id;
        let target = CampaignTarget {
            id,
            subject,
            comes_first,
        };
        campaign.shows(&target.subject, &timer.budget()).then_some(target)
    };
    let targets: Vec<CampaignTarget> = set.mutants(&numbers)?.into_par_iter().filter_map(shown).collect();
    if timer.is_over() {
        let too_many = "the mutants are too many for this time (--total-timeout): choose fewer --operators";
        return Err(LimitHit(too_many.to_owned()).into());
    }
    let n_mutants = numbers.len();
    let n_shown = targets.len();
    terminal.note(&format!(
        "adaptive tests for {n_shown} mutants; the other {} of {n_mutants} show nowhere, or not within the limits",
        n_mutants - n_shown
    ));
    Ok(AdaptiveCampaign { targets, ..campaign })
}

/// The parts of a time unit in which tests act: milliseconds, which the clock of a program can tell; in accelerated time quarters.
fn parts(timed: &RunTimedArgs) -> u32 {
    let milliseconds = timed.unit.as_millis().clamp(1, 1_000);
    match timed.accelerated {
        true => 4,
        false => u32::try_from(milliseconds).unwrap_or(1),
    }
}

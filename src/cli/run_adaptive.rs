//! `tamper run --strategy adaptive`: tests that plan while they run.

use anyhow::{Context as _, Result};
use clap::{Args, ValueEnum};
use rayon::prelude::*;

use super::args::{GlobalArgs, MutationArgs};
use super::exit::LimitHit;
use super::interrupt;
use super::mutated::{Asked, Mutated};
use super::network_args::MutateArgs;
use super::suite_run_args::RunArgs;
use super::terminal::Terminal;
use tamper::experiment::killing::{candidates, ignoring};
use tamper::experiment::largest_constant;
use tamper::experiment::sut::AdaptiveTests;
use tamper::mutation::Order;
use tamper::suite::{Hunt, Pick, Quarry, Refusals};

/// How tests are made while they run.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub enum RunStrategy {
    /// Each test goes for one mutant of --model after the other, always the nearest one, and plans anew after whatever the program does
    Adaptive,
}

/// Options of tests that plan while they run.
#[derive(Args, Debug)]
#[command(next_help_heading = "Adaptive tests (--strategy adaptive)")]
pub struct AdaptiveArgs {
    /// How often a test goes for all mutants; after the first time it rests, and goes for each as if it had been right so far
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100), default_value_t = 2)]
    pub rounds: u32,
    #[command(flatten)]
    pub mutation: MutationArgs,
    #[command(flatten)]
    pub mutated: MutateArgs,
}

/// The adaptive tests that were typed. A mutant ignores an input that it does not take, as programs do.
pub fn adaptive_tests(args: &RunArgs, global: &GlobalArgs, terminal: &Terminal) -> Result<AdaptiveTests> {
    let AdaptiveArgs {
        rounds,
        mutation,
        mutated,
    } = &args.adaptive;
    let asked = Asked {
        file: args.program.oracle.as_ref().context("name a --model")?,
        template: args.timed.template.as_deref(),
        mutate: mutated,
        network: &args.network,
        limits: &args.limits,
    };
    interrupt::advise("choose fewer --operators");
    let timer = args.total.timer(args.limits.resolve());
    let model = Mutated::read(asked, None, global, terminal)?;
    let mut options = mutation.resolve();
    if mutation.operators.is_empty() {
        options.operators = model.operators();
    }
    let game = model.automaton(&timer)?;
    let set = model.set(&options, Order::FIRST)?;
    let selection = set.selection(None, 0)?;
    let too_many =
        || LimitHit("the mutants are too many for this time (--total-timeout): choose fewer --operators".to_owned());
    let found = candidates(&*set, &selection, None, &timer)?.ok_or_else(too_many)?;
    let longest = largest_constant(&game).saturating_add(1);
    let hunt = Hunt {
        quarry: Vec::new(),
        tester: model.tester(&timer)?,
        pick: Pick::default(),
        rounds: *rounds,
        longest: u32::try_from(longest).context("the model's constants are too large for tests that rest")?,
    };
    let n_mutants = found.len();
    let shown = ignoring(found, Refusals::Never, &timer).into_par_iter();
    let shown = shown.filter_map(|candidate| {
        let subject = candidate.subject.ok()?;
        let shows = !timer.is_over() && hunt.shows(&subject, &timer.budget());
        shows.then_some(Quarry {
            id: candidate.id,
            subject,
        })
    });
    let quarry: Vec<Quarry> = shown.collect();
    if timer.is_over() {
        return Err(too_many().into());
    }
    let n_shown = quarry.len();
    terminal.note(&format!(
        "adaptive tests for {n_shown} mutants; the other {} of {n_mutants} show nowhere, or not within the limits",
        n_mutants - n_shown
    ));
    Ok(AdaptiveTests::new(Hunt { quarry, ..hunt }))
}

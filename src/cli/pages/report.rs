//! `tamper report`.

use anyhow::Result;
use rayon::prelude::*;
use serde_json::Value;

use crate::cli::arguments::args::{GlobalArgs, ids_of, own_ids_of};
use crate::cli::arguments::network_args::OfRun;
use crate::cli::arguments::run_args::{ReportArgs, ReportRunArgs};
use crate::cli::call::Call;
use crate::cli::door::open;
use crate::cli::exit::ExitCode;
use crate::cli::given::TypedOptions;
use crate::cli::models::read_mutated::mutated_of_run;
use crate::cli::pages::plays::PlayedSpecification;
use crate::cli::pages::{report_figures, report_results};
use crate::cli::systems;
use crate::cli::terminal::{Terminal, counted};
use crate::cli::testing::suites::Bench;
use tamper::experiment::{ExperimentError, Filter, Kept, MutantSet, RunWorld, Sink, Source, Timer, walk, write_file};
use tamper::formats::FileKind;
use tamper::report::{PageFacts, RunPage};

/// Writes the page of a run, or of the answer of a command.
pub fn report(args: &ReportArgs, given: &TypedOptions, global: &GlobalArgs, terminal: &Terminal) -> Result<ExitCode> {
    if let Some(form) = args.figure.form {
        return report_figures::report(
            args,
            form,
            Call {
                global,
                given,
                terminal,
            },
        );
    }
    let subject = open(&args.run)?;
    match subject.kind {
        FileKind::Run => {}
        FileKind::Printed => {
            given.only(&own_ids_of::<ReportArgs>(), &subject.name())?;
            return report_results::report(&args.run, &args.out, terminal);
        }
        _ => return subject.refused("report"),
    }
    match RunWorld::of(&args.run)? {
        RunWorld::Game | RunWorld::Network => report_run(args, global, terminal),
        RunWorld::Untimed => {
            let own = own_ids_of::<ReportArgs>();
            given.only(
                &[own, ids_of::<ReportRunArgs>()].concat(),
                "a run on mutants of an untimed system",
            )?;
            systems::report(args, terminal)
        }
    }
}

fn report_run(args: &ReportArgs, global: &GlobalArgs, terminal: &Terminal) -> Result<ExitCode> {
    let asked = OfRun {
        file: args.of_run.model.as_deref(),
        network: &args.network,
        limits: &args.limits,
    };
    let (mutated, plan) = mutated_of_run(&args.run, asked, global, terminal)?;
    let set = mutated.mutants(&plan)?;
    let selection = plan.asked(set.selection(plan.sample, plan.seed.unwrap_or_default())?);
    let source = Source {
        set: &*set,
        selection: &selection,
        folder: &args.run,
        filter: &Filter::all(),
        shard: None,
    };
    // For a network, each mutant would have to be composed once more.
    let stage = match plan.witness && mutated.lone_game().is_some() {
        true => mutated.stage(&plan, &mutated.page())?,
        false => None,
    };
    let mut pages = Pages {
        page: mutated.page(),
        player: stage.map(|stage| Player { stage, set: &*set }),
    };
    let bar = terminal.progress(selection.len());
    walk(source, &mut pages, &mut |done| bar.set_position(done))?;
    bar.finish_and_clear();
    let facts = PageFacts::of(&plan, &args.run, selection.len(), set.n_mutants());
    let page = pages.page;
    drop(set);
    let scenes = mutated.scenes();
    let suite = args.tests.suite.as_deref().map(|path| {
        let timer = Timer::new(args.limits.resolve());
        let bench = Bench::of_run(mutated, &plan, &args.run, None, timer, terminal)?;
        bench.page(path, &page, terminal)
    });
    write_file(&args.out, page.html(&facts, &scenes, suite.transpose()?.as_ref()))?;
    terminal.note(&format!(
        "{} in {}",
        counted(selection.len(), "mutant"),
        args.out.display()
    ));
    Ok(ExitCode::Yes)
}

/// The largest number of counterexamples that a page holds for playing: each takes some kilobytes. The others are only told in words.
const MOST_PLAYS: usize = 5_000;

/// Collects all mutants for a page.
pub struct Pages<'p> {
    /// The page with the mutants so far.
    pub page: RunPage,
    /// The maker of counterexamples for the page to play.
    pub player: Option<Player<'p>>,
}

/// Makes counterexamples to be played.
pub struct Player<'p> {
    stage: PlayedSpecification,
    set: &'p dyn MutantSet,
}

impl Sink for Pages<'_> {
    fn take(&mut self, kept: Vec<Kept>) -> Result<(), ExperimentError> {
        let player = self.player.as_ref().filter(|_| self.page.n_plays() < MOST_PLAYS);
        let play = |kept: &Kept| {
            let player = player.filter(|_| kept.record.witness.is_some())?;
            player.stage.play(player.set, &kept.mutant)
        };
        let plays: Vec<Option<Value>> = kept.par_iter().map(play).collect();
        for (kept, play) in kept.iter().zip(plays) {
            self.page.add(kept);
            if let Some(play) = play {
                self.page.add_play(play);
            }
        }
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<(), ExperimentError> {
        Ok(())
    }
}

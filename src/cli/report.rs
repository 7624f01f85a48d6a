//! `tamper report`.

use anyhow::Result;

use super::args::{GlobalArgs, ids_of, own_ids_of};
use super::dispatch::Call;
use super::door::{Subject, open};
use super::exit::ExitCode;
use super::given::Given;
use super::mutated::Mutated;
use super::network_args::OfRun;
use super::run_args::{ReportArgs, ReportRunArgs};
use super::suites::Bench;
use super::terminal::Terminal;
use super::{report_figures, report_results, systems};
use tamper::experiment::{ExperimentError, Filter, Kept, RunWorld, Sink, Source, Timer, walk, write_file};
use tamper::report::{PageFacts, RunPage};

/// Writes the page of a run, or of what a command printed.
pub fn report(args: &ReportArgs, given: &Given, global: &GlobalArgs, terminal: &Terminal) -> Result<ExitCode> {
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
    match open(&args.run)? {
        Subject::Run(_) => {}
        printed @ Subject::Printed(_) => {
            given.only(&[own_ids_of::<ReportArgs>()], &printed.name())?;
            return report_results::report(&args.run, &args.out, terminal);
        }
        other => return other.refused("report"),
    }
    match RunWorld::of(&args.run)? {
        RunWorld::Game | RunWorld::Network => report_run(args, global, terminal),
        RunWorld::Untimed => {
            let own = own_ids_of::<ReportArgs>();
            given.only(
                &[own, ids_of::<ReportRunArgs>()],
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
    let (mutated, plan) = Mutated::of_run(&args.run, asked, global, terminal)?;
    let set = mutated.mutants(&plan)?;
    let selection = set.selection(plan.sample, plan.seed.unwrap_or_default())?;
    let source = Source {
        set: &*set,
        selection: &selection,
        folder: &args.run,
        filter: &Filter::all(),
        shard: None,
    };
    let mut pages = Pages(mutated.page()?);
    let bar = terminal.progress(selection.len());
    walk(source, &mut pages, &mut |done| bar.set_position(done))?;
    bar.finish_and_clear();
    let facts = PageFacts::of(&plan, &args.run, selection.len(), set.n_mutants());
    drop(set);
    let scenes = mutated.scenes()?;
    let suite = args.tests.suite.as_deref().map(|path| {
        let timer = Timer::new(args.limits.resolve());
        let bench = Bench::of_run(mutated, &plan, (&args.run, None), timer, terminal)?;
        bench.page(path, &pages.0, terminal)
    });
    write_file(&args.out, pages.0.html(&facts, &scenes, suite.transpose()?.as_ref()))?;
    terminal.note(&format!("{} mutants in {}", selection.len(), args.out.display()));
    Ok(ExitCode::Yes)
}

/// All mutants, on their way to the page.
struct Pages(RunPage);

impl Sink for Pages {
    fn take(&mut self, kept: Vec<Kept>) -> Result<(), ExperimentError> {
        kept.iter().for_each(|kept| self.0.add(kept));
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<(), ExperimentError> {
        Ok(())
    }
}

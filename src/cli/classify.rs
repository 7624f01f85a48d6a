//! `tamper classify`.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use anyhow::{Result, bail};

use super::args::{Format, GlobalArgs, GuidelinesArg};
use super::constants;
use super::exit::ExitCode;
use super::game_args::{ClassifyArgs, ClassifyGameArgs};
use super::given::Given;
use super::interrupt;
use super::mutated::{Asked, Mutated};
use super::network_args::MutatedNetwork;
use super::network_run::{self, NetworkWorld};
use super::run_folder::{FolderRun, note_invalid, said_verified, stopped};
use super::terminal::Terminal;
use tamper::experiment::{
    Draw, Filter, Manifest, OutputDir, Plan, Prepared, Run, Source, StaticUse, Step, Summary, TABLE_BYTES, Verified,
    classes_of_run, tally, verify,
};
use tamper::game::{Semantics, Unmatched};
use tamper::guidelines;
use tamper::model::{Automaton, Location, Urgency};
use tamper::report::{classification_csv, classification_json, classification_text};

/// What is said when limits choose the engine.
const ENGINE_CHANGED: &str = "note: limits are those of single decisions, so each mutant is decided on its own \
    (--engine enumerate); the verdicts are the same, but it takes longer";

/// Decides the mutants of a model and shows the table.
pub fn classify(args: &ClassifyArgs, given: &Given, global: &GlobalArgs, terminal: &Terminal) -> Result<ExitCode> {
    if args.mutated.mutate.is_some() {
        given.only(&network_run::known(), "mutants of a network")?;
    }
    args.folder.records.check()?;
    let asked = Asked {
        file: &args.file,
        template: args.space.of.template.as_deref(),
        mutate: &args.mutated,
        network: &args.network,
        limits: &args.limits,
    };
    let mutated = Mutated::read(asked, None, global, terminal)?;
    match &mutated {
        Mutated::Network(network) => classify_network(args, &planned(args, &mutated)?, network, terminal),
        Mutated::Game(of) => match args.game.all_constants {
            Some(last) => constants::constants(of.game()?, last, args, terminal),
            None => {
                refuse(args, of.game()?)?;
                classify_game(args, planned(args, &mutated)?, of.game()?, terminal)
            }
        },
    }
}

fn classify_network(
    args: &ClassifyArgs,
    plan: &Plan,
    network: &MutatedNetwork,
    terminal: &Terminal,
) -> Result<ExitCode> {
    if plan.semantics.unmatched == Unmatched::Ignore && args.network.observe.is_some() {
        bail!("--observe gives each mutant an alphabet of its own, so unmatched actions cannot be ignored");
    }
    let timer = args.total.timer(plan.limits).until(interrupt::watch());
    let world = NetworkWorld::new(network, plan, args.decide.engine.resolve(), timer, terminal)?;
    let manifest = Manifest::new(plan, world.mutants.len(), world.selection.len()).with_network(network.scope());
    let in_folder = FolderRun {
        folder: &args.folder,
        manifest: &manifest,
        n_selected: world.selection.len(),
        terminal,
    };
    let output = in_folder.open()?;
    let mut draw = Draw::new(args.game.verify.unwrap_or(0), args.space.drawn.seed);
    let summary = in_folder.decide_drawing(world.run(), &output, &mut draw)?;
    let verified = args.game.verify.map(|_| world.verify(draw)).transpose()?;
    args.folder.records.write(output.path())?;
    world.conclude(&summary, verified.as_ref(), &output, terminal)
}

/// Refuses options that do not go together.
fn refuse(args: &ClassifyArgs, game: &Automaton) -> Result<()> {
    let ClassifyGameArgs {
        static_only,
        summary_only,
        duplicates,
        guidelines,
        ..
    } = args.game;
    if static_only && guidelines == GuidelinesArg::Extended {
        bail!("--static-only knows the published guidelines only: the extended ones explore the game");
    }
    if summary_only && guidelines == GuidelinesArg::Extended {
        bail!(
            "--summary-only knows the published guidelines only: the reasons of the extended ones are in the records"
        );
    }
    if duplicates && args.semantics.resolve().unmatched == Unmatched::Ignore {
        bail!("--duplicates needs --unmatched reject: with ignored actions, being the same is not transitive");
    }
    let is_committed = |location: &Arc<Location>| location.urgency == Urgency::Committed;
    if duplicates && game.is_atomic() && game.locations().iter().any(is_committed) {
        bail!(
            "--duplicates needs a refinement that is transitive, and comparing no inputs in committed locations is not"
        );
    }
    Ok(())
}

fn planned(args: &ClassifyArgs, mutated: &Mutated) -> Result<Plan> {
    Ok(Plan {
        statics: match (args.game.static_only, args.decide.no_static) {
            (true, _) => StaticUse::Only,
            (false, true) => StaticUse::Off,
            (false, false) => StaticUse::Use,
        },
        guidelines: args.game.guidelines.resolve(),
        witness: args.witness,
        shard: args.folder.shard,
        ..mutated.plan(&args.space, &args.semantics, &args.limits)?
    })
}

fn classify_game(args: &ClassifyArgs, plan: Plan, game: &Automaton, terminal: &Terminal) -> Result<ExitCode> {
    let started = Instant::now();
    let interrupt = interrupt::watch();
    let timer = args.total.timer(plan.limits).until(Arc::clone(&interrupt));
    let Prepared {
        space,
        selection,
        judge,
    } = Prepared::new(game, &plan, timer)?;
    let judge = judge.with_engine(args.decide.engine.resolve());
    let mut manifest = Manifest::new(&plan, space.len(), selection.len());
    if plan.statics != StaticUse::Only && judge.engine() != args.decide.engine.resolve() {
        terminal.note(ENGINE_CHANGED);
        manifest = manifest.with_engine(judge.engine());
    }
    let in_folder = FolderRun {
        folder: &args.folder,
        manifest: &manifest,
        n_selected: selection.len(),
        terminal,
    };
    let output = in_folder.open()?;
    let (selected, all) = (selection.len(), space.len());
    terminal.detail(&format!("{selected} of {all} mutants, semantics {}", plan.semantics));
    let run = Run {
        space: &space,
        selection: &selection,
        judge: &judge,
        rules: &guidelines::violated,
    };
    if args.game.summary_only {
        let summary = count(run, (&output, &interrupt), terminal)?;
        conclude(&summary, None, &output, terminal)?;
        closing_notes(&summary, &output, started, terminal);
        return Ok(exit_code(&summary, plan.statics));
    }
    let mut draw = Draw::new(args.game.verify.unwrap_or(0), args.space.drawn.seed);
    let summary = in_folder.decide_drawing(run, &output, &mut draw)?;
    let verified = args.game.verify.map(|_| verify(&run, draw)).transpose()?;
    if args.game.duplicates {
        write_classes(run, &output, plan.semantics, terminal)?;
    }
    args.folder.records.write(output.path())?;
    conclude(&summary, verified.as_ref(), &output, terminal)?;
    closing_notes(&summary, &output, started, terminal);
    Ok(match said_verified(verified.as_ref(), terminal) {
        true => exit_code(&summary, plan.statics),
        false => ExitCode::No,
    })
}

/// Counts the verdicts without records.
fn count(run: Run<'_>, (output, interrupt): (&OutputDir, &AtomicBool), terminal: &Terminal) -> Result<Summary> {
    let bar = terminal.progress(run.selection.len());
    let mut progress = |step: Step| {
        bar.set_length(step.n);
        bar.set_position(step.n_seen);
    };
    let counted = tally(run, output, TABLE_BYTES, &mut progress)?;
    bar.finish_and_clear();
    counted.ok_or_else(|| {
        let folder = output.path().display();
        stopped(&format!("the counts of whole passes are in {folder}"), interrupt)
    })
}

/// Writes the counts and shows the table.
pub(super) fn conclude(
    summary: &Summary,
    verified: Option<&Verified>,
    output: &OutputDir,
    terminal: &Terminal,
) -> Result<()> {
    let json = classification_json(summary, verified)?;
    output.write("summary.json", format!("{json}\n").as_bytes())?;
    output.write("summary.csv", classification_csv(summary)?.as_bytes())?;
    match terminal.format {
        Format::Json => terminal.result(&json)?,
        Format::Text => terminal.result(&classification_text(summary))?,
    }
    Ok(())
}

fn write_classes(run: Run<'_>, output: &OutputDir, semantics: Semantics, terminal: &Terminal) -> Result<()> {
    let bar = terminal.progress(run.selection.len());
    let source = Source {
        set: run.space,
        selection: run.selection,
        folder: output.path(),
        filter: &Filter::all(),
        shard: None,
    };
    let found = classes_of_run(run.space.base(), source, semantics, &mut |done| bar.set_position(done))?;
    bar.finish_and_clear();
    output.write("classes.csv", &found.to_csv()?)?;
    terminal.note(&format!(
        "{} mutants are {} different ones, {} of them worth a test (classes.csv)",
        found.ids.len(),
        found.classes.len(),
        found.n_worth_a_test()
    ));
    terminal.detail(&format!("pairs compared by the game: {}", found.classes.n_compared));
    Ok(())
}

pub(super) fn closing_notes(summary: &Summary, output: &OutputDir, started: Instant, terminal: &Terminal) {
    for id in summary.unsound() {
        terminal.message(&format!("unsound: {id} violates the guidelines and is non-subsumed"));
    }
    let total = summary.total();
    note_invalid(total, output, terminal);
    if !summary.methods().is_empty() {
        let methods = summary.methods().iter().map(|(method, n)| format!("{n} by {method}"));
        terminal.detail(&format!("decided: {}", methods.collect::<Vec<_>>().join(", ")));
        terminal.detail(&format!("explored: {} symbolic states", summary.states()));
    }
    let seconds = started.elapsed().as_secs_f64();
    let distinct = total.total - total.duplicates;
    terminal.note(&format!(
        "{} mutants, {distinct} distinct, in {seconds:.2} s; results in {}",
        total.total,
        output.path().display()
    ));
}

pub(super) fn exit_code(summary: &Summary, statics: StaticUse) -> ExitCode {
    let total = summary.total();
    if total.unsound > 0 {
        ExitCode::No
    } else if total.unknown > 0 && statics != StaticUse::Only {
        ExitCode::Unknown
    } else {
        ExitCode::Yes
    }
}

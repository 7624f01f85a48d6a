//! `tamper classify`.

use std::io::BufRead as _;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use anyhow::{Context as _, Result, bail};

use crate::cli::accepting::timed_mutants::{OlderRequest, TimedMutants};
use crate::cli::arguments::args::{Format, GlobalArgs, GuidelinesArg};
use crate::cli::arguments::game_args::{ClassifyArgs, ClassifyGameArgs, EngineArg, PropositionVisibility, StaticArg};
use crate::cli::exit::ExitCode;
use crate::cli::games::constants;
use crate::cli::games::run_folder::{FolderRun, note_invalid, said_verified, stopped};
use crate::cli::interrupt;
use crate::cli::models::mutated::MutatedModel;
use crate::cli::models::read_mutated::{MutatedRequest, read_mutated};
use crate::cli::models::timed_world::TimedWorld;
use crate::cli::terminal::{Terminal, counted};
use tamper::experiment::{
    AcceptedFound, Engine, Filter, MutantCertifier, OutputDir, Plan, Record, Run, Source, StaticUse, Step, Summary,
    TABLE_BYTES, Timer, Verdict, VerificationSample, Verified, certify_run, classes_of_run, open_lines, tally,
};
use tamper::game::Unmatched;
use tamper::model::{Automaton, Location, Urgency};
use tamper::report::{AcceptedVerdict, accepted_text, classification_csv, classification_json, classification_text};

/// The note that the limits are limits of single decisions, and so change the engine.
const ENGINE_CHANGED: &str = "note: limits are those of single decisions, so each mutant is decided on its own \
    (--engine enumerate); the verdicts are the same, but it takes longer";

/// Decides the mutants of a model and shows the table.
pub fn classify(args: &ClassifyArgs, global: &GlobalArgs, terminal: &Terminal) -> Result<ExitCode> {
    let asked = MutatedRequest {
        file: &args.file,
        template: args.space.of.template.as_deref(),
        mutate: &args.mutated,
        network: &args.network,
        limits: &args.limits,
    };
    if args.game.all_constants.is_none() {
        let none = Summary::new(&args.space.mutation.resolve(), args.space.of.order);
        interrupt::last_words(Some(shown(&none, None, None, &[], terminal)?));
    }
    let mut mutated = read_mutated(asked, None, global, terminal)?;
    if args.propositions.propositions == PropositionVisibility::Seen {
        if args.witness {
            bail!("--propositions seen: the counterexamples of a run do not show them; `tamper refine --witness` does");
        }
        mutated.see_propositions()?;
    }
    match (mutated.lone_game(), args.game.all_constants) {
        (None, Some(_)) => {
            bail!("--all-constants is for the clocks of one game: name it with --template, or `compose` the network")
        }
        (Some(_), Some(_)) if args.changed.changed_since.is_some() || args.accepted.accepted.is_some() => {
            bail!("--all-constants is about constants, not about mutants: leave out --accepted and --changed-since")
        }
        (Some(game), Some(last)) => constants::constants(game, last, args, terminal),
        (_, None) => {
            let mut plan = planned(args, &*mutated);
            let older = OlderRequest {
                asked,
                of_suite: None,
                global,
            };
            plan.only = by_content(&*mutated, &plan).changed(&args.changed, older, terminal)?;
            classify_mutants(args, &plan, &*mutated, terminal)
        }
    }
}

/// The mutants of the plan by what they change.
pub fn by_content<'m>(mutated: &'m dyn MutatedModel, plan: &'m Plan) -> TimedMutants<'m> {
    TimedMutants {
        model: mutated,
        options: &plan.mutation,
        order: plan.order,
    }
}

/// Refuses options that do not go together.
fn refuse(args: &ClassifyArgs, mutated: &dyn MutatedModel) -> Result<()> {
    let ClassifyGameArgs {
        statics,
        summary_only,
        duplicates,
        guidelines,
        ..
    } = args.game;
    let unmatched = args.semantics.resolve().unmatched;
    let is_network = mutated.lone_game().is_none();
    let static_only = statics == StaticArg::Only;
    if static_only
        && (summary_only || duplicates || args.witness || args.game.verify.is_some() || args.game.certify.is_some())
    {
        bail!(
            "--static only plays no game: --witness, --verify, --certify, --duplicates and --summary-only need games"
        );
    }
    if static_only && guidelines == GuidelinesArg::Extended {
        bail!("--static only knows the published guidelines only: the extended ones explore the game");
    }
    if summary_only && guidelines == GuidelinesArg::Extended {
        bail!(
            "--summary-only knows the published guidelines only: the reasons of the extended ones are in the records"
        );
    }
    if summary_only && is_network {
        bail!("--summary-only goes through mutants several times, and each mutant of a network has to be composed");
    }
    if is_network && unmatched == Unmatched::Ignore && args.network.observe.is_some() {
        bail!("--observe gives each mutant an alphabet of its own, so unmatched actions cannot be ignored");
    }
    if duplicates && unmatched == Unmatched::Ignore {
        bail!(
            "--duplicates needs --semantics strict or definition: with ignored actions, being the same is not transitive"
        );
    }
    Ok(())
}

/// Refuses to look for duplicate mutants if sameness is not transitive.
fn refuse_duplicates(game: &Automaton) -> Result<()> {
    let is_committed = |location: &Arc<Location>| location.urgency == Urgency::Committed;
    if game.is_atomic() && game.locations().iter().any(is_committed) {
        bail!(
            "--duplicates needs a refinement that is transitive, and comparing no inputs in committed locations is not"
        );
    }
    Ok(())
}

fn planned(args: &ClassifyArgs, mutated: &dyn MutatedModel) -> Plan {
    Plan {
        statics: match args.game.statics {
            StaticArg::Only => StaticUse::Only,
            StaticArg::Off => StaticUse::Off,
            StaticArg::Use => StaticUse::Use,
        },
        guidelines: args.game.guidelines.resolve(),
        witness: args.witness,
        shard: args.folder.shard,
        ..mutated.plan(&args.space, &args.semantics, &args.limits)
    }
}

/// The accepted mutants of a finished run, if it has records.
fn accepted(
    args: &ClassifyArgs,
    mutants: &TimedMutants<'_>,
    output: &OutputDir,
    terminal: &Terminal,
) -> Result<Vec<AcceptedVerdict>> {
    match args.game.summary_only {
        true => Ok(Vec::new()),
        false => accepted_in(output, &mutants.accepted(&args.accepted, &args.file, terminal)?),
    }
}

fn classify_mutants(
    args: &ClassifyArgs,
    plan: &Plan,
    mutated: &dyn MutatedModel,
    terminal: &Terminal,
) -> Result<ExitCode> {
    refuse(args, mutated)?;
    let started = Instant::now();
    let interrupt = interrupt::watch();
    let timer = args.total.timer(plan.limits).until(Arc::clone(&interrupt));
    let asked = match args.game.engine {
        EngineArg::Family => Engine::Family,
        EngineArg::Enumerate => Engine::Enumerate,
    };
    let world = mutated.world(plan, asked, timer, terminal)?;
    let (all, selected) = (world.set().n_mutants(), world.selection().len());
    let mut manifest = mutated.manifest(plan, all, selected);
    let other = world.engine().filter(|engine| *engine != asked);
    if let Some(engine) = other.filter(|_| plan.statics != StaticUse::Only) {
        terminal.note(ENGINE_CHANGED);
        manifest = manifest.with_engine(engine);
    }
    if args.game.duplicates {
        refuse_duplicates(world.specification())?;
    }
    let in_folder = FolderRun {
        folder: &args.folder,
        manifest: &manifest,
        n_selected: selected,
        terminal,
    };
    let output = in_folder.open()?;
    interrupt::last_words(None);
    terminal.detail(&format!("{selected} of {all} mutants, semantics {}", plan.semantics));
    let mut draw = VerificationSample::new(args.game.verify.unwrap_or(0), args.space.drawn.seed);
    let summary = match world.countable().filter(|_| args.game.summary_only) {
        Some(run) => count(run, &output, &interrupt, terminal)?,
        None => {
            let part = |part: &Summary, open| Ok(terminal.result(&shown(part, None, Some(open), &[], terminal)?)?);
            in_folder.decide(&*world, &output, &mut draw, &part)?
        }
    };
    let timer = Timer::new(plan.limits).until(Arc::clone(&interrupt));
    let is_certified = args.game.verify.is_some() || args.game.certify.is_some();
    let certifier = is_certified.then(|| MutantCertifier::new(world.set(), plan.semantics, &timer));
    let verified = args.game.verify.map(|_| {
        // Where the original has no certificate, the plain game decides all of the sample.
        let by_certificate = certifier.as_ref().and_then(|certifier| certifier.as_ref().ok());
        world.verify(draw, by_certificate)
    });
    let verified = verified.transpose()?;
    if args.game.duplicates {
        write_classes(&*world, plan, &output, terminal)?;
    }
    let certified = match (&args.game.certify, certifier) {
        (Some(folder), Some(certifier)) => write_certificates(&*world, &certifier?, (&output, folder), terminal)?,
        _ => ExitCode::Yes,
    };
    if let Some(only) = &plan.only {
        let n_same = all - only.len() as u64;
        terminal.note(&format!("not asked: {n_same} mutants at places that did not change"));
    }
    let table = RunTable {
        summary: &summary,
        accepted: &accepted(args, &by_content(mutated, plan), &output, terminal)?,
        verified: verified.as_ref(),
        statics: plan.statics,
        started,
    };
    Ok(table.conclude(&output, terminal)?.max(certified))
}

/// Counts the verdicts without records.
fn count(run: Run<'_>, output: &OutputDir, interrupt: &AtomicBool, terminal: &Terminal) -> Result<Summary> {
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

/// The accepted mutants of the run in `output` that are not known to be useless.
pub fn accepted_in(output: &OutputDir, found: &AcceptedFound) -> Result<Vec<AcceptedVerdict>> {
    let mut accepted = Vec::new();
    if found.reasons.is_empty() {
        return Ok(accepted);
    }
    let path = output.path().join("mutants.jsonl");
    for line in open_lines(&path)?.lines() {
        let record: Record = serde_json::from_str(&line?).with_context(|| path.display().to_string())?;
        accepted.extend(accepted_verdict(&record, found));
    }
    Ok(accepted)
}

/// A mutant as an accepted one, if it is accepted and not known to be useless.
pub fn accepted_verdict(record: &Record, found: &AcceptedFound) -> Option<AcceptedVerdict> {
    let is_useful = matches!(record.verdict, Verdict::NonSubsumed | Verdict::Unknown);
    let why = found.reasons.get(&record.id).filter(|_| is_useful)?;
    Some(AcceptedVerdict {
        id: record.id.clone(),
        verdict: record.verdict,
        why: why.clone(),
    })
}

fn write_classes(world: &dyn TimedWorld, plan: &Plan, output: &OutputDir, terminal: &Terminal) -> Result<()> {
    let bar = terminal.progress(world.selection().len());
    let source = Source {
        set: world.set(),
        selection: world.selection(),
        folder: output.path(),
        filter: &Filter::all(),
        shard: None,
    };
    let (semantics, timer) = (plan.semantics, Timer::new(plan.limits));
    let found = classes_of_run(world.specification(), semantics, source, &timer, &mut |done| {
        bar.set_position(done);
    })?;
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

/// Writes the certificates of a run, and answers whether each mutant has one that claims what the run found.
fn write_certificates(
    world: &dyn TimedWorld,
    certifier: &MutantCertifier<'_>,
    (output, folder): (&OutputDir, &Path),
    terminal: &Terminal,
) -> Result<ExitCode> {
    std::fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    let source = Source {
        set: world.set(),
        selection: world.selection(),
        folder: output.path(),
        filter: &Filter::all(),
        shard: None,
    };
    let bar = terminal.progress(world.selection().len());
    let certified = certify_run(certifier, source, folder, &mut |done| bar.set_position(done))?;
    bar.finish_and_clear();
    let average = certified.n_bytes / certified.n_certified.max(1);
    let folder = folder.display();
    terminal.note(&match certified.n_certified {
        0 => "no mutant has a certificate".to_owned(),
        n => format!(
            "{} of {average} bytes on average, in {}: `tamper verify {folder}` checks them, or `tamper-check {folder}/certificates-*.txt`",
            counted(n, "certificate"),
            counted(certified.n_files as u64, "file"),
        ),
    });
    for (why, n) in &certified.uncertified {
        terminal.note(&format!("without a certificate: {}: {why}", counted(*n, "mutant")));
    }
    for (id, found, claimed) in &certified.differences {
        terminal.message(&format!(
            "wrong: the run says that {id} is {found}, its certificate that it is {claimed}"
        ));
    }
    Ok(match certified.differences.is_empty() {
        false => ExitCode::No,
        true => ExitCode::known_if(certified.n_open == 0),
    })
}

/// The counts of a run, ready to be shown.
pub struct RunTable<'t> {
    pub summary: &'t Summary,
    /// The accepted mutants that are not known to be useless.
    pub accepted: &'t [AcceptedVerdict],
    /// The verdicts of the plain game on some of the mutants, compared with the run's.
    pub verified: Option<&'t Verified>,
    pub statics: StaticUse,
    /// The start of the run.
    pub started: Instant,
}

/// The counts of a run. If it ended early, `open` mutants are not decided, if they were counted.
fn shown(
    summary: &Summary,
    verified: Option<&Verified>,
    open: Option<u64>,
    accepted: &[AcceptedVerdict],
    terminal: &Terminal,
) -> Result<String> {
    Ok(match terminal.format {
        Format::Json => classification_json(summary, verified, open, accepted)?,
        Format::Text => classification_text(summary) + &accepted_text(accepted),
    })
}

impl RunTable<'_> {
    /// Writes the counts, shows them, and says how the run ended.
    pub fn conclude(&self, output: &OutputDir, terminal: &Terminal) -> Result<ExitCode> {
        let json = classification_json(self.summary, self.verified, Some(0), self.accepted)?;
        output.write("summary.json", format!("{json}\n").as_bytes())?;
        output.write("summary.csv", classification_csv(self.summary)?.as_bytes())?;
        let shown = shown(self.summary, self.verified, Some(0), self.accepted, terminal)?;
        terminal.result(&shown)?;
        self.closing_notes(output, terminal);
        let is_verified = said_verified(self.verified, terminal);
        Ok(if is_verified { self.exit_code() } else { ExitCode::No })
    }

    fn closing_notes(&self, output: &OutputDir, terminal: &Terminal) {
        let summary = self.summary;
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
        let seconds = self.started.elapsed().as_secs_f64();
        let distinct = total.total - total.duplicates;
        terminal.note(&format!(
            "{}, {distinct} distinct, in {seconds:.2} s; results in {}",
            counted(total.total, "mutant"),
            output.path().display()
        ));
    }

    fn exit_code(&self) -> ExitCode {
        let total = self.summary.total();
        let accepted = self.accepted.iter();
        let unknown = accepted.filter(|one| one.verdict == Verdict::Unknown).count() as u64;
        match total.unsound {
            0 => ExitCode::known_if(total.unknown == unknown || self.statics == StaticUse::Only),
            _ => ExitCode::No,
        }
    }
}

//! `tamper classify`.

use std::time::Instant;

use anyhow::{Context as _, Result, bail};

use super::args::{ClassifyArgs, Format, GlobalArgs};
use super::exit::ExitCode;
use super::load::Loaded;
use super::terminal::Terminal;
use crate::experiment::{
    Judge, Log, Manifest, OutputDir, Plan, Run, Selection, StaticUse, Summary, Timer, classify as run_mutants,
};
use crate::game::{Scratch, Specification, Verdict};
use crate::model::Automaton;
use crate::mutation::{MutantSpace, Order};
use crate::report::{classification_csv, classification_json, classification_text};

/// Decides the mutants of a game and shows the table.
pub fn classify(args: &ClassifyArgs, global: &GlobalArgs, terminal: &Terminal) -> Result<ExitCode> {
    let started = Instant::now();
    let loaded = Loaded::read(&args.file, &global.read_options(), terminal)?;
    let game = loaded.game(args.template.as_deref())?;
    let plan = plan(args, &loaded, game);
    let space = MutantSpace::new(game, &plan.mutation, plan.order)?;
    let selection = Selection::draw(space.len(), plan.sample, plan.seed);
    let judge = judge(game, &plan)?;
    let manifest = Manifest::new(&plan, space.len(), selection.len());
    let output = match args.resume {
        true => OutputDir::resume(&args.out, &manifest)?,
        false => OutputDir::create(&args.out, &manifest)?,
    };
    let mut log = Log::resume(&output)?;
    terminal.detail(&format!(
        "{} of {} mutants, semantics {}",
        selection.len(),
        space.len(),
        plan.semantics
    ));
    let bar = terminal.progress(selection.len());
    let run = Run {
        space: &space,
        selection: &selection,
        judge: &judge,
    };
    let summary = run_mutants(run, &mut log, &mut |done| bar.set_position(done))?;
    bar.finish_and_clear();
    let json = classification_json(&summary)?;
    output.write("summary.json", format!("{json}\n").as_bytes())?;
    output.write("summary.csv", classification_csv(&summary)?.as_bytes())?;
    match terminal.format {
        Format::Json => terminal.result(&json)?,
        Format::Text => terminal.result(&classification_text(&summary))?,
    }
    closing_notes(&summary, &output, started, terminal);
    Ok(exit_code(&summary, plan.statics))
}

fn plan(args: &ClassifyArgs, loaded: &Loaded, game: &Automaton) -> Plan {
    Plan {
        model: loaded.model_ref(game),
        input_enabled: game.is_input_enabled(),
        order: if args.order == 1 { Order::First } else { Order::Second },
        mutation: args.mutation.resolve(),
        semantics: args.semantics.resolve(),
        statics: match (args.static_only, args.no_static) {
            (true, _) => StaticUse::Only,
            (false, true) => StaticUse::Off,
            (false, false) => StaticUse::Use,
        },
        sample: args.sample,
        seed: args.seed,
        limits: args.limits.resolve(),
        witness: args.witness,
    }
}

/// Who decides. Where games are played, the game itself is the first scenario: it must be consistent and refine itself.
fn judge(game: &Automaton, plan: &Plan) -> Result<Judge> {
    let timer = Timer::new(plan.limits);
    if plan.statics == StaticUse::Only {
        return Ok(Judge::by_rules_only(plan.semantics.prune, timer));
    }
    let specification = Specification::prepare(game, plan.semantics, &timer.budget())?;
    let name = game.name();
    let decision = specification
        .decide(game, &timer.budget(), &mut Scratch::default())
        .with_context(|| format!("`{name}` has no meaning"))?;
    match decision.verdict {
        Verdict::Subsumed => Ok(Judge::new(specification, plan.statics, plan.witness, timer)),
        Verdict::Unknown(reason) => bail!("the limits are too small for `{name}` itself: {reason}"),
        Verdict::Inconsistent | Verdict::NonSubsumed => {
            bail!("`{name}` was not found to refine itself; this is an error of tamper: please report it")
        }
    }
}

fn closing_notes(summary: &Summary, output: &OutputDir, started: Instant, terminal: &Terminal) {
    for id in summary.unsound() {
        terminal.message(&format!("unsound: {id} violates the guidelines and is non-subsumed"));
    }
    let total = summary.total();
    if total.error > 0 {
        let list = output.path().join("error.txt");
        terminal.note(&format!(
            "{} mutants have no meaning: see {}",
            total.error,
            list.display()
        ));
    }
    let seconds = started.elapsed().as_secs_f64();
    let distinct = total.total - total.duplicates;
    terminal.note(&format!(
        "{} mutants, {distinct} distinct, in {seconds:.2} s; results in {}",
        total.total,
        output.path().display()
    ));
}

fn exit_code(summary: &Summary, statics: StaticUse) -> ExitCode {
    let total = summary.total();
    if total.unsound > 0 {
        ExitCode::No
    } else if total.unknown > 0 && statics != StaticUse::Only {
        ExitCode::Unknown
    } else {
        ExitCode::Yes
    }
}

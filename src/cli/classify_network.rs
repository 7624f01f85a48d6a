//! `tamper classify --mutate`: mutants of a network.

use std::sync::Arc;

use anyhow::{Context as _, Result, bail};
use clap::Id;
use serde_json::{Value, json};

use super::args::{
    Format, LimitArgs, MutationArgs, ReadingArgs, SampleArgs, SemanticsArgs, TotalArgs, ids_of, own_ids_of,
};
use super::classify::note_invalid;
use super::exit::{ExitCode, LimitHit};
use super::game_args::{ClassifyArgs, DecideArgs, RunFolderArgs};
use super::given::Given;
use super::network_args::{MutateArgs, MutatedNetwork, NetworkArgs};
use super::prepare::plan;
use super::terminal::Terminal;
use tamper::experiment::{
    Log, Manifest, NetworkJudge, NetworkRun, NetworkSettings, NetworkSummary, OutputDir, Plan, Selection, StaticUse,
    classify as run_world,
};
use tamper::game::Unmatched;
use tamper::mutation::Order;
use tamper::report::{classification_csv, classification_json, classification_text, hidden_text, masking_text};

/// Judges the mutants of a network and shows the table.
pub fn classify(args: &ClassifyArgs, given: &Given, terminal: &Terminal) -> Result<ExitCode> {
    given.only(&known(), "mutants of a network")?;
    args.folder.records.check()?;
    let mutated = MutatedNetwork::read(&args.file, &args.network, &args.mutated, terminal)?;
    let semantics = args.semantics.resolve();
    if semantics.unmatched == Unmatched::Ignore && args.network.observe.is_some() {
        bail!("--observe gives each mutant an alphabet of its own, so unmatched actions cannot be ignored");
    }
    let plan = planned(args, &mutated);
    let mutants = mutated.mutants(&plan.mutation)?;
    let total = mutants.len();
    let selection = Selection::of_each(total, plan.sample, plan.seed);
    let settings = NetworkSettings {
        semantics,
        statics: plan.statics,
        witness: plan.witness,
        engine: args.decide.engine.resolve(),
    };
    let counting = terminal.counting("composing the original");
    let timer = args.total.timer(plan.limits).watched(Arc::clone(&counting.states));
    let judge = NetworkJudge::new(mutated.viewed(), &mutated.components, settings, timer)
        .with_context(|| format!("{} cannot be judged", args.file.display()))?;
    drop(counting);
    let manifest = Manifest::new(&plan, total, selection.len()).with_network(mutated.scope());
    let output = match args.folder.resume {
        true => OutputDir::resume(&args.folder.out, &manifest)?,
        false => OutputDir::create(&args.folder.out, &manifest)?,
    };
    let mut log = Log::resume(&output)?;
    let bar = terminal.progress(selection.len());
    let run = NetworkRun {
        judge: &judge,
        mutants: &mutants,
        options: &plan.mutation,
        selection: &selection,
    };
    let summary = run_world(run, &mut log, &mut |done| bar.set_position(done))?;
    bar.finish_and_clear();
    let n_done = summary.counts.total().total;
    if n_done < selection.len() {
        let text = format!(
            "the time is up (--total-timeout): {n_done} of {} mutants are in {}; --resume goes on from there",
            selection.len(),
            output.path().display()
        );
        return Err(LimitHit(text).into());
    }
    args.folder.records.write(output.path())?;
    let reasons = (0..mutated.components.len()).map(|at| judge.why_not_alone(at).map(str::to_owned));
    show(&summary, &reasons.collect::<Vec<_>>(), &output, terminal)
}

/// The options that have a meaning here.
fn known() -> [Vec<Id>; 11] {
    [
        own_ids_of::<ClassifyArgs>(),
        ids_of::<MutateArgs>(),
        ids_of::<NetworkArgs>(),
        ids_of::<MutationArgs>(),
        ids_of::<SampleArgs>(),
        ids_of::<DecideArgs>(),
        ids_of::<RunFolderArgs>(),
        ids_of::<SemanticsArgs>(),
        ids_of::<LimitArgs>(),
        ids_of::<TotalArgs>(),
        ids_of::<ReadingArgs>(),
    ]
}

fn planned(args: &ClassifyArgs, mutated: &MutatedNetwork) -> Plan {
    Plan {
        order: Order::FIRST,
        statics: if args.decide.no_static {
            StaticUse::Off
        } else {
            StaticUse::Use
        },
        witness: args.witness,
        ..plan(
            (mutated.model.clone(), false),
            &args.space,
            (&args.semantics, &args.limits),
        )
    }
}

fn show(
    summary: &NetworkSummary,
    reasons: &[Option<String>],
    output: &OutputDir,
    terminal: &Terminal,
) -> Result<ExitCode> {
    let counts = &summary.counts;
    let mut json: Value = serde_json::from_str(&classification_json(counts, None)?)?;
    let processes = summary.processes.iter().zip(reasons).map(|(process, reason)| {
        let mut entry = json!(process);
        if let Some(reason) = reason {
            entry["why_not_alone"] = json!(reason);
        }
        entry
    });
    json["processes"] = processes.collect();
    json["hidden"] = json!(summary.hidden);
    let json = serde_json::to_string_pretty(&json)?;
    output.write("summary.json", format!("{json}\n").as_bytes())?;
    output.write("summary.csv", classification_csv(counts)?.as_bytes())?;
    match terminal.format {
        Format::Json => terminal.result(&json)?,
        Format::Text => {
            let table = classification_text(counts);
            let hidden = hidden_text(summary.hidden);
            terminal.result(&format!(
                "{table}\n{}{hidden}",
                masking_text(&summary.processes, reasons)
            ))?;
        }
    }
    for id in counts.unsound() {
        terminal.message(&format!("unsound: {id} violates the guidelines and is non-subsumed"));
    }
    let total = counts.total();
    note_invalid(total, output, terminal);
    terminal.note(&format!(
        "{} mutants; results in {}",
        total.total,
        output.path().display()
    ));
    Ok(match (total.unsound, total.unknown) {
        (0, 0) => ExitCode::Yes,
        (0, _) => ExitCode::Unknown,
        _ => ExitCode::No,
    })
}

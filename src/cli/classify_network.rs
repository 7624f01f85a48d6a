//! `tamper classify --mutate`: mutants of a network.

use std::sync::Arc;

use anyhow::{Context as _, Result, bail};
use clap::Id;
use serde_json::{Value, json};

use super::args::{
    Format, LimitArgs, MutationArgs, ReadingArgs, SampleArgs, SemanticsArgs, TotalArgs, ids_of, own_ids_of,
};
use super::classify::note_invalid;
use super::exit::ExitCode;
use super::game_args::{ClassifyArgs, DecideArgs, RunFolderArgs};
use super::given::Given;
use super::interrupt;
use super::manifests::other_version;
use super::network_args::{MutateArgs, MutatedNetwork, NetworkArgs};
use super::prepare::plan;
use super::run_args::MergeArgs;
use super::run_folder::{FolderRun, decide};
use super::terminal::Terminal;
use tamper::experiment::{
    Engine, Manifest, NetworkJudge, NetworkMutants, NetworkRun, NetworkSettings, NetworkSummary, OutputDir, Plan,
    Selection, Shares, StaticUse, Timer,
};
use tamper::game::Unmatched;
use tamper::mutation::Order;
use tamper::report::{classification_csv, classification_json, classification_text, hidden_text, masking_text};

/// Judges the mutants of a network and shows the table.
pub fn classify(args: &ClassifyArgs, given: &Given, terminal: &Terminal) -> Result<ExitCode> {
    given.only(&known(), "mutants of a network")?;
    args.folder.records.check()?;
    let mutated = MutatedNetwork::read(&args.file, &args.network, &args.mutated, terminal)?;
    if args.semantics.resolve().unmatched == Unmatched::Ignore && args.network.observe.is_some() {
        bail!("--observe gives each mutant an alphabet of its own, so unmatched actions cannot be ignored");
    }
    let plan = planned(args, &mutated);
    let timer = args.total.timer(plan.limits).until(interrupt::watch());
    let engine = args.decide.engine.resolve();
    let world = NetworkWorld::new(&mutated, &plan, (engine, timer), terminal)?;
    let in_folder = FolderRun {
        folder: &args.folder,
        manifest: &world.manifest(),
        n_selected: world.selection.len(),
        terminal,
    };
    let output = in_folder.open()?;
    let summary = in_folder.decide(world.run(), &output)?;
    args.folder.records.write(output.path())?;
    world.show(&summary, &output, terminal)
}

/// Makes one run on mutants of a network of its shares.
pub fn merge(args: &MergeArgs, terminal: &Terminal) -> Result<ExitCode> {
    let folder = &args.dirs[0];
    let shares = Shares::<Manifest>::open(&args.dirs)?;
    let plan = shares.common().plan().with_context(|| other_version(folder))?;
    let mutated = MutatedNetwork::of_shares(args.run.model.as_deref(), &args.network, folder, terminal)?;
    let world = NetworkWorld::new(&mutated, &plan, (Engine::Family, Timer::new(plan.limits)), terminal)?;
    let records = shares.records(&world.selection)?;
    let output = OutputDir::create(&args.folder.out, &shares.manifest(&world.selection))?;
    let n_selected = world.selection.len();
    let summary = decide(world.run(), &mut records.into_log(&output)?, n_selected, terminal)?;
    args.run.records.write(output.path())?;
    world.show(&summary, &output, terminal)
}

/// Mutants of a network, those that are looked at, and who judges them.
struct NetworkWorld<'m> {
    mutated: &'m MutatedNetwork,
    plan: &'m Plan,
    mutants: NetworkMutants<'m>,
    selection: Selection,
    judge: NetworkJudge<'m>,
}

impl<'m> NetworkWorld<'m> {
    fn new(mutated: &'m MutatedNetwork, plan: &'m Plan, how: (Engine, Timer), terminal: &Terminal) -> Result<Self> {
        let (engine, timer) = how;
        let mutants = mutated.mutants(&plan.mutation)?;
        let settings = NetworkSettings {
            semantics: plan.semantics,
            statics: plan.statics,
            witness: plan.witness,
            engine,
        };
        let counting = terminal.counting("composing the original");
        let timer = timer.watched(Arc::clone(&counting.states));
        let judge = NetworkJudge::new(mutated.viewed(), &mutated.components, settings, timer)
            .with_context(|| format!("{} cannot be judged", mutated.model.file))?;
        Ok(Self {
            selection: Selection::of_each(mutants.len(), plan.sample, plan.seed).share(plan.shard),
            mutated,
            plan,
            mutants,
            judge,
        })
    }

    fn manifest(&self) -> Manifest {
        let manifest = Manifest::new(self.plan, self.mutants.len(), self.selection.len());
        manifest.with_network(self.mutated.scope())
    }

    fn run(&self) -> NetworkRun<'_> {
        NetworkRun {
            judge: &self.judge,
            mutants: &self.mutants,
            options: &self.plan.mutation,
            selection: &self.selection,
        }
    }

    fn show(&self, summary: &NetworkSummary, output: &OutputDir, terminal: &Terminal) -> Result<ExitCode> {
        let components = 0..self.mutated.components.len();
        let reasons = components.map(|at| self.judge.why_not_alone(at).map(str::to_owned));
        show(summary, &reasons.collect::<Vec<_>>(), output, terminal)
    }
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
        shard: args.folder.shard,
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

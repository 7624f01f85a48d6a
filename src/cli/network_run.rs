//! Mutants of a network: judged, and shown with what the rest of the network masks.

use std::sync::Arc;

use anyhow::Result;
use clap::Id;
use serde_json::{Value, json};

use super::args::{
    Format, LimitArgs, MutationArgs, ReadingArgs, SampleArgs, SemanticsArgs, TotalArgs, ids_of, own_ids_of,
};
use super::exit::ExitCode;
use super::game_args::{ClassifyArgs, DecideArgs, RunFolderArgs};
use super::network_args::{MutateArgs, MutatedNetwork, NetworkArgs};
use super::run_folder::{note_invalid, said_verified};
use super::terminal::Terminal;
use tamper::experiment::{
    Draw, Engine, NetworkJudge, NetworkMutants, NetworkRun, NetworkSettings, NetworkSummary, OutputDir, Plan,
    Selection, StaticUse, Timer, Verified, verify,
};
use tamper::report::{classification_csv, classification_json, classification_text, hidden_text, masking_text};

/// Mutants of a network, those that are looked at, and who judges them.
pub struct NetworkWorld<'m> {
    mutated: &'m MutatedNetwork,
    plan: &'m Plan,
    /// All its mutants.
    pub mutants: NetworkMutants<'m>,
    /// Those that are looked at.
    pub selection: Selection,
    judge: NetworkJudge<'m>,
}

impl<'m> NetworkWorld<'m> {
    /// The mutants that `plan` is about.
    pub fn new(
        mutated: &'m MutatedNetwork,
        plan: &'m Plan,
        engine: Engine,
        timer: Timer,
        terminal: &Terminal,
    ) -> Result<Self> {
        let mutants = mutated.mutants(&plan.mutation)?;
        let settings = NetworkSettings {
            semantics: plan.semantics,
            statics: plan.statics,
            witness: plan.witness,
            engine,
        };
        let counting = terminal.counting("composing the original");
        Ok(Self {
            selection: Selection::of_each(mutants.len(), plan.sample, plan.seed).share(plan.shard),
            judge: mutated.judge(settings, timer.watched(Arc::clone(&counting.states)))?,
            mutated,
            plan,
            mutants,
        })
    }

    /// What is to be done.
    pub fn run(&self) -> NetworkRun<'_> {
        NetworkRun {
            judge: &self.judge,
            mutants: &self.mutants,
            options: &self.plan.mutation,
            selection: &self.selection,
        }
    }

    /// Decides the mutants of `draw` again, each on its own.
    pub fn verify(&self, draw: Draw) -> Result<Verified> {
        let settings = NetworkSettings {
            semantics: self.plan.semantics,
            statics: StaticUse::Off,
            witness: false,
            engine: Engine::Enumerate,
        };
        let judge = self.mutated.judge(settings, Timer::new(self.plan.limits))?;
        let run = NetworkRun {
            judge: &judge,
            ..self.run()
        };
        Ok(verify(&run, draw)?)
    }

    /// Writes the counts and shows the table.
    pub fn conclude(
        &self,
        summary: &NetworkSummary,
        verified: Option<&Verified>,
        output: &OutputDir,
        terminal: &Terminal,
    ) -> Result<ExitCode> {
        let components = 0..self.mutated.components.len();
        let reasons = components.map(|at| self.judge.why_not_alone(at).map(str::to_owned));
        let code = show(summary, &reasons.collect::<Vec<_>>(), verified, output, terminal)?;
        Ok(match (said_verified(verified, terminal), self.plan.statics, code) {
            (false, ..) => ExitCode::No,
            (true, StaticUse::Only, ExitCode::Unknown) => ExitCode::Yes,
            (true, _, code) => code,
        })
    }
}

/// The options that have a meaning here.
pub fn known() -> [Vec<Id>; 12] {
    [
        vec![Id::from("verify"), Id::from("static_only")],
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

fn show(
    summary: &NetworkSummary,
    reasons: &[Option<String>],
    verified: Option<&Verified>,
    output: &OutputDir,
    terminal: &Terminal,
) -> Result<ExitCode> {
    let counts = &summary.counts;
    let mut json: Value = serde_json::from_str(&classification_json(counts, verified)?)?;
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

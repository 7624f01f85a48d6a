//! `tamper classify` of an untimed system.

use std::ops::Range;
use std::path::Path;

use anyhow::{Context as _, Result, bail};

use super::actions;
use super::load::{MutatedFile, missing, read, states};
use crate::cli::accepting::args::AcceptedArgs;
use crate::cli::accepting::rows::{asked, found};
use crate::cli::arguments::game_args::{ClassifyArgs, RunFolderArgs};
use crate::cli::exit::{ExitCode, LimitHit};
use crate::cli::games::classify::accepted_verdict;
use crate::cli::games::run_folder::{FolderRun, decide};
use crate::cli::interrupt;
use crate::cli::machines::read_with_places;
use crate::cli::terminal::{Terminal, counted};
use tamper::experiment::{
    AcceptedFound, ExperimentError, Log, Mutants, OutputDir, Record, Sample, Selection, Timer, Verdict,
    VerificationSample, changed,
};
use tamper::formats::machines::{MachineOptions, Unspecified};
use tamper::formats::{SystemFormat, read_input};
use tamper::mutation::Order;
use tamper::report::systems::UntimedTable;
use tamper::untimed::{
    SystemRef, Untimed, UntimedManifest, UntimedMutants, UntimedPlan, UntimedRun, UntimedSettings, UntimedWorld,
};

/// Decides the mutants of a system and shows the table; writes a run if a folder is named.
pub fn classify(file: &MutatedFile, args: &ClassifyArgs, is_run: bool, terminal: &Terminal) -> Result<ExitCode> {
    let drawn = args.space.drawn;
    if drawn.sample == Some(Sample::Paper) {
        bail!(
            "the sample `paper` is drawn from pairs of operators of timed games: give a number of mutants or a percentage"
        );
    }
    let mut plan = UntimedPlan {
        world: world_of(file),
        model: system_ref(file)?,
        names: file.names(),
        order: args.space.of.order,
        complete: args.machine.fills(),
        sample: drawn.sample,
        seed: drawn.sample.map(|_| drawn.seed),
        only: None,
        shard: args.folder.shard,
        limits: args.limits.resolve(),
        witness: args.witness,
    };
    let timer = args.total.timer(plan.limits);
    let timer = match is_run {
        true => timer.until(interrupt::watch()),
        false => timer,
    };
    let made = untimed(file, &plan, timer, terminal)?;
    if let Some(older) = args.changed.older(file.path())? {
        let was = mutants_of(&file.at(&older.path), plan.order, plan.complete, &terminal.quietly());
        let was = was.with_context(|| older.context())?;
        let changed = with_mutants(&was, |was| with_mutants(&made.mutants, |now| Ok(changed(was, now)?)))?;
        let n_same = made.mutants.len() - changed.len() as u64;
        terminal.note(&format!("not asked: {n_same} mutants at places that did not change"));
        plan.only = Some(changed.into_keys().collect());
    }
    let decided = PlannedMutants::new(made, plan).accepting(&args.accepted, file.path(), terminal)?;
    match is_run {
        true => decided.run(&args.folder, terminal),
        false => {
            let records = decided.decide(&mut Log::nowhere(), terminal)?;
            let n_all = decided.selection().len();
            if (records.len() as u64) < n_all {
                decided.show(&records, terminal)?;
                let text = format!(
                    "the time is up (--total-timeout) with {} of {n_all} mutants decided",
                    records.len()
                );
                return Err(LimitHit(text).into());
            }
            decided.show(&records, terminal)
        }
    }
}

/// The kind of the system in `file`.
pub fn world_of(file: &MutatedFile) -> UntimedWorld {
    match file {
        MutatedFile::Untimed(file) if file.format == SystemFormat::Actions => UntimedWorld::ActionSystem,
        MutatedFile::Untimed(_) => UntimedWorld::TransitionSystem,
        MutatedFile::Machine(_) => UntimedWorld::StateMachine,
    }
}

/// The reference to the system of `file` in a manifest.
pub fn system_ref(file: &MutatedFile) -> Result<SystemRef> {
    let bytes = read_input(file.path(), file.wanted())?;
    Ok(SystemRef {
        file: file.path().display().to_string(),
        hash: blake3::hash(&bytes).to_hex().to_string(),
    })
}

/// The reason why there are no mutants of that order.
pub fn too_high(order: u8) -> String {
    format!("mutants of untimed systems are of order 1 or 2, not {order}")
}

/// The mutants of that order of the system in `file`.
pub fn mutants_of(file: &MutatedFile, order: Order, complete: bool, terminal: &Terminal) -> Result<UntimedMutants> {
    let order = order.number();
    let too_high = || too_high(order);
    match file {
        MutatedFile::Untimed(file) if file.format == SystemFormat::Actions => {
            UntimedMutants::of_actions(actions::read(&file.path)?, order).with_context(too_high)
        }
        MutatedFile::Untimed(file) => UntimedMutants::of_system(read(file, terminal)?, order).with_context(too_high),
        MutatedFile::Machine(file) => {
            let mut options = MachineOptions::default();
            if complete {
                options.unspecified = Unspecified::Fill;
            }
            let read = read_with_places(file, &options, terminal)?;
            let n_machines = read.machine.n_machines();
            UntimedMutants::of_machine(read).with_context(|| {
                let path = file.path.display();
                format!(
                    "{path} stands for {n_machines} machines, too many to be numbered: `tamper coverage {path}` decides about all of them together"
                )
            })
        }
    }
}

/// The mutants of the system in `file`, and their judge.
pub fn untimed(file: &MutatedFile, plan: &UntimedPlan, timer: Timer, terminal: &Terminal) -> Result<Untimed> {
    let mutants = mutants_of(file, plan.order, plan.complete, terminal)?;
    let explored = |system| -> Result<_> {
        let states = states(system, plan.complete, &timer.budget())?.map_err(|reason| {
            let name = file.path().display();
            LimitHit(format!("the states of {name} are not known: {reason}"))
        })?;
        Ok((states, missing(plan.complete)))
    };
    let specification = mutants.transition_system().map(explored).transpose()?;
    let witness = plan.witness;
    Ok(Untimed::new(mutants, specification, UntimedSettings { timer, witness }))
}

/// Mutants, and the plan by which they are decided.
pub struct PlannedMutants {
    pub untimed: Untimed,
    pub plan: UntimedPlan,
    /// The mutants that the user accepts.
    accepted: AcceptedFound,
}

impl PlannedMutants {
    /// The mutants that the plan is about, none of them accepted.
    pub fn new(untimed: Untimed, plan: UntimedPlan) -> Self {
        Self {
            untimed,
            plan,
            accepted: AcceptedFound::default(),
        }
    }

    /// The same, with the accepted ones of the system in `file`; rows that accept none are named.
    pub fn accepting(self, args: &AcceptedArgs, file: &Path, terminal: &Terminal) -> Result<Self> {
        let rows = args.rows(file)?;
        if rows.is_empty() {
            return Ok(self);
        }
        let operators = self.plan.world.operators();
        let asked = asked(&operators, self.plan.order);
        let accepted = with_mutants(&self.untimed.mutants, |mutants| found(&rows, mutants, asked, terminal))?;
        Ok(Self { accepted, ..self })
    }

    /// The selected mutants.
    pub fn selection(&self) -> Selection {
        self.plan.selection(self.untimed.mutants.len())
    }

    fn run(&self, folder: &RunFolderArgs, terminal: &Terminal) -> Result<ExitCode> {
        let selection = self.selection();
        let run = FolderRun {
            folder,
            manifest: &UntimedManifest::new(&self.plan, self.untimed.mutants.len(), selection.len()),
            n_selected: selection.len(),
            terminal,
        };
        let output = run.open()?;
        let mut draw = VerificationSample::new(0, 0);
        let part = |part: &Vec<Record>, _| self.show(part, terminal).map(|_| ());
        let records = run.decide(self.of(&selection), &output, &mut draw, &part)?;
        self.finish(&records, &output, terminal)
    }

    fn of<'r>(&'r self, selection: &'r Selection) -> UntimedRun<'r> {
        UntimedRun {
            untimed: &self.untimed,
            selection,
        }
    }

    /// Decides the selected mutants after the records in `log`. Returns the records: fewer than the selected mutants if the time was up.
    pub fn decide(&self, log: &mut Log, terminal: &Terminal) -> Result<Vec<Record>> {
        let selection = self.selection();
        decide(self.of(&selection), log, selection.len(), terminal)
    }

    /// Writes the counts, and shows the table.
    pub fn finish(&self, records: &[Record], output: &OutputDir, terminal: &Terminal) -> Result<ExitCode> {
        let table = self.table(records);
        let json = serde_json::to_string_pretty(&table.json(false))?;
        output.write("summary.json", format!("{json}\n").as_bytes())?;
        output.write("summary.csv", table.csv()?.as_bytes())?;
        let code = self.show(records, terminal)?;
        let folder = output.path().display();
        terminal.note(&format!("{}; results in {folder}", counted(records.len(), "mutant")));
        Ok(code)
    }

    fn table<'r>(&self, records: &'r [Record]) -> UntimedTable<'r> {
        UntimedTable {
            world: self.plan.world,
            records,
            accepted: records
                .iter()
                .filter_map(|record| accepted_verdict(record, &self.accepted))
                .collect(),
        }
    }

    fn show(&self, records: &[Record], terminal: &Terminal) -> Result<ExitCode> {
        let (table, witness) = (self.table(records), self.plan.witness);
        terminal.answer(|| table.json(witness), || table.text(witness))?;
        let is_open =
            |record: &Record| record.verdict == Verdict::Unknown && !self.accepted.reasons.contains_key(&record.id);
        Ok(ExitCode::known_if(!records.iter().any(is_open)))
    }
}

/// Hands the mutants to `ask`, by what they change.
pub fn with_mutants<T>(mutants: &UntimedMutants, ask: impl FnOnce(&Mutants<'_>) -> Result<T>) -> Result<T> {
    let one = |number| match mutants.mutant(number) {
        Some(mutant) => Ok(mutant.described(number)),
        None => Err(ExperimentError::no_mutant(number)),
    };
    ask(&Mutants {
        len: mutants.len(),
        described: &|range: Range<u64>| range.map(one).collect(),
    })
}

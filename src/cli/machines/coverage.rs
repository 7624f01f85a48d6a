//! `tamper coverage`.

use std::path::Path;

use anyhow::Result;
use serde::Serialize;

use crate::cli::arguments::coverage_args::{CoverageArgs, FaultsArg, ShowArg, SuiteArg};
use crate::cli::arguments::parse::name_of;
use crate::cli::door::MachineFile;
use crate::cli::exit::ExitCode;
use crate::cli::machines::coverage_proof::{check_proof, formula_format, write_files};
use crate::cli::machines::coverage_smallest::coverage_smallest;
use crate::cli::models::load::once;
use crate::cli::terminal::Terminal;
use tamper::experiment::{
    CoverageLists, CoveragePlan, CoverageProgress, CoverageRun, Journal, JournalFile, JournalKey, Limits, Steps, Timer,
    cover, write_file,
};
use tamper::formats::machines::{MachineOptions, ReadMachine, read_machine, read_suite, write_suite};
use tamper::formats::{FileKind, read_input};
use tamper::machines::{Answer, Faults, InputId, MutationMachine, Strategy};
use tamper::report::{coverage_json, coverage_text};

/// Decides whether a suite is complete, and completes it on request.
pub fn coverage(file: &MachineFile, args: &CoverageArgs, terminal: &Terminal) -> Result<ExitCode> {
    args.check()?;
    let (machine, suite, key) = read(file, args, terminal)?;
    let mutants = machine.n_machines() - 1_u32;
    if let Some(path) = &args.of_machine.check_proof {
        return check_proof(path, &machine, &suite, terminal);
    }
    if args.suites.contains(&SuiteArg::Smallest) {
        return coverage_smallest(args, &machine, terminal);
    }
    formula_format(args)?;
    let mut steps = open_journal(args, &key)?;
    let timer = args.timer();
    machine.keep_to(&timer.budget());
    let status = terminal.status();
    let plan = CoveragePlan {
        complete: args.completes(),
        minimise: args.suites.contains(&SuiteArg::Minimised),
        prioritise: args.suites.contains(&SuiteArg::Prioritised),
        count: args.shown.contains(&ShowArg::Count),
        lists: CoverageLists {
            survivors: args.lists(&mutants, ShowArg::Survivors),
            conforming: args.lists(&mutants, ShowArg::Conforming),
            formula: args.of_machine.formula.is_some(),
            proof: args.of_machine.proof.is_some(),
        },
        watch: status.is_some(),
        budget: timer.budget(),
    };
    let run = cover(&machine, &suite, &plan, &mut steps, &mut |progress| {
        if let Some(status) = &status {
            status.set_message(progress_text(progress, &machine));
        }
    })?;
    if let Some(status) = status {
        status.finish_and_clear();
    }
    write_files(args, &machine, &run.listed, terminal)?;
    show(args, &machine, &run, terminal)?;
    let is_bounded = run.counts.as_ref().is_some_and(|counts| counts.stopped.is_some());
    Ok(match run.answer {
        Answer::Unknown(_) => ExitCode::Unknown,
        _ if is_bounded || matches!(run.first_kills, Some(Err(_))) => ExitCode::Unknown,
        Answer::Complete if run.still_needless.is_some() => ExitCode::Unknown,
        Answer::Complete => ExitCode::Yes,
        Answer::Escape(_) => ExitCode::No,
    })
}

/// Reads the machine and the suite, and determines the key of the journal of this run.
fn read(
    machine_file: &MachineFile,
    args: &CoverageArgs,
    terminal: &Terminal,
) -> Result<(MutationMachine, Vec<Vec<InputId>>, JournalKey)> {
    let bytes = |path: &Path| {
        read_input(
            path,
            "name a mutation machine (text, KISS2, DOT, .efsm or .scxml), and a suite of its inputs",
        )
    };
    let name = |path: &Path| path.display().to_string();
    let mut options = MachineOptions {
        faults: args.of_machine.faults.map(FaultsArg::resolve),
        ..args.graph.with(args.read.options())
    };
    if let Some(most) = args.max_states {
        options.most_configurations = usize::try_from(most).unwrap_or(usize::MAX);
    }
    let machine_bytes = bytes(&args.machine)?;
    let format = machine_file.format;
    let ReadMachine {
        machine,
        file,
        warnings,
        ..
    } = read_machine(&name(&args.machine), &machine_bytes, format, &options)?;
    if !warnings.is_empty() {
        terminal.warnings(&file, &once(&warnings));
    }
    let suite_bytes = args.suite.as_deref().map(bytes).transpose()?;
    let suite = match (&args.suite, &suite_bytes) {
        (Some(path), Some(bytes)) => read_suite(&name(path), bytes, &machine)?.agreeing_with(&machine)?,
        _ => Vec::new(),
    };
    let hash = |bytes: &Vec<u8>| blake3::hash(bytes).to_hex().to_string();
    let identity = MachineIdentity {
        complete: args.completes().map(|strategy| match strategy {
            Strategy::NewTests => "new",
            Strategy::ExtendLast => "extend",
        }),
        format: FileKind::Machine(format).what(),
        unspecified: name_of(args.read.unspecified),
        faults: args.of_machine.faults.and_then(name_of),
        moore: args.graph.moore,
        start: args.graph.start.clone(),
    };
    let key = JournalKey::new(hash(&machine_bytes), suite_bytes.as_ref().map(hash), &identity)?;
    Ok((machine, suite, key))
}

/// The options that the steps of a journal depend on, besides its files.
#[derive(Serialize)]
struct MachineIdentity {
    complete: Option<&'static str>,
    format: &'static str,
    unspecified: Option<String>,
    faults: Option<String>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    moore: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    start: Option<String>,
}

fn open_journal(args: &CoverageArgs, key: &JournalKey) -> Result<Steps> {
    let Some(path) = &args.journal else {
        return Ok(Steps::default());
    };
    let (journal, kept) = match args.resume {
        true => Journal::resume(JournalFile::new(path), key)?,
        false => (Journal::create(JournalFile::new(path), key)?, Vec::new()),
    };
    Ok(Steps {
        journal: Some(journal),
        kept,
    })
}

fn progress_text(progress: &CoverageProgress, machine: &MutationMachine) -> String {
    let killed = match &progress.killed {
        Some(killed) => format!(", at least {killed} of {} machines killed", machine.n_machines()),
        None => String::new(),
    };
    let survivors = match progress.n_survivors {
        Some(n_survivors) => format!(", {n_survivors} survivors so far"),
        None => String::new(),
    };
    format!(
        "{} tests, {} clauses{killed}{survivors}",
        progress.n_tests, progress.n_clauses
    )
}

fn show(args: &CoverageArgs, machine: &MutationMachine, run: &CoverageRun, terminal: &Terminal) -> Result<()> {
    let suite = write_suite(machine, &run.tests);
    if let Some(path) = &args.out {
        write_file(path, &suite)?;
    }
    let text = || match args.out.is_none() && !args.suites.is_empty() {
        true => format!("{}\n{suite}", coverage_text(machine, run)),
        false => coverage_text(machine, run),
    };
    Ok(terminal.answer(|| coverage_json(machine, run), text)?)
}

impl CoverageArgs {
    /// The limits of the analysis of a machine.
    pub fn timer(&self) -> Timer {
        Timer::new(Limits {
            timeout_ms: self.timeout,
            max_states: self.max_states,
            max_memory: self.max_memory,
        })
    }
}

impl FaultsArg {
    pub fn resolve(self) -> Faults {
        match self {
            Self::Outputs => Faults::Outputs,
            Self::Transfers => Faults::Transfers,
            Self::All => Faults::All,
        }
    }
}

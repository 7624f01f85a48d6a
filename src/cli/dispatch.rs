//! From a command and the file that it is given to what is done about a file of that kind.
//!
//! A command takes the kinds that its `match` names; all others are refused by the door. An option of a group that means nothing
//! for the kind is refused, too.

use anyhow::Result;
use clap::Id;

use super::args::{LimitArgs, MutationArgs, ReadingArgs, SampleArgs, SemanticsArgs, TotalArgs, ids_of, own_ids_of};
use super::call::Call;
use super::command::{Cli, Command};
use super::coverage_args::{CoverageArgs, MachineCoverageArgs, TimedCoverageArgs};
use super::diagnose::{self, DiagnoseArgs};
use super::door::{Subject, is_plain, is_plain_machine, is_system, open, open_features, taken};
#[cfg(feature = "drawing")]
use super::draw::{self, DrawArgs, DrawGameArgs, DrawMachineArgs};
use super::exit::ExitCode;
use super::family_args::{FamiliesArgs, FamiliesTimedArgs, FeaturesArgs, PairArgs};
use super::game_args::{
    CheckArgs, CheckTimedArgs, ClassifyArgs, ExportArgs, ExportSourceArgs, PropositionsArgs, RefineArgs,
    RefineTimedArgs, RunFolderArgs, WitnessArgs,
};
use super::minimise::{self, MinimiseArgs};
use super::network_args::NetworkArgs;
#[cfg(feature = "drawing")]
use super::report;
#[cfg(feature = "reproduction")]
use super::reproduce;
use super::score::{self, ScoreArgs, ScoreTimedArgs};
use super::strategy::TestgenMachineArgs;
use super::suite_run_args::{ProgramArgs, RunArgs, RunTimedArgs};
use super::suites::MutantsArgs;
use super::systems::MutatedFile;
use super::testgen::{self, TestgenArgs, TestgenTimedArgs};
use super::unspecified::MachineArgs;
use super::view::ViewArgs;
#[cfg(feature = "workbench")]
use super::workbench;
use super::{
    check, classify, compose, coverage, coverage_timed, export, features, fmm, harness, machines, merge, oracle,
    packaging, products, project, queries, refine, systems, view,
};
use super::{run_program, run_suite};
use tamper::formats::{FileKind, SystemFormat};

/// Does what was typed.
pub fn dispatch(cli: &Cli, call: Call<'_>) -> Result<ExitCode> {
    let Call {
        global,
        given,
        terminal,
    } = call;
    match &cli.command {
        Command::Check(args) => check_file(args, call),
        Command::Refine(args) => refine_file(args, call),
        Command::Compose(args) => taken("compose", &args.file).and_then(|()| compose::compose(args, terminal)),
        Command::Classify(args) => classify_file(args, call),
        Command::Merge(args) => merge::merge(args, given, global, terminal),
        Command::Export(args) => export_file(args, call),
        Command::Fmm(args) => taken("fmm", &args.file).and_then(|()| fmm::fmm(args, global, terminal)),
        Command::Features(args) => show_features(args, call),
        Command::Project(args) => taken("project", &args.file).and_then(|()| project::project(args, global, terminal)),
        Command::Families(args) => families_of_file(args, call),
        #[cfg(feature = "drawing")]
        Command::Draw(args) => draw_file(args, call),
        #[cfg(feature = "workbench")]
        Command::Open(args) => open_page(args, call),
        #[cfg(feature = "drawing")]
        Command::Report(args) => report::report(args, given, global, terminal),
        Command::Coverage(args) => coverage_of_file(args, call),
        #[cfg(feature = "reproduction")]
        Command::Reproduce(args) => reproduce::reproduce(args, global, terminal),
        Command::Testgen(args) => testgen_for_file(args, call),
        Command::Diagnose(args) => diagnose_with_file(args, call),
        Command::Score(args) => score_against_file(args, call),
        Command::Minimise(args) => minimise_against_file(args, call),
        Command::Oracle(args) => oracle::oracle(args, terminal),
        Command::NewAdapter(args) => packaging::new_adapter(args, terminal),
        Command::Completions(args) => packaging::completions(args, terminal),
        Command::Man(args) => packaging::man(args, terminal),
        Command::Harness(args) => taken("harness", &args.suite).and_then(|()| harness::harness(args, terminal)),
        Command::View(args) => view_suite(args, call),
        #[cfg(unix)]
        Command::Supervise { .. } => Ok(ExitCode::Yes),
        Command::Run(args) => run_file(args, call),
    }
}

fn show_features(args: &FeaturesArgs, call: Call<'_>) -> Result<ExitCode> {
    taken("features", &args.file)?;
    features::features(&open_features(&args.file)?, args, call.terminal)
}

fn view_suite(args: &ViewArgs, call: Call<'_>) -> Result<ExitCode> {
    let (suite, model) = (open(&args.suite)?, open(&args.file)?);
    match (suite.kind, model.kind) {
        (FileKind::TimedSuite, FileKind::Timed(_)) => view::view(args, call.global, call.terminal),
        (FileKind::TimedSuite, _) => model.refused("view"),
        _ => suite.refused("view"),
    }
}

impl Call<'_> {
    /// Refuses options that mean nothing for `subject`: all but those of `groups`.
    fn only(&self, groups: &[Vec<Id>], subject: &Subject) -> Result<()> {
        let reading = match subject.kind {
            FileKind::Timed(_) | FileKind::TimedSuite => ids_of::<ReadingArgs>(),
            _ => Vec::new(),
        };
        self.given.only(&[groups, &[reading]].concat(), &subject.name())
    }
}

fn check_file(args: &CheckArgs, call: Call<'_>) -> Result<ExitCode> {
    let subject = open(&args.file)?;
    let own = [own_ids_of::<CheckArgs>(), ids_of::<LimitArgs>()].concat();
    match subject.kind {
        FileKind::Timed(_) => {
            call.only(&[own, ids_of::<CheckTimedArgs>(), ids_of::<NetworkArgs>()], &subject)?;
            check::check(args, call.global, call.terminal)
        }
        FileKind::System(format @ (SystemFormat::Smv | SystemFormat::Btor2)) => {
            call.only(&[own, ids_of::<MachineArgs>()], &subject)?;
            systems::check(&subject.written_in(format), &args.read, &args.limits, call.terminal)
        }
        FileKind::System(format @ SystemFormat::Actions) => {
            call.only(&[own], &subject)?;
            systems::check_actions(&subject.written_in(format), &args.limits, call.terminal)
        }
        _ => subject.refused("check"),
    }
}

fn refine_file(args: &RefineArgs, call: Call<'_>) -> Result<ExitCode> {
    let subject = open(&args.file)?;
    let own = [own_ids_of::<RefineArgs>(), ids_of::<LimitArgs>()].concat();
    match subject.kind {
        FileKind::Timed(_) => {
            let timed = [
                ids_of::<RefineTimedArgs>(),
                ids_of::<NetworkArgs>(),
                ids_of::<SemanticsArgs>(),
                ids_of::<PropositionsArgs>(),
            ]
            .concat();
            call.only(&[own, timed, ids_of::<WitnessArgs>()], &subject)?;
            match &args.left {
                None => queries::queries(args, call.global, call.terminal),
                Some(_) => refine::refine(args, call.global, call.terminal),
            }
        }
        FileKind::Machine(format) if is_plain(format) => {
            call.only(&[own, ids_of::<MachineArgs>()], &subject)?;
            machines::refine(&subject.written_in(format), args, call.terminal)
        }
        FileKind::System(format @ (SystemFormat::Smv | SystemFormat::Btor2)) => {
            call.only(&[own, ids_of::<WitnessArgs>(), ids_of::<MachineArgs>()], &subject)?;
            systems::refine(&subject.written_in(format), args, call.terminal)
        }
        FileKind::System(format @ SystemFormat::Actions) => {
            call.only(&[own], &subject)?;
            systems::refine_actions(&subject.written_in(format), args, call.terminal)
        }
        _ => subject.refused("refine"),
    }
}

fn classify_file(args: &ClassifyArgs, call: Call<'_>) -> Result<ExitCode> {
    let subject = open(&args.file)?;
    match subject.kind {
        FileKind::Timed(_) => {
            let others = ids_of::<MachineArgs>();
            let timed = ids_of::<ClassifyArgs>().into_iter().filter(|id| !others.contains(id));
            call.only(&[timed.collect()], &subject)?;
            classify::classify(args, call.global, call.terminal)
        }
        kind if is_system(kind) || is_plain_machine(kind) => {
            let run = [ids_of::<RunFolderArgs>(), ids_of::<SampleArgs>(), ids_of::<TotalArgs>()].concat();
            let own = own_ids_of::<ClassifyArgs>();
            call.only(&[own, run, order_of(&subject), mutated_options(&subject)], &subject)?;
            let is_run = ids_of::<RunFolderArgs>().iter().any(|id| call.given.has(id.as_str()));
            systems::classify(&MutatedFile::of(&subject)?, args, is_run, call.terminal)
        }
        _ => subject.refused("classify"),
    }
}

fn export_file(args: &ExportArgs, call: Call<'_>) -> Result<ExitCode> {
    let subject = open(&args.file)?;
    match subject.kind {
        FileKind::Timed(_) => {
            let others = ids_of::<MachineArgs>();
            let timed = ids_of::<ExportArgs>().into_iter().filter(|id| !others.contains(id));
            call.only(&[timed.collect()], &subject)?;
            export::export(args, call.global, call.terminal)
        }
        kind if is_system(kind) || is_plain_machine(kind) => {
            let own = [own_ids_of::<ExportArgs>(), ids_of::<ExportSourceArgs>()].concat();
            call.only(&[own, order_of(&subject), mutated_options(&subject)], &subject)?;
            systems::export(&MutatedFile::of(&subject)?, args, call)
        }
        _ => subject.refused("export"),
    }
}

fn families_of_file(args: &FamiliesArgs, call: Call<'_>) -> Result<ExitCode> {
    let subject = open(&args.file)?;
    let own = [own_ids_of::<FamiliesArgs>(), ids_of::<LimitArgs>()].concat();
    match subject.kind {
        FileKind::Timed(_) => {
            let timed = [
                ids_of::<FamiliesTimedArgs>(),
                ids_of::<PairArgs>(),
                ids_of::<SemanticsArgs>(),
            ]
            .concat();
            call.only(&[own, timed], &subject)?;
            products::families(args, call.global, call.terminal)
        }
        FileKind::Machine(format) if is_plain(format) => {
            call.only(&[own, ids_of::<MachineArgs>()], &subject)?;
            machines::families(&subject.written_in(format), args, call.terminal)
        }
        _ => subject.refused("families"),
    }
}

#[cfg(feature = "workbench")]
fn open_page(args: &workbench::OpenArgs, call: Call<'_>) -> Result<ExitCode> {
    workbench::refuse_pipe(&args.file)?;
    taken("open", &args.file)?;
    workbench::open(args, call.global, call.terminal)
}

#[cfg(feature = "drawing")]
fn draw_file(args: &DrawArgs, call: Call<'_>) -> Result<ExitCode> {
    let subject = open(&args.file)?;
    let own = own_ids_of::<DrawArgs>();
    match subject.kind {
        FileKind::Timed(_) => {
            call.only(&[own, ids_of::<DrawGameArgs>(), ids_of::<MutationArgs>()], &subject)?;
            draw::draw_game(args, call.global, call.terminal)
        }
        FileKind::Machine(format) if is_plain(format) => {
            call.only(&[own, ids_of::<DrawMachineArgs>()], &subject)?;
            machines::draw(&subject.written_in(format), args, call.terminal)
        }
        FileKind::Features(format) => {
            call.only(&[own], &subject)?;
            draw::draw_features(&subject.written_in(format), args, call.terminal)
        }
        _ => subject.refused("draw"),
    }
}

fn coverage_of_file(args: &CoverageArgs, call: Call<'_>) -> Result<ExitCode> {
    let subject = open(&args.machine)?;
    let own = own_ids_of::<CoverageArgs>();
    match subject.kind {
        FileKind::Timed(_) => {
            let timed = [ids_of::<TimedCoverageArgs>(), ids_of::<PairArgs>()].concat();
            call.only(&[own, timed, ids_of::<MutationArgs>()], &subject)?;
            coverage_timed::coverage_timed(args, call.global, call.terminal)
        }
        FileKind::Machine(format) => {
            call.only(&[own, ids_of::<MachineCoverageArgs>()], &subject)?;
            coverage::coverage(&subject.written_in(format), args, call.terminal)
        }
        _ => subject.refused("coverage"),
    }
}

fn testgen_for_file(args: &TestgenArgs, call: Call<'_>) -> Result<ExitCode> {
    let subject = open(&args.file)?;
    let own = own_ids_of::<TestgenArgs>();
    match subject.kind {
        FileKind::Timed(_) => {
            call.only(&[own, timed_mutants(), ids_of::<TestgenTimedArgs>()], &subject)?;
            testgen::testgen(args, call.global, call.terminal)
        }
        FileKind::System(format) => {
            call.only(&[own, untimed_options(format)], &subject)?;
            systems::testgen(&subject.written_in(format), args, call.terminal)
        }
        FileKind::Machine(format) if is_plain(format) => {
            let own = ["file", "strategy", "out"].map(Id::from).to_vec();
            let machine = [ids_of::<TestgenMachineArgs>(), ids_of::<MachineArgs>()].concat();
            call.only(&[own, machine, ids_of::<LimitArgs>()], &subject)?;
            machines::testgen(&subject.written_in(format), args, call.terminal)
        }
        _ => subject.refused("testgen"),
    }
}

fn score_against_file(args: &ScoreArgs, call: Call<'_>) -> Result<ExitCode> {
    let subject = open(&args.judged.file)?;
    let own = own_ids_of::<ScoreArgs>();
    match subject.kind {
        FileKind::Timed(_) => {
            call.only(&[own, timed_mutants(), ids_of::<ScoreTimedArgs>()], &subject)?;
            score::score(args, call.global, call.terminal)
        }
        FileKind::System(format) => {
            call.only(&[own, untimed_options(format)], &subject)?;
            systems::score(&subject.written_in(format), args, call.terminal)
        }
        _ => subject.refused("score"),
    }
}

fn diagnose_with_file(args: &DiagnoseArgs, call: Call<'_>) -> Result<ExitCode> {
    let file = diagnose::model_file(args)?;
    taken("diagnose", &file)?;
    diagnose::diagnose(args, &file, call.global, call.terminal)
}

fn minimise_against_file(args: &MinimiseArgs, call: Call<'_>) -> Result<ExitCode> {
    let subject = open(&args.judged.file)?;
    let own = own_ids_of::<MinimiseArgs>();
    match subject.kind {
        FileKind::Timed(_) => {
            call.only(&[own, timed_mutants()], &subject)?;
            minimise::minimise(args, call.global, call.terminal)
        }
        FileKind::System(format) => {
            call.only(&[own, untimed_options(format)], &subject)?;
            systems::minimise(&subject.written_in(format), args, call.terminal)
        }
        _ => subject.refused("minimise"),
    }
}

fn run_file(args: &RunArgs, call: Call<'_>) -> Result<ExitCode> {
    args.check(call.terminal)?;
    if let (true, Some(sut), Some(model)) = (args.suite.is_none(), &args.sut, &args.program.oracle) {
        let subject = open(model)?;
        return match subject.kind {
            FileKind::Timed(_) => {
                if args.program.strategy.is_none() {
                    let program = [
                        ids_of::<ProgramArgs>(),
                        ids_of::<RunTimedArgs>(),
                        ids_of::<NetworkArgs>(),
                    ]
                    .concat();
                    let own = own_ids_of::<RunArgs>();
                    call.only(&[own, program, ids_of::<LimitArgs>(), ids_of::<TotalArgs>()], &subject)?;
                }
                run_program::made_against_program(args, sut, call.global, call.terminal)
            }
            _ => subject.refused("run"),
        };
    }
    let subject = open(args.suite()?)?;
    let own = own_ids_of::<RunArgs>();
    match subject.kind {
        FileKind::TimedSuite => {
            let timed = [ids_of::<RunTimedArgs>(), ids_of::<NetworkArgs>(), ids_of::<TotalArgs>()].concat();
            call.only(&[own, timed, ids_of::<LimitArgs>(), ids_of::<ProgramArgs>()], &subject)?;
            run_suite::run_suite(args, call.global, call.terminal)
        }
        FileKind::SystemSuite => {
            let limits = match args.sut {
                Some(_) => Vec::new(),
                None => ids_of::<LimitArgs>(),
            };
            call.only(&[own, limits], &subject)?;
            systems::run(args, call.terminal)
        }
        _ => subject.refused("run"),
    }
}

/// The options about mutants of timed games.
fn timed_mutants() -> Vec<Id> {
    let others = ids_of::<MachineArgs>();
    ids_of::<MutantsArgs>()
        .into_iter()
        .filter(|id| !others.contains(id))
        .collect()
}

/// The options about mutants of an untimed system or a state machine.
fn mutated_options(subject: &Subject) -> Vec<Id> {
    match subject.kind {
        FileKind::System(format) => untimed_options(format),
        _ => [ids_of::<MachineArgs>(), ids_of::<LimitArgs>()].concat(),
    }
}

/// The order of the mutants, which those of a state machine have all.
fn order_of(subject: &Subject) -> Vec<Id> {
    match subject.kind {
        FileKind::System(_) => vec![Id::from("order")],
        _ => Vec::new(),
    }
}

/// The options of every command about an untimed system.
fn untimed_options(format: SystemFormat) -> Vec<Id> {
    let complete = match format {
        SystemFormat::Actions => Vec::new(),
        SystemFormat::Smv | SystemFormat::Btor2 => ids_of::<MachineArgs>(),
    };
    [complete, ids_of::<LimitArgs>()].concat()
}

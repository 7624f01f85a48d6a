//! From a command to what is done about it. What depends on the kind of its file stands in the `table`.

use anyhow::Result;

use super::call::Call;
use super::command::{Cli, Command};
use super::door::open;
use super::exit::ExitCode;
use super::refusal::explained;
#[cfg(feature = "reproduction")]
use super::reproduce;
use super::table::answer;
use crate::cli::arguments::args::{ReadingArgs, ids_of};
use crate::cli::arguments::suite_run_args::RunArgs;
use crate::cli::games::merge;
use crate::cli::machines::oracle;
use crate::cli::packaging;
#[cfg(feature = "drawing")]
use crate::cli::pages::report;
use crate::cli::programs::run_program;
use crate::cli::testing::diagnose::model_file;
use crate::cli::verify;
use tamper::formats::FileKind;

/// Runs the typed command.
pub fn dispatch(cli: &Cli, call: Call<'_>) -> Result<ExitCode> {
    done(cli, call).map_err(explained)
}

fn done(cli: &Cli, call: Call<'_>) -> Result<ExitCode> {
    let Call {
        global,
        given,
        terminal,
    } = call;
    match &cli.command {
        Command::Check(args) => answer(args, &args.file, call),
        Command::Refine(args) => answer(args, &args.file, call),
        Command::Compose(args) => answer(args, &args.file, call),
        Command::Classify(args) => answer(args, &args.file, call),
        Command::Verify(args) => verify::verify(args, terminal),
        Command::Merge(args) => merge::merge(args, given, global, terminal),
        Command::Export(args) => answer(args, &args.file, call),
        Command::Fmm(args) => answer(args, &args.file, call),
        Command::Features(args) => answer(args, &args.file, call),
        Command::Project(args) => answer(args, &args.file, call),
        Command::Families(args) => answer(args, &args.file, call),
        #[cfg(feature = "drawing")]
        Command::Draw(args) => answer(args, &args.file, call),
        #[cfg(feature = "workbench")]
        Command::Open(args) => answer(args, args.editable()?, call),
        #[cfg(feature = "drawing")]
        Command::Report(args) => report::report(args, given, global, terminal),
        Command::Coverage(args) => answer(args, &args.machine, call),
        #[cfg(feature = "reproduction")]
        Command::Reproduce(args) => reproduce::reproduce(args, global, terminal),
        Command::Testgen(args) => answer(args, &args.file, call),
        Command::Diagnose(args) => answer(args, &model_file(args)?, call),
        Command::Score(args) => answer(args, &args.judged.file, call),
        Command::Accept(args) => answer(args, &args.file, call),
        Command::Minimise(args) => answer(args, &args.judged.file, call),
        Command::Oracle(args) => oracle::oracle(args, terminal),
        Command::NewAdapter(args) => packaging::new_adapter(args, terminal),
        Command::Completions(args) => packaging::completions(args, terminal),
        Command::Man(args) => packaging::man(args, terminal),
        Command::Harness(args) => answer(args, &args.suite, call),
        Command::View(args) => answer(args, &args.suite, call),
        #[cfg(unix)]
        Command::Supervise { .. } => Ok(ExitCode::Yes),
        Command::Run(args) => run(args, call),
    }
}

fn run(args: &RunArgs, call: Call<'_>) -> Result<ExitCode> {
    args.check(call.terminal)?;
    let (None, Some(sut), Some(model)) = (&args.suite, &args.sut, &args.program.oracle) else {
        return answer(args, args.suite()?, call);
    };
    // Tests that are made while they run, for the model that --oracle names.
    let subject = open(model)?;
    if !matches!(subject.kind, FileKind::Timed(_)) {
        return subject.refused("run");
    }
    if args.program.strategy.is_none() {
        let options = [RunArgs::of_timed(), ids_of::<ReadingArgs>()];
        call.given.only(&options.concat(), &subject.name())?;
    }
    run_program::made_against_program(args, sut, call.global, call.terminal)
}

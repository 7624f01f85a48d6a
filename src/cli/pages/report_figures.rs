//! `tamper report --as`: tables and figures of a run, a score or a smaller suite.

use std::path::Path;

use anyhow::{Context as _, Result, bail};
use serde_json::Value;

use crate::cli::arguments::args::{ids_of, own_ids_of};
use crate::cli::arguments::network_args::OfRun;
use crate::cli::arguments::run_args::{ReportArgs, ReportFigureArgs, ReportForm, ShowArg};
use crate::cli::call::Call;
use crate::cli::door::open;
use crate::cli::exit::ExitCode;
use crate::cli::models::prepare::refuse_share;
use crate::cli::models::read_mutated::mutated_of_run;
use crate::cli::testing::suites::Bench;
use tamper::experiment::{Manifest, RunWorld, Timer, write_file};
use tamper::formats::{FileKind, read_text};
use tamper::report::{Figures, Shown, score_json};
use tamper::untimed::UntimedManifest;

/// Writes a table or a figure.
pub fn report(args: &ReportArgs, form: ReportForm, call: Call<'_>) -> Result<ExitCode> {
    let figures = figures(args, call)?.titled(args.figure.title.clone());
    let shown = match args.figure.show {
        None => figures.usual(),
        Some(ShowArg::Verdicts) => Shown::Verdicts,
        Some(ShowArg::Ratios) => Shown::Ratios,
        Some(ShowArg::Scores) => Shown::Scores,
        Some(ShowArg::Kills) => Shown::Kills,
        Some(ShowArg::Growth) => Shown::Growth,
    };
    let text = match form {
        ReportForm::Latex => figures.latex(shown),
        ReportForm::Csv => figures.csv(shown),
        ReportForm::Svg => figures.svg(shown),
    };
    let text = text.with_context(|| args.run.display().to_string())?;
    write_file(&args.out, text)?;
    call.terminal.note(&format!("written to {}", args.out.display()));
    Ok(ExitCode::Yes)
}

fn figures(args: &ReportArgs, call: Call<'_>) -> Result<Figures> {
    let own = [own_ids_of::<ReportArgs>(), ids_of::<ReportFigureArgs>()].concat();
    let subject = open(&args.run)?;
    match subject.kind {
        FileKind::Run => match RunWorld::of(&args.run)? {
            RunWorld::Game | RunWorld::Network => of_run(args, call),
            RunWorld::Untimed => {
                call.given
                    .only(&own, "a table or figure of a run on an untimed system")?;
                let manifest = UntimedManifest::read(&args.run)?;
                refuse_share(&manifest, &args.run)?;
                let plan = manifest.plan();
                let about = format!("{}{}", file_name(&plan.model.file), drawn(plan.sample.is_some()));
                of_folder(&args.run, &about)
            }
        },
        FileKind::Printed => {
            call.given.only(&own, &subject.name())?;
            of_printed(&args.run)
        }
        _ => Err(subject.refusal("report").into()),
    }
}

/// A run on timed games, with a suite if one was typed.
fn of_run(args: &ReportArgs, call: Call<'_>) -> Result<Figures> {
    let manifest = Manifest::read(&args.run)?;
    refuse_share(&manifest, &args.run)?;
    let plan = manifest.plan();
    let model = manifest.model();
    let subject = format!(
        "{}, mutants of order {}{}",
        model.template,
        plan.order.number(),
        drawn(plan.sample.is_some())
    );
    let figures = of_folder(&args.run, &subject)?;
    let Some(suite) = &args.tests.suite else {
        return Ok(figures);
    };
    let asked = OfRun {
        file: args.of_run.model.as_deref(),
        network: &args.network,
        limits: &args.limits,
    };
    let (mutated, plan) = mutated_of_run(&args.run, asked, call.global, call.terminal)?;
    let timer = Timer::new(args.limits.resolve());
    let bench = Bench::of_run(mutated, &plan, &args.run, None, timer, call.terminal)?;
    let (suite, score) = bench.score(suite, call.terminal)?;
    let ids: Vec<String> = suite.tests.into_iter().map(|test| test.id).collect();
    Ok(figures.with_score(&score_json(&score, &ids)))
}

/// The name of a file without its folders.
fn file_name(path: &str) -> String {
    let name = Path::new(path).file_name().unwrap_or_default();
    name.to_string_lossy().into_owned()
}

/// The part of a caption about a run on a sample.
fn drawn(is_sample: bool) -> &'static str {
    match is_sample {
        true => ", a sample",
        false => "",
    }
}

/// The counts of the whole run in `folder`.
fn of_folder(folder: &Path, subject: &str) -> Result<Figures> {
    let path = folder.join("summary.csv");
    if !path.exists() {
        bail!(
            "{} has no summary.csv: it is a run of `tamper classify` that is not finished (the same command with --resume goes \
             on), or none",
            folder.display()
        );
    }
    let summary = read_text(&path, "name the folder of a finished `tamper classify`")?;
    Figures::of_run(subject, &summary)
        .with_context(|| format!("{}: this is not what `tamper classify` writes", path.display()))
}

/// The figures of a file that `score` or `minimise` printed.
fn of_printed(path: &Path) -> Result<Figures> {
    let help = "name the folder of a finished `tamper classify`, or a file of what score or minimise printed with --format json";
    let text = read_text(path, help)?;
    let file = path.display();
    let printed: Value = serde_json::from_str(&text).with_context(|| file.to_string())?;
    let subject = path.file_stem().unwrap_or_default().to_string_lossy();
    Figures::of_printed(&subject, &printed).with_context(|| format!("{file}: this is nothing for --as: {help}"))
}

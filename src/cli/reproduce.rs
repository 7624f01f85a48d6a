//! `tamper reproduce`.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};
use clap::Args;

use super::exit::ExitCode;
use super::terminal::Terminal;
use crate::cli::arguments::args::GlobalArgs;
use tamper::experiment::{FolderLock, Rules, Sample, write_file};
use tamper::game::Semantics;
use tamper::guidelines;
use tamper::mutation::Order;
use tamper::reproduction::report::{
    Page, figure_pages, overview_json, overview_text, pairs_pages, readme_page, semantics_pages, soundness_pages,
    table_pages, timing_page, wrapper_page,
};
use tamper::reproduction::{PaperComparison, Setting, Study, StudyCauses, StudyRun, Workplace, diagnose, run_study};

/// `tamper reproduce`.
#[derive(Args, Debug)]
#[command(after_help = "\
The models are part of the program. Every mutant's verdict comes from the game, so that each violating one checks the
guidelines: the command answers no (1) when one of them is non-subsumed. The results in DIR are the same bytes on
every run, except timing.md.

Examples:
  tamper reproduce                                     everything; minutes
  tamper reproduce --order 1 --out again               first-order mutants only; seconds
  tamper reproduce cas --order 2 --sample paper        a tenth of each pair of operators
  tamper reproduce --resume                            go on where an interrupted run stopped")]
pub struct ReproduceArgs {
    /// The studies: cas, coffee, accel, hotel, wfas, mutex [default: all]
    #[arg(value_name = "STUDY")]
    pub studies: Vec<String>,
    /// How many mutations the mutants have [default: one, and two]
    #[arg(long, value_name = "1|2", value_parser = clap::value_parser!(u8).range(1..=2))]
    pub order: Option<u8>,
    /// tiga: as published; definition: Definition 7 to the letter [default: both, and why they differ, mutant by mutant]
    #[arg(long, value_name = "WHICH", value_parser = ["tiga", "definition"])]
    pub semantics: Option<String>,
    /// At order 2 look at a sample: max(n1*n2/10, 1000) of each pair of operators (paper), N mutants, or P% of them
    #[arg(long, value_name = "paper|N|P%")]
    pub sample: Option<Sample>,
    /// What the sample is drawn by
    #[arg(long, value_name = "S", default_value_t = 0)]
    pub seed: u64,
    /// The folder for the results; files that are there are replaced. The records of each run, a line per mutant, are in DIR.runs
    #[arg(long, value_name = "DIR", default_value = "results")]
    pub out: PathBuf,
    /// Continue an interrupted run of the same parameters: what it decided is kept
    #[arg(long)]
    pub resume: bool,
}

/// Runs the published experiments and writes their tables, figures and pages.
pub fn reproduce(args: &ReproduceArgs, _: &GlobalArgs, terminal: &Terminal) -> Result<ExitCode> {
    reproduce_with(args, &guidelines::violated, terminal)
}

/// The same with other guidelines.
fn reproduce_with(args: &ReproduceArgs, rules: Rules<'_>, terminal: &Terminal) -> Result<ExitCode> {
    let studies = studies(args)?;
    // The results are written at the end: a folder that cannot be written is found before a long run.
    let _lock = FolderLock::make(&args.out)?;
    let bars = terminal.named_progress();
    let mut place = Workplace {
        folder: &args.out.with_extension("runs"),
        resume: args.resume,
        rules,
        progress: &mut |name, done, total| bars.show(name, done, total),
    };
    let mut runs = Vec::new();
    let mut diagnoses = Vec::new();
    let orders = [Order::FIRST, Order::SECOND];
    for order in orders
        .into_iter()
        .filter(|order| args.order.is_none_or(|typed| typed == order.number()))
    {
        for study in &studies {
            let (more, diagnosis) = run_pair(*study, order, args, &mut place)?;
            runs.extend(more);
            diagnoses.extend(diagnosis);
        }
    }
    bars.finish();
    let pages = pages(&runs, &diagnoses)?;
    for page in &pages {
        write(&args.out, page)?;
    }
    terminal.answer(|| overview_json(&runs), || overview_text(&runs))?;
    terminal.note(&format!("{} files in {}", pages.len(), args.out.display()));
    Ok(closing(&runs, terminal))
}

/// The runs of one study at one order, and their diagnosis if both semantics are run.
fn run_pair(
    study: Study,
    order: Order,
    args: &ReproduceArgs,
    place: &mut Workplace<'_>,
) -> Result<(Vec<StudyRun>, Option<StudyCauses>)> {
    let mut runs = Vec::new();
    let both = [("tiga", Semantics::TIGA), ("definition", Semantics::DEFINITION)];
    let typed = |name: &str| args.semantics.as_ref().is_none_or(|typed| typed == name);
    for (_, semantics) in both.into_iter().filter(|(name, _)| typed(name)) {
        let setting = Setting {
            order,
            semantics,
            sample: args.sample,
            seed: args.seed,
        };
        runs.push(run_study(study, setting, place)?);
    }
    let diagnosis = match runs.as_slice() {
        [tiga, definition] => Some(diagnose(tiga, definition, place)?),
        _ => None,
    };
    Ok((runs, diagnosis))
}

fn studies(args: &ReproduceArgs) -> Result<Vec<Study>> {
    let all = Study::ALL.map(|study| study.folder).join(", ");
    let mut wanted = Vec::new();
    for name in &args.studies {
        match Study::find(name) {
            Some(study) => wanted.push(study),
            None => bail!("there is no study `{name}`; the studies are {all}"),
        }
    }
    let is_wanted = |study: &Study| wanted.is_empty() || wanted.contains(study);
    Ok(Study::ALL.into_iter().filter(is_wanted).collect())
}

fn pages(runs: &[StudyRun], diagnoses: &[StudyCauses]) -> Result<Vec<Page>> {
    let comparison = PaperComparison::of(runs)?;
    let mut pages: Vec<Page> = runs.iter().flat_map(table_pages).collect();
    pages.extend(runs.iter().flat_map(pairs_pages));
    pages.push(wrapper_page(runs));
    pages.extend(figure_pages(runs));
    pages.extend(semantics_pages(runs, diagnoses));
    pages.extend(soundness_pages(runs));
    pages.push(readme_page(runs, &comparison));
    pages.push(timing_page(runs, rayon::current_num_threads()));
    Ok(pages)
}

fn write(out: &Path, page: &Page) -> Result<()> {
    let path = out.join(&page.path);
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))?;
    }
    Ok(write_file(&path, &page.bytes)?)
}

/// Names the mutants that disprove a guideline. If there is one, the answer is no.
fn closing(runs: &[StudyRun], terminal: &Terminal) -> ExitCode {
    let mut code = ExitCode::Yes;
    for run in runs {
        for id in run.summary.unsound() {
            terminal.message(&format!(
                "unsound: {}: {id} violates the guidelines and is non-subsumed",
                run.study.title
            ));
        }
        if run.summary.total().unsound > 0 {
            code = ExitCode::No;
        }
    }
    code
}

#[cfg(test)]
mod tests {
    use clap::Parser as _;

    use super::super::command::{Cli, Command};
    use super::*;
    use tamper::guidelines::Rule;
    use tamper::model::Automaton;
    use tamper::mutation::Mutation;

    fn run(words: &str, rules: Rules<'_>) -> (tempfile::TempDir, ExitCode) {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("results");
        let words: Vec<_> = ["tamper", "reproduce", "--quiet"]
            .into_iter()
            .chain(words.split_whitespace())
            .map(str::to_owned)
            .chain(["--out".to_owned(), out.display().to_string()])
            .collect();
        let cli = Cli::try_parse_from(words).unwrap();
        let Command::Reproduce(args) = &cli.command else {
            panic!("another command")
        };
        let code = reproduce_with(args, rules, &Terminal::new(&cli.global)).unwrap();
        (folder, code)
    }

    /// All \[003\] CCN mutants of WFAS are non-subsumed, so a rule that names them is unsound.
    #[test]
    fn an_unsound_guideline_is_caught_and_fails_the_command() {
        let broken = |game: &Automaton, mutation: &Mutation| match mutation {
            Mutation::NegateGuard { .. } => Some(Rule::L6i),
            _ => guidelines::violated(game, mutation),
        };
        let (folder, code) = run("wfas --order 1 --semantics tiga", &broken);
        assert_eq!(code, ExitCode::No);
        let read = |name: &str| fs::read_to_string(folder.path().join("results").join(name)).unwrap();
        let named = read("false-negatives.txt");
        assert_eq!(named.lines().count(), 6, "{named}");
        assert!(
            named.lines().all(|line| line.starts_with("wfas,1,tiga: CCN:")),
            "{named}"
        );
        assert!(
            read("soundness.csv").contains("wfas,1,tiga,55,6"),
            "49 published and 6 injected"
        );
        assert!(read("README.md").contains("| WFAS | 1 | tiga | 55 | 6 |"));
    }

    #[test]
    fn the_published_guidelines_are_sound_and_the_same_bytes_come_out_again() {
        let files = |folder: &tempfile::TempDir| {
            let out = folder.path().join("results");
            let names = [
                "README.md",
                "semantics.md",
                "semantics-order1.csv",
                "tables.tex",
                "tables/tiga/order1-mutex.md",
                "tables/definition/order1-wfas.tex",
            ];
            names.map(|name| fs::read_to_string(out.join(name)).unwrap())
        };
        let (first, code) = run("mutex WFAS --order 1", &guidelines::violated);
        assert_eq!(code, ExitCode::Yes);
        assert_eq!(
            fs::read_to_string(first.path().join("results/false-negatives.txt")).unwrap(),
            ""
        );
        let (second, _) = run("wfas mutex --order 1", &guidelines::violated);
        assert_eq!(files(&first), files(&second));
    }
}

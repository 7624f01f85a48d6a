//! The command that most people type next, printed at the end of a command on a terminal.

use std::ffi::OsString;
use std::path::Path;

use super::command::Command;
use super::exit::ExitCode;
use super::shell::{name, word};
use crate::cli::arguments::coverage_args::CoverageArgs;
use crate::cli::arguments::game_args::RefineArgs;
#[cfg(feature = "drawing")]
use crate::cli::arguments::run_args::ReportArgs;
use crate::cli::arguments::suite_run_args::RunArgs;
use crate::cli::testing::harness::{HarnessArgs, HarnessTarget};
#[cfg(feature = "drawing")]
use tamper::formats::FileKind;

/// Options that mean the same to the next command: they choose the model and its mutants.
const SHARED: &str = "--template --network --system --environment --internal --observe --mutate --scope --operators \
    --again --order --sample";

/// A finished command, and its result.
#[derive(Clone, Copy, Debug)]
pub struct FinishedCommand<'d> {
    /// The command.
    pub command: &'d Command,
    /// The typed words, the program's name first.
    pub words: &'d [OsString],
    /// The exit code.
    pub code: ExitCode,
}

/// The command to type next; `None` if nothing follows, or it is not known.
pub fn next(done: FinishedCommand<'_>) -> Option<String> {
    let FinishedCommand { command, words, code } = done;
    if !matches!(code, ExitCode::Yes | ExitCode::No) {
        return None;
    }
    let shared = shared(words);
    let rest = match command {
        Command::Check(args) => format!("classify {}{shared}", name(&args.file)),
        Command::Refine(args) if code == ExitCode::No && !args.shown.witness => format!("{} --witness", typed(words)?),
        Command::Refine(args) => return after_refinement(args),
        Command::Compose(args) => format!("classify {}", name(&args.out)),
        Command::Classify(args) if args.game.certify.is_some() => {
            let folder = args.game.certify.as_deref()?;
            format!("verify {} --run {}", name(folder), name(&args.folder.out))
        }
        Command::Classify(args) => format!("testgen {} --out suite.json{shared}", name(&args.file)),
        Command::Merge(args) => return after_merge(&args.folder.out),
        Command::Testgen(args) => against(&args.out),
        Command::Minimise(args) => against(args.out()),
        Command::NewAdapter(_) => against(Path::new("suite.json")),
        Command::Score(args) => format!(
            "minimise {} {} --out small.json{shared}",
            name(&args.judged.suite),
            name(&args.judged.file)
        ),
        Command::Accept(args) if code == ExitCode::No => format!("accept {} --remove", name(&args.file)),
        Command::Accept(args) => format!("score suite.json {}", name(&args.file)),
        Command::Export(args) => format!("run suite.json --against {}", name(&args.out)),
        Command::Fmm(args) => format!("features {}", name(&args.out.join("features.uvl"))),
        Command::Project(args) => format!("check {}", name(&args.out)),
        Command::Families(args)
            if code == ExitCode::No && args.timed.features.is_some() && args.timed.witnesses.is_none() =>
        {
            format!("{} --witness 3", typed(words)?)
        }
        Command::Families(args) => format!("draw {}", name(&args.file)),
        Command::Features(args) if args.why.is_none() => format!("draw {} --out features.svg", name(&args.file)),
        Command::Features(args) => format!("features {}", name(&args.file)),
        #[cfg(feature = "drawing")]
        Command::Draw(args) => return of_file(&args.file, &shared),
        #[cfg(feature = "drawing")]
        Command::Report(args) => return after_report(args),
        Command::Coverage(args) => return after_coverage(args, words, code),
        Command::Run(args) => return after_run(args, words, code),
        Command::View(args) => format!("run {} --against {}", name(&args.suite), name(&args.file)),
        Command::Harness(args) => return Some(runner(args)),
        _ => return None,
    };
    Some(format!("tamper {rest}"))
}

/// The command after a refinement that holds: generating tests for the specification, if that is a timed game.
fn after_refinement(args: &RefineArgs) -> Option<String> {
    let specification = args.timed.right.as_deref()?;
    let file = args.timed.right_file.as_deref().unwrap_or(&args.file);
    // An expression is no game of the file.
    let is_name = specification.chars().all(|sign| sign.is_alphanumeric() || sign == '_');
    let rest = format!("testgen {} --template {specification} --out suite.json", name(file));
    is_name.then(|| format!("tamper {rest}"))
}

/// The command after the merge of shares, by the files in the folder now; `None` for a merged score.
fn after_merge(out: &Path) -> Option<String> {
    let has = |file: &str| out.join(file).exists();
    if has("summary.csv") && cfg!(feature = "drawing") {
        return Some(format!("tamper report {} --out report.html", name(out)));
    }
    has("index.jsonl").then(|| format!("tamper run suite.json --against {}", name(out)))
}

/// The command after a look at a file: `classify`, `coverage` or `features`, by the kind of the file.
#[cfg(feature = "drawing")]
fn of_file(file: &Path, shared: &str) -> Option<String> {
    let file_name = name(file);
    Some(match FileKind::of(file).ok()? {
        FileKind::Timed(_) | FileKind::System(_) => format!("tamper classify {file_name}{shared}"),
        FileKind::Machine(_) => format!("tamper coverage {file_name}"),
        FileKind::Features(_) => format!("tamper features {file_name}"),
        _ => return None,
    })
}

/// The command after a report: the numbers behind a table or figure, or the page of a run with the tests of a suite.
#[cfg(feature = "drawing")]
fn after_report(args: &ReportArgs) -> Option<String> {
    let run = name(&args.run);
    if args.figure.form.is_some() {
        return Some(format!("tamper report {run} --as csv --out numbers.csv"));
    }
    let suite = args.tests.suite.is_none() && args.run.is_dir();
    suite.then(|| format!("tamper report {run} --suite suite.json --out {}", name(&args.out)))
}

/// The command after a question about a suite: completing the suite, or counting what it kills.
fn after_coverage(args: &CoverageArgs, words: &[OsString], code: ExitCode) -> Option<String> {
    match (code, args.completes(), &args.suite, &args.out) {
        (ExitCode::No, None, ..) => Some(format!("tamper {} --suite complete", typed(words)?)),
        (_, Some(_), _, None) => Some(format!("tamper {} --out complete.suite", typed(words)?)),
        (_, Some(_), _, Some(out)) => Some(format!(
            "tamper coverage {} {} --show count",
            name(&args.machine),
            name(out)
        )),
        (_, None, Some(_), _) if args.shown.is_empty() => Some(format!("tamper {} --show count", typed(words)?)),
        _ => None,
    }
}

/// The command that runs the tests of a harness.
fn runner(args: &HarnessArgs) -> String {
    let file = name(&args.out);
    match args.target {
        HarnessTarget::Pytest => format!("TAMPER_SUT=COMMAND pytest {file}"),
        HarnessTarget::NodeTest => format!("TAMPER_SUT=COMMAND node --test {file}"),
        HarnessTarget::Jest => format!("TAMPER_SUT=COMMAND npx jest {file}"),
        HarnessTarget::Vitest => format!("TAMPER_SUT=COMMAND npx vitest run {file}"),
        HarnessTarget::Tokio => "cargo test".to_owned(),
        HarnessTarget::C => format!("cc {file} SYSTEM.c -o suite"),
    }
}

/// The command after a run of tests: the diagnosis of a program that fails; else the score of the suite.
fn after_run(args: &RunArgs, words: &[OsString], code: ExitCode) -> Option<String> {
    if code == ExitCode::Yes || args.sut.is_none() {
        let suite = name(args.suite.as_deref()?);
        let model = args.program.oracle.as_deref().map_or_else(|| "MODEL".to_owned(), name);
        return Some(format!("tamper score {suite} {model}"));
    }
    Some(match &args.program.results {
        Some(results) => format!("tamper diagnose {}", name(results)),
        None => format!("tamper {} --results run.jsonl", typed(words)?),
    })
}

/// The run of a suite against a program, whose name the user has to fill in.
fn against(suite: &Path) -> String {
    format!("run {} --sut COMMAND --accelerated", name(suite))
}

/// The typed words after the program's name.
fn typed(words: &[OsString]) -> Option<String> {
    let words: Option<Vec<String>> = words.iter().skip(1).map(|typed| Some(word(typed.to_str()?))).collect();
    Some(words?.join(" "))
}

/// The typed options that mean the same to the next command, each after a space.
fn shared(words: &[OsString]) -> String {
    let mut kept = String::new();
    let mut words = words.iter().filter_map(|typed| typed.to_str()).peekable();
    while let Some(typed) = words.next() {
        let (option, value) = typed
            .split_once('=')
            .map_or((typed, None), |(option, value)| (option, Some(value)));
        if SHARED.split(' ').all(|shared| shared != option) {
            continue;
        }
        kept += &format!(" {option}");
        let value = match option {
            "--network" => None,
            _ => value.or_else(|| words.next()),
        };
        if let Some(value) = value {
            kept += &format!(" {}", word(value));
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use clap::Parser as _;

    use super::super::command::Cli;
    use super::*;

    fn after(typed: &str, code: ExitCode) -> Option<String> {
        let words: Vec<OsString> = typed.split(' ').map(OsString::from).collect();
        let cli = Cli::try_parse_from(&words).unwrap_or_else(|error| panic!("{typed}: {error}"));
        next(FinishedCommand {
            command: &cli.command,
            words: &words,
            code,
        })
    }

    /// Commands as they are typed after `$`, each with the command that follows it, by exit code.
    const FOLLOWS: &str = "\
$ tamper check a.xml --environment User
yes tamper classify a.xml --environment User
$ tamper refine a.xml A B
no tamper refine a.xml A B --witness
yes tamper testgen a.xml --template B --out suite.json
$ tamper refine a.xml A B --against b.xml --witness
no tamper testgen b.xml --template B --out suite.json
$ tamper refine a.fsm b.fsm
yes -
$ tamper compose net.xml --out one.xml
yes tamper classify one.xml
$ tamper classify a.xml --mutate=P,Q --witness --order 2
yes tamper testgen a.xml --out suite.json --mutate P,Q --order 2
$ tamper classify a.xml --certify why
yes tamper verify why --run tamper.out
$ tamper verify why
yes -
$ tamper merge a b --out nowhere
yes -
$ tamper testgen a.xml --out s.json
yes tamper run s.json --sut COMMAND --accelerated
$ tamper minimise s.json a.xml --in-place
yes tamper run s.json --sut COMMAND --accelerated
$ tamper new-adapter python
yes tamper run suite.json --sut COMMAND --accelerated
$ tamper score s.json a.xml
yes tamper minimise s.json a.xml --out small.json
no tamper minimise s.json a.xml --out small.json
$ tamper export a.xml --keep all --out mutants
yes tamper run suite.json --against mutants
$ tamper fmm a.xml --out all
yes tamper features all/features.uvl
$ tamper project a.xml --features a.uvl --out b.xml
yes tamper check b.xml
$ tamper families a.xml --against b.xml --features a.uvl
no tamper families a.xml --against b.xml --features a.uvl --witness 3
yes tamper draw a.xml
$ tamper families a.fsm --against b.fsm
no tamper draw a.fsm
$ tamper features a.uvl
yes tamper draw a.uvl --out features.svg
$ tamper features a.uvl --why a
yes tamper features a.uvl
$ tamper coverage m.fsm s.suite
no tamper coverage m.fsm s.suite --suite complete
yes tamper coverage m.fsm s.suite --show count
$ tamper coverage m.fsm s.suite --suite complete
yes tamper coverage m.fsm s.suite --suite complete --out complete.suite
$ tamper coverage m.fsm --suite complete --out c.suite
yes tamper coverage m.fsm c.suite --show count
$ tamper coverage m.fsm s.suite --show count
yes -
$ tamper run s.json --sut ./p
no tamper run s.json --sut ./p --results run.jsonl
yes tamper score s.json MODEL
$ tamper run s.json --sut ./p --results r.jsonl --model a.xml
no tamper diagnose r.jsonl
yes tamper score s.json a.xml
$ tamper run s.json --against mutants
no tamper score s.json MODEL
$ tamper view s.json a.xml --out tests
yes tamper run s.json --against a.xml
$ tamper harness s.json --as pytest --out test_s.py
yes TAMPER_SUT=COMMAND pytest test_s.py
$ tamper harness s.json --as node-test --out s.test.mjs
yes TAMPER_SUT=COMMAND node --test s.test.mjs
$ tamper harness s.json --as jest --out s.test.js
yes TAMPER_SUT=COMMAND npx jest s.test.js
$ tamper harness s.json --as vitest --out s.test.mjs
yes TAMPER_SUT=COMMAND npx vitest run s.test.mjs
$ tamper harness s.json --as c --out s.c
yes cc s.c SYSTEM.c -o suite
$ tamper accept a.xml
no tamper accept a.xml --remove
yes tamper score suite.json a.xml
$ tamper oracle m.fsm
yes -
$ tamper completions bash
yes -
$ tamper man --out man
yes -";

    /// The same for commands about pictures.
    #[cfg(feature = "drawing")]
    const AND_PICTURES: &str = "\
$ tamper draw case-studies/wfas/model.xml --template WFAS
yes tamper classify case-studies/wfas/model.xml --template WFAS
$ tamper draw nowhere.xml
yes -
$ tamper report src --out page.html
yes tamper report src --suite suite.json --out page.html
$ tamper report src --suite s.json --out page.html
yes -
$ tamper report score.json --out page.html
yes -
$ tamper report src --as latex --out t.tex
yes tamper report src --as csv --out numbers.csv
$ tamper diagnose run.jsonl a.xml
yes -";
    #[cfg(not(feature = "drawing"))]
    const AND_PICTURES: &str = "";

    #[test]
    fn each_command_leads_to_one_that_can_be_typed() {
        let mut command = "";
        let mut tried = std::collections::BTreeSet::new();
        for line in FOLLOWS.lines().chain(AND_PICTURES.lines()) {
            let (sign, rest) = line.split_once(' ').expect(line);
            let code = match sign {
                "$" => {
                    command = rest;
                    tried.extend(rest.split(' ').nth(1));
                    continue;
                }
                "yes" => ExitCode::Yes,
                _ => ExitCode::No,
            };
            let expected = (rest != "-").then_some(rest);
            assert_eq!(after(command, code).as_deref(), expected, "{command}: {sign}");
            if let Some(next) = expected.filter(|next| next.starts_with("tamper ")) {
                let words = next.split(' ');
                assert!(Cli::try_parse_from(words).is_ok(), "{next}");
            }
            for code in [ExitCode::Error, ExitCode::Unknown] {
                assert_eq!(after(command, code), None, "{command}");
            }
        }
        // `open` ends when its user ends it, `reproduce` with tables that no command reads, and nobody types `supervise`.
        use clap::CommandFactory as _;
        let cli = Cli::command();
        let names = cli.get_subcommands().map(clap::Command::get_name);
        for name in names.filter(|name| !["open", "reproduce", "supervise"].contains(name)) {
            assert!(tried.contains(name), "{name}: what follows it?");
        }
    }
}

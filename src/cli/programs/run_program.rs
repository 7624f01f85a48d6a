//! `tamper run --sut`: a suite against a program.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail};
use num_bigint::BigInt;

use crate::cli::arguments::args::GlobalArgs;
use crate::cli::arguments::suite_run_args::{Amount, RunArgs, tamper};
use crate::cli::exit::{ExitCode, Stopped};
use crate::cli::interrupt;
use crate::cli::programs::run_adaptive::adaptive_campaign;
use crate::cli::programs::run_chance::{SuiteRun, chance_beside};
use crate::cli::programs::run_oracle::Oracle;
use crate::cli::programs::run_plan::planned;
use crate::cli::shell::word;
use crate::cli::terminal::Terminal;
use tamper::experiment::killing::Chance;
use tamper::experiment::{JournalKey, Timer, largest_constant};
use tamper::formats::read_text;
use tamper::formats::suite_json::{Pruning, Suite};
use tamper::model::Automaton;
use tamper::programs::{
    AdaptivePlan, AdaptiveTests, Halt, Manner, Outcome, Ran, RandomTests, RemoteSut, Results, RunEnd, RunSetting,
    Source, Target, TestRun, TimeMode, Timing, Trials, run_tests,
};
use tamper::report::{JunitProgram, RunCounts, junit_of_program, test_runs_json, test_runs_text};
use tamper::suite::{Refusals, TestCase, TimeUnit, What, Words, n_events};

/// A suite and the program that it is run against.
struct ProgramRun<'a> {
    args: &'a RunArgs,
    sut: &'a str,
    suite: &'a Suite,
    /// The tests to run.
    tests: Vec<&'a TestCase>,
    oracle: Option<Oracle>,
    terminal: &'a Terminal,
}

/// Runs `tests` of a suite against the program `sut`.
pub fn against_program(
    args: &RunArgs,
    sut: &str,
    suite: &Suite,
    tests: &[&TestCase],
    global: &GlobalArgs,
    terminal: &Terminal,
) -> Result<ExitCode> {
    let targets = targets(sut, args.program.jobs.map(usize::from))?;
    let (tests, plan) = planned(args, suite, tests, targets.len())?;
    let run = ProgramRun {
        args,
        sut,
        suite,
        oracle: Oracle::find(args, suite, &tests, global, terminal)?,
        tests,
        terminal,
    };
    let (mut results, known) = run.results()?;
    terminal.note(&plan.to_string());
    run.note_fine_times();
    let timer = args.total.timer(args.limits.resolve());
    let mut ran = run.run(targets.clone(), results.as_mut(), known)?;
    let chance = run.chance(&ran, global, &timer);
    if let Some(events) = args.program.top_up {
        run.top_up(events as usize, &mut ran, targets, results.as_mut())?;
    }
    run.conclude(ran, chance.as_ref())
}

/// Runs tests that are made while they run, random or adaptive ones, against the program `sut`.
pub fn made_against_program(args: &RunArgs, sut: &str, global: &GlobalArgs, terminal: &Terminal) -> Result<ExitCode> {
    let targets = targets(sut, args.program.jobs.map(usize::from))?;
    let (oracle, specification) = Oracle::named(args, global, terminal)?;
    let suite = Suite {
        specification,
        refusals: Refusals::Error,
        pruning: Pruning::default(),
        tests: Vec::new(),
        mutants: Vec::new(),
    };
    let random = args
        .timed
        .random
        .map(|amount| random_tests(args, amount, oracle.game(), terminal));
    let run = ProgramRun {
        args,
        sut,
        suite: &suite,
        oracle: Some(oracle),
        tests: Vec::new(),
        terminal,
    };
    if let Some(tests) = random.transpose()? {
        let (mut results, _) = run.results()?;
        let ran = run.drive(targets, Trials::Random(tests), results.as_mut())?;
        return run.conclude(ran, None);
    }
    // This is done first, so that a run that cannot begin leaves existing results unchanged.
    let campaign = adaptive_campaign(args, global, terminal)?;
    let (mut results, known) = run.results()?;
    let plan = AdaptivePlan {
        workers: targets.len(),
        passes: args.program.repeat.unwrap_or(1),
        known: &known,
    };
    let tests = Arc::new(AdaptiveTests::new(campaign, &plan));
    let mut ran = run.drive(targets, Trials::Adaptive(Arc::clone(&tests)), results.as_mut())?;
    terminal.note(&how_far(&tests, args.program.repeat));
    ran.runs.splice(0..0, known.into_iter().filter(TestRun::says_something));
    run.conclude(ran, None)
}

/// A summary of the adaptive tests by the fates of the mutants.
fn how_far(tests: &AdaptiveTests, passes: Option<u32>) -> String {
    let (mutants, given_up) = (tests.n_mutants(), tests.n_given_up());
    let done = mutants.saturating_sub(tests.n_open() + given_up);
    let last = match passes {
        Some(passes @ 2..) => format!("; this is the last of {passes} times"),
        _ => String::new(),
    };
    let elsewhere = match given_up {
        0 => String::new(),
        n => format!("; {n} were given up, as the program went elsewhere"),
    };
    format!(
        "the tests came to where {done} of the {mutants} mutants would have shown, or ruled them out{elsewhere}{last}"
    )
}

/// The random tests under the typed options.
fn random_tests(args: &RunArgs, amount: Amount, model: &Automaton, terminal: &Terminal) -> Result<RandomTests> {
    let longest = largest_constant(model).saturating_add(1);
    let seed = args.timed.seed;
    terminal.note(&match amount {
        Amount::Tests(most) => format!("{most} random tests, seed {seed}"),
        Amount::Time(time) => format!("random tests for {} s, seed {seed}", time.as_secs_f64()),
        Amount::Events(events) => format!("random tests until {events} more inputs and outputs are seen, seed {seed}"),
    });
    Ok(RandomTests {
        seed,
        most: match amount {
            Amount::Tests(most) => Some(most),
            Amount::Time(_) | Amount::Events(_) => None,
        },
        events: match amount {
            Amount::Events(events) => Some(events),
            Amount::Time(_) | Amount::Tests(_) => None,
        },
        until: match amount {
            Amount::Time(time) => Instant::now().checked_add(time),
            Amount::Tests(_) | Amount::Events(_) => None,
        },
        longest: u32::try_from(longest).context("the model's constants are too large for random tests")?,
    })
}

/// An instance of the program for each job.
fn targets(sut: &str, jobs: Option<usize>) -> Result<Vec<Target>> {
    if !sut.starts_with("tcp://") {
        return Ok(vec![Target::parse(sut); jobs.unwrap_or(1)]);
    }
    let addresses = sut.split(',').map(str::trim);
    let addresses: Vec<Target> = addresses
        .map(|address| match address.starts_with("tcp://") {
            true => Target::parse(address),
            false => Target::Tcp(address.to_owned()),
        })
        .collect();
    match jobs {
        Some(jobs) if jobs != addresses.len() => bail!(
            "--jobs {jobs} needs {jobs} programs: name as many addresses behind tcp://, separated by commas; {sut} names {}",
            addresses.len()
        ),
        _ => Ok(addresses),
    }
}

impl ProgramRun<'_> {
    fn instance(&self, target: Target) -> Result<RemoteSut> {
        let timing = Timing {
            mode: match self.args.timed.accelerated {
                true => TimeMode::Accelerated,
                false => TimeMode::Real(self.args.timed.unit),
            },
            patience: Duration::from_millis(self.args.patience),
            start_patience: Duration::from_millis(self.args.program.start_patience),
        };
        let sut = RemoteSut::new(target, timing).supervised_by(tamper()?);
        Ok(sut.with_refusals(self.suite.refusals))
    }

    /// The wording of times.
    fn words(&self) -> Words {
        let timed = &self.args.timed;
        Words {
            unit: match timed.accelerated {
                true => TimeUnit::Model,
                false => TimeUnit::Wall(u64::try_from(timed.unit.as_nanos()).unwrap_or(u64::MAX)),
            },
            name: self.suite.specification.unit.clone(),
            tolerance: timed.tolerance.clone(),
        }
    }

    /// The key of the results: everything that they depend on.
    fn key(&self) -> Result<JournalKey> {
        let (timed, program) = (&self.args.timed, &self.args.program);
        let suite = self.args.suite.as_deref();
        let hash = |path: &Path| -> Result<String> {
            let text = read_text(path, "name the suite that is run")?;
            Ok(blake3::hash(text.as_bytes()).to_hex().to_string())
        };
        let specification = &self.suite.specification;
        let setting = RunSetting {
            format: RunSetting::FORMAT.to_owned(),
            version: RunSetting::VERSION,
            file: suite.map(|path| path.display().to_string()),
            seed: timed.random.map(|_| timed.seed),
            model: specification.file.clone(),
            template: specification.template.clone(),
            network: specification.network.clone(),
            sut: self.sut.to_owned(),
            unit_us: match timed.accelerated {
                true => None,
                false => Some(u64::try_from(timed.unit.as_micros())?),
            },
            tolerance: timed.tolerance.to_string(),
            repeat: program.repeat.unwrap_or(1),
            retry: program.retry.unwrap_or(0),
        };
        let suite = suite.map(hash).transpose()?;
        Ok(JournalKey::new(specification.hash.clone(), suite, &setting)?)
    }

    /// The file for results, and the results that it has already.
    fn results(&self) -> Result<(Option<Results>, Vec<TestRun>)> {
        let Some(path) = &self.args.program.results else {
            return Ok((None, Vec::new()));
        };
        let (results, known) = match self.args.program.resume {
            true => Results::resume(path, &self.key()?)?,
            false => (Results::create(path, &self.key()?)?, Vec::new()),
        };
        interrupt::recorded();
        Ok((Some(results), known))
    }

    /// Runs the tests that are not among the known ones.
    fn run(&self, targets: Vec<Target>, results: Option<&mut Results>, known: Vec<TestRun>) -> Result<Ran> {
        let known = known.into_iter().filter(TestRun::says_something);
        let mut known: BTreeMap<String, TestRun> = known.map(|run| (run.test.clone(), run)).collect();
        let left = self.tests.iter().filter(|test| !known.contains_key(&test.id));
        let left: Vec<TestCase> = left.map(|test| (*test).clone()).collect();
        let ran = self.drive(targets, Trials::Suite(left), results)?;
        known.extend(ran.runs.into_iter().map(|run| (run.test.clone(), run)));
        let runs = self.tests.iter().filter_map(|test| known.remove(&test.id));
        Ok(Ran {
            runs: runs.collect(),
            end: ran.end,
        })
    }

    /// The chance beside the results, if the whole suite was run, and there is a model. What keeps it from being known is a note: the
    /// results are there all the same.
    fn chance(&self, ran: &Ran, global: &GlobalArgs, timer: &Timer) -> Option<Chance> {
        let is_whole = matches!(ran.end, RunEnd::Done) && ran.runs.len() == self.tests.len();
        let oracle = self.oracle.as_ref().filter(|_| is_whole)?;
        let of = SuiteRun {
            suite: self.suite,
            tests: &self.tests,
            runs: &ran.runs,
        };
        chance_beside(self.args, of, oracle, timer, global, self.terminal).unwrap_or_else(|error| {
            self.terminal.note(&format!(
                "note: what random tests would have shown is not known: {error:#}"
            ));
            None
        })
    }

    /// Adds random tests to `ran` until there are this many inputs and outputs.
    fn top_up(&self, events: usize, ran: &mut Ran, targets: Vec<Target>, results: Option<&mut Results>) -> Result<()> {
        let oracle = self
            .oracle
            .as_ref()
            .context("--top-up makes tests by --model: name it")?;
        let seen: usize = ran.runs.iter().map(|run| n_events(&run.log)).sum();
        if !matches!(ran.end, RunEnd::Done) || seen >= events {
            return Ok(());
        }
        let tests = random_tests(self.args, Amount::Events(events - seen), oracle.game(), self.terminal)?;
        let more = self.drive(targets, Trials::Random(tests), results)?;
        ran.runs.extend(more.runs);
        ran.end = more.end;
        Ok(())
    }

    /// Notes times of tests that lie closer together than a clock of milliseconds can tell.
    fn note_fine_times(&self) {
        let timed = &self.args.timed;
        let unit = BigInt::from(timed.unit.as_micros());
        let finest = self.tests.iter().map(|test| (test.scale(), test.id.as_str())).max();
        if let Some((parts, test)) = finest.filter(|_| !timed.accelerated)
            && unit < &parts * 1_000
        {
            self.terminal.note(&format!(
                "note: times of {test} are multiples of 1/{parts} of a time unit: a clock of milliseconds tells them apart from --unit {parts}ms on"
            ));
        }
    }

    /// Notes the inputs that the program refused each time: its adapter may lack them.
    fn note_refused(&self, runs: &[TestRun]) {
        let mut given: BTreeMap<&str, (u32, u32)> = BTreeMap::new();
        for event in runs.iter().flat_map(|run| &run.log) {
            match &event.what {
                What::Input(input) => given.entry(input.trim_end_matches('?')).or_default().0 += 1,
                What::Refused(input) => given.entry(input.trim_end_matches('?')).or_default().1 += 1,
                _ => {}
            }
        }
        // Where refusals mean nothing they are remarks.
        for remark in runs
            .iter()
            .flat_map(|run| &run.remarks)
            .filter(|remark| remark.source == Source::Log)
        {
            if let Some((_, refused)) = remark
                .text
                .strip_prefix("refused ")
                .and_then(|input| given.get_mut(input))
            {
                *refused += 1;
            }
        }
        for (input, (times, refused)) in given {
            if refused >= times && times > 0 {
                let times = match times {
                    1 => "the one time".to_owned(),
                    times => format!("all {times} times"),
                };
                self.terminal.note(&format!(
                    "note: the adapter has no input `{input}`, or the program always refuses it: it was refused {times} that it was given"
                ));
            }
        }
    }

    /// Runs `trials`.
    fn drive(&self, targets: Vec<Target>, trials: Trials, mut results: Option<&mut Results>) -> Result<Ran> {
        let n_trials = match &trials {
            Trials::Suite(tests) => tests.len() as u64,
            Trials::Random(tests) => tests.most.unwrap_or(0),
            Trials::Adaptive(_) => 0,
        };
        let limit = self.args.total.total_timeout.map(Duration::from_millis);
        let halt = Halt {
            manner: Manner {
                words: self.words(),
                repeats: self.args.program.repeats(),
                judge: self.oracle.as_ref().map(Oracle::judge).transpose()?.map(Arc::new),
            },
            fail_fast: self.args.program.fail_fast,
            interrupt: interrupt::watch(),
            deadline: limit.and_then(|limit| Instant::now().checked_add(limit)),
        };
        let bar = self.terminal.progress(n_trials);
        let suts = targets.into_iter().enumerate();
        let suts = suts.map(|(job, target)| Ok(self.instance(target)?.as_job(job)));
        let ran = run_tests(trials, suts.collect::<Result<Vec<_>>>()?, &halt, &mut |run| {
            bar.inc(1);
            results.as_mut().map_or(Ok(()), |results| results.add(run))
        })?;
        bar.finish_and_clear();
        Ok(ran)
    }

    /// Prints the results, and returns the exit code of the run.
    fn conclude(&self, Ran { runs, end }: Ran, chance: Option<&Chance>) -> Result<ExitCode> {
        self.note_refused(&runs);
        // The number of random tests is not known in advance.
        let tests = self.tests.len().max(runs.len());
        let end = match end {
            RunEnd::NeverStarted(never) if runs.is_empty() => return Err(never.into()),
            end => end,
        };
        let (strict, words) = (self.args.program.strict, self.words());
        let program = JunitProgram {
            words: &words,
            sut: self.sut,
            class: &self.suite.specification.template,
            strict,
        };
        let text = || test_runs_text(&runs, tests, &words, chance);
        let junit = junit_of_program(&runs, program);
        self.args.write_for_others(&junit, text, self.terminal)?;
        self.terminal
            .answer(|| test_runs_json(&runs, tests, &words, chance), text)?;
        let counts = RunCounts::of(&runs, tests);
        let against = counts.fail + counts.unsteady + counts.broken;
        let is_failed = against > 0 || strict && counts.inconclusive > 0;
        if counts.differ > 0
            && let Some(oracle) = &self.oracle
        {
            let differs = |test: &&&TestCase| {
                let mut differing = runs.iter().filter(|run| matches!(run.outcome, Outcome::Differs(_)));
                differing.any(|run| run.test == test.id)
            };
            let tests: Vec<TestCase> = self.tests.iter().filter(differs).map(|test| (*test).clone()).collect();
            return Err(oracle.difference(self.args.suite.as_deref(), &tests));
        }
        match end {
            RunEnd::NeverStarted(never) => bail!("{never}; {}", self.left(runs.len())),
            RunEnd::Interrupted => Err(Stopped(format!("interrupted: {}", self.left(runs.len()))).into()),
            RunEnd::TimeUp => {
                let left = self.left(runs.len());
                self.terminal
                    .message(&format!("stopped: the time is up (--total-timeout): {left}"));
                Ok(if is_failed { ExitCode::No } else { ExitCode::Unknown })
            }
            RunEnd::Done | RunEnd::FailFast if is_failed => Ok(ExitCode::No),
            RunEnd::Done | RunEnd::FailFast if counts.late > 0 => Ok(ExitCode::Unknown),
            RunEnd::Done | RunEnd::FailFast => Ok(ExitCode::Yes),
        }
    }

    /// A message about the progress of a run that ended early, and how to continue it.
    fn left(&self, done: usize) -> String {
        let program = &self.args.program;
        if self.args.timed.random.is_some() {
            return format!("{done} {} are done", program.made());
        }
        let done = match program.strategy {
            Some(_) => format!("{done} {} are done", program.made()),
            None => format!("{done} of {} tests are done", self.tests.len()),
        };
        match self.args.program.results {
            Some(_) => format!("{done}; go on with: {}", typed_with_resume()),
            None => format!("{done}; with --results FILE a run can go on later (--resume)"),
        }
    }
}

/// The typed command, with `--resume`.
fn typed_with_resume() -> String {
    let words = std::env::args_os().skip(1).map(|typed| word(&typed.to_string_lossy()));
    let words: Vec<String> = words.filter(|word| word != "--resume").collect();
    format!("tamper {} --resume", words.join(" "))
}

//! What completing a suite costs, measured: `results/coverage/make.sh` runs this and keeps what it prints in `results/`.
//!
//! `machine N SEED` prints a random machine with N mutated transitions, `air-quality SEED` one of the profile of [000]
//! section 4.2, both as text; `grow N SEED` completes a suite for the first and prints a line of the table; `prefixes
//! SEED` completes one for the second and counts what each of its prefixes misses.

use std::fmt::Write as _;
use std::time::Instant;

use anyhow::{Context as _, Result, bail};
use num_bigint::BigUint;
use tamper::features::{Batsat, Varisat};
use tamper::formats::machines::write_machine;
use tamper::machines::{Analysis, Answer, Completion, Counter, MutationMachine, Profile, Strategy, minimise};
use tamper::report::percent;
use tamper::text::Budget;

const HEADER: &str = "mutated,sets,machines,tests,inputs,longest,most executions,test clauses,clauses,questions,conforming,seconds,proof seconds,MiB";

fn main() -> Result<()> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["machine", n, seed] => print!("{}", write_machine(&growing(n.parse()?, seed.parse()?)?)),
        ["air-quality", seed] => print!("{}", write_machine(&Profile::air_quality(seed.parse()?).generate()?)),
        ["header"] => println!("{HEADER}"),
        ["grow", n, seed] => println!("{}", grow(n.parse()?, seed.parse()?)?),
        ["prefixes", seed] => print!("{}", prefixes(seed.parse()?)?),
        _ => bail!("one of: machine N SEED, air-quality SEED, header, grow N SEED, prefixes SEED"),
    }
    Ok(())
}

/// 60 states, 24 inputs, 2 outputs; of the mutated transitions, a third is alone in its set, the others are in pairs.
fn growing(n_mutated: usize, seed: u64) -> Result<MutationMachine> {
    let n_triples = n_mutated / 3;
    let profile = Profile {
        n_states: 60,
        n_inputs: 24,
        n_outputs: 2,
        sets: vec![(n_triples, 3), (n_mutated - 2 * n_triples, 2)],
        reach: 2,
        n_fault_inputs: 24,
        seed,
    };
    Ok(profile.generate()?)
}

/// A line of the table.
fn grow(n_mutated: usize, seed: u64) -> Result<String> {
    let machine = growing(n_mutated, seed)?;
    let started = Instant::now();
    let analysis = completed(&machine)?;
    let seconds = started.elapsed().as_secs_f64();
    let proof = prove(&machine, &analysis)?;
    let facts = analysis.facts();
    let executions = facts
        .iter()
        .map(|facts| facts.n_executions.map_or(f64::INFINITY, |n| n as f64));
    Ok(format!(
        "{},{},{:e},{},{},{},{},{},{},{},{},{seconds:.3},{proof:.3},{:.1}",
        machine.n_mutated(),
        machine.sets().len(),
        Magnitude(&machine.n_machines()),
        facts.len(),
        facts.iter().map(|facts| facts.length).sum::<usize>(),
        facts.iter().map(|facts| facts.length).max().unwrap_or(0),
        executions.fold(0.0, f64::max),
        analysis.n_test_clauses(),
        analysis.n_clauses(),
        analysis.n_questions(),
        analysis.conforming().len() - 1,
        peak_mib()?
    ))
}

fn completed(machine: &MutationMachine) -> Result<Analysis<'_, Varisat>> {
    let mut analysis = Analysis::new(machine, Varisat::default());
    match analysis.complete(Strategy::NewTests, &Budget::unlimited(), &mut |_, _| ())? {
        Completion::Complete => Ok(analysis),
        Completion::Stopped(reason) => bail!("{reason}"),
    }
}

/// The seconds that a second solver needs to show, from nothing but the tests, that they are complete.
fn prove(machine: &MutationMachine, analysis: &Analysis<'_, Varisat>) -> Result<f64> {
    let started = Instant::now();
    let mut again = Analysis::new(machine, Batsat::default());
    analysis.tests().iter().for_each(|test| again.add_test(test));
    match again.escape(&Budget::unlimited(), &mut |_| ())? {
        Answer::Complete => Ok(started.elapsed().as_secs_f64()),
        other => bail!("the suite is not complete: {other:?}"),
    }
}

/// A number of any size as `1.2e34`.
struct Magnitude<'a>(&'a BigUint);

impl std::fmt::LowerExp for Magnitude<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let digits = self.0.to_string();
        let (first, rest) = digits.split_at(1);
        write!(f, "{first}.{}e{}", rest.chars().next().unwrap_or('0'), rest.len())
    }
}

/// The peak of this process' resident memory; Linux only.
fn peak_mib() -> Result<f64> {
    let status = std::fs::read_to_string("/proc/self/status").context("this measurement needs Linux")?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kib = line
        .and_then(|line| line.split_whitespace().next())
        .context("no VmHWM")?;
    Ok(kib.parse::<f64>()? / 1024.0)
}

/// The suite of the air-quality profile, test by test, as a Markdown table.
fn prefixes(seed: u64) -> Result<String> {
    let machine = Profile::air_quality(seed).generate()?;
    let started = Instant::now();
    let analysis = completed(&machine)?;
    let seconds = started.elapsed().as_secs_f64();
    let proof = prove(&machine, &analysis)?;
    let budget = Budget::unlimited();
    let kept = minimise(
        &machine,
        analysis.tests(),
        &mut Varisat::default(),
        &budget,
        &mut |_| (),
    )?
    .tests;
    let counting = Instant::now();
    let mut counter = Counter::new(&machine, Budget::unlimited());
    let conforming = counter.counts(analysis.conforming(), true, true).conforming;
    let conforming = conforming.exact().context("no limit was set")?;
    let mut rows = String::new();
    let mut killed = BigUint::ZERO;
    for (number, (test, facts)) in (1..).zip(analysis.tests().iter().zip(analysis.facts())) {
        counter.add_test(test);
        let undetected = counter.survivors() - 1_u32 - conforming;
        killed = machine.n_machines() - counter.survivors();
        let _ = writeln!(
            rows,
            "| {number} | {} | {} | {undetected} | {} |",
            facts.length,
            facts.n_executions.map_or("many".to_owned(), |n| n.to_string()),
            percent(&killed, &(machine.n_machines() - 1_u32 - conforming)),
        );
    }
    let lengths: Vec<usize> = analysis.facts().iter().map(|facts| facts.length).collect();
    let mut text = format!("{} machines; completed in {seconds:.2} s, ", machine.n_machines());
    let _ = writeln!(
        text,
        "proved again by the second solver in {proof:.3} s, all prefixes counted in {:.2} s.\n",
        counting.elapsed().as_secs_f64()
    );
    let _ = writeln!(
        text,
        "{} tests of {} to {} inputs; {} clauses for the tests, {} in all; {} conforming mutants; {} tests are left when \
         needless ones are dropped; {killed} mutants killed.\n",
        lengths.len(),
        lengths.iter().min().unwrap_or(&0),
        lengths.iter().max().unwrap_or(&0),
        analysis.n_test_clauses(),
        analysis.n_clauses(),
        conforming,
        kept.len(),
    );
    text.push_str("| test | inputs | revealing executions | undetected after it | score |\n|--:|--:|--:|--:|--:|\n");
    text.push_str(&rows);
    Ok(text)
}

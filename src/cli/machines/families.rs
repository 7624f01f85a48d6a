//! `tamper families` of a mutation machine: its machines, compared with a specification that is not among them.

use anyhow::{Context as _, Result};

use super::load::{read, read_one};
use crate::cli::arguments::family_args::FamiliesArgs;
use crate::cli::door::{MachineFile, open_machine};
use crate::cli::exit::ExitCode;
use crate::cli::terminal::Terminal;
use tamper::experiment::{CoveragePlan, Steps, Timer, cover};
use tamper::machines::{Answer, Difference, Escape, JointMachine, MutationMachine, Number};
use tamper::report::MachineFamily;

/// Decides which machines of a mutation machine answer as the specification does.
pub fn families(file: &MachineFile, args: &FamiliesArgs, terminal: &Terminal) -> Result<ExitCode> {
    let against = open_machine(&args.against)?;
    let options = args.graph.with(args.machine.options());
    let family = read(file, &options, terminal)?;
    let specification = read_one(&against, &options, terminal)?;
    let beside = JointMachine::of(&specification, &family)?;
    let timer = Timer::new(args.limits.resolve());
    let plan = CoveragePlan {
        count: true,
        budget: timer.budget(),
        ..CoveragePlan::default()
    };
    let run = cover(&beside.whole, &[], &plan, &mut Steps::default(), &mut |_| ())?;
    let machines = family.n_machines();
    // All mutants that chose the specification conform: one per machine, except the specification itself, which is no mutant.
    let others = &machines - 1_u32;
    let conforming = run.counts.context("the machines were counted")?.conforming;
    let less = |number: &num_bigint::BigUint| {
        let is_more = *number >= others;
        if is_more { number - &others } else { 0_u32.into() }
    };
    let subsumed = match &conforming {
        Number::Exactly(number) => Number::Exactly(less(number)),
        Number::Between(least, most) => Number::Between(less(least), less(most)),
    };
    let shown = MachineFamily {
        compared: match &run.answer {
            Answer::Complete => Ok(None),
            Answer::Unknown(reason) => Err(*reason),
            Answer::Escape(escape) => Ok(Some(example(escape, &beside, &family, &specification)?)),
        },
        machines,
        subsumed,
    };
    let (name, against) = (args.file.display().to_string(), args.against.display().to_string());
    terminal.answer(|| shown.json(&name, &against), || shown.text(&name, &against))?;
    Ok(match (&shown.compared, &shown.subsumed) {
        (Ok(Some(_)), _) => ExitCode::No,
        (Ok(None), Number::Exactly(_)) => ExitCode::Yes,
        (Ok(None), Number::Between(..)) | (Err(_), _) => ExitCode::Unknown,
    })
}

/// The mutated transitions of a machine that differs from the specification, and a shortest word that shows it.
fn example(
    escape: &Escape,
    beside: &JointMachine,
    family: &MutationMachine,
    specification: &MutationMachine,
) -> Result<(Vec<String>, Difference)> {
    let mutant = beside
        .machine(family, &escape.mutant)
        .context("the specification conforms")?;
    let names: Vec<&String> = escape.killed_by[1..]
        .iter()
        .map(|input| &beside.whole.inputs()[*input])
        .collect();
    let word = |machine: &MutationMachine| -> Result<Vec<_>> {
        let find = |name: &&String| machine.inputs().iter_enumerated().find(|(_, own)| own == name);
        let ids = names.iter().map(|name| find(name).map(|(id, _)| id));
        ids.collect::<Option<_>>().context("both have the same inputs")
    };
    let left = mutant.outputs(family, &word(family)?);
    let difference = Difference {
        inputs: names.iter().map(|name| (*name).clone()).collect(),
        left: left.iter().map(|output| family.outputs()[*output].clone()).collect(),
        right: specification.answers(&word(specification)?),
    };
    Ok((mutant.show(family), difference))
}

//! Suites for a machine that know nothing of its mutants, and one test per mutant, for `scripts/baselines.sh`:
//! `baselines MACHINE FOLDER` writes them as files of the folder.

use std::collections::BTreeSet;
use std::error::Error;
use std::path::Path;

use tamper_features::Random;
use tamper_machines::formats::{MachineFormat, MachineOptions, read_machine, write_suite};
use tamper_machines::{InputId, Mutant, MutationMachine, checking_sequence, identifying_suite, w_method};
use tamper_text::Budget;

type Suite = Vec<Vec<InputId>>;

/// A shortest test for every mutant with one fault that some test kills, each test once.
fn per_mutant(machine: &MutationMachine) -> Result<Suite, Box<dyn Error>> {
    let mut tests = BTreeSet::new();
    for (at, _) in machine.sets().enumerate() {
        let one = |choice| {
            let mut choices = vec![0; machine.sets().len()];
            choices[at] = choice;
            Mutant::new(machine, choices)
        };
        for mutant in (1..).map_while(one) {
            let word = mutant.killing_sequence(machine, &Budget::unlimited());
            tests.extend(word.map_err(|reason| reason.to_string())?);
        }
    }
    Ok(tests.into_iter().collect())
}

/// Random tests of the lengths of `other`.
fn random(machine: &MutationMachine, other: &Suite) -> Suite {
    let inputs: Vec<InputId> = machine.inputs().ids().collect();
    let mut random = Random::new(1);
    let mut test = |length: usize| (0..length).map(|_| inputs[random.below(inputs.len())]).collect();
    other.iter().map(|own| test(own.len())).collect()
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, file, folder] = &arguments[..] else {
        return Err("name a machine (one transition per line) and a folder".into());
    };
    let bytes = std::fs::read(file)?;
    let machine = read_machine(file, &bytes, MachineFormat::Text, &MachineOptions::default())?.machine;
    let unlimited = Budget::unlimited();
    let own = per_mutant(&machine)?;
    let mut suites = vec![
        ("random", random(&machine, &own)),
        ("per-mutant", own),
        ("w-method", w_method(&machine, 0, &unlimited)?),
        ("hsi-method", identifying_suite(&machine, 0, &unlimited)?),
    ];
    suites.extend(checking_sequence(&machine, &unlimited)?.map(|test| ("checking-sequence", vec![test])));
    for (name, suite) in suites {
        std::fs::write(
            Path::new(folder).join(format!("{name}.suite")),
            write_suite(&machine, &suite),
        )?;
    }
    Ok(())
}

//! `tamper export` of untimed systems: mutants as files, and questions about them for other tools.

use std::path::Path;

use anyhow::{Context as _, Result, anyhow, bail};
use serde_json::{Value, json};

use super::actions;
use super::classify::too_high;
use super::keep::{KeptMutants, kept};
use super::load::{MutatedFile, missing, read, states};
use crate::cli::arguments::args::LimitArgs;
use crate::cli::arguments::game_args::{ExportArgs, ExportFormat};
use crate::cli::call::Call;
use crate::cli::door::UntimedFile;
use crate::cli::exit::{ExitCode, LimitHit};
use crate::cli::machines;
use crate::cli::terminal::Terminal;
use tamper::experiment::{FolderLock, Timer, write_file};
use tamper::formats::SystemFormat;
use tamper::formats::actions::write_actions;
use tamper::formats::hyper::{
    Formula, NoCircuit, Question, hyper_ctl, hyper_ltl, mc_hyper, write_miter, write_program, write_smt,
};
use tamper::formats::machines::write_machine;
use tamper::formats::smv::{ReadSystem, write_invariant, write_smv, write_trap};
use tamper::machines::{Mutant, MutationMachine};
use tamper::mutation::Order;
use tamper::systems::{
    Chains, Domain, ExploreError, KillStrength, Missing, Mutated, Observed, Pair, Program, SystemMutation, Verdicts,
    conditional_mutant, controllable, decide, explore, featured_mutants,
};
use tamper::text::{Budget, StopReason};
use tamper::untimed::{UntimedMutant, pair};

/// A file to be written.
struct OutputFile {
    name: String,
    text: String,
    /// The facts in the index, besides the name of the file.
    facts: Value,
}

/// A question about a mutant: the ending of its file's name, the text of the file, and the facts in the index.
type ExportedQuestion = (String, String, Value);

/// Writes mutants, or questions about them.
pub fn export(file: &MutatedFile, args: &ExportArgs, call: Call<'_>) -> Result<ExitCode> {
    let target = call.given.has("target").then_some(args.target);
    let kept = kept(file, args, call.terminal)?;
    let order = kept.as_ref().map_or(args.space.of.order, |kept| kept.order);
    let outputs = match (file, target) {
        (MutatedFile::Untimed(file), None) if file.format == SystemFormat::Actions => {
            of_actions(&file.path, order, kept.as_ref())?
        }
        (MutatedFile::Untimed(file), Some(_)) if file.format == SystemFormat::Actions => {
            bail!(
                "action systems are exported as they are; SMV also --as hyperltl, smtlib, aiger, determinised and trap"
            )
        }
        (MutatedFile::Untimed(file), target) => {
            let system = SystemMutants::read(file, args, order, kept.as_ref(), call.terminal)?;
            // Models in which operators work on the bits of words cannot be written.
            let is_of_bits = file.format == SystemFormat::Btor2 || system.program().has_bits();
            of_system(&system, is_of_bits, target, &args.limits)?
        }
        (MutatedFile::Machine(file), None) => {
            let machine = machines::read(file, &args.machine.options(), call.terminal)?;
            of_machine(&machine, kept.as_ref())?
        }
        (MutatedFile::Machine(_), Some(_)) => bail!("state machines are exported as text; leave out --as"),
    };
    write(&outputs, args, kept.as_ref(), call)
}

/// Mutants of a transition system, or questions about them.
fn of_system(
    system: &SystemMutants,
    is_of_bits: bool,
    target: Option<ExportFormat>,
    limits: &LimitArgs,
) -> Result<Vec<OutputFile>> {
    Ok(match (is_of_bits, target) {
        (false, None) => plain(system),
        (_, Some(ExportFormat::Hyperltl)) => {
            let mut outputs = if is_of_bits { Vec::new() } else { conditional(system)? };
            match circuits(system, limits) {
                Ok(circuits) => outputs.extend(circuits),
                // The models and formulas need no circuits; the index notes that circuits are missing.
                Err(error) if !is_of_bits && error.is::<NoCircuit>() => {
                    let all = outputs.iter_mut().find(|output| output.name == "all-mutants.smv");
                    all.into_iter()
                        .for_each(|all| all.facts["no_circuits"] = json!(error.to_string()));
                }
                Err(error) => return Err(error),
            }
            outputs
        }
        (_, Some(ExportFormat::Smtlib)) => {
            system.asked(limits, |compared| Ok(smt(compared.pair, compared.verdicts)))?
        }
        (_, Some(ExportFormat::Aiger)) => {
            system.asked(limits, |compared| Ok(miter(compared.pair, compared.verdicts)))?
        }
        (_, Some(ExportFormat::Determinised)) => determinised(system, limits)?,
        (false, Some(ExportFormat::Trap)) => traps(system, limits)?,
        (true, _) => bail!(
            "mutants of BTOR2 files, and of words with operators on their bits, are not written as models; --as hyperltl, smtlib, aiger and determinised write questions about them"
        ),
        (false, Some(_)) => {
            bail!("SMV files are exported as they are; SMV also --as hyperltl, smtlib, aiger, determinised and trap")
        }
    })
}

/// Writes all files, and the index last.
fn write(outputs: &[OutputFile], args: &ExportArgs, kept: Option<&KeptMutants>, call: Call<'_>) -> Result<ExitCode> {
    let Call { global, terminal, .. } = call;
    let facts = outputs.iter().map(|output| {
        let mut facts = output.facts.clone();
        facts["file"] = json!(output.name);
        facts
    });
    let index = serde_json::to_string_pretty(
        &json!({ "of": args.file.display().to_string(), "files": facts.collect::<Vec<_>>() }),
    )?;
    let names = outputs.iter().map(|output| output.name.as_str());
    global.places.check_files(&args.out, names.chain(["index.json"]))?;
    let _lock = FolderLock::make(&args.out)?;
    for output in outputs {
        write_file(&args.out.join(&output.name), &output.text)?;
    }
    // The index is written last: a folder with an index is whole.
    write_file(&args.out.join("index.json"), index + "\n")?;
    let folder = args.out.display().to_string();
    terminal.answer(
        || json!({ "files": outputs.len(), "out": folder }),
        || format!("{} files written to {folder}", outputs.len()),
    )?;
    Ok(ExitCode::known_if(!kept.is_some_and(|kept| kept.is_open)))
}

/// The name of a mutant's file, without its ending.
fn stem(at: u64, mutant: &UntimedMutant) -> String {
    format!("{:06}-{}", at + 1, mutant.operators.join("-"))
}

/// The facts about a mutant in the index.
fn facts_of(mutant: &UntimedMutant) -> Value {
    json!({ "id": mutant.id, "operator": mutant.operators.join(";") })
}

/// The kept mutants of `system`, as their mutations, each with its number.
fn chosen<S: Mutated>(system: &S, order: Order, kept: Option<&KeptMutants>) -> Result<Vec<(u64, Vec<S::Mutation>)>> {
    let order = order.number();
    let chains = Chains::new(system, order).with_context(|| too_high(order))?;
    let numbers: Vec<u64> = match kept {
        Some(kept) => kept.numbers.iter().map(|number| *number as u64).collect(),
        None if chains.len() <= MOST_MACHINES => (0..chains.len()).collect(),
        None => bail!("more than {MOST_MACHINES} files would be written: choose some with --keep and --mutants"),
    };
    let one = |number: u64| Some((number, chains.get(system, number)?));
    Ok(numbers.into_iter().filter_map(one).collect())
}

fn of_actions(file: &Path, order: Order, kept: Option<&KeptMutants>) -> Result<Vec<OutputFile>> {
    let read = actions::read(file)?;
    let mut outputs = vec![OutputFile {
        name: "original.pl".to_owned(),
        text: write_actions(&read.system),
        facts: json!({ "id": "original" }),
    }];
    for (at, chain) in &chosen(&read.system, order, kept)? {
        let mutant = UntimedMutant::of_actions(&read, chain);
        outputs.push(OutputFile {
            name: format!("{}.pl", stem(*at, &mutant)),
            text: write_actions(&read.system.after(chain)),
            facts: facts_of(&mutant),
        });
    }
    Ok(outputs)
}

/// The largest number of files that are written.
const MOST_MACHINES: u64 = 1_000_000;

fn of_machine(machine: &MutationMachine, kept: Option<&KeptMutants>) -> Result<Vec<OutputFile>> {
    let all = || {
        let n_mutants = u64::try_from(machine.n_machines() - 1_u32).ok();
        n_mutants.filter(|n| *n <= MOST_MACHINES)
    };
    let numbers: Vec<u64> = match (kept, all()) {
        (Some(kept), _) => kept.numbers.iter().map(|number| *number as u64).collect(),
        (None, Some(n_mutants)) => (0..n_mutants).collect(),
        (None, None) => {
            bail!("more than {MOST_MACHINES} files would be written: choose some with --keep and --mutants")
        }
    };
    let mut outputs = Vec::with_capacity(numbers.len() + 1);
    // The specification has the number 0 among the machines.
    for number in std::iter::once(0).chain(numbers.iter().map(|number| number + 1)) {
        let mutant = Mutant::numbered(machine, number).context("the machine has this mutant")?;
        let chosen = mutant.as_machine(machine).context("the machine has no variables")?;
        let (name, id) = match number {
            0 => ("original".to_owned(), "original".to_owned()),
            _ => (format!("{number:06}"), mutant.show(machine).join("; ")),
        };
        let operators: Vec<_> = mutant.faults(machine).map(|fault| fault.kind.name()).collect();
        outputs.push(OutputFile {
            name: format!("{name}.fsm"),
            text: write_machine(&chosen),
            facts: json!({ "id": id, "operators": operators }),
        });
    }
    Ok(outputs)
}

/// A transition system and its mutants of one order.
struct SystemMutants {
    read: ReadSystem,
    /// The kept mutants, with their numbers.
    mutants: Vec<(u64, Vec<SystemMutation>)>,
    complete: bool,
}

impl SystemMutants {
    fn read(
        file: &UntimedFile,
        args: &ExportArgs,
        order: Order,
        kept: Option<&KeptMutants>,
        terminal: &Terminal,
    ) -> Result<Self> {
        let read = read(file, terminal)?;
        Ok(Self {
            mutants: chosen(&read.program, order, kept)?,
            complete: args.machine.fills(),
            read,
        })
    }
    fn program(&self) -> &Program {
        &self.read.program
    }
    /// The outputs of `ask` for every mutant that is a system, from the comparison with its verdicts.
    fn asked(
        &self,
        limits: &LimitArgs,
        ask: impl Fn(&ComparedMutant<'_>) -> Result<Vec<ExportedQuestion>>,
    ) -> Result<Vec<OutputFile>> {
        let timer = || Timer::new(limits.resolve());
        let specification = states(&self.read, self.complete, &timer().budget())?.map_err(too_small)?;
        let mut outputs = Vec::new();
        for (at, chain) in &self.mutants {
            let timer = timer();
            let budget = timer.budget();
            let mutant = self.program().after(chain);
            let Ok(pair) = pair(&mutant, missing(self.complete), &specification, &budget) else {
                continue;
            };
            let verdicts = decide(&pair, &budget);
            if verdicts.kill().is_err() {
                continue;
            }
            let compared = ComparedMutant {
                chain,
                mutant: &mutant,
                pair: &pair,
                verdicts: &verdicts,
                budget: &budget,
            };
            for (ending, text, more) in ask(&compared)? {
                let named = UntimedMutant::of_system(&self.read, chain);
                let mut facts = facts_of(&named);
                for (name, value) in more.as_object().into_iter().flatten() {
                    facts[name] = value.clone();
                }
                outputs.push(OutputFile {
                    name: format!("{}{ending}", stem(*at, &named)),
                    text,
                    facts,
                });
            }
        }
        Ok(outputs)
    }
}

/// A mutant beside its specification, and the verdicts on the pair.
struct ComparedMutant<'a> {
    chain: &'a [SystemMutation],
    mutant: &'a Program,
    pair: &'a Pair,
    verdicts: &'a Verdicts,
    budget: &'a Budget,
}

fn too_small(why: StopReason) -> LimitHit {
    LimitHit::too_small("the system", why)
}

fn plain(system: &SystemMutants) -> Vec<OutputFile> {
    let original = OutputFile {
        name: "original.smv".to_owned(),
        text: write_smv(system.program()),
        facts: json!({ "id": "original" }),
    };
    let mutant = |(at, chain): &(u64, Vec<SystemMutation>)| {
        let named = UntimedMutant::of_system(&system.read, chain);
        OutputFile {
            name: format!("{}.smv", stem(*at, &named)),
            text: write_smv(&system.program().after(chain)),
            facts: facts_of(&named),
        }
    };
    let mutants = system.mutants.iter().map(mutant);
    std::iter::once(original).chain(mutants).collect()
}

/// The system and its conditional mutants as circuits, for the mutants that have a step everywhere, and the formulas for MCHyper.
fn circuits(system: &SystemMutants, limits: &LimitArgs) -> Result<Vec<OutputFile>> {
    let mut outputs = Vec::new();
    let mut add = |name: String, text: String, facts: Value| outputs.push(OutputFile { name, text, facts });
    add(
        "original.aag".to_owned(),
        write_program(system.program())?.text,
        json!({ "id": "original" }),
    );
    let mut asked = None;
    for (at, chain) in &system.mutants {
        let [mutation] = &chain[..] else {
            bail!("conditional mutants have one mutation each: leave out --order");
        };
        let named = UntimedMutant::of_system(&system.read, chain);
        let budget = Timer::new(limits.resolve()).budget();
        if explore(&mutation.apply(system.program()), Missing::Refuse, &budget).is_err() {
            continue;
        }
        let (mut program, mutant) = conditional_mutant(system.program(), mutation);
        let chosen = program
            .variables
            .iter_enumerated()
            .find(|(_, variable)| variable.name == mutant);
        program.outputs.extend(chosen.map(|(var, _)| Observed::Variable(var)));
        let circuit = write_program(&program)?;
        asked = Some(mc_hyper(&circuit, &mutant));
        let name = format!("{}-conditional.aag", stem(*at, &named));
        add(name, circuit.text, facts_of(&named));
    }
    if let Some(asked) = asked {
        add(
            "phi1.mchyper".to_owned(),
            asked,
            json!({ "formula": "phi1", "as_printed": false }),
        );
    }
    Ok(outputs)
}

/// A conditional mutant in each file, all of them in one file, and the formulas about them.
fn conditional(system: &SystemMutants) -> Result<Vec<OutputFile>> {
    let mut outputs = Vec::new();
    let mut name = String::new();
    let mut all: Vec<SystemMutation> = Vec::new();
    for (at, chain) in &system.mutants {
        let [mutation] = &chain[..] else {
            bail!("conditional mutants have one mutation each: leave out --order");
        };
        let named = UntimedMutant::of_system(&system.read, chain);
        let (program, mutant) = conditional_mutant(system.program(), mutation);
        name = mutant;
        all.push(mutation.clone());
        outputs.push(OutputFile {
            name: format!("{}-conditional.smv", stem(*at, &named)),
            text: write_smv(&program),
            facts: facts_of(&named),
        });
    }
    if outputs.is_empty() {
        return Ok(outputs);
    }
    outputs.push(OutputFile {
        name: "all-mutants.smv".to_owned(),
        text: write_smv(&featured_mutants(system.program(), &all).0),
        facts: json!({ "id": "all" }),
    });
    let flat = system.program().with_flat_names();
    for formula in Formula::ALL {
        for printed in [false, true] {
            if printed && formula == Formula::Phi1 {
                continue;
            }
            let [hyper_qb, auto_hyper] = hyper_ltl(&flat, &name, formula, printed);
            let end = if printed { "-as-printed" } else { "" };
            for (ending, text) in [("hq", hyper_qb), ("hyperltl", auto_hyper)] {
                outputs.push(OutputFile {
                    name: format!("{}{end}.{ending}", formula.name()),
                    text,
                    facts: json!({ "formula": formula.name(), "as_printed": printed }),
                });
            }
        }
        if let Some(values) = seen_values(&flat) {
            outputs.push(OutputFile {
                name: format!("{}-A.hyperctl", formula.name()),
                text: hyper_ctl(&flat, &name, formula, &values),
                facts: json!({ "formula": format!("{}^A", formula.name()) }),
            });
        }
    }
    Ok(outputs)
}

/// Every combination of values of the outputs, if the outputs are variables and there are not too many combinations.
fn seen_values(program: &Program) -> Option<Vec<Vec<String>>> {
    const MOST: usize = 256;
    let mut all: Vec<Vec<String>> = vec![Vec::new()];
    for seen in &program.outputs {
        let Observed::Variable(var) = *seen else { return None };
        let domain = &program.variables[var].domain;
        if domain.len() > MOST as u64 || all.len() * domain.len() as usize > MOST {
            return None;
        }
        let is_boolean = *domain == Domain::Boolean;
        let values: Vec<String> = domain.values().map(|value| program.show(value, is_boolean)).collect();
        let longer = |own: &Vec<String>| {
            values
                .iter()
                .map(|value| [&own[..], std::slice::from_ref(value)].concat())
                .collect::<Vec<_>>()
        };
        all = all.iter().flat_map(longer).collect();
    }
    Some(all)
}

/// The largest length of the tests that are asked about if there is no kill.
const BOUND: usize = 4;

/// Both questions, at the shortest bound with the answer yes and at one below, or at one bound if there is no kill; then both questions as
/// they are printed.
fn smt(pair: &Pair, verdicts: &Verdicts) -> Vec<ExportedQuestion> {
    let potential = verdicts.potential.found().map(|run| run.inputs.len());
    let blind = verdicts.blind.found().map(Vec::len);
    let mut asked = Vec::new();
    for question in Question::ALL {
        let (length, is_printed) = match question {
            Question::Potential => (potential, false),
            Question::Blind => (blind, false),
            Question::PotentialAsPrinted => (potential, true),
            Question::BlindAsPrinted => (blind, true),
        };
        let last = length.unwrap_or(BOUND);
        for bound in last.saturating_sub(1).max(last.min(1))..=last {
            let right = length.is_some_and(|length| length <= bound);
            let facts = json!({
                "question": question.name(),
                "bound": bound,
                "as_printed": is_printed,
                "expected": if right { "sat" } else { "unsat" },
            });
            let ending = format!("-{}-{bound}.smt2", question.name());
            asked.push((ending, write_smt(pair, question, bound), facts));
        }
    }
    asked
}

/// The circuit whose output is 1 when the outputs differ, for pairs without choices.
fn miter(pair: &Pair, verdicts: &Verdicts) -> Vec<ExportedQuestion> {
    let Ok(text) = write_miter(pair) else {
        return Vec::new();
    };
    let length = verdicts.potential.found().map(|run| run.inputs.len());
    vec![(
        ".aag".to_owned(),
        text,
        json!({ "differ": length.is_some(), "inputs": length }),
    )]
}

/// Each mutant beside a system without choices, with its trap property, and the trap property of weak kills.
fn traps(system: &SystemMutants, limits: &LimitArgs) -> Result<Vec<OutputFile>> {
    if system.complete {
        bail!("--as trap takes systems as they are, without --unspecified fill");
    }
    let budget = Timer::new(limits.resolve()).budget();
    let specification = states(&system.read, system.complete, &budget)?.map_err(too_small)?;
    if !specification.is_deterministic() {
        bail!(
            "the system has choices: a property of one run cannot say that no run of the system looks like the mutant's; \
             --as hyperltl does"
        );
    }
    system.asked(limits, |compared| {
        let length = compared.verdicts.potential.found().map(|run| run.inputs.len());
        let strong = (
            "-trap.smv".to_owned(),
            write_trap(system.program(), compared.mutant),
            json!({ "fails": length.is_some(), "inputs": length }),
        );
        let same = match compared.chain {
            [mutation] => mutation.same_value(system.program()),
            _ => None,
        };
        // If the new value is undefined at some moment, so is the property.
        let shown = same.and_then(|same| Some((explore(&same, Missing::Refuse, compared.budget).ok()?, same)));
        let weak = shown.map(|(shown, same)| {
            let fails = shown
                .outputs()
                .iter()
                .chain(shown.starts().keys())
                .any(|seen| seen == "FALSE");
            let facts = json!({ "kills": "weakly", "fails": fails });
            ("-weak-trap.smv".to_owned(), write_invariant(&same), facts)
        });
        Ok(std::iter::once(strong).chain(weak).collect())
    })
}

/// The circuit of [`miter`] for D of the system and each mutant. If its output is never 1, the mutant is equivalent, with or without
/// choices.
fn determinised(system: &SystemMutants, limits: &LimitArgs) -> Result<Vec<OutputFile>> {
    if system.complete {
        bail!("--as determinised takes systems as they are, without --unspecified fill");
    }
    system.asked(limits, |compared| {
        let [original, mutant] = match controllable(system.program(), compared.mutant, compared.budget) {
            Ok(systems) => systems,
            Err(ExploreError::Limit(reason)) => return Err(too_small(reason).into()),
            // One of the two has no step somewhere.
            Err(_) => return Ok(Vec::new()),
        };
        let pair = Pair::new(&mutant, &original).map_err(|error| anyhow!("{error}"))?;
        let mut asked = miter(&pair, &decide(&pair, compared.budget));
        for (ending, _, facts) in &mut asked {
            *ending = format!("-determinised{ending}");
            facts["kill"] = json!(compared.verdicts.kill().map_or("unknown", KillStrength::name));
        }
        Ok(asked)
    })
}

//! Counterexamples of a network's mutants before a random edit, tried after it, and on mutants that they were not made for.

use std::sync::Arc;

use tamper::experiment::{
    Engine, Limits, NetworkJudge, NetworkMutants, NetworkSettings, Scope, Since, StaticUse, Timer, Verdict, components,
};
use tamper::game::Scratch;
use tamper::mutation::{MutationOptions, Order};

use super::composition::from_environment;
use super::mutants::{ALL, file, in_turn, view};
use super::nets::{Net, Random, random};

const CASES: u64 = 120;
/// Mutants of each network.
const MOST: u64 = 12;

#[derive(Default, Debug)]
struct Tally {
    networks: u64,
    tried: u64,
    held: u64,
    strange: u64,
    strange_held: u64,
}

/// A mutant's id, the verdict on it, and its counterexample.
type Found = (String, Verdict, Option<String>);

/// What is found out about the mutants of those numbers; none where the network has no meaning as a specification.
fn found(net: &Net, semantics: usize, numbers: &[u64], since: Option<&Arc<Since>>) -> Option<Vec<Found>> {
    let file = file(net);
    let view = view(net, &file);
    let components = components((&file.network, &view), &file.templates, &[], Scope::Template).ok()?;
    let settings = NetworkSettings {
        semantics: ALL[semantics].0,
        statics: StaticUse::Off,
        witness: true,
        engine: Engine::Family,
    };
    let timer = Timer::new(Limits::default());
    let mut judge = NetworkJudge::new((&file.network, &view), &components, settings, timer).ok()?;
    if let Some(since) = since {
        judge = judge.with_since(since);
    }
    let options = MutationOptions::default();
    let mutants = NetworkMutants::of((&file.network, &view), &components, &options, Order::FIRST).ok()?;
    let one = |number: &u64| {
        let mutant = mutants.get(number % mutants.len())?;
        let (judgement, _) = judge.decide(&mutant, &mut Scratch::default());
        Some((mutant.id(), judgement.verdict, judgement.witness))
    };
    numbers.iter().map(one).collect()
}

/// The network after one mutation of a process.
fn edited(net: &Net, number: u64) -> Option<Net> {
    let file = file(net);
    let view = view(net, &file);
    let components = components((&file.network, &view), &file.templates, &[], Scope::Template).ok()?;
    let options = MutationOptions::default();
    let mutants = NetworkMutants::of((&file.network, &view), &components, &options, Order::FIRST).ok()?;
    let mutant = mutants.get(number.checked_rem(mutants.len())?)?;
    in_turn(net, &components, &mutant.steps())
}

fn verdicts(found: &[Found]) -> Vec<(&str, Verdict)> {
    found.iter().map(|(id, verdict, _)| (id.as_str(), *verdict)).collect()
}

fn compare(net: &Net, source: &mut Random, tally: &mut Tally) -> Result<(), String> {
    let semantics = source.below(ALL.len());
    let mut number = || source.below(1 << 20) as u64;
    let edit = number();
    let numbers: Vec<u64> = (0..MOST).map(|_| number()).collect();
    let Some(edited) = edited(net, edit) else { return Ok(()) };
    let Some(before) = found(net, semantics, &numbers, None) else {
        return Ok(());
    };
    let Some(whole) = found(&edited, semantics, &numbers, None) else {
        return Ok(());
    };
    let shown = before
        .iter()
        .filter_map(|(id, _, witness)| Some((id.clone(), witness.clone()?)));
    let shown: Vec<(String, String)> = shown.collect();
    let later = shown.iter().cycle().skip(1);
    let strange = whole
        .iter()
        .zip(later)
        .map(|((id, ..), (_, witness))| (id.clone(), witness.clone()));
    let (own, strange) = (Since::of(shown.clone()), Since::of(strange));
    for since in [&own, &strange] {
        let with = found(&edited, semantics, &numbers, Some(since)).ok_or("no run")?;
        if verdicts(&with) != verdicts(&whole) {
            return Err(format!("{with:?}, without {whole:?}, edited:\n{}", edited.xml()));
        }
    }
    tally.networks += 1;
    tally.tried += own.n_tried();
    tally.held += own.n_held();
    tally.strange += strange.n_tried();
    tally.strange_held += strange.n_held();
    Ok(())
}

/// With committed locations and hidden steps.
#[test]
fn counterexamples_before_an_edit_decide_what_is_decided_without() {
    let mut tally = Tally::default();
    let seed = from_environment("TAMPER_SEED", 20);
    let mut source = Random(seed);
    for case in 0..from_environment("TAMPER_CASES", CASES) {
        let net = random(&mut source);
        if let Err(message) = compare(&net, &mut source, &mut tally) {
            panic!("seed {seed}, network {case}: {message}\n{}", net.xml());
        }
    }
    println!("{tally:?}");
    assert!(tally.networks >= 50 && tally.held >= 20, "{tally:?}");
    assert!(
        tally.strange > tally.strange_held && tally.strange_held > 0,
        "{tally:?}"
    );
}

//! The four verdicts against plain enumeration, and what each witness is worth.

use tamper_features::Random;
use tamper_systems::{InputId, KillStrength, Pair, Strategy, Verdicts, decide};
use tamper_text::{Budget, Id};

use testing::systems::oracle::{self, Table};
use testing::systems::random;

pub fn verdicts(mutant: &Table, specification: &Table) -> Verdicts {
    let pair = Pair::new(&mutant.system(), &specification.system()).expect("the same inputs");
    decide(&pair, &Budget::unlimited())
}

fn numbers(word: &[InputId]) -> Vec<usize> {
    word.iter().map(|input| input.index()).collect()
}

/// Every play of the plan: it ends in a fail of the mutant after at most `depth` inputs, the longest after just as many.
fn play(plan: &Strategy, mutant: &Table, specification: &Table) {
    let mut longest = 0;
    let mut agenda = Vec::new();
    let (mine, theirs) = (mutant.answers(&[]), specification.answers(&[]));
    assert_eq!(mine.len(), plan.starts.len(), "every start of the mutant is foreseen");
    for seen in mine {
        let name = seen.first().map(|first| format!("first{first}")).unwrap_or_default();
        let start = plan.starts.iter().find(|(first, _)| *first == name);
        let (_, first) = start.expect("every start of the mutant is foreseen");
        assert_eq!(first.is_none(), !theirs.contains(&seen));
        agenda.extend(first.map(|first| (first, Vec::new(), seen)));
    }
    while let Some((at, word, outputs)) = agenda.pop() {
        let next = &plan.moves[at];
        let word: Vec<usize> = [&word[..], &[next.input.index()]].concat();
        let outputs: &Vec<usize> = &outputs;
        let (mine, theirs) = (mutant.answers(&word), specification.answers(&word));
        for answer in mine.iter().filter(|answer| answer.starts_with(outputs)) {
            let last = answer.last().expect("a word that is not empty");
            let foreseen = next.answers.iter().find(|(output, _)| output.index() == *last);
            let (_, next) = foreseen.expect("every answer of the mutant is foreseen");
            assert_eq!(
                next.is_none(),
                !theirs.contains(answer),
                "a fail, and only a fail, ends the play"
            );
            longest = longest.max(word.len());
            if let Some(next) = next {
                assert!(word.len() < plan.depth, "no play is longer than the plan says");
                agenda.push((*next, word.clone(), answer.clone()));
            }
        }
    }
    assert_eq!(longest, plan.depth, "the longest play is as long as the plan says");
}

/// Compares everything, and returns the strongest kill.
pub fn compare(mutant: &Table, specification: &Table) -> KillStrength {
    let found = verdicts(mutant, specification);
    let (potential, definite, blind) = (found.potential.found(), found.definite.found(), found.blind.found());
    assert_eq!(
        potential.map(|run| run.inputs.len()),
        oracle::potential(mutant, specification)
    );
    assert_eq!(definite.map(|plan| plan.depth), oracle::definite(mutant, specification));
    assert_eq!(blind.map(Vec::len), oracle::blind(mutant, specification));
    if let Some(run) = potential {
        let word = numbers(&run.inputs);
        let outputs = run.outputs.iter().map(|output| output.index());
        let first = run
            .first
            .iter()
            .map(|first| first["first".len()..].parse().expect("a number"));
        let first: Vec<usize> = match (&run.first, mutant.first.first()) {
            // It is always the same, and not told.
            (None, Some(_)) => mutant.answers(&[]).into_iter().flatten().take(1).collect(),
            _ => first.collect(),
        };
        let outputs: Vec<usize> = first.into_iter().chain(outputs).collect();
        assert!(mutant.answers(&word).contains(&outputs), "it is a run of the mutant");
        let (last, before) = outputs.split_last().expect("a run that is not empty");
        assert!(
            !specification.answers(&word).contains(&outputs),
            "but not of the specification: {last}"
        );
        if let Some((_, earlier)) = word.split_last() {
            assert!(specification.answers(earlier).contains(before), "until its last step");
        }
    }
    if let Some(plan) = definite {
        play(plan, mutant, specification);
    }
    if let Some(word) = blind {
        let word = numbers(word);
        assert!(mutant.answers(&word).is_disjoint(&specification.answers(&word)));
    }
    assert!(blind.is_none() || definite.is_some(), "blind implies definite");
    assert!(definite.is_none() || potential.is_some(), "definite implies potential");
    if mutant.system().is_deterministic() {
        // [004] Proposition 1.
        assert_eq!(potential.map(|run| run.inputs.len()), blind.map(Vec::len));
    }
    found.kill().expect("no limit was set")
}

/// The definitions themselves, up to `most` inputs.
fn compare_with_words(mutant: &Table, specification: &Table, most: usize) {
    let found = verdicts(mutant, specification);
    let within = |length: Option<usize>| length.filter(|length| *length <= most);
    let potential = found.potential.found().map(|run| run.inputs.len());
    assert_eq!(
        within(potential),
        oracle::potential_by_words(mutant, specification, most)
    );
    let blind = found.blind.found().map(Vec::len);
    assert_eq!(within(blind), oracle::blind_by_words(mutant, specification, most));
    let definite = found.definite.found().map(|plan| plan.depth);
    assert_eq!(
        within(definite),
        oracle::definite_by_histories(mutant, specification, most)
    );
}

/// How many pairs: `TAMPER_PAIRS`, or a number that takes seconds.
fn n_pairs() -> usize {
    std::env::var("TAMPER_PAIRS")
        .ok()
        .and_then(|n| n.parse().ok())
        .unwrap_or(100_000)
}

#[test]
fn first_outputs_of_random_pairs_are_told_apart_as_plain_enumeration_does() {
    let (mut kills, mut n_at_once) = ([0_usize; 4], 0);
    for seed in 0..20_000 {
        let mut random = Random::new(seed);
        let (n_inputs, n_outputs) = (1 + random.below(2), 1 + random.below(3));
        let mut specification = random::table(&mut random, n_inputs, n_outputs);
        random::with_first(&mut random, &mut specification);
        let mut mutant = random::changed(&mut random, &specification);
        if random.below(3) == 0 {
            random::with_first(&mut random, &mut mutant);
        }
        let kill = compare(&mutant, &specification);
        kills[kill as usize] += 1;
        n_at_once += usize::from(oracle::potential(&mutant, &specification) == Some(0));
        if seed % 20 == 0 {
            compare_with_words(&mutant, &specification, 3);
        }
    }
    println!("none, potential, definite, blind: {kills:?}; {n_at_once} seen before any input");
    assert!(
        kills.iter().all(|n| *n > 10) && n_at_once > 500,
        "{kills:?} {n_at_once}"
    );
}

#[test]
fn the_verdicts_of_random_pairs_are_those_of_plain_enumeration() {
    let n = n_pairs();
    let mut kills = [0_usize; 4];
    for seed in 0..n as u64 {
        let mut random = Random::new(seed);
        let (n_inputs, n_outputs) = (1 + random.below(2), 1 + random.below(3));
        let specification = random::table(&mut random, n_inputs, n_outputs);
        let mutant = match random.below(3) {
            0 => random::table(&mut random, n_inputs, n_outputs),
            _ => random::changed(&mut random, &specification),
        };
        let compared = std::panic::catch_unwind(|| {
            if seed % 10 == 0 {
                compare_with_words(&mutant, &specification, 3);
            }
            compare(&mutant, &specification)
        });
        let kill = compared.unwrap_or_else(|_| panic!("seed {seed}: {mutant:?} against {specification:?}"));
        kills[kill as usize] += 1;
    }
    println!("none, potential, definite, blind: {kills:?}");
    assert!(
        kills.iter().all(|count| *count > n / 5000),
        "every answer occurs: {kills:?}"
    );
}

#[test]
fn a_limit_gives_no_answer_instead_of_a_wrong_one() {
    let limited = Budget {
        max_states: Some(2),
        ..Budget::unlimited()
    };
    let mut n_unknown = 0;
    for seed in 0..2000 {
        let mut random = Random::new(seed);
        let specification = random::table(&mut random, 2, 2);
        let mutant = random::changed(&mut random, &specification);
        let pair = Pair::new(&mutant.system(), &specification.system()).expect("the same inputs");
        let (exact, found) = (decide(&pair, &Budget::unlimited()), decide(&pair, &limited));
        match found.kill() {
            Ok(kill) => assert_eq!(Ok(kill), exact.kill(), "seed {seed}"),
            Err(_) => n_unknown += 1,
        }
        assert!(found.proved() <= exact.proved(), "seed {seed}");
    }
    assert!(n_unknown > 100, "the limit is hit");
}

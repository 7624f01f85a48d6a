//! What [004] says about killing, proposition by proposition: what holds, and for what does not hold a smallest witness.
//!
//! The formulas of section 5 are evaluated by trying all runs up to their bound.

use std::collections::BTreeSet;

use tamper_features::Random;
use tamper_systems::KillStrength;
use tamper_systems::formats::hyper::{Formula, hyper_ctl, hyper_ltl};

use super::files::program;
use super::pairs::{compare, verdicts};
use testing::systems::oracle::{self, Table};
use testing::systems::random;

/// One input; `[state]` → outputs and targets.
fn table(n_outputs: usize, steps: &[&[(usize, usize)]]) -> Table {
    Table {
        n_outputs,
        initial: vec![0],
        first: Vec::new(),
        steps: steps.iter().map(|steps| vec![steps.to_vec()]).collect(),
    }
}

pub fn kill(mutant: &Table, specification: &Table) -> KillStrength {
    compare(mutant, specification)
}

/// What an absent choice of D(S) answers.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Absent {
    /// The empty output, output 0, as printed.
    Empty,
    /// An output that nothing else gives: the repair.
    Fresh,
}

/// D(S) of section 5.1: every choice that the specification or the mutant has in a state becomes an input. States of the same
/// number are the same. The inputs are those of the tables, each with every number of a choice.
pub fn controlled(specification: &Table, mutant: &Table, absent: Absent) -> (Table, Table) {
    let cell = |table: &Table, state: usize, input: usize| -> BTreeSet<(usize, usize)> {
        table
            .steps
            .get(state)
            .map(|row| row[input].iter().copied().collect())
            .unwrap_or_default()
    };
    let n_states = specification.steps.len().max(mutant.steps.len());
    let n_inputs = specification.n_inputs();
    let choices = |state, input| -> Vec<(usize, usize)> {
        cell(specification, state, input)
            .union(&cell(mutant, state, input))
            .copied()
            .collect()
    };
    let cells = (0..n_states).flat_map(|state| (0..n_inputs).map(move |input| (state, input)));
    let most = cells
        .map(|(state, input)| choices(state, input).len())
        .max()
        .unwrap_or(1);
    let answer = |own: &Table, (state, input): (usize, usize), number: usize| -> (usize, usize) {
        let (mine, all) = (cell(own, state, input), choices(state, input));
        let is_choice = cell(specification, state, input).len() > 1 || cell(mutant, state, input).len() > 1;
        let chosen = all[number % all.len()];
        match (is_choice, mine.contains(&chosen)) {
            (true, true) => chosen,
            (true, false) if absent == Absent::Empty => (0, chosen.1),
            (true, false) => (specification.n_outputs, chosen.1),
            // No choice: the only step, whatever the number; a state that the other table alone has stays.
            (false, _) => mine.first().copied().unwrap_or((0, state)),
        }
    };
    let determined = |own: &Table| Table {
        n_outputs: specification.n_outputs + 1,
        initial: vec![0],
        first: Vec::new(),
        steps: (0..n_states)
            .map(|state| {
                let inputs = (0..n_inputs).flat_map(|input| (0..most).map(move |number| (input, number)));
                inputs
                    .map(|(input, number)| vec![answer(own, (state, input), number)])
                    .collect()
            })
            .collect(),
    };
    (determined(specification), determined(mutant))
}

#[test]
fn proposition_9_3_fails_where_the_mutant_adds_the_empty_output() {
    // Output 0 is the empty one. S: i -> a. M: i -> a or the empty output, which S never gives.
    let specification = table(2, &[&[(1, 0)]]);
    let mutant = table(2, &[&[(1, 0), (0, 0)]]);
    assert_eq!(kill(&mutant, &specification), KillStrength::Potential);
    // The absent choice of S answers with the empty output, as M's own choice does: D(S) shows no difference.
    let (left, right) = controlled(&specification, &mutant, Absent::Empty);
    assert_eq!(kill(&right, &left), KillStrength::None);
    let (left, right) = controlled(&specification, &mutant, Absent::Fresh);
    assert_eq!(kill(&right, &left), KillStrength::Blind);
}

#[test]
fn proposition_9_3_holds_with_a_fresh_output_for_absent_choices() {
    let (mut n_wrong, mut n_equivalent) = (0, 0);
    for seed in 0..5000 {
        let mut random = Random::new(seed);
        let mut specification = random::table(&mut random, 1, 2);
        specification.initial = vec![0];
        let mutant = random::changed(&mut random, &specification);
        let shown = kill(&mutant, &specification) != KillStrength::None;
        let (left, right) = controlled(&specification, &mutant, Absent::Fresh);
        assert!(
            left.system().is_deterministic() && right.system().is_deterministic(),
            "Proposition 9(1)"
        );
        let repaired = kill(&right, &left);
        assert!(!shown || repaired == KillStrength::Blind, "seed {seed}");
        n_equivalent += usize::from(repaired == KillStrength::None);
        let (left, right) = controlled(&specification, &mutant, Absent::Empty);
        n_wrong += usize::from(shown && kill(&right, &left) == KillStrength::None);
    }
    assert!(n_wrong > 0 && n_equivalent > 100, "{n_wrong} {n_equivalent}");
}

/// The outputs of every run over the only input, up to `k` steps.
fn runs(table: &Table, k: usize) -> BTreeSet<Vec<usize>> {
    table.answers(&vec![0; k])
}

/// phi_pk as printed: some run of the original, for all runs of the mutant: the outputs of step `k` differ.
fn potential_as_printed(mutant: &Table, specification: &Table, k: usize) -> bool {
    let mutants = runs(mutant, k);
    runs(specification, k)
        .iter()
        .any(|own| mutants.iter().all(|other| own[k - 1] != other[k - 1]))
}

/// The repair: some run of the mutant, for all runs of the original: the outputs of some step differ.
fn potential_repaired(mutant: &Table, specification: &Table, k: usize) -> bool {
    let originals = runs(specification, k);
    runs(mutant, k)
        .iter()
        .any(|own| originals.iter().all(|other| own != other))
}

/// phi_dk as printed: all runs of both: the outputs of step `k` differ.
fn definite_as_printed(mutant: &Table, specification: &Table, k: usize) -> bool {
    let originals = runs(specification, k);
    runs(mutant, k)
        .iter()
        .all(|own| originals.iter().all(|other| own[k - 1] != other[k - 1]))
}

/// The repair: the outputs of some step differ.
fn definite_repaired(mutant: &Table, specification: &Table, k: usize) -> bool {
    let originals = runs(specification, k);
    runs(mutant, k)
        .iter()
        .all(|own| originals.iter().all(|other| own != other))
}

#[test]
fn proposition_10_3_is_satisfied_by_an_equivalent_mutant() {
    // The beverage machine that always serves coffee, without its tank: coffee or tea against coffee.
    let specification = table(2, &[&[(0, 0), (1, 0)]]);
    let mutant = table(2, &[&[(0, 0)]]);
    assert_eq!(kill(&mutant, &specification), KillStrength::None);
    assert!(potential_as_printed(&mutant, &specification, 1));
    assert!((1..=4).all(|k| !potential_repaired(&mutant, &specification, k)));
}

#[test]
fn proposition_10_4_is_never_satisfied_although_the_mutant_is_killed_definitely() {
    // S = {ac, bd}, M = {af, gd}, and z for ever after.
    let [a, b, c, d, f, g, z] = [0, 1, 2, 3, 4, 5, 6];
    let specification = table(7, &[&[(a, 1), (b, 2)], &[(c, 3)], &[(d, 3)], &[(z, 3)]]);
    let mutant = table(7, &[&[(a, 1), (g, 2)], &[(f, 3)], &[(d, 3)], &[(z, 3)]]);
    assert_eq!(kill(&mutant, &specification), KillStrength::Blind);
    assert_eq!(verdicts(&mutant, &specification).blind.found().map(Vec::len), Some(2));
    assert!((1..=6).all(|k| !definite_as_printed(&mutant, &specification, k)));
    assert!(!definite_repaired(&mutant, &specification, 1));
    assert!((2..=6).all(|k| definite_repaired(&mutant, &specification, k)));
}

#[test]
fn the_repaired_formulas_are_satisfied_exactly_from_the_shortest_kill_on() {
    let (mut n_potential, mut n_definite) = (0, 0);
    for seed in 0..3000 {
        let mut random = Random::new(seed);
        let specification = random::table(&mut random, 1, 3);
        let mutant = random::changed(&mut random, &specification);
        let found = verdicts(&mutant, &specification);
        for k in 1..=4 {
            let is_within = |length: Option<usize>| length.is_some_and(|length| length <= k);
            let potential = is_within(found.potential.found().map(|run| run.inputs.len()));
            assert_eq!(potential_repaired(&mutant, &specification, k), potential, "seed {seed}");
            let definite = is_within(found.blind.found().map(Vec::len));
            assert_eq!(definite_repaired(&mutant, &specification, k), definite, "seed {seed}");
            n_potential += usize::from(potential);
            n_definite += usize::from(definite);
        }
    }
    assert!(n_potential > 100 && n_definite > 100, "{n_potential} {n_definite}");
}

/// phi1 to phi4 of section 4 on all runs of `k` inputs: of each pair of runs with the same inputs, whether outputs differ.
fn formulas(mutant: &Table, specification: &Table, k: usize) -> [bool; 4] {
    let mut holds = [false; 4];
    for word in oracle::words(mutant.n_inputs(), k) {
        let (mutants, originals) = (mutant.answers(&word), specification.answers(&word));
        holds[0] |= originals.iter().any(|own| mutants.iter().any(|other| own != other));
        holds[1] |= mutants.iter().any(|own| !originals.contains(own));
        holds[2] |= mutants.iter().all(|own| !originals.contains(own));
        holds[3] |= originals.iter().any(|own| !mutants.contains(own));
    }
    holds
}

/// Propositions 2 to 7: for which systems which formula says whether a kill is possible, and how surely.
#[test]
fn propositions_2_to_7_hold_on_all_runs_of_random_pairs() {
    let k = 3;
    let mut counts = std::collections::BTreeMap::new();
    for seed in 0..3_000 {
        let mut random = Random::new(seed);
        let n_inputs = 1 + random.below(2);
        let specification = random::table(&mut random, n_inputs, 3);
        let mutant = random::changed(&mut random, &specification);
        let found = verdicts(&mutant, &specification);
        let potential = found.potential.found().is_some_and(|run| run.inputs.len() <= k);
        let definite = found.blind.found().is_some_and(|word| word.len() <= k);
        let [phi1, phi2, phi3, phi4] = formulas(&mutant, &specification, k);
        assert_eq!((phi2, phi3), (potential, definite), "seed {seed}: Propositions 3 and 4");
        let is_deterministic = [&specification, &mutant].map(|table| table.system().is_deterministic());
        match is_deterministic {
            [true, true] => assert_eq!((phi1, phi1), (potential, definite), "seed {seed}: Proposition 2"),
            [true, false] => assert_eq!((phi1, phi4), (potential, definite), "seed {seed}: Propositions 5 and 6"),
            [false, true] => assert_eq!((phi2, phi2), (potential, definite), "seed {seed}: Proposition 7"),
            [false, false] => {}
        }
        *counts.entry((is_deterministic, potential, definite)).or_insert(0) += 1;
    }
    // Each pair of kinds is met with kills and without, and of non-deterministic mutants with kills that are not definite.
    assert!(counts.len() >= 10 && counts.values().all(|n| *n > 10), "{counts:?}");
}

/// The formulas of section 4 and phi^A of section 4.4, by hand from the paper; Fig. 1b is phi3.
#[test]
fn formulas_are_written_as_they_are_printed() {
    let text = "-- inputs: i\n-- outputs: o\nMODULE main\nVAR i : boolean; o : boolean;\nASSIGN next(o) := i;\n";
    let model = program(text);
    let printed = |formula| hyper_ltl(&model, "mut", formula, true)[0].clone();
    // `=AB`: the same inputs, `#AB`: in some step other outputs.
    let expected = [
        "exists A. exists B. ((G ((~mut[A]) /\\ mut[B] /\\ =AB)) /\\ #AB)\n",
        "exists A. forall B. ((G mut[A]) /\\ ((G ((~mut[B]) /\\ =AB)) -> #AB))\n",
        "exists A. forall B. forall C. ((G (~mut[A])) /\\ ((G (mut[B] /\\ (~mut[C]) /\\ =AB /\\ =AC)) -> #BC))\n",
        "exists A. forall B. ((G (~mut[A])) /\\ ((G (mut[B] /\\ =AB)) -> #AB))\n",
    ];
    let spelt = |text: &str| {
        let text = text
            .replace("=AB", "((i[A] <-> i[B]))")
            .replace("=AC", "((i[A] <-> i[C]))");
        let differ = |pair| {
            format!("(F (~((o[{pair}]))))")
                .replace("AB", "A] <-> o[B")
                .replace("BC", "B] <-> o[C")
        };
        text.replace("#AB", &differ("AB")).replace("#BC", &differ("BC"))
    };
    let formulas = [Formula::Phi1, Formula::Phi2, Formula::Phi3, Formula::Phi4];
    assert_eq!(formulas.map(printed), expected.map(spelt));
    let outputs = ["FALSE", "TRUE"].map(|value| vec![value.to_owned()]);
    let step = "(exists P. ((!(*mut*_P)) & ((*i*_A = *i*_P)) & (*o = VALUE*_P)))";
    let allowed = |at, value| format!("(G (X ((*allowed{at}*_A) <-> {})))", step.replace("VALUE", value));
    let always = "(G ((!(*mut*_A)) & (*mut*_B) & ((*i*_A = *i*_B))))";
    let first = format!("(exists B. ({always} & (F (!((*o*_A = *o*_B))))))");
    let both = [allowed(0, "FALSE"), allowed(1, "TRUE")].join(" & ");
    let expected = format!("exists A. ({first} & {both})\n");
    assert_eq!(hyper_ctl(&model, "mut", Formula::Phi1, &outputs), expected);
}

#[test]
fn a_potential_kill_need_not_be_definite() {
    // Smallest: one state, one input, one step more.
    let specification = table(2, &[&[(0, 0)]]);
    let mutant = table(2, &[&[(0, 0), (1, 0)]]);
    assert_eq!(kill(&mutant, &specification), KillStrength::Potential);
}

#[test]
fn a_definite_kill_need_not_be_blind() {
    // The first output tells which of the two inputs the mutant answers wrongly.
    let [a, b, right, wrong] = [0, 1, 2, 3];
    let choice = vec![(a, 1), (b, 2)];
    let system = |first: Vec<(usize, usize)>, second: Vec<(usize, usize)>| Table {
        n_outputs: 4,
        initial: vec![0],
        first: Vec::new(),
        steps: vec![
            vec![choice.clone(), choice.clone()],
            vec![first.clone(), vec![(right, 0)]],
            vec![vec![(right, 0)], second.clone()],
        ],
    };
    let specification = system(vec![(right, 0)], vec![(right, 0)]);
    let mutant = system(vec![(wrong, 0)], vec![(wrong, 0)]);
    // For every word the mutant has a run that avoids its faults: in each round the state that the word does not ask.
    assert_eq!(kill(&mutant, &specification), KillStrength::Definite);
    assert_eq!(
        verdicts(&mutant, &specification)
            .definite
            .found()
            .map(|plan| plan.depth),
        Some(2)
    );
}

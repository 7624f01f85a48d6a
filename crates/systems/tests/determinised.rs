//! D(S) of [004] section 5.1, from programs, with an output of its own for choices that are not there.

use tamper_features::Random;
use tamper_systems::{KillStrength, Missing, Pair, Program, Verdicts, controllable, decide, explore, mutations};
use tamper_text::Budget;

use super::files::{program, study};
use super::propositions::{Absent, controlled, kill};
use testing::systems::oracle::Table;

/// The verdicts on D of the two programs, both of which are deterministic.
fn verdicts(specification: &Program, mutant: &Program) -> Verdicts {
    let systems = controllable(specification, mutant, &Budget::unlimited()).expect("total systems");
    assert!(
        systems.iter().all(|system| system.is_deterministic()),
        "Proposition 9(1)"
    );
    let [specification, mutant] = systems;
    let pair = Pair::new(&mutant, &specification).expect("the same inputs");
    decide(&pair, &Budget::unlimited())
}

fn kills(specification: &Program, mutant: &Program) -> KillStrength {
    verdicts(specification, mutant).kill().expect("no limit")
}

#[test]
fn an_added_choice_is_seen_and_the_papers_equivalent_mutant_is_killed() {
    let model = |next: &str| {
        program(&format!(
            "-- outputs: o\nMODULE main\nVAR o : {{e, a}};\nASSIGN init(o) := e; next(o) := {next};\n"
        ))
    };
    // Proposition 9(3) as printed: the absent choice of S would answer e, as M does.
    assert_eq!(kills(&model("a"), &model("{a, e}")), KillStrength::Blind);
    assert_eq!(kills(&model("{e, a}"), &model("{a, e}")), KillStrength::None);
    // [004] after Proposition 9: the mutant that makes coffee only is equivalent, and killable after the transformation.
    let beverage = |name: &str| program(&study(&format!("beverage/{name}.smv")));
    assert_eq!(kills(&beverage("model"), &beverage("coffee-only")), KillStrength::Blind);
    assert_eq!(kills(&beverage("model"), &beverage("model")), KillStrength::None);
}

/// Proposition 9(3), repaired: whom D shows to be equal is equivalent.
#[test]
fn no_mutant_of_the_studies_is_killed_that_is_equal_when_its_choices_are_inputs() {
    let (mut n_mutants, mut n_equal, mut n_only_after) = (0, 0, 0);
    for name in ["beverage/model", "untimed/arbiter", "untimed/traffic-light"] {
        let original = program(&study(&format!("{name}.smv")));
        let states = |program: &Program| explore(program, Missing::Refuse, &Budget::unlimited());
        let specification = states(&original).expect("a total system");
        for mutation in mutations(&original) {
            let mutant = mutation.apply(&original);
            let Ok(changed) = states(&mutant) else { continue };
            let pair = Pair::new(&changed, &specification).expect("the same inputs");
            let plain = decide(&pair, &Budget::unlimited()).kill().expect("no limit");
            let after = kills(&original, &mutant);
            assert!(
                after == KillStrength::Blind || (after == KillStrength::None && plain == KillStrength::None),
                "{mutation:?}"
            );
            n_mutants += 1;
            n_equal += usize::from(after == KillStrength::None);
            n_only_after += usize::from(after != KillStrength::None && plain == KillStrength::None);
        }
    }
    assert!(
        n_mutants > 100 && n_equal > 0 && n_only_after > 0,
        "{n_mutants} {n_equal} {n_only_after}"
    );
}

/// What s and o can be next, by s and i: some of the numbers below 3 and below 2.
type Rows = Vec<[Vec<usize>; 2]>;

fn some(random: &mut Random, below: usize) -> Vec<usize> {
    let found: Vec<usize> = (0..below).filter(|_| random.below(2) == 0).collect();
    if found.is_empty() {
        vec![random.below(below)]
    } else {
        found
    }
}

fn text(rows: &Rows) -> String {
    let set = |values: &[usize]| {
        let values: Vec<String> = values.iter().map(usize::to_string).collect();
        format!("{{{}}}", values.join(", "))
    };
    let case = |which: usize| -> String {
        let branch =
            |(at, row): (usize, &[Vec<usize>; 2])| format!("s = {} & i = {} : {}; ", at / 2, at % 2, set(&row[which]));
        rows.iter().enumerate().map(branch).collect()
    };
    format!(
        "-- inputs: i\n-- outputs: o\nMODULE main\nVAR i : 0..1; s : 0..2; o : 0..1;\nASSIGN init(s) := 0; init(o) := 0;\n\
         next(s) := case {}esac;\nnext(o) := case {}esac;\n",
        case(0),
        case(1)
    )
}

/// The same as a table: state 2 s + o.
fn table(rows: &Rows) -> Table {
    let cell = |row: &[Vec<usize>; 2]| -> Vec<(usize, usize)> {
        let pairs = row[0].iter().flat_map(|s| row[1].iter().map(move |o| (*o, 2 * s + o)));
        pairs.collect()
    };
    Table {
        n_outputs: 2,
        initial: vec![0],
        first: Vec::new(),
        steps: (0..6)
            .map(|state| (0..2).map(|i| cell(&rows[state / 2 * 2 + i])).collect())
            .collect(),
    }
}

#[test]
fn random_programs_become_what_the_definition_makes_of_their_steps() {
    let mut tally = std::collections::BTreeMap::new();
    for seed in 0..2_000 {
        let mut random = Random::new(seed);
        let original: Rows = (0..6).map(|_| [some(&mut random, 3), some(&mut random, 2)]).collect();
        let mut mutant = original.clone();
        let at = random.below(6);
        mutant[at] = [some(&mut random, 3), some(&mut random, 2)];
        let found = verdicts(&program(&text(&original)), &program(&text(&mutant)));
        let (left, right) = controlled(&table(&original), &table(&mutant), Absent::Fresh);
        let by_definition = kill(&right, &left);
        assert_eq!(
            found.kill(),
            Ok(by_definition),
            "seed {seed}\n{}\n{}",
            text(&original),
            text(&mutant)
        );
        let pair = Pair::new(&right.system(), &left.system()).expect("the same inputs");
        let shortest = decide(&pair, &Budget::unlimited())
            .potential
            .found()
            .map(|run| run.inputs.len());
        assert_eq!(
            found.potential.found().map(|run| run.inputs.len()),
            shortest,
            "seed {seed}"
        );
        *tally.entry(format!("{by_definition:?}")).or_insert(0) += 1;
    }
    assert!(tally.len() == 2 && tally.values().all(|n| *n > 100), "{tally:?}");
}

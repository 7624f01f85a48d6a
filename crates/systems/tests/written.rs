//! What is written as SMV is read as the same: random programs with negative numbers, and all of their mutants.

use tamper_features::Random;
use tamper_systems::formats::smv::write_smv;
use tamper_systems::{Missing, Program, TransitionSystem, explore, mutations};
use tamper_text::Budget;

use super::files::program;

/// A range that has negative numbers more often than not.
pub fn range(random: &mut Random) -> (i64, i64) {
    let first = random.below(5) as i64 - 3;
    (first, first + random.below(4) as i64)
}

fn one_of(random: &mut Random, (first, last): (i64, i64)) -> i64 {
    first + random.below((last - first + 1) as usize) as i64
}

/// An expression over `n` and `i`.
fn number(random: &mut Random, depth: usize) -> String {
    let number = |random: &mut Random| self::number(random, depth - 1);
    match if depth == 0 { random.below(3) } else { random.below(12) } {
        0 | 1 => "n".to_owned(),
        2 => (random.below(9) as i64 - 4).to_string(),
        // Two marks in a row begin a comment.
        3 => format!("- {}", number(random)),
        4 => format!("-({})", number(random)),
        5 => format!("abs({})", number(random)),
        6 => format!("({} - {})", number(random), number(random)),
        7 => format!("({} * {})", number(random), number(random)),
        8 => format!("max({}, {})", number(random), number(random)),
        9 => format!(
            "({} ? {} : {})",
            truth(random, depth - 1),
            number(random),
            number(random)
        ),
        10 => format!("({} + -{})", number(random), random.below(4)),
        _ => format!(
            "case {} : {}; TRUE : {}; esac",
            truth(random, depth - 1),
            number(random),
            number(random)
        ),
    }
}

pub fn truth(random: &mut Random, depth: usize) -> String {
    match if depth == 0 { random.below(2) } else { random.below(7) } {
        0 => "i".to_owned(),
        1 => "b".to_owned(),
        2 => format!("!{}", truth(random, depth - 1)),
        3 => format!("({} & {})", truth(random, depth - 1), truth(random, depth - 1)),
        4 => format!(
            "({} in -{}..{})",
            number(random, depth - 1),
            random.below(3),
            random.below(3)
        ),
        5 => format!("({} in {{-1, {}}})", number(random, depth - 1), random.below(3)),
        _ => format!("({} <= {})", number(random, depth - 1), number(random, depth - 1)),
    }
}

/// A value of a range.
pub fn clamped(random: &mut Random, range: (i64, i64)) -> String {
    format!("max({}, min({}, {}))", range.0, range.1, number(random, 3))
}

/// Values of a range: one, or a choice.
fn choice(random: &mut Random, range: (i64, i64)) -> String {
    match random.below(6) {
        0 => clamped(random, range),
        1 => format!("{}..{}", range.0, range.1),
        2 => format!("{}..{}", range.0, one_of(random, range)),
        3 => format!("{{{}, {}..{}}}", one_of(random, range), one_of(random, range), range.1),
        4 => format!("{} union {}..{}", one_of(random, range), range.0, one_of(random, range)),
        _ => format!(
            "case {} : {}..{}; TRUE : {}; esac",
            truth(random, 2),
            range.0,
            one_of(random, range),
            clamped(random, range)
        ),
    }
}

pub fn text(random: &mut Random) -> String {
    let range = range(random);
    format!(
        "-- outputs: n, b\nMODULE main\nIVAR i : boolean;\nVAR n : {}..{}; b : boolean; e : {{-2, 7, p}};\nASSIGN\n  init(n) := {};\n  \
         next(n) := {};\n  init(b) := TRUE;\n  next(b) := {};\n  init(e) := -2;\n  next(e) := {} ? {{-2, p}} : 7;\n",
        range.0,
        range.1,
        one_of(random, range),
        choice(random, range),
        truth(random, 3),
        truth(random, 2),
    )
}

pub fn states(program: &Program) -> Option<TransitionSystem> {
    explore(program, Missing::Refuse, &Budget::unlimited()).ok()
}

#[test]
fn a_random_program_and_its_mutants_are_read_as_they_are_written() {
    let (mut n_total, mut n_mutants, mut n_negative) = (0, 0, 0);
    for seed in 0..100 {
        let mut random = Random::new(seed);
        let text = text(&mut random);
        let own = program(&text);
        let check = |own: &Program| {
            let written = write_smv(own);
            let again = program(&written);
            assert_eq!(write_smv(&again), written, "seed {seed}\n{text}");
            assert_eq!(states(&again), states(own), "seed {seed}\n{written}");
            states(own).is_some()
        };
        n_total += usize::from(check(&own));
        n_negative += usize::from(write_smv(&own).contains(":= -") || write_smv(&own).contains("(-"));
        for mutation in mutations(&own) {
            n_mutants += usize::from(check(&mutation.apply(&own)));
        }
    }
    println!(
        "{n_total} programs of 100 are total, {n_negative} write a negative number; {n_mutants} mutants have states"
    );
    assert!(
        n_total > 50 && n_negative > 20 && n_mutants > 200,
        "{n_total} {n_negative} {n_mutants}"
    );
}

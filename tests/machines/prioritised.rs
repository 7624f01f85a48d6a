//! The order in which tests kill most, against enumeration.

use num_bigint::BigUint;
use tamper::features::Random;
use tamper::machines::{Mutant, prioritised};
use tamper::text::Budget;

use super::{mutants, random_machine, random_suite};

#[test]
fn tests_are_put_in_the_order_in_which_enumeration_finds_most_new_kills() {
    let mut random = Random::new(77);
    let (mut n_moved, mut n_idle) = (0, 0);
    for _ in 0..300 {
        let machine = random_machine(&mut random);
        let suite = random_suite(&machine, &mut random);
        let mut alive: Vec<Mutant> = mutants(&machine);
        let mut left: Vec<usize> = (0..suite.len()).collect();
        let mut expected = Vec::new();
        while !left.is_empty() {
            let kills = |test: usize| {
                alive
                    .iter()
                    .filter(|mutant| mutant.is_killed_by(&machine, &suite[test]))
                    .count()
            };
            let counted: Vec<usize> = left.iter().map(|test| kills(*test)).collect();
            let most = *counted.iter().max().unwrap();
            let place = counted.iter().position(|kills| *kills == most).unwrap();
            let test = left.remove(place);
            alive.retain(|mutant| !mutant.is_killed_by(&machine, &suite[test]));
            expected.push((test, BigUint::from(most)));
        }
        let found = prioritised(&machine, &suite, &Budget::unlimited()).unwrap();
        assert_eq!(found, expected);
        n_moved += usize::from(found.iter().enumerate().any(|(at, (test, _))| at != *test));
        n_idle += usize::from(found.iter().any(|(_, kills)| *kills == BigUint::ZERO));
    }
    assert!(
        n_moved > 40 && n_idle > 100,
        "{n_moved} moved, {n_idle} with idle tests"
    );
}

#[test]
fn an_order_that_hits_a_limit_is_not_given() {
    let machine = tamper::machines::Profile::air_quality(3).generate().unwrap();
    let inputs: Vec<_> = machine.inputs().ids().collect();
    let test: Vec<_> = (0..60).map(|at| inputs[at * 7 % inputs.len()]).collect();
    let budget = Budget {
        max_states: Some(2),
        ..Budget::unlimited()
    };
    assert!(prioritised(&machine, &[test], &budget).is_err());
}

//! The W-method and checking sequences against all machines.

use super::*;
use crate::{MachineBuilder, StateId, Transition, w_method};
use tamper_text::Id as _;

/// What a machine answers, by cell, and where it is then; state 0 is the first one.
type Plain = Vec<(usize, usize)>;

fn plain_answers(plain: &Plain, word: &[usize]) -> Vec<usize> {
    let mut state = 0;
    let step = |input: &usize| {
        let (output, next) = plain[2 * state + input];
        state = next;
        output
    };
    word.iter().map(step).collect()
}

/// All machines with that many states, two inputs and two outputs.
fn all_plain(n_states: usize) -> impl Iterator<Item = Plain> {
    let choices = 2 * n_states;
    (0..choices.pow(choices as u32)).map(move |number| {
        let cell = |at: usize| (number / choices.pow(at as u32)) % choices;
        (0..choices).map(|at| (cell(at) % 2, cell(at) / 2)).collect()
    })
}

fn plain_machine(plain: &Plain) -> MutationMachine {
    let mut builder = MachineBuilder::new();
    let states: Vec<StateId> = (0..plain.len() / 2).map(|at| builder.state(&at.to_string())).collect();
    let (inputs, outputs) = (
        ["a", "b"].map(|name| builder.input(name)),
        ["0", "1"].map(|name| builder.output(name)),
    );
    for (cell, (output, next)) in plain.iter().enumerate() {
        let transition = Transition {
            output: outputs[*output],
            target: states[*next],
        };
        builder.add(states[cell / 2], inputs[cell % 2], transition, false);
    }
    builder.finish().expect("a complete machine")
}

/// How many machines of `n_states` states pass `suite` although they answer some word otherwise than `own`: the words are all there
/// are up to a length at which machines of that many states differ, if they do.
fn passing_wrongly(own: &Plain, suite: &[Vec<InputId>], n_states: usize) -> usize {
    let suite: Vec<Vec<usize>> = suite
        .iter()
        .map(|test| test.iter().map(|input| input.index()).collect())
        .collect();
    let expected: Vec<Vec<usize>> = suite.iter().map(|test| plain_answers(own, test)).collect();
    let length = own.len() / 2 + n_states - 1;
    let words: Vec<Vec<usize>> = (0..1_usize << length)
        .map(|word| (0..length).map(|at| word >> at & 1).collect())
        .collect();
    let passes = |other: &Plain| {
        suite
            .iter()
            .zip(&expected)
            .all(|(test, answers)| plain_answers(other, test) == *answers)
    };
    let differs = |other: &Plain| {
        words
            .iter()
            .any(|word| plain_answers(own, word) != plain_answers(other, word))
    };
    all_plain(n_states)
        .filter(|other| passes(other) && differs(other))
        .count()
}

#[test]
fn suites_by_the_w_method_and_checking_sequences_are_complete_by_enumeration() {
    let mut random = tamper_features::Random::new(5);
    let (mut n_checked, mut n_without, mut n_smaller) = (0, 0, 0);
    for number in 0..60 {
        let n_states = if number < 52 { 2 } else { 3 };
        let own: Plain = (0..2 * n_states)
            .map(|_| (random.below(2), random.below(n_states)))
            .collect();
        let machine = plain_machine(&own);
        if Reduced::of(&machine).n_states() < n_states {
            continue;
        }
        let suite = w_method(&machine, 0, &Budget::unlimited()).unwrap();
        assert_eq!(passing_wrongly(&own, &suite, n_states), 0, "{own:?}");
        match checking_sequence(&machine, &Budget::unlimited()).unwrap() {
            Some(sequence) => {
                assert_eq!(
                    passing_wrongly(&own, std::slice::from_ref(&sequence), n_states),
                    0,
                    "{own:?}: {sequence:?}"
                );
                n_checked += 1;
                // The judge finds what is missing: without its last third the sequence is no checking sequence for some.
                let cut = sequence[..sequence.len() * 2 / 3].to_vec();
                n_smaller += usize::from(passing_wrongly(&own, &[cut], n_states) > 0);
            }
            None => n_without += 1,
        }
        if number == 0 {
            let suite = w_method(&machine, 1, &Budget::unlimited()).unwrap();
            assert_eq!(passing_wrongly(&own, &suite, n_states + 1), 0, "{own:?}");
        }
    }
    assert!(
        n_checked > 10 && n_without > 0 && n_smaller > 5,
        "{n_checked} {n_without} {n_smaller}"
    );
}

/// \[000\] section 3.2.
#[test]
fn the_running_example_has_no_checking_sequence_and_the_w_method_needs_more_tests() {
    let machine = crate::tests::running_example();
    assert_eq!(checking_sequence(&machine, &Budget::unlimited()), Ok(None));
    let suite = w_method(&machine, 0, &Budget::unlimited()).unwrap();
    assert!(suite.len() > 2, "{{babaaba, baa}} is complete");
}

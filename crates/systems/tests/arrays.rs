//! Arrays and the next values of definitions: random systems against plain code that knows no elements.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use tamper_features::Random;
use tamper_systems::formats::smv::{SmvNames, read_smv, read_smv_with, write_smv};
use tamper_systems::{ExploreError, Missing, explore, mutations};
use tamper_text::Budget;

use super::files::program;
use super::written::states;

/// The array, the variable `x`, and the input.
type Values = ([i64; 3], i64, i64);
type Number = Rc<dyn Fn(&Values) -> i64>;

/// A number from 0 to 2, as text and as a function; `input` allows the input in it.
fn number(random: &mut Random, depth: usize, input: bool) -> (String, Number) {
    if depth == 0 {
        let k = random.below(3);
        return match random.below(if input { 4 } else { 3 }) {
            0 => (k.to_string(), Rc::new(move |_| k as i64)),
            1 => ("x".to_owned(), Rc::new(|values| values.1)),
            2 => (format!("a[FIRST + {k}]"), Rc::new(move |values| values.0[k])),
            _ => ("i".to_owned(), Rc::new(|values| values.2)),
        };
    }
    let (text, value) = number(random, depth - 1, input);
    match random.below(3) {
        0 => (
            format!("a[{text} - 1]"),
            Rc::new(move |values| values.0[value(values) as usize]),
        ),
        1 => {
            let (other, add) = number(random, depth - 1, input);
            (
                format!("(({text} + {other}) mod 3)"),
                Rc::new(move |values| (value(values) + add(values)) % 3),
            )
        }
        _ => (format!("(2 - {text})"), Rc::new(move |values| 2 - value(values))),
    }
}

#[test]
fn arrays_and_next_values_of_definitions_are_what_plain_code_says() {
    let (mut n_steps, mut n_mutants) = (0, 0);
    for seed in 0..400 {
        let mut random = Random::new(seed);
        let next: [(String, Number); 3] = std::array::from_fn(|_| number(&mut random, 2, true));
        // It reads the array only: the next value of `x` reads its next value.
        let (text, value) = number(&mut random, 2, false);
        let (of_x, value_x) = (text.replace('x', "a[0]"), value);
        let defined: Number = Rc::new(move |(a, _, i)| value_x(&(*a, a[1], *i)));
        let (at, index) = number(&mut random, 1, false);
        let (at, index_x) = (at.replace('x', "a[0]"), index);
        let [one, two, three] = next.each_ref().map(|(text, _)| text);
        // The indices are -1, 0 and 1: a[0] is the element in the middle.
        let model = format!(
            "-- inputs: i\n-- outputs: seen\nMODULE main\n\
             VAR a : array FIRST..FIRST + SIZE - 1 of 0..SIZE - 1; x : 0..2; i : 0..2;\n\
             DEFINE SIZE := 3; FIRST := -1; d := {of_x}; seen := a[-1] + 3 * a[0] + 9 * a[1] + 27 * x;\n\
             ASSIGN init(a[FIRST]) := 0; init(a[0]) := 1; init(a[1]) := 2; init(x) := 0;\n\
             next(a[-1]) := {one}; next(a[0]) := {two}; next(a[FIRST + 2]) := {three};\n\
             next(x) := (next(d) + next(a[{at} - 1]) + x) mod 3;\n"
        );
        let read = program(&model);
        let system = explore(&read, Missing::Refuse, &Budget::unlimited());
        let system = system.unwrap_or_else(|error| panic!("seed {seed}: {error:?}\n{model}"));
        let mut found = BTreeMap::from([(system.initial()[0], ([0, 1, 2], 0))]);
        let mut open = vec![system.initial()[0]];
        while let Some(state) = open.pop() {
            let (a, x) = found[&state];
            for (input, name) in system.inputs().iter_enumerated() {
                let i: i64 = name.trim_start_matches("i=").parse().expect("a number");
                let after: [i64; 3] = std::array::from_fn(|at| next[at].1(&(a, x, i)));
                let moved = (after, after[1], i);
                let x = (defined(&moved) + after[index_x(&moved) as usize] + x) % 3;
                let [step] = system.steps(state, input) else {
                    panic!("seed {seed}: one step")
                };
                let seen = after[0] + 3 * after[1] + 9 * after[2] + 27 * x;
                assert_eq!(
                    system.outputs()[step.output],
                    seen.to_string(),
                    "seed {seed}: {name} at {a:?}\n{model}"
                );
                n_steps += 1;
                let new = found.insert(step.target, (after, x)).is_none();
                open.extend(new.then_some(step.target));
            }
        }
        let reached: BTreeSet<_> = found.values().collect();
        assert_eq!(
            reached.len(),
            found.len(),
            "seed {seed}: states are told apart\n{model}"
        );
        if seed % 8 > 0 {
            continue;
        }
        for mutant in mutations(&read) {
            let changed = mutant.apply(&read);
            assert_eq!(
                states(&program(&write_smv(&changed))),
                states(&changed),
                "seed {seed}\n{model}"
            );
            n_mutants += 1;
        }
    }
    println!("{n_steps} steps, {n_mutants} mutants");
    assert!(
        n_steps > 8_000 && n_mutants > 800,
        "{n_steps} steps, {n_mutants} mutants"
    );
}

#[test]
fn an_index_outside_of_its_array_is_refused_where_it_is_constant_and_leaves_no_branch_elsewhere() {
    let with = |value: &str| {
        format!(
            "-- outputs: a\nMODULE main\nVAR a : array 0..1 of 0..2;\nASSIGN a[1] := 1; init(a[0]) := 0; next(a[0]) := {value};\n"
        )
    };
    let error = read_smv("m.smv", with("a[2]").as_bytes()).expect_err("no element");
    assert!(
        error
            .to_string()
            .contains("there is no element 2: the first is 0, the last 1"),
        "{error}"
    );
    let states = explore(&program(&with("a[a[0]] + 1")), Missing::Refuse, &Budget::unlimited());
    // a[2] is read after two steps.
    assert!(matches!(states, Err(ExploreError::NotTotal { .. })));
}

#[test]
fn names_that_the_caller_gives_take_the_place_of_the_comments() {
    let text = b"-- inputs: i\n-- outputs: o\nMODULE main\nVAR i : boolean; o : boolean; c : array 0..1 of boolean;\n";
    let named = |inputs: Option<&str>, outputs: Option<&str>| {
        let list = |names: Option<&str>| names.map(|names| names.split(',').map(str::to_owned).collect());
        let names = SmvNames {
            inputs: list(inputs),
            outputs: list(outputs),
        };
        let read = read_smv_with("m.smv", text, &names).map_err(|error| error.diagnostics[0].message.clone())?;
        let program = read.program;
        let inputs = program
            .inputs()
            .into_iter()
            .map(|var| program.variables[var].name.clone());
        let outputs = program.outputs.iter().map(|seen| program.name_of(*seen).to_owned());
        Ok::<_, String>((
            inputs.collect::<Vec<_>>().join(" "),
            outputs.collect::<Vec<_>>().join(" "),
        ))
    };
    let is = |inputs: &str, outputs: &str| Ok((inputs.to_owned(), outputs.to_owned()));
    assert_eq!(named(None, None), is("i", "o"));
    assert_eq!(named(Some("o"), Some("i")), is("o", "i"));
    assert_eq!(named(Some("c"), None), is("c[0] c[1]", "o"));
    assert_eq!(named(None, Some("c,o")), is("i", "c[0] c[1] o"));
    let error = named(Some("d"), None).expect_err("d is no variable");
    assert!(error.contains("the input `d` is no variable"), "{error}");
}

#[test]
fn what_is_wrong_is_said_once() {
    let errors = |lines: &str| {
        let text = format!("-- outputs: o\n{lines}");
        let error = read_smv("m.smv", text.as_bytes()).expect_err(lines);
        let messages: Vec<String> = error.diagnostics.into_iter().map(|found| found.message).collect();
        messages
    };
    let main = "MODULE main\nVAR o : boolean;\n";
    let undeclared = format!("{main}ASSIGN next(o) := p & p;\nTRANS p\nDEFINE d := !p;\n");
    assert_eq!(errors(&undeclared), ["`p` is not declared"]);
    let bad_type = format!("{main}p : real;\nASSIGN init(p) := 1; next(p) := 2; next(o) := p = 1;\n");
    assert_eq!(errors(&bad_type), ["the type `real` is not read"]);
    assert_eq!(
        errors("MODULE main\nVAR o : real;\nASSIGN next(o) := o;\n"),
        ["the type `real` is not read"]
    );
    let instances = format!("{main}a : m; b : m;\nMODULE m\nVAR c : boolean;\nASSIGN next(c) := d;\n");
    assert_eq!(errors(&instances), ["`a.d` is not declared"]);
    let assigned = format!("{main}ASSIGN init(q) := 1; next(q) := q + 1;\n");
    assert_eq!(errors(&assigned), ["`q` is no variable that is declared above"]);
}

#[test]
fn next_values_of_derived_variables_are_refused_wherever_they_are_declared() {
    for variables in ["x : boolean; y : boolean;", "y : boolean; x : boolean;"] {
        let text = format!(
            "-- outputs: x\nMODULE main\nVAR {variables}\nASSIGN y := !x; init(x) := FALSE; next(x) := next(y);\n"
        );
        let error = read_smv("m.smv", text.as_bytes()).expect_err(variables).to_string();
        assert!(
            error.contains("this variable's next value is not known in this step"),
            "{error}"
        );
    }
}

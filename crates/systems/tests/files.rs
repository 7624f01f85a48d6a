//! SMV files: what they mean, and what is refused.

use std::path::Path;

use tamper_systems::formats::smv::{read_smv, write_smv};
use tamper_systems::{ExploreError, KillStrength, Missing, Pair, Program, Verdicts, decide, explore, mutations};
use tamper_text::{Budget, Severity};

pub fn program(text: &str) -> Program {
    match read_smv("model.smv", text.as_bytes()) {
        Ok(system) => system.program,
        Err(error) => panic!("{error}\n{text}"),
    }
}

pub fn study(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../case-studies")
        .join(name);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// What NuSMV says of a model, where the variable TAMPER_NUSMV names its program.
pub fn nusmv(text: &str, commands: &str) -> Option<String> {
    let nusmv = std::env::var_os("TAMPER_NUSMV")?;
    let folder = tempfile::tempdir().expect("a temporary folder");
    let [model, script] = ["model.smv", "commands"].map(|name| folder.path().join(name));
    std::fs::write(&model, text).expect("the folder is there");
    std::fs::write(&script, format!("go\n{commands}\nquit\n")).expect("the folder is there");
    let said = std::process::Command::new(nusmv)
        .args(["-dcx", "-source"])
        .args([script, model])
        .output();
    let said = said.expect("NuSMV runs");
    Some(String::from_utf8_lossy(&said.stdout).into_owned() + &String::from_utf8_lossy(&said.stderr))
}
/// How many properties NuSMV says hold, and how many do not.
pub fn properties(said: &str) -> (usize, usize) {
    (said.matches("is true").count(), said.matches("is false").count())
}
/// How many states NuSMV says are reached.
pub fn n_reached(said: &str) -> Option<usize> {
    let rest = said.split("reachable states: ").nth(1)?;
    rest.split(' ')
        .next()?
        .parse::<f64>()
        .ok()
        .map(|number| number as usize)
}

/// The verdicts, and the word of the strongest kill.
pub fn verdicts(mutant: &str, specification: &str) -> (Verdicts, Vec<String>) {
    let states = |text: &str| explore(&program(text), Missing::Refuse, &Budget::unlimited()).expect("a total system");
    let pair = Pair::new(&states(mutant), &states(specification)).expect("the same inputs");
    let verdicts = decide(&pair, &Budget::unlimited());
    let word = verdicts
        .word()
        .iter()
        .map(|input| pair.inputs()[*input].clone())
        .collect();
    (verdicts, word)
}

/// The beverage machine with a tank of that size, and how much is filled in.
fn machine(capacity: usize, fills: usize) -> String {
    let model = study("beverage/model.smv");
    let model = model
        .replace("0..2", &format!("0..{capacity}"))
        .replace("init(wtr) := 2", &format!("init(wtr) := {capacity}"));
    model.replace("wtr = 0 : 2;", &format!("wtr = 0 : {fills};"))
}

#[test]
fn the_beverage_machine_has_the_three_mutants_of_example_3() {
    let specification = study("beverage/model.smv");
    let answer = |name: &str| {
        let (verdicts, word) = verdicts(&study(&format!("beverage/{name}.smv")), &specification);
        (verdicts.kill().expect("no limit"), word.join(" "))
    };
    let word = "req req fill req req".to_owned();
    assert_eq!(answer("fills-one"), (KillStrength::Blind, word.clone()));
    assert_eq!(answer("fills-either"), (KillStrength::Potential, word));
    assert_eq!(answer("coffee-only"), (KillStrength::None, String::new()));
}

#[test]
fn a_tank_of_n_units_takes_2n_plus_1_inputs() {
    for capacity in [1, 2, 3, 5, 10, 100, 1000] {
        let (verdicts, word) = verdicts(&machine(capacity, capacity - 1), &machine(capacity, capacity));
        assert_eq!(verdicts.kill(), Ok(KillStrength::Blind), "{capacity}");
        assert_eq!(word.len(), 2 * capacity + 1);
        assert_eq!(verdicts.definite.found().map(|plan| plan.depth), Some(2 * capacity + 1));
        assert_eq!(
            verdicts.potential.found().map(|run| run.inputs.len()),
            Some(2 * capacity + 1)
        );
        assert_eq!(word[capacity], "fill");
        assert_eq!(word.iter().filter(|input| *input == "req").count(), 2 * capacity);
    }
}

/// Example 4 with the capacities up to `most`: the machine chooses one of them, and the mutant fills one unit less.
fn any_capacity(most: usize, less: usize) -> String {
    format!(
        "-- inputs: i\n-- outputs: out\nMODULE main\nVAR i : {{none, req, fill}}; out : {{none, coff, tea}}; wtr : 0..{most};\n\
         FROZENVAR capacity : 1..{most};\nASSIGN init(out) := none; init(wtr) := capacity;\n\
         next(out) := case i = req & wtr > 0 : {{coff, tea}}; TRUE : none; esac;\n\
         next(wtr) := case i = req & wtr > 0 : wtr - 1; i = fill & wtr = 0 : capacity - {less}; TRUE : wtr; esac;\n"
    )
}

#[test]
fn example_4_is_definite_but_no_word_is_long_enough_for_every_capacity() {
    // With every capacity there is a kill for it; the shortest blind word grows with the largest capacity, and so does the
    // longest play of the best plan. In the limit each play of a plan that asks until the tank is empty, fills, and asks as
    // often again is finite, but no length is enough for all: definite by plays, and no finite test.
    for most in 1..=6 {
        let (verdicts, word) = verdicts(&any_capacity(most, 1), &any_capacity(most, 0));
        assert_eq!(verdicts.kill(), Ok(KillStrength::Blind));
        assert_eq!(word.len(), 2 * most + 1);
        assert_eq!(verdicts.definite.found().map(|plan| plan.depth), Some(2 * most + 1));
    }
}

#[test]
fn what_is_written_reads_back_as_the_same_system_and_so_does_every_mutant() {
    for name in ["model", "fills-one", "fills-either", "coffee-only"] {
        let original = program(&study(&format!("beverage/{name}.smv")));
        for mutant in mutations(&original)
            .iter()
            .map(|mutation| mutation.apply(&original))
            .chain([original.clone()])
        {
            let text = write_smv(&mutant);
            let again = program(&text);
            assert_eq!(write_smv(&again), text, "{text}");
            let states = |program| explore(program, Missing::Complete, &Budget::unlimited()).ok();
            assert_eq!(states(&again), states(&mutant), "{text}");
        }
    }
}

/// A model with these lines after its variables.
fn with(lines: &str) -> String {
    format!(
        "-- inputs: i\n-- outputs: o\nMODULE main\nVAR i : boolean; o : boolean; n : 0..3; c : {{red, green}};\n{lines}\n"
    )
}

#[test]
fn every_construct_that_is_not_read_is_refused_by_name_and_place() {
    let refused = [
        ("TRANS next(i)", "this variable's next value is not known"),
        ("TRANS n + 1", "this is no truth value"),
        ("TRANS o n", "the constraint should end here"),
        ("INIT next(n) = 0", "next values are read in TRANS"),
        ("INVAR o -> i", "this constraint restricts an input"),
        ("CONSTANTS a, b;", "`CONSTANTS` is not read"),
        ("ISA other", "`ISA` is not read"),
        ("MODULE main", "the module `main` is there already"),
        ("VAR a : array 3..0 of boolean;", "the range 3..0 is empty"),
        (
            "VAR a : array 0..9999 of boolean;",
            "an array of more than 4096 elements",
        ),
        ("DEFINE k := k + k; VAR a : 0..k;", "this is nested too deep"),
        (
            "DEFINE k := o; VAR a : 0..k;",
            "this is no number and no definition of one",
        ),
        ("VAR a : unsigned word[32];", "a number of bits from 1 to 31"),
        ("VAR a : real;", "the type `real` is not read"),
        ("VAR a : other(i);", "the type `other` is not read"),
        ("VAR a : process other;", "`process` is not read"),
        ("VAR a : {TRUE, FALSE};", "a truth value in an enumeration"),
        ("VAR a : {x, x};", "this value is there twice"),
        ("VAR a : 3..1;", "the range 3..1 is empty"),
        ("VAR n : boolean;", "`n` is declared twice"),
        ("ASSIGN next(n) := n + 1; next(n) := 0;", "`n` is assigned twice"),
        ("ASSIGN n := 0; next(n) := 1;", "`n` is assigned in two ways"),
        ("ASSIGN next(m) := 0;", "`m` is no variable that is declared above"),
        ("ASSIGN next(n) := m;", "`m` is not declared"),
        ("ASSIGN next(n) := c;", "red"),
        ("ASSIGN next(n) := TRUE;", "`n` is no truth value, and this is not so"),
        ("ASSIGN next(o) := n;", "`o` is a truth value, and this is not so"),
        ("ASSIGN next(o) := n & o;", "this is no truth value"),
        ("ASSIGN next(n) := o + 1;", "this is no number"),
        ("ASSIGN next(o) := n = o;", "a truth value meets a value that is none"),
        (
            "ASSIGN next(o) := {TRUE, FALSE} & i;",
            "a choice stands where one value is needed",
        ),
        (
            "ASSIGN next(n) := {1, 2} + 1;",
            "a choice stands where one value is needed",
        ),
        (
            "ASSIGN n := i ? {1, 2} : 0;",
            "`n` is a choice at every moment, and depends on an input",
        ),
        ("TRANS next(next(n)) = 1", "only the next moment is read"),
        (
            "DEFINE d := next(n); TRANS next(d) = 1",
            "this definition has no value at the next moment",
        ),
        (
            "DEFINE d := i; TRANS next(d)",
            "this variable's next value is not known in this step",
        ),
        (
            "ASSIGN init(n) := next(n);",
            "next values are read in `next(x) := …` only",
        ),
        (
            "ASSIGN next(o) := next(i);",
            "this variable's next value is not known in this step",
        ),
        ("ASSIGN init(o) := i;", "what `o` is initially depends on an input"),
        ("ASSIGN next(i) := o;", "`i` is an input, and this restricts it"),
        ("ASSIGN next(n) := case 1 : 0; esac;", "the number 1 is no condition"),
        ("ASSIGN next(n) := case esac;", "a case without branches"),
        ("ASSIGN next(n) := count(o, i);", "the function `count` is not read"),
        ("ASSIGN next(n) := n[1];", "`n` is no array and no instance of a module"),
        ("ASSIGN next(n) := 0d8_5;", "`n` is no word"),
        (
            "ASSIGN next(n) := 99999999999;",
            "`99999999999` is no number that is read",
        ),
        ("ASSIGN next(n) := (n;", "`)` is expected here"),
        ("ASSIGN next(n) := n n;", "the expression should end here"),
        ("ASSIGN next(n) := ;", "an expression is expected, not `;`"),
        ("ASSIGN next(n) := ~n;", "an expression is expected, not `~`"),
        ("ASSIGN next(n) := 3..1;", "the range 3..1 is empty"),
        ("ASSIGN n := next(n);", "next values are read"),
        ("DEFINE d := d;", "`d` is defined by itself"),
        ("DEFINE d := e; e := d;", "`d` is defined by itself"),
        ("DEFINE d := next(n); ASSIGN n := d;", "next values are read"),
        ("ASSIGN n := n;", "`n` depends on itself"),
        (
            "VAR m : 0..3; ASSIGN next(n) := next(m); next(m) := next(n);",
            "next values depend on each other in a circle",
        ),
        (
            "VAR m : 0..3; ASSIGN init(n) := m; init(m) := n;",
            "initial values depend on each other in a circle",
        ),
        ("-- inputs: z", "the input `z` is no variable"),
        ("-- outputs: z", "the output `z` is not declared"),
        ("-- outputs: i", "`i` is an input and an output"),
        ("DEFINE d := {1, 2};\n-- outputs: d", "the output `d` is a choice"),
        ("FROZENVAR f : boolean; ASSIGN next(f) := o;", "`f` never changes"),
        (
            "FROZENVAR f : boolean;\n-- inputs: f",
            "`f` never changes and is no input",
        ),
        ("ASSIGN next(n) := \"x\";", "has no place in a model"),
        ("/-- open", "this comment does not end"),
    ];
    for (lines, message) in refused {
        let text = with(lines);
        if message == "red" {
            // A symbol in a range is no type error: no value of it fits, and the system is not total.
            assert!(matches!(
                explore(&program(&text), Missing::Refuse, &Budget::unlimited()),
                Err(ExploreError::NotTotal { .. })
            ));
            continue;
        }
        let error = read_smv("model.smv", text.as_bytes()).expect_err(lines);
        let errors = error
            .diagnostics
            .iter()
            .filter(|found| found.severity == Severity::Error);
        let found: Vec<_> = errors.clone().map(|found| found.message.as_str()).collect();
        assert!(found.iter().any(|found| found.contains(message)), "{lines}: {found:?}");
        for found in errors {
            assert!(
                found.span.is_some() && found.help.is_some(),
                "{lines}: `{}` says where and what to do",
                found.message
            );
        }
        assert!(error.to_string().contains("model.smv:"), "{error}");
    }
}

#[test]
fn a_file_without_outputs_or_main_is_refused() {
    let error = read_smv("m.smv", b"MODULE main\nVAR o : boolean;\n").expect_err("no outputs");
    assert!(
        error.to_string().contains("the file does not say what is seen"),
        "{error}"
    );
    let error = read_smv("m.smv", b"-- outputs: o\nMODULE other\nVAR o : boolean;\n").expect_err("no main");
    assert!(
        error.to_string().contains("a model begins with `MODULE main`"),
        "{error}"
    );
}

#[test]
fn whatever_the_bytes_nothing_panics() {
    let text = study("beverage/model.smv");
    for at in 0..text.len() {
        for what in ["", ";", "(", "case ", "}", "-", "..", "\u{e9}", "next(", "MODULE "] {
            if text.is_char_boundary(at) {
                let broken = format!(
                    "{}{what}{}",
                    &text[..at],
                    &text[(at + usize::from(what.is_empty())).min(text.len())..]
                );
                if let Ok(system) = read_smv("m.smv", broken.as_bytes()) {
                    let limit = Budget {
                        max_states: Some(100),
                        ..Budget::unlimited()
                    };
                    let _ = explore(&system.program, Missing::Complete, &limit);
                }
            }
        }
    }
}

#[test]
fn a_state_without_a_step_is_refused_or_completed() {
    let lost = with(
        "ASSIGN init(n) := 0; next(n) := n + 1; init(o) := FALSE; next(o) := FALSE; init(c) := red; next(c) := c;",
    );
    let error = explore(&program(&lost), Missing::Refuse, &Budget::unlimited()).expect_err("3 + 1 is too large");
    let ExploreError::NotTotal { state, input, .. } = &error else {
        panic!("{error:?}")
    };
    assert_eq!((state.as_str(), input.as_str()), ("o=FALSE n=3 c=red", "i=FALSE"));
    let completed = explore(&program(&lost), Missing::Complete, &Budget::unlimited()).expect("completed");
    assert_eq!(completed.n_states(), 4);
    assert!(completed.outputs().iter().any(|output| output == "(quiet)"));
}

/// The number of states, of steps and of outputs.
fn size(lines: &str) -> (usize, usize, usize) {
    let states = explore(&program(&with(lines)), Missing::Refuse, &Budget::unlimited()).expect("a total system");
    (states.n_states(), states.n_steps(), states.outputs().len())
}

#[test]
fn constructs_mean_what_nusmv_says() {
    let rest = "init(o) := FALSE; init(n) := 0; init(c) := red; next(c) := c;";
    // By hand: the states that n runs through.
    let runs = |next: &str| size(&format!("ASSIGN {rest} next(o) := o; next(n) := {next};"));
    assert_eq!(runs("(n + 1) mod 4"), (4, 8, 1));
    assert_eq!(runs("n < 3 ? n + 1 : 1"), (4, 8, 1));
    assert_eq!(runs("{n, 3}"), (2, 2 * 2 + 2, 1));
    assert_eq!(runs("1..3"), (4, 4 * 2 * 3, 1));
    assert_eq!(runs("{0, 2} union 3"), (3, 3 * 2 * 3, 1));
    assert_eq!(runs("case n in {0, 1} : 2; n in 2..3 : 0; esac"), (2, 4, 1));
    assert_eq!(runs("-1 + max(1, min(n + 2, 3))"), (3, 6, 1));
    assert_eq!(runs("abs(-3) - 7 / 2"), (1, 2, 1));
    assert_eq!(runs("-7 mod 2 + 1"), (1, 2, 1));
    assert_eq!(runs("toint(i)"), (2, 4, 1));
    assert_eq!(runs("toint(bool(n)) + 1"), (3, 6, 1));
    // Of `-> <->` the first is weaker and goes to the right: FALSE -> (FALSE -> FALSE) is true, as is TRUE.
    assert_eq!(runs("(FALSE -> FALSE -> FALSE) ? 0 : 1"), (1, 2, 1));
    assert_eq!(runs("(TRUE | FALSE & FALSE) ? 0 : 1"), (1, 2, 1));
    assert_eq!(runs("(!FALSE = TRUE) ? 0 : 1"), (1, 2, 1));
    assert_eq!(runs("(TRUE xor TRUE xnor FALSE) ? 0 : 1"), (1, 2, 1));
    // A variable without an assignment is a choice; a frozen one only once.
    assert_eq!(size(&format!("ASSIGN {rest} next(n) := n;")), (2, 2 * 2 * 2, 2));
    assert_eq!(
        size(&format!(
            "FROZENVAR f : boolean; ASSIGN {rest} next(n) := n; next(o) := f;"
        )),
        (3, 2 * 3, 2)
    );
    // Definitions are read wherever they stand; the next value of another variable is known.
    assert_eq!(
        size(&format!(
            "ASSIGN {rest} next(n) := d; next(o) := next(n) = 2; DEFINE d := (n + 1) mod 3;"
        )),
        (3, 6, 2)
    );
    // An output that depends on the input is seen with it.
    assert_eq!(
        size(&format!(
            "ASSIGN {rest} next(n) := n; next(o) := o; DEFINE d := i;\n-- outputs: d"
        )),
        (1, 2, 2)
    );
}

#[test]
fn a_name_with_a_minus_is_a_difference_where_no_such_name_is_declared() {
    let text = with(
        "ASSIGN init(n) := 3; next(n) := n = 0 ? 3 : n-1; init(o) := FALSE; next(o) := o; init(c) := red; next(c) := c;",
    );
    let system = read_smv("m.smv", text.as_bytes()).expect("it is read");
    assert_eq!(system.warnings.len(), 1);
    assert!(system.warnings[0].message.contains("`n-1` is read as a difference"));
    assert_eq!(
        explore(&system.program, Missing::Refuse, &Budget::unlimited())
            .expect("total")
            .n_states(),
        4
    );
    let named = "-- outputs: o\nMODULE main\nVAR o : boolean; n-1 : boolean;\nASSIGN next(o) := n-1;\n";
    assert!(
        read_smv("m.smv", named.as_bytes())
            .expect("it is read")
            .warnings
            .is_empty()
    );
}

/// INIT, INVAR and TRANS against the same relation written as assignments by hand.
#[test]
fn constraints_are_the_relations_that_assignments_spell_out() {
    let states = |lines: &str| explore(&program(&with(lines)), Missing::Refuse, &Budget::unlimited());
    let rest = "init(o) := FALSE; next(o) := o; init(c) := red; next(c) := c;";
    let same = |constrained: &str, assigned: &str| {
        let [left, right] = [constrained, assigned].map(|lines| states(&format!("ASSIGN {rest}\n{lines}")));
        assert_eq!(left.expect("total"), right.expect("total"), "{constrained}");
    };
    same(
        "INIT n = 0 TRANS next(n) = (n + 1) mod 4",
        "ASSIGN init(n) := 0; next(n) := (n + 1) mod 4;",
    );
    same(
        "INIT n > 1; TRANS i -> next(n) = n; INVAR n != 3",
        "ASSIGN init(n) := 2; next(n) := i ? n : 0..2;",
    );
    same(
        "DEFINE low := n < 2; INVAR low; TRANS next(n) >= n",
        "ASSIGN init(n) := 0..1; next(n) := n = 0 ? {0, 1} : 1;",
    );
    same(
        "ASSIGN next(n) := {n, 3}; TRANS next(n) = 3 | !i INIT n = 1",
        "ASSIGN init(n) := 1; next(n) := i ? 3 : {n, 3};",
    );
    same(
        "ASSIGN n := c = red ? {1, 2} : 0;",
        "ASSIGN init(n) := 1..2; next(n) := 1..2;",
    );
    same(
        "INIT n = 0 TRANS next(n < 2 & n != 0)",
        "ASSIGN init(n) := 0; next(n) := 1;",
    );
    let error = states(&format!("ASSIGN {rest} init(n) := 0; TRANS i | next(n) > n")).expect_err("3 is the last");
    assert!(
        matches!(
            error,
            ExploreError::NotTotal {
                why: tamper_systems::NoValue::Constrained(_),
                ..
            }
        ),
        "{error:?}"
    );
    let error = states(&format!("ASSIGN {rest} INIT n > 3")).expect_err("no state");
    assert!(matches!(error, ExploreError::NoInitialState(Some(_))), "{error:?}");
    // Without a variable of the system, too.
    let model = "-- outputs: o\nMODULE main\nIVAR i : boolean; DEFINE o := i;\nTRANS i\n";
    let error = explore(&program(model), Missing::Refuse, &Budget::unlimited()).expect_err("FALSE has no step");
    assert!(matches!(error, ExploreError::NotTotal { .. }), "{error:?}");
}

#[test]
fn random_relations_are_the_same_as_constraints_and_as_choices() {
    let mut n_kept = 0;
    for seed in 0..12 {
        let mut random = tamper_features::Random::new(seed);
        let mut cells: Vec<Vec<usize>> = (0..8)
            .map(|_| (0..4).filter(|_| random.below(3) > 0).collect())
            .collect();
        cells.iter_mut().for_each(|cell| {
            if cell.is_empty() {
                cell.push(0)
            }
        });
        let place = |at: usize| {
            format!(
                "i = {} & n = {}",
                if at.is_multiple_of(2) { "FALSE" } else { "TRUE" },
                at / 2
            )
        };
        let pairs = cells
            .iter()
            .enumerate()
            .flat_map(|(at, cell)| cell.iter().map(move |to| format!("({} & next(n) = {to})", place(at))));
        let trans = pairs.collect::<Vec<_>>().join(" | ");
        let list = |cell: &Vec<usize>| cell.iter().map(usize::to_string).collect::<Vec<_>>().join(", ");
        let cases: String = cells
            .iter()
            .enumerate()
            .map(|(at, cell)| format!("{} : {{{}}}; ", place(at), list(cell)))
            .collect();
        let rest = "-- inputs: i\n-- outputs: n\nMODULE main\nVAR i : boolean; n : 0..3;\nASSIGN init(n) := 0;";
        let constrained = program(&format!("{rest}\nTRANS {trans}\n"));
        let assigned = program(&format!("{rest} next(n) := case {cases}esac;\n"));
        let states = |program: &Program| explore(program, Missing::Refuse, &Budget::unlimited()).expect("total");
        assert_eq!(states(&constrained), states(&assigned), "seed {seed}");
        let again = program(&write_smv(&constrained));
        assert_eq!(states(&again), states(&assigned), "seed {seed}");
        // A mutant is the same as it is written, and by itself beside the original.
        for mutation in mutations(&constrained).iter().step_by(37) {
            let mutant = mutation.apply(&constrained);
            let [one, other] = [&mutant, &program(&write_smv(&mutant))]
                .map(|program| explore(program, Missing::Refuse, &Budget::unlimited()).ok());
            assert_eq!(one, other, "seed {seed}");
            n_kept += usize::from(one.is_some());
        }
    }
    assert!(n_kept > 30, "{n_kept}");
}

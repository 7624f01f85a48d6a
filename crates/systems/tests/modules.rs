//! Instances of modules against the same text written out by macro expansion: every name of an instance and every parameter is
//! replaced, in the text, by what it stands for in parentheses. And against NuSMV, if it is there.

use std::collections::{BTreeMap, BTreeSet};

use tamper_features::Random;
use tamper_systems::formats::smv::{read_smv, write_smv};
use tamper_systems::mutations;

use super::files::{n_reached, nusmv, program};
use super::written::states;

/// What a module of a random file has, in words that are names of its own.
struct Module {
    /// `p` and `q`, a truth value and a number, and `k`, a constant; or fewer.
    parameters: Vec<&'static str>,
    /// Names of instances, the modules that they are of, what they are given.
    inner: Vec<(String, usize, Vec<String>)>,
    define: String,
    next: String,
    constraint: Option<String>,
}

fn one_of<'a>(random: &mut Random, all: &[&'a str]) -> &'a str {
    all[random.below(all.len())]
}

/// A truth value and a number over the names of a module.
fn truth(random: &mut Random, module: &Module) -> String {
    let mut known: Vec<String> = vec!["v = 1".to_owned(), "v < 2".to_owned()];
    known.extend(module.parameters.iter().map(|name| match *name {
        "p" => "p".to_owned(),
        name => format!("{name} > v"),
    }));
    for (name, ..) in &module.inner {
        known.extend([format!("{name}.d"), format!("{name}.v = v")]);
    }
    let known: Vec<&str> = known.iter().map(String::as_str).collect();
    let sign = one_of(random, &["&", "|", "xor", "->"]);
    format!("{} {sign} !({})", one_of(random, &known), one_of(random, &known))
}
fn number(random: &mut Random, module: &Module) -> String {
    let mut known = vec!["v".to_owned(), "1".to_owned(), "v + 1".to_owned()];
    known.extend(
        module
            .parameters
            .iter()
            .filter(|name| **name != "p")
            .map(|name| (*name).to_owned()),
    );
    known.extend(module.inner.iter().map(|(name, ..)| format!("{name}.v")));
    let known: Vec<&str> = known.iter().map(String::as_str).collect();
    one_of(random, &known).to_owned()
}

fn module(random: &mut Random, before: &[Module], is_main: bool) -> Module {
    let parameters: Vec<&'static str> = match is_main {
        true => Vec::new(),
        false => ["p", "q", "k"].into_iter().filter(|_| random.below(3) > 0).collect(),
    };
    let mut own = Module {
        parameters,
        inner: Vec::new(),
        define: String::new(),
        next: String::new(),
        constraint: None,
    };
    for name in ["a", "b"] {
        if before.is_empty() || (!is_main && random.below(2) == 0) {
            continue;
        }
        let which = random.below(before.len());
        let given = before[which].parameters.iter().map(|parameter| match *parameter {
            "p" if random.below(3) == 0 => one_of(random, &["d", "TRUE"]).to_owned(),
            "p" => truth(random, &own),
            "q" => number(random, &own),
            _ => one_of(random, &["1", "2"]).to_owned(),
        });
        let given = given.collect();
        own.inner.push((name.to_owned(), which, given));
    }
    own.define = truth(random, &own);
    let most = if own.parameters.contains(&"k") { "k" } else { "2" };
    let number = number(random, &own);
    own.next = match random.below(4) {
        0 => format!("{{0, 1, {most}}}"),
        1 => format!("{{0, ({number}) mod ({most} + 1)}}"),
        _ => format!(
            "case {} : ({number}) mod ({most} + 1); TRUE : 0; esac",
            truth(random, &own)
        ),
    };
    // `d` may lead to itself through what is passed; then both files are refused.
    own.constraint = (random.below(4) == 0).then(|| format!("TRANS next(v) >= 0 | {}", truth(random, &own)));
    own
}

fn sections(module: &Module, name: impl Fn(&str) -> String, written: impl Fn(&str) -> String) -> [String; 2] {
    let range = if module.parameters.contains(&"k") {
        "0..k"
    } else {
        "0..2"
    };
    let (v, d) = (name("v"), name("d"));
    [
        format!(
            "VAR {v} : {};\nDEFINE {d} := {};\n",
            written(range),
            written(&module.define)
        ),
        format!(
            "ASSIGN init({v}) := 0; next({v}) := {};\n{}",
            written(&module.next),
            module
                .constraint
                .as_ref()
                .map_or(String::new(), |text| format!("{};\n", written(text)))
        ),
    ]
}

/// The file with its modules.
fn modular(modules: &[Module]) -> String {
    let mut text = String::new();
    for (number, module) in modules.iter().enumerate() {
        let is_main = number + 1 == modules.len();
        let head = match module.parameters.as_slice() {
            _ if is_main => "main".to_owned(),
            [] => format!("m{number}"),
            parameters => format!("m{number}({})", parameters.join(", ")),
        };
        let [declared, assigned] = sections(module, str::to_owned, str::to_owned);
        text += &format!("MODULE {head}\n{declared}");
        for (name, which, given) in &module.inner {
            let given = if given.is_empty() {
                String::new()
            } else {
                format!("({})", given.join(", "))
            };
            text += &format!("VAR {name} : m{which}{given};\n");
        }
        text += &assigned;
    }
    text
}

/// The text with every name replaced that `meaning` knows, with what follows its dots.
fn replaced(text: &str, meaning: &BTreeMap<String, String>) -> String {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '.';
    let mut found = String::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let length = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
        let (word, after) = rest.split_at(if is_part(c) { length } else { c.len_utf8() });
        // A type: `0..k` is no name.
        match word.split_once("..") {
            Some((first, last)) => {
                let last = meaning.get(last).map_or(last, |value| value.trim_matches(['(', ')']));
                found += &format!("{first}..{last}");
            }
            None => found += meaning.get(word).map_or(word, String::as_str),
        }
        rest = after;
    }
    found
}

/// Writes out an instance: what is declared, then what is assigned.
fn expanded(modules: &[Module], number: usize, path: &str, given: &[String], flat: &mut [String; 2]) {
    let module = &modules[number];
    let mut meaning: BTreeMap<String, String> = BTreeMap::new();
    names(modules, number, "", path, &mut meaning);
    for (name, value) in module.parameters.iter().zip(given) {
        meaning.insert((*name).to_owned(), format!("({value})"));
    }
    let [declared, assigned] = sections(module, |name| format!("{path}{name}"), |text| replaced(text, &meaning));
    flat[0] += &declared;
    flat[1] += &assigned;
    for (name, which, given) in &module.inner {
        let given: Vec<String> = given.iter().map(|text| replaced(text, &meaning)).collect();
        expanded(modules, *which, &format!("{path}{name}_"), &given, flat);
    }
}
/// The names of a module and of its instances.
fn names(modules: &[Module], number: usize, inside: &str, path: &str, meaning: &mut BTreeMap<String, String>) {
    for name in ["v", "d"] {
        meaning.insert(format!("{inside}{name}"), format!("{path}{name}"));
    }
    for (name, which, _) in &modules[number].inner {
        names(
            modules,
            *which,
            &format!("{inside}{name}."),
            &format!("{path}{name}_"),
            meaning,
        );
    }
}

#[test]
fn instances_mean_what_their_text_written_out_means() {
    let (mut n_read, mut n_total, mut n_deep, mut n_mutants) = (0, 0, 0, 0);
    for seed in 0..120 {
        let mut random = Random::new(seed);
        let mut modules: Vec<Module> = Vec::new();
        let n_modules = 2 + random.below(3);
        for number in 0..n_modules {
            let own = module(&mut random, &modules, number + 1 == n_modules);
            modules.push(own);
        }
        let text = format!("-- outputs: d, a.v, b.d\n{}", modular(&modules));
        let mut flat = [String::new(), String::new()];
        expanded(&modules, n_modules - 1, "", &[], &mut flat);
        let flat = format!("-- outputs: d, a_v, b_d\nMODULE main\n{}", flat.concat());
        let (own, other) = (read_smv("m.smv", text.as_bytes()), read_smv("m.smv", flat.as_bytes()));
        let (Ok(own), Ok(other)) = (&own, &other) else {
            assert_eq!(own.is_ok(), other.is_ok(), "seed {seed}\n{text}\n{flat}");
            continue;
        };
        n_read += 1;
        n_deep += usize::from(flat.contains("a_a_v") || flat.contains("b_a_v"));
        // Only the names of what is seen differ.
        let said = |text: String| text.replace("a.v", "a_v").replace("b.d", "b_d");
        let shown = |program| states(program).map(|states| said(format!("{states:?}")));
        assert_eq!(
            shown(&own.program),
            shown(&other.program),
            "seed {seed}\n{text}\n{flat}"
        );
        let found = states(&own.program);
        n_total += usize::from(found.is_some());
        // Where a step is missing NuSMV counts what we refuse.
        for text in [&text, &write_smv(&own.program)]
            .into_iter()
            .filter(|_| found.is_some())
        {
            if let Some(said) = nusmv(text, "print_reachable_states") {
                assert_eq!(
                    n_reached(&said),
                    found.as_ref().map(|found| found.n_states()),
                    "seed {seed}\n{text}\n{said}"
                );
            }
        }
        // What is written is read as the same, mutants as well, which no two have in common.
        let mut ids = BTreeSet::new();
        for mutation in mutations(&own.program) {
            let id = format!(
                "{:?} {:?} {:?}",
                mutation.old,
                mutation.new,
                mutation.expression(&own.program)
            );
            assert!(ids.insert((mutation.operator, id)), "seed {seed}: {mutation:?}\n{text}");
            let mutant = mutation.apply(&own.program);
            assert_eq!(
                states(&program(&write_smv(&mutant))),
                states(&mutant),
                "seed {seed}\n{text}"
            );
            n_mutants += 1;
        }
    }
    println!(
        "{n_read} files of 120 read, {n_total} with states, {n_deep} with instances of instances; {n_mutants} mutants"
    );
    assert!(n_read > 80 && n_total > 50 && n_deep > 20 && n_mutants > 2000);
}

#[test]
fn a_parameter_stands_for_what_is_passed() {
    // A module assigns to what it is given, reads what an instance that it is given has, and passes itself on.
    let text = "-- inputs: i\n-- outputs: w\nMODULE main\nVAR i : boolean; w : boolean; a : setter(w, self, i); \
                MODULE setter(x, owner, by)\nVAR inner : reader(self);\nDEFINE old := owner.w;\n\
                ASSIGN init(x) := FALSE; next(x) := inner.both;\n\
                MODULE reader(of)\nDEFINE both := of.old xor of.by_now;\n";
    let text = text.replace("DEFINE old", "DEFINE by_now := by; old");
    let flat = "-- inputs: i\n-- outputs: w\nMODULE main\nVAR i : boolean; w : boolean;\nASSIGN init(w) := FALSE; next(w) := w xor i;\n";
    assert_eq!(states(&program(&text)), states(&program(flat)));
}

#[test]
fn a_name_that_a_module_does_not_declare_is_its_own_nevertheless() {
    // `turn` of each cell is defined by the other one; `main` has a `turn` of its own, and `red` is a value.
    let text = "-- outputs: a.v, b.v\nMODULE cell(other)\nVAR v : {red, green};\n\
                ASSIGN init(v) := red; next(v) := turn ? green : red;\nDEFINE other.turn := v = red;\n\
                MODULE main\nVAR a : cell(b); b : cell(a); turn : boolean;\n";
    let flat = "-- outputs: a_v, b_v\nMODULE main\nVAR turn : boolean; a_v : {red, green}; b_v : {red, green};\n\
                ASSIGN init(a_v) := red; next(a_v) := b_v = red ? green : red;\n\
                init(b_v) := red; next(b_v) := a_v = red ? green : red;\n";
    let shown = |text: &str| {
        format!("{:?}", states(&program(text)))
            .replace("a_v", "a.v")
            .replace("b_v", "b.v")
    };
    assert_eq!(shown(text), shown(flat));
    assert_eq!(states(&program(text)).map(|found| found.n_states()), Some(4));
    // What `main` declares is not seen from within a module.
    let text =
        "-- outputs: a.v\nMODULE main\nVAR a : m; x : boolean;\nMODULE m\nVAR v : boolean;\nASSIGN next(v) := x;\n";
    let error = read_smv("m.smv", text.as_bytes())
        .expect_err("`a.x` is nothing")
        .to_string();
    assert!(error.contains("`a.x` is not declared"), "{error}");
}

#[test]
fn what_is_passed_is_mutated_once() {
    // `n + 1` is passed to an instance that uses it twice; the constants 2 of `main` and 1 of what is passed are changed.
    let text = "-- outputs: n\nMODULE main\nVAR n : 0..3; a : m(n + 1);\nASSIGN init(n) := 0; next(n) := a.d mod 4;\n\
                MODULE m(p)\nDEFINE d := p * p;\n";
    let own = program(text);
    let found = mutations(&own);
    let of = |name: &str| {
        let named = found
            .iter()
            .filter(|mutation| mutation.expression(&own).as_deref() == Some(name));
        named
            .map(|mutation| write_smv(&mutation.apply(&own)))
            .collect::<Vec<_>>()
    };
    let changed = of("a.p");
    assert_eq!(changed.len(), 2, "{changed:?}");
    assert!(
        changed[0].contains("a$p := n + 2;") && changed[1].contains("a$p := n + 0;"),
        "{changed:?}"
    );
    assert!(of("a.d").is_empty());
}

#[test]
fn modules_that_make_no_sense_are_refused_by_name() {
    let refused = |text: &str, message: &str| {
        let error = read_smv(
            "m.smv",
            format!("-- outputs: o\nMODULE main\nVAR o : boolean; {text}").as_bytes(),
        );
        let error = error.expect_err(text).to_string();
        assert!(error.contains(message) && error.contains("help"), "{text}\n{error}");
    };
    refused("a : m;\nMODULE m\nVAR b : m;\n", "the module `m` contains itself");
    refused(
        "a : m;\nMODULE m\nVAR b : n;\nMODULE n\nVAR b : m;\n",
        "the module `m` contains itself",
    );
    refused(
        "a : m(o);\nMODULE m\nVAR b : boolean;\n",
        "`m` has 0 parameters, and 1 are given",
    );
    refused("a : n;\nMODULE m\nVAR b : boolean;\n", "`n` is no module and no type");
    refused("a : process m;\nMODULE m\nVAR b : boolean;\n", "`process` is not read");
    refused(
        "a : m;\nMODULE m\nVAR b : boolean;\nMODULE m\n",
        "the module `m` is there already",
    );
    refused(
        "a : m;\nMODULE m(b)\nVAR b : boolean;\n",
        "`m` has 1 parameters, and 0 are given",
    );
    refused("a : m(o);\nMODULE m(b)\nVAR b : boolean;\n", "is declared");
    refused(
        "a : m(o;\nMODULE m(b)\nVAR c : boolean;\n",
        "the values of the parameters do not end",
    );
    refused(
        "a : m; b : boolean; ASSIGN b := a;\nMODULE m\nVAR c : boolean;\n",
        "`a` is not declared",
    );
    refused(
        "a : m; b : boolean; ASSIGN b := a.d;\nMODULE m\nVAR c : boolean;\n",
        "`a.d` is not declared",
    );
    refused(
        "a : m; a$c : boolean;\nMODULE m\nVAR c : boolean;\n",
        "is declared twice",
    );
    refused("a : {c, o};\n", "`o` is a name and a value of a type");
    // Nothing is said of what was not written out for an error.
    let text = "-- outputs: a.b\nMODULE main\nVAR a : m;\nMODULE m\nVAR b : boolean;\nMODULE m\n";
    let error = read_smv("m.smv", text.as_bytes()).expect_err("`m` is there twice");
    assert_eq!(error.diagnostics.len(), 1, "{error}");
    // Twice as many of each as of the one before.
    let mut text = "a : m0; ".to_owned();
    for number in 0..40 {
        text += &format!("\nMODULE m{number}\nVAR a : m{}; b : m{};", number + 1, number + 1);
    }
    refused(
        &format!("{text}\nMODULE m40\nVAR c : boolean;\n"),
        "too many to be written out",
    );
    let mut text = "a : m0; ".to_owned();
    for number in 0..20_000 {
        text += &format!("\nMODULE m{number}\nVAR a : m{};", number + 1);
    }
    refused(
        &format!("{text}\nMODULE m20000\nVAR c : boolean;\n"),
        "instances are nested too deep",
    );
}

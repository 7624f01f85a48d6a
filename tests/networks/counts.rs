//! How many mutants each operator makes of processes of networks, against a plain count on their text; and that a mutant of an update
//! is what the text without it, or with one more, comes to.

use std::collections::BTreeMap;

use tamper::experiment::{Component, Scope, components};
use tamper::formats::{NetworkFile, ReadOptions, read_bytes, read_network};
use tamper::model::Automaton;
use tamper::mutation::{Mutation, MutationOptions, Mutations, Operator};
use tamper::network::{Network, View, compose};
use tamper::text::Budget;

use super::composition::from_environment;
use super::nets::{Random, escape, label};

const CASES: u64 = 60;

const GLOBALS: &str = "chan a; int[-1,3] n = 0; int[-1,3] m = 1; bool f; int[0,2] arr[2] = { 0, 1 }; meta int[-1,3] t; \
    int k(int p) { return p; } void g() { n = 1; } int[-1,3] step(int[-1,3] &v) { v = v - v / 2; return v; }";
const LOCALS: &str = "clock x, y, z[2]; void r() { y = 0; }";
const CLOCKS: [&str; 4] = ["x", "y", "z[0]", "z[1]"];

/// A part of a label.
#[derive(Clone, Copy)]
struct Piece {
    text: &'static str,
    /// What of it operators change: numbers and variables outside of brackets and calls; `me` is part of a number.
    seen: &'static str,
    /// The clocks that it sets, or may set.
    sets: &'static [&'static str],
    /// Whether it is an update that RRS or MAS leaves out.
    by: Option<Operator>,
}

const fn assigned(text: &'static str, seen: &'static str) -> Piece {
    Piece {
        text,
        seen,
        sets: &[],
        by: Some(Operator::Mas),
    }
}

const fn reset(text: &'static str, sets: &'static [&'static str]) -> Piece {
    Piece {
        text,
        seen: "",
        sets,
        by: Some(Operator::Rrs),
    }
}

/// What only a composition can say.
const fn closed(text: &'static str, sets: &'static [&'static str]) -> Piece {
    Piece {
        text,
        seen: "",
        sets,
        by: None,
    }
}

const fn condition(text: &'static str, seen: &'static str) -> Piece {
    Piece {
        text,
        seen,
        sets: &[],
        by: None,
    }
}

const UPDATES: [Piece; 32] = [
    reset("x = 0", &["x"]),
    reset("y = 2", &["y"]),
    reset("z[1] = 0", &["z[1]"]),
    reset("x = me", &["x"]),
    assigned("n = 2", "2"),
    assigned("n = m + 1", "m + 1"),
    assigned("m = n * m - 1", "n * m - 1"),
    assigned("n = me + 1", "1"),
    assigned("m = f ? n : 1", "f n 1"),
    // Nothing of it is written but what is added to.
    assigned("n++", ""),
    assigned("--m", ""),
    assigned("f++", ""),
    assigned("n += 1", "n + 1"),
    assigned("m -= n", "m - n"),
    assigned("m *= 2", "m * 2"),
    // No comparison is written.
    assigned("f = n", "n"),
    assigned("f = m - 1", "m - 1"),
    assigned("f = n < 2", "n < 2"),
    assigned("f = !f", "f"),
    assigned("f = true", "1"),
    // An element by a number is a variable.
    assigned("arr[0] = 1", "1"),
    assigned("arr[1] = arr[0] + n", "e + n"),
    assigned("arr[me] = arr[0]", "e"),
    closed("g()", &[]),
    closed("r()", &["y"]),
    closed("n = k(2)", &[]),
    closed("m = step(n)", &[]),
    closed("arr[n] = 1", &[]),
    closed("n = arr[m]", &[]),
    closed("z[n] = 0", &["z[0]", "z[1]"]),
    closed("t = 2", &[]),
    closed("t = n, m = t", &[]),
];

const CONDITIONS: [Piece; 15] = [
    condition("x >= 2", ""),
    condition("y < 3", ""),
    condition("n < 3", "n < 3"),
    condition("n + m <= 2", "n + m <= 2"),
    condition("n != m", "n != m"),
    condition("f", "f"),
    condition("!f", "f"),
    condition("m < 2 + me", "m < 2"),
    condition("arr[1] >= n", "e >= n"),
    condition("n % 2 == 0", "n % 2 == 0"),
    // A condition with such a part stays as it is.
    condition("arr[n] == 1", "closed"),
    condition("k(1) > n", "closed"),
    condition("x <= n + 2", "closed"),
    condition("x - y < 2", "closed"),
    condition("t == 0", "closed"),
];

#[derive(Clone)]
struct Edge {
    ends: (usize, usize),
    conditions: Vec<Piece>,
    updates: Vec<Piece>,
}

/// Whether the operators see the conditions of the edge.
fn seen(edge: &Edge) -> Vec<&'static str> {
    let is_closed = edge.conditions.iter().any(|piece| piece.seen == "closed");
    let conditions = edge.conditions.iter().filter(|_| !is_closed);
    conditions.chain(&edge.updates).map(|piece| piece.seen).collect()
}

/// How many mutants the operator makes of the edge.
fn number(edge: &Edge, operator: Operator) -> usize {
    let words: Vec<&str> = seen(edge).into_iter().flat_map(str::split_whitespace).collect();
    let among = |list: &[&str]| words.iter().filter(|word| list.contains(word)).count();
    let names = words
        .iter()
        .filter(|word| word.chars().all(char::is_alphabetic))
        .count();
    let numbers = words.iter().filter(|word| word.chars().all(char::is_numeric)).count();
    let updates = |by| edge.updates.iter().filter(|piece| piece.by == Some(by)).count();
    match operator {
        Operator::Ror => 5 * among(&["<", "<=", "==", "!=", ">=", ">"]),
        Operator::Aor => 4 * among(&["+", "-", "*", "/", "%"]),
        Operator::Stk => names,
        Operator::Obo => 2 * (names + numbers),
        Operator::Ars => more(edge).len(),
        by => updates(by),
    }
}

/// The clocks that the edge does not set.
fn more(edge: &Edge) -> Vec<&'static str> {
    let is_set = |clock: &&str| edge.updates.iter().any(|piece| piece.sets.contains(clock));
    CLOCKS.into_iter().filter(|clock| !is_set(clock)).collect()
}

const OPERATORS: [Operator; 7] = [
    Operator::Rrs,
    Operator::Ars,
    Operator::Mas,
    Operator::Ror,
    Operator::Aor,
    Operator::Stk,
    Operator::Obo,
];

fn edge(random: &mut Random, (all_conditions, all_updates): (&[Piece], &[Piece])) -> Edge {
    let mut pick = |list: &[Piece], most: usize| -> Vec<Piece> {
        let n = random.below(most + 1);
        (0..n).map(|_| list[random.below(list.len())]).collect()
    };
    let (conditions, updates) = (pick(all_conditions, 2), pick(all_updates, 4));
    Edge {
        ends: (random.below(2), random.below(2)),
        conditions,
        updates,
    }
}

fn transitions(edges: &[Edge], extra: Option<(usize, &str)>) -> String {
    let mut transitions = String::new();
    for (at, edge) in edges.iter().enumerate() {
        let mut conditions: Vec<&str> = edge.conditions.iter().map(|piece| piece.text).collect();
        conditions.retain(|text| !text.is_empty());
        let mut updates: Vec<String> = edge.updates.iter().map(|piece| piece.text.to_owned()).collect();
        updates.extend(
            extra
                .filter(|(of, _)| *of == at)
                .map(|(_, clock)| format!("{clock} = 0")),
        );
        transitions += &format!(
            "<transition><source ref=\"l{}\"/><target ref=\"l{}\"/>{}{}{}</transition>",
            edge.ends.0,
            edge.ends.1,
            label("guard", &conditions.join(" && ")),
            label("synchronisation", "a!"),
            label("assignment", &updates.join(", "))
        );
    }
    transitions
}

fn text(edges: &[Edge], extra: Option<(usize, &str)>, instances: &[usize]) -> String {
    let made: String = instances.iter().map(|me| format!("p{me} = P({me}); ")).collect();
    let names: Vec<String> = instances.iter().map(|me| format!("p{me}")).collect();
    format!(
        "<nta><declaration>{}</declaration><template><name>P</name><parameter>const int[0,1] me</parameter>\
         <declaration>{}</declaration><location id=\"l0\"><name>A</name></location><location id=\"l1\"><name>B</name>\
         </location><init ref=\"l0\"/>{}</template><system>{made}system {};</system></nta>",
        escape(GLOBALS),
        escape(LOCALS),
        transitions(edges, extra),
        names.join(", ")
    )
}

fn read(text: &str) -> NetworkFile {
    let (file, _) = read_network("net.xml", text.as_bytes()).unwrap_or_else(|error| panic!("{error}\n{text}"));
    file
}

/// The composition; none where it has no meaning, or is large.
fn composed(network: &Network) -> Option<Automaton> {
    let budget = Budget::unlimited();
    compose(network, &View::closed("System", network), &budget)
        .ok()
        .map(|composed| composed.automaton)
}

/// The texts of the mutants that leave an update out, or add one, in order.
fn texts(edges: &[Edge], operator: Operator, instances: &[usize]) -> Vec<String> {
    let mut list = Vec::new();
    for (at, edge) in edges.iter().enumerate() {
        if operator == Operator::Ars {
            let clocks = more(edge);
            list.extend(clocks.iter().map(|clock| text(edges, Some((at, clock)), instances)));
            continue;
        }
        for (update, _) in edge
            .updates
            .iter()
            .enumerate()
            .filter(|(_, piece)| piece.by == Some(operator))
        {
            let mut mutant = edges.to_vec();
            mutant[at].updates.remove(update);
            list.push(text(&mutant, None, instances));
        }
    }
    list
}

fn mutations(component: &Component, operator: Operator) -> Vec<Mutation> {
    component.mutations(&MutationOptions::only(operator)).iter().collect()
}

#[test]
fn mutants_of_processes_are_as_many_as_a_plain_count_on_their_text_says() {
    let (seed, cases) = (
        from_environment("TAMPER_SEED", 81),
        from_environment("TAMPER_CASES", CASES),
    );
    let mut random = Random(seed);
    let mut totals: BTreeMap<&str, usize> = BTreeMap::new();
    let mut n_composed = 0;
    for case in 0..cases {
        let edges: Vec<Edge> = (0..1 + random.below(3))
            .map(|_| edge(&mut random, (&CONDITIONS, &UPDATES)))
            .collect();
        let instances: &[usize] = [&[0][..], &[1], &[0, 1], &[1, 0]][random.below(4)];
        let original = text(&edges, None, instances);
        let file = read(&original);
        let view = View::closed("System", &file.network);
        let components = components(&file.network, &view, &file.templates, &[], Scope::Template).unwrap();
        let component = &components[0];
        for operator in OPERATORS {
            // Which element `me` names differs: then the instances have different labels.
            if let Err(error) = component.takes(operator) {
                assert!(instances.len() > 1, "seed {seed}, network {case}: {error}\n{original}");
                *totals.entry("not for all instances").or_default() += 1;
                continue;
            }
            let found = mutations(component, operator);
            let expected: usize = edges.iter().map(|edge| number(edge, operator)).sum();
            let ids: Vec<String> = found.iter().map(|mutation| component.id(mutation)).collect();
            assert_eq!(
                found.len(),
                expected,
                "seed {seed}, network {case}: {operator} {ids:?}\n{original}"
            );
            *totals.entry(operator.name()).or_default() += expected;
            if ![Operator::Rrs, Operator::Mas, Operator::Ars].contains(&operator) || composed(&file.network).is_none() {
                continue;
            }
            for ((mutation, id), text) in found.iter().zip(&ids).zip(texts(&edges, operator, instances)) {
                let mutant = composed(&component.mutant(&file.network, mutation));
                n_composed += usize::from(mutant.is_some());
                let by_text = composed(&read(&text).network);
                assert!(mutant == by_text, "seed {seed}, network {case}: {id} is not\n{text}");
            }
        }
    }
    println!("seed {seed}, {cases} networks: {totals:?}, {n_composed} composed");
    assert!(
        OPERATORS.iter().all(|operator| totals[operator.name()] > 20),
        "{totals:?}"
    );
    assert!(n_composed > 100, "{n_composed}");
}

/// Those that a game by itself may have, without parameters.
fn of_games(list: &[Piece]) -> Vec<Piece> {
    let is_of_games = |piece: &&Piece| {
        !piece.text.contains(['[', '(']) && !piece.text.split(' ').any(|word| ["me", "t"].contains(&word))
    };
    list.iter().filter(is_of_games).copied().collect()
}

#[test]
fn mutants_of_games_are_as_many_as_a_plain_count_on_their_text_says() {
    let (seed, cases) = (
        from_environment("TAMPER_SEED", 82),
        from_environment("TAMPER_CASES", 2 * CASES),
    );
    let mut random = Random(seed);
    let mut totals: BTreeMap<&str, usize> = BTreeMap::new();
    let (mut conditions, updates) = (of_games(&CONDITIONS), of_games(&UPDATES));
    // A bound that depends on variables, and a difference, are conditions that a game has.
    conditions.retain(|piece| piece.seen != "closed");
    for case in 0..cases {
        let edges: Vec<Edge> = (0..1 + random.below(3))
            .map(|_| edge(&mut random, (&conditions, &updates)))
            .collect();
        let text = format!(
            "<nta><declaration>chan a;</declaration><template><name>P</name><declaration>clock x, y; int[-1,3] n = 0; \
             int[-1,3] m = 1; bool f;</declaration><location id=\"l0\"><name>A</name></location><location id=\"l1\">\
             <name>B</name></location><init ref=\"l0\"/>{}</template><system>system P;</system></nta>",
            transitions(&edges, None)
        );
        let read = read_bytes("game.xml", text.as_bytes(), &ReadOptions::default());
        let (document, _) = read.unwrap_or_else(|error| panic!("{error}\n{text}"));
        let game = &document.automata()[0];
        for operator in OPERATORS {
            let found: Vec<Mutation> = Mutations::of(game, &MutationOptions::only(operator)).iter().collect();
            let number = |edge: &Edge| match operator {
                // There are two clocks.
                Operator::Ars => more(edge).len() - 2,
                _ => number(edge, operator),
            };
            let expected: usize = edges.iter().map(number).sum();
            let ids: Vec<String> = found.iter().map(|mutation| mutation.id(game)).collect();
            assert_eq!(
                found.len(),
                expected,
                "seed {seed}, game {case}: {operator} {ids:?}\n{text}"
            );
            *totals.entry(operator.name()).or_default() += expected;
        }
    }
    println!("seed {seed}, {cases} games: {totals:?}");
    assert!(
        OPERATORS.iter().all(|operator| totals[operator.name()] > 20),
        "{totals:?}"
    );
}

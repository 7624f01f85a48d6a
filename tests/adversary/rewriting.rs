//! The operators on expressions against plain code that changes the *text* of a guard, which is then read anew.
//!
//! A guard is a tree of words of the tests' own. What each operator makes of it is spelt out below from `docs/book/src/operators.md`. The sets of
//! changed guards are equal as texts, and what the operator made means, for all values of the integers, what the changed text means.

use std::cell::RefCell;
use std::collections::BTreeMap;

use proptest::prelude::*;
use tamper::formats::uppaal::{ReadOptions, read_bytes};
use tamper::model::{Automaton, Valuation};
use tamper::mutation::{MutationOptions, Mutations, Operator};

use testing::oracle::run;

/// What stands in a guard.
#[derive(Clone, PartialEq, Debug)]
enum Word {
    Number(i64),
    Name(&'static str),
    Not(Box<Word>),
    /// A binary operator, as ids spell it.
    Op(&'static str, Box<Word>, Box<Word>),
    Choice(Box<Word>, Box<Word>, Box<Word>),
}

/// A part, whether a condition is meant there, and what the whole is with another part there.
type Part<'w> = (Word, bool, Box<dyn Fn(Word) -> Word + 'w>);

use Word::{Choice, Name, Not, Number, Op};

const CONNECTIVES: [&str; 3] = ["&&", "||", "->"];
const RELATIONS: [&str; 6] = ["<", "<=", "==", "!=", ">=", ">"];
const ARITHMETIC: [&str; 5] = ["+", "-", "*", "/", "%"];

fn op(sign: &'static str, left: Word, right: Word) -> Word {
    Op(sign, Box::new(left), Box::new(right))
}

fn not(word: Word) -> Word {
    Not(Box::new(word))
}

impl Word {
    fn text(&self, imply: &str) -> String {
        let inner = |word: &Word| word.text(imply);
        match self {
            Number(value) => value.to_string(),
            Name(name) => (*name).to_owned(),
            Not(part) => format!("(!{})", inner(part)),
            Op("->", left, right) => format!("({}{imply}{})", inner(left), inner(right)),
            Op(sign, left, right) => format!("({}{sign}{})", inner(left), inner(right)),
            Choice(test, then, other) => format!("({}?{}:{})", inner(test), inner(then), inner(other)),
        }
    }

    fn is_connective(&self) -> bool {
        matches!(self, Op(sign, ..) if CONNECTIVES.contains(sign))
    }

    /// Whether it is a single condition, where a condition is meant or not.
    fn is_single(&self, is_condition: bool) -> bool {
        match self {
            Not(part) => !part.is_connective(),
            Choice(..) => false,
            _ => is_condition && !self.is_connective(),
        }
    }

    /// Its parts, whether a condition is meant there, and what the whole is with another part there.
    fn parts(&self, is_condition: bool) -> Vec<Part<'_>> {
        let connects = self.is_connective();
        match self {
            Number(_) | Name(_) => Vec::new(),
            Not(part) => vec![((**part).clone(), part.is_connective(), Box::new(not))],
            Op(sign, left, right) => vec![
                (
                    (**left).clone(),
                    connects,
                    Box::new(|new| op(sign, new, (**right).clone())),
                ),
                (
                    (**right).clone(),
                    connects,
                    Box::new(|new| op(sign, (**left).clone(), new)),
                ),
            ],
            Choice(test, then, other) => vec![
                (
                    (**test).clone(),
                    true,
                    Box::new(|new| Choice(Box::new(new), then.clone(), other.clone())),
                ),
                (
                    (**then).clone(),
                    is_condition,
                    Box::new(|new| Choice(test.clone(), Box::new(new), other.clone())),
                ),
                (
                    (**other).clone(),
                    is_condition,
                    Box::new(|new| Choice(test.clone(), then.clone(), Box::new(new))),
                ),
            ],
        }
    }

    /// All that it becomes where `change` is made somewhere in it.
    fn changed(&self, is_condition: bool, change: &dyn Fn(&Word, bool) -> Vec<Word>) -> Vec<Word> {
        let mut all = change(self, is_condition);
        for (part, meant, whole) in self.parts(is_condition) {
            all.extend(part.changed(meant, change).into_iter().map(whole));
        }
        all
    }

    fn singles(&self, is_condition: bool) -> Vec<Word> {
        let own = self.is_single(is_condition).then(|| self.clone());
        let parts = self.parts(is_condition).into_iter();
        own.into_iter()
            .chain(parts.flat_map(|(part, meant, _)| part.singles(meant)))
            .collect()
    }
}

/// Another one of the same kind.
fn others(word: &Word, kind: &[&'static str]) -> Vec<Word> {
    match word {
        Op(sign, left, right) if kind.contains(sign) => {
            let others = kind.iter().filter(|other| *other != sign);
            others.map(|other| Op(other, left.clone(), right.clone())).collect()
        }
        _ => Vec::new(),
    }
}

fn made(operator: Operator, whole: &Word) -> Vec<Word> {
    let singles = whole.singles(true);
    let change = |word: &Word, is_condition: bool| match (operator.name(), word) {
        ("LOR", _) => others(word, &CONNECTIVES),
        ("ROR", _) => others(word, &RELATIONS),
        ("AOR", _) => others(word, &ARITHMETIC),
        ("ENF", _) if word.is_connective() => vec![not(word.clone())],
        ("VNF", Not(part)) if word.is_single(is_condition) => vec![(**part).clone()],
        ("VNF", _) if word.is_single(is_condition) => vec![not(word.clone())],
        ("ASF", Op("&&", left, right)) => {
            let mut all = Vec::new();
            if let Op("||", first, second) = &**left {
                let rest = op("&&", (**second).clone(), (**right).clone());
                all.push(op("||", (**first).clone(), rest));
            }
            if let Op("||", second, third) = &**right {
                let begin = op("&&", (**left).clone(), (**second).clone());
                all.push(op("||", begin, (**third).clone()));
            }
            all
        }
        ("MCD", Op("&&" | "||", left, right)) => {
            let mut all = Vec::new();
            all.extend(left.is_single(true).then(|| (**right).clone()));
            all.extend(right.is_single(true).then(|| (**left).clone()));
            all
        }
        ("VRF", _) if word.is_single(is_condition) => singles.clone(),
        ("STK", Name(_)) => vec![Number(0)],
        ("OBO", Number(value)) => vec![Number(value + 1), Number(value - 1)],
        ("OBO", Name(_)) => vec![op("+", word.clone(), Number(1)), op("-", word.clone(), Number(1))],
        _ => Vec::new(),
    };
    whole.changed(true, &change)
}

fn name() -> impl Strategy<Value = Word> {
    prop_oneof![Just(Name("n")), Just(Name("m")), Just(Name("k"))]
}

/// No part is without a variable: such parts are numbers for tamper.
fn value() -> impl Strategy<Value = Word> {
    let sum = (0..5usize, name(), 1..3i64).prop_map(|(sign, name, n)| op(ARITHMETIC[sign], name, Number(n)));
    prop_oneof![3 => name(), 1 => sum]
}

fn condition() -> impl Strategy<Value = Word> {
    let right = prop_oneof![2 => (0..3i64).prop_map(Number), 1 => value()];
    let relation = (0..6usize, value(), right).prop_map(|(sign, left, right)| op(RELATIONS[sign], left, right));
    relation.prop_recursive(4, 8, 3, |inner| {
        prop_oneof![
            6 => (0..3usize, inner.clone(), inner.clone()).prop_map(|(sign, left, right)| op(CONNECTIVES[sign], left, right)),
            3 => inner.clone().prop_map(not),
            1 => (inner.clone(), inner.clone(), inner)
                .prop_map(|(test, then, other)| Choice(Box::new(test), Box::new(then), Box::new(other))),
        ]
    })
}

/// As the page says: the conditions of a guard are one conjunction, from the left.
fn from_the_left(word: Word) -> Word {
    fn collect(word: Word, all: &mut Vec<Word>) {
        match word {
            Op("&&", left, right) => {
                collect(*left, all);
                collect(*right, all);
            }
            single => all.push(single),
        }
    }
    let mut all = Vec::new();
    collect(word, &mut all);
    let joined = all.into_iter().reduce(|all, next| op("&&", all, next));
    joined.expect("a condition")
}

fn game(guard: &Word, clock: bool) -> Result<Automaton, String> {
    let text = guard.text(" imply ");
    let guard = if clock { format!("x >= 1 && {text}") } else { text };
    let guard = guard.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    let file = format!(
        r#"<nta><declaration>broadcast chan a;</declaration><template><name>S</name>
        <declaration>clock x; int[0,2] n; int[0,2] m; int[0,2] k;</declaration>
        <location id="l"><name>A</name></location><init ref="l"/>
        <transition><source ref="l"/><target ref="l"/><label kind="guard">{guard}</label>
        <label kind="synchronisation">a?</label></transition></template><system>system S;</system></nta>"#
    );
    let read = read_bytes("guard.xml", file.as_bytes(), &ReadOptions::default());
    let (document, _) = read.map_err(|error| format!("{error:?}: {guard}"))?;
    Ok(document.automata()[0].clone())
}

/// What its conditions say for all values of the integers; nothing where there is no value.
fn table(game: &Automaton) -> Vec<Option<bool>> {
    let conditions = &game.edges().iter().next().expect("an edge").guard.data;
    let of = |ints: &[i32]| {
        for condition in conditions {
            match condition.eval(Valuation { ints, selects: &[] }) {
                Ok(0) => return Some(false),
                Ok(_) => {}
                Err(_) => return None,
            }
        }
        Some(true)
    };
    let values = (0..27).map(|at| [at / 9, at / 3 % 3, at % 3]);
    values.map(|ints| of(&ints)).collect()
}

type Counts = BTreeMap<&'static str, usize>;

fn check(word: &Word, clock: bool, counts: &RefCell<Counts>) -> Result<(), String> {
    let original = game(word, clock)?;
    for operator in ["ROR", "AOR", "LOR", "ENF", "VNF", "ASF", "MCD", "VRF", "STK", "OBO"] {
        let operator = Operator::of_games()
            .iter()
            .copied()
            .find(|one| one.name() == operator)
            .expect("it is there");
        let mut expected: BTreeMap<String, Word> = BTreeMap::new();
        for new in made(operator, word).into_iter().filter(|new| new != word) {
            expected.insert(new.text("->"), new);
        }
        let mut found: BTreeMap<String, Automaton> = BTreeMap::new();
        for mutation in Mutations::of(&original, &MutationOptions::only(operator)).iter() {
            // MCD leaves out the clock's constraint, too, and says nothing new.
            if let Some((_, new)) = mutation.id(&original).rsplit_once("=>") {
                found.insert(new.to_owned(), mutation.apply(&original));
            }
        }
        let (made, meant): (Vec<_>, Vec<_>) = (found.keys().collect(), expected.keys().collect());
        if made != meant {
            return Err(format!(
                "{operator} of {}: {made:#?}, in the text {meant:#?}",
                word.text("->")
            ));
        }
        for (text, new) in &expected {
            if table(&found[text]) != table(&game(new, clock)?) {
                return Err(format!("{operator} of {}: {text} means another thing", word.text("->")));
            }
        }
        *counts.borrow_mut().entry(operator.name()).or_insert(0) += expected.len();
    }
    Ok(())
}

#[test]
fn operators_change_expressions_as_they_are_written() {
    let counts = RefCell::new(Counts::new());
    let guards = (condition().prop_map(from_the_left), any::<bool>());
    run::check(1000, &guards, |(word, clock)| check(word, *clock, &counts));
    let counts = counts.into_inner();
    println!("{counts:#?}");
    if std::env::var_os("TAMPER_CASES").is_none() {
        assert!(
            counts.len() == 10 && counts.values().all(|count| *count >= 20),
            "{counts:?}"
        );
    }
}

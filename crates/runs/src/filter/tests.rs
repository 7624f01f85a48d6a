//! Conditions on a handful of records, and what is wrong with others.

use super::*;
use crate::{DecidedBy, Record, Verdict};
use tamper_text::render;

fn record(id: &str, operators: &[&'static str], verdict: Verdict, violates: &[&'static str]) -> Record {
    Record {
        id: id.to_owned(),
        order: u8::try_from(operators.len()).unwrap(),
        operators: operators.iter().map(|name| (*name).into()).collect(),
        violates: violates.iter().map(|name| (*name).into()).collect(),
        verdict,
        why: None,
        decided_by: DecidedBy::Game,
        duplicate_of: None,
        reason: None,
        witness: None,
        alone: None,
        certificate: None,
        kill: None,
    }
}

/// Five mutants; the places of mutant k are the edge `a->b#k` and the locations `a` and `b`.
fn subjects() -> Vec<(Record, Places)> {
    use Verdict::{Inconsistent, NonSubsumed, Subsumed};
    let records = [
        record("zero", &["TMI"], Inconsistent, &["L1"]),
        record("one", &["CXL"], NonSubsumed, &[]),
        record("two", &["CXL", "CXS"], NonSubsumed, &[]),
        record("three", &["CXL", "TMI"], Subsumed, &["L4.i", "L1"]),
        record("four", &["CXS", "CXL"], NonSubsumed, &[]),
    ];
    let place = |(number, record)| {
        let set = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        let places = Places {
            edges: set(&[&format!("a->b#{number}")]),
            locations: set(&["a", "b"]),
            ..Places::default()
        };
        (record, places)
    };
    records.into_iter().enumerate().map(place).collect()
}

/// The numbers that `text` keeps.
fn kept(text: &str) -> Vec<u64> {
    let filter = Filter::parse("--keep", text).unwrap_or_else(|error| panic!("{error}"));
    let subjects = subjects();
    let numbered = (0..).zip(&subjects);
    let keeps = |(number, (record, places)): &(u64, &(Record, Places))| {
        filter.keeps(Subject {
            number: *number,
            record,
            places,
        })
    };
    numbered.filter(keeps).map(|(number, _)| number).collect()
}

#[test]
fn conditions_keep_what_they_say() {
    let check = |text: &str, expected: &[u64]| assert_eq!(kept(text), expected, "{text}");
    check("all", &[0, 1, 2, 3, 4]);
    check("false", &[]);
    check("non-subsumed", &[1, 2, 4]);
    check("verdict == subsumed || verdict == inconsistent", &[0, 3]);
    check("verdict in (subsumed, inconsistent)", &[0, 3]);
    check("verdict not in (subsumed, inconsistent)", &[1, 2, 4]);
    check("verdict != non-subsumed", &[0, 3]);
    check("violates", &[0, 3]);
    check("!violates", &[1, 2, 4]);
    check("violating || id == 'none'", &[0, 3]);
    check("not-violating", &[1, 2, 4]);
    check("violates == false and not duplicate", &[1, 2, 4]);
    // A set is one element, is made of some, or has one.
    check("operator == CXL", &[1]);
    check("operator in (CXL, CXS)", &[1, 2, 4]);
    check("operator has CXL", &[1, 2, 3, 4]);
    check("operator has (TMI, CXS)", &[0, 2, 3, 4]);
    check("operator not has TMI", &[1, 2, 4]);
    check("operator != CXL", &[0, 2, 3, 4]);
    check("operator == cxl", &[1]);
    check("operator ~ 'T*'", &[0, 3]);
    // An empty set is made of nothing and has nothing.
    check("rule == L1", &[0]);
    check("rule in (L1, L4.i)", &[0, 3]);
    check("rule has L4.i", &[3]);
    check("rule not in (L1)", &[1, 2, 3, 4]);
    check("sequence == 'CXL-CXS'", &[2]);
    check("sequence ~ '*-CX?'", &[2, 4]);
    check("order >= 2 && number < 4", &[2, 3]);
    check("order == 1 || number > 3", &[0, 1, 4]);
    check("number in (0, 4)", &[0, 4]);
    check("edge has 'a->b#3'", &[3]);
    check("edge ~ '*#2' or id == zero", &[0, 2]);
    check("location in (a, b)", &[0, 1, 2, 3, 4]);
    check("location == a", &[]);
    // `and` binds tighter than `or`, `not` tighter than both.
    check("subsumed or violates and inconsistent", &[0, 3]);
    check("(subsumed or violates) and inconsistent", &[0]);
    check("!subsumed && violates", &[0]);
    check("!(subsumed && violates)", &[0, 1, 2, 4]);
    check(
        "verdict == non-subsumed && operator in (CXL, CXS) && !violates",
        &[1, 2, 4],
    );
}

/// The first finding as it is drawn.
fn refused(text: &str) -> String {
    let error = Filter::parse("--keep", text).expect_err(text);
    render(&error.file, &error.diagnostics, false)
}

#[test]
fn what_is_wrong_is_pointed_at() {
    let check = |text: &str, message: &str, help: &str, caret: &str| {
        let drawn = refused(text);
        let marks: Vec<_> = drawn.lines().filter(|line| line.contains('^')).collect();
        assert!(drawn.contains(message) && drawn.contains(help), "{drawn}");
        assert!(marks.iter().any(|line| line.trim_end().ends_with(caret)), "{drawn}");
    };
    check(
        "verdic == subsumed",
        "there is no field `verdic`",
        "do you mean `verdict`?",
        "| ^^^^^^",
    );
    check(
        "verdict == nonsubsumed",
        "`verdict` is never `nonsubsumed`",
        "do you mean `non-subsumed`?",
        "|            ^^^^^^^^^^^",
    );
    check(
        "order == many",
        "`order` is a number",
        "natural number",
        "|          ^^^^",
    );
    check(
        "violates < 3",
        "`violates` has no such relation",
        "write `violates` or `!violates`",
        "|          ^",
    );
    check(
        "verdict = subsumed",
        "'=' means nothing here",
        "compare with `==`",
        "|         ^",
    );
    check(
        "edge has a->b#0",
        "stands in quotes",
        "write 'a->b#0'",
        "|          ^^^^^^",
    );
    check("(violates", "expected `)`, found the end", "close the bracket", "^");
    check("operator in CXL", "expected `(`", "in (a, b)", "^^^");
    check(
        "not-violatin",
        "no field `not-violatin`",
        "the fields are",
        "^^^^^^^^^^^^",
    );
    check("id == 'x", "this text never ends", "close it with '", "^^");
    check("verdict", "expected a relation", "compare it", "^");
    check("violates violates", "expected `&&`", "join conditions", "^^^^^^^^");
    check(&"!".repeat(200), "nested too deeply", "fewer brackets", "^");
    // Every wrong value is named, not only the first.
    assert_eq!(refused("operator in (TMX, CXY)").matches("is never").count(), 2);
}

#[test]
fn a_run_must_know_what_is_asked_and_the_game_must_have_what_is_named() {
    let game = testing::studies::wfas();
    let nothing = Knowledge {
        verdicts: false,
        extended: false,
        witnesses: false,
        lemmas: false,
        processes: false,
    };
    let games = Knowledge {
        verdicts: true,
        ..nothing
    };
    let check = |text: &str, knowledge, message: &str| {
        let answer = Filter::parse("--keep", text).unwrap().check(knowledge, &game);
        match answer {
            Ok(()) => assert_eq!(message, "", "{text}"),
            Err(error) => assert!(!message.is_empty() && error.to_string().contains(message), "{error}"),
        }
    };
    check("violates && operator == TMI", nothing, "");
    check("subsumed", nothing, "run without --static only");
    check("subsumed", games, "");
    check("identified", games, "--guidelines extended");
    check("lemma == L9", games, "--semantics definition");
    check("witness ~ '*x*'", games, "--witness");
    check("masked", games, "name some with --mutate");
    let network = Knowledge {
        processes: true,
        ..games
    };
    check("masked && subsumed", network, "");
    check("location has cont_1", games, "");
    check("location has cont1", games, "do you mean `cont_1`?");
    check("location ~ 'cont1*'", games, "");
    check("clock == y", games, "has no clock `y`");
}

#[test]
fn every_field_is_in_the_table_once() {
    for info in FIELDS {
        assert_eq!(info.field.info().name, info.name);
        assert_eq!(Field::named(info.name).map(|found| found.field), Some(info.field));
    }
}

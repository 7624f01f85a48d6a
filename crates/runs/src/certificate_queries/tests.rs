//! Queries by hand, texts that are no certificates, and the queries of certificates of random games on points of a grid.

mod grid;

use std::cell::RefCell;
use std::collections::BTreeMap;

use proptest::strategy::{Strategy as _, Union};
use tamper_check::{Fault, check_one};
use tamper_game::{Certification, Certifier, Semantics, Specification, Unmatched};
use tamper_text::Budget;
use tamper_timed::network::CompositionWords;
use testing::oracle::mutate::{Pair, pair, pair_full_of_diagonals, pair_without_diagonals};
use testing::oracle::run;

use self::grid::{CLOCK_STEP, Query};
use super::{QueriesError, certificate_queries};

fn queries(text: &str) -> Result<String, QueriesError> {
    let mut out = Vec::new();
    certificate_queries(text, &mut out)?;
    Ok(String::from_utf8(out).unwrap())
}

/// A game that beeps (`o!`) before its clock is 2, and takes `a?` at any time. `Late` beeps later; `Dead` cannot.
const TEXT: &str = "\
# Comments and empty lines say nothing.
tamper certificate 1
unmatched reject
pruned yes

specification
clocks x
inputs a
outputs o
node 0 A
holds x<=2
o! 0 if x>=1 do x=0 # a comment
a? 0
consistent
0 output : x>=1 x<=2
0 delay : x<=2 => x=1
mutant Late
claim non-subsumed
node 0 A
holds x<3
o! 0 do x=0
a? 0
consistent
0 output : x<3
refutation
0 0 delay : x-x'=0 => x'>2 x<3
mutant Same
claim subsumed
relation
0 0 : x-x'=0
mutant Dead
claim inconsistent
node 0 A
holds x<=2
urgent
inconsistent
0 stuck : x>-1
";

#[test]
fn each_condition_is_a_query() {
    let one = "(declare-const |x| Real)(assert (>= |x| 0))";
    let both = format!("{one}(declare-const |x'| Real)(assert (>= |x'| 0))");
    let (early, any) = ("(and (>= |x| 1) (<= |x| 2))", "(and (<= |x| 2))");
    let kept = format!("(or {early} {any})");
    let later = "(or (and (>= (+ |x| e!) 1) (<= (+ |x| e!) 2)) (and (<= (+ |x| e!) 2)))";
    let path = |kept: &str| format!("(forall ((e! Real)) (=> (and (<= 0 e!) (<= e! d!)) {kept}))");
    let started = "(not (or (and (>= 0 1) (<= 0 2)) (and (<= 0 2))))";
    let specification = [
        format!("{early} (not {any})"),
        format!("{early} {any} (not {kept})"),
        format!("{early} (not (or (and (and (>= |x| 1)) (or (and (>= 0 1) (<= 0 2)) (and (<= 0 2))))))"),
        format!("{any} (not {any})"),
        format!("{any} {any} (not {kept})"),
        format!("(and (= |x| 1)) (not (or {early}))"),
        format!(
            "{any} (not (exists ((d! Real)) (and (>= d! 0) (and (= (+ |x| d!) 1)) {})))",
            path(later)
        ),
    ];
    let asked = |declared: &str, parts: &str| format!("(push){declared}(assert {parts})(check-sat)(pop)\n");
    let of_one: String = specification
        .iter()
        .map(|parts| asked(one, &format!("(and {parts})")))
        .collect();
    let same = "(and (= (- |x| |x'|) 0))";
    let late = "(and (< |x| 3))";
    let waits = format!(
        "(exists ((d! Real)) (and (>= d! 0) (and (and (> (+ |x'| d!) 2) (< (+ |x| d!) 3)) (or (not (and (<= (+ |x'| d!) 2))))) {}))",
        path("(or (and (< (+ |x| e!) 3)))")
    );
    let leaves = "(exists ((d! Real)) (and (> d! 0) (and (<= (+ |x| d!) 2)) \
        (not (exists ((e! Real)) (and (< 0 e!) (<= e! d!) false))) (not (or (and (= (- (+ |x| d!) (+ |x'| d!)) 0))))))";
    let in_relation = "(not (or (and (= (- 0 0) 0))))";
    let expected = [
        of_one.clone(),
        "; Late: non-subsumed\n".to_owned(),
        asked(one, &format!("(and {late} (not {late}))")),
        asked(one, &format!("(and {late} {late} (not (or {late})))")),
        asked(one, &format!("(and {late} (not (or (and (or (and (< 0 3)))))))")),
        asked("", "(not (or (and (< 0 3))))"),
        asked("", started),
        asked(&both, &format!("(and {same} (not {waits}))")),
        asked("", in_relation),
        "; Same: subsumed\n".to_owned(),
        of_one,
        asked("", started),
        asked("", started),
        asked(
            &both,
            &format!("(and {same} (not (and {any} (or (and (>= |x'| 1) (<= |x'| 2)) (and (<= |x'| 2))))))"),
        ),
        asked(
            &both,
            &format!(
                "(and {same} (and (>= |x| 1)) (and (<= 0 2)) (not (or (and (and (>= |x'| 1)) (or (and (= (- 0 0) 0)))))))"
            ),
        ),
        asked(
            &both,
            &format!("(and {same} (and (<= |x'| 2)) (not (or (and (or {same})))))"),
        ),
        asked(&both, &format!("(and {same} {leaves})")),
        asked("", in_relation),
        "; Dead: inconsistent\n".to_owned(),
        // It has no output that it could wait for.
        asked(
            one,
            &format!("(and (and (and (> |x| (- 1))) {any}) (exists ((d! Real)) false))"),
        ),
        asked("", "(and (and (<= 0 2)) (not (or (and (> 0 (- 1))))))"),
    ];
    // Of the last mutant no line says that states are consistent.
    let text = TEXT.replace("inconsistent\n0 stuck", "consistent\n0 nothing\ninconsistent\n0 stuck");
    assert_eq!(queries(&text).unwrap(), expected.concat());
}

#[test]
fn what_is_wrong_is_named_with_its_line() {
    let check = |old: &str, new: &str, expected: &str| {
        let error = queries(&TEXT.replacen(old, new, 1)).unwrap_err().to_string();
        assert!(error.contains(expected), "{new}: {error}");
    };
    check(
        "certificate 1",
        "certificate 2",
        "no certificate: line 2: expected `tamper certificate` 1",
    );
    check(
        "outputs o\nnode",
        "outputs o p|\nclocks y|(check-sat)|\nnode",
        "line 10: `y|(check-sat)|` cannot be",
    );
    check("clocks x", "clocks x x'", "line 7: `x'` cannot be the name");
    check("clocks x", "clocks x x", "line 7: a second clock `x`");
    check("a? 0", "a? 1", "line 13: there is no node 1");
    check("a? 0", "b? 0", "line 13: this begins with neither");
    check(
        "x>=1 do",
        "x>=18446744073709551616 do",
        "line 12: `18446744073709551616` is no number, or too large",
    );
    check("do x=0 #", "do x=-1 #", "line 12: `x=-1`: a clock is set once");
    check("do x=0 #", "do x=0 x=0 #", "line 12: `x=0`: a clock is set once");
    check("x>=1 do", "x=>1 do", "line 12: `x=>1` is no bound");
    check("0 output : x>=1", "0 output x>=1", "line 15: this is not of a form");
    check(
        "0 delay : x<=2 => x=1",
        "0 delay : x<=2",
        "line 16: this is not of a form",
    );
    check("x-x'=0 =>", "x-y'=0 =>", "line 26: `y'` is no clock");
    check(
        "claim sub",
        "claim sup",
        "line 28: expected `claim` subsumed or non-subsumed or inconsistent",
    );
    check(
        "holds x<=2\no!",
        "holds x<=2\nurgent\no!",
        "does not hold: line 17, because an urgent node waits",
    );
    check(
        "holds x<3",
        "holds x<3\nurgent",
        "does not hold: line 27, because an urgent node waits",
    );
    let move_of = |words: &str| format!("0 0 {words} : x<3\n0 0 delay");
    check(
        "0 0 delay",
        &move_of("output 2"),
        "does not hold: line 26, because this move is no challenge",
    );
    check(
        "0 0 delay",
        &move_of("output 1"),
        "does not hold: line 26, because this move is no challenge",
    );
    let none = &TEXT[..TEXT.find("mutant").unwrap()];
    assert!(
        queries(none)
            .unwrap_err()
            .to_string()
            .ends_with("because there is no mutant")
    );
}

#[test]
fn nothing_of_the_checker_or_the_engine_is_used() {
    let files = [
        include_str!("queries.rs"),
        include_str!("reading.rs"),
        include_str!("refinement.rs"),
        include_str!("states.rs"),
        include_str!("terms.rs"),
    ];
    for line in files
        .iter()
        .flat_map(|file| file.lines())
        .filter(|line| !line.starts_with("//!"))
    {
        assert!(!line.contains("tamper_") && !line.contains("crate::"), "{line}");
    }
}

#[test]
fn no_text_is_a_panic() {
    let mut n_read = 0;
    let mut read = |text: &str| n_read += usize::from(queries(text).is_ok());
    for end in 0..=TEXT.len() {
        read(&TEXT[..end]);
        read(&TEXT[end..]);
    }
    let words: Vec<&str> = TEXT.split_inclusive([' ', '\n']).collect();
    for at in 0..words.len() {
        for other in 0..words.len() {
            let mut words = words.clone();
            words.swap(at, other);
            read(&words.concat());
        }
        for word in [
            "",
            "9",
            "99999999999999999999 ",
            ": ",
            "=> ",
            "x-x<=-1 ",
            "é=é? ",
            "-<=0 ",
            "node 0\n",
            "mutant ",
        ] {
            read(
                &[
                    &words[..at].concat(),
                    word,
                    &words[(at + 1).min(words.len())..].concat(),
                ]
                .concat(),
            );
        }
    }
    assert!(n_read > 40, "{n_read}");
}

/// The certificate of a pair, if there is one.
fn certificate(Pair { mutant, spec }: &Pair, semantics: Semantics) -> Option<String> {
    let budget = Budget::unlimited();
    let specification = Specification::prepare(spec, semantics, &budget).ok()?;
    let certifier = Certifier::new(specification, &CompositionWords::default(), &budget).ok()?;
    match certifier
        .certify("mutant", (mutant, &CompositionWords::default()), &budget)
        .ok()?
    {
        Certification::Certificate(_, text) => Some(format!("{}{text}", certifier.head())),
        _ => None,
    }
}

/// The text with one bound, line or constant changed below the games.
fn changed(text: &str, place: usize) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let stated: Vec<usize> = (0..lines.len()).filter(|at| lines[*at].contains(':')).collect();
    let Some(at) = stated.get(place % stated.len().max(1)).copied() else {
        return text.to_owned();
    };
    let mut words: Vec<&str> = lines[at].split(' ').collect();
    match place / 97 % 3 {
        0 => drop(lines.remove(at)),
        1 if !words.last().is_some_and(|word| [":", "=>"].contains(word)) => {
            words.pop();
            lines[at] = words.join(" ");
        }
        _ => lines[at] = lines[at].replace("<=", "<").replace('1', "2"),
    }
    lines.join("\n")
}

#[test]
fn queries_of_certificates_that_hold_are_satisfied_nowhere() {
    let pairs = Union::new([
        pair().boxed(),
        pair_full_of_diagonals().boxed(),
        pair_without_diagonals().boxed(),
    ]);
    let counts: RefCell<BTreeMap<&str, usize>> = RefCell::default();
    let cases = (pairs, proptest::collection::vec(0..1_000_000usize, 24), 0..4usize);
    run::check(60, &cases, |(pair, places, reading)| {
        let unmatched = [Unmatched::Reject, Unmatched::Ignore][reading / 2];
        let semantics = Semantics {
            unmatched,
            prune: reading % 2 == 0,
        };
        let Some(text) = certificate(pair, semantics) else {
            return Ok(());
        };
        let texts = places[..4].iter().map(|place| changed(&text, *place));
        for text in std::iter::once(text.clone()).chain(texts) {
            let holds = match check_one(&text, u64::MAX) {
                Ok(_) => true,
                Err(Fault::DoesNotHold { .. }) => false,
                Err(_) => continue,
            };
            let written = match queries(&text) {
                Ok(written) => written,
                Err(error) if holds => return Err(format!("{error}\n{text}")),
                Err(_) => {
                    *counts
                        .borrow_mut()
                        .entry("no queries of what does not hold")
                        .or_default() += 1;
                    continue;
                }
            };
            let digits = text.split(|sign: char| !sign.is_ascii_digit());
            let largest = digits
                .filter_map(|number| number.parse::<i64>().ok())
                .max()
                .unwrap_or(0);
            let n_values = (largest + 1) * 12 / CLOCK_STEP + 1;
            let mut is_refuted = false;
            for line in written.lines().filter(|line| !line.starts_with(';')) {
                let query = Query::read(line);
                *counts.borrow_mut().entry("queries").or_default() += 1;
                for place in places {
                    let mut place = *place as i64;
                    let point: Vec<i64> = query
                        .clocks
                        .iter()
                        .map(|_| {
                            let value = place % n_values;
                            place = place / n_values + value * 7;
                            value * CLOCK_STEP
                        })
                        .collect();
                    if query.is_satisfied(&point, largest) {
                        if holds {
                            return Err(format!("{line}\n{:?} = {point:?}\n{text}", query.clocks));
                        }
                        is_refuted = true;
                        break;
                    }
                }
            }
            *counts
                .borrow_mut()
                .entry(match (holds, is_refuted) {
                    (true, _) => "hold",
                    (false, true) => "do not hold, by the grid, too",
                    (false, false) => "do not hold, and the grid shows nothing",
                })
                .or_default() += 1;
        }
        Ok(())
    });
    let counts = counts.into_inner();
    println!("{counts:?}");
    let n = |key: &str| counts.get(key).copied().unwrap_or(0);
    assert!(
        std::env::var_os("TAMPER_CASES").is_some() || n("hold") > 40 && n("do not hold, by the grid, too") > 20,
        "{counts:?}"
    );
}

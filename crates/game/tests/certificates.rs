//! Certificates of random games: the checker accepts each, and the claim is what the region-graph oracle says.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU32, Ordering};

use proptest::strategy::{Strategy, Union};
use tamper_check::{Claim, Fault, check_one};
use tamper_game::{Certification, Certifier, GameError, Scratch, Semantics, Specification};
use tamper_text::Budget;
use tamper_timed::model::Automaton;
use tamper_timed::mutation::{MutantSpace, MutationOptions, Order};
use tamper_timed::network::CompositionWords;
use testing::oracle::games::game;
use testing::oracle::generate::{Shown, game as random_game};
use testing::oracle::mutate::{Pair, pair, pair_full_of_diagonals, pair_without_diagonals};
use testing::oracle::refinement::{ALL_RULES, Answer, DEFINITION, Rules, decide};
use testing::oracle::run;

use crate::refinement::semantics;

const STEPS: u64 = 100_000_000;

/// The certificate of a pair under some rules; `None` if there is nothing to certify.
fn certificate(Pair { mutant, spec }: &Pair, rules: Rules) -> Result<Option<String>, String> {
    let budget = Budget::unlimited();
    let specification = match Specification::prepare(spec, semantics(rules), &budget) {
        Ok(specification) => specification,
        Err(GameError::SpecInconsistent { .. }) => return Ok(None),
        Err(error) => return Err(error.to_string()),
    };
    let certifier =
        Certifier::new(specification, &CompositionWords::default(), &budget).map_err(|error| error.to_string())?;
    let certified = certifier.certify("mutant", (mutant, &CompositionWords::default()), &budget);
    match certified.map_err(|error| error.to_string())? {
        Certification::Certificate(_, text) => Ok(Some(format!("{}{text}", certifier.head()))),
        other => Err(format!("{other:?}")),
    }
}

/// The claim that the checker accepts; with `TAMPER_CERTIFICATES=DIR` the certificate is also kept there, for `scripts/check-certificates.py`.
fn checked(text: &str) -> Result<Claim, Fault> {
    static N: AtomicU32 = AtomicU32::new(0);
    let result = check_one(text, STEPS);
    if let Ok(folder) = std::env::var("TAMPER_CERTIFICATES") {
        let word = if result.is_ok() { "accepted" } else { "refused" };
        let number = N.fetch_add(1, Ordering::Relaxed);
        std::fs::write(format!("{folder}/{number:06}-{word}.txt"), text).expect("the folder can be written");
    }
    result
}

fn as_answer(claim: Claim) -> Answer {
    match claim {
        Claim::Inconsistent => Answer::Inconsistent,
        Claim::Subsumed => Answer::Subsumed,
        Claim::NonSubsumed => Answer::NonSubsumed,
    }
}

fn pairs() -> impl Strategy<Value = Pair> {
    Union::new([
        pair().boxed(),
        pair_full_of_diagonals().boxed(),
        pair_without_diagonals().boxed(),
    ])
}

#[test]
fn certificates_hold_and_claim_what_regions_say() {
    let counts: RefCell<BTreeMap<String, u32>> = RefCell::default();
    run::check(400, &pairs(), |pair| {
        for rules in ALL_RULES {
            let expected = decide(&pair.mutant, &pair.spec, rules);
            let Some(text) = certificate(pair, rules)? else {
                if expected != Answer::SpecInconsistent {
                    return Err(format!("{rules:?}: no certificate of {expected:?}"));
                }
                continue;
            };
            let claim = checked(&text).map_err(|fault| format!("{rules:?}: {fault}\n{text}"))?;
            if as_answer(claim) != expected {
                return Err(format!(
                    "{rules:?}: {claim:?}, but the oracle says {expected:?}\n{text}"
                ));
            }
            *counts.borrow_mut().entry(format!("{expected:?}")).or_default() += 1;
        }
        Ok(())
    });
    let counts = counts.into_inner();
    println!("certificates: {counts:?}");
    assert!(
        counts.len() == 3 && counts.values().all(|count| *count > 20),
        "{counts:?}"
    );
}

/// A certificate with one change.
fn corrupted(text: &str, change: usize, place: usize) -> Option<String> {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let first = lines
        .iter()
        .position(|line| line.starts_with("consistent") || line == "relation" || line == "refutation")?;
    let stated: Vec<usize> = (first..lines.len()).filter(|at| lines[*at].contains(':')).collect();
    let at = *stated.get(place % stated.len().max(1))?;
    let words: Vec<String> = lines[at].split(' ').map(str::to_owned).collect();
    let colon = words.iter().position(|word| word == ":")?;
    match change {
        0 => drop(lines.remove(at)),
        1 => lines.truncate(at),
        2 => lines.swap(at, *stated.get((place / 7) % stated.len())?),
        // A bound is left out, which makes the zone larger.
        3 if words.len() > colon + 1 => {
            let mut words = words;
            words.remove(colon + 1 + place % (words.len() - colon - 1));
            lines[at] = words.join(" ");
        }
        // A constant is another one.
        4 => lines[at] = changed_number(&lines[at], place)?,
        // Another node.
        5 => {
            let mut words = words;
            let node: usize = words[0].parse().ok()?;
            words[0] = (node + 1 + place % 2).to_string();
            lines[at] = words.join(" ");
        }
        // Another claim.
        6 => {
            let claim = lines.iter().position(|line| line.starts_with("claim"))?;
            lines[claim] = ["claim subsumed", "claim non-subsumed", "claim inconsistent"][place % 3].to_owned();
        }
        _ => return None,
    }
    let changed = lines.join("\n");
    (changed.trim_end() != text.trim_end()).then_some(changed)
}

fn changed_number(line: &str, place: usize) -> Option<String> {
    let (head, rest) = line.split_once(':')?;
    let digits: Vec<usize> = rest
        .char_indices()
        .filter(|(_, sign)| sign.is_ascii_digit())
        .map(|(at, _)| at)
        .collect();
    let at = *digits.get(place % digits.len().max(1))?;
    let digit = rest[at..=at].parse::<usize>().ok()?;
    let other = (digit + 1 + place % 3) % 10;
    Some(format!("{head}:{}{other}{}", &rest[..at], &rest[at + 1..]))
}

/// The games of one certificate and its claim, with the stated sets of another.
fn crossed(text: &str, other: &str) -> Option<String> {
    let sections = ["\nconsistent\n", "\ninconsistent\n", "\nrelation\n", "\nrefutation\n"];
    let split = |part: &str| {
        let starts = sections.iter().filter_map(|section| part.find(section));
        let at = starts.min().unwrap_or(part.len());
        (part[..at].to_owned(), part[at..].to_owned())
    };
    let (own, other) = (text.split_once("\nmutant ")?, other.split_once("\nmutant ")?);
    let (of_specification, of_mutant) = (split(own.0).0, split(own.1).0);
    let (sets, sets_of_mutant) = (split(other.0).1, split(other.1).1);
    Some(format!("{of_specification}{sets}\nmutant {of_mutant}{sets_of_mutant}"))
}

/// Whatever is changed in a certificate: what the checker accepts is what the oracle says. (Some changes leave it right.)
#[test]
fn a_changed_certificate_proves_nothing_wrong() {
    let counts: RefCell<BTreeMap<(usize, &str), u32>> = RefCell::default();
    let changes = (
        pairs(),
        pairs(),
        proptest::collection::vec((0..8usize, 0..1000usize), 6),
        0..4usize,
    );
    run::check(400, &changes, |(pair, other, changes, rules)| {
        let rules = ALL_RULES[*rules];
        let Some(text) = certificate(pair, rules)? else {
            return Ok(());
        };
        let other = certificate(other, rules)?;
        let expected = decide(&pair.mutant, &pair.spec, rules);
        for (change, place) in changes {
            let changed = match change {
                7 => other.as_ref().and_then(|other| crossed(&text, other)),
                _ => corrupted(&text, *change, *place),
            };
            let Some(changed) = changed else { continue };
            let result = match checked(&changed) {
                Ok(claim) if as_answer(claim) == expected => "still right",
                Ok(claim) => {
                    return Err(format!(
                        "{claim:?} is accepted, but the oracle says {expected:?}:\n{changed}"
                    ));
                }
                Err(Fault::Limit) => "limit",
                Err(_) => "refused",
            };
            *counts.borrow_mut().entry((*change, result)).or_default() += 1;
        }
        Ok(())
    });
    let counts = counts.into_inner();
    println!("changed certificates: {counts:?}");
    assert!(
        (0..8).all(|change| counts.get(&(change, "refused")).is_some_and(|count| *count > 20)),
        "{counts:?}"
    );
}

/// The specification of a certificate as a game in the lines of `testing::oracle::games`, by plain code.
fn read_back(text: &str) -> Automaton {
    let (mut declared, mut locations, mut edges) = (String::new(), String::new(), String::new());
    let conjunction = |words: &[&str]| words.iter().map(|word| bound(word)).collect::<Vec<_>>().join(" && ");
    let (mut node, mut location) = (String::new(), String::new());
    let lines = text.lines().skip_while(|line| *line != "specification").skip(1);
    for line in lines.take_while(|line| !["consistent", "inconsistent"].contains(line) && !line.starts_with("mutant")) {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            ["clocks"] => {}
            ["clocks", ..] => declared += &format!("clock {}\n", words[1..].join(" ")),
            ["inputs", ..] => words[1..]
                .iter()
                .for_each(|name| declared += &format!("action {name}?\n")),
            ["outputs", ..] => words[1..]
                .iter()
                .for_each(|name| declared += &format!("action {name}!\n")),
            ["internal", ..] => declared += "action tau\n",
            ["node", number, ..] => {
                locations += &location;
                node = format!("n{number}");
                location = format!("loc {node}\n");
            }
            ["urgent"] => location = location.replacen(&node, &format!("{node} urgent"), 1),
            ["holds", ..] => location = location.replace('\n', &format!(" inv {}\n", conjunction(&words[1..]))),
            _ => edges += &edge(&node, &words, conjunction),
        }
    }
    game("Read", &format!("{declared}{locations}{location}{edges}"))
}

/// A bound in the words of the other text, whose constants are not below 0.
fn bound(word: &str) -> String {
    let at = word.find(['<', '>', '=']).expect("a bound");
    let (difference, rest) = word.split_at(at);
    let (sign, constant) = rest.split_at(
        rest.find(|sign: char| sign.is_ascii_digit() || sign == '-')
            .expect("a constant"),
    );
    let equal = if sign == "=" { "==" } else { sign };
    match (difference.split_once('-'), constant.strip_prefix('-')) {
        (Some((left, right)), Some(constant)) => {
            let turned = equal.replace('<', "?").replace('>', "<").replace('?', ">");
            format!("{right}-{left}{turned}{constant}")
        }
        _ => format!("{difference}{equal}{constant}"),
    }
}

fn edge(node: &str, words: &[&str], conjunction: impl Fn(&[&str]) -> String) -> String {
    let sets = words.iter().position(|word| *word == "do").unwrap_or(words.len());
    let mut text = format!("edge {node} -> n{} : {}", words[1], words[0].trim_end_matches('.'));
    if sets > 2 {
        text += &format!(" when {}", conjunction(&words[3..sets]));
    }
    if sets < words.len() {
        text += &format!(" do {}", words[sets + 1..].join(", ").replace('=', ":="));
    }
    text + "\n"
}

/// The games of a certificate are the games that were asked about: each refines the other, by the region graphs.
#[test]
fn the_normal_form_is_the_game() {
    let counts: RefCell<BTreeMap<&str, u32>> = RefCell::default();
    run::check(400, &random_game(), |Shown(game)| {
        let count = |what| *counts.borrow_mut().entry(what).or_default() += 1;
        let specification = Specification::prepare(game, Semantics::DEFINITION, &Budget::unlimited());
        let Ok(specification) = specification else {
            count("no initial state, or a fault");
            return Ok(());
        };
        let certifier = Certifier::new(specification, &CompositionWords::default(), &Budget::unlimited())
            .map_err(|error| error.to_string())?;
        let read = read_back(certifier.head());
        for (left, right) in [(&read, game), (game, &read)] {
            let answer = decide(left, right, DEFINITION);
            if answer != Answer::Subsumed {
                return Err(format!(
                    "{answer:?} of {} against {}:\n{}",
                    left.name(),
                    right.name(),
                    certifier.head()
                ));
            }
        }
        count("the same");
        Ok(())
    });
    println!("normal forms: {:?}", counts.borrow());
    assert!(counts.borrow()["the same"] > 100, "{counts:?}");
}

/// All mutants of random games: each has a certificate, it is accepted, and the game decides alike.
#[test]
fn mutants_of_random_games_have_certificates() {
    let counts: RefCell<BTreeMap<String, u32>> = RefCell::default();
    let games = (random_game(), 0..4usize);
    run::check(60, &games, |(Shown(game), rules)| {
        let (budget, semantics) = (Budget::unlimited(), semantics(ALL_RULES[*rules]));
        let Ok(specification) = Specification::prepare(game, semantics, &budget) else {
            return Ok(());
        };
        let certifier =
            Certifier::new(specification, &CompositionWords::default(), &budget).map_err(|error| error.to_string())?;
        let space =
            MutantSpace::new(game, &MutationOptions::default(), Order::FIRST).map_err(|error| error.to_string())?;
        for number in 0..space.len() {
            let (family, position) = space.locate(number).expect("a mutant of that number");
            let siblings = space.siblings(family).expect("a family of that number");
            let last = siblings.last().get(position).expect("a mutant of that place");
            let (id, mutant) = (siblings.id(last), siblings.mutant(last));
            let decided = certifier
                .specification()
                .decide(&mutant, &budget, &mut Scratch::default());
            let (Ok(decided), Ok(certified)) = (
                decided,
                certifier.certify(&id, (&mutant, &CompositionWords::default()), &budget),
            ) else {
                *counts.borrow_mut().entry("no meaning".to_owned()).or_default() += 1;
                continue;
            };
            let Certification::Certificate(verdict, text) = certified else {
                return Err(format!("{id}: {certified:?}"));
            };
            let text = format!("{}{text}", certifier.head());
            let claim = check_one(&text, STEPS).map_err(|fault| format!("{id}: {fault}\n{text}"))?;
            if verdict != decided.verdict || claim.to_string() != verdict.to_string() {
                return Err(format!("{id}: {claim} is certified, but decided {decided:?}"));
            }
            *counts.borrow_mut().entry(claim.to_string()).or_default() += 1;
        }
        Ok(())
    });
    let counts = counts.into_inner();
    println!("mutants of random games: {counts:?}");
    assert!(
        ["subsumed", "non-subsumed"].iter().all(|claim| counts[*claim] > 100),
        "{counts:?}"
    );
}

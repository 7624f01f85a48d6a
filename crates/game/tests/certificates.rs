//! Certificates of random games: the checker accepts each, and the claim is what the region-graph oracle says.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU32, Ordering};

use proptest::strategy::{Strategy, Union};
use tamper_check::{Claim, Fault, check_one};
use tamper_game::{Certification, Certifier, GameError, Specification};
use tamper_text::Budget;
use testing::oracle::mutate::{Pair, pair, pair_full_of_diagonals, pair_without_diagonals};
use testing::oracle::refinement::{ALL_RULES, Answer, Rules, decide};
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
    let certifier = Certifier::new(&specification, &budget).map_err(|error| error.to_string())?;
    let certified = certifier.certify("mutant", mutant, &budget);
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

/// The games of one certificate with the stated sets of another.
fn crossed(text: &str, other: &str) -> Option<String> {
    let split = |text: &str| {
        text.find("\nconsistent")
            .or(text.find("\nrelation"))
            .or(text.find("\nrefutation"))
    };
    let (own, others) = (split(text)?, split(other)?);
    Some(format!("{}{}", &text[..own], &other[others..]))
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

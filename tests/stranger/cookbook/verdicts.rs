//! The verdict on every mutant of a game.

use std::collections::BTreeMap;

use tamper::game::Semantics;
use tamper::mutation::Order;

#[test]
fn verdicts_are_counted() -> Result<(), tamper::Error> {
    let game = tamper::read("../../case-studies/hotel/model.xml")?;
    let mutants: Vec<_> = tamper::mutate(&game, Order::FIRST)?.collect();
    let verdicts = tamper::classify(&game, &mutants, Semantics::TIGA)?;
    let mut counts = BTreeMap::new();
    for (mutant, verdict) in mutants.iter().zip(&verdicts) {
        println!("{}: {verdict}", mutant.id);
        *counts.entry(verdict.to_string()).or_insert(0) += 1;
    }
    // Section 5.4.1 of [003]: 35 of 39 are useless, one of them is inconsistent.
    let expected = [("inconsistent", 1), ("non-subsumed", 4), ("subsumed", 34)];
    assert!(counts.iter().map(|(verdict, n)| (verdict.as_str(), *n)).eq(expected));
    Ok(())
}

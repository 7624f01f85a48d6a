//! How many mutants of a game each operator makes, and how many of them some test kills: `cargo run --example killable MODEL`.

use std::collections::BTreeMap;

use tamper::game::{Semantics, Verdict};
use tamper::mutation::Order;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args()
        .nth(1)
        .unwrap_or("case-studies/coffee/model.xml".to_owned());
    let game = tamper::read(&path)?;
    let mutants: Vec<_> = tamper::mutate(&game, Order::FIRST)?.collect();
    let verdicts = tamper::classify(&game, &mutants, Semantics::STRICT)?;

    let mut counts: BTreeMap<&str, [usize; 2]> = BTreeMap::new();
    for (mutant, verdict) in mutants.iter().zip(&verdicts) {
        let operator = mutant.id.split(':').next().unwrap_or_default();
        let [all, killable] = counts.entry(operator).or_default();
        *all += 1;
        *killable += usize::from(*verdict == Verdict::NonSubsumed);
    }
    for (operator, [all, killable]) in counts {
        println!("{operator}  {killable} of {all} can be killed");
    }
    Ok(())
}

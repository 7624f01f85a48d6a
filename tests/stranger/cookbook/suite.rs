//! A suite of tests that kills every mutant that a test can kill.

use std::error::Error;

use tamper::mutation::Order;
use tamper::suite::{Pick, Potential, Style, Subject, TestCase, Tester, ends};
use tamper::text::Budget;

#[test]
fn a_suite_kills_what_can_be_killed() -> Result<(), Box<dyn Error>> {
    let budget = Budget::unlimited();
    let lamp = tamper::read("../../uppaal-models/lamp.xml")?;
    let tester = Tester::new(&lamp, &budget)?;
    let (mut suite, mut n_killed, mut n_useless): (Vec<TestCase>, _, _) = (Vec::new(), 0, 0);
    for mutant in tamper::mutate(&lamp, Order::FIRST)? {
        let mutant = Subject::new(&mutant.automaton, &budget)?;
        let mut is_killed = false;
        for test in &suite {
            is_killed |= ends(test, &mutant, &budget)?.can_fail();
        }
        if !is_killed {
            match tester.potential(&mutant, Style::Cooperative, Pick::Earliest, &budget)? {
                Potential::Killed(test) => suite.push(test),
                Potential::NotKillable => {
                    n_useless += 1;
                    continue;
                }
            }
        }
        n_killed += 1;
    }
    println!(
        "{} tests kill {n_killed} mutants; {n_useless} cannot be killed",
        suite.len()
    );
    // As many as `tamper testgen uppaal-models/lamp.xml` says.
    assert_eq!((n_killed, n_useless), (56, 48));
    for test in &suite {
        assert!(!ends(test, tester.spec(), &budget)?.can_fail(), "a right lamp passes");
    }
    Ok(())
}

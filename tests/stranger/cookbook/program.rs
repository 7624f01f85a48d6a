//! A program in Rust under test, in virtual time, without another process.

use std::convert::Infallible;
use std::error::Error;

use num_rational::BigRational;
use tamper::mutation::Order;
use tamper::suite::{Observed, Pick, Potential, Style, Subject, Sut, TestVerdict, Tester, drive};
use tamper::text::Budget;

/// A lamp: its state, how long it has been in it, and how long it is bright.
struct Lamp {
    state: &'static str,
    since: BigRational,
    bright_for: i64,
}

impl Lamp {
    fn enter(&mut self, state: &'static str) {
        self.state = state;
        self.since = number(0);
    }
}

impl Sut for Lamp {
    type Error = Infallible;

    fn reset(&mut self) -> Result<(), Infallible> {
        self.enter("off");
        Ok(())
    }

    fn input(&mut self, _press: &str) -> Result<bool, Infallible> {
        let next = match self.state {
            "off" => "starting",
            "dim" if self.since < number(5) => "brightening",
            "dim" | "bright" => "stopping",
            _ => return Ok(false),
        };
        self.enter(next);
        Ok(true)
    }

    fn wait(&mut self, at_most: &BigRational) -> Result<Observed, Infallible> {
        let (due, output, next) = match self.state {
            "starting" => (1, "dim", "dim"),
            "brightening" => (1, "bright", "bright"),
            "stopping" => (1, "off", "off"),
            "bright" => (self.bright_for, "off", "off"),
            _ => (i64::MAX, "", ""),
        };
        let after = number(due) - &self.since;
        if after > *at_most {
            self.since += at_most;
            return Ok(Observed::Silence);
        }
        self.enter(next);
        Ok(Observed::Output {
            action: output.to_owned(),
            after,
        })
    }
}

fn number(value: i64) -> BigRational {
    BigRational::from_integer(value.into())
}

#[test]
fn a_wrong_program_fails_and_a_right_one_passes() -> Result<(), Box<dyn Error>> {
    let budget = Budget::unlimited();
    let model = tamper::read("../../uppaal-models/lamp.xml")?;
    let tester = Tester::new(&model, &budget)?;
    let (mut right, mut wrong) = (lamp(20), lamp(19));
    let mut found = Vec::new();
    for mutant in tamper::mutate(&model, Order::FIRST)? {
        let subject = Subject::new(&mutant.automaton, &budget)?;
        let test = tester.potential(&subject, Style::Cooperative, Pick::Earliest, &budget)?;
        if let Potential::Killed(test) = test {
            let right = drive(&test, &mut right, &number(0))?;
            assert_ne!(right.verdict, TestVerdict::Fail, "{}", mutant.id);
            if drive(&test, &mut wrong, &number(0))?.verdict == TestVerdict::Fail {
                found.push(mutant.id);
            }
        }
    }
    // Among the tests that fail on a lamp that goes off after 19 is that of the mutant which does.
    println!("{found:?}");
    assert!(
        found.iter().any(|id| id.starts_with("CXS") || id.starts_with("CXL")),
        "{found:?}"
    );
    Ok(())
}

fn lamp(bright_for: i64) -> Lamp {
    Lamp {
        state: "off",
        since: number(0),
        bright_for,
    }
}

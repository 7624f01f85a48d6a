//! The values of the options that say what tests are like.

use clap::ValueEnum;

use tamper::suite::Criterion;

/// Which tests are wanted.
#[derive(Clone, Copy, PartialEq, Eq, Default, ValueEnum, Debug)]
pub enum WantedArg {
    /// Tests that can fail
    Potential,
    /// Tests that always fail
    Definite,
    /// Tests that always fail and whose inputs, and the times of these, do not depend on what is seen
    Blind,
    /// Tests that always fail, or else tests that can
    #[default]
    Both,
}

/// What tests know.
#[derive(Clone, Copy, PartialEq, Eq, Default, ValueEnum, Debug)]
pub enum StyleArg {
    /// One trace, and every output that can come besides with its times
    Adaptive,
    /// A graph that goes on after every output, at every time, from which the mutant can still be shown in as many steps
    #[default]
    Cooperative,
}

/// Which delays.
#[derive(Clone, Copy, PartialEq, Eq, Default, ValueEnum, Debug)]
pub enum PickArg {
    /// The least
    #[default]
    Earliest,
    /// The middle
    Middle,
    /// The greatest
    Latest,
}

/// The time that tests continue after their last step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Linger {
    /// Tests end with their last step.
    Off,
    /// Tests continue for longer than anything in the model takes.
    On,
    /// Tests continue until nothing has come for this number of time units.
    Quiet(u32),
}

pub fn parse_linger(text: &str) -> Result<Linger, String> {
    match text {
        "off" => Ok(Linger::Off),
        "on" => Ok(Linger::On),
        text => match text.parse() {
            Ok(quiet @ 1..=1_000_000) => Ok(Linger::Quiet(quiet)),
            _ => Err("off, on, or a whole number of time units, at least 1".to_owned()),
        },
    }
}

/// What a refused input means.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub enum RefusalsArg {
    /// A fail, so that an input which a mutant lacks shows it
    Error,
    /// Nothing: a mutant ignores what it does not take, and so may a program; kills rest on no refusal
    Never,
}

/// Parses the name of a structural criterion.
pub fn parse_criterion(text: &str) -> Result<Criterion, String> {
    let names = Criterion::ALL.map(Criterion::name).join(", ");
    let known = Criterion::ALL.into_iter().find(|criterion| criterion.name() == text);
    known.ok_or_else(|| format!("one of {names}"))
}

/// Parses the parts of a time unit: `1/N`.
pub fn parse_grid(text: &str) -> Result<u32, String> {
    let parts = text.strip_prefix("1/").unwrap_or(if text == "1" { "1" } else { "" });
    match parts.parse() {
        Ok(parts @ 1..=1_000) => Ok(parts),
        _ => Err("1 or a part of 1, at least 1/1000".to_owned()),
    }
}

/// What tests are for.
#[derive(Clone, Copy, PartialEq, Eq, Default, ValueEnum, Debug)]
pub enum Purpose {
    /// Models: a test for each mutant, and every difference counts
    #[default]
    Models,
    /// Programs: --operators all --again=RRS,OTM --refusals never, and so --linger on, --strategy minimal --delays middle; and long tests of
    /// two rounds for the mutants of the second time, in quarters of a time unit
    Programs,
}

//! What was typed, resolved into the vocabulary of the rooms below.

use anyhow::{Result, bail};

use super::args::{
    Enabling, EngineArg, GlobalArgs, GuidelinesArg, Io, LimitArgs, MutationArgs, Preset, SemanticsArgs, TadGuardArg,
    TotalArgs, UnmatchedArg,
};
use crate::experiment::{Engine, GuidelineSet, Limits, Timer};
use crate::formats::{InputEnabling, IoConvention, ReadOptions};
use crate::game::{Semantics, Unmatched};
use crate::mutation::{MutationOptions, Operator, Order, TadGuard};

impl GlobalArgs {
    /// How files are read.
    pub fn read_options(&self) -> ReadOptions {
        ReadOptions {
            io: match self.io {
                Io::Auto => IoConvention::Auto,
                Io::Label => IoConvention::Label,
                Io::Attribute => IoConvention::Attribute,
            },
            input_enabling: match self.input_enabling {
                Enabling::Auto => InputEnabling::Auto,
                Enabling::On => InputEnabling::On,
                Enabling::Off => InputEnabling::Off,
            },
        }
    }
}

impl SemanticsArgs {
    /// The preset, with what overrides it.
    pub fn resolve(&self) -> Semantics {
        let preset = match self.semantics {
            Preset::Strict => Semantics::STRICT,
            Preset::Definition => Semantics::DEFINITION,
            Preset::Tiga => Semantics::TIGA,
        };
        Semantics {
            unmatched: match self.unmatched {
                Some(UnmatchedArg::Reject) => Unmatched::Reject,
                Some(UnmatchedArg::Ignore) => Unmatched::Ignore,
                None => preset.unmatched,
            },
            prune: (preset.prune || self.prune) && !self.no_prune,
        }
    }
}

impl GuidelinesArg {
    /// The set it names.
    pub fn resolve(self) -> GuidelineSet {
        match self {
            Self::Published => GuidelineSet::Published,
            Self::Extended => GuidelineSet::Extended,
        }
    }
}

impl EngineArg {
    /// The engine it names.
    pub fn resolve(self) -> Engine {
        match self {
            Self::Family => Engine::Family,
            Self::Enumerate => Engine::Enumerate,
        }
    }
}

impl MutationArgs {
    /// Whether nothing was asked for.
    pub fn is_default(&self) -> bool {
        self.resolve() == MutationOptions::default()
    }
    /// Refuses the operators beyond the six for what has only these.
    pub fn paper_only(&self, what: &str) -> Result<()> {
        match self.resolve().operators.iter().find(|operator| !operator.is_paper()) {
            Some(operator) => bail!(
                "{what} are made by {} only: {operator} is for a single game",
                Operator::PAPER.map(Operator::name).join(", ")
            ),
            None => Ok(()),
        }
    }
    /// The options of the operators.
    pub fn resolve(&self) -> MutationOptions {
        let asked = |operator: &Operator| self.operators.iter().any(|set| set.0.contains(operator));
        let operators = match self.operators.as_slice() {
            [] => Operator::PAPER.to_vec(),
            _ => Operator::ALL.into_iter().filter(asked).collect(),
        };
        MutationOptions {
            operators,
            step: self.step,
            tad_guard: match self.tad_guard {
                TadGuardArg::FirstEdge => TadGuard::FirstEdge,
                TadGuardArg::None => TadGuard::None,
            },
            cxs_to_zero: self.cxs_to_zero,
            conjuncts: self.conjuncts,
        }
    }
}

impl TotalArgs {
    /// The timer of a run that starts now.
    pub fn timer(&self, limits: Limits) -> Timer {
        Timer::of_run(limits, self.total_timeout)
    }
}

impl LimitArgs {
    /// The limits of a decision.
    pub fn resolve(&self) -> Limits {
        Limits {
            timeout_ms: self.timeout,
            max_states: self.max_states,
            max_memory: self.max_memory,
        }
    }
}

/// How many mutations a mutant has.
pub fn parse_order(text: &str) -> Result<Order, String> {
    let order = text.trim().parse().ok().and_then(Order::new);
    order.ok_or_else(|| format!("a number of mutations from 1 to {}", Order::MOST))
}

/// A positive number of seconds, in milliseconds.
pub fn parse_seconds(text: &str) -> Result<u64, String> {
    let seconds: f64 = text.trim().parse().map_err(|_| "not a number of seconds".to_owned())?;
    if !(0.001..=1e9).contains(&seconds) {
        return Err("between 0.001 and a thousand million seconds".to_owned());
    }
    #[allow(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "the range was checked"
    )]
    Ok((seconds * 1000.0).round() as u64)
}

/// A number of bytes, with K, M or G for powers of 1024.
pub fn parse_bytes(text: &str) -> Result<u64, String> {
    let text = text.trim();
    let (number, factor) = match text.char_indices().last() {
        Some((at, 'k' | 'K')) => (&text[..at], 1 << 10),
        Some((at, 'm' | 'M')) => (&text[..at], 1 << 20),
        Some((at, 'g' | 'G')) => (&text[..at], 1 << 30),
        _ => (text, 1),
    };
    let number: u64 = number
        .trim()
        .parse()
        .map_err(|_| "not a number of bytes such as 1000000, 500M or 2G".to_owned())?;
    number.checked_mul(factor).ok_or_else(|| "too large".to_owned())
}

#[cfg(test)]
mod tests {
    use clap::Parser as _;

    use super::super::args::{Cli, Command};
    use super::*;

    #[test]
    fn sizes_and_seconds_read_as_they_are_said() {
        assert_eq!(parse_bytes("500M"), Ok(500 << 20));
        assert_eq!(parse_bytes("12"), Ok(12));
        assert!(parse_bytes("é").is_err() && parse_bytes("99999999999G").is_err());
        assert_eq!(parse_seconds("0.5"), Ok(500));
        assert!(parse_seconds("0").is_err() && parse_seconds("NaN").is_err());
    }

    #[test]
    fn overrides_win_over_the_preset_and_the_last_of_them_wins() {
        let semantics = |words: &str| {
            let words = ["tamper", "refine", "f", "L", "R"]
                .into_iter()
                .chain(words.split_whitespace());
            match Cli::try_parse_from(words).unwrap().command {
                Command::Refine(args) => args.semantics.resolve(),
                other => panic!("{other:?}"),
            }
        };
        assert_eq!(semantics(""), Semantics::STRICT);
        assert_eq!(semantics("--semantics tiga"), Semantics::TIGA);
        assert_eq!(semantics("--semantics definition --prune"), Semantics::STRICT);
        assert_eq!(
            semantics("--semantics tiga --unmatched reject --no-prune"),
            Semantics::DEFINITION
        );
        assert_eq!(semantics("--no-prune --prune"), Semantics::STRICT);
    }

    #[test]
    fn the_command_line_is_well_formed() {
        use clap::CommandFactory as _;
        Cli::command().debug_assert();
    }
}

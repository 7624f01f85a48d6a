//! Typed options, resolved into the vocabulary of the rooms below.

use super::args::{
    Enabling, EngineArg, GlobalArgs, GuidelinesArg, Io, LimitArgs, MutationArgs, Preset, SemanticsArgs, TadGuardArg,
    TotalArgs, UnmatchedArg,
};
use tamper::experiment::{Engine, GuidelineSet, Limits, Timer};
use tamper::formats::{InputEnabling, IoConvention, ReadOptions};
use tamper::game::{Semantics, Unmatched};
use tamper::mutation::{MutationOptions, Operator, TadGuard};

impl GlobalArgs {
    /// The options for reading model files.
    pub fn read_options(&self) -> ReadOptions {
        ReadOptions {
            io: match self.reading.io {
                Io::Auto => IoConvention::Auto,
                Io::Label => IoConvention::Label,
                Io::Attribute => IoConvention::Attribute,
            },
            input_enabling: match self.reading.input_enabling {
                Enabling::Auto => InputEnabling::Auto,
                Enabling::On => InputEnabling::On,
                Enabling::Off => InputEnabling::Off,
            },
        }
    }
}

impl SemanticsArgs {
    /// The preset semantics, with the options that override parts of it.
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
    /// The set that the value names.
    pub fn resolve(self) -> GuidelineSet {
        match self {
            Self::Published => GuidelineSet::Published,
            Self::Extended => GuidelineSet::Extended,
        }
    }
}

impl EngineArg {
    /// The engine that the value names.
    pub fn resolve(self) -> Engine {
        match self {
            Self::Family => Engine::Family,
            Self::Enumerate => Engine::Enumerate,
        }
    }
}

impl MutationArgs {
    /// Whether no option was given.
    pub fn is_default(&self) -> bool {
        self.resolve() == MutationOptions::default()
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

#[cfg(test)]
mod tests {
    use clap::Parser as _;

    use super::super::command::{Cli, Command};
    use super::*;

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

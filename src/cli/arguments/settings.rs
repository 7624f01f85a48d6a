//! Typed options, resolved into the vocabulary of the rooms below.

use std::mem::discriminant;

use clap::ArgMatches;

use crate::cli::arguments::args::{
    Enabling, GlobalArgs, GuidelinesArg, Io, LimitArgs, MutationArgs, MutationDetail, RefinementReading, SemanticsArgs,
    TotalArgs,
};
use crate::cli::arguments::parse::name_of;
use tamper::experiment::{GuidelineSet, Limits, Timer};
use tamper::formats::{InputEnabling, IoConvention, ReadOptions};
use tamper::game::{Semantics, Unmatched};
use tamper::model::Automaton;
use tamper::mutation::{MutationOptions, Operator, OperatorSet};

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
    /// The reading, with the parts that override it.
    pub fn resolve(&self) -> Semantics {
        let mut readings = self.semantics.clone();
        readings.sort_unstable();
        let mut semantics = Semantics::STRICT;
        for reading in readings {
            match reading {
                RefinementReading::Strict => semantics = Semantics::STRICT,
                RefinementReading::Definition => semantics = Semantics::DEFINITION,
                RefinementReading::Tiga => semantics = Semantics::TIGA,
                RefinementReading::Lenient => (semantics.unmatched, semantics.prune) = (Unmatched::Ignore, false),
                RefinementReading::Reject => semantics.unmatched = Unmatched::Reject,
                RefinementReading::Ignore => semantics.unmatched = Unmatched::Ignore,
                RefinementReading::Prune => semantics.prune = true,
                RefinementReading::NoPrune => semantics.prune = false,
            }
        }
        semantics
    }
}

/// The conflict between two values of one option, of which only the last would count.
pub fn conflict(matches: &ArgMatches) -> Option<String> {
    let (_, typed) = matches.subcommand()?;
    let readings = typed.try_get_many::<RefinementReading>("semantics").ok().flatten();
    let mut wholes = readings.into_iter().flatten().filter(|reading| reading.is_whole());
    if let Some(first) = wholes.next()
        && let Some(other) = wholes.find(|other| *other != first)
    {
        let [first, other] = [first, other].map(|reading| name_of(*reading).unwrap_or_default());
        return Some(format!("--semantics takes one reading: {first} or {other}"));
    }
    let details = typed.try_get_many::<MutationDetail>("details").ok().flatten();
    let details: Vec<&MutationDetail> = details.into_iter().flatten().collect();
    let twice = |detail: &&&MutationDetail| {
        let mut others = details
            .iter()
            .filter(|other| discriminant(**other) == discriminant(**detail));
        others.any(|other| other != *detail)
    };
    let key = match details.iter().find(twice)? {
        MutationDetail::Step(_) => "step",
        _ => "tad-guard",
    };
    Some(format!("--mutation has two values of {key}: give one"))
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

impl MutationArgs {
    /// Whether no option was given.
    pub fn is_default(&self) -> bool {
        self.resolve() == MutationOptions::default()
    }
    /// The same for a game: one that was read from a chart has the operators of charts by default.
    pub fn resolve_for(&self, game: &Automaton) -> MutationOptions {
        let mut options = self.resolve();
        if self.operators.is_empty() && game.variants().are_known() {
            options.operators = Operator::CHART.to_vec();
        }
        options
    }
    /// The options of the operators.
    pub fn resolve(&self) -> MutationOptions {
        let of = |sets: &[OperatorSet]| -> Vec<Operator> {
            let asked = |operator: &Operator| sets.iter().any(|set| set.0.contains(operator));
            Operator::ALL.into_iter().filter(asked).collect()
        };
        let operators = match self.operators.as_slice() {
            [] => Operator::PAPER.to_vec(),
            sets => of(sets),
        };
        let again = match self.again.as_deref() {
            None => Vec::new(),
            Some([]) => operators.clone(),
            Some(sets) => of(sets),
        };
        let mut options = MutationOptions {
            again,
            operators,
            ..MutationOptions::default()
        };
        for detail in &self.details {
            match *detail {
                MutationDetail::Step(step) => options.step = step,
                MutationDetail::TadGuard(guard) => options.tad_guard = guard,
                MutationDetail::CxsToZero => options.cxs_to_zero = true,
                MutationDetail::Conjuncts => options.conjuncts = true,
            }
        }
        options
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

    use super::*;
    use crate::cli::command::{Cli, Command};

    #[test]
    fn parts_of_a_reading_win_over_the_reading() {
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
        for reading in Semantics::ALL {
            assert_eq!(semantics(&format!("--semantics {reading}")), reading);
        }
        assert_eq!(semantics("--semantics=no-prune --semantics tiga"), Semantics::ALL[3]);
        assert_eq!(semantics("--semantics definition,prune"), Semantics::STRICT);
        assert_eq!(semantics("--semantics tiga,reject,no-prune"), Semantics::DEFINITION);
    }

    #[test]
    fn two_values_of_which_one_would_count_are_refused() {
        use clap::CommandFactory as _;
        let said = |words: &str| {
            let words = ["tamper", "classify", "f"].into_iter().chain(words.split_whitespace());
            conflict(&Cli::command().try_get_matches_from(words).unwrap()).unwrap_or_default()
        };
        let two = "--semantics takes one reading: strict or tiga";
        assert_eq!(said("--semantics strict,tiga"), two);
        assert_eq!(said("--semantics strict --semantics tiga"), two);
        assert_eq!(said("--semantics tiga,reject,tiga --mutation step=2,step=2"), "");
        let two = "--mutation has two values of step: give one";
        assert_eq!(said("--mutation step=2,conjuncts --mutation step=3"), two);
        let twice = "--mutation tad-guard=none,tad-guard=first-edge";
        assert_eq!(said(twice), "--mutation has two values of tad-guard: give one");
    }

    #[test]
    fn the_command_line_is_well_formed() {
        use clap::CommandFactory as _;
        Cli::command().debug_assert();
    }
}

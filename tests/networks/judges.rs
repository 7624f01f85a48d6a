//! Judges of mutants of networks, and what the region graph says instead.

use tamper::experiment::{
    Component, Engine, ExperimentError, Limits, NetworkJudge, NetworkSettings, StaticUse, Timer, Verdict,
};
use tamper::formats::NetworkFile;
use tamper::game::Semantics;
use tamper::network::View;

use super::nets::Net;
use super::verdicts::{Answer, Nothing, Rules, decide};

/// A judge without limits.
///
/// # Errors
/// The network has no meaning as a specification.
pub fn judge<'n>(
    network: (&'n NetworkFile, &'n View),
    components: &[Component],
    how: (Semantics, StaticUse, Engine),
) -> Result<NetworkJudge<'n>, ExperimentError> {
    judge_within(network, components, how, Limits::default())
}

/// A judge without limits that walks the runs which mutants have in common with the network before it composes them.
///
/// # Errors
/// The network has no meaning as a specification.
pub fn judge_beside<'n>(
    (file, view): (&'n NetworkFile, &'n View),
    components: &[Component],
    (semantics, statics): (Semantics, StaticUse),
) -> Result<NetworkJudge<'n>, ExperimentError> {
    let settings = NetworkSettings {
        semantics,
        statics,
        witness: true,
        engine: Engine::Family,
        composed_first: 0,
    };
    let timer = Timer::new(Limits::default());
    NetworkJudge::new(&file.network, view, components, settings, timer)
}

/// A judge with these limits.
///
/// # Errors
/// The network has no meaning as a specification, or is too large.
pub fn judge_within<'n>(
    (file, view): (&'n NetworkFile, &'n View),
    components: &[Component],
    (semantics, statics, engine): (Semantics, StaticUse, Engine),
    limits: Limits,
) -> Result<NetworkJudge<'n>, ExperimentError> {
    let settings = NetworkSettings {
        semantics,
        statics,
        witness: false,
        engine,
        composed_first: NetworkSettings::COMPOSED_FIRST,
    };
    NetworkJudge::new(&file.network, view, components, settings, Timer::new(limits))
}

/// The verdict on `mutant` by the region graph; none where that has more than `max` pairs of states. Numbers are at most `most`.
pub fn by_regions(
    (mutant, net): (&Net, &Net),
    rules: Rules,
    most: i64,
    max: usize,
) -> Result<Option<Verdict>, &'static str> {
    Ok(Some(match decide(mutant, net, rules, most, max) {
        Ok(Answer::SpecInconsistent) => return Err("the specification is inconsistent"),
        Ok(Answer::Inconsistent) => Verdict::Inconsistent,
        Ok(Answer::Subsumed) => Verdict::Subsumed,
        Ok(Answer::NonSubsumed) | Err(Nothing::OutOfRange { differs: true }) => Verdict::NonSubsumed,
        Err(Nothing::OutOfRange { differs: false }) => Verdict::Invalid,
        Err(Nothing::SpecOutOfRange) => return Err("the specification leaves a range"),
        Err(Nothing::TooLarge) => return Ok(None),
    }))
}

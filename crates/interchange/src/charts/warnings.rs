//! What is odd about the timers of a chart, whatever the mutants.

use std::collections::BTreeSet;

use super::chart::{Chart, Pending, Timer};
use super::macrostep::{Configuration, Trigger};
use super::unfold::{ChartStep, Unfolded};
use tamper_text::{Diagnostic, Span};

/// Timers whose events a `*` takes, and timers that are never due.
pub(super) fn warnings(chart: &Chart, unfolded: &Unfolded) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    let stars = chart.states.iter().flat_map(|state| &state.on);
    let stars = stars.filter(|(descriptor, _)| descriptor == "*");
    let stars = stars.flat_map(|(_, transitions)| transitions);
    let stars: Vec<Span> = stars.map(|transition| transition.place).collect();
    for (state, own) in chart.states.iter().enumerate() {
        for (number, timer) in own.timers.iter().enumerate() {
            let at = Pending::After { state, number };
            if let Some(step) = due(unfolded, at).find(|step| stars.contains(&step.place)) {
                let message = format!("`*` takes the event of the timer of {} ms in `{}`", timer.delay, own.id);
                let warning = Diagnostic::warning(message, step.place).with_secondary(timer.place, "the timer");
                found.push(warning.with_help("name the events that are meant instead of `*`"));
            }
            found.extend(never_due(unfolded, chart, (state, number), timer));
        }
    }
    found
}

/// The steps that a timer makes.
fn due(unfolded: &Unfolded, at: Pending) -> impl Iterator<Item = &ChartStep> {
    let is_its = move |step: &&ChartStep| matches!(step.trigger, Trigger::Timer(timer) if timer == at);
    unfolded.steps.iter().filter(is_its)
}

/// A warning if the timer is never due: its state is always left at once, or by another of its timers that is due earlier.
fn never_due(unfolded: &Unfolded, chart: &Chart, (state, number): (usize, usize), timer: &Timer) -> Option<Diagnostic> {
    let at = Pending::After { state, number };
    let own = &chart.states[state];
    let is_pending = |configuration: usize| unfolded.configurations[configuration].timers.contains(&at);
    let pending: Vec<usize> = (0..unfolded.configurations.len())
        .filter(|at| is_pending(*at))
        .collect();
    let warning = |reason: &str| {
        let message = format!("the timer of {} ms in `{}` is never due: {reason}", timer.delay, own.id);
        Some(Diagnostic::warning(message, timer.place).with_help("leave it out, or change what comes first"))
    };
    if pending.is_empty() {
        let is_active = |configuration: &Configuration| configuration.active.contains(&state);
        return match unfolded.configurations.iter().any(is_active) {
            true => None,
            false => warning("its state is never entered, or always left at once"),
        };
    }
    let leaves = |earlier: usize| {
        let steps: Vec<&ChartStep> = due(unfolded, Pending::After { state, number: earlier }).collect();
        let sources: BTreeSet<usize> = steps.iter().map(|step| step.source).collect();
        let goes_on = |step: &ChartStep| {
            is_pending(step.source) && is_pending(step.target) && !step.started.contains(&at.clock())
        };
        pending.iter().all(|configuration| sources.contains(configuration)) && !steps.into_iter().any(goes_on)
    };
    let is_earlier = |other: &usize| {
        let delay = own.timers[*other].delay;
        delay < timer.delay || delay == timer.delay && *other < number
    };
    let mut earlier = (0..own.timers.len()).filter(|other| *other != number && is_earlier(other));
    let first = earlier.find(|earlier| leaves(*earlier))?;
    warning(&format!("that of {} ms leaves the state", own.timers[first].delay))
}

//! A counterexample in one line.

use std::fmt::Write as _;

use num_rational::BigRational;

use tamper_game::{Counterexample, Demand, Doing, End, Path, PathStep, Play, Side};

/// The forced part of a counterexample and how it ends, e.g. `1: wakeup1?; 2: timeout! is not allowed`. Delays are
/// in model time units, exact; a mark tells who answers nothing.
pub(super) fn short_form(counterexample: &Counterexample) -> String {
    let Play { steps, end } = &counterexample.play;
    let mut text = String::new();
    for step in steps {
        push_demand(&mut text, &step.demand);
        text.push_str("; ");
    }
    match end {
        End::NoAnswer(demand) => {
            push_demand(&mut text, demand);
            text.push_str(match demand.mover {
                Side::Mutant => " is not allowed",
                Side::Specification => " is refused",
            });
        }
        End::NoDelay { delay, .. } => {
            let _ = write!(text, "+{delay}: the delay is not allowed");
        }
        End::Branch(demand, answers) => {
            push_demand(&mut text, demand);
            let _ = write!(text, " has {} answers, which all lose", answers.len());
        }
    }
    text
}

fn push_demand(text: &mut String, demand: &Demand) {
    let _ = write!(text, "+{} {}", demand.delay, demand.action);
    if demand.doing == Doing::Ignores {
        text.push_str(" (ignored)");
    }
}

/// The path in a counterexample's short form; none of one that does not say what the spoiler does at the end.
pub(super) fn path_of(text: &str) -> Option<Path> {
    let (steps, end) = text.rsplit_once("; ").unwrap_or(("", text));
    let mut steps: Vec<PathStep> = steps.split_terminator("; ").map(step_of).collect::<Option<_>>()?;
    if let Some(delay) = end.strip_suffix(": the delay is not allowed") {
        let delay = Some(delay.strip_prefix('+')?.parse().ok()?);
        return Some(Path { steps, delay });
    }
    let ends = [" is not allowed", " is refused"];
    steps.push(step_of(ends.iter().find_map(|said| end.strip_suffix(said))?)?);
    Some(Path { steps, delay: None })
}

fn step_of(text: &str) -> Option<PathStep> {
    let (delay, action) = text.strip_prefix('+')?.split_once(' ')?;
    let delay: BigRational = delay.parse().ok()?;
    let action = action.strip_suffix(" (ignored)").unwrap_or(action).to_owned();
    Some(PathStep { delay, action })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_form_reads_back_as_a_path() {
        let step = |(numerator, denominator): (i32, i32), action: &str| PathStep {
            delay: BigRational::new(numerator.into(), denominator.into()),
            action: action.to_owned(),
        };
        let begun = step((1, 2), "press?");
        for (end, steps, delay) in [
            (
                "+3 dim! is not allowed",
                vec![begun.clone(), step((3, 1), "dim!")],
                None,
            ),
            (
                "+0 dim? (ignored) is refused",
                vec![begun.clone(), step((0, 1), "dim?")],
                None,
            ),
            (
                "+7: the delay is not allowed",
                vec![begun.clone()],
                Some(BigRational::from_integer(7.into())),
            ),
        ] {
            assert_eq!(
                path_of(&format!("+1/2 press?; {end}")),
                Some(Path { steps, delay }),
                "{end}"
            );
        }
        for text in [
            "",
            "+1 a! has 2 answers, which all lose",
            "+x a! is not allowed",
            "a run of another kind",
        ] {
            assert_eq!(path_of(text), None, "{text}");
        }
    }
}

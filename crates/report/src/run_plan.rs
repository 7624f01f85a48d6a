//! The plan of a run against a program.

use std::fmt;
use std::time::Duration;

use super::test_runs::tests_text;

/// The plan of a run: its number of tests and its estimated time.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RunPlan {
    /// The number of tests that will be run.
    pub tests: usize,
    /// The number of tests in the suite.
    pub of: usize,
    /// The number of instances of the program that run side by side.
    pub jobs: usize,
    /// The estimated time of the tests one after the other; `None` in virtual time.
    pub alone: Option<Duration>,
    /// The estimated time of the tests side by side.
    pub together: Option<Duration>,
    /// The number of kills of the chosen tests, and of all tests, if tests were chosen by kills.
    pub kills: Option<(usize, usize)>,
}

impl fmt::Display for RunPlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kills {
            Some((kills, all)) => write!(f, "{} of {}: {kills} of {all} kills", self.tests, tests_text(self.of))?,
            None => f.write_str(&tests_text(self.tests))?,
        }
        if let Some(alone) = self.alone {
            write!(f, ", about {}", seconds(alone))?;
        }
        match self.together {
            Some(together) if self.jobs > 1 => write!(f, ", {} with {} jobs", seconds(together), self.jobs),
            _ => Ok(()),
        }
    }
}

/// Seconds, with one decimal below ten.
fn seconds(time: Duration) -> String {
    let seconds = time.as_secs_f64();
    match seconds < 9.95 {
        true => format!("{seconds:.1} s"),
        false => format!("{seconds:.0} s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plan_names_seconds_only_where_they_pass() {
        let mut plan = RunPlan {
            tests: 42,
            of: 42,
            jobs: 4,
            alone: Some(Duration::from_millis(148_200)),
            together: Some(Duration::from_millis(37_600)),
            kills: None,
        };
        assert_eq!(plan.to_string(), "42 tests, about 148 s, 38 s with 4 jobs");
        plan.kills = Some((57, 60));
        (plan.tests, plan.jobs, plan.alone) = (19, 1, Some(Duration::from_millis(250)));
        assert_eq!(plan.to_string(), "19 of 42 tests: 57 of 60 kills, about 0.2 s");
        (plan.tests, plan.kills, plan.alone, plan.together) = (1, None, None, None);
        assert_eq!(plan.to_string(), "1 test");
    }
}

//! A program under test that answers step by step, without time.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::error::SutError;
use super::link::{Link, Opening};
use super::target::Target;
use tamper_systems::testing::{Ends, SystemTest, Then};

/// Maximum number of lines before an answer.
const MAX_LINES: usize = 10_000;

/// A program that is given inputs, and tells what is seen of each.
pub struct StepSut {
    target: Target,
    supervisor: PathBuf,
    patience: Duration,
    link: Option<Link>,
}

/// The steps of a test in order, each with what was given and what was seen.
pub type StepLog = Vec<(String, String)>;

impl StepSut {
    /// A program that is not started before the first test. `supervisor`, the program of this package, ends it with all that it started.
    pub fn new(target: Target, supervisor: PathBuf, patience: Duration) -> Self {
        Self {
            target,
            supervisor,
            patience,
            link: None,
        }
    }

    /// Runs `test`. `fits` says whether the outputs that the test lists (first argument) cover the outputs that are seen (second
    /// argument). The log has the steps so far, also if the program cannot be tested to the end; then it is started again for the
    /// next test.
    pub fn run(&mut self, test: &SystemTest, fits: impl Fn(&str, &str) -> bool) -> (Result<Ends, SutError>, StepLog) {
        let mut log = Vec::new();
        let ending = self.play(test, fits, &mut log);
        if ending.is_err() {
            self.link = None;
        }
        (ending, log)
    }

    fn play(
        &mut self,
        test: &SystemTest,
        fits: impl Fn(&str, &str) -> bool,
        log: &mut StepLog,
    ) -> Result<Ends, SutError> {
        let mut link = match self.link.take() {
            Some(link) => link,
            None => {
                let opening = Opening {
                    target: &self.target,
                    supervisor: Some(&self.supervisor),
                    job: None,
                };
                let mut link = Link::open(opening, self.patience, &Arc::default())?;
                link.say("tamper 1 steps")?;
                hear(&mut link, self.patience, "ready")?;
                link
            }
        };
        link.say("reset")?;
        hear(&mut link, self.patience, "ready")?;
        let mut ends = Ends::default();
        let mut then = Some(Then::Node(0));
        if !test.course.starts.is_empty() {
            link.say("look")?;
            let seen = hear(&mut link, self.patience, "sees ")?;
            then = test.course.begin(|listed| fits(listed, &seen));
            log.push(("look".to_owned(), seen));
        }
        while let Some(Then::Node(at)) = then {
            let node = &test.course.nodes[at];
            link.say(&format!("give {}", node.give))?;
            let seen = hear(&mut link, self.patience, "sees ")?;
            log.push((node.give.clone(), seen.clone()));
            let answer = node.answers.iter().find(|answer| fits(&answer.seen, &seen));
            then = answer.map(|answer| answer.then);
        }
        ends.come_to(then);
        self.link = Some(link);
        Ok(ends)
    }
}

impl Drop for StepSut {
    fn drop(&mut self) {
        if let Some(link) = &mut self.link {
            link.part("quit");
        }
    }
}

/// The rest, after `awaited`, of the next line that is not a remark.
fn hear(link: &mut Link, patience: Duration, awaited: &'static str) -> Result<String, SutError> {
    let deadline = Instant::now() + patience;
    for _ in 0..MAX_LINES {
        let Some((line, _)) = link.hear(deadline)? else {
            return Err(SutError::Hangs { awaited, patience });
        };
        match line.trim_end().strip_prefix(awaited) {
            Some(rest) => return Ok(rest.to_owned()),
            None if line.trim().is_empty() || line.starts_with("log ") || line.trim_end() == "log" => (),
            None => return Err(SutError::Unexpected { line, awaited }),
        }
    }
    Err(SutError::Babbles {
        awaited,
        n_lines: MAX_LINES,
    })
}

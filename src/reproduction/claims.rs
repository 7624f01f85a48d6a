//! The paper's sentences about several studies or about a model: `case-studies/published.toml`.

use serde::Deserialize;

use super::measure::Measure;
use super::{Study, StudyRun};
use crate::experiment::error::{ErrorContext as _, ExperimentError, OrMalformed as _, Result};
use crate::model::{Automaton, Urgency};
use crate::mutation::Order;

/// The mark of a sentence: whether it is known to hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Mark {
    /// The sentence holds.
    Ok,
    /// The sentence does not hold; the claim states what holds instead.
    No,
}

/// A sentence of the paper and how it is checked.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Claim {
    /// A name, unique in the file.
    pub id: String,
    /// The section of the paper.
    pub section: String,
    /// The sentence.
    pub claim: String,
    /// Whether it holds.
    pub mark: Mark,
    /// The statement that holds instead.
    pub instead: Option<String>,
    /// The checks that must all hold; without a check, a test shows the claim.
    #[serde(default)]
    pub check: Vec<Check>,
    /// The test that shows the claim.
    pub shown_by: Option<String>,
}

/// One comparison: of a measure with a number, or of a model with a pattern.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Check {
    measure: Option<Measure>,
    order: Option<u8>,
    /// The studies that the check is about; all studies if empty.
    #[serde(default)]
    of: Vec<String>,
    reduce: Option<Reduce>,
    rounds_to: Option<f64>,
    near: Option<f64>,
    above: Option<f64>,
    below: Option<f64>,
    at_most: Option<f64>,
    highest: Option<String>,
    lowest: Option<String>,
    model: Option<String>,
    pattern: Option<String>,
    count: Option<usize>,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Reduce {
    Sum,
    Mean,
}

/// A claim with its result.
#[derive(Clone, PartialEq, Debug)]
pub struct Checked {
    /// The result of our runs.
    pub ours: String,
    /// Whether the sentence holds; `None` if a study that it is about was not run.
    pub holds: Option<bool>,
}

/// The content of the file.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Checks {
    /// The sentences.
    pub claim: Vec<Claim>,
}

impl Checks {
    /// Reads the embedded file.
    ///
    /// # Errors
    /// If it has another form.
    pub fn published() -> Result<Self> {
        let text = include_str!("../../case-studies/published.toml");
        toml::from_str(text).or_malformed(|| "case-studies/published.toml".to_owned())
    }
}

impl Claim {
    /// Checks the claim against runs in the published semantics.
    ///
    /// # Errors
    /// If the file names something that does not exist, or records cannot be read.
    pub fn check(&self, runs: &[StudyRun]) -> Result<Checked> {
        let mut ours = Vec::new();
        let mut holds = Some(true);
        for check in &self.check {
            let checked = check.run(runs).doing(|| format!("claim {}", self.id))?;
            ours.push(checked.ours);
            holds = match (holds, checked.holds) {
                (Some(so_far), Some(this)) => Some(so_far && this),
                _ => None,
            };
        }
        if let Some(test) = &self.shown_by {
            ours.push(format!("shown by `{test}`"));
        }
        Ok(Checked {
            ours: ours.join("; "),
            holds,
        })
    }
}

impl Check {
    fn run(&self, runs: &[StudyRun]) -> Result<Checked> {
        match (self.measure, &self.model) {
            (Some(measure), None) => self.compare(measure, runs),
            (None, Some(model)) => self.find(model),
            _ => Err(wrong("a check is about a measure or about a model")),
        }
    }

    fn compare(&self, measure: Measure, runs: &[StudyRun]) -> Result<Checked> {
        let order = match self.order {
            Some(2) => Order::SECOND,
            _ => Order::FIRST,
        };
        let mut values = Vec::new();
        for study in self.studies()? {
            match measure.of(study, order, runs)? {
                Some(value) => values.push((study, value)),
                None => {
                    return Ok(Checked {
                        ours: "not run".to_owned(),
                        holds: None,
                    });
                }
            }
        }
        let extremes = self.extremes(&values);
        let numbers = match self.reduce {
            None => values.iter().map(|(study, value)| (study.title, *value)).collect(),
            Some(reduce) => vec![reduce.of(&values)],
        };
        let text = |(name, value): &(&str, f64)| format!("{name} {}", measure.text(*value));
        Ok(Checked {
            ours: numbers.iter().map(text).collect::<Vec<_>>().join(", "),
            holds: Some(extremes && numbers.iter().all(|(_, value)| self.accepts(*value))),
        })
    }

    fn studies(&self) -> Result<Vec<Study>> {
        match self.of.as_slice() {
            [] => Ok(Study::ALL.to_vec()),
            names => names.iter().map(|name| study(name)).collect(),
        }
    }

    fn extremes(&self, values: &[(Study, f64)]) -> bool {
        let by = |a: &&(Study, f64), b: &&(Study, f64)| a.1.total_cmp(&b.1);
        let is = |wanted: &Option<String>, found: Option<&(Study, f64)>| {
            wanted
                .as_ref()
                .is_none_or(|wanted| found.is_some_and(|(study, _)| study.folder == wanted))
        };
        is(&self.highest, values.iter().max_by(by)) && is(&self.lowest, values.iter().min_by(by))
    }

    fn accepts(&self, value: f64) -> bool {
        // Half up, like the paper's percentages; `near` allows for differences of rounded numbers.
        self.rounds_to
            .is_none_or(|to| ((value + 0.5).floor() - to).abs() < 1e-9)
            && self.near.is_none_or(|near| (value - near).abs() < 1.0)
            && self.above.is_none_or(|above| value > above)
            && self.below.is_none_or(|below| value < below)
            && self.at_most.is_none_or(|most| value <= most)
    }

    fn find(&self, model: &str) -> Result<Checked> {
        let game = study(model)?.game()?;
        let pattern = self.pattern.as_deref();
        let pattern = pattern.ok_or_else(|| wrong("a check of a model needs a pattern"))?;
        let found = lines(&game).iter().filter(|line| is_like(line, pattern)).count();
        Ok(Checked {
            ours: format!("{found} × `{pattern}`"),
            holds: Some(self.count.map_or(found > 0, |count| count == found)),
        })
    }
}

fn study(name: &str) -> Result<Study> {
    Study::find(name).ok_or_else(|| wrong(format!("there is no study {name}")))
}

/// The error that the file of the sentences is wrong.
fn wrong(what: impl Into<String>) -> ExperimentError {
    ExperimentError::malformed(what.into())
}

impl Reduce {
    fn of(self, values: &[(Study, f64)]) -> (&'static str, f64) {
        let sum: f64 = values.iter().map(|(_, value)| value).sum();
        #[allow(clippy::cast_precision_loss, reason = "six studies")]
        match self {
            Self::Sum => ("sum", sum),
            Self::Mean => ("mean", sum / values.len().max(1) as f64),
        }
    }
}

/// A model as lines: `location l3 [c<=20]`, `location s_end [] urgent`, `l3 -> l6 armedOn! [c==20]`, `input lock`. Guards that are more
/// than a single clock atom are shown as `…`.
fn lines(game: &Automaton) -> Vec<String> {
    let atom = |guard: &crate::model::Guard| match guard.as_simple() {
        Some(atom) => format!(
            "{}{}{}",
            game.clocks()[atom.clock].name,
            atom.cmp.symbol(),
            atom.constant
        ),
        None if guard.is_trivial() => String::new(),
        None => "…".to_owned(),
    };
    let locations = game.locations().iter().map(|location| {
        let urgent = if location.urgency == Urgency::Normal {
            ""
        } else {
            " urgent"
        };
        format!("location {} [{}]{urgent}", location.name, atom(&location.invariant))
    });
    let edges = game.edges().iter().map(|edge| {
        let name = |at| &game.locations()[at].name;
        let action = &game.actions()[edge.action];
        format!(
            "{} -> {} {action} [{}]",
            name(edge.source),
            name(edge.target),
            atom(&edge.guard)
        )
    });
    let actions = game
        .actions()
        .iter()
        .map(|action| format!("{} {}", format!("{:?}", action.role).to_lowercase(), action.name));
    let clocks = game.clocks().iter().map(|clock| format!("clock {}", clock.name));
    locations.chain(edges).chain(actions).chain(clocks).collect()
}

/// Whether `line` matches `pattern`, in which `*` stands for any text.
fn is_like(line: &str, pattern: &str) -> bool {
    match pattern.split_once('*') {
        None => line == pattern,
        Some((head, rest)) => line
            .strip_prefix(head)
            .is_some_and(|tail| tail.char_indices().any(|(at, _)| is_like(&tail[at..], rest)) || is_like("", rest)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_star_stands_for_any_text() {
        for (pattern, expected) in [
            ("l3 -> l6 armedOn! [c==20]", true),
            ("l3 -> * [c==20]", true),
            ("*", true),
            ("l3 -> *", true),
            ("l3 -> * [c==21]", false),
            ("*sink*", false),
        ] {
            assert_eq!(is_like("l3 -> l6 armedOn! [c==20]", pattern), expected, "{pattern}");
        }
    }

    #[test]
    fn numbers_are_compared_as_the_paper_rounds_them() {
        let check = |text: &str| toml::from_str::<Check>(text).unwrap();
        assert!(check("rounds_to = 71").accepts(70.5) && !check("rounds_to = 71").accepts(70.49));
        assert!(check("near = 34").accepts(33.4) && !check("near = 34").accepts(35.0));
        assert!(check("above = 50").accepts(50.1) && !check("above = 50").accepts(50.0));
    }

    #[test]
    fn every_published_claim_is_well_formed_and_marked_ones_say_what_holds() {
        let checks = Checks::published().unwrap();
        for claim in &checks.claim {
            assert_eq!(claim.mark == Mark::No, claim.instead.is_some(), "{}", claim.id);
            assert!(!claim.check.is_empty() || claim.shown_by.is_some(), "{}", claim.id);
            claim.check(&[]).unwrap();
        }
    }
}

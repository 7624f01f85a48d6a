//! Tables and figures about a run, a score or a smaller suite.

use std::fmt;

use serde_json::Value;

use super::counts::{OperatorCounts, RATIO, SCORE};
use super::kills::{KillCurve, Kills};
use crate::drawing::{BACK, BarChart, FORWARD, Group, HORIZONTAL, SOLID, Series, bars_svg};
use crate::table::Table;

/// The subject of a table or a figure.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shown {
    /// The verdicts, by operator.
    Verdicts,
    /// The share of the mutants no test kills which violates the guidelines, by operator.
    Ratios,
    /// The share of the killable mutants that a suite kills, by operator.
    Scores,
    /// The kill matrix: tests against mutants.
    Kills,
    /// The growth of the kills with the tests.
    Growth,
}

impl Shown {
    /// The name by which a text for LaTeX refers to the table.
    fn label(self) -> &'static str {
        match self {
            Self::Verdicts => "verdicts",
            Self::Ratios => "ratios",
            Self::Scores => "scores",
            Self::Kills => "kills",
            Self::Growth => "growth",
        }
    }
}

/// The run or suite has no data for the requested table or figure.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NotThere(Shown);

impl fmt::Display for NotThere {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0 {
            Shown::Verdicts => "verdicts are those of a run: name the folder of a finished `tamper classify`",
            Shown::Ratios => {
                "ratios compare the guidelines with verdicts, so they are there of a run on timed games: name the \
                 folder of a finished `tamper classify`"
            }
            Shown::Scores | Shown::Kills => {
                "what a suite kills is there of a run on timed games with --suite SUITE, or of what \
                 `tamper score SUITE MODEL --format json` printed"
            }
            Shown::Growth => {
                "how a suite grows is there of a run on timed games with --suite SUITE, or of what \
                 `tamper score … --format json` or `tamper minimise … --format json` printed"
            }
        })
    }
}

impl std::error::Error for NotThere {}

/// The data of a run or a suite for tables and figures.
#[derive(Clone, PartialEq, Debug)]
pub struct Figures {
    /// The model, and how its mutants were made.
    subject: String,
    verdicts: Option<OperatorCounts>,
    scores: Option<OperatorCounts>,
    kills: Option<Kills>,
    growth: Option<KillCurve>,
    /// The title that stands in the place of the usual one.
    title: Option<String>,
}

/// The colours of Okabe and Ito, each with its own hatch.
const VERDICTS: [&Series; 10] = [
    &Series::new("non-subsumed", "#0072B2", SOLID),
    &Series::new("subsumed", "#E69F00", FORWARD),
    &Series::new("inconsistent", "#D55E00", BACK),
    &Series::new("unknown", "#BBBBBB", HORIZONTAL),
    &Series::new("invalid", "#777777", FORWARD),
    &Series::new("equivalent", "#E69F00", FORWARD),
    &Series::new("potential", "#56B4E9", BACK),
    &Series::new("definite", "#009E73", HORIZONTAL),
    &Series::new("blind", "#0072B2", SOLID),
    &Series::new("refused", "#777777", BACK),
];

/// The kills of mutants of action systems; a mutant may have several kinds.
const RELATIONS: [&Series; 4] = [
    &Series::new("unsafe", "#D55E00", BACK),
    &Series::new("event", "#0072B2", SOLID),
    &Series::new("ioco", "#56B4E9", FORWARD),
    &Series::new("equivalent", "#E69F00", HORIZONTAL),
];

impl Figures {
    /// The counts in `summary`, the text of `summary.csv`, of the run on `subject`; `None` if the text has another form.
    pub fn of_run(subject: &str, summary: &str) -> Option<Self> {
        Some(Self {
            subject: subject.to_owned(),
            verdicts: Some(OperatorCounts::of_summary(summary)?),
            scores: None,
            kills: None,
            growth: None,
            title: None,
        })
    }

    /// The JSON that `score` or `minimise` printed into the file named `subject`; `None` if it is something else.
    pub fn of_printed(subject: &str, printed: &Value) -> Option<Self> {
        let figures = Self {
            subject: subject.to_owned(),
            verdicts: None,
            scores: None,
            kills: None,
            growth: KillCurve::of_order(printed),
            title: None,
        };
        let figures = figures.with_score(printed);
        (figures.scores.is_some() || figures.growth.is_some()).then_some(figures)
    }

    /// The same, with the JSON that `score` printed about a suite.
    #[must_use]
    pub fn with_score(self, printed: &Value) -> Self {
        let kills = Kills::of(printed);
        Self {
            scores: OperatorCounts::of_score(printed),
            growth: kills.as_ref().map(Kills::growth).or(self.growth),
            kills,
            ..self
        }
    }

    /// The default subject of a table or a figure.
    pub fn usual(&self) -> Shown {
        match (&self.verdicts, &self.scores) {
            (Some(_), _) => Shown::Verdicts,
            (None, Some(_)) => Shown::Scores,
            (None, None) => Shown::Growth,
        }
    }

    /// A table for LaTeX; its first line names the packages that it needs.
    ///
    /// # Errors
    /// If the run or suite has no data for it.
    pub fn latex(&self, shown: Shown) -> Result<String, NotThere> {
        let table = self.table(shown)?;
        let packages = if table.is_long() {
            "booktabs,longtable"
        } else {
            "booktabs"
        };
        Ok(format!("% \\usepackage{{{packages}}}\n{}", table.latex()))
    }

    /// The numbers, comma-separated.
    ///
    /// # Errors
    /// If the run or suite has no data for it.
    pub fn csv(&self, shown: Shown) -> Result<String, NotThere> {
        let csv = match (shown, &self.kills) {
            (Shown::Kills, Some(kills)) => kills.csv(),
            _ => self.table(shown)?.csv(),
        };
        Ok(csv.expect("rows are of one length"))
    }

    fn table(&self, shown: Shown) -> Result<Table, NotThere> {
        let missing = NotThere(shown);
        let mut table = match shown {
            Shown::Verdicts => self.verdicts.as_ref().ok_or(missing)?.table(RATIO),
            Shown::Ratios => self.rated().ok_or(missing)?.table(RATIO),
            Shown::Scores => self.scores.as_ref().ok_or(missing)?.table(SCORE),
            Shown::Kills => self.kills.as_ref().ok_or(missing)?.table(),
            Shown::Growth => self.growth.as_ref().ok_or(missing)?.table(),
        };
        table.caption = self.title(shown);
        table.label = shown.label().to_owned();
        Ok(table)
    }

    /// The verdicts, if they are compared with guidelines.
    fn rated(&self) -> Option<&OperatorCounts> {
        self.verdicts.as_ref().filter(|counts| counts.has(RATIO))
    }

    /// The same under that title.
    #[must_use]
    pub fn titled(self, title: Option<String>) -> Self {
        Self { title, ..self }
    }

    fn title(&self, shown: Shown) -> String {
        if let Some(title) = &self.title {
            return title.clone();
        }
        let what = match shown {
            Shown::Verdicts => "Verdicts by operator",
            Shown::Ratios => "What the guidelines find of the mutants that no test kills",
            Shown::Scores => "What the suite kills of what can be killed",
            Shown::Kills => "Which test kills which mutant",
            Shown::Growth => "Mutants killed by the first tests",
        };
        format!("{what}: {}", self.subject)
    }

    /// A figure as SVG.
    ///
    /// # Errors
    /// If the run or suite has no data for it.
    pub fn svg(&self, shown: Shown) -> Result<String, NotThere> {
        let missing = NotThere(shown);
        let title = self.title(shown);
        Ok(match shown {
            Shown::Verdicts => {
                let counts = self.verdicts.as_ref().ok_or(missing)?;
                let is_relation = counts.columns().iter().any(|column| column == "ioco");
                let series = counts.used(if is_relation { &RELATIONS } else { &VERDICTS });
                bars(&title, "mutants of the operator (%)", &series, &counts.parts(&series))
            }
            Shown::Ratios => {
                let groups = self.rated().ok_or(missing)?.shares(RATIO);
                bars(&title, "found (%)", &[&Series::new("ratio", "#0072B2", SOLID)], &groups)
            }
            Shown::Scores => {
                let groups = self.scores.as_ref().ok_or(missing)?.shares(SCORE);
                bars(
                    &title,
                    "killed (%)",
                    &[&Series::new("score", "#0072B2", SOLID)],
                    &groups,
                )
            }
            Shown::Kills => self.kills.as_ref().ok_or(missing)?.svg(&title),
            Shown::Growth => self.growth.as_ref().ok_or(missing)?.svg(&title),
        })
    }
}

fn bars(title: &str, axis: &str, series: &[&Series], groups: &[Group]) -> String {
    bars_svg(&BarChart {
        title,
        axis,
        series: series.to_vec(),
        groups,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_there_is_refused_by_what_would_have_it() {
        let run = Figures::of_run("a", "operator,total,blind\nCST,2,1\ntotal,2,1\n").unwrap();
        assert_eq!(run.usual(), Shown::Verdicts);
        assert!(run.svg(Shown::Verdicts).unwrap().contains("blind"));
        for shown in [Shown::Ratios, Shown::Scores, Shown::Kills, Shown::Growth] {
            assert_eq!(run.latex(shown), Err(NotThere(shown)));
            assert_eq!(run.svg(shown), Err(NotThere(shown)));
            assert!(NotThere(shown).to_string().contains("tamper "));
        }
        assert_eq!(
            Figures::of_printed("a", &serde_json::json!({ "verdict": "subsumed" })),
            None
        );
    }
}

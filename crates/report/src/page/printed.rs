//! Choice of the page that shows the answer of a command.

use serde_json::Value;

use super::counted::has;
use super::results::TablesPage;
use super::runs::RunsPage;
use tamper_programs::ReadResults;

/// The page for a JSON file that a command printed, or for the results of a run.
#[derive(Clone, PartialEq, Debug)]
pub struct ResultsPage(ResultsContent);

#[derive(Clone, PartialEq, Debug)]
enum ResultsContent {
    Tables(TablesPage),
    Runs(RunsPage),
}

impl ResultsPage {
    /// The page for a printed answer; `None` if its command has no page.
    pub fn of(printed: &Value) -> Option<Self> {
        let object = printed.is_object().then_some(printed)?;
        let is_of_program = has(object, &["runs", "tests", "fail"]) && !has(object, &["models"]);
        Some(Self(match is_of_program {
            true => ResultsContent::Runs(RunsPage::of(object)),
            false => ResultsContent::Tables(TablesPage::of(object)?),
        }))
    }

    /// The page of the results that `tamper run --results` wrote.
    pub fn of_results(results: &ReadResults) -> Self {
        Self(ResultsContent::Runs(RunsPage::of_results(results)))
    }

    /// The page; `source` is the file that was read.
    pub fn html(&self, source: &str) -> String {
        match &self.0 {
            ResultsContent::Tables(page) => page.html(source),
            ResultsContent::Runs(page) => page.html(source),
        }
    }
}

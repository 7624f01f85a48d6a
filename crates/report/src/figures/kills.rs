//! The kill matrix of a suite, and the growth of the kills with its tests.

use serde::Deserialize;
use serde_json::Value;

use super::counts::{as_f64, rank};
use crate::drawing::{CurveChart, MatrixChart, curve_svg, matrix_svg};
use crate::table::{Cell, Head, TOTAL, Table};
use tamper_runs::percent;

/// The kill matrix: what `score` prints as `matrix`.
#[derive(Deserialize, Clone, PartialEq, Eq, Debug)]
pub(super) struct Kills {
    /// The mutants that some test can kill.
    mutants: Vec<String>,
    /// The tests, in the order of their suite.
    tests: Vec<TestKills>,
}

/// A test, and the mutants that it kills by their positions.
#[derive(Deserialize, Clone, PartialEq, Eq, Debug)]
struct TestKills {
    test: String,
    kills: Vec<usize>,
}

/// The number of mutants that each test kills and no test before it kills.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct KillCurve {
    steps: Vec<KillStep>,
    /// The number of mutants that can be killed, if that is known.
    killable: Option<u64>,
}

/// A test of a growing suite.
#[derive(Deserialize, Clone, PartialEq, Eq, Debug)]
struct KillStep {
    test: String,
    #[serde(rename = "kills")]
    adds: u64,
}

impl Kills {
    /// Reads the matrix in the JSON that `score` prints.
    pub fn of(printed: &Value) -> Option<Self> {
        let kills = Self::deserialize(printed.get("matrix")?).ok()?;
        let mut positions = kills.tests.iter().flat_map(|test| &test.kills);
        positions.all(|at| *at < kills.mutants.len()).then_some(kills)
    }

    /// The mutants by operator: the names of the operators, and the positions of their mutants.
    fn groups(&self) -> Vec<(&str, Vec<usize>)> {
        let mut groups: Vec<(&str, Vec<usize>)> = Vec::new();
        for (at, mutant) in self.mutants.iter().enumerate() {
            let name = operator(mutant);
            match groups.iter_mut().find(|(other, _)| *other == name) {
                Some((_, own)) => own.push(at),
                None => groups.push((name, vec![at])),
            }
        }
        groups.sort_by_key(|(name, _)| rank(name));
        groups
    }

    /// The number of mutants that each test kills, by operator.
    pub fn table(&self) -> Table {
        let groups = self.groups();
        let names = groups.iter().map(|(name, _)| Head::plain(*name));
        let last = ["kills", "adds"].map(Head::plain);
        let mut table = Table::new(std::iter::once(Head::plain("test")).chain(names).chain(last));
        let killed = |kills: &[usize], own: &[usize]| own.iter().filter(|at| kills.contains(at)).count();
        for (test, step) in self.tests.iter().zip(self.growth().steps) {
            let counts = groups.iter().map(|(_, own)| killed(&test.kills, own));
            let last = [test.kills.len().to_string(), step.adds.to_string()];
            table.row(&test.test, counts.map(Cell::plain).chain(last.map(Cell::plain)));
        }
        let all: Vec<usize> = (0..self.mutants.len()).filter(|at| self.is_killed(*at)).collect();
        let counts = groups.iter().map(|(_, own)| killed(&all, own)).chain([all.len(); 2]);
        table.row(TOTAL, counts.map(Cell::plain));
        table
    }

    fn is_killed(&self, mutant: usize) -> bool {
        self.tests.iter().any(|test| test.kills.contains(&mutant))
    }

    /// The matrix itself: a row for each mutant, a column for each test.
    pub fn csv(&self) -> Result<String, csv::Error> {
        let tests = self.tests.iter().map(|test| Head::plain(&*test.test));
        let mut table = Table::new([Head::plain("mutant")].into_iter().chain(tests));
        for (at, mutant) in self.mutants.iter().enumerate() {
            let cells = self.tests.iter().map(|test| u8::from(test.kills.contains(&at)));
            table.row(mutant, cells.map(Cell::plain));
        }
        table.csv()
    }

    /// The matrix as a picture.
    pub fn svg(&self, title: &str) -> String {
        let groups = self.groups();
        let mut columns = vec![0; self.mutants.len()];
        for (column, at) in groups.iter().flat_map(|(_, own)| own).enumerate() {
            columns[*at] = column;
        }
        let filled = |test: &TestKills| {
            let mut filled: Vec<usize> = test.kills.iter().map(|at| columns[*at]).collect();
            filled.sort_unstable();
            filled
        };
        matrix_svg(&MatrixChart {
            title,
            rows: self.tests.iter().map(|test| (&*test.test, filled(test))).collect(),
            groups: groups.iter().map(|(name, own)| (*name, own.len())).collect(),
        })
    }

    /// The growth of the kills with the tests, in the order of the suite.
    pub fn growth(&self) -> KillCurve {
        let mut killed = vec![false; self.mutants.len()];
        let mut step = |test: &TestKills| {
            let new = test
                .kills
                .iter()
                .filter(|at| !std::mem::replace(&mut killed[**at], true));
            KillStep {
                adds: new.count() as u64,
                test: test.test.clone(),
            }
        };
        KillCurve {
            steps: self.tests.iter().map(&mut step).collect(),
            killable: Some(self.mutants.len() as u64),
        }
    }
}

impl KillCurve {
    /// Reads the order of tests in the JSON that `minimise` prints.
    pub fn of_order(printed: &Value) -> Option<Self> {
        printed.get("proved")?;
        let steps = Vec::deserialize(printed.get("order")?).ok()?;
        Some(Self { steps, killable: None })
    }

    /// The number of mutants that each test adds, and the number killed by then.
    pub fn table(&self) -> Table {
        let heads = [Head::plain("test"), Head::plain("adds"), Head::plain("killed")];
        let share = Head::new(self.of_what(), "percent");
        let mut table = Table::new(heads.into_iter().chain([share]));
        for (step, killed) in self.steps.iter().zip(self.killed()) {
            let counts = [step.adds, killed].map(Cell::plain);
            let share = Cell::percent(percent(killed, self.whole(), 1));
            table.row(&step.test, counts.into_iter().chain([share]));
        }
        table
    }

    /// The same as a curve.
    pub fn svg(&self, title: &str) -> String {
        let share = |killed: u64| 100.0 * as_f64(killed) / as_f64(self.whole().max(1));
        let axis = format!("killed, {} (%)", self.of_what());
        curve_svg(&CurveChart {
            title,
            axis: &axis,
            below: "tests",
            values: std::iter::once(0).chain(self.killed()).map(share).collect(),
        })
    }

    fn of_what(&self) -> &'static str {
        match self.killable {
            Some(_) => "of what can be killed",
            None => "of what all kill",
        }
    }

    /// The number of mutants killed after each test.
    fn killed(&self) -> impl Iterator<Item = u64> {
        self.steps.iter().scan(0, |killed, step| {
            *killed += step.adds;
            Some(*killed)
        })
    }

    fn whole(&self) -> u64 {
        self.killable
            .unwrap_or_else(|| self.steps.iter().map(|step| step.adds).sum())
    }
}

/// The operator of a mutant's last mutation, under which scores count the mutant.
fn operator(id: &str) -> &str {
    let is_name = |name: &&str| rank(name) != usize::MAX;
    let before = id.rsplit(';').filter_map(|part| Some(part.split_once(':')?.0));
    let mut names = before
        .map(|before| before.rsplit('/').next().unwrap_or(before))
        .filter(is_name);
    names.next().unwrap_or("other")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// By hand: the second test kills nothing new, and nothing kills the last mutant.
    fn small() -> Kills {
        let test = |test: &str, kills: &[usize]| json!({ "test": test, "kills": kills });
        let mutants = [
            "CXL:guard:a->b#0:x<5=>x<6",
            "TMI:a->b#0",
            "P/TMI:c->d#0",
            "TMI:a->b#0;CXL:invariant:a:x<=2=>x<=3",
        ];
        let tests = [test("t2", &[1, 0]), test("t1", &[1]), test("t3", &[1, 2])];
        Kills::of(&json!({ "matrix": { "mutants": mutants, "tests": tests } })).unwrap()
    }

    #[test]
    fn a_matrix_is_counted_by_operator() {
        assert_eq!(
            small().table().csv().unwrap(),
            "test,TMI,CXL,kills,adds\nt2,1,1,2,2\nt1,1,0,1,0\nt3,2,0,2,1\ntotal,2,1,3,3\n"
        );
        let csv = small().csv().unwrap();
        let lines: Vec<&str> = csv.lines().collect();
        assert_eq!(lines[0], "mutant,t2,t1,t3");
        assert_eq!(lines[2], "TMI:a->b#0,1,1,1");
        assert!(lines[4].ends_with(",0,0,0"));
    }

    #[test]
    fn growth_counts_what_is_new() {
        let growth = small().growth();
        assert_eq!(
            growth.table().csv().unwrap(),
            "test,adds,killed,percent\nt2,2,2,50.0\nt1,0,2,50.0\nt3,1,3,75.0\n"
        );
        let printed = json!({ "proved": true, "order": [{ "test": "a", "kills": 3 }, { "test": "b", "kills": 1 }] });
        let order = KillCurve::of_order(&printed).unwrap();
        assert_eq!(
            order.table().csv().unwrap(),
            "test,adds,killed,percent\na,3,3,75.0\nb,1,4,100.0\n"
        );
    }

    #[test]
    fn positions_without_a_mutant_are_no_matrix() {
        let printed = json!({ "matrix": { "mutants": [], "tests": [{ "test": "t", "kills": [0] }] } });
        assert_eq!(Kills::of(&printed), None);
        assert_eq!(Kills::of(&json!({})), None);
    }
}

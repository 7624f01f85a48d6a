//! The operators beyond the six: their mutants on all models of the repository are those of plain code, and on random games
//! their verdicts are those of the region graphs.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt::{self, Write as _};
use std::path::{Path, PathBuf};

use proptest::collection::vec;
use proptest::prelude::*;
use tamper::experiment::{Record, Verdict};
use tamper::formats::{ReadOptions, read_file, write_automaton};
use tamper::model::{Automaton, BinaryOp, Expr, IntId, UnaryOp};
use tamper::mutation::{AppliedOperator, MutationOptions, Mutations, Operator};
use tamper::text::Id;

use super::classified::{MANNERS, RULES_ONLY};
use super::games::{Case, again, case};
use super::random::{PlainMutants, rules};
use testing::oracle::others;
use testing::oracle::parts::Parts;
use testing::oracle::refinement::{Answer, decide};
use testing::oracle::run;
use testing::oracle::show::show;

/// The operators beyond the six.
pub fn further() -> Vec<Operator> {
    Operator::of_games()
        .iter()
        .copied()
        .filter(|operator| !operator.is_paper())
        .collect()
}

fn files_below(folder: &Path, found: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            files_below(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "xml") {
            found.push(path);
        }
    }
}

/// All single games in the files of the repository.
fn games() -> Vec<(String, Automaton)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    for folder in [
        "case-studies",
        "uppaal-models",
        "tests/data/regressions",
        "tests/data/roundtrip",
    ] {
        files_below(&root.join(folder), &mut files);
    }
    let mut games = Vec::new();
    for file in files {
        // Networks are no games.
        let Ok((document, _)) = read_file(&file, &ReadOptions::default()) else {
            continue;
        };
        let name = file.strip_prefix(root).unwrap().display().to_string();
        games.extend(document.automata().iter().map(|game| (name.clone(), game.clone())));
    }
    games
}

#[test]
fn the_mutants_of_every_model_are_those_of_plain_code() {
    let mut totals: BTreeMap<Operator, usize> = BTreeMap::new();
    let games = games();
    assert!(games.len() > 30, "{}", games.len());
    for (file, game) in &games {
        for operator in further() {
            let listed: Vec<_> = Mutations::of(game, &MutationOptions::only(operator)).iter().collect();
            let plain = others::changes(game, operator);
            assert_eq!(listed.len(), plain.len(), "{operator} of {} in {file}", game.name());
            for (mutation, change) in listed.iter().zip(plain) {
                let mut parts = Parts::of(game);
                change(&mut parts);
                let id = mutation.id(game);
                assert_eq!(mutation.apply(game), parts.build(), "{id} of {} in {file}", game.name());
            }
            let mut ids: Vec<String> = listed.iter().map(|mutation| mutation.id(game)).collect();
            ids.sort();
            ids.dedup();
            assert_eq!(
                ids.len(),
                listed.len(),
                "ids of {operator} of {} in {file}",
                game.name()
            );
            *totals.entry(operator).or_default() += listed.len();
        }
    }
    let nowhere: Vec<_> = totals
        .iter()
        .filter(|(_, total)| **total == 0)
        .map(|(operator, _)| operator.name())
        .collect();
    assert_eq!(nowhere, ["ASF"], "no model has brackets that matter: {totals:?}");
}

#[test]
fn every_operator_is_in_the_documentation_as_it_says_of_itself() {
    let page = include_str!("../../docs/book/src/operators.md");
    for operator in Operator::ALL {
        let row = format!(
            "| {operator} | {} | {} |",
            operator.summary(),
            operator.meaning().replace('|', "\\|")
        );
        assert!(page.contains(&row), "{row}");
    }
}

/// A condition on the integer and the select variable.
#[derive(Clone, Debug)]
enum Formula {
    Compared(BinaryOp, bool, u8),
    Flag,
    Not(Box<Formula>),
    Connected(BinaryOp, Box<Formula>, Box<Formula>),
}

impl Formula {
    fn expr(&self, has_select: bool) -> Expr {
        let int = || Expr::Var(IntId::from_index(0));
        let binary = |operator, left, right| Expr::Binary(operator, Box::new(left), Box::new(right));
        match self {
            Self::Compared(operator, with_select, constant) => {
                let left = match (with_select, has_select) {
                    (false, _) => int(),
                    (true, true) => binary(BinaryOp::Add, int(), Expr::Select(0)),
                    (true, false) => binary(BinaryOp::Mul, int(), int()),
                };
                binary(*operator, left, Expr::Const(i64::from(*constant)))
            }
            Self::Flag => int(),
            Self::Not(inner) => Expr::Unary(UnaryOp::Not, Box::new(inner.expr(has_select))),
            Self::Connected(operator, left, right) => binary(*operator, left.expr(has_select), right.expr(has_select)),
        }
    }
}

fn formula() -> impl Strategy<Value = Formula> {
    use BinaryOp::{And, Eq, Ge, Gt, Imply, Le, Lt, Ne, Or};
    let relation = proptest::sample::select(vec![Lt, Le, Eq, Ne, Ge, Gt]);
    let compared = (relation, prop::bool::weighted(0.2), 0u8..3);
    let single = prop_oneof![
        6 => compared.prop_map(|(operator, with_select, constant)| Formula::Compared(operator, with_select, constant)),
        1 => Just(Formula::Flag),
    ];
    single.prop_recursive(2, 6, 2, |inner| {
        let connective = prop_oneof![3 => Just(And), 3 => Just(Or), 1 => Just(Imply)];
        prop_oneof![
            1 => inner.clone().prop_map(|inner| Formula::Not(Box::new(inner))),
            4 => (connective, inner.clone(), inner)
                .prop_map(|(operator, left, right)| Formula::Connected(operator, Box::new(left), Box::new(right))),
        ]
    })
}

/// A game with composite conditions, and a question about mutants of all operators.
#[derive(Clone)]
pub struct Rich {
    pub case: Case,
    /// Of the first edges, what they ask of the integer besides.
    formulas: Vec<Option<Formula>>,
}

impl Rich {
    pub fn game(&self) -> Automaton {
        let mut parts = Parts::of(&self.case.game());
        if self.case.sketch.int.is_some() {
            for (edge, formula) in parts.edges.iter_mut().zip(&self.formulas) {
                let has_select = !edge.selects.is_empty();
                edge.guard
                    .data
                    .extend(formula.iter().map(|formula| formula.expr(has_select)));
            }
        }
        parts.build()
    }
}

impl fmt::Debug for Rich {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let game = self.game();
        writeln!(
            f,
            "{:?}\n{}\n{}",
            self.case.question,
            show(&game),
            write_automaton(&game)
        )
    }
}

pub fn rich(most: u64) -> impl Strategy<Value = Rich> {
    let operators = prop_oneof![
        2 => Just(further()),
        1 => Just(Operator::of_games().to_vec()),
        2 => proptest::sample::subsequence(Operator::of_games().to_vec(), 2..=6),
    ];
    let order = prop_oneof![3 => Just(1u8), 2 => Just(2u8)];
    let int = prop::option::weighted(0.6, 0u8..3);
    (
        (case(most), again()),
        operators,
        (order, int),
        vec(prop::option::weighted(0.6, formula()), 4),
    )
        .prop_map(|((mut case, again), operators, (order, int), formulas)| {
            case.sketch.int = int;
            case.question.options.operators = operators;
            case.question.options.again = again;
            case.question.order = order;
            Rich { case, formulas }
        })
}

/// Of the mutants whose last operator it is.
#[derive(Default)]
struct Row {
    mutants: u64,
    answers: BTreeMap<Answer, u64>,
    faults: u64,
    refused: u64,
}

#[derive(Default)]
struct Counts {
    games: u64,
    inconsistent: u64,
    verdicts: u64,
    rows: BTreeMap<(usize, String), Row>,
    orders: BTreeMap<u8, u64>,
}

impl Counts {
    fn page(&self) -> String {
        let mut page = String::new();
        let mut line = |text: String| writeln!(page, "{text}").expect("a text");
        let all: u64 = self.rows.values().map(|row| row.mutants).sum();
        let orders: Vec<String> = self
            .orders
            .iter()
            .map(|(order, n)| format!("{n} of order {order}"))
            .collect();
        line(format!(
            "{} games ({} inconsistent themselves), {all} mutants ({}); {} verdicts, 0 wrong.",
            self.games,
            self.inconsistent,
            orders.join(", "),
            self.verdicts
        ));
        line("\n| last operator | mutants | inconsistent | subsumed | non-subsumed | a run is an error | urgent channel with clocks: refused |".to_owned());
        line("|---|---:|---:|---:|---:|---:|---:|".to_owned());
        for ((_, operator), row) in &self.rows {
            let of = |answer| row.answers.get(&answer).copied().unwrap_or(0);
            line(format!(
                "| {operator} | {} | {} | {} | {} | {} | {} |",
                row.mutants,
                of(Answer::Inconsistent),
                of(Answer::Subsumed),
                of(Answer::NonSubsumed),
                row.faults,
                row.refused
            ));
        }
        page
    }

    fn add(&mut self, order: u8, record: &Record, answer: Option<Answer>) {
        let last = record.operators.last().expect("an operator").to_string();
        let at = AppliedOperator::all().position(|applied| applied.name() == last);
        let at = at.expect("an operator");
        let row = self.rows.entry((at, last)).or_default();
        row.mutants += 1;
        *self.orders.entry(order).or_default() += 1;
        match answer {
            None => row.faults += 1,
            Some(_) if record.verdict == Verdict::Invalid => row.refused += 1,
            Some(answer) => *row.answers.entry(answer).or_default() += 1,
        }
    }
}

fn check(rich: &Rich, counts: &RefCell<Counts>) -> Result<(), String> {
    let (game, question) = (rich.game(), &rich.case.question);
    let (space, selection) = question.mutants(&game)?;
    let numbers = selection.slice(0..selection.len());
    let mut counts = counts.borrow_mut();
    counts.games += 1;
    if decide(&game, &game, rules(question.semantics)) == Answer::SpecInconsistent {
        counts.inconsistent += 1;
        return Ok(());
    }
    let judged = PlainMutants::of(&game, question).judge(&space, &numbers)?;
    for (at, manner) in MANNERS.into_iter().chain([RULES_ONLY]).enumerate() {
        let found = question.answer(&game, (&space, &selection), (manner, rich.case.resumed))?;
        let (records, _) = found.ok_or("the game is not inconsistent")?;
        if records.len() != judged.len() {
            return Err(format!("{} records of {} mutants", records.len(), judged.len()));
        }
        for (judged, record) in judged.iter().zip(&records) {
            judged.check(record, manner)?;
            counts.verdicts += 1;
            if at == 0 {
                counts.add(question.order, record, judged.answer);
            }
        }
    }
    Ok(())
}

#[test]
fn every_verdict_on_other_operators_is_that_of_the_region_graphs() {
    let counts = RefCell::new(Counts::default());
    run::check(80, &rich(120), |rich| check(rich, &counts));
    let counts = counts.into_inner();
    let page = counts.page();
    println!("{page}");
    if let Ok(file) = std::env::var("TAMPER_COUNTS") {
        std::fs::write(file, &page).expect("the page is written");
    }
    for operator in further() {
        assert!(
            counts.rows.keys().any(|(_, name)| name == operator.name()),
            "no mutant by {operator}:\n{page}"
        );
    }
}

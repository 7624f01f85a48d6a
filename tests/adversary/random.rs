//! Random games: every verdict that `classify` writes about a mutant is that of the region graphs.

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};
use std::fmt::Write as _;

use super::classified::{MANNERS, Manner, Question, RULES_ONLY};
use super::games::{Case, case};
use super::plain::Plain;
use tamper::experiment::{Record, Selection, Summary, Verdict};
use tamper::game::{self, Semantics};
use tamper::model::{Automaton, Edge, Role};
use tamper::mutation::{MutantSpace, Mutations};
use testing::oracle::faults::has_fault;
use testing::oracle::refinement::{Answer, Rules, Unmatched, decide};
use testing::oracle::run;
use testing::oracle::show::show;

/// The oracle's word for a semantics.
pub fn rules(semantics: Semantics) -> Rules {
    Rules {
        unmatched: match semantics.unmatched {
            game::Unmatched::Reject => Unmatched::Reject,
            game::Unmatched::Ignore => Unmatched::Ignore,
        },
        prune: semantics.prune,
    }
}

/// Some mutants of a game, made by plain code.
pub struct PlainMutants<'a> {
    game: &'a Automaton,
    question: &'a Question,
    /// By the positions of the mutations.
    made: HashMap<Vec<usize>, Automaton>,
}

impl<'a> PlainMutants<'a> {
    pub fn of(game: &'a Automaton, question: &'a Question) -> Self {
        let made = HashMap::from([(Vec::new(), game.clone())]);
        Self { game, question, made }
    }

    /// The mutant of that number and the names of its operators; only the positions of its mutations are taken from tamper.
    pub fn mutant(&mut self, space: &MutantSpace, number: u64) -> Result<(Automaton, Vec<String>), String> {
        let (family, position) = space.locate(number).ok_or("no such number")?;
        let siblings = space.siblings(family).ok_or("no such family")?;
        let position_of = |(game, mutation): &(std::sync::Arc<Automaton>, _)| {
            let mutations = Mutations::of(game, &self.question.options);
            mutations.iter().position(|known| known == *mutation)
        };
        let path = siblings.steps().iter().map(position_of);
        let mut path: Vec<usize> = path.collect::<Option<_>>().ok_or("a mutation that is not listed")?;
        path.push(usize::try_from(position).expect("few"));
        let mut operators = Vec::new();
        for n_done in 0..path.len() {
            let before = &self.made[&path[..n_done]];
            let plain = Plain::of(before, &self.question.options);
            let n_listed = siblings.steps().get(n_done).map_or(siblings.last().len(), |(game, _)| {
                Mutations::of(game, &self.question.options).len()
            });
            if plain.len() as u64 != n_listed {
                return Err(format!("{n_listed} mutations are listed, there are {}", plain.len()));
            }
            operators.push(plain.operator(path[n_done]));
            if !self.made.contains_key(&path[..=n_done]) {
                let mutant = plain.mutant(path[n_done]);
                self.made.insert(path[..=n_done].to_vec(), mutant);
            }
        }
        Ok((self.made[&path].clone(), operators))
    }

    /// What the region graphs say about each.
    pub fn judge(&mut self, space: &MutantSpace, numbers: &[u64]) -> Result<Vec<Judged>, String> {
        let mut known: HashMap<String, Option<Answer>> = HashMap::new();
        let may_fail = !self.question.options.is_paper();
        let mut judged = Vec::new();
        for number in numbers {
            let (mutant, operators) = self.mutant(space, *number)?;
            let text = show(&mutant);
            let is_new = !known.contains_key(&text);
            let answer = *known.entry(text).or_insert_with(|| {
                let answer = || decide(&mutant, self.game, rules(self.question.semantics));
                let has_inputs = |game: &Automaton| game.actions().iter().any(|action| action.role == Role::Input);
                match may_fail && has_fault(&mutant) {
                    false => Some(answer()),
                    // A play without the fault outranks it where no input has to be answered.
                    true if has_inputs(&mutant) || has_inputs(self.game) => None,
                    true => Some(answer()).filter(|answer| *answer == Answer::NonSubsumed),
                }
            });
            judged.push(Judged {
                answer,
                operators,
                mutant,
                is_new,
            });
        }
        Ok(judged)
    }
}

/// A mutant and the right answer.
pub struct Judged {
    /// None if some run of the mutant is an error, and no other one tells it from the game.
    pub answer: Option<Answer>,
    pub operators: Vec<String>,
    mutant: Automaton,
    /// Whether it is not the same automaton as an earlier one.
    is_new: bool,
}

impl Judged {
    /// Whether the record says what is right.
    pub fn check(&self, record: &Record, manner: Manner) -> Result<(), String> {
        let is_bad = matches!(self.answer, Some(Answer::Subsumed | Answer::Inconsistent));
        let is_right = match record.verdict {
            Verdict::NonSubsumed => self.answer == Some(Answer::NonSubsumed),
            Verdict::Subsumed => self.answer == Some(Answer::Subsumed),
            Verdict::Inconsistent => self.answer == Some(Answer::Inconsistent),
            Verdict::SubsumedOrInconsistent => is_bad,
            Verdict::Unknown => record.violates.is_empty() && record.reason.as_deref() == Some(NOT_PLAYED),
            Verdict::Invalid => self.answer.is_none() || is_refused(record, &self.mutant),
        };
        let is_named = !record.violates.is_empty() || record.is_identified();
        if is_right && (is_bad || !is_named || record.verdict == Verdict::Invalid) && record.operators == self.operators
        {
            return Ok(());
        }
        Err(format!(
            "{manner:?}\nfound: {record:?}\nright: {:?}, {:?}\n{}",
            self.answer,
            self.operators,
            show(&self.mutant)
        ))
    }
}

/// Whether the mutant is refused because of an urgent channel, not because it has no meaning.
fn is_refused(record: &Record, mutant: &Automaton) -> bool {
    // What the record of a duplicate says is the reason of an earlier one.
    let reason = record.reason.as_deref();
    reason.is_none_or(|reason| reason.contains("is on an urgent channel but enabled for some"))
        && has_urgent_clocks(mutant)
}

/// Whether an edge on an urgent channel may be possible at some clock values of a state only.
fn has_urgent_clocks(game: &Automaton) -> bool {
    let is_urgent = |edge: &&std::sync::Arc<Edge>| game.actions()[edge.action].urgent;
    game.edges()
        .iter()
        .filter(is_urgent)
        .any(|edge| !edge.guard.clocks.is_empty() || !game.locations()[edge.target].invariant.clocks.is_empty())
}

const NOT_PLAYED: &str = "no game is played (--static-only)";

/// How often each thing occurred.
#[derive(Default)]
struct Counts {
    games: u64,
    inconsistent_games: u64,
    /// Per order: mutants, and those that are not the same automaton as another.
    mutants: BTreeMap<u8, (u64, u64)>,
    answers: BTreeMap<(String, Option<Answer>), u64>,
    /// What decided, by order.
    ways: BTreeMap<&'static str, BTreeMap<u8, u64>>,
    reasons: BTreeMap<String, u64>,
    /// Identity checks that decided where propositions are seen.
    identities_seen: u64,
}

impl Counts {
    fn count(&mut self, case: &Case, records: &[Record], summary: &Summary) {
        let question = &case.question;
        if case.sees_propositions {
            self.identities_seen += summary.methods().get("identity").copied().unwrap_or(0);
        }
        for (way, n) in summary.methods() {
            *self.ways.entry(*way).or_default().entry(question.order).or_default() += n;
        }
        for why in records.iter().filter_map(|record| record.why.as_deref()) {
            *self.reasons.entry(why.to_owned()).or_default() += 1;
        }
    }

    fn page(&self) -> String {
        let mut page = String::new();
        let (n_mutants, n_different) = self
            .mutants
            .values()
            .fold((0u64, 0u64), |(a, b), (c, d)| (a + c, b + d));
        let n_decisions: u64 = self.ways.values().flat_map(BTreeMap::values).sum();
        let mut line = |text: String| writeln!(page, "{text}").expect("a text");
        line(format!(
            "{} games ({} inconsistent themselves), {n_mutants} mutants, {n_different} of them different in their game; \
             {n_decisions} verdicts, 0 wrong.",
            self.games, self.inconsistent_games
        ));
        line("\n| order | mutants | different |\n|---|---:|---:|".to_owned());
        for (order, (all, different)) in &self.mutants {
            line(format!("| {order} | {all} | {different} |"));
        }
        line("\n| semantics | answer of the region graphs | mutants |\n|---|---|---:|".to_owned());
        for ((semantics, answer), n) in &self.answers {
            let answer = answer.map_or("an error".to_owned(), |answer| format!("{answer:?}"));
            line(format!("| {semantics} | {answer} | {n} |"));
        }
        line("\n| decided by | order 1 | order 2 | order 3 |\n|---|---:|---:|---:|".to_owned());
        for (way, by_order) in &self.ways {
            let n = |order| by_order.get(&order).copied().unwrap_or(0);
            line(format!("| {way} | {} | {} | {} |", n(1), n(2), n(3)));
        }
        line("\n| `why` of the extended guidelines | verdicts |\n|---|---:|".to_owned());
        for (why, n) in &self.reasons {
            line(format!("| {why} | {n} |"));
        }
        page
    }
}

fn check(case: &Case, counts: &RefCell<Counts>) -> Result<(), String> {
    let (game, question) = (case.game(), &case.question);
    let (space, selection) = question.mutants(&game)?;
    let numbers = selection.slice(0..selection.len());
    counts.borrow_mut().games += 1;
    let is_inconsistent = decide(&game, &game, rules(question.semantics)) == Answer::SpecInconsistent;
    if is_inconsistent {
        counts.borrow_mut().inconsistent_games += 1;
        let found = question.answer(&game, (&space, &selection), (MANNERS[0], false))?;
        return found.map_or(
            Ok(()),
            |_| Err("mutants of an inconsistent game are decided".to_owned()),
        );
    }
    let judged = PlainMutants::of(&game, question).judge(&space, &numbers)?;
    for manner in MANNERS.into_iter().chain([RULES_ONLY]) {
        let (records, summary) = answer(case, &game, (&space, &selection), manner)?;
        if records.len() != judged.len() {
            return Err(format!("{} records of {} mutants", records.len(), judged.len()));
        }
        let mut pairs = judged.iter().zip(&records);
        pairs.try_for_each(|(judged, record)| judged.check(record, manner))?;
        counts.borrow_mut().count(case, &records, &summary);
    }
    let mut counts = counts.borrow_mut();
    let counted = counts.mutants.entry(question.order).or_default();
    counted.0 += judged.len() as u64;
    counted.1 += judged.iter().filter(|judged| judged.is_new).count() as u64;
    for judged in judged {
        let key = (question.semantics.to_string(), judged.answer);
        *counts.answers.entry(key).or_default() += 1;
    }
    Ok(())
}

fn answer(
    case: &Case,
    game: &Automaton,
    mutants: (&MutantSpace, &Selection),
    manner: Manner,
) -> Result<(Vec<Record>, Summary), String> {
    let found = case.question.answer(game, mutants, (manner, case.resumed))?;
    found.ok_or_else(|| "the game is not inconsistent".to_owned())
}

/// All ways in which a verdict comes about.
const WAYS: [&str; 13] = [
    "consistency",
    "counterpart",
    "diagonal",
    "duplicate",
    "identity",
    "kept",
    "lemma",
    "nothing",
    "product",
    "relation",
    "replay",
    "rule",
    "strategy",
];

#[test]
fn every_verdict_of_classify_is_that_of_the_region_graphs() {
    let counts = RefCell::new(Counts::default());
    run::check(150, &case(200), |case| check(case, &counts));
    let counts = counts.into_inner();
    let page = counts.page();
    println!("{page}");
    if let Ok(file) = std::env::var("TAMPER_COUNTS") {
        std::fs::write(file, &page).expect("the page is written");
    }
    for way in WAYS {
        assert!(counts.ways.contains_key(way), "no verdict came about by {way}:\n{page}");
    }
    assert!(
        counts.identities_seen > 0,
        "no identity check where propositions are seen"
    );
    assert_eq!(counts.ways.len(), WAYS.len(), "an unknown way:\n{page}");
}

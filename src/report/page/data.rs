//! The mutants of a run, as the page has them.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;

use serde_json::{Map, Value, json};

use super::columns::{Table, packed};
use super::tests_of_suite::SuitePage;
use super::touched::{Origins, Part};
use crate::experiment::{DecidedBy, Kept, Verdict};
use crate::formats::escape_xml;
use crate::model::Automaton;
use crate::mutation::{Mutation, Operator, edge_name};
use crate::report::drawing::{Scene, scene_parts};

/// What stands at the top of a page.
#[derive(Clone, Debug)]
pub struct PageFacts {
    /// The model.
    pub title: String,
    /// How its mutants were made and decided.
    pub subtitle: String,
    /// Where the run is.
    pub folder: String,
    /// Whether the run recorded counterexamples.
    pub witnesses: bool,
}

/// The shared mutations of some mutants; none of mutants of order 1.
struct Earlier {
    id: String,
    operators: Vec<Operator>,
    parts: Vec<Part>,
    says: Vec<String>,
}

/// A last mutation: its id, and the part that it changes.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Last {
    id: String,
    part: Part,
    operator: Operator,
    says: String,
}

/// One mutant: a number in each column.
#[derive(Default)]
struct Columns {
    number: Vec<u64>,
    earlier: Vec<u64>,
    last: Vec<u64>,
    verdict: Vec<u64>,
    decided: Vec<u64>,
    violates: Vec<u64>,
    why: Vec<u64>,
    reason: Vec<u64>,
    witness: Vec<u64>,
    /// The row of the earlier mutant that is the same, from 1; else 0.
    duplicate: Vec<u64>,
}

/// The mutants of a run, in order.
pub struct RunPage {
    game: Automaton,
    /// The mutations that the last mutant shares with the ones before it, and what parts of the game theirs are.
    prefix: Option<(Vec<Mutation>, Origins)>,
    earlier: Vec<Earlier>,
    last: Table<Last>,
    violates: Table<Vec<Cow<'static, str>>>,
    /// Reasons, causes and counterexamples; the empty one first.
    texts: [Table<String>; 3],
    columns: Columns,
    rows: HashMap<Arc<str>, u64>,
}

impl RunPage {
    /// No mutant of `game` yet.
    pub fn new(game: &Automaton) -> Self {
        Self {
            game: game.clone(),
            prefix: None,
            earlier: Vec::new(),
            last: Table::with([]),
            violates: Table::with([Vec::new()]),
            texts: [(); 3].map(|()| Table::with([String::new()])),
            columns: Columns::default(),
            rows: HashMap::new(),
        }
    }

    /// Adds the next mutant.
    pub fn add(&mut self, kept: &Kept) {
        let Some((last, shared)) = kept.mutations.split_last() else {
            return;
        };
        let last_id = last.id(&kept.parent);
        let record = &kept.record;
        if self.prefix.as_ref().is_none_or(|(prefix, _)| prefix != shared) {
            let id = record.id.strip_suffix(&last_id).unwrap_or_default();
            self.begin(shared, id.strip_suffix(';').unwrap_or_default());
        }
        let part = self.prefix.as_ref().map_or(0, |(_, origins)| origins.part(last));
        let last = Last {
            id: last_id,
            part,
            operator: last.operator(),
            says: last.describe(&kept.parent),
        };
        let row = self.columns.number.len() as u64;
        let columns = &mut self.columns;
        columns.number.push(kept.number);
        columns.earlier.push(self.earlier.len() as u64 - 1);
        columns.last.push(self.last.number(&last));
        columns.verdict.push(position(&Verdict::ALL, &record.verdict));
        columns.decided.push(position(&DecidedBy::ALL, &record.decided_by));
        columns.violates.push(self.violates.number(&record.violates));
        let texts = [
            record.why.as_deref(),
            record.reason.as_deref(),
            record.witness.as_deref(),
        ];
        let into = [&mut columns.why, &mut columns.reason, &mut columns.witness];
        for ((text, table), column) in texts.into_iter().zip(&mut self.texts).zip(into) {
            column.push(table.number(&text.unwrap_or_default().to_owned()));
        }
        let same = record.duplicate_of.as_deref().and_then(|id| self.rows.get(id));
        columns.duplicate.push(same.map_or(0, |row| row + 1));
        self.rows.insert(record.id.as_str().into(), row);
    }

    /// Goes on to mutants with other shared mutations, whose ids are together `id`.
    fn begin(&mut self, shared: &[Mutation], id: &str) {
        let mut origins = Origins::of(&self.game);
        let mut automaton = self.game.clone();
        let (mut parts, mut says) = (Vec::new(), Vec::new());
        for mutation in shared {
            parts.push(origins.part(mutation));
            says.push(mutation.describe(&automaton));
            origins.apply(&automaton, mutation);
            automaton = mutation.apply(&automaton);
        }
        self.earlier.push(Earlier {
            id: id.to_owned(),
            operators: shared.iter().map(Mutation::operator).collect(),
            parts,
            says,
        });
        self.prefix = Some((shared.to_vec(), origins));
    }

    /// The row of the mutant with that id.
    pub fn row(&self, id: &str) -> Option<u64> {
        self.rows.get(id).copied()
    }

    /// The page, with the model drawn as `scene` has it.
    pub fn html(&self, facts: &PageFacts, scene: &Scene, suite: Option<&SuitePage>) -> String {
        // In a script element nothing ends a text but `</`.
        let data = self.data(facts, suite).to_string().replace('<', "\\u003c");
        let parts = [
            ("{{title}}", escape_xml(&facts.title)),
            ("{{style}}", include_str!("page.css").to_owned()),
            ("{{drawing}}", scene_parts(scene)),
            ("{{script}}", include_str!("page.js").to_owned()),
            ("{{data}}", data),
        ];
        let mut rest = include_str!("page.html");
        let mut page = String::new();
        while let Some((at, (mark, text))) = next(rest, &parts) {
            page.push_str(&rest[..at]);
            page.push_str(text);
            rest = &rest[at + mark.len()..];
        }
        page + rest
    }

    fn data(&self, facts: &PageFacts, suite: Option<&SuitePage>) -> Value {
        let operator = |operator: Operator| position(&Operator::ALL, &operator);
        let earlier = |value: fn(&Earlier) -> Value| self.earlier.iter().map(value).collect::<Vec<_>>();
        let last = |value: &dyn Fn(&Last) -> Value| self.last.values().iter().map(value).collect::<Vec<_>>();
        let operators = |one: &Earlier| one.operators.iter().map(|one| operator(*one)).collect::<Vec<_>>();
        let [why, reason, witness] = self.texts.each_ref().map(Table::values);
        let mut data = json!({
            "tool": format!("tamper {}", env!("CARGO_PKG_VERSION")),
            "title": facts.title,
            "subtitle": facts.subtitle,
            "folder": facts.folder,
            "witnesses": facts.witnesses,
            "mutants": self.columns.number.len(),
            "verdicts": Verdict::ALL.map(Verdict::name),
            "decided": DecidedBy::ALL.map(DecidedBy::name),
            "operators": Operator::ALL.map(|operator| operator.name()),
            "parts": self.parts(),
            "earlier": {
                "id": earlier(|one| json!(one.id)),
                "operators": self.earlier.iter().map(operators).collect::<Vec<_>>(),
                "parts": earlier(|one| json!(one.parts)),
                "says": earlier(|one| json!(one.says)),
            },
            "last": {
                "id": last(&|one| json!(one.id)),
                "operator": last(&|one| json!(operator(one.operator))),
                "part": last(&|one| json!(one.part)),
                "says": last(&|one| json!(one.says)),
            },
            "violates": self.violates.values(),
            "why": why,
            "reason": reason,
            "witness": witness,
            "columns": self.columns.packed(),
        });
        if let (Some(suite), Value::Object(data)) = (suite, &mut data) {
            data.extend(suite.data());
        }
        data
    }

    /// The names of the parts of the game.
    fn parts(&self) -> Vec<Value> {
        let edges = self.game.edges().ids();
        let edges = edges.map(|id| json!({ "kind": "edge", "name": edge_name(&self.game, id) }));
        let locations = self.game.locations().iter();
        let locations = locations.map(|location| json!({ "kind": "location", "name": &*location.name }));
        edges.chain(locations).collect()
    }
}

impl Columns {
    fn packed(&self) -> Map<String, Value> {
        let columns = [
            ("earlier", &self.earlier),
            ("last", &self.last),
            ("verdict", &self.verdict),
            ("decided", &self.decided),
            ("violates", &self.violates),
            ("why", &self.why),
            ("reason", &self.reason),
            ("witness", &self.witness),
            ("duplicate", &self.duplicate),
        ];
        // Of a run that looks at all mutants the rows are the numbers.
        let is_sample = self
            .number
            .last()
            .is_some_and(|last| last + 1 != self.number.len() as u64);
        let number = is_sample.then_some(("number", &self.number));
        let columns = columns.into_iter().chain(number);
        columns
            .map(|(name, column)| (name.to_owned(), packed(column)))
            .collect()
    }
}

/// The first of the marks in `text`, where it is, and what stands for it.
fn next<'p>(text: &str, parts: &'p [(&'static str, String)]) -> Option<(usize, (&'static str, &'p str))> {
    let found = parts
        .iter()
        .filter_map(|(mark, part)| Some((text.find(mark)?, (*mark, part.as_str()))));
    found.min_by_key(|(at, _)| *at)
}

fn position<T: PartialEq>(all: &[T], one: &T) -> u64 {
    all.iter().position(|other| other == one).unwrap_or_default() as u64
}

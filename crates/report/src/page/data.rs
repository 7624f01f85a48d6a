//! The mutants of a run, in the form that the page has.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use std::path::Path;
use std::sync::Arc;

use serde_json::{Map, Value, json};

use super::columns::{ValueTable, packed};
use super::listing::Listing;
use super::runs::RUN_SCRIPTS;
use super::shell::{self, PageParts};
use super::tests_of_suite::SuitePage;
use super::touched::{Origins, PartIndex};
use crate::drawing::{Scene, scene_parts};
use tamper_runs::{DecidedBy, GuidelineSet, Kept, Plan, Record, Verdict};
use tamper_text::xml::Element;
use tamper_timed::model::Automaton;
use tamper_timed::mutation::{AppliedOperator, Mutation, edge_name};
use tamper_untimed::{UntimedMutant, UntimedPlan, UntimedWorld};

/// The head of a page.
#[derive(Clone, Debug)]
pub struct PageFacts {
    /// The file and the template of the model.
    pub title: String,
    /// The order and the settings under which its mutants were made and decided.
    pub subtitle: String,
    /// The folder that holds the run.
    pub folder: String,
    /// Whether the run recorded counterexamples.
    pub witnesses: bool,
}

impl PageFacts {
    /// The facts about the run of `plan` in `folder`, which selected `selected` of `all` mutants.
    pub fn of(plan: &Plan, folder: &Path, selected: u64, all: u64) -> Self {
        let looked_at = looked_at(selected, all);
        let guidelines = match plan.guidelines {
            GuidelineSet::Published => "published",
            GuidelineSet::Extended => "extended",
        };
        Self {
            title: format!("{} · {}", plan.model.file, plan.model.template),
            subtitle: format!(
                "order {} · semantics {} · {guidelines} guidelines{looked_at}",
                plan.order.number(),
                plan.semantics.name()
            ),
            folder: folder.display().to_string(),
            witnesses: plan.witness,
        }
    }
}

impl PageFacts {
    /// The facts about the run of `plan` on mutants of an untimed system in `folder`, which selected `selected` of `all` mutants.
    pub fn of_untimed(plan: &UntimedPlan, folder: &Path, selected: u64, all: u64) -> Self {
        let kind = match plan.world {
            UntimedWorld::TransitionSystem => "transition system",
            UntimedWorld::ActionSystem => "action system",
            UntimedWorld::StateMachine => "state machine",
        };
        Self {
            title: plan.model.file.clone(),
            subtitle: format!("{kind}{}", looked_at(selected, all)),
            folder: folder.display().to_string(),
            witnesses: plan.witness,
        }
    }
}

/// A page that follows its model.
pub struct LivePage<'p> {
    /// A number that grows with every change.
    pub version: u64,
    /// The suite that was made for its mutants.
    pub suite: Option<&'p SuitePage>,
    /// While the mutants are decided: how many `done` of `all`. The page has a part of them.
    pub deciding: Option<Value>,
}

/// The part of a subtitle about a sample; empty if all mutants were selected.
fn looked_at(selected: u64, all: u64) -> String {
    match selected == all {
        true => String::new(),
        false => format!(" · {selected} of {all} mutants drawn"),
    }
}

/// The shared mutations of several mutants; empty for mutants of order 1.
struct Earlier {
    id: String,
    operators: Vec<&'static str>,
    parts: Vec<PartIndex>,
    says: Vec<String>,
}

/// A last mutation: its id, and the part that it changes.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Last {
    id: String,
    part: PartIndex,
    operator: &'static str,
    says: String,
    /// The process of a network that it changes.
    process: usize,
}

/// The mutants in columns: a number per mutant in each column.
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
    /// The row of the earlier mutant that is equal, from 1; else 0.
    duplicate: Vec<u64>,
    /// The number of the verdict on the process alone, from 1; else 0.
    alone: Vec<u64>,
}

/// The mutants of a run, in order.
///
/// The parts of a network's processes are numbered consecutively.
pub struct RunPage {
    /// The game, or the processes of a network that mutants change, with their names.
    games: Vec<(String, Automaton)>,
    is_network: bool,
    /// The text of a system without time, whose lines are its parts.
    listing: Option<Listing>,
    /// The process that the last mutant changes, the mutations that it shares with the mutants before it, and the origins of their parts.
    prefix: Option<(usize, Vec<Mutation>, Origins)>,
    earlier: Vec<Earlier>,
    last: ValueTable<Last>,
    violates: ValueTable<Vec<Cow<'static, str>>>,
    /// Reasons, causes and counterexamples; the empty one first.
    texts: [ValueTable<String>; 3],
    columns: Columns,
    rows: HashMap<Arc<str>, u64>,
    /// The counterexamples to be played, by row.
    plays: BTreeMap<u64, Value>,
}

impl RunPage {
    /// A page for mutants of `game`, without any yet.
    pub fn new(game: &Automaton) -> Self {
        Self::of_games(vec![(game.name().to_owned(), game.clone())], false)
    }

    /// A page for mutants of a network, without any yet; these processes are mutated.
    pub fn of_processes(processes: Vec<(String, Automaton)>) -> Self {
        Self::of_games(processes, true)
    }

    fn of_games(games: Vec<(String, Automaton)>, is_network: bool) -> Self {
        Self {
            games,
            is_network,
            listing: None,
            prefix: None,
            earlier: Vec::new(),
            last: ValueTable::with([]),
            violates: ValueTable::with([Vec::new()]),
            texts: [(); 3].map(|()| ValueTable::with([String::new()])),
            columns: Columns::default(),
            rows: HashMap::new(),
            plays: BTreeMap::new(),
        }
    }

    /// A page for mutants of a system without time, without any yet; its file has this text.
    pub fn of_text(text: &str) -> Self {
        Self {
            listing: Some(Listing::new(text)),
            earlier: vec![Earlier {
                id: String::new(),
                operators: Vec::new(),
                parts: Vec::new(),
                says: Vec::new(),
            }],
            ..Self::of_games(Vec::new(), false)
        }
    }

    /// Adds the next mutant of a system without time.
    pub fn add_untimed(&mut self, number: u64, mutant: &UntimedMutant, record: &Record) {
        let last = Last {
            id: record.id.clone(),
            part: mutant.line.saturating_sub(1),
            operator: mutant.operators.last().copied().unwrap_or_default(),
            says: mutant.says.clone(),
            process: 0,
        };
        if let Some(listing) = &mut self.listing {
            listing.mark(last.part);
        }
        let kill = record.kill.clone().unwrap_or_default();
        let by = match kill.by.as_slice() {
            [] => String::new(),
            by => format!("killed: {}", by.join(", ")),
        };
        let word = kill.word.unwrap_or_default().join(", ");
        let reason = record.reason.as_deref().unwrap_or_default();
        self.row_of(number, record, &last, [&by, reason, &word]);
    }

    /// Adds the next mutant.
    pub fn add(&mut self, kept: &Kept) {
        let Kept { record, mutant } = kept;
        let process = mutant.component();
        let mutations = mutant.of_component();
        let Some((last, shared)) = mutations.split_last() else {
            return;
        };
        // The ids of mutants of processes share no part.
        let last_id = match self.is_network {
            true => record.id.clone(),
            false => last.id(&mutant.parent),
        };
        let is_same = |(of, prefix, _): &(usize, Vec<Mutation>, Origins)| *of == process && prefix == shared;
        if !self.prefix.as_ref().is_some_and(is_same) {
            let id = record.id.strip_suffix(&last_id).unwrap_or_default();
            self.begin(process, shared, id.strip_suffix(';').unwrap_or_default());
        }
        let part = self
            .prefix
            .as_ref()
            .map_or(0, |(.., origins)| origins.part(&mutant.parent, last));
        let last = Last {
            id: last_id,
            part: part + self.first_part(process),
            operator: last.applied().name(),
            says: last.describe(&mutant.parent),
            process,
        };
        let texts = [
            record.why.as_deref(),
            record.reason.as_deref(),
            record.witness.as_deref(),
        ];
        self.row_of(mutant.number, record, &last, texts.map(Option::unwrap_or_default));
    }

    /// Appends the row of a mutant.
    fn row_of(&mut self, number: u64, record: &Record, last: &Last, texts: [&str; 3]) {
        let row = self.columns.number.len() as u64;
        let columns = &mut self.columns;
        columns.number.push(number);
        columns.earlier.push(self.earlier.len() as u64 - 1);
        columns.last.push(self.last.number(last));
        columns.verdict.push(position(&Verdict::ALL, &record.verdict));
        columns.decided.push(position(&DecidedBy::ALL, &record.decided_by));
        columns.violates.push(self.violates.number(&record.violates));
        let into = [&mut columns.why, &mut columns.reason, &mut columns.witness];
        for ((text, table), column) in texts.into_iter().zip(&mut self.texts).zip(into) {
            column.push(table.number(&text.to_owned()));
        }
        let same = record.duplicate_of.as_deref().and_then(|id| self.rows.get(id));
        columns.duplicate.push(same.map_or(0, |row| row + 1));
        let alone = record.alone.map_or(0, |verdict| position(&Verdict::ALL, &verdict) + 1);
        columns.alone.push(alone);
        self.rows.insert(record.id.as_str().into(), row);
    }

    /// Begins mutants with other shared mutations, which have the id `id` together.
    fn begin(&mut self, process: usize, shared: &[Mutation], id: &str) {
        let mut automaton = self.games[process].1.clone();
        let mut origins = Origins::of(&automaton);
        let (mut parts, mut says) = (Vec::new(), Vec::new());
        for mutation in shared {
            parts.push(origins.part(&automaton, mutation));
            says.push(mutation.describe(&automaton));
            origins.apply(&automaton, mutation);
            automaton = mutation.apply(&automaton);
        }
        self.earlier.push(Earlier {
            id: id.to_owned(),
            operators: shared.iter().map(|mutation| mutation.applied().name()).collect(),
            parts,
            says,
        });
        self.prefix = Some((process, shared.to_vec(), origins));
    }

    /// The number of the first part of that process.
    fn first_part(&self, process: usize) -> PartIndex {
        let parts = |(_, game): &(String, Automaton)| game.edges().len() + game.locations().len();
        self.games[..process].iter().map(parts).sum()
    }

    /// The number of the part for a location of a process, both counted from 0.
    pub fn location_part(&self, process: usize, location: usize) -> usize {
        self.first_part(process) + self.games[process].1.edges().len() + location
    }

    /// The row of the mutant with that id.
    pub fn row(&self, id: &str) -> Option<u64> {
        self.rows.get(id).copied()
    }

    /// Adds the counterexample of the mutant that was added last, in the form of [`PlayedGames`](super::PlayedGames).
    pub fn add_play(&mut self, play: Value) {
        let row = self.columns.number.len().saturating_sub(1);
        self.plays.insert(row as u64, play);
    }

    /// The number of counterexamples that can be played.
    pub fn n_plays(&self) -> usize {
        self.plays.len()
    }

    /// The page, with `scenes` as the drawings of the game or of each process.
    pub fn html(&self, facts: &PageFacts, scenes: &[Scene], suite: Option<&SuitePage>) -> String {
        self.with_data(facts, scenes, &self.data(facts, suite))
    }

    /// The page as a server shows it: it asks for newer versions, and for counterexamples to be played.
    pub fn live_html(&self, facts: &PageFacts, scenes: &[Scene], live: &LivePage<'_>) -> String {
        self.with_data(facts, scenes, &self.live_data(facts, live))
    }

    /// The message that brings a live page to a new version.
    pub fn news(&self, facts: &PageFacts, scenes: &[Scene], live: &LivePage<'_>) -> Value {
        let data = self.live_data(facts, live);
        json!({ "version": live.version, "data": data, "drawing": self.drawing(scenes) })
    }

    fn live_data(&self, facts: &PageFacts, live: &LivePage<'_>) -> Value {
        let mut data = self.data(facts, live.suite);
        data["live"] = json!(live.version);
        data["deciding"] = json!(live.deciding);
        data
    }

    fn with_data(&self, facts: &PageFacts, scenes: &[Scene], data: &Value) -> String {
        let body = include_str!("page.html").replace("{{drawing}}", &self.drawing(scenes));
        let asks = data.get("live").is_some();
        let mut styles = vec![include_str!("workbench.css")];
        let mut scripts = vec![
            include_str!("mutants.js"),
            include_str!("trace.js"),
            include_str!("frames.js"),
            include_str!("drawing.js"),
            include_str!("charts.js"),
        ];
        // Only a server can make and run tests.
        if asks {
            styles.push(include_str!("runs.css"));
            scripts.extend(RUN_SCRIPTS);
            scripts.push(include_str!("suites.js"));
        }
        scripts.extend([
            include_str!("page.js"),
            include_str!("keys.js"),
            include_str!("live.js"),
        ]);
        let parts = PageParts {
            title: &facts.title,
            styles: &styles,
            body: &body,
            scripts: &scripts,
            asks,
        };
        shell::html(parts, data)
    }

    /// The drawing of the game or of each process, or the text of a system without time.
    fn drawing(&self, scenes: &[Scene]) -> String {
        if let Some(listing) = &self.listing {
            return listing.html();
        }
        let figure = |(at, (scene, (name, _))): (usize, (&Scene, &(String, Automaton)))| {
            let figure = Element::new("figure").with("data-first", self.first_part(at));
            if !self.is_network {
                return figure.markup(scene_parts(scene)).to_string();
            }
            let choice = Element::new("button").with("type", "button").text(name);
            let view = Element::new("div").with("class", "view").markup(scene_parts(scene));
            figure
                .child(Element::new("figcaption").child(choice))
                .child(view)
                .to_string()
        };
        scenes.iter().zip(&self.games).enumerate().map(figure).collect()
    }

    fn data(&self, facts: &PageFacts, suite: Option<&SuitePage>) -> Value {
        let listed = self.operators();
        let operator = |operator: &'static str| position(&listed, &operator);
        let earlier = |value: fn(&Earlier) -> Value| self.earlier.iter().map(value).collect::<Vec<_>>();
        let last = |value: &dyn Fn(&Last) -> Value| self.last.values().iter().map(value).collect::<Vec<_>>();
        let operators = |one: &Earlier| one.operators.iter().map(|one| operator(one)).collect::<Vec<_>>();
        let [why, reason, witness] = self.texts.each_ref().map(ValueTable::values);
        let mut data = json!({
            "tool": format!("tamper {}", env!("CARGO_PKG_VERSION")),
            "title": facts.title,
            "subtitle": facts.subtitle,
            "folder": facts.folder,
            "witnesses": facts.witnesses,
            "mutants": self.columns.number.len(),
            "verdicts": Verdict::ALL.map(Verdict::name),
            "decided": DecidedBy::ALL.map(DecidedBy::name),
            "operators": listed,
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
                "process": last(&|one| json!(one.process)),
            },
            "processes": self.is_network.then(|| self.games.iter().map(|(name, _)| name).collect::<Vec<_>>()),
            "violates": self.violates.values(),
            "why": why,
            "reason": reason,
            "witness": witness,
            "columns": self.columns.packed(),
            "plays": self.plays,
        });
        if let Value::Object(data) = &mut data {
            data.extend(suite.map(SuitePage::data).into_iter().flatten());
            data.extend(self.listing.is_some().then(|| ("untimed".to_owned(), json!(true))));
        }
        data
    }

    /// The operators that the page lists: the paper's operators if the mutants use no others, else all operators for this kind of model;
    /// with memory, and of a program's own, those only that the mutants use.
    fn operators(&self) -> Vec<&'static str> {
        let mut used: Vec<&'static str> = self.earlier.iter().flat_map(|one| one.operators.clone()).collect();
        used.extend(self.last.values().iter().map(|one| one.operator));
        if self.listing.is_some() {
            let mut firsts = Vec::new();
            for operator in used {
                if !firsts.contains(&operator) {
                    firsts.push(operator);
                }
            }
            firsts
        } else {
            let is_used = |applied: &AppliedOperator| used.contains(&applied.name());
            let is_paper = |applied: &AppliedOperator| applied.again || applied.operator.is_paper();
            let is_of_paper = AppliedOperator::all().filter(is_used).all(|applied| is_paper(&applied));
            let is_listed = |applied: &AppliedOperator| match applied.again || applied.operator.is_own() {
                true => is_used(applied),
                false => !is_of_paper || is_paper(applied),
            };
            AppliedOperator::all()
                .filter(is_listed)
                .map(AppliedOperator::name)
                .collect()
        }
    }

    /// The names of the parts of the game.
    fn parts(&self) -> Vec<Value> {
        if let Some(listing) = &self.listing {
            return listing.parts();
        }
        let of_game = |(process, game): &(String, Automaton)| {
            let named = |name: &str| match self.is_network {
                true => format!("{process}/{name}"),
                false => name.to_owned(),
            };
            let edges = game.edges().ids();
            let edges = edges.map(|id| json!({ "kind": "edge", "name": named(&edge_name(game, id)) }));
            let locations = game.locations().iter();
            let locations = locations.map(|location| json!({ "kind": "location", "name": named(&location.name) }));
            edges.chain(locations).collect::<Vec<_>>()
        };
        self.games.iter().flat_map(of_game).collect()
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
        // If a run selects all mutants, the rows are the numbers.
        let is_sample = self
            .number
            .last()
            .is_some_and(|last| last + 1 != self.number.len() as u64);
        let number = is_sample.then_some(("number", &self.number));
        let has_alone = self.alone.iter().any(|alone| *alone > 0);
        let alone = has_alone.then_some(("alone", &self.alone));
        let columns = columns.into_iter().chain(number).chain(alone);
        columns
            .map(|(name, column)| (name.to_owned(), packed(column)))
            .collect()
    }
}

fn position<T: PartialEq>(all: &[T], one: &T) -> u64 {
    all.iter().position(|other| other == one).unwrap_or_default() as u64
}

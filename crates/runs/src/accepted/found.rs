//! Rows and older models compared with the mutants of a model.

use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use std::ops::Range;

use super::content::{Content, Description};
use toml::value::Date;

use super::{AcceptedFile, AcceptedMutant};
use crate::Subject;
use crate::error::{ExperimentError, Result};

/// The largest number of mutants that are gone through.
const MOST: u64 = 4_000_000;

/// The number of mutants that are described at once.
const CHUNK: u64 = 4096;

/// All mutants of a model, described on demand.
pub struct Mutants<'m> {
    /// How many there are.
    pub len: u64,
    /// Describes those with these numbers, in order.
    pub described: &'m dyn Fn(Range<u64>) -> Result<Vec<Description>>,
}

impl Mutants<'_> {
    /// Hands each mutant to `take`, in the order of the numbers.
    ///
    /// # Errors
    /// If there are too many, or one cannot be made.
    pub fn each(&self, take: &mut dyn FnMut(&Description)) -> Result<()> {
        if self.len > MOST {
            return Err(ExperimentError::Refused(format!(
                "{} mutants are too many to be compared by their contents (the most are {MOST}): use a lower --order or fewer --operators",
                self.len
            )));
        }
        let mut start = 0;
        while start < self.len {
            let end = (start + CHUNK).min(self.len);
            (self.described)(start..end)?.iter().for_each(&mut *take);
            start = end;
        }
        Ok(())
    }
}

impl Mutants<'_> {
    /// The mutants with these ids, in their order.
    ///
    /// # Errors
    /// If there is no such mutant: the error names the nearest.
    pub fn named(&self, ids: &[String]) -> Result<Vec<Description>> {
        let mut found: Vec<Option<Description>> = vec![None; ids.len()];
        self.each(&mut |mutant| {
            for (id, found) in ids.iter().zip(&mut found) {
                if mutant.id() == id {
                    *found = Some(mutant.clone());
                }
            }
        })?;
        if let Some(at) = found.iter().position(Option::is_none) {
            return Err(self.unknown(&ids[at])?);
        }
        Ok(found.into_iter().flatten().collect())
    }

    fn unknown(&self, id: &str) -> Result<ExperimentError> {
        let mut nearest: Option<(usize, String)> = None;
        self.each(&mut |mutant| {
            let distance = strsim::levenshtein(id, mutant.id());
            if nearest.as_ref().is_none_or(|(least, _)| distance < *least) {
                nearest = Some((distance, mutant.id().to_owned()));
            }
        })?;
        let advice = match nearest {
            Some((distance, near)) if distance <= 1 + id.len() / 4 => format!("do you mean `{near}`?"),
            _ => "an id is as `tamper score` and `tamper classify` show it; --order, --operators and --mutate say of which \
                mutants"
                .to_owned(),
        };
        Ok(ExperimentError::Refused(format!(
            "the model has no mutant `{id}`: {advice}"
        )))
    }
}

/// What a command asks about: rows about other mutants are left alone.
#[derive(Clone, Copy, Debug)]
pub struct Asked<'a> {
    /// The operators of its mutants.
    pub operators: &'a [&'static str],
    /// Their number of mutations.
    pub order: usize,
    /// Whether these are all mutants that a condition may be about; else one that none satisfies is left alone, too.
    pub is_whole: bool,
    /// Today: rows until an earlier day do not count.
    pub today: Date,
}

/// The accepted mutants of a model.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct AcceptedFound {
    /// The reason of each accepted mutant, by its id.
    pub reasons: BTreeMap<String, String>,
    /// The rows that accept nothing, in the order of the file.
    pub lost: Vec<LostRow>,
}

impl AcceptedFound {
    /// Hands those of `mutants` that are accepted, known by their ids, to `accept`, each with the reason.
    pub fn accept<T>(&self, mutants: &mut [T], id: impl Fn(&T) -> &str, accept: impl Fn(&mut T, &str)) {
        for mutant in mutants {
            if let Some(reason) = self.reasons.get(id(mutant)) {
                accept(mutant, reason);
            }
        }
    }
}

/// A row that accepts no mutant.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("accepts nothing: {row}: {why} (reason: {reason})")]
pub struct LostRow {
    /// Where it stands.
    pub at: RowPosition,
    /// The id, or the condition.
    pub row: String,
    /// The reason that the row gives.
    pub reason: String,
    /// Why it accepts nothing.
    pub why: LostReason,
}

/// The position of a row among the mutants or the conditions of its file.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum RowPosition {
    /// That of a single mutant.
    Mutant(usize),
    /// That of a condition.
    Condition(usize),
}

/// Why a row accepts no mutant.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum LostReason {
    /// There is no such mutant any more.
    #[error("the model has no such mutant any more")]
    Gone,
    /// The changed part is another one now.
    #[error("the mutant has changed: it was accepted of `{was}`, and is now of `{is}`")]
    Changed {
        /// The part when the mutant was accepted.
        was: String,
        /// The part now.
        is: String,
    },
    /// Its last day is over.
    #[error("it was accepted until {0}")]
    Over(Date),
}

impl AcceptedFile {
    /// Whether it has no rows.
    pub fn is_empty(&self) -> bool {
        self.mutants.is_empty() && self.conditions.is_empty()
    }

    /// Removes these rows of the file. Others of the same id stay: an old row of a mutant that has changed may stand beside a new one.
    pub fn remove_lost(&mut self, lost: &[LostRow]) {
        let lost: HashSet<RowPosition> = lost.iter().map(|lost| lost.at).collect();
        let mut mutants = (0..).map(RowPosition::Mutant);
        self.mutants
            .retain(|_| mutants.next().is_some_and(|at| !lost.contains(&at)));
        let mut conditions = (0..).map(RowPosition::Condition);
        self.conditions
            .retain(|_| conditions.next().is_some_and(|at| !lost.contains(&at)));
    }

    /// The mutants that the rows accept. Of mutants of the same content each row accepts one, in the order of their numbers.
    ///
    /// # Errors
    /// As [`Mutants::each`].
    pub fn among(&self, mutants: &Mutants<'_>, asked: Asked<'_>) -> Result<AcceptedFound> {
        if self.is_empty() {
            return Ok(AcceptedFound::default());
        }
        let mut matching = Matching::new(self, asked);
        mutants.each(&mut |mutant| matching.take(mutant))?;
        Ok(matching.done())
    }
}

/// Rows and the mutants so far.
struct Matching<'f> {
    file: &'f AcceptedFile,
    asked: Asked<'f>,
    /// The rows of a content that no mutant has met yet, by their positions.
    rows: HashMap<&'f Content, VecDeque<usize>>,
    /// The changes that rows are about, each with its game.
    named: HashSet<(&'f str, &'f str)>,
    /// What these changes are now changes of.
    now: HashMap<(String, String), String>,
    /// The games that mutants change.
    games: HashSet<String>,
    /// For each row whether a mutant has met it.
    is_met: Vec<bool>,
    /// For each condition whether a mutant satisfies it.
    keeps: Vec<bool>,
    reasons: BTreeMap<String, String>,
}

impl<'f> Matching<'f> {
    fn new(file: &'f AcceptedFile, asked: Asked<'f>) -> Self {
        let mut rows = HashMap::<&Content, VecDeque<usize>>::new();
        for (at, row) in file.mutants.iter().enumerate() {
            rows.entry(&row.content).or_default().push_back(at);
        }
        Self {
            rows,
            named: file.mutants.iter().map(|row| of_game(&row.content)).collect(),
            now: HashMap::new(),
            games: HashSet::new(),
            is_met: vec![false; file.mutants.len()],
            keeps: vec![false; file.conditions.len()],
            reasons: BTreeMap::new(),
            file,
            asked,
        }
    }

    /// The last day of a row, if it is over.
    fn over(&self, until: Option<Date>) -> Option<Date> {
        until.filter(|until| *until < self.asked.today)
    }

    fn take(&mut self, mutant: &Description) {
        let content = &mutant.content;
        if !self.games.contains(&content.game) {
            self.games.insert(content.game.clone());
        }
        if self.named.contains(&of_game(content)) {
            let key = (content.change.clone(), content.game.clone());
            self.now.entry(key).or_insert_with(|| content.of.clone());
        }
        if let Some(at) = self.rows.get_mut(content).and_then(VecDeque::pop_front) {
            self.is_met[at] = true;
            let row = &self.file.mutants[at];
            if self.over(row.until).is_none() {
                self.reasons.insert(mutant.id().to_owned(), row.reason.clone());
            }
        }
        for (at, row) in self.file.conditions.iter().enumerate() {
            let subject = Subject {
                number: mutant.number,
                record: &mutant.record,
                places: &mutant.places,
            };
            if row.keep.keeps(subject) {
                self.keeps[at] = true;
                if self.over(row.until).is_none() {
                    let reason = self.reasons.entry(mutant.id().to_owned());
                    reason.or_insert_with(|| row.reason.clone());
                }
            }
        }
    }

    fn done(self) -> AcceptedFound {
        let mut lost = Vec::new();
        for (at, row) in self.file.mutants.iter().enumerate() {
            if let Some(why) = self.lost(at, row) {
                let at = RowPosition::Mutant(at);
                lost.push(LostRow::new(at, &row.id, &row.reason, why));
            }
        }
        for (at, (row, keeps)) in self.file.conditions.iter().zip(&self.keeps).enumerate() {
            let why = match self.over(row.until) {
                Some(until) => LostReason::Over(until),
                None if *keeps || !self.asked.is_whole => continue,
                None => LostReason::Gone,
            };
            let at = RowPosition::Condition(at);
            let text = row.comment.as_deref().unwrap_or_else(|| row.keep.text());
            lost.push(LostRow::new(at, text, &row.reason, why));
        }
        AcceptedFound {
            reasons: self.reasons,
            lost,
        }
    }

    /// Why a row accepts nothing; `None` if it does, or is not asked about.
    fn lost(&self, at: usize, row: &AcceptedMutant) -> Option<LostReason> {
        let content = &row.content;
        if self.is_met[at] {
            return self.over(row.until).map(LostReason::Over);
        }
        let is_one = |operator: &String| self.asked.operators.contains(&operator.as_str());
        let is_of_order = row.operators.len() == self.asked.order;
        if !is_of_order || !row.operators.iter().all(is_one) || !self.games.contains(&content.game) {
            return None;
        }
        let is = self.now.get(&(content.change.clone(), content.game.clone()));
        Some(match is.filter(|is| **is != content.of) {
            Some(is) => LostReason::Changed {
                was: content.of.clone(),
                is: is.clone(),
            },
            None => LostReason::Gone,
        })
    }
}

impl LostRow {
    fn new(at: RowPosition, row: &str, reason: &str, why: LostReason) -> Self {
        Self {
            at,
            row: row.to_owned(),
            reason: reason.to_owned(),
            why,
        }
    }
}

fn of_game(content: &Content) -> (&str, &str) {
    (&content.change, &content.game)
}

/// The mutants of `new` that `old` does not have, their ids by their numbers: of mutants of the same content as many as `new`
/// has more, the last ones.
///
/// # Errors
/// As [`Mutants::each`].
pub fn changed(old: &Mutants<'_>, new: &Mutants<'_>) -> Result<BTreeMap<u64, String>> {
    let mut known = HashMap::<Content, u64>::new();
    old.each(&mut |mutant| *known.entry(mutant.content.clone()).or_default() += 1)?;
    let mut changed = BTreeMap::new();
    new.each(&mut |mutant| match known.get_mut(&mutant.content) {
        Some(left) if *left > 0 => *left -= 1,
        _ => {
            changed.insert(mutant.number, mutant.id().to_owned());
        }
    })?;
    Ok(changed)
}

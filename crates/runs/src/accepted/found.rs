//! Rows and older models compared with the mutants of a model.

use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use std::ops::Range;

use super::content::{Content, Description};
use super::{AcceptedFile, Date};
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

/// A row that accepts no mutant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LostRow {
    /// The id, or the condition.
    pub row: String,
    /// The reason that the row gives.
    pub reason: String,
    /// Why it accepts nothing.
    pub why: LostReason,
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
    /// The mutants that the rows accept. Of mutants of the same content each row accepts one, in the order of their numbers.
    ///
    /// # Errors
    /// As [`Mutants::each`].
    pub fn among(&self, mutants: &Mutants<'_>, asked: Asked<'_>) -> Result<AcceptedFound> {
        let mut found = AcceptedFound::default();
        if self.mutants.is_empty() && self.conditions.is_empty() {
            return Ok(found);
        }
        let mut rows = HashMap::<&Content, VecDeque<usize>>::new();
        for (at, row) in self.mutants.iter().enumerate() {
            rows.entry(&row.content).or_default().push_back(at);
        }
        let named: HashSet<(&str, &str)> = self.mutants.iter().map(|row| of_game(&row.content)).collect();
        let is_over = |until: Option<Date>| until.filter(|until| *until < asked.today);
        let mut is_met = vec![false; self.mutants.len()];
        let mut keeps = vec![false; self.conditions.len()];
        let (mut now, mut games) = (HashMap::<(String, String), String>::new(), HashSet::new());
        mutants.each(&mut |mutant| {
            let content = &mutant.content;
            games.insert(content.game.clone());
            if named.contains(&of_game(content)) {
                let key = (content.change.clone(), content.game.clone());
                now.entry(key).or_insert_with(|| content.of.clone());
            }
            let row = rows.get_mut(content).and_then(VecDeque::pop_front);
            let row = row.inspect(|at| is_met[*at] = true).map(|at| &self.mutants[at]);
            if let Some(row) = row.filter(|row| is_over(row.until).is_none()) {
                found.reasons.insert(mutant.id().to_owned(), row.reason.clone());
            }
            for (at, row) in self.conditions.iter().enumerate() {
                let subject = Subject {
                    number: mutant.number,
                    record: &mutant.record,
                    places: &mutant.places,
                };
                if row.keep.keeps(subject) {
                    keeps[at] = true;
                    if is_over(row.until).is_none() {
                        let reason = found.reasons.entry(mutant.id().to_owned());
                        reason.or_insert_with(|| row.reason.clone());
                    }
                }
            }
        })?;
        let is_asked = |operators: &[String], game: &String| {
            let is_one = |operator: &String| asked.operators.contains(&operator.as_str());
            operators.len() == asked.order && operators.iter().all(is_one) && (games.contains(game))
        };
        for (at, row) in self.mutants.iter().enumerate() {
            let key = (row.content.change.clone(), row.content.game.clone());
            let why = match (is_met[at], is_over(row.until), now.get(&key)) {
                (true, Some(until), _) => LostReason::Over(until),
                (true, None, _) => continue,
                _ if !is_asked(&row.operators, &row.content.game) => continue,
                (false, _, Some(is)) if *is != row.content.of => LostReason::Changed {
                    was: row.content.of.clone(),
                    is: is.clone(),
                },
                (false, ..) => LostReason::Gone,
            };
            found.lost.push(LostRow::new(&row.id, &row.reason, why));
        }
        for (row, keeps) in self.conditions.iter().zip(keeps) {
            let why = match is_over(row.until) {
                Some(until) => LostReason::Over(until),
                None if keeps => continue,
                None => LostReason::Gone,
            };
            found.lost.push(LostRow::new(row.keep.text(), &row.reason, why));
        }
        Ok(found)
    }
}

impl LostRow {
    fn new(row: &str, reason: &str, why: LostReason) -> Self {
        Self {
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

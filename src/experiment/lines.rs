//! Records as text, many at once: what [`Record`](super::Record) is, written without making one.

use std::io::Write as _;

use anyhow::Result;
use smallvec::SmallVec;

use super::{DecidedBy, Judgement, Verdict};
use crate::guidelines::Rule;
use crate::mutation::Operator;

/// The operators of a mutant, in order of application.
pub(super) type Operators = SmallVec<[Operator; 6]>;

/// What a record says besides its id.
pub(super) struct Line<'a> {
    /// In order of application.
    pub operators: Operators,
    /// Of all mutations, or none.
    pub rules: SmallVec<[Rule; 3]>,
    pub why: Option<&'static str>,
    pub judgement: &'a Judgement,
    pub duplicate_of: Option<&'a str>,
}

/// What lists and counts need of a record.
#[derive(Clone, Copy, Debug)]
pub struct Facts<'a> {
    /// What the mutant is.
    pub id: &'a str,
    /// What is known about it.
    pub verdict: Verdict,
    /// What gave the verdict.
    pub decided_by: DecidedBy,
    /// Whether guidelines name all its mutations.
    pub violates: bool,
    /// Whether only the extended guidelines name it.
    pub identified: bool,
}

impl Facts<'_> {
    /// Whether some guideline names it and it is non-subsumed all the same.
    pub fn is_unsound(&self) -> bool {
        (self.violates || self.identified) && self.verdict == Verdict::NonSubsumed
    }
}

/// Lines of `mutants.jsonl` and what lists and counts need of each.
#[derive(Default)]
pub(super) struct Lines<'a> {
    parts: Vec<Part<'a>>,
}

#[derive(Default)]
struct Part<'a> {
    text: Vec<u8>,
    /// Where each line ends.
    records: Vec<(usize, Facts<'a>, Operators)>,
}

impl<'a> Lines<'a> {
    /// One after the other.
    pub fn joined(lines: Vec<Self>) -> Self {
        Self {
            parts: lines.into_iter().flat_map(|lines| lines.parts).collect(),
        }
    }

    /// The facts, operators and line of each.
    pub fn iter(&self) -> impl Iterator<Item = (Facts<'a>, &[Operator], &[u8])> {
        self.parts.iter().flat_map(|part| {
            let mut start = 0;
            part.records.iter().map(move |(end, facts, operators)| {
                let line = &part.text[start..*end];
                start = *end;
                (*facts, &operators[..], line)
            })
        })
    }

    /// Appends a record.
    pub fn push(&mut self, (id, line): (&'a str, Line<'_>)) -> Result<()> {
        if self.parts.is_empty() {
            self.parts.push(Part::default());
        }
        let Some(part) = self.parts.last_mut() else {
            return Ok(());
        };
        push_line(&mut part.text, id, &line)?;
        let facts = Facts {
            id,
            verdict: line.judgement.verdict,
            decided_by: line.judgement.decided_by,
            violates: !line.rules.is_empty(),
            identified: line.why.is_some_and(|why| why != super::judge::BY_THE_GAME),
        };
        part.records.push((part.text.len(), facts, line.operators));
        Ok(())
    }
}

fn push_line(out: &mut Vec<u8>, id: &str, line: &Line<'_>) -> Result<()> {
    let judgement = line.judgement;
    out.extend_from_slice(b"{\"id\":");
    push_text(out, id)?;
    out.extend_from_slice(b",\"order\":");
    write!(out, "{}", line.operators.len())?;
    out.extend_from_slice(b",\"operators\":[");
    push_names(out, line.operators.iter().map(|operator| operator.name()));
    out.extend_from_slice(b"],\"violates\":[");
    push_names(out, line.rules.iter().map(|rule| rule.name()));
    out.extend_from_slice(b"],\"verdict\":\"");
    out.extend_from_slice(judgement.verdict.name().as_bytes());
    out.push(b'"');
    if let Some(why) = line.why {
        out.extend_from_slice(b",\"why\":");
        push_text(out, why)?;
    }
    out.extend_from_slice(b",\"decided_by\":\"");
    out.extend_from_slice(judgement.decided_by.name().as_bytes());
    out.push(b'"');
    let optional = [
        (&b",\"duplicate_of\":"[..], line.duplicate_of),
        (b",\"reason\":", judgement.reason.as_deref()),
        (b",\"witness\":", judgement.witness.as_deref()),
    ];
    for (key, text) in optional {
        if let Some(text) = text {
            out.extend_from_slice(key);
            push_text(out, text)?;
        }
    }
    out.extend_from_slice(b"}\n");
    Ok(())
}

/// Names that need no escape, quoted.
fn push_names<'n>(out: &mut Vec<u8>, names: impl Iterator<Item = &'n str>) {
    for (at, name) in names.enumerate() {
        out.extend_from_slice(if at == 0 { b"\"" } else { b",\"" });
        out.extend_from_slice(name.as_bytes());
        out.push(b'"');
    }
}

fn push_text(out: &mut Vec<u8>, text: &str) -> Result<()> {
    let is_plain = |byte: &u8| *byte >= 0x20 && *byte != b'"' && *byte != b'\\';
    if text.as_bytes().iter().all(is_plain) {
        out.push(b'"');
        out.extend_from_slice(text.as_bytes());
        out.push(b'"');
        return Ok(());
    }
    Ok(serde_json::to_writer(out, text)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::Record;

    #[test]
    fn a_line_is_the_record_that_serde_would_write() {
        let cases = [
            (None, None, None, DecidedBy::Rule, Verdict::Subsumed),
            (
                Some("a;\"b\\"),
                Some("refines by the game"),
                Some("+1/2 a!; \u{7}é"),
                DecidedBy::Duplicate,
                Verdict::Error,
            ),
            (
                None,
                Some("dead guard"),
                Some("\n"),
                DecidedBy::Identity,
                Verdict::SubsumedOrInconsistent,
            ),
            (None, None, None, DecidedBy::Game, Verdict::NonSubsumed),
            (None, None, None, DecidedBy::Nothing, Verdict::Unknown),
        ];
        for (duplicate_of, why, text, decided_by, verdict) in cases {
            for first in [None, Some((Operator::Tad, Rule::L2))] {
                let judgement = Judgement {
                    verdict,
                    decided_by,
                    reason: text.map(str::to_owned),
                    witness: text.map(|text| format!("{text}{text}")),
                    named: None,
                    how: None,
                };
                let rule = why.is_none().then_some(Rule::L4ii);
                let line = Line {
                    operators: first
                        .into_iter()
                        .map(|(operator, _)| operator)
                        .chain([Operator::Cxl])
                        .collect(),
                    rules: rule
                        .into_iter()
                        .flat_map(|last| first.map(|(_, rule)| rule).into_iter().chain([last]))
                        .collect(),
                    why,
                    judgement: &judgement,
                    duplicate_of,
                };
                let id = "CXL:guard:a->\"b\"#0:x>=2=>x>=3";
                let record = Record {
                    id: id.to_owned(),
                    order: if first.is_some() { 2 } else { 1 },
                    operators: line.operators.iter().map(|operator| operator.name().into()).collect(),
                    violates: line.rules.iter().map(|rule| rule.name().into()).collect(),
                    verdict,
                    why: why.map(Into::into),
                    decided_by,
                    duplicate_of: duplicate_of.map(str::to_owned),
                    reason: judgement.reason.clone(),
                    witness: judgement.witness.clone(),
                };
                let mut lines = Lines::default();
                lines.push((id, line)).unwrap();
                let (facts, operators, text) = lines.iter().next().unwrap();
                assert_eq!(
                    String::from_utf8(text.to_vec()).unwrap(),
                    format!("{}\n", serde_json::to_string(&record).unwrap())
                );
                assert_eq!(facts.is_unsound(), record.is_unsound());
                assert_eq!(facts.identified, record.is_identified());
                assert_eq!(operators.len(), record.operators.len());
            }
        }
    }
}

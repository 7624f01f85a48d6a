//! Records as text, many at a time: the lines that serializing a [`Record`](crate::Record) would give, without building
//! one.

use crate::error::Result;
use crate::records::verdict::BY_THE_GAME;
use crate::{DecidedBy, Facts, Judgement, Verdict};
use tamper_timed::guidelines::Rule;
use tamper_timed::mutation::{AppliedOperator, Order};

/// The content of a record besides the mutant's id.
pub(crate) struct RecordContent<'a> {
    pub order: Order,
    /// Operators in order of application; their number is the order.
    pub operators: &'a [AppliedOperator],
    /// Rules that name the mutations; empty unless all are named.
    pub rules: &'a [Rule],
    pub why: Option<&'static str>,
    pub judgement: &'a Judgement,
    pub duplicate_of: Option<&'a str>,
}

/// Consecutive lines of `mutants.jsonl`, with the data of each that lists and counts need.
#[derive(Default)]
pub(crate) struct RecordLines {
    text: Vec<u8>,
    notes: Vec<Note>,
    /// Operators of all lines, one line after the other.
    operators: Vec<AppliedOperator>,
}

/// The data kept for one line.
struct Note {
    end: usize,
    n_operators: u8,
    verdict: Verdict,
    decided_by: DecidedBy,
    violates: bool,
    identified: bool,
}

impl RecordLines {
    /// Removes all lines, and keeps the memory for the next ones.
    pub fn clear(&mut self) {
        self.text.clear();
        self.notes.clear();
        self.operators.clear();
    }

    /// The facts and operators of each line; `ids` are the ids that the lines were made with.
    pub fn records<'a>(
        &'a self,
        ids: impl Iterator<Item = &'a str>,
    ) -> impl Iterator<Item = (Facts<'a>, &'a [AppliedOperator])> {
        let mut rest = &self.operators[..];
        ids.zip(&self.notes).map(move |(id, note)| {
            let (operators, later) = rest.split_at(usize::from(note.n_operators));
            rest = later;
            let facts = Facts {
                id,
                verdict: note.verdict,
                decided_by: note.decided_by,
                violates: note.violates,
                identified: note.identified,
            };
            (facts, operators)
        })
    }

    /// The text without the first `n` lines.
    pub fn text_after(&self, n: usize) -> &[u8] {
        let start = match n.checked_sub(1) {
            None => 0,
            Some(last) => self.notes.get(last).map_or(self.text.len(), |note| note.end),
        };
        &self.text[start..]
    }

    /// Appends a record.
    pub fn push(&mut self, id: &str, line: &RecordContent<'_>) -> Result<()> {
        push_line(&mut self.text, id, line)?;
        self.notes.push(Note {
            end: self.text.len(),
            n_operators: line.order.number(),
            verdict: line.judgement.verdict,
            decided_by: line.judgement.decided_by,
            violates: !line.rules.is_empty(),
            identified: line.why.is_some_and(|why| why != BY_THE_GAME),
        });
        self.operators.extend_from_slice(line.operators);
        Ok(())
    }
}

fn push_line(out: &mut Vec<u8>, id: &str, line: &RecordContent<'_>) -> Result<()> {
    let judgement = line.judgement;
    out.extend_from_slice(b"{\"id\":");
    push_text(out, id)?;
    out.extend_from_slice(b",\"order\":");
    // A single digit: see `Order::MOST`.
    out.push(b'0' + line.order.number());
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

/// Appends quoted names, which need no escaping.
fn push_names<'n>(out: &mut Vec<u8>, names: impl Iterator<Item = &'n str>) {
    for (at, name) in names.enumerate() {
        out.extend_from_slice(if at == 0 { b"\"" } else { b",\"" });
        out.extend_from_slice(name.as_bytes());
        out.push(b'"');
    }
}

fn push_text(out: &mut Vec<u8>, text: &str) -> Result<()> {
    if is_plain(text.as_bytes()) {
        out.push(b'"');
        out.extend_from_slice(text.as_bytes());
        out.push(b'"');
        return Ok(());
    }
    Ok(serde_json::to_writer(out, text)?)
}

/// Whether no byte has to be escaped. Checks whole blocks: branches per byte would cost more than the rest of a line.
fn is_plain(text: &[u8]) -> bool {
    let is_special = |byte: &u8| (*byte < 0x20) | (*byte == b'"') | (*byte == b'\\');
    let any = |block: &[u8]| block.iter().fold(false, |any, byte| any | is_special(byte));
    // The last block overlaps the one before it.
    let Some(last) = text.last_chunk::<16>() else {
        return !any(text);
    };
    let (blocks, _) = text.as_chunks::<16>();
    !blocks.iter().fold(any(last), |found, block| found | any(block))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Record;
    use tamper_timed::mutation::Operator;

    #[test]
    fn a_line_is_the_record_that_serde_would_write() {
        let cases = [
            (None, None, None, DecidedBy::Rule, Verdict::Subsumed),
            (
                Some("a;\"b\\"),
                Some("refines by the game"),
                Some("+1/2 a!; \u{7}é"),
                DecidedBy::Duplicate,
                Verdict::Invalid,
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
            for first in [None, Some((Operator::Tad.into(), Rule::L2))] {
                let judgement = Judgement {
                    verdict,
                    decided_by,
                    reason: text.map(str::to_owned),
                    witness: text.map(|text| format!("{text}{text}")),
                    named: None,
                    how: None,
                };
                let rule = why.is_none().then_some(Rule::L4ii);
                let operators = first.into_iter().map(|(operator, _)| operator);
                let operators: Vec<AppliedOperator> = operators.chain([Operator::Cxl.into()]).collect();
                let rules = rule.into_iter();
                let rules: Vec<Rule> = rules
                    .flat_map(|last| first.map(|(_, rule)| rule).into_iter().chain([last]))
                    .collect();
                let order = if first.is_some() { Order::SECOND } else { Order::FIRST };
                let line = RecordContent {
                    order,
                    operators: &operators,
                    rules: &rules,
                    why,
                    judgement: &judgement,
                    duplicate_of,
                };
                let id = "CXL:guard:a->\"b\"#0:x>=2=>x>=3";
                let record = Record {
                    id: id.to_owned(),
                    order: order.number(),
                    operators: line.operators.iter().map(|operator| operator.name().into()).collect(),
                    violates: line.rules.iter().map(|rule| rule.name().into()).collect(),
                    verdict,
                    why: why.map(Into::into),
                    decided_by,
                    duplicate_of: duplicate_of.map(str::to_owned),
                    reason: judgement.reason.clone(),
                    witness: judgement.witness.clone(),
                    alone: None,
                    certificate: None,
                    kill: None,
                };
                let mut lines = RecordLines::default();
                lines.push("first", &line).unwrap();
                lines.push(id, &line).unwrap();
                let (facts, operators) = lines.records(["first", id].into_iter()).nth(1).unwrap();
                assert_eq!(facts.id, id);
                assert_eq!(
                    String::from_utf8(lines.text_after(1).to_vec()).unwrap(),
                    format!("{}\n", serde_json::to_string(&record).unwrap())
                );
                assert!(lines.text_after(0).ends_with(lines.text_after(1)));
                assert_eq!(lines.text_after(2), b"");
                assert_eq!(facts.is_unsound(), record.is_unsound());
                assert_eq!(facts.identified, record.is_identified());
                assert_eq!(operators, line.operators);
            }
        }
    }

    #[test]
    fn what_must_be_escaped_is_found_wherever_it_stands() {
        for length in 0..40 {
            let plain = "é~ z".chars().cycle().take(length).collect::<String>();
            assert!(is_plain(plain.as_bytes()), "{plain}");
            for (at, _) in plain.char_indices() {
                for special in ['"', '\\', '\n', '\u{1f}', '\0'] {
                    let text = [&plain[..at], &special.to_string(), &plain[at..]].concat();
                    assert!(!is_plain(text.as_bytes()), "{text:?}");
                }
            }
        }
    }
}

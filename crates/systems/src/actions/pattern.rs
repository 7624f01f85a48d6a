//! Events by classes of values, as tests spell them: `Close`, `after(20)`, `put(0..3,5)`.

use super::steps::Event;

/// An action, with a range of values for each parameter.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Pattern {
    /// The name of the action.
    pub action: String,
    /// By parameter: the smallest and the largest value.
    pub ranges: Vec<(i64, i64)>,
}

impl Pattern {
    /// The pattern spelled by `text`; names of actions have no parentheses.
    pub fn parse(text: &str) -> Option<Self> {
        let Some((action, rest)) = text.split_once('(') else {
            let action = text.to_owned();
            return (!text.is_empty() && !text.contains(')')).then_some(Self {
                action,
                ranges: Vec::new(),
            });
        };
        let range = |part: &str| {
            let (first, last) = part.split_once("..").unwrap_or((part, part));
            let (first, last): (i64, i64) = (first.trim().parse().ok()?, last.trim().parse().ok()?);
            (first <= last).then_some((first, last))
        };
        let ranges: Option<Vec<(i64, i64)>> = rest.strip_suffix(')')?.split(',').map(range).collect();
        let action = action.to_owned();
        Some(Self {
            action,
            ranges: ranges?,
        })
    }
    /// Whether every event of `other` is an event of this pattern.
    pub fn covers(&self, other: &Self) -> bool {
        let within = |((first, last), (other_first, other_last)): (&(i64, i64), &(i64, i64))| {
            first <= other_first && other_last <= last
        };
        self.action == other.action
            && self.ranges.len() == other.ranges.len()
            && self.ranges.iter().zip(&other.ranges).all(within)
    }
    /// The event of the smallest values.
    pub fn first(&self) -> Event {
        Event {
            action: self.action.clone(),
            values: self.ranges.iter().map(|(first, _)| *first).collect(),
        }
    }
}

impl std::fmt::Display for Pattern {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.action)?;
        let range = |(first, last): &(i64, i64)| match first == last {
            true => first.to_string(),
            false => format!("{first}..{last}"),
        };
        let ranges: Vec<String> = self.ranges.iter().map(range).collect();
        match ranges.is_empty() {
            true => Ok(()),
            false => write!(f, "({})", ranges.join(",")),
        }
    }
}

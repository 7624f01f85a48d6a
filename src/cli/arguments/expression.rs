//! Games named by expressions: `A || B`, `A && B`, `A \\ B`.

use anyhow::{Context as _, Result, bail};

use tamper::game::{Unmatched, ignoring, pruned, quotient};
use tamper::model::Automaton;
use tamper::network::{conjunction, parallel};
use tamper::text::Budget;

/// An expression that names a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Expression {
    /// A game of the file.
    Game(String),
    /// The parallel composition of both.
    Parallel(Box<Self>, Box<Self>),
    /// The conjunction: the behaviour that both allow.
    Conjunction(Box<Self>, Box<Self>),
    /// The quotient: the largest game that, in parallel with the second one, refines the first.
    Quotient(Box<Self>, Box<Self>),
}

/// The constructor of the expression that a sign stands for.
type ExpressionConstructor = fn(Box<Expression>, Box<Expression>) -> Expression;
const SIGNS: [(&str, ExpressionConstructor); 3] = [
    ("||", Expression::Parallel),
    ("&&", Expression::Conjunction),
    ("\\\\", Expression::Quotient),
];

impl Expression {
    /// Whether `text` is more than the name of a game.
    pub fn is_operation(text: &str) -> bool {
        SIGNS.iter().any(|(sign, _)| text.contains(sign))
    }

    /// Parses `text`. Operators of one kind are applied from the left; different ones need parentheses.
    pub fn parse(text: &str) -> Result<Self> {
        if !Self::is_operation(text) {
            return Ok(Self::Game(text.to_owned()));
        }
        Self::operation(text.trim()).with_context(|| format!("`{text}`"))
    }

    fn operation(text: &str) -> Result<Self> {
        let mut parts = Vec::new();
        let (mut depth, mut start, mut at) = (0i32, 0, 0);
        while at < text.len() {
            let rest = &text[at..];
            depth += i32::from(rest.starts_with('(')) - i32::from(rest.starts_with(')'));
            if depth < 0 {
                bail!("a `)` too many");
            }
            match SIGNS.iter().find(|(sign, _)| depth == 0 && rest.starts_with(sign)) {
                Some(found) => {
                    parts.push((text[start..at].trim(), Some(*found)));
                    at += found.0.len();
                    start = at;
                }
                None => at += rest.chars().next().map_or(1, char::len_utf8),
            }
        }
        if depth > 0 {
            bail!("a `)` is missing");
        }
        parts.push((text[start..].trim(), None));
        let mut parts = parts.into_iter();
        let (first, mut sign) = parts.next().context("a game is missing")?;
        let mut whole = Self::operand(first)?;
        for (part, next) in parts {
            let (name, make) = sign.context("an operator is missing")?;
            if next.is_some_and(|(other, _)| other != name) {
                bail!("different operators need parentheses: say which comes first");
            }
            whole = make(Box::new(whole), Box::new(Self::operand(part)?));
            sign = next;
        }
        Ok(whole)
    }

    fn operand(text: &str) -> Result<Self> {
        if text.is_empty() {
            bail!("a game is missing beside an operator");
        }
        match text.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')) {
            Some(inner) => Self::operation(inner.trim()),
            None => Ok(Self::Game(text.to_owned())),
        }
    }

    /// The names of the games in the expression.
    pub fn names(&self) -> Vec<&str> {
        match self {
            Self::Game(name) => vec![name],
            Self::Parallel(a, b) | Self::Conjunction(a, b) | Self::Quotient(a, b) => [a.names(), b.names()].concat(),
        }
    }

    /// The game that the expression names. `named` gives the games of the file, and `unmatched` the meaning of actions that a game does not
    /// know.
    pub fn game(
        &self,
        named: &dyn Fn(&str) -> Result<Automaton>,
        unmatched: Unmatched,
        budget: &Budget,
    ) -> Result<Automaton> {
        let game = |part: &Self| part.game(named, unmatched, budget);
        Ok(match self {
            Self::Game(name) => named(name)?,
            Self::Parallel(a, b) => beside(&game(a)?, &game(b)?, budget)?,
            Self::Conjunction(a, b) => conjunction(&game(a)?, &game(b)?, budget)?,
            Self::Quotient(a, b) => {
                let (whole, part) = (game(a)?, game(b)?);
                match unmatched {
                    Unmatched::Reject => quotient(&whole, &part, budget)?,
                    Unmatched::Ignore => quotient(&ignoring(&whole, &part, budget)?, &part, budget)?,
                }
            }
        })
    }
}

/// `a || b`, both pruned of their inconsistent states first, which does not change their meaning: an output of one must not lead the other
/// into a state in which it cannot continue.
pub fn beside(a: &Automaton, b: &Automaton, budget: &Budget) -> Result<Automaton> {
    Ok(parallel(&pruned(a, budget)?, &pruned(b, budget)?, budget)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expressions_read_from_the_left_and_mixed_ones_need_parentheses() {
        let game = |name: &str| Box::new(Expression::Game(name.to_owned()));
        let parsed = |text: &str| Expression::parse(text).unwrap();
        assert_eq!(parsed("T(0)"), *game("T(0)"));
        let both = Expression::Parallel(game("A"), game("B"));
        assert_eq!(parsed("A||B"), both);
        assert_eq!(
            parsed("A || B || C"),
            Expression::Parallel(Box::new(both.clone()), game("C"))
        );
        assert_eq!(
            parsed("S \\\\ (A || B)"),
            Expression::Quotient(game("S"), Box::new(both))
        );
        for wrong in ["A || B && C", "A ||", "|| A", "(A || B", "A || B)"] {
            assert!(Expression::parse(wrong).is_err(), "{wrong}");
        }
    }
}

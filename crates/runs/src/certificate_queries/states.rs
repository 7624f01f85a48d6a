//! The conditions on what is said about the states of one game.

use std::io::Write;

use super::error::QueriesError;
use super::reading::{Atom, Entry, Game, Move, Node};
use super::terms::{At, FALSE, all, any, not, resets_of, some_delay, until_then, zone};

type Result = std::result::Result<(), QueriesError>;

/// A number of lines that takes in all of them.
pub const ALL: usize = usize::MAX;

/// The delays of moves and of waiting.
pub const NONE: &str = "(= d! 0)";
pub const ANY: &str = "(>= d! 0)";
pub const SOME: &str = "(> d! 0)";

/// Asks whether a condition over declared clocks can be satisfied, unless it is plain that it cannot.
pub fn ask(out: &mut dyn Write, declared: &str, condition: String) -> Result {
    if condition != FALSE {
        writeln!(out, "(push){declared}(assert {condition})(check-sat)(pop)")?;
    }
    Ok(())
}

/// A game, and the states that are said to be consistent or not.
pub struct KnownGame<'a> {
    pub game: &'a Game<'a>,
    /// The mark behind its clocks.
    pub mark: &'static str,
    /// Its clocks, declared.
    pub declared: String,
    is_pruned: bool,
    is_reached: Vec<bool>,
}

impl<'a> KnownGame<'a> {
    pub fn new(game: &'a Game<'a>, mark: &'static str, is_pruned: bool) -> Self {
        let mut is_reached = vec![false; game.nodes.len()];
        let mut waiting = vec![0];
        while let Some(node) = waiting.pop() {
            if !std::mem::replace(&mut is_reached[node], true) {
                waiting.extend(game.nodes[node].moves.iter().map(|step| step.target));
            }
        }
        let names = game.clocks.iter().map(|clock| format!("|{clock}{mark}|"));
        let declared = names.map(|name| format!("(declare-const {name} Real)(assert (>= {name} 0))"));
        Self {
            game,
            mark,
            declared: declared.collect(),
            is_pruned,
            is_reached,
        }
    }

    pub fn node(&self, node: usize) -> &'a Node<'a> {
        &self.game.nodes[node]
    }

    pub fn holds(&self, atoms: &[Atom<'_>], at: At<'_>) -> String {
        zone(atoms, self.mark, at)
    }

    /// The states that exist.
    pub fn exists(&self, node: usize, at: At<'_>) -> String {
        match self.node(node) {
            node if node.is_impossible => FALSE.to_owned(),
            node => self.holds(&node.invariant, at),
        }
    }

    /// The states that are said to be consistent by the first lines of their node.
    pub fn kept(&self, node: usize, at: At<'_>, first: usize) -> String {
        if !self.is_pruned {
            return self.exists(node, at);
        }
        let lines = self.game.consistent[node].iter().take(first);
        any(lines.map(|line| self.holds(&line.zone, at)))
    }

    /// The states that are said to be inconsistent by the first lines.
    pub fn lost(&self, node: usize, at: At<'_>, first: usize) -> String {
        if !self.is_pruned || !self.is_reached[node] {
            return FALSE.to_owned();
        }
        let lines = self.game.inconsistent.iter().take(first);
        any(lines
            .filter(|line| line.nodes[0] == node)
            .map(|line| self.holds(&line.zone, at)))
    }

    pub fn moves(&self, node: usize, are_inputs: bool) -> impl Iterator<Item = &'a Move<'a>> {
        let moves = self.node(node).moves.iter();
        moves.filter(move |step| step.is_input() == are_inputs)
    }

    /// Whether some delay leads to `goal`, and before that through consistent states.
    pub fn waits(&self, node: usize, least: &str, goal: String) -> String {
        some_delay([
            least.to_owned(),
            goal,
            until_then(&self.kept(node, At::delay("e!"), ALL)),
        ])
    }

    /// What is said about the states of the game.
    pub fn check(&self, out: &mut dyn Write) -> Result {
        if !self.is_pruned {
            return Ok(());
        }
        for node in (0..self.game.nodes.len()).filter(|node| self.is_reached[*node]) {
            for (at, line) in self.game.consistent[node].iter().enumerate() {
                self.check_consistent(out, node, at, line)?;
            }
        }
        for (at, line) in self.game.inconsistent.iter().enumerate() {
            if self.is_reached[line.nodes[0]] {
                self.check_inconsistent(out, at, line)?;
            }
        }
        Ok(())
    }

    fn check_consistent(&self, out: &mut dyn Write, node: usize, at: usize, line: &Entry<'_>) -> Result {
        let now = At::default();
        let here = || self.holds(&line.zone, now);
        ask(out, &self.declared, all([here(), not(self.exists(node, now))]))?;
        for step in self.moves(node, true) {
            let resets = resets_of(step, self.mark);
            let arrives = self.exists(step.target, At::after(&resets));
            let stays = self.kept(step.target, At::after(&resets), ALL);
            let parts = [here(), self.holds(&step.guard, now), arrives, not(stays)];
            ask(out, &self.declared, all(parts))?;
        }
        if self.node(node).is_urgent && line.kind != "output" {
            return Err(QueriesError::wrong(line.line, "an urgent node waits"));
        }
        let fails = match line.kind {
            "output" => {
                let ways = self.moves(node, false).map(|step| {
                    let kept = self.kept(step.target, At::after(&resets_of(step, self.mark)), ALL);
                    all([self.holds(&step.guard, now), kept])
                });
                not(any(ways))
            }
            "forever" => some_delay([ANY.to_owned(), not(self.kept(node, At::delay("d!"), ALL))]),
            _ => {
                let parts = [self.holds(&line.until, now), not(self.kept(node, now, at))];
                ask(out, &self.declared, all(parts))?;
                not(self.waits(node, ANY, self.holds(&line.until, At::delay("d!"))))
            }
        };
        ask(out, &self.declared, all([here(), fails]))
    }

    fn check_inconsistent(&self, out: &mut dyn Write, at: usize, line: &Entry<'_>) -> Result {
        let (now, node) = (At::default(), line.nodes[0]);
        let here = || all([self.holds(&line.zone, now), self.exists(node, now)]);
        if line.kind == "input" {
            let ways = self.moves(node, true).map(|step| {
                let resets = resets_of(step, self.mark);
                let after = At::after(&resets);
                let arrives = self.exists(step.target, after);
                all([self.holds(&step.guard, now), arrives, self.lost(step.target, after, at)])
            });
            return ask(out, &self.declared, all([here(), not(any(ways))]));
        }
        let alive = |at_place| all([self.exists(node, at_place), not(self.lost(node, at_place, at))]);
        let ways = self.moves(node, false).map(|step| {
            let resets = resets_of(step, self.mark);
            let after = At {
                resets: &resets,
                ..At::delay("d!")
            };
            let arrives = all([self.exists(step.target, after), not(self.lost(step.target, after, at))]);
            all([self.holds(&step.guard, At::delay("d!")), arrives])
        });
        let path = until_then(&alive(At::delay("e!")));
        let is_urgent = self.node(node).is_urgent;
        let least = if is_urgent { NONE } else { ANY };
        let goes_on = some_delay([least.to_owned(), path, any(ways)]);
        ask(out, &self.declared, all([here(), goes_on]))?;
        if is_urgent {
            return Ok(());
        }
        let for_ever = format!("(forall ((e! Real)) (=> (<= 0 e!) {}))", alive(At::delay("e!")));
        ask(out, &self.declared, all([here(), for_ever]))
    }
}

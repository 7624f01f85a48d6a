//! Games and zones as the text of certificates.

use std::collections::BTreeSet;
use std::fmt::{self, Write as _};

use crate::symbolic::{Arena, Atom, GameError, Halt, Lowering, Move, NodeId, SingleGame, lower, zone_ops};
use tamper_text::{Budget, Id as _};
use tamper_timed::model::{Automaton, Role};
use tamper_timed::network::CompositionWords;
use tamper_zones::{Clock, Dbm};

/// The names of clocks, by matrix index, without the reference clock.
pub(super) struct ClockNames(Vec<String>);

impl ClockNames {
    /// The names of a game's clocks, or numbers if the text of a certificate could not tell them apart.
    pub fn of(game: &Automaton) -> Self {
        let own: Vec<String> = game.clocks().iter().map(|clock| clock.name.to_string()).collect();
        let is_plain = |name: &String| {
            let is_sign = |sign: char| sign.is_whitespace() || "<>=-:'#".contains(sign);
            !name.contains(is_sign) && !["if", "do"].contains(&name.as_str())
        };
        let is_own = own.iter().all(is_plain) && own.iter().collect::<BTreeSet<_>>().len() == own.len();
        let numbered = || (1..=own.len()).map(|number| format!("c{number}")).collect();
        Self(if is_own { own.clone() } else { numbered() })
    }

    /// These names, and behind them the names of another game with a mark.
    pub fn beside(&self, other: &Self) -> Self {
        let marked = other.0.iter().map(|name| format!("{name}'"));
        Self(self.0.iter().cloned().chain(marked).collect())
    }

    fn of_clock(&self, clock: Clock) -> &str {
        &self.0[clock.index() - 1]
    }

    /// A colon, and the zone as bounds, one word each.
    pub fn zone(&self, zone: &Dbm) -> String {
        format!(": {}", self.bounds(zone)).trim_end().to_owned()
    }
    /// The zone as bounds, one word each.
    pub fn bounds(&self, zone: &Dbm) -> String {
        self.atoms(&zone_ops::atoms_of_zone(zone))
    }

    fn atoms(&self, atoms: &[Atom]) -> String {
        let mut words = Vec::new();
        let mut is_said = vec![false; atoms.len()];
        for (at, atom) in atoms.iter().enumerate() {
            if is_said[at] || atom.bound.is_infinite() {
                continue;
            }
            let is_opposite = |other: &Atom| {
                let is_closed = !atom.bound.is_strict() && !other.bound.is_infinite() && !other.bound.is_strict();
                (other.left, other.right) == (atom.right, atom.left)
                    && is_closed
                    && other.bound.constant() == -atom.bound.constant()
            };
            let opposite = atoms.iter().position(is_opposite).filter(|opposite| *opposite > at);
            if let Some(opposite) = opposite {
                is_said[opposite] = true;
            }
            words.push(self.word(*atom, opposite.is_some()));
        }
        words.join(" ")
    }

    fn word(&self, atom: Atom, is_equality: bool) -> String {
        let constant = atom.bound.constant();
        let sign = |strict, weak| match (is_equality, atom.bound.is_strict()) {
            (true, _) => "=",
            (false, true) => strict,
            (false, false) => weak,
        };
        match (atom.left == Clock::ZERO, atom.right == Clock::ZERO) {
            (true, _) => format!("{}{}{}", self.of_clock(atom.right), sign(">", ">="), -constant),
            (_, true) => format!("{}{}{constant}", self.of_clock(atom.left), sign("<", "<=")),
            _ => {
                let (left, right) = (self.of_clock(atom.left), self.of_clock(atom.right));
                format!("{left}-{right}{}{constant}", sign("<", "<="))
            }
        }
    }
}

/// A game in the form that certificates have: clocks, alphabet, and a node per location and values of its integers, with all its moves.
/// What lies behind moves that are never possible may be missing. `words` say what the parts of a composed
/// game are; none for a lone game.
///
/// # Errors
/// A game without a meaning; [`GameError::SpecUnknown`] if the budget does not suffice.
pub fn normal_form(game: &Automaton, words: &CompositionWords, budget: &Budget) -> Result<String, GameError> {
    let text = || match lower(game, budget)? {
        Some(arena) => {
            let numbers: Vec<usize> = (0..arena.nodes.len()).collect();
            let keys = GameText::keys_of(game, &arena);
            Ok(GameText::of((game, words), &arena, keys, &numbers))
        }
        None => GameText::without_state(game),
    };
    match text() {
        Ok(text) => Ok(text.written().expect("a string takes all text")),
        Err(Halt::Stopped(reason)) => Err(GameError::SpecUnknown(reason)),
        Err(Halt::Error(error)) => Err(error),
    }
}

/// A game as lines, node by node.
pub(super) struct GameText {
    pub names: ClockNames,
    /// The actions of each role, as words.
    pub alphabet: [Vec<String>; 3],
    /// Per node of the arena, what tells it from other nodes: its location and the values of the integers.
    pub keys: Vec<String>,
    /// Per node, its lines behind its head.
    pub nodes: Vec<String>,
    /// Per node, for each of its moves the steps of processes that it is, if it is the move of a composition.
    comments: Vec<Vec<Option<String>>>,
    /// Per node, the discrete state that it is, if it is one of a composition.
    states: Vec<Option<String>>,
}

const ROLES: [(&str, Role); 3] = [
    ("inputs", Role::Input),
    ("outputs", Role::Output),
    ("internal", Role::Internal),
];

impl GameText {
    /// The keys of the nodes of `arena`.
    pub fn keys_of(game: &Automaton, arena: &Arena) -> Vec<String> {
        let key = |id| {
            let mut key = game.locations()[arena.node(id).location].name.to_string();
            for (variable, value) in game.ints().iter().zip(arena.values_of(id)) {
                let _ = write!(key, " {}={value}", variable.name);
            }
            key
        };
        arena.nodes.ids().map(key).collect()
    }

    /// The text of a game whose initial state does not exist: its initial node, without moves.
    pub fn without_state(game: &Automaton) -> Result<Self, Halt> {
        let arena = Lowering::of(game, SingleGame)?.arena;
        let words = CompositionWords::default();
        let mut text = Self::of((game, &words), &arena, Self::keys_of(game, &arena), &[0]);
        if text.nodes.is_empty() {
            text.keys.push(game.locations()[game.initial()].name.to_string());
            text.nodes.push("never\n".to_owned());
            text.comments.push(Vec::new());
            text.states.push(None);
        }
        Ok(text)
    }

    /// The text of `game`; `words` say what its parts are, `numbers` are the numbers of its nodes in the certificate.
    pub fn of(
        (game, words): (&Automaton, &CompositionWords),
        arena: &Arena,
        keys: Vec<String>,
        numbers: &[usize],
    ) -> Self {
        let names = ClockNames::of(game);
        let of_role = |(_, role)| {
            let of_role = game.actions().iter().filter(|action| action.role == role);
            of_role.map(|action| word_of(&action.name)).collect()
        };
        let node = |id| {
            let mut text = String::new();
            write_node(&mut text, (game, arena), id, &names, numbers).expect("a string takes all text");
            text
        };
        let comment = |step: &Move| step.edge.and_then(|edge| words.edges.get(edge.index()).cloned());
        let comments = |id| arena.moves_of(id).iter().map(comment).collect();
        let state = |id| words.locations.get(arena.node(id).location.index()).cloned();
        Self {
            alphabet: ROLES.map(of_role),
            nodes: arena.nodes.ids().map(node).collect(),
            comments: arena.nodes.ids().map(comments).collect(),
            states: arena.nodes.ids().map(state).collect(),
            keys,
            names,
        }
    }

    /// All of it.
    pub fn written(&self) -> Result<String, fmt::Error> {
        let mut out = String::new();
        self.write_clocks(&mut out)?;
        self.write_alphabet(&mut out, [0; 3])?;
        for node in 0..self.nodes.len() {
            self.write_node(&mut out, node, node)?;
        }
        Ok(out)
    }

    /// Writes the clocks.
    pub fn write_clocks(&self, out: &mut String) -> fmt::Result {
        writeln!(out, "clocks {}", self.names.0.join(" "))
    }

    /// Writes the actions of each role behind the first `known` of them.
    pub fn write_alphabet(&self, out: &mut String, known: [usize; 3]) -> fmt::Result {
        for (((word, _), actions), known) in ROLES.iter().zip(&self.alphabet).zip(known) {
            if actions.len() > known {
                writeln!(out, "{word} {}", actions[known..].join(" "))?;
            }
        }
        Ok(())
    }

    /// Writes a node under its number in the certificate.
    pub fn write_node(&self, out: &mut String, node: usize, number: usize) -> fmt::Result {
        write!(out, "node {number} {}", self.keys[node])?;
        match &self.states[node] {
            Some(state) => writeln!(out, " # {state}")?,
            None => writeln!(out)?,
        }
        let (lines, comments) = (&self.nodes[node], &self.comments[node]);
        // Moves come last.
        let n_others = lines.lines().count() - comments.len();
        for (at, line) in lines.lines().enumerate() {
            match at.checked_sub(n_others).and_then(|at| comments[at].as_ref()) {
                Some(comment) => writeln!(out, "{line} # {comment}")?,
                None => writeln!(out, "{line}")?,
            }
        }
        Ok(())
    }
}

/// A name as one word: what stands between words is written as `%` and a number.
fn word_of(name: &str) -> String {
    let mut word = String::new();
    for sign in name.chars() {
        match sign {
            '%' => word.push_str("%25"),
            '#' if word.is_empty() => word.push_str("%23"),
            sign if sign.is_whitespace() => word.push_str(&format!("%{:x}", u32::from(sign))),
            sign => word.push(sign),
        }
    }
    word
}

fn write_node(
    out: &mut String,
    (game, arena): (&Automaton, &Arena),
    id: NodeId,
    names: &ClockNames,
    numbers: &[usize],
) -> fmt::Result {
    let node = arena.node(id);
    let invariant = names.atoms(arena.atoms_of(node.invariant));
    if !invariant.is_empty() {
        writeln!(out, "holds {invariant}")?;
    }
    for (is_so, word) in [(node.urgent, "urgent"), (node.atomic, "atomic")] {
        if is_so {
            writeln!(out, "{word}")?;
        }
    }
    for step in arena.moves_of(id) {
        let sign = match step.role {
            Role::Input => '?',
            Role::Output => '!',
            Role::Internal => '.',
        };
        write!(
            out,
            "{}{sign} {}",
            word_of(&game.actions()[step.action].name),
            numbers[step.target.index()]
        )?;
        let guard = names.atoms(arena.atoms_of(step.guard));
        if !guard.is_empty() {
            write!(out, " if {guard}")?;
        }
        let resets = arena.resets_of(step);
        if !resets.is_empty() {
            write!(out, " do")?;
        }
        for (clock, value) in resets {
            write!(out, " {}={value}", names.of_clock(Clock::from(*clock)))?;
        }
        writeln!(out)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use tamper_zones::{Bound, Variable};

    #[test]
    fn bounds_are_words_and_opposite_ones_an_equality() {
        let names = ClockNames(vec!["x".to_owned(), "y'".to_owned()]);
        let (x, y) = (Clock::from(Variable::new(0)), Clock::from(Variable::new(1)));
        let atom = |left, right, bound| Atom { left, right, bound };
        let atoms = [
            atom(x, Clock::ZERO, Bound::lt(5)),
            atom(Clock::ZERO, x, Bound::le(-2)),
            atom(x, y, Bound::le(-1)),
            atom(y, x, Bound::le(1)),
        ];
        assert_eq!(names.atoms(&atoms), "x<5 x>=2 x-y'=-1");
        assert_eq!(names.atoms(&[atom(Clock::ZERO, y, Bound::lt(-3))]), "y'>3");
        assert_eq!(
            (word_of("a b"), word_of("50%")),
            ("a%20b".to_owned(), "50%25".to_owned())
        );
    }
}

//! The certificate of a verdict.

use std::fmt::{self, Write as _};

use rustc_hash::{FxHashMap, FxHashSet};

use super::loss::inconsistent;
use super::normal_form::{ClockNames, GameText};
use super::progress::consistent;
use super::refutation::write_refutation;
use super::relation::Relation;
use crate::answer_heuristic::LocationCorrespondence;
use crate::product::{ActionMap, ArenaProduct};
use crate::semantics::Unmatched;
use crate::symbolic::{Arena, GameError, Halt, NodeId, consistency, lower};
use crate::{Specification, Verdict, responder};
use tamper_text::{Budget, Id as _, StopReason};
use tamper_timed::model::Automaton;
use tamper_timed::network::CompositionWords;
use tamper_zones::Federation;

/// A verdict with its certificate, or the reason for its absence.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Certification {
    /// The verdict, and the mutant's part of the text that `tamper-check` takes.
    Certificate(Verdict, String),
    /// A limit was hit before the verdict was known.
    Unknown(StopReason),
    /// The verdict is known, but could not be written down.
    Uncertified(Verdict, Uncertified),
}

/// The part of a certificate that could not be written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Uncertified {
    /// The next steps of consistent states.
    Progress,
    /// The order of inconsistent states.
    Loss,
    /// The relation.
    Relation,
    /// The refutation.
    Refutation,
}

impl fmt::Display for Uncertified {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Progress => "some consistent states have no next step",
            Self::Loss => "some inconsistent states follow from no others",
            Self::Relation => "the relation does not close",
            Self::Refutation => "the refutation does not reach the initial states",
        })
    }
}

/// The reason for which the writing of a certificate ends early.
enum Ending {
    Halt(Halt),
    Uncertified(Uncertified),
}

impl From<Halt> for Ending {
    fn from(halt: Halt) -> Self {
        Self::Halt(halt)
    }
}

impl From<fmt::Error> for Ending {
    fn from(_: fmt::Error) -> Self {
        unreachable!("a string takes all text")
    }
}

/// Writes certificates of the mutants of a specification.
pub struct Certifier {
    specification: Specification,
    text: GameText,
    /// Per node, its lines below `consistent`; and the lines below `inconsistent`.
    consistent: Vec<String>,
    inconsistent: String,
    /// The nodes by their keys.
    numbers: FxHashMap<String, usize>,
    head: String,
}

impl Certifier {
    /// Writes what all mutants share; `words` say what the parts of a composed specification are.
    ///
    /// # Errors
    /// [`GameError::SpecUnknown`] if the budget does not suffice, or some state of the specification cannot be certified.
    pub fn new(specification: Specification, words: &CompositionWords, budget: &Budget) -> Result<Self, GameError> {
        let (game, arena) = (specification.automaton(), specification.arena());
        let keys = GameText::keys_of(game, arena);
        let own: Vec<usize> = (0..keys.len()).collect();
        let numbers = keys.iter().cloned().zip(own.iter().copied()).collect();
        let text = GameText::of((game, words), arena, keys, &own);
        let (mut consistent, mut inconsistent) = (vec![String::new(); own.len()], String::new());
        if specification.semantics().prune {
            (consistent, inconsistent) = match states(arena, (&text.names, &own), &|_| None, budget) {
                Ok(states) => states,
                Err(Ending::Halt(Halt::Stopped(reason))) => return Err(GameError::SpecUnknown(reason)),
                Err(Ending::Halt(Halt::Error(error))) => return Err(error),
                Err(Ending::Uncertified(_)) => return Err(GameError::SpecUnknown(StopReason::States)),
            };
        }
        let mut certifier = Self {
            specification,
            text,
            consistent,
            inconsistent,
            numbers,
            head: String::new(),
        };
        certifier.head = certifier.written_head().expect("a string takes all text");
        Ok(certifier)
    }

    /// The specification.
    pub fn specification(&self) -> &Specification {
        &self.specification
    }

    /// The beginning of a certificate, before its first mutant.
    pub fn head(&self) -> &str {
        &self.head
    }

    fn written_head(&self) -> Result<String, fmt::Error> {
        let semantics = self.specification.semantics();
        let unmatched = match semantics.unmatched {
            Unmatched::Reject => "reject",
            Unmatched::Ignore => "ignore",
        };
        let pruned = if semantics.prune { "yes" } else { "no" };
        let mut out = format!("tamper certificate 1\nunmatched {unmatched}\npruned {pruned}\nspecification\n");
        out += &self.text.written()?;
        if semantics.prune {
            write!(out, "consistent\n{}", self.consistent.concat())?;
        }
        if !self.inconsistent.is_empty() {
            write!(out, "inconsistent\n{}", self.inconsistent)?;
        }
        Ok(out)
    }

    /// The verdict on `mutant` by the game in which the responder has choices, and its part of a certificate; `words` as in
    /// [`new`](Self::new).
    ///
    /// # Errors
    /// Games without a meaning.
    pub fn certify(
        &self,
        name: &str,
        (mutant, words): (&Automaton, &CompositionWords),
        budget: &Budget,
    ) -> Result<Certification, GameError> {
        let mut verdict = Verdict::Unknown(StopReason::States);
        match self.written(name, (mutant, words), budget, &mut verdict) {
            Ok(text) => Ok(Certification::Certificate(verdict, text)),
            Err(Ending::Uncertified(part)) => Ok(Certification::Uncertified(verdict, part)),
            Err(Ending::Halt(Halt::Stopped(reason))) => Ok(Certification::Unknown(reason)),
            Err(Ending::Halt(Halt::Error(error))) => Err(error),
        }
    }

    fn written(
        &self,
        name: &str,
        (mutant, words): (&Automaton, &CompositionWords),
        budget: &Budget,
        verdict: &mut Verdict,
    ) -> Result<String, Ending> {
        let is_pruned = self.specification.semantics().prune;
        let mut arena = lower(mutant, budget)?;
        let is_consistent = match &mut arena {
            Some(arena) => !is_pruned || consistency::prune(arena, budget)?,
            None => false,
        };
        let Some(left) = arena else {
            *verdict = Verdict::Inconsistent;
            let text = GameText::without_state(mutant)?;
            return Ok(self.written_game(name, *verdict, &text, &[0], true)?);
        };
        let keys = GameText::keys_of(mutant, &left);
        let (numbers, is_anew) = self.numbers_of(mutant, &keys);
        let text = GameText::of((mutant, words), &left, keys, &numbers);
        if !is_consistent {
            *verdict = Verdict::Inconsistent;
            let mut out = self.written_game(name, *verdict, &text, &numbers, is_anew)?;
            let lost = inconsistent(&left, &text.names, &numbers, budget)?;
            let lost = lost.ok_or(Ending::Uncertified(Uncertified::Loss))?;
            // Of the consistent states of the specification nothing has to hold here.
            write!(out, "consistent\n{}inconsistent\n{lost}", self.nothing(is_anew))?;
            return Ok(out);
        }
        let right = self.specification.behind(left.n_clocks);
        let product = ArenaProduct {
            left: &left,
            right: &right,
            actions: ActionMap::new(mutant, self.specification.automaton()),
            unmatched: self.specification.semantics().unmatched,
        };
        let heuristic = LocationCorrespondence::Names(mutant, self.specification.automaton());
        let answered = responder::answer(&product, heuristic, budget)?;
        *verdict = if answered.holds() {
            Verdict::Subsumed
        } else {
            Verdict::NonSubsumed
        };
        let mut out = self.written_game(name, *verdict, &text, &numbers, is_anew)?;
        if is_pruned {
            let known = |node| {
                self.known_states((&left, &text), node, numbers[node.index()])
                    .filter(|_| !is_anew)
            };
            let own = states(&left, (&text.names, &numbers), &known, budget)?;
            self.write_states(&mut out, own, &numbers, is_anew)?;
        }
        let names = text.names.beside(&self.text.names);
        if answered.holds() {
            let lost: FxHashMap<_, Federation> = answered.solution.losing_states().collect();
            let related = (answered.states_left(), lost);
            let relation = Relation::closed(&product, heuristic, related, budget)?;
            let relation = relation.ok_or(Ending::Uncertified(Uncertified::Relation))?;
            writeln!(out, "relation")?;
            relation.write(&mut out, &names, &numbers)?;
        } else {
            writeln!(out, "refutation")?;
            if !write_refutation(&mut out, &answered.solution, &names, &numbers) {
                return Err(Ending::Uncertified(Uncertified::Refutation));
            }
        }
        Ok(out)
    }

    /// The numbers of a mutant's nodes in its certificate, and whether nothing of the specification can be taken over.
    fn numbers_of(&self, mutant: &Automaton, keys: &[String]) -> (Vec<usize>, bool) {
        let mut next = self.text.nodes.len();
        let number = |key: &String| {
            self.numbers.get(key).copied().unwrap_or_else(|| {
                next += 1;
                next - 1
            })
        };
        let numbers: Vec<usize> = keys.iter().map(number).collect();
        let original = self.specification.automaton();
        let has_same_clocks = mutant
            .clocks()
            .iter()
            .map(|clock| &clock.name)
            .eq(original.clocks().iter().map(|clock| &clock.name));
        let knows_all = original
            .actions()
            .iter()
            .zip(mutant.actions())
            .all(|(known, own)| known == own)
            && mutant.actions().len() >= original.actions().len();
        let n_distinct = numbers.iter().collect::<FxHashSet<_>>().len();
        let is_clear = n_distinct == keys.len() && self.numbers.len() == self.text.keys.len();
        if numbers.first() == Some(&0) && has_same_clocks && knows_all && is_clear {
            (numbers, false)
        } else {
            ((0..keys.len()).collect(), true)
        }
    }

    /// The lines below `consistent` of the specification's node with this number, if a node of a mutant has the same moves, and the same
    /// states before and after them.
    fn known_states(&self, (arena, text): (&Arena, &GameText), node: NodeId, number: usize) -> Option<&String> {
        let (own, known) = (NodeId::from_index(number), self.specification.arena());
        let is_same = self.text.nodes.get(number) == Some(&text.nodes[node.index()])
            && known.alive(own).eq(arena.alive(node))
            && known
                .moves_of(own)
                .iter()
                .zip(arena.moves_of(node))
                .all(|(known_step, step)| known.cases(known_step.enabled).eq(arena.cases(step.enabled)));
        is_same.then(|| &self.consistent[number])
    }

    fn written_game(
        &self,
        name: &str,
        verdict: Verdict,
        text: &GameText,
        numbers: &[usize],
        is_anew: bool,
    ) -> Result<String, fmt::Error> {
        let mut out = format!("mutant {name}\nclaim {verdict}\n");
        if is_anew {
            writeln!(out, "anew")?;
            text.write_clocks(&mut out)?;
            text.write_alphabet(&mut out, [0; 3])?;
        } else {
            text.write_alphabet(&mut out, [0, 1, 2].map(|role| self.text.alphabet[role].len()))?;
        }
        // Nodes that are new have their numbers in the order in which they come.
        for (node, number) in numbers.iter().enumerate() {
            if is_anew || self.text.nodes.get(*number) != Some(&text.nodes[node]) {
                text.write_node(&mut out, node, *number)?;
            }
        }
        Ok(out)
    }

    /// Writes the states of a mutant that differ from the specification's.
    fn write_states(&self, out: &mut String, own: GameStates, numbers: &[usize], is_anew: bool) -> fmt::Result {
        let (consistent, inconsistent) = own;
        let mut changed = String::new();
        for (lines, number) in consistent.iter().zip(numbers) {
            if is_anew || self.consistent.get(*number) != Some(lines) {
                match lines.is_empty() {
                    true => writeln!(changed, "{number} nothing")?,
                    false => changed.push_str(lines),
                }
            }
        }
        if !changed.is_empty() {
            write!(out, "consistent\n{changed}")?;
        }
        if is_anew || inconsistent != self.inconsistent {
            write!(out, "inconsistent\n{inconsistent}")?;
        }
        Ok(())
    }

    /// Lines that take back all that is said about consistent states.
    fn nothing(&self, is_anew: bool) -> String {
        let n_nodes = if is_anew { 0 } else { self.text.nodes.len() };
        (0..n_nodes).map(|node| format!("{node} nothing\n")).collect()
    }
}

/// Per node its lines below `consistent`, and the lines below `inconsistent`.
type GameStates = (Vec<String>, String);

/// The consistent and the inconsistent states of a pruned game.
fn states<'k>(
    arena: &Arena,
    (names, numbers): (&ClockNames, &[usize]),
    known: &dyn Fn(NodeId) -> Option<&'k String>,
    budget: &Budget,
) -> Result<GameStates, Ending> {
    let kept = consistent(arena, names, numbers, known).ok_or(Ending::Uncertified(Uncertified::Progress))?;
    let lost = inconsistent(arena, names, numbers, budget)?;
    Ok((kept, lost.ok_or(Ending::Uncertified(Uncertified::Loss))?))
}

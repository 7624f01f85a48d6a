//! The chains of a mutant, and the edges at which they may end.

use super::changes::Changes;
use super::find::Search;
use crate::{Subject, SuiteFailure, Tester};
use tamper_text::Budget;
use tamper_timed::model::{Automaton, EdgeId};
use tamper_timed::mutation::edge_name;

/// A path to an edge at which a mutant may be seen.
#[derive(Clone, Debug)]
pub struct Chain {
    /// The edges that a run takes, in order; the last one shows a fact that the mutation affects.
    pub edges: Vec<String>,
    /// The game with an additional output behind these edges: a test that can fail on it follows the chain.
    pub shown: Automaton,
    /// Number of states visited, counted again where a stopped path was resumed.
    pub states: u64,
    /// Number of times that a stopped path was resumed.
    pub resumed: u64,
}

/// The chains of a mutant: one for each part of the change that lets the mutant behave differently; with breadth-first search the
/// shortest comes first.
pub struct Chains {
    changes: Changes,
    probed: Subject,
    depth_first: bool,
    /// The probes that the next chain must not use; `None` if there is no further chain.
    without: Option<Vec<EdgeId>>,
}

impl Tester {
    /// The tester with differences looked for only at the edges that have one of these names, or whose source or action (`tea!`)
    /// has one. Without any name they are looked for at all outputs, and at inputs that a mutant refuses.
    ///
    /// # Errors
    /// The first name that fits no edge.
    pub fn observing(mut self, names: &[String]) -> Result<Self, String> {
        for name in names {
            let game = self.automaton();
            let is_it = |id: &EdgeId| {
                let edge = &game.edges()[*id];
                let source = &game.locations()[edge.source].name;
                **source == **name || game.actions()[edge.action].to_string() == *name || edge_name(game, *id) == *name
            };
            let named: Vec<EdgeId> = game.edges().ids().filter(is_it).collect();
            if named.is_empty() {
                return Err(name.clone());
            }
            self.points.extend(named);
        }
        Ok(self)
    }

    /// The tester with chains searched depth first or, which is the default, breadth first (\[002\] section 4, note 5).
    #[must_use]
    pub fn depth_first(mut self, depth_first: bool) -> Self {
        self.depth_first = depth_first;
        self
    }

    /// The chains of `mutant`, a mutant of the specification.
    ///
    /// # Errors
    /// As of [`Subject::new`].
    pub fn chains(&self, mutant: &Automaton, budget: &Budget) -> Result<Chains, SuiteFailure> {
        let changes = Changes::of(self.automaton(), mutant, &self.points);
        let probed = Subject::specification(&changes.game, budget)?;
        Ok(Chains {
            changes,
            probed,
            depth_first: self.depth_first,
            without: Some(Vec::new()),
        })
    }
}

impl Chains {
    /// The next chain, found in polynomial time: every state is visited once per variable (\[002\] Theorem).
    ///
    /// # Errors
    /// The budget.
    pub fn next_chain(&mut self, budget: &Budget) -> Result<Option<Chain>, SuiteFailure> {
        let Some(without) = self.without.take() else {
            return Ok(None);
        };
        let mut search = Search::new(&self.probed.arena, &self.changes, &without);
        search.depth_first = self.depth_first;
        let Some(path) = search.find_observation(budget)? else {
            return Ok(None);
        };
        let probes: Vec<EdgeId> = path.iter().copied().filter(|id| self.changes.is_probe(*id)).collect();
        let further = (!probes.is_empty()).then(|| [without.clone(), probes].concat());
        self.without = further;
        Ok(Some(Chain {
            edges: path.iter().map(|id| edge_name(&self.changes.game, *id)).collect(),
            shown: self.changes.along(&path),
            states: search.looked_at,
            resumed: search.resumed,
        }))
    }
}

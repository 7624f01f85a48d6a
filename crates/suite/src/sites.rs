//! Mutants that no single trace can show together, so that each needs a separate test.
//!
//! A test that is one trace of the specification shows a mutant at a *site*: in a discrete state (by a wrong output or by too long
//! a silence), or by an input that the mutant refuses and with which the trace continues. One trace shows two mutants only if a
//! site of one is also a site of the other, or lies, time aside, behind it: `docs/notes/0015-smallest-suites.md`.

use std::collections::BTreeSet;

use fixedbitset::FixedBitSet;

use super::Tester;
use super::error::SuiteFailure;
use super::failures::MutantFailure;
use super::pairing::Pairing;
use super::search::every_failure;
use crate::execution::subject::{Subject, is_output};
use tamper_game::symbolic::{Arena, NodeId};
use tamper_text::{Budget, Id as _};
use tamper_timed::model::ActionId;

/// A point at which a trace of the specification can show a mutant.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Site {
    /// By a wrong output in that node of the specification, which the trace leaves later.
    At(NodeId),
    /// By silence in that node for longer than the specification allows: if anything follows in the trace, it is an output.
    Silent(NodeId),
    /// By an input: the node of the specification before it, the action, and the node after it.
    By(NodeId, ActionId, NodeId),
}

impl Site {
    /// The specification's node before the site.
    fn before(self) -> NodeId {
        match self {
            Self::At(node) | Self::Silent(node) | Self::By(node, ..) => node,
        }
    }
    fn behind(self, arena: &Arena) -> Vec<NodeId> {
        match self {
            Self::At(node) | Self::By(.., node) => vec![node],
            Self::Silent(node) => {
                let outputs = arena.moves_of(node).iter().filter(|step| is_output(step));
                outputs.map(|step| step.target).collect()
            }
        }
    }
}

impl Tester {
    /// All sites of a mutant: no trace shows it anywhere else.
    ///
    /// # Errors
    /// The budget.
    pub fn sites(&self, mutant: &Subject, budget: &Budget) -> Result<BTreeSet<Site>, SuiteFailure> {
        let pairing = Pairing::new(self.spec(), mutant);
        let mut sites = BTreeSet::new();
        every_failure(&pairing, budget, &mut |(node, _), failure| {
            sites.insert(match failure {
                MutantFailure::Output(_) => Site::At(node),
                MutantFailure::Overdue => Site::Silent(node),
                MutantFailure::Refused(step) => Site::By(node, step.action, step.target),
            });
        })?;
        Ok(sites)
    }

    /// Mutants, by their positions in `sites`, of which no two are shown by one trace: the largest set that was found within
    /// `max_nodes` steps and the budget's time. A mutant without sites is not included.
    pub fn apart(&self, sites: &[BTreeSet<Site>], max_nodes: u64, budget: &Budget) -> Vec<usize> {
        let apart = ConflictGraph::new(&self.spec().arena, sites);
        let mut search = SiteSearch {
            apart: &apart.neighbours,
            best: Vec::new(),
            nodes: max_nodes,
            budget,
        };
        let mut all = FixedBitSet::with_capacity(sites.len());
        all.extend((0..sites.len()).filter(|at| !sites[*at].is_empty()));
        search.grow(&mut Vec::new(), all);
        search.best.sort_unstable();
        search.best
    }
}

/// For each mutant, the mutants that no trace shows together with it.
struct ConflictGraph {
    neighbours: Vec<FixedBitSet>,
}

impl ConflictGraph {
    fn new(arena: &Arena, sites: &[BTreeSet<Site>]) -> Self {
        let n = sites.len();
        let reached =
            |sites: &BTreeSet<Site>| arena.reachable(sites.iter().flat_map(|site| site.behind(arena)).collect());
        // For each mutant, the nodes behind its sites and the nodes reachable from there.
        let later: Vec<FixedBitSet> = sites.iter().map(reached).collect();
        let follows = |first: usize, second: usize| {
            let mut before = sites[second].iter().map(|site| site.before());
            before.any(|node| later[first].contains(node.index()))
        };
        let mut neighbours = vec![FixedBitSet::with_capacity(n); n];
        for one in 0..n {
            for other in 0..one {
                let together = follows(one, other) || follows(other, one) || !sites[one].is_disjoint(&sites[other]);
                neighbours[one].set(other, !together);
                neighbours[other].set(one, !together);
            }
        }
        Self { neighbours }
    }
}

/// The search for the largest set of mutants of which any two are apart (a maximum clique, with colours as the bound: Tomita and Seki, 2003).
struct SiteSearch<'a> {
    apart: &'a [FixedBitSet],
    best: Vec<usize>,
    nodes: u64,
    budget: &'a Budget,
}

impl SiteSearch<'_> {
    fn grow(&mut self, chosen: &mut Vec<usize>, candidates: FixedBitSet) {
        if chosen.len() > self.best.len() {
            self.best.clone_from(chosen);
        }
        let mut candidates = candidates;
        for (mutant, colours) in self.coloured(&candidates).into_iter().rev() {
            if chosen.len() + colours <= self.best.len() || self.nodes == 0 {
                return;
            }
            if self.budget.exceeded(0, 0).is_some() {
                self.nodes = 0;
                return;
            }
            self.nodes -= 1;
            let mut rest = candidates.clone();
            rest.intersect_with(&self.apart[mutant]);
            chosen.push(mutant);
            self.grow(chosen, rest);
            chosen.pop();
            candidates.set(mutant, false);
        }
    }

    /// Colours the candidates: no two of a colour class are apart. Each has the number of classes up to its class, which bounds the
    /// size of sets of mutants that are apart among the candidates up to it.
    fn coloured(&self, candidates: &FixedBitSet) -> Vec<(usize, usize)> {
        let mut left = candidates.clone();
        let mut order = Vec::new();
        let mut colours = 0;
        while !left.is_clear() {
            colours += 1;
            let mut class = left.clone();
            while let Some(mutant) = class.ones().next() {
                class.set(mutant, false);
                class.difference_with(&self.apart[mutant]);
                left.set(mutant, false);
                order.push((mutant, colours));
            }
        }
        order
    }
}

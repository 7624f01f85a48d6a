//! A kill matrix, by tests and by mutants, and the part of it that is still open.

use fixedbitset::FixedBitSet;

/// A weighted set cover problem: which tests kill which mutants, and what each test costs.
pub(super) struct Problem {
    /// For each test, the mutants that it kills.
    pub kills: Vec<FixedBitSet>,
    /// For each mutant, the tests that kill it.
    pub killers: Vec<FixedBitSet>,
    pub costs: Vec<u64>,
}

/// The tests that may still be chosen and the mutants that are still alive.
#[derive(Clone)]
pub(super) struct CoverSubproblem {
    pub tests: FixedBitSet,
    pub mutants: FixedBitSet,
}

impl Problem {
    /// `kills[t]` are the mutants that test `t` kills; all sets are made as long as the longest.
    pub fn new(kills: &[FixedBitSet], costs: &[u64]) -> Self {
        assert_eq!(kills.len(), costs.len(), "a cost per test");
        let n_mutants = kills.iter().map(FixedBitSet::len).max().unwrap_or(0);
        let mut killers = vec![FixedBitSet::with_capacity(kills.len()); n_mutants];
        let mut rows = Vec::with_capacity(kills.len());
        for (test, killed) in kills.iter().enumerate() {
            let mut row = killed.clone();
            row.grow(n_mutants);
            for mutant in row.ones() {
                killers[mutant].insert(test);
            }
            rows.push(row);
        }
        Self {
            kills: rows,
            killers,
            costs: costs.to_vec(),
        }
    }

    /// All tests, and all mutants that some test kills.
    pub fn open(&self) -> CoverSubproblem {
        let mut tests = FixedBitSet::with_capacity(self.kills.len());
        tests.insert_range(..);
        let mut mutants = FixedBitSet::with_capacity(self.killers.len());
        for (mutant, killers) in self.killers.iter().enumerate() {
            mutants.set(mutant, !killers.is_clear());
        }
        CoverSubproblem { tests, mutants }
    }

    pub fn cost(&self, tests: &[usize]) -> u64 {
        tests.iter().map(|&test| self.costs[test]).sum()
    }

    /// The cost of the cheapest open test that kills `mutant`; `None` if no open test does.
    pub fn cheapest_killer(&self, open: &CoverSubproblem, mutant: usize) -> Option<u64> {
        let killers = self.killers[mutant].intersection(&open.tests);
        killers.map(|test| self.costs[test]).min()
    }
}

impl CoverSubproblem {
    /// Takes `test` into the suite, and removes the mutants that it kills.
    pub fn choose(&mut self, problem: &Problem, test: usize) {
        self.tests.set(test, false);
        self.mutants.difference_with(&problem.kills[test]);
    }

    /// Whether no mutant is left alive.
    pub fn is_done(&self) -> bool {
        self.mutants.is_clear()
    }
}

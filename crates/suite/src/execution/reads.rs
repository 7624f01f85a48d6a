//! Whether runs of a test ask variables that stand for data of the program. The claim and its proof: `docs/notes/0025-guard-scripts.md`.

use std::collections::BTreeSet;

use crate::TestCase;
use crate::error::SuiteFailure;
use crate::execution::compiled::{CompiledAct, CompiledNode, CompiledRule, CompiledTest};
use crate::execution::execute::execute_in;
use crate::execution::opponent::Opponent;
use crate::execution::single::{RunObserver, Single};
use crate::execution::subject::Subject;
use tamper_game::symbolic::NodeId;
use tamper_text::{Budget, IndexVec};
use tamper_timed::model::{Automaton, Expr, Guard, LocId, Role, Update};

/// Whether some run of `test` against `subject`, which is `automaton` lowered, comes to a point where a step that the test or the game may
/// make next has a condition on one of the automaton's scripted variables. If none does, no value of these variables changes a run.
///
/// # Errors
/// Bounds too fine to be compared exactly, and the budget.
pub fn reads(test: &TestCase, automaton: &Automaton, subject: &Subject, budget: &Budget) -> Result<bool, SuiteFailure> {
    let compiled = CompiledTest::in_own_unit(test)?;
    let mut runs = Single {
        stage: &Opponent::new(subject, &compiled)?,
        watch: Reading {
            subject,
            asking: asking(automaton),
            found: false,
        },
    };
    execute_in(&compiled, &mut runs, budget, &mut |_, _| ())?;
    Ok(runs.watch.found)
}

/// By location: the inputs whose edges there have a condition on a scripted variable, and whether other edges have one.
fn asking(automaton: &Automaton) -> IndexVec<LocId, (BTreeSet<String>, bool)> {
    let is_asked_in = |value: &Expr| {
        let mut is_asked = false;
        value.walk(&mut |part| is_asked |= matches!(part, Expr::Var(int) if automaton.scripted().contains(int)));
        is_asked
    };
    let is_asked_by = |guard: &Guard| {
        let bounds = guard.clocks.iter().map(|atom| &atom.bound);
        guard.data.iter().chain(bounds).any(is_asked_in)
    };
    let locations = automaton.locations().iter();
    let mut all: IndexVec<LocId, (BTreeSet<String>, bool)> = locations
        .map(|location| (BTreeSet::new(), is_asked_by(&location.invariant)))
        .collect();
    for edge in automaton.edges() {
        let is_copied = |update: &Update| match update {
            Update::Reset(_, value) | Update::Assign(_, value) => is_asked_in(value),
        };
        if is_asked_by(&edge.guard) || edge.updates.iter().any(is_copied) {
            let action = &automaton.actions()[edge.action];
            let (inputs, others) = &mut all[edge.source];
            match action.role {
                Role::Input => {
                    inputs.insert(action.to_string());
                }
                Role::Output | Role::Internal => *others = true,
            }
        }
    }
    all
}

struct Reading<'s> {
    subject: &'s Subject,
    asking: IndexVec<LocId, (BTreeSet<String>, bool)>,
    found: bool,
}

impl RunObserver<NodeId> for Reading<'_> {
    fn is_at(&mut self, place: &NodeId, node: &CompiledNode) {
        let (inputs, others) = &self.asking[self.subject.arena.node(*place).location];
        let is_given = |rule: &CompiledRule| match &rule.act {
            CompiledAct::Input(action, _) => inputs.contains(action),
            CompiledAct::Stop(_) => false,
        };
        self.found |= *others || node.rules.iter().any(is_given);
    }
    fn is_settled(&self) -> bool {
        self.found
    }
}

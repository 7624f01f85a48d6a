//! Clauses that hold for the products with a run that shows something.

use std::collections::VecDeque;

use fixedbitset::FixedBitSet;

use super::literals::Literals;
use tamper_features::{DiagramSet, Diagrams, Lit, Product, ProductSets as _};
use tamper_game::{FeaturedRunGraph, Goal, StateId, Way};
use tamper_text::{Id as _, IndexVec, StopReason};

/// Literals for the ways of a run: each says that the product goes that way, on a run that shows something.
pub(super) struct Showing {
    starts: Vec<Lit>,
    /// For each state, the literals of its ways.
    goes: IndexVec<StateId, Vec<Lit>>,
}

impl Showing {
    /// Adds clauses for a run that shows something: it begins somewhere, and every state on it has a way that leads on.
    ///
    /// # Errors
    /// The limits of the clauses.
    pub fn new(
        ways: &FeaturedRunGraph<DiagramSet>,
        sets: &mut Diagrams,
        literals: &mut Literals,
    ) -> Result<Self, StopReason> {
        let states: IndexVec<StateId, Lit> = ways.from.iter().map(|_| literals.fresh()).collect();
        let to = |goal: Goal, literals: &Literals| match goal {
            Goal::State(at) => states[at],
            Goal::Failure => literals.always(),
        };
        let mut starts = Vec::new();
        for (own, goal) in &ways.starts {
            let begins = literals.fresh();
            let own = literals.of_set(sets, *own)?;
            literals.add(&[!begins, own]);
            literals.add(&[!begins, to(*goal, literals)]);
            starts.push(begins);
        }
        literals.add(&starts);
        let mut goes = IndexVec::new();
        for (state, from) in states.iter().zip(ways.from.iter()) {
            if let Some(reason) = literals.exceeded() {
                return Err(reason);
            }
            let mut own = Vec::with_capacity(from.len());
            for way in from {
                let goes = literals.fresh();
                literals.add(&[!goes, to(way.to, literals)]);
                if let Some(when) = way.when {
                    let when = literals.of_set(sets, when)?;
                    literals.add(&[!goes, when]);
                }
                for unless in &way.unless {
                    let unless = literals.of_set(sets, *unless)?;
                    literals.add(&[!goes, !unless]);
                }
                own.push(goes);
            }
            let leads_on: Vec<Lit> = std::iter::once(!*state).chain(own.iter().copied()).collect();
            literals.add(&leads_on);
            goes.push(own);
        }
        Ok(Self { starts, goes })
    }

    /// If no way leads `product` to a failure, excludes it together with other products: a product that shows something leaves the
    /// states that `product` reaches, and the states from which it reaches no failure. Returns whether that was so.
    pub fn exclude(
        &self,
        ways: &FeaturedRunGraph<DiagramSet>,
        sets: &Diagrams,
        literals: &mut Literals,
        product: &Product,
    ) -> bool {
        let can = |way: &Way<DiagramSet>| {
            way.when.is_none_or(|when| sets.contains(&when, product))
                && way.unless.iter().all(|unless| !sets.contains(unless, product))
        };
        let mut reached = FixedBitSet::with_capacity(ways.from.len());
        let mut waiting = VecDeque::new();
        let begins = ways.starts.iter().filter(|(own, _)| sets.contains(own, product));
        let mut goals: Vec<Goal> = begins.map(|(_, goal)| *goal).collect();
        loop {
            for goal in goals.drain(..) {
                match goal {
                    Goal::Failure => return false,
                    Goal::State(at) if !reached.put(at.index()) => waiting.push_back(at),
                    Goal::State(_) => {}
                }
            }
            let Some(at) = waiting.pop_front() else { break };
            goals.extend(ways.from[at].iter().filter(|way| can(way)).map(|way| way.to));
        }
        self.leave(ways, &reached, literals);
        // Backwards: all states except the states from which it reaches a failure.
        let mut before: IndexVec<StateId, Vec<StateId>> = IndexVec::filled(Vec::new(), ways.from.len());
        let mut failing = FixedBitSet::with_capacity(ways.from.len());
        for (at, from) in ways.from.iter_enumerated() {
            for way in from.iter().filter(|way| can(way)) {
                match way.to {
                    Goal::State(to) => before[to].push(at),
                    Goal::Failure if !failing.put(at.index()) => waiting.push_back(at),
                    Goal::Failure => {}
                }
            }
        }
        while let Some(at) = waiting.pop_front() {
            let earlier = before[at].iter().filter(|earlier| !failing.put(earlier.index()));
            waiting.extend(earlier);
        }
        failing.toggle_range(..);
        if failing != reached {
            self.leave(ways, &failing, literals);
        }
        true
    }

    /// Adds the clause that a run that shows something takes some way out of `closed`, or begins outside.
    fn leave(&self, ways: &FeaturedRunGraph<DiagramSet>, closed: &FixedBitSet, literals: &mut Literals) {
        let is_outside = |goal: Goal| match goal {
            Goal::State(at) => !closed.contains(at.index()),
            Goal::Failure => true,
        };
        let starts = ways.starts.iter().zip(&self.starts);
        let mut out: Vec<Lit> = starts
            .filter(|((_, goal), _)| is_outside(*goal))
            .map(|(_, begins)| *begins)
            .collect();
        for at in closed.ones().map(StateId::from_index) {
            let own = ways.from[at].iter().zip(&self.goes[at]);
            out.extend(own.filter(|(way, _)| is_outside(way.to)).map(|(_, goes)| *goes));
        }
        literals.add(&out);
    }
}

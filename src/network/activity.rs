//! Clocks whose value does not matter: nothing asks for them before they are set again (Daws and Yovine 1996).
//!
//! Only one process may compare such a clock with anything. What other processes do to it is then of no account: in a
//! location from which that process sets the clock before it asks for it, all values of the clock behave alike.

use super::moves::State;
use super::{Condition, Expr, Network};
use crate::zones::Variable;

/// Per location of each process, which clocks may be asked for before they are set.
#[derive(Debug)]
pub(super) struct Activity {
    /// By process, location and clock.
    active: Vec<Vec<Vec<bool>>>,
    /// Per clock the process that alone compares it; none if several do.
    owners: Vec<Option<usize>>,
}

impl Activity {
    /// Of the clocks of `network`.
    pub fn of(network: &Network) -> Self {
        let n_clocks = network.clocks.len();
        let mut users = vec![Vec::new(); n_clocks];
        let mut active = Vec::new();
        for (at, process) in network.processes.iter().enumerate() {
            let mut own: Vec<Vec<bool>> = vec![vec![false; n_clocks]; process.locations.len()];
            for (location, own) in process.locations.iter().zip(&mut own) {
                mark(&location.invariant, own);
            }
            process
                .edges
                .iter()
                .for_each(|edge| mark(&edge.guard, &mut own[edge.source]));
            for (clock, users) in users.iter_mut().enumerate() {
                if own.iter().any(|asked| asked[clock]) {
                    users.push(at);
                }
            }
            while process.edges.iter().fold(false, |changed, edge| {
                let kept = kept(&own[edge.target], &edge.updates);
                join(&mut own[edge.source], &kept) || changed
            }) {}
            active.push(own);
        }
        let owner = |users: &Vec<usize>| match users.as_slice() {
            [only] => Some(*only),
            _ => None,
        };
        Self {
            active,
            owners: users.iter().map(owner).collect(),
        }
    }

    /// The clocks that do not matter in `state`.
    pub fn inactive<'s>(&'s self, state: &'s State) -> impl Iterator<Item = Variable> + 's {
        let owned = self
            .owners
            .iter()
            .enumerate()
            .filter_map(|(clock, owner)| Some((clock, (*owner)?)));
        let idle = owned.filter(|(clock, owner)| !self.active[*owner][state.locations[*owner] as usize][*clock]);
        idle.map(|(clock, _)| Variable::new(clock))
    }
}

/// Marks the clocks that `condition` asks for.
fn mark(condition: &Condition, active: &mut [bool]) {
    condition.atoms(&mut |left, right, _| {
        for clock in [Some(left), right].into_iter().flatten() {
            active[clock.range()].fill(true);
        }
    });
}

/// What is active before `updates` of what is active after them: all but the clocks that are set in any case.
fn kept(after: &[bool], updates: &[Expr]) -> Vec<bool> {
    let mut before = after.to_vec();
    for update in updates {
        if let Expr::Reset(clock, _) = update
            && clock.range().len() == 1
        {
            before[clock.range()].fill(false);
        }
    }
    before
}

/// Adds `more` to `active`; whether that changed it.
fn join(active: &mut [bool], more: &[bool]) -> bool {
    let mut changed = false;
    for (known, new) in active.iter_mut().zip(more) {
        changed |= *new && !*known;
        *known |= *new;
    }
    changed
}

//! Constants that change together: regions with one verdict, as unions of boxes (\[003\] section 5.5).
//!
//! Every point of the grid up to a bound is decided, because verdicts are not monotone (see `constants.rs`).

use rayon::prelude::*;
use serde::Serialize;

use super::Verdict;
use super::constants::{changed_to, places};
use crate::plans::timer::Timer;
use tamper_game::{GameError, Scratch, Specification};
use tamper_text::Budget;
use tamper_timed::model::Automaton;
use tamper_timed::mutation::{ConstraintChange, MutationOptions};

/// Constraints whose constants change together.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct JointConstants {
    /// Places of the constraints.
    pub sites: Vec<String>,
    /// The constraints, e.g. `x<=5`.
    pub constraints: Vec<String>,
    /// The constants in the game.
    pub constants: Vec<i64>,
    /// Disjoint boxes that together cover the grid. They need not be the fewest.
    pub boxes: Vec<ConstantBox>,
}

/// Points of the grid that share one verdict: one constant per constraint, each between two bounds.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ConstantBox {
    /// The least constant of each constraint.
    pub from: Vec<i64>,
    /// The greatest constant of each constraint.
    pub to: Vec<i64>,
    /// The verdict on the game with any of these constants.
    pub verdict: Verdict,
}

/// Number of games to decide for the constants from 0 to `last` of every `n` constraints.
pub fn n_joint_games(game: &Automaton, options: &MutationOptions, n: usize, last: i64) -> u128 {
    let n_places = places(game, options).len();
    // The product runs through binomial coefficients, so that each division is exact.
    let choices = (0..n).fold(1_u128, |choices, at| {
        choices * n_places.saturating_sub(at) as u128 / (at as u128 + 1)
    });
    (0..n).fold(choices, |all, _| {
        all.saturating_mul(u128::from(last.unsigned_abs()) + 1)
    })
}

/// The boxes of constants from 0 to `last` for every `n` constraints that CXL or CXS change under `options`. `progress`
/// is called after each decided point. The time limit of `timer` covers all decisions together: points not decided by
/// then are unknown.
///
/// # Errors
/// If a mutant has no meaning.
pub fn joint_constants(
    specification: &Specification,
    options: &MutationOptions,
    n: usize,
    last: i64,
    timer: &Timer,
    progress: impl Fn() + Sync,
) -> Result<Vec<JointConstants>, GameError> {
    let game = specification.automaton();
    let places = places(game, options);
    let budget = timer.budget();
    let side = usize::try_from(last).unwrap_or(0) + 1;
    let of_choice = |choice: Vec<usize>| {
        let chosen: Vec<ConstraintChange> = choice.iter().map(|at| places[*at]).collect();
        let grid = Grid { n, side };
        let points = (0..grid.len()).into_par_iter();
        let verdicts = points.map_init(Scratch::default, |scratch, point| {
            let verdict = decide(specification, &chosen, &grid.point(point), &budget, scratch);
            progress();
            verdict
        });
        let verdicts: Vec<Verdict> = verdicts.collect::<Result<_, _>>()?;
        let (sites, constraints) = chosen.iter().map(|place| place.names(game)).unzip();
        Ok(JointConstants {
            sites,
            constraints,
            constants: chosen.iter().map(|place| place.old.constant).collect(),
            boxes: grid.boxes(&verdicts),
        })
    };
    combinations(places.len(), n).into_iter().map(of_choice).collect()
}

fn decide(
    specification: &Specification,
    chosen: &[ConstraintChange],
    point: &[usize],
    budget: &Budget,
    scratch: &mut Scratch,
) -> Result<Verdict, GameError> {
    if budget.exceeded(0, 0).is_some() {
        return Ok(Verdict::Unknown);
    }
    let changes = chosen.iter().zip(point);
    let mutations = changes.filter_map(|(place, constant)| changed_to(place, i64::try_from(*constant).ok()?));
    let mutant = mutations.fold(specification.automaton().clone(), |game, mutation| {
        mutation.apply(&game)
    });
    Ok(specification.decide(&mutant, budget, scratch)?.verdict.into())
}

/// All choices of `n` numbers below `of`, each in ascending order.
fn combinations(of: usize, n: usize) -> Vec<Vec<usize>> {
    let longer = |shorter: Vec<Vec<usize>>, _| {
        let next = |choice: &Vec<usize>| {
            let from = choice.last().map_or(0, |last| last + 1);
            (from..of).map(|at| [&choice[..], &[at]].concat()).collect::<Vec<_>>()
        };
        shorter.iter().flat_map(next).collect()
    };
    (0..n).fold(vec![Vec::new()], longer)
}

/// The tuples of `n` numbers below `side`, in lexicographic order.
struct Grid {
    n: usize,
    side: usize,
}

impl Grid {
    fn len(&self) -> usize {
        (0..self.n).fold(1, |all, _| all * self.side)
    }

    fn point(&self, mut number: usize) -> Vec<usize> {
        let mut point = vec![0; self.n];
        for at in point.iter_mut().rev() {
            (*at, number) = (number % self.side, number / self.side);
        }
        point
    }

    /// The indices of the points of a box.
    fn within(&self, from: &[usize], to: &[usize]) -> Vec<usize> {
        let longer = |numbers: Vec<usize>, (from, to): (&usize, &usize)| {
            let next = |number: &usize| (*from..=*to).map(|at| number * self.side + at).collect::<Vec<_>>();
            numbers.iter().flat_map(next).collect()
        };
        from.iter().zip(to).fold(vec![0], longer)
    }

    /// Disjoint boxes of equal verdict: each begins at the first point that no box covers, and grows along the last
    /// constraint first.
    fn boxes(&self, verdicts: &[Verdict]) -> Vec<ConstantBox> {
        let mut is_taken = vec![false; verdicts.len()];
        let mut boxes = Vec::new();
        for (first, verdict) in verdicts.iter().enumerate() {
            if is_taken[first] {
                continue;
            }
            let from = self.point(first);
            let mut to = from.clone();
            for axis in (0..self.n).rev() {
                while to[axis] + 1 < self.side {
                    let (mut low, mut high) = (from.clone(), to.clone());
                    (low[axis], high[axis]) = (to[axis] + 1, to[axis] + 1);
                    let is_free = |at: &usize| verdicts[*at] == *verdict && !is_taken[*at];
                    if !self.within(&low, &high).iter().all(is_free) {
                        break;
                    }
                    to[axis] += 1;
                }
            }
            self.within(&from, &to).into_iter().for_each(|at| is_taken[at] = true);
            let corner = |point: Vec<usize>| point.into_iter().filter_map(|at| i64::try_from(at).ok()).collect();
            boxes.push(ConstantBox {
                from: corner(from),
                to: corner(to),
                verdict: *verdict,
            });
        }
        boxes
    }
}
